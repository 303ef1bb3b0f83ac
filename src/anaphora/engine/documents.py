"""Documents as values. The same few are read with every message, so the last ones are not taken apart anew."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar, cast

from anaphora.codec import from_plain, to_plain
from anaphora.engine.rehearsing import Rehearsal
from anaphora.ports import Document, Transaction

__all__ = ["forget_documents", "put_value", "value_of"]

T = TypeVar("T")

_MOST = 512
_Key = tuple[type, str, str, int | None]
_KEPT: OrderedDict[_Key, tuple[Mapping[str, Any], object]] = OrderedDict()  # by the body that they were made of


def value_of(cls: type[T], document: Document, number: int | None = None) -> T:
    """What the document holds; `number` is its place in a list, for values that know theirs."""
    kept = _KEPT.get((cls, document.kind, document.id, number))
    if kept is not None and (kept[0] is document.body or kept[0] == document.body):
        return cast(T, kept[1])
    if number is None:
        value = from_plain(cls, document.body)
    else:
        value = replace(cast(Any, value_of(cls, document)), number=number)
    _keep((cls, document.kind, document.id, number), document.body, value)
    return value


class _Plain(Mapping[str, Any]):
    """A value as it will be stored; taken apart when someone looks, since most are written over before that."""

    def __init__(self, value: Any) -> None:
        self._value = value
        self._made: dict[str, Any] | None = None

    def _parts(self) -> dict[str, Any]:
        if self._made is None:
            self._made = to_plain(self._value, lean=True)
        return self._made

    def __getitem__(self, name: str) -> Any:
        return self._parts()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts())

    def __len__(self) -> int:
        return len(self._parts())


def put_value(tx: Transaction, kind: str, id: str, value: Any) -> int:
    """Write a document that holds the value; its new version."""
    body = _Plain(value) if isinstance(tx, Rehearsal) else to_plain(value, lean=True)
    _keep((type(value), kind, id, None), body, value)
    return tx.put(kind, id, body)


def _keep(key: _Key, body: Mapping[str, Any], value: object) -> None:
    _KEPT[key] = (body, value)
    while len(_KEPT) > _MOST:
        _KEPT.popitem(last=False)


def forget_documents() -> None:
    """Keep nothing of what was read."""
    _KEPT.clear()
