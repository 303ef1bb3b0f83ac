"""Which memories fit a query: by words and by meaning, and then by what else the query asks for."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from anaphora.memory.asking import Asked
from anaphora.memory.periods import Period
from anaphora.ports import Corpus, Posting
from anaphora.types import Message

__all__ = ["Fit", "Ranked", "Seen", "bm25", "rank"]

_K1, _B = 1.5, 0.8

# What each adds to a fit of at most 1. Found by ablation (docs/recall.md), and kept to round numbers.
_WORDS, _MEANING = 0.45, 0.55
_WHOSE = 0.4  # it is the user's words that are asked for, or the assistant's
_WHOSE_UNSAID = 0.2  # the query does not say: what the user said weighs more than what was replied
_SPEAKER = 0.3  # the query names the speaker
_WISHED = 0.3  # says what the user always or never wants, where advice is asked for
_FELT = 0.2  # says a feeling, where feelings are asked for
_WHEN = 0.3  # of the time that the query names: it may be what the talk was about, rather than when it was
_WHEN_ALONE = 1.5  # the query asks for nothing else
_SESSION = 1.0  # said a moment ago, and fits at least half
_BEFORE, _AFTER = 0.3, 0.15  # of the fit of the message before and after it
_SHORT = 80  # characters: what is longer says by itself what it is about
_CLOSE = timedelta(hours=1)  # messages further apart are no neighbours
_LEAST_ALIKE = 0.1  # what is less alike in meaning and shares no word is not a memory of it
_LEAST_BEST = 0.2  # and where nothing is more alike than this, nothing is
_LEAST_LENT = 0.15  # but for the answer to a question that fits
_BEHIND = 1e-4  # a reply comes right after what it replies to


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a message fits a query by itself: its words and its meaning against the best there is, from 0 to 1.
    `alike` is the similarity itself, None while the message has no vector; `piece` says which piece of it that is.
    `cued` is how strongly it says what the kind of query looks for: a wish, a feeling."""

    words: float = 0.0
    meaning: float = 0.0
    alike: float | None = None
    piece: int | None = None
    cued: float = 0.0

    @property
    def score(self) -> float:
        return self.words if self.alike is None else _WORDS * self.words + _MEANING * self.meaning

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


def bm25(
    postings: Mapping[str, Sequence[Posting]], corpus: Corpus, weights: Mapping[str, float] | None = None
) -> dict[int, float]:
    """What the terms give each message that holds one, by sequence number; `weights` are 1 where they say nothing.

    Terms go in their own order, so that sums come out the same to the last bit whatever the store's order is."""
    average = corpus.terms / corpus.messages if corpus.messages else 1.0
    scores: defaultdict[int, float] = defaultdict(float)
    gains: dict[object, float] = {}  # by times and length, which many messages share; times is mostly 1
    for term, found in sorted(postings.items()):
        rarity = math.log(1 + (corpus.messages - len(found) + 0.5) / (len(found) + 0.5))
        rarity *= 1.0 if weights is None else weights.get(term, 1.0)
        for seq, times, length in found:
            alike = length if times == 1 else (times, length)
            gain = gains.get(alike)
            if gain is None:
                damp = _K1 * (1 - _B + _B * length / average)
                gain = gains[alike] = times * (_K1 + 1) / (times + damp)
            scores[seq] += rarity * gain
    return dict(scores)


def rank(messages: Sequence[Message], fits: Mapping[int, Fit], asked: Asked, seen: Seen) -> list[Ranked]:
    """The messages that fit, best first; of equals the newest. Neighbours must be among them to lend their fit."""
    by_seq = {message.seq: message for message in messages}
    if not seen.periods and not any(fit.words or (fit.alike or 0.0) >= _LEAST_BEST for fit in fits.values()):
        return []
    ranked = {}
    for message in messages:
        one = _Weighed(message, by_seq, fits, asked, seen).ranked()
        if one is not None:
            ranked[message.seq] = one
    if asked.summary:
        _answer_in_pairs(ranked, by_seq)
    order = sorted(ranked.values(), key=lambda r: (-r.score, -r.message.at.timestamp(), -r.message.seq))
    return _said_again_last(order)


