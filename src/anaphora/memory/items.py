"""The items of the working state as lists: put in, found by a name, taken out, merged; pure functions of a state."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from hashlib import blake2b

from anaphora.errors import InputError, NotFound
from anaphora.memory.facts import settle
from anaphora.memory.summary import cut
from anaphora.types import Action, Decision, FileContext, Goal, Note, State

__all__ = [
    "ENTITIES_KEPT",
    "FILES_KEPT",
    "KINDS",
    "LISTS",
    "Item",
    "Operation",
    "closed_by",
    "find_item",
    "is_done",
    "items_of",
    "kind_of",
    "mark_of",
    "merged",
    "swapped",
    "taken_out",
    "tasks_of",
    "was_undone",
    "with_item",
    "without",
]

Operation = Callable[[State], State]
Item = Goal | Action | Decision | Note

KINDS: Mapping[str, str] = {  # what one is called, and the list it stands in
    "goal": "goals",
    "action": "actions",
    "decision": "decisions",
    "constraint": "constraints",
    "note": "notes",
    "fact": "facts",
}
LISTS = tuple(KINDS.values())
ENTITIES_KEPT = 30
FILES_KEPT = 20
_ITEMS_KEPT = 200  # of each list: the state is written anew with each change
_MARKS_KEPT = 400
_NAMED = 3  # items that an unclear name is told to stand for
_TOLD = 80  # characters of a name or a text in an error


def items_of(state: State, lists: Iterable[str] = LISTS) -> list[Item]:
    """Every item of the lists, list by list."""
    return [item for name in lists for item in getattr(state, name)]


def tasks_of(state: State) -> list[Goal | Action]:
    """What can be done: goals and actions."""
    return [*state.goals, *state.actions]


def is_done(task: Goal | Action) -> bool:
    """Whether it was reached or done, and not dropped."""
    return task.status == "complete" if isinstance(task, Goal) else task.done is not None


def closed_by(item: Item) -> str | None:
    """The id of the message that completed or withdrew it, or of the item that took its place."""
    if isinstance(item, Decision):
        return item.superseded_by
    return item.replaced_by if isinstance(item, Note) else item.closed_by


def kind_of(state: State, item: Item) -> str:
    """What the item is called: goal, action, …"""
    return next(kind for kind, name in KINDS.items() if any(i.id == item.id for i in getattr(state, name)))


def find_item(state: State, name: str, lists: Iterable[str] = LISTS, *, what: str = "item") -> Item:
    """By its id, its text, or words of it that fit only one; the newest where several have the very same text."""
    if not isinstance(name, str) or not name.strip():
        raise InputError(f"Name the {what} by its id or its text, not {name!r}.")
    items = items_of(state, lists)
    low = " ".join(name.lower().split())
    same = [i for i in items if i.id == name.strip()] or [i for i in items if " ".join(i.text.lower().split()) == low]
    if same:
        return next((i for i in reversed(same) if i.open), same[-1])
    words = set(_words(name))
    fitting = [i for i in items if words and words <= set(_words(i.text))]
    fitting = [i for i in fitting if i.open] or fitting
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        meant = "; ".join(f"{i.id} “{cut(i.text, _TOLD)}”" for i in fitting[:_NAMED])
        raise InputError(f"{cut(name, _TOLD)!r} fits {len(fitting)} items: {meant}.", remedy="Use the id.")
    raise NotFound(f"There is no {what} {cut(name, _TOLD)!r} in the working state.", remedy=_nearest(low, items))


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())


def _nearest(low: str, items: Iterable[Item]) -> str | None:
    from difflib import get_close_matches

    by_text = {i.text.lower(): i for i in items}
    near = get_close_matches(low[:200], by_text, n=1, cutoff=0.5)
    return f"Did you mean {by_text[near[0]].id} “{cut(by_text[near[0]].text, _TOLD)}”?" if near else None


# --- in and out ---------------------------------------------------------------------------------------------------


def with_item(state: State, place: str, item: Item, *, by_hand: bool = False) -> State:
    """With the item at the end of its list. Said before in the same words it is not kept twice; taken back before it
    stays away, unless someone adds it by hand."""
    low = item.text.lower()
    if any(known.text.lower() == low and _alike(known, item) for known in getattr(state, place)):
        return state
    return state if not by_hand and mark_of(place, item) in state.undone else _appended(state, place, item)


def _appended(state: State, place: str, item: Item) -> State:
    items: tuple[Item, ...] = getattr(state, place)
    return replace(state, **{place: _bounded((*items, item))}, made=state.made + 1)  # type: ignore[arg-type]


def swapped(state: State, place: str, *items: Item) -> State:
    """With items in the place of those that have their ids."""
    new = {i.id: i for i in items}
    return replace(state, **{place: tuple(new.get(i.id, i) for i in getattr(state, place))})  # type: ignore[arg-type]


def taken_out(
    state: State, gone: Iterable[Item], *, marked: bool = True, closed_by: Collection[str] = frozenset()
) -> State:
    """Without the items; what they had closed or replaced stands again, as does what was taken back by the messages in
    `closed_by`, and nothing stands below a goal that is gone.

    They are marked, so that nothing brings them in again but whoever says it anew."""
    ids = {i.id for i in gone}
    freed = ids.union(closed_by)
    marks = [mark_of(place, i) for place in LISTS for i in getattr(state, place) if i.id in ids] if marked else []
    left = {place: tuple(_freed(i, freed) for i in getattr(state, place) if i.id not in ids) for place in LISTS}
    undone = tuple(dict.fromkeys((*state.undone, *marks)))[-_MARKS_KEPT:]
    return replace(state, **left, undone=undone)  # type: ignore[arg-type]


def _freed(item: Item, gone: set[str]) -> Item:
    if isinstance(item, Decision) and item.superseded_by in gone:
        return replace(item, superseded_by=None)
    if isinstance(item, Note) and item.replaced_by in gone:
        return replace(item, until=None, replaced_by=None)
    return replace(item, parent=None) if isinstance(item, Goal) and item.parent in gone else item


def mark_of(place: str, item: Item) -> str:
    """What is kept of an item that was taken back: whose words it was made from, and a digest that tells it again."""
    at = item.created if isinstance(item, Goal) else item.at
    return _mark(place, item.text, item.message_id, at.isoformat())


def was_undone(state: State, place: str, text: str, message_id: str) -> bool:
    """Whether an item of these words, gathered from the message, was taken back."""
    return bool(state.undone) and _mark(place, text, message_id, "") in state.undone


def _mark(place: str, text: str, message_id: str | None, at: str) -> str:
    said = f"{place}\0{text.lower()}\0{message_id or at}"
    return f"{message_id or ''}:{blake2b(said.encode(), digest_size=9).hexdigest()}"


def without(gone: set[str]) -> Operation:
    """What came from messages that are gone goes too, and no trace of them is left on what stays."""

    def change(state: State) -> State:
        state = taken_out(state, [i for i in items_of(state) if i.message_id in gone], marked=False, closed_by=gone)
        for task in tasks_of(state):
            if task.closed_by in gone:
                place = "goals" if isinstance(task, Goal) else "actions"
                state = swapped(state, place, replace(task, closed_by=None))
        return replace(state, undone=tuple(m for m in state.undone if m.rpartition(":")[0] not in gone))

    return change


def _bounded(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """A list that has grown too long lets go of an item that was gathered (its message still has it): the oldest that
    is done with, else the oldest that is no open goal; of none that was set by hand."""
    if len(items) <= _ITEMS_KEPT:
        return items
    gathered = [i for i in items if i.message_id is not None]
    past = [i for i in gathered if not i.open] or [i for i in gathered if not isinstance(i, Goal)]
    return tuple(i for i in items if i is not past[0]) if past else items


def _alike(known: Item, item: Item) -> bool:
    """The same words, of the same speaker; what is done with or past can be said again."""
    if not known.open and item.open:
        return False
    same_speaker = getattr(known, "speaker", None) == getattr(item, "speaker", None)
    return known.text.lower() == item.text.lower() and same_speaker


# --- two states in one --------------------------------------------------------------------------------------------


def merged(state: State, other: State) -> State:
    """Both together: what only `other` has is added to `state`, and of facts on one topic the newest stands. What was
    taken back here stays away. Twice is once."""
    mine, state = state, replace(state, made=max(state.made, other.made))
    names: dict[str, str] = {}  # what the ids of `other` are here
    added: dict[str, list[Item]] = {}
    for place in LISTS:
        for item in getattr(other, place):
            known = next((i for i in getattr(mine, place) if _alike(i, item)), None)
            if known is None:
                if mark_of(place, item) in state.undone:
                    continue
                known = _adopted(state, item)
                grown = _appended(state, place, known)
                added.setdefault(place, []).append(known)
                state = grown if known.id != item.id else replace(grown, made=state.made)
            names[item.id] = known.id
    for place, items in added.items():
        state = swapped(state, place, *(_renamed(i, names) for i in items))
    files = tuple(dict.fromkeys((*other.files.files, *state.files.files)))[-FILES_KEPT:]
    return replace(
        state,
        facts=settle(state.facts) if "facts" in added else state.facts,
        files=FileContext(
            files,
            state.files.last_edited or other.files.last_edited,
            state.files.current_function or other.files.current_function,
        ),
        entities={
            kind: tuple(dict.fromkeys((*other.entities.get(kind, ()), *state.entities.get(kind, ()))))[-ENTITIES_KEPT:]
            for kind in {**other.entities, **state.entities}
        },
        undone=tuple(dict.fromkeys((*other.undone, *state.undone)))[-_MARKS_KEPT:],
    )


def _adopted(state: State, item: Item) -> Item:
    """An item of another state under an id that is free here."""
    if any(item.id == known.id for known in items_of(state)):
        return replace(item, id=f"{item.id.rpartition('-')[0]}-{state.made + 1}")
    return item


def _renamed(item: Item, names: Mapping[str, str]) -> Item:
    """With the ids that others have here in the place of those that they had there."""
    if isinstance(item, Goal):
        return replace(item, parent=names.get(item.parent or ""))
    if isinstance(item, Decision):
        return replace(item, superseded_by=item.superseded_by and names.get(item.superseded_by, item.superseded_by))
    if isinstance(item, Note):
        return replace(item, replaced_by=item.replaced_by and names.get(item.replaced_by, item.replaced_by))
    return item
