"""Regular expressions that are compiled when they are first used.

Compiling takes a hundred times as long as matching. A process that hears one message and ends, as a hook does, needs
few of the hundreds of wordings that are known; one that stays compiles each once, and goes on as with any other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from sys import maxsize
from typing import Any, cast

__all__ = ["any_case", "expression"]

_TAKEN_OVER = ("match", "search", "fullmatch", "finditer", "findall", "sub", "split", "groups", "groupindex", "flags")
_SELDOM = 64  # times that a process asks which hears a message and ends


def expression(pattern: str, flags: int = 0, *, needles: str = "", dear: bool = False) -> re.Pattern[str]:
    """What `re.compile` gives, but made when it is first used. Functions of `re` do not take it: call its methods.

    `needles` are texts in small letters, with a bar between them, of which one stands in every match: in a process that
    asks seldom nothing is compiled to find that a text without them does not match. One that is `dear` to match, such
    as one that begins with anything, looks for them however often it is asked."""
    if not needles:
        return cast(re.Pattern[str], _Late(pattern, flags))
    return cast(re.Pattern[str], (_Dear if dear else _Gated)(pattern, flags, tuple(needles.split("|"))))


def any_case(pattern: str, *, needles: str = "", dear: bool = False) -> re.Pattern[str]:
    """An expression to which capital and small letters are the same."""
    return expression(pattern, re.IGNORECASE, needles=needles, dear=dear)


class _Late:
    """Stands for a pattern. Its methods are those of the compiled one from the first use on, at no further cost."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern, self.given = pattern, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._compiled(), name)

    def __repr__(self) -> str:
        return f"expression({self.pattern!r}, {self.given!r})"

    def _compiled(self) -> re.Pattern[str]:
        """Two threads may both compile it: what they put in place is the same."""
        made = re.compile(self.pattern, self.given)
        for name in _TAKEN_OVER:
            setattr(self, name, getattr(made, name))
        return made


class _Gated(_Late):
    """Not even compiled for a text that holds none of the needles, as long as it is asked seldom: to match costs less
    than to look for them."""

    def __init__(self, pattern: str, flags: int, needles: tuple[str, ...]) -> None:
        super().__init__(pattern, flags)
        self.needles = needles
        self._asked = 0

    def match(self, text: str, pos: int = 0, endpos: int = maxsize) -> re.Match[str] | None:
        return self._compiled().match(text, pos, endpos) if self._may_match(text) else None

    def search(self, text: str, pos: int = 0, endpos: int = maxsize) -> re.Match[str] | None:
        return self._compiled().search(text, pos, endpos) if self._may_match(text) else None

    def fullmatch(self, text: str, pos: int = 0, endpos: int = maxsize) -> re.Match[str] | None:
        return self._compiled().fullmatch(text, pos, endpos) if self._may_match(text) else None

    def _may_match(self, text: str) -> bool:
        self._asked += 1
        return self._asked > _SELDOM or self._holds_needle(text)

    def _holds_needle(self, text: str) -> bool:
        """Some letters beyond ASCII match small ones of ASCII where case is ignored: "ſ" is an "s"."""
        small = text.lower()
        for needle in self.needles:
            if needle in small:
                return True
        return not text.isascii()


class _Dear(_Gated):
    """Matched to no text that holds none of the needles."""

    _made: re.Pattern[str] | None = None

    def finditer(self, text: str, pos: int = 0, endpos: int = maxsize) -> Iterator[re.Match[str]]:
        return self._compiled().finditer(text, pos, endpos) if self._may_match(text) else iter(())

    def _may_match(self, text: str) -> bool:
        return self._holds_needle(text)

    def _compiled(self) -> re.Pattern[str]:
        if self._made is None:
            self._made = re.compile(self.pattern, self.given)
        return self._made
