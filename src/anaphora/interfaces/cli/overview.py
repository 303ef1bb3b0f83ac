"""How everything looks at a glance: sections one below the other, each item with the id that names it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text
from rich.tree import Tree

from anaphora.assembly import local_time
from anaphora.interfaces.cli.bar import costs_view
from anaphora.interfaces.cli.output import one_line
from anaphora.interfaces.cli.render import note, plain
from anaphora.interfaces.glance import Branch, Glance, goal_tree, in_time, past_of, replaced_by, surest
from anaphora.knowledge import Knowledge, Lesson
from anaphora.memory.rendering import ICONS
from anaphora.types import Conversation, Decision, FileContext, Goal, State

__all__ = ["overview"]

_NAMED = 8  # entities of a kind
_LESSONS = 8  # the surest ones
_BAR = 12  # cells of the longest conversation


def overview(found: Glance, screen: Console) -> RenderableType:
    """Section by section; what is empty is left out."""
    parts: list[RenderableType] = []
    for title, body in (*_work(found.state, found.zone), *_around(found, screen)):
        parts += ["", Text(title, "bold"), *(Padding(line, (0, 0, 0, 2), expand=False) for line in body)]
    return Group(*parts[1:])


def _work(state: State, zone: str) -> Iterator[tuple[str, list[RenderableType]]]:
    sections: list[tuple[str, list[RenderableType]]] = [
        ("Goals", list(_goals(state.goals))),
        ("To do", [_item(a.id, a.text, "☐") for a in state.actions if a.open]),
        ("Decisions", [line for d in state.decisions if d.open for line in _decision(state, d)]),
        ("Constraints", [_item(n.id, n.text, "•") for n in state.constraints if n.open]),
        ("Remember", [_item(n.id, n.text, "•") for n in state.notes if n.open]),
        ("About the user", list(_facts(state, zone))),
        ("Files", list(_files(state.files))),
        ("Spoken of", [_spoken(kind, texts) for kind, texts in state.entities.items() if texts]),
    ]
    filled = [(title, body) for title, body in sections if body]
    yield from filled or [("Working state", [note("Nothing yet. Say what you want, or: anaphora state add goal '…'")])]


def _around(found: Glance, screen: Console) -> Iterator[tuple[str, list[RenderableType]]]:
    title = "Context of the last message" if found.conversations else "Context before anything is said"
    yield title, [costs_view(found.context, screen)]
    if found.conversations:
        yield "Conversations", list(_timeline(found.conversations, found.zone))
    if found.knowledge.lessons:
        yield "Learned", list(_lessons(found.knowledge))


# --- the working state --------------------------------------------------------------------------------------------


def _item(id: str, text: str, mark: str, more: str = "", style: str = "") -> Text:
    line = Text.assemble(f"{mark} ", plain(one_line(text), style))
    if more:
        line.append(f"  {more}", "dim")
    return line.append(f"  {id}", "dim cyan")


def _goals(goals: Sequence[Goal]) -> Iterator[RenderableType]:
    """Each goal with those below it; one that is reached is shown while something below or above it is open."""
    still, ended = goal_tree(goals)
    for branch in still:
        tree = Tree(_goal(branch.goal), guide_style="dim")
        _grow(tree, branch)
        yield tree
    yield from map(note, ended)


def _grow(tree: Tree, branch: Branch) -> None:
    for child in branch.below:
        _grow(tree.add(_goal(child.goal)), child)


def _goal(goal: Goal) -> Text:
    priority = "" if goal.priority == "medium" else f"{goal.priority} priority"
    return _item(goal.id, goal.text, ICONS[goal.status], priority, "" if goal.open else "dim")


def _decision(state: State, decision: Decision) -> Iterator[RenderableType]:
    yield _item(decision.id, decision.text, "•")
    if decision.because:
        yield note(f"  because {one_line(decision.because)}")
    for older in replaced_by(state, decision):
        yield note(f"  instead of “{one_line(older.text)}”")


def _facts(state: State, zone: str) -> Iterator[RenderableType]:
    several = len({f.speaker for f in state.facts}) > 1
    for fact in state.facts:
        if not fact.open:
            continue
        before = "; ".join(f"“{one_line(older.text, 60)}”" for older in past_of(state, fact))
        more = f"since {local_time(fact.at, zone):%Y-%m-%d}" + (f", before that {before}" if before else "")
        yield _item(fact.id, f"{fact.speaker}: {fact.text}" if several and fact.speaker else fact.text, "•", more)


def _files(files: FileContext) -> Iterator[RenderableType]:
    for path in reversed(files.files):
        last = path == files.last_edited
        inside = f", in {one_line(files.current_function)}" if files.current_function else ""
        yield Text.assemble(plain(one_line(path)), note(f"  last edited{inside}" if last else ""))


def _spoken(kind: str, texts: Sequence[str]) -> Text:
    return Text.assemble((f"{kind}: ", "dim"), plain(one_line(", ".join(reversed(texts[-_NAMED:])))))


# --- conversations in time ----------------------------------------------------------------------------------------


def _timeline(conversations: Sequence[Conversation], zone: str) -> Iterator[RenderableType]:
    """Oldest first, each with a bar as long as it was; longer times in between are said."""
    most = max(c.message_count for c in conversations) or 1
    for gap, one in in_time(conversations):
        if gap is not None:
            yield note(f"           ┊ {gap.days} days")
        cells = max(1, round(_BAR * one.message_count / most)) if one.message_count else 0
        how = "active" if one.active else one.outcome or "ended"
        count = f"{one.message_count} message{'' if one.message_count == 1 else 's'}"
        yield Text.assemble(
            (f"{local_time(one.started, zone):%Y-%m-%d} ", "dim"),
            ("┃ ", "green" if one.active else "dim"),
            plain(f"#{one.number} {one_line(one.title, 40)}"),
            ("  " + "▪" * cells, "cyan"),
            (f"  {count}, {how}", "dim"),
        )


# --- what was learned ---------------------------------------------------------------------------------------------


def _lessons(knowledge: Knowledge) -> Iterator[RenderableType]:
    """The surest lessons, each with how sure it is and how often it was seen."""
    lessons = surest(knowledge)
    for lesson in lessons[:_LESSONS]:
        yield _lesson(lesson)
    if len(lessons) > _LESSONS:
        yield note(f"and {len(lessons) - _LESSONS} more")


def _lesson(lesson: Lesson) -> Text:
    seen = f"{lesson.observations} of {lesson.total} times"
    return Text.assemble(
        (f"{lesson.confidence:.0%} ", "green"),
        (f"{lesson.kind} ", "dim"),
        plain(f"{one_line(lesson.pattern)} → {one_line(lesson.meaning)}"),
        (f"  {seen}", "dim"),
    )
