"""Vectors at rest, in half precision; and what a search among them may take."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from anaphora.ports import Near

__all__ = ["VectorLimits", "best_pieces", "packed", "unpacked"]


@dataclass(frozen=True, slots=True)
class VectorLimits:
    """How many bytes of vectors a process holds, and above how many vectors of a scope it holds codes instead."""

    held_bytes: int = 256_000_000
    codes_above: int = 100_000


def packed(values: Sequence[float]) -> bytes:
    return struct.pack(f"<{len(values)}e", *values)


def unpacked(blob: bytes) -> tuple[float, ...]:
    return struct.unpack(f"<{len(blob) // 2}e", blob)


def best_pieces(found: Iterable[Near]) -> list[Near]:
    """Each message once, by its best piece: the highest score first, of equals the newest message, its first piece."""
    best: dict[int, Near] = {}
    for near in sorted(found, key=lambda near: (-near.score, -near.seq, near.piece)):
        best.setdefault(near.seq, near)
    return list(best.values())
