"""What a reply told its reader to do, where the message takes it up: "do that", "how?", "would that help?" and "didn't
help" after "Wrap it in a media query."."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from anaphora.function_words import AUXILIARIES, DETERMINERS, FUNCTION_WORDS, PREPOSITIONS, word_set
from anaphora.ports import Line
from anaphora.types import Span
from anaphora.understanding.lexicon import FINITE, VERBS, base_verb
from anaphora.understanding.patterns import any_case, expression
from anaphora.understanding.phrases import gerund, is_quality
from anaphora.understanding.whole import SENTENCE_END
from anaphora.understanding.wording import ASIDE

__all__ = ["Advice", "find_advised"]

_LONGEST = 60  # characters of a message that does no more than take up what it was told
_REPLY, _ORDER = 300, 140  # characters of a reply that tells what to do, and of what it tells
_ADVICE = VERBS - AUXILIARIES | word_set(
    "take press type reload book click enter tap stir boil bake beat mix pour visit reboot reinstall unplug plug learn "
    "practise practice wash cut pick buy throw leave lift sign post mount declare look allow forbid grant assign"
)
_REPORTS = word_set("set put cut split reset read let")  # "Set to 5 MB" tells what was done
_LEAD = any_case(
    r"(?P<lead>(?:(?:then|now|so|first|next|just|please|simply|ok|okay|yes|no|sure|right|in that case)[\s,:]+)*)"
    r"(?P<told>(?:you(?:['’]ll)? (?:can|could|should|might|may|need to|have to|want to|would have to)|"
    r"i(?:['’]d| would)? (?:suggest|recommend) (?:to|that you)|try to)(?: also| just| simply| either| always)* )?"
    r"(?P<deed>(?P<verb>[a-z]+) (?P<rest>\S.*))"
)
_WORD = expression(r"[\w'’]+")
_LOOSE = any_case(r"(?:[\s,]+(?:instead|then|now|first|again|too|as well))*[\s.!:;,]*$")
_TO_YOU = any_case(r"\b(?:you|your|yours|yourself)\b")
_BEFORE = (
    r"(?:(?:ok(?:ay)?|yes|yeah|sure|great|good|cool|fine|alright|right|hm+|ah|oh|so|and|but|then|please|pls|now|well|"
    r"no|nope|wait|thanks)[\s,.!]+)*"
)
_DOES = any_case(
    rf"\W*{_BEFORE}(?:(?:[\w'’]+ ){{0,5}}(?:i|we|you|to|not|don['’]t|just|let['’]?s|please|i['’]ll|we['’]ll) )?"
    r"(?P<it>do (?:it|that|this|so))(?:[\s,]+(?:please|pls|then|now|for me|too|instead))*\W*"
)
_HOW = any_case(
    rf"\W*{_BEFORE}(?P<said>how(?: exactly| so| come)?(?: (?:do|can|should|would) (?:i|we))?|why|why that|where|when|"
    r"what for|(?:to|for|with|in|into|on|from|of) (?:what|which(?: one)?|whom?)|how (?:often|long))"
    r"(?: exactly| though| then)?\W*"
)
_BACK = 2  # lines from a reply to the one before it
_ASKS_ON = any_case(rf"\W*{_BEFORE}(?:why|how|what|where|when|is|does|will|can)(?:['’]s)?(?: [\w'’-]+){{0,3}} ?\?\W*")
_FAILED = any_case(
    rf"\W*{_BEFORE}(?:(?:unfortunately|sadly|still|that|this|which|it|i did(?: that| it)?(?: but)?|"
    r"(?:i )?tried(?: that| it)?(?: but)?|did (?:that|it)(?: but)?|done(?: but)?|but|it)[\s,.]+)*"
    r"(?:(?:didn['’]t|did not|hasn['’]t|doesn['’]t seem to|does not seem to) (?:help(?:ed)?|work(?:ed)?|"
    r"fix(?:ed)? (?:it|that)|changed? (?:anything|a thing)|do anything|make (?:a|any) difference|solved? (?:it|that))|"
    r"(?:doesn['’]t|does not) help|no (?:luck|change|difference|effect)|still the same|not (?:any )?better)"
    r"(?: either| at all| for me| though| unfortunately| yet)*\W*"
)
_DID = any_case(
    rf"\W*{_BEFORE}(?:(?:i )?(?:already |just )?(?:did|tried)(?: (?:that|it|so|this))?|already done|i have)"
    r"(?: already| before| too| just now)*\W*"
)


_WEIGHED = any_case(
    rf"\W*{_BEFORE}(?P<aux>would|could|will|might|can|won['’]?t|wouldn['’]?t|does|doesn['’]?t|is|isn['’]?t)"
    r" (?P<it>(?:doing )?(?:that|this))(?: (?:not|also|really|actually|even|still|always))? (?P<then>[a-z][\w'’-]*)"
    r"(?: (?P<next>[\w'’/.-]+)(?: [\w'’/.-]+){0,7})?\W*"
)
_BOTH = any_case(r"\b(?:and|or|then)\b")
_WEIGHS = word_set(  # what may come of a thing that is done, beside what people order
    "be slow cause mean affect hurt matter take cost need impact require happen speed improve interfere conflict scale"
)
_WEIGHED_AS = word_set(
    "safe necessary normal enough possible expensive overkill required needed bad good better worse faster slower "
    "secure allowed legal worth reversible healthy dangerous"
)


class Advice(NamedTuple):
    """What a reply told to do, the line of the reply, and the place of the message that it takes: that of "do that", or
    an empty one at the end for what stands in brackets."""

    wording: str
    line: int
    span: Span


def find_advised(text: str, lines: Sequence[Line]) -> Advice | None:
    """What the reply just before told to do, where that is one thing and the message does nothing but take it up. What
    is done may have been told a reply earlier, if it was only asked about since."""
    if not lines or lines[-1].mine or len(text) > _LONGEST or len(lines[-1].text) > _REPLY:
        return None
    number, reply = len(lines) - 1, lines[-1].text.rstrip()
    place = None if reply.endswith("?") else _taken_up(text, alone=len([*_sentences(reply)]) == 1)
    if place is None:
        return None
    orders = _orders(reply)
    asked = number >= _BACK and lines[number - 1].mine and _asks_on(lines[number - 1].text)
    if not orders and asked and not lines[number - _BACK].mine and not _HOW.fullmatch(text):
        number -= _BACK
        orders = _orders(lines[number].text)
    if len(orders) != 1:
        return None
    start, end = orders[0]
    told = lines[number].text
    wording = f"{told[start].lower()}{told[start + 1 : end]}"
    weighed = place[0] < place[1] and _DOES.fullmatch(text) is None
    if place[0] < place[1] and (_TO_YOU.search(wording) or (weighed and _BOTH.search(wording))):
        end = len(text.rstrip(" ?.!…"))
        place, weighed = (end, end), False
    wording = gerund(wording) if weighed else wording
    return Advice(wording, number, place)


def _asks_on(text: str) -> bool:
    """Whether a message does nothing but ask in a few words about what it was told."""
    return len(text) <= _REPLY and _ASKS_ON.fullmatch(ASIDE.sub("", text)) is not None


def _orders(reply: str) -> list[Span]:
    """The places of what a short reply tells its reader to do."""
    reply = reply.rstrip()
    if len(reply) > _REPLY or reply.endswith("?") or "\n" in reply:
        return []
    return [order for order in (_order(reply, span) for span in _sentences(reply)) if order is not None]


def _taken_up(text: str, *, alone: bool) -> Span | None:
    """Where in the message that stands which the reply told; `alone` where it told nothing else, so that a bare
    question is about it."""
    does = _DOES.fullmatch(text) or _is_weighed(text)
    if does is not None:
        return does.span("it")
    how = _HOW.fullmatch(text)
    asks = how is not None and (alone or how["said"].lower().startswith("how"))
    if not asks and _FAILED.fullmatch(text) is None and _DID.fullmatch(text) is None:
        return None
    end = len(text.rstrip(" ?.!…"))
    return end, end


def _is_weighed(text: str) -> re.Match[str] | None:
    """What a question that weighs "that" says: "would that slow down inserts?", and not "does that test pass?"."""
    found = _WEIGHED.fullmatch(text)
    if found is None:
        return None
    then, beyond = found["then"].lower(), (found["next"] or "").lower()
    if found["aux"].lower().startswith("is"):
        fits = then in ("a", "an", "the") or then in _WEIGHED_AS or is_quality(then)
    else:
        fits = (then in _WEIGHS or base_verb(then) == then) and base_verb(beyond) != beyond
    return found if fits else None


def _sentences(reply: str) -> Iterator[Span]:
    start = 0
    for end in SENTENCE_END.finditer(reply):
        yield start, end.start()
        start = end.end() + len(reply[end.end() :]) - len(reply[end.end() :].lstrip())
    yield start, len(reply)


def _order(reply: str, span: Span) -> Span | None:
    """The place of what a sentence tells its reader to do, if it does; a sentence may begin with a noun that could be a
    verb too ("Revert adds a commit", "Set to 5 MB")."""
    found = _LEAD.fullmatch(reply, *span) if span[1] - span[0] <= _ORDER else None
    if found is None:
        return None
    verb, rest = found["verb"].lower(), [word[0].lower() for word in _WORD.finditer(found["rest"])]
    if not rest or (verb not in _ADVICE and (not found["told"] or verb in FUNCTION_WORDS)):
        return None
    if verb in _REPORTS and rest[0] in PREPOSITIONS:
        return None
    if any(word in AUXILIARIES or word in FINITE for word in rest[:2]):
        return None
    second, third = rest[0], rest[1] if len(rest) > 1 else ""
    if second.endswith("s") and base_verb(second) not in (None, second) and (third in DETERMINERS or third.isdigit()):
        return None
    loose = _LOOSE.search(reply, found.start("deed"), span[1])
    return found.start("deed"), loose.start() if loose else span[1]
