"""The working state in the store: a document for each of its lists and one for the rest, so that a message reads and
writes what it changes and no more."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from anaphora.engine.documents import put_value, value_of
from anaphora.engine.place import Place
from anaphora.memory.items import LISTS, Operation
from anaphora.memory.working import apply
from anaphora.ports import Document, Transaction, View
from anaphora.types import Event, State

__all__ = ["change_state", "read_state"]

_KIND, _REST = "state", "rest"  # each document is a state in which only its own part is filled
_WHOLE = "working"  # a store of before had all of it in one document
_NO_LISTS: dict[str, Any] = dict.fromkeys(LISTS, ())


def read_state(view: View) -> State:
    """All of it; its version is that of the rest, which changes with every change."""
    return _put_together(view.documents(_KIND))


def change_state(
    tx: Transaction,
    place: Place,
    operations: Sequence[Operation],
    at: datetime,
    author: str,
    message_id: str | None = None,
    *,
    lists: Collection[str] = LISTS,
) -> State:
    """Apply operations to the newest state, inside the transaction that reads it: no update is ever lost. `lists` are
    those that the operations look at or change; the state that they are given, and the one that comes back, has no
    others."""
    _take_apart(tx)
    old = read_state(tx) if len(lists) == len(LISTS) else _part_of(tx, lists)
    new = apply(old, operations)
    if new == old:
        return old
    changed = [name for name in (*LISTS, "files") if getattr(new, name) != getattr(old, name)]
    for name in changed:
        if name in LISTS:
            put_value(tx, _KIND, name, replace(State(), **{name: getattr(new, name)}))
    version = put_value(tx, _KIND, _REST, replace(new, **_NO_LISTS, version=0))
    if changed:
        data = {"changed": changed, "version": version}
        tx.emit(Event("state.changed", at, place.session, message_id=message_id, author=author, data=data))
    return replace(new, version=version)


def _take_apart(tx: Transaction) -> None:
    """What is in one document yet, into its parts."""
    whole = None if tx.document(_KIND, _REST) is not None else tx.document(_KIND, _WHOLE)
    if whole is None:
        return
    state = value_of(State, whole)
    for name in LISTS:
        put_value(tx, _KIND, name, replace(State(), **{name: getattr(state, name)}))
    put_value(tx, _KIND, _REST, replace(state, **_NO_LISTS))
    tx.drop(_KIND, _WHOLE)


def _part_of(view: View, lists: Collection[str]) -> State:
    found = (view.document(_KIND, name) for name in (_REST, *lists))
    return _put_together([document for document in found if document is not None])


def _put_together(documents: Sequence[Document]) -> State:
    by_name = {document.id: document for document in documents}
    rest = by_name.get(_REST) or by_name.get(_WHOLE)
    state, version = (State(), 0) if rest is None else (value_of(State, rest), rest.version)
    parts = {name: getattr(value_of(State, by_name[name]), name) for name in LISTS if name in by_name}
    return replace(state, version=version, **parts)
