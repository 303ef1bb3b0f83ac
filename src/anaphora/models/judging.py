"""From the numbers that the reader's network gives to a judgement: places in texts, words, probabilities."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from anaphora.function_words import FUNCTION_WORDS
from anaphora.models.pieces import Pieces
from anaphora.ports import Gap, Judgement, Line, Pointed
from anaphora.types import EntityKind, Span

__all__ = [
    "DISTANCES",
    "INTENTS",
    "KINDS",
    "LINES",
    "LINKS",
    "MARKS",
    "NEEDS",
    "ROOM",
    "Outputs",
    "Seen",
    "Words",
    "chosen_lines",
    "has_room",
    "judgement",
    "marks_of",
    "words_in",
]

Numbers = NDArray[np.float32]

INTENTS = ("PLAN", "EXECUTE", "CORRECT", "TEST", "ASK", "RESUME", "CLOSE")
LINKS = ("", "of", "in", "for", "about", "to", "from", "with", "at", "on", "'s")
KINDS: tuple[EntityKind | Literal["other"], ...] = ("file", "function", "technology", "person", "concept", "other")
DISTANCES = 10  # messages back that are told apart
LINES = 6  # of the last five messages, how alike each is, and of all
MARKS = 4
ROOM = 288  # pieces of context that are looked at
_NEAR, _ROOM_OF_MORE = 5, 224  # of more lines than these it is less
_MOST_GAPS = 5
_LEAST = 0.08  # probability of a gap that is told at all
_LEAST_OF_WORD = 0.06  # and of a word that it points to
_WORK, _TALK, NEEDS = 0, 1, 2  # places in the judgements; the intents follow
_NAMES: tuple[EntityKind, ...] = ("technology", "file", "function")  # kinds of things that have names of their own
_SURELY_A_NAME, _SURE_OF_A_CAPITAL = 0.83, 0.7
_BEFORE = 20  # characters before a stretch that say how it is spoken of
_TAKEN_UP = re.compile(
    r"\b(?:us(?:e|es|ed|ing)|install(?:s|ed|ing)?|set(?:ting)? up|via|(?:switch|migrat)(?:e|es|ed|ing)? to) $", re.I
)
_ONE_OF_MANY = re.compile(r"\b(?:an?|my|your|our|his|her|their) $", re.I)


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a message that another may take over: their places, the pieces that they are made of, and with
    which of these each begins. Words that hold a sentence together come along with those around them."""

    spans: tuple[Span, ...]
    pieces: NDArray[np.int64]
    begins: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Seen:
    """A line that was looked at: its number and its words."""

    number: int
    words: Words


@dataclass(frozen=True, slots=True)
class Outputs:
    """What the network says of one message: [3 + intents], [pieces, …] and, once asked for and for some of its pieces,
    [pieces, pieces of the context's words]; None where it points nowhere."""

    judged: Numbers
    edits: Numbers
    entities: Numbers
    pointers: Callable[[Sequence[int]], Numbers] | None


def chosen_lines(lengths: Sequence[int]) -> int:
    """How many of the last lines fit the room."""
    total = 0
    for count, length in enumerate(reversed(lengths)):
        total += length
        if not has_room(total, count + 1):
            return count
    return len(lengths)


def has_room(pieces: int, lines: int) -> bool:
    """Whether so many pieces of so many lines are looked at. Long lines fill the room; of short ones those that are
    far back are seldom meant, and looking costs the same."""
    return pieces <= (ROOM if lines <= _NEAR else _ROOM_OF_MORE)


