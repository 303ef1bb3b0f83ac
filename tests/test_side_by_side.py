"""Side by side: sessions, threads and processes of one scope share what they should, and scopes share nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

import anaphora
from anaphora import Memory, NotFound, State
from anaphora.testing import FrozenClock
from tests.talk import BOTH_STORES, START, everything, later

FAB = "I want to add a FAB button"
DARK = "I want to add dark mode"


@pytest.fixture
def pair(store_path: Path, clock: FrozenClock) -> Iterator[tuple[Memory, Memory]]:
    """Two sessions of one scope on one file."""
    with (
        anaphora.open(store_path, session="left", author="ann", clock=clock) as left,
        anaphora.open(store_path, session="right", author="ben", clock=clock) as right,
    ):
        yield left, right


def at_once(*work: Callable[[], object]) -> None:
    """Run all of it in threads that start together, and raise what any of them raised."""
    ready = Barrier(len(work))

    def started(one: Callable[[], object]) -> None:
        ready.wait(timeout=30)
        one()

    with ThreadPoolExecutor(len(work)) as threads:
        for done in [threads.submit(started, one) for one in work]:
            done.result(timeout=60)


def texts_of(memory: Memory) -> list[str]:
    return [m["text"] for m in everything(memory)["messages"]]


# --- two sessions of one scope ------------------------------------------------------------------------------------


def test_each_session_has_its_own_open_conversation(pair: tuple[Memory, Memory]) -> None:
    left, right = pair
    left.hear(FAB, at=START)
    right.hear(DARK, at=later(0.1))
    assert left.hear("Make it purple", at=later(0.5)).expanded == "Make the FAB button purple"
    assert right.hear("Use toggle switch, not button", at=later(0.6)).expanded == (
        "Use toggle switch for dark mode, not button"
    )
    assert [entry["user_message"] for entry in left.load()] == [FAB, "Make it purple"]
    assert [entry["user_message"] for entry in right.load()] == [DARK, "Use toggle switch, not button"]
    assert [(c.session, c.active) for c in left.conversations()] == [("left", True), ("right", True)]


def test_each_session_has_its_own_open_question(pair: tuple[Memory, Memory], clock: FrozenClock) -> None:
    left, right = pair
    left.hear(FAB)
    right.hear(DARK)
    clock.advance(hours=6)
    asked = left.hear("Make it bigger")
    assert asked.question is not None
    with pytest.raises(NotFound):
        right.answer("A")
    with pytest.raises(NotFound):
        right.answer("A", question=asked.question)
    assert left.answer("A").conversation.title == "FAB Button"


def test_sessions_see_the_same_state_conversations_memories_and_events(pair: tuple[Memory, Memory]) -> None:
    left, right = pair
    left.hear(FAB, at=START)
    with left.update() as work:
        work.decide("Use RS256", because="keys can be rotated")
    right.update(lambda work: work.constrain("TTL of one hour"))
    left.touch("auth/jwt.py", edited=True)
    assert left.state == right.state
    assert [(d.text, d.author) for d in right.state.decisions] == [("Use RS256", "ann")]
    assert [(c.text, c.author) for c in left.state.constraints] == [("TTL of one hour", "ben")]
    assert right.state.files.last_edited == "auth/jwt.py"
    assert left.conversations() == right.conversations()
    assert left.conversation("1") == right.conversation("1")
    assert [hit.text for hit in right.recall("FAB button", at=later(60))] == [FAB]
    assert left.events() == right.events()
    assert right.current() is None


def test_one_session_can_go_on_with_what_another_left(pair: tuple[Memory, Memory]) -> None:
    left, right = pair
    left.hear(FAB, at=START)
    left.end(at=later(1))
    right.restore("FAB Button", at=later(2))
    assert right.hear("Make it purple", at=later(2.5)).expanded == "Make the FAB button purple"
    assert [(c.session, c.message_count) for c in left.conversations()] == [("right", 2)]


def test_two_sessions_may_talk_in_one_conversation_and_none_of_it_is_lost(pair: tuple[Memory, Memory]) -> None:
    left, right = pair
    left.hear(FAB, at=START)
    right.restore("1", at=START)

    def talk(memory: Memory) -> None:
        for i in range(20):
            memory.log(f"Move the FAB button to row {i} of {memory.session}", intent="EXECUTE", at=later(0.1))
            memory.hear(f"Paint the FAB button {i} of {memory.session}", at=later(0.1))
            memory.touch(f"{memory.session}{i}.py", edited=True, at=later(0.1))

    at_once(lambda: talk(left), lambda: talk(right))
    found = left.conversation("1")
    assert found.message_count == len(found.messages) == 81
    assert sorted(found.files_modified) == sorted(f"{side}{i}.py" for side in ("left", "right") for i in range(20))


# --- many threads -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", BOTH_STORES)
def test_many_threads_hear_and_nothing_is_lost_or_doubled(place: str, clock: FrozenClock) -> None:
    with anaphora.open(place, clock=clock) as memory:

        def talk(thread: int) -> Callable[[], object]:
            return lambda: [memory.hear(f"Paint wall {i} of house {thread}", id=f"{thread}-{i}") for i in range(50)]

        at_once(*(talk(thread) for thread in range(4)))
        assert sorted(texts_of(memory)) == sorted(f"Paint wall {i} of house {h}" for h in range(4) for i in range(50))
        assert sum(c.message_count for c in memory.conversations()) == 200
        assert [e.kind for e in memory.events()].count("message.heard") == 200
        for house in range(4):  # within a thread, the order of arrival
            mine = [text for text in texts_of(memory) if text.endswith(f"house {house}")]
            assert mine == [f"Paint wall {i} of house {house}" for i in range(50)]


@pytest.mark.parametrize("place", BOTH_STORES)
def test_many_threads_hear_the_same_ids_and_each_is_heard_once(place: str, clock: FrozenClock) -> None:
    with anaphora.open(place, clock=clock) as memory:

        def talk() -> None:
            for i in range(25):
                memory.hear(f"Paint wall {i}", id=f"id-{i}")

        at_once(talk, talk, talk)
        assert sorted(texts_of(memory)) == sorted(f"Paint wall {i}" for i in range(25))
        assert sum(c.message_count for c in memory.conversations()) == 25


@pytest.mark.parametrize("place", BOTH_STORES)
def test_many_threads_update_and_no_update_is_lost(place: str, clock: FrozenClock) -> None:
    with anaphora.open(place, clock=clock) as memory:

        def work_of(author: str) -> Callable[[], object]:
            def changes() -> None:
                for i in range(25):
                    if i % 2:
                        memory.update(lambda work, i=i: work.decide(f"{author} decides {i}"), author=author)  # type: ignore[misc]
                    else:
                        with memory.update(author=author) as work:
                            work.decide(f"{author} decides {i}")

            return changes

        authors = ("ann", "ben", "cem", "dan")
        at_once(*map(work_of, authors))
        decisions = memory.state.decisions
        assert sorted((d.author, d.text) for d in decisions) == sorted(
            (a, f"{a} decides {i}") for a in authors for i in range(25)
        )
        assert len({d.id for d in decisions}) == 100
        assert memory.state.version == 100
        changes = [e.author for e in memory.events() if e.kind == "state.changed"]
        assert {author: changes.count(author) for author in authors} == dict.fromkeys(authors, 25)


# --- many processes -----------------------------------------------------------------------------------------------

SCRIPT = """
import sys
import anaphora

