"""What learning costs: consolidating a full queue, hearing with knowledge against hearing without, and its size."""

from __future__ import annotations

import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Literal

import anaphora

__all__ = ["run"]

_START = datetime(2026, 1, 1, 9, tzinfo=UTC)
_MINUTE = timedelta(minutes=1)
_VERBS = ("make", "change", "write", "test", "fix", "remove", "rename", "sort", "add", "check", "print", "move")
_THINGS = ("it", "this", "that list", "a function", "the file", "every key", "one column", "my code", "the search box")
_WAYS = ("again", "now", "first", "in one line", "without the loop", "for all rows", "with tests", "as a class", "?")
_TEXTS = [" ".join(parts) for parts in product(_VERBS, _THINGS, _WAYS)]
_REPLY = "Done: `SearchPage` now does that; a test covers it, and the old version is removed."
_READERS: tuple[Literal["bundled", "none"], ...] = ("bundled", "none")
_HEARD = 150
_MESSAGES = 3000


def run() -> list[tuple[str, str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        queue = _full_queue(Path(folder) / "queue.db")
        size, known = _learned(Path(folder) / "many.db")
        read, ruled = (_ratio(Path(folder), known, reader) for reader in _READERS)
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
            memory.hear(_TEXTS[7 * n % len(_TEXTS)], at=_START + n * _MINUTE)
            memory.say(_REPLY, at=_START + n * _MINUTE)
        times = []
        for _ in range(5):
            begun = time.perf_counter()
            memory.consolidate(afresh=True)
            times.append((time.perf_counter() - begun) * 1000)
    return statistics.median(times)


def _learned(path: Path) -> tuple[int, anaphora.Knowledge]:
    with anaphora.open(path, reader="none", background=False, durability="normal") as memory:
        memory.ingest({"text": _TEXTS[7 * n % len(_TEXTS)], "at": _START + n * _MINUTE} for n in range(_MESSAGES))
        memory.consolidate()
        memory.export_knowledge(path.with_suffix(".yaml"))
        return path.with_suffix(".yaml").stat().st_size, memory.knowledge


def _ratio(folder: Path, known: anaphora.Knowledge, reader: Literal["bundled", "none"]) -> float:
    """Two memories hear the same, in turn, so that what else the machine does meets both."""
    times: dict[bool, list[float]] = {False: [], True: []}
    with (
        anaphora.open(folder / f"{reader}-empty.db", reader=reader, background=False) as empty,
        anaphora.open(folder / f"{reader}-full.db", reader=reader, background=False) as full,
    ):
        full.learn(known)
        for n in range(_HEARD):
            for knowing, memory in ((False, empty), (True, full)):
                begun = time.perf_counter()
                memory.hear(_TEXTS[11 * n % len(_TEXTS)], at=_START + n * _MINUTE)
                times[knowing].append(time.perf_counter() - begun)
    return statistics.median(times[True]) / statistics.median(times[False])
