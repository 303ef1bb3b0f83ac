"""What is said beside what holds already: as one more, or only for a while. What holds in the long run stands."""

from __future__ import annotations

import pytest

from anaphora import Memory
from tests.talk import past, standing, talked

# --- what is said as one more --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "said",
    [
        "let's also use Postgres",
        "also, let's use Postgres",
        "Also use Postgres",
        "let's use Postgres too",
        "let's use Postgres, too.",
        "we'll use Postgres as well",
        "in addition, let's use Postgres",
        "and we should also use Postgres because we need JSON",
        "let's additionally use Postgres",
        "we'll additionally use Postgres",
        "additionally use Postgres",
        "in addition we'll use Postgres",
        "on top of that we'll use Postgres",
        "in addition to MySQL, let's use Postgres",
        "besides MySQL, we'll use Postgres",
        "on top, let's use Postgres",
        "besides, let's use Postgres",
        "plus we'll use Postgres",
    ],
)
def test_what_is_decided_as_one_more_takes_the_place_of_nothing(any_reading: Memory, said: str) -> None:
    talked(any_reading, "Let's use MySQL", "> Okay.", said)
    assert standing(any_reading) == ["use MySQL", "also use Postgres"]


@pytest.mark.parametrize(
    ("said", "stands"),
    [
        ("no, SQLite", ["use MySQL", "also use SQLite instead of Postgres"]),
        ("let's use SQLite instead of Postgres", ["use MySQL", "use SQLite instead of Postgres"]),
        ("drop Postgres", ["use MySQL"]),
        ("let's not use Postgres", ["use MySQL", "don't use Postgres"]),
        ("forget that decision", ["use MySQL"]),
    ],
)
def test_what_was_decided_as_one_more_can_be_changed_like_any_other(
    any_reading: Memory, said: str, stands: list[str]
) -> None:
    talked(any_reading, "Let's use MySQL", "let's also use Postgres", said)
    assert standing(any_reading) == stands
    assert past(any_reading) == ["also use Postgres"]


@pytest.mark.parametrize(
    "said",
    [
        "let's use Postgres because it also knows JSON",
        "let's use Postgres which also knows JSON",
        "let's use Postgres. It also knows JSON.",
        "It also crashes, let's use Postgres",
        "MySQL is too slow, let's use Postgres",
        "let's use Postgres instead of the MySQL database",
    ],
)
def test_also_may_be_said_of_something_else(any_reading: Memory, said: str) -> None:
    talked(any_reading, "Let's use MySQL", said)
    assert past(any_reading) == ["use MySQL"]


@pytest.mark.parametrize("said", ["use Postgres additionally", "let's use Postgres in addition to MySQL"])
def test_one_more_may_be_said_last(any_reading: Memory, said: str) -> None:
    talked(any_reading, "Let's use MySQL", said)
    assert past(any_reading) == []
    assert len(standing(any_reading)) == 2


@pytest.mark.requirement("W12")
@pytest.mark.parametrize(
    ("first", "said", "stands"),
    [
        ("my manager is Ana", "my manager is also Omar", "my manager is also Omar"),
        ("I use vim", "I also use helix", "I also use helix"),
        ("I use vim", "I use helix too", "I also use helix"),
        ("I use vim", "in addition I use helix", "I use helix"),
        ("I speak German", "I also speak French", "I also speak French"),
        ("I live in Rome", "I also live in Berlin", "I also live in Berlin"),
        ("I live in Rome", "I live in Berlin too", "I also live in Berlin"),
        ("I live in Rome", "I also work at Acme", "I also work at Acme"),
        ("I have a dog", "I also have a cat", "I also have a cat"),
        ("I prefer coffee", "I also prefer tea", "also prefers tea"),
        ("I like tea", "I also like coffee", "likes coffee"),
    ],
)
def test_of_a_fact_that_is_said_as_one_more_the_other_stands(
    any_reading: Memory, first: str, said: str, stands: str
) -> None:
    talked(any_reading, first, said)
    assert past(any_reading) == []
    assert standing(any_reading)[1:] == [stands]


@pytest.mark.parametrize(
    ("first", "said"),
    [
        ("I live in Rome", "also, I moved to Berlin"),
        ("I live in Rome", "plus I live in Berlin now"),
        ("I live in Rome", "I live in Berlin, next to the park"),
        ("I use helix", "I also use helix"),
    ],
)
def test_one_more_thing_to_tell_is_no_second_one_of_its_sort(any_reading: Memory, first: str, said: str) -> None:
    talked(any_reading, first, said)
    assert past(any_reading) == [first]


