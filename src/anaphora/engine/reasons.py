"""Hits with their reasons: by which words a memory was found, as it says them, and which piece of a long one fits."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from anaphora.engine.embedding import ALSO
from anaphora.engine.fragments import Fragments
from anaphora.memory.passages import LONGEST, pieces_of
from anaphora.memory.ranking import LEAST_ALIKE, Fit, Ranked
from anaphora.memory.terms import terms_of, words_for
from anaphora.ports import Found, Posting
from anaphora.types import Hit, Message, Span
from anaphora.understanding.patterns import expression

__all__ = ["Reasons"]

_WORDS_SAID = 4  # words that a reason names
_ALIKE = 0.3  # from here on a reason speaks of likeness
_CLOSE = 0.5  # from here on the piece is the one that is close in meaning, whatever words it has
_EXCERPT = 600  # characters in which the words of a reason are looked for first
_FIGURE = expression(r"\b\w+(?:[.:/,-]\w+)+")
_FIGURES = 1000  # of a text that are looked at
_PART = 3  # letters and digits of what may be a part of a number: of "v2.3.1"


class Reasons:
    """What is told of the memories that one query found."""

    def __init__(self, found: Found, terms: Mapping[str, float], fragments: Fragments) -> None:
        self._postings, self._terms, self._fragments = found.postings, terms, fragments
        self._rarest = sorted(terms, key=lambda term: (len(found.postings[term]), term))

    def hit(self, one: Ranked) -> Hit:
        message, fit = one.message, one.fit
        held = self._held(message.seq) if fit.words else []
        span = _span(message, fit, held[:_WORDS_SAID])
        fragment = message.id if message.seq < 0 else None
        why = ", ".join([*self._told(message, fit, held, span), *one.reasons])
        return Hit(
            text=message.text,
            score=round(one.score, 4),
            why="; ".join(part for part in (one.caveat, why) if part),
            at=message.at,
            message_id=None if fragment else message.id,
            fragment_id=fragment,
            role=message.role,
            speaker=message.speaker,
            conversation_id=message.conversation_id,
            expanded=message.expanded,
            span=span,
            alike=None if fit.alike is None else round(fit.alike, 4),
            past=one.past,
        )

    def _told(self, message: Message, fit: Fit, held: Sequence[str], span: Span | None) -> Iterable[str]:
        if fit.words:
            if all(self._terms[term] == ALSO for term in held):
                yield "for an open goal"
            said, meant = _said(message, held[:_WORDS_SAID], span)
            yield from [f"it {verb} {_quoted(words)}" for verb, words in (("says", said), ("means", meant)) if words]
        if fit.alike is not None and fit.alike >= _ALIKE:
            yield f"close in meaning ({fit.alike:.2f})"
        elif not fit.words and fit.alike is not None and fit.alike >= LEAST_ALIKE:
            yield f"a little like it ({fit.alike:.2f})"

    def _held(self, seq: int) -> list[str]:
        """The terms of the query that it holds, the rarest first."""
        if seq < 0:
            return [term for term in self._rarest if self._fragments.holds(seq, term)]
        return [term for term in self._rarest if _holds(self._postings[term], seq)]


def _said(message: Message, rarest: Sequence[str], span: Span | None) -> tuple[list[str], list[str]]:
    """The terms that it was found by, as it says them; and those that it says only as it was understood."""
    if message.expanded is None:
        first = message.text[:_EXCERPT] if span is None else message.full[slice(*span)]
        forms = _forms(rarest, first, message.text)
        return [*dict.fromkeys(forms.get(term, term) for term in rarest)], []
    forms = _forms(rarest, message.text)
    meant = [term for term in rarest if term not in forms]
    in_full = _forms(meant, message.expanded[:_EXCERPT], message.expanded)
    said = dict.fromkeys(forms[term] for term in rarest if term in forms)
    return [*said], [*dict.fromkeys(in_full.get(term, term) for term in meant)]


def _forms(terms: Sequence[str], *texts: str) -> dict[str, str]:
    """Each of the terms that the texts hold as the first of them that holds it says it."""
    found: dict[str, str] = {}
    for text in texts:
        missing = [term for term in terms if term not in found]
        if missing:
            words = words_for(missing, text)
            found |= {term: _whole(term, word, text) for term, word in words.items()}
    return found


def _whole(term: str, word: str, text: str) -> str:
    """A word as it stands; of a part of a number the number, since "3" says nothing of "v2.3.1"."""
    if len(word) > _PART or not any(map(str.isdigit, word)):
        return word
    if re.search(rf"(?<![\w.:/,-]){re.escape(word)}(?![\w:/-]|[.,]\w)", text, re.IGNORECASE):
        return word
    figures = islice(_FIGURE.finditer(text), _FIGURES)
    return next((figure[0] for figure in figures if term in terms_of(figure[0])), word)


def _span(message: Message, fit: Fit, held: Sequence[str]) -> Span | None:
    """The place of the piece that fits: the nearest in meaning, unless that says none of the words and another does;
    None where there is but one."""
    text = message.full
    if message.seq < 0 or len(text) <= LONGEST:
        return None
    pieces = pieces_of(text)
    nearest = pieces[fit.piece] if fit.piece is not None and 1 < len(pieces) > fit.piece else None
    if nearest is not None and ((fit.alike or 0.0) >= _CLOSE or words_for(held, text[slice(*nearest)])):
        return nearest
    at = _place_of(held, text)
    if at is None:
        return nearest
    return next((piece for piece in pieces if piece[0] <= at < piece[1]), None) or _around(at, text)


def _place_of(held: Sequence[str], text: str) -> int | None:
    """Where the rarest of the words that it holds stands first."""
    words = words_for(held, text)
    for word in (words[term] for term in held if term in words):
        whole = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE)
        found = whole or re.search(re.escape(word), text, re.IGNORECASE)
        if found:
            return found.start()
    return None


def _around(at: int, text: str) -> Span:
    """A piece of a text so long that it is not cut into pieces to its end, from space to space where it has any."""
    start, end = max(0, at - LONGEST // 2), min(len(text), at + LONGEST // 2)
    first, last = text.find(" ", start, at), text.rfind(" ", at, end)
    return (first + 1 if first >= 0 and start > 0 else start), (last if last > at and end < len(text) else end)


def _quoted(words: Iterable[str]) -> str:
    return ", ".join(f"“{word}”" for word in words)


def _holds(postings: Sequence[Posting], seq: int) -> bool:
    at = bisect_left(postings, (seq,))
    return at < len(postings) and postings[at][0] == seq
