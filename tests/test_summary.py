"""The thread in short: its topics, its last reply, its counts, and never more than its length."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.memory.summary import cut, thread_summary
from anaphora.settings import Layer, Settings, resolve
from anaphora.types import Message, Role

AT = datetime(2025, 10, 4, 14, 42, tzinfo=UTC)
WHISPER = resolve([Layer("here", {"preset": "whisper"})]).settings


def talk(*turns: str) -> list[Message]:
    """A conversation: a text that starts with ">" is the assistant's."""
    roles: list[Role] = ["assistant" if t.startswith(">") else "user" for t in turns]
    return [Message(f"m{n}", roles[n], t.removeprefix(">"), AT, "x", "main") for n, t in enumerate(turns)]


messages = st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=300), max_size=12).map(
    lambda turns: talk(*turns)
)


def test_the_summary_names_the_topics_and_ends_with_the_counts() -> None:
    recent = talk("walk me through survival", ">Find water.", "I am near a river", ">Good.", "what about shelter")
    assert thread_summary(recent, WHISPER) == (
        "Recent topics: walk me through survival; I am near a river; what about shelter. Last response: Good. "
        "Before that: Find water. Active conversation with 3 user messages and 2 responses"
    )
    assert (
        thread_summary(talk("Hi"), Settings())
        == "Recent topics: Hi. Active conversation with 1 user message and 0 responses"
    )
    assert thread_summary([], Settings()) == ""


@pytest.mark.requirement("W5")
def test_the_summary_looks_at_ten_messages_and_keeps_its_limits() -> None:
    turns = [f"{'>' if n % 2 else ''}Topic {n} " + "goes on " * 60 for n in range(30)]
    text = thread_summary(talk(*turns), WHISPER)
    assert 400 <= len(text) <= 600
    assert text.endswith("Active conversation with 5 user messages and 5 responses")
    topics = text.removeprefix("Recent topics: ").split(". Last response: ")[0].split("; ")
    assert [t.split()[1] for t in topics] == ["20", "22", "24", "26", "28"]
    assert all(len(t) <= 80 and t.endswith("…") for t in topics)


def test_the_last_reply_takes_at_most_its_preview() -> None:
    text = thread_summary(talk("Hi", ">" + "long reply " * 60), WHISPER)
    reply = text.split("Last response: ")[1].split(". Active")[0]
    assert 280 < len(reply) <= 300


@pytest.mark.requirement("W5", "W10")
def test_the_summary_has_its_least_length_where_so_much_was_said() -> None:
    turns = [f"{'>' if n % 2 else ''}{'Reply' if n % 2 else 'Topic'} {n} about a few things" for n in range(10)]
    turns[-1] = ">Fine"
    assert 400 <= len(thread_summary(talk(*[t * (9 if t[0] == ">" else 1) for t in turns]), WHISPER)) <= 600
    brief = thread_summary(talk(*turns), replace(WHISPER, summary_min_length=0))
    assert "Before that" not in brief
    assert "Last response: Fine. Active" in brief


@pytest.mark.requirement("W5")
@given(messages, st.integers(80, 700), st.integers(10, 100), st.integers(10, 400), st.integers(1, 20))
def test_the_summary_is_never_too_long_and_never_empty(
    recent: list[Message], length: int, topic: int, reply: int, most: int
) -> None:
    using = Settings(
        summary_max_length=length, topic_truncation=topic, bot_response_preview=reply, summary_message_limit=most
    )
    text = thread_summary(recent, using)
    assert bool(text) == bool(recent)
    assert len(text) <= length
    assert len(text.splitlines()) <= 1


@given(st.text(max_size=200), st.integers(2, 100))
def test_a_cut_text_is_one_line_of_at_most_its_length(text: str, length: int) -> None:
    line = cut(text, length)
    assert len(line) <= length
    assert len(line.splitlines()) <= 1
    assert line.endswith("…") or line == " ".join(text.split())
