"""The SQLite store as a file: who may read it, what it refuses, who writes at once, what a crash leaves."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Barrier, Thread
from typing import Any, Literal

import apsw
import pytest

from anaphora.errors import StoreBusy, StoreError, StoreUnreadable, StoreUnwritable
from anaphora.stores.rows import BATCH
from anaphora.stores.sqlite import SqliteStore
from anaphora.testing.conformance import terms_of
from anaphora.testing.samples import OTHER_SCOPES, SCOPE, STEP, add, contents, expect_index, said, write_everything

NOBODY = 65534


@contextmanager
def _opened(
    path: Path, *, durability: Literal["full", "normal"] = "full", busy_timeout: float = 30
) -> Iterator[SqliteStore]:
    store = SqliteStore(str(path), terms_of, durability=durability, busy_timeout=timedelta(seconds=busy_timeout))
    try:
        yield store
    finally:
        store.close()


def _execute(path: Path, sql: str) -> None:
    db = apsw.Connection(str(path))
    db.execute(sql)
    db.close()


def _mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def _ids(store: SqliteStore) -> list[str]:
    return [m.id for m in store.view(SCOPE).messages()]


# --- privacy ------------------------------------------------------------------------------------------------------


@pytest.fixture
def _no_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("_no_umask")
def test_the_store_and_the_folders_made_for_it_are_for_their_owner_alone(tmp_path: Path) -> None:
    there = tmp_path / "there already"
    there.mkdir(mode=0o755)
    path = there / "new" / "newer" / "anaphora.db"
    with _opened(path) as store:
        write_everything(store)
        files = {file.name: _mode(file) for file in path.parent.iterdir()}
    assert files == {"anaphora.db": 0o600, "anaphora.db-wal": 0o600, "anaphora.db-shm": 0o600}
    assert [_mode(path.parent), _mode(path.parent.parent), _mode(there)] == [0o700, 0o700, 0o755]


def test_a_removed_text_is_nowhere_in_the_files_once_they_are_closed(store_path: Path) -> None:
    with _opened(store_path) as store:
        for start in (0, BATCH):
            add(store, *(said(f"m{start + n}", f"swordfish {n}" if n == 7 else "red") for n in range(BATCH)))
        with store.transaction(SCOPE) as tx:
            assert tx.remove(["m7", f"m{BATCH + 7}"]) == 2
    left = [file for file in store_path.parent.glob("anaphora.db*") if b"swordfish" in file.read_bytes()]
    assert (left, store_path.exists()) == ([], True)


# --- what is refused, unharmed ------------------------------------------------------------------------------------


def _garbage(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 64)


def _letter(path: Path) -> None:
    path.write_text("Dear diary,\n" * 20, "utf-8")


def _other_program(path: Path) -> None:
    _execute(path, "CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('x')")


def _other_program_without_tables(path: Path) -> None:
    _execute(path, "PRAGMA application_id = 42")


def _newer_schema(path: Path) -> None:
    with _opened(path) as store:
        write_everything(store)
    _execute(path, "PRAGMA user_version = 999")


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (_garbage, "not a readable store"),
        (_letter, "not a readable store"),
        (_other_program, "another program"),
        (_other_program_without_tables, "another program"),
        (_newer_schema, "newer Anaphora"),
    ],
)
def test_a_file_that_is_no_store_of_ours_is_refused_and_left_as_it_is(
    make: Callable[[Path], None], says: str, store_path: Path
) -> None:
    make(store_path)
    before = store_path.read_bytes()
    with pytest.raises(StoreUnreadable, match=says) as refused, _opened(store_path):
        pass
    assert str(store_path) in str(refused.value)
    assert refused.value.remedy
    assert store_path.read_bytes() == before
    assert sorted(file.name for file in store_path.parent.glob("anaphora.db*")) == ["anaphora.db"]


@pytest.mark.parametrize("left", [0.0005, 0.1, 0.5, 0.9])
def test_a_truncated_store_is_called_damaged_and_left_as_it_is(left: float, store_path: Path) -> None:
    with _opened(store_path) as store:
        add(store, *(said(f"m{n}", f"red button {n} " * 20) for n in range(300)))
    whole = store_path.read_bytes()
    store_path.write_bytes(whole[: int(len(whole) * left)])
    with pytest.raises(StoreUnreadable, match="not a readable store"), _opened(store_path) as store:
        contents(store.view(SCOPE))
    assert store_path.read_bytes() == whole[: int(len(whole) * left)]


@pytest.mark.parametrize(
    ("damage", "read", "what"),
    [
        ("UPDATE messages SET found = x'7b' WHERE id = 'm1'", lambda view: view.message("m1").intents, "message 'm1'"),
        ("UPDATE messages SET found = x'5b5d'", lambda view: [m.importance for m in view.messages()], "message 'm1'"),
        (
            """UPDATE messages SET found = CAST('{"importance": "x"}' AS BLOB)""",
            lambda view: [m.importance for m in view.messages()],
            "message 'm1'",
        ),
        ("UPDATE documents SET body = '{'", lambda view: [d.body for d in view.documents("goal")], "goal 'g1'"),
        ("UPDATE documents SET body = '{'", lambda view: view.document("goal", "g1").body, "goal 'g1'"),
        ("UPDATE events SET data = ''", lambda view: view.events(), "event 1"),
    ],
)
def test_a_damaged_row_is_named(damage: str, read: Callable[[Any], object], what: str, store_path: Path) -> None:
    with _opened(store_path) as store:
        write_everything(store)
        _execute(store_path, damage)
        with pytest.raises(StoreUnreadable, match=what):
            read(store.view(SCOPE))


def test_an_error_that_sqlite_alone_foresaw_is_still_ours(store_path: Path) -> None:
    with _opened(store_path) as store:
        write_everything(store)
        _execute(store_path, "DROP TABLE events")
        with pytest.raises(StoreError, match="no such table: events"):
            store.view(SCOPE).events()
        with pytest.raises(StoreError, match="no such table: events"):
            write_everything(store, OTHER_SCOPES[0])
        assert store.view(OTHER_SCOPES[0]).messages() == []
        assert _ids(store) == ["m1", "m2"]


def test_a_path_that_cannot_be_a_file_is_refused(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear diary", "utf-8")
    for path in (letter / "anaphora.db", letter / "folder" / "anaphora.db", tmp_path):
        with pytest.raises(StoreUnwritable, match="cannot be opened for writing"), _opened(path):
            pass
    assert letter.read_text("utf-8") == "Dear diary"


@contextmanager
def _without_privileges() -> Iterator[None]:
    """The administrator may write everywhere: be nobody for a while."""
    administrator = os.geteuid() == 0
    if administrator:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if administrator:
            os.seteuid(0)


@pytest.mark.parametrize("there", [False, True], ids=["new", "there already"])
def test_a_place_that_may_not_be_written_is_refused_and_left_as_it_is(there: bool) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "anaphora.db"
        if there:
            with _opened(path) as store:
                write_everything(store)
            path.chmod(0o444)
        before = {file.name: file.read_bytes() for file in folder.iterdir()}
        folder.chmod(0o555)
        refused = pytest.raises(StoreUnwritable, match="cannot be opened for writing")
        with _without_privileges(), refused, _opened(path) as store:
            add(store, said("m3"))
        folder.chmod(0o700)
        assert {file.name: file.read_bytes() for file in folder.iterdir()} == before
        assert list(before) == (["anaphora.db"] if there else [])


def test_a_full_disk_is_named_and_nothing_written_before_is_lost(store_path: Path) -> None:
    with _opened(store_path) as store:
        write_everything(store)
        before = contents(store.view(SCOPE))
        with store._reading() as db:
            db.pragma("max_page_count", db.pragma("page_count"))
        with pytest.raises(StoreUnwritable, match="full"):
            add(store, said("m3", "red " * 100_000))
        assert contents(store.view(SCOPE)) == before
        with store._reading() as db:
            db.pragma("max_page_count", 2**30)
        assert add(store, said("m3", "red " * 100_000))[0].seq == 3


# --- what each connection is told ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("durability", "synchronous"), [("full", 2), ("normal", 1)])
def test_durability_decides_whether_each_commit_waits_for_the_disk(
    durability: Literal["full", "normal"], synchronous: int, store_path: Path
) -> None:
    with _opened(store_path, durability=durability) as store, store._reading() as db:
        settings = {name: db.pragma(name) for name in ("synchronous", "journal_mode", "secure_delete")}
    assert settings == {"synchronous": synchronous, "journal_mode": "wal", "secure_delete": 1}


def test_another_connection_sees_a_transaction_only_once_it_is_committed(store_path: Path) -> None:
    with _opened(store_path) as one, _opened(store_path) as two:
        before = contents(two.view(SCOPE))
        with one.transaction(SCOPE) as tx:
            for n in range(BATCH + 1):
                tx.add(said(f"m{n}"))
            tx.put("goal", "g1", {})
            tx.emit(STEP)
            assert contents(two.view(SCOPE)) == before
        assert contents(two.view(SCOPE)) == contents(one.view(SCOPE)) != before


def test_a_transaction_takes_its_turn_with_its_first_statement(store_path: Path) -> None:
    with _opened(store_path) as one, _opened(store_path, busy_timeout=0.01) as two:
        with one.transaction(SCOPE) as tx:
            add(two, said("m1"))
            assert [m.id for m in tx.messages()] == ["m1"]
            with pytest.raises(StoreBusy):
                add(two, said("m2"))
            assert tx.add(said("m3")).seq == 2
        assert _ids(two) == ["m1", "m3"]


def test_a_transaction_that_lost_its_turn_does_not_begin_another(store_path: Path) -> None:
    def write_on(store: SqliteStore) -> None:
        with store.transaction(SCOPE) as tx:
            tx.add(said("m1"))
            with store._reading() as db:
                db.execute("ROLLBACK")  # as SQLite does by itself where a disk fails
            tx.add(said("m2"))

    with _opened(store_path) as store:
        with pytest.raises(StoreError, match="needs a transaction"):
            write_on(store)
        assert _ids(store) == []
        assert add(store, said("m3"))[0].seq == 1


@pytest.mark.parametrize(
    "read", [lambda view: len(view.find(["red"]).postings["red"]), lambda view: view.find(()).corpus.messages]
)
def test_a_search_misses_nothing_while_another_connection_writes_the_index(
    read: Callable[[Any], int], store_path: Path
) -> None:
    with _opened(store_path) as one, _opened(store_path) as two:
        add(one, *(said(f"m{n}", "red") for n in range(BATCH - 1)))

        def write_meanwhile(_: object, sql: str, __: object) -> bool:
            if "FROM messages" in sql and two.view(SCOPE).message("late") is None:
                add(two, said("late", "red"))  # the last of its batch: all of it is indexed now
            return True

        with one._reading() as db:
            db.exec_trace = write_meanwhile
        assert read(one.view(SCOPE)) == BATCH - 1
        assert read(one.view(SCOPE)) == BATCH


# --- several at once ----------------------------------------------------------------------------------------------

OPEN = """
import sys, threading, os
from datetime import timedelta
from anaphora.stores.sqlite import SqliteStore
from anaphora.testing.conformance import terms_of
from anaphora.testing.samples import OTHER_SCOPES, SCOPE, add, said
def opened():
    return SqliteStore(sys.argv[1], terms_of, durability="full", busy_timeout=timedelta(seconds=30))
