"""Cutting a long text where its sentences end, around what matters. "…" stands wherever something is missing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from anaphora.assembly.material import Count, longest
from anaphora.memory.terms import terms_of
from anaphora.types import Span

__all__ = ["LETTERS", "Focus", "beginning", "excerpt", "sentences"]

CUT = "…"
_END = re.compile(r"[.!?…][\"'”’)\]*_`]*(?=\s)|[。！？]|\n")
_WORD = re.compile(r"[^\W_]")
_SHORT = 4  # letters: "1." and "e.g." begin a sentence and end none
_WORDS_LOOKED_FOR = 64
_LONGEST = 24_000  # letters of a text that are looked at
LETTERS = 16  # of a token, at most, in anything that people write
_SAMPLE = 1_000  # letters that tell how many go into a token


class Focus:
    """The words that a cut tries to keep: those of a query, in any of their forms."""

    def __init__(self, text: str) -> None:
        stems = sorted(terms_of(text), key=lambda stem: (-len(stem), stem))[:_WORDS_LOOKED_FOR]
        self._pattern = (
            re.compile(r"(?<![A-Za-z0-9])(?:" + "|".join(map(_forms, stems)) + ")", re.IGNORECASE) if stems else None
        )

    def places(self, text: str) -> list[tuple[int, str]]:
        """Where the words stand, and which."""
        return [(m.start(), m[0].lower()) for m in self._pattern.finditer(text)] if self._pattern else []


def _forms(stem: str) -> str:
    """A stem as the beginning of its words: "stori" begins "stories", and "story" too."""
    return re.escape(stem[:-1]) + "[iy]" if len(stem) > 3 and stem.endswith("i") else re.escape(stem)


def sentences(text: str) -> list[Span]:
    """The sentences and lines of a text, one after the other, with nothing between them."""
    found: list[Span] = []
    start = 0
    for match in _END.finditer(text):
        if len(_WORD.findall(text, start, match.end())) >= _SHORT:
            found.append((start, match.end()))
            start = match.end()
    if text[start:].strip() or not found:
        found.append((start, len(text)))
    else:
        found[-1] = (found[-1][0], len(text))
    return found


def excerpt(text: str, most: int, count: Count, focus: Focus) -> str:
    """At most so many tokens of a text: the sentences that the focus is on, then those around them and the first."""
    if len(text) <= most * LETTERS and count(text) <= most:
        return text
    text, before, after = _reach(text, focus)
    pieces = sentences(text)
    per_letter = count(text[:_SAMPLE]) / min(_SAMPLE, len(text))
    chosen: list[int] = []
    left = float(most - 1)
    for index in _by_need(text, pieces, focus):
        start, end = pieces[index]
        cost = (end - start) * per_letter + 1
        if cost <= left:
            chosen.append(index)
            left -= cost
    while chosen:
        made = _joined(text, pieces, chosen, before=before, after=after)
        if count(made) <= most:
            return made
        chosen.pop()
    return _window(text, most, count, focus)


def beginning(text: str, most: int, count: Count) -> str:
    """The longest beginning that fits, marked as cut."""
    length = longest(min(len(text), _LONGEST), lambda n: count(text[:n] + CUT) <= most)
    return text[:length] + CUT if length or count(CUT) <= most else ""


def _reach(text: str, focus: Focus) -> tuple[str, bool, bool]:
    """As much of a very long text as is looked at, and whether there is more before and after it."""
    if len(text) <= _LONGEST:
        return text, False, False
    first = next(iter(focus.places(text)), (0, ""))[0]
    start = 0 if first < _LONGEST else first - _LONGEST // 2
    return text[start : start + _LONGEST], start > 0, start + _LONGEST < len(text)


def _by_need(text: str, pieces: Sequence[Span], focus: Focus) -> list[int]:
    """The sentences, the most needed first. A word that is everywhere says little about where to look."""
    words: list[set[str]] = [set() for _ in pieces]
    index = 0
    for place, word in focus.places(text):
        while place >= pieces[index][1]:
            index += 1
        words[index].add(word)
    spread = Counter(word for found in words for word in found)
    weight = [sum(spread[w] ** -0.5 for w in found) for found in words]
    beside = [max(weight[max(0, i - 1) : i + 2]) for i in range(len(pieces))]
    return sorted(range(len(pieces)), key=lambda i: (-weight[i], i != 0, -beside[i], i))


def _joined(text: str, pieces: Sequence[Span], chosen: Sequence[int], *, before: bool, after: bool) -> str:
    made = ""
    last = -2 if before else -1
    for index in sorted(chosen):
        start, end = pieces[index]
        if index != last + 1:
            made = f"{made.rstrip()} {CUT} " if made else f"{CUT} "
            made += text[start:end].lstrip()
        else:
            made += text[start:end]
        last = index
    return made if last == len(pieces) - 1 and not after else f"{made.rstrip()} {CUT}"


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
