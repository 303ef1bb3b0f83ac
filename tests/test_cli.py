"""The command line: its commands, their JSON, its exit codes, and what it refuses to print."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest
from typer.testing import CliRunner, Result

import anaphora
from anaphora.engine.memory import Memory
from anaphora.interfaces.cli.app import app
from anaphora.interfaces.cli.bar import cells
from anaphora.interfaces.cli.options import FileFormat
from anaphora.settings import describe
from anaphora.types import ExportFormat
from docs import generate

EVIL = "evil \x1b[31mred\x9b1m [bold]text[/bold] :smile: \u202eflip"


@pytest.fixture(autouse=True)
def _own_store(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command of a test talks to the same store, which no other test sees."""
    monkeypatch.setenv("ANAPHORA_STORE", str(store_path))
    for name in ("FORCE_COLOR", "PY_COLORS", "GITHUB_ACTIONS", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)


def run(*args: str, stdin: str | bytes = "", code: int = 0) -> Result:
    result = CliRunner().invoke(app, args, input=stdin, prog_name="anaphora")
    assert result.exit_code == code, result.output
    return result


def out(*args: str, stdin: str | bytes = "") -> str:
    return run(*args, stdin=stdin).stdout


def read(*args: str, stdin: str | bytes = "") -> Any:
    return json.loads(out(*args, stdin=stdin))


def error(*args: str, code: int) -> str:
    """The one line that a command failed with."""
    result = run(*args, code=code)
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    return result.stderr


def process(*args: str | bytes, **more: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "anaphora", *args]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False, **{"input": "", **more})


@pytest.fixture
def talk() -> None:
    """Two conversations: a FAB button, then dark mode."""
    run("hear", "I want to add a FAB button", "--at", "2025-11-03T14:20:00Z", "--id", "one")
    run("hear", "Make it purple", "--at", "2025-11-03T14:21:00Z")
    run("hear", "Actually, let's work on dark mode first", "--at", "2025-11-03T14:25:00Z")


# --- talking ------------------------------------------------------------------------------------------------------


def test_hearing_shows_what_a_message_means_and_where_it_belongs(talk: None) -> None:
    shown = out("hear", "Use toggle switch, not button", "--at", "2025-11-03T14:26:00Z")
    assert "Use toggle switch for dark mode, not button" in shown
    assert "(left unsaid) → dark mode" in shown
    assert "“Actually, let's work on dark mode first”" in shown
    assert "#2 Dark Mode  same conversation" in shown


def test_hearing_shows_what_is_kept_and_what_is_hidden() -> None:
    shown = out("hear", "I want to log in with sk-abcdefghijklmnopqrstuvwxyz123456")
    assert "goal" in shown
    assert "openai key, taken out" in shown
    assert "sk-abc" not in shown


def test_a_turn_as_json_has_all_that_was_found_out(talk: None) -> None:
    turn = read("hear", "Use toggle switch, not button", "--at", "2025-11-03T14:27:00Z", "--json")
    assert turn["text"] == "Use toggle switch, not button"
    assert turn["conversation"]["title"] == "Dark Mode"
    assert turn["at"] == "2025-11-03T14:27:00Z"


def test_a_dash_reads_the_message_from_stdin() -> None:
    assert read("hear", "-", "--json", stdin="Größe ändern\n")["text"] == "Größe ändern"
    assert "not UTF-8" in run("hear", "-", stdin=b"\xff\xfe", code=2).stderr


def test_the_same_id_twice_is_one_message_and_another_text_an_error(talk: None) -> None:
    run("hear", "I want to add a FAB button", "--id", "one")
    assert "'one' is taken" in error("hear", "Something else", "--id", "one", code=2)
    assert [c["message_count"] for c in read("sessions", "list", "--json")] == [2, 1]


def test_a_reply_is_kept_where_the_talk_is_and_not_where_replies_are_not_kept(talk: None) -> None:
    assert out("say", "Sure.") == "Kept in #2 Dark Mode.\n"
    assert out("--preset", "brain", "say", "Sure.") == "Not kept: the setting keep_replies is off.\n"
    assert read("say", "Sure.", "--id", "r", "--json")["role"] == "assistant"


