"""What a message is about, where work is talked about in long lines."""

from __future__ import annotations

import re

import pytest

from anaphora.ports import Gap, Judgement, Line, Pointed
from anaphora.understanding.about import about
from anaphora.understanding.learned import ABOUT, FILLING
from anaphora.understanding.likely_words import about_evidence
from anaphora.understanding.requests import request_in
from anaphora.understanding.rewriting import filled, written_out
from anaphora.understanding.wording import content_in

_INTENTS = {"PLAN": 0.0, "EXECUTE": 1.0, "CORRECT": 0.0, "TEST": 0.0, "ASK": 0.0, "RESUME": 0.0, "CLOSE": 0.0}
_ASKED = "create a table of the forty largest river ports of Europe with their yearly freight in tons please"
_GREW = "now put the countries that each of them belongs to into a column of its own, left of the names"


def _line(text: str, *, whole: bool = True) -> Line:
    return Line(text, mine=True, request=request_in(text), whole=whole)


def _pointing(lines: list[Line], words: str, strength: float = 0.6, gap: tuple[int, int] = (0, 2)) -> Judgement:
    """A reader that points from a gap to these words, wherever they stand."""
    found = tuple(
        Pointed(number, (at, at + len(word)), strength)
        for number, line in enumerate(lines)
        for word in words.split()
        if (at := line.text.find(word)) >= 0
    )
    return Judgement(0.1, 0.9, _INTENTS, (Gap(gap, 0.9, "", found),), ())


@pytest.fixture
def lines() -> list[Line]:
    return [_line(_ASKED), _line(_GREW, whole=False)]


def test_what_was_asked_for_is_meant_even_where_little_is_pointed_to(lines: list[Line]) -> None:
    found = about("it is too wide", _pointing(lines, "table", 0.2), lines, ABOUT).stretches()
    assert {"table", "river", "ports"} <= content_in(found[0].text)


def test_what_is_pointed_to_is_meant_before_what_is_not(lines: list[Line]) -> None:
    plain = about_evidence("it is too wide", _pointing(lines, ""), lines)
    pointed = about_evidence("it is too wide", _pointing(lines, "countries column", 0.9), lines)
    assert plain["countries"]["pointed"] == 0.0
    assert pointed["countries"]["pointed"] > 0.8
    found = about("it is too wide", _pointing(lines, "countries column", 0.9), lines, ABOUT).stretches()
    assert "countries" in " ".join(one.text for one in found)


@pytest.mark.parametrize("words", ["", "table ports", "table countries column freight", "names left Europe tons"])
def test_no_more_is_taken_over_than_can_be_read(lines: list[Line], words: str) -> None:
    found = about("it is too wide", _pointing(lines, words), lines, ABOUT).stretches()
    assert 1 <= len(found) <= 2
    assert len(content_in(" ".join(one.text for one in found))) <= 6


def test_what_the_message_says_itself_is_not_said_again(lines: list[Line]) -> None:
    text = "sort the table of river ports by freight"
    assert not content_in(text) & set(about_evidence(text, _pointing(lines, "table river ports"), lines))
    for one in about(text, _pointing(lines, "table river ports"), lines, ABOUT).stretches():
        assert content_in(one.text) - content_in(text)


def test_the_scores_tell_how_much_of_what_may_be_meant_is_said(lines: list[Line]) -> None:
    found = about("it is too wide", _pointing(lines, "table ports countries"), lines, ABOUT).stretches()
    assert [one.score for one in found] == sorted(one.score for one in found)
    assert 0 < found[0].score <= found[-1].score <= 1


def test_nothing_is_meant_where_nothing_was_said() -> None:
    assert about("it is too wide", _pointing([], ""), [], ABOUT).stretches() == []


@pytest.mark.parametrize("words", ["", "table ports", "table countries column freight", "names left Europe tons"])
def test_words_are_told_in_the_phrases_in_which_they_were_said(lines: list[Line], words: str) -> None:
    told = about("it is too wide", _pointing(lines, words), lines, ABOUT).in_words("", 0.05)
    assert 1 <= len(content_in(told)) <= 8
    for phrase in told.split(", "):
        assert any(phrase in line.text for line in lines)


def test_the_likeliest_words_are_told_and_none_twice(lines: list[Line]) -> None:
    meant = about("it is too wide", _pointing(lines, "countries column", 0.9), lines, ABOUT)
    told = meant.in_words("", 0.05)
    assert {"countries", "column"} <= content_in(told)
    assert told.count("countries") == 1
    assert not {"countries", "column"} & content_in(meant.in_words("countries column", 0.05))


