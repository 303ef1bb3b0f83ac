"""The reader: MiniLM cut in two. The lower half reads each message by itself, once; the upper half reads the new
message while it looks at what the lower half made of those before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional as F

from anaphora.models.judging import DISTANCES, INTENTS, KINDS, LINES, LINKS, MARKS
from training.sizes import DEPTH, HEADS, POINTERS, WIDE, WIDTH

__all__ = ["DISTANCES", "Batch", "Reader", "Shape"]

ALIKE = LINES
TOGETHER = 16  # on a processor so many messages go through the upper half at once: those of like length
TAGS = ("outside", "begins", "inside")


@dataclass(frozen=True)
class Shape:
    lower: int = 3
    wide: int = WIDE


class Layer(nn.Module):
    """One layer of BERT whose attention may also look at a memory."""

    def __init__(self, dropout: float, wide: int = WIDE) -> None:
        super().__init__()
        self.query = nn.Linear(WIDTH, WIDTH)
        self.key = nn.Linear(WIDTH, WIDTH)
        self.value = nn.Linear(WIDTH, WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.after_attention = nn.LayerNorm(WIDTH, eps=1e-12)
        self.widen = nn.Linear(WIDTH, wide)
        self.narrow = nn.Linear(wide, WIDTH)
        self.after = nn.LayerNorm(WIDTH, eps=1e-12)
        self.dropout = Dropout(dropout)

    def forward(self, x: Tensor, bias: Tensor, memory: tuple[Tensor, Tensor] | None = None) -> Tensor:
        x = self.looked(x, bias, memory)
        return self.after(x + self.dropout(self.narrow(F.gelu(self.widen(x)))))

    def looked(self, x: Tensor, bias: Tensor, memory: tuple[Tensor, Tensor] | None = None) -> Tensor:
        keys, values = _heads(self.key(x)), _heads(self.value(x))
        if memory is not None:
            keys, values = torch.cat([keys, memory[0]], 2), torch.cat([values, memory[1]], 2)
        mixed = self._mixed(_heads(self.query(x)), keys, values, bias).transpose(1, 2).flatten(2)
        return self.after_attention(x + self.dropout(self.out(mixed)))

    def _mixed(self, asked: Tensor, keys: Tensor, values: Tensor, bias: Tensor) -> Tensor:
        if self.training and not bias.requires_grad:
            return F.scaled_dot_product_attention(asked, keys, values, bias)
        return torch.softmax(asked @ keys.transpose(-1, -2) * (WIDTH // HEADS) ** -0.5 + bias, -1) @ values


class Dropout(nn.Module):
    """The same numbers of a whole text are switched off: chance is dear on a processor."""

    def __init__(self, share: float) -> None:
        super().__init__()
        self.share = share

    def forward(self, x: Tensor) -> Tensor:
        if not self.training or not self.share:
            return x
        kept = torch.rand(len(x), 1, x.shape[-1], dtype=x.dtype, device=x.device) >= self.share
        return x * (kept.to(x.dtype) / (1.0 - self.share))


def _heads(x: Tensor) -> Tensor:
    return x.unflatten(-1, (HEADS, WIDTH // HEADS)).transpose(1, 2)


class Reader(nn.Module):
    def __init__(self, shape: Shape, dropout: float = 0.1) -> None:
        super().__init__()
        self.shape = shape
        self.words = nn.Embedding(30522, WIDTH)
        self.places = nn.Embedding(512, WIDTH)
        self.kinds = nn.Embedding(2, WIDTH)
        self.after_words = nn.LayerNorm(WIDTH, eps=1e-12)
        self.dropout = Dropout(dropout)
        self.layers = nn.ModuleList(Layer(dropout, shape.wide) for _ in range(DEPTH))
        upper = DEPTH - shape.lower
        self.distance = nn.Parameter(torch.zeros(upper, HEADS, 2 * DISTANCES))
        self.alike = nn.Linear(WIDTH, WIDTH)
        self.judge = nn.Sequential(
            nn.Linear(2 * WIDTH + 2 * ALIKE, WIDTH), nn.Tanh(), nn.Dropout(dropout), nn.Linear(WIDTH, 3 + len(INTENTS))
        )
        self.edit = nn.Linear(WIDTH, len(TAGS) + 1 + len(LINKS))
        self.entity = nn.Linear(WIDTH, 1 + 2 * len(KINDS))
        self.ask = nn.Linear(WIDTH, WIDTH)
        self.offer = nn.Linear(WIDTH, WIDTH)
        self.unasked = nn.Linear(WIDTH, 1)
        self.place = nn.Embedding(2 * DISTANCES, WIDTH)
        self.marks = nn.Linear(MARKS, WIDTH)
        self.look = nn.ModuleDict({name: nn.Linear(WIDTH, WIDTH) for name in ("query", "key", "value", "out")})
        self.after_look = nn.LayerNorm(WIDTH)
        self.think = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.GELU(), nn.Linear(WIDTH, WIDTH))
        self.after_think = nn.LayerNorm(WIDTH)
        self.weigh = nn.Parameter(torch.full((POINTERS,), 0.5))
        self.nearness = nn.Parameter(-0.25 * (torch.arange(2 * DISTANCES) // 2).float())
        self.rarity = nn.Parameter(torch.tensor(-2.0))
        for fresh in (self.place, self.marks):
            nn.init.normal_(fresh.weight, std=0.02)

    # --- parts that are exported ---

    def embed(self, ids: Tensor) -> Tensor:
        places = self.places.weight[: ids.shape[1]]
        return self.dropout(self.after_words(self.words(ids) + places + self.kinds.weight[0]))

    def encode(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Each message by itself."""
        x = self.embed(ids)
        bias = (1.0 - mask.to(x.dtype))[:, None, None, :] * -1e4
        for layer in self.layers[: self.shape.lower]:
            x = layer(x, bias)
        return x

    def encode_packed(self, batch: Batch, times: int) -> Tensor:
        """The same of texts in parts of like length, and of each only the pieces that are there; nothing comes last."""
        packed: list[Tensor] = []
        at = 0
        for start, end, width, there in batch.parts:
            ids, mask = batch.texts[start:end, :width], batch.text_mask[start:end, :width]
            states = self.encode(ids.repeat(times, 1), mask.repeat(times, 1))
            packed.append(states.unflatten(0, (times, -1)).flatten(1, 2)[:, batch.said[at : at + there]])
            at += there
        return torch.cat([*packed, packed[0].new_zeros(times, 1, WIDTH)], 1).flatten(0, 1)

    def remember(self, states: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """What a message leaves for later ones: keys and values for each upper layer, and its likeness."""
        upper = self.layers[self.shape.lower :]
        keys = torch.stack([_heads(layer.key(states)) for layer in upper], 1)
        values = torch.stack([_heads(layer.value(states)) for layer in upper], 1)
        return keys, values, F.normalize(self.alike(states).float(), dim=-1)

    def read(
        self, x: Tensor, own: Tensor, keys: Tensor, values: Tensor, likeness: Tensor, distances: Tensor, there: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The message in its context: (judgements, edits, entities, states)."""
        similar = self.similar(F.normalize(self.alike(x).float(), dim=-1), own, likeness, distances, there)
        absent = (1.0 - there)[:, None, None, :] * -1e4
        mine = ((1.0 - own) * -1e4)[:, None, None, :].expand(-1, HEADS, -1, -1)
        for number, layer in enumerate(self.layers[self.shape.lower :]):
            far = self.distance[number][:, distances].permute(1, 0, 2)[:, :, None, :] + absent
            x = layer(x, torch.cat([mine, far], -1), (keys[:, number], values[:, number]))
        kept = own[:, :, None]
        mean = (x * kept).sum(1) / kept.sum(1)
        judged = self.judge(torch.cat([x[:, 0], mean, similar.to(x.dtype)], -1))
        return judged, self.edit(x), self.entity(x), x

    def similar(self, mine: Tensor, own: Tensor, likeness: Tensor, distances: Tensor, there: Tensor) -> Tensor:
        """For each of the last messages: how much of the new one it has, piece by piece, and the two as wholes."""
        pairs = mine @ likeness.transpose(1, 2)
        whole = F.normalize((mine * own[..., None]).sum(1), dim=-1, eps=1e-4)
        found = []
        for far in range(ALIKE):
            of_it = ((distances // 2 == far) & (there > 0.5)).float() if far < ALIKE - 1 else there.float()
            best = (pairs + (of_it[:, None, :] - 1.0) * 4.0).amax(-1).clamp(min=-1.0)
            share = (best * own).sum(1) / own.sum(1)
            other = F.normalize((of_it[:, None, :] @ likeness)[:, 0], dim=-1, eps=1e-4)
            found += [share, (whole * other).sum(-1)]
        return torch.stack(found, -1)

    def point(self, x: Tensor, own: Tensor, context: Tensor, marks: Tensor, distances: Tensor, there: Tensor) -> Tensor:
        """From each piece of the message to each of the context: how likely that belongs here."""
        context = context + self.place(distances) + self.marks(marks)
        scores = _heads(self.look["query"](context)) @ _heads(self.look["key"](x)).transpose(-1, -2)
        scores = scores * (WIDTH // HEADS) ** -0.5 + ((1.0 - own) * -1e4)[:, None, None, :]
        seen = (torch.softmax(scores, -1) @ _heads(self.look["value"](x))).transpose(1, 2).flatten(2)
        context = self.after_look(context + self.look["out"](seen))
        context = self.after_think(context + self.think(context))
        asked = self.ask(x).unflatten(-1, (POINTERS, -1)).transpose(1, 2) * self.weigh[None, :, None, None]
        offered = self.offer(context).unflatten(-1, (POINTERS, -1)).transpose(1, 2)
        pointers = (asked @ offered.transpose(-1, -2)).sum(1) * (WIDTH // POINTERS) ** -0.5
        pointers = pointers + self.unasked(context).transpose(1, 2) + self.nearness[distances][:, None, :]
        return pointers + self.rarity + ((1.0 - there) * -1e4)[:, None, :]

    def forward(
        self, batch: Batch, pointing: Tensor | None = None, times: int = 1
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Where only some rows are `pointing`, those alone are asked where to. All of it `times` over, each time with
        other parts switched off."""
        packed = self.encode_packed(batch, times)
        batch = batch.over(times, len(packed) // times)
        left = self.remember(packed[None])
        flat = [of[0].permute(2, 0, 1, 3).flatten(1) for of in left[:2]]
        rows = len(batch.own) // times
        if pointing is None:
            pointing = torch.arange(rows, device=batch.own.device)
        asked = torch.cat([pointing + rows * at for at in range(times)])
        if batch.own.is_cuda:
            return self._row_by_row(batch, asked, packed, flat, left[2][0])
        return self._by_length(batch, asked, packed, flat, left[2][0])

    def _by_length(
        self, batch: Batch, pointing: Tensor, packed: Tensor, flat: Sequence[Tensor], likeness: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        asked = torch.zeros(len(batch.own), dtype=torch.bool)
        asked[pointing] = True
        width, order = batch.mask.shape[1], torch.argsort(batch.mask.sum(1))
        found = [
            self._row_by_row(_part(batch, rows), asked[rows].nonzero()[:, 0], packed, flat, likeness)
            for rows in order.split(TOGETHER)
        ]
        judged, edits, entities = (
            torch.cat([_widened(of[at], width) for of in found])[torch.argsort(order)] for at in range(3)
        )
        said_before = batch.gather.shape[1]
        pointers = torch.cat([F.pad(_widened(of[3], width), (0, said_before - of[3].shape[2])) for of in found])
        return judged, edits, entities, pointers[torch.argsort(order[asked[order]])]

    def _row_by_row(
        self, batch: Batch, asked: Tensor, packed: Tensor, left: Sequence[Tensor], likeness: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Messages in their contexts, and for those that are asked where they point to."""
        x, own, there = packed[batch.own], batch.mask.to(packed.dtype), batch.there.to(packed.dtype)
        gather, distances = batch.gather, batch.distances
        keys, values = (of[gather].unflatten(-1, (-1, HEADS, WIDTH // HEADS)).permute(0, 2, 3, 1, 4) for of in left)
        judged, edits, entities, states = self.read(x, own, keys, values, likeness[gather], distances, there)
        context = packed[gather[asked]]
        marks = batch.marks[asked].to(x.dtype)
        pointers = self.point(states[asked], own[asked], context, marks, distances[asked], there[asked])
        return judged, edits, entities, pointers


def _part(batch: Batch, rows: Tensor) -> Batch:
    """Some rows of it, as wide as they need."""
    m, t = int(batch.mask[rows].sum(1).max()), max(1, int(batch.there[rows].sum(1).max()))
    return replace(
        batch,
        own=batch.own[rows, :m],
        mask=batch.mask[rows, :m],
        gather=batch.gather[rows, :t],
        distances=batch.distances[rows, :t],
        there=batch.there[rows, :t],
        marks=batch.marks[rows, :t],
    )


def _widened(of: Tensor, width: int) -> Tensor:
    """With room for the pieces of the longest message."""
    return of if of.ndim < 3 else F.pad(of, (0, 0, 0, width - of.shape[1]))


@dataclass
class Batch:
    texts: Tensor  # [N, P] each message once, whether it is read now or came before; the shortest first
    text_mask: Tensor
    said: Tensor  # of each part the places of the pieces that are there
    own: Tensor  # [B, M] places of the message read now among all pieces that are there; the last place is nothing
    mask: Tensor  # [B, M]
    gather: Tensor  # [B, T] the same of those before it
    distances: Tensor  # [B, T]
    there: Tensor  # [B, T]
    marks: Tensor  # [B, T, MARKS] said in the message itself, in how many lines
    parts: tuple[tuple[int, int, int, int], ...]  # texts from and to, their pieces at most, how many are there in all

    def over(self, times: int, pieces: int) -> Batch:
        """The same rows over again, each time with pieces of their own."""
        if times == 1:
            return self
        rows = {name: getattr(self, name) for name in ("mask", "distances", "there", "marks")}
        places = {name: getattr(self, name) for name in ("own", "gather")}
        return replace(
            self,
            **{name: torch.cat([of] * times) for name, of in rows.items()},
            **{name: torch.cat([of + pieces * at for at in range(times)]) for name, of in places.items()},
        )

    def moved(self, device: str) -> Batch:
        tensors = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "parts"}
        return replace(self, **{name: of.to(device, non_blocking=True) for name, of in tensors.items()})


def load_minilm(reader: Reader, path: Path) -> None:
    """Start from all-MiniLM-L6-v2; the heads start fresh, and so does what is narrower in a reader that was trained."""
    weights = load_file(path)
    names = {
        "attention.self.query": "query",
        "attention.self.key": "key",
        "attention.self.value": "value",
        "attention.output.dense": "out",
        "attention.output.LayerNorm": "after_attention",
        "output.LayerNorm": "after",
    }
    if reader.shape.wide == WIDE:
        names |= {"intermediate.dense": "widen", "output.dense": "narrow"}
    state = reader.state_dict()
    pairs = {
        "words.weight": "embeddings.word_embeddings.weight",
        "places.weight": "embeddings.position_embeddings.weight",
        "kinds.weight": "embeddings.token_type_embeddings.weight",
        "after_words.weight": "embeddings.LayerNorm.weight",
        "after_words.bias": "embeddings.LayerNorm.bias",
    }
    for number in range(DEPTH):
        for theirs, ours in names.items():
            for part in ("weight", "bias"):
                pairs[f"layers.{number}.{ours}.{part}"] = f"encoder.layer.{number}.{theirs}.{part}"
    for ours, theirs in pairs.items():
        state[ours].copy_(weights[theirs].float())
    reader.load_state_dict(state)
