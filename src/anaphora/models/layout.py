"""Rows of several messages below each other, as a network takes them, without copying them for every message.

A message looks at the last ones, and the next message at nearly the same: all but the oldest of them, and what was said
since. So the newest lie first, and what comes is put above what lies there already."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from operator import is_
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["Layout", "Rows"]

Numbers = NDArray[np.float32]


class Rows(Protocol):
    """What lies side by side of one message: for each name as many rows as it has pieces."""

    def __len__(self) -> int: ...

    def rows_of(self, name: str, /) -> NDArray[Any]: ...


class Layout(threading.local):
    """One place for each thread: to ask the system for as much each time takes longer than to fill it."""

    def __init__(self, names: Sequence[str], width: int, room: int) -> None:
        self._names, self._width, self._room = names, width, room
        self._places: dict[str, Numbers] = {}
        self._lying: list[Rows] = []  # the newest first
        self._top = room

    def laid(self, newest_first: Sequence[Rows]) -> Mapping[str, Numbers]:
        """The rows of these, for each name; good until the next ones are laid."""
        fresh = newest_first[: len(newest_first) - self._in_place(newest_first)]
        if len(fresh) == len(newest_first) or sum(map(len, fresh)) > self._top:
            self._lying, self._top, fresh = [], self._room, newest_first
        for one in reversed(fresh):
            bottom, self._top = self._top, self._top - len(one)
            for name in self._names:
                self._place(name)[self._top : bottom] = one.rows_of(name)
        self._lying = [*fresh, *self._lying]
        end = self._top + sum(map(len, newest_first))
        return {name: self._place(name)[self._top : end] for name in self._names}

    def _in_place(self, wanted: Sequence[Rows]) -> int:
        """How many of the oldest that are wanted lie there in their order; what lies above them is taken away."""
        for above, newest in enumerate(self._lying):
            for first in range(len(wanted)):
                if newest is not wanted[first]:
                    continue
                there = self._lying[above : above + len(wanted) - first]
                if len(there) == len(wanted) - first and all(map(is_, there, wanted[first:])):
                    self._top += sum(map(len, self._lying[:above]))
                    del self._lying[:above]
                    return len(there)
        return 0

    def taken(self, name: str, parts: Sequence[tuple[Numbers, NDArray[np.int64]]]) -> Numbers:
        """Some rows of each of several tables; good until the next ones of this name are taken."""
        place, end = self._place(name), 0
        for table, rows in parts:
            start, end = end, end + len(rows)
            np.take(table, rows, axis=0, out=place[start:end], mode="clip")  # which takes no second copy
        return place[:end]

    def _place(self, name: str) -> Numbers:
        place = self._places.get(name)
        if place is None:
            place = self._places[name] = np.empty((self._room, self._width), np.float32)
        return place
