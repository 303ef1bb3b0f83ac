"""In and out: the log by hand, exports to files, imports from them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO, get_args
from uuid import uuid4

from anaphora.codec import from_plain, to_plain
from anaphora.engine import conversations, hearing, intents, retention, summarising, teaching
from anaphora.engine.checks import refuse_secret
from anaphora.engine.files import reading, write_private
from anaphora.engine.place import Place
from anaphora.engine.sessions import read_session, write_session
from anaphora.engine.states import change_state, read_state
from anaphora.engine.traces import fragments_of, write_fragment
from anaphora.errors import BadText, FormatError, IdConflict, InputError
from anaphora.formats import brain, detect, jsonl, kds
from anaphora.memory.digest import Digest
from anaphora.memory.items import merged
from anaphora.ports import Transaction, View
from anaphora.settings import Settings
from anaphora.types import (
    Conversation,
    Event,
    ExportFormat,
    Fragment,
    Ingested,
    Intent,
    Message,
    OwnIntent,
    Scope,
    State,
)
from anaphora.understanding.entities import find_entities
from anaphora.understanding.patterns import expression
from anaphora.understanding.reading import stored_form
from anaphora.understanding.redaction import redact_all, secrets_of
from anaphora.understanding.titles import title_of

__all__ = ["export", "export_user", "import_file", "load", "log", "secrets_in", "take_conversations"]

_VERSION = 1
_OURS = expression(r"""\s*\{\s*"format"\s*:\s*"anaphora\"""")


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
        title = title_of(clean)
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
            fleeting=place.settings.fleeting,
        )
    )
    counted = conversations.count_in(conversation, message)
    conversations.write_conversation(tx, counted)
    tx.emit(Event("message.logged", at, place.session, conversation_id=conversation.id, message_id=message.id))
    write_session(tx, replace(session, conversation_id=conversation.id))
    retention.rotate(tx, place)
    return message


# --- out ----------------------------------------------------------------------------------------------------------


def export(place: Place, path: Path, form: ExportFormat, now: datetime) -> int:
    """Write the scope's memory, as it is at one moment, to a file that only its owner can read; how many messages it
    holds."""
    _check(form)
    lines: Iterable[str]
    if form == "kds":
        messages = place.change(lambda tx: tx.messages())
        lines, count = kds.write(messages), sum(m.role == "user" for m in messages)
    elif form == "brain":
        queue = place.change(lambda tx: _with_messages(tx, conversations.queue_of(tx)))
        lines, count = brain.write(queue), sum(m.role == "user" for c in queue for m in c.messages)
    else:
        record = _scope_record(place, now)
        lines, count = [_json(record)], len(record["messages"])
    write_private(path, lines)
    return count


def _check(form: str) -> None:
    if form not in get_args(ExportFormat):
        raise InputError(f"Unknown format {form!r}.", remedy=f"Use one of: {', '.join(get_args(ExportFormat))}.")


def _with_messages(view: View, found: Iterable[Conversation]) -> list[Conversation]:
    return [replace(c, messages=tuple(view.messages(conversation=c.id))) for c in found]


def _everything(view: View, scope: Scope, now: datetime) -> dict[str, Any]:
    messages = view.messages()
    return {
        "format": "anaphora",
        "version": _VERSION,
        "exported": now,
        "scope": scope,
        "conversations": [replace(c, number=None) for c in conversations.queue_of(view)],
        "past_conversations": conversations.past_of(view),
        "messages": messages,
        "state": replace(read_state(view), version=0),
        "intents": intents.own_intents(view),
        "knowledge": teaching.exported(view, messages),
        "fragments": fragments_of(view),
        "summaries": [d for d in summarising.digests_of(view) if d.told],
        "events": view.events(),
    }


def export_user(place: Place, path: Path, form: ExportFormat, now: datetime) -> int:
    """Everything about one user, in all agents and projects, as one file; how many messages it holds."""
    if form != "anaphora":
        raise InputError(f"A whole user has no {form!r} form.", remedy="Export it in the format 'anaphora'.")
    scopes = [s for s in place.store.scopes() if s.user == place.scope.user]
    found = [_scope_record(replace(place, scope=scope), now) for scope in scopes]
    record = {
        "format": "anaphora-user",
        "version": _VERSION,
        "exported": now,
        "user": place.scope.user,
        "scopes": found,
    }
    write_private(path, [_json(record)])
    return sum(len(one["messages"]) for one in found)


