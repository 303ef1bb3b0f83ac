"""What a message goes back to: "let's return to the FAB button", "as for the login bug, …", "open conversation 2". Who
tells where a program goes, or what happens when, goes back to nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from anaphora.understanding.patterns import any_case
from anaphora.understanding.text import straight

__all__ = ["Return", "conditional", "returns"]

_LEAD = (
    r"(?:(?:hi|hey|hello|ok(?:ay)?|so|and|but|now|then|well|right|alright|anyway|good|great|nice|cool|perfect|thanks|"
    r"thank you|please|sorry|wait|hm+|done|enough|yes|no|also|actually|maybe|perhaps|i think|i guess|next|later|"
    r"oh|first|finally|again)[\s,.!:;–—-]+){0,5}"
)
_WANTED = (
    r"(?:(?:can|could|shall|should|may|might|would) (?:you|we|i) (?:please |now |just )?|"
    r"let'?s (?:now |please |just )?|let (?:us|me) |(?:i'd|i would|we'd) (?:like (?:us )?to|rather|love to|prefer to) |"
    r"i (?:want|need|wanted|have|am going|will have)(?: us| you)? to |i'm going to |i'm |i am |i'll |we'll |we're |"
    r"we (?:should|must|can|could|need to|have to) |(?:it's )?time to |do you want to |how about (?:we )?|"
    r"what about |shall we )?(?:please |now |just )?"
)
_BEGINS = (
    rf"(?:^|(?<=[.!?;:,\n…–—]\s)|(?<=[.!?;:,\n…–—]\s\s)|(?<=\sand\s)|(?<=\sbut\s)|(?<=\sso\s)|(?<=\sthen\s))\W*{_LEAD}"
)
_THING = r"(?P<thing>(?:(?:the|our|my)\s+)?.{2,80}?)(?=\s+(?:and|then|but|to|please)\b|[.,;:!?\n]|\s*$)"
_NAMED = r"((?:the|our|my|that) [^\n.,;:!?]{2,60}?)"
_WORK = r"(?: (?:work|stuff|thing|task|topic|conversation|discussion|part))?"
_NUMBER = r"(?P<thing>(?:(?:conversation|session|chat|thread) ?#? ?|#)\d{1,3})(?!\w)"
_VERBS = (
    r"(?:(?:(?:go|get|com|jump|switch|mov|head|turn)(?:e|t?ing|ing)?|going) (?:on )?)?back to|return(?:ing)? to|"
    r"resum(?:e|ing)|continu(?:e|ing)(?: with|(?= (?:conversation|session|chat) #?\d))|"
    r"(?:go(?:ing)?|carry(?:ing)?) on with|pick(?:ing)? up|"
    r"where (?:were we|was i|did (?:we|i) (?:leave off|stop|get)) (?:with|on|in)"
)
_SAID = any_case(
    rf"{_BEGINS}(?P<wanted>{_WANTED})(?P<verb>{_VERBS})\s+{_THING}",
    needles="back to|return|resum|continu|on with|pick|where",
    dear=True,
)
_COUNTED = any_case(
    rf"^\W*{_LEAD}{_WANTED}(?:open|load|show|go(?:ing)? to|switch(?:ing)? to|jump to|return(?:ing)? to|resume|reopen|"
    rf"(?:go )?back to|continue(?: with)?|take) {_NUMBER}",
    needles="conversation|session|chat|thread|#",
    dear=True,
)
_END = r"(?=\s*(?:[.,;:!?\n]|$))"
# what may be said of other things too: only of one whose name is known in full
_HINTED = any_case(
    rf"^\W*{_LEAD}{_WANTED}(?:(?:re-?open|revisit)(?:ing)? {_NAMED}{_WORK}(?: again)?{_END}|"
    rf"(?:look(?:ing)? at|talk(?:ing)? about|work(?:ing)? on|get(?:ting)? (?:in)?to) {_NAMED} "
    rf"again{_END}|(?:continue|resume) {_NAMED}{_WORK}{_END}|"
    rf"pick(?:ing)? {_NAMED} (?:back )?up(?: again)?{_END}|"
    rf"(?:what (?:did|have|had) we (?:do|done|did|decided?|say|said|agreed?(?: on)?|get|got)|"
    rf"how far did we get|where (?:did we get|were we|are we|did we stop)) (?:about|with|on|for|in) "
    rf"{_NAMED}{_END}|"
    rf"where did we leave {_NAMED}{_END}|"
    rf"(?:as for|regarding|concerning|about|what about|how about) {_NAMED}(?: again)?{_END}|"
    rf"{_NAMED} again[\s.!?]*$)",
    needles="open|visit|again|contin|resume|up|what|where|how|as for|regarding|concerning|about",
    dear=True,
)
_AGAIN = any_case(
    rf"^\W*{_LEAD}(?:as for|regarding|concerning|about) {_NAMED} again\b",
    needles="again",
    dear=True,
)
_EVENT = (
    r"escape|esc|enter|clicks?|taps?|press|hover|submit|submission|save|close|exit|errors?|failure|success|timeout|"
    r"cancel|load|startup|start|logout|completion|reload|refresh|swipe|scroll|resize|blur|focus|finish|back"
)
_CONDITION = any_case(
    rf"\b(?:when(?:ever)?|if|unless|until|once|after|upon|as soon as|every time|on (?:an? |the )?(?:{_EVENT}))\b"
    r"(?! (?:you (?:have|don't|want|like|can|are|please)|we (?:have|can)|possible|ok)\b)"
)
_SENTENCE = any_case(r"[.!?;:\n](?=\s|$)")


class Return(NamedTuple):
    """The words for what a message goes back to, and whether it does so for sure or only if they name it in full."""

    thing: str
    sure: bool


def returns(text: str) -> Iterator[Return]:
    """What the words of a message go back to, the surest first."""
    counted = _COUNTED.match(text)
    if counted is not None:
        yield Return(counted["thing"], sure=True)
    for match in _SAID.finditer(text):
        if not _goes_on(text, match) and not conditional(text, match.start("thing")):
            yield Return(match["thing"], sure=True)
            break
    again = _AGAIN.match(text)
    if again is not None:
        yield Return(again[1], sure=True)
    hinted = _HINTED.match(text)
    if hinted is not None and not conditional(text, hinted.end()):
        yield Return(next(filter(None, hinted.groups())), sure=False)


def _goes_on(text: str, match: re.Match[str]) -> bool:
    """Whether it is one more step of what was said before it: "click the logo, return to the menu"."""
    before = text[: match.start()].rstrip()
    if not before or before[-1] in ".!?;:\n…" or match["wanted"].strip():
        return False
    return not match["verb"].lower().startswith(("back", "where")) and "ing " not in f"{match['verb']} "


def conditional(text: str, place: int) -> bool:
    """Whether the sentence around a place says when something is to happen: "go back to the menu on escape"."""
    said = straight(text)
    begin = max((m.end() for m in _SENTENCE.finditer(said, 0, place)), default=0)
    end = _SENTENCE.search(said, place)
    comma = said.find(",", place, end.start() if end else len(said))
    last = comma if comma >= 0 else end.start() if end else len(said)
    return _CONDITION.search(said[begin:last]) is not None
