"""What a server holds open: one for each who is talked with, the one unused for longest closed first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Generic, TypeVar

from anaphora.errors import StoreError

if TYPE_CHECKING:
    from anaphora.engine import Memory

__all__ = ["Held", "Pool"]

Key = TypeVar("Key", bound=Hashable)

_MOST = 32  # open at once


class Held:
    """A memory, opened by whoever needs it first; `turn` is for those who must go one after another."""

    def __init__(self) -> None:
        self.turn = threading.Lock()
        self.users = 0
        self.file: tuple[int, int] | None = None  # which it was opened on, where that matters
        self._opening = threading.Lock()
        self._memory: Memory | None = None

    def opened(self, opening: Callable[[], Memory]) -> Memory:
        """The memory; one that could not be opened is tried again the next time."""
        with self._opening:
            if self._memory is None:
                self._memory = opening()
            return self._memory

    def close(self) -> None:
        with self._opening:
            memory, self._memory = self._memory, None
        if memory is not None:
            memory.close()


class Pool(Generic[Key]):
    """Hands out what is held by its key. What is in use is not closed."""

    def __init__(self) -> None:
        self._held: OrderedDict[Key, Held] = OrderedDict()
        self._lock = threading.Lock()  # guards the table, and who uses what in it
        self._closed = False

    @contextmanager
    def using(self, key: Key, *, last: bool = False) -> Iterator[Held]:
        """After the `last` use it is closed, unless another has come meanwhile."""
        with self._lock:
            if self._closed:
                raise StoreError("The server is closing.", remedy="Connect again.")
            held = self._held.setdefault(key, Held())
            self._held.move_to_end(key)
            held.users += 1
            spare = self._spare()
        try:
            _close(spare)
            yield held
        finally:
            with self._lock:
                held.users -= 1
                over = last and not held.users and self._held.get(key) is held
                spare = [*([self._held.pop(key)] if over else []), *self._spare()]
            _close(spare)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            held = [*self._held.values()]
            self._held.clear()
        _close(held)

    def _spare(self) -> list[Held]:
        idle = [key for key, held in self._held.items() if not held.users]
        return [self._held.pop(key) for key in idle[: max(0, len(self._held) - _MOST)]]


def _close(some: list[Held]) -> None:
    for held in some:
        held.close()
