"""Goals that are given up: no longer open, never counted as reached, and still there with the message that says so."""

from __future__ import annotations

from pathlib import Path

import pytest

import anaphora
from anaphora import Memory
from anaphora.types import Goal
from tests.talk import later, talked


@pytest.fixture
def memory(any_reading: Memory) -> Memory:
    return any_reading


DARK = "I want to add dark mode"
DASHBOARD = "I want to build a sales dashboard"
EXPORT = "we want to add a CSV export"


def goals_of(memory: Memory) -> list[tuple[str, str]]:
    return [(goal.text, goal.status) for goal in memory.state.goals]


@pytest.mark.requirement("Q1")
@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (DARK, "forget about dark mode"),
        (DARK, "forget the dark mode, nobody wants it"),
        (DARK, "drop dark mode"),
        (DARK, "let's drop the dark mode idea"),
        (DARK, "let's skip dark mode"),
        (DARK, "never mind about dark mode"),
        (DARK, "let's not do dark mode after all"),
        (DARK, "we decided not to add dark mode"),
        (DARK, "we decided against dark mode"),
        (DARK, "we won't do dark mode"),
        (DARK, "we're not doing dark mode after all"),
        (DARK, "I no longer want to add dark mode"),
        (DARK, "I don't want to add dark mode any more"),
        (DARK, "we don't have to add dark mode any more"),
        (DARK, "dark mode is off the table"),
        (DARK, "dark mode is no longer needed"),
        (DARK, "dark mode is cancelled"),
        (DARK, "no dark mode after all"),
        (DARK, "forget that goal"),
        (DARK, "drop the goal about dark mode"),
        (DARK, "scratch that"),
        (DASHBOARD, "forget about the dashboard"),
        (DASHBOARD, "scrap the sales dashboard because it is too slow"),
        (EXPORT, "we don't need the export any more"),
        (EXPORT, "we no longer need the CSV export"),
        ("I want to write a newsletter", "let's skip the newsletter"),
        ("I want to migrate to Postgres", "forget about the migration"),
        ("I need a login page", "forget about the login page"),
        ("we need an export to CSV", "we don't need the export any more"),
    ],
)
def test_a_goal_that_is_given_up_is_dropped_and_not_reached(memory: Memory, wanted: str, said: str) -> None:
    talked(memory, wanted, "> Okay.", said)
    (goal,) = memory.state.goals
    assert (goal.status, goal.open, goal.closed_by) == ("dropped", False, "m2")


@pytest.mark.parametrize(
    "said",
    [
        "let's skip dark mode for now",
        "let's not add dark mode yet",
        "skip dark mode today",
        "we don't need dark mode in the first version",
        "let's add the toggle before dark mode",
        "skip the dark mode tests",
        "forget about the tests",
        "don't forget dark mode",
        "I forgot about dark mode",
        "should we skip dark mode?",
        "if it takes too long, skip dark mode",
        "Bob says we should drop dark mode",
        "maybe we should drop dark mode",
        "don't use dark mode in the emails",
        "dark mode is not working",
        "cancel the dark mode animation",
        "never mind",
    ],
)
def test_what_gives_nothing_up_leaves_a_goal_open(memory: Memory, said: str) -> None:
    talked(memory, DARK, "> Okay.", said)
    assert ("add dark mode", "pending") in goals_of(memory)


def test_where_two_goals_may_be_meant_both_stay(memory: Memory) -> None:
    talked(memory, DASHBOARD, "I want to build a user dashboard", "forget about the dashboard")
    assert [status for _, status in goals_of(memory)] == ["pending", "pending"]


@pytest.mark.parametrize("said", ["forget about the CSV export", "the login page is done", "let's skip the login page"])
def test_of_two_things_that_are_wanted_at_once_one_alone_ends_nothing(memory: Memory, said: str) -> None:
    talked(memory, "we need an export to CSV and a login page", said)
    assert memory.state.goals
    assert all(goal.open for goal in memory.state.goals if "login" in goal.text and "CSV" in goal.text)


def test_a_table_that_is_dropped_is_no_goal(memory: Memory) -> None:
    talked(memory, "I want to create a users table", "drop the users table")
    assert goals_of(memory) == [("create a users table", "pending")]


