"""In and out: the log by hand, exports to files, imports from them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, get_args
from uuid import uuid4

from anaphora.codec import from_plain, to_plain
from anaphora.engine import conversations, retention
from anaphora.engine.place import Place, read_state
from anaphora.engine.sessions import read_session, write_session
from anaphora.errors import FormatError, IdConflict, InputError, StoreUnwritable
from anaphora.formats import brain, detect, kds
from anaphora.ports import Transaction, View
from anaphora.types import Conversation, Event, Ingested, Intent, Message, State
from anaphora.understanding.entities import find_entities, title_of
from anaphora.understanding.reading import stored_form

__all__ = ["ExportFormat", "export", "import_file", "load", "log"]

ExportFormat = Literal["anaphora", "kds", "brain"]
_VERSION = 1


# --- the log by hand ----------------------------------------------------------------------------------------------


def load(view: View, place: Place) -> list[dict[str, Any]]:
    """The window as a JSON array: the user's last messages of the open conversation."""
    session = read_session(view, place.session)
    if session.conversation_id is None:
        return []
    messages = view.messages(conversation=session.conversation_id)
    heard = [m for m in messages if m.role == "user"][-place.settings.window :]
    return [json.loads(line) for line in kds.write(heard)]


def log(
    tx: Transaction,
    place: Place,
    text: str,
    intent: str,
    conversation_id: str | None,
    context_ref: str | None,
    at: datetime,
) -> Message:
    """One message as it is told, with no understanding of our own."""
    clean, redactions = stored_form(text, place.settings)
    entities = find_entities(clean)
    session = read_session(tx, place.session)
    conversation = conversations.read_conversation(tx, conversation_id or session.conversation_id)
    if conversation is None:
        title = title_of(clean, entities)
        conversation = conversations.start(tx, title, at, place.session, place.settings, id=conversation_id or "")
    message = tx.add(
        Message(
            id=f"m-{uuid4().hex}",
            role="user",
            text=clean,
            at=at,
            speaker=place.scope.user,
            session=place.session,
            conversation_id=conversation.id,
            intents=(Intent(intent, 1.0),),
            entities=entities,
            context_ref=context_ref,
            redactions=redactions,
            importance=0.7,
        )
    )
    counted = conversations.count_in(conversation, message, title_of(clean, entities))
    conversations.write_conversation(tx, counted)
    tx.emit(Event("message.logged", at, place.session, conversation_id=conversation.id, message_id=message.id))
    write_session(tx, replace(session.without_question(), conversation_id=conversation.id))
    retention.rotate(tx, place)
    return message


# --- out ----------------------------------------------------------------------------------------------------------


def export(view: View, place: Place, path: Path, form: ExportFormat, now: datetime) -> int:
    """Write the scope's memory to a file that only its owner can read; how many messages it holds."""
    if form not in get_args(ExportFormat):
        raise InputError(f"Unknown format {form!r}.", remedy=f"Use one of: {', '.join(get_args(ExportFormat))}.")
    messages = view.messages()
    if form == "kds":
        lines: Iterable[str] = kds.write(messages)
        count = sum(m.role == "user" for m in messages)
    elif form == "brain":
        queue = _with_messages(view, conversations.queue_of(view))
        lines, count = brain.write(queue), sum(c.message_count for c in queue)
    else:
        lines, count = [_everything(view, place, messages, now)], len(messages)
    _write_private(path, lines)
    return count


def _with_messages(view: View, found: Iterable[Conversation]) -> list[Conversation]:
    return [replace(c, messages=tuple(view.messages(conversation=c.id))) for c in found]


def _everything(view: View, place: Place, messages: list[Message], now: datetime) -> str:
    record = {
        "format": "anaphora",
        "version": _VERSION,
        "exported": now,
        "scope": place.scope,
        "conversations": [replace(c, number=None) for c in conversations.queue_of(view)],
        "past_conversations": conversations.past_of(view),
        "messages": messages,
        "state": replace(read_state(view), version=0),
        "events": view.events(),
    }
    return json.dumps(to_plain(record), ensure_ascii=False, indent=1)


