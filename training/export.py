"""From trained weights to what ships: `python -m training.export --weights FILE --reader reader.pt --out DIR`.

Makes the embedder (all-MiniLM-L6-v2) and the reader's three parts as ONNX, matrices as bytes with one scale a
channel, and one table of words that all of them share.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn
from torch.nn import functional as F

from anaphora.models.judging import MARKS
from training.lean import lean
from training.model import Reader, Shape, load_minilm
from training.sizes import DEPTH, HEADS, WIDE, WIDTH
from training.weights import quantized, unpack

SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
WORDS = "words.bin"


class Words(nn.Module):
    """The table of words as bytes, one scale a row."""

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        table, scale = quantized(reader.words.weight.data)
        self.register_buffer("word_table", table)
        self.register_buffer("word_scale", scale)
        self.reader = reader

    def forward(self, ids: Tensor) -> Tensor:
        words = self.word_table[ids].float() * self.word_scale[ids][..., None]
        return self.reader.after_words(words + self.reader.places.weight[: ids.shape[1]] + self.reader.kinds.weight[0])


class Embed(nn.Module):
    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self.words, self.layers = Words(reader), reader.layers

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        x = self.words(ids)
        bias = (1.0 - mask)[:, None, None, :] * -1e4
        for layer in self.layers:
            x = layer(x, bias)
        pooled = (x * mask[:, :, None]).sum(1) / mask.sum(1)[:, None]
        return F.normalize(pooled, dim=-1)


class Encode(nn.Module):
    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self.words, self.reader = Words(reader), reader

    def forward(self, ids: Tensor) -> tuple[Tensor, ...]:
        x = self.words(ids)
        for layer in self.reader.layers[: self.reader.shape.lower]:
            x = layer(x, x.new_zeros(1, 1, 1, 1))
        keys, values, likeness = self.reader.remember(x)
        return x[0], keys[0], values[0], likeness[0]


class Read(nn.Module):
    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self.reader = reader

    def forward(
        self, states: Tensor, keys: Tensor, values: Tensor, likeness: Tensor, distances: Tensor, there: Tensor
    ) -> tuple[Tensor, ...]:
        own = torch.ones_like(states[None, :, 0])
        found = self.reader.read(
            states[None], own, keys[None], values[None], likeness[None], distances[None], there[None]
        )
        return tuple(one[0] for one in found)


class Point(nn.Module):
    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self.reader = reader

    def forward(self, states: Tensor, context: Tensor, marks: Tensor, distances: Tensor, there: Tensor) -> Tensor:
        own = torch.ones_like(states[None, :, 0])
        return self.reader.point(states[None], own, context[None], marks[None], distances[None], there[None])[0]


def export(
    model: nn.Module, inputs: dict[str, tuple[Tensor, dict[int, str]]], outputs: dict[str, dict[int, str]], path: Path
) -> None:
    raw = path.with_suffix(".raw.onnx")
    torch.onnx.export(
        model.eval(),
        tuple(value for value, _ in inputs.values()),
        str(raw),
        input_names=list(inputs),
        output_names=list(outputs),
        dynamic_axes={name: axes for name, (_, axes) in inputs.items()} | outputs,
        opset_version=17,
        dynamo=False,
    )
    quantize_dynamic(
        raw,
        path,
        op_types_to_quantize=["MatMul"],
        per_channel=True,
        weight_type=QuantType.QInt8,
        extra_options={"MatMulConstBOnly": True},
    )
    raw.unlink()
    share_words(path)


def share_words(path: Path) -> None:
    """Move the table of words into the file that all graphs point to."""
    model = onnx.load(path)
    for tensor in model.graph.initializer:
        if tensor.data_type == onnx.TensorProto.INT8 and list(tensor.dims) == [30522, WIDTH]:
            table = path.with_name(WORDS)
            if table.exists() and table.read_bytes() != tensor.raw_data:
                raise SystemExit(f"{path.name} has another table of words than {table}")
            table.write_bytes(tensor.raw_data)
            tensor.ClearField("raw_data")
            tensor.data_location = onnx.TensorProto.EXTERNAL
            del tensor.external_data[:]
            for key, value in (("location", WORDS), ("offset", "0"), ("length", str(30522 * WIDTH))):
                tensor.external_data.add(key=key, value=value)
    onnx.save(model, path)


def embedder(weights: Path, out: Path) -> None:
    reader = Reader(Shape(DEPTH), dropout=0.0)
    load_minilm(reader, weights)
    ids = torch.randint(1000, 5000, (2, 12))
    axes = {0: "texts", 1: "pieces"}
    export(
        Embed(reader),
        {"ids": (ids, axes), "mask": (torch.ones(2, 12), axes)},
        {"vectors": {0: "texts"}},
        out / "embedder.onnx",
    )


def reader(weights: Path, trained: Path, out: Path) -> None:
    state, notes = unpack(trained)
    model = Reader(Shape(int(str(notes["lower"])), int(str(notes.get("wide", WIDE)))), dropout=0.0)
    load_minilm(model, weights)
    model.load_state_dict({**model.state_dict(), **state})
    upper, m, t = DEPTH - model.shape.lower, 9, 14
    d = WIDTH // HEADS
    states, context = torch.randn(m, WIDTH), torch.randn(t, WIDTH)
    far = (torch.randint(0, 8, (t,)), {0: "context"})
    there = (torch.ones(t), {0: "context"})
    ids = (torch.randint(1000, 5000, (1, m)), {1: "pieces"})
    export(
        Encode(model),
        {"ids": ids},
        {"states": {0: "pieces"}, "keys": {2: "pieces"}, "values": {2: "pieces"}, "likeness": {0: "pieces"}},
        out / "encode.onnx",
    )
    memory = {0: "context"}
    export(
        Read(model),
        {
            "states": (states, {0: "pieces"}),
            "keys": (torch.randn(upper, HEADS, t, d), {2: "context"}),
            "values": (torch.randn(upper, HEADS, t, d), {2: "context"}),
            "likeness": (F.normalize(context, dim=-1), memory),
            "distances": far,
            "there": there,
        },
        {"judged": {}, "edits": {0: "pieces"}, "entities": {0: "pieces"}, "read": {0: "pieces"}},
        out / "read.onnx",
    )
    export(
        Point(model),
        {
            "states": (states, {0: "pieces"}),
            "context": (context, memory),
            "marks": (torch.zeros(t, MARKS), memory),
            "distances": far,
            "there": there,
        },
        {"pointers": {0: "pieces", 1: "context"}},
        out / "point.onnx",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, required=True, help="model.safetensors of all-MiniLM-L6-v2")
    parser.add_argument("--reader", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    if hashlib.sha256(options.weights.read_bytes()).hexdigest() != SHA256:
        raise SystemExit(f"{options.weights} are not the weights of all-MiniLM-L6-v2 that this was made for")
    options.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)
    with torch.no_grad():
        embedder(options.weights, options.out)
        if options.reader:
            reader(options.weights, options.reader, options.out)
    lean(options.out)


if __name__ == "__main__":
    main()
