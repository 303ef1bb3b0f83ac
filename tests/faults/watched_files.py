"""SQLite's files under watch: a file system of ours counts what is synced, and can run full."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import apsw

__all__ = ["Watch", "watched"]

_NAME = "anaphora-watched"


class Watch:
    """What was seen: syncs by the end of the file's name ("-wal" or ""). Set `full` to run out of space."""

    def __init__(self) -> None:
        self.syncs: Counter[str] = Counter()
        self.full = False


@contextmanager
def watched() -> Iterator[Watch]:
    """Every database that is opened in here is under watch."""
    usual = apsw.vfs_names()[0]
    watch = Watch()
    files = _Files(watch, usual)
    apsw.set_default_vfs(_NAME)
    try:
        yield watch
    finally:
        apsw.set_default_vfs(usual)
        files.unregister()


class _Files(apsw.VFS):
    def __init__(self, watch: Watch, usual: str) -> None:
        super().__init__(_NAME, usual)
        self._watch = watch
        self._usual = usual

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 (SQLite's)
        return _File(self._watch, self._usual, name, flags)


class _File(apsw.VFSFile):
    def __init__(self, watch: Watch, usual: str, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__(usual, name, flags)
        path = name.filename() if isinstance(name, apsw.URIFilename) else name or ""
        self._watch = watch
        self._kind = "-wal" if path.endswith("-wal") else ""

    def xSync(self, flags: int) -> None:  # noqa: N802 (SQLite's name)
        self._watch.syncs[self._kind] += 1
        super().xSync(flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 (SQLite's name)
        if self._watch.full:
            raise apsw.FullError("no space left")
        super().xWrite(data, offset)
