"""The rows of one scope: the same statements for every SQL store, over a few primitives of its own."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from copy import deepcopy
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Protocol, get_type_hints

from anaphora.codec import from_plain, to_plain
from anaphora.errors import FormatError, IdConflict, NotFound, StoreUnreadable
from anaphora.ports import Corpus, Document, Found, Posting, TermsOf
from anaphora.stores.compact import squeezed, unsqueezed
from anaphora.stores.indexing import extended, extent, indexed, indexed_text, pack, unpack
from anaphora.types import Event, Message, Scope

__all__ = ["Database", "Row", "Rows", "checksum", "event_of", "message_of", "micros"]

Row = tuple[Any, ...]

BATCH = 32  # messages that are indexed together; until then a search reads them themselves
LONG = 20_000  # characters: such a message does not wait, or the batch would take long
RUN = 512  # postings in a row of the index before the next one is begun: rare terms stay one row
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_COLUMNS = ("id", "seq", "at", "session", "conversation_id", "role", "speaker", "text", "expanded")  # else `found`
_FOUND = {name: hint for name, hint in get_type_hints(Message).items() if name not in _COLUMNS}
_REMEMBERED, _REMEMBERED_CHARS = 1024, 4000
_RUN_OF = "SELECT first, postings FROM terms WHERE scope = ? AND term = ? AND first <= ? ORDER BY first DESC LIMIT 1"
MESSAGE = "seq, id, at, session, conversation, role, speaker, text, expanded, found"
EVENT = "seq, at, kind, session, conversation, message, author, data"


class Database(Protocol):
    """What a SQL store does itself. Statements have `?` where a value goes."""

    def select(self, sql: str, values: Sequence[Any]) -> list[Row]: ...

    def write(self, sql: str, values: Sequence[Any]) -> list[Row]:
        """Inside a transaction; the rows of a RETURNING clause."""

    def snapshot(self) -> AbstractContextManager[None]:
        """What is read in here is the store at one moment."""

    def scope_number(self, scope: Scope, *, make: bool) -> int | None: ...

    def among(self, column: str, values: Iterable[Any]) -> tuple[str, Any]:
        """A condition that the column is one of the values, and the value of its one `?`."""

    def nearest(self, scope: int, model: str, vector: Sequence[float], k: int) -> list[tuple[int, float]]: ...

    def vector(self, values: Sequence[float]) -> Any:
        """A vector as it is stored."""


class Rows:
    """A view of a scope; a transaction too, while its store has one open."""

    def __init__(self, database: Database, scope: Scope, terms_of: TermsOf) -> None:
        self._db = database
        self._scope = scope
        self._terms_of = terms_of

    # reading

    def message(self, id: str) -> Message | None:
        rows = self._select(f"SELECT {MESSAGE} FROM messages WHERE scope = ? AND id = ?", id)
        return message_of(rows[0]) if rows else None

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
        wheres = [
            ("conversation = ?", conversation),
            ("session = ?", session),
            ("at >= ?", None if since is None else micros(since)),
            ("at < ?", None if until is None else micros(until)),
        ]
        if seqs is not None:
            wheres.append(self._db.among("seq", seqs))
        given = [(sql, value) for sql, value in wheres if value is not None]
        sql = (
            f"SELECT {MESSAGE} FROM messages WHERE scope = ?{''.join(f' AND {w}' for w, _ in given)} ORDER BY seq DESC"
        )
        values = [value for _, value in given]
        rows = self._select(sql + " LIMIT ?", *values, last) if last is not None else self._select(sql, *values)
        return [message_of(row) for row in reversed(rows)]

    def document(self, kind: str, id: str) -> Document | None:
        rows = self._select("SELECT version, body FROM documents WHERE scope = ? AND kind = ? AND id = ?", kind, id)
        return _document(kind, id, *rows[0]) if rows else None

    def documents(self, kind: str) -> list[Document]:
        sql = "SELECT id, version, body FROM documents WHERE scope = ? AND kind = ? ORDER BY made"
        return [_document(kind, *row) for row in self._select(sql, kind)]

    def events(self, since: int = 0, limit: int | None = None) -> list[Event]:
        sql = f"SELECT {EVENT} FROM events WHERE scope = ? AND seq > ? ORDER BY seq"
        rows = self._select(sql, since) if limit is None else self._select(sql + " LIMIT ?", since, limit)
        return [event_of(row) for row in rows]

    def find(self, terms: Iterable[str]) -> Found:
        postings: dict[str, list[Posting]] = {term: [] for term in terms}
        condition, value = self._db.among("term", postings)
        with self._db.snapshot():
            rows = self._select(
                f"SELECT term, postings FROM terms WHERE scope = ? AND {condition} ORDER BY term, first", value
            )
            counted = self._select("SELECT indexed_messages, indexed_terms FROM scopes WHERE id = ?")
            waiting = self._waiting()
        for term, blob in rows:
            postings[term].extend(unpack(blob))
        messages, length_of_all = counted[0] if counted else (0, 0)
        for seq, text in waiting:
            counts, length = self._counted(text)
            length_of_all += length
            for term in postings.keys() & counts.keys():
                postings[term].append(Posting(seq, counts[term], length))
        return Found(Corpus(messages + len(waiting), length_of_all), postings)

    def nearest(self, model: str, vector: Sequence[float], k: int) -> list[tuple[int, float]]:
        scope = self._db.scope_number(self._scope, make=False)
        return [] if scope is None else self._db.nearest(scope, model, vector, k)

    def without_vector(self, model: str, limit: int) -> list[Message]:
        sql = (
            f"SELECT {MESSAGE} FROM messages WHERE scope = ? AND NOT EXISTS (SELECT 1 FROM vectors "
            "WHERE vectors.scope = messages.scope AND vectors.seq = messages.seq AND vectors.model = ?) "
            "ORDER BY seq DESC LIMIT ?"
        )
        return [message_of(row) for row in self._select(sql, model, limit)]

    # writing

    def add(self, message: Message) -> Message:
        if self._select("SELECT seq FROM messages WHERE scope = ? AND id = ?", message.id):
            raise IdConflict(f"A message with the id {message.id!r} is there already.")
        sql = "UPDATE scopes SET last_seq = last_seq + 1 WHERE id = ? RETURNING last_seq, last_seq - indexed"
        [(seq, waiting)] = self._write(sql)
        stored = replace(message, seq=seq)
        row = _row(stored)
        sql = f"INSERT INTO messages (scope, {MESSAGE}, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        self._write(sql, *row, checksum(row))
        if waiting >= BATCH or len(stored.text) > LONG:
            self._index_waiting()
        return stored

    def replace(self, message: Message) -> None:
        old = self.message(message.id)
        if old is None:
            raise NotFound(f"There is no message {message.id!r}.")
        new = replace(message, seq=old.seq)
        moved = self._is_indexed(old) and indexed_text(new) != indexed_text(old)
        if moved:
            self._unindex(old)
        row = _row(new)
        self._write(
            "UPDATE messages SET id = ?, at = ?, session = ?, conversation = ?, role = ?, speaker = ?, text = ?, "
            "expanded = ?, found = ?, checksum = ? WHERE seq = ? AND scope = ?",
            *(*row[1:], checksum(row), old.seq),
            scope_last=True,
        )
        if moved:
            self._index([(new.seq, indexed_text(new))])
        if indexed_text(new) != indexed_text(old):
            self._write("DELETE FROM vectors WHERE scope = ? AND seq = ?", old.seq)

    def remove(self, ids: Iterable[str]) -> int:
        _remembered_message.cache_clear()  # what is forgotten is not remembered here either
        gone = [m for m in map(self.message, dict.fromkeys(ids)) if m is not None]
        for message in gone:
            if self._is_indexed(message):
                self._unindex(message)
            for table in ("messages", "vectors"):
                self._write(f"DELETE FROM {table} WHERE scope = ? AND seq = ?", message.seq)
            self._write("INSERT INTO deletions (scope, seq) VALUES (?, ?)", message.seq)
        return len(gone)

    def put(self, kind: str, id: str, body: Mapping[str, Any]) -> int:
        text = _compact(body)
        [(version, made)] = self._select(
            "SELECT version, made FROM documents WHERE scope = ? AND kind = ? AND id = ?", kind, id
        ) or [(0, 0)]
        if version:
            sql = "UPDATE documents SET version = ?, body = ?, checksum = ? WHERE kind = ? AND id = ? AND scope = ?"
            row = (kind, id, made, version + 1, text)
            self._write(sql, version + 1, text, checksum(row), kind, id, scope_last=True)
            return int(version) + 1
        sql = "UPDATE scopes SET last_document = last_document + 1 WHERE id = ? RETURNING last_document"
        [(made,)] = self._write(sql)
        sql = "INSERT INTO documents (scope, kind, id, made, version, body, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)"
        row = (kind, id, made, 1, text)
        self._write(sql, *row, checksum(row))
        return 1

    def drop(self, kind: str, id: str) -> bool:
        return bool(self._write("DELETE FROM documents WHERE scope = ? AND kind = ? AND id = ? RETURNING id", kind, id))

    def emit(self, event: Event) -> Event:
        data = _compact(to_plain(event.data))
        [(seq,)] = self._write("UPDATE scopes SET last_event = last_event + 1 WHERE id = ? RETURNING last_event")
        row = (
            *(seq, micros(event.at), event.kind, event.session, event.conversation_id),
            *(event.message_id, event.author, data),
        )
        sql = f"INSERT INTO events (scope, {EVENT}, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        self._write(sql, *row, checksum(row))
        return replace(event, seq=seq)

    def put_vectors(self, model: str, vectors: Mapping[int, Sequence[float]]) -> None:
        for seq, vector in vectors.items():
            if self._select("SELECT seq FROM messages WHERE scope = ? AND seq = ?", seq):
                self._write("DELETE FROM vectors WHERE scope = ? AND model = ? AND seq = ?", model, seq)
                sql = "INSERT INTO vectors (scope, model, seq, vector) VALUES (?, ?, ?, ?)"
                self._write(sql, model, seq, self._db.vector(vector))

    def blank(self, seqs: Iterable[int]) -> None:
        """Take the data, conversation and message out of events, which stay in their order."""
        for seq in seqs:
            rows = self._select(f"SELECT {EVENT} FROM events WHERE scope = ? AND seq = ?", seq)
            for _, at, kind, session, _, _, author, _ in rows:
                row = (seq, at, kind, session, None, None, author, "{}")
                sql = "UPDATE events SET conversation = NULL, message = NULL, data = ?, checksum = ? "
                sql += "WHERE seq = ? AND scope = ?"
                self._write(sql, "{}", checksum(row), seq, scope_last=True)

    def erase(self) -> None:
        _remembered_message.cache_clear()
        if self._db.scope_number(self._scope, make=False) is not None:
            self._write("DELETE FROM scopes WHERE id = ?")

    # the word index

    def reindex(self) -> None:
        self._write("DELETE FROM terms WHERE scope = ?")
        self._write("UPDATE scopes SET indexed = 0, indexed_messages = 0, indexed_terms = 0 WHERE id = ?")
        self._index_waiting()

    def _waiting(self) -> list[tuple[int, str]]:
        """Messages that are not in the index yet: their sequence number and what is indexed of them."""
        sql = (
            "SELECT seq, text, expanded FROM messages WHERE scope = ? "
            "AND seq > (SELECT indexed FROM scopes WHERE id = messages.scope) ORDER BY seq"
        )
        return [(seq, indexed(text, expanded)) for seq, text, expanded in self._select(sql)]

    def _counted(self, text: str) -> tuple[Mapping[str, int], int]:
        """The terms of a text, and how many it has in all."""
        counts = self._terms_of(text)
        return counts, sum(counts.values())

    def _is_indexed(self, message: Message) -> bool:
        [(indexed,)] = self._select("SELECT indexed FROM scopes WHERE id = ?")
        return bool(message.seq <= indexed)

    def _index_waiting(self) -> None:
        self._index(self._waiting())
        self._write("UPDATE scopes SET indexed = last_seq WHERE id = ?")

    def _index(self, messages: Sequence[tuple[int, str]]) -> None:
        by_term: dict[str, list[Posting]] = {}
        length_of_all = 0
        for seq, text in messages:
            counts, length = self._counted(text)
            length_of_all += length
            for term, times in counts.items():
                by_term.setdefault(term, []).append(Posting(seq, times, length))
        runs = self._runs_of(by_term, messages[0][0]) if messages else {}
        for term, postings in sorted(by_term.items()):
            self._merge_run(term, postings, runs.get(term))
        self._count(len(messages), length_of_all)

    def _runs_of(self, terms: Iterable[str], seq: int) -> dict[str, tuple[int, bytes]]:
        """For each term the run that a message falls in or comes after, with where it begins."""
        condition, value = self._db.among("term", terms)
        sql = (
            f"SELECT term, first, postings FROM terms WHERE scope = ? AND {condition} AND first = (SELECT max(o.first) "
            "FROM terms AS o WHERE o.scope = terms.scope AND o.term = terms.term AND o.first <= ?)"
        )
        return {term: (first, blob) for term, first, blob in self._select(sql, value, seq)}

    def _merge_run(self, term: str, postings: list[Posting], run: tuple[int, bytes] | None) -> None:
        """Add postings to the run of messages that they fall in, or begin a new one after a full one."""
        if run is not None:
            first, blob = run
            held, last = extent(blob)
            if last > postings[0].seq:
                self._put_run(term, first, pack(sorted({*unpack(blob), *postings})))
                return
            if held < RUN:
                self._put_run(term, first, extended(blob, postings))
                return
        for begin in range(0, len(postings), RUN):
            self._put_run(term, postings[begin].seq, pack(postings[begin : begin + RUN]))

    def _put_run(self, term: str, first: int, postings: bytes) -> None:
        self._write(
            "INSERT INTO terms (scope, term, first, postings) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (scope, term, first) DO UPDATE SET postings = excluded.postings",
            *(term, first, postings),
        )

    def _unindex(self, message: Message) -> None:
        counts, length = self._counted(indexed_text(message))
        for term in counts:
            for first, blob in self._select(_RUN_OF, term, message.seq):
                left = [p for p in unpack(blob) if p.seq != message.seq]
                self._write("DELETE FROM terms WHERE scope = ? AND term = ? AND first = ?", term, first)
                if left:
                    self._put_run(term, left[0].seq, pack(left))
        self._count(-1, -length)

    def _count(self, messages: int, terms: int) -> None:
        sql = (
            "UPDATE scopes SET indexed_messages = indexed_messages + ?, indexed_terms = indexed_terms + ? WHERE id = ?"
        )
        self._write(sql, messages, terms, scope_last=True)

    # statements

    def _select(self, sql: str, *values: Any) -> list[Row]:
        """All rows; the scope's number is the first value of every statement."""
        scope = self._db.scope_number(self._scope, make=False)
        return [] if scope is None else self._db.select(sql, (scope, *values))

    def _write(self, sql: str, *values: Any, scope_last: bool = False) -> list[Row]:
        scope = self._db.scope_number(self._scope, make=True)
        return self._db.write(sql, (*values, scope) if scope_last else (scope, *values))


