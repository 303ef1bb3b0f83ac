"""The doctor: each thing that can be wrong around a store is named, with what to do about it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import apsw
import pytest
from typer.testing import CliRunner, Result

import anaphora
from anaphora.engine import doctor
from anaphora.engine.doctor import Finding, examine
from anaphora.engine.upkeep import opened
from anaphora.errors import MissingExtra, SettingsError, StoreUnwritable
from anaphora.interfaces.cli.app import app
from anaphora.settings import Settings
from anaphora.stores import migrations, mounts, sqlite_files, sqlite_health
from anaphora.stores.backups import list_of_backups, note_backup
from anaphora.stores.migrations import Migration
from anaphora.stores.mounts import file_system_of, is_network, mounted_at
from anaphora.stores.schema import VERSION
from anaphora.stores.sqlite import SqliteStore
from anaphora.testing.conformance import terms_of

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store in a folder of its own, with one message."""
    path = tmp_path / "data" / "anaphora.db"
    with anaphora.open(path) as memory:
        memory.hear("Make the button purple", at=NOW - timedelta(days=1))
    return path


def _examined(store: Path | str, now: datetime = NOW) -> dict[str, Finding]:
    found = examine(lambda: Settings(store=str(store), busy_timeout=timedelta(seconds=1)), None, now)
    assert len({finding.check for finding in found}) == len(found)
    return {finding.check: finding for finding in found}


def _execute(path: Path, sql: str) -> None:
    with closing(apsw.Connection(str(path))) as db:
        db.execute(sql)


def _cli(*args: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, args, prog_name="anaphora")
    assert result.exit_code == code, result.output
    return result


# --- all is well --------------------------------------------------------------------------------------------------


def test_a_healthy_store_has_nothing_wrong(store: Path) -> None:
    found = _examined(store)
    assert {check: f for check, f in found.items() if f.grade != "ok"} == {}
    assert list(found) == [
        *("settings", "SQLite", "token counter", "reader", "file system", "disk space", "permissions", "folder", "log"),
        *("leftovers", "store", "schema", "writing", "clock"),
    ]


def test_looking_changes_nothing(store: Path) -> None:
    before = {file.name: file.read_bytes() for file in store.parent.iterdir()}
    _examined(store)
    assert {file.name: file.read_bytes() for file in store.parent.iterdir()} == before


def test_a_store_that_is_not_there_yet_is_a_note_and_is_not_made(tmp_path: Path) -> None:
    found = _examined(tmp_path / "none" / "anaphora.db")["store"]
    assert (found.grade, "not there yet" in found.says) == ("note", True)
    assert not (tmp_path / "none").exists()


def test_a_store_in_memory_is_a_note() -> None:
    assert _examined(":memory:")["store"].grade == "note"


# --- what is wrong ------------------------------------------------------------------------------------------------


def test_a_sqlite_with_the_bug_of_the_log_is_named(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_health, "sqlite_version", lambda: (3, 51, 2))
    found = _examined(store)["SQLite"]
    assert (found.grade, found.remedy) == ("wrong", "Run: pip install --upgrade apsw")
    assert "SQLite 3.51.2 has the WAL-reset bug" in found.says


def test_files_that_others_may_read_are_named_with_the_command(store: Path, tmp_path: Path) -> None:
    copy = tmp_path / "a copy.db"
    copy.touch(0o640)
    note_backup(store, copy, NOW)
    store.chmod(0o644)
    list_of_backups(store).chmod(0o604)
    found = _examined(store)["permissions"]
    assert found.grade == "wrong"
    assert found.remedy == f"Run: chmod 600 {store} {list_of_backups(store)} '{copy}'"


@pytest.mark.parametrize(
    ("mode", "grade", "remedy"),
    [
        (0o755, "note", "Run: chmod 700 {}"),
        (0o775, "wrong", "Run: chmod 700 {}"),
        (0o1777, "note", "Keep the store in a folder of your own."),  # a folder for everyone is not ours to close
        (0o700, "ok", None),
    ],
)
def test_a_folder_that_others_may_enter_is_a_note_and_one_they_may_write_is_wrong(
    mode: int, grade: str, remedy: str | None, store: Path
) -> None:
    store.parent.chmod(mode)
    found = _examined(store)["folder"]
    assert (found.grade, found.remedy) == (grade, remedy and remedy.format(store.parent))


class _Usage(NamedTuple):
    free: int


