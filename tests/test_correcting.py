"""Short corrections and choices: "no, 9090" says the same with another value, "the second one" is what stood second.
Where that is not clear, all of it stands."""

from __future__ import annotations

import pytest

from anaphora import Memory
from tests.talk import later, past, standing, talked


@pytest.fixture
def memory(any_reading: Memory) -> Memory:
    return any_reading


# --- short corrections --------------------------------------------------------------------------------------------

PORT = "Use port 8080"


@pytest.mark.requirement("Q1")
@pytest.mark.parametrize(
    ("first", "then", "stands"),
    [
        (PORT, "actually, 9090", "Use port 9090"),
        (PORT, "make it 9090", "Use port 9090"),
        (PORT, "no, 9090", "Use port 9090"),
        (PORT, "No wait, port 9090.", "Use port 9090"),
        (PORT, "sorry, I meant 9090", "Use port 9090"),
        (PORT, "9090, not 8080", "Use port 9090"),
        (PORT, "it should be 9090", "Use port 9090"),
        (PORT, "change it to 9090 please", "Use port 9090"),
        (PORT, "hmm, let's make that 9090 instead", "Use port 9090"),
        (PORT, "not 8080, 9090", "Use port 9090"),
        (PORT, "sorry, typo: 9090", "Use port 9090"),
        (PORT, "use 9090 instead", "Use port 9090"),
        (PORT, "switch to 9090", "Use port 9090"),
        (PORT, "change the port to 9090", "Use port 9090"),
        (PORT, "the port should be 9090", "Use port 9090"),
        ("Use 4 workers", "make that two", "Use 2 workers"),
        ("Use npm", "yarn, sorry", "Use yarn instead of npm"),
        ("We'll use GraphQL", "better use REST", "use REST instead of GraphQL"),
        ("I prefer tabs over spaces", "spaces actually", "prefers spaces over tabs"),
        ("The deadline is Friday", "set the deadline to Monday", "The deadline is Monday"),
        ("Let's use blue for the header", "change the header to green", "use green instead of blue for the header"),
        ("Let's use port 8080 and 3 workers", "no, port 9090", "use port 9090 and 3 workers"),
        ("We'll use GraphQL", "no wait, REST is better", "use REST instead of GraphQL"),
        ("We'll use GraphQL", "actually, REST", "use REST instead of GraphQL"),
        ("Let's use Redux", "Zustand would be better", "use Zustand instead of Redux"),
        ("Let's use Trello", "no, Linear", "use Linear instead of Trello"),
        ("Let's use Redux for the admin page", "actually, MobX", "use MobX instead of Redux for the admin page"),
        ("Let's use blue for the header", "make it green", "use green instead of blue for the header"),
        ("Let's use blue for the header", "green instead", "use green instead of blue for the header"),
        ("I prefer tabs over spaces", "actually, spaces", "prefers spaces over tabs"),
        ("I prefer dark mode", "no wait, light mode", "prefers light mode"),
        ("I use vim", "no wait, helix", "I use helix"),
        ("my manager is Ana", "sorry, Omar", "my manager is Omar"),
        ("My name is Ann", "no, Anna", "My name is Anna"),
        ("I live in Paris", "I mean Lyon", "I live in Lyon"),
        ("max 200 lines", "make it 300", "max 300 lines"),
        ("max 200 lines", "actually, 300 lines", "max 300 lines"),
        ("keep it under 30 seconds", "no, 1 minute", "keep it under 1 minute"),
        ("The deadline is Friday", "sorry, Monday", "The deadline is Monday"),
        ("The deadline is March 3", "actually March 5", "The deadline is March 5"),
        ("use a slider, not a dropdown", "actually, a dropdown", "use a dropdown, not a slider"),
        ("Always answer in French", "actually, in German", "Always answer in German"),
        ("The API must return JSON", "XML, not JSON", "The API must return XML"),
        ("My favourite colour is blue", "no, green", "favourite colour is green"),
    ],
)
@pytest.mark.parametrize("reply", [None, "> Done.", "> Okay. Anything else?"])
def test_a_short_correction_says_the_same_with_another_value(
    memory: Memory, first: str, then: str, stands: str, reply: str | None
) -> None:
    talked(memory, *([first, reply, then] if reply else [first, then]))
    assert standing(memory) == [stands]
    assert len(past(memory)) == 1


