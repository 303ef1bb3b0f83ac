"""Which memories fit a query: by words and by meaning, and then by what else the query asks for."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from anaphora.memory.asking import Asked
from anaphora.memory.periods import Period
from anaphora.ports import Corpus, Posting
from anaphora.types import Message

__all__ = ["Fit", "Ranked", "Seen", "Weights", "bm25", "gain", "rank", "rarity"]

_K1, _B = 1.5, 0.8
_SHORT = 80  # characters: what is longer says by itself what it is about
_CLOSE = timedelta(hours=1)  # messages further apart are no neighbours
_LEAST_ALIKE = 0.1  # what is less alike in meaning and shares no word is not a memory of it
_LEAST_BEST = 0.2  # and where nothing is more alike than this, nothing is
_LEAST_LENT = 0.15  # but for the answer to a question that fits
_BEHIND = 1e-4  # a reply comes right after what it replies to


@dataclass(frozen=True, slots=True)
class Weights:
    """What each kind of evidence adds to a fit of at most 1: round numbers, found by ablation (docs/recall.md)."""

    words: float = 0.45
    meaning: float = 0.55
    whose: float = 0.4  # it is the user's words that are asked for, or the assistant's
    whose_unsaid: float = 0.2  # the query does not say: what the user said weighs more than what was replied
    speaker: float = 0.3  # the query names the speaker
    wish: float = 0.4  # says what the user always or never wants, where advice is asked for
    feeling: float = 0.2  # says a feeling, where feelings are asked for
    when: float = 0.3  # of the time that the query names: it may be what the talk was about, rather than when it was
    when_alone: float = 1.5  # the query asks for nothing else
    session: float = 1.5  # said a moment ago: what fits half outranks whatever is older
    before: float = 0.3  # of the fit of the message before it, where it is short
    after: float = 0.15  # of the fit of the message after it
    pairs: bool = True  # a summary takes a reply with what it replies to


class Fit(NamedTuple):
    """How well a message fits a query by itself, from 0 to 1: its words and its meaning against the best there is, and
    both together in `score`. `alike` is the similarity itself, None while the message has no vector, and `piece` says
    which piece of it that is. `cued` is how strongly it says what the kind of query looks for: a wish, a feeling."""

    score: float = 0.0
    words: float = 0.0
    alike: float | None = None
    piece: int | None = None
    cued: float = 0.0

    @property
    def fits(self) -> bool:
        return self.words > 0 or (self.alike or 0.0) >= _LEAST_ALIKE


@dataclass(frozen=True, slots=True)
class Seen:
    """From where a query is asked: when, in which session, and what of it names a speaker or a time."""

    now: datetime
    session: str
    session_window: timedelta
    agent: str
    speakers: frozenset[str] = frozenset()
    periods: tuple[Period, ...] = ()
    time_alone: bool = False  # that is all it asks for


@dataclass(frozen=True, slots=True)
class Ranked:
    """A message with its score and what spoke for it beside its words and its meaning."""

    message: Message
    score: float
    fit: Fit
    reasons: tuple[str, ...]


# --- words --------------------------------------------------------------------------------------------------------


def bm25(
    postings: Mapping[str, Sequence[Posting]], corpus: Corpus, weights: Mapping[str, float] | None = None
) -> dict[int, float]:
    """What the terms give each message that holds one, by sequence number; `weights` are 1 where they say nothing.

    Terms go in their own order, so that sums come out the same to the last bit whatever the store's order is."""
    scores: defaultdict[int, float] = defaultdict(float)
    gains: dict[object, float] = {}  # by times and length, which many messages share; times is mostly 1
    for term, found in sorted(postings.items()):
        worth = rarity(len(found), corpus) * (1.0 if weights is None else weights.get(term, 1.0))
        for seq, times, length in found:
            alike = length if times == 1 else (times, length)
            known = gains.get(alike)
            if known is None:
                known = gains[alike] = gain(times, length, corpus)
            scores[seq] += worth * known
    return dict(scores)


def rarity(holders: int, corpus: Corpus) -> float:
    """What a term is worth that so many messages hold."""
    return math.log(1 + (corpus.messages - holders + 0.5) / (holders + 0.5))


def gain(times: int, length: int, corpus: Corpus) -> float:
    """What a term gives a text of so many terms that says it so often, before its worth."""
    average = corpus.terms / corpus.messages if corpus.messages and corpus.terms else 1.0
    return times * (_K1 + 1) / (times + _K1 * (1 - _B + _B * length / average))


# --- everything together ------------------------------------------------------------------------------------------


def rank(
    messages: Mapping[int, Message], fits: Mapping[int, Fit], asked: Asked, seen: Seen, k: int, weights: Weights
) -> list[Ranked]:
    """The best of the messages that fit, by sequence number, best first; of equals the newest. Neighbours must be among
    them to lend their fit."""
    if not seen.periods and not any(fit.words or (fit.alike or 0.0) >= _LEAST_BEST for fit in fits.values()):
        return []
    scale = _Scale(messages, fits, asked, seen, weights)
    scores = {seq: score for seq, message in messages.items() if (score := scale.weigh(message)) is not None}
    replies = _with_replies(scores, messages) if asked.summary and weights.pairs else set[int]()
    order = sorted(scores, key=lambda seq: (-scores[seq], -messages[seq].at.timestamp(), -seq))
    return [
        Ranked(messages[seq], score, scale.fit(seq), scale.reasons(messages[seq], reply=seq in replies))
        for seq, score in _said_again_last(order, scores, messages, k)
    ]


