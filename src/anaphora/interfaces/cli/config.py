"""The settings, each with where it came from; and the version."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any

import typer

from anaphora.interfaces.cli.options import Json, resolved
from anaphora.interfaces.cli.output import write_json, write_line

__all__ = ["commands", "value_text"]

commands = typer.Typer()
_PANEL = "Settings"
_UNITS = ((86400, "d"), (3600, "h"), (60, "m"), (1, "s"))


def value_text(value: Any) -> str:
    """A value as it is written in a settings file or in the environment."""
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case timedelta():
            seconds = value.total_seconds()
            size, unit = next((u for u in _UNITS if seconds % u[0] == 0 and seconds), _UNITS[-1])
            return f"{seconds / size:g}{unit}"
        case str():
            return value or '""'
    return str(value)


@commands.command(rich_help_panel=_PANEL, epilog="Example: anaphora --preset brain config --changed")
def config(
    ctx: typer.Context,
    every: Annotated[
        bool, typer.Option("--all/--changed", help="Every setting, or only those that something has set.")
    ] = True,
    json_wanted: Json = False,
) -> None:
    """Show each setting, its value, where the value came from, and what it means."""
    from anaphora.engine.upkeep import name_of
    from anaphora.settings import describe

    found = resolved(ctx)
    rows: list[dict[str, Any]] = []
    for about in describe():
        value, origin = getattr(found.settings, about.key), found.origins[about.key]
        if every or origin != "default":
            shown = name_of(value) if about.key == "store" else value
            rows.append({"key": about.key, "value": shown, "origin": origin, "description": about.doc})
    if json_wanted:
        write_json(rows)
        return
    from anaphora.interfaces.cli import render

    render.console().print(render.settings_view(rows))


@commands.command(rich_help_panel=_PANEL)
def version() -> None:
    """Print the version."""
    from anaphora.version import __version__

    write_line(f"anaphora {__version__}")
