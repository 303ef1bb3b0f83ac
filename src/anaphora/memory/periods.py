"""The time that a query speaks of: "yesterday", "in May", "last week", "between 3 and 9 June 2024", "since Monday".

What is said without a year means every year: a chat that is three years old is asked about by its own months."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from anaphora.memory.parts import Spans, narrowed, of_day
from anaphora.understanding.patterns import expression

__all__ = ["Period", "local_time", "periods_in"]

_DAY = timedelta(days=1)
_HOUR, _MINUTE = timedelta(hours=1), timedelta(minutes=1)
_SHORT, _STILL_TOLD = 8 * _DAY, 14 * _DAY
_READ = 4000  # characters of a text that are looked at
_YEARS_BACK = 10  # that a month or a day without a year is looked for in
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}  # by their first month
_SMALL = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
    *("fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")

_MONTH = r"(?P<month>sept|" + "|".join(f"{m[:3]}(?:{m[3:]})?" if len(m) > 3 else m for m in _MONTHS) + r")\.?"
_NTH = r"(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_FIRST = r"(?P<first>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?\s*(?:-|–|to|and|until|through)\s*"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_COUNT = (
    r"(?P<count>\d{1,3}|(?:a )?few|(?:a )?couple(?: of)?|half an?|an?|"
    + rf"(?:{'|'.join(_TENS)})(?:[ -](?:{'|'.join(_SMALL[:9])}))?|{'|'.join(reversed(_SMALL))})"
)
_UNIT = r"(?P<unit>day|week|fortnight|month|year)s?"
_CLOCK = r"(?P<unit>hour|hr|minute|min)s?"
_HALF = r"(?:\s+and\s+a\s+half)?"
_SEASON = r"(?P<season>spring|summer|autumn|fall|winter)"
_BEFORE_A_TIME = (
    *("in", "early", "late", "mid", "since", "until", "till", "before", "after", "between", "from", "and", "to"),
    "through",
)
_BEFORE_A_MONTH = (*_BEFORE_A_TIME, "during", "of")
_LEADS = "|".join(rf"(?<=\b{lead}\s)" for lead in _BEFORE_A_TIME)
_MONTH_LEADS = "|".join(rf"(?<=\b{lead}[\s-])" for lead in _BEFORE_A_MONTH)  # "may" and "march" are other words too
_YEAR_LEADS = "|".join(
    rf"(?<=\b{lead}[\s-])" for lead in ("in", "early", "late", "mid", "beginning of", "start of", "end of")
)
_HOURS = r"(?:morning|afternoon|evening|night)\b"
_NTH_DAY = r"(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)"
_NO_NOUN = r"\W*\Z|\s*[,;:?!.)–-]|\s+(?:and|or|to|until|till|through|at|in the|did|when)\b"  # "on the 8th floor"
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
    text = query[:_READ].lower()
    if not _ANY.search(text):
        return ()
    named = sorted(_named(text, now), key=lambda one: one[0])
    ranged = _ranges(text, named, now)
    return tuple(Period(start, end, said) for _, said, spans in ranged for start, end in spans if start < end)


_Found = tuple[tuple[int, int], str, Spans]  # place in the text, the words, the stretches


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
            place, spans = narrowed(text, place, spans)
            taken.append(place)
            yield place, text[slice(*place)].strip(), spans


def _ranges(text: str, named: Sequence[_Found], now: datetime) -> Iterator[_Found]:
    """What stands before a time and between two: "since", "before", "from … to …", "between … and …"."""
    rest = list(reversed(named))
    while rest:
        place, said, spans = rest.pop()
        begun = text[max(0, place[0] - _LEAD) : place[0]].rstrip()
        lead = begun.rsplit(" ", 1)[-1]
        opened = lead in ("between", "from")
        if rest and text[place[1] : rest[-1][0][0]].strip() in (_JOINS if opened else _JOINS[1:]):
            until, _, ends = rest.pop()
            whole = text[place[0] : until[1]]
            weekly = any(day in text[slice(*until)] for day in _DAYS)
            yield (place[0], until[1]), _with(lead, whole), _joined(spans, ends, now if weekly else None)
        elif lead in ("since", "after"):
            edge = 0 if lead == "since" else 1
            yield place, f"{lead} {said}", [(spans[0][edge], _ENDLESS.replace(tzinfo=spans[0][0].tzinfo))]
        elif lead in ("before", "until", "till"):
            edge = 0 if lead == "before" else 1
            begin = datetime.min.replace(year=2, tzinfo=spans[0][0].tzinfo)
            yield place, f"{lead} {said}", [(begin, spans[0][edge])]
        else:
            yield place, _with(lead, said), spans


_LEAD = 20  # characters that the word before a time is looked for in
_JOINS = ("and", "to", "until", "till", "through", "-", "–")  # the first only after "between" and "from"


def _with(lead: str, said: str) -> str:
    """A range as it was said; "between" belongs to nothing else."""
    return f"{lead} {said}" if lead == "between" else said


def _joined(starts: Spans, ends: Spans, now: datetime | None) -> Spans:
    """To each end from the last start before it: "March 3 to March 9, 2024" is six days of one year. `now` is given
    where the end is a day of the week. That is the last one, which may lie before the start: then the one after is
    meant, or where that is still to come the start is a week before."""
    found = []
    for _, end in ends:
        earlier = [start for start, _ in starts if start < end]
        if earlier:
            found.append((max(earlier), end))
    if not found and now is not None and len(starts) == len(ends) == 1 and ends[0][1] + 7 * _DAY > starts[0][0]:
        (start, _), (begun, end) = starts[0], ends[0]
        found.append((start, end + 7 * _DAY) if begun + 7 * _DAY <= now else (start - 7 * _DAY, end))
    return found


# --- what each shape means ----------------------------------------------------------------------------------------


def _midnight(at: datetime) -> datetime:
    return at.replace(hour=0, minute=0, second=0, microsecond=0)


def _days(first: datetime, count: float) -> Spans:
    return [(first, first + count * _DAY)]


def _months(first: datetime, count: int = 1) -> Spans:
    after = first.month - 1 + count
    return [(first, first.replace(year=first.year + after // 12, month=after % 12 + 1))]


def _of_unit(unit: str, back: int, now: datetime) -> Spans:
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


def _number(word: str) -> float:
    if word.isdigit():
        return int(word)
    if word.startswith("half"):
        return 0.5
    if "couple" in word:
        return 2
    if word.endswith("few"):
        return 3
    parts = word.replace("-", " ").split()
    return sum(_TENS.get(part) or (_SMALL.index(part) + 1 if part in _SMALL else 0) for part in parts) or 1


def _so_many(match: re.Match[str]) -> float:
    """The number before a unit; "and a half" stands before that or behind it."""
    return _number(match["count"]) + (0.5 if "and a half" in " ".join(match[0].split()) else 0.0)


def _ago(match: re.Match[str], now: datetime) -> Spans:
    unit, count = match["unit"], _so_many(match)
    day = _midnight(now) - count * _LENGTHS[unit] * _DAY
    slack = _SLACK[unit] * min(1.0, count) + (1.0 if "few" in match["count"] or "couple" in match["count"] else 0.0)
    return [(_midnight(day - slack * _DAY), _midnight(day + slack * _DAY) + _DAY)]


def _before_yesterday(match: re.Match[str], now: datetime) -> Spans:
    return _ago(match, now - _DAY)


def _ago_by_clock(match: re.Match[str], now: datetime) -> Spans:
    """ "An hour ago", "30 minutes ago": give or take a quarter, or what nobody looks at a clock for."""
    hours = match["unit"].startswith("h")
    back = _so_many(match) * (_HOUR if hours else _MINUTE)
    slack = max(back / 4, (30 if hours else 10) * _MINUTE)
    return [(now - back - slack, min(now - back + slack, now) + _MINUTE)]


def _last_by_clock(match: re.Match[str], now: datetime) -> Spans:
    """Up to now: "the last 24 hours", "the past hour"."""
    back = _number(match["count"] or "a") * (_HOUR if match["unit"].startswith("h") else _MINUTE)
    return [(now - back, now + _MINUTE)]


def _last_so_many(match: re.Match[str], now: datetime) -> Spans:
    """Up to today: "the last 3 days", "the past month"."""
    back = _number(match["count"] or "a") * _LENGTHS[match["unit"]] * _DAY
    return [(_midnight(_midnight(now) - back), _midnight(now) + _DAY)]


def _weekday(match: re.Match[str], now: datetime) -> Spans:
    """The last one: today's own name means a week ago."""
    back = (now.weekday() - _DAYS.index(match["weekday"]) - 1) % 7 + 1
    return _days(_midnight(now) - back * _DAY, 1)


