"""Where in a line the words stand that are pointed to."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
    said = spoken(text)
    first, last = bisect_left(said.starts, min(likely)[0]), bisect_left(said.starts, max([s[1] for s in likely]))
    spans, idle = said.spans[first:last], said.idle[first:last]
    chances = [0.0 if alone else likely.get(span, 0.0) for span, alone in zip(spans, idle, strict=True)]
    before = _carried(chances, idle)
    after = reversed(_carried(reversed(chances), reversed(idle)))
    sides = zip(spans, idle, before, after, strict=True)
    return [_Word(span, alone, left if left < right else right) for span, alone, left, right in sides]


def _carried(chances: Iterable[float], idle: Iterable[bool]) -> list[float]:
    """For each word how likely it is or, where it is idle, the last one before it that is not."""
    found: list[float] = []
    last = 0.0
    for chance, alone in zip(chances, idle, strict=True):
        if not alone:
            last = chance
        found.append(last)
    return found


class Spoken(NamedTuple):
    """The words and marks of a text, in small letters: of each where it starts, its place, whether it is idle, that is
    without a meaning of its own, and itself."""

    starts: list[int]
    spans: list[Span]
    idle: list[bool]
    words: list[str]


@once
def spoken(text: str) -> Spoken:
    spans = [match.span() for match in WORD.finditer(text)]
    words = [text[start:end].lower() for start, end in spans]
    idle = [word in FUNCTION_WORDS or not is_word(word) for word in words]
    return Spoken([start for start, _ in spans], spans, idle, words)


def is_word(said: str) -> bool:
    """A word and no mark."""
    return said[0].isalnum() or said[0] == "_"


def best_stretches(said: Sequence[_Word], cut: float) -> Iterator[tuple[float, Span]]:
    """Stretches of one line that do not overlap: those where the words speak most for being taken over."""
    values = [_BETWEEN * min(0.0, likely - cut) if idle else likely - cut for _, idle, likely in said]
    for _ in range(2):
        if max(values, default=0.0) <= 0:
            return
        score, start, end = _largest(values)
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
