"""What went wrong in hooks and in the daemon, for `doctor`: a short log that holds no word of what was said."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from typing import Any

from anaphora.folders import state_folder

__all__ = ["entries", "note", "path_of"]

_MOST = 256 * 1024  # bytes, and as many again in the one before


def path_of(env: Mapping[str, str]) -> str:
    return os.path.join(state_folder(env), "hooks.log")


def note(env: Mapping[str, str], host: str, event: str, error: BaseException | str) -> None:
    """Write it down; where that is not possible either, there is nobody left to tell."""
    entry = {"at": round(time.time(), 3), "host": host, "event": event, **_told(error)}
    path = path_of(env)
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(file, json.dumps(entry).encode() + b"\n")
            full = os.fstat(file).st_size > _MOST
        finally:
            os.close(file)
        if full:
            os.replace(path, f"{path}.1")
    except OSError:
        return


def entries(env: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Everything noted, oldest first; a line that is not whole is passed over."""
    for path in (f"{path_of(env)}.1", path_of(env)):
        try:
            with open(path, "rb") as file:
                lines = file.read().splitlines()
        except OSError:
            continue
        for line in lines:
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            if isinstance(entry, dict) and isinstance(entry.get("at"), int | float):
                yield entry


def _told(error: BaseException | str) -> dict[str, str]:
    """Errors of a store or of settings speak of files; any other might quote what was said, so only its place is
    told."""
    if isinstance(error, str):
        return {"what": error}
    kinds = {kind.__name__ for kind in type(error).__mro__}
    if kinds & {"StoreError", "SettingsError", "MissingExtra"}:
        return {
            "what": type(error).__name__,
            "says": str(error.args[0]),
            "remedy": getattr(error, "remedy", None) or "",
        }
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}" if trace else ""
    told = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else ""
    return {"what": type(error).__name__, "says": told, "where": where}
