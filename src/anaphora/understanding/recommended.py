"""Which of several things a reply recommends: "go with that" after "JWT or sessions?" and "JWT fits better"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, takewhile

from anaphora.function_words import FUNCTION_WORDS
from anaphora.ports import Line
from anaphora.types import Span
from anaphora.understanding.choices import Choice
from anaphora.understanding.lexicon import base_verb
from anaphora.understanding.lists import ITEM_WORD, READ_LINE, find_lists
from anaphora.understanding.patterns import any_case

__all__ = ["accepts", "find_recommended"]

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
