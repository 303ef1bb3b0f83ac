"""Numbers that something is set to: "the backend runs on port 8080", "the timeout is 30 s", "it makes 3 retries"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anaphora.function_words import FUNCTION_WORDS
from anaphora.types import Message
from anaphora.understanding.clauses import own_sentences
from anaphora.understanding.patterns import any_case
from anaphora.understanding.values import find_values

__all__ = ["only_slot", "slots_in"]

_READ = 600  # characters of a message that tells of a setting
_AROUND = 60  # characters before or behind a number
_LATELY = 4  # messages in which no other setting may be named
_COUNTS = r"(?:retries|attempts|workers|replicas|threads|connections)"
_NAMES = (
    r"(?:port|time-?outs?|ttl|limit|interval|delay|threshold|quota|concurrency|(?:page|batch|pool|buffer|cache) size|"
    rf"{_COUNTS})"
)
_BEFORE = any_case(
    rf"(?:\b(?:the|our|my|its|your) (?P<of>(?:[\w-]+ ){{0,2}}))?\b(?P<n>{_NAMES})"
    r"(?:'s|(?: (?:is|was|are|of|to|at|now|currently|set|still|stays)\b)+)?[:=]?\s?(?:[=] )?$"
)
_BEHIND = any_case(rf" (?P<n>{_COUNTS})\b")
_PORTS = range(10, 65536)


def only_slot(recent: Sequence[Message], speaker: str) -> tuple[int, str] | None:
    """The one setting that the speaker or a reply named lately, as a decision for it, and the place of the message that
    named it last; None where there are several, or other numbers beside it."""
    first = max(0, len(recent) - _LATELY)
    near = [(n, m) for n, m in enumerate(recent) if n >= first and (m.role != "user" or m.speaker == speaker)]
    named = [(n, slot) for n, message in near for slot in slots_in(message.text)]
    if len({slot for _, slot in named}) != 1:
        return None
    place, slot = named[-1]
    numbers = [value for value in find_values(recent[place].text) if value.sort == "number"]
    return (place, slot) if len(numbers) == 1 else None


def slots_in(text: str) -> list[str]:
    """What the sentences of a message set a number for, each as a decision: "use port 8080"."""
    if len(text) > _READ or not any(c.isdigit() for c in text):
        return []
    told = (seen for _, seen in own_sentences(text) if not seen.rstrip(" \"')*").endswith("?"))
    return [slot for seen in told for slot in _slots_of(seen)]


def _slots_of(seen: str) -> Iterator[str]:
    for (start, end), sort in find_values(seen):
        value = seen[start:end]
        before = _BEFORE.search(seen[max(0, start - _AROUND) : start]) if sort == "number" else None
        behind = _BEHIND.match(seen[end : end + _AROUND]) if sort == "number" else None
        if before is not None and before["n"].lower() == "port":
            if value.isdecimal() and int(value[:6]) in _PORTS:
                yield f"use port {value}"
        elif before is not None:
            of = (before["of"] or "").lower()
            of = "" if any(word in FUNCTION_WORDS for word in of.split()) else of
            yield f"set the {of}{before['n'].lower()} to {value}"
        elif behind is not None:
            yield f"use {value} {behind['n'].lower()}"
