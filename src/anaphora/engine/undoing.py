"""Taking back: an item of the working state, or all that a message changed in it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from anaphora.engine.place import Place
from anaphora.engine.states import change_state, read_state
from anaphora.errors import NotFound
from anaphora.memory.items import Item, Operation, closed_by, items_of
from anaphora.memory.working import Work
from anaphora.ports import Transaction
from anaphora.types import Event, Goal, State, Undone

__all__ = ["change_by_hand", "undo"]

_KIND = "undoing"  # for each author, when something was last taken out or changed by hand
_BACK = 200  # messages of a session among which the last that changed something is looked for


def change_by_hand(tx: Transaction, place: Place, operations: Sequence[Operation], now: datetime, author: str) -> State:
    """Change the state; where that takes out or changes and brings in nothing, remember it, for it cannot be undone."""
    before = {i.id: i for i in items_of(read_state(tx))}
    state = change_state(tx, place, operations, now, author)
    after = {i.id: i for i in items_of(state)}
    if after != before and after.keys() <= before.keys():
        tx.put(_KIND, author, {"at": now.isoformat()})
    return state


def undo(tx: Transaction, place: Place, name: str | None, author: str, now: datetime) -> Undone:
    """Without a name: what was done last, by hand or by a message of this session."""
    before = read_state(tx)
    work = Work(before, author=author, at=now)
    work.undo(_last_change(tx, place, before, author) if name is None else name)
    after = change_state(tx, place, work.operations, now, author)
    left = {i.id: i for i in items_of(after)}
    removed = [i for i in items_of(before) if i.id not in left]
    restored = [left[i.id] for i in items_of(before) if not i.open and i.id in left and left[i.id].open]
    data = {"removed": [i.id for i in removed], "restored": [i.id for i in restored]}
    tx.emit(Event("state.undone", now, place.session, author=author, data=data))
    return Undone(tuple(i.text for i in removed), tuple(i.text for i in restored))


def _last_change(tx: Transaction, place: Place, state: State, author: str) -> str:
    """The newest of what was set by this author's hand and of the messages of this session that changed something."""
    items = items_of(state)
    by_hand = [(_made(i), i.id) for i in items if i.message_id is None and i.author == author]
    changed = {i.message_id: _made(i)[1] for i in items} | {closed_by(i): 0 for i in items if not i.open}
    said = tx.messages(session=place.session, last=_BACK)
    by_message = [((m.at, changed[m.id]), m.id) for m in said if m.id in changed]
    taken = tx.document(_KIND, author)
    newest = max([*by_hand, *by_message], default=None)
    if taken is not None and (newest is None or newest[0][0] <= datetime.fromisoformat(taken.body["at"])):
        raise NotFound(
            "What was done last took out or changed an item by hand, which cannot be undone.",
            remedy="Set it as it was, or name an item to take back.",
        )
    if newest is None:
        raise NotFound("Nothing was changed here that could be undone.", remedy="Name an item.")
    return newest[1]


def _made(item: Item) -> tuple[datetime, int]:
    number = item.id.rpartition("-")[2]
    return item.created if isinstance(item, Goal) else item.at, int(number) if number.isdecimal() else 0
