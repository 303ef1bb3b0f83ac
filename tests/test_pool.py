"""Memories that a server holds open: in use they stay, unused for longest they go first."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import anaphora
from anaphora import Memory, StoreError
from anaphora.interfaces import pool
from anaphora.interfaces.pool import Held, Pool


def of(held: Held) -> Memory:
    return held.opened(lambda: anaphora.open(":memory:"))


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pool[str]]:
    """Of two."""
    monkeypatch.setattr(pool, "_MOST", 2)
    made: Pool[str] = Pool()
    yield made
    made.close()


def test_what_is_held_is_given_again(kept: Pool[str]) -> None:
    with kept.using("a") as held:
        first = of(held)
    with kept.using("a") as held:
        assert of(held) is first


def test_the_one_unused_for_longest_is_closed_first(kept: Pool[str]) -> None:
    opened = {}
    for name in ("a", "b", "a", "c"):
        with kept.using(name) as held:
            opened[name] = of(held)
    assert {name: memory._closed for name, memory in opened.items()} == {"a": False, "b": True, "c": False}


def test_what_is_in_use_is_not_closed(kept: Pool[str]) -> None:
    with kept.using("a") as held:
        first = of(held)
        for name in ("b", "c", "d"):
            with kept.using(name) as other:
                of(other)
        assert not first._closed


def test_after_its_last_use_it_is_closed_unless_another_uses_it(kept: Pool[str]) -> None:
    with kept.using("a") as held:
        memory = of(held)
        with kept.using("a", last=True) as same:
            assert same is held
        assert not memory._closed
    with kept.using("a", last=True):
        pass
    assert memory._closed


def test_one_that_could_not_be_opened_is_tried_again(kept: Pool[str]) -> None:
    def failing() -> Memory:
        raise StoreError("held by another")

    with kept.using("a") as held:
        with pytest.raises(StoreError):
            held.opened(failing)
        assert not of(held)._closed


def test_a_pool_that_was_closed_gives_nothing_more(kept: Pool[str]) -> None:
    with kept.using("a") as held:
        memory = of(held)
    kept.close()
    assert memory._closed
    with pytest.raises(StoreError, match="closing"), kept.using("a"):
        pass
