"""Where memories live: SQLite by default, plain memory for tests and throw-away chats. `open_store` is the one door."""

from __future__ import annotations

from datetime import timedelta
from typing import Literal

from anaphora.errors import InputError
from anaphora.ports import Store, TermsOf

__all__ = ["open_store"]


def open_store(
    place: str, *, terms_of: TermsOf, durability: Literal["full", "normal"], busy_timeout: timedelta
) -> Store:
    """The store at a path, or in memory for ":memory:"."""
    if place == ":memory:":
        from anaphora.stores.memory import MemoryStore

        return MemoryStore(terms_of)
    if "://" in place:
        raise InputError(f"No store can be opened at {place!r}.", remedy="Give a file path or :memory:.")
    from anaphora.stores.sqlite import SqliteStore

    return SqliteStore(place, terms_of, durability=durability, busy_timeout=busy_timeout)
