"""What is past: messages whose facts or decisions were replaced, as the working state knows, and what replaced them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime

from anaphora.engine.states import read_state
from anaphora.memory.deciding import chosen_in
from anaphora.memory.facts import topic_of
from anaphora.memory.ranking import Ranked
from anaphora.memory.terms import terms_of
from anaphora.ports import View
from anaphora.types import Decision, Note

__all__ = ["Past", "holds_any", "past_of"]

_KINDS = frozenset(("fact", "preference", "decision"))


@dataclass(frozen=True, slots=True)
class Past:
    """That what a message said no longer holds: the id of the message that replaced it, and since when, if known.
    `named` says that the query names what is past: "Rome", where Berlin took its place."""

    by: str
    since: datetime | None
    named: bool = False


def holds_any(order: Iterable[Ranked]) -> bool:
    """Whether any of them says something that may have been replaced since."""
    return any(signal.kind in _KINDS for one in order for signal in one.message.signals)


def past_of(view: View, ids: Collection[str], terms: Set[str]) -> Mapping[str, Past]:
    """Of the messages with these ids the ones that are past. What else a message says keeps it from being so, unless
    the query, by its terms, is about the part that is."""
    state = read_state(view)
    items: Sequence[Note | Decision] = (*state.facts, *state.decisions)
    by_id: dict[str, Note | Decision] = {item.id: item for item in (*items, *state.constraints)}
    of_message: dict[str, list[Note | Decision]] = {}
    for item in items:
        if item.message_id is not None:
            of_message.setdefault(item.message_id, []).append(item)
    found = {}
    for id in ids:
        said = of_message.get(id, ())
        about = said if not any(item.open for item in said) else [i for i in said if terms & terms_of(i.text).keys()]
        if about and not any(item.open for item in about):
            gone = _past(about[-1], by_id)
            if gone is not None and gone.by != id:
                found[id] = replace(gone, named=not terms.isdisjoint(_values(about[-1])))
    return found


def _past(item: Note | Decision, by_id: Mapping[str, Note | Decision]) -> Past | None:
    """By what it was replaced in the end; what replaced that in turn is found where the state knows it."""
    since, seen = None, set[str]()
    while (by := _replaced_by(item)) is not None and by not in seen:
        seen.add(by)
        newer = by_id.get(by)
        since = since or (item.until if isinstance(item, Note) else newer.at if newer is not None else None)
        if newer is None:  # a message that takes it back
            return Past(by, since)
        item = newer
    return None if item.message_id is None or not seen else Past(item.message_id, since)


def _values(item: Note | Decision) -> Set[str]:
    """The terms of what it says of its topic."""
    if isinstance(item, Decision):
        return chosen_in(item.text)
    topic = topic_of(item.text)
    return frozenset() if topic is None else terms_of(topic.value).keys()


def _replaced_by(item: Note | Decision) -> str | None:
    return item.superseded_by if isinstance(item, Decision) else item.replaced_by
