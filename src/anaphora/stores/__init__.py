"""Where memories live: SQLite by default, PostgreSQL for many machines, plain memory for tests and throw-away chats.

`open_store` is the one door.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Literal

from anaphora.errors import InputError, MissingExtra
from anaphora.ports import Store, TermsOf
from anaphora.stores.vectors import VectorLimits

__all__ = ["open_store", "shown"]


def open_store(
    place: str,
    *,
    terms_of: TermsOf,
    durability: Literal["full", "normal"],
    busy_timeout: timedelta,
    vectors: VectorLimits | None = None,
) -> Store:
    """The store at a path, at a URL "postgresql://…", or in memory for ":memory:"."""
    if place == ":memory:":
        from anaphora.stores.memory import MemoryStore

        return MemoryStore(terms_of)
    if place.startswith(("postgresql://", "postgres://")):
        return _postgres(place, terms_of, busy_timeout)
    if "://" in place:
        raise InputError(
            f"No store can be opened at {shown(place)}.", remedy="Give a file path, postgresql://… or :memory:."
        )
    from anaphora.stores.sqlite import SqliteStore

    return SqliteStore(place, terms_of, durability=durability, busy_timeout=busy_timeout, vectors=vectors)


def shown(place: str) -> str:
    """A place as it may be shown to anyone: of a URL neither the user nor the password, wherever they stand."""
    scheme, url, rest = place.partition("://")
    if not url:
        return place
    before, _, after = rest.rpartition("@")
    return f"{scheme}://…" if "password" in before else f"{scheme}://{after.partition('?')[0]}"


def _postgres(url: str, terms_of: TermsOf, busy_timeout: timedelta) -> Store:
    try:
        from anaphora.stores.postgres import PostgresStore
    except ImportError as error:
        if (error.name or "psycopg").partition(".")[0] != "psycopg":
            raise
        raise MissingExtra(
            "A store in PostgreSQL needs psycopg, which is not installed.",
            remedy="Install it: pip install 'anaphora[postgres]'",
        ) from error
    return PostgresStore(url, terms_of, busy_timeout=busy_timeout)