def wait():
    print("ready", flush=True)
    sys.stdin.readline()
"""
HOLD = """
import sys, apsw
db = apsw.Connection(sys.argv[1])
db.execute(sys.argv[2]).fetchall()
print("ready", flush=True)
sys.stdin.readline()
db.execute("ROLLBACK")
"""
WRITE_100 = """
wait()
store = opened()
for n in range(100):
    add(store, said(f"{sys.argv[2]}{n}", f"red {n}"))
"""
WRITE_ON = """
store = opened()
n = 0
while True:
    print(add(store, said(f"{sys.argv[2]}{n}", f"red button {n}"))[0].id, flush=True)
    n += 1
"""
# Two stores of one file, as two memories in one program have; the parent closes its own while the child goes on.
FORK = """
stores = opened(), opened()
add(stores[0], said("parent"))
to_parent, to_child = os.pipe(), os.pipe()
child = os.fork()
if child == 0:
    for n, store in enumerate(stores):
        add(store, said(f"before {n}"))
    os.write(to_parent[1], b".")
    os.read(to_child[0], 1)
    for n, store in enumerate(stores):
        add(store, said(f"after {n}"))
    os._exit(0)
os.read(to_parent[0], 1)
for n, store in enumerate(stores):
    add(store, said(f"parent {n}"))
    store.close()
