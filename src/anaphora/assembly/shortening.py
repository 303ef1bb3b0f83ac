"""A summary without what the context says anyway, and no longer than it may be."""

from __future__ import annotations

import re
from collections.abc import Sequence

from anaphora.assembly.material import Count
from anaphora.understanding.patterns import expression

__all__ = ["first_lines", "steadied", "unrepeated", "unsaid"]

_LEAD = expression(r"^\W*(?:\d+\.\s+)?\W*(?:[A-Z][a-z]+(?: [a-z]+)?: )?")
_MOVING = "## Progress"
_PASSING = expression(r"- (?:🔄 Last: |Talked about: |\d+ messages? and )")
_BESIDE = expression(r"- (?:Talked about: |\d+ messages? and )")
_LEAST = 8  # characters: less is in any text


def unsaid(summary: str, said: Sequence[str]) -> str:
    """The lines of a summary that stand in none of the texts; a heading goes with the last line under it."""
    known = _plain(" \n ".join(said))
    kept: list[str] = []
    for line in summary.splitlines():
        words = _plain(_LEAD.sub("", line).rstrip("…. "))
        before_reason = words.split(" (")[0]
        if line.startswith("#") or len(before_reason) < _LEAST or before_reason not in known:
            kept.append(line)
    return _without_bare_headings(kept)


def unrepeated(told: str, said: Sequence[str]) -> str:
    """The lines of what a stretch of talk came to that stand in none of the texts; empty where none tells anything."""
    title, *lines = told.splitlines() or [""]
    left = unsaid("\n".join(line for line in lines if not _BESIDE.match(line)), said)
    return f"{title}\n{left}" if any(line.strip() and not _level(line) for line in left.splitlines()) else ""


def steadied(summary: str) -> str:
    """The same lines, those that change with every message last, so that what comes before them stays what it was."""
    sections: list[list[str]] = [[]]
    for line in summary.splitlines():
        if _level(line):
            sections.append([])
        sections[-1].append(line)
    passing = [line for lines in sections for line in lines if _PASSING.match(line)]
    kept = [[line for line in lines if not _PASSING.match(line)] for lines in sections]
    moving = [lines for lines in kept if lines and lines[0] == _MOVING]
    head = [line for lines in kept if lines not in moving for line in lines]
    tail = [line for lines in moving for line in lines if line.strip()] or ([_MOVING] if passing else [])
    return _without_bare_headings([*head, "", *tail, *passing])


def first_lines(text: str, most: int, count: Count) -> str:
    """As many lines as fit, with no heading at the end."""
    lines = text.splitlines()
    while lines and (count("\n".join(lines)) > most or not lines[-1].strip() or _level(lines[-1])):
        lines.pop()
    return "\n".join(lines)


def _without_bare_headings(lines: Sequence[str]) -> str:
    kept: list[str] = []
    for line in reversed(lines):
        below = next((k for k in reversed(kept) if k.strip()), "#")
        if not (_level(line) and 0 < _level(below) <= _level(line)):
            kept.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(reversed(kept))).strip()


def _level(line: str) -> int:
    """Of a heading; 0 for any other line."""
    return len(line) - len(line.lstrip("#"))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
