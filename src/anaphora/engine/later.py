"""Work that can wait: done off the message's path, in pieces, by a thread or when asked. It adds; what was answered
stays as it was answered.

A job is a function of the place that does one bounded piece of work and says whether there is more. It finds out
itself, and cheaply, what is left to do, so that whoever comes next goes on where another process stopped or died."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from anaphora.engine import ageing, archiving, compacting, consolidating, embedding, summarising, writing
from anaphora.engine.hands import Bell, Hand
from anaphora.engine.place import Place
from anaphora.errors import AnaphoraError

__all__ = ["JOBS", "Job", "Later"]

Job = Callable[[Place], bool]

JOBS: Mapping[str, Job] = {  # by name, in the order in which they are done
    "embed": embedding.embed_messages,
    "summarise": summarising.renew,
    "write": writing.write,
    "consolidate": consolidating.consolidate_piece,
    "compact": compacting.compact,
    "archive": archiving.judge,
    "remove": ageing.remove_old,
}


_MEANWHILE = ("summarise", "consolidate")  # what is done while vectors are made: it takes no network, and not long
_QUIET = 0.3  # seconds without a word before work begins
_LATEST = 5.0  # seconds after which it begins all the same
_BETWEEN = 1.0  # and goes on all the same, where someone asked or spoke while it was at a piece


class Later:
    """Does the jobs of one memory. Its thread lives while there is something to do."""

    def __init__(self, place: Place, jobs: Mapping[str, Job] = JOBS) -> None:
        self._place = place
        self._jobs = jobs
        self._threaded = place.settings.background
        self._reset()

    def _reset(self) -> None:
        self._lock = threading.Lock()  # guards the four below
        self._awake = False
        self._held: set[object] = set()  # who takes in much at once
        self._let_go = -_QUIET  # when the last one of them was done
        self._begun = False
        self._stirred = Bell()  # someone spoke, or closes
        self._hand = Hand(self._run, "anaphora-later")
        self._working = threading.Lock()  # one works at a time: the thread, or who asked
        self._closed = False
        self.failed: dict[str, AnaphoraError] = {}

    def wake(self) -> None:
        """There may be something to do."""
        if not self._threaded or not self._jobs:
            return
        with self._lock:
            self._awake = True
            self._stirred.ring()
            if not self._begun and not self._closed:
                self._begin()

    def stir(self) -> None:
        """Someone asks for something: what can wait waits for a moment, after the piece that it is at."""
        self._stirred.ring()

    @contextmanager
    def held(self) -> Iterator[None]:
        """While much comes in at once the thread begins nothing, and stops after the piece that it is at: beside each
        other both would take longer than one after the other."""
        one = object()
        try:
            with self._lock:
                self._held.add(one)
            yield
        finally:
            with self._lock:
                self._held.discard(one)  # a child forked in here has none to give back
                self._let_go = time.monotonic()

    def piece(self) -> bool:
        """Do one piece of what can be done while vectors are made; whether there was any. What goes wrong is kept for
        who asks."""
        return any(self._one(name, job) for name, job in self._jobs.items() if name in _MEANWHILE)

    def finish(self) -> tuple[str, ...]:
        """Do all there is to do now, and raise what goes wrong; the names of the jobs that nothing is left of."""
        with self._working:
            for name, job in self._jobs.items():
                while job(self._place):
                    pass
                self.failed.pop(name, None)
        return tuple(self._jobs)

    def close(self) -> None:
        """Leave the rest to whoever opens the store next; what is half done is finished first."""
        with self._lock:
            self._closed = True
            self._stirred.ring()
        self._hand.wait()

    def leave_to_parent(self) -> None:
        """In a forked child there is no thread, and its locks may be held for good."""
        self._reset()

    def _begin(self) -> None:
        self._begun = True
        try:
            self._hand.begin()
        except RuntimeError:
            self._begun = False
            if not _program_ends():
                raise
        except BaseException:  # it may not have begun: the next waking begins it
            self._begun = False
            raise

    def _run(self) -> None:
        while True:
            self._let_talk(_LATEST)
            with self._lock:
                if self._closed or not self._awake:
                    self._begun = False
                    return
                self._awake = False
            for name, job in self._jobs.items():
                self._try(name, job)

    def _let_talk(self, longest: float) -> None:
        """Who talks goes first: wait until nobody has spoken for a moment, though not for ever; who takes in much at
        once, until it is in: one batch may follow the other."""
        latest = time.monotonic() + longest
        while not self._closed and (self._held or time.monotonic() < max(latest, self._let_go + _QUIET)):
            if not self._stirred.wait(_QUIET) and not self._held:
                return

    def _try(self, name: str, job: Job) -> None:
        """Piece by piece. A job that fails is tried again at the next waking; nobody waits for it who could be told,
        so what went wrong is kept for who asks."""
        more = True
        while more and not self._closed:
            if self._held:
                with self._lock:
                    self._awake = True  # to come back to it
                return
            more = self._one(name, job)
            if more and self._stirred.rung:
                self._let_talk(_BETWEEN)

    def _one(self, name: str, job: Job) -> bool:
        """One piece; whether there is more."""
        with self._working:
            try:
                more = job(self._place)
                self.failed.pop(name, None)
            except AnaphoraError as error:
                self.failed[name] = error
                return False
            except RuntimeError:
                if not _program_ends():
                    raise
                return False
            return more


def _program_ends() -> bool:
    """Whether Python may begin no thread any more: what is left is done by whoever opens the store next."""
    return not threading.main_thread().is_alive()
