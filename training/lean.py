"""The graphs with no more steps than they need: `python -m training.lean FOLDER`, and the end of an export.

What `training.export` writes has a step for every line of the model. Here the same weights are put together again:
products of one input are one product, shapes are known, and what the reader has at hand already (a message's own keys,
values and likeness; which lines are how far back) is given instead of made again. The numbers are the same.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from anaphora.models.judging import DISTANCES, LINES, MARKS
from training.sizes import DEPTH, HEADS, POINTERS, WIDTH

__all__ = ["lean"]

LOWER = 4
UPPER = tuple(range(LOWER, DEPTH))
_OWN = "com.microsoft"
_SIZE = WIDTH // HEADS
_FAR = 2**31
_LAYERS_AT_ONCE = 2  # that all texts of a run go through before any goes further
_FLOAT, _INT, _BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL

Array = NDArray[np.float32]
Weights = tuple[NDArray[np.int8], Array, Array]  # bytes, the scale of each column, what is added


class Exported:
    """The weights of a graph by the names that they had in the model."""

    def __init__(self, path: Path) -> None:
        graph = onnx.load(path, load_external_data=False).graph
        self.stored = {tensor.name: tensor for tensor in graph.initializer}
        self._made_by = {name: node for node in graph.node for name in node.output}
        self._used_by = {name: node for node in graph.node for name in node.input}

    def named(self, name: str) -> str:
        (found,) = [full for full in self.stored if full == name or full.endswith("." + name)]
        return found

    def array(self, name: str) -> Array:
        return np.asarray(numpy_helper.to_array(self.stored[self.named(name)]))

    def nameless(self, prefix: str) -> list[Array]:
        """Constants that were worked out on the way, in order."""
        return [self.array(name) for name in self.stored if name.startswith(prefix) and "_quantized" not in name]

    def linear(self, name: str) -> Weights:
        bias = self.named(f"{name}.bias")
        node = next(self._made_by[i] for i in self._used_by[bias].input if i != bias)
        while node.op_type != "MatMulInteger":  # its result is made a float and scaled
            before = [self._made_by[i] for i in node.input if i in self._made_by]
            node = next(n for n in before if n.op_type in ("Cast", "MatMulInteger"))
        weight = node.input[1].removesuffix("_quantized")
        if self.array(f"{weight}_zero_point").any():
            raise SystemExit(f"{name} is not symmetric")
        return numpy_helper.to_array(self.stored[node.input[1]]), self.array(f"{weight}_scale"), self.array(bias)


class Graph:
    """A graph that grows by one step after the other; each gives the name of what it makes."""

    def __init__(self, name: str = "") -> None:
        self._name = name  # before those of its steps: no two graphs that belong together may use the same
        self._nodes: list[onnx.NodeProto] = []
        self._cuts: list[tuple[int, str]] = []
        self.stored: dict[str, onnx.TensorProto] = {}

    def step(self, kind: str, *inputs: str, outputs: tuple[str, ...] = (), own: bool = False, **options: object) -> str:
        names = outputs or (f"{self._name}{kind}_{len(self._nodes)}",)
        self._nodes.append(helper.make_node(kind, inputs, names, domain=_OWN if own else "", **options))
        return names[0]

    def cut(self, x: str) -> None:
        """What was made so far goes on as this alone."""
        self._cuts.append((len(self._nodes), x))

    def split(self, x: str, *sizes: int, outputs: tuple[str, ...] = ()) -> tuple[str, ...]:
        names = outputs or tuple(f"part_{len(self._nodes)}_{i}" for i in range(len(sizes)))
        self.step("Split", x, self.ints(*sizes), outputs=names, axis=1)
        return names

    def constant(self, value: NDArray[np.generic] | float) -> str:
        name = f"{self._name}constant_{len(self.stored)}"
        stored = np.asarray(value, np.float32) if isinstance(value, float) else value
        self.stored[name] = numpy_helper.from_array(stored, name)
        return name

    def ints(self, *values: int) -> str:
        return self.constant(np.array(values, np.int64))

    def linear(self, x: str, *weights: Weights) -> str:
        """One product with several weights side by side."""
        table, scale, bias = (np.concatenate(parts, -1) for parts in zip(*weights, strict=True))
        inputs = (x, self.constant(table), self.constant(scale), "", self.constant(bias))
        return self.step("DynamicQuantizeMatMul", *inputs, own=True)

    def norm(self, x: str, source: Exported, name: str, *, eps: float = 1e-12, outputs: tuple[str, ...] = ()) -> str:
        weight, bias = (self.constant(source.array(f"{name}.{part}")) for part in ("weight", "bias"))
        return self.step("LayerNormalization", x, weight, bias, epsilon=eps, outputs=outputs)

    def attention(self, query: str, key: str, value: str, bias: str = "") -> str:
        """All of [rows, WIDTH]; the bias is added for each head."""
        heads = [
            self.step("Transpose", self.step("Reshape", x, self.ints(0, HEADS, _SIZE)), perm=[1, 0, 2])
            for x in (query, key, value)
        ]
        scores = self.step("FusedMatMul", *heads[:2], own=True, transB=1, alpha=float(_SIZE**-0.5))
        scores = self.step("Add", scores, bias) if bias else scores
        mixed = self.step("MatMul", self.step("Softmax", scores, axis=-1), heads[2])
        return self.step("Reshape", self.step("Transpose", mixed, perm=[1, 0, 2]), self.ints(0, -1))

    def rest_of_layer(self, x: str, mixed: str, source: Exported, layer: str, *, name: str = "") -> str:
        x = self.norm(
            self.step("Add", self.linear(mixed, source.linear(f"{layer}.out")), x), source, f"{layer}.after_attention"
        )
        wide = self.step("Gelu", self.linear(x, source.linear(f"{layer}.widen")), own=True)
        narrow = self.step("Add", self.linear(wide, source.linear(f"{layer}.narrow")), x)
        return self.norm(narrow, source, f"{layer}.after", outputs=(name,) if name else ())

    def unit(self, x: str) -> str:
        length = self.step("ReduceL2", x, axes=[-1], keepdims=1)
        return self.step("Div", x, self.step("Max", length, self.constant(1e-4)))

    def save_for_each(self, path: Path, outputs: Sequence[str], *, rows: bool) -> None:
        """These steps for each of several texts by itself, in one run: `ids` are the pieces of all, `bounds` says where
        each text begins and the last one ends. What they make of each, `rows` or one, lies below what they made of
        those before it. All texts go through the steps up to a cut before any goes further, so that weights that do
        not all stay in a cache are fetched once for all of them."""
        whole = Graph("whole_")
        count = whole.step("Squeeze", whole.step("Sub", whole.step("Shape", "bounds"), whole.ints(1)))
        whole.stored |= {name: tensor for name, tensor in self.stored.items() if _is_apart(tensor)}
        start, before = 0, ""
        for end, x in self._cuts:
            self._for_each(whole, count, (start, end), before, (x,), rows=True)
            start, before = end, x
        self._for_each(whole, count, (start, len(self._nodes)), before, outputs, rows=rows)
        for name in outputs if rows else ():
            whole.step("ConcatFromSequence", f"{name}_of_each", outputs=(f"{name}_of_all",), axis=0)
        whole.save(
            path,
            {"ids": (_INT, ["all_pieces"]), "bounds": (_INT, ["texts_and_one"])},
            {f"{name}_of_all": ["all_pieces" if rows else "texts", WIDTH] for name in outputs},
        )

    def _for_each(
        self, whole: Graph, count: str, part: tuple[int, int], before: str, outputs: Sequence[str], *, rows: bool
    ) -> None:
        """A part of the steps for one text after the other, each going on from what was made of it `before`."""
        body = Graph(f"from_{part[0]}_")
        number, go_on = (f"{name}_{part[0]}" if before else name for name in ("number", "go_on"))
        if before:
            body.step("SequenceAt", f"{before}_of_each", number, outputs=(before,))
        body._nodes += self._nodes[slice(*part)]
        used = {name for node in body._nodes for name in node.input}
        so_far = [f"{name}_before" for name in outputs] if rows else []
        made = [body.step("SequenceInsert", *both) for both in zip(so_far, outputs, strict=True)] if rows else outputs
        goes_on = body.step("Identity", go_on)
        of_one = helper.make_graph(
            body._nodes,
            f"steps_from_{part[0]}",
            [_info(number, _INT), _info(go_on, _BOOL), *map(_sequence, so_far)],
            [_info(goes_on, _BOOL), *(_sequence(name) if rows else _info(name, _FLOAT, None) for name in made)],
            [tensor for name, tensor in self.stored.items() if name in used and not _is_apart(tensor)],
        )
        none = [whole.step("SequenceEmpty", dtype=_FLOAT) for _ in so_far]
        found = tuple(f"{name}_of_{'each' if rows else 'all'}" for name in outputs)
        whole.step("Loop", count, whole.constant(np.array(True)), *none, outputs=found, body=of_one)

    def save(self, path: Path, inputs: dict[str, tuple[int, list[object]]], outputs: dict[str, list[object]]) -> None:
        graph = helper.make_graph(
            self._nodes,
            path.stem,
            [_info(name, kind, shape) for name, (kind, shape) in inputs.items()],
            [_info(name, _FLOAT, shape) for name, shape in outputs.items()],
            list(self.stored.values()),
        )
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(_OWN, 1)]
        onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), path)


def _info(name: str, kind: int, shape: Sequence[object] | None = ()) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, kind, shape)


def _sequence(name: str) -> onnx.ValueInfoProto:
    return helper.make_tensor_sequence_value_info(name, _FLOAT, ["rows", WIDTH])


def _is_apart(tensor: onnx.TensorProto) -> bool:
    """Whether it lies in a file that several graphs share."""
    return bool(tensor.data_location == TensorProto.EXTERNAL)


def lean(folder: Path) -> None:
    """Put the graphs together again, in their place."""
    for name, build in (("embedder", embed), ("encode", encode), ("read", read), ("point", point)):
        path = folder / f"{name}.onnx"
        if path.exists():
            build(path)


def encode(path: Path) -> None:
    """A message by itself: its states, and what it leaves for later ones."""
    source, g = Exported(path), Graph()
    x = _read_alone(g, source, LOWER, "states")
    names = [f"{part}_{number}" for number in UPPER for part in ("key", "value")]
    left = (source.linear(f"layers.{number}.{part}") for number in UPPER for part in ("key", "value"))
    g.split(g.linear(x, *left, source.linear("alike")), *[WIDTH] * 5, outputs=(*names, "alike"))
    g.step("LpNormalization", "alike", axis=-1, p=2, outputs=("likeness",))
    g.save_for_each(path, ("states", *names, "likeness"), rows=True)


def embed(path: Path) -> None:
    """A text by itself, as its makers trained it: one direction. Each is read alone, since in company the largest
    number of the others would decide how finely it is read."""
    source, g = Exported(path), Graph()
    x = _read_alone(g, source, DEPTH, "")
    mean = g.step("ReduceMean", x, axes=[0], keepdims=0)
    g.step("LpNormalization", mean, axis=-1, p=2, outputs=("vectors",))
    g.save_for_each(path, ("vectors",), rows=False)


def _read_alone(g: Graph, source: Exported, depth: int, name: str) -> str:
    """Words in their places, through so many layers."""
    table = source.stored[source.named("word_table")]
    g.stored[table.name] = table
    bounds = g.step("Gather", "bounds", g.step("Add", "number", g.ints(0, 1)), axis=0)
    g.step("Split", bounds, g.ints(1, 1), outputs=("begin", "end"), axis=0)
    ids = g.step("Slice", "ids", "begin", "end", g.ints(0))
    words = g.step("Cast", g.step("Gather", table.name, ids), to=_FLOAT)
    scale = g.step("Unsqueeze", g.step("Gather", g.constant(source.array("word_scale")), ids), g.ints(1))
    (kind,) = (found for found in source.nameless("onnx::Add_") if found.shape == (WIDTH,))
    places = g.constant(source.array("places.weight"))
    placed = g.step("Slice", places, g.ints(0), g.step("Shape", ids), g.ints(0))
    x = g.step("Add", g.step("Add", g.step("Mul", words, scale), placed), g.constant(kind))  # in the order of the model
    x = g.norm(x, source, "after_words")
    for number in range(depth):
        layer = f"layers.{number}"
        both = g.linear(x, *(source.linear(f"{layer}.{part}") for part in ("query", "key", "value")))
        mixed = g.attention(*g.split(both, WIDTH, WIDTH, WIDTH))
        x = g.rest_of_layer(x, mixed, source, layer, name=name if number == depth - 1 else "")
        if (number + 1) % _LAYERS_AT_ONCE == 0 and number + 1 < depth:
            g.cut(x)
    return x


def read(path: Path) -> None:
    """The message in its context. `distances` are of its own pieces (DISTANCES · 2: itself) and those of the context
    (one more: nothing there), `which` says for each of the last lines, and for all, which pieces are theirs."""
    source, g = Exported(path), Graph()
    tables = [found for found in source.nameless("onnx::Gather_") if found.shape == (HEADS, 2 * DISTANCES)]
    itself, nothing = np.zeros((HEADS, 1)), np.full((HEADS, 1), -1e4)
    biases = [np.concatenate([table, itself, nothing], 1).astype(np.float32)[:, None, :] for table in tables]
    similar = _similar(g)
    x = "states"
    for number, bias in zip(UPPER, biases, strict=True):
        layer = f"layers.{number}"
        if number == LOWER:  # its keys and values were made with the message's states
            query, key, value = g.linear(x, source.linear(f"{layer}.query")), f"key_{number}", f"value_{number}"
        else:
            made = g.linear(x, *(source.linear(f"{layer}.{part}") for part in ("query", "key", "value")))
            query, key, value = g.split(made, WIDTH, WIDTH, WIDTH)
            key = g.step("Concat", key, f"key_{number}", axis=0)
            value = g.step("Concat", value, f"value_{number}", axis=0)
        far = g.step("Gather", g.constant(bias), "distances", axis=2)
        mixed = g.attention(query, key, value, far)
        x = g.rest_of_layer(x, mixed, source, layer, name="read" if number == UPPER[-1] else "")
    first = g.step("Slice", x, g.ints(0), g.ints(1), g.ints(0))
    mean = g.step("ReduceMean", x, axes=[0], keepdims=1)
    whole = g.step("Concat", first, mean, similar, axis=1)
    hidden = g.step("Tanh", g.linear(whole, source.linear("judge.0")))
    g.step("Squeeze", g.linear(hidden, source.linear("judge.3")), g.ints(0), outputs=("judged",))
    edit, entity = source.linear("edit"), source.linear("entity")
    g.split(g.linear(x, edit, entity), len(edit[2]), len(entity[2]), outputs=("edits", "entities"))
    rows: dict[str, tuple[int, list[object]]] = {"states": (_FLOAT, ["pieces", WIDTH])}
    for number in UPPER:
        kept = "all" if number == LOWER else "context"
        rows |= {f"{part}_{number}": (_FLOAT, [kept, WIDTH]) for part in ("key", "value")}
    rows |= {"likeness": (_FLOAT, ["all", WIDTH]), "distances": (_INT, ["all"]), "which": (_FLOAT, [LINES, "context"])}
    g.save(
        path,
        rows,
        {
            "judged": [len(source.linear("judge.3")[2])],
            "edits": ["pieces", len(edit[2])],
            "entities": ["pieces", len(entity[2])],
            "read": ["pieces", WIDTH],
        },
    )


def _similar(g: Graph) -> str:
    """For each of the last lines: how much of the message it has, piece by piece, and the two as wholes."""
    own = g.step("Shape", "states", start=0, end=1)
    mine = g.step("Slice", "likeness", g.ints(0), own, g.ints(0))
    theirs = g.step("Slice", "likeness", own, g.ints(_FAR), g.ints(0))
    pairs = g.step("Unsqueeze", g.step("FusedMatMul", mine, theirs, own=True, transB=1), g.ints(0))
    others = g.step("Mul", g.step("Sub", "which", g.constant(1.0)), g.constant(4.0))
    of_line = g.step("Add", pairs, g.step("Unsqueeze", others, g.ints(1)))
    best = g.step("Max", g.step("ReduceMax", of_line, axes=[-1], keepdims=0), g.constant(-1.0))
    share = g.step("ReduceMean", best, axes=[-1], keepdims=1)
    whole = g.unit(g.step("ReduceSum", mine, g.ints(0), keepdims=1))
    close = g.step("FusedMatMul", g.unit(g.step("MatMul", "which", theirs)), whole, own=True, transB=1)
    return g.step("Reshape", g.step("Concat", share, close, axis=1), g.ints(1, -1))


def point(path: Path) -> None:
    """From some pieces of the message (`at`) to each of the context. What a piece asks for in several ways is summed
    up over them, so it is one product."""
    source, g = Exported(path), Graph()
    placed = g.step("Gather", g.constant(source.array("place.weight")), "distances", axis=0)
    marked = g.linear("marks", source.linear("marks"))
    context = g.step("Add", g.step("Add", "context", placed), marked)
    query = g.linear(context, source.linear("look.query"))
    known = g.linear("states", source.linear("look.key"), source.linear("look.value"))
    seen = g.linear(g.attention(query, *g.split(known, WIDTH, WIDTH)), source.linear("look.out"))
    context = g.norm(g.step("Add", seen, context), source, "after_look", eps=1e-5)
    thought = g.step("Gelu", g.linear(context, source.linear("think.0")), own=True)
    thought = g.linear(thought, source.linear("think.2"))
    context = g.norm(g.step("Add", thought, context), source, "after_think", eps=1e-5)
    (weigh,) = source.nameless("onnx::Mul_")
    weights = np.repeat(weigh.reshape(POINTERS), WIDTH // POINTERS) * np.float32((WIDTH // POINTERS) ** -0.5)
    asked = g.step("Mul", g.linear("states", source.linear("ask")), g.constant(weights))
    asked = g.step("Gather", asked, "at", axis=0)
    offered, unasked = g.split(g.linear(context, source.linear("offer"), source.linear("unasked")), WIDTH, 1)
    near = g.step("Gather", g.constant(source.array("nearness") + source.array("rarity")), "distances")
    base = g.step("Add", g.step("Transpose", unasked, perm=[1, 0]), near)
    pointed = g.step("FusedMatMul", asked, offered, own=True, transB=1)
    g.step("Add", pointed, base, outputs=("pointers",))
    g.save(
        path,
        {
            "states": (_FLOAT, ["pieces", WIDTH]),
            "context": (_FLOAT, ["context", WIDTH]),
            "marks": (_FLOAT, ["context", MARKS]),
            "distances": (_INT, ["context"]),
            "at": (_INT, ["gaps"]),
        },
        {"pointers": ["gaps", "context"]},
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the exported graphs are: embedder, encode, read, point")
    lean(parser.parse_args().folder)
