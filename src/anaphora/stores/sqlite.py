"""The default store: one SQLite file, written through apsw, safe for several threads and processes at once."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import apsw

if TYPE_CHECKING:
    from anaphora.stores.nearness import Nearness

from anaphora.errors import StoreError
from anaphora.ports import Near, TermsOf
from anaphora.stores.backups import known_backups
from anaphora.stores.erasing import Erasures
from anaphora.stores.forks import watch_forks
from anaphora.stores.lately import Lately, ReadMessages
from anaphora.stores.records import Row, forget_read
from anaphora.stores.rows import Rows
from anaphora.stores.schema import DERIVED
from anaphora.stores.sqlite_files import (
    SQLITE_ERRORS,
    alone,
    check_version,
    connect,
    copy,
    named,
    named_errors,
    names_made,
)
from anaphora.stores.vectors import VectorLimits, packed
from anaphora.stores.verification import problems_of
from anaphora.types import Message, Scope

__all__ = ["SqliteStore"]


class SqliteStore:
    """One connection, one lock: a thread waits for the other, a process for the other through SQLite's own locks."""

    by_conversation = "INDEXED BY messages_by_conversation"  # it would go through the whole scope, newest first
    by_session = "INDEXED BY messages_by_session"

    def __init__(
        self,
        path: str,
        terms_of: TermsOf,
        *,
        durability: Literal["full", "normal"],
        busy_timeout: timedelta,
        limits: VectorLimits | None = None,
    ) -> None:
        self._path = Path(path).expanduser()
        self._terms_of = terms_of
        self._durability = durability
        self._busy_ms = int(busy_timeout.total_seconds() * 1000)
        self._lock = threading.RLock()
        self._scopes: dict[Scope, int] = {}
        self._limits = limits or VectorLimits()
        self._nearness: Nearness | None = None
        self._lately = Lately()
        self._erasures = Erasures(self)
        self._connection: apsw.Connection | None = None
        self._closed = False
        self._inside = self._begun = False  # a transaction, and its turn to write; guarded by the lock
        with self._lock, self._named_errors():
            self._db()
        watch_forks(self)

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    @property
    def held_bytes(self) -> int:
        """How much of vectors this process holds in memory."""
        with self._lock:
            return 0 if self._nearness is None else self._nearness.size

    def view(self, scope: Scope) -> Rows:
        return Rows(self, scope, self._terms_of)

    @contextmanager
    def transaction(self, scope: Scope) -> Iterator[Rows]:
        """Its turn to write comes with the first statement inside: what is made ready before that holds nobody up."""
        with self._lock:
            if self._inside:
                raise StoreError("A transaction cannot begin inside another.")
            with self._named_errors():
                db = self._db()
            rows = Rows(self, scope, self._terms_of, alone=True)
            try:
                self._inside = True
                with self._named_errors():
                    if db.in_transaction:  # left behind by an interrupt that hit the clearing up
                        db.execute("ROLLBACK")
                self._scopes.pop(scope, None)  # another process may have erased it meanwhile
                yield rows  # what the caller raises in here stays the caller's
                with self._named_errors():
                    if self._begun or db.in_transaction:  # begun, but for an interrupt before that was noted
                        db.execute("COMMIT")
            except BaseException:
                self._let_go_of_vectors(self._scopes.pop(scope, None))  # it may have been made in here
                forget_read()  # what was written in here never was
                with suppress(StoreError), self._named_errors():  # on a full disk it may be gone already: that is told
                    if db.in_transaction:
                        db.execute("ROLLBACK")
                raise
            finally:
                self._inside = self._begun = False
                rows.let_go()
                self._lately.written()

    def scopes(self) -> list[Scope]:
        return [Scope(*row) for row in self.select("SELECT owner, agent, project FROM scopes ORDER BY id", ())]

    def verify(self, scope: Scope | None = None) -> list[str]:
        with self.snapshot():
            damage = [f"the file: {row[0]}" for row in self.select("PRAGMA integrity_check", ()) if row[0] != "ok"]
            there = {row[0] for row in self.select("SELECT name FROM sqlite_schema", ())}
            damage += [f"the file has no {name}" for name in names_made() if name not in there]
            if damage:  # what is read from such a file may be anything
                return damage
            lost = [f"a row of {row[0]} has no scope" for row in self.select("PRAGMA foreign_key_check", ())]
            wanted = self.scopes() if scope is None else [scope]
            return lost + [problem for one in wanted for problem in problems_of(self, one, self._terms_of)]

    def renew(self) -> None:
        """Make SQLite's own indexes anew, and drop what was derived for scopes that are not there any more."""
        with self._reading() as db, alone(db):
            for table in DERIVED:
                db.execute(f"DELETE FROM {table} WHERE scope NOT IN (SELECT id FROM scopes)")
            db.execute("REINDEX")

    def erased_elsewhere(self, scope: Scope) -> bool:
        with self._lock:
            return self._erasures.elsewhere(scope)

    def scrub(self) -> list[str]:
        """Deleted content is overwritten as it goes (secure_delete); what is left of it is in the write-ahead log."""
        with self._reading() as db:
            self._let_go_of_vectors()
            self._lately.let_go()
            forget_read()
            busy, _, _ = next(iter(db.execute("PRAGMA wal_checkpoint(TRUNCATE)")))
        notes = [
            f"the backup {backup.path} of {backup.at:%Y-%m-%d %H:%M} may still hold it"
            for backup in known_backups(self._path)
            if backup.path.exists()
        ]
        if busy:
            notes.append(f"{self._path}-wal is in use by another process and may hold it until that one is closed")
        return notes

    def backup(self, path: Path) -> None:
        """A consistent copy while others write; readable by its owner alone, whole or not there at all."""
        with self._reading() as db, db:
            db.pragma("schema_version")  # from here on it is one moment: nobody's writing can make us begin again
            copy(db, self._path, path)

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = None
            self._closed = True
            self._lately.let_go()

    # around a fork

    def pause(self) -> None:
        self._lock.acquire()

    def resume(self) -> None:
        self._lock.release()

    def leave_to_parent(self) -> None:
        """In a forked child: the connection and the lock are the parent's; the next use opens another."""
        self._lock = threading.RLock()
        self._inside = self._begun = False
        self._scopes.clear()
        self._let_go_of_vectors()
        self._lately.let_go()
        if self._connection is not None:
            self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
            self._connection.close()
            self._connection = None

    # for Rows

    def select(self, sql: str, values: Sequence[Any]) -> list[Row]:
        with self._lock:
            try:
                return list(self._ready().execute(sql, values))
            except SQLITE_ERRORS as error:
                raise named(error, self._path, self._busy_ms) from error

    def write(self, sql: str, values: Sequence[Any]) -> list[Row]:
        with self._lock:
            try:
                return list(self._ready_to_write().execute(sql, values))
            except SQLITE_ERRORS as error:
                raise named(error, self._path, self._busy_ms) from error

    def write_many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        with self._lock:
            try:
                self._ready_to_write().executemany(sql, rows)
            except SQLITE_ERRORS as error:
                raise named(error, self._path, self._busy_ms) from error

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        with self._reading() as db, db:
            yield

    def scope_number(self, scope: Scope, *, make: bool) -> int | None:
        known = self._scopes.get(scope)
        if known is not None:
            return known
        key = (scope.user, scope.agent, scope.project)
        found = self.select("SELECT id FROM scopes WHERE owner = ? AND agent = ? AND project = ?", key)
        if not found and make:
            found = self.write("INSERT INTO scopes (owner, agent, project) VALUES (?, ?, ?) RETURNING id", key)
        if found:
            self._scopes[scope] = found[0][0]
        return self._scopes.get(scope)

    def among(self, column: str, values: Iterable[Any]) -> tuple[str, Any]:
        return f"{column} IN (SELECT value FROM json_each(?))", json.dumps(list(values), ensure_ascii=False)

    def vector(self, values: Sequence[float]) -> bytes:
        return packed(values)

    def lately(self, scope: int, seqs: Iterable[int], read: ReadMessages) -> Sequence[Message]:
        with self._lock:
            if self._inside:  # what is read in here may yet be taken back
                return read(list(seqs))
            [(change,)] = self.select("PRAGMA data_version", ())
            return self._lately.messages(scope, seqs, change, read)

    def changed(self, erased: Scope | None) -> None:
        self._lately.let_go()
        if erased is not None:
            self._erasures.here(erased)

    def nearest(
        self, scope: int, model: str, vector: Sequence[float], k: int, among: Iterable[int] | None
    ) -> list[Near]:
        with self._lock:
            if self._nearness is None:
                from anaphora.stores.nearness import Nearness  # here, since numpy takes time to load

                self._nearness = Nearness(self, self._limits)
            return self._nearness.nearest(scope, model, vector, k, among)

    def _let_go_of_vectors(self, scope: int | None = None) -> None:
        """Of a scope, or of all; without a word where none were looked for yet."""
        if self._nearness is not None:
            self._nearness.let_go(scope)

    @contextmanager
    def _reading(self) -> Iterator[apsw.Connection]:
        with self._lock, self._named_errors():
            yield self._ready()

    def _ready(self) -> apsw.Connection:
        """The connection; inside a transaction, with its turn to write taken."""
        db = self._db()
        if self._inside and not self._begun:
            db.execute("BEGIN IMMEDIATE")
            self._begun = True
            check_version(db, self._path)
        return db

    def _ready_to_write(self) -> apsw.Connection:
        db = self._ready()
        if not db.in_transaction:
            raise StoreError("Writing needs a transaction.")
        return db

    # opening

    def _db(self) -> apsw.Connection:
        if self._closed:
            raise StoreError(f"The store {self._path} is closed.", remedy="Open it again.")
        if self._connection is None:
            self._connection = connect(self._path, self._durability, self._busy_ms)
        return self._connection

    def _named_errors(self) -> AbstractContextManager[None]:
        return named_errors(self._path, self._busy_ms)