def _weekday_of_week(match: re.Match[str], now: datetime) -> Spans:
    """ "This Friday" is that of the week that is on."""
    return _days(_midnight(now) + (_DAYS.index(match["weekday"]) - now.weekday()) * _DAY, 1)


def _weekdays_ago(match: re.Match[str], now: datetime) -> Spans:
    (last, _), *_ = _weekday(match, now)
    return _days(last - 7 * (int(_number(match["count"])) - 1) * _DAY, 1)


def _of_today(match: re.Match[str], now: datetime) -> Spans:
    return [of_day(match["hours"], _midnight(now))]


def _last_night(_: re.Match[str], now: datetime) -> Spans:
    return [of_day("night", _midnight(now) - _DAY)]


def _nth(match: re.Match[str], now: datetime) -> Spans:
    """ "On the 8th": the last day of that number."""
    day, first = int(match["day"]), _midnight(now).replace(day=1)
    while True:
        length = (_months(first)[0][1] - first).days
        if day <= length and first + (day - 1) * _DAY <= now:
            return _days(first + (day - 1) * _DAY, 1)
        first = _midnight(first - _DAY).replace(day=1)


def _weekend(match: re.Match[str], now: datetime) -> Spans:
    """ "The weekend" is the one that is on, or the last one."""
    which, weeks = match["which"], {"last": 1, "before last": 2, "this": 0}
    back = weeks[which] if which in weeks else int(now.weekday() < _DAYS.index("saturday"))
    return _days(_midnight(now) - (now.weekday() - 5 + 7 * back) * _DAY, 2)


