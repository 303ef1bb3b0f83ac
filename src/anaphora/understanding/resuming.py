"""Who takes up what was done before, goes on with it, or says hello, where the words leave no other reading."""

from __future__ import annotations

import re

from anaphora.understanding.patterns import any_case
from anaphora.understanding.returning import conditional
from anaphora.understanding.text import straight

__all__ = ["goes_back", "goes_on", "greets", "takes_up"]

_LONGEST = 120  # characters of a message that does nothing else
_BACK = r"(?:(?:i'?m|i am) back|back again)(?: now| again)?"
_HELLO = (
    r"(?:(?:hi|hey|hello|hiya|howdy|greetings|good (?:morning|afternoon|evening|day))"
    r"(?: (?:there|again|all|everyone|everybody|folks|team|assistant))?"
    rf"|{_BACK})"
)
_FIRST = (
    rf"\W{{0,20}}(?:(?:{_HELLO}|morning|ok(?:ay)?|so|right|alright|well|and|but|now|then|good|great|nice|cool|"
    r"perfect|thanks|thank you|please|sorry|wait|hm+|anyway)[\s,.!:;–—-]+){0,4}"
)
_WANTED = r"(?:(?:can|could|shall|should|may) (?:you|we|i) |let'?s |let (?:us|me) |(?:i'd like|i want|i need) to )?"
_WE = r"(?:we|i|you)"
_LEFT = rf"where {_WE} (?:left (?:off|it|things)|stopped|were|was|ended)"
_DOING = r"(?:doing|working on|talking about|discussing|up to)"
_DONE = r"(?:decided?|agreed?(?: on)?|settled?(?: on)?|concluded?|say|said|do|did|have|had)"
# where the work stood, with nothing said of which
_STATE = (
    rf"(?:where (?:were we|was i)|where did {_WE} (?:leave (?:off|it|things)|stop|get to|end up)|"
    rf"what (?:were we|was i) {_DOING}|what (?:did|had|have) we {_DONE}|"
    rf"(?:remind me|tell me(?: again)?|summari[sz]e|recap|sum up) (?:{_LEFT}|what (?:we were|i was) {_DOING}|"
    rf"what we (?:(?:have|had) )?{_DONE}|what(?:'s| is| was) (?:left|still open|open)(?: to do)?)|"
    r"(?:(?:give me )?an? )?(?:(?:quick|short|brief) )?recap|"
    rf"(?:continue|resume|pick (?:(?:it|this|things) )?(?:back )?up|go on|carry on|start)(?: again)?(?: from)? {_LEFT}|"
    r"resume(?: (?:our|the) (?:work|chat|conversation|session|discussion)| work)?|"
    rf"(?:go |get )?back to (?:work|it|{_LEFT}))"
)
_WHEN = (
    r"(?:[\s,]+(?:please|pls|again|now|then|today|yesterday|last (?:time|week|night)|so far|before|earlier|"
    r"(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|the other day|this morning|shall we))*[\s.!?…]*"
)
_GOING = r"(?:continue|go on|carry on|keep going|proceed)"
_GOES_BACK = any_case(
    rf"{_FIRST}(?:{_WANTED}{_STATE}{_WHEN}|{_BACK}\W{{0,20}})|"
    rf"\W{{0,20}}{_HELLO}[\s,.!:;–—-]+{_FIRST}{_WANTED}{_GOING}{_WHEN}",
    needles="where|what|recap|resume|back|hi|he|how|greetings|good",
)
_GOES_ON = any_case(rf"{_FIRST}{_WANTED}{_GOING}{_WHEN}", needles="on|keep|proceed")
_GREETS = any_case(rf"\W{{0,20}}{_HELLO}(?:[\s,.!]+{_HELLO})?\W{{0,20}}", needles="hi|he|how|greetings|good|ing|back")
# the same of something that is named: "back to the parser: …", "where did we stop with the forms?"
_TAKES_UP = any_case(
    rf"{_FIRST}{_WANTED}(?:where (?:were we|was i)\b|where did (?:we|i) (?:leave|stop|get)\b|"
    r"what (?:did|had|have) we (?:decide|say|agree|settle|end up)|"
    r"remind me,? (?:what|where|which|how|who|when|why)\b[^\n]{0,80}"
    r"\b(?:we|you|our|was|were|did|had|said|looked|left)\b|"
    r"(?:(?:go(?:ing)?|get(?:ting)?|com(?:e|ing)) )?back to (?!\d|school\b)\w|"
    r"return to (?:the|our|my|that|what)\b|returning to\b|resum(?:e|ing) (?:the|our|my|that|with|work)\b|"
    rf"pick(?:ing)? up (?:{_LEFT}|(?:the|our|my|that)\b[^\n]{{0,40}}\bagain)\b|"
    r"(?:continue|go on|carry on) with (?!(?:it|this|that)\b)\w|revisit(?:ing)? (?:the|our|my)\b|"
    r"(?:(?:re-?)?open|load|go to|switch to|return to) (?:(?:conversation|session|chat|thread) ?#? ?|#)\d)",
    needles="where|what|remind|back to|return|resum|pick|with|visit|open|load|to",
)


def goes_back(text: str) -> bool:
    """Whether all of a message asks to go on where the work was left, or to be told where that was: "where were we?",
    "hi again, let's continue", "I'm back". It names nothing, so it can only mean what was done last."""
    return _is_all(text, _GOES_BACK)


def goes_on(text: str) -> bool:
    """Whether all of a message is to go on with what is being done: "continue", "ok let's go on"."""
    return _is_all(text, _GOES_ON)


def greets(text: str) -> bool:
    """Whether all of a message is a greeting."""
    return _is_all(text, _GREETS)


def takes_up(text: str) -> bool:
    """Whether a message begins with going back to earlier work, or with wanting to be reminded of it."""
    if goes_back(text):
        return True
    match = _TAKES_UP.match(straight(text))
    return match is not None and ("remind" in match[0].lower() or not conditional(text, match.end()))


def _is_all(text: str, shape: re.Pattern[str]) -> bool:
    return len(text) <= _LONGEST and shape.fullmatch(straight(text.strip())) is not None
