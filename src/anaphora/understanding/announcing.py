"""Words at the start of a message that announce something else: "ok, next problem.", "unrelated:", "changing the
subject". What announces a topic is not the topic."""

from __future__ import annotations

import re

from anaphora.understanding.patterns import any_case
from anaphora.understanding.text import straight

__all__ = ["announced", "introduced"]

_LEAD = (
    r"\W{0,20}(?:(?:ok(?:ay)?|thanks|thank you|thx|great|cool|nice|perfect|alright|right|good|fine|super|awesome|and|"
    r"now|so|well|hm+|hey|hi|but|anyway|btw|by the way|yes|works|done|got it)[\s,.!:;–—-]+){0,4}"
)
_VERY = r"(?:(?:completely|totally|entirely|very|quite) )?"
_MATTER = r"(?:topic|subject|question|task|problem|thing|matter|exercise|assignment)"
_END = r"\s*(?:[:.,;–—]|-(?=\s)|\n)"
_OTHER = rf"{_VERY}(?:new|different|other|unrelated|separate|random)"
_WE = r"(?:(?:let'?s|let us|can we|i want to|i'd like to|i'm|to) )?"
_ANNOUNCES = any_case(
    rf"{_LEAD}(?P<said>"
    rf"(?:an? |one |on to an? )?{_OTHER} (?:{_MATTER}(?: now)?(?:{_END}|\W*$)|(?:topic|subject|task) is\b)|"
    # alone they ask for the next of several: "next question"
    rf"(?:(?:on|{_WE}mov(?:e|ing) on) to )?(?:(?:the |my )?next|another) "
    rf"(?:{_MATTER}(?: now)?{_END}(?=\s*\w)|(?:topic|subject|task) is\b)|"
    # "another problem with it" is one of the same
    r"(?:next|another|new) (?:task|question|problem|topic)\b(?=\W*\w)(?! (?:is|with|in|here|about)\b)|"
    rf"(?:an? )?{_VERY}(?:different|unrelated|separate|random) (?:question|topic|problem)\b|"
    rf"(?:for |to )?something {_VERY}(?:else|different|new)(?: (?:now|entirely))?(?:{_END}|\W*$)|"
    rf"(?:this is )?{_VERY}(?:not related|unrelated)(?: to (?:this|that|it|any of (?:this|that)|the above))?"
    rf"(?:{_END}(?: but\b)?|\s+but\b)|unrelatedly\b|"
    rf"(?:(?:let'?s|let us|can we|to|i want to|i'd like to) (?:change|switch)|(?:i'm )?(?:changing|switching)) "
    rf"(?:the )?(?:topics?|subjects?|gears)(?:{_END}|\W*$)|"
    rf"{_WE}mov(?:e|ing) on to something {_VERY}(?:else|new|different)\b(?:{_END})?|"
    rf"on (?:another|an? (?:different|unrelated|separate|side)) note\b(?:{_END})?)",
    needles="topic|subject|question|task|problem|thing|matter|exercise|assignment|relate|gears|note",
)
# what stands before a request without a word of what it is about
_INTRODUCES = any_case(
    rf"{_LEAD}(?:(?:an? |one )?(?:(?:quick|short|small|side|last) )+question{_END}|"
    rf"forget (?:that|it|this|about (?:that|it|this)){_END}|never ?mind{_END})",
    needles="question|forget|mind",
)


def announced(text: str) -> str | None:
    """The words that announce something else; None where the message begins with none."""
    match = _match(text)
    return match["said"].strip(" \n:.,;–—-") if match else None


def introduced(text: str) -> int:
    """Where what a message is about begins: behind what announces it, or only leads up to it."""
    match = _match(text) or _INTRODUCES.match(straight(text))
    return match.end() if match else 0


def _match(text: str) -> re.Match[str] | None:
    return _ANNOUNCES.match(straight(text))
