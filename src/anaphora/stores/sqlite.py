"""The default store: one SQLite file, written through apsw, safe for several threads and processes at once."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Literal

import apsw

from anaphora.errors import StoreBusy, StoreError, StoreUnreadable, StoreUnwritable
from anaphora.ports import TermsOf
from anaphora.stores.sqlite_forks import watch_forks
from anaphora.stores.sqlite_rows import Rows
from anaphora.stores.sqlite_schema import APPLICATION_ID, SCHEMA, VERSION
from anaphora.types import Scope

__all__ = ["SqliteStore"]

_RETRY_SECONDS = 0.005


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
        self._closed = False
        with self._lock, self._named_errors():
            self._connect()
        watch_forks(self)

    def view(self, scope: Scope) -> Rows:
        return Rows(self, scope, self._terms_of)

    @contextmanager
    def transaction(self, scope: Scope) -> Iterator[Rows]:
        with self._lock:
            with self._named_errors():
                db = self._db()
                db.execute("BEGIN IMMEDIATE")
            try:
                yield Rows(self, scope, self._terms_of)  # what the caller raises in here stays the caller's
                with self._named_errors():
                    db.execute("COMMIT")
            except BaseException:
                self._scopes.pop(scope, None)  # it may have been made in here
                with self._named_errors():
                    if db.in_transaction:
                        db.execute("ROLLBACK")
                raise

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = None
            self._closed = True

    # around a fork

    def pause(self) -> None:
        self._lock.acquire()

    def resume(self) -> None:
        self._lock.release()

    def leave_to_parent(self) -> None:
        """In a forked child: the connection and the lock are the parent's; the next use opens another."""
        self._lock = threading.RLock()
        self._scopes.clear()
        if self._connection is not None:
            self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
            self._connection.close()
            self._connection = None

    # for Rows

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """The connection, for statements that read."""
        with self._lock, self._named_errors():
            yield self._db()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """What is read in here is the file at one moment, whatever other processes do meanwhile."""
        with self.reading() as db, db:
            yield

    @contextmanager
    def writing(self) -> Iterator[apsw.Connection]:
        """The connection inside a transaction; writing outside of one is a fault of ours."""
        with self.reading() as db:
            if not db.in_transaction:
                raise StoreError("Writing needs a transaction.")
            yield db

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
        if self._closed:
            raise StoreError(f"The store {self._path} is closed.", remedy="Open it again.")
        return self._connection or self._connect()

    def _connect(self) -> apsw.Connection:
        _make_private(self._path)
        db = apsw.Connection(str(self._path))
        try:
            db.set_busy_timeout(self._busy_ms)
            self._prepare(db)
        except BaseException:
            db.close()
            raise
        self._connection = db
        return db

    def _prepare(self, db: apsw.Connection) -> None:
        self._check_ours(db)
        self._keep_log(db)
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
        with db:  # one moment: another process may be making the store
            application, version = db.pragma("application_id"), db.pragma("user_version")
            empty = db.execute("SELECT count(*) FROM sqlite_schema").get == 0
        if application != APPLICATION_ID and not (empty and application == 0):
            raise StoreUnreadable(
                f"{self._path} is a database of another program.", remedy="Name another file with --store."
            )
        if version > VERSION:
            raise StoreUnreadable(
                f"{self._path} was written by a newer Anaphora (schema {version}, this one reads {VERSION}).",
                remedy="Upgrade: pip install --upgrade anaphora.",
            )

    def _keep_log(self, db: apsw.Connection) -> None:
        """Write-ahead logging. SQLite does not wait for its turn in this one statement, so we do."""
        deadline = time.monotonic() + self._busy_ms / 1000
        while True:
            try:
                db.execute("PRAGMA journal_mode = WAL")
                return
            except apsw.BusyError:
                if time.monotonic() >= deadline:
                    raise
            time.sleep(_RETRY_SECONDS)

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
        except (apsw.ReadOnlyError, apsw.PermissionsError, apsw.CantOpenError, OSError) as error:
            raise StoreUnwritable(
                f"{self._path} cannot be opened for writing: {error}.",
                remedy="Check the path and its permissions, or name another file with --store.",
            ) from error
        except (apsw.NotADBError, apsw.CorruptError) as error:
            raise StoreUnreadable(
                f"{self._path} is not a readable store: {error}.",
                remedy="It was left as it is; restore a backup, or name another file with --store.",
            ) from error
        except apsw.Error as error:
            raise StoreError(f"{self._path} could not be read or written: {error}.") from error


def _make_private(path: Path) -> None:
    """The file and the folders above it, readable by their owner alone; what is there already is left as it is."""
    for folder in reversed(path.parents):
        if not folder.is_dir():
            folder.mkdir(mode=0o700, exist_ok=True)
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
