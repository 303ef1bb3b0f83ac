"""A writer is killed in mid-stream, again and again: what it acknowledged is there, and a retry doubles nothing."""

from __future__ import annotations

import random
import subprocess
from contextlib import suppress
from uuid import uuid4

from anaphora.types import Message, Scope
from tests.faults import Finding, opened
from tests.faults.writer import go, start

__all__ = ["run"]

_ENDLESS = 1_000_000


def run(place: str, *, kills: int, seed: int = 1) -> list[Finding]:
    """The writer after a killed one begins with the first message that was not acknowledged: it may be stored."""
    chance = random.Random(seed)
    user = f"killed-{uuid4().hex}"
    acknowledged = lost = doubled = kept_unsaid = 0
    problems: list[str] = []
    for _ in range(kills):
        acknowledged += _talk_until_killed(place, user, acknowledged, chance)
        store = opened(place)
        try:
            [scope] = [scope for scope in store.scopes() if scope.user == user]
            lost_now, doubled_now, more = _missing(store.view(scope).messages(), acknowledged)
            problems += store.verify(Scope(user, scope.agent, scope.project))
        finally:
            store.close()
        lost, doubled, kept_unsaid = lost + lost_now, doubled + doubled_now, kept_unsaid + more
    return [
        Finding(f"{kills} kills: acknowledged messages", str(acknowledged), f"≥ {kills}", acknowledged >= kills),
        Finding(f"{kills} kills: acknowledged and lost", str(lost), "0", lost == 0),
        Finding(f"{kills} kills: doubled by a retry", str(doubled), "0", doubled == 0),
        Finding(f"{kills} kills: stored, the reply lost", str(kept_unsaid), "none", True),
        Finding(f"{kills} kills: problems that verify finds", str(len(problems)), "0", not problems),
    ]


def _talk_until_killed(place: str, user: str, first: int, chance: random.Random) -> int:
    """How many messages the writer acknowledged before it died.

    A kill right after a reply would always find it at the same step; some milliseconds more or less find it at any."""
    enough = chance.randrange(1, 30)
    with start(place, user, "w", first=first, messages=_ENDLESS, updates=0) as writer:
        go(writer)
        assert writer.stdout is not None
        for _ in range(enough):
            writer.stdout.readline()
        with suppress(subprocess.TimeoutExpired):
            writer.wait(chance.uniform(0, 0.03))
        writer.kill()
        return enough + writer.stdout.read().count("\n")  # communicate() would miss what was read ahead


def _missing(stored: list[Message], acknowledged: int) -> tuple[int, int, int]:
    ids = [m.id for m in stored]
    expected = {f"w-{n}" for n in range(acknowledged)}
    return len(expected - set(ids)), len(ids) - len(set(ids)), len(set(ids) - expected)
