"""MiniLM with narrower layers, to begin from: `python -m training.narrow --weights model.safetensors --data DIR --out FILE`.

Most of what a layer costs are its last two products, into 1,536 numbers and back. Many of these numbers can be made up
for by the others. Here a third of them is taken out of each layer, the one that is missed least first, and after each
the rest is weighed anew. Then the layers learn once more to make of texts what they made before. No label is looked at.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from anaphora.models.pieces import pieces_of
from training.examples import examples
from training.model import NAMES, Layer, Reader, Shape, load_minilm
from training.sizes import DEPTH, MINILM_WIDE, WIDE, WIDTH
from training.weights import pack

SEED = 12
TEXTS = 6000  # by which it is found out what is missed least
ASIDE = 800  # by which it is measured how far off it is
TOGETHER = 12_000  # pieces in one step of learning
RATE = 3e-4
ABSENT = -1e4

Group = tuple[Tensor, Tensor]  # texts of about one length: their pieces, and what is added where there is none


def narrowed(weights: Path, texts: Sequence[str], steps: int, device: str) -> Reader:
    before, now = (Reader(Shape(DEPTH, MINILM_WIDE), dropout=0.0).to(device) for _ in range(2))
    load_minilm(before, weights)
    load_minilm(now, weights)
    chance = random.Random(SEED)
    pieces = [pieces_of(text).ids for text in chance.sample(texts, len(texts))]
    aside, kept = pieces[:ASIDE], pieces[ASIDE:]
    _thin_all(before, now, [(ids.to(device), absent.to(device)) for ids, absent in _groups(kept[:TEXTS])])
    print(f"{WIDE} of {MINILM_WIDE}: off by {off(before, now, aside, device):.4f}", flush=True)
    learn(before, now, kept, steps, device)
    print(f"learned: off by {off(before, now, aside, device):.4f}", flush=True)
    return now


@torch.no_grad()
def _thin_all(before: Reader, now: Reader, groups: Sequence[Group]) -> None:
    xs, wanted = ([before.embed(ids) for ids, _ in groups] for _ in range(2))
    rows = [absent[:, 0, 0] == 0 for _, absent in groups]
    for old, new in zip(before.layers, now.layers, strict=True):
        xs = [new.looked(x, absent) for x, (_, absent) in zip(xs, groups, strict=True)]
        asked = [old.looked(x, absent) for x, (_, absent) in zip(wanted, groups, strict=True)]
        thin(
            new,
            [x[there] for x, there in zip(xs, rows, strict=True)],
            [x[there] + _inner(old, x[there]) for x, there in zip(asked, rows, strict=True)],
        )
        xs, wanted = [new.after(x + _inner(new, x)) for x in xs], [old.after(x + _inner(old, x)) for x in asked]


def _inner(layer: Layer, x: Tensor) -> Tensor:
    inner: Tensor = layer.narrow(F.gelu(layer.widen(x)))
    return inner


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


def _made(reader: Reader, ids: Tensor, absent: Tensor) -> list[Tensor]:
    """What each layer makes of texts."""
    x, made = reader.embed(ids), []
    for layer in reader.layers:
        x = layer(x, absent)
        made.append(x)
    return made


@torch.no_grad()
def off(before: Reader, now: Reader, pieces: Sequence[Sequence[int]], device: str) -> float:
    """How far what is made of these is from what was made before, as a share of it."""
    far = whole = 0.0
    for ids, absent in _groups(pieces):
        there = absent[:, 0, 0] == 0
        was, made = (_made(one, ids.to(device), absent.to(device))[-1][there.to(device)] for one in (before, now))
        far += float((made - was).square().sum())
        whole += float(was.square().sum())
    return far / whole


def learn(before: Reader, now: Reader, pieces: Sequence[Sequence[int]], steps: int, device: str) -> None:
    """To make of texts what was made of them before, layer by layer."""
    chance = random.Random(SEED)
    weights = [weight for layer in now.layers for weight in layer.parameters()]
    turn = torch.optim.AdamW(weights, lr=RATE, betas=(0.9, 0.98), weight_decay=0.0)
    begun, lost = time.monotonic(), 0.0
    for step, (ids, absent) in zip(range(1, steps + 1), _shuffled(pieces, chance), strict=False):
        for group in turn.param_groups:
            group["lr"] = RATE * min(1.0, step / 50) * max(0.02, 0.5 * (1 + math.cos(math.pi * step / steps)))
        there = (absent[:, 0, 0] == 0).to(device)
        with torch.autocast(device, torch.bfloat16):
            with torch.no_grad():
                wanted = _made(before, ids.to(device), absent.to(device))
            made = _made(now, ids.to(device), absent.to(device))
        loss = torch.stack([_apart(one[there], was[there]) for one, was in zip(made, wanted, strict=True)]).mean()
        turn.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(weights, 1.0)
        turn.step()
        lost += loss.item()
        if step % 200 == 0:
            print(f"step {step} of {steps}: {lost / 200:.4f}, {time.monotonic() - begun:.0f} s", flush=True)
            lost = 0.0


def _apart(made: Tensor, wanted: Tensor) -> Tensor:
    return (made.float() - wanted.float()).square().sum() / wanted.float().square().sum()


def _shuffled(pieces: Sequence[Sequence[int]], chance: random.Random) -> Iterator[Group]:
    """Over and over, each time in other company."""
    while True:
        order = chance.sample(pieces, len(pieces))
        groups = [g for at in range(0, len(order), 4096) for g in _groups(order[at : at + 4096])]
        yield from chance.sample(groups, len(groups))


def thin(layer: Layer, xs: Sequence[Tensor], wanted: Sequence[Tensor]) -> None:
    """Leave so many numbers between the last two products that their sum with the input comes closest to this."""
    precise = {"dtype": torch.float64, "device": xs[0].device}
    count, inside, outside = 0, torch.zeros(MINILM_WIDE, **precise), torch.zeros(WIDTH, **precise)
    squares = torch.zeros(MINILM_WIDE, MINILM_WIDE, **precise)
    across = torch.zeros(MINILM_WIDE, WIDTH, **precise)
    for x, all_of_it in zip(xs, wanted, strict=True):
        found, asked = F.gelu(layer.widen(x)).double(), (all_of_it - x).double()
        squares += found.T @ found
        across += found.T @ asked
        inside, outside, count = inside + found.sum(0), outside + asked.sum(0), count + len(x)
    inside, outside = inside / count, outside / count
    squares -= count * torch.outer(inside, inside)
    across -= count * torch.outer(inside, outside)
    pull = 1e-4 * squares.diagonal().mean()  # to the weights of before
    squares += pull * torch.eye(MINILM_WIDE, **precise)
    weight = torch.linalg.solve(squares, across + pull * layer.narrow.weight.data.T.double())
    kept, weight = _least_missed(squares, weight, MINILM_WIDE - WIDE)
    _set(layer.narrow, weight[kept].T.float(), (outside - inside @ weight).float())
    _set(layer.widen, layer.widen.weight.data[kept], layer.widen.bias.data[kept])


def _set(part: nn.Linear, weight: Tensor, bias: Tensor) -> None:
    part.weight, part.bias = nn.Parameter(weight.clone()), nn.Parameter(bias.clone())


def _least_missed(squares: Tensor, weight: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """Take out one row after the other, and let the others make up for it (the optimal brain surgeon)."""
    inverse = torch.linalg.inv(squares)
    kept = torch.ones(len(weight), dtype=torch.bool, device=weight.device)
    for _ in range(count):
        missed = weight.square().sum(1) / inverse.diagonal()
        one = int(missed.masked_fill(~kept, math.inf).argmin())
        by_others = inverse[:, one] / inverse[one, one]
        weight = weight - torch.outer(by_others, weight[one])
        inverse = inverse - torch.outer(by_others, inverse[one])
        inverse[one], inverse[:, one], inverse[one, one] = 0.0, 0.0, 1.0
        kept[one], weight[one] = False, 0.0
    return kept, weight


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--written", type=Path, default=Path(__file__).parent / "conversations")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parser.parse_args()
    torch.manual_seed(SEED)
    found = [e for e in examples(options.data, options.written) if not e.source.endswith("_dev")]
    texts = sorted({text for e in found for text in (e.message, *(line.text for line in e.context)) if text.strip()})
    print(f"{len(texts):,} texts of {len(found):,} messages")
    state = narrowed(options.weights, texts, options.steps, options.device).state_dict()
    pack({name: state[name] for name in NAMES}, options.out)


if __name__ == "__main__":
    main()
