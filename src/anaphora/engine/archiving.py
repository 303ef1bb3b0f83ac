"""Fragments: what a conversation came to, kept for good, made by hand, because it was worth it, or as it grew long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import blake2b

from anaphora.engine import conversations, summarising
from anaphora.engine.place import Place
from anaphora.engine.sessions import read_session
from anaphora.engine.traces import fragments_of, read_compaction, whole_fragment, write_compaction, write_fragment
from anaphora.errors import NotFound
from anaphora.memory.compaction import tags_of, worth
from anaphora.memory.digest import Digest, digested
from anaphora.memory.structured import session_summary
from anaphora.ports import Transaction
from anaphora.types import Conversation, Event, Fragment, Message

__all__ = ["archive", "find_fragment", "fragment_of", "judge", "remade"]


def archive(place: Place, title: str | None, now: datetime) -> Fragment:
    """The open conversation as a fragment, by hand; done again, it is brought up to date."""
    view = place.view
    found = conversations.read_conversation(view, read_session(view, place.session).conversation_id)
    if found is None or not found.message_count:
        raise NotFound("There is nothing to archive: nothing was said yet.")
    conversation = found if title is None else replace(found, title=title)
    return place.change(lambda tx: _archive_whole(tx, place, conversation, "by hand", now))


def judge(place: Place) -> bool:
    """The job: look at one conversation that has ended, and make a fragment of it if it was worth it."""
    if place.settings.archive != "worth":
        return False
    view = place.view
    for conversation in conversations.queue_of(view):
        if conversation.active or conversation.message_count < place.settings.archive_messages:
            continue
        if read_compaction(view, conversation.id).judged == conversation.message_count:
            continue
        why = worth(summarising.digest_of(place, conversation.id), conversation, place.settings)
        place.change(lambda tx, it=conversation, why=why: _judged(tx, place, it, why))  # type: ignore[misc]
        return True
    return False


def _judged(tx: Transaction, place: Place, conversation: Conversation, why: str | None) -> None:
    if why is not None:
        _archive_whole(tx, place, conversation, why, place.clock())
    if conversations.read_conversation(tx, conversation.id) is not None:
        compaction = read_compaction(tx, conversation.id)
        write_compaction(tx, replace(compaction, judged=conversation.message_count))


def fragment_of(
    place: Place, conversation: Conversation, digest: Digest, messages: Sequence[Message], *, part: int, why: str
) -> Fragment:
    """What the messages came to. Its id tells nothing of what was said."""
    seed = f"{conversation.id}\0{part}\0{messages[0].id}"
    return Fragment(
        id=f"frag-{blake2b(seed.encode(), digest_size=6).hexdigest()}",
        title=f"{conversation.title}, part {part}" if part else conversation.title,
        text=_text(place, digest),
        at=messages[-1].at,
        author=place.author,
        conversation_id=conversation.id,
        message_ids=tuple(m.id for m in messages),
        importance=max(m.importance for m in messages),
        tags=tags_of(digest, conversation),
        part=part,
        why=why,
    )


def remade(place: Place, fragment: Fragment, left: Sequence[Message], title: str) -> Fragment | None:
    """The fragment from the messages that are left of it; None if none is."""
    if not left:
        return None
    digest = digested(fragment.conversation_id or "", left, place.settings)
    return replace(
        fragment,
        title=f"{title}, part {fragment.part}" if fragment.part else title,
        text=_text(place, digest),
        message_ids=tuple(m.id for m in left if m.id in fragment.message_ids),
        tags=tags_of(digest, Conversation("", "", fragment.at, "")),
    )


def _text(place: Place, digest: Digest) -> str:
    """The summary without its head, which names the conversation by an id that is made of its title."""
    return session_summary(digest, place.settings, place.counter().count).partition("\n\n")[2]


def find_fragment(place: Place, name: str) -> Fragment:
    """By id or title."""
    found = fragments_of(place.view)
    for fragment in reversed(found):
        if name == fragment.id or name.lower() == fragment.title.lower():
            return fragment
    raise NotFound(f"There is no fragment {name!r}.", remedy="'anaphora sessions fragments' lists them all.")


def _archive_whole(tx: Transaction, place: Place, conversation: Conversation, why: str, now: datetime) -> Fragment:
    """All that was said since the last part of it was archived, told by the summary of the whole."""
    stored = read_compaction(tx, conversation.id)
    messages = tx.messages(conversation=conversation.id, after=stored.archived)
    messages = messages or tx.messages(conversation=conversation.id, last=1)
    if not messages:
        raise NotFound("There is nothing to archive: its messages are gone.")
    digest = summarising.digest_in(tx, conversation.id, place.settings)
    made = fragment_of(place, conversation, digest, messages, part=0, why=why)
    known = whole_fragment(tx, conversation.id, made.id)
    made = made if known is None else replace(made, id=known.id)
    write_fragment(tx, made)
    data = {"fragment": made.id, "messages": len(messages), "why": why}
    tx.emit(Event("conversation.archived", now, place.session, conversation_id=conversation.id, data=data))
    return made
