"""Compaction: a long conversation is put together, archived and gone on with from its summary, a step at a time.

Each step reads, works outside of any transaction and writes in one, if nothing that it rests on has changed meanwhile:
whoever is interrupted leaves the old state or the new one. No message is touched."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from anaphora.codec import from_plain
from anaphora.engine import conversations
from anaphora.engine.archiving import fragment_of
from anaphora.engine.place import Place
from anaphora.engine.sessions import read_session
from anaphora.engine.states import change_state
from anaphora.engine.summarising import still_there
from anaphora.engine.traces import COMPACTION, read_compaction, write_compaction, write_fragment
from anaphora.errors import MissingExtra
from anaphora.memory.compaction import (
    ALIKE_MEANING,
    Compaction,
    cluster_of,
    folded,
    group_similar,
    may_join,
    word_likeness,
)
from anaphora.memory.digest import digested, signals_of
from anaphora.memory.gathering import operations_from
from anaphora.ports import Document, Embedder, Transaction, View
from anaphora.types import Conversation, Event, Message

__all__ = ["compact", "recent_history"]

_LAST_TURNS = 4  # messages that stay as they are even where the window overflows


def recent_history(view: View, conversation_id: str, last: int) -> list[Message]:
    """The last messages of a conversation as a context shows them: what was archived is left to the summary, and a
    cluster stands in place of its messages, which its metadata cites."""
    return folded(view.messages(conversation=conversation_id, last=last), read_compaction(view, conversation_id))


def compact(place: Place) -> bool:
    """The job: one step in one conversation that is due."""
    if not place.settings.compaction:
        return False
    view = place.view
    open_id = read_session(view, place.session).conversation_id
    for conversation in conversations.queue_of(view):
        long = conversation.message_count >= min(place.settings.compact_clusters_at, place.settings.compact_archive_at)
        if long and _grown(place, conversation, view.document(COMPACTION, conversation.id)):
            return True
        if conversation.id == open_id and _filling(place, conversation, view.document(COMPACTION, conversation.id)):
            return True
    return False


def _grown(place: Place, conversation: Conversation, stored: Document | None) -> bool:
    """By the number of messages: archived, or put together; whether something was done."""
    settings, count = place.settings, conversation.message_count
    now = _compaction(conversation.id, stored)
    if count // settings.compact_archive_at > now.archived_at // settings.compact_archive_at:
        return _archive(place, conversation, stored, keep=settings.compact_keep, why="it grew long")
    if count // settings.compact_clusters_at > now.clustered_at // settings.compact_clusters_at:
        return _cluster(place, conversation, stored)
    return False


def _filling(place: Place, conversation: Conversation, stored: Document | None) -> bool:
    """By the tokens that are not archived yet: at once where they nearly fill the window."""
    view, settings, count = place.view, place.settings, conversation.message_count
    now = _compaction(conversation.id, stored)
    waiting = view.messages(conversation=conversation.id, after=max(now.counted, now.archived))
    tokens = now.tokens + _tokens(place, waiting)
    if tokens > settings.compact_window * settings.budget and count - now.archived_count >= 2 * _LAST_TURNS:
        return _archive(place, conversation, stored, keep=_LAST_TURNS, why="the window was nearly full")
    if len(waiting) >= settings.compact_summary_at:
        counted = replace(now, counted=waiting[-1].seq, tokens=tokens)
        return _write(place, stored, counted, waiting)
    return False


# --- clusters -----------------------------------------------------------------------------------------------------


def _cluster(place: Place, conversation: Conversation, stored: Document | None) -> bool:
    """Similar messages become one summary that cites them."""
    view, settings = place.view, place.settings
    now = _compaction(conversation.id, stored)
    read = view.messages(
        conversation=conversation.id,
        after=max(now.clustered, now.archived),
        first=settings.compact_clusters_at + settings.compact_keep,
    )
    ripe = _before_questions(view, read[: -settings.compact_keep])
    groups = group_similar(ripe, _likeness(place, view, ripe), above=settings.cluster_above)
    if not ripe:
        return _write(place, stored, replace(now, clustered_at=conversation.message_count), [])
    done = replace(
        now,
        clustered=ripe[-1].seq,
        clustered_count=now.clustered_count + len(ripe),
        clustered_at=_reached(now.clustered_count, read, conversation),
        clusters=(*now.clusters, *map(cluster_of, groups)),
    )
    return _write(place, stored, done, ripe, lambda tx: _tell(tx, place, conversation, clusters=len(groups)))


def _reached(before: int, read: Sequence[Message], conversation: Conversation) -> int:
    """How many messages the conversation has up to the last one that was read, so that a step is due once."""
    return min(conversation.message_count, before + len(read))


def _likeness(place: Place, view: View, messages: Sequence[Message]) -> Callable[[int, int], bool]:
    """By meaning where the messages have their vectors already, and otherwise by words."""
    by_words = word_likeness(messages)
    if len([m for m in messages if may_join(m)]) <= place.settings.cluster_above:
        return by_words
    try:
        embedder = place.embedder()
        if not _embedded(view, embedder, messages):
            return by_words
        vectors = embedder.embed([m.text for m in messages])
    except MissingExtra:
        return by_words
    close = vectors @ vectors.T >= ALIKE_MEANING
    return lambda i, j: bool(close[i, j]) or by_words(i, j)


def _embedded(view: View, embedder: Embedder, messages: Sequence[Message]) -> bool:
    """Whether each of the messages has its vector in the store."""
    any_way = [1.0, *[0.0] * (embedder.width - 1)]
    found = view.nearest(embedder.name, any_way, len(messages), among=[m.seq for m in messages])
    return len(found) == len(messages)


# --- archiving ----------------------------------------------------------------------------------------------------


def _archive(place: Place, conversation: Conversation, stored: Document | None, *, keep: int, why: str) -> bool:
    """A stretch of the conversation becomes a fragment; the conversation goes on from its summary and last turns."""
    view, settings = place.view, place.settings
    now = _compaction(conversation.id, stored)
    fresh = view.messages(conversation=conversation.id, after=now.archived, first=settings.compact_archive_at + keep)
    ripe = _before_questions(view, fresh[:-keep])
    reached = _reached(now.archived_count, fresh, conversation)
    if not ripe:
        return _write(place, stored, replace(now, archived_at=conversation.message_count), [])
    kept = fresh[len(ripe) :]
    done = replace(
        now,
        archived=ripe[-1].seq,
        archived_count=now.archived_count + len(ripe),
        archived_at=reached,
        clustered=max(now.clustered, ripe[-1].seq),
        clustered_count=max(now.clustered_count, now.archived_count + len(ripe)),
        clustered_at=max(now.clustered_at, reached),
        counted=fresh[-1].seq,
        tokens=_tokens(place, kept),
        parts=now.parts + 1,
        clusters=tuple(c for c in now.clusters if c.seq > ripe[-1].seq),
    )
    fragment = fragment_of(
        place, conversation, digested(conversation.id, ripe, place.settings), ripe, part=done.parts, why=why
    )

    def also(tx: Transaction) -> None:
        write_fragment(tx, fragment)
        _move_to_state(tx, place, ripe)
        _tell(tx, place, conversation, fragment=fragment.id, messages=len(ripe), why=why)

    return _write(place, stored, done, ripe, also)


def _move_to_state(tx: Transaction, place: Place, messages: Sequence[Message]) -> None:
    """Decisions and entities of messages that were stored without being heard; those that were heard are there, or
    were taken out of it by hand."""
    if not place.settings.keep_state:
        return
    operations = [
        operation
        for m in messages
        if m.boundary is None and m.role == "user"
        for operation in operations_from(
            signals_of(m), m.entities, author=place.author, speaker=m.speaker, at=m.at, message_id=m.id
        )
    ]
    change_state(tx, place, operations, place.clock(), place.author)


def _before_questions(view: View, messages: Sequence[Message]) -> list[Message]:
    """Up to the first message that a question waits about."""
    sessions = (read_session(view, d.id) for d in view.documents("session"))
    asked = {s.question.message_id for s in sessions if s.question is not None}
    for n, message in enumerate(messages):
        if message.id in asked:
            return list(messages[:n])
    return list(messages)


# --- writing ------------------------------------------------------------------------------------------------------


def _compaction(id: str, stored: Document | None) -> Compaction:
    return Compaction(id) if stored is None else from_plain(Compaction, stored.body)


def _write(
    place: Place,
    stored: Document | None,
    done: Compaction,
    messages: Sequence[Message],
    also: Callable[[Transaction], None] | None = None,
) -> bool:
    """The step in one transaction, unless another took it meanwhile or one of the messages is not what it was."""
    if done == _compaction(done.conversation_id, stored):
        return False

    def write(tx: Transaction) -> bool:
        if tx.document(COMPACTION, done.conversation_id) != stored or not still_there(tx, messages):
            return False
        write_compaction(tx, done)
        if also is not None:
            also(tx)
        return True

    return place.change(write)


def _tell(tx: Transaction, place: Place, conversation: Conversation, **data: str | int) -> None:
    kind = "conversation.archived" if "fragment" in data else "conversation.compacted"
    tx.emit(Event(kind, place.clock(), place.session, conversation_id=conversation.id, data=data))


def _tokens(place: Place, messages: Iterable[Message]) -> int:
    counter = place.counter()
    return sum(counter.count(m.text) for m in messages)
