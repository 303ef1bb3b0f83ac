"""Assistants that talk through their hooks all at once, and what may happen meanwhile: the daemon is killed, the store
is held by someone else, there is no room left. No hook fails; what could be stored is neither lost nor there twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import apsw

import anaphora
from anaphora.configuration import default_store, project_at
from anaphora.interfaces.daemon import wire
from anaphora.interfaces.hooks import journal
from tests.daemons import end, until
from tests.faults import Finding, opened

__all__ = ["run"]

_HOSTS = ("claude-code", "codex", "cursor", "copilot")
_EVENTS = {"cursor": "beforeSubmitPrompt", "copilot": "userPromptSubmitted"}
_TWICE = 20  # each so many-th prompt is delivered again
Answered = tuple[int, str]


def run(folder: Path, *, prompts: int) -> list[Finding]:
    """`prompts` from four assistants at once, with each accident in turn."""
    return [
        *_together(folder / "calm", prompts),
        *_together(folder / "killed", prompts // 4, _killing),
        *_together(folder / "held", max(8, prompts // 20), _holding),
        *_without_daemon(folder / "busy", "held"),
        *_without_daemon(folder / "full", "full"),
    ]


def _together(
    folder: Path, prompts: int, accident: Callable[[Mapping[str, str]], Iterator[None]] | None = None
) -> list[Finding]:
    env = _environment(folder)
    each = prompts // len(_HOSTS)
    said = {host: [f"Paint wall {n} of the house of {host}" for n in range(each)] for host in _HOSTS}
    _prompt(env, "codex", "warm", "Warm up")
    until(lambda: isinstance(wire.ask(wire.socket_path(env), {"ask": "status"}, 5), dict))

    def talk(host: str) -> list[Answered]:
        turns = [(n, text) for n, text in enumerate(said[host]) for _ in range(2 if n % _TWICE == 0 else 1)]
        return [_prompt(env, host, str(n), text) for n, text in turns]

    try:
        with contextmanager(accident)(env) if accident else _calm(), ThreadPoolExecutor(len(_HOSTS)) as threads:
            answered = [one for many in threads.map(talk, _HOSTS) for one in many]
    finally:
        end(env)  # which waits until the daemon has done what it took
    what = f"{prompts:,} prompts of 4 assistants{_NAMES.get(folder.name, '')}"
    return _findings(what, env, answered, [text for texts in said.values() for text in texts])


_NAMES = {"killed": ", the daemon killed again and again", "held": ", the store held for 4 s"}


@contextmanager
def _calm() -> Iterator[None]:
    yield


def _killing(env: Mapping[str, str]) -> Iterator[None]:
    over = threading.Event()

    def kill() -> None:
        while not over.wait(0.7):
            found = wire.ask(wire.socket_path(env), {"ask": "status"}, 1)
            if isinstance(found, dict):
                os.kill(found["pid"], signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    yield
    over.set()
    thread.join()


def _holding(env: Mapping[str, str]) -> Iterator[None]:
    holder = apsw.Connection(default_store(env))
    holder.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(4, holder.execute, ("ROLLBACK",))
    timer.start()
    yield
    timer.join()
    holder.close()


def _without_daemon(folder: Path, accident: str) -> list[Finding]:
    """A store that is held for good, and one that may not grow: the hook leaves with nothing done, and says so."""
    env = _environment(folder) | {"ANAPHORA_DAEMON": "off", "ANAPHORA_BUSY_TIMEOUT": "0.2s"}
    before = _prompt(env, "claude-code", "0", "Paint the first wall")
    if accident == "held":
        holder = apsw.Connection(default_store(env))
        holder.execute("BEGIN IMMEDIATE")
        answered = [_prompt(env, "claude-code", "1", "Paint the second wall")]
        holder.execute("ROLLBACK")
        holder.close()
    else:
        most = Path(default_store(env)).stat().st_size
        answered = [_prompt(env, "claude-code", "1", "Paint the second wall " * 9000, most=most)]
    after = _prompt(env, "claude-code", "2", "Paint the third wall")
    noted = [f"{entry['what']} {entry.get('says', '')}" for entry in journal.entries(env)]
    name = "the store held for good" if accident == "held" else "no room left"
    told = bool(noted) and any(kind in noted[-1] for kind in ("StoreBusy", "StoreUnwritable", "StoreError"))
    stored = ["Paint the first wall", "Paint the third wall"]
    return [
        *_findings(f"{name}, no daemon", env, [before, *answered, after], stored),
        Finding(f"{name}, no daemon: what doctor tells", (noted or ["nothing"])[-1][:60], "what happened", told),
    ]


def _findings(what: str, env: Mapping[str, str], answered: list[Answered], said: list[str]) -> list[Finding]:
    failed = [one for one in answered if one != (0, "")]
    store = default_store(env)
    with anaphora.open(store, project=project_at(Path(env["HOME"])), reader="none") as memory:
        scope = memory.scope
    held = opened(store)
    try:
        stored = Counter(m.text for m in held.view(scope).messages() if m.text != "Warm up")
        problems = held.verify(scope)
    finally:
        held.close()
    wanted = Counter(said)
    lost, doubled = wanted - stored, stored - wanted
    return [
        Finding(f"{what}: hooks that failed", f"{len(failed)} {failed[:1] or ''}".strip(), "0", not failed),
        Finding(f"{what}: lost", str(lost.total()), "0", not lost),
        Finding(f"{what}: doubled", str(doubled.total()), "0", not doubled),
        Finding(f"{what}: problems that verify finds", str(len(problems)), "0", not problems),
    ]


def _environment(folder: Path) -> dict[str, str]:
    folder.mkdir()
    env = {k: v for k, v in os.environ.items() if not k.startswith(("ANAPHORA_", "XDG_"))}
    return env | {"HOME": str(folder)}


def _prompt(env: Mapping[str, str], host: str, turn: str, text: str, most: int | None = None) -> Answered:
    """How the hook ended, and what it said to nobody; `most` is the size that no file may grow beyond."""
    event = {"session_id": f"s-{host}", "turn_id": turn, "timestamp": turn, "prompt": text}
    name = _EVENTS.get(host, "UserPromptSubmit")
    command = [sys.executable, "-P", "-m", "anaphora", "hook", host, name]

    def bound() -> None:
        import resource

        if most is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    done = subprocess.run(
        command,
        input=json.dumps(event),
        capture_output=True,
        text=True,
        env=env,
        cwd=env["HOME"],
        preexec_fn=None if most is None else bound,
    )
    return done.returncode, done.stderr
