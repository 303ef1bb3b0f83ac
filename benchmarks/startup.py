"""How long until something is remembered: import, open, first durable message, and the command's own start."""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import anaphora

__all__ = ["run"]

_ROUNDS = 7


def run() -> list[tuple[str, str, str]]:
    return [
        ("import anaphora, own time", f"{_import_ms():.0f} ms", "≤ 60 ms"),
        ("anaphora --help", f"{_help_seconds():.2f} s", "≤ 0.4 s"),
        ("open(':memory:') after the first", f"{_open_ms():.2f} ms", "≤ 5 ms"),
        ("import plus first durable message", f"{_first_message_seconds():.2f} s", "≤ 0.5 s"),
    ]


def _import_ms() -> float:
    def once() -> float:
        command = [sys.executable, "-X", "importtime", "-c", "import anaphora"]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stderr.splitlines()
        total = next(line for line in lines if line.endswith(" anaphora"))
        found = re.search(r"\|\s*(\d+) \|", total)
        assert found is not None
        return int(found[1]) / 1000

    return statistics.median(once() for _ in range(_ROUNDS))


def _help_seconds() -> float:
    return _median_seconds([sys.executable, "-m", "anaphora", "--help"])


def _first_message_seconds() -> float:
    code = "import anaphora, sys; anaphora.open(sys.argv[1]).hear('I want to add a FAB button')"
    with tempfile.TemporaryDirectory() as folder:
        return statistics.median(
            _seconds([sys.executable, "-c", code, str(Path(folder) / f"{i}.db")]) for i in range(_ROUNDS)
        )


def _median_seconds(command: list[str]) -> float:
    return statistics.median(_seconds(command) for _ in range(_ROUNDS))


def _seconds(command: list[str]) -> float:
    begun = time.perf_counter()
    subprocess.run(command, capture_output=True, check=True)
    return time.perf_counter() - begun


def _open_ms() -> float:
    anaphora.open(":memory:").close()
    times = []
    for _ in range(50):
        begun = time.perf_counter()
        memory = anaphora.open(":memory:")
        times.append(time.perf_counter() - begun)
        memory.close()
    return statistics.median(times) * 1000
