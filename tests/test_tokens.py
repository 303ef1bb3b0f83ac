"""Counting tokens: as the models count them, offline, and with a command where a library is missing."""

from __future__ import annotations

import builtins
import sys
from typing import Any, Literal

import numpy
import pytest

import anaphora
from anaphora.errors import InputError, MissingExtra
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


class Own:
    """A counter of the user's own that returns whatever it likes."""

    name = "mine"

    def __init__(self, returns: Any) -> None:
        self._returns = returns

    def count(self, text: str) -> int:
        return self._returns if text else 0


@pytest.mark.parametrize(
    ("returns", "said"),
    [
        ("5", "a value of type str"),
        (None, "a value of type NoneType"),
        ([1, 2], "a value of type list"),
        (1.5, "1.5"),
        (-5, "-5"),
    ],
)
def test_a_counter_that_returns_no_number_of_tokens_is_told_so(returns: Any, said: str) -> None:
    with anaphora.open(":memory:", counter=Own(returns)) as memory:
        memory.hear("Hello")
        with pytest.raises(InputError, match=f"The token counter 'mine' returned {said}.*a whole number, 0 or more"):
            memory.context("Hello", 100)


@pytest.mark.parametrize("returns", [0, 3, numpy.int64(3)])
def test_a_counter_may_return_whatever_is_a_whole_number(returns: Any) -> None:
    with anaphora.open(":memory:", counter=Own(returns)) as memory:
        ctx = memory.context("Hello", 100)
    assert type(ctx.tokens) is int
    assert ctx.tokens <= 100


@pytest.mark.parametrize(("tokens", "over"), [(1, False), (90, False), (101, True), (5000, True)])
def test_a_context_that_no_counting_makes_fit_says_that_it_is_over_and_why(tokens: int, over: bool) -> None:
    class Many(Own):
        def count(self, text: str) -> int:
            return tokens + 0 * len(text)

    with anaphora.open(":memory:", counter=Many(0)) as memory:
        memory.hear("Hello")
        ctx = memory.context("Hello", 100)
    assert (ctx.tokens > 100) == over
    told = f"The context has {tokens} tokens and is over its budget of 100: the counter 'mine' counts more"
    assert any(told in warning for warning in ctx.warnings) == over


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
