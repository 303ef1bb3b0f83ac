"""The schema and its steps: every version is frozen, an old store is upgraded once, and a failure harms nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import apsw
import psycopg
import pytest

import anaphora
from anaphora.errors import StoreError, StoreUnreadable, StoreUnwritable
from anaphora.memory import terms
from anaphora.stores import migrations, schema, sqlite_files
from anaphora.stores.backups import known_backups
from anaphora.stores.migrations import Migration, pending
from anaphora.stores.postgres import PostgresStore
from anaphora.stores.schema import Dialect
from anaphora.stores.sqlite import SqliteStore
from anaphora.testing.conformance import terms_of
from anaphora.testing.samples import SCOPE, add, contents, said, write_everything

FIXTURES = Path(__file__).parent / "fixtures"
VERSIONS = sorted(int(file.name.split("-")[1].split(".")[0]) for file in FIXTURES.glob("schema-*.sqlite.sql"))
NEXT = schema.VERSION + 1
PINNED = "ALTER TABLE messages ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0"


def _sqlite(path: Path) -> SqliteStore:
    return SqliteStore(str(path), terms_of, durability="normal", busy_timeout=timedelta(seconds=30))


def _execute(path: Path, sql: str) -> list[tuple[object, ...]]:
    db = apsw.Connection(str(path))
    try:
        return list(db.execute(sql))
    finally:
        db.close()


def _schema(path: Path) -> list[tuple[object, ...]]:
    """What there is; a statement is the same however it is laid out."""
    rows = _execute(path, "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name")
    return [(*row[:3], " ".join(str(row[3]).split())) for row in rows]


def _version(path: Path) -> object:
    return _execute(path, "PRAGMA user_version")[0][0]


@pytest.fixture(params=VERSIONS)
def frozen(store_path: Path, request: pytest.FixtureRequest) -> Path:
    """A store as a released schema wrote it."""
    _execute(store_path, (FIXTURES / f"schema-{request.param}.sqlite.sql").read_text("utf-8"))
    return store_path


# --- every version ------------------------------------------------------------------------------------------------


def test_every_version_is_frozen() -> None:
    assert list(VERSIONS) == list(range(1, schema.VERSION + 1))


def test_the_schema_is_that_of_its_frozen_version(tmp_path: Path) -> None:
    frozen, fresh = tmp_path / "frozen.db", tmp_path / "fresh.db"
    _execute(frozen, (FIXTURES / f"schema-{schema.VERSION}.sqlite.sql").read_text("utf-8"))
    _sqlite(fresh).close()
    assert _schema(fresh) == _schema(frozen), "a change of the schema needs a new version and a step that leads to it"


def test_an_old_store_becomes_what_a_new_one_is(frozen: Path, tmp_path: Path) -> None:
    for path in (frozen, tmp_path / "fresh.db"):
        _sqlite(path).close()
    assert _schema(frozen) == _schema(tmp_path / "fresh.db")
    assert _version(frozen) == schema.VERSION


def test_a_store_of_any_version_is_read_as_it_was_written(frozen: Path) -> None:
    with anaphora.open(frozen, user="ada") as memory:
        assert [m.text for c in memory.conversations() for m in memory.conversation(c.id).messages][:4] == [
            "I want to add a FAB button",
            "Make it purple",
            "Done: the FAB button is purple now.",
            "Actually, let's work on dark mode first",
        ]
        assert [c.title for c in memory.conversations()] == ["FAB Button", "Dark Mode"]
        purple = memory.message("m-2")
        assert purple is not None
        assert purple.expanded == "Make the FAB button purple"
        assert [(r.mention, r.referent) for r in purple.references] == [("it", "FAB button")]
        assert [goal.text for goal in memory.state.goals] == ["add a FAB button", "Write tests"]
        assert memory.events()[0].at == datetime(2025, 11, 3, 14, 20, tzinfo=UTC)
    store = _sqlite(frozen)
    ada, bob = store.scopes()
    assert (ada.user, bob.user) == ("ada", "bob")
    assert [m.text for m in store.view(bob).messages()] == ["Größe ändern, please"]
    [near] = store.view(ada).nearest("toy", [1.0, 0.0], 1)
    assert (near.seq, near.score) == (2, 1.0)
    store.close()


def test_a_store_of_any_version_is_whole_and_can_be_written_to(frozen: Path) -> None:
    store = SqliteStore(str(frozen), terms.terms_of, durability="normal", busy_timeout=timedelta(seconds=30))
    for scope in store.scopes():
        with store.transaction(scope) as tx:
            tx.put_vectors("toy", {added.seq: [[0.8, 0.6]] for added in [tx.add(said("m-new"))]})
            for message in tx.messages():
                tx.replace(message)
    assert store.verify() == []
    store.close()
    with anaphora.open(frozen) as memory:
        assert memory.verify() == []
    assert _execute(frozen, "SELECT count(*) FROM deletions") == [(1,)]


def test_in_postgresql_too_an_old_store_becomes_what_a_new_one_is(postgres_url: str) -> None:
    columns = (
        "SELECT table_name, column_name, data_type, is_nullable, column_default, attstattarget "
        "FROM information_schema.columns JOIN pg_attribute ON attname = column_name "
        "AND attrelid = ('anaphora.' || table_name)::regclass WHERE table_schema = 'anaphora' ORDER BY 1, 2"
    )
    indexes = "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'anaphora' ORDER BY 1"
    made = []
    for old in (False, True):
        with psycopg.connect(postgres_url, autocommit=True) as db:
            db.execute("DROP SCHEMA IF EXISTS anaphora CASCADE")
            db.execute("DROP EXTENSION IF EXISTS vector CASCADE")
            if old:
                db.execute((FIXTURES / "schema-1.postgres.sql").read_bytes())
            store = PostgresStore(postgres_url, terms.terms_of, busy_timeout=timedelta(seconds=10))
            made.append([db.execute(sql.encode()).fetchall() for sql in (columns, indexes)])
            if old:
                ada, _ = store.scopes()
                assert [(n.seq, n.piece) for n in store.view(ada).nearest("toy", [1.0, 0.0], 9)] == [(2, 0), (1, 0)]
                assert store.view(ada).messages()[1].references[0].referent == "FAB button"
                with store.transaction(ada) as tx:
                    tx.put_vectors("toy", {1: [[0.0, 1.0], [1.0, 0.0]]})
                assert store.verify() == []
            store.close()
    assert made[1] == made[0]


def test_the_steps_lead_from_version_1_to_the_current_one() -> None:
    assert [step.version for step in pending(1, schema.VERSION)] == list(range(2, schema.VERSION + 1))


# --- the way to a next version ------------------------------------------------------------------------------------


def _as_they_are(statements: Sequence[str], _: Dialect) -> Sequence[str]:
    return statements


def _next(monkeypatch: pytest.MonkeyPatch, *steps: Sequence[str]) -> None:
    """Let there be later versions than there are."""
    made = [Migration(number, partial(_as_they_are, step)) for number, step in enumerate(steps, schema.VERSION + 1)]
    monkeypatch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, *made))
    monkeypatch.setattr(sqlite_files, "VERSION", schema.VERSION + len(steps))


def test_an_old_store_is_brought_up_to_date_when_it_is_opened(
    store_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = _sqlite(store_path)
    write_everything(store)
    before = contents(store.view(SCOPE))
    store.close()
    _next(monkeypatch, [PINNED], ["CREATE TABLE tags (tag TEXT)", "INSERT INTO tags VALUES ('new')"])
    store = _sqlite(store_path)
    assert contents(store.view(SCOPE)) == before
    assert add(store, said("m3"))[0].seq == 3
    assert store.verify() == []
    assert store.select("SELECT DISTINCT pinned, tag FROM messages, tags", ()) == [(0, "new")]
    store.close()
    assert _version(store_path) == schema.VERSION + 2


def test_before_an_upgrade_the_store_is_copied_and_the_copy_is_private_and_noted(
    store_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = _sqlite(store_path)
    write_everything(store)
    before = contents(store.view(SCOPE))
    store.close()
    with monkeypatch.context() as later:
        _next(later, [PINNED], ["CREATE TABLE tags (tag TEXT)"])
        _sqlite(store_path).close()
    copies = sorted(file.name for file in store_path.parent.glob("anaphora.db.before*"))
    copy = store_path.with_name(f"anaphora.db.before-schema-{schema.VERSION + 1}")
    assert copies == [copy.name]
    assert copy.stat().st_mode & 0o777 == 0o600
    assert [backup.path for backup in known_backups(store_path)] == [copy]
    old = _sqlite(copy)
    assert contents(old.view(SCOPE)) == before
    assert old.verify() == []
    old.close()


def test_what_a_killed_upgrade_left_of_its_copy_is_taken_away_by_the_next(
    store_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _sqlite(store_path).close()
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    left = [store_path.with_name(f".anaphora.db.before-schema-{NEXT}.{ended.pid}.tmp{end}") for end in ("", "-journal")]
    at_work = store_path.with_name(f".anaphora.db.before-schema-{NEXT}.{os.getppid()}.tmp")
    for file in (*left, at_work):
        file.write_text("half of what was said")
    _next(monkeypatch, [PINNED])
    _sqlite(store_path).close()
    assert [file.exists() for file in (*left, at_work)] == [False, False, True]


@pytest.mark.parametrize(
    "bad", ["CREATE TABLE messages (x)", "INSERT INTO deletions (scope, seq) VALUES (99, 1)", "No SQL at all"]
)
def test_a_step_that_fails_leaves_the_store_as_it_was_and_says_so(
    bad: str, store_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = _sqlite(store_path)
    write_everything(store)
    before = contents(store.view(SCOPE))
    store.close()
    tables = _schema(store_path)
    with monkeypatch.context() as later:
        _next(later, [PINNED, bad])
        with pytest.raises(StoreError, match=rf"from schema {schema.VERSION} to {NEXT}: .* left as it was") as failed:
            _sqlite(store_path)
        assert f"before-schema-{NEXT}" in str(failed.value)
    assert (_version(store_path), _schema(store_path)) == (schema.VERSION, tables)
    store = _sqlite(store_path)
    assert contents(store.view(SCOPE)) == before
    store.close()


def test_a_second_step_that_fails_leaves_the_first_one_done(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _sqlite(store_path).close()
    _next(monkeypatch, [PINNED], ["CREATE TABLE messages (x)"])
    for _ in range(2):
        with pytest.raises(StoreError, match=f"from schema {NEXT} to {NEXT + 1}"):
            _sqlite(store_path)
        assert _version(store_path) == NEXT
    copies = {file.name: _version(file) for file in store_path.parent.glob("anaphora.db.before-schema-?")}
    assert copies == {f"anaphora.db.before-schema-{n}": n - 1 for n in (NEXT, NEXT + 1)}


def test_no_upgrade_is_made_where_the_copy_cannot_be(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _sqlite(store_path).close()
    store_path.with_name(f"anaphora.db.before-schema-{NEXT}").mkdir()
    _next(monkeypatch, [PINNED])
    with pytest.raises(StoreUnwritable, match=rf"copy .*before-schema-{NEXT} could not be written"):
        _sqlite(store_path)
    assert _version(store_path) == schema.VERSION
    assert list(store_path.parent.glob(".*tmp")) == []


def test_a_version_to_which_no_step_leads_is_refused(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _sqlite(store_path).close()
    monkeypatch.setattr(sqlite_files, "VERSION", NEXT + 1)
    with pytest.raises(StoreUnreadable, match=f"no way from schema {schema.VERSION} to {NEXT + 1}"):
        _sqlite(store_path)


def test_a_version_that_no_store_ever_had_is_refused(store_path: Path) -> None:
    _sqlite(store_path).close()
    _execute(store_path, "PRAGMA user_version = -2147483646")
    with pytest.raises(StoreUnreadable, match="no way from schema -2147483646"):
        _sqlite(store_path)


def test_who_has_a_store_open_writes_no_more_once_another_has_upgraded_it(
    store_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = _sqlite(store_path)
    write_everything(old)
    with monkeypatch.context() as later:
        _next(later, [PINNED])
        _sqlite(store_path).close()
    with pytest.raises(StoreUnreadable, match="another schema while it was open"):
        add(old, said("m3"))
    old.close()
    assert _execute(store_path, "SELECT count(*) FROM messages") == [(2,)]


UPGRADE = """
import sys
from datetime import timedelta
from anaphora.stores import migrations, sqlite_files
from anaphora.stores.migrations import Migration
from anaphora.stores.schema import VERSION, Dialect
from anaphora.stores.sqlite import SqliteStore
from anaphora.testing.conformance import terms_of
steps = "CREATE TABLE runs (who TEXT)", "INSERT INTO runs VALUES ('" + sys.argv[2] + "')"
migrations.MIGRATIONS = (Migration(VERSION + 1, lambda _: steps),)
sqlite_files.VERSION = VERSION + 1
print("ready", flush=True)
sys.stdin.readline()
SqliteStore(sys.argv[1], terms_of, durability="full", busy_timeout=timedelta(seconds=30)).close()
"""


def test_processes_that_open_an_old_store_at_once_upgrade_it_once(store_path: Path) -> None:
    store = _sqlite(store_path)
    write_everything(store)
    store.close()
    with ExitStack() as stack:
        command = [sys.executable, "-c", UPGRADE, str(store_path)]
        pipe = subprocess.PIPE
        openers = [
            stack.enter_context(subprocess.Popen([*command, who], text=True, stdin=pipe, stdout=pipe)) for who in "abc"
        ]
        for opener in openers:
            assert opener.stdout is not None
            assert opener.stdout.readline() == "ready\n"
        for opener in openers:
            assert opener.stdin is not None
            opener.stdin.write("go\n")
            opener.stdin.flush()
        assert [opener.wait(timeout=60) for opener in openers] == [0, 0, 0]
    assert _version(store_path) == NEXT
    assert len(_execute(store_path, "SELECT who FROM runs")) == 1
    assert len(known_backups(store_path)) == 1
