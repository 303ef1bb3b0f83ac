"""Where in a line the words stand that are pointed to."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from anaphora.function_words import FUNCTION_WORDS
from anaphora.types import Span
from anaphora.understanding.once import once
from anaphora.understanding.patterns import expression

__all__ = ["WORD", "Spoken", "best_stretches", "is_word", "said_between", "spoken"]

WORD = expression(r"\w+(?:['’]\w+)*|[^\w\s]")
_BETWEEN = 0.15  # how far a word without meaning of its own counts
_MOST = 16  # words taken over for one gap


class _Word(NamedTuple):
    span: Span
    idle: bool  # without a meaning of its own
    likely: float


def said_between(text: str, likely: Mapping[Span, float]) -> list[_Word]:
    """The words of a line from the first to the last that is pointed to. Nothing points to words without a meaning of
    their own: they are as likely as those on both sides of them."""
    starts, words = spoken(text)
    first, last = bisect_left(starts, min(likely)[0]), bisect_left(starts, max(s[1] for s in likely))
    said = words[first:last]
    chances = [None if word.idle else likely.get(word.span, 0.0) for word in said]
    before = accumulate(chances, _latest)
    after = list(accumulate(reversed(chances), _latest))
    sides = zip(said, before, reversed(after), strict=True)
    return [_Word(word.span, word.idle, min(left or 0.0, right or 0.0)) for word, left, right in sides]


def _latest(known: float | None, now: float | None) -> float | None:
    return known if now is None else now


class Spoken(NamedTuple):
    """A word or a mark of a text, in small letters."""

    span: Span
    idle: bool  # without a meaning of its own
    word: str


@once
def spoken(text: str) -> tuple[list[int], list[Spoken]]:
    """The words and marks of a text, and where each starts."""
    words = [
        Spoken(m.span(), (low := m[0].lower()) in FUNCTION_WORDS or not is_word(low), low) for m in WORD.finditer(text)
    ]
    return [word.span[0] for word in words], words


def is_word(said: str) -> bool:
    """A word and no mark."""
    return said[0].isalnum() or said[0] == "_"


def best_stretches(said: Sequence[_Word], cut: float) -> Iterator[tuple[float, Span]]:
    """Stretches of one line that do not overlap: those where the words speak most for being taken over."""
    values = [_BETWEEN * min(0.0, w.likely - cut) if w.idle else w.likely - cut for w in said]
    for _ in range(2):
        score, start, end = _largest(values)
        if score <= 0:
            return
        first, last = start, end
        while first < last and said[first].idle:
            first += 1
        while last > first and said[last - 1].idle:
            last -= 1
        if first < last:
            yield score, (said[first].span[0], said[last - 1].span[1])
        values[start:end] = [-9.0] * (end - start)


def _largest(values: Sequence[float]) -> tuple[float, int, int]:
    """The stretch with the largest sum: (sum, start, end)."""
    best, best_start, best_end = 0.0, 0, 0
    total, start = 0.0, 0
    for i, value in enumerate(values):
        if total <= 0:
            total, start = 0.0, i
        total += value
        if total > best and i + 1 - start <= _MOST:
            best, best_start, best_end = total, start, i + 1
    return best, best_start, best_end
