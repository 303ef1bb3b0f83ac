"""What is made from the messages of a conversation and must go, or be made anew, when they do."""

from __future__ import annotations

from collections.abc import Iterable

from anaphora.ports import Transaction
from anaphora.types import Message

__all__ = ["SUMMARY", "drop_traces", "sitting_id"]

SUMMARY = "summary"  # the kind of document, by the id of its conversation


def sitting_id(session: str) -> str:
    """Under which the summary of a whole session lies; a conversation's id has no space in it."""
    return f"session {session}"


def drop_traces(tx: Transaction, conversation_id: str, messages: Iterable[Message] = ()) -> None:
    """The conversation is not what it was: what was made from it goes, and is made anew from what is left. `messages`
    are those that leave it."""
    tx.drop(SUMMARY, conversation_id)
    for session in {m.session for m in messages}:
        tx.drop(SUMMARY, sitting_id(session))
