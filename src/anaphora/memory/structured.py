"""A session in a page: objective, progress, key decisions, critical context, within its tokens.

Every decision, constraint and open goal stands there as long as there are not too many of them; beyond that the most
important do, and how many more there are. What else there is room for comes after them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from math import inf

from anaphora.memory.digest import LONGEST, Digest, Point, PointKind
from anaphora.memory.items import KINDS, was_undone
from anaphora.memory.summary import cut
from anaphora.settings import Settings
from anaphora.types import Action, Conversation, Decision, Goal, Note, State
from anaphora.understanding.patterns import expression

__all__ = ["read_summary", "session_summary"]

_LENGTHS = (240, 160, 120, 96, 80, 64, 48, 32)  # characters of a point, until all of them fit
_OBJECTIVE, _PROGRESS, _DECISIONS, _CONTEXT = "Objective", "Progress", "Key Decisions", "Critical Context"
_DONE, _DOING, _WAITING = "✅ ", "🔄 ", "⏳ "
_BINDING = 0.1  # how much more a decision or a constraint weighs than a goal
_SHOWN_NAMES, _SHOWN_FILES, _SHOWN_SAID = 8, 8, 5


@dataclass(frozen=True, slots=True)
class _Line:
    """A line under its heading; `point` is what it tells, where that is something that was said."""

    section: str
    text: str
    point: Point | None = None


def session_summary(
    digest: Digest,
    settings: Settings,
    count: Callable[[str], int],
    state: State | None = None,
    conversation: Conversation | None = None,
) -> str:
    """The summary; empty only where nothing was said. From the `state` come what was reached and what was set by hand
    while the conversation went on."""
    if not digest.messages:
        return ""
    here = _joined(digest, state or State(), conversation)

    def fits(lines: Sequence[_Line]) -> bool:
        return count(_page(here, lines)) <= settings.summary_tokens

    lines = _fitting(here, settings.summary_items, fits)
    for extra in _extras(here):
        if fits([*lines, extra]):
            lines.append(extra)
    return _page(here, lines)


# --- what there is to tell ----------------------------------------------------------------------------------------


def _joined(digest: Digest, state: State, conversation: Conversation | None) -> Digest:
    """The digest with what the state knows better: goals that were reached, what no longer holds, and items that were
    set by hand."""
    reached = {(g.message_id, g.text.lower()) for g in state.goals if g.status == "complete"}
    past = _past("decision", state.decisions) | _past("constraint", state.constraints) | _past("said", state.facts)
    past |= _past("action", state.actions)  # done, or not to be done any more
    dropped = _past("goal", [g for g in state.goals if g.status != "complete"])
    points = [
        replace(p, kind="done") if p.kind == "goal" and (p.message_id, p.text.lower()) in reached else p
        for p in digest.points
        if (p.kind, p.text.lower()) not in past | dropped and not _is_undone(p, state)
    ]
    if digest.clear and ("goal", digest.objective.lower()) in dropped:  # what was to be reached is another goal now
        digest = replace(digest, objective=next((p.text for p in points if p.kind == "goal"), ""), clear=False)
    if not digest.clear and any(kind != "said" and text in digest.objective.lower() for kind, text in past):
        # it was guessed from words that no longer hold: what does tells more
        digest = replace(digest, objective=next((p.text for p in points if p.kind in ("goal", "decision")), ""))
    if conversation is None:
        return replace(digest, points=tuple(points))
    known = {p.text.lower() for p in points}
    points += [p for p in _by_hand(state, conversation, digest.messages) if p.text.lower() not in known]
    files = tuple(dict.fromkeys((*conversation.files_modified, *digest.files)))
    return replace(digest, points=tuple(points), files=files)


def _past(kind: PointKind, items: Sequence[Decision | Note | Goal | Action]) -> set[tuple[PointKind, str]]:
    """What was said and no longer holds, by its words; what was said again holds again."""
    told = [(cut(text, LONGEST).lower(), i.open) for i in items for text in (i.text, i.text.partition(" because ")[0])]
    return {(kind, text) for text, _ in told} - {(kind, text) for text, holds in told if holds}


def _is_undone(point: Point, state: State) -> bool:
    """Whether the item that a point tells of was taken back."""
    place = KINDS.get(point.kind)
    if place is None or point.message_id is None:
        return False
    said = (point.text, f"{point.text} because {point.because}")
    return any(was_undone(state, place, text, point.message_id) for text in said)


def _by_hand(state: State, conversation: Conversation, number: int) -> Iterator[Point]:
    """What was set by hand while the conversation went on: it belongs to no message."""

    def here(at: datetime, message_id: str | None) -> bool:
        return message_id is None and conversation.started <= at <= (conversation.ended or at)

    for goal in state.goals:
        if goal.status != "dropped" and here(goal.created, goal.message_id):
            yield Point(_kind_of(goal), goal.text, importance=1.0, number=number)
    for decision in state.decisions:
        if decision.open and here(decision.at, decision.message_id):
            yield Point("decision", decision.text, decision.because, importance=1.0, number=number)
    for note in state.constraints:
        if note.open and here(note.at, note.message_id):
            yield Point("constraint", note.text, importance=1.0, number=number)


def _kind_of(goal: Goal) -> PointKind:
    return "done" if goal.status == "complete" else "goal"


def _fitting(digest: Digest, most: int, fits: Callable[[Sequence[_Line]], bool]) -> list[_Line]:
    """The most important points, each as long as may be while so many of them fit, and then those that there is room
    for; where even short ones do not fit, the least important go."""
    ranked = sorted((p for p in digest.points if p.must), key=_weight, reverse=True)

    def lines(number: int, length: int) -> list[_Line]:
        return list(_must_lines(digest, ranked[:number], digest.more + len(ranked) - number, length))

    wanted = min(most, len(ranked))
    length = next((n for n in _LENGTHS if fits(lines(wanted, n))), _LENGTHS[-1])
    low, high = (wanted, len(ranked)) if fits(lines(wanted, length)) else (0, wanted)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(lines(middle, length)) else (low, middle - 1)
    return lines(low, length)


def _weight(point: Point) -> tuple[float, int]:
    """What binds comes before what is only wanted, and of equals the newest first."""
    return point.importance + (_BINDING if point.kind != "goal" else 0.0), point.number


def _must_lines(digest: Digest, musts: Sequence[Point], more: int, length: int) -> Iterator[_Line]:
    yield _Line(_OBJECTIVE, cut(digest.objective or digest.last or _talked(digest), length))
    chosen = {id(p) for p in musts}
    for point in (p for p in digest.points if id(p) in chosen):  # in the order in which they were said
        text = cut(point.text, length)
        why = f" ({cut(point.because, length)})" if point.because else ""
        if point.kind == "goal":
            if point.text.lower() != digest.objective.lower():
                yield _Line(_PROGRESS, f"{_WAITING}{text}", point)
        elif point.kind == "decision":
            yield _Line(_DECISIONS, f"{text}{why}", point)
        else:
            yield _Line(_CONTEXT, f"Constraint: {text}", point)
    if more:
        yield _Line(_CONTEXT, f"And {more} more among the goals, decisions and constraints")


def _extras(digest: Digest) -> Iterator[_Line]:
    """What else may be worth its room, the most useful first."""
    if digest.last and digest.last.lower() != digest.objective.lower():
        yield _Line(_PROGRESS, f"{_DOING}Last: {cut(digest.last, 120)}")
    yield from (_Line(_PROGRESS, f"{_DONE}{cut(p.text, 120)}", p) for p in digest.of("done")[-6:])
    if digest.files:
        yield _Line(_CONTEXT, "Working files: " + ", ".join(digest.files[-_SHOWN_FILES:]))
    actions = [cut(p.text, 100) for p in digest.of("action")]
    if actions:
        yield _Line(_CONTEXT, "Next: " + "; ".join(actions[-4:]))
    yield from (_Line(_CONTEXT, f"Remember: {cut(p.text, 160)}", p) for p in digest.of("remember"))
    yield from (_Line(_CONTEXT, f"Error: {cut(p.text, 120)}", p) for p in digest.of("error"))
    often = sorted(digest.names, key=lambda name: -digest.names[name])[:_SHOWN_NAMES]
    if often:
        yield _Line(_CONTEXT, "Talked about: " + ", ".join(often))
    said = sorted(digest.of("said"), key=lambda p: (-p.importance, -p.number))
    shown = {digest.last.lower(), digest.objective.lower()}
    telling = [p for p in said if p.text.lower() not in shown][:_SHOWN_SAID]
    yield from (_Line(_PROGRESS, f"Also: {cut(p.text, 120)}", p) for p in telling)
    yield _Line(_PROGRESS, _talked(digest))


def _talked(digest: Digest) -> str:
    heard = digest.messages - digest.replies
    replies = "1 reply" if digest.replies == 1 else f"{digest.replies} replies"
    return f"{heard} message{'' if heard == 1 else 's'} and {replies} so far"


# --- how it looks -------------------------------------------------------------------------------------------------


def _page(digest: Digest, lines: Sequence[_Line]) -> str:
    blocks = [f"# Session Summary ({digest.conversation_id})"]
    ordered = sorted(lines, key=_rank)
    for section in (_OBJECTIVE, _PROGRESS, _DECISIONS, _CONTEXT):
        texts = [line.text for line in ordered if line.section == section]
        if section == _DECISIONS:
            texts = [f"{n}. {text}" for n, text in enumerate(texts, 1)]
        elif section != _OBJECTIVE:
            texts = [f"- {text}" for text in texts]
        if texts:
            blocks.append(f"## {section}\n" + "\n".join(texts))
    return "\n\n".join(blocks)


def _rank(line: _Line) -> tuple[int, float]:
    """What is done stands before what is being done, and that before what waits; what else was said in its order, and
    how much that was last."""
    if line.section != _PROGRESS:
        return 0, 0
    marked = next((n for n, mark in enumerate((_DONE, _DOING, _WAITING)) if line.text.startswith(mark)), None)
    return (marked, 0) if marked is not None else (3, line.point.number if line.point else inf)


# --- and back -----------------------------------------------------------------------------------------------------

_HEADING = expression(r"##\s+(.+?)\s*$")
_ITEM = expression(r"\s*(?:[-*]|\d+\.)\s+(.+?)\s*$")
_REASON = expression(r"(.+?)\s+\((.+)\)$")
_LABELS: tuple[tuple[str, PointKind], ...] = (
    ("Constraint: ", "constraint"),
    ("Next: ", "action"),
    ("Remember: ", "remember"),
    ("Error: ", "error"),
)


def read_summary(text: str, conversation_id: str) -> Digest:
    """The digest that a summary in these sections tells; what stands in none of them is passed over."""
    section, objective = "", ""
    points: list[Point] = []
    files: tuple[str, ...] = ()
    for line in text.splitlines():
        heading, item = _HEADING.match(line), _ITEM.match(line)
        if heading:
            section = heading[1].lower()
        elif section == _OBJECTIVE.lower() and line.strip() and not objective:
            objective = cut(line, _LENGTHS[0])
        elif item and item[1].startswith("Working files: "):
            files = tuple(name.strip() for name in item[1].removeprefix("Working files: ").split(","))
        elif item:
            points += _told(section, item[1])
    return Digest(conversation_id, objective=objective, clear=bool(objective), points=tuple(points), files=files)


def _told(section: str, item: str) -> list[Point]:
    item = cut(item, _LENGTHS[0])
    if section == _DECISIONS.lower():
        reason = _REASON.fullmatch(item)
        return [Point("decision", reason[1], reason[2]) if reason else Point("decision", item)]
    if section == _PROGRESS.lower():
        marks: dict[str, PointKind] = {_DONE.strip(): "done", _WAITING.strip(): "goal"}
        kind = next((k for mark, k in marks.items() if item.startswith(mark)), None)
        return [Point(kind, item[1:].strip().removeprefix("Pending: "))] if kind else []
    if section == _CONTEXT.lower():
        return [Point(kind, item.removeprefix(label)) for label, kind in _LABELS if item.startswith(label)]
    return []
