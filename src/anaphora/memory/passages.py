"""A text in pieces that each say one thing: sentences and lines, joined up to a length that an embedder reads whole."""

from __future__ import annotations

from itertools import pairwise

from anaphora.types import Span
from anaphora.understanding.once import once
from anaphora.understanding.patterns import expression

__all__ = ["LONGEST", "MOST", "pieces_of"]

LONGEST = 500  # characters of a piece, some 120 tokens: less tears apart, more blurs what is said
MOST = 24  # pieces of one text; what comes after them is found by its words
_END = expression(r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？])|\n+")


@once
def pieces_of(text: str) -> tuple[Span, ...]:
    """The places of the pieces, in order; at least one. The same text always gives the same pieces."""
    found: list[Span] = []
    for start, end in _sentences(text[: LONGEST * MOST]):
        if found and end - found[-1][0] <= LONGEST:
            found[-1] = (found[-1][0], end)
        else:
            found += _cut(text, start, end)
    return tuple(found[:MOST]) or ((0, len(text)),)


def _sentences(text: str) -> list[Span]:
    """Sentences and lines with something in them, without the space around them."""
    edges = [0, *(match.end() for match in _END.finditer(text)), len(text)]
    found = []
    for start, end in pairwise(edges):
        said = text[start:end]
        if said.strip():
            found.append((start + len(said) - len(said.lstrip()), end - len(said) + len(said.rstrip())))
    return found


def _cut(text: str, start: int, end: int) -> list[Span]:
    """A sentence that is too long, at its spaces where it has any."""
    found = []
    while end - start > LONGEST:
        space = text.rfind(" ", start + LONGEST // 2, start + LONGEST)
        cut = space if space > start else start + LONGEST
        found.append((start, cut))
        start = cut + len(text[cut:end]) - len(text[cut:end].lstrip())
    return [*found, (start, end)]
