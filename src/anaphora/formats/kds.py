"""conversation-context.jsonl, the message log of preset kds: a line for each thing the user said."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256

from anaphora.codec import time_text
from anaphora.formats import jsonl
from anaphora.types import Intent, Message

__all__ = ["read", "write"]

_KNOWN = ("timestamp", "user_message", "intent", "session_id", "context_ref")


def write(messages: Iterable[Message]) -> Iterator[str]:
    """A line, without its line feed, for each message of a user. What the format calls a session is a conversation."""
    return (_line(message) for message in messages if message.role == "user")


def read(lines: Iterable[str], *, session: str, speaker: str) -> Iterator[Message]:
    """The messages of a file, as they are read; a line that does not fit raises FormatError when it is reached.

    A message's id follows from what its line says, so a file read twice gives the same ids; lines that are alike
    get different ones. Fields that the format does not know go to `metadata["extra"]`, and `write` puts them back.
    """
    seen: Counter[str] = Counter()
    for record in jsonl.records(lines):
        yield _message(record, session, speaker, seen)


def _line(message: Message) -> str:
    fields = {
        "timestamp": time_text(message.at),
        "user_message": message.text,
        "intent": message.intent,
        "session_id": message.conversation_id,
    }
    if message.context_ref is not None:
        fields["context_ref"] = message.context_ref
    return jsonl.compact(jsonl.with_extra(fields, message.metadata, _KNOWN), subject=f"Message {message.id!r}")


def _message(record: jsonl.Record, session: str, speaker: str, seen: Counter[str]) -> Message:
    at, text, intent = record.time("timestamp"), record.text("user_message"), record.text_or_none("intent")
    conversation_id, context_ref = record.text_or_none("session_id"), record.text_or_none("context_ref")
    content = json.dumps([time_text(at), conversation_id, text, intent, context_ref])
    seen[content] += 1
    return Message(
        id=_id(content, seen[content]),
        role="user",
        text=text,
        at=at,
        speaker=speaker,
        session=session,
        conversation_id=conversation_id,
        intents=() if intent is None else (Intent(intent, 1.0),),
        context_ref=context_ref,
        metadata=jsonl.extra_metadata(record.extra(_KNOWN)),
    )


def _id(content: str, occurrence: int) -> str:
    return "kds-" + sha256(f"{content}{occurrence}".encode()).hexdigest()[:20]
