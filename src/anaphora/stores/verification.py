"""Is a scope whole? Checksums, sequence numbers, counts, and the index against the messages it is made from."""

from __future__ import annotations

from collections.abc import Iterator

from anaphora.errors import StoreUnreadable
from anaphora.ports import Posting, TermsOf
from anaphora.stores.compact import restored
from anaphora.stores.indexing import indexed, unpack
from anaphora.stores.records import EVENT, MESSAGE, Row, checksum
from anaphora.stores.rows import Database, note_changes
from anaphora.types import Scope

__all__ = ["drop_orphans", "problems_of"]

_PAGE = 1000
_BEFORE_ALL = -(2**62)
_ORPHANS = (
    "FROM vectors WHERE scope = ? AND NOT EXISTS "
    "(SELECT 1 FROM messages WHERE messages.scope = vectors.scope AND messages.seq = vectors.seq)"
)
_REBUILD = "; 'anaphora rebuild' mends it"
_COUNTERS = "last_seq, last_event, last_document, indexed, indexed_messages, indexed_terms"


def problems_of(db: Database, scope: Scope, terms_of: TermsOf) -> list[str]:
    """What is wrong, in words that name the record."""
    number = db.scope_number(scope, make=False)
    if number is None or not db.select("SELECT id FROM scopes WHERE id = ?", (number,)):  # or erased meanwhile
        return []
    where = f"{scope.user}/{scope.agent}/{scope.project}"
    return [f"{where}: {problem}" for problem in _Check(db, number, terms_of).problems()]


def drop_orphans(db: Database, scope: Scope) -> int:
    """Inside a transaction: delete the vectors whose message is gone; how many there were."""
    number = db.scope_number(scope, make=False)
    if number is None:
        return 0
    dropped = db.write(f"DELETE {_ORPHANS} RETURNING model, seq", (number,))
    note_changes(db, scope, dropped)
    return len(dropped)


