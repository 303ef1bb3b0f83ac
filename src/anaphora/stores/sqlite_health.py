"""What can be told about a store's file from outside, without making, upgrading or changing it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import apsw

from anaphora.stores.schema import VERSION
from anaphora.stores.sqlite_files import APPLICATION_ID, named_errors

__all__ = ["SAFE_SQLITE", "Peek", "Turn", "peek", "sqlite_version", "turn_to_write"]

SAFE_SQLITE = (3, 51, 3)
"""Before this one, several writers could lose data when the log was begun anew (the WAL-reset bug)."""

Turn = Literal["free", "held", "refused"]


@dataclass(frozen=True, slots=True)
class Peek:
    """Whose file it is, its schema, and the one that this program writes."""

    ours: bool
    schema: int
    current: int


def sqlite_version() -> tuple[int, ...]:
    """The SQLite that stores are read and written with."""
    return tuple(int(part) for part in apsw.sqlite_lib_version().split("."))


def peek(path: Path, busy_ms: int) -> Peek:
    """Raises StoreUnreadable or StoreUnwritable where the file cannot be read."""
    with named_errors(path, busy_ms):
        db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            db.set_busy_timeout(busy_ms)
            application, version = db.pragma("application_id"), db.pragma("user_version")
            return Peek(application == APPLICATION_ID, version, VERSION)
        finally:
            db.close()


def turn_to_write(path: Path, busy_ms: int) -> Turn:
    """Whether a writer would get its turn in time; it is given back at once."""
    with named_errors(path, busy_ms):
        db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            if db.readonly("main"):  # SQLite begins without a word even so
                return "refused"
            db.set_busy_timeout(busy_ms)
            db.execute("BEGIN IMMEDIATE")
            db.execute("ROLLBACK")
            return "free"
        except apsw.BusyError:
            return "held"
        except (apsw.ReadOnlyError, apsw.CantOpenError, apsw.PermissionsError):
            return "refused"
        finally:
            db.close()
