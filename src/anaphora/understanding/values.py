"""Numbers and dates in what is said: "use port 8080" and "use port 9090" say the same but for a value."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

from anaphora.function_words import FUNCTION_WORDS, word_set
from anaphora.types import Span
from anaphora.understanding.once import when_forgotten
from anaphora.understanding.patterns import any_case

__all__ = ["UNIT", "Value", "find_values", "same_but_for_values"]

UNIT = (
    r"(?:%|percent|ms|s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?|[kmgt]i?b|bytes?|px|"
    r"r?em|"
    r"pt|k|eur(?:os?)?|dollars?|usd|pounds?|gbp|cents?)"
)
_DAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_ORDINAL = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE = any_case(
    rf"(?<![\w-])(?:(?:(?:next|this) )?{_DAY}(?: next week| morning| afternoon| evening)?|\d{{4}}-\d\d-\d\d|"
    rf"{_MONTH} {_ORDINAL}(?!\w)|(?:the )?{_ORDINAL} (?:of )?{_MONTH}(?!\w)|tomorrow|tonight|today|"
    r"(?:next|this) (?:week|month|quarter|year)|(?:the )?end of (?:the |next |this )?"
    rf"(?:day|week|month|quarter|year|{_MONTH})|the {_ORDINAL}(?<=[a-z])|(?:early|mid|late) {_MONTH}|"
    r"in (?:an?|one|two|three|four|five|six|\d+) (?:days?|weeks?|months?|years?)|"
    r"q[1-4]|noon|midnight|\d{1,2}(?::\d\d)? ?[ap]\.?m\.?|\d{1,2}:\d\d)(?![\w-])"
)
_NUMBER = any_case(rf"(?<![\w.,/#-])[€$£]?\d+(?:[.,]\d+)*(?: ?{UNIT}(?![\w-]))?(?![\w/-])(?!\.\w)")
# what a number after it only tells from others of its sort, and what people choose among
_NUMBERED = word_set(
    "option variant approach plan proposal solution step pr issue ticket bug task chapter page phase part question "
    "section milestone sprint commit line item number no example exercise figure table case day week point idea "
    "suggestion alternative room gate track level server node machine gpu disk slot button screen column row model "
    "file database shard"
)
_LONGEST = 300  # characters of what says one thing of another
_SMALL = word_set("the a an our my now please then")


class Value(NamedTuple):
    span: Span
    sort: Literal["number", "date"]


def find_values(text: str) -> list[Value]:
    """The numbers, with their units, and the dates of a text, in order."""
    dates = [Value(found.span(), "date") for found in _DATE.finditer(text)]
    numbers = [Value(found.span(), "number") for found in _NUMBER.finditer(text)]
    dated = {place for date in dates for place in range(*date.span)}
    return sorted([*dates, *(number for number in numbers if dated.isdisjoint(range(*number.span)))])


def same_but_for_values(newer: str, older: str, *, dates: bool = False) -> bool:
    """Whether both say the same of the same thing, and only a number or a date in it is another; or only a date."""
    if max(len(newer), len(older)) > _LONGEST:
        return False
    new = _masked(newer, dates)
    if not any(word[:1] == "\0" for word in new) or new != _masked(older, dates):
        return False
    named = [word for word in new if word[:1] != "\0" and word not in FUNCTION_WORDS]
    return bool(named) and not any(word in _NUMBERED for word in named)


@lru_cache(maxsize=1024)
def _masked(text: str, dates: bool) -> list[str]:
    """The words that tell, with the sort of each value in its place."""
    low = text.lower().replace("’", "'")
    for span, sort in reversed([v for v in find_values(low) if v.sort == "date" or not dates]):
        low = f"{low[: span[0]]} \0{sort} {low[span[1] :]}"
    words = (word.strip('.,;:!?()"') for word in low.split())
    return [word for word in words if word and word not in _SMALL]


when_forgotten(_masked.cache_clear)
