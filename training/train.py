"""Trains the reader: `python -m training.train --weights model.safetensors --data DIR --out DIR [--fold K]`.

With `--fold` the groups of that fold are left out and judged afterwards; what the network says of them is written to
`judged-K.json.gz`. Without it everything labelled is learned from, and `reader.pt` is the network to export.
"""

from __future__ import annotations

import argparse
import copy
import gzip
import json
import math
import queue
import random
import re
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional as F

from anaphora.models.judging import MARKS, Outputs, Seen, chosen_lines, judgement, marks_of, words_in
from anaphora.models.pieces import LONGEST, Pieces, pieces_of
from anaphora.ports import Line as ReadLine
from anaphora.understanding.requests import request_in
from training.examples import BARE, INTENTS, KINDS, LINKS, Example, Line, examples, fold_of
from training.model import DISTANCES, Batch, Reader, Shape, load_minilm
from training.sizes import FOLDS, WIDE
from training.weights import pack, quantized, unpack

SEED = 20261117
RATES = {
    "weigh": 50.0,
    "nearness": 50.0,
    "rarity": 50.0,
    "distance": 50.0,
    "layers": 1.0,
    "after_words": 1.0,
    "places": 1.0,
    "kinds": 1.0,
}
WARM = 0.1  # of the training in which it gets faster
# How often an epoch goes through each source: first to learn broadly, then to learn from what is real.
BROADLY = {"devchat": 2.0, "codechat": 2.0, "gecor": 0.7, "cast": 2.0, "canard": 0.8, "tiage": 0.8, "entities": 0.4}
REAL = {"devchat": 4.0, "codechat": 4.0, "gecor": 0.7, "cast": 3.0, "canard": 0.8, "tiage": 0.8, "entities": 0.4}
WRITTEN = (1.4, 0.5)
# Written after the real chats, stream by stream and in their manner: as good as real.
LIKE = {"likedev": (0.7, 1.0), "likecode": (0.7, 1.0)}
# Of what was written later a part, so that no way of talking is forgotten over another.
PART = {
    **dict.fromkeys(
        ["coder", "crew", "drill", "frames", "homework", "learner", "promptcode", "prompttext", "studio"], 0.25
    ),
    **dict.fromkeys(["again", "aside", "errand", "pronoun", "reply"], 0.5),
    **dict.fromkeys(["agent", "snap"], 0.4),
}
TOLD = {"note": 2.0}  # and of what was written: asides that stand alone, which no other source has
WRITTEN_WEIGHT = 0.5  # of judgements on what was written: whoever writes sees boundaries and gaps that people leave out
BARELY = 0.35  # of that, for what comes after bare words
BARELY_REAL = 0.8  # and of what is real: a memory mostly sees earlier messages as they were said
AS_REAL = ("devchat", "codechat", *LIKE)
NEVER = ("tiage_dev", "entities_dev")
IGNORED = -100
WIDTHS = (12, 24, 48, LONGEST)  # pieces of the texts that go through the network at once
FEW = 16  # texts that are not worth a turn of their own


@dataclass
class Prepared:
    example: Example
    pieces: Pieces
    lines: list[tuple[int, Pieces]]  # number in the example's context, pieces; the oldest first
    tags: np.ndarray
    inserts: np.ndarray
    links: list[tuple[int, int]]  # (piece of the message, link)
    points: list[tuple[int, np.ndarray]]  # (piece of the message, target over the context: 1, 0 or ignored)
    entities: np.ndarray
    marks: np.ndarray


