"""Numbers that were only told of: after "the backend runs on port 8080" "make it 9090" decides for port 9090, where no
other such number was named lately."""

from __future__ import annotations

import pytest

from anaphora import Memory
from anaphora.understanding.slots import slots_in
from tests.talk import past, standing, talked


@pytest.fixture
def memory(any_reading: Memory) -> Memory:
    return any_reading


PORT = "the backend now runs on port 8080"


@pytest.mark.requirement("Q1")
@pytest.mark.parametrize(
    ("said", "decided"),
    [
        ([PORT, "make it 9090"], "use port 9090"),
        ([PORT, "> Good to know.", "change it to 9090"], "use port 9090"),
        ([PORT, "> Good to know.", "ok, make that 9090 please"], "use port 9090"),
        ([PORT, "actually, 9090"], "use port 9090"),
        ([PORT, "no, 9090"], "use port 9090"),
        ([PORT, "use 9090 instead"], "use port 9090"),
        (["Since Monday it listens on port 8080.", "make it 9090"], "use port 9090"),
        (["Where does it run?", "> The server listens on port 8080.", "make it 9090"], "use port 9090"),
        (["the timeout is 30 s", "make it 60"], "set the timeout to 60 s"),
        (["the timeout is 30 s", "make it 1 minute"], "set the timeout to 1 minute"),
        (["The request timeout is set to 30s", "change it to 60"], "set the request timeout to 60s"),
        (["our rate limit is currently 100", "raise it to 200"], "set the rate limit to 200"),
        (["it makes 3 retries", "make it 5"], "use 5 retries"),
        (["retries: 3", "make it five"], "set the retries to 5"),
        (["the page size is 20", "change it to 50"], "set the page size to 50"),
    ],
)
def test_a_number_that_was_told_of_is_set_to_another(memory: Memory, said: list[str], decided: str) -> None:
    talked(memory, *said)
    assert [d.text for d in memory.state.decisions if d.open] == [decided]


def test_who_decided_for_a_port_before_has_that_replaced(memory: Memory) -> None:
    talked(memory, "Use port 8080", "> Done.", PORT, "make it 9090", "no wait, 7070")
    assert (past(memory), standing(memory)) == (["Use port 8080", "use port 9090"], ["use port 7070"])


@pytest.mark.requirement("Q1")
@pytest.mark.parametrize(
    "said",
    [
        # several, or none
        ["the backend runs on port 8080 and the timeout is 30 s", "make it 60"],
        ["the api is on port 8080, the docs are on port 8081", "make it 9090"],
        [PORT, "the timeout is 30 s", "make it 60"],
        [PORT, "> Good, with a timeout of 30 s.", "make it 60"],
        ["the page has 3 columns and the server is on port 8080", "make it 4"],
        ["I have 3 cats", "make it 4"],
        ["the house is 8080 years old", "make it 9090"],
        ["option 2 sounds fine", "make it 3"],
        # asked, pasted, said by others, long gone
        ["is port 8080 free?", "make it 9090"],
        ["```\nlistening on port 8080\n```", "make it 9090"],
        ["> It listens on port 8080.", "Write a poem about trees", "make it 40"],
        [PORT, "Write a poem about trees", "make it 9090"],
        # what does not fit
        [PORT, "make it 3"],
        [PORT, "make it 99999"],
        [PORT, "make it 9.5"],
        [PORT, "make it 5 minutes"],
        [PORT, "make it 2 pages long"],
        [PORT, "make it purple"],
        [PORT, "make it 9090?"],
        [PORT, "change it to Monday"],
        [PORT, "no, Linear"],
        # what answers a question
        [PORT, "> What should the timeout be?", "make it 30"],
        [PORT, "> Should retries be 3 or 5?", "make it 50"],
        [PORT, "> Okay. It has 4 pages.", "make it 12"],
    ],
)
def test_where_it_is_not_clear_what_is_set_nothing_is_decided(memory: Memory, said: list[str]) -> None:
    talked(memory, *said)
    assert memory.state.decisions == ()


def test_what_another_speaker_told_of_is_not_ones_own(memory: Memory) -> None:
    memory.hear("I want to add a footer", speaker="ann", id="a")
    memory.hear(PORT, speaker="bob", id="b")
    memory.hear("make it 9090", speaker="ann", id="c")
    assert memory.state.decisions == ()


@pytest.mark.parametrize(
    "piece", ["port ", "the port is ", "port 8080 ", "is now currently ", "the a-a-a ", "8 retries "]
)
def test_long_repeated_words_are_read_in_no_time(piece: str) -> None:
    assert slots_in(piece * 10_000 + "8080") == []
    assert len(slots_in(piece * 40 + "8080")) <= 60
