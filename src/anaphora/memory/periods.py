"""The time that a query speaks of: "yesterday", "in May", "last week", "between 3 and 9 June 2024", "since Monday".

What is said without a year means every year: a chat that is three years old is asked about by its own months."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from anaphora.understanding.patterns import expression

__all__ = ["Period", "local_time", "periods_in"]

_DAY = timedelta(days=1)
_SHORT, _STILL_TOLD = 8 * _DAY, 14 * _DAY
_YEARS_BACK = 10  # that a month or a day without a year is looked for in
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}  # by their first month
_NUMBERS = ("a", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

_MONTH = r"(?P<month>" + "|".join(f"{m[:3]}(?:{m[3:]})?" if len(m) > 3 else m for m in _MONTHS) + r")\.?"
_NTH = r"(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_FIRST = r"(?P<first>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?\s*(?:-|–|to|and|until|through)\s*"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_COUNT = r"(?P<count>\d{1,3}|(?:a )?few|(?:a )?couple(?: of)?|an?|" + "|".join(_NUMBERS[1:]) + ")"
_UNIT = r"(?P<unit>day|week|fortnight|month|year)s?"
_SEASON = r"(?P<season>spring|summer|autumn|fall|winter)"
_BEFORE_A_TIME = ("in", "early", "late", "mid", "since", "until", "before", "after", "between", "from", "and", "to")
_BEFORE_A_MONTH = (*_BEFORE_A_TIME, "during", "of")
_LEADS = "|".join(rf"(?<=\b{lead}\s)" for lead in _BEFORE_A_TIME)
_MONTH_LEADS = "|".join(rf"(?<=\b{lead}[\s-])" for lead in _BEFORE_A_MONTH)  # "may" and "march" are other words too
_ENDLESS = datetime.max.replace(year=9000)


def local_time(at: datetime, zone: str) -> datetime:
    """The time as a clock there shows it; in its own zone where that one's calendar would run out."""
    try:
        return at.astimezone(ZoneInfo(zone))
    except OverflowError:
        return at


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of time, its end not included, and the words that named it."""

    start: datetime
    end: datetime
    said: str

    def __contains__(self, at: datetime) -> bool:
        return self.start <= at < self.end

    @property
    def told_until(self) -> datetime:
        """Until when people still tell of it by its day: of what is short, for two weeks."""
        return self.end + _STILL_TOLD if self.end - self.start <= _SHORT else self.end

    def is_told_by(self, text: str, at: datetime) -> bool:
        """Whether a text of a later day names a time that lies in it: "last Saturday", said on a Monday."""
        if not self.end <= at < self.told_until:
            return False
        named = periods_in(text, at.astimezone(self.start.tzinfo))
        return any(p.end - p.start <= _SHORT and p.start < self.end and self.start < p.end for p in named)


def periods_in(query: str, now: datetime) -> tuple[Period, ...]:
    """The stretches of time that the query names, as calendars in the zone of `now` show them; none if it names none.

    Two of one query are a range where its words say so, and otherwise each for itself."""
    text = query.lower()
    if not _ANY.search(text):
        return ()
    named = sorted(_named(text, now), key=lambda one: one[0])
    ranged = _ranges(text, named)
    return tuple(Period(start, end, said) for _, said, spans in ranged for start, end in spans if start < end)


_Spans = Sequence[tuple[datetime, datetime]]
_Found = tuple[tuple[int, int], str, _Spans]  # place in the text, the words, the stretches


def _named(text: str, now: datetime) -> Iterator[_Found]:
    taken: list[tuple[int, int]] = []
    for pattern, read in _SHAPES:
        for match in pattern.finditer(text):
            place = match.span()
            if any(start < place[1] and place[0] < end for start, end in taken):
                continue
            try:
                spans = read(match, now)
            except (ValueError, OverflowError):  # 31 February; a year that no calendar has
                continue
            taken.append(place)
            yield place, match[0].strip(), spans


def _ranges(text: str, named: Sequence[_Found]) -> Iterator[_Found]:
    """What stands before a time and between two: "since", "before", "from … to …", "between … and …"."""
    rest = list(named)
    while rest:
        (place, said, spans), *rest = rest
        lead = text[: place[0]].rstrip().rsplit(" ", 1)[-1]
        if rest and lead in ("between", "from") and text[place[1] : rest[0][0][0]].strip() in _JOINS:
            (until, _, ends), *rest = rest
            yield (place[0], until[1]), text[place[0] : until[1]], _joined(spans, ends)
        elif lead in ("since", "after"):
            edge = 0 if lead == "since" else 1
            yield place, f"{lead} {said}", [(spans[0][edge], _ENDLESS.replace(tzinfo=spans[0][0].tzinfo))]
        elif lead in ("before", "until", "till"):
            edge = 0 if lead == "before" else 1
            begin = datetime.min.replace(year=2, tzinfo=spans[0][0].tzinfo)
            yield place, f"{lead} {said}", [(begin, spans[0][edge])]
        else:
            yield place, said, spans


_JOINS = ("and", "to", "until", "till", "through", "-", "–")


def _joined(starts: _Spans, ends: _Spans) -> _Spans:
    """To each end from the last start before it: "March 3 to March 9, 2024" is six days of one year."""
    found = []
    for _, end in ends:
        earlier = [start for start, _ in starts if start < end]
        if earlier:
            found.append((max(earlier), end))
    return found


# --- what each shape means ----------------------------------------------------------------------------------------


def _midnight(at: datetime) -> datetime:
    return at.replace(hour=0, minute=0, second=0, microsecond=0)


def _days(first: datetime, count: float) -> _Spans:
    return [(first, first + count * _DAY)]


def _months(first: datetime, count: int = 1) -> _Spans:
    after = first.month - 1 + count
    return [(first, first.replace(year=first.year + after // 12, month=after % 12 + 1))]


def _of_unit(unit: str, back: int, now: datetime) -> _Spans:
    """This calendar unit, or so many before it."""
    today = _midnight(now)
    if unit == "day":
        return _days(today - back * _DAY, 1)
    if unit == "fortnight":
        return _days(today - 14 * back * _DAY, 14)
    if unit == "week":
        return _days(today - (today.weekday() + 7 * back) * _DAY, 7)
    if unit == "month":
        months = today.year * 12 + today.month - 1 - back
        return _months(today.replace(year=months // 12, month=months % 12 + 1, day=1))
    return _months(today.replace(year=today.year - back, month=1, day=1), 12)


_LENGTHS = {"day": 1, "week": 7, "fortnight": 14, "month": 30.5, "year": 365.25}
# "two weeks ago" is seldom fourteen days to the day
_SLACK = {"day": 0.0, "week": 3.0, "fortnight": 3.0, "month": 12.0, "year": 120.0}


def _number(word: str) -> int:
    if word.isdigit():
        return int(word)
    if "couple" in word:
        return 2
    if word.endswith("few"):
        return 3
    return max(1, _NUMBERS.index(word)) if word in _NUMBERS else 1


def _ago(match: re.Match[str], now: datetime) -> _Spans:
    unit, count = match["unit"], _number(match["count"])
    day = _midnight(now) - count * _LENGTHS[unit] * _DAY
    slack = _SLACK[unit] + (1.0 if "few" in match["count"] or "couple" in match["count"] else 0.0)
    return [(_midnight(day - slack * _DAY), _midnight(day + slack * _DAY) + _DAY)]


def _last_so_many(match: re.Match[str], now: datetime) -> _Spans:
    """Up to today: "the last 3 days", "the past month"."""
    back = _number(match["count"] or "a") * _LENGTHS[match["unit"]] * _DAY
    return [(_midnight(_midnight(now) - back), _midnight(now) + _DAY)]


def _weekday(match: re.Match[str], now: datetime) -> _Spans:
    """The last one: today's own name means a week ago."""
    back = (now.weekday() - _DAYS.index(match["weekday"]) - 1) % 7 + 1
    return _days(_midnight(now) - back * _DAY, 1)


