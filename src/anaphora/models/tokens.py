"""Exact token counts without a network: the tables come with the installed package."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

from anaphora.errors import MissingExtra
from anaphora.ports import TokenCounter

__all__ = ["token_counter"]


class _Counter:
    def __init__(self, name: str) -> None:
        self.name = name
        self._encoding = _load(name + "_base")

    def count(self, text: str) -> int:
        return int(self._encoding(text))


@cache
def token_counter(name: Literal["o200k", "cl100k"]) -> TokenCounter:
    """The counter for a tokenizer; loaded once."""
    return _Counter(name)


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