def test_an_answer_settles_the_open_question(talk: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANAPHORA_ASK_BELOW", "1")
    asked = out("hear", "Make it bigger", "--at", "2025-11-03T20:25:00Z")
    assert "go on with what we had?" in asked
    assert "A  go on with Dark Mode" in asked
    assert "B  something new" in asked
    assert "anaphora answer A" in asked
    assert "“Make it bigger” begins #3" in out("answer", "B")
    assert "no such open question" in error("answer", "A", code=2)


def test_a_context_comes_as_a_view_a_text_or_in_the_shape_of_a_service(talk: None) -> None:
    question = "Which colour is the button?"
    assert "of 900 tokens" in out("context", question, "--budget", "900")
    assert question in out("context", question, "--format", "text")
    assert read("context", question, "--format", "openai")[-1]["content"].endswith(question)
    assert set(read("context", question, "--format", "anthropic")) == {"system", "messages"}
    told = read("context", question, "--budget", "300", "--json")
    assert sum(part["tokens"] for part in told["parts"]) + told["between"] == told["tokens"] <= 300


@pytest.mark.parametrize(
    ("tokens", "budget", "sizes"),
    [
        ({"state": 250, "query": 250}, 1000, {"state": 10, "query": 10}),
        ({"time": 1, "query": 1}, 8000, {"time": 1, "query": 1}),
        ({"state": 2000, "query": 1}, 1000, {"state": 39, "query": 1}),
        ({}, 1000, {}),
    ],
)
def test_the_token_bar_is_in_proportion_and_hides_no_tier(
    tokens: dict[str, int], budget: int, sizes: dict[str, int]
) -> None:
    assert cells(tokens, budget, 40) == sizes


def test_recall_finds_by_words_time_and_speaker(talk: None) -> None:
    shown = [line.strip() for line in out("recall", "purple", "-k", "1").splitlines()[1:3]]
    assert shown[0].endswith("  me   Make it purple")
    assert shown[1] == "meaning: Make the FAB button purple"
    assert out("recall", "zebra").startswith("Nothing found. ")
    assert len(read("recall", "button", "-k", "1", "--json")) == 1
    assert read("recall", "button", "--since", "2025-11-04T00:00Z", "--json") == []
    assert len(read("recall", "button", "--until", "2025-11-03T14:21Z", "--json")) == 1
    assert read("recall", "button", "--since", "2025-11-04", "--json") == []
    assert read("recall", "button", "--until", "2025-11-03", "--json") == []
    assert len(read("recall", "button", "--since", "2025-11-03", "--until", "2025-11-03T14:21", "--json")) == 1
    assert read("recall", "button", "--speaker", "bob", "--json") == []


# --- looking back -------------------------------------------------------------------------------------------------


def test_conversations_are_listed_by_number_with_what_became_of_them(talk: None) -> None:
    first, second = out("sessions", "list").splitlines()[1:]
    assert first.split()[:4] == ["1", "FAB", "Button", "2"]
    assert first.rstrip().endswith("implemented")
    assert "✨ active" in second
    assert [c["active"] for c in read("sessions", "list", "--json")] == [False, True]


def test_a_conversation_is_shown_by_number_id_or_title(talk: None) -> None:
    shown = out("sessions", "show", "1")
    assert shown == out("sessions", "show", "fab-button-20251103") == out("sessions", "show", "FAB Button")
    assert [line.split("  ")[-1] for line in map(str.rstrip, shown.splitlines())][-2:] == [
        "Make it purple",
        "meaning: Make the FAB button purple",
    ]
    assert "'anaphora sessions list'" in error("sessions", "show", "nothing", code=2)


def test_conversations_begin_end_and_are_gone_on_with(talk: None) -> None:
    assert out("sessions", "new", "Login") == "Started #3 Login.\n"
    assert out("sessions", "end", "--outcome", "tested") == "Ended #3 Login as tested.\n"
    assert "no open conversation" in error("sessions", "end", code=2)
    assert out("sessions", "restore", "1").startswith("✓ Restored session: #1 FAB Button\n")


def test_events_go_on_after_the_last_one_known(talk: None) -> None:
    known = read("events", "--json")
    assert known[0]["kind"] == "conversation.started"
    assert read("events", "--since", str(known[-2]["seq"]), "--json") == known[-1:]
    assert "conversation.boundary" in out("events")


# --- by hand ------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("K9")
def test_the_window_is_loaded_logged_and_cleared_by_hand_from_the_command_line_and_the_library(
    store_path: Path,
) -> None:
    assert read("load") == []
    run("log", "--message", "Make it purple", "--intent", "EXECUTE", "--session-id", "fab", "--context-ref", "button")
    with anaphora.open(store_path) as memory:
        loaded = memory.load()
        memory.log("Test it", intent="TEST", session_id="fab", context_ref="button")
    assert [(m["user_message"], m["intent"], m["session_id"], m["context_ref"]) for m in loaded] == [
        ("Make it purple", "EXECUTE", "fab", "button")
    ]
    assert [m["user_message"] for m in read("load")] == ["Make it purple", "Test it"]
    assert out("clear") == "Removed 2 messages.\n"
    with anaphora.open(store_path) as memory:
        assert memory.load() == []
        memory.log("Once more", intent="ASK")
        assert memory.clear() == 1
    assert read("clear", "--yes", "--json") == {"removed": 0}


def test_the_light_context_answers_in_raw_json_with_an_exit_code() -> None:
    fields: dict[str, Any] = {"last_intent": "x", "last_task_id": None, "pending_fields": [], "last_user_message": "hi"}
    stored = read("light", "--session", "t", stdin=json.dumps({"action": "store", **fields}))
    assert stored == {"success": True, "stored_context": fields}
    assert read("light", "--session", "t", stdin='{"action": "retrieve"}')["context"] == fields
    assert read("light", "--session", "t", stdin='{"action": "clear"}')["success"] is True
    for bad in ("", "no json", b"\xff", '{"action": "fly"}'):
        result = run("light", "--session", "t", stdin=bad, code=1)
        assert json.loads(result.stdout)["success"] is False
        assert result.stderr == ""


def test_the_light_context_answers_even_where_the_settings_are_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANAPHORA_LIGHT_TIMEOUT", "soon")
    assert "light_timeout" in json.loads(run("light", stdin='{"action": "clear"}', code=1).stdout)["error"]


# --- files --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", get_args(ExportFormat))
def test_what_is_exported_can_be_imported_and_twice_is_once(talk: None, form: str, tmp_path: Path) -> None:
    file = str(tmp_path / "out")
    assert out("export", file, "--format", form) == f"Wrote 3 messages to {file}.\n"
    assert out("--user", "other", "import", file) == f"{file}: 3 new, 0 known\n"
    assert read("--user", "other", "import", file, file, "--json") == [{"file": file, "new": 0, "known": 3}] * 2


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"a": 1}\n')
    assert str(bad) in error("import", str(bad), "--format", "kds", code=2)
    assert "cannot be read" in error("import", str(tmp_path / "none"), code=2)
    assert "cannot be read: File name too long" in error("import", "x" * 300, code=2)


