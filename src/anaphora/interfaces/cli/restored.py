"""How a conversation that is gone on with looks: where it stands, what comes next, what was said last."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from anaphora.interfaces.cli import render
from anaphora.interfaces.cli.output import one_line
from anaphora.memory.rendering import render as sections_of
from anaphora.settings import Settings
from anaphora.types import Conversation, Fragment, State

__all__ = ["fragments_view", "restored_view"]


def restored_view(found: Conversation, state: State, summary: str, settings: Settings) -> RenderableType:
    """The session, its goals and next steps, the working state, the summary and the last messages."""
    goals = [g.text for g in state.goals if g.open]
    steps = [a.text for a in state.actions if a.open]
    number = "" if found.number is None else f"#{found.number} "
    said = [m for m in found.messages if m.role == "user"]
    lines = [
        Text.assemble(("✓ ", "green"), "Restored session: ", render.plain(f"{number}{one_line(found.title)}", "bold")),
        render.plain(f"  Active goals: {len(goals)}" + (f" ({one_line('; '.join(goals), 90)})" if goals else "")),
        render.plain(f"  Last activity: {one_line(said[-1].text, 90) if said else 'nothing was said yet'}"),
        render.plain(f"  Next steps: {one_line('; '.join(steps), 90) if steps else 'none noted'}"),
        Text(),
    ]
    told = [render.plain(summary), Text()] if summary else []
    talk = [render.note(f"{one_line(m.speaker, 20)}: {one_line(m.text, 100)}") for m in found.messages]
    return Group(*lines, render.sections_view(sections_of(state, settings)), Text(), *told, *talk)


def fragments_view(found: Sequence[Fragment], zone: str) -> RenderableType:
    if not found:
        return render.note("Nothing was archived yet. Archive the open conversation: anaphora sessions archive")
    table = render.bare_table(
        ("id", {"no_wrap": True}), ("title", {}), ("messages", {"justify": "right"}), ("until", {}), ("why", {})
    )
    for f in found:
        table.add_row(
            f.id, render.plain(one_line(f.title)), str(len(f.message_ids)), render.when(f.at, zone), render.note(f.why)
        )
    return table
