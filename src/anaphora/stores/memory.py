"""The reference store: plain Python, gone with the process. What it does is what every store must do."""

from __future__ import annotations

import json
import threading
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from anaphora.codec import to_plain
from anaphora.errors import IdConflict, NotFound, StoreError
from anaphora.ports import Corpus, Document, Found, Near, Posting, TermsOf
from anaphora.stores.indexing import indexed_text
from anaphora.stores.records import document_of
from anaphora.stores.vectors import packed
from anaphora.types import Event, Message, Scope

__all__ = ["MemoryStore"]


class _Kept(NamedTuple):
    """A document: its place in the order of making, and its body as text, so that nobody else can change it."""

    made: int
    version: int
    body: str


@dataclass
class _Room:
    """Everything of one scope."""

    messages: dict[str, Message] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)  # sequence numbers, rising
    by_seq: dict[int, Message] = field(default_factory=dict)
    by_session: dict[str, list[int]] = field(default_factory=dict)  # sequence numbers, rising
    terms: dict[str, dict[int, Posting]] = field(default_factory=dict)
    corpus: Corpus = Corpus(0, 0)
    documents: dict[tuple[str, str], _Kept] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    vectors: dict[str, dict[int, list[bytes]]] = field(default_factory=dict)  # by model and sequence number
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
        return _Transaction(self, scope)

    @contextmanager
    def transaction(self, scope: Scope) -> Iterator[_Transaction]:
        with self.room(scope):
            handle = _Transaction(self, scope, writable=True)
            try:
                yield handle
            except BaseException:
                handle.take_back()
                raise
            finally:
                handle.writable = False

    def scopes(self) -> list[Scope]:
        with self._lock:
            return [scope for scope, room in self._rooms.items() if room != _Room()]

    def verify(self, scope: Scope | None = None) -> list[str]:
        """The index against the messages; there is nothing else here that could be out of step."""
        with self._lock:
            rooms = [self._rooms[s] for s in ([scope] if scope else self._rooms) if s in self._rooms]
            fresh = [_Room() for _ in rooms]
            for room, anew in zip(rooms, fresh, strict=True):
                for message in room.messages.values():
                    _insert(anew, message, self.terms_of(message))
            wrong = [r for r, f in zip(rooms, fresh, strict=True) if (r.terms, r.corpus) != (f.terms, f.corpus)]
            return ["the index does not match the messages"] * len(wrong)

    def erased_elsewhere(self, scope: Scope) -> bool:  # noqa: ARG002 - no other process can
        return False

    def scrub(self) -> list[str]:
        return []

    def close(self) -> None:
        with self._lock:
            self._rooms.clear()
            self._closed = True

    @contextmanager
    def room(self, scope: Scope) -> Iterator[_Room]:
        """The room of a scope, with nobody else in any room."""
        with self._lock:
            if self._closed:
                raise StoreError("The store is closed.", remedy="Open it again.")
            yield self._rooms.setdefault(scope, _Room())

    def terms_of(self, message: Message) -> Mapping[str, int]:
        return self._terms_of(indexed_text(message))


