"""Sessions as people keep them: metadata, titles, tags, restoring, and pointing from one to another."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

import anaphora
from anaphora import Memory, NotFound
from anaphora.settings import PresetName
from anaphora.testing import FrozenClock
from tests.commands import error, own_store, run
from tests.talk import BOTH_STORES, later, stored_bytes

WITH_READER = True


def two_topics(memory: Memory) -> None:
    memory.hear("I want to add a FAB button", at=later(0), id="fab")
    memory.say("Where should it go?", at=later(1))
    memory.touch("src/button.tsx", edited=True, at=later(1))
    memory.hear("Next I need to write tests for the FAB button", at=later(2))
    memory.hear("New topic: let's build the login page", at=later(days=4))
    memory.hear("Put a remember-me checkbox in it", at=later(1, days=4))


# --- metadata -----------------------------------------------------------------------------------------------------


@pytest.mark.requirement("Q10")
def test_a_session_knows_its_title_status_authors_files_tags_counts_and_times(any_memory: Memory) -> None:
    two_topics(any_memory)
    any_memory.tag("1", "design", "Urgent")
    first, second = any_memory.conversations()
    assert (first.number, first.title, first.message_count) == (1, "FAB Button", 3)
    assert (first.status, second.status, second.active) == (first.outcome, "active", True)
    assert first.authors == ("me", "assistant")
    assert first.primary_files == ("src/button.tsx",)
    assert first.tags == ("design", "Urgent")
    assert (first.started, first.last_at) == (later(0), later(2))


@pytest.mark.requirement("Q10")
def test_tags_and_titles_can_be_changed(any_memory: Memory) -> None:
    two_topics(any_memory)
    any_memory.tag("1", "design", "urgent", "Design")
    assert any_memory.tag("1", "later", remove=["URGENT"]).tags == ("Design", "later")
    assert any_memory.rename("1", "The round button").title == "The round button"
    assert any_memory.conversation("the round BUTTON").id == any_memory.conversations()[0].id
    with pytest.raises(NotFound):
        any_memory.rename("FAB Button", "x")
    with pytest.raises(anaphora.InputError):
        any_memory.rename("1", "  ")


# --- restoring ----------------------------------------------------------------------------------------------------


@pytest.mark.requirement("Q10")
def test_restoring_brings_state_last_messages_and_summary_back(any_memory: Memory) -> None:
    two_topics(any_memory)
    for n in range(14):
        any_memory.hear(f"Put field {n} on the login page", at=later(2 + n, days=4))
    any_memory.touch("src/login.tsx", edited=True, at=later(20, days=4))
    restored = any_memory.restore("FAB Button", at=later(days=5))
    assert (restored.active, [m.id for m in restored.messages][:1]) == (True, ["fab"])
    assert any_memory.state.files.files[-1] == "src/button.tsx"
    assert "add a FAB button" in any_memory.summary
    assert len(any_memory.restore("Login Page", at=later(days=6)).messages) == 10
    assert any_memory.hear("Make it blue", at=later(1, days=6)).conversation.title == "Login Page"


@pytest.mark.requirement("Q10")
def test_the_state_is_shown_to_the_user(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_store(store_path, monkeypatch)
    run("hear", "I want to add a FAB button")
    run("hear", "It must be purple")
    run("sessions", "new", "Lunch")
    shown = run("sessions", "restore", "1").stdout
    assert "✓ Restored session: #1 FAB Button" in shown
    assert "Active goals: 1 (add a FAB button)" in shown
    assert "Last activity: It must be purple" in shown
    assert "## Objective" in shown
    found = json.loads(run("sessions", "restore", "Lunch", "--json").stdout)
    assert (found["title"], found["status"]) == ("Lunch", "active")
    assert found["state"]["goals"][0]["text"] == "add a FAB button"


def test_the_commands_rename_tag_and_archive(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_store(store_path, monkeypatch)
    assert "Nothing was archived yet" in run("sessions", "fragments").stdout
    assert "nothing to archive" in error("sessions", "archive")
    run("hear", "I want to add a FAB button")
    assert run("sessions", "rename", "1", "Round button").stdout == "Renamed #1 Round button.\n"
    run("sessions", "end")
    assert run("sessions", "rename", "1", "Round button").stdout == "Renamed #1 Round button.\n"
    assert run("sessions", "tag", "1", "design").stdout == "#1 Round button: design.\n"
    assert run("sessions", "tag", "1", "--remove", "design").stdout == "#1 Round button: no tags.\n"
    assert run("sessions", "archive", "--title", "All about it").stdout.startswith("Archived All about it (1 message)")
    assert "All about it" in run("sessions", "fragments").stdout
    assert "add a FAB button" in run("sessions", "fragments", "all about it").stdout
    assert json.loads(run("sessions", "fragments", "--json").stdout)[0]["why"] == "by hand"
    assert "There is no fragment" in error("sessions", "fragments", "nothing")


# --- pointing from one to another ---------------------------------------------------------------------------------

ACROSS = [
    ("Make it purple like in conversation #1", "conversation #1", "FAB Button"),
    ("Use the colors of session 2", "session 2", "Login Page"),
    ("Copy the button from last week", "the button", "FAB button"),
    ("Do the same as in the login page conversation", "the login page conversation", "Login Page"),
    ("Make it round, as in our chat about the FAB button", "chat about the FAB button", "FAB Button"),
    ("Use the fields from the conversation about the checkbox", "conversation about the checkbox", "Login Page"),
]


@pytest.mark.requirement("B6")
@pytest.mark.parametrize(("said", "mention", "referent"), ACROSS)
def test_another_conversation_is_found_by_number_title_or_time_and_the_link_is_stored(
    any_memory: Memory, said: str, mention: str, referent: str
) -> None:
    two_topics(any_memory)
    any_memory.hear("New topic: I need a settings dialog", at=later(days=7))
    turn = any_memory.hear(said, at=later(1, days=7))
    [link] = [r for r in turn.references if r.conversation_id]
    assert (link.mention, link.referent) == (mention, referent)
    [linked] = turn.conversation.links
    assert linked == link.conversation_id
    assert any_memory.conversation(linked).number == (1 if "FAB" in referent else 2)
    assert any_memory.conversation("3").links == (linked,)


ALONE = [
    "Let's have a conversation",
    "Add a chat window to the settings dialog",
    "The last conversation was fun",
    "Delete the session cookie",
]


@pytest.mark.requirement("B6")
@pytest.mark.parametrize("said", ALONE)
def test_talk_about_talk_points_to_no_other_conversation(any_memory: Memory, said: str) -> None:
    two_topics(any_memory)
    any_memory.hear("New topic: I need a settings dialog", at=later(days=7))
    turn = any_memory.hear(said, at=later(1, days=7))
    assert [r for r in turn.references if r.conversation_id] == []


@pytest.mark.requirement("B6")
def test_numbers_run_from_the_oldest_in_the_queue(clock: FrozenClock) -> None:
    with anaphora.open(":memory:", clock=clock, queue=2) as memory:
        two_topics(memory)
        memory.hear("New topic: I need a settings dialog", at=later(days=7))
        assert [(c.number, c.title) for c in memory.conversations()] == [(1, "Login Page"), (2, "Settings Dialog")]
        turn = memory.hear("Make it purple like in conversation #1", at=later(1, days=7))
        assert "conversation #1 (Login Page)" in turn.expanded


BACK = [
    "back to the checkbox",
    "Back to the login page: add a logo",
    "Let's go back to the remember-me checkboxes",
    "back to the login page",
]


@pytest.mark.parametrize("said", BACK)
def test_going_back_finds_what_was_talked_about_where_the_title_does_not_say_it(any_memory: Memory, said: str) -> None:
    two_topics(any_memory)
    any_memory.rename("2", "Misc")
    any_memory.hear("New topic: I need a settings dialog", at=later(days=7))
    assert any_memory.hear(said, at=later(1, days=7)).conversation.title == "Misc"


# --- leaving ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", BOTH_STORES)
def test_sessions_that_were_left_open_do_not_fill_the_queue_for_ever(place: str, clock: FrozenClock) -> None:
    for n in range(6):
        with anaphora.open(place, clock=clock, session=f"window {n}", queue=3) as memory:
            memory.hear(f"I want to paint wall number {n}", at=later(days=n))
            titles = [c.title for c in memory.conversations()]
    if place != ":memory:":
        assert len(titles) == 6  # none of them was left for a week yet
    with anaphora.open(place, clock=clock, session="last", queue=3) as memory:
        for n in range(6):
            memory.new(f"Topic {n}", at=later(days=20 + n))
        assert len(memory.conversations()) == 3
        left = [e for e in memory.events() if e.kind == "conversation.stored" and e.data.get("outcome") == "abandoned"]
        assert len(left) >= (6 if place != ":memory:" else 0)


@pytest.mark.requirement("B2")
@pytest.mark.parametrize("preset", ["kds", "brain"])
def test_what_leaves_by_itself_is_really_gone(preset: PresetName, store_path: Path, clock: FrozenClock) -> None:
    with anaphora.open(store_path, clock=clock, preset=preset, queue=2) as memory:
        memory.hear("I want to add a zebrafish tank", at=later(0))
        memory.archive(at=later(1))
        memory.finish()
        for n in range(12):
            memory.new(f"Topic {n}", at=later(days=1 + n))
            memory.hear(f"Paint wall {n}", at=later(1, days=1 + n))
        memory.finish()
        memory._place.store.scrub()
        assert memory.fragments() == []
        assert b"zebrafish" not in stored_bytes(store_path).lower()
        assert memory.verify() == []


def test_in_preset_assistant_nothing_leaves_by_itself(clock: FrozenClock) -> None:
    with anaphora.open(":memory:", clock=clock, queue=2) as memory:
        memory.hear("I want to add a zebrafish tank", at=later(0))
        memory.archive(at=later(1))
        for n in range(12):
            memory.new(f"Topic {n}", at=later(1 + n) + timedelta(days=400))
            memory.hear(f"Paint wall {n}", at=later(1 + n) + timedelta(days=400))
        memory.finish()
        assert len(memory.fragments()) == 1
        assert memory.recall("zebrafish tank", at=later(days=500))[0].text == "I want to add a zebrafish tank"


# --- age and sharing ----------------------------------------------------------------------------------------------


@pytest.mark.requirement("Q16")
def test_a_setting_decides_how_long_old_sessions_stay(store_path: Path, clock: FrozenClock) -> None:
    with anaphora.open(store_path, clock=clock, keep_sessions="30d") as memory:
        memory.hear("I want to add a zebrafish tank", at=later(0))
        memory.archive(at=later(1))
        memory.end(at=later(2))
        memory.new("Topic", at=later(days=20))
        memory.hear("Paint the wall", at=later(1, days=20))
        clock.advance(days=29)
        memory.finish()
        assert len(memory.conversations()) == 2
        clock.advance(days=3)
        memory.finish()
        assert [c.title for c in memory.conversations()] == ["Topic"]
        assert memory.fragments() == []
        memory._place.store.scrub()
        assert b"zebrafish" not in stored_bytes(store_path).lower()
        [removed] = [e for e in memory.events() if e.kind == "conversation.removed"]
        assert removed.data == {"text": "deleted", "messages": 1, "why": "older than the setting keep_sessions"}
        assert memory.verify() == []


@pytest.mark.requirement("Q16")
def test_what_was_stored_to_be_kept_is_not_removed_by_a_setting_that_came_later(
    store_path: Path, clock: FrozenClock
) -> None:
    with anaphora.open(store_path, clock=clock) as memory:
        memory.hear("I want to add a zebrafish tank", at=later(0))
        memory.end(at=later(2))
    clock.advance(days=400)
    with anaphora.open(store_path, clock=clock, keep_sessions="30d") as memory:
        memory.finish()
        assert len(memory.conversations()) == 1
        with pytest.raises(anaphora.InputError):
            memory.prune(-timedelta(days=1))
        assert memory.prune(timedelta(days=500)).messages == 0
        assert memory.prune(timedelta(days=30)).messages == 1
        assert memory.conversations() == []


def test_the_command_forgets_what_is_old(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_store(store_path, monkeypatch)
    run("hear", "I want to add a FAB button", "--at", "2024-01-01T10:00:00Z")
    assert "no terminal to ask at" in error("forget", "old", "90d")
    assert "no duration" in error("forget", "old", "soon", "--yes")
    assert run("forget", "old", "90d", "--yes").stdout == "Forgot 1 message.\n"


@pytest.mark.requirement("Q16")
@pytest.mark.parametrize("how", ["settings", "argument"])
def test_several_people_share_one_projects_state_each_under_their_own_name(
    store_path: Path, clock: FrozenClock, how: str
) -> None:
    def opened(name: str) -> Memory:
        team = {"user": "web team", "project": "web", "session": name, "clock": clock}
        if how == "argument":
            return anaphora.open(store_path, author=name, **team)  # type: ignore[arg-type]
        return anaphora.open(store_path, settings=anaphora.Settings(author=name, reader="none"), **team)  # type: ignore[arg-type]

    with opened("Ada") as ada, opened("Bob") as bob, anaphora.open(store_path, user="Ada", project="web") as alone:
        ada.hear("We need to implement JWT authentication", at=later(0))
        bob.update(lambda work: work.decide("Use RS256", because="keys rotate"))
        assert [(g.text, g.author) for g in bob.state.goals] == [("implement JWT authentication", "Ada")]
        assert [(d.text, d.author) for d in ada.state.decisions] == [("Use RS256", "Bob")]
        bob.hear("I prefer tabs", at=later(1))
        speaks = "Bob" if how == "settings" else "web team"  # an author signs; as a setting it speaks too
        assert [(f.text, f.speaker) for f in ada.state.facts] == [("prefers tabs", speaks)]
        assert alone.state.goals == ()
        assert alone.recall("JWT") == []
