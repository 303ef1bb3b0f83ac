""" "The kitten" is the Siamese kitten, where that is the only kitten that was named."""

from __future__ import annotations

import pytest

from anaphora.ports import Line
from anaphora.understanding.definites import find_definites


def _named(said: str, *before: str) -> list[str]:
    lines = [Line(text, mine=True) for text in before]
    return [lines[line].text[slice(*place)] for _, line, place in find_definites(said, lines)]


@pytest.mark.parametrize(
    ("before", "said", "names"),
    [
        ("We got a Siamese kitten last week", "how often should I feed the kitten?", ["Siamese kitten"]),
        ("We run a Kotlin service called parcel-tracker", "the service leaks memory", ["Kotlin service"]),
        ("my upright piano is old", "how do I get the piano up?", ["upright piano"]),
        ("I bought an oak table and a brass lamp", "put the lamp on the table", ["brass lamp", "oak table"]),
    ],
)
def test_a_thing_is_known_by_its_noun(before: str, said: str, names: list[str]) -> None:
    assert _named(said, before) == names


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("We got a Siamese kitten", "the kitten food is cheap"),  # another thing
        ("We got a Siamese kitten", "the kitten of my sister"),
        ("We got a kitten", "feed the kitten"),  # it has no other name
        ("I have a red pen and a blue pen", "give me the pen"),  # either
        ("We got a Siamese kitten", "`the kitten`"),
        ("I picked a warm color", "change the color"),  # of something else
        ("", "feed the kitten"),
    ],
)
def test_what_is_not_known_so_is_left_as_it_is(before: str, said: str) -> None:
    assert _named(said, before) == []
