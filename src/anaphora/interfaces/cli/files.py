"""Files out: export."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from anaphora.errors import InputError
from anaphora.interfaces.cli.options import FileFormat, Json, open_memory
from anaphora.interfaces.cli.output import write_json, write_line

__all__ = ["commands", "target"]

commands = typer.Typer()
_PANEL = "Files"


@commands.command("export", rich_help_panel=_PANEL, epilog="Example: anaphora export backup.json")
def export_file(
    ctx: typer.Context,
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="The file (or folder) to write; only you can read it. - writes to stdout."),
    ],
    form: Annotated[
        FileFormat,
        typer.Option("--format", help="anaphora holds everything; kds, brain and quaid (a folder) what those can."),
    ] = "anaphora",
    everything: Annotated[
        bool, typer.Option("--all", help="Everything of this user, in all agents and projects, to be read.")
    ] = False,
    json_wanted: Json = False,
) -> None:
    """Write everything that is remembered to a file."""
    shown = file == "-" or _is_stdout(file)
    if shown and form == "quaid":
        raise InputError("This format is a folder, which stdout cannot be.", remedy="Name a folder to write.")
    with open_memory(ctx) as memory, target(file) as path:
        count = memory.export(path, form, whole_user=everything)
        if file == "-":
            with path.open("rb") as written:
                shutil.copyfileobj(written, sys.stdout.buffer)
    if json_wanted and not shown:
        write_json({"file": file, "format": form, "messages": count})
    else:
        where = "stdout" if shown else file
        write_line(f"Wrote {count:,} message{'' if count == 1 else 's'} to {where}.", err=shown)


@contextmanager
def target(name: str) -> Iterator[Path]:
    """The file to write; for stdout a private one, of which nothing stays."""
    if name != "-":
        yield Path(name)
        return
    with tempfile.TemporaryDirectory(prefix="anaphora-") as folder:
        yield Path(folder) / "-"


def _is_stdout(name: str) -> bool:
    """Whether the path is where stdout goes, such as /dev/stdout: no word of ours may come between."""
    try:
        return os.path.samestat(Path(name).stat(), os.fstat(sys.stdout.fileno()))
    except OSError:
        return False
