"""Words that look as if they pointed back, and stand for nothing."""

from __future__ import annotations

import pytest

from anaphora import Memory
from anaphora.understanding.expletives import stand_for_nothing

WITH_READER = True
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
        "It seems the summer will be hot",
        "It looks like my train is delayed",
        "it turns out my neighbour has three cats",
        "It sounds like you know a lot about cooking",
        "I hate it when people are late",
        "We finally made it to the top of Mont Blanc",
        "I can't make it tomorrow",
        "One should never swim after eating",
        "The second season is better than the first one",
        "Of all my cousins I like the youngest one the most",
        "Which is bigger, Germany or Poland?",
        "What is better for the skin, soap or shower gel?",
    ],
)
def test_what_stands_for_nothing_is_left_alone_after_other_talk(memory: Memory, text: str) -> None:
    memory.hear("I want to visit the Louvre")
    memory.say("It is in Paris.")
    assert memory.hear(text).expanded == text


@pytest.mark.parametrize(
    "text",
    [
        "it looks expensive",
        "it looks like a banana",
        "It sounds like everyone else's",
        "make it to the left",
        "can you make it work?",
        "which is older, it or France?",
        "the first one is better",
    ],
)
def test_an_it_that_may_stand_for_something_is_not_shut(text: str) -> None:
    assert not stand_for_nothing(text)


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
