"""From one store to another: everything as it is, broken off and gone on with, and never into other data."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import anaphora
from anaphora.engine import upkeep
from anaphora.errors import InputError, StoreUnreadable
from anaphora.interfaces.cli.app import app
from anaphora.ports import Store
from anaphora.settings import Settings
from anaphora.stores import copying
from anaphora.stores.copying import SqlStore, differences
from anaphora.stores.rows import BATCH
from anaphora.testing.conformance import terms_of
from anaphora.testing.samples import OTHER_SCOPES, SCOPE, STEP, TEXTS, add, contents, expect_index, said
from tests.files import execute, opened

TABLES = ("documents", "messages", "(SELECT *, 0 FROM deletions)", "events")


def _canonical(path: Path) -> list[object]:
    return [execute(path, f"SELECT * FROM {table} ORDER BY 1, 2, 3") for table in TABLES]


def _fill(store: Store) -> None:
    for scope in (SCOPE, *OTHER_SCOPES[:2]):
        texts = (*TEXTS, *(f"red button {n}" for n in range(BATCH + 6)))
        add(store, *(said(f"m{n}", text) for n, text in enumerate(texts)), scope=scope)
        with store.transaction(scope) as tx:
            tx.remove(["m9", "m10", f"m{BATCH}"])
            for version in range(3):
                tx.put("goal", "g1", {"text": f"Write tests {version}"})
                tx.put("note", f"n{version}", {})
            tx.drop("note", "n1")
            for _ in range(12):
                tx.emit(STEP)
            tx.put_vectors("toy", {n: [[0.6, 0.8]] * (1 + n % 2) for n in range(1, 20)})
            tx.put_vectors("Other", {n: [[-1e-9 if n % 3 else 0.1, n / 7, -0.5]] for n in range(1, 30)})  # stored as -0


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source.db"
    with opened(path) as store:
        _fill(store)
    return path


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "target.db"


def _migrate(source: Path, target: Path) -> upkeep.Migrated:
    with opened(source) as one, opened(target) as two:
        return upkeep.migrate(one, two)


def expect_same(one: Store, two: Store) -> None:
    """Whatever can be asked of the one, the other answers alike."""
    assert one.scopes() == two.scopes()
    assert isinstance(one, SqlStore)
    assert isinstance(two, SqlStore)
    for scope in one.scopes():
        assert contents(one.view(scope)) == contents(two.view(scope))
        assert differences(one, two, scope) == []
        for model, vector in (("toy", [0.6, 0.8]), ("Other", [0.5, 0.5, -0.5])):
            found = [{n.seq: n.score for n in store.view(scope).nearest(model, vector, 50)} for store in (one, two)]
            assert found[0] == pytest.approx(found[1], abs=1e-3)
            assert len(found[0]) > 10
        expect_index(two.view(scope))
    assert two.verify() == []


# --- a copy -------------------------------------------------------------------------------------------------------


def test_everything_is_copied_as_it_is_and_goes_on_being_written(source: Path, target: Path) -> None:
    done = _migrate(source, target)
    assert (done.scopes, done.rows.deletions, done.rows.vectors, done.moved_on) == (3, 9, 159, False)
    assert _canonical(source) == _canonical(target)
    with opened(source) as one, opened(target) as two:
        expect_same(one, two)
        assert [add(store, said("next"))[0].seq for store in (one, two)] == [BATCH + 14] * 2
        with one.transaction(SCOPE) as tx, two.transaction(SCOPE) as other:
            assert tx.put("note", "n9", {}) == other.put("note", "n9", {})
            assert tx.emit(STEP) == other.emit(STEP)
        expect_same(one, two)
    assert target.stat().st_mode & 0o777 == 0o600


def test_a_second_run_changes_nothing_and_what_came_since_is_added(source: Path, target: Path) -> None:
    first = _migrate(source, target)
    before = _canonical(target)
    assert _migrate(source, target) == first
    assert _canonical(target) == before
    with opened(source) as store:
        add(store, said("later", "a green button"))
        with store.transaction(SCOPE) as tx:
            tx.put("goal", "g1", {"text": "Later"})
            tx.emit(STEP)
    assert _migrate(source, target).rows.messages == first.rows.messages + 1
    assert _canonical(source) == _canonical(target)


def test_progress_is_told_up_to_the_end(source: Path, target: Path) -> None:
    first, second = list[tuple[int, int]](), list[tuple[int, int]]()
    with opened(source) as one, opened(target) as two:
        rows = upkeep.migrate(one, two, lambda *now: first.append(now)).rows.rows
        upkeep.migrate(one, two, lambda *now: second.append(now))
    assert (first, second) == (sorted(first), sorted(second))
    assert first[-1] == second[-1] == (rows, rows)


def test_what_is_written_to_the_source_meanwhile_is_reported_and_copied_the_next_time(
    source: Path, target: Path
) -> None:
    with opened(source) as one, opened(source) as writer, opened(target) as two:

        def meanwhile(done: int, of: int) -> None:
            if writer.view(SCOPE).message("late") is None:
                add(writer, said("late"))

        assert upkeep.migrate(one, two, meanwhile).moved_on
        assert two.view(SCOPE).message("late") is None
        assert not upkeep.migrate(one, two).moved_on
        expect_same(one, two)


# --- broken off ---------------------------------------------------------------------------------------------------

MIGRATE = """
import sys
from datetime import timedelta
from anaphora.engine import upkeep
from anaphora.stores import copying
from anaphora.stores.sqlite import SqliteStore
from anaphora.testing.conformance import terms_of
copying.PAGE = 7
def opened(path):
    return SqliteStore(path, terms_of, durability="full", busy_timeout=timedelta(seconds=30))
