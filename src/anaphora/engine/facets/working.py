"""What is worked on: files, goals, decisions, constraints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from typing import overload

from anaphora.engine import steering, undoing
from anaphora.engine.checks import checked_flag, checked_key, checked_label, checked_name, checked_path, checked_time
from anaphora.engine.facets.base import Base
from anaphora.engine.states import read_state
from anaphora.errors import InputError
from anaphora.memory.working import Work
from anaphora.ports import Transaction
from anaphora.types import Note, State, Undone

__all__ = ["Working"]


class Working(Base):
    """The working state, and changes of it."""

    def touch(
        self, path: str, *, function: str | None = None, edited: bool = False, at: datetime | None = None
    ) -> None:
        """Say which file, and which function of it, is worked on now."""
        path = checked_path(path)
        function = None if function is None else checked_label("function", function)
        checked_flag("edited", edited)
        now = checked_time(at, self._place.clock())
        with self._lock:
            self._place.change(lambda tx: steering.touch(tx, self._place, path, function, now, edited=edited))

    @overload
    def update(self, *, author: str | None = None, at: datetime | None = None) -> AbstractContextManager[Work]: ...

    @overload
    def update(
        self, change: Callable[[Work], object], *, author: str | None = None, at: datetime | None = None
    ) -> State: ...

    def update(
        self, change: Callable[[Work], object] | None = None, *, author: str | None = None, at: datetime | None = None
    ) -> AbstractContextManager[Work] | State:
        """Change the working state, all or nothing, and lose no one else's change.

        As a block, what is done in it is applied to the newest state. A function is run on the newest state itself:
        for changes that depend on what they read."""
        signed = self._place.author if author is None else checked_name("author", author)
        now = checked_time(at, self._place.clock())
        if change is None:
            return self._updating(signed, now)
        if not callable(change):
            raise InputError(
                f"`change` must be a function that takes the work, not {type(change).__name__}.",
                remedy="Give, say, lambda work: work.add_goal('Write tests').",
            )

        def run(tx: Transaction) -> State:
            work = Work(read_state(tx), author=signed, at=now)
            change(work)
            return undoing.change_by_hand(tx, self._place, work.operations, now, signed)

        with self._lock:
            return self._place.change(run)

    @contextmanager
    def _updating(self, author: str, now: datetime) -> Iterator[Work]:
        work = Work(self.state, author=author, at=now)
        yield work
        with self._lock:
            self._place.change(lambda tx: undoing.change_by_hand(tx, self._place, work.operations, now, author))

    def undo(self, name: str | None = None, *, author: str | None = None, at: datetime | None = None) -> Undone:
        """Take back an item of the working state, by its id or text, or all that a message changed, by its id; without
        a name, what was done last, by hand or by a message of this session. What it had replaced or completed stands
        again; it itself comes back only if somebody says it anew."""
        signed = self._place.author if author is None else checked_name("author", author)
        now = checked_time(at, self._place.clock())
        with self._lock:
            return self._place.change(lambda tx: undoing.undo(tx, self._place, name, signed, now))

    @property
    def state(self) -> State:
        return read_state(self._place.view)

    def facts(self, *, speaker: str | None = None, history: bool = False) -> list[Note]:
        """What is known about people, oldest first; with `history` also what is past."""
        speaker = None if speaker is None else checked_key("speaker", speaker)
        checked_flag("history", history)
        found = [f for f in self.state.facts if history or f.open]
        return [f for f in found if speaker is None or f.speaker == speaker]
