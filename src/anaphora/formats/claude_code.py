"""Transcripts of Claude Code: a file a session, a JSON object a line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from anaphora.formats.transcripts import Record, Said, Skipped, Touched, instant, objects, text_of
from anaphora.types import Role

__all__ = ["is_own", "records"]

_EDITS = {"Edit": "file_path", "MultiEdit": "file_path", "Write": "file_path", "NotebookEdit": "notebook_path"}
_READS = {"Read": "file_path"}
# What the program puts into a prompt by itself is not what the user said.
_PUT_IN = re.compile(
    r"<(system-reminder|ide_[a-z_]+|local-command-[a-z]+|command-(?:name|message|args|contents)|bash-[a-z]+)>.*?</\1>",
    re.DOTALL,
)
_NOT_SAID = ("[Request interrupted by user", "Caveat: The messages below were generated", "No response requested.")


def is_own(line: Mapping[str, Any]) -> bool:
    """Whether the program wrote this line: each names the session or the message that it belongs to."""
    names = (line.get(key) for key in ("sessionId", "leafUuid", "messageId"))
    return isinstance(line.get("type"), str) and any(isinstance(name, str) for name in names)


def records(lines: Iterable[str], name: str = "") -> Iterator[Record]:
    """What a transcript holds; `name` stands in where a line does not say which session it is of."""
    for _, line in objects(lines):
        if line is None:
            yield Skipped("unreadable line")
            continue
        kind = line.get("type")
        if kind not in ("user", "assistant"):
            yield Skipped(str(kind or "line without a type"))
        elif line.get("isSidechain"):
            yield Skipped("talk between agents")
        elif line.get("isMeta") or line.get("isCompactSummary") or line.get("isApiErrorMessage"):
            yield Skipped("written by the program")
        else:
            yield from _message(line, str(line.get("sessionId") or name))


def _message(line: Mapping[str, Any], session: str) -> Iterator[Record]:
    message = line.get("message")
    id = line.get("uuid")
    if not isinstance(message, dict) or not isinstance(id, str) or not session:
        yield Skipped("message without an id")
        return
    content, at = message.get("content"), instant(line.get("timestamp"))
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("type") == "tool_use":
            yield from _tool(block, session, at)
    text = _PUT_IN.sub("", text_of(content, "text")).strip()
    if not text or text.startswith(_NOT_SAID):
        yield Skipped("nothing said")
        return
    folder = line.get("cwd")
    role: Role = "user" if line["type"] == "user" else "assistant"
    yield Said(session, f"claude-code-{id}", role, text, at, folder if isinstance(folder, str) else "")


def _tool(block: Mapping[str, Any], session: str, at: Any) -> Iterator[Record]:
    tool, given = block.get("name"), block.get("input")
    edited = tool in _EDITS
    key = _EDITS.get(str(tool)) or _READS.get(str(tool))
    path = given.get(key) if key and isinstance(given, dict) else None
    if isinstance(path, str) and path.strip():
        yield Touched(session, path, edited, at)
    else:
        yield Skipped("use of a tool")
