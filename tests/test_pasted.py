"""The words of others in a message: quoted, reported or pasted they say nothing for who pastes them."""

from __future__ import annotations

import pytest

from anaphora import Memory
from tests.talk import standing, talked

MAIL = "Hi team,\n\nWe decided to use Redis. Please don't use Postgres.\n\nBest,\nAnna"


@pytest.mark.requirement("Q12")
@pytest.mark.parametrize(
    "said",
    [
        "she said 'we decided to use Redis'",
        "she said we decided to use Redis",
        "we decided to use Redis, she said",
        "I live in Rome, he told me",
        "“We decided to use Redis”, she said.",
        "my boss wrote: we must ship by Friday. Never use Redis.",
        "On Tue, Bob wrote:\nlet's use Redis\nnever commit to main",
        f"can you review this mail?\n\n{MAIL}",
        f"Please proofread the following email:\n{MAIL}",
        f"here's the mail that I got:\n{MAIL}",
        "translate this: I live in Rome and I love pizza",
        "Translate to German: ok, let's use Redis",
        "summarise this:\nWe decided to use Redis because it is fast. You must never use Postgres.",
        "fix the grammar: ok, let's use Redis",
        "rewrite this sentence: well, let's use Redis",
        "explain this error: it must never be null",
        "can you check the mail below?\n\nlet's use Redis",
        "reply to Anna: ok, let's use Redis",
        "here's the log:\nERROR must never be null\nWARN you should always use HTTPS",
        "2025-11-03 10:00:01 ERROR must never be null\n2025-11-03 10:00:02 you should always use HTTPS",
        "[10:32] anna: ok, let's use Redis\n[10:33] bob: no, let's use memcached",
        "anna: let's use redis\nbob: no, let's use memcached",
        "```\nlet's use Redis\n```",
        "> let's use Redis\nwhat do you think?",
    ],
)
def test_the_words_of_others_decide_nothing(any_reading: Memory, said: str) -> None:
    talked(any_reading, said)
    assert standing(any_reading) == []


@pytest.mark.parametrize(
    ("said", "stands"),
    [
        ("they said 'don't use Redis', but let's use Redis", ["use Redis"]),
        ("Bob said we should use Redis, but let's use Memcached", ["use Memcached"]),
        ("Bob said:\nlet's use Redis\n\nI agree, let's use Postgres", ["use Postgres"]),
        ("let's use Redis. can you review this mail?\n\nHi,\nlet's use Postgres", ["use Redis"]),
        ("2025-11-03 10:00:01 ERROR must never be null\nlet's use Redis", ["use Redis"]),
        ("review the text on the landing page\nwe decided to use Redis", ["use Redis"]),
        ("check the logs and then let's use Redis", ["use Redis"]),
        ("here's the plan:\nlet's use Redis\nnever commit to main", ["use Redis", "never commit to main"]),
        ("two things:\n1. let's use Redis\n2. never commit to main", ["use Redis", "never commit to main"]),
        ("decision: use Redis\nrule: never commit to main", ["use Redis", "never commit to main"]),
        (
            "constraints: no more than 5 pages\nbudget: no more than 500 euros",
            ["no more than 5 pages", "budget: no more than 500 euros"],
        ),
        ("as I said: let's use Redis", ["use Redis"]),
        ("as we said: it is slow. Let's use Redis", ["use Redis"]),
        ("fix the email text: it is too long. Never show prices", ["Never show prices"]),
        ("check the logs\n\nnever commit to main", ["never commit to main"]),
        ("improve the text on the page\n\nlet's use Redis", ["use Redis"]),
        ("always answer messages in French", ["always answer messages in French"]),
    ],
)
def test_what_the_speaker_says_beside_them_counts(any_reading: Memory, said: str, stands: list[str]) -> None:
    talked(any_reading, said)
    assert standing(any_reading) == stands
