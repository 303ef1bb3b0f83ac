"""A context as it would go to a model: its tiers as a bar against the budget, what each costs, and the text."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from anaphora.interfaces.cli.output import one_line
from anaphora.interfaces.cli.render import note, plain
from anaphora.interfaces.glance import BETWEEN, tiers
from anaphora.types import Context

__all__ = ["cells", "context_view", "costs_view", "explained_view"]

_WIDEST = 72
_GLIMPSE = 160  # characters of a part
# A colour for each tier; where there is none, a pattern tells them apart.
_LOOKS: Mapping[str, tuple[str, str]] = {
    "time": ("white", "▏"),
    "style": ("bright_black", "▞"),
    "state": ("cyan", "█"),
    "facts": ("bright_cyan", "▉"),
    "memory": ("magenta", "▓"),
    "summary": ("yellow", "▒"),
    "history": ("green", "▚"),
    "query": ("blue", "▌"),
    "between": ("bright_black", "░"),
}
_OTHER = ("red", "▤")


def cells(tokens: Mapping[str, int], budget: int, width: int) -> dict[str, int]:
    """How many cells of a bar each tier takes: its share of the budget, at least one, never more than the bar."""
    edges = [0]
    for count in tokens.values():
        edges.append(edges[-1] + count)
    whole = max(budget, edges[-1], 1)
    sizes = {
        tier: max(1, round(b * width / whole) - round(a * width / whole))
        for tier, (a, b) in zip(tokens, pairwise(edges), strict=True)
    }
    while sum(sizes.values()) > width and max(sizes.values()) > 1:
        sizes[max(sizes, key=lambda tier: sizes[tier])] -= 1
    return sizes


def context_view(context: Context, screen: Console) -> RenderableType:
    """The bar, what each tier costs and why it is there, what was left out, and the text."""
    return Group(costs_view(context, screen), "", plain(context.text))


def explained_view(context: Context, screen: Console) -> RenderableType:
    """Where the tokens went, then each part with its reason, what was left out and why, and how long it all took."""
    parts = _rows("in the context")
    for part in context.parts:
        said = plain(one_line(part.text, _GLIMPSE)).append(f"\n{one_line(part.why)}", "dim")
        parts.add_row(plain(part.tier), f"{part.tokens:,}", _score(part.score), said)
    if context.between > 0:
        parts.add_row("between", f"{context.between:,}", "", note(BETWEEN))
    views: list[RenderableType] = [costs_view(context, screen), "", parts]
    if context.left_out:
        gone = _rows("left out")
        for left in context.left_out:
            said = plain(one_line(left.text, _GLIMPSE)).append(f"\n{one_line(left.why)}", "dim")
            gone.add_row(plain(left.tier), f"~{left.tokens:,}", _score(left.score), said)
        views += ["", gone]
    taken = ", ".join(f"{name} {took:.1f} ms" for name, took in context.steps.items())
    return Group(*views, "", note(f"Time: {taken}; in all {sum(context.steps.values()):.1f} ms"))


def _rows(title: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("tier", no_wrap=True)
    table.add_column("tokens", justify="right", no_wrap=True)
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column(title, overflow="fold")
    return table


def _score(score: float | None) -> str:
    return "" if score is None else f"{score:.2f}"


def costs_view(context: Context, screen: Console) -> RenderableType:
    """The bar, what each tier costs and why it is there, how much was left out, and warnings."""
    found = tiers(context)
    tokens = {tier: count for tier, (count, _) in found.items()}
    whys = {tier: reasons for tier, (_, reasons) in found.items()}
    coloured = screen.color_system is not None
    lines: list[RenderableType] = [
        Text.assemble((f"{context.tokens:,}", "bold"), f" of {context.budget:,} tokens"),
        _bar(tokens, context.budget, min(_WIDEST, max(10, screen.width - 2)), coloured=coloured),
        _costs(tokens, whys, coloured=coloured),
    ]
    if context.left_out:
        reasons = ", ".join(dict.fromkeys(one_line(left.why) for left in context.left_out))
        lines.append(note(f"{len(context.left_out)} left out: {reasons}"))
    lines += [plain(f"Warning: {one_line(warning)}", "yellow") for warning in context.warnings]
    return Group(*lines)


def _bar(tokens: Mapping[str, int], budget: int, width: int, *, coloured: bool) -> Text:
    line = Text(no_wrap=True)
    sizes = cells(tokens, budget, width)
    for tier, size in sizes.items():
        colour, pattern = _LOOKS.get(tier, _OTHER)
        line.append(("█" if coloured else pattern) * size, colour)
    return line.append("·" * (width - sum(sizes.values())), "dim")


def _costs(tokens: Mapping[str, int], whys: Mapping[str, list[str]], *, coloured: bool) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold", style="dim")
    for tier, count in tokens.items():
        colour, pattern = _LOOKS.get(tier, _OTHER)
        parts = len(whys[tier])
        why = one_line(whys[tier][0]) if parts == 1 else f"{parts} lines, such as: {one_line(whys[tier][-1])}"
        table.add_row(Text("█" if coloured else pattern, colour), plain(tier), f"{count:,}", why)
    return table
