"""Learning: what consolidating one half of the streams does to how the other is understood."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from anaphora.knowledge import Knowledge
from evals import data
from evals.tasks.replaying import OpenMemory, Replay
from evals.tasks.running import Measured, known
from evals.tasks.streams import Heard, hear_stream, prompt_misses, stream_figures

__all__ = ["measure_learning"]

LEARNED = ("intent_accuracy", "intent_macro_f1", "needs_context_f1", "resolution", "boundary_f1_forced")


def measure_learning(streams: Iterable[data.Stream], open_memory: OpenMemory) -> Measured:
    """Each half of the streams heard twice: knowing nothing, and knowing what consolidating the other half taught."""
    rows = list(streams)
    halves = rows[0::2], rows[1::2]
    before: list[Heard] = []
    after: list[Heard] = []
    for taught, asked in (halves, halves[::-1]):
        knowledge = _learned_from(taught, open_memory)
        for stream in asked:
            before += hear_stream(stream, open_memory)
            after += hear_stream(stream, open_memory, knowledge=knowledge)
    plain, knowing = stream_figures(before), stream_figures(after)
    figures = {f"{name}/{when}": of[name] for name in LEARNED for when, of in (("before", plain), ("after", knowing))}
    return Measured(known(figures), tuple(miss for one in after for miss in prompt_misses(one)))


def _learned_from(streams: Sequence[data.Stream], open_memory: OpenMemory) -> Knowledge:
    """What one scope learns in which each stream is a chat of its own."""
    if not streams:
        return Knowledge()
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder) / "learning.db")
        for stream in streams:
            for _ in hear_stream(stream, open_memory, store=store, session=stream.id):
                pass
        with Replay(open_memory, streams[0].id, store=store) as replay:
            replay.memory.consolidate()
            return replay.memory.knowledge
