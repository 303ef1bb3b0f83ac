"""What is noted in few words, as in a log of one's own work, counts; what only looks like it does not."""

from __future__ import annotations

import pytest

import anaphora
from anaphora.testing import FrozenClock
from anaphora.types import SignalKind
from anaphora.understanding.evidence import told_in_passing
from anaphora.understanding.signals import find_signals

WITH_READER = True


@pytest.mark.requirement("Q12")
@pytest.mark.parametrize(
    ("text", "kind", "kept"),
    [
        ("Pending: rotate the signing keys", "action", "rotate the signing keys"),
        ("pending tasks: docs, release notes", "action", "docs, release notes"),
        ("Implemented session refresh", "completion", "Implemented session refresh"),
        ("Fixed login redirect bug.", "completion", "Fixed login redirect bug"),
        ("Using pnpm instead of npm", "decision", "use pnpm instead of npm"),
        ("Using one table instead of two.", "decision", "use one table instead of two"),
        ("Implemented retry with backoff", "completion", "Implemented retry with backoff"),
    ],
)
def test_a_note_is_taken_as_what_it_says(text: str, kind: SignalKind, kept: str) -> None:
    assert [(signal.kind, signal.text.rstrip(".")) for signal in find_signals(text)] == [(kind, kept)]


@pytest.mark.parametrize(
    "text",
    [
        "Fixed width columns look better",
        "Completed forms are stored for a year",
        "Implemented by the team in May",
        "Using a list instead of a set is slower",
        "Using this instead of that",
        "using sqlite instead of postgres, what do I lose?",
        "The build is pending",
        "Using Redis instead of memcached broke the build",
        "Using Redis instead of memcached sounds risky",
        "let's pick up the thesis again",
        "Fixed nothing at all",
        "Implemented nothing so far",
        "Deployed code still crashes",
        "Completed courses show twice",
        "Fixed income fund options",
        "Shipped orders page",
    ],
)
def test_what_only_begins_like_a_note_is_none(text: str) -> None:
    assert not {"action", "completion", "decision"} & {signal.kind for signal in find_signals(text)}


@pytest.mark.requirement("B5")
@pytest.mark.parametrize(
    "text", ["I am near a lake", "we're at the airport now", "I'm still in Lisbon", "I am inside the tent"]
)
def test_where_somebody_is_belongs_to_what_is_talked_about(text: str) -> None:
    clock = FrozenClock()
    with anaphora.open(":memory:", clock=clock) as memory:
        memory.hear("walk me through setting up a camp stove")
        memory.say("First look for level ground out of the wind.")
        clock.advance(minutes=2)
        turn = memory.hear(text)
        assert (turn.boundary.decision, turn.question) == ("same", None)
        assert turn.expanded == text


@pytest.mark.parametrize(
    "text",
    [
        "I'm in trouble with the parser",
        "I'm in favour of redis",
        "I'm at a crossroads about the database",
        "we are at a standstill with the parser",
        "I'm in the market for a laptop",
    ],
)
def test_how_somebody_fares_is_no_place(text: str) -> None:
    assert not told_in_passing(text)


@pytest.mark.parametrize("text", ["Using pnpm instead of npm", "Fixed login redirect", "TODO: update the README"])
def test_a_note_is_left_as_it_is_and_goes_on_with_the_talk(text: str) -> None:
    clock = FrozenClock()
    with anaphora.open(":memory:", clock=clock) as memory:
        memory.hear("I'm building a small trail map app for my hiking club")
        clock.advance(minutes=1)
        memory.hear("Use Leaflet for the map")
        clock.advance(minutes=1)
        turn = memory.hear(text)
        assert (turn.expanded, turn.boundary.decision) == (text, "same")


@pytest.mark.requirement("Q12")
@pytest.mark.parametrize(
    ("task", "text", "closed"),
    [
        ("TODO: add rate limiting to the API", "Added rate limiting to the API", True),
        ("TODO: update the changelog", "I've updated the changelog.", True),
        ("Next: rename UserDTO to UserView", "Renamed UserDTO to UserView", True),
        ("TODO: add rate limiting to the API", "Removed rate limiting", False),
        ("TODO: update the changelog", "Added a new changelog", False),
        ("TODO: update the changelog", "Updated the dependencies", False),
        ("TODO: update the changelog", "update the changelog tomorrow", False),
    ],
)
def test_a_deed_that_was_to_be_done_is_closed_by_saying_that_it_was(task: str, text: str, closed: bool) -> None:
    clock = FrozenClock()
    with anaphora.open(":memory:", clock=clock) as memory:
        memory.hear(task)
        clock.advance(minutes=1)
        memory.hear(text)
        assert memory.state.actions[0].open is not closed
