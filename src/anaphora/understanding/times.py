"""Words that say when: "on Sunday" takes the place of "tomorrow", "half past six" that of "7 am", and "in the evening"
says more of either."""

from __future__ import annotations

import re

from anaphora.types import Span
from anaphora.understanding.patterns import expression

__all__ = ["at_another_time", "before_time", "is_time", "times_in", "with_lead"]

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
_ARTICLES = ("the", "a", "an", "my", "our", "your", "this", "that")
_SINCE = ("since", "after", "before", "between", "from", "to", "and", "or", "called", "than")
_EVERY = expression(r"every\b", re.IGNORECASE)
_PARTS_OF_DAY = expression(r"\b(?:tonight|morning|afternoon|evening|night)", re.IGNORECASE)
_HALF_OF_DAY = expression(r"\d ?[ap]\.?m\b", re.IGNORECASE)
_WORD_BEFORE = expression(r"([\w'’]+)\s+\Z")
_WITHIN_NAME = expression(r"[-/.\"“'`:]\Z")
_AFTER = expression(  # its end, or what goes on with something else
    r"\s*(?:\Z|[?!,;]|\.(?:\s|\Z)|(?<=\s)(?:at|in|on|for|to|from|of|with|by|until|till|about|and|or|if|when|is|are|was|will|"
    r"please|too|then|instead|again|what|where|how|who|i|we|the|my|our|a|an|that|because|so|but|"
    rf"tomorrow|tonight|today|this|next|every|{_WEEKDAY})\b)",
    re.IGNORECASE,
)
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
    of_day, clock = _PART_OF_DAY.fullmatch(text), _CLOCK.fullmatch(text)
    if of_day is not None:
        return f"in the {of_day['part']}"
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


def times_in(part: str, asked: str) -> list[re.Match[str]]:
    """The times in what was asked that are of the kind of these words: days, or hours. What belongs to a name, to a
    file or to the word behind it is none."""
    kind = _CLOCK if _CLOCK.fullmatch(part) else _DAY
    return [found for found in kind.finditer(asked) if _stands_alone(asked, found)]


def at_another_time(part: str, asked: str) -> tuple[Span, str] | None:
    """Where in what was asked another time of the kind stands, and what is said there instead; None where the words say
    no time, or nothing tells which one they replace."""
    of_day, day, clock = _PART_OF_DAY.fullmatch(part), _DAY.fullmatch(part), _CLOCK.fullmatch(part)
    old = times_in(part, asked)
    if len(old) != 1:
        return None
    if of_day is not None:
        return _in_part(of_day["part"], old[0], asked)
    if clock is not None:
        return old[0].span(), _led(clock["lead"] or old[0]["lead"], clock["when"])
    if day is None:
        return None
    lead, when = day["lead"] or _lead_of_day(day, old[0], asked), day["when"]
    if day["lead"] is None and day["weekday"] and _EVERY.match(old[0]["when"]):
        return old[0].span(), f"every {when}"
    kept = (old[0]["part"] or "") if day["weekday"] and day["part"] is None else ""
    return old[0].span(), _led(lead, f"{when}{kept or day['part'] or ''}")


def _led(lead: str | None, when: str) -> str:
    return f"{lead} {when}" if lead else when


def _stands_alone(asked: str, time: re.Match[str]) -> bool:
    before, after = asked[: time.start()], asked[time.end() :]
    if _WITHIN_NAME.search(before) or not _AFTER.match(after):
        return False
    word, name = _WORD_BEFORE.search(before), time["when"][:1].isupper() and time["lead"] is None
    if word is None:
        return True
    return word[1].lower() not in _ARTICLES and not (name and word[1][:1].isupper() and word.start() > 0)


def _in_part(part: str, day: re.Match[str], asked: str) -> tuple[Span, str] | None:
    """In another part of the same day; "tonight" is one itself, and so is an hour."""
    if _PARTS_OF_DAY.search(day["when"]) or _HALF_OF_DAY.search(asked):
        return None
    if day["part"] is None:
        return (day.end(), day.end()), f"in the {part}"
    start, end = day.span("part")
    return (start + 1, end), f"in the {part}" if day["part"].startswith(" in the") else part


def _lead_of_day(day: re.Match[str], old: re.Match[str], asked: str) -> str | None:
    """The word before a day that is said without one: what stood before another day, and "on" for "tomorrow"."""
    before = old["lead"]
    plain = before is None or before.lower() in _OF_DAYS
    if not plain:
        return before
    if day["relative"] or day["when"].lower() == "the day after tomorrow":
        return None
    led = _WORD_BEFORE.search(asked[: old.start()])
    bare = before is None and not (old["relative"] and not (led and led[1].lower() in _SINCE))
    return None if bare else "on"
