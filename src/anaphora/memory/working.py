"""The working state: goals, decisions, constraints, files. Changes are operations that can be applied again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from anaphora.errors import NotFound
from anaphora.settings import Settings
from anaphora.types import Action, Decision, Entity, FileContext, Goal, GoalStatus, Note, Priority, Signal, State

__all__ = ["Operation", "Work", "apply", "operations_from", "render"]

Operation = Callable[[State], State]
T = TypeVar("T", Goal, Action, Decision, Note)

_ENTITIES_KEPT = 30
_FILES_KEPT = 20
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

        def change(state: State) -> State:
            above = _find(state.goals, parent).id if parent is not None else None
            goal = Goal(
                f"goal-{state.made + 1}", text, "pending", priority, self._at, self._author, above, self._message_id
            )
            return replace(state, goals=_joined(state.goals, goal), made=state.made + 1)

        self._do(change)

    def set_goal(self, goal: str, *, status: GoalStatus | None = None, priority: Priority | None = None) -> None:
        """Change a goal, named by its id or its text."""

        def change(state: State) -> State:
            old = _find(state.goals, goal)
            new = replace(old, status=status or old.status, priority=priority or old.priority)
            return replace(state, goals=tuple(new if g.id == old.id else g for g in state.goals))

        self._do(change)

    def complete_goal(self, goal: str) -> None:
        self.set_goal(goal, status="complete")

    def decide(self, text: str, *, because: str | None = None) -> None:
        def change(state: State) -> State:
            item = Decision(f"dec-{state.made + 1}", text, because, self._at, self._author, self._message_id)
            return replace(state, decisions=_joined(state.decisions, item), made=state.made + 1)

        self._do(change)

    def plan(self, text: str) -> None:
        """Something still to be done."""

        def change(state: State) -> State:
            item = Action(f"act-{state.made + 1}", text, self._at, self._author, self._message_id)
            return replace(state, actions=_joined(state.actions, item), made=state.made + 1)

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
            names = ("goals", "actions", "decisions", "constraints", "notes", "facts")
            left = {n: tuple(i for i in getattr(state, n) if i.id != item) for n in names}
            if all(len(left[n]) == len(getattr(state, n)) for n in names):
                raise NotFound(f"There is no item {item!r} in the working state.")
            return replace(state, **left)  # type: ignore[arg-type]

        self._do(change)

    def touch(self, path: str, *, function: str | None = None, edited: bool = False) -> None:
        def change(state: State) -> State:
            files = (*(f for f in state.files.files if f != path), path)[-_FILES_KEPT:]
            last_edited = path if edited else state.files.last_edited
            return replace(state, files=FileContext(files, last_edited, function or state.files.current_function))

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
        def change(state: State) -> State:
            item = Note(f"{prefix}-{state.made + 1}", text, self._at, self._author, self._message_id, speaker)
            return replace(state, **{place: _joined(getattr(state, place), item)}, made=state.made + 1)  # type: ignore[arg-type]

        self._do(change)

    def _do(self, operation: Operation) -> None:
        self.state = operation(self.state)
        self.operations.append(operation)


def apply(state: State, operations: Iterable[Operation]) -> State:
    for operation in operations:
        state = operation(state)
    return state


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
        match signal.kind:
            case "goal":
                work.add_goal(signal.text)
            case "decision":
                work.decide(signal.text, because=signal.because)
            case "constraint":
                work.constrain(signal.text)
            case "action":
                work.plan(signal.text)
            case "remember":
                work.remember(signal.text)
            case "fact" | "preference":
                work.learn(signal.text, speaker=speaker)
            case "completion" | "closing" | "error":
                pass
    work.see(entities)
    return work.operations


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
        ("About the User", [n.text for n in state.facts]),
    ]
    return [(title, lines) for title, lines in sections if lines]


def _find(goals: tuple[Goal, ...], name: str) -> Goal:
    found = [g for g in goals if g.id == name or g.text.lower() == name.lower()]
    if not found:
        raise NotFound(f"There is no goal {name!r}.")
    return found[-1]


def _joined(items: tuple[T, ...], item: T) -> tuple[T, ...]:
    """With the item at the end; said before in the same words, it is not kept twice."""
    if any(i.text.lower() == item.text.lower() for i in items):
        return items
    return items + (item,)  # noqa: RUF005 - unpacking loses the type
