"""Segments: where the topics of a dialogue start."""

from __future__ import annotations

from collections.abc import Iterable

from evals import data, metrics
from evals.tasks.replaying import OpenMemory, Replay
from evals.tasks.running import Measured, Miss, known

__all__ = ["measure_segments"]


def measure_segments(dialogues: Iterable[data.Dialogue], open_memory: OpenMemory) -> Measured:
    """Each turn decided from those before it. Questions stay without an answer: the best guess stands."""
    heard = [(dialogue, _segments(dialogue, open_memory)) for dialogue in dialogues]
    rows = [metrics.SegmentRow(len(one.turns), frozenset(one.starts), starts) for one, starts in heard]
    figures = {
        "pk": metrics.mean(value for row in rows if (value := metrics.pk(row)) is not None),
        "window_diff": metrics.mean(value for row in rows if (value := metrics.window_diff(row)) is not None),
        "f1": metrics.starts_f1(rows),
    }
    misses = (
        Miss("f1", f"{one.id}, turn {index}", one.turns[index], _new_or_same(index in one.starts), _new_or_same(new))
        for one, starts in heard
        for index in range(1, len(one.turns))
        if (new := index in starts) != (index in one.starts)
    )
    return Measured(known(figures), tuple(misses))


def _segments(dialogue: data.Dialogue, open_memory: OpenMemory) -> frozenset[int]:
    starts = {0}
    with Replay(open_memory, dialogue.id) as replay:
        for index, text in enumerate(dialogue.turns):
            turn = replay.hear(text, speaker=("Ann", "Ben")[index % 2])
            if metrics.forced(turn.boundary.decision, turn.boundary.best_guess) == "new":
                starts.add(index)
            replay.let_stand(turn)
    return frozenset(starts)


def _new_or_same(new: bool) -> str:
    return "new" if new else "same"
