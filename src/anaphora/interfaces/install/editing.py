"""Putting a plan's entries into files and taking them out: as text, so that nothing else moves."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from anaphora.errors import FormatError
from anaphora.interfaces.install import json_text
from anaphora.interfaces.install.plans import Entry, Target, is_ours

__all__ = ["added", "removed"]

_NOTE = "# added by 'anaphora install'; 'anaphora uninstall codex' takes it out"
# Nothing marks its end: Codex itself puts new tables after the last one, and would put them before such a mark.
_BLOCK = re.compile(rf"\n?{re.escape(_NOTE)}\n\[mcp_servers\.anaphora\]\n(?:(?:command|args) = [^\n]*(?:\n|$))*")
_MARK = "anaphora"


def added(target: Target, text: str | None) -> str:
    """The file with what is ours in it, as it should be now; `text` is None where there is no file."""
    try:
        match target.kind:
            case "json":
                return _json_with(target, text or "")
            case "toml":
                return _toml_with(target, text or "")
            case "ours":
                if text and not _is_our_file(text):
                    raise FormatError("Someone else wrote it.")
                return target.text
    except FormatError as error:
        raise FormatError(
            f"{target.file} was left as it is. {error.args[0]}", remedy="Mend the file, then run it again."
        ) from error


def removed(target: Target, text: str) -> str | None:
    """The file without what is ours; None where nothing is left of it."""
    try:
        match target.kind:
            case "json":
                left = _json_without(target, text)
                return None if json_text.parse(left).value in ({}, {"version": 1}) else left
            case "toml":
                _toml(text)
                return _BLOCK.sub("", text) or None
            case "ours":
                return text if text and not _is_our_file(text) else None
    except FormatError as error:
        raise FormatError(
            f"{target.file} was left as it is. {error.args[0]}", remedy="Mend the file, then run it again."
        ) from error


# --- JSON ---------------------------------------------------------------------------------------------------------


def _json_with(target: Target, text: str) -> str:
    if not text.strip():
        text = "{}\n"
    if not isinstance(json_text.parse(text).value, dict):
        raise FormatError("It holds no JSON object.")
    for entry in target.entries:
        text = _appended(text, entry) if entry.appended else _member(text, entry)
    return text


def _appended(text: str, entry: Entry) -> str:
    """In the array once: in the place of an earlier entry of ours, or at the end."""
    text = _holders(text, entry.path, [])
    array = _at(json_text.parse(text), entry.path)
    if not isinstance(array.value, list):
        raise FormatError(f"{'.'.join(entry.path)} is not an array.")
    ours = [item for item in array.items if is_ours(item.value)]
    if not ours:
        return json_text.append(text, array, entry.value)
    for extra in reversed(ours[1:]):
        text = json_text.take_out(text, array, extra)
    return text if ours[0].value == entry.value else json_text.replace_at(text, ours[0], entry.value)


def _member(text: str, entry: Entry) -> str:
    *above, key = entry.path
    text = _holders(text, tuple(above), {})
    holder = _at(json_text.parse(text), tuple(above))
    if not isinstance(holder.value, dict):
        raise FormatError(f"{'.'.join(above)} is not an object.")
    if key not in holder.keys:
        return json_text.put(text, holder, key, entry.value)
    old = holder.keys[key]
    if old.value == entry.value or key != _MARK:  # a version, say, is the file's own
        return text
    return json_text.replace_at(text, old, entry.value)


def _holders(text: str, path: tuple[str, ...], innermost: Any) -> str:
    """With the objects, and the array, on the way to an entry."""
    for depth, key in enumerate(path):
        holder = _at(json_text.parse(text), path[:depth])
        if not isinstance(holder.value, dict):
            raise FormatError(f"{'.'.join(path[:depth])} is not an object.")
        if key not in holder.keys:
            text = json_text.put(text, holder, key, innermost if depth == len(path) - 1 else {})
    return text


def _at(node: json_text.Node, path: tuple[str, ...]) -> json_text.Node:
    for key in path:
        node = node.keys[key]
    return node


def _json_without(target: Target, text: str) -> str:
    for entry in target.entries:
        if entry.path[-1] == "version":
            continue
        text = _without(text, entry)
    return text


def _without(text: str, entry: Entry) -> str:
    """And without the objects and arrays that are empty then; those that were there before, empty, go with them."""
    root = json_text.parse(text)
    chain = [root]
    for key in entry.path:
        if key not in chain[-1].keys:
            return text
        chain.append(chain[-1].keys[key])
    found = chain.pop()
    if entry.appended:
        ours = [item for item in found.items if is_ours(item.value)]
        if not ours:
            return text
        if len(ours) < len(found.items):
            return json_text.take_out(text, found, ours[0])
    while len(chain) > 1 and len(chain[-1].keys) == 1:
        found = chain.pop()
    return json_text.take_out(text, chain[-1], found)


# --- TOML ---------------------------------------------------------------------------------------------------------


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"It is not valid TOML: {error}.") from error


def _toml_with(target: Target, text: str) -> str:
    block = f"{_NOTE}\n{target.text}"
    if _BLOCK.search(text):
        _toml(text)
        return _BLOCK.sub(lambda found: ("\n" if found[0].startswith("\n") else "") + block, text)
    if _MARK in _toml(text).get("mcp_servers", {}):
        return text  # someone put it in by hand
    new = f"{text}{'' if text.endswith(chr(10)) or not text else chr(10)}{chr(10) if text else ''}{block}"
    _toml(new)
    return new


# --- files of our own ---------------------------------------------------------------------------------------------


def _is_our_file(text: str) -> bool:
    return "anaphora install" in text or is_ours(text)
