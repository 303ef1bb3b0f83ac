"""Hearing: a message takes its one pass and is stored, with all it changes, in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple, TypeVar, overload
from uuid import uuid4

from anaphora.engine import conversations, retention
from anaphora.engine.answering import answer_of, settling
from anaphora.engine.answers import is_bare_choice
from anaphora.engine.intents import taught
from anaphora.engine.lessons import experience
from anaphora.engine.place import Place
from anaphora.engine.sessions import Session, read_session, write_session
from anaphora.engine.states import change_state
from anaphora.engine.traces import drop_traces
from anaphora.errors import IdConflict, InputError, MissingExtra, NotFound
from anaphora.memory.gathering import lists_of, operations_from
from anaphora.memory.window import talk_of
from anaphora.ports import Transaction, View
from anaphora.types import Boundary, Conversation, Event, Intent, Message, Option, Question, Turn
from anaphora.understanding.boundaries import Past, options_for, settled
from anaphora.understanding.entities import find_entities
from anaphora.understanding.importance import importance_of
from anaphora.understanding.intents import hand_off
from anaphora.understanding.reading import Draft, points_nowhere, read, stored_form
from anaphora.understanding.signals import find_signals
from anaphora.understanding.text import refers_to_code
from anaphora.understanding.titles import title_of

T = TypeVar("T")

_READ = 16  # messages of a session that a reader looks at

__all__ = ["Heard", "Said", "answer_in", "hear", "hear_in", "let_stand", "meant_by", "say", "say_in"]


@dataclass(frozen=True, slots=True)
class Said:
    """Something said, checked, before it is understood."""

    text: str
    at: datetime
    speaker: str
    id: str
    metadata: Mapping[str, Any]
    reply_to: str | None = None
    fresh: bool = False  # its id was made just now


class Heard(NamedTuple):
    """What came of a message, and whether it was heard for the first time."""

    turn: Turn
    new: bool


def hear(place: Place, said: Said) -> Heard:
    """The pass runs outside of the transaction; only if something moved meanwhile it runs once more, inside."""
    retention.expire(place, said.at)
    view = place.view
    session = read_session(view, place.session)
    draft = _draft(view, place, session, said)

    def heard(tx: Transaction) -> Heard:
        message, new = _hear(tx, place, said, session, draft)
        # an answer is not shown but settles what was said before it
        return Heard(_turn(tx, place, message, said.text if message.id == said.id else message.text), new)

    return place.change(heard)


def meant_by(view: View, place: Place, text: str, at: datetime) -> str:
    """What a text would be heard to mean in the open conversation; nothing is stored."""
    said = Said(text, at, place.settings.user, "", {})
    return _draft(view, place, read_session(view, place.session), said).expanded


def hear_in(tx: Transaction, place: Place, said: Said) -> Message:
    """The same inside a transaction that someone else opened: many messages, one commit. What comes back is stored."""
    known = tx.message(said.id) and _known(tx, said, stored_form(said.text, place.settings)[0], "user")
    if known is not None:
        return known
    session = read_session(tx, place.session)
    return _hear(tx, place, said, session, _draft(tx, place, session, said))[0]


def say(place: Place, said: Said) -> Message:
    """A reply; once it is stored the reader takes a look at it and at what it answers, so that the next message need
    not wait for that."""
    stored = place.change(lambda tx: say_in(tx, place, said))
    if place.reader is not None:
        with suppress(MissingExtra):
            place.reader.prepare(*(m.full for m in place.view.messages(session=place.session, last=2)))
    return stored


def say_in(tx: Transaction, place: Place, said: Said) -> Message:
    """A reply: stored in the open conversation, unless the settings keep no replies."""
    text, redactions = stored_form(said.text, place.settings)
    known = _known(tx, said, text, "assistant")
    if known is not None:
        return known
    session = read_session(tx, place.session)
    entities = find_entities(text)

    def message(conversation_id: str | None) -> Message:
        return Message(
            id=said.id,
            role="assistant",
            text=text,
            at=said.at,
            speaker=said.speaker,
            session=place.session,
            conversation_id=conversation_id,
            entities=entities,
            redactions=redactions,
            importance=importance_of("assistant", find_signals(text), code=refers_to_code(text)),
            reply_to=said.reply_to,
            fleeting=place.settings.fleeting,
            metadata=said.metadata,
        )

    if not place.settings.keep_replies:
        return message(session.conversation_id)
    conversation = conversations.read_conversation(tx, session.conversation_id)
    if conversation is None:
        conversation = conversations.start(tx, title_of(text), said.at, place.session, place.settings)
        session = replace(session, conversation_id=conversation.id)
    stored = tx.add(message(conversation.id))
    counted = conversations.count_in(conversation, stored)
    if conversation.ended or conversation.outcome:  # a reply to a closing does not open it again
        counted = replace(counted, ended=conversation.ended, outcome=conversation.outcome)
    conversations.write_conversation(tx, counted)
    tx.emit(Event("message.said", said.at, place.session, conversation_id=conversation.id, message_id=stored.id))
    write_session(tx, session)
    return stored


def answer_in(tx: Transaction, place: Place, text: str, question_id: str | None, at: datetime) -> Turn | None:
    """Settle the open question; None if the text is no answer to it, and then the best guess stands."""
    session = read_session(tx, place.session)
    if session.question is None or question_id not in (None, session.question.id):
        raise NotFound("There is no such open question.", remedy="Say it as a message instead.")
    option = settling(tx, text, session, session.question)
    if option is not None:
        settled_one = _settle(tx, place, session, option, at, answer=None)
        return _turn(tx, place, settled_one, settled_one.text)
    if is_bare_choice(text):
        keys = ", ".join(o.key for o in session.question.options)
        raise InputError(f"{text.strip()!r} is none of the options.", remedy=f"Answer with one of: {keys}.")
    write_session(tx, let_stand(tx, place, session, at))
    return None


def let_stand(tx: Transaction, place: Place, session: Session, at: datetime) -> Session:
    """A question that was not answered: its message stays where the best guess put it."""
    if session.question is None:
        return session
    message = tx.message(session.question.message_id)
    if message is not None and message.boundary is not None:
        boundary = settled(message.boundary.best_guess, asked=False, resumes=message.boundary.resumes)
        tx.replace(replace(message, boundary=boundary))
        _apply_signals(tx, place, message)
        data = {"answer": None}
        tx.emit(Event("question.answered", at, place.session, message_id=message.id, data=data))
    return session.without_question()


# --- a message ----------------------------------------------------------------------------------------------------


def _hear(tx: Transaction, place: Place, said: Said, session: Session, draft: Draft) -> tuple[Message, bool]:
    """The message as it is stored, or the one that a question was about, if it answers that; and whether it is new."""
    known = _known(tx, said, draft.text, "user")
    if known is not None:
        return known, False
    now = read_session(tx, place.session)
    if now.answered is not None and now.answer_id == said.id:
        if now.answer_text != draft.text:
            raise IdConflict(f"The id {said.id!r} is taken by an answer with another text.", remedy="Use a new id.")
        message = tx.message(now.answered)
        if message is not None:
            return message, False
    if now.question is not None:
        answer = answer_of(tx, said.text, said.at, now, draft, place.settings)
        if answer is not None and tx.message(now.question.message_id) is not None:
            kept = None if answer.more else (said.id, draft.text)
            message = _settle(tx, place, now, answer.option, said.at, answer=kept)
            if not answer.more:
                return message, True
            now = read_session(tx, place.session)
    if now.version != session.version or _moved(tx, draft.past.conversation):
        draft = _draft(tx, place, now, said)
    return _record(tx, place, let_stand(tx, place, now, said.at), said, draft), True


def _moved(tx: Transaction, conversation: Conversation | None) -> bool:
    """Whether another session, or a touched file, changed the conversation that the draft was read against."""
    return conversation is not None and conversations.read_conversation(tx, conversation.id) != conversation


def _draft(view: View, place: Place, session: Session, said: Said) -> Draft:
    conversation = conversations.read_conversation(view, session.conversation_id)
    return _read(view, place, said, _past(view, place, conversation))


def _read(view: View, place: Place, said: Said, past: Past, decided: Boundary | None = None) -> Draft:
    own = taught(view, place)
    return read(
        said.text,
        said.at,
        past,
        place.settings,
        decided,
        speaker=said.speaker,
        reader=place.reader,
        taught=own,
        experience=experience(view, place.settings),
    )


def _past(view: View, place: Place, conversation: Conversation | None, before: int | None = None) -> Past:
    """What came before; `before` a sequence number where the message itself is stored already."""

    def earlier(messages: Sequence[Message]) -> Sequence[Message]:
        return messages if before is None else [m for m in messages if m.seq < before]

    def window() -> Sequence[Message]:
        if conversation is None:
            return ()
        users = place.settings.window
        return talk_of(earlier(view.messages(conversation=conversation.id, last=3 * users)), users)

    lately: Sequence[Message] = ()
    if place.reader is not None:
        # one more than is read, since the message itself may be among them
        lately = earlier(view.messages(session=place.session, last=_READ + 1))
    queue = _Unread(lambda: conversations.queue_of(view))
    return Past(conversation, _Unread(window), queue, tuple(lately[-_READ:]))


class _Unread(Sequence[T]):
    """What is read from the store when someone first looks at it: other conversations hardly ever, and messages too
    where a reader judges."""

    def __init__(self, read: Callable[[], Sequence[T]]) -> None:
        self._read = read
        self._found: Sequence[T] | None = None

    def _all(self) -> Sequence[T]:
        if self._found is None:
            self._found = self._read()
        return self._found

    def __len__(self) -> int:
        return len(self._all())

    @overload
    def __getitem__(self, at: int) -> T: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[T]: ...

    def __getitem__(self, at: int | slice) -> T | Sequence[T]:
        return self._all()[at]


def _record(tx: Transaction, place: Place, session: Session, said: Said, draft: Draft) -> Message:
    previous = draft.past.conversation
    conversation = _conversation_for(tx, place, previous, draft, said.at)
    stored = tx.add(_message(said, place, draft, conversation.id))
    conversation = conversations.count_in(conversation, stored)
    conversations.write_conversation(tx, conversation)
    tx.emit(Event("message.heard", said.at, place.session, conversation_id=conversation.id, message_id=stored.id))
    asks = draft.boundary.decision == "ask" or points_nowhere(draft)
    question = _question(draft, stored) if asks else None
    if question is None:
        _apply_signals(tx, place, stored)
    else:
        tx.emit(Event("question.asked", said.at, place.session, message_id=stored.id, data={"question": question.id}))
    before = previous.id if previous is not None and question is not None else None
    write_session(tx, replace(session, conversation_id=conversation.id, question=question, before=before))
    retention.rotate(tx, place)
    return stored


def _conversation_for(
    tx: Transaction, place: Place, previous: Conversation | None, draft: Draft, at: datetime
) -> Conversation:
    """The conversation that the message goes into: gone on with, resumed, or started."""
    boundary, session = draft.boundary, place.session
    if boundary.best_guess == "same" and previous is not None:
        if previous.ended is not None:
            return conversations.reopen(tx, previous, at, session, place.settings)
        tx.emit(Event("conversation.active", at, session, conversation_id=previous.id))
        return previous
    if previous is not None:
        data = {"confidence": boundary.confidence, "reason": boundary.reason}
        tx.emit(Event("conversation.boundary", at, session, conversation_id=previous.id, data=data))
        if previous.ended is None:
            conversations.end(tx, previous, at, session, None)
    resumed = conversations.read_conversation(tx, boundary.resumes)
    if resumed is not None:
        return conversations.reopen(tx, resumed, at, session, place.settings)
    # by its own words: what was taken over from elsewhere may be forgotten there
    title = title_of(draft.text)
    return conversations.start(tx, title, at, session, place.settings)


def _message(said: Said, place: Place, draft: Draft, conversation_id: str) -> Message:
    return Message(
        id=said.id,
        role="user",
        text=draft.text,
        at=said.at,
        speaker=said.speaker,
        session=place.session,
        conversation_id=conversation_id,
        expanded=draft.expanded if draft.expanded != draft.text else None,
        intents=draft.intents,
        entities=draft.entities,
        references=draft.references,
        context_ref=draft.context_ref,
        signals=draft.signals,
        redactions=draft.redactions,
        boundary=draft.boundary,
        importance=draft.importance,
        fleeting=place.settings.fleeting,
        metadata=said.metadata,
    )


def _apply_signals(tx: Transaction, place: Place, message: Message) -> None:
    if not place.settings.keep_state:
        return
    operations = operations_from(
        message.signals,
        message.entities,
        author=place.author,
        speaker=message.speaker,
        at=message.at,
        message_id=message.id,
    )
    if operations:
        lists = lists_of(message.signals)
        change_state(tx, place, operations, message.at, place.author, message.id, lists=lists)


def _known(view: View, said: Said, text: str, role: str) -> Message | None:
    """The message that has this id already; another text under the same id is an error."""
    known = view.message(said.id)
    if known is not None and (known.text != text or known.role != role):
        raise IdConflict(
            f"The id {said.id!r} is taken by a message with another text.", remedy="Use a new id for a new message."
        )
    return known


# --- questions ----------------------------------------------------------------------------------------------------


def _question(draft: Draft, message: Message) -> Question:
    options = options_for(draft.past, draft.text, message.conversation_id)
    listed = "; ".join(f"{o.key}: {o.text}" for o in options)
    text = f"Does “{_short(message.text)}” go on with what we had? {listed}"
    return Question(f"q-{uuid4().hex[:12]}", text, options, message.id)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:59] + "…"


def _settle(
    tx: Transaction, place: Place, session: Session, option: Option, at: datetime, *, answer: tuple[str, str] | None
) -> Message:
    """Put the waiting message where the answer says it belongs, and read it again there."""
    assert session.question is not None
    message = tx.message(session.question.message_id)
    if message is None or message.boundary is None:
        raise NotFound("The message that the question was about is gone.")
    boundary = settled(option.decision, asked=True, resumes=option.conversation_id)
    conversation_id = message.conversation_id
    if option.decision == message.boundary.best_guess and option.conversation_id in (None, conversation_id):
        final = replace(message, boundary=boundary)
        tx.replace(final)
    else:
        final = _move(tx, place, session, message, boundary, at)
        conversation_id = final.conversation_id
    _apply_signals(tx, place, final)
    data = {"answer": option.key, "decision": option.decision}
    tx.emit(Event("question.answered", at, place.session, message_id=message.id, data=data))
    done = replace(session.without_question(), conversation_id=conversation_id)
    if answer is not None:
        done = replace(done, answer_id=answer[0], answer_text=answer[1], answered=final.id)
    write_session(tx, done)
    return final


def _move(
    tx: Transaction, place: Place, session: Session, message: Message, boundary: Boundary, at: datetime
) -> Message:
    """Move a message, and what was said after it, to the conversation that it belongs to after all."""
    guessed = conversations.read_conversation(tx, message.conversation_id)
    before = conversations.read_conversation(tx, session.before)
    followers = [m for m in tx.messages(conversation=message.conversation_id) if m.seq >= message.seq]
    past = _past(tx, place, before, before=message.seq)
    said = Said(message.text, message.at, message.speaker, message.id, message.metadata)
    draft = _read(tx, place, said, past, boundary)
    if guessed is not None:
        conversations.take_out(tx, guessed, followers, moved=True)
    if boundary.best_guess == "same" and before is not None:
        target = conversations.reopen(tx, before, at, place.session, place.settings)
    else:
        left = conversations.read_conversation(tx, session.before)
        if left is not None and left.ended is None:
            conversations.end(tx, left, at, place.session, None)
        named = conversations.read_conversation(tx, boundary.resumes)
        if named is not None:
            target = conversations.reopen(tx, named, at, place.session, place.settings)
        else:
            target = conversations.start(tx, title_of(draft.text), message.at, place.session, place.settings)
    drop_traces(tx, target.id)  # what moves there may be older than what its summary ends with
    final = replace(_message(said, place, draft, target.id), seq=message.seq, redactions=message.redactions)
    for moved in [final, *followers[1:]]:
        moved = replace(moved, conversation_id=target.id)
        tx.replace(moved)
        target = conversations.count_in(target, moved)
    conversations.write_conversation(tx, target)
    tx.emit(Event("message.moved", at, place.session, conversation_id=target.id, message_id=message.id))
    return final


# --- the turn -----------------------------------------------------------------------------------------------------


def _turn(view: View, place: Place, message: Message, heard: str) -> Turn:
    """What is known about a stored message, as `hear` returns it."""
    conversation = _numbered(view, message.conversation_id) or Conversation(
        message.conversation_id or "", "", message.at, message.session
    )
    session = read_session(view, place.session)
    waiting = session.question if session.question and session.question.message_id == message.id else None
    intents: Sequence[Intent] = message.intents or (Intent("unknown", 0.0),)
    expanded = heard if message.expanded is None else message.expanded
    doing = conversation.title if conversation.message_count > 1 else None
    return Turn(
        text=heard,
        expanded=expanded,
        references=message.references,
        intent=intents[0],
        intents=tuple(intents),
        handoff=hand_off(heard, expanded, message.references, intents[0], doing),
        boundary=message.boundary or settled("same", asked=False),
        question=waiting,
        entities=message.entities,
        importance=message.importance,
        signals=message.signals,
        redactions=message.redactions,
        conversation=conversation,
        message_id=message.id,
        at=message.at,
        stored=message.text,
    )


def _numbered(view: View, id: str | None) -> Conversation | None:
    return conversations.in_queue(view, id) or conversations.read_conversation(view, id)
