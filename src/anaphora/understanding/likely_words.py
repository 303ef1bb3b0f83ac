"""What speaks for each word of earlier messages to belong to what a message is about: how surely a reader points to it,
where it stands in what was asked for, how long ago and how often it was said, and what kind of word it is."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from anaphora.function_words import word_set
from anaphora.ports import Judgement, Line
from anaphora.types import Span
from anaphora.understanding.lexicon import OF_WORK, base_verb
from anaphora.understanding.once import once, when_forgotten
from anaphora.understanding.pointing import Spoken, spoken
from anaphora.understanding.wording import DEFINES, content_in

__all__ = ["Told", "about_evidence", "beginnings", "told_before", "word_evidence"]

_READ = 4_000  # characters of a line that are looked at
_OPENING = 60  # words with a meaning of their own that a line opens with and that may be meant
_FEW = 6  # words that are read at a glance
_FADES = 0.75  # what a line counts less for each one after it
_SOON = 4  # so many words later a word counts half
_MUCH = 20  # words of a message that says much itself
_SCRAPS = word_set("def elif const var func fn self")  # of code, which nobody speaks of
_FENCE = "```"
_KEYWORDS = word_set("import return print lambda true false none null range len str int")


class Told(NamedTuple):
    """A word that is pointed to, or was said where it may be meant."""

    word: str
    line: int
    at: int  # which of the line's words and marks it is
    pointed: float
    asked: bool


def about_evidence(text: str, judged: Judgement, lines: Sequence[Line]) -> dict[str, dict[str, float]]:
    """For each word that may be meant, what speaks for it."""
    lines = beginnings(lines)
    return word_evidence(text, told_before(judged, lines), lines)


def beginnings(lines: Sequence[Line]) -> list[Line]:
    """Of what was pasted the beginning."""
    return [line if len(line.text) <= _READ else replace(line, text=line.text[:_READ]) for line in lines]


def told_before(judged: Judgement, lines: Sequence[Line]) -> list[Told]:
    """The words that may be meant: those that are pointed to, what the speaker said, and the last reply."""
    pointed: list[dict[Span, float]] = [{} for _ in lines]
    lengths = [len(line.text) for line in lines]
    for gap in judged.gaps:
        share = 0.3 + 0.7 * gap.probability
        for one in gap.words:
            if one.span[1] > lengths[one.line]:
                continue
            strength = one.probability * share
            there = pointed[one.line]
            if strength > there.get(one.span, 0.0):
                there[one.span] = strength
    told: list[Told] = []
    for number, (line, strengths) in enumerate(zip(lines, pointed, strict=True)):
        open_to = line.mine or number == len(lines) - 1
        if not strengths and not open_to:
            continue
        said = spoken(line.text)
        starts, spans, _, words = said
        asked, places = _open_to(line.text, line.request) if open_to else (range(0), [])
        if strengths:
            at_words = {place for start, _ in strengths if (place := bisect_left(starts, start)) < len(words)}
            places = sorted({*places, *(place for place in at_words if _may_be_told(line.text, said, place))})
        told += [Told(words[at], number, at, strengths.get(spans[at], 0.0), at in asked) for at in places]
    return told


@lru_cache(256)
def _open_to(text: str, request: Span | None) -> tuple[range, list[int]]:
    """Which words are the request, and those with a meaning of their own of it and of what the text opens with: the
    same for every message that comes after it."""
    said = spoken(text)
    asked = range(*(bisect_left(said.starts, place) for place in request)) if request else range(0)
    telling = [place for place in range(len(said.words)) if _may_be_told(text, said, place)]
    return asked, sorted({*telling[:_OPENING], *(place for place in telling if place in asked)})


when_forgotten(_open_to.cache_clear)


def _may_be_told(text: str, said: Spoken, place: int) -> bool:
    """Whether a word tells something where it stands by itself: no word that holds a sentence or code together, no name
    of one letter, and not the mark that opens a piece of code."""
    if said.idle[place] or said.words[place] in _SCRAPS:
        return False
    start, end = said.spans[place]
    return not (end - start == 1 and text[start].islower()) and text[max(0, start - 3) : start] != _FENCE


@once
def _order(text: str) -> dict[str, int]:
    """The words with a meaning of their own in the order in which they come first."""
    said = spoken(text)
    return {
        word: n
        for n, word in enumerate(dict.fromkeys(w for w, idle in zip(said.words, said.idle, strict=True) if not idle))
    }


def word_evidence(text: str, told: Sequence[Told], lines: Sequence[Line]) -> dict[str, dict[str, float]]:
    """What speaks for each of the words that the message does not say itself."""
    said = content_in(text)
    standing = _standing(lines)
    found: dict[str, dict[str, float]] = {}
    for (word, line, _, pointed, asked), beside in zip(told, _beside(told), strict=True):
        if word in said:
            continue
        known = found.get(word)
        if known is None:
            known = found[word] = dict.fromkeys(_NOTHING, 0.0)
        if pointed > known["pointed"]:
            known["pointed"] = pointed
        if beside > known["beside"]:
            known["beside"] = beside
        if asked:
            known["asked"] += 1
            for name in standing.get(line, ()):
                known[name] = 1.0
    _add_places(found, lines, standing)
    _add_kinds(found, lines)
    surest = max([one.pointed for one in told], default=0.0)
    choice = math.log1p(len(found))
    much = min(1.0, len(said) / _MUCH)
    for known in found.values():
        known["surely"] = math.log(known["pointed"] + 0.02)
        known["of_surest"] = known["pointed"] / (surest + 0.05)
        known["choice"] = choice
        known["stood_at_length"] = known["stood_soon"] * much
        known["last_at_length"] = known["last_soon"] * much
    return found


_NOTHING = ("pointed", "beside", "asked", "last", "stood", "opened")


def _standing(lines: Sequence[Line]) -> dict[int, list[str]]:
    """The lines whose request came last, and last and first of those that stood alone."""
    asked = [n for n, line in enumerate(lines) if line.mine and line.request]
    stood = [n for n in asked if lines[n].whole]
    found: dict[int, list[str]] = {}
    for name, numbers in (("last", asked[-1:]), ("stood", stood[-1:]), ("opened", stood[:1])):
        for number in numbers:
            found.setdefault(number, []).append(name)
    return found


def _beside(told: Sequence[Told]) -> list[float]:
    """How surely the neighbours of each word are pointed to, if they are of the same line."""
    found = [0.0] * len(told)
    for at, one in enumerate(told):
        if one.pointed:
            for near in (at - 1, at + 1):
                if 0 <= near < len(told) and told[near].line == one.line:
                    found[near] += one.pointed / 2
    return found


def _add_places(found: dict[str, dict[str, float]], lines: Sequence[Line], standing: dict[int, list[str]]) -> None:
    """How far back, how often and how soon in a line each word was said: a thing is named before it is described."""
    for known in found.values():
        known.update(_UNSAID)
    since = len(lines)
    for number, line in enumerate(lines):
        order = _order(line.text)
        back = since - number
        near = _FADES ** (back - 1)
        last = back == 1 and not line.mine
        here = standing.get(number, ())
        for word in order.keys() & found.keys():
            known, soon = found[word], 1 / (1 + order[word] / _SOON)
            known["lines"] += 1
            known["near"] = near  # lines come the oldest first
            if line.mine:
                known["lines_mine"] += 1
                known["near_mine"] = near
                known["soon_mine"] = max(known["soon_mine"], near * soon)
            if last:
                known["reply_soon"] = soon
            if "stood" in here:
                known["stood_soon"], known["stood_first"] = soon, float(order[word] < _FEW)
                known["stood_share"] = 1 / len(order)
            if "last" in here:
                known["last_soon"], known["last_first"] = soon, float(order[word] < _FEW)
    for known in found.values():
        known["lines"], known["lines_mine"] = math.log1p(known["lines"]), math.log1p(known["lines_mine"])


_UNSAID = dict.fromkeys(
    (
        *("lines", "lines_mine", "near", "near_mine", "soon_mine", "reply_soon"),
        *("stood_soon", "stood_first", "stood_share", "last_soon", "last_first"),
    ),
    0.0,
)


def _add_kinds(found: dict[str, dict[str, float]], lines: Sequence[Line]) -> None:
    """What kind of word each is: a name, a thing that is worked on, a deed, a word of code."""
    made = _made(lines)
    for word, known in found.items():
        deed = base_verb(word)
        known["name"] = float("_" in word)
        known["made"] = float(word == made)
        known["function"] = float(word == "function" and made is not None)
        known["code"] = float(word == "code")
        known["thing"] = float(word in OF_WORK)
        known["deed"] = float(deed == word)
        known["done"] = float(deed is not None and deed != word)
        known["number"] = float(word.isdigit())
        known["keyword"] = float(word in _KEYWORDS)


def _made(lines: Sequence[Line]) -> str | None:
    """The name of the function or class that was defined last."""
    return next((name for line in reversed(lines) if (name := _defined(line.text)) is not None), None)


@once
def _defined(text: str) -> str | None:
    defined = DEFINES.search(text)
    return None if defined is None else defined[2].lower()
