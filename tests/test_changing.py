"""What was decided, demanded and told changes with what is said later: by a short correction, by an answer, by what is
allowed again. Where that is not clear, all of it stands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import anaphora
from anaphora import Memory
from anaphora.memory.items import items_of
from anaphora.testing import FrozenClock
from tests.talk import later, stored_bytes


@pytest.fixture(params=["read", "by rules"])
def memory(request: pytest.FixtureRequest, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    """A memory in which messages are read, and one that goes by rules alone."""
    if request.param == "read":
        monkeypatch.delenv("ANAPHORA_READER")
    with anaphora.open(":memory:", clock=clock) as opened:
        yield opened


def talked(memory: Memory, *said: str) -> None:
    """Messages a minute apart; a reply begins with ">"."""
    for minute, text in enumerate(said):
        if text.startswith("> "):
            memory.say(text[2:], at=later(minute))
        else:
            memory.hear(text, at=later(minute), id=f"m{minute}")


def standing(memory: Memory) -> list[str]:
    return [i.text for i in items_of(memory.state, ("decisions", "constraints", "facts")) if i.open]


def past(memory: Memory) -> list[str]:
    return [i.text for i in items_of(memory.state, ("decisions", "constraints", "facts")) if not i.open]


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


# --- constraints --------------------------------------------------------------------------------------------------

MAIN = "never commit to main"


@pytest.mark.requirement("Q1")
@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (MAIN, "you may commit to main now"),
        (MAIN, "ok, you can commit to main again"),
        (MAIN, "committing to main is fine from now on"),
        (MAIN, "it's okay to commit to main now"),
        (MAIN, "you're allowed to commit to main"),
        (MAIN, "feel free to commit to main from now on"),
        (MAIN, "forget the rule about main"),
        (MAIN, "you can ignore the rule about main"),
        (MAIN, "let's drop the rule about main"),
        (MAIN, "the rule about main no longer applies"),
        (MAIN, "forget that rule"),
        (MAIN, "I take that back"),
        ("never commit to the main branch", "you may commit to main now"),
        ("don't use emojis", "emojis are fine now"),
        ("don't use emojis", "drop the no-emoji rule"),
        ("no external dependencies", "you can use external dependencies now"),
        ("no external dependencies", "external dependencies are no longer forbidden"),
        ("always add type hints", "you don't have to add type hints any more"),
        ("always add type hints", "no need to add type hints any more"),
        ("always add type hints", "type hints are no longer required"),
        ("don't use Redux", "let's use Redux"),
        ("The deadline is Friday", "forget the deadline"),
        ("The deadline is Friday", "the deadline is off"),
    ],
)
def test_what_is_allowed_again_is_no_longer_a_constraint(memory: Memory, rule: str, said: str) -> None:
    talked(memory, rule, "> Understood.", said)
    (constraint,) = memory.state.constraints
    assert (constraint.open, constraint.until) == (False, later(2))
    assert rule not in memory.context("what next?", at=later(3)).text.partition("Constraints")[2].partition("##")[0]


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (MAIN, "can you commit to main now?"),
        (MAIN, "you can commit to dev now"),
        (MAIN, "you may commit the docs to main now"),
        (MAIN, "you may commit to main this once"),
        (MAIN, "you may commit to main if the tests pass"),
        (MAIN, "if CI is green, you may commit to main"),
        (MAIN, "Bob said you may commit to main now"),
        (MAIN, "I may commit to main later"),
        (MAIN, "you may never commit to main"),
        (MAIN, "forget the rule about tests"),
        (MAIN, "forget the deadline"),
        ("never commit secrets to main", "you may commit to main now"),
        ("always add type hints", "you may add type hints"),
        ("don't use emojis", "emojis are ok in comments now"),
        ("don't use Redux", "let's use Redux for the admin page"),
    ],
)
def test_a_constraint_stands_where_something_else_is_allowed(memory: Memory, rule: str, said: str) -> None:
    talked(memory, rule, "> Understood.", said)
    assert memory.state.constraints[0].open


def test_what_is_said_later_is_not_lifted_by_what_comes_in_late(memory: Memory) -> None:
    memory.hear(MAIN, at=later(10))
    memory.hear("you may commit to main now", at=later(1))
    assert standing(memory) == [MAIN]


def test_of_two_rules_that_are_meant_neither_is_dropped(memory: Memory) -> None:
    talked(memory, MAIN, "never push to main", "forget the rule about main")
    assert standing(memory) == [MAIN, "never push to main"]


def test_a_constraint_that_was_lifted_long_after_it_was_said_is_gone(memory: Memory) -> None:
    talked(memory, MAIN, *(f"Explain part {n} of the parser" for n in range(20)), "you may commit to main now")
    assert [c.open for c in memory.state.constraints] == [False]


def test_what_a_message_lifted_stands_again_when_that_is_undone_or_forgotten(any_memory: Memory) -> None:
    talked(any_memory, MAIN, "you may commit to main now")
    assert standing(any_memory) == []
    assert any_memory.undo().restored == (MAIN,)
    assert standing(any_memory) == [MAIN]
    any_memory.hear("forget the rule about main", at=later(5), id="m5")
    assert standing(any_memory) == []
    any_memory.forget(message="m5")
    assert standing(any_memory) == [MAIN]


@pytest.mark.requirement("Q1")
@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("The deadline is Friday", "the deadline moved to Monday"),
        ("The deadline is Friday", "the deadline is Monday"),
        ("The deadline is Friday", "the deadline is now Monday"),
        ("The deadline is Friday", "the new deadline is Monday"),
        ("The deadline is Friday", "the deadline was pushed back to Monday"),
        ("The deadline is Friday", "the deadline has been extended to March 3"),
        ("The deadline is Friday", "they moved the deadline to Monday"),
        ("The deadline is Friday", "the deadline is now in two weeks"),
        ("The deadline is Friday", "the deadline is the 15th"),
        ("The deadline is Friday", "we've got until Monday now"),
        ("The deadline for the report is Friday", "the deadline for the report is Monday"),
        ("The deadline for the report is Friday", "the deadline moved to Monday"),
        ("The budget is 500 euros", "the budget is now 800 euros"),
        ("keep it under 200 lines", "keep it under 300 lines"),
        ("max 5 files", "max 7 files"),
        ("never use semicolons", "always use semicolons"),
        ("Always answer in French", "answer in German from now on"),
        ("Always use tabs", "You must always use spaces"),
    ],
)
def test_a_newer_constraint_on_the_same_takes_the_place_of_the_older_one(memory: Memory, first: str, then: str) -> None:
    talked(memory, first, then, "ok")
    old, new = memory.state.constraints
    assert (old.until, old.replaced_by, new.open) == (later(1), new.id, True)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("The deadline for the report is Friday", "the deadline for the slides is Monday"),
        ("The deadline is Friday", "the budget is 500 euros"),
        ("The budget is 500 euros", "the budget is tight"),
        ("never use port 80", "never use port 443"),
        ("It must support Python 3.11", "It must support Python 3.12"),
        ("never use semicolons", "never use tabs"),
        ("always use tabs", "never use semicolons"),
    ],
)
def test_constraints_on_different_things_stand_beside_each_other(memory: Memory, first: str, then: str) -> None:
    talked(memory, first, then, "ok")
    assert [c.open for c in memory.state.constraints] == [True, True]


@pytest.mark.parametrize("minutes", [1, 5, 14, 40, 180, 5000])
@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I want to build a dashboard", "the dashboard is finished"),
        (MAIN, "you may commit to main now"),
        ("The deadline is Friday", "we've got until Monday now"),
        ("my manager is Ana", "Omar is my manager now"),
        ("Let's use Redis", "forget the decision about Redis"),
    ],
)
def test_what_is_only_told_counts_at_once_however_long_ago_the_other_was_said(
    memory: Memory, first: str, then: str, minutes: int
) -> None:
    memory.hear(first, at=later(0))
    memory.say("Sure.", at=later(0.5))
    turn = memory.hear(then, at=later(minutes))
    assert turn.question is None
    assert not items_of(memory.state)[0].open


# --- decisions that are taken back ---------------------------------------------------------------------------------


@pytest.mark.requirement("Q1")
@pytest.mark.parametrize(
    "said",
    [
        "forget that decision",
        "scrap that decision",
        "forget the last decision",
        "cancel the decision about Redis",
        "forget what I said about Redis",
        "scratch that",
        "drop Redis",
        "forget about Redis",
        "I changed my mind about Redis",
        "we won't use Redis after all",
        "we're not using Redis any more",
    ],
)
def test_a_decision_can_be_taken_back_in_the_same_conversation(memory: Memory, said: str) -> None:
    talked(memory, "Let's use Redis for caching", "> Okay.", said)
    assert past(memory) == ["use Redis for caching"]
    assert len(memory.conversations()) == 1


@pytest.mark.parametrize(
    "said",
    [
        "drop the table",
        "drop the Redis container",
        "forget about the tests",
        "forget the decision about Kafka",
        "should we forget that decision?",
        "undo that",
    ],
)
def test_a_decision_stands_where_something_else_is_dropped(memory: Memory, said: str) -> None:
    talked(memory, "Let's use Redis for caching", "> Okay.", said)
    assert standing(memory) == ["use Redis for caching"]


def test_where_two_were_decided_at_once_neither_is_that_decision(memory: Memory) -> None:
    talked(memory, "Let's use Redis. Let's use Kafka.", "forget that decision")
    assert standing(memory) == ["use Redis", "use Kafka"]


def test_why_something_no_longer_stands_is_told_by_who_took_it_back(any_memory: Memory) -> None:
    talked(any_memory, "Let's use Redis", "forget that decision")
    (decision,) = any_memory.state.decisions
    assert decision.superseded_by == "m1"
    assert "forget that decision" in any_memory.command(f"/why {decision.id}").text


def test_what_a_correction_took_over_goes_with_the_message_that_said_it(store_path: Path, clock: FrozenClock) -> None:
    with anaphora.open(store_path, clock=clock) as kept:
        talked(kept, "Let's use Zanzibarium for caching", "no, Redis", "Never push to kalamazoo", "forget that rule")
        assert standing(kept) == ["use Redis instead of Zanzibarium for caching"]
        kept.forget(message="m0")
        kept.forget(message="m2")
        assert standing(kept) == []
    said = stored_bytes(store_path).lower()
    assert b"zanzibarium" not in said
    assert b"kalamazoo" not in said


# --- summaries ----------------------------------------------------------------------------------------------------


@pytest.mark.requirement("Q5")
def test_a_summary_tells_only_what_still_holds(any_memory: Memory) -> None:
    talked(
        any_memory,
        "Let's use SQLite because it is simple",
        "Let's use Postgres",
        MAIN,
        "you may commit to main now",
        "Never log tokens because they leak",
        "Use port 8080",
        "no, 9090",
    )
    any_memory.update(lambda work: work.decide("use npm"), at=later(10))
    any_memory.update(lambda work: work.decide("use pnpm"), at=later(11))
    told = any_memory.summary
    assert all(words in told for words in ("use Postgres", "Never log tokens", "Use port 9090", "use pnpm"))
    assert not any(words in told for words in ("use SQLite", f"Constraint: {MAIN}", "Use port 8080", "use npm"))
    any_memory.undo("m4")
    assert "Never log tokens" not in any_memory.summary


def test_what_no_longer_holds_is_neither_the_objective_nor_what_was_said(any_memory: Memory) -> None:
    talked(any_memory, PORT, "no, 9090", "my manager is Ana", "my new manager is Omar", "How do I start the server?")
    told = any_memory.summary
    assert "8080" not in told.partition("Talked about")[0]
    assert "Said: my manager is Ana" not in told


def test_what_was_said_again_is_told_again(any_memory: Memory) -> None:
    talked(any_memory, "Let's use SQLite", "Let's use Postgres", "Let's use SQLite")
    decisions = any_memory.summary.partition("## Key Decisions")[2]
    assert "use SQLite" in decisions
    assert "use Postgres" not in decisions
