"""Contexts: of the messages that hold an answer and were found, those that stand in the context."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta

from anaphora.models.tokens import token_counter
from evals import data, metrics
from evals.tasks.recall import DEPTHS, ingest
from evals.tasks.replaying import MINUTE, OpenMemory, Replay
from evals.tasks.running import Measured, Miss, known

__all__ = ["measure_contexts"]

CONTEXT_BUDGET = 2000
GOLD_TOKENS = 1200  # more do not fit into such a context together with all else


def measure_contexts(chats: Iterable[data.Chat], open_memory: OpenMemory) -> Measured:
    """Of the messages that hold the answer, the share that stands in a context of 2,000 tokens, over the questions
    whose messages are all recalled and would fit; asked while the talk is going on, and a day later."""
    given: list[_Given] = []
    for chat in chats:
        with Replay(open_memory, chat.id) as replay:
            ingest(chat, replay)
            for when, pause in (("at_once", MINUTE), ("later", timedelta(days=1))):
                replay.now += pause
                given += _contexts(chat, replay, when)
    shares = {
        when: metrics.mean(1 - len(one.lost) / len(one.query.gold) for one in given if one.when == when)
        for when in ("at_once", "later")
    }
    figures = {f"kept_{when}": share for when, share in shares.items()}
    figures["tokens_at_most"] = max((float(one.tokens) for one in given), default=None)
    misses = (
        Miss(f"kept_{one.when}", one.id, one.query.text, " ".join(one.query.gold), f"without {' '.join(one.lost)}")
        for one in given
        if one.lost
    )
    return Measured(known(figures), tuple(misses))


@dataclass(frozen=True, slots=True)
class _Given:
    """A context that was given for a question, and the messages with its answer that it does not hold."""

    id: str
    query: data.Query
    when: str
    lost: tuple[str, ...]
    tokens: int


def _contexts(chat: data.Chat, replay: Replay, when: str) -> Iterator[_Given]:
    count = token_counter("o200k").count
    said = {message.id: message.text for message in chat.messages}
    for query in chat.queries:
        if not query.gold or sum(count(said[id]) for id in query.gold) > GOLD_TOKENS:
            continue
        hits = {hit.message_id for hit in replay.memory.recall(query.text, k=max(DEPTHS))}
        if hits.issuperset(query.gold):
            context = replay.memory.context(query.text, CONTEXT_BUDGET)
            shown = [part.text for part in context.parts if part.tier != "query"]
            lost = tuple(id for id in query.gold if not any(metrics.holds(text, said[id]) for text in shown))
            yield _Given(f"{chat.id} {query.id}", query, when, lost, context.tokens)
