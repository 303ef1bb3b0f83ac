"""Recall: of the messages that hold an answer, those that are found."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from evals import data, metrics
from evals.tasks.replaying import MINUTE, OpenMemory, Replay
from evals.tasks.running import Measured, Miss, known

__all__ = ["DEPTHS", "LATER", "ingest", "measure_recall", "measure_shared_recall"]

DEPTHS = (5, 10, 20)
LATER = timedelta(days=1)  # after the last message the questions come: none of them was said a moment ago


def measure_recall(chats: Iterable[data.Chat], open_memory: OpenMemory) -> Measured:
    """The store of one chat holds that chat alone. Asked a day later, and at once, while the talk is still running."""
    asked: list[_Asked] = []
    at_once: list[_Asked] = []
    for chat in chats:
        with Replay(open_memory, chat.id) as replay:
            ingest(chat, replay)
            at_once += _ask(chat, replay)
            replay.now += LATER
            asked += _ask(chat, replay)
    measured = _recall_figures(asked)
    told = {f"recall@{k} at once": _recall(at_once, k) for k in DEPTHS[1:]}
    return replace(measured, figures={**measured.figures, **known(told)})


def measure_shared_recall(chats: Iterable[data.Chat], open_memory: OpenMemory) -> Measured:
    """All chats in one store, each under a user of its own; asked once the last one is in."""
    asked: list[_Asked] = []
    with tempfile.TemporaryDirectory() as folder, ExitStack() as opened:
        store = str(Path(folder) / "shared.db")
        replays = []
        for chat in chats:
            replay = opened.enter_context(Replay(open_memory, chat.id, store=store, user=chat.id))
            ingest(chat, replay)
            replays.append((chat, replay))
        for chat, replay in replays:
            replay.now += LATER
            asked += _ask(chat, replay)
    return _recall_figures(asked)


@dataclass(frozen=True, slots=True)
class _Asked:
    id: str
    query: data.Query
    hits: tuple[str | None, ...]


def ingest(chat: data.Chat, replay: Replay) -> None:
    """All messages of a chat, at their times."""

    def messages() -> Iterator[dict[str, Any]]:
        for message in chat.messages:
            # Times are days at best: messages of one day follow each other by the minute.
            replay.now = max(message.at or replay.now, replay.now) + MINUTE
            row = {"role": message.role, "text": message.text, "at": replay.now, "id": message.id}
            yield row if message.speaker is None else {**row, "speaker": message.speaker}

    first = next((message.at for message in chat.messages if message.at is not None), None)
    replay.now = first or replay.now
    replay.memory.ingest(messages())
    replay.memory.finish()


def _ask(chat: data.Chat, replay: Replay) -> Iterator[_Asked]:
    for query in chat.queries:
        if query.gold:
            hits = replay.memory.recall(query.text, k=max(DEPTHS))
            yield _Asked(f"{chat.id} {query.id}", query, tuple(hit.message_id for hit in hits))


def _recall_figures(asked: Sequence[_Asked]) -> Measured:
    figures = {f"recall@{k}": _recall(asked, k) for k in DEPTHS}
    for category in sorted({one.query.category for one in asked}):
        of_it = [one for one in asked if one.query.category == category]
        figures |= {f"recall@{k}/{category}": _recall(of_it, k) for k in DEPTHS}
    misses = (
        Miss("recall@10", one.id, one.query.text, " ".join(one.query.gold), " ".join(str(hit) for hit in one.hits[:10]))
        for one in asked
        if not metrics.recall_at(10, one.query.gold, one.hits)
    )
    return Measured(known(figures), tuple(misses))


def _recall(asked: Iterable[_Asked], k: int) -> float | None:
    return metrics.mean(metrics.recall_at(k, one.query.gold, one.hits) for one in asked)
