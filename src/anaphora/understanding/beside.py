"""What is said beside what holds already: "let's also use MySQL" takes the place of nothing."""

from __future__ import annotations

from dataclasses import replace

from anaphora.types import Signal
from anaphora.understanding.clauses import REASON, Clause
from anaphora.understanding.patterns import any_case

__all__ = ["added", "is_beside", "is_one_more", "without_also"]

_HELD_BY_ALL = "also|addition|on top|besides|plus|alongside|next to|side by|together|too|as well"
_BESIDE = any_case(
    r"(?:[\w']+ ){0,3}(?:also|additionally)\b(?! (?:because|since|as)\b)|"
    r"(?:and )?(?:in addition|on top of that|besides|plus)\b|"
    r"[^,]*(?:\b(?:alongside|next to|side by side with|together with|in addition to|on top of)\b|"
    r",? \b(?:too|as well|additionally|in addition|on top)\W*$)",
    needles=_HELD_BY_ALL,
)
_MAY_BE = any_case(_HELD_BY_ALL, needles=_HELD_BY_ALL, dear=True)  # quick to rule out
_ALSO = any_case(r"(?:also|additionally)\s+", needles="also|additionally")
_TELLS_MORE = any_case(r"\b(?:which|who|where)\b|(?<!of )\bthat\b")
_LEADS_IN = any_case(
    r"(?:and )?(?:(?:also|additionally|in addition|on top of that|besides(?: that)?|plus)|"
    r"on top|(?:in addition to|besides|alongside|on top of|next to|apart from|aside from) \S+(?: \S+){0,4})"
)
_ONE_MORE = any_case(  # said of somebody, who may live next to something
    r"(?:[\w']+ ){0,3}(?:also|additionally)\b(?! (?:because|since|as)\b)|"
    r"(?:and )?(?:in addition|on top of that|plus)\b|"
    r"[^,]*,? \b(?:too|as well|additionally|in addition)\W*$",
    needles="also|addition|on top|plus|too|as well",
)
_PREFERS = any_case(r"(?:would )?prefers?\b|(?:least )?favou?rite\b|preferred\b", needles="prefer|favo")
_I = any_case(r"I(?:'m|'ve| am| have(?= (?:been|just|recently)\b))?\s+", needles="i")
_READ = 300  # characters of what is decided or demanded


def added(signal: Signal, clause: Clause, before: str) -> Signal:
    """What a clause decides, demands or tells of somebody, with the word that says so where it is said as one more.
    `before` is the clause before it: "also, let's use MySQL"."""
    led, said = before.strip(), f"{clause.joined} {clause.seen}".strip()
    if _MAY_BE.search(said) is None and _MAY_BE.search(led) is None:
        return signal
    match signal.kind:
        case "decision" | "constraint":
            more = not is_beside(signal.text) and (is_beside(said) or _LEADS_IN.fullmatch(led) is not None)
        case "fact":  # "also, I moved to Rome" is one more thing to tell, and no second town
            more = not is_one_more(signal.text) and is_one_more(clause.seen)
        case "preference":  # people like what they like, and prefer one thing
            more = _PREFERS.match(signal.text) is not None and is_one_more(clause.seen)
        case _:
            more = False
    return replace(signal, text=_with_also(signal)) if more else signal


def _with_also(signal: Signal) -> str:
    text = signal.text
    if signal.kind == "fact" and (subject := _I.match(text)):
        return f"{subject[0]}also {text[subject.end() :]}"
    if signal.kind == "decision" and text[1:2].islower():  # a verb: "Use Redis"
        text = text[:1].lower() + text[1:]
    return f"also {text}"


def is_beside(text: str) -> bool:
    """Whether something is said as one more, or as something beside another; what is told of it, or why, may say so
    of something else: "use Postgres because it also knows JSON"."""
    said = text[:_READ]
    if _MAY_BE.search(said) is None:
        return False
    return _BESIDE.match(_itself(said)) is not None


def is_one_more(text: str) -> bool:
    """Whether what is told of somebody is said as one more thing."""
    said = text[:_READ]
    if _MAY_BE.search(said) is None:
        return False
    return _ONE_MORE.match(_itself(said)) is not None


def _itself(said: str) -> str:
    """What is said, up to where more is told of it."""
    reason = REASON.search(said)
    more = _TELLS_MORE.search(said)
    ends = [found.start() for found in (reason, more) if found]
    return said[: min(ends)] if ends else said


def without_also(text: str) -> str:
    """What is decided or demanded, without the word that says that it is one more."""
    also = _ALSO.match(text)
    return text[also.end() :] if also else text
