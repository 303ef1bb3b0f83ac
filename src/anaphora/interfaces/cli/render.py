"""How things look in a terminal: values in, what Rich prints out. Remembered text is never markup."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from anaphora.assembly import local_time
from anaphora.interfaces.cli.config import value_text
from anaphora.interfaces.cli.output import one_line, visible
from anaphora.memory.items import Item, closed_by, items_of
from anaphora.types import Boundary, Conversation, Event, Hit, Note, OwnIntent, Question, Reference, Signal, Turn

if TYPE_CHECKING:
    from anaphora.engine import Memory

__all__ = [
    "bare_table",
    "console",
    "conversation_view",
    "conversations_view",
    "error_line",
    "events_view",
    "facts_view",
    "hits_view",
    "intents_view",
    "note",
    "origins",
    "plain",
    "sections_view",
    "settings_view",
    "settled_line",
    "turn_view",
    "when",
    "why_view",
]

_PIPED_WIDTH = 100
_LABEL = "cyan"
_LONGEST = 4000  # characters of a message among others
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

    def add(self, label: str, *says: Text, style: str = _LABEL) -> None:
        """One row for each thing said, the label before the first."""
        self._rows += [(Text("" if i else label, style), said) for i, said in enumerate(says)]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for label, said in self._rows:
            lines = said.wrap(console, max(16, options.max_width - self._width - 4))
            for i, line in enumerate(lines):
                line.rstrip()
                head = Text() if i else label
                gap = " " * max(1, self._width + 2 - head.cell_len)
                yield Text.assemble("  ", head, gap, line, no_wrap=True, overflow="ignore")


def _percent(confidence: float) -> str:
    return f"{confidence:.0%}"


def when(at: datetime, zone: str) -> str:
    return local_time(at, zone).strftime("%Y-%m-%d %H:%M")


def _number(conversation: Conversation) -> str:
    return f"#{conversation.number} " if conversation.number is not None else ""


def _name(conversation: Conversation) -> str:
    return f"{_number(conversation)}{one_line(conversation.title, 60)}"


# --- a turn -------------------------------------------------------------------------------------------------------


def origins(memory: Memory, turn: Turn) -> tuple[str, ...]:
    """For each reference the words or the conversation that it comes from, empty where that is not known."""
    said = [memory.message(id) for id in {r.message_id for r in turn.references if r.message_id}]
    texts = {m.id: f"“{one_line(m.text, 50)}”" for m in said if m is not None}
    linked = any(r.conversation_id for r in turn.references)
    queue = {c.id: c for c in memory.conversations()} if linked else {}

    def origin(reference: Reference) -> str:
        other = queue.get(reference.conversation_id or "")
        if other is None:
            return texts.get(reference.message_id or "", "")
        return "" if reference.referent == other.title else f"in {_name(other)}"

    return tuple(map(origin, turn.references))


def turn_view(memory: Memory, turn: Turn, before: Turn | None = None) -> RenderableType:
    """How one message was understood; `before` is how it was shown while its question was open."""
    rows = _Rows()
    comes_from = origins(memory, turn)
    if before is None or before.expanded != turn.expanded:
        if turn.expanded != turn.text:
            rows.add("means", plain(turn.expanded, "bold"))
        rows.add("refers", *(_reference(r, o) for r, o in zip(turn.references, comes_from, strict=True)))
        intents = (Text.assemble(plain(i.name), (f" {_percent(i.confidence)}", "dim")) for i in turn.intents)
        rows.add("wants", Text("  ").join(intents))
    rows.add("belongs", _belongs(turn.boundary, turn.conversation))
    if memory.settings.keep_state:
        rows.add("keeps", *(_signal(s, waiting=turn.question is not None) for s in turn.signals if s.kind in _KEPT))
        rows.add("closes", *(plain(one_line(item.text)) for item in _closed_by(memory, turn)))
    if turn.redactions:
        kinds = ", ".join(dict.fromkeys(one_line(r.kind) for r in turn.redactions))
        rows.add("hides", plain(f"{kinds}, taken out before anything was stored", "yellow"))
    if turn.question is not None:
        rows.add("asks", *_question(turn.question), style="yellow")
    return rows


def _closed_by(memory: Memory, turn: Turn) -> list[Item]:
    """What is done, superseded or past by what the message said."""
    if not turn.signals:
        return []
    items = items_of(memory.state)
    new = {item.id for item in items if item.message_id == turn.message_id}
    return [item for item in items if not item.open and (closed_by(item) in new or closed_by(item) == turn.message_id)]


def settled_line(turn: Turn) -> RenderableType:
    """The waiting message, settled by an answer."""
    where = "goes on with" if turn.boundary.decision == "same" else "begins"
    rows = _Rows()
    rows.add("settled", plain(f"“{one_line(turn.text, 50)}” {where} {_name(turn.conversation)}"), style="green")
    return rows


def error_line(told: str) -> RenderableType:
    """Something that went wrong, without an end to everything."""
    rows = _Rows()
    rows.add("error", plain(one_line(told)), style="red")
    return rows


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


def _question(question: Question) -> list[Text]:
    """The question and, below it, each option by its letter."""
    listed = "; ".join(f"{o.key}: {o.text}" for o in question.options)
    options = [Text.assemble((f"{o.key}  ", "bold yellow"), plain(one_line(o.text))) for o in question.options]
    return [plain(one_line(question.text.removesuffix(listed)), "bold"), *options]


def why_view(turn: Turn) -> RenderableType:
    """The reasons: what spoke for and against a boundary, and why each word means what it means."""
    rows = _Rows(width=11)
    rows.add("belongs", _belongs(turn.boundary, turn.conversation))
    for factor in turn.boundary.factors:
        towards = "new" if factor.weight > 0 else "same"
        line = Text.assemble((f"{factor.weight:+5.2f}", "bold"), (f" {towards:<5}", "dim"), plain(factor.says))
        rows.add(f"  {one_line(factor.name)}", line)
    for reference in turn.references:
        others = one_line(", ".join(c for c in reference.candidates if c != reference.referent))
        why = one_line(reference.why) + (f"; also possible: {others}" if others else "")
        rows.add("refers", _reference(reference, why))
    rows.add("importance", plain(f"{turn.importance:.2f} of 1"))
    return rows


# --- lists --------------------------------------------------------------------------------------------------------


def bare_table(*columns: tuple[str, Mapping[str, Any]]) -> Table:
    """A table without lines; each column by its heading and options."""
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for name, options in columns:
        table.add_column(name, overflow="fold", **options)
    return table


def conversations_view(found: Sequence[Conversation], zone: str, session: str) -> RenderableType:
    if not found:
        return note("No conversations yet.")
    fixed = {"no_wrap": True}
    table = bare_table(
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
            str(c.number), plain(one_line(c.title)), str(c.message_count), when(c.last_at or c.started, zone), state
        )
    return table


def conversation_view(found: Conversation, zone: str) -> RenderableType:
    state = "✨ active" if found.active else (found.outcome or "ended")
    head = Text.assemble(plain(_name(found), "bold"), note(f"  {one_line(found.id)}  {state}"))
    lines: list[RenderableType] = [head]
    lists = (
        ("about", found.entities_discussed),
        ("files", found.files_modified),
        ("links", found.links),
        ("tags", found.tags),
        ("who", found.authors),
    )
    for label, values in lists:
        if values:
            lines.append(note(f"{label}: {one_line(', '.join(values))}"))
    table = bare_table(("", {"no_wrap": True}), ("", {}), ("", {}))
    table.show_header = False
    for message in found.messages:
        said = _said(message.text, message.expanded)
        table.add_row(note(when(message.at, zone)), plain(one_line(message.speaker), _LABEL), said)
    return Group(*lines, table)


def _said(text: str, expanded: str | None) -> Text:
    """What was said, to the letter; below it, marked as such, what it was taken to mean."""
    said = plain(text)
    return said if expanded is None else said.append("\nmeaning: ", "dim").append(plain(expanded, "dim"))


def hits_view(hits: Sequence[Hit], zone: str) -> RenderableType:
    if not hits:
        return note("Nothing found. What single commands heard is found by its meaning after 'anaphora work'.")
    table = bare_table(("score", {"justify": "right"}), ("when", {"no_wrap": True}), ("who", {}), ("said", {}))
    for hit in hits:
        meant = None if hit.expanded is None else _shortened(hit.expanded)
        said = _said(_shortened(hit.text), meant).append(f"\n{one_line(hit.why)}", "dim")
        table.add_row(f"{hit.score:.2f}", when(hit.at, zone), plain(one_line(hit.speaker or hit.role), _LABEL), said)
    return table


def _shortened(text: str) -> str:
    """A message as a terminal can show it among others."""
    more = len(text) - _LONGEST
    return text if more <= 0 else f"{text[:_LONGEST].rstrip()}… ({more:,} more characters; --json has them)"


def events_view(events: Sequence[Event], zone: str) -> RenderableType:
    if not events:
        return note("No events.")
    fixed = {"no_wrap": True}
    right = {"justify": "right"}
    table = bare_table(("#", right), ("when", fixed), ("what", fixed), ("conversation", {}), ("more", {}))
    for event in events:
        more = ", ".join(f"{k}: {_listed(v)}" for k, v in event.data.items())
        place = plain(one_line(event.conversation_id or ""))
        table.add_row(str(event.seq), when(event.at, zone), plain(event.kind), place, note(one_line(more, 120)))
    return table


def _listed(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def facts_view(found: Sequence[Note], zone: str) -> RenderableType:
    if not found:
        return note("Nothing is known yet. Tell something about yourself, or: anaphora facts add 'I live in Berlin'")
    fixed = {"no_wrap": True}
    table = bare_table(("id", {"style": "dim", **fixed}), ("who", {}), ("fact", {}), ("since", fixed), ("until", fixed))
    for fact in found:
        style = "" if fact.open else "dim"
        until = when(fact.until, zone) if fact.until else ""
        who = plain(one_line(fact.speaker or ""), _LABEL)
        table.add_row(fact.id, who, plain(one_line(fact.text), style), when(fact.at, zone), note(until))
    return table


def intents_view(found: Sequence[OwnIntent]) -> RenderableType:
    if not found:
        return note("No intents of your own yet. Teach one: anaphora intents add NAME EXAMPLE EXAMPLE EXAMPLE")
    table = bare_table(("intent", {"no_wrap": True, "style": _LABEL}), ("route", {}), ("examples", {}))
    for intent in found:
        first, second, *more = (one_line(example, 60) for example in intent.examples)
        examples = plain(f"“{first}”  “{second}”").append(f"  and {len(more)} more", "dim")
        table.add_row(plain(intent.name), plain(one_line(intent.route or "")), examples)
    return table


def sections_view(sections: Sequence[tuple[str, Sequence[str]]]) -> RenderableType:
    """Headed lists, such as the working state."""
    if not sections:
        return note("  Nothing yet.")
    rows = _Rows(width=max(len(title) for title, _ in sections))
    for title, items in sections:
        rows.add(title, *(plain(one_line(item)) for item in items))
    return rows


def settings_view(rows: Sequence[Mapping[str, Any]]) -> RenderableType:
    if not rows:
        return note("Nothing is set: every setting has its default.")
    table = bare_table(
        ("setting", {"no_wrap": True, "style": _LABEL}), ("value", {}), ("from", {}), ("meaning", {"style": "dim"})
    )
    for row in rows:
        origin = plain(one_line(row["origin"]), "dim" if row["origin"] == "default" else "green")
        table.add_row(row["key"], plain(one_line(value_text(row["value"]))), origin, row["description"])
    return table
