"""What each piece of evidence is worth to recall: the same questions with one of them left out at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from rich.table import Table

from anaphora.engine.facets.base import Base
from anaphora.engine.recalling import recall
from anaphora.memory.ranking import Weights
from evals import data, metrics, tasks

__all__ = ["VARIANTS", "ablate", "table"]

_ALL = Weights()
_BOTH = replace(
    _ALL,
    whose=0.0,
    whose_unsaid=0.0,
    speaker=0.0,
    told=False,
    brief=0.0,
    wish=0.0,
    before=0.0,
    after=0.0,
    pairs=False,
    when=0.0,
)
VARIANTS: Mapping[str, Weights] = {
    "all": _ALL,
    "words alone, nothing else": replace(_BOTH, words=1.0, meaning=0.0),
    "words and meaning, nothing else": _BOTH,
    "without meaning": replace(_ALL, words=1.0, meaning=0.0),
    "words 0.3, meaning 0.7": replace(_ALL, words=0.3, meaning=0.7),
    "words 0.6, meaning 0.4": replace(_ALL, words=0.6, meaning=0.4),
    "without whose words are asked for": replace(_ALL, whose=0.0, whose_unsaid=0.0),
    "without the named speaker": replace(_ALL, speaker=0.0),
    "with names as they stand": replace(_ALL, told=False),
    "with chatter as it stands": replace(_ALL, brief=0.0),
    "without standing wishes": replace(_ALL, wish=0.0),
    "without the message before": replace(_ALL, before=0.0),
    "without the message after": replace(_ALL, after=0.0),
    "without replies in summaries": replace(_ALL, pairs=False),
    "without named times": replace(_ALL, when=0.0, when_alone=0.0),
}
Figures = Mapping[str, float]


def ablate(chats: Iterable[data.Chat], open_memory: tasks.OpenMemory) -> dict[str, Figures]:
    """Each variant's figures over all chats, each chat in a memory of its own."""
    found: dict[str, list[Sequence[float]]] = {name: [] for name in VARIANTS}
    for chat in chats:
        with tasks.Replay(open_memory, chat.id) as replay:
            tasks.ingest(chat, replay)
            replay.now += tasks.LATER
            for name, weights in VARIANTS.items():
                found[name] += _asked(chat, replay, weights)
    return {
        name: {f"recall@{k}": metrics.mean(row[i] for row in rows) or 0.0 for i, k in enumerate(tasks.DEPTHS)}
        for name, rows in found.items()
    }


def _asked(chat: data.Chat, replay: tasks.Replay, weights: Weights) -> Iterator[Sequence[float]]:
    memory = replay.memory
    assert isinstance(memory, Base), "weights are no part of the public interface"
    place = memory._place
    for query in chat.queries:
        if query.gold:
            hits = recall(place.view, place, query.text, max(tasks.DEPTHS), replay.now, weights=weights)
            ids = [hit.message_id for hit in hits]
            yield [metrics.recall_at(k, query.gold, ids) for k in tasks.DEPTHS]


def table(found: Mapping[str, Figures]) -> Table:
    shown = Table("variant", *(f"recall@{k}" for k in tasks.DEPTHS), "change @10", pad_edge=False)
    for name, figures in found.items():
        change = figures["recall@10"] - found["all"]["recall@10"]
        shown.add_row(name, *(f"{value:.3f}" for value in figures.values()), "" if name == "all" else f"{change:+.3f}")
    return shown
