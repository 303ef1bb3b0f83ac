"""Taking back: an item of the working state, or all that a message changed in it."""

from __future__ import annotations

from datetime import datetime

from anaphora.engine.place import Place, change_state, read_state
from anaphora.errors import NotFound
from anaphora.memory.items import items_of, tasks_of
from anaphora.memory.working import Work
from anaphora.ports import Transaction
from anaphora.types import Event, State, Undone

__all__ = ["undo"]

_BACK = 200  # messages of a session in which the last one that changed something is looked for


def undo(tx: Transaction, place: Place, name: str | None, author: str, now: datetime) -> Undone:
    """Without a name: what the last message of this session that changed anything has changed."""
    before = read_state(tx)
    work = Work(before, author=author, at=now)
    work.undo(_last_change(tx, place, before) if name is None else name)
    after = change_state(tx, place, work.operations, now, author)
    left = {i.id: i for i in items_of(after)}
    removed = [i for i in items_of(before) if i.id not in left]
    restored = [left[i.id] for i in items_of(before) if not i.open and i.id in left and left[i.id].open]
    data = {"removed": [i.id for i in removed], "restored": [i.id for i in restored]}
    tx.emit(Event("state.undone", now, place.session, author=author, data=data))
    return Undone(tuple(i.text for i in removed), tuple(i.text for i in restored))


def _last_change(tx: Transaction, place: Place, state: State) -> str:
    changed = {i.message_id for i in items_of(state)} | {task.closed_by for task in tasks_of(state)}
    for message in reversed(tx.messages(session=place.session, last=_BACK)):
        if message.id in changed:
            return message.id
    raise NotFound("No message of this session has changed anything that could be undone.", remedy="Name an item.")