# --- what holds only for a while ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("for now use SQLite", "use SQLite for now"),
        ("for now, let's use SQLite", "use SQLite for now"),
        ("let's use SQLite for now", "use SQLite for now"),
        ("let's for now use SQLite", "use SQLite for now"),
        ("temporarily use SQLite", "use SQLite temporarily"),
        ("let's temporarily use SQLite", "use SQLite temporarily"),
        ("we'll use SQLite temporarily", "use SQLite temporarily"),
        ("for the time being let's use SQLite", "use SQLite for the time being"),
        ("in the meantime we'll use SQLite", "use SQLite in the meantime"),
        ("until Friday use SQLite", "use SQLite until Friday"),
        ("until Friday, let's use SQLite", "use SQLite until Friday"),
        ("let's use SQLite until Friday", "use SQLite until Friday"),
        ("until we have more users, let's use SQLite", "use SQLite until we have more users"),
        ("just for today let's use SQLite", "use SQLite just for today"),
        ("we'll use SQLite this week", "use SQLite this week"),
        ("let's use SQLite for the next two weeks", "use SQLite for the next two weeks"),
        ("let's not use Postgres for now", "don't use Postgres for now"),
        ("let's use SQLite instead of Postgres for now", "use SQLite instead of Postgres for now"),
    ],
)
def test_what_is_decided_for_a_while_stands_beside_what_holds(any_reading: Memory, said: str, kept: str) -> None:
    talked(any_reading, "Let's use Postgres", "> Okay.", said)
    assert standing(any_reading) == ["use Postgres", kept]


@pytest.mark.parametrize(
    ("said", "stands"),
    [
        ("use port 7070", ["use port 7070"]),
        ("use port 8080", ["use port 8080"]),
        ("use port 9090", ["use port 9090"]),
        ("let's keep port 9090", ["use port 8080", "keep port 9090"]),
        ("use port 7070 for now", ["use port 8080", "use port 7070 for now"]),
        ("no, 9091", ["use port 8080", "use port 9091 for now"]),
        ("use port 9090 for now", ["use port 8080", "use port 9090 for now"]),
        ("forget that decision", ["use port 8080"]),
    ],
)
def test_what_was_decided_for_a_while_ends_like_any_other(any_reading: Memory, said: str, stands: list[str]) -> None:
    talked(any_reading, "use port 8080", "for now use port 9090", said)
    assert standing(any_reading) == stands


@pytest.mark.parametrize(
    ("first", "said", "kept"),
    [
        ("let's use Flask", "for the API, let's use FastAPI", "use FastAPI for the API"),
        ("let's use Postgres", "for the demo use SQLite", "use SQLite for the demo"),
        ("let's use Postgres", "in production, let's use MySQL", "use MySQL in production"),
    ],
)
def test_what_something_is_decided_for_may_be_said_first(any_reading: Memory, first: str, said: str, kept: str) -> None:
    talked(any_reading, first, said)
    assert standing(any_reading)[1:] == [kept]
    assert past(any_reading) == []


@pytest.mark.parametrize("said", ["back to Postgres", "ok, back to postgres again", "we're back on Postgres now"])
def test_going_back_ends_what_was_decided_for_a_while(any_reading: Memory, said: str) -> None:
    talked(any_reading, "let's use Postgres", "let's use SQLite for now", said)
    assert past(any_reading) == ["use SQLite for now"]


@pytest.mark.parametrize("said", ["back to the login page", "back to work", "I'm back", "we're back on Monday"])
def test_who_comes_back_to_something_else_ends_nothing(any_reading: Memory, said: str) -> None:
    talked(any_reading, "let's use Postgres", "let's use SQLite for now", said)
    assert past(any_reading) == []


def test_what_ends_by_saying_the_old_again_is_brought_back_by_undo(any_reading: Memory) -> None:
    talked(any_reading, "use port 8080", "for now use port 9090", "use port 8080")
    assert past(any_reading) == ["use port 9090 for now"]
    any_reading.undo("m2")
    assert standing(any_reading) == ["use port 8080", "use port 9090 for now"]


@pytest.mark.parametrize(
    ("first", "said", "stands"),
    [
        ("never commit to main", "for now you may commit to main", ["never commit to main"]),
        ("don't use Redux", "let's use Redux for now", ["use Redux for now", "don't use Redux"]),
        (
            "always answer in French",
            "for today always answer in German",
            ["always answer in French", "always answer in German for today"],
        ),
        ("I live in Rome", "for now I live in Berlin", ["I live in Rome", "I live in Berlin for now"]),
        ("I use vim", "I use nano for now", ["I use vim", "I use nano for now"]),
        ("The deadline is Friday", "for now the deadline is Monday", ["the deadline is Monday for now"]),
    ],
)
def test_rules_and_facts_for_a_while(any_reading: Memory, first: str, said: str, stands: list[str]) -> None:
    talked(any_reading, first, said)
    assert standing(any_reading) == stands


@pytest.mark.parametrize(
    "said",
    [
        "from now on use SQLite",
        "let's use SQLite from now on",
        "let's use SQLite now",
        "as of today we'll use SQLite",
        "let's use SQLite because it is fine for now",
        "until now it was slow, let's use SQLite",
        "let's use SQLite, I have time until Friday",
    ],
)
def test_what_holds_from_now_on_takes_the_place_of_what_held(any_reading: Memory, said: str) -> None:
    talked(any_reading, "Let's use Postgres", said)
    assert past(any_reading) == ["use Postgres"]


def test_a_goal_for_now_is_a_goal(any_reading: Memory) -> None:
    talked(any_reading, "for now I want to build a login page")
    assert [goal.text for goal in any_reading.state.goals] == ["build a login page"]
