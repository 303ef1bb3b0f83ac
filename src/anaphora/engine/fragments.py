"""Fragments as recall sees them: few, read whole, weighed like messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from anaphora.engine.documents import made_of, value_of
from anaphora.memory.terms import terms_of
from anaphora.memory.words import gain, rarity
from anaphora.ports import Document, Found, View
from anaphora.types import Fragment, Message

__all__ = ["Fragments"]

_KIND = "fragment"
_BY = "summary"  # nobody said it: whoever archived it is its author, not its speaker


@dataclass(frozen=True, slots=True)
class _Read:
    """A fragment as recall sees it: as a message, whose sequence number is below zero, and by its words."""

    fragment: Fragment
    message: Message
    counts: Mapping[str, int]
    length: int


class Fragments:
    """The fragments of a scope that fit the filters, by their numbers, which are below zero."""

    def __init__(
        self,
        view: View | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        conversation: str | None = None,
    ) -> None:
        documents = [] if view is None else view.documents(_KIND)
        every = ((-number, _read(document, -number)) for number, document in enumerate(documents, 1))
        self._all: Mapping[int, _Read] = {
            seq: one
            for seq, one in every
            if (since is None or one.fragment.at >= since)
            and (until is None or one.fragment.at < until)
            and conversation in (None, one.fragment.conversation_id)
        }

    @property
    def messages(self) -> Mapping[int, Message]:
        return {seq: one.message for seq, one in self._all.items()}

    def sources(self, seq: int) -> Sequence[str]:
        """The ids of the messages that it was made from."""
        return self._all[seq].fragment.message_ids

    def holds(self, seq: int, term: str) -> bool:
        return term in self._all[seq].counts

    def score(self, seq: int, weights: Mapping[str, float], found: Found) -> float:
        """What its words give it, by the statistics of the messages."""
        one = self._all[seq]
        return sum(
            weights[term]
            * rarity(len(found.postings[term]), found.corpus)
            * gain(one.counts[term], one.length, found.corpus)
            for term in sorted(weights.keys() & one.counts.keys())
        )


def _read(document: Document, seq: int) -> _Read:
    def read() -> _Read:
        one = value_of(Fragment, document)
        message = Message(
            id=one.id,
            role="assistant",
            text=f"{one.title}\n{one.text}" if one.title and not one.text.startswith(one.title) else one.text,
            at=one.at,
            speaker=_BY,
            session="",
            conversation_id=one.conversation_id,
            seq=seq,
            importance=one.importance,
        )
        counts = terms_of(message.text)
        return _Read(one, message, counts, sum(counts.values()))

    return made_of(document, (_Read, seq), read)
