"""The working state: changed by hand and by what is said, signed, never lost, the same after a trip through JSON."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anaphora
from anaphora import BadText, InputError, Memory, NotFound, State
from anaphora.codec import from_plain, to_plain
from anaphora.memory.items import items_of, mark_of, merged, tasks_of
from anaphora.memory.rendering import markdown, render
from anaphora.memory.working import Work, apply
from anaphora.settings import Settings
from anaphora.testing import FrozenClock
from anaphora.types import Entity, FileContext, Goal, Note
from tests.talk import says_something

AT = datetime(2025, 11, 3, 14, 20, tzinfo=UTC)


def worked(*changes: Callable[[Work], object], state: State = State()) -> State:  # noqa: B008 - it is frozen
    work = Work(state, author="ann", at=AT)
    for change in changes:
        change(work)
    return work.state


@pytest.fixture(params=["memory", "file"])
def kept(request: pytest.FixtureRequest, clock: FrozenClock, store_path: Path) -> Iterator[Memory]:
    """A memory on each store."""
    place = store_path if request.param == "file" else ":memory:"
    with anaphora.open(place, clock=clock, user="ann") as opened:
        yield opened


# --- changing it by hand ------------------------------------------------------------------------------------------


def test_what_is_done_in_a_block_is_applied_when_it_ends(kept: Memory) -> None:
    with kept.update(author="bob") as work:
        work.add_goal("Write tests", priority="high")
        work.decide("Use RS256", because="keys can be rotated")
        work.constrain("TTL 1 h")
        work.plan("Ask Eve")
        work.remember("The demo is on Friday")
        work.learn("tabs, not spaces", speaker="ann")
        assert kept.state == State()
    state = kept.state
    assert [(g.text, g.status, g.priority, g.author, g.created) for g in state.goals] == [
        ("Write tests", "pending", "high", "bob", AT)
    ]
    assert [(d.text, d.because, d.author, d.at) for d in state.decisions] == [
        ("Use RS256", "keys can be rotated", "bob", AT)
    ]
    assert [n.text for n in (*state.constraints, *state.notes)] == ["TTL 1 h", "The demo is on Friday"]
    assert [a.text for a in state.actions] == ["Ask Eve"]
    assert [(f.text, f.speaker) for f in state.facts] == [("tabs, not spaces", "ann")]
    assert state.version == 1
    assert [(e.kind, e.author) for e in kept.events()] == [("state.changed", "bob")]


def test_a_block_that_fails_changes_nothing(kept: Memory) -> None:
    with pytest.raises(ZeroDivisionError), kept.update() as work:  # noqa: PT012 - the block is what is tested
        work.add_goal("Write tests")
        _ = 1 / 0
    assert kept.state == State()
    assert kept.events() == []


def test_a_function_sees_the_newest_state_and_returns_what_came_of_it(kept: Memory) -> None:
    kept.update(lambda work: work.add_goal("One"))
    state = kept.update(lambda work: work.add_goal(f"After {work.state.goals[-1].text}"), author="bob", at=AT)
    assert [(g.text, g.author) for g in state.goals] == [("One", "ann"), ("After One", "bob")]
    assert kept.state == state


def test_a_function_that_fails_changes_nothing(kept: Memory) -> None:
    def fails(work: Work) -> None:
        work.add_goal("Half")
        work.complete_goal("no such goal")

    with pytest.raises(NotFound, match="no goal 'no such goal'"):
        kept.update(fails)
    assert kept.state == State()


def test_blocks_that_run_at_the_same_time_lose_nothing(kept: Memory) -> None:
    with kept.update(author="a") as first:
        first.add_goal("Of the first")
        with kept.update(author="b") as second:
            second.add_goal("Of the second")
    assert [(g.id, g.text, g.author) for g in kept.state.goals] == [
        ("goal-1", "Of the second", "b"),
        ("goal-2", "Of the first", "a"),
    ]


def test_many_threads_lose_no_update(kept: Memory) -> None:
    def add(name: str) -> None:
        for _ in range(10):
            kept.update(lambda work: work.plan(f"{name} after {len(work.state.actions)}"), author=name)

    threads = [threading.Thread(target=add, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    state = kept.state
    assert len(state.actions) == len({a.id for a in state.actions}) == state.made == 40
    assert [int(a.text.split()[-1]) for a in state.actions] == [*range(40)]


def test_a_goal_has_a_place_below_another_by_id_or_by_words() -> None:
    state = worked(
        lambda w: w.add_goal("Login"),
        lambda w: w.add_goal("Validate tokens", parent="goal-1"),
        lambda w: w.add_goal("Rotate keys", parent="VALIDATE tokens"),
    )
    assert [(g.id, g.parent) for g in state.goals] == [("goal-1", None), ("goal-2", "goal-1"), ("goal-3", "goal-2")]
    with pytest.raises(NotFound, match="no goal 'Logout'"):
        worked(lambda w: w.add_goal("X", parent="Logout"), state=state)


def test_a_goal_goes_from_pending_to_complete() -> None:
    state = worked(
        lambda w: w.add_goal("Login"),
        lambda w: w.set_goal("login", status="in-progress", priority="low"),
    )
    assert [(g.status, g.priority) for g in state.goals] == [("in-progress", "low")]
    done = worked(lambda w: w.complete_goal("goal-1"), state=state)
    assert [(g.status, g.priority) for g in done.goals] == [("complete", "low")]


def test_items_can_be_removed_and_their_ids_are_never_used_again() -> None:
    state = worked(
        lambda w: w.add_goal("Login"),
        lambda w: w.plan("Ask Eve"),
        lambda w: w.remove("act-2"),
        lambda w: w.plan("Ask Bob"),
    )
    assert ([g.id for g in state.goals], [a.id for a in state.actions]) == (["goal-1"], ["act-3"])
    with pytest.raises(NotFound, match="no item 'act-2'"):
        worked(lambda w: w.remove("act-2"), state=state)


def test_what_is_said_twice_is_kept_once() -> None:
    state = worked(lambda w: w.decide("Use RS256"), lambda w: w.constrain("TTL 1 h"))
    assert worked(lambda w: w.decide("use rs256"), lambda w: w.constrain("TTL 1 h"), state=state) == state


def test_a_goal_that_was_reached_can_be_set_again() -> None:
    state = worked(
        lambda w: w.add_goal("Release"), lambda w: w.complete_goal("Release"), lambda w: w.add_goal("Release")
    )
    assert [(g.id, g.status) for g in state.goals] == [("goal-1", "complete"), ("goal-2", "pending")]
    assert [g.status for g in worked(lambda w: w.complete_goal("release"), state=state).goals] == ["complete"] * 2


def test_two_people_can_have_the_same_preference() -> None:
    state = worked(lambda w: w.learn("tabs", speaker="ann"), lambda w: w.learn("tabs", speaker="bob"))
    assert [f.speaker for f in state.facts] == ["ann", "bob"]
    assert render(state, Settings()) == [("About the User", ["ann: tabs", "bob: tabs"])]


@pytest.mark.parametrize(
    "change",
    [
        lambda w: w.add_goal(""),
        lambda w: w.add_goal("  \n"),
        lambda w: w.add_goal(None),
        lambda w: w.add_goal("X", priority="urgent"),
        lambda w: w.set_goal("Login", status="done"),
        lambda w: w.set_goal("Login", priority="urgent"),
        lambda w: w.decide("X", because=5),
        lambda w: w.decide(" "),
        lambda w: w.plan("a\0b"),
        lambda w: w.constrain("a\ud800"),
        lambda w: w.remember(""),
        lambda w: w.learn("tabs", speaker=""),
        lambda w: w.touch(""),
        lambda w: w.touch("a.py", function=5),
    ],
)
def test_what_could_not_be_read_back_is_refused(kept: Memory, change: Callable[[Any], object]) -> None:
    before = kept.update(lambda work: work.add_goal("Login"))
    with pytest.raises(InputError):
        kept.update(change)
    assert kept.state == before


def test_a_bad_choice_says_which_there_are() -> None:
    with pytest.raises(InputError, match=r"Unknown status 'done'. Use one of: pending, in-progress, complete"):
        worked(lambda w: w.add_goal("X"), lambda w: w.set_goal("X", status="done"))  # type: ignore[arg-type]
    with pytest.raises(BadText, match="not ''"):
        worked(lambda w: w.plan(""))


def test_no_secret_gets_into_the_state() -> None:
    key = "sk-ant-" + "a1" * 20
    state = worked(
        lambda w: w.remember(f"the key is {key}"),
        lambda w: w.decide(f"use {key}", because=f"{key} works"),
        lambda w: w.add_goal(f"rotate {key}"),
    )
    assert key not in json.dumps(to_plain(state))
    assert state.notes[0].text == "the key is [redacted: anthropic key]"


# --- files --------------------------------------------------------------------------------------------------------


def test_touching_says_which_files_and_function_are_worked_on(kept: Memory) -> None:
    kept.touch("auth/jwt.py", function="validate_token", edited=True)
    kept.touch("auth/keys.py")
    kept.touch("auth/jwt.py")
    assert kept.state.files == FileContext(("auth/keys.py", "auth/jwt.py"), "auth/jwt.py", "validate_token")
    assert [(e.kind, e.data.get("path")) for e in kept.events() if e.kind == "file.touched"] == [
        ("file.touched", "auth/jwt.py"),
        ("file.touched", "auth/keys.py"),
        ("file.touched", "auth/jwt.py"),
    ]


def test_an_edited_file_belongs_to_the_open_conversation(kept: Memory) -> None:
    turn = kept.hear("I want to add a FAB button")
    kept.touch("app/fab.py", edited=True)
    kept.touch("app/read_only.py")
    assert kept.conversation(turn.conversation.id).files_modified == ("app/fab.py",)


def test_the_newest_files_are_kept() -> None:
    state = worked(*(lambda w, n=n: w.touch(f"{n}.py") for n in range(25)))
    assert state.files.files == tuple(f"{n}.py" for n in range(5, 25))


def test_entities_are_kept_by_kind_and_each_once() -> None:
    seen = [
        Entity("jwt.py", "file", (0, 6)),
        Entity("Redis", "technology", (0, 5)),
        Entity("purple", "concept", (0, 6), "attribute"),
        Entity("FAB button", "concept", (0, 10)),
    ]
    state = worked(lambda w: w.see(seen), lambda w: w.see([Entity("redis", "technology", (0, 5))]))
    assert state.entities == {"files": ("jwt.py",), "technologies": ("redis",), "concepts": ("FAB button",)}


# --- by what is said ----------------------------------------------------------------------------------------------


def test_what_is_said_feeds_the_state(kept: Memory) -> None:
    goal = kept.hear("I want to add a login page", id="m1")
    decision = kept.hear("Let's use RS256 because keys can be rotated", id="m2")
    kept.hear("The tokens must expire after one hour", id="m3")
    kept.hear("My name is Ann", id="m4", speaker="bob")
    state = kept.state
    assert goal.question is None
    assert decision.question is None
    assert [(g.text, g.message_id, g.author) for g in state.goals] == [("add a login page", "m1", "ann")]
    (decided,) = state.decisions
    assert ("RS256" in decided.text, decided.because, decided.message_id) == (True, "keys can be rotated", "m2")
    assert any("expire after one hour" in c.text and c.message_id == "m3" for c in state.constraints)
    assert [(f.text, f.speaker, f.message_id) for f in state.facts] == [("My name is Ann", "bob", "m4")]
    assert "login page" in state.entities["concepts"]


def test_the_same_message_twice_changes_the_state_once(kept: Memory) -> None:
    kept.hear("I want to add a login page", id="m1")
    before = kept.state
    kept.hear("I want to add a login page", id="m1")
    assert kept.state == before


@pytest.mark.parametrize("text", ["I want to ...", "Let's use it because ...", "remember: ...", "I prefer ..."])
def test_a_sentence_that_breaks_off_leaves_nothing_empty_behind(kept: Memory, text: str) -> None:
    kept.hear(text)
    state = kept.state
    items = [*state.goals, *state.decisions, *state.notes, *state.facts]
    assert [i for i in map(to_plain, items) if not i["text"].strip()] == []


def test_all_sessions_and_nobody_else_share_a_state(store_path: Path, clock: FrozenClock) -> None:
    with (
        anaphora.open(store_path, clock=clock, user="ann", session="a") as first,
        anaphora.open(store_path, clock=clock, user="ann", session="b") as second,
        anaphora.open(store_path, clock=clock, user="bob") as stranger,
    ):
        first.update(lambda work: work.add_goal("Login"))
        assert second.state == first.state != State()
        assert stranger.state == State()


def test_a_state_that_was_stored_in_one_document_is_read_and_changed_like_any_other(kept: Memory) -> None:
    old = worked(lambda w: w.add_goal("Login"), lambda w: w.touch("a.py"), lambda w: w.constrain("TTL 1 h"))
    with kept._place.store.transaction(kept.scope) as tx:
        tx.put("state", "working", to_plain(old, lean=True))
    assert kept.state == replace(old, version=1)
    kept.hear("I want to add a footer")
    state = kept.state
    assert [g.text for g in state.goals] == ["Login", "add a footer"]
    assert (state.files, state.constraints, state.made) == (old.files, old.constraints, 3)
    assert kept._place.view.document("state", "working") is None


# --- any item ----------------------------------------------------------------------------------------------------


@pytest.mark.requirement("Q1")
def test_every_kind_of_item_can_be_added_changed_and_removed_by_hand(kept: Memory) -> None:
    with kept.update() as work:
        work.add_goal("A goal")
        work.plan("An action")
        work.decide("A decision")
        work.constrain("A constraint")
        work.remember("A note")
        work.learn("A fact", speaker="ann")
    ids = [i.id for i in items_of(kept.state)]
    with kept.update() as work:
        for id in ids:
            work.change(id, text=f"Another {id}")
        work.change("dec-3", because="reasons")
    assert [i.text for i in items_of(kept.state)] == [f"Another {id}" for id in ids]
    assert kept.state.decisions[0].because == "reasons"
    with kept.update() as work:
        work.complete("goal-1")
        work.complete("another act-2")
    assert [t.open for t in tasks_of(kept.state)] == [False, False]
    with kept.update() as work:
        for id in ids:
            work.remove(id)
    assert items_of(kept.state) == []


def test_an_item_can_be_named_by_some_of_its_words_if_they_fit_no_other() -> None:
    state = worked(
        lambda w: w.add_goal("Implement JWT authentication system"), lambda w: w.add_goal("Implement dark mode")
    )
    done = worked(lambda w: w.complete_goal("Implement JWT authentication"), state=state)
    assert [g.status for g in done.goals] == ["complete", "pending"]
    with pytest.raises(InputError, match=r"fits 2 items: goal-1 .*; goal-2 .*\. Use the id\."):
        worked(lambda w: w.complete_goal("implement"), state=state)
    with pytest.raises(NotFound, match=r"Did you mean goal-2 “Implement dark mode”\?"):
        worked(lambda w: w.complete_goal("implemnt dark mod"), state=state)


def test_a_goal_never_stands_below_itself() -> None:
    state = worked(lambda w: w.add_goal("A"), lambda w: w.add_goal("B", parent="A"), lambda w: w.add_goal("C"))
    moved = worked(lambda w: w.set_goal("C", parent="B"), state=state)
    assert [g.parent for g in moved.goals] == [None, "goal-1", "goal-2"]
    for name in ("A", "C"):
        with pytest.raises(InputError, match="below itself"):
            worked(lambda w, name=name: w.set_goal("A", parent=name), state=moved)  # type: ignore[misc]
    assert [g.parent for g in worked(lambda w: w.set_goal("B", parent=""), state=moved).goals][1] is None
    assert [g.parent for g in worked(lambda w: w.remove("A"), state=moved).goals] == [None, "goal-2"]


def test_another_file_that_is_edited_is_worked_on_in_no_function_until_one_is_named() -> None:
    state = worked(
        lambda w: w.touch("a.py", function="run", edited=True),
        lambda w: w.touch("b.py", edited=True),
    )
    assert state.files == FileContext(("a.py", "b.py"), "b.py", None)


# --- as JSON, as Markdown -----------------------------------------------------------------------------------------

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=12).filter(
    says_something
)
Change = Callable[[Work, str], object]
BY_ID: list[Change] = [
    lambda w, text: w.add_goal(text, priority="low"),
    lambda w, text: w.add_goal(text, parent=w.state.goals[0].id if w.state.goals else None),
    lambda w, _: w.complete_goal(w.state.goals[0].id) if w.state.goals else None,
    lambda w, _: w.complete(w.state.actions[0].id) if w.state.actions else None,
    lambda w, _: w.undo(w.state.notes[0].id) if w.state.notes else None,
]
ADDING: list[Change] = [
    lambda w, text: w.decide(text, because=text),
    lambda w, text: w.plan(text),
    lambda w, text: w.constrain(text),
    lambda w, text: w.remember(text),
    lambda w, text: w.learn(text, speaker=text),
    lambda w, text: w.learn(f"I live in {text}", speaker="ann"),
    lambda w, text: w.decide(f"use {'tabs' if w.state.made % 2 else 'spaces'}", because=text),
    lambda w, text: w.touch(text, function=text, edited=True),
    lambda w, text: w.see([Entity(text, "person", (0, 1))]),
]
states = st.lists(st.tuples(st.sampled_from([*BY_ID, *ADDING]), texts), max_size=12).map(
    lambda steps: worked(*(lambda w, c=change, t=text: c(w, t) for change, text in steps))
)


@pytest.mark.requirement("Q2")
@given(states)
def test_the_state_comes_back_from_json_as_it_was(state: State) -> None:
    for lean in (False, True):
        assert from_plain(State, json.loads(json.dumps(to_plain(state, lean=lean)))) == state


@given(st.lists(st.tuples(st.sampled_from(ADDING), texts), max_size=8), states)
def test_operations_can_be_applied_again_to_another_state(steps: list[tuple[Change, str]], other: State) -> None:
    work = Work(State(), author="ann", at=AT)
    for change, text in steps:
        change(work, text)
    assert apply(State(), work.operations) == work.state
    again = apply(other, work.operations)
    assert again.goals == other.goals
    assert [d.text for d in again.decisions[: len(other.decisions)]] == [d.text for d in other.decisions]
    texts_there = {d.text.lower() for d in (*other.decisions, *work.state.decisions)}
    assert {d.text.lower() for d in again.decisions} == texts_there


def test_the_state_reads_in_the_order_in_which_it_is_needed() -> None:
    state = worked(
        lambda w: w.learn("tabs", speaker="ann"),
        lambda w: w.remember("Demo on Friday"),
        lambda w: w.plan("Ask Eve"),
        lambda w: w.touch("a.py", function="run", edited=True),
        lambda w: w.touch("b.py"),
        *(lambda w, n=n: w.decide(f"Decision {n}", because="why" if n == 5 else None) for n in range(1, 6)),
        lambda w: w.constrain("TTL 1 h"),
        lambda w: w.add_goal("Login"),
        lambda w: w.add_goal("Logout"),
        lambda w: w.add_goal("Old"),
        lambda w: w.set_goal("Logout", status="in-progress"),
        lambda w: w.complete_goal("Old"),
    )
    assert render(state, Settings()) == [
        ("Active Goals", ["⏳ Login", "🔄 Logout"]),
        ("Current Files", ["a.py (last edited, in run)", "b.py"]),
        ("Key Decisions", ["Decision 3", "Decision 4", "Decision 5\n  *Rationale: why*"]),
        ("Important Constraints", ["TTL 1 h"]),
        ("Pending Actions", ["Ask Eve"]),
        ("Remember", ["Demo on Friday"]),
        ("About the User", ["tabs"]),
    ]
    assert dict(render(state, Settings(decisions_shown=1)))["Key Decisions"] == ["Decision 5\n  *Rationale: why*"]
    assert "Key Decisions" not in dict(render(state, Settings(decisions_shown=0)))
    assert render(State(), Settings()) == []


@pytest.mark.requirement("Q2")
def test_the_markdown_is_that_of_the_reference() -> None:
    state = worked(
        lambda w: w.add_goal("Implement JWT authentication", priority="high"),
        lambda w: w.set_goal("Implement JWT authentication", status="in-progress"),
        lambda w: w.add_goal("Fix token expiration bug"),
        lambda w: w.touch("auth/jwt.py"),
        lambda w: w.touch("auth/validators.py"),
        *(lambda w, n=n: w.decide(f"Decision {n}", because=f"Reason {n}") for n in range(1, 5)),
        lambda w: w.constrain("Token TTL must be 1 hour"),
        lambda w: w.constrain("Must support refresh tokens"),
    )
    assert markdown(state, Settings()) == (
        "# Current Context\n\n"
        "## Active Goals\n- 🔄 Implement JWT authentication\n- ⏳ Fix token expiration bug\n\n"
        "## Current Files\n- auth/jwt.py\n- auth/validators.py\n\n"
        "## Key Decisions\n"
        "- Decision 2\n  *Rationale: Reason 2*\n"
        "- Decision 3\n  *Rationale: Reason 3*\n"
        "- Decision 4\n  *Rationale: Reason 4*\n\n"
        "## Important Constraints\n- Token TTL must be 1 hour\n- Must support refresh tokens\n"
    )
    assert markdown(State(), Settings()) == "# Current Context\n"


# --- two states in one --------------------------------------------------------------------------------------------


@given(states, states)
def test_merging_loses_nothing_but_what_was_taken_back_here_and_twice_is_once(here: State, there: State) -> None:
    both = merged(here, there)
    assert merged(both, there) == both
    for place in ("goals", "actions", "decisions", "constraints", "notes", "facts"):
        mine, theirs, all_of_them = (getattr(s, place) for s in (here, there, both))
        assert [i.id for i in all_of_them[: len(mine)]] == [i.id for i in mine]
        wanted = [i for i in theirs if mark_of(place, i) not in here.undone]
        assert {i.text.lower() for i in all_of_them} == {i.text.lower() for i in (*mine, *wanted)}
        assert len({i.id for i in all_of_them}) == len(all_of_them)
    ids = {g.id for g in both.goals}
    assert all(g.parent in ids for g in both.goals if g.parent is not None)


@given(states)
def test_merging_into_nothing_gives_the_other_state(there: State) -> None:
    assert merged(State(), there) == there


def test_a_fact_that_came_back_keeps_its_history_when_states_are_merged() -> None:
    homes = ("I live in Bonn", "I live in Graz", "I live in Bonn", "I live in Graz")
    there = worked(*(lambda work, home=home: work.learn(home, speaker="ann") for home in homes))
    assert merged(State(), there) == there


def test_ids_that_are_taken_are_given_anew_with_their_children() -> None:
    here = worked(lambda w: w.add_goal("Mine"))
    there = worked(lambda w: w.add_goal("Theirs"), lambda w: w.add_goal("Below", parent="Theirs"))
    later = AT + timedelta(1)
    both = merged(here, replace(there, goals=tuple(replace(g, created=later) for g in there.goals)))
    assert both.goals == (
        Goal("goal-1", "Mine", "pending", "medium", AT, "ann"),
        Goal("goal-3", "Theirs", "pending", "medium", later, "ann"),
        Goal("goal-2", "Below", "pending", "medium", later, "ann", parent="goal-3"),
    )
    assert both.made == 3
    assert worked(lambda w: w.remember("Next"), state=both).notes == (Note("note-4", "Next", AT, "ann"),)


def test_a_list_that_grows_too_long_lets_go_of_the_oldest_that_was_gathered_and_of_none_set_by_hand() -> None:
    with anaphora.open(":memory:") as memory:
        with memory.update() as work:
            work.constrain("Set by hand")
        for n in range(260):
            memory.hear(f"The value must stay below {n}")
        said = [c.text for c in memory.state.constraints]
        assert len(said) == 200
        assert said[0] == "Set by hand"
        assert said[-1] == "The value must stay below 259"
        assert memory.recall("value below 3", k=1) != []
