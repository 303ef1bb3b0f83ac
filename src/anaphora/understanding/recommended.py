"""Which of several things is taken: what a reply recommends, where "go with that" comes after "JWT or sessions?", and
what a short answer names itself, as "JWT then" does."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, takewhile
from typing import NamedTuple

from anaphora.function_words import FUNCTION_WORDS
from anaphora.ports import Line
from anaphora.types import Span
from anaphora.understanding.choices import Choice
from anaphora.understanding.clauses import REASON, tidied
from anaphora.understanding.lexicon import base_verb
from anaphora.understanding.lists import ITEM_WORD, READ_LINE, find_lists
from anaphora.understanding.patterns import any_case

__all__ = ["Taking", "accepts", "find_recommended", "left_open", "offers", "taking_in"]

_PAIRS = 4  # that a line may leave open
_LATELY = 4  # lines, of which the last one recommends
_REACH = 4  # lines from the end, of which one must be a reply
_ADVICE = "(?:recommendation|suggestion|proposal|pick|choice|advice)"
_ACCEPTS = any_case(
    r"\W*(?:(?:ok(?:ay)?|alright|right|yes|yeah|yep|sure|great|good|fine|cool|nice|perfect|thanks|thank you|agreed|"
    r"sounds good|makes sense|so|then|and|well|please|just|let's|lets|let us|we'll|we should|i'll|i'd|we|i|can|you)"
    r"\W+)*"
    r"(?:go(?:ing)? (?:ahead )?(?:with|for)|use|take|pick|choose|adopt|try|implement|stick (?:with|to)|switch to|"
    rf"settle on)\s+(?P<it>(?:that|it|this)(?: one| option)?|the one you (?:recommend|suggest)(?:ed)?|your {_ADVICE})"
    r"(?=\s*[.,;!]|\s*$|\s+(?:then|please|pls|for|in|and)\b)"
)
_WORD = r"[\w.+#/-]*[\w+#]"
_OR = any_case(
    rf"((?:{_WORD} ){{0,2}}{_WORD}),? (?:or|vs\.?|versus) (?:(?:a|an|the|use|using|with|try|go with)\s+)*"
    rf"({_WORD}(?: {_WORD}){{0,2}})"
)
_NAMING = any_case(_WORD)
_CLAUSE_END = any_case(r"[.!?;,]+\s|\n|\s+(?:but|though|although|while|whereas|however)\s")
_PREFERS = any_case(
    r"\b(?:recommend|suggest|advise|i'd|i would|prefer|lean(?:ing)? (?:towards?|to)|go with|better|best|fits|wins?|"
    r"winner|(?:right|good|better|safer) (?:choice|option|fit)|makes? (?:more |the most )?sense|preferable)\b"
)
_ADVISES = any_case(r"\b(?:recommend|suggest|advise|i'd|i would|my (?:pick|choice|advice)|go with)\b")
_AGAINST = any_case(r"\b(?:not|never|neither|avoid|against|worse|depends)\b|n't\b")
_OVER = any_case(r"\b(?:over|than|instead of|rather than|because|since|unlike|compared (?:to|with)|if)\b")
_TAKES = any_case(
    r"\W*(?:(?:ok(?:ay)?|alright|right|yes|yeah|yep|sure|great|good|fine|cool|nice|perfect|agreed|sounds good|"
    r"makes sense|so|then|well|hmm+|definitely|i think|i guess|just)\W+)*"
    r"(?P<verb>(?:i'd|i'll|i would|i will|i|let's|lets|we'll|we|please)? ?(?:take|go (?:with|for)|do|use|pick|choose|"
    r"prefer|like|want) )?(?P<x>(?:the |an? )?[^,;:!?\n]{1,80}?)"
    r"(?P<mark>,? (?:then|please|pls|it is|for me|works for me|wins|of course|instead|"
    r"(?:is|fits|looks|sounds|seems) (?:good|fine|better|best|right)))*"
    r"[.! ]*"
)
_LED = any_case(r"\W*(?:ok(?:ay)?|alright|yes|yeah|yep|sure|great|good|fine|cool|perfect|agreed|definitely|just)\b")
_TO_CHOOSE = any_case(
    r"\b(?:should|shall|do you (?:want|prefer|need)|would you|which|what about|prefer|want|rather|like|choose|pick)\b|"
    r"^\W*(?!(?:are|is|was|were|do|does|did|has|have|had|can|could|will|if|when)\b)[\w.+#/ -]{1,40} or "
    r"[\w.+#/ -]{1,40}\?"
)
_OFFERS = any_case(
    r"\b(?:options?|alternatives?|could|can use|either|choose|pick|prefer|approaches|choices|candidates|ways|or)\b"
)


def offers(line: str) -> bool:
    """Whether a line leaves something to choose, rather than listing what is so or asking for it."""
    wording = _TO_CHOOSE if "?" in line else _OFFERS
    return wording.search(line[:READ_LINE]) is not None


class Taking(NamedTuple):
    """What a short answer takes, in its own words, and why; `marked` where it says that it takes it."""

    named: str
    because: str | None
    marked: bool


def taking_in(text: str) -> Taking | None:
    """What an answer that does nothing else takes: "cards" in "ok, cards then because they wrap"."""
    said = text.replace("’", "'").strip()
    reason = REASON.search(said)
    found = _TAKES.fullmatch(said[: reason.start()] if reason else said)
    if found is None:
        return None
    marked = bool(found["verb"] or found["mark"] or _LED.match(said))
    return Taking(found["x"].strip(), (tidied(said[reason.end() :]) or None) if reason else None, marked)


def left_open(taking: Taking, lines: Sequence[Line]) -> tuple[str, ...]:
    """The things that were left open just before, where what is taken is one of them: tabs and cards where "tabs or
    cards?" was asked and "cards" is taken. A bare name answers only what was asked last."""
    if not _words(taking.named):
        return ()
    for number in range(len(lines))[: -_LATELY - 1 : -1]:
        line, last = lines[number], number == len(lines) - 1
        asks = "?" in line.text
        if not offers(line.text) or (line.mine and (last or not asks)):
            continue
        if taking.marked or (asks and last):
            for places in _alternatives(line.text[:READ_LINE]):
                names = tuple(line.text[slice(*place)] for place in places)
                if _is_one_of(taking.named, names):
                    return names
    return ()


