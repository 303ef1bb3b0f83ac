"""From the numbers that the reader's network gives to a judgement: places in texts, words, probabilities."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from anaphora.models.pieces import Pieces
from anaphora.ports import Gap, Judgement, Line, Pointed
from anaphora.types import EntityKind, Span

__all__ = [
    "DISTANCES",
    "INTENTS",
    "KINDS",
    "LINKS",
    "MARKS",
    "ROOM",
    "Outputs",
    "Seen",
    "chosen_lines",
    "judgement",
    "marks_of",
    "words_in",
]

Numbers = NDArray[np.float32]

INTENTS = ("PLAN", "EXECUTE", "CORRECT", "TEST", "ASK", "RESUME", "CLOSE")
LINKS = ("", "of", "in", "for", "about", "to", "from", "with", "at", "on", "'s")
KINDS: tuple[EntityKind | Literal["other"], ...] = ("file", "function", "technology", "person", "concept", "other")
DISTANCES = 10  # messages back that are told apart
MARKS = 4
ROOM = 288  # pieces of context that are looked at
_MOST_GAPS = 5
_FAR_FROM = -4.0  # where no piece of a line has a higher logit, it is not meant
_LEAST = 0.08  # probability of a gap that is told at all
_LEAST_OF_WORD = 0.06  # and of a word that it points to
_WORK, _TALK, _NEEDS = 0, 1, 2  # places in the judgements; the intents follow


@dataclass(frozen=True, slots=True)
class Seen:
    """A line that was looked at: its number, its pieces, the places of its words, and at which piece each begins."""

    number: int
    line: Line
    pieces: Pieces
    words: tuple[Span, ...]
    begins: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outputs:
    """What the network says of one message: [3 + intents], [pieces, …] and [pieces, pieces of the context]."""

    judged: Numbers
    edits: Numbers
    entities: Numbers
    pointers: Numbers


def chosen_lines(lengths: Sequence[int]) -> int:
    """How many of the last lines fit the room."""
    total = 0
    for count, length in enumerate(reversed(lengths)):
        total += length
        if total > ROOM:
            return count
    return len(lengths)


def marks_of(pieces: Pieces, lines: Sequence[tuple[Line, Pieces]]) -> Numbers:
    """For each piece of the context: whether the message says it itself, in how many messages it was said, whether it
    belongs to what the speaker asked for, and whether that is the last thing asked for."""
    own = set(pieces.ids)
    spread = Counter(one for _, line in lines for one in frozenset(line.ids))
    last = max((n for n, (line, _) in enumerate(lines) if line.mine), default=-1)
    rows = []
    for number, (line, cut) in enumerate(lines):
        start, end = line.request if line.mine and line.request else (0, 0)
        for one, span in zip(cut.ids, cut.spans, strict=True):
            asked = span[0] < end and span[1] > start
            rows.append((one in own, math.log(spread[one]), asked, asked and number == last))
    return np.array(rows, np.float32).reshape(-1, MARKS)


def words_in(text: str, pieces: Pieces) -> tuple[tuple[Span, ...], tuple[int, ...]]:
    """The words that the pieces are of, and at which piece each begins."""
    words: list[Span] = []
    begins: list[int] = []
    for i in range(1, len(pieces) - 1):
        if not words or pieces.spans[i][0] >= words[-1][1] or pieces.spans[i][0] < words[-1][0]:
            words.append(_whole_words(text, pieces.spans[i]))
            begins.append(i)
    return tuple(words), tuple(begins)


def judgement(text: str, pieces: Pieces, lines: Sequence[Seen], outputs: Outputs, *, talk: bool) -> Judgement:
    """`lines` are those that were looked at, in the order of the pointers' columns."""
    judged = outputs.judged
    intents = _softmax(judged[3:])
    return Judgement(
        new=float(_sigmoid(judged[_TALK if talk else _WORK])),
        needs=float(_sigmoid(judged[_NEEDS])),
        intents={name: round(float(p), 4) for name, p in zip(INTENTS, intents, strict=True)},
        gaps=tuple(_gaps(text, pieces, lines, outputs)),
        entities=tuple(_entities(text, pieces, outputs.entities)),
    )


# --- gaps ---------------------------------------------------------------------------------------------------------


def _gaps(text: str, pieces: Pieces, lines: Sequence[Seen], outputs: Outputs) -> list[Gap]:
    if not lines:
        return []
    tags = _softmax(outputs.edits[:, :3])
    inserts = _sigmoid(outputs.edits[:, 3])
    links = outputs.edits[:, 4:]
    last = len(pieces) - 1
    found: list[tuple[float, int, Span]] = []
    for i in range(1, last):
        if tags[i, 1] >= _LEAST:
            end = i + 1
            while end < last and tags[end, 2] > max(tags[end, 0], tags[end, 1]):
                end += 1
            span = _whole_words(text, (pieces.spans[i][0], pieces.spans[end - 1][1]))
            found.append((float(tags[i, 1]), i, span))
    for i in range(1, last + 1):
        if inserts[i] >= _LEAST:
            at = len(text.rstrip()) if i == last else _whole_words(text, pieces.spans[i])[0]
            found.append((float(inserts[i]), i, (at, at)))
    found.sort(key=lambda one: -one[0])
    return [
        Gap(span, round(p, 4), LINKS[int(links[i].argmax())], _words(outputs.pointers[i], lines))
        for p, i, span in found[:_MOST_GAPS]
    ]


def _words(pointers: Numbers, lines: Sequence[Seen]) -> tuple[Pointed, ...]:
    """The words of the context that a gap points to; a word's logit is the mean of its pieces'."""
    found = []
    at = 0
    for seen in lines:
        logits = pointers[at : at + len(seen.pieces) - 1]  # without the mark at the end
        at += len(seen.pieces)
        if not seen.words or float(logits.max()) < _FAR_FROM:
            continue
        sums = np.add.reduceat(logits, seen.begins)
        likely = _sigmoid(sums / np.diff([*seen.begins, len(logits)]))
        found += [
            Pointed(seen.number, seen.words[i], round(float(likely[i]), 4))
            for i in np.flatnonzero(likely >= _LEAST_OF_WORD)
        ]
    return tuple(found)


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
    best = probabilities.argmax(1)
    found = []
    i, last = 1, len(pieces) - 1
    while i < last:
        if not best[i]:
            i += 1
            continue
        kind = (int(best[i]) - 1) // 2
        end = i + 1
        while end < last and best[end] and (int(best[end]) - 1) % 2 == 1:
            end += 1
        # a word cut in two by its pieces stays one word
        span = _whole_words(text, (pieces.spans[i][0], pieces.spans[end - 1][1]))
        while end < last and pieces.spans[end][0] < span[1]:
            end += 1
        named = KINDS[kind] if KINDS[kind] != "other" else "concept"
        found.append((span, named, round(float(probabilities[i:end].max(1).mean()), 3)))
        i = end
    return found


def _softmax(logits: Numbers) -> Numbers:
    e = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(e / e.sum(-1, keepdims=True), np.float32)


def _sigmoid(logits: Any) -> Any:
    return 1.0 / (1.0 + np.exp(-np.clip(logits, -30, 30)))
