"""Claude Code and Codex as people run them: what was said comes back to the model, across turns, sessions, compactions
and accidents, and whatever happens to Anaphora the assistant does its work."""

from __future__ import annotations

import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from anaphora.configuration import default_store
from anaphora.interfaces.hooks import journal
from tests.assistants.desk import Desk, Ran
from tests.assistants.model_server import Edit, ModelServer
from tests.daemons import until

ASSISTANTS = ["claude-code", "codex"]
MEANS = "“Make it purple” means: Make the FAB button purple"


def installed(desk: Desk, *hosts: str) -> None:
    for host in hosts:
        desk.anaphora("install", host)
    if "codex" in hosts:
        assert set(desk.trust_codex_hooks()) == {"trusted"}


def say(desk: Desk, host: str, text: str, *, going_on: bool = False) -> Ran:
    """One prompt; in a new session, or going on with the last one."""
    if host == "claude-code":
        return desk.claude(text, *(["--continue"] if going_on else []), "--permission-mode", "acceptEdits")
    return desk.codex(*(["resume", "--last"] if going_on else []), text)


def texts(desk: Desk) -> list[str]:
    with desk.memory() as memory:
        return [m.text for c in memory.conversations() for m in memory.conversation(c.id).messages]


@pytest.mark.requirement("G2")
@pytest.mark.parametrize("host", ASSISTANTS)
def test_what_it_means_reaches_the_model(host: str, desk: Desk, model: ModelServer) -> None:
    installed(desk, host)
    first = say(desk, host, "I want to add a FAB button")
    assert (first.returncode, first.stdout.strip()) == (0, "Done.")
    assert model.turns[-1].notes == []
    second = say(desk, host, "Make it purple", going_on=True)
    assert (second.returncode, second.stdout.strip()) == (0, "Done.")
    assert any(MEANS in note for note in model.turns[-1].notes)
    assert texts(desk) == ["I want to add a FAB button", "Done.", "Make it purple", "Done."]


@pytest.mark.parametrize("host", ASSISTANTS)
def test_a_second_session_remembers_the_first(host: str, desk: Desk, model: ModelServer) -> None:
    installed(desk, host)
    say(desk, host, "The staging server listens on port 8443")
    say(desk, host, "On which port does the staging server listen?")
    assert any("The staging server listens on port 8443" in note for note in model.turns[-1].notes)


@pytest.mark.parametrize("host", ASSISTANTS)
def test_a_compaction_is_survived(host: str, desk: Desk, model: ModelServer) -> None:
    installed(desk, host)
    if host == "codex":
        config = desk.home / ".codex" / "config.toml"
        config.write_text("model_auto_compact_token_limit = 1000\n" + config.read_text())
    say(desk, host, "Let's use RS256 because the keys are asymmetric")
    model.reply = lambda request: "Nothing of note was said." if "RS256" in request.text else "Done."
    if host == "claude-code":
        desk.claude("/compact", "--continue")
    else:
        model.tokens = 5000  # more than the window is said to hold: Codex makes room before the next turn
        say(desk, host, "Add a footer to the page", going_on=True)
    seen = len(model.turns)
    say(desk, host, "Add a header to the page", going_on=True)
    assert any("RS256" in note for turn in model.turns[seen:] for note in turn.notes)


@pytest.mark.parametrize("host", ASSISTANTS)
def test_a_killed_daemon_is_not_noticed(host: str, desk: Desk, model: ModelServer) -> None:
    installed(desk, host)
    say(desk, host, "I want to add a FAB button")
    until(lambda: desk.ask_daemon("status"))
    killed = (desk.ask_daemon("status") or {})["pid"]
    os.kill(killed, signal.SIGKILL)
    done = say(desk, host, "Make it purple", going_on=True)
    assert (done.returncode, done.stdout.strip()) == (0, "Done.")
    assert MEANS in model.turns[-1].text
    until(lambda: desk.ask_daemon("status"))
    assert (desk.ask_daemon("status") or {})["pid"] != killed
    assert texts(desk) == ["I want to add a FAB button", "Done.", "Make it purple", "Done."]


