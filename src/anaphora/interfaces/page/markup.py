"""Pieces of HTML that cannot be broken out of: what is not made here is escaped."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from anaphora.interfaces.cli.output import visible

__all__ = ["Html", "cut", "element", "items", "joined", "table", "text"]


@dataclass(frozen=True, slots=True)
class Html:
    """Markup that may go onto the page as it is."""

    source: str


def text(said: str) -> Html:
    """Words, whatever they hold: markup in them is shown, and so is what would steer how they are read."""
    return Html(html.escape(visible(said)))


def cut(said: str, most: int) -> str:
    """A text on one line, cut to `most` characters."""
    line = " ".join(said.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def element(tag: str, *inside: Html | str, **attributes: str) -> Html:
    """<tag>…</tag>; `class_` and `aria_label` become the attributes class and aria-label."""
    named = ((name.rstrip("_").replace("_", "-"), text(value).source) for name, value in attributes.items())
    given = "".join(f' {name}="{value}"' for name, value in named)
    return Html(f"<{tag}{given}>{joined(inside).source}</{tag}>")


def joined(pieces: Iterable[Html | str]) -> Html:
    return Html("".join(piece.source if isinstance(piece, Html) else text(piece).source for piece in pieces))


def items(rows: Iterable[Html], **attributes: str) -> Html:
    return element("ul", *(element("li", row) for row in rows), **attributes)


def table(headings: Sequence[str], rows: Iterable[Sequence[Html | str]], numbers: frozenset[int]) -> Html:
    """A table; the columns in `numbers` hold numbers."""

    def row(tag: str, cells: Sequence[Html | str]) -> Html:
        looks = ({"class_": "number"} if place in numbers else {} for place in range(len(cells)))
        return element("tr", *(element(tag, cell, **look) for cell, look in zip(cells, looks, strict=True)))

    body = (row("td", cells) for cells in rows)
    return element("table", element("thead", row("th", headings)), element("tbody", *body))
