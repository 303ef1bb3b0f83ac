"""The page for a browser, as an option of commands that show something: where it goes, and what may be replaced."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anaphora.errors import InputError
from anaphora.interfaces.cli.output import one_line, write_json, write_line

if TYPE_CHECKING:
    from anaphora.interfaces.glance import Glance

__all__ = ["Force", "PageFile", "may_write", "write_page"]

PageFile = Annotated[
    str | None,
    typer.Option(
        "--page",
        metavar="FILE",
        help="Write it as one HTML file for a browser; only you can read it. - writes to stdout.",
        show_default=False,
    ),
]
Force = Annotated[bool, typer.Option("--force", help="With --page: replace an older page if it is there.")]

_BEGINNING = 1000  # characters that tell a page from any other file


def may_write(name: str, *, force: bool) -> None:
    """Ask before an older page is replaced; where there is nobody to ask, say how to do it anyway. Any other file stays
    as it is."""
    if not name.strip():
        raise InputError("The page needs a file to go to.", remedy="Write --page FILE, or --page - for stdout.")
    if name == "-" or not _is_file(Path(name)):
        return
    if not _is_page(Path(name)):
        raise InputError(
            f"{one_line(name, 200)} is there already, is no page of Anaphora's, and was left as it is.",
            remedy="Name another file.",
        )
    if force:
        return
    if sys.stdin is None or not sys.stdin.isatty():
        raise InputError(f"{one_line(name, 200)} is there already.", remedy="Add --force to replace it.")
    typer.confirm(f"Replace {one_line(name, 200)}?", abort=True, err=True)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # no file can have such a name; writing it says so
        return False


def _is_page(path: Path) -> bool:
    from anaphora.interfaces.page import is_page

    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return is_page(file.read(_BEGINNING))
    except OSError:  # nobody may look, so it may be anything
        return False


def write_page(found: Glance, name: str, *, json_wanted: bool) -> None:
    """Write the page, and say what it holds."""
    from anaphora.engine.files import write_private
    from anaphora.interfaces.page import page

    lines = page(found, datetime.now(UTC))
    if name == "-":
        sys.stdout.writelines(f"{line}\n" for line in lines)
        return
    write_private(Path(name), lines)
    tokens, budget = found.context.tokens, found.context.budget
    if json_wanted:
        write_json({"file": name, "tokens": tokens, "budget": budget})
    else:
        write_line(f"Wrote {name}: a context of {tokens:,} of {budget:,} tokens, and what is around it.")