class _Transaction:
    """Reads and writes one room; remembers how to take each write back."""

    def __init__(self, store: MemoryStore, scope: Scope, *, writable: bool = False) -> None:
        self._store = store
        self._scope = scope
        self._undo: list[Callable[[], object]] = []
        self.writable = writable

    # reading

    def message(self, id: str) -> Message | None:
        with self._reading() as room:
            found = room.messages.get(id)
            return None if found is None else _own_message(found)

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
        def fits(m: Message) -> bool:
            return (
                (conversation is None or m.conversation_id == conversation)
                and (session is None or m.session == session)
                and (since is None or m.at >= since)
                and (until is None or m.at < until)
                and (after is None or m.seq > after)
            )

        with self._reading() as room:
            by_seq = room.by_seq
            order = room.order if session is None else room.by_session.get(session, [])
            order = order if seqs is None else sorted(s for s in set(seqs) if s in by_seq)
            newest_first = (by_seq[seq] for seq in reversed(order))
            found = list(islice(filter(fits, newest_first), last))[::-1]
            return [_own_message(m) for m in found[:first]]

    def document(self, kind: str, id: str) -> Document | None:
        with self._reading() as room:
            kept = room.documents.get((kind, id))
            return None if kept is None else document_of(kind, id, kept.version, kept.body)

    def documents(self, kind: str) -> list[Document]:
        with self._reading() as room:
            found = sorted((kept, id) for (k, id), kept in room.documents.items() if k == kind)
            return [document_of(kind, id, kept.version, kept.body) for kept, id in found]

    def events(self, since: int = 0, limit: int | None = None, *, conversation: str | None = None) -> list[Event]:
        with self._reading() as room:
            fitting = (e for e in room.events[since:] if conversation in (None, e.conversation_id))
            return [_own_event(event) for event in islice(fitting, limit)]

    def find(self, terms: Iterable[str]) -> Found:
        with self._reading() as room:
            postings = {term: sorted(room.terms.get(term, {}).values()) for term in dict.fromkeys(terms)}
            return Found(room.corpus, postings)

    def nearest(self, model: str, vector: Sequence[float], k: int, among: Iterable[int] | None = None) -> list[Near]:
        from anaphora.stores.nearness import nearest_of  # here, since numpy takes time to load

        with self._reading() as room:
            kept = room.vectors.get(model, {})
            seqs = kept if among is None else kept.keys() & set(among)
            return nearest_of(((seq, n, blob) for seq in seqs for n, blob in enumerate(kept[seq])), vector, k)

    def without_vector(self, model: str, limit: int, after: int = 0) -> list[Message]:
        with self._reading() as room:
            known = room.vectors.get(model, {})
            found = islice((seq for seq in reversed(room.order) if seq > after and seq not in known), limit)
            return [_own_message(room.by_seq[seq]) for seq in found]

    def has_vectors(self, model: str) -> bool:
        with self._reading() as room:
            return bool(room.vectors.get(model))

    # writing

    def add(self, message: Message) -> Message:
        with self._writing() as room:
            if message.id in room.messages:
                raise IdConflict(f"A message with the id {message.id!r} is there already.")
            stored = _own_message(replace(message, seq=room.last_seq + 1))
            room.last_seq += 1
            self._undo.append(partial(setattr, room, "last_seq", stored.seq - 1))
            self._insert(room, stored)
            return replace(message, seq=stored.seq)

    def replace(self, message: Message) -> None:
        with self._writing() as room:
            old = room.messages.get(message.id)
            if old is None:
                raise NotFound(f"There is no message {message.id!r}.")
            new = _own_message(replace(message, seq=old.seq))
            if indexed_text(new) != indexed_text(old):
                self._drop_vectors(room, old.seq)
            self._delete(room, old)
            self._insert(room, new)

    def remove(self, ids: Iterable[str]) -> int:
        with self._writing() as room:
            gone = [room.messages[id] for id in dict.fromkeys(ids) if id in room.messages]
            for message in gone:
                self._drop_vectors(room, message.seq)
                self._delete(room, message)
            return len(gone)

    def put(self, kind: str, id: str, body: Mapping[str, Any]) -> int:
        with self._writing() as room:
            old, text = room.documents.get((kind, id)), json.dumps(body)
            room.documents_made += 1
            made, version = (room.documents_made, 1) if old is None else (old.made, old.version + 1)
            room.documents[kind, id] = _Kept(made, version, text)
            self._undo.append(partial(_put_back, room, (kind, id), old))
            return version

    def drop(self, kind: str, id: str) -> bool:
        with self._writing() as room:
            old = room.documents.pop((kind, id), None)
            self._undo.append(partial(_put_back, room, (kind, id), old))
            return old is not None

    def emit(self, event: Event) -> Event:
        with self._writing() as room:
            stored = _own_event(replace(event, seq=len(room.events) + 1))
            room.events.append(stored)
            self._undo.append(room.events.pop)
            return replace(event, seq=stored.seq)

    def blank(self, seqs: Iterable[int]) -> None:
        with self._writing() as room:
            for seq in seqs:
                if 0 < seq <= len(room.events):
                    old = room.events[seq - 1]
                    room.events[seq - 1] = replace(old, conversation_id=None, message_id=None, data={})
                    self._undo.append(partial(room.events.__setitem__, seq - 1, old))

    def put_vectors(self, model: str, vectors: Mapping[int, Sequence[Sequence[float]]]) -> None:
        with self._writing() as room:
            kept = room.vectors.setdefault(model, {})
            for seq, pieces in vectors.items():
                if seq in room.by_seq:
                    self._undo.append(partial(_put_vectors, kept, seq, kept.pop(seq, None)))
                    _put_vectors(kept, seq, [packed(vector) for vector in pieces])

    def reindex(self) -> None:
        self._writing()  # the index is never behind here

    def erase(self) -> None:
        with self._writing() as room:
            before = vars(room).copy()
            vars(room).update(vars(_Room()))
            self._undo.append(partial(vars(room).update, before))

    def take_back(self) -> None:
        while self._undo:
            self._undo.pop()()

    def _reading(self) -> AbstractContextManager[_Room]:
        return self._store.room(self._scope)

    def _writing(self) -> AbstractContextManager[_Room]:
        if not self.writable:
            raise StoreError("Writing needs a transaction.")
        return self._store.room(self._scope)

    # rows and index together

    def _insert(self, room: _Room, message: Message) -> None:
        terms = self._store.terms_of(message)
        _insert(room, message, terms)
        self._undo.append(partial(_delete, room, message, terms))

    def _drop_vectors(self, room: _Room, seq: int) -> None:
        for kept in room.vectors.values():
            if seq in kept:
                self._undo.append(partial(_put_vectors, kept, seq, kept.pop(seq)))

    def _delete(self, room: _Room, message: Message) -> None:
        terms = self._store.terms_of(message)
        _delete(room, message, terms)
        self._undo.append(partial(_insert, room, message, terms))


