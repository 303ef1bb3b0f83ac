"""The file of a SQLite store: opened, made, brought to the current schema, copied; and SQLite's errors as ours."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from glob import escape
from pathlib import Path
from typing import Any, Literal

import apsw

from anaphora.errors import StoreBusy, StoreError, StoreNewer, StoreUnreadable, StoreUnwritable
from anaphora.stores import migrations
from anaphora.stores.backups import note_backup
from anaphora.stores.compact import as_bytes
from anaphora.stores.mounts import file_system_of, is_network
from anaphora.stores.schema import VERSION, Dialect, create

__all__ = [
    "APPLICATION_ID",
    "DIALECT",
    "SQLITE_ERRORS",
    "alone",
    "check_version",
    "connect",
    "copy",
    "named",
    "named_errors",
    "names_made",
]

APPLICATION_ID = 0x416E6170  # "Anap": tells our files from other programs' databases
# AUTOINCREMENT: the number of an erased scope is never given to another, which a process might take for the old one
DIALECT = Dialect("INTEGER PRIMARY KEY AUTOINCREMENT", "INTEGER", "BLOB", "BLOB", " STRICT", " STRICT, WITHOUT ROWID")
SQLITE_ERRORS = (apsw.Error, OSError, UnicodeDecodeError)
_RETRY_SECONDS = 0.005
_PAGES_AT_ONCE = 1000
_CREATES = re.compile(r"CREATE (?:UNIQUE )?(?:TABLE|INDEX) (\w+)")


def connect(path: Path, durability: Literal["full", "normal"], busy_ms: int) -> apsw.Connection:
    """The store at a path, made if it is not there, upgraded if it is an old one."""
    _check_local(path)
    _make_private(path)
    db = apsw.Connection(str(path))
    try:
        db.set_busy_timeout(busy_ms)
        _check_ours(db, path)
        _keep_log(db, busy_ms)
        db.execute(f"PRAGMA synchronous = {durability}")
        db.execute("PRAGMA secure_delete = ON")
        if db.pragma("user_version") == 0:
            _create(db)
        if db.pragma("user_version") < VERSION:
            _upgrade(db, path, busy_ms)
        db.execute("PRAGMA foreign_keys = ON")  # not before: a step of an upgrade may make a table anew
    except BaseException:
        db.close()
        raise
    return db


def check_version(db: apsw.Connection, path: Path) -> None:
    """Inside a transaction: what is open here is still the schema that this program knows."""
    if db.execute("PRAGMA user_version").get != VERSION:
        raise StoreNewer(
            f"{path} was brought to another schema while it was open here.",
            remedy="Open it again, with the newer Anaphora.",
        )


def names_made() -> list[str]:
    """The names of the tables and indexes that a store has."""
    return [match[1] for statement in create(DIALECT) if (match := _CREATES.match(statement))]


def copy(db: apsw.Connection, store: Path, path: Path) -> None:
    """The store as a file of its own, readable by its owner alone; whole or not there at all. It is noted before it is
    made, so that no copy is ever there that nobody knows of."""
    if _beside(path, "-wal").exists():
        raise StoreUnwritable(
            f"{path} cannot be replaced: it has a log of its own, so another program has it open.",
            remedy="Close that program, or name another file.",
        )
    note_backup(store, path, datetime.now(UTC))
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    _clear_unfinished(path)
    try:
        _make_private(unfinished)
        made = apsw.Connection(str(unfinished))
        try:
            with made.backup("main", db, "main") as running:
                while not running.done:
                    running.step(_PAGES_AT_ONCE)
            found = made.execute("PRAGMA quick_check(1)").get
        finally:
            made.close()
        if found != "ok":
            raise StoreUnreadable(
                f"{store} is damaged, and so would be the copy, which was not kept: {found}.",
                remedy="'anaphora verify' says what is damaged; restore a backup.",
            )
        unfinished.replace(path)
    except (OSError, apsw.FullError, apsw.IOError, apsw.CantOpenError, apsw.ReadOnlyError) as error:
        raise StoreUnwritable(
            f"The copy {path} could not be written: {error}.", remedy="Check the path and the space left there."
        ) from error
    finally:
        with suppress(NotADirectoryError):
            for ending in ("", "-wal", "-shm", "-journal"):
                _beside(unfinished, ending).unlink(missing_ok=True)


def _clear_unfinished(path: Path) -> None:
    """Take away what was left of this copy by a process that was killed while it made it."""
    for left in path.parent.glob(f".{escape(path.name)}.*.tmp*"):
        pid = left.name.removeprefix(f".{path.name}.").partition(".")[0]
        if pid.isdecimal() and not _is_running(int(pid)):
            left.unlink(missing_ok=True)


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True


@contextmanager
def named_errors(path: Path, busy_ms: int) -> Iterator[None]:
    """SQLite's errors as ours."""
    try:
        yield
    except SQLITE_ERRORS as error:
        raise named(error, path, busy_ms) from error