os.write(to_child[1], b".")
sys.exit(os.waitpid(child, 0)[1])
"""
FORK_UNDER_WAY = """
store, stop = opened(), threading.Event()
def talk():
    n = 0
    while not stop.is_set():
        add(store, said(f"thread {n}"))
        n += 1
thread = threading.Thread(target=talk)
thread.start()
failed = 0
for n in range(8):
    child = os.fork()
    if child == 0:
        add(store, said(f"child {n}"))
        os._exit(0)
    failed += os.waitpid(child, 0)[1]
stop.set()
thread.join()
sys.exit(failed)
"""


@contextmanager
def _process(code: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """Another Python that runs the code; it is over when the block is."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def _line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def _go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def _end(process: subprocess.Popen[str]) -> int:
    """How it ended; one that hangs is an error, not a test that never ends."""
    return process.wait(timeout=120)


def test_a_store_that_another_process_writes_for_too_long_is_busy(store_path: Path) -> None:
    with _opened(store_path, busy_timeout=0.2) as store:
        write_everything(store)
        before = contents(store.view(SCOPE))
        with _process(HOLD, store_path, "BEGIN IMMEDIATE") as other:
            assert _line(other) == "ready"
            with pytest.raises(StoreBusy, match=r"busy for 0\.2 s") as busy:
                add(store, said("m3"))
            assert "busy_timeout" in str(busy.value)
            assert contents(store.view(SCOPE)) == before
            with _opened(store_path, busy_timeout=0.2) as late:
                assert contents(late.view(SCOPE)) == before
            _go(other)
            assert _end(other) == 0
        assert add(store, said("m3"))[0].seq == 3


