"""Recall as an answer: whose words, which time, what holds today, and reasons that can be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal

import pytest

import anaphora
from anaphora import Memory
from anaphora.testing import FrozenClock

WITH_EMBEDDER = True
NOW = datetime(2026, 5, 13, 15, 0, tzinfo=UTC)  # a Wednesday


@pytest.fixture
def kept() -> Iterator[Memory]:
    with anaphora.open(":memory:", user="ada", agent="helper", clock=FrozenClock(NOW)) as opened:
        yield opened


def tell(memory: Memory, *said: tuple[str, str, float]) -> Memory:
    """By whom, what, and how many days ago; ids are numbers from 0."""
    memory.ingest(
        {
            "id": str(number),
            "text": text,
            "speaker": speaker,
            "role": "assistant" if speaker == "helper" else "user",
            "at": NOW - timedelta(days=days),
        }
        for number, (speaker, text, days) in enumerate(said)
    )
    memory.finish()
    return memory


def ids(memory: Memory, query: str, **filters: str) -> list[str]:
    return [str(hit.message_id) for hit in memory.recall(query, **filters)]  # type: ignore[arg-type]


# --- whose words --------------------------------------------------------------------------------------------------

_TALK = (
    ("ada", "The roadmap needs another look before the launch", 6),
    ("Nadia", "My dentist moved to another street", 5),
    ("Bob", "I would say that the launch is fine", 5),
    ("Nadia", "Bob, the invoices are late again", 4),
    ("Bob", "What did you say about the boat?", 4),
    ("Nadia", "We sold it in spring", 4),
    ("ada", "I recommend the blue paint for the kitchen", 2),
    ("helper", "You could take Postgres; it is safe and dull", 2),
    ("ada", "Anything else you would recommend?", 2),
    ("helper", "A short walk after lunch works for most people", 2),
)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("What did Nadia say?", ["5", "3", "1"]),
        ("what did nadia talk about", ["5", "3", "1"]),
        ("Tell me what Nadia said.", ["5", "3", "1"]),
        ("What did Nadia tell Bob?", ["3"]),
        ("What did you say?", ["9", "7"]),
    ],
)
def test_who_asks_for_nothing_but_a_speaker_gets_what_that_one_said(kept: Memory, query: str, first: list[str]) -> None:
    assert ids(tell(kept, *_TALK), query)[: len(first)] == first


@pytest.mark.parametrize(
    "query",
    [
        "what did you recommend?",
        "what does the assistant recommend?",
        "what did helper recommend?",
        "What was the assistant's advice?",
    ],
)
def test_what_the_assistant_recommended_is_asked_of_the_assistant(kept: Memory, query: str) -> None:
    hits = tell(kept, *_TALK).recall(query)
    assert [hit.speaker for hit in hits[:2]] == ["helper", "helper"]
    assert "said by" in hits[0].why


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("What did Bob say about the launch?", "2"),
        ("Who needs to look at the roadmap?", "0"),
        ("Who recommends the blue paint?", "6"),
    ],
)
def test_who_asks_for_more_than_a_speaker_gets_what_it_is_about(kept: Memory, query: str, first: str) -> None:
    assert ids(tell(kept, *_TALK), query)[0] == first


def test_all_that_a_speaker_said_comes_before_what_others_said_a_moment_ago(kept: Memory) -> None:
    tell(kept, *_TALK)
    kept.hear("I say that Nadia should say what she has to say", speaker="Bob")
    assert [hit.speaker for hit in kept.recall("What did Nadia say?", k=4)] == ["Nadia", "Nadia", "Nadia", "Bob"]


# --- which time ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("What happened between May 6 and May 9?", {"1", "2"}),
        ("What did I say from Thursday to Saturday?", {"1", "2"}),
        ("What happened from Monday to Wednesday?", {"3", "4"}),
        ("What did we talk about last Friday evening?", {"2"}),
        ("What did I do yesterday evening?", {"4"}),
    ],
)
def test_a_range_and_a_part_of_a_day_rank_by_time(kept: Memory, query: str, first: set[str]) -> None:
    said = [
        ("ada", "What happened to me between the two of us, I did say it", 40.0),
        ("ada", "Tomatoes need more light", 5.5),  # Friday 8, 03:00
        ("ada", "The ferry was full", 4.8),  # Friday 8, 19:48
        ("ada", "A new lamp for the hall", 2.0),  # Monday 11
        ("ada", "Soup again", 0.8),  # Tuesday 12, 19:48
    ]
    tell(kept, *said)
    assert {*ids(kept, query)[: len(first)]} == first


@pytest.mark.parametrize(
    ("query", "marked"),
    [
        ("what did I do yesterday?", True),
        ("What happened in the last 24 hours?", True),
        ("what did I say about the ferry yesterday?", False),  # more than a time is asked for
        ("what did I do last Friday?", False),
    ],
)
def test_where_nothing_was_said_at_the_time_asked_for_every_hit_says_so(kept: Memory, query: str, marked: bool) -> None:
    tell(kept, ("ada", "I did the taxes yesterday", 20), ("ada", "The ferry was full, what a day it happened on", 5))
    hits = kept.recall(query)
    assert hits
    assert all(hit.why.startswith("nothing was said then; ") is marked for hit in hits)


# --- what holds today ---------------------------------------------------------------------------------------------

_HOMES = (
    ("ada", "I live in Rome", 30),
    ("ada", "My dog is called Rex", 29),
    ("ada", "Let's use Postgres for the cache", 28),
    ("ada", "I moved to Berlin", 20),
    ("ada", "Let's use Redis for the cache instead of Postgres", 10),
)


@pytest.mark.parametrize(
    ("query", "newer", "older", "since"),
    [
        ("Where do I live?", "3", "0", "2026-04-23"),
        ("What do we use for the cache?", "4", "2", "2026-05-03"),
    ],
)
def test_what_was_replaced_comes_behind_what_replaced_it_and_says_so(
    kept: Memory, query: str, newer: str, older: str, since: str
) -> None:
    tell(kept, *_HOMES)
    hits = kept.recall(query)
    assert [hit.message_id for hit in hits[:2]] == [newer, older]
    assert hits[1].why.startswith(f"past since {since}; ")
    assert [hit.past for hit in hits[:2]] == [False, True]
    assert "past" not in hits[0].why
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert ids(kept, query, k=1) == [newer]  # type: ignore[arg-type]


def test_in_a_context_what_is_past_is_marked_so(kept: Memory) -> None:
    tell(kept, *_HOMES)
    lines = kept.context("Where do I live?", budget=1000).text.splitlines()
    assert [line for line in lines if line.startswith("- [") and "Rome" in line] == [
        "- [2026-04-13, ada, past] I live in Rome"
    ]
    assert not any(", past]" in line for line in lines if "Berlin" in line)


@pytest.mark.parametrize(("query", "first"), [("Rome", "0"), ("Why Postgres?", "2"), ("What is my dog called?", "1")])
def test_what_is_asked_for_by_its_name_stays_first(kept: Memory, query: str, first: str) -> None:
    tell(kept, *_HOMES)
    assert ids(kept, query)[0] == first


def test_what_else_a_message_says_is_not_past(kept: Memory) -> None:
    tell(kept, ("ada", "I live in Rome. My dog is called Rex.", 30), ("ada", "I moved to Berlin", 20))
    assert "past" not in kept.recall("What is my dog called?")[0].why


# --- filters ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "kind", "found"),
    [
        ("decisions", "decision", ["4", "2"]),
        ("all my decisions", "decision", ["4", "2"]),
        ("the latest messages", "message", ["4", "3", "2", "1", "0"]),
        ("zebra decisions", "decision", []),
        ("decisions", "reply", []),
    ],
)
def test_a_query_that_only_names_the_kind_lists_it_newest_first(
    kept: Memory, query: str, kind: str, found: list[str]
) -> None:
    with anaphora.open(":memory:", user="ada", clock=FrozenClock(NOW), embedder="none") as memory:
        tell(memory, *_HOMES)
        assert ids(memory, query, kind=kind) == found


@pytest.mark.parametrize("speaker", ["user", "User", "USER", "ada", "Ada"])
def test_a_speaker_is_filtered_for_however_it_is_written(kept: Memory, speaker: str) -> None:
    tell(kept, *_HOMES)
    assert "0" in ids(kept, "Rome", speaker=speaker)


# --- reasons ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "query", "says"),
    [
        ("word " * 200 + "The authentication of databases", "authenticated database", "“authentication”, “databases”"),
        ("We released v2.3.1 today", "v2.3.1", "it says “v2.3.1”"),
        ("The host is 10.0.0.5", "10.0.0.5", "it says “10.0.0.5”"),
        ("We have 3 cats", "3 cats", "“3”"),
        ("It is 3, or 4", "3", "it says “3”"),
        ("The port is 8443", "port 8443", "“8443”"),
    ],
)
def test_a_reason_names_words_as_they_were_said(kept: Memory, text: str, query: str, says: str) -> None:
    tell(kept, ("ada", text, 3))
    assert says in kept.recall(query)[0].why


@pytest.mark.parametrize("embedder", ["bundled", "none"])
@pytest.mark.parametrize(
    ("text", "query", "piece"),
    [
        ("x" * 20_000 + " saffron", "saffron", "saffron"),
        ("Budgets are due. " * 60 + "We grow saffron. " + "Budgets are due. " * 60, "saffron", "We grow saffron."),
    ],
)
def test_the_piece_that_says_the_word_is_the_one_that_fits(
    embedder: Literal["bundled", "none"], text: str, query: str, piece: str
) -> None:
    with anaphora.open(":memory:", user="ada", clock=FrozenClock(NOW), embedder=embedder) as memory:
        tell(memory, ("ada", text, 3))
        (hit,) = memory.recall(query)
        assert hit.span is not None
        assert piece in hit.full[slice(*hit.span)]
        assert hit.span[1] - hit.span[0] <= 500


# --- said again ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "same"),
    [
        (("Ping the gateway.", "ping the gate-way", "Ping  the gateway!"), True),
        (("Send a follow-up", "send a follow up."), True),
        (("Ping the gateway.", "Ping the gateway?"), False),
        (("The gateway limit is 1.5", "The gateway limit is 15"), False),
        (("The gateway is at -5", "The gateway is at 5"), False),
    ],
)
def test_how_it_is_written_makes_no_other_memory(texts: Sequence[str], same: bool) -> None:
    with anaphora.open(":memory:", user="ada", clock=FrozenClock(NOW), embedder="none") as memory:
        other = "Much else was said on that day, and late in the talk about gateways and follow ups came one more"
        tell(memory, *(("ada", text, 3) for text in texts), ("ada", other, 3))
        found = [hit.text for hit in memory.recall(texts[0])]
        assert (found.index(other) < len(found) - 1) is same
