"""The rows of one scope: the same statements for every SQL store, over a few primitives of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime
from typing import Any, Protocol

from anaphora.codec import to_plain
from anaphora.errors import IdConflict, NotFound
from anaphora.ports import Corpus, Document, Found, Near, Posting, TermsOf
from anaphora.stores.compact import restored
from anaphora.stores.erasing import MARK
from anaphora.stores.indexing import (
    Counted,
    counted,
    forget_counted,
    indexed,
    indexed_text,
    merged,
    pack,
    packed_by_term,
    unpack,
)
from anaphora.stores.lately import ReadMessages
from anaphora.stores.records import (
    EVENT,
    MESSAGE,
    Row,
    checksum,
    compact_json,
    document_of,
    event_of,
    forget_read,
    message_of,
    micros,
    row_of,
)
from anaphora.stores.schema import BLOCK
from anaphora.types import Event, Message, Scope

__all__ = ["BATCH", "Database", "Rows", "note_changes"]

BATCH = 32  # messages that are indexed together; until then a search reads them themselves
LONG = 20_000  # characters: such a message does not wait, or the batch would take long
_RUN_OF = "SELECT first, postings FROM terms WHERE scope = ? AND term = ? AND first <= ? ORDER BY first DESC LIMIT 1"
_PUT_RUN = (
    "INSERT INTO terms (scope, term, first, postings) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (scope, term, first) DO UPDATE SET postings = excluded.postings"
)
_NEXT_SEQ = "UPDATE scopes SET last_seq = last_seq + 1 WHERE id = ? RETURNING last_seq, last_seq - indexed"
_NEXT_CHANGE = "UPDATE scopes SET last_vector = last_vector + 1 WHERE id = ? RETURNING last_vector"
_PUT_CHANGE = (
    "INSERT INTO vector_changes (scope, model, block, change) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (scope, model, block) DO UPDATE SET change = excluded.change"
)
_DOCUMENT = "SELECT made, version, body FROM documents WHERE scope = ? AND kind = ? AND id = ?"
_ADD = (
    f"INSERT INTO messages (scope, {MESSAGE}, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (scope, id) DO NOTHING RETURNING seq"
)

_Kept = tuple[int, int, str]
"""A document at rest: when it was first put among all of them, its version, its body."""


class Database(Protocol):
    """What a SQL store does itself. Statements have `?` where a value goes."""

    by_conversation: str
    by_session: str
    """What stands after `messages` where a conversation or a session is read, so that its index is used."""

    def select(self, sql: str, values: Sequence[Any]) -> list[Row]: ...

    def write(self, sql: str, values: Sequence[Any]) -> list[Row]:
        """Inside a transaction; the rows of a RETURNING clause."""

    def write_many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Inside a transaction; the statement once for each row of values."""

    def snapshot(self) -> AbstractContextManager[None]:
        """What is read in here is the store at one moment."""

    def scope_number(self, scope: Scope, *, make: bool) -> int | None: ...

    def among(self, column: str, values: Iterable[Any]) -> tuple[str, Any]:
        """A condition that the column is one of the values, and the value of its one `?`."""

    def nearest(
        self, scope: int, model: str, vector: Sequence[float], k: int, among: Iterable[int] | None
    ) -> list[Near]: ...

    def vector(self, values: Sequence[float]) -> Any:
        """A vector as it is stored."""

    def lately(self, scope: int, seqs: Iterable[int], read: ReadMessages) -> Sequence[Message]:
        """Messages by their sequence numbers; `read` reads those that it does not hold as they are now."""

    def changed(self, erased: Scope | None) -> None:
        """Inside a transaction: messages that are there were changed or, in the scope that is named, erased."""


