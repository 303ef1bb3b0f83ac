"""The daemon: one a user, out of everyone else's reach, gone when unused; and hooks do without it when they must."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
from pathlib import Path

import apsw
import pytest

import anaphora
from anaphora.configuration import default_store, project_at
from anaphora.interfaces.daemon import server, wire
from anaphora.interfaces.hooks import journal
from anaphora.stores.schema import VERSION
from tests.commands import run
from tests.daemons import asked, begin, end, running, until
from tests.hooks import context_in, hook, memory_at, prompt, reply


@pytest.fixture(autouse=True)
def _with_daemon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANAPHORA_DAEMON")


def test_a_hook_without_a_daemon_does_its_work_and_starts_one_for_the_next(tmp_path: Path) -> None:
    assert asked("status") is None
    with running(ANAPHORA_DAEMON_IDLE="0.01s"):
        pass  # what it leaves behind must not matter
    assert hook(prompt("I want to add a FAB button", "1")).returncode == 0
    until(lambda: asked("status"))
    try:
        told = hook(prompt("Make it purple", "2"))
        assert "Make the FAB button purple" in context_in(told.stdout)
        found = asked("status")
        assert found is not None
        assert found["events"] == 1
    finally:
        end(os.environ)
    with memory_at(tmp_path) as memory:
        assert [m.text for m in memory.conversation("1").messages] == ["I want to add a FAB button", "Make it purple"]


def test_of_many_that_are_started_at_once_one_stays() -> None:
    with running() as first:
        others = [begin() for _ in range(4)]
        assert [other.wait(60) for other in others] == [0, 0, 0, 0]
        found = asked("status")
        assert found is not None
        assert found["pid"] == first.pid


def test_a_killed_daemon_is_done_without_and_replaced(tmp_path: Path) -> None:
    with running() as daemon:
        hook(prompt("I want to add a FAB button", "1"))
        daemon.send_signal(signal.SIGKILL)
        daemon.wait()
        assert Path(wire.socket_path(os.environ)).exists()
        told = hook(prompt("Make it purple", "2"))
        assert told.returncode == 0
        assert "Make the FAB button purple" in context_in(told.stdout)
        until(lambda: asked("status"))
        hook(reply("Done.", "2"))
    with memory_at(tmp_path) as memory:
        assert memory.conversation("1").message_count == 3


def test_a_daemon_that_hangs_is_done_without_and_doubles_nothing_when_it_wakes(tmp_path: Path) -> None:
    with running() as daemon:
        daemon.send_signal(signal.SIGSTOP)
        done = hook(prompt("Add a login page", "1"))
        daemon.send_signal(signal.SIGCONT)
        assert (done.returncode, done.stderr) == (0, "")
        until(lambda: asked("status"))
    with memory_at(tmp_path) as memory:
        assert [m.text for m in memory.conversation("1").messages] == ["Add a login page"]


def test_only_its_user_can_reach_it() -> None:
    with running():
        path = Path(wire.socket_path(os.environ))
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_folder_that_someone_else_prepared_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "s"))
    path = Path(wire.socket_path(os.environ))
    path.parent.rmdir()
    path.parent.symlink_to(tmp_path)
    with pytest.raises(PermissionError):
        wire.socket_path(os.environ)
    assert hook(prompt("Add a login page")).returncode == 0
    with memory_at(tmp_path) as memory:
        assert memory.conversation("1").message_count == 1


def test_a_folder_that_others_could_enter_is_closed() -> None:
    folder = Path(wire.socket_path(os.environ)).parent
    folder.chmod(0o755)
    wire.socket_path(os.environ)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    folder.rmdir()


def test_one_of_another_version_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    with running() as daemon:
        monkeypatch.setattr(wire, "identity", lambda: "0.0.1")
        request: dict[str, object] = {"host": "codex", "event": None, "said": "{}", "environ": {}, "folder": "/"}
        assert wire.ask(wire.socket_path(os.environ), request, 10) == {"stale": True}
        assert daemon.wait(60) == 0


def test_it_ends_itself_when_nobody_comes() -> None:
    with running(ANAPHORA_DAEMON_IDLE="1s") as daemon:
        assert daemon.wait(60) == 0
        assert not Path(wire.socket_path(os.environ, make=False)).parent.exists()


def test_who_waited_for_the_lock_of_one_that_ended_takes_the_one_that_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = wire.socket_path(os.environ)
    taken: list[int] = []
    real = server._is_there

    def once_ended(file: int, lock: str) -> bool:
        if not taken:  # as if the other had ended between our opening the file and our having it
            Path(lock).unlink()
            Path(lock).parent.rmdir()
        taken.append(file)
        return real(file, lock)

    monkeypatch.setattr(server, "_is_there", once_ended)
    with server._only_one(path) as alone:
        assert alone
        assert len(taken) == 2
        assert wire.is_held(wire.lock_path(path))
        with server._only_one(path) as second:
            assert not second
    assert not Path(path).parent.exists()


def test_asking_for_a_daemon_makes_nothing() -> None:
    assert asked("status") is None
    assert not Path(wire.socket_path(os.environ, make=False)).parent.exists()


def test_what_is_no_request_does_not_disturb_it() -> None:
    with running() as daemon:
        for said in (b"", b"{", b"[]\n", b"{]\n", b"\xff\xfe\n"):
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(wire.socket_path(os.environ))
                connection.sendall(said)
        assert (asked("status") or {})["pid"] == daemon.pid


def test_each_hook_brings_its_own_settings(tmp_path: Path) -> None:
    with running():
        for name in ("one", "two"):
            hook(prompt(f"Add page {name}"), ANAPHORA_STORE=str(tmp_path / f"{name}.db"))
        assert (asked("status") or {})["events"] == 2
    assert (tmp_path / "one.db").exists()
    assert (tmp_path / "two.db").exists()


def test_a_store_is_named_from_where_the_hook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with running():
        hook(prompt("Add a login page", "1"), ANAPHORA_STORE="near.db")
        hook(prompt("Add a logout page", "2"), ANAPHORA_STORE="near.db", ANAPHORA_DAEMON="off")
        assert (asked("status") or {})["events"] == 1
    with anaphora.open(tmp_path / "near.db", project=project_at(tmp_path)) as memory:
        assert [m.text for m in memory.conversation("1").messages] == ["Add a login page", "Add a logout page"]


def test_a_daemon_that_is_older_than_a_store_makes_room(tmp_path: Path) -> None:
    store = tmp_path / "upgraded.db"
    with running() as daemon:
        hook(prompt("Add a login page", "1"), ANAPHORA_STORE=str(store))
        db = apsw.Connection(str(store))
        db.pragma("user_version", VERSION + 1)  # as a newer Anaphora would
        db.close()
        assert hook(prompt("Add a logout page", "2"), ANAPHORA_STORE=str(store)).returncode == 0
        assert daemon.wait(60) == 0
    assert {entry["what"] for entry in journal.entries(os.environ)} == {"StoreNewer"}


def test_a_store_that_was_deleted_meanwhile_is_made_anew(tmp_path: Path) -> None:
    with running():
        hook(prompt("Add a login page", "1"))
        for file in Path(default_store()).parent.glob("anaphora.db*"):
            file.unlink()
        hook(prompt("Add a logout page", "2"))
        assert (asked("status") or {})["events"] == 2
    with memory_at(tmp_path) as memory:
        assert [m.text for m in memory.conversation("1").messages] == ["Add a logout page"]


def test_an_error_in_one_request_is_noted_and_the_next_is_answered(tmp_path: Path) -> None:
    with running():
        (tmp_path / "anaphora.toml").write_text("no_such_setting = 1\n")
        assert hook(prompt("I want to add a FAB button", "1")).returncode == 0
        (tmp_path / "anaphora.toml").unlink()
        assert hook(prompt("I want to add a FAB button", "2")).returncode == 0
    assert [entry["what"] for entry in journal.entries(os.environ)] == ["SettingsError"]
    with memory_at(tmp_path) as memory:
        assert memory.conversation("1").message_count == 1


def test_it_can_be_looked_at_and_ended_by_hand() -> None:
    assert run("daemon", "status").stdout == "No daemon runs. A hook starts one when it needs it.\n"
    with running() as daemon:
        assert f"process {daemon.pid}" in run("daemon", "status").stdout
        assert json.loads(run("daemon", "status", "--json").stdout)["running"] is True
        assert str(daemon.pid) in run("doctor").stdout
        run("daemon", "stop")
        assert daemon.wait(60) == 0
    assert run("daemon", "stop").stdout == "No daemon runs.\n"
