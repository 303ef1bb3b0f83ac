"""What is worked on, by hand: goals, actions, decisions, constraints, notes, facts; and slash commands as a command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from anaphora.errors import BadText
from anaphora.interfaces.cli.deleting import agreed
from anaphora.interfaces.cli.options import Json, open_memory, read_text
from anaphora.interfaces.cli.output import one_line, write_json, write_line, write_text
from anaphora.understanding.text import says_nothing

if TYPE_CHECKING:
    from anaphora.types import CommandResult, GoalStatus, Priority

__all__ = ["command_commands", "commands", "facts_commands"]

commands = typer.Typer(
    invoke_without_command=True,
    help="The working state: list it, add to it, complete, change and remove what is in it.",
    epilog="Example: anaphora state add goal 'Write the tests' --priority high",
)
facts_commands = typer.Typer(
    invoke_without_command=True,
    help="What is known about people: list it, add to it, remove from it.",
    epilog="Example: anaphora facts --history",
)
command_commands = typer.Typer()

Kind = Literal["goal", "action", "decision", "constraint", "note", "fact"]
ITEM = "Its id, its text, or words of it that fit no other."
Item = Annotated[str, typer.Argument(metavar="ITEM", help=ITEM)]
Words = Annotated[str, typer.Argument(metavar="TEXT", help="What it says; - reads it from stdin.")]


def _told(result: CommandResult, *, as_json: bool) -> None:
    if as_json:
        write_json(result.data)
    else:
        write_text(result.text)


def _said(kind: str, text: str) -> str:
    """The text of an item; one that says nothing is refused in the words of this command."""
    said = read_text(text)
    if says_nothing(said):
        raise BadText(f"The {kind} is empty.", remedy="Write what it says.")
    return said


def _quoted(text: str) -> str:
    """One argument of a slash command, whatever is in it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _run(ctx: typer.Context, line: str, *, as_json: bool) -> None:
    with open_memory(ctx) as memory:
        if not agreed(memory, line):
            raise typer.Abort
        _told(memory.command(line), as_json=as_json)


@commands.callback()
def state(
    ctx: typer.Context,
    everything: Annotated[bool, typer.Option("--all", help="Also what is done, superseded or past.")] = False,
    json_wanted: Json = False,
) -> None:
    if ctx.invoked_subcommand is None:
        _run(ctx, "/state --all" if everything else "/state", as_json=json_wanted)


@commands.command(
    epilog="Example: anaphora state add decision 'Use RS256' --because 'keys can be rotated'",
)
def add(
    ctx: typer.Context,
    kind: Annotated[Kind, typer.Argument(metavar="KIND", help="goal, action, decision, constraint, note or fact.")],
    text: Words,
    priority: Annotated[
        Literal["high", "medium", "low"] | None, typer.Option(help="Of a goal.", show_default="medium")
    ] = None,
    parent: Annotated[
        str | None, typer.Option("--under", metavar="GOAL", help="The goal that a goal is part of.")
    ] = None,
    because: Annotated[str | None, typer.Option(metavar="WHY", help="The reason of a decision.")] = None,
    json_wanted: Json = False,
) -> None:
    """Add an item by hand."""
    for given, name, belongs in (
        (priority, "--priority", "goal"),
        (parent, "--under", "goal"),
        (because, "--because", "decision"),
    ):
        if given is not None and kind != belongs:
            raise typer.BadParameter(f"{name} belongs to a {belongs}, and this is a {kind}.")
    names = {
        "goal": "set_goal",
        "action": "add_action",
        "decision": "log_decision",
        "constraint": "add_constraint",
        "note": "remember",
        "fact": "learn",
    }
    flags = [f"--priority={priority}"] if priority else []
    flags += [f"--under={_quoted(parent)}"] if parent else []
    flags += [f"--because={_quoted(because)}"] if because else []
    _run(ctx, " ".join([f"/{names[kind]}", *flags, _quoted(_said(kind, text))]), as_json=json_wanted)


@commands.command(epilog="Example: anaphora state complete 'Write the tests'")
def complete(ctx: typer.Context, item: Item, json_wanted: Json = False) -> None:
    """A goal is reached, or an action is done."""
    _run(ctx, f"/complete {_quoted(item)}", as_json=json_wanted)


