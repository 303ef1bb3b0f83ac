"""What a message is about, where people say much at a time: how likely each word of earlier messages belongs to it, and
the one or two stretches that hold most of such words.

Among short lines a thing is named once, and pointed to exactly. In a long prompt it is named in passing, in the next
one it has grown ("a matrix with that list"), and what is meant was asked for in two or three places."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import accumulate, islice, repeat
from typing import NamedTuple

from anaphora.function_words import AUXILIARIES, DETERMINERS, PREPOSITIONS, SUBJECTS, word_set
from anaphora.ports import Judgement, Line
from anaphora.types import Span
from anaphora.understanding.evidence import weighed
from anaphora.understanding.lexicon import begins_order
from anaphora.understanding.likely_words import Told, beginnings, told_before, word_evidence
from anaphora.understanding.once import once
from anaphora.understanding.patterns import expression
from anaphora.understanding.pointing import Spoken, is_word, spoken
from anaphora.understanding.replaced import in_its_place
from anaphora.understanding.wording import Stretch, aside, content_in

__all__ = ["About", "about"]

_ADDED = 6  # words with a meaning of their own that are taken over, or read
_MOST, _SURELY = 10, 0.6  # and up to so many, where more are as surely meant
_LIKELIEST = 20  # words that are looked at for what is told in brackets
_NAMED = 0.5  # how likely a name is that stands in the place of a word
_TOLD_IN_BRACKETS = 0.05  # how likely a word is that is told in brackets
_STRETCHES = 2
_BETWEEN = 6  # words and marks between two that are told together
_WORTH = 0.05  # how likely a word is at least to be taken over for its own sake
_IDLE = 0.005  # what a word that tells nothing new counts against a stretch
_TORN = 0.06  # and what it counts against one that the next word belongs to
_FURTHER = 0.15  # what a second stretch must be worth
_BEGIN = 12  # words that a stretch may begin with
_PLACES = 4  # of such a word, the newest
_LONGEST = 20  # words and marks of a stretch
_WORDS = expression(r"[A-Za-z0-9_]+")
_HOLDS = (
    (PREPOSITIONS | DETERMINERS | AUXILIARIES | SUBJECTS)
    - word_set("one another across inside instead like near need needs outside per via")
) | word_set(
    "and or but not if that which who what how when where while why because so such same other more most few own once "
    "again also too just only very now then here there up down out off to it them"
)
_IN_CODE = expression(  # and not "a function that returns", "the function signature:" or "a class hierarchy (UML)"
    r"\b(?:(?:def|function|func|fn)\s+(?P<function>[A-Za-z_]\w{2,})(?:[(<]| \()"
    r"|class\s+(?P<class>[A-Za-z_]\w{2,}(?=[(<{]| \{)|[A-Z]\w{2,}(?=\s*:\s*$| (?:extends|implements) )))",
    re.MULTILINE,
)
_BEFORE_ORDER = expression(
    r"(?:^|[\n.,;:!?]|\b(?:and|then|to|please|now|also|just|can you|could you|let['’]?s|i|we|must|should))\s*\Z",
    re.IGNORECASE,
)
_WITH_VERB = expression(r" (?:is|are|have|will|would)\Z")
_NEAR = 12  # characters before an order
_ROUNDING = 1e-9  # what sums of the same numbers in another order may differ by


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
    _told: Sequence[Told]
    _likely: Mapping[str, float]

    def stretches(self) -> list[Stretch]:
        """The stretches that say most of what the message leaves out, the most telling first. The score of each is the
        share of what can be told that it says together with those before it."""
        known = content_in(self._text)
        found: list[Stretch] = []
        room, held = _ADDED, 0.0
        total = sum(sorted(self._likely.values(), reverse=True)[:_ADDED])  # as much as can be told
        while room and len(found) < _STRETCHES:
            best = _best_stretch(self._told, self._lines, self._likely, known, room)
            if best is None or (found and best.worth < _FURTHER):
                break
            held += sum(self._likely.get(word, 0.0) for word in best.new)
            said = self._lines[best.line].text[slice(*best.span)]
            found.append(Stretch(best.line, best.span, said, round(min(1.0, held / total), 4)))
            known, room = known | best.new, room - len(best.new)
        return found

    def named(self) -> Stretch | None:
        """The function or class that is likeliest meant, by its name, if that is likely enough: it says more than half
        a sentence of what it is for."""
        defined = [
            (self._likely.get(one.name.lower(), 0.0), number, one)
            for number, line in enumerate(self._lines)
            for one in _definitions(line.text)
        ]
        chance, line, one = max(defined, default=(0.0, 0, None))
        return None if one is None or chance < _NAMED else Stretch(line, one.span, one.spoken, round(chance, 4))

    def told(self, wording: str, least: float, elsewhere: str = "") -> str:
        """A wording with the likeliest words in its brackets; behind one that stands in the place of a word only those
        that are as likely as `least`, so that they are worth it. What is told `elsewhere` in the message is known."""
        lead, aloud, _ = wording.partition("(")
        if lead.strip() or not aloud:
            if wording.endswith(("'s", "’s", "s'")):  # no brackets stand between a thing and what it has
                return wording
            more = aside(self.in_words(f"{wording} {elsewhere}", least))
            thing = _WITH_VERB.sub("", wording)  # of "it's"
            return f"{thing} ({more}){wording[len(thing) :]}" if more else wording
        words = aside(self.in_words("", _TOLD_IN_BRACKETS))
        return f"{lead}({words})" if words else wording

    def in_words(self, beside: str, least: float) -> str:
        """The likeliest words that are not said already, in the phrases in which they were said: where no stretch holds
        all of what is meant, its words tell more than half a sentence. None is less likely than `least`; together with
        what stands `beside` them they are few enough to be read."""
        said = content_in(self._text)
        known = said | content_in(beside)
        open_to = [word for word, chance in self._likely.items() if chance >= least and word not in known]
        likeliest = sorted(open_to, key=self._likely.__getitem__, reverse=True)[:_LIKELIEST]
        sure = sum(chance >= _SURELY for chance in self._likely.values())
        most = max(_ADDED, min(sure, _MOST))
        found = _Phrases(_to_be_read(beside) - _to_be_read(self._text), _to_be_read(self._text), most)
        room = max(0, most - len(content_in(beside) - said))
        while likeliest and room > 0:
            self._tell_all(set(likeliest[:room]), said, found)
            likeliest, room = likeliest[room:], found.room()  # not every word can be told
        return ", ".join(found.told)

    def _tell_all(self, left: set[str], said: AbstractSet[str], found: _Phrases) -> None:
        """Tell these words, those that are worth most together first."""
        left = left - self._named(left, found)
        runs = {frozenset([one.word for one in run]): run for run in _runs(self._told, self._lines, left, said)}
        while left:
            worth = {words: self._worth(words & left) for words in runs}
            run = runs[max(runs, key=lambda words: (worth[words], runs[words][0]))]
            inside = [one for one in run if one.word in left]
            left -= self._tell(inside, found) or {one.word for one in inside}

    def _named(self, left: AbstractSet[str], found: _Phrases) -> frozenset[str]:
        """What was defined in code is told as someone speaks of it; the words that are told with that."""
        words: set[str] = set()
        defined = {one.name: one for line in self._lines for one in _definitions(line.text)}
        for name, one in defined.items():
            low = name.lower()
            if low in left and low not in words and found.take(name if one.kind in found.said else one.spoken):
                words |= {low, one.kind}
        return frozenset(words)

    def _tell(self, run: Sequence[Told], found: _Phrases) -> frozenset[str]:
        """Tell the words of a run in the phrase in which they were said, or in the likeliest part of it that there is
        room for; which words that told."""
        text = self._lines[run[0].line].text
        spans = spoken(text).spans
        parts = [run[a:b] for a in range(len(run)) for b in range(a + 1, len(run) + 1)]
        for part in sorted(parts, key=lambda part: (-self._worth({one.word for one in part}), len(part))):
            start, end = spans[part[0].at][0], spans[part[-1].at][1]
            phrase = " ".join(text[start:end].split())
            one = Stretch(run[0].line, (start, end), phrase, 0.0)
            alone = len(part) == 1 and not found.told and begins_order(part[0].word)  # "the slider (pick)"
            if found.read and (phrase.isdigit() or alone):
                continue
            if in_its_place(one, self._lines) is not one:
                continue  # something else stands there now
            if found.take(f"to {phrase}" if found.read and _is_ordered(text, start, part[0].word) else phrase):
                return frozenset([one.word for one in part])
        return frozenset()

    def _worth(self, words: AbstractSet[str]) -> float:
        return math.fsum([self._likely[word] for word in words])


@dataclass(slots=True)
class _Phrases:
    """What is told, and the words in it that are read; few enough beside what the message itself says."""

    read: frozenset[str]
    said: frozenset[str]
    most: int
    told: list[str] = field(default_factory=list)

    def take(self, phrase: str) -> bool:
        """Tell it, if there is room for it."""
        more = self.read | (_to_be_read(phrase) - self.said)
        if len(more) > self.most or more == self.read:
            return False
        self.told.append(phrase)
        self.read = more
        return True

    def room(self) -> int:
        """How many words more can be read."""
        return self.most - len(self.read)


def about(text: str, judged: Judgement, lines: Sequence[Line], weights: Mapping[str, float]) -> About:
    """What the message leaves out."""
    lines = beginnings(lines)
    told = told_before(judged, lines)
    likely = {word: weighed(one, weights) for word, one in word_evidence(text, told, lines).items()}
    return About(text, lines, told, likely)


def _to_be_read(text: str) -> frozenset[str]:
    """The words that someone who reads them takes in: all but those that only hold a sentence together."""
    return frozenset([low for word in _WORDS.findall(text) if (low := word.lower()) not in _HOLDS])


def _is_ordered(text: str, at: int, word: str) -> bool:
    """Whether what stands there tells what to do, and is no thing: "order" in "for order in orders"."""
    return begins_order(word) and _BEFORE_ORDER.search(text, max(0, at - _NEAR), at) is not None


class _Defined(NamedTuple):
    """A function or a class that a piece of code defines, and where its name stands."""

    name: str
    kind: str
    span: Span

    @property
    def spoken(self) -> str:
        """As someone speaks of it."""
        return f"the {self.name} {self.kind}"


@once
def _definitions(text: str) -> tuple[_Defined, ...]:
    found: list[_Defined] = []
    for one in _IN_CODE.finditer(text):
        kind = "class" if one["class"] else "function"
        found.append(_Defined(one[kind], kind, one.span(kind)))
    return tuple(found)


def _runs(
    told: Sequence[Told], lines: Sequence[Line], wanted: AbstractSet[str], said: AbstractSet[str]
) -> Iterator[list[Told]]:
    """The words that are wanted, those together between which nothing else is told."""
    run: list[Told] = []
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
    told: Sequence[Told],
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
    begun: list[tuple[float, Told]] = []  # with what it is worth at most
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
    first: Told, said: Spoken, likely: Mapping[str, float], known: AbstractSet[str], room: int
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
