"""A transaction thought through before it is made: what is slow happens while nobody waits for the store.

A rehearsal reads what is stored and what it has written itself, and writes nothing. Performed in a transaction, it
writes what it wrote, if what it rested on still stands."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain, islice
from typing import Any

from anaphora.errors import IdConflict
from anaphora.ports import Document, Transaction, View
from anaphora.types import Event, Message

__all__ = ["Moved", "Rehearsal", "Unrehearsed"]


class Moved(Exception):
    """Something that was rested on has changed meanwhile."""


class Unrehearsed(Exception):
    """What only a real transaction can do."""


@dataclass(slots=True)
class _Put:
    """A document that will be written, in its last state: all that is written over on the way there is one change."""

    kind: str
    id: str
    body: Mapping[str, Any]

    def __call__(self, tx: Transaction) -> object:
        return tx.put(self.kind, self.id, dict(self.body))


class Rehearsal:
    """Looks like a transaction. Messages have sequence numbers that keep their order, and get their own later. What
    documents of the kinds `aside` say is taken as it was when they were first read, whatever becomes of it; no message
    is looked for under the ids `absent`, and should one be there, adding another will tell."""

    def __init__(self, view: View, aside: Collection[str] = (), absent: Iterable[str] = ()) -> None:
        self._view = view
        self._aside = aside
        self._seq = max((message.seq for message in view.messages(last=1)), default=0)
        self._added: dict[str, Message] = {}
        self._changed: dict[str, Message] = {}
        self._absent = set(absent)
        self._last: dict[tuple[str | None, str | None, int | None], list[Message]] = {}
        self._read: dict[tuple[str, str], int] = {}  # documents that this rests on, by version; 0: not there
        self._lists: dict[str, list[tuple[str, int]]] = {}
        self._now: dict[tuple[str, str], Document | None] = {}
        self._made: dict[str, dict[str, None]] = {}  # by kind, those that were not there before, in their order
        self._waiting: dict[tuple[str, str], _Put] = {}
        self._acts: list[Callable[[Transaction], object]] = []

    def perform(self, tx: Transaction) -> None:
        """Do it. Raises Moved if someone else changed what this rests on; the transaction is to be taken back then."""
        for (kind, id), version in self._read.items():
            there = tx.document(kind, id)
            if (there.version if there is not None else 0) != version:
                raise Moved
        for kind, listed in self._lists.items():
            if [(document.id, document.version) for document in tx.documents(kind)] != listed:
                raise Moved
        try:
            for act in self._acts:
                act(tx)
        except IdConflict as error:  # someone else stored a message of the same id
            raise Moved from error

    # reading

    def message(self, id: str) -> Message | None:
        known = self._added.get(id) or self._changed.get(id)
        if known is not None or id in self._absent:
            return known
        found = self._view.message(id)
        if found is None:  # should another store it meanwhile, adding it will tell
            self._absent.add(id)
        return found

    def messages(
        self,
        *,
        conversation: str | None = None,
        session: str | None = None,
        seqs: Iterable[int] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        after: int | None = None,
        first: int | None = None,
        last: int | None = None,
    ) -> list[Message]:
        if any(given is not None for given in (seqs, since, until, after, first)):
            raise Unrehearsed
        key = (conversation, session, last)
        if key not in self._last:
            self._last[key] = self._view.messages(conversation=conversation, session=session, last=last)
        before = (self._changed.get(message.id, message) for message in reversed(self._last[key]))
        added = (message for message in reversed(self._added.values()) if session in (None, message.session))
        newest_first = (m for m in chain(added, before) if conversation in (None, m.conversation_id))
        return [*islice(newest_first, last)][::-1]

    def document(self, kind: str, id: str) -> Document | None:
        key = (kind, id)
        if key not in self._now:
            found = self._now[key] = self._view.document(kind, id)
            if kind not in self._aside:
                self._read[key] = found.version if found is not None else 0
        return self._now[key]

    def documents(self, kind: str) -> list[Document]:
        if kind not in self._lists:
            found = self._view.documents(kind)
            self._lists[kind] = [(document.id, document.version) for document in found]
            for document in found:
                self._now.setdefault((kind, document.id), document)
        made = self._made.get(kind, {})
        ids = [*(id for id, _ in self._lists[kind] if id not in made), *made]
        listed = (self._now[kind, id] for id in ids)
        return [document for document in listed if document is not None]

    # writing

    def add(self, message: Message) -> Message:
        self._seq += 1
        added = self._added[message.id] = replace(message, seq=self._seq)
        self._acts.append(lambda tx: tx.add(self._added[added.id]))  # as it is by then
        return added

    def replace(self, message: Message) -> None:
        if message.id in self._added:
            self._added[message.id] = message
            return
        old = self.message(message.id)
        if old is not None and old.conversation_id == message.conversation_id:
            self._changed[message.id] = message
        else:  # it would have to be looked for where it was not read
            raise Unrehearsed
        self._acts.append(lambda tx: tx.replace(message))

    def put(self, kind: str, id: str, body: Mapping[str, Any]) -> int:
        if kind in self._aside:  # it may have changed
            raise Unrehearsed
        old = self.document(kind, id)
        version = 1 if old is None else old.version
        if old is None:
            self._made.setdefault(kind, {})[id] = None
        waiting = self._waiting.get((kind, id))
        if waiting is not None:
            waiting.body = body
        else:
            version += old is not None
            self._waiting[kind, id] = act = _Put(kind, id, body)
            self._acts.append(act)
        self._now[kind, id] = Document(kind, id, version, body)
        return version

    def drop(self, kind: str, id: str) -> bool:
        there = self.document(kind, id) is not None
        self._now[kind, id] = None
        self._made.get(kind, {}).pop(id, None)
        self._waiting.pop((kind, id), None)
        if there:
            self._acts.append(lambda tx: tx.drop(kind, id))
        return there

    def emit(self, event: Event) -> Event:
        self._acts.append(lambda tx: tx.emit(event))
        return event

    def remove(self, ids: Iterable[str]) -> int:
        if list(ids):
            raise Unrehearsed
        return 0

    def _only_for_real(self, *_: Any, **__: Any) -> Any:
        raise Unrehearsed

    events = find = nearest = without_vector = has_vectors = put_vectors = blank = reindex = erase = _only_for_real
