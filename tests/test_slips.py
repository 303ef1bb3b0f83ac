"""A newcomer's slips are told what to write instead, and forgetting on the command line asks first."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from anaphora import Memory
from anaphora.types import Forgotten
from tests.commands import error, own_store, run

HUGE = "9" * 5000


@pytest.fixture(autouse=True)
def _own_store(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_store(store_path, monkeypatch)


# --- a newcomer's slips -------------------------------------------------------------------------------------------


def test_an_option_behind_the_command_is_told_its_place() -> None:
    for args in (("hear", "x", "--project", "foo"), ("sessions", "list", "--store", "x.db")):
        assert f"goes before the command: anaphora {args[-2]} …" in run(*args, code=2).stderr


def test_a_text_without_quotes_is_told_to_have_them() -> None:
    assert "stands in quotes: anaphora hear 'like this'" in run("hear", "make", "it", "red", code=2).stderr
    assert "quotes" not in run("sessions", "list", "it", code=2).stderr


@pytest.mark.parametrize("name", ["why", "/why", "set_goal"])
def test_a_slash_command_is_told_how_it_is_called_here(name: str) -> None:
    assert f"anaphora command '/{name.lstrip('/')}'" in run(name, code=2).stderr
    assert "slash command" not in run("recal", code=2).stderr


@pytest.mark.parametrize("store", ["", " "])
def test_a_store_without_a_name_is_refused_and_none_is_made(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "'store' in the command line: it is empty. Name a file, or :memory:" in error("--store", store, "load")
    monkeypatch.setenv("ANAPHORA_STORE", store)
    assert "'store' in ANAPHORA_STORE: it is empty." in error("load")


@pytest.mark.parametrize("said", ["\u200b", "\ufeff \u2060", "\u3164"])
def test_a_message_that_nobody_can_see_is_refused_as_an_empty_one_is(said: str) -> None:
    for args in (("hear", said), ("say", said), ("recall", said), ("context", said)):
        assert " is empty. " in error(*args)
    assert "The goal is empty. Write what it says." in error("state", "add", "goal", said)
    assert "The fact is empty." in error("facts", "add", said)
    assert "Make it purple" in run("chat", stdin=f"{said}\nMake it purple\n").stdout
    assert [one["message_count"] for one in json.loads(run("sessions", "list", "--json").stdout)] == [1]


def test_before_anything_is_said_no_message_is_spoken_of() -> None:
    assert "Context before anything is said" in run("show").stdout
    run("hear", "Make it purple")
    assert "Context of the last message" in run("show").stdout


def test_settings_in_a_table_are_told_where_they_stand(tmp_path: Path) -> None:
    (tmp_path / "anaphora.toml").write_text("[anaphora]\nwindow = 3\n", "utf-8")
    told = error("load")
    assert str(tmp_path / "anaphora.toml") in told
    assert "Settings stand at the top level" in told


def test_a_settings_file_with_a_number_of_too_many_digits_is_named(tmp_path: Path) -> None:
    (tmp_path / "anaphora.toml").write_text(f"window = {HUGE}\n", "utf-8")
    assert "is not valid TOML" in error("load")


def test_an_empty_query_is_called_a_query() -> None:
    assert error("recall", " ") == "Error: The query is empty. Write what to look for.\n"


@pytest.mark.parametrize("command", [("sessions", "show"), ("sessions", "restore"), ("forget", "conversation")])
@pytest.mark.parametrize("name", ["fab", "FAB Buton", "button"])
def test_an_unknown_conversation_is_answered_with_the_nearest_titles(command: tuple[str, ...], name: str) -> None:
    run("hear", "I want to add a FAB button")
    assert "Did you mean 'FAB Button'?" in error(*command, name)
    assert "sessions list" in error(*command, "something else entirely")


def test_a_question_before_clearing_counts_in_good_english(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr("typer.confirm", lambda question, **_: asked.append(question))
    with terminal(monkeypatch):
        run("hear", "I want to add a FAB button")
        run("clear")
    assert asked == ["Delete “FAB Button” and its 1 message for good?"]
    assert "without a terminal it does not ask" in run("clear", "--help").stdout


@contextmanager
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Someone is there to ask."""
    with monkeypatch.context() as patch:
        patch.setattr("typer.testing._NamedTextIOWrapper.isatty", lambda self: self.name == "<stdin>", raising=False)
        yield


def test_the_example_ends_with_a_command_that_works(monkeypatch: pytest.MonkeyPatch) -> None:
    last = "To chat for real, run: "
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
    assert run("chat").stdout.endswith(f"{last}anaphora chat\n")
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr(sys, "argv", ["my tools/anaphora", "chat"])
    assert run("chat").stdout.endswith(f"{last}'my tools/anaphora' chat\n")
    monkeypatch.setattr(sys, "argv", ["/anywhere/anaphora/__main__.py", "chat"])
    monkeypatch.setattr(sys, "orig_argv", ["python3", "-m", "anaphora", "chat"])
    assert run("chat").stdout.endswith(f"{last}python3 -m anaphora chat\n")


# --- forgetting ---------------------------------------------------------------------------------------------------


@pytest.fixture
def said() -> None:
    run("hear", "I want to add a FAB button", "--id", "one")
    run("hear", "Make it purple", "--id", "two")
    run("--project", "web", "hear", "Make the page red")


@pytest.mark.parametrize("what", [("message", "two"), ("conversation", "FAB Button"), ("user",)], ids=" ".join)
def test_without_a_terminal_nothing_is_forgotten_unasked(said: None, what: tuple[str, ...]) -> None:
    assert "Add --yes" in error("forget", *what)
    assert len(json.loads(run("load").stdout)) == 2


def test_a_message_a_conversation_and_a_user_are_forgotten(said: None) -> None:
    assert run("forget", "message", "two", "--yes").stdout.startswith("Forgot 1 message.\n")
    assert [m["user_message"] for m in json.loads(run("load").stdout)] == ["I want to add a FAB button"]
    assert json.loads(run("forget", "conversation", "FAB Button", "-y", "--json").stdout)["messages"] == 1
    assert json.loads(run("sessions", "list", "--json").stdout) == []
    done = json.loads(run("forget", "user", "--yes", "--json").stdout)
    assert done["messages"] == 1
    assert set(done) == {"messages", "scopes", "notes"}
    assert "There is no message 'two'" in error("forget", "message", "two", "--yes")


def test_what_may_still_hold_it_is_said(said: None, monkeypatch: pytest.MonkeyPatch) -> None:
    done = Forgotten(3, 2, ("copy.db may hold it.", "So may a log."))
    monkeypatch.setattr(Memory, "forget", lambda *_, **__: done)
    shown = run("forget", "user", "--yes").stdout
    assert shown == "Forgot 3 messages.\nNote: copy.db may hold it.\nNote: So may a log.\n"


def test_at_a_terminal_forgetting_is_asked_about(said: None, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr("typer.confirm", lambda question, **_: asked.append(question))
    with terminal(monkeypatch):
        run("forget", "message", "two")
        run("forget", "conversation", "1")
        run("forget", "user")
    assert asked == [
        "Forget “Make it purple” for good?",
        "Forget “FAB Button” and its 1 message for good?",
        "Forget everything of the user “me”, in all agents and projects, for good?",
    ]
