"""A short name for a conversation, made of what its first words are about."""

from __future__ import annotations

import re
from collections.abc import Sequence

from anaphora.function_words import word_set
from anaphora.types import Entity, EntityRole
from anaphora.understanding.announcing import introduced
from anaphora.understanding.entities import REDACTED, find_entities, head
from anaphora.understanding.injections import find_injections
from anaphora.understanding.once import once
from anaphora.understanding.patterns import expression

__all__ = ["NAMELESS", "noun_of", "thing_of", "title_of", "topic_of"]

NAMELESS = "Conversation"
_LONGEST = 48  # characters
_RANKS: dict[EntityRole, int] = {"made": 0, "object": 1, "subject": 2, "oblique": 5}
_PLAIN = 2  # how much later an object or a subject of one plain word comes
_SHORT_NAME = 2  # words of a thing that is told with whose it is, or what it is of
_LINK = r"(?:of|for|about|on|in|from|to|with|between|against)"
_BELONGS = expression(rf" (?P<link>{_LINK}) (?:(?:the|an?) |(?P<whose>my|our|your|his|her|their) )?", re.IGNORECASE)
_AND = expression(r" and (?:(?:the|an?) )?", re.IGNORECASE)
_SAYS_SOMETHING = expression(r"(?:[^\s,.!?]+[ ,]+){3}")
_SENTENCE_END = expression(r"[.!?\n](?=\s|$)|$")
# when and how something is said, and not what
_NO_TOPIC = word_set(
    "morning afternoon evening night today tomorrow yesterday week month quarter year day time hi hello hey here's "
    "there's what's question getting"
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
        told = "" if find_injections(text) else text[introduced(text) :]
        return _shortened(told) if any(map(str.isalnum, told)) else NAMELESS
    named = any(e.text == topic and e.kind != "concept" for e in find_entities(text))
    return _shortened(topic if named else " ".join(map(_capitalised, topic.split())))


def thing_of(topic: str) -> str:
    """The thing itself of a topic: "release notes" of "release notes for 4.2"."""
    return _WHAT_IS_OF_IT.split(topic, 1)[0]


def noun_of(topic: str) -> str:
    """The word that says what kind of thing a topic is: "map" of "map of bike thefts"."""
    return head(thing_of(topic))


def _main(text: str, entities: Sequence[Entity]) -> Entity | None:
    begin = introduced(text)
    removed = [mark.span() for mark in REDACTED.finditer(text)]
    named = [
        e
        for e in entities
        if e.role in _RANKS
        and e.span[0] >= begin
        and (e.kind != "concept" or sum(map(str.isalnum, e.text)) > 1)
        and e.text.lower() not in _NO_TOPIC
        and not any(start <= e.span[0] < end for start, end in removed)
    ]
    words = _SAYS_SOMETHING.match(text, begin)
    first = _SENTENCE_END.search(text, words.end()) if words else None  # the first sentence tells more than the others
    named = [e for e in named if first and e.span[0] < first.end()] or named
    return min(named, key=lambda e: (_rank(e), e.span[0], -e.span[1]), default=None)


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
