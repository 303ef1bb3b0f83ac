"""What the words of a query give the messages that hold them: BM25, with as little work as its best hits need."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence

from anaphora.ports import Corpus, Found, Posting

__all__ = ["Words", "best_of", "bm25", "gain", "rarity"]

_K1, _B = 1.5, 0.8
_MANY = 256  # messages that hold a term: fewer are gone through without a thought
_SEARCHED = 16  # times as many postings as messages: then each message is looked for, rather than all gone through


def rarity(holders: int, corpus: Corpus) -> float:
    """What a term is worth that so many messages hold."""
    return math.log(1 + (corpus.messages - holders + 0.5) / (holders + 0.5))


def gain(times: int, length: int, corpus: Corpus) -> float:
    """What a term gives a text of so many terms that says it so often, before its worth; less than `_K1 + 1`."""
    average = corpus.terms / corpus.messages if corpus.messages and corpus.terms else 1.0
    return times * (_K1 + 1) / (times + _K1 * (1 - _B + _B * length / average))


def bm25(
    postings: Mapping[str, Sequence[Posting]], corpus: Corpus, weights: Mapping[str, float] | None = None
) -> dict[int, float]:
    """What the terms give each message that holds one, by sequence number; `weights` are 1 where they say nothing.

    Terms go in their own order, so that sums come out the same to the last bit whatever the store's order is."""
    scores: dict[int, float] = {}
    gains = _Gains(corpus)
    for term, found in sorted(postings.items()):
        gains.add(scores, rarity(len(found), corpus) * (1.0 if weights is None else weights.get(term, 1.0)), found)
    return scores


def best_of(scores: Mapping[int, float], most: int) -> list[int]:
    """The sequence numbers of the highest scores, best first; of equals the newest."""
    least = _least_of(scores, most)
    return [seq for _, seq in sorted([(s, seq) for seq, s in scores.items() if s >= least], reverse=True)[:most]]


class Words:
    """What the terms of a query give, and which messages have most of it. Terms go by their worth. The common ones come
    last and are worth little: once all of them together could not bring a new message among the best, they only add to
    messages that something else has found."""

    def __init__(
        self, found: Found, weights: Mapping[str, float], most: int, among: Collection[int] | None = None
    ) -> None:
        corpus, postings = found
        worth = {term: rarity(len(postings[term]), corpus) * weight for term, weight in weights.items()}
        order = sorted(worth, key=lambda term: (-worth[term], term))
        held = [postings[term] if among is None else [p for p in postings[term] if p[0] in among] for term in order]
        self._gains = _Gains(corpus)
        self._scores: dict[int, float] = {}
        self._common: list[tuple[float, Sequence[Posting]]] = []
        left = (_K1 + 1) * sum(worth.values())
        for term, some in zip(order, held, strict=True):
            if self._common or (len(some) > _MANY and left < _least_of(self._scores, most)):
                self._common.append((worth[term], some))
            else:
                self._gains.add(self._scores, worth[term], some)
                left -= (_K1 + 1) * worth[term]
        self.best = best_of(self._likely(left, most) if self._common else self._scores, most)
        """The messages that the words give most, best first."""

    def of(self, seqs: Iterable[int]) -> dict[int, float]:
        """What they give these messages, of those that hold any."""
        if not self._common:
            return {seq: score for seq in seqs if (score := self._scores.get(seq))}
        scores = {seq: self._scores.get(seq, 0.0) for seq in seqs}
        for worth, postings in self._common:
            some = postings
            if len(scores) * _SEARCHED < len(postings):
                some = [p for seq in scores for p in postings[slice(*_place(postings, seq))]]
            self._gains.add(scores, worth, [p for p in some if p[0] in scores])
        return {seq: score for seq, score in scores.items() if score}

    def _likely(self, left: float, most: int) -> dict[int, float]:
        """Messages that may be among the best when the common terms, with no more than is left, are added."""
        least = _least_of(self._scores, most) - left
        return self.of([seq for seq, score in self._scores.items() if score >= least])


class _Gains:
    """What messages gain by a term, by how often they say it and how long they are, which many share."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._known: dict[object, float] = {}

    def add(self, scores: dict[int, float], worth: float, postings: Iterable[Posting]) -> None:
        known, score_of = self._known, scores.get
        for seq, times, length in postings:
            alike = length if times == 1 else (times, length)  # mostly it is said once
            gained = known.get(alike)
            if gained is None:
                gained = known[alike] = gain(times, length, self._corpus)
            scores[seq] = score_of(seq, 0.0) + worth * gained


def _least_of(scores: Mapping[int, float], most: int) -> float:
    """The lowest of the best; below all where there are not so many."""
    return sorted(scores.values(), reverse=True)[most - 1] if 0 < most <= len(scores) else 0.0


def _place(postings: Sequence[Posting], seq: int) -> tuple[int, int]:
    """Where the posting of a message stands, if there is one: from and to."""
    at = bisect_left(postings, (seq,))
    return at, at + (at < len(postings) and postings[at][0] == seq)
