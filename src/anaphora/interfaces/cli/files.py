"""Files in and out: import and export."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from anaphora.errors import FormatError
from anaphora.interfaces.cli.options import FileFormat, Json, open_memory
from anaphora.interfaces.cli.output import one_line, write_json, write_line

__all__ = ["commands"]

commands = typer.Typer()
_PANEL = "Files"


@commands.command("import", rich_help_panel=_PANEL, epilog="Example: anaphora import conversation-history.jsonl")
def import_files(
    ctx: typer.Context,
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Files to take in.")],
    form: Annotated[
        FileFormat | None,
        typer.Option("--format", help="The format of the files.", show_default="found out from each"),
    ] = None,
    json_wanted: Json = False,
) -> None:
    """Take in files that were exported; each whole or not at all, and twice is once."""
    done = []
    with open_memory(ctx) as memory:
        for path in files:
            with _shown(f"Reading {path}"), _named(path):
                found = memory.import_file(path, form)
            new = found.heard + found.said
            done.append({"file": str(path), "new": new, "known": found.known})
            if not json_wanted:
                write_line(f"{path}: {new:,} new, {found.known:,} known")
    if json_wanted:
        write_json(done)


@commands.command("export", rich_help_panel=_PANEL, epilog="Example: anaphora export backup.json")
def export_file(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write; only you will be able to read it.")],
    form: Annotated[
        FileFormat, typer.Option("--format", help="anaphora holds everything; kds and brain what those formats can.")
    ] = "anaphora",
    json_wanted: Json = False,
) -> None:
    """Write everything that is remembered to a file."""
    with open_memory(ctx) as memory:
        count = memory.export(file, form)
    if json_wanted:
        write_json({"file": str(file), "format": form, "messages": count})
    else:
        write_line(f"Wrote {count:,} message{'' if count == 1 else 's'} to {file}.")


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """An error about a file says which."""
    try:
        yield
    except FormatError as error:
        if str(path) in str(error):
            raise
        raise FormatError(f"{path}: {error.args[0]}", remedy=error.remedy) from error


@contextmanager
def _shown(what: str) -> Iterator[None]:
    """A sign of life on stderr while it lasts, where someone is there to see it."""
    if not sys.stderr.isatty():
        yield
        return
    from anaphora.interfaces.cli import render

    with render.console(stderr=True).status(render.plain(one_line(what))):
        yield
