"""A process that talks in one long conversation and compacts it as it goes; it says a line after each round.

`python -m tests.faults.compactor PLACE USER FIRST`
"""

from __future__ import annotations

import subprocess
import sys

import anaphora
from tests.faults import ROOT

__all__ = ["start"]

_ROUND = 12  # messages between two rounds of work that can wait


def start(place: str, user: str, first: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.faults.compactor", place, user, str(first)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def main(place: str, user: str, first: int) -> None:
    with anaphora.open(place, user=user, background=False, reader="none", durability="normal") as memory:
        while True:
            for number in range(first, first + _ROUND):
                memory.hear(f"Paint wall {number} of the house in shade {number % 7}", id=f"m{number}")
            first += _ROUND
            memory.finish()
            sys.stdout.write(f"{first}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
