"""What the commands have in common: the options before the command, what is read from them, and typed arguments."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from anaphora.errors import BadText
from anaphora.settings import PresetName

if TYPE_CHECKING:
    from anaphora.engine import Memory
    from anaphora.settings import Resolved

__all__ = [
    "At",
    "FileFormat",
    "Given",
    "Json",
    "Text",
    "open_memory",
    "read_stdin",
    "read_text",
    "read_time",
    "resolved",
]

FileFormat = Literal["anaphora", "kds", "brain", "quaid"]
Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
At = Annotated[
    str | None,
    typer.Option("--at", metavar="TIME", help="When it was said, such as 2025-11-03T14:23:45Z.", show_default="now"),
]
Text = Annotated[str, typer.Argument(metavar="TEXT", help="What was said; - reads it from stdin.")]


@dataclass(frozen=True, slots=True)
class Given:
    """The settings that were given before the command; None where one was not."""

    store: str | None = None
    user: str | None = None
    agent: str | None = None
    project: str | None = None
    session: str | None = None
    preset: PresetName | None = None


def resolved(ctx: typer.Context) -> Resolved:
    """The settings that this command goes by, and where each came from."""
    from anaphora.configuration import load

    return load(asdict(ctx.find_object(Given) or Given()), origin="the command line")


def open_memory(ctx: typer.Context) -> Memory:
    """The memory that the options, the environment and the settings files name."""
    from anaphora.engine import open_memory

    return open_memory(settings=resolved(ctx).settings)


def read_text(text: str) -> str:
    """The text itself, or what stdin holds for "-"."""
    return read_stdin().removesuffix("\n").removesuffix("\r") if text == "-" else text


def read_stdin() -> str:
    """All of stdin, as the UTF-8 text that it must be."""
    if sys.stdin is None:
        return ""
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadText(
            f"What came in on stdin is not UTF-8 text: byte {error.start} is wrong.", remedy="Convert it first."
        ) from error


def read_time(text: str | None, zone: str | None = None) -> datetime | None:
    """A time from the command line; None where none was given. `zone` is that of a time that says none itself; without
    it such a time is refused."""
    from anaphora.codec import parse_time

    return None if text is None else parse_time(_zoned(text, zone) if zone else text)


def _zoned(text: str, zone: str) -> str:
    from zoneinfo import ZoneInfo

    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return text
    return text if at.tzinfo is not None else at.replace(tzinfo=ZoneInfo(zone)).isoformat()
