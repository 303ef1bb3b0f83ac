"""What answers an open question once something was said since, and what is a message of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import anaphora
from anaphora import Memory, Turn
from anaphora.testing import FrozenClock

WAITING = "make it bigger"
LOGIN, TOGGLE = "Login Bug", "Dark Mode Toggle"


@pytest.fixture
def asked(clock: FrozenClock) -> Iterator[Memory]:
    """A memory with two conversations that waits to be told whether "make it bigger" goes on with the second."""
    with anaphora.open(":memory:", clock=clock) as memory:
        memory.hear("I want to fix the login bug")
        clock.advance(seconds=50)
        memory.hear("New topic: add a dark mode toggle to settings")
        memory.say("done")
        clock.advance(hours=6)
        assert memory.hear(WAITING, id="waiting").question is not None
        yield memory


def heard(
    memory: Memory, clock: FrozenClock, text: str, seconds: float = 40, reply: str | None = "It is 32 px."
) -> Turn:
    if reply is not None:
        memory.say(reply)
    clock.advance(seconds=seconds)
    return memory.hear(text)


@pytest.mark.parametrize(
    "text",
    [
        *("still not right", "it's not right", "change it back", "drop it", "leave it", "start over", "another one"),
        *("still the same", "keep it", "that's right", "forget the toggle", "change the toggle", "drop dark mode"),
        *("it's dark", "continue", "no", "the toggle is gone", "the login bug is still there"),
        *("A, B and C are wrong", "keep the toggle small"),
    ],
)
def test_what_is_said_of_a_reply_is_a_message_and_no_answer(asked: Memory, clock: FrozenClock, text: str) -> None:
    turn = heard(asked, clock, text)
    assert (turn.text, turn.message_id != "waiting") == (text, True)


@pytest.mark.parametrize("text", ["forget the toggle", "drop dark mode", "switch to dark mode", "change the toggle"])
def test_a_command_about_the_thing_is_never_an_answer(asked: Memory, clock: FrozenClock, text: str) -> None:
    assert heard(asked, clock, text, reply=None).message_id != "waiting"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        *((text, TOGGLE) for text in ("A", "1", "option A", "go on with the toggle", "the toggle one", "yes go on")),
        *((text, TOGGLE) for text in ("yes, go on", "the dark mode one", "it's the same topic", "#2")),
        *(
            (text, WAITING)
            for text in ("b.", "something new", "no, that's separate", "neither", "a new topic", "different thing")
        ),
        *((text, LOGIN) for text in ("#1", "conversation #1", "conversation 1", "the first conversation")),
        *((text, LOGIN) for text in ("the login bug", "neither, it's the login bug", "it's about the login bug")),
    ],
)
def test_a_clear_choice_is_an_answer_after_a_reply_too(
    asked: Memory, clock: FrozenClock, text: str, title: str
) -> None:
    turn = heard(asked, clock, text)
    assert (turn.message_id, turn.conversation.title.lower()) == ("waiting", title.lower())


def test_a_reply_that_passes_the_question_on_is_answered_in_any_words(asked: Memory, clock: FrozenClock) -> None:
    turn = heard(asked, clock, "no", reply="Does that go on with the toggle, or is it something new?")
    assert (turn.message_id, turn.boundary.decision) == ("waiting", "new")


@pytest.mark.parametrize("text", ["continue", "yes", "no", "the toggle", "go on with the toggle"])
def test_after_a_reply_and_a_long_time_the_best_guess_stands(asked: Memory, clock: FrozenClock, text: str) -> None:
    assert heard(asked, clock, text, seconds=10 * 86400).message_id != "waiting"


@pytest.mark.parametrize("reply", ["It is 32 px.", None])
@pytest.mark.parametrize(
    ("text", "decided", "title"),
    [
        ("A. and also make it red", "same", TOGGLE),
        ("B, the logo should be bigger", "new", "Logo"),
        ("neither, the logo should be bigger", "new", "Logo"),
        ("no, that's separate. make the logo bigger", "new", "Logo"),
        ("yes, same topic, and make it red", "same", TOGGLE),
    ],
)
def test_what_is_said_behind_an_answer_is_heard_too(
    asked: Memory, clock: FrozenClock, reply: str | None, text: str, decided: str, title: str
) -> None:
    turn = heard(asked, clock, text, reply=reply)
    waiting = next(m for c in asked.conversations() for m in asked.conversation(c.id).messages if m.id == "waiting")
    assert waiting.boundary is not None
    assert (waiting.boundary.decision, waiting.boundary.reason) == (decided, "You said so.")
    assert (turn.text, turn.conversation.title.lower(), asked.question) == (text, title.lower(), None)


@pytest.mark.parametrize("answer", ["C", "the login bug", "go on with Login Bug", "3", "the login one"])
def test_another_conversation_that_the_message_names_something_of_is_an_option(clock: FrozenClock, answer: str) -> None:
    with anaphora.open(":memory:", clock=clock, ask_below=1.0) as memory:
        memory.hear("I want to fix the login bug")
        clock.advance(seconds=50)
        memory.hear("New topic: add a dark mode toggle to settings")
        clock.advance(hours=6)
        turn = memory.hear("is the login on Safari fine now?", id="waiting")
        assert turn.question is not None
        assert [(o.key, o.text) for o in turn.question.options][2:] == [("C", "go on with Login Bug")]
        memory.say("It is.")
        clock.advance(seconds=30)
        settled = memory.hear(answer)
        assert (settled.message_id, settled.conversation.title) == ("waiting", LOGIN)
        assert settled.conversation.id == settled.boundary.resumes


def test_a_message_that_names_nothing_of_another_conversation_is_asked_about_with_two_options(asked: Memory) -> None:
    assert asked.question is not None
    assert [option.key for option in asked.question.options] == ["A", "B"]
