"""The store by itself, 100,000 messages of 1,000 users in it: against bare SQLite in the same run."""

from __future__ import annotations

import os
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import NamedTuple

import apsw
import numpy as np

import anaphora
from anaphora.memory.terms import terms_of
from anaphora.memory.words import bm25
from anaphora.ports import View
from anaphora.stores import records, rows
from anaphora.stores.schema import VERSION
from anaphora.stores.sqlite import SqliteStore
from anaphora.types import Message, Scope

__all__ = ["Reads", "Times", "appends", "build", "kept_store", "opened", "reads", "run", "searches", "sentence"]

_USERS, _EACH = 1000, 100
_CONVERSATION = 50  # messages of one
_ROUNDS = 500
_LAST = 20
_VECTORS, _DIMENSIONS, _MODEL = (600, 1000, 10_000), 384, "random"
_MADE_BY = 2  # a change to how the store below is filled makes the one that was kept unfit
_THINGS = """
    account address alarm answer backup banner basket board button cache calendar camera chart client colour column
    contract cookie customer dashboard database delivery deploy design device dialog discount document domain draft
    editor email error event export feature field file filter folder font footer form header icon image import index
    invoice issue job keyboard label language layout library link list locale log login logo map margin market menu
    message meter migration mobile model module monitor network notice number offer order page panel password payment
    permission photo pipeline plan player plugin price printer profile project query queue rating receipt region
    release report request review role route sample schedule schema screen script search server session setting
    sheet sidebar signal site slide sound stage stock style survey switch table tag task team template test theme
    thread ticket timer title token tool trial update upload user version video view voucher warehouse widget window
"""
_DOINGS = "add align cache change check fix hide link merge move rename reset show sort split sync test widen"
_FORMS = (
    "please {d} the {a} of the {b} so that the {c} stands above the {e}, then {f} the {g} and keep what we chose",
    "could you {d} the {a} again? the {b} of {e} {n} was slower than the {c} that we had before the {g} last week",
    "we {d} the {a} on Thursday because the {b} was late, so {f} the {c} first and tell Ann how the {e} looks now",
    "which {a} did we take for the {b}, and why was the {c} of {e} {n} left out when Ben asked for the {g}?",
    "the {a} broke again after we {d} the {b}; do you remember what helped with {e} {n} and the {c} in spring?",
    "my {a} needs a {b} before Friday, otherwise the {c} cannot {d} and nobody will notice the {e} or the {g}",
    "good, now write a test for {a} {n} which fails when the {b} is empty, and {f} the {c} only if the {e} passes",
    "Cem wants to {d} the {a}, Dan would rather {f} the {b}; I am for the {c}, since {e} and {g} cost half as much",
    "after lunch let us look at the {a} together: {d} it with the {b}, compare {n} runs, then decide on the {c}",
    "remind me that the {a} must never reach the {b} without a {c}, even where the {e} asks for {g} {n}",
    "done: the {a} is online, the {b} took {n} hours, and the {c} will {f} itself as soon as somebody opens the {e}",
    "I think the {a} is too slow; let's {d} the {b} for {n} minutes and see whether the {c} and the {e} get better",
)


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds that single calls took."""

    each: Sequence[float]

    def p(self, percent: int) -> float:
        return statistics.quantiles(self.each, n=100)[percent - 1]

    def __str__(self) -> str:
        return f"p50 {self.p(50):.2f} ms, p95 {self.p(95):.2f} ms"


class Reads(NamedTuple):
    """Milliseconds that reading the last messages took, ours and bare, for the first time and again."""

    first: list[float]
    bare_first: list[float]
    again: list[float]
    bare: list[float]
    whole: list[float]


def run() -> list[tuple[str, str, str]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = Path(shutil.copy(kept_store(), folder / "store.db"))
        os.sync()
        with opened(path) as store:
            chance = random.Random(2)
            appended, bare = appends(store, folder / "bare.db", _USERS, chance)
            read = reads(store, path, _USERS, chance, _LAST)
            found = searches(store, _USERS, chance)
            nearest = [row for number in _VECTORS for row in _vector_searches(store, number)]
    ratio = [appended.p(p) / bare.p(p) for p in (50, 95)]
    busy = "; less than the insert alone: the disk was busy, this says nothing" if ratio[0] < 1 else ""
    return [
        ("append with index", str(appended), ""),
        ("bare durable insert", str(bare), ""),
        ("append against the bare insert, p50, p95", f"{ratio[0]:.1f}×, {ratio[1]:.1f}×{busy}", "≤ 3×, ≤ 4×"),
        *_read_rows(read),
        ("a user's text search", str(found), "p95 ≤ 10 ms"),
        *nearest,
    ]


def _read_rows(read: Reads) -> list[tuple[str, str, str]]:
    first, bare_first, again, bare, whole = map(Times, read)
    return [
        (f"last {_LAST} messages, read for the first time", str(first), ""),
        ("bare select of the same rows, for the first time", str(bare_first), ""),
        ("the one against the other, p50", f"{first.p(50) / bare_first.p(50):.1f}×", "≤ 2×"),
        (f"last {_LAST} messages, read again as in a chat", str(again), ""),
        ("bare select of the same rows, again", str(bare), ""),
        ("the one against the other, p50", f"{again.p(50) / bare.p(50):.1f}×", "≤ 2×"),
        ("the first against the select read again, p50", f"{first.p(50) / bare.p(50):.1f}×", ""),
        (f"all that was understood of the {_LAST}, once they are read", str(whole), ""),
    ]


# --- a store to measure -------------------------------------------------------------------------------------------


def sentence(chance: random.Random) -> str:
    """Chat of about 25 words."""
    things = {name: chance.choice(_THINGS.split()) for name in "abceg"}
    doings = {name: chance.choice(_DOINGS.split()) for name in "df"}
    return chance.choice(_FORMS).format(**things, **doings, n=chance.randrange(100))


@contextmanager
def opened(path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(str(path), terms_of, durability="full", busy_timeout=timedelta(seconds=30))
    with closing(store):
        yield store


def build(path: Path, users: int, each: int) -> None:
    """A transaction a user. What was understood is that of some hundred real passes, over and over."""
    chance = random.Random(1)
    like, spread = _understood(chance), min(64, each)
    with opened(path) as store:
        for user in range(users):
            with store.transaction(_scope(user)) as tx:
                for n in range(each - spread // 2 + user % (spread + 1)):  # not all equally far along
                    tx.add(_message(chance, n, chance.choice(like)))


def _understood(chance: random.Random) -> list[Message]:
    with anaphora.open(":memory:") as memory:
        heard = [memory.message(memory.hear(sentence(chance)).message_id) for _ in range(300)]
    return [m for m in heard if m is not None]


def _message(chance: random.Random, number: int, like: Message) -> Message:
    conversation = f"c{number // _CONVERSATION}"
    return replace(like, id=f"m-{number}", text=sentence(chance), expanded=None, conversation_id=conversation)


def _scope(user: int) -> Scope:
    return Scope(f"user-{user}", "assistant", "default")


def kept_store() -> Path:
    """The filled store, from an earlier run if there was one."""
    folder = Path(tempfile.gettempdir()) / f"anaphora-benchmarks-{VERSION}-{rows.BATCH}-{_MADE_BY}"
    path = folder / f"{_USERS * _EACH}.db"
    if not path.exists():
        folder.mkdir(mode=0o700, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as name:
            build(Path(name) / "store.db", _USERS, _EACH)
            (Path(name) / "store.db").replace(path)
    return path


# --- measuring ----------------------------------------------------------------------------------------------------


def appends(store: SqliteStore, beside: Path, users: int, chance: random.Random) -> tuple[Times, Times]:
    """Messages of any users, and as many plain inserts of the same text, by turns: noise meets both."""
    db = apsw.Connection(str(beside))
    setup = (
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE messages (id TEXT, at INTEGER, text TEXT)"
    )
    list(db.execute(setup))  # to its end: it stops at each row
    ours, theirs, like = [], [], _understood(chance)
    for n in range(_ROUNDS):
        message = _message(chance, 1_000_000 + n, chance.choice(like))
        ours.append(_timed(_append, store, _scope(chance.randrange(users)), message))
        theirs.append(_timed(db.execute, "INSERT INTO messages VALUES (?, ?, ?)", (message.id, n, message.text)))
    db.close()
    return Times(ours), Times(theirs)


def _append(store: SqliteStore, scope: Scope, message: Message) -> None:
    with store.transaction(scope) as tx:
        tx.add(message)


def reads(store: SqliteStore, path: Path, users: int, chance: random.Random, last: int) -> Reads:
    """The last messages of a conversation, ours and by a bare select, by turns: each reads them for the first time
    through its own connection, then again; and all that was understood of them, which is taken apart when asked for."""
    db = apsw.Connection(str(path))
    db.execute("PRAGMA query_only = ON")
    found = Reads([], [], [], [], [])
    for n, user in enumerate(chance.sample(range(users), min(users, _ROUNDS))):
        scope = _scope(user)
        ours = partial(_last, store.view(scope), last)
        bare = partial(_selected, db, store.scope_number(scope, make=False), last)
        pair: list[tuple[list[float], Callable[[], object]]] = [(found.first, ours), (found.bare_first, bare)]
        for times, call in pair if n % 2 else reversed(pair):
            times.append(_timed(call))
        assert len(ours()) == len(bare()) > 0
        for _ in range(3):
            found.again.append(_timed(ours))
            found.bare.append(_timed(bare))
        records.forget_read()
        found.whole.append(_timed(_understandings, ours()))
    db.close()
    return found


def _last(view: View, last: int) -> list[Message]:
    return view.messages(conversation="c0", last=last)


def _selected(db: apsw.Connection, scope: int | None, last: int) -> list[object]:
    sql = (
        f"SELECT {records.MESSAGE} FROM messages INDEXED BY messages_by_conversation "
        "WHERE scope = ? AND conversation = ? ORDER BY seq DESC LIMIT ?"
    )
    return list(db.execute(sql, (scope, "c0", last)))


def _understandings(messages: Sequence[Message]) -> list[object]:
    return [message.entities for message in messages]


def searches(store: SqliteStore, users: int, chance: random.Random) -> Times:
    """What `recall` asks of a store: the postings of a question's words, and their scores."""
    return Times(
        [_timed(_search, store.view(_scope(chance.randrange(users))), sentence(chance)) for _ in range(_ROUNDS)]
    )


