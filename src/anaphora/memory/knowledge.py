"""What is learned: observations become lessons that grow surer, contradict each other, and go when they stay rare."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b

from anaphora.knowledge import Knowledge, Lesson, LessonKind, Report
from anaphora.settings import Settings
from anaphora.understanding.patterns import expression
from anaphora.understanding.redaction import holds_secret
from anaphora.understanding.templates import is_anonymous, normal

__all__ = ["Observation", "anonymised", "consolidated", "joined", "without"]

_LONGEST_PAIR = 200
_FOR_THE_YOUNG = 0.3  # of the room
_IMPLICIT = expression(r"new_session_started|entity_similarity_below [\d.]{1,5}|time_gap_exceeds \d{1,3} \w{3,8}")
_WAY = expression(r"[a-z_]{1,40}")
_ENTRY, _DETAILS, _MEANING = 120, 70, 20  # bytes that a lesson takes at most, written out, beside its words


@dataclass(frozen=True, slots=True)
class Observation:
    """One thing seen once: a pattern, and what it meant there."""

    kind: LessonKind
    pattern: str
    meaning: str
    context: bool = False

    @property
    def key(self) -> str:
        """A name for it that gives nothing away."""
        return _key(self.kind, self.pattern, self.meaning, context=self.context)


def consolidated(
    knowledge: Knowledge, observations: Iterable[Observation], settings: Settings, at: datetime
) -> tuple[Knowledge, Report]:
    """The knowledge with these observations in it, and what that changed."""
    now = knowledge.consolidations + 1
    before = {_place(lesson.kind, lesson.pattern): lesson for lesson in knowledge.lessons}
    lessons = dict(before)
    reinforced = set()
    for seen in observations:
        place = _place(seen.kind, seen.pattern)
        known = lessons.get(place)
        lessons[place] = _begun(seen, now, settings) if known is None else _reinforced(known, seen, settings)
        if place in before:
            reinforced.add(place)
    kept = _strongest([lesson for lesson in lessons.values() if not _is_spent(lesson, now, settings)], now, settings)
    places = {_place(lesson.kind, lesson.pattern) for lesson in kept}
    report = Report(len(places - before.keys()), len(reinforced & places), len(before.keys() - places))
    return Knowledge(kept, now, at), report


def joined(knowledge: Knowledge, more: Iterable[Lesson], settings: Settings) -> tuple[Knowledge, Report]:
    """The knowledge with lessons from elsewhere: new ones as they are; of one that is here the larger counts stand, so
    that the same ones twice are the same ones once."""
    before = {_place(lesson.kind, lesson.pattern): lesson for lesson in knowledge.lessons}
    lessons = dict(before)
    for lesson in more:
        place = _place(lesson.kind, lesson.pattern)
        here = lessons.get(place)
        fresh = replace(lesson, born=knowledge.consolidations)
        lessons[place] = fresh if here is None else _larger(here, fresh)
    kept = _strongest([*lessons.values()], knowledge.consolidations, settings)
    places = {_place(lesson.kind, lesson.pattern): lesson for lesson in kept}
    changed = sum(place in before and before[place] != lesson for place, lesson in places.items())
    report = Report(len(places.keys() - before.keys()), changed, len(before.keys() - places.keys()))
    return replace(knowledge, lessons=kept), report


def anonymised(lesson: Lesson) -> Lesson | None:
    """A lesson from elsewhere, without what is particular in its words; None where nothing is left of it."""
    counts = {meaning: count for meaning, count in lesson.counts.items() if _is_meaning(lesson.kind, meaning)}
    pattern = lesson.pattern
    match lesson.kind:
        case "template" | "marker":
            pattern = pattern if is_anonymous(pattern) else normal(pattern)
        case "files":
            pattern = "" if holds_secret(pattern) or len(pattern) > _LONGEST_PAIR else pattern
        case "implicit":
            pattern = pattern if _IMPLICIT.fullmatch(pattern) else ""
        case "reference" | "sequence" | "need":
            pattern = pattern if pattern in ("(unsaid)", "start") or is_anonymous(_words(pattern)) else ""
    return replace(lesson, pattern=pattern, counts=counts) if pattern and counts else None


def _is_meaning(kind: LessonKind, meaning: str) -> bool:
    """Whether it is one of those that can be learned: intents by their names, the rest as it is written here."""
    match kind:
        case "template" | "sequence":
            return is_anonymous(_words(meaning))
        case "marker" | "implicit":
            return meaning in ("new", "same")
        case "need":
            return meaning in ("context", "alone")
        case "reference":
            return meaning.isdecimal()
        case "files":
            return bool(_WAY.fullmatch(meaning))


def _words(name: str) -> str:
    return re.sub(r"[-_+]", " ", name.lower())


def without(knowledge: Knowledge, keys: Mapping[str, int], settings: Settings) -> Knowledge:
    """The knowledge as if these observations, by their keys, had never been made."""
    left = [kept for lesson in knowledge.lessons if (kept := _without(lesson, keys, settings)) is not None]
    return replace(knowledge, lessons=_strongest(left, knowledge.consolidations, settings))


def _begun(seen: Observation, now: int, settings: Settings) -> Lesson:
    return Lesson(seen.kind, seen.pattern, {seen.meaning: 1}, settings.learning_start, now, int(seen.context))


def _reinforced(known: Lesson, seen: Observation, settings: Settings) -> Lesson:
    """Once more; what speaks for another meaning makes this one no surer, until the other is the stronger."""
    counts = {**known.counts, seen.meaning: known.counts.get(seen.meaning, 0) + 1}
    fresh = replace(known, counts=counts, context=known.context + seen.context)
    if fresh.meaning != known.meaning:
        return replace(fresh, confidence=_earned(fresh, settings))
    step = settings.learning_step if seen.meaning == known.meaning else 0.0
    return replace(fresh, confidence=round(min(settings.learning_most, known.confidence + step), 4))


def _earned(lesson: Lesson, settings: Settings) -> float:
    grown = settings.learning_start + settings.learning_step * (lesson.observations - 1)
    return round(min(settings.learning_most, grown), 4)


def _larger(here: Lesson, other: Lesson) -> Lesson:
    counts = {m: max(here.counts.get(m, 0), other.counts.get(m, 0)) for m in {**here.counts, **other.counts}}
    merged = replace(here, counts=counts, context=max(here.context, other.context))
    agreeing = [one.confidence for one in (here, other) if one.meaning == merged.meaning]
    return replace(merged, confidence=max(agreeing))


def _without(lesson: Lesson, keys: Mapping[str, int], settings: Settings) -> Lesson | None:
    gone: Counter[str] = Counter()
    needing = 0
    for meaning in lesson.counts:
        for context in (False, True):
            times = keys.get(_key(lesson.kind, lesson.pattern, meaning, context=context), 0)
            gone[meaning] += times
            needing += times if context else 0
    if not gone.total():
        return lesson
    counts = {meaning: count - gone[meaning] for meaning, count in lesson.counts.items() if count > gone[meaning]}
    if not counts:
        return None
    left = replace(lesson, counts=counts, context=max(0, lesson.context - needing))
    return replace(left, confidence=min(lesson.confidence, _earned(left, settings)))


def _is_spent(lesson: Lesson, now: int, settings: Settings) -> bool:
    """Seen too rarely, for long enough that it could have been seen more often."""
    rare = lesson.observations < settings.prune_below and lesson.confidence < settings.prune_unless
    return rare and now - lesson.born >= settings.prune_grace


def _strongest(lessons: Sequence[Lesson], now: int, settings: Settings) -> tuple[Lesson, ...]:
    """As many as there is room for, the weakest gone; the surest first. Young ones have some of the room to themselves
    until they had their chance: else, where it is full, nothing new could be learned."""
    ranked = sorted(lessons, key=lambda one: (-one.observations, -one.confidence, -one.born, one.kind, one.pattern))
    young = [lesson for lesson in ranked if now - lesson.born < settings.prune_grace]
    young.sort(key=lambda one: -one.observations / (now - one.born + 1))  # by how fast they come
    old = [lesson for lesson in ranked if now - lesson.born >= settings.prune_grace]
    share = min(sum(map(_size, young)), int(_FOR_THE_YOUNG * settings.knowledge_size))
    stay = _fitting(old, settings.knowledge_size - share)
    stay += _fitting(young, settings.knowledge_size - sum(map(_size, stay)))
    kept = {(lesson.kind, lesson.pattern) for lesson in stay}
    return tuple(lesson for lesson in ranked if (lesson.kind, lesson.pattern) in kept)


def _fitting(ranked: Sequence[Lesson], room: int) -> list[Lesson]:
    """The first of them that have room."""
    kept = []
    for lesson in ranked:
        room -= _size(lesson)
        if room < 0:
            break
        kept.append(lesson)
    return kept


def _size(lesson: Lesson) -> int:
    """At most, in bytes, as a file: an entry and, where it is not as simple as that, the counts behind it."""
    named = len(lesson.pattern.encode())
    simple = len(lesson.counts) == 1 and lesson.context in (0, lesson.total) and lesson.kind in ("template", "files")
    counted = sum(_MEANING + len(meaning) for meaning in lesson.counts)
    return _ENTRY + named + counted + (0 if simple else _DETAILS + named)


def _place(kind: LessonKind, pattern: str) -> tuple[LessonKind, str]:
    """Where a lesson belongs: patterns that differ in punctuation alone are one."""
    return kind, normal(pattern) if kind in ("template", "marker") else pattern


def _key(kind: LessonKind, pattern: str, meaning: str, *, context: bool) -> str:
    text = "\0".join((*_place(kind, pattern), meaning, "context" if context else ""))
    return blake2b(text.encode(), digest_size=6).hexdigest()
