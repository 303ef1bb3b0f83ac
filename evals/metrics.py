"""The metrics, as the data folder's README defines them: pure functions from labelled rows to one figure.

A figure is None where there was nothing to score.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Literal, NamedTuple

__all__ = [
    "BoundaryRow",
    "IntentRow",
    "ResolutionRow",
    "RewriteRow",
    "SegmentRow",
    "added_word_f1",
    "added_words",
    "ask_share",
    "asked_boundary_f1",
    "content_words",
    "exact_share",
    "f1",
    "forced",
    "forced_boundary_f1",
    "holds",
    "intent_accuracy",
    "intent_macro_f1",
    "left_alone",
    "mean",
    "pk",
    "recall_at",
    "resolution",
    "resolved",
    "same_text",
    "set_f1",
    "starts_f1",
    "window_diff",
]

# The single letters and stubs are what [a-z0-9_]+ leaves of "don't", "it's", "you'll".
STOP_WORDS = frozenset(
    """
    a about above after again against ain all also am an and any are aren as at be because been before being below
    between both but by can could couldn d did didn do does doesn doing don done down during each either else ever
    every few for from further had hadn has hasn have haven having he her here hers herself him himself his how i if
    in into is isn it its itself just let ll m may me might more most must my myself no nor not now o of off on once
    only onto or other our ours out over own please re s same shall she should shouldn so some such t than that the
    their theirs them then there these they this those through to too under until up upon us ve very want was wasn we
    were weren what when where which while who whom whose why will with within without won would wouldn y you your
    yours yourself
    """.split()  # noqa: SIM905 - a list of words reads better as words
)
LEAST_ROWS_OF_A_CLASS = 5
WORDS_TO_ADD = 0.6
WORDS_ALWAYS_ALLOWED = 6


# --- words --------------------------------------------------------------------------------------------------------


def content_words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z0-9_]+", text.lower())) - STOP_WORDS


def holds(excerpt: str, text: str) -> bool:
    """Whether at least half of the content words of a text are in the excerpt."""
    words = content_words(text)
    return 2 * len(words & content_words(excerpt)) >= len(words)


def added_words(text: str, rewritten: str) -> frozenset[str]:
    """The content words that the rewritten text has and the text lacks."""
    return content_words(rewritten) - content_words(text)


def same_text(one: str, other: str) -> bool:
    """Equal but for case, white space and final punctuation."""
    return _plain(one) == _plain(other)


def _plain(text: str) -> str:
    return " ".join(text.lower().split()).rstrip(".?!,;: ")


# --- the shapes that several metrics share ------------------------------------------------------------------------


def mean(values: Iterable[float]) -> float | None:
    """The mean; of truth values the share that is true."""
    taken = list(values)
    return sum(taken) / len(taken) if taken else None


def f1(pairs: Iterable[tuple[bool, bool]]) -> float | None:
    """F1 of "true" over (gold, predicted)."""
    counts = Counter(pairs)
    return _f1(right=counts[True, True], wrong=counts[False, True], missed=counts[True, False])


def set_f1(pairs: Iterable[tuple[AbstractSet[object], AbstractSet[object]]]) -> float | None:
    """F1 over (gold set, predicted set), micro-averaged."""
    right = wrong = missed = 0
    for gold, predicted in pairs:
        right += len(gold & predicted)
        wrong += len(predicted - gold)
        missed += len(gold - predicted)
    return _f1(right, wrong, missed)


def _f1(right: int, wrong: int, missed: int) -> float | None:
    everything = 2 * right + wrong + missed
    return 2 * right / everything if everything else None


def left_alone(pairs: Iterable[tuple[bool, bool]]) -> float | None:
    """Of the messages that need no change, the share left as they are, over (should change, was changed)."""
    return mean(not changed for should_change, changed in pairs if not should_change)


# --- boundaries ---------------------------------------------------------------------------------------------------


class BoundaryRow(NamedTuple):
    """A turn that is not the first of its stream."""

    gold: Literal["yes", "no", "either"]
    decision: Literal["same", "new", "ask"]
    best_guess: Literal["same", "new"]


def forced_boundary_f1(rows: Iterable[BoundaryRow]) -> float | None:
    """F1 of "new conversation"; an "ask" counts as what the engine would have done with no answer."""
    return f1(
        (row.gold == "yes", forced(row.decision, row.best_guess) == "new") for row in rows if row.gold != "either"
    )


def asked_boundary_f1(rows: Iterable[BoundaryRow]) -> float | None:
    """F1 of "new conversation"; an "ask" takes the gold answer."""
    return f1(
        (row.gold == "yes", row.gold == "yes" if row.decision == "ask" else row.decision == "new")
        for row in rows
        if row.gold != "either"
    )


def ask_share(rows: Iterable[BoundaryRow]) -> float | None:
    return mean(row.decision == "ask" for row in rows if row.gold != "either")


def forced(decision: Literal["same", "new", "ask"], best_guess: Literal["same", "new"]) -> Literal["same", "new"]:
    """What the engine does with no answer to its question."""
    return best_guess if decision == "ask" else decision


# --- intents ------------------------------------------------------------------------------------------------------


class IntentRow(NamedTuple):
    gold: str
    also: tuple[str, ...]
    predicted: str


def intent_accuracy(rows: Iterable[IntentRow]) -> float | None:
    """The share where the intent, or another one that a careful reader accepts, was found."""
    return mean(row.predicted == row.gold or row.predicted in row.also for row in rows)


def intent_macro_f1(rows: Sequence[IntentRow]) -> float | None:
    """The mean F1 of the intents that have at least five rows, against the first label alone."""
    names = [
        name for name, count in sorted(Counter(row.gold for row in rows).items()) if count >= LEAST_ROWS_OF_A_CLASS
    ]
    return mean(f1((row.gold == name, row.predicted == name) for row in rows) or 0.0 for name in names)


# --- references and rewrites --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ResolutionRow:
    """A message that needs context, its labels, what the engine made of it, and all that was said before it."""

    text: str
    referents: tuple[str, ...]
    gold: str
    predicted: str
    past: str


def resolution(rows: Iterable[ResolutionRow]) -> float | None:
    """The share of messages resolved, of those whose referent occurs earlier in the stream."""
    return mean(right for row in rows if (right := resolved(row)) is not None)


def resolved(row: ResolutionRow) -> bool | None:
    """Whether the expansion adds what the message points to, and little else; None where that cannot be scored.

    The referents of a message count as one bag of words. They occur earlier when any of their content words does;
    a message that has all of these words itself lacks nothing that could be added.
    """
    wanted = content_words(" ".join(row.referents))
    lacking = wanted - content_words(row.text)
    if not lacking or not wanted & content_words(row.past):
        return None
    added = added_words(row.text, row.predicted)
    allowed = max(WORDS_ALWAYS_ALLOWED, 2 * len(added_words(row.text, row.gold)))
    return len(lacking & added) >= WORDS_TO_ADD * len(lacking) and len(added) <= allowed


class RewriteRow(NamedTuple):
    text: str
    gold: str
    predicted: str
    changed: bool


def added_word_f1(rows: Iterable[RewriteRow]) -> float | None:
    """F1 of the added content words, micro-averaged over the rows that a person changed."""
    return set_f1(
        (added_words(row.text, row.gold), added_words(row.text, row.predicted)) for row in rows if row.changed
    )


def exact_share(rows: Iterable[RewriteRow]) -> float | None:
    return mean(same_text(row.gold, row.predicted) for row in rows)


# --- segments -----------------------------------------------------------------------------------------------------


class SegmentRow(NamedTuple):
    """A dialogue of `length` turns and the turns at which a segment starts."""

    length: int
    gold: frozenset[int]
    predicted: frozenset[int]


def pk(row: SegmentRow) -> float | None:
    """How often two turns, half a mean segment apart, are wrongly held to be in one segment or in two."""
    return mean(
        (_starts_between(row.gold, *ends) == 0) != (_starts_between(row.predicted, *ends) == 0)
        for ends in _windows(row)
    )


def window_diff(row: SegmentRow) -> float | None:
    """How often the number of starts within half a mean segment is wrong."""
    return mean(_starts_between(row.gold, *ends) != _starts_between(row.predicted, *ends) for ends in _windows(row))


def starts_f1(rows: Iterable[SegmentRow]) -> float | None:
    """F1 of starts; the first turn of a dialogue is one anyway and is not scored."""
    return set_f1((row.gold - {0}, row.predicted - {0}) for row in rows)


def _windows(row: SegmentRow) -> list[tuple[int, int]]:
    width = max(1, int(row.length / (2 * len(row.gold | {0})) + 0.5))
    return [(first, first + width) for first in range(row.length - width)]


def _starts_between(starts: frozenset[int], first: int, last: int) -> int:
    return sum(first < start <= last for start in starts)


# --- recall -------------------------------------------------------------------------------------------------------


def recall_at(k: int, gold: Sequence[str], hits: Sequence[str | None]) -> float:
    """Of the gold messages, the share within the first k hits."""
    return len(set(gold) & set(hits[:k])) / len(set(gold))
