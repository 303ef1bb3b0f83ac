"""Talking by single commands: hear, say, answer; and getting back: context, recall."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from anaphora.errors import InputError
from anaphora.interfaces.cli.options import At, Json, Text, open_memory, read_text, read_time
from anaphora.interfaces.cli.output import write_json, write_line, write_text
from anaphora.interfaces.cli.page import Force, PageFile, may_write, write_page

if TYPE_CHECKING:
    from anaphora.engine import Memory
    from anaphora.types import Turn

__all__ = ["commands"]

commands = typer.Typer()


@commands.command(
    rich_help_panel="Talk",
    epilog="Example: anaphora hear 'Make it purple'",
)
def hear(
    ctx: typer.Context,
    text: Text,
    id: Annotated[
        str | None, typer.Option("--id", metavar="ID", help="Its id: the same id and text twice is one message.")
    ] = None,
    at: At = None,
    speaker: Annotated[str | None, typer.Option(metavar="NAME", help="Who said it.", show_default="the user")] = None,
    json_wanted: Json = False,
) -> None:
    """Take in what a user said, and show how it was understood."""
    said = read_text(text)
    with open_memory(ctx) as memory:
        turn = memory.hear(said, at=read_time(at), speaker=speaker, id=id)
        _show(memory, turn, said, json_wanted=json_wanted)
    if turn.question is not None and not json_wanted:
        write_line("Answer with: anaphora answer A")


def _show(memory: Memory, turn: Turn, said: str, *, json_wanted: bool) -> None:
    """How a message was understood; where what was said answered a question, the message that had waited."""
    if json_wanted:
        write_json(turn)
        return
    from anaphora.interfaces.cli import render

    screen = render.console()
    if turn.text != said:
        screen.print(render.settled_line(turn))
    screen.print(render.turn_view(memory, turn))


@commands.command(rich_help_panel="Talk", epilog="Example: anaphora say 'Done: it is purple now.'")
def say(
    ctx: typer.Context,
    text: Text,
    id: Annotated[
        str | None, typer.Option("--id", metavar="ID", help="Its id: the same id and text twice is one message.")
    ] = None,
    at: At = None,
    reply_to: Annotated[str | None, typer.Option(metavar="ID", help="The message that it replies to.")] = None,
    json_wanted: Json = False,
) -> None:
    """Take in what the assistant replied."""
    with open_memory(ctx) as memory:
        message = memory.say(read_text(text), at=read_time(at), id=id, reply_to=reply_to)
        if json_wanted:
            write_json(message)
        elif memory.settings.keep_replies:
            open_one = memory.current()
            write_line(f"Kept in #{open_one.number} {open_one.title}." if open_one else "Kept.")
        else:
            write_line("Not kept: the setting keep_replies is off.")


@commands.command(rich_help_panel="Talk", epilog="Example: anaphora answer A")
def answer(
    ctx: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="A letter, a number, or words; - reads it from stdin.")],
    json_wanted: Json = False,
) -> None:
    """Answer the question that is open, and show where its message went."""
    with open_memory(ctx) as memory:
        said = read_text(text)
        turn = memory.answer(said)
        _show(memory, turn, said, json_wanted=json_wanted)


@commands.command(
    rich_help_panel="Get back",
    epilog="Example: anaphora context 'Which colour did we choose?' --budget 2000 --explain",
)
def context(
    ctx: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The prompt that it is for; - reads it from stdin.")],
    budget: Annotated[
        int | None, typer.Option(metavar="N", help="Tokens that it may take.", show_default="the setting budget")
    ] = None,
    form: Annotated[
        Literal["text", "openai", "anthropic"] | None,
        typer.Option("--format", help="The bare text, or the JSON that a service takes.", show_default="a view of all"),
    ] = None,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Each part with its reason, what was left out and why, how long it took."),
    ] = False,
    page: PageFile = None,
    force: Force = False,
    json_wanted: Json = False,
) -> None:
    """Show the context for a prompt, within its token budget."""
    if explain and form is not None:
        raise InputError("Give either --explain or --format.", remedy="--json holds the reasons too.")
    if page is not None and form is not None:
        raise InputError("Give either --page or --format.", remedy="--page writes HTML, --format what a service takes.")
    if page is not None:
        _paged(ctx, read_text(text), budget, page, force=force, json_wanted=json_wanted)
        return
    with open_memory(ctx) as memory:
        found = memory.context(read_text(text), budget)
    if form == "openai":
        write_json(found.to_openai())
    elif form == "anthropic":
        write_json(found.to_anthropic())
    elif json_wanted:
        from anaphora.codec import to_plain

        write_json({**to_plain(found), "between": found.between})  # so that the tokens of all add up
    elif form == "text":
        write_text(found.text)
    else:
        from anaphora.interfaces.cli import bar, render

        screen = render.console()
        screen.print(bar.explained_view(found, screen) if explain else bar.context_view(found, screen))


def _paged(ctx: typer.Context, text: str, budget: int | None, page: str, *, force: bool, json_wanted: bool) -> None:
    from anaphora.interfaces.glance import gathered

    may_write(page, force=force)
    with open_memory(ctx) as memory:
        found = gathered(memory, budget, text)
    write_page(found, page, json_wanted=json_wanted)


@commands.command(rich_help_panel="Get back", epilog="Example: anaphora recall 'dark mode' -k 5 --since 2025-11-01")
def recall(
    ctx: typer.Context,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What to look for.")],
    k: Annotated[
        int | None, typer.Option("-k", metavar="N", help="How many at most.", show_default="memory_retrieval_limit")
    ] = None,
    since: Annotated[str | None, typer.Option(metavar="TIME", help="Nothing said before this time or day.")] = None,
    until: Annotated[
        str | None, typer.Option(metavar="TIME", help="Nothing said at or after this time or day.")
    ] = None,
    speaker: Annotated[str | None, typer.Option(metavar="NAME", help="Only what this one said.")] = None,
    conversation: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only this conversation: its id, number or title.")
    ] = None,
    kind: Annotated[
        str | None, typer.Option(metavar="KIND", help="message, reply, fragment, decision, preference, …")
    ] = None,
    json_wanted: Json = False,
) -> None:
    """Find what was said about something, best first, each with the reason."""
    with open_memory(ctx) as memory:
        zone = memory.settings.timezone
        hits = memory.recall(
            query,
            k,
            since=read_time(since, zone),
            until=read_time(until, zone),
            speaker=speaker,
            conversation=conversation,
            kind=kind,
        )
    if json_wanted:
        write_json(hits)
        return
    from anaphora.interfaces.cli import render

    render.console().print(render.hits_view(hits, zone))
