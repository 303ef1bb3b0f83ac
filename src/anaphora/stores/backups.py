"""The backups that were made of a store, noted beside it: whoever forgets must know where a text lives on."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from anaphora.codec import parse_time, time_text
from anaphora.errors import FormatError, StoreUnreadable

__all__ = ["Backup", "known_backups", "list_of_backups", "note_backup"]


@dataclass(frozen=True, slots=True)
class Backup:
    """A copy of a store, and when it was made; it may have been moved or deleted since."""

    path: Path
    at: datetime


def list_of_backups(store: Path) -> Path:
    """The file beside a store that lists its backups."""
    return store.with_name(store.name + ".backups.json")


def known_backups(store: Path) -> list[Backup]:
    """The backups of a store that were noted, oldest first, those included that are not there any more."""
    path = list_of_backups(store)
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return []
    try:
        return [Backup(Path(entry["path"]), parse_time(entry["at"])) for entry in json.loads(text)]
    except (ValueError, TypeError, KeyError, FormatError) as error:
        raise StoreUnreadable(
            f"The list of backups {path} is damaged: {error}.", remedy="Delete it, and the backups you do not need."
        ) from error


def note_backup(store: Path, backup: Path, at: datetime) -> None:
    """Add a backup to the list; a later one at the same path takes the place of the earlier."""
    path, copy = list_of_backups(store), backup.absolute()
    with _alone_in(store.absolute().parent):
        noted = [b for b in known_backups(store) if b.path != copy]
        entries = [{"path": str(b.path), "at": time_text(b.at)} for b in (*noted, Backup(copy, at))]
        beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        try:
            beside.touch(mode=0o600)
            beside.write_text(json.dumps(entries, indent=2) + "\n", "utf-8")
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """One process at a time, where the system can lock a folder: two backups at once are both noted."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
