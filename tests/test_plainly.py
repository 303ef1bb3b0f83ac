"""What words leave no doubt about is told as it is meant, with the message that it comes from."""

from __future__ import annotations

import pytest

import anaphora


@pytest.mark.requirement("K5")
@pytest.mark.parametrize(
    ("said", "correction", "meant"),
    [
        ("Use port 8080", "actually, 9090", "actually, 9090 (use port 9090)"),
        ("the backend now runs on port 8080", "make it 9090", "make it 9090 (use port 9090)"),
        ("let's keep sessions for 30 days", "make it 60.", "make it 60 (keep sessions for 60 days)."),
        ("We'll use GraphQL for the API", "no wait, REST is better", "use REST instead of GraphQL for the API"),
        ("I prefer tabs over spaces", "actually, spaces", "actually, spaces (prefers spaces over tabs)"),
    ],
)
def test_a_correction_is_told_with_what_it_makes_of_what_was_said(said: str, correction: str, meant: str) -> None:
    with anaphora.open(":memory:", reader="bundled") as memory:
        first = memory.hear(said)
        turn = memory.hear(correction)
    assert meant in turn.expanded
    assert turn.expanded.startswith(correction.rstrip("."))
    assert turn.references[0].message_id == first.message_id


@pytest.mark.parametrize(
    "said", ["change the port to 9090", "no, that is not what I said", "9090 is open in the firewall"]
)
def test_what_names_its_thing_or_corrects_nothing_gets_no_correction(said: str) -> None:
    with anaphora.open(":memory:", reader="bundled") as memory:
        memory.hear("Use port 8080")
        assert "once more" not in "".join(reference.why for reference in memory.hear(said).references)


@pytest.mark.requirement("K5")
@pytest.mark.parametrize("order", ["undo that", "please undo it", "revert", "undo the last change"])
def test_what_is_undone_is_what_was_ordered(order: str) -> None:
    with anaphora.open(":memory:", reader="bundled") as memory:
        memory.hear("Put the chart next to the table")
        memory.say("Moved.")
        assert memory.hear(order).expanded == f"{order} (put the chart next to the table)"


@pytest.mark.parametrize("order", ["undo the last migration", "how do I undo it?", "undo that, and rename the table"])
def test_another_order_is_left_to_the_reader(order: str) -> None:
    with anaphora.open(":memory:", reader="bundled") as memory:
        memory.hear("Put the chart next to the table")
        memory.say("Moved.")
        assert "(put the chart next to the table)" not in memory.hear(order).expanded