def marks_of(pieces: Pieces, lines: Sequence[tuple[Line, Pieces, Sequence[int]]]) -> Numbers:
    """For some pieces of each line: whether the message says it itself, in how many messages it was said, whether it
    belongs to what the speaker asked for, and whether that is the last thing asked for."""
    own = set(pieces.ids)
    spread = Counter([one for _, cut, _ in lines for one in set(cut.ids)])
    last = max((n for n, (line, _, _) in enumerate(lines) if line.mine), default=-1)
    rows = np.zeros((sum(len(some) for _, _, some in lines), MARKS), np.float32)
    said = [cut.ids[i] for _, cut, some in lines for i in some]
    rows[:, 0] = [one in own for one in said]
    rows[:, 1] = np.log([spread[one] for one in said])
    at = 0
    for number, (line, cut, some) in enumerate(lines):
        if line.mine and line.request:
            start, end = line.request
            asked = [cut.spans[i][0] < end and cut.spans[i][1] > start for i in some]
            rows[at : at + len(some), 2] = asked
            if number == last:
                rows[at : at + len(some), 3] = asked
        at += len(some)
    return rows


def words_in(text: str, pieces: Pieces) -> Words:
    """The words that the pieces are of."""
    spans: list[Span] = []
    begins: list[int] = []
    taken: list[int] = []
    word, tells = (0, 0), False
    for i in range(1, len(pieces) - 1):
        if not word[0] <= pieces.spans[i][0] < word[1]:
            word = _whole_words(text, pieces.spans[i])
            tells = _letter(text[word[0]]) and text[word[0] : word[1]].lower() not in FUNCTION_WORDS
            if tells:
                spans.append(word)
                begins.append(len(taken))
        if tells:
            taken.append(i)
    return Words(tuple(spans), np.array(taken, np.int64), np.array(begins, np.int64))


def judgement(text: str, pieces: Pieces, lines: Sequence[Seen], outputs: Outputs, *, talk: bool) -> Judgement:
    """`lines` are those that were looked at, in the order of the pointers' columns."""
    judged = outputs.judged
    intents = _softmax(judged[3:])
    found = _gaps(text, pieces, outputs.edits) if lines else []
    asked_for = outputs.pointers

    def pointing(asked_for: Callable[[Sequence[int]], Numbers]) -> tuple[Gap, ...]:
        words = _words(asked_for([at for at, _ in found]), lines)
        return tuple(replace(gap, words=pointed) for pointed, (_, gap) in zip(words, found, strict=True))

    return Judgement(
        new=float(_sigmoid(judged[_TALK if talk else _WORK])),
        needs=float(_sigmoid(judged[NEEDS])),
        intents={name: round(float(p), 4) for name, p in zip(INTENTS, intents, strict=True)},
        gaps=tuple(gap for _, gap in found),
        entities=tuple(_entities(text, pieces, outputs.entities)),
        pointing=partial(pointing, asked_for) if found and asked_for is not None else None,
    )


# --- gaps ---------------------------------------------------------------------------------------------------------


def _gaps(text: str, pieces: Pieces, edits: Numbers) -> list[tuple[int, Gap]]:
    """The likeliest places that stand for something, each with the piece that says so; no words yet."""
    tags = _softmax(edits[:, :3])
    inserts = _sigmoid(edits[:, 3])
    last = len(pieces) - 1
    found: list[tuple[float, int, Span]] = []
    for i in np.flatnonzero(tags[1:last, 1] >= _LEAST) + 1:
        end = i + 1
        while end < last and tags[end, 2] > max(tags[end, 0], tags[end, 1]):
            end += 1
        span = _whole_words(text, (pieces.spans[i][0], pieces.spans[end - 1][1]))
        found.append((float(tags[i, 1]), int(i), span))
    for i in np.flatnonzero(inserts[1:] >= _LEAST) + 1:
        at = len(text.rstrip()) if i == last else _whole_words(text, pieces.spans[i])[0]
        found.append((float(inserts[i]), int(i), (at, at)))
    found.sort(key=lambda one: -one[0])
    return [(i, Gap(span, round(p, 4), LINKS[int(edits[i, 4:].argmax())], ())) for p, i, span in found[:_MOST_GAPS]]


