"""The life of a conversation: started, gone on with, ended, kept in the queue, pushed out of it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from anaphora.engine.documents import put_value, value_of
from anaphora.engine.lessons import observe_leaving
from anaphora.engine.traces import drop_traces, erase_traces
from anaphora.errors import InputError, NotFound
from anaphora.ports import Transaction, View
from anaphora.settings import Settings
from anaphora.types import Conversation, Event, Message, Outcome
from anaphora.understanding.titles import is_preamble, title_of, title_of_talk, topic_of

__all__ = [
    "count_in",
    "drop",
    "end",
    "find",
    "in_queue",
    "make_room",
    "new_id",
    "queue_of",
    "read_conversation",
    "reopen",
    "start",
    "take_out",
    "write_conversation",
]

_QUEUED, _PAST = "conversation", "past conversation"
_ENTITIES_KEPT = 200


def read_conversation(view: View, id: str | None) -> Conversation | None:
    """A conversation in the queue or, having left it, in long-term memory."""
    if id is None:
        return None
    document = view.document(_QUEUED, id) or view.document(_PAST, id)
    return None if document is None else value_of(Conversation, document)


def queue_of(view: View) -> list[Conversation]:
    """The queue, oldest first, numbered from 1."""
    return [value_of(Conversation, document, number) for number, document in enumerate(view.documents(_QUEUED), 1)]


def in_queue(view: View, id: str | None) -> Conversation | None:
    """A conversation with its number, if it is in the queue."""
    numbered = enumerate(view.documents(_QUEUED), 1)
    return next((value_of(Conversation, document, number) for number, document in numbered if document.id == id), None)


def past_of(view: View) -> list[Conversation]:
    """Conversations that have left the queue, oldest first."""
    return [value_of(Conversation, document) for document in view.documents(_PAST)]


def find(view: View, name: str | int) -> Conversation:
    """By id, by number in the queue (2, "2" or "#2"), or by title."""
    if not isinstance(name, str | int) or isinstance(name, bool):
        raise InputError(
            f"A conversation is named by its id, its number or its title, not by {type(name).__name__}.",
            remedy="Give, say, '2' or 'Dark Mode'.",
        )
    queue, past = queue_of(view), past_of(view)
    name = str(name)
    number = name.removeprefix("#")
    ways: tuple[Callable[[Conversation], bool], ...] = (
        lambda c: c.id == name,
        lambda c: c.number is not None and str(c.number) == number,
        lambda c: c.title.lower() == name.lower(),
    )
    for fits in ways:
        for conversation in [*reversed(queue), *reversed(past)]:
            if fits(conversation):
                return conversation
    raise NotFound(f"There is no conversation {name!r}.", remedy="'anaphora sessions list' shows them all.")


def write_conversation(tx: Transaction, conversation: Conversation, *, past: bool = False) -> None:
    """Where it is already, in the queue or past it; a new one where `past` says."""
    if not past and tx.document(_QUEUED, conversation.id) is None:
        past = tx.document(_PAST, conversation.id) is not None
    if conversation.number is not None or conversation.messages:
        conversation = replace(conversation, number=None, messages=())
    put_value(tx, _PAST if past else _QUEUED, conversation.id, conversation)


def start(
    tx: Transaction, title: str, at: datetime, session: str, settings: Settings, *, titled: bool = False, id: str = ""
) -> Conversation:
    """A new conversation at the end of the queue."""
    conversation = Conversation(id or new_id(tx, title, at), title, at, session, last_at=at, titled=titled)
    write_conversation(tx, conversation)
    tx.emit(Event("conversation.started", at, session, conversation_id=conversation.id, data={"title": title}))
    make_room(tx, at, session, settings, keep=conversation.id)
    return conversation


def end(
    tx: Transaction, conversation: Conversation, at: datetime, session: str, outcome: Outcome | None
) -> Conversation:
    """Ended, and kept in the queue."""
    ended = replace(conversation, ended=at, outcome=outcome or _outcome(conversation))
    write_conversation(tx, ended)
    data = {"title": ended.title, "outcome": ended.outcome}
    tx.emit(Event("conversation.stored", at, session, conversation_id=ended.id, data=data))
    return ended


def reopen(tx: Transaction, conversation: Conversation, at: datetime, session: str, settings: Settings) -> Conversation:
    """Gone on with; one that had left the queue comes back at its end."""
    opened = replace(conversation, ended=None, outcome=None, session=session, last_at=at)
    tx.drop(_PAST, opened.id)
    write_conversation(tx, opened)
    tx.emit(Event("conversation.active", at, session, conversation_id=opened.id, data={"resumed": True}))
    make_room(tx, at, session, settings, keep=opened.id)
    return opened


def count_in(conversation: Conversation, message: Message) -> Conversation:
    """The conversation with one more message in it; the first of a user that is no mere greeting gives it its title."""
    heard = message.role == "user"
    titles = heard and not is_preamble(message.text)
    topic = topic_of(message.text) if heard else None
    names = [e.text for e in message.entities if e.role != "excluded"] if heard else []
    links = [r.conversation_id for r in message.references if r.conversation_id]
    intents = [i.name for i in message.intents]
    return replace(
        conversation,
        title=title_of(message.text) if titles and not conversation.titled else conversation.title,
        titled=conversation.titled or titles,
        ended=None,
        outcome=None,
        message_count=conversation.message_count + 1,
        last_at=max(message.at, conversation.last_at or message.at),
        entities_discussed=_joined(conversation.entities_discussed, [topic, *names] if topic else names),
        links=_joined(conversation.links, [link for link in links if link != conversation.id]),
        intents_seen=_joined(conversation.intents_seen, intents),
        authors=_joined(conversation.authors, [message.speaker]),
    )


def take_out(
    tx: Transaction, conversation: Conversation, messages: Sequence[Message], *, moved: bool = False
) -> Conversation | None:
    """The conversation as if the messages had never been in it; None, and gone, if nothing is left. Unless they were
    `moved` elsewhere, whatever tells of them goes too."""
    left = conversation.message_count - len(messages)
    if moved:
        drop_traces(tx, conversation.id, messages)
    else:
        erase_traces(tx, conversation.id, messages, whole=left <= 0)
    if left <= 0:
        drop(tx, conversation.id)
        return None
    gone = {m.id for m in messages}
    rest = [m for m in tx.messages(conversation=conversation.id) if m.id not in gone]
    fresh = replace(conversation, message_count=0, entities_discussed=(), links=(), intents_seen=(), authors=())
    if conversation.title in {title_of(m.text) for m in messages if m.role == "user"}:
        # one that only led up to them is called after what is left
        fresh = replace(fresh, title=title_of_talk([m.text for m in rest if m.role == "user"]), titled=False)
    for message in rest:
        fresh = count_in(fresh, message)
    fresh = replace(fresh, ended=conversation.ended, outcome=conversation.outcome)
    write_conversation(tx, fresh)
    return fresh


def make_room(tx: Transaction, at: datetime, session: str, settings: Settings, *, keep: str | None = None) -> None:
    """Push the oldest conversations out of a queue that has grown too long, never an active one; one that a session
    left open and did not come back to for long is ended first."""
    queue = queue_of(tx)
    surplus = max(0, len(queue) - settings.queue)
    leaving = [c for c in queue if not c.active and c.id != keep][:surplus]
    for conversation in [c for c in queue if c.active and c.id != keep][: surplus - len(leaving)]:
        if at - (conversation.last_at or conversation.started) >= settings.abandon_after:
            leaving.append(end(tx, conversation, at, conversation.session, "abandoned"))
    for conversation in leaving:
        _push_out(tx, conversation, at, session, settings)


def _push_out(tx: Transaction, conversation: Conversation, at: datetime, session: str, settings: Settings) -> None:
    messages = [] if settings.retention == "keep" else tx.messages(conversation=conversation.id)
    going = [m for m in messages if m.fleeting]
    deleted = settings.retention != "keep" and len(going) == len(messages)
    data: dict[str, Any] = {"title": conversation.title, "text": "kept"}
    name: str | None = conversation.id
    if going:
        observe_leaving(tx, going, settings)
        tx.remove([m.id for m in going])
        erase_traces(tx, conversation.id, going, whole=deleted)
    drop(tx, conversation.id)
    if deleted:
        name, data = None, {"text": "deleted", "messages": len(going)}  # an id is made of the title
        _unlink(tx, conversation.id)
    else:
        put_value(tx, _PAST, conversation.id, replace(conversation, number=None))
    tx.emit(Event("conversation.removed", at, session, conversation_id=name, data=data))


def drop(tx: Transaction, id: str) -> None:
    """The record of a conversation, wherever it is; its messages and what was made of them are not touched."""
    tx.drop(_QUEUED, id)
    tx.drop(_PAST, id)


def _unlink(tx: Transaction, id: str) -> None:
    for other in queue_of(tx):
        if id in other.links:
            write_conversation(tx, replace(other, links=tuple(link for link in other.links if link != id)))


def new_id(view: View, title: str, at: datetime) -> str:
    """A name that people can read: the title and the day, numbered where that is taken."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-") or "conversation"
    base = f"{slug}-{at:%Y%m%d}"
    taken, free = 0, 1
    while read_conversation(view, _numbered(base, free)) is not None:
        taken, free = free, 2 * free
    while free - taken > 1:  # between the two, rather than one after the other: a day may have very many of one title
        middle = (taken + free) // 2
        is_taken = read_conversation(view, _numbered(base, middle)) is not None
        taken, free = (middle, free) if is_taken else (taken, middle)
    return _numbered(base, free)


def _numbered(base: str, number: int) -> str:
    return base if number == 1 else f"{base}-{number}"


def _outcome(conversation: Conversation) -> Outcome:
    """What came of it, by what was wanted in it."""
    seen = set(conversation.intents_seen)
    if "CLOSE" in seen:
        return "completed"
    if "TEST" in seen:
        return "tested"
    if seen & {"EXECUTE", "CORRECT"}:
        return "implemented"
    return "planned" if "PLAN" in seen else "abandoned"


def _joined(names: tuple[str, ...], more: Iterable[str]) -> tuple[str, ...]:
    """In order, each once, whatever its case; the newest are kept."""
    more = list(more)
    if not more:
        return names
    found = dict(zip(map(str.lower, names), names, strict=True))
    for name in more:
        found.setdefault(name.lower(), name)
    return tuple(found.values())[-_ENTITIES_KEPT:]
