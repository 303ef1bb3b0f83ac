"""What must not be lost: by another preset, an older file, an interrupt, a fork, a question about the future."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import anaphora
from anaphora import IdConflict, InputError, Memory
from anaphora.settings import PresetName
from anaphora.testing import FrozenClock
from tests.talk import later

FAB = "I want to add a FAB button"


@pytest.mark.parametrize("preset", ["kds", "light", "brain"])
def test_a_preset_that_lets_go_leaves_alone_what_another_stored_to_be_kept(
    preset: PresetName, store_path: Path, clock: FrozenClock
) -> None:
    with anaphora.open(store_path, clock=clock) as kept:
        kept.hear(FAB)
    clock.advance(hours=5)
    with anaphora.open(store_path, clock=clock, preset=preset, queue=1) as other:
        other.recall("button")
        for n in range(15):
            other.hear(f"Actually, let's work on part {n} first")
    with anaphora.open(store_path, clock=clock) as again:
        assert [h.text for h in again.recall("FAB button", k=1)] == [FAB]


def test_what_a_fleeting_preset_stored_goes_when_its_time_comes(store_path: Path, clock: FrozenClock) -> None:
    with anaphora.open(store_path, clock=clock, preset="kds") as memory:
        memory.hear(FAB)
        clock.advance(hours=3)
        assert memory.recall("button") == []


def test_an_older_log_does_not_push_newer_messages_out(tmp_path: Path, clock: FrozenClock) -> None:
    with anaphora.open(":memory:", clock=clock, preset="kds") as old:
        for n in range(10):
            old.hear(f"Fix the old parser, part {n}", at=later(-60 + n))
        old.export("old.jsonl", format="kds")
    with anaphora.open(":memory:", clock=clock, preset="kds") as memory:
        for n in range(5):
            memory.hear(f"Paint the new button, part {n}", at=later(-5 + n))
        memory.import_file("old.jsonl")
        assert [m["user_message"] for m in memory.load()] == [f"Paint the new button, part {n}" for n in range(5)]


def test_asking_about_the_future_deletes_nothing(clock: FrozenClock) -> None:
    with anaphora.open(":memory:", clock=clock, preset="kds") as memory:
        memory.hear(FAB)
        memory.recall("button", at=later(60 * 24 * 365))
        memory.context("the button", at=later(60 * 24 * 365))
        assert [h.text for h in memory.recall("button")] == [FAB]


def test_a_session_whose_conversation_another_cleared_begins_a_new_one(store_path: Path, clock: FrozenClock) -> None:
    with (
        anaphora.open(store_path, clock=clock, session="a") as one,
        anaphora.open(store_path, clock=clock, session="b") as two,
    ):
        first = one.hear(FAB).conversation
        two.restore(first.id)
        two.clear()
        two.hear(FAB)
        assert one.hear("Make it blue").conversation.message_count == 1


def test_an_id_that_answered_a_question_is_taken(any_memory: Memory) -> None:
    any_memory.hear(FAB, at=later(0))
    any_memory.hear("Make it bigger", at=later(60 * 6))
    settled = any_memory.hear("A", at=later(60 * 6 + 1), id="x")
    assert any_memory.hear("A", at=later(60 * 6 + 2), id="x") == settled
    with pytest.raises(IdConflict, match="'x' is taken by an answer"):
        any_memory.hear("Delete the production config", at=later(60 * 6 + 3), id="x")


def test_a_message_from_the_past_does_not_make_the_present_old(any_memory: Memory) -> None:
    any_memory.hear(FAB, at=later(0))
    any_memory.hear("Make it purple", at=later(-60 * 24 * 3), id="late")
    assert any_memory.hear("Make it bigger", at=later(1)).boundary.decision == "same"


def test_a_bad_message_says_how_many_before_it_are_stored(any_memory: Memory) -> None:
    good = ({"text": f"Step {n}", "at": later(n)} for n in range(250))
    with pytest.raises(InputError, match=r"Message 251: .*empty.*The 200 messages before its batch are stored"):
        any_memory.ingest(itertools.chain(good, [{"text": ""}]))
    assert sum(c.message_count for c in any_memory.conversations()) == 200


INTERRUPTED = """
import signal, sys, anaphora

armed = False

def interrupt(*_):
    if armed:
        raise KeyboardInterrupt

signal.signal(signal.SIGALRM, interrupt)
with anaphora.open(sys.argv[1], durability="normal") as memory:
    for n in range(300):
        try:
            armed = True
            signal.setitimer(signal.ITIMER_REAL, 0.0002 + (n % 40) * 0.0001)  # once
            memory.hear(f"Step {n} of the button", id=f"id-{n}")
            armed = False
        except KeyboardInterrupt:
            armed = False
        memory.hear(f"Step {n} of the button", id=f"id-{n}")
    with anaphora.open(sys.argv[1], busy_timeout="1s") as other:
        other.hear("Nobody holds the lock")
    print(sum(c.message_count for c in memory.conversations()), memory.verify())
"""


def test_an_interrupt_at_any_moment_leaves_the_store_usable(store_path: Path) -> None:
    """In a process of its own: an interrupt may hit whatever else runs in this one."""
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, str(store_path)], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("301 []\n", 0), done.stderr


WOKEN = """
import signal, anaphora

def interrupt(*_):
    raise KeyboardInterrupt

signal.signal(signal.SIGALRM, interrupt)
for n in range(400):
    memory = anaphora.open(":memory:", reader="none", embedder="none")
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.0005 + n * 0.00001)
        for _ in range(5000):
            memory._later.wake()
        signal.setitimer(signal.ITIMER_REAL, 0)
    except KeyboardInterrupt:
        pass
    memory.close()
print("closed")
"""


def test_an_interrupt_while_the_thread_is_woken_never_keeps_a_memory_from_closing() -> None:
    done = subprocess.run([sys.executable, "-c", WOKEN], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.returncode) == ("closed\n", 0), done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_forked_while_another_thread_talks_can_talk_too(store_path: Path) -> None:
    stop = threading.Event()
    with anaphora.open(store_path) as memory:

        def talk() -> None:
            for n in itertools.count():
                if stop.is_set():
                    return
                memory.hear(f"Step {n} of the button")

        thread = threading.Thread(target=talk)
        thread.start()
        try:
            for n in range(5):
                child = os.fork()
                if child == 0:
                    signal.alarm(20)  # a child that hangs ends, and not with 0
                    memory.hear(f"From child {n}", id=f"child-{n}")
                    os._exit(0)
                assert os.waitpid(child, 0)[1] == 0
        finally:
            stop.set()
            thread.join()
        assert all(memory.message(f"child-{n}") is not None for n in range(5))
        assert memory.verify() == []