def named(error: Exception, path: Path, busy_ms: int) -> StoreError:
    """One of `SQLITE_ERRORS` as ours, with what to do."""
    match error:
        case apsw.BusyError():
            return StoreBusy(
                f"{path} was busy for {busy_ms / 1000:g} s: another process is writing.",
                remedy="Try again, or raise the setting busy_timeout.",
            )
        case apsw.FullError():
            return StoreUnwritable(f"The disk of {path} is full.", remedy="Free some space.")
        case apsw.ReadOnlyError() | apsw.PermissionsError() | apsw.CantOpenError() | OSError():
            return StoreUnwritable(
                f"{path} cannot be opened for writing: {error}.",
                remedy="Check the path and its permissions, or name another file with --store.",
            )
        case apsw.NotADBError() | apsw.CorruptError():
            return StoreUnreadable(
                f"{path} is not a readable store: {error}.",
                remedy="It was left as it is; restore a backup, or name another file with --store.",
            )
        case UnicodeDecodeError():
            return StoreUnreadable(
                f"A text in {path} is damaged: {error}.", remedy="'anaphora verify' says which; restore a backup."
            )
        case apsw.IOError() if getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_SHMSIZE:
            return StoreUnwritable(f"The disk of {path} is full.", remedy="Free some space.")
        case apsw.IOError():
            return StoreError(
                f"{path} could not be read or written: {error}.", remedy="Check the disk, and the space left on it."
            )
        case _:
            return StoreError(f"{path} could not be read or written: {error}.")


# --- opening ------------------------------------------------------------------------------------------------------


def _check_local(path: Path) -> None:
    kind = file_system_of(path)
    if is_network(kind):
        raise StoreUnwritable(
            f"{path} is on a network file system ({kind}), where SQLite cannot keep it whole.",
            remedy="Name a file on a local disk with --store, or use PostgreSQL.",
        )


def _make_private(path: Path) -> None:
    """The file and the folders above it, readable by their owner alone; what is there already is left as it is."""
    for folder in reversed(path.parents):
        if not folder.is_dir():
            folder.mkdir(mode=0o700, exist_ok=True)
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def _check_ours(db: apsw.Connection, path: Path) -> None:
    db.execute("BEGIN")  # one moment: another process may be making the store
    try:
        application, version = db.pragma("application_id"), db.pragma("user_version")
        empty = db.execute("SELECT count(*) FROM sqlite_schema").get == 0
    finally:
        if db.in_transaction:  # where the disk is full there is none left, and saying so would hide it
            db.execute("ROLLBACK")
    if application != APPLICATION_ID and not (empty and application == 0):
        raise StoreUnreadable(f"{path} is a database of another program.", remedy="Name another file with --store.")
    if version > VERSION:
        raise StoreNewer(
            f"{path} was written by a newer Anaphora (schema {version}, this one reads {VERSION}).",
            remedy="Install a newer Anaphora.",
        )


def _keep_log(db: apsw.Connection, busy_ms: int) -> None:
    """Write-ahead logging. SQLite does not wait for its turn in this one statement, so we do."""
    deadline = time.monotonic() + busy_ms / 1000
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
            return
        except apsw.BusyError:
            if time.monotonic() >= deadline:
                raise
        time.sleep(_RETRY_SECONDS)


def _create(db: apsw.Connection) -> None:
    with alone(db):
        if db.pragma("user_version") == 0:  # still, now that no other process can be at it
            db.execute(";\n".join(create(DIALECT)))
            db.pragma("application_id", APPLICATION_ID)
            db.pragma("user_version", VERSION)


def _upgrade(db: apsw.Connection, path: Path, busy_ms: int) -> None:
    """To the current schema, step by step, with a copy of the store as it was."""
    before = None
    while (version := db.pragma("user_version")) < VERSION:
        step = migrations.pending(version, VERSION)[0]
        try:
            with alone(db):
                if db.pragma("user_version") != version:
                    continue  # another process has done it meanwhile
                if before is None:
                    before = _beside(path, f".before-schema-{step.version}")
                    _copy_of_written(path, before, busy_ms)
                _take(db, step)
        except (apsw.SQLError, apsw.ConstraintError) as error:
            raise StoreError(
                f"{path} could not be brought from schema {version} to {step.version}: {error}. It was left as it was.",
                remedy=f"Go on with the Anaphora that you had; a copy of the store is {before}.",
            ) from error


def _take(db: apsw.Connection, step: migrations.Migration) -> None:
    db.create_scalar_function("found_as_bytes", _as_bytes, 1, deterministic=True)
    for statement in step.statements(DIALECT):
        db.execute(statement)
    if list(db.execute("PRAGMA foreign_key_check")):
        raise apsw.ConstraintError("rows without a scope would be left")
    db.pragma("user_version", step.version)


def _as_bytes(*values: Any) -> bytes:
    return as_bytes(values[0])


def _copy_of_written(path: Path, to: Path, busy_ms: int) -> None:
    """While one connection keeps others from writing another one reads: a writer itself cannot be copied."""
    reader = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        reader.set_busy_timeout(busy_ms)
        copy(reader, path, to)
    finally:
        reader.close()


@contextmanager
def alone(db: apsw.Connection) -> Iterator[None]:
    """A transaction with no other writer."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)
