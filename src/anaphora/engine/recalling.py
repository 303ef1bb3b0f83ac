"""Recall: reading the store for what fits a query."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from heapq import nlargest

from anaphora.assembly import local_time
from anaphora.engine.embedding import ALSO, embed_query
from anaphora.engine.place import Place
from anaphora.memory.asking import asked_for
from anaphora.memory.passages import pieces_of
from anaphora.memory.periods import periods_in
from anaphora.memory.ranking import Fit, Ranked, Seen, bm25, rank
from anaphora.memory.terms import stem, terms_of, words_by_term
from anaphora.ports import Near, Posting, View
from anaphora.types import Hit, Message, Span

__all__ = ["Filters", "recall"]

_LOOKED_AT = 150  # messages by words, and as many by meaning, of which the final order is made
_LEADING = 40  # of the best of them the neighbours are looked at too
_TIMELY = 60  # newest messages of each time that the query names
_PERIODS = 12
_WORDS_SAID = 4  # words that a reason names
ALIKE = 0.3  # from here on a reason speaks of likeness
_EXCERPT = 600  # characters in which the words of a reason are looked for
_TALK = frozenset(
    map(stem, ("talk", "talked", "discuss", "say", "said", "happen", "chat", "speak", "spoke", "mention", "go", "went"))
)


@dataclass(frozen=True, slots=True)
class Filters:
    """What a memory must be, whatever it says. `until` is exclusive."""

    since: datetime | None = None
    until: datetime | None = None
    speaker: str | None = None
    conversation: str | None = None

    @property
    def narrow(self) -> bool:
        return self != Filters()

    def admits(self, message: Message) -> bool:
        speaker = self.speaker
        return speaker is None or message.speaker.lower() == speaker.lower() or message.role == speaker


def recall(
    view: View,
    place: Place,
    query: str,
    k: int,
    now: datetime,
    *,
    filters: Filters = Filters(),  # noqa: B008  (frozen)
    also: str = "",
    without: str | None = None,
) -> list[Hit]:
    """The messages that fit the query best, each with the reasons. `also` is what matters beside the query: it draws a
    little; `without` is a message that is not looked for."""
    return _Search(view, place, query, also, now, filters).hits(k, without)


class _Search:
    """One query against one scope."""

    def __init__(self, view: View, place: Place, query: str, also: str, now: datetime, filters: Filters) -> None:
        self._view = view
        self._asked = asked_for(query)
        own = terms_of(self._asked.about) or terms_of(query)
        self._terms = {**dict.fromkeys(terms_of(also), ALSO), **dict.fromkeys(own, 1.0)}
        self._cues = [stem(word) for word in self._asked.cues]
        self._found = view.find([*self._terms, *self._cues])
        self._admitted = _admitted(view, filters)
        self._words = self._by_words(self._terms)
        self._cued = self._by_words(dict.fromkeys(self._cues, 1.0))
        self._vector = embed_query(place, view, self._asked.about, also)
        self._near = {near.seq: near for near in self._nearest(_LOOKED_AT, self._admitted)}
        periods = periods_in(query, local_time(now, place.settings.timezone))[:_PERIODS]
        self._seen = Seen(
            now,
            place.session,
            place.settings.session_window,
            place.scope.agent,
            periods=periods,
            time_alone=own.keys() <= {*_TALK, *(term for period in periods for term in terms_of(period.said))},
        )
        self._query = query

    def hits(self, k: int, without: str | None) -> list[Hit]:
        messages = self._candidates(max(_LOOKED_AT, 2 * k))
        self._near |= {near.seq: near for near in self._nearest(len(messages), messages.keys() - self._near.keys())}
        speakers = _named(self._query, {m.speaker for m in messages.values()})
        if speakers:  # their names stand in what others say to them
            names = {term for speaker in speakers for term in terms_of(speaker)}
            self._words = self._by_words({t: w for t, w in self._terms.items() if t not in names})
        fits = self._fits(messages)
        others = [m for m in messages.values() if m.id != without]
        order = rank(others, fits, self._asked, replace(self._seen, speakers=speakers))
        return [self._hit(one) for one in order[:k]]

    def _by_words(self, weights: Mapping[str, float]) -> dict[int, float]:
        postings = {term: self._found.postings[term] for term in weights}
        scores = bm25(postings, self._found.corpus, weights)
        if self._admitted is not None:
            scores = {seq: score for seq, score in scores.items() if seq in self._admitted}
        return scores

    def _nearest(self, k: int, among: Iterable[int] | None) -> list[Near]:
        if self._vector is None or k == 0:
            return []
        return self._view.nearest(*self._vector, k, among)

    def _candidates(self, most: int) -> dict[int, Message]:
        """By sequence number what may fit: the best by words and by meaning, what the query's kind and time look for,
        and what stands beside the best."""
        seqs = {*_best(self._words, most), *_best(self._cued, most // 3), *self._near}
        fits = self._fits(seqs)
        leading = nlargest(_LEADING, seqs, key=lambda seq: (fits[seq].score, seq))
        seqs |= {seq + step for seq in leading for step in (-1, 1)}
        if self._admitted is not None:
            timely = [m.seq for m in self._admitted.values() if any(m.at in p for p in self._seen.periods)]
            return {seq: self._admitted[seq] for seq in sorted({*seqs, *timely}) if seq in self._admitted}
        for period in self._seen.periods:
            seqs |= {m.seq for m in self._view.messages(since=period.start, until=period.end, last=_TIMELY)}
        return {m.seq: m for m in self._view.messages(seqs=seqs)}

    def _fits(self, seqs: Iterable[int]) -> dict[int, Fit]:
        best_words = max(self._words.values(), default=0.0) or 1.0
        best_cue = max(self._cued.values(), default=0.0) or 1.0
        best_alike = max((near.score for near in self._near.values()), default=0.0) or 1.0
        found = {}
        for seq in seqs:
            near = self._near.get(seq)
            found[seq] = Fit(
                words=self._words.get(seq, 0.0) / best_words,
                meaning=0.0 if near is None else max(0.0, near.score) / best_alike,
                alike=None if near is None else near.score,
                piece=None if near is None else near.piece,
                cued=self._cued.get(seq, 0.0) / best_cue,
            )
        return found

    def _hit(self, one: Ranked) -> Hit:
        message, fit = one.message, one.fit
        span = None if fit.piece is None else _span(message.full, fit.piece)
        reasons = []
        if fit.words:
            held = [term for term in self._terms if _holds(self._found.postings[term], message.seq)]
            if all(self._terms[term] == ALSO for term in held):
                reasons.append("for an open goal")
            reasons.append("it says " + ", ".join(f"“{word}”" for word in self._said(message, held, span)))
        if fit.alike is not None and fit.alike >= ALIKE:
            reasons.append(f"close in meaning ({fit.alike:.2f})")
        return Hit(
            text=message.text,
            score=round(one.score, 4),
            why=", ".join([*reasons, *one.reasons]) or "from the same talk",
            at=message.at,
            message_id=message.id,
            role=message.role,
            speaker=message.speaker,
            conversation_id=message.conversation_id,
            expanded=message.expanded,
            span=span,
            alike=None if fit.alike is None else round(fit.alike, 4),
        )

    def _said(self, message: Message, held: Iterable[str], span: Span | None) -> list[str]:
        """Of the terms that it was found by the rarest, as it says them."""
        postings = self._found.postings
        start, end = span or (0, _EXCERPT)
        said = words_by_term(f"{message.text[:_EXCERPT]}\n{message.full[start:end]}")
        rarest = sorted(held, key=lambda term: (len(postings[term]), term))[:_WORDS_SAID]
        return [said.get(term, term) for term in rarest]


def _admitted(view: View, filters: Filters) -> dict[int, Message] | None:
    """By sequence number the messages that the filters let through; None where there are no filters."""
    if not filters.narrow:
        return None
    within = view.messages(conversation=filters.conversation, since=filters.since, until=filters.until)
    return {m.seq: m for m in within if filters.admits(m)}


def _best(scores: Mapping[int, float], most: int) -> list[int]:
    return nlargest(most, scores, key=lambda seq: (scores[seq], seq))


def _named(query: str, speakers: Iterable[str]) -> frozenset[str]:
    """The speaker that a query names, in lower case; nobody where it names several, or none."""
    named = {s.lower() for s in speakers if s and re.search(rf"\b{re.escape(s[:1].upper() + s[1:])}\b", query)}
    return frozenset(named if len(named) == 1 else ())


def _holds(postings: Sequence[Posting], seq: int) -> bool:
    at = bisect_left(postings, (seq,))
    return at < len(postings) and postings[at][0] == seq


def _span(text: str, piece: int) -> Span | None:
    """The place of a piece; None where the text has been cut otherwise since."""
    pieces = pieces_of(text)
    return pieces[piece] if piece < len(pieces) and len(pieces) > 1 else None
