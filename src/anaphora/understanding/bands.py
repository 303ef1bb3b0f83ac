"""Preset brain's boundaries: four factors in a fixed order, in bands, and a question where none of them decides."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Literal

from anaphora.settings import Settings
from anaphora.types import Boundary, Factor
from anaphora.understanding.evidence import duration, passed
from anaphora.understanding.patterns import expression

__all__ = ["MARKERS", "decide_by_bands"]

# What announces something new, the surest first.
MARKERS: tuple[tuple[re.Pattern[str], float], ...] = (
    (expression(r"\bnew topic\b", re.IGNORECASE), 0.99),
    (expression(r"\bactually,? let'?s\b", re.IGNORECASE), 0.98),
    (expression(r"\bswitching to\b", re.IGNORECASE), 0.97),
    (expression(r"\bforget that\b", re.IGNORECASE), 0.95),
)


def decide_by_bands(overlap: float, gap: timedelta, ended: bool, settings: Settings) -> Boundary:
    """What no marker decided: time, then overlap, then the state of the conversation. `overlap` is the share of the
    message's entities that the last messages name, `ended` whether the conversation it would go on with is over."""
    factors = (_gap(gap, settings), _overlap(overlap, settings), _state(ended, gap, settings))

    def boundary(guess: Literal["same", "new"], confidence: float, reason: str) -> Boundary:
        decision = "ask" if confidence < settings.ask_below else guess
        return Boundary(decision, guess, confidence, reason, factors)

    if gap > settings.gap_new:
        return boundary("new", 0.90, f"More than {duration(settings.gap_new)} have passed.")
    if overlap > settings.overlap_same:
        return boundary("same", 0.85, "It speaks of the same things.")
    if overlap < settings.overlap_new and gap > settings.gap_maybe:
        return boundary("new", 0.80, "It speaks of other things, after a while.")
    if ended and gap > settings.gap_completed:
        return boundary("new", 0.75, "The last conversation was completed a while ago.")
    if settings.overlap_new < overlap < settings.overlap_same:
        return boundary("same", 0.50, "It speaks of some of the same things.")
    return boundary("same", 0.60, "Nothing speaks strongly for a new conversation.")


def _gap(gap: timedelta, settings: Settings) -> Factor:
    """How likely so long a silence makes something new."""
    chances = ((gap < settings.gap_same, 0.05), (gap <= settings.gap_maybe, 0.30), (gap <= settings.gap_new, 0.60))
    chance = next((chance for fits, chance in chances if fits), 0.90)
    return Factor("gap", chance, passed(gap, long=chance > 0.5))


def _overlap(overlap: float, settings: Settings) -> Factor:
    weight = -0.85 if overlap > settings.overlap_same else 0.80 if overlap < settings.overlap_new else 0.0
    return Factor("entities", weight, f"{overlap:.0%} of its entities were just discussed")


def _state(ended: bool, gap: timedelta, settings: Settings) -> Factor:
    if not ended:
        return Factor("state", -0.70, "the session is active")
    if gap <= settings.gap_completed:
        return Factor("state", 0.85, "the session was just completed")
    return Factor("state", 0.60, "the session is completed")
