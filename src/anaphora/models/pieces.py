"""A text as the pieces that the models read: bounded in length, each piece with its place in the text.

The word pieces of BERT (uncased), exactly; written out here because the usual library brings a network client along.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import accumulate, chain, islice

import numpy as np
from numpy.typing import NDArray

from anaphora.errors import MissingExtra
from anaphora.types import Span

__all__ = ["HEAD", "LONGEST", "Pieces", "forget_words", "in_a_row", "pieces_of"]

LONGEST = 96  # pieces that are read of one message, its two marks included
HEAD = 64  # of them from its beginning; the rest from its end
_VOCABULARY = 30_522  # words and pieces of words
_READ = 4_000  # characters looked at from either end
_SHORT = 1000  # characters of a text whose pieces are kept for a while
_LONGEST_WORD = 100  # what is longer is not a word
_ASCII_WORD = re.compile(r"[A-Za-z0-9]+|[!-/:-@\[-`{-~]")
_SPACE = re.compile(r"[ \n]")
_PLAIN = re.compile(r"[\t\n\r -~]*")
_CJK = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


@dataclass(frozen=True, slots=True)
class Pieces:
    """`spans` are places in the text; the marks at both ends have none."""

    ids: tuple[int, ...]
    spans: tuple[Span, ...]

    def __len__(self) -> int:
        return len(self.ids)


def pieces_of(text: str, longest: int = LONGEST, head: int = HEAD) -> Pieces:
    """The beginning and the end of a text that is too long; all of one that is not."""
    found = list(islice(_of_short(text) if len(text) <= _SHORT else _of_both_ends(text), longest - 1))
    if len(found) + 2 > longest:
        found = [*found[: head - 1], *_last(text, longest - head - 1)]
    vocabulary = _vocabulary()
    ids = (vocabulary["[CLS]"], *(one for one, _ in found), vocabulary["[SEP]"])
    return Pieces(ids, ((0, 0), *(span for _, span in found), (0, 0)))


def in_a_row(texts: Sequence[Pieces]) -> dict[str, NDArray[np.int64]]:
    """Several texts as a network takes them: the pieces of all, where each text begins and where the last one ends."""
    bounds = accumulate((len(text) for text in texts), initial=0)
    return {
        "ids": np.fromiter(chain.from_iterable(text.ids for text in texts), np.int64),
        "bounds": np.fromiter(bounds, np.int64),
    }


@lru_cache(64)
def _of_short(text: str) -> tuple[tuple[int, Span], ...]:
    """The reader and the embedder take the same texts apart, one soon after the other."""
    return tuple(_pieces(text, 0))


def _of_both_ends(text: str) -> Iterator[tuple[int, Span]]:
    if len(text) <= 2 * _READ:
        return _pieces(text, 0)
    tail = len(text) - _READ
    return chain(_pieces(text[:_READ], 0), _pieces(text[tail:], tail))


def _last(text: str, count: int) -> list[tuple[int, Span]]:
    """The last pieces: words do not cross white space, so that it is enough to read from there on."""
    reach = 8 * count
    while reach < min(len(text), _READ):
        start = len(text) - reach
        space = _SPACE.search(text, start)
        found = list(_pieces(text[space.end() :], space.end())) if space else []
        if len(found) >= count:
            return found[-count:]
        reach *= 2
    return list(_of_both_ends(text))[-count:]


def _pieces(text: str, offset: int) -> Iterator[tuple[int, Span]]:
    if _PLAIN.fullmatch(text):
        for match in _ASCII_WORD.finditer(text):
            at = match.start() + offset
            for piece, start, end in _of_word(match[0].lower()):
                yield piece, (at + start, at + end)
        return
    for word, places in _words(text):
        for piece, start, end in _of_word(word):
            yield piece, (places[start] + offset, places[end - 1] + 1 + offset)


def _words(text: str) -> Iterator[tuple[str, list[int]]]:
    """Each word in lower case without accents, with the place of each of its characters."""
    word, places = "", list[int]()
    for at, character in enumerate(text):
        kind = _kind(character)
        if kind == "dropped":
            continue
        if kind in ("space", "alone") and word:
            yield word, places
            word, places = "", []
        if kind == "alone":
            yield from ((c, [at]) for c in _bare(character))
        elif kind == "letter":
            bare = _bare(character)
            word += bare
            places += [at] * len(bare)
    if word:
        yield word, places


@lru_cache(4096)
def _kind(character: str) -> str:
    category = unicodedata.category(character)
    if character in "\t\n\r" or category == "Zs":
        return "space"
    if character in "\x00�" or category.startswith("C"):
        return "dropped"
    code = ord(character)
    marks = 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126
    if marks or category.startswith("P") or any(low <= code <= high for low, high in _CJK):
        return "alone"
    return "letter"


@lru_cache(4096)
def _bare(character: str) -> str:
    apart = unicodedata.normalize("NFD", character)
    return "".join(c for c in apart if unicodedata.category(c) != "Mn").lower()


def forget_words() -> None:
    """Keep nothing of the texts and words that were taken apart."""
    _of_short.cache_clear()
    _of_word.cache_clear()


@lru_cache(8192)
def _of_word(word: str) -> tuple[tuple[int, int, int], ...]:
    """The longest known beginning, then the longest known continuation, and so on: (piece, start, end)."""
    vocabulary = _vocabulary()
    unknown = ((vocabulary["[UNK]"], 0, len(word)),)
    if len(word) > _LONGEST_WORD:
        return unknown
    found = []
    start = 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = vocabulary.get(("##" if start else "") + word[start:end])
            if piece is not None:
                break
        else:
            return unknown
        found.append((piece, start, end))
        start = end
    return tuple(found)


@cache
def _vocabulary() -> dict[str, int]:
    try:
        lines = (files("anaphora.models") / "weights" / "vocabulary.txt").read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise MissingExtra("The words of the models cannot be read.", remedy="Install anaphora again.") from error
    found = {piece: number for number, piece in enumerate(lines) if piece}
    if len(found) != _VOCABULARY:
        raise MissingExtra("The words of the models are damaged.", remedy="Install anaphora again.")
    return found