def prepare(example: Example, cache: dict[str, Pieces]) -> Prepared:
    def cut(text: str) -> Pieces:
        if text not in cache:
            cache[text] = pieces_of(text)
        return cache[text]

    pieces = cut(example.message)
    lines = [(n, cut(line.text)) for n, line in enumerate(example.context)]
    count = chosen_lines([len(p) for _, p in lines])
    lines = lines[len(lines) - count :]
    tags = np.full(len(pieces), IGNORED, np.int64)
    inserts = np.full(len(pieces), -1.0, np.float32)
    links: list[tuple[int, int]] = []
    points: list[tuple[int, np.ndarray]] = []
    if example.edits is not None:
        tags[1:-1] = 0
        inserts[1:] = 0.0
        for edit in example.edits:
            place = _mark(edit.span, pieces, tags, inserts, len(example.message))
            if place is None:
                continue
            links.append((place, LINKS.index(edit.link)))
            points.append((place, _target(edit.sources, lines)))
        _add_unfound(example, lines, points)
    points = [(place, target) for place, target in points if (target == 1).any()]
    return Prepared(
        example,
        pieces,
        lines,
        tags,
        inserts,
        links,
        points,
        _entity_tags(example, pieces),
        marks_of(pieces, [(_read_line(example.context[n]), p, range(len(p))) for n, p in lines]),
    )


def _read_line(line: Line) -> ReadLine:
    return ReadLine(line.text, line.mine, request_in(line.text) if line.mine else None)


def _mark(span: tuple[int, int], pieces: Pieces, tags: np.ndarray, inserts: np.ndarray, length: int) -> int | None:
    start, end = span
    inner = range(1, len(pieces) - 1)
    if start == end:
        at = next((i for i in inner if pieces.spans[i][0] >= start), len(pieces) - 1)
        if start < length - 3 and at == len(pieces) - 1:
            return None
        inserts[at] = 1.0
        return at
    inside = [i for i in inner if pieces.spans[i][0] < end and pieces.spans[i][1] > start]
    if not inside:
        return None
    tags[inside[0]] = 1
    for i in inside[1:]:
        tags[i] = 2
    return inside[0]


def _target(sources: Sequence[tuple[int, tuple[int, int]]], lines: Sequence[tuple[int, Pieces]]) -> np.ndarray:
    """1 for the pieces taken over; other pieces with the same words are left out of the count."""
    marked = [np.zeros(len(p), np.float32) for _, p in lines]
    taken: set[int] = set()
    for number, (start, end) in sources:
        for place, (n, p) in enumerate(lines):
            if n == number:
                for i in range(1, len(p) - 1):
                    if p.spans[i][0] < end and p.spans[i][1] > start:
                        marked[place][i] = 1.0
                        taken.add(p.ids[i])
    for place, (_, p) in enumerate(lines):
        marked[place][0] = marked[place][-1] = 0.0
        for i in range(1, len(p) - 1):
            if marked[place][i] == 0.0 and p.ids[i] in taken:
                marked[place][i] = -1.0
    return np.concatenate(marked) if marked else np.zeros(0, np.float32)


def _add_unfound(
    example: Example, lines: Sequence[tuple[int, Pieces]], points: Sequence[tuple[int, np.ndarray]]
) -> None:
    """Words that are meant and stand outside of the stretches taken over, or in a part of them that is not read: where
    they were said last, if one place alone stands for what is meant; else they count neither way."""
    missing = set(example.left_out())
    said: dict[str, list[list[int]]] = defaultdict(list)  # of each word the pieces, each time it is said
    start = 0
    for number, pieces in lines:
        text = example.context[number].text
        for place, found in _said_of(text, pieces, missing):
            said[found].append([start + i for i in place])
        start += len(pieces)
    taken = {word for word, places in said.items() for _, t in points for place in places if (t[place] == 1).any()}
    for word in said.keys() - taken:
        for _, target in points:
            for place in said[word]:
                target[place] = -1.0
            if len(points) == 1:
                target[said[word][-1]] = 1.0


def _said_of(text: str, pieces: Pieces, wanted: set[str]) -> Iterator[tuple[list[int], str]]:
    at = 1
    for found in re.finditer(r"[A-Za-z0-9_]+", text):
        if found[0].lower() not in wanted:
            continue
        start, end = found.span()
        while at < len(pieces) - 1 and pieces.spans[at][1] <= start:
            at += 1
        inside = [i for i in range(at, len(pieces) - 1) if pieces.spans[i][0] < end and pieces.spans[i][1] > start]
        if inside:
            yield inside, found[0].lower()


