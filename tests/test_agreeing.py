"""What a word that points can agree with, and how that reads in its place."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from anaphora import Memory
from anaphora.ports import Gap, Line
from anaphora.understanding.agreeing import agrees_surely, all_agreeing, every_one, named_instead
from anaphora.understanding.phrases import otherwise
from anaphora.understanding.tongues import is_foreign
from anaphora.understanding.whole import untorn
from anaphora.understanding.wording import Stretch
from tests.talk import later

WITH_READER = True


def _last(memory: Memory, said: Sequence[str]) -> str:
    """What the last message means; every second one is a reply, and no more than a minute passes."""
    for minute, text in enumerate(said[:-1]):
        if minute % 2:
            memory.say(text, at=later(minute))
        else:
            memory.hear(text, at=later(minute))
    return memory.hear(said[-1], at=later(len(said))).expanded


@pytest.mark.parametrize(
    ("mention", "stretch", "meant"),
    [
        ("he", "my aunt Rosa", None),
        ("she", "my aunt Rosa", "my aunt Rosa"),
        ("he", "Anna and her husband Ben", "Ben"),
        ("she", "colleague Anna and her husband Ben", "colleague Anna"),
        ("he", "aunt Rosa has a new boyfriend, Carlos", "Carlos"),
        ("he", "daughter Mia has a new teacher, Mr. Brown", "Mr. Brown"),
        ("her", "my grandmother's birthday", "my grandmother"),
        ("she", "Odette rang", "Odette"),
        ("she", "Kofi", "Kofi"),  # whoever that is
        ("it", "the slider and the button", None),  # neither of them is pointed to more
        ("it", "Sense and Sensibility", "Sense and Sensibility"),
        ("it", "the header and footer component", "the header and footer component"),
        ("them", "the slider and the button", "the slider and the button"),
    ],
)
def test_of_what_is_pointed_to_the_part_that_agrees(mention: str, stretch: str, meant: str | None) -> None:
    found = list(all_agreeing(mention, [Stretch(0, (0, len(stretch)), stretch, 0.9)], {}))
    assert [one.text for one in found] == ([] if meant is None else [meant])


def test_of_two_things_it_is_the_one_that_is_pointed_to_more() -> None:
    said = "the slider and the button"
    pointed = {0: {(4, 10): 0.2, (19, 25): 0.7}}
    (found,) = all_agreeing("it", [Stretch(0, (0, len(said)), said, 0.9)], pointed)
    assert (found.text, found.span) == ("the button", (15, 25))


def test_water_is_never_them() -> None:
    stretches = [Stretch(0, (0, 5), "water", 0.8), Stretch(0, (9, 22), "yellow leaves", 0.1)]
    assert [one.text for one in all_agreeing("them", stretches, {})] == ["yellow leaves", "water"]
    assert [one.text for one in all_agreeing("them", stretches[:1], {})] == ["water"]
    neighbour = [Stretch(0, (0, 9), "my boss Jo", 0.8), stretches[1]]
    assert next(iter(all_agreeing("they", neighbour, {}))).text == "my boss Jo"  # who may be a woman or a man


@pytest.mark.parametrize(
    ("asked", "asks", "meant"),
    [
        ("Should I buy an electric car or a hybrid?", "which one is better?", "an electric car or a hybrid"),
        ("Should I buy an electric car or a hybrid?", "which is better?", "an electric car or a hybrid"),
        ("Should I buy an electric car or a hybrid?", "is one better?", "electric car"),
        ("I want an electric car", "which one is better?", "electric car"),
    ],
)
def test_which_asks_of_all_that_the_choice_is_between(asked: str, asks: str, meant: str) -> None:
    at = asks.index("one") + 3 if "one" in asks else asks.index("which") + 5
    start = asked.index("electric car")
    pointed = Stretch(0, (start, start + 12), "electric car", 0.8)
    assert every_one(asks, Gap((at, at), 0.9, "", ()), pointed, [Line(asked, mine=True)]).text == meant


def test_where_the_likeliest_cannot_be_meant_the_others_are_likelier() -> None:
    stretches = [Stretch(0, (0, 6), "aunt Rosa", 0.8), Stretch(0, (9, 15), "Carlos", 0.1)]
    (found,) = all_agreeing("he", stretches, {})
    assert (found.text, found.score) == ("Carlos", 1.0)


@pytest.mark.parametrize(
    ("asked", "reply", "named"),
    [
        ("Who is the wife of Barack Obama?", "His wife is Michelle Obama.", "Michelle Obama"),
        ("Who was Ada Lovelace's husband?", "She was married to William King.", None),  # she is somebody else
        ("Who is Angela Merkel?", "She is a German politician.", None),
        ("What does Nadia do?", "Nadia Bell teaches.", None),
    ],
)
def test_whom_a_question_asked_for_the_reply_names(asked: str, reply: str, named: str | None) -> None:
    first = Stretch(0, (0, len(asked)), asked, 0.9)
    found = named_instead("she", first, [Line(asked, mine=True), Line(reply, mine=False)])
    assert found is not None
    assert (None if found is first else found.text) == named


def test_who_is_told_by_a_word_of_their_own_is_surely_meant() -> None:
    assert agrees_surely("she", "my aunt")
    assert agrees_surely("he", "Martin")
    assert not agrees_surely("she", "Martin")
    assert not agrees_surely("she", "Marit")
    assert not agrees_surely("it", "my aunt")
    assert agrees_surely("he", "Bill")
    assert not agrees_surely("he", "the bill")


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (
            ["My colleague Anna and her husband Ben invited me to dinner", "How nice!", "does she like wine?"],
            "does my colleague Anna like wine?",
        ),
        (["My aunt Rosa has a new boyfriend, Carlos", "Nice.", "he is from Mexico"], "Carlos is from Mexico"),
        (
            ["Who was Ada Lovelace married to?", "She was married to William King.", "how old was he?"],
            "how old was William King?",
        ),
        (["When was Leonardo da Vinci born?", "In 1452.", "when did he die?"], "when did Leonardo da Vinci die?"),
        (["I need a new phone", "The Pixel 8 costs 549 euros.", "is it waterproof?"], "is the Pixel 8 waterproof?"),
        (["add a blue button", "I added a blue button.", "i want a bigger one"], "i want a bigger button"),
        (["i want a dark theme", "Added.", "add a light one too"], "add a light theme too"),
        (["fix the mobile layout", "Fixed.", "the desktop one is broken now"], "the desktop layout is broken now"),
        (
            ["deploy the api to staging", "The pods are running on staging.", "now they're pending"],
            "now the pods are pending",
        ),
        (
            ["write a login form", "I wrote `LoginForm.tsx`.", "it'll need a captcha"],
            "the login form will need a captcha",
        ),
        (["where is the nginx log?", "In `/var/log/nginx/error.log`.", "tail it"], "tail /var/log/nginx/error.log"),
        (
            [
                "speed up the tests",
                "I disabled the coverage report and added `pytest-xdist`.",
                "why did you disable that",
            ],
            "why did you disable the coverage report",
        ),
        (
            [
                "make the worker retry",
                "`fetch` now retries three times with exponential backoff.",
                "how would i call this from a sync script",
            ],
            "how would i call `fetch` from a sync script",
        ),
        (["move the button to the footer", "Moved.", "make it red"], "make the button red"),
        (["convert the script to typescript", "Converted.", "run it"], "run the script"),
        (["make the header blue", "Done.", "and the footer?"], "make the footer blue"),
        (
            ["add tests for the parser", "I added 4 tests.", "delete the one that checks whitespace"],
            "delete the test that checks whitespace",
        ),
        (["What should I drink with fish?", "White wine or beer.", "I'll take the first one"], "I'll take White wine"),
        (
            [
                "how do i rate limit?",
                "Token bucket or sliding window? The former is simple.",
                "use the latter",
            ],
            "use sliding window",
        ),
        (
            [
                "how do i plot?",
                "Use `matplotlib` for papers, `plotly` for pages and `bokeh` for the browser.",
                "use the second one",
            ],
            "use `plotly`",
        ),
        (
            ["What's the population of Madrid?", "3.3 million.", "and in Barcelona?"],
            "What's the population in Barcelona?",
        ),
        (
            ["Give me a recipe for lasagne", "Sure: ...", "and for two people?"],
            "Give me a recipe for lasagne for two people",
        ),
        (
            ["I'm looking for a coffee machine", "There are many.", "I want a black one"],
            "I want a black coffee machine",
        ),
        (["delete the unit test", "Deleted.", "write a new one"], "write a new unit test"),
        (["buy red wine and iced tea", "Bought.", "put them in the fridge"], "put red wine and iced tea in the fridge"),
        (
            ["clean up", "I removed `a.py` and `b.py`.", "why did you remove them?"],
            "why did you remove `a.py` and `b.py`?",
        ),
        (
            ["fix the logs", "I turned off `debug` and set up logrotate.", "why did you turn it off?"],
            "why did you turn `debug` off?",
        ),
        (['rename the song "Road to Nowhere" to "Home"', "Done.", "play it"], 'play the song "Road to Nowhere"'),
        (["move the trip to Rome to June", "Moved.", "how long is it?"], "how long is the trip to Rome?"),
        (
            ["where can I buy phone cases?", "The iPhone 15 cases cost 20 euros at Jo's.", "are they waterproof?"],
            "are the iPhone 15 cases waterproof?",
        ),
        (
            ["how much rice do I need for four people?", "About 300 grams.", "and for two?"],
            "how much rice do I need for two?",
        ),
        (
            [
                "Should I take the train or the bus to Prague?",
                "The train takes 4 hours, the bus takes 6 hours.",
                "book the faster one",
            ],
            "book the faster one (the train or the bus)",
        ),
        (
            ["why does checkout fail?", "`charge_card` throws when the amount is zero.", "add a test for that case"],
            "add a test for that case (`charge_card` throws when the amount is zero)",
        ),
    ],
)
def test_what_stands_in_its_place_agrees_with_it(memory: Memory, said: list[str], meant: str) -> None:
    assert _last(memory, said) == meant


@pytest.mark.parametrize(
    "said",
    [
        ["add a retry to the http client", "I added a retry to `HttpClient` in `http.py`.", "git diff"],
        ["add a retry to the http client", "I added a retry to `HttpClient` in `http.py`.", "no"],
        ["Quelle est la capitale du Canada ?", "La capitale du Canada est Ottawa.", "Il fait froid là-bas ?"],
        ["Dame una receta de tortilla de patatas", "Necesitas seis huevos.", "¿Y para dos personas?"],
    ],
)
def test_what_leaves_nothing_out_in_english_is_left_as_it_is(memory: Memory, said: list[str]) -> None:
    assert _last(memory, said) == said[-1]


@pytest.mark.parametrize(
    ("how", "words", "thing"),
    [
        ("register", "the login button", "the button"),
        ("light", "a dark theme", "a theme"),
        ("integration", "a unit test for parse", "a test for parse"),
        ("bigger", "the login button", "the login button"),  # it is only no small one
        ("bigger", "the blue button", "the button"),
        ("other", "the login button", "the login button"),
        ("shorter", "poem about rain", "poem about rain"),
        ("new", "the button", "the button"),
    ],
)
def test_a_thing_without_how_it_was(how: str, words: str, thing: str) -> None:
    assert otherwise(how, words) == thing


@pytest.mark.parametrize(
    ("text", "pointed", "whole"),
    [
        ("In `/var/log/error.log`.", "var/log/error.log", "/var/log/error.log"),
        ("Pass `--no-cache`.", "no-cache", "--no-cache"),
        ("Use `CREATE INDEX i ON t (a);` now", "INDEX i ON t", "`CREATE INDEX i ON t (a);`"),
        ("Call `load(path, mode)` first", "mode", "mode"),
        ("The Pixel 8 costs 549 euros", "Pixel 8 costs", "Pixel 8"),
        ("The iPhone 13 weighs 140 g", "iPhone 13 weighs", "iPhone 13"),
        ("Leonardo da Vinci painted it", "Leonardo", "Leonardo da Vinci"),
        ('Correct this short sentence: "He go home"', 'this short sentence: "He', "this short sentence"),
    ],
)
def test_names_and_code_are_whole_and_nothing_is_said_of_them(text: str, pointed: str, whole: str) -> None:
    start = text.index(pointed)
    span = (start, start + len(pointed))
    found = untorn(text, span, {span: 0.9})
    assert text[slice(*found)] == whole


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        ("Il fait froid là-bas ?", True),
        ("Wann wurde er gebaut?", True),
        ("¿Y para dos personas?", True),
        ("它有多长", True),
        ("почему не работает?", True),
        ("make it shorter", False),
        ("return [sum(numbers), reduce(numbers, lambda x, y: x*y)]", False),
        ("translate 'el gato está aquí' to English please and make it formal", False),
        ("die Hard is on", False),
        ("no", False),
        ("", False),
    ],
)
def test_what_is_in_another_language_is_known(text: str, *, foreign: bool) -> None:
    assert is_foreign(text) is foreign
