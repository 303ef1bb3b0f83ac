"""Everything at a glance: what is worked on, what a context costs, the conversations in time, what was learned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from anaphora.interfaces.cli.options import Json, open_memory
from anaphora.interfaces.cli.output import write_json

if TYPE_CHECKING:
    from anaphora.interfaces.cli.overview import Shown

__all__ = ["commands"]

commands = typer.Typer()


@commands.command(rich_help_panel="Work", epilog="Example: anaphora show --budget 2000")
def show(
    ctx: typer.Context,
    budget: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Tokens of the context.", show_default="the setting budget")
    ] = None,
    json_wanted: Json = False,
) -> None:
    """Show it all: goals as a tree, decisions with their reasons, facts, files, tokens, conversations in time."""
    from anaphora.interfaces.cli import overview, render

    with open_memory(ctx) as memory:
        found = overview.gathered(memory, budget)
    if json_wanted:
        write_json(_plain(found))
        return
    screen = render.console()
    screen.print(overview.overview(found, screen))


def _plain(found: Shown) -> dict[str, Any]:
    context = found.context
    return {
        "state": found.state,
        "context": {"tokens": context.tokens, "budget": context.budget, "parts": context.parts},
        "conversations": found.conversations,
        "knowledge": found.knowledge,
    }
