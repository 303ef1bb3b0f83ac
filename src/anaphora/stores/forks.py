"""Forked processes: SQLite counts its locks a process and file, so a child must let go of all that its parent opened.

A connection that a child opens while it still holds an inherited one shares that one's locks, which the child never
had: its parent may then delete the log that the child goes on writing to, and what was written is lost.
"""

from __future__ import annotations

import os
import threading
from typing import Protocol
from weakref import WeakSet

__all__ = ["watch_forks"]


class _Forked(Protocol):
    def pause(self) -> None:
        """Wait until no statement is half done, and let none begin."""

    def resume(self) -> None: ...

    def leave_to_parent(self) -> None:
        """Let go of what is open, without a change to the file."""


_watched: WeakSet[_Forked] = WeakSet()
_paused: list[_Forked] = []
_lock = threading.Lock()


def watch_forks(store: _Forked) -> None:
    """From now on the store is told about forks."""
    with _lock:
        _watched.add(store)


def _before() -> None:
    _lock.acquire()
    _paused.extend(_watched)
    for store in _paused:
        store.pause()


def _in_parent() -> None:
    for store in _paused:
        store.resume()
    _paused.clear()
    _lock.release()


def _in_child() -> None:
    global _lock
    _lock = threading.Lock()
    _paused.clear()
    for store in list(_watched):
        store.leave_to_parent()


if hasattr(os, "register_at_fork"):  # where there is no fork there is nothing to watch
    os.register_at_fork(before=_before, after_in_parent=_in_parent, after_in_child=_in_child)
