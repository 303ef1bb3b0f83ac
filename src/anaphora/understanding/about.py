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
from functools import lru_cache
from itertools import accumulate, islice, repeat
from typing import NamedTuple

from anaphora.function_words import AUXILIARIES, DETERMINERS, PREPOSITIONS, SUBJECTS, word_set
from anaphora.ports import Judgement, Line
from anaphora.types import Span
from anaphora.understanding.evidence import weighed
from anaphora.understanding.once import once, when_forgotten
from anaphora.understanding.patterns import expression
from anaphora.understanding.pointing import Spoken, is_word, spoken
from anaphora.understanding.replaced import in_its_place
from anaphora.understanding.wording import DEFINES, Stretch, aside, content_in

__all__ = ["About", "about", "about_evidence"]

_ADDED = 6  # words with a meaning of their own that are taken over
_MUCH, _ADDED_OF_MUCH = 4.0, 8  # where about so many words seem to be meant, more of them; among long lines
_LATELY, _LONG = 6, 130  # so many lines, and of how many characters in the mean
_TOLD_IN_BRACKETS = 0.05  # how likely a word is that is told in brackets
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
_WORDS = expression(r"[A-Za-z0-9_]+")
_HOLDS = (
    PREPOSITIONS | DETERMINERS | AUXILIARIES | SUBJECTS | word_set("and or but not if that which who what how to it")
)
_IN_CODE = expression(r"\b(def|class|function)\s+([A-Za-z_]\w{2,})\s*[(:]")  # and not "a function that returns"
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

    def told(self, wording: str, least: float) -> str:
        """A wording with the likeliest words in its brackets; behind one that stands in the place of a word only those
        that are as likely as `least`, so that they are worth it."""
        lead, aloud, _ = wording.partition("(")
        if lead.strip() or not aloud:
            more = aside(self.in_words(wording, least))
            return f"{wording} ({more})" if more else wording
        words = aside(self.in_words("", _TOLD_IN_BRACKETS))
        return f"{lead}({words})" if words else wording

    def in_words(self, beside: str, least: float) -> str:
        """The likeliest words that are not said already, in the phrases in which they were said: where no stretch holds
        all of what is meant, its words tell more than half a sentence. None is less likely than `least`; together with
        what stands `beside` them they are few enough to be read."""
        said = content_in(self._text)
        much = sum(self._likely.values()) >= _MUCH and _is_told_at_length(self._lines)
        most = _ADDED_OF_MUCH if much else _ADDED
        room, known = max(0, most - len(content_in(beside) - said)), said | content_in(beside)
        open_to = [word for word, chance in self._likely.items() if chance >= least and word not in known]
        left = set(sorted(open_to, key=self._likely.__getitem__, reverse=True)[:room])
        runs: dict[frozenset[str], list[_Told]] = {}  # of those of the same words only one can be told
        for run in _runs(self._told, self._lines, left, said):
            words = frozenset([one.word for one in run])
            runs[words] = max(run, runs.get(words, run))
        found: list[str] = []
        kinds = _defined_in(self._lines)
        read = _to_be_read(beside) - _to_be_read(self._text)
        while left:
            worth = {words: math.fsum([self._likely[word] for word in words & left]) for words in runs}
            run = runs[max(runs, key=lambda words: (worth[words], runs[words][0]))]
            inside = [one for one in run if one.word in left]
            text = self._lines[run[0].line].text
            spans = spoken(text).spans
            start, end = spans[inside[0].at][0], spans[inside[-1].at][1]
            left -= {one.word for one in inside}
            phrase = _as_thing(" ".join(text[start:end].split()), kinds, said)
            one = Stretch(run[0].line, (start, end), phrase, 0.0)
            idle = phrase.isdigit() or (len(inside) == 1 and self._likely[inside[0].word] < _ALONE)
            if in_its_place(one, self._lines) is not one:  # something else stands there now
                continue
            more = read | (_to_be_read(phrase) - _to_be_read(self._text))
            if not found or not (idle or len(more) > most):
                found.append(phrase)
                read = more
        return ", ".join(found)


