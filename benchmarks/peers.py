"""Four processes append to one SQLite file: Anaphora's store beside those of agent frameworks, in the same run.

The peers live in a virtual environment of their own, made once in the system's folder for temporary files. Everyone
gets the same texts, one transaction a message, and synchronous = FULL, so that every message waits for the disk. The
SQLiteSession of the OpenAI Agents SDK keeps a write-ahead log as Anaphora does. LangGraph's SqliteStore runs as it
comes, with a rollback journal, and once more with a write-ahead log that we switch on for it: both are shown.
Neither peer indexes words. Messages that a peer refuses are not tried again and not counted.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.store import sentence

__all__ = ["NotInstalled", "run"]

_PROCESSES, _MESSAGES, _ROUNDS = 4, 500, 3
_PACKAGES = ("openai-agents", "langgraph-checkpoint-sqlite")
_WAIT = """
import json, sys
path, name = sys.argv[1:]
texts = json.load(open(path + ".texts", encoding="utf-8"))
def wait():
    print("ready", flush=True)
    sys.stdin.readline()
"""
_OURS = """
from datetime import UTC, datetime, timedelta
from anaphora.memory.terms import terms_of
from anaphora.stores import open_store
from anaphora.types import Message, Scope
store = open_store(path, terms_of=terms_of, durability="full", busy_timeout=timedelta(seconds=30))
scope = Scope(name, "assistant", "default")
wait()
for n, text in enumerate(texts):
    with store.transaction(scope) as tx:
        tx.add(Message(f"m-{n}", "user", text, datetime.now(UTC), name, "main", conversation_id="c"))
print(len(texts))
"""
_OPENAI = """
import asyncio
from agents import SQLiteSession
session = SQLiteSession(name, path)
async def talk():
    done = 0
    for text in texts:
        try:
            await session.add_items([{"role": "user", "content": text}])
            done += 1
        except Exception as error:
            print(error, file=sys.stderr)
    return done
with session._locked_connection() as connection:
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
wait()
print(asyncio.run(talk()))
"""
_LANGGRAPH = """
import sqlite3
from langgraph.store.sqlite import SqliteStore
connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=30)
for _ in range(100 if LOG else 0):
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        break
    except sqlite3.OperationalError:
        pass
connection.execute("PRAGMA synchronous = FULL")
store = SqliteStore(connection)
store.setup()
wait()
done = 0
for n, text in enumerate(texts):
    try:
        store.put((name,), f"m-{n}", {"role": "user", "content": text})
        done += 1
    except Exception as error:
        print(error, file=sys.stderr)
print(done)
"""


class NotInstalled(Exception):
    """The peers could not be installed here."""


def run() -> list[tuple[str, str, str]]:
    python = _peers()
    talks = {
        "Anaphora's store": (Path(sys.executable), _OURS),
        "OpenAI Agents SDK, SQLiteSession": (python, _OPENAI),
        "LangGraph, SqliteStore, as it comes": (python, "LOG = False\n" + _LANGGRAPH),
        "LangGraph, SqliteStore, with a log": (python, "LOG = True\n" + _LANGGRAPH),
    }
    rates: dict[str, list[float]] = {name: [] for name in talks}
    refused = dict.fromkeys(talks, 0)
    for _ in range(_ROUNDS):  # by turns, so that noise meets all
        for name, (interpreter, code) in talks.items():
            stored, seconds = _together(interpreter, _WAIT + code)
            rates[name].append(stored / seconds)
            refused[name] += _PROCESSES * _MESSAGES - stored
    ours, openai, langgraph, with_log = (statistics.median(rates[name]) for name in talks)
    load = f"{_PROCESSES} processes, {_MESSAGES} messages each, median of {_ROUNDS}"
    return [
        *((f"{name}: {load}", _shown(rates[name], refused[name]), "") for name in talks),
        ("against the OpenAI Agents SDK", f"{ours / openai:.2f}×", "≥ 1×"),
        ("against LangGraph as it comes", f"{ours / langgraph:.2f}×", "≥ 1.5×"),
        ("against LangGraph with a log", f"{ours / with_log:.2f}×", "≥ 1.5×"),
    ]


def _shown(rates: list[float], refused: int) -> str:
    return f"{statistics.median(rates):,.0f} messages/s" + (f", {refused} refused" if refused else "")


def _peers() -> Path:
    """The Python of the environment that holds the peers."""
    folder = Path(tempfile.gettempdir()) / "anaphora-benchmarks-peers-1"
    python, ready = folder / "bin" / "python", folder / "ready"
    if not ready.exists():
        made = subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], capture_output=True, text=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *_PACKAGES]
        ran = made if made.returncode else subprocess.run(install, capture_output=True, text=True)
        if ran.returncode:
            raise NotInstalled(f"{' and '.join(_PACKAGES)} could not be installed: {ran.stderr.strip()[-400:]}")
        ready.touch()
    return python


def _together(python: Path, code: str) -> tuple[int, float]:
    """How many messages were stored, and the seconds from the word "go" to the last of them."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "store.db"
        chance = random.Random(1)
        Path(f"{path}.texts").write_text(json.dumps([sentence(chance) for _ in range(_MESSAGES)]), "utf-8")
        writers = [_started(python, code, path, f"p{n}") for n in range(_PROCESSES)]
        begun = time.perf_counter()
        for writer in writers:
            assert writer.stdin is not None
            writer.stdin.write("go\n")
            writer.stdin.flush()
        said = [writer.communicate()[0] for writer in writers]
        seconds = time.perf_counter() - begun
    return sum(map(int, said)), seconds


def _started(python: Path, code: str, path: Path, name: str) -> subprocess.Popen[str]:
    command, pipe = [str(python), "-c", code, str(path), name], subprocess.PIPE
    writer = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)
    assert writer.stdout is not None
    if writer.stdout.readline() != "ready\n":
        raise NotInstalled(f"A writer did not start: {' '.join(map(str, (python, name)))}.")
    return writer
