"""What may come in: each check returns the value as it will be used, or says what is wrong with it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from anaphora.errors import BadText, BadTime, InputError
from anaphora.understanding.patterns import expression
from anaphora.understanding.redaction import holds_secret, redact, redact_all
from anaphora.understanding.text import says_nothing

__all__ = [
    "checked_count",
    "checked_each",
    "checked_example",
    "checked_file",
    "checked_flag",
    "checked_id_or_none",
    "checked_key",
    "checked_label",
    "checked_metadata",
    "checked_name",
    "checked_path",
    "checked_text",
    "checked_time",
    "checked_title",
    "refuse_secret",
]

T = TypeVar("T")

_LONGEST_NAME = 256
_LONGEST_EXAMPLE = 2000
_NUL_IN_JSON = expression(r"(?<!\\)(?:\\\\)*\\u0000")  # those six characters, if said themselves, are escaped


def checked_text(text: str, most: int, what: str = "message", *, empty: str = "Say something.") -> str:
    """A message, or what is asked for, that can be stored and comes back as it was; `empty` is what to do where it
    says nothing."""
    if not isinstance(text, str):
        raise BadText(f"The {what} must be a text, not {type(text).__name__}.")
    if says_nothing(text):
        raise BadText(f"The {what} is empty.", remedy=empty)
    if len(text) > most:
        raise BadText(
            f"The {what} has {len(text):,} characters, more than {most:,}.",
            remedy="Split it, or raise the setting max_message_chars.",
        )
    _check_storable(what, text)
    return text


def checked_name(what: str, name: str) -> str:
    """A user, agent, project, session, speaker, author or id. It must stay what it is, so a secret is refused."""
    _check_short(what, name)
    refuse_secret(what, name)
    return name


def checked_id_or_none(id: str | None) -> str | None:
    """The id of another message, where there is one."""
    return None if id is None else checked_name("id that is replied to", id)


def checked_key(what: str, key: str) -> str:
    """What something is looked for by: any text, since one that names nothing finds nothing."""
    if not isinstance(key, str):
        raise InputError(f"The {what} must be a text, not {type(key).__name__}.")
    return key


def checked_label(what: str, text: str) -> str:
    """A short text that is kept beside a message, such as its intent, without the secrets in it."""
    _check_short(what, text)
    return redact(text)[0]


def checked_title(title: str) -> str:
    """The title of a conversation, without the secrets in it."""
    return checked_label("title", title)


def checked_example(what: str, example: str) -> str:
    """Something that people say, as an example to learn from, without the secrets in it."""
    if not isinstance(example, str) or says_nothing(example):
        raise BadText(f"The {what} must be a text that is not empty, not {example!r}.")
    if len(example) > _LONGEST_EXAMPLE:
        raise BadText(f"The {what} has {len(example):,} characters; at most {_LONGEST_EXAMPLE:,} are allowed.")
    _check_storable(what, example)
    return redact(example.strip())[0]


def checked_path(path: str) -> str:
    """The path of a file that is worked on, without the secrets in it."""
    return checked_label("path", path)


def refuse_secret(what: str, name: str) -> None:
    """A name that was redacted would name something else, or the same as another."""
    if holds_secret(name):  # which is not shown: what is reported may be logged
        raise InputError(f"The {what} looks like a secret.", remedy="Choose a name that may be stored.")


def checked_time(at: datetime | None, now: datetime, argument: str = "at") -> datetime:
    """An aware time in UTC, to the microsecond; now if none is given."""
    if at is None:
        at = now
    aware = "Use an aware datetime, such as datetime.now(UTC)."
    if not isinstance(at, datetime):
        raise BadTime(f"`{argument}` must be a time, not {type(at).__name__}.", remedy=aware)
    if at.tzinfo is None or at.utcoffset() is None:
        raise BadTime(f"`{argument}`, the time {at.isoformat()}, has no zone.", remedy=aware)
    try:
        return at.astimezone(UTC)
    except OverflowError as error:
        raise BadTime(f"`{argument}`, the time {at.isoformat()}, is out of range.") from error


def checked_count(what: str, value: int, unit: str = "", *, least: int = 1) -> int:
    """A whole number that is large enough."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise InputError(f"{what} must be a whole number, not {type(value).__name__}.")
    if value < least:
        raise InputError(f"{what} must be at least {least}{unit}, not {value:,}.")
    return value


def checked_flag(argument: str, value: bool, remedy: str | None = None) -> bool:
    """Yes or no, and nothing that only counts as either: "no" would be yes."""
    if not isinstance(value, bool):
        raise InputError(f"`{argument}` must be True or False, not {value!r}.", remedy=remedy)
    return value


def checked_file(argument: str, path: str | Path) -> Path:
    """Where a file is, or will be."""
    if not isinstance(path, str | os.PathLike) or not isinstance(os.fspath(path), str) or not os.fspath(path):
        raise InputError(f"`{argument}` must be the path of a file, not {path!r}.")
    return Path(path)


def checked_each(argument: str, values: Iterable[T], what: str) -> Iterable[T]:
    """Several things; a text, which is one thing, is not taken for its letters."""
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise InputError(f"`{argument}` must be several {what}, such as a list, not {type(values).__name__}.")
    return values


def checked_metadata(metadata: Mapping[str, Any] | None) -> dict[str, Any]:
    """Anything that JSON can hold, and nothing it cannot, without the secrets in it."""
    if metadata is None:
        return {}
    if not isinstance(metadata, Mapping) or not all(isinstance(k, str) for k in metadata):
        raise InputError("Metadata must be a mapping with texts as keys.")
    try:
        text = json.dumps(dict(metadata), allow_nan=False, ensure_ascii=False)
        _check_storable("metadata", text)
        if _NUL_IN_JSON.search(text):
            raise InputError("The metadata holds a NUL character, which cannot be stored.")
        found: dict[str, Any] = redact_all(json.loads(text))
        return found
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"The metadata cannot be stored as JSON: {error}.") from error


def _check_short(what: str, text: str) -> None:
    if not isinstance(text, str) or says_nothing(text):
        raise InputError(f"The {what} must be a text that is not empty, not {text!r}.")
    if len(text) > _LONGEST_NAME:
        raise InputError(f"The {what} has {len(text)} characters; at most {_LONGEST_NAME} are allowed.")
    _check_storable(what, text)


def _check_storable(what: str, text: str) -> None:
    nul = text.find("\0")
    if nul >= 0:
        raise BadText(f"The {what} holds a NUL character at position {nul}.", remedy="Remove it.")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise BadText(
            f"The {what} holds half of a character (a lone surrogate) at position {error.start}.",
            remedy="Decode the text with the right encoding.",
        ) from error
