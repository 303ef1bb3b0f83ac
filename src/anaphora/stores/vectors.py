"""Vectors at rest: half precision, and the exact search over those of one scope."""

from __future__ import annotations

import struct
from collections.abc import Sequence

__all__ = ["nearest_of", "packed", "unpacked"]


def packed(values: Sequence[float]) -> bytes:
    return struct.pack(f"<{len(values)}e", *values)


def unpacked(blob: bytes) -> tuple[float, ...]:
    return struct.unpack(f"<{len(blob) // 2}e", blob)


def nearest_of(rows: Sequence[tuple[int, bytes]], vector: Sequence[float], k: int) -> list[tuple[int, float]]:
    """The best by inner product; of equals the newest. Vectors of another length are of another model: left out."""
    size = 2 * len(vector)
    fitting = [(seq, blob) for seq, blob in rows if len(blob) == size]
    if not fitting:
        return []
    import numpy as np  # here, since most of what a store does needs no vectors

    stored = np.frombuffer(b"".join(blob for _, blob in fitting), dtype="<f2").reshape(len(fitting), -1)
    query = np.asarray(vector, dtype=np.float16).astype(np.float32)
    # summed row by row: a matrix product may round equal rows differently, and equals must come out equal
    scores = (stored.astype(np.float32) * query).sum(axis=1)
    seqs = np.fromiter((seq for seq, _ in fitting), dtype=np.int64, count=len(fitting))
    best = np.lexsort((-seqs, -scores))[:k]
    return [(int(seqs[i]), float(scores[i])) for i in best]
