"""What a store must stand: many writers, killed writers, full disks, and no message acknowledged before it is safe.

Small in the tests; in full size with `python -m tests.faults --full`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Literal

from anaphora.memory.terms import terms_of
from anaphora.ports import Store
from anaphora.stores import open_store

__all__ = ["ROOT", "Finding", "missed", "opened"]

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: what came out, what had to, and whether it did (None: it could not be tried)."""

    what: str
    measured: str
    bar: str
    met: bool | None


def missed(findings: Iterable[Finding]) -> list[str]:
    return [f"{f.what}: {f.measured} (bar: {f.bar})" for f in findings if f.met is not True]


def opened(place: str, durability: Literal["full", "normal"] = "full") -> Store:
    """The store at a path or a URL, as a memory would open it."""
    return open_store(place, terms_of=terms_of, durability=durability, busy_timeout=timedelta(seconds=30))
