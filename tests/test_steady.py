"""A prompt cache finds the beginning of the last prompt again: what changes with every message stands late."""

from __future__ import annotations

from datetime import timedelta
from itertools import takewhile

import pytest

import anaphora
from anaphora.assembly.shortening import steadied
from anaphora.testing import FrozenClock
from tests.contexts import NOW, context, hit, preset, talk, working

CHAT = (
    ("I want to build a REST API for the bookshop", "Good. Which framework do you prefer?"),
    ("Let's use FastAPI because it is fast", "FastAPI it is. Which database?"),
    ("We decided on Postgres for the orders", "Noted, Postgres. How are users authenticated?"),
    ("Tokens must live at most one hour", "I will set the expiry to one hour."),
    ("Where do we keep the secrets?", "In the vault."),
    ("Add an endpoint for the invoices", "Done: /invoices in api/invoices.py."),
    ("It should return PDF as well", "It returns PDF now."),
    ("What about the tests?", "Tests are in tests/test_invoices.py."),
    ("We must never log card numbers", "I masked them."),
    ("How fast is the invoice endpoint?", "About 40 ms."),
    ("Make it faster by caching", "It takes 8 ms now."),
)
SUMMARY = """# Session Summary (c)

## Objective
Build the API

## Progress
- ✅ Wrote the tests
- 🔄 Last: Make it faster
- ⏳ Write the docs
- Also: Messages and replies are stored
- 7 messages and 6 replies so far

## Key Decisions
1. Use Postgres

## Critical Context
- Constraint: Never log cards
- Talked about: cards"""
STEADY = """# Session Summary (c)

## Objective
Build the API

## Key Decisions
1. Use Postgres

## Critical Context
- Constraint: Never log cards

## Progress
- ✅ Wrote the tests
- ⏳ Write the docs
- Also: Messages and replies are stored
- 🔄 Last: Make it faster
- 7 messages and 6 replies so far
- Talked about: cards"""


def test_much_of_a_system_text_is_that_of_the_turn_before() -> None:
    clock = FrozenClock(NOW)
    shares, before = [], ""
    with anaphora.open(":memory:", clock=clock, user="ada") as memory:
        for asked, answered in CHAT:
            system = memory.context(memory.hear(asked), 2000).messages[0]["content"]
            same = takewhile(lambda pair: pair[0] == pair[1], zip(before, system, strict=False))
            shares.append(len(list(same)) / len(system))
            before = system
            memory.say(answered)
            clock.advance(timedelta(minutes=2))
    assert sum(shares[1:]) / len(shares[1:]) >= 0.4


def test_what_changes_with_every_message_stands_below_what_was_recalled() -> None:
    ctx = context("Q", recent=talk("Hello", ">Hi!"), hits=[hit("Roses")], state=working(), summary=SUMMARY)
    places = [
        ctx.text.index(words) for words in ("Write the tests 0", "Roses", "Build the API", "6 replies", "DATE & TIME")
    ]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("summary", "steady"),
    [
        (SUMMARY, STEADY),
        (STEADY, STEADY),
        ("", ""),
        ("## Critical Context\n- Talked about: cards", "## Progress\n- Talked about: cards"),
        ("A summary of\n\nanother form", "A summary of\n\nanother form"),
        ("## Objective\nBuild\n\n## Next\n- Also: 7 messages", "## Objective\nBuild\n\n## Next\n- Also: 7 messages"),
    ],
)
def test_a_summary_keeps_its_lines_and_ends_with_those_that_change(summary: str, steady: str) -> None:
    assert steadied(summary) == steady
    assert sorted(line for line in steady.splitlines() if line.startswith("-")) == sorted(
        line for line in summary.splitlines() if line.startswith("-")
    )


def test_the_layout_of_another_system_keeps_its_order() -> None:
    ctx = context("Q", summary=SUMMARY, using=preset("quaid"))
    assert SUMMARY in ctx.text
