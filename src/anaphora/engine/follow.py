"""The light context of a session, kept up by what is heard in it."""

from __future__ import annotations

import threading
from datetime import datetime
from pathlib import Path

from anaphora.light import LightContext
from anaphora.ports import Clock
from anaphora.settings import Settings
from anaphora.types import Turn
from anaphora.understanding.redaction import redact

__all__ = ["Follower"]


class Follower:
    """Stores each message's four fields, and clears them on a closing, an end, or when unused for too long."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._clock = clock
        self._timeout = settings.light_timeout
        self._folder = _own_folder() if settings.light_storage == "file" else None
        self._context = LightContext(Path(self._folder) / "context.json") if self._folder else LightContext()
        self._at: datetime | None = None
        self.heard: str | None = None
        """The id of the message that it tells of."""
        self._lock = threading.Lock()

    @property
    def context(self) -> LightContext:
        with self._lock:
            if self._at is not None and self._clock() - self._at > self._timeout:
                self._context.clear()
            return self._context

    def follow(self, turn: Turn) -> None:
        """A message takes the place of what it applied or left behind, a closing of all."""
        with self._lock:
            if any(s.kind == "closing" for s in turn.signals):
                self._context.clear()
            else:
                pending = ["conversation"] if turn.question is not None else []
                said, _ = redact(turn.text)
                self._context.store(turn.intent.name, turn.conversation.id or None, pending, said)
            self._at = self._clock()
            self.heard = turn.message_id

    def clear(self) -> None:
        self._context.clear()
        self.heard = None

    def leave_to_parent(self) -> None:
        """In a forked child: the lock may be held by a thread that is not there."""
        self._lock = threading.Lock()

    def close(self) -> None:
        self._context.close()
        if self._folder is not None:
            from shutil import rmtree

            rmtree(self._folder, ignore_errors=True)


def _own_folder() -> str:
    from tempfile import mkdtemp  # here, since it takes time to load, and a hook waits for it

    return mkdtemp(prefix="anaphora-light-")
