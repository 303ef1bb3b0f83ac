"""The memories that a server has open: one for each session that a client names, the least used closed first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from anaphora.engine import Memory, open_memory
from anaphora.errors import StoreError
from anaphora.settings import Settings

__all__ = ["Memories"]

_OPEN = 32


class Memories:
    """Hands out memories by session. One that is in use is not closed."""

    def __init__(self, settings: Settings, opening: Callable[[Settings], Memory] | None = None) -> None:
        self._settings = settings
        self._opening = opening or (lambda wanted: open_memory(settings=wanted))
        self._lock = threading.Lock()
        self._memories: OrderedDict[str, Memory] = OrderedDict()
        self._users: dict[str, int] = {}
        self._closed = False

    @contextmanager
    def of(self, session: str | None = None) -> Iterator[Memory]:
        """The memory of a session; without a name, of the one that the settings name."""
        name = session or self._settings.session
        with self._lock:
            if self._closed:
                raise StoreError("The server is closing.", remedy="Connect again.")
            memory = self._memories.get(name)
            if memory is None:
                memory = self._opening(replace(self._settings, session=name))
                self._memories[name] = memory
            self._memories.move_to_end(name)
            self._users[name] = self._users.get(name, 0) + 1
            spare = self._spare()
        for one in spare:
            one.close()
        try:
            yield memory
        finally:
            with self._lock:
                self._users[name] -= 1

    def _spare(self) -> list[Memory]:
        idle = [name for name in self._memories if not self._users.get(name)]
        gone = idle[: max(0, len(self._memories) - _OPEN)]
        for name in gone:
            self._users.pop(name, None)
        return [self._memories.pop(name) for name in gone]

    def close(self) -> None:
        with self._lock:
            self._closed = True
            memories = list(self._memories.values())
            self._memories.clear()
        for memory in memories:
            memory.close()
