"""Conversations: the queue, the open one, and steering by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from typing import get_args

from anaphora.engine import archiving, conversations, steering
from anaphora.engine.checks import checked_each, checked_key, checked_label, checked_time, checked_title
from anaphora.engine.facets.base import Base
from anaphora.engine.sessions import read_session
from anaphora.engine.traces import fragments_of, read_compaction
from anaphora.errors import InputError
from anaphora.memory.compaction import Compaction
from anaphora.ports import Transaction
from anaphora.types import Conversation, Fragment, Message, Outcome, Question

__all__ = ["Conversing"]

_REPLIES = 50  # so many in a row may follow on a user's message


class Conversing(Base):
    """List, show, begin, end, restore."""

    def conversations(self) -> list[Conversation]:
        """The queue, oldest first, numbered as people may refer to them."""
        self._fresh(None)
        return conversations.queue_of(self._place.view)

    def message(self, id: str) -> Message | None:
        """One stored message."""
        checked_key("id", id)
        self._fresh(None)
        return self._place.view.message(id)

    def last_heard(self) -> Message | None:
        """The user's last message in this session."""
        self._fresh(None)
        said = self._place.view.messages(session=self.session, last=_REPLIES)
        return next((m for m in reversed(said) if m.role == "user"), None)

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
        """Go on with an earlier conversation; it comes with its last ten messages."""
        now = checked_time(at, self._place.clock())
        return self._steer(lambda tx: steering.restore(tx, self._place, name, now))

    def rename(self, name: str, title: str) -> Conversation:
        """Give a conversation another title."""
        title = checked_title(title)
        with self._lock:
            now = self._place.clock()
            return self._place.change(lambda tx: steering.rename(tx, self._place, name, title, now))

    def tag(self, name: str, *tags: str, remove: Iterable[str] = ()) -> Conversation:
        """Add tags to a conversation, and take others away."""
        add = [checked_label("tag", tag) for tag in tags]
        drop = [checked_key("tag", tag) for tag in checked_each("remove", remove, "tags")]
        with self._lock:
            now = self._place.clock()
            return self._place.change(lambda tx: steering.tag(tx, self._place, name, add, drop, now))

    def archive(self, title: str | None = None, *, at: datetime | None = None) -> Fragment:
        """Keep what the open conversation came to as a fragment in long-term memory; again, and it is brought up to
        date. The conversation goes on."""
        now = checked_time(at, self._place.clock())
        name = None if title is None else checked_title(title)
        with self._lock:
            return archiving.archive(self._place, name, now)

    def fragments(self) -> list[Fragment]:
        """What was archived, in the order of its making."""
        return fragments_of(self._place.view)

    def fragment(self, name: str) -> Fragment:
        """One fragment, by id or title."""
        return archiving.find_fragment(self._place, checked_key("name of a fragment", name))

    def compaction(self, name: str) -> Compaction:
        """How far a conversation has been compacted, and which messages stand behind which summary."""
        view = self._place.view
        return read_compaction(view, conversations.find(view, name).id)

    def _steer(self, work: Callable[[Transaction], Conversation]) -> Conversation:
        with self._lock:
            conversation = self._place.change(work)
            self._follower.clear()
            return conversation
