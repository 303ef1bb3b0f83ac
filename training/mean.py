"""The mean of readers: `python -m training.mean A.pt B.pt … --out reader-all.pt`.

Readers that went on learning from the same one lie close enough for that. Their mean makes fewer mistakes than any of
them on what none has learned from, and forgets less of what the first one knew.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from training.weights import pack, unpack

__all__ = ["mean"]


def mean(paths: list[Path], shares: list[float]) -> tuple[dict[str, torch.Tensor], dict[str, object]]:
    """What the readers weigh, each by its share of the whole."""
    states, notes = zip(*map(unpack, paths), strict=True)
    if any(of != notes[0] for of in notes):
        raise ValueError(f"readers of different sizes: {', '.join(map(str, notes))}")
    parts = [share / sum(shares) for share in shares]
    return {
        name: sum((s[name] * part for s, part in zip(states, parts, strict=True)), torch.zeros(()))
        for name in states[0]
    }, notes[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("readers", type=Path, nargs="+")
    parser.add_argument("--shares", help="how much each counts, as in 2,1,1; all alike where not told")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    shares = [float(one) for one in options.shares.split(",")] if options.shares else [1.0] * len(options.readers)
    if len(shares) != len(options.readers):
        parser.error(f"{len(options.readers)} readers, but {len(shares)} shares")
    state, notes = mean(options.readers, shares)
    pack(state, options.out, **notes)


if __name__ == "__main__":
    main()
