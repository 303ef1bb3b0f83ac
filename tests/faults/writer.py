"""A process that talks: it waits for a line, then says each id once its message is acknowledged.

`python -m tests.faults.writer PLACE USER NAME FIRST MESSAGES UPDATES`
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

import anaphora
from anaphora import AnaphoraError
from tests.faults import ROOT

__all__ = ["go", "start", "text_of"]

_TWICE = 10  # each so many-th message is sent again, as after a lost reply


def text_of(name: str, number: int) -> str:
    return f"Paint wall {number} of the house of {name}"


def start(place: str, user: str, name: str, *, first: int = 0, messages: int, updates: int) -> subprocess.Popen[str]:
    """A writer that is ready to go."""
    command = [sys.executable, "-m", "tests.faults.writer", place, user, name, *map(str, (first, messages, updates))]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    assert process.stdout is not None
    if process.stdout.readline() != "ready\n":
        raise RuntimeError(f"The writer did not start: {process.communicate()[1]}")
    return process


def go(writer: subprocess.Popen[str]) -> None:
    assert writer.stdin is not None
    writer.stdin.write("go\n")
    writer.stdin.flush()


def main(arguments: Sequence[str]) -> None:
    place, user, name = arguments[:3]
    first, messages, updates = map(int, arguments[3:])
    every = max(1, messages // updates) if updates else messages + 1
    with anaphora.open(place, user=user, session=name, author=name, busy_timeout=30) as memory:
        _say("ready")
        if not sys.stdin.readline():
            return  # whoever started it is gone
        updated = 0
        for number in range(first, first + messages):
            try:
                for _ in range(2 if number % _TWICE == 0 else 1):
                    memory.hear(text_of(name, number), id=f"{name}-{number}")
                _say(f"{name}-{number}")
                if number % every == 0 and updated < updates:
                    memory.update(lambda work, n=updated: work.decide(f"{name} decides {n}"))  # type: ignore[misc]
                    updated += 1
            except AnaphoraError as error:
                sys.stderr.write(f"{error}\n")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
