"""The form of a follow-up, see tests/followups.py."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from anaphora.types import Role

__all__ = ["FAMILIES", "Family", "FollowUp", "said"]

Family = Literal[
    "pronoun",
    "demonstrative",
    "definite",
    "ordinal",
    "ellipsis",
    "comparison",
    "cross_conversation",
    "to_reply",
    "none",
]
FAMILIES: tuple[Family, ...] = get_args(Family)


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A message after some talk. The expansion must hold every one of `needs` ("a|b": either will do) and none of
    `without`, all in lower case; a message that needs nothing must come back to the byte. `days` pass before it."""

    family: Family
    before: tuple[tuple[Role, str], ...]
    message: str
    needs: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    days: int = 0


def said(*lines: str) -> tuple[tuple[Role, str], ...]:
    """What was said before, a message a line; one that starts with ">" is the assistant's."""
    return tuple(("assistant", line[1:].strip()) if line.startswith(">") else ("user", line) for line in lines)
