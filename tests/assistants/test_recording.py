"""A day with each assistant, recorded as the documentation shows it: what was typed, what came back, and what the model
was told besides. `ANAPHORA_TEST_RECORD=1 make test-assistants` writes it into docs/assistants/."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.assistants.desk import Desk
from tests.assistants.model_server import ModelServer, Request

ROOT = Path(__file__).parents[2]
WHERE = ROOT / "docs" / "assistants" if os.environ.get("ANAPHORA_TEST_RECORD") else ROOT / ".assistants" / "recorded"
SAID = {
    "I want to add a FAB button": "The FAB button is in the corner now.",
    "Make it purple": "The FAB button is purple.",
    "Let's use CSS variables for the colours because they are easy to switch": "Noted: CSS variables.",
    "Which colour has the FAB button?": "Purple.",
}


def _reply(request: Request) -> str:
    """To the latest of the prompts that was said by then."""
    return next((SAID[text] for text in reversed(SAID) if text in request.text), "Done.")


class _Recording:
    def __init__(self, desk: Desk, model: ModelServer, host: str) -> None:
        self.lines: list[str] = []
        self._desk = desk
        self._model = model
        self._host = host

    def command(self, *arguments: str) -> None:
        shown = self._desk.anaphora(*arguments).stdout.rstrip().splitlines()
        if arguments[0] == "uninstall":
            shown = ["…", shown[-1]]
        self.lines += ["", f"$ anaphora {' '.join(arguments)}", *(line.rstrip() for line in shown)]

    def prompt(self, text: str, *, going_on: bool) -> str:
        """What was typed and answered, and what the hook added to it: that comes back."""
        if self._host == "claude-code":
            shown = f'claude {"--continue " if going_on else ""}-p "{text}"'
            done = self._desk.claude(*(["--continue"] if going_on else []), text)
        else:
            shown = f'codex exec {"resume --last " if going_on else ""}"{text}"'
            done = self._desk.codex(*(["resume", "--last"] if going_on else []), text)
        known = {note for turn in self._model.turns[:-1] for note in turn.notes} if going_on else set()
        notes = [note for note in self._model.turns[-1].notes if note not in known]
        added = "\n".join(notes)
        told = [f"    │ {line}".rstrip() for line in added.splitlines()]
        heading = ["    ┌ added to the prompt by Anaphora"] if told else ["    (nothing was added to the prompt)"]
        self.lines += ["", f"$ {shown}", *heading, *told, done.stdout.strip()]
        return added

    def text(self) -> str:
        joined = "\n".join(self.lines).strip() + "\n"
        joined = joined.replace(str(self._desk.home), "~").replace(str(self._desk.project), "~/web")
        joined = re.sub(r"[^\s\"]*/bin/(?:python\S* -P -m )?anaphora", "/usr/local/bin/anaphora", joined)
        return re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "2026-11-15 15:30", joined)


@pytest.mark.parametrize("host", ["claude-code", "codex"])
def test_a_day_with_an_assistant(host: str, desk: Desk, model: ModelServer) -> None:
    model.reply = _reply
    day = _Recording(desk, model, host)
    day.command("install", host)
    if host == "codex":
        assert set(desk.trust_codex_hooks()) == {"trusted"}
        day.lines += ["", "(start codex, type /hooks, look at the hooks and press t to trust them)"]
    first, second, third = [*SAID][:3]
    assert day.prompt(first, going_on=False) == ""
    assert "Make the FAB button purple" in day.prompt(second, going_on=True)
    day.prompt(third, going_on=True)
    day.lines += ["", "(later, in a new session)"]
    remembered = day.prompt("Which colour has the FAB button?", going_on=False)
    assert "CSS variables" in remembered
    assert "Make it purple" in remembered
    day.command("--project", "here", "sessions", "list")
    day.command("uninstall", host)
    WHERE.mkdir(parents=True, exist_ok=True)
    (WHERE / f"{host}-session.txt").write_text(day.text(), "utf-8")
