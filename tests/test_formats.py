"""The two JSON Lines formats: what they mean, that nothing is lost on the way, and what is said about a bad line."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora import formats
from anaphora.errors import FormatError
from anaphora.formats import brain, kds
from anaphora.types import OUTCOMES, Conversation, Entity, Intent, Message

KDS_SAMPLE = [
    '{"timestamp":"2025-11-03T14:23:45Z","user_message":"I want to add a FAB button","intent":"PLAN",'
    '"session_id":"fab-button-20251103"}',
    '{"timestamp":"2025-11-03T14:24:12Z","user_message":"Make it purple","intent":"EXECUTE",'
    '"session_id":"fab-button-20251103","context_ref":"FAB button"}',
    '{"timestamp":"2025-11-03T14:25:01Z","user_message":"Add a pulse animation","intent":"PLAN",'
    '"session_id":"fab-button-20251103","context_ref":"FAB button"}',
]
KDS_OUTSIDE_A_SESSION = (
    '{"timestamp":"2025-11-03T14:26:30Z","user_message":"Let us do dark mode","intent":"PLAN","session_id":null}'
)
BRAIN_SAMPLE = (
    '{"conversation_id":"conv-004","title":"FAB button","started":"2025-11-03T14:20:00Z","ended":null,'
    '"message_count":2,"active":true,"messages":['
    '{"id":"msg-001","timestamp":"2025-11-03T14:23:45Z","user":"I want to add a FAB button","intent":"PLAN",'
    '"entities":["FAB button"]},'
    '{"id":"msg-002","timestamp":"2025-11-03T14:24:12Z","user":"Make it purple","intent":"EXECUTE",'
    '"entities":["purple"],"context_ref":"FAB button"}],'
    '"entities_discussed":["FAB button","purple"],"files_modified":["HostControlPanel.razor"],"outcome":"planned"}'
)
BRAIN_SHORT = (
    '{"conversation_id":"conv-001","title":"Session 215","started":"2025-11-01T10:00:00Z",'
    '"ended":"2025-11-01T14:30:00Z","message_count":12}'
)
AT = datetime(2025, 11, 3, 14, 23, 45, tzinfo=UTC)


def kds_line(**changes: Any) -> str:
    return json.dumps({"timestamp": "2025-11-03T14:23:45Z", "user_message": "Test it"} | changes)


def brain_line(**changes: Any) -> str:
    return json.dumps({"conversation_id": "c", "title": "Tests", "started": "2025-11-03T14:20:00Z"} | changes)


def brain_message(**changes: Any) -> dict[str, Any]:
    return {"id": "m", "timestamp": "2025-11-03T14:23:45Z", "user": "Test it"} | changes


def without(line: str, key: str) -> str:
    return json.dumps({k: v for k, v in json.loads(line).items() if k != key})


def read_kds(*lines: str) -> list[Message]:
    return list(kds.read(lines, session="main", speaker="ann"))


def read_brain(*lines: str) -> list[Conversation]:
    return list(brain.read(lines, session="main", speaker="ann"))


# --- conversation-context.jsonl -----------------------------------------------------------------------------------


@pytest.mark.requirement("K11")
def test_a_message_log_is_read_and_comes_back_byte_for_byte() -> None:
    lines = [*KDS_SAMPLE, KDS_OUTSIDE_A_SESSION]
    messages = read_kds(*lines)
    assert messages[1] == Message(
        id=messages[1].id,
        role="user",
        text="Make it purple",
        at=datetime(2025, 11, 3, 14, 24, 12, tzinfo=UTC),
        speaker="ann",
        session="main",
        conversation_id="fab-button-20251103",
        intents=(Intent("EXECUTE", 1.0),),
        context_ref="FAB button",
    )
    assert [message.conversation_id for message in messages] == ["fab-button-20251103"] * 3 + [None]
    assert [message.context_ref for message in messages] == [None, "FAB button", "FAB button", None]
    assert list(kds.write(messages)) == lines


def test_a_log_line_needs_no_more_than_a_time_and_a_text() -> None:
    (message,) = read_kds(kds_line())
    assert (message.intents, message.conversation_id, message.context_ref, message.metadata) == ((), None, None, {})
    assert list(kds.write([message])) == [
        '{"timestamp":"2025-11-03T14:23:45Z","user_message":"Test it","intent":null,"session_id":null}'
    ]


def test_a_time_in_another_zone_is_written_in_utc() -> None:
    (message,) = read_kds(kds_line(timestamp="2025-11-03T16:23:45.5+02:00"))
    assert message.at == AT + timedelta(milliseconds=500)
    assert '"timestamp":"2025-11-03T14:23:45.500000Z"' in next(kds.write([message]))


def test_only_what_the_user_said_is_logged() -> None:
    asked = Message("1", "user", "Test it", AT, "ann", "main")
    replied = Message("2", "assistant", "All green.", AT, "helper", "main")
    assert len(list(kds.write([asked, replied]))) == 1


def test_reading_a_log_twice_gives_the_same_ids() -> None:
    assert [m.id for m in read_kds(*KDS_SAMPLE)] == [m.id for m in read_kds("\n", *KDS_SAMPLE)]


def test_lines_that_are_alike_stay_apart() -> None:
    messages = read_kds(*KDS_SAMPLE, *KDS_SAMPLE)
    assert len({message.id for message in messages}) == 6
    assert all(len(m.id) == 24 and m.id.startswith("kds-") for m in messages)
    assert [message.id for message in messages[:3]] == [message.id for message in read_kds(*KDS_SAMPLE)]


def test_fields_that_the_log_does_not_know_are_kept_in_their_order() -> None:
    line = KDS_SAMPLE[1][:-1] + ',"mood":{"now":["ok",1,2.5,true,null]},"agent":"räuber 🦊"}'
    (message,) = read_kds(line)
    assert message.metadata == {"extra": {"mood": {"now": ["ok", 1, 2.5, True, None]}, "agent": "räuber 🦊"}}
    assert list(kds.write([message])) == [line]


def test_metadata_of_others_never_changes_the_fields_of_the_format() -> None:
    message = Message(
        "1", "user", "Test it", AT, "ann", "main", metadata={"extra": {"intent": "PLAN", "context_ref": 1}}
    )
    plain = replace(message, metadata={})
    assert list(kds.write([message])) == list(kds.write([plain]))
    assert list(kds.write([replace(message, metadata={"extra": "words"})])) == list(kds.write([plain]))


def test_blank_lines_and_a_byte_order_mark_are_passed_over() -> None:
    file = io.StringIO("\ufeff" + KDS_SAMPLE[0] + "\r\n\n  \n" + KDS_SAMPLE[1] + "\n")
    assert list(kds.write(kds.read(file, session="main", speaker="ann"))) == KDS_SAMPLE[:2]


def test_a_log_is_read_as_it_comes() -> None:
    messages = kds.read(iter([KDS_SAMPLE[0], "broken"]), session="main", speaker="ann")
    assert next(messages).text == "I want to add a FAB button"
    with pytest.raises(FormatError, match="Line 2"):
        next(messages)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"timestamp":', r"Line 3 is no JSON: Expecting value at column 14\."),
        pytest.param("[" * 100_000, "Line 3 is no JSON that can be kept", id="nested too deeply"),
        ('{"timestamp":NaN}', "Line 3 is no JSON that can be kept: NaN is no number"),
        ('{"x":1e999}', "Line 3 is no JSON that can be kept: 1e999 is no number"),
        ("[1]", "Line 3 is a list, but must be an object"),
        ("null", "Line 3 is null, but must be an object"),
        ("7", "Line 3 is a number, but must be an object"),
        (without(kds_line(), "timestamp"), r"Line 3: field 'timestamp' is missing\."),
        (without(kds_line(), "user_message"), r"Line 3: field 'user_message' is missing\."),
        (kds_line(user_message=None), "Line 3: field 'user_message' is null, but must be a text"),
        (kds_line(user_message=["a"]), "Line 3: field 'user_message' holds a list where a text must be"),
        (kds_line(timestamp=1762179825), "Line 3: field 'timestamp' holds a number"),
        (kds_line(timestamp="yesterday"), "Line 3: field 'timestamp' is no time: 'yesterday'"),
        (kds_line(timestamp="2025-11-03T14:23:45"), "Line 3: field 'timestamp' .*has no zone.*2025-11-03T14:23:45Z"),
        (kds_line(timestamp="0001-01-01T00:00:00+05:00"), "Line 3: field 'timestamp' .*out of range"),
        (kds_line(intent=True), "Line 3: field 'intent' holds true or false"),
        (kds_line(session_id=5), "Line 3: field 'session_id' holds a number"),
        (kds_line(context_ref={}), "Line 3: field 'context_ref' holds an object"),
        (kds_line(user_message="a\ud800"), "Line 3: field 'user_message' holds a NUL or half of a surrogate pair"),
        (kds_line(user_message="a\x00"), "Line 3: field 'user_message' holds a NUL"),
        (kds_line(mood=[{"a\x00": 1}]), "Line 3: field 'mood' holds a NUL"),
    ],
)
def test_a_log_line_that_does_not_fit_is_named_with_its_field(line: str, says: str) -> None:
    with pytest.raises(FormatError, match=says):
        read_kds(KDS_SAMPLE[0], "", line)


def test_a_file_that_is_no_utf8_says_so() -> None:
    file = io.TextIOWrapper(io.BytesIO(KDS_SAMPLE[0].encode() + b"\n\xff\xfe\n"), encoding="utf-8")
    with pytest.raises(FormatError, match="no UTF-8 text"):
        list(kds.read(file, session="main", speaker="ann"))


@pytest.mark.parametrize("value", [float("nan"), object()])
def test_what_json_has_no_form_for_is_not_written(value: object) -> None:
    message = Message("m7", "user", "Test it", AT, "ann", "main", metadata={"extra": {"odd": value}})
    with pytest.raises(FormatError, match="Message 'm7' cannot be written as JSON"):
        list(kds.write([message]))


# --- conversation-history.jsonl -----------------------------------------------------------------------------------


def test_a_conversation_is_read_and_comes_back_byte_for_byte() -> None:
    (conversation,) = read_brain(BRAIN_SAMPLE)
    second = Message(
        id="conv-004/msg-002",
        role="user",
        text="Make it purple",
        at=datetime(2025, 11, 3, 14, 24, 12, tzinfo=UTC),
        speaker="ann",
        session="main",
        conversation_id="conv-004",
        intents=(Intent("EXECUTE", 1.0),),
        entities=(Entity("purple", "concept", (8, 14)),),
        context_ref="FAB button",
    )
    assert conversation == Conversation(
        id="conv-004",
        title="FAB button",
        started=datetime(2025, 11, 3, 14, 20, tzinfo=UTC),
        session="main",
        ended=None,
        message_count=2,
        entities_discussed=("FAB button", "purple"),
        files_modified=("HostControlPanel.razor",),
        outcome="planned",
        last_at=second.at,
        intents_seen=("PLAN", "EXECUTE"),
        titled=True,
        messages=(conversation.messages[0], second),
    )
    assert conversation.messages[0].id == "conv-004/msg-001"
    assert list(brain.write([conversation])) == [BRAIN_SAMPLE]


def test_a_short_line_without_messages_is_read() -> None:
    (conversation,) = read_brain(BRAIN_SHORT)
    assert (conversation.message_count, conversation.messages, conversation.last_at) == (12, (), None)
    assert (conversation.active, conversation.outcome, conversation.links) == (False, None, ())


def test_messages_that_are_there_are_counted_whatever_the_line_says() -> None:
    (conversation,) = read_brain(brain_line(message_count=9, messages=[brain_message()]))
    assert conversation.message_count == 1


def test_replies_are_neither_written_nor_counted() -> None:
    asked = Message("1", "user", "Test it", AT, "ann", "main")
    replied = Message("2", "assistant", "All green.", AT, "helper", "main")
    (line,) = brain.write([Conversation("c", "Tests", AT, "main", message_count=2, messages=(asked, replied))])
    written = json.loads(line)
    assert (written["message_count"], [message["user"] for message in written["messages"]]) == (1, ["Test it"])


def test_links_to_other_conversations_are_written_last_and_read_back() -> None:
    (line,) = brain.write([Conversation("c", "Tests", AT, "main", links=("a", "b"))])
    assert line.endswith(',"outcome":null,"references":["a","b"]}')
    assert read_brain(line)[0].links == ("a", "b")


@pytest.mark.parametrize(
    ("id_", "written"),
    [("c/m1", "m1"), ("c/c/m1", "c/m1"), ("m1", "m1"), ("d/m1", "d/m1"), ("c/", "c/"), ("xc/m1", "xc/m1")],
)
def test_only_the_conversations_own_id_is_taken_off_a_message_id(id_: str, written: str) -> None:
    message = Message(id_, "user", "Test it", AT, "ann", "main")
    (line,) = brain.write([Conversation("c", "Tests", AT, "main", messages=(message,))])
    assert json.loads(line)["messages"][0]["id"] == written
    assert read_brain(line)[0].messages[0].id == f"c/{written}"


def test_two_messages_that_would_share_an_id_are_not_written() -> None:
    message = Message("m1", "user", "Test it", AT, "ann", "main")
    conversation = Conversation("c", "Tests", AT, "main", messages=(message, replace(message, id="c/m1")))
    with pytest.raises(FormatError, match="'c' has two messages"):
        list(brain.write([conversation]))


@pytest.mark.parametrize(
    ("entity", "span"), [("fab BUTTON", (6, 16)), ("b.t", (0, 0)), ("header", (0, 0)), ("(big)", (17, 22))]
)
def test_an_entity_stands_where_its_text_occurs(entity: str, span: tuple[int, int]) -> None:
    (conversation,) = read_brain(brain_line(messages=[brain_message(user="İ the FAB button (big)", entities=[entity])]))
    assert conversation.messages[0].entities == (Entity(entity, "concept", span),)


@pytest.mark.parametrize(
    ("changes", "ended"),
    [
        ({}, None),
        ({"active": True}, None),
        ({"active": True, "ended": None}, None),
        ({"active": False, "ended": "2025-11-03T15:00:00Z"}, datetime(2025, 11, 3, 15, tzinfo=UTC)),
        ({"ended": "2025-11-03T15:00:00Z"}, datetime(2025, 11, 3, 15, tzinfo=UTC)),
        ({"active": False}, datetime(2025, 11, 3, 14, 20, tzinfo=UTC)),
        ({"active": False, "messages": [brain_message()]}, AT),
    ],
)
def test_whether_a_conversation_is_over_follows_from_what_the_line_says(
    changes: dict[str, Any], ended: datetime | None
) -> None:
    (conversation,) = read_brain(brain_line(**changes))
    assert conversation.ended == ended


def test_fields_that_a_message_does_not_know_are_kept() -> None:
    line = BRAIN_SAMPLE.replace('"entities":["FAB button"]}', '"entities":["FAB button"],"mood":{"b":1,"a":2}}')
    (conversation,) = read_brain(line)
    assert conversation.messages[0].metadata == {"extra": {"mood": {"b": 1, "a": 2}}}
    assert list(brain.write([conversation])) == [line]


def test_fields_that_a_conversation_does_not_know_are_passed_over() -> None:
    assert read_brain(brain_line(colour="red")) == read_brain(brain_line())


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", " is no JSON"),
        (without(brain_line(), "conversation_id"), ": field 'conversation_id' is missing"),
        (brain_line(conversation_id=""), ": field 'conversation_id' is empty"),
        (brain_line(conversation_id="conv-001"), ": field 'conversation_id' is 'conv-001', as in a line before"),
        (without(brain_line(), "title"), ", conversation 'c': field 'title' is missing"),
        (without(brain_line(), "started"), ", conversation 'c': field 'started' is missing"),
        (brain_line(started="2025-11-03"), ", conversation 'c': field 'started' .*has no zone"),
        (brain_line(ended=3), ", conversation 'c': field 'ended' holds a number"),
        (brain_line(active="yes"), ", conversation 'c': field 'active' is a text, but must be true or false"),
        (brain_line(active=True, ended="2025-11-03T15:00:00Z"), ", conversation 'c': field 'active' is true, but"),
        (brain_line(message_count="4"), ", conversation 'c': field 'message_count' must be a whole number"),
        (brain_line(message_count=True), ", conversation 'c': field 'message_count' must be a whole number"),
        (brain_line(message_count=-1), ", conversation 'c': field 'message_count' must be a whole number"),
        (brain_line(outcome="done"), ", conversation 'c': field 'outcome' is 'done', .*Allowed: planned, implemented"),
        (
            brain_line(entities_discussed="x"),
            ", conversation 'c': field 'entities_discussed' is a text, but must be a li",
        ),
        (brain_line(files_modified=[1]), ", conversation 'c': field 'files_modified' holds a number where"),
        (brain_line(references=[None]), ", conversation 'c': field 'references' holds null where"),
        (brain_line(title="a\x00"), ", conversation 'c': field 'title' holds a NUL"),
        (brain_line(messages={}), ", conversation 'c': field 'messages' is an object, but must be a list"),
        (brain_line(messages=[brain_message(), 1]), ", conversation 'c': field 'messages' must .* number 2 is none"),
        (
            brain_line(messages=[brain_message()] * 2),
            ", conversation 'c', message 2: field 'id' is 'm', as in a message before",
        ),
        (brain_line(messages=[brain_message(id="")]), ", conversation 'c', message 1: field 'id' is empty"),
        (brain_line(messages=[brain_message(id=1)]), ", conversation 'c', message 1: field 'id' holds a number"),
        (brain_line(messages=[brain_message(user=None)]), ", conversation 'c', message 1: field 'user' is null"),
        (
            brain_line(messages=[brain_message(user="\udc00")]),
            ", conversation 'c', message 1: field 'user' holds a NUL or half",
        ),
        (
            brain_line(messages=[brain_message(timestamp="noon")]),
            ", conversation 'c', message 1: field 'timestamp' is no time",
        ),
        (
            brain_line(messages=[brain_message(intent=1)]),
            ", conversation 'c', message 1: field 'intent' holds a number",
        ),
        (
            brain_line(messages=[brain_message(entities=[1])]),
            ", conversation 'c', message 1: field 'entities' holds a number",
        ),
        (
            brain_line(messages=[brain_message(context_ref=1)]),
            ", conversation 'c', message 1: field 'context_ref' holds a number",
        ),
        (
            brain_line(messages=[brain_message(mood="\ud800")]),
            ", conversation 'c', message 1: field 'mood' holds a NUL or half",
        ),
    ],
)
def test_a_conversation_that_does_not_fit_is_named_with_its_field(line: str, says: str) -> None:
    with pytest.raises(FormatError, match=f"^Line 3{says}"):
        read_brain(BRAIN_SHORT, "", line)


# --- which format it is -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (KDS_SAMPLE[0], "kds"),
        ("\ufeff" + KDS_OUTSIDE_A_SESSION + "\r\n", "kds"),
        (BRAIN_SAMPLE, "brain"),
        (BRAIN_SHORT, "brain"),
        ('{"role":"user","content":"hi"}', None),
        ('["user_message"]', None),
        ("# a heading", None),
        ("", None),
    ],
)
def test_a_format_is_known_by_its_keys(line: str, name: formats.FormatName | None) -> None:
    assert formats.detect(line) == name


# --- whatever is written can be read and written again -------------------------------------------------------------

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)
zones = st.builds(timezone, st.timedeltas(timedelta(hours=-23), timedelta(hours=23)))
times = st.datetimes(datetime(2, 1, 1), datetime(9998, 12, 31), timezones=st.just(UTC) | zones)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)
entities = st.builds(Entity, text=texts, kind=st.sampled_from(["file", "concept"]), span=st.just((0, 0)))
messages = st.builds(
    Message,
    id=texts.filter(bool) | texts.map("c/{}".format),
    role=st.sampled_from(["user", "user", "assistant"]),
    text=texts,
    at=times,
    speaker=texts,
    session=texts,
    conversation_id=st.none() | texts,
    intents=st.lists(st.builds(Intent, texts, st.just(0.8)), max_size=2).map(tuple),
    entities=st.lists(entities, max_size=3).map(tuple),
    context_ref=st.none() | texts,
    metadata=st.just({}) | st.dictionaries(texts, json_values, max_size=3).map(lambda extra: {"extra": extra}),
)
conversations = st.builds(
    Conversation,
    id=st.just("c") | texts.filter(bool),
    title=texts,
    started=times,
    session=texts,
    ended=st.none() | times,
    message_count=st.integers(0, 9),
    entities_discussed=st.lists(texts, max_size=3).map(tuple),
    files_modified=st.lists(texts, max_size=3).map(tuple),
    outcome=st.none() | st.sampled_from(OUTCOMES),
    links=st.lists(texts, max_size=3).map(tuple),
    messages=st.lists(messages, max_size=4, unique_by=lambda message: message.id.split("/")[-1]).map(tuple),
)


@pytest.mark.requirement("K11")
@given(st.lists(messages, max_size=5))
def test_every_log_that_was_written_comes_back_byte_for_byte(said: list[Message]) -> None:
    lines = list(kds.write(said))
    assert list(kds.write(read_kds(*lines))) == lines
    # Through a file: a line holds no line feed, and every character of it can be encoded.
    file = io.TextIOWrapper(io.BytesIO("".join(f"{line}\n" for line in lines).encode()), encoding="utf-8")
    assert list(kds.read(file, session="main", speaker="ann")) == read_kds(*lines)


@given(st.lists(conversations, max_size=3, unique_by=lambda conversation: conversation.id))
def test_every_history_that_was_written_comes_back_byte_for_byte(held: list[Conversation]) -> None:
    lines = list(brain.write(held))
    assert list(brain.write(read_brain(*lines))) == lines
