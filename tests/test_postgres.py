"""The PostgreSQL store, on a real server: it passes the shipped suite and says what the other stores say."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

import anaphora
from anaphora.engine.upkeep import migrate
from anaphora.errors import InputError, MissingExtra, StoreBusy, StoreError, StoreUnreadable, StoreUnwritable
from anaphora.ports import Store
from anaphora.stores import migrations, open_store, postgres_server, shown
from anaphora.stores.memory import MemoryStore
from anaphora.stores.migrations import Migration
from anaphora.stores.postgres import PostgresStore
from anaphora.stores.rows import BATCH
from anaphora.stores.schema import VERSION
from anaphora.stores.sqlite import SqliteStore
from anaphora.testing import FrozenClock, StoreConformance
from anaphora.testing.conformance import terms_of
from anaphora.testing.samples import (
    OTHER_SCOPES,
    SCOPE,
    STEP,
    Expect,
    Stop,
    add,
    contents,
    expect_index,
    said,
    talk,
    write_everything,
)


@contextmanager
def _opened(url: str, busy_timeout: float = 10) -> Iterator[PostgresStore]:
    store = PostgresStore(url, terms_of, busy_timeout=timedelta(seconds=busy_timeout))
    try:
        yield store
    finally:
        store.close()


def _execute(url: str, *statements: str) -> None:
    with psycopg.connect(url, autocommit=True) as db:
        for statement in statements:
            db.execute(statement.encode())


def _name(url: str) -> str:
    return str(conninfo_to_dict(url)["dbname"])


@pytest.mark.requirement("G4")
class TestPostgresStore(StoreConformance):
    @pytest.fixture
    def store(self, postgres_url: str) -> Iterator[Store]:
        with _opened(postgres_url) as opened:
            yield opened


# --- the same as elsewhere ----------------------------------------------------------------------------------------


@pytest.fixture
def all_stores(postgres_url: str, store_path: Path) -> Iterator[list[Store]]:
    """The reference, SQLite and PostgreSQL, all empty."""
    sqlite = SqliteStore(str(store_path), terms_of, durability="normal", busy_timeout=timedelta(seconds=10))
    with _opened(postgres_url) as postgres:
        yield [MemoryStore(terms_of), sqlite, postgres]
    sqlite.close()


def _change(store: Store, seed: int) -> list[object]:
    """Changes of every kind, drawn by lot; what they returned."""
    lot, said_back = random.Random(seed), list[object]()
    for n in range(BATCH * 3):
        with store.transaction(SCOPE) as tx:
            said_back.append(tx.add(said(f"m{n}", talk(lot.randrange(20)), conversation_id=f"c{n % 3}")))
            there = f"m{lot.randrange(n + 1)}"
            if lot.random() < 0.2 and tx.message(there):
                tx.replace(said(there, f"changed {talk(n)}"))
            if lot.random() < 0.1:
                said_back.append(tx.remove([there, "never"]))
            if lot.random() < 0.2:
                said_back.append(tx.put("goal", f"g{lot.randrange(4)}", {"n": n, "text": "50 % of it?"}))
            if lot.random() < 0.1:
                said_back.append(tx.drop("goal", f"g{lot.randrange(4)}"))
            said_back.append(tx.emit(STEP))
            if n % 50 == 49:
                tx.blank([1, n, 4000])
    return said_back


@pytest.mark.parametrize("seed", range(2))
def test_the_same_changes_leave_the_same_in_every_store(seed: int, all_stores: list[Store]) -> None:
    returned = [_change(store, seed) for store in all_stores]
    assert returned[1] == returned[2] == returned[0]
    left = [contents(store.view(SCOPE)) for store in all_stores]
    assert left[1] == left[2] == left[0]
    assert [store.verify() for store in all_stores] == [[], [], []]


def _vectors(count: int, size: int) -> dict[int, list[float]]:
    """Unit vectors, every fifth of which is one that was there before."""
    lot = random.Random(count)
    drawn: dict[int, list[float]] = {}
    for seq in range(1, count + 1):
        values = drawn[seq - 3] if seq % 5 == 0 else [lot.gauss(0, 1) for _ in range(size)]
        length = sum(v * v for v in values) ** 0.5
        drawn[seq] = [v / length for v in values]
    return drawn


def test_every_store_finds_the_same_neighbours(all_stores: list[Store]) -> None:
    vectors = _vectors(120, 64)
    found = []
    for store in all_stores:
        add(store, *(said(f"m{n}") for n in range(1, 131)))
        with store.transaction(SCOPE) as tx:
            tx.put_vectors("one", {n: [v] for n, v in (vectors | {4000: vectors[1]}).items()})
            tx.put_vectors("one", {121: [[1.0, 0.0]]})  # of another length: never a neighbour
            tx.put_vectors("two", {7: [vectors[8]]})
            tx.remove(["m11"])
            tx.replace(said("m12", "other words have another meaning"))
        view = store.view(SCOPE)
        found.append([{near.seq: near.score for near in view.nearest("one", vectors[n], 200)} for n in range(1, 30)])
        assert [hit[0] for hit in view.nearest("two", vectors[8], 5)] == [7]
        assert view.nearest("one", vectors[1], 0) == view.nearest("three", vectors[1], 5) == []
        assert store.view(OTHER_SCOPES[0]).nearest("one", vectors[1], 5) == []
        assert [m.seq for m in view.without_vector("one", 3)] == [130, 129, 128]
        assert [m.seq for m in view.without_vector("one", 200)] == [*range(130, 121, -1), 12]
        assert store.verify() == []
    for scores in zip(*found, strict=True):
        assert scores[1] == pytest.approx(scores[0], abs=1e-6)
        assert scores[2] == pytest.approx(scores[0], abs=1e-6)
        in_order = [scores[0][seq] for seq in scores[2]]  # but for what half precision cannot tell apart
        assert in_order == pytest.approx(sorted(in_order, reverse=True), abs=1e-6)


def test_of_equal_neighbours_the_newest_comes_first(postgres_url: str) -> None:
    with _opened(postgres_url) as store:
        add(store, *(said(f"m{n}") for n in range(1, 41)))
        with store.transaction(SCOPE) as tx:
            tx.put_vectors("one", {seq: [[0.6, 0.8] if seq % 2 else [0.8, 0.6]] for seq in range(1, 41)})
        hits = store.view(SCOPE).nearest("one", [0.8, 0.6], 23)
    assert [near.seq for near in hits] == [*range(40, 0, -2), 39, 37, 35]


def test_a_memory_hears_recalls_and_builds_a_context_as_in_sqlite(postgres_url: str, clock: FrozenClock) -> None:
    told = []
    for place in ("anaphora.db", postgres_url):
        with anaphora.open(place, clock=FrozenClock(clock())) as memory:
            memory.hear("Build a login page with a red button", id="m1")
            memory.say("The login page has a red button now.", id="m2")
            turn = memory.hear("Make it blue, that is decided", id="m3")
            hits = [(hit.message_id, hit.score, hit.why) for hit in memory.recall("which colour has the button?")]
            context = memory.context("What about the button?", 200)
            told.append((turn.expanded, hits, context.text, context.tokens, memory.verify()))
    assert told[1] == told[0]
    assert "login page" in told[1][0]
    assert "m1" in [hit[0] for hit in told[1][1]]
    assert told[1][-1] == []


def test_a_store_may_be_moved_there_and_back(postgres_url: str, all_stores: list[Store]) -> None:
    _, sqlite, postgres = all_stores
    _change(sqlite, seed=5)
    with sqlite.transaction(SCOPE) as tx:
        tx.put_vectors("one", {m.seq: [[0.1, 0.7, -0.7]] * (1 + m.seq % 2) for m in tx.messages(last=20)})
    write_everything(sqlite, OTHER_SCOPES[0])
    back = SqliteStore("back.db", terms_of, durability="normal", busy_timeout=timedelta(seconds=10))
    migrate(sqlite, postgres)
    migrate(postgres, back)
    views = [[contents(store.view(scope)) for scope in store.scopes()] for store in (sqlite, postgres, back)]
    assert views[1] == views[2] == views[0]
    nearest = [store.view(SCOPE).nearest("one", [0.1, 0.7, -0.7], 5) for store in (sqlite, postgres, back)]
    assert [[near[:2] for near in hits] for hits in nearest] == [[near[:2] for near in nearest[0]]] * 3
    assert len(nearest[0]) == 5
    assert postgres.verify() == []
    back.close()


def test_a_memory_is_still_there_when_it_is_opened_again(postgres_url: str) -> None:
    with _opened(postgres_url) as store:
        write_everything(store)
        before = contents(store.view(SCOPE))
    with _opened(postgres_url.replace("postgresql://", "postgres://")) as store:
        assert contents(store.view(SCOPE)) == before
        assert store.scopes() == [SCOPE]
        assert store.verify() == []


# --- several at once ----------------------------------------------------------------------------------------------

OPEN = """
import os, sys
from datetime import timedelta
from anaphora.errors import StoreInterrupted
from anaphora.stores.postgres import PostgresStore
from anaphora.testing.conformance import terms_of
from anaphora.testing.samples import OTHER_SCOPES, SCOPE, add, said
def opened():
    return PostgresStore(sys.argv[1], terms_of, busy_timeout=timedelta(seconds=30))
