"""Intents of the user's own: taught by a few examples, known again by their nearness in meaning."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from anaphora.ports import Embedder
from anaphora.types import Intent, OwnIntent
from anaphora.understanding.clauses import own_sentences
from anaphora.understanding.lexicon import base_verb
from anaphora.understanding.patterns import expression
from anaphora.understanding.wished import Wish, orders_by_pronoun, wish_in, without_additions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Prototypes", "Taught", "parts_of", "prototypes_of", "ranked"]

_NEAREST = 2  # examples that a text is compared with: one alone may be near by chance
_LEAST, _MORE, _LEAST_AT_MOST, _MOST = 0.28, 0.01, 0.38, 0.44  # bounds of the nearness from which an intent applies
_SCALE = 0.05  # of nearness: so much more of it, and the doubt is down to a third
_VERY_NEAR = 0.28  # so much nearer than it must be, and it may begin with another verb
_SUPPORTED = 0.12  # so much farther the words may be as they were said, where the expanded ones are near
_DOUBT = 0.4  # where it is just near enough
_SUREST = 0.99
_PARTS = 4  # of a message that are read, the first and the last: what is embedded must be bounded
_PART, _WHOLE, _LONGEST_WHOLE = 120, 160, 600  # characters
_AND = expression(r",?\s+(?:and then|and also|and|then)\s+(?:please\s+|also\s+)?(?=([A-Za-z]+))", re.IGNORECASE)


@dataclass(frozen=True, slots=True, eq=False)
class Prototypes:
    """An intent with its examples as unit rows, and how near to them a text must be."""

    intent: OwnIntent
    rows: NDArray[np.float32]
    threshold: float
    wishes: tuple[Wish, ...] = ()

    def confidence(self, vector: NDArray[np.float32]) -> float | None:
        """How sure it is that a text with this direction wants it: more, the nearer it is; None if it does not."""
        beyond = self.beyond(vector)
        return None if beyond < 0 else min(_SUREST, round(1 - _DOUBT * math.exp(-beyond / _SCALE), 2))

    def beyond(self, vector: NDArray[np.float32]) -> float:
        """How much nearer a text with this direction is than it must be."""
        return _nearness((self.rows @ vector).tolist()) - self.threshold

    def may_want(self, wish: Wish, vector: NDArray[np.float32]) -> bool:
        """Whether a text that says this, in this direction, may want it: not its contrary, no report of it, and no
        other work on the same thing, unless it is very near."""
        if not wish.fits(self.wishes):
            return False
        return not wish.turns_away(self.wishes) or self.beyond(vector) >= _VERY_NEAR


@dataclass(frozen=True, slots=True)
class Taught:
    """All that a user taught, ready to be looked for in a message."""

    embedder: Embedder
    prototypes: tuple[Prototypes, ...]

    def intents_in(self, expanded: str, said: str) -> tuple[Intent, ...]:
        """Those that apply to a message, or to a part of it, the surest first."""
        longest = max(len(example) for one in self.prototypes for example in one.intent.examples)
        parts = parts_of(expanded, said, longest)
        vectors = self.embedder.embed(parts)
        wishes = _wishes(parts, expanded, said)
        found = []
        for one in self.prototypes:
            allowed = [
                [one.may_want(wish, vector) for wish in each] for each, vector in zip(wishes, vectors, strict=True)
            ]
            sure = [
                confidence
                for vector, may in zip(vectors, allowed, strict=True)
                if all(may) and (confidence := one.confidence(vector)) is not None
            ]
            if sure and self._in_own_words(one, expanded, said, parts, vectors):
                found.append(Intent(one.intent.name, max(sure), one.intent.route))
        return tuple(sorted(found, key=lambda intent: -intent.confidence))

    def _in_own_words(
        self, one: Prototypes, expanded: str, said: str, parts: list[str], vectors: NDArray[np.float32]
    ) -> bool:
        """Whether the words as they were said come near it too, or order by a pronoun what the expansion names."""
        own = " ".join(said.split())
        if expanded == said or own not in parts or orders_by_pronoun(said):
            return True
        return one.beyond(vectors[parts.index(own)]) >= -_SUPPORTED


def _wishes(parts: Sequence[str], expanded: str, said: str) -> list[list[Wish]]:
    """For each part what it says. A message of one request says what it says in its own words; in one of several none
    of them may speak against the whole."""
    asked = [part for sentence, _ in own_sentences(said) for part in _requests(sentence)] or [said]
    each = [wish_in(part) for part in asked[: 2 * _PARTS]]
    if len(asked) == 1:
        return [each for _ in parts]
    wholes = {" ".join(text.split()) for text in (expanded, said)}
    return [each if part in wholes else [wish_in(without_additions(part, said))] for part in parts]


def prototypes_of(intent: OwnIntent, rows: NDArray[np.float32]) -> Prototypes:
    """Learn from the examples how near they are to each other: that near another text must be. `rows` are theirs."""
    from statistics import fmean, pstdev  # here, since it takes time to load, and few teach any

    alike: list[list[float]] = (rows @ rows.T).tolist()
    left_out = [_nearness([*row[:i], *row[i + 1 :]]) for i, row in enumerate(alike)]
    least = min(_LEAST_AT_MOST, _LEAST + _MORE * len(alike))  # of many examples some are near to anything
    threshold = min(_MOST, max(least, fmean(left_out) - pstdev(left_out)))
    return Prototypes(intent, rows, threshold, tuple(map(wish_in, intent.examples)))


def parts_of(expanded: str, said: str, longest_example: int = 0) -> list[str]:
    """What is compared with the examples: each thing that is said or asked for and, where it is short, the whole.

    The whole as it was said counts too: what an expansion adds may lead away from the words that were taught."""
    room = max(_WHOLE, min(longest_example, _LONGEST_WHOLE))
    requests = [part for sentence, _ in own_sentences(expanded) for part in _requests(sentence)]
    parts = [part[:_PART] for part in requests if len(part.split()) > 1]
    if len(parts) > _PARTS:
        parts = [*parts[: _PARTS // 2], *parts[-_PARTS // 2 :]]
    wholes = [" ".join(text.split()) for text in (expanded, said) if len(text) <= room]
    return list(dict.fromkeys((*wholes, *parts))) or [" ".join(expanded.strip()[:room].split())]


def ranked(built_in: Sequence[Intent], own: Sequence[Intent]) -> tuple[Intent, ...]:
    """Both together by confidence, the built-in ones in the order that they have; of equals the user's own first."""
    found = [intent for intent in built_in if intent.name != "unknown"] if own else list(built_in)
    for intent in reversed(own):
        place = next((i for i, other in enumerate(found) if other.confidence <= intent.confidence), len(found))
        found.insert(place, intent)
    return tuple(found)


def _nearness(likenesses: Sequence[float]) -> float:
    from statistics import fmean

    return fmean(sorted(likenesses)[-_NEAREST:])


def _requests(sentence: str) -> list[str]:
    """ "Deploy it and open a ticket" asks for two things."""
    parts, begun = [], 0
    for joint in _AND.finditer(sentence):
        if base_verb(joint[1].lower()) is not None:
            parts.append(sentence[begun : joint.start()].strip())
            begun = joint.end()
    return [*parts, sentence[begun:].strip()]
