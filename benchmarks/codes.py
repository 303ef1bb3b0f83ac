"""What searching by binary codes costs: its hits against the exact ones, on embeddings of real sentences.

`python -m benchmarks.codes` prints it; embedding the sentences takes some minutes the first time.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anaphora.memory.terms import terms_of
from anaphora.models.embedder import bundled_embedder
from anaphora.ports import Near
from anaphora.stores.sqlite import SqliteStore
from anaphora.stores.vectors import VectorLimits
from anaphora.types import Message, Scope
from benchmarks.store import Times

__all__ = ["run"]

_DATA = Path("../shared/data")
_TEXTS, _QUERIES, _K = 30_000, 300, 20
_AT_ONCE = 500
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_SCOPE = Scope("one", "assistant", "default")


def run() -> list[tuple[str, str, str]]:
    """So many sentences in one scope, once held as they are and once as codes."""
    vectors = _embedded()
    stored, queries = vectors[:-_QUERIES], vectors[-_QUERIES:].tolist()
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "store.db"
        _fill(path, stored)
        exact, exact_times, exact_size = _searched(path, VectorLimits(codes_above=len(vectors)), queries)
        coded, coded_times, coded_size = _searched(path, VectorLimits(codes_above=1), queries)
    what = f"{len(stored):,} real vectors in one scope"
    kept = [f"{_kept(exact, coded, k):.4f}" for k in (1, 10, _K)]
    return [
        (f"{what}: of the first 1, 10 and {_K} exact hits, found by codes", ", ".join(kept), ""),
        (f"{what}: exact search", f"{exact_times}, {exact_size:.0f} MB held", ""),
        (f"{what}: search by codes", f"{coded_times}, {coded_size:.0f} MB held", ""),
    ]


def _kept(exact: Sequence[list[Near]], coded: Sequence[list[Near]], k: int) -> float:
    found = [{n.seq for n in one[:k]} & {n.seq for n in two[:k]} for one, two in zip(exact, coded, strict=True)]
    return sum(map(len, found)) / (k * len(found))


def _searched(
    path: Path, limits: VectorLimits, queries: Sequence[Sequence[float]]
) -> tuple[list[list[Near]], Times, float]:
    """The hits, what a search took once the vectors were held, and the megabytes that they take."""
    with closing(_opened(path, limits)) as store:
        view = store.view(_SCOPE)
        view.nearest("real", queries[0], _K)
        hits, times = [], []
        for query in queries:
            begun = time.perf_counter()
            hits.append(view.nearest("real", query, _K))
            times.append((time.perf_counter() - begun) * 1000)
        return hits, Times(times), store.held_bytes / 1e6


def _fill(path: Path, vectors: NDArray[np.float32]) -> None:
    like = Message("m", "user", "x", datetime(2025, 11, 3, tzinfo=UTC), "user", "main")
    with closing(_opened(path, VectorLimits())) as store:
        for begin in range(0, len(vectors), _AT_ONCE):
            some = vectors[begin : begin + _AT_ONCE]
            with store.transaction(_SCOPE) as tx:
                added = [tx.add(replace(like, id=f"m-{begin + n}")).seq for n in range(len(some))]
                tx.put_vectors("real", {seq: [row.tolist()] for seq, row in zip(added, some, strict=True)})


def _opened(path: Path, limits: VectorLimits) -> SqliteStore:
    return SqliteStore(str(path), terms_of, durability="normal", busy_timeout=timedelta(seconds=30), limits=limits)


# --- real sentences -----------------------------------------------------------------------------------------------


def _embedded() -> NDArray[np.float32]:
    """Embedded once; kept in the folder for temporary files."""
    kept = Path(tempfile.gettempdir()) / f"anaphora-benchmarks-{_TEXTS}-sentences.npy"
    if not kept.exists():
        texts = sorted(set(_sentences()))
        random.Random(1).shuffle(texts)
        if len(texts) < _TEXTS:
            raise FileNotFoundError(f"{_DATA} holds {len(texts)} sentences, {_TEXTS} are needed")
        np.save(kept, bundled_embedder().embed(texts[:_TEXTS]))
    found: NDArray[np.float32] = np.load(kept)
    return found


def _sentences() -> Iterator[str]:
    """Of 15 to 400 characters, whatever the format of the file that they stand in."""
    for file in sorted(_DATA.rglob("*.jsonl")):
        with file.open("r", encoding="utf-8") as lines:
            for line in lines:
                for text in _texts(json.loads(line)):
                    for sentence in _SENTENCE.split(text):
                        said = " ".join(sentence.split())
                        if 15 <= len(said) <= 400:
                            yield said


def _texts(value: Any) -> Iterator[str]:
    """Every text in plain data; the words of a sentence that was taken apart, as one."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        yield " ".join(value)
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one)


if __name__ == "__main__":
    for what, measured, _ in run():
        print(f"{what}: {measured}")
