"""The process that an assistant starts at each of its steps. It must be quick, and it must never stand in the way:
whatever happens, it ends with 0 and says nothing but what helps."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from anaphora.interfaces.daemon import wire
from anaphora.interfaces.hooks import journal

__all__ = ["run"]

_WAIT = 2.5  # seconds for the daemon's answer; then it goes on by itself
_BUSY = 2.0  # seconds to wait for a store that another process writes, where there is no daemon
_PASSED_ON = ("ANAPHORA_", "XDG_")
_ALSO = ("HOME", "CLAUDE_PROJECT_DIR", "LOCALAPPDATA", "TZ")
_OFF = ("0", "off", "no", "false")


def run(host: str, event: str | None = None) -> NoReturn:
    """Take the event on stdin to the memory, and print what the assistant should know."""
    try:
        if not _is_off("ANAPHORA_HOOKS"):
            said = _answered(host, event, sys.stdin.buffer.read())
            if said:
                sys.stdout.buffer.write(said.encode() + b"\n")
                sys.stdout.buffer.flush()
    except BaseException as error:  # noqa: BLE001 - the outermost edge of the process: the assistant must not notice
        journal.note(os.environ, host, event or "", error)
    os._exit(0)  # nothing is left to tidy up, and nobody waits for it


def _answered(host: str, event: str | None, raw: bytes) -> str:
    env = {k: v for k, v in os.environ.items() if k.startswith(_PASSED_ON) or k in _ALSO}
    request = {
        "host": host,
        "event": event,
        "said": raw.decode("utf-8", "replace"),
        "environ": env,
        "folder": _folder(),
    }
    if hasattr(os, "posix_spawn") and not _is_off("ANAPHORA_DAEMON"):
        try:
            path = wire.socket_path(os.environ)
            answered = wire.ask(path, request, _WAIT)
            if isinstance(answered, dict) and "output" in answered:
                return str(answered["output"])
            if answered == "busy":
                journal.note(os.environ, host, event or "", "the daemon was slow; it goes on without the assistant")
                return ""
            if not wire.is_held(wire.lock_path(path)):
                wire.start(os.environ)
        except OSError as error:  # no daemon then
            journal.note(os.environ, host, event or "", error)
    from anaphora.interfaces.hooks.alone import take

    return take(request, busy=_BUSY)


def _is_off(variable: str) -> bool:
    return os.environ.get(variable, "").strip().lower() in _OFF


def _folder() -> str:
    try:
        return os.getcwd()
    except OSError:  # it was deleted
        return "/"
