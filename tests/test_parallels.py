"""A bare follow-up takes the place of a part of what was asked before, or adds one; if that is not plain, nothing."""

from __future__ import annotations

import pytest

import anaphora
from anaphora.ports import Line
from anaphora.understanding.parallels import asks_alike, find_parallel
from anaphora.understanding.requests import request_in


def _lines(*texts: str) -> list[Line]:
    """The speaker's own, each answered."""
    mine = [Line(text, mine=True, request=request_in(text)) for text in texts]
    return [line for one in mine for line in (one, Line("Here you are: that was quick.", mine=False))]


@pytest.mark.parametrize(
    ("asked", "said", "meant"),
    [
        ("How do I sort a table in R?", "and a matrix?", "How do I sort a matrix in R?"),
        ("How do I parse a CSV file in Go?", "and JSON?", "How do I parse a JSON file in Go?"),
        ("What's the capital of Peru?", "Chile?", "What's the capital of Chile?"),
        ("what is the density of mercury?", "and water?", "what is the density of water?"),
        ("Book 2 seats on the night bus", "what about 3?", "Book 3 seats on the night bus"),
        ("List what we spent in January", "february?", "List what we spent in february"),
        ("group the sales by region", "by product please", "group the sales by product"),
        ("Which wine fits with fish?", "with lamb?", "Which wine fits with lamb?"),
        ("parse this log line", "with awk", "parse this log line with awk"),
        ("What does the ferry cost?", "for dogs?", "What does the ferry cost for dogs?"),
        ("rebuild the search index", "quietly", "rebuild the search index quietly"),
        ("Write a test for read_rows", "now do the same for write_rows", "Write a test for write_rows"),
        ("Set up a mirror for the old host", "same thing for the new host", "Set up a mirror for the new host"),
        ("Write a class that reads PNGs", "likewise for TIFFs", "Write a class that reads TIFFs"),
        ("Add checks to the users endpoint", "now the same for orders", "Add checks to the orders endpoint"),
        ("Add checks to the users endpoint", "and orders", "Add checks to the orders endpoint"),
        ("Rename the file", "do the same for 'docs'", "Rename the file for 'docs'"),
        (
            "Can you make the notes editable?",
            "only by the author",
            "Can you make the notes editable only by the author?",
        ),
        ("what does the for loop do?", "and the while loop?", "what does the while loop do?"),
        (
            "how does the with statement work in Python?",
            "what about the match statement?",
            "how does the match statement work in Python?",
        ),
        ("how often should I feed the kitten?", "and the dog?", "how often should I feed the dog?"),
        ("make the slider vertical", "bigger", "make the slider bigger"),
        ("make the slider vertical", "and blue please", "make the slider blue"),
        ("please make the intro shorter", "a bit less formal", "please make the intro a bit less formal"),
        ("make the short poem rhyme", "a bit longer", "make the short poem a bit longer"),
        ("make the poem rhyme", "sadder please", "make the poem sadder"),
        ("regex for email", "for phone numbers", "regex for phone numbers"),
        (
            "write a function that removes blanks from a string",
            "now do the same for tuples",
            "write a function that removes blanks from tuples",
        ),
        ("where can I park in Rome?", "and Milan?", "where can I park in Milan?"),
        ("how do I sort a list in python?", "in reverse?", "how do I sort a list in python in reverse?"),
        ("how do I sort a list in python?", "in rust?", "how do I sort a list in rust?"),
        ("print the names in reverse", "in random order", "print the names in random order"),
        ("rename getUser to fetchUser", "do the same for getOrder", "rename getUser to fetchUser for getOrder"),
        ("no, delete original.png", "do the same for cover images", "delete original.png for cover images"),
    ],
)
def test_a_part_is_said_anew(asked: str, said: str, meant: str) -> None:
    found = find_parallel(said, _lines("Hello, can you help me?", asked))
    assert found is not None
    assert (found.text, found.line) == (meant, 2)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("How do I sort a table in R?", "why is that?"),
        ("How do I sort a table in R?", "cancel"),  # an order, not another thing
        ("rebuild the search index", "apply"),  # an order, though it ends as "quietly" does
        ("can I bake bread the day before?", "and the pizza?"),  # a time is no thing
        ("Compare a list and a set", "and a tuple?"),  # either could be meant
        ("How do I sort a table in R?", "and then send it to my boss with a short note?"),
        ("How do I sort a table in R?", "5 * 3"),
        ("How do I sort a table in R?", "thanks"),
        ("How do I sort a table in R?", ""),
        ("It fails: line 3\nline 4", "with awk"),
        ("What is two and two?", "and a bear?"),
        ("The import fails for plus signs", "with awk"),  # tells, and asks for nothing
        ("and water (what is the density of mercury)?", "with awk"),
        ("Is the number a product of primes?", "all primes below 100"),  # a request of its own
        ("make a login page", "bigger"),  # nothing was made to be so
        ("make the slider vertical", "commit"),
        ("make the slider vertical", "only"),
        ("Use Postgres for the backend", "for now use port 9090"),
        ("Use Postgres for the backend", "for the moment keep SQLite"),
    ],
)
def test_where_it_is_not_plain_nothing_is_said_anew(asked: str, said: str) -> None:
    assert find_parallel(said, _lines(asked)) is None


