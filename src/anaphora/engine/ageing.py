"""Sessions that are older than anyone wants them: removed by themselves where a setting says so, or by hand."""

from __future__ import annotations

from datetime import datetime, timedelta

from anaphora.engine import conversations
from anaphora.engine.forgetting import forget_conversation, remove_conversation
from anaphora.engine.place import Place
from anaphora.engine.sessions import read_session
from anaphora.ports import Transaction, View
from anaphora.types import Conversation, Event

__all__ = ["prune", "remove_old"]


def remove_old(place: Place) -> bool:
    """The job: one conversation that was stored to be kept for so long and no longer; whether there may be more."""
    limit = place.settings.keep_sessions
    if limit is None:
        return False
    now = place.clock()
    for found in _older(place.view, now - limit):
        if place.change(lambda tx, it=found: _remove(tx, place, it, now)):  # type: ignore[misc]
            return True
    return False


def prune(place: Place, older_than: timedelta, now: datetime) -> tuple[int, int]:
    """By hand: every conversation that has not been used for so long is forgotten, however it was stored; how many
    conversations and messages that were."""
    found = _older(place.view, now - older_than)
    messages = 0
    for conversation in found:
        messages += place.change(lambda tx, it=conversation: _prune(tx, place, it, now))  # type: ignore[misc]
    return len(found), messages


def _older(view: View, edge: datetime) -> list[Conversation]:
    """Those that were last used before, but for one that a session has open and has used since."""
    return [c for c in [*conversations.past_of(view), *conversations.queue_of(view)] if (c.last_at or c.started) < edge]


def _remove(tx: Transaction, place: Place, conversation: Conversation, now: datetime) -> bool:
    """Only if all of it was stored to be fleeting, and it is not what this session talks in."""
    if read_session(tx, place.session).conversation_id == conversation.id and conversation.active:
        return False
    messages = tx.messages(conversation=conversation.id)
    if not messages or not all(m.fleeting for m in messages):
        return False
    remove_conversation(tx, place, conversation, messages, now)
    data = {"text": "deleted", "messages": len(messages), "why": "older than the setting keep_sessions"}
    tx.emit(Event("conversation.removed", now, place.session, data=data))
    return True


def _prune(tx: Transaction, place: Place, conversation: Conversation, now: datetime) -> int:
    count = forget_conversation(tx, place, conversation.id, now)
    data = {"text": "deleted", "messages": count, "why": "by hand"}
    tx.emit(Event("conversation.removed", now, place.session, author=place.author, data=data))
    return count
