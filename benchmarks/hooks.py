"""What an assistant waits for: the hook of a prompt as a process of its own, with the daemon and without."""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from anaphora.interfaces.daemon import wire

__all__ = ["run"]

_WARM, _COLD = 150, 15
_SAID = (
    "I want to add a FAB button",
    "Make it purple",
    "The staging server listens on port 8443",
    "Let's use RS256 for the tokens because it is asymmetric",
    "Put it in the header",
    "On which port does the staging server listen?",
)


def run() -> list[tuple[str, str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        env = _environment(Path(folder))
        for turn in range(3):  # its code is compiled once, as on every machine but a fresh one
            _prompt(env | {"ANAPHORA_DAEMON": "off"}, turn)
        before = _cpu()
        cold = sorted(_prompt(env | {"ANAPHORA_DAEMON": "off"}, 100 + turn) for turn in range(_COLD))
        cpu = (_cpu() - before) / _COLD * 1000
        rows = [("a prompt, cold, no daemon, p50", f"{_at(cold, 50):.0f} ms ({cpu:.0f} ms CPU)", "≤ 300 ms")]
        rows += _with_daemon(env)
    return rows


def _with_daemon(env: dict[str, str]) -> list[tuple[str, str, str]]:
    path = wire.socket_path(env)
    wire.start(env)
    pause = threading.Event()
    while not isinstance(wire.ask(path, {"ask": "status"}, 5), dict):
        pause.wait(0.05)
    for turn in range(10):
        _prompt(env, 1000 + turn)
    begun, before = _status(path), _cpu()
    warm = sorted(_prompt(env, 2000 + turn) for turn in range(_WARM))
    cpu = (_cpu() - before) / _WARM * 1000
    ended = _status(path)
    wire.ask(path, {"ask": "stop"}, 5)
    events = ended["events"] - begun["events"]
    own = (ended["seconds"] - begun["seconds"]) / max(1, events) * 1000
    return [
        ("a prompt, warm daemon, p50", f"{_at(warm, 50):.0f} ms ({cpu:.0f} ms CPU)", "≤ 80 ms"),
        ("a prompt, warm daemon, p95", f"{_at(warm, 95):.0f} ms", "≤ 150 ms"),
        ("of which Anaphora's own work, mean", f"{own:.1f} ms", "≤ 20 ms"),
        ("of these prompts, answered by the daemon", f"{events} of {_WARM}", f"{_WARM}"),
    ]


def _environment(folder: Path) -> dict[str, str]:
    """A home of its own; compiled code is kept, whatever the shell that this runs in says."""
    left_out = ("ANAPHORA_", "XDG_", "PYTHONDONTWRITEBYTECODE")
    env = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    return env | {"HOME": str(folder), "PYTHONPYCACHEPREFIX": str(folder / "compiled")}


def _prompt(env: dict[str, str], turn: int) -> float:
    """Milliseconds from the assistant's call to the end of the process."""
    event = {
        "hook_event_name": "UserPromptSubmit",
        "session_id": f"session-{turn // 50}",
        "prompt_id": str(turn),
        "prompt": _SAID[turn % len(_SAID)],
    }
    said = json.dumps(event).encode()
    command = [sys.executable, "-P", "-m", "anaphora", "hook", "claude-code"]
    begun = time.perf_counter()
    done = subprocess.run(command, input=said, capture_output=True, env=env, cwd=env["HOME"])
    spent = time.perf_counter() - begun
    if done.returncode or done.stderr:
        raise RuntimeError(f"A hook failed: {done.stderr.decode()}")
    return spent * 1000


def _status(path: str) -> dict[str, float]:
    found = wire.ask(path, {"ask": "status"}, 5)
    if not isinstance(found, dict):
        raise RuntimeError("The daemon does not answer.")
    return found


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _at(values: list[float], percent: int) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]
