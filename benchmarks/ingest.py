"""How many messages a second come in at once: by rules alone, with the reader, and with their vectors made too."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import anaphora

__all__ = ["run"]

_MANY, _FEWER = 10_000, 2_000
_START = datetime(2026, 1, 1, tzinfo=UTC)
_ASKED = ("please change", "can you move", "I want to add", "let's rename", "why is", "now fix", "make", "test")
_THINGS = ("search box", "filter list", "header", "login form", "cache", "export job", "retry loop", "date column")
_PLACES = (
    "on the results page",
    "in search.py",
    "for new users",
    "behind the flag",
    "in the mobile view",
    "of the api",
)
_WHYS = (
    "because people complained that it was lost when they came back and nobody could tell where it had gone",
    "so that it keeps the order of the columns and does not flicker while the rest of the page is loading",
    "and keep the colours that we chose last time, but not the old spacing, which looked wrong on small screens",
    "since the tests fail on an empty list and the error only says that a key is missing somewhere",
)
_REPLIES = ("Done: I changed", "The reason is", "I moved it into", "There are two ways to do that in", "Fixed in")


def run() -> list[tuple[str, str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        by_rules = _rate(Path(folder) / "rules.db", _MANY, by_rules=True)
        read = _rate(Path(folder) / "read.db", _FEWER)
        whole = _rate(Path(folder) / "whole.db", _MANY, vectors=True)
    return [
        (
            f"ingest {_MANY:,} messages of 40 tokens by rules alone, no vectors",
            f"{by_rules:,.0f} a second",
            "≥ 800",
        ),
        (f"ingest {_FEWER:,} with the reader, no vectors", f"{read:,.0f} a second", ""),
        (f"ingest {_MANY:,} with the reader, and all vectors made", f"{whole:,.0f} a second", "≥ 200"),
    ]


def _rate(path: Path, count: int, *, by_rules: bool = False, vectors: bool = False) -> float:
    with anaphora.open(path, background=vectors) as memory:
        memory.ingest(list(_messages(50, 1)), by_rules=by_rules)  # loads what is loaded once
        if vectors:
            memory.finish()
        begun = time.perf_counter()
        memory.ingest(_messages(count, 2), by_rules=by_rules)
        if vectors:
            memory.finish()
        return count / (time.perf_counter() - begun)


def _messages(count: int, seed: int) -> Iterator[dict[str, Any]]:
    chance = random.Random(seed)
    at = _START
    for number in range(count):
        at += timedelta(seconds=chance.choice((20, 40, 90, 400, 9000)))
        reply = number % 2 == 1
        verb = chance.choice(_REPLIES if reply else _ASKED)
        first, second = chance.sample(_THINGS, 2)
        text = f"{verb} the {first} {chance.choice(_PLACES)} like the {second} {number}, {chance.choice(_WHYS)}"
        yield {"text": text, "role": "assistant" if reply else "user", "at": at}
