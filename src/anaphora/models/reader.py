"""The bundled reader: a small network that reads a message while it looks at those before it.

Each message is read by itself once, and what that gives is kept for as long as the message is among the last ones;
the new message then looks at it. So a message costs a few milliseconds, however long the talk before it."""

from __future__ import annotations

import math
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from weakref import WeakMethod

import numpy as np
from numpy.typing import NDArray

from anaphora.models.judging import (
    DISTANCES,
    LINES,
    NEEDS,
    ROOM,
    Outputs,
    Seen,
    Words,
    has_room,
    judgement,
    marks_of,
    words_in,
)
from anaphora.models.layout import Layout
from anaphora.models.pieces import LONGEST, Pieces, in_a_row, pieces_of
from anaphora.models.sessions import WIDTH, Network, bundled
from anaphora.ports import Judgement, Line

__all__ = ["BundledReader", "bundled_reader"]

_KEPT = 64  # messages whose reading is kept
_ITSELF, _NOTHING = 2 * DISTANCES, 2 * DISTANCES + 1  # in place of a distance
_LAST_LINES = np.arange(LINES - 1)[:, None]
_LAID = ("key_4", "value_4", "key_5", "value_5", "likeness")
_LAID_ROWS = 3 * (ROOM + LONGEST)  # of which those of one message and what it looks at are a third at most
_POINTS_FROM = math.log(0.15 / 0.85)  # a message that needs its context less than this points nowhere


@dataclass(frozen=True, slots=True)
class _Read:
    """A message read by itself."""

    pieces: Pieces
    words: Words
    states: NDArray[Any]
    key_4: NDArray[Any]
    value_4: NDArray[Any]
    key_5: NDArray[Any]
    value_5: NDArray[Any]
    likeness: NDArray[Any]

    def __len__(self) -> int:
        return len(self.states)

    def rows_of(self, name: str, /) -> NDArray[Any]:
        rows: NDArray[Any] = getattr(self, name)
        return rows


