"""Everything at a glance, as values: what a terminal and a page show of a memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from anaphora.knowledge import Knowledge, Lesson
from anaphora.memory.rendering import ICONS
from anaphora.types import Context, Conversation, Decision, Goal, GoalStatus, Note, Scope, State

if TYPE_CHECKING:
    from anaphora.engine import Memory

__all__ = [
    "BETWEEN",
    "Branch",
    "Glance",
    "gathered",
    "goal_tree",
    "in_time",
    "past_of",
    "replaced_by",
    "surest",
    "tiers",
]

BETWEEN = "line breaks, headings, the name of who asks"
_DEEPEST = 20  # levels of goals
_GAP = timedelta(days=2)  # from which on time that went by is shown between conversations


@dataclass(frozen=True, slots=True)
class Glance:
    """What is shown, as values; `about` is the prompt that the context is for."""

    scope: Scope
    state: State
    about: str
    context: Context
    conversations: Sequence[Conversation]
    knowledge: Knowledge
    zone: str


def gathered(memory: Memory, budget: int | None = None, about: str | None = None) -> Glance:
    """What there is to show, with the context of a prompt: by default the last message's."""
    if about is None:
        last = memory.last_heard()
        about = last.text if last else "Where were we?"
    context = memory.context(about, budget)
    zone = memory.settings.timezone
    return Glance(memory.scope, memory.state, about, context, memory.conversations(), memory.knowledge, zone)


@dataclass(frozen=True, slots=True)
class Branch:
    """A goal and those below it."""

    goal: Goal
    below: tuple[Branch, ...] = ()

    @property
    def open(self) -> bool:
        return self.goal.open or any(branch.open for branch in self.below)


def goal_tree(goals: Sequence[Goal]) -> tuple[list[Branch], list[str]]:
    """The goals as trees, those with something open, and how many others were reached, and dropped. From a depth that
    nobody could read any more, what lies below a goal stands beside it."""
    children: dict[str | None, list[Goal]] = {}
    for goal, parent in _places(goals):
        children.setdefault(parent, []).append(goal)

    def branch(goal: Goal) -> Branch:
        return Branch(goal, tuple(branch(child) for child in children.get(goal.id, ())))

    tops = [branch(goal) for goal in children.get(None, ())]
    still = [top for top in tops if top.open]
    ended = Counter(top.goal.status for top in tops if not top.open)
    told: tuple[tuple[GoalStatus, str], ...] = (("complete", "reached"), ("dropped", "dropped"))
    return still, [f"{ICONS[status]} {ended[status]} {word}" for status, word in told if ended[status]]


def _places(goals: Sequence[Goal]) -> Iterator[tuple[Goal, str | None]]:
    """Each goal with the id of the one that it is shown below."""
    known = {goal.id: goal for goal in goals}
    places: dict[str | None, tuple[int, str | None]] = {None: (0, None)}
    for goal in goals:
        above: dict[str, Goal] = {}
        one: Goal | None = goal
        while one is not None and one.id not in places and one.id not in above:
            above[one.id] = one
            one = known.get(one.parent or "")
        for each in reversed(above.values()):
            parent = each.parent if each.parent in places else None
            level, beside = places[parent]
            places[each.id] = (level, beside) if level == _DEEPEST else (level + 1, parent)
        yield goal, places[goal.id][1]


def replaced_by(state: State, decision: Decision) -> list[Decision]:
    """The decisions whose place this one took."""
    return [older for older in state.decisions if older.superseded_by == decision.id]


def past_of(state: State, fact: Note) -> list[Note]:
    """What was true before this fact."""
    return [older for older in state.facts if older.replaced_by == fact.id]


def in_time(conversations: Sequence[Conversation]) -> Iterator[tuple[timedelta | None, Conversation]]:
    """Oldest first, each with the time that went by before it, where that was long."""
    before: Conversation | None = None
    for one in conversations:
        gap = one.started - (before.last_at or before.started) if before else timedelta()
        yield (gap if gap >= _GAP else None), one
        before = one


def surest(knowledge: Knowledge) -> list[Lesson]:
    """The lessons, the surest first."""
    return sorted(knowledge.lessons, key=lambda lesson: (-lesson.confidence, -lesson.total))


def tiers(context: Context) -> dict[str, tuple[int, list[str]]]:
    """What each tier takes in tokens, and why each of its parts is there; in order, and last what joins them, so that
    they add up."""
    found: dict[str, tuple[int, list[str]]] = {}
    for part in context.parts:
        tokens, whys = found.get(part.tier, (0, []))
        found[part.tier] = tokens + part.tokens, [*whys, part.why]
    return found | ({"between": (context.between, [BETWEEN])} if context.between > 0 else {})
