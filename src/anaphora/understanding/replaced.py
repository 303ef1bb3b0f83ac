"""What took the place of what: after "use a slider, not a dropdown" nobody means the dropdown any more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from anaphora.function_words import FUNCTION_WORDS, PREPOSITIONS, word_set
from anaphora.ports import Line
from anaphora.types import Span
from anaphora.understanding.lexicon import base_verb
from anaphora.understanding.once import once
from anaphora.understanding.patterns import any_case, expression
from anaphora.understanding.phrases import is_clause, within_sentence
from anaphora.understanding.wording import Stretch

__all__ = ["Instead", "given_up", "in_its_place", "instead_of", "replaces"]

_THING = r"(?:an? |the |my |our |your |that |this )?(?P<{}>[\w-]+(?: [\w-]+){{0,2}}?)"
_NEW, _OLD = _THING.format("new"), _THING.format("old")
_END = r"(?=\s*(?:[.,;:!?)]|$|\b(?:for|in|on|at|to|because|since|as|please|now|then|here|there|instead)\b))"
_LEAD = (
    r"(?:^|[.,;:!]\s+)(?:(?:no|ok|okay|actually|please|and|but|so|now|then|can you|could you|let's|just|wait)[,\s]+)*"
)
_TAKE = r"(?:use|try|take|make it|go with|show|want|put in|add|need|have|prefer)"
_SHAPES = (
    any_case(rf"{_LEAD}{_TAKE} {_NEW},? (?:and )?(?:not|instead of|rather than|in place of) {_OLD}{_END}"),
    any_case(rf"{_LEAD}(?:replace|swap|exchange) {_OLD} (?:with|by|for) {_NEW}{_END}"),
    any_case(rf"{_LEAD}(?:switch|move|migrate|change) (?:it )?from {_OLD} to {_NEW}{_END}"),
    any_case(rf"{_LEAD}(?:change|turn|convert) {_OLD} (?:to|into) (?=an? ){_NEW}{_END}"),
)
_WORD = expression(r"[\w-]+")
_GATE = any_case(r"\b(?:not|instead|rather|place|replace|swap|exchange|switch|move|migrate|change|turn|convert)\b")
_INSTEAD = any_case(
    r"\W*(?:(?:no|ok|okay|please|can you|could you|let's|rather|better|just|then|hm+)[\s,]+)*(?P<verb>[a-z]+) "
    r"(?!(?:it|this|that|these|those|them)\b)[^.?!;:\n]{2,50}? (?P<instead>instead)(?: please| then)?\W*"
)
_TOLD = expression(r"(?P<told>[^.?!\n]+(?:[.](?=\w)[^.?!\n]*)*)[.!]?")
_NO_ACCOUNT = word_set("yes no ok okay done added changed moved removed renamed updated sure not use try")
_ASKED_AND_TOLD = 2  # lines
_TOLD_AT_MOST, _VALUE = 6, 2  # words of what a reply tells in short, and of a bare value
_LONGEST = 400  # characters; a longer message is mostly pasted


class Replacing(NamedTuple):
    """The place of what is new, and the words of what was there before."""

    new: Span
    old: frozenset[str]


class Instead(NamedTuple):
    """What an order is to be done instead of, and where in the order that is told; `thing` where it is no sentence."""

    wording: str
    at: int
    thing: bool


def instead_of(text: str, lines: Sequence[Line]) -> Instead | None:
    """What a bare "instead" sets an order against: what the reply just before told in few words of what was asked.
    "raise an error instead" is said against "It returns 1."."""
    said = _INSTEAD.fullmatch(text)
    if said is None or base_verb(said["verb"].lower()) != said["verb"].lower() or len(lines) < _ASKED_AND_TOLD:
        return None
    asked, told = lines[-2], lines[-1]
    reply = _TOLD.fullmatch(told.text.strip())
    if not asked.mine or told.mine or not asked.text.rstrip().endswith("?") or reply is None:
        return None
    words = [word.lower() for word in _WORD.findall(reply["told"])]
    if not 0 < len(words) <= _TOLD_AT_MOST or words[0] in _NO_ACCOUNT or base_verb(words[0]) == words[0]:
        return None
    thing = len(words) <= _VALUE and not is_clause(reply["told"])
    return Instead(within_sentence(reply["told"], verbs=words[0] in PREPOSITIONS), said.end("instead"), thing)


@once
def replaces(text: str) -> tuple[Replacing, ...]:
    """What a message puts in the place of what."""
    return tuple(_found(text)) if len(text) <= _LONGEST and _GATE.search(text) else ()


def _found(text: str) -> Iterator[Replacing]:
    for shape in _SHAPES:
        for one in shape.finditer(text):
            old, new = _words(one["old"]), _words(one["new"])
            if old and new and old != new:
                yield Replacing(one.span("new"), old)


def in_its_place(one: Stretch, lines: Sequence[Line]) -> Stretch:
    """What stands now where the thing stood that the words name, by what was said after it was named."""
    for number in range(one.line, len(lines)):
        for pair in replaces(lines[number].text) if lines[number].mine else ():
            before = number > one.line or one.span[1] <= pair.new[0] or one.span[0] >= pair.new[1]
            if before and pair.old <= _words(_head(one.text)):
                one = replace(one, line=number, span=pair.new, text=lines[number].text[slice(*pair.new)])
    return one


def given_up(one: Stretch, text: str) -> bool:
    """Whether the words name what the message itself puts something else in the place of."""
    return any(pair.old <= _words(_head(one.text)) for pair in replaces(text))


def _head(words: str) -> str:
    """The thing itself, without what is told of it: of "the dropdown to pick a size" the dropdown."""
    kept: list[str] = []
    for word in _WORD.findall(words):
        if kept and word.lower() in FUNCTION_WORDS:
            break
        if word.lower() not in FUNCTION_WORDS:
            kept.append(word)
    return " ".join(kept)


def _words(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(text) if word.lower() not in FUNCTION_WORDS)
