"""Compaction is killed in the middle, again and again: what is stored is the old state or the new one."""

from __future__ import annotations

import random
import subprocess
from contextlib import suppress
from uuid import uuid4

import anaphora
from anaphora import Memory
from tests.faults import Finding
from tests.faults.compactor import start

__all__ = ["run"]


def run(place: str, *, kills: int, seed: int = 1) -> list[Finding]:
    chance = random.Random(seed)
    user = f"compacted-{uuid4().hex}"
    first = torn = lost = fragments = 0
    problems: list[str] = []
    for _ in range(kills):
        _compact_until_killed(place, user, first, chance)
        with anaphora.open(place, user=user, background=False, reader="none") as memory:
            problems += memory.verify()
            messages = [m.id for c in memory.conversations() for m in memory.conversation(c.id).messages]
            torn += _torn(memory)
            lost += len(set(range(len(messages))) - {int(id[1:]) for id in messages})
            first, fragments = len(messages), len(memory.fragments())
    return [
        Finding(f"{kills} kills while compacting: messages", str(first), f"≥ {kills}", first >= kills),
        Finding(f"{kills} kills while compacting: fragments made", str(fragments), "≥ 1", fragments >= 1),
        Finding(f"{kills} kills while compacting: messages lost", str(lost), "0", lost == 0),
        Finding(f"{kills} kills while compacting: steps half done", str(torn), "0", torn == 0),
        Finding(f"{kills} kills while compacting: problems that verify finds", str(len(problems)), "0", not problems),
    ]


def _compact_until_killed(place: str, user: str, first: int, chance: random.Random) -> None:
    with start(place, user, first) as process:
        assert process.stdout is not None
        for _ in range(chance.randrange(1, 8)):
            process.stdout.readline()
        with suppress(subprocess.TimeoutExpired):
            process.wait(chance.uniform(0, 0.05))
        process.kill()


def _torn(memory: Memory) -> int:
    """Steps of which only a part is there: a fragment without its mark, a mark without its fragment, one twice."""
    wrong = 0
    for conversation in memory.conversations():
        done = memory.compaction(conversation.id)
        parts = [f for f in memory.fragments() if f.conversation_id == conversation.id and f.part]
        behind = [id for f in parts for id in f.message_ids]
        clustered = [id for c in done.clusters for id in c.message_ids]
        wrong += len(parts) != done.parts
        wrong += len(behind) != done.archived_count
        wrong += len(set(behind)) != len(behind)
        wrong += len(set(clustered)) != len(clustered) or bool(set(clustered) & set(behind))
        wrong += any(memory.message(id) is None for id in (*behind, *clustered))
    return wrong