calls = 0
def progress(done, of):
    global calls
    calls += 1
    if calls == int(sys.argv[3]):
        print("there", flush=True)
        sys.stdin.readline()
upkeep.migrate(opened(sys.argv[1]), opened(sys.argv[2]), progress)
"""


@pytest.mark.parametrize("stops", [(1, 9, 30), (4, 41, 12), (45, 45, 45)], ids=str)
def test_a_copy_that_was_killed_is_whole_as_far_as_it_goes_and_goes_on(
    stops: tuple[int, ...], source: Path, target: Path
) -> None:
    for stop in stops:
        command = [sys.executable, "-c", MIGRATE, str(source), str(target), str(stop)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as copier:
            assert copier.stdout is not None
            assert copier.stdout.readline() == "there\n"
            copier.kill()
        with opened(source) as one, opened(target) as half:
            assert half.verify() == []
            messages = half.view(SCOPE).messages()
            assert messages == one.view(SCOPE).messages()[: len(messages)]
    _migrate(source, target)
    assert _canonical(source) == _canonical(target)
    with opened(source) as one, opened(target) as two:
        expect_same(one, two)


# --- refused ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (lambda tx: tx.add(said("mine", "my own words")), "message number 1"),
        (lambda tx: tx.emit(STEP.__class__("other", STEP.at, "main")), "event number 1"),
        (lambda tx: tx.put("goal", "g1", {"text": "mine"}), "goal 'g1'"),
        (lambda tx: tx.put("goal", "g7", {"text": "mine"}), "goal 'g7'"),
    ],
)
def test_a_target_that_holds_other_data_is_refused_and_left_as_it_is(
    other: Any, says: str, source: Path, target: Path
) -> None:
    with opened(target) as store, store.transaction(SCOPE) as tx:
        tx.put("note", "n0", {})
        other(tx)
    execute(target, "DELETE FROM documents WHERE kind = 'note'")
    before = _canonical(target)
    with pytest.raises(InputError, match=rf"alice/helper/web already, with other data: {says}") as refused:
        _migrate(source, target)
    assert "empty store" in str(refused.value)
    assert _canonical(target) == before


def test_a_target_that_went_its_own_way_is_refused(source: Path, target: Path) -> None:
    _migrate(source, target)
    with opened(target) as store:
        add(store, said("mine"))
    with pytest.raises(InputError, match="with other data: message number"):
        _migrate(source, target)


def test_what_was_deleted_in_the_source_is_not_taken_for_done(source: Path, target: Path) -> None:
    _migrate(source, target)
    with opened(source) as store, store.transaction(SCOPE) as tx:
        tx.remove(["m2"])
    with pytest.raises(InputError, match="with other data: message number 3"):
        _migrate(source, target)


def test_a_target_may_hold_scopes_that_the_source_has_not(source: Path, target: Path) -> None:
    with opened(target) as store:
        add(store, said("mine"), scope=OTHER_SCOPES[3])
    _migrate(source, target)
    with opened(target) as store:
        assert [m.id for m in store.view(OTHER_SCOPES[3]).messages()] == ["mine"]
        assert store.verify() == []


def test_a_damaged_source_is_not_copied(source: Path, target: Path) -> None:
    execute(source, "UPDATE messages SET text = 'forged' WHERE scope = 1 AND seq = 2")
    with pytest.raises(StoreUnreadable, match=r"The source is damaged: alice/helper/web: message 'm1'"):
        _migrate(source, target)
    with opened(target) as store:
        assert store.scopes() == []


def test_a_store_in_memory_is_neither_source_nor_target(source: Path) -> None:
    with upkeep.opened(Settings(store=":memory:")) as memory, opened(source) as store:
        for one, two in ((memory, store), (store, memory)):
            with pytest.raises(InputError, match="in memory cannot be migrated"):
                upkeep.migrate(one, two)


# --- by command ---------------------------------------------------------------------------------------------------


def _cli(*args: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, args, prog_name="anaphora")
    assert result.exit_code == code, result.output
    return result


def test_the_command_copies_and_says_how_much(tmp_path: Path) -> None:
    with anaphora.open("a.db") as memory:
        memory.hear("Make the button purple")
        events = len(memory.events())
    said_so = _cli("migrate", "a.db", "b.db").stdout
    assert said_so.startswith("Copied 1 scope: 1 message, ")
    assert said_so.endswith(f" documents, {events} events, 0 vectors. Both stores are whole and the same.\n")
    told = json.loads(_cli("migrate", "a.db", "b.db", "--json").stdout)
    assert (told["rows"]["messages"], told["moved_on"]) == (1, False)
    assert "are the same store" in _cli("migrate", "a.db", "./a.db", code=2).stderr
    with anaphora.open("b.db") as memory:
        assert memory.recall("purple")[0].text == "Make the button purple"


def test_the_command_says_when_the_source_moved_on(monkeypatch: pytest.MonkeyPatch) -> None:
    with anaphora.open("a.db") as memory:
        memory.hear("Make the button purple")
    moving = iter([[(1,)], [(2,)]])
    monkeypatch.setattr(upkeep, "marks", lambda _: next(moving))
    assert "run it again" in _cli("migrate", "a.db", "b.db", code=1).stderr


# --- to another kind of store and back ----------------------------------------------------------------------------


def test_a_store_goes_to_postgresql_and_back_unchanged(
    source: Path, target: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    postgres = pytest.importorskip("anaphora.stores.postgres")
    monkeypatch.setattr(copying, "PAGE", 20)
    server = postgres.PostgresStore(postgres_url, terms_of, busy_timeout=timedelta(seconds=10))
    with opened(source) as one, opened(target) as two:
        first = upkeep.migrate(one, server)
        assert upkeep.migrate(one, server) == first
        expect_same(one, server)
        assert upkeep.migrate(server, two) == first
        expect_same(one, two)
        with one.transaction(SCOPE) as tx:
            tx.put("goal", "g1", {"text": "Later"})
        assert upkeep.migrate(one, server) == first
        with server.transaction(SCOPE) as tx:
            tx.add(said("own way"))
        with pytest.raises(InputError, match="with other data"):
            upkeep.migrate(one, server)
    server.close()
    assert _canonical(source)[1:] == _canonical(target)[1:]
