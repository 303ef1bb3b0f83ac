"""Reading and writing the rows of one scope in a SQLite store."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from anaphora.codec import from_plain, to_plain
from anaphora.errors import FormatError, IdConflict, NotFound, StoreUnreadable
from anaphora.ports import Corpus, Document, Posting, TermsOf
from anaphora.stores.indexing import indexed_text, pack, unpack
from anaphora.types import Event, Message, Scope

if TYPE_CHECKING:
    from anaphora.stores.sqlite import SqliteStore

__all__ = ["Rows"]

BATCH = 64  # messages that are indexed together; until then a search reads them themselves
RUN = 512  # postings in a row of the index before the next one is begun: rare terms stay one row
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_COLUMNS = ("id", "seq", "at", "session", "conversation_id", "role", "speaker", "text")  # the rest is `found`
_RUN_OF = "SELECT first, postings FROM terms WHERE scope = ? AND term = ? AND first <= ? ORDER BY first DESC LIMIT 1"
_MESSAGE = "seq, id, at, session, conversation, role, speaker, text, found"


class Rows:
    """A view of a scope; a transaction too, while its store has one open."""

    def __init__(self, store: SqliteStore, scope: Scope, terms_of: TermsOf) -> None:
        self._store = store
        self._scope = scope
        self._terms_of = terms_of

    # reading

    def message(self, id: str) -> Message | None:
        rows = self._select(f"SELECT {_MESSAGE} FROM messages WHERE scope = ? AND id = ?", id)
        return _message(rows[0]) if rows else None

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
            ("at >= ?", None if since is None else _micros(since)),
            ("at < ?", None if until is None else _micros(until)),
            ("seq IN (SELECT value FROM json_each(?))", None if seqs is None else json.dumps(list(seqs))),
        ]
        given = [(sql, value) for sql, value in wheres if value is not None]
        where = "".join(f" AND {sql}" for sql, _ in given)
        limit = -1 if last is None else last
        sql = f"SELECT {_MESSAGE} FROM messages WHERE scope = ?{where} ORDER BY seq DESC LIMIT ?"
        return [_message(row) for row in reversed(self._select(sql, *(v for _, v in given), limit))]

    def document(self, kind: str, id: str) -> Document | None:
        rows = self._select("SELECT version, body FROM documents WHERE scope = ? AND kind = ? AND id = ?", kind, id)
        return _document(kind, id, *rows[0]) if rows else None

    def documents(self, kind: str) -> list[Document]:
        sql = "SELECT id, version, body FROM documents WHERE scope = ? AND kind = ? ORDER BY made"
        return [_document(kind, *row) for row in self._select(sql, kind)]

    def events(self, since: int = 0, limit: int | None = None) -> list[Event]:
        sql = (
            "SELECT seq, at, kind, session, conversation, message, author, data FROM events "
            "WHERE scope = ? AND seq > ? ORDER BY seq LIMIT ?"
        )
        return [_event(row) for row in self._select(sql, since, -1 if limit is None else limit)]

    def postings(self, terms: Iterable[str]) -> Mapping[str, Sequence[Posting]]:
        found: dict[str, list[Posting]] = {term: [] for term in terms}
        sql = (
            "SELECT term, postings FROM terms "
            "WHERE scope = ? AND term IN (SELECT value FROM json_each(?)) ORDER BY term, first"
        )
        with self._store.snapshot():
            indexed = self._select(sql, json.dumps(list(found), ensure_ascii=False))
            waiting = self._unindexed()
        for term, blob in indexed:
            found[term].extend(unpack(blob))
        for message in waiting:
            counts, length = self._counted(message)
            for term in found.keys() & counts.keys():
                found[term].append(Posting(message.seq, counts[term], length))
        return found

    def corpus(self) -> Corpus:
        with self._store.snapshot():
            rows = self._select("SELECT indexed_messages, indexed_terms FROM scopes WHERE id = ?")
            waiting = self._unindexed()
        messages, terms = rows[0] if rows else (0, 0)
        return Corpus(messages + len(waiting), terms + sum(self._counted(m)[1] for m in waiting))

    # writing

    def add(self, message: Message) -> Message:
        if self.message(message.id) is not None:
            raise IdConflict(f"A message with the id {message.id!r} is there already.")
        sql = "UPDATE scopes SET last_seq = last_seq + 1 WHERE id = ? RETURNING last_seq, last_seq - indexed"
        [(seq, waiting)] = self._write(sql)
        stored = replace(message, seq=seq)
        self._write(f"INSERT INTO messages (scope, {_MESSAGE}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", *_row(stored))
        if waiting >= BATCH:
            self._index_waiting()
        return stored

    def replace(self, message: Message) -> None:
        old = self.message(message.id)
        if old is None:
            raise NotFound(f"There is no message {message.id!r}.")
        new = replace(message, seq=old.seq)
        indexed = self._is_indexed(old)
        if indexed:
            self._unindex(old)
        seq, *values = _row(new)
        self._write(
            "UPDATE messages SET id = ?, at = ?, session = ?, conversation = ?, role = ?, speaker = ?, text = ?, "
            "found = ? WHERE seq = ? AND scope = ?",
            *values,
            seq,
            scope_last=True,
        )
        if indexed:
            self._index([new])

    def remove(self, ids: Iterable[str]) -> int:
        gone = [m for m in map(self.message, dict.fromkeys(ids)) if m is not None]
        for message in gone:
            if self._is_indexed(message):
                self._unindex(message)
            self._write("DELETE FROM messages WHERE scope = ? AND seq = ?", message.seq)
        return len(gone)

    def put(self, kind: str, id: str, body: Mapping[str, Any]) -> int:
        text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
        sql = "UPDATE documents SET version = version + 1, body = ? WHERE kind = ? AND id = ? AND scope = ?"
        changed = self._write(sql + " RETURNING version", text, kind, id, scope_last=True)
        if changed:
            return int(changed[0][0])
        [(made,)] = self._write(
            "UPDATE scopes SET last_document = last_document + 1 WHERE id = ? RETURNING last_document"
        )
        sql = "INSERT INTO documents (scope, kind, id, made, version, body) VALUES (?, ?, ?, ?, 1, ?)"
        self._write(sql, kind, id, made, text)
        return 1

    def drop(self, kind: str, id: str) -> bool:
        return bool(self._write("DELETE FROM documents WHERE scope = ? AND kind = ? AND id = ? RETURNING id", kind, id))

    def emit(self, event: Event) -> Event:
        data = json.dumps(to_plain(event.data), ensure_ascii=False, separators=(",", ":"))
        [(seq,)] = self._write("UPDATE scopes SET last_event = last_event + 1 WHERE id = ? RETURNING last_event")
        self._write(
            "INSERT INTO events (scope, seq, at, kind, session, conversation, message, author, data) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            *(seq, _micros(event.at), event.kind, event.session, event.conversation_id),
            *(event.message_id, event.author, data),
        )
        return replace(event, seq=seq)

    # the word index

    def _unindexed(self) -> list[Message]:
        sql = f"SELECT {_MESSAGE} FROM messages WHERE scope = ?1 AND seq > (SELECT indexed FROM scopes WHERE id = ?1)"
        return [_message(row) for row in self._select(sql + " ORDER BY seq")]

    def _counted(self, message: Message) -> tuple[Mapping[str, int], int]:
        """The terms of a message, and how many it has in all."""
        counts = self._terms_of(indexed_text(message))
        return counts, sum(counts.values())

    def _is_indexed(self, message: Message) -> bool:
        [(indexed,)] = self._select("SELECT indexed FROM scopes WHERE id = ?")
        return bool(message.seq <= indexed)

    def _index_waiting(self) -> None:
        self._index(self._unindexed())
        self._write("UPDATE scopes SET indexed = last_seq WHERE id = ?")

    def _index(self, messages: Sequence[Message]) -> None:
        by_term: dict[str, list[Posting]] = {}
        length_of_all = 0
        for message in messages:
            counts, length = self._counted(message)
            length_of_all += length
            for term, times in counts.items():
                by_term.setdefault(term, []).append(Posting(message.seq, times, length))
        for term, postings in sorted(by_term.items()):
            self._merge_run(term, postings)
        self._count(len(messages), length_of_all)

    def _merge_run(self, term: str, postings: list[Posting]) -> None:
        """Add postings to the run of messages that they fall in, or begin a new one after a full one."""
        run = self._select(_RUN_OF, term, postings[0].seq)
        held = unpack(run[0][1]) if run else []
        if held and (len(held) < RUN or held[-1].seq > postings[0].seq):
            first, postings = run[0][0], sorted({*held, *postings})
        else:
            first = postings[0].seq
        sql = "INSERT OR REPLACE INTO terms (scope, term, first, postings) VALUES (?, ?, ?, ?)"
        self._write(sql, term, first, pack(postings))

    def _unindex(self, message: Message) -> None:
        counts, length = self._counted(message)
        for term in counts:
            for first, blob in self._select(_RUN_OF, term, message.seq):
                left = [p for p in unpack(blob) if p.seq != message.seq]
                self._write("DELETE FROM terms WHERE scope = ? AND term = ? AND first = ?", term, first)
                if left:
                    sql = "INSERT INTO terms (scope, term, first, postings) VALUES (?, ?, ?, ?)"
                    self._write(sql, term, left[0].seq, pack(left))
        self._count(-1, -length)

    def _count(self, messages: int, terms: int) -> None:
        sql = (
            "UPDATE scopes SET indexed_messages = indexed_messages + ?, indexed_terms = indexed_terms + ? WHERE id = ?"
        )
        self._write(sql, messages, terms, scope_last=True)

    # statements

    def _number(self, *, make: bool) -> int | None:
        return self._store.scope_row(self._scope, make=make)

    def _select(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """All rows; the scope's number is the first parameter of every statement."""
        with self._store.reading() as db:
            scope = self._number(make=False)
            return [] if scope is None else list(db.execute(sql, (scope, *values)))

    def _write(self, sql: str, *values: Any, scope_last: bool = False) -> list[tuple[Any, ...]]:
        with self._store.writing() as db:
            scope = self._number(make=True)
            return list(db.execute(sql, (*values, scope) if scope_last else (scope, *values)))


