"""Why: how a message was understood, where an item of the working state is from and what has become of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from anaphora.errors import NotFound
from anaphora.memory.items import Item, closed_by, find_item, is_done, items_of, kind_of
from anaphora.memory.summary import cut
from anaphora.types import Action, CommandResult, Decision, Goal, Message, Note, State

if TYPE_CHECKING:
    from anaphora.engine.memory import Memory

__all__ = ["explain"]

_QUOTED = 80  # characters of a message that are quoted


def explain(memory: Memory, name: str | None) -> CommandResult:
    """A message by its id, an item by its id or text; without a name, the last message of the user in this session."""
    message = memory.message(name) if name is not None else memory.last_heard()
    if message is not None:
        return CommandResult("\n".join(_of_message(memory, message)), message)
    if name is None:
        raise NotFound("There is nothing to explain yet.", remedy="Say something first.")
    state = memory.state
    item = find_item(state, name, what="item or message")
    data = {"kind": kind_of(state, item), "item": item, "message": _source(memory, item.message_id)}
    return CommandResult("\n".join(_of_item(memory, state, item)), data)


def _of_message(memory: Memory, message: Message) -> Iterator[str]:
    yield f"“{cut(message.text, _QUOTED)}”"
    if message.expanded is not None:
        yield f"means “{message.expanded}”"
    boundary = message.boundary
    if boundary is not None:
        title = memory.conversation(message.conversation_id).title if message.conversation_id else "a conversation"
        where = "goes on with" if boundary.best_guess == "same" else "begins"
        sure = "not sure: " if boundary.decision == "ask" else ""
        yield f"{where} “{title}” ({sure}{boundary.confidence:.0%}): {boundary.reason}"
        for factor in boundary.factors:
            yield f"  {factor.weight:+.2f} {'new' if factor.weight > 0 else 'same'}: {factor.says}"
    for reference in message.references:
        others = ", ".join(c for c in reference.candidates if c != reference.referent)
        also = f"; also possible: {others}" if others else ""
        yield f"“{reference.mention}” is {reference.referent} ({reference.confidence:.0%}): {reference.why}{also}"
    for intent in message.intents:
        yield f"wants {intent.name} ({intent.confidence:.0%})"
    for signal in message.signals:
        yield f"says a {signal.kind}: {signal.text}" + (f" (because {signal.because})" if signal.because else "")
    yield f"importance {message.importance:.2f} of 1"


def _of_item(memory: Memory, state: State, item: Item) -> Iterator[str]:
    yield f"{item.id} is a {kind_of(state, item)}: {item.text}"
    if isinstance(item, Decision) and item.because:
        yield f"because {item.because}"
    at = item.created if isinstance(item, Goal) else item.at
    said = _quoted(memory, item.message_id)
    yield f"{'gathered from ' + said if said else 'set by hand'}, by {item.author}, on {at:%Y-%m-%d %H:%M}"
    if isinstance(item, Goal):
        yield f"{item.status}, priority {item.priority}" + (f", under {item.parent}" if item.parent else "")
    if isinstance(item, Goal | Action) and not item.open:
        closed = _quoted(memory, item.closed_by)
        ended = "completed" if is_done(item) else "dropped"
        yield f"{ended} by {closed}" if closed else f"{ended} by hand"
    if isinstance(item, Decision) and item.superseded_by:
        yield f"superseded by {_named(memory, state, item.superseded_by)}"
    if isinstance(item, Note) and item.until:
        yield f"past since {item.until:%Y-%m-%d %H:%M}" + (
            f", replaced by {_named(memory, state, item.replaced_by)}" if item.replaced_by else ""
        )
    for older in items_of(state):
        if closed_by(older) == item.id:
            yield f"took the place of {_named(memory, state, older.id)}"


def _source(memory: Memory, id: str | None) -> Message | None:
    return None if id is None else memory.message(id)


def _quoted(memory: Memory, id: str | None) -> str:
    found = _source(memory, id)
    return f"“{cut(found.text, _QUOTED)}” ({found.id})" if found else ""


def _named(memory: Memory, state: State, id: str) -> str:
    found = next((i for i in items_of(state) if i.id == id), None)
    return f"{id} “{found.text}”" if found else _quoted(memory, id) or id
