"""Conversations: what each holds, how it begins, ends and comes back, the queue, and the light context beside it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest

import anaphora
from anaphora import InputError, Memory, NotFound
from anaphora.engine import conversations
from anaphora.settings import PresetName
from anaphora.testing import FrozenClock
from anaphora.types import OUTCOMES, Outcome
from tests.counting import counted
from tests.talk import BOTH_STORES, START, everything, later, stored_bytes

FAB = "I want to add a FAB button"
SWITCH = "Actually, let's work on dark mode first"


def hear_all(memory: Memory, *texts: str, start: float = 0) -> None:
    """Each half a minute after the one before."""
    for i, text in enumerate(texts):
        memory.hear(text, at=later(start + i / 2))


def kinds_of(memory: Memory, prefix: str = "") -> list[str]:
    return [e.kind.removeprefix(prefix) for e in memory.events() if e.kind.startswith(prefix)]


# --- what it holds ------------------------------------------------------------------------------------------------


@pytest.mark.requirement("B1")
def test_a_conversation_knows_all_about_itself(any_memory: Memory) -> None:
    hear_all(any_memory, FAB, "Make it purple", "Add a pulse animation", "Test it")
    any_memory.say("It passes.", at=later(2))
    any_memory.touch("HostControlPanel.razor", edited=True, at=later(2))
    any_memory.touch("Only.looked.at", at=later(2))
    any_memory.touch("AssetProcessingService.cs", edited=True, at=later(2))
    any_memory.touch("HostControlPanel.razor", edited=True, at=later(2))

    found = any_memory.conversation("fab-button-20251103")
    assert (found.id, found.title, found.number) == ("fab-button-20251103", "FAB Button", 1)
    assert (found.started, found.ended, found.active, found.outcome) == (START, None, True, None)
    assert found.message_count == len(found.messages) == 5
    assert found.entities_discussed == ("FAB button", "purple", "pulse animation")
    assert found.files_modified == ("HostControlPanel.razor", "AssetProcessingService.cs")
    assert [(m.text, [e.text for e in m.entities], m.context_ref) for m in found.messages if m.role == "user"] == [
        (FAB, ["FAB button"], None),
        ("Make it purple", ["purple"], "FAB button"),
        ("Add a pulse animation", ["pulse animation"], "FAB button"),
        ("Test it", [], "FAB button"),
    ]

    ended = any_memory.end("merged", at=later(5))
    assert (ended.ended, ended.active, ended.outcome) == (later(5), False, "merged")


@pytest.mark.requirement("B1")
@pytest.mark.parametrize(
    ("texts", "outcome"),
    [
        ((FAB,), "planned"),
        ((FAB, "Make it purple"), "implemented"),
        ((FAB, "Make it purple", "Test it"), "tested"),
        ((FAB, "Make it purple", "thanks, that's all"), "completed"),
        (("Hmm",), "abandoned"),
    ],
)
def test_the_outcome_is_seen_from_what_was_wanted(any_memory: Memory, texts: tuple[str, ...], outcome: str) -> None:
    hear_all(any_memory, *texts)
    assert any_memory.end(at=later(5)).outcome == outcome


@pytest.mark.requirement("B1")
@pytest.mark.parametrize("outcome", OUTCOMES)
def test_the_outcome_can_be_given(any_memory: Memory, outcome: Outcome) -> None:
    any_memory.hear(FAB)
    any_memory.end(outcome)
    assert any_memory.conversation("1").outcome == outcome


@pytest.mark.requirement("B1")
def test_an_outcome_that_does_not_exist_is_an_error(any_memory: Memory) -> None:
    any_memory.hear(FAB)
    before = everything(any_memory)
    with pytest.raises(InputError, match=r"Unknown outcome 'great'.*planned, implemented"):
        any_memory.end(cast(Outcome, "great"))
    assert everything(any_memory) == before


# --- begun, ended, gone on with -----------------------------------------------------------------------------------


def test_a_new_conversation_ends_the_open_one_and_takes_its_title_from_what_is_said(any_memory: Memory) -> None:
    any_memory.hear(FAB)
    made = any_memory.new()
    assert (made.number, made.active, made.message_count) == (2, True, 0)
    turn = any_memory.hear("I want to add dark mode")
    assert (turn.conversation.id, turn.conversation.title) == (made.id, "Dark Mode")
    assert [c.active for c in any_memory.conversations()] == [False, True]


def test_a_title_that_was_given_stays(any_memory: Memory) -> None:
    made = any_memory.new("Night and day")
    turn = any_memory.hear("I want to add dark mode")
    assert (turn.conversation.id, turn.conversation.title) == (made.id, "Night and day")
    assert made.id == "night-and-day-20251103"


def test_two_conversations_of_one_title_and_day_have_different_ids(any_memory: Memory) -> None:
    ids = [any_memory.new("Dark mode").id for _ in range(3)]
    assert ids == ["dark-mode-20251103", "dark-mode-20251103-2", "dark-mode-20251103-3"]
    assert any_memory.conversation("dark MODE").id == ids[-1]


def test_the_number_of_a_title_that_was_given_often_is_found_without_asking_for_all_before_it(memory: Memory) -> None:
    counting, reads = counted(memory)
    taken = []
    for number in range(2, 101):
        counting.new("Dark mode", at=START)
        reads.clear()
        assert conversations.new_id(counting._place.view, "Dark mode", START) == f"dark-mode-20251103-{number}"
        taken.append(reads["document"])
    assert max(taken) <= 2 * 2 * 7  # twice the powers of two up to a hundred, each in the queue and past it


def test_a_title_without_latin_letters_still_gives_an_id(any_memory: Memory) -> None:
    assert any_memory.new("暗黑模式").id == "conversation-20251103"
    assert any_memory.conversation("暗黑模式").number == 1


def test_an_ended_conversation_stays_in_the_queue_and_can_be_restored(any_memory: Memory) -> None:
    any_memory.hear(FAB, at=START)
    any_memory.end(at=later(1))
    assert [c.active for c in any_memory.conversations()] == [False]
    with pytest.raises(NotFound, match="no open conversation"):
        any_memory.end(at=later(2))
    restored = any_memory.restore("1", at=later(60 * 24 * 30))
    assert (restored.active, restored.outcome) == (True, None)
    turn = any_memory.hear("Make it purple", at=later(60 * 24 * 30 + 0.5))
    assert (turn.conversation.id, turn.expanded) == (restored.id, "Make the FAB button purple")
    assert (turn.boundary.decision, turn.question) == ("same", None)  # the gap begins with the restoring


@pytest.mark.parametrize("name", ["3", "#3", "0", "no such title", "", "²", "-1", "fab-button", "\ud800"])
def test_a_conversation_that_is_not_there_is_not_found(any_memory: Memory, name: str) -> None:
    hear_all(any_memory, FAB, SWITCH)
    for ask in (any_memory.conversation, any_memory.restore):
        with pytest.raises(NotFound, match=r"There is no conversation"):
            ask(name)
    assert [c.active for c in any_memory.conversations()] == [False, True]


@pytest.mark.requirement("B3")
@pytest.mark.parametrize("preset", ["assistant", "brain"])
def test_a_conversation_may_span_weeks(preset: PresetName, clock: FrozenClock) -> None:
    with anaphora.open(":memory:", preset=preset, clock=clock) as memory:
        memory.hear(FAB)
        said = [FAB]
        for color in ("purple", "green", "blue", "orange"):
            clock.advance(days=6)
            memory.hear("Back to the FAB button")
            clock.advance(seconds=20)
            memory.hear(f"Paint the FAB button {color}")
            clock.advance(days=1)
            memory.hear("New topic: what is for lunch?")
            said += ["Back to the FAB button", f"Paint the FAB button {color}"]
        found = memory.conversation("fab-button-20251103")
        assert [m.text for m in found.messages] == said
        assert found.messages[-1].at - found.started > timedelta(weeks=3)
        assert memory.restore(found.id).active
        assert len(memory.load()) == 9


# --- numbers, titles and links ------------------------------------------------------------------------------------


def test_numbers_run_from_the_oldest_to_the_newest(any_memory: Memory) -> None:
    hear_all(any_memory, FAB, SWITCH, "New topic: I want to add user authentication")
    assert [(c.number, c.title) for c in any_memory.conversations()] == [
        (1, "FAB Button"),
        (2, "Dark Mode"),
        (3, "User Authentication"),
    ]
    assert any_memory.conversation("#2").title == any_memory.conversation("2").title == "Dark Mode"


@pytest.mark.parametrize("named", ["conversation #1", "the first conversation"])
def test_another_conversation_can_be_named_by_its_number(any_memory: Memory, named: str) -> None:
    hear_all(any_memory, FAB, SWITCH, "New topic: I want to add a toolbar")
    turn = any_memory.hear(f"Make it purple like in {named}", at=later(2))
    assert f"{named} (FAB Button)" in turn.expanded
    assert "fab-button-20251103" in [r.conversation_id for r in turn.references]
    assert any_memory.conversation(turn.conversation.id).links == ("fab-button-20251103",)


def test_another_conversation_can_be_named_by_its_time(any_memory: Memory) -> None:
    any_memory.hear(FAB, at=START)
    any_memory.hear("New topic: I want to add user authentication", at=later(days=7))
    turn = any_memory.hear("what was the button from last week?", at=later(0.5, days=7))
    assert turn.expanded == "what was the FAB button from last week?"
    assert any_memory.conversation(turn.conversation.id).links == ("fab-button-20251103",)


# --- the queue ----------------------------------------------------------------------------------------------------


def hear_topics(memory: Memory, count: int) -> None:
    for i in range(count):
        memory.new(f"Topic {i}", at=later(days=i))
        for step in range(4):
            memory.hear(f"Paint wall w{i}s{step} flabbergastingly", at=later(days=i, seconds=step))


@pytest.mark.parametrize("place", BOTH_STORES)
@pytest.mark.parametrize("preset", ["assistant", "brain"])
def test_number_21_pushes_the_oldest_out(place: str, preset: PresetName, clock: FrozenClock) -> None:
    with anaphora.open(place, preset=preset, clock=clock) as memory:
        hear_topics(memory, 20)
        assert [c.title for c in memory.conversations()] == [f"Topic {i}" for i in range(20)]
        assert "removed" not in kinds_of(memory, "conversation.")
        memory.new("Topic 20", at=later(days=20))
        assert [(c.number, c.title) for c in memory.conversations()] == [(i, f"Topic {i}") for i in range(1, 21)]
        [removed] = [e for e in memory.events() if e.kind == "conversation.removed"]
        assert removed.at == later(days=20)
        if preset == "brain":  # whose text is gone, and with it the name that was made of it
            assert (removed.conversation_id, removed.data) == (None, {"text": "deleted", "messages": 4})
            assert "topic-0" not in str(memory.events())
        else:
            assert (removed.conversation_id, removed.data["text"]) == ("topic-0-20251103", "kept")


def test_in_preset_assistant_what_left_the_queue_is_still_found(any_memory: Memory) -> None:
    hear_topics(any_memory, 21)
    found = any_memory.conversation("topic-0-20251103")
    assert (found.number, found.message_count, len(found.messages)) == (None, 4, 4)
    assert any_memory.recall("paint wall w0s2")[0].text == "Paint wall w0s2 flabbergastingly"


def test_what_left_the_queue_comes_back_at_its_end_and_pushes_another_out(any_memory: Memory) -> None:
    hear_topics(any_memory, 21)
    restored = any_memory.restore("topic-0-20251103", at=later(days=30))
    assert (restored.number, restored.active) == (20, True)
    assert [c.title for c in any_memory.conversations()] == [*(f"Topic {i}" for i in range(2, 21)), "Topic 0"]
    assert any_memory.conversation("Topic 1").number is None


def test_in_preset_brain_the_text_of_what_left_the_queue_is_deleted(store_path: Path, clock: FrozenClock) -> None:
    with anaphora.open(store_path, preset="brain", clock=clock, queue=1) as memory:
        hear_topics(memory, 17)  # more messages than the index takes in at once
        memory.new("The last", at=later(days=50))
        with pytest.raises(NotFound):
            memory.conversation("topic-0-20251103")
        assert memory.recall("paint wall flabbergastingly") == []
        assert everything(memory)["messages"] == []
    raw = stored_bytes(store_path)
    assert b"flabbergast" not in raw
    assert b"The last" in raw


def test_an_active_conversation_never_leaves_the_queue(store_path: Path, clock: FrozenClock) -> None:
    with (
        anaphora.open(store_path, session="long", clock=clock, queue=3) as long,
        anaphora.open(store_path, session="short", clock=clock, queue=3) as short,
    ):
        long.hear(FAB, at=START)
        hear_topics(short, 6)
        assert [c.title for c in short.conversations()] == ["FAB Button", "Topic 4", "Topic 5"]
        assert long.hear("Make it purple", at=later(0.5)).expanded == "Make the FAB button purple"
        long.end(at=later(days=7))
        short.new("Topic 6", at=later(days=8))
        assert [c.title for c in short.conversations()] == ["Topic 4", "Topic 5", "Topic 6"]


# --- its life as events -------------------------------------------------------------------------------------------


@pytest.mark.requirement("B7")
@pytest.mark.parametrize("place", BOTH_STORES)
def test_each_step_in_the_life_of_a_conversation_is_an_event(place: str, clock: FrozenClock) -> None:
    with anaphora.open(place, clock=clock, queue=2) as memory:
        hear_all(
            memory, FAB, "Make it purple", SWITCH, "back to the FAB button", "New topic: write a haiku about the sea"
        )
        memory.end("completed", at=later(4))
        memory.new("Lunch", at=later(5))
        fab, dark, haiku, lunch = (e.conversation_id for e in memory.events() if e.kind == "conversation.started")
        lives = [(e.kind, e.conversation_id) for e in memory.events() if e.kind.startswith("conversation.")]
        assert lives == [
            ("conversation.started", fab),
            ("conversation.active", fab),
            ("conversation.boundary", fab),
            ("conversation.stored", fab),
            ("conversation.started", dark),
            ("conversation.boundary", dark),
            ("conversation.stored", dark),
            ("conversation.active", fab),
            ("conversation.boundary", fab),
            ("conversation.stored", fab),
            ("conversation.started", haiku),
            ("conversation.removed", fab),
            ("conversation.stored", haiku),
            ("conversation.started", lunch),
            ("conversation.removed", dark),
        ]
        assert [e.seq for e in memory.events()] == list(range(1, len(memory.events()) + 1))
        assert [e.kind for e in memory.events(since=3, limit=2)] == [e.kind for e in memory.events()[3:5]]


@pytest.mark.requirement("B7")
def test_an_event_says_when_where_and_why(any_memory: Memory) -> None:
    hear_all(any_memory, FAB, SWITCH)
    any_memory.end("tested", at=later(3))
    by_kind = {e.kind: e for e in any_memory.events()}
    assert {e.session for e in any_memory.events()} == {"main"}
    assert by_kind["conversation.boundary"].at == later(0.5)
    assert by_kind["conversation.boundary"].data["confidence"] == 0.98
    assert "announces something else" in by_kind["conversation.boundary"].data["reason"]
    assert by_kind["conversation.stored"].data == {"title": "Dark Mode", "outcome": "tested"}
    assert by_kind["message.heard"].message_id == any_memory.conversation("2").messages[-1].id


# --- the light context beside it ----------------------------------------------------------------------------------


def light_of(memory: Memory) -> dict[str, Any] | None:
    response = memory.light.retrieve()
    assert response["success"]
    return cast("dict[str, Any] | None", response["context"])


@pytest.mark.requirement("L7")
def test_hearing_keeps_up_the_light_context(memory: Memory) -> None:
    assert light_of(memory) is None
    memory.hear(FAB)
    assert light_of(memory) == {
        "last_intent": "PLAN",
        "last_task_id": "fab-button-20251103",
        "pending_fields": [],
        "last_user_message": FAB,
    }


@pytest.mark.requirement("L7")
@pytest.mark.parametrize("closing", ["done", "thanks", "that's all", "Thanks, that's all!"])
def test_a_closing_clears_the_light_context(memory: Memory, closing: str) -> None:
    hear_all(memory, FAB, closing)
    assert light_of(memory) is None


@pytest.mark.requirement("L7")
@pytest.mark.parametrize(
    ("follow_up", "intent", "task"),
    [("Make it purple", "EXECUTE", "fab-button-20251103"), (SWITCH, "PLAN", "dark-mode-20251103")],
    ids=["applied", "unrelated"],
)
def test_what_was_applied_or_left_behind_gives_way_to_the_new_message(
    memory: Memory, follow_up: str, intent: str, task: str
) -> None:
    hear_all(memory, FAB, follow_up)
    assert light_of(memory) == {
        "last_intent": intent,
        "last_task_id": task,
        "pending_fields": [],
        "last_user_message": follow_up,
    }


BY_HAND: dict[str, Callable[[Memory], object]] = {
    "end": lambda memory: memory.end(),
    "new": lambda memory: memory.new(),
    "restore": lambda memory: memory.restore("1"),
    "clear": lambda memory: memory.clear(),
}


@pytest.mark.requirement("L7")
@pytest.mark.parametrize("how", BY_HAND)
def test_leaving_a_conversation_by_hand_clears_the_light_context(memory: Memory, how: str) -> None:
    hear_all(memory, FAB, SWITCH)
    BY_HAND[how](memory)
    assert light_of(memory) is None


@pytest.mark.requirement("L7")
def test_the_end_of_the_session_clears_the_light_context(memory: Memory) -> None:
    memory.hear(FAB)
    light = memory.light
    memory.close()
    assert light.retrieve()["success"] is False
    assert "FAB" not in str(light.retrieve())


@pytest.mark.requirement("L7")
def test_the_light_context_may_live_in_a_file_that_holds_no_secret_and_goes_with_the_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    with anaphora.open(":memory:", light_storage="file") as memory:
        memory.hear("my key is ghp_" + "a1B2" * 9)
        [file] = list(place.rglob("*.json"))
        assert "my key is" in file.read_text()
        assert "a1B2" not in file.read_text()
        assert file.stat().st_mode & 0o077 == 0
    assert list(place.iterdir()) == []


def test_a_light_context_that_is_not_used_times_out(memory: Memory, clock: FrozenClock) -> None:
    memory.hear(FAB)
    clock.advance(minutes=30)
    assert light_of(memory) is not None
    clock.advance(seconds=1)
    assert light_of(memory) is None


def test_a_question_stands_among_the_pending_fields_until_it_is_answered(memory: Memory, clock: FrozenClock) -> None:
    memory.hear(FAB)
    clock.advance(hours=6)
    memory.hear("Make it bigger")
    assert (light_of(memory) or {})["pending_fields"] == ["conversation"]
    turn = memory.answer("B")
    assert light_of(memory) == {
        "last_intent": turn.intent.name,
        "last_task_id": turn.conversation.id,
        "pending_fields": [],
        "last_user_message": "Make it bigger",
    }


def test_what_was_gathered_from_a_deleted_message_goes_with_it(any_memory: Memory) -> None:
    any_memory.hear("I want to add a FAB button")
    with any_memory.update() as work:
        work.decide("Use RS256")
    assert [g.text for g in any_memory.state.goals] == ["add a FAB button"]
    any_memory.clear()
    assert any_memory.state.goals == ()
    assert [d.text for d in any_memory.state.decisions] == ["Use RS256"]
