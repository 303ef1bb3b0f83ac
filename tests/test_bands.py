"""Preset brain's boundaries, compared band by band with how they were described."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Literal

import pytest

import anaphora
from anaphora import Boundary, Memory
from anaphora.testing import FrozenClock
from tests.talk import later

FILES = [f"file{n}.py" for n in range(10)]
STRANGE = [f"other{n}.py" for n in range(10)]
SECOND = 1 / 60
Guess = Literal["same", "new"]


@pytest.fixture
def brain(clock: FrozenClock) -> Iterator[Memory]:
    with anaphora.open(":memory:", preset="brain", clock=clock, reader="none") as memory:
        yield memory


def decided(memory: Memory, *, shared: int, gap: float, completed: bool, says: str = "Open") -> Boundary:
    """What is decided of a message so many of whose ten files were just discussed, so many minutes later."""
    memory.hear(f"Open {', '.join(FILES)}", at=later())
    if completed:
        memory.end("completed", at=later())
    turn = memory.hear(f"{says} {', '.join([*FILES[:shared], *STRANGE[shared:]])}", at=later(gap))
    assert [e.text for e in turn.entities if e.kind == "file"] == [*FILES[:shared], *STRANGE[shared:]]
    return turn.boundary


def described(*, shared: int, gap: float, completed: bool) -> tuple[str, Guess, float]:
    """The algorithm as it was described, line by line; what is less sure than 0.70 is asked about."""
    overlap = shared / 10
    if gap > 4 * 60:
        return "new", "new", 0.90
    if overlap > 0.7:
        return "same", "same", 0.85
    if overlap < 0.3 and gap > 60:
        return "new", "new", 0.80
    if completed and gap > 30:
        return "new", "new", 0.75
    if 0.3 < overlap < 0.7:
        return "ask", "same", 0.50
    return "ask", "same", 0.60


GAPS = [0, 14, 15, 30, 30 + SECOND, 60, 60 + SECOND, 240, 240 + SECOND, 10_000]
SHARED = [0, 2, 3, 4, 6, 7, 8, 10]


@pytest.mark.requirement("B4")
@pytest.mark.parametrize("completed", [False, True])
@pytest.mark.parametrize("gap", GAPS)
def test_every_band_decides_as_described_at_its_edges_too(clock: FrozenClock, gap: float, completed: bool) -> None:
    for shared in SHARED:
        with anaphora.open(":memory:", preset="brain", clock=clock, reader="none") as memory:
            found = decided(memory, shared=shared, gap=gap, completed=completed)
        wanted = described(shared=shared, gap=gap, completed=completed)
        assert (found.decision, found.best_guess, found.confidence) == wanted, f"{shared} of 10 shared"
        assert found.reason.endswith(".")


@pytest.mark.requirement("B4")
@pytest.mark.parametrize(
    ("says", "confidence"),
    [
        ("New topic:", 0.99),
        ("Actually, let's work on", 0.98),
        ("Switching to", 0.97),
        ("Forget that, I want to open", 0.95),
    ],
)
@pytest.mark.parametrize(("shared", "gap", "completed"), [(10, 0, False), (5, 20, False), (0, 300, True)])
def test_a_marker_goes_before_all_else(
    brain: Memory, says: str, confidence: float, shared: int, gap: float, completed: bool
) -> None:
    found = decided(brain, shared=shared, gap=gap, completed=completed, says=says)
    assert (found.decision, found.confidence, [f.name for f in found.factors]) == ("new", confidence, ["marker"])
    assert "announces something else" in found.reason


@pytest.mark.requirement("B4")
@pytest.mark.parametrize("text", ["By the way, open a ticket", "Next task: open a ticket", "Unrelated: a ticket"])
def test_no_other_words_count_as_a_marker(brain: Memory, text: str) -> None:
    brain.hear("I want to add a FAB button", at=later())
    assert brain.hear(text, at=later(1)).boundary.confidence == 0.60


@pytest.mark.requirement("B4")
@pytest.mark.parametrize(
    ("gap", "weight"), [(0, 0.05), (15 - SECOND, 0.05), (15, 0.30), (60, 0.30), (61, 0.60), (240, 0.60), (241, 0.90)]
)
def test_the_time_that_passed_speaks_for_something_new_as_its_band_says(
    brain: Memory, gap: float, weight: float
) -> None:
    found = decided(brain, shared=0, gap=gap, completed=False)
    assert {f.name: f.weight for f in found.factors}["gap"] == weight


@pytest.mark.requirement("B4")
@pytest.mark.parametrize(("shared", "weight"), [(0, 0.80), (2, 0.80), (3, 0.0), (7, 0.0), (8, -0.85), (10, -0.85)])
def test_what_is_shared_speaks_for_going_on_and_what_is_not_against_it(
    brain: Memory, shared: int, weight: float
) -> None:
    factors = {f.name: f for f in decided(brain, shared=shared, gap=1, completed=False).factors}
    assert factors["entities"].weight == weight
    assert factors["entities"].says.startswith(f"{shared * 10}% of its entities")


@pytest.mark.requirement("B4")
@pytest.mark.parametrize(("completed", "gap", "weight"), [(False, 20, -0.70), (True, 20, 0.85), (True, 40, 0.60)])
def test_the_state_of_the_session_speaks_as_its_band_says(
    brain: Memory, completed: bool, gap: float, weight: float
) -> None:
    found = decided(brain, shared=5, gap=gap, completed=completed)
    assert {f.name: f.weight for f in found.factors}["state"] == weight


@pytest.mark.requirement("B4")
@pytest.mark.parametrize(("between", "decision"), [(4, "same"), (5, "ask")])
def test_a_message_is_compared_with_the_last_five(brain: Memory, between: int, decision: str) -> None:
    brain.hear("I want to add a FAB button", at=later())
    for n in range(between):
        brain.hear(f"Open {STRANGE[n]}", at=later(n + 1))
        brain.answer("A")
    assert brain.hear("Move the FAB button", at=later(between + 1)).boundary.decision == decision


@pytest.mark.requirement("B4")
@pytest.mark.parametrize(
    ("text", "gap", "completed", "wanted"),
    [
        ("Actually, let's work on dark mode instead", 1, False, ("new", 0.98)),
        ("Make it purple", 6 * 60, False, ("new", 0.90)),
        ("Make it purple", 1, False, ("ask", 0.60)),
        ("Add tests for it", 31, True, ("new", 0.75)),
        ("Add tests for it", 5, True, ("ask", 0.60)),
    ],
)
def test_the_examples_come_out_as_they_were_given(
    brain: Memory, text: str, gap: float, completed: bool, wanted: tuple[str, float]
) -> None:
    brain.hear("I want to add a FAB button", at=later())
    if completed:
        brain.end("completed", at=later())
    found = brain.hear(text, at=later(gap)).boundary
    assert (found.decision, found.confidence) == wanted


@pytest.mark.requirement("B4")
def test_the_thresholds_are_settings_of_the_preset(brain: Memory) -> None:
    hour, of = timedelta(hours=1), brain.settings
    assert (of.boundary_method, of.ask_below, of.overlap_messages) == ("bands", 0.70, 5)
    assert (of.overlap_same, of.overlap_new) == (0.7, 0.3)
    assert (of.gap_same, of.gap_completed, of.gap_maybe, of.gap_new) == (hour / 4, hour / 2, hour, 4 * hour)


@pytest.mark.requirement("B4")
@pytest.mark.parametrize("reader", ["bundled", "none"])
@pytest.mark.parametrize(
    ("text", "gap", "completed", "decision", "factor"),
    [
        ("New topic: write a haiku about the sea", 0.5, False, "new", "marker"),
        ("Write a haiku about the sea", 24 * 60, False, "new", "gap"),
        ("Give the FAB button a shadow", 0.5, False, "same", "overlap"),
        ("Write a haiku about the sea", 90, True, "new", "state"),
    ],
)
def test_otherwise_the_same_four_factors_are_weighed_together(
    clock: FrozenClock,
    reader: Literal["bundled", "none"],
    text: str,
    gap: float,
    completed: bool,
    decision: str,
    factor: str,
) -> None:
    with anaphora.open(":memory:", clock=clock, reader=reader) as memory:
        memory.hear("I want to add a FAB button", at=later())
        memory.hear("Make the FAB button purple", at=later(0.3))
        if completed:
            memory.end("completed", at=later(0.4))
        found = memory.hear(text, at=later(gap)).boundary
    assert found.decision == decision
    assert 0.5 <= found.confidence <= 1
    assert found.reason.endswith(".")
    weight = {f.name: f.weight for f in found.factors}[factor]
    assert (weight > 0) == (decision == "new")
