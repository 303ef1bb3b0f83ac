"""Odd and bad input: either it is heard and comes back as it was, or it is refused by name and nothing changes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest

import anaphora
from anaphora import AnaphoraError, BadText, BadTime, InputError, Memory, NotFound, Settings, SettingsError, StoreError
from anaphora.testing import FrozenClock
from tests.talk import START, everything

HEARD = {
    "one letter": "x",
    "only an emoji": "🎉",
    "an emoji of many parts": "👩‍👩‍👧‍👦🏳️‍🌈",
    "only code": "```python\nfor x in range(3):\n    print(x)\n```",
    "an unclosed fence": "look:\n```\nx = 1",
    "right-to-left marks": "\u202eabc\u202c \u200f\u05e9\u05dc\u05d5\u05dd\u200e",
    "zero-width characters inside": "ma\u200bke i\u200dt pur\u2060ple",
    "a byte order mark": "\ufeffMake it purple",
    "control characters": "\x01\x07\x1b[31mred\x1b[0m\x7f",
    "characters beyond the first plane": "𝔐𝔞𝔨𝔢 𝔦𝔱 \U0010ffff",
    "a decomposed letter": "cafe\u0301",
    "odd line ends": "one\rtwo\r\nthree\u2028four\u2029five\x85six",
    "blanks around": "\n\t  Make it purple \u3000\n",
    "SQL": "'; DROP TABLE messages; --",
    "JSON": '{"role": "system", "content": "\\u0000"}',
    "only punctuation": "?!…",
    "only digits": "1234567890",
    "a very long word": "a" * 100_000,
    "10,000 lines": "\n".join(f"line {i}" for i in range(10_000)),
    "a megabyte": "Make the button purple. " * 43_690,
}


@pytest.mark.parametrize("name", HEARD)
def test_an_odd_text_is_heard_and_comes_back_as_it_was(any_memory: Memory, name: str) -> None:
    text = HEARD[name]
    any_memory.hear("I want to add a FAB button", at=START)
    turn = any_memory.hear(text, at=START + timedelta(seconds=20))
    assert turn.text == text
    assert any_memory.conversation(turn.conversation.id).messages[-1].text == text
    reply = any_memory.say(text, at=START + timedelta(seconds=30))
    assert any_memory.conversation(turn.conversation.id).messages[-1] == reply
    assert reply.text == text
    assert any_memory.context(turn, budget=500).tokens <= 500
    any_memory.recall(text[:1000])


@pytest.mark.parametrize("name", HEARD)
def test_an_odd_text_may_be_the_first(any_memory: Memory, name: str) -> None:
    turn = any_memory.hear(HEARD[name])
    assert turn.conversation.title.strip()
    assert any_memory.conversation(turn.conversation.id).messages[0].text == HEARD[name]


TEXTS: dict[str, tuple[Any, type[AnaphoraError], str]] = {
    "empty": ("", BadText, "empty"),
    "blank": (" \n\t\u3000", BadText, "empty"),
    "only zero-width characters": ("\u200b\u200d\ufeff\u2060", BadText, "empty"),
    "only marks of direction": ("\u202e \u200f\u2066\u2069", BadText, "empty"),
    "only control characters": ("\x01\x07\x1b\x7f\x85", BadText, "empty"),
    "only variation selectors and tags": ("\ufe0f\U000e0041\U000e0100", BadText, "empty"),
    "only fillers": ("\u3164\u115f\u2800\u00ad", BadText, "empty"),
    "too long": ("x" * 3_000_000, BadText, r"3,000,000 characters.*max_message_chars"),
    "a NUL": ("Make it\0purple", BadText, "NUL character at position 7"),
    "half a character": ("Make it \ud83d", BadText, r"lone surrogate\) at position 8"),
    "bytes": (b"Make it purple", InputError, "not bytes"),
    "nothing": (None, InputError, "not NoneType"),
    "a number": (7, InputError, "not int"),
}
TAKES_A_TEXT: dict[str, Callable[[Memory, Any], object]] = {
    "hear": lambda memory, text: memory.hear(text),
    "say": lambda memory, text: memory.say(text),
    "answer": lambda memory, text: memory.answer(text),
    "log": lambda memory, text: memory.log(text, intent="PLAN"),
    "ingest": lambda memory, text: memory.ingest([{"text": "fine"}, {"text": text}]),
    "recall": lambda memory, text: memory.recall(text),
    "context": lambda memory, text: memory.context(text),
}


@pytest.mark.parametrize("method", TAKES_A_TEXT)
@pytest.mark.parametrize("name", TEXTS)
def test_a_text_that_cannot_be_stored_is_refused_and_nothing_changes(
    any_memory: Memory, name: str, method: str
) -> None:
    text, error, message = TEXTS[name]
    any_memory.hear("I want to add a FAB button")
    before = everything(any_memory)
    with pytest.raises(error, match=message):
        TAKES_A_TEXT[method](any_memory, text)
    assert everything(any_memory) == before


def hear(**values: Any) -> Callable[[Memory], object]:
    return lambda memory: memory.hear("Make it purple", **values)


def say(**values: Any) -> Callable[[Memory], object]:
    return lambda memory: memory.say("It is purple.", **values)


def ingest(message: Any) -> Callable[[Memory], object]:
    return lambda memory: memory.ingest([{"text": "fine"}, message])


class Words:
    """Counts words for tokens."""

    name = "words"

    def count(self, text: str) -> int:
        return len(text.split())


UNKNOWN: Any = "xml"
NOTHING: Any = None
WRONG: Any = 1.5
YES: Any = True
BYTES: Any = b"x"
ONE: Any = {"text": "hi"}
NAIVE = datetime(2025, 11, 3)
BEYOND = datetime.max.replace(tzinfo=timezone(timedelta(hours=-5)))
REFUSED: dict[str, tuple[Callable[[Memory], object], type[AnaphoraError], str]] = {
    "a time without a zone": (hear(at=NAIVE), BadTime, r"has no zone.*aware datetime"),
    "a time out of range": (hear(at=BEYOND), BadTime, "out of range"),
    "a time that is a text": (hear(at="2025-11-03T14:20:00Z"), BadTime, "not str"),
    "a time that is a day": (hear(at=date(2025, 11, 3)), BadTime, "not date"),
    "a reply's time without a zone": (say(at=NAIVE), BadTime, "no zone"),
    "an answer's time without a zone": (lambda m: m.answer("A", at=NAIVE), BadTime, "no zone"),
    "since without a zone": (lambda m: m.recall("button", since=NAIVE), BadTime, "no zone"),
    "until without a zone": (lambda m: m.recall("button", until=NAIVE), BadTime, "no zone"),
    "a context's time without a zone": (lambda m: m.context("button", at=NAIVE), BadTime, "no zone"),
    "an end without a zone": (lambda m: m.end(at=NAIVE), BadTime, "no zone"),
    "an empty id": (hear(id=""), InputError, "id must be a text that is not empty"),
    "a long id": (hear(id="x" * 300), InputError, "id has 300 characters; at most 256"),
    "an id with a NUL": (hear(id="a\0b"), BadText, "id holds a NUL"),
    "an id with half a character": (hear(id="\ud800"), BadText, "id holds half of a character"),
    "an id that is a number": (hear(id=7), InputError, "not 7"),
    "an empty speaker": (hear(speaker=" "), InputError, "speaker must be a text"),
    "a reply to an empty id": (say(reply_to=""), InputError, "replied to must be a text"),
    "a reply to half a character": (say(reply_to="\ud800"), BadText, "replied to holds half"),
    "metadata with a set": (hear(metadata={"tags": {1, 2}}), InputError, "cannot be stored as JSON.*set"),
    "metadata with NaN": (hear(metadata={"score": float("nan")}), InputError, "cannot be stored as JSON"),
    "metadata with infinity": (hear(metadata={"score": float("inf")}), InputError, "cannot be stored as JSON"),
    "metadata with half a character": (hear(metadata={"a": "\udfff"}), BadText, "metadata holds half"),
    "metadata with a NUL": (hear(metadata={"a": ["\0"]}), InputError, "NUL character"),
    "metadata that is a list": (hear(metadata=[1]), InputError, "must be a mapping"),
    "metadata with numbers as keys": (hear(metadata={1: 2}), InputError, "texts as keys"),
    "a reply's metadata": (say(metadata={"a": object()}), InputError, "cannot be stored as JSON"),
    "an unknown key": (ingest({"text": "a", "txet": "b"}), InputError, r"unknown keys \['txet'\].*Keys: text, role"),
    "an unknown role": (ingest({"text": "a", "role": "system"}), InputError, "unknown role 'system'"),
    "a message without a text": (ingest({"role": "user"}), InputError, "mapping with a text"),
    "a message that is a text": (ingest("hello"), InputError, "mapping with a text"),
    "no hits": (lambda m: m.recall("button", 0), InputError, "at least 1"),
    "a context for nothing": (lambda m: m.context(NOTHING), InputError, "for a turn or a text, not NoneType"),
    "no budget": (lambda m: m.context("button", 0), InputError, "at least 1 token"),
    "an empty title": (lambda m: m.new(""), InputError, "title must be a text"),
    "a long title": (lambda m: m.new("x" * 300), InputError, "title has 300 characters"),
    "an empty path": (lambda m: m.touch(""), InputError, "path must be a text"),
    "a function with half a character": (lambda m: m.touch("a.py", function="\ud800"), BadText, "function holds half"),
    "an empty author": (lambda m: m.update(author=""), InputError, "author must be a text"),
    "an empty intent": (lambda m: m.log("Make it purple", intent=""), InputError, "intent must be a text"),
    "an unknown format": (lambda m: m.export("x", UNKNOWN), InputError, r"Unknown format 'xml'.*anaphora"),
    "a query that is a number": (lambda m: m.recall(WRONG), BadText, "query must be a text, not float"),
    "an empty query": (lambda m: m.recall("\u200b"), BadText, "query is empty.*what to look for"),
    "since that is a text": (lambda m: m.recall("button", since=UNKNOWN), BadTime, "`since` must be a time, not str"),
    "until that is a number": (lambda m: m.recall("button", until=WRONG), BadTime, "`until` must be a time, not float"),
    "a number of hits that is a text": (lambda m: m.recall("button", UNKNOWN), InputError, "k must be a whole number"),
    "a number of hits that is none": (lambda m: m.recall("button", True), InputError, "k must be a whole number"),
    "a speaker to filter by": (lambda m: m.recall("button", speaker=WRONG), InputError, "speaker must be a text"),
    "a budget that is a text": (lambda m: m.context("button", UNKNOWN), InputError, "budget must be a whole number"),
    "a briefing for a text": (lambda m: m.brief(UNKNOWN), InputError, "for a turn, not str"),
    "events since a time": (lambda m: m.events(WRONG), InputError, "`since`.*whole number, not float"),
    "events since below zero": (lambda m: m.events(-1), InputError, "`since`.*at least 0"),
    "too few events": (lambda m: m.events(limit=UNKNOWN), InputError, "`limit` must be a whole number"),
    "a message by a number": (lambda m: m.message(WRONG), InputError, "id must be a text, not float"),
    "a conversation by nothing": (lambda m: m.conversation(NOTHING), InputError, "by its id.*not by NoneType"),
    "a conversation by yes": (lambda m: m.restore(YES), InputError, "by its id.*not by bool"),
    "a fragment by a number": (lambda m: m.fragment(WRONG), InputError, "fragment must be a text"),
    "tags that are one text": (lambda m: m.tag("1", remove="web"), InputError, "`remove` must be several tags"),
    "a question by a number": (lambda m: m.answer("A", WRONG), InputError, "question must be a text"),
    "nothing to ingest": (lambda m: m.ingest(NOTHING), InputError, "`messages` must be several messages"),
    "one text to ingest": (lambda m: m.ingest(UNKNOWN), InputError, "`messages` must be several.*not str"),
    "one mapping to ingest": (lambda m: m.ingest(ONE), InputError, "`messages` must be several.*not dict"),
    "rules or not": (lambda m: m.ingest([], by_rules=UNKNOWN), InputError, "`by_rules` must be True or False"),
    "records that are none": (lambda m: m.take_in(UNKNOWN), InputError, "`records` must be several records"),
    "a record that is a text": (lambda m: m.take_in([UNKNOWN]), InputError, "record to take in.*not str"),
    "edited or not": (lambda m: m.touch("a.py", edited=UNKNOWN), InputError, "`edited` must be True or False"),
    "a change that does nothing": (lambda m: m.update(WRONG), InputError, "`change` must be a function.*not float"),
    "entities that are none": (lambda m: m.update(lambda w: w.see(WRONG)), InputError, "several Entity values"),
    "facts of a number": (lambda m: m.facts(speaker=WRONG), InputError, "speaker must be a text"),
    "facts, past or not": (lambda m: m.facts(history=WRONG), InputError, "`history` must be True or False"),
    "a note of nothing": (lambda m: m.update(lambda w: w.remember("\u200b")), BadText, "a text that is not empty"),
    "a title of nothing": (lambda m: m.new("\ufeff"), InputError, "title must be a text that is not empty"),
    "one example": (lambda m: m.define_intent("deploy", "ship it"), InputError, "`examples` must be several texts"),
    "an intent by a number": (lambda m: m.drop_intent(WRONG), InputError, "intent must be a text"),
    "a message to forget": (lambda m: m.forget(message=WRONG), InputError, "id of a message must be a text"),
    "a file by a number": (lambda m: m.export(WRONG), InputError, "`path` must be the path of a file, not 1.5"),
    "a file without a name": (lambda m: m.import_file(""), InputError, "`path` must be the path of a file"),
    "a file by bytes": (lambda m: m.import_knowledge(BYTES), InputError, "`path` must be the path of a file"),
    "knowledge as a file": (lambda m: m.export_knowledge(NOTHING), InputError, "`path` must be the path of a file"),
    "the whole user or not": (lambda m: m.export("x", whole_user=WRONG), InputError, "`whole_user` must be True"),
    "afresh or not": (lambda m: m.consolidate(afresh=WRONG), InputError, "`afresh` must be True or False"),
    "knowledge that is a path": (lambda m: m.learn(UNKNOWN), InputError, "`knowledge` must be a Knowledge, not str"),
    "a command that is none": (lambda m: m.command(NOTHING), InputError, "command must be a text, not NoneType"),
    "an unknown conversation": (lambda m: m.restore("#9"), NotFound, r"no conversation '#9'"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_taken_is_refused_by_name_and_nothing_changes(any_memory: Memory, name: str) -> None:
    attempt, error, message = REFUSED[name]
    any_memory.hear("I want to add a FAB button")
    before, light = everything(any_memory), any_memory.light.retrieve()
    with pytest.raises(error, match=f"(?s){message}"):
        attempt(any_memory)
    assert everything(any_memory) == before
    assert any_memory.light.retrieve() == light


def test_metadata_comes_back_as_it_was(any_memory: Memory) -> None:
    metadata = {"tags": ["a", "ü"], "score": 0.5, "deep": {"none": None, "yes": True}, "escaped": "\\u0000", "": ""}
    turn = any_memory.hear("Make it purple", metadata=metadata)
    assert any_memory.conversation(turn.conversation.id).messages[0].metadata == metadata


def test_a_time_in_another_zone_is_the_same_moment(any_memory: Memory) -> None:
    there = START.astimezone(timezone(timedelta(hours=9)))
    turn = any_memory.hear("Make it purple", at=there)
    assert turn.at == START
    assert turn.at.tzinfo == UTC


@pytest.mark.parametrize("at", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)])
def test_the_first_and_the_last_moment_can_be_heard(any_memory: Memory, at: datetime) -> None:
    turn = any_memory.hear("Make it purple", at=at)
    assert any_memory.conversation(turn.conversation.id).messages[0].at == at
    assert any_memory.recall("purple")[0].at == at


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        ({"user": ""}, InputError, "user must be a text"),
        ({"agent": "a\0b"}, InputError, "agent holds a NUL"),
        ({"project": "x" * 300}, InputError, "project has 300 characters"),
        ({"session": "\ud800"}, InputError, "session holds half"),
        ({"author": " "}, InputError, "author must be a text"),
        ({"user": "\u200b"}, InputError, "user must be a text that is not empty"),
        ({"store": 5}, InputError, "`store` must be a path.*not int"),
        ({"store": ""}, SettingsError, "'store' in the call: it is empty.*Name a file"),
        ({"store": "  "}, SettingsError, "it is empty"),
        ({"settings": {"user": "ada"}}, InputError, "`settings` must be a Settings, not dict"),
        (
            {"settings": Settings(window=NOTHING)},
            SettingsError,
            "Bad value None for setting 'window' in the settings obj",
        ),
        ({"settings": Settings(timezone="Mars")}, SettingsError, "'timezone'.*an IANA zone"),
        ({"clock": NAIVE}, InputError, "`clock` must be a function.*not datetime"),
        ({"counter": "o200k"}, InputError, r"`counter` must have a method count\(\).*str"),
        ({"counter": Words}, InputError, r"`counter` must be an object.*not the class Words.*such as Words\(\)"),
        ({"reader": WRONG}, InputError, r"`reader` must have a method judge\(\).*float"),
        ({"embedder": WRONG}, InputError, r"`embedder` must have a method embed\(\).*float"),
        ({"language": WRONG}, InputError, r"`language` must have a method complete\(\).*float"),
        ({"preset": "nope"}, SettingsError, "assistant, kds"),
        ({"windo": 3}, SettingsError, "Did you mean 'window'"),
    ],
)
def test_a_memory_is_not_opened_on_bad_names(values: dict[str, Any], error: type[AnaphoraError], message: str) -> None:
    with pytest.raises(error, match=message):
        anaphora.open(**{"store": ":memory:", **values})


def test_a_very_long_expiry_is_as_good_as_none(clock: FrozenClock) -> None:
    with anaphora.open(":memory:", clock=clock, expire_after="9999999d") as memory:
        memory.hear("Make it purple")
        assert len(memory.load()) == 1


@pytest.mark.parametrize("text", ["\u200bx", "·", "❤️", "\u0301", "\ue000", "\u200b.\ufeff"])
def test_a_text_that_shows_anything_is_heard(any_memory: Memory, text: str) -> None:
    assert any_memory.hear(text).text == text


def test_a_number_of_an_event_beyond_any_store_is_beyond_the_last(any_memory: Memory) -> None:
    any_memory.hear("Make it purple")
    assert any_memory.events(since=10**30) == []
    assert any_memory.events(limit=10**30) == any_memory.events()


def test_a_closed_memory_says_so(any_memory: Memory) -> None:
    any_memory.close()
    any_memory.close()
    with pytest.raises(StoreError, match="closed"):
        any_memory.hear("Make it purple")


# --- odd talk: what is said before and after decides how it is read ------------------------------------------------

TALKED = {
    "nothing but dots for a name": ["We'll use GraphQL", "no, ..."],
    "nothing but a sign for a name": ["We'll use GraphQL", "actually, :"],
    "a word after a sign": ["(", "I want to build a login form for the shop"],
    "a long text after a sign": ["...", "what is the capital of Mongolia then?", "what is the capital of"],
    "dots undone": ["...", "undo that"],
    "brackets undone": ["()", "revert"],
    "polite words without end": ["Add a table", "> Should I run it?", f"yes {'please do yes please ' * 7}x"],
    "an answer to choices without end": ["Use port 8080", f"> {'or ' * 10_000}", "no, 9090"],
    "blanks before what was meant": ["Add a table", f"Test it{' ' * 30_000}.", "now the same for orders"],
    "signs without end": ["Add a table", "'" * 30_000, "what is the capital of Mongolia?", "." * 30_000],
    "quotes that never close": ["Add a table", f"> {'“' * 10_000}", "the second one"],
    "times without end": ["Use port 8080", f"> {'12:00 ' * 10_000}", "no, 9090"],
}


@pytest.mark.parametrize("name", TALKED)
def test_odd_talk_is_heard_and_every_reference_lies_within_it(any_reading: Memory, name: str) -> None:
    for minute, text in enumerate(TALKED[name]):
        at = START + timedelta(minutes=minute)
        if text.startswith("> "):
            any_reading.say(text[2:], at=at)
            continue
        turn = any_reading.hear(text, at=at)
        assert all(text[slice(*found.span)] == found.mention and found.referent for found in turn.references)
        assert "()" not in turn.expanded.replace(text, "")


@pytest.mark.parametrize("lead", ["- ", "... ", "(", '"blue": '])
def test_what_is_left_out_is_put_in_behind_odd_signs_too(memory: Memory, lead: str) -> None:
    memory.hear("I want to add a FAB button", at=START)
    assert memory.hear(f"{lead}add a border", at=START + timedelta(seconds=20)).expanded == (
        f"{lead}add a border to the FAB button"
    )
