"""Going back to what was done before, going on with it, saying hello, and saying that it works."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import anaphora
from anaphora import Memory
from anaphora.types import Turn
from anaphora.understanding.resuming import goes_back, goes_on, greets, takes_up
from tests.talk import later, talked

MADE = (
    "write a python function is_prime that checks whether a number is prime",
    "> def is_prime(n): return n > 1 and all(n % i for i in range(2, n))",
    "make it faster",
    "> Done, it now stops at the square root.",
)
SOON, NEXT_DAY = 2, 24 * 60


@pytest.fixture
def reading() -> Iterator[Memory]:
    with anaphora.open(":memory:", reader="bundled") as memory:
        yield memory


def _heard(memory: Memory, text: str, minutes: float = SOON) -> Turn:
    talked(memory, *MADE)
    return memory.hear(text, at=later(len(MADE) + minutes))


@pytest.mark.parametrize("minutes", [SOON, NEXT_DAY])
@pytest.mark.parametrize(
    "text",
    [
        *(
            "where were we?",
            "what were we doing?",
            "resume",
            "ok let's resume",
            "recap please",
            "what was I working on?",
        ),
        *("continue where we left off", "pick up where we left off", "remind me what we decided", "back to work"),
        *("good morning, where did we stop yesterday?", "hi again, let's continue"),
    ],
)
def test_who_goes_back_to_the_work_resumes_it_and_is_asked_nothing(reading: Memory, text: str, minutes: float) -> None:
    turn = _heard(reading, text, minutes)
    assert (turn.boundary.decision, turn.question) == ("same", None)
    assert (turn.intent.name, turn.expanded) == ("RESUME", text)


@pytest.mark.parametrize("text", ["continue", "ok let's go on", "carry on please", "let's continue"])
def test_who_goes_on_does_so_however_long_it_was(reading: Memory, text: str) -> None:
    turn = _heard(reading, text, NEXT_DAY)
    assert (turn.boundary.decision, turn.question, turn.intent.name) == ("same", None, "EXECUTE")


@pytest.mark.parametrize("text", ["hi", "Hello there!", "good morning", "hey, I'm back", "I’m back", "back again"])
def test_who_says_hello_closes_nothing(reading: Memory, text: str) -> None:
    turn = _heard(reading, text)
    assert (turn.intent.name, turn.expanded) == ("ASK", text)


def test_who_is_back_goes_on_with_what_was_there(reading: Memory) -> None:
    assert _heard(reading, "I'm back", NEXT_DAY).boundary.decision == "same"


@pytest.mark.parametrize(
    "text",
    [
        *("can we return to the function?", "back to the parser: numbers fail", "ok where were we with the card"),
        *("remind me which constants we had", "Let's pick up the quiz again", "resume the proposal, add the costs"),
    ],
)
def test_who_takes_up_something_named_resumes_too(text: str) -> None:
    assert takes_up(text)
    assert not goes_back(text)


@pytest.mark.parametrize(
    "text",
    [
        *("remind me to call the bank at 8", "remind me how to define a tuple", "how long is a resume in Canada?"),
        *("set the port back to 8080", "use my resume where relevant", "pause and resume", "evening", "go on a trip"),
        *("what did I do wrong?", "where was it made?", "pick up the phone", "it doesn't resume when pressed again"),
        *("continue the code", "hi, how do I sort a list?", "a good morning routine", "what was I thinking?"),
        *("return to sender", "resume templates for nurses", "the back to school sale"),
    ],
)
def test_the_same_words_of_other_things_take_nothing_up(text: str) -> None:
    assert not any(reads_so(text) for reads_so in (takes_up, goes_on, greets))


@pytest.mark.parametrize(
    "text",
    [
        *("lgtm", "that did it", "that fixed it", "ok it works now", "works!", "great, works now thanks"),
        *("problem solved", "talk later", "gtg", "gotta go, thanks"),
    ],
)
def test_who_says_that_it_works_or_has_to_go_closes(reading: Memory, text: str) -> None:
    turn = _heard(reading, text)
    assert (turn.intent.name, turn.boundary.decision, turn.expanded) == ("CLOSE", "same", text)


@pytest.mark.parametrize("text", ["it works but slowly", "works?", "it works on linux", "ok did that"])
def test_what_tells_more_of_how_it_works_closes_nothing(reading: Memory, text: str) -> None:
    assert _heard(reading, text).intent.name != "CLOSE"
