"""Embedding: messages become vectors off their path, in batches; a query becomes one when it is asked."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from anaphora.engine.place import Place
from anaphora.errors import MissingExtra
from anaphora.memory.passages import LONGEST, pieces_of
from anaphora.ports import Embedder, Store, Transaction, View
from anaphora.types import Message, Scope
from anaphora.understanding.once import when_forgotten

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Vectors", "embed_messages", "embed_query", "embedder_of", "model_of", "vectors_ahead"]

_BATCH = 64  # messages that are embedded and stored together
_SLICE = 16  # texts that one thread embeds at a time: in one run, between two of which the lock must be waited for
_BEHIND = 200  # messages before the last embedded one that are looked at again: an answer may change how one was read

_reached: WeakKeyDictionary[Store, dict[Scope, int]] = WeakKeyDictionary()  # up to where all was seen to be embedded


def embedder_of(place: Place) -> Embedder | None:
    """The embedder in use; None where the settings want none, or its runtime is not installed: words do without it."""
    if not place.embeds:
        return None
    try:
        return place.embedder()
    except MissingExtra:
        return None


def model_of(embedder: Embedder) -> str:
    """The name that vectors are stored under: another cut of the pieces makes other vectors."""
    return f"{embedder.name}/{LONGEST}"


def embed_messages(place: Place) -> bool:
    """Embed the next messages that have no vectors, the newest first; whether there are more."""
    embedder = embedder_of(place)
    if embedder is None:
        return False
    model, view = model_of(embedder), place.view
    reached = _reached.setdefault(place.store, {})
    newest = _newest(view)
    missing = view.without_vector(model, _BATCH, after=max(0, reached.get(place.scope, 0) - _BEHIND))
    if not missing:
        reached[place.scope] = newest
        return False
    try:
        vectors = _vectors_of(embedder, missing)
    except MissingExtra:
        return False
    place.change(lambda tx: _put(tx, model, missing, vectors))
    return True


class Vectors:
    """Vectors of messages that are being taken in, made by whoever has time and stored once the messages are. What is
    missing in the end is made later."""

    def __init__(self, embedder: Embedder, after: int) -> None:
        self._embedder = embedder
        self._after = after  # the sequence number before the first message that has none yet
        self._messages = 0  # that wait for theirs
        self._wanted: deque[str] = deque()
        self._pieces: dict[str, list[str]] = {}  # by the text of a message
        self._made: dict[str, Sequence[float] | None] = {}  # by piece; None until it is made

    @property
    def left(self) -> int:
        """How many nobody is at yet."""
        return len(self._wanted)

    def want(self, text: str) -> None:
        """The vectors of a message with this text are to be made."""
        self._messages += 1
        if text not in self._pieces:
            self._pieces[text] = _pieces(text)
            fresh = [piece for piece in dict.fromkeys(self._pieces[text]) if piece not in self._made]
            self._made.update(dict.fromkeys(fresh))
            self._wanted.extend(fresh)

    def make_some(self) -> bool:
        """Make the next ones; whether there were any to make."""
        pieces = list(islice(self._taken(), _SLICE))
        try:
            made = self._embedder.embed(pieces).tolist() if pieces else []
        except (MissingExtra, MemoryError):  # who makes what is missing meets it too, and tells
            self._wanted.clear()
            return False
        self._made.update(zip(pieces, made, strict=True))
        return bool(pieces)

    def _taken(self) -> Iterator[str]:
        with suppress(IndexError):  # none is left: another thread was first
            while True:
                yield self._wanted.popleft()

    def put(self, place: Place) -> None:
        """Store those that are made, of the messages that are in the store by now; once they are half of all that
        wait, since all are looked through for them."""
        if self._messages < 2 * self.left:
            return
        model = model_of(self._embedder)
        there = place.view.without_vector(model, self._messages, after=self._after) if self._messages else []
        whole = {m.seq: rows for m in there if (rows := self._rows(m.full))}
        if not whole:
            return
        done = [m for m in there if m.seq in whole]
        place.change(lambda tx: _put(tx, model, done, whole))
        self._messages -= len(done)
        self._after = min((m.seq - 1 for m in there if m.seq not in whole), default=there[0].seq)
        stored = {piece for text in {m.full for m in done} for piece in self._pieces.pop(text)}
        for piece in stored.difference(*self._pieces.values()):
            self._made.pop(piece, None)

    def _rows(self, text: str) -> list[Sequence[float]]:
        """One for each piece of the text, or none."""
        pieces = self._pieces.get(text, [])
        rows = [row for row in map(self._made.get, pieces) if row is not None]
        return rows if len(rows) == len(pieces) else []


def vectors_ahead(place: Place) -> Vectors | None:
    """For vectors that are made while messages are taken in. None where all are made later, if at all: where nothing
    happens by itself, where rules alone read so that it goes fast, and where the embedder may take any time."""
    embedder = embedder_of(place) if place.settings.background and place.bundled and place.reader is not None else None
    return None if embedder is None else Vectors(embedder, _newest(place.view))


def _newest(view: View) -> int:
    return max((message.seq for message in view.messages(last=1)), default=0)


def embed_query(place: Place, view: View, text: str, also: str = "") -> tuple[str, Sequence[float]] | None:
    """The model and the vector that a query is looked for with, `also` drawn in a little; None where there is nothing
    to compare it with."""
    embedder = embedder_of(place)
    if embedder is None or not view.has_vectors(model_of(embedder)):
        return None
    try:
        vector = embedder.embed([text])[0]
        if also:
            vector = vector + ALSO * _embedded(embedder, also)
    except MissingExtra:
        return None
    return model_of(embedder), (vector / max(float((vector @ vector) ** 0.5), 1e-9)).tolist()


ALSO = 0.25  # what the working state adds to a search, against the query itself
_KEPT: dict[tuple[str, str], NDArray[np.float32]] = {}  # by model and text
_MOST_KEPT = 16
when_forgotten(_KEPT.clear)


def _embedded(embedder: Embedder, text: str) -> NDArray[np.float32]:
    """Open goals stay the same from one context to the next, and together they are long: they are embedded once."""
    key = (model_of(embedder), text)
    found = _KEPT.get(key)
    if found is None:
        found = embedder.embed([text])[0]
        if len(_KEPT) >= _MOST_KEPT:
            _KEPT.clear()
        _KEPT[key] = found
    return found


def _vectors_of(embedder: Embedder, messages: Sequence[Message]) -> dict[int, list[Sequence[float]]]:
    """By sequence number a vector for each piece. Texts of like length go together: short ones need not wait for long
    ones, nor be filled up to their length."""
    pieces = [(m.seq, piece) for m in messages for piece in _pieces(m.full)]
    order = sorted(range(len(pieces)), key=lambda i: len(pieces[i][1]))
    slices = [order[at : at + _SLICE] for at in range(0, len(order), _SLICE)]

    def embed(some: Sequence[int]) -> NDArray[np.float32]:
        return embedder.embed([pieces[i][1] for i in some])

    with ThreadPoolExecutor(min(2, os.cpu_count() or 1), "anaphora-embedding") as threads:
        try:
            embedded: Iterable[NDArray[np.float32]] = threads.map(embed, slices)  # handed over at once
        except RuntimeError:  # no thread begins any more, as when the program ends: this one does it alone
            embedded = map(embed, slices)
        rows = {
            i: row
            for some, made in zip(slices, embedded, strict=True)
            for i, row in zip(some, made.tolist(), strict=True)
        }
    found: dict[int, list[Sequence[float]]] = {m.seq: [] for m in messages}
    for i, (seq, _) in enumerate(pieces):
        found[seq].append(rows[i])
    return found


def _pieces(text: str) -> list[str]:
    return [text[start:end] for start, end in pieces_of(text)]


def _put(tx: Transaction, model: str, messages: Sequence[Message], vectors: dict[int, list[Sequence[float]]]) -> None:
    """Those that are still there and still say the same."""
    now = {m.seq: m.full for m in tx.messages(seqs=[m.seq for m in messages])}
    tx.put_vectors(model, {m.seq: vectors[m.seq] for m in messages if now.get(m.seq) == m.full})
