"""`python -m evals.summaries`: does a summary tell every decision, open goal and constraint, within its tokens?

The talk around them is of the data folder, as far as it holds none itself; without the folder, of our own.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anaphora
from anaphora.models.tokens import token_counter
from anaphora.testing import FrozenClock
from anaphora.understanding.signals import find_signals
from evals import data
from evals.__main__ import DATA
from evals.sessions import TALK, Session, sessions

__all__ = ["Told", "main", "tell"]

_MUST = ("goal", "decision", "constraint")
_LONGEST = 400  # characters of a message that is only talk


@dataclass(frozen=True, slots=True)
class Told:
    """One session: how many things had to be told, which were not, and how long the summary is."""

    session: Session
    summary: str
    missing: tuple[str, ...]
    tokens: int


def tell(session: Session, **settings: object) -> Told:
    """Hear the session and read its summary."""
    clock = FrozenClock(datetime(2025, 11, 3, 9, 0, tzinfo=UTC))
    with anaphora.open(":memory:", clock=clock, background=False, **settings) as memory:  # type: ignore[arg-type]
        for number, text in enumerate(session.messages):
            clock.advance(seconds=40)
            if text.startswith(">"):
                memory.say(text[1:])
            else:
                memory.hear(text)
            if number % 7 == 0:
                memory.finish()
        summary = memory.summary
    low = summary.lower()
    missing = tuple(p.said for p in session.planted if p.holds.lower() not in low)
    return Told(session, summary, missing, token_counter("o200k").count(summary))


def talk_of(folder: Path) -> Sequence[str]:
    """Real messages that say nothing which a summary would have to tell."""
    if not (folder / "devchat.jsonl").is_file():
        return TALK
    prompts = [p.text for stream in data.read_streams(folder / "devchat.jsonl") for p in stream.prompts]
    short = [text for text in prompts if len(text) <= _LONGEST and not text.startswith((">", "!"))]
    return [text for text in short if not any(s.kind in _MUST for s in find_signals(text))]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m evals.summaries", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR", help="the data folder")
    parser.add_argument("--show", action="store_true", help="print each summary")
    options = parser.parse_args(argv)
    began = datetime.now(UTC)
    found = [tell(session) for session in sessions(talk_of(options.data))]
    for told in found:
        print(f"{told.session.name:>14}  {len(told.session.planted):2} to tell, {told.tokens:3} tokens", end="")
        print(f"  MISSING {'; '.join(told.missing)}" if told.missing else "")
        if options.show:
            print(told.summary, end="\n\n")
    planted = sum(len(told.session.planted) for told in found)
    told_of = planted - sum(len(told.missing) for told in found)
    print(
        f"{told_of} of {planted} told in {len(found)} sessions, at most {max(t.tokens for t in found)} tokens,", end=""
    )
    print(f" {(datetime.now(UTC) - began) / timedelta(seconds=1):.0f} s")
    return int(told_of < planted)


if __name__ == "__main__":
    sys.exit(main())
