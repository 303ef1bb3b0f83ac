"""A short name for a conversation, made of what its first words are about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from anaphora.function_words import word_set
from anaphora.types import Entity, EntityRole
from anaphora.understanding.announcing import introduced
from anaphora.understanding.entities import REDACTED, find_entities, head
from anaphora.understanding.injections import find_injections
from anaphora.understanding.lexicon import base_verb
from anaphora.understanding.once import once
from anaphora.understanding.patterns import any_case, expression
from anaphora.understanding.text import straight

__all__ = ["NAMELESS", "is_preamble", "noun_of", "thing_of", "title_of", "title_of_talk", "topic_of"]

NAMELESS = "Conversation"
_LONGEST = 48  # characters
_RANKS: dict[EntityRole, int] = {"made": 0, "object": 1, "subject": 2, "oblique": 5}
_PLAIN = 2  # how much later an object or a subject of one plain word comes
_NEAR = 60  # characters before a thing that tell whether a verb stands behind it
_SHORT_NAME = 2  # words of a thing that is told with whose it is, or what it is of
_LINK = r"(?:of|for|about|on|in|from|to|with|between|against)"
_BELONGS = expression(rf" (?P<link>{_LINK}) (?:(?:the|an?) |(?P<whose>my|our|your|his|her|their) )?", re.IGNORECASE)
_AND = expression(r" and (?:(?:the|an?) )?", re.IGNORECASE)
_SAYS_SOMETHING = expression(r"(?:[^\s,.!?]+[ ,]+){3}")
_SENTENCE_END = expression(r"[.!?\n](?=\s|$)|$")
# when and how something is said, and not what
_NO_TOPIC = word_set(
    "morning afternoon evening night today tomorrow yesterday week month quarter year day time hi hello hey here's "
    "there's what's question getting how's who's where's when's why's that's it's let's far long old often lol hmm hm "
    "um ah oh wow yay ugh haha different something anything everything stuff thing things help bug idea left"
)
_FILLER = (
    r"(?:lol|hm+|u+m+|uh+|a+h+|oh|wow|yay|ugh|haha|well|ok(?:ay)?|hey|hi|hello|so|please|right|yes|yeah|no|thanks)"
)
_FILLERS = any_case(rf"\W*(?:{_FILLER}\b[\s,.!:;…–—-]*)*")
_MEASURE = any_case(
    r"(?:takes? |took |about |around |nearly )?(?:[\d.,]+ )?(?:milliseconds?|seconds?|secs?|minutes?|mins?|hours?|"
    r"days?|weeks?|months?|years?|times|percent|px|pixels?|[kmgt]b|km|kg|miles?|meters?|metres?|euros?|dollars?|degrees?)"
)
_LABEL = any_case(
    r"\W*(?:new feature|feature(?: request| idea)?|user story|story|epic|bug(?: report)?|idea|to-?do|task|issue|ticket|"
    r"note|question|problem|request|proposal|improvement|enhancement|chore|requirement|subject|topic|title)"
    r"(?: #?\d+)?\s*(?::|[–—]| - )\s*(?=\w)",
    needles="feature|story|epic|bug|idea|do|task|issue|ticket|note|question|problem|request|proposal|improvement|"
    "enhancement|chore|requirement|subject|topic|title",
)
_ASKS_WHETHER = any_case(
    r"\b(?:do|does|did|can|could|will|would|should|may|might)(?:n['’]t)?\s+(?:(?:the|my|our|an?|this|that|your|its|his|"
    r"her|their)\s+)?$"
)
# what stands behind a verb and never behind a noun
_BEHIND_VERB = any_case(
    r"\s+(?:the|an?|my|our|your|his|her|its|their|this|that|these|those|whether|if|every|each|too|very|so|no|some|any|"
    r"through|off|away|out|down|up|back|when|while|before|after|until|into|onto|it|me|us|him|them|you|\d)\b"
)
_DETERMINER = any_case(r"\s+(?:the|an?|my|our|your|his|her|its|their|every|too|it|me|us|him|them|you)\b")
_BEGINS_CLAUSE = any_case(
    r"(?:^|[.,;:!?\n]\s+|\b(?:when|if|because|and|but|that|so|while|after|before|once|why|how|where|whether)\s+)"
    r"(?:(?:the|an?|my|our|your|his|her|its|their|this|that|these|those|some|every|all)\s+)?(?:\w+\s+)?$"
)
_HAPPENS = word_set(
    "expires falls happens arrives depends belongs exists disappears appears fails crashes hangs freezes barks asks "
    "says sleeps dies becomes seems looks sounds feels gets goes comes takes makes lives leaks flickers vanishes "
    "fell broke went came took ran froze died disappeared expired crashed failed"
)
_IS_ASKED = word_set(
    "take mean cost look feel seem happen last appear depend belong fail crash come go get work fall play"
)
_PREAMBLES = any_case(
    rf"\W*(?:{_FILLER}\b[\s,.!:;…–—-]*)*(?:(?:good )?(?:morning|afternoon|evening|day)|"
    r"(?:hi|hello|hey)(?: there| again)?|(?:please |can you |could you )?help(?: me)?(?: out)?(?: please)?|"
    r"(?:(?:a|one|i have an?|i've got an?|may i ask an?|can i ask an?) )?"
    r"(?:(?:quick|short|small|simple|little|dumb|stupid) )*question(?: for you)?|you there|"
    r"(?:are you|anyone|anybody|is anyone|is anybody) (?:there|here|awake|home)|"
    r"can (?:you|i) (?:help me(?: with something)?|ask (?:you )?something)|"
    r"i need (?:some |your )?help(?: with something)?|"
    r"i'?m back|back again|ping|test(?:ing)?|yo|sup|what'?s up|how are you(?: doing)?(?: today)?|nope|nah|yep|yup|sure|"
    r"continue|go on|let'?s (?:go|start|begin))?\W*"
)
_POINTS_ONLY = any_case(
    r"\W*(?:please |now |just |then |and |can you |could you )*(?:[a-z]+ ){1,2}(?:it|this|that|them|these|those)\b"
    r"(?: [a-z]+){0,3}(?: please)?\W*",
    needles="it|this|that|them|these|those",
)
_AS_IT_IS = expression(r"[A-Z._/@()]")
_WHAT_IS_OF_IT = expression(rf" {_LINK} ", re.IGNORECASE)


@once
def topic_of(text: str) -> str | None:
    """What a text is about, as it calls it. A thing that has no more than a word for its name is told with what belongs
    to it: "map of bike thefts". An order to the model is about nothing."""
    if find_injections(text):
        return None
    entities = find_entities(text)
    best = _main(text, entities)
    best = best and _without_verb(text, best)
    if best is None:
        return None
    if best.kind != "concept":
        return best.text
    whole = f"{best.text}{_belonging(text, best, entities)}"
    return whole if len(whole) <= _LONGEST else _shortened(best.text)


def title_of(text: str) -> str:
    """A short name for a conversation that begins with this text; none that repeats an order to the model, or that only
    says that something else comes."""
    topic = topic_of(text)
    if topic is None:
        told = "" if find_injections(text) else text[_begin(text) :]
        told = told[_FILLERS.match(told).end() :] or told  # type: ignore[union-attr]
        return _shortened(told) if any(map(str.isalnum, told)) else NAMELESS
    named = any(e.text == topic and e.kind != "concept" for e in find_entities(text))
    return _shortened(topic if named else " ".join(map(_capitalised, topic.split())))


def title_of_talk(texts: Sequence[str]) -> str:
    """The title of a conversation in which a user said these texts: that of the first that is no mere preamble."""
    told = next((text for text in texts if not is_preamble(text)), texts[0] if texts else "")
    return title_of(told) if told else NAMELESS


@once
def is_preamble(text: str) -> bool:
    """Whether the text only leads up to what will be talked about, as a greeting does, or says nothing but "make it
    bigger": what a conversation is about is told by a later one."""
    said = straight(text.strip())
    if len(said) > _LONGEST:
        return False
    return _PREAMBLES.fullmatch(said) is not None or (
        _POINTS_ONLY.fullmatch(said) is not None and topic_of(text) is None
    )


