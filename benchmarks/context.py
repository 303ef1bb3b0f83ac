"""What a context costs: a user of 10,000 messages in a store of 100,000, a talk going on, a budget of 8,000 tokens."""

from __future__ import annotations

import random
import shutil
import tempfile
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

import anaphora
from anaphora.engine.embedding import model_of
from anaphora.models.embedder import bundled_embedder
from anaphora.types import Context, Message, Scope
from benchmarks.store import Times, kept_store, opened, sentence

__all__ = ["run"]

_MESSAGES, _LONG = 10_000, 10  # of so many messages one is a long reply
_CONVERSATION = 50
_TALK = 20
_ROUNDS = 200
_BUDGET = 8000
_USER = "ten-thousand"
_START = datetime(2025, 1, 1, tzinfo=UTC)


def run() -> list[tuple[str, str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(shutil.copy(kept_store(), Path(folder) / "store.db"))
        chance = random.Random(3)
        _fill(path, chance)
        with anaphora.open(path, user=_USER) as memory:
            for n in range(_TALK // 2):
                memory.hear(sentence(chance))
                memory.say(_reply(chance, 1 + n % 3 * 10))
            memory.finish()
            contexts: list[Context] = []
            times = []
            for _ in range(_ROUNDS):
                question = sentence(chance)
                begun = time.perf_counter()
                contexts.append(memory.context(question, _BUDGET))
                times.append((time.perf_counter() - begun) * 1000)
    taken = {name: Times([context.steps[name] for context in contexts]) for name in contexts[0].steps}
    return [
        (f"context of {_BUDGET:,} tokens, the first one aside", str(Times(times[1:])), "p95 ≤ 20 ms"),
        *((f"of that, {name}", str(of), "") for name, of in taken.items()),
        ("tokens of it, most", f"{max(context.tokens for context in contexts):,}", f"≤ {_BUDGET:,}"),
    ]


def _fill(path: Path, chance: random.Random) -> None:
    """As an import would: the messages alone, a few words each, some of them long; their vectors point anywhere, since
    what a search costs does not depend on where."""
    scope = Scope(_USER, "assistant", "default")
    like = Message("m", "user", "", _START, _USER, "main")
    vectors = np.random.default_rng(3).standard_normal((_MESSAGES, bundled_embedder().width)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    with opened(path) as store, store.transaction(scope) as tx:
        seqs = []
        for n in range(_MESSAGES):
            text = _reply(chance, 20) if n % _LONG == 0 else sentence(chance)
            message = replace(
                like,
                id=f"m-{n}",
                role="assistant" if n % 2 else "user",
                text=text,
                at=_START + timedelta(minutes=n),
                conversation_id=f"c{n // _CONVERSATION}",
            )
            seqs.append(tx.add(message).seq)
        made = {seq: [vector.tolist()] for seq, vector in zip(seqs, vectors, strict=True)}
        tx.put_vectors(model_of(bundled_embedder()), made)


def _reply(chance: random.Random, sentences: int) -> str:
    return " ".join(sentence(chance).capitalize() + "." for _ in range(sentences))
