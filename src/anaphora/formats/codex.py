"""Transcripts of Codex: a file a session ("rollout"), a JSON object a line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from anaphora.formats.transcripts import Record, Said, Skipped, Touched, instant, objects, text_of

__all__ = ["is_own", "records"]

_PATCHED = re.compile(r"^\*\*\* (?:Update|Add|Delete) File: (.+)$", re.MULTILINE)
_PUT_IN = (  # what the program says to the model in the user's name
    "<environment_context>",
    "<user_instructions>",
    "<turn_aborted>",
    "<user_shell_command>",
    "<skill>",
    "<INSTRUCTIONS>",
    "# AGENTS.md instructions",
    "<permissions",
    "<collaboration_mode>",
)


def is_own(line: Mapping[str, Any]) -> bool:
    """Whether the program wrote this line: each is wrapped and has its time, or is the head of an older file."""
    wrapped = isinstance(line.get("payload"), dict) and isinstance(line.get("type"), str)
    return isinstance(line.get("timestamp"), str) and (wrapped or _unwrapped(line)[0] == "session_meta")


def records(lines: Iterable[str], name: str = "") -> Iterator[Record]:
    """What a transcript holds. Its lines have no ids, so that a message is named by session and line."""
    session, folder = name, ""
    for number, line in objects(lines):
        if line is None:
            yield Skipped("unreadable line")
            continue
        kind, payload, at = _unwrapped(line)
        if kind == "session_meta":
            session = str(payload.get("id") or payload.get("session_id") or session)
            folder = str(payload.get("cwd") or folder)
        if kind == "message" and payload.get("role") in ("user", "assistant"):
            yield _message(payload, session, f"codex-{session}-{number}", at, folder)
        elif kind in ("function_call", "custom_tool_call", "local_shell_call"):
            yield from _tool(payload, session, at)
        else:
            yield Skipped(kind)


def _unwrapped(line: Mapping[str, Any]) -> tuple[str, Mapping[str, Any], datetime | None]:
    """The kind of a line, what it carries and when it was written; older files have no wrapping."""
    at = instant(line.get("timestamp"))
    payload = line.get("payload")
    if isinstance(payload, dict):
        kind = str(line.get("type"))
        if kind == "response_item":
            return str(payload.get("type")), payload, at
        if kind == "event_msg":  # says again what the items say
            return f"event {payload.get('type')}", payload, at
        return kind, payload, at
    if "type" not in line and "id" in line and "timestamp" in line:
        return "session_meta", line, at
    return str(line.get("type") or "line without a type"), line, at


def _message(payload: Mapping[str, Any], session: str, id: str, at: datetime | None, folder: str) -> Record:
    text = text_of(payload.get("content"), "input_text", "output_text", "text").strip()
    if not text or not session:
        return Skipped("nothing said")
    if payload["role"] == "user" and text.startswith(_PUT_IN):
        return Skipped("written by the program")
    return Said(session, id, payload["role"], text, at, folder)


def _tool(payload: Mapping[str, Any], session: str, at: datetime | None) -> Iterator[Record]:
    """A patch names the files that it changes, whichever way it is handed over."""
    given = payload.get("input") or payload.get("arguments") or payload.get("action") or ""
    text = given if isinstance(given, str) else str(given)
    files = dict.fromkeys(_PATCHED.findall(text.replace("\\n", "\n")))
    if not files:
        yield Skipped("use of a tool")
    for path in files:
        yield Touched(session, path.strip(), True, at)
