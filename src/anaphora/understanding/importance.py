"""How much a message matters, from 0 to 1: a base by who speaks, and a boost for what it holds."""

from __future__ import annotations

from collections.abc import Iterable

from anaphora.types import Role, Signal

__all__ = ["importance_of"]

_BASE: dict[Role, tuple[float, float]] = {"user": (0.7, 1.0), "assistant": (0.4, 0.8)}
_BOOSTS = {"goal": 0.1, "decision": 0.2, "remember": 0.3, "error": 0.15}
_CODE = 0.1


def importance_of(role: Role, signals: Iterable[Signal], *, code: bool) -> float:
    """The base of the role, lifted by goals, decisions, code, errors and "remember this", within the role's range."""
    low, high = _BASE[role]
    boost = sum(_BOOSTS.get(kind, 0.0) for kind in {s.kind for s in signals}) + (_CODE if code else 0.0)
    return round(min(high, low + boost), 2)
