"""Words that look as if they pointed back and stand for nothing: "what time is it?", "it is better to wait", "worth
it", "that said", and "this:" before what it announces."""

from __future__ import annotations

from anaphora.types import Span
from anaphora.understanding.patterns import any_case

__all__ = ["stand_for_nothing"]

_MORE = r"(?:(?:not|very|really|quite|too|so|also|always|usually|often|probably|still|getting|already)\s+){0,2}"
_BE = r"(?:['’]s| is| was| will be| would be|['’]d be| might be| may be| isn['’]?t| wasn['’]?t)"
_WEATHER_OR_TIME = (
    r"(?:raining|snowing|sunny|cloudy|windy|freezing outside|midnight|noon|christmas|easter|late|early|past midnight|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d{1,2}(?::\d\d)? ?(?:am|pm|o['’]clock))"
)
# what is said of a clause that follows; a thing may be "easy to read", so there the deed must have an object of its own
_OF_CLAUSE = (
    r"(?:(?:possible|impossible|important|necessary|essential|true|ok|okay|fine|better|best|likely|unlikely|clear|"
    r"normal|"
    r"a (?:good|bad) idea|time) (?:to|that|if|for \w+ to)\b|"
    r"(?:easy|easier|hard|harder|safe|useful|difficult|nice|good|bad|common|worth) (?:to [a-z]+|(?!it\b)[a-z]+ing) "
    r"(?!(?:in|on|at|with|for|from|by|and|or|but|now|again|as|to|up|out|off|down|here|there|when|if|because)\b)\w)"
)
_IDLE = any_case(
    rf"\bit{_BE}\s+{_MORE}(?:{_WEATHER_OR_TIME}(?![-\w])(?! (?:for|in) the)|{_OF_CLAUSE})|"
    rf"\b(?:is|was|would|will|isn['’]?t|wasn['’]?t|wouldn['’]?t)\s+(?:it)\s+(?:be\s+)?{_MORE}"
    rf"(?:{_WEATHER_OR_TIME}(?![-\w])|{_OF_CLAUSE}|going to (?:rain|snow))|"
    r"\bwhat (?:time|day|date|year|month) is it\b|\bhow (?:late|early) is it\b|\bhow(?:['’]s| is) it going\b|"
    r"\bdoes(?:n['’]?t)? it (?:really )?matter\b(?! (?:for|to)\b)|\bit does(?:n['’]?t| not) matter\b|"
    r"\bit (?:turns? out|turned out|seems|appears) (?:that|like|as if)\b|\bit takes (?:time|a while|ages)\b|"
    r"\bmakes? it (?:easier|harder|possible|impossible|clear) (?:to|that|for)\b|"
    r"\bhere (?:it is|they are)\W*(?=[:\n])|^\W*(?:that (?:being )?said|having said that|that is to say)\b",
    needles="it|said|say|here",
    dear=True,
)
_WORTH = any_case(r"\bworth (it)\b", needles="worth it", dear=True)
_SAME_AS = any_case(r"\b((?:the )?same)(?= [a-z]+ as\b)", needles=" as", dear=True)
_AHEAD = any_case(r"\b(this|that|these|those|the following)\s*:(?!\w)", needles=":", dear=True)


def stand_for_nothing(text: str) -> list[Span]:
    """Where nothing that was said before can stand."""
    shut = [match.span(1) for shape in (_AHEAD, _SAME_AS, _WORTH) for match in shape.finditer(text)]
    return [*shut, *(match.span() for match in _IDLE.finditer(text))]
