"""Which memories fit a query: by words and by meaning, and then by what else the query asks for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from anaphora.memory.asking import Asked
from anaphora.memory.periods import Period
from anaphora.ports import Near
from anaphora.types import Message
from anaphora.understanding.patterns import expression

__all__ = ["LEAST_ALIKE", "Fit", "Fits", "Ranked", "Seen", "Weights", "rank"]

_SHORT = 80  # characters: what is longer says by itself what it is about
_CLOSE = timedelta(hours=1)  # messages further apart are no neighbours
LEAST_ALIKE = 0.1  # what is less alike in meaning and shares no word is not a memory of it
_LEAST_BEST = 0.2  # and where nothing is more alike than this, nothing is
_LEAST_LENT = 0.15  # but for what is said to a message that fits
_BEHIND = 1e-4  # a reply comes right after what it replies to
_FAIRLY, _WELL = 0.7, 0.8  # against the best: from where on, and from where on fully, being of now counts
_FITS_LATE = 0.4  # and by its words alone, of what came too late for its meaning to be known


@dataclass(frozen=True, slots=True)
class Weights:
    """What each kind of evidence adds to a fit of at most 1: round numbers, found by ablation (docs/recall.md)."""

    words: float = 0.4
    meaning: float = 0.6
    whose: float = 0.4  # it is the user's words that are asked for, or the assistant's
    whose_unsaid: float = 0.2  # the query does not say: what the user said weighs more than what was replied
    speaker: float = 0.4  # the query names the speaker
    told: bool = True  # and its meaning is looked for as that person would tell it
    brief: float = 0.2  # taken from short questions; and then from what answers nothing: "I'd pay to see that"
    wish: float = 0.4  # says what the user always or never wants, where advice is asked for
    feeling: float = 0.2  # says a feeling, where feelings are asked for
    when: float = 0.3  # of the time that the query names: it may be what the talk was about, rather than when it was
    when_alone: float = 1.5  # the query asks for nothing else
    speaker_alone: float = 1.5  # the query asks for nothing but what somebody said
    session: float = 1.5  # said a moment ago: what fits well outranks whatever is older
    before: float = 0.3  # of the fit of the message before it, where it is short and said to that
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


class Fits:
    """How well messages fit a query, by sequence number: what they have of its words, what of the words of its kind,
    and how near they are in meaning. Made for hundreds of messages, of which few are looked at closely."""

    def __init__(
        self,
        seqs: Iterable[int],
        words: Mapping[int, float],
        cued: Mapping[int, float],
        near: Mapping[int, Near],
        weights: Weights,
    ) -> None:
        self._words, self._cued, self._near = words, cued, near
        self._best_words = max(words.values(), default=0.0) or 1.0
        self._best_cue = max(cued.values(), default=0.0) or 1.0
        most_alike = max([one.score for one in near.values()], default=0.0)
        by_words, by_meaning = weights.words / self._best_words, weights.meaning / (most_alike or 1.0)
        self.any = bool(words) or most_alike >= _LEAST_BEST
        """Whether there is a memory of it at all."""
        self.fitting = set(words)
        """Those that say a word of the query, or something alike."""
        self.fitting.update([seq for seq, one in near.items() if one.score >= LEAST_ALIKE])
        self.scores: dict[int, float] = {}
        for seq in seqs:
            said, one = words.get(seq, 0.0), near.get(seq)
            if one is None:  # not embedded yet: its words are all there is to go by
                self.scores[seq] = said / self._best_words
            else:
                alike = one.score
                self.scores[seq] = by_words * said + (by_meaning * alike if alike > 0.0 else 0.0)

    def of(self, seq: int) -> Fit:
        words, near = self._words.get(seq, 0.0) / self._best_words, self._near.get(seq)
        alike, piece = (None, None) if near is None else (near.score, near.piece)
        return Fit(self.scores.get(seq, 0.0), words, alike, piece, self.cued(seq))

    def late(self, seq: int) -> bool:
        """Whether it came too late for its meaning to be known, as those of others are."""
        return bool(self._near) and seq not in self._near

    def cued(self, seq: int) -> float:
        return self._cued.get(seq, 0.0) / self._best_cue


@dataclass(frozen=True, slots=True)
class Seen:
    """From where a query is asked: when, in which session, and what of it names a speaker or a time."""

    now: datetime
    session: str
    session_window: timedelta
    agent: str
    named: bool = False  # it names someone who spoke
    speakers: frozenset[str] = frozenset()  # whose words it asks for: the only one that it names
    periods: tuple[Period, ...] = ()
    time_alone: bool = False  # that is all it asks for
    alone: frozenset[str] = frozenset()  # whose words are all it asks for, in small letters
    anything: bool = False  # and whatever these are about: the newest first


class Ranked(NamedTuple):
    """A message with its score and what spoke for it beside its words and its meaning; and what whoever reads it should
    know first."""

    message: Message
    score: float
    fit: Fit
    reasons: tuple[str, ...]
    caveat: str = ""
    past: bool = False  # something took the place of what it says


def rank(
    messages: Mapping[int, Message], fits: Fits, asked: Asked, seen: Seen, k: int, weights: Weights
) -> list[Ranked]:
    """The best of the messages that fit, by sequence number, best first; of equals the newest. Neighbours must be among
    them to lend their fit."""
    if not (seen.periods or seen.named or fits.any):
        return []
    scale = _Scale(messages, fits, asked, seen, weights)
    scores = scale.weighed()
    scale.lift(scores)
    replies = scale.with_replies(scores) if asked.summary and weights.pairs else set[int]()
    order = sorted([(score, messages[seq].at, seq) for seq, score in scores.items()], reverse=True)
    caveat = "nothing was said then" if seen.time_alone and not scale.of_then else ""
    return [
        Ranked(messages[seq], score, fits.of(seq), scale.reasons(messages[seq], reply=seq in replies), caveat)
        for seq, score in _said_again_last([seq for _, _, seq in order], scores, messages, k)
    ]


class _Scale:
    """Weighs one message after the other for one query: hundreds of them, so that each has to be quick."""

    def __init__(self, messages: Mapping[int, Message], fits: Fits, asked: Asked, seen: Seen, weights: Weights) -> None:
        self._messages = messages
        self._fits = fits
        self._scores, self._fitting = fits.scores, fits.fitting
        self._asked = asked
        self._seen = seen
        self._weights = weights
        self._before, self._after = weights.before, weights.after
        self._speakers, self._agent = seen.speakers, seen.agent
        self._following = _following(messages)
        self._cue = (weights.wish if asked.advice else weights.feeling) if asked.cues else 0.0
        self._alone: dict[int, float] = {}  # scores without what neighbours lend
        self._of_replies, self._of_others = _whose_words(asked, weights)
        self.of_then = False
        """Whether any message is of the time that is asked for, or tells of it: known once they are weighed."""

    def weighed(self) -> dict[int, float]:
        """The scores of those that something makes a memory of it."""
        found: dict[int, float] = {}
        messages, scores, fitting, alone = self._messages, self._scores, self._fitting, self._alone
        when = self._weights.when_alone if self._seen.time_alone else self._weights.when
        for seq in self._likely():
            message = messages[seq]
            before, after = self._lent(message)
            period = self._period(message) if self._seen.periods else None
            asked_for = self._is_asked_for(message)
            if seq not in fitting and period is None and not asked_for and before < _LEAST_LENT:
                continue
            score = max(0.0, scores.get(seq, 0.0) + self._whose(message) - self._brief(message))
            if asked_for and self._seen.anything:
                score = before = after = 0.0
            if asked_for:
                score += self._weights.speaker_alone
            if period is not None:
                score += when
                self.of_then = True
            if self._cue:
                score += self._cue * self._fits.cued(seq)
            alone[seq] = score
            found[seq] = round(score + before + after, 6)
        return found

    def _likely(self) -> Iterable[int]:
        """The messages that may be memories of it: they fit, or stand behind one that fits well, or a time is named, or
        nothing but who said it."""
        if self._seen.periods or self._seen.alone:
            return self._messages
        fitting, scores, enough = self._fitting, self._scores, _LEAST_LENT / (self._weights.before or 1.0)
        return [seq for seq in self._messages if seq in fitting or scores.get(seq - 1, 0.0) >= enough]

    def lift(self, scores: dict[int, float]) -> None:
        """What was said a moment ago outranks what is older, where it fits well by itself: not by its neighbours, of
        which the first words after a pause have none."""
        best = max(self._alone.values(), default=0.0)
        of_now = [seq for seq in self._alone if self._is_of_now(self._messages[seq])]
        if not self._weights.session or best <= 0.0 or len(of_now) == len(self._alone):  # none is older
            return
        if self._seen.alone:
            of_now = [seq for seq in of_now if self._is_asked_for(self._messages[seq])]
        for seq in of_now:
            alone = self._alone[seq]
            well = alone / _FITS_LATE if self._fits.late(seq) else (alone / best - _FAIRLY) / (_WELL - _FAIRLY)
            scores[seq] = round(scores[seq] + self._weights.session * max(0.0, min(1.0, well)), 6)

    def with_replies(self, scores: dict[int, float]) -> set[int]:
        """What is asked for in short was worked out in both: a reply goes with what it replies to. Which ones do."""
        found = set()
        for seq, message in self._messages.items():
            if message.role == "assistant" and seq in self._following:
                before = self._messages[seq - 1]
                if before.role == "user" and before.seq in scores:
                    scores[seq] = scores[before.seq] - _BEHIND
                    found.add(seq)
        return found

    def reasons(self, message: Message, *, reply: bool) -> tuple[str, ...]:
        """What of that is worth telling."""
        return ("the reply to what fits",) if reply else tuple(self._told(message))

    def _told(self, message: Message) -> Iterator[str]:
        period = self._period(message) if self._seen.periods else None
        before, after = self._lent(message)
        if before >= _LEAST_LENT:
            yield f"follows a {'question' if _asks(self._messages[message.seq - 1]) else 'reply'} that fits"
        if after >= _LEAST_LENT / 2:
            yield "stands before what fits"
        if period is not None:
            yield f"{'from' if message.at in period else 'tells of'} the time asked for ({period.said})"
        if self._asked.role == "assistant" and not self._seen.speakers and self._replied(message):
            yield "said by the assistant"
        elif (self._seen.speakers and self._whose(message)) or self._is_asked_for(message):
            yield f"said by {message.speaker}"
        if self._fits.cued(message.seq):
            yield "says how it is wanted" if self._asked.advice else "says a feeling"
        if self._is_of_now(message):
            yield "in this session"

    def _lent(self, message: Message) -> tuple[float, float]:
        """By the message before it and by the one after it: a short answer says little without the one, and a question
        little without its answer."""
        seq, before, after = message.seq, 0.0, 0.0
        if seq in self._following and self._goes_on_with(self._messages[seq - 1]):
            length = len(message.text)
            short = 1.0 if length <= _SHORT else _SHORT / length
            before = self._before * self._scores.get(seq - 1, 0.0) * short
        if seq + 1 in self._following:
            after = self._after * self._scores.get(seq + 1, 0.0)
        return before, after

    def _goes_on_with(self, before: Message) -> bool:
        """Whether what comes next is said to it: to a question, or to a reply of the assistant. People who talk to each
        other as often tell something of their own."""
        return _asks(before) or self._replied(before)

    def _brief(self, message: Message) -> float:
        """What is taken from a message that says little: a short question, which asks and does not tell; and where
        people are asked for, what is short and answers nothing."""
        length = len(message.text)
        if length >= _SHORT or message.seq < 0:
            return 0.0
        if _asks(message):
            return self._weights.brief
        if not self._seen.named or (message.seq in self._following and _asks(self._messages[message.seq - 1])):
            return 0.0
        return self._weights.brief * (1.0 - length / _SHORT)

    def _period(self, message: Message) -> Period | None:
        """The time asked for that it was said in, or tells of."""
        at, periods = message.at, self._seen.periods
        said_in = next((p for p in periods if at in p), None)
        return said_in or next((p for p in periods if p.is_told_by(message.text, at)), None)

    def _is_asked_for(self, message: Message) -> bool:
        """Whether it is said by whose words are all that is asked for."""
        alone = self._seen.alone
        return bool(alone) and message.speaker.lower() in alone and message.seq > 0

    def _whose(self, message: Message) -> float:
        if self._speakers:
            return self._weights.speaker if message.speaker.lower() in self._speakers else 0.0
        if message.seq < 0:  # a fragment, which nobody said
            return 0.0
        return self._of_replies if self._replied(message) else self._of_others

    def _replied(self, message: Message) -> bool:
        return message.role == "assistant" and message.speaker == self._agent

    def _is_of_now(self, message: Message) -> bool:
        return message.session == self._seen.session and self._seen.now - message.at <= self._seen.session_window


def _whose_words(asked: Asked, weights: Weights) -> tuple[float, float]:
    """What is added to replies, and to all else, where the query names no speaker."""
    if asked.role == "assistant":
        return weights.whose / 4, 0.0
    if asked.summary:
        return 0.0, 0.0
    return 0.0, weights.whose if asked.role == "user" else weights.whose_unsaid


def _asks(message: Message) -> bool:
    return message.text.rstrip().endswith("?")


def _following(messages: Mapping[int, Message]) -> set[int]:
    """Which messages stand right behind another of them, in the same talk; fragments, which are below zero, do not."""
    found = set()
    for seq, message in messages.items():
        before = messages.get(seq - 1)
        if before is None or seq < 0 or before.session != message.session:
            continue
        if abs(message.at - before.at) <= _CLOSE:
            found.add(seq)
    return found


def _said_again_last(
    order: Sequence[int], scores: Mapping[int, float], messages: Mapping[int, Message], k: int
) -> list[tuple[int, float]]:
    """Of messages that say the same the best stays where it is; the others come after everything else."""
    first, again, known = list[int](), list[int](), dict[tuple[str, ...], list[int]]()
    plain = _Plain(messages)
    for seq in order:
        if len(first) == k:
            break
        alike = known.setdefault(_edges(messages[seq]), [])
        repeated = bool(alike) and plain[seq] in [plain[other] for other in alike]
        (again if repeated else first).append(seq)
        if not repeated:
            alike.append(seq)
    last = scores[first[-1]] if first else 0.0
    return [(seq, scores[seq]) for seq in first] + [(seq, min(scores[seq], last)) for seq in again[: k - len(first)]]


def _edges(message: Message) -> tuple[str, ...]:
    """Who says it, how it begins and how it ends: only where these are the same need two be compared whole."""
    text = message.text.rstrip(_ENDS)
    return message.speaker, text.lstrip()[:1].lower(), text[-1:].lower()


class _Plain(dict[int, str]):
    """What messages say, by sequence number, without how it is written: case, spaces, hyphens between letters, how it
    ends. A question stays one, and a number keeps its signs."""

    def __init__(self, messages: Mapping[int, Message]) -> None:
        super().__init__()
        self._messages = messages

    def __missing__(self, seq: int) -> str:
        message = self._messages[seq]
        text = _HYPHEN.sub("", message.text.lower()).rstrip(_ENDS)
        self[seq] = "".join(text.split()) + ("?" if _asks(message) else "")
        return self[seq]


_HYPHEN = expression(r"(?<=[^\W\d_])[-‐‑](?=[^\W\d_])")
_ENDS = " \t\n\r.!…,;:?"
