"""Vectors held in memory, so that a search need not read them all again: as they are, or as codes where they are many.

A store says which blocks of messages have changed since, and only those are read anew. A code is one bit a dimension;
the messages whose codes are most alike are then read from the store and compared exactly.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from anaphora.ports import Near
from anaphora.stores.records import Row
from anaphora.stores.schema import BLOCK
from anaphora.stores.vectors import VectorLimits

__all__ = ["Held", "Nearness", "VectorRow", "nearest_of"]

VectorRow = tuple[int, int, bytes]
"""A stored vector: the sequence number of its message, which piece of it, and its numbers in half precision."""

_FIRST = 64  # rows that there is room for at the beginning; each time it is full, room for as many more is made
_LOOKED_AT = 64  # of the rows that come nearest, at least; more where several are of one message
_OVERSAMPLED, _OVERSAMPLED_AT_LEAST = 10, 1000  # messages read to be compared exactly, for one that is asked for
_PAGE = 5000  # rows that are read at once
_NEAR: Callable[[tuple[int, int, float]], Near] = partial(tuple.__new__, Near)  # as Near(…), quicker for hundreds
_VECTORS = "SELECT seq, piece, vector FROM vectors WHERE scope = ? AND model = ?"


def nearest_of(rows: Iterable[VectorRow], vector: Sequence[float], k: int) -> list[Near]:
    """The best messages by the inner product of their best piece; of equals the newest. Vectors of another length are
    of another model: left out."""
    held = Held(len(vector))
    held.put(rows)
    return held.nearest(vector, k)


class Held:
    """The vectors of one scope and model, all of one width, in no order."""

    def __init__(self, width: int) -> None:
        self.change = 0  # of the store, up to which this goes
        self.coded = False
        self._width = width
        self._count = 0
        self._keys = np.zeros((2, 0), np.int64)  # sequence numbers, pieces
        self._rows: NDArray[np.float32] = np.zeros((0, width), np.float32)
        self._codes: NDArray[np.uint64] = np.zeros((-(-width // 64), 0), np.uint64)  # a word of all codes lies together
        self._scored: tuple[tuple[float, ...], NDArray[np.float32]] | None = None  # the last vector, and all against it

    def __len__(self) -> int:
        return self._count

    @property
    def size(self) -> int:
        """Bytes that it takes."""
        return self._keys.nbytes + self._rows.nbytes + self._codes.nbytes

    def put(self, rows: Iterable[VectorRow]) -> None:
        """Add vectors."""
        fitting = [row for row in rows if len(row[2]) == 2 * self._width > 0]
        if not fitting:
            return
        begin, end = self._count, self._count + len(fitting)
        self._make_room(end)
        self._scored = None
        self._keys[:, begin:end] = np.array([row[:2] for row in fitting], np.int64).T
        new = np.frombuffer(b"".join([row[2] for row in fitting]), "<f2").reshape(len(fitting), -1)
        if self.coded:
            self._codes[:, begin:end] = _codes_of(new)
        else:
            self._rows[begin:end] = new
        self._count = end

    def drop(self, first: int, last: int) -> None:
        """Take out the messages whose sequence numbers are in this range, both ends included."""
        seqs = self._seqs
        kept = np.flatnonzero((seqs < first) | (seqs > last))
        if len(kept) == self._count:
            return
        self._scored = None
        moved = kept[kept >= len(kept)]  # from behind into the gaps that were left
        gaps = np.setdiff1d(np.arange(len(kept)), kept[: len(kept) - len(moved)], assume_unique=True)
        for held in (self._keys, self._codes):
            if held.shape[1]:
                held[:, gaps] = held[:, moved]
        if len(self._rows):
            self._rows[gaps] = self._rows[moved]
        self._count = len(kept)

    def code(self) -> None:
        """From here on hold codes alone."""
        if not self.coded:
            codes = _codes_of(self._rows[: self._count])
            self._codes = np.zeros((codes.shape[0], self._keys.shape[1]), np.uint64)
            self._codes[:, : self._count] = codes
            self._rows, self.coded = np.zeros((0, self._width), np.float32), True

    def nearest(self, vector: Sequence[float], k: int, among: Iterable[int] | None = None) -> list[Near]:
        """The best messages; not of what is coded."""
        asked = tuple(vector)
        if among is None:
            self._scored = asked, _products(self._rows[: self._count], asked)
            return _best(self._scored[1], self._keys[:, : self._count], k)
        places = self._places(among)
        if self._scored is not None and self._scored[0] == asked:  # a search asks twice: for the best, and for others
            return _best(self._scored[1][places], self._keys[:, places], k)
        return _best(_products(self._rows[places], asked), self._keys[:, places], k)

    def likely(self, vector: Sequence[float], k: int, among: Iterable[int] | None = None) -> list[int]:
        """Of what is coded the sequence numbers of messages, enough for the `k` best to be among them."""
        places = None if among is None else self._places(among)
        codes = self._codes[:, : self._count] if places is None else self._codes[:, places]
        distance = np.zeros(codes.shape[1], np.uint16)
        for words, word in zip(codes, _codes_of(_rounded(vector)[None, :]), strict=True):
            distance += np.bitwise_count(words ^ word)
        enough = max(k * _OVERSAMPLED, _OVERSAMPLED_AT_LEAST)
        seqs = self._seqs if places is None else self._seqs[places]
        if len(distance) > enough:
            seqs = seqs[np.argpartition(distance, enough)[:enough]]
        return [int(seq) for seq in np.unique(seqs)]

    @property
    def _seqs(self) -> NDArray[np.int64]:
        return self._keys[0, : self._count]

    def _places(self, among: Iterable[int]) -> NDArray[np.intp]:
        """Where the vectors of these messages are."""
        seqs = self._seqs
        wanted = np.zeros(seqs.max(initial=0) + 1, bool)
        some = np.fromiter(among, np.int64)
        wanted[some[(some >= 0) & (some < len(wanted))]] = True
        return np.flatnonzero(wanted[seqs])

    def _make_room(self, count: int) -> None:
        room = self._keys.shape[1]
        if count <= room:
            return
        more = max(count, 2 * room, _FIRST) - room
        self._keys = np.pad(self._keys, ((0, 0), (0, more)))
        if self.coded:
            self._codes = np.pad(self._codes, ((0, 0), (0, more)))
        else:
            self._rows = np.pad(self._rows, ((0, more), (0, 0)))


class _Reading(Protocol):
    """What is asked of a store."""

    def select(self, sql: str, values: Sequence[Any]) -> list[Row]: ...

    def snapshot(self) -> AbstractContextManager[None]: ...

    def among(self, column: str, values: Iterable[Any]) -> tuple[str, Any]: ...


class Nearness:
    """The search of one store. It holds the vectors of the scopes that were looked into last; those that were not for
    longest go first. Its store sees that one thread is in here at a time."""

    def __init__(self, store: _Reading, limits: VectorLimits) -> None:
        self._store = store
        self._limits = limits
        self._held: OrderedDict[tuple[int, str, int], Held] = OrderedDict()

    def nearest(
        self, scope: int, model: str, vector: Sequence[float], k: int, among: Iterable[int] | None
    ) -> list[Near]:
        held = self._take(scope, model, len(vector))
        if held is None:
            return []
        if not held.coded:
            return held.nearest(vector, k, among)
        condition, value = self._store.among("seq", held.likely(vector, k, among))
        return nearest_of(self._store.select(f"{_VECTORS} AND {condition}", (scope, model, value)), vector, k)

    @property
    def size(self) -> int:
        """Bytes that it holds."""
        return sum(held.size for held in self._held.values())

    def let_go(self, scope: int | None = None) -> None:
        """Hold nothing any more, of a scope or of all: what is there need not be what is stored."""
        for key in [key for key in self._held if scope in (None, key[0])]:
            del self._held[key]

    def _take(self, scope: int, model: str, width: int) -> Held | None:
        """All vectors of a scope as they are now; None if it is gone."""
        key = (scope, model, width)
        held = self._held.pop(key, None)  # and put back when it is whole again
        last = self._last_change(scope)
        if last is None:
            return None
        if held is None or held.change != last:
            with self._store.snapshot():
                held = self._brought_up(held, scope, model, width)
                held.change = self._last_change(scope) or 0
        self._held[key] = held
        while len(self._held) > 1 and self.size > self._limits.held_bytes:
            self._held.popitem(last=False)
        return held

    def _last_change(self, scope: int) -> int | None:
        found = self._store.select("SELECT last_vector FROM scopes WHERE id = ?", (scope,))
        return found[0][0] if found else None

    def _brought_up(self, held: Held | None, scope: int, model: str, width: int) -> Held:
        """With what has changed read anew, or all of it where that is most."""
        since = 0 if held is None else held.change
        sql = "SELECT block FROM vector_changes WHERE scope = ? AND model = ? AND change > ?"
        blocks = [row[0] for row in self._store.select(sql, (scope, model, since))]
        if held is None or len(blocks) * BLOCK > len(held):
            held = self._read(scope, model, width)
        else:
            for block in blocks:
                first, last = block * BLOCK, (block + 1) * BLOCK - 1
                held.drop(first, last)
                held.put(self._store.select(f"{_VECTORS} AND seq >= ? AND seq <= ?", (scope, model, first, last)))
        if len(held) > self._limits.codes_above:
            held.code()
        return held

    def _read(self, scope: int, model: str, width: int) -> Held:
        held, seq, piece = Held(width), -1, 0
        sql = f"{_VECTORS} AND (seq, piece) > (?, ?) ORDER BY seq, piece LIMIT ?"
        while rows := self._store.select(sql, (scope, model, seq, piece, _PAGE)):
            held.put(rows)
            if len(held) > self._limits.codes_above:
                held.code()
            seq, piece, _ = rows[-1]
        return held


def _products(rows: NDArray[np.float32], vector: Sequence[float]) -> NDArray[np.float32]:
    # one row after the other: a matrix product may round equal rows differently, and equals must come out equal
    products: NDArray[np.float32] = np.einsum("ij,j->i", rows, _rounded(vector))
    return products


def _rounded(vector: Sequence[float]) -> NDArray[np.float32]:
    """To half precision, as every stored one is."""
    return np.asarray(vector, np.float32).astype(np.float16).astype(np.float32)


def _codes_of(rows: NDArray[np.floating]) -> NDArray[np.uint64]:
    """The signs of each row's numbers, packed into words; one row of words for each place in the code."""
    words = -(-rows.shape[1] // 64)
    padded = np.zeros((len(rows), words * 8), np.uint8)
    bits = np.packbits(rows > 0, axis=1)
    padded[:, : bits.shape[1]] = bits
    return np.ascontiguousarray(padded.view(np.uint64).T)


def _best(scores: NDArray[np.float32], keys: NDArray[np.int64], k: int) -> list[Near]:
    """By message: the highest score first, of equals the newest message, its first piece."""
    seqs, pieces = keys
    looked_at = k + _LOOKED_AT
    while k > 0:
        places = np.arange(len(scores))
        if looked_at < len(scores):
            least = np.partition(scores, len(scores) - looked_at)[len(scores) - looked_at]
            places = np.flatnonzero(scores >= least)  # those that are as good as the last one too
        places = places[np.lexsort((pieces[places], -seqs[places], -scores[places]))]
        found = len(set(seqs[places].tolist()))
        if found >= k or looked_at >= len(scores):
            if found < len(places):
                _, first = np.unique(seqs[places], return_index=True)  # of each message
                places = places[np.sort(first)]
            best = places[:k]
            rows = zip(seqs[best].tolist(), pieces[best].tolist(), scores[best].tolist(), strict=True)
            return list(map(_NEAR, rows))
        looked_at *= 4
    return []
