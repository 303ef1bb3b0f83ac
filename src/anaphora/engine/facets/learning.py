"""Learning: what conversations taught, and what becomes of it."""

from __future__ import annotations

from pathlib import Path

from anaphora.engine import consolidating
from anaphora.engine.checks import checked_file, checked_flag
from anaphora.engine.facets.base import Base
from anaphora.engine.lessons import read_knowledge
from anaphora.errors import InputError
from anaphora.knowledge import Knowledge, Report

__all__ = ["Learning"]


class Learning(Base):
    """Consolidate, look at what was learned, purge it."""

    @property
    def knowledge(self) -> Knowledge:
        """What was learned in this scope, the surest first."""
        return read_knowledge(self._place.view)

    def consolidate(self, *, afresh: bool = False) -> Report:
        """Learn now from what happened since the last time; `afresh` from everything that is still stored, in place of
        what was learned before."""
        checked_flag("afresh", afresh)
        with self._lock:
            return consolidating.consolidate(self._place, afresh=afresh)

    def learn(self, knowledge: Knowledge) -> Report:
        """Take in what was learned elsewhere, beside what was learned here; the same twice is once."""
        if not isinstance(knowledge, Knowledge):
            raise InputError(
                f"`knowledge` must be a Knowledge, not {type(knowledge).__name__}.",
                remedy="Give the knowledge of another memory; a file comes in with import_knowledge().",
            )
        with self._lock:
            return consolidating.take_in(self._place, knowledge.lessons)

    def export_knowledge(self, path: str | Path) -> int:
        """Write what was learned to a file in the form of knowledge-graph.yaml; how many lessons it holds."""
        from anaphora.engine import teaching  # here: a hook needs no files, and must be quick

        return teaching.write_graph(self._place, checked_file("path", path))

    def import_knowledge(self, path: str | Path) -> Report:
        """Take in a knowledge-graph.yaml, all of it, or nothing if it is damaged. Twice is once."""
        from anaphora.engine import teaching

        file = checked_file("path", path)
        with self._lock:
            return teaching.read_graph(self._place, file)

    def purge_knowledge(self) -> int:
        """Let go of everything that was learned; how many lessons that were. What is stored stays, and is not learned
        from again unless it is asked for (`consolidate(afresh=True)`)."""
        with self._lock:
            return consolidating.purge(self._place, self._place.clock())
