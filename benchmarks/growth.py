"""A store that grows: 10,000, 100,000 and 1,000,000 messages over 1,000 users, each user's calls at every size."""

from __future__ import annotations

import os
import random
import tempfile
import time
from pathlib import Path

from benchmarks.store import Times, appends, build, opened, reads, searches

__all__ = ["run"]

_USERS = 1000
_SIZES = (10, 100, 1000)  # messages a user
_LAST = 5  # every user has that many at every size: the same work, so that what grows is its price


def run() -> list[tuple[str, str, str]]:
    rows: list[tuple[str, str, str]] = []
    before: dict[str, Times] = {}
    for each in _SIZES:
        now, made = _measured(each)
        rows.append((f"{_USERS * each:,} messages", made, "≤ 2 GB"))
        for what, times in now.items():
            rows.append(
                (f"{_USERS * each:,} messages: {what}", str(times) + _grown(before.get(what), times), "< 2× a step")
            )
        before = now
    return rows


def _grown(before: Times | None, now: Times) -> str:
    return "" if before is None else f" ({now.p(50) / before.p(50):.1f}×, {now.p(95) / before.p(95):.1f}×)"


def _measured(each: int) -> tuple[dict[str, Times], str]:
    """The times of one size, and what making it took."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path, chance = folder / "store.db", random.Random(2)
        begun = time.perf_counter()
        build(path, _USERS, each)
        made = f"{path.stat().st_size / 1e6:,.0f} MB, made in {time.perf_counter() - begun:.0f} s"
        os.sync()  # what is measured is a store that has grown, not the disk still writing it
        with opened(path) as store:
            appended, bare = appends(store, folder / "bare.db", _USERS, chance)
            read = reads(store, path, _USERS, chance, _LAST)
            found = searches(store, _USERS, chance)
    times = {
        "append": appended,
        "bare insert beside it": bare,
        f"last {_LAST}, first time": Times(read.first),
        "bare select beside it": Times(read.bare_first),
        f"last {_LAST}, again": Times(read.again),
        "bare select again": Times(read.bare),
        "text search": found,
    }
    return times, made
