"""In and out: the log by hand, exports to files, imports from them."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, get_args
from uuid import uuid4

from anaphora.codec import from_plain, to_plain
from anaphora.engine import conversations, hearing, retention
from anaphora.engine.place import Place, change_state, read_state
from anaphora.engine.sessions import read_session, write_session
from anaphora.errors import BadText, FormatError, IdConflict, InputError, StoreUnwritable
from anaphora.formats import brain, detect, jsonl, kds
from anaphora.memory.working import merged
from anaphora.ports import Transaction, View
from anaphora.settings import Settings
from anaphora.types import Conversation, Event, Ingested, Intent, Message, State
from anaphora.understanding.entities import find_entities, title_of
from anaphora.understanding.reading import stored_form
from anaphora.understanding.redaction import redact

__all__ = ["ExportFormat", "export", "import_file", "load", "log"]

ExportFormat = Literal["anaphora", "kds", "brain"]
_VERSION = 1
_OURS = re.compile(r"""\s*\{\s*"format"\s*:\s*"anaphora\"""")


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
    session = hearing.let_stand(tx, place, read_session(tx, place.session), at)
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
    write_session(tx, replace(session, conversation_id=conversation.id))
    retention.rotate(tx, place)
    return message


# --- out ----------------------------------------------------------------------------------------------------------


def export(view: View, place: Place, path: Path, form: ExportFormat, now: datetime) -> int:
    """Write the scope's memory to a file that only its owner can read; how many messages it holds."""
    _check(form)
    messages = view.messages()
    if form == "kds":
        lines: Iterable[str] = kds.write(messages)
        count = sum(m.role == "user" for m in messages)
    elif form == "brain":
        queue = _with_messages(view, conversations.queue_of(view))
        lines, count = brain.write(queue), sum(m.role == "user" for c in queue for m in c.messages)
    else:
        lines, count = [_everything(view, place, messages, now)], len(messages)
    _write_private(path, lines)
    return count


def _check(form: str) -> None:
    if form not in get_args(ExportFormat):
        raise InputError(f"Unknown format {form!r}.", remedy=f"Use one of: {', '.join(get_args(ExportFormat))}.")


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
    beside = path.parent / f".{path.name}.{os.getpid()}.tmp"
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)
        beside.replace(path)
    except OSError as error:
        raise StoreUnwritable(
            f"{path} cannot be written: {error.strerror or error}.", remedy="Name a file in a folder that is yours."
        ) from error
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)  # there only if something went wrong


# --- in -----------------------------------------------------------------------------------------------------------


def import_file(place: Place, path: Path, form: ExportFormat | None, now: datetime) -> Ingested:
    """Take a file in, in one transaction: all of it, or, if a line is bad, nothing."""
    if form is not None:
        _check(form)
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
    if first.strip() == "{" or _OURS.match(first):
        return "anaphora"
    if not first:
        return "kds"  # nothing in it, which is nothing in any format
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
    known = _Known(tx)
    begun: set[str] = set()
    last: str | None = None
    for message in messages:
        entities = find_entities(stored_form(message.text, place.settings)[0])  # the format has none
        taken = _add(tx, place, replace(message, entities=entities), known)
        done = _count(done, taken)
        if taken is None or not taken.conversation_id:
            continue
        if last in begun and last != taken.conversation_id:
            _end(tx, place, last)
        last = taken.conversation_id
        title = title_of(taken.text, entities)
        conversation = conversations.read_conversation(tx, last)
        if conversation is None:
            conversation = conversations.start(tx, title, taken.at, place.session, place.settings, id=last)
            begun.add(last)
        conversations.write_conversation(tx, conversations.count_in(conversation, taken, title))
    if last in begun and read_session(tx, place.session).conversation_id is not None:
        _end(tx, place, last)
    return _finish(tx, place, done, last, now)


def _end(tx: Transaction, place: Place, id: str | None) -> None:
    """The log has gone on to another conversation, or nobody is there to go on with this one."""
    conversation = conversations.read_conversation(tx, id)
    if conversation is not None and conversation.last_at is not None:
        conversations.end(tx, conversation, conversation.last_at, place.session, None)