def _scope_record(place: Place, now: datetime) -> dict[str, Any]:
    return place.change(lambda tx: _everything(tx, place.scope, now))


def _json(record: dict[str, Any]) -> str:
    return json.dumps(to_plain(record), ensure_ascii=False, indent=1)


# --- in -----------------------------------------------------------------------------------------------------------


def import_file(place: Place, path: Path, form: ExportFormat | None, now: datetime) -> Ingested:
    """Take a file in, in one transaction: all of it, or, if a line is bad, nothing."""
    if form is not None:
        _check(form)

    try:
        with reading(path) as file:
            known = form or _guess(path, file)

            def take(tx: Transaction) -> Ingested:
                file.seek(0)  # it is taken again where the store was interrupted
                return _take(tx, place, file, known, now)

            return place.change(take)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise FormatError(f"{path} is not UTF-8 text.") from error


def _guess(path: Path, file: TextIO) -> ExportFormat:
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
        case "quaid":
            raise FormatError("This format is a folder, not a file.", remedy="Name the folder .quaid/context.")
        case "kds":
            return _take_log(tx, place, kds.read(lines, session=place.session, speaker=place.scope.user), now)
        case "brain":
            found = brain.read(lines, session=place.session, speaker=place.scope.user)
            return take_conversations(tx, place, found, now)
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
        conversation = conversations.read_conversation(tx, last)
        if conversation is None:
            title = title_of(taken.text)
            conversation = conversations.start(tx, title, taken.at, place.session, place.settings, id=last)
            begun.add(last)
        conversations.write_conversation(tx, conversations.count_in(conversation, taken))
    if last in begun and read_session(tx, place.session).conversation_id is not None:
        _end(tx, place, last)
    return _finish(tx, place, done, last, now)


def _end(tx: Transaction, place: Place, id: str | None) -> None:
    """The log has gone on to another conversation, or nobody is there to go on with this one."""
    conversation = conversations.read_conversation(tx, id)
    if conversation is not None and conversation.last_at is not None:
        conversations.end(tx, conversation, conversation.last_at, place.session, None)


def take_conversations(tx: Transaction, place: Place, found: Iterable[Conversation], now: datetime) -> Ingested:
    """Conversations that bring their messages along; the last one that is active is gone on with."""
    done = Ingested()
    known = _Known(tx)
    active: str | None = None
    for conversation in found:
        taken = [_add(tx, place, m, known) for m in conversation.messages]
        for message in taken:
            done = _count(done, message)
        here = conversations.read_conversation(tx, conversation.id)
        if here is None:
            conversations.write_conversation(tx, _withoutsecrets_in(conversation, secrets_in(conversation.messages)))
            active = conversation.id if conversation.active else active
        else:
            _count_in(tx, here, [m for m in taken if m is not None])
    conversations.make_room(tx, now, place.session, place.settings)
    return _finish(tx, place, done, active, now)


def _count_in(tx: Transaction, conversation: Conversation, messages: Iterable[Message]) -> None:
    """More messages in a conversation that is here already; whether it has ended does not change."""
    counted = conversation
    for message in messages:
        counted = conversations.count_in(counted, message)
    if counted != conversation:
        kept = replace(counted, title=conversation.title, ended=conversation.ended, outcome=conversation.outcome)
        conversations.write_conversation(tx, kept)


def _take_everything(tx: Transaction, place: Place, text: str, now: datetime) -> Ingested:
    data = jsonl.Record("The export", jsonl.parse(text, where="The export")).extra(())
    if data.get("format") == "anaphora-user":
        raise FormatError(
            "This is a copy of all that is kept of a user, to be read; it cannot be imported.",
            remedy="'anaphora export' without --all writes what can be; 'anaphora backup' copies a whole store.",
        )
    if data.get("format") != "anaphora":
        raise FormatError("This is no export of Anaphora.", remedy="Name its format with --format.")
    if data.get("version") != _VERSION:
        raise FormatError(f"The export has version {data.get('version')!r}; this Anaphora reads {_VERSION}.")
    try:
        # Those that had left the queue come first and leave it again, where it is too small for all of them.
        found = [from_plain(Conversation, c) for c in (*data["past_conversations"], *data["conversations"])]
        messages = [from_plain(Message, m) for m in data["messages"]]
        secrets = secrets_in(messages)
        state = redact_all(from_plain(State, data["state"]), secrets)
        archived = redact_all([from_plain(Fragment, f) for f in data.get("fragments", ())], secrets)
        told = redact_all([from_plain(Digest, d) for d in data.get("summaries", ())], secrets)
        own = redact_all([from_plain(OwnIntent, i) for i in data.get("intents", ())], secrets)  # older ones have none
    except (KeyError, TypeError) as error:
        raise FormatError(f"This is no export of Anaphora: {error}.") from error
    done = _add_all(tx, place, messages)
    _teach(tx, own)
    teaching.take_exported(tx, place, data.get("knowledge"))  # older ones have none
    _keep(tx, archived, told)
    for conversation in found:
        if conversations.read_conversation(tx, conversation.id) is None:
            held = len(tx.messages(conversation=conversation.id))  # replies may have been left out
            conversations.write_conversation(tx, replace(_withoutsecrets_in(conversation, secrets), message_count=held))
    change_state(tx, place, [lambda here: merged(here, _caught_up(state, here))], now, place.author)
    conversations.make_room(tx, now, place.session, place.settings)
    kept = (conversations.read_conversation(tx, c.id) for c in reversed(found))
    active = next((c.id for c in kept if c is not None and c.active), None)
    return _finish(tx, place, done, active, now)


