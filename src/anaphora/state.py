"""The values of the working state: what is being worked on, decided, demanded and known; part of `anaphora.types`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

__all__ = [
    "Action",
    "Decision",
    "FileContext",
    "Goal",
    "GoalStatus",
    "Note",
    "Priority",
    "State",
    "Undone",
]

GoalStatus = Literal["pending", "in-progress", "complete", "dropped"]
Priority = Literal["high", "medium", "low"]


@dataclass(frozen=True, slots=True)
class Goal:
    """What is to be reached; one that is "dropped" was given up, and not reached."""

    id: str
    text: str
    status: GoalStatus
    priority: Priority
    created: datetime
    author: str
    parent: str | None = None
    message_id: str | None = None
    closed_by: str | None = None  # the message that said it is done, or dropped

    @property
    def open(self) -> bool:
        return self.status in ("pending", "in-progress")


@dataclass(frozen=True, slots=True)
class Decision:
    """Something that was decided; `superseded_by` is the id of the decision that takes its place, of the constraint
    that forbids it, or of the message that takes it back."""

    id: str
    text: str
    because: str | None
    at: datetime
    author: str
    message_id: str | None = None
    superseded_by: str | None = None

    @property
    def open(self) -> bool:
        return self.superseded_by is None


@dataclass(frozen=True, slots=True)
class Action:
    """Something to be done; `done` says when it was, `dropped` since when it need not be done."""

    id: str
    text: str
    at: datetime
    author: str
    message_id: str | None = None
    done: datetime | None = None
    closed_by: str | None = None  # the message that said it is done, or dropped
    dropped: datetime | None = None

    @property
    def open(self) -> bool:
        return self.done is None and self.dropped is None


@dataclass(frozen=True, slots=True)
class Note:
    """A constraint to respect, a thing to remember, or a fact or preference of `speaker`.

    What has been replaced by something newer is past: `until` says since when, `replaced_by` is the newer one's id, or
    that of the message that takes it back."""

    id: str
    text: str
    at: datetime
    author: str
    message_id: str | None = None
    speaker: str | None = None
    until: datetime | None = None
    replaced_by: str | None = None

    @property
    def open(self) -> bool:
        return self.until is None


@dataclass(frozen=True, slots=True)
class FileContext:
    files: tuple[str, ...] = ()
    last_edited: str | None = None
    current_function: str | None = None


@dataclass(frozen=True, slots=True)
class State:
    """The working state of a scope, shared by all its sessions and authors."""

    goals: tuple[Goal, ...] = ()
    actions: tuple[Action, ...] = ()
    decisions: tuple[Decision, ...] = ()
    constraints: tuple[Note, ...] = ()
    notes: tuple[Note, ...] = ()
    facts: tuple[Note, ...] = ()
    files: FileContext = field(default_factory=FileContext)
    entities: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    undone: tuple[str, ...] = ()  # marks of items that were taken back, so that nothing brings them in again
    made: int = 0  # items ever made, so that an id is never used twice
    version: int = 0


@dataclass(frozen=True, slots=True)
class Undone:
    """What `undo` did: the items that it took back, and those that stand again, each by its text."""

    removed: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
