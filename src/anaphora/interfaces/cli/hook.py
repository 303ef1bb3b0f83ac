"""`anaphora hook`: what an assistant calls at each of its steps."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from typing import Annotated, Literal

import typer

from anaphora.errors import InputError
from anaphora.interfaces.cli.options import Given

__all__ = ["Host", "commands"]

commands = typer.Typer()
Host = Literal["claude-code", "codex", "cursor", "copilot"]


@commands.command(
    rich_help_panel="Assistants",
    epilog='Example: echo \'{"hook_event_name": "UserPromptSubmit", "session_id": "1", "prompt": "Make it purple"}\''
    " | anaphora hook claude-code",
)
def hook(
    ctx: typer.Context,
    host: Annotated[Host, typer.Argument(metavar="HOST", help="Who calls: claude-code, codex, cursor or copilot.")],
    event: Annotated[
        str | None, typer.Argument(metavar="EVENT", help="What happened, for hosts that do not say it in their JSON.")
    ] = None,
) -> None:
    """Take in an assistant's event, JSON on stdin, and print what the assistant should know; it never fails."""
    if sys.stdin is None or sys.stdin.isatty():
        raise InputError(
            "A hook reads an event as JSON from stdin, and there is none.",
            remedy="'anaphora install claude-code' has Claude Code call it.",
        )
    for key, value in asdict(ctx.find_object(Given) or Given()).items():
        if value is not None:
            os.environ[f"ANAPHORA_{key.upper()}"] = value
    from anaphora.interfaces.hooks.entry import run

    run(host, event)