def test_the_same_is_what_was_asked_before_a_word_of_housekeeping() -> None:
    found = find_parallel("now the same for orders", _lines("Add checks to the users endpoint", "commit", "push"))
    assert found is not None
    assert found.text == "Add checks to the orders endpoint"


def test_where_a_message_may_stand_alone_only_what_can_mean_nothing_else_is_said_anew() -> None:
    lines = _lines("Make the slider of the player vertical")
    assert find_parallel("in red", lines, pointing=False) is None
    found = find_parallel("and blue", lines, pointing=False)
    assert found is not None
    assert found.text == "Make the slider of the player blue"


@pytest.mark.parametrize(
    ("asked", "said", "alike"),
    [
        ("What is the capital of Kazakhstan?", "What is the capital of Mongolia?", True),
        ("How long do I boil an egg?", "How long do I boil potatoes?", True),
        ("What is the capital of Kazakhstan?", "What is the population?", False),
        ("What is the capital of Kazakhstan?", "What is the capital of it?", False),
        ("What is the capital of Kazakhstan?", "What is the capital of Kazakhstan?", False),
        ("What are the rules?", "What are the costs?", False),
    ],
)
def test_a_whole_question_of_the_same_form_stands_alone(asked: str, said: str, *, alike: bool) -> None:
    assert asks_alike(said, _lines(asked)) is alike


@pytest.mark.requirement("K5")
def test_what_was_put_behind_a_question_stays_behind_it() -> None:
    with anaphora.open(":memory:", reader="bundled") as memory:
        memory.hear("Make it rounder")
        memory.hear("Put the chart next to the table")
        memory.say("Moved.")
        undone = memory.hear("undo that")
    assert undone.expanded == "undo that (put the chart next to the table)"


def test_nothing_is_said_anew_of_what_someone_else_asked() -> None:
    assert find_parallel("and a matrix?", [Line("How do I sort a table in R?", mine=False)]) is None


@pytest.mark.requirement("K5")
def test_a_bare_follow_up_becomes_the_whole_question() -> None:
    with anaphora.open(":memory:", reader="bundled") as memory:
        memory.hear("How do I reverse a list in Python?")
        memory.say("Call reversed() or slice it with [::-1].")
        turn = memory.hear("and a string?")
    assert turn.expanded == "How do I reverse a string in Python?"
    assert turn.references[0].referent == "How do I reverse a list in Python?"
    assert "in the place of 'a list'" in turn.references[0].why


@pytest.mark.parametrize("before", ["(", "what is the capital", "what is the capital of Mongolia?", "'" * 100])
def test_what_is_shorter_or_the_same_is_not_alike(before: str) -> None:
    line = Line(before, mine=True, request=(0, len(before)))
    assert not asks_alike("what is the capital of Mongolia?", [line])


@pytest.mark.parametrize(
    ("small", "said", "meant"),
    [
        (("add a docstring",), "now in java", "write a test for getUser in java"),
        (("add type hints", "ok run it"), "in Rust please", "write a test for getUser in Rust"),
        (("make it shorter",), "as a class", "write a test for getUser as a class"),
        (("run the tests", "commit"), "do the same for getOrder", "write a test for getOrder"),
    ],
)
def test_small_orders_on_the_work_are_no_pattern_for_another_form_of_it(
    small: tuple[str, ...], said: str, meant: str
) -> None:
    found = find_parallel(said, _lines("write a test for getUser", *small))
    assert found is not None
    assert (found.text, found.line) == (meant, 0)


@pytest.mark.parametrize(
    ("small", "said", "meant"),
    [
        ("run the tests", "in docker", "run the tests in docker"),
        ("run the tests", "in parallel", "run the tests in parallel"),
        ("add a docstring", "do the same for getOrder", "add a docstring for getOrder"),
        ("run the tests for getUser", "do the same for getOrder", "run the tests for getOrder"),
    ],
)
def test_what_can_be_said_of_a_small_order_is_said_of_it(small: str, said: str, meant: str) -> None:
    found = find_parallel(said, _lines("write a parser for getUser", small))
    assert found is not None
    assert found.text == meant
