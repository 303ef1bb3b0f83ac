"""What leaves by itself: expired messages, those that rotate out of the window, those of an ended session."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from anaphora.engine import conversations
from anaphora.engine.lessons import observe_leaving, of_conversation, of_message, unlearn
from anaphora.engine.place import Place
from anaphora.engine.sessions import read_session, write_session
from anaphora.engine.states import change_state
from anaphora.memory.items import without
from anaphora.memory.window import talk_of
from anaphora.ports import Transaction
from anaphora.types import Event, Message

__all__ = ["clear", "end_session", "expire", "rotate", "withdraw"]

_BEGINNING = datetime.min.replace(tzinfo=UTC)


def expire(place: Place, now: datetime) -> int:
    """Delete what is older than the settings allow; how many messages that were."""
    limit = place.settings.expire_after
    if limit is None or limit > now - _BEGINNING or not _fleeting(place.view.messages(until=now - limit)):
        return 0
    edge = now - limit

    def delete(tx: Transaction) -> int:
        old = _fleeting(tx.messages(until=edge))
        _let_go(tx, place, old, now)
        tx.emit(Event("messages.expired", now, place.session, data={"removed": len(old)}))
        return len(old)

    return place.change(delete)


def rotate(tx: Transaction, place: Place) -> None:
    """Where only the window is kept, what falls out of it, by the time it was said, is deleted."""
    if place.settings.retention != "window":
        return
    said = sorted(_fleeting(tx.messages(session=place.session)), key=lambda m: (m.at, m.seq))
    surplus = said[: len(said) - len(talk_of(said, place.settings.window))]
    if surplus:
        _let_go(tx, place, surplus, said[-1].at)


def _fleeting(messages: Iterable[Message]) -> list[Message]:
    """Those that may go by themselves: not what was stored under settings that keep it."""
    return [m for m in messages if m.fleeting]


def clear(tx: Transaction, place: Place, now: datetime) -> int:
    """Delete the open conversation with all its messages, and the question that may wait; how many there were."""
    session = read_session(tx, place.session)
    if session.conversation_id is None:
        return 0
    gone = tx.messages(conversation=session.conversation_id)
    _delete(tx, place, gone, now)
    sources = [*map(of_message, gone), of_conversation(session.conversation_id)]
    unlearn(tx, sources, place.settings)
    conversation = conversations.read_conversation(tx, session.conversation_id)
    if conversation is not None:
        conversations.take_out(tx, replace(conversation, message_count=0), [])
    write_session(tx, replace(session.without_question(), conversation_id=None))
    tx.emit(Event("log.cleared", now, place.session, data={"removed": len(gone)}))
    return len(gone)


def end_session(tx: Transaction, place: Place) -> None:
    """Where nothing outlasts the session: its messages, conversations and the session itself."""
    _let_go(tx, place, _fleeting(tx.messages(session=place.session)), place.clock())
    for conversation in conversations.queue_of(tx):
        if conversation.session == place.session and not tx.messages(conversation=conversation.id, last=1):
            conversations.take_out(tx, replace(conversation, message_count=0), [])
    tx.drop("session", place.session)


def _let_go(tx: Transaction, place: Place, messages: Sequence[Message], now: datetime) -> None:
    """They leave by themselves: what they teach is learned first."""
    observe_leaving(tx, messages, place.settings)
    _delete(tx, place, messages, now)


def _delete(tx: Transaction, place: Place, messages: Sequence[Message], now: datetime) -> None:
    if not messages:
        return
    by_conversation: dict[str, list[Message]] = {}
    for message in messages:
        by_conversation.setdefault(message.conversation_id or "", []).append(message)
    tx.remove([m.id for m in messages])
    for id, gone in by_conversation.items():
        conversation = conversations.read_conversation(tx, id or None)
        if conversation is not None:
            conversations.take_out(tx, conversation, gone)
    gone_ids = {m.id for m in messages}
    withdraw(tx, gone_ids)
    change_state(tx, place, [without(gone_ids)], now, place.author)
    place.unread()


def withdraw(tx: Transaction, gone: set[str]) -> None:
    """No session asks about, or remembers an answer to, a message that is gone; none is in a conversation that is."""
    for name in [d.id for d in tx.documents("session")]:
        old = session = read_session(tx, name)
        if session.question is not None and session.question.message_id in gone:
            session = session.without_question()
        if session.answered in gone:
            session = replace(session, answer_id=None, answer_text=None, answered=None)
        if conversations.read_conversation(tx, session.conversation_id) is None:
            session = replace(session, conversation_id=None)
        if session != old:
            write_session(tx, session)
