"""How a store of an older schema becomes one of the current: numbered steps, each done together with its record.

A step is never changed once it was released. `schema.create` makes the current schema at once; the tests hold it equal
to what the steps make of the first one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from anaphora.errors import StoreUnreadable
from anaphora.stores.schema import Dialect

__all__ = ["MIGRATIONS", "Migration", "pending"]


@dataclass(frozen=True, slots=True)
class Migration:
    """The statements that lead to a version from the one before it, in the types of a store."""

    version: int
    statements: Callable[[Dialect], Sequence[str]]


MIGRATIONS: Sequence[Migration] = ()


def pending(version: int, current: int) -> list[Migration]:
    """The steps from a version to the current one, in order."""
    steps = sorted((m for m in MIGRATIONS if version < m.version <= current), key=lambda m: m.version)
    if [m.version for m in steps] != list(range(version + 1, current + 1)):
        raise StoreUnreadable(
            f"There is no way from schema {version} to {current}.", remedy="Open it with an older Anaphora, and export."
        )
    return steps