@pytest.mark.parametrize(
    "then",
    [
        "actually, thanks",
        "no, why?",
        "no, that's wrong",
        "no, go on",
        "no problem",
        "make it purple",
        "make it 2 pages long",
        "wait, 2 minutes",
        "actually, both",
        "no, Friday",
        "shorter is better",
        "actually, tests first",
        "no, Bob is right",
        "actually, great idea",
        "it's 5 now",
        "9090, not 7070",
        "is 9090 better?",
        "I changed my mind",
        "set the timeout to 30",
        "hmm, 9090?",
        "the tests should be green",
        "no, 9090 fails because the firewall closes everything that is not on the list of ports that we were given",
    ],
)
@pytest.mark.parametrize("first", [PORT, "We'll use GraphQL", "I prefer tabs over spaces"])
def test_what_does_not_fit_corrects_nothing(memory: Memory, first: str, then: str) -> None:
    talked(memory, first, then)
    assert past(memory) == []
    assert len(standing(memory)) == 1


@pytest.mark.parametrize(
    ("reply", "then"),
    [
        ("> Done. What should the timeout be?", "make it 30"),
        ("> Done. Should retries be 3 or 5?", "make it 5"),
        ("> Done. How many workers do you want?", "no, 4"),
        ("> Done, with 4 workers.", "no, 8"),
    ],
)
def test_an_answer_to_another_question_is_no_correction(memory: Memory, reply: str, then: str) -> None:
    talked(memory, PORT, reply, then)
    assert standing(memory) == [PORT]


@pytest.mark.parametrize(
    ("first", "reply", "then"),
    [
        ("Let's use Django", "> Good, with SQLite as the database.", "no, Postgres"),
        ("Let's use Django", None, "no, Postgres"),
        ("Let's use Trello", "> Okay, and the notes go into Notion.", "no, Confluence"),
    ],
)
def test_what_may_be_said_of_the_reply_corrects_nothing(
    memory: Memory, first: str, reply: str | None, then: str
) -> None:
    talked(memory, *([first, reply, then] if reply else [first, then]))
    assert past(memory) == []


def test_a_reply_that_names_what_was_told_leaves_it_to_be_corrected(memory: Memory) -> None:
    talked(memory, PORT, "> Port 8080 it is, the server took 3 s to start.", "make it 9090")
    assert standing(memory) == ["Use port 9090"]


def test_between_a_decision_and_its_correction_people_say_little(memory: Memory) -> None:
    talked(memory, PORT, "> Done.", "thanks", "make it 9090")
    assert standing(memory) == ["Use port 9090"]


def test_who_names_what_he_corrects_can_do_so_later(memory: Memory) -> None:
    talked(memory, PORT, "> Done.", "Add a health check", "> Added.", "Where does it log?", "change the port to 9090")
    assert standing(memory) == ["Use port 9090"]


def test_what_was_to_be_remembered_is_corrected_too(memory: Memory) -> None:
    talked(memory, "Remember that the demo is on Friday", "no, Monday")
    assert [(n.text, n.open) for n in memory.state.notes] == [
        ("the demo is on Friday", False),
        ("the demo is on Monday", True),
    ]
    memory.hear("Remember that the demo is on Tuesday", at=later(5))
    memory.hear("Remember that the talk is on Tuesday", at=later(6))
    assert [n.text for n in memory.state.notes if n.open] == ["the demo is on Tuesday", "the talk is on Tuesday"]


def test_an_answer_that_is_not_what_was_decided_takes_its_place(memory: Memory) -> None:
    talked(memory, "Let's use Tailwind for styling", "> Tailwind or Bootstrap?", "Bootstrap then")
    assert standing(memory) == ["use Bootstrap instead of Tailwind for styling"]


def test_who_corrects_twice_is_left_with_the_last(memory: Memory) -> None:
    talked(memory, PORT, "no, 9090", "> Ok.", "no wait, 7070")
    assert standing(memory) == ["Use port 7070"]
    assert past(memory) == [PORT, "Use port 9090"]


def test_a_correction_belongs_to_who_said_what_it_corrects(memory: Memory) -> None:
    memory.hear("I live in Paris", speaker="ann", at=later(0))
    memory.hear("no, Lyon", speaker="bob", at=later(1))
    assert standing(memory) == ["I live in Paris"]


def test_what_was_corrected_can_be_taken_back(any_memory: Memory) -> None:
    talked(any_memory, PORT, "no, 9090")
    assert any_memory.undo().restored == (PORT,)
    assert standing(any_memory) == [PORT]


@pytest.mark.parametrize(
    ("older", "newer", "replaced"),
    [
        ("use port 8080", "use port 9090", True),
        ("use Python 3.11", "use Python 3.12", True),
        ("use 2 workers", "use 4 workers", True),
        ("use port 8080 for the API", "use port 9090 for the metrics", False),
        ("go with option 1", "go with option 2", False),
        ("go with PR 12", "go with PR 13", False),
        ("don't use port 80", "don't use port 443", False),
        ("Decision 1", "Decision 2", False),
    ],
)
def test_the_same_decision_with_another_number_takes_its_place(
    memory: Memory, older: str, newer: str, replaced: bool
) -> None:
    memory.update(lambda work: work.decide(older))
    state = memory.update(lambda work: work.decide(newer))
    assert [d.open for d in state.decisions] == [not replaced, True]