class BundledReader:
    """Thread-safe; loads at its first judgement."""

    def __init__(self, folder: Path) -> None:
        self._encode = Network(folder / "encode.onnx")
        self._read = Network(folder / "read.onnx")
        self._point = Network(folder / "point.onnx")
        self._layout = _layout()
        self._kept: OrderedDict[str, _Read] = OrderedDict()
        self._at_it: dict[str, threading.Lock] = {}  # texts that some thread is reading, while it holds the lock
        self._lock = threading.Lock()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=_calling(WeakMethod(self._after_fork)))

    def _after_fork(self) -> None:
        """The lock may have been held by a thread that the child does not have, half-way through a change."""
        self._lock = threading.Lock()
        self._kept.clear()
        self._at_it.clear()

    def judge(self, text: str, lines: Sequence[Line], /, *, talk: bool) -> Judgement:
        message = self._known(text)
        read: list[tuple[int, Line, _Read]] = []  # the last ones that fit, the oldest first
        pieces = 0
        for number in range(len(lines) - 1, -1, -1):
            one = self._known(lines[number].text)
            pieces += len(one.pieces)
            if not has_room(pieces, len(read) + 1):
                break
            read.insert(0, (number, lines[number], one))
        far = _far([(number, line.mine) for number, line, _ in read], len(lines))
        judged, edits, entities, states = self._read(
            states=message.states, **_memory(self._layout, message, [one for _, _, one in read], far)
        )

        def pointers(at: Sequence[int]) -> NDArray[Any]:
            words = [one.words.pieces for _, _, one in read]
            if not any(map(len, words)):
                return np.zeros((len(at), 0), np.float32)
            return self._point(
                states=states,
                context=self._layout.taken(
                    "context", [(one.states, some) for (_, _, one), some in zip(read, words, strict=True)]
                ),
                marks=marks_of(
                    message.pieces,
                    [(line, one.pieces, some.tolist()) for (_, line, one), some in zip(read, words, strict=True)],
                ),
                distances=np.repeat(far, [len(some) for some in words]),
                at=np.array(at, np.int64),
            )[0]

        pointing = bool(read) and judged[NEEDS] > _POINTS_FROM
        outputs = Outputs(judged, edits, entities, pointers if pointing else None)
        return judgement(text, message.pieces, [Seen(n, one.words) for n, _, one in read], outputs, talk=talk)

    def prepare(self, *texts: str) -> None:
        """Read messages by themselves, in one run, ahead of those that will look at them."""
        waiting: list[threading.Lock] = []
        mine: list[str] = []
        done = threading.Lock()
        with done:
            with self._lock:
                for text in dict.fromkeys(texts):
                    other = self._at_it.get(text)
                    if other is not None and other.locked():  # another thread is at it
                        waiting.append(other)
                    elif text not in self._kept:
                        self._at_it[text] = done
                        mine.append(text)
            if mine:
                self._read_alone(mine)
        for other in waiting:
            with other:
                pass

    def _known(self, text: str) -> _Read:
        """The message, read by itself."""
        while True:
            with self._lock:
                known = self._kept.get(text)
                if known is not None:
                    self._kept.move_to_end(text)
                    return known
            self.prepare(text)

    def _read_alone(self, texts: Sequence[str]) -> None:
        try:
            pieces = [pieces_of(text) for text in texts]
            rows = in_a_row(pieces)
            made = self._encode(**rows)
            ends = pairwise(rows["bounds"].tolist())
            found = {
                text: _Read(cut, words_in(text, cut), *(one[start:end] for one in made))
                for text, cut, (start, end) in zip(texts, pieces, ends, strict=True)
            }
            with self._lock:
                self._kept |= found
                while len(self._kept) > _KEPT:
                    self._kept.popitem(last=False)
        finally:
            with self._lock:
                for text in texts:
                    self._at_it.pop(text, None)

    def forget(self) -> None:
        """Nothing of what was read is kept."""
        with self._lock:
            self._kept.clear()
            self._layout = _layout()


def _calling(method: WeakMethod[Callable[[], None]]) -> Callable[[], None]:
    def call() -> None:
        found = method()
        if found is not None:
            found()

    return call


def _layout() -> Layout:
    return Layout(_LAID, WIDTH, _LAID_ROWS)


@cache
def bundled_reader() -> BundledReader:
    """The reader that ships with the package, one for the whole process."""
    return BundledReader(bundled())


def _far(lines: Sequence[tuple[int, bool]], count: int) -> NDArray[Any]:
    """How far back each line of the context is, and who said it; where nothing came before, one that is not there."""
    far = [2 * min(count - 1 - number, DISTANCES - 1) + (not mine) for number, mine in lines]
    return np.array(far or [_NOTHING], np.int64)


def _memory(layout: Layout, message: _Read, read: Sequence[_Read], far: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """What there is to look at: the message itself and what came before it, the newest first."""
    before = read[::-1] or [_nothing()]
    own = len(message)
    rows = layout.laid([message, *before])
    distances = np.repeat(far[::-1], [len(one) for one in before])
    which = np.empty((LINES, len(distances)), np.float32)
    which[:-1] = distances // 2 == _LAST_LINES
    which[-1] = distances != _NOTHING
    return {
        "key_4": rows["key_4"],
        "value_4": rows["value_4"],
        "key_5": rows["key_5"][own:],
        "value_5": rows["value_5"][own:],
        "likeness": rows["likeness"],
        "distances": np.concatenate([np.full(own, _ITSELF, np.int64), distances]),
        "which": which,
    }


@cache
def _nothing() -> _Read:
    """One row of nothing, to stand where nothing came before; it is marked as not there."""
    row = np.zeros((1, WIDTH), np.float32)
    return _Read(pieces_of(""), words_in("", pieces_of("")), row, row, row, row, row, row)
