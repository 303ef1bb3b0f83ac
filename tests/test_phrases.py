"""What stands for "it" reads as a thing, however it was said before."""

from __future__ import annotations

from dataclasses import replace

import pytest

import anaphora
from anaphora.ports import Gap, Judgement, Line, Pointed
from anaphora.understanding.learned import FILLING
from anaphora.understanding.phrases import definite_at, noun_phrase
from anaphora.understanding.rewriting import filled, written_out


@pytest.mark.parametrize(
    ("words", "named", "thing"),
    [
        ("I built a Streamlit app that counts bikes", False, "the Streamlit app that counts bikes"),
        ("there's a bug in the form: the zip code isn't checked", False, "the bug in the form"),
        ("the nightly backup script fails", True, "the nightly backup script"),
        ("the regex should match a month", True, "the regex"),
        ("the retry decorator around", True, "the retry decorator"),
        ("the function that can add lists", True, "the function that can add lists"),
        ("the orders table: 0041 and 0042", True, "the orders table: 0041 and 0042"),
        ("split the test job", False, "splitting the test job"),
        ("move the panel", False, "moving the panel"),
        ("red button", False, "red button"),
        ("", False, ""),
    ],
)
def test_the_thing_is_left_of_what_was_said_about_it(words: str, named: bool, thing: str) -> None:
    assert noun_phrase(words, named=named) == thing


@pytest.mark.parametrize(
    ("text", "place", "found"),
    [
        ("deploy the app to our server", (10, 10), "the app"),
        ("deploy the old app", (7, 10), "the old app"),
        ("deploy the apps now", (7, 10), "the apps"),
        ("deploy the server now", (7, 10), None),
        ("read the app, then the manual", (20, 20), None),
    ],
)
def test_a_definite_phrase_is_found_where_its_noun_is_known(
    text: str, place: tuple[int, int], found: str | None
) -> None:
    span = definite_at(text, place, {"app"})
    assert (None if span is None else text[slice(*span)]) == found


@pytest.mark.parametrize(
    ("before", "said", "meant"),
    [
        ("The weekly export script fails with exit code 3", "run it again", "run the export script again"),
        (
            "There's a function called shorten_path in tools/paths.py",
            "rename that function to trim_path",
            "rename shorten_path to trim_path",
        ),
        (
            "I built a dashboard app that shows rainfall per village",
            "move the app to the new host",
            "move the dashboard app to the new host",
        ),
    ],
)
def test_what_is_written_out_reads_as_a_sentence(before: str, said: str, meant: str) -> None:
    with anaphora.open(":memory:") as memory:
        memory.hear(before)
        assert memory.hear(said).expanded == meant


@pytest.mark.parametrize(
    ("text", "gap", "meant"),
    [
        ("does that run on sundays?", "does that", "does the night ferry run on sundays?"),
        ("how do I deal with it?", "deal with it", "how do I deal with the night ferry?"),
        ("could I give her a horn?", "her", "could I give the night ferry a horn?"),
        ("what does her horn cost?", "her", "what does the night ferry's horn cost?"),
    ],
)
def test_only_what_points_is_replaced(text: str, gap: str, meant: str) -> None:
    said = "I took the night ferry from Ancona to Split, and it was late and full of people who slept on the floor"
    start, at = said.index("night"), text.index(gap)
    words = tuple(Pointed(0, (a, a + len(word)), 0.9) for word, a in (("night", start), ("ferry", start + 6)))
    judged = Judgement(0.1, 0.95, {"ASK": 1.0, "CORRECT": 0.0, "TEST": 0.0, "EXECUTE": 0.0}, (), ())
    judged = replace(judged, gaps=(Gap((at, at + len(gap)), 0.95, "", words),))
    assert written_out(text, filled(text, judged, [Line(said, mine=True)], FILLING)) == meant
