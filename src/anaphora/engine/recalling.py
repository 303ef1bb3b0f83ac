"""Recall: reading the store for what fits a query."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import get_args

from anaphora.engine.embedding import ALSO, embed_query
from anaphora.engine.fragments import Fragments
from anaphora.engine.hearing import meant_by
from anaphora.engine.place import Place
from anaphora.memory.asking import as_told, asked_for, named_in
from anaphora.memory.passages import LONGEST, pieces_of
from anaphora.memory.periods import local_time, periods_in
from anaphora.memory.ranking import LEAST_ALIKE, Fit, Fits, Ranked, Seen, Weights, rank
from anaphora.memory.terms import is_slip, stem, terms_of, words_for
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
_MENDED = 5  # letters of a word that may be a slip
_SLIP = 0.8  # what the word that was meant weighs
_GLANCES, _GLANCE = 20, 200  # messages, and characters of each, in which it is looked for
_LATELY = 30  # newest messages, whose speakers a query may name
_ASKING = frozenset(("I", "Who", "Whose", "What", "Which", "When", "Where", "Why", "How", "Did", "Does", "Is"))
_WORD = expression(r"\w+")
_TALK = frozenset(
    map(
        stem,
        (
            *("talk", "talked", "discuss", "say", "said", "happen", "chat", "speak", "spoke", "mention", "go", "went"),
            *(
                "told",
                "new",
                "thing",
                "earlier",
                "end",
                "beginning",
                "start",
                "middle",
                "mid",
                "early",
                "late",
                "during",
            ),
        ),
    )
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
        own = terms_of(self._asked.words) or terms_of(self._asked.about) or terms_of(query)
        self._terms = {**dict.fromkeys(terms_of(also), ALSO), **dict.fromkeys(own, 1.0)}
        self._found = view.find([*self._terms, *map(stem, self._asked.cues)])
        self._rarest = sorted(self._terms, key=lambda term: (len(self._found.postings[term]), term))
        self._admitted = _admitted(view, filters)
        self._cued = self._by_cues()
        self._place, self._also, self._query, self._own = place, also, query, own
        self._look_for(self._named(_heard_lately(view, query)))
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
        )

    def hits(self, k: int, without: str | None) -> list[Hit]:
        most = max(_LOOKED_AT, 2 * k)
        words = Words(self._found, self._terms, most, self._admitted)
        messages = self._candidates(words.best, most)
        if self._mended(messages):
            words = Words(self._found, self._terms, most, self._admitted)
            messages = self._candidates(words.best, most)
        named = self._named({m.speaker for m in messages.values()})
        if not {*named} <= {*self._told_by}:  # who has not spoken lately
            self._look_for(named)
            messages = self._candidates(words.best, most)
        self._near |= {near.seq: near for near in self._nearest(len(messages), messages.keys() - self._near.keys())}
        speakers = frozenset(map(str.lower, named if len(named) == 1 else ()))
        names = {term for speaker in speakers for term in terms_of(speaker)}
        if names:  # they stand in what others say to them
            terms = {t: w for t, w in self._terms.items() if t not in names}
            words = Words(self._found, terms, most, self._admitted)
        said = words.of({*messages, *words.best[:1]})
        self._read_fragments(messages, said)
        fits = Fits(messages, said, self._cued, self._near, self._weights)
        others = messages if without is None else {seq: m for seq, m in messages.items() if m.id != without}
        seen = replace(self._seen, named=bool(named), speakers=speakers, time_alone=self._asks_when(names))
        order = rank(others, fits, self._asked, seen, k, self._weights)
        return [self._hit(one) for one in order]

    # what may fit

    def _named(self, speakers: Iterable[str]) -> tuple[str, ...]:
        """Whom of them the query names. What this memory calls its own two may be a word: a helper, a bot."""
        scope = self._place.scope
        return named_in(self._query, speakers, large=[own for own in (scope.user, scope.agent) if own.islower()])

    def _asks_when(self, names: Collection[str]) -> bool:
        """Whether it asks for a time, and for whoever is named, and for nothing else."""
        times = {term for period in self._seen.periods for term in terms_of(period.said)}
        return bool(times) and self._own.keys() <= {*_TALK, *names, *times}

    def _look_for(self, named: Sequence[str]) -> None:
        """What is near in meaning, with those who are named as they would tell it."""
        self._told_by = tuple(named)
        about = as_told(self._asked.about, named) if self._weights.told else self._asked.about
        self._vector = embed_query(self._place, self._view, about, self._also) if self._weights.meaning else None
        self._near = {near.seq: near for near in self._nearest(_LOOKED_AT, self._admitted)}

    def _mended(self, messages: Mapping[int, Message]) -> bool:
        """Whether a word of the query that nobody said is a slip for one that is said in what is near in meaning; then
        that one is looked for too."""
        meant = self._slips(messages) - self._terms.keys()
        if meant:
            self._terms |= dict.fromkeys(meant, _SLIP)
            self._found = self._view.find([*self._terms, *map(stem, self._asked.cues)])
            self._rarest = sorted(self._terms, key=lambda term: (len(self._found.postings[term]), term))
        return bool(meant)

    def _slips(self, messages: Mapping[int, Message]) -> set[str]:
        """What may have been meant by words of the query that nobody said; a number is what it is."""
        postings = self._found.postings
        if all(postings[term] for term in self._own):
            return set()
        words = [w for w in _WORD.findall(self._asked.words.lower()) if len(w) >= _MENDED and w.isalpha()]
        strange = [w for w in words if stem(w) in self._own and not postings[stem(w)]]
        if not strange:
            return set()
        near = islice(self._near or messages, _GLANCES)
        texts = " ".join([messages[seq].text[:_GLANCE] for seq in near if seq in messages]).lower()
        return {stem(word) for typed in strange for word in _words_like(typed, texts) if is_slip(typed, word)}

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
            if period.told_until > period.end:
                after = self._view.messages(since=period.end, until=period.told_until, first=_TIMELY)
                seqs |= {m.seq for m in after if period.is_told_by(m.text, m.at)}
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
            why=", ".join([*self._reasons(message, one.fit, span), *one.reasons]),
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
            said, meant = self._said(message, held, span)
            yield from [f"it {verb} {_quoted(words)}" for verb, words in (("says", said), ("means", meant)) if words]
        if fit.alike is not None and fit.alike >= _ALIKE:
            yield f"close in meaning ({fit.alike:.2f})"
        elif not fit.words and fit.alike is not None and fit.alike >= LEAST_ALIKE:
            yield f"a little like it ({fit.alike:.2f})"

    def _held(self, seq: int) -> list[str]:
        """The terms of the query that it holds, the rarest first."""
        if seq < 0:
            return [term for term in self._rarest if self._fragments.holds(seq, term)]
        postings = self._found.postings
        return [term for term in self._rarest if _holds(postings[term], seq)]

    def _said(self, message: Message, held: Sequence[str], span: Span | None) -> tuple[list[str], list[str]]:
        """The terms that it was found by, as it says them; and those that it says only as it was understood."""
        rarest = held[:_WORDS_SAID]
        if message.expanded is None:
            text = message.text[:_EXCERPT] if span is None else message.full[slice(*span)]
            said = words_for(rarest, text)
            return [said.get(term, term) for term in rarest], []
        said = words_for(rarest, message.text)
        meant = [term for term in rarest if term not in said]
        forms = words_for(meant, message.expanded[:_EXCERPT])
        return [said[term] for term in rarest if term in said], [forms.get(term, term) for term in meant]


def _words_like(word: str, text: str) -> set[str]:
    """The words that begin as it does and are about as long."""
    return set(re.findall(rf"\b{word[0]}\w{{{len(word) - 2},{len(word)}}}\b", text))


def _quoted(words: Iterable[str]) -> str:
    return ", ".join(f"“{word}”" for word in words)


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
