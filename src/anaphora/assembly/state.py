"""The working state in a context: always there; by priority where it is too much."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from anaphora.assembly.cutting import Focus
from anaphora.assembly.material import JOIN, NO_ROOM, Count
from anaphora.memory.rendering import render
from anaphora.settings import Settings
from anaphora.types import LeftOut, Part, Priority, State

__all__ = ["FACTS", "Shown", "show_state"]

FACTS = "About the User"
_TITLE = "# Current Context"
_URGENCY: dict[Priority, int] = {"high": 0, "medium": 1, "low": 2}
_LISTS = ("goals", "actions", "decisions", "constraints", "notes", "facts")
_WHY = {
    "Active Goals": "goals that are open",
    "Important Constraints": "constraints that hold",
    "Key Decisions": "what was decided last",
    "Current Files": "files that are worked on",
    "Pending Actions": "what is still to be done",
    "Remember": "what was to be remembered",
    FACTS: "what is known about the user",
}


@dataclass(frozen=True, slots=True)
class Shown:
    parts: tuple[Part, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    warning: str | None = None

    @property
    def tokens(self) -> int:
        return sum(part.tokens for part in self.parts)


@dataclass(frozen=True, slots=True)
class _Item:
    """A line under its heading; `place` is where it stands, `by_hand` whether someone set it rather than it having
    been gathered from what was said."""

    title: str
    text: str
    place: int
    by_hand: bool
    tokens: int

    @property
    def tier(self) -> str:
        return "facts" if self.title == FACTS else "state"


def show_state(state: State, room: int, share: int | None, count: Count, focus: Focus, settings: Settings) -> Shown:
    """All of it if it fits into `room`; what was gathered by itself only as far as the whole keeps to `share`."""
    items = _items(state, count, settings)
    heads = count(_TITLE) + sum(count(f"## {title}") + 2 * JOIN for title in dict.fromkeys(i.title for i in items))
    total = heads + sum(i.tokens for i in items)
    if total <= room and (share is None or total <= share):
        return Shown(_parts(items, count))
    urgent = replace(state, goals=tuple(sorted(state.goals, key=lambda g: _URGENCY[g.priority])))
    ranked = _by_need(_items(urgent, count, settings), focus)
    limit = room if share is None else min(room, share)
    kept = _chosen(ranked, room, limit, count)
    places = {i.place for i in kept}
    gone = [i for i in ranked if i.place not in places]
    if not gone:
        return Shown(_parts(items, count))
    warning = (
        f"The working state is larger than {'the budget' if total > room else 'its share of the budget'}; "
        f"{len(gone)} item{'s were' if len(gone) > 1 else ' was'} left out."
    )
    left_out = tuple(LeftOut(i.tier, i.text, i.tokens, NO_ROOM) for i in sorted(gone, key=lambda i: i.place))
    return Shown(_parts(sorted(kept, key=lambda i: i.place), count), left_out, warning)


def _items(state: State, count: Count, settings: Settings) -> list[_Item]:
    """Every line of the state, in order."""
    by_hand = {(title, text) for title, texts in render(_set_by_hand(state), settings) for text in texts}
    items: list[_Item] = []
    for title, texts in render(state, settings):
        for text in texts:
            items.append(_Item(title, text, len(items), (title, text) in by_hand, count(f"- {text}") + 1))
    return items


def _set_by_hand(state: State) -> State:
    kept = {name: tuple(i for i in getattr(state, name) if i.message_id is None) for name in _LISTS}
    return replace(state, **kept)  # type: ignore[arg-type]


def _by_need(items: Sequence[_Item], focus: Focus) -> list[_Item]:
    """What was set by hand in its order; then what was gathered: what the query is about, then the newest."""
    last = {i.title: i.place for i in items}

    def need(item: _Item) -> tuple[bool, int, int, int]:
        if item.by_hand:
            return (False, 0, 0, item.place)
        matches = len({word for _, word in focus.places(item.text)})
        return (True, -matches, last[item.title] - item.place, item.place)

    return sorted(items, key=need)


def _chosen(ranked: Iterable[_Item], room: int, limit: int, count: Count) -> list[_Item]:
    """Down the list as long as there is room; headings are paid for by the first under them."""
    kept: list[_Item] = []
    titles: set[str] = set()
    spent = count(_TITLE) + JOIN
    for item in ranked:
        cost = item.tokens + (0 if item.title in titles else count(f"## {item.title}") + 2 * JOIN)
        if spent + cost > (room if item.by_hand else limit):
            if item.by_hand:
                break  # a smaller one of a lower priority does not take its place
            continue
        spent += cost
        titles.add(item.title)
        kept.append(item)
    return kept


def _parts(items: Sequence[_Item], count: Count) -> tuple[Part, ...]:
    """A part for each heading; the first of the state carries the title above them all."""
    parts: list[Part] = []
    for title in dict.fromkeys(i.title for i in items):
        lines = [f"- {i.text}" for i in items if i.title == title]
        tier = "facts" if title == FACTS else "state"
        head = f"{_TITLE}\n\n" if not parts else ""
        text = f"{head}## {title}\n" + "\n".join(lines)
        why = f"{_WHY.get(title, title.lower())}; always there" if tier == "state" else _WHY[FACTS]
        parts.append(Part(tier, text, count(text) + JOIN, why))
    return tuple(parts)
