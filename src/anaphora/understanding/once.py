"""What is made of a text is made once: several steps ask for the same, and so does the next message."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

__all__ = ["forget_texts", "once", "once_a_word", "when_forgotten"]

T = TypeVar("T")

_TEXTS = 512  # of which the results are kept
_LONGEST = 20_000  # characters of a text that is kept
_WORDS = 2048  # of which the results are kept
_FORGETTING: list[Callable[[], None]] = []


def once(function: Callable[[str], T]) -> Callable[[str], T]:
    """Keep what a pure function gave for the last texts. Nobody may change what they get."""
    kept = lru_cache(_TEXTS)(function)
    when_forgotten(kept.cache_clear)

    @wraps(function)
    def result(text: str) -> T:
        return kept(text) if len(text) <= _LONGEST else function(text)

    return result


def once_a_word(function: Callable[[str], T]) -> Callable[[str], T]:
    """The same for a pure function of single words, of which most come again and again."""
    kept = lru_cache(_WORDS)(function)
    when_forgotten(kept.cache_clear)
    return kept


def when_forgotten(forget: Callable[[], None]) -> None:
    """Call this too when texts are to be forgotten."""
    _FORGETTING.append(forget)


def forget_texts() -> None:
    """Keep no text any more, nor anything made of one."""
    for forget in _FORGETTING:
        forget()