class _Part(NamedTuple):
    """What is added to a fit, with the reason where it is worth telling; `enough` to be a memory without any fit."""

    points: float = 0.0
    reason: str = ""
    enough: bool = False


class _Scale:
    """Weighs one message after the other for one query."""

    def __init__(
        self, messages: Mapping[int, Message], fits: Mapping[int, Fit], asked: Asked, seen: Seen, weights: Weights
    ) -> None:
        self._messages = messages
        self._fits = fits
        self._asked = asked
        self._seen = seen
        self._weights = weights

    def fit(self, seq: int) -> Fit:
        return self._fits.get(seq, _UNFIT)

    def weigh(self, message: Message) -> float | None:
        """Its score; None where nothing makes a memory of it."""
        fit = self.fit(message.seq)
        parts = list(self._parts(message, fit))
        if not fit.fits and not any(part.enough for part in parts):
            return None
        return round(fit.score + sum([part.points for part in parts]), 6)

    def reasons(self, message: Message, *, reply: bool) -> tuple[str, ...]:
        if reply:
            return ("the reply to what fits",)
        return tuple([part.reason for part in self._parts(message, self.fit(message.seq)) if part.reason])

    def _parts(self, message: Message, fit: Fit) -> Iterator[_Part]:
        weights, seen = self._weights, self._seen
        yield from self._lent(message)
        period = self._period(message) if seen.periods else None
        if period is not None:
            points = weights.when_alone if seen.time_alone else weights.when
            yield _Part(points, f"from the time asked for ({period.said})", enough=True)
        yield self._whose(message)
        if fit.cued:
            advice = self._asked.advice
            points = (weights.wish if advice else weights.feeling) * fit.cued
            yield _Part(points, "says how it is wanted" if advice else "says a feeling")
        if message.session == seen.session and seen.now - message.at <= seen.session_window:
            yield _Part(weights.session * min(1.0, 2.5 * fit.score), "in this session")

    def _lent(self, message: Message) -> Iterator[_Part]:
        """A short message says little without the one before it, and a question little without its answer."""
        before, after = (_neighbour(message, self._messages, step) for step in (-1, 1))
        if before is not None:
            short = min(1.0, _SHORT / max(1, len(message.text)))
            lent = self._weights.before * self.fit(before.seq).score * short
            answers = lent >= _LEAST_LENT and before.text.rstrip().endswith("?")
            yield _Part(lent, "follows a question that fits" if answers else "", enough=answers)
        if after is not None:
            lent = self._weights.after * self.fit(after.seq).score
            yield _Part(lent, "stands before what fits" if lent >= _LEAST_LENT / 2 else "")

    def _period(self, message: Message) -> Period | None:
        return next((p for p in self._seen.periods if message.at in p), None)

    def _whose(self, message: Message) -> _Part:
        seen, asked, weights = self._seen, self._asked, self._weights
        if seen.speakers:
            named = message.speaker.lower() in seen.speakers
            return _Part(weights.speaker, f"said by {message.speaker}") if named else _NOTHING
        replied = message.role == "assistant" and message.speaker == seen.agent
        if asked.role == "assistant":
            return _Part(weights.whose / 4, "said by the assistant") if replied else _NOTHING
        if replied or asked.summary:
            return _NOTHING
        return _Part(weights.whose if asked.role == "user" else weights.whose_unsaid)


_UNFIT, _NOTHING = Fit(), _Part()


def _neighbour(message: Message, messages: Mapping[int, Message], step: int) -> Message | None:
    other = messages.get(message.seq + step)
    if other is None or other.session != message.session or abs(other.at - message.at) > _CLOSE:
        return None
    return other


def _with_replies(scores: dict[int, float], messages: Mapping[int, Message]) -> set[int]:
    """What is asked for in short was worked out in both: a reply goes with what it replies to. Which ones do."""
    found = set()
    for seq, message in messages.items():
        before = _neighbour(message, messages, -1)
        if message.role == "assistant" and before is not None and before.role == "user" and before.seq in scores:
            scores[seq] = scores[before.seq] - _BEHIND
            found.add(seq)
    return found


def _said_again_last(
    order: Sequence[int], scores: Mapping[int, float], messages: Mapping[int, Message], k: int
) -> list[tuple[int, float]]:
    """Of messages that say the same the best stays where it is; the others come after everything else."""
    first, again, known = list[int](), list[int](), set[tuple[str, str]]()
    for seq in order:
        if len(first) == k:
            break
        key = (messages[seq].speaker, " ".join(messages[seq].text.lower().split()))
        (again if key in known else first).append(seq)
        known.add(key)
    last = scores[first[-1]] if first else 0.0
    return [(seq, scores[seq]) for seq in first] + [(seq, min(scores[seq], last)) for seq in again[: k - len(first)]]
