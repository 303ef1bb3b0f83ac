"""Recall: reading the store for what fits a query."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import NamedTuple, get_args

from anaphora.engine.embedding import ALSO, embed_query
from anaphora.engine.fragments import Fragments
from anaphora.engine.place import Place
from anaphora.engine.reasons import Reasons
from anaphora.engine.superseding import Past, holds_any, past_of
from anaphora.memory.asking import as_told, asked_for, assistant_in, named_in, tellers_in
from anaphora.memory.periods import local_time, periods_in
from anaphora.memory.ranking import Fit, Fits, Ranked, Seen, Weights, rank
from anaphora.memory.terms import is_slip, stem, terms_of
from anaphora.memory.words import Words, best_of, bm25
from anaphora.ports import Near, View
from anaphora.types import Hit, Message, SignalKind
from anaphora.understanding.patterns import expression

__all__ = ["KINDS", "Filters", "recall"]

# Something said by a person, by the assistant, made from a conversation; or a message that holds a decision and so on.
KINDS: tuple[str, ...] = ("message", "reply", "fragment", *get_args(SignalKind))
_LOOKED_AT = 100  # messages by words, and as many by meaning, of which the final order is made
_LEADING = 40  # of the best of either the neighbours are looked at too
_TIMELY = 60  # newest messages of each time that the query names
_PERIODS = 12
_MENDED = 5  # letters of a word that may be a slip
_SLIP = 0.8  # what the word that was meant weighs
_GLANCES, _GLANCE = 20, 200  # messages, and characters of each, in which it is looked for
_LATELY = 30  # newest messages, whose speakers a query may name
_GONE_THROUGH = 2000  # newest messages, of which those of one speaker are taken
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
_LISTING = frozenset(map(stem, ("all", "every", "any", "list", "show", "latest", "newest", "recent", "last", "so far")))
_IN_ITS_PLACE = "took the place of what fits"
_ADVISING = frozenset(map(stem, ("recommend", "suggest", "advise", "propose", "explain", "answer", "reply", "ask")))


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
        if by is not None and by.lower() not in (message.speaker.lower(), message.role):
            return False
        if self.kind in ("message", "reply"):
            return (message.role == "assistant") == (self.kind == "reply")
        return self.kind is None or any(signal.kind == self.kind for signal in message.signals)


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


class _Whom(NamedTuple):
    """Whose words a query asks for, in small letters, and the terms that name them; `alone` are those of whom it asks
    nothing further than what they said, `anything` that it does not tell what that is like either."""

    speakers: frozenset[str]
    names: frozenset[str]
    alone: frozenset[str]
    anything: bool


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
        self._filters, self._admitted = filters, _admitted(view, filters)
        self._cued = self._by_cues()
        self._place, self._also, self._query, self._own = place, also, query, own
        self._assistant = assistant_in(query, place.scope.agent)
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
        self._times = frozenset(term for period in periods for term in terms_of(period.said))

    def hits(self, k: int, without: str | None) -> list[Hit]:
        order = self._listed(k) if self._names_its_kind() else self._ranked(k, without)
        reasons = Reasons(self._found, self._terms, self._fragments)
        return [reasons.hit(one) for one in order]

    def _ranked(self, k: int, without: str | None) -> list[Ranked]:
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
        whom = self._whom(named)
        if whom.alone:
            messages |= self._said_by(whom.alone, most)
        self._near |= {near.seq: near for near in self._nearest(len(messages), messages.keys() - self._near.keys())}
        if whom.names:  # they stand in what others say to them
            terms = {t: w for t, w in self._terms.items() if t not in whom.names}
            words = Words(self._found, terms, most, self._admitted)
        said = words.of({*messages, *words.best[:1]})
        self._read_fragments(messages, said)
        fits = Fits(messages, said, self._cued, self._near, self._weights)
        others = messages if without is None else {seq: m for seq, m in messages.items() if m.id != without}
        seen = replace(
            self._seen,
            named=bool(named),
            speakers=whom.speakers,
            time_alone=bool(self._times) and self._own.keys() <= {*_TALK, *whom.names, *self._times},
            alone=whom.alone,
            anything=whom.anything,
        )
        order = rank(others, fits, self._asked, seen, k, self._weights)
        if not holds_any(order):
            return order
        past = past_of(self._view, [one.message.id for one in order], self._own.keys())
        if not (seen.periods or seen.alone):
            order = self._newest_first(order, past, fits, without)[:k]
        return [self._dated(one, past.get(one.message.id)) for one in order]

    # what is asked for otherwise

    def _names_its_kind(self) -> bool:
        """Whether it only names the kind of memory that is let through: "decisions", of all decisions."""
        kind = self._filters.kind
        return kind is not None and stem(kind) in self._own and self._own.keys() <= {*_LISTING, stem(kind)}

    def _listed(self, k: int) -> list[Ranked]:
        """All that the filters let through, the newest first."""
        among = {**(self._admitted or {}), **self._fragments.messages}
        newest = sorted(among.values(), key=lambda message: (message.at, message.seq), reverse=True)
        order = [Ranked(message, 1.0, Fit(), (f"of kind {self._filters.kind}",)) for message in newest[:k]]
        past = past_of(self._view, [one.message.id for one in order], self._own.keys())
        return [self._dated(one, past.get(one.message.id)) for one in order]

    def _newest_first(
        self, order: Sequence[Ranked], past: Mapping[str, Past], fits: Fits, without: str | None
    ) -> list[Ranked]:
        """What is past comes behind what took its place, which is brought in where it is missing; unless it is asked
        for by its name."""
        known = {one.message.id: one for one in order}
        placed: dict[str, Ranked] = {}
        for one in order:
            gone = past.get(one.message.id)
            behind = gone is not None and not gone.named and gone.by not in {*placed, without}
            newer = (known.get(gone.by) or self._brought(gone.by, fits)) if gone is not None and behind else None
            if newer is not None:
                reasons = newer.reasons if newer.score else (_IN_ITS_PLACE,)
                placed[newer.message.id] = newer._replace(score=one.score, reasons=reasons)
            placed.setdefault(one.message.id, one)
        return [*placed.values()]

    def _brought(self, id: str, fits: Fits) -> Ranked | None:
        message = self._view.message(id)
        if message is None or (self._admitted is not None and message.seq not in self._admitted):
            return None
        return Ranked(message, 0.0, fits.of(message.seq), ())

    def _dated(self, one: Ranked, past: Past | None) -> Ranked:
        if past is None:
            return one
        zone = self._place.settings.timezone
        since = "" if past.since is None else f" since {local_time(past.since, zone):%Y-%m-%d}"
        return one._replace(past=True, caveat="; ".join(filter(None, (one.caveat, f"past{since}"))))

    # what may fit

    def _named(self, speakers: Iterable[str]) -> tuple[str, ...]:
        """Whom of them the query names. What this memory calls its own two may be a word: a helper, a bot."""
        scope = self._place.scope
        own = [own for own in (scope.user, scope.agent) if own.islower()]
        named = named_in(self._query, speakers, large=own)
        if self._assistant is None:
            return named
        every = dict.fromkeys((*named, self._assistant))
        return tuple(sorted(every, key=self._query.find))

    def _whom(self, named: Sequence[str]) -> _Whom:
        """Whose words are asked for, of those who are named; and whether that, and when, is all."""
        tellers = tellers_in(self._query, named)
        agent = self._place.scope.agent.lower()
        speakers = frozenset(agent if one == self._assistant else one.lower() for one in tellers)
        names = frozenset(term for teller in tellers for term in terms_of(teller))
        left = self._own.keys() - _TALK - names - self._times
        replies = self._asked.role == "assistant"
        whose = speakers if speakers or not replies else frozenset((agent,))
        others = {term for name in named for term in terms_of(name)}
        alone = bool(whose) and (self._asked.saying or replies) and left <= {*_ADVISING, *others}
        return _Whom(speakers, names, whose if alone else frozenset(), alone and not left)

    def _said_by(self, speakers: Collection[str], most: int) -> dict[int, Message]:
        """The newest of what these said."""
        among = self._view.messages(last=_GONE_THROUGH) if self._admitted is None else self._admitted.values()
        return {m.seq: m for m in [m for m in among if m.speaker.lower() in speakers][-most:]}

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


def _words_like(word: str, text: str) -> set[str]:
    """The words that begin as it does and are about as long."""
    return set(re.findall(rf"\b{word[0]}\w{{{len(word) - 2},{len(word)}}}\b", text))


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
