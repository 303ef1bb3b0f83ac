"""A memory as the tasks use it, and the replay of a stream through it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import Any, Literal, Protocol, Self

from anaphora.knowledge import Knowledge
from anaphora.ports import Clock
from anaphora.types import Context, Hit, Turn

__all__ = ["MINUTE", "START", "MemoryLike", "OpenMemory", "Replay"]

START = datetime(2025, 1, 1, 9, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


class MemoryLike(Protocol):
    """What the tasks need of a memory."""

    def hear(self, text: str, /, *, at: datetime, speaker: str | None = None) -> Turn: ...
    def say(self, text: str, /, *, at: datetime) -> object: ...
    def answer(self, text: str, /) -> object: ...
    def ingest(self, messages: Iterable[Mapping[str, Any]], /) -> object: ...
    def finish(self) -> object: ...
    def recall(self, query: str, /, *, k: int) -> Sequence[Hit]: ...
    def context(self, about: str, budget: int, /) -> Context: ...
    def consolidate(self) -> object: ...
    def learn(self, knowledge: Knowledge, /) -> object: ...
    @property
    def knowledge(self) -> Knowledge: ...
    def close(self) -> None: ...


class OpenMemory(Protocol):
    """Opens a memory on a store, by default a fresh one in memory; the stream that is replayed sets the clock. `row`
    is the row of the data that will be heard, `session` the chat that hears it."""

    def __call__(
        self, clock: Clock, *, store: str = ":memory:", user: str = "me", row: str = "", session: str = "main"
    ) -> MemoryLike: ...


class Replay:
    """A memory and the clock of the stream that it hears."""

    def __init__(
        self, open_memory: OpenMemory, row: str, *, store: str = ":memory:", user: str = "me", session: str = "main"
    ) -> None:
        self.now = START - MINUTE
        self.memory = open_memory(lambda: self.now, store=store, user=user, row=row, session=session)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.memory.close()

    def hear(self, text: str, *, at: datetime | None = None, speaker: str | None = None) -> Turn:
        """With no time given a minute passes."""
        self.now = at or self.now + MINUTE
        return self.memory.hear(text, at=self.now, speaker=speaker)

    def say(self, text: str) -> None:
        self.memory.say(text, at=self.now)

    def settle(self, turn: Turn, decision: Literal["same", "new"]) -> None:
        """Answer the question, if one was asked, so that the next message is not taken for its answer."""
        options = turn.question.options if turn.question else ()
        key = next((option.key for option in options if option.decision == decision), None)
        if key is not None:
            self.memory.answer(key)

    def let_stand(self, turn: Turn) -> None:
        self.settle(turn, turn.boundary.best_guess)