def about(text: str, judged: Judgement, lines: Sequence[Line], weights: Mapping[str, float]) -> About:
    """What the message leaves out."""
    lines = _beginnings(lines)
    told = _told(judged, lines)
    likely = {word: weighed(one, weights) for word, one in _evidence(text, told, lines).items()}
    return About(text, lines, told, likely)


def about_evidence(text: str, judged: Judgement, lines: Sequence[Line]) -> dict[str, dict[str, float]]:
    """For each word that is pointed to, or was asked for, what speaks for its being meant."""
    lines = _beginnings(lines)
    return _evidence(text, _told(judged, lines), lines)


def _is_told_at_length(lines: Sequence[Line]) -> bool:
    """Whether people say much at a time, so that what they mean is much too, or nobody answers what they ask for."""
    lately = lines[-_LATELY:]
    return all(line.mine for line in lines) or sum(len(line.text) for line in lately) >= _LONG * len(lately)


def _to_be_read(text: str) -> frozenset[str]:
    """The words that someone who reads them takes in: all but those that only hold a sentence together."""
    return frozenset([low for word in _WORDS.findall(text) if (low := word.lower()) not in _HOLDS])


def _beginnings(lines: Sequence[Line]) -> list[Line]:
    """Of what was pasted the beginning."""
    return [line if len(line.text) <= _READ else replace(line, text=line.text[:_READ]) for line in lines]


def _told(judged: Judgement, lines: Sequence[Line]) -> list[_Told]:
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
    told: list[_Told] = []
    for number, (line, strengths) in enumerate(zip(lines, pointed, strict=True)):
        if not strengths and not line.request:
            continue
        starts, spans, idle, words = spoken(line.text)
        asked, places = _asked_for(line.text, line.request) if line.request else (range(0), [])
        if strengths:
            at_words = {place for start, _ in strengths if (place := bisect_left(starts, start)) < len(words)}
            places = sorted({*places, *(place for place in at_words if not idle[place])})
        told += [_Told(words[at], number, at, strengths.get(spans[at], 0.0), at in asked) for at in places]
    return told


@lru_cache(256)
def _asked_for(text: str, request: Span) -> tuple[range, list[int]]:
    """Which words are the request, and those with a meaning of their own of it and of what the text opens with: the
    same for every message that comes after it."""
    said = spoken(text)
    asked = range(*(bisect_left(said.starts, place) for place in request))
    opening = range(len(said.words))[:_OPENING]
    return asked, [place for place in sorted({*opening, *asked}) if not said.idle[place]]


when_forgotten(_asked_for.cache_clear)


def _evidence(text: str, told: Sequence[_Told], lines: Sequence[Line]) -> dict[str, dict[str, float]]:
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
    made = _made(lines)
    surest = max([one.pointed for one in told], default=0.0)
    choice = math.log1p(len(found))
    back, back_mine = _lines_back(frozenset(found), lines)
    for word, known in found.items():
        known["surely"] = math.log(known["pointed"] + 0.02)
        known["of_surest"] = known["pointed"] / (surest + 0.05)
        known["back"] = math.log1p(back[word][0] if back[word] else len(lines))
        known["back_mine"] = math.log1p(back_mine[word][0] if back_mine[word] else len(lines))
        known["lines"] = math.log1p(len(back[word]))
        known["lines_mine"] = math.log1p(len(back_mine[word]))
        known["name"] = float("_" in word)
        known["made"] = float(word == made)
        known["choice"] = choice
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


def _beside(told: Sequence[_Told]) -> list[float]:
    """How surely the neighbours of each word are pointed to, if they are of the same line."""
    found = [0.0] * len(told)
    for at, one in enumerate(told):
        if one.pointed:
            for near in (at - 1, at + 1):
                if 0 <= near < len(told) and told[near].line == one.line:
                    found[near] += one.pointed / 2
    return found


