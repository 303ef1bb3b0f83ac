"""Looking after a store: whatever is tampered with is named, what is derived is made anew, copies are whole."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

import anaphora
from anaphora.engine import upkeep
from anaphora.engine.memory import Memory
from anaphora.errors import AnaphoraError, InputError, StoreError, StoreUnwritable
from anaphora.interfaces.cli.app import app
from anaphora.settings import Settings
from anaphora.stores import indexing, rows, sqlite_files
from anaphora.stores.backups import known_backups, list_of_backups, note_backup
from anaphora.stores.rows import BATCH
from anaphora.testing import FrozenClock
from anaphora.testing.samples import OTHER_SCOPES, SCOPE, STEP, add, contents, said
from anaphora.types import Scope
from tests.files import execute, opened

START = datetime(2025, 11, 3, 14, 20, tzinfo=UTC)


def _verified(path: Path) -> list[str]:
    with opened(path) as store:
        return store.verify()


def _cli(*args: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, args, prog_name="anaphora")
    assert result.exit_code == code, result.output
    return result


@pytest.fixture
def full(store_path: Path) -> Path:
    """A store with all kinds of rows, indexed and not yet indexed, some of them deleted; and a second scope."""
    with opened(store_path) as store:
        for scope in (SCOPE, OTHER_SCOPES[0]):
            add(store, *(said(f"m{n}", f"red button {n}") for n in range(1, BATCH + 6)), scope=scope)
            with store.transaction(scope) as tx:
                tx.remove(["m4"])
                tx.put("goal", "g1", {"text": "Write tests"})
                tx.put("goal", "g2", {"text": "Run tests"})
                tx.put("goal", "g1", {"text": "Write more tests"})
                tx.emit(STEP)
                tx.emit(STEP)
                tx.put_vectors("toy", {1: [[0.6, 0.8]], 2: [[1.0, 0.0]]})
        assert store.verify() == []
    return store_path


# --- what is tampered with is named -------------------------------------------------------------------------------

ONE = "scope = 1 AND"
TAMPERED = [
    ("UPDATE messages SET text = 'R' || substr(text, 2) WHERE scope = 1 AND seq = 3", "message 'm3' does not match"),
    ("UPDATE messages SET expanded = 'x' WHERE scope = 1 AND seq = 3", "message 'm3' does not match its checksum"),
    ("UPDATE messages SET at = at + 1 WHERE scope = 1 AND seq = 3", "message 'm3' does not match its checksum"),
    ("UPDATE messages SET speaker = 'eve' WHERE scope = 1 AND seq = 3", "message 'm3' does not match its checksum"),
    ("UPDATE messages SET conversation = 'c9' WHERE scope = 1 AND seq = 3", "message 'm3' does not match its checksum"),
    ("UPDATE messages SET checksum = zeroblob(8) WHERE scope = 1 AND seq = 3", "message 'm3' does not match"),
    ("UPDATE messages SET seq = 4 WHERE scope = 1 AND seq = 3", "message 'm3' does not match its checksum"),
    ("UPDATE messages SET seq = -3 WHERE scope = 1 AND seq = 3", "message number -3 is out of order"),
    ("UPDATE messages SET text = CAST(x'fffe' AS TEXT) WHERE scope = 1 AND seq = 3", "message number 3 cannot be read"),
    ("DELETE FROM messages WHERE scope = 1 AND seq = 5", "message number 5 is missing"),
    ("DELETE FROM messages WHERE scope = 1 AND seq IN (5, 9)", "message number 5 is missing, and 1 more"),
    (f"DELETE FROM messages WHERE scope = 1 AND seq = {BATCH + 5}", f"message number {BATCH + 5} is missing"),
    ("DELETE FROM messages WHERE scope = 1", "message number 1 is missing"),
    ("DELETE FROM deletions WHERE scope = 1", "message number 4 is missing"),
    ("INSERT INTO deletions VALUES (1, 6)", "message number 6 is there though it was deleted"),
    ("INSERT INTO deletions VALUES (1, 999)", "message number 999 is out of order"),
    ("UPDATE scopes SET last_seq = last_seq - 1 WHERE id = 1", f"message number {BATCH + 5} is out of order"),
    ("UPDATE scopes SET last_seq = last_seq + 1 WHERE id = 1", f"message number {BATCH + 6} is missing"),
    ("UPDATE scopes SET last_seq = 1 << 60 WHERE id = 1", f"message number {BATCH + 6} is missing, and 1,152"),
    ("UPDATE scopes SET last_event = last_event - 1 WHERE id = 1", "event number 2 is out of order"),
    ("UPDATE scopes SET last_event = last_event + 1 WHERE id = 1", "event number 3 is missing"),
    ("UPDATE scopes SET last_document = 1 WHERE id = 1", "goal 'g2' has a wrong place in its order"),
    ("UPDATE scopes SET indexed = last_seq + 9 WHERE id = 1", "the index goes to message number"),
    ("UPDATE scopes SET indexed = 3 WHERE id = 1", "the index is wrong about"),
    ("UPDATE scopes SET indexed_messages = 1 WHERE id = 1", "the index counts (1, "),
    ("UPDATE scopes SET indexed_terms = 1 WHERE id = 1", ", 1) messages and terms, there are"),
    ("UPDATE events SET data = '{}' WHERE scope = 1 AND seq = 2", "event 2 does not match its checksum"),
    ("UPDATE events SET checksum = zeroblob(8) WHERE scope = 1 AND seq = 2", "event 2 does not match its checksum"),
    ("UPDATE events SET data = CAST(x'ff' AS TEXT) WHERE scope = 1 AND seq = 2", "event number 2 cannot be read"),
    ("DELETE FROM events WHERE scope = 1 AND seq = 1", "event number 1 is missing"),
    ("UPDATE documents SET body = '{}' WHERE scope = 1 AND id = 'g1'", "goal 'g1' does not match its checksum"),
    ("UPDATE documents SET version = 3 WHERE scope = 1 AND id = 'g1'", "goal 'g1' does not match its checksum"),
    ("UPDATE documents SET made = 3 - made WHERE scope = 1", "goal 'g1' does not match its checksum"),
    ("UPDATE documents SET made = 1 WHERE scope = 1", "goal 'g2' has a wrong place in its order"),
    ("UPDATE documents SET body = CAST(x'ff' AS TEXT) WHERE scope = 1 AND id = 'g1'", "goal 'g1' cannot be read"),
    ("DELETE FROM terms WHERE scope = 1 AND term = 'red'", "the index is wrong about 1 words, such as 'red'"),
    ("UPDATE terms SET term = 'blue' WHERE scope = 1 AND term = 'red'", "about 2 words, such as 'blue'"),
    ("UPDATE terms SET postings = x'' WHERE scope = 1 AND term = 'red'", "about 1 words, such as 'red'"),
    ("UPDATE terms SET postings = x'00' WHERE scope = 1 AND term = 'red'", "about 1 words, such as 'red'"),
    ("UPDATE terms SET postings = x'ffffffffff' WHERE scope = 1 AND term = 'red'", "about 1 words, such as 'red'"),
    ("INSERT INTO terms VALUES (1, CAST(x'ff' AS TEXT), 1, x'00')", "the index cannot be read"),
    ("INSERT INTO vectors VALUES (1, 'toy', 4, 0, zeroblob(4))", "1 vectors belong to no message"),
    ("INSERT INTO terms VALUES (9, 'red', 1, x'00')", "a row of terms has no scope"),
    ("UPDATE messages SET scope = 9 WHERE scope = 1 AND seq = 5", "a row of messages has no scope"),
    ("DELETE FROM scopes WHERE id = 1", "a row of messages has no scope"),
    ("DROP INDEX messages_by_id", "the file has no messages_by_id"),
    ("DROP TABLE events", "the file has no events"),
]


@pytest.mark.parametrize(("damage", "says"), TAMPERED, ids=[f"{n}-{says}" for n, (_, says) in enumerate(TAMPERED)])
def test_whatever_is_tampered_with_is_named(damage: str, says: str, full: Path) -> None:
    execute(full, damage)
    problems = _verified(full)
    assert any(says in problem for problem in problems), problems
    assert [p for p in problems if "bob/" in p] == []


def test_a_problem_names_its_scope_and_one_scope_may_be_looked_at_alone(full: Path) -> None:
    execute(full, "UPDATE events SET data = '{}' WHERE scope = 2 AND seq = 1")
    with opened(full) as store:
        assert store.verify() == ["bob/helper/web: event 1 does not match its checksum"]
        assert store.verify(OTHER_SCOPES[0]) == store.verify()
        assert store.verify(SCOPE) == []
        assert store.verify(Scope("nobody", "at", "all")) == []


CANONICAL = ("scopes", "messages", "deletions", "documents", "events")


def _canonical(path: Path) -> list[object]:
    return [execute(path, f"SELECT * FROM {table} ORDER BY 1, 2") for table in CANONICAL]


@pytest.fixture(scope="module")
def whole_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("whole") / "anaphora.db"
    with opened(path) as store:
        add(store, *(said(f"m{n}", f"red button {n}") for n in range(1, BATCH + 6)))
        with store.transaction(SCOPE) as tx:
            tx.remove(["m4"])
            tx.put("goal", "g1", {"text": "Write tests"})
            tx.emit(STEP)
    return path.read_bytes()


@given(place=st.integers(0, 2**32), flip=st.sampled_from([1, 2, 32, 128]))
@settings(max_examples=150)
def test_a_byte_that_is_flipped_anywhere_in_the_file_is_noticed_or_changes_nothing(
    whole_bytes: bytes, place: int, flip: int
) -> None:
    place %= len(whole_bytes)
    with TemporaryDirectory() as folder:
        whole, path = Path(folder) / "whole.db", Path(folder) / "anaphora.db"
        whole.write_bytes(whole_bytes)
        path.write_bytes(whole_bytes[:place] + bytes([whole_bytes[place] ^ flip]) + whole_bytes[place + 1 :])
        try:
            problems = _verified(path)
        except StoreError:
            return  # it is refused
        assert problems or _canonical(path) == _canonical(whole)


# --- whatever is done, the store is whole -------------------------------------------------------------------------

TEXTS = ("I want to add a FAB button", "Make it purple", "Let's work on dark mode first", "A", "Thanks, done!", "Größe")
STEPS = st.one_of(
    st.tuples(st.just("hear"), st.sampled_from(TEXTS)),
    st.tuples(st.just("hear"), st.sampled_from(TEXTS)),
    st.tuples(st.just("say"), st.sampled_from(TEXTS)),
    st.tuples(st.just("answer"), st.sampled_from(["A", "B", "neither"])),
    st.tuples(st.just("wait"), st.sampled_from([1, 200, 10_000])),
    st.tuples(st.sampled_from(["clear", "new", "end", "restore", "update", "touch", "log", "embed"]), st.just("1")),
)


def _do(memory: Memory, clock: FrozenClock, step: str, what: Any) -> None:
    match step:
        case "wait":
            clock.advance(minutes=what)
        case "update":
            memory.update(lambda work: work.add_goal(f"Goal {len(work.state.goals)}"))
        case "touch":
            memory.touch("app.py", edited=True)
        case "log":
            memory.log("By hand", intent="ASK")
        case "clear" | "end" | "new":
            getattr(memory, step)()
        case "embed":
            with memory._place.store.transaction(memory.scope) as tx:
                tx.put_vectors("toy", {m.seq: [[0.6, 0.8]] for m in tx.without_vector("toy", 5)})
        case _:
            getattr(memory, step)(what)


@given(
    steps=st.lists(STEPS, max_size=25),
    preset=st.sampled_from(["assistant", "kds", "brain", "whisper"]),
    expire=st.sampled_from([None, timedelta(hours=2)]),
)
@settings(max_examples=40)
def test_whatever_is_said_and_done_the_store_its_copy_and_the_store_it_is_moved_to_are_whole(
    steps: list[tuple[str, Any]], preset: Any, expire: timedelta | None
) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows, "BATCH", 3)
        patch.setattr(indexing, "RUN", 2)
        clock, path = FrozenClock(START), Path(folder) / "anaphora.db"
        for place in (str(path), ":memory:"):
            with anaphora.open(place, clock=clock, preset=preset, expire_after=expire, ask_below=1.0) as memory:
                for step, what in steps:
                    with suppress(InputError):
                        _do(memory, clock, step, what)
                assert upkeep.verify(memory._place.store) == []
                assert upkeep.verify(memory._place.store, memory.scope) == []
        mine = Settings(store=str(path))
        with upkeep.opened(mine) as store, upkeep.opened(mine, f"{path}.moved", there=False) as moved:
            upkeep.migrate(store, moved)
            upkeep.backup(store, Path(f"{path}.copy"))
            upkeep.rebuild(store)
            assert upkeep.verify(store) == upkeep.verify(moved) == []
        with upkeep.opened(mine, f"{path}.copy") as copy:
            assert upkeep.verify(copy) == []


# --- rebuild ------------------------------------------------------------------------------------------------------


def test_what_is_derived_is_made_anew_whatever_it_was(full: Path) -> None:
    with opened(full) as store:
        before = contents(store.view(SCOPE))
    execute(
        full,
        "UPDATE terms SET postings = x'77'; DELETE FROM terms WHERE scope = 2; "
        "INSERT INTO terms VALUES (1, CAST(x'ff' AS TEXT), 1, x'00'), (9, 'ghost', 1, x'00'); "
        "UPDATE scopes SET indexed = 7, indexed_terms = 0; "
        "INSERT INTO vectors VALUES (1, 'toy', 4, 0, zeroblob(4)), (9, 'toy', 1, 0, zeroblob(4))",
    )
    assert len(_verified(full)) > 3
    with opened(full) as store:
        assert upkeep.rebuild(store) == upkeep.Rebuilt(scopes=2, messages=2 * (BATCH + 4), vectors_dropped=1)
        assert store.verify() == []
        assert contents(store.view(SCOPE)) == before
        assert [near.seq for near in store.view(SCOPE).nearest("toy", [0.6, 0.8], 9)] == [1, 2]


def test_a_rebuild_hides_no_damage_to_what_was_said(full: Path) -> None:
    execute(full, "UPDATE messages SET text = 'forged' WHERE scope = 1 AND seq = 3")
    with opened(full) as store:
        upkeep.rebuild(store)
        assert store.verify() == ["alice/helper/web: message 'm3' does not match its checksum"]


# --- backup -------------------------------------------------------------------------------------------------------

WRITE_ON = """
import sys
from datetime import timedelta
from anaphora.stores.sqlite import SqliteStore
from anaphora.testing.conformance import terms_of
from anaphora.testing.samples import add, said
store = SqliteStore(sys.argv[1], terms_of, durability="normal", busy_timeout=timedelta(seconds=30))
n = 0
while True:
    add(store, said(f"w{n}", f"red button {n} " * 20))
    n += 1
    print(n, flush=True)
