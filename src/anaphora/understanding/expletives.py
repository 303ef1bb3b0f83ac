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
    r"(?:(?:possible|impossible|important|necessary|essential|true|ok|okay|fine|better|best|likely|unlikely|clear|normal|"
    r"a (?:good|bad) idea|time) (?:to|that|if|for \w+ to)\b|"
    r"(?:easy|easier|hard|harder|safe|useful|difficult|nice|good|bad|common|worth) (?:to [a-z]+|(?!it\b)[a-z]+ing) "
    r"(?!(?:in|on|at|with|for|from|by|and|or|but|now|again|as|to|up|out|off|down|here|there|when|if|because)\b)\w)"
)
_SEEMS = r"(?:seems?|seemed|appears?|looks?|looked|sounds?|feels?|turns? out|turned out)(?: to me)? "
# "the summer will be hot"; what only looks like something is followed by no verb
_CLAUSE = (
    r"(?:like |as if |as though |that )?(?:(?:there|i|we|you|he|she|they|people|everyone|nobody) (?!else)[a-z]|"
    r"(?:the|my|our|your|his|her|their|this|that) (?:[\w'’-]+ ){1,3}?"
    r"(?:is|are|was|were|has|have|had|will|would|can|could|do|does|did|should|might|won['’]?t|isn['’]?t|aren['’]?t)\b)"
)
_IDLE = any_case(
    rf"\bit{_BE}\s+{_MORE}(?:{_WEATHER_OR_TIME}(?![-\w])(?! (?:for|in) the)|{_OF_CLAUSE})|"
    rf"\b(?:is|was|would|will|isn['’]?t|wasn['’]?t|wouldn['’]?t)\s+(?:it)\s+(?:be\s+)?{_MORE}"
    rf"(?:{_WEATHER_OR_TIME}(?![-\w])|{_OF_CLAUSE}|going to (?:rain|snow))|"
    r"\bwhat (?:time|day|date|year|month) is it\b|\bhow (?:late|early) is it\b|\bhow(?:['’]s| is) it going\b|"
    r"\bdoes(?:n['’]?t)? it (?:really )?matter\b(?! (?:for|to)\b)|\bit does(?:n['’]?t| not) matter\b|"
    r"\bit (?:turns? out|turned out|seems|appears) (?:that|like|as if)\b|\bit takes (?:time|a while|ages)\b|"
    rf"\bit {_SEEMS}{_CLAUSE}|\b(?:love|hate|like|enjoy|dislike|prefer|can['’]?t stand) it (?:when|if|that)\b|"
    r"\b(?:made|makes?|making) it (?:(?:in|on) time|home|back|through|(?:all the way )?to (?:the |my |our |her |his )?"
    r"(?:[a-z]+ ){0,2}?(?:top|end|finish|finals?|airport|station|summit|party|meeting|wedding|line|hospital|coast))\b|"
    r"\b(?:can['’]?t|cannot|couldn['’]?t|won['’]?t|not|able to) make it"
    r"(?=\W*$|[,.!?;]| (?:today|tonight|tomorrow|on|this|next|to the|because|until|after|before)\b)|"
    r"^\W*(?:that['’]s life|such is life)\b|"
    r"^\W*one (?:should|can|could|must|would|might|may|has to|needs to|never|always)\b|"
    r"\bmakes? it (?:easier|harder|possible|impossible|clear) (?:to|that|for)\b|"
    r"\bhere (?:it is|they are)\W*(?=[:\n])|^\W*(?:that (?:being )?said|having said that|that is to say)\b",
    needles="it|said|say|here|one|life",
    dear=True,
)
_WORTH = any_case(r"\bworth (it)\b", needles="worth it", dear=True)
_SAME_AS = any_case(r"\b((?:the )?same)(?= [a-z]+ as\b)", needles=" as", dear=True)
_AHEAD = any_case(r"\b(this|that|these|those|the following)\s*:(?!\w)", needles=":", dear=True)


_SHORT = 200  # characters of a question that leaves nothing out
_CLOSED = any_case(  # what is compared with stands in the sentence itself
    r"\b(?:first|second|third|fourth|last|next|previous|new|old|original|sequel|prequel)\b[^.?!\n]{0,120}\bthan "
    r"(?P<one>the (?:first|second|third|last|previous|next|old|new|original|other) ones?)\b"
    r"|^\W*of (?:all )?(?:my|the|our|these|those|his|her|their) [\w'’-]+s\b[^.?!\n]{0,120}?"
    r"\b(?P<other>(?:[\w'’-]+ )?ones?)\b",
    needles="one",
    dear=True,
)
_ONE_OF_TWO = r"(?:the |an? |my |our )?[\w'’-]+(?: [\w'’-]+){0,3}"
_EITHER_OR = any_case(  # "which is bigger, Germany or Poland?"
    r"\W*(?:which|what|who)\b(?!.*\b(?:it|them|this|that|these|those|there|he|she|him|her|ones?|they|its|their|same)\b)"
    rf"[^?,\n]*,\s*{_ONE_OF_TWO} or {_ONE_OF_TWO}\?\W*",
    needles=" or ",
    dear=True,
)


def stand_for_nothing(text: str) -> list[Span]:
    """Where nothing that was said before can stand."""
    if len(text) <= _SHORT and _EITHER_OR.fullmatch(text):
        return [(0, len(text))]
    shut = [match.span(1) for shape in (_AHEAD, _SAME_AS, _WORTH) for match in shape.finditer(text)]
    shut += [match.span(match.lastgroup or 0) for match in _CLOSED.finditer(text)]
    return [*shut, *(match.span() for match in _IDLE.finditer(text))]