def micros(at: datetime) -> int:
    return (at - _EPOCH) // _MICROSECOND


def checksum(row: Sequence[Any]) -> bytes:
    """Eight bytes that change with any value of a row."""
    return blake2b(json.dumps(row, ensure_ascii=False).encode(), digest_size=8).digest()


def message_of(row: Row) -> Message:
    """The message of a row. The last messages of a chat are read again with each new one, so the short ones among
    those that were read lately are not taken apart anew; only metadata, which a caller could change, is its own."""
    text, expanded, found = row[-3:]
    if len(text) + len(expanded or "") + len(found) > _REMEMBERED_CHARS:
        return _read_message(row)
    message = _remembered_message(row)
    return replace(message, metadata=deepcopy(message.metadata)) if message.metadata else message


def _read_message(row: Row) -> Message:
    seq, id, at, session, conversation, role, speaker, text, expanded, found = row
    data = _json(found, f"message {id!r}")
    try:
        parts = {name: from_plain(_FOUND[name], value) for name, value in data.items() if name in _FOUND}
    except (AttributeError, FormatError) as error:
        raise _damaged(f"message {id!r}", error) from error
    return Message(id, role, text, _time(at), speaker, session, conversation, seq, expanded, **parts)


_remembered_message = lru_cache(_REMEMBERED)(_read_message)


def event_of(row: Row) -> Event:
    seq, at, kind, session, conversation, message, author, data = row
    return Event(kind, _time(at), session, seq, conversation, message, author, _json(data, f"event {seq}"))


def _document(kind: str, id: str, version: int, body: str) -> Document:
    return Document(kind, id, version, _json(body, f"{kind} {id!r}"))


def _row(message: Message) -> Row:
    found = to_plain(message, lean=True)
    for name in _COLUMNS:
        found.pop(name, None)
    return (
        *(message.seq, message.id, micros(message.at), message.session, message.conversation_id),
        *(message.role, message.speaker, message.text, message.expanded, squeezed(_compact(found))),
    )


def _time(value: int) -> datetime:
    return _EPOCH + timedelta(microseconds=value)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _json(text: str, what: str) -> Any:
    try:
        return json.loads(unsqueezed(text))
    except ValueError as error:
        raise _damaged(what, error) from error


def _damaged(what: str, error: Exception) -> StoreUnreadable:
    return StoreUnreadable(f"The {what} in the store is damaged: {error}.", remedy="Restore a backup.")
