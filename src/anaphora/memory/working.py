"""The working state: goals, decisions, constraints, files. Changes are operations that can be applied again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar, get_args

from anaphora.errors import BadText, InputError, NotFound
from anaphora.settings import Settings
from anaphora.types import Action, Decision, Entity, FileContext, Goal, GoalStatus, Note, Priority, Signal, State
from anaphora.understanding.redaction import holds_secret, redact

__all__ = ["Operation", "Work", "apply", "merged", "operations_from", "render", "without"]

Operation = Callable[[State], State]
Item = Goal | Action | Decision | Note
T = TypeVar("T")

_LISTS = ("goals", "actions", "decisions", "constraints", "notes", "facts")
_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")
_ENTITIES_KEPT = 30
_FILES_KEPT = 20
_ITEMS_KEPT = 200  # of each list: the state is written anew with each change
_KIND_NAMES = {"file": "files", "function": "functions", "technology": "technologies", "person": "people"}
_ICONS: dict[GoalStatus, str] = {"pending": "⏳", "in-progress": "🔄", "complete": "✅"}


class Work:
    """Collects changes; on a conflict they are applied once more, to the newest state."""

    def __init__(self, state: State, *, author: str, at: datetime, message_id: str | None = None) -> None:
        self.state = state
        self.operations: list[Operation] = []
        self._author = author
        self._at = at
        self._message_id = message_id

    def add_goal(self, text: str, *, priority: Priority = "medium", parent: str | None = None) -> None:
        """`parent` is the id or the text of another goal."""
        said, weight = _clean(text), _one_of("priority", priority, Priority)

        def change(state: State) -> State:
            above = _find(state.goals, parent).id if parent is not None else None
            id = f"goal-{state.made + 1}"
            goal = Goal(id, said, "pending", weight, self._at, self._author, above, self._message_id)
            return _with(state, "goals", goal)

        self._do(change)

    def set_goal(self, goal: str, *, status: GoalStatus | None = None, priority: Priority | None = None) -> None:
        """Change a goal, named by its id or its text."""
        if status is not None:
            _one_of("status", status, GoalStatus)
        if priority is not None:
            _one_of("priority", priority, Priority)

        def change(state: State) -> State:
            old = _find(state.goals, goal)
            new = replace(old, status=status or old.status, priority=priority or old.priority)
            return replace(state, goals=tuple(new if g.id == old.id else g for g in state.goals))

        self._do(change)

    def complete_goal(self, goal: str) -> None:
        self.set_goal(goal, status="complete")

    def decide(self, text: str, *, because: str | None = None) -> None:
        said, reason = _clean(text), None if because is None else _clean(because)

        def change(state: State) -> State:
            item = Decision(f"dec-{state.made + 1}", said, reason, self._at, self._author, self._message_id)
            return _with(state, "decisions", item)

        self._do(change)

    def plan(self, text: str) -> None:
        """Something still to be done."""
        said = _clean(text)

        def change(state: State) -> State:
            item = Action(f"act-{state.made + 1}", said, self._at, self._author, self._message_id)
            return _with(state, "actions", item)

        self._do(change)

    def constrain(self, text: str) -> None:
        self._note("constraints", "con", text)

    def remember(self, text: str) -> None:
        self._note("notes", "note", text)

    def learn(self, text: str, *, speaker: str) -> None:
        """A fact about, or a preference of, a speaker."""
        self._note("facts", "fact", text, speaker)

    def remove(self, item: str) -> None:
        """Take an item out by its id, or mark an action as done."""

        def change(state: State) -> State:
            left = {n: tuple(i for i in getattr(state, n) if i.id != item) for n in _LISTS}
            if all(len(left[n]) == len(getattr(state, n)) for n in _LISTS):
                raise NotFound(f"There is no item {item!r} in the working state.")
            return replace(state, **left)  # type: ignore[arg-type]

        self._do(change)

    def touch(self, path: str, *, function: str | None = None, edited: bool = False) -> None:
        file, inside = _clean(path), _clean(function) if function else None

        def change(state: State) -> State:
            files = (*(f for f in state.files.files if f != file), file)[-_FILES_KEPT:]
            last_edited = file if edited else state.files.last_edited
            return replace(state, files=FileContext(files, last_edited, inside or state.files.current_function))

        self._do(change)

    def see(self, entities: Iterable[Entity]) -> None:
        """Keep the newest entities of each kind."""
        named = [
            (_KIND_NAMES.get(e.kind, "concepts"), e.text) for e in entities if e.role not in ("attribute", "excluded")
        ]

        def change(state: State) -> State:
            kept = dict(state.entities)
            for kind, text in named:
                others = tuple(t for t in kept.get(kind, ()) if t.lower() != text.lower())
                kept[kind] = (*others, text)[-_ENTITIES_KEPT:]
            return replace(state, entities=kept)

        if named:
            self._do(change)

    def _note(self, place: str, prefix: str, text: str, speaker: str | None = None) -> None:
        said = _clean(text)
        if speaker is not None:
            _clean(speaker)
            if holds_secret(speaker):
                raise InputError("The speaker looks like a secret.", remedy="Choose a name that may be stored.")

        def change(state: State) -> State:
            item = Note(f"{prefix}-{state.made + 1}", said, self._at, self._author, self._message_id, speaker)
            return _with(state, place, item)

        self._do(change)

    def _do(self, operation: Operation) -> None:
        self.state = operation(self.state)
        self.operations.append(operation)


def apply(state: State, operations: Iterable[Operation]) -> State:
    for operation in operations:
        state = operation(state)
    return state


def merged(state: State, other: State) -> State:
    """Both together: nothing of `state` changes, what only `other` has is added to it. Twice is once."""
    state = replace(state, made=max(state.made, other.made))
    names: dict[str, str] = {}  # what the ids of `other` are here
    for place in _LISTS:
        for item in getattr(other, place):
            known = next((i for i in getattr(state, place) if _alike(i, item)), None)
            if known is None:
                known = _adopted(state, item, names)
                added = _with(state, place, known)
                state = added if known.id != item.id else replace(added, made=state.made)
            names[item.id] = known.id
    files = tuple(dict.fromkeys((*other.files.files, *state.files.files)))[-_FILES_KEPT:]
    return replace(
        state,
        files=FileContext(
            files,
            state.files.last_edited or other.files.last_edited,
            state.files.current_function or other.files.current_function,
        ),
        entities={
            kind: tuple(dict.fromkeys((*other.entities.get(kind, ()), *state.entities.get(kind, ()))))[-_ENTITIES_KEPT:]
            for kind in {**other.entities, **state.entities}
        },
    )


def operations_from(
    signals: Iterable[Signal],
    entities: Iterable[Entity],
    *,
    author: str,
    speaker: str,
    at: datetime,
    message_id: str,
) -> list[Operation]:
    """What a message changes in the working state by itself."""
    work = Work(State(), author=author, at=at, message_id=message_id)
    for signal in signals:
        if not signal.text.strip():
            continue
        match signal.kind:
            case "goal":
                work.add_goal(signal.text)
            case "decision":
                work.decide(signal.text, because=signal.because or None)
            case "constraint":
                work.constrain(_with_reason(signal))
            case "action":
                work.plan(signal.text)
            case "remember":
                work.remember(signal.text)
            case "fact" | "preference":
                work.learn(_with_reason(signal), speaker=speaker)
            case "completion" | "closing" | "error" | "injection":
                pass
    work.see(entities)
    return work.operations


def _with_reason(signal: Signal) -> str:
    """A note has no place of its own for the reason: it is said with it."""
    return f"{signal.text} because {signal.because}" if signal.because else signal.text


def without(gone: set[str]) -> Operation:
    """What came from messages that are gone goes too."""
    names = ("goals", "actions", "decisions", "constraints", "notes", "facts")

    def change(state: State) -> State:
        left = {n: tuple(i for i in getattr(state, n) if i.message_id not in gone) for n in names}
        return replace(state, **left)  # type: ignore[arg-type]

    return change


def render(state: State, settings: Settings) -> list[tuple[str, list[str]]]:
    """The state as headed lists for a prompt, the most needed first; empty ones are left out."""
    goals = [f"{_ICONS[g.status]} {g.text}" for g in state.goals if g.status != "complete"]
    decisions = [
        d.text + (f" (because {d.because})" if d.because else "")
        for d in (state.decisions[-settings.decisions_shown :] if settings.decisions_shown else ())
    ]
    files = [f + (" (last edited)" if f == state.files.last_edited else "") for f in reversed(state.files.files[-8:])]
    function = [f"in {state.files.current_function}"] if state.files.current_function else []
    sections = [
        ("Active Goals", goals),
        ("Important Constraints", [n.text for n in state.constraints]),
        ("Key Decisions", decisions),
        ("Current Files", files + function),
        ("Pending Actions", [a.text for a in state.actions]),
        ("Remember", [n.text for n in state.notes]),
        ("About the User", _facts(state.facts)),
    ]
    return [(title, lines) for title, lines in sections if lines]


def _facts(facts: tuple[Note, ...]) -> list[str]:
    """Whose they are is said where there are several people."""
    several = len({f.speaker for f in facts}) > 1
    return [f"{f.speaker}: {f.text}" if several and f.speaker else f.text for f in facts]


def _find(goals: tuple[Goal, ...], name: str) -> Goal:
    found = [g for g in goals if g.id == name or g.text.lower() == name.lower()]
    if not found:
        raise NotFound(f"There is no goal {name!r}.")
    return found[-1]


def _with(state: State, place: str, item: Item) -> State:
    """With the item at the end of its list; said before in the same words, it is not kept twice."""
    items: tuple[Item, ...] = getattr(state, place)
    if any(_alike(known, item) for known in items):
        return state
    return replace(state, **{place: _bounded((*items, item))}, made=state.made + 1)  # type: ignore[arg-type]


def _bounded(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """A list that has grown too long lets go of its oldest gathered item (its message still has it), of none set by
    hand, and of no open goal."""
    if len(items) <= _ITEMS_KEPT:
        return items
    for i, item in enumerate(items):
        if item.message_id is not None and (not isinstance(item, Goal) or item.status == "complete"):
            return items[:i] + items[i + 1 :]
    return items


def _alike(known: Item, item: Item) -> bool:
    """The same words, of the same speaker; a goal that was reached can be set again."""
    if isinstance(known, Goal) and isinstance(item, Goal) and known.status == "complete" != item.status:
        return False
    same_speaker = getattr(known, "speaker", None) == getattr(item, "speaker", None)
    return known.text.lower() == item.text.lower() and same_speaker


def _adopted(state: State, item: Item, names: Mapping[str, str]) -> Item:
    """An item of another state as it fits in here: under an id of its own, its parent by the id it has here."""
    if any(item.id == known.id for place in _LISTS for known in getattr(state, place)):
        item = replace(item, id=f"{item.id.rpartition('-')[0]}-{state.made + 1}")
    if isinstance(item, Goal) and item.parent is not None:
        item = replace(item, parent=names.get(item.parent, item.parent))
    return item


def _clean(text: str) -> str:
    """A text that can be kept: something is said, it comes back as it was, and no secret is in it."""
    if not isinstance(text, str) or not text.strip():
        raise BadText(f"An item of the working state is a text that is not empty, not {text!r}.")
    if _UNSTORABLE.search(text):
        raise BadText("An item of the working state holds a NUL or half of a character, which cannot be stored.")
    return redact(text)[0]


def _one_of(what: str, value: T, choices: Any) -> T:
    if value not in get_args(choices):
        raise InputError(f"Unknown {what} {value!r}.", remedy=f"Use one of: {', '.join(get_args(choices))}.")
    return value
