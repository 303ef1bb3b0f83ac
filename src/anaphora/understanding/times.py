"""Words that say when: "on Sunday" takes the place of "tomorrow", "half past six" that of "7 am", and "in the evening"
says more of either."""

from __future__ import annotations

import re

from anaphora.types import Span
from anaphora.understanding.patterns import expression

__all__ = ["at_another_time", "before_time", "is_time", "with_lead"]

_WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun|week)days?|weekends)"
_MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_PART = r"(?:morning|afternoon|evening|night)s?"
_DATE = (
    rf"(?:{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?|(?:the )?\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}"
    r"|the \d{1,2}(?:st|nd|rd|th)"
    rf"|the (?:first|second|third|last)(?: day)? of (?:(?:the|this|next) month|{_MONTH}))"
)
_DAY = expression(
    r"\b(?:(?P<lead>on|for|over|by|until|till|in|at) )?(?P<when>the day after tomorrow|the weekend"
    rf"|(?P<relative>today|tonight|tomorrow|yesterday|(?:this|next|last|every) (?:{_WEEKDAY}|{_PART}|weekend|week|"
    rf"month|year))|(?P<weekday>{_WEEKDAY})|{_DATE})(?P<part> {_PART}| in the {_PART})?\b",
    re.IGNORECASE,
)
_PART_OF_DAY = expression(rf"(?:in )?the (?P<part>{_PART})", re.IGNORECASE)
_OF_DAYS = ("on", "in", "at")
_NUMBER = r"(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_CLOCK = expression(
    r"\b(?:(?P<lead>at|for|by|from|until|till|around) )?(?P<when>noon|midnight"
    rf"|(?:half|quarter|ten|twenty|five) (?:past|to) {_NUMBER}|{_NUMBER}(?::\d\d)? ?(?:[ap]\.?m\b\.?|o['’]clock)"
    rf"|\d{{1,2}}:\d\d|(?<=\bat ){_NUMBER}"
    r"(?=\W*$|,| (?:on|in the|tomorrow|tonight|today|this|next|every)\b))(?!\w)",
    re.IGNORECASE,
)


def is_time(text: str) -> bool:
    """Whether words only say when."""
    return any(kind.fullmatch(text) for kind in (_DAY, _PART_OF_DAY, _CLOCK))


def with_lead(text: str) -> str:
    """A time as it stands behind what is done then: "on Sunday", "at nine"."""
    day = _DAY.fullmatch(text)
    if day is not None:
        return f"on {text}" if day["lead"] is None and (day["weekday"] or not day["relative"]) else text
    clock = _CLOCK.fullmatch(text)
    bare = clock is None and is_time(f"at {text}")
    return f"at {text}" if bare or (clock is not None and clock["lead"] is None) else text


def before_time(text: str) -> tuple[str, str]:
    """What is said, and the time that it ends with: "in Paris", "on Sunday"."""
    if is_time(text):
        return "", text
    for kind in (_DAY, _CLOCK):
        last = next((found for found in kind.finditer(text) if found.end() == len(text)), None)
        if last is not None:
            return text[: last.start()].rstrip(), last[0]
    return text, ""


def at_another_time(part: str, asked: str) -> tuple[Span, str] | None:
    """Where in what was asked another time of the kind stands, and what is said there instead; None where the words say
    no time, or nothing tells which one they replace."""
    of_day, day, clock = _PART_OF_DAY.fullmatch(part), _DAY.fullmatch(part), _CLOCK.fullmatch(part)
    old = [*(_CLOCK if clock is not None else _DAY).finditer(asked)]
    if len(old) != 1:
        return None
    if of_day is not None:
        return _in_part(of_day["part"], old[0])
    new = day or clock
    if new is None:
        return None
    lead = new["lead"] or old[0]["lead"]
    if day is not None and new["lead"] is None:
        lead = _lead_of_day(day, lead)
    kept = (old[0]["part"] or "") if day is not None and day["weekday"] and day["part"] is None else ""
    more = kept or ((day["part"] or "") if day is not None else "")
    return old[0].span(), f"{lead} {new['when']}{more}" if lead else f"{new['when']}{more}"


def _in_part(part: str, day: re.Match[str]) -> tuple[Span, str] | None:
    """In another part of the same day; "tonight" is one itself."""
    if day["when"].lower() == "tonight":
        return None
    if day["part"] is not None:
        said = part if day["part"].strip().startswith("in the") or part.endswith("s") else part.rstrip("s")
        lead = "in the " if day["part"].strip().startswith("in the") else ""
        return day.span("part"), f"{lead}{said}"
    return (day.end(), day.end()), f"in the {part}"


def _lead_of_day(day: re.Match[str], before: str | None) -> str | None:
    """The word before a day that is said without one, where another day had the one `before` it."""
    kept = before if before is None or before.lower() not in _OF_DAYS else None
    if kept is not None or day["relative"]:
        return kept
    return "on" if day["weekday"] or day["when"][:3].lower() == "the" else before
