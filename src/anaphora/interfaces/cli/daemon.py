"""`anaphora daemon`: the resident process that hooks ask. Hooks start it; by hand it is seldom needed."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import Any

import typer

from anaphora.errors import InputError
from anaphora.interfaces.cli.options import Json
from anaphora.interfaces.cli.output import write_json, write_line

__all__ = ["commands"]

commands = typer.Typer(invoke_without_command=True, epilog="Example: anaphora daemon status")
_WAIT = 5.0  # seconds


@commands.callback()
def daemon(ctx: typer.Context) -> None:
    """Keep the networks loaded for hooks, which start it by themselves; it ends when it is unused."""
    if ctx.invoked_subcommand is not None:
        return
    from anaphora.interfaces.daemon.server import run

    _check_system()
    try:
        alone = run()
    except KeyboardInterrupt:
        return
    if not alone:
        write_line("A daemon is running already; 'anaphora daemon status' tells more.")


@commands.command()
def status(json_wanted: Json = False) -> None:
    """Say whether a daemon runs, since when, and how many events it took."""
    found = _asked("status")
    if json_wanted:
        write_json({"running": found is not None, **(found or {})})
    elif found is None:
        write_line("No daemon runs. A hook starts one when it needs it.")
    else:
        since = datetime.fromtimestamp(found["began"], UTC)
        version = str(found["identity"]).partition(" ")[0]
        write_line(
            f"Running: process {found['pid']}, version {version}, since {since:%Y-%m-%d %H:%M} UTC, "
            f"{found['events']:,} events taken."
        )


@commands.command()
def stop() -> None:
    """End the daemon once it has done what it was asked; the next hook starts a fresh one."""
    found = _asked("stop")
    write_line("No daemon runs." if found is None else f"Asked process {found['pid']} to end.")


def _asked(what: str) -> dict[str, Any] | None:
    from anaphora.interfaces.daemon import wire

    _check_system()
    found = wire.ask(wire.socket_path(os.environ, make=False), {"ask": what}, _WAIT)
    return found if isinstance(found, dict) else None


def _check_system() -> None:
    if not hasattr(os, "posix_spawn"):
        raise InputError("There is no daemon on this system: hooks do their work by words alone.")
