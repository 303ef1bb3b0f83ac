"""What was learned from conversations, as values: lessons without a word of anyone's, each with how sure it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

__all__ = ["KINDS", "Knowledge", "Lesson", "LessonKind", "Report"]

LessonKind = Literal["template", "need", "sequence", "reference", "marker", "implicit", "files"]

KINDS: Mapping[LessonKind, str] = {
    "template": "a phrase with slots, and the intents that it means",
    "need": "an intent, and whether a message with it needs what was said before",
    "sequence": "an intent, and the one that follows it in a conversation",
    "reference": "words that point back, and how many messages they look back",
    "marker": "first words of a message, and whether they begin something new",
    "implicit": "what else tells that something new begins",
    "files": "two files that are changed together, and in which way",
}


@dataclass(frozen=True, slots=True)
class Lesson:
    """A pattern and what it was seen to mean, each meaning with how often. `context` of the observations needed what
    was said before; `born` is the consolidation that it was first seen in."""

    kind: LessonKind
    pattern: str
    counts: Mapping[str, int]
    confidence: float
    born: int = 0
    context: int = 0

    @property
    def meaning(self) -> str:
        """What it meant most often: of contradicting meanings the strongest stands."""
        return max(self.counts, key=lambda meaning: (self.counts[meaning], meaning))

    @property
    def observations(self) -> int:
        """How often it meant that."""
        return self.counts[self.meaning]

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    @property
    def intents(self) -> tuple[str, ...]:
        """The intents that a template means, in order."""
        return tuple(self.meaning.split("+"))

    @property
    def lookback(self) -> int:
        """How many messages back a reference looks: as far as nine of ten did."""
        seen = 0
        for distance in sorted(map(int, self.counts)):
            seen += self.counts[str(distance)]
            if 10 * seen >= 9 * self.total:
                return distance
        return 1


@dataclass(frozen=True, slots=True)
class Knowledge:
    """All lessons of a scope, the surest of each kind first, and when they were last consolidated."""

    lessons: tuple[Lesson, ...] = ()
    consolidations: int = 0
    last: datetime | None = None

    def of(self, kind: LessonKind) -> tuple[Lesson, ...]:
        return tuple(lesson for lesson in self.lessons if lesson.kind == kind)

    @property
    def templates(self) -> tuple[Lesson, ...]:
        return self.of("template")

    @property
    def sequences(self) -> tuple[Lesson, ...]:
        return self.of("sequence")

    @property
    def references(self) -> tuple[Lesson, ...]:
        return self.of("reference")

    @property
    def markers(self) -> tuple[Lesson, ...]:
        return self.of("marker")

    def changed_with(self, file: str) -> tuple[str, ...]:
        """The files that are changed together with this one, the most often first."""
        name = file.replace("\\", "/").rsplit("/", 1)[-1]
        pairs = [lesson.pattern.split(" + ") for lesson in self.of("files")]
        return tuple(other for pair in pairs if name in pair for other in pair if other != name)


@dataclass(frozen=True, slots=True)
class Report:
    """What a consolidation did to the lessons."""

    added: int = 0
    reinforced: int = 0
    pruned: int = 0

    def __add__(self, other: Report) -> Report:
        return Report(self.added + other.added, self.reinforced + other.reinforced, self.pruned + other.pruned)
