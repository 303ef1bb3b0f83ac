"""The command line in a test: a command run in this process, and the one line that it failed with."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from anaphora.interfaces.cli.app import app

__all__ = ["error", "own_store", "run"]


def own_store(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command of a test talks to the test's own store, wide and without colours."""
    monkeypatch.setenv("ANAPHORA_STORE", str(store_path))
    for name in ("FORCE_COLOR", "PY_COLORS", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "200")


def run(*args: str, stdin: str | bytes = "", code: int = 0) -> Result:
    result = CliRunner().invoke(app, args, input=stdin, prog_name="anaphora")
    assert result.exit_code == code, result.output
    return result


def error(*args: str, code: int = 2, stdin: str = "") -> str:
    """The one line that a command failed with."""
    told = run(*args, stdin=stdin, code=code).stderr
    assert told.startswith("Error: ")
    assert told.count("\n") == 1
    return told
