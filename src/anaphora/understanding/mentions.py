"""The words in a message that point outside of it: pronouns, demonstratives, definites, and things left unsaid."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from anaphora.function_words import AUXILIARIES, FUNCTION_WORDS, PREPOSITIONS, SUBJECTS
from anaphora.types import Reference, Span
from anaphora.understanding.entities import Phrase, find_phrases
from anaphora.understanding.expletives import stand_for_nothing
from anaphora.understanding.lexicon import ADJECTIVES, ATTACHED_BY, ATTRIBUTES, base_verb, is_plural
from anaphora.understanding.once import once
from anaphora.understanding.patterns import expression
from anaphora.understanding.text import Word, mask, words

__all__ = ["Mention", "MentionKind", "find_mentions", "told"]

_PRONOUN = expression(
    r"(?:it|its|this|that|these|those|they|them|their|one|ones|he|she|him|her|his|same|"
    r"the one you|your (?:recommendation|suggestion|proposal|pick|choice|advice))\b",
    re.IGNORECASE,
)
MentionKind = Literal[
    "pronoun", "plural", "possessive", "demonstrative", "definite", "attribute", "ellipsis", "followup"
]


@dataclass(frozen=True, slots=True)
class Mention:
    """`noun` is what it is called by ("button" in "that button"); an empty span is where unsaid words would stand."""

    text: str
    span: Span
    kind: MentionKind
    noun: str = ""


_PLEONASTIC = expression(
    r"\b(?=[itwmurd])(?:"  # most words begin otherwise, and are ruled out by that
    r"it(?:'s|’s| is| was| will be| would be| looks| seems| appears| turns out| depends| might be| may be| could be)?"
    r"\s+(?:(?:not|very|really|also|quite|too|so)\s+)*(?:raining|snowing|sunny|late|early|time|possible|impossible|"
    r"likely|unlikely|clear|important|necessary|true|false|fine|ok|okay|easy|easier|hard|better|best|worth|safe|"
    r"like|that|as if|on whether|on the)\b|(?:is|was|would|will|isn't|wouldn't|makes?)\s+it\s+(?:be\s+)?(?:possible|"
    r"ok|okay|better|worth|easy|hard|safe|true|necessary|a good idea|time|clear|sense)\b|that'?s it\b|it takes\b"
    # "do it" stands for an action, not a thing
    r"|(?:undo|redo|do|doing|done)\s+(?:it|that|this)\b)",
    re.IGNORECASE,
)
_PLURAL = frozenset(("these", "those", "they", "them"))
_POSSESSIVE = frozenset(("its", "their"))
_DEMONSTRATIVE = frozenset(("this", "that", "these", "those"))
_POINTING = _PLURAL | _POSSESSIVE | _DEMONSTRATIVE | {"it", "it's", "that's"}
# verbs of saying and thinking, after which "that" begins a clause
_SAYING = expression(
    r"(?:so|such|sure|think|know|ensure|assume|sa(?:y|id|ys)|means?|believe|hope|guess|notice|note|see|saw|told|seems|"
    r"suppose|shows?|make|except|given|now|remember|forget|mind|realize|suggest|decided|agreed)$"
)
_VERBAL = AUXILIARIES | frozenset(("works", "work", "looks", "look", "fails", "fail", "sounds", "seems"))
_AFTER_PRONOUN = _VERBAL | PREPOSITIONS | ADJECTIVES | {"and", "or", "but", "again", "instead", "too", "then", "please"}
_FOLLOWUP = expression(
    r"\s*(?:and|what about|how about|but|or|also|now)\b[ ,]*(?=(?:for|in|with|on|to|from|as|without|using)\b)",
    re.IGNORECASE,
)
_LEADING_THE = expression(r"\b(the(?: same| other| first| second| last)?)\s+$", re.IGNORECASE)
_LONGEST_LEAD = len("the second")
_SAYS_WHICH = expression(r"\s+(?:of|that|which|who|where|when|named|called|for)\b")


@once
def find_mentions(text: str) -> tuple[Mention, ...]:
    """Every mention in the text, in order. Whether it has a referent is another question."""
    masked = mask(text)
    tokens = words(masked)
    phrases = find_phrases(text)
    if not tokens:
        return ()
    shows_code = masked.strip() != text.strip()
    found = [*_pronouns(masked, tokens, phrases, shows_code=shows_code), *_definites(masked, phrases)]
    if not found:
        found = _unsaid(masked, tokens, phrases)
    elif any(m.kind != "attribute" for m in found):
        found = [m for m in found if m.kind != "attribute"]  # "put it in the text": the text of it, if anything
    return tuple(sorted(found, key=lambda m: m.span))


def _pronouns(masked: str, tokens: Sequence[Word], phrases: Sequence[Phrase], *, shows_code: bool) -> list[Mention]:
    pointing = [i for i, word in enumerate(tokens) if word.low in _POINTING]
    if not pointing:
        return []
    pleonastic = [*(m.span() for m in _PLEONASTIC.finditer(masked)), *stand_for_nothing(masked)]
    nouns = {p.span[0]: p for p in phrases}
    order = base_verb(tokens[0].low) == tokens[0].low
    found: list[Mention] = []
    for i in pointing:
        word = tokens[i]
        before = tokens[i - 1] if i else None
        after = tokens[i + 1] if i + 1 < len(tokens) else None
        span = (word.start, word.end)
        if any(start <= word.start < end for start, end in pleonastic) or word.text == "IT":
            continue
        if word.low in ("it", "they", "them", "its", "their") and _named_within(masked, word, phrases, order):
            continue
        if word.low in ("it", "they", "them"):
            found.append(Mention(word.text, span, "plural" if word.low in _PLURAL else "pronoun"))
        elif word.low in _POSSESSIVE and after is not None and not after.is_mark:
            found.append(Mention(word.text, span, "possessive"))
        elif word.low in ("it's", "that's") and (after is None or after.low not in ("all", "it", "fine", "ok")):
            found.append(Mention(word.text[:-2], (word.start, word.end - 2), "pronoun"))
        elif word.low in _DEMONSTRATIVE and not (shows_code and word.low == "this"):
            mention = _demonstrative(masked, word, before, after, nouns)
            found += [mention] if mention else []
    return found


def _named_within(masked: str, word: Word, phrases: Sequence[Phrase], order: bool) -> bool:
    """Whether the message itself names, before the pronoun, something that it can stand for; in an `order` that is not
    what it is put to, as the test in "add a test for it"."""
    many = word.low in ("they", "them", "their")
    return any(
        phrase.span[1] <= word.start
        and phrase.role in ("made", "object", "subject")
        and is_plural(phrase.text.split()[-1]) == many
        and not (order and masked[phrase.span[1] : word.start].strip().lower() in PREPOSITIONS)
        for phrase in phrases
    )


def _demonstrative(
    masked: str, word: Word, before: Word | None, after: Word | None, nouns: dict[int, Phrase]
) -> Mention | None:
    kind: MentionKind = "plural" if word.low in _PLURAL else "pronoun"
    alone = Mention(word.text, (word.start, word.end), kind)
    if after is None or after.is_mark:
        return None if after is not None and after.text == ":" else alone
    if word.low == "that" and after.low in SUBJECTS:
        return None  # a clause: "all that you said"
    phrase = nouns.get(after.start)
    if word.low == "that" and before is not None and _begins_clause(before):
        return None
    if after.low in _AFTER_PRONOUN:
        return alone
    if phrase is not None and after.end <= phrase.span[1]:
        end = phrase.span[1]
        return Mention(masked[word.start : end], (word.start, end), "demonstrative", phrase.text)
    return alone if base_verb(after.low) is None else None


def _begins_clause(before: Word) -> bool:
    """After a noun or a verb of saying, "that" begins a clause; after a verb of doing, it is the thing done to."""
    if before.is_mark or before.low in PREPOSITIONS:
        return False
    return bool(_SAYING.match(before.low)) or (before.low not in FUNCTION_WORDS and base_verb(before.low) is None)


def _definites(masked: str, phrases: Sequence[Phrase]) -> list[Mention]:
    found: list[Mention] = []
    for phrase in phrases:
        before = len(masked[: phrase.span[0]].rstrip())
        lead = _LEADING_THE.search(masked, max(0, before - _LONGEST_LEAD), phrase.span[0])
        if lead is None or _SAYS_WHICH.match(masked, phrase.span[1]):
            continue  # or it says itself which one
        span = (lead.start(1), phrase.span[1])
        noun = phrase.text.lower()
        kind: MentionKind = "attribute" if noun in ATTRIBUTES else "definite"
        found.append(Mention(masked[span[0] : span[1]], span, kind, phrase.text))
    return found


def _unsaid(masked: str, tokens: Sequence[Word], phrases: Sequence[Phrase]) -> list[Mention]:
    """A short command or question that leaves out what it is about."""
    said = [w for w in tokens if not w.is_mark]
    if len(said) > 8 or "\n" in masked.strip():
        return []
    lead = _FOLLOWUP.match(masked)
    if lead is not None:
        return [Mention("", (lead.end(), lead.end()), "followup")]
    attached = bool(said) and said[0].low in ATTACHED_BY
    if not attached or not phrases or any(p.role == "oblique" for p in phrases):
        return []
    objects = [p for p in phrases if p.role in ("made", "object")]
    if len(objects) != 1 or any(w.low in ("a", "an") for w in said[2:]):
        return []
    end = objects[0].span[1]
    return [Mention("", (end, end), "ellipsis", objects[0].text)]


def told(text: str, expanded: str, references: Iterable[Reference]) -> str:
    """The message in words that tell something elsewhere: as it was said, unless a pronoun in it would say nothing
    there."""
    return expanded if any(_PRONOUN.match(r.mention) for r in references) else text
