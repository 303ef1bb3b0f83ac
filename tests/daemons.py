"""A daemon of a test's own, and how to wait for what another process does."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from anaphora.interfaces.daemon import wire

__all__ = ["asked", "begin", "end", "running", "until"]

_LONGEST = 60.0


def until(true: Callable[[], object]) -> None:
    """Wait for another process to come so far."""
    end, pause = time.monotonic() + _LONGEST, threading.Event()
    while not true():
        assert time.monotonic() < end, "it never came so far"
        pause.wait(0.01)


def asked(what: str) -> dict[str, Any] | None:
    """The daemon's answer; None if there is no daemon."""
    found = wire.ask(wire.socket_path(os.environ, make=False), {"ask": what}, _LONGEST)
    return found if isinstance(found, dict) else None


def begin(**env: str) -> subprocess.Popen[bytes]:
    """A daemon in its own process, as hooks start it."""
    command = [sys.executable, "-P", "-m", "anaphora.interfaces.daemon"]
    return subprocess.Popen(command, env={**os.environ, **env})


@contextmanager
def running(**env: str) -> Iterator[subprocess.Popen[bytes]]:
    """A daemon that answers; afterwards there is none, this one or one that a hook started."""
    process = begin(**env)
    try:
        until(lambda: asked("status") or process.poll() is not None)
        yield process
    finally:
        process.kill()
        process.wait()
        end(os.environ)


def end(env: Mapping[str, str]) -> None:
    """See that no daemon runs any more; one that is only just starting is told when it listens."""
    path = wire.socket_path(env, make=False)

    def is_over() -> bool:
        wire.ask(path, {"ask": "stop"}, 10)
        return not wire.is_held(wire.lock_path(path))

    until(is_over)
    shutil.rmtree(Path(path).parent, ignore_errors=True)  # what a killed one left
