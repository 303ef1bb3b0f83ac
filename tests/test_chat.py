"""The chat in the terminal: the example that plays by itself, lines from a pipe, and a person at a terminal."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from rich.cells import cell_len
from typer.testing import CliRunner, Result

import anaphora
from anaphora.interfaces.cli.app import app
from anaphora.interfaces.cli.script import SCRIPT

PATIENCE = 30  # seconds until a chat that says nothing counts as stuck


@pytest.fixture(autouse=True)
def _own_store(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANAPHORA_STORE", str(store_path))
    for name in ("FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)


def chat(*lines: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, ["chat"], input="".join(f"{line}\n" for line in lines))
    assert result.exit_code == code, result.output
    return result


# --- the example --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def example() -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "100")
        result = CliRunner().invoke(app, ["chat"], input="\n\n")
    assert result.exit_code == 0, result.output
    return result.stdout


def test_with_nobody_to_type_an_example_is_played(example: str) -> None:
    said = [line.removeprefix("› ") for line in example.splitlines() if line.startswith("› ")]
    assert said == [line.text for line in SCRIPT if line.role == "user"]
    assert example.rstrip().endswith("anaphora chat")


def test_the_example_shows_what_it_means_in_whole_sentences(example: str) -> None:
    assert "means      Make the FAB button purple" in example
    assert "means      Use toggle switch for dark mode, not button" in example
    assert "means      Put the dark mode toggle in the header" in example
    assert "means      Make the dark mode toggle bigger" in example
    assert "means      And use the FAB button from last week" in example


def test_the_example_changes_the_subject_asks_when_unsure_and_reaches_back(example: str) -> None:
    assert "#2 Dark Mode  new conversation" in example
    assert re.search(r"asks .*go on with what we had\?\n +A  go on with Dark Mode\n +B  something new", example)
    assert "settled    “Make it bigger” goes on with #2 Dark Mode" in example
    assert "means      Add dark mode, like in conversation #2 (Dark Mode)" in example
    assert "the button → FAB button 90%  in #1 FAB Button" in example


def test_the_readme_shows_what_is_played(example: str) -> None:
    readme = Path(__file__).parents[1].joinpath("README.md").read_text("utf-8")
    shown = re.search(r"```\n(› I want to add a FAB button.*?)```", readme, re.DOTALL)
    assert shown is not None
    sure = re.compile(r"\d+%")  # how sure it is may differ a little from machine to machine
    assert sure.sub("", shown[1].strip()) in sure.sub("", example)


def test_the_example_ends_with_the_context_and_its_tokens(example: str) -> None:
    assert re.search(r"\n\d+ of 1,000 tokens\n\S+\n", example)
    assert "## Recent Conversation" in example


def test_the_example_leaves_the_users_own_store_alone(store_path: Path) -> None:
    command = [sys.executable, "-m", "anaphora", "chat"]
    played = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=True)
    assert "Make the FAB button purple" in played.stdout
    assert "\x1b" not in played.stdout
    assert played.stderr == ""
    assert not store_path.exists()


def test_a_narrow_terminal_cuts_nothing_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    shown = chat().stdout
    assert max(cell_len(line) for line in shown.splitlines()) <= 40
    assert "Put the dark mode toggle in" in shown


# --- a pipe -------------------------------------------------------------------------------------------------------


def test_each_line_of_a_pipe_is_heard(store_path: Path) -> None:
    shown = chat("I want to add a FAB button", "", "Make it purple", "/etc/hosts is wrong").stdout
    assert "means      Make the FAB button purple" in shown
    with anaphora.open(store_path) as memory:
        heard = [m.text for c in memory.conversations() for m in memory.conversation(c.id).messages]
    assert sorted(heard) == ["/etc/hosts is wrong", "I want to add a FAB button", "Make it purple"]


def test_commands_work_in_a_pipe_too() -> None:
    shown = chat(
        "I want to add a FAB button",
        "/say Sure, a FAB button.",
        "/state",
        "/why",
        "/recall button",
        "/context 400",
        "/new Login",
        "/sessions",
        "/end tested",
        "/help",
        "/quit",
        "never heard",
    ).stdout
    for piece in (
        "The reply is kept.",
        "goal-1  ⏳ add a FAB button",
        "It is the first message here.",
        "it says “button”",
        "of 400 tokens",
        "Started #2 Login.",
        "✨ active",
        "Ended #2 Login as tested.",
        "/recall WORDS",
    ):
        assert piece in shown
    assert "never heard" not in shown


def test_what_a_message_closes_is_shown_under_it() -> None:
    shown = chat("I want to add a FAB button", "I live in Paris", "I moved to Berlin", "The FAB button is done").stdout
    assert "closes     I live in Paris" in shown
    assert "closes     add a FAB button" in shown


@pytest.mark.requirement("Q13")
def test_slash_commands_that_the_terminal_has_no_view_for_answer_in_words() -> None:
    shown = chat(
        "/set_goal Write the tests",
        "/log_decision Use RS256 because keys rotate",
        "/why dec-2",
        "/state --json",
        "/undo",
        "/complete_goal tests",
        "/context summary",
    ).stdout
    for piece in (
        "Kept as goal goal-1  ⏳ Write the tests.",
        "Completed goal-1 “Write the tests”.",
        "Nothing was said yet.",
        "dec-2 is a decision: Use RS256",
        '"because": "keys rotate"',
        "Took back “Use RS256”.",
    ):
        assert piece in shown


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("/contxt", "Did you mean /context?"),
        ("/xyzzy", "/help lists them all."),
        ("/context many", "Use one of: status, show, summary"),
        ("/context show", "Say something first."),
        ("/context 9999999999999999", "A budget is a number of tokens"),
        ("/why", "Say something first."),
        ("/end", "There is no open conversation to end."),
        ("/recall", "Type /recall and a few words."),
        ("/say", "Type /say and the reply."),
    ],
)
def test_a_command_that_cannot_be_done_says_what_to_do(line: str, says: str) -> None:
    result = chat(line, code=2)
    assert says in result.stderr
    assert result.stderr.count("\n") == 1


def test_an_answer_in_a_pipe_settles_the_message_that_waited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANAPHORA_ASK_BELOW", "1")
    monkeypatch.setenv("ANAPHORA_GAP_SAME", "0s")
    shown = chat("I want to add a FAB button", "Make it purple", "A").stdout
    assert "asks" in shown
    assert "settled    “Make it purple” goes on with #1 FAB Button" in shown
    assert shown.count("means      Make the FAB button purple") == 1


def test_what_is_typed_cannot_steer_the_terminal() -> None:
    shown = chat("evil \x1b[31mred [bold]text[/bold]", "/sessions", "/context").stdout
    assert "\x1b" not in shown
    assert "evil ␛[31mred [bold]text[/bold]" in shown


# --- a person at a terminal ---------------------------------------------------------------------------------------


class Terminal:
    """A chat in a process of its own, at a terminal that we hold the other end of."""

    def __init__(self, *options: str, kind: str = "dumb") -> None:
        pty = pytest.importorskip("pty")
        self._ours, theirs = pty.openpty()
        env = {**os.environ, "TERM": kind, "COLUMNS": "100", "PYTHONUTF8": "1"}
        command = [sys.executable, "-m", "anaphora", *options, "chat"]
        self.process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=env)
        os.close(theirs)

    def until_prompt(self) -> str:
        """What is shown until the chat waits for a line."""
        shown = b""
        while not shown.endswith("› ".encode()):
            shown += self._read()
        return shown.decode().replace("\r\n", "\n")

    def until_asked(self) -> str:
        """What is shown until the chat waits for yes or no."""
        shown = b""
        while b"[y/N]:" not in shown:
            shown += self._read()
        return shown.decode()

    def type(self, line: str) -> str:
        self.press(f"{line}\n".encode())
        return self.until_prompt()

    def press(self, keys: bytes) -> None:
        os.write(self._ours, keys)

    def ends(self) -> int:
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._ours)

    def _read(self) -> bytes:
        assert select.select([self._ours], [], [], PATIENCE)[0], "the chat said nothing"
        return os.read(self._ours, 65536)


@pytest.fixture
def terminal() -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def open_one(*options: str, kind: str = "dumb") -> Terminal:
        opened.append(Terminal(*options, kind=kind))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


def test_a_person_talks_looks_at_the_context_and_leaves(terminal: Callable[..., Terminal], store_path: Path) -> None:
    live = terminal("--user", "ann")
    greeting = live.until_prompt()
    assert "user ann" in greeting
    assert store_path.name in greeting
    assert "0 conversations remembered" in greeting
    assert "/help" in greeting
    assert "goal add a FAB button" in live.type("I want to add a FAB button")
    assert "means      Make the FAB button purple" in live.type("Make it purple")
    assert "A context takes" in live.type("/context")
    assert "Recent Conversation" in live.type("/context show")
    live.press(b"/quit\n")
    assert live.ends() == 0
    assert "1 conversation remembered" in terminal("--user", "ann").until_prompt()


@pytest.mark.parametrize("line", ["/context clear", "/forget last", "/forget conversation 'FAB Button'"])
def test_at_a_terminal_what_deletes_asks_first(terminal: Callable[..., Terminal], store_path: Path, line: str) -> None:
    live = terminal()
    live.until_prompt()
    live.type("I want to add a FAB button")
    live.press(f"{line}\n".encode())
    assert "for good?" in live.until_asked()
    assert "Nothing was deleted." in live.type("n")
    with anaphora.open(store_path) as memory:
        assert memory.current() is not None
    assert "1 message" in live.type(f"{line} --yes")
    with anaphora.open(store_path) as memory:
        assert memory.last_heard() is None


def test_a_mistake_at_the_terminal_does_not_end_the_chat(terminal: Callable[..., Terminal]) -> None:
    live = terminal()
    live.until_prompt()
    assert "Did you mean /state?" in live.type("/stat")
    assert "wants" in live.type("Add a button")


@pytest.mark.parametrize("leave", ["end of input", "interrupt"])
def test_a_person_leaves_without_a_word(terminal: Callable[..., Terminal], store_path: Path, leave: str) -> None:
    live = terminal()
    live.until_prompt()
    live.type("I want to add a FAB button")
    if leave == "interrupt":
        live.process.send_signal(signal.SIGINT)
        with suppress(OSError):  # it may be gone by now
            live.press(b"\n")  # a signal that comes just before the wait for keys is noticed with the next key
    else:
        live.press(b"\x04")
    assert live.ends() == 0
    with anaphora.open(store_path) as memory:
        assert [c.message_count for c in memory.conversations()] == [1]


def test_what_is_pasted_is_one_message_however_many_lines_it_has(
    terminal: Callable[..., Terminal], store_path: Path
) -> None:
    live = terminal(kind="xterm")
    live.until_prompt()
    live.type("\x1b[200~why does this fail?\nprint(1)\nprint(2)\x1b[201~")
    live.press(b"/quit\n")
    assert live.ends() == 0
    with anaphora.open(store_path) as memory:
        assert [m.text for m in memory.conversation("1").messages] == ["why does this fail?\nprint(1)\nprint(2)"]
