"""What people say to an assistant from day to day, where its words leave no doubt: picked numbers, "its" without its
mark, a word of thanks, another question."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import anaphora
from anaphora import Memory
from anaphora.types import Turn
from anaphora.understanding.failures import find_error
from evals import data
from evals.tasks import TASKS
from tests.talk import later, talked

ROOT = Path(__file__).parent.parent
OUTLINE = "> 1. How we got to 34 services\n2. What it cost us\n3. The turning point\n4. How we merged them"
ADVICE = "> Three: 1. install the CPU-only wheel of torch, 2. use a multi-stage build, 3. start from python:3.11-slim."
INDEX = "> Add an index on orders (customer_id, created_at)."


@pytest.fixture
def reading() -> Iterator[Memory]:
    with anaphora.open(":memory:", reader="bundled") as memory:
        yield memory


def last_of(memory: Memory, *said: str) -> Turn:
    talked(memory, *said[:-1])
    return memory.hear(said[-1], at=later(len(said)))


@pytest.mark.requirement("K5")
@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (("outline for a post about our monolith", OUTLINE, "expand 2"), 'expand "What it cost us"'),
        (("outline for a post about our monolith", OUTLINE, "ok can you elaborate on #4 please"), "How we merged them"),
        (("outline for a post", OUTLINE, "Swap 3 and 4"), 'Swap the turning point and "How we merged them"'),
        (("outline for a post", OUTLINE, "add numbers", "> Added both.", "swap 3 and 4"), "the turning point"),
        (("my docker image is 2.3 GB", ADVICE, "do 1 and 3"), "install the CPU-only wheel of torch and start from"),
        (("my docker image is 2.3 GB", ADVICE, "skip 2"), "skip use a multi-stage build"),
        (
            ("my docker image is 2.3 GB", ADVICE, "do 1 and 3", "> Done.", "what about the second one"),
            "multi-stage build",
        ),
    ],
)
def test_numbers_pick_items_of_the_last_list_that_has_such(reading: Memory, said: tuple[str, ...], meant: str) -> None:
    assert meant in last_of(reading, *said).expanded


@pytest.mark.parametrize(
    "said",
    [
        ("outline for a post about our monolith", OUTLINE, "expand 7"),
        ("outline for a post about our monolith", OUTLINE, "expand 0"),
        ("set the retries of the client", "> How many?", "do 3"),
        ("which one of them", "> Either `a` or `b`.", "use 2"),
    ],
)
def test_a_number_that_no_list_has_picks_nothing(reading: Memory, said: tuple[str, ...]) -> None:
    assert not any("of" in r.why and "in the reply" in r.why for r in last_of(reading, *said).references)


@pytest.mark.requirement("K5")
@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("its too slow", "the snake game is too slow"),
        ("its broken", "the snake game is broken"),
        ("windows defender says its a virus", "windows defender says the snake game is a virus"),
        ("change its name", "change the snake game's name"),
    ],
)
def test_its_may_be_it_is(reading: Memory, said: str, meant: str) -> None:
    assert last_of(reading, "make a snake game", "> Done, see snake.py.", said).expanded.lower() == meant


@pytest.mark.parametrize(
    "said", ["tnx", "makes sense", "good idea", "Looks good!", "nice one", "ok, got it", "fair enough"]
)
def test_who_acknowledges_something_is_left_alone_and_corrects_nothing(reading: Memory, said: str) -> None:
    turn = last_of(reading, "install vim-sleuth with lazy.nvim", "> Add `tpope/vim-sleuth` to your plugin list.", said)
    assert turn.expanded == said
    assert turn.intent.name != "CORRECT"
    assert turn.boundary.best_guess == "same"


@pytest.mark.parametrize(
    "said", ["add a CONTRIBUTING.md", "Now delete src/old/main.py", "please update the README.md file"]
)
def test_an_order_about_a_file_that_it_names_needs_nothing(reading: Memory, said: str) -> None:
    assert last_of(reading, "Fix the login bug", "> Done in `auth.py`.", said).expanded == said


@pytest.mark.requirement("B4")
@pytest.mark.parametrize(
    "said",
    [
        "ok thanks. different question: what is the average salary in Stockholm?",
        "A completely unrelated question: how do I boil eggs?",
        "thanks! random question, who painted the Night Watch?",
    ],
)
def test_a_different_question_is_announced(reading: Memory, said: str) -> None:
    turn = last_of(reading, "write a cover letter for a data analyst", "> Here it is.", said)
    assert turn.boundary.decision == "new"


@pytest.mark.requirement("B4")
@pytest.mark.parametrize(
    "said",
    [
        "works now. commit with message 'import: accept d/m/y dates'",
        "great. push and open a PR",
        "run the tests",
        "commit everything, don't push",
    ],
)
def test_what_is_done_with_the_work_at_hand_goes_on_with_it(reading: Memory, said: str) -> None:
    turn = last_of(
        reading, "accept day/month/year dates in import_orders.py", "> Done, with a mask on the slash.", said
    )
    assert turn.boundary.best_guess == "same"


def test_to_speak_of_a_different_question_announces_none(reading: Memory) -> None:
    said = ("write a cover letter for a data analyst", "> Here it is.", "is that a different question from before")
    assert last_of(reading, *said).boundary.best_guess == "same"


@pytest.mark.requirement("K5")
@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (
            "would that slow down inserts much",
            "would adding an index on orders (customer_id, created_at) slow down inserts",
        ),
        ("is that safe in production?", "is adding an index on orders (customer_id, created_at) safe in production?"),
        ("could that cause a deadlock?", "could adding an index on orders (customer_id, created_at) cause a deadlock?"),
        ("is this a good idea", "is adding an index on orders (customer_id, created_at) a good idea"),
    ],
)
def test_what_is_weighed_is_what_the_reply_told_to_do(reading: Memory, said: str, meant: str) -> None:
    assert meant in last_of(reading, "the query that lists late orders is slow", INDEX, said).expanded


@pytest.mark.parametrize("said", ["does that test pass", "is that index used", "does this file exist", "is that all?"])
def test_what_is_named_behind_that_is_not_what_was_told(reading: Memory, said: str) -> None:
    turn = last_of(reading, "the query that lists late orders is slow", INDEX, said)
    assert "adding an index" not in turn.expanded


def test_a_thing_is_told_in_few_words(reading: Memory) -> None:
    query = "write a sql query that shows customers who haven't ordered anything in the last 90 days"
    assert last_of(reading, query, "> Done.", "its too slow").expanded.startswith("the sql query is too slow")


def test_what_everyday_talk_is_measured_on_is_in_no_training() -> None:
    """Errors of libraries, which everybody pastes, aside."""
    trained = " ".join(path.read_text("utf-8").lower() for path in (ROOT / "training" / "conversations").glob("*.txt"))
    streams = data.read_streams(Path(TASKS["everyday"].file))
    said = {prompt.text.lower() for stream in streams for prompt in stream.prompts if len(prompt.text.split()) > 6}
    known = {text for text in said if text in trained}
    assert {text for text in known if find_error(text) is None and "failed!" not in text} == set()
    assert len(said) > 300