def _search(view: View, question: str) -> object:
    found = view.find(terms_of(question))
    return bm25(found.postings, found.corpus)


def _vector_searches(store: SqliteStore, number: int) -> list[tuple[str, str, str]]:
    """By a process that holds the vectors, for the first time, and with a new one before each search."""
    numbers = np.random.default_rng(1)
    vectors = numbers.standard_normal((number, _DIMENSIONS))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    scope = Scope(f"{number} vectors", "assistant", "default")
    like = Message("m", "user", "", datetime(2025, 11, 3, tzinfo=UTC), "user", "main")
    with store.transaction(scope) as tx:
        added = [tx.add(replace(like, id=f"m-{n}", text=f"message {n}")).seq for n in range(number)]
        tx.put_vectors(_MODEL, {seq: [vector.tolist()] for seq, vector in zip(added, vectors, strict=True)})
    view = store.view(scope)
    search = partial(view.nearest, _MODEL, vectors[1].tolist(), 20)
    first = _timed(search)
    held = [_timed(view.nearest, _MODEL, vectors[n % number].tolist(), 20) for n in range(_ROUNDS)]
    after = []
    for n in range(_ROUNDS // 5):
        with store.transaction(scope) as tx:
            tx.put_vectors(_MODEL, {added[n]: [vectors[n].tolist()]})
        after.append(_timed(search))
    what = f"a user's vector search, {number:,} vectors"
    return [
        (what, str(Times(held)), "p95 ≤ 3 ms" if number == 1000 else ""),
        (f"{what}, a new one before each", str(Times(after)), ""),
        (f"{what}, the first of a process", f"{first:.1f} ms", ""),
    ]


def _timed(call: Callable[..., object], *arguments: object) -> float:
    begun = time.perf_counter()
    call(*arguments)
    return (time.perf_counter() - begun) * 1000
