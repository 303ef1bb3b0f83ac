"""What is wrong around a store, and how to mend it: the library, the file, its folder, the clock, the settings."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from anaphora.configuration import PROJECT_FILE, user_file
from anaphora.engine.upkeep import file_of, known_backups, opened
from anaphora.engine.writing import failure_of
from anaphora.errors import AnaphoraError, StoreError, StoreUnreadable
from anaphora.memory.terms import terms_of
from anaphora.models.embedder import bundled_embedder
from anaphora.models.reader import bundled_reader
from anaphora.models.tokens import token_counter
from anaphora.ports import Store
from anaphora.settings import Settings
from anaphora.stores import open_store
from anaphora.stores.backups import list_of_backups
from anaphora.stores.mounts import DOUBTFUL, file_system_of, is_network
from anaphora.types import Scope

__all__ = ["Finding", "examine"]

Grade = Literal["ok", "note", "wrong"]

_LITTLE_SPACE = 50 * 2**20
_LONG_LOG = 64 * 2**20
_LOCK_MS = 500
_FIRST_YEAR = 2024
_AHEAD = timedelta(minutes=5)  # clocks of two machines may differ


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. A note is worth knowing; what is wrong should be mended, as `remedy` says."""

    check: str
    grade: Grade
    says: str
    remedy: str | None = None


def examine(load: Callable[[], Settings], given: str | None, now: datetime) -> list[Finding]:
    """Everything that can be told. `load` reads the settings; where it fails, the store is `given` or the default."""
    try:
        settings = load()
        files = [str(file) for file in (user_file(), Path.cwd() / PROJECT_FILE) if os.access(file, os.R_OK)]
        findings = [Finding("settings", "ok", f"valid: {', '.join(files)}" if files else "no files; all is valid")]
    except AnaphoraError as error:
        settings = Settings(store=given or "")
        findings = [Finding("settings", "wrong", _said(error), error.remedy or "Mend that setting.")]
    findings += [_sqlite(), _tokens(settings), _models(settings), *_vectors(settings), *_language(settings)]
    path = file_of(settings.store)
    if path is None:
        return [*findings, *_elsewhere(settings, now)]
    try:
        for finding in _file(settings, path, now):
            findings.append(finding)
    except OSError as error:
        remedy = "Give yourself access to it, or name another file with --store."
        findings.append(Finding("access", "wrong", f"the store cannot be looked at: {error}", remedy))
    return findings


# --- the installation ---------------------------------------------------------------------------------------------


def _sqlite() -> Finding:
    from anaphora.stores.sqlite_health import SAFE_SQLITE, sqlite_version

    version = sqlite_version()
    name = "SQLite " + ".".join(map(str, version))
    if version < SAFE_SQLITE:
        fixed = ".".join(map(str, SAFE_SQLITE))
        says = f"{name} has the WAL-reset bug, which may damage a store that several programs write (mended in {fixed})"
        return Finding("SQLite", "wrong", says, "Run: pip install --upgrade apsw")
    return Finding("SQLite", "ok", name)


def _tokens(settings: Settings) -> Finding:
    try:
        return Finding("token counter", "ok", token_counter(settings.tokenizer).name)
    except AnaphoraError as error:
        return Finding("token counter", "wrong", _said(error), error.remedy)


def _models(settings: Settings) -> Finding:
    if settings.reader == "none":
        return Finding("reader", "note", "switched off: words and rules alone", "Set reader to bundled.")
    try:
        bundled_reader().judge("Is it there?", (), talk=False)
        bundled_embedder().embed(["Is it there?"])
    except AnaphoraError as error:
        return Finding("reader", "wrong", f"{_said(error)} Words and rules do without it, less well", error.remedy)
    return Finding("reader", "ok", f"reads; and {bundled_embedder().name} embeds")


def _vectors(settings: Settings) -> Iterator[Finding]:
    """Where they are not in the store itself: can they be reached?"""
    if settings.vectors == "store":
        return
    try:
        store = open_store(
            ":memory:",
            terms_of=terms_of,
            durability=settings.durability,
            busy_timeout=settings.busy_timeout,
            vectors=settings.vectors,
        )
        with closing(store):
            store.view(Scope("anyone", "doctor", "any")).nearest("any", [1.0], 1)
        yield Finding("vectors", "ok", f"{settings.vectors.partition(':')[0]} answers")
    except AnaphoraError as error:
        yield Finding("vectors", "wrong", _said(error), error.remedy)


