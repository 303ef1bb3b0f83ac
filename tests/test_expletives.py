"""Words that look as if they pointed back, and stand for nothing."""

from __future__ import annotations

import pytest

from anaphora import Memory
from anaphora.understanding.expletives import stand_for_nothing

_WORK = "write a function is_prime that checks if a number is prime"
_MADE = "```python\ndef is_prime(n):\n    return all(n % i for i in range(2, n))\n```"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "what time is it?",
            "it's Monday",
            "It is late, let's stop",
            "is it going to rain tomorrow?",
            "how is it going?",
        ),
        *(
            "is it possible to use a lambda?",
            "it's better to wait",
            "is it ok if I use numpy?",
            "it is not easy to say no",
        ),
        *("it turns out that the test was wrong", "does it matter if n is 1?", "that said, what is a tuple?"),
        *(
            "here it is:\nFROM node:20",
            "this makes it easier to test",
            "is it worth it?",
            "it's hard to find a good name",
        ),
    ],
)
def test_an_it_that_stands_for_nothing_is_known(text: str) -> None:
    assert stand_for_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "is it easy to read?",
            "it is hard to set up",
            "it's slow",
            "is it safe?",
            "it should return 1",
            "make it late-bound",
        ),
        *(
            "it looks like a bug",
            "is it late-bound in python?",
            "it depends on redis",
            "it takes 5 seconds",
            "here it is",
        ),
        *("what is it?", "does it work?", "it's true", "what he said that day", "it is good"),
    ],
)
def test_an_it_that_stands_for_a_thing_is_left_open(text: str) -> None:
    assert not stand_for_nothing(text)


@pytest.mark.parametrize("text", ["what time is it?", "it's Monday", "that said, what is a tuple?"])
def test_nothing_is_put_in_the_place_of_an_it_that_stands_for_nothing(memory: Memory, text: str) -> None:
    memory.hear(_WORK)
    memory.say(_MADE)
    assert memory.hear(text).expanded == text


def test_hostile_text_is_read_in_no_time() -> None:
    assert not stand_for_nothing("it is " + "not very really " * 4000)
    assert not stand_for_nothing("is it " * 8000)
