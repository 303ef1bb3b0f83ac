"""A reader that was exported, as one that goes on learning: `python -m training.taken_up FOLDER --out reader-all.pt`.

What ships is all that is kept of a training. Its weights lie in the graphs that `training.lean` made, in the order in
which it put them there; here they get the names of the model back. They are as they ship, a byte each.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from torch import Tensor

from anaphora.models.judging import DISTANCES, KINDS
from training.lean import LOWER, UPPER
from training.narrow import Lean
from training.sizes import HEADS, POINTERS, WIDTH
from training.weights import pack

__all__ = ["taken_up"]

ENTITIES = 1 + 2 * len(KINDS)  # how many numbers tell of names
RARITY = -2.0  # it is only known together with what is added for how far back a piece is

State = dict[str, Tensor]


def taken_up(folder: Path) -> State:
    encode, read, point = (Lean(folder / f"{name}.onnx") for name in ("encode", "read", "point"))
    state = {"places.weight": encode.shaped(512, WIDTH), "kinds.weight": encode.taken("Add", WIDTH).repeat(2, 1)}
    _norm(state, encode, 0, "after_words")
    for number in range(LOWER):
        _linear(state, encode, 4 * number, *(f"layers.{number}.{part}" for part in ("query", "key", "value")))
        _rest_of_layer(state, encode, number, number, norms=1)
    left = [f"layers.{number}.{part}" for number in UPPER for part in ("key", "value")]
    _linear(state, encode, 4 * LOWER, *left, "alike")
    for at, number in enumerate(UPPER):
        asked = ("query", "key", "value") if at else ("query",)
        _linear(state, read, 4 * at, *(f"layers.{number}.{part}" for part in asked))
        _rest_of_layer(state, read, number, at, norms=0)
    state["distance"] = torch.stack(read.all_shaped(HEADS, 1, 2 * DISTANCES + 2))[:, :, 0, : 2 * DISTANCES]
    last = 4 * len(UPPER)
    _linear(state, read, last, "judge.0")
    _linear(state, read, last + 1, "judge.3")
    _linear(state, read, last + 2, "edit", "entity", widths=(len(read.product(last + 2)[1]) - ENTITIES, ENTITIES))
    _pointing(state, point)
    return state


def _pointing(state: State, point: Lean) -> None:
    state["place.weight"] = point.shaped(2 * DISTANCES, WIDTH)
    for at, name in enumerate(("marks", "look.query")):
        _linear(state, point, at, name)
    _linear(state, point, 2, "look.key", "look.value")
    for at, name in enumerate(("look.out", "think.0", "think.2", "ask"), 3):
        _linear(state, point, at, name)
    _linear(state, point, 7, "offer", "unasked", widths=(WIDTH, 1))
    for at, name in enumerate(("after_look", "after_think")):
        _norm(state, point, at, name)
    size = WIDTH // POINTERS
    state["weigh"] = point.taken("Mul", WIDTH)[::size] * size**0.5
    state["nearness"] = point.shaped(2 * DISTANCES) - RARITY
    state["rarity"] = torch.tensor(RARITY)


def _rest_of_layer(state: State, lean: Lean, number: int, at: int, *, norms: int) -> None:
    for offset, part in enumerate(("out", "widen", "narrow"), 1):
        _linear(state, lean, 4 * at + offset, f"layers.{number}.{part}")
    for offset, part in enumerate(("after_attention", "after")):
        _norm(state, lean, 2 * at + offset + norms, f"layers.{number}.{part}")


def _linear(state: State, lean: Lean, at: int, *names: str, widths: tuple[int, ...] = ()) -> None:
    weight, bias = lean.product(at)
    sizes = list(widths) or [len(bias) // len(names)] * len(names)
    for name, columns, added in zip(names, weight.split(sizes, 1), bias.split(sizes), strict=True):
        state[f"{name}.weight"], state[f"{name}.bias"] = columns.T.contiguous(), added.clone()


def _norm(state: State, lean: Lean, at: int, name: str) -> None:
    state[f"{name}.weight"], state[f"{name}.bias"] = lean.norm(at)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    state = taken_up(options.folder)
    pack(state, options.out, lower=LOWER, wide=len(state["layers.0.widen.bias"]))


if __name__ == "__main__":
    main()
