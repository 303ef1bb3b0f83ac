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