def test_the_command_line_knows_every_format() -> None:
    assert get_args(FileFormat) == get_args(ExportFormat)


# --- settings -----------------------------------------------------------------------------------------------------


def test_each_setting_says_where_its_value_came_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "anaphora.toml").write_text('window = 7\ngap_new = "90m"\n')
    monkeypatch.setenv("ANAPHORA_QUEUE", "9")
    rows = {row["key"]: row for row in read("--preset", "brain", "--user", "eve", "config", "--json")}
    assert list(rows) == [about.key for about in describe()]
    assert (rows["window"]["value"], rows["window"]["origin"]) == (7, str(tmp_path / "anaphora.toml"))
    assert (rows["queue"]["value"], rows["queue"]["origin"]) == (9, "ANAPHORA_QUEUE")
    assert (rows["user"]["value"], rows["user"]["origin"]) == ("eve", "the command line")
    assert rows["ask_below"]["origin"] == "preset brain"
    assert rows["timezone"]["origin"] == "default"
    table = out("config", "--changed")
    assert re.search(r"gap_new +90m", table)
    assert "timezone" not in table


def test_the_store_that_is_used_by_default_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANAPHORA_STORE")
    assert next(r["value"] for r in read("config", "--json") if r["key"] == "store").endswith("anaphora.db")


