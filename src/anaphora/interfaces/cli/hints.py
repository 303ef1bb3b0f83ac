"""What a usage error is told with, where a newcomer's slip is easily recognised, and names that come near to one."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from anaphora.errors import NotFound
from anaphora.interfaces.cli.output import one_line

if TYPE_CHECKING:
    from anaphora.engine import Memory

__all__ = ["hinted", "near_titles"]

_UNKNOWN = "No such command"
_EXTRA = "Got unexpected extra argument"
_LONGEST_NUMBER = 18  # digits: more conversations than that nobody has


def hinted(error: typer.TyperException, options: Collection[str]) -> None:
    """Add to a usage error what to write instead; `options` are those that stand before the command."""
    told: Any = error
    context = getattr(error, "ctx", None)
    option = getattr(error, "option_name", "")
    if error.message.startswith(_UNKNOWN):
        _hint_at_slash(told)
    if context is None or context.parent is None:
        return
    if option in options and error.message.startswith("No such option"):
        told.message += f". It goes before the command: anaphora {option} … {context.info_name} …"
        told.possibilities = None  # other options of the command, which are not what was meant
    elif error.message.startswith(_EXTRA) and any(p.param_type_name == "argument" for p in context.command.params):
        told.message += f". A text of several words stands in quotes: {context.command_path} 'like this'"


def _hint_at_slash(told: Any) -> None:
    """What the chat knows as /why is told how it is called here."""
    from anaphora.engine.commands import COMMANDS

    name = told.message.removeprefix(_UNKNOWN).strip(" '.").lstrip("/")
    if name in COMMANDS:
        told.message += f" As a slash command: anaphora command '/{name}'"


@contextmanager
def near_titles(memory: Memory, name: str) -> Iterator[None]:
    """An unknown conversation is answered with the titles that come nearest."""
    number = name.removeprefix("#")
    try:
        if number.isdecimal() and len(number) > _LONGEST_NUMBER:
            raise NotFound(f"There is no conversation {one_line(name, 40)!r}.")
        yield
    except NotFound as error:
        near = _nearest(name, [c.title for c in memory.conversations()])
        if not near:
            raise
        meant = " or ".join(repr(one_line(title, 60)) for title in near)
        raise NotFound(error.args[0], remedy=f"Did you mean {meant}?") from error


def _nearest(name: str, titles: list[str]) -> list[str]:
    """Titles that hold the name, then those that look like it."""
    from difflib import get_close_matches

    low = {title.lower(): title for title in titles}
    holding = [title for title in low if name.strip() and name.strip().lower() in title]
    alike = get_close_matches(name.lower()[:100], low, n=3, cutoff=0.5)
    return [low[title] for title in dict.fromkeys((*holding, *alike))][:3]
