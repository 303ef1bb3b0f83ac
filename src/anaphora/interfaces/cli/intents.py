"""The intents of one's own: list them, teach one by examples, let go of one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anaphora.errors import BadText, InputError, NotFound
from anaphora.interfaces.cli.options import Json, open_memory, read_stdin
from anaphora.interfaces.cli.output import one_line, write_json, write_line

__all__ = ["commands"]

commands = typer.Typer(
    invoke_without_command=True,
    help="The intents that you taught, beside the seven built-in ones: list them, add one, remove one.",
    epilog="Example: anaphora intents --json",
)


@commands.callback()
def intents(ctx: typer.Context, json_wanted: Json = False) -> None:
    if ctx.invoked_subcommand is not None:
        return
    with open_memory(ctx) as memory:
        found = memory.intents
    if json_wanted:
        write_json(found)
        return
    from anaphora.interfaces.cli import render

    render.console().print(render.intents_view(found))


@commands.command(
    epilog="Example: anaphora intents add deploy 'ship it to prod' 'deploy the app' 'roll it out' --route deployer.md"
)
def add(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What it is called; one that is there is taught anew.")],
    examples: Annotated[
        list[str] | None, typer.Argument(metavar="EXAMPLE", help="What people say when they want it, 3 to 20 of them.")
    ] = None,
    route: Annotated[str | None, typer.Option(metavar="NAME", help="Where it should be handled.")] = None,
    source: Annotated[
        str | None,
        typer.Option("--from", metavar="FILE", help="Read more examples from a file, one a line; - reads stdin."),
    ] = None,
    json_wanted: Json = False,
) -> None:
    """Teach an intent by a few examples of what people say when they want it."""
    said = [*(examples or ()), *(_lines(source) if source is not None else ())]
    with open_memory(ctx) as memory:
        taught = memory.define_intent(name, said, route)
    if json_wanted:
        write_json(taught)
    else:
        routed = f", handled by {taught.route}" if taught.route else ""
        write_line(f"Taught {taught.name} by {len(taught.examples)} examples{routed}.")


@commands.command(epilog="Example: anaphora intents remove deploy")
def remove(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What it is called.")],
    json_wanted: Json = False,
) -> None:
    """Let go of an intent that you taught."""
    with open_memory(ctx) as memory:
        try:
            memory.drop_intent(name)
        except NotFound as error:
            near = _nearest(name, [intent.name for intent in memory.intents])
            raise NotFound(error.args[0], remedy=f"Did you mean {near!r}?" if near else error.remedy) from error
    if json_wanted:
        write_json({"removed": name})
    else:
        write_line(f"Removed {name}.")


def _nearest(name: str, names: list[str]) -> str | None:
    from difflib import get_close_matches

    low = {one.lower(): one for one in names}
    return next((low[one] for one in get_close_matches(name.lower()[:100], low, n=1)), None)


def _lines(source: str) -> list[str]:
    """The lines of a file, or of stdin, that say something."""
    try:
        text = read_stdin() if source == "-" else Path(source).read_text("utf-8-sig")
    except OSError as error:
        raise InputError(f"{one_line(source)} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise BadText(f"{one_line(source)} is not UTF-8 text.", remedy="Convert it first.") from error
    return [line.strip() for line in text.splitlines() if line.strip()]
