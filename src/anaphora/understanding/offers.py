"""What an answer answers: "yes" after "Shall I run the migration?" is to run the migration."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from anaphora.function_words import AUXILIARIES, DETERMINERS, FUNCTION_WORDS, PREPOSITIONS, word_set
from anaphora.ports import Line
from anaphora.understanding.entities import find_entities
from anaphora.understanding.lexicon import base_verb, is_plural
from anaphora.understanding.lists import READ_LINE
from anaphora.understanding.ordinals import NUMBERS
from anaphora.understanding.patterns import any_case, expression
from anaphora.understanding.phrases import is_quality, within_sentence
from anaphora.understanding.text import mask

__all__ = ["Offer", "find_offer"]

_LONGEST = 160  # characters of a question that is taken over
_MARKS = 20  # characters behind a reply's last word
_FEW = 5  # words that answer a question of which thing
_YES = (
    r"yes|yeah|yep|yup|ye|sure(?: thing)?|ok(?:ay)?|alright|absolutely|definitely|certainly|of course|indeed|correct|"
    r"right|exactly|please(?: do)?|go ahead|go for it|do it|do that|do so|sounds good|good idea|why not|please yes|y|"
    r"yes please|no|nope|nah|not yet|not now|no thanks|no thank you|don't|do not|please don't|no need|later|"
    r"maybe later|never mind|n"
)
_POLITE = r"please|pls|thanks|thank you|then|now|for now|do|go ahead|do it|do that|that would be (?:great|nice|good)"
_POINTS = (
    r"(?:it|its|this|that|these|those|them|they|he|she|him|her|one|ones|but|and|first|then|what|how|why|where|who|"
    r"which|"
    r"is|are|do|does|can|i|we|you|thanks?|bye|goodbye)\b"
)
_OH = r"(?:(?:oh|ah+|hm+|um+|uh|well|lol|haha)[\s,.!]+){0,3}"
_ANSWERS = any_case(  # few words each time: "please do" can be read in several ways
    rf"\W*{_OH}(?P<said>(?:{_YES})(?:[\s,.!]+(?:{_POLITE}|{_YES})){{0,4}})\W*"
)
_ANSWERS_MORE = any_case(rf"\W*{_OH}(?P<said>{_YES})\s*,\s*(?P<more>(?:(?!{_POINTS})[\w'-]+ ?){{1,4}})\W*")
_QUESTION = expression(r"(?:^|(?<=[.!?]\s)|(?<=\n))(?:[^.!?\n]|[.](?=\w))+\?(?=\W*$)")
_OFFERS = any_case(
    r"(?:^|[,;:–—-]\s+|\b(?:and|so|or|then|now)\s+)\W*(?:"
    r"(?:shall|should|can|may|could|must|ought) (?:i|we)(?: also| now| then| just| go ahead and)*(?: please)?"
    r"|(?:do|would) you (?:want|like|prefer|need)(?: for)? (?:me|us) to(?: also| now)*"
    r"|(?:do|would) you (?:want|like|prefer|need|care|mind if i) to(?: also| now)*"
    r"|want me to(?: also| now)*|want to|ready to|ok(?:ay)? to|ok(?:ay)? if (?:i|we)|mind if (?:i|we)|"
    r"is it (?:ok|okay|fine|alright) (?:to|if (?:i|we))|care to|need me to)"
    r"\s+(?P<deed>\S.*?)\s*\?\W*$"
)
_WANTS = any_case(
    r"\W*(?:(?:and|so|also|now|then|or)[\s,:–—-]+)*(?:(?:do|would) you (?:also |still )?(?:want|like|need|prefer)|"
    r"want|need|how about|what about|care for)\s+(?P<thing>\S.*?)\s*\?\W*"
)
_WH = any_case(
    r"\W*(?:(?:and|so|also|now|then|or|ok|okay|sure|great)[\s,:–—-]+)*"
    r"(?:(?:in|on|at|to|for|by|with|from|of|under|until|since) )?(?:what|which|who|whom|whose|where|when|how)\b"
)
_EITHER = any_case(r"\bor\b(?! (?:not|so|more|less)\b)")
_POLITE_ONLY = any_case(
    r"\b(?:(?:any|some)thing (?:else|more|other)|any (?:other|more|further)|help (?:you|with)|"
    r"(?:be|is that|that's) all)\b"
)
_TOO = expression(r"\s+(?:too|as well|also|now|then|first|instead|next|for you)$", re.IGNORECASE)
_IT = expression(r"\b(?:it|this|that|them|these|those)\b(?! \w+ (?:is|are)\b)", re.IGNORECASE)
_WORD = expression(r"[\w'’]+")
_BARE_THING = expression(r"(?:an?|the|some|any|more|another|your|one|two|three)\s", re.IGNORECASE)
_TELLING = ("file", "function", "class", "technology")  # what is named by such a name is what the talk is about
_BEFORE_THINGS = PREPOSITIONS | DETERMINERS | word_set("around and or not only just maybe probably")
_NAME = expression(r"\b[A-Z][\w+#]+(?= [a-z])(?! to )")
_MANY = word_set("them these those")
_NO_ANSWER = AUXILIARIES | word_set("i i'm i'll i'd we you it this that these those them he she they what why how who")


_COUNT = rf"(?:\d+|{'|'.join(NUMBERS)})"
_NUMBER = any_case(rf"\b{_COUNT}\b")
_BARE_NUMBER = any_case(
    rf"\W*(?:(?:no|yes|yeah|ok|just|only|rather|make it|maybe)[\s,]+)*(?P<number>{_COUNT})(?: please)?\W*"
)


class Offer(NamedTuple):
    """What the last reply asked, and where in the answer it is said anew."""

    wording: str
    at: int


def find_offer(text: str, lines: Sequence[Line]) -> Offer | None:
    """What the message answers, where it is a bare answer and the reply just before it ends with a question."""
    if not lines or lines[-1].mine or len(text) > _LONGEST or "\n" in text.strip():
        return None
    reply = lines[-1].text[-READ_LINE:]
    if "?" not in reply[-_MARKS:]:
        return None
    question = _QUESTION.search(mask(reply).rstrip())
    if question is None or question.end() - question.start() > _LONGEST:
        return None
    asked = reply[question.start() : question.end()].strip()
    if _POLITE_ONLY.search(asked):
        return None
    counted = _counted(text, asked)
    if counted is not None:
        return counted
    straight = text.replace("’", "'")
    answers = _ANSWERS.fullmatch(straight) or _ANSWERS_MORE.fullmatch(straight)
    if answers is None:
        return _named(text, asked)
    offered = None if _WH.match(asked) else _offered(asked)
    if offered is None:
        return None
    about = _with_it(offered, reply[: question.start()], next((one.text for one in reversed(lines) if one.mine), ""))
    return Offer(about, answers.end("said"))


def _counted(text: str, asked: str) -> Offer | None:
    """A number that is said to an offer of another number: "two" to "Shall I add three retries?" is two retries."""
    said = _BARE_NUMBER.fullmatch(text)
    offered = None if said is None or _WH.match(asked) else _offered(asked)
    found = [one for one in _NUMBER.finditer(offered) if one[0].lower() != "one"] if offered else []
    if said is None or offered is None or len(found) != 1 or offered.endswith("?"):
        return None
    number = said["number"].lower()
    wording = offered[: found[0].start()] + number + offered[found[0].end() :]
    return Offer(wording, said.end("number"))


def _named(text: str, asked: str) -> Offer | None:
    """A few words that name what a question of which thing, where or when asked for, or one of two that it offers."""
    said = [word[0].lower().replace("’", "'") for word in _WORD.finditer(text)]
    if not 0 < len(said) <= _FEW or text.rstrip().endswith("?"):
        return None
    offered = _EITHER.search(asked) and {*_WORD.findall(asked.lower())}.intersection(said) - FUNCTION_WORDS
    if not (_WH.match(asked) or offered):
        return None
    if any(word in _NO_ANSWER for word in said):
        return None
    if len(said) > 1 and (base_verb(said[0]) == said[0] or (said[1] in DETERMINERS and said[0] not in _BEFORE_THINGS)):
        return None  # an order of its own
    return Offer(within_sentence(asked, verbs=True), len(text.rstrip(" .!")))


def _offered(asked: str) -> str | None:
    """What the question offers to do, or the thing that it offers; a question of fact as it was asked. None where it
    leaves a choice open, so that "yes" does not answer it."""
    if _EITHER.search(asked):
        return None
    asked = asked.replace("’", "'")
    deed = _OFFERS.search(asked)
    if deed is not None:
        return _TOO.sub("", deed["deed"])
    thing = _WANTS.fullmatch(asked)
    if thing is not None:
        return _TOO.sub("", thing["thing"])
    bare = asked.rstrip("? ")
    first = _WORD.search(bare)
    if first is None:
        return None
    low = first[0].lower()
    deed_or_thing = base_verb(low) == low or _BARE_THING.match(bare) or _TOO.search(bare)
    if low not in AUXILIARIES and deed_or_thing:  # "Run it now?", "A slogan?", "Commit now?"
        said = _TOO.sub("", bare)
        return f"{said[0].lower()}{said[1:]}"
    return f"{within_sentence(bare, verbs=True)}?"


def _with_it(offered: str, before: str, heard: str) -> str:
    """With the thing that "it" stands for, where what the reply says before names one such thing; or what it was told,
    where it says nothing else."""
    pointing = _IT.findall(offered)
    if len(pointing) != 1:
        return offered
    before = before if before.strip() else heard[:_LONGEST]
    named = [e for e in find_entities(before) if e.role != "excluded"]
    if pointing[0].lower() in _MANY:
        named = [e for e in named if is_plural(e.text)]
    telling = {e.text.lower(): e.text for e in named if e.kind in _TELLING}
    one = () if pointing[0].lower() in _MANY else _NAME.findall(before)
    names = (name for name in one if name.lower() not in FUNCTION_WORDS and not is_quality(name))
    telling = telling or {name.lower(): name for name in names if not base_verb(name.lower())}
    things = telling or {e.text.lower(): e.text for e in named}
    if len(things) != 1:
        return offered
    (name,) = things.values()
    article = "" if telling else "the "
    return _IT.sub(lambda _: f"{article}{name}", offered, count=1)
