"""The words that a text is found by: in lower case, stemmed, identifiers taken apart, question words left out."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from unicodedata import normalize

from anaphora.understanding.once import when_forgotten
from anaphora.understanding.patterns import expression

__all__ = ["is_slip", "stem", "terms_of", "words_for"]

_TOKEN = expression(r"[^\W_]+(?:['’][^\W_]+)*")
_HUMP = expression(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SIGNS = expression("([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+)")  # Chinese, Japanese, Korean


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_STOP = _set(
    "a an the and or but if of to in on at for from by with as is are was were be been am it its this that these "
    "those i me my we our us you your he she they them his her their do does did have has had will would can "
    "could should not no so than then there here just about into over what which who whom when where why how "
    "please tell remind i'm i'd i'll i've it's that's don't didn't"
)
_LONGEST = 64  # a longer run of letters is data, not a word
_INDEXED_CHARS = 100_000  # of one message


def terms_of(text: str) -> Mapping[str, int]:
    """The index terms of a text, each with how often it occurs: lower case, stemmed, identifiers split."""
    counts: dict[str, int] = {}
    for run in _runs(text):
        for term in _known_terms(run) if len(run) <= _LONGEST else _terms(run):
            counts[term] = counts.get(term, 0) + 1
    return counts


def words_for(terms: Collection[str], text: str) -> Mapping[str, str]:
    """For each of the terms that a text holds the first word in it, in lower case, that it stands for."""
    whole = normalize("NFC", text[:_INDEXED_CHARS])
    low = whole.lower()
    found = {}
    for term in terms:
        for part in _parts_with(term, whole, low):
            word = _known_form(term, part) if len(part) <= _LONGEST else _form(term, part)
            if word is not None:
                found[term] = word
                break
    return found


def is_slip(typed: str, word: str) -> bool:
    """Whether one slip of a finger makes the one of the other: a letter too many, too few, another one, or two in the
    wrong order; but not the first."""
    if typed == word or typed[:1] != word[:1] or abs(len(typed) - len(word)) > 1:
        return False
    at = next((i for i, (one, other) in enumerate(zip(typed, word, strict=False)) if one != other), len(typed))
    if len(typed) != len(word):
        longer, shorter = sorted((typed, word), key=len, reverse=True)
        at = min(at, len(shorter))
        return longer[at + 1 :] == shorter[at:]
    swapped = typed[at : at + 2] == word[at : at + 2][::-1]
    return typed[at + 1 :] == word[at + 1 :] or (swapped and typed[at + 2 :] == word[at + 2 :])


def _form(term: str, part: str) -> str | None:
    """The first word in a part of a text that a term stands for."""
    for run in _TOKEN.findall(part):
        known = len(run) <= _LONGEST
        if term in (_known_terms(run) if known else _terms(run)):
            return next(word for word in (_known_words(run) if known else _words(run)) if stem(word) == term)
    return None


def _parts_with(term: str, text: str, low: str) -> Iterator[str]:
    """Parts of a text, from space to space, with every word in it that the term stands for: all of these begin with the
    term, but for its last letter. `low` is the text in lower case."""
    begins, at = term[:-1], 0
    if not begins.isascii() or len(low) != len(text):  # other letters may have several forms
        yield text
        return
    while (at := low.find(begins, at)) >= 0:
        end = low.find(" ", at)
        yield text[low.rfind(" ", 0, at) + 1 : end if end >= 0 else None]
        if end < 0:
            return
        at = end + 1


def _runs(text: str) -> list[str]:
    """The runs of letters in a text."""
    return _TOKEN.findall(normalize("NFC", text[:_INDEXED_CHARS]))


def _terms(run: str) -> Sequence[str]:
    return [stem(word) for word in _words(run)]


def _words(run: str) -> list[str]:
    """The words in a run of letters that are looked for, in lower case."""
    words = (word.lower() for word in _parts(run.replace("’", "'")))
    return [word for word in words if word not in _STOP and len(word) <= _LONGEST]


_known_terms = lru_cache(maxsize=10_000)(_terms)  # words come back again and again
_known_words = lru_cache(maxsize=10_000)(_words)
_known_form = lru_cache(maxsize=2_000)(_form)  # those that a query asks for stand in all of its hits
when_forgotten(_known_form.cache_clear)
when_forgotten(_known_terms.cache_clear)
when_forgotten(_known_words.cache_clear)


def _parts(run: str) -> Iterator[str]:
    """The words in a run of letters: an identifier and its parts; two signs at a time where no spaces are written."""
    if not run.isascii() and _SIGNS.search(run):
        for piece in _SIGNS.split(run):
            if _SIGNS.match(piece):
                yield from (piece[i : i + 2] for i in range(max(1, len(piece) - 1)))
            elif piece:
                yield from _parts(piece)
        return
    parts = _HUMP.split(run) if not run.islower() else []
    yield run
    if len(parts) > 1:
        yield from parts


# --- stems --------------------------------------------------------------------------------------------------------

_VOWELS = frozenset("aeiouy")
_DOUBLED = frozenset("bdfgmnprt")  # "running" doubles its n; "calling" and "passing" have their two from the start
_ATE = ("ational", "ation", "ating", "ated", "ator", "ate")


@lru_cache(maxsize=10_000)
def stem(word: str) -> str:
    """A word in lower case without its common endings: "buttons" finds "button", "validation" finds "validate".

    What is left need not be a word; it only has to be the same for the forms of one word."""
    word = word.removesuffix("'s")
    if len(word) < 3 or not word.isascii() or not word.isalpha():
        return word
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    word = _without_ing(_without_ate(word))
    if len(word) >= 7 and word.endswith("ly") and word[-3] != "p":
        word = word[:-2]
    if len(word) >= 8 and word.endswith("ment"):
        word = word[:-4]
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    return word[:-1] + "i" if word[-1] == "y" and word[-2] not in _VOWELS else word


when_forgotten(stem.cache_clear)


def _without_ate(word: str) -> str:
    """ "validate", "validating", "validator" and "validation" meet in "valid"; "create" and "creation" in "creat"."""
    for ending in _ATE:
        left = word.removesuffix(ending)
        if 3 <= len(left) < len(word):
            return left if len(left) > 3 and left[-1] not in "eo" else left + "at"
    return word


def _without_ing(word: str) -> str:
    """As often as there is one: "embedded" meets "embed", which looks as if it had an ending itself."""
    for ending in ("ing", "ed"):
        left = word.removesuffix(ending)
        if 3 <= len(left) < len(word) and not _VOWELS.isdisjoint(left) and not word.endswith("eed"):
            doubled = len(left) > 3 and left[-1] == left[-2] and left[-1] in _DOUBLED
            return _without_ing(left[:-1] if doubled else left)
    return word
