"""What each assistant's settings need, and where they lie."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from anaphora.interfaces.install import skills

__all__ = ["NAMES", "Entry", "Kind", "Plan", "Target", "is_ours", "plan_for"]

NAMES = {"claude-code": "Claude Code", "codex": "Codex", "cursor": "Cursor", "copilot": "GitHub Copilot CLI"}
Kind = Literal["json", "toml", "ours"]
_SECONDS = 10  # that an assistant waits for a hook; it leaves after three by itself
_FILE_TOOLS = "Read|Edit|Write|MultiEdit|NotebookEdit|apply_patch"
_OURS = re.compile(r"(?:^|[\s/\\\"'])anaphora(?:\.exe)?[\"']? hook (?:claude-code|codex|cursor|copilot)\b")


@dataclass(frozen=True, slots=True)
class Entry:
    """A value in a JSON file: appended to the array at `path`, or the member at `path` of an object."""

    path: tuple[str, ...]
    value: Any
    appended: bool


@dataclass(frozen=True, slots=True)
class Target:
    """A file: entries to be merged into it, or a file of our own with all that is in it. `server` says that it names
    the MCP server, which needs an extra."""

    file: Path
    kind: Kind
    entries: tuple[Entry, ...] = ()
    text: str = ""
    server: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that an assistant needs, and what is left to the user."""

    host: str
    targets: tuple[Target, ...]
    after: str

    def without_server(self) -> Plan:
        return replace(self, targets=tuple(target for target in self.targets if not target.server))


def is_ours(value: Any) -> bool:
    """Whether a hook's entry calls us, in whichever of the assistants' shapes."""
    if isinstance(value, Mapping):
        return any(is_ours(inner) for inner in value.values())
    if isinstance(value, list):
        return any(is_ours(inner) for inner in value)
    return isinstance(value, str) and _OURS.search(value) is not None


def plan_for(host: str, command: list[str], home: Path, root: Path | None, environ: Mapping[str, str]) -> Plan:
    """For one user everywhere, or under `root` for one project."""
    return _PLANS[host](_Place(command, home, root, environ))


@dataclass(frozen=True, slots=True)
class _Place:
    command: list[str]
    home: Path
    root: Path | None
    environ: Mapping[str, str]

    def hook(self, host: str, event: str = "") -> str:
        return shlex.join([*self.command, "hook", host, *([event] if event else [])])

    @property
    def server(self) -> dict[str, Any]:
        return {"command": self.command[0], "args": [*self.command[1:], "--project", "here", "mcp"]}

    def folder(self, variable: str, usual: str) -> Path:
        """The assistant's own folder, which it lets one move."""
        named = self.environ.get(variable)
        return Path(named).expanduser() if named else self.home / usual


def _nested(place: _Place, host: str, events: Mapping[str, str | None]) -> tuple[Entry, ...]:
    """The shape of Claude Code, which Codex took over."""
    entries = []
    for event, matcher in events.items():
        call = {"type": "command", "command": place.hook(host), "timeout": 3 if event == "SessionEnd" else _SECONDS}
        group = ({"matcher": matcher} if matcher else {}) | {"hooks": [call]}
        entries.append(Entry(("hooks", event), group, appended=True))
    return tuple(entries)


_EVENTS: Mapping[str, str | None] = {
    "SessionStart": None,
    "UserPromptSubmit": None,
    "PostToolUse": _FILE_TOOLS,
    "PreCompact": None,
    "Stop": None,
    "SessionEnd": None,
}


def _claude_code(place: _Place) -> Plan:
    mcp = Entry(("mcpServers", "anaphora"), {"type": "stdio", **place.server}, appended=False)
    entries = _nested(place, "claude-code", _EVENTS)
    if place.root is None:
        folder = place.folder("CLAUDE_CONFIG_DIR", ".claude")
        servers = folder / ".claude.json" if place.environ.get("CLAUDE_CONFIG_DIR") else place.home / ".claude.json"
        targets = [Target(folder / "settings.json", "json", entries), Target(servers, "json", (mcp,), server=True)]
    else:
        folder = place.root / ".claude"
        targets = [
            Target(folder / "settings.local.json", "json", entries),
            Target(place.root / ".mcp.json", "json", (mcp,), server=True),
        ]
    targets += _skills(folder / "skills", place, "${CLAUDE_SESSION_ID}")
    return Plan("claude-code", tuple(targets), "Start Claude Code anew; /hooks shows what was added.")


def _codex(place: _Place) -> Plan:
    folder = place.folder("CODEX_HOME", ".codex") if place.root is None else place.root / ".codex"
    shared = (place.root or place.home) / ".agents" / "skills"
    server = place.server
    table = f"[mcp_servers.anaphora]\ncommand = {_toml(server['command'])}\nargs = {_toml(server['args'])}\n"
    targets = [
        Target(folder / "hooks.json", "json", _nested(place, "codex", _EVENTS)),
        Target(folder / "config.toml", "toml", text=table, server=True),
        *_skills(shared, place, ""),
    ]
    after = "Codex runs hooks only once you trust them: start codex, type /hooks, look at them and press t."
    return Plan("codex", tuple(targets), after)


def _cursor(place: _Place) -> Plan:
    folder = (place.root or place.home) / ".cursor"
    events = ("sessionStart", "beforeSubmitPrompt", "afterAgentResponse", "afterFileEdit", "preCompact", "sessionEnd")
    calls = [Entry(("hooks", event), {"command": place.hook("cursor")}, appended=True) for event in events]
    mcp = Entry(("mcpServers", "anaphora"), place.server, appended=False)
    version = Entry(("version",), 1, appended=False)
    targets = (
        Target(folder / "hooks.json", "json", (version, *calls)),
        Target(folder / "mcp.json", "json", (mcp,), server=True),
    )
    return Plan("cursor", targets, "Start Cursor anew; its settings list the hooks under Hooks.")


def _copilot(place: _Place) -> Plan:
    folder = place.folder("COPILOT_HOME", ".copilot")
    events = ("sessionStart", "userPromptSubmitted", "postToolUse", "preCompact", "sessionEnd")
    calls = {
        event: [{"type": "command", "bash": place.hook("copilot", event), "timeoutSec": _SECONDS}] for event in events
    }
    text = json.dumps({"version": 1, "hooks": calls}, indent=2) + "\n"
    hooks = folder / "hooks" if place.root is None else place.root / ".github" / "hooks"
    targets = [Target(hooks / "anaphora.json", "ours", text=text)]
    if place.root is None:
        mcp = Entry(("mcpServers", "anaphora"), {"type": "local", **place.server, "tools": ["*"]}, appended=False)
        targets.append(Target(folder / "mcp-config.json", "json", (mcp,), server=True))
    return Plan("copilot", tuple(targets), "Start Copilot anew.")


_PLANS: Mapping[str, Callable[[_Place], Plan]] = {
    "claude-code": _claude_code,
    "codex": _codex,
    "cursor": _cursor,
    "copilot": _copilot,
}


def _skills(folder: Path, place: _Place, session: str) -> list[Target]:
    command = [*place.command, "--project", "here"]
    texts = skills.texts(shlex.join(command) + (f' --session "{session}"' if session else ""))
    return [Target(folder / name / "SKILL.md", "ours", text=text) for name, text in texts.items()]


def _toml(value: str | list[str]) -> str:
    return json.dumps(value)  # in ASCII, a text in JSON is one in TOML too
