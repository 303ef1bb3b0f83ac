"""Memory: the one object that a program talks to. Each method checks what comes in and hands it to its room."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, get_args, overload
from uuid import uuid4

from anaphora.engine import conversations, hearing, recalling, retention, transfer
from anaphora.engine.checks import checked_metadata, checked_name, checked_text, checked_time
from anaphora.engine.follow import Follower
from anaphora.engine.hearing import Said
from anaphora.engine.place import Place, change_state, read_state
from anaphora.engine.sessions import read_session, write_session
from anaphora.errors import InputError, NotFound
from anaphora.light import LightContext
from anaphora.memory.summary import thread_summary
from anaphora.memory.working import Work
from anaphora.ports import TokenCounter
from anaphora.settings import Settings
from anaphora.types import (
    Context,
    Conversation,
    Event,
    Hit,
    Ingested,
    Message,
    Outcome,
    Question,
    Role,
    Scope,
    State,
    Turn,
)

__all__ = ["Memory"]

_BATCH = 200  # messages of an ingest that share one commit


class Memory:
    """The memory of one scope, in one session. Synchronous, thread-safe, a context manager."""

    def __init__(self, place: Place, counter: Callable[[], TokenCounter]) -> None:
        self._place = place
        self._counter = counter
        self._lock = threading.RLock()
        self._follower = Follower(place.settings, place.clock)
        self._timer: threading.Timer | None = None
        self._closed = False
        retention.expire(place, place.clock())
        self._expire_when_idle()

    @property
    def scope(self) -> Scope:
        return self._place.scope

    @property
    def session(self) -> str:
        return self._place.session

    @property
    def settings(self) -> Settings:
        return self._place.settings

    @property
    def light(self) -> LightContext:
        """The four fields of the light context, kept up by hearing; empty once unused for too long."""
        return self._follower.context

    # talking

    def hear(
        self,
        text: str,
        *,
        at: datetime | None = None,
        speaker: str | None = None,
        id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Turn:
        """Take in what a user said. The same id and text twice is one message."""
        said = self._said("user", text, at, speaker, id, metadata)
        with self._lock:
            known = id is not None and self._is_known(id)
            turn = hearing.hear(self._place, said)
            if not known:
                self._follow(turn)
            return turn

    def say(
        self,
        text: str,
        *,
        at: datetime | None = None,
        id: str | None = None,
        reply_to: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Message:
        """Take in what the assistant replied."""
        if reply_to is not None:
            checked_name("id that is replied to", reply_to)
        said = replace(self._said("assistant", text, at, None, id, metadata), reply_to=reply_to)
        with self._lock, self._place.store.transaction(self.scope) as tx:
            return hearing.say_in(tx, self._place, said)

    def answer(self, text: str, question: Question | str | None = None, *, at: datetime | None = None) -> Turn:
        """Answer the open question by letter, number or in words; a text that is no answer is heard as a message."""
        checked_text(text, self.settings.max_message_chars)
        id = question.id if isinstance(question, Question) else question
        with self._lock:
            now = self._fresh(at)
            turn = hearing.answer(self._place, text, id, now)
            if turn is None:
                return self.hear(text, at=now)
            self._follow(turn)
            return turn

    def ingest(self, messages: Iterable[Message | Mapping[str, Any]]) -> Ingested:
        """Many at once, each through the same pass: mappings with text and, if known, role, at, speaker, id."""
        done = Ingested()
        batch: list[tuple[Role, Said]] = []
        for message in messages:
            batch.append(self._incoming(message))
            if len(batch) == _BATCH:
                done, batch = self._ingest(batch, done), []
        return self._ingest(batch, done)

    # what is worked on

    def touch(
        self, path: str, *, function: str | None = None, edited: bool = False, at: datetime | None = None
    ) -> None:
        """Say which file, and which function of it, is worked on now."""
        checked_name("path", path)
        if function is not None:
            checked_name("function", function)
        now = checked_time(at, self._place.clock())
        with self._lock, self._place.store.transaction(self.scope) as tx:
            work = Work(State(), author=self._place.author, at=now)
            work.touch(path, function=function, edited=edited)
            change_state(tx, self._place, work.operations, now, self._place.author)
            open_one = conversations.read_conversation(tx, read_session(tx, self.session).conversation_id)
            if edited and open_one is not None and path not in open_one.files_modified:
                files = (*open_one.files_modified, path)
                conversations.write_conversation(tx, replace(open_one, files_modified=files))
            data = {"path": path, "function": function, "edited": edited}
            tx.emit(Event("file.touched", now, self.session, author=self._place.author, data=data))

    @overload
    def update(self, *, author: str | None = None, at: datetime | None = None) -> AbstractContextManager[Work]: ...

    @overload
    def update(
        self, change: Callable[[Work], object], *, author: str | None = None, at: datetime | None = None
    ) -> State: ...

    def update(
        self, change: Callable[[Work], object] | None = None, *, author: str | None = None, at: datetime | None = None
    ) -> AbstractContextManager[Work] | State:
        """Change the working state, all or nothing, and lose no one else's change.

        As a block, what is done in it is applied to the newest state. A function is run on the newest state itself:
        for changes that depend on what they read."""
        signed = self._place.author if author is None else checked_name("author", author)
        now = checked_time(at, self._place.clock())
        if change is None:
            return self._updating(signed, now)
        with self._lock, self._place.store.transaction(self.scope) as tx:
            work = Work(read_state(tx), author=signed, at=now)
            change(work)
            return change_state(tx, self._place, work.operations, now, signed)

    @contextmanager
    def _updating(self, author: str, now: datetime) -> Iterator[Work]:
        work = Work(self.state, author=author, at=now)
        yield work
        with self._lock, self._place.store.transaction(self.scope) as tx:
            change_state(tx, self._place, work.operations, now, author)

    @property
    def state(self) -> State:
        return read_state(self._place.view)

    @property
    def summary(self) -> str:
        """The open conversation in short."""
        self._fresh(None)
        view = self._place.view
        open_id = read_session(view, self.session).conversation_id
        limit = self.settings.summary_message_limit
        return thread_summary(view.messages(conversation=open_id, last=limit) if open_id else [], self.settings)

    # getting back

    def recall(
        self,
        query: str,
        k: int | None = None,
        *,
        at: datetime | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        speaker: str | None = None,
    ) -> list[Hit]:
        """The memories that fit a query, best first, each with the reason."""
        now = self._fresh(at)
        limit = self.settings.memory_retrieval_limit if k is None else k
        if limit < 1:
            raise InputError(f"k must be at least 1, not {limit}.")
        begin = None if since is None else checked_time(since, now)
        end = None if until is None else checked_time(until, now)
        text = checked_text(query, self.settings.max_message_chars)
        return recalling.recall(
            self._place.view, self._place, text, limit, now, since=begin, until=end, speaker=speaker
        )

    def context(self, about: Turn | str, budget: int | None = None, *, at: datetime | None = None) -> Context:
        """The context for a prompt: never more tokens than the budget, with a reason for each part."""
        now = self._fresh(at if at is not None or isinstance(about, str) else about.at)
        tokens = self.settings.budget if budget is None else budget
        if tokens < 1:
            raise InputError(f"A budget must be at least 1 token, not {tokens}.")
        if isinstance(about, str):
            checked_text(about, self.settings.max_message_chars)
        return recalling.build_context(self._place.view, self._place, about, tokens, self._counter(), now)

    def events(self, since: int | None = None, limit: int | None = None) -> list[Event]:
        """What happened, in order; `since` is the sequence number of the last event that is known."""
        return self._place.view.events(since or 0, limit)

    # conversations

    def conversations(self) -> list[Conversation]:
        """The queue, oldest first, numbered as people may refer to them."""
        self._fresh(None)
        return conversations.queue_of(self._place.view)

    def message(self, id: str) -> Message | None:
        """One stored message."""
        self._fresh(None)
        return self._place.view.message(id)

    @property
    def question(self) -> Question | None:
        """The question that waits for an answer in this session."""
        return read_session(self._place.view, self.session).question

    def conversation(self, name: str) -> Conversation:
        """One conversation with its messages, by id, number or title."""
        self._fresh(None)
        view = self._place.view
        found = conversations.find(view, name)
        return replace(found, messages=tuple(view.messages(conversation=found.id)))

    def current(self) -> Conversation | None:
        """The conversation that this session has open."""
        self._fresh(None)
        view = self._place.view
        open_id = read_session(view, self.session).conversation_id
        return next((c for c in conversations.queue_of(view) if c.id == open_id), None)

    def new(self, title: str | None = None, *, at: datetime | None = None) -> Conversation:
        """End the open conversation and start an empty one."""
        now = checked_time(at, self._place.clock())
        name = "New conversation" if title is None else checked_name("title", title)
        with self._lock, self._place.store.transaction(self.scope) as tx:
            session = hearing.let_stand(tx, self._place, read_session(tx, self.session), now)
            previous = conversations.read_conversation(tx, session.conversation_id)
            if previous is not None and previous.ended is None:
                conversations.end(tx, previous, now, self.session, None)
            made = conversations.start(tx, name, now, self.session, self.settings, titled=title is not None)
            write_session(tx, replace(session, conversation_id=made.id))
            self._follower.clear()
            return conversations.find(tx, made.id)

    def end(self, outcome: Outcome | None = None, *, at: datetime | None = None) -> Conversation:
        """End the open conversation; it stays in the queue."""
        if outcome is not None and outcome not in get_args(Outcome):
            raise InputError(f"Unknown outcome {outcome!r}.", remedy=f"Use one of: {', '.join(get_args(Outcome))}.")
        now = checked_time(at, self._place.clock())
        with self._lock, self._place.store.transaction(self.scope) as tx:
            session = hearing.let_stand(tx, self._place, read_session(tx, self.session), now)
            open_one = conversations.read_conversation(tx, session.conversation_id)
            if open_one is None or open_one.ended is not None:
                raise NotFound("There is no open conversation to end.")
            conversations.end(tx, open_one, now, self.session, outcome)
            write_session(tx, session)
            self._follower.clear()
            return conversations.find(tx, open_one.id)

    def restore(self, name: str, *, at: datetime | None = None) -> Conversation:
        """Go on with an earlier conversation."""
        now = checked_time(at, self._place.clock())
        with self._lock, self._place.store.transaction(self.scope) as tx:
            found = conversations.find(tx, name)
            session = hearing.let_stand(tx, self._place, read_session(tx, self.session), now)
            previous = conversations.read_conversation(tx, session.conversation_id)
            if previous is not None and previous.ended is None and previous.id != found.id:
                conversations.end(tx, previous, now, self.session, None)
            conversations.reopen(tx, found, now, self.session, self.settings)
            write_session(tx, replace(session, conversation_id=found.id))
            self._follower.clear()
            return conversations.find(tx, found.id)

    # the log, files

    def load(self) -> list[dict[str, Any]]:
        """The window: the last messages of the open conversation, as plain records."""
        self._fresh(None)
        return transfer.load(self._place.view, self._place)

    def log(
        self,
        message: str,
        *,
        intent: str,
        session_id: str | None = None,
        context_ref: str | None = None,
        at: datetime | None = None,
    ) -> Message:
        """Write a message to the log as it is told, without understanding it. `session_id` names its conversation."""
        text = checked_text(message, self.settings.max_message_chars)
        checked_name("intent", intent)
        for what, name in (("session id", session_id), ("context reference", context_ref)):
            if name is not None:
                checked_name(what, name)
        now = self._fresh(at)
        self._expire_when_idle()
        with self._lock, self._place.store.transaction(self.scope) as tx:
            return transfer.log(tx, self._place, text, intent, session_id, context_ref, now)

    def clear(self) -> int:
        """Delete the open conversation with all its messages, for good; how many messages that were."""
        now = self._fresh(None)
        with self._lock, self._place.store.transaction(self.scope) as tx:
            self._follower.clear()
            return retention.clear(tx, self._place, now)

    def export(self, path: str | Path, format: transfer.ExportFormat = "anaphora") -> int:
        """Write everything of this scope to a file; how many messages it holds."""
        now = self._fresh(None)
        return transfer.export(self._place.view, self._place, Path(path), format, now)

    def import_file(self, path: str | Path, format: transfer.ExportFormat | None = None) -> Ingested:
        """Take in a file that was exported; all of it, or nothing if it is damaged. Twice is once."""
        with self._lock:
            return transfer.import_file(self._place, Path(path), format, self._place.clock())

    def close(self) -> None:
        """Release the store. Where nothing outlasts the session, what it said is deleted first."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            if self._timer is not None:
                self._timer.cancel()
            self._follower.close()
            if self.settings.retention == "session":
                with self._place.store.transaction(self.scope) as tx:
                    retention.end_session(tx, self._place)
            self._place.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> Literal[False]:
        self.close()
        return False

    # inside

    def _said(
        self,
        role: Role,
        text: str,
        at: datetime | None,
        speaker: str | None,
        id: str | None,
        metadata: Mapping[str, Any] | None,
    ) -> Said:
        default = self.scope.user if role == "user" else self.scope.agent
        return Said(
            text=checked_text(text, self.settings.max_message_chars),
            at=checked_time(at, self._place.clock()),
            speaker=default if speaker is None else checked_name("speaker", speaker),
            id=f"m-{uuid4().hex}" if id is None else checked_name("id", id),
            metadata=checked_metadata(metadata),
        )

    def _incoming(self, message: Message | Mapping[str, Any]) -> tuple[Role, Said]:
        if isinstance(message, Message):
            return message.role, replace(
                self._said(message.role, message.text, message.at, message.speaker, message.id, message.metadata),
                reply_to=message.reply_to,
            )
        if not isinstance(message, Mapping) or "text" not in message:
            raise InputError("A message to ingest is a Message or a mapping with a text.")
        unknown = set(message) - {"text", "role", "at", "speaker", "id", "metadata"}
        role = message.get("role", "user")
        if unknown or role not in ("user", "assistant"):
            wrong = f"has unknown keys {sorted(map(str, unknown))}" if unknown else f"has the unknown role {role!r}"
            raise InputError(f"A message to ingest {wrong}.", remedy="Keys: text, role, at, speaker, id, metadata.")
        keys = ("at", "speaker", "id", "metadata")
        return role, self._said(role, message["text"], *(message.get(k) for k in keys))

    def _ingest(self, batch: list[tuple[Role, Said]], done: Ingested) -> Ingested:
        if not batch:
            return done
        self._expire_when_idle()
        with self._lock, self._place.store.transaction(self.scope) as tx:
            for role, said in batch:
                if tx.message(said.id) is not None:
                    done = replace(done, known=done.known + 1)
                elif role == "user":
                    done = replace(done, heard=done.heard + 1)
                else:
                    done = replace(done, said=done.said + 1)
                (hearing.hear_in if role == "user" else hearing.say_in)(tx, self._place, said)
        return done

    def _fresh(self, at: datetime | None) -> datetime:
        """Now, with what has expired by then gone."""
        now = checked_time(at, self._place.clock())
        retention.expire(self._place, now)
        return now

    def _is_known(self, id: str) -> bool:
        """Whether a message, or the last answer, came with this id."""
        view = self._place.view
        return view.message(id) is not None or read_session(view, self.session).answer_id == id

    def _follow(self, turn: Turn) -> None:
        self._follower.follow(turn)
        self._expire_when_idle()

    def _expire_when_idle(self) -> None:
        """See that messages expire even if nobody asks for them again."""
        limit = self.settings.expire_after
        if limit is None:
            return
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            seconds = min(limit.total_seconds() + 1, threading.TIMEOUT_MAX)
            self._timer = threading.Timer(seconds, self._expire_idle)
            self._timer.daemon = True
            self._timer.start()

    def _expire_idle(self) -> None:
        with self._lock:
            if not self._closed:
                retention.expire(self._place, self._place.clock())
