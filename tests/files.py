"""A store file in a test: opened as a store, and looked into behind its back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import apsw

from anaphora.stores.sqlite import SqliteStore
from anaphora.testing.conformance import terms_of

__all__ = ["execute", "opened"]


@contextmanager
def opened(path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(str(path), terms_of, durability="normal", busy_timeout=timedelta(seconds=30))
    try:
        yield store
    finally:
        store.close()


def execute(path: Path, sql: str) -> list[tuple[Any, ...]]:
    db = apsw.Connection(str(path))
    try:
        return list(db.execute(sql))
    finally:
        db.close()
