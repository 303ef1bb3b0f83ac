"""Looking back: the conversations in the queue, and the events of their lives."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from anaphora.interfaces.cli.hints import near_titles
from anaphora.interfaces.cli.options import Json, open_memory
from anaphora.interfaces.cli.output import write_json, write_line, write_text
from anaphora.types import Conversation, Outcome

__all__ = ["commands", "events_command", "summary_command"]

commands = typer.Typer(no_args_is_help=True, help="The conversations that are remembered: list, show, begin, end.")
events_command = typer.Typer()
summary_command = typer.Typer()

_MOST = 2**63 - 1  # what a store can count to
Name = Annotated[str, typer.Argument(metavar="NAME", help="Its number, id or title.")]


def _plain(conversation: Conversation) -> dict[str, Any]:
    from anaphora.codec import to_plain

    more = {"active": conversation.active, "status": conversation.status}
    return {**to_plain(conversation), **more, "primary_files": list(conversation.primary_files)}


def _told(verb: str, conversation: Conversation, *, as_json: bool, ended: bool = False) -> None:
    if as_json:
        write_json(_plain(conversation))
    else:
        outcome = f" as {conversation.outcome}" if ended and conversation.outcome else ""
        write_line(f"{verb} #{conversation.number} {conversation.title}{outcome}.")


@commands.command("list")
def list_all(ctx: typer.Context, json_wanted: Json = False) -> None:
    """List the conversations, oldest first, by the numbers that people may refer to."""
    with open_memory(ctx) as memory:
        found, zone, session = memory.conversations(), memory.settings.timezone, memory.session
    if json_wanted:
        write_json([_plain(c) for c in found])
        return
    from anaphora.interfaces.cli import render

    render.console().print(render.conversations_view(found, zone, session))


@commands.command(epilog="Example: anaphora sessions show 2")
def show(ctx: typer.Context, name: Name, json_wanted: Json = False) -> None:
    """Show one conversation with its messages."""
    with open_memory(ctx) as memory, near_titles(memory, name):
        found, zone = memory.conversation(name), memory.settings.timezone
    if json_wanted:
        write_json(_plain(found))
        return
    from anaphora.interfaces.cli import render

    render.console().print(render.conversation_view(found, zone))


@commands.command(epilog="Example: anaphora sessions new 'Dark mode'")
def new(
    ctx: typer.Context,
    title: Annotated[
        str | None, typer.Argument(metavar="TITLE", help="Its title.", show_default="made from what is said first")
    ] = None,
    json_wanted: Json = False,
) -> None:
    """End the open conversation and start an empty one."""
    with open_memory(ctx) as memory:
        _told("Started", memory.new(title), as_json=json_wanted)


@commands.command(epilog="Example: anaphora sessions end --outcome completed")
def end(
    ctx: typer.Context,
    outcome: Annotated[
        Outcome | None, typer.Option(help="What came of it.", show_default="by what was wanted in it")
    ] = None,
    json_wanted: Json = False,
) -> None:
    """End the open conversation; it stays remembered."""
    with open_memory(ctx) as memory:
        _told("Ended", memory.end(outcome), as_json=json_wanted, ended=True)


@commands.command(epilog="Example: anaphora sessions restore 'FAB Button'")
def restore(ctx: typer.Context, name: Name, json_wanted: Json = False) -> None:
    """Go on with an earlier conversation, and show where it stands."""
    with open_memory(ctx) as memory, near_titles(memory, name):
        found = memory.restore(name)
        state, summary, settings = memory.state, memory.summary_of(found.id), memory.settings
    if json_wanted:
        write_json({**_plain(found), "summary": summary, "state": state})
        return
    from anaphora.interfaces.cli import render, restored

    render.console().print(restored.restored_view(found, state, summary, settings))


@commands.command(epilog="Example: anaphora sessions rename 2 'Dark mode'")
def rename(
    ctx: typer.Context,
    name: Name,
    title: Annotated[str, typer.Argument(metavar="TITLE", help="Its new title.")],
    json_wanted: Json = False,
) -> None:
    """Give a conversation another title."""
    with open_memory(ctx) as memory, near_titles(memory, name):
        _told("Renamed", memory.rename(name, title), as_json=json_wanted)


@commands.command(epilog="Example: anaphora sessions tag 2 design urgent --remove later")
def tag(
    ctx: typer.Context,
    name: Name,
    tags: Annotated[list[str] | None, typer.Argument(metavar="TAG", help="Tags to add.")] = None,
    remove: Annotated[list[str] | None, typer.Option(metavar="TAG", help="A tag to take away.")] = None,
    json_wanted: Json = False,
) -> None:
    """Tag a conversation."""
    with open_memory(ctx) as memory, near_titles(memory, name):
        found = memory.tag(name, *(tags or ()), remove=remove or ())
    if json_wanted:
        write_json(_plain(found))
    else:
        write_line(f"#{found.number} {found.title}: {', '.join(found.tags) or 'no tags'}.")


@commands.command(epilog="Example: anaphora sessions archive --title 'How we chose RS256'")
def archive(
    ctx: typer.Context,
    title: Annotated[
        str | None, typer.Option(metavar="TITLE", help="Its title.", show_default="the conversation's")
    ] = None,
    json_wanted: Json = False,
) -> None:
    """Keep what the open conversation came to as a fragment in long-term memory."""
    with open_memory(ctx) as memory:
        made = memory.archive(title)
    if json_wanted:
        write_json(made)
    else:
        count = len(made.message_ids)
        write_line(f"Archived {made.title} ({count:,} message{'' if count == 1 else 's'}) as {made.id}.")


@commands.command(epilog="Example: anaphora sessions fragments")
def fragments(
    ctx: typer.Context,
    name: Annotated[
        str | None, typer.Argument(metavar="FRAGMENT", help="One by its id or title.", show_default="all of them")
    ] = None,
    json_wanted: Json = False,
) -> None:
    """List what was archived, or show one fragment."""
    with open_memory(ctx) as memory:
        found = memory.fragments() if name is None else [memory.fragment(name)]
        zone = memory.settings.timezone
    if json_wanted:
        write_json(found if name is None else found[0])
    elif name is not None:
        write_text(f"{found[0].title}\n\n{found[0].text}")
    else:
        from anaphora.interfaces.cli import render, restored

        render.console().print(restored.fragments_view(found, zone))


@summary_command.command(rich_help_panel="Look back", epilog="Example: anaphora summary 'FAB Button'")
def summary(
    ctx: typer.Context,
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Its number, id or title.", show_default="the session's")
    ] = None,
    json_wanted: Json = False,
) -> None:
    """Show a conversation in short: objective, progress, decisions, critical context."""
    with open_memory(ctx) as memory:
        if name is None:
            text, current = memory.summary, memory.current()
            id = current.id if current else None
        else:
            with near_titles(memory, name):
                text, id = memory.summary_of(name), memory.conversation(name).id
    if json_wanted:
        write_json({"conversation": id, "summary": text})
    else:
        write_text(text or "Nothing was said yet.")


@events_command.command(rich_help_panel="Look back", epilog="Example: anaphora events --since 40")
def events(
    ctx: typer.Context,
    since: Annotated[int, typer.Option(metavar="N", min=0, max=_MOST, help="Only what came after event number N.")] = 0,
    limit: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=_MOST, help="At most so many.", show_default="all")
    ] = None,
    json_wanted: Json = False,
) -> None:
    """List what happened, in order: conversations begun and stored, messages heard, state changed."""
    with open_memory(ctx) as memory:
        found, zone = memory.events(since, limit), memory.settings.timezone
    if json_wanted:
        write_json(found)
        return
    from anaphora.interfaces.cli import render

    render.console().print(render.events_view(found, zone))
