"""The sizes of the network, MiniLM's own and those of what points, and into how many parts the data is cut."""

from __future__ import annotations

__all__ = ["DEPTH", "FOLDS", "HEADS", "POINTERS", "WIDE", "WIDTH"]

WIDTH = 384
WIDE = 4 * WIDTH  # between the two products at the end of a layer
HEADS = 12
DEPTH = 6
POINTERS = 16  # ways in which a piece of the message may ask for a piece of the context
FOLDS = 4
