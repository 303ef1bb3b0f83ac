"""Going back to what was done before, going on with it, saying hello, and saying that it works."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import pytest

import anaphora
from anaphora import Memory
from anaphora.types import Turn
from anaphora.understanding.announcing import announced
from anaphora.understanding.resuming import goes_back, goes_on, greets, takes_up
from anaphora.understanding.titles import title_of
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
        *("return to sender", "resume templates for nurses", "back to school sale", "back to 8080 please"),
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


FLATTEN = (
    "write a function that flattens a nested list",
    "> Here is `flatten`:\n\n```python\ndef flatten(xs):\n    return [y for x in xs for y in x]\n```",
    "unrelated question: who wrote Moby Dick?",
    "> Herman Melville, in 1851.",
    "when was he born?",
    "> In 1819.",
)


@pytest.mark.parametrize(
    "text",
    [
        *("back to flatten", "let's go back to flatten", "ok back to flatten: make it lazy", "continue with flatten"),
        *("returning to the flatten function", "regarding the flatten function again, can it be lazy?"),
        *("where were we with the flatten function?", "back to the previous topic", "go back to the first topic"),
    ],
)
def test_a_conversation_is_taken_up_by_what_it_made_or_which_it_was(reading: Memory, text: str) -> None:
    talked(reading, *FLATTEN)
    first = reading.conversations()[0]
    turn = reading.hear(text, at=later(8))
    assert (turn.boundary.resumes, turn.conversation.id) == (first.id, first.id)


@pytest.mark.parametrize(
    "text",
    ["go back to the first chapter", "set it back to 1819", "back to Melville", "as for his wife, who was she?"],
)
def test_what_nothing_was_called_takes_up_no_other_conversation(reading: Memory, text: str) -> None:
    talked(reading, *FLATTEN)
    assert reading.hear(text, at=later(8)).boundary.resumes is None


SHOP = (
    "I want to fix the login bug",
    "> Done.",
    "new topic: add search filters to the shop",
    "> They are there.",
)


@pytest.mark.parametrize(
    "text",
    [
        *("open conversation 1", "go to conversation 1", "switch to conversation #1", "return to #1", "open session 1"),
        *("reopen the login bug", "can we revisit the login bug?", "let's look at the login bug again"),
        *("the login bug again", "let's continue the login work", "pick the login bug back up"),
        *("what did we do about the login bug?", "where did we leave the login bug?", "what about the login bug?"),
        *("regarding the login bug: it fails on Safari", "as for the login bug, it fails on Safari"),
        *("back to the login bug when you have a minute, please", "ok, let's get back to the login bug"),
        *(
            "can we go back to the login bug?",
            "I'd like to return to the login bug now",
            "Done. Back to the login bug.",
        ),
    ],
)
def test_an_earlier_conversation_is_taken_up_in_many_words(text: str) -> None:
    with anaphora.open(":memory:", reader="none") as memory:
        talked(memory, *SHOP)
        turn = memory.hear(text, at=later(8))
        assert (turn.conversation.title, turn.boundary.resumes) == ("Login Bug", turn.conversation.id)


@pytest.mark.parametrize(
    "text",
    [
        *("if the token expired, send the user back to the login bug page", "it should return to the login bug"),
        *("the button should go back to the login bug", "go back to the login bug on escape"),
        *("after the video ends, go back to the login bug", "why does it jump back to the login bug?"),
        *("when it fails, return to the login bug", "open the login page", "look at the login bug"),
        *("regarding the search filters: sort them", "what about the price?", "open conversation 7"),
        *("click the logo, return to the login bug", "add a button and go back to the login bug"),
        *("the filters should continue with the login bug", "every time it fails we go back to the login bug"),
    ],
)
def test_what_a_program_does_takes_up_no_conversation(text: str) -> None:
    with anaphora.open(":memory:", reader="none") as memory:
        talked(memory, *SHOP)
        assert memory.hear(text, at=later(8)).boundary.resumes is None


@pytest.mark.parametrize("reader", ["none", "bundled"])
@pytest.mark.parametrize("text", ["resume the download when the network returns", "if it fails, go back to the menu"])
def test_what_is_to_happen_later_resumes_nothing(reader: Literal["none", "bundled"], text: str) -> None:
    with anaphora.open(":memory:", reader=reader) as memory:
        talked(memory, *SHOP)
        assert memory.hear(text, at=later(8)).intent.name != "RESUME"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("ok next problem. Write a dockerfile for node", "Dockerfile for Node"),
        ("now for something else: write a haiku about rain", "Haiku about Rain"),
        ("not related to this, but how do I exit vim?", "how do I exit vim?"),
        ("let's switch topics", "Conversation"),
        ("changing the subject, how do I exit vim?", "how do I exit vim?"),
        ("let's move on to something else", "Conversation"),
        ("Different thing now: write a haiku", "Haiku"),
        ("ok new task: write a dockerfile", "Dockerfile"),
        ("moving on to the next task: write a dockerfile", "Dockerfile"),
        ("something completely different: how do I exit vim?", "how do I exit vim?"),
        ("unrelated: how do I exit vim?", "how do I exit vim?"),
        ("on a different note, what is the capital of France?", "Capital of France"),
        ("switching gears, explain recursion", "Recursion"),
        ("forget that, how do I exit vim?", "how do I exit vim?"),
        ("NEW TOPIC write a dockerfile for node", "Dockerfile for Node"),
        ("random question: what is the capital of Peru?", "Capital of Peru"),
        ("moving on. we need a changelog", "Changelog"),
        ("on to the changelog", "Changelog"),
        ("next up, the changelog", "Changelog"),
        ("leave that for now, we need a changelog", "Changelog"),
        ("enough of that. let's write a changelog", "Changelog"),
        ("can we look at something different? the footer is broken", "Footer"),
        ("separate issue: the footer is broken", "Footer"),
        ("I have a different problem now: the footer is broken", "Footer"),
        ("off-topic: what is the capital of Peru?", "Capital of Peru"),
        ("oh and another thing, the footer is broken", "Footer"),
    ],
)
def test_what_announces_something_else_opens_it_and_does_not_name_it(reading: Memory, text: str, title: str) -> None:
    turn = _heard(reading, text)
    assert (turn.boundary.decision, turn.conversation.title, turn.expanded) == ("new", title, text)


@pytest.mark.parametrize(
    "text",
    [
        *("next question", "is there something else to test?", "not related to speed, but is it correct?"),
        *("change the subject line to Hello", "add a new topic field to the form", "the next task in the list fails"),
        *("another thing it could do", "make something different of it", "the topic is new"),
        *(
            "on to the next step",
            "next up, make it faster",
            "that's done. now the tests",
            "moving on",
            "moving on, make it blue",
            "leave it there",
        ),
        *("leave postgres, it is fine", "that's done. now the header again", "try something different"),
        *("new issue: now it crashes", "we are moving on to the header", "that's enough of that"),
        *("another problem is that it is slow", "another question about it", "on a note by Bach"),
    ],
)
def test_the_same_words_within_a_request_announce_nothing(text: str) -> None:
    assert announced(text) is None


def test_a_quick_question_does_not_name_a_conversation() -> None:
    assert title_of("quick question: how do I exit vim?") == "how do I exit vim?"


@pytest.mark.parametrize(
    "text",
    [
        *("npm ERR! code ELIFECYCLE", "CONFLICT (content): Merge conflict in a.py", "bash: jq: command not found"),
        *("I get this error: TypeError: x is not a function", "FAIL src/app.test.js", "make: *** [all] Error 2"),
        *(
            "thread 'main' panicked at src/main.rs:4",
            "lint fails: E501 line too long",
            "error TS2345: Argument of type",
        ),
        *("docker: Error response from daemon: conflict", "psql: FATAL: role does not exist"),
        *("hmm mypy complains: error: Missing return", "ERROR 1045 (28000): Access denied for user 'root'"),
        *("cargo says: error[E0382]: borrow of moved value", "it says TypeError: foo is undefined"),
        *("ValueError: math domain error", "fatal: not a git repository", "sqlite3.OperationalError: no such table: x"),
    ],
)
def test_what_only_shows_an_error_goes_on(reading: Memory, text: str) -> None:
    turn = _heard(reading, text)
    assert (turn.boundary.decision, turn.question) == ("same", None)


@pytest.mark.parametrize(
    "text",
    [
        *("what is a ValueError: a class or a type?", "Error handling in Go: show me an example"),
        *("write a fail-safe switch", "the docs say: errors are values", "she gives an example: a warning sign"),
    ],
)
def test_to_speak_of_errors_is_not_to_show_one(reading: Memory, text: str) -> None:
    assert not any(factor.name == "failure" for factor in _heard(reading, text).boundary.factors)
