"""`anaphora intents`: list, add, remove, for people and for programs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import anaphora
from tests.commands import error, own_store, run

EXAMPLES = ("deploy the app to staging", "ship the build to production", "roll out the new version")


@pytest.fixture(autouse=True)
def _own_store(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_store(store_path, monkeypatch)


def test_they_are_taught_listed_heard_and_removed() -> None:
    assert "No intents of your own yet" in run("intents").stdout
    assert run("intents", "add", "Deploy", *EXAMPLES, "--route", "ops.md").stdout == (
        "Taught Deploy by 3 examples, handled by ops.md.\n"
    )
    shown = run("intents").stdout
    assert "Deploy" in shown
    assert "ops.md" in shown
    assert "“deploy the app to staging”  “ship the build to production”  and 1 more" in shown
    assert "Deploy 9" in run("hear", "ship the new build to production").stdout
    assert run("intents", "remove", "deploy").stdout == "Removed deploy.\n"
    assert "No intents of your own yet" in run("intents").stdout


def test_programs_get_json() -> None:
    added = json.loads(run("intents", "add", "deploy", *EXAMPLES, "--json").stdout)
    assert added == {"name": "deploy", "examples": list(EXAMPLES), "route": None}
    assert json.loads(run("intents", "--json").stdout) == [added]
    assert json.loads(run("intents", "remove", "deploy", "--json").stdout) == {"removed": "deploy"}
    assert json.loads(run("intents", "--json").stdout) == []


def test_examples_come_from_a_file_or_stdin_one_a_line(tmp_path: Path) -> None:
    file = tmp_path / "examples.txt"
    file.write_text("\ufeff" + "\n\n".join(EXAMPLES[1:]) + "\n", "utf-8")
    run("intents", "add", "deploy", EXAMPLES[0], "--from", str(file))
    run("intents", "add", "again", "--from", "-", stdin="\r\n".join(EXAMPLES))
    with anaphora.open() as memory:
        assert [intent.examples for intent in memory.intents] == [EXAMPLES, EXAMPLES]


def test_what_is_wrong_is_said_in_one_line(tmp_path: Path) -> None:
    run("intents", "add", "deploy", *EXAMPLES)
    assert "3 to 20 different examples, and 'x' has 0" in error("intents", "add", "x")
    assert "built in" in error("intents", "add", "PLAN", *EXAMPLES)
    assert "Did you mean 'deploy'?" in error("intents", "remove", "deplyo")
    assert "built in" in error("intents", "remove", "PLAN")
    assert "cannot be read: No such file" in error("intents", "add", "x", "--from", "nowhere.txt")
    assert "cannot be read" in error("intents", "add", "x", "--from", str(tmp_path))
    (tmp_path / "latin").write_bytes(b"caf\xe9")
    assert "not UTF-8" in error("intents", "add", "x", "--from", str(tmp_path / "latin"))
    assert "Usage: anaphora intents add" in run("intents", "add", code=2).stderr
    assert "Usage: anaphora intents" in run("intents", "teach", code=2).stderr


def test_a_process_of_its_own_hears_with_them() -> None:
    run("intents", "add", "deploy", *EXAMPLES, "--route", "ops.md")
    command = [sys.executable, "-m", "anaphora", "hear", "please deploy our app to production", "--json"]
    turn = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert {"name": "deploy", "route": "ops.md"}.items() <= turn["intents"][0].items()
