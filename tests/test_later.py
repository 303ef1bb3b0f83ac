"""Work that can wait: off the path, in pieces, by a thread or when asked."""

from __future__ import annotations

import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

import anaphora
from anaphora.engine import ingesting
from anaphora.engine import later as later_room
from anaphora.engine.beside import Beside
from anaphora.engine.hands import Bell
from anaphora.engine.ingesting import Batch
from anaphora.engine.later import Job, Later
from anaphora.engine.place import Place
from anaphora.errors import StoreError
from anaphora.memory.passages import LONGEST
from anaphora.types import Ingested


def _place(memory: anaphora.Memory, *, background: bool) -> Place:
    place = memory._place
    return replace(place, settings=replace(place.settings, background=background))


def test_a_job_goes_on_piece_by_piece_until_nothing_is_left(memory: anaphora.Memory) -> None:
    left = [1, 2, 3]

    def job(place: Place) -> bool:
        left.pop()
        return bool(left)

    Later(_place(memory, background=False), {"job": job}).finish()
    assert left == []


def test_who_asks_goes_before_the_next_piece(memory: anaphora.Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(later_room, "_BETWEEN", 600.0)
    pieces, once = [], threading.Event()

    def job(place: Place) -> bool:
        pieces.append(place)
        monkeypatch.setattr(later_room, "_QUIET", 600.0)  # from here on no moment is quiet enough
        later.stir()
        once.set()
        return True

    monkeypatch.setattr(later_room, "_QUIET", 0.0)
    later = Later(_place(memory, background=True), {"job": job})
    later.wake()
    assert once.wait(10)
    later.close()
    assert len(pieces) == 1


def test_recall_and_contexts_go_before_what_can_wait(memory: anaphora.Memory) -> None:
    for ask in (lambda: memory.recall("red"), lambda: memory.context("red"), memory.brief):
        memory._later._stirred.wait(0)
        ask()
        assert memory._later._stirred.rung


def test_without_a_thread_waking_does_nothing(memory: anaphora.Memory) -> None:
    done: list[Place] = []

    def job(place: Place) -> bool:
        done.append(place)
        return False

    later = Later(_place(memory, background=False), {"job": job})
    later.wake()
    later.close()
    assert done == []


def test_a_thread_does_it_once_woken_and_closing_waits_for_what_is_half_done(memory: anaphora.Memory) -> None:
    begun, go_on, done = threading.Event(), threading.Event(), threading.Event()

    def job(place: Place) -> bool:
        begun.set()
        assert go_on.wait(10)
        done.set()
        return False

    later = Later(_place(memory, background=True), {"job": job})
    later.wake()
    assert begun.wait(10)
    go_on.set()
    later.close()
    assert done.is_set()


def test_while_much_comes_in_at_once_the_thread_stops_after_its_piece_and_goes_on_when_it_is_in(
    memory: anaphora.Memory,
) -> None:
    pieces: list[bool] = []
    begun, go_on, waits, done = (threading.Event() for _ in range(4))

    class Watched(Bell):
        def wait(self, timeout: float = -1) -> bool:
            if pieces:
                waits.set()
            return super().wait(timeout)

    def job(place: Place) -> bool:
        pieces.append(coming_in)
        begun.set()
        assert go_on.wait(10)
        if len(pieces) == 2:
            done.set()
        return len(pieces) < 2

    later = Later(_place(memory, background=True), {"job": job})
    later._stirred = Watched()
    coming_in = False
    later.wake()
    assert begun.wait(10)
    with later.held():
        coming_in = True
        go_on.set()
        assert waits.wait(10)
        assert pieces == [False]
    coming_in = False
    assert done.wait(10)
    later.close()
    assert pieces == [False, False]


def test_between_two_batches_that_follow_each_other_the_thread_begins_nothing_however_late_it_is(
    memory: anaphora.Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(later_room, "_QUIET", 600.0)  # within which the next batch comes
    monkeypatch.setattr(later_room, "_LATEST", 0.0)
    done: list[Place] = []
    waits = threading.Semaphore(0)

    class Watched(Bell):
        def wait(self, timeout: float = -1) -> bool:
            waits.release()
            return super().wait(timeout)

    def job(place: Place) -> bool:
        done.append(place)
        return False

    later = Later(_place(memory, background=True), {"job": job})
    later._stirred = Watched()
    for _ in range(3):
        with later.held():
            pass
        later.wake()
        assert waits.acquire(timeout=10)
    later.close()
    assert done == []


def test_ingesting_holds_the_thread_up_for_each_batch_and_no_longer(
    memory: anaphora.Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[int] = []

    def take(place: Place, batch: Batch, done: Ingested, second: Beside) -> Ingested:
        held.append(len(memory._later._held))
        return take_for_real(place, batch, done, second)

    take_for_real = ingesting.take
    monkeypatch.setattr(ingesting, "take", take)
    memory.ingest([{"text": f"message {i}"} for i in range(3)])
    monkeypatch.setattr(ingesting, "take", None)
    with pytest.raises(TypeError):
        memory.ingest([{"text": "one that fails"}])
    assert held == [1]
    assert memory._later._held == set()


def test_while_vectors_are_made_what_takes_no_network_is_done_piece_by_piece(memory: anaphora.Memory) -> None:
    done: list[str] = []

    def job(name: str, pieces: int) -> Job:
        def one(place: Place) -> bool:
            done.append(name)
            return done.count(name) < pieces

        return one

    def failing(place: Place) -> bool:
        raise StoreError("no room")

    jobs = {"embed": job("embed", 9), "summarise": job("summarise", 3), "write": job("write", 9)}
    later = Later(_place(memory, background=True), jobs)
    while later.piece():
        pass
    assert done == ["summarise"] * 3
    later = Later(_place(memory, background=True), {"summarise": failing, "consolidate": job("consolidate", 1)})
    assert not later.piece()
    assert done[3:] == ["consolidate"]
    assert {name: str(error) for name, error in later.failed.items()} == {"summarise": "no room"}


def test_a_job_that_fails_in_the_thread_is_told_to_who_asks_and_the_next_one_is_still_done(
    memory: anaphora.Memory,
) -> None:
    done = threading.Event()

    def failing(place: Place) -> bool:
        raise StoreError("no room")

    def following(place: Place) -> bool:
        done.set()
        return False

    later = Later(_place(memory, background=True), {"failing": failing, "next": following})
    later.wake()
    assert done.wait(10)
    later.close()
    assert {name: str(error) for name, error in later.failed.items()} == {"failing": "no room"}


def test_asked_for_by_hand_a_failure_is_raised(memory: anaphora.Memory) -> None:
    def failing(place: Place) -> bool:
        raise StoreError("no room")

    with pytest.raises(StoreError, match="no room"):
        Later(_place(memory, background=False), {"failing": failing}).finish()


# The work is due once Python has begun to end and lets no thread pool take anything more; the thread that speaks keeps
# it from ending altogether until the work is done.
ENDING = """
import sys, threading
import numpy as np
import anaphora
from anaphora.engine import later

class Embedder:
    name, width = "ones", 4
    def embed(self, texts):
        return np.full((len(texts), 4), 0.5, dtype=np.float32)

later._QUIET = 0.0
memory = anaphora.open(sys.argv[1], embedder=Embedder(), background=True)

def speak():
    threading.main_thread().join()
    memory.hear("the hinge of the garden gate is loose")
    for thread in threading.enumerate():
        if thread.name == "anaphora-later":
            thread.join()
    print("spoken")

threading.Thread(target=speak).start()
"""


def test_a_program_that_ends_without_closing_says_nothing_and_loses_nothing(store_path: Path) -> None:
    run = subprocess.run([sys.executable, "-c", ENDING, str(store_path)], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stdout, run.stderr) == (0, "spoken\n", "")
    with anaphora.open(store_path) as memory:
        view = memory._place.view
        assert [message.text for message in view.messages(last=9)] == ["the hinge of the garden gate is loose"]
        assert not view.without_vector(f"ones/{LONGEST}", 9, after=0)


def test_a_job_that_can_begin_no_thread_is_left_alone_when_the_program_ends_and_told_of_before(
    memory: anaphora.Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def job(place: Place) -> bool:
        raise RuntimeError("cannot schedule new futures after interpreter shutdown")

    later = Later(_place(memory, background=True), {"summarise": job})
    with pytest.raises(RuntimeError, match="cannot schedule"):
        later.piece()
    monkeypatch.setattr(later_room, "_program_ends", lambda: True)
    assert not later.piece()
    monkeypatch.setattr(later._hand, "begin", lambda: job(later._place))
    later.wake()
    assert not later._begun
