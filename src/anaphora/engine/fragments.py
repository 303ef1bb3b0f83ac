"""Fragments as recall sees them: few, read whole, weighed like messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property

from anaphora.codec import from_plain
from anaphora.memory.ranking import gain, rarity
from anaphora.memory.terms import terms_of
from anaphora.ports import Found, View
from anaphora.types import Fragment, Message

__all__ = ["Fragments"]

_KIND = "fragment"


class Fragments:
    """The fragments of a scope that fit the filters; each as a message whose sequence number is below zero."""

    def __init__(
        self,
        view: View | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        conversation: str | None = None,
    ) -> None:
        documents = [] if view is None else view.documents(_KIND)
        every = [from_plain(Fragment, document.body) for document in documents]
        self._all: Mapping[int, Fragment] = {
            -number: one
            for number, one in enumerate(every, 1)
            if (since is None or one.at >= since)
            and (until is None or one.at < until)
            and conversation in (None, one.conversation_id)
        }

    @cached_property
    def messages(self) -> Mapping[int, Message]:
        return {
            seq: Message(
                id=one.id,
                role="assistant",
                text=f"{one.title}\n{one.text}" if one.title and not one.text.startswith(one.title) else one.text,
                at=one.at,
                speaker=one.author,
                session="",
                conversation_id=one.conversation_id,
                seq=seq,
                importance=one.importance,
            )
            for seq, one in self._all.items()
        }

    def sources(self, seq: int) -> Sequence[str]:
        """The ids of the messages that it was made from."""
        return self._all[seq].message_ids

    def holds(self, seq: int, term: str) -> bool:
        return term in self._terms[seq]

    def score(self, seq: int, weights: Mapping[str, float], found: Found) -> float:
        """What its words give it, by the statistics of the messages."""
        counts = self._terms[seq]
        length = sum(counts.values())
        return sum(
            weights[term] * rarity(len(found.postings[term]), found.corpus) * gain(counts[term], length, found.corpus)
            for term in sorted(weights.keys() & counts.keys())
        )

    @cached_property
    def _terms(self) -> Mapping[int, Mapping[str, int]]:
        return {seq: terms_of(message.text) for seq, message in self.messages.items()}
