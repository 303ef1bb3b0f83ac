"""Forgetting for good: a message, a conversation, or everything of the user. Where someone is there, it asks."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from anaphora.errors import InputError, NotFound
from anaphora.interfaces.cli.hints import near_titles
from anaphora.interfaces.cli.options import Json, open_memory
from anaphora.interfaces.cli.output import one_line, write_json, write_line

if TYPE_CHECKING:
    from anaphora.types import Forgotten

__all__ = ["Yes", "commands", "sure"]

commands = typer.Typer(no_args_is_help=True, help="Forget something for good: a message, a conversation, the user.")

Yes = Annotated[
    bool, typer.Option("--yes", "-y", help="Do not ask first; needed where there is no terminal to ask at.")
]


@commands.command(epilog="Example: anaphora forget message m-0123456789abcdef")
def message(
    ctx: typer.Context,
    id: Annotated[str, typer.Argument(metavar="ID", help="Its id, as --json shows it.")],
    yes: Yes = False,
    json_wanted: Json = False,
) -> None:
    """Forget one message and what came from it alone."""
    with open_memory(ctx) as memory:
        found = memory.message(id)
        if found is None:
            raise NotFound(f"There is no message {one_line(id, 60)!r}.")
        sure(f"Forget “{one_line(found.text, 60)}” for good?", yes=yes)
        _told(memory.forget(message=id), as_json=json_wanted)


@commands.command(epilog="Example: anaphora forget conversation 'FAB Button' --yes")
def conversation(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its number, id or title.")],
    yes: Yes = False,
    json_wanted: Json = False,
) -> None:
    """Forget one conversation with all its messages."""
    with open_memory(ctx) as memory:
        with near_titles(memory, name):
            found = memory.conversation(name)
        sure(f"Forget “{one_line(found.title, 60)}” and its {_messages(len(found.messages))} for good?", yes=yes)
        _told(memory.forget(conversation=found.id), as_json=json_wanted)


@commands.command()
def user(ctx: typer.Context, yes: Yes = False, json_wanted: Json = False) -> None:
    """Forget everything of the user, in all agents and projects."""
    with open_memory(ctx) as memory:
        name = one_line(memory.scope.user, 60)
        sure(f"Forget everything of the user “{name}”, in all agents and projects, for good?", yes=yes)
        _told(memory.forget(user=True), as_json=json_wanted)


@commands.command(epilog="Example: anaphora forget old 90d")
def old(
    ctx: typer.Context,
    age: Annotated[str, typer.Argument(metavar="AGE", help="Not used for so long, such as 90d or 12w.")],
    yes: Yes = False,
    json_wanted: Json = False,
) -> None:
    """Forget every conversation that was not used for so long."""
    from anaphora.settings import read_duration

    limit = read_duration(age)
    with open_memory(ctx) as memory:
        sure(f"Forget every conversation that was not used for {one_line(age, 20)}, for good?", yes=yes)
        _told(memory.prune(limit), as_json=json_wanted)


def sure(question: str, *, yes: bool) -> None:
    """Ask, unless that was answered already; where there is nobody to ask, do nothing."""
    if yes:
        return
    if sys.stdin is None or not sys.stdin.isatty():
        raise InputError("Nothing was forgotten: there is no terminal to ask at.", remedy="Add --yes to do it anyway.")
    typer.confirm(question, abort=True, err=True)


def _told(done: Forgotten, *, as_json: bool) -> None:
    if as_json:
        write_json(done)
        return
    write_line(f"Forgot {_messages(done.messages)}.")
    for note in done.notes:
        write_line(f"Note: {note}")


def _messages(count: int) -> str:
    return f"{count:,} message{'' if count == 1 else 's'}"
