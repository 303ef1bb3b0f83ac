"""`anaphora install`, `uninstall` and `status`: assistants that call the memory by themselves."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anaphora.interfaces.cli.hook import Host
from anaphora.interfaces.cli.options import Json
from anaphora.interfaces.cli.output import write_json, write_line

if TYPE_CHECKING:
    from anaphora.interfaces.install.changing import Change
    from anaphora.interfaces.install.plans import Plan

__all__ = ["commands"]

commands = typer.Typer()
_PANEL = "Assistants"
_Host = Annotated[Host, typer.Argument(metavar="HOST", help="claude-code, codex, cursor or copilot.")]
_InProject = Annotated[
    bool,
    typer.Option("--project/--user", help="In this repository alone, or for you everywhere.", show_default="user"),
]
_DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would change, and change nothing.")]


@commands.command(rich_help_panel=_PANEL, epilog="Example: anaphora install claude-code --dry-run")
def install(host: _Host, in_project: _InProject = False, dry_run: _DryRun = False, json_wanted: Json = False) -> None:
    """Have an assistant call the memory: its hooks, its MCP server and the slash commands as skills."""
    from anaphora.interfaces.install import changing

    plan = _plan(host, in_project=in_project)
    changes = changing.installing(_as_far_as_possible(plan))
    if not dry_run:
        changing.apply(changes, os.environ)
    _show(plan, changes, "Installed in", dry_run=dry_run, json_wanted=json_wanted, after=plan.after)


@commands.command(rich_help_panel=_PANEL, epilog="Example: anaphora uninstall codex")
def uninstall(host: _Host, in_project: _InProject = False, dry_run: _DryRun = False, json_wanted: Json = False) -> None:
    """Take out of an assistant's settings what install put in; what is remembered stays."""
    from anaphora.interfaces.install import changing

    plan = _plan(host, in_project=in_project)
    changes = changing.uninstalling(plan, os.environ)
    if not dry_run:
        changing.apply(changes, os.environ)
    _show(plan, changes, "Uninstalled from", dry_run=dry_run, json_wanted=json_wanted, after="")


@commands.command(rich_help_panel=_PANEL)
def status(json_wanted: Json = False) -> None:
    """Show which assistants call the memory, for you everywhere and in this repository."""
    from anaphora.configuration import root_of
    from anaphora.errors import FormatError
    from anaphora.interfaces.install import changing
    from anaphora.interfaces.install.plans import NAMES

    rows: list[dict[str, str]] = []
    places = (False, True) if root_of(Path.cwd()) != Path.home() else (False,)
    for host, name in NAMES.items():
        for in_project in places:
            plan = _plan(host, in_project=in_project)
            try:
                state: str = changing.standing(_as_far_as_possible(plan))
            except FormatError as error:
                state = f"cannot be told: {error.args[0]}"
            where = "in this repository" if in_project else "for you"
            file = str(plan.targets[0].file)
            rows.append({"host": host, "name": name, "where": where, "status": state, "file": file})
    if json_wanted:
        write_json(rows)
        return

    from anaphora.interfaces.cli.render import bare_table, console, plain

    table = bare_table(("assistant", {}), ("where", {}), ("status", {}), ("settings", {}))
    for row in rows:
        style = {"installed": "green", "not installed": "dim"}.get(row["status"], "yellow")
        table.add_row(plain(row["name"]), plain(row["where"]), plain(row["status"], style), plain(row["file"], "dim"))
    console().print(table)


def _plan(host: str, *, in_project: bool) -> Plan:
    from anaphora.configuration import root_of
    from anaphora.interfaces.install.plans import plan_for

    root = root_of(Path.cwd()) if in_project else None
    return plan_for(host, _command(), Path.home(), root, os.environ)


def _as_far_as_possible(plan: Plan) -> Plan:
    """Without the MCP server where the extra that it needs is not there."""
    return plan if find_spec("mcp") is not None else plan.without_server()


def _command() -> list[str]:
    """How to call us from anywhere: by its path, since an assistant may not search where a shell does."""
    beside = Path(sys.executable).with_name("anaphora.exe" if os.name == "nt" else "anaphora")
    if beside.is_file():
        return [str(beside)]
    found = shutil.which("anaphora")
    return [str(Path(found).absolute())] if found else [sys.executable, "-P", "-m", "anaphora"]


def _show(plan: Plan, changes: Sequence[Change], done: str, *, dry_run: bool, json_wanted: bool, after: str) -> None:
    from anaphora.interfaces.install.changing import diff_of
    from anaphora.interfaces.install.plans import NAMES

    moved = [change for change in changes if change.what != "unchanged"]
    if json_wanted:
        files: list[dict[str, Any]] = [{"file": str(change.file), "change": change.what} for change in changes]
        write_json({"host": plan.host, "done": not dry_run, "files": files})
        return
    from anaphora.interfaces.cli.render import console, plain

    shown = console()
    styles = {"+": "green", "-": "red", "@": "cyan"}
    for change in moved:
        for line in [f"{change.what} {change.file}"] if change.ours else diff_of(change):
            shown.print(plain(line, styles.get(line[:1], "")), soft_wrap=True)
    name = NAMES[plan.host]
    if not moved:
        write_line(f"{done} {name} already: nothing to change.")
    elif dry_run:
        write_line(f"{len(moved)} files would change; nothing was changed.")
    else:
        write_line(f"{done} {name}: {len(moved)} files changed; what they were before is kept.")
    if after and not dry_run:
        write_line(after)
        if find_spec("mcp") is None:
            write_line("For the MCP server too: pip install 'anaphora[mcp]', then run this again.")
