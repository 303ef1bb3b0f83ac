"""What was learned, ready to be gone by: what a phrase meant before, what mostly follows, how far words look back.

Only lessons that were seen often enough count, and only where a message is not clear by itself."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from anaphora.knowledge import Lesson, LessonKind
from anaphora.ports import Judgement
from anaphora.settings import Settings
from anaphora.types import Factor, Intent
from anaphora.understanding.evidence import logit
from anaphora.understanding.intents import INTENTS
from anaphora.understanding.templates import OPENING, normal, openings_of, templates_of

__all__ = ["Experience"]

_CLEAR = 0.9  # what is wanted so surely is clear by itself
_UNCLEAR = 0.6  # below this what mostly follows is asked too
_FLOOR = 0.03  # how likely an intent is at least that nothing else speaks for
_PHRASE, _FOLLOWING, _NEED, _MARKER = 1.0, 0.3, 0.5, 0.7  # how much each kind of lesson weighs
_PHRASE_READ = 0.5  # what a reader found is worth more than what rules did, and phrases less beside it
_FIRST_USUAL = 10.0  # observations that an even share of all intents counts for
_FULL = 4  # words of an opening that say as much as a whole message
_DOUBT = 2.0  # observations that the usual share of a meaning counts for
_WORTH_TELLING = 0.02  # a confidence that moved less was not moved
_SUREST = 0.99
_LOWEST, _HIGHEST = 0.02, 0.98


@dataclass(frozen=True, slots=True)
class Experience:
    """Lessons by what they are looked up by. `usual` is how large a share of all messages each intent has."""

    templates: Mapping[str, Lesson]
    sequences: Mapping[str, Lesson]
    needs: Mapping[str, Lesson]
    references: Mapping[str, Lesson]
    markers: Mapping[str, Lesson]
    usual: Mapping[str, float]
    needing: float

    @classmethod
    def of(cls, lessons: Iterable[Lesson], settings: Settings) -> Experience:
        known: dict[LessonKind, dict[str, Lesson]] = {}
        for lesson in lessons:
            if lesson.observations >= settings.prune_below or lesson.confidence >= settings.prune_unless:
                named = normal(lesson.pattern) if lesson.kind in ("template", "marker") else lesson.pattern
                known.setdefault(lesson.kind, {})[named] = lesson
        sequences, needs = known.get("sequence", {}), known.get("need", {})
        counts: Counter[str] = Counter()
        for lesson in sequences.values():
            counts.update(lesson.counts)
        even = _FIRST_USUAL / len(INTENTS)
        total = counts.total() + _FIRST_USUAL
        needing = sum(lesson.counts.get("context", 0) for lesson in needs.values())
        return cls(
            known.get("template", {}),
            sequences,
            needs,
            known.get("reference", {}),
            known.get("marker", {}),
            {name: (counts[name] + even) / total for name in (*INTENTS, *counts)},
            needing / (sum(lesson.total for lesson in needs.values()) or 1),
        )

    # intents

    def intents(self, text: str, found: tuple[Intent, ...], before: str | None) -> tuple[Intent, ...]:
        """What is wanted, in the light of what the same phrase meant before and of what mostly follows on what the
        last message wanted, `before`; as it was found where that is clear, or where nothing was learned about it. None
        for `before` where a reader has looked at that already."""
        first = found[0]
        if first.confidence >= _CLEAR:
            return found
        phrase = next((self.templates[t] for t in templates_of(text) if t in self.templates), None)
        following = self.sequences.get(before) if before and first.confidence < _UNCLEAR else None
        if phrase is None and following is None:
            return found
        scores = {intent.name: max(_FLOOR, intent.confidence) for intent in found if intent.name != "unknown"}
        unsaid = max(_FLOOR, (1 - sum(scores.values())) / (len(INTENTS) - 1))  # how likely each other intent is
        for lesson in (phrase, following):
            for name in _meanings(lesson):
                scores.setdefault(name, unsaid)
        weight = _PHRASE_READ if before is None else _PHRASE
        weighed = {
            name: score * math.exp(self._speaks(phrase, name, weight) + self._speaks(following, name, _FOLLOWING))
            for name, score in scores.items()
        }
        others = max(0.0, 1 - sum(scores.values()))  # what is not among them speaks too, against all of them
        others *= math.exp(_speaks_for_others(phrase, weight) + _speaks_for_others(following, _FOLLOWING))
        scale = 1 / (others + sum(weighed.values()))
        return _renewed(found, {name: weight * scale for name, weight in weighed.items()}, phrase or following)

    def _speaks(self, lesson: Lesson | None, name: str, weight: float) -> float:
        """How much a lesson speaks for an intent: by how much more often it meant that than messages do."""
        if lesson is None:
            return 0.0
        weight *= _reach(lesson)
        usual = self.usual.get(name, _FLOOR)
        times = sum(count for meaning, count in lesson.counts.items() if name in meaning.split("+"))
        return weight * lesson.confidence * math.log((times + _DOUBT * usual) / (lesson.total + _DOUBT) / usual)

    # what a message needs

    def judged(self, judged: Judgement) -> tuple[Judgement, str]:
        """The judgement, with how likely the message needs its context in the light of what messages that want the
        same mostly do; and the reason where that was moved."""
        wanted = max(judged.intents, key=lambda name: judged.intents[name])
        lesson = self.needs.get(wanted)
        if lesson is None or judged.intents[wanted] < _UNCLEAR or not _LOWEST < judged.needs < _HIGHEST:
            return judged, ""
        share = (lesson.counts.get("context", 0) + _DOUBT * self.needing) / (lesson.total + _DOUBT)
        if share <= self.needing:
            return judged, ""
        moved = logit(judged.needs) + _NEED * (logit(share) - logit(self.needing))
        needs = 1 / (1 + math.exp(-moved))
        why = f"learned: {wanted} needs what was said before in {share:.0%} of cases ({lesson.confidence:.2f})"
        return replace(judged, needs=needs), why

    def lookback(self, mention: str) -> Lesson | None:
        """How far words that point back were seen to look."""
        low = mention.lower().split()
        name = "(unsaid)" if not low else low[0] if len(low) == 1 else f"{low[0]} {{entity}}"
        return self.references.get(name)

    # boundaries

    def marker(self, text: str) -> Factor | None:
        """What the first words of a message say about a boundary, by what the user answered before."""
        if not self.markers:
            return None
        lesson = next((self.markers[o] for o in openings_of(text) if o in self.markers), None)
        if lesson is None:
            return None
        new, same = lesson.counts.get("new", 0), lesson.counts.get("same", 0)
        weight = round(_MARKER * lesson.confidence * math.log((new + 1) / (same + 1)), 2)
        begins = "begins something new" if weight > 0 else "goes on"
        return Factor("learned", weight, f"learned: “{lesson.pattern}” {begins} ({lesson.confidence:.2f})")


def _speaks_for_others(lesson: Lesson | None, weight: float) -> float:
    """What a lesson says of intents that it never meant."""
    if lesson is None:
        return 0.0
    return weight * _reach(lesson) * lesson.confidence * math.log(_DOUBT / (lesson.total + _DOUBT))


def _reach(lesson: Lesson) -> float:
    """The first two words of a message say less about it than four of them, or all."""
    if not lesson.pattern.endswith(OPENING):
        return 1.0
    return min(1.0, (len(lesson.pattern.split()) - 1) / _FULL)


def _meanings(lesson: Lesson | None) -> set[str]:
    """The intents that are built in; one's own are known by their examples."""
    said = lesson.counts if lesson is not None else ()
    return {name for meaning in said for name in meaning.split("+") if name in INTENTS}


def _renewed(found: tuple[Intent, ...], scores: Mapping[str, float], lesson: Lesson | None) -> tuple[Intent, ...]:
    """The intents by their new scores; those that were not found and did not come first stay away."""
    assert lesson is not None
    known = {intent.name: intent for intent in found}
    best = max(scores, key=lambda name: scores[name])
    told = f"learned: “{lesson.pattern}” means {best} ({lesson.confidence:.2f})"
    if lesson.kind == "sequence":
        told = f"learned: {best} mostly follows {lesson.pattern} ({lesson.confidence:.2f})"
    renewed = []
    for name in sorted(scores, key=lambda name: -scores[name]):
        old = known.get(name)
        if old is None and name != best:
            continue
        confidence = round(min(_SUREST, scores[name]), 2)
        if old is None:
            renewed.append(Intent(name, confidence, None, told))
        elif name == best and abs(confidence - old.confidence) >= _WORTH_TELLING:
            renewed.append(replace(old, confidence=confidence, why=told))
        else:
            renewed.append(replace(old, confidence=confidence))
    return tuple(renewed)
