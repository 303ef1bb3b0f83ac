"""Rows that lie below each other for a network: always those that were asked for, however many lie there already."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from anaphora.models.layout import Layout

ROOM = 24
WIDTH = 2


@dataclass(frozen=True, eq=False)
class Message:
    rows: NDArray[Any]

    def __len__(self) -> int:
        return len(self.rows)

    def rows_of(self, name: str, /) -> NDArray[Any]:
        return self.rows if name == "key" else -self.rows


def message(number: int, length: int) -> Message:
    return Message(np.full((length, WIDTH), number, np.float32))


def expect_laid(layout: Layout, newest_first: list[Message]) -> None:
    laid = layout.laid(newest_first)
    wanted = np.concatenate([one.rows for one in newest_first])
    assert laid["key"].tolist() == wanted.tolist()
    assert laid["value"].tolist() == (-wanted).tolist()


@given(
    st.lists(st.integers(1, 4), min_size=1, max_size=8),
    st.lists(st.lists(st.integers(0, 7), min_size=1, max_size=6), min_size=1, max_size=12),
)
def test_what_is_asked_for_lies_there_in_its_order(lengths: list[int], asked: list[list[int]]) -> None:
    messages = [message(number, length) for number, length in enumerate(lengths)]
    layout = Layout(("key", "value"), WIDTH, ROOM)
    for numbers in asked:
        expect_laid(layout, [messages[number % len(messages)] for number in numbers])


def test_what_lies_there_is_not_copied_again() -> None:
    layout = Layout(("key", "value"), WIDTH, ROOM)
    first, second, third = (message(number, 3) for number in (1, 2, 3))
    before = layout.laid([second, first])["key"]
    first.rows[:] = 9  # a second copy would show it
    after = layout.laid([third, second, first])["key"]
    assert np.shares_memory(before, after)
    assert after[:, 0].tolist() == [3.0] * 3 + [2.0] * 3 + [1.0] * 3


def test_what_was_said_since_takes_the_place_of_what_is_no_longer_meant() -> None:
    """A message that was written out after it was heard lies there as it was meant."""
    layout = Layout(("key", "value"), WIDTH, ROOM)
    old, heard, meant, new = (message(number, 2) for number in (1, 2, 3, 4))
    expect_laid(layout, [heard, old])
    expect_laid(layout, [new, meant, old])


def test_some_rows_of_several_tables_stand_below_each_other() -> None:
    layout = Layout(("key",), WIDTH, ROOM)
    one, other = (np.arange(8, dtype=np.float32).reshape(4, WIDTH) + start for start in (0, 100))
    taken = layout.taken("some", [(one, np.array([0, 3])), (other, np.array([2])), (one, np.array([], np.int64))])
    assert taken.tolist() == [[0, 1], [6, 7], [104, 105]]