"""


def test_a_backup_under_a_writer_is_of_one_moment_and_whole(
    store_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_files, "_PAGES_AT_ONCE", 1)  # the writer comes between any two pages
    command = [sys.executable, "-c", WRITE_ON, str(store_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        try:
            assert writer.stdout is not None
            for enough in (1, 50, 100):
                while int(writer.stdout.readline()) < enough:
                    pass
                copy = tmp_path / f"copy-{enough}.db"
                with opened(store_path) as store:
                    upkeep.backup(store, copy)
                with opened(copy) as made:
                    assert made.verify() == []
                    ids = [m.id for m in made.view(SCOPE).messages()]
                assert ids == [f"w{n}" for n in range(len(ids))]
                assert len(ids) >= enough
        finally:
            writer.kill()


def test_a_backup_is_private_noted_and_never_written_over_something_unasked(full: Path, tmp_path: Path) -> None:
    copy = tmp_path / "new" / "copy.db"
    with opened(full) as store:
        upkeep.backup(store, copy)
        with pytest.raises(InputError, match="is there already"):
            upkeep.backup(store, copy)
        upkeep.backup(store, copy, force=True)
    assert [p.stat().st_mode & 0o777 for p in (copy, list_of_backups(full))] == [0o600, 0o600]
    assert [backup.path for backup in known_backups(full)] == [copy]
    assert [file.name for file in copy.parent.iterdir()] == ["copy.db"]
    assert _verified(copy) == []


def test_a_backup_never_takes_the_place_of_the_store_or_of_one_that_is_open(full: Path, tmp_path: Path) -> None:
    link, other = tmp_path / "link.db", tmp_path / "other.db"
    link.symlink_to(full)
    with opened(full) as store, opened(other) as busy:
        for own in (full, link, full.with_name(full.name + "-wal"), list_of_backups(full)):
            with pytest.raises(InputError, match="is the store itself"):
                upkeep.backup(store, own, force=True)
        add(busy, said("m1"))
        with pytest.raises(StoreUnwritable, match="another program has it open"):
            upkeep.backup(store, other, force=True)
        assert (store.verify(), busy.verify()) == ([], [])


def test_a_backup_that_cannot_be_written_leaves_nothing_behind(full: Path, tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear diary", "utf-8")
    with opened(full) as store:
        for bad in (letter / "copy.db", tmp_path):
            with pytest.raises(AnaphoraError, match=r"could not be written|is there already"):
                upkeep.backup(store, bad)
        with pytest.raises(StoreUnwritable, match="could not be written"):
            upkeep.backup(store, tmp_path, force=True)
    assert list(tmp_path.parent.glob(".*.tmp")) == list(tmp_path.glob(".*.tmp")) == []


def test_a_damaged_store_takes_no_good_backups_place(full: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.db"
    with opened(full) as store:
        upkeep.backup(store, kept)
    good = kept.read_bytes()
    torn = bytearray(full.read_bytes())
    for at in range(4 * 4096, len(torn), 97):
        torn[at] ^= 0x5A
    full.write_bytes(torn)
    with opened(full) as store, pytest.raises(StoreError, match="damaged"):
        upkeep.backup(store, kept, force=True)
    assert kept.read_bytes() == good
    assert list(tmp_path.glob(".*.tmp")) == []


def test_a_store_that_is_no_file_names_the_tool_that_copies_it() -> None:
    with upkeep.opened(Settings(store=":memory:")) as store, pytest.raises(StoreError, match="pg_dump"):
        upkeep.backup(store, Path("copy.db"))


NOTE = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from anaphora.stores.backups import note_backup
for n in range(20):
    note_backup(Path(sys.argv[1]), Path(sys.argv[2] + str(n)), datetime.now(UTC))
"""