def _language(settings: Settings) -> Iterator[Finding]:
    """Where one is configured: can it be called, and how did its last call go? It is not called for this."""
    if not settings.llm_base_url:
        return
    key = "with a key" if os.environ.get("ANAPHORA_LLM_KEY") else "without a key"
    host = urlsplit(settings.llm_base_url).hostname
    yield Finding("language model", "note", f"{settings.llm_model!r} at {host}, {key}: conversations are sent there")


def _last_call(settings: Settings, store: Store) -> Iterator[Finding]:
    if not settings.llm_base_url:
        return
    failed = failure_of(store.view(Scope(settings.user, settings.agent, settings.project)))
    if failed is not None:
        remedy = "Check llm_base_url, llm_model and ANAPHORA_LLM_KEY; summaries are made without it meanwhile."
        yield Finding("last summary", "wrong", f"at {failed[0]:%Y-%m-%d %H:%M} UTC: {failed[1]}", remedy)


# --- a store that is no file --------------------------------------------------------------------------------------


def _elsewhere(settings: Settings, now: datetime) -> Iterator[Finding]:
    if settings.store == ":memory:":
        yield Finding("store", "note", "in memory: it is gone with the process", "Name a file with --store to keep it.")
        return
    try:
        with opened(settings) as store:
            yield Finding("store", "ok", f"the database can be reached and holds {_count(store)}")
            yield _clock(store, now)
    except AnaphoraError as error:
        yield Finding("store", "wrong", _said(error), error.remedy)


# --- a store that is a file ---------------------------------------------------------------------------------------


def _file(settings: Settings, path: Path, now: datetime) -> Iterator[Finding]:
    folder = next((f for f in path.absolute().parents if f.is_dir()), Path.cwd())
    yield _file_system(path)
    yield _space(path, folder)
    if not path.exists():
        usable = os.access(folder, os.W_OK)
        remedy = None if usable else "Name a file that you may write with --store."
        says = f"{path} is not there yet; it is made when something is said"
        yield Finding("store", "note" if usable else "wrong", says, remedy)
        return
    try:
        copies = [backup.path for backup in known_backups(path)]
    except StoreUnreadable as error:
        copies = []
        yield Finding("backups", "wrong", _said(error), error.remedy)
    if os.name == "posix":
        yield _permissions([path, *_companions(path), *copies])
        yield _folder(folder)
    yield _log(path)
    yield _leftovers([path, list_of_backups(path), *copies])
    if not is_network(file_system_of(path)):  # else to open it might do the damage
        yield from _opening(settings, path, now)


def _opening(settings: Settings, path: Path, now: datetime) -> Iterator[Finding]:
    reached = [*_reach(path)]
    yield from reached
    if all(finding.grade == "ok" for finding in reached):  # an older schema would be upgraded by opening it
        try:
            with opened(settings) as store:
                yield _clock(store, now)
                yield from _last_call(settings, store)
        except StoreError as error:
            yield Finding("store", "wrong", _said(error), error.remedy)


def _reach(path: Path) -> Iterator[Finding]:
    from anaphora.stores.sqlite_health import peek, turn_to_write

    try:
        found = peek(path, _LOCK_MS)
        turn = turn_to_write(path, _LOCK_MS)
    except StoreError as error:
        yield Finding("store", "wrong", _said(error), error.remedy)
        return
    if not found.ours:
        yield Finding("store", "wrong", f"{path} is no store of Anaphora", "Name another file with --store.")
        return
    yield Finding("store", "ok", f"{path} can be read")
    if found.schema > found.current:
        says = f"{found.schema}, written by a newer Anaphora; this one knows {found.current}"
        yield Finding("schema", "wrong", says, "Install a newer Anaphora.")
    elif found.schema < found.current:
        says = f"{found.schema}; it is brought to {found.current} when it is opened, after a copy was made"
        yield Finding("schema", "note", says)
    else:
        yield Finding("schema", "ok", str(found.schema))
    match turn:
        case "free":
            yield Finding("writing", "ok", "it can be written, and nobody holds it")
        case "held":
            says = f"another program has held the store for longer than {_LOCK_MS / 1000:g} s"
            yield Finding("writing", "wrong", says, f"Find it, and end it if it is stuck: fuser {_quoted([path])}")
        case "refused":
            yield Finding("writing", "wrong", "it cannot be written", f"Run: chmod u+rw {_quoted([path])}")


