"""Rows to values and back: what a message, an event and a document look like at rest.

Of a message the columns are read at once; what was understood of it (`found`) is several times as long, seldom asked
for, and taken apart when it first is.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Any, get_type_hints

from anaphora.codec import from_plain, to_plain
from anaphora.errors import FormatError, StoreUnreadable
from anaphora.ports import Document
from anaphora.stores.compact import as_text, restored, shortened, squeezed, unsqueezed
from anaphora.types import Event, Message

__all__ = [
    "EVENT",
    "MESSAGE",
    "Row",
    "checksum",
    "compact_json",
    "document_of",
    "event_of",
    "forget_read",
    "message_of",
    "micros",
    "row_of",
]

Row = tuple[Any, ...]

MESSAGE = "seq, id, at, session, conversation, role, speaker, text, expanded, found"
EVENT = "seq, at, kind, session, conversation, message, author, data"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_COLUMNS = ("id", "seq", "at", "session", "conversation_id", "role", "speaker", "text", "expanded")  # else `found`
_FOUND = {name: hint for name, hint in get_type_hints(Message).items() if name not in _COLUMNS}
_DEFAULTS: Mapping[str, Any] = {
    f.name: {} if f.name == "metadata" else f.default for f in fields(Message) if f.name in _FOUND
}
_REMEMBERED: OrderedDict[bytes, Mapping[str, Any]] = OrderedDict()  # what was understood, by what is stored of it
_REMEMBERED_MOST, _REMEMBERED_BYTES = 1024, 1500


# --- messages -----------------------------------------------------------------------------------------------------


class _StoredMessage(Message):
    """A message whose fields beside the columns are not there yet; whoever asks for one gets it."""

    __slots__ = ("_found",)
    _found: bytes

    @property  # type: ignore[misc]
    def __class__(self) -> type[Message]:  # type: ignore[override]
        """To equality, `replace` and `repr` it is a message like any other; so are its copies."""
        return Message

    def __reduce__(self) -> tuple[type[Message], Row]:
        return Message, tuple([getattr(self, field.name) for field in fields(Message)])

    def __getattr__(self, name: str) -> Any:
        if name not in _FOUND:
            raise AttributeError(f"A message has no {name!r}")
        parts = _understood(self._found, self.id)
        remembered = len(self._found) <= _REMEMBERED_BYTES  # else it is not taken apart once more for the next field
        for part in (name,) if remembered else parts:
            value = deepcopy(parts[part]) if part == "metadata" else parts[part]  # which a caller could change
            object.__setattr__(self, part, value)  # it is frozen for everyone else
        return getattr(self, name)


# How each field is set in a message that is frozen: twice as fast as by its name, and a message is nothing else.
_id, _seq, _at, _session, _conversation, _role, _speaker, _text, _expanded = (
    getattr(Message, name).__set__ for name in _COLUMNS
)
_found = _StoredMessage.__dict__["_found"].__set__
_new = object.__new__


def message_of(row: Row) -> Message:
    """The message of a row of the columns `MESSAGE`."""
    seq, id, at, session, conversation, role, speaker, text, expanded, found = row
    message = _new(_StoredMessage)
    _id(message, id)
    _seq(message, seq)
    _at(message, _EPOCH + timedelta(0, 0, at))
    _session(message, session)
    _conversation(message, conversation)
    _role(message, role)
    _speaker(message, speaker)
    _text(message, text)
    _expanded(message, expanded if expanded is None else restored(expanded, text))
    _found(message, found)
    return message


def row_of(message: Message) -> Row:
    """The columns of a message, all but the first, which is its sequence number."""
    values = ((name, getattr(message, name), default) for name, default in _DEFAULTS.items())
    parts = {name: value for name, value, default in values if value != default}
    found = squeezed(compact_json({name: to_plain(value, lean=True) for name, value in parts.items()}))
    lists = any(isinstance(value, list) for value in parts.values())  # which their owner may change
    if "metadata" not in parts and not lists:  # that may hold what comes back as something else, and is the caller's
        _remember(found, {**_DEFAULTS, **parts})
    expanded = None if message.expanded is None else shortened(message.expanded, message.text)
    return (
        *(message.id, micros(message.at), message.session, message.conversation_id),
        *(message.role, message.speaker, message.text, expanded, found),
    )


def forget_read(message: Message | None = None) -> None:
    """Remember nothing of the messages that were read or written, or of this one, which was read."""
    if message is None or not isinstance(found := getattr(message, "_found", None), bytes):
        _REMEMBERED.clear()
    else:
        _REMEMBERED.pop(found, None)


def _understood(found: bytes, id: str) -> Mapping[str, Any]:
    """The last messages of a chat are read again with each new one, so the short ones among those that were read or
    written lately are not taken apart anew."""
    known = _REMEMBERED.get(found)
    if known is not None:
        return known
    try:
        parts = _parts(found)
    except (AttributeError, ValueError, FormatError) as error:
        raise _damaged(f"message {id!r}", error) from error
    _remember(found, parts)
    return parts


def _remember(found: bytes, parts: Mapping[str, Any]) -> None:
    if len(found) <= _REMEMBERED_BYTES:
        _REMEMBERED[found] = parts
        while len(_REMEMBERED) > _REMEMBERED_MOST:
            _REMEMBERED.popitem(last=False)


def _parts(found: bytes) -> Mapping[str, Any]:
    data = json.loads(unsqueezed(found))
    return {**_DEFAULTS, **{name: from_plain(_FOUND[name], value) for name, value in data.items() if name in _FOUND}}


# --- events and documents -----------------------------------------------------------------------------------------


def event_of(row: Row) -> Event:
    seq, at, kind, session, conversation, message, author, data = row
    return Event(
        kind, _EPOCH + timedelta(0, 0, at), session, seq, conversation, message, author, _json(data, f"event {seq}")
    )


class _StoredDocument(Document):
    """A document whose body is not taken apart yet; whoever asks for it gets it. Two of the same text are equal without
    that: documents are read far more often than they change."""

    __slots__ = ("_text",)
    _text: str

    @property  # type: ignore[misc]
    def __class__(self) -> type[Document]:  # type: ignore[override]
        return Document

    def __reduce__(self) -> tuple[type[Document], Row]:
        return Document, (self.kind, self.id, self.version, self.body)

    def __getattr__(self, name: str) -> Any:
        if name != "body":
            raise AttributeError(f"A document has no {name!r}")
        body = _json(self._text, f"{self.kind} {self.id!r}")
        object.__setattr__(self, "body", body)  # it is frozen for everyone else
        return body

    def __eq__(self, other: object) -> bool:
        if type(other) is not _StoredDocument:
            return super().__eq__(other)
        alike = (self.kind, self.id, self.version) == (other.kind, other.id, other.version)
        return alike and (self._text == other._text or self.body == other.body)


_kind_of, _id_of, _version_of, _text_of = (
    getattr(_StoredDocument, name).__set__ for name in ("kind", "id", "version", "_text")
)


def document_of(kind: str, id: str, version: int, body: str) -> Document:
    document = _new(_StoredDocument)
    _kind_of(document, kind)
    _id_of(document, id)
    _version_of(document, version)
    _text_of(document, body)
    return document


# --- common to all ------------------------------------------------------------------------------------------------


def micros(at: datetime) -> int:
    return (at - _EPOCH) // _MICROSECOND


def checksum(row: Sequence[Any]) -> bytes:
    """Eight bytes that change with any value of a row."""
    return blake2b(_spaced(row).encode(), digest_size=8).digest()


_spaced = json.JSONEncoder(ensure_ascii=False, default=as_text).encode  # its spaces are part of every checksum
compact_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _json(text: str, what: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise _damaged(what, error) from error


def _damaged(what: str, error: Exception) -> StoreUnreadable:
    return StoreUnreadable(f"The {what} in the store is damaged: {error}.", remedy="Restore a backup.")
