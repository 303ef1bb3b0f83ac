"""Where a memory works: its store and scope, who speaks for it, and the settings it goes by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from anaphora.codec import from_plain, to_plain
from anaphora.memory.working import Operation, apply
from anaphora.ports import Clock, Store, Transaction, View
from anaphora.settings import Settings
from anaphora.types import Event, Scope, State

__all__ = ["Place", "change_state", "read_state"]

_STATE = ("state", "working")


@dataclass(frozen=True, slots=True)
class Place:
    store: Store
    scope: Scope
    session: str
    author: str
    settings: Settings
    clock: Clock

    @property
    def view(self) -> View:
        return self.store.view(self.scope)


def read_state(view: View) -> State:
    document = view.document(*_STATE)
    return State() if document is None else replace(from_plain(State, document.body), version=document.version)


def change_state(
    tx: Transaction,
    place: Place,
    operations: Sequence[Operation],
    at: datetime,
    author: str,
    message_id: str | None = None,
) -> State:
    """Apply operations to the newest state, inside the transaction that reads it: no update is ever lost."""
    old = read_state(tx)
    new = apply(old, operations)
    if new == old:
        return old
    version = tx.put(*_STATE, to_plain(replace(new, version=0), lean=True))
    named = ("goals", "actions", "decisions", "constraints", "notes", "facts", "files")
    changed = [name for name in named if getattr(new, name) != getattr(old, name)]
    if changed:
        data = {"changed": changed, "version": version}
        tx.emit(Event("state.changed", at, place.session, message_id=message_id, author=author, data=data))
    return replace(new, version=version)
