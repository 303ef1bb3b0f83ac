"""Where in a message something stands for what came before, and how much of it that is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from anaphora.function_words import FUNCTION_WORDS
from anaphora.ports import Gap, Line
from anaphora.understanding.lexicon import FINITE, KIND_NOUNS, OF_WORK, base_verb, begins_order
from anaphora.understanding.patterns import expression
from anaphora.understanding.phrases import definite_at, is_compared, is_quality
from anaphora.understanding.wording import Stretch, content_in, sentence_end

__all__ = ["DEMONSTRATIVES", "merged", "narrowed", "not_twice", "of_noun", "stays", "with_noun"]

DEMONSTRATIVES = frozenset(["this", "that", "these", "those"])
_POINTER = expression(
    r".*\S\s+(it|there|here|this|that|these|those|them|they|him|her|both|all (?:of them|two|three|four|five)"
    r"|the (?:former|latter|same|other|first|second|third|last)(?: ones?)?)",
    re.IGNORECASE | re.DOTALL,
)
_POINTER_BEHIND = expression(
    r"\b(for|to|in|on|from|of|with|into)\s+(it|this|that|them)\b(?=\s*(?:[,;:.!?]|$|(?:too|please|now|instead)\b))",
    re.IGNORECASE,
)
_NOUN_OF = expression(r"\b([a-z]+) (?:for|of|about|on) (?:(?:an?|the) )?\Z")
_NEXT = expression(r"[ ]+([A-Za-z'’]{3,})")
_WHICH_ONE = expression(r"\bthe (?P<how>[\w-]+) ones?\b", re.IGNORECASE)
_THE_ONE = expression(r"(?:the|an?y) (?P<one>ones?)", re.IGNORECASE)  # "the one that failed"
_TELLS_WHICH = expression(r" (?:that|which|who|with|without|in|for|from|on|at|of)\b", re.IGNORECASE)
_SOME_ONE = expression(  # "a bigger one" stays bigger; "the other one" tells by itself which one
    r"(?:(?:an?|the|my|another|any|some) )?(?!(?:this|that|these|those|which|what|each|every|another|other|same|first|"
    r"second|third|last|next|only|right|wrong|any|no|the|an?|my|former|latter)\b)(?P<how>[\w-]+) (?P<one>ones?)",
    re.IGNORECASE,
)
_ALONE = expression(r"it|them|they|him|her", re.IGNORECASE)
# What denies, asks of any one or only joins stays, marks too, and what it is said of stands behind.
_STAYS = expression(
    r"(?:any|every|some)(?:thing|one|body)|.*(?:\b(?:not?|never|none|nothing|nobody)\b|n['’]t\b).*"
    r"|(?:then|and|but|or|so|also|too|now|again|instead|else|please|just|as|than|which(?: ones?)?"
    r"|(?:the )?same (?:there|here)|accordingly|(?:this|that|it) happen(?:s|ed)?|(?:this|that|such a) case"
    r"|(?:what|how)(?: about)?)|\W+",
    re.IGNORECASE,
)
_HAPPENS = expression(r" (?:from )?(?:happen(?:s|ed|ing)?|occur(?:s|red|ring)?)\b")
_NEAR = 40  # characters before a stretch in which the noun stands that it belongs to
_BEHIND_ARTICLE = expression(r"\b(?:the|an?|my|our|your|his|her|their|this|that|these|those)\s+\Z", re.IGNORECASE)
_ONE = expression(r"ones?", re.IGNORECASE)
_FEW = 2  # words between an article and what it belongs to
_GAP = 0.5  # a gap that is likelier than this is one with what stands beside it


def stays(text: str, gap: Gap) -> bool:
    """Whether the words of a gap stay, and what they are said of stands behind: "apply" points to nothing."""
    mention = text[slice(*gap.span)].lower()
    start, end = gap.span
    which = (one["how"] for one in _WHICH_ONE.finditer(text) if one.start() <= start and end <= one.end())
    if any(map(is_compared, which)):  # which of them that is, nobody said
        return True
    if mention and _HAPPENS.match(text, gap.span[1]):  # "when that happens" tells by itself that something does
        return True
    return _STAYS.fullmatch(text, *gap.span) is not None or (mention != "" and base_verb(mention) == mention)


def narrowed(text: str, gap: Gap) -> Gap:
    """Of "deal with these" only the word that points; a verb or a preposition before it stays."""
    start, end = gap.span
    pointer = _POINTER.fullmatch(text, start, end)
    if pointer is not None:
        return replace(gap, span=pointer.span(1))
    which = _THE_ONE.fullmatch(text, start, end) if _TELLS_WHICH.match(text, end) else None
    if which is not None:
        return replace(gap, span=which.span("one"))
    one = _SOME_ONE.fullmatch(text, start, end)
    says_how = one is not None and one["how"].lower() not in FUNCTION_WORDS
    if one is None or not says_how or (one.start("how") == start and begins_order(one["how"])):  # "close one"
        return gap
    return replace(gap, span=one.span("one"))


def with_noun(text: str, gap: Gap, one: Stretch, lines: Sequence[Line]) -> Stretch:
    """What is said of a thing together with the thing, where the message names that: "the task" is the task for
    refactoring."""
    said = lines[one.line].text
    noun = _NOUN_OF.search(said, max(0, one.span[0] - _NEAR), one.span[0])
    if noun is None or definite_at(text, gap.span, {noun[1].rstrip("s")}) is None:
        return one
    span = (noun.start(), one.span[1])
    return replace(one, span=span, text=f"the {said[slice(*span)]}")


def of_noun(text: str, gap: Gap, chosen: Stretch) -> Gap:
    """Where "the app" is the Streamlit app, that stands in its place, and not beside it."""
    points = text[gap.span[0] : gap.span[1]].lower() in DEMONSTRATIVES
    known = {word.rstrip("s") for word in content_in(chosen.text)}
    if points:  # "that return" is no thing in "why does that return None?"
        known -= {word for word in known if begins_order(word)}
    phrase = definite_at(text, gap.span, known)
    if phrase is None and points:
        phrase = definite_at(text, gap.span, KIND_NOUNS)
    if phrase is not None:
        return replace(gap, span=phrase, link="")
    if points and _is_of_thing(text, gap.span[1]):  # "this loop": what is meant goes behind the sentence
        end = sentence_end(text, gap.span[1])
        return replace(gap, span=(end, end), link="")
    return gap


def _is_of_thing(text: str, at: int) -> bool:
    """Whether the next word is the thing that a "this" points with, and not what is said of it."""
    word = _NEXT.match(text, at)
    low = word[1].lower() if word else ""
    if not low or low in FUNCTION_WORDS or low in FINITE or low.endswith(("ly", "er", "n't", "n’t")):
        return False
    return low in OF_WORK or (base_verb(low) is None and not is_quality(low))


def not_twice(text: str, gap: Gap) -> Gap:
    """Where "for it" stands in a command what is left out is not put beside it with another "for", but in its place;
    where "for" something else does, it is not said with "for"."""
    start, end = gap.span
    if start < end or not _is_command(text):
        return gap
    sentence = text[: sentence_end(text, end)]
    pointer = next((p for p in _POINTER_BEHIND.finditer(sentence) if not gap.link or p[1].lower() == gap.link), None)
    if pointer is not None:
        return replace(gap, span=pointer.span(2), link="")
    said = {word.lower() for word in re.findall(r"\w+", sentence)} if gap.link else ()
    return replace(gap, link="") if gap.link in said else gap


def _is_command(text: str) -> bool:
    first = re.match(r"\s*(?:(?:please|now|then|also|and|don't|do not)\s+)*(\w+)", text, re.IGNORECASE)
    return first is not None and base_verb(first[1].lower()) is not None


def merged(text: str, gaps: Sequence[Gap]) -> list[Gap]:
    """Words that point back and stand side by side ("the", "same") are one mention."""
    found: list[Gap] = []
    for gap in sorted(gaps, key=lambda g: g.span):
        last = found[-1] if found else None
        said = last is not None and last.span[0] < last.span[1] and gap.span[0] < gap.span[1]
        beside = last is not None and said and not text[last.span[1] : gap.span[0]].strip()
        if last is not None and beside and gap.probability >= _GAP and not _ALONE.fullmatch(text, *last.span):
            surer = max(last, gap, key=lambda g: sum(w.probability for w in g.words))
            found[-1] = replace(
                surer, span=(last.span[0], gap.span[1]), probability=max(last.probability, gap.probability)
            )
        else:
            found.append(gap)
    return _once_in_each_thing(text, found)


def _once_in_each_thing(text: str, gaps: Sequence[Gap]) -> list[Gap]:
    """Of "the hot one" it is the one that stands for something, and nothing is left out before "hot" as well; of "the
    sessions" it is left out before the word or behind it."""
    likely = [gap for gap in gaps if gap.probability >= _GAP]
    idle: list[Gap] = []
    for gap, after in pairwise(likely):
        there = text[slice(*gap.span)].lower() == "the" or gap.span[0] == gap.span[1]
        if there and _BEHIND_ARTICLE.search(f"{text[: gap.span[1]]} "):
            between = text[gap.span[1] : after.span[0]].lower().split()
            if 0 < len(between) <= _FEW and not FUNCTION_WORDS.intersection(between) and "".join(between).isalnum():
                one = _ONE.fullmatch(text, *after.span) is not None
                if one or after.span[0] == after.span[1]:
                    idle.append(gap if one or gap.probability < after.probability else after)
    return [gap for gap in gaps if gap not in idle]
