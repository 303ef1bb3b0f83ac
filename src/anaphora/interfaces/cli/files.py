"""Files out: export."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Annotated

import typer

from anaphora.errors import InputError
from anaphora.interfaces.cli.options import FileFormat, Json, open_memory
from anaphora.interfaces.cli.output import one_line, write_json, write_line

__all__ = ["Force", "commands", "file_or_stream", "target"]

commands = typer.Typer()
Force = Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")]
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
    force: Force = False,
    json_wanted: Json = False,
) -> None:
    """Write everything that is remembered to a file."""
    shown = file == "-" or _is_stdout(file)
    if shown and form == "quaid":
        raise InputError("This format is a folder, which stdout cannot be.", remedy="Name a folder to write.")
    with open_memory(ctx) as memory, target(file, force=force) as path:
        count = memory.export(path, form, whole_user=everything)
        if file == "-":
            with path.open("rb") as written:
                shutil.copyfileobj(written, sys.stdout.buffer)
    if json_wanted and not shown:
        write_json({"file": file, "format": form, "messages": count})
    else:
        where = "stdout" if shown else file
        write_line(f"Wrote {count:,} message{'' if count == 1 else 's'} to {where}.", err=shown)


def target(name: str, *, force: bool) -> AbstractContextManager[Path]:
    """The file to write: one that is not there yet or is empty, unless it may be replaced."""
    if name != "-" and not force and _holds_something(Path(name)):
        raise InputError(
            f"{one_line(name, 200)} is there already, and was left as it is.",
            remedy="Name another file, or add --force to replace it.",
        )
    return file_or_stream(name)


@contextmanager
def file_or_stream(name: str) -> Iterator[Path]:
    """The file; for stdin and stdout a private one, of which nothing stays."""
    if name != "-":
        yield Path(name)
        return
    with tempfile.TemporaryDirectory(prefix="anaphora-") as folder:
        yield Path(folder) / "-"


def _holds_something(path: Path) -> bool:
    try:
        return path.is_file() and path.stat().st_size > 0
    except (OSError, ValueError):  # no file can have such a name; writing it says so
        return False


def _is_stdout(name: str) -> bool:
    """Whether the path is where stdout goes, such as /dev/stdout: no word of ours may come between."""
    try:
        return os.path.samestat(Path(name).stat(), os.fstat(sys.stdout.fileno()))
    except OSError:
        return False