def _entity_tags(example: Example, pieces: Pieces) -> np.ndarray:
    tags = np.full(len(pieces), IGNORED, np.int64)
    if example.entities is None:
        return tags
    tags[1:-1] = 0
    for (start, end), kind in example.entities:
        inside = [i for i in range(1, len(pieces) - 1) if pieces.spans[i][0] < end and pieces.spans[i][1] > start]
        for order, i in enumerate(inside):
            tags[i] = 1 + 2 * KINDS.index(kind) + (1 if order else 0)
    return tags


# --- batches ------------------------------------------------------------------------------------------------------


def collate(rows: Sequence[Prepared]) -> tuple[Batch, dict[str, torch.Tensor]]:
    seen: dict[int, int] = {}
    texts: list[Pieces] = []
    for row in rows:
        for p in (row.pieces, *(p for _, p in row.lines)):
            if id(p) not in seen:
                seen[id(p)] = len(texts)
                texts.append(p)
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    texts = [texts[i] for i in order]
    seen = {id(p): i for i, p in enumerate(texts)}
    width = len(texts[-1])
    ids = np.zeros((len(texts), width), np.int64)
    text_mask = np.zeros_like(ids)
    for i, p in enumerate(texts):
        ids[i, : len(p)] = p.ids
        text_mask[i, : len(p)] = 1
    parts, said = _parts(texts, text_mask)
    m = max(len(row.pieces) for row in rows)
    t = max([sum(len(p) for _, p in row.lines) for row in rows] + [1])
    b = len(rows)
    starts = np.cumsum([0, *map(len, texts)])
    own, gather = np.full((b, m), starts[-1]), np.full((b, t), starts[-1])
    mask = np.zeros((b, m), np.int64)
    distances = np.zeros((b, t), np.int64)
    there = np.zeros((b, t), np.int64)
    marks = np.zeros((b, t, MARKS), np.float32)
    tags = np.full((b, m), IGNORED, np.int64)
    inserts = np.full((b, m), -1.0, np.float32)
    ents = np.full((b, m), IGNORED, np.int64)
    links, points, targets = [], [], []
    for k, row in enumerate(rows):
        n = len(row.pieces)
        own[k, :n], mask[k, :n] = starts[seen[id(row.pieces)]] + np.arange(n), 1
        tags[k, :n], inserts[k, :n], ents[k, :n] = row.tags, row.inserts, row.entities
        at = 0
        marks[k, : sum(len(p) for _, p in row.lines)] = row.marks
        for number, p in row.lines:
            far = min(len(row.example.context) - 1 - number, DISTANCES - 1)
            gather[k, at : at + len(p)] = starts[seen[id(p)]] + np.arange(len(p))
            distances[k, at : at + len(p)] = 2 * far + (0 if row.example.context[number].mine else 1)
            there[k, at : at + len(p)] = 1
            at += len(p)
        links += [(k, i, link) for i, link in row.links]
        for i, target in row.points:
            padded = np.full(t, -1.0, np.float32)
            padded[: len(target)] = target
            points.append((k, i))
            targets.append(padded)
    arrays = (ids, text_mask, said, own, mask, gather, distances, there, marks)
    batch = Batch(*(torch.from_numpy(a) for a in arrays), parts)
    pointing = sorted({k for k, _ in points})
    points = [(pointing.index(k), i) for k, i in points]
    gold = {
        "tags": torch.from_numpy(tags),
        "inserts": torch.from_numpy(inserts),
        "entities": torch.from_numpy(ents),
        "links": torch.tensor(links, dtype=torch.int64).reshape(-1, 3),
        "points": torch.tensor(points, dtype=torch.int64).reshape(-1, 2),
        "pointing": torch.tensor(pointing, dtype=torch.int64),
        "targets": torch.from_numpy(np.stack(targets)) if targets else torch.zeros(0, t),
        "boundary": torch.tensor([_bit(r.example.boundary) for r in rows]),
        "talk": torch.tensor([r.example.talk for r in rows]),
        "needs": torch.tensor([_bit(r.example.needs) for r in rows]),
        "intents": torch.tensor([_intent_target(r.example.intents) for r in rows]),
        "weight": torch.tensor([_weight(r.example.source.removesuffix(BARE)) for r in rows]),
    }
    return batch, gold


