"""Which memories fit a query: its words against each message's, weighed by a scope's own statistics."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from anaphora.ports import Corpus, Posting

__all__ = ["bm25", "query_terms", "stem", "terms_of"]

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_STOP = frozenset(
    [
        "a",
        "an",
        "the",
        "and",
        "or",
        "but",
        "if",
        "of",
        "to",
        "in",
        "on",
        "at",
        "for",
        "from",
        "by",
        "with",
        "as",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "am",
        "it",
        "its",
        "this",
        "that",
        "these",
        "those",
        "i",
        "me",
        "my",
        "we",
        "our",
        "us",
        "you",
        "your",
        "he",
        "she",
        "they",
        "them",
        "his",
        "her",
        "their",
        "do",
        "does",
        "did",
        "have",
        "has",
        "had",
        "will",
        "would",
        "can",
        "could",
        "should",
        "not",
        "no",
        "so",
        "than",
        "then",
        "there",
        "here",
        "just",
        "about",
        "into",
        "over",
        "what",
        "which",
        "who",
        "whom",
        "when",
        "where",
        "why",
        "how",
        "please",
        "tell",
        "remind",
        "i'm",
        "i'd",
        "i'll",
        "i've",
        "it's",
        "that's",
        "don't",
        "didn't",
    ]
)
_LONGEST = 64  # a longer run of letters is data, not a word
_K1, _B = 1.2, 0.75
_INDEXED_CHARS = 100_000  # of one message


def terms_of(text: str) -> Mapping[str, int]:
    """The index terms of a text, each with how often it occurs: lower case, stemmed, identifiers split."""
    found: Counter[str] = Counter()
    for match in _TOKEN.finditer(text[:_INDEXED_CHARS]):
        word = match[0].replace("’", "'")
        parts = _HUMP.split(word) if not word.islower() else [word]
        for part in [word, *parts] if len(parts) > 1 else parts:
            low = part.lower()
            if low not in _STOP and len(low) <= _LONGEST:
                found[stem(low)] += 1
    return found


def query_terms(query: str) -> list[str]:
    """What to look for: the query's terms, or, where it has none but small words, those."""
    return list(terms_of(query))


def stem(word: str) -> str:
    """A word without its common endings, so that "buttons" finds "button" and "validating" finds "validate"."""
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    if word.endswith("'s"):
        word = word[:-2]
    for ending, least in (("ational", 3), ("ations", 3), ("ation", 3), ("ingly", 3), ("edly", 3), ("ments", 4)):
        if word.endswith(ending) and len(word) - len(ending) >= least:
            return word[: -len(ending)]
    for ending, least in (("ies", 2), ("ing", 3), ("ed", 3), ("es", 3), ("ment", 4), ("ly", 3), ("s", 3), ("e", 3)):
        if word.endswith(ending) and len(word) - len(ending) >= least and not word.endswith("ss"):
            left = word[: -len(ending)]
            left = left + "y" if ending == "ies" else left
            left = left[:-1] if ending in ("ing", "ed") and left[-1] == left[-2] and left[-1] not in "ls" else left
            return (
                left[:-1] if ending in ("ing", "ed", "es", "s") and left.endswith("e") and len(left) > 3 else _at(left)
            )
    return _at(word)


def _at(word: str) -> str:
    """ "validate" and "validation" meet in "valid"."""
    return word[:-2] if word.endswith("at") and len(word) > 5 else word


def bm25(postings: Mapping[str, Sequence[Posting]], corpus: Corpus) -> dict[int, dict[str, float]]:
    """For each message that holds a term, by sequence number, what each term gives it."""
    average = corpus.terms / corpus.messages if corpus.messages else 1.0
    scores: dict[int, dict[str, float]] = {}
    for term, found in postings.items():
        if not found:
            continue
        rarity = math.log(1 + (corpus.messages - len(found) + 0.5) / (len(found) + 0.5))
        for posting in found:
            damp = _K1 * (1 - _B + _B * posting.length / average)
            scores.setdefault(posting.seq, {})[term] = rarity * posting.times * (_K1 + 1) / (posting.times + damp)
    return scores
