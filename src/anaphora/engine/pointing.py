"""What the words of a query point to: "it" in the running talk; a time points nowhere, and "she" is nobody's file."""

from __future__ import annotations

import re
from datetime import datetime

from anaphora.engine.hearing import meant_by
from anaphora.engine.place import Place
from anaphora.ports import View
from anaphora.understanding.patterns import any_case, expression

__all__ = ["meant"]

_TIMES = (
    r"(?:past |coming |last |very )?(?:morning|afternoon|evening|night|day|days|week|weeks|weekend|month|months|year|"
    r"years|hour|quarter|season|spring|summer|autumn|fall|winter|time|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may(?=\W*\Z|\s*[,;:?])|june|july|august|"
    r"september|october|november|december)\b"
)
_POINTS = any_case(
    rf"\b(?:it|its|(?:this|these)(?!\s+{_TIMES})|that|those|they|them|he|she|him|one|same)\b(?!\s+of\s+these\s+days)"
)
_SOMEONE = any_case(r"\b(?:he|she|him|her|his|hers)\b")
_SOMETHING = any_case(rf"\b(?:it|its|this(?!\s+{_TIMES})|that|these(?!\s+{_TIMES})|those|they|them|one|same)\b")
_PEOPLE = any_case(
    r"\b(?:wife|husband|spouse|partner|fianc[eé]e?|girlfriend|boyfriend|friend|son|daughter|kid|child|baby|mother|mom|"
    r"mum|father|dad|parent|brother|sister|sibling|grand\w+|aunt|uncle|cousin|niece|nephew|roommate|neighbou?r|boss|"
    r"manager|colleague|coworker|supervisor|mentor|lead|landlord|landlady|client|customer|man|woman|boy|girl|guy|lady|"
    r"person|doctor|dentist|nurse|lawyer|teacher|professor|student|engineer|developer|designer|director|founder|"
    r"coach|trainer|therapist|intern|user|\w{3,}(?:ologist|ician|smith))s?\b"
)
_NAME = expression(r"(?<![\w./@-])[A-Z][a-zà-ÿ'’-]+(?!\w|[./@]\w|\()")
_NO_ONE = expression(r"\w[./_]\w|\(\)|\d")  # a file, a function, a version
_WORD = expression(r"\S+")


def meant(view: View, place: Place, query: str, now: datetime) -> str:
    """The query with what its words point to written out, where they point at all and the talk is still running."""
    if not _POINTS.search(query):
        return query
    last = view.messages(session=place.session, last=1)
    if not last or now - last[0].at > place.settings.gap_maybe:
        return query
    expanded = meant_by(view, place, query, now)
    return expanded if _may_mean(query, expanded) else query


def _may_mean(query: str, expanded: str) -> bool:
    """Whether what was written out can be meant: for "she" it takes a person."""
    if not _SOMEONE.search(query) or expanded == query:
        return True
    said = {*map(_plain, _WORD.findall(query))}
    new = " ".join(word for word in _WORD.findall(expanded) if _plain(word) not in said)
    if not (_PEOPLE.search(new) or _NAME.search(new)):
        return False
    return bool(_SOMETHING.search(query)) or not _NO_ONE.search(new)


def _plain(word: str) -> str:
    return re.sub(r"\W", "", word.lower())
