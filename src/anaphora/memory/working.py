"""Changes of the working state, by hand and by what is said, as operations that can be applied again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar, get_args

from anaphora.errors import BadText, InputError
from anaphora.memory.completing import completed, started
from anaphora.memory.deciding import said_again, with_decision
from anaphora.memory.dropping import given_up, refused
from anaphora.memory.facts import left_for, topic_of, with_fact
from anaphora.memory.items import (
    ENTITIES_KEPT,
    FILES_KEPT,
    Item,
    Operation,
    closed_by,
    find_item,
    items_of,
    kind_of,
    swapped,
    taken_out,
    tasks_of,
    with_item,
)
from anaphora.memory.items import KINDS as LIST_OF
from anaphora.memory.ruling import with_constraint, without_withdrawn
from anaphora.types import Action, Decision, Entity, FileContext, Goal, GoalStatus, Note, Priority, State
from anaphora.understanding.patterns import expression
from anaphora.understanding.redaction import holds_secret, redact
from anaphora.understanding.text import says_nothing
from anaphora.understanding.values import same_but_for_values

__all__ = ["Work", "apply"]

T = TypeVar("T")

_UNSTORABLE = expression(r"[\x00\ud800-\udfff]")
_KIND_NAMES = {"file": "files", "function": "functions", "technology": "technologies", "person": "people"}


class Work:
    """Collects changes; on a conflict they are applied once more, to the newest state. An item is named by its id, its
    text, or words of it that fit no other."""

    def __init__(self, state: State, *, author: str, at: datetime, message_id: str | None = None) -> None:
        self.state = state
        self.operations: list[Operation] = []
        self._author = author
        self._at = at
        self._message_id = message_id

    # goals and actions

    def add_goal(self, text: str, *, priority: Priority = "medium", parent: str | None = None) -> None:
        """`parent` names another goal."""
        said, weight = _clean(text), _one_of("priority", priority, Priority)
        self._do(lambda state: self._with_goal(state, said, weight, parent, "pending"))

    def set_goal(
        self,
        goal: str,
        *,
        status: GoalStatus | None = None,
        priority: Priority | None = None,
        text: str | None = None,
        parent: str | None = None,
    ) -> None:
        """Change a goal; what is not given stays. A `parent` of "" puts it at the top."""
        if status is not None:
            _one_of("status", status, GoalStatus)
        if priority is not None:
            _one_of("priority", priority, Priority)
        said = None if text is None else _clean(text)

        def change(state: State) -> State:
            old = _goal(state, goal)
            new = replace(old, status=status or old.status, priority=priority or old.priority, text=said or old.text)
            if status is not None and status != old.status:
                new = replace(new, closed_by=None if new.open else self._message_id)
            if parent is not None:
                new = replace(new, parent=_above(state, old, parent))
            return swapped(state, "goals", new)

        self._do(change)

    def complete_goal(self, goal: str) -> None:
        self.set_goal(goal, status="complete")

    def take_up(self, text: str) -> None:
        """A goal that was spoken of: one that somebody says to be working on is in progress."""
        said = _clean(text)

        def change(state: State) -> State:
            busy = started(said, state.goals)
            if busy is not None:
                return swapped(state, "goals", replace(busy, status="in-progress"))
            return self._with_goal(state, said, "medium", None, "pending")

        self._do(change)

    def plan(self, text: str) -> None:
        """Something still to be done."""
        said = _clean(text)

        def change(state: State) -> State:
            item = Action(f"act-{state.made + 1}", said, self._at, self._author, self._message_id)
            return self._put(state, "actions", item)

        self._do(change)

    def complete(self, item: str) -> None:
        """A goal is reached, an action is done."""
        self._do(lambda state: self._closed(state, find_item(state, item, ("goals", "actions"), what="goal or action")))

    def drop(self, item: str) -> None:
        """A goal or an action is given up: neither open nor done."""

        def change(state: State) -> State:
            task = find_item(state, item, ("goals", "actions"), what="goal or action")
            return self._dropped(state, [task] if isinstance(task, Goal | Action) else [])

        self._do(change)

    def close_what(self, said: str) -> None:
        """Complete what "done with the login page" speaks of, where that is clear."""
        words = _clean(said)

        def change(state: State) -> State:
            for task in completed(words, tasks_of(state)):
                state = self._closed(state, task)
            return state

        self._do(change)

    # decisions, constraints, notes, facts

    def decide(self, text: str, *, because: str | None = None, instead_of: str | None = None) -> None:
        """Where it clearly answers what an older decision answered, that one is superseded; so is the one that it is
        said to be `instead_of`."""
        said, reason = _clean(text), None if because is None else _clean(because)

        def change(state: State) -> State:
            item = Decision(f"dec-{state.made + 1}", said, reason, self._at, self._author, self._message_id)
            grown = self._put(state, "decisions", item)
            if grown is state:
                return said_again(state, item)
            settled = _corrected(with_decision(grown, item), "decisions", item, instead_of)
            settled = replace(settled, facts=left_for(settled.facts, item))
            return self._dropped(settled, refused(said, tasks_of(settled)))

        self._do(change)

    def constrain(self, text: str, *, instead_of: str | None = None) -> None:
        """Where it forbids what was decided, that decision is superseded; where it says another thing of what a
        constraint is about, that one is past, as is the one that it is said to be `instead_of`."""
        said = _clean(text)

        def change(state: State) -> State:
            item = Note(f"con-{state.made + 1}", said, self._at, self._author, self._message_id)
            grown = self._put(state, "constraints", item)
            if grown is state:
                return state
            return _corrected(with_constraint(with_decision(grown, item), item), "constraints", item, instead_of)

        self._do(change)

    def withdraw(self, said: str) -> None:
        """What "you may commit to main now" or "forget the decision about Redis" speaks of no longer holds, and what
        "forget about the dashboard" speaks of is no longer wanted, where it is clear which that is."""

        def change(state: State) -> State:
            left = without_withdrawn(state, said, self._at, self._message_id)
            return self._dropped(left, given_up(said, tasks_of(left)))

        self._do(change)

    def remember(self, text: str, *, instead_of: str | None = None) -> None:
        """What was to be remembered in the same words of another day is past, as is what it is said to be
        `instead_of`."""
        said = _clean(text)

        def change(state: State) -> State:
            item = Note(f"note-{state.made + 1}", said, self._at, self._author, self._message_id)
            grown = self._put(state, "notes", item)
            if grown is state:
                return state
            for known in state.notes:
                if known.open and same_but_for_values(said, known.text, dates=True):
                    grown = _corrected(grown, "notes", item, known.text)
            return _corrected(grown, "notes", item, instead_of)

        self._do(change)

    def learn(self, text: str, *, speaker: str, instead_of: str | None = None) -> None:
        """A fact about, or a preference of, a speaker; an older one on the same topic is past from now on, as is that
        which it is said to be `instead_of`."""
        said = _clean(text)
        _clean(speaker)
        if holds_secret(speaker):
            raise InputError("The speaker looks like a secret.", remedy="Choose a name that may be stored.")

        def change(state: State) -> State:
            fact = Note(f"fact-{state.made + 1}", said, self._at, self._author, self._message_id, speaker)
            grown = self._put(state, "facts", fact)
            return state if grown is state else _corrected(_settled(grown, fact), "facts", fact, instead_of)

        self._do(change)

    # any item

    def change(self, item: str, *, text: str | None = None, because: str | None = None) -> None:
        """Say an item in other words, or give a decision another reason."""
        said, reason = None if text is None else _clean(text), None if because is None else _clean(because)

        def change(state: State) -> State:
            old = find_item(state, item)
            if reason is not None and not isinstance(old, Decision):
                raise InputError(f"{old.id} is no decision and has no reason.", remedy="Leave out the reason.")
            new: Item = replace(old, text=said or old.text)
            if isinstance(new, Decision):
                new = replace(new, because=reason or new.because)
            return swapped(state, LIST_OF[kind_of(state, old)], new)

        self._do(change)

    def remove(self, item: str) -> None:
        """Take an item out; what it had replaced stands again, and nothing brings it in again but who says it anew."""
        self._do(lambda state: taken_out(state, [find_item(state, item)]))

    def undo(self, name: str) -> None:
        """Take back an item, or all that a message changed, by its id: what it brought in goes, what it had replaced
        or completed stands again."""

        def change(state: State) -> State:
            made = [i for i in items_of(state) if i.message_id == name]
            closed = [i for i in items_of(state) if closed_by(i) == name]
            if not made and (not closed or any(i.id == name for i in items_of(state))):
                return taken_out(state, [find_item(state, name)])
            for task in tasks_of(state):
                state = _reopened(state, task) if task.closed_by == name else state
            return taken_out(state, made, closed_by={name})

        self._do(change)

    # files and entities

    def touch(self, path: str, *, function: str | None = None, edited: bool = False) -> None:
        """What is worked on; a file that is edited next is worked on in no function until one is named."""
        file, inside = _clean(path), _clean(function) if function else None

        def change(state: State) -> State:
            files = (*(f for f in state.files.files if f != file), file)[-FILES_KEPT:]
            moved_on = edited and state.files.last_edited not in (None, file)
            last_edited = file if edited else state.files.last_edited
            current = inside or (None if moved_on else state.files.current_function)
            return replace(state, files=FileContext(files, last_edited, current))

        self._do(change)

    def see(self, entities: Iterable[Entity]) -> None:
        """Keep the newest entities of each kind."""
        seen = list(entities) if isinstance(entities, Iterable) else [entities]
        if not all(isinstance(entity, Entity) for entity in seen):
            raise InputError("`entities` must be several Entity values, such as those of a turn.")
        named: dict[str, dict[str, str]] = {}  # of each kind, by their small letters
        for entity in seen:
            if entity.role not in ("attribute", "excluded"):
                newest = named.setdefault(_KIND_NAMES.get(entity.kind, "concepts"), {})
                low = entity.text.lower()
                newest.pop(low, None)
                newest[low] = entity.text

        def change(state: State) -> State:
            kept = dict(state.entities)
            for kind, newest in named.items():
                others = (text for text in kept.get(kind, ()) if text.lower() not in newest)
                kept[kind] = (*others, *newest.values())[-ENTITIES_KEPT:]
            return replace(state, entities=kept)

        if named:
            self._do(change)

    # inside

    def _with_goal(self, state: State, said: str, priority: Priority, parent: str | None, status: GoalStatus) -> State:
        above = _goal(state, parent).id if parent is not None else None
        id = f"goal-{state.made + 1}"
        goal = Goal(id, said, status, priority, self._at, self._author, above, self._message_id)
        return self._put(state, "goals", goal)

    def _closed(self, state: State, task: Item) -> State:
        if isinstance(task, Goal):
            return swapped(state, "goals", replace(task, status="complete", closed_by=self._message_id))
        assert isinstance(task, Action)
        return swapped(state, "actions", replace(task, done=task.done or self._at, closed_by=self._message_id))

    def _dropped(self, state: State, tasks: Iterable[Goal | Action]) -> State:
        for task in tasks:
            if isinstance(task, Goal):
                state = swapped(state, "goals", replace(task, status="dropped", closed_by=self._message_id))
            else:
                state = swapped(state, "actions", replace(task, dropped=self._at, closed_by=self._message_id))
        return state

    def _put(self, state: State, place: str, item: Item) -> State:
        return with_item(state, place, item, by_hand=self._message_id is None)

    def _do(self, operation: Operation) -> None:
        self.state = operation(self.state)
        self.operations.append(operation)


def apply(state: State, operations: Iterable[Operation]) -> State:
    for operation in operations:
        state = operation(state)
    return state


def _settled(grown: State, fact: Note) -> State:
    """The older facts on the topic of the newest one are past; so is what was to be remembered in their words."""
    facts = with_fact(grown.facts[:-1], fact)
    past = {
        (f.message_id or f.id, topic_of(f.text)): f
        for old, f in zip(grown.facts, facts, strict=True)
        if old.open and not f.open
    }
    notes = []
    for note in grown.notes:
        gone = past.get((note.message_id or note.id, topic_of(note.text))) if past and note.open else None
        notes.append(note if gone is None else replace(note, until=gone.until, replaced_by=gone.replaced_by))
    return replace(grown, facts=facts, notes=tuple(notes))


def _corrected(state: State, place: str, item: Decision | Note, older: str | None) -> State:
    """The state in which the item has taken the place of what was said in these words."""
    same = "" if older is None else older.lower()
    for known in items_of(state, (place,)):
        said = known.text.lower()
        fits = same and known.open and known.id != item.id and (said == same or said.startswith(f"{same} because "))
        if fits and isinstance(known, Decision) and known.at <= item.at:
            state = swapped(state, place, replace(known, superseded_by=item.id))
        elif fits and isinstance(known, Note) and isinstance(item, Note) and known.at <= item.at:
            mine = known.speaker == item.speaker
            state = swapped(state, place, replace(known, until=item.at, replaced_by=item.id)) if mine else state
    return state


def _reopened(state: State, task: Goal | Action) -> State:
    if isinstance(task, Goal):
        return swapped(state, "goals", replace(task, status="pending", closed_by=None))
    return swapped(state, "actions", replace(task, done=None, dropped=None, closed_by=None))


def _goal(state: State, name: str) -> Goal:
    found = find_item(state, name, ("goals",), what="goal")
    assert isinstance(found, Goal)
    return found


def _above(state: State, goal: Goal, parent: str) -> str | None:
    """The id of the goal above; none for "", and never one that stands below the goal itself."""
    if not parent:
        return None
    found: Goal | None = _goal(state, parent)
    above = found.id if found is not None else None
    by_id = {g.id: g for g in state.goals}
    while found is not None:
        if found.id == goal.id:
            raise InputError(f"{goal.id} cannot stand below itself.", remedy="Name another goal.")
        found = by_id.get(found.parent or "")
    return above


def _clean(text: str) -> str:
    """A text that can be kept: something is said, it comes back as it was, and no secret is in it."""
    if not isinstance(text, str) or says_nothing(text):
        raise BadText(f"An item of the working state is a text that is not empty, not {text!r}.")
    if _UNSTORABLE.search(text):
        raise BadText("An item of the working state holds a NUL or half of a character, which cannot be stored.")
    return redact(text)[0]


def _one_of(what: str, value: T, choices: Any) -> T:
    if value not in get_args(choices):
        raise InputError(f"Unknown {what} {value!r}.", remedy=f"Use one of: {', '.join(get_args(choices))}.")
    return value