@pytest.mark.parametrize("lock", ["BEGIN EXCLUSIVE", "BEGIN; SELECT count(*) FROM sqlite_schema"])
def test_a_store_that_cannot_be_made_in_time_is_busy(lock: str, store_path: Path) -> None:
    with _process(HOLD, store_path, lock) as other:
        assert _line(other) == "ready"
        with pytest.raises(StoreBusy), _opened(store_path, busy_timeout=0.2):
            pass
        _go(other)
        assert _end(other) == 0
    with _opened(store_path) as store:
        assert add(store, said("m1"))[0].seq == 1


def test_many_may_make_the_same_store_at_the_same_moment(tmp_path: Path) -> None:
    for number in range(10):
        path, ready, made = tmp_path / f"{number}" / "anaphora.db", Barrier(6), list[int]()

        def make(path: Path = path, ready: Barrier = ready, made: list[int] = made) -> None:
            ready.wait()
            with _opened(path) as store:
                made.append(add(store, said(f"m{id(store)}"))[0].seq)

        makers = [Thread(target=make) for _ in range(6)]
        for maker in makers:
            maker.start()
        for maker in makers:
            maker.join()
        assert sorted(made) == [1, 2, 3, 4, 5, 6]


def test_two_processes_that_write_at_once_lose_nothing(store_path: Path) -> None:
    with ExitStack() as stack:
        writers = [stack.enter_context(_process(OPEN + WRITE_100, store_path, name)) for name in "ab"]
        assert [_line(writer) for writer in writers] == ["ready", "ready"]
        for writer in writers:
            _go(writer)
        assert [_end(writer) for writer in writers] == [0, 0]
    with _opened(store_path) as store:
        stored = store.view(SCOPE).messages()
        assert [m.seq for m in stored] == list(range(1, 201))
        for name in "ab":
            assert [m.id for m in stored if m.id.startswith(name)] == [f"{name}{n}" for n in range(100)]
        expect_index(store.view(SCOPE))


def test_a_forked_child_may_use_the_stores_that_it_inherited(store_path: Path) -> None:
    with _process(OPEN + FORK, store_path) as parent:
        assert _end(parent) == 0
    with _opened(store_path) as store:
        assert _ids(store) == ["parent", "before 0", "before 1", "parent 0", "parent 1", "after 0", "after 1"]


def test_a_process_may_fork_while_one_of_its_threads_writes(store_path: Path) -> None:
    with _process(OPEN + FORK_UNDER_WAY, store_path) as parent:
        assert _end(parent) == 0
    with _opened(store_path) as store:
        ids = _ids(store)
        assert [id for id in ids if id.startswith("child")] == [f"child {n}" for n in range(8)]
        said_by_thread = [id for id in ids if id.startswith("thread")]
        assert said_by_thread == [f"thread {n}" for n in range(len(said_by_thread))]


def test_what_was_acknowledged_is_there_after_the_writer_was_killed(store_path: Path) -> None:
    acknowledged: list[str] = []
    for number, enough in enumerate((1, 7, 40, BATCH, BATCH + 1)):
        with _process(OPEN + WRITE_ON, store_path, f"{number}-") as writer:
            acknowledged += [_line(writer) for _ in range(enough)]
            writer.kill()
            assert writer.stdout is not None
            acknowledged += writer.stdout.read().splitlines()
        with _opened(store_path) as store:
            stored = store.view(SCOPE).messages()
            assert set(acknowledged) <= {m.id for m in stored}
            assert [m.seq for m in stored] == list(range(1, len(stored) + 1))
            expect_index(store.view(SCOPE))
    assert len(acknowledged) >= 1 + 7 + 40 + BATCH + BATCH + 1
