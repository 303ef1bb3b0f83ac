"""What people tell of themselves stays as it was said, and is not what "make it faster" means; nor is a secret."""

from __future__ import annotations

import pytest

import anaphora
from anaphora import Memory
from anaphora.understanding.oneself import tells_only_of_oneself, works_on_it
from tests.talk import later

WITH_READER = True


def heard(memory: Memory, *lines: str) -> str:
    """The last of the lines as it was understood; replies begin with ">"."""
    for number, line in enumerate(lines[:-1]):
        if line.startswith(">"):
            memory.say(line[1:], at=later(number))
        else:
            memory.hear(line, at=later(number))
    return memory.hear(lines[-1], at=later(len(lines))).expanded


@pytest.mark.parametrize("order", ["Can you make it faster", "rename it", "make it bigger", "fix that"])
@pytest.mark.parametrize(
    "told",
    [
        "my name is Ada",
        "I live in Tokyo",
        "I'm a nurse from Leeds",
        "My sister is called Mia",
        "I love sushi",
        "I prefer tabs over spaces",
        "my password is hunter2hunter2",
        "my token is ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    ],
)
def test_nobody_and_no_secret_is_worked_on(memory: Memory, told: str, order: str) -> None:
    assert heard(memory, told, ">Nice to meet you, Ada!", order) == order


def test_what_was_worked_on_before_an_aside_still_is(memory: Memory) -> None:
    lines = ("write a login page", ">Here it is.", "I live in Tokyo", ">Great city.", "make it faster")
    assert heard(memory, *lines) == "make the login page faster"


def test_without_a_reader_nobody_is_worked_on_either() -> None:
    with anaphora.open(":memory:", reader="none", embedder="none", background=False) as memory:
        assert heard(memory, "I live in Tokyo", ">Great city.", "make it faster") == "make it faster"


@pytest.mark.parametrize(
    ("told", "said", "meant"),
    [
        ("I live in Tokyo", "recommend a restaurant there", "recommend a restaurant in Tokyo"),
        ("I have a dog", "suggest a name for it", "suggest a name for the dog"),
        ("We use a Flask app", "make it faster", "make the Flask app faster"),
    ],
)
def test_what_is_told_can_still_be_asked_about_and_things_worked_on(
    memory: Memory, told: str, said: str, meant: str
) -> None:
    assert heard(memory, told, ">Okay.", said) == meant


@pytest.mark.parametrize(
    "told", ["I live in Tokyo", "my name is Ada", "By the way, I'm Ada and I live in Tokyo.", "I use vim"]
)
@pytest.mark.parametrize("before", [("write a login page", ">Here it is."), ("my name is Ada", ">Hello, Ada!")])
def test_who_tells_something_of_himself_has_said_all_of_it(memory: Memory, before: tuple[str, ...], told: str) -> None:
    assert heard(memory, *before, told) == told


@pytest.mark.parametrize(
    ("text", "only"),
    [
        ("Hi, I'm Ada, a nurse from Leeds", True),
        ("I work at Google and I prefer tabs", True),
        ("I live there too", False),
        ("My name is Ada. Write a poem", False),
        ("I like the header", False),
        ("I'm stuck", False),
        ("", False),
        ("I also use helix", True),
        ("I like tea too", True),
        ("I like that too", False),
    ],
)
def test_all_of_a_message_is_told_of_oneself_or_it_is_not(text: str, only: bool) -> None:
    assert tells_only_of_oneself(text) is only


@pytest.mark.parametrize(
    ("text", "works"),
    [
        ("now please refactor that", True),
        ("I want to rename it", True),
        ("translate it", False),
        ("tell me more about it", False),
        ("what is it", False),
        ("do it", False),
    ],
)
def test_an_order_changes_what_it_points_to(text: str, works: bool) -> None:
    assert works_on_it(text) is works
