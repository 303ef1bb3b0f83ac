"""The conversation that `anaphora chat` plays where nobody types: what is said, and how long after the line before."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from anaphora.types import Role

__all__ = ["BEGIN", "SCRIPT", "Line"]


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    after: timedelta = timedelta(minutes=1)
    role: Role = "user"


BEGIN = datetime(2025, 11, 3, 14, 20, tzinfo=UTC)

SCRIPT: tuple[Line, ...] = (
    Line("I want to add a FAB button", timedelta(0)),
    Line("Make it purple"),
    Line("Done: the FAB button is purple now.", role="assistant"),
    Line("Actually, let's work on dark mode first", timedelta(minutes=3)),
    Line("Use toggle switch, not button"),
    Line("Put it in the header"),
    Line("Done: the dark mode toggle is in the header.", role="assistant"),
    Line("Make it bigger", timedelta(hours=6)),
    Line("A"),
    Line("Let's use CSS variables because they are easy to switch"),
    Line("I need a login page for the app. It must never store passwords in plain text", timedelta(days=7)),
    Line("Add dark mode, like in conversation #2"),
    Line("And use the button from last week"),
)
