"""How the interpreter shares out its time while much comes in at once, and as before when it is in.

Two threads work then, one of them mostly outside of Python: each time it comes back it waits until the other lets it
in, by default for up to five milliseconds. And of the many thousands of small things that are made hardly any is in a
ring that only a search for rings would find, so that most of these searches are for nothing."""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["at_a_pace"]

_SWITCH = 0.0002  # seconds after which a thread that is waiting is let in
_TICK = 1e-6  # in which that is counted
_SEARCH = 20_000  # things made, and not gone, before rings are searched for among them

_lock = threading.Lock()  # guards the two below
_at_it: set[object] = set()
_before: tuple[float, int] = (0.0, 0)


@contextmanager
def at_a_pace() -> Iterator[None]:
    """From the first who takes in much until the last is done. What someone else sets meanwhile stays set."""
    one = object()
    try:
        _enter(one)
        yield
    finally:
        _leave(one)


def _enter(one: object) -> None:
    global _before
    with _lock:
        first = not _at_it
        _at_it.add(one)  # before anything is set: an interrupt in here sets it back, too
        if first:
            _before = sys.getswitchinterval(), gc.get_threshold()[0]
            if _before[0] > _SWITCH:
                sys.setswitchinterval(_SWITCH)
            if 0 < _before[1] < _SEARCH:  # none is for no search at all
                gc.set_threshold(_SEARCH)


def _leave(one: object) -> None:
    with _lock:
        if one not in _at_it:
            return
        _at_it.discard(one)
        if not _at_it:
            _as_before()


def _as_before() -> None:
    switch, search = _before
    if switch > _SWITCH and abs(sys.getswitchinterval() - _SWITCH) < 2 * _TICK:
        sys.setswitchinterval(switch + _TICK / 2)  # what is no whole tick is cut off
    if 0 < search < _SEARCH and gc.get_threshold()[0] == _SEARCH:
        gc.set_threshold(search)


def _in_child() -> None:
    """A child of a fork takes in nothing, and its lock may be held by a thread that it does not have."""
    global _lock
    _lock = threading.Lock()
    if _at_it:
        _at_it.clear()
        _as_before()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)
