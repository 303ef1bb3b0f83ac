"""The message window by hand (load, log, clear) and the light context."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from anaphora.errors import AnaphoraError
from anaphora.interfaces.cli.options import At, Json, open_memory, read_stdin, read_text, read_time, resolved
from anaphora.interfaces.cli.output import one_line, write_json, write_line

__all__ = ["commands"]

commands = typer.Typer()
_PANEL = "By hand"


@commands.command(rich_help_panel=_PANEL)
def load(ctx: typer.Context) -> None:
    """Print the window, the last messages of the open conversation, as a JSON array."""
    with open_memory(ctx) as memory:
        write_json(memory.load())


@commands.command(rich_help_panel=_PANEL, epilog="Example: anaphora log --message 'Make it purple' --intent EXECUTE")
def log(
    ctx: typer.Context,
    message: Annotated[str, typer.Option(metavar="TEXT", help="What was said; - reads it from stdin.")],
    intent: Annotated[str, typer.Option(metavar="NAME", help="What the user wants.")],
    session_id: Annotated[
        str | None,
        typer.Option(metavar="ID", help="The conversation that it belongs to.", show_default="the open one"),
    ] = None,
    context_ref: Annotated[str | None, typer.Option(metavar="NAME", help="What it refers back to.")] = None,
    at: At = None,
    json_wanted: Json = False,
) -> None:
    """Write a message to the log as it is told, without understanding it."""
    with open_memory(ctx) as memory:
        logged = memory.log(
            read_text(message), intent=intent, session_id=session_id, context_ref=context_ref, at=read_time(at)
        )
    if json_wanted:
        write_json(logged)
    else:
        write_line(f"Logged in {logged.conversation_id}.")


@commands.command(rich_help_panel=_PANEL)
def clear(
    ctx: typer.Context,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask first.")] = False,
    json_wanted: Json = False,
) -> None:
    """Delete the open conversation with all its messages, for good; without a terminal it does not ask."""
    with open_memory(ctx) as memory:
        open_one = memory.current()
        if open_one is not None and not yes and sys.stdin is not None and sys.stdin.isatty():
            title = one_line(open_one.title, 60)
            count = f"{open_one.message_count} message{'' if open_one.message_count == 1 else 's'}"
            typer.confirm(f"Delete “{title}” and its {count} for good?", abort=True, err=True)
        removed = memory.clear()
    if json_wanted:
        write_json({"removed": removed})
    else:
        write_line(f"Removed {removed} message{'' if removed == 1 else 's'}.")


@commands.command(rich_help_panel=_PANEL, epilog="""Example: echo '{"action": "retrieve"}' | anaphora light""")
def light(
    ctx: typer.Context,
    session: Annotated[
        str | None, typer.Option(metavar="NAME", help="Whose context it is.", show_default="the calling process's")
    ] = None,
) -> None:
    """Answer one request to the light context: JSON on stdin, JSON on stdout."""
    from anaphora.interfaces.cli.light import light_response
    from anaphora.light import failure
    from anaphora.types import Scope

    try:
        found = resolved(ctx)
        settings = found.settings
        named = session or (None if found.origins["session"] == "default" else settings.session)
        scope = Scope(settings.user, settings.agent, settings.project)
        answer = light_response(read_stdin(), named, settings.light_timeout, scope=scope)
    except AnaphoraError as error:
        answer = json.dumps(failure(str(error)))  # who calls this reads stdout alone
    sys.stdout.write(answer + "\n")
    if not json.loads(answer)["success"]:
        raise typer.Exit(1)
