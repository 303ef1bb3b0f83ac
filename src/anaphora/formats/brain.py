"""conversation-history.jsonl, the short-term memory of preset brain: a line for each conversation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from anaphora.codec import time_text
from anaphora.errors import FormatError
from anaphora.formats import jsonl
from anaphora.types import OUTCOMES, Conversation, Entity, Intent, Message, Outcome

__all__ = ["read", "write"]

_KNOWN_OF_MESSAGE = ("id", "timestamp", "user", "intent", "entities", "context_ref")


def write(conversations: Iterable[Conversation]) -> Iterator[str]:
    """A line, without its line feed, for each conversation, with what the user said in it.

    The conversations must bring their messages along: `message_count` is the number of those written.
    """
    return (jsonl.compact(_fields(c), subject=f"Conversation {c.id!r}") for c in conversations)


def read(lines: Iterable[str], *, session: str, speaker: str) -> Iterator[Conversation]:
    """The conversations of a file, as they are read; a line that does not fit raises FormatError when it is reached.

    Only conversation_id, title and started must be there, and of a message id, timestamp and user. Message ids are
    unique within a conversation alone in a file; here they get the conversation's id in front ("conv-004/msg-001"),
    which `write` takes off again. Fields that the format does not know are kept in a message's `metadata["extra"]`
    and written back; those of a conversation, which has no place for them, are passed over.
    """
    seen: set[str] = set()
    for record in jsonl.records(lines):
        conversation = _conversation(record, session, speaker)
        if conversation.id in seen:
            raise record.error("conversation_id", f"is {conversation.id!r}, as in a line before.")
        seen.add(conversation.id)
        yield conversation


# --- writing ------------------------------------------------------------------------------------------------------


def _fields(conversation: Conversation) -> dict[str, Any]:
    said = [message for message in conversation.messages if message.role == "user"]
    ids = [_local_id(message, conversation) for message in said]
    if len(set(ids)) < len(ids):
        raise FormatError(f"Conversation {conversation.id!r} has two messages that the file would give the same id.")
    fields = {
        "conversation_id": conversation.id,
        "title": conversation.title,
        "started": time_text(conversation.started),
        "ended": None if conversation.ended is None else time_text(conversation.ended),
        "message_count": len(said),
        "active": conversation.active,
        "messages": [_message_fields(message, id_) for message, id_ in zip(said, ids, strict=True)],
        "entities_discussed": conversation.entities_discussed,
        "files_modified": conversation.files_modified,
        "outcome": conversation.outcome,
    }
    return fields | {"references": conversation.links} if conversation.links else fields


def _message_fields(message: Message, local_id: str) -> dict[str, Any]:
    fields = {
        "id": local_id,
        "timestamp": time_text(message.at),
        "user": message.text,
        "intent": message.intent,
        "entities": [entity.text for entity in message.entities],
    }
    if message.context_ref is not None:
        fields["context_ref"] = message.context_ref
    return jsonl.with_extra(fields, message.metadata, _KNOWN_OF_MESSAGE)


def _local_id(message: Message, conversation: Conversation) -> str:
    return message.id.removeprefix(f"{conversation.id}/") or message.id


# --- reading ------------------------------------------------------------------------------------------------------


def _conversation(line: jsonl.Record, session: str, speaker: str) -> Conversation:
    id_ = _id(line, "conversation_id")
    record = jsonl.Record(f"{line.where}, conversation {id_!r}", line.fields)
    title, started = record.text("title"), record.time("started")
    count, items = record.count_or_none("message_count"), record.items("messages")
    messages = tuple(_messages(record, items or [], id_, session, speaker))
    last_at = messages[-1].at if messages else None
    return Conversation(
        id=id_,
        title=title,
        started=started,
        session=session,
        ended=_ended(record, last_at or started),
        message_count=len(messages) if items is not None else count or 0,
        entities_discussed=record.texts("entities_discussed"),
        files_modified=record.texts("files_modified"),
        outcome=_outcome(record),
        links=record.texts("references"),
        last_at=last_at,
        intents_seen=tuple(dict.fromkeys(message.intent for message in messages if message.intent is not None)),
        titled=True,
        messages=messages,
    )


def _messages(
    record: jsonl.Record, items: list[Any], conversation_id: str, session: str, speaker: str
) -> Iterator[Message]:
    seen: set[str] = set()
    for number, item in enumerate(items, start=1):
        if not isinstance(item, dict):
            raise record.error("messages", f"must hold objects alone; number {number} is none.")
        part = jsonl.Record(f"{record.where}, message {number}", item)
        id_ = _id(part, "id")
        if id_ in seen:
            raise part.error("id", f"is {id_!r}, as in a message before.")
        seen.add(id_)
        text, intent = part.text("user"), part.text_or_none("intent")
        yield Message(
            id=f"{conversation_id}/{id_}",
            role="user",
            text=text,
            at=part.time("timestamp"),
            speaker=speaker,
            session=session,
            conversation_id=conversation_id,
            intents=() if intent is None else (Intent(intent, 1.0),),
            entities=tuple(_entity(entity, text) for entity in part.texts("entities")),
            context_ref=part.text_or_none("context_ref"),
            metadata=jsonl.extra_metadata(part.extra(_KNOWN_OF_MESSAGE)),
        )


def _id(record: jsonl.Record, key: str) -> str:
    id_ = record.text(key)
    if not id_:
        raise record.error(key, "is empty.")
    return id_


def _ended(record: jsonl.Record, otherwise: datetime) -> datetime | None:
    """When it ended. One that is said to be over without saying when ended at `otherwise`."""
    ended, active = record.time_or_none("ended"), record.flag_or_none("active")
    if active and ended is not None:
        raise record.error("active", "is true, but the conversation has ended.", remedy="Set 'ended' to null.")
    return otherwise if active is False and ended is None else ended


def _outcome(record: jsonl.Record) -> Outcome | None:
    text = record.text_or_none("outcome")
    if text is None:
        return None
    for outcome in OUTCOMES:
        if text == outcome:
            return outcome
    raise record.error(
        "outcome", f"is {text!r}, which is no outcome.", remedy=f"Allowed: {', '.join(OUTCOMES)}, or null."
    )


def _entity(text: str, message: str) -> Entity:
    found = re.search(re.escape(text), message, re.IGNORECASE)
    return Entity(text, "concept", found.span() if found else (0, 0))
