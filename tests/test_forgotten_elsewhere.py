"""What one process forgets, another that runs on keeps nowhere: not in what it shows, not in what it holds at hand."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import anaphora
from anaphora import Memory
from anaphora.engine.place import Place

_BACKWARDS = "aggauq"  # so that this module itself does not hold the word
_FORGET = "import anaphora, sys; anaphora.open(sys.argv[1], user='u', background=False).forget({what})"


def _talk(memory: Memory) -> None:
    word = _BACKWARDS[::-1]
    memory.hear("We have to paint the gate, and I always want it green", id="m1")
    memory.say("Which green?")
    memory.hear(f"The code of the gate is {word}, remember that. We decided to use {word} everywhere", id="m2")
    memory.say("Noted.")
    memory.finish()
    _look(memory)


def _look(memory: Memory) -> str:
    """All that it shows."""
    shown = (memory.recall("What is the code of the gate?"), memory.context("the code of the gate"), memory.state)
    told = (memory.summary, memory.brief(), memory.facts(), memory.conversations(), memory.knowledge, memory.events())
    return f"{shown} {told} {memory.light.retrieve()}"


def _holders() -> list[str]:
    """The kinds of things in this process that hold a text with the word."""
    gc.collect()
    return [
        getattr(one, "__qualname__", type(one).__name__)
        for one in gc.get_objects()
        if any(isinstance(text, str) and text[::-1].find(_BACKWARDS) >= 0 for text in gc.get_referents(one))
    ]


def _forget_elsewhere(store: str, what: str) -> None:
    subprocess.run([sys.executable, "-c", _FORGET.format(what=what), store], check=True)


@pytest.fixture(params=["sqlite", "postgres"])
def shared(request: pytest.FixtureRequest, store_path: Path) -> str:
    return str(store_path) if request.param == "sqlite" else str(request.getfixturevalue("postgres_url"))


@pytest.mark.parametrize("what", ["message='m2'", "user=True"])
@pytest.mark.parametrize("touch", [_look, lambda memory: memory.hear("And the fence?")], ids=["looking", "hearing"])
def test_what_another_process_forgets_is_nowhere_once_the_store_is_touched(
    shared: str, what: str, touch: Callable[[Memory], object]
) -> None:
    with anaphora.open(shared, user="u", background=False) as memory:
        _talk(memory)
        assert _holders(), "it would not be found anyway"
        _forget_elsewhere(shared, what)
        touch(memory)
        assert _BACKWARDS not in _look(memory)[::-1]
        assert _holders() == []


def test_what_is_forgotten_here_is_nowhere_at_hand_with_the_networks_in_use(store_path: Path) -> None:
    with anaphora.open(store_path, user="u", background=False, reader="bundled", embedder="bundled") as memory:
        _talk(memory)
        assert _holders()
        memory.forget(message="m2")
        assert _holders() == []
        assert _BACKWARDS not in _look(memory)[::-1]


def test_the_light_context_tells_of_no_message_that_another_process_forgot(store_path: Path) -> None:
    with anaphora.open(store_path, user="u", background=False) as memory:
        memory.hear("The gate is green", id="m1")
        assert "gate" in str(memory.light.retrieve())
        _forget_elsewhere(str(store_path), "message='m1'")
        assert "gate" not in str(memory.light.retrieve())


def test_what_is_kept_at_hand_stays_while_nobody_erases(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with anaphora.open(store_path, user="u", background=False) as memory, anaphora.open(store_path, user="u") as other:
        memory.hear("The gate is green", id="m1")
        dropped: list[object] = []
        monkeypatch.setattr(Place, "unread", lambda place: dropped.append(place))
        other.hear("The fence is red")
        memory.recall("fence")
        assert dropped == []
        other.forget(message="m1")
        dropped.clear()
        memory.recall("fence")
        memory.recall("fence")
        assert len(dropped) == 1
