"""Forgetting for good: a message, a conversation or a user, and every trace that came from them alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from anaphora.engine import conversations, intents, lessons
from anaphora.engine.archiving import remade
from anaphora.engine.place import Place
from anaphora.engine.retention import withdraw
from anaphora.engine.sessions import read_session, write_session
from anaphora.engine.states import change_state
from anaphora.engine.traces import FRAGMENT, drop_traces, erase_traces, fragments_of, rename_traces, write_fragment
from anaphora.errors import NotFound
from anaphora.memory.items import Operation, without
from anaphora.ports import Transaction
from anaphora.types import Conversation, Event, Message, Question, Reference, State
from anaphora.understanding.evidence import content_of
from anaphora.understanding.signals import find_signals
from anaphora.understanding.titles import title_of_talk

__all__ = ["catch_up", "forget_conversation", "forget_message", "forget_user", "let_go_of_texts", "remove_conversation"]

_TELLING = 4  # letters of a word that may give away what was forgotten


def forget_message(tx: Transaction, place: Place, id: str, now: datetime) -> int:
    message = tx.message(id)
    if message is None:
        raise NotFound(f"There is no message {id!r}.")
    conversation = conversations.read_conversation(tx, message.conversation_id)
    _forget(tx, place, [message], now)
    if conversation is not None:
        left = conversations.take_out(tx, conversation, [message], moved=True)  # what told of it is made anew already
        if left is None:
            erase_traces(tx, conversation.id, [message], whole=True)
        elif message.role == "user":
            _rename(tx, left)
    return 1


def forget_conversation(tx: Transaction, place: Place, name: str, now: datetime) -> int:
    conversation = conversations.find(tx, name)
    messages = tx.messages(conversation=conversation.id)
    _forget(tx, place, messages, now)
    conversations.take_out(tx, replace(conversation, message_count=0), [])
    _point_elsewhere(tx, conversation.id, None)
    lessons.unlearn(tx, [lessons.of_conversation(conversation.id)], place.settings)
    return len(messages)


def remove_conversation(
    tx: Transaction, place: Place, conversation: Conversation, messages: Sequence[Message], now: datetime
) -> None:
    """The same because its time has come: what it taught is learned first, and stays."""
    lessons.observe_leaving(tx, messages, place.settings)
    _forget(tx, place, messages, now, unlearn=False)
    conversations.take_out(tx, replace(conversation, message_count=0), [])
    _point_elsewhere(tx, conversation.id, None)


def forget_user(place: Place) -> tuple[int, int]:
    """Every scope of the user, whole; how many scopes and messages that were."""
    scopes = [s for s in place.store.scopes() if s.user == place.scope.user]
    messages = 0
    for scope in scopes:
        there = replace(place, scope=scope)
        messages += there.change(_erase)
    let_go_of_texts(place)
    return len(scopes), messages


def catch_up(place: Place) -> None:
    """Where another process forgot something, keep nothing of it here either."""
    if place.store.erased_elsewhere(place.scope):
        let_go_of_texts(place)


def let_go_of_texts(place: Place) -> None:
    """What is kept of texts, to be quick, goes too; last of all, since what is changed is read on the way."""
    intents.unlearn()
    lessons.let_go()
    place.unread()


def _erase(tx: Transaction) -> int:
    count = len(tx.messages())
    tx.erase()
    return count


def _forget(tx: Transaction, place: Place, messages: Sequence[Message], now: datetime, *, unlearn: bool = True) -> None:
    """The messages, what others took from them, and what was gathered from them."""
    gone = {m.id for m in messages}
    tx.remove(gone)
    named, words = _only_in(messages, tx.messages())
    for id in {m.conversation_id or "" for m in messages}:
        drop_traces(tx, id, [m for m in messages if m.conversation_id == (id or None)])
    stripped = set()
    for message in tx.messages():
        left = _let_go(message, gone, named, words)
        if left != message:
            tx.replace(left)
            if left.signals != message.signals:
                stripped.add(message.id)
            drop_traces(tx, message.conversation_id or "", [message])
    # what was gathered from a message in the forgotten words goes with them
    change_state(tx, place, [without(gone | stripped), _without_names(named)], now, place.author)
    let_go_of_texts(place)
    withdraw(tx, gone)
    if unlearn:
        lessons.unlearn(tx, map(lessons.of_message, messages), place.settings)
    _remake_fragments(tx, place, {m.conversation_id for m in messages}, gone | stripped, words)
    _hush(tx, words)
    tx.blank([e.seq for e in tx.events() if e.message_id in gone or _gives_away(e, named, words)])


def _only_in(messages: Sequence[Message], others: Sequence[Message]) -> tuple[set[str], set[str]]:
    """The names and the words that would give the messages away: those that nobody else has said."""
    named = {e.text.lower() for m in messages for e in m.entities}
    named |= {r.referent.lower() for m in messages for r in m.references}
    words = {w for m in messages for w in content_of(f"{m.text} {m.full}") if len(w) >= _TELLING}
    for other in others:
        low = other.text.lower()
        named = {name for name in named if name not in low or not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", low)}
        words -= content_of(other.text)
    return named, words


def _gives_away(event: Event, named: set[str], words: set[str]) -> bool:
    """Whether the reason of an event is told in the forgotten words: "it names the zebrafish button"."""
    reason = str(event.data.get("reason", "")).lower()
    return bool(reason) and (not words.isdisjoint(content_of(reason)) or any(repr(name) in reason for name in named))


def _remake_fragments(
    tx: Transaction, place: Place, touched: set[str | None], changed: set[str], words: set[str]
) -> None:
    """What was archived is told anew from the messages that are left."""
    for fragment in fragments_of(tx):
        if fragment.conversation_id not in touched and not changed & set(fragment.message_ids):
            continue
        there = tx.messages(conversation=fragment.conversation_id)
        left = there if fragment.part == 0 else [m for m in there if m.id in fragment.message_ids]
        users = [m for m in left if m.role == "user"]
        title = title_of_talk([m.text for m in users])
        plain = fragment.title.removesuffix(f", part {fragment.part}")
        made = remade(place, fragment, left, title if content_of(plain) & words else plain)
        tx.drop(FRAGMENT, fragment.id) if made is None else write_fragment(tx, made)


def _hush(tx: Transaction, words: set[str]) -> None:
    """No session asks, or remembers an answer, in the forgotten words."""
    for name in [d.id for d in tx.documents("session")]:
        old = session = read_session(tx, name)
        if session.answer_text is not None and content_of(session.answer_text) & words:
            session = replace(session, answer_id=None, answer_text=None, answered=None)
        if session.question is not None:
            session = replace(session, question=_in_other_words(session.question, words))
        if session != old:
            write_session(tx, session)


def _in_other_words(question: Question, words: set[str]) -> Question:
    for option in question.options:
        if content_of(option.text) & words:
            plain = replace(option, text="go on with what we had")
            options = tuple(plain if o is option else o for o in question.options)
            question = replace(question, text=question.text.replace(option.text, plain.text), options=options)
    return question


def _let_go(message: Message, gone: set[str], named: set[str], words: set[str]) -> Message:
    """A message stays, but what it was found to mean by way of a forgotten one does not."""

    def holds(reference: Reference) -> bool:
        texts = [t.lower() for t in (reference.referent, *reference.candidates)]
        return reference.message_id in gone or any(name in text for name in named for text in texts)

    kept = tuple(r for r in message.references if not holds(r))
    taken_over = content_of(f"{message.full} {_borrowed(message)}") - content_of(message.text)
    if len(kept) < len(message.references) or taken_over & words:
        kept = () if taken_over & words else kept
        own = find_signals(message.text)
        signals = tuple(signal for signal in message.signals if signal in own)
        message = replace(message, references=kept, expanded=None, context_ref=None, signals=signals)
    return replace(message, reply_to=None) if message.reply_to in gone else message


def _borrowed(message: Message) -> str:
    """What its signals say that it does not say by itself: the decision that "no, 9090" corrects."""
    own = find_signals(message.text)
    return " ".join(f"{s.text} {s.instead_of or ''}" for s in message.signals if s not in own)


def _without_names(names: set[str]) -> Operation:
    def change(state: State) -> State:
        kept = {kind: tuple(t for t in texts if t.lower() not in names) for kind, texts in state.entities.items()}
        return replace(state, entities={kind: texts for kind, texts in kept.items() if texts})

    return change


def _rename(tx: Transaction, conversation: Conversation) -> None:
    """A title, and the id made from it, may hold the words of the message: both are made anew."""
    rest = [m for m in tx.messages(conversation=conversation.id) if m.role == "user"]
    title = title_of_talk([m.text for m in rest])
    fresh = replace(conversation, title=title, id=conversations.new_id(tx, title, conversation.started))
    if fresh.id == conversation.id:
        conversations.write_conversation(tx, fresh)
        return
    before = conversations.queue_of(tx)
    queue = [fresh if c.id == conversation.id else c for c in before]
    for one in [conversation, *before]:  # all written anew in their order, so that each keeps its number
        conversations.drop(tx, one.id)
    for one in queue:
        conversations.write_conversation(tx, one)
    if fresh not in queue:
        conversations.write_conversation(tx, fresh, past=True)
    for message in tx.messages(conversation=conversation.id):
        tx.replace(replace(message, conversation_id=fresh.id))
    rename_traces(tx, conversation.id, fresh.id)
    _point_elsewhere(tx, conversation.id, fresh.id)
    lessons.rename(tx, conversation.id, fresh.id)


def _point_elsewhere(tx: Transaction, old: str, new: str | None) -> None:
    """Whatever named the old conversation names the new one, or none."""
    for name in [d.id for d in tx.documents("session")]:
        session = read_session(tx, name)
        if old in (session.conversation_id, session.before):
            current = new if session.conversation_id == old else session.conversation_id
            before = new if session.before == old else session.before
            write_session(tx, replace(session, conversation_id=current, before=before))
    for other in [*conversations.queue_of(tx), *conversations.past_of(tx)]:
        if old in other.links:
            links = tuple(new if link == old else link for link in other.links if new or link != old)
            conversations.write_conversation(tx, replace(other, links=tuple(link for link in links if link)))
    for message in tx.messages():
        if any(r.conversation_id == old for r in message.references):
            tx.replace(_unlinked(message, old))
    tx.blank([e.seq for e in tx.events() if e.conversation_id == old])


def _unlinked(message: Message, old: str) -> Message:
    """Without what it was found to mean by way of the conversation: that quotes its title."""
    left = tuple(r for r in message.references if r.conversation_id != old)
    return replace(message, references=left, expanded=None, context_ref=None)
