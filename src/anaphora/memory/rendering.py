"""The working state as Markdown for a prompt: headed lists, what is done with or past left out."""

from __future__ import annotations

from collections.abc import Sequence

from anaphora.memory.summary import cut
from anaphora.settings import Settings
from anaphora.types import FileContext, GoalStatus, Note, State

__all__ = ["ICONS", "markdown", "render"]

_LONGEST = 500  # characters of a line

ICONS: dict[GoalStatus, str] = {"pending": "⏳", "in-progress": "🔄", "complete": "✅", "dropped": "🚫"}


def markdown(state: State, settings: Settings) -> str:
    """The whole state under the heading that prompts know it by; only that where there is nothing."""
    sections = (f"## {title}\n" + "".join(f"- {line}\n" for line in lines) for title, lines in render(state, settings))
    return "\n".join(["# Current Context\n", *sections])


def render(state: State, settings: Settings) -> list[tuple[str, list[str]]]:
    """Titles with their lines, empty ones left out; the reason of a decision is a second line of it."""
    standing = [d for d in state.decisions if d.open]
    decisions = [
        _line(d.text) + (f"\n  *Rationale: {_line(d.because)}*" if d.because else "")
        for d in (standing[-settings.decisions_shown :] if settings.decisions_shown else ())
    ]
    sections = [
        ("Active Goals", [f"{ICONS[g.status]} {_line(g.text)}" for g in state.goals if g.open]),
        ("Current Files", _files(state.files, settings.files_shown)),
        ("Key Decisions", decisions),
        ("Important Constraints", [_line(n.text) for n in state.constraints if n.open]),
        ("Pending Actions", [_line(a.text) for a in state.actions if a.open]),
        ("Remember", [_line(n.text) for n in state.notes if n.open]),
        ("About the User", _facts([f for f in state.facts if f.open])),
    ]
    return [(title, lines) for title, lines in sections if lines]


def _files(context: FileContext, most: int) -> list[str]:
    """The last ones, the newest last; which was edited last, and the function that is worked on, where known."""
    files = context.files[-most:] if most else ()
    marks = ["last edited"] + ([f"in {context.current_function}"] if context.current_function else [])
    lines = [f"{f} ({', '.join(marks)})" if f == context.last_edited else f for f in files]
    if context.current_function and context.last_edited not in files:
        lines.append(f"in {context.current_function}")
    return lines


def _facts(facts: Sequence[Note]) -> list[str]:
    """Whose they are is said where there are several people."""
    several = len({f.speaker for f in facts}) > 1
    return [_line(f"{f.speaker}: {f.text}" if several and f.speaker else f.text) for f in facts]


def _line(text: str) -> str:
    return cut(text, _LONGEST)