def _file_system(path: Path) -> Finding:
    kind = file_system_of(path)
    local = "Name a file on a local disk with --store, or use PostgreSQL."
    if is_network(kind):
        return Finding("file system", "wrong", f"{kind}, a network file system: SQLite would damage the store", local)
    if kind in DOUBTFUL:
        says = f"{kind}: if this folder is shared with another machine, only one of them may use the store"
        return Finding("file system", "note", says, local)
    return Finding("file system", "ok", kind or "not known on this system")


def _space(path: Path, folder: Path) -> Finding:
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return Finding("disk space", "note", f"not known: {error}")
    size = path.stat().st_size if path.exists() else 0
    says = f"{_size(free)} free, the store has {_size(size)}"
    if free < _LITTLE_SPACE:
        return Finding("disk space", "wrong", says, "Free some space, or move the store to another disk.")
    if free < 2 * size:
        return Finding("disk space", "note", says, "Free some space: a backup or an upgrade needs that of the store.")
    return Finding("disk space", "ok", says)


def _permissions(files: Sequence[Path]) -> Finding:
    open_ones = [file for file in files if file.exists() and file.stat().st_mode & 0o077]
    if not open_ones:
        return Finding("permissions", "ok", "only you can read the store and its backups")
    says = f"others may read {', '.join(map(str, open_ones))}"
    return Finding("permissions", "wrong", says, f"Run: chmod 600 {_quoted(open_ones)}")


def _folder(folder: Path) -> Finding:
    mode, remedy = folder.stat().st_mode, f"Run: chmod 700 {_quoted([folder])}"
    if mode & 0o022 and not mode & stat.S_ISVTX:
        return Finding("folder", "wrong", f"others may write in {folder}, and so replace the store", remedy)
    if mode & stat.S_ISVTX:  # a folder for everyone, such as that for temporary files, is not ours to close
        remedy = "Keep the store in a folder of your own."
    if mode & 0o077:
        says = f"others may see the names of the files in {folder}, but not read the store"
        return Finding("folder", "note", says, remedy)
    return Finding("folder", "ok", f"{folder} is yours alone")


def _log(path: Path) -> Finding:
    log = path.with_name(path.name + "-wal")
    size = log.stat().st_size if log.exists() else 0
    if size > _LONG_LOG:
        remedy = "Close the programs that have the store open: the log is emptied when the last one closes."
        return Finding("log", "note", f"{_size(size)} are still in the log, held there by a reader", remedy)
    return Finding("log", "ok", _size(size))


def _leftovers(files: Sequence[Path]) -> Finding:
    """What a copy of one of these files was written to when its process was killed."""
    found: set[Path] = set()
    for file in files:
        name = re.compile(rf"\.{re.escape(file.name)}\.(\d+)\.tmp(-wal|-shm|-journal)?")
        beside = file.parent.iterdir() if file.parent.is_dir() else ()
        found |= {f for f in beside if (match := name.fullmatch(f.name)) and not _is_running(int(match[1]))}
    if found:
        remedy = f"Run: rm {_quoted(sorted(found))}"
        return Finding("leftovers", "wrong", "unfinished copies of the store lie about", remedy)
    return Finding("leftovers", "ok", "no unfinished copies")


# --- any store ----------------------------------------------------------------------------------------------------


def _clock(store: Store, now: datetime) -> Finding:
    newest = max((m.at for scope in store.scopes() for m in store.view(scope).messages(last=1)), default=None)
    says = f"{now:%Y-%m-%d %H:%M} UTC"
    if now.year < _FIRST_YEAR:
        return Finding("clock", "wrong", f"it says {says}", "Set the clock of this machine.")
    if newest is not None and newest > now + _AHEAD:
        says = f"it says {says}, but the last message is of {newest:%Y-%m-%d %H:%M}"
        return Finding("clock", "note", says, "Set the clock, unless that message was meant to be of the future.")
    return Finding("clock", "ok", says)


# --- words --------------------------------------------------------------------------------------------------------


def _companions(path: Path) -> list[Path]:
    return [*(path.with_name(path.name + end) for end in ("-wal", "-shm")), list_of_backups(path)]


def _is_running(process: int) -> bool:
    if os.name != "posix":
        return True  # elsewhere there is no asking without harm
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def _count(store: Store) -> str:
    scopes = len(store.scopes())
    return f"{scopes} scope{'' if scopes == 1 else 's'}"


def _quoted(files: Iterable[Path]) -> str:
    return " ".join(shlex.quote(str(file)) for file in files)


def _said(error: AnaphoraError) -> str:
    """The error without its remedy, which stands in a column of its own."""
    return str(error.args[0])


def _size(count: int) -> str:
    size = float(count)
    for unit in ("bytes", "KB", "MB", "GB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} TB"
