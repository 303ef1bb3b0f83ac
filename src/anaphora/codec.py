"""Values to plain JSON data and back, by their type hints alone: one way for the store, the CLI and the exports."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from anaphora.errors import FormatError

__all__ = ["from_plain", "parse_time", "time_text", "to_plain"]

T = TypeVar("T")

_Plainer = Callable[[Any, bool], Any]
"""Makes a value plain; whether it leaves out fields that have their default."""


def time_text(at: datetime) -> str:
    """ISO 8601 in UTC with a Z, to the second where nothing finer is known."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def parse_time(text: str) -> datetime:
    """The time that `time_text` wrote, or any ISO 8601 time that has a zone."""
    written = "Write it like 2025-11-03T14:23:45Z."
    try:
        at = datetime.fromisoformat(text)
    except (TypeError, ValueError) as error:
        raise FormatError(f"{text!r} is not an ISO 8601 time.", remedy=written) from error
    if at.tzinfo is None:
        raise FormatError(f"The time {text!r} has no zone.", remedy=written)
    try:
        return at.astimezone(UTC)
    except OverflowError as error:
        raise FormatError(f"The time {text!r} is out of range.") from error


def to_plain(value: Any, *, lean: bool = False) -> Any:
    """The value as dicts, lists, strings and numbers. `lean` leaves out fields that have their default."""
    plain = _plainer_of(cast(Any, type(value)))
    return value if plain is None else plain(value, lean)


@cache
def _plainer_of(cls: Any) -> _Plainer | None:
    """How values of a class are made plain; None where they are plain already."""
    if issubclass(cls, str | int | float | types.NoneType):
        return None
    if issubclass(cls, datetime):
        return lambda at, _: time_text(at)
    if issubclass(cls, timedelta):
        return lambda time, _: time.total_seconds()
    if issubclass(cls, Mapping):
        return lambda values, lean: {str(k): to_plain(v, lean=lean) for k, v in values.items()}
    if issubclass(cls, tuple | list):
        return lambda values, lean: [to_plain(v, lean=lean) for v in values]
    if is_dataclass(cls):
        return _plain_fields
    raise TypeError(f"{cls.__name__} has no plain form")


def _plain_fields(value: Any, lean: bool) -> dict[str, Any]:
    found = {}
    for name, default, plain in _shape(cast(Any, type(value))):
        held = getattr(value, name)
        if not (lean and held == default):
            found[name] = held if plain is None or held is None else plain(held, lean)
    return found


@cache
def _shape(cls: Any) -> tuple[tuple[str, Any, _Plainer | None], ...]:
    """The fields of a class with their defaults, and how each is made plain; None where it is plain already."""
    hints = get_type_hints(cls)
    return tuple((f.name, _default(f), _plainer(hints[f.name])) for f in fields(cls))


def _plainer(hint: Any) -> _Plainer | None:
    origin, args = get_origin(hint), get_args(hint)
    if hint in (str, int, float, bool, type(None)) or origin is Literal:
        return None
    if origin in (Union, types.UnionType):
        inner = [_plainer(one) for one in args if one is not type(None)]
        return inner[0] if len(inner) == 1 else _plain_anything
    if origin is tuple:
        return _plain_tuple(args)
    if hint is datetime:
        return lambda at, _: time_text(at)
    return _plain_fields if is_dataclass(hint) else _plain_anything


def _plain_tuple(args: tuple[Any, ...]) -> _Plainer:
    inner = _plainer(args[0])
    if len(args) == 2 and args[1] is Ellipsis and inner is not None:
        return lambda values, lean: [inner(value, lean) for value in values]
    as_they_are = all(one is Ellipsis or _plainer(one) is None for one in args)
    return (lambda values, _: list(values)) if as_they_are else _plain_anything


def _plain_anything(value: Any, lean: bool) -> Any:
    return to_plain(value, lean=lean)


def from_plain(cls: type[T], data: Any) -> T:
    """The value of type `cls` that `to_plain` turned into `data`; unknown keys are ignored, wrong types are errors."""
    try:
        build: Callable[[Any], T] = _builder(cast(Any, cls))
        return build(data)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise FormatError(f"This is no {cls.__name__}: {error}.") from error


def _default(field: Any) -> Any:
    if field.default is not MISSING:
        return field.default
    return field.default_factory() if field.default_factory is not MISSING else MISSING


@cache
def _builder(hint: Any) -> Callable[[Any], Any]:
    """How a value of this type is made from plain data; worked out once a type."""
    origin, args = get_origin(hint), get_args(hint)
    if hint is Any:
        return lambda data: data
    if origin in (Union, types.UnionType):
        return _optional_builder(args)
    if origin is Literal:
        return partial(_one_of, args)
    if origin is tuple:
        return _tuple_builder(args)
    if origin is not None and issubclass(origin, Mapping):
        return _mapping_builder(_builder(args[1]))
    if is_dataclass(hint):
        return _dataclass_builder(hint)
    return parse_time if hint is datetime else partial(_scalar, hint)


def _optional_builder(args: tuple[Any, ...]) -> Callable[[Any], Any]:
    inner = _builder(next(a for a in args if a is not type(None)))
    return lambda data: None if data is None else inner(data)


def _one_of(allowed: tuple[Any, ...], data: Any) -> Any:
    if data not in allowed:
        raise ValueError(f"{data!r} is none of {allowed}")
    return data


def _tuple_builder(args: tuple[Any, ...]) -> Callable[[Any], Any]:
    if len(args) == 2 and args[1] is Ellipsis:
        inner = _builder(args[0])
        return lambda data: tuple([inner(v) for v in _list(data)])
    parts, plain = [_builder(a) for a in args], list(args)

    def build(data: Any) -> tuple[Any, ...]:
        if [type(v) for v in _list(data)] == plain:
            return tuple(data)
        if len(data) != len(parts):
            raise ValueError(f"{data!r} has not {len(parts)} parts")
        return tuple([part(v) for part, v in zip(parts, data, strict=True)])

    return build


def _list(data: Any) -> Any:
    if type(data) is not list and not isinstance(data, list | tuple):
        raise TypeError(f"{data!r} is no list")
    return data


def _mapping(data: Any) -> Any:
    if type(data) is not dict and not isinstance(data, Mapping):
        raise TypeError(f"{data!r} is no object")
    return data


def _mapping_builder(inner: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda data: {k: inner(v) for k, v in _mapping(data).items()}


def _dataclass_builder(cls: Any) -> Callable[[Any], Any]:
    hints = get_type_hints(cls)
    parts = {f.name: _builder(hints[f.name]) for f in fields(cls)}

    plain = {name: hint for name, hint in hints.items() if hint in (str, int, float, bool)}  # these are as they are

    def build(data: Any) -> Any:
        return cls(
            **{
                name: value if type(value) is plain.get(name) else parts[name](value)
                for name, value in _mapping(data).items()
                if name in parts
            }
        )

    return build


def _scalar(hint: Any, data: Any) -> Any:
    if type(data) is hint:
        return data
    if hint is float and isinstance(data, int) and not isinstance(data, bool):
        return float(data)
    if not isinstance(data, hint) or (isinstance(data, bool) and hint is not bool):
        raise TypeError(f"{data!r} is no {hint.__name__}")
    return data