# --- choosing -----------------------------------------------------------------------------------------------------

STORES = "> You could use:\n1. **Redis**: fast but volatile\n2. **Postgres**: durable\n3. Files on disk"


@pytest.mark.requirement("Q12")
@pytest.mark.parametrize(
    ("said", "decided"),
    [
        (["How should I store sessions?", STORES, "the second one"], "go with Postgres"),
        (["How should I store sessions?", STORES, "let's go with the second one"], "go with Postgres"),
        (["How should I store sessions?", STORES, "option 2"], "go with Postgres"),
        (["How should I store sessions?", STORES, "2"], "go with Postgres"),
        (["How should I store sessions?", STORES, "I'd take the first"], "go with Redis"),
        (["How should I store sessions?", STORES, "the last one please"], "go with Files on disk"),
        (["How should I store sessions?", STORES, "Postgres then"], "go with Postgres"),
        (["How should I store sessions?", STORES, "I think the second one fits best"], "go with Postgres"),
        (
            ["How should I store sessions?", "> A) Redis\nB) Postgres\nWhich one?", "B please, it is there"],
            "go with Postgres",
        ),
        (
            ["How should I store sessions?", "> 1. Add a Redis server.\n2. Use a dictionary.", "let's do option 2"],
            "use a dictionary",
        ),
        (["How should I store sessions?", "> Redis or Postgres would do.", "the latter"], "go with Postgres"),
        (
            ["How should I store sessions?", "> You could use:\n- Redis\n- Postgres", "let's use both"],
            "use Redis and Postgres",
        ),
        (["tabs or cards?", "> Tabs suit few sections, cards suit many.", "cards then"], "go with cards"),
        (["Should it be tabs or cards?", "> Cards are better on phones.", "ok, cards"], "go with cards"),
        (["I want a settings page", "> Should I use tabs or cards?", "cards"], "go with cards"),
        (["I want a settings page", "> Do you want tabs or cards?", "I'd go with cards"], "go with cards"),
        (["I want a settings page", "> Tabs or cards?", "cards please"], "go with cards"),
        (["use a slider, not a dropdown"], "use a slider, not a dropdown"),
        (["Use the slider instead of the dropdown."], "Use the slider instead of the dropdown"),
        (
            ["switch to a slider rather than a dropdown because it is faster"],
            "switch to a slider rather than a dropdown",
        ),
        (["from now on, use tabs"], "use tabs"),
    ],
)
def test_a_choice_is_kept_as_what_was_chosen(memory: Memory, said: list[str], decided: str) -> None:
    talked(memory, *said)
    assert [d.text for d in memory.state.decisions] == [decided]


@pytest.mark.parametrize(
    "said",
    [
        "the second one because it is there already",
        "option 2 please, because it is there already",
        "Postgres then, since it is there already",
    ],
)
def test_the_reason_of_a_choice_is_kept_with_it(memory: Memory, said: str) -> None:
    talked(memory, "How should I store sessions?", STORES, said)
    assert [(d.text, d.because) for d in memory.state.decisions] == [("go with Postgres", "it is there already")]


@pytest.mark.parametrize(
    "said",
    [
        ["I have a crash", "> Are you on macOS or Linux?", "Linux"],
        ["I have a crash", "> Are you on macOS or Linux?", "ok, Linux"],
        ["I have a crash", "> Do you have Redis or Postgres?", "I have Redis"],
        ["How do I set it up?", "> 1. Install it\n2. Start it\nDid that work?", "2"],
        ["I have a crash", "> Did it happen before or after the update?", "after"],
        ["tabs or cards?", "> Both are fine.", "why cards?"],
        ["tabs or cards?", "> Both are fine.", "cards look odd on my phone"],
        ["I want a settings page", "> Should I use tabs or cards?", "what do you think?"],
        ["I want a settings page", "> Should I use tabs or cards?", "neither"],
        ["How do I set it up?", "> 1. Install it\n2. Start it", "2"],
        ["use a loop to go through the list"],
        ["use a list instead of copying the code"],
        ["I'm moving to Lyon"],
        ["How should I store sessions?", STORES, "tell me more about the second one"],
        ["How should I store sessions?", STORES, "Postgres?"],
    ],
)
def test_what_takes_nothing_decides_nothing(memory: Memory, said: list[str]) -> None:
    talked(memory, *said)
    assert memory.state.decisions == ()
