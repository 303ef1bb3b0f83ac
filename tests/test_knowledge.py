"""Learned knowledge: what conversations teach, how sure it gets, what it changes, and how it goes again."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Literal

import pytest

import anaphora
from anaphora import Lesson, Memory, Report, Turn
from anaphora.knowledge import LessonKind
from anaphora.testing import FrozenClock
from tests.talk import later

DAY = timedelta(days=1)
PLANNED = "I want to add a FAB button"
ROUND = (PLANNED, "Make it purple", "Add a border and test it", "Actually, let's work on dark mode first")


def talk(memory: Memory, rounds: int = 1, begin: int = 0) -> int:
    """Rounds of the same four messages; the minute after the last."""
    minute = begin
    for _ in range(rounds):
        for text in ROUND:
            memory.hear(text, at=later(minute))
            minute += 1
    return minute


def lesson(memory: Memory, kind: LessonKind, pattern: str) -> Lesson:
    return next(one for one in memory.knowledge.of(kind) if one.pattern == pattern)


def patterns(memory: Memory, kind: LessonKind) -> set[str]:
    return {one.pattern for one in memory.knowledge.of(kind)}


# --- what is learned ----------------------------------------------------------------------------------------------


@pytest.mark.requirement("B8")
def test_phrases_references_sequences_markers_and_files_are_learned(any_memory: Memory) -> None:
    talk(any_memory, 3)
    for path in ("src/jwt.py", "tests/test_jwt.py"):
        any_memory.touch(path, edited=True)
    any_memory.consolidate()
    phrase = lesson(any_memory, "template", "make it {color}")
    assert (phrase.intents, phrase.observations, phrase.context) == (("EXECUTE",), 3, 3)
    assert lesson(any_memory, "reference", "it").lookback == 1
    assert lesson(any_memory, "sequence", "PLAN").meaning == "EXECUTE"
    assert lesson(any_memory, "marker", "actually let's work on").meaning == "new"
    assert lesson(any_memory, "files", "jwt.py + test_jwt.py").meaning == "source_and_test"
    assert any_memory.knowledge.changed_with("web/jwt.py") == ("test_jwt.py",)


@pytest.mark.requirement("B8")
def test_two_intents_that_are_asked_for_together_are_one_lesson(memory: Memory) -> None:
    for n in range(3):
        memory.hear("Write a parser and then test it", at=later(n))
    memory.consolidate()
    assert lesson(memory, "template", "write a {feature} and then test it").intents == ("PLAN", "TEST")


@pytest.mark.requirement("B8")
def test_purged_knowledge_is_gone_and_stays_gone_until_asked_for(any_memory: Memory) -> None:
    talk(any_memory, 3)
    any_memory.consolidate()
    held = len(any_memory.knowledge.lessons)
    assert any_memory.purge_knowledge() == held > 0
    assert any_memory.consolidate() == Report()
    assert any_memory.knowledge.lessons == ()
    assert any_memory.consolidate(afresh=True).added == held


def test_what_was_only_guessed_teaches_nothing(memory: Memory) -> None:
    unsure = memory.hear("hmm the thing over there maybe", at=later(0))
    assert unsure.intent.confidence < 0.75
    memory.consolidate()
    assert memory.knowledge.templates == ()


def test_a_reply_that_apologises_says_that_the_user_corrected_it(memory: Memory) -> None:
    for n in range(3):
        turn = memory.hear("it gives back the old value", at=later(2 * n))
        assert turn.intent.name != "CORRECT"
        memory.say("I apologize for the confusion. Here is the fixed version.", at=later(2 * n + 1))
    memory.consolidate()
    assert lesson(memory, "template", "it gives back the old {property}").intents == ("CORRECT",)


def test_an_answered_question_teaches_what_its_first_words_announce(memory: Memory) -> None:
    memory.hear(PLANNED, at=later(0))
    heard = memory.hear("Make it purple", at=later(60 * 6))
    assert heard.question is not None
    memory.answer("A", at=later(60 * 6 + 1))
    memory.consolidate()
    assert lesson(memory, "marker", "make it").meaning == "same"
    assert lesson(memory, "implicit", "time_gap_exceeds 4 hours").meaning == "same"


# --- the arithmetic -----------------------------------------------------------------------------------------------


@pytest.mark.requirement("B9")
@pytest.mark.parametrize(
    ("times", "confidence"), [(1, 0.60), (2, 0.65), (3, 0.70), (5, 0.80), (8, 0.95), (9, 0.99), (12, 0.99)]
)
def test_a_lesson_starts_at_sixty_and_each_time_adds_five_up_to_ninety_nine(
    memory: Memory, times: int, confidence: float
) -> None:
    for n in range(times):
        memory.hear(PLANNED, at=later(n))
    memory.consolidate()
    assert lesson(memory, "template", "i want to add a {feature} button").confidence == pytest.approx(confidence)


@pytest.mark.requirement("B9")
def test_a_rare_lesson_is_pruned_after_ten_consolidations_and_one_seen_thrice_stays(memory: Memory) -> None:
    memory.hear("Remove the last change", at=later(0))
    for n in range(3):
        memory.hear("Rename the files", at=later(1 + n))
    memory.consolidate()
    for n in range(9):
        memory.hear("Rename the files", at=later(10 + n))
        assert memory.consolidate().pruned == 0
    assert "remove the last change" in patterns(memory, "template")
    memory.hear("Rename the files", at=later(30))
    assert memory.consolidate().pruned > 0
    assert "remove the last change" not in patterns(memory, "template")
    assert "rename the files" in patterns(memory, "template")


@pytest.mark.requirement("B9")
def test_of_two_meanings_the_stronger_stands(memory: Memory) -> None:
    for n, intent in enumerate(["EXECUTE", "EXECUTE", "TEST", "TEST", "TEST"]):
        memory.log("Run the script", intent=intent, at=later(n))
        if n == 1:
            memory.consolidate()
            assert lesson(memory, "template", "run the script").intents == ("EXECUTE",)
    memory.consolidate()
    found = lesson(memory, "template", "run the script")
    assert (found.intents, found.observations, round(found.confidence, 2)) == (("TEST",), 3, 0.70)


@pytest.mark.requirement("B9")
def test_consolidating_reports_what_it_changed_and_twice_is_once(any_memory: Memory) -> None:
    end = talk(any_memory)
    first = any_memory.consolidate()
    assert first.added == len(any_memory.knowledge.lessons) > 0
    assert first.reinforced == first.pruned == 0
    known = any_memory.knowledge
    assert any_memory.consolidate() == Report()
    assert any_memory.knowledge == known
    talk(any_memory, begin=end)
    assert any_memory.consolidate().reinforced > 0


@pytest.mark.requirement("B9")
def test_it_is_done_by_itself_after_fifty_events_off_the_path_of_the_message(clock: FrozenClock) -> None:
    with anaphora.open(":memory:", clock=clock) as memory:
        for n in range(49):
            memory.hear(PLANNED, at=later(n))
            memory.finish()
        assert memory.knowledge.lessons == ()
        memory.hear(PLANNED, at=later(50))
        assert memory.knowledge.lessons == ()
        memory.finish()
        assert lesson(memory, "template", "i want to add a {feature} button").observations == 50


@pytest.mark.requirement("B9")
def test_it_is_done_by_itself_after_a_day(clock: FrozenClock) -> None:
    with anaphora.open(":memory:", clock=clock) as memory:
        memory.hear(PLANNED)
        memory.finish()
        assert memory.knowledge.lessons == ()
        clock.advance(DAY)
        memory.finish()
        assert memory.knowledge.lessons != ()


def test_switched_off_nothing_is_learned_by_itself_and_nothing_is_gone_by(clock: FrozenClock) -> None:
    with anaphora.open(":memory:", clock=clock, learning=False, consolidate_events=1) as memory:
        talk(memory, 3)
        memory.finish()
        assert memory.knowledge.lessons == ()


# --- what it changes ----------------------------------------------------------------------------------------------


@pytest.mark.requirement("B10")
def test_what_a_phrase_meant_decides_where_a_message_is_not_clear_and_the_reason_says_so(memory: Memory) -> None:
    unclear = "the old value again"
    before = memory.hear(unclear, at=later(0)).intent
    assert before.name != "CORRECT"
    for n in range(8):
        memory.log(unclear, intent="CORRECT", at=later(1 + n))
    memory.consolidate()
    after = memory.hear(unclear, at=later(20)).intent
    assert after.name == "CORRECT"
    assert after.why == "learned: “the old {property} again” means CORRECT (0.95)"


def test_an_intent_that_knowledge_found_has_its_route(clock: FrozenClock) -> None:
    with anaphora.open(":memory:", clock=clock, preset="kds") as memory:
        for n in range(8):
            memory.log("the old value again", intent="CORRECT", at=later(n))
        memory.consolidate()
        assert memory.hear("the old value again", at=later(20)).intent.route == "error-corrector.md"


def test_what_knowledge_decided_does_not_teach_the_same_again(memory: Memory) -> None:
    unclear = "the old value again"
    for n in range(8):
        memory.log(unclear, intent="CORRECT", at=later(n))
    memory.consolidate()
    assert memory.hear(unclear, at=later(20)).intent.why
    memory.consolidate()
    assert lesson(memory, "template", "the old {property} again").observations == 8


def test_a_message_that_is_clear_by_itself_stays_as_it_was_understood(memory: Memory) -> None:
    for n in range(8):
        memory.log("Make it purple", intent="TEST", at=later(n))
    memory.consolidate()
    assert memory.hear("Make it red", at=later(20)).intent.name == "EXECUTE"


@pytest.mark.requirement("B10")
def test_answers_teach_which_words_go_on(memory: Memory) -> None:
    def returns_to(thing: str, color: str, minute: int) -> Turn:
        memory.hear(f"Actually, let's work on {thing} first", at=later(minute))
        return memory.hear(f"Make it {color}", at=later(minute + 6 * 60))

    for n, (thing, color) in enumerate([("search", "purple"), ("the footer", "red"), ("the login", "blue")]):
        assert returns_to(thing, color, n * 1000).question is not None
        memory.answer("A", at=later(n * 1000 + 6 * 60 + 1))
    unknowing = memory.hear("Make it pink", at=later(2000 + 13 * 60)).boundary
    memory.consolidate()
    knowing = returns_to("the menu", "green", 5000).boundary
    assert knowing.best_guess == "same"
    assert knowing.confidence > unknowing.confidence
    assert "learned: “make it {color}” goes on (0.70)" in knowing.reason.lower()


# --- leaving and forgetting ---------------------------------------------------------------------------------------


@pytest.mark.requirement("B2")
@pytest.mark.parametrize("preset", ["brain", "kds"])
def test_what_leaves_by_itself_is_learned_from_first(preset: Literal["brain", "kds"], clock: FrozenClock) -> None:
    with anaphora.open(":memory:", clock=clock, preset=preset, queue=1, window=2) as memory:
        end = talk(memory)
        assert end
        memory.hear("Actually, let's work on the footer first", at=later(end))
        stored = [m.text for c in memory.conversations() for m in memory.conversation(c.id).messages]
        assert PLANNED not in stored
        memory.consolidate()
        assert "i want to add a {feature} button" in patterns(memory, "template")


@pytest.mark.requirement("G7")
def test_what_a_forgotten_message_alone_taught_is_gone_with_it(any_memory: Memory) -> None:
    talk(any_memory)
    any_memory.hear("Remove the last change", at=later(30), id="alone")
    any_memory.hear("Rename the files", at=later(31), id="one")
    any_memory.hear("Rename the files", at=later(32), id="two")
    any_memory.consolidate()
    assert {"remove the last change", "rename the files"} <= patterns(any_memory, "template")
    any_memory.forget(message="alone")
    assert "remove the last change" not in patterns(any_memory, "template")
    any_memory.forget(message="one")
    left = lesson(any_memory, "template", "rename the files")
    assert (left.observations, round(left.confidence, 2)) == (1, 0.60)
    any_memory.forget(message="two")
    assert "rename the files" not in patterns(any_memory, "template")


@pytest.mark.requirement("G7")
def test_a_forgotten_conversation_takes_back_all_that_it_taught_its_files_too(any_memory: Memory) -> None:
    any_memory.hear(PLANNED, at=later(0), id="first")
    any_memory.hear("Make it purple", at=later(1))
    any_memory.touch("a.py", edited=True, at=later(2))
    any_memory.touch("test_a.py", edited=True, at=later(2))
    any_memory.consolidate()
    assert patterns(any_memory, "template") == {
        *("i want to add a {feature} button", "i want to add …", "i want to …", "i want …"),
        *("make it {color}", "make it …"),
    }
    any_memory.forget(message="first")  # and the conversation gets another name
    assert patterns(any_memory, "files") == {"a.py + test_a.py"}
    [left] = any_memory.conversations()
    any_memory.forget(conversation=left.id)
    assert any_memory.knowledge.lessons == ()
    assert any_memory.verify() == []


@pytest.mark.requirement("G7")
def test_what_was_forgotten_before_its_turn_is_never_learned(any_memory: Memory) -> None:
    any_memory.hear("Remove the last change", at=later(0), id="alone")
    any_memory.forget(message="alone")
    any_memory.consolidate()
    assert any_memory.knowledge.lessons == ()


def test_a_forgotten_user_leaves_no_knowledge_and_nobody_else_loses_any(store_path: Path) -> None:
    with anaphora.open(store_path, user="ada") as ada, anaphora.open(store_path, user="bob") as bob:
        for memory in (ada, bob):
            talk(memory, 3)
            memory.consolidate()
        assert ada.knowledge.lessons == bob.knowledge.lessons != ()
        ada.forget(user=True)
        assert ada.knowledge.lessons == ()
        assert bob.knowledge.lessons != ()