def _is_one_of(said: str, names: Sequence[str]) -> bool:
    words = [_words(name) for name in names]
    return len(words) > 1 and [w == _words(said) for w in words].count(True) == 1


def accepts(text: str) -> Span | None:
    """The place of the words that stand for one thing that is taken: "that" in "ok, let's go with that"."""
    found = _ACCEPTS.match(text.replace("’", "'"))
    return found.span("it") if found else None


def find_recommended(text: str, lines: Sequence[Line]) -> tuple[Choice, ...]:
    """What the reply just before recommends of the alternatives that it was asked about, or that it names itself, where
    the message takes it over and that is clear."""
    span = accepts(text)
    last = next((n for n in range(len(lines))[:-_REACH:-1] if not lines[n].mine), None)
    if span is None or last is None:
        return ()
    reply = lines[last].text[:READ_LINE]
    for number in range(last + 1)[-_LATELY:]:
        asked = lines[number].text[:READ_LINE]
        for places in _alternatives(asked):
            chosen = _preferred(reply, [asked[slice(*place)] for place in places])
            if chosen is not None:
                return (_choice(text, span, lines[: last + 1], (number, places[chosen])),)
    return ()


def _alternatives(asked: str) -> list[tuple[Span, ...]]:
    """The things that a line leaves open: those of a list, and the two beside an "or"."""
    beside = (
        (_name(asked, *found.span(1), back=True), _name(asked, *found.span(2), back=False))
        for found in islice(_OR.finditer(asked), _PAIRS)
    )
    return [*(found.items for found in find_lists(asked)), *beside]


def _name(asked: str, start: int, end: int, *, back: bool) -> Span:
    """Of the words on one side of "or" those that name something, up to the first one that does not."""
    words = list(_NAMING.finditer(asked, start, end))
    if back:
        words.reverse()
    naming = list(takewhile(lambda w: w[0].lower() not in FUNCTION_WORDS and not base_verb(w[0].lower()), words))
    spans = [word.span() for word in naming or words[:1]]
    return min(spans)[0], max(spans)[1]


def _preferred(reply: str, names: Sequence[str]) -> int | None:
    """The one that clauses of the reply speak for, or the only one that it names."""
    words = [_words(name) for name in names]
    own = [said - set[str]().union(*(other for other in words if other is not said)) for said in words]
    clauses = _CLAUSE_END.split(reply)
    advised = {place for clause in clauses if _ADVISES.search(clause) for place in _praised(clause, own)}
    praised = advised or {place for clause in clauses for place in _praised(clause, own)}
    named = {place for place, said in enumerate(own) if said & _words(reply)}
    found = praised or (named if not _AGAINST.search(reply) else set[int]())
    return found.pop() if len(found) == 1 else None


def _praised(clause: str, own: Sequence[frozenset[str]]) -> list[int]:
    if not _PREFERS.search(clause) or _AGAINST.search(clause):
        return []
    over = _OVER.search(clause)
    said = _words(clause[: over.start()] if over else clause)
    return [place for place, words in enumerate(own) if words & said]


def _words(said: str) -> frozenset[str]:
    words = [word.lower() for word in ITEM_WORD.findall(said)]
    return frozenset(word.rstrip("s") for word in words if word not in FUNCTION_WORDS)


def _choice(text: str, span: Span, lines: Sequence[Line], place: tuple[int, Span]) -> Choice:
    name = lines[place[0]].text[slice(*place[1])]
    at = lines[-1].text.find(name)
    referent = (len(lines) - 1, (at, at + len(name))) if at >= 0 else place
    return Choice(span, text[slice(*span)], (referent,), name, "what the reply just before recommends")
