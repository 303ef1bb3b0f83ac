"""JSON as text: values are put in and taken out where they stand, and every other character stays as it is.

Comments and commas too many are read past, since editors let people write them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from anaphora.errors import FormatError

__all__ = ["Node", "append", "parse", "put", "replace_at", "take_out"]

_BLANK = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_SCALAR = re.compile(r"true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?")
_DECODER = json.JSONDecoder()


@dataclass(slots=True)
class Node:
    """A value and where it stands. `keys` are the members of an object, `items` those of an array; each begins where
    its key does."""

    start: int
    end: int
    value: Any
    keys: dict[str, Node] = field(default_factory=dict)
    items: list[Node] = field(default_factory=list)
    begins: int = -1  # where its key stands, in an object

    @property
    def parts(self) -> list[Node]:
        return [*self.keys.values(), *self.items]


def parse(text: str) -> Node:
    """The value that the text is; an error where it is none."""
    try:
        node = _value(text, _skip(text, text.startswith("\ufeff")))
        if _skip(text, node.end) != len(text):
            raise _Wrong(node.end)
    except (_Wrong, ValueError, RecursionError) as error:
        place = error.place if isinstance(error, _Wrong) else getattr(error, "pos", 0)
        line = text.count("\n", 0, place) + 1
        raise FormatError(f"It is not valid JSON: line {line} is wrong.") from error
    return node


def put(text: str, holder: Node, key: str, value: Any) -> str:
    """With one more member at the end of an object."""
    return _insert(text, holder, f"{json.dumps(key, ensure_ascii=False)}: ", value)


def append(text: str, holder: Node, value: Any) -> str:
    """With one more value at the end of an array."""
    return _insert(text, holder, "", value)


def replace_at(text: str, node: Node, value: Any) -> str:
    """With another value where this one stands."""
    return text[: node.start] + _written(text, node.start, value) + text[node.end :]


def take_out(text: str, holder: Node, part: Node) -> str:
    """Without a member or value, its comma, and the line that was its own."""
    parts = holder.parts
    index = parts.index(part)
    if len(parts) == 1:
        return text[: holder.start + 1] + text[holder.end - 1 :]
    if index == 0:
        return text[: _first(part)] + text[_first(parts[1]) :]
    return text[: parts[index - 1].end] + text[part.end :]


# --- reading ------------------------------------------------------------------------------------------------------


class _Wrong(Exception):
    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


def _skip(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _value(text: str, at: int) -> Node:
    match text[at : at + 1]:
        case "{":
            return _object(text, at)
        case "[":
            return _array(text, at)
        case '"':
            value, end = _DECODER.raw_decode(text, at)
            return Node(at, end, value)
    scalar = _SCALAR.match(text, at)
    if scalar is None:
        raise _Wrong(at)
    return Node(at, scalar.end(), json.loads(scalar[0]))


def _object(text: str, at: int) -> Node:
    node = Node(at, at, {})
    at = _skip(text, at + 1)
    while text[at : at + 1] != "}":
        if text[at : at + 1] != '"':
            raise _Wrong(at)
        key, end = _DECODER.raw_decode(text, at)
        colon = _skip(text, end)
        if text[colon : colon + 1] != ":" or key in node.keys:
            raise _Wrong(colon)
        member = _value(text, _skip(text, colon + 1))
        member.begins = at
        node.keys[key], node.value[key] = member, member.value
        at = _after(text, member.end, "}")
    node.end = at + 1
    return node


def _array(text: str, at: int) -> Node:
    node = Node(at, at, [])
    at = _skip(text, at + 1)
    while text[at : at + 1] != "]":
        item = _value(text, at)
        node.items.append(item)
        node.value.append(item.value)
        at = _after(text, item.end, "]")
    node.end = at + 1
    return node


def _after(text: str, at: int, closing: str) -> int:
    """Where the next one, or the end, stands."""
    at = _skip(text, at)
    if text[at : at + 1] == ",":
        return _skip(text, at + 1)
    if text[at : at + 1] != closing:
        raise _Wrong(at)
    return at


# --- writing ------------------------------------------------------------------------------------------------------


def _first(part: Node) -> int:
    return part.start if part.begins < 0 else part.begins


def _insert(text: str, holder: Node, label: str, value: Any) -> str:
    parts = holder.parts
    if parts:
        last = parts[-1]
        before = text[: _first(last)]
        gap = before[len(before.rstrip()) :]  # what stands between two of them here
        gap = gap if "\n" in gap or "\n" not in text[holder.start : holder.end] else "\n" + gap
        body = _written(text, _first(last), value)
        return text[: last.end] + "," + (gap or " ") + label + body + text[last.end :]
    indent = _indent(text, holder.start)
    step = _step(text)
    inner = f"\n{indent}{step}{label}{_dumped(value, indent + step, step)}\n{indent}"
    return text[: holder.start + 1] + inner + text[holder.end - 1 :]


def _written(text: str, at: int, value: Any) -> str:
    return _dumped(value, _indent(text, at), _step(text))


def _dumped(value: Any, indent: str, step: str) -> str:
    return json.dumps(value, ensure_ascii=False, indent=step).replace("\n", "\n" + indent)


def _indent(text: str, at: int) -> str:
    """How far the line that this stands on is set in."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]


def _step(text: str) -> str:
    found = re.search(r"\n([ \t]+)\S", text)
    return found[1] if found else "  "
