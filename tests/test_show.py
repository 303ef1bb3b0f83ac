"""Everything at a glance: the same in the shell and in the chat, at any width, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.cells import cell_len

import anaphora
from anaphora import Memory
from tests.commands import own_store, run
from tests.talk import later, work_with


@pytest.fixture(autouse=True)
def _own_store(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_store(store_path, monkeypatch)


@pytest.fixture
def worked(store_path: Path) -> Iterator[Memory]:
    with anaphora.open(store_path, user="me") as memory:
        work_with(memory)
        yield memory


@pytest.mark.requirement("Q14")
def test_the_terminal_shows_what_is_worked_on_and_what_a_context_costs(worked: Memory) -> None:
    shown = "\n".join(line.rstrip() for line in run("show").stdout.splitlines())
    for piece in (
        "⏳ add a login page  goal-1\n  └── ⏳ Write tests  high priority  goal-5\n",
        "✅ 1 reached",
        "☐ Ask Eve",
        "• use Postgres  dec-4\n    because many people write\n    instead of “use SQLite”",
        "Constraints\n  • The",
        "• Demo on Friday",
        "• I moved to Berlin  since 2025-11-11, before that “I live in Paris”",
        "b.py\n  auth/jwt.py  last edited, in validate\n",
        "technologies: ",
        "of 8,000 tokens",
        "always there",
        "2025-11-03 ┃ #1 Login Page  ▪",
        "┊ 5 days\n  2025-11-09 ┃ #2 Dark Mode  ▪",
        "2 messages, active",
    ):
        assert piece in shown
    assert "\x1b" not in shown


def test_the_chat_shows_the_same(worked: Memory) -> None:
    assert run("show").stdout.strip() in run("chat", stdin="/show\n").stdout


def test_the_same_comes_as_json(worked: Memory) -> None:
    found = json.loads(run("show", "--budget", "2000", "--json").stdout)
    assert [g["text"] for g in found["state"]["goals"]] == ["add a login page", "Write tests", "Old goal"]
    assert [c["title"] for c in found["conversations"]] == ["Login Page", "Dark Mode"]
    context = found["context"]
    assert context["tokens"] <= context["budget"] == 2000
    assert all(part["tier"] and part["why"] and part["tokens"] > 0 for part in context["parts"])


def test_what_was_learned_is_shown_with_how_sure_it_is(worked: Memory) -> None:
    assert "Learned" not in run("show").stdout
    for n in range(4):
        worked.hear(f"I want to add panel {n}", at=later(days=9, hours=n))
        worked.hear("Make it purple", at=later(1, days=9, hours=n))
    worked.consolidate()
    shown = run("show").stdout.partition("Learned")[2]
    surest = max(worked.knowledge.lessons, key=lambda lesson: (lesson.confidence, lesson.total))
    assert f"{surest.confidence:.0%} {surest.kind} {surest.pattern} → {surest.meaning}" in shown
    assert len(json.loads(run("show", "--json").stdout)["knowledge"]["lessons"]) == len(worked.knowledge.lessons)


@pytest.mark.parametrize("width", [40, 80, 120])
def test_nothing_is_cut_off_at_any_width(worked: Memory, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    shown = run("show").stdout
    assert max(cell_len(line) for line in shown.splitlines()) <= width
    words = " ".join(shown.split())
    for piece in ("Write tests", "Postgres", "Demo on Friday", "auth/jwt.py"):
        assert piece in words


def test_with_nothing_in_it_an_empty_memory_says_how_to_begin() -> None:
    shown = run("show").stdout
    assert "Nothing yet." in shown
    assert "anaphora state add goal" in shown


def test_remembered_text_cannot_steer_the_terminal(worked: Memory) -> None:
    worked.update(lambda work: work.remember("evil \x1b[31mred [bold]text[/bold]"))
    shown = run("show").stdout
    assert "\x1b" not in shown
    assert "[bold]text[/bold]" in shown
