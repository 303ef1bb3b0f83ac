"""What one message costs, all in, on a SQLite file: against a bare insert of the same durability in the same run."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import apsw

import anaphora

__all__ = ["run"]

_MESSAGES = 300
_TEXT = (
    "please change the layout of page {} so that the search box stands above the results and the filters move to the "
    "left, then make it wider and keep the colours that we chose for the header last time"
)


def run() -> list[tuple[str, str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        bare = _times(_bare(Path(folder) / "bare.db"))
        with anaphora.open(Path(folder) / "full.db") as memory:
            heard = _times(lambda i: memory.hear(_TEXT.format(i)))
            built = _times(lambda i: memory.context(_TEXT.format(i), budget=8000))
            found = _times(lambda _: memory.recall("where does the search box stand?"))
        with anaphora.open(":memory:") as memory:
            quick = _times(lambda i: memory.hear(_TEXT.format(i)))
    return [
        ("hear, on disk", _shown(heard), "p95 ≤ 15 ms"),
        ("hear, against a bare durable insert, p50", f"{_p(heard, 50) / _p(bare, 50):.1f}×", ""),
        ("hear, in memory", _shown(quick), ""),
        ("context of 8,000 tokens", _shown(built), "p95 ≤ 20 ms"),
        ("recall", _shown(found), "p95 ≤ 20 ms"),
    ]


def _bare(path: Path) -> Callable[[int], object]:
    db = apsw.Connection(str(path))
    setup = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE messages (id INTEGER PRIMARY KEY, t)"
    list(db.execute(setup))  # to its end: it stops at each row
    return lambda i: db.execute("INSERT INTO messages (t) VALUES (?)", (_TEXT.format(i),))


def _times(work: Callable[[int], object]) -> list[float]:
    times = []
    for i in range(_MESSAGES):
        begun = time.perf_counter()
        work(i)
        times.append((time.perf_counter() - begun) * 1000)
    return times


def _p(times: list[float], percent: int) -> float:
    return statistics.quantiles(times, n=100)[percent - 1]


def _shown(times: list[float]) -> str:
    return f"p50 {_p(times, 50):.2f} ms, p95 {_p(times, 95):.2f} ms"
