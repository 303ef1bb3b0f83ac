"""Questions: an unsure boundary asks, the message waits under the best guess, and an answer settles it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import pytest

import anaphora
from anaphora import InputError, Memory, NotFound, Turn
from anaphora.testing import FrozenClock
from tests.answers import NEW, NO_ANSWER, SAME
from tests.talk import BOTH_STORES, START, everything, later

FAB = "I want to add a FAB button"
WAITING = "Make it bigger"
GAPS = {"same": 30, "new": 360}  # minutes after which the bands guess so, neither sure enough

Guess = Literal["same", "new"]
Answering = Callable[[Memory, str], Turn]

WAYS: dict[str, Answering] = {
    "answered": lambda memory, text: memory.answer(text),
    "heard": lambda memory, text: memory.hear(text),
}


@pytest.fixture(params=BOTH_STORES)
def any_memory(request: pytest.FixtureRequest, clock: FrozenClock) -> Iterator[Memory]:
    """One that is hard to please: whatever no marker decides, it asks about."""
    with anaphora.open(request.param, clock=clock, boundary_method="bands", ask_below=0.95) as opened:
        yield opened


def ask(memory: Memory, clock: FrozenClock, guess: Guess, text: str = WAITING) -> Turn:
    memory.hear(FAB)
    memory.say("I will add a FAB button.")
    clock.advance(minutes=GAPS[guess])
    turn = memory.hear(text, id="waiting")
    assert (turn.boundary.decision, turn.boundary.best_guess) == ("ask", guess)
    return turn


def texts_of(memory: Memory) -> list[list[str]]:
    return [[m.text for m in memory.conversation(c.id).messages] for c in memory.conversations()]


def test_a_pronoun_after_hours_is_asked_about(clock: FrozenClock) -> None:
    with anaphora.open(":memory:", clock=clock) as memory:
        memory.hear(FAB)
        clock.advance(hours=6)
        turn = memory.hear(WAITING)
        assert turn.boundary.decision == "ask"
        assert turn.boundary.confidence < memory.settings.ask_below
        assert turn.question is not None
        assert [(o.key, o.text, o.decision) for o in turn.question.options] == [
            ("A", "go on with FAB Button", "same"),
            ("B", "something new", "new"),
        ]
        assert "A: go on with FAB Button; B: something new" in turn.question.text
        assert memory.conversation(turn.conversation.id).messages[-1].text == WAITING


@pytest.mark.parametrize(("guess", "stored"), [("same", 1), ("new", 2)])
def test_the_waiting_message_is_stored_at_once_under_the_best_guess(
    any_memory: Memory, clock: FrozenClock, guess: Guess, stored: int
) -> None:
    turn = ask(any_memory, clock, guess)
    assert turn.conversation.number == stored
    assert any_memory.conversation(str(stored)).messages[-1].text == WAITING
    assert any_memory.events()[-1].kind == "question.asked"
    assert any_memory.hear(WAITING, id="waiting").question == turn.question


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("guess", GAPS)
@pytest.mark.parametrize("words", ["A", "a", "A.", "1", "go on with the FAB button", "the FAB button", "same", "yes"])
def test_an_answer_for_the_same_puts_the_message_there(
    any_memory: Memory, clock: FrozenClock, guess: Guess, way: str, words: str
) -> None:
    ask(any_memory, clock, guess)
    turn = WAYS[way](any_memory, words)
    assert (turn.message_id, turn.text, turn.expanded) == ("waiting", WAITING, "Make the FAB button bigger")
    assert (turn.boundary.decision, turn.boundary.confidence, turn.question) == ("same", 1.0, None)
    assert (turn.conversation.title, turn.conversation.active) == ("FAB Button", True)
    assert texts_of(any_memory) == [[FAB, "I will add a FAB button.", WAITING]]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("guess", GAPS)
@pytest.mark.parametrize("words", ["B", "b)", "2", "something new", "It's something new", "new", "no"])
def test_an_answer_for_something_new_gives_the_message_a_conversation_of_its_own(
    any_memory: Memory, clock: FrozenClock, guess: Guess, way: str, words: str
) -> None:
    ask(any_memory, clock, guess)
    turn = WAYS[way](any_memory, words)
    assert (turn.message_id, turn.text, turn.expanded, turn.references) == ("waiting", WAITING, WAITING, ())
    assert (turn.boundary.decision, turn.boundary.confidence, turn.question) == ("new", 1.0, None)
    assert texts_of(any_memory) == [[FAB, "I will add a FAB button."], [WAITING]]
    assert [c.active for c in any_memory.conversations()] == [False, True]
    assert [c.message_count for c in any_memory.conversations()] == [2, 1]


@pytest.mark.requirement("B5")
@pytest.mark.parametrize("guess", GAPS)
@pytest.mark.parametrize(("meant", "words"), [("same", words) for words in SAME] + [("new", words) for words in NEW])
def test_an_answer_in_free_words_is_understood_and_is_no_message_itself(
    clock: FrozenClock, guess: Guess, meant: Guess, words: str
) -> None:
    with anaphora.open(":memory:", clock=clock, boundary_method="bands", ask_below=0.95, reader="none") as memory:
        ask(memory, clock, guess)
        turn = memory.hear(words)
        assert (turn.message_id, turn.boundary.decision, turn.question) == ("waiting", meant, None)
        said = [FAB, "I will add a FAB button."]
        assert texts_of(memory) == ([[*said, WAITING]] if meant == "same" else [said, [WAITING]])
        assert memory.question is None


@pytest.mark.requirement("B5")
@pytest.mark.parametrize("words", NO_ANSWER)
def test_what_says_more_than_an_answer_does_is_heard_as_a_message(clock: FrozenClock, words: str) -> None:
    with anaphora.open(":memory:", clock=clock, boundary_method="bands", ask_below=0.95, reader="none") as memory:
        ask(memory, clock, "same")
        turn = memory.hear(words)
        assert turn.message_id != "waiting"
        assert turn.text == words


@pytest.mark.parametrize("guess", GAPS)
def test_a_text_that_is_no_answer_is_heard_and_the_best_guess_stands(
    any_memory: Memory, clock: FrozenClock, guess: Guess
) -> None:
    ask(any_memory, clock, guess)
    turn = any_memory.answer("New topic: write a haiku about the sea")
    assert turn.text == "New topic: write a haiku about the sea"
    assert turn.message_id != "waiting"
    waiting = next(
        m for c in any_memory.conversations() for m in any_memory.conversation(c.id).messages if m.id == "waiting"
    )
    assert waiting.boundary is not None
    assert (waiting.boundary.decision, waiting.boundary.reason) == (
        guess,
        "It was not answered, so the best guess stands.",
    )


@pytest.mark.parametrize("guess", GAPS)
def test_a_later_message_lets_the_best_guess_stand(any_memory: Memory, clock: FrozenClock, guess: Guess) -> None:
    ask(any_memory, clock, guess)
    before = texts_of(any_memory)
    any_memory.hear("New topic: write a haiku about the sea")
    assert texts_of(any_memory) == [*before, ["New topic: write a haiku about the sea"]]
    with pytest.raises(NotFound):
        any_memory.answer("A")


def test_a_letter_that_is_no_option_is_refused_and_the_question_stays(any_memory: Memory) -> None:
    any_memory.hear("I want to add a FAB button", at=START)
    any_memory.hear("Make it purple", at=later(1))
    question = any_memory.question
    assert question is not None
    with pytest.raises(InputError, match=r"'Z' is none of the options.*A, B"):
        any_memory.answer("Z")
    assert any_memory.question == question


def test_an_answer_without_a_question_is_not_found(any_memory: Memory, clock: FrozenClock) -> None:
    any_memory.hear(FAB)
    before = everything(any_memory)
    with pytest.raises(NotFound, match=r"no such open question.*message"):
        any_memory.answer("A")
    assert everything(any_memory) == before
    turn = any_memory.hear("A")  # without a question a letter is a message like any other
    assert turn.text == "A"
    assert texts_of(any_memory)[-1][-1] == "A"


def test_an_answer_to_another_question_is_not_found(any_memory: Memory, clock: FrozenClock) -> None:
    question = ask(any_memory, clock, "same").question
    assert question is not None
    with pytest.raises(NotFound):
        any_memory.answer("B", question="q-other")
    assert any_memory.answer("B", question=question).boundary.decision == "new"
    with pytest.raises(NotFound):
        any_memory.answer("B", question=question.id)


@pytest.mark.parametrize(("guess", "answer", "place"), [("same", "B", 1), ("new", "A", 0)])
def test_a_message_that_moves_takes_its_replies_along(
    any_memory: Memory, clock: FrozenClock, guess: Guess, answer: str, place: int
) -> None:
    ask(any_memory, clock, guess)
    any_memory.say("It is bigger now.")
    turn = any_memory.answer(answer)
    assert texts_of(any_memory)[place][-2:] == [WAITING, "It is bigger now."]
    assert {m.conversation_id for m in any_memory.conversation(turn.conversation.id).messages} == {turn.conversation.id}
    assert "message.moved" in [e.kind for e in any_memory.events()]


def decided(memory: Memory) -> list[tuple[str, str | None, str | None]]:
    return [(d.text, d.because, d.message_id) for d in memory.state.decisions]


SETTLED_BY: dict[str, Callable[[Memory], object]] = {
    "the answer A": lambda memory: memory.answer("A"),
    "the answer B": lambda memory: memory.answer("B"),
    "the next message": lambda memory: memory.hear("New topic: write a haiku"),
    "an entry of the log": lambda memory: memory.log("Write a haiku", intent="PLAN"),
    "a new conversation": lambda memory: memory.new(),
    "the end": lambda memory: memory.end(),
    "another conversation": lambda memory: memory.restore("1"),
}


@pytest.mark.parametrize("guess", GAPS)
@pytest.mark.parametrize("how", SETTLED_BY)
def test_what_the_waiting_message_says_counts_only_once_it_is_settled(
    any_memory: Memory, clock: FrozenClock, guess: Guess, how: str
) -> None:
    turn = ask(any_memory, clock, guess, "Let's use Redis because it is fast")
    assert [s.kind for s in turn.signals] == ["decision"]
    assert decided(any_memory) == []
    SETTLED_BY[how](any_memory)
    assert decided(any_memory) == [("use Redis", "it is fast", "waiting")]
    assert [e.kind for e in any_memory.events()].count("question.answered") == 1


@pytest.mark.parametrize("guess", GAPS)
@pytest.mark.parametrize("words", ["A", "B"])
def test_the_same_answer_heard_twice_is_one_answer(
    any_memory: Memory, clock: FrozenClock, guess: Guess, words: str
) -> None:
    ask(any_memory, clock, guess)
    turn = any_memory.hear(words, id="answer")
    before = everything(any_memory)
    assert any_memory.hear(words, id="answer") == turn
    assert everything(any_memory) == before


def test_a_question_waits_for_its_answer_while_the_store_is_closed(store_path: Path, clock: FrozenClock) -> None:
    with anaphora.open(store_path, clock=clock) as memory:
        memory.hear(FAB, at=START)
        clock.advance(hours=6)
        asked = memory.hear(WAITING, at=later(360))
    with anaphora.open(store_path, clock=clock) as memory:
        turn = memory.answer("A", at=later(361))
        assert turn.message_id == asked.message_id
        assert [m.text for m in memory.conversation("1").messages] == [FAB, WAITING]
        assert memory.events()[-1].at == later(361)


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Which font: Inter or Poppins?", "the first"),
        ("You could use 1. Inter 2. Poppins", "the second one"),
        ("Larger by half. Shall I also move it?", "yes"),
    ],
)
def test_what_the_assistant_asked_since_is_answered_first(clock: FrozenClock, reply: str, answer: str) -> None:
    with anaphora.open(":memory:", clock=clock, boundary_method="bands", ask_below=0.95) as memory:
        ask(memory, clock, "same")
        memory.say(reply)
        turn = memory.hear(answer)
    assert turn.text == answer
    assert turn.message_id != "waiting"


def test_the_letter_of_an_option_answers_the_memory_whatever_the_assistant_asked(clock: FrozenClock) -> None:
    with anaphora.open(":memory:", clock=clock, boundary_method="bands", ask_below=0.95) as memory:
        ask(memory, clock, "same")
        memory.say("Larger by half. Shall I also move it?")
        assert memory.hear("A").message_id == "waiting"
        assert memory.say("Done.")
