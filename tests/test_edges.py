"""The edges: pipes, closed and full streams, odd paths, numbers and times beyond range."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

import anaphora
from anaphora import InputError, Memory, SettingsError, StoreUnwritable
from anaphora.errors import StoreInterrupted
from anaphora.ports import Transaction
from anaphora.stores.memory import MemoryStore
from anaphora.testing import FrozenClock
from anaphora.types import ExportFormat, Scope
from tests.commands import error, own_store, run
from tests.talk import START

posix = pytest.mark.skipif(os.name != "posix", reason="pipes and devices as POSIX has them")
FORMATS = [form for form in get_args(ExportFormat) if form != "quaid"]  # that one is a folder, which no pipe can carry
FIRST, LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
HUGE = "9" * 5000


@pytest.fixture(autouse=True)
def _own_store(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_store(store_path, monkeypatch)


def shell(line: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """A line of shell, in which "anaphora" is the command."""
    start = f'anaphora() {{ "{sys.executable}" -m anaphora "$@"; }}; '
    command = ["bash", "-c", start + line]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False, **{"input": "", **more})


def talk(memory: Memory) -> None:
    memory.hear("I want to add a FAB button", at=START)
    memory.hear("Make it purple", at=START + timedelta(minutes=1))
    memory.say("It is purple.", at=START + timedelta(minutes=2))


def counts(memory: Memory) -> list[tuple[int, int]]:
    """For each conversation how many messages it says it has, and how many it has."""
    return [(c.message_count, len(memory.conversation(c.id).messages)) for c in memory.conversations()]


def test_programs_may_ask_which_formats_there_are() -> None:
    assert get_type_hints(Memory.export)["format"] == ExportFormat
    assert get_type_hints(Memory.import_file)["format"] == ExportFormat | None


@pytest.fixture
def exported(memory: Memory, tmp_path: Path) -> dict[ExportFormat, Path]:
    talk(memory)
    paths = {form: tmp_path / f"export.{form}" for form in FORMATS}
    for form, path in paths.items():
        memory.export(path, form)
    return paths


# --- what comes in through a pipe ---------------------------------------------------------------------------------


@posix
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("line", ["cat $F | anaphora import /dev/stdin", "anaphora import <(cat $F)"])
def test_what_comes_through_a_pipe_is_taken_in_whole(
    exported: dict[ExportFormat, Path], form: ExportFormat, line: str
) -> None:
    done = shell(line, env={**os.environ, "F": str(exported[form])})
    assert done.stderr == ""
    assert f"{3 if form == 'anaphora' else 2} new, 0 known" in done.stdout
    assert json.loads(run("sessions", "show", "1", "--json").stdout)["messages"][1]["text"] == "Make it purple"


@pytest.mark.parametrize("form", FORMATS)
def test_a_dash_imports_what_is_on_stdin_and_leaves_nothing_behind(
    exported: dict[ExportFormat, Path], form: ExportFormat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    shown = run("import", "-", stdin=exported[form].read_bytes()).stdout
    assert shown == f"stdin: {3 if form == 'anaphora' else 2} new, 0 known\n"
    assert list((tmp_path / "tmp").iterdir()) == []


def test_an_error_in_what_is_on_stdin_says_so() -> None:
    assert error("import", "-", stdin='{"x": 1}\n').startswith("Error: stdin is in no format")
    assert error("import", "-", "--format", "kds", stdin="{").startswith("Error: stdin: Line 1 is no JSON")


@posix
def test_a_pipe_is_taken_in_again_where_the_store_was_interrupted(
    exported: dict[ExportFormat, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin, interrupted = MemoryStore.transaction, list[bool]()

    @contextmanager
    def fragile(self: MemoryStore, scope: Scope) -> Iterator[Transaction]:
        with begin(self, scope) as tx:
            yield tx
            if not interrupted:
                interrupted.append(True)
                raise StoreInterrupted("The connection broke.")

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    text = exported["kds"].read_bytes()
    monkeypatch.setattr("time.sleep", lambda _: None)
    with anaphora.open(":memory:") as memory, ThreadPoolExecutor() as others:
        writing = others.submit(pipe.write_bytes, text)
        monkeypatch.setattr(MemoryStore, "transaction", fragile)
        assert memory.import_file(pipe).heard == 2
        assert writing.result() == len(text)
        assert interrupted == [True]
        assert counts(memory) == [(2, 2)]


@pytest.mark.parametrize("name", ["a\0b", "\ud800"], ids=["NUL", "half a character"])
def test_a_name_that_no_file_can_have_is_refused(memory: Memory, name: str) -> None:
    with pytest.raises(InputError, match="No file can have the name"):
        memory.import_file(name)
    with pytest.raises(InputError, match="No file can have the name"):
        memory.export(name)


# --- what goes out ------------------------------------------------------------------------------------------------


def test_many_exports_to_one_path_do_not_disturb_each_other(memory: Memory, tmp_path: Path) -> None:
    talk(memory)
    path = tmp_path / "out.json"
    together = threading.Barrier(4)

    def export() -> list[int]:
        together.wait()
        return [memory.export(path) for _ in range(10)]

    with ThreadPoolExecutor(4) as threads:
        done = [threads.submit(export) for _ in range(4)]
        assert [one.result() for one in done] == [[3] * 10] * 4
    assert len(json.loads(path.read_text("utf-8"))["messages"]) == 3
    assert sorted(p.name for p in tmp_path.iterdir()) == ["home", "out.json"]


def test_an_export_is_of_one_moment_while_others_write(store_path: Path, tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    with anaphora.open(store_path) as reader, anaphora.open(store_path, session="other") as writer:
        writer.hear("I want to add a FAB button")
        done = threading.Event()

        def write() -> None:
            for i in range(60):
                writer.hear(f"Make it number {i}")
            done.set()

        with ThreadPoolExecutor() as others:
            writing = others.submit(write)
            while not done.is_set() and not writing.done():
                reader.export(path)
                found = json.loads(path.read_text("utf-8"))
                assert sum(c["message_count"] for c in found["conversations"]) == len(found["messages"])
                assert sum(e["kind"] == "message.heard" for e in found["events"]) == len(found["messages"])
            writing.result()


@posix
def test_an_export_goes_through_a_link_to_what_it_points_to(memory: Memory, tmp_path: Path) -> None:
    talk(memory)
    for target in (tmp_path / "there.json", tmp_path / "new.json"):
        link = tmp_path / f"link to {target.name}"
        link.symlink_to(target.name)
    (tmp_path / "there.json").write_text("older", "utf-8")
    for name in ("there.json", "new.json"):
        memory.export(tmp_path / f"link to {name}")
        assert (tmp_path / f"link to {name}").is_symlink()
        assert len(json.loads((tmp_path / name).read_text("utf-8"))["messages"]) == 3
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600


@posix
def test_an_export_to_what_is_no_file_is_written_there(memory: Memory, tmp_path: Path) -> None:
    talk(memory)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as others:
        read = others.submit(pipe.read_text, "utf-8")
        assert memory.export(pipe, "kds") == 2
        assert len(read.result().splitlines()) == 2
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert memory.export("/dev/null") == 3
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_an_export_that_finds_no_room_says_so(memory: Memory) -> None:
    with pytest.raises(StoreUnwritable, match="/dev/full cannot be written: No space left"):
        memory.export("/dev/full")


def test_a_dash_exports_to_stdout_and_nothing_comes_between() -> None:
    run("hear", "Größe ändern")
    for args in (("export", "-"), ("export", "-", "--json")):
        done = run(*args)
        assert json.loads(done.stdout)["messages"][0]["text"] == "Größe ändern"
        assert done.stderr == "Wrote 1 message to stdout.\n"


@posix
def test_what_is_exported_to_the_device_of_stdout_is_clean_too() -> None:
    run("hear", "Make it purple")
    piped = shell("anaphora export /dev/stdout --format kds | cat")
    assert json.loads(piped.stdout)["user_message"] == "Make it purple"
    assert piped.stderr == "Wrote 1 message to stdout.\n"


@pytest.mark.parametrize("command", [("export",), ("knowledge", "export")])
def test_a_file_that_is_there_is_replaced_only_where_that_is_wanted(tmp_path: Path, command: tuple[str, ...]) -> None:
    mine = tmp_path / "letter.txt"
    mine.write_text("Dear Ada", "utf-8")
    run("hear", "Make it purple")
    assert "is there already, and was left as it is" in error(*command, "letter.txt")
    assert mine.read_text("utf-8") == "Dear Ada"
    run(*command, "letter.txt", "--force")
    assert "Dear Ada" not in mine.read_text("utf-8")


def test_everything_of_a_user_is_exported_in_one_file(tmp_path: Path) -> None:
    for project in ("web", "app"):
        run("--project", project, "hear", f"Make the {project} purple")
    run("--user", "mallory", "hear", "Make it red")
    assert "Wrote 2 messages" in run("export", "--all", "all.json").stdout
    found = json.loads((tmp_path / "all.json").read_text("utf-8"))
    assert sorted(one["scope"]["project"] for one in found["scopes"]) == ["app", "web"]
    assert "mallory" not in json.dumps(found)


# --- what an import counts ----------------------------------------------------------------------------------------


def test_a_newer_export_over_an_older_one_counts_what_it_adds(memory: Memory, tmp_path: Path) -> None:
    memory.hear("I want to add a FAB button", at=START)
    memory.export(tmp_path / "older")
    memory.hear("Make it purple", at=START + timedelta(minutes=1))
    memory.say("It is purple.", at=START + timedelta(minutes=2))
    memory.export(tmp_path / "newer")
    with anaphora.open(":memory:", clock=FrozenClock(START)) as other:
        for name in ("older", "newer", "older", "newer"):
            other.import_file(tmp_path / name)
        assert counts(other) == [(3, 3)]
        assert other.conversations()[0].last_at == START + timedelta(minutes=2)
        assert other.conversations()[0].title == memory.conversations()[0].title


def test_replies_that_are_not_kept_are_not_counted(exported: dict[ExportFormat, Path], clock: FrozenClock) -> None:
    with anaphora.open(":memory:", clock=clock, keep_replies=False) as other:
        other.import_file(exported["anaphora"])
        assert counts(other) == [(2, 2)]


def test_an_older_export_does_not_set_a_reached_goal_again(memory: Memory, tmp_path: Path) -> None:
    with memory.update() as work:
        work.add_goal("Write tests")
        work.add_goal("Cover the edges", parent="Write tests")
    memory.export(tmp_path / "older")
    with memory.update() as work:
        work.complete_goal("Write tests")
    before = memory.state
    memory.import_file(tmp_path / "older")
    assert memory.state == before


def test_an_older_export_does_not_open_an_ended_conversation_again(memory: Memory, tmp_path: Path) -> None:
    talk(memory)
    memory.export(tmp_path / "older")
    memory.end()
    memory.import_file(tmp_path / "older")
    assert [c.active for c in memory.conversations()] == [False]


# --- streams, folders, numbers ------------------------------------------------------------------------------------

COMMANDS = ["hear 'Make it purple'", "--help", "--version", "config --json", "sessions list", "light"]


@posix
def test_a_closed_stdout_is_one_line_and_nothing_is_done() -> None:
    for command in COMMANDS[:3]:
        failed = shell(f"anaphora {command} >&-")
        assert (failed.returncode, failed.stderr.count("\n")) == (1, 1)
        assert failed.stderr.startswith("Error: stdout is closed")
    assert run("load").stdout == "[]\n"
    assert shell("anaphora load >&- 2>&-").returncode == 1
    assert shell("anaphora nothing 2>&-").returncode == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_stdout_is_one_line_without_a_traceback(command: str, unbuffered: str) -> None:
    failed = shell(f"anaphora {command} >/dev/full", env={**os.environ, "PYTHONUNBUFFERED": unbuffered})
    assert failed.returncode == 1
    assert failed.stderr == "Error: stdout cannot be written: No space left on device.\n"


@posix
def test_help_that_nobody_reads_to_its_end_ends_quietly() -> None:
    ended = shell("anaphora --help | true; exit ${PIPESTATUS[0]}")
    assert ended.returncode in (0, 1)
    assert ended.stderr == ""


@posix
def test_a_working_directory_that_was_deleted_has_no_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert run("load").stdout == "[]\n"
    assert "x.db" in error("--store", "x.db", "load", code=1)


def test_a_store_in_a_home_that_is_not_there_is_refused_in_words() -> None:
    told = error("--store", "~nobody-is-called-that/x.db", "load")
    assert "'store' in the command line: there is no such home directory" in told


def test_a_store_with_a_nul_in_its_name_is_refused_by_where_it_was_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="'store' in the call: it holds a NUL"):
        anaphora.open("a\0b")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("events", "--since", "99999999999999999999"), "--since"),
        (("events", "--limit", "99999999999999999999"), "--limit"),
        (("events", "--since", HUGE), "--since"),
        (("sessions", "show", HUGE), "There is no conversation '999"),
        (("sessions", "restore", f"#{HUGE}"), "There is no conversation '#999"),
        (("recall", "x", "-k", HUGE), "-k"),
        (("context", "x", "--budget", HUGE), "--budget"),
    ],
    ids=lambda value: " ".join(value)[:30] if isinstance(value, tuple) else None,
)
def test_a_number_beyond_all_bounds_is_refused(args: tuple[str, ...], says: str) -> None:
    run("hear", "Make it purple")
    told = run(*args, code=2).stderr
    assert says in told
    assert "bug" not in told
    assert len(told) < 1500


def test_a_budget_beyond_all_bounds_is_refused_in_a_chat() -> None:
    told = run("chat", stdin=f"Make it purple\n/context {HUGE}\n", code=2).stderr
    assert "A budget is a number of tokens, not '999" in told
    assert len(told) < 200


# --- times --------------------------------------------------------------------------------------------------------


def test_bands_without_a_gap_still_decide() -> None:
    with anaphora.open(":memory:", preset="brain", gap_new=0) as memory:
        memory.hear("I want to add a FAB button", at=START)
        assert memory.hear("Make it purple", at=START).boundary.best_guess == "same"
        assert memory.hear("Make it red", at=START + timedelta(seconds=1)).boundary.best_guess == "new"


@pytest.mark.parametrize("at", [FIRST, START, LAST])
@pytest.mark.parametrize("window", ["4000000d", "1d"])
def test_a_narrative_can_be_made_at_any_time(at: datetime, window: str) -> None:
    with anaphora.open(":memory:", preset="whisper", recent_memory_window=window) as memory:
        memory.hear("The button is purple", at=START)
        memory.new()
        text = memory.context("Which colour has the purple button?", at=at).text
    recent = at <= START or window == "4000000d"
    assert ("RECENT CONVERSATION CONTEXT: [Memory: The button is purple]" in text) is recent
    assert ("PREVIOUS INTERACTIONS AND FACTS: [Memory: The button is purple]" in text) is not recent


@pytest.mark.parametrize(("zone", "at"), [("Asia/Tokyo", LAST), ("America/New_York", FIRST)])
def test_a_memory_at_the_end_of_the_calendar_is_shown_in_any_zone(
    zone: str, at: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANAPHORA_TIMEZONE", zone)
    run("hear", "The button is purple", "--at", at.isoformat())
    run("sessions", "new")
    day = at.strftime("%Y-%m-%d")
    assert day in run("context", "the purple button", "--format", "text").stdout
    assert day in run("recall", "purple").stdout
    with anaphora.open(":memory:", timezone=zone) as memory:
        assert str(at.year) in memory.context("Which colour?", at=at).text


# --- the light context --------------------------------------------------------------------------------------------

STORE = json.dumps(
    {
        "action": "store",
        "last_intent": "PLAN",
        "last_task_id": None,
        "pending_fields": [],
        "last_user_message": "Make it purple",
    }
)


def light(*before: str, request: str = '{"action": "retrieve"}') -> Any:
    return json.loads(run(*before, "light", stdin=request).stdout).get("context")


@pytest.fixture
def _own_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))


@pytest.mark.usefixtures("_own_temporary_folder")
@pytest.mark.parametrize("option", ["--user", "--agent", "--project", "--session"])
def test_a_light_context_belongs_to_its_scope_and_session(option: str) -> None:
    names = ("--session", "s", "--user", "ann")
    light(*names, request=STORE)
    assert light(*names)["last_user_message"] == "Make it purple"
    assert light(*names, option, "another") is None
    assert light("--user", "ann") is None


@pytest.mark.usefixtures("_own_temporary_folder")
def test_the_session_of_a_light_context_may_be_a_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    light("--session", "s", request=STORE)
    assert light() is None
    monkeypatch.setenv("ANAPHORA_SESSION", "s")
    assert light()["last_user_message"] == "Make it purple"
    monkeypatch.delenv("ANAPHORA_SESSION")
    (tmp_path / "anaphora.toml").write_text('session = "s"\n', "utf-8")
    assert light()["last_user_message"] == "Make it purple"
