"""Rewrites: a message written out so that it stands alone, against what people wrote."""

from __future__ import annotations

from collections.abc import Iterable

from anaphora.types import Turn
from evals import data, metrics
from evals.tasks.replaying import OpenMemory, Replay
from evals.tasks.running import Measured, Miss, known

__all__ = ["measure_rewrites", "measure_titled_rewrites"]


def measure_rewrites(rows: Iterable[data.Rewrite], open_memory: OpenMemory) -> Measured:
    """Each row in a memory of its own: the history, then the message."""
    heard = [(row, _rewrite(row, open_memory)) for row in rows]
    scored = [metrics.RewriteRow(row.text, row.rewrite, turn.expanded, row.changed) for row, turn in heard]
    changes = [(row.changed, turn.expanded != turn.text) for row, turn in heard]
    figures = {
        "added_word_f1": metrics.added_word_f1(scored),
        "exact": metrics.exact_share(scored),
        "exact_of_changed": metrics.exact_share(row for row in scored if row.changed),
        "left_alone": metrics.left_alone(changes),
        "needs_context_f1": metrics.f1(changes),
    }
    misses = (
        Miss("exact", row.id, row.text, row.rewrite, turn.expanded)
        for row, turn in heard
        if not metrics.same_text(row.rewrite, turn.expanded)
    )
    return Measured(known(figures), tuple(misses))


def measure_titled_rewrites(rows: Iterable[data.Rewrite], open_memory: OpenMemory) -> Measured:
    """Rows whose history opens with the title of what is talked about: it is heard as if the user had named it."""
    return measure_rewrites((_with_title_heard(row) for row in rows), open_memory)


def _with_title_heard(row: data.Rewrite) -> data.Rewrite:
    title, talk = row.history[:1], row.history[1:]
    history = (*(data.Line("user", line.text) for line in title), *talk)
    return data.Rewrite(row.id, history, row.text, row.rewrite, row.changed)


def _rewrite(row: data.Rewrite, open_memory: OpenMemory) -> Turn:
    with Replay(open_memory, row.id) as replay:
        for line in row.history:
            if line.role == "user":
                replay.let_stand(replay.hear(line.text))
            else:
                replay.say(line.text)
        return replay.hear(row.text)
