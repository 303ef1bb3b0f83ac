"""Installing into assistants: what is theirs stays to the byte, what is ours comes once, and goes as it came."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.interfaces.install import json_text
from anaphora.interfaces.install.changing import apply, installing, uninstalling
from anaphora.interfaces.install.editing import added, removed
from anaphora.interfaces.install.plans import Entry, Target, is_ours, plan_for
from tests.commands import error, run

HOSTS = ["claude-code", "codex", "cursor", "copilot"]
SETTINGS = {
    "claude-code": (".claude/settings.json", ".claude.json"),
    "codex": (".codex/hooks.json", ".codex/config.toml"),
    "cursor": (".cursor/hooks.json", ".cursor/mcp.json"),
    "copilot": (".copilot/hooks/anaphora.json", ".copilot/mcp-config.json"),
}


@pytest.fixture
def home() -> Path:
    return Path.home()


def everything(folder: Path) -> dict[str, bytes]:
    """Every file below, apart from what we keep of our own."""
    files = [f for f in folder.rglob("*") if f.is_file() and "anaphora" not in f.relative_to(folder).parts]
    return {str(f.relative_to(folder)): f.read_bytes() for f in files}


@pytest.mark.parametrize("where", ["--user", "--project"])
@pytest.mark.parametrize("host", HOSTS)
def test_it_comes_once_and_goes_without_a_trace(host: str, where: str, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    run("install", host, where)
    once = everything(tmp_path)
    assert once
    assert "nothing to change" in run("install", host, where).stdout
    assert everything(tmp_path) == once
    run("uninstall", host, where)
    assert everything(tmp_path) == {}
    assert "nothing to change" in run("uninstall", host, where).stdout


@pytest.mark.parametrize("host", HOSTS)
def test_hooks_and_server_are_named_where_the_assistant_looks(host: str, home: Path) -> None:
    run("install", host)
    hooks, server = (home / name for name in SETTINGS[host])
    assert f"anaphora hook {host}" in hooks.read_text() or f"-m anaphora hook {host}" in hooks.read_text()
    if host == "codex":
        found = tomllib.loads(server.read_text())["mcp_servers"]["anaphora"]
    else:
        found = json.loads(server.read_text())["mcpServers"]["anaphora"]
    assert found["args"][-3:] == ["--project", "here", "mcp"]


def test_what_else_is_in_a_file_stays_as_it_is_to_the_byte(home: Path) -> None:
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    stop = '[ {"hooks": [{"type": "command", "command": "say"}]} ]'
    mine = f'{{\n\t"model":   "opus", // mine\n\t"hooks": {{"Stop": {stop}}}\n}}'
    settings.write_text(mine)
    run("install", "claude-code")
    text = settings.read_text()
    assert '"model":   "opus", // mine' in text
    assert len(json_text.parse(text).value["hooks"]["Stop"]) == 2
    run("uninstall", "claude-code")
    assert settings.read_text() == mine


def test_what_was_changed_after_installing_stays_when_it_is_uninstalled(home: Path) -> None:
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{\n  "model": "opus"\n}\n')
    run("install", "claude-code")
    settings.write_text(settings.read_text().replace("opus", "sonnet"))
    run("uninstall", "claude-code")
    assert settings.read_text() == '{\n  "model": "sonnet"\n}\n'


def test_a_toml_file_keeps_its_comments_and_what_comes_after(home: Path) -> None:
    config = home / ".codex" / "config.toml"
    config.parent.mkdir()
    config.write_text('# mine\nmodel = "gpt-5"  # the best\n\n[projects."/x"]\ntrust_level = "trusted"\n')
    before = config.read_text()
    run("install", "codex")
    config.write_text(config.read_text() + "\n[tui]\nnotifications = true\n")
    assert "nothing to change" in run("install", "codex").stdout
    run("uninstall", "codex")
    assert config.read_text() == before + "\n[tui]\nnotifications = true\n"


def test_tables_that_codex_puts_behind_ours_stay(home: Path) -> None:
    run("install", "codex")
    config = home / ".codex" / "config.toml"
    config.write_text(config.read_text() + '\n[hooks.state]\n\n[hooks.state."x"]\nenabled = true\n')
    run("uninstall", "codex")
    assert tomllib.loads(config.read_text()) == {"hooks": {"state": {"x": {"enabled": True}}}}


@pytest.mark.parametrize(
    ("host", "name", "text"),
    [
        ("claude-code", ".claude/settings.json", "{ not json"),
        ("claude-code", ".claude/settings.json", '{"hooks": []}'),
        ("claude-code", ".claude/settings.json", '{"hooks": {"Stop": {}}}'),
        ("claude-code", ".claude/settings.json", "[1, 2]"),
        ("claude-code", ".claude.json", '{"mcpServers": 5}'),
        ("claude-code", ".claude/skills/remember/SKILL.md", "a skill of someone else's"),
        ("codex", ".codex/config.toml", "[oops"),
        ("codex", ".codex/hooks.json", '{"hooks": {"Stop": [}}'),
        ("cursor", ".cursor/mcp.json", "\xff"),
    ],
)
def test_a_file_that_cannot_be_understood_is_refused_and_nothing_at_all_is_changed(
    host: str, name: str, text: str, home: Path
) -> None:
    file = home / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode("latin-1"))
    before = everything(home)
    told = error("install", host)
    assert str(file) in told
    assert everything(home) == before


def test_a_dry_run_shows_the_difference_and_changes_nothing(home: Path) -> None:
    shown = run("install", "claude-code", "--dry-run").stdout
    assert "+" in shown
    assert "UserPromptSubmit" in shown
    assert "nothing was changed" in shown
    assert everything(home) == {}
    told = json.loads(run("install", "codex", "--dry-run", "--json").stdout)
    assert told["done"] is False
    assert {file["change"] for file in told["files"]} == {"created"}


def test_an_earlier_entry_of_ours_is_brought_up_to_date_in_its_place(home: Path) -> None:
    settings = home / ".cursor" / "hooks.json"
    settings.parent.mkdir()
    old = {"version": 1, "hooks": {"sessionStart": [{"command": "/old/bin/anaphora hook cursor"}, {"command": "mine"}]}}
    settings.write_text(json.dumps(old, indent=2))
    assert "outdated" in run("status").stdout or "partly" in run("status").stdout
    run("install", "cursor")
    found = json.loads(settings.read_text())["hooks"]["sessionStart"]
    assert found[0]["command"] != "/old/bin/anaphora hook cursor"
    assert found[1] == {"command": "mine"}
    assert len(found) == 2


def test_status_tells_what_is_installed(home: Path) -> None:
    run("install", "codex")
    rows = json.loads(run("status", "--json").stdout)
    standing = {(row["host"], row["where"]): row["status"] for row in rows}
    assert standing["codex", "for you"] == "installed"
    assert standing["claude-code", "for you"] == "not installed"
    (home / ".codex" / "hooks.json").unlink()
    rows = json.loads(run("status", "--json").stdout)
    assert next(row["status"] for row in rows if row["host"] == "codex") == "partly"


def test_a_linked_file_stays_a_link_and_keeps_its_mode(home: Path, tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles.json"
    kept.write_text("{}\n")
    kept.chmod(0o640)
    link = home / ".claude" / "settings.json"
    link.parent.mkdir()
    link.symlink_to(kept)
    run("install", "claude-code")
    assert link.is_symlink()
    assert "anaphora" in kept.read_text()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o640


def test_lines_that_end_as_on_windows_still_do(home: Path) -> None:
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_bytes(b'{\r\n  "model": "opus"\r\n}\r\n')
    run("install", "claude-code")
    data = settings.read_bytes()
    assert data.count(b"\r\n") == data.count(b"\n")


def test_what_a_file_was_before_is_kept(home: Path) -> None:
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"model": "opus"}')
    run("install", "claude-code")
    backups = [*home.rglob("backups/settings.json.*")]
    assert [backup.read_text() for backup in backups] == ['{"model": "opus"}']
    assert stat.S_IMODE(backups[0].stat().st_mode) == 0o600


def test_where_one_file_cannot_be_written_the_others_are_put_back(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = plan_for("claude-code", ["/bin/anaphora"], home, None, {})
    changes = installing(plan)
    last = changes[-1].file
    real = Path.replace

    def refuse(self: Path, target: Path) -> Path:
        if target == last:
            raise OSError(28, "No space left on device", str(target))
        return real(self, target)

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(Exception, match="Nothing was changed"):
        apply(changes, {"HOME": str(home)})
    monkeypatch.undo()
    assert everything(home) == {}
    assert [change.what for change in uninstalling(plan, {"HOME": str(home)})] == ["unchanged"] * len(changes)


def test_skills_are_well_formed_and_are_not_called_by_the_model_itself(home: Path) -> None:
    run("install", "claude-code")
    skills = [*(home / ".claude" / "skills").glob("*/SKILL.md")]
    assert {skill.parent.name for skill in skills} >= {"set_goal", "remember", "log_decision", "add_constraint"}
    for skill in skills:
        _, front, body = skill.read_text().split("---\n", 2)
        told = dict(line.split(": ", 1) for line in front.splitlines())
        assert told["name"] == skill.parent.name
        assert told["disable-model-invocation"] == "true"
        assert json.loads(told["description"])  # quoted, since a colon in it would end it
        assert json.loads(told["argument-hint"])
        assert "$ARGUMENTS" in body


@pytest.mark.parametrize(
    ("skill", "arguments", "printed"),
    [
        ("set_goal", "Ship it; don't `wait` for $HOME", "Ship it; don't `wait` for $HOME"),
        ("complete_goal", "Ship it", "Ship it"),
        ("remember", 'the "port" is 8080', "8080"),
        ("log_decision", "Use RS256 because it is asymmetric", "RS256"),
        ("add_constraint", "Token TTL must be exactly 1 hour", "1 hour"),
        ("anaphora", "state", "Ship it"),
        ("anaphora", "context status", "Ship it"),
    ],
)
def test_what_a_skill_says_to_run_does_what_the_slash_command_does(
    skill: str, arguments: str, printed: str, home: Path
) -> None:
    run("install", "claude-code")
    run("--project", "here", "command", "/set_goal Ship it")
    text = (home / ".claude" / "skills" / skill / "SKILL.md").read_text()
    line, command = (text.split(f"{heading}:\n\n    ")[1].splitlines()[0] for heading in ("Line", "Command"))
    typed = f"{command} <<'END'\n{line.replace('$ARGUMENTS', arguments)}\nEND\n"
    done = subprocess.run(
        ["sh", "-c", typed], capture_output=True, text=True, env={**os.environ, "CLAUDE_SESSION_ID": "s-1"}
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert printed in done.stdout


@pytest.mark.parametrize(
    ("command", "ours"),
    [
        ("/usr/bin/anaphora hook claude-code", True),
        ("'/my path/anaphora' hook codex", True),
        ("python -P -m anaphora hook cursor", True),
        ("C:\\venv\\anaphora.exe hook copilot", True),
        ("echo anaphora", False),
        ("/opt/anaphora/bin/other hook claude-code", False),
    ],
)
def test_our_entries_are_known_by_their_command(command: str, ours: bool) -> None:
    assert is_ours({"hooks": [{"type": "command", "command": command}]}) is ours


# --- any file -----------------------------------------------------------------------------------------------------

_KEYS = st.sampled_from(["hooks", "Stop", "SessionStart", "mcpServers", "model", "ä", ""])
_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=8)
    | st.floats(allow_nan=False, allow_infinity=False, width=16)
)
_VALUES = st.recursive(_SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3))
_HOOKS = st.dictionaries(st.sampled_from(["Stop", "PreToolUse"]), st.lists(_VALUES, max_size=3), max_size=2)
_OBJECTS = st.dictionaries(st.sampled_from(["model", "env", "ä"]), _VALUES, max_size=3)
_CALL = {"hooks": [{"type": "command", "command": "/bin/anaphora hook claude-code"}]}
_TARGET = Target(
    Path("settings.json"),
    "json",
    (
        Entry(("hooks", "Stop"), _CALL, appended=True),
        Entry(("hooks", "SessionStart"), _CALL, appended=True),
        Entry(("mcpServers", "anaphora"), {"command": "anaphora"}, appended=False),
    ),
)


def _pruned(value: dict[str, Any]) -> dict[str, Any]:
    """Without hooks that are empty: those go together with ours."""
    hooks = {event: calls for event, calls in value.get("hooks", {}).items() if calls or event != "Stop"}
    return {k: v for k, v in value.items() if k != "hooks"} | ({"hooks": hooks} if hooks else {})


@given(_OBJECTS, _HOOKS, st.sampled_from([None, 0, 1, 2, 4, "\t"]), st.booleans())
def test_whatever_a_file_holds_it_is_there_after_installing_and_after_uninstalling(
    rest: dict[str, Any], hooks: dict[str, Any], indent: int | str | None, ascii_only: bool
) -> None:
    before = rest | ({"hooks": hooks} if hooks else {})
    text = json.dumps(before, indent=indent, ensure_ascii=ascii_only)
    installed = added(_TARGET, text)
    assert added(_TARGET, installed) == installed
    value = json.loads(installed)
    assert value["hooks"]["Stop"] == [*hooks.get("Stop", []), _CALL]
    assert {k: v for k, v in value.items() if k in rest} == rest
    left = removed(_TARGET, installed)
    assert _pruned({} if left is None else json.loads(left)) == _pruned(before)


@given(st.text(max_size=60))
def test_what_python_reads_as_json_is_read_the_same(text: str) -> None:
    try:
        value = json.loads(text)
    except ValueError:
        return
    if "NaN" not in text and "Infinity" not in text:  # Python reads these, but they are no JSON
        assert json_text.parse(text).value == value


@given(_VALUES, st.sampled_from([None, 1, 4]))
def test_every_value_is_read_as_it_is(value: Any, indent: int | None) -> None:
    assert json_text.parse(json.dumps(value, indent=indent)).value == value
