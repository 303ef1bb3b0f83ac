"""The memories that a daemon holds open: one for each session that is talked in."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anaphora.engine import open_memory
from anaphora.errors import AnaphoraError, StoreError, StoreUnreadable
from anaphora.interfaces.hooks import journal
from anaphora.interfaces.hooks.acting import act, understood
from anaphora.interfaces.hooks.hosts import Ended
from anaphora.interfaces.pool import Held, Pool

if TYPE_CHECKING:
    from anaphora.engine import Memory
    from anaphora.interfaces.hooks.acting import Asked
    from anaphora.settings import Settings

__all__ = ["Memories"]

_TRIES = 30
_PAUSE = 2.0  # seconds before a store that could not be written is tried again


class Memories:
    def __init__(self) -> None:
        self._pool: Pool[tuple[Settings, str]] = Pool()

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
        ended = isinstance(asked.heard.happening, Ended)
        with self._pool.using((asked.settings, asked.author), last=ended) as held, held.turn:
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
        self._pool.close()


def _memory(held: Held, asked: Asked) -> Memory:
    """Opened anew where the file was deleted, or another was put in its place: what is written to one that has no name
    any more would be lost."""

    def opening() -> Memory:
        memory = open_memory(settings=asked.settings, author=asked.author)
        held.file = _file(asked.settings.store)
        return memory

    if held.file != _file(asked.settings.store):
        held.close()
    return held.opened(opening)


def _file(store: str) -> tuple[int, int] | None:
    """Which file a store is; None where it is none."""
    try:
        found = Path(store).expanduser().stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
