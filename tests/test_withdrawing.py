"""What no longer holds: constraints that are lifted or replaced, decisions that are taken back, and summaries that tell
of neither. Where it is not clear what is meant, all of it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

import anaphora
from anaphora import Memory
from anaphora.memory.items import items_of
from anaphora.testing import FrozenClock
from tests.talk import later, past, standing, stored_bytes, talked


@pytest.fixture
def memory(any_reading: Memory) -> Memory:
    return any_reading


MAIN = "never commit to main"
PORT = "Use port 8080"

# --- constraints --------------------------------------------------------------------------------------------------


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
        ("never push on Fridays because nobody is there", "pushing on Fridays is ok now"),
        ("Tokens must never be logged", "you may log tokens now"),
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
        ("budget 3000 euro", "budget went up to 3500"),
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