def thing_of(topic: str) -> str:
    """The thing itself of a topic: "release notes" of "release notes for 4.2"."""
    return _WHAT_IS_OF_IT.split(topic, 1)[0]


def noun_of(topic: str) -> str:
    """The word that says what kind of thing a topic is: "map" of "map of bike thefts"."""
    return head(thing_of(topic))


def _main(text: str, entities: Sequence[Entity]) -> Entity | None:
    begin = _begin(text)
    removed = [mark.span() for mark in REDACTED.finditer(text)]
    named = [
        e
        for e in entities
        if e.role in _RANKS
        and e.span[0] >= begin
        and (e.kind != "concept" or sum(map(str.isalnum, e.text)) > 1)
        and e.text.lower() not in _NO_TOPIC
        and not (e.kind == "concept" and (_MEASURE.fullmatch(e.text) or _is_what_one_does(text, e)))
        and not any(start <= e.span[0] < end for start, end in removed)
    ]
    words = _SAYS_SOMETHING.match(text, begin)
    first = _SENTENCE_END.search(text, words.end()) if words else None  # the first sentence tells more than the others
    named = [e for e in named if first and e.span[0] < first.end()] or named
    return min(named, key=lambda e: (_rank(e), e.span[0], -e.span[1]), default=None)


def _begin(text: str) -> int:
    """Where what a text is about begins: behind what introduces it, and behind a label such as "new feature:"."""
    begin = introduced(text)
    label = _LABEL.match(text, begin)
    return label.end() if label else begin


