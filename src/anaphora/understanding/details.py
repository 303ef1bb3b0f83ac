"""A detail that a reply asked for completes what was asked for: "two" after "Book a table" and "For how many people?"
books a table for two people. Only where the question is of nothing but that: "When did it start?" asks about something
else."""

from __future__ import annotations

import re

from anaphora.function_words import AUXILIARIES, FUNCTION_WORDS, SUBJECTS
from anaphora.understanding.lexicon import base_verb, begins_order
from anaphora.understanding.ordinals import NUMBERS
from anaphora.understanding.patterns import any_case, expression
from anaphora.understanding.times import at_another_time, is_time, times_in, with_lead

__all__ = ["with_detail"]

_READ = 200  # characters of a reply, and of a request
_LONGEST = 300  # characters of what is to be said
_FEW = 4  # words of a place
_ORDERS = ("book", "reserve", "wake", "text", "show")  # which begin an order here, and elsewhere name a thing
_OH = any_case(r"\s*(?:(?:oh|ah|um+|uh|well|let['’]?s see|make it|let['’]?s say)[\s,.!]+){0,3}")
_QUESTION = expression(r"(?:^|(?<=[.!?]\s))[^.!?\n]+\?\s*$")
_COUNT = rf"(?:[1-9]\d?|{'|'.join(NUMBERS)})"
_POLITELY = r"(?:(?:sure|ok(?:ay)?|of course|gladly|great|and|yes)[\s,.!]+)*"
_FOR_YOU = (  # what the question goes on with, where it asks of the deed
    r"(?: (?:should|shall) (?:i|it|that|we)(?: (?!fail|be wrong)[a-z]+(?: (?:you|it|that|for|the [a-z]+))*)?"
    r"|(?: (?:would|do) you (?:like|want)(?: (?:me|it|that))?(?: to [a-z]+(?: (?:it|that|the [a-z]+))*)?))?"
    r"(?: please)?\?"
)
_PEOPLE = any_case(
    rf"{_POLITELY}(?:for )?how many(?: people| guests| persons| adults| of you)?(?: will you be)?{_FOR_YOU}"
)
_SO_MANY = any_case(rf"(?:for )?(?P<count>{_COUNT})(?: (?:people|persons|guests|of us|adults))?(?: please)?")
_BOOKS = any_case(
    r"\b(?:book|reserve|get|find)\b.*\b(?:tables?|rooms?|seats?|tickets?)\b(?!.*\bfor (?:\d|two|three|four|five|six)\b)"
)
_WHEN = any_case(rf"{_POLITELY}(?:for |at |on )?(?:when|what time|(?:which|what) (?:day|date)){_FOR_YOU}")
_HOW_LONG = any_case(rf"{_POLITELY}(?:for )?how long{_FOR_YOU}")
_SO_LONG = any_case(
    rf"(?:for )?(?P<long>(?:{_COUNT}|half an?|an?)(?: and a half)? (?:second|minute|hour|day|week|month)s?)"
)
_WHERE = any_case(
    rf"{_POLITELY}(?:(?P<starts>from where|where from|from (?:which|what) \w+)|"
    r"(?P<ends>where to|to where|to (?:which|what) \w+)"
    rf"|(?:where|(?:in |for )?(?:which|what) (?:city|town|place|country|room))){_FOR_YOU}"
)
_SAYS = any_case(
    rf"{_POLITELY}(?:what (?:should|shall) (?:it|the (?:message|text|mail|email)|i) (?:say|write)|"
    r"what would you like (?:it |me )?to (?:say|write)|what do you want (?:it |me )?to (?:say|write)|"
    r"what(?:['’]s| is) (?:the|your) message)\?"
)
_SENDS = any_case(r"\b(?:text|message|e-?mail|mail|send|reply|answer|write to|tell|post|tweet|voice ?mail)\b")
_NO_DETAIL = any_case(
    r"(?:never ?mind|cancel|forget|nothing|none|no(?:pe|t)?|yes|yeah|yep|stop|wait|hm+|skip|sorry|don['’]?t|actually|"
    r"i don['’]?t|can you|could you|the same|any(?:where|thing)?|here|there|why|wow|lol|good question|surprise|just|"
    r"that|to|it|tell|ask)\b"
)
_PLACE = expression(r"(?:[A-Z][\w'’-]*(?: [\w'’-]+)*|(?:in|at|on|near|from|to|by) .+)")


def with_detail(text: str, request: str, reply: str) -> str | None:
    """What a request comes to with this answer to what the reply asked about it; None where it is none."""
    asked, request = _QUESTION.search(reply[-_READ:]), request.strip()
    if asked is None or len(text) > _LONGEST or len(request) > _READ or not _is_request(request):
        return None
    oh = _OH.match(text)
    said = text[oh.end() if oh else 0 :].strip().rstrip(" .!\n")
    plain = said and said[0].isalnum() and "?" not in said and "\n" not in said and not _NO_DETAIL.match(said)
    return _with(asked[0].strip(), said, request) if plain else None


def _is_request(text: str) -> bool:
    """Whether it is one order in one sentence."""
    first = re.match(r"(?:(?:please|can you|could you|hey|ok|okay)[\s,]+)*([A-Za-z'’]+)", text, re.IGNORECASE)
    one = re.search(r"[.!?;](?=\s)|\n|\)$", text) is None
    return one and first is not None and (begins_order(first[1].lower()) or first[1].lower() in _ORDERS)


def _with(asked: str, said: str, request: str) -> str | None:
    """The request with what is said in it: behind it, or in the place of another time."""
    if _WHEN.fullmatch(asked) and (is_time(said) or is_time(f"at {said}")):
        time = said if is_time(said) else f"at {said}"
        if not times_in(time, request):
            return _behind(request, with_lead(said))
        anew = at_another_time(time, request)
        if anew is None:
            return None
        (start, end), new = anew
        return f"{request[:start].rstrip()} {new}{request[end:]}".lstrip()
    more = _more(asked, said, request)
    return None if more is None else _behind(request, more)


def _behind(request: str, more: str) -> str:
    bare = request.rstrip(" .!?")
    return f"{bare} {more}{'?' if request.endswith('?') else ''}"


def _more(asked: str, said: str, request: str) -> str | None:
    """What stands behind the request then."""
    people = _SO_MANY.fullmatch(said) if _PEOPLE.fullmatch(asked) and _BOOKS.search(request) else None
    if people is not None:
        return f"for {people['count']} {'person' if people['count'].lower() in ('1', 'one') else 'people'}"
    long = _SO_LONG.fullmatch(said) if _HOW_LONG.fullmatch(asked) else None
    if long is not None:
        return f"for {long['long']}"
    if _SAYS.fullmatch(asked) and _SENDS.search(request) and not begins_order(said.partition(" ")[0].lower()):
        return f"saying {said}"
    where = _WHERE.fullmatch(asked)
    if where is None or not _is_place(said):
        return None
    led = said.partition(" ")[0].lower() in ("in", "at", "on", "near", "from", "to", "by")
    return said if led else f"{'from' if where['starts'] else 'to' if where['ends'] else 'in'} {said}"


def _is_place(said: str) -> bool:
    words = said.lower().split()
    return (
        _PLACE.fullmatch(said) is not None
        and len(words) <= _FEW
        and words[-1] not in FUNCTION_WORDS
        and not any(word in AUXILIARIES or word in SUBJECTS or base_verb(word) == word for word in words)
    )
