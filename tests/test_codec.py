"""Values as plain data: whatever goes out comes back the same, and what does not fit is named."""

from __future__ import annotations

import json
import typing
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from anaphora import types
from anaphora.codec import from_plain, parse_time, time_text, to_plain
from anaphora.errors import FormatError
from anaphora.settings import Settings
from anaphora.types import Boundary, Conversation, Entity, Goal, Hit, Intent, Message, Scope, State

AT = datetime(2025, 11, 3, 14, 20, tzinfo=UTC)
VALUES: list[type] = [v for v in vars(types).values() if isinstance(v, type) and is_dataclass(v)]

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
zones = st.builds(timezone, st.timedeltas(timedelta(hours=-23), timedelta(hours=23)))
times = st.datetimes(datetime(2, 1, 1), datetime(9998, 12, 31), timezones=st.just(UTC) | zones)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=4,
)
SCALARS: dict[Any, st.SearchStrategy[Any]] = {
    str: texts,
    datetime: times,
    float: st.floats(allow_nan=False, allow_infinity=False),
    Any: json_values,
}


def values_of(hint: Any) -> st.SearchStrategy[Any]:
    """Values of a type, by its hints alone; lists of a few, so that a conversation of messages stays small."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if is_dataclass(hint):
        return st.builds(hint, **{name: values_of(h) for name, h in typing.get_type_hints(hint).items()})  # type: ignore[arg-type]
    if origin is tuple and args[-1] is Ellipsis:
        return st.lists(values_of(args[0]), max_size=2).map(tuple)
    if origin is Mapping:
        return st.dictionaries(texts, values_of(args[1]), max_size=2)
    if type(None) in args:
        return st.none() | values_of(next(a for a in args if a is not type(None)))
    return SCALARS.get(hint, st.from_type(hint))


@pytest.mark.parametrize("cls", VALUES, ids=lambda cls: cls.__name__)
@pytest.mark.parametrize("lean", [False, True], ids=["whole", "lean"])
@settings(max_examples=20)
@given(data=st.data())
def test_every_value_comes_back_from_json_as_it_was(data: DataObject, cls: type, lean: bool) -> None:
    value = data.draw(values_of(cls))
    plain = json.loads(json.dumps(to_plain(value, lean=lean), ensure_ascii=False))
    back: object = from_plain(cls, plain)
    assert back == value
    assert to_plain(back, lean=lean) == plain


def test_every_type_of_the_house_is_tried() -> None:
    assert {Message, Conversation, State, Goal, Hit, Boundary, Scope} <= set(VALUES)
    assert len(VALUES) > 20


# --- what the plain form looks like -------------------------------------------------------------------------------


def test_a_message_in_plain_form_has_every_field() -> None:
    message = Message("m1", "user", "Hi", AT, "ann", "main", intents=(Intent("ASK", 0.9),))
    plain = to_plain(message)
    assert [*plain] == [f.name for f in fields(Message)]
    assert plain["at"] == "2025-11-03T14:20:00Z"
    assert plain["intents"] == [{"name": "ASK", "confidence": 0.9, "route": None, "why": ""}]
    assert (plain["entities"], plain["metadata"], plain["boundary"]) == ([], {}, None)


def test_lean_leaves_out_what_is_as_it_is_by_default_at_every_depth() -> None:
    message = Message("m1", "user", "Hi", AT, "ann", "main", intents=(Intent("ASK", 0.9),), importance=0.5)
    assert to_plain(message, lean=True) == {
        "id": "m1",
        "role": "user",
        "text": "Hi",
        "at": "2025-11-03T14:20:00Z",
        "speaker": "ann",
        "session": "main",
        "intents": [{"name": "ASK", "confidence": 0.9}],
    }
    assert to_plain(State(), lean=True) == {}


def test_settings_have_a_plain_form_too() -> None:
    plain = to_plain(Settings())
    assert (plain["window"], plain["gap_same"], plain["expire_after"]) == (10, 900.0, None)
    assert json.dumps(plain)


def test_what_has_no_plain_form_is_a_fault_of_the_caller() -> None:
    for value in (object(), {1, 2}, b"bytes", Message):
        with pytest.raises(TypeError, match="has no plain form"):
            to_plain(value)


# --- what does not fit --------------------------------------------------------------------------------------------

MESSAGE: Mapping[str, Any] = to_plain(Message("m1", "user", "Hi", AT, "ann", "main"))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"id": 5}, "5 is no str"),
        ({"id": None}, "None is no str"),
        ({"role": "system"}, "'system' is none of"),
        ({"role": ["user"]}, "is none of"),
        ({"at": "yesterday"}, "'yesterday' is not an ISO 8601 time"),
        ({"at": 5}, "5 is not an ISO 8601 time"),
        ({"seq": "1"}, "'1' is no int"),
        ({"seq": True}, "True is no int"),
        ({"seq": 1.5}, "1.5 is no int"),
        ({"importance": "high"}, "'high' is no float"),
        ({"importance": False}, "False is no float"),
        ({"importance": 10**400}, "too large"),
        ({"intents": "PLAN"}, "'PLAN' is no list"),
        ({"intents": ["PLAN"]}, "'PLAN' is no object"),
        ({"intents": [{"name": "PLAN"}]}, "missing 1 required positional argument: 'confidence'"),
        ({"entities": [{"text": "x", "kind": "file", "span": [1]}]}, "has not 2 parts"),
        ({"entities": [{"text": "x", "kind": "file", "span": [1, "2"]}]}, "'2' is no int"),
        ({"metadata": []}, "is no object"),
        ({"boundary": []}, "is no object"),
    ],
)
def test_a_field_of_the_wrong_kind_is_an_error_that_says_which(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(FormatError, match=says):
        from_plain(Message, {**MESSAGE, **changes})


@pytest.mark.parametrize("data", [None, 5, "text", [], [["id", "m1"]]])
def test_what_is_no_object_is_no_value(data: Any) -> None:
    with pytest.raises(FormatError, match=r"This is no Message: .* is no object"):
        from_plain(Message, data)


def test_a_field_that_is_missing_is_an_error_only_if_it_must_be_there() -> None:
    with pytest.raises(FormatError, match="'text'"):
        from_plain(Message, {k: v for k, v in MESSAGE.items() if k != "text"})
    assert from_plain(Message, {k: v for k, v in MESSAGE.items() if k != "seq"}).seq == 0


def test_keys_that_nobody_knows_are_passed_over() -> None:
    assert from_plain(Entity, {"text": "x", "kind": "file", "span": [0, 1], "colour": "red"}) == Entity(
        "x", "file", (0, 1)
    )


def test_a_whole_number_is_taken_for_a_fraction() -> None:
    back = from_plain(Intent, {"name": "ASK", "confidence": 1})
    assert (back.confidence, type(back.confidence)) == (1.0, float)


@dataclass(frozen=True)
class Loose:
    anything: Any
    pair: tuple[int, str]
    maybe: int | None = None


def test_types_of_others_go_by_their_hints_too() -> None:
    value = Loose({"a": [1, None]}, (1, "x"))
    assert from_plain(Loose, to_plain(value)) == value


# --- times --------------------------------------------------------------------------------------------------------


@given(times)
def test_a_time_comes_back_as_the_same_moment_in_utc(at: datetime) -> None:
    text = time_text(at)
    assert parse_time(text) == at
    assert parse_time(text).tzinfo is UTC
    assert text.endswith("Z")


def test_a_time_is_written_to_the_second_where_nothing_finer_is_known() -> None:
    assert time_text(AT) == "2025-11-03T14:20:00Z"
    assert time_text(AT + timedelta(microseconds=5)) == "2025-11-03T14:20:00.000005Z"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is not an ISO 8601 time"),
        ("noon", "is not an ISO 8601 time"),
        ("2025-13-01T00:00:00Z", "is not an ISO 8601 time"),
        ("2025-11-03T14:20:00", "has no zone. Write it like"),
        ("2025-11-03", "has no zone"),
        ("0001-01-01T00:00:00+05:00", "is out of range"),
    ],
)
def test_what_is_no_time_is_named(text: str, says: str) -> None:
    with pytest.raises(FormatError, match=says):
        parse_time(text)