def test_no_more_is_told_than_can_be_read() -> None:
    """ "last" and "first" are words too, and what stands beside them counts."""
    said = [
        _line("sum the first and last 90 days of freight per harbour master and river port"),
        Line("ok", mine=False),
    ]
    words = "sum days freight harbour master river port"
    meant = about("show it", _pointing(said, words, 0.2), said, ABOUT)
    holds = {"the", "and", "of", "per"}
    for beside in ("", "the harbour master"):
        told = f"{beside} {meant.in_words(beside, 0.05)}".replace(",", "").split()
        assert 1 <= len({*told} - holds) <= 6
    assert "river port" not in meant.in_words("six words that stand there already", 0.05)


def test_what_nobody_surely_means_is_not_told(lines: list[Line]) -> None:
    meant = about("it is too wide", _pointing(lines, "countries"), lines, ABOUT)
    assert meant.in_words("", 0.999) == ""
    assert about("it is too wide", _pointing([], ""), [], ABOUT).in_words("", 0.05) == ""


def test_marks_within_a_word_hold_it_together_and_a_comma_does_not() -> None:
    told = [_line("explain how str.split and the multi-tiered approval work, delimiters included, as a table please")]
    words = about("shorter", _pointing(told, "str split tiered approval delimiters", 0.9), told, ABOUT)
    phrases = words.in_words("", 0.05).split(", ")
    assert any("str.split" in phrase for phrase in phrases)
    assert not any("work" in phrase and "delimiters" in phrase for phrase in phrases)


def test_each_stretch_stands_in_its_line_word_for_word(lines: list[Line]) -> None:
    for one in about("it is too wide", _pointing(lines, "table countries"), lines, ABOUT).stretches():
        assert lines[one.line].text[slice(*one.span)] == one.text


def test_the_message_keeps_its_words_and_is_written_out_in_one_place(lines: list[Line]) -> None:
    text = "can you also give me that as csv, and tell me where it is from?"
    words = _pointing(lines, "table ports", 0.8, gap=(text.index("that"), text.index("that") + 4))
    found = filled(text, words, lines, FILLING, ABOUT)
    assert len(found) == 1
    meant = written_out(text, found)
    assert {"table", "ports"} <= content_in(meant)
    assert content_in(text) <= content_in(meant)


def test_a_name_that_was_just_defined_is_likelier_than_another_word() -> None:
    told = [
        _line("write a function that merges overlapping intervals of a list, sorted by where they begin, please"),
        Line("def merge_intervals(spans):\n    merged = []\n    for span in sorted(spans):\n        pass", mine=False),
    ]
    found = about_evidence("it fails for []", _pointing(told, "merge_intervals merged"), told)
    assert found["merge_intervals"]["made"] == 1.0
    assert found["merged"]["made"] == 0.0


@pytest.mark.parametrize("span", [(0, 400), (95, 97), (96, 96), (3, 5)])
def test_a_reader_that_points_beside_the_words_does_no_harm(lines: list[Line], span: tuple[int, int]) -> None:
    judged = Judgement(0.1, 0.9, _INTENTS, (Gap((0, 2), 0.9, "", (Pointed(0, span, 0.8),)),), ())
    for one in about("it is too wide", judged, lines, ABOUT).stretches():
        assert lines[one.line].text[slice(*one.span)] == one.text


@pytest.mark.parametrize(
    "text",
    ["# sort the rows\nrows = sorted(rows)\nprint(rows)", "x = 1\nprint(x)\n", "// now the other way\nlet y = 2;"],
)
def test_what_was_pasted_stays_as_it_is_and_brackets_stand_below_it(lines: list[Line], text: str) -> None:
    place = len(text.rstrip())
    meant = written_out(
        text, filled(text, _pointing(lines, "table ports", 0.8, gap=(place, place)), lines, FILLING, ABOUT)
    )
    assert meant.startswith(f"{text.rstrip()}\n(")
    assert {"table", "ports"} <= content_in(meant)


def test_below_a_sentence_that_comes_with_code_brackets_stand_behind_the_sentence(lines: list[Line]) -> None:
    text = "make it shorter please\nx = 1\nprint(x)"
    meant = written_out(text, filled(text, _pointing(lines, "table ports", 0.2, gap=(4, 4)), lines, FILLING, ABOUT))
    assert meant.endswith("\nx = 1\nprint(x)")
    assert meant.startswith("make it shorter please (")


