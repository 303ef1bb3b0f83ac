"""The light context: the four fields that a follow-up such as "update it" needs, for one session, as JSON in and out.

It parses no message and decides nothing. Every call answers with a response; none raises into the host.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, NamedTuple, NoReturn, Protocol

from anaphora.errors import AnaphoraError, InputError, StoreError, StoreUnreadable, StoreUnwritable

__all__ = ["LightContext", "Response", "failure"]

Response = dict[str, Any]

_Action = Literal["store", "retrieve", "clear"]
_ACTIONS: dict[str, _Action] = {"store": "store", "retrieve": "retrieve", "clear": "clear"}
_FIELDS = ("last_intent", "last_task_id", "pending_fields", "last_user_message")


class LightContext:
    """The light context of one session: in memory, or in the temporary file `path`, whose folder must exist.

    Several objects, in one process or in many, may share a file; each sees what the others wrote last. The file is
    readable by its owner alone and stays until `clear` or `close`. Safe to call from many threads.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        if not isinstance(path, str | Path | None):
            raise InputError(f"`path` must be the path of a file, not {type(path).__name__}.")
        self._storage: _Storage = _InMemory() if path is None else _InFile(Path(path))
        self._closed = False

    def store(
        self,
        last_intent: str,
        last_task_id: str | int | float | None,
        pending_fields: list[str],
        last_user_message: str,
    ) -> Response:
        """Replace what is stored. A number as `last_task_id` is kept as a string."""
        values = (last_intent, last_task_id, pending_fields, last_user_message)
        return self.handle({"action": "store", **dict(zip(_FIELDS, values, strict=True))})

    def retrieve(self) -> Response:
        """What is stored, as it was stored; the context is None where nothing is."""
        return self.handle({"action": "retrieve"})

    def clear(self) -> Response:
        """Empty all four fields."""
        return self.handle({"action": "clear"})

    def handle(self, request: object) -> Response:
        """Answer one request as parsed from JSON. A request that cannot be taken changes nothing."""
        try:
            action, fields = _action_of(request)
            match action:
                case "store":
                    return self._store(fields)
                case "retrieve":
                    return self._retrieve()
                case "clear":
                    return self._clear()
        except AnaphoraError as error:
            return failure(str(error))

    def handle_json(self, text: str) -> str:
        """Answer one request as raw JSON. The answer is plain ASCII, so any output stream can carry it."""
        try:
            request = json.loads(text, parse_constant=_refuse_constant)
        except (TypeError, ValueError, RecursionError) as error:
            return json.dumps(failure(f"Invalid JSON: {error}"))
        return json.dumps(self.handle(request))

    def close(self) -> Response:
        """End the session: nothing stays, in memory or on disk, and every later request is answered with an error.

        Answers as `clear` does. May be called again, for instance when the file could not be removed the first time.
        """
        self._closed = True
        try:
            self._storage.discard()
        except StoreError as error:
            return failure(str(error))
        return _cleared()

    def __enter__(self) -> LightContext:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _store(self, fields: Mapping[object, object]) -> Response:
        context = _context_from(fields)
        self._refuse_if_closed()
        self._storage.save(context)
        if self._closed:  # by another thread, meanwhile: what came too late must not stay
            self._storage.discard()
            self._refuse_if_closed()
        return {"success": True, "stored_context": context.as_json()}

    def _retrieve(self) -> Response:
        self._refuse_if_closed()
        context = self._storage.load()
        return {"success": True, "context": None if context is None else context.as_json()}

    def _clear(self) -> Response:
        self._refuse_if_closed()
        self._storage.discard()
        return _cleared()

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StoreError("The light context is closed.", remedy="Open a new one for a new session.")


def failure(error: str) -> Response:
    """The response that says what went wrong."""
    return {"success": False, "error": error}


def _cleared() -> Response:
    return {"success": True, "message": "Context cleared successfully"}


# --- what a request holds -----------------------------------------------------------------------------------------


class _Context(NamedTuple):
    """Immutable, so that threads can share it and no response is a door to what is stored."""

    last_intent: str
    last_task_id: str | None
    pending_fields: tuple[str, ...]
    last_user_message: str

    def as_json(self) -> dict[str, Any]:
        return {**self._asdict(), "pending_fields": list(self.pending_fields)}


def _action_of(request: object) -> tuple[_Action, Mapping[object, object]]:
    """The action and the fields that came with it."""
    if not isinstance(request, dict):
        raise InputError(f"Invalid request: {_kind(request)}. Must be an object with an 'action'")
    allowed = "Must be 'store', 'retrieve', or 'clear'"
    if "action" not in request:
        raise InputError(f"Missing action. {allowed}")
    action = request["action"]
    if not isinstance(action, str):
        raise InputError(f"Invalid action: {_kind(action)}. {allowed}")
    if action not in _ACTIONS:
        raise InputError(f"Invalid action: '{action}'. {allowed}")
    fields = {key: value for key, value in request.items() if key != "action"}
    unknown = _unknown(fields)
    if unknown and action != "store":  # storing reports them together with whatever else is wrong
        raise InputError(unknown)
    return _ACTIONS[action], fields


