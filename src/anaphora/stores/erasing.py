"""Erasing in stores that several processes share: each learns that another one did it, and keeps nothing at hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from anaphora.stores.indexing import forget_counted
from anaphora.stores.records import Row, forget_read
from anaphora.types import Scope

__all__ = ["MARK", "Erasures"]

MARK = ("", 0)
"""The model and the block of `vector_changes` under which it stands when something of a scope was last erased."""

_LAST = (
    "SELECT id, (SELECT change FROM vector_changes WHERE scope = scopes.id AND model = '' AND block = 0) "
    "FROM scopes WHERE owner = ? AND agent = ? AND project = ?"
)


class _Reading(Protocol):
    def select(self, sql: str, values: Sequence[Any]) -> list[Row]: ...


class Erasures:
    """What one store knows of them. A scope that was erased as a whole has no number any more, or another one."""

    def __init__(self, store: _Reading) -> None:
        self._store = store
        self._seen: dict[Scope, list[Row]] = {}

    def elsewhere(self, scope: Scope) -> bool:
        """Whether others erased something of the scope since this was last asked."""
        last = self._store.select(_LAST, (scope.user, scope.agent, scope.project))
        before = self._seen.get(scope, last)
        self._seen[scope] = last
        if before in ([], last):
            return False
        forget_read()
        forget_counted()
        return True

    def here(self, scope: Scope) -> None:
        """This store did, and whoever asked it to knows."""
        self._seen.pop(scope, None)
