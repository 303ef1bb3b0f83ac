"""What the tests of hooks share: events as the assistants really send them, and a hook as they call it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anaphora
from anaphora import Memory
from anaphora.configuration import default_store, project_at
from anaphora.interfaces.hooks.alone import take

__all__ = ["context_in", "heard", "hook", "memory_at", "prompt", "reply", "taken"]


def prompt(text: str, turn: str = "p-1", session: str = "s-1") -> dict[str, Any]:
    """As Claude Code 2.1 sends it; Codex says turn_id instead of prompt_id."""
    return {
        "session_id": session,
        "transcript_path": "/nowhere/transcript.jsonl",
        "prompt_id": turn,
        "permission_mode": "default",
        "hook_event_name": "UserPromptSubmit",
        "prompt": text,
    }


def reply(text: str, turn: str = "p-1", session: str = "s-1") -> dict[str, Any]:
    return {
        "session_id": session,
        "prompt_id": turn,
        "hook_event_name": "Stop",
        "stop_hook_active": False,
        "last_assistant_message": text,
    }


def hook(event: object, host: str = "claude-code", **env: str) -> subprocess.CompletedProcess[str]:
    """The real process, called as an assistant calls it."""
    said = event if isinstance(event, str) else json.dumps(event)
    command = [sys.executable, "-P", "-m", "anaphora", "hook", host]
    return subprocess.run(command, input=said, capture_output=True, text=True, env={**os.environ, **env}, timeout=60)


def taken(event: Mapping[str, Any], host: str = "claude-code", name: str | None = None) -> str:
    """The same in this process, without a daemon: what is printed."""
    env = dict(os.environ)
    said = {"host": host, "event": name, "said": json.dumps(event), "environ": env, "folder": str(Path.cwd())}
    return take(said, busy=2.0)


def context_in(printed: str) -> str:
    """What the assistant's model gets to read."""
    return str(json.loads(printed)["hookSpecificOutput"]["additionalContext"]) if printed else ""


def heard(text: str, turn: str = "p-1", session: str = "s-1") -> str:
    return context_in(taken(prompt(text, turn, session)))


def memory_at(folder: Path, **extra: Any) -> Memory:
    """The memory that the hooks of a folder write to."""
    return anaphora.open(default_store(), project=project_at(folder), **extra)
