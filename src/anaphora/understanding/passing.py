"""What holds only for a while: "for now use port 9090", "until Friday we'll use SQLite". It takes the place of nothing
that holds in the long run."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from anaphora.types import Signal
from anaphora.understanding.clauses import FOR_NOW, Clause
from anaphora.understanding.patterns import any_case

__all__ = ["PASSING", "Parted", "for_a_while", "parted", "while_in"]

_UNTIL = r"(?:until|till|til) (?!(?:now|today|recently|very|yesterday|last|the last)\b)\S.{0,60}"
_NOW = rf"(?:{FOR_NOW}|{_UNTIL})"
_DAY = (
    r"(?:just |only )?(?:today|tonight|this (?:time|once|week|month|sprint|afternoon|morning|evening|weekend))"
    r"(?<!from today)(?<!by today)(?<!of today)(?<!ing today)"
)
_LAST = any_case(rf",?\s+(?P<x>{_NOW}|{_DAY})[.! ]*$")
_FIRST = any_case(rf"(?P<x>{_NOW})[,:]?\s+(?=\w)")
_LED = any_case(
    r"(?:(?:and|but|so|ok|okay|well|then|yes|yeah|sure|alright|hmm+|oh|also|actually|please|i think|i guess|"
    r"maybe)[,.!]* )*"
    rf"(?P<x>{_NOW})\W*"
)
_WITHIN = any_case(r"(?:let's|lets|let us|(?:we|i)(?:'ll| will| should)?) (?:\w+ )??(?P<x>temporarily|for now) ")
_MAY_BE = any_case(
    r"now\b|today|tonight|moment|time|while|temporar|until|till?\b|this |for (?:a|the) |stop-?gap",
    needles="now|today|tonight|moment|time|while|temporar|until|til|this |for a |for the |stop",
    dear=True,
)
PASSING = ("decision", "constraint", "fact", "preference")  # what may hold for a while


class Parted(NamedTuple):
    """What is said, and for how long; "" where that is for good."""

    said: str
    time: str


def parted(text: str) -> Parted:
    """What was decided, demanded or told, without the words that say that it is so for a while."""
    if _MAY_BE.search(text) is None:
        return Parted(text, "")
    if found := _LAST.search(text):
        return Parted(text[: found.start()], found["x"])
    if found := _FIRST.match(text):
        return Parted(text[found.end() :], found["x"])
    return Parted(text, "")


def while_in(words: str) -> str:
    """For how long, in the words that lead in to a clause; "" where they do not say."""
    found = _LED.fullmatch(words) if words and _MAY_BE.search(words) else None
    return found["x"] if found else ""


def for_a_while(signal: Signal, clause: Clause, time: str) -> Signal:
    """What a clause says, with the words that say for how long: those before it (`time`), or those that stand within
    it where they are not kept."""
    if signal.kind not in PASSING:
        return signal
    if not time and _MAY_BE.search(clause.seen) and (found := _WITHIN.match(clause.seen)):
        time = found["x"]
    if not time or parted(signal.text).time:
        return signal
    return replace(signal, text=f"{signal.text} {time}")
