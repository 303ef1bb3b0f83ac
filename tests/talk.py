"""What the tests of the engine share: a start, minutes after it, and everything that a scope holds."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from anaphora import Memory

__all__ = ["BOTH_STORES", "START", "everything", "later", "stored_bytes"]

BOTH_STORES = (":memory:", "anaphora.db")  # every test has a working directory of its own
START = datetime(2025, 11, 3, 14, 20, tzinfo=UTC)


def later(minutes: float = 0, **parts: float) -> datetime:
    return START + timedelta(minutes=minutes, **parts)


def everything(memory: Memory) -> dict[str, Any]:
    """All that is stored of a scope, but for the time of asking."""
    path = Path("everything.json")
    memory.export(path)
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    path.unlink()
    del found["exported"]
    return found


def stored_bytes(store: Path) -> bytes:
    """The raw bytes of a store, its write-ahead log included."""
    return b"".join(path.read_bytes() for path in sorted(store.parent.glob(f"{store.name}*")))