def _insert(room: _Room, message: Message, terms: Mapping[str, int]) -> None:
    room.messages[message.id] = room.by_seq[message.seq] = message
    insort(room.order, message.seq)
    insort(room.by_session.setdefault(message.session, []), message.seq)
    length = sum(terms.values())
    for term, times in terms.items():
        room.terms.setdefault(term, {})[message.seq] = (message.seq, times, length)
    room.corpus = Corpus(room.corpus.messages + 1, room.corpus.terms + length)


def _delete(room: _Room, message: Message, terms: Mapping[str, int]) -> None:
    del room.messages[message.id], room.by_seq[message.seq]
    del room.order[bisect_left(room.order, message.seq)]
    session = room.by_session[message.session]
    del session[bisect_left(session, message.seq)]
    if not session:
        del room.by_session[message.session]
    for term in terms:
        del room.terms[term][message.seq]
        if not room.terms[term]:
            del room.terms[term]
    room.corpus = Corpus(room.corpus.messages - 1, room.corpus.terms - sum(terms.values()))


def _put_vectors(kept: dict[int, list[bytes]], seq: int, pieces: list[bytes] | None) -> None:
    if pieces:
        kept[seq] = pieces
    else:
        kept.pop(seq, None)


def _put_back(room: _Room, key: tuple[str, str], old: _Kept | None) -> None:
    if old is None:
        room.documents.pop(key, None)
    else:
        room.documents[key] = old


# Values are frozen, but for the plain data that they may carry: that is copied on the way in and out.


def _own_message(message: Message) -> Message:
    return replace(message, metadata=to_plain(message.metadata)) if message.metadata else message


def _own_event(event: Event) -> Event:
    return replace(event, data=to_plain(event.data)) if event.data else event
