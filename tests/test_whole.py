"""What is taken over from an earlier message is torn nowhere."""

from __future__ import annotations

import pytest

import anaphora
from anaphora.types import Span
from anaphora.understanding.whole import one_sentence, untorn


def _place(text: str, words: str) -> Span:
    return text.index(words), text.index(words) + len(words)


@pytest.mark.parametrize(
    ("text", "words", "whole"),
    [
        ("build it on node:20-slim today", "20", "node:20-slim"),
        ("see setup.cfg for that", "setup", "setup.cfg"),
        ("a Kolmogorov-Smirnov test", "Smirnov test", "Kolmogorov-Smirnov test"),
        ("look at u.email in there", "u", "u.email"),
        ("the plain words here", "plain words", "plain words"),
    ],
)
def test_a_name_is_taken_whole(text: str, words: str, whole: str) -> None:
    assert text[slice(*untorn(text, _place(text, words), {}))] == whole


@pytest.mark.parametrize(
    ("text", "words", "whole"),
    [
        ("fry it in three batches, please", "fry it in three", "fry it in three batches"),
        ("use the last 20 rows of it", "last 20", "last 20 rows"),
        ("it was one of two and late", "one of two", "one of two"),
        ("there were two. Then none", "there were two", "there were two"),
    ],
)
def test_a_number_is_taken_with_what_it_counts(text: str, words: str, whole: str) -> None:
    assert text[slice(*untorn(text, _place(text, words), {}))] == whole


@pytest.mark.parametrize(
    ("text", "words", "whole"),
    [
        ("I moved `load`, `save` and `drop` there", "load`, `save` and `drop", "`load`, `save` and `drop`"),
        ("it is `load` that fails", "load", "load"),
        ("call `send(to=[])` or `wait(s=1)` then", "send(to=[])` or `wait(s", "`send(to=[])` or `wait(s=1)`"),
        ('he called it "a good start" then', 'called it "a good', 'called it "a good start"'),
    ],
)
def test_what_is_enclosed_in_marks_is_taken_whole_or_without_them(text: str, words: str, whole: str) -> None:
    assert text[slice(*untorn(text, _place(text, words), {}))] == whole


@pytest.mark.parametrize(
    ("text", "words", "whole"),
    [
        ("then pay(order) is called", "pay(order", "pay(order)"),
        ("(2, 2, 5), and `GREATEST` gives", "2, 5), and `GREATEST", "and `GREATEST`"),
        ("if (a > b { it goes on and on", "if (a > b", "if (a > b"),
        (
            "the sizes (small and large, or none at all of those that we had before, whichever) fit",
            "sizes (small",
            "sizes",
        ),
    ],
)
def test_brackets_have_both_halves_where_they_can(text: str, words: str, whole: str) -> None:
    assert text[slice(*untorn(text, _place(text, words), {}))] == whole


@pytest.mark.parametrize(
    ("text", "words", "pointed", "whole"),
    [
        ("for six:\n\n- a pound of flour\n- two eggs", "flour\n- two eggs", "eggs", "two eggs"),
        ("```python\n    try:\n        pay(order)", "python\n    try:\n        pay(order", "order", "pay(order)"),
        ("a script\nthat renames files", "script\nthat renames", "script", "script\nthat renames"),
    ],
)
def test_of_items_and_lines_of_code_one_is_taken(text: str, words: str, pointed: str, whole: str) -> None:
    assert text[slice(*untorn(text, _place(text, words), {_place(text, pointed): 0.9}))] == whole


@pytest.mark.parametrize(
    ("text", "words", "pointed", "whole"),
    [
        ("Take the ferry. With a car it is dear.", "ferry. With a car", ("ferry",), "ferry"),
        ("Do you need chairs? I have some more", "chairs? I have some", ("some",), "I have some"),
        ("Take the ferry. With a car it is dear.", "ferry. With a car", ("ferry", "car"), "ferry. With a car"),
        ("Use tools, e.g. a saw, for it", "tools, e.g. a saw", ("tools", "saw"), "tools, e.g. a saw"),
    ],
)
def test_the_sentence_is_taken_that_is_meant_unless_both_are(
    text: str, words: str, pointed: tuple[str, ...], whole: str
) -> None:
    likely = {_place(text, word): 0.9 for word in pointed}
    assert text[slice(*one_sentence(text, _place(text, words), likely))] == whole


def test_a_long_quotation_is_not_begun_in_the_place_of_a_word() -> None:
    text = 'my opening: "Trams were the pride of every town before they were torn out of the streets again."'
    assert text[slice(*one_sentence(text, (3, text.index(" pride")), {}))] == "opening"


@pytest.mark.parametrize("mark", ["“", "`", '"', "(", ")", ".", "?!", "\n", " - ", "a.", "@"])
def test_a_long_row_of_marks_takes_no_time(mark: str) -> None:
    text = f"rename {mark * 50_000} the file"
    start = len(text) - 100
    for span in ((start, len(text)), (0, 200)):
        whole = untorn(text, span, {})
        assert 0 <= whole[0] <= whole[1] <= len(text)
        assert one_sentence(text, whole, {}) is not None


@pytest.mark.parametrize("mark", ["“", ")", "!", "(a. "])
def test_a_message_full_of_marks_is_heard_and_pointed_to(mark: str) -> None:
    with anaphora.open(":memory:", background=False, embedder="none") as memory:
        memory.hear(f"fix {mark * 20_000} the parser")
        memory.say("Done.")
        assert "test it" in memory.hear("test it again").text


@pytest.mark.parametrize(("likely", "whole"), [(0.2, "Flask app"), (0.02, "Flask")])
def test_a_proper_name_is_taken_with_what_it_names_the_kind_of(likely: float, whole: str) -> None:
    text = "We use a Flask app here"
    assert text[slice(*untorn(text, _place(text, "Flask"), {_place(text, "app"): likely}))] == whole
