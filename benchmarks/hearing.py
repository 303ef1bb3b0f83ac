"""What one message costs, all in, on a SQLite file: against a bare insert of the same durability in the same run."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import apsw

import anaphora
from anaphora import Settings
from anaphora.types import Conversation, Message
from anaphora.understanding.boundaries import Past
from anaphora.understanding.entities import find_entities
from anaphora.understanding.reading import read

__all__ = ["run"]

_MESSAGES = 300
_TEXT = (
    "please change the layout of page {} so that the search box stands above the results and the filters move to the "
    "left, then make it wider and keep the colours that we chose for the header last time"
)

_SESSIONS = 40
_SAID = "in step {} the search page should remember which filters were set when the user comes back to it later"
_REPLIED = (
    "Done in step {}: `SearchPage` now writes the filters to local storage in `saveFilters()` and reads them again in "
    "`restoreFilters()` when it is shown; a test covers both, and the old cookie is removed on the first visit."
)
_FOLLOW_UP = (
    "now do the same for the other list in part {} and make sure that it also keeps the order of the columns, because "
    "people complained that it was lost when they came back, and it should not flicker while loading"
)
_PASTED = "why does this fail in run {}?\n" + "\n".join(
    f"def step_{i}(rows, limit=None):\n    return [row for row in rows if row.value > {i}][:limit]" for i in range(75)
)
_EXAMPLES = tuple(
    f"{verb} the {thing}"
    for verb in ("deploy", "ship", "release", "roll out")
    for thing in ("app", "backend", "new build", "latest version", "web site")
)


def run() -> list[tuple[str, str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        bare = _times(_bare(Path(folder) / "bare.db"))
        with anaphora.open(Path(folder) / "full.db") as memory:
            heard = _times(lambda i: memory.hear(_TEXT.format(i)))
            built = _times(lambda i: memory.context(_TEXT.format(i), budget=8000))
            found = _times(lambda _: memory.recall("where does the search box stand?"))
            memory.define_intent("first", _EXAMPLES[:3])  # loads the embedder
            taught = _times(lambda i: memory.define_intent(f"own-{i % 10}", [f"{e} {i}" for e in _EXAMPLES]), 30)
            with_own = _times(lambda i: memory.hear(_TEXT.format(i)))
        with anaphora.open(":memory:") as memory:
            quick = _times(lambda i: memory.hear(_TEXT.format(i)))
        talked = _sessions(Path(folder) / "talk.db", _FOLLOW_UP)
        pasted = _sessions(Path(folder) / "paste.db", _PASTED)
        by_rules = _sessions(Path(folder) / "rules.db", _FOLLOW_UP, reader="none")
        pure = _pure()
    return [
        ("the pure pass: no store, no network, 40 tokens", _shown(pure), "p95 ≤ 2 ms"),
        ("hear, 40 tokens, in sessions of 20 with replies, on disk", _shown(talked), "p95 ≤ 15 ms"),
        ("the same, by rules alone", _shown(by_rules), ""),
        ("the same, pasted code of 2,000 tokens", _shown(pasted), "p95 ≤ 40 ms"),
        ("hear, on disk", _shown(heard), "p95 ≤ 15 ms"),
        ("hear, against a bare durable insert, p50", f"{_p(heard, 50) / _p(bare, 50):.1f}×", ""),
        ("hear, in memory", _shown(quick), ""),
        ("hear, on disk, with 11 intents of one's own", _shown(with_own), ""),
        ("teach an intent by 20 examples", _shown(taught), "p95 ≤ 1,000 ms"),
        ("context of 8,000 tokens", _shown(built), "p95 ≤ 20 ms"),
        ("recall", _shown(found), "p95 ≤ 20 ms"),
    ]


def _sessions(path: Path, text: str, reader: Literal["bundled", "none"] = "bundled") -> list[float]:
    """Each message in a session that already holds twenty, half of them replies of some length."""
    times = []
    for session in range(_SESSIONS):
        with anaphora.open(path, session=f"s{session}", reader=reader) as memory:
            for i in range(10):
                memory.hear(_SAID.format(10 * session + i))
                memory.say(_REPLIED.format(10 * session + i))
            for i in range(3):
                begun = time.perf_counter()
                memory.hear(text.format(3 * session + i))
                times.append((time.perf_counter() - begun) * 1000)
                memory.say(_REPLIED.format(1000 + 3 * session + i))
    return times


def _pure() -> list[float]:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    conversation = Conversation("c", "Search Page", now, "main", message_count=20)
    window = tuple(
        Message(f"m{i}", "user", _SAID.format(i), now, "me", "main", entities=find_entities(_SAID.format(i)))
        for i in range(10)
    )
    past = Past(conversation, window, (conversation,), window)
    settings = Settings()
    return _times(lambda i: read(_FOLLOW_UP.format(i), now, past, settings))


def _bare(path: Path) -> Callable[[int], object]:
    db = apsw.Connection(str(path))
    setup = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE messages (id INTEGER PRIMARY KEY, t)"
    list(db.execute(setup))  # to its end: it stops at each row
    return lambda i: db.execute("INSERT INTO messages (t) VALUES (?)", (_TEXT.format(i),))


def _times(work: Callable[[int], object], count: int = _MESSAGES) -> list[float]:
    times = []
    for i in range(count):
        begun = time.perf_counter()
        work(i)
        times.append((time.perf_counter() - begun) * 1000)
    return times


def _p(times: list[float], percent: int) -> float:
    return statistics.quantiles(times, n=100)[percent - 1]


def _shown(times: list[float]) -> str:
    return f"p50 {_p(times, 50):.2f} ms, p95 {_p(times, 95):.2f} ms"