def _context_from(fields: Mapping[object, object]) -> _Context:
    """The four fields, checked; an error names everything that is wrong with them at once."""
    wrong: list[str] = []

    def text(name: str) -> str:
        value = fields.get(name)
        if isinstance(value, str):
            return value
        if name in fields:
            wrong.append(f"{name} must be a string, not {_kind(value)}")
        return ""

    last_intent = text("last_intent")
    last_task_id = _task_id(fields.get("last_task_id"), wrong)
    pending_fields = _pending(fields["pending_fields"], wrong) if "pending_fields" in fields else ()
    last_user_message = text("last_user_message")

    missing = [name for name in _FIELDS if name not in fields]
    problems = [
        f"Missing required fields for 'store': {', '.join(missing)}" if missing else "",
        f"Wrong values: {'; '.join(wrong)}" if wrong else "",
        _unknown(fields),
    ]
    if any(problems):
        raise InputError(". ".join(filter(None, problems)))
    return _Context(last_intent, last_task_id, pending_fields, last_user_message)


def _task_id(value: object, wrong: list[str]) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        wrong.append(f"last_task_id must be a string, a number or null, not {_kind(value)}")
        return None
    try:
        if math.isfinite(value):
            return str(value)
    except (ValueError, OverflowError):  # an integer with more digits than Python converts
        pass
    wrong.append("last_task_id must be a finite number of a sensible length")
    return None


def _pending(value: object, wrong: list[str]) -> tuple[str, ...]:
    if not isinstance(value, list):
        wrong.append(f"pending_fields must be an array of strings, not {_kind(value)}")
        return ()
    names = tuple(value)
    strangers = [name for name in names if not isinstance(name, str)]
    if strangers:
        wrong.append(f"pending_fields must be an array of strings, not one that holds {_kind(strangers[0])}")
    return names


def _unknown(fields: Mapping[object, object]) -> str:
    names = [f"'{key}'" if isinstance(key, str) else _kind(key) for key in fields if key not in _FIELDS]
    return f"Unknown fields: {', '.join(names)}. Only {', '.join(_FIELDS)} can be stored" if names else ""


def _kind(value: object) -> str:
    """What a value is, in the words of JSON."""
    if value is None:
        return "null"
    names = {
        bool: "a boolean",
        int: "a number",
        float: "a number",
        str: "a string",
        list: "an array",
        dict: "an object",
    }
    return names.get(type(value), f"a {type(value).__name__}")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")


# --- where it is kept ---------------------------------------------------------------------------------------------


class _Storage(Protocol):
    """Each call takes effect at once and as a whole, so that threads need no lock.

    A lock around steps this short makes threads queue up behind the one that holds it while it is not running:
    with 8 threads the slowest hundredth of calls took 80 times as long.
    """

    def load(self) -> _Context | None: ...

    def save(self, context: _Context) -> None: ...

    def discard(self) -> None: ...


class _InMemory:
    def __init__(self) -> None:
        self._context: _Context | None = None

    def load(self) -> _Context | None:
        return self._context

    def save(self, context: _Context) -> None:
        self._context = context

    def discard(self) -> None:
        self._context = None


class _InFile:
    """One JSON object in one file; no file means an empty context."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> _Context | None:
        try:
            content = self._path.read_bytes()
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:  # ValueError: a path that no file can have
            raise StoreUnreadable(
                f"The light context could not be read from {self._path}: {_reason(error)}."
            ) from error
        try:
            fields = json.loads(content)
            if not isinstance(fields, dict):
                raise InputError(f"it holds {_kind(fields)}")
            return _context_from(fields)
        except (ValueError, RecursionError, InputError) as error:
            raise StoreUnreadable(
                f"The light context in {self._path} is damaged: {error}.", remedy="Clear it or store a new one."
            ) from error

    def save(self, context: _Context) -> None:
        # Written aside and then moved, so that a reader sees the old context or the new one, never half of one.
        try:
            aside = self._path.with_name(f".{os.urandom(16).hex()}.tmp")
            try:
                with open(aside, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
                    file.write(json.dumps(context.as_json()).encode())
                aside.replace(self._path)
            except BaseException:
                aside.unlink(missing_ok=True)
                raise
        except (OSError, ValueError) as error:
            raise StoreUnwritable(
                f"The light context could not be written to {self._path}: {_reason(error)}.",
                remedy="Check that its folder exists and can be written to.",
            ) from error

    def discard(self) -> None:
        try:
            self._path.unlink(missing_ok=True)
        except (OSError, ValueError) as error:
            raise StoreUnwritable(
                f"The light context in {self._path} could not be removed: {_reason(error)}.",
                remedy="Remove the file by hand.",
            ) from error


def _reason(error: OSError | ValueError) -> str:
    """Why, without the name of a passing file."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
