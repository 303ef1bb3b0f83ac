"""Files in: what Anaphora exported, and what other programs wrote down."""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from anaphora.errors import FormatError, InputError, NotFound, StoreUnwritable
from anaphora.formats.transcripts import Source
from anaphora.interfaces.cli.files import file_or_stream
from anaphora.interfaces.cli.options import FileFormat, Json, open_memory, resolved
from anaphora.interfaces.cli.output import write_json, write_line
from anaphora.interfaces.cli.progress import bar, working

if TYPE_CHECKING:
    from anaphora.engine.importing import Imported
    from anaphora.engine.transcripts import Transcript
    from anaphora.settings import Settings

__all__ = ["commands", "incoming", "named"]

commands = typer.Typer()

_KINDS = 8  # of records left out that are named


@commands.command(
    "import",
    rich_help_panel="Files",
    epilog="Examples: anaphora import backup.json · anaphora import chatgpt export.zip · anaphora import claude-code",
)
def import_files(
    ctx: typer.Context,
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="[SOURCE] FILE...",
            help="Files that were exported (or a folder .quaid/context), - for stdin; or claude-code, codex, "
            "chatgpt or claude, and files or folders of theirs. Claude Code's and Codex's own folders are found where "
            "none is given.",
        ),
    ],
    form: Annotated[
        FileFormat | None,
        typer.Option("--format", help="The format of exported files.", show_default="found out from each"),
    ] = None,
    dry: Annotated[bool, typer.Option("--dry-run", help="Say what is there and take nothing in.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask before going through your own folder.")] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="Understand by words and rules alone: several times as fast.")
    ] = False,
    json_wanted: Json = False,
) -> None:
    """Take in what was exported, or what other assistants wrote down. Twice is once, so it can be broken off."""
    if files[0] in get_args(Source):
        source: Source = files[0]  # type: ignore[assignment]
        _import_transcripts(ctx, source, files[1:], dry=dry, yes=yes, quick=quick, json_wanted=json_wanted)
        return
    if dry or yes or quick:
        raise InputError("--dry-run, --yes and --quick go with a source.", remedy="Name one, such as claude-code.")
    done = []
    with open_memory(ctx) as memory:
        for name in files:
            with working(f"Reading {name}"), incoming(name) as path, named(name, path):
                found = memory.import_file(path, form)
            new = found.heard + found.said
            done.append({"file": name, "new": new, "known": found.known})
            if not json_wanted:
                write_line(f"{_spoken(name)}: {new:,} new, {found.known:,} known")
    if json_wanted:
        write_json(done)


# --- what other programs wrote down -------------------------------------------------------------------------------


def _import_transcripts(
    ctx: typer.Context, source: Source, names: list[str], *, dry: bool, yes: bool, quick: bool, json_wanted: bool
) -> None:
    from anaphora.engine import transcripts

    paths = [Path(name).expanduser() for name in names]
    own = None if paths else transcripts.own_folder(source, os.environ, Path.home())
    if not paths and own is None:
        raise InputError(f"No file of {source} was given.", remedy=f"Export your data there: import {source} FILE.")
    if own is not None and not own.is_dir():
        raise NotFound(f"There is no folder {own}.", remedy=f"Name the files: anaphora import {source} FILE...")
    with working("Looking through the files"):
        found = transcripts.found(source, [own] if own is not None else paths)
    size = sum(one.size for one in found)
    if not found:
        raise NotFound(f"There is no transcript of {source} there.", remedy="Name the files or folders that hold some.")
    counted = f"{len(found):,} file{'' if len(found) == 1 else 's'}, {size / 1e6:,.1f} MB"
    if not json_wanted:
        write_line(f"Found {counted}" + (f" in {own}." if own is not None else "."))
    if own is not None and not (dry or yes):
        _ask("Take them in?", source)
    given = resolved(ctx)
    settings = replace(given.settings, reader="none") if quick else given.settings
    scoped = given.origins["project"] == "default"  # each to the project that it was said in
    done = _dry(source, found, settings) if dry else _taken(source, found, settings, size, by_folder=scoped)
    if json_wanted:
        write_json({"source": source, "files": len(found), "bytes": size, "projects": done})
        return
    for project, one in done.items():
        where = f"{project}: " if len(done) > 1 else ""
        write_line(f"{where}{_told(one)}")
    skipped: Counter[str] = sum((Counter(one.skipped) for one in done.values()), Counter())
    if skipped:
        kinds = ", ".join(f"{number:,} {kind}" for kind, number in skipped.most_common(_KINDS))
        write_line(f"Left out: {kinds}" + (", …" if len(skipped) > _KINDS else ""))


def _ask(question: str, source: Source) -> None:
    if not sys.stdin.isatty():
        raise InputError("Nobody is there to be asked.", remedy=f"Run: anaphora import {source} --yes.")
    if not typer.confirm(question, err=True):
        raise typer.Abort


def _told(one: Imported) -> str:
    told = f"{_count(one.heard + one.said, 'new message')} in {_count(one.sessions, 'session')}, {one.known:,} known"
    if one.files:
        told += f", {_count(one.files, 'file')} touched"
    return told + (f"; {_count(one.live, 'session')} left alone, heard already at the time" if one.live else "")


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _taken(
    source: Source, found: list[Transcript], settings: Settings, size: int, *, by_folder: bool
) -> dict[str, Imported]:
    from anaphora.engine import open_memory, transcripts

    total: dict[str, Imported] = {}
    read = 0
    with bar("Reading") as shown:

        def advance(more: int) -> None:
            nonlocal read
            read += more
            shown(read, size)

        for project, files in _by_project(source, found, settings.project, by_folder=by_folder).items():
            with open_memory(settings=replace(settings, project=project)) as memory:
                records = (record for one in files for record in transcripts.records(source, one, advance))
                total[project] = memory.take_in(records)
    return total


def _by_project(
    source: Source, found: list[Transcript], project: str, *, by_folder: bool
) -> dict[str, list[Transcript]]:
    """Which file goes to which memory: that of the repository that it was said in, as the hooks have it."""
    from anaphora.configuration import project_at
    from anaphora.engine.transcripts import folder_of

    groups: dict[str, list[Transcript]] = {}
    for one in found:
        folder = folder_of(source, one) if by_folder else None
        groups.setdefault(project if folder is None else project_at(folder), []).append(one)
    return groups


def _dry(source: Source, found: list[Transcript], settings: Settings) -> dict[str, Imported]:
    from anaphora.engine import importing, transcripts

    records = (record for one in found for record in transcripts.records(source, one, lambda _more: None))
    return {"": importing.counted(records, settings.max_message_chars)}


# --- what Anaphora exported ---------------------------------------------------------------------------------------


def _spoken(name: str) -> str:
    return "stdin" if name == "-" else name


@contextmanager
def incoming(name: str) -> Iterator[Path]:
    """The file to read; for stdin a private one that holds what came in."""
    with file_or_stream(name) as path:
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
def named(name: str, path: Path) -> Iterator[None]:
    """An error about a file says which, by the name that was given."""
    try:
        yield
    except InputError as error:
        shown = _spoken(name)
        told = error.args[0].replace(str(path), shown)
        if isinstance(error, FormatError) and shown not in told:
            told = f"{shown}: {told}"
        raise type(error)(told, remedy=error.remedy) from error
