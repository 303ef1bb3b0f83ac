"""Many threads of several processes change one working state at once: nothing is lost, and each saw what came before.

`python -m tests.faults.shared_state PLACE USER NAME THREADS UPDATES` is one of the processes."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from uuid import uuid4

import anaphora
from anaphora import AnaphoraError
from anaphora.memory.working import Work
from tests.faults import ROOT, Finding
from tests.faults.writer import go

__all__ = ["run"]


def run(place: str, *, processes: int, threads: int, updates: int) -> list[Finding]:
    user = f"sharers-{uuid4().hex}"  # a scope of its own, since a server's store may hold others
    names = [f"p{n}" for n in range(processes)]
    started = [_start(place, user, name, threads, updates) for name in names]
    begun = time.perf_counter()
    for process in started:
        go(process)
    with ThreadPoolExecutor(processes) as pipes:
        said = list(pipes.map(lambda process: process.communicate(), started))
    seconds = time.perf_counter() - begun
    failures = [line for _, errors in said for line in errors.splitlines()]
    failures += [f"exit status {process.returncode}" for process in started if process.returncode]
    load = f"{threads} threads × {processes} processes, {updates} updates of one state each"
    return [
        Finding(f"{load}: errors", f"{len(failures)} {failures[:1] or ''}".strip(), "0", not failures),
        *_kept(place, user, [f"{name}-{t}" for name in names for t in range(threads)], updates),
        Finding(f"{load}: seconds", f"{seconds:.1f}", "none", True),
    ]


def _kept(place: str, user: str, authors: Sequence[str], updates: int) -> list[Finding]:
    with anaphora.open(place, user=user) as memory:
        state = memory.state
        signed = Counter(e.author for e in memory.events() if e.kind == "state.changed")
        problems = memory.verify()
    made = Counter((a.author, a.text.split(" after ")[0]) for a in state.actions)
    wanted = Counter((author, f"{author} does {n}") for author in authors for n in range(updates))
    saw = [int(a.text.rpartition(" ")[2]) for a in state.actions]
    lost, doubled = (wanted - made).total(), (made - wanted).total()
    ids = len({a.id for a in state.actions})
    each = Counter(dict.fromkeys(authors, updates))
    return [
        Finding("updates lost", str(lost), "0", lost == 0),
        Finding("updates doubled", str(doubled), "0", doubled == 0),
        Finding(
            "updates that saw all before them",
            str(sum(s == n for n, s in enumerate(saw))),
            str(len(saw)),
            saw == [*range(len(saw))],
        ),
        Finding("ids used twice", str(len(saw) - ids), "0", ids == len(saw)),
        Finding("updates in the log of events, signed", str(signed.total()), str(each.total()), signed == each),
        Finding("problems that verify finds", f"{len(problems)} {problems[:1] or ''}".strip(), "0", not problems),
    ]


def _start(place: str, user: str, name: str, threads: int, updates: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.faults.shared_state", place, user, name, str(threads), str(updates)]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    assert process.stdout is not None
    if process.stdout.readline() != "ready\n":
        raise RuntimeError(f"The process did not start: {process.communicate()[1]}")
    return process


def _plan(work: Work, author: str, number: int) -> None:
    work.plan(f"{author} does {number} after {len(work.state.actions)}")


def _update(memory: anaphora.Memory, author: str, updates: int) -> None:
    for number in range(updates):
        try:
            memory.update(partial(_plan, author=author, number=number), author=author)
        except AnaphoraError as error:
            sys.stderr.write(f"{error}\n")


def main(arguments: Sequence[str]) -> None:
    place, user, name = arguments[:3]
    threads, updates = map(int, arguments[3:])
    with anaphora.open(place, user=user, session=name, busy_timeout=60) as memory:
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        if not sys.stdin.readline():
            return  # whoever started it is gone
        running = [
            threading.Thread(target=_update, args=(memory, f"{name}-{number}", updates)) for number in range(threads)
        ]
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()


if __name__ == "__main__":
    main(sys.argv[1:])
