"""What is done to conversations and files by hand: new, end, restore, rename, tag, touch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from anaphora.engine import conversations
from anaphora.engine.hearing import let_stand
from anaphora.engine.place import Place
from anaphora.engine.sessions import Session, read_session, write_session
from anaphora.engine.states import change_state
from anaphora.errors import NotFound
from anaphora.memory.working import Work
from anaphora.ports import Transaction
from anaphora.types import Conversation, Event, Outcome, State

__all__ = ["begin", "finish", "rename", "restore", "tag", "touch"]

_RESTORED = 10  # messages that come back with a conversation


def begin(tx: Transaction, place: Place, title: str, now: datetime, *, titled: bool) -> Conversation:
    """End what is open and start an empty conversation."""
    session = let_stand(tx, place, read_session(tx, place.session), now)
    _leave(tx, place, session, now)
    made = conversations.start(tx, title, now, place.session, place.settings, titled=titled)
    write_session(tx, replace(session, conversation_id=made.id))
    return conversations.find(tx, made.id)


def finish(tx: Transaction, place: Place, outcome: Outcome | None, now: datetime) -> Conversation:
    session = let_stand(tx, place, read_session(tx, place.session), now)
    open_one = conversations.read_conversation(tx, session.conversation_id)
    if open_one is None or open_one.ended is not None:
        raise NotFound("There is no open conversation to end.")
    conversations.end(tx, open_one, now, place.session, outcome)
    write_session(tx, session)
    return conversations.find(tx, open_one.id)


def restore(tx: Transaction, place: Place, name: str, now: datetime) -> Conversation:
    """Go on with an earlier conversation: its files and what it was about come to the front of the working state, its
    last messages come with it."""
    found = conversations.find(tx, name)
    session = let_stand(tx, place, read_session(tx, place.session), now)
    _leave(tx, place, session, now, but=found.id)
    conversations.reopen(tx, found, now, place.session, place.settings)
    write_session(tx, replace(session, conversation_id=found.id))
    last = tx.messages(conversation=found.id, last=_RESTORED)
    if place.settings.keep_state:
        work = Work(State(), author=place.author, at=now)
        for path in found.files_modified:
            work.touch(path)
        for message in last:
            work.see(message.entities)
        change_state(tx, place, work.operations, now, place.author)
    return replace(conversations.find(tx, found.id), messages=tuple(last))


def rename(tx: Transaction, place: Place, name: str, title: str, now: datetime) -> Conversation:
    """Another title; the id stays."""
    found = conversations.find(tx, name)
    conversations.write_conversation(tx, replace(found, title=title, titled=True))
    tx.emit(Event("conversation.renamed", now, place.session, conversation_id=found.id, author=place.author))
    return conversations.find(tx, found.id)


def tag(
    tx: Transaction, place: Place, name: str, add: Sequence[str], remove: Sequence[str], now: datetime
) -> Conversation:
    """With these tags, and without those; each once, whatever its case."""
    found = conversations.find(tx, name)
    away = {t.lower() for t in remove}
    tags = {t.lower(): t for t in (*found.tags, *add) if t.lower() not in away}
    conversations.write_conversation(tx, replace(found, tags=tuple(tags.values())))
    tx.emit(Event("conversation.tagged", now, place.session, conversation_id=found.id, author=place.author))
    return conversations.find(tx, found.id)


def touch(tx: Transaction, place: Place, path: str, function: str | None, now: datetime, *, edited: bool) -> None:
    work = Work(State(), author=place.author, at=now)
    work.touch(path, function=function, edited=edited)
    change_state(tx, place, work.operations, now, place.author)
    open_one = conversations.read_conversation(tx, read_session(tx, place.session).conversation_id)
    first = edited and open_one is not None and path not in open_one.files_modified
    if first and open_one is not None:
        files = (*open_one.files_modified, path)
        conversations.write_conversation(tx, replace(open_one, files_modified=files))
    data = {"path": path, "function": function, "edited": edited, "first": first}
    within = open_one.id if open_one is not None else None
    tx.emit(Event("file.touched", now, place.session, conversation_id=within, author=place.author, data=data))


def _leave(tx: Transaction, place: Place, session: Session, now: datetime, *, but: str | None = None) -> None:
    previous = conversations.read_conversation(tx, session.conversation_id)
    if previous is not None and previous.ended is None and previous.id != but:
        conversations.end(tx, previous, now, place.session, None)