path, name = sys.argv[1:]
with anaphora.open(path, user="u", session=name, author=name) as memory:
    print("ready", flush=True)
    sys.stdin.readline()
    for i in range(50):
        memory.hear(f"Paint wall {i} of {name}", id=f"{name}-{i}")
        if i % 5 == 0:
            memory.update(lambda work: work.decide(f"{name} decides {i}"))
"""


def test_two_processes_on_one_file_lose_and_double_nothing(store_path: Path) -> None:
    names = ("one", "two")
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(store_path), name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in names
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in processes:
        _, errors = process.communicate(timeout=60)
        assert (process.returncode, errors) == (0, "")
    with anaphora.open(store_path, user="u") as memory:
        assert sorted(texts_of(memory)) == sorted(f"Paint wall {i} of {n}" for n in names for i in range(50))
        assert sum(c.message_count for c in memory.conversations()) == 100
        assert {c.session for c in memory.conversations()} == set(names)
        assert sorted((d.author, d.text) for d in memory.state.decisions) == sorted(
            (n, f"{n} decides {i}") for n in names for i in range(0, 50, 5)
        )
        assert [e.seq for e in memory.events()] == list(range(1, len(memory.events()) + 1))


# --- other scopes -------------------------------------------------------------------------------------------------

OTHERS = {"user": "eve", "agent": "other", "project": "elsewhere"}
SECRET = "xylophone"


def refused(call: Callable[[Memory], object]) -> Callable[[Memory], bool]:
    def refuses(memory: Memory) -> bool:
        with pytest.raises(NotFound):
            call(memory)
        return True

    return refuses


SEES_NOTHING: dict[str, Callable[[Memory], bool]] = {
    "load": lambda memory: memory.load() == [],
    "recall": lambda memory: memory.recall(f"the {SECRET} button") == [],
    "recall of a speaker": lambda memory: memory.recall(f"the {SECRET} button", speaker="owner") == [],
    "context": lambda memory: SECRET not in memory.context("What is next?").text,
    "conversations": lambda memory: memory.conversations() == [],
    "current": lambda memory: memory.current() is None,
    "conversation by number": refused(lambda memory: memory.conversation("1")),
    "conversation by title": refused(lambda memory: memory.conversation("Band")),
    "conversation by id": refused(lambda memory: memory.conversation("band-20251103")),
    "restore": refused(lambda memory: memory.restore("band-20251103")),
    "end": refused(lambda memory: memory.end()),
    "answer": refused(lambda memory: memory.answer("A")),
    "clear": lambda memory: memory.clear() == 0,
    "state": lambda memory: memory.state == State(),
    "summary": lambda memory: SECRET not in memory.summary,
    "events": lambda memory: memory.events() == [],
    "export": lambda memory: SECRET not in str(everything(memory)),
    "light": lambda memory: memory.light.retrieve() == {"success": True, "context": None},
    "references": lambda memory: memory.hear("Make it purple").expanded == "Make it purple",
    "numbers": lambda memory: memory.hear("as in conversation #1").references == (),
    "titles": lambda memory: memory.hear("back to the band").conversation.number == 1,
    "replies": lambda memory: memory.say("Sure.").conversation_id != "band-20251103",
    "ids": lambda memory: memory.hear("Something else", id="mine").text == "Something else",
}


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("method", SEES_NOTHING)
def test_another_scope_sees_and_changes_nothing(store_path: Path, clock: FrozenClock, method: str, other: str) -> None:
    names: dict[str, Any] = {"user": "owner", "agent": "helper", "project": "web"}
    with (
        anaphora.open(store_path, **names, clock=clock) as mine,
        anaphora.open(store_path, **{**names, other: OTHERS[other]}, clock=clock) as theirs,
    ):
        mine.new("Band")
        mine.hear(f"I want to add a {SECRET} button", id="mine")
        mine.say(f"The {SECRET} button is there.")
        mine.touch(f"{SECRET}.py", edited=True)
        mine.update(lambda work: work.decide(f"Use the {SECRET}"))
        clock.advance(hours=6)
        assert mine.hear("Make it bigger").question is not None
        before = everything(mine)
        assert SEES_NOTHING[method](theirs)
        assert everything(mine) == before
        assert mine.answer("A").conversation.title == "Band"
