"""The memories that a daemon holds open: one for each session that is talked in."""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anaphora.engine import open_memory
from anaphora.errors import AnaphoraError, StoreError, StoreUnreadable
from anaphora.interfaces.hooks import journal
from anaphora.interfaces.hooks.acting import act, understood
from anaphora.interfaces.hooks.hosts import Ended

if TYPE_CHECKING:
    from anaphora.engine import Memory
    from anaphora.interfaces.hooks.acting import Asked
    from anaphora.settings import Settings

__all__ = ["Memories"]

_MOST = 32  # open at once; the one unused for longest is closed
_TRIES = 30
_PAUSE = 2.0  # seconds before a store that could not be written is tried again


@dataclass(slots=True)
class _Open:
    memory: Memory | None = None
    file: tuple[int, int] | None = None  # which one it was opened on
    users: int = 0
    turn: threading.Lock = field(default_factory=threading.Lock)  # events of one session go one after another


class Memories:
    def __init__(self) -> None:
        self._open: OrderedDict[tuple[Settings, str], _Open] = OrderedDict()
        self._lock = threading.Lock()  # guards the table, and who uses what in it

    def warm(self) -> None:
        """Load what is slow to load, so that nobody waits for it."""
        from anaphora.models.embedder import bundled_embedder
        from anaphora.models.reader import bundled_reader

        try:
            bundled_reader().judge("Is it there?", (), talk=False)
            bundled_embedder().embed(["Is it there?"])
        except AnaphoraError as error:  # words and rules do without
            journal.note(os.environ, "daemon", "", error)

    def take(self, request: Mapping[str, Any]) -> str:
        """Take an event in; what goes to the assistant. A store that is held or full is tried again for a minute: the
        hook has left by then, but what was said is not lost."""
        asked = understood(request)
        if asked is None:
            return ""
        with self._using(asked) as held, held.turn:
            for attempt in range(_TRIES):
                try:
                    return act(_memory(held, asked), asked)
                except StoreError as error:
                    if attempt == _TRIES - 1 or isinstance(error, StoreUnreadable):
                        raise
                    if attempt == 0:
                        journal.note(request["environ"], asked.heard.host, asked.heard.event, error)
                time.sleep(_PAUSE)
        raise AssertionError("unreachable")

    def close(self) -> None:
        with self._lock:
            held, self._open = [*self._open.values()], OrderedDict()
        for one in held:
            _close(one)

    @contextmanager
    def _using(self, asked: Asked) -> Iterator[_Open]:
        key = (asked.settings, asked.author)
        with self._lock:
            held = self._open.setdefault(key, _Open())
            self._open.move_to_end(key)
            held.users += 1
        try:
            yield held
        finally:
            with self._lock:
                held.users -= 1
                ended = isinstance(asked.heard.happening, Ended)
                free = [k for k, one in self._open.items() if not one.users]
                gone = [k for k in free if (k == key and ended) or len(self._open) - free.index(k) > _MOST]
                closing = [self._open.pop(k) for k in gone]
            for one in closing:
                _close(one)


def _memory(held: _Open, asked: Asked) -> Memory:
    """Opened anew where the file was deleted, or another was put in its place: what is written to one that has no name
    any more would be lost."""
    if held.memory is not None and held.file != _file(asked.settings.store):
        _close(held)
    if held.memory is None:
        held.memory = open_memory(settings=asked.settings, author=asked.author)
        held.file = _file(asked.settings.store)
    return held.memory


def _file(store: str) -> tuple[int, int] | None:
    """Which file a store is; None where it is none."""
    try:
        found = Path(store).expanduser().stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _close(held: _Open) -> None:
    if held.memory is not None:
        held.memory.close()
        held.memory = None
