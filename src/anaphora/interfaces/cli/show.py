"""Everything at a glance: what is worked on, what a context costs, the conversations in time, what was learned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from anaphora.interfaces.cli.options import Json, open_memory
from anaphora.interfaces.cli.output import write_json
from anaphora.interfaces.cli.page import Force, PageFile, may_write, write_page

if TYPE_CHECKING:
    from anaphora.interfaces.glance import Glance

__all__ = ["commands"]

commands = typer.Typer()


@commands.command(rich_help_panel="Work", epilog="Example: anaphora show --page memory.html")
def show(
    ctx: typer.Context,
    budget: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Tokens of the context.", show_default="the setting budget")
    ] = None,
    page: PageFile = None,
    force: Force = False,
    json_wanted: Json = False,
) -> None:
    """Show it all: goals as a tree, decisions with their reasons, facts, files, tokens, conversations in time."""
    from anaphora.interfaces.cli import overview, render
    from anaphora.interfaces.glance import gathered

    if page is not None:
        may_write(page, force=force)
    with open_memory(ctx) as memory:
        found = gathered(memory, budget)
    if page is not None:
        write_page(found, page, json_wanted=json_wanted)
        return
    if json_wanted:
        write_json(_plain(found))
        return
    screen = render.console()
    screen.print(overview.overview(found, screen))


def _plain(found: Glance) -> dict[str, Any]:
    context = found.context
    return {
        "state": found.state,
        "context": {"tokens": context.tokens, "budget": context.budget, "parts": context.parts},
        "conversations": found.conversations,
        "knowledge": found.knowledge,
    }
