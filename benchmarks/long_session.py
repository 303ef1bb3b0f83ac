"""`python -m benchmarks.long_session [MESSAGES]`: one session that never ends, compacted as it goes.

After each message a context is made: it must fit its budget. At the end every original must still be found by recall,
and what the process holds in memory must not have grown with the session.
"""

from __future__ import annotations

import gc
import resource
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import anaphora
from anaphora.testing import FrozenClock

__all__ = ["main"]

_BUDGET = 2000
_ROOMS = ("kitchen", "cellar", "attic", "garage", "porch", "stable", "tower", "library", "chapel", "granary")
_COLOURS = ("purple", "green", "crimson", "ochre", "teal", "ivory", "cobalt")


def _text(n: int) -> str:
    name = f"item{n}"
    match n % 25:
        case 3:
            return f"Let's use {_COLOURS[n % 7]} for {name} because it lasts"
        case 11:
            return f"{name} must never touch the {_ROOMS[n % 10]} floor"
        case _:
            return f"Paint {name} in the {_ROOMS[n % 10]} {_COLOURS[n % 7]} and tell me when it is dry"


def main(messages: int) -> int:
    clock = FrozenClock(datetime(2025, 11, 3, 9, 0, tzinfo=UTC))
    over, worst, grown, slow = 0, 0, [], []
    with TemporaryDirectory() as folder:
        place = Path(folder) / "long.db"
        with anaphora.open(place, clock=clock, background=False, reader="none", durability="normal") as memory:
            begun = time.perf_counter()
            for n in range(messages):
                clock.advance(seconds=20)
                turn = memory.hear(_text(n), id=f"m{n}")
                memory.finish()
                asked = time.perf_counter()
                context = memory.context(turn, budget=_BUDGET)
                slow.append(time.perf_counter() - asked)
                worst, over = max(worst, context.tokens), over + (context.tokens > _BUDGET)
                if (n + 1) % max(1, messages // 10) == 0:
                    gc.collect()
                    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
                    grown.append(held)
                    told = f"{n + 1:>6} messages, {held:6.1f} MB, context {1000 * sum(slow[-100:]) / 100:.1f} ms, "
                    print(f"{told}{len(memory.fragments())} fragments, {time.perf_counter() - begun:.0f} s", flush=True)
            lost = [n for n in range(messages) if not _found(memory, n)]
            problems = memory.verify()
    print(f"contexts over their budget of {_BUDGET}: {over} (the largest {worst})")
    print(f"originals that recall does not find: {len(lost)} of {messages}")
    print(f"memory: {grown[0]:.1f} MB after a tenth, {grown[-1]:.1f} MB at the end; verify: {len(problems)} problems")
    return int(bool(over or lost or problems))


def _found(memory: anaphora.Memory, n: int) -> bool:
    return any(hit.message_id == f"m{n}" for hit in memory.recall(f"item{n}", k=5))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
