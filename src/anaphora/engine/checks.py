"""What may come in: each check returns the value as it will be used, or says what is wrong with it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from anaphora.errors import BadText, BadTime, InputError

__all__ = ["checked_metadata", "checked_name", "checked_text", "checked_time"]

_LONGEST_NAME = 256
_NUL_IN_JSON = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")  # those six characters, if said themselves, are escaped


def checked_text(text: str, most: int) -> str:
    """A message that can be stored and comes back as it was."""
    if not isinstance(text, str):
        raise BadText(f"A message is a text, not {type(text).__name__}.")
    if not text.strip():
        raise BadText("The message is empty.", remedy="Say something.")
    if len(text) > most:
        raise BadText(
            f"The message has {len(text):,} characters, more than {most:,}.",
            remedy="Split it, or raise the setting max_message_chars.",
        )
    _check_storable("message", text)
    return text


def checked_name(what: str, name: str) -> str:
    """A user, agent, project, session, speaker or id."""
    if not isinstance(name, str) or not name.strip():
        raise InputError(f"The {what} must be a text that is not empty, not {name!r}.")
    if len(name) > _LONGEST_NAME:
        raise InputError(f"The {what} has {len(name)} characters; at most {_LONGEST_NAME} are allowed.")
    _check_storable(what, name)
    return name


def checked_time(at: datetime | None, now: datetime) -> datetime:
    """An aware time in UTC, to the microsecond; now if none is given."""
    if at is None:
        at = now
    if not isinstance(at, datetime):
        raise BadTime(f"A time is a datetime, not {type(at).__name__}.")
    if at.tzinfo is None or at.utcoffset() is None:
        raise BadTime(
            f"The time {at.isoformat()} has no zone.", remedy="Use an aware datetime, such as datetime.now(UTC)."
        )
    try:
        return at.astimezone(UTC)
    except OverflowError as error:
        raise BadTime(f"The time {at.isoformat()} is out of range.") from error


def checked_metadata(metadata: Mapping[str, Any] | None) -> dict[str, Any]:
    """Anything that JSON can hold, and nothing it cannot."""
    if metadata is None:
        return {}
    if not isinstance(metadata, Mapping) or not all(isinstance(k, str) for k in metadata):
        raise InputError("Metadata must be a mapping with texts as keys.")
    try:
        text = json.dumps(dict(metadata), allow_nan=False, ensure_ascii=False)
        _check_storable("metadata", text)
        if _NUL_IN_JSON.search(text):
            raise InputError("The metadata holds a NUL character, which cannot be stored.")
        return json.loads(text)  # type: ignore[no-any-return]
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"The metadata cannot be stored as JSON: {error}.") from error


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
