"""Cutting a long text where its sentences end, around what matters. "…" stands wherever something is missing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from anaphora.assembly.material import Count, longest
from anaphora.memory.terms import terms_of
from anaphora.types import Span
from anaphora.understanding.patterns import expression

__all__ = ["LETTERS", "Focus", "beginning", "excerpt", "sentences"]

CUT = "…"
_END = expression(r"[.!?…][\"'”’)\]*_`]*(?=\s)|[。！？]|\n")
_SHORT = 6  # characters: "1." and "e.g." begin a sentence and end none
_WORDS_LOOKED_FOR = 64
_FITS = 0.5  # what standing in the place that fits by its meaning counts, against a word that stands nowhere else
_LONGEST = 24_000  # letters of a text that are looked at
LETTERS = 16  # of a token, at most, in anything that people write
_SAMPLE = 1_000  # letters that tell how many go into a token


@dataclass(frozen=True, slots=True)
class _Plan:
    """As much of a text as is looked at, whether there is more of it before and after, its sentences, and these in the
    order in which they are needed."""

    text: str
    before: bool
    after: bool
    pieces: Sequence[Span]
    order: Sequence[int]


class Focus:
    """The words that a cut tries to keep: those of a query, in any of their forms."""

    def __init__(self, text: str) -> None:
        stems = sorted(terms_of(text), key=lambda stem: (-len(stem), stem))[:_WORDS_LOOKED_FOR]
        self._pattern = re.compile(r"(?<![a-z0-9])(?:" + "|".join(map(_forms, stems)) + ")") if stems else None
        self._plans: dict[str, _Plan] = {}  # a text is looked through once, however often it is cut

    def places(self, text: str) -> list[tuple[int, str]]:
        """Where the words stand, and which."""
        if self._pattern is None:
            return []
        low = text.lower()
        if len(low) != len(text):  # a few letters have two in lower case
            low = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)
        return [(m.start(), m[0]) for m in self._pattern.finditer(low)]

    def plan(self, text: str, around: Span | None = None) -> _Plan:
        """How a long text is cut; `around` is the place in it that was found to fit."""
        if text not in self._plans:
            self._plans[text] = _planned(text, self, around)
        return self._plans[text]


def _forms(stem: str) -> str:
    """A stem as the beginning of its words: "stori" begins "stories", and "story" too."""
    return re.escape(stem[:-1]) + "[iy]" if len(stem) > 3 and stem.endswith("i") else re.escape(stem)


def sentences(text: str) -> list[Span]:
    """The sentences and lines of a text, one after the other, with nothing between them."""
    found: list[Span] = []
    start = 0
    for match in _END.finditer(text):
        if match.end() - start > _SHORT:
            found.append((start, match.end()))
            start = match.end()
    if text[start:].strip() or not found:
        found.append((start, len(text)))
    else:
        found[-1] = (found[-1][0], len(text))
    return found


def excerpt(text: str, most: int, count: Count, focus: Focus, around: Span | None = None) -> str:
    """At most so many tokens of a text: the sentences that the focus is on, and those of the place `around` which it
    was found; then the first and those beside them."""
    if len(text) <= most * LETTERS and count(text) <= most:
        return text
    plan = focus.plan(text, around)
    per_letter = count(plan.text[:_SAMPLE]) / min(_SAMPLE, len(plan.text))
    chosen: list[int] = []
    left = float(most - 1)
    for index in plan.order:
        start, end = plan.pieces[index]
        cost = (end - start) * per_letter + 1
        if cost <= left:
            chosen.append(index)
            left -= cost
    while chosen:
        made = _joined(plan, chosen)
        if count(made) <= most:
            return made
        chosen.pop()
    return _window(plan.text, most, count, focus)


def beginning(text: str, most: int, count: Count) -> str:
    """The longest beginning that fits, marked as cut."""
    length = longest(min(len(text), _LONGEST), lambda n: count(text[:n] + CUT) <= most)
    return text[:length] + CUT if length or count(CUT) <= most else ""


def _planned(text: str, focus: Focus, around: Span | None) -> _Plan:
    start, end = 0, len(text)
    if end > _LONGEST:
        first = around[0] if around else next(iter(focus.places(text)), (0, ""))[0]
        start = 0 if first < _LONGEST else first - _LONGEST // 2
        end = min(end, start + _LONGEST)
    inside = text[start:end]
    pieces = sentences(inside)
    fitting = None if around is None else (around[0] - start, around[1] - start)
    return _Plan(inside, start > 0, end < len(text), pieces, _by_need(inside, pieces, focus, fitting))


def _by_need(text: str, pieces: Sequence[Span], focus: Focus, fitting: Span | None) -> list[int]:
    """The sentences, the most needed first. A word that is everywhere says little about where to look."""
    words: list[set[str]] = [set() for _ in pieces]
    index = 0
    for place, word in focus.places(text):
        while place >= pieces[index][1]:
            index += 1
        words[index].add(word)
    spread = Counter(word for found in words for word in found)
    weight = [fsum(spread[w] ** -0.5 for w in found) for found in words]  # in any order the same
    if fitting is not None:
        weight = [
            w + (_FITS if a < fitting[1] and fitting[0] < b else 0.0) for w, (a, b) in zip(weight, pieces, strict=True)
        ]
    beside = [max(weight[max(0, i - 1) : i + 2]) for i in range(len(pieces))]
    return sorted(range(len(pieces)), key=lambda i: (-weight[i], i != 0, -beside[i], i))


def _joined(plan: _Plan, chosen: Sequence[int]) -> str:
    made, text = "", plan.text
    last = -2 if plan.before else -1
    for index in sorted(chosen):
        start, end = plan.pieces[index]
        if index != last + 1:
            made = f"{made.rstrip()} {CUT} " if made else f"{CUT} "
            made += text[start:end].lstrip()
        else:
            made += text[start:end]
        last = index
    return made if last == len(plan.pieces) - 1 and not plan.after else f"{made.rstrip()} {CUT}"


def _window(text: str, most: int, count: Count, focus: Focus) -> str:
    """Words around the first that the focus is on, where not even one sentence fits."""
    places = focus.places(text)
    start = text.rfind(" ", 0, max(0, places[0][0] - 1)) + 1 if places else 0
    head = f"{CUT} " if start else ""
    length = longest(len(text) - start, lambda n: count(f"{head}{text[start : start + n]}{CUT}") <= most)
    inside = text[start : start + length]
    if start + length < len(text) and " " in inside:
        inside = inside.rpartition(" ")[0]
    return f"{head}{inside}{CUT}" if inside.strip() else beginning(text, most, count)
