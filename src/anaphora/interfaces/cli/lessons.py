"""Lessons for people to read: a table for each kind, the surest first."""

from __future__ import annotations

from datetime import timedelta

from rich.console import Group, RenderableType
from rich.text import Text

from anaphora.interfaces.cli.config import value_text
from anaphora.interfaces.cli.output import one_line
from anaphora.interfaces.cli.render import bare_table, note, plain
from anaphora.knowledge import KINDS, Knowledge, Lesson, LessonKind
from anaphora.settings import Settings

__all__ = ["knowledge_view"]

_SHOWN = 15  # lessons of a kind
_DAY = timedelta(days=1)
_TITLES: dict[LessonKind, str] = {
    "template": "phrases",
    "need": "what needs its context",
    "sequence": "what follows",
    "reference": "how far words look back",
    "marker": "first words",
    "implicit": "other signs of something new",
    "files": "files changed together",
}


def knowledge_view(knowledge: Knowledge, settings: Settings) -> RenderableType:
    if not knowledge.lessons:
        return note(_nothing(settings))
    parts: list[RenderableType] = []
    for kind in KINDS:
        found = knowledge.of(kind)
        if not found:
            continue
        parts.append(Text(_TITLES[kind], style="bold"))
        right = {"justify": "right"}
        rows = bare_table(("pattern", {}), ("means", {}), ("sure", right), ("seen", right))
        for lesson in found[:_SHOWN]:
            rows.add_row(
                plain(one_line(lesson.pattern, 70)),
                plain(one_line(_meaning(lesson), 40)),
                f"{lesson.confidence:.2f}",
                str(lesson.observations),
            )
        parts.append(rows)
        more = len(found) - _SHOWN
        parts.append(note(f"and {more:,} more: anaphora knowledge --json\n" if more > 0 else ""))
    when = f", last {knowledge.last:%Y-%m-%d %H:%M}" if knowledge.last else ""
    parts.append(note(f"{len(knowledge.lessons):,} lessons, {knowledge.consolidations:,} consolidations{when}"))
    return Group(*parts)


def _nothing(settings: Settings) -> str:
    if not settings.learning:
        return "Nothing learned: the setting learning is off. To learn all the same: anaphora consolidate"
    span = settings.consolidate_after
    after = f"{settings.consolidate_events:,} messages or {'a day' if span == _DAY else value_text(span)}"
    return f"Nothing learned yet. It comes by itself after {after}; to learn now: anaphora consolidate"


def _meaning(lesson: Lesson) -> str:
    match lesson.kind:
        case "template":
            needs = " (needs its context)" if 2 * lesson.context >= lesson.total else ""
            return " and ".join(lesson.intents) + needs
        case "reference":
            return f"{lesson.lookback} message{'' if lesson.lookback == 1 else 's'} back"
        case "marker" | "implicit":
            return "something new" if lesson.meaning == "new" else "going on"
        case _:
            return lesson.meaning.replace("_", " ")