@commands.command(epilog="Example: anaphora state change goal-1 --status in-progress --priority high")
def change(
    ctx: typer.Context,
    item: Item,
    text: Annotated[str | None, typer.Option(metavar="TEXT", help="What it shall say.")] = None,
    because: Annotated[str | None, typer.Option(metavar="WHY", help="The reason of a decision.")] = None,
    status: Annotated[
        Literal["pending", "in-progress", "complete", "dropped"] | None, typer.Option(help="Of a goal.")
    ] = None,
    priority: Annotated[Literal["high", "medium", "low"] | None, typer.Option(help="Of a goal.")] = None,
    parent: Annotated[
        str | None, typer.Option("--under", metavar="GOAL", help="The goal that a goal is part of; '' is none.")
    ] = None,
    json_wanted: Json = False,
) -> None:
    """Change an item; what is not given stays."""
    from anaphora.engine.commands.working import item_line
    from anaphora.memory.items import find_item

    if all(given is None for given in (text, because, status, priority, parent)):
        raise typer.BadParameter("Say what to change: --text, --because, --status, --priority or --under.")
    with open_memory(ctx) as memory, memory.update() as work:
        found = find_item(work.state, item)
        if text is not None or because is not None:
            work.change(found.id, text=text, because=because)
        if status is not None or priority is not None or parent is not None:
            work.set_goal(
                found.id, status=cast("GoalStatus", status), priority=cast("Priority", priority), parent=parent
            )
        changed, whole = find_item(work.state, found.id), work.state
    if json_wanted:
        write_json(changed)
    else:
        write_line(f"Changed {item_line(whole, changed)}.")


@commands.command(epilog="Example: anaphora state remove con-3")
def remove(ctx: typer.Context, item: Item, json_wanted: Json = False) -> None:
    """Take an item out; what it had taken the place of stands again."""
    _run(ctx, f"/remove {_quoted(item)}", as_json=json_wanted)


# --- facts --------------------------------------------------------------------------------------------------------


@facts_commands.callback()
def facts(
    ctx: typer.Context,
    history: Annotated[bool, typer.Option("--history", help="Also what is past.")] = False,
    json_wanted: Json = False,
) -> None:
    if ctx.invoked_subcommand is not None:
        return
    with open_memory(ctx) as memory:
        found, zone = memory.facts(history=history), memory.settings.timezone
    if json_wanted:
        write_json(found)
        return
    from anaphora.interfaces.cli import render

    render.console().print(render.facts_view(found, zone))


@facts_commands.command("add", epilog="Example: anaphora facts add 'I live in Berlin'")
def add_fact(ctx: typer.Context, text: Words, json_wanted: Json = False) -> None:
    """Add a fact about you; an older one on the same topic is past from now on."""
    _run(ctx, f"/learn {_quoted(_said('fact', text))}", as_json=json_wanted)


@facts_commands.command("remove", epilog="Example: anaphora facts remove fact-2")
def remove_fact(ctx: typer.Context, item: Item, json_wanted: Json = False) -> None:
    """Remove a fact; the one before it on its topic stands again."""
    from anaphora.memory.items import find_item

    with open_memory(ctx) as memory:
        found = find_item(memory.state, item, ("facts",), what="fact")
        _told(memory.command(f"/remove {found.id}"), as_json=json_wanted)


# --- undo, slash commands, touch ----------------------------------------------------------------------------------


@command_commands.command(rich_help_panel="Work", epilog="Example: anaphora undo goal-3")
def undo(
    ctx: typer.Context,
    item: Annotated[
        str | None,
        typer.Argument(metavar="ITEM", help=f"{ITEM} Or the id of a message.", show_default="what was done last"),
    ] = None,
    json_wanted: Json = False,
) -> None:
    """Take back an item of the working state, or all that a message changed in it."""
    _run(ctx, "/undo" if item is None else f"/undo {_quoted(item)}", as_json=json_wanted)


@command_commands.command(rich_help_panel="Work", epilog="Example: anaphora command '/log_decision Use RS256'")
def command(
    ctx: typer.Context,
    text: Annotated[str, typer.Argument(metavar="COMMAND", help="A slash command; /help lists them; - reads stdin.")],
    json_wanted: Json = False,
) -> None:
    """Do a slash command, as in the chat."""
    _run(ctx, read_text(text), as_json=json_wanted)


@command_commands.command(
    rich_help_panel="Work", epilog="Example: anaphora touch auth/jwt.py --edited --function validate"
)
def touch(
    ctx: typer.Context,
    path: Annotated[str, typer.Argument(metavar="PATH", help="The file that is worked on.")],
    function: Annotated[str | None, typer.Option(metavar="NAME", help="The function in it.")] = None,
    edited: Annotated[bool, typer.Option("--edited", help="It was changed, not only looked at.")] = False,
    json_wanted: Json = False,
) -> None:
    """Say which file, and which function of it, is worked on now."""
    with open_memory(ctx) as memory:
        memory.touch(path, function=function, edited=edited)
        files = memory.state.files
    if json_wanted:
        write_json(files)
    else:
        write_line(f"Working on {one_line(path)}" + (f", in {function}." if function else "."))