class Rows:
    """A view of a scope; a transaction too, while its store has one open."""

    def __init__(self, database: Database, scope: Scope, terms_of: TermsOf, *, alone: bool = False) -> None:
        """`alone`: nobody else writes in the scope until `let_go`, so its number and a document that was read or put
        are not read again."""
        self._db = database
        self._scope = scope
        self._terms_of = terms_of
        self._number: int | None = None
        self._held: dict[tuple[str, str], _Kept | None] | None = {} if alone else None

    def let_go(self) -> None:
        """The transaction is over."""
        self._number = self._held = None

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
        after: int | None = None,
        first: int | None = None,
        last: int | None = None,
    ) -> list[Message]:
        if seqs is not None and {conversation, session, since, until, after, first, last} == {None}:
            return self._numbered(seqs)
        wheres = [
            ("conversation = ?", conversation),
            ("session = ?", session),
            ("at >= ?", None if since is None else micros(since)),
            ("at < ?", None if until is None else micros(until)),
            ("seq > ?", after),
        ]
        if seqs is not None:
            wheres.append(self._db.among("seq", seqs))
        given = [(sql, value) for sql, value in wheres if value is not None]
        where = "".join([f" AND {sql}" for sql, _ in given])
        of_session = "" if session is None or seqs is not None else self._db.by_session
        index = of_session if conversation is None else self._db.by_conversation
        order, most = ("", first) if last is None else (" DESC", last)
        sql = f"SELECT {MESSAGE} FROM messages {index} WHERE scope = ?{where} ORDER BY seq{order}"
        values = [value for _, value in given]
        rows = self._select(sql + " LIMIT ?", *values, most) if most is not None else self._select(sql, *values)
        if last is not None:
            rows.reverse()
        return list(map(message_of, rows if first is None else rows[:first]))

    def _numbered(self, seqs: Iterable[int]) -> list[Message]:
        def read(some: Sequence[int]) -> list[Message]:
            condition, value = self._db.among("seq", some)
            sql = f"SELECT {MESSAGE} FROM messages WHERE scope = ? AND {condition} ORDER BY seq"
            return list(map(message_of, self._select(sql, value)))

        scope = self._scope_number(make=False)
        return [] if scope is None else list(self._db.lately(scope, seqs, read))

    def document(self, kind: str, id: str) -> Document | None:
        kept = self._kept(kind, id)
        return None if kept is None else document_of(kind, id, kept[1], kept[2])

    def _kept(self, kind: str, id: str) -> _Kept | None:
        if self._held is not None and (kind, id) in self._held:
            return self._held[kind, id]
        rows = self._select(_DOCUMENT, kind, id)
        return self._hold(kind, id, rows[0] if rows else None)

    def _hold(self, kind: str, id: str, kept: _Kept | None) -> _Kept | None:
        if self._held is not None:
            self._held[kind, id] = kept
        return kept

    def documents(self, kind: str) -> list[Document]:
        rows = self._select("SELECT made, id, version, body FROM documents WHERE scope = ? AND kind = ?", kind)
        return [document_of(kind, id, version, body) for _, id, version, body in sorted(rows)]

    def events(self, since: int = 0, limit: int | None = None, *, conversation: str | None = None) -> list[Event]:
        of_one, values = ("", [since]) if conversation is None else (" AND conversation = ?", [since, conversation])
        sql = f"SELECT {EVENT} FROM events WHERE scope = ? AND seq > ?{of_one} ORDER BY seq"
        rows = self._select(sql, *values) if limit is None else self._select(sql + " LIMIT ?", *values, limit)
        return [event_of(row) for row in rows]

    def find(self, terms: Iterable[str]) -> Found:
        postings: dict[str, list[Posting]] = {term: [] for term in terms}
        condition, value = self._db.among("term", postings)
        with self._db.snapshot():
            rows = self._select(
                f"SELECT term, postings FROM terms WHERE scope = ? AND {condition} ORDER BY term, first", value
            )
            counted = self._select("SELECT indexed_messages, indexed_terms, indexed, last_seq FROM scopes WHERE id = ?")
            messages, length_of_all, upto, newest = counted[0] if counted else (0, 0, 0, 0)
            waiting = self._numbered(range(upto + 1, newest + 1)) if newest > upto else []
        for term, blob in rows:
            postings[term].extend(unpack(blob))
        for message in waiting:
            counts, length = self._counted(indexed_text(message))
            length_of_all += length
            for term in postings.keys() & counts.keys():
                postings[term].append((message.seq, counts[term], length))
        return Found(Corpus(messages + len(waiting), length_of_all), postings)

    def nearest(self, model: str, vector: Sequence[float], k: int, among: Iterable[int] | None = None) -> list[Near]:
        scope = self._scope_number(make=False)
        return [] if scope is None else self._db.nearest(scope, model, vector, k, among)

    def without_vector(self, model: str, limit: int, after: int = 0) -> list[Message]:
        sql = (
            f"SELECT {MESSAGE} FROM messages WHERE scope = ? AND seq > ? AND NOT EXISTS (SELECT 1 FROM vectors "
            "WHERE vectors.scope = messages.scope AND vectors.seq = messages.seq AND vectors.model = ?) "
            "ORDER BY seq DESC LIMIT ?"
        )
        return [message_of(row) for row in self._select(sql, after, model, limit)]

    def has_vectors(self, model: str) -> bool:
        return bool(self._select("SELECT 1 FROM vectors WHERE scope = ? AND model = ? LIMIT 1", model))

    # writing

    def add(self, message: Message) -> Message:
        columns, text = row_of(message), indexed_text(message)
        self._counted(text)  # all this before the first statement, with which the turn to write is taken
        [(seq, waiting)] = self._write(_NEXT_SEQ)
        row = (seq, *columns)
        if not self._write(_ADD, *row, checksum(row)):
            self._write("UPDATE scopes SET last_seq = last_seq - 1 WHERE id = ?")
            raise IdConflict(f"A message with the id {message.id!r} is there already.")
        if waiting >= BATCH or len(text) > LONG:
            self._index_waiting()
        return message if message.seq == seq else replace(message, seq=seq)

    def replace(self, message: Message) -> None:
        old = self.message(message.id)
        if old is None:
            raise NotFound(f"There is no message {message.id!r}.")
        new = replace(message, seq=old.seq)
        moved = self._is_indexed(old) and indexed_text(new) != indexed_text(old)
        if moved:
            self._unindex(old)
        row = (new.seq, *row_of(new))
        self._write(
            "UPDATE messages SET id = ?, at = ?, session = ?, conversation = ?, role = ?, speaker = ?, text = ?, "
            "expanded = ?, found = ?, checksum = ? WHERE seq = ? AND scope = ?",
            *(*row[1:], checksum(row), old.seq),
            scope_last=True,
        )
        if moved:
            self._index([(new.seq, indexed_text(new))])
        if indexed_text(new) != indexed_text(old):
            self._drop_vectors([old.seq])
            forget_counted()
        forget_read(old)
        self._db.changed(None)

    def remove(self, ids: Iterable[str]) -> int:
        gone = [m for m in map(self.message, dict.fromkeys(ids)) if m is not None]
        for message in gone:
            if self._is_indexed(message):
                self._unindex(message)
            self._write("DELETE FROM messages WHERE scope = ? AND seq = ?", message.seq)
            self._write("INSERT INTO deletions (scope, seq) VALUES (?, ?)", message.seq)
        self._drop_vectors([message.seq for message in gone])
        note_changes(self._db, self._scope, [MARK] if gone else [])
        self._forget_remembered()
        return len(gone)

    def put(self, kind: str, id: str, body: Mapping[str, Any]) -> int:
        text, old = compact_json(body), self._kept(kind, id)
        if old is not None:
            made, version = old[0], old[1] + 1
            sql = "UPDATE documents SET version = ?, body = ?, checksum = ? WHERE kind = ? AND id = ? AND scope = ?"
            row = (kind, id, made, version, text)
            self._write(sql, version, text, checksum(row), kind, id, scope_last=True)
        else:
            sql = "UPDATE scopes SET last_document = last_document + 1 WHERE id = ? RETURNING last_document"
            [(made,)], version = self._write(sql), 1
            sql = "INSERT INTO documents (scope, kind, id, made, version, body, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)"
            row = (kind, id, made, version, text)
            self._write(sql, *row, checksum(row))
        self._hold(kind, id, (made, version, text))
        return version

    def drop(self, kind: str, id: str) -> bool:
        gone = self._write("DELETE FROM documents WHERE scope = ? AND kind = ? AND id = ? RETURNING id", kind, id)
        self._hold(kind, id, None)
        return bool(gone)

    def emit(self, event: Event) -> Event:
        data = compact_json(to_plain(event.data)) if event.data else "{}"
        [(seq,)] = self._write("UPDATE scopes SET last_event = last_event + 1 WHERE id = ? RETURNING last_event")
        row = (
            *(seq, micros(event.at), event.kind, event.session, event.conversation_id),
            *(event.message_id, event.author, data),
        )
        sql = f"INSERT INTO events (scope, {EVENT}, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        self._write(sql, *row, checksum(row))
        at = (event.session, seq, event.conversation_id, event.message_id, event.author, event.data)
        return Event(event.kind, event.at, *at)

    def put_vectors(self, model: str, vectors: Mapping[int, Sequence[Sequence[float]]]) -> None:
        condition, value = self._db.among("seq", vectors)
        there = [seq for (seq,) in self._select(f"SELECT seq FROM messages WHERE scope = ? AND {condition}", value)]
        if not there:
            return
        condition, value = self._db.among("seq", there)
        self._write(f"DELETE FROM vectors WHERE scope = ? AND model = ? AND {condition}", model, value)
        scope = self._scope_number(make=True)
        rows = [
            (scope, model, seq, piece, self._db.vector(vector))
            for seq in there
            for piece, vector in enumerate(vectors[seq])
        ]
        self._db.write_many("INSERT INTO vectors (scope, model, seq, piece, vector) VALUES (?, ?, ?, ?, ?)", rows)
        note_changes(self._db, self._scope, [(model, seq) for seq in there])

    def _drop_vectors(self, seqs: Sequence[int]) -> None:
        condition, value = self._db.among("seq", seqs)
        sql = f"DELETE FROM vectors WHERE scope = ? AND {condition} RETURNING model, seq"
        note_changes(self._db, self._scope, self._write(sql, value) if seqs else [])

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
        if self._scope_number(make=False) is not None:
            self._write("DELETE FROM scopes WHERE id = ?")
        self._number = None
        if self._held is not None:
            self._held.clear()
        self._forget_remembered()

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
        return [(seq, indexed(text, restored(expanded, text))) for seq, text, expanded in self._select(sql)]

    def _counted(self, text: str) -> Counted:
        return counted(self._terms_of, text)

    def _is_indexed(self, message: Message) -> bool:
        [(indexed,)] = self._select("SELECT indexed FROM scopes WHERE id = ?")
        return bool(message.seq <= indexed)

    def _index_waiting(self) -> None:
        self._index(self._waiting())
        self._write("UPDATE scopes SET indexed = last_seq WHERE id = ?")

    def _index(self, messages: Sequence[tuple[int, str]]) -> None:
        counts = {seq: self._counted(text) for seq, text in messages}
        new = packed_by_term(counts)
        runs = self._runs_of(new, messages[0][0]) if messages else {}
        self._put_runs([(term, *run) for term in sorted(new) for run in merged(new[term], runs.get(term))])
        self._count(len(messages), sum(length for _, length in counts.values()))

    def _runs_of(self, terms: Iterable[str], seq: int) -> dict[str, tuple[int, bytes]]:
        """For each term the run that a message falls in or comes after, with where it begins."""
        condition, value = self._db.among("term", terms)
        sql = (
            f"SELECT term, first, postings FROM terms WHERE scope = ? AND {condition} AND first = (SELECT max(o.first) "
            "FROM terms AS o WHERE o.scope = terms.scope AND o.term = terms.term AND o.first <= ?)"
        )
        return {term: (first, blob) for term, first, blob in self._select(sql, value, seq)}

    def _put_runs(self, runs: Sequence[tuple[str, int, bytes]]) -> None:
        scope = self._scope_number(make=True)
        self._db.write_many(_PUT_RUN, [(scope, *run) for run in runs])

    def _unindex(self, message: Message) -> None:
        counts, length = self._counted(indexed_text(message))
        for term in counts:
            for first, blob in self._select(_RUN_OF, term, message.seq):
                left = [p for p in unpack(blob) if p[0] != message.seq]
                self._write("DELETE FROM terms WHERE scope = ? AND term = ? AND first = ?", term, first)
                if left:
                    self._put_runs([(term, left[0][0], pack(left))])
        self._count(-1, -length)

    def _count(self, messages: int, terms: int) -> None:
        sql = (
            "UPDATE scopes SET indexed_messages = indexed_messages + ?, indexed_terms = indexed_terms + ? WHERE id = ?"
        )
        self._write(sql, messages, terms, scope_last=True)

    def _forget_remembered(self) -> None:
        """What is deleted is not remembered here either."""
        forget_read()
        forget_counted()
        self._db.changed(self._scope)

    # statements

    def _select(self, sql: str, *values: Any) -> list[Row]:
        """All rows; the scope's number is the first value of every statement."""
        scope = self._number or self._scope_number(make=False)
        return [] if scope is None else self._db.select(sql, (scope, *values))

    def _write(self, sql: str, *values: Any, scope_last: bool = False) -> list[Row]:
        scope = self._number or self._scope_number(make=True)
        return self._db.write(sql, (*values, scope) if scope_last else (scope, *values))

    def _scope_number(self, *, make: bool) -> int | None:
        number = self._db.scope_number(self._scope, make=make)
        if self._held is not None:
            self._number = number
        return number


def note_changes(db: Database, scope: Scope, vectors: Iterable[Row]) -> None:
    """Inside a transaction: who holds vectors in memory learns that these, by model and sequence number, changed."""
    blocks = sorted({(model, seq // BLOCK) for model, seq in vectors})
    if blocks:
        number = db.scope_number(scope, make=True)
        [(change,)] = db.write(_NEXT_CHANGE, (number,))
        db.write_many(_PUT_CHANGE, [(number, model, block, change) for model, block in blocks])
