"""Looking after a store: is it whole, mend what is derived, make a copy, move it to another store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from anaphora.configuration import default_store
from anaphora.errors import InputError, NotFound, StoreError, StoreUnreadable
from anaphora.memory.terms import terms_of
from anaphora.ports import Store
from anaphora.settings import Settings
from anaphora.stores import open_store, shown
from anaphora.stores.backups import Backup, known_backups, note_backup
from anaphora.stores.copying import SqlStore, Tally, copy_scope, differences, marks, tally
from anaphora.stores.verification import drop_orphans
from anaphora.types import Scope

__all__ = [
    "Backup",
    "Migrated",
    "Rebuilt",
    "backup",
    "file_of",
    "known_backups",
    "migrate",
    "name_of",
    "note_backup",
    "opened",
    "rebuild",
    "verify",
]

Progress = Callable[[int, int], None]
"""Told how much is done, and of how much."""


def _unseen(_done: int, _of: int) -> None:
    """Nobody watches."""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What was made anew: the index of so many scopes and messages; and how many vectors without a message went."""

    scopes: int = 0
    messages: int = 0
    vectors_dropped: int = 0


@dataclass(frozen=True, slots=True)
class Migrated:
    """What the target holds now of the source; `moved_on` where the source was written to meanwhile."""

    scopes: int
    rows: Tally
    moved_on: bool = False


def file_of(place: str) -> Path | None:
    """The file that a store's place names; None for a place that is no file."""
    named = place or default_store()
    return None if named == ":memory:" or "://" in named else Path(named).expanduser()


def name_of(place: str) -> str:
    """A store's place as it may be shown, the default one included: without a password."""
    return shown(place or default_store())


@contextmanager
def opened(settings: Settings, place: str | None = None, *, there: bool = True) -> Iterator[Store]:
    """The store that the settings name, or that at `place`, without the memory around it. `there`: it must exist."""
    named = place if place is not None else settings.store or default_store()
    path = file_of(named)
    if there and path is not None and not _is_there(path):
        raise NotFound(f"There is no store at {path}.", remedy="Name another file with --store.")
    store = open_store(named, terms_of=terms_of, durability=settings.durability, busy_timeout=settings.busy_timeout)
    try:
        yield store
    finally:
        store.close()


def _is_there(path: Path) -> bool:
    """Where that cannot be told, opening it will say why."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def verify(store: Store, scope: Scope | None = None) -> list[str]:
    """What is wrong with the store, or with one scope of it, in words; empty if it is whole."""
    return store.verify(scope)


def rebuild(store: Store, progress: Progress = _unseen) -> Rebuilt:
    """Make anew what is derived from the messages, scope by scope, and drop what belongs to no message."""
    from anaphora.stores.sqlite import SqliteStore

    if isinstance(store, SqliteStore):
        store.renew()
    done = Rebuilt()
    scopes = store.scopes()
    for number, scope in enumerate(scopes, 1):
        with store.transaction(scope) as tx:
            tx.reindex()
            dropped = drop_orphans(store, scope) if isinstance(store, SqlStore) else 0
        found = store.view(scope).find(()).corpus
        done = Rebuilt(number, done.messages + found.messages, done.vectors_dropped + dropped)
        progress(number, len(scopes))
    return done


def backup(store: Store, file: Path, *, force: bool = False) -> None:
    """A consistent copy of the store as a file, while others write. It is noted, so that it can be found again."""
    from anaphora.stores.sqlite import SqliteStore

    if not isinstance(store, SqliteStore):
        raise StoreError(
            "This store is not a file, so it cannot be copied to one.",
            remedy="Back up PostgreSQL with pg_dump; 'anaphora export' writes one scope to a file.",
        )
    path = file.expanduser()
    own = {store.path, *(store.path.with_name(store.path.name + end) for end in ("-wal", "-shm", ".backups.json"))}
    if path.resolve() in {one.resolve() for one in own}:
        raise InputError(f"{path} is the store itself.", remedy="Name another file.")
    if path.exists() and not force:
        raise InputError(f"{path} is there already.", remedy="Name another file, or give --force to replace it.")
    store.backup(path)


def migrate(source: Store, target: Store, progress: Progress = _unseen) -> Migrated:
    """Copy every scope of the source into the target as it is. What was broken off goes on where it stopped."""
    if not isinstance(source, SqlStore) or not isinstance(target, SqlStore):
        raise InputError("A store in memory cannot be migrated.", remedy="Name a file, or a PostgreSQL database.")
    with source.snapshot():
        _check_whole("source", source)
        before, scopes = marks(source), source.scopes()
        of = sum(tally(source, scope).rows for scope in scopes)
        done = 0

        def advance(more: int) -> None:
            nonlocal done
            done += more
            progress(done, of)

        for scope in scopes:
            copy_scope(source, target, scope, advance)
        wrong = [difference for scope in scopes for difference in differences(source, target, scope)]
    if wrong:
        raise StoreError(f"The target is not like the source: {_some(wrong)}.", remedy="Migrate into an empty store.")
    _check_whole("target", target)
    tallies = [tally(target, scope) for scope in scopes]
    total = Tally(*(sum(getattr(t, kind) for t in tallies) for kind in Tally.__slots__))
    return Migrated(len(scopes), total, moved_on=marks(source) != before)


def _check_whole(which: str, store: SqlStore) -> None:
    problems = store.verify()
    if problems:
        raise StoreUnreadable(
            f"The {which} is damaged: {_some(problems)}.",
            remedy="Run 'anaphora rebuild' on it, or restore a backup, then try again.",
        )


def _some(problems: list[str]) -> str:
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return problems[0] + more
