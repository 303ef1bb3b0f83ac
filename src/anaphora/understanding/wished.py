"""What kind of thing a short text says that an intent may be found in: an order, a question or a report, and whether it
wants the thing, its undoing, or something else done with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from anaphora.function_words import word_set
from anaphora.understanding.lexicon import base_verb
from anaphora.understanding.patterns import any_case, expression
from anaphora.understanding.text import straight

__all__ = ["Wish", "orders_by_pronoun", "wish_in", "without_additions"]

Kind = Literal["order", "question", "report", "other"]

_LEAD = (
    r"\W{0,20}(?:(?:ok(?:ay)?|so|and|but|now|then|well|right|great|good|perfect|thanks|thank you|please|pls|just|also|"
    r"hey|hi|hello|yes|yeah|finally|first|next|quickly|kindly|actually)[\s,.!:;–—-]+){0,4}"
)
_ASKS_FOR = (
    r"(?:(?:can|could|would|will|should|shall|may|might) (?:you|we|i|someone|somebody)"
    r"(?: please| now| just| also| all)*|"
    r"let'?s|let (?:us|me)|(?:i|we)(?:'d| would)? (?:like|love|want|need|have|wish)(?: you| us| me| it)?(?: to)?|"
    r"(?:we|you) (?:should|must|can|could|may)|i'd like(?: you)?(?: to)?|(?:it's |it is )?time to|go ahead and|go and|"
    r"would you mind|do you mind|mind|how about|why don't (?:you|we)|i am ready to|i'm ready to|ready to|try to|"
    r"make sure (?:to|you)|remember to|don't forget to|do)"
)
_WANTS = any_case(rf"{_LEAD}(?:{_ASKS_FOR}\b[\s,]*(?:please |now |just |also )*)(?P<rest>.*)")
_BEGINS = any_case(rf"{_LEAD}(?P<rest>.*)")
_REFUSES = any_case(
    r"\b(?:do not|don'?t(?! (?:forget|you))|must not|mustn't|should not|shouldn't|never|not yet|no need|"
    r"let'?s not|(?:better|rather) not|(?:i|we) (?:won't|will not|can't|cannot)|hold off|call off|"
    r"stop|cancel|abort|postpone|avoid|undo|revert|reverse|undeploy|unpublish|rollback|"
    r"(?:roll|tak|bring|put)(?:e|ing|ed|ting)? (?:[\w'-]+ ){0,4}back)\b|^\W*not\b"
)
_QUESTION = any_case(
    rf"{_LEAD}(?:what|why|how|when|where|which|who|whose|is|are|am|was|were|does|did|has|have|had|isn't|aren't|"
    r"doesn't|didn't|hasn't|do (?:we|i|they|you)|can (?:it|this|that|they|the)|"
    r"(?:could|would|will|should) (?:it|this|that|they|the))(?:'s|'re|'d|'ll)?\b"
)
_REPORT = any_case(
    rf"{_LEAD}(?:the|our|my|your|this|that|these|those|it|we|they|he|she|i|you|everything|nothing|something|someone|"
    r"[a-z]+s)(?:'s|'re|'ve|'d)?\b[^?]*?(?:'s|'re|'ve|\b(?:is|are|was|were|has|have|had|did|does|got|gets|went|goes|"
    r"seems?|looks?|took|takes|broke|ran|runs|[a-z]{2,}(?:ed|fails|crashes|works|stops|hangs|times out)))\b"
)
_FAILS = any_case(r"\b(?:fails|failed|failing|crashes|crashed|broke|hangs|succeeded|finished|times out|fires)\b")
_TAKES_OBJECT = any_case(
    r"(?!(?:the|an?|my|our|your|this|that|it|its|we|they|he|she|i|you|no|all|so|in|on|at|for|of|with)\b)"
    r"[a-z]+ (?:an?|the|it|this|that|my|our|your|me|us|them|everything|all)\b"
)
_PRONOUN = any_case(r"\b(?:it|this|that|them|these|those|so|one|ones|again|same|all|everything|back)\b")
_ADDED = expression(r"\s*\([^()]*\)")
# what is done with a thing where something else than the thing itself is wanted
_OTHER_WORK = word_set(
    "delete remove write rewrite test close add fix repair rename explain document describe review refactor debug "
    "comment uninstall disable edit draft read check verify show list log monitor measure benchmark design discuss "
    "summarise summarize compare improve style mock lint format print count estimate implement develop code program "
    "investigate analyse analyze inspect clean optimise optimize simplify extract split merge sort hide paint shorten "
    "study learn research translate migrate configure validate track wrap cache build"
)


@dataclass(frozen=True, slots=True)
class Wish:
    """A short text, as far as it tells whether an intent may be meant: its kind, the verb that it begins with, and
    whether it refuses something or wants it undone."""

    kind: Kind
    verb: str | None
    refuses: bool

    def fits(self, taught: Sequence[Wish]) -> bool:
        """Whether it may want what the examples want: not the contrary of it, and no question or report where all of
        them are orders."""
        if self.refuses and not any(example.refuses for example in taught):
            return False
        return self.kind in ("order", "other") or self.kind in {example.kind for example in taught}

    def turns_away(self, taught: Sequence[Wish]) -> bool:
        """Whether it begins with a verb that asks for other work than any example does."""
        return self.verb in _OTHER_WORK and self.verb not in {example.verb for example in taught}


def wish_in(text: str) -> Wish:
    """What kind of thing the text says."""
    said = straight(" ".join(text.split()))
    wants = _WANTS.match(said)
    rest = (wants or _BEGINS.match(said) or {"rest": said})["rest"]
    first = rest.split(maxsplit=1)[0].strip(".,;:!?").lower() if rest.strip() else ""
    verb = base_verb(first) if first else None
    refuses = _REFUSES.search(said) is not None
    if wants is not None or (verb == first and verb is not None and not _REPORT.match(said)):
        return Wish("order", verb if verb else first, refuses)
    if _QUESTION.match(said):
        return Wish("question", None, refuses)
    if _TAKES_OBJECT.match(rest) and not first.endswith("s"):
        return Wish("order", verb or first, refuses)
    if _REPORT.match(said) or _FAILS.search(said):
        return Wish("report", None, refuses)
    if first in _OTHER_WORK:
        return Wish("order", first, refuses)
    return Wish("question" if said.endswith("?") else "other", first or None, refuses)


def orders_by_pronoun(said: str) -> bool:
    """Whether the text asks for something by words that point back: "do it", "ship that"."""
    return wish_in(said).kind == "order" and _PRONOUN.search(said) is not None


def without_additions(expanded: str, said: str) -> str:
    """What an expansion put beside the words in brackets is no part of them."""
    return expanded if "(" in said else _ADDED.sub("", expanded)