class _Weighed:
    """One message on the scales."""

    def __init__(
        self, message: Message, by_seq: Mapping[int, Message], fits: Mapping[int, Fit], asked: Asked, seen: Seen
    ) -> None:
        self._message = message
        self._by_seq = by_seq
        self._fits = fits
        self._asked = asked
        self._seen = seen
        self._fit = fits.get(message.seq, _UNFIT)
        self._score = self._fit.score
        self._reasons: list[str] = []

    def ranked(self) -> Ranked | None:
        answers = self._neighbours()
        timely = self._time()
        if not (self._fit.fits or timely or answers):
            return None
        self._speaker()
        self._cue()
        self._session()
        return Ranked(self._message, round(self._score, 6), self._fit, tuple(self._reasons))

    def _add(self, points: float, reason: str) -> None:
        self._score += points
        self._reasons.append(reason)

    def _neighbours(self) -> bool:
        """A short message says little without the one before it, and a question little without its answer. Whether it
        answers a question that fits."""
        before, after = (_neighbour(self._message, self._by_seq, step) for step in (-1, 1))
        lent = 0.0
        if before is not None:
            short = min(1.0, _SHORT / max(1, len(self._message.text)))
            lent = _BEFORE * short * self._fits.get(before.seq, _UNFIT).score
        back = 0.0 if after is None else _AFTER * self._fits.get(after.seq, _UNFIT).score
        self._score += lent + back
        answers = before is not None and lent >= _LEAST_LENT and before.text.rstrip().endswith("?")
        if answers:
            self._reasons.append("follows a question that fits")
        elif back >= _LEAST_LENT / 2:
            self._reasons.append("stands before what fits")
        return answers

    def _time(self) -> bool:
        period = next((p for p in self._seen.periods if self._message.at in p), None)
        if period is None:
            return False
        self._add(_WHEN_ALONE if self._seen.time_alone else _WHEN, f"from the time asked for ({period.said})")
        return True

    def _speaker(self) -> None:
        message, seen = self._message, self._seen
        theirs = message.role == "assistant" and message.speaker == seen.agent
        if seen.speakers:
            if message.speaker.lower() in seen.speakers:
                self._add(_SPEAKER, f"said by {message.speaker}")
        elif self._asked.summary:
            return
        elif self._asked.role == "assistant":
            if theirs:
                self._add(_WHOSE / 4, "said by the assistant")
        elif not theirs:
            self._score += _WHOSE if self._asked.role == "user" else _WHOSE_UNSAID

    def _cue(self) -> None:
        if not self._fit.cued:
            return
        if self._asked.advice:
            self._add(_WISHED * self._fit.cued, "says how it is wanted")
        else:
            self._add(_FELT * self._fit.cued, "says a feeling")

    def _session(self) -> None:
        message, seen = self._message, self._seen
        if message.session == seen.session and seen.now - message.at <= seen.session_window:
            self._add(_SESSION * min(1.0, 2 * self._fit.score), "in this session")


_UNFIT = Fit()


def _neighbour(message: Message, by_seq: Mapping[int, Message], step: int) -> Message | None:
    other = by_seq.get(message.seq + step)
    if other is None or other.session != message.session or abs(other.at - message.at) > _CLOSE:
        return None
    return other


def _answer_in_pairs(ranked: dict[int, Ranked], by_seq: Mapping[int, Message]) -> None:
    """What is asked for in short was worked out in both: a reply goes with what it replies to."""
    for seq, message in by_seq.items():
        before = _neighbour(message, by_seq, -1)
        if message.role == "assistant" and before is not None and before.role == "user" and before.seq in ranked:
            asked = ranked[before.seq]
            own = ranked.get(seq)
            fit = own.fit if own else _UNFIT
            ranked[seq] = Ranked(message, asked.score - _BEHIND, fit, ("the reply to what fits",))


def _said_again_last(order: Sequence[Ranked]) -> list[Ranked]:
    """Of messages that say the same the best stays where it is; the others come after everything else."""
    first, again, known = list[Ranked](), list[Ranked](), set[tuple[str, str]]()
    for one in order:
        key = (one.message.speaker, " ".join(one.message.text.lower().split()))
        (again if key in known else first).append(one)
        known.add(key)
    return first + [replace(one, score=min(one.score, first[-1].score)) for one in again]
