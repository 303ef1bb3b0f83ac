"""What learning costs: consolidating a full queue, hearing with knowledge against hearing without, and its size."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Literal

import anaphora

__all__ = ["TEXTS", "run", "with_and_without"]

_START = datetime(2026, 1, 1, 9, tzinfo=UTC)
_MINUTE = timedelta(minutes=1)
_VERBS = ("make", "change", "write", "test", "fix", "remove", "rename", "sort", "add", "check", "print", "move")
_THINGS = ("it", "this", "that list", "a function", "the file", "every key", "one column", "my code", "the search box")
_WAYS = ("again", "now", "first", "in one line", "without the loop", "for all rows", "with tests", "as a class", "?")
TEXTS = [" ".join(parts) for parts in product(_VERBS, _THINGS, _WAYS)]
_REPLY = "Done: `SearchPage` now does that; a test covers it, and the old version is removed."
_READERS: tuple[Literal["bundled", "none"], ...] = ("bundled", "none")
_HEARD = 150
_MESSAGES = 3000


def run() -> list[tuple[str, str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        queue = _full_queue(Path(folder) / "queue.db")
        size, known = _learned(Path(folder) / "many.db")
        texts = [TEXTS[11 * n % len(TEXTS)] for n in range(_HEARD)]
        (read, _), (ruled, _) = (with_and_without(Path(folder), known, reader, texts) for reader in _READERS)
    return [
        ("consolidate a full queue of 20 conversations, 300 messages", f"{queue:.0f} ms", "≤ 500 ms"),
        (f"knowledge after {_MESSAGES:,} messages, as a file", f"{size / 1000:.0f} KB", "≤ 200 KB"),
        ("hear with full knowledge, against none, p50", f"{read:.2f}×", "≤ 1.2×"),
        ("the same, by rules alone", f"{ruled:.2f}×", "≤ 1.2×"),
    ]


def _full_queue(path: Path) -> float:
    """The median of five, each from the first event."""
    with anaphora.open(path, reader="none", background=False) as memory:
        for n in range(300):
            if n % 15 == 0:
                memory.new(f"Topic {n}", at=_START + n * _MINUTE)
            memory.hear(TEXTS[7 * n % len(TEXTS)], at=_START + n * _MINUTE)
            memory.say(_REPLY, at=_START + n * _MINUTE)
        times = []
        for _ in range(5):
            begun = time.perf_counter()
            memory.consolidate(afresh=True)
            times.append((time.perf_counter() - begun) * 1000)
    return statistics.median(times)


def _learned(path: Path) -> tuple[int, anaphora.Knowledge]:
    with anaphora.open(path, reader="none", background=False, durability="normal") as memory:
        memory.ingest({"text": TEXTS[7 * n % len(TEXTS)], "at": _START + n * _MINUTE} for n in range(_MESSAGES))
        memory.consolidate()
        memory.export_knowledge(path.with_suffix(".yaml"))
        return path.with_suffix(".yaml").stat().st_size, memory.knowledge


def with_and_without(
    folder: Path, known: anaphora.Knowledge, reader: Literal["bundled", "none"], texts: Sequence[str]
) -> tuple[float, float]:
    """How much longer hearing takes that knows something: by the clock and in processor time, at the median. Two
    memories hear the same, in turn, so that what else the machine does meets both."""
    times: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
    with (
        anaphora.open(folder / f"{reader}-empty.db", reader=reader, background=False) as empty,
        anaphora.open(folder / f"{reader}-full.db", reader=reader, background=False) as full,
    ):
        full.learn(known)
        for n, text in enumerate(texts):
            for knowing, memory in ((False, empty), (True, full))[:: 1 if n % 2 else -1]:
                begun = time.perf_counter(), time.process_time()
                memory.hear(text, at=_START + n * _MINUTE)
                times[knowing].append((time.perf_counter() - begun[0], time.process_time() - begun[1]))
    clock, processor = (
        statistics.median(row[at] for row in times[True]) / statistics.median(row[at] for row in times[False])
        for at in (0, 1)
    )
    return clock, processor
