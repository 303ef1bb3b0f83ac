"""What stands for "it" reads as a thing, however it was said before."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import anaphora
from anaphora.ports import Gap, Judgement, Line, Pointed
from anaphora.types import EntityKind, Span
from anaphora.understanding.entities import find_entities, with_read
from anaphora.understanding.learned import ABOUT, FILLING
from anaphora.understanding.phrases import definite_at, gerund, is_order, is_phrase, noun_phrase, within_sentence
from anaphora.understanding.rewriting import filled, written_out
from anaphora.understanding.standing_for import names_its_own
from anaphora.understanding.wording import Stretch, aside, sentence_end, spliced, worded


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
        ("paint both", "paint both", "paint both"),
        ("can I take all three?", "all three", "can I take all three?"),
        ("book the same", "book the same", "book the night ferry"),
        ("take the latter to Split", "take the latter", "take the night ferry to Split"),
        ("what does the ticket cost?", "the", "what does the night ferry ticket cost?"),
    ],
)
def test_only_what_points_is_replaced(text: str, gap: str, meant: str) -> None:
    said = "I took the night ferry from Ancona to Split, and it was late and full of people who slept on the floor"
    start, at = said.index("night"), text.index(gap)
    words = tuple(Pointed(0, (a, a + len(word)), 0.9) for word, a in (("night", start), ("ferry", start + 6)))
    judged = Judgement(0.1, 0.95, {"ASK": 1.0, "CORRECT": 0.0, "TEST": 0.0, "EXECUTE": 0.0}, (), ())
    judged = replace(judged, gaps=(Gap((at, at + len(gap)), 0.95, "", words),))
    assert written_out(text, filled(text, judged, [Line(said, mine=True)], FILLING, ABOUT)) == meant


@pytest.mark.parametrize(
    ("text", "at", "link", "meant"),
    [
        ("use a toggle for it", 0, "", "use a toggle for the dark mode"),
        ("use a toggle for it", 12, "for", "use a toggle for the dark mode"),
        ("use a toggle, not a button", 12, "for", "use a toggle for the dark mode, not a button"),
        ("add a test for the login", 24, "for", "add a test for the login (the dark mode)"),
        ("add a border", 12, "to", "add a border to the dark mode"),
    ],
)
def test_what_a_command_leaves_out_is_not_put_beside_what_stands_for_it(
    text: str, at: int, link: str, meant: str
) -> None:
    line = "Let's build the dark mode"
    words = tuple(Pointed(0, (a, a + 4), 0.95) for a in (line.index("dark"), line.index("mode")))
    gaps = _judged(Gap((at, at), 0.95, link, words))
    assert written_out(text, filled(text, gaps, [Line(line, mine=True)], FILLING, ABOUT)) == meant


@pytest.mark.parametrize(
    ("line", "word", "link", "meant"),
    [
        ("could you remove comments", "remove", "", "the canteen is closed"),
        ("it takes an hour", "hour", "", "the canteen is closed"),
        ("plan a day in the hills", "day", "of", "the canteen is closed"),
        ("write a test", "test", "", "the canteen is closed (the test)"),
        ("we eat in Zakopane", "Zakopane", "", "the canteen is closed (Zakopane)"),
    ],
)
def test_a_bare_verb_or_a_measure_of_time_says_nothing_of_what_is_meant(
    line: str, word: str, link: str, meant: str
) -> None:
    text, at = "the canteen is closed", line.index(word)
    gaps = _judged(Gap((len(text), len(text)), 0.95, link, (Pointed(0, (at, at + len(word)), 0.95),)))
    assert written_out(text, filled(text, gaps, [Line(line, mine=False)], FILLING, ABOUT)) == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("add a test for it", "add a test for the settings page"),
        ("add a header to it", "add a header to the settings page"),
        ("write a parser and add a test for it", "write a parser and add a test for it"),
    ],
)
def test_what_something_is_put_to_is_not_that_thing_itself(said: str, meant: str) -> None:
    with anaphora.open(":memory:") as memory:
        memory.hear("I want to build a settings page")
        assert memory.hear(said).expanded == meant


@pytest.mark.parametrize("word", ["anything", "everyone", "nothing"])
def test_words_that_mean_nothing_in_particular_stay_and_what_is_spoken_of_stands_behind(word: str) -> None:
    text, line = f"is there {word} on board?", "I took the night ferry from Ancona to Split"
    words = tuple(Pointed(0, (a, a + len(said)), 0.9) for said in ("night", "ferry") for a in [line.index(said)])
    at = text.index(word)
    gaps = _judged(Gap((at, at + len(word)), 0.95, "", words))
    meant = written_out(text, filled(text, gaps, [Line(line, mine=True)], FILLING, ABOUT))
    assert meant == f"is there {word} on board (the night ferry)?"


@pytest.mark.parametrize(
    ("words", "within"),
    [
        ("The order form", "the order form"),
        ("Our old invoices", "our old invoices"),
        ("The Daily Drip", "The Daily Drip"),
        ("Postgres tables", "Postgres tables"),
        ("I", "I"),
        ("The", "The"),
    ],
)
def test_within_a_sentence_no_word_but_a_name_has_a_capital(words: str, within: str) -> None:
    assert within_sentence(words) == within


@pytest.mark.parametrize(
    ("verb", "doing"),
    [("set the clock", "setting the clock"), ("use a queue", "using a queue"), ("free it", "freeing it")],
)
def test_a_verb_is_told_as_doing_it(verb: str, doing: str) -> None:
    assert gerund(verb) == doing


@pytest.mark.parametrize(
    ("words", "thing"),
    [
        ("the mathematica code for ten stocks", True),
        ("function that returns the sum", True),
        ("is_multiply_prime", True),
        ("list of prime numbers", True),
        ("", False),
        ("use this", False),
        ("split the string", False),
        ("validates email addresses", False),
        ("the code. It", False),
        ("the code\nimport os", False),
        ("it's much better now", False),
        ("how to sort a list", False),
        ("the sum of the", False),
        ("the backup script fails", False),
        ("sum(numbers", False),
    ],
)
def test_only_a_thing_stands_in_the_place_of_a_word(words: str, thing: bool) -> None:
    assert is_phrase(words) is thing


@pytest.mark.parametrize(
    ("words", "bracketed"),
    [
        ("a function\n  that adds which has a sum of", "the function that adds which has a sum"),
        ("def total(numbers", "def total numbers"),
        ('is_bored("Is it?") returns 1, is_bored("The', "is_bored(Is it?) returns 1, is_bored"),
        ("`str` methods and", "`str` methods"),
        ("Here is a pandas dataframe:", "the pandas dataframe"),
        ("It was late. Nobody came", "it was late; Nobody came"),
        ("only for Norway (the ten largest ports)", "only for Norway; the ten largest ports"),
        ("the function total(numbers)", "the function total(numbers)"),
        ("date like '3rd of March 2021", "date like 3rd of March 2021"),
        ("dates like '3rd of March' in nobody's calendar", "dates like '3rd of March' in nobody's calendar"),
    ],
)
def test_what_stands_in_brackets_is_whole(words: str, bracketed: str) -> None:
    assert aside(words) == bracketed


@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("why is it? I wonder.", "why is it"),
        ('it says "no. never" to me. Why?', 'it says "no. never" to me'),
        ("split it by . or ?", "split it by . or ?"),
        ("it fails\nTraceback", "it fails"),
    ],
)
def test_a_sentence_ends_outside_of_quotes(text: str, until: str) -> None:
    assert text[: sentence_end(text, text.index("it"))] == until


def test_half_a_sentence_stands_in_brackets_behind_the_one_that_needs_it(said_before: tuple[Line, ...]) -> None:
    line = said_before[0].text
    words = tuple(Pointed(0, (at, at + len(word)), 0.9) for word in line.split() for at in [line.index(word)])
    text = "it's wrong. Why?"
    judged = _judged(Gap((0, 4), 0.95, "", words))
    assert written_out(text, filled(text, judged, said_before, FILLING, ABOUT)) == (
        "it's wrong (prices are taken from Monday). Why?"
    )


@pytest.mark.parametrize(
    "line",
    ["Sales peak in summer and are low in March", "Trains were late and nobody was told", "Rents will double soon"],
)
def test_however_short_the_talk_a_sentence_does_not_stand_in_the_place_of_a_word(line: str) -> None:
    words = tuple(Pointed(0, (at, at + len(word)), 0.9) for word in line.split() for at in [line.index(word)])
    text = "tell me that again"
    found = filled(text, _judged(Gap((8, 12), 0.95, "", words)), [Line(line, mine=False)], FILLING, ABOUT)
    assert written_out(text, found).startswith(f"tell me that again ({line.split()[0]}")


def test_a_thing_that_is_something_is_still_that(said_before: tuple[Line, ...]) -> None:
    line = said_before[1].text
    at = line.index("exchange")
    words = (Pointed(1, (at, at + 8), 0.9), Pointed(1, (at + 9, at + 14), 0.9))
    text = "it's wrong"
    meant = written_out(text, filled(text, _judged(Gap((0, 4), 0.95, "", words)), said_before, FILLING, ABOUT))
    assert meant.startswith("the exchange rates is wrong")


@pytest.fixture
def said_before() -> tuple[Line, ...]:
    told = "and then in the evening when the shop is closed somebody looks at all of it once more, as we agreed, twice"
    return (
        Line("prices are taken from Monday", mine=False),
        Line(f"I read the exchange rates {told}", mine=False),
        Line(f"{told}. {told}. {told}".capitalize(), mine=False),
    )


def _judged(gap: Gap) -> Judgement:
    intents = dict.fromkeys(("PLAN", "EXECUTE", "CORRECT", "TEST", "ASK", "RESUME", "CLOSE"), 0.1)
    return Judgement(new=0.1, needs=0.95, intents=intents, gaps=(gap,), entities=())


@pytest.mark.parametrize(
    ("likely", "score", "long", "meant"),
    [
        (0.95, 0.9, True, "how many rows of the taxi trips have a negative fare?"),
        (0.7, 0.9, True, "how many rows have a negative fare (the taxi trips)?"),
        (0.95, 0.5, True, "how many rows have a negative fare (the taxi trips)?"),
        (0.7, 0.9, False, "how many rows of the taxi trips have a negative fare?"),
    ],
)
def test_a_sentence_is_changed_within_only_where_something_is_surely_left_out(
    likely: float, score: float, long: bool, meant: str
) -> None:
    text = "how many rows have a negative fare?"
    lines = [Line("the taxi trips are in a CSV of two million lines", mine=True)]
    stretch = Stretch(0, (0, 14), "the taxi trips", score)
    gap, wording = worded(text, Gap((13, 13), likely, "of", ()), stretch, None, lines, long=long)
    assert spliced(text, *gap.span, wording) == meant


@pytest.mark.parametrize(
    ("text", "mention", "earlier", "pointed", "meant"),
    [
        ("not now", "not", "We should have refresh tokens", "refresh tokens", "not now (refresh tokens)"),
        (
            "I see nothing there",
            "nothing there",
            "Look into the error log",
            "error log",
            "I see nothing there (the error log)",
        ),
        ("actually, blue", ",", "We painted the fence", "fence", "actually, blue (the fence)"),
        ("and then push", "then", "We painted the fence", "fence", "and then push (the fence)"),
        ("MySQL then", "MySQL", "Postgres or MySQL for the blog?", "Postgres or MySQL", "MySQL then"),
    ],
)
def test_what_denies_or_chooses_is_never_written_over(
    text: str, mention: str, earlier: str, pointed: str, meant: str
) -> None:
    lines = [Line(earlier, mine=True)]
    start, first = text.index(mention), earlier.index(pointed)
    words = tuple(
        Pointed(0, (first + m.start(), first + m.end()), 0.9) for m in re.finditer(r"[\w.]+", pointed) if len(m[0]) > 2
    )
    gap = Gap((start, start + len(mention)), 0.95, "", words)
    assert written_out(text, filled(text, _judged(gap), lines, FILLING, ABOUT)) == meant


@pytest.mark.parametrize(
    ("text", "mention", "earlier", "pointed", "sure", "meant"),
    [
        ("how do I oil it?", "it", "I bought a pan at a fair", "bought a pan at a fair", 0.9, "how do I oil the pan?"),
        ("back it up", "it", "Set up a database", "Set up a database", 0.9, "back the database up"),
        ("when does she start?", "she", "Odette rang at noon", "Odette rang", 0.9, "when does Odette start?"),
        ("close the task", "", "make a new task for refactoring", "refactoring", 0.9, "close the task for refactoring"),
        ("walk it", "it", "We have a dog", "dog", 0.3, "walk the dog"),
        ("Open b.css", "", "Open a.css", "Open a.css", 0.9, "Open b.css"),
        ("do that", "do that", "You could lazy-load images", "lazy-load images", 0.9, "lazy-load images"),
    ],
)
def test_of_what_is_pointed_to_the_part_is_taken_that_the_words_can_stand_for(
    text: str, mention: str, earlier: str, pointed: str, sure: float, meant: str
) -> None:
    start, first = text.index(mention) if mention else len(text), earlier.index(pointed)
    words = tuple(
        Pointed(0, (first + m.start(), first + m.end()), sure) for m in re.finditer(r"\w+", pointed) if len(m[0]) > 2
    )
    gap = Gap((start, start + len(mention)), 0.95, "", words)
    assert written_out(text, filled(text, _judged(gap), [Line(earlier, mine=True)], FILLING, ABOUT)) == meant


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("add a login form and test it", True),
        ("write a parser that reads dates, then document it", True),
        ("can you rename the file and open it", True),
        ("make it blue and move it left", False),
        ("the tests pass and I like it", False),
        ("test it", False),
    ],
)
def test_what_a_message_names_itself_is_not_looked_for_before_it(text: str, own: bool) -> None:
    at = text.index(" it") + 1
    assert names_its_own(text, _judged(Gap((at, at + 2), 0.95, "", ()))) is own


def test_what_a_reader_names_is_no_broken_word() -> None:
    text = "Give it a remember-me checkbox"
    found = with_read(text, (), [((text.index("-me"), len(text)), "concept", 0.9)])
    assert [entity.text for entity in found] == ["remember-me checkbox"]


def test_what_a_reader_names_has_a_meaning_of_its_own() -> None:
    text = "open the auth.py with [redacted: password] for Redis"
    read: list[tuple[Span, EntityKind, float]] = [
        ((5, 8), "file", 0.9),
        ((text.index("redacted"), text.index("]")), "concept", 0.9),
        ((text.index("Redis"), len(text)), "technology", 0.9),
    ]
    assert [e.text for e in with_read(text, (), read)] == ["Redis"]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("use the button from last week", ["button"]),
        ("make the header purple like in conversation #2", ["header", "purple"]),
        ("show the invoices of last month", ["invoices"]),
        ("use the menu from chat 3 and the footer from session #4", ["menu", "footer"]),
        ("what did we do last Monday?", []),
        ("add a last week filter", ["week filter"]),
        ("the week view jumps", ["week view jumps"]),
        ("implement session 215", ["session 215"]),
    ],
)
def test_where_and_when_something_was_said_is_not_what_was_said(text: str, named: list[str]) -> None:
    assert [entity.text for entity in find_entities(text)] == named
    read: list[tuple[Span, EntityKind, float]] = [
        (match.span(), "concept", 0.9) for match in re.finditer(r"week(?! )|month|Monday|conversation #2|#4", text)
    ]
    assert not with_read(text, (), read)


@pytest.mark.parametrize(
    ("words", "order"),
    [("set up a database", True), ("rename the file", True), ("the file", False), ("results page", False)],
)
def test_what_tells_someone_to_do_something_is_no_thing(words: str, order: bool) -> None:
    assert is_order(words) is order
    assert is_phrase(words) is not order


def test_nothing_is_put_into_what_somebody_else_is_quoted_with() -> None:
    with anaphora.open(":memory:") as memory:
        memory.hear("I have to write a function that counts the vowels of a long text for my course at the university")
        memory.say("Shall I write it?")
        quoted = "My teacher says:\n> it must not use a loop\nIs it hard to do?"
        assert memory.hear(quoted).expanded.startswith("My teacher says:\n> it must not use a loop\n")
