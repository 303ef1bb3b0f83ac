"""What is said beside what holds already: "let's also use MySQL" takes the place of nothing."""

from __future__ import annotations

from dataclasses import replace

from anaphora.types import Signal
from anaphora.understanding.clauses import REASON
from anaphora.understanding.patterns import any_case

__all__ = ["added", "is_beside", "without_also"]

_BESIDE = any_case(
    r"(?:[\w']+ ){0,3}also\b(?! (?:because|since|as)\b)|(?:and )?(?:additionally|in addition|on top of that|plus)\b|"
    r"[^,]*(?:\b(?:alongside|next to|side by side with|together with)\b|,? \b(?:too|as well)\W*$)",
    needles="also|addition|on top|plus|alongside|next to|side by|together|too|as well",
)
_MAY_BE = any_case(r"also|addition|on top|plus|alongside|next to|side by|together|too|as well")  # quick to rule out
_ALSO = any_case(r"also\s+", needles="also")
_TELLS_MORE = any_case(r"\b(?:which|who|where)\b|(?<!of )\bthat\b")
_LEADS_IN = any_case(r"(?:and )?(?:also|additionally|in addition|on top of that|plus)")
_KINDS = ("decision", "constraint")
_READ = 300  # characters of what is decided or demanded


def added(signal: Signal, seen: str, before: str) -> Signal:
    """What a clause decides or demands, with the word that says so where it is said as one more. `before` is the clause
    before it: "also, let's use MySQL"."""
    if signal.kind not in _KINDS or is_beside(signal.text):
        return signal
    if not (is_beside(seen.strip()) or _LEADS_IN.fullmatch(before.strip())):
        return signal
    text = signal.text
    if signal.kind == "decision" and text[1:2].islower():  # a verb: "Use Redis"
        text = text[:1].lower() + text[1:]
    return replace(signal, text=f"also {text}")


def is_beside(text: str) -> bool:
    """Whether something is said as one more, or as something beside another; what is told of it, or why, may say so
    of something else: "use Postgres because it also knows JSON"."""
    said = text[:_READ]
    if _MAY_BE.search(said) is None:
        return False
    reason = REASON.search(said)
    more = _TELLS_MORE.search(said)
    ends = [found.start() for found in (reason, more) if found]
    return _BESIDE.match(said[: min(ends)] if ends else said) is not None


def without_also(text: str) -> str:
    """What is decided or demanded, without the word that says that it is one more."""
    also = _ALSO.match(text)
    return text[also.end() :] if also else text
