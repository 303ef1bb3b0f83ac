"""A function or a class is told by its name: it says more than half a sentence of what it is for."""

from __future__ import annotations

from anaphora.understanding.patterns import any_case, expression
from anaphora.understanding.phrases import is_phrase

__all__ = ["by_name"]

_POINTS = any_case(
    r"(?:it|this|that)(?:['’]?s)?|(?:this|that|the|your) (?:code|function|class|method|program|script|approach)"
)
_LEADS = expression(r"\s*(?:of|in|for|about|to|from|with|at|on) ")
_OF_FUNCTION = any_case(r"\b(?:function|class|method|code|def)\b")
_TOLD_OF_IT = expression(r"\b(?:that|which|who|with)\b")


def by_name(mention: str, wording: str, spoken: str) -> str | None:
    """What stands in the place of a mention, or is put behind a small word where nothing points, with the thing as it
    is `spoken` of instead of what is told of it: "it fails" is "the is_prime function fails", and not "the function
    that takes a number and returns True fails". None where it is something else that may be told."""
    leads = _LEADS.match(wording)
    points = _POINTS.fullmatch(mention) if mention else leads
    if not points or not (_is_function(wording) or (mention and not is_phrase(wording.removesuffix(" is")))):
        return None
    ending = " is" if wording.endswith(" is") else "'s" if mention.lower() == "its" else ""
    words = spoken[0].upper() + spoken[1:] if mention[:1].isupper() else spoken
    return f"{leads[0] if leads else ''}{words}{ending}"


def _is_function(wording: str) -> bool:
    """Whether the thing that is told is one, and not something that has one."""
    told = _TOLD_OF_IT.search(wording)
    return _OF_FUNCTION.search(wording[: told.start()] if told else wording) is not None
