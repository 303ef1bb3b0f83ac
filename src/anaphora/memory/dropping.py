"""What is no longer wanted: "forget about the dashboard" drops the goal "build a sales dashboard", where it is clear
which is meant. It was not reached, and stays in the history with the message that dropped it."""

from __future__ import annotations

from collections.abc import Sequence

from anaphora.memory.completing import ANY, Task, fitting
from anaphora.understanding.patterns import any_case
from anaphora.understanding.withdrawals import NOT_FOR_GOOD, Withdrawal, withdrawn_in

__all__ = ["given_up", "refused"]

_AGAINST = any_case(
    r"(?:don't|decided against|drop)\s+(?:(?:do(?:ing)?|bother with)\s+)?(?P<x>(?!us(?:e|ing)\b).+?)"
    r"(?:,? (?:after all|any ?more|any longer))?[.! ]*"
)
_CALLED = any_case(r"\s+(?:idea|plan|goal|thing|stuff|part|feature|task)$")  # "the dashboard idea" is the dashboard


def given_up(said: str, tasks: Sequence[Task]) -> list[Task]:
    """The open goals and actions that a message takes back."""
    found = withdrawn_in(said)
    if found is None or not any(task.open for task in tasks):
        return []
    if found.exactly:
        same = found.words.lower()
        return [t for t in tasks if found.of == "task" and t.open and t.text.lower() == same]
    return _named(found.words, tasks) if _speaks_of_tasks(found) else []


def refused(decision: str, tasks: Sequence[Task]) -> list[Task]:
    """Those that a decision is against: "don't add dark mode"."""
    found = None if NOT_FOR_GOOD.search(decision) else _AGAINST.fullmatch(decision)
    return _named(found["x"], tasks) if found else []


def _speaks_of_tasks(found: Withdrawal) -> bool:
    return found.of in ("thing", "task") or found.says == "not needed"


def _named(words: str, tasks: Sequence[Task]) -> list[Task]:
    return fitting(ANY, _CALLED.sub("", words), tasks) if words else []