def test_what_was_given_up_can_be_wanted_again(memory: Memory) -> None:
    talked(memory, DARK, "forget dark mode", DARK)
    assert goals_of(memory) == [("add dark mode", "dropped"), ("add dark mode", "pending")]


def test_an_action_that_is_given_up_is_not_done(memory: Memory) -> None:
    talked(memory, "TODO: write the newsletter", "skip the newsletter")
    (action,) = memory.state.actions
    assert (action.open, action.done, action.dropped) == (False, None, later(1))


def test_undo_brings_back_what_was_given_up(memory: Memory) -> None:
    talked(memory, DARK, "TODO: write the newsletter", "skip the newsletter", "forget dark mode")
    memory.undo("m3")
    memory.undo("m2")
    assert goals_of(memory) == [("add dark mode", "pending")]
    assert [action.open for action in memory.state.actions] == [True]


def test_a_dropped_goal_is_told_as_such(memory: Memory) -> None:
    talked(memory, DARK, "I want to write a newsletter", "forget dark mode, nobody wants it")
    (dropped, _) = memory.state.goals
    assert "dropped by “forget dark mode, nobody wants it” (m2)" in memory.command(f"/why {dropped.id}").text
    assert "🚫 add dark mode" in memory.command("/state --all").text
    assert "dark mode" not in memory.command("/state").text
    assert "add dark mode" not in memory.summary
    assert "write a newsletter" in memory.summary
    assert (
        "add dark mode"
        not in memory.context("what is left to do?").text.partition("Active Goals")[2].partition("##")[0]
    )


def test_a_goal_can_be_dropped_by_hand_and_taken_up_again(memory: Memory) -> None:
    with memory.update() as work:
        work.add_goal("Write tests")
        work.set_goal("Write tests", status="dropped")
    assert goals_of(memory) == [("Write tests", "dropped")]
    with memory.update() as work:
        work.set_goal("Write tests", status="pending")
    assert goals_of(memory) == [("Write tests", "pending")]


def test_a_dropped_goal_is_exported_and_imported(memory: Memory, tmp_path: Path) -> None:
    talked(memory, DARK, "forget dark mode")
    memory.export(tmp_path / "all.json")
    with anaphora.open(":memory:") as other:
        other.import_file(tmp_path / "all.json")
        assert [(goal.text, goal.status) for goal in other.state.goals] == [("add dark mode", "dropped")]


def test_a_dropped_goal_is_no_active_one_of_another_programs_folder(memory: Memory, tmp_path: Path) -> None:
    talked(memory, DARK, "I want to write a newsletter", "forget dark mode")
    memory.export(tmp_path / "folder", format="quaid")
    written = "".join(path.read_text("utf-8") for path in (tmp_path / "folder").rglob("*") if path.is_file())
    assert '"dropped"' not in written
    assert '"write a newsletter"' in written


def test_only_a_goal_that_is_pending_or_in_progress_is_open() -> None:
    for status, is_open in (("pending", True), ("in-progress", True), ("complete", False), ("dropped", False)):
        assert Goal("goal-1", "x", status, "medium", later(), "me").open is is_open  # type: ignore[arg-type]


@pytest.mark.parametrize("said", ["forget about dark mode", "skip the newsletter", "we don't need the export any more"])
def test_who_gives_something_up_goes_on_with_the_same_talk(memory: Memory, said: str) -> None:
    talked(memory, "I want to build a booking site", "> Nice.", "let's use Postgres")
    assert memory.hear(said, at=later(9)).boundary.decision == "same"


@pytest.mark.requirement("Q13")
def test_a_goal_or_an_action_is_dropped_by_a_command(memory: Memory) -> None:
    memory.command("/set_goal Write tests")
    memory.command("/add_action Ask Eve")
    assert memory.command("/drop Write tests").text == "Dropped goal-1 “Write tests”. Open goals: 0."
    memory.command("/drop act-2")
    assert goals_of(memory) == [("Write tests", "dropped")]
    assert [(action.open, action.done) for action in memory.state.actions] == [(False, None)]
    assert "act-2  Ask Eve (dropped on" in memory.command("/state --all").text