def test_two_assistants_at_once_share_one_project(desk: Desk, model: ModelServer) -> None:
    installed(desk, *ASSISTANTS)
    said = {host: [f"{host} writes page {n} of the manual" for n in range(4)] for host in ASSISTANTS}

    def talk(host: str) -> list[int]:
        return [say(desk, host, text, going_on=n > 0).returncode for n, text in enumerate(said[host])]

    with ThreadPoolExecutor(2) as both:
        assert [*both.map(talk, ASSISTANTS)] == [[0] * 4, [0] * 4]
    heard = [text for text in texts(desk) if text != "Done."]
    assert sorted(heard) == sorted(text for each in said.values() for text in each)
    say(desk, "claude-code", "Let's use RS256 because the keys are asymmetric")
    say(desk, "codex", "What is next?")
    assert any("RS256" in note for note in model.turns[-1].notes)
    with desk.memory() as memory:
        assert [d.author for d in memory.state.decisions if "RS256" in d.text] == ["claude-code"]


def test_files_that_claude_code_edits_are_known(desk: Desk, model: ModelServer) -> None:
    installed(desk, "claude-code")
    file = desk.project / "login.py"
    model.reply = lambda _: Edit(str(file), "x = 1\n", then="It is written.")
    done = say(desk, "claude-code", "Write the login page")
    assert done.stdout.strip() == "It is written."
    assert file.read_text() == "x = 1\n"
    with desk.memory() as memory:
        assert memory.state.files.last_edited == "login.py"


@pytest.mark.parametrize("host", ASSISTANTS)
def test_a_broken_store_is_not_noticed_and_doctor_tells_of_it(host: str, desk: Desk, model: ModelServer) -> None:
    installed(desk, host)
    store = Path(default_store(desk.env))
    store.parent.mkdir(parents=True, exist_ok=True)
    store.write_bytes(b"no database at all, " * 300)
    done = say(desk, host, "I want to add a FAB button")
    assert (done.returncode, done.stdout.strip()) == (0, "Done.")
    assert model.turns[-1].notes == []
    assert any(entry["what"] == "StoreUnreadable" for entry in journal.entries(desk.env))


@pytest.mark.parametrize("host", ASSISTANTS)
def test_uninstalled_it_hears_nothing(host: str, desk: Desk) -> None:
    installed(desk, host)
    desk.anaphora("uninstall", host)
    assert say(desk, host, "I want to add a FAB button").returncode == 0
    assert not Path(default_store(desk.env)).exists()


def test_codex_runs_no_hook_that_was_not_trusted(desk: Desk) -> None:
    desk.anaphora("install", "codex")
    assert say(desk, "codex", "I want to add a FAB button").returncode == 0
    assert texts(desk) == []  # the MCP server, which needs no trust, may have made an empty store


def test_slash_commands_reach_claude_code_as_skills(desk: Desk, model: ModelServer) -> None:
    installed(desk, "claude-code")
    desk.claude("/remember the port is 8080")
    asked = model.turns[-1].text
    assert "/remember the port is 8080" in asked
    assert "--project here" in asked
    assert texts(desk) in ([], ["Done."])


def test_claude_code_reaches_the_mcp_server(desk: Desk) -> None:
    installed(desk, "claude-code")
    listed = desk.claude_command("mcp", "list")
    assert "anaphora" in listed.stdout
    assert "Connected" in listed.stdout


def test_status_names_both(desk: Desk) -> None:
    installed(desk, *ASSISTANTS)
    rows = json.loads(desk.anaphora("status", "--json").stdout)
    assert {r["host"] for r in rows if r["status"] == "installed" and r["where"] == "for you"} == set(ASSISTANTS)
