"""What a message is about, where people say much at a time: how likely each word of earlier messages belongs to it, and
the one or two stretches that hold most of such words.

Among short lines a thing is named once, and pointed to exactly. In a long prompt it is named in passing, in the next
one it has grown ("a matrix with that list"), and what is meant was asked for in two or three places."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import accumulate, islice
from typing import NamedTuple

from anaphora.ports import Judgement, Line
from anaphora.types import Span
from anaphora.understanding.evidence import weighed
from anaphora.understanding.once import once
from anaphora.understanding.pointing import Spoken, is_word, spoken
from anaphora.understanding.wording import DEFINES, Stretch, content_in

__all__ = ["About", "about", "about_evidence"]

_ADDED = 6  # words with a meaning of their own that are taken over
_MUCH, _ADDED_OF_MUCH = 4.0, 8  # where about so many words seem to be meant, more of them
_ALONE = 0.1  # how likely a word must be that is told for itself
_STRETCHES = 2
_BETWEEN = 4  # words and marks between two that are told together
_WORTH = 0.05  # how likely a word is at least to be taken over for its own sake
_IDLE = 0.005  # what a word that tells nothing new counts against a stretch
_TORN = 0.06  # and what it counts against one that the next word belongs to
_FURTHER = 0.15  # what a second stretch must be worth
_BEGIN = 12  # words that a stretch may begin with
_PLACES = 4  # of such a word, the newest
_LONGEST = 20  # words and marks of a stretch
_OPENING = 30  # words and marks of what was asked that may be meant
_READ = 4_000  # characters of a line that are looked at
_ROUNDING = 1e-9  # what sums of the same numbers in another order may differ by


class _Told(NamedTuple):
    """A word that is pointed to, or belongs to what was asked for."""

    word: str
    line: int
    at: int  # which of the line's words and marks it is
    pointed: float
    asked: bool


class _Found(NamedTuple):
    worth: float
    line: int
    span: Span
    new: frozenset[str]


@dataclass(frozen=True, slots=True)
class About:
    """How likely each word of what was said before belongs to what a message is about."""

    _text: str
    _lines: Sequence[Line]
    _told: Sequence[_Told]
    _likely: Mapping[str, float]

    def stretches(self) -> list[Stretch]:
        """The stretches that say most of what the message leaves out, the most telling first. The score of each is the
        share of what may be meant that it says together with those before it."""
        known = content_in(self._text)
        found: list[Stretch] = []
        room, held, total = _ADDED, 0.0, sum(self._likely.values())
        while room and len(found) < _STRETCHES:
            best = _best_stretch(self._told, self._lines, self._likely, known, room)
            if best is None or (found and best.worth < _FURTHER):
                break
            held += sum(self._likely.get(word, 0.0) for word in best.new)
            said = self._lines[best.line].text[slice(*best.span)]
            found.append(Stretch(best.line, best.span, said, round(held / total, 4)))
            known, room = known | best.new, room - len(best.new)
        return found

    def in_words(self, beside: AbstractSet[str], least: float) -> str:
        """The likeliest words that are not said already, in the phrases in which they were said: where no stretch holds
        all of what is meant, its words tell more than half a sentence. None is less likely than `least`."""
        said = content_in(self._text)
        most = _ADDED_OF_MUCH if sum(self._likely.values()) >= _MUCH else _ADDED
        room = max(0, most - len(beside - said))
        open_to = [word for word, chance in self._likely.items() if chance >= least and word not in said | beside]
        left = set(sorted(open_to, key=self._likely.__getitem__, reverse=True)[:room])
        runs = list(_runs(self._told, self._lines, left, said))
        found: list[str] = []
        while left:
            run = max(
                runs, key=lambda run: (math.fsum(self._likely[word] for word in {o.word for o in run} & left), run[0])
            )
            inside = [one for one in run if one.word in left]
            words = spoken(self._lines[run[0].line].text)[1]
            start, end = words[inside[0].at].span[0], words[inside[-1].at].span[1]
            left -= {one.word for one in inside}
            phrase = " ".join(self._lines[run[0].line].text[start:end].split())
            idle = phrase.isdigit() or (len(inside) == 1 and self._likely[inside[0].word] < _ALONE)
            found += [] if found and idle else [phrase]
        return ", ".join(found)


def about(text: str, judged: Judgement, lines: Sequence[Line], weights: Mapping[str, float]) -> About:
    """What the message leaves out."""
    lines = _beginnings(lines)
    told = list(_told(judged, lines))
    likely = {word: weighed(one, weights) for word, one in _evidence(text, told, lines).items()}
    return About(text, lines, told, likely)


def about_evidence(text: str, judged: Judgement, lines: Sequence[Line]) -> dict[str, dict[str, float]]:
    """For each word that is pointed to, or was asked for, what speaks for its being meant."""
    lines = _beginnings(lines)
    return _evidence(text, list(_told(judged, lines)), lines)


def _beginnings(lines: Sequence[Line]) -> list[Line]:
    """Of what was pasted the beginning."""
    return [line if len(line.text) <= _READ else replace(line, text=line.text[:_READ]) for line in lines]


def _told(judged: Judgement, lines: Sequence[Line]) -> Iterator[_Told]:
    pointed: list[dict[Span, float]] = [{} for _ in lines]
    for gap in judged.gaps:
        for one in gap.words:
            if one.span[1] > len(lines[one.line].text):
                continue
            strength = one.probability * (0.3 + 0.7 * gap.probability)
            there = pointed[one.line]
            if strength > there.get(one.span, 0.0):
                there[one.span] = strength
    for number, (line, strengths) in enumerate(zip(lines, pointed, strict=True)):
        if not strengths and not line.request:
            continue
        starts, words = spoken(line.text)
        asked = range(*(bisect_left(starts, place) for place in line.request or (0, 0)))
        opening = range(_OPENING if line.request else 0)[: len(words)]
        at_words = {place for start, _ in strengths if (place := bisect_left(starts, start)) < len(words)}
        for at in sorted(at_words.union(opening, asked)):
            span, idle, word = words[at]
            if not idle:
                yield _Told(word, number, at, strengths.get(span, 0.0), at in asked)


def _evidence(text: str, told: Sequence[_Told], lines: Sequence[Line]) -> dict[str, dict[str, float]]:
    said = content_in(text)
    asked = [n for n, line in enumerate(lines) if line.mine and line.request]
    stood = [n for n in asked if lines[n].whole]
    last, newest, oldest = (next(iter(some), None) for some in (asked[::-1], stood[::-1], stood))
    made = _made(lines)
    surest = max((one.pointed for one in told), default=0.0)
    found: dict[str, dict[str, float]] = {}
    for before, one, after in zip([None, *told], told, [*told[1:], None], strict=False):
        if one.word in said:
            continue
        known = found.get(one.word)
        if known is None:
            known = found[one.word] = dict.fromkeys(_NOTHING, 0.0)
        known["pointed"] = max(known["pointed"], one.pointed)
        known["beside"] = max(known["beside"], _pointed(before, one.line) + _pointed(after, one.line))
        if one.asked:
            known["asked"] += 1
            for name, number in (("last", last), ("stood", newest), ("opened", oldest)):
                if one.line == number:
                    known[name] = 1.0
    newest_first = [(n, content_in(line.text), line.mine) for n, line in enumerate(reversed(lines), 1)]
    for word, known in found.items():
        back = [(n, mine) for n, words, mine in newest_first if word in words]
        mine = [n for n, mine in back if mine]
        known["surely"] = math.log(known["pointed"] + 0.02)
        known["of_surest"] = known["pointed"] / (surest + 0.05)
        known["back"] = math.log1p(back[0][0] if back else len(lines))
        known["back_mine"] = math.log1p(mine[0] if mine else len(lines))
        known["lines"] = math.log1p(len(back))
        known["lines_mine"] = math.log1p(len(mine))
        known["name"] = float("_" in word)
        known["made"] = float(word == made)
        known["choice"] = math.log1p(len(found))
    return found


_NOTHING = ("pointed", "beside", "asked", "last", "stood", "opened")


def _pointed(one: _Told | None, line: int) -> float:
    """How surely a neighbour is pointed to, if it is of the same line."""
    return one.pointed / 2 if one is not None and one.line == line else 0.0


def _made(lines: Sequence[Line]) -> str | None:
    """The name of the function or class that was defined last."""
    return next((name for line in reversed(lines) if (name := _defined(line.text)) is not None), None)


@once
def _defined(text: str) -> str | None:
    defined = DEFINES.search(text)
    return None if defined is None else defined[2].lower()


def _runs(
    told: Sequence[_Told], lines: Sequence[Line], wanted: AbstractSet[str], said: AbstractSet[str]
) -> Iterator[list[_Told]]:
    """The words that are wanted, those together between which nothing else is told."""
    run: list[_Told] = []
    for one in told:
        if one.word not in wanted:
            continue
        if run and not (run[-1].line == one.line and _is_held(lines[one.line].text, run[-1].at, one.at, said)):
            yield run
            run = []
        run.append(one)
    if run:
        yield run


def _is_held(text: str, first: int, last: int, said: AbstractSet[str]) -> bool:
    """Whether only small words, words of the message itself, or marks within a word stand between two words."""
    between = spoken(text)[1][first + 1 : last]
    return len(between) <= _BETWEEN and all(
        (text[a - 1 : b + 1].split() == [text[a - 1 : b + 1]] if not is_word(word) else idle or word in said)
        for (a, b), idle, word in between
    )


_END = Spoken((0, 0), True, "")


def _best_stretch(
    told: Sequence[_Told],
    lines: Sequence[Line],
    likely: Mapping[str, float],
    known: AbstractSet[str],
    room: int,
) -> _Found | None:
    """Of the stretches that begin with one of the likeliest words that which is worth most."""
    open_to = [word for word, chance in likely.items() if chance >= _WORTH and word not in known]
    left = dict.fromkeys(sorted(open_to, key=likely.__getitem__, reverse=True)[:_BEGIN], _PLACES)
    gains = {word: likely[word] - _WORTH for word in open_to}
    best: _Found | None = None
    at_most: dict[int, list[float]] = {}
    for one in reversed(told):
        if not left.get(one.word):
            continue
        left[one.word] -= 1
        words = spoken(lines[one.line].text)[1]
        if one.line not in at_most:
            at_most[one.line] = list(accumulate((gains.get(word, 0.0) for _, _, word in words), initial=0.0))
        sums = at_most[one.line]
        if best is None or sums[min(one.at + _LONGEST, len(words))] - sums[one.at] >= best.worth - _ROUNDING:
            found = _stretch(one.line, words[one.at : one.at + _LONGEST], likely, known, room)
            best = found if found is not None and (best is None or found > best) else best
    return best


def _stretch(
    line: int, words: Sequence[Spoken], likely: Mapping[str, float], known: AbstractSet[str], room: int
) -> _Found | None:
    """The beginning of the words that is worth most, with at most so many new ones."""
    new: dict[str, None] = {}  # in the order in which they come
    worth, best, end, held = 0.0, 0.0, 0, 0
    for (span, idle, word), (_, ends, _) in zip(words, [*words[1:], _END], strict=True):
        if idle or word in known:
            worth -= _IDLE
            continue
        if word not in new:
            new[word] = None
            worth += likely.get(word, 0.0) - _WORTH
        if len(new) > room:
            break
        told_here = worth if ends else worth - _TORN
        if told_here > best:
            best, end, held = told_here, span[1], len(new)
    return _Found(best, line, (words[0].span[0], end), frozenset(islice(new, held))) if best > 0 else None
