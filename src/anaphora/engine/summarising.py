"""Summaries: a digest a conversation, renewed every few messages and brought up to date when it is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from anaphora.codec import from_plain, to_plain
from anaphora.engine import conversations
from anaphora.engine.documents import value_of
from anaphora.engine.place import Place
from anaphora.engine.sessions import read_session
from anaphora.engine.states import read_state
from anaphora.engine.traces import SUMMARY, sitting_id
from anaphora.engine.writing import written_summary
from anaphora.memory.digest import Digest, fold, fold_sitting, with_sitting
from anaphora.memory.structured import session_summary
from anaphora.memory.summary import thread_summary
from anaphora.ports import Document, Transaction, View
from anaphora.settings import Settings
from anaphora.types import Conversation, Message, State

__all__ = [
    "digest_in",
    "digest_of",
    "digests_of",
    "read_digest",
    "renew",
    "session_in_short",
    "still_there",
    "summary_of",
    "told",
    "write_digest",
]

_PIECE = 100  # messages that are folded in at once where many wait, as after an import
_SITTING = 2000  # messages of a scope that are looked through for those of a session


def session_in_short(place: Place) -> str:
    """The open conversation of the session, with what was wanted, decided and ruled out elsewhere in the session."""
    view = place.view
    found = conversations.read_conversation(view, read_session(view, place.session).conversation_id)
    if found is None:
        return ""
    if place.settings.summary_form == "thread":
        return _thread(place, found)
    digest = with_sitting(digest_of(place, found.id), sitting_of(place))
    return written_summary(place, found, digest) or _told(place, digest, found)


def summary_of(place: Place, conversation: Conversation) -> str:
    """The conversation in short, in the form that the settings ask for."""
    if place.settings.summary_form == "thread":
        return _thread(place, conversation)
    digest = digest_of(place, conversation.id)
    return written_summary(place, conversation, digest) or _told(place, digest, conversation)


def _thread(place: Place, conversation: Conversation) -> str:
    settings = place.settings
    last = place.view.messages(conversation=conversation.id, last=settings.summary_message_limit)
    return thread_summary(last, settings)


def _told(place: Place, digest: Digest, conversation: Conversation) -> str:
    return told(place, digest, read_state(place.view), conversation)


def told(place: Place, digest: Digest, state: State, conversation: Conversation) -> str:
    """A digest as a page, with what the state knows of it."""
    return session_summary(digest, place.settings, place.counter().count, state, conversation)


def digest_of(place: Place, id: str) -> Digest:
    """Of one conversation, up to date."""
    return _up_to_date(place, id, _of_conversation(id, place.settings))


def digest_in(view: View, id: str, settings: Settings) -> Digest:
    """The same, read from one moment of the store and written nowhere."""
    digest, stream = read_digest(view, id), _of_conversation(id, settings)
    while waiting := stream.after(view, digest):
        digest = stream.fold(digest, waiting)
    return digest


def sitting_of(place: Place) -> Digest:
    """Of all that was said in the session since its last long pause, up to date."""
    return _up_to_date(place, sitting_id(place.session), _of_session(place))


def renew(place: Place) -> bool:
    """The job: fold in what waits in the session, or in one conversation, that is due."""
    view, settings = place.view, place.settings
    if settings.summary_form == "thread":
        return False
    for conversation in conversations.queue_of(view):
        if conversation.message_count >= settings.summary_every:
            stored = view.document(SUMMARY, conversation.id)
            known = _digest(conversation.id, stored)
            due = _due(conversation.message_count, known.messages + known.commands, settings)
            if due and _fold_in(place, conversation.id, stored, _of_conversation(conversation.id, settings)):
                return True
    id, sitting = sitting_id(place.session), _of_session(place)
    stored = view.document(SUMMARY, id)
    return len(sitting.after(view, _digest(id, stored))) >= settings.summary_every and _fold_in(
        place, id, stored, sitting
    )


@dataclass(frozen=True, slots=True)
class _Stream:
    """Messages that make one digest: which come after what is in it already, and how they are folded in."""

    after: Callable[[View, Digest], list[Message]]
    fold: Callable[[Digest, Sequence[Message]], Digest]


def _of_conversation(id: str, settings: Settings) -> _Stream:
    def after(view: View, digest: Digest) -> list[Message]:
        return view.messages(conversation=id, after=digest.upto, first=_PIECE)

    return _Stream(after, lambda digest, messages: fold(digest, messages, settings))


def _of_session(place: Place) -> _Stream:
    def after(view: View, digest: Digest) -> list[Message]:
        start = digest.upto
        if not start:  # not since the beginning of time, which may be long ago
            newest = view.messages(last=1)
            start = newest[0].seq - _SITTING if newest else 0
        return view.messages(session=place.session, after=start, first=_PIECE)

    return _Stream(after, lambda digest, messages: fold_sitting(digest, messages, place.settings))


def _up_to_date(place: Place, id: str, stream: _Stream) -> Digest:
    """What was said since it was written is folded in; where that was much, it is written too."""
    while True:
        view = place.view
        stored = view.document(SUMMARY, id)
        digest = _digest(id, stored)
        waiting = stream.after(view, digest)
        if len(waiting) < place.settings.summary_every or not _fold_in(place, id, stored, stream):
            while waiting:
                digest = stream.fold(digest, waiting)
                waiting = stream.after(view, digest) if len(waiting) == _PIECE else []
            return digest


def read_digest(view: View, id: str) -> Digest:
    """As it was last written."""
    return _digest(id, view.document(SUMMARY, id))


def digests_of(view: View) -> list[Digest]:
    """All that are written."""
    return [from_plain(Digest, d.body) for d in view.documents(SUMMARY)]


def write_digest(tx: Transaction, digest: Digest) -> None:
    tx.put(SUMMARY, digest.conversation_id, to_plain(digest, lean=True))


def still_there(view: View, messages: Sequence[Message]) -> bool:
    """Whether the messages are as they were read: none forgotten or moved meanwhile."""
    now = view.messages(seqs=[m.seq for m in messages])
    return [_gist(m) for m in now] == [_gist(m) for m in messages]


def _gist(message: Message) -> tuple[str, str | None, str, str | None]:
    return message.id, message.conversation_id, message.text, message.expanded


def _due(count: int, done: int, settings: Settings) -> bool:
    """Whether one of the marks, such as every 15 messages, was passed since."""
    marks = [settings.summary_every, *([settings.compact_summary_at] if settings.compaction else [])]
    return any(count // every > done // every for every in marks)


def _digest(id: str, stored: Document | None) -> Digest:
    return Digest(id) if stored is None else value_of(Digest, stored)


def _fold_in(place: Place, id: str, stored: Document | None, stream: _Stream) -> bool:
    """Folded outside of the transaction, and written only if nothing that it rests on has changed since it was read;
    whether it was."""
    digest = _digest(id, stored)
    waiting = stream.after(place.view, digest)
    if not waiting:
        return False
    digest = stream.fold(digest, waiting)

    def write(tx: Transaction) -> bool:
        if tx.document(SUMMARY, id) != stored or not still_there(tx, waiting):
            return False
        write_digest(tx, digest)
        return True

    return place.change(write)
