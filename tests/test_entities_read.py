"""What a reader names in a message is one thing each: no half of a quotation, no number, nothing across two lines."""

from __future__ import annotations

import pytest

from anaphora.understanding.entities import find_entities, with_read

# the message, the stretch of it that the reader points out, what is named
READ = [
    ('the commit a3b1" is broken', 'a3b1"', "a3b1"),
    ("why is 'setprecision' not found", "setprecision'", "setprecision"),
    ("in <module>\n    total = add(1)", "<module>\n    total = add(1)", "<module>"),
    ('use portfolio = {"AAPL", "BA"}', 'portfolio = {"AAPL', "portfolio"),
    ("rename the column 'price',", "'price',", "price"),
    ("tokens of the parser.", "parser.", "parser"),
    ("it calls hash_of(self, and stops", "hash_of(self", "hash_of"),
    ("what does reduce(add, rows) do", "reduce(add, rows)", "reduce(add, rows)"),
    ("the rows[0] is empty", "rows[0]", "rows[0]"),
    ("don't touch the driver's seat", "driver's seat", "driver's seat"),
    ("written in C++ by hand", "C++", "C++"),
    ("python 3.11 is old", "python 3.11", "python 3.11"),
]
NO_NAMES = [
    ("it returns 404", "404"),
    ("the answer is -1 here", "-1"),
    ("from 0 to 10 please", "10"),
    ("add 2 + 3 first", "2 + 3"),
    ('it prints "" there', '""'),
    ("\n\n\nhello", "\n\n"),
]


@pytest.mark.parametrize(("text", "pointed", "named"), READ)
def test_what_is_read_is_cut_to_one_name(text: str, pointed: str, named: str) -> None:
    start = text.index(pointed)
    found = with_read(text, (), [((start, start + len(pointed)), "concept", 0.9)])
    assert [entity.text for entity in found] == [named]
    assert [text[slice(*entity.span)] for entity in found] == [named]


@pytest.mark.parametrize(("text", "pointed"), NO_NAMES)
def test_a_number_or_a_mark_is_no_thing(text: str, pointed: str) -> None:
    start = text.index(pointed)
    assert with_read(text, (), [((start, start + len(pointed)), "concept", 0.9)]) == ()


@pytest.mark.parametrize(
    ("text", "is_technology"),
    [
        ("Leave the rest as it is", False),
        ("And what about the rest?", False),
        ("Fix the first one, the rest later", False),
        ("Should it be REST?", True),
        ("Write a rest api for orders", True),
        ("call the rest endpoint", True),
    ],
)
def test_the_rest_is_no_technology(text: str, is_technology: bool) -> None:
    found = [entity.text.lower() for entity in find_entities(text) if entity.kind == "technology"]
    assert ("rest" in found) is is_technology
