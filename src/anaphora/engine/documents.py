"""Documents as values. The same few are read with every message, so the last ones are not taken apart anew."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar, cast

from anaphora.codec import from_plain, to_plain
from anaphora.engine.rehearsing import Rehearsal
from anaphora.ports import Document, Transaction

__all__ = ["forget_documents", "made_of", "put_value", "value_of"]

T = TypeVar("T")

_MOST = 1024
_Key = tuple[object, str, str]
_KEPT: OrderedDict[_Key, tuple[Document, Any]] = OrderedDict()  # with the document that they were made of


def value_of(cls: type[T], document: Document, number: int | None = None) -> T:
    """What the document holds; `number` is its place in a list, for values that know theirs."""
    if number is None:
        return made_of(document, cls, lambda: from_plain(cls, document.body))
    return made_of(document, (cls, number), lambda: cast(T, replace(cast(Any, value_of(cls, document)), number=number)))


def made_of(document: Document, what: object, make: Callable[[], T]) -> T:
    """What is made of a document, anew only where the document is another one. Nobody may change what they get."""
    key = (what, document.kind, document.id)
    kept = _KEPT.get(key)
    if kept is not None and kept[0] is document:
        return cast(T, kept[1])
    value = cast(T, kept[1]) if kept is not None and kept[0] == document else make()
    _keep(key, document, value)
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

    def __eq__(self, other: object) -> bool:
        return self._value == other._value if isinstance(other, _Plain) else super().__eq__(other)


def put_value(tx: Transaction, kind: str, id: str, value: Any) -> int:
    """Write a document that holds the value; its new version."""
    version = tx.put(kind, id, _Plain(value) if isinstance(tx, Rehearsal) else to_plain(value, lean=True))
    stored = tx.document(kind, id)  # as whoever reads it next will get it
    if stored is not None:
        _keep((type(value), kind, id), stored, value)
    return version


def _keep(key: _Key, document: Document, value: object) -> None:
    _KEPT[key] = (document, value)
    while len(_KEPT) > _MOST:
        _KEPT.popitem(last=False)


def forget_documents() -> None:
    """Keep nothing of what was read."""
    _KEPT.clear()