def _weekend(match: re.Match[str], now: datetime) -> _Spans:
    """ "The weekend" is the one that is on, or the last one."""
    which, weeks = match["which"], {"last": 1, "before last": 2, "this": 0}
    back = weeks[which] if which in weeks else int(now.weekday() < _DAYS.index("saturday"))
    return _days(_midnight(now) - (now.weekday() - 5 + 7 * back) * _DAY, 2)


def _date(match: re.Match[str], now: datetime) -> _Spans:
    groups = match.groupdict()
    month, year = groups["month"], groups.get("year")
    number = int(month) if month.isdigit() else next(i for i, m in enumerate(_MONTHS, 1) if m.startswith(month[:3]))
    day = groups.get("day")
    found: list[tuple[datetime, datetime]] = []
    for one in [int(year)] if year else range(now.year, now.year - _YEARS_BACK, -1):
        try:
            first = _midnight(now).replace(year=one, month=number, day=int(day or 1))
        except ValueError:  # 29 February
            continue
        found += _days(first, 1) if day else _months(first)
    return found if year else [span for span in found if span[0] <= now]


def _days_of_month(match: re.Match[str], now: datetime) -> _Spans:
    """ "3 to 9 June", "June 3–9"."""
    lasts = _date(match, now)
    return [(last.replace(day=int(match["first"])), end) for last, end in lasts]