"""
WRITE_100 = """
print("ready", flush=True)
sys.stdin.readline()
store = opened()
for n in range(100):
    add(store, said(f"{sys.argv[2]}{n}", f"red {n}"), scope=(SCOPE, *OTHER_SCOPES)[int(sys.argv[3])])
"""
FORK = """
def session(store):
    return store.select("SELECT pg_backend_pid()", ())
store = opened()
add(store, said("before"))
mine = session(store)
child = os.fork()
if child == 0:
    add(store, said("child"))
    sys.exit(session(store) == mine)
failed = os.waitpid(child, 0)[1]
add(store, said("after"))
sys.exit(failed or session(store) != mine)
"""
FORK_WITHIN = """
store = opened()
try:
    with store.transaction(SCOPE) as tx:
        tx.add(said("before"))
        child = os.fork()
        if child:
            failed = os.waitpid(child, 0)[1]
            tx.add(said("after"))
except StoreInterrupted:
    sys.exit(child != 0)  # the transaction is the parent's, who goes on with it
sys.exit(failed)
"""


@contextmanager
def _process(code: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """Another Python that runs the code; it is over when the block is."""
    command = [sys.executable, "-c", OPEN + code, *map(str, arguments)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def _line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def _end(process: subprocess.Popen[str]) -> tuple[int, str]:
    """How it ended and what it complained of; one that hangs is an error, not a test that never ends."""
    _, complaint = process.communicate("go\n", timeout=60)
    return process.returncode, complaint


@pytest.mark.parametrize("numbers", [(0, 0), (0, 1)], ids=["one scope", "two scopes"])
def test_two_processes_lose_and_double_nothing(numbers: tuple[int, int], postgres_url: str) -> None:
    with ExitStack() as stack:
        starts = enumerate(numbers)
        writers = [stack.enter_context(_process(WRITE_100, postgres_url, "ab"[n], number)) for n, number in starts]
        assert [_line(writer) for writer in writers] == ["ready"] * 2
        for writer in writers:
            assert writer.stdin is not None
            writer.stdin.write("go\n")
            writer.stdin.flush()
        assert [_end(writer) for writer in writers] == [(0, "")] * 2
    with _opened(postgres_url) as store:
        assert store.verify() == []
        scopes = dict.fromkeys((SCOPE, *OTHER_SCOPES)[number] for number in numbers)
        stored = [m for scope in scopes for m in store.view(scope).messages()]
        assert sorted(m.id for m in stored) == sorted(f"{who}{n}" for who in "ab" for n in range(100))
        assert sorted(m.seq for m in stored) == sorted(n for _ in scopes for n in range(1, 1 + 200 // len(scopes)))
        for scope in scopes:
            expect_index(store.view(scope))


def test_many_may_make_the_same_store_at_the_same_moment(postgres_url: str) -> None:
    ready, made = Barrier(6), list[int]()

    def make() -> None:
        ready.wait()
        with _opened(postgres_url) as store:
            made.append(add(store, said(f"m{id(store)}"))[0].seq)

    makers = [Thread(target=make) for _ in range(6)]
    for maker in makers:
        maker.start()
    for maker in makers:
        maker.join()
    assert sorted(made) == [1, 2, 3, 4, 5, 6]


def test_writers_of_one_scope_take_turns_across_connections(postgres_url: str) -> None:
    def count_up() -> None:
        with _opened(postgres_url) as store:
            for _ in range(25):
                with store.transaction(SCOPE) as tx:
                    known = tx.document("count", "c")
                    tx.put("count", "c", {"value": 1 if known is None else known.body["value"] + 1})

    writers = [Thread(target=count_up) for _ in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    with _opened(postgres_url) as store:
        assert [d.body for d in store.view(SCOPE).documents("count")] == [{"value": 100}]


def test_a_writer_holds_up_its_own_scope_alone_and_for_no_longer_than_asked(postgres_url: str) -> None:
    with _opened(postgres_url) as one, _opened(postgres_url, busy_timeout=0.2) as two:
        with one.transaction(SCOPE) as tx:
            tx.add(said("m1"))
            assert add(two, said("m1"), scope=OTHER_SCOPES[0])[0].seq == 1
            assert two.view(SCOPE).messages() == []
            with pytest.raises(StoreBusy, match=r"busy for 0\.2 s") as busy:
                add(two, said("m2"))
            assert "busy_timeout" in str(busy.value)
        assert add(two, said("m2"))[0].seq == 2


def test_a_store_that_cannot_be_made_in_time_is_busy(postgres_url: str) -> None:
    with psycopg.connect(postgres_url) as other:
        other.execute("SELECT pg_advisory_xact_lock(%s)", (int.from_bytes(b"Anaphora", "big"),))
        with pytest.raises(StoreBusy), _opened(postgres_url, busy_timeout=0.1):
            pass
    with _opened(postgres_url) as store:
        assert add(store, said("m1"))[0].seq == 1


def test_a_search_misses_nothing_while_another_connection_writes_the_index(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with _opened(postgres_url) as one, _opened(postgres_url) as two:
        add(one, *(said(f"m{n}", "red") for n in range(BATCH - 1)))
        select = one.select

        def write_meanwhile(sql: str, values: Any) -> list[Any]:
            if "FROM messages" in sql and two.view(SCOPE).message("late") is None:
                add(two, said("late", "red"))  # the last of its batch: all of it is indexed now
            return select(sql, values)

        monkeypatch.setattr(one, "select", write_meanwhile)
        assert len(one.view(SCOPE).find(["red"]).postings["red"]) == BATCH - 1
        assert len(one.view(SCOPE).find(["red"]).postings["red"]) == BATCH


def test_a_scope_that_another_connection_erased_is_empty_and_may_begin_again(postgres_url: str) -> None:
    with _opened(postgres_url) as one, _opened(postgres_url) as two:
        write_everything(one)
        write_everything(one, OTHER_SCOPES[0])
        assert len(two.view(SCOPE).messages()) == 2
        with one.transaction(SCOPE) as tx:
            tx.erase()
            assert tx.messages() == []
            assert tx.add(said("anew")).seq == 1
        assert [m.id for m in two.view(SCOPE).messages()] == ["anew"]
        with one.transaction(SCOPE) as tx:
            tx.erase()
        assert two.view(SCOPE).messages() == []
        assert two.scopes() == [OTHER_SCOPES[0]]
        assert add(two, said("m1"))[0].seq == 1
        assert two.verify() == []


def test_a_transaction_that_writes_nothing_leaves_no_scope(postgres_url: str) -> None:
    with _opened(postgres_url) as store:
        with store.transaction(SCOPE) as tx:
            assert tx.messages() == []
        assert store.scopes() == []


def test_transactions_are_not_nested(postgres_url: str) -> None:
    with _opened(postgres_url) as store:
        with store.transaction(SCOPE) as tx:
            tx.add(said("m1"))
            with pytest.raises(StoreError, match="open already"), store.transaction(OTHER_SCOPES[0]):
                pass
            with pytest.raises(StoreError, match="is open"):
                store.scrub()
        assert [m.id for m in store.view(SCOPE).messages()] == ["m1"]


@pytest.mark.parametrize(
    ("code", "ids"), [(FORK, ["before", "child", "after"]), (FORK_WITHIN, ["before", "after"])], ids=["idle", "within"]
)
def test_a_forked_child_leaves_the_connection_to_its_parent(code: str, ids: list[str], postgres_url: str) -> None:
    with _process(code, postgres_url) as process:
        assert _end(process)[0] == 0
    with _opened(postgres_url) as store:
        assert [m.id for m in store.view(SCOPE).messages()] == ids


# --- what is refused ----------------------------------------------------------------------------------------------


def test_a_schema_of_a_newer_version_is_refused(postgres_url: str) -> None:
    with _opened(postgres_url) as store:
        write_everything(store)
        before = contents(store.view(SCOPE))
        _execute(postgres_url, "UPDATE anaphora.anaphora_meta SET version = 999")
        with pytest.raises(StoreUnreadable, match="newer Anaphora") as refused, _opened(postgres_url):
            pass
        assert "Install a newer Anaphora" in str(refused.value)
        with pytest.raises(StoreUnreadable, match="newer Anaphora"):
            add(store, said("m3"))
        assert contents(store.view(SCOPE)) == before


def test_a_schema_of_an_older_version_is_brought_up_to_date(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with _opened(postgres_url) as store:
        write_everything(store)
        before = contents(store.view(SCOPE))
    step = Migration(VERSION + 1, lambda dialect: [f"ALTER TABLE messages ADD COLUMN weight {dialect.integer}"])
    monkeypatch.setattr(migrations, "MIGRATIONS", (step,))
    monkeypatch.setattr(postgres_server, "VERSION", VERSION + 1)
    for _ in range(2):
        with _opened(postgres_url) as store:
            assert contents(store.view(SCOPE)) == before
            assert store.select("SELECT version FROM anaphora_meta", ()) == [(VERSION + 1,)]
            assert store.select("SELECT weight FROM messages", ()) == [(None,)] * 2


def test_a_schema_of_another_program_is_refused_and_left_as_it_is(postgres_url: str) -> None:
    _execute(postgres_url, "CREATE SCHEMA anaphora", "CREATE TABLE anaphora.bookmarks (url TEXT)")
    with pytest.raises(StoreUnreadable, match="another program"), _opened(postgres_url):
        pass
    with psycopg.connect(postgres_url) as db:
        tables = db.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'anaphora'").fetchall()
    assert tables == [("bookmarks",)]


def test_the_extension_is_found_wherever_it_is_kept(postgres_url: str) -> None:
    _execute(postgres_url, 'CREATE SCHEMA "kept apart"', 'CREATE EXTENSION vector SCHEMA "kept apart"')
    with _opened(postgres_url) as store:
        add(store, said("m1"))
        with store.transaction(SCOPE) as tx:
            tx.put_vectors("one", {1: [[0.6, 0.8]]})
        [near] = store.view(SCOPE).nearest("one", [1.0, 0.0], 1)
        assert (near.seq, near.piece, round(near.score, 2)) == (1, 0, 0.6)


def test_a_database_that_cannot_hold_every_text_is_refused(postgres_url: str) -> None:
    name = f"{_name(postgres_url)}_latin"
    _execute(postgres_url, f"CREATE DATABASE {name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    url = postgres_url.replace(name.removesuffix("_latin"), name)
    with pytest.raises(StoreError, match="LATIN1"), _opened(url):
        pass
    _execute(postgres_url, f"DROP DATABASE {name}")


def _pass_over_an_error(store: Store) -> None:
    with store.transaction(SCOPE) as tx:
        tx.add(said("m3"))
        with suppress(StoreError):
            tx.emit(STEP)


def test_an_error_that_the_server_alone_foresaw_is_ours_and_takes_all_back(postgres_url: str) -> None:
    with _opened(postgres_url) as store:
        write_everything(store)
        _execute(postgres_url, "DROP TABLE anaphora.events")
        with pytest.raises(StoreError, match='relation "events" does not exist'):
            store.view(SCOPE).events()
        with pytest.raises(StoreError, match="a part of it failed"):
            _pass_over_an_error(store)
        assert [m.id for m in store.view(SCOPE).messages()] == ["m1", "m2"]


def test_what_was_changed_behind_its_back_is_named(postgres_url: str) -> None:
    with _opened(postgres_url) as store:
        write_everything(store)
        _execute(postgres_url, "UPDATE anaphora.messages SET text = 'a green button' WHERE id = 'm1'")
        assert store.verify(SCOPE) == ["alice/helper/web: message 'm1' does not match its checksum"]
        assert store.verify(OTHER_SCOPES[0]) == []


def test_a_database_that_only_reads_is_named(postgres_url: str) -> None:
    _execute(postgres_url, f"ALTER DATABASE {_name(postgres_url)} SET default_transaction_read_only = on")
    with pytest.raises(StoreUnwritable, match=r"cannot be written: .* read-only"), _opened(postgres_url):
        pass


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://alice:hunter2/x@host/db",
        "postgresql://alice:hunter2@x@host/db",
        "postgresql://alice:12/hunter2@host/db",
        "postgresql://alice:hunter2@[host/db",
        "postgresql://host/db?pasword=hunter2",
        "mysql://alice:hunter2@host/db",
    ],
)
def test_a_url_that_cannot_be_read_is_refused_without_showing_it(url: str) -> None:
    with pytest.raises(InputError) as refused:
        open_store(url, terms_of=terms_of, durability="full", busy_timeout=timedelta(seconds=1))
    assert "hunter2" not in str(refused.value)
    assert refused.value.remedy
    assert refused.value.__cause__ is None


@pytest.mark.parametrize(
    ("place", "seen"),
    [
        ("anaphora.db", "anaphora.db"),
        (":memory:", ":memory:"),
        ("postgresql://host:5432/db", "postgresql://host:5432/db"),
        ("postgresql://alice:hunter2@host/db", "postgresql://host/db"),
        ("postgresql://alice:x@hunter2@host/db", "postgresql://host/db"),
        ("postgresql://alice:x/?hunter2@host/db?sslmode=require", "postgresql://host/db"),
        ("postgresql://host/db?password=hunter2", "postgresql://host/db"),
        ("postgresql://host/db?password=x@hunter2", "postgresql://…"),
        ("mysql://alice:hunter2@host/db", "mysql://host/db"),
    ],
)
def test_a_place_is_shown_without_its_password(place: str, seen: str) -> None:
    assert shown(place) == seen


def test_a_missing_driver_is_named_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    for name in ("postgres", "postgres_server"):
        monkeypatch.delitem(sys.modules, f"anaphora.stores.{name}")
    with pytest.raises(MissingExtra, match=r"pip install 'anaphora\[postgres\]'"):
        anaphora.open("postgresql://host/db")


@pytest.mark.parametrize("raised", [Stop, KeyboardInterrupt])
def test_the_connection_is_kept_when_a_block_raises(raised: type[BaseException], postgres_url: str) -> None:
    with _opened(postgres_url) as store:
        before = store.select("SELECT pg_backend_pid()", ())
        with Expect(raised), store.transaction(SCOPE) as tx:
            tx.add(said("m1"))
            raise raised
        assert store.select("SELECT pg_backend_pid()", ()) == before
        assert store.scopes() == []
