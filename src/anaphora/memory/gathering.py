"""What a message changes in the working state by itself: its signals as operations, and the entities it names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from anaphora.memory.facts import changes_facts
from anaphora.memory.items import Operation
from anaphora.memory.working import Work
from anaphora.types import Entity, Signal, SignalKind, State
from anaphora.understanding.text import says_nothing

__all__ = ["lists_of", "operations_from"]

_LISTS: Mapping[SignalKind, tuple[str, ...]] = {
    "goal": ("goals",),
    "decision": ("decisions", "constraints", "goals", "actions"),
    "constraint": ("constraints", "decisions"),
    "action": ("actions",),
    "remember": ("notes",),
    "fact": ("facts", "notes"),
    "preference": ("facts", "notes"),
    "completion": ("goals", "actions"),
    "withdrawal": ("constraints", "decisions", "goals", "actions"),
}


def lists_of(signals: Iterable[Signal]) -> frozenset[str]:
    """The lists of the state that `operations_from` these signals look at or change."""
    read = tuple(signals)
    lists = {name for signal in read for name in _LISTS.get(signal.kind, ())}
    return frozenset(
        lists | ({"facts"} if any(s.kind == "decision" and changes_facts(s.text) for s in read) else set())
    )


def operations_from(
    signals: Iterable[Signal],
    entities: Iterable[Entity],
    *,
    author: str,
    speaker: str,
    at: datetime,
    message_id: str,
) -> list[Operation]:
    """Each can be applied to whatever the state is by then."""
    work = Work(State(), author=author, at=at, message_id=message_id)
    for signal in signals:
        if says_nothing(signal.text):
            continue
        match signal.kind:
            case "goal":
                work.take_up(signal.text)
            case "decision":
                work.decide(signal.text, because=_reason(signal), instead_of=signal.instead_of)
            case "constraint":
                work.constrain(_with_reason(signal), instead_of=signal.instead_of)
            case "action":
                work.plan(signal.text)
            case "remember":
                work.remember(signal.text, instead_of=signal.instead_of)
            case "fact" | "preference":
                work.learn(_with_reason(signal), speaker=speaker, instead_of=signal.instead_of)
            case "completion":
                work.close_what(signal.text)
            case "withdrawal":
                work.withdraw(signal.text)
            case "closing" | "error" | "injection":
                pass
    work.see(entities)
    return work.operations


def _reason(signal: Signal) -> str | None:
    return None if signal.because is None or says_nothing(signal.because) else signal.because


def _with_reason(signal: Signal) -> str:
    """A note has no place of its own for the reason: it is said with it."""
    reason = _reason(signal)
    return signal.text if reason is None else f"{signal.text} because {reason}"