def _keep(tx: Transaction, fragments: Iterable[Fragment], told: Iterable[Digest]) -> None:
    """Fragments, and summaries of what is not here, that are not here yet."""
    here = {f.id for f in fragments_of(tx)}
    for fragment in fragments:
        if fragment.id not in here:
            write_fragment(tx, fragment)
    for digest in told:
        known = conversations.read_conversation(tx, digest.conversation_id)
        if known is None and summarising.read_digest(tx, digest.conversation_id).messages == 0:
            last = tx.messages(conversation=digest.conversation_id, last=1)
            summarising.write_digest(tx, replace(digest, upto=last[-1].seq if last else 0))


def _teach(tx: Transaction, own: Iterable[OwnIntent]) -> None:
    """Intents that are not here yet; one of the same name stays as it was taught here."""
    here = {intent.name.lower() for intent in intents.own_intents(tx)}
    for intent in own:
        checked = intents.checked_intent(intent.name, intent.examples, intent.route)
        if checked.name.lower() not in here:
            intents.write_intent(tx, checked)


def _add_all(tx: Transaction, place: Place, messages: Iterable[Message]) -> Ingested:
    """The messages that may be kept here, those of conversations that are here already counted into them."""
    done = Ingested()
    added: dict[str | None, list[Message]] = {}
    for message in messages:
        if message.role == "user" or place.settings.keep_replies:
            taken = _add(tx, place, message)
            done = _count(done, taken)
            if taken is not None:
                added.setdefault(taken.conversation_id, []).append(taken)
    for id, more in added.items():
        here = conversations.read_conversation(tx, id)
        if here is not None:
            _count_in(tx, here, more)
    return done


def _caught_up(state: State, here: State) -> State:
    """A goal that was reached or dropped here since it was exported is not set again by its older form."""
    ended = {(g.text.lower(), g.created): g.status for g in here.goals if not g.open}
    goals = (replace(g, status=ended.get((g.text.lower(), g.created), g.status)) for g in state.goals)
    return replace(state, goals=tuple(goals))


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
    clean = replace(_clean(message, place.settings), fleeting=place.settings.fleeting)
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
    for what, name in (
        ("id of a message", message.id),
        ("speaker of a message", message.speaker),
        ("session of a message", message.session),
        ("conversation of a message", message.conversation_id),
        ("id that a message replies to", message.reply_to),
    ):
        refuse_secret(what, name or "")
    text, redactions = stored_form(message.text, settings)
    known = secrets_of(message.text)
    expanded = None if message.expanded is None else stored_form(redact_all(message.expanded, known), settings)[0]
    return replace(
        redact_all(replace(message, text="", expanded=None, entities=()), known),
        text=text,
        expanded=expanded,
        entities=tuple(e for e in message.entities if redact_all(e.text, known) == e.text),
        redactions=(*redact_all(message.redactions, known), *redactions),
    )


def _withoutsecrets_in(conversation: Conversation, known: Collection[str]) -> Conversation:
    """`known` are the secrets that its messages held: its title may name one."""
    refuse_secret("id of a conversation", conversation.id)
    refuse_secret("session of a conversation", conversation.session)
    names = tuple(name for name in conversation.entities_discussed if redact_all(name, known) == name)
    return redact_all(replace(conversation, entities_discussed=names, messages=()), known)


def secrets_in(messages: Iterable[Message]) -> frozenset[str]:
    return frozenset(secret for message in messages for secret in secrets_of(message.text))


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
