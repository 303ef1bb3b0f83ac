"""Slash commands that delete for good: where someone is at a terminal, they are asked first."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import typer

from anaphora.errors import AnaphoraError
from anaphora.interfaces.cli.output import one_line

if TYPE_CHECKING:
    from anaphora.engine import Memory
    from anaphora.types import Conversation

__all__ = ["agreed"]

_SHOWN = 60  # characters of what would go


def agreed(memory: Memory, line: str) -> bool:
    """Whether a command may be done. One that deletes nothing may, and so may one that says --yes, or that comes where
    nobody can be asked."""
    question = _question(memory, line) if sys.stdin is not None and sys.stdin.isatty() else ""
    if not question:
        return True
    try:
        return typer.confirm(question, err=True)
    except typer.Abort:
        return False


def _question(memory: Memory, line: str) -> str:
    from anaphora.engine.commands import head_of
    from anaphora.engine.commands.parsing import arguments_of

    name, rest = head_of(line) or ("", "")
    if name not in ("context", "forget"):
        return ""
    given = arguments_of(rest, {"yes": False, "json": False}, free=True)
    what, which = (given.words[0].lower() if given.words else ""), " ".join(given.words[1:])
    if "yes" in given:
        return ""
    with suppress(AnaphoraError):  # the command itself says what is wrong with it
        return _told(memory, name, what, which)
    return ""


def _told(memory: Memory, name: str, what: str, which: str) -> str:
    match name, what, which:
        case "context", "clear", "":
            return _whole(memory.current())
        case "forget", "conversation", _ if which:
            return _whole(memory.conversation(which))
        case "forget", "last", "":
            last = memory.last_heard()
        case "forget", "message", _ if which:
            last = memory.message(which)
        case _:
            return ""
    return "" if last is None else f"Delete “{one_line(last.text, _SHOWN)}” for good?"


def _whole(conversation: Conversation | None) -> str:
    if conversation is None:
        return ""
    count = conversation.message_count
    title = one_line(conversation.title, _SHOWN)
    return f"Delete “{title}” and its {count:,} message{'' if count == 1 else 's'} for good?"
