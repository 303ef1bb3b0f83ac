"""Slash commands that change or show the working state."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, cast

from anaphora.engine.commands.parsing import Arguments
from anaphora.errors import InputError
from anaphora.memory.items import KINDS, Item, find_item, items_of, kind_of
from anaphora.memory.rendering import ICONS
from anaphora.memory.working import Work
from anaphora.types import CommandResult, Decision, Goal, Note, Priority, State
from anaphora.understanding.patterns import expression

if TYPE_CHECKING:
    from anaphora.engine.memory import Memory

__all__ = [
    "add_action",
    "add_constraint",
    "change",
    "complete",
    "complete_goal",
    "drop",
    "facts",
    "item_line",
    "learn",
    "log_decision",
    "remember",
    "remove",
    "set_goal",
    "state",
    "undo",
]

_BECAUSE = expression(r"[\s,;]+because\s+", re.IGNORECASE)


def set_goal(memory: Memory, given: Arguments) -> CommandResult:
    text = _needed(given, "What is the goal?", "/set_goal Write the tests")
    priority = cast(Priority, given.flags.get("priority", "medium").lower())
    return _added(memory, lambda work: work.add_goal(text, priority=priority, parent=given.flags.get("under")))


def complete_goal(memory: Memory, given: Arguments) -> CommandResult:
    name = _needed(given, "Which goal?", "/complete_goal goal-1")
    return _completed(memory, name, ("goals",), "goal")


def complete(memory: Memory, given: Arguments) -> CommandResult:
    name = _needed(given, "What is done?", "/complete goal-1")
    return _completed(memory, name, ("goals", "actions"), "goal or action")


def drop(memory: Memory, given: Arguments) -> CommandResult:
    name = _needed(given, "What is given up?", "/drop goal-1")
    item = find_item(memory.state, name, ("goals", "actions"), what="goal or action")
    after = memory.update(lambda work: work.drop(item.id))
    left = sum(goal.open for goal in after.goals)
    return CommandResult(
        f"Dropped {item.id} “{item.text}”. Open goals: {left}.", _plain(after, find_item(after, item.id))
    )


def add_action(memory: Memory, given: Arguments) -> CommandResult:
    text = _needed(given, "What is to be done?", "/add_action Ask Eve")
    return _added(memory, lambda work: work.plan(text))


def log_decision(memory: Memory, given: Arguments) -> CommandResult:
    """The reason after "because", as a second quotation, or as a flag."""
    text = _needed(given, "What was decided?", "/log_decision Use RS256 because keys rotate")
    because = given.flags.get("because")
    if because is None and given.quoted == (True, True):
        text, because = given.words
    elif because is None and (found := _BECAUSE.search(text)):
        text, because = text[: found.start()], text[found.end() :]
    return _added(memory, lambda work: work.decide(text, because=because))


def add_constraint(memory: Memory, given: Arguments) -> CommandResult:
    text = _needed(given, "What must be respected?", "/add_constraint Token TTL must be exactly 1 hour")
    return _added(memory, lambda work: work.constrain(text))


def remember(memory: Memory, given: Arguments) -> CommandResult:
    text = _needed(given, "What should be remembered?", "/remember The demo is on Friday")
    return _added(memory, lambda work: work.remember(text))


def learn(memory: Memory, given: Arguments) -> CommandResult:
    text = _needed(given, "What should be known about you?", "/learn I live in Berlin")
    return _added(memory, lambda work: work.learn(text, speaker=memory.scope.user))


def change(memory: Memory, given: Arguments) -> CommandResult:
    if len(given.words) < 2:
        raise InputError("Which item, and what should it say?", remedy="Type, say, /change goal-1 Write more tests.")
    name, text = given.words[0], " ".join(given.words[1:])
    before = find_item(memory.state, name)
    after = memory.update(lambda work: work.change(before.id, text=text))
    item = find_item(after, before.id)
    return CommandResult(f"Changed {item_line(after, item)}.", _plain(after, item))


def remove(memory: Memory, given: Arguments) -> CommandResult:
    item = find_item(memory.state, _needed(given, "Which item?", "/remove con-3"))
    kind = kind_of(memory.state, item)
    memory.update(lambda work: work.remove(item.id))
    return CommandResult(f"Removed 1 {kind}: “{item.text}”.", {"removed": item})


def undo(memory: Memory, given: Arguments) -> CommandResult:
    done = memory.undo(given.text or None)
    lines = [f"Took back “{text}”." for text in done.removed]
    lines += [f"“{text}” stands again." for text in done.restored]
    return CommandResult("\n".join(lines), done)


def state(memory: Memory, given: Arguments) -> CommandResult:
    found = memory.state
    lines: list[str] = []
    for kind, place in KINDS.items():
        items = [i for i in items_of(found, (place,)) if i.open or "all" in given]
        if items:
            lines += [f"{kind.capitalize()}s:", *(f"  {item_line(found, i)}" for i in items)]
    if found.files.files:
        lines += ["Files:", *(f"  {f}" for f in found.files.files)]
    return CommandResult("\n".join(lines) or "Nothing yet.", found)


def facts(memory: Memory, given: Arguments) -> CommandResult:
    found, whole = memory.facts(history="history" in given), memory.state
    lines = [item_line(whole, fact) for fact in found]
    return CommandResult("\n".join(lines) or "Nothing is known yet.", found)


def item_line(state: State, item: Item) -> str:
    """An item on one line: its id, how it stands, its text, and what has become of it."""
    line = f"{item.id}  {item.text}"
    if isinstance(item, Goal):
        line = f"{item.id}  {ICONS[item.status]} {item.text}" + (
            f" ({item.priority})" if item.priority != "medium" else ""
        )
        return line + (f" (under {item.parent})" if item.parent else "")
    if isinstance(item, Decision):
        line += f" (because {item.because})" if item.because else ""
        return line + (f" (superseded by {item.superseded_by})" if item.superseded_by else "")
    if isinstance(item, Note):
        several = len({f.speaker for f in state.facts}) > 1
        line += f" ({item.speaker})" if several and item.speaker else ""
        return line + (f" (past since {item.until:%Y-%m-%d})" if item.until else "")
    line += f" (dropped on {item.dropped:%Y-%m-%d})" if item.dropped else ""
    return line + (f" (done on {item.done:%Y-%m-%d})" if item.done else "")


def _needed(given: Arguments, question: str, example: str) -> str:
    if not given.text.strip():
        raise InputError(question, remedy=f"Type, say, {example}.")
    return given.text


def _added(memory: Memory, add: Callable[[Work], None]) -> CommandResult:
    """What came in, or that it was there already; and what it took the place of."""
    before = memory.state
    after = memory.update(add)
    new = [i for i in items_of(after) if i.id not in {k.id for k in items_of(before)}]
    if not new:
        return CommandResult("That is there already.", None)
    gone = [i for i in _closed(before, after) if i.id != new[0].id]
    lines = [f"Kept as {kind_of(after, new[0])} {item_line(after, new[0])}."]
    lines += [f"It takes the place of {i.id} “{i.text}”." for i in gone]
    return CommandResult("\n".join(lines), _plain(after, new[0]))


def _closed(before: State, after: State) -> Iterable[Item]:
    open_before = {i.id for i in items_of(before) if i.open}
    return [i for i in items_of(after) if i.id in open_before and not i.open]


def _completed(memory: Memory, name: str, lists: tuple[str, ...], what: str) -> CommandResult:
    item = find_item(memory.state, name, lists, what=what)
    after = memory.update(lambda work: work.complete(item.id))
    done = find_item(after, item.id)
    left = sum(goal.open for goal in after.goals)
    return CommandResult(f"Completed {item.id} “{item.text}”. Open goals: {left}.", _plain(after, done))


def _plain(state: State, item: Item) -> dict[str, object]:
    return {"kind": kind_of(state, item), "item": item}