def _date(match: re.Match[str], now: datetime) -> Spans:
    groups = match.groupdict()
    month, year = groups["month"], groups.get("year")
    number = int(month) if month.isdigit() else next(i for i, m in enumerate(_MONTHS, 1) if m.startswith(month[:3]))
    ordinal = groups.get("ordinal")
    day = str(_ORDINALS.index(ordinal) + 1) if ordinal else groups.get("day")
    found: list[tuple[datetime, datetime]] = []
    for one in [int(year)] if year else range(now.year, now.year - _YEARS_BACK, -1):
        try:
            first = _midnight(now).replace(year=one, month=number, day=int(day or 1))
        except ValueError:  # 29 February
            continue
        found += _days(first, 1) if day else _months(first)
    return found if year else [span for span in found if span[0] <= now]


def _days_of_month(match: re.Match[str], now: datetime) -> Spans:
    """ "3 to 9 June", "June 3–9"."""
    lasts = _date(match, now)
    return [(last.replace(day=int(match["first"])), end) for last, end in lasts]


def _season(match: re.Match[str], now: datetime) -> Spans:
    month, year = _SEASONS[match["season"]], match.groupdict().get("year")
    firsts = [
        _midnight(now).replace(year=one, month=month, day=1)
        for one in ([int(year)] if year else range(now.year, now.year - _YEARS_BACK, -1))
    ]
    found = [span for first in firsts for span in _months(first, 3)]
    return found if year else [span for span in found if span[0] <= now]


def _latest(
    read: Callable[[re.Match[str], datetime], Spans],
) -> Callable[[re.Match[str], datetime], Spans]:
    """The last one that is over, or with "this" the one that is on: "last March", "this summer"."""

    def latest(match: re.Match[str], now: datetime) -> Spans:
        on = match["which"] == "this"
        return [span for span in read(match, now) if on or span[1] <= now][:1]

    return latest


def _in_year(match: re.Match[str], now: datetime) -> Spans:
    return _months(_midnight(now).replace(year=int(match["year"]), month=1, day=1), 12)


def _calendar(back: int) -> Callable[[re.Match[str], datetime], Spans]:
    return lambda match, now: _of_unit(match["unit"], back, now)


def _daily(back: int) -> Callable[[re.Match[str], datetime], Spans]:
    return lambda _, now: _of_unit("day", back, now)


