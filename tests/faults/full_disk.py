"""The disk runs full: a clear error, nothing harmed, and on it goes once there is room."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import anaphora
from anaphora import Memory, StoreUnwritable
from tests.faults import Finding, opened
from tests.faults.watched_files import watched

__all__ = ["run", "run_mounted"]

_MOST = 20_000


def run(folder: Path) -> list[Finding]:
    """Under a file system of ours that refuses to write."""
    with watched() as watch:

        def fill() -> None:
            watch.full = True

        def free() -> None:
            watch.full = False

        return _findings("full disk", str(folder / "no-space.db"), fill, free)


def run_mounted(folder: Path) -> list[Finding]:
    """On a real one of 4 MB, which the system must let us mount."""
    disk = folder / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(disk)], capture_output=True, text=True
    )
    if mounted.returncode:
        return [Finding("full disk of 4 MB", f"NOT TRIED: {mounted.stderr.strip()}", "goes on", None)]
    ballast = disk / "ballast"
    try:
        return _findings("full disk of 4 MB", str(disk / "full.db"), lambda: _fill(ballast), ballast.unlink)
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def _fill(ballast: Path) -> None:
    file = os.open(ballast, os.O_CREAT | os.O_WRONLY)
    try:
        while os.write(file, bytes(4096)):
            pass
    except OSError:  # the very thing wanted: no space left
        pass
    finally:
        os.close(file)


def _findings(what: str, place: str, fill: Callable[[], None], free: Callable[[], None]) -> list[Finding]:
    with anaphora.open(place) as memory:
        said = [memory.hear(f"Paint wall {n}").message_id for n in range(20)]
        fill()
        more, error = _hear_until_refused(memory)
        said += more
        readable = [m.id for m in _messages(memory)] == said
        free()
        said.append(memory.hear("There is room again").message_id)
        scope = memory.scope
        whole = [m.id for m in _messages(memory)] == said
    store = opened(place)
    try:
        problems = store.verify(scope)
    finally:
        store.close()
    return [
        Finding(f"{what}: the error", error, "StoreUnwritable, full", "full" in error and "Free" in error),
        Finding(f"{what}: what was acknowledged can be read", _yes(readable), "yes", readable),
        Finding(f"{what}: goes on when there is room, nothing lost", _yes(whole), "yes", whole),
        Finding(f"{what}: problems that verify finds", str(len(problems)), "0", not problems),
    ]


def _messages(memory: Memory) -> tuple[anaphora.Message, ...]:
    return memory.conversation("1").messages


def _hear_until_refused(memory: Memory) -> tuple[list[str], str]:
    said: list[str] = []
    for n in range(_MOST):
        try:
            said.append(memory.hear(f"Paint door {n}").message_id)
        except StoreUnwritable as error:
            return said, str(error)
    return said, "none"


def _yes(value: bool) -> str:
    return "yes" if value else "no"
