"""The bundled embedder: all-MiniLM-L6-v2, a text as a direction in a space of 384 dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from anaphora.models.pieces import in_a_row, pieces_of
from anaphora.models.sessions import WIDTH, Network, bundled

__all__ = ["BundledEmbedder", "bundled_embedder"]

_TOGETHER = 16  # texts in one run
_LONGEST = 256  # pieces of a text that are read, as its makers trained it


class BundledEmbedder:
    """Thread-safe; loads with its first text."""

    name = "all-MiniLM-L6-v2"
    width = WIDTH

    def __init__(self, folder: Path) -> None:
        self._network = Network(folder / "embedder.onnx")

    def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """One row of length 1 for each text, whatever the others are."""
        vectors = np.zeros((len(texts), WIDTH), np.float32)
        for at in range(0, len(texts), _TOGETHER):
            some = [pieces_of(text, _LONGEST, _LONGEST - 1) for text in texts[at : at + _TOGETHER]]
            vectors[at : at + len(some)] = self._network(**in_a_row(some))[0]
        return vectors


@cache
def bundled_embedder() -> BundledEmbedder:
    """The embedder that ships with the package, one for the whole process."""
    return BundledEmbedder(bundled())
