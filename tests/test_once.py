"""What is made of a text is made once, kept for a while, and let go of when something is forgotten."""

from __future__ import annotations

import gc

from anaphora import Memory
from anaphora.understanding.once import forget_texts, once
from anaphora.understanding.text import mask, words


def test_the_same_text_is_not_taken_apart_twice() -> None:
    assert words("make it purple") is words("make it purple")


def test_a_text_of_any_length_gives_the_same() -> None:
    made: list[str] = []

    @once
    def length(text: str) -> int:
        made.append(text)
        return len(text)

    assert [length("a" * 10), length("a" * 10), length("b" * 50_000), length("b" * 50_000)] == [10, 10, 50_000, 50_000]
    assert len(made) == 3  # a very long one is not kept
    forget_texts()
    assert length("a" * 10) == 10
    assert len(made) == 4


def test_what_was_forgotten_is_not_kept_in_the_process(memory: Memory) -> None:
    turn = memory.hear("my sister lives in Reykjavik and sails a boat")
    memory.forget(message=turn.message_id)
    del turn
    mask("something else")
    gc.collect()
    held = [
        o
        for o in gc.get_objects()
        if isinstance(o, tuple) and any(w.low == "reykjavik" for w in o if hasattr(w, "low"))
    ]
    assert not held
