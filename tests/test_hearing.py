"""Hearing: what a message means, what is logged of it, and what leaves the window by itself."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anaphora
from anaphora import IdConflict, Memory
from anaphora.settings import PRESETS, PresetName
from anaphora.testing import FrozenClock
from anaphora.understanding.reading import STEPS
from tests.talk import BOTH_STORES, START, everything, later, says_something, stored_bytes

PASSWORD = "hunter2!correct-horse"
FAB = "I want to add a FAB button"
SWITCH = "Actually, let's work on dark mode first"


# --- what is logged -----------------------------------------------------------------------------------------------


@pytest.mark.requirement("K1")
def test_each_message_is_logged_with_its_time_text_intent_conversation_and_referent(any_memory: Memory) -> None:
    any_memory.hear(FAB, at=START)
    any_memory.hear("Make it purple", at=later(1))
    first, second = any_memory.conversation("fab-button-20251103").messages
    assert (first.at, first.text, first.intent, first.context_ref) == (START, FAB, "PLAN", None)
    assert (second.at, second.text, second.intent) == (later(1), "Make it purple", "EXECUTE")
    assert second.context_ref == "FAB button"
    assert {m.conversation_id for m in (first, second)} == {"fab-button-20251103"}
    assert any_memory.load() == [
        {
            "timestamp": "2025-11-03T14:20:00Z",
            "user_message": FAB,
            "intent": "PLAN",
            "session_id": "fab-button-20251103",
        },
        {
            "timestamp": "2025-11-03T14:21:00Z",
            "user_message": "Make it purple",
            "intent": "EXECUTE",
            "session_id": "fab-button-20251103",
            "context_ref": "FAB button",
        },
    ]


@pytest.mark.requirement("K1")
def test_the_text_that_is_logged_is_the_redacted_one(any_memory: Memory) -> None:
    turn = any_memory.hear(f"Connect to the database, the password is {PASSWORD}")
    [message] = any_memory.conversation(turn.conversation.id).messages
    assert turn.text == f"Connect to the database, the password is {PASSWORD}"
    assert message.text == "Connect to the database, the password is [redacted: password]"
    assert [r.kind for r in turn.redactions] == [r.kind for r in message.redactions] == ["password"]
    assert any_memory.load()[0]["user_message"] == message.text


@pytest.mark.requirement("K2")
def test_the_steps_of_the_pass_have_their_fixed_order() -> None:
    order = [name for name, _ in STEPS if name in ("redact", "boundary", "references", "intents")]
    assert order == ["redact", "boundary", "references", "intents"]


@pytest.mark.requirement("K2")
def test_the_intent_is_read_off_the_expanded_message(any_memory: Memory) -> None:
    with anaphora.open(":memory:") as fresh:
        assert "TEST" not in [i.name for i in fresh.hear("Run them").intents]
    any_memory.hear("I want to add unit tests for the parser", at=START)
    turn = any_memory.hear("Run them", at=later(0.5))
    assert turn.expanded == "Run the unit tests"
    assert "TEST" in [i.name for i in turn.intents]
    assert any_memory.load()[-1]["user_message"] == "Run them"


@pytest.mark.requirement("K2")
def test_the_boundary_is_decided_before_references_look_back(any_memory: Memory) -> None:
    any_memory.hear(FAB, at=START)
    turn = any_memory.hear("New topic: make it purple", at=later(1))
    assert turn.boundary.decision == "new"
    assert turn.references == ()
    assert turn.expanded == "New topic: make it purple"


@pytest.mark.requirement("K2")
def test_a_secret_is_nowhere_in_the_files_of_the_store(store_path: Path) -> None:
    with anaphora.open(store_path) as memory:
        memory.hear(f"I want to add a login form. My password is {PASSWORD}", at=START)
        memory.say(f"I will use password={PASSWORD} then.", at=later(0.5))
        memory.hear(f"Put it into config.py as password = '{PASSWORD}'", at=later(1))
        memory.hear(f"Remember that the password is {PASSWORD}", at=later(300))
        while_open = stored_bytes(store_path)
    for raw in (while_open, stored_bytes(store_path)):
        assert b"login form" in raw
        assert PASSWORD.encode() not in raw
        assert b"hunter2" not in raw


# --- the window ---------------------------------------------------------------------------------------------------


def hear_fifteen(memory: Memory) -> list[str]:
    texts = [f"Change the layout of page number {i}" for i in range(15)]
    for i, text in enumerate(texts):
        memory.hear(text, at=later(seconds=10 * i))
    return texts


@pytest.mark.requirement("K3")
def test_the_window_holds_the_last_ten_messages(any_memory: Memory) -> None:
    texts = hear_fifteen(any_memory)
    assert [entry["user_message"] for entry in any_memory.load()] == texts[-10:]
    assert [m.text for m in any_memory.conversation("1").messages] == texts


@pytest.mark.requirement("K3")
@pytest.mark.parametrize("place", BOTH_STORES)
def test_in_preset_kds_what_leaves_the_window_is_gone(place: str, clock: FrozenClock) -> None:
    with anaphora.open(place, preset="kds", clock=clock) as memory:
        texts = hear_fifteen(memory)
        [conversation] = memory.conversations()
        assert [m["text"] for m in everything(memory)["messages"]] == texts[-10:]
        assert conversation.message_count == 10
        assert texts[3] not in [hit.text for hit in memory.recall(texts[3])]


@pytest.mark.requirement("K3")
def test_the_size_of_the_window_is_a_setting(clock: FrozenClock) -> None:
    with anaphora.open(":memory:", clock=clock, preset="kds", window=3, keep_replies=True) as memory:
        for i in range(6):
            memory.hear(f"Change the layout of page number {i}", at=later(seconds=10 * i))
            memory.say(f"Page {i} has a new layout.", at=later(seconds=10 * i + 5))
        kept = [m["text"] for m in everything(memory)["messages"] if m["role"] == "user"]
        replies = [m["text"] for m in everything(memory)["messages"] if m["role"] == "assistant"]
    assert kept == [f"Change the layout of page number {i}" for i in (3, 4, 5)]
    assert replies == [f"Page {i} has a new layout." for i in (3, 4, 5)]


# --- expiry -------------------------------------------------------------------------------------------------------

READS: dict[str, Callable[[Memory], bool]] = {
    "load": lambda memory: memory.load() == [],
    "recall": lambda memory: memory.recall("the FAB button") == [],
    "context": lambda memory: "purple" not in memory.context("What is next?").text,
    "conversations": lambda memory: memory.conversations() == [],
    "current": lambda memory: memory.current() is None,
    "summary": lambda memory: "purple" not in memory.summary,
}


@pytest.mark.requirement("K4")
@pytest.mark.parametrize("read", READS)
def test_in_preset_kds_messages_older_than_two_hours_are_gone_on_reading(read: str, clock: FrozenClock) -> None:
    with anaphora.open(":memory:", preset="kds", clock=clock) as memory:
        memory.hear("Make the FAB button purple")
        clock.advance(hours=2)
        assert not READS[read](memory)
        clock.advance(seconds=1)
        assert READS[read](memory)
        assert memory.events()[-1].kind == "messages.expired"
        assert memory.events()[-1].data == {"removed": 1}


@pytest.mark.requirement("K4")
@pytest.mark.parametrize("place", BOTH_STORES)
def test_in_preset_kds_expired_messages_are_gone_before_anything_is_detected(place: str, clock: FrozenClock) -> None:
    with anaphora.open(place, preset="kds", clock=clock) as memory:
        memory.hear(FAB)
        clock.advance(hours=2, seconds=1)
        turn = memory.hear("Make it purple")
        assert (turn.expanded, turn.references, turn.question) == ("Make it purple", (), None)
        assert turn.conversation.message_count == 1
        assert [m["text"] for m in everything(memory)["messages"]] == ["Make it purple"]


@pytest.mark.requirement("K4")
def test_in_preset_kds_messages_are_gone_when_the_store_is_opened_again(store_path: Path, clock: FrozenClock) -> None:
    with anaphora.open(store_path, preset="kds", clock=clock) as memory:
        memory.hear("Paint the FAB button gorgeously")
    clock.advance(hours=2, seconds=1)
    anaphora.open(store_path, preset="kds", clock=clock).close()
    assert b"gorgeous" not in stored_bytes(store_path)


@pytest.mark.requirement("K4")
def test_messages_expire_after_inactivity_without_any_call(store_path: Path) -> None:
    brief = timedelta(seconds=0.2)
    with (
        anaphora.open(store_path) as onlooker,  # its own preset lets nothing expire
        anaphora.open(store_path, preset="kds", expire_after=brief) as memory,
    ):
        memory.hear("Make the FAB button purple")
        assert len(onlooker.conversations()) == 1
        patience = threading.Event()
        for _ in range(400):
            if not onlooker.conversations() or patience.wait(0.05):
                break
        assert onlooker.conversations() == []
        assert onlooker.recall("FAB button") == []
        assert onlooker.events()[-1].kind == "messages.expired"


@pytest.mark.requirement("K4")
def test_a_question_about_an_expired_message_is_withdrawn(store_path: Path, clock: FrozenClock) -> None:
    with anaphora.open(store_path, preset="kds", clock=clock) as memory:
        memory.hear(FAB)
        clock.advance(hours=1)
        assert memory.hear("Make it gorgeously big").question is not None
        clock.advance(hours=2, seconds=1)
        assert memory.load() == []
        with pytest.raises(anaphora.NotFound):
            memory.answer("A")
    assert b"gorgeous" not in stored_bytes(store_path)


@pytest.mark.requirement("K4")
@pytest.mark.parametrize("preset", [name for name in PRESETS if name != "kds"])
def test_other_presets_keep_messages_however_old_they_are(preset: PresetName, clock: FrozenClock) -> None:
    with anaphora.open(":memory:", preset=preset, clock=clock) as memory:
        memory.hear(FAB)
        clock.advance(days=400)
        assert [entry["user_message"] for entry in memory.load()] == [FAB]
        assert [hit.text for hit in memory.recall("FAB button")] == [FAB]


# --- turning to something else ------------------------------------------------------------------------------------


@pytest.mark.requirement("K8")
def test_turning_to_something_else_starts_a_new_conversation_with_a_clear_window(any_memory: Memory) -> None:
    any_memory.hear(FAB, at=START)
    any_memory.hear("Make it purple", at=later(1))
    turn = any_memory.hear(SWITCH, at=later(2))
    assert (turn.boundary.decision, turn.intent.name, turn.expanded) == ("new", "PLAN", SWITCH)
    assert turn.conversation.id == "dark-mode-20251103"
    assert [entry["user_message"] for entry in any_memory.load()] == [SWITCH]
    old, new = any_memory.conversations()
    assert (old.title, old.active, old.message_count) == ("FAB Button", False, 2)
    assert (new.title, new.active, new.message_count) == ("Dark Mode", True, 1)


@pytest.mark.requirement("K8")
@pytest.mark.parametrize("words", ["back to the FAB button", "#1", "fab-button-20251103", "FAB Button"])
def test_what_was_left_for_something_else_can_be_resumed(any_memory: Memory, words: str) -> None:
    any_memory.hear(FAB, at=START)
    any_memory.hear(SWITCH, at=later(1))
    if words.startswith("back"):
        resumed = any_memory.hear(words, at=later(2)).conversation
    else:
        resumed = any_memory.restore(words, at=later(2))
    assert (resumed.id, resumed.number, resumed.active) == ("fab-button-20251103", 1, True)
    turn = any_memory.hear("Make it purple", at=later(3))
    assert turn.expanded == "Make the FAB button purple"
    assert turn.conversation.id == resumed.id
    assert [c.active for c in any_memory.conversations()] == [True, False]


# --- what it means ------------------------------------------------------------------------------------------------

EXAMPLES = {
    "a button": [
        (FAB, FAB, "PLAN", None),
        ("Make it purple", "Make the FAB button purple", "EXECUTE", "FAB button"),
        ("Add a pulse animation", "Add a pulse animation to the FAB button", "PLAN", "FAB button"),
        ("Test it", "Test the FAB button", "TEST", "FAB button"),
        ("Change the color", "Change the color of the FAB button", "EXECUTE", "FAB button"),
    ],
    "dark mode": [
        ("I want to add dark mode", "I want to add dark mode", "PLAN", None),
        ("Use toggle switch, not button", "Use toggle switch for dark mode, not button", "CORRECT", "dark mode"),
        ("Put it in the header", "Put the dark mode toggle in the header", "EXECUTE", "dark mode toggle"),
    ],
}


@pytest.mark.parametrize("example", EXAMPLES)
def test_follow_ups_are_understood_step_by_step(any_memory: Memory, example: str) -> None:
    for i, (text, expanded, intent, referent) in enumerate(EXAMPLES[example]):
        turn = any_memory.hear(text, at=later(seconds=40 * i))
        assert (turn.text, turn.expanded, turn.intent.name) == (text, expanded, intent)
        assert any_memory.load()[-1].get("context_ref") == referent
        assert turn.conversation.number == 1


def test_a_reference_says_what_it_points_to_and_where_that_was_said(any_memory: Memory) -> None:
    first = any_memory.hear(FAB, at=START)
    [reference] = any_memory.hear("Make it purple", at=later(1)).references
    assert (reference.mention, reference.span, reference.referent) == ("it", (5, 7), "FAB button")
    assert reference.message_id == first.message_id
    assert 0.45 <= reference.confidence <= 1
    assert reference.why


@pytest.mark.parametrize(
    "text",
    [
        "Write a function that sorts a list of numbers.",
        "  What is a closure in JavaScript? ",
        "Rename parse_date in dates.py to read_date\r\n\tand keep every test green\n",
        "Schreibe bitte ein Gedicht über das Meer …",
        "```python\nit = make(that)\n```",
        "e\u0301 and \u00e9 are not the same bytes",
    ],
)
def test_a_message_that_stands_alone_is_left_as_it_is(any_memory: Memory, text: str) -> None:
    any_memory.hear(FAB, at=START)
    turn = any_memory.hear(text, at=later(1))
    assert turn.text == turn.expanded == turn.handoff.expanded == text
    assert turn.references == ()
    assert any_memory.conversation(turn.conversation.id).messages[-1].text == text


# --- the same id twice --------------------------------------------------------------------------------------------

TALK = (
    "Make it purple",
    "Test it",
    "Actually, let's work on dark mode first",
    "thanks",
    "Use Redis, never Memcached",
    "A",
)
TEXTS = st.one_of(
    st.sampled_from(TALK),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1).filter(says_something),
)


@given(texts=st.lists(TEXTS, min_size=1, max_size=4), gap=st.sampled_from([1, 45, 600]), data=st.data())
def test_hearing_the_same_id_and_text_twice_changes_nothing(texts: list[str], gap: int, data: st.DataObject) -> None:
    with anaphora.open(":memory:", clock=FrozenClock(later(10_000))) as memory:
        memory.hear(FAB, at=START, id="first")
        for i, text in enumerate(texts):
            memory.hear(text, at=later(gap * (i + 1)), id=f"id-{i}")
        before, light = everything(memory), memory.light.retrieve()
        again = data.draw(st.integers(0, len(texts) - 1))
        memory.hear(texts[again], at=later(20_000), id=f"id-{again}")
        assert everything(memory) == before
        assert memory.light.retrieve() == light


def test_the_same_id_and_text_give_the_same_turn_again(any_memory: Memory) -> None:
    any_memory.hear(FAB, at=START)
    turn = any_memory.hear("Make it purple", at=later(1), id="mine")
    assert any_memory.hear("Make it purple", at=later(9), id="mine") == turn


def test_the_same_id_with_another_text_is_an_error_and_changes_nothing(any_memory: Memory) -> None:
    any_memory.hear(FAB, at=START, id="mine")
    any_memory.say("There it is.", at=later(0.5), id="reply")
    before = everything(any_memory)
    for attempt in (
        lambda: any_memory.hear("Make it purple", at=later(1), id="mine"),
        lambda: any_memory.hear("There it is.", at=later(1), id="reply"),
        lambda: any_memory.say("Here it is.", at=later(1), id="reply"),
        lambda: any_memory.say(FAB, at=later(1), id="mine"),
        lambda: any_memory.ingest([{"text": "Something else", "at": later(1), "id": "mine"}]),
    ):
        with pytest.raises(IdConflict, match="another text"):
            attempt()
        assert everything(any_memory) == before


def test_saying_the_same_id_and_text_twice_is_one_reply(any_memory: Memory) -> None:
    any_memory.hear(FAB, at=START)
    reply = any_memory.say("There it is.", at=later(1), id="reply")
    before = everything(any_memory)
    assert any_memory.say("There it is.", at=later(2), id="reply") == reply
    assert everything(any_memory) == before


@pytest.mark.parametrize("preset", ["assistant", "kds"])
def test_places_are_places_in_what_is_stored_even_after_a_secret(preset: PresetName, clock: FrozenClock) -> None:
    with anaphora.open(":memory:", clock=clock, preset=preset) as memory:
        memory.hear("I want to add a FAB button")
        said = "with sk-ant-REDACTED-a1b2c3d4e5f6a7b8c9 in config.py, make it purple"
        turn = memory.hear(said)
        assert turn.text == said
        assert "sk-ant" not in turn.stored
        assert turn.stored == memory.conversation(turn.conversation.id).messages[-1].text
        assert all(turn.stored[slice(*entity.span)] == entity.text for entity in turn.entities)
        assert all(turn.stored[slice(*reference.span)] == reference.mention for reference in turn.references)
        assert all(turn.text[slice(*redaction.span)].startswith("sk-ant") for redaction in turn.redactions)


# --- apostrophes as phones and word processors write them -----------------------------------------------------------

SAID_WITH_ONE = (
    "Actually, let's work on dark mode first",
    "Let's switch to the footer",
    "Let's use SQLite because files aren't shared",
    "It doesn't work",
    "I'd like to add a toolbar",
    "That's wrong, I don't want a button",
    "The build doesn't give any errors",
    "Don't ever store the password",
    "I'm working on the header now",
    "what's the plan?",
    "that's all, thanks",
)


@pytest.mark.requirement("K8")
@pytest.mark.parametrize("text", SAID_WITH_ONE)
def test_a_curly_apostrophe_is_read_like_a_straight_one(text: str) -> None:
    turns = []
    for said in (text, text.replace("'", "’")):
        with anaphora.open(":memory:", reader="none") as memory:
            memory.hear("I want to add a FAB button", at=later())
            turns.append(memory.hear(said, at=later(1)))
    plain, curly = turns
    assert curly.text == text.replace("'", "’")
    assert (curly.boundary, curly.intents, curly.importance) == (plain.boundary, plain.intents, plain.importance)
    assert [(s.kind, s.text.replace("’", "'")) for s in curly.signals] == [(s.kind, s.text) for s in plain.signals]
