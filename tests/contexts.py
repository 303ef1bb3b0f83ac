"""What the tests of contexts are made of: messages, hits, states, and a context of them at one moment."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from anaphora import Context, Hit, Message, State
from anaphora.assembly import Material, assemble
from anaphora.memory.working import Work
from anaphora.models.tokens import token_counter
from anaphora.settings import Layer, PresetName, Settings, resolve
from anaphora.types import Role

EXAMPLES = int(os.environ.get("ANAPHORA_TEST_EXAMPLES", "300"))  # of random contexts; 10,000 by hand
NOW = datetime(2025, 10, 4, 14, 42, tzinfo=UTC)


def preset(name: PresetName, **changes: Any) -> Settings:
    return resolve([Layer("here", {"preset": name, **changes})]).settings


def said(text: str, n: int = 0, role: Role = "user", *, speaker: str = "", importance: float = 0.5) -> Message:
    who = speaker or ("ann" if role == "user" else "helper")
    at = NOW - timedelta(minutes=60 - n)
    return Message(f"m{n}", role, text, at, who, "main", conversation_id="c", seq=n, importance=importance)


def talk(*turns: str) -> list[Message]:
    """A conversation: a text that starts with ">" is the assistant's."""
    return [said(t.removeprefix(">"), n, "assistant" if t.startswith(">") else "user") for n, t in enumerate(turns)]


def hit(text: str, n: int = 0, *, ago: timedelta = timedelta(days=1), **changes: Any) -> Hit:
    return replace(Hit(text, 1.0, "it says “x”", NOW - ago, f"h{n}", speaker="ann"), **changes)


def context(
    query: str = "And now?",
    *,
    recent: Sequence[Message] = (),
    hits: Sequence[Hit] = (),
    state: State = State(),  # noqa: B008 - it is frozen
    budget: int = 8000,
    using: Settings = Settings(),  # noqa: B008 - it is frozen
    now: datetime = NOW,
    summary: str | None = None,
) -> Context:
    material = Material(query, now, state, recent, hits, summary=summary)
    return assemble(material, budget, token_counter(using.tokenizer), using)


def working(goals: int = 1, text: str = "Write the tests") -> State:
    work = Work(State(), author="ann", at=NOW)
    for n in range(goals):
        work.add_goal(f"{text} {n}")
    return work.state


def tiers(ctx: Context) -> list[str]:
    return [p.tier for p in ctx.parts]
