"""Files in and out: import and export."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Annotated

import typer

from anaphora.errors import FormatError, InputError, StoreUnwritable
from anaphora.interfaces.cli.options import FileFormat, Json, open_memory
from anaphora.interfaces.cli.output import one_line, write_json, write_line

__all__ = ["commands"]

commands = typer.Typer()
_PANEL = "Files"


@commands.command("import", rich_help_panel=_PANEL, epilog="Example: anaphora import conversation-history.jsonl")
def import_files(
    ctx: typer.Context,
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Files to take in; - reads one from stdin.")],
    form: Annotated[
        FileFormat | None,
        typer.Option("--format", help="The format of the files.", show_default="found out from each"),
    ] = None,
    json_wanted: Json = False,
) -> None:
    """Take in files that were exported; each whole or not at all, and twice is once."""
    done = []
    with open_memory(ctx) as memory:
        for name in files:
            with _shown(f"Reading {name}"), _source(name) as path, _named(name, path):
                found = memory.import_file(path, form)
            new = found.heard + found.said
            done.append({"file": name, "new": new, "known": found.known})
            if not json_wanted:
                write_line(f"{_spoken(name)}: {new:,} new, {found.known:,} known")
    if json_wanted:
        write_json(done)


@commands.command("export", rich_help_panel=_PANEL, epilog="Example: anaphora export backup.json")
def export_file(
    ctx: typer.Context,
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="The file to write; only you will be able to read it. - writes to stdout."),
    ],
    form: Annotated[
        FileFormat, typer.Option("--format", help="anaphora holds everything; kds and brain what those formats can.")
    ] = "anaphora",
    everything: Annotated[
        bool, typer.Option("--all", help="Everything of this user, in all agents and projects.")
    ] = False,
    json_wanted: Json = False,
) -> None:
    """Write everything that is remembered to a file."""
    shown = file == "-" or _is_stdout(file)
    with open_memory(ctx) as memory, _target(file) as path:
        count = memory.export(path, form, whole_user=everything)
        if file == "-":
            with path.open("rb") as written:
                shutil.copyfileobj(written, sys.stdout.buffer)
    if json_wanted and not shown:
        write_json({"file": file, "format": form, "messages": count})
    else:
        where = "stdout" if shown else file
        write_line(f"Wrote {count:,} message{'' if count == 1 else 's'} to {where}.", err=shown)


def _spoken(name: str) -> str:
    return "stdin" if name == "-" else name


@contextmanager
def _source(name: str) -> Iterator[Path]:
    """The file to read; for stdin a private one that holds what came in."""
    with _target(name) as path:
        if name == "-":
            try:
                with path.open("xb") as file:
                    shutil.copyfileobj(sys.stdin.buffer if sys.stdin is not None else BytesIO(), file)
            except OSError as error:
                raise StoreUnwritable(
                    f"What comes in on stdin cannot be kept: {error.strerror or error}.",
                    remedy="Set TMPDIR to a folder with room for it.",
                ) from error
        yield path


@contextmanager
def _target(name: str) -> Iterator[Path]:
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


@contextmanager
def _named(name: str, path: Path) -> Iterator[None]:
    """An error about a file says which, by the name that was given."""
    try:
        yield
    except InputError as error:
        shown = _spoken(name)
        told = error.args[0].replace(str(path), shown)
        if isinstance(error, FormatError) and shown not in told:
            told = f"{shown}: {told}"
        raise type(error)(told, remedy=error.remedy) from error


@contextmanager
def _shown(what: str) -> Iterator[None]:
    """A sign of life on stderr while it lasts, where someone is there to see it."""
    if not sys.stderr.isatty():
        yield
        return
    from anaphora.interfaces.cli import render

    with render.console(stderr=True).status(render.plain(one_line(what))):
        yield
