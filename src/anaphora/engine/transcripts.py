"""The files that other programs keep, opened one at a time: folders and archives gone through, none held whole."""

from __future__ import annotations

import json
import mmap
import os
import re
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from anaphora.errors import FormatError, InputError, NotFound
from anaphora.formats import chatgpt, claude, claude_code, codex
from anaphora.formats.transcripts import Record, Skipped, Source, elements, instant, objects
from anaphora.understanding.patterns import expression

__all__ = ["SOURCES", "Advance", "Transcript", "folder_of", "found", "own_folder", "records"]

Advance = Callable[[int], None]
"""Told how many more bytes are read."""

_LINES: Mapping[str, Callable[[Iterable[str], str], Iterator[Record]]] = {
    "claude-code": claude_code.records,
    "codex": codex.records,
}
_OWN = {"claude-code": claude_code.is_own, "codex": codex.is_own}
_ARRAYS = {"chatgpt": chatgpt, "claude": claude}
SOURCES: tuple[Source, ...] = ("claude-code", "codex", "chatgpt", "claude")
_EXPORTED = expression(r"(?:^|/)conversations(?:-\d+)?\.json$")
_LOCKED = 1  # the bit of an archive's entry that says so
_HEAD = 65_536  # bytes in which the first time of a transcript is looked for
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Transcript:
    """A file to read, how big it is, and when what it tells began."""

    path: Path
    size: int
    began: datetime


def own_folder(source: Source, environ: Mapping[str, str], home: Path) -> Path | None:
    """Where the program keeps its transcripts by itself; exports are where their owner put them."""
    if source == "claude-code":
        return Path(environ.get("CLAUDE_CONFIG_DIR") or home / ".claude") / "projects"
    if source == "codex":
        return Path(environ.get("CODEX_HOME") or home / ".codex") / "sessions"
    return None


def found(source: Source, paths: Iterable[Path]) -> list[Transcript]:
    """The files that these paths name, folders gone through, the oldest talk first. A file that is named and holds no
    session is an error; in a folder it is passed by."""
    files: dict[Path, None] = {}
    seen: list[Transcript] = []
    for path in paths:
        with _readable(path):
            if not path.exists():
                raise NotFound(f"There is no file {path}.", remedy="Check the name.")
            files |= dict.fromkeys(_inside(source, path) if path.is_dir() else [_checked(source, path)])
    for path in files:
        with _readable(path):
            seen.append(Transcript(path, path.stat().st_size, _began(source, path)))
    return sorted(seen, key=lambda one: (one.began, one.path))


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """What keeps a file from being read is an error that names it."""
    try:
        yield
    except OSError as error:
        name = error.filename or path
        raise InputError(
            f"{name} cannot be read: {error.strerror or error}.", remedy="Check its permissions, or leave it out."
        ) from error
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise FormatError(f"{path} is a damaged archive: {error}.", remedy="Download it again.") from error


def _inside(source: Source, folder: Path) -> list[Path]:
    """Of a folder the transcripts in it; those between agents are left out."""
    if source in _ARRAYS:
        return sorted(one for one in folder.iterdir() if _EXPORTED.search(one.name))
    inside = [
        one for one in folder.rglob("*.jsonl") if not one.name.startswith("agent-") and "subagents" not in one.parts
    ]
    named = sorted(one for one in inside if source != "codex" or one.name.startswith("rollout-"))
    return [one for one in named if _has_own_line(source, one)]


def _checked(source: Source, path: Path) -> Path:
    if source in _LINES and path.stat().st_size and not _has_own_line(source, path):
        raise FormatError(
            f"{path} holds no session of {source}.", remedy="Give a .jsonl file that it wrote, or a folder of them."
        )
    return path


def _has_own_line(source: Source, path: Path) -> bool:
    """Mostly the first one tells."""
    return any(line is not None and _OWN[source](line) for _, line in objects(_read(path)))


def _began(source: Source, path: Path) -> datetime:
    """By the first time in the file: a copy is younger than what it tells."""
    if source in _ARRAYS:
        return _LONG_AGO
    with path.open("rb") as file:
        head = file.read(_HEAD)
    stamp = re.search(rb'"timestamp"\s*:\s*"([^"]+)"', head)
    return (instant(stamp[1].decode("ascii", "replace")) if stamp else None) or _LONG_AGO


def folder_of(source: Source, one: Transcript) -> Path | None:
    """The folder that a transcript was made in, where it says so."""
    if source in _ARRAYS:
        return None
    with one.path.open("rb") as file:
        said = re.search(rb'"cwd"\s*:\s*("(?:[^"\\]|\\.)*")', file.read(_HEAD))
    return _folder(said[1]) if said else None


def _folder(written: bytes) -> Path | None:
    """A folder that there can be, here or elsewhere."""
    try:
        folder: str = json.loads(written)
        os.lstat(folder)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        pass
    except (OSError, ValueError):  # no name of a file
        return None
    return Path(folder) if folder else None


def records(source: Source, one: Transcript, advance: Advance) -> Iterator[Record]:
    """What a file holds. One that is not what it is said to be is an error that names it."""
    known = 0
    with _readable(one.path):
        for record in _lines(source, one, advance) if source in _LINES else _conversations(source, one, advance):
            known += not isinstance(record, Skipped)
            yield record
    if not known and one.size and source in _ARRAYS:
        raise FormatError(
            f"{one.path} holds no conversation of {source}.",
            remedy="Give the conversations.json of an export, or the archive as it was downloaded.",
        )


def _lines(source: Source, one: Transcript, advance: Advance) -> Iterator[Record]:
    return _LINES[source](_read(one.path, advance), one.path.stem)


def _read(path: Path, advance: Advance | None = None) -> Iterator[str]:
    with path.open("rb") as file:
        for line in file:
            if advance is not None:
                advance(len(line))
            yield line.decode("utf-8", "replace")


def _conversations(source: Source, one: Transcript, advance: Advance) -> Iterator[Record]:
    """The oldest first: an export begins with the newest."""
    form = _ARRAYS[source]
    with _mapped(one.path) as files:
        for data in files:
            places = sorted(
                ((form.started(_parsed(data, place) or {}) or _LONG_AGO, place) for place in elements(data)),
                key=lambda found: found,
            )
            for _, place in places:
                advance((place[1] - place[0]) * one.size // max(1, len(data)))
                conversation = _parsed(data, place)
                if conversation is None:
                    yield Skipped("conversation that cannot be read")
                else:
                    yield from form.records(conversation)


def _parsed(data: mmap.mmap, place: tuple[int, int]) -> Mapping[str, Any] | None:
    try:
        found = json.loads(data[place[0] : place[1]])
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


@contextmanager
def _mapped(path: Path) -> Iterator[Iterator[mmap.mmap]]:
    """The file, or the files of an archive, mapped rather than read; what is unpacked is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="anaphora-") as folder:
        yield (data for file in _unpacked(path, Path(folder)) for data in _map(file))


def _map(path: Path) -> Iterator[mmap.mmap]:
    with path.open("rb") as file:
        if path.stat().st_size:
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                yield data


def _unpacked(path: Path, folder: Path) -> Iterator[Path]:
    if not zipfile.is_zipfile(path):
        yield path
        return
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if _EXPORTED.search(name)]
        for number, name in enumerate(sorted(names)):
            target = folder / f"{number}.json"
            if archive.getinfo(name).flag_bits & _LOCKED:
                raise FormatError(f"{path} is locked with a password.", remedy="Unpack it first.")
            with archive.open(name) as packed, target.open("wb") as file:
                while piece := packed.read(1 << 20):
                    file.write(piece)
            yield target
            target.unlink()