def _parts(texts: Sequence[Pieces], mask: np.ndarray) -> tuple[tuple[tuple[int, int, int, int], ...], np.ndarray]:
    """Texts of like length, and where in them a piece is."""
    parts, said = [], []
    start = 0
    while start < len(texts):
        most = next(w for w in WIDTHS if len(texts[start]) <= w)
        end = next((i for i in range(start, len(texts)) if len(texts[i]) > most), len(texts))
        end = end if len(texts) - end > FEW else len(texts)
        width = len(texts[end - 1])
        there = np.flatnonzero(mask[start:end, :width])
        parts.append((start, end, width, len(there)))
        said.append(there)
        start = end
    return tuple(parts), np.concatenate(said)


def _weight(source: str) -> float:
    return 1.0 if source in REAL or source in LIKE else WRITTEN_WEIGHT


def _bit(value: bool | None) -> float:
    return -1.0 if value is None else float(value)


def _intent_target(names: Sequence[str]) -> list[float]:
    target = [0.0] * len(INTENTS)
    for order, name in enumerate(names):
        share = 1.0 if len(names) == 1 else 0.7 if order == 0 else 0.3 / (len(names) - 1)
        target[INTENTS.index(name)] += share
    return target


def loss_of(outputs: tuple[torch.Tensor, ...], gold: dict[str, torch.Tensor]) -> torch.Tensor:
    judged, edits, entities, pointers = (o.float() for o in outputs)
    new = torch.where(gold["talk"], judged[:, 1], judged[:, 0])
    weight = gold["weight"]
    total = _bce(new, gold["boundary"], weight=weight) + _bce(judged[:, 2], gold["needs"], weight=weight)
    known = (gold["intents"].sum(1) > 0).float()
    each = F.cross_entropy(judged[:, 3:], gold["intents"], reduction="none")
    total = total + _mean(each * weight, known)
    tagged = (gold["tags"] != IGNORED).float()
    of_tag = torch.tensor([1.0, 3.0, 2.0], device=edits.device)[gold["tags"].clamp(min=0)] * tagged
    each = F.cross_entropy(edits[..., :3].flatten(0, 1), gold["tags"].flatten(), reduction="none", ignore_index=IGNORED)
    total = total + 1.5 * (each * of_tag.flatten()).sum() / of_tag.sum().clamp(min=1.0)
    total = total + 4.0 * _bce(edits[..., 3], gold["inserts"], positive=3.0)
    if len(gold["links"]):
        k, i, link = gold["links"].T
        total = total + 0.3 * F.cross_entropy(edits[k, i, 4:], link)
    if len(gold["points"]):
        k, i = gold["points"].T
        row, target = pointers[k, i], gold["targets"]
        total = total + 10.0 * _bce(row, target, positive=2.0)
        # the words taken over against all others: what is left of the probability is lost
        share = torch.log_softmax(row.masked_fill(target < 0, -1e4), -1)
        right = share.masked_fill(target < 0.5, -1e4).logsumexp(-1)
        total = total - 0.5 * right.mean()
    named = (gold["entities"] != IGNORED).float().flatten()
    each = F.cross_entropy(entities.flatten(0, 1), gold["entities"].flatten(), reduction="none", ignore_index=IGNORED)
    return total + _mean(each, named)


def apart(outputs: tuple[torch.Tensor, ...], gold: dict[str, torch.Tensor]) -> torch.Tensor:
    """How differently two passes over the same rows, one after the other, judge, each with other parts of the network
    switched off."""
    (judged, judged2), (edits, edits2), _, (pointers, pointers2) = (o.float().chunk(2) for o in outputs)
    gold = {name: of.chunk(2)[0] for name, of in gold.items()}
    talk, known, tagged = gold["talk"], (gold["needs"] >= 0).float(), (gold["tags"] != IGNORED).float()
    new, new2 = (torch.where(talk, of[:, 1], of[:, 0]) for of in (judged, judged2))
    total = _unlike(new, new2).mean()
    total = total + _mean(_unlike(judged[:, 2], judged2[:, 2]), known)
    total = total + _mean(_unlike_shares(judged[:, 3:], judged2[:, 3:]), known)
    total = total + 1.5 * _mean(_unlike_shares(edits[..., :3], edits2[..., :3]), tagged)
    total = total + 4.0 * _mean(_unlike(edits[..., 3], edits2[..., 3]), tagged)
    if len(gold["points"]):
        k, i = gold["points"].T
        there = (gold["targets"] >= 0).float()
        total = total + 10.0 * _mean(_unlike(pointers[k, i], pointers2[k, i]), there)
    return total


