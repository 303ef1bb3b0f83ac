"""Exports of Claude: conversations.json, an array of conversations, each a list of messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from anaphora.formats.transcripts import Record, Said, Skipped, instant, text_of
from anaphora.types import Role

__all__ = ["records", "started"]

_ROLES: Mapping[object, Role] = {"human": "user", "assistant": "assistant"}


def started(conversation: Mapping[str, Any]) -> datetime | None:
    return instant(conversation.get("created_at"))


def records(conversation: Mapping[str, Any]) -> Iterator[Record]:
    session, messages = conversation.get("uuid"), conversation.get("chat_messages")
    if not isinstance(session, str) or not isinstance(messages, list):
        yield Skipped("conversation without messages")
        return
    for message in messages:
        if not isinstance(message, dict):
            yield Skipped("message that cannot be read")
            continue
        role, id = _ROLES.get(message.get("sender")), message.get("uuid")
        text = text_of(message.get("content"), "text") or text_of(message.get("text"))
        if role is None or not isinstance(id, str):
            yield Skipped(f"message of {message.get('sender')}")
        elif not text.strip():
            yield Skipped("nothing said")
        else:
            yield Said(f"claude-{session}", f"claude-{id}", role, text, instant(message.get("created_at")))
