"""How many messages a second come in from transcripts of Claude Code through the command, by rules and without vectors,
and how much memory that takes at most."""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
import time
from pathlib import Path
from subprocess import run as run_command

from tests.transcripts import big_claude_code

__all__ = ["run"]

_SIZES = (20, 100)  # megabytes
_LATEST = 900  # seconds


def run(sizes: tuple[int, ...] = _SIZES) -> list[tuple[str, str, str]]:
    rows = []
    for megabytes in sizes:
        taken, by_clock, busy, most = _import(megabytes)
        what = f"import {megabytes} MB of Claude Code transcripts, {taken:,} messages, by rules, no vectors"
        rows += [
            (what, f"{taken / by_clock:,.0f} a second", "≥ 800"),
            ("the same, for each second of processor time", f"{taken / busy:,.0f}", ""),
            ("the same: memory at most", f"{most:,.0f} MB", "flat"),
        ]
    return rows


def _import(megabytes: int) -> tuple[int, float, float, float]:
    """Messages, seconds by the clock and of the processor, and megabytes at most."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        big_claude_code(folder / "transcripts", megabytes)
        environ = {**os.environ, "ANAPHORA_EMBEDDER": "none", "XDG_CONFIG_HOME": name, "XDG_DATA_HOME": name}
        command = [sys.executable, "-m", "anaphora", "--store", str(folder / "a.db"), "import", "claude-code"]
        before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = run_command(
            [*command, str(folder / "transcripts"), "--quick", "--json"],
            env=environ,
            capture_output=True,
            text=True,
            check=True,
            timeout=_LATEST,
        )
        by_clock, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
        found = json.loads(done.stdout)["projects"].values()
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    unit = 1e6 if sys.platform == "darwin" else 1e3  # bytes there, kilobytes elsewhere
    return sum(one["heard"] + one["said"] for one in found), by_clock, busy, after.ru_maxrss / unit
