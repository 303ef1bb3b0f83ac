"""Words at the start of a message that announce something else: "ok, next problem.", "unrelated:", "changing the
subject". What announces a topic is not the topic."""

from __future__ import annotations

import re

from anaphora.understanding.patterns import any_case
from anaphora.understanding.text import straight

__all__ = ["announced", "introduced"]

_LEAD = (
    r"\W{0,20}(?:(?:ok(?:ay)?|thanks|thank you|thx|great|cool|nice|perfect|alright|right|good|fine|super|awesome|and|"
    r"oh|now|so|well|hm+|hey|hi|but|anyway|btw|by the way|yes|works|done|got it)[\s,.!:;–—-]+){0,4}"
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
    rf"on (?:another|an? (?:different|unrelated|separate|side)) note\b(?:{_END})?|"
    rf"(?:(?:i have|i've got|there is|there's|here is|here's) (?:an? |another )?)?{_VERY}"
    rf"(?:different|unrelated|separate) (?:issue|problem|question|topic)(?: now| for you)?{_END}|"
    rf"{_WE}(?:look at|talk about|discuss|work on|do) something {_VERY}(?:else|different|new)(?: now)?(?:{_END}|\s*\?)|"
    rf"off[- ]?topic(?:{_END}|(?= (?:question|but)\b))|"
    rf"(?:(?:that is|that's) )?enough (?:of|about|with) (?:that|this|it)(?: for (?:now|today))?(?:{_END})(?=\s*\w)|"
    rf"(?:let'?s )?(?:leave|park|shelve) (?:that|this|it)(?: (?:there|aside|be))? ?"
    rf"(?:for (?:now|later|today)|there|aside)(?:{_END})(?=\s*\w)|"
    r"(?:let'?s )?(?:(?:put|leave) [^\n.,;:!?]{2,40} aside|leave (?!it\b|that\b|this\b)[^\n.,;:!?]{2,40})"
    r"(?: for (?:now|later|today))?[,;.–—]\s*(?=(?:and )?i(?:'d| would) rather\b))",
    needles="topic|subject|question|task|problem|thing|matter|exercise|assignment|relate|gears|note|issue|"
    "enough|leave|park|shelve|aside",
)
# what may as well be the next step of the same: not where what follows points back, or is a step of any work
_STEP = (
    r"(?:next|last|rest|remaining|first|second|third|final|other|tests?|docs?|documentation|readme|part|steps?|same|"
    r"implementation|code|review|details?)"
)
_TURNS = any_case(
    rf"{_LEAD}(?P<said>next up(?:{_END})?|moving on(?:{_END})|(?:mov(?:e|ing) )?on to(?= (?:the|our|my|an?) )|"
    r"(?:that's|that is|this is) (?:all )?(?:done|finished|settled)[\s,.;:!–—-]+(?:so )?(?:now|next|on to)[,:]?"
    r"(?= (?:the|our|my|an?) ))"
    rf"(?! (?:the |our |my |an? )?{_STEP}\b)(?![^\n]*\b(?:it|its|that|this|them|these|those|one|again)\b)(?=\s*\w)",
    needles="next up|moving on|on to|done|finished|settled",
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
    said = straight(text)
    return _ANNOUNCES.match(said) or _TURNS.match(said)
