"""Memory: the one object that a program talks to. Each method checks what comes in and hands it to its room."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, get_args, overload

from anaphora.engine import (
    conversations,
    forgetting,
    hearing,
    ingesting,
    intents,
    recalling,
    retention,
    steering,
    transfer,
)
from anaphora.engine.checks import (
    checked_id_or_none,
    checked_label,
    checked_name,
    checked_path,
    checked_text,
    checked_time,
    checked_title,
)
from anaphora.engine.follow import Follower
from anaphora.engine.place import Place, change_state, read_state
from anaphora.engine.sessions import read_session
from anaphora.errors import InputError, StoreError
from anaphora.light import LightContext
from anaphora.memory.summary import thread_summary
from anaphora.memory.working import Work
from anaphora.ports import TokenCounter, Transaction
from anaphora.settings import Settings
from anaphora.stores.forks import watch_forks
from anaphora.types import (
    Context,
    Conversation,
    Event,
    Forgotten,
    Hit,
    Ingested,
    Message,
    Outcome,
    OwnIntent,
    Question,
    Scope,
    State,
    Turn,
)

__all__ = ["Memory"]


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
        watch_forks(self)

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
        said = ingesting.checked_said(self._place, "user", text, at, speaker, id, metadata)
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
        said = ingesting.checked_said(self._place, "assistant", text, at, None, id, metadata)
        said = replace(said, reply_to=checked_id_or_none(reply_to))
        with self._lock:
            return hearing.say(self._place, said)

    def answer(self, text: str, question: Question | str | None = None, *, at: datetime | None = None) -> Turn:
        """Answer the open question by letter, number or in words; a text that is no answer is heard as a message."""
        checked_text(text, self.settings.max_message_chars)
        id = question.id if isinstance(question, Question) else question
        with self._lock:
            now = self._fresh(at)
            turn = self._place.change(lambda tx: hearing.answer_in(tx, self._place, text, id, now))
            if turn is None:
                return self.hear(text, at=now)
            self._follow(turn)
            return turn

    def ingest(self, messages: Iterable[Message | Mapping[str, Any]]) -> Ingested:
        """Many at once, each through the same pass: mappings with text and, if known, role, at, speaker, id."""
        done = Ingested()
        for batch in ingesting.batches(self._place, messages):
            self._expire_when_idle()
            with self._lock:
                done = self._place.change(partial(ingesting.take, place=self._place, batch=batch, done=done))
        return done

    # intents of one's own

    def define_intent(self, name: str, examples: Iterable[str], route: str | None = None) -> OwnIntent:
        """Teach an intent by 3 to 20 examples of what people say when they want it; again, and it is taught anew."""
        intent = intents.checked_intent(name, examples, route)
        with self._lock:
            return intents.define(self._place, intent, self._place.clock())

    @property
    def intents(self) -> tuple[OwnIntent, ...]:
        """The intents that were taught in this scope; the seven that are built in are not among them."""
        return intents.own_intents(self._place.view)

    def drop_intent(self, name: str) -> None:
        """Let go of an intent that was taught."""
        with self._lock:
            intents.drop(self._place, name, self._place.clock())

    # what is worked on

    def touch(
        self, path: str, *, function: str | None = None, edited: bool = False, at: datetime | None = None
    ) -> None:
        """Say which file, and which function of it, is worked on now."""
        path = checked_path(path)
        function = None if function is None else checked_label("function", function)
        now = checked_time(at, self._place.clock())
        with self._lock:
            self._place.change(lambda tx: steering.touch(tx, self._place, path, function, now, edited=edited))

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

        def run(tx: Transaction) -> State:
            work = Work(read_state(tx), author=signed, at=now)
            change(work)
            return change_state(tx, self._place, work.operations, now, signed)

        with self._lock:
            return self._place.change(run)

    @contextmanager
    def _updating(self, author: str, now: datetime) -> Iterator[Work]:
        work = Work(self.state, author=author, at=now)
        yield work
        with self._lock:
            self._place.change(lambda tx: change_state(tx, self._place, work.operations, now, author))

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
        if not isinstance(limit, int) or limit < 1:
            raise InputError(f"k must be at least 1, not {limit!r}.")
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
        if not isinstance(tokens, int) or tokens < 1:
            raise InputError(f"A budget must be at least 1 token, not {tokens!r}.")
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
        name = "New conversation" if title is None else checked_title(title)
        return self._steer(lambda tx: steering.begin(tx, self._place, name, now, titled=title is not None))

    def end(self, outcome: Outcome | None = None, *, at: datetime | None = None) -> Conversation:
        """End the open conversation; it stays in the queue."""
        if outcome is not None and outcome not in get_args(Outcome):
            raise InputError(f"Unknown outcome {outcome!r}.", remedy=f"Use one of: {', '.join(get_args(Outcome))}.")
        now = checked_time(at, self._place.clock())
        return self._steer(lambda tx: steering.finish(tx, self._place, outcome, now))

    def restore(self, name: str, *, at: datetime | None = None) -> Conversation:
        """Go on with an earlier conversation."""
        now = checked_time(at, self._place.clock())
        return self._steer(lambda tx: steering.restore(tx, self._place, name, now))

    def _steer(self, work: Callable[[Transaction], Conversation]) -> Conversation:
        with self._lock:
            conversation = self._place.change(work)
            self._follower.clear()
            return conversation

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
        intent = checked_label("intent", intent)
        session_id = None if session_id is None else checked_name("session id", session_id)
        context_ref = None if context_ref is None else checked_label("context reference", context_ref)
        now = self._fresh(at)
        self._expire_when_idle()
        with self._lock:
            return self._place.change(
                lambda tx: transfer.log(tx, self._place, text, intent, session_id, context_ref, now)
            )

    def clear(self) -> int:
        """Delete the open conversation with all its messages, for good; how many messages that were."""
        now = self._fresh(None)
        with self._lock:
            self._follower.clear()
            return self._place.change(lambda tx: retention.clear(tx, self._place, now))

    def forget(self, *, message: str | None = None, conversation: str | None = None, user: bool = False) -> Forgotten:
        """Forget one message, one conversation, or everything of this user in all agents and projects: out of the
        rows, the index, the vectors, what was gathered from them, free pages and logs. `notes` name what may still
        hold it, such as backups."""
        if (message is not None) + (conversation is not None) + user != 1:
            raise InputError("Say what to forget: a message, a conversation, or the user.")
        now = self._place.clock()
        place = self._place
        with self._lock:
            self._follower.clear()
            scopes, count = 0, 0
            if message is not None:
                count = place.change(lambda tx: forgetting.forget_message(tx, place, message, now))
            elif conversation is not None:
                count = place.change(lambda tx: forgetting.forget_conversation(tx, place, conversation, now))
            else:
                scopes, count = forgetting.forget_user(place)
            return Forgotten(count, scopes, tuple(place.store.scrub()))

    def export(self, path: str | Path, format: transfer.ExportFormat = "anaphora", *, whole_user: bool = False) -> int:
        """Write everything of this scope, or of this user in all agents and projects, to a file; how many messages it
        holds."""
        now = self._fresh(None)
        if whole_user:
            return transfer.export_user(self._place, Path(path), format, now)
        return transfer.export(self._place, Path(path), format, now)

    def verify(self) -> list[str]:
        """What is wrong with this scope in the store, in words; empty if it is whole."""
        return self._place.store.verify(self.scope)

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
                self._place.change(lambda tx: retention.end_session(tx, self._place))
            self._place.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> Literal[False]:
        self.close()
        return False

    # around a fork

    def pause(self) -> None:
        """The store waits for what is half done; here there is nothing to wait for."""

    def resume(self) -> None: ...

    def leave_to_parent(self) -> None:
        """In a forked child: the lock may be held by a thread that is not there."""
        self._lock = threading.RLock()
        self._follower.leave_to_parent()

    # inside

    def _fresh(self, at: datetime | None) -> datetime:
        """Now, with what has expired by then gone."""
        now = checked_time(at, self._place.clock())
        retention.expire(self._place, min(now, self._place.clock()))  # asking about the future deletes nothing
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
            if self._closed:
                return
            try:
                retention.expire(self._place, self._place.clock())
            except StoreError:  # busy or out of reach: the next time then, or the next use
                self._expire_when_idle()
