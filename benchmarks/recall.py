"""Recall and contexts in a scope of 10,000 messages within a store of 100,000, and in one of 600; embedding."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

import anaphora
from anaphora import Memory
from anaphora.engine.embedding import model_of
from anaphora.models.embedder import bundled_embedder
from anaphora.models.sessions import WIDTH
from anaphora.ports import Embedder
from anaphora.testing import FrozenClock
from anaphora.types import Message, Role

__all__ = ["run"]

_NOW = datetime(2025, 11, 3, 14, 20, tzinfo=UTC)
_SCOPES = (("large", 10_000), *((f"other{n}", 9_000) for n in range(10)), ("small", 600))
_QUERIES = 100
_EMBEDDED = 600
_COMMON, _RARE = 400, 8000  # words that the messages are made of
_PLAIN = ("the", "of", "and", "house", "water", "people", "work", "plan", "music", "garden")

_Chosen = Embedder | Literal["none"]


def run() -> list[tuple[str, str, str]]:
    """Vectors are random here: what is near costs as much to find as what is not. The query is embedded for real."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "anaphora.db"
        for user, count in _SCOPES:
            _fill(path, user, count)
        return [
            (
                "recall, scope 10,000 of 100,000, query embedded",
                _recalled(path, "large", bundled_embedder()),
                "≤ 20 ms",
            ),
            ("the same, by words alone", _recalled(path, "large", "none"), ""),
            ("recall, scope 600, the query's vector at hand", _recalled(path, "small", _Kept()), "≤ 2 ms"),
            ("the same, by words alone", _recalled(path, "small", "none"), "≤ 2 ms"),
            ("context of 8,000 tokens, scope 10,000 of 100,000", _contexts(path, "large"), "≤ 20 ms"),
            ("embedding, messages of about 40 tokens", f"{_embedding():.0f} messages/s", "≥ 200"),
        ]


class _Kept:
    """The bundled embedder, with what it embedded once at hand."""

    name, width = bundled_embedder().name, WIDTH

    def __init__(self) -> None:
        self._rows: dict[str, NDArray[np.float32]] = {}

    def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        for text in texts:
            if text not in self._rows:
                self._rows[text] = bundled_embedder().embed([text])[0]
        return np.stack([self._rows[text] for text in texts])


def _sentence(chance: random.Random, length: int) -> str:
    def word() -> str:
        return f"word{chance.randrange(_COMMON)}" if chance.random() < 0.7 else f"topic{chance.randrange(_RARE)}"

    return " ".join([word() for _ in range(length)])


def _fill(path: Path, user: str, count: int) -> None:
    chance = random.Random(user)
    vectors = np.random.default_rng(count).standard_normal((count, WIDTH)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    with _opened(path, user, "none") as memory, memory._place.store.transaction(memory.scope) as tx:
        for n in range(count):
            role: Role = "user" if n % 2 == 0 else "assistant"
            at = _NOW - timedelta(minutes=count - n)
            tx.add(Message(f"m{n}", role, _sentence(chance, 30), at, role, "earlier"))
        tx.put_vectors(model_of(bundled_embedder()), {n + 1: [row.tolist()] for n, row in enumerate(vectors)})


def _opened(path: Path, user: str, embedder: _Chosen) -> Memory:
    clock = FrozenClock(_NOW)
    return anaphora.open(
        path, user=user, reader="none", embedder=embedder, background=False, durability="normal", clock=clock
    )


def _recalled(path: Path, user: str, embedder: _Chosen) -> str:
    with _opened(path, user, embedder) as memory:
        return _shown(memory.recall)


def _contexts(path: Path, user: str) -> str:
    with _opened(path, user, bundled_embedder()) as memory:
        return _shown(lambda query: memory.context(query, 8000))


def _shown(ask: Callable[[str], object]) -> str:
    chance = random.Random(7)
    queries = [f"which {_sentence(chance, 3)} did I {_sentence(chance, 2)}?" for _ in range(_QUERIES)]
    times = sorted(_times(ask, queries))
    return f"p95 {1000 * times[int(0.95 * len(times))]:.1f} ms, median {1000 * times[len(times) // 2]:.1f}"


def _times(ask: Callable[[str], object], queries: Sequence[str]) -> Iterator[float]:
    for query in queries:  # once without the clock: what is read into memory is read once
        ask(query)
    for query in queries:
        start = time.perf_counter()
        ask(query)
        yield time.perf_counter() - start


def _embedding() -> float:
    chance = random.Random(3)
    with anaphora.open(":memory:", reader="none", background=False) as memory:
        texts = [" ".join([*chance.choices(_PLAIN, k=30), _sentence(chance, 3)]) for _ in range(_EMBEDDED)]
        memory.ingest([{"text": text} for text in texts])
        start = time.perf_counter()
        memory.finish()
        return _EMBEDDED / (time.perf_counter() - start)
