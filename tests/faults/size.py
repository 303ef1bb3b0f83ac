"""How much room chat messages take on the disk, with all that was understood of them and a vector each."""

from __future__ import annotations

import math
import random
from pathlib import Path

import anaphora
from tests.faults import Finding, opened

__all__ = ["run"]

_DIMENSIONS = 384
_THINGS = "button header footer page table menu filter search box list form field icon panel title chart map"
_DOINGS = "change move add remove check test paint widen align rename hide show split sort link fix"
_PEOPLE = "Ann Ben Cem Dan"


def run(folder: Path, *, messages: int, most: int) -> list[Finding]:
    """At most so many bytes once the log is put into the file."""
    path, chance = folder / "size.db", random.Random(1)
    # nothing in the background: else the messages have vectors of the bundled embedder too
    with anaphora.open(path, durability="normal", background=False) as memory:
        memory.ingest({"text": _sentence(chance)} for _ in range(messages))
        scope = memory.scope
    store = opened(str(path))
    try:
        with store.transaction(scope) as tx:
            tx.put_vectors("random", {n: [_vector(chance)] for n in range(1, messages + 1)})
    finally:
        store.close()  # the last one to leave puts the log into the file
    taken = path.stat().st_size
    what = f"{messages:,} messages of about 40 tokens on disk, a vector of {_DIMENSIONS} each"
    return [Finding(what, f"{taken / 1e6:.1f} MB", f"≤ {most / 1e6:g} MB", taken <= most)]


def _sentence(chance: random.Random) -> str:
    """About 40 tokens."""
    a, b, c, d, e, f = (chance.choice(_THINGS.split()) for _ in range(6))
    do, then = (chance.choice(_DOINGS.split()) for _ in range(2))
    who = chance.choice(_PEOPLE.split())
    return (
        f"please {do} the {a} of view {chance.randrange(500)} so that the {b} stands above the {c}, then {then} the "
        f"{d} on the left and keep the {e} that we chose for the {f} last time, as {who} said"
    )


def _vector(chance: random.Random) -> list[float]:
    """Of unit length."""
    values = [chance.gauss() for _ in range(_DIMENSIONS)]
    length = math.hypot(*values)
    return [value / length for value in values]
