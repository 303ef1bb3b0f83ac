"""Beside the thread that takes in many messages a second one reads the next ones ahead, and makes vectors of those that
were heard."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial

from anaphora.engine.embedding import vectors_ahead
from anaphora.engine.hands import Bell, Hand
from anaphora.engine.pace import at_a_pace
from anaphora.engine.place import Place
from anaphora.errors import MissingExtra, StoreError
from anaphora.ports import Reader
from anaphora.types import Message
from anaphora.understanding.reading import stored_form

__all__ = ["Beside", "beside"]

_MANY = 16  # messages whose vectors are made at once; of fewer they are made later
_AHEAD = 32  # messages that are read before their turn: no more than a reader keeps
_AT_ONCE = 12  # of them in one run of the network: who waits for one, waits for all
_LEFT = 24  # vectors that are left to the second thread while the next messages come in


@contextmanager
def beside(place: Place) -> Iterator[Beside]:
    """A second thread at work, where it is worth it. When this is left it is done with what it was at."""
    second = Beside(place)
    with at_a_pace():
        try:
            yield second
        finally:
            second.end()
    second.store()


class Beside:
    """What is done beside hearing. Who hears waits for none of it, and helps where there is too much of it."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._vectors = vectors_ahead(place)
        self._many = False
        self._hand = Hand(self._work, "anaphora-beside")
        self._begun = False
        self._changed = Bell()  # there may be something to do
        self._over = False
        self._lock = threading.Lock()  # guards the two below
        self._to_read: deque[str] = deque()
        self._may_read = 0

    def read(self, texts: Collection[str]) -> None:
        """These will be heard next, in this order."""
        if self._place.reader is None:
            return
        with self._lock:
            self._to_read, self._may_read = deque(texts), _AHEAD
        self._changed.ring()
        self._many = len(texts) >= _MANY
        if len(texts) > 1 and not self._begun:
            self._hand.begin()
            self._begun = True

    def heard(self, message: Message) -> None:
        """One of them is heard."""
        if self._vectors is not None and self._many:
            self._vectors.want(message.full)
        with self._lock:
            self._may_read += 1
        self._changed.ring()

    def help(self, meanwhile: Callable[[], bool]) -> None:
        """A batch is in. While the second thread makes vectors do something else of its messages, piece by piece, as
        long as what was found in them is at hand; then make vectors too, until few are left."""
        if self._vectors is not None and self._many:
            while meanwhile():
                pass
        self._make(left=_LEFT)

    def finish(self) -> None:
        """No more comes in: make vectors until none is left."""
        self._make(left=0)

    def _make(self, left: int) -> None:
        if self._vectors is not None:
            while self._vectors.left > left and self._vectors.make_some():
                pass

    def store(self) -> None:
        """Store the vectors that are made, of the messages that are stored."""
        if self._vectors is not None:
            with suppress(StoreError):  # the messages are in, and who finds one without a vector makes it
                self._vectors.put(self._place)

    def end(self) -> None:
        self._over = True
        self._changed.ring()
        self._hand.wait()

    def _work(self) -> None:
        while (task := self._next()) is not None:
            task()

    def _next(self) -> Callable[[], object] | None:
        """Whoever hears comes to what is to be read, and would wait for it; nobody waits for a vector."""
        reader, vectors = self._place.reader, self._vectors
        while not self._over:
            with self._lock:
                if reader is not None and self._is_to_read():
                    return partial(self._read, reader, self._next_texts())
            if vectors is not None and vectors.left:
                return vectors.make_some
            self._changed.wait()
        return None

    def _is_to_read(self) -> bool:
        """Whether a text is to be read: any while whoever hears is close behind, later enough of them for a run."""
        close = _AHEAD - self._may_read < _AT_ONCE
        enough = 1 if close else min(_AT_ONCE, len(self._to_read))
        return bool(self._to_read) and self._may_read >= enough

    def _next_texts(self) -> list[str]:
        """One while whoever hears is close behind, and would wait for all of them; then some at once."""
        ahead = _AHEAD - self._may_read
        count = min(max(1, ahead), _AT_ONCE, self._may_read, len(self._to_read))
        self._may_read -= count
        return [self._to_read.popleft() for _ in range(count)]

    def _read(self, reader: Reader, texts: Sequence[str]) -> None:
        try:
            reader.prepare(*(stored_form(text, self._place.settings)[0] for text in texts))
        except MissingExtra:  # who hears it does without, too
            with self._lock:
                self._to_read.clear()
