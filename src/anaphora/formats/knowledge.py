"""knowledge-graph.yaml: what was learned, in the sections of preset brain's file, and what those have no place for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from anaphora.errors import FormatError
from anaphora.knowledge import KINDS, Knowledge, Lesson, LessonKind

__all__ = ["read", "write"]

_LARGEST = 10_000_000  # characters
_CONTEXT = "previous_entity"
_POINTING = ("this", "that", "these", "those")
_LAST = re.compile(r"last_(\d{1,3})_messages")
_START, _STEP = 0.60, 0.05  # by which a confidence tells how often something was seen, and the other way round
_MOST = 0.99
_MARKED = 0.98  # how sure an explicit marker is that says nothing about itself
_OFTEN = 3  # and how often it was seen
_JOINT = " + "
_HEADINGS = {
    "conversation_patterns": "Phrases and the intents that they mean",
    "entity_resolution": "How far words that point back look",
    "file_relationships": "Files that are changed together",
    "conversation_boundaries": "What tells that something new begins",
    "intent_sequences": "What mostly follows",
    "context_needs": "Which intents need what was said before",
    "observations": "How often each was seen, where the sections above have no place for it",
}
_COUNTED: tuple[tuple[str, str, str, LessonKind], ...] = (
    ("intent_sequences", "after", "intent", "sequence"),
    ("context_needs", "intent", "needs", "need"),
)


def write(knowledge: Knowledge) -> Iterator[str]:
    """The file, section by section."""
    import yaml

    sections = _sections(knowledge)
    sections["observations"] = _details(knowledge, sections)
    for name, section in sections.items():
        if section:
            text = yaml.dump({name: section}, Dumper=_dumper(), sort_keys=False, allow_unicode=True, width=120)
            yield f"# {_HEADINGS[name]}\n{text}"


def read(text: str) -> Knowledge:
    """What the file holds; sections and keys that are not known are left alone."""
    import yaml

    if len(text) > _LARGEST:
        raise FormatError(f"The knowledge graph has {len(text):,} characters, more than {_LARGEST:,}.")
    try:
        data = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise FormatError(f"This is no YAML: {' '.join(str(error).split())[:200]}.") from error
    graph = _mapping("The knowledge graph", {} if data is None else data)
    if not graph.keys() & _HEADINGS.keys():
        raise FormatError(f"This is no knowledge graph: it has none of the sections {', '.join(_HEADINGS)}.")
    lessons = {(lesson.kind, lesson.pattern): lesson for lesson in _lessons(graph)}
    for lesson in _observed(_mapping("observations", graph.get("observations") or {})):
        lessons[lesson.kind, lesson.pattern] = lesson
    return Knowledge(tuple(lessons.values()))


def _dumper() -> Any:
    import yaml

    class Flowing(yaml.SafeDumper):
        """Short lists on one line, as people write them."""

        def represent_sequence(self, tag: str, sequence: Any, flow_style: bool | None = None) -> Any:
            flat = all(isinstance(one, str) for one in sequence) and len(sequence) <= 2
            return super().represent_sequence(tag, sequence, flow_style=flat or flow_style)

        def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
            return True

    return Flowing


# --- out ----------------------------------------------------------------------------------------------------------


def _sections(knowledge: Knowledge) -> dict[str, Any]:
    pronouns: dict[str, Any] = {}
    demonstratives: dict[str, Any] = {}
    for lesson in knowledge.references:
        (demonstratives if "{" in lesson.pattern else pronouns)[lesson.pattern] = [_rule(lesson)]
    return {
        "conversation_patterns": [_phrase(lesson) for lesson in knowledge.templates],
        "entity_resolution": {"pronouns": pronouns, "demonstratives": demonstratives},
        "file_relationships": {"co_modified": [_pair(lesson) for lesson in knowledge.of("files")]},
        "conversation_boundaries": {
            "explicit_markers": [lesson.pattern for lesson in knowledge.markers if lesson.meaning == "new"],
            "implicit_markers": [_implicit(one) for one in knowledge.of("implicit") if one.meaning == "new"],
        },
    } | {
        name: [{pattern: one.pattern, meaning: one.meaning} | _counted(one) for one in knowledge.of(kind)]
        for name, pattern, meaning, kind in _COUNTED
    }


def _phrase(lesson: Lesson) -> dict[str, Any]:
    needs = {"context_required": [_CONTEXT]} if 2 * lesson.context >= lesson.total else {}
    several = len(lesson.intents) > 1
    wanted = {"multi_intent": list(lesson.intents)} if several else {"intent": lesson.meaning}
    return {"pattern": lesson.pattern} | needs | wanted | _counted(lesson)


def _counted(lesson: Lesson) -> dict[str, Any]:
    return {"confidence": lesson.confidence, "learned_from": lesson.observations}


def _rule(lesson: Lesson) -> dict[str, Any]:
    if "{" in lesson.pattern:
        where = f"last_{lesson.lookback}_messages"
        return {"type": "specific_from_context", "must_exist_in": where, "confidence": lesson.confidence}
    kind = "most_recent_feature" if lesson.pattern in _POINTING else "most_recent_noun"
    return {"type": kind, "lookback": lesson.lookback, "confidence": lesson.confidence}


def _pair(lesson: Lesson) -> dict[str, Any]:
    return {"files": lesson.pattern.split(_JOINT), "frequency": lesson.observations, "pattern": lesson.meaning}


def _implicit(lesson: Lesson) -> dict[str, Any]:
    name, _, value = lesson.pattern.partition(" ")
    return {name: True if not value else float(value) if name == "entity_similarity_below" else value}


def _details(knowledge: Knowledge, sections: Mapping[str, Any]) -> dict[str, Any]:
    """By kind and pattern the counts of those lessons that their sections do not tell whole."""
    told = {(one.kind, one.pattern): one for one in _lessons(sections)}
    details: dict[str, Any] = {}
    for lesson in knowledge.lessons:
        if told.get((lesson.kind, lesson.pattern)) != replace(lesson, born=0):
            entry = {"counts": dict(lesson.counts), "confidence": lesson.confidence}
            entry |= {"context": lesson.context} if lesson.context else {}
            details.setdefault(lesson.kind, {})[lesson.pattern] = entry
    return details


# --- in -----------------------------------------------------------------------------------------------------------


def _lessons(graph: Mapping[str, Any]) -> Iterator[Lesson]:
    """Those that the sections name, with as much as they say about them."""
    for number, entry in enumerate(_list(graph, "conversation_patterns"), 1):
        yield _read_phrase(f"conversation_patterns, entry {number}", entry)
    resolution = _mapping("entity_resolution", graph.get("entity_resolution") or {})
    for group in ("pronouns", "demonstratives"):
        for words, rules in _mapping(group, resolution.get(group) or {}).items():
            yield _read_rule(f"{group}, {words!r}", str(words), rules)
    for number, entry in enumerate(_list(graph, "file_relationships", "co_modified"), 1):
        yield _read_pair(f"co_modified, entry {number}", entry)
    for marker in _list(graph, "conversation_boundaries", "explicit_markers"):
        yield _read_marker(marker)
    for marker in _list(graph, "conversation_boundaries", "implicit_markers"):
        for name, value in _mapping("implicit_markers", marker).items():
            pattern = str(name) if value is True else f"{name} {value}"
            yield Lesson("implicit", pattern, {"new": _OFTEN}, _MARKED)
    for where, pattern, meaning, kind in _COUNTED:
        for number, entry in enumerate(_list(graph, where), 1):
            found = _mapping(f"{where}, entry {number}", entry)
            yield _counted_as(f"{where}, entry {number}", found, kind, found.get(pattern), found.get(meaning))


def _read_phrase(where: str, entry: Any) -> Lesson:
    found = _mapping(where, entry)
    several = found.get("multi_intent")
    meaning = "+".join(_texts(where, several)) if several is not None else found.get("intent")
    lesson = _counted_as(where, found, "template", found.get("pattern"), meaning)
    return replace(lesson, context=lesson.total if found.get("context_required") else 0)


def _counted_as(where: str, found: Mapping[str, Any], kind: LessonKind, pattern: Any, meaning: Any) -> Lesson:
    confidence = _confidence(where, found.get("confidence", _START))
    times = _count(where, found.get("learned_from", 1))
    return Lesson(kind, _text(where, pattern), {_text(where, meaning): times}, confidence)


def _read_rule(where: str, words: str, rules: Any) -> Lesson:
    if not isinstance(rules, list) or not rules:
        raise FormatError(f"{where}: a list of rules is expected.")
    rule = _mapping(where, rules[0])
    named = _LAST.fullmatch(str(rule.get("must_exist_in", "")))
    lookback = _count(where, int(named[1]) if named else rule.get("lookback", 1))
    confidence = _confidence(where, rule.get("confidence", _START))
    times = max(1, round((confidence - _START) / _STEP) + 1)
    return Lesson("reference", words, {str(lookback): times}, confidence)


def _read_pair(where: str, entry: Any) -> Lesson:
    found = _mapping(where, entry)
    names = _texts(where, found.get("files"))
    if len(names) != 2 or any(_JOINT in name for name in names):
        raise FormatError(f"{where}: two files are expected.")
    times = _count(where, found.get("frequency", 1))
    confidence = round(min(_MOST, _START + _STEP * (times - 1)), 4)
    return Lesson("files", _JOINT.join(names), {str(found.get("pattern", "changed_together")): times}, confidence)


def _read_marker(marker: Any) -> Lesson:
    """A phrase, or one with its own confidence."""
    where = "explicit_markers"
    if isinstance(marker, str):
        return Lesson("marker", _text(where, marker), {"new": _OFTEN}, _MARKED)
    found = _mapping(where, marker)
    return Lesson(
        "marker",
        _text(where, found.get("pattern")),
        {"new": _OFTEN},
        _confidence(where, found.get("confidence", _MARKED)),
    )


def _observed(details: Mapping[str, Any]) -> Iterator[Lesson]:
    kinds: Mapping[str, LessonKind] = {kind: kind for kind in KINDS}
    for name, entries in details.items():
        if name not in kinds:
            continue
        for pattern, entry in _mapping(f"observations, {name}", entries).items():
            where = f"observations, {pattern!r}"
            found = _mapping(where, entry)
            counts = {str(m): _count(where, n) for m, n in _mapping(where, found.get("counts")).items()}
            if not counts or (name == "reference" and not all(distance.isdecimal() for distance in counts)):
                raise FormatError(f"{where}: counts are expected.")
            context = _count(where, found.get("context", 0), least=0)
            confidence = _confidence(where, found.get("confidence", _START))
            yield Lesson(kinds[name], str(pattern), counts, confidence, context=context)


# --- pieces -------------------------------------------------------------------------------------------------------


def _mapping(where: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise FormatError(f"{where}: keys and values are expected, not {_shown(value)}.")
    return value


def _list(graph: Mapping[str, Any], *path: str) -> Sequence[Any]:
    found: Any = graph
    for name in path:
        found = _mapping(path[0], found).get(name) or {}
    if not found:
        return ()
    if not isinstance(found, list):
        raise FormatError(f"{path[-1]}: a list is expected, not {_shown(found)}.")
    return found


def _text(where: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > 500 or "\0" in value:
        raise FormatError(f"{where}: a short text is expected, not {_shown(value)}.")
    return value


def _texts(where: str, value: Any) -> list[str]:
    if not isinstance(value, list) or not value:
        raise FormatError(f"{where}: a list of texts is expected, not {_shown(value)}.")
    return [_text(where, one) for one in value]


def _count(where: str, value: Any, least: int = 1) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= 10**9:
        raise FormatError(f"{where}: a whole number from {least} up is expected, not {_shown(value)}.")
    return value


def _confidence(where: str, value: Any) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
        raise FormatError(f"{where}: a confidence from 0 to 1 is expected, not {_shown(value)}.")
    return float(value)


def _shown(value: Any) -> str:
    return repr(value)[:60]
