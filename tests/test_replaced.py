"""Once something took the place of another thing, the other one is meant no more."""

from __future__ import annotations

import pytest

import anaphora
from anaphora.ports import Line
from anaphora.understanding.replaced import given_up, in_its_place, instead_of, replaces
from anaphora.understanding.wording import Stretch


def _stretch(lines: list[Line], number: int, words: str) -> Stretch:
    start = lines[number].text.index(words)
    return Stretch(number, (start, start + len(words)), words, 0.9)


@pytest.mark.parametrize(
    "said",
    [
        "use a slider, not a dropdown",
        "Use a slider instead of the dropdown please",
        "no, use a slider rather than a dropdown",
        "replace the dropdown with a slider",
        "swap the dropdown for a slider",
        "can you change the dropdown into a slider?",
        "Actually, switch from the dropdown to a slider",
    ],
)
def test_the_new_thing_stands_for_the_old_one(said: str) -> None:
    lines = [Line("Add a dropdown to pick the volume", mine=True), Line("Done.", mine=False), Line(said, mine=True)]
    assert in_its_place(_stretch(lines, 0, "dropdown to pick"), lines).text == "slider"
    assert in_its_place(_stretch(lines, 0, "volume"), lines).text == "volume"
    assert given_up(_stretch(lines, 0, "dropdown"), said)


@pytest.mark.parametrize(
    "said",
    [
        "I like a slider, not that it matters",
        "put the slider next to the dropdown",
        "why a slider?",
        "use the dropdown",
        "change the dropdown to the left",
        "",
    ],
)
def test_what_replaces_nothing(said: str) -> None:
    assert replaces(said) == ()


def test_a_chain_of_replacements_ends_with_the_last() -> None:
    said = ("Add a dropdown", "use a slider, not a dropdown", "replace the slider with a dial")
    lines = [Line(text, mine=True) for text in said]
    assert in_its_place(_stretch(lines, 0, "dropdown"), lines).text == "dial"


def test_a_thing_that_comes_up_again_later_is_itself() -> None:
    said = ("use a slider, not a dropdown", "the settings page has a dropdown")
    lines = [Line(text, mine=True) for text in said]
    assert in_its_place(_stretch(lines, 1, "dropdown"), lines).text == "dropdown"


@pytest.mark.requirement("K5")
def test_it_is_what_stands_there_now() -> None:
    with anaphora.open(":memory:", reader="bundled") as memory:
        memory.hear("Add a dropdown to pick the volume")
        memory.say("Added a dropdown with five levels.")
        kept = memory.hear("use a slider, not a dropdown")
        memory.say("Replaced.")
        made = memory.hear("make it vertical")
        memory.say("It is vertical.")
        again = memory.hear("bigger")
    assert kept.expanded == "use a slider, not a dropdown"
    assert made.expanded == "make the slider vertical"
    assert again.expanded == "make the slider bigger"


def _set_against(asked: str, told: str, said: str) -> str | None:
    other = instead_of(said, [Line(asked, mine=True), Line(told, mine=False)])
    if other is None:
        return None
    wording = f" of {other.wording}" if other.thing else f" ({other.wording})"
    return said[: other.at] + wording + said[other.at :]


@pytest.mark.parametrize(
    ("told", "said", "meant"),
    [
        ("None.", "raise an error instead", "raise an error instead of None"),
        ("ERROR.", "please use debug instead!", "please use debug instead of ERROR!"),
        ("It returns 1.", "can you raise an error instead?", "can you raise an error instead (it returns 1)?"),
        ("In S3, under a.", "put files on disk instead", "put files on disk instead (in S3, under a)"),
    ],
)
def test_a_bare_instead_is_said_against_what_the_reply_told(told: str, said: str, meant: str) -> None:
    assert _set_against("what happens then?", told, said) == meant


@pytest.mark.parametrize(
    ("asked", "told", "said"),
    [
        ("Add a dropdown", "None.", "raise an error instead"),  # nothing was asked
        ("what happens then?", "Done.", "raise an error instead"),
        ("what happens then?", "Use a list.", "use a set instead"),  # advice, that the reader reads
        ("what happens then?", "It depends on which of the two tables it is.", "raise an error instead"),
        ("what happens then?", "None. Is that right?", "raise an error instead"),
        ("what happens then?", "None.", "use a slider instead of a dropdown"),
        ("what happens then?", "None.", "do that instead"),
        ("what happens then?", "None.", "tea instead"),  # no order
    ],
)
def test_an_instead_that_is_not_plain_is_left_to_the_reader(asked: str, told: str, said: str) -> None:
    assert _set_against(asked, told, said) is None
