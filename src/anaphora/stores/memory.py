"""The reference store: plain Python, gone with the process. What it does is what every store must do."""

from __future__ import annotations

import threading
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import islice
from typing import Any

from anaphora.errors import IdConflict, NotFound, StoreError
from anaphora.ports import Corpus, Document, Posting, TermsOf
from anaphora.stores.indexing import indexed_text
from anaphora.types import Event, Message, Scope

__all__ = ["MemoryStore"]


@dataclass
class _Room:
    """Everything of one scope."""

    messages: dict[str, Message] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)  # sequence numbers, rising
    by_seq: dict[int, Message] = field(default_factory=dict)
    terms: dict[str, dict[int, Posting]] = field(default_factory=dict)
    corpus: Corpus = Corpus(0, 0)
    documents: dict[tuple[str, str], tuple[int, Document]] = field(default_factory=dict)  # with the order of making
    events: list[Event] = field(default_factory=list)
    last_seq: int = 0
    documents_made: int = 0


class MemoryStore:
    """Holds a room a scope. A transaction works on the room itself and undoes itself if it fails."""

    def __init__(self, terms_of: TermsOf) -> None:
        self._terms_of = terms_of
        self._rooms: dict[Scope, _Room] = {}
        self._lock = threading.RLock()
        self._closed = False

    def view(self, scope: Scope) -> _Transaction:
        return _Transaction(self._room(scope), self._terms_of, self._lock)

    @contextmanager
    def transaction(self, scope: Scope) -> Iterator[_Transaction]:
        with self._lock:
            room = self._room(scope)
            handle = _Transaction(room, self._terms_of, self._lock)
            try:
                yield handle
            except BaseException:
                handle.take_back()
                raise

    def close(self) -> None:
        with self._lock:
            self._rooms.clear()
            self._closed = True

    def _room(self, scope: Scope) -> _Room:
        with self._lock:
            if self._closed:
                raise StoreError("The store is closed.", remedy="Open it again.")
            return self._rooms.setdefault(scope, _Room())


class _Transaction:
    """Reads and writes one room; remembers how to take each write back."""

    def __init__(self, room: _Room, terms_of: TermsOf, lock: threading.RLock) -> None:
        self._room = room
        self._terms_of = terms_of
        self._lock = lock
        self._undo: list[Callable[[], object]] = []

    # reading

    def message(self, id: str) -> Message | None:
        return self._room.messages.get(id)

    def messages(
        self,
        *,
        conversation: str | None = None,
        session: str | None = None,
        seqs: Iterable[int] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        last: int | None = None,
    ) -> list[Message]:
        def fits(m: Message) -> bool:
            return (
                (conversation is None or m.conversation_id == conversation)
                and (session is None or m.session == session)
                and (since is None or m.at >= since)
                and (until is None or m.at < until)
            )

        with self._lock:
            by_seq = self._room.by_seq
            order = self._room.order if seqs is None else sorted(s for s in set(seqs) if s in by_seq)
            newest_first = (by_seq[seq] for seq in reversed(order))
            found = list(islice(filter(fits, newest_first), last))
        return found[::-1]

    def document(self, kind: str, id: str) -> Document | None:
        found = self._room.documents.get((kind, id))
        return None if found is None else _copy(found[1])

    def documents(self, kind: str) -> list[Document]:
        with self._lock:
            found = sorted((made, id) for (k, id), (made, _) in self._room.documents.items() if k == kind)
            return [_copy(self._room.documents[kind, id][1]) for _, id in found]

    def events(self, since: int = 0, limit: int | None = None) -> list[Event]:
        with self._lock:
            return self._room.events[since:][:limit]

    def postings(self, terms: Iterable[str]) -> Mapping[str, Sequence[Posting]]:
        with self._lock:
            return {term: sorted(self._room.terms.get(term, {}).values()) for term in set(terms)}

    def corpus(self) -> Corpus:
        return self._room.corpus

    # writing

    def add(self, message: Message) -> Message:
        room = self._room
        if message.id in room.messages:
            raise IdConflict(f"A message with the id {message.id!r} is there already.")
        room.last_seq += 1
        stored = replace(message, seq=room.last_seq)
        self._insert(stored)
        self._undo += [partial(setattr, room, "last_seq", stored.seq - 1), partial(self._delete, stored)]
        return stored

    def replace(self, message: Message) -> None:
        old = self._room.messages.get(message.id)
        if old is None:
            raise NotFound(f"There is no message {message.id!r}.")
        new = replace(message, seq=old.seq)
        self._delete(old)
        self._insert(new)
        self._undo += [partial(self._insert, old), partial(self._delete, new)]

    def remove(self, ids: Iterable[str]) -> int:
        gone = [self._room.messages[id] for id in dict.fromkeys(ids) if id in self._room.messages]
        for message in gone:
            self._delete(message)
            self._undo.append(partial(self._insert, message))
        return len(gone)

    def put(self, kind: str, id: str, body: Mapping[str, Any]) -> int:
        old = self._room.documents.get((kind, id))
        self._room.documents_made += 1
        made, version = (self._room.documents_made, 1) if old is None else (old[0], old[1].version + 1)
        self._room.documents[kind, id] = (made, Document(kind, id, version, deepcopy(dict(body))))
        self._undo.append(partial(self._put_back, (kind, id), old))
        return version

    def drop(self, kind: str, id: str) -> bool:
        old = self._room.documents.pop((kind, id), None)
        self._undo.append(partial(self._put_back, (kind, id), old))
        return old is not None

    def emit(self, event: Event) -> Event:
        stored = replace(event, seq=len(self._room.events) + 1)
        self._room.events.append(stored)
        self._undo.append(self._room.events.pop)
        return stored

    def take_back(self) -> None:
        for undo in reversed(self._undo):
            undo()

    # rows and index together

    def _insert(self, message: Message) -> None:
        room = self._room
        room.messages[message.id] = room.by_seq[message.seq] = message
        insort(room.order, message.seq)
        terms = self._terms_of(indexed_text(message))
        length = sum(terms.values())
        for term, times in terms.items():
            room.terms.setdefault(term, {})[message.seq] = Posting(message.seq, times, length)
        room.corpus = Corpus(room.corpus.messages + 1, room.corpus.terms + length)

    def _delete(self, message: Message) -> None:
        room = self._room
        del room.messages[message.id], room.by_seq[message.seq]
        del room.order[bisect_left(room.order, message.seq)]
        terms = self._terms_of(indexed_text(message))
        for term in terms:
            del room.terms[term][message.seq]
            if not room.terms[term]:
                del room.terms[term]
        room.corpus = Corpus(room.corpus.messages - 1, room.corpus.terms - sum(terms.values()))

    def _put_back(self, key: tuple[str, str], old: tuple[int, Document] | None) -> None:
        if old is None:
            self._room.documents.pop(key, None)
        else:
            self._room.documents[key] = old


def _copy(document: Document) -> Document:
    return replace(document, body=deepcopy(document.body))
