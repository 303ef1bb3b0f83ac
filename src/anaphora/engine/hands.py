"""Threads, and the waking of them, that an interrupt cannot break.

The events and conditions of Python's own library are written in Python: an interrupt may land after one has taken its
lock and before it could give it back, and then who waits, waits for ever. Here each step is a single call of a lock,
which is done whole or not at all."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress

__all__ = ["Bell", "Hand", "call_after"]

_LEAVING = 1.0  # seconds for a thread that is done to be gone


class Bell:
    """Anyone rings, one waits. It stays rung until it is waited for; rung twice is rung once."""

    def __init__(self) -> None:
        self._silent = threading.Lock()
        self._silent.acquire()

    @property
    def rung(self) -> bool:
        return not self._silent.locked()

    def ring(self) -> None:
        if self._silent.locked():
            with suppress(RuntimeError):  # another one rang it just now
                self._silent.release()

    def wait(self, timeout: float = -1) -> bool:
        """Whether it rang; it is silent then."""
        return self._silent.acquire(timeout=timeout)


class Hand:
    """A thread that does its work once for each beginning, one after the other."""

    def __init__(self, work: Callable[[], object], name: str) -> None:
        self._work = work
        self._name = name
        self._busy = threading.Lock()
        self._worker: int | None = None
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        thread = threading.Thread(target=self._run, name=self._name, daemon=True)
        thread.start()
        self._thread = thread

    def wait(self) -> None:
        """Until the work that it is at is done. One whose beginning was interrupted may still begin after this: who
        waits says before that all is over, and work that begins then must look for that first."""
        if self._worker == threading.get_ident():
            return
        with self._busy:
            thread = self._thread
        if thread is not None and thread.is_alive():
            thread.join(_LEAVING)

    def _run(self) -> None:
        with self._busy:
            self._worker = threading.get_ident()
            try:
                self._work()
            finally:
                self._worker = None


def call_after(seconds: float, call: Callable[[], object], name: str) -> Bell:
    """Call it once so many seconds have passed, unless the bell is rung before."""
    bell = Bell()
    Hand(lambda: bell.wait(min(seconds, threading.TIMEOUT_MAX)) or call(), name).begin()
    return bell
