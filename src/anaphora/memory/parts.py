"""Parts of a time that a query names: the morning of a day, the end of a month, its first week, the week of a date."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from anaphora.understanding.patterns import expression

__all__ = ["HOURS", "Spans", "narrowed", "of_day"]

Spans = Sequence[tuple[datetime, datetime]]

_DAY = timedelta(days=1)
HOURS = {  # from when to when, as people speak of them: they overlap, and a night ends in the next morning
    "morning": (4, 12),
    "noon": (11, 14),
    "midday": (11, 14),
    "afternoon": (12, 18),
    "evening": (17, 24),
    "night": (18, 30),
}
_OF_DAY = "|".join(HOURS)
_THEN = expression(rf"\s+(?:in\s+the\s+|at\s+)?(?P<hours>{_OF_DAY})\b")
_HOURS_OF = expression(rf"\b(?:the\s+)?(?P<hours>{_OF_DAY})\s+of\s+(?:the\s+)?\Z")
_WEEK_OF = expression(r"\b(?:the\s+)?week\s+(?P<how>of|starting|beginning)\s+(?:on\s+)?(?:the\s+)?\Z")
_NTH_WEEK = expression(r"\b(?:the\s+)?(?P<nth>first|second|third|fourth|last|1st|2nd|3rd|4th)\s+week\s+(?:of|in)\s+\Z")
_PART = expression(
    r"\b(?:(?P<soon>early)|mid(?P<amid>)|(?P<late>late)|"
    r"(?:the\s+)?(?:(?P<start>beginning|start)|(?P<middle>middle)|(?P<end>end))\s+of(?:\s+the)?)[\s-]+\Z"
)
_BEFORE = 40  # characters before a time in which it is said which part is meant
_WEEKS = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3}
_SHARE = 0.4  # of a month or a year that is early, or late: nobody counts the days


def narrowed(text: str, place: tuple[int, int], spans: Spans) -> tuple[tuple[int, int], Spans]:
    """The place in the text of a time with the words for a part of it, and the stretches of that part; both as they
    were where there are none."""
    if not spans:
        return place, spans
    before = text[max(0, place[0] - _BEFORE) : place[0]]
    longest = max(end - start for start, end in spans)
    if longest <= _DAY:
        return _of_days(text, before, place, spans)
    if longest < 6 * _DAY or longest > 370 * _DAY:
        return place, spans
    if (week := _NTH_WEEK.search(before)) and 28 * _DAY <= longest <= 31 * _DAY:
        return _with(week.end() - week.start(), place), [_week_in(week["nth"], *span) for span in spans]
    if part := _PART.search(before):
        early, late = part["soon"] or part["start"], part["late"] or part["end"]
        return _with(part.end() - part.start(), place), [_share_of(*span, bool(early), bool(late)) for span in spans]
    return place, spans


def of_day(hours: str, day: datetime) -> tuple[datetime, datetime]:
    """A part of the day that begins then."""
    first, last = HOURS[hours]
    return day + timedelta(hours=first), day + timedelta(hours=last)


def _of_days(text: str, before: str, place: tuple[int, int], spans: Spans) -> tuple[tuple[int, int], Spans]:
    if any(end - start < _DAY for start, end in spans):  # a part of one already
        return place, spans
    if then := _THEN.match(text, place[1]):
        return (place[0], then.end()), [of_day(then["hours"], start) for start, _ in spans]
    if hours := _HOURS_OF.search(before):
        return _with(hours.end() - hours.start(), place), [of_day(hours["hours"], start) for start, _ in spans]
    if week := _WEEK_OF.search(before):
        back = [start.weekday() if week["how"] == "of" else 0 for start, _ in spans]
        firsts = [start - days * _DAY for (start, _), days in zip(spans, back, strict=True)]
        return _with(week.end() - week.start(), place), [(first, first + 7 * _DAY) for first in firsts]
    return place, spans


def _with(length: int, place: tuple[int, int]) -> tuple[int, int]:
    """The place with so many characters before it."""
    return place[0] - length, place[1]


def _week_in(nth: str, start: datetime, end: datetime) -> tuple[datetime, datetime]:
    if nth == "last":
        return end - 7 * _DAY, end
    first = start + 7 * _WEEKS[nth] * _DAY
    return first, first + 7 * _DAY


def _share_of(start: datetime, end: datetime, early: bool, late: bool) -> tuple[datetime, datetime]:
    """To whole days: the first of them, the last, or those in between."""
    days = (end - start).days
    share = max(1, round(days * _SHARE))
    if early:
        return start, start + share * _DAY
    if late:
        return end - share * _DAY, end
    skipped = (days - share) // 2
    return start + skipped * _DAY, end - skipped * _DAY
