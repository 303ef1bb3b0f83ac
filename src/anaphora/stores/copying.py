"""One SQL store into another: every scope, page by page, as it is; what is done is kept if it is broken off.

After each page the target is whole as far as it goes, so that a copy that was broken off goes on where it stopped.
Messages, deletions, documents and events keep their numbers, versions and checksums; vectors are written in the
target's own form; the word index is made anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Protocol, runtime_checkable

from anaphora.errors import InputError
from anaphora.ports import Transaction
from anaphora.stores.records import EVENT, MESSAGE, Row
from anaphora.stores.rows import Database, note_changes
from anaphora.stores.vectors import packed, unpacked
from anaphora.types import Scope

__all__ = ["Progress", "SqlStore", "Tally", "copy_scope", "differences", "marks", "tally"]

PAGE = 500
_DOCUMENT = "kind, id, made, version, body"

Progress = Callable[[int], None]
"""Told how many rows more are done."""


@runtime_checkable
class SqlStore(Database, Protocol):
    """A store that can be copied from and to."""

    def transaction(self, scope: Scope) -> AbstractContextManager[Transaction]: ...

    def scopes(self) -> list[Scope]: ...

    def verify(self, scope: Scope | None = None) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class Tally:
    """How much there is of each kind."""

    messages: int = 0
    deletions: int = 0
    documents: int = 0
    events: int = 0
    vectors: int = 0

    @property
    def rows(self) -> int:
        return self.messages + self.deletions + self.documents + self.events + self.vectors


_KINDS = ("messages", "deletions", "documents", "events", "vectors")


def tally(store: SqlStore, scope: Scope) -> Tally:
    """How much a scope holds."""
    number = store.scope_number(scope, make=False)
    if number is None:
        return Tally()
    return Tally(*(store.select(f"SELECT count(*) FROM {kind} WHERE scope = ?", (number,))[0][0] for kind in _KINDS))


def copy_scope(source: SqlStore, target: SqlStore, scope: Scope, progress: Progress) -> None:
    """Everything of a scope, inside a snapshot of the source. Refuses a target that holds what the source does not."""
    here = source.scope_number(scope, make=False)
    if here is None:
        return
    _check_same(source, target, scope, here)
    route = _Route(source, target, scope, here, progress)
    route.numbered("last_seq", {"messages": f"{MESSAGE}, checksum", "deletions": "seq"})
    route.numbered("last_event", {"events": f"{EVENT}, checksum"})
    route.documents()
    route.vectors()
    with target.transaction(scope) as tx:
        tx.reindex()


def marks(store: SqlStore) -> list[Row]:
    """What moves whenever something is written; to be compared with itself."""
    return store.select("SELECT id, last_seq, last_event, last_document FROM scopes ORDER BY id", ())


class _Route:
    """From a scope of one store to the same scope of the other."""

    def __init__(self, source: SqlStore, target: SqlStore, scope: Scope, here: int, progress: Progress) -> None:
        self._source, self._target, self._scope = source, target, scope
        self._here = here
        self._progress = progress

    def numbered(self, counter: str, tables: dict[str, str]) -> None:
        """Tables whose rows are numbered together, with the counter that says how far they go."""
        sql = f"SELECT {counter} FROM scopes WHERE id = ?"
        [(last,)] = self._source.select(sql, (self._here,))
        [(done,)] = self._reached(sql) or [(0,)]
        for table in tables:
            known = self._reached(f"SELECT count(*) FROM {table} WHERE scope = ?")
            self._progress(sum(row[0] for row in known))
        while done < last:
            upto = min(done + PAGE, last)
            with self._target.transaction(self._scope):
                for table, columns in tables.items():
                    self._copy(table, columns, done, upto)
                self._set(counter, upto)
            done = upto

    def documents(self) -> None:
        """In one transaction: they are few, and change with every message."""
        sql = f"SELECT {_DOCUMENT}, checksum FROM documents WHERE scope = ?"
        rows = self._source.select(sql, (self._here,))
        [(last,)] = self._source.select("SELECT last_document FROM scopes WHERE id = ?", (self._here,))
        with self._target.transaction(self._scope):
            self._target.write("DELETE FROM documents WHERE scope = ?", (self._there(),))
            for begin in range(0, len(rows), PAGE):
                self._insert("documents", f"{_DOCUMENT}, checksum", rows[begin : begin + PAGE])
            self._set("last_document", last)

    def vectors(self) -> None:
        for model in _models(self._source, self._here):
            for page in _vector_pages(self._source, self._here, model):
                sql = "SELECT seq, piece FROM vectors WHERE scope = ? AND model = ? AND seq >= ? AND seq <= ?"
                known = set(self._reached(sql, model, page[0][0], page[-1][0]))
                new = [(model, *key, self._target.vector(values)) for *key, values in page if tuple(key) not in known]
                self._progress(len(page) - len(new))
                with self._target.transaction(self._scope):
                    self._insert("vectors", "model, seq, piece, vector", new)
                    note_changes(self._target, self._scope, [(model, seq) for _, seq, *_ in new])

    def _there(self) -> int | None:
        """The scope's number in the target, inside a transaction; a store need not remember it for longer."""
        return self._target.scope_number(self._scope, make=True)

    def _reached(self, sql: str, *values: Any) -> list[Row]:
        """What a copy that was broken off left behind; the scope's number is the first value."""
        there = self._target.scope_number(self._scope, make=False)
        return [] if there is None else self._target.select(sql, (there, *values))

    def _set(self, counter: str, value: int) -> None:
        self._target.write(f"UPDATE scopes SET {counter} = ? WHERE id = ?", (value, self._there()))

    def _copy(self, table: str, columns: str, after: int, upto: int) -> None:
        sql = f"SELECT {columns} FROM {table} WHERE scope = ? AND seq > ? AND seq <= ? ORDER BY seq"
        self._insert(table, columns, self._source.select(sql, (self._here, after, upto)))

    def _insert(self, table: str, columns: str, rows: Sequence[Row]) -> None:
        if rows:
            places = f"({', '.join('?' * (len(rows[0]) + 1))})"
            sql = f"INSERT INTO {table} (scope, {columns}) VALUES {', '.join([places] * len(rows))}"
            there = self._there()
            self._target.write(sql, [value for row in rows for value in (there, *row)])
        self._progress(len(rows))


