"""JSON Lines, an object a line: read with errors that name line and field, written compactly."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from anaphora.codec import parse_time, to_plain
from anaphora.errors import FormatError

__all__ = ["Record", "compact", "extra_metadata", "parse", "records", "with_extra"]

_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")
_NOT_STORABLE = "holds a NUL or half of a surrogate pair, which cannot be stored."
_EXTRA = "extra"


@dataclass(frozen=True, slots=True)
class Record:
    """One JSON object of a file. `where` is its place there, as errors name it."""

    where: str
    fields: Mapping[str, Any]

    def error(self, key: str, problem: str, *, remedy: str | None = None) -> FormatError:
        return FormatError(f"{self.where}: field {key!r} {problem}", remedy=remedy)

    def text(self, key: str) -> str:
        value = self.text_or_none(key)
        if value is None:
            raise self.error(key, "is null, but must be a text." if key in self.fields else "is missing.")
        return value

    def text_or_none(self, key: str) -> str | None:
        """None where the field is absent or null."""
        value = self.fields.get(key)
        return None if value is None else self._text(key, value)

    def texts(self, key: str) -> tuple[str, ...]:
        """The list of texts; empty where the field is absent or null."""
        return tuple(self._text(key, value) for value in self.items(key) or ())

    def items(self, key: str) -> list[Any] | None:
        """The list, whatever it holds; None where the field is absent or null."""
        value = self.fields.get(key)
        if value is not None and not isinstance(value, list):
            raise self.error(key, f"is {_kind(value)}, but must be a list.")
        return value

    def time(self, key: str) -> datetime:
        text = self.text(key)
        try:
            return parse_time(text)
        except FormatError as error:
            raise self.error(key, f"is no time: {error.args[0]}", remedy=error.remedy) from error
        except OverflowError as error:  # its zone carries it out of the years 1 to 9999
            raise self.error(key, f"is no time: {text!r} is out of range.") from error

    def time_or_none(self, key: str) -> datetime | None:
        return None if self.fields.get(key) is None else self.time(key)

    def flag_or_none(self, key: str) -> bool | None:
        value = self.fields.get(key)
        if value is not None and not isinstance(value, bool):
            raise self.error(key, f"is {_kind(value)}, but must be true or false.")
        return value

    def count_or_none(self, key: str) -> int | None:
        value = self.fields.get(key)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 0):
            raise self.error(key, "must be a whole number from 0 up.")
        return value

    def extra(self, known: Container[str]) -> dict[str, Any]:
        """The fields that the format does not know, in their order."""
        extra = {key: value for key, value in self.fields.items() if key not in known}
        for key, value in extra.items():
            if not _storable([key, value]):
                raise self.error(key, _NOT_STORABLE)
        return extra

    def _text(self, key: str, value: Any) -> str:
        if not isinstance(value, str):
            raise self.error(key, f"holds {_kind(value)} where a text must be.")
        if not _storable(value):
            raise self.error(key, _NOT_STORABLE)
        return value


def records(lines: Iterable[str]) -> Iterator[Record]:
    """The objects of a file, one at a time; blank lines and a byte-order mark are passed over.

    Lines end at a line feed, as iterating over an open file gives them; `str.splitlines` cuts in more places.
    """
    number = 0
    try:
        for number, line in enumerate(lines, start=1):
            text = line.removeprefix("\ufeff") if number == 1 else line
            if text.strip():
                yield Record(f"Line {number}", parse(text, where=f"Line {number}"))
    except UnicodeDecodeError as error:
        # A file is decoded some kilobytes ahead, so the line is known only from below.
        raise FormatError(
            f"After line {number} there is something that is no UTF-8 text.", remedy="Save the file as UTF-8."
        ) from error


def parse(text: str, *, where: str) -> dict[str, Any]:
    """The object that the text holds. Numbers that JSON cannot write back (NaN, 1e999) are errors."""
    try:
        value = json.loads(text, parse_constant=_refuse_number, parse_float=_finite)
    except json.JSONDecodeError as error:
        raise FormatError(f"{where} is no JSON: {error.msg} at column {error.colno}.") from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{where} is no JSON that can be kept: {error}.") from error
    if not isinstance(value, dict):
        raise FormatError(f"{where} is {_kind(value)}, but must be an object.")
    return value


def compact(fields: Mapping[str, Any], *, subject: str) -> str:
    """The line, without its line feed. `subject` says what it is about, should it be impossible to write."""
    try:
        return json.dumps(to_plain(fields), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise FormatError(f"{subject} cannot be written as JSON: {error}.") from error


def extra_metadata(extra: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata of a message whose record had fields beyond the format's."""
    return {_EXTRA: extra} if extra else {}


def with_extra(fields: dict[str, Any], metadata: Mapping[str, Any], known: Container[str]) -> dict[str, Any]:
    """The fields, and after them those that `extra_metadata` kept."""
    extra = metadata.get(_EXTRA)
    if not isinstance(extra, Mapping):  # the word is free for others to use in their metadata
        return fields
    return fields | {key: value for key, value in extra.items() if key not in known}


def _refuse_number(name: str) -> float:
    raise ValueError(f"{name} is no number")


def _finite(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _refuse_number(digits)


def _storable(value: Any) -> bool:
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            if _UNSTORABLE.search(item):
                return False
        elif isinstance(item, dict):
            waiting.extend((*item, *item.values()))
        elif isinstance(item, list):
            waiting.extend(item)
    return True


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    names = {bool: "true or false", str: "a text", list: "a list", dict: "an object"}
    return names.get(type(value), "a number")
