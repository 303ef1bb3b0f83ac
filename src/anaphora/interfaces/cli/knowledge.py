"""What was learned: look at it, learn now, take it to a file and back, let go of it."""

from __future__ import annotations

import shutil
import sys
from typing import Annotated

import typer

from anaphora.interfaces.cli.files import Force, target
from anaphora.interfaces.cli.forget import Yes, sure
from anaphora.interfaces.cli.importing import incoming, named
from anaphora.interfaces.cli.options import Json, open_memory
from anaphora.interfaces.cli.output import write_json, write_line

__all__ = ["commands", "consolidate_command"]

commands = typer.Typer(
    invoke_without_command=True,
    help="What was learned from conversations: phrases and what they mean, what follows what, files changed together.",
    epilog="Example: anaphora knowledge --json",
)
consolidate_command = typer.Typer()


@commands.callback()
def knowledge(ctx: typer.Context, json_wanted: Json = False) -> None:
    if ctx.invoked_subcommand is not None:
        return
    with open_memory(ctx) as memory:
        found, settings = memory.knowledge, memory.settings
    if json_wanted:
        write_json(found)
        return
    from anaphora.interfaces.cli import render
    from anaphora.interfaces.cli.lessons import knowledge_view

    render.console().print(knowledge_view(found, settings))


@consolidate_command.command(rich_help_panel="By hand", epilog="Example: anaphora consolidate --json")
def consolidate(
    ctx: typer.Context,
    afresh: Annotated[
        bool, typer.Option("--afresh", help="From everything that is stored, in place of what was learned before.")
    ] = False,
    json_wanted: Json = False,
) -> None:
    """Learn now from what was said since the last time; it happens by itself after 50 messages or a day."""
    with open_memory(ctx) as memory:
        report = memory.consolidate(afresh=afresh)
    if json_wanted:
        write_json(report)
    else:
        write_line(f"{report.added:,} added, {report.reinforced:,} reinforced, {report.pruned:,} pruned.")


@commands.command("export", epilog="Example: anaphora knowledge export knowledge-graph.yaml")
def export_knowledge(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file to write, a YAML; - writes to stdout.")],
    force: Force = False,
    json_wanted: Json = False,
) -> None:
    """Write what was learned to a file, in the form of knowledge-graph.yaml."""
    with open_memory(ctx) as memory, target(file, force=force) as path:
        count = memory.export_knowledge(path)
        if file == "-":
            with path.open("rb") as written:
                shutil.copyfileobj(written, sys.stdout.buffer)
            return
    if json_wanted:
        write_json({"file": file, "lessons": count})
    else:
        write_line(f"Wrote {count:,} lesson{'' if count == 1 else 's'} to {file}.")


@commands.command("import", epilog="Example: anaphora knowledge import knowledge-graph.yaml")
def import_knowledge(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file to take in; - reads it from stdin.")],
    json_wanted: Json = False,
) -> None:
    """Take in what was learned elsewhere, whole or not at all; twice is once."""
    with open_memory(ctx) as memory, incoming(file) as path, named(file, path):
        report = memory.import_knowledge(path)
    if json_wanted:
        write_json(report)
    else:
        write_line(f"{report.added:,} added, {report.reinforced:,} reinforced, {report.pruned:,} pruned.")


@commands.command(epilog="Example: anaphora knowledge purge --yes")
def purge(ctx: typer.Context, yes: Yes = False, json_wanted: Json = False) -> None:
    """Let go of everything that was learned; what was said stays."""
    with open_memory(ctx) as memory:
        sure("Let go of everything that was learned?", yes=yes)
        count = memory.purge_knowledge()
    if json_wanted:
        write_json({"purged": count})
    else:
        write_line(f"Let go of {count:,} lesson{'' if count == 1 else 's'}.")
