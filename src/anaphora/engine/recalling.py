"""Recall: reading the store for what fits a query."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import get_args

from anaphora.engine.embedding import ALSO, embed_query
from anaphora.engine.fragments import Fragments
from anaphora.engine.hearing import meant_by
from anaphora.engine.place import Place
from anaphora.memory.asking import as_told, asked_for, named_in
from anaphora.memory.passages import LONGEST, pieces_of
from anaphora.memory.periods import local_time, periods_in
from anaphora.memory.ranking import Fit, Fits, Ranked, Seen, Weights, rank
from anaphora.memory.terms import stem, terms_of, words_for
from anaphora.memory.words import Words, best_of, bm25
from anaphora.ports import Near, Posting, View
from anaphora.types import Hit, Message, SignalKind, Span
from anaphora.understanding.patterns import expression

__all__ = ["KINDS", "Filters", "meant", "recall"]

# Something said by a person, by the assistant, made from a conversation; or a message that holds a decision and so on.
KINDS: tuple[str, ...] = ("message", "reply", "fragment", *get_args(SignalKind))
_POINTS = expression(r"\b(?:it|its|this|that|these|those|they|them|he|she|him|one|same)\b", re.IGNORECASE)
_LOOKED_AT = 100  # messages by words, and as many by meaning, of which the final order is made
_LEADING = 40  # of the best of either the neighbours are looked at too
_TIMELY = 60  # newest messages of each time that the query names
_PERIODS = 12
_WORDS_SAID = 4  # words that a reason names
_ALIKE = 0.3  # from here on a reason speaks of likeness
_EXCERPT = 600  # characters in which the words of a reason are looked for
_LATELY = 30  # newest messages, whose speakers a query may name
_ASKING = frozenset(("I", "Who", "Whose", "What", "Which", "When", "Where", "Why", "How", "Did", "Does", "Is"))
_WORD = expression(r"\w+")
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
    kind: str | None = None

    def admits(self, message: Message) -> bool:
        """But for time and conversation, which the store looks after."""
        by = self.speaker
        if by is not None and by.lower() != message.speaker.lower() and by != message.role:
            return False
        if self.kind in ("message", "reply"):
            return (message.role == "assistant") == (self.kind == "reply")
        return self.kind is None or any(signal.kind == self.kind for signal in message.signals)


def meant(view: View, place: Place, query: str, now: datetime) -> str:
    """The query with what its words point to written out, where they point at all and the talk is still running."""
    if not _POINTS.search(query):
        return query
    last = view.messages(session=place.session, last=1)
    running = bool(last) and now - last[0].at <= place.settings.gap_maybe
    return meant_by(view, place, query, now) if running else query


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
    weights: Weights = Weights(),  # noqa: B008  (frozen)
) -> list[Hit]:
    """The memories that fit the query best, each with the reasons. `also` is what matters beside the query: it draws a
    little; `without` is a message that is not looked for."""
    search = _Search(view, place, query, also, now, filters, weights)
    return search.hits(k, without)


class _Search:
    """One query against one scope."""

    def __init__(
        self, view: View, place: Place, query: str, also: str, now: datetime, filters: Filters, weights: Weights
    ) -> None:
        self._view = view
        self._weights = weights
        self._asked = asked_for(query)
        own = terms_of(self._asked.about) or terms_of(query)
        self._terms = {**dict.fromkeys(terms_of(also), ALSO), **dict.fromkeys(own, 1.0)}
        self._found = view.find([*self._terms, *map(stem, self._asked.cues)])
        self._rarest = sorted(self._terms, key=lambda term: (len(self._found.postings[term]), term))
        self._admitted = _admitted(view, filters)
        self._cued = self._by_cues()
        self._place, self._also = place, also
        self._look_for(named_in(query, _heard_lately(view, query)))
        self._fragments = Fragments(view, filters.since, filters.until, filters.conversation)
        if filters.speaker is not None or filters.kind not in (None, "fragment"):
            self._fragments = Fragments()
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
        most = max(_LOOKED_AT, 2 * k)
        words = Words(self._found, self._terms, most, self._admitted)
        messages = self._candidates(words.best, most)
        named = named_in(self._query, {m.speaker for m in messages.values()})
        if not {*named} <= {*self._told_by}:  # who has not spoken lately
            self._look_for(named)
            messages = self._candidates(words.best, most)
        self._near |= {near.seq: near for near in self._nearest(len(messages), messages.keys() - self._near.keys())}
        speakers = frozenset(map(str.lower, named if len(named) == 1 else ()))
        if speakers:  # their names stand in what others say to them
            names = {term for speaker in speakers for term in terms_of(speaker)}
            terms = {t: w for t, w in self._terms.items() if t not in names}
            words = Words(self._found, terms, most, self._admitted)
        said = words.of({*messages, *words.best[:1]})
        self._read_fragments(messages, said)
        fits = Fits(messages, said, self._cued, self._near, self._weights)
        others = messages if without is None else {seq: m for seq, m in messages.items() if m.id != without}
        seen = replace(self._seen, named=bool(named), speakers=speakers)
        order = rank(others, fits, self._asked, seen, k, self._weights)
        return [self._hit(one) for one in order]

    # what may fit

    def _look_for(self, named: Sequence[str]) -> None:
        """What is near in meaning, with those who are named as they would tell it."""
        self._told_by = tuple(named)
        about = as_told(self._asked.about, named) if self._weights.told else self._asked.about
        self._vector = embed_query(self._place, self._view, about, self._also) if self._weights.meaning else None
        self._near = {near.seq: near for near in self._nearest(_LOOKED_AT, self._admitted)}

    def _by_cues(self) -> dict[int, float]:
        cues = {stem(cue): self._found.postings[stem(cue)] for cue in self._asked.cues}
        scores = bm25(cues, self._found.corpus)
        return {seq: s for seq, s in scores.items() if self._admitted is None or seq in self._admitted}

    def _nearest(self, k: int, among: Collection[int] | None) -> list[Near]:
        if self._vector is None or k == 0 or (among is not None and not among):
            return []
        return self._view.nearest(*self._vector, k, among)

    def _candidates(self, by_words: Sequence[int], most: int) -> dict[int, Message]:
        """By sequence number what may fit: the best by words and by meaning, what the query's kind and time look for,
        and what stands beside the best."""
        leading = [*by_words[:_LEADING], *list(self._near)[:_LEADING]]
        beside = [*[seq - 1 for seq in leading], *[seq + 1 for seq in leading]]
        seqs = {*by_words, *best_of(self._cued, most // 3), *self._near, *beside}
        if self._admitted is not None:
            timely = [m.seq for m in self._admitted.values() if any(m.at in p for p in self._seen.periods)]
            return {seq: self._admitted[seq] for seq in sorted({*seqs, *timely}) if seq in self._admitted}
        for period in self._seen.periods:
            seqs |= {m.seq for m in self._view.messages(since=period.start, until=period.end, last=_TIMELY)}
        return {m.seq: m for m in self._view.messages(seqs=sorted(seqs))}

    def _read_fragments(self, messages: dict[int, Message], words: dict[int, float]) -> None:
        """Fragments are weighed like messages: found by their own words, and as near as the nearest of theirs."""
        fragments = self._fragments.messages
        if not fragments:
            return
        near = {messages[seq].id: one.score for seq, one in self._near.items() if seq in messages}
        for seq, fragment in fragments.items():
            messages[seq] = fragment
            score = self._fragments.score(seq, self._terms, self._found)
            if score:
                words[seq] = score
            alike = [near[id] for id in self._fragments.sources(seq) if id in near]
            if alike:
                self._near[seq] = Near(seq, 0, max(alike))

    # what is said of it

    def _hit(self, one: Ranked) -> Hit:
        message = one.message
        piece = one.fit.piece if message.seq > 0 else None
        span = None if piece is None else _span(message.full, piece)
        fragment = message.id if message.seq < 0 else None
        return Hit(
            text=message.text,
            score=round(one.score, 4),
            why=", ".join([*self._reasons(message, one.fit, span), *one.reasons]) or "from the same talk",
            at=message.at,
            message_id=None if fragment else message.id,
            fragment_id=fragment,
            role=message.role,
            speaker=message.speaker,
            conversation_id=message.conversation_id,
            expanded=message.expanded,
            span=span,
            alike=None if one.fit.alike is None else round(one.fit.alike, 4),
        )

    def _reasons(self, message: Message, fit: Fit, span: Span | None) -> Iterable[str]:
        if fit.words:
            held = self._held(message.seq)
            if all(self._terms[term] == ALSO for term in held):
                yield "for an open goal"
            yield "it says " + ", ".join(f"“{word}”" for word in self._said(message, held, span))
        if fit.alike is not None and fit.alike >= _ALIKE:
            yield f"close in meaning ({fit.alike:.2f})"

    def _held(self, seq: int) -> list[str]:
        """The terms of the query that it holds, the rarest first."""
        if seq < 0:
            return [term for term in self._rarest if self._fragments.holds(seq, term)]
        postings = self._found.postings
        return [term for term in self._rarest if _holds(postings[term], seq)]

    def _said(self, message: Message, held: Sequence[str], span: Span | None) -> list[str]:
        """The terms that it was found by, as it says them."""
        text = message.text[:_EXCERPT] if span is None else message.full[slice(*span)]
        if message.expanded is not None:
            text += "\n" + message.expanded[:_EXCERPT]
        rarest = held[:_WORDS_SAID]
        said = words_for(rarest, text)
        return [said.get(term, term) for term in rarest]


def _admitted(view: View, filters: Filters) -> dict[int, Message] | None:
    """By sequence number the messages that the filters let through; None where there are no filters."""
    if filters == Filters():
        return None
    within = view.messages(conversation=filters.conversation, since=filters.since, until=filters.until)
    return {m.seq: m for m in within if filters.admits(m)}


def _heard_lately(view: View, query: str) -> set[str]:
    """Who spoke lately, where the query may name someone."""
    if not any(word[0].isalpha() and not word[0].islower() for word in _WORD.findall(query) if word not in _ASKING):
        return set()
    return {message.speaker for message in view.messages(last=_LATELY)}


def _holds(postings: Sequence[Posting], seq: int) -> bool:
    at = bisect_left(postings, (seq,))
    return at < len(postings) and postings[at][0] == seq


def _span(text: str, piece: int) -> Span | None:
    """The place of a piece; None where there is but one."""
    if len(text) <= LONGEST:
        return None
    pieces = pieces_of(text)
    return pieces[piece] if 1 < len(pieces) > piece else None
