"""The default store: one SQLite file, written through apsw, safe for several threads and processes at once."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Literal

import apsw

from anaphora.errors import StoreBusy, StoreError, StoreUnreadable, StoreUnwritable
from anaphora.ports import TermsOf
from anaphora.stores.sqlite_rows import Rows
from anaphora.stores.sqlite_schema import APPLICATION_ID, SCHEMA, VERSION
from anaphora.types import Scope

__all__ = ["SqliteStore"]


class SqliteStore:
    """One connection, one lock: a thread waits for the other, a process for the other through SQLite's own locks."""

    def __init__(
        self, path: str, terms_of: TermsOf, *, durability: Literal["full", "normal"], busy_timeout: timedelta
    ) -> None:
        self._path = Path(path).expanduser()
        self._terms_of = terms_of
        self._durability = durability
        self._busy_ms = int(busy_timeout.total_seconds() * 1000)
        self._lock = threading.RLock()
        self._scopes: dict[Scope, int] = {}
        self._connection: apsw.Connection | None = None
        self._pid = -1
        with self._lock, self._named_errors():
            self._connect()

    def view(self, scope: Scope) -> Rows:
        return Rows(self, scope, self._terms_of)

    @contextmanager
    def transaction(self, scope: Scope) -> Iterator[Rows]:
        with self._lock, self._named_errors():
            db = self._db()
            db.execute("BEGIN IMMEDIATE")
            try:
                yield Rows(self, scope, self._terms_of)
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                self._scopes.pop(scope, None)  # it may have been made in here
                raise

    def close(self) -> None:
        with self._lock:
            if self._connection is not None and self._pid == os.getpid():
                self._connection.close()
            self._connection = None

    # for Rows

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """The connection, for statements that read."""
        with self._lock, self._named_errors():
            yield self._db()

    def writing(self) -> apsw.Connection:
        """The connection inside a transaction; writing outside of one is a fault of ours."""
        db = self._db()
        if not db.in_transaction:
            raise StoreError("Writing needs a transaction.")
        return db

    def scope_row(self, scope: Scope, *, make: bool) -> int | None:
        """The number of a scope in the file."""
        known = self._scopes.get(scope)
        if known is not None:
            return known
        db, key = self._db(), (scope.user, scope.agent, scope.project)
        found = db.execute("SELECT id FROM scopes WHERE user = ? AND agent = ? AND project = ?", key).get
        if found is None and make:
            found = db.execute("INSERT INTO scopes (user, agent, project) VALUES (?, ?, ?) RETURNING id", key).get
        if found is not None:
            self._scopes[scope] = found
        return found  # type: ignore[no-any-return]

    # opening

    def _db(self) -> apsw.Connection:
        if self._connection is None:
            raise StoreError(f"The store {self._path} is closed.", remedy="Open it again.")
        if self._pid != os.getpid():  # a forked child must not use its parent's connection
            self._scopes.clear()
            self._connect()
        return self._connection

    def _connect(self) -> None:
        _make_private(self._path)
        db = apsw.Connection(str(self._path))
        try:
            db.set_busy_timeout(self._busy_ms)
            self._prepare(db)
        except BaseException:
            db.close()
            raise
        self._connection, self._pid = db, os.getpid()

    def _prepare(self, db: apsw.Connection) -> None:
        self._check_ours(db)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute(f"PRAGMA synchronous = {self._durability}")
        db.execute("PRAGMA secure_delete = ON")
        db.execute("PRAGMA foreign_keys = ON")
        if db.pragma("user_version") == VERSION:
            return
        db.execute("BEGIN IMMEDIATE")
        try:
            if db.pragma("user_version") == 0:  # still, now that no other process can be at it
                db.execute(SCHEMA)
                db.pragma("application_id", APPLICATION_ID)
                db.pragma("user_version", VERSION)
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise

    def _check_ours(self, db: apsw.Connection) -> None:
        application, version = db.pragma("application_id"), db.pragma("user_version")
        empty = db.execute("SELECT count(*) FROM sqlite_schema").get == 0
        if application != APPLICATION_ID and not empty:
            raise StoreUnreadable(
                f"{self._path} is a database of another program.", remedy="Name another file with --store."
            )
        if version > VERSION:
            raise StoreUnreadable(
                f"{self._path} was written by a newer Anaphora (schema {version}, this one reads {VERSION}).",
                remedy="Upgrade: pip install --upgrade anaphora.",
            )

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        """SQLite's errors as ours, each with what to do."""
        try:
            yield
        except apsw.BusyError as error:
            raise StoreBusy(
                f"{self._path} was busy for {self._busy_ms / 1000:g} s: another process is writing.",
                remedy="Try again, or raise the setting busy_timeout.",
            ) from error
        except apsw.FullError as error:
            raise StoreUnwritable(f"The disk of {self._path} is full.", remedy="Free some space.") from error
        except (apsw.ReadOnlyError, apsw.PermissionsError, apsw.CantOpenError, PermissionError) as error:
            raise StoreUnwritable(
                f"{self._path} cannot be opened for writing: {error}.",
                remedy="Check the path and its permissions, or name another file with --store.",
            ) from error
        except (apsw.NotADBError, apsw.CorruptError) as error:
            raise StoreUnreadable(
                f"{self._path} is not a readable store: {error}.",
                remedy="It was left as it is; restore a backup, or name another file with --store.",
            ) from error
        except (apsw.IOError, OSError) as error:
            raise StoreError(f"{self._path} could not be read or written: {error}.") from error


def _make_private(path: Path) -> None:
    """The file and the folders above it, readable by their owner alone; what is there already is left as it is."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