def test_an_unknown_or_bad_setting_is_an_error_that_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANAPHORA_WINDO", "3")
    assert "Did you mean 'window'?" in error("load", code=2)
    monkeypatch.delenv("ANAPHORA_WINDO")
    monkeypatch.setenv("ANAPHORA_WINDOW", "many")
    assert "a whole number" in error("load", code=2)


def test_the_options_before_the_command_choose_the_scope(talk: None, tmp_path: Path) -> None:
    for option in ("--user", "--agent", "--project"):
        assert read(option, "other", "sessions", "list", "--json") == []
    assert read("--session", "other", "load") == []
    assert len(read("--session", "other", "sessions", "list", "--json")) == 2
    assert read("--store", str(tmp_path / "b.db"), "sessions", "list", "--json") == []


# --- what is printed ----------------------------------------------------------------------------------------------

VIEWS = [
    ("hear", "Make it red"),
    ("say", "ok"),
    ("context", "red?"),
    ("recall", "evil"),
    ("sessions", "list"),
    ("sessions", "show", "1"),
    ("sessions", "new", "Next"),
    ("sessions", "end"),
    ("sessions", "restore", "1"),
    ("events",),
    ("log", "--message", "hi", "--intent", "ASK"),
    ("config",),
    ("export", "out.json"),
    ("clear",),
]


@pytest.mark.parametrize("view", VIEWS, ids=" ".join)
def test_no_view_lets_remembered_text_steer_the_terminal(view: tuple[str, ...]) -> None:
    run("hear", EVIL)
    shown = out(*view)
    assert not {"\x1b", "\x9b", "\u202e"} & set(shown)


@pytest.mark.parametrize("view", VIEWS, ids=" ".join)
def test_with_json_stdout_holds_json_and_nothing_else(view: tuple[str, ...]) -> None:
    run("hear", EVIL)
    shown = out(*view, "--json")
    assert isinstance(json.loads(shown), dict | list)
    assert not {"\x1b", "\x9b", "\u202e"} & set(shown)


def test_remembered_text_is_shown_as_it_is_and_never_as_markup() -> None:
    run("hear", EVIL)
    shown = out("sessions", "show", "1")
    assert "evil ␛[31mred<U+009B>1m [bold]text[/bold] :smile: <U+202E>flip" in shown
    assert read("sessions", "show", "1", "--json")["messages"][0]["text"] == EVIL


def test_colours_are_for_terminals_without_no_color(talk: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b" not in out("sessions", "list")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b[" in out("sessions", "list")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in out("sessions", "list")
    assert "\x1b" not in process("--help").stdout


def test_a_stream_that_lacks_a_character_does_not_break_a_view(talk: None) -> None:
    env = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    assert "FAB Button" in process("sessions", "list", env=env).stdout
    run("hear", "Größe")
    assert json.loads(process("load", env=env).stdout)[-1]["user_message"] == "Größe"


# --- errors -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("hear", " "), "The message is empty."),
        (("hear", "hi", "--at", "2025-11-03"), "has no zone"),
        (("hear", "hi", "--at", "soon"), "'soon' is not an ISO 8601 time. Write it like 2025-11-03T14"),
        (("recall", "hi", "-k", "0"), "k must be at least 1"),
        (("context", "hi", "--budget", "0"), "at least 1 token"),
        (("--user", "", "load"), "must be a text that is not empty"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(args: tuple[str, ...], says: str) -> None:
    assert says in error(*args, code=2)


def test_a_store_that_cannot_be_used_is_one_line_and_exit_code_1(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("this is no store, it is a note" * 100)
    assert "note.txt" in error("--store", str(tmp_path / "note.txt"), "load", code=1)


@pytest.mark.parametrize(
    "args",
    [
        ("fly",),
        ("hear",),
        ("--preset", "none", "load"),
        ("sessions", "end", "--outcome", "fine"),
        ("events", "--since", "x"),
    ],
    ids=" ".join,
)
def test_wrong_usage_is_exit_code_2_and_shows_the_usage(args: tuple[str, ...]) -> None:
    assert "Usage: anaphora" in run(*args, code=2).stderr


def test_a_bug_is_admitted_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Memory) -> None:
        raise ZeroDivisionError("half\na line")

    monkeypatch.setattr(Memory, "load", broken)
    told = error("load", code=70)
    assert "bug in Anaphora: ZeroDivisionError: half a line" in told
    assert "--debug" in told
    assert "Traceback" in run("--debug", "load", code=70).stderr


def test_debug_shows_where_an_error_came_from_and_keeps_its_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Traceback" in run("--debug", "hear", " ", code=2).stderr
    monkeypatch.setenv("ANAPHORA_DEBUG", "1")
    assert "Traceback" in run("hear", " ", code=2).stderr


def test_an_interrupt_is_exit_code_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: Memory) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Memory, "load", interrupted)
    assert run("load", code=130).output == ""


