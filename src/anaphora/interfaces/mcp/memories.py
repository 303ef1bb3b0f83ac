"""The memories that a server has open: one for each session that a client names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from anaphora.engine import Memory, open_memory
from anaphora.interfaces.pool import Pool
from anaphora.settings import Settings

__all__ = ["Memories"]


class Memories:
    """Hands out memories by session."""

    def __init__(self, settings: Settings, opening: Callable[[Settings], Memory] | None = None) -> None:
        self._settings = settings
        self._opening = opening or (lambda wanted: open_memory(settings=wanted))
        self._pool: Pool[str] = Pool()

    @contextmanager
    def of(self, session: str | None = None) -> Iterator[Memory]:
        """The memory of a session; without a name, of the one that the settings name."""
        name = session or self._settings.session
        with self._pool.using(name) as held:
            yield held.opened(lambda: self._opening(replace(self._settings, session=name)))

    def close(self) -> None:
        self._pool.close()
