"""The reader with narrower layers: `python -m training.narrow FOLDER --data DIR`, after `training.export`.

Most of what a layer costs are its last two products, into 1,536 numbers and back. Many of these numbers can be made up
for by the others. Here a third of them is taken out of each layer of an exported reader, the one that is missed least
first, and after each the rest is weighed anew. Then the layers that read a message by itself learn once more to make
of texts what they made before. Nothing but texts is learned from; `--fold` leaves out those of one fold.
"""

from __future__ import annotations

import argparse
import math
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn
from torch.nn import functional as F

from anaphora.models.pieces import pieces_of
from anaphora.models.reader import BundledReader
from anaphora.models.sessions import Network
from training.examples import Example, examples, fold_of
from training.lean import LOWER, UPPER
from training.model import Layer
from training.score import lines_of
from training.sizes import FOLDS, WIDE, WIDTH

SEED = 12
TEXTS = 6000  # by which it is found out what is missed least
READ = 2500  # messages, in their context, for the layers that look at it
TOGETHER = 3000  # pieces in one step of learning
RATE = 1.5e-4
ABSENT = -1e4

Group = tuple[Tensor, Tensor]  # texts of about one length: their pieces, and what is added where there is none


class Lean:
    """A graph that `training.lean` made: its products and norms in their order, to be read and to be put back."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.model = onnx.load(path, load_external_data=False)
        steps = list(_steps(self.model.graph))
        self._steps = [step for _, step in steps]
        self._stored = {t.name: t for graph in {id(g): g for g, _ in steps}.values() for t in graph.initializer}
        self._stored |= {t.name: t for t in self.model.graph.initializer}
        self.products = [step for _, step in steps if step.op_type == "DynamicQuantizeMatMul"]
        self.norms = [step for _, step in steps if step.op_type == "LayerNormalization"]

    def array(self, name: str) -> NDArray[np.generic]:
        return numpy_helper.to_array(self._stored[name], base_dir=str(self.path.parent))

    def shaped(self, *shape: int) -> Tensor:
        """The one stored table of this shape."""
        (table,) = self.all_shaped(*shape)
        return table

    def all_shaped(self, *shape: int) -> list[Tensor]:
        names = [name for name, tensor in self._stored.items() if tuple(tensor.dims) == shape]
        return [torch.tensor(self.array(name).astype(np.float32)) for name in names]

    def taken(self, kind: str, *shape: int) -> Tensor:
        """The one stored table of this shape that steps of this kind take."""
        names = {name for step in self._steps if step.op_type == kind for name in step.input}
        (name,) = [name for name in names if name in self._stored and tuple(self._stored[name].dims) == shape]
        return torch.tensor(self.array(name))

    def product(self, number: int) -> tuple[Tensor, Tensor]:
        """Its weights, one column for each number that it makes, and what is added."""
        table, scale, bias = (self.array(self.products[number].input[at]) for at in (1, 2, 4))
        return torch.tensor(table.astype(np.float32) * scale), torch.tensor(bias)

    def norm(self, number: int) -> tuple[Tensor, Tensor]:
        weight, bias = (torch.tensor(self.array(self.norms[number].input[at])) for at in (1, 2))
        return weight, bias

    def put_product(self, number: int, weight: Tensor, bias: Tensor) -> None:
        scale = weight.abs().amax(0).clamp(min=1e-8) / 127
        table = torch.round(weight / scale).clamp(-127, 127).to(torch.int8)
        self._put(self.products[number], {1: table, 2: scale, 4: bias})

    def put_norm(self, number: int, norm: nn.LayerNorm) -> None:
        self._put(self.norms[number], {1: norm.weight.data, 2: norm.bias.data})

    def _put(self, step: onnx.NodeProto, values: dict[int, Tensor]) -> None:
        for at, value in values.items():
            name = step.input[at]
            self._stored[name].CopyFrom(numpy_helper.from_array(value.contiguous().numpy(), name))

    def save(self) -> None:
        onnx.save(self.model, self.path)


def _steps(graph: onnx.GraphProto) -> Iterator[tuple[onnx.GraphProto, onnx.NodeProto]]:
    for step in graph.node:
        for option in step.attribute:
            if option.type == onnx.AttributeProto.GRAPH:
                yield from _steps(option.g)
        yield graph, step


# --- the layers that read a message by itself -----------------------------------------------------------------------


class Alone(nn.Module):
    """They, and the words before them."""

    def __init__(self, lean: Lean) -> None:
        super().__init__()
        self.words = lean.shaped(30522, WIDTH) * lean.shaped(30522)[:, None]
        self.places = lean.shaped(512, WIDTH)
        self.kind = lean.taken("Add", WIDTH)
        self.after_words = nn.LayerNorm(WIDTH, eps=1e-12)
        _set(self.after_words, *lean.norm(0))
        self.layers = nn.ModuleList(_layer(lean, number) for number in range(LOWER))
        self.left = lean.product(4 * LOWER)[0]  # what a message leaves for later ones is made with these

    def begun(self, ids: Tensor) -> Tensor:
        return self.after_words(self.words[ids] + self.places[: ids.shape[1]] + self.kind)

    def forward(self, ids: Tensor, absent: Tensor) -> Tensor:
        x = self.begun(ids)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            for layer in self.layers:
                x = layer(x, absent)
        return x.float()


def _layer(lean: Lean, number: int) -> Layer:
    layer = Layer(0.0)
    weight, bias = lean.product(4 * number)
    for part, columns, added in zip(
        (layer.query, layer.key, layer.value), weight.split(WIDTH, 1), bias.split(WIDTH), strict=True
    ):
        _set(part, columns.T, added)
    for at, part in enumerate((layer.out, layer.widen, layer.narrow), 1):
        weight, bias = lean.product(4 * number + at)
        _set(part, weight.T, bias)
    for at, norm in enumerate((layer.after_attention, layer.after), 1):
        _set(norm, *lean.norm(2 * number + at))
    return layer


def _set(part: nn.Linear | nn.LayerNorm, weight: Tensor, bias: Tensor) -> None:
    part.weight, part.bias = nn.Parameter(weight.clone()), nn.Parameter(bias.clone())


def _put_back(lean: Lean, alone: Alone) -> None:
    for number, layer in enumerate(alone.layers):
        parts = [getattr(layer, name) for name in ("query", "key", "value")]
        lean.put_product(
            4 * number, torch.cat([p.weight.data.T for p in parts], 1), torch.cat([p.bias.data for p in parts])
        )
        for at, name in enumerate(("out", "widen", "narrow"), 1):
            part = getattr(layer, name)
            lean.put_product(4 * number + at, part.weight.data.T, part.bias.data)
        for at, name in enumerate(("after_attention", "after"), 1):
            lean.put_norm(2 * number + at, getattr(layer, name))
    lean.save()


def narrow_alone(folder: Path, texts: Sequence[str], wide: int, steps: int) -> None:
    lean = Lean(folder / "encode.onnx")
    if lean.product(2)[0].shape[1] != WIDE:
        raise SystemExit(f"{lean.path} is narrower already; export the reader again first")
    before, now = Alone(lean), Alone(lean)
    chance = random.Random(SEED)
    pieces = [pieces_of(text).ids for text in chance.sample(texts, len(texts))]
    aside, kept = pieces[:800], pieces[800:]
    with torch.no_grad():
        groups = list(_groups(kept[:TEXTS]))
        xs, wanted = ([before.begun(ids) for ids, _ in groups] for _ in range(2))
        for old, new in zip(before.layers, now.layers, strict=True):
            xs = [new.looked(x, absent) for x, (_, absent) in zip(xs, groups, strict=True)]
            asked = [old.looked(x, absent) for x, (_, absent) in zip(wanted, groups, strict=True)]
            rows = [absent[:, 0, 0] == 0 for _, absent in groups]
            thin(
                new,
                [x[there] for x, there in zip(xs, rows, strict=True)],
                [x[there] + _inner(old, x[there]) for x, there in zip(asked, rows, strict=True)],
                wide,
            )
            xs, wanted = [new.after(x + _inner(new, x)) for x in xs], [old.after(x + _inner(old, x)) for x in asked]
        print(f"{wide} of {WIDE}: off by {off(before, now, aside):.4f}", flush=True)
    learn(before, now, kept, steps)
    print(f"learned: off by {off(before, now, aside):.4f}")
    _put_back(lean, now)


def _inner(layer: Layer, x: Tensor) -> Tensor:
    return layer.narrow(F.gelu(layer.widen(x)))


def _groups(pieces: Sequence[Sequence[int]], together: int = TOGETHER) -> Iterator[Group]:
    """Texts of about one length, side by side."""
    some: list[Sequence[int]] = []
    for one in sorted(pieces, key=len):
        some.append(one)
        if len(some) * len(one) >= together:
            yield _side_by_side(some)
            some = []
    if some:
        yield _side_by_side(some)


def _side_by_side(some: Sequence[Sequence[int]]) -> Group:
    longest = max(map(len, some))
    ids, absent = torch.zeros(len(some), longest, dtype=torch.long), torch.full((len(some), longest), ABSENT)
    for row, one in enumerate(some):
        ids[row, : len(one)] = torch.tensor(one)
        absent[row, : len(one)] = 0
    return ids, absent[:, None, None, :]


@torch.no_grad()
def off(before: Alone, now: Alone, pieces: Sequence[Sequence[int]]) -> float:
    """How far what is made of these is from what was made before, as a share of it."""
    far = whole = 0.0
    for ids, absent in _groups(pieces):
        there = absent[:, 0, 0] == 0
        was = before(ids, absent)[there]
        far += float((now(ids, absent)[there] - was).square().sum())
        whole += float(was.square().sum())
    return far / whole


def learn(before: Alone, now: Alone, pieces: Sequence[Sequence[int]], steps: int) -> None:
    """To make of texts what was made of them before, and of that what later messages look at."""
    chance = random.Random(SEED)
    weights = [weight for layer in now.layers for weight in layer.parameters()]
    turn = torch.optim.AdamW(weights, lr=RATE, betas=(0.9, 0.98), weight_decay=0.0)
    begun, lost = time.monotonic(), 0.0
    for step, (ids, absent) in zip(range(1, steps + 1), _shuffled(pieces, chance), strict=False):
        for group in turn.param_groups:
            group["lr"] = RATE * min(1.0, step / 50) * max(0.02, 0.5 * (1 + math.cos(math.pi * step / steps)))
        there = absent[:, 0, 0] == 0
        with torch.no_grad():
            wanted = before(ids, absent)[there]
        loss = _loss(now(ids, absent)[there], wanted, now.left)
        turn.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(weights, 1.0)
        turn.step()
        lost += loss.item()
        if step % 100 == 0:
            print(f"step {step} of {steps}: {lost / 100:.4f}, {time.monotonic() - begun:.0f} s", flush=True)
            lost = 0.0


def _shuffled(pieces: Sequence[Sequence[int]], chance: random.Random) -> Iterator[Group]:
    """Over and over, each time in other company."""
    while True:
        order = chance.sample(pieces, len(pieces))
        groups = [g for at in range(0, len(order), 4096) for g in _groups(order[at : at + 4096])]
        yield from chance.sample(groups, len(groups))


def _loss(made: Tensor, wanted: Tensor, left: Tensor) -> Tensor:
    loss = (made - wanted).square().sum() / wanted.square().sum()
    parts = left.split(WIDTH, 1)
    for part in parts:
        is_wanted = wanted @ part
        loss = loss + (made @ part - is_wanted).square().sum() / (is_wanted - is_wanted.mean(0)).square().sum()
    return loss / (1 + len(parts))


# --- what is missed least -------------------------------------------------------------------------------------------


def thin(layer: Layer, xs: Sequence[Tensor], wanted: Sequence[Tensor], wide: int) -> None:
    """Leave so many numbers between the last two products that their sum with the input comes closest to this."""
    count, inside, outside = 0, torch.zeros(WIDE, dtype=torch.float64), torch.zeros(WIDTH, dtype=torch.float64)
    squares = torch.zeros(WIDE, WIDE, dtype=torch.float64)
    across = torch.zeros(WIDE, WIDTH, dtype=torch.float64)
    for x, all_of_it in zip(xs, wanted, strict=True):
        found, asked = F.gelu(layer.widen(x)).double(), (all_of_it - x).double()
        squares += found.T @ found
        across += found.T @ asked
        inside, outside, count = inside + found.sum(0), outside + asked.sum(0), count + len(x)
    inside, outside = inside / count, outside / count
    squares -= count * torch.outer(inside, inside)
    across -= count * torch.outer(inside, outside)
    pull = 1e-4 * squares.diagonal().mean()  # to the weights of before
    squares += pull * torch.eye(WIDE)
    weight = torch.linalg.solve(squares, across + pull * layer.narrow.weight.data.T.double())
    kept, weight = _least_missed(squares, weight, WIDE - wide)
    _set(layer.narrow, weight[kept].T.float(), (outside - inside @ weight).float())
    _set(layer.widen, layer.widen.weight.data[kept], layer.widen.bias.data[kept])


def _least_missed(squares: Tensor, weight: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """Take out one row after the other, and let the others make up for it (the optimal brain surgeon)."""
    inverse, kept = torch.linalg.inv(squares), torch.ones(len(weight), dtype=torch.bool)
    for _ in range(count):
        missed = weight.square().sum(1) / inverse.diagonal()
        one = int(missed.masked_fill(~kept, math.inf).argmin())
        by_others = inverse[:, one] / inverse[one, one]
        weight = weight - torch.outer(by_others, weight[one])
        inverse = inverse - torch.outer(by_others, inverse[one])
        inverse[one], inverse[:, one], inverse[one, one] = 0.0, 0.0, 1.0
        kept[one], weight[one] = False, 0.0
    return kept, weight


# --- the layers that look at what came before -----------------------------------------------------------------------


def narrow_looking(folder: Path, found: Sequence[Example], wide: int) -> None:
    lean = Lean(folder / "read.onnx")
    some = random.Random(SEED).sample(found, min(READ, len(found)))
    for number, layer in enumerate(UPPER):
        widen, narrow = 4 * number + 2, 4 * number + 3
        inputs = [torch.tensor(x) for x in _seen(folder, lean.products[widen].input[0], some)]
        one = Layer(0.0)
        for part, at in ((one.widen, widen), (one.narrow, narrow)):
            weight, bias = lean.product(at)
            _set(part, weight.T, bias)
        with torch.no_grad():
            thin(one, inputs, [x + _inner(one, x) for x in inputs], wide)
        lean.put_product(widen, one.widen.weight.data.T, one.widen.bias.data)
        lean.put_product(narrow, one.narrow.weight.data.T, one.narrow.bias.data)
        lean.save()
        print(f"layer {layer}: {wide} of {WIDE}")


def _seen(folder: Path, name: str, found: Sequence[Example]) -> list[NDArray[np.float32]]:
    """What goes by this name while messages are read in their context."""
    model = onnx.load(folder / "read.onnx")
    model.graph.output.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["pieces", WIDTH]))
    seen: list[NDArray[np.float32]] = []
    with tempfile.TemporaryDirectory() as aside:
        onnx.save(model, Path(aside) / "read.onnx")

        class Watched(Network):
            def __call__(self, **inputs: NDArray[np.generic]) -> list[NDArray[np.generic]]:
                *told, rows = super().__call__(**inputs)
                seen.append(np.array(rows))
                return told

        reader = BundledReader(folder)
        reader._read = Watched(Path(aside) / "read.onnx")
        for example in found:
            reader.judge(example.message, lines_of(example), talk=example.talk)
    return seen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="an exported reader, which is changed in its place")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--written", type=Path, default=Path(__file__).parent / "conversations")
    parser.add_argument("--wide", type=int, default=1024)
    parser.add_argument("--steps", type=int, default=1800)
    parser.add_argument("--fold", type=int, choices=range(FOLDS), help="leave out the texts of this one")
    options = parser.parse_args()
    torch.manual_seed(SEED)
    found = [
        e
        for e in examples(options.data, options.written)
        if not e.source.endswith("_dev") and (options.fold is None or fold_of(e.group, FOLDS) != options.fold)
    ]
    texts = sorted({text for e in found for text in (e.message, *(line.text for line in e.context)) if text.strip()})
    print(f"{len(texts):,} texts of {len(found):,} messages")
    narrow_alone(options.folder, texts, options.wide, options.steps)
    narrow_looking(options.folder, [e for e in found if e.context], options.wide)


if __name__ == "__main__":
    main()
