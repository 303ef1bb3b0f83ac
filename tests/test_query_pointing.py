"""What the words of a query point to, as the reader finds it: no time points, and no thing is a person."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

import anaphora
from anaphora.engine.pointing import meant
from anaphora.testing import FrozenClock

WITH_READER = True
NOW = datetime(2026, 5, 13, 15, 0, tzinfo=UTC)
_PAGE = ("I want to change the login page",)
_FILE = ("I started to refactor auth.py for the login page", "It validates tokens now")
_SISTER = ("My sister Clara moved to Oslo", "Clara likes it there")


@pytest.mark.parametrize(
    ("said", "query", "holds"),
    [
        (_PAGE, "what did I do this morning?", None),
        (_PAGE, "what happened this week?", None),
        (_PAGE, "what did we decide this March?", None),
        (_PAGE, "what is new these days?", None),
        (_SISTER, "what happened this weekend?", None),
        (_PAGE, "Where does she live?", None),
        (_PAGE, "How is he?", None),
        (_FILE, "What did he say?", None),
        (_SISTER, "Where does she live?", "Clara"),
        (("My sister moved to Oslo",), "How is she?", "my sister"),
        (_PAGE, "Make it safer", "the login page"),
        (_PAGE, "what did I say about it this morning?", "the login page this morning"),
        (_FILE, "does that work?", "auth.py"),
    ],
)
def test_a_time_points_nowhere_and_no_thing_is_a_person(said: tuple[str, ...], query: str, holds: str | None) -> None:
    with anaphora.open(":memory:", user="ada", clock=FrozenClock(NOW), embedder="none") as memory:
        memory.ingest({"text": text, "at": NOW - timedelta(minutes=3 - n)} for n, text in enumerate(said))
        expanded = meant(memory._place.view, memory._place, query, NOW)
    assert (expanded == query) is (holds is None)
    assert (holds or query) in expanded
