"""What people say to an assistant that carries out requests: another time, a detail that it asked for, and things named
in its short replies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import anaphora
from anaphora import Memory
from anaphora.ports import Gap, Line
from anaphora.understanding.details import with_detail
from anaphora.understanding.gaps import merged
from anaphora.understanding.parallels import find_parallel
from anaphora.understanding.reports import reported
from anaphora.understanding.requests import request_in
from anaphora.understanding.standing_for import is_for_a_device, is_no_thing
from anaphora.understanding.times import at_another_time, is_time, times_in
from anaphora.understanding.wording import Stretch
from evals import data
from evals.tasks import TASKS
from tests.talk import later, talked

ROOT = Path(__file__).parent.parent


@pytest.fixture
def reading() -> Iterator[Memory]:
    with anaphora.open(":memory:", reader="bundled") as memory:
        yield memory


def _mine(text: str) -> Line:
    return Line(text, mine=True, request=request_in(text))


def _lines(asked: str, reply: str = "Done.") -> list[Line]:
    return [_mine(asked), Line(reply, mine=False)]


@pytest.mark.requirement("K5")
@pytest.mark.parametrize(
    ("asked", "said", "meant"),
    [
        ("what's the weather in Oslo tomorrow?", "and on Sunday?", "what's the weather in Oslo on Sunday?"),
        ("what's the weather in Oslo on Sunday?", "and this weekend?", "what's the weather in Oslo this weekend?"),
        ("what's the weather in Oslo tomorrow?", "and Monday?", "what's the weather in Oslo on Monday?"),
        ("what's the weather in Oslo on Sunday?", "tonight?", "what's the weather in Oslo tonight?"),
        (
            "what's the weather in Oslo on Sunday?",
            "and in Bergen on Tuesday?",
            "what's the weather in Bergen on Tuesday?",
        ),
        ("what's on my calendar for tomorrow?", "and Thursday?", "what's on my calendar for Thursday?"),
        ("set an alarm for 7 am tomorrow", "and for 8:30 am", "set an alarm for 8:30 am tomorrow"),
        ("set an alarm for 8:30 am tomorrow", "no, at half past six", "set an alarm at half past six tomorrow"),
        (
            "are there trains to Rome on Friday morning?",
            "and on Saturday?",
            "are there trains to Rome on Saturday morning?",
        ),
        (
            "are there trains to Rome on Friday morning?",
            "what about the evening?",
            "are there trains to Rome on Friday evening?",
        ),
        (
            "remind me to water the ferns on Friday",
            "in the morning",
            "remind me to water the ferns on Friday in the morning",
        ),
        (
            "remind me to water the ferns on Friday",
            "every Friday actually",
            "remind me to water the ferns every Friday",
        ),
        ("wake me at nine on weekdays", "and at ten on Saturdays", "wake me at ten on Saturdays"),
        ("text Ivo that I'll be ten minutes late", "and Leonie too", "text Leonie that I'll be ten minutes late"),
        ("turn off the lights in the kitchen", "the hallway as well", "turn off the lights in the hallway"),
    ],
)
def test_another_time_person_or_room_takes_the_place_of_the_one_before(asked: str, said: str, meant: str) -> None:
    found = find_parallel(said, _lines(asked))
    assert found is not None
    assert found.text == meant


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("turn the heating on at 6 am and off at 9 am", "at 7 am"),  # which of the two, nobody said
        ("is the museum open on Saturday and Sunday?", "on Monday"),
        ("wake me every morning at 7", "in the evening"),
        ("set an alarm for 7 am tomorrow", "in the evening"),
    ],
)
def test_a_time_replaces_none_that_it_is_not_set_against(asked: str, said: str) -> None:
    assert times_in(said, asked)
    assert at_another_time(said, asked) is None
    assert find_parallel(said, _lines(asked)) is None


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("open the file sunday.txt", "Monday"),
        ("remind me to call Sunday Okafor", "on Monday"),
        ("remind me to buy a Friday newspaper", "tomorrow"),
        ("play Saturday Night Fever", "today"),
        ("who sings Ruby Tuesday?", "tomorrow"),
        ('translate "tomorrow" into German', "yesterday"),
        ("list flights in the last week", "today"),
    ],
)
def test_what_belongs_to_a_name_or_another_word_is_no_time(asked: str, said: str) -> None:
    assert at_another_time(said, asked) is None


@pytest.mark.parametrize(
    ("asked", "said", "meant"),
    [
        ("how do you spell Wednesday?", "and Thursday?", "how do you spell Thursday?"),
        ("how do you say Sunday in French?", "and Monday?", "how do you say Monday in French?"),
        ("list flights since yesterday", "Monday?", "list flights since Monday"),
        (
            "write a script that sends a mail every Friday",
            "and Monday?",
            "write a script that sends a mail every Monday",
        ),
    ],
)
def test_a_day_that_is_no_time_gets_no_on(asked: str, said: str, meant: str) -> None:
    found = find_parallel(said, _lines(asked))
    assert found is not None
    assert found.text == meant


@pytest.mark.parametrize(
    "said",
    ["& on Sunday?", "— on Sunday", "... Sunday", "👍 Sunday", "and on Sunday and Monday?", "Black Friday", "@ noon"],
)
def test_odd_marks_and_two_times_break_nothing(reading: Memory, said: str) -> None:
    talked(reading, "what's the weather in Oslo tomorrow?", "> Sunny.")
    expanded = reading.hear(said, at=later(3)).expanded
    assert "on Sunday and?" not in expanded
    assert "Black on Friday" not in expanded


@pytest.mark.parametrize(
    ("asked", "reply"),
    [
        ("who is new in sales?", "Priya started on Monday."),
        ("which dog needs a walk?", "Ginger is now placed in Kennel 4."),
        ("what about the tool?", "Kubernetes removed, in 1.24, the shim."),
    ],
)
def test_a_name_that_a_reply_begins_with_is_no_thing(asked: str, reply: str) -> None:
    assert reported(reply, [asked]) is None


@pytest.mark.parametrize("said", ["on Sunday", "this weekend", "half past six", "7 am", "at nine", "in the evening"])
def test_words_that_only_say_when_are_a_time(said: str) -> None:
    assert is_time(said)


@pytest.mark.parametrize(
    "said", ["at nine people", "the evening news", "Sunday lunch", "nine", "may", "the first", "8"]
)
def test_words_that_say_more_or_less_than_when_are_no_time(said: str) -> None:
    assert not is_time(said)


@pytest.mark.requirement("K5")
@pytest.mark.parametrize(
    ("asked", "reply", "said", "meant"),
    [
        ("reserve a table at Lemma", "For how many people?", "two", "reserve a table at Lemma for two people"),
        ("book a table at Lemma", "Sure. For how many?", "four", "book a table at Lemma for four people"),
        ("reserve a table at Lemma", "What time?", "nine", "reserve a table at Lemma at nine"),
        (
            "schedule a meeting with Ann",
            "When?",
            "Thursday afternoon",
            "schedule a meeting with Ann on Thursday afternoon",
        ),
        ("set a timer", "For how long?", "ten minutes", "set a timer for ten minutes"),
        ("wake me at 7 am", "When?", "8 am", "wake me at 8 am"),
        ("schedule a call on Friday morning", "When?", "in the evening", "schedule a call on Friday evening"),
        ("schedule a call on Friday", "When?", "in the evening", "schedule a call on Friday in the evening"),
        ("schedule a call", "When?", "the evening", "schedule a call in the evening"),
        ("can you book a table?", "For how many?", "four", "can you book a table for four people?"),
        ("find me a dentist", "Sure. In which city?", "Leipzig", "find me a dentist in Leipzig"),
        ("find me a train", "Where to?", "Leipzig", "find me a train to Leipzig"),
        ("text the book club", "What should it say?", "I loved it.", "text the book club saying I loved it"),
        (
            "add a reminder to pay the bill",
            "When should I remind you?",
            "on the first of the month",
            "add a reminder to pay the bill on the first of the month",
        ),
    ],
)
def test_a_detail_that_was_asked_for_completes_the_request(asked: str, reply: str, said: str, meant: str) -> None:
    assert with_detail(said, asked, reply) == meant


@pytest.mark.parametrize(
    ("asked", "reply", "said"),
    [
        ("write a function that reads a file", "What should it return?", "a list of lines"),
        ("text the book club", "What should it say?", "never mind"),
        ("text the book club", "What should it say?", "what did they write?"),
        ("what is a monad?", "When did you first hear of it?", "on Sunday"),  # no order that a detail completes
        ("count the rows", "For how many?", "two"),  # nothing for so many people
        ("reserve a table at Lemma", "Done. It is for two people.", "four"),  # no question
        ("find me a dentist", "In which city?", "show me all"),
        ("find me a dentist", "In which city?", "Anywhere"),
        ("fix the crash on startup", "When did it start?", "yesterday"),  # asks about something else
        ("fix the slow query", "How long does it take?", "two minutes"),
        ("fix the login test", "Where does it fail?", "in the parser"),
        ("order a pizza", "Where do you live?", "Leipzig"),
        ("fix the bug", "What is the error message?", "TypeError in line 3"),
        ("translate this sentence", "What is the text?", "ich bin müde"),
        ("text mum", "What should it say?", "hm wait"),
        ("text mum", "What should it say?", "tell her I'm late"),
        ("drop the table", "How many?", "two"),
        ("reserve a table for four at Lemma", "For how many people?", "five"),
        ("find the file", "Where?", "~/tmp"),
    ],
)
def test_what_completes_nothing_is_no_detail(asked: str, reply: str, said: str) -> None:
    assert with_detail(said, asked, reply) is None


def test_a_detail_tells_what_it_completes(reading: Memory) -> None:
    talked(reading, "reserve a table at Casa Verrano for Saturday", "> For how many people?")
    turn = reading.hear("two", at=later(3))
    assert turn.expanded == "reserve a table at Casa Verrano for Saturday for two people"
    assert turn.references[0].why == "completes what you asked for just before"


@pytest.mark.requirement("K5")
def test_what_a_reply_says_it_was_done_to_is_the_thing(reading: Memory) -> None:
    talked(reading, "set an alarm for 7 am", "> Alarm set for 7:00.")
    assert reading.hear("make it 6:30", at=later(3)).expanded == "make the alarm 6:30"


def test_the_marks_behind_a_sentence_stay_together(reading: Memory) -> None:
    talked(reading, "nginx gives 403 for files in /srv/www", "> The nginx user needs execute permission on /srv.")
    said = reading.hear("why execute on a folder??", at=later(3)).expanded
    assert said == "why execute on a folder??" or said.endswith(")??")


def test_an_item_that_was_told_of_is_the_thing_from_then_on(reading: Memory) -> None:
    talked(
        reading,
        "what's in the news?",
        "> The top stories: a rail strike in Belmora, a new bridge, and a storm off Cape Tarn.",
    )
    assert reading.hear("tell me more about the first one", at=later(3)).expanded == (
        "tell me more about the rail strike in Belmora"
    )


@pytest.mark.parametrize(
    "order", ["turn the volume up", "set the lights to warm", "skip this song", "turn the subtitles on please"]
)
def test_an_order_to_what_everybody_has_one_of_stands_alone(order: str) -> None:
    assert is_for_a_device(order, _lines("play Harbour Lanterns", "Playing Harbour Lanterns."))


@pytest.mark.parametrize(
    "said", ["run the tests", "ok, run the whole test suite once more", "run the linter", "ouch!", "haha wow"]
)
def test_what_says_all_there_is_to_say_stands_alone(reading: Memory, said: str) -> None:
    talked(reading, "split `refreshToken` in src/auth/session.ts", "> Done, it has three helpers now.")
    assert reading.hear(said, at=later(3)).expanded == said


@pytest.mark.parametrize(
    ("said", "order"),
    [
        ("turn on the lights in the kitchen", "turn the lights off"),  # those in the kitchen
        ("play Harbour Lanterns", "turn it up"),
        ("play Harbour Lanterns", "set the alarm to seven"),
        ("play Harbour Lanterns", "put the light novel on my list"),
    ],
)
def test_an_order_to_what_was_spoken_of_does_not(said: str, order: str) -> None:
    assert not is_for_a_device(order, _lines(said))


def _gap(text: str, words: str, probability: float = 0.9) -> Gap:
    start = text.index(words) if words else len(text)
    return Gap((start, start + len(words)), probability, "", ())


def test_one_is_what_stands_for_a_thing_and_not_the_place_before_it_as_well() -> None:
    text = "the hot one is stuck"
    article, one = Gap((4, 4), 0.95, "", ()), _gap(text, "one")
    assert merged(text, [article, one]) == [one]


def test_something_is_left_out_before_a_thing_or_behind_it_and_not_twice() -> None:
    text = "what time are the sessions?"
    before, behind = Gap((18, 18), 0.6, "", ()), Gap((26, 26), 0.8, "of", ())
    assert merged(text, [before, behind]) == [behind]


def test_two_things_of_a_sentence_may_both_be_left_out() -> None:
    text = "compare the size with that"
    both = [Gap((12, 12), 0.8, "", ()), _gap(text, "that")]
    assert merged(text, both) == both


@pytest.mark.parametrize(
    ("order", "is_order"),
    [
        ("change hated to loved", True),
        ("text Tobias that I called", True),
        ("change log", False),
        ("the new list", False),
    ],
)
def test_an_order_of_ones_own_is_no_thing(order: str, *, is_order: bool) -> None:
    line = _mine(order)
    assert is_no_thing(Stretch(0, (0, len(order)), order, 0.9), [line]) is is_order


def test_what_errands_are_measured_on_is_in_no_training() -> None:
    """Whole requests in eight words or more; shorter ones anybody says."""
    trained = " ".join(path.read_text("utf-8").lower() for path in (ROOT / "training" / "conversations").glob("*.txt"))
    rows = data.read_rewrites(Path(TASKS["errands"].file))
    said = {row.text.lower() for row in rows if len(row.text.split()) > 7}
    assert {text for text in said if text in trained} == set()
    assert len(said) > 40