_SHAPES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], datetime], Spans]], ...] = tuple(
    (expression(rf"\b{shape}\b"), read)
    for shape, read in (
        (r"(?P<year>\d{4})-(?P<month>0[1-9]|1[0-2])-(?P<day>[0-3]\d)", _date),
        (rf"(?<![\w-]){_YEAR}-(?P<month>0[1-9]|1[0-2])(?!-)", _date),
        (rf"(?P<day>[0-3]?\d)\.(?P<month>0?[1-9]|1[0-2])\.{_YEAR}", _date),
        (rf"(?P<day>1[3-9]|2\d|3[01])/(?P<month>0?[1-9]|1[0-2])/{_YEAR}", _date),  # 5/6 may be either
        (rf"(?P<month>0?[1-9]|1[0-2])/(?P<day>1[3-9]|2\d|3[01])/{_YEAR}", _date),
        (rf"{_FIRST}{_NTH}(?:\s+of)?\s+{_MONTH}(?:,?\s+{_YEAR})?", _days_of_month),
        (rf"{_MONTH}\s+{_FIRST}{_NTH}(?:,?\s+{_YEAR})?", _days_of_month),
        (rf"{_MONTH}\s+{_NTH}(?:,?\s+{_YEAR})?", _date),
        (rf"{_NTH}(?:\s+of)?\s+{_MONTH}(?:,?\s+{_YEAR})?", _date),
        (rf"(?:the\s+)?(?P<ordinal>{'|'.join(_ORDINALS)})\s+of\s+{_MONTH}(?:,?\s+{_YEAR})?", _date),
        (rf"{_MONTH},?\s+(?:of\s+)?{_YEAR}", _date),
        (rf"(?P<which>last)\s+{_MONTH}", _latest(_date)),
        (rf"(?P<which>this)\s+{_MONTH}(?=\W*$|\s*[,;:?])", _latest(_date)),  # and not "this may help"
        (rf"(?:{_MONTH_LEADS}){_MONTH}", _date),
        (rf"{_SEASON}(?:\s+of)?\s+{_YEAR}", _season),
        (rf"(?P<which>last|this)\s+{_SEASON}", _latest(_season)),
        (rf"(?<=\bin the\s){_SEASON}", _season),
        (r"(?:the\s+)?day before yesterday", _daily(2)),
        (rf"{_COUNT}\s+{_UNIT}\s+before\s+yesterday", _before_yesterday),
        (r"yesterday", _daily(1)),
        (r"last\s+night", _last_night),
        (r"(?:this\s+|\bto)(?P<hours>morning|afternoon|evening|night)", _of_today),
        (r"today", _daily(0)),
        (rf"{_COUNT}{_HALF}\s+{_UNIT}{_HALF}\s+ago", _ago),
        (rf"{_COUNT}{_HALF}\s+{_CLOCK}{_HALF}\s+ago", _ago_by_clock),
        (rf"{_COUNT}\s+(?P<weekday>{'|'.join(_DAYS)})s?\s+ago", _weekdays_ago),
        (rf"(?:last|past|previous)\s+{_COUNT}\s+{_UNIT}", _last_so_many),
        (rf"(?:last|past|previous)\s+(?:{_COUNT}\s+)?{_CLOCK}", _last_by_clock),
        (r"(?P<which>last|this)\s+weekend", _weekend),
        (r"weekend\s+(?P<which>before last)", _weekend),
        (r"(?:over|on|at|during)\s+(?P<which>the)\s+weekend", _weekend),
        (r"(?P<unit>week|month|year)\s+before\s+last", _calendar(2)),
        (r"past(?P<count>)\s+(?P<unit>week|month|year)", _last_so_many),
        (rf"(?:last|previous)\s+{_UNIT}", _calendar(1)),
        (r"this\s+(?P<unit>week|month|year)", _calendar(0)),
        (rf"this\s+(?P<weekday>{'|'.join(_DAYS)})", _weekday_of_week),
        (rf"(?:(?:last|past|on)\s+|{_LEADS})(?P<weekday>{'|'.join(_DAYS)})", _weekday),
        (rf"(?<!\bevery\s)(?<!\beach\s)(?P<weekday>{'|'.join(_DAYS)})(?=\s+{_HOURS})", _weekday),
        (rf"(?:(?<=\bon\s)|{_LEADS})the\s+{_NTH_DAY}(?={_NO_NOUN})", _nth),
        (rf"(?:{_YEAR_LEADS}){_YEAR}", _in_year),
    )
)

_ANY = expression(
    "|".join(
        [
            *(month[:3] for month in _MONTHS),
            r"\b\d{4}\b|day|night|ago|last|past|previous|this|weekend|\d(?:st|nd|rd|th)\b",
            *_SEASONS,
        ]
    )
)
"""Every shape has one of these."""
