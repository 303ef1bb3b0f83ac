"""Weights as they travel and ship: a byte each, with one scale a row; what is small stays as it is."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor

__all__ = ["pack", "quantized", "unpack"]


def quantized(weight: Tensor) -> tuple[Tensor, Tensor]:
    """Rows as bytes, and the scale of each row."""
    scale = weight.abs().amax(1).clamp(min=1e-8) / 127
    return torch.round(weight / scale[:, None]).clamp(-127, 127).to(torch.int8), scale


def pack(state: dict[str, Tensor], path: Path, **notes: object) -> None:
    packed: dict[str, object] = {}
    for name, value in state.items():
        value = value.float().cpu()
        large = value.ndim == 2 and value.numel() > 4096 and not name.startswith(("places", "kinds", "place"))
        packed[name] = quantized(value) if large else value.half()
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.save({"state": packed, **notes}, path)


def unpack(path: Path) -> tuple[dict[str, Tensor], dict[str, object]]:
    loaded = torch.load(path, map_location="cpu", weights_only=True)
    state = {
        name: value[0].float() * value[1][:, None] if isinstance(value, tuple) else value.float()
        for name, value in loaded.pop("state").items()
    }
    return state, loaded