def _words(pointers: Numbers, lines: Sequence[Seen]) -> list[tuple[Pointed, ...]]:
    """For each gap the words of the context that it points to; a word's logit is the mean of its pieces'."""
    if not pointers.size:
        return [() for _ in pointers]
    counts = [len(seen.words.pieces) for seen in lines]
    begins = np.concatenate([seen.words.begins for seen in lines])
    begins += np.repeat(np.cumsum([0, *counts[:-1]]), [len(seen.words.begins) for seen in lines])
    likely = _sigmoid(np.add.reduceat(pointers, begins, axis=1) / np.diff(begins, append=pointers.shape[1]))
    words = [(seen.number, span) for seen in lines for span in seen.words.spans]
    found: list[list[Pointed]] = [[] for _ in pointers]
    gaps, at = np.nonzero(likely >= _LEAST_OF_WORD)
    chances = likely[gaps, at].astype(np.float64).round(4)
    for gap, i, chance in zip(gaps.tolist(), at.tolist(), chances.tolist(), strict=True):
        found[gap].append(Pointed(*words[i], chance))
    return [tuple(pointed) for pointed in found]


def _whole_words(text: str, span: Span) -> Span:
    """The span, widened to the ends of its words."""
    start, end = span
    while start > 0 and _joined(text, start):
        start -= 1
    while end < len(text) and _joined(text, end):
        end += 1
    return start, end


def _joined(text: str, at: int) -> bool:
    """Whether the characters before and after a place belong to one word."""
    before, after = text[at - 1], text[at]
    if before == " " or after == " ":
        return False
    if _letter(before) and _letter(after):
        return True
    if after in "'’":
        return _letter(before) and at + 1 < len(text) and _letter(text[at + 1])
    return before in "'’" and _letter(after) and at > 1 and _letter(text[at - 2])


def _letter(character: str) -> bool:
    return character.isalnum() or character == "_"


# --- entities -----------------------------------------------------------------------------------------------------


def _entities(text: str, pieces: Pieces, logits: Numbers) -> list[tuple[Span, Any, float]]:
    """Stretches of pieces marked as one thing: outside, then begins and goes on for each kind."""
    probabilities = _softmax(logits)
    best, surest = probabilities.argmax(1).tolist(), probabilities.max(1)
    found = []
    i, last = 1, len(pieces) - 1
    while i < last:
        if not best[i]:
            i += 1
            continue
        kind = (best[i] - 1) // 2
        end = i + 1
        while end < last and best[end] and (best[end] - 1) % 2 == 1:
            end += 1
        # a word cut in two by its pieces stays one word
        span = _whole_words(text, (pieces.spans[i][0], pieces.spans[end - 1][1]))
        while end < last and pieces.spans[end][0] < span[1]:
            end += 1
        named = KINDS[kind] if KINDS[kind] != "other" else "concept"
        sure = float(np.add.reduce(surest[i:end]) / (end - i))  # the mean, several times as quick
        if named in _NAMES and _is_ordinary(named, text, span, end - i, sure):
            named = "concept"
        found.append((span, named, round(sure, 3)))
        i = end
    return found


def _is_ordinary(kind: EntityKind, text: str, span: Span, pieces: int, sure: float) -> bool:
    """Whether a stretch is words like any others, and so no name of this kind: each a word that everybody knows, since
    it is one piece, or one of many ("a lasagna"); unless it is read as a name for sure. With a capital it may be
    somebody's name, or a town's. What is used or installed may be called by any word ("use stripe")."""
    words = text[slice(*span)].split()
    before = text[max(0, span[0] - _BEFORE) : span[0]]
    small = all(word.islower() for word in words)
    if not all(word.isalpha() and (small or word.istitle()) for word in words):
        return False
    if kind != "function" and _TAKEN_UP.search(before):
        return False
    known, of_many = len(words) == pieces, _ONE_OF_MANY.search(before) is not None
    if not small:
        return known and sure < _SURE_OF_A_CAPITAL
    return (known and of_many) or ((known or of_many) and sure < _SURELY_A_NAME)


def _softmax(logits: Numbers) -> Numbers:
    e = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(e / e.sum(-1, keepdims=True), np.float32)


def _sigmoid(logits: Any) -> Any:
    return 1.0 / (1.0 + np.exp(-np.minimum(np.maximum(logits, -30), 30)))  # several times as quick as np.clip
