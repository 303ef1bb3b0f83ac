"""Values to plain JSON data and back, by their type hints alone: one way for the store, the CLI and the exports."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from anaphora.errors import FormatError

__all__ = ["from_plain", "parse_time", "time_text", "to_plain"]

T = TypeVar("T")


def time_text(at: datetime) -> str:
    """ISO 8601 in UTC with a Z, to the second where nothing finer is known."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def parse_time(text: str) -> datetime:
    """The time that `time_text` wrote, or any ISO 8601 time that has a zone."""
    try:
        at = datetime.fromisoformat(text)
    except (TypeError, ValueError) as error:
        raise FormatError(f"{text!r} is not an ISO 8601 time.") from error
    if at.tzinfo is None:
        raise FormatError(f"The time {text!r} has no zone.", remedy="Write it like 2025-11-03T14:23:45Z.")
    try:
        return at.astimezone(UTC)
    except OverflowError as error:
        raise FormatError(f"The time {text!r} is out of range.") from error


def to_plain(value: Any, *, lean: bool = False) -> Any:
    """The value as dicts, lists, strings and numbers. `lean` leaves out fields that have their default."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, datetime):
        return time_text(value)
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, Mapping):
        return {str(k): to_plain(v, lean=lean) for k, v in value.items()}
    if isinstance(value, tuple | list):
        return [to_plain(v, lean=lean) for v in value]
    if is_dataclass(value) and not isinstance(value, type):
        pairs = ((name, getattr(value, name), default) for name, default in _defaults(type(value)))
        return {name: to_plain(v, lean=lean) for name, v, default in pairs if not (lean and v == default)}
    raise TypeError(f"{type(value).__name__} has no plain form")


def from_plain(cls: type[T], data: Any) -> T:
    """The value of type `cls` that `to_plain` turned into `data`; unknown keys are ignored, wrong types are errors."""
    try:
        return _build(cls, data)  # type: ignore[no-any-return]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(f"This is no {cls.__name__}: {error}.") from error


@cache
def _defaults(cls: type) -> tuple[tuple[str, Any], ...]:
    def default(f: Any) -> Any:
        if f.default is not MISSING:
            return f.default
        return f.default_factory() if f.default_factory is not MISSING else MISSING

    return tuple((f.name, default(f)) for f in fields(cls))


@cache
def _hints(cls: type) -> dict[str, Any]:
    hints = get_type_hints(cls)
    return {f.name: hints[f.name] for f in fields(cls)}


def _build(hint: Any, data: Any) -> Any:
    origin, args = get_origin(hint), get_args(hint)
    if hint is Any:
        return data
    if origin in (Union, types.UnionType):
        if data is None and type(None) in args:
            return None
        return _build(next(a for a in args if a is not type(None)), data)
    if origin is Literal:
        if data not in args:
            raise ValueError(f"{data!r} is none of {args}")
        return data
    if origin is tuple:
        return _build_tuple(args, data)
    if origin is not None and issubclass(origin, Mapping):
        return {k: _build(args[1], v) for k, v in data.items()}
    if is_dataclass(hint):
        return _build_dataclass(hint, data)
    return _build_scalar(hint, data)


def _build_tuple(args: tuple[Any, ...], data: Any) -> tuple[Any, ...]:
    if not isinstance(data, list | tuple):
        raise TypeError(f"{data!r} is no list")
    if len(args) == 2 and args[1] is Ellipsis:
        return tuple(_build(args[0], v) for v in data)
    if len(args) != len(data):
        raise ValueError(f"{data!r} has not {len(args)} parts")
    return tuple(_build(a, v) for a, v in zip(args, data, strict=True))


def _build_dataclass(cls: Any, data: Any) -> Any:
    if not isinstance(data, Mapping):
        raise TypeError(f"{data!r} is no object")
    return cls(**{name: _build(hint, data[name]) for name, hint in _hints(cls).items() if name in data})


def _build_scalar(hint: Any, data: Any) -> Any:
    if hint is datetime:
        return parse_time(data)
    if hint is float and isinstance(data, int) and not isinstance(data, bool):
        return float(data)
    if not isinstance(data, hint) or (isinstance(data, bool) and hint is not bool):
        raise TypeError(f"{data!r} is no {hint.__name__}")
    return data
