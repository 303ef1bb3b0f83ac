"""How things look in a terminal: values in, what Rich prints out. Remembered text is never markup."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from anaphora.interfaces.cli.config import value_text
from anaphora.interfaces.cli.output import one_line, visible
from anaphora.types import Boundary, Conversation, Event, Hit, Question, Reference, Signal, Turn

if TYPE_CHECKING:
    from anaphora.engine import Memory

__all__ = [
    "console",
    "conversation_view",
    "conversations_view",
    "events_view",
    "hits_view",
    "note",
    "origins",
    "plain",
    "sections_view",
    "settings_view",
    "settled_line",
    "turn_view",
    "why_view",
]

_PIPED_WIDTH = 100
_LABEL = "cyan"
_KEPT = ("goal", "decision", "constraint", "action", "remember", "fact", "preference")


def console(*, stderr: bool = False) -> Console:
    """A console that prints text as it is; without a terminal, or with NO_COLOR, without a single escape code."""
    stream = sys.stderr if stderr else sys.stdout
    measured = stream.isatty() or "COLUMNS" in os.environ
    return Console(
        stderr=stderr,
        markup=False,
        emoji=False,
        highlight=False,
        color_system=None if os.environ.get("NO_COLOR") else "auto",
        width=None if measured else _PIPED_WIDTH,
    )


def plain(text: str, style: str = "") -> Text:
    """Any text, safe to print."""
    return Text(visible(text), style)


def note(text: str) -> Text:
    """A remark of ours, in the background."""
    return plain(text, "dim")


class _Rows:
    """Labels to the left, what they say to the right; lines end where their words do."""

    def __init__(self, width: int = 9) -> None:
        self._width = width
        self._rows: list[tuple[Text, Text]] = []

    def add(self, label: str, says: Text, style: str = _LABEL) -> None:
        self._rows.append((Text(label, style), says))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        indent = self._width + 4
        for label, says in self._rows:
            lines = says.wrap(console, max(16, options.max_width - indent))
            for first, line in zip(_once(label), lines or [Text()], strict=False):
                line.rstrip()
                gap = " " * max(1, self._width + 2 - first.cell_len)
                yield Text.assemble("  ", first, gap, line, no_wrap=True, overflow="ignore")


def _once(label: T) -> Iterator[T | Text]:
    """The label for the first of several rows, nothing for the others."""
    yield label
    yield from repeat(Text())


def _percent(confidence: float) -> str:
    return f"{confidence:.0%}"


def _when(at: datetime, zone: str) -> str:
    return at.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M")


def _number(conversation: Conversation) -> str:
    return f"#{conversation.number} " if conversation.number is not None else ""


def _name(conversation: Conversation) -> str:
    return f"{_number(conversation)}{one_line(conversation.title, 60)}"


# --- a turn -------------------------------------------------------------------------------------------------------


def origins(memory: Memory, turn: Turn) -> tuple[str, ...]:
    """For each reference the words or the conversation that it comes from, empty where that is not known."""
    ids = {r.message_id for r in turn.references if r.message_id}
    said = memory.conversation(turn.conversation.id).messages if ids else ()
    texts = {m.id: f"“{one_line(m.text, 50)}”" for m in said if m.id in ids}
    linked = any(r.conversation_id for r in turn.references)
    names = {c.id: _name(c) for c in memory.conversations()} if linked else {}
    return tuple(names.get(r.conversation_id or "") or texts.get(r.message_id or "", "") for r in turn.references)


def turn_view(turn: Turn, comes_from: Sequence[str]) -> RenderableType:
    """How one message was understood."""
    grid = _grid()
    if turn.expanded != turn.text:
        grid.add_row(_label("means"), plain(turn.expanded, "bold"))
    for label, reference, origin in zip(_once("refers"), turn.references, comes_from, strict=False):
        grid.add_row(_label(label), _reference(reference, origin))
    intents = Text("  ").join(Text.assemble(plain(i.name), (f" {_percent(i.confidence)}", "dim")) for i in turn.intents)
    grid.add_row(_label("wants"), intents)
    grid.add_row(_label("belongs"), _belongs(turn.boundary, turn.conversation))
    for label, signal in zip(_once("keeps"), [s for s in turn.signals if s.kind in _KEPT], strict=False):
        grid.add_row(_label(label), _signal(signal, waiting=turn.question is not None))
    if turn.redactions:
        kinds = ", ".join(dict.fromkeys(one_line(r.kind) for r in turn.redactions))
        grid.add_row(_label("hides"), plain(f"{kinds}, taken out before anything was stored", "yellow"))
    return Group(grid, _question(turn.question)) if turn.question else grid


def settled_line(turn: Turn) -> Text:
    """The waiting message, settled by an answer."""
    where = "goes on with" if turn.boundary.decision == "same" else "begins"
    return Text.assemble(
        ("  settled    ", "green"), plain(f"“{one_line(turn.text, 50)}” {where} {_name(turn.conversation)}")
    )


def _reference(reference: Reference, origin: str) -> Text:
    mention = one_line(reference.mention) if reference.mention else "(left unsaid)"
    line = Text.assemble(plain(mention), (" → ", "dim"), plain(reference.referent, "bold magenta"))
    line.append(f" {_percent(reference.confidence)}", "dim")
    return line.append(f"  {origin}", "dim") if origin else line


def _belongs(boundary: Boundary, conversation: Conversation) -> Text:
    kind = "resumed" if boundary.resumes else boundary.decision
    words, style = {
        "same": ("same conversation", ""),
        "new": ("new conversation", "green"),
        "resumed": ("resumed", "green"),
        "ask": (f"not sure, for now {boundary.best_guess}", "yellow"),
    }[kind]
    line = Text.assemble(plain(_name(conversation), "bold"), "  ", (words, style))
    line.append(f" {_percent(boundary.confidence)}", "dim")
    return line.append(f"  {one_line(boundary.reason)}", "dim")


def _signal(signal: Signal, *, waiting: bool) -> Text:
    line = Text.assemble((f"{signal.kind} ", "green"), plain(one_line(signal.text)))
    if signal.because:
        line.append(f" (because {one_line(signal.because)})", "dim")
    return line.append("  once you have answered", "dim") if waiting else line


def _question(question: Question) -> Table:
    """The question and, below it, each option by its letter."""
    listed = "; ".join(f"{o.key}: {o.text}" for o in question.options)
    grid = _grid()
    grid.add_row(Text("  asks", "yellow"), plain(one_line(question.text.removesuffix(listed)), "bold"))
    for option in question.options:
        grid.add_row("", Text.assemble((f"{option.key}  ", "bold yellow"), plain(one_line(option.text))))
    return grid


def why_view(turn: Turn) -> RenderableType:
    """The reasons: what spoke for and against a boundary, and why each word means what it means."""
    grid = _grid()
    grid.add_row(_label("boundary"), _belongs(turn.boundary, turn.conversation))
    for factor in turn.boundary.factors:
        towards = "new" if factor.weight > 0 else "same"
        line = Text.assemble((f"{factor.weight:+5.2f}", "bold"), (f" {towards:<5}", "dim"), plain(factor.says))
        grid.add_row(_label(f"  {one_line(factor.name)}"), line)
    for label, reference in zip(_once("refers"), turn.references, strict=False):
        others = [c for c in reference.candidates if c != reference.referent]
        line = _reference(reference, one_line(reference.why))
        grid.add_row(
            _label(label), line.append(f"; also possible: {one_line(', '.join(others))}" if others else "", "dim")
        )
    grid.add_row(_label("matters"), f"{turn.importance:.2f} of 1")
    return grid


# --- lists --------------------------------------------------------------------------------------------------------


def _table(*columns: tuple[str, Mapping[str, Any]]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for name, options in columns:
        table.add_column(name, overflow="fold", **options)
    return table


def conversations_view(found: Sequence[Conversation], zone: str, session: str) -> RenderableType:
    if not found:
        return note("No conversations yet.")
    fixed = {"no_wrap": True}
    table = _table(
        ("#", {"justify": "right", **fixed}),
        ("title", {}),
        ("messages", {"justify": "right"}),
        ("last", fixed),
        ("", {}),
    )
    for c in found:
        elsewhere = "" if c.session == session else f" in session {one_line(c.session)}"
        state = Text(f"✨ active{elsewhere}", "green") if c.active else note(c.outcome or "ended")
        table.add_row(
            str(c.number), plain(one_line(c.title)), str(c.message_count), _when(c.last_at or c.started, zone), state
        )
    return table


def conversation_view(found: Conversation, zone: str) -> RenderableType:
    state = "✨ active" if found.active else (found.outcome or "ended")
    head = Text.assemble(plain(_name(found), "bold"), note(f"  {one_line(found.id)}  {state}"))
    lines: list[RenderableType] = [head]
    for label, values in (("about", found.entities_discussed), ("files", found.files_modified), ("links", found.links)):
        if values:
            lines.append(note(f"{label}: {one_line(', '.join(values))}"))
    table = _table(("", {"no_wrap": True}), ("", {}), ("", {}))
    table.show_header = False
    for message in found.messages:
        said = plain(message.text)
        if message.expanded is not None:
            said.append("\n= ", "dim").append(plain(message.expanded, "dim"))
        table.add_row(note(_when(message.at, zone)), plain(one_line(message.speaker), _LABEL), said)
    return Group(*lines, table)


def hits_view(hits: Sequence[Hit], zone: str) -> RenderableType:
    if not hits:
        return note("Nothing found.")
    table = _table(("score", {"justify": "right"}), ("when", {"no_wrap": True}), ("who", {}), ("said", {}))
    for hit in hits:
        said = plain(hit.full).append(f"\n{one_line(hit.why)}", "dim")
        table.add_row(f"{hit.score:.2f}", _when(hit.at, zone), plain(one_line(hit.speaker or hit.role), _LABEL), said)
    return table


def events_view(events: Sequence[Event], zone: str) -> RenderableType:
    if not events:
        return note("No events.")
    fixed = {"no_wrap": True}
    table = _table(("#", {"justify": "right"}), ("when", fixed), ("what", fixed), ("conversation", {}), ("more", {}))
    for event in events:
        more = ", ".join(f"{k}: {v}" for k, v in event.data.items())
        place = plain(one_line(event.conversation_id or ""))
        table.add_row(str(event.seq), _when(event.at, zone), plain(event.kind), place, note(one_line(more, 120)))
    return table


def sections_view(sections: Sequence[tuple[str, Sequence[str]]]) -> RenderableType:
    """Headed lists, such as the working state."""
    if not sections:
        return note("Nothing yet.")
    grid = _grid(indent=12)
    for title, items in sections:
        for label, item in zip(_once(title), items, strict=False):
            grid.add_row(_label(label), plain(one_line(item)))
    return grid


def settings_view(rows: Sequence[Mapping[str, Any]]) -> RenderableType:
    if not rows:
        return note("Every setting has its default.")
    table = _table(
        ("setting", {"no_wrap": True, "style": _LABEL}), ("value", {}), ("from", {}), ("meaning", {"style": "dim"})
    )
    for row in rows:
        origin = plain(one_line(row["origin"]), "dim" if row["origin"] == "default" else "green")
        table.add_row(row["key"], plain(one_line(value_text(row["value"]))), origin, row["description"])
    return table
