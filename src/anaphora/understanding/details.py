"""A detail that a reply asked for completes what was asked for: "two" after "Book a table" and "For how many people?"
books a table for two people."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from anaphora.function_words import AUXILIARIES, PREPOSITIONS, SUBJECTS
from anaphora.ports import Line
from anaphora.understanding.lexicon import base_verb, begins_order
from anaphora.understanding.ordinals import NUMBERS
from anaphora.understanding.patterns import any_case, expression
from anaphora.understanding.times import is_time, with_lead

__all__ = ["Detail", "find_detail"]

_READ = 200  # characters of a reply, and of a request
_LONGEST = 300  # characters of what is to be said
_ORDERS = ("book", "reserve", "plan", "wake", "text", "show")
_FEW = 4  # words of a place
_OH = any_case(r"\W*(?:(?:oh|ah|um+|uh|well|let['’]?s see|ok(?:ay)?|yes|just|only|make it|let['’]?s say)[\s,.!]+){0,3}")
_QUESTION = expression(r"(?:^|(?<=[.!?]\s))[^.!?\n]+\?\W*$")
_COUNT = rf"(?:\d{{1,3}}|{'|'.join(NUMBERS)})"
_PEOPLE = any_case(r"\b(?:how many (?:people|guests|persons|adults|of you|are you)|how many\?)")
_SO_MANY = any_case(rf"(?:for )?(?P<count>{_COUNT})(?: (?:people|persons|guests|of us|adults))?")
_TABLE = any_case(r"\b(?:tables?|rooms?|seats?|tickets?|book|reserve)\b")
_WHEN = any_case(r"\b(?:when|what time|(?:which|what) (?:day|date)|how soon)\b")
_HOW_LONG = any_case(r"\bhow long\b")
_SO_LONG = any_case(
    rf"(?:for )?(?P<long>(?:{_COUNT}|half an?|an?)(?: and a half)? (?:second|minute|hour|day|week|month)s?)"
)
_WHERE = any_case(
    r"(?:and |ok(?:ay)?,? |sure[,.]? )?(?P<from>from where|where from|starting where|from which|from what)?"
    r"(?P<to>where to|to where|to which|to what)?"
    r"(?P<in>where|(?:in |for )?(?:which|what) (?:city|town|place|country|room))?\b"
)
_SAYS = any_case(
    r"\bwhat (?:should|shall|would you like|do you want|['’]?s|is)\b.{0,24}\b(?:say|write|tell|message|text)\b"
)
_CANCELS = any_case(r"(?:never ?mind|cancel|forget it|nothing|no|stop|don['’]?t)\b")


class Detail(NamedTuple):
    """The request with the detail in it, and the line that it stood in."""

    text: str
    line: int


def find_detail(text: str, lines: Sequence[Line]) -> Detail | None:
    """What the request before comes to with this answer to what the last reply asked about it."""
    if len(lines) < 2 or lines[-1].mine or not lines[-2].mine or len(text) > _LONGEST:
        return None
    asked, request = _QUESTION.search(lines[-1].text[-_READ:]), lines[-2].text.strip()
    if asked is None or len(request) > _READ or not _is_request(request):
        return None
    oh = _OH.match(text)
    said = text[oh.end() if oh else 0 :].strip(" .!\n")
    more = _more(asked[0], said, request) if said and "?" not in said and "\n" not in said else None
    return None if more is None else Detail(f"{request.rstrip(' .!')} {more}", len(lines) - 2)


def _is_request(text: str) -> bool:
    """Whether it is one order in one sentence."""
    first = re.match(r"(?:(?:please|can you|could you|hey|ok|okay)[\s,]+)*([A-Za-z'’]+)", text, re.IGNORECASE)
    one = re.search(r"[.!?;](?=\s)|\n|\)$", text) is None
    return (
        one and first is not None and (base_verb(first[1].lower()) == first[1].lower() or first[1].lower() in _ORDERS)
    )


def _more(asked: str, said: str, request: str) -> str | None:
    """What stands behind the request then."""
    people = _SO_MANY.fullmatch(said)
    if people is not None and _PEOPLE.search(asked) and _TABLE.search(f"{request} {asked}"):
        return f"for {people['count']} people"
    if _WHEN.search(asked) and (is_time(said) or is_time(f"at {said}")):
        return with_lead(said)
    long = _SO_LONG.fullmatch(said) if _HOW_LONG.search(asked) else None
    if long is not None:
        return f"for {long['long']}"
    if _SAYS.search(asked) and not _CANCELS.match(said):
        return f"saying {said}"
    where = _WHERE.match(asked)
    if where is None or not (where["from"] or where["to"] or where["in"]) or not _is_place(said):
        return None
    led = said.partition(" ")[0].lower() in PREPOSITIONS
    return said if led else f"{'from' if where['from'] else 'to' if where['to'] else 'in'} {said}"


def _is_place(said: str) -> bool:
    words = said.lower().split()
    return (
        len(words) <= _FEW
        and words[0] not in _ORDERS
        and not begins_order(words[0])
        and not any(word in AUXILIARIES or word in SUBJECTS or base_verb(word) == word for word in words)
    )
