"""A clock that moves only when it is told to."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

__all__ = ["FrozenClock"]


class FrozenClock:
    """Call it for the time; `advance` moves it on."""

    def __init__(self, start: datetime = datetime(2025, 11, 3, 14, 20, tzinfo=UTC)) -> None:
        self._now = start

    def __call__(self) -> datetime:
        return self._now

    def advance(self, by: timedelta | None = None, /, **parts: float) -> datetime:
        """Move on by a timedelta or by its parts: `advance(hours=2)`."""
        self._now += timedelta(**parts) if by is None else by
        return self._now
