"""What each assistant says in its hooks, read into one set of values; and how it wants to be answered."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from anaphora.understanding.patterns import expression
from anaphora.understanding.text import says_nothing

__all__ = [
    "HOSTS",
    "Compacting",
    "Ended",
    "Happening",
    "Heard",
    "Prompt",
    "Reply",
    "Started",
    "Touched",
    "answer",
    "read",
]

HOSTS = ("claude-code", "codex", "cursor", "copilot")


@dataclass(frozen=True, slots=True)
class Started:
    """A session begins, is gone on with, or was compacted."""

    source: str


@dataclass(frozen=True, slots=True)
class Prompt:
    text: str
    id: str


@dataclass(frozen=True, slots=True)
class Reply:
    text: str
    id: str


@dataclass(frozen=True, slots=True)
class Touched:
    """Files that were read or edited."""

    files: tuple[str, ...]
    edited: bool


@dataclass(frozen=True, slots=True)
class Compacting:
    """The assistant is about to lose sight of what was said."""


@dataclass(frozen=True, slots=True)
class Ended:
    pass


Happening = Started | Prompt | Reply | Touched | Compacting | Ended


@dataclass(frozen=True, slots=True)
class Heard:
    """One event: in which session, in which folder, what."""

    host: str
    event: str
    session: str
    folder: Path
    happening: Happening


def read(host: str, event: Mapping[str, Any], named: str | None, folder: Path) -> Heard | None:
    """The event as one of ours; None for one that is of no concern. `named` is the event's name for hosts that do not
    say it, `folder` the one the hook was called in."""
    name = _text(event, "hook_event_name") or named or ""
    session = _text(event, "session_id", "conversation_id", "sessionId") or host
    happening = _happening(name, event, f"{host}\0{session}")
    if happening is None:
        return None
    roots = event.get("workspace_roots")
    named_folder = _text(event, "cwd") or (roots[0] if isinstance(roots, list) and roots else None)
    where = Path(named_folder) if isinstance(named_folder, str) else folder
    return Heard(host, name, session, where if where.is_absolute() else folder, happening)


def answer(host: str, event: str, text: str) -> str:
    """What goes to stdout, so that the assistant's model reads the text; empty where there is no way."""
    if host == "cursor":
        asks = event == "beforeSubmitPrompt"
        said: dict[str, Any] = {"continue": True} if asks else {}
        return json.dumps(said | ({"additional_context": text} if text else {}))
    if not text:
        return ""
    if host == "copilot":
        return json.dumps({"additionalContext": text})
    return json.dumps({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}})


# --- what happened ------------------------------------------------------------------------------------------------

# What a host puts among the prompts by itself, and what is a command to it rather than something said.
_REMINDER = expression(r"<system-reminder>.*?</system-reminder>\s*", re.DOTALL)
_NOT_SAID = expression(r"<(?:task-notification|local-command|command-name|command-message|bash-|user-prompt-submit)")
_COMMAND = expression(r"/[\w:.-]+(?:\s|$)")
_PATCHED = expression(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$", re.MULTILINE)
_READ_TOOLS = {"read", "view", "notebookread", "read_file", "view_image"}
_EDIT_TOOLS = {"edit", "write", "multiedit", "notebookedit", "create", "str_replace", "write_file", "edit_file"}


def _happening(name: str, event: Mapping[str, Any], key: str) -> Happening | None:
    match name[:1].lower() + name[1:]:
        case "sessionStart":
            return Started(_text(event, "source") or "startup")
        case "userPromptSubmit" | "userPromptSubmitted" | "beforeSubmitPrompt":
            return _prompt(event, key)
        case "stop" | "afterAgentResponse":
            text = (_text(event, "last_assistant_message", "text") or "").strip()
            return None if says_nothing(text) else Reply(text, _id(event, key, "reply", text))
        case "postToolUse":
            return _tool(event)
        case "afterFileEdit":
            file = _text(event, "file_path")
            return None if file is None else Touched((file,), edited=True)
        case "preCompact":
            return Compacting()
        case "sessionEnd":
            return Ended()
    return None


def _prompt(event: Mapping[str, Any], key: str) -> Happening | None:
    text = _REMINDER.sub("", _text(event, "prompt") or "").strip()
    if says_nothing(text) or _NOT_SAID.match(text) or _COMMAND.match(text):
        return None
    return Prompt(text, _id(event, key, "prompt", text))


def _tool(event: Mapping[str, Any]) -> Happening | None:
    tool = (_text(event, "tool_name", "toolName") or "").lower()
    given = event.get("tool_input", event.get("toolArgs"))
    if isinstance(given, str):  # Copilot hands over its arguments as JSON in a text
        try:
            given = json.loads(given)
        except ValueError:
            return None
    if not isinstance(given, Mapping):
        return None
    if tool == "apply_patch":
        patch = _text(given, "command", "input", "patch") or ""
        files = tuple(dict.fromkeys(a or b for a, b in _PATCHED.findall(patch)))
        return Touched(files, edited=True) if files else None
    file = _text(given, "file_path", "notebook_path", "path", "filePath")
    if file is None or tool not in _READ_TOOLS | _EDIT_TOOLS:
        return None
    return Touched((file,), edited=tool in _EDIT_TOOLS)


def _text(event: Mapping[str, Any], *names: str) -> str | None:
    """The first of these fields that holds a text, without what no store can hold: a NUL, or half of a character."""
    texts = (event[name] for name in names if isinstance(event.get(name), str))
    return next(filter(None, (text.replace("\0", "").encode("utf-8", "ignore").decode() for text in texts)), None)


def _id(event: Mapping[str, Any], key: str, kind: str, text: str) -> str:
    """The same for an event that is delivered twice, and no other's: the host's own id of the turn, or how far the
    transcript had come; and the words, since one turn may hold several."""
    turn = _text(event, "prompt_id", "turn_id", "generation_id") or _position(event)
    return f"{kind}-{sha256(chr(0).join((key, kind, turn, text)).encode()).hexdigest()[:32]}"


def _position(event: Mapping[str, Any]) -> str:
    path = _text(event, "transcript_path", "transcriptPath")
    if path is not None:
        try:
            return f"at {Path(path).stat().st_size}"
        except OSError:
            pass
    return str(event.get("timestamp", ""))