def _lines_back(words: frozenset[str], lines: Sequence[Line]) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    """How many lines back each word was said, the newest first, and how many it was said by the speaker."""
    found: dict[str, list[int]] = {word: [] for word in words}
    mine: dict[str, list[int]] = {word: [] for word in words}
    for back, line in enumerate(reversed(lines), 1):
        for word in content_in(line.text) & words:
            found[word].append(back)
            if line.mine:
                mine[word].append(back)
    return found, mine


def _made(lines: Sequence[Line]) -> str | None:
    """The name of the function or class that was defined last."""
    return next((name for line in reversed(lines) if (name := _defined(line.text)) is not None), None)


@once
def _defined(text: str) -> str | None:
    defined = DEFINES.search(text)
    return None if defined is None else defined[2].lower()


def _defined_in(lines: Sequence[Line]) -> dict[str, str]:
    """What was defined in code, by its name: a function or a class."""
    return {name: kind for line in lines for name, kind in _definitions(line.text)}


@once
def _definitions(text: str) -> tuple[tuple[str, str], ...]:
    return tuple((found[2], "class" if found[1] == "class" else "function") for found in _IN_CODE.finditer(text))


def _as_thing(phrase: str, kinds: Mapping[str, str], said: AbstractSet[str]) -> str:
    """What is defined in code as someone speaks of it: "def is_prime(n)" is the is_prime function."""
    defined = DEFINES.match(phrase)
    name = defined[2] if defined is not None else phrase
    kind = kinds.get(name)
    if kind is None:
        return phrase
    return name if kind in said else f"the {name} {kind}"


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
    if last - first - 1 > _BETWEEN:
        return False
    _, spans, idle, words = spoken(text)
    for at in range(first + 1, last):
        start, end = spans[at]
        if is_word(words[at]):
            if not (idle[at] or words[at] in said):
                return False
        elif text[start - 1 : end + 1].split() != [text[start - 1 : end + 1]]:
            return False
    return True


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
    sums: dict[int, list[float]] = {}
    begun: list[tuple[float, _Told]] = []  # with what it is worth at most
    for one in reversed(told):
        if not left.get(one.word):
            continue
        left[one.word] -= 1
        if one.line not in sums:
            words = spoken(lines[one.line].text).words
            sums[one.line] = list(accumulate(map(gains.get, words, repeat(0.0)), initial=0.0))
        until = sums[one.line][one.at : one.at + _LONGEST + 1]
        begun.append((until[-1] - until[0], one))
    best: _Found | None = None
    for at_most, one in sorted(begun, reverse=True):
        if best is not None and at_most < best.worth - _ROUNDING:
            break
        found = _stretch(one, spoken(lines[one.line].text), likely, known, room)
        best = found if found is not None and (best is None or found > best) else best
    return best


def _stretch(
    first: _Told, said: Spoken, likely: Mapping[str, float], known: AbstractSet[str], room: int
) -> _Found | None:
    """The beginning of the words from the first on that is worth most, with at most so many new ones."""
    new: dict[str, None] = {}  # in the order in which they come
    worth, best, end, held = 0.0, 0.0, 0, 0
    last = min(first.at + _LONGEST, len(said.words)) - 1
    for at in range(first.at, last + 1):
        word = said.words[at]
        if said.idle[at] or word in known:
            worth -= _IDLE
            continue
        if word not in new:
            new[word] = None
            worth += likely.get(word, 0.0) - _WORTH
        if len(new) > room:
            break
        told_here = worth if at == last or said.idle[at + 1] else worth - _TORN
        if told_here > best:
            best, end, held = told_here, said.spans[at][1], len(new)
    start = said.spans[first.at][0]
    return _Found(best, first.line, (start, end), frozenset(islice(new, held))) if best > 0 else None
