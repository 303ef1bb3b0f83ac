"""A function or a class is told by its name: it says more than half a sentence of what it is for."""

from __future__ import annotations

from anaphora.understanding.patterns import any_case, expression

__all__ = ["by_name"]

_POINTS = any_case(r"it|its|this|that|(?:this|that|the|your) (?:code|function|class|method|program|script)")
_LEADS = expression(r"\s*(?:of|in|for|about|to|from|with|at|on) ")
_OF_FUNCTION = any_case(r"\b(?:function|class|method|code|def)\b")
_ENDING = expression(r" is$|['’]s$")


def by_name(mention: str, wording: str, spoken: str) -> str | None:
    """What stands in the place of a mention, or is put behind a small word where nothing points, with the thing as it
    is `spoken` of instead of what is told of it: "it fails" is "the is_prime function fails", and not "the function
    that takes a number and returns True fails". None where it is something else that may be told."""
    leads = _LEADS.match(wording)
    if not (_POINTS.fullmatch(mention) if mention else leads and _OF_FUNCTION.search(wording)):
        return None
    ending = _ENDING.search(wording)
    words = spoken[0].upper() + spoken[1:] if wording[:1].isupper() else spoken
    return f"{leads[0] if leads else ''}{words}{ending[0] if ending else ''}"
