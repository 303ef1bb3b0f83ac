"""Secrets are taken out before anything is stored; a mark says what kind of thing stood there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from anaphora.types import Redaction, Span
from anaphora.understanding.once import when_forgotten
from anaphora.understanding.patterns import expression
from anaphora.understanding.secret_names import find_named, kind_of_value
from anaphora.understanding.secret_pairs import find_paired
from anaphora.understanding.secret_shapes import find_shaped
from anaphora.understanding.secret_wordings import find_told

__all__ = ["holds_secret", "redact", "redact_all", "secrets_of"]

T = TypeVar("T")

_MARKED = expression(r"\[redacted: [a-z0-9][\w .-]{0,40}\]")
_CLEAN: set[str] = set()  # the last texts in which nothing was found
_MOST_CLEAN = 256
_LONGEST_CLEAN = 20_000  # characters
when_forgotten(_CLEAN.clear)


def redact(text: str) -> tuple[str, tuple[Redaction, ...]]:
    """The text with every secret replaced by "[redacted: kind]", and what was taken out, in order.

    A secret is known by its shape or by the name it is given to, never by how random it looks."""
    if text in _CLEAN:
        return text, ()
    found = _find(text)
    if not found:
        _note_clean(text)
        return text, ()
    parts: list[str] = []
    end = 0
    for redaction in found:
        parts += text[end : redaction.span[0]], _mark(redaction.kind)
        end = redaction.span[1]
    return "".join((*parts, text[end:])), found


def _note_clean(text: str) -> None:
    """A text is looked through when it is read ahead, and again when its turn comes; one with a secret is not kept."""
    if len(_CLEAN) >= _MOST_CLEAN:
        _CLEAN.clear()
    if len(text) <= _LONGEST_CLEAN:
        _CLEAN.add(text)


def redact_all(value: T, known: Collection[str] = ()) -> T:
    """A value, plain or of ours, with every text in it redacted: keys too, and what a key such as "password" holds.

    `known` are secrets that were found elsewhere and must not be here either, where nothing gives them away."""
    found: T = _redacted(value, known)
    return found


def secrets_of(text: str) -> tuple[str, ...]:
    """The secrets themselves, to be looked for where they stand alone; too short ones would hit ordinary words."""
    return tuple(text[slice(*r.span)] for r in redact(text)[1] if r.span[1] - r.span[0] >= 6)


def holds_secret(name: str) -> bool:
    """Whether a name is, or holds, a secret. Digits alone are an id, even where they could be a card's."""
    return not name.isdigit() and redact(name)[0] != name


def _find(text: str) -> tuple[Redaction, ...]:
    """All of them: where one was taken out, another that it ran into may come to light. What was taken out before is no
    secret, nor is what its mark says."""
    found: list[tuple[str, Span]] = []
    before = ""
    if "[redacted: " in text:
        text = _MARKED.sub(lambda mark: "[" * len(mark[0]), text)
    while text != before and (more := _found_in(text)):
        found += more
        before, text = text, _blanked(text, _merged(more))
    return _merged(found)


def _found_in(text: str) -> list[tuple[str, Span]]:
    return [*find_shaped(text), *find_named(text), *find_paired(text), *find_told(text)]


def _blanked(text: str, found: Iterable[Redaction]) -> str:
    """As long as before, with brackets where a mark would stand."""
    parts: list[str] = []
    end = 0
    for redaction in found:
        start, after = redaction.span
        parts += text[end:start], "[" * (after - start)
        end = after
    return "".join((*parts, text[end:]))


def _merged(found: Iterable[tuple[str, Span]]) -> tuple[Redaction, ...]:
    """Those that overlap become one, of the kind of the longest of them."""
    merged: list[Redaction] = []
    longest = 0
    for kind, (start, end) in sorted(found, key=lambda one: (one[1][0], -one[1][1])):
        if not merged or start >= merged[-1].span[1]:
            merged.append(Redaction(kind, (start, end)))
            longest = end - start
            continue
        last = merged[-1]
        if end - start > longest:
            kind_of_both, longest = kind, end - start
        else:
            kind_of_both = last.kind
        merged[-1] = Redaction(kind_of_both, (last.span[0], max(last.span[1], end)))
    return tuple(merged)


def _mark(kind: str) -> str:
    return f"[redacted: {kind}]"


def _redacted(value: Any, known: Collection[str]) -> Any:
    if isinstance(value, str):
        return _text(value, known)
    if isinstance(value, Mapping):
        return {_redacted(key, known): _held(str(key), item, known) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)([_redacted(item, known) for item in value])
    if is_dataclass(value) and not isinstance(value, type):
        texts = {f.name: getattr(value, f.name) for f in fields(value)}
        changed = {name: _redacted(item, known) for name, item in texts.items()}
        return replace(value, **changed) if changed != texts else value
    return value


def _text(text: str, known: Collection[str]) -> str:
    clean = redact(text)[0]
    for secret in known:
        if secret in clean:
            clean = clean.replace(secret, _mark("secret"))
    return clean


def _held(key: str, value: Any, known: Collection[str]) -> Any:
    """The value of a key; the key may be all that gives it away. A number can be a password or a card's as well."""
    if isinstance(value, str | int) and not isinstance(value, bool):
        said = str(value)
        kind = kind_of_value(key, said)
        if kind is not None:
            return _mark(kind)
        if isinstance(value, int):
            return value if redact(said)[0] == said else redact(said)[0]
    return _redacted(value, known)
