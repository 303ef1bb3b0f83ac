"""What every side of a memory stands on: its place, its lock, and what goes by itself."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from types import TracebackType
from typing import Literal, Self

from anaphora.engine import forgetting, retention
from anaphora.engine.checks import checked_time
from anaphora.engine.follow import Follower
from anaphora.engine.hands import Bell, call_after
from anaphora.engine.later import Later
from anaphora.engine.place import Place
from anaphora.errors import StoreError
from anaphora.light import LightContext
from anaphora.ports import TokenCounter
from anaphora.settings import Settings
from anaphora.stores.forks import watch_forks
from anaphora.types import Scope, Turn

__all__ = ["Base"]


class Base:
    """Opens and closes; keeps time."""

    def __init__(self, place: Place, counter: Callable[[], TokenCounter]) -> None:
        place = replace(place, counter=counter)
        self._place = place
        self._counter = counter
        self._lock = threading.RLock()
        self._follower = Follower(place.settings, place.clock)
        self._later = Later(place)
        self._idle: Bell | None = None  # rung, nothing expires by itself any more
        self._closed = False
        retention.expire(place, place.clock())
        self._expire_when_idle()
        watch_forks(self)

    @property
    def scope(self) -> Scope:
        return self._place.scope

    @property
    def session(self) -> str:
        return self._place.session

    @property
    def settings(self) -> Settings:
        return self._place.settings

    @property
    def light(self) -> LightContext:
        """The four fields of the light context, kept up by hearing; empty once unused for too long, and once the
        message that they tell of is gone."""
        heard = self._follower.heard
        if heard is not None and self._place.view.message(heard) is None:
            self._follower.clear()
        return self._follower.context

    def finish(self) -> tuple[str, ...]:
        """Do now what can wait and is not done yet; the names of the jobs that nothing is left of."""
        return self._later.finish()

    def close(self) -> None:
        """Release the store. Where nothing outlasts the session, what it said is deleted first."""
        self._later.close()
        with self._lock:
            if self._closed:
                return
            self._closed = True
            if self._idle is not None:
                self._idle.ring()
            self._follower.close()
            if self.settings.retention == "session":
                self._place.change(lambda tx: retention.end_session(tx, self._place))
            self._place.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> Literal[False]:
        self.close()
        return False

    # around a fork

    def pause(self) -> None:
        """The store waits for what is half done; here there is nothing to wait for."""

    def resume(self) -> None: ...

    def leave_to_parent(self) -> None:
        """In a forked child: the lock may be held by a thread that is not there."""
        self._lock = threading.RLock()
        self._follower.leave_to_parent()
        self._later.leave_to_parent()

    # inside

    def _fresh(self, at: datetime | None) -> datetime:
        """Now, with what has expired by then gone, and what can wait waiting."""
        self._later.stir()
        now = checked_time(at, self._place.clock())
        forgetting.catch_up(self._place)
        retention.expire(self._place, min(now, self._place.clock()))  # asking about the future deletes nothing
        return now

    def _follow(self, turn: Turn) -> None:
        self._follower.follow(turn)
        self._expire_when_idle()
        self._later.wake()

    def _expire_when_idle(self) -> None:
        """See that messages expire even if nobody asks for them again."""
        limit = self.settings.expire_after
        if limit is None:
            return
        with self._lock:
            if self._idle is not None:
                self._idle.ring()
            self._idle = call_after(limit.total_seconds() + 1, self._expire_idle, "anaphora-expiry")

    def _expire_idle(self) -> None:
        with self._lock:
            if self._closed:
                return
            try:
                retention.expire(self._place, self._place.clock())
            except StoreError:  # busy or out of reach: the next time then, or the next use
                self._expire_when_idle()
