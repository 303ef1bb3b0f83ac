"""Several processes write to one store at once: nothing fails, nothing is lost, nothing is there twice."""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import anaphora
from tests.faults import Finding, opened
from tests.faults.writer import go, start

__all__ = ["run"]


def run(place: str, *, processes: int, messages: int, updates: int) -> list[Finding]:
    user = f"writers-{uuid4().hex}"  # a scope of its own, since a server's store may hold others
    names = [f"p{n}" for n in range(processes)]
    writers = [start(place, user, name, messages=messages, updates=updates) for name in names]
    begun = time.perf_counter()
    for writer in writers:
        go(writer)
    with ThreadPoolExecutor(processes) as threads:  # each pipe is emptied, or its writer would wait
        said = list(threads.map(lambda writer: writer.communicate(), writers))
    seconds = time.perf_counter() - begun
    failures = [line for _, errors in said for line in errors.splitlines()]
    failures += [f"exit status {writer.returncode}" for writer in writers if writer.returncode]
    load = f"{processes} processes, {messages:,} messages and {updates:,} updates each"
    return [
        Finding(f"{load}: errors", f"{len(failures)} {failures[:1] or ''}".strip(), "0", not failures),
        *_stored(place, user, names, messages, updates),
        Finding(f"{load}: seconds", f"{seconds:.1f}", "none", True),
    ]


def _stored(place: str, user: str, names: list[str], messages: int, updates: int) -> list[Finding]:
    with anaphora.open(place, user=user) as memory:
        scope, decisions = memory.scope, memory.state.decisions
        signed = Counter(e.author for e in memory.events() if e.kind == "state.changed")
    store = opened(place)
    try:
        stored = [m.id for m in store.view(scope).messages()]
        problems = store.verify(scope)
    finally:
        store.close()
    expected = [f"{name}-{n}" for name in names for n in range(messages)]
    in_order = all(
        [id for id in stored if id.startswith(f"{name}-")] == [f"{name}-{n}" for n in range(messages)] for name in names
    )
    made = Counter((d.author, d.text) for d in decisions)
    wanted = Counter((name, f"{name} decides {n}") for name in names for n in range(updates))
    each = Counter(dict.fromkeys(names, updates))
    lost, doubled = set(expected) - set(stored), len(stored) - len(set(stored))
    return [
        Finding("messages lost", str(len(lost)), "0", not lost),
        Finding("messages doubled", str(doubled), "0", doubled == 0 and len(stored) == len(expected)),
        Finding("each process in its own order", "yes" if in_order else "no", "yes", in_order),
        Finding("updates lost", str((wanted - made).total()), "0", not wanted - made),
        Finding("updates doubled", str((made - wanted).total()), "0", not made - wanted),
        Finding("updates in the log of events", str(signed.total()), str(wanted.total()), signed == each),
        Finding("problems that verify finds", f"{len(problems)} {problems[:1] or ''}".strip(), "0", not problems),
    ]