def _micros(at: datetime) -> int:
    return (at - _EPOCH) // _MICROSECOND


def _time(micros: int) -> datetime:
    return _EPOCH + timedelta(microseconds=micros)


def _row(message: Message) -> tuple[Any, ...]:
    found = to_plain(message, lean=True)
    for name in _COLUMNS:
        found.pop(name, None)
    return (
        *(message.seq, message.id, _micros(message.at), message.session, message.conversation_id),
        *(message.role, message.speaker, message.text),
        json.dumps(found, ensure_ascii=False, separators=(",", ":")),
    )


def _message(row: tuple[Any, ...]) -> Message:
    seq, id, at, session, conversation, role, speaker, text, found = row
    data = _json(found, f"message {id!r}")
    try:
        data.update(id=id, role=role, text=text, at="1970-01-01T00:00:00Z", speaker=speaker, session=session)
        plain = from_plain(Message, data)
    except (AttributeError, FormatError) as error:
        raise _damaged(f"message {id!r}", error) from error
    return replace(plain, seq=seq, at=_time(at), conversation_id=conversation)


def _document(kind: str, id: str, version: int, body: str) -> Document:
    return Document(kind, id, version, _json(body, f"{kind} {id!r}"))


def _event(row: tuple[Any, ...]) -> Event:
    seq, at, kind, session, conversation, message, author, data = row
    return Event(kind, _time(at), session, seq, conversation, message, author, _json(data, f"event {seq}"))


def _json(text: str, what: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise _damaged(what, error) from error


def _damaged(what: str, error: Exception) -> StoreUnreadable:
    return StoreUnreadable(f"The {what} in the store is damaged: {error}.", remedy="Restore a backup.")
