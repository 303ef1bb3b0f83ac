"""Files that memories come from and go to: read as often as needed, written whole or not at all."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import IO

from anaphora.errors import InputError, StoreUnwritable

__all__ = ["reading", "write_private"]

_STORES = (b"SQLite format 3\0", b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")  # how a store, and the log beside it, begin
_BESIDE = ("-wal", "-shm", "-journal", ".backups.json")  # what the names of a store's own files end with
_IN_MEMORY = 64 * 2**20  # bytes of a pipe; more go to a file without a name


@contextmanager
def reading(path: Path) -> Iterator[TextIOWrapper]:
    """The text of a file, opened once; it can be wound back, even where it comes through a pipe."""
    _stat(path)
    with ExitStack() as opened:
        source: IO[bytes] = opened.enter_context(path.open("rb"))
        if not source.seekable():
            spool = opened.enter_context(tempfile.SpooledTemporaryFile(_IN_MEMORY))
            shutil.copyfileobj(source, spool)
            spool.seek(0)
            source = spool
        yield opened.enter_context(TextIOWrapper(source, encoding="utf-8-sig", newline="\n"))


def write_private(path: Path, lines: Iterable[str]) -> None:
    """Put the lines where the path leads. A file is written beside its place, for its owner's eyes alone, and moved
    there when it is on disk; what is no file (a pipe, a terminal) is written to as it is. A store is never replaced:
    there may be no other place where what it holds is kept."""
    found = _stat(path)
    try:
        if found is None or stat.S_ISREG(found.st_mode):
            _spare_stores(path)
            _replace(Path(os.path.realpath(path)), lines)
        else:
            text = "".join(line + "\n" for line in lines)  # all of it, before the first word goes out
            with path.open("w", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
    except OSError as error:
        raise StoreUnwritable(
            f"{path} cannot be written: {error.strerror or error}.", remedy="Name a file in a folder that is yours."
        ) from error


def _spare_stores(path: Path) -> None:
    if _is_store(path):
        raise InputError(f"{path} is a database, and was left as it is.", remedy="Name another file.")
    target = Path(os.path.realpath(path))
    for ending in _BESIDE:
        store = target.with_name(target.name.removesuffix(ending) or target.name)
        if store != target and _is_store(store):
            raise InputError(
                f"{path} belongs to the store {store.name}, and was left alone.", remedy="Name another file."
            )


def _is_store(path: Path) -> bool:
    with suppress(FileNotFoundError), path.open("rb") as file:
        return file.read(16).startswith(_STORES)
    return False


def _replace(target: Path, lines: Iterable[str]) -> None:
    descriptor, name = tempfile.mkstemp(".tmp", ".anaphora-", target.parent)
    beside = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(line + "\n" for line in lines)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)  # there only if something went wrong
    with suppress(OSError):  # the file is in its place; not every system can sync a folder
        _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _stat(path: Path) -> os.stat_result | None:
    """None where nothing is there, or nobody may look."""
    try:
        return path.stat()
    except OSError:
        return None
    except ValueError as error:  # a NUL, or half of a character
        raise InputError(f"No file can have the name {str(path)!r}: {error}.") from error
