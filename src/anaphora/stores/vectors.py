"""Vectors at rest: half precision, and the exact search over those of one scope."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence

from anaphora.ports import Near

__all__ = ["nearest_of", "packed", "unpacked"]


def packed(values: Sequence[float]) -> bytes:
    return struct.pack(f"<{len(values)}e", *values)


def unpacked(blob: bytes) -> tuple[float, ...]:
    return struct.unpack(f"<{len(blob) // 2}e", blob)


def nearest_of(rows: Iterable[tuple[int, int, bytes]], vector: Sequence[float], k: int) -> list[Near]:
    """The best messages by the inner product of their best piece; of equals the newest. Rows are (sequence number,
    piece, vector); vectors of another length are of another model: left out."""
    size = 2 * len(vector)
    fitting = [row for row in rows if len(row[2]) == size > 0]
    if not fitting:
        return []
    import numpy as np  # here, since most of what a store does needs no vectors

    stored = np.frombuffer(b"".join([blob for _, _, blob in fitting]), dtype="<f2").reshape(len(fitting), -1)
    query = np.asarray(vector, dtype=np.float16).astype(np.float32)
    # summed row by row: a matrix product may round equal rows differently, and equals must come out equal
    scores = (stored.astype(np.float32) * query).sum(axis=1).tolist()
    best: dict[int, Near] = {}
    for (seq, piece, _), score in zip(fitting, scores, strict=True):
        if seq not in best or score > best[seq].score:
            best[seq] = Near(seq, piece, score)
    return sorted(best.values(), key=lambda near: (-near.score, -near.seq))[:k]
