"""Where memories live: SQLite by default, PostgreSQL for many machines, plain memory for tests and throw-away chats.

`open_store` is the one door.
"""

from __future__ import annotations

from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from anaphora.errors import InputError, MissingExtra, SettingsError
from anaphora.ports import Store, TermsOf
from anaphora.stores.vectors import VectorLimits

__all__ = ["open_store", "shown"]


def open_store(
    place: str,
    *,
    terms_of: TermsOf,
    durability: Literal["full", "normal"],
    busy_timeout: timedelta,
    limits: VectorLimits | None = None,
    vectors: str = "store",
) -> Store:
    """The store at a place, with its vectors in it, or in Qdrant for "qdrant:URL" and "qdrant:FOLDER"."""
    index = _index_at(vectors)
    opened = _opened(place, terms_of, durability, busy_timeout, limits)
    if index is None:
        return opened
    from anaphora.stores.qdrant import QdrantIndex, QdrantStore

    return QdrantStore(opened, QdrantIndex(index))


def _index_at(vectors: str) -> str | None:
    """Where the vectors are, if not in the store itself."""
    if vectors == "store":
        return None
    kind, _, place = vectors.partition(":")
    if kind != "qdrant" or not place:
        raise SettingsError(
            f"Bad value {vectors!r} for setting 'vectors'.", remedy="Allowed: store, qdrant:URL or qdrant:FOLDER."
        )
    if find_spec("qdrant_client") is None:
        raise MissingExtra(
            "Vectors in Qdrant need qdrant-client, which is not installed.",
            remedy="Install it: pip install 'anaphora[qdrant]'",
        )
    return place if "://" in place else str(Path(place).expanduser().absolute())


def _opened(
    place: str,
    terms_of: TermsOf,
    durability: Literal["full", "normal"],
    busy_timeout: timedelta,
    limits: VectorLimits | None,
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

    return SqliteStore(place, terms_of, durability=durability, busy_timeout=busy_timeout, limits=limits)


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
