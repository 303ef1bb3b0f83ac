"""A store that counts what is read of it, so that a test can tell what something costs without a clock."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from anaphora import Memory
from anaphora.models.tokens import token_counter

__all__ = ["Counted", "counted"]


class Counted:
    """Whatever it stands for, counting the messages and documents that come out of it."""

    def __init__(self, inner: Any, reads: dict[str, int]) -> None:
        self._inner = inner
        self._reads = reads

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if name not in ("message", "messages", "document", "documents", "events", "view"):
            return found

        def read(*args: Any, **kwargs: Any) -> Any:
            result = found(*args, **kwargs)
            if name == "view":
                return Counted(result, self._reads)
            kind = name.removesuffix("s")
            self._reads[kind] = self._reads.get(kind, 0) + (len(result) if isinstance(result, list) else 1)
            return result

        return read

    @contextmanager
    def transaction(self, scope: Any) -> Iterator[Any]:
        with self._inner.transaction(scope) as tx:
            yield Counted(tx, self._reads)


def counted(memory: Memory) -> tuple[Memory, dict[str, int]]:
    """A memory of the same store, and what it has read so far."""
    reads: dict[str, int] = {}
    place = replace(memory._place, store=Counted(memory._place.store, reads))
    return Memory(place, lambda: token_counter("o200k")), reads