_CODE = "```python\ndef is_prime(n):\n    return all(n % i for i in range(2, n))\n```"


def test_what_is_defined_in_code_is_told_as_someone_speaks_of_it() -> None:
    lines = [_line("write something that tells whether a number is prime"), Line(_CODE, mine=False)]
    told = about("too slow", _pointing(lines, "is_prime python def all", 0.9), lines, ABOUT).in_words("", 0.05)
    assert "the is_prime function" in told
    assert not {"python", "def", "n"} & set(re.findall(r"\w+", told))


def test_a_function_is_not_called_one_twice() -> None:
    lines = [_line("write something that tells whether a number is prime"), Line(_CODE, mine=False)]
    told = about("the function is too slow", _pointing(lines, "is_prime", 0.9), lines, ABOUT).in_words("", 0.05)
    assert "is_prime" in told
    assert "the is_prime function" not in told


def test_no_bare_verb_is_told_beside_a_thing(lines: list[Line]) -> None:
    found = about("it is too wide", _pointing(lines, "create table", 0.9), lines, ABOUT)
    assert found.told("the table", 0.05).split("(")[-1].strip(")") != "create"


def test_words_beside_a_thing_that_is_something_stand_before_the_verb(lines: list[Line]) -> None:
    told = about("it's too wide", _pointing(lines, "table ports", 0.9), lines, ABOUT).told("the table is", 0.05)
    assert told.startswith("the table (")
    assert told.endswith(") is")


_PRIME = """Sure, here it is:

def is_prime(number):
    return number > 1 and all(number % d for d in range(2, number))
"""


def _after_code(text: str, mention: str, *, surely: float, to_purpose: float = 0.05) -> str:
    """What becomes of a message after a function was asked for and written, where a reader points so surely to its name
    and to its purpose."""
    asked = _line("write a function in python that returns true if the given number is a prime number, for a school")
    said = [asked, Line(_PRIME, mine=False)]
    at = text.find(mention)
    purpose = _pointing(said, "function returns true given number prime", to_purpose).gaps[0].words
    name = _pointing(said, "is_prime", surely).gaps[0].words
    judged = Judgement(0.1, 0.9, _INTENTS, (Gap((at, at + len(mention)), 0.95, "", (*purpose, *name)),), ())
    return written_out(text, filled(text, judged, said, FILLING, ABOUT))


@pytest.mark.parametrize(
    ("text", "mention", "told"),
    [
        ("it returns false for 7", "it", "the is_prime function returns false for 7"),
        ("It does not work for 1", "It", "The is_prime function does not work for 1"),
        ("why is this so slow?", "this", "why is the is_prime function so slow?"),
        ("rename the function", "the function", "rename the is_prime function"),
        ("it's too slow for large numbers", "it's", "the is_prime function is too slow for large numbers"),
        ("thats wrong for 2", "thats", "the is_prime function is wrong for 2"),
        ("its runtime is bad", "its", "the is_prime function's runtime is bad"),
        ("why does that return None?", "that", "why does the is_prime function return None?"),
        ("now change it such that 2 counts", "it", "now change the is_prime function such that 2 counts"),
    ],
)
def test_a_function_is_told_by_its_name_and_not_by_half_a_sentence(text: str, mention: str, told: str) -> None:
    assert _after_code(text, mention, surely=0.95) == told


def test_a_name_that_is_hardly_meant_is_not_told_in_the_place_of_a_word() -> None:
    assert not _after_code("it returns false for 7", "it", surely=0.0).startswith("the is_prime function returns")


def test_beside_a_name_stands_what_is_surely_meant_as_well() -> None:
    told = _after_code("it returns false for 7", "it", surely=0.95, to_purpose=0.95)
    assert told.startswith("the is_prime function (")
    assert {"prime", "number"} <= content_in(told)


def test_a_this_that_points_with_a_thing_keeps_it() -> None:
    told = _after_code("why is this loop needed?", "this", surely=0.95)
    assert told.startswith("why is this loop needed (the is_prime function")


def test_no_brackets_stand_between_a_function_and_what_it_has() -> None:
    told = _after_code("its runtime is bad", "its", surely=0.95, to_purpose=0.95)
    assert told == "the is_prime function's runtime is bad"


