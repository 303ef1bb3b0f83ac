"""Where a memory works: its store and scope, who speaks for it, and the settings it goes by."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from anaphora.engine.documents import forget_documents
from anaphora.errors import StoreInterrupted
from anaphora.ports import Clock, Embedder, LanguageModel, Reader, Store, TokenCounter, Transaction, View
from anaphora.settings import Settings
from anaphora.types import Scope
from anaphora.understanding.once import forget_texts

__all__ = ["Place"]

T = TypeVar("T")

_TRIES = 8  # a server that restarts is back within the pauses between them, some ten seconds in all
_PAUSE = 0.08  # seconds before the second try; each later pause is twice as long


def _counter() -> TokenCounter:
    from anaphora.models.tokens import token_counter

    return token_counter("o200k")


def _bundled() -> Embedder:
    from anaphora.models.embedder import bundled_embedder  # here, since few memories need one

    return bundled_embedder()


@dataclass(frozen=True, slots=True)
class Place:
    store: Store
    scope: Scope
    session: str
    author: str
    settings: Settings
    clock: Clock
    reader: Reader | None = None
    embedder: Callable[[], Embedder] = _bundled
    counter: Callable[[], TokenCounter] = _counter
    language: LanguageModel | None = None
    embeds: bool = True  # messages are found by meaning too

    @property
    def view(self) -> View:
        return self.store.view(self.scope)

    @property
    def bundled(self) -> bool:
        """Whether the embedder is the one that ships with the package, of which it is known how long it takes."""
        return self.embedder is _bundled

    def unread(self) -> None:
        """Keep nothing of the texts that were read lately, which is kept to be quick."""
        from anaphora.models.pieces import forget_words  # here, since few memories forget

        forget_texts()
        forget_documents()
        forget_words()
        if self.reader is not None:
            self.reader.forget()

    def within(self, session: str) -> Place:
        """The same place, in another session."""
        return replace(self, session=session)

    def change(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in a transaction; where the store was interrupted and took it back, run it again."""
        for attempt in range(_TRIES):
            try:
                with self.store.transaction(self.scope) as tx:
                    return work(tx)
            except StoreInterrupted:
                if attempt == _TRIES - 1:
                    raise
            time.sleep(_PAUSE * 2**attempt)
        raise AssertionError("unreachable")
