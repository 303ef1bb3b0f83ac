"""Counting tokens: as the models count them, offline, and with a command where a library is missing."""

from __future__ import annotations

import builtins
import sys
from typing import Any, Literal

import pytest

from anaphora.errors import MissingExtra
from anaphora.models import tokens
from anaphora.models.tokens import token_counter

TOKENIZERS: tuple[Literal["o200k", "cl100k"], ...] = ("o200k", "cl100k")


@pytest.mark.parametrize(
    ("text", "o200k", "cl100k"),
    [
        ("tiktoken is great!", 6, 6),
        ("antidisestablishmentarianism", 6, 6),
        ("2 + 2 = 4", 7, 7),
        ("お誕生日おめでとう", 8, 9),
        ("", 0, 0),
    ],
)
def test_tokens_are_counted_as_the_models_count_them(text: str, o200k: int, cl100k: int) -> None:
    assert [token_counter(name).count(text) for name in TOKENIZERS] == [o200k, cl100k]
    assert [token_counter(name).name for name in TOKENIZERS] == [*TOKENIZERS]


def test_words_that_steer_a_model_are_counted_as_ordinary_text() -> None:
    assert token_counter("o200k").count("<|endoftext|>") > 1


def test_a_counter_that_is_not_installed_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.startswith(("rs_bpe", "bpe_openai")):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtra, match="pip install rs-bpe"):
        tokens._load("o200k_base")


def test_the_other_library_counts_where_the_first_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Encoding:
        def encode_ordinary(self, text: str) -> list[str]:
            return text.split()

    class Library:
        def get_encoding(self, name: str) -> Encoding:
            assert name == "cl100k_base"
            return Encoding()

    monkeypatch.setitem(sys.modules, "rs_bpe.bpe", None)
    monkeypatch.setitem(sys.modules, "bpe_openai", Library())
    assert tokens._load("cl100k_base")("three little words") == 3
