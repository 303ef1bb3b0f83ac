"""Forgetting: what is forgotten is in no row, no index, no summary and no byte of the files, and the rest is whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import anaphora
from anaphora import InputError, Memory, NotFound
from anaphora.engine import documents, upkeep
from anaphora.stores import records
from anaphora.testing import FrozenClock
from tests.talk import later, stored_bytes

SECRET = "zebrafish"
AT = later(0)


@pytest.fixture
def talked(any_memory: Memory) -> Memory:
    """A conversation that began with the word, and others that came to speak of it by "it"."""
    any_memory.hear(f"I want to add a {SECRET} button", at=later(0), id="first")
    any_memory.hear("Make it purple", at=later(1), id="second")
    any_memory.say("Done: it is purple now.", at=later(2), id="reply", reply_to="first")
    any_memory.hear("Test it", at=later(3), id="third")
    any_memory.hear("Actually, let's work on dark mode first", at=later(4), id="other")
    any_memory.hear("Make it purple like in conversation #1", at=later(5), id="linked")
    return any_memory


def mentions(memory: Memory, word: str) -> bool:
    """Whether anything that a program can get out of a memory holds the word."""
    path = Path("all.json")
    memory.export(path)
    found = path.read_text("utf-8")
    path.unlink()
    context = memory.context("what about the button?", at=later(6))
    shown = [found, str(context), str(memory.recall(f"{word} button", at=later(6))), str(memory.light.retrieve())]
    shown += [str(memory.conversations()), str(memory.state), memory.summary, str(memory.events())]
    return any(word in text.lower() for text in shown)


def test_a_forgotten_message_is_gone_with_what_others_took_from_it(talked: Memory) -> None:
    assert mentions(talked, SECRET)
    assert talked.forget(message="first").messages == 1
    assert not mentions(talked, SECRET)
    assert talked.message("first") is None
    assert [m.text for m in talked.conversation("1").messages] == [
        "Make it purple",
        "Done: it is purple now.",
        "Test it",
    ]
    assert talked.verify() == []


def test_why_a_conversation_began_is_not_told_in_forgotten_words(any_memory: Memory) -> None:
    any_memory.hear("(", at=later(0))
    any_memory.hear("option 2", at=later(1))
    any_memory.say("Run it now?", at=later(2))
    any_memory.hear(f"how do I reverse a Siamese {SECRET}?", at=later(3), id="named")
    assert any(SECRET in str(event.data.get("reason")) for event in any_memory.events())
    any_memory.forget(message="named")
    assert not mentions(any_memory, SECRET)


def test_a_forgotten_conversation_is_gone_with_all_its_messages(talked: Memory) -> None:
    assert talked.forget(conversation="1").messages == 4
    assert not mentions(talked, SECRET)
    assert [c.title for c in talked.conversations()] == ["Dark Mode"]
    assert [m.id for m in talked.conversation("1").messages] == ["other", "linked"]
    assert talked.verify() == []


def test_a_message_of_a_conversation_that_left_the_queue_is_forgotten_too(clock: FrozenClock) -> None:
    with anaphora.open(":memory:", clock=clock, queue=1) as memory:
        memory.hear(f"I want to add a {SECRET} button", at=later(0), id="first")
        memory.hear("Make it purple", at=later(1))
        memory.hear("Actually, let's work on dark mode first", at=later(2))
        assert [c.title for c in memory.conversations()] == ["Dark Mode"]
        memory.forget(message="first")
        assert not mentions(memory, SECRET)
        assert [c.title for c in memory.conversations()] == ["Dark Mode"]
        assert [h.text for h in memory.recall("purple", at=later(3))] == ["Make it purple"]


def test_the_talk_goes_on_after_its_conversation_was_forgotten(talked: Memory) -> None:
    talked.forget(conversation="2")
    turn = talked.hear("I want to add a footer", at=later(7))
    assert turn.conversation.title == "Footer"
    assert talked.verify() == []


def test_a_forgotten_user_is_gone_in_every_agent_and_project_and_nobody_else_is(store_path: Path) -> None:
    def told(user: str, agent: str, project: str) -> Memory:
        memory = anaphora.open(store_path, user=user, agent=agent, project=project)
        memory.hear(f"I want to add a {SECRET if user == 'ada' else 'plain'} button", at=AT)
        return memory

    ada, elsewhere, bob = told("ada", "a", "p"), told("ada", "b", "q"), told("bob", "a", "p")
    with ada, elsewhere, bob:
        forgotten = ada.forget(user=True)
        assert (forgotten.scopes, forgotten.messages) == (2, 2)
        assert ada.conversations() == elsewhere.conversations() == []
        assert elsewhere.recall("button") == []
        assert [c.title for c in bob.conversations()] == ["Plain Button"]
        assert ada.hear("I want to add a footer", at=AT).conversation.title == "Footer"
        assert bob.verify() == ada.verify() == []


@pytest.mark.parametrize("what", [{"message": "first"}, {"conversation": "1"}, {"user": True}])
def test_no_byte_of_any_file_holds_what_was_forgotten(
    what: dict[str, str | bool], store_path: Path, clock: FrozenClock
) -> None:
    with anaphora.open(store_path, clock=clock, user="ada", light_storage="memory") as memory:
        memory.hear(f"I want to add a {SECRET} button", at=later(0), id="first")
        for n in range(70):  # enough that the first messages are in the index
            memory.hear(f"Make it number {n}", at=later(n))
        assert SECRET.encode() in stored_bytes(store_path).lower()
        forgotten = memory.forget(**what)  # type: ignore[arg-type]
        assert forgotten.notes == ()
        assert SECRET.encode() not in stored_bytes(store_path).lower()


def test_another_process_cannot_come_to_see_someone_elses_scope_after_an_erasure(store_path: Path) -> None:
    with anaphora.open(store_path, user="ada") as one, anaphora.open(store_path, user="ada") as two:
        one.hear("I want to add a FAB button", at=AT)
        assert len(two.recall("button", at=AT)) == 1
        one.forget(user=True)
        with anaphora.open(store_path, user="eve") as eve:
            eve.hear("My button is secret", at=AT)
            assert two.recall("button", at=AT) == []
            two.hear("I am back with a button", at=AT)
            assert len(two.recall("button", at=AT)) == len(eve.recall("button", at=AT)) == 1


def test_backups_that_still_hold_it_are_named(store_path: Path, clock: FrozenClock) -> None:
    copy = Path("copy.db")
    with anaphora.open(store_path, clock=clock) as memory:
        memory.hear(f"I want to add a {SECRET} button", id="first")
        with upkeep.opened(memory.settings) as store:
            upkeep.backup(store, copy)
        [note] = memory.forget(message="first").notes
        assert str(copy.absolute()) in note


@pytest.mark.parametrize("what", [{}, {"message": "first", "user": True}])
def test_it_must_be_said_what_to_forget(any_memory: Memory, what: dict[str, str | bool]) -> None:
    with pytest.raises(InputError, match="Say what to forget"):
        any_memory.forget(**what)  # type: ignore[arg-type]


def test_what_is_not_there_cannot_be_forgotten(any_memory: Memory) -> None:
    for what in ({"message": "nothing"}, {"conversation": "nothing"}):
        with pytest.raises(NotFound):
            any_memory.forget(**what)  # type: ignore[arg-type]


def test_everything_about_one_user_comes_out_as_one_file(store_path: Path) -> None:
    with (
        anaphora.open(store_path, user="ada", project="web") as web,
        anaphora.open(store_path, user="ada", project="app") as app,
        anaphora.open(store_path, user="bob") as bob,
    ):
        web.hear("I want to add a FAB button", at=AT)
        app.hear("I want to add dark mode", at=AT)
        bob.hear("I want to add a login page", at=AT)
        assert web.export("ada.json", whole_user=True) == 2
    found = json.loads(Path("ada.json").read_text("utf-8"))
    assert (found["format"], found["user"]) == ("anaphora-user", "ada")
    assert [s["scope"]["project"] for s in found["scopes"]] == ["web", "app"]
    assert [m["text"] for s in found["scopes"] for m in s["messages"]] == [
        "I want to add a FAB button",
        "I want to add dark mode",
    ]
    assert Path("ada.json").stat().st_mode & 0o077 == 0


def test_the_user_to_forget_is_not_named_but_confirmed(clock: FrozenClock) -> None:
    with anaphora.open(":memory:", user="ada", clock=clock) as memory:
        memory.hear("Add a red button")
        with pytest.raises(InputError, match="forget\\(user=True\\)"):
            memory.forget(user="ada")  # type: ignore[arg-type]
        assert memory.recall("button")


@pytest.mark.requirement("G7")
def test_nothing_that_is_kept_to_be_quick_holds_what_was_forgotten(talked: Memory) -> None:
    talked.hear("what about the button I wanted?", at=later(6))
    talked.forget(message="first")
    kept = [str(entry) for cache in (documents._KEPT, records._REMEMBERED) for entry in cache.items()]
    assert not any(SECRET in entry.lower() for entry in kept)


@pytest.mark.requirement("G7")
def test_what_others_said_themselves_stays_though_a_word_of_it_is_forgotten_elsewhere(any_memory: Memory) -> None:
    any_memory.hear("I'm building a trail map for my hiking club", at=later(0))
    any_memory.hear("New topic: the club newsletter. I want a signup form on the website", at=later(1))
    any_memory.hear("It should only ask for the email", at=later(2))
    any_memory.hear("TODO: send the invoice to Karel", at=later(3))
    before = any_memory.state
    any_memory.forget(conversation="1")
    assert any_memory.state.constraints == before.constraints != ()
    assert any_memory.state.actions == before.actions != ()
    assert not mentions(any_memory, "hiking")
