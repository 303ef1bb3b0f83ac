"""Vectors at rest, in half precision; and what a search among them may take."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["VectorLimits", "packed", "unpacked"]


@dataclass(frozen=True, slots=True)
class VectorLimits:
    """How many bytes of vectors a process holds, and above how many vectors of a scope it holds codes instead."""

    held_bytes: int = 256_000_000
    codes_above: int = 100_000


def packed(values: Sequence[float]) -> bytes:
    return struct.pack(f"<{len(values)}e", *values)


def unpacked(blob: bytes) -> tuple[float, ...]:
    return struct.unpack(f"<{len(blob) // 2}e", blob)