def _write_private(path: Path, lines: Iterable[str]) -> None:
    """Whole or not at all: written beside its place and moved there when it is done."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise StoreUnwritable(f"{path} cannot be written: {error.strerror or error}.") from error


# --- in -----------------------------------------------------------------------------------------------------------


def import_file(place: Place, path: Path, form: ExportFormat | None, now: datetime) -> Ingested:
    """Take a file in, in one transaction: all of it, or, if a line is bad, nothing."""
    try:
        with path.open(encoding="utf-8-sig", newline="\n") as file:
            known = form or _guess(path)
            with place.store.transaction(place.scope) as tx:
                return _take(tx, place, file, known, now)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise FormatError(f"{path} is not UTF-8 text.") from error


def _guess(path: Path) -> ExportFormat:
    with path.open(encoding="utf-8-sig", newline="\n") as file:
        first = next((line for line in file if line.strip()), "")
    if first.strip() == "{" or '"format": "anaphora"' in first:
        return "anaphora"
    found = detect(first)
    if found is None:
        raise FormatError(
            f"{path} is in no format that Anaphora knows.",
            remedy=f"Name it with --format: {', '.join(get_args(ExportFormat))}.",
        )
    return found


def _take(tx: Transaction, place: Place, lines: Iterator[str], form: ExportFormat, now: datetime) -> Ingested:
    match form:
        case "kds":
            return _take_log(tx, place, kds.read(lines, session=place.session, speaker=place.scope.user), now)
        case "brain":
            found = brain.read(lines, session=place.session, speaker=place.scope.user)
            return _take_conversations(tx, place, found, now)
        case "anaphora":
            return _take_everything(tx, place, "".join(lines), now)


def _take_log(tx: Transaction, place: Place, messages: Iterable[Message], now: datetime) -> Ingested:
    done = Ingested()
    last: str | None = None
    for message in messages:
        taken = _add(tx, place, message)
        done = _count(done, taken)
        if taken is None or message.conversation_id is None:
            continue
        last = message.conversation_id
        conversation = conversations.read_conversation(tx, last)
        if conversation is None:
            title = title_of(message.text, taken.entities)
            conversation = conversations.start(tx, title, message.at, place.session, place.settings, id=last)
        title = title_of(message.text, taken.entities)
        conversations.write_conversation(tx, conversations.count_in(conversation, taken, title))
    return _finish(tx, place, done, last, now)


def _take_conversations(tx: Transaction, place: Place, found: Iterable[Conversation], now: datetime) -> Ingested:
    done = Ingested()
    active: str | None = None
    for conversation in found:
        taken = [(m, _add(tx, place, m)) for m in conversation.messages]
        for _, message in taken:
            done = _count(done, message)
        if conversations.read_conversation(tx, conversation.id) is None:
            conversations.write_conversation(tx, conversation)
            active = conversation.id if conversation.active else active
    conversations.make_room(tx, now, place.session, place.settings)
    return _finish(tx, place, done, active, now)


def _take_everything(tx: Transaction, place: Place, text: str, now: datetime) -> Ingested:
    try:
        data = json.loads(text)
        found = [from_plain(Conversation, c) for c in data["conversations"]]
        messages = [from_plain(Message, m) for m in data["messages"]]
        state = from_plain(State, data["state"])
        version = data["version"]
    except (ValueError, KeyError, TypeError) as error:
        raise FormatError(f"This is no export of Anaphora: {error}.") from error
    if version != _VERSION:
        raise FormatError(f"The export has version {version}; this Anaphora reads {_VERSION}.")
    done = Ingested()
    for message in messages:
        done = _count(done, _add(tx, place, message))
    for conversation in found:
        if conversations.read_conversation(tx, conversation.id) is None:
            conversations.write_conversation(tx, conversation)
    if read_state(tx) == State():
        tx.put("state", "working", to_plain(state, lean=True))
    conversations.make_room(tx, now, place.session, place.settings)
    active = next((c.id for c in reversed(found) if c.active), None)
    return _finish(tx, place, done, active, now)


def _add(tx: Transaction, place: Place, message: Message) -> Message | None:
    """The message as it was stored, or None where it was there already."""
    text, redactions = stored_form(message.text, place.settings)
    if not text.strip():
        raise FormatError(f"The message {message.id!r} is empty.")
    known = tx.message(message.id)
    if known is not None:
        if known.text != text:
            raise IdConflict(f"The id {message.id!r} is taken by a message with another text.")
        return None
    return tx.add(replace(message, text=text, redactions=(*message.redactions, *redactions)))


def _count(done: Ingested, message: Message | None) -> Ingested:
    if message is None:
        return replace(done, known=done.known + 1)
    if message.role == "user":
        return replace(done, heard=done.heard + 1)
    return replace(done, said=done.said + 1)


def _finish(tx: Transaction, place: Place, done: Ingested, open_id: str | None, now: datetime) -> Ingested:
    """The newest conversation that is still open is gone on with, unless this session has one."""
    session = read_session(tx, place.session)
    if session.conversation_id is None and open_id is not None:
        write_session(tx, replace(session, conversation_id=open_id))
    if done.heard or done.said:
        tx.emit(Event("messages.imported", now, place.session, data={"heard": done.heard, "said": done.said}))
    retention.rotate(tx, place)
    return done
