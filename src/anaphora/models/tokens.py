"""Exact token counts without a network: the tables come with the installed package."""

from __future__ import annotations

from functools import cache
from operator import index
from typing import Any, Literal

from anaphora.errors import InputError, MissingExtra
from anaphora.ports import TokenCounter

__all__ = ["Remembering", "token_counter"]

_SHORT = 200  # characters: a shorter text is counted as quickly as it is looked up
_MOST = 50_000


class Remembering:
    """A counter that counts a long text once. It keeps no text, only what tells one from another."""

    def __init__(self, counter: TokenCounter) -> None:
        self._counter = counter
        self._known: dict[tuple[int, int], int] = {}

    @property
    def name(self) -> str:
        return str(getattr(self._counter, "name", type(self._counter).__name__))

    def count(self, text: str) -> int:
        if len(text) < _SHORT:
            return self._counted(text)
        key = (hash(text), len(text))
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _MOST:
                self._known.clear()
            found = self._known[key] = self._counted(text)
        return found

    def _counted(self, text: str) -> int:
        """What a counter of the user's own returns may be anything."""
        found: object = self._counter.count(text)
        try:
            tokens = index(found)  # type: ignore[arg-type]  # whatever can be one, such as an integer of numpy
        except TypeError:
            tokens = -1
        if tokens < 0:
            said = str(found) if isinstance(found, int | float) else f"a value of type {type(found).__name__}"
            raise InputError(
                f"The token counter {self.name!r} returned {said}.",
                remedy="Let its count(text) return a whole number, 0 or more.",
            )
        return tokens


class _Counter:
    def __init__(self, name: str) -> None:
        self.name = name
        self._encoding = _load(name + "_base")

    def count(self, text: str) -> int:
        return int(self._encoding(text))


@cache
def token_counter(name: Literal["o200k", "cl100k"]) -> TokenCounter:
    """The counter for a tokenizer; loaded once."""
    return Remembering(_Counter(name))


def _load(encoding: str) -> Any:
    try:
        from rs_bpe.bpe import openai

        return getattr(openai, encoding)().count
    except ImportError:
        pass
    try:
        import bpe_openai
    except ImportError as error:
        raise MissingExtra(
            "Counting tokens needs rs-bpe or bpe-openai.", remedy="Run: pip install rs-bpe (or bpe-openai)."
        ) from error
    table = bpe_openai.get_encoding(encoding)
    return lambda text: len(table.encode_ordinary(text))
