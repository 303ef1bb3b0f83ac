"""The bundled embedder: all-MiniLM-L6-v2, a text as a direction in a space of 384 dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from anaphora.models.pieces import Pieces, pieces_of
from anaphora.models.sessions import Network, bundled

__all__ = ["WIDTH", "BundledEmbedder", "bundled_embedder"]

WIDTH = 384
_LONGEST = 256  # pieces of a text that are read, as its makers trained it
_BATCH = 16


class BundledEmbedder:
    """Thread-safe; loads with its first text."""

    name = "all-MiniLM-L6-v2"
    width = WIDTH

    def __init__(self, folder: Path) -> None:
        self._network = Network(folder / "embedder.onnx")

    def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """One row of length 1 for each text. Texts of like length are embedded together."""
        cut = [pieces_of(text, _LONGEST, _LONGEST - 1) for text in texts]
        order = sorted(range(len(cut)), key=lambda i: len(cut[i]))
        vectors = np.zeros((len(cut), WIDTH), np.float32)
        for at in range(0, len(order), _BATCH):
            some = order[at : at + _BATCH]
            vectors[some] = self._embed([cut[i] for i in some])
        return vectors

    def _embed(self, texts: Sequence[Pieces]) -> NDArray[np.float32]:
        longest = max(len(text) for text in texts)
        ids = np.zeros((len(texts), longest), np.int64)
        mask = np.zeros((len(texts), longest), np.float32)
        for row, text in enumerate(texts):
            ids[row, : len(text)] = text.ids
            mask[row, : len(text)] = 1.0
        return np.asarray(self._network(ids=ids, mask=mask)[0], np.float32)


@cache
def bundled_embedder() -> BundledEmbedder:
    """The embedder that ships with the package, one for the whole process."""
    return BundledEmbedder(bundled())
