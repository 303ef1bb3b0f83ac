"""A message as a template: words that everyone uses stay, what is particular becomes a slot ("make it {color}").

Only words of a closed vocabulary can stay, so that a template holds nothing of anyone's: no name, no secret."""

from __future__ import annotations

import re
from functools import lru_cache

from anaphora.function_words import FUNCTION_WORDS
from anaphora.understanding.lexicon import (
    ADJECTIVES,
    ATTRIBUTES,
    COLORS,
    DOMAIN_WORDS,
    GENERIC_HEADS,
    KIND_NOUNS,
    MAKING,
    TECHNOLOGIES,
    WIDGETS,
    base_verb,
)
from anaphora.understanding.once import once
from anaphora.understanding.patterns import expression
from anaphora.understanding.text import READ_AT_MOST, code_lines

__all__ = ["LONGEST", "OPENING", "SLOTS", "VOCABULARY", "is_anonymous", "normal", "openings_of", "templates_of"]

LONGEST = 10  # words and slots of a template of a whole message
OPENING = " …"  # what a template of the first words of a longer message ends with
_OPENINGS = (4, 3, 2)  # words of an opening
_PATTERNS = 4096  # that are kept in their normal form: all lessons of a scope, and more
_READ = 600  # characters of a message that its template is made from

_KEPT = FUNCTION_WORDS | DOMAIN_WORDS | MAKING
_SLOT_WORDS = {
    "{color}": COLORS,
    "{quality}": ADJECTIVES - COLORS,
    "{property}": ATTRIBUTES,
    "{technology}": TECHNOLOGIES,
}
_SLOT_OF = {word: slot for slot, group in _SLOT_WORDS.items() for word in group if word not in _KEPT}
SLOTS = frozenset(
    (*_SLOT_WORDS, "{feature}", "{entity}", "{number}", "{quoted}", "{code}", "{file}", "{function}", "{error}")
)
VOCABULARY = frozenset(_KEPT | set(KIND_NOUNS) | WIDGETS | GENERIC_HEADS)

_PIECE = expression(
    r"""(?P<plain>[a-z]+(?=[ ,]))  # most of all: nothing else that stands below fits such a word
      | (?P<slot>\{[a-z_]{1,20}\})
      | (?P<code>```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]+`|\x00)
      | (?P<error>\bTraceback\b[^\x00]*|\b\w*(?:Error|Exception)\b:?[^\n\x00]*)
      | (?P<quoted>"[^"\n]{1,200}"|“[^”\n]{1,200}”|(?<!\w)'[^'\n]{1,80}'(?!\w))
      | (?P<file>(?:[\w.~-]*/)+[\w.-]*|\b[\w-]+\.[a-z]{1,5}\b(?!\())
      | (?P<function>\b[\w.]+\([^()\n]{0,80}\)|\b\w+_\w+\b|\b[a-z]+[A-Z]\w*\b)
      | (?P<number>[-+]?\d[\d.,:%*/=+ -]*)
      | (?P<word>[^\W\d_][\w'’+#-]*)
      | (?P<mark>[?:])
      | (?P<end>[.!;\n]+)""",
    re.VERBOSE | re.DOTALL,
)


def templates_of(text: str) -> tuple[str, ...]:
    """The templates that a message fits, the closest first: the whole of it where it is short, and its opening."""
    parts = _parts(text)
    whole = (" ".join(parts),) if parts and len(parts) <= LONGEST else ()
    return (*whole, *(" ".join(parts[:n]) + OPENING for n in _OPENINGS if len(parts) > n))


def openings_of(text: str) -> tuple[str, ...]:
    """The first words of a message, the most of them first."""
    parts = _parts(text)
    return tuple(" ".join(parts[:n]) for n in _OPENINGS if len(parts) >= n)


@lru_cache(_PATTERNS)
def normal(pattern: str) -> str:
    """A pattern, whoever wrote it, as `templates_of` would: without what is particular, and without punctuation."""
    ends = OPENING if pattern.rstrip().endswith(OPENING.strip()) else ""
    return " ".join(_pieces(pattern)) + ends


def is_anonymous(pattern: str) -> bool:
    """Whether it is made of the vocabulary, slots and punctuation alone."""
    return all(_is_kept(part.lower()) or part in SLOTS for part in re.sub(r"[,.;!?:…]", " ", pattern).split())


@once
def _parts(text: str) -> list[str]:
    return _pieces(_shown(text))


def _pieces(shown: str) -> list[str]:
    """Words and slots in order; equal slots in a row are one."""
    parts: list[str] = []
    for match in _PIECE.finditer(shown):
        kind = match.lastgroup
        if kind == "end":
            continue
        if kind == "mark":
            part = match[0]
        elif kind in ("plain", "word"):
            part = _word(match[0], parts)
        elif kind == "slot":
            part = match[0] if match[0] in SLOTS else "{entity}"
        else:
            part = f"{{{kind}}}"
        if not (parts and part == parts[-1] and part in SLOTS):
            parts.append(part)
        if len(parts) > 2 * LONGEST:
            break
    return parts


def _word(word: str, before: list[str]) -> str:
    low = word.lower().replace("’", "'")
    named = word[0].isupper() and bool(before) and low != "i" and not low.startswith("i'")  # inside, a name
    if _is_kept(low) and not named:
        return low
    if low in _SLOT_OF:
        return _SLOT_OF[low]
    if before and before[-1] in ("{feature}", "{entity}"):
        return before[-1]
    made = next((part for part in reversed(before) if part not in ("a", "an", "the", "some", "new", "me")), "")
    return "{feature}" if made in MAKING else "{entity}"


def _is_kept(word: str) -> bool:
    return word in VOCABULARY or base_verb(word) is not None


def _shown(text: str) -> str:
    """The first characters, with each run of lines of code as one mark."""
    return code_lines(text[:READ_AT_MOST], "\0")[:_READ]
