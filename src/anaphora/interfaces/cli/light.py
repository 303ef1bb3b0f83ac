"""The light context on the command line: one JSON request in, one JSON response out, kept in the session's own file."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import tempfile
import time
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from anaphora.errors import StoreError, StoreUnwritable
from anaphora.light import LightContext, failure
from anaphora.types import Scope

__all__ = ["TIMEOUT", "end_light_session", "light_response"]

TIMEOUT = timedelta(minutes=30)

# What a session left behind without ending; its own timeout may be longer than the one at hand.
_LITTER = timedelta(days=1)


def light_response(text: str, session: str | None, timeout: timedelta = TIMEOUT, *, scope: Scope | None = None) -> str:
    """Answer one request (JSON text) with one raw JSON text.

    The session is the one named, or that of the process that called; each scope has sessions of its own. A context
    that was stored longer ago than `timeout` counts as empty and is removed.
    """
    try:
        folder = _own_folder()
        path = folder / _file_name(session, scope)
        _remove_expired(folder, path, timeout)
    except StoreError as error:
        return json.dumps(failure(str(error)))
    except OSError as error:
        return json.dumps(failure(f"The light context cannot be kept: {error}."))
    return LightContext(path).handle_json(text)


def end_light_session(session: str | None, *, scope: Scope | None = None) -> None:
    """Remove what the session stored. Where that cannot be done it is not reported: the timeout sees to it later."""
    with suppress(StoreError, OSError):
        LightContext(_own_folder() / _file_name(session, scope)).close()


def _own_folder() -> Path:
    """The user's folder for such files, made where it is missing. One that others could have prepared is refused."""
    uid = _uid()
    folder = Path(tempfile.gettempdir()) / ("anaphora-light" if uid is None else f"anaphora-light-{uid}")
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    private = uid is None or (found.st_uid == uid and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH))
    if not stat.S_ISDIR(found.st_mode) or not private:
        raise StoreUnwritable(
            f"The folder {folder} is not yours alone: a link, another owner's, or writable by others.",
            remedy="Remove it, or set TMPDIR to a folder of your own.",
        )
    return folder


def _uid() -> int | None:
    """None where the system has no such ids; its temporary folder is the user's own there."""
    return os.getuid() if hasattr(os, "getuid") else None


def _file_name(session: str | None, scope: Scope | None) -> str:
    name = ("process", _calling_process()) if session is None else ("session", session)
    whose = () if scope is None else (scope.user, scope.agent, scope.project)
    # As JSON, in which no two lists of names look alike and bytes that are no text can be written.
    return hashlib.sha256(json.dumps([*whose, *name]).encode()).hexdigest() + ".json"


def _calling_process() -> str:
    """The calling process's id, with its start time where known: a process that gets an old id starts with nothing."""
    pid = os.getppid()
    try:
        line = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return str(pid)
    # The program's name stands in parentheses and may hold anything; the start time is the 20th word behind it.
    words = line.rpartition(b")")[2].split()
    return f"{pid}:{words[19].decode()}" if len(words) > 19 else str(pid)


def _remove_expired(folder: Path, path: Path, timeout: timedelta) -> None:
    now = time.time()
    with suppress(FileNotFoundError):
        if now - path.lstat().st_mtime > timeout.total_seconds():
            path.unlink()
    litter = max(timeout, _LITTER).total_seconds()
    for other in folder.iterdir():
        with suppress(OSError):  # it may be gone by now, and is nothing that this session needs
            if now - other.lstat().st_mtime > litter:
                other.unlink()
