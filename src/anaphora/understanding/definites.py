"""Which one "the kitten" is: the one that was named with a word of its own when it came up, "a Siamese kitten"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from anaphora.function_words import FUNCTION_WORDS
from anaphora.ports import Line
from anaphora.types import Span
from anaphora.understanding.lexicon import ATTRIBUTES, base_verb
from anaphora.understanding.ordinals import PLACES
from anaphora.understanding.patterns import any_case
from anaphora.understanding.phrases import is_quality
from anaphora.understanding.text import mask

__all__ = ["Named", "find_definites"]

_DEFINITE = any_case(r"\bthe (?P<noun>[a-z]{3,})\b(?= (?P<next>[\w'’-]+)|)")
_ASKED = any_case(r"\b(?:do|does|did|can|could|will|would|should|must) \Z")  # "what does the kitten eat"
_NAMED = r"\b(?:an?|the|my|our|your|one|this|new) (?P<words>(?:[\w'’-]+ ){{1,3}}){noun}\b"
_LATELY = 8  # lines
_LONGEST = 300  # characters of a line that tells of a thing in passing
_READ = 600  # characters of a message that are searched for things
_MOST = 2  # words that are put in


class Named(NamedTuple):
    """The place of "the kitten", and that of "Siamese kitten" in a line."""

    span: Span
    line: int
    place: Span


def find_definites(text: str, lines: Sequence[Line]) -> tuple[Named, ...]:
    """The things that a message names by their noun alone, each where it was named in full by exactly one name."""
    return tuple(_found(text, lines[-_LATELY:], max(0, len(lines) - _LATELY))) if lines else ()


def _found(text: str, lines: Sequence[Line], first: int) -> Iterator[Named]:
    for thing in _DEFINITE.finditer(mask(text)[:_READ]):
        noun, after = thing["noun"].lower(), (thing["next"] or "").lower()
        if noun in FUNCTION_WORDS or noun in ATTRIBUTES or is_quality(noun) or after in ("of", "that", "which", "from"):
            continue
        asked = _ASKED.search(text, 0, thing.start()) is not None and base_verb(after) == after
        if after and after not in FUNCTION_WORDS and not asked and not _goes_on(after):
            continue  # "the kitten food"
        found = [(number, place) for number, line in enumerate(lines) for place in _names(line.text, noun)]
        names = {lines[number].text[slice(*place)].lower() for number, place in found}
        if len(names) == 1:
            number, place = found[-1]
            yield Named(thing.span("noun"), number + first, place)


def _goes_on(word: str) -> bool:
    """Whether the sentence goes on with what the thing does: "the service leaks memory"."""
    return (
        word.endswith("ed") or (word.endswith("s") and not word.endswith("ss")) or base_verb(word) not in (None, word)
    )


def _names(said: str, noun: str) -> Iterator[Span]:
    """The names with a word of their own that a line gives a thing."""
    if len(said) > _LONGEST:
        return
    for found in re.finditer(_NAMED.format(noun=re.escape(noun)), said, re.IGNORECASE):
        words = found["words"].split()
        if len(words) <= _MOST and not any(map(_is_no_name, words)):
            yield found.start("words"), found.end()


def _is_no_name(word: str) -> bool:
    """Whether a word before a noun says nothing of which one it is: "the main kitten", "the last one"."""
    low = word.lower()
    return low in FUNCTION_WORDS or low in PLACES or is_quality(low) or base_verb(low) is not None
