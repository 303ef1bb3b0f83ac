"""Looking after a store: verify, rebuild, work, backup, migrate, doctor."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anaphora.interfaces.cli.options import Given, Json, open_memory, resolved
from anaphora.interfaces.cli.output import one_line, write_json, write_line
from anaphora.interfaces.cli.progress import bar, working

if TYPE_CHECKING:
    from rich.console import RenderableType

    from anaphora.engine.doctor import Finding

__all__ = ["commands"]

commands = typer.Typer()
_PANEL = "Upkeep"
_SIGNS = {"ok": ("✓", "green"), "note": ("•", "yellow"), "wrong": ("✗", "red")}


@commands.command(rich_help_panel=_PANEL, epilog="Example: anaphora verify && anaphora backup copy.db")
def verify(
    ctx: typer.Context,
    one_scope: Annotated[
        bool, typer.Option("--scope", help="Only the memory of this user, agent and project.", show_default="all")
    ] = False,
    json_wanted: Json = False,
) -> None:
    """Prove that the store is whole; exits with 1 and says what is wrong if it is not."""
    from anaphora.engine import upkeep
    from anaphora.types import Scope

    settings = resolved(ctx).settings
    scope = Scope(settings.user, settings.agent, settings.project) if one_scope else None
    with upkeep.opened(settings) as store, working("Verifying"):
        problems = upkeep.verify(store, scope)
        scopes = 1 if scope else len(store.scopes())
    if json_wanted:
        write_json({"store": upkeep.name_of(settings.store), "whole": not problems, "problems": problems})
    else:
        for problem in problems:
            write_line(problem)
        if not problems:
            write_line(f"Whole: {_count(scopes, 'scope')} in {upkeep.name_of(settings.store)}.")
    if problems:
        raise typer.Exit(1)


@commands.command(rich_help_panel=_PANEL)
def rebuild(ctx: typer.Context, json_wanted: Json = False) -> None:
    """Make the word index anew from the messages, and drop vectors that belong to none."""
    from anaphora.engine import upkeep

    with upkeep.opened(resolved(ctx).settings) as store, bar("Rebuilding") as progress:
        done = upkeep.rebuild(store, progress)
    if json_wanted:
        write_json(done)
    else:
        dropped = f" Dropped {_count(done.vectors_dropped, 'vector')} of no message." if done.vectors_dropped else ""
        write_line(f"Indexed {_count(done.messages, 'message')} in {_count(done.scopes, 'scope')}.{dropped}")


@commands.command(rich_help_panel=_PANEL, epilog="Example: ANAPHORA_BACKGROUND=off anaphora work")
def work(ctx: typer.Context, json_wanted: Json = False) -> None:
    """Do now what can wait and is due: embed messages, renew summaries, learn after 50 messages or a day."""
    with open_memory(ctx) as memory, working("Working"):
        jobs = memory.finish()
    if json_wanted:
        write_json({"done": jobs})
    else:
        write_line(f"Done: {', '.join(jobs)}.")


@commands.command(rich_help_panel=_PANEL, epilog="Example: anaphora backup ~/backups/anaphora.db")
def backup(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write; only you will be able to read it.")],
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
    json_wanted: Json = False,
) -> None:
    """Copy the store to a file, whole and of one moment, even while it is written to."""
    from anaphora.engine import upkeep

    with upkeep.opened(resolved(ctx).settings) as store, working(f"Copying to {file}"):
        upkeep.backup(store, file, force=force)
    if json_wanted:
        write_json({"file": str(file), "bytes": file.expanduser().stat().st_size})
    else:
        write_line(f"Copied to {file}.")


@commands.command(rich_help_panel=_PANEL, epilog="Example: anaphora migrate anaphora.db postgresql://localhost/memory")
def migrate(
    ctx: typer.Context,
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="The store to copy: a file, or postgresql://….")],
    target: Annotated[str, typer.Argument(metavar="TARGET", help="The store to copy it into, made if need be.")],
    json_wanted: Json = False,
) -> None:
    """Copy everything from one store into another; if it is broken off, run it again and it goes on."""
    from anaphora.engine import upkeep
    from anaphora.errors import InputError

    ends = upkeep.file_of(source), upkeep.file_of(target)
    if source == target or (ends[0] and ends[1] and ends[0].resolve() == ends[1].resolve()):
        raise InputError("The source and the target are the same store.", remedy="Name two.")
    settings = resolved(ctx).settings
    with (
        upkeep.opened(settings, source) as one,
        upkeep.opened(settings, target, there=False) as two,
        bar("Migrating") as progress,
    ):
        done = upkeep.migrate(one, two, progress)
    if json_wanted:
        write_json(done)
    else:
        rows = done.rows
        kinds = (("message", rows.messages), ("document", rows.documents), ("event", rows.events))
        counted = [_count(number, kind) for kind, number in (*kinds, ("vector", rows.vectors))]
        write_line(f"Copied {_count(done.scopes, 'scope')}: {', '.join(counted)}. Both stores are whole and the same.")
    if done.moved_on:
        write_line("The source was written to meanwhile: run it again to copy the rest.", err=True)
        raise typer.Exit(1)


@commands.command(rich_help_panel=_PANEL)
def doctor(ctx: typer.Context, json_wanted: Json = False) -> None:
    """Look for what is wrong around the store and the hooks, and say how to mend it; exits with 1 if something is."""
    from datetime import UTC, datetime

    from anaphora.engine.doctor import examine
    from anaphora.interfaces.hooks.findings import findings

    given = (ctx.find_object(Given) or Given()).store
    now = datetime.now(UTC)
    found = [*examine(lambda: resolved(ctx).settings, given, now), *findings(os.environ, now)]
    if json_wanted:
        write_json(found)
    else:
        from anaphora.interfaces.cli import render

        render.console().print(_findings_view(found))
    if any(finding.grade == "wrong" for finding in found):
        raise typer.Exit(1)


def _findings_view(found: list[Finding]) -> RenderableType:
    from rich.table import Table

    from anaphora.interfaces.cli.render import plain

    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    for column in ("", "", ""):
        table.add_column(column, overflow="fold")
    for finding in found:
        sign, style = _SIGNS[finding.grade]
        says = plain(one_line(finding.says))
        if finding.remedy:
            says.append(f"\n→ {one_line(finding.remedy)}", style)
        table.add_row(plain(sign, style), plain(finding.check), says)
    return table


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