def _season(match: re.Match[str], now: datetime) -> _Spans:
    month, year = _SEASONS[match["season"]], match.groupdict().get("year")
    firsts = [
        _midnight(now).replace(year=one, month=month, day=1)
        for one in ([int(year)] if year else range(now.year, now.year - _YEARS_BACK, -1))
    ]
    found = [span for first in firsts for span in _months(first, 3)]
    return found if year else [span for span in found if span[0] <= now]


def _latest(
    read: Callable[[re.Match[str], datetime], _Spans],
) -> Callable[[re.Match[str], datetime], _Spans]:
    """The last one that is over, or with "this" the one that is on: "last March", "this summer"."""

    def latest(match: re.Match[str], now: datetime) -> _Spans:
        on = match["which"] == "this"
        return [span for span in read(match, now) if on or span[1] <= now][:1]

    return latest


def _in_year(match: re.Match[str], now: datetime) -> _Spans:
    return _months(_midnight(now).replace(year=int(match["year"]), month=1, day=1), 12)


def _calendar(back: int) -> Callable[[re.Match[str], datetime], _Spans]:
    return lambda match, now: _of_unit(match["unit"], back, now)


def _daily(back: int) -> Callable[[re.Match[str], datetime], _Spans]:
    return lambda _, now: _of_unit("day", back, now)


_SHAPES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], datetime], _Spans]], ...] = tuple(
    (expression(rf"\b{shape}\b"), read)
    for shape, read in (
        (r"(?P<year>\d{4})-(?P<month>0[1-9]|1[0-2])-(?P<day>[0-3]\d)", _date),
        (rf"(?P<day>[0-3]?\d)\.(?P<month>0?[1-9]|1[0-2])\.{_YEAR}", _date),
        (rf"(?P<day>1[3-9]|2\d|3[01])/(?P<month>0?[1-9]|1[0-2])/{_YEAR}", _date),  # 5/6 may be either
        (rf"(?P<month>0?[1-9]|1[0-2])/(?P<day>1[3-9]|2\d|3[01])/{_YEAR}", _date),
        (rf"{_FIRST}{_NTH}(?:\s+of)?\s+{_MONTH}(?:,?\s+{_YEAR})?", _days_of_month),
        (rf"{_MONTH}\s+{_FIRST}{_NTH}(?:,?\s+{_YEAR})?", _days_of_month),
        (rf"{_MONTH}\s+{_NTH}(?:,?\s+{_YEAR})?", _date),
        (rf"{_NTH}(?:\s+of)?\s+{_MONTH}(?:,?\s+{_YEAR})?", _date),
        (rf"{_MONTH},?\s+(?:of\s+)?{_YEAR}", _date),
        (rf"(?P<which>last)\s+{_MONTH}", _latest(_date)),
        (rf"(?P<which>this)\s+{_MONTH}(?=\W*$|\s*[,;:?])", _latest(_date)),  # and not "this may help"
        (rf"(?:{_MONTH_LEADS}){_MONTH}", _date),
        (rf"{_SEASON}(?:\s+of)?\s+{_YEAR}", _season),
        (rf"(?P<which>last|this)\s+{_SEASON}", _latest(_season)),
        (rf"(?<=\bin the\s){_SEASON}", _season),
        (r"(?:the\s+)?day before yesterday", _daily(2)),
        (r"yesterday|last night", _daily(1)),
        (r"today|tonight|this (?:morning|afternoon|evening)", _daily(0)),
        (rf"{_COUNT}\s+{_UNIT}\s+ago", _ago),
        (rf"(?:last|past|previous)\s+{_COUNT}\s+{_UNIT}", _last_so_many),
        (r"(?P<which>last|this)\s+weekend", _weekend),
        (r"weekend\s+(?P<which>before last)", _weekend),
        (r"(?:over|on|at|during)\s+(?P<which>the)\s+weekend", _weekend),
        (r"(?P<unit>week|month|year)\s+before\s+last", _calendar(2)),
        (r"past(?P<count>)\s+(?P<unit>week|month|year)", _last_so_many),
        (rf"(?:last|previous)\s+{_UNIT}", _calendar(1)),
        (r"this\s+(?P<unit>week|month|year)", _calendar(0)),
        (rf"(?:(?:last|on|this)\s+|{_LEADS})(?P<weekday>{'|'.join(_DAYS)})", _weekday),
        (rf"(?<=\bin\s){_YEAR}", _in_year),
    )
)

_ANY = expression(
    "|".join([*(month[:3] for month in _MONTHS), r"\b\d{4}\b|day|night|ago|last|past|previous|this|weekend", *_SEASONS])
)
"""Every shape has one of these."""