class _Check:
    def __init__(self, db: Database, scope: int, terms_of: TermsOf) -> None:
        self._db = db
        self._scope = scope
        self._terms_of = terms_of
        [counters] = db.select(f"SELECT {_COUNTERS} FROM scopes WHERE id = ?", (scope,))
        self._last_seq, self._last_event, self._last_document, self._indexed, *self._counts = counters

    def problems(self) -> Iterator[str]:
        yield from self._messages()
        yield from self._events()
        yield from self._documents()
        yield from self._vectors()

    def _messages(self) -> Iterator[str]:
        gone = {row[0] for row in self._db.select("SELECT seq FROM deletions WHERE scope = ?", (self._scope,))}
        index = _Expected(self._terms_of)
        there: set[int] = set()
        unreadable: list[str] = []
        for row in self._pages("messages", f"{MESSAGE}, checksum", unreadable):
            seq, text, expanded = row[0], row[7], row[8]
            there.add(seq)
            if checksum(row[:-1]) != bytes(row[-1]):
                yield f"message {row[1]!r} does not match its checksum"
            if seq <= self._indexed:
                index.add(seq, indexed(text, restored(expanded, text)))
        yield from unreadable
        yield from _sequence("message", there, gone, self._last_seq)
        if not unreadable:  # else what the index should say is not known
            yield from self._index(index)

    def _index(self, expected: _Expected) -> Iterator[str]:
        found: dict[str, list[Posting]] = {}
        garbled: set[str] = set()
        sql = "SELECT term, postings FROM terms WHERE scope = ? ORDER BY term, first"
        try:
            stored = self._db.select(sql, (self._scope,))
        except StoreUnreadable as error:
            yield f"the index cannot be read{_REBUILD}: {error}"
            return
        for term, blob in stored:
            try:
                found.setdefault(term, []).extend(unpack(bytes(blob)))
            except StoreUnreadable:
                garbled.add(term)
        terms = expected.postings
        wrong = garbled | {t for t in terms.keys() | found.keys() if terms.get(t) != found.get(t)}
        if wrong:
            yield f"the index is wrong about {len(wrong)} words, such as {min(wrong)!r}{_REBUILD}"
        if expected.counts != tuple(self._counts):
            yield f"the index counts {tuple(self._counts)} messages and terms, there are {expected.counts}{_REBUILD}"
        if not 0 <= self._indexed <= self._last_seq:
            yield f"the index goes to message number {self._indexed}, the last one is {self._last_seq}{_REBUILD}"

    def _events(self) -> Iterator[str]:
        there: set[int] = set()
        unreadable: list[str] = []
        for row in self._pages("events", f"{EVENT}, checksum", unreadable):
            there.add(row[0])
            if checksum(row[:-1]) != bytes(row[-1]):
                yield f"event {row[0]} does not match its checksum"
        yield from unreadable
        yield from _sequence("event", there, set(), self._last_event)

    def _documents(self) -> Iterator[str]:
        made: set[int] = set()
        unreadable: list[str] = []
        for row in self._all_documents(unreadable):
            if checksum(row[:-1]) != bytes(row[-1]):
                yield f"{row[0]} {row[1]!r} does not match its checksum"
            if row[2] in made or not 0 < row[2] <= self._last_document:
                yield f"{row[0]} {row[1]!r} has a wrong place in its order"
            made.add(row[2])
        yield from unreadable

    def _all_documents(self, unreadable: list[str]) -> Iterator[Row]:
        sql = "SELECT kind, id, made, version, body, checksum FROM documents WHERE scope = ?"
        try:
            yield from self._db.select(sql, (self._scope,))
        except StoreUnreadable:
            keys = self._db.select("SELECT kind, id FROM documents WHERE scope = ?", (self._scope,))
            for kind, id in keys:
                try:
                    yield from self._db.select(f"{sql} AND kind = ? AND id = ?", (self._scope, kind, id))
                except StoreUnreadable as error:
                    unreadable.append(f"{kind} {id!r} cannot be read: {error}")

    def _vectors(self) -> Iterator[str]:
        [(orphans,)] = self._db.select(f"SELECT count(*) {_ORPHANS}", (self._scope,))
        if orphans:
            yield f"{orphans} vectors belong to no message{_REBUILD}"

    def _pages(self, table: str, columns: str, unreadable: list[str]) -> Iterator[Row]:
        """Row by row, a page at a time, so that a large scope does not fill the memory. Rows that hold no text where
        text should be are told apart from the rest."""
        after = _BEFORE_ALL
        while True:
            sql = f"SELECT seq FROM {table} WHERE scope = ? AND seq > ? ORDER BY seq LIMIT ?"
            seqs = [row[0] for row in self._db.select(sql, (self._scope, after, _PAGE))]
            if not seqs:
                return
            where = f"SELECT {columns} FROM {table} WHERE scope = ?"
            try:
                sql = f"{where} AND seq > ? AND seq <= ? ORDER BY seq"
                yield from self._db.select(sql, (self._scope, after, seqs[-1]))
            except StoreUnreadable:
                for seq in seqs:
                    try:
                        yield from self._db.select(f"{where} AND seq = ?", (self._scope, seq))
                    except StoreUnreadable as error:
                        unreadable.append(f"{table.removesuffix('s')} number {seq} cannot be read: {error}")
            after = seqs[-1]


class _Expected:
    """What the index should say about the messages that it covers."""

    def __init__(self, terms_of: TermsOf) -> None:
        self._terms_of = terms_of
        self.postings: dict[str, list[Posting]] = {}
        self.counts = (0, 0)

    def add(self, seq: int, text: str) -> None:
        counts = self._terms_of(text)
        length = sum(counts.values())
        self.counts = (self.counts[0] + 1, self.counts[1] + length)
        for term, times in counts.items():
            self.postings.setdefault(term, []).append((seq, times, length))


def _sequence(what: str, there: set[int], gone: set[int], last: int) -> Iterator[str]:
    known = sorted(seq for seq in there | gone if 0 < seq <= last)
    missing = last - len(known)
    if missing > 0:
        first = next((n for n, seq in enumerate(known, 1) if n != seq), len(known) + 1)
        yield f"{what} number {first} is missing" + (f", and {missing - 1:,} more" if missing > 1 else "")
    if there & gone:
        yield f"{what} number {min(there & gone)} is there though it was deleted"
    beyond = [seq for seq in there | gone if not 0 < seq <= last]
    if beyond:
        yield f"{what} number {max(beyond)} is out of order: the last one is {last}"
