"""What the working state does by itself: completions close, work starts, decisions supersede, and all can be undone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora import Memory, NotFound
from anaphora.memory.gathering import lists_of, operations_from
from anaphora.memory.items import LISTS, tasks_of
from anaphora.memory.rendering import render
from anaphora.memory.working import apply
from anaphora.settings import Settings
from anaphora.types import Signal, SignalKind, State
from tests.talk import later

TASKS = (
    "add a login page",
    "test the checkout page",
    "fix the token expiration bug",
    "migrate to Postgres",
    "update the documentation",
    "make the tests pass",
    "deploy the app",
    "add a footer to the landing page",
    "refactor the auth module",
    "implement JWT authentication",
    "ask Eve",
    "renew the passports",
    "book the train tickets",
    "a hotel in Lisbon",
    "send the invoice to Bob",
    "write the release notes",
)


@pytest.mark.requirement("Q1")
@pytest.mark.parametrize(
    ("said", "closes"),
    [
        ("I'm done with the login page", ["add a login page"]),
        ("The login page is done", ["add a login page"]),
        ("We finished the login page yesterday", ["add a login page"]),
        ("I've finished testing the checkout page", ["test the checkout page"]),
        ("I fixed the token expiration bug", ["fix the token expiration bug"]),
        ("The token expiration bug is fixed now", ["fix the token expiration bug"]),
        ("The migration to Postgres is done", ["migrate to Postgres"]),
        ("The migration is finished", ["migrate to Postgres"]),
        ("The documentation is done", ["update the documentation"]),
        ("The tests pass now, that's finished", ["make the tests pass"]),
        ("All tests are green", ["make the tests pass"]),
        ("The app is live", ["deploy the app"]),
        ("The footer is done", ["add a footer to the landing page"]),
        ("The refactoring is done", ["refactor the auth module"]),
        ("I've implemented JWT authentication", ["implement JWT authentication"]),
        ("Done: ask Eve", ["ask Eve"]),
        ("The login page and the footer are done", ["add a login page", "add a footer to the landing page"]),
        ("renewed the passports yesterday", ["renew the passports"]),
        ("the train tickets are booked", ["book the train tickets"]),
        ("I booked the hotel", ["a hotel in Lisbon"]),
        ("sent the invoice to Bob", ["send the invoice to Bob"]),
        ("I wrote the release notes", ["write the release notes"]),
    ],
)
def test_a_completion_closes_what_it_clearly_completes(memory: Memory, said: str, closes: list[str]) -> None:
    with memory.update() as work:
        for n, task in enumerate(TASKS):
            work.plan(task) if n % 2 else work.add_goal(task)
    memory.hear(said, id="m1")
    tasks = tasks_of(memory.state)
    assert sorted(t.text for t in tasks if not t.open) == sorted(closes)
    assert {t.closed_by for t in tasks if not t.open} == {"m1"}


@pytest.mark.requirement("Q1")
@pytest.mark.parametrize(
    "said",
    [
        "The login form is done",
        "The login page tests are done",
        "The button of the login page is done",
        "I booked the wrong hotel",
        "I sent Bob a message",
        "renew the passports",
        "I paid the hotel",
        "I'm almost done with the login page",
        "Half of the login page is done",
        "The login page isn't done yet",
        "The login page will be done tomorrow",
        "Is the login page done?",
        "If the login page is done, deploy it",
        "Bob said the login page is done",
        "The login page is working on Safari",
        "We merged the login page",
        "The page is done",
        "The checkout page is done",
        "Finished the design of the login page",
        "I fixed the login bug",
        "The app is done",
        "The auth module is done",
        "Postgres is done",
        "JWT is done",
        "It works now",
        "That's finished",
        "done",
    ],
)
def test_a_completion_that_may_mean_something_else_closes_nothing(memory: Memory, said: str) -> None:
    with memory.update() as work:
        for task in TASKS:
            work.add_goal(task)
    memory.hear(said)
    assert [g.text for g in memory.state.goals if not g.open] == []


def test_of_two_goals_that_fit_neither_is_closed(memory: Memory) -> None:
    with memory.update() as work:
        work.add_goal("add a page for admins")
        work.add_goal("add a page for guests")
        work.add_goal("add a menu")
    memory.hear("The page is done")
    memory.hear("The menu is done")
    assert [g.text for g in memory.state.goals if not g.open] == ["add a menu"]


@pytest.mark.requirement("Q1")
@pytest.mark.parametrize(
    ("goal", "said"),
    [
        ("I want to build a dashboard", "the dashboard is finished"),
        ("I want to build a dashboard", "dashboard's done"),
        ("I want to build a dashboard", "the dashboard is ready"),
        ("I want to build a sales dashboard", "the dashboard is finished"),
        ("I want to build a dashboard that shows the sales", "the dashboard is done now"),
        ("I want to build a dashboard for the sales team", "we've finished the dashboard"),
        ("Let's build a dashboard with charts", "ok, dashboard is complete"),
        ("I want to fix the token expiration bug", "the bug is fixed"),
    ],
)
def test_a_goal_is_known_by_what_it_makes(memory: Memory, goal: str, said: str) -> None:
    memory.hear(goal, at=later(0))
    memory.say("Sure.", at=later(1))
    memory.hear(said, at=later(2))
    assert [g.status for g in memory.state.goals] == ["complete"]


@pytest.mark.parametrize(
    "said",
    [
        "the data for the dashboard is ready",
        "the dashboard is ready to be tested",
        "the dashboard tests are done",
        "the dashboard is almost finished",
        "the page is done",
        "the sales are done",
    ],
)
def test_a_goal_stays_open_where_something_else_is_done(memory: Memory, said: str) -> None:
    memory.hear("I want to build a sales dashboard", at=later(0))
    memory.hear(said, at=later(1))
    assert [g.status for g in memory.state.goals] == ["pending"]


def test_of_two_things_to_do_one_does_not_finish_both(memory: Memory) -> None:
    memory.hear("I want to build a dashboard and a settings page", at=later(0))
    memory.hear("the page is done", at=later(1))
    assert [g.status for g in memory.state.goals] == ["pending"]


def test_of_two_dashboards_none_is_the_dashboard(memory: Memory) -> None:
    with memory.update() as work:
        work.add_goal("build a sales dashboard")
        work.add_goal("design the admin dashboard")
    memory.hear("the dashboard is done")
    assert [g.status for g in memory.state.goals] == ["pending", "pending"]


def test_it_is_what_it_means_that_is_done(memory: Memory) -> None:
    memory.hear("I want to add a FAB button", at=later(0))
    memory.hear("It is done", at=later(1))
    assert [(g.text, g.status) for g in memory.state.goals] == [("add a FAB button", "complete")]


def test_a_goal_is_in_progress_once_somebody_works_on_it(memory: Memory) -> None:
    with memory.update() as work:
        work.add_goal("add a login page")
        work.add_goal("add a settings page")
    memory.hear("I'm working on the login page")
    assert [(g.text, g.status) for g in memory.state.goals] == [
        ("add a login page", "in-progress"),
        ("add a settings page", "pending"),
    ]


@pytest.mark.requirement("Q1")
@pytest.mark.parametrize(
    ("older", "newer", "superseded"),
    [
        ("use SQLite", "use Postgres", True),
        ("use HS256", "use RS256 instead of HS256", True),
        ("use SQLite", "replace SQLite with Postgres", True),
        ("use Redis for the sessions", "go with Postgres for the sessions", True),
        ("use Redis", "don't use Redis", True),
        ("don't use Redis", "use Redis", True),
        ("use tabs", "use spaces", True),
        ("use npm", "switch to pnpm", True),
        ("set the timeout to 30s", "set the timeout to 60s", True),
        ("Token TTL is 1 hour", "Token TTL is 2 hours", True),
        ("use blue for the header", "use green for the header", True),
        ("use SQLite", "use Postgres for the tests", False),
        ("use Postgres", "use Redis", False),
        ("use pytest for the tests", "use mocks for the tests", False),
        ("use blue", "use green", False),
        ("use red for errors", "use green for success", False),
        ("use Postgres and Redis", "use MySQL", False),
        ("use Python", "use Rust", False),
        ("use Django", "use React", False),
        ("go with option A", "go with option B", False),
        ("set the timeout to 30s", "set the limit to 60", False),
        ("don't use Redis", "don't use Kafka", False),
    ],
)
def test_a_newer_decision_stands_for_an_older_one_on_the_same_subject(
    memory: Memory, older: str, newer: str, superseded: bool
) -> None:
    memory.update(lambda work: work.decide(older, because="so it was"))
    state = memory.update(lambda work: work.decide(newer))
    first, second = state.decisions
    assert (first.superseded_by, second.superseded_by) == (second.id if superseded else None, None)
    shown = dict(render(state, Settings()))["Key Decisions"]
    assert shown == [newer] if superseded else [f"{older}\n  *Rationale: so it was*", newer]


@pytest.mark.requirement("Q1")
@pytest.mark.parametrize(
    ("older", "newer", "standing"),
    [
        ("Let's use Jest", "No, use Vitest instead of Jest", "use Vitest instead of Jest"),
        ("use RS256 for the tokens", "don't use RS256, use ES256", "use ES256 instead of RS256"),
        ("Let's use Redux", "Scrap that, let's use Zustand", "use Zustand instead of Redux"),
        ("Let's use Trello for the tasks", "Actually forget that. Let's use Linear.", "use Linear instead of Trello"),
        ("We'll go with Figma", "I changed my mind, we'll go with Sketch", "go with Sketch instead of Figma"),
        ("We'll go with Figma", "Ditch Figma and use Sketch", "use Sketch instead of Figma"),
        ("Let's use Trello", "Let's switch from Trello to Linear", "switch from Trello to Linear"),
        ("Let's use Trello", "We're moving from Trello to Linear", "switch from Trello to Linear"),
        ("Let's use Trello", "Hmm, let's use Linear instead", "use Linear instead of Trello"),
    ],
)
def test_who_takes_a_decision_back_is_left_with_the_new_one(
    memory: Memory, older: str, newer: str, standing: str
) -> None:
    memory.hear(older, at=later(0))
    memory.say("Okay.", at=later(1))
    memory.hear(newer, at=later(2))
    first, second = memory.state.decisions
    assert (first.superseded_by, second.text, second.open) == (second.id, standing, True)


@pytest.mark.parametrize(
    "newer",
    [
        "Use UUIDs instead",  # of something in the reply, as likely
        "Should we scrap that and use Linear?",
        "If it is slow, scrap that and use Linear",
    ],
)
def test_where_it_is_not_clear_what_is_taken_back_the_older_decision_stands(memory: Memory, newer: str) -> None:
    memory.hear("Let's use Trello", at=later(0))
    memory.say("Okay, here is the board.", at=later(1))
    memory.hear(newer, at=later(2))
    assert memory.state.decisions[0].open


def test_what_is_forbidden_is_no_longer_decided_until_the_ban_is_taken_back(any_memory: Memory) -> None:
    any_memory.hear("Let's use Redux", at=later(0))
    any_memory.hear("Don't use Redux", at=later(1), id="m2")
    assert [d.open for d in any_memory.state.decisions] == [False]
    assert [c.text for c in any_memory.state.constraints] == ["Don't use Redux"]
    any_memory.undo("m2")
    assert [d.open for d in any_memory.state.decisions] == [True]


def test_what_was_superseded_can_be_decided_again(memory: Memory) -> None:
    for choice in ("SQLite", "Postgres", "SQLite"):
        memory.update(lambda work, choice=choice: work.decide(f"use {choice}"))  # type: ignore[misc]
    assert [d.text for d in memory.state.decisions if d.open] == ["use SQLite"]
    assert len(memory.state.decisions) == 3


@pytest.mark.requirement("Q1")
def test_what_a_message_changed_can_be_taken_back_and_stays_away(any_memory: Memory) -> None:
    any_memory.update(lambda work: work.add_goal("add a login page"))
    any_memory.hear("Let's use SQLite", id="m1")
    any_memory.hear("Let's use Postgres. The login page is done.", id="m2")
    assert [g.status for g in any_memory.state.goals] == ["complete"]
    undone = any_memory.undo("m2")
    assert undone.removed == ("use Postgres",)
    assert sorted(undone.restored) == ["add a login page", "use SQLite"]
    assert [d.text for d in any_memory.state.decisions if d.open] == ["use SQLite"]
    assert [g.status for g in any_memory.state.goals] == ["pending"]
    told = [e for e in any_memory.events() if e.kind == "state.undone"]
    assert [(len(e.data["removed"]), len(e.data["restored"])) for e in told] == [(1, 2)]


def test_an_item_that_was_taken_back_is_not_brought_in_again_by_a_file(any_memory: Memory) -> None:
    any_memory.hear("We must never log tokens", id="m1")
    any_memory.update(lambda work: work.remember("Demo on Friday"))
    any_memory.export("before.json")
    [constraint], [note] = any_memory.state.constraints, any_memory.state.notes
    any_memory.undo(constraint.id)
    any_memory.undo("demo on friday")
    any_memory.import_file("before.json")
    assert (any_memory.state.constraints, any_memory.state.notes) == ((), ())
    any_memory.hear("We must never log tokens", id="m2")
    any_memory.update(lambda work: work.remember("Demo on Friday"), at=later(days=1))
    assert [c.message_id for c in any_memory.state.constraints] == ["m2"]
    assert [n.text for n in any_memory.state.notes] == [note.text]


def test_with_nothing_to_undo_it_says_so_and_nothing_happens(any_memory: Memory) -> None:
    any_memory.hear("What time is it?")
    with pytest.raises(NotFound, match="could be undone"):
        any_memory.undo()
    with pytest.raises(NotFound, match="no item 'nothing'"):
        any_memory.undo("nothing")
    assert [e.kind for e in any_memory.events() if e.kind.startswith("state")] == []


def test_forgetting_a_message_forgets_what_was_taken_back_of_it(any_memory: Memory) -> None:
    any_memory.hear("We must never log tokens", id="m1")
    any_memory.undo("m1")
    assert any_memory.state.undone != ()
    any_memory.forget(message="m1")
    assert any_memory.state.undone == ()


# --- no more than is needed ---------------------------------------------------------------------------------------

KINDS: list[SignalKind] = [
    "goal",
    "decision",
    "constraint",
    "action",
    "remember",
    "fact",
    "preference",
    "completion",
    "withdrawal",
]
SAID = [
    "never use tabs",
    "tabs are fine now",
    "use port 80",
    "add a login page",
    "working on the login page",
    "the login page is done",
    "use tabs",
    "use spaces",
]
signals = st.lists(
    st.builds(Signal, st.sampled_from(KINDS), st.sampled_from([*SAID, "I live in Rome", "I moved to Oslo"])), max_size=6
)


@given(signals, signals)
def test_what_a_message_changes_can_be_told_from_the_lists_that_its_signals_are_about(
    before: list[Signal], said: list[Signal]
) -> None:
    def operations(found: list[Signal], id: str) -> State:
        return apply(state, operations_from(found, (), author="a", speaker="a", at=later(0), message_id=id))

    state = State()
    state = whole = operations(before, "m1")
    lists = lists_of(said)
    after = operations(said, "m2")
    state = replace(whole, **{name: () for name in LISTS if name not in lists})  # type: ignore[arg-type]
    part = operations(said, "m2")
    for name in LISTS:
        assert getattr(after, name) == getattr(part if name in lists else whole, name)
    assert (after.made, after.undone) == (part.made, part.undone)


def test_a_message_that_says_nothing_new_of_a_list_leaves_its_document_as_it_is(any_memory: Memory) -> None:
    def versions() -> dict[str, int]:
        view = any_memory._place.view
        return {document.id: document.version for document in view.documents("state")}

    any_memory.hear("I want to add a login page. We must never log tokens.", at=later(0))
    first = versions()
    any_memory.hear("Put the menu next to the footer", at=later(1))
    second = versions()
    any_memory.hear("The login page is done", at=later(2))
    third = versions()
    assert (first["goals"], second["goals"], third["goals"]) == (1, 1, 2)
    assert third["constraints"] == 1
    assert third["rest"] > second["rest"] > first["rest"]


def test_a_reason_that_nobody_can_see_is_none(memory: Memory) -> None:
    memory.hear("Let's use Redis because \u200b\u2060")
    assert [(decision.text, decision.because) for decision in memory.state.decisions] == [("use Redis", None)]
