"""The sizes of the network: MiniLM's own, and those of what points."""

from __future__ import annotations

__all__ = ["DEPTH", "HEADS", "POINTERS", "WIDTH"]

WIDTH = 384
HEADS = 12
DEPTH = 6
POINTERS = 16  # ways in which a piece of the message may ask for a piece of the context