def test_a_name_stands_in_the_middle_of_a_sentence_as_it_is_written() -> None:
    asked = _line(
        "write JavaScript function that turns the words of a sentence round and keeps the full stop behind it"
    )
    said = [asked, Line("function turnWords(text) {\n  return text\n}", mine=False)]
    judged = _pointing(said, "JavaScript function turnWords", 0.95, (13, 15))
    told = written_out("but why does it fail?", filled("but why does it fail?", judged, said, FILLING, ABOUT))
    assert told.startswith("but why does the turnWords function")


def test_what_has_a_function_is_not_told_by_the_name_of_that() -> None:
    asked = _line("Make a small Flask app that keeps the uploads of a choir and lists them on the page it starts with")
    said = [asked, Line("@app.route('/')\ndef upload():\n    return page", mine=False)]
    words = [*_pointing(said, "Flask app", 0.95).gaps[0].words, *_pointing(said, "upload", 0.8).gaps[0].words]
    text = "can you move it to Postgres?"
    judged = Judgement(0.1, 0.9, _INTENTS, (Gap((13, 15), 0.95, "", tuple(words)),), ())
    assert written_out(text, filled(text, judged, said, FILLING, ABOUT)).startswith("can you move the small Flask app")


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("def is_prime(n):\n    ...\nclass Sieve:\n    ...", ["is_prime", "Sieve"]),
        ("function turn (text) {}\nclass Board extends Game {}\nfn walk<T>() {}", ["turn", "Board", "walk"]),
        ("class Stack<T> {", ["Stack"]),
        ("Here is the function signature: int find(int* rows)", []),
        ("Create a class called (Stack), and the class methods: push and pop", []),
        ("a class hierarchy (UML) and a function that returns {}", []),
    ],
)
def test_only_what_code_defines_has_a_name(said: str, names: list[str]) -> None:
    lines = [_line("I work on it"), Line(said, mine=False)]
    named = [about("it", _pointing(lines, name, 0.99), lines, ABOUT).named() for name in said.replace("<", " ").split()]
    assert {one.text.split()[1] for one in named if one} <= set(names)
    for name in names:
        found = about("it", _pointing(lines, name, 0.99), lines, ABOUT).named()
        assert found is not None
        assert found.text.split()[1] == name


def test_what_cannot_be_told_leaves_its_room_to_the_next_likely_words() -> None:
    asked = _line("pick 14 songs from the list of 30 and sort them by the tempo that the drummer counted")
    said = [asked, _line("then write 14 30 into the margin of the printed sheet for the church choir on sunday")]
    judged = _pointing(said, "14 30 songs tempo drummer sheet church choir", 0.9)
    told = about("too slow", judged, said, ABOUT).in_words("", 0.0)
    assert len(re.findall(r"\w+", told)) >= 6


def test_a_thing_that_is_named_like_an_order_is_told_as_it_stands() -> None:
    said = [
        _line("it must also list the bottles in the cellar"),
        _line("every order is printed for the greenhouse crew"),
    ]
    judged = _pointing(said, "order printed greenhouse bottles cellar", 0.9)
    told = about("too loud", judged, said, ABOUT).in_words("", 0.0)
    assert "order" in told
    assert "to order" not in told


def test_more_than_six_words_are_told_only_where_more_are_surely_meant() -> None:
    words = "greenhouse pumps cellar bottles drummer tempo sheet church choir sunday harvest orchard"
    said = [_line(f"write about the {' and the '.join(words.split())}")]

    def told(strength: float) -> int:
        aloud = about("too loud", _pointing(said, words, strength), said, ABOUT).in_words("", 0.0)
        return len(content_in(aloud))

    assert told(0.02) <= 6 < told(0.99) <= 10


def test_words_that_are_repeated_tell_no_more() -> None:
    said = [
        _line("the revenue is in a frame and I want the monthly revenue and the yearly revenue for each of the shops")
    ]
    judged = _pointing(said, "revenue monthly shops", 0.9)
    told = about("too coarse", judged, said, ABOUT).in_words("", 0.3)
    assert told.count("revenue") == 1


def test_an_order_that_is_told_behind_other_words_reads_as_a_purpose() -> None:
    said = [_line("it must also count the bottles in the cellar"), _line("write a script for the greenhouse pumps")]
    judged = _pointing(said, "greenhouse pumps count bottles", 0.9)
    told = about("too loud", judged, said, ABOUT).in_words("", 0.0)
    assert ", to count the bottles" in told