# --- the same? ----------------------------------------------------------------------------------------------------


def differences(source: SqlStore, target: SqlStore, scope: Scope) -> list[str]:
    """What the two stores do not have in common of a scope, by count and by checksum; in words."""
    ends = [(store, store.scope_number(scope, make=False)) for store in (source, target)]
    counts = [tally(store, scope) for store, _ in ends]
    wrong = [
        f"{_name(scope)}: {getattr(counts[0], kind):,} {kind} in the source, {getattr(counts[1], kind):,} in the target"
        for kind in _KINDS
        if getattr(counts[0], kind) != getattr(counts[1], kind)
    ]
    if not wrong:
        marks = [None if number is None else _fingerprints(store, number) for store, number in ends]
        one, two = (mark or {} for mark in marks)
        wrong = [f"{_name(scope)}: the {kind} are not the same" for kind in one if one[kind] != two.get(kind)]
    return wrong


def _fingerprints(store: SqlStore, scope: int) -> dict[str, bytes]:
    found = {kind: blake2b(digest_size=16) for kind in (*_KINDS, "counters")}
    for kind in ("messages", "events"):
        for row in _pages(store, kind, "seq, checksum", scope):
            found[kind].update(f"{row[0]} ".encode() + bytes(row[1]))
    for row in _pages(store, "deletions", "seq", scope):
        found["deletions"].update(f"{row[0]} ".encode())
    documents = store.select("SELECT made, checksum FROM documents WHERE scope = ? ORDER BY made", (scope,))
    for made, checksum in documents:
        found["documents"].update(f"{made} ".encode() + bytes(checksum))
    for model in _models(store, scope):
        for page in _vector_pages(store, scope, model):
            for seq, piece, values in page:
                found["vectors"].update(f"{model} {seq} {piece} ".encode() + packed(values))
    counters = store.select("SELECT last_seq, last_event, last_document FROM scopes WHERE id = ?", (scope,))
    found["counters"].update(json.dumps([list(row) for row in counters]).encode())
    return {kind: mark.digest() for kind, mark in found.items()}


def _check_same(source: SqlStore, target: SqlStore, scope: Scope, here: int) -> None:
    """What the target holds must be the beginning of what the source holds."""
    there = target.scope_number(scope, make=False)
    if there is None:
        return
    for table, columns in (("messages", "seq, checksum"), ("deletions", "seq"), ("events", "seq, checksum")):
        ours = _pages(source, table, columns, here)
        for row in _pages(target, table, columns, there):
            same = next((found for found in ours if found[0] >= row[0]), None)
            if same != row:
                raise _other(scope, f"{table.removesuffix('s')} number {row[0]}")
    sql = "SELECT kind, id, made, version, checksum FROM documents WHERE scope = ?"
    documents = {(kind, id): rest for kind, id, *rest in source.select(sql, (here,))}
    for kind, id, made, version, mark in target.select(sql, (there,)):
        made_here, version_here, mark_here = documents.get((kind, id), (None, 0, b""))
        if made != made_here or version > version_here or (version == version_here and bytes(mark) != bytes(mark_here)):
            raise _other(scope, f"{kind} {id!r}")


def _other(scope: Scope, what: str) -> InputError:
    return InputError(
        f"The target holds {_name(scope)} already, with other data: {what} is not as in the source. "
        "Nothing of it was changed.",
        remedy="Name an empty store as the target.",
    )


# --- reading ------------------------------------------------------------------------------------------------------


def _pages(store: SqlStore, table: str, columns: str, scope: int) -> Iterator[Row]:
    after = 0
    while True:
        sql = f"SELECT {columns} FROM {table} WHERE scope = ? AND seq > ? ORDER BY seq LIMIT ?"
        rows = store.select(sql, (scope, after, PAGE))
        yield from rows
        if len(rows) < PAGE:
            return
        after = rows[-1][0]


def _models(store: SqlStore, scope: int) -> list[str]:
    """In an order that does not depend on a database's collation."""
    return sorted(row[0] for row in store.select("SELECT DISTINCT model FROM vectors WHERE scope = ?", (scope,)))


def _vector_pages(store: SqlStore, scope: int, model: str) -> Iterator[list[tuple[int, int, Sequence[float]]]]:
    seq, piece = 0, 0
    while True:
        sql = (
            "SELECT seq, piece, vector FROM vectors WHERE scope = ? AND model = ? AND (seq, piece) > (?, ?) "
            "ORDER BY seq, piece LIMIT ?"
        )
        rows = store.select(sql, (scope, model, seq, piece, PAGE))
        if not rows:
            return
        yield [(seq, piece, _values(stored)) for seq, piece, stored in rows]
        seq, piece, _ = rows[-1]


def _values(stored: Any) -> Sequence[float]:
    """The numbers of a vector, in whatever form its store hands it out."""
    if isinstance(stored, bytes | bytearray | memoryview):
        return unpacked(bytes(stored))
    numbers = json.loads(stored, parse_int=float) if isinstance(stored, str) else stored  # "-0" is a number of its own
    return tuple(float(number) for number in numbers)


def _name(scope: Scope) -> str:
    return f"{scope.user}/{scope.agent}/{scope.project}"
