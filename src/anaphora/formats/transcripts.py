"""What the records of other programs come to, whichever wrote them: things said, files touched, and the rest."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from anaphora.codec import parse_time
from anaphora.errors import AnaphoraError
from anaphora.types import Role

__all__ = ["Record", "Said", "Skipped", "Source", "Touched", "elements", "instant", "objects", "text_of"]

Source = Literal["claude-code", "codex", "chatgpt", "claude"]


@dataclass(frozen=True, slots=True)
class Said:
    """A message, under an id that comes out the same each time the file is read."""

    session: str
    id: str
    role: Role
    text: str
    at: datetime | None
    folder: str = ""  # in which it was said, where that is known


@dataclass(frozen=True, slots=True)
class Touched:
    """A file that the assistant read or edited."""

    session: str
    path: str
    edited: bool
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record that holds nothing to remember, by the name of its kind."""

    kind: str


Record = Said | Touched | Skipped


def objects(lines: Iterable[str]) -> Iterator[tuple[int, Mapping[str, Any] | None]]:
    """The JSON object of each line with its number; None for a line that is none, such as one that was cut off."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        yield number, found if isinstance(found, dict) else None


_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]]', re.DOTALL)


def elements(data: Any) -> Iterator[tuple[int, int]]:
    """Where each object of a JSON array begins and ends, found without reading the whole: `data` may be a mapped file.

    An array may stand alone, or be a value of the outermost object."""
    depth = 0
    inside: list[bytes] = []  # what is open, outermost first
    begun = 0
    for match in _TOKEN.finditer(data):
        token = match[0]
        if token in (b"{", b"["):
            if token == b"{" and inside and inside[-1] == b"[" and depth in (1, 2) and b"{" not in inside[1:]:
                begun = match.start()
            inside.append(token)
            depth += 1
        elif token in (b"}", b"]"):
            if not inside:
                return
            inside.pop()
            depth -= 1
            if token == b"}" and inside and inside[-1] == b"[" and b"{" not in inside[1:] and depth in (1, 2):
                yield begun, match.end()


def instant(value: object) -> datetime | None:
    """A time as such files write it: ISO text, or seconds since 1970; None where there is none that can be read."""
    if isinstance(value, str):
        try:
            return parse_time(value)
        except AnaphoraError:
            return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return datetime.fromtimestamp(value, UTC)
        except (ValueError, OverflowError, OSError):
            return None
    return None


def text_of(content: object, *kinds: str) -> str:
    """The text of a message: the text itself, or that of its blocks of these kinds."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    found = [
        block["text"]
        for block in content
        if isinstance(block, dict) and block.get("type") in kinds and isinstance(block.get("text"), str)
    ]
    return "\n\n".join(found)