@pytest.mark.parametrize(("free", "grade"), [(10**6, "wrong"), (60 * 2**20, "note"), (10**12, "ok")])
def test_a_disk_that_is_nearly_full_is_named(
    free: int, grade: str, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store.open("ab") as file:
        file.truncate(40 * 2**20)  # SQLite knows its own size; only the room that it takes counts here
    monkeypatch.setattr("shutil.disk_usage", lambda _: _Usage(free))
    assert _examined(store)["disk space"].grade == grade


def test_a_disk_that_tells_nothing_is_a_note(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: Path) -> None:
        raise OSError("no such device")

    monkeypatch.setattr("shutil.disk_usage", fail)
    assert _examined(store)["disk space"] == Finding("disk space", "note", "not known: no such device")


@pytest.mark.parametrize(("kind", "grade"), [("nfs4", "wrong"), ("9p", "note"), ("ext4", "ok"), (None, "ok")])
def test_a_network_file_system_is_named_and_the_store_on_it_is_not_opened(
    kind: str | None, grade: str, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "file_system_of", lambda _: kind)
    found = _examined(store)
    assert found["file system"].grade == grade
    assert ("writing" in found) == (grade != "wrong")
    assert (found["file system"].remedy is None) == (grade == "ok")


def test_a_store_that_another_program_holds_is_named(store: Path) -> None:
    with closing(apsw.Connection(str(store))) as holder:
        holder.execute("BEGIN IMMEDIATE")
        found = _examined(store)["writing"]
    assert (found.grade, found.remedy) == ("wrong", f"Find it, and end it if it is stuck: fuser {store}")
    assert "held the store for longer than 0.5 s" in found.says


@contextmanager
def _being_nobody() -> Iterator[None]:
    """The administrator may do everything."""
    administrator = os.geteuid() == 0
    if administrator:
        os.seteuid(65534)
    try:
        yield
    finally:
        if administrator:
            os.seteuid(0)


def test_a_store_that_may_not_be_written_is_named() -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "anaphora.db"
        anaphora.open(path).close()
        path.chmod(0o444)
        folder.chmod(0o755)
        with closing(apsw.Connection(str(path))) as reader:  # so that the log is there, which nobody else may make
            reader.execute("SELECT count(*) FROM messages").fetchall()
            with _being_nobody():
                found = _examined(path)
    assert (found["writing"].grade, found["writing"].remedy) == ("wrong", f"Run: chmod u+rw {path}")


def test_a_store_that_may_not_even_be_looked_at_is_named() -> None:
    with TemporaryDirectory() as name:
        folder = Path(name) / "closed"
        folder.mkdir(mode=0o000)
        Path(name).chmod(0o755)
        with _being_nobody():
            found = _examined(folder / "anaphora.db")["access"]
            with pytest.raises(StoreUnwritable), opened(Settings(store=str(folder / "anaphora.db"))):
                pass
    assert (found.grade, "Permission denied" in found.says) == ("wrong", True)


def test_a_long_log_is_a_note(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_LONG_LOG", 100)
    with anaphora.open(store) as memory:
        memory.hear("Make it red")
        found = _examined(store)["log"]
    assert (found.grade, "still in the log" in found.says) == ("note", True)
    assert _examined(store)["log"].grade == "ok"


def test_unfinished_copies_of_processes_that_are_gone_are_named(store: Path, tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    note_backup(store, tmp_path / "copy.db", NOW)
    left = [store.with_name(f".anaphora.db.{gone.pid}.tmp"), tmp_path / f".copy.db.{gone.pid}.tmp-journal"]
    for file in (*left, store.with_name(f".anaphora.db.{os.getpid()}.tmp"), store.with_name(".other.7.tmp")):
        file.touch()
    found = _examined(store)["leftovers"]
    assert (found.grade, found.remedy) == ("wrong", "Run: rm " + " ".join(map(str, sorted(left))))


def test_a_damaged_list_of_backups_is_named(store: Path) -> None:
    list_of_backups(store).write_text("{", "utf-8")
    assert _examined(store)["backups"].grade == "wrong"


@pytest.mark.parametrize(
    ("now", "grade", "says"),
    [
        (datetime(1970, 1, 1, tzinfo=UTC), "wrong", "it says 1970-01-01"),
        (NOW - timedelta(days=2), "note", "but the last message is of 2026-02-28"),
        (NOW - timedelta(days=1, minutes=3), "ok", "2026-02-28"),
    ],
)
def test_a_clock_that_is_behind_is_named(now: datetime, grade: str, says: str, store: Path) -> None:
    found = _examined(store, now)["clock"]
    assert (found.grade, says in found.says) == (grade, True)


def test_a_missing_token_counter_is_named(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: str) -> None:
        raise MissingExtra("Counting tokens needs rs-bpe.", remedy="Run: pip install rs-bpe.")

    monkeypatch.setattr(doctor, "token_counter", missing)
    expected = Finding("token counter", "wrong", "Counting tokens needs rs-bpe.", "Run: pip install rs-bpe.")
    assert _examined(store)["token counter"] == expected


def test_settings_that_are_wrong_are_named_and_the_rest_is_looked_at_all_the_same(store: Path) -> None:
    def load() -> Settings:
        raise SettingsError("The settings file is not valid TOML.")

    found = {finding.check: finding for finding in examine(load, str(store), NOW)}
    assert found["settings"] == Finding(
        "settings", "wrong", "The settings file is not valid TOML.", "Mend that setting."
    )
    assert found["writing"].grade == "ok"


def _letter(path: Path) -> None:
    path.write_text("Dear diary\n" * 50, "utf-8")


def _other_program(path: Path) -> None:
    path.unlink()
    _execute(path, "CREATE TABLE bookmarks (url TEXT)")


def _newer(path: Path) -> None:
    _execute(path, "PRAGMA user_version = 99")


@pytest.mark.parametrize(
    ("damage", "check", "says"),
    [
        (_letter, "store", "not a readable store"),
        (_other_program, "store", "no store of Anaphora"),
        (_newer, "schema", "99, written by a newer Anaphora"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(damage: object, check: str, says: str, store: Path) -> None:
    assert callable(damage)
    damage(store)
    found = _examined(store)[check]
    assert (found.grade, says in found.says, found.remedy is not None) == ("wrong", True, True)


def test_an_older_schema_is_a_note_and_is_not_upgraded_by_looking(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    later = VERSION + 1
    monkeypatch.setattr(migrations, "MIGRATIONS", (Migration(later, lambda _: ["CREATE TABLE tags (tag TEXT)"]),))
    for module in (sqlite_files, sqlite_health):
        monkeypatch.setattr(module, "VERSION", later)
    found = _examined(store)
    assert (found["schema"].grade, f"it is brought to {later}" in found["schema"].says) == ("note", True)
    assert sqlite_health.peek(store, 500).schema == VERSION


def test_a_database_that_cannot_be_reached_is_named(tmp_path: Path) -> None:
    found = _examined(f"postgresql://me:secret@/none?host={tmp_path}")["store"]
    assert (found.grade, "secret" in found.says, found.remedy is not None) == ("wrong", False, True)


# --- by command ---------------------------------------------------------------------------------------------------


def test_the_command_shows_a_table_or_json_and_fails_only_when_something_is_wrong(store: Path) -> None:
    shown = _cli("--store", str(store), "doctor").stdout
    assert f"✓  schema         {VERSION}" in shown
    store.chmod(0o644)
    shown = _cli("--store", str(store), "doctor", code=1).stdout
    assert "✗  permissions    others may read" in shown
    assert "→ Run: chmod 600" in shown
    told = json.loads(_cli("--store", str(store), "doctor", "--json", code=1).stdout)
    assert [(f["check"], f["grade"]) for f in told if f["grade"] == "wrong"] == [("permissions", "wrong")]


def test_the_command_runs_even_where_the_settings_cannot_be_read(store: Path) -> None:
    Path("anaphora.toml").write_text("window = [", "utf-8")
    shown = _cli("--store", str(store), "doctor", code=1).stdout
    assert "not valid TOML" in " ".join(shown.split())
    assert "✓  writing" in shown


# --- file systems -------------------------------------------------------------------------------------------------

MOUNTS = r"""sysfs /sys sysfs rw,nosuid 0 0
/dev/sda1 / ext4 rw,relatime 0 0
server:/export /users nfs4 rw,vers=4.2 0 0
/dev/sdb1 /users/ada/local xfs rw 0 0
//nas/share /mnt/my\040share cifs rw,username=ada 0 0
ada@host:/ /mnt/ssh fuse.sshfs rw 0 0
C:\134 /mnt/c 9p rw,aname=drvfs 0 0
tmpfs /data tmpfs rw 0 0
server:/data /data nfs rw 0 0
nonsense
"""


@pytest.mark.parametrize(
    ("path", "kind", "network"),
    [
        ("/var/lib/anaphora.db", "ext4", False),
        ("/users/bob/anaphora.db", "nfs4", True),
        ("/users/ada/local/anaphora.db", "xfs", False),
        ("/usersless/anaphora.db", "ext4", False),
        ("/mnt/my share/anaphora.db", "cifs", True),
        ("/mnt/ssh/anaphora.db", "fuse.sshfs", True),
        ("/mnt/c/Users/anaphora.db", "9p", False),
        ("/data/anaphora.db", "nfs", True),
    ],
)
def test_the_innermost_mount_says_which_file_system_a_path_is_on(path: str, kind: str, network: bool) -> None:
    assert mounted_at(Path(path), MOUNTS) == kind
    assert is_network(kind) == network


def test_without_a_list_of_mounts_nothing_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(mounts, "_MOUNTS", tmp_path / "none")
    assert file_system_of(tmp_path) is None
    assert not is_network(None)
    assert mounted_at(Path("/data"), "") is None


def test_links_are_followed_to_the_file_system_they_lead_to(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    share, link = tmp_path / "share", tmp_path / "link"
    share.mkdir()
    link.symlink_to(share)
    monkeypatch.setattr(mounts, "_MOUNTS", tmp_path / "mounts")
    (tmp_path / "mounts").write_text(f"/dev/sda1 / ext4 rw 0 0\nserver:/x {share.resolve()} nfs rw 0 0\n", "utf-8")
    assert file_system_of(link / "new" / "anaphora.db") == "nfs"


def test_no_store_is_opened_on_a_network_file_system(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_files, "file_system_of", lambda _: "nfs4")
    with pytest.raises(StoreUnwritable, match=r"network file system \(nfs4\)") as refused:
        SqliteStore(str(store_path), terms_of, durability="full", busy_timeout=timedelta(seconds=1))
    assert "PostgreSQL" in str(refused.value)
    assert not store_path.exists()