def _take_conversations(tx: Transaction, place: Place, found: Iterable[Conversation], now: datetime) -> Ingested:
    done = Ingested()
    known = _Known(tx)
    active: str | None = None
    for conversation in found:
        taken = [_add(tx, place, m, known) for m in conversation.messages]
        for message in taken:
            done = _count(done, message)
        here = conversations.read_conversation(tx, conversation.id)
        if here is None:
            conversations.write_conversation(tx, _without_secrets(conversation))
            active = conversation.id if conversation.active else active
        else:
            _count_in(tx, here, [m for m in taken if m is not None])
    conversations.make_room(tx, now, place.session, place.settings)
    return _finish(tx, place, done, active, now)


def _count_in(tx: Transaction, conversation: Conversation, messages: Iterable[Message]) -> None:
    """More messages in a conversation that is here already; whether it has ended does not change."""
    counted = conversation
    for message in messages:
        counted = conversations.count_in(counted, message, conversation.title)
    if counted != conversation:
        kept = replace(counted, title=conversation.title, ended=conversation.ended, outcome=conversation.outcome)
        conversations.write_conversation(tx, kept)


def _take_everything(tx: Transaction, place: Place, text: str, now: datetime) -> Ingested:
    data = jsonl.Record("The export", jsonl.parse(text, where="The export")).extra(())
    if data.get("format") != "anaphora":
        raise FormatError("This is no export of Anaphora.", remedy="Name its format with --format.")
    if data.get("version") != _VERSION:
        raise FormatError(f"The export has version {data.get('version')!r}; this Anaphora reads {_VERSION}.")
    try:
        # Those that had left the queue come first and leave it again, where it is too small for all of them.
        found = [from_plain(Conversation, c) for c in (*data["past_conversations"], *data["conversations"])]
        messages = [from_plain(Message, m) for m in data["messages"]]
        state = from_plain(State, data["state"])
    except (KeyError, TypeError) as error:
        raise FormatError(f"This is no export of Anaphora: {error}.") from error
    done = Ingested()
    for message in messages:
        if message.role == "user" or place.settings.keep_replies:
            done = _count(done, _add(tx, place, message))
    for conversation in found:
        if conversations.read_conversation(tx, conversation.id) is None:
            conversations.write_conversation(tx, _without_secrets(conversation))
    change_state(tx, place, [lambda here: merged(here, state)], now, place.author)
    conversations.make_room(tx, now, place.session, place.settings)
    active = next((c.id for c in reversed(found) if c.active), None)
    return _finish(tx, place, done, active, now)


class _Known:
    """What was here before an import, by its words, time and conversation: a file of ours has other ids than we do."""

    def __init__(self, view: View) -> None:
        self._left = Counter(map(self._key, view.messages()))

    def take(self, message: Message) -> bool:
        """Whether one like it was here, counting each of those once."""
        key = self._key(message)
        self._left[key] -= 1
        return self._left[key] >= 0

    def _key(self, message: Message) -> tuple[str, datetime, str | None, str]:
        return message.role, message.at, message.conversation_id, message.text


def _add(tx: Transaction, place: Place, message: Message, known: _Known | None = None) -> Message | None:
    """The message as it was stored, or None where it was there already."""
    clean = _clean(message, place.settings)
    if not clean.text.strip():
        raise FormatError(f"The message {message.id!r} is empty.")
    if len(message.text) > place.settings.max_message_chars:
        raise BadText(
            f"The message {message.id!r} has {len(message.text):,} characters, more than "
            f"{place.settings.max_message_chars:,}.",
            remedy="Raise the setting max_message_chars.",
        )
    alike = known is not None and known.take(clean)
    here = tx.message(clean.id)
    if here is not None and here.text != clean.text:
        raise IdConflict(f"The id {message.id!r} is taken by a message with another text.")
    return None if alike or here is not None else tx.add(clean)


def _clean(message: Message, settings: Settings) -> Message:
    """As a message that is heard would be stored, whatever the file says about it."""
    text, redactions = stored_form(message.text, settings)
    return replace(
        message,
        text=text,
        expanded=None if message.expanded is None else stored_form(message.expanded, settings)[0],
        entities=tuple(e for e in message.entities if redact(e.text)[0] == e.text),
        context_ref=None if message.context_ref is None else redact(message.context_ref)[0],
        redactions=(*message.redactions, *redactions),
    )


def _without_secrets(conversation: Conversation) -> Conversation:
    names = tuple(name for name in conversation.entities_discussed if redact(name)[0] == name)
    return replace(conversation, title=redact(conversation.title)[0], entities_discussed=names)


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
