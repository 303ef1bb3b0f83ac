"""Embedding: messages become vectors off their path, in batches; a query becomes one when it is asked."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
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

__all__ = ["embed_messages", "embed_query", "embedder_of", "model_of"]

_BATCH = 64  # messages that are embedded and stored together
_SLICE = 16  # texts that one thread embeds at a time
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
    newest = max((m.seq for m in view.messages(last=1)), default=0)
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
    pieces = [(m.seq, m.full[start:end]) for m in messages for start, end in pieces_of(m.full)]
    order = sorted(range(len(pieces)), key=lambda i: len(pieces[i][1]))
    slices = [order[at : at + _SLICE] for at in range(0, len(order), _SLICE)]

    def embed(some: Sequence[int]) -> NDArray[np.float32]:
        return embedder.embed([pieces[i][1] for i in some])

    with ThreadPoolExecutor(min(2, os.cpu_count() or 1), "anaphora-embedding") as threads:
        rows = {
            i: row
            for some, made in zip(slices, threads.map(embed, slices), strict=True)
            for i, row in zip(some, made.tolist(), strict=True)
        }
    found: dict[int, list[Sequence[float]]] = {m.seq: [] for m in messages}
    for i, (seq, _) in enumerate(pieces):
        found[seq].append(rows[i])
    return found


def _put(tx: Transaction, model: str, messages: Sequence[Message], vectors: dict[int, list[Sequence[float]]]) -> None:
    """Those that are still there and still say the same."""
    now = {m.seq: m.full for m in tx.messages(seqs=[m.seq for m in messages])}
    tx.put_vectors(model, {m.seq: vectors[m.seq] for m in messages if now.get(m.seq) == m.full})
