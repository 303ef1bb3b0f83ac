"""What is made from the messages of a conversation and must go, or be made anew, when they do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from anaphora.codec import from_plain, to_plain
from anaphora.memory.compaction import Compaction
from anaphora.ports import Transaction, View
from anaphora.types import Fragment, Message

__all__ = [
    "COMPACTION",
    "FAILURE",
    "FRAGMENT",
    "SUMMARY",
    "WRITTEN",
    "drop_traces",
    "erase_traces",
    "fragments_of",
    "read_compaction",
    "rename_traces",
    "sitting_id",
    "whole_fragment",
    "write_compaction",
    "write_fragment",
]

SUMMARY = "summary"  # kinds of documents; this one and the next by the id of their conversation
COMPACTION = "compaction"
FRAGMENT = "fragment"
WRITTEN = "written summary"  # by the id of its conversation
FAILURE = ("written failure", "last")


def sitting_id(session: str) -> str:
    """Under which the summary of a whole session lies; a conversation's id has no space in it."""
    return f"session {session}"


def read_compaction(view: View, conversation_id: str) -> Compaction:
    document = view.document(COMPACTION, conversation_id)
    return Compaction(conversation_id) if document is None else from_plain(Compaction, document.body)


def write_compaction(tx: Transaction, compaction: Compaction) -> None:
    tx.put(COMPACTION, compaction.conversation_id, to_plain(compaction, lean=True))


def fragments_of(view: View, conversation_id: str | None = None) -> list[Fragment]:
    """All fragments, or those of one conversation, in the order of their making."""
    found = (from_plain(Fragment, d.body) for d in view.documents(FRAGMENT))
    return [f for f in found if conversation_id in (None, f.conversation_id)]


def whole_fragment(view: View, conversation_id: str, likely: str) -> Fragment | None:
    """The fragment of all of a conversation, which has the `likely` id unless it is noted under another."""
    noted = read_compaction(view, conversation_id)
    document = view.document(FRAGMENT, noted.whole or likely)
    if document is not None:
        return from_plain(Fragment, document.body)
    if noted.whole or not (noted.judged or noted.parts):
        return None
    return next((f for f in fragments_of(view, conversation_id) if f.part == 0), None)  # noted by none of before


def write_fragment(tx: Transaction, fragment: Fragment) -> None:
    tx.put(FRAGMENT, fragment.id, to_plain(fragment, lean=True))
    if fragment.part == 0 and fragment.conversation_id is not None:
        compaction = read_compaction(tx, fragment.conversation_id)
        if compaction.whole != fragment.id:
            write_compaction(tx, replace(compaction, whole=fragment.id))


def drop_traces(tx: Transaction, conversation_id: str, moved: Iterable[Message] = ()) -> None:
    """The conversation is not what it was: its summary goes and is made anew from what is left, and so do clusters
    that cite one of the messages that were `moved` out of it, or changed."""
    moved = list(moved)
    tx.drop(SUMMARY, conversation_id)
    tx.drop(WRITTEN, conversation_id)
    for session in {m.session for m in moved}:
        tx.drop(SUMMARY, sitting_id(session))
    compaction = read_compaction(tx, conversation_id)
    left = compaction.without({m.id for m in moved})
    if left != compaction:
        write_compaction(tx, left)


def erase_traces(tx: Transaction, conversation_id: str, gone: Sequence[Message], *, whole: bool) -> None:
    """Messages of the conversation are gone for good, and with them whatever tells of them; where the `whole` of it
    is, its events are without its name too."""
    drop_traces(tx, conversation_id, gone)
    ids = {m.id for m in gone}
    for fragment in fragments_of(tx, conversation_id):
        if whole or ids & set(fragment.message_ids) or (ids and fragment.part == 0):
            tx.drop(FRAGMENT, fragment.id)
    if whole:
        tx.drop(COMPACTION, conversation_id)
        tx.blank([e.seq for e in tx.events(conversation=conversation_id)])


def rename_traces(tx: Transaction, old: str, new: str) -> None:
    """The conversation has another id now."""
    tx.drop(SUMMARY, old)
    tx.drop(WRITTEN, old)
    if tx.document(COMPACTION, old) is not None:
        write_compaction(tx, replace(read_compaction(tx, old), conversation_id=new))
        tx.drop(COMPACTION, old)
    for fragment in fragments_of(tx, old):
        write_fragment(tx, replace(fragment, conversation_id=new))