def _is_what_one_does(text: str, thing: Entity) -> bool:
    """Whether it is the verb of "who won?"."""
    before = text[: thing.span[0]].rstrip().lower()
    return before.endswith(("who", "what")) and base_verb(thing.text.lower()) is not None


def _without_verb(text: str, thing: Entity) -> Entity:
    """A thing of several words without the verb that it begins to do something with: "button" of "button closes"."""
    start, end = thing.span
    before, _, last = thing.text.rpartition(" ")
    if thing.kind != "concept" or not before or text[start:end] != thing.text or not _is_verb(last, text, start, end):
        return thing
    return replace(thing, text=before, span=(start, start + len(before)))


def _is_verb(word: str, text: str, start: int, end: int) -> bool:
    low = word.lower()
    if low in _HAPPENS:
        return True
    base, plural = base_verb(low), text[start:end].split()[-2].endswith("s")
    if low.endswith("s") or (plural and base == low):  # "the button closes the", "users upload a"
        behind = _BEHIND_VERB if base else _DETERMINER
        return (
            _BEGINS_CLAUSE.search(text, max(0, start - _NEAR), start) is not None
            and behind.match(text, end) is not None
        )
    if base == low or low in _IS_ASKED:
        return _ASKS_WHETHER.search(text, max(0, start - _NEAR), start) is not None
    return base is not None and not low.endswith(("ing", "ed"))


def _rank(entity: Entity) -> int:
    plain = entity.role in ("object", "subject") and entity.kind == "concept" and " " not in entity.text
    return _RANKS[entity.role] + _PLAIN * plain


def _belonging(text: str, thing: Entity, entities: Sequence[Entity]) -> str:
    """What the thing is of or for, where its own name is a word; where it is two, only a name or a number."""
    link = _BELONGS.match(text, thing.span[1])
    other = _named_at(link.end() if link else -1, entities)
    words = len(thing.text.split())
    if link is None or other is None or words > _SHORT_NAME:
        return ""
    if words == _SHORT_NAME and other.kind == "concept" and other.text.islower():
        return ""
    whose = f"{link['whose']} " if link["whose"] else ""
    if link["link"].lower() != "between":
        return f" {link['link']} {whose}{other.text}"
    more = _AND.match(text, other.span[1])
    second = _named_at(more.end() if more else -1, entities)
    return f" {link['link']} {whose}{other.text} and {second.text}" if second else ""


def _named_at(place: int, entities: Sequence[Entity]) -> Entity | None:
    return max((e for e in entities if e.span[0] == place), key=lambda e: e.span[1], default=None)


def _capitalised(word: str) -> str:
    """But for small words, and for what has a way of its own to be written."""
    small = _WHAT_IS_OF_IT.fullmatch(f" {word} ") or word == "and"
    return word if small or _AS_IT_IS.search(word) else word.capitalize()


def _shortened(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _LONGEST else plain[: _LONGEST - 1].rsplit(" ", 1)[0] + "…"