def test_an_error_in_a_process_of_its_own_has_no_traceback() -> None:
    failed = process("sessions", "show", "nothing", "--json")
    assert (failed.returncode, failed.stdout) == (2, "")
    assert failed.stderr == "Error: There is no conversation 'nothing'. 'anaphora sessions list' shows them all.\n"


@pytest.mark.skipif(os.name == "nt", reason="arguments are bytes on POSIX alone")
def test_an_argument_that_is_no_text_is_refused_in_words() -> None:
    for args in (("hear", b"caf\xe9"), (b"\xff",), ("--user", b"\xff", "load")):
        failed = process(*args)
        assert (failed.returncode, failed.stdout) == (2, "")
        assert failed.stderr.startswith("Error: Argument ")
        assert failed.stderr.count("\n") == 1


def test_a_reader_that_went_away_ends_it_quietly(talk: None) -> None:
    for args in (["events", "--json"], ["sessions", "list"]):
        reading, writing = os.pipe()
        os.close(reading)
        with os.fdopen(writing, "wb") as gone:
            command = [sys.executable, "-m", "anaphora", *args]
            ended = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=gone, stderr=subprocess.PIPE, check=False)
        assert (ended.returncode, ended.stderr) == (1, b"")


# --- the program --------------------------------------------------------------------------------------------------


def test_the_version_is_told_in_both_ways() -> None:
    assert out("version") == out("--version") == f"anaphora {anaphora.__version__}\n"


def test_every_command_says_what_it_does_in_one_sentence() -> None:
    from typer.main import get_command

    root: Any = get_command(app)
    groups = [root, *(c for c in root.commands.values() if hasattr(c, "commands"))]
    for command in (c for group in groups for c in group.commands.values()):
        assert command.help.strip().endswith(".")
        assert "\n" not in command.help.strip()
        assert all(p.help for p in command.params if hasattr(p, "help")), command.name


def test_help_loads_neither_the_engine_nor_a_store() -> None:
    code = "import sys, anaphora.interfaces.cli.app; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {"apsw", "rich", "rs_bpe", "anaphora.engine"} & set(loaded) == set()


def test_the_shell_completes_commands() -> None:
    env = {**os.environ, "_ANAPHORA_COMPLETE": "complete_bash", "COMP_WORDS": "anaphora se", "COMP_CWORD": "1"}
    assert process(env=env).stdout.split() == ["sessions"]


def test_the_generated_pages_are_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert generate.main(["--check"]) == 0, capsys.readouterr().err


def test_a_page_that_is_out_of_date_is_found_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(generate, "_FOLDER", tmp_path)
    assert generate.main(["--check"]) == 1
    assert "docs/cli.md is out of date" in capsys.readouterr().err
    assert generate.main([]) == 0
    assert generate.main(["--check"]) == 0
    assert "## anaphora sessions show" in (tmp_path / "cli.md").read_text("utf-8")
    assert "`gap_completed`" in (tmp_path / "presets.md").read_text("utf-8")