def twofold(gold: dict[str, torch.Tensor], rows: int) -> dict[str, torch.Tensor]:
    """What is known of rows that are read twice, one pass after the other."""
    asked = len(gold["pointing"])
    again = dict(gold)
    for name, further in (("links", rows), ("points", asked)):
        again[name] = gold[name] + torch.tensor([further] + [0] * (gold[name].shape[1] - 1), device=gold[name].device)
    return {name: torch.cat([gold[name], again[name]]) for name in gold}


def _mean(each: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
    return (each * counts).sum() / counts.sum().clamp(min=1.0)


def _unlike(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """The mean of both divergences of two chances that are given as logits."""
    return 0.5 * (torch.sigmoid(a) - torch.sigmoid(b)) * (a - b)


def _unlike_shares(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    shares = torch.softmax(a, -1) - torch.softmax(b, -1)
    return 0.5 * (shares * (torch.log_softmax(a, -1) - torch.log_softmax(b, -1))).sum(-1)


def _bce(
    logits: torch.Tensor, target: torch.Tensor, positive: float = 1.0, weight: torch.Tensor | None = None
) -> torch.Tensor:
    known = (target >= 0).float()
    each = F.binary_cross_entropy_with_logits(logits, target.clamp(min=0.0), reduction="none")
    each = each * (1.0 + (positive - 1.0) * target)
    return _mean(each if weight is None else each * weight, known)


# --- training -----------------------------------------------------------------------------------------------------


def epoch_rows(
    rows: Sequence[Prepared], rng: random.Random, often: Mapping[str, float], *, real: bool
) -> list[Prepared]:
    chosen: list[Prepared] = []
    for row in rows:
        source = row.example.source.removesuffix(BARE)
        times = _times(source, often, real=real)
        if source != row.example.source:
            times *= BARELY_REAL if source in AS_REAL else BARELY
        chosen += [row] * (int(times) + (rng.random() < times % 1))
    rng.shuffle(chosen)
    return chosen


def _times(source: str, often: Mapping[str, float], *, real: bool) -> float:
    if often:
        return often.get(source, 0.0 if source in REAL else often.get("written", 0.0) * PART.get(source, 1.0))
    if source in LIKE:
        return LIKE[source][real]
    return (REAL if real else BROADLY).get(source, TOLD.get(source, WRITTEN[real] * PART.get(source, 1.0)))


def batches(rows: list[Prepared], size: int, *, together: bool) -> Iterator[tuple[Batch, dict[str, torch.Tensor]]]:
    """Of like length, in a random order; put together in a thread ahead of the network. With messages of one
    conversation `together` each earlier message is read once for all of them, which is what a processor needs."""
    rng = random.Random(len(rows))
    grouped: list[list[Prepared]] = []
    if together:
        by_group: dict[str, list[Prepared]] = defaultdict(list)
        for row in rows:
            by_group[row.example.group].append(row)
        rows = [row for group in by_group.values() for row in sorted(group, key=lambda r: r.example.id)]
        grouped = [rows[i : i + size] for i in range(0, len(rows), size)]
    for at in range(0, 0 if together else len(rows), size * 16):
        part = sorted(rows[at : at + size * 16], key=lambda r: sum(len(p) for _, p in r.lines))
        grouped += [part[i : i + size] for i in range(0, len(part), size)]
    rng.shuffle(grouped)
    ready: queue.Queue[Any] = queue.Queue(8)

    def work() -> None:
        for group in grouped:
            ready.put(collate(group))
        ready.put(None)

    threading.Thread(target=work, daemon=True).start()
    while (one := ready.get()) is not None:
        yield one


def to(device: str, batch: Batch, gold: dict[str, torch.Tensor]) -> tuple[Batch, dict[str, torch.Tensor]]:
    return batch.moved(device), {name: value.to(device, non_blocking=True) for name, value in gold.items()}


def _beginning(options: argparse.Namespace) -> Reader:
    """MiniLM, or a reader that was trained before and goes on learning."""
    trained, notes = _begun(options) if options.begin else ({}, {})
    shape = Shape(options.lower, int(str(notes.get("wide", WIDE))))
    reader = Reader(shape).to(options.device)
    load_minilm(reader, options.weights)
    bytes_, scale = quantized(reader.words.weight.data)
    reader.words.weight.data = bytes_.to(scale.dtype) * scale[:, None]  # as it ships
    reader.words.weight.requires_grad_(False)  # shared with the embedder: one table on disk
    reader.load_state_dict({**reader.state_dict(), **trained})
    return reader


def _begun(options: argparse.Namespace) -> tuple[dict[str, torch.Tensor], dict[str, object]]:
    path = options.begin
    return unpack(path / f"reader-{_name(options.fold)}.pt" if path.is_dir() else path)


def _name(fold: int | None) -> str:
    return "all" if fold is None else str(fold)


def train(options: argparse.Namespace, rows: Sequence[Prepared]) -> Reader:
    torch.manual_seed(options.seed + (options.fold or 0))
    rng = random.Random(options.seed)
    reader = _beginning(options)
    trained, groups = [], []
    for name, parameter in reader.named_parameters():
        if parameter.requires_grad:
            rate = RATES.get(name.split(".")[0], 4.0)
            groups.append({"params": [parameter], "lr": options.lr * rate})
            trained.append(parameter)
    usually = [group["lr"] for group in groups]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01, fused=True)
    short = copy.deepcopy(reader).bfloat16()  # what is computed with; what is learned is kept in full
    pairs = [(a, b) for a, b in zip(reader.parameters(), short.parameters(), strict=True) if a.requires_grad]
    steps = sum(
        len(epoch_rows(rows, random.Random(1), options.often, real=_real(e, options))) // options.batch + 9
        for e in range(options.epochs)
    )
    step, done, since = 0, 0.0, time.time()
    for epoch in range(options.epochs):
        begun, total = time.time(), 0.0
        short.train()
        chosen = epoch_rows(rows, rng, options.often, real=_real(epoch, options))
        for batch, gold in batches(chosen, options.batch, together=options.device == "cpu"):
            batch, gold = to(options.device, batch, gold)
            outputs = short(batch, gold["pointing"], 2 if options.twice else 1)
            if options.twice:
                gold = twofold(gold, len(batch.own))
            loss = loss_of(outputs, gold)
            if options.twice:
                loss = loss + options.twice * apart(outputs, gold)
            short.zero_grad(set_to_none=True)
            loss.backward()
            for parameter, of_short in pairs:
                parameter.grad = None if of_short.grad is None else of_short.grad.float()
            torch.nn.utils.clip_grad_norm_(trained, 1.0)
            for group, usual in zip(optimizer.param_groups, usually, strict=True):
                group["lr"] = usual * _pace(done)
            optimizer.step()
            torch._foreach_copy_([s.data for _, s in pairs], [p.data for p, _ in pairs])
            step += 1
            done = max(step / steps, (time.time() - since) / options.seconds)
            if step % 50 == 0:
                total = loss.item()
            if done >= 1.0:
                break
        print(f"fold {options.fold} epoch {epoch} loss {total:.3f} {time.time() - begun:.0f} s", flush=True)
    return reader


def _pace(done: float) -> float:
    """How fast it learns: faster at first, then ever more slowly."""
    if done < WARM:
        return 0.04 + 0.48 * (1 - math.cos(math.pi * done / WARM))
    return 0.5 * (1 + math.cos(math.pi * min(1.0, (done - WARM) / (1 - WARM))))


def _real(epoch: int, options: argparse.Namespace) -> bool:
    return epoch >= options.epochs - 2


@torch.no_grad()
def judge(reader: Reader, rows: Sequence[Prepared], device: str) -> Iterator[tuple[Prepared, Outputs]]:
    reader.eval()
    ordered = sorted(rows, key=lambda r: sum(len(p) for _, p in r.lines))
    for at in range(0, len(ordered), 64):
        part = ordered[at : at + 64]
        batch, _ = to(device, *collate(part))
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            outputs = [o.float().cpu().numpy() for o in reader(batch)]
        for k, row in enumerate(part):
            n = len(row.pieces)
            t = sum(len(p) for _, p in row.lines)
            pointers = outputs[3][k, :n, :t].__getitem__
            yield row, Outputs(outputs[0][k], outputs[1][k, :n], outputs[2][k, :n], pointers)


def judged_rows(reader: Reader, rows: Sequence[Prepared], device: str) -> Iterator[dict[str, Any]]:
    for row, outputs in judge(reader, rows, device):
        example = row.example
        lines = [Seen(number, words_in(example.context[number].text, cut)) for number, cut in row.lines]
        pointing = partial(_to_words, outputs, [len(cut) for _, cut in row.lines], lines)
        found = judgement(example.message, row.pieces, lines, replace(outputs, pointers=pointing), talk=example.talk)
        yield {"source": example.source, "id": example.id, "judgement": asdict(found.pointed())}


def _to_words(outputs: Outputs, lengths: Sequence[int], lines: Sequence[Seen], at: Sequence[int]) -> np.ndarray:
    """What points, with the columns that belong to words."""
    assert outputs.pointers is not None
    starts = np.cumsum([0, *lengths])
    columns = [seen.words.pieces + start for seen, start in zip(lines, starts, strict=False)]
    return outputs.pointers(at)[:, np.concatenate(columns)] if columns else outputs.pointers(at)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--written", type=Path, default=Path(__file__).parent / "conversations")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--fold", type=int)
    parser.add_argument(
        "--leave-out", default="", help="sources to learn nothing from and to judge, as in devchat,gecor"
    )
    parser.add_argument("--judge", default="", help="sources to judge of what is held back; all where none is told")
    parser.add_argument("--lower", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1e9, help="learn for so long at most")
    parser.add_argument("--epochs", type=int, default=7)
    parser.add_argument("--begin", type=Path, help="readers that go on learning: a folder, or one file for all")
    parser.add_argument(
        "--often",
        type=_often,
        default={},
        help="how often an epoch goes through each source: devchat=2,likedev=1,written=0.2 (all others written)",
    )
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--lr", type=float, default=1.5e-4)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--twice", type=float, default=0.0, help="weight of agreeing with itself, pass against pass")
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2, help="two trainings at once, of one each, get further")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(options.threads)
    begun = time.time()
    found = examples(options.data, options.written)
    if options.limit:
        found = found[:: options.limit]
    cache: dict[str, Pieces] = {}
    rows = [prepare(example, cache) for example in found]
    left_out = set(options.leave_out.split(","))
    kept_out = [r.example.source.removesuffix(BARE) in left_out or _held(r.example, options.fold) for r in rows]
    judged = set(options.judge.split(",")) - {""} or {row.example.source for row in rows}
    held = [row for row, out in zip(rows, kept_out, strict=True) if out and row.example.source in judged]
    learned = [row for row, out in zip(rows, kept_out, strict=True) if not out and row.example.source not in NEVER]
    print(f"{len(learned)} to learn from, {len(held)} held back, prepared in {time.time() - begun:.0f} s", flush=True)
    reader = train(options, learned)
    name = _name(options.fold)
    state = {k: v for k, v in reader.state_dict().items() if k != "words.weight"}
    pack(state, options.out / f"reader-{name}.pt", lower=options.lower, wide=reader.shape.wide)
    with gzip.open(options.out / f"judged-{name}.json.gz", "wt") as file:
        for row in judged_rows(reader, held, options.device):
            file.write(json.dumps(row) + "\n")
    print(f"fold {options.fold} done in {time.time() - begun:.0f} s", flush=True)


def _often(text: str) -> dict[str, float]:
    return {name: float(times) for name, _, times in (one.partition("=") for one in text.split(","))}


def _held(example: Example, fold: int | None) -> bool:
    if example.source in NEVER:
        return fold in (None, 0)
    return fold is not None and example.source not in ("tiage", "entities") and fold_of(example.group, FOLDS) == fold


if __name__ == "__main__":
    main()
