"""While much comes in the interpreter shares out its time in another way; before and after it does as it was told."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

import anaphora
from anaphora.engine.pace import at_a_pace

Settings = tuple[float, tuple[int, int, int]]


def settings() -> Settings:
    return round(sys.getswitchinterval(), 6), gc.get_threshold()


@pytest.fixture(autouse=True)
def as_they_were() -> Iterator[None]:
    switch, threshold = settings()
    yield
    sys.setswitchinterval(switch)
    gc.set_threshold(*threshold)


def test_an_ingest_goes_at_its_pace_and_leaves_all_as_it_was() -> None:
    before = settings()
    during: list[Settings] = []

    def messages() -> Iterator[dict[str, str]]:
        for number in range(3):
            during.append(settings())
            yield {"text": f"message {number}"}

    with anaphora.open(":memory:") as memory:
        memory.ingest(messages())
    assert during[0][0] < before[0]
    assert during[0][1][0] > before[1][0]
    assert settings() == before


def test_an_ingest_that_fails_leaves_all_as_it_was() -> None:
    before = settings()
    with anaphora.open(":memory:") as memory, pytest.raises(anaphora.InputError):
        memory.ingest([{"text": "one"}, {"txt": "two"}])
    assert settings() == before


def test_the_last_who_is_done_sets_it_back() -> None:
    before = settings()
    entered, leave = threading.Event(), threading.Event()

    def other() -> None:
        with at_a_pace():
            entered.set()
            leave.wait(10)

    with at_a_pace():
        thread = threading.Thread(target=other)
        thread.start()
        assert entered.wait(10)
        during = settings()
    assert settings() == during != before
    leave.set()
    thread.join(10)
    assert settings() == before


def test_what_someone_else_sets_meanwhile_stays() -> None:
    with at_a_pace():
        sys.setswitchinterval(0.02)
        gc.set_threshold(1234)
    assert settings()[0] == 0.02
    assert settings()[1][0] == 1234


def test_who_wants_no_search_or_quicker_turns_keeps_them() -> None:
    sys.setswitchinterval(0.00005)
    gc.set_threshold(0)
    before = settings()
    with at_a_pace():
        assert settings() == before
    assert settings() == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_child_that_is_forked_meanwhile_has_all_as_it_was() -> None:
    code = """
import gc, os, sys
from anaphora.engine.pace import at_a_pace
before = sys.getswitchinterval(), gc.get_threshold()
with at_a_pace():
    child = os.fork()
    if child == 0:
        os._exit(0 if (sys.getswitchinterval(), gc.get_threshold()) == before else 1)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0