def test_backups_that_are_made_at_once_are_all_noted(store_path: Path) -> None:
    noting = [subprocess.Popen([sys.executable, "-c", NOTE, str(store_path), who]) for who in "ab"]
    assert [process.wait(timeout=60) for process in noting] == [0, 0]
    assert {backup.path.name for backup in known_backups(store_path)} == {
        f"{who}{n}" for who in "ab" for n in range(20)
    }


def test_a_damaged_list_of_backups_is_named_and_an_absent_one_is_empty(store_path: Path) -> None:
    assert known_backups(store_path) == []
    note_backup(store_path, Path("copy.db"), START)
    assert known_backups(store_path) == [upkeep.Backup(Path.cwd() / "copy.db", START)]
    for damage in ("{", '{"a": 1}', '[{"path": "x"}]', '[{"path": "x", "at": "soon"}]'):
        list_of_backups(store_path).write_text(damage, "utf-8")
        with pytest.raises(StoreError, match=r"list of backups .* is damaged"):
            known_backups(store_path)


# --- by command ---------------------------------------------------------------------------------------------------


@pytest.fixture
def spoken(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ANAPHORA_STORE", str(store_path))
    for user in ("me", "you"):
        with anaphora.open(user=user) as memory:
            memory.hear("Make the button purple")
    return store_path


def test_verify_tells_by_its_exit_code_and_in_words_or_json(spoken: Path) -> None:
    assert _cli("verify").stdout == f"Whole: 2 scopes in {spoken}.\n"
    assert json.loads(_cli("verify", "--json").stdout) == {"store": str(spoken), "whole": True, "problems": []}
    execute(spoken, "UPDATE messages SET text = 'forged' WHERE scope = 2")
    assert "you/assistant/default: message 'm-" in _cli("verify", code=1).stdout
    told = json.loads(_cli("verify", "--json", code=1).stdout)
    assert (told["whole"], len(told["problems"])) == (False, 1)
    assert _cli("verify", "--scope").stdout == f"Whole: 1 scope in {spoken}.\n"
    assert "does not match" in _cli("--user", "you", "verify", "--scope", code=1).stdout


def test_the_password_of_a_database_is_not_shown() -> None:
    assert (
        upkeep.name_of("postgresql://me:secret@db.example:5432/memory?password=x")
        == "postgresql://db.example:5432/memory"
    )
    assert upkeep.name_of("/a/b.db") == "/a/b.db"
    assert upkeep.name_of("").endswith("anaphora.db")


def test_rebuild_says_what_it_made_anew(spoken: Path) -> None:
    execute(spoken, "INSERT INTO vectors VALUES (1, 'toy', 9, 0, zeroblob(4))")
    assert _cli("rebuild").stdout == "Indexed 2 messages in 2 scopes. Dropped 1 vector of no message.\n"
    assert json.loads(_cli("rebuild", "--json").stdout) == {"scopes": 2, "messages": 2, "vectors_dropped": 0}


def test_backup_copies_to_a_file_and_refuses_one_that_is_there(spoken: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    assert _cli("backup", str(copy)).stdout == f"Copied to {copy}.\n"
    assert "is there already. Name another file, or give --force" in _cli("backup", str(copy), code=2).stderr
    assert json.loads(_cli("backup", str(copy), "--force", "--json").stdout)["bytes"] == copy.stat().st_size
    assert _cli("--store", str(copy), "verify").stdout == f"Whole: 2 scopes in {copy}.\n"


@pytest.mark.parametrize("command", [("verify",), ("rebuild",), ("backup", "copy.db"), ("migrate", "none.db", "b.db")])
def test_no_command_makes_the_store_that_it_should_look_after(command: tuple[str, ...], tmp_path: Path) -> None:
    assert "There is no store at none.db" in _cli("--store", "none.db", *command, code=2).stderr
    assert [file.name for file in tmp_path.iterdir() if file.name != "home"] == []


def test_in_a_terminal_there_are_signs_of_life_on_stderr(spoken: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from anaphora.interfaces.cli import progress as signs

    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with signs.bar("Rebuilding") as progress:
        progress(1, 2)
    with signs.working("Verifying"):
        pass
    assert _cli("rebuild").stdout == "Indexed 2 messages in 2 scopes.\n"
