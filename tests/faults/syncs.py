"""Acknowledged means on disk: one sync of the log a message, one a batch, none where the setting says so."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Literal

import anaphora
from tests.faults import Finding
from tests.faults.watched_files import watched

__all__ = ["run", "run_traced"]

_TRACED = """
import os, sys, anaphora
with anaphora.open(sys.argv[1] + "/traced.db") as memory, open(sys.argv[1] + "/mark", "w") as mark:
    memory.hear("I want to add a FAB button")
    os.fsync(mark.fileno())
    for n in range(int(sys.argv[2])):
        memory.hear(f"Paint wall {n}")
    os.fsync(mark.fileno())
"""


def run(folder: Path, *, messages: int) -> list[Finding]:
    """Counted by a file system of ours under SQLite. Few messages: a checkpoint would sync as well."""
    full, batch = _counted(folder / "full.db", "full", messages)
    normal, normal_batch = _counted(folder / "normal.db", "normal", messages)
    return [
        Finding(f"syncs of the log for {messages} messages", str(full), str(messages), full == messages),
        Finding(f"syncs of the log for one batch of {messages}", str(batch), "1", batch == 1),
        Finding("the same, durability normal", f"{normal}, {normal_batch}", "0, 0", (normal, normal_batch) == (0, 0)),
    ]


def _counted(path: Path, durability: Literal["full", "normal"], messages: int) -> tuple[int, int]:
    with watched() as watch, anaphora.open(path, durability=durability) as memory:
        memory.hear("I want to add a FAB button")
        watch.syncs.clear()
        for n in range(messages):
            memory.hear(f"Paint wall {n}")
        single = watch.syncs["-wal"]
        watch.syncs.clear()
        memory.ingest({"text": f"Paint door {n}"} for n in range(messages))
        return single, watch.syncs["-wal"]


def run_traced(folder: Path, *, messages: int) -> list[Finding]:
    """Counted from outside, by the system calls of a process of its own."""
    what = f"system calls that sync the log for {messages} messages"
    if shutil.which("strace") is None:
        return [Finding(what, "NOT TRIED: there is no strace here", str(messages), None)]
    log = folder / "calls"
    watch = ["strace", "-f", "-y", "-e", "trace=fsync,fdatasync", "-o", str(log)]
    child = [sys.executable, "-c", _TRACED, str(folder), str(messages)]
    ran = subprocess.run([*watch, *child], capture_output=True, text=True)
    if ran.returncode:
        return [Finding(what, f"NOT TRIED: {ran.stderr.strip().splitlines()[-1]}", str(messages), None)]
    between = log.read_text("utf-8").split("/mark>")[1]
    synced = len(re.findall(r"sync\(\d+<[^>]*traced\.db-wal>", between))
    return [Finding(what, str(synced), str(messages), synced == messages)]
