"""What the tests of the engine share: a start, minutes after it, and everything that a scope holds."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anaphora.understanding.text import says_nothing

if TYPE_CHECKING:
    from anaphora import Memory

__all__ = [
    "BOTH_STORES",
    "START",
    "everything",
    "later",
    "past",
    "says_something",
    "standing",
    "stored_bytes",
    "talked",
    "work_with",
]

BOTH_STORES = (":memory:", "anaphora.db")  # every test has a working directory of its own
START = datetime(2025, 11, 3, 14, 20, tzinfo=UTC)


def later(minutes: float = 0, **parts: float) -> datetime:
    return START + timedelta(minutes=minutes, **parts)


def talked(memory: Memory, *said: str) -> None:
    """Messages a minute apart; a reply begins with ">"."""
    for minute, text in enumerate(said):
        if text.startswith("> "):
            memory.say(text[2:], at=later(minute))
        else:
            memory.hear(text, at=later(minute), id=f"m{minute}")


def standing(memory: Memory) -> list[str]:
    """The decisions, constraints and facts that hold."""
    state = memory.state
    return [item.text for items in (state.decisions, state.constraints, state.facts) for item in items if item.open]


def past(memory: Memory) -> list[str]:
    """Those that no longer do."""
    state = memory.state
    return [item.text for items in (state.decisions, state.constraints, state.facts) for item in items if not item.open]


def says_something(text: str) -> bool:
    """Whether a text may be heard."""
    return not says_nothing(text)


def everything(memory: Memory) -> dict[str, Any]:
    """All that is stored of a scope, but for the time of asking."""
    path = Path("everything.json")
    memory.export(path)
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    path.unlink()
    del found["exported"]
    return found


def stored_bytes(store: Path) -> bytes:
    """The raw bytes of a store, its write-ahead log included."""
    return b"".join(path.read_bytes() for path in sorted(store.parent.glob(f"{store.name}*")))


def work_with(memory: Memory) -> None:
    """A week in which something of every kind is said, decided, planned, done and touched."""
    memory.hear("I want to add a login page", at=later(0))
    memory.hear("Let's use SQLite because files are simple", at=later(1))
    memory.hear("The login page must load within one second", at=later(2))
    memory.hear("Actually, let's work on dark mode first", at=later(days=6))
    memory.hear("Let's use Postgres because many people write", at=later(days=6))
    with memory.update(at=later(days=7)) as work:
        work.add_goal("Write tests", priority="high", parent="add a login page")
        work.add_goal("Old goal")
        work.complete_goal("Old goal")
        work.plan("Ask Eve")
        work.remember("Demo on Friday")
        work.learn("I live in Paris", speaker="me")
    memory.update(lambda work: work.learn("I moved to Berlin", speaker="me"), at=later(days=8))
    memory.touch("auth/jwt.py", function="validate", edited=True, at=later(days=8))
    memory.touch("b.py", at=later(days=8))
