"""The table of slash commands, and how one is looked up and done."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from anaphora.codec import to_plain
from anaphora.engine.commands import looking, working
from anaphora.engine.commands.parsing import Arguments, arguments_of, head_of
from anaphora.errors import InputError
from anaphora.types import CommandResult

if TYPE_CHECKING:
    from anaphora.engine.memory import Memory

__all__ = ["COMMANDS", "Command", "is_command", "nearest", "run"]


@dataclass(frozen=True, slots=True)
class Command:
    """`free`: what follows is text as it was typed. `flags`: those it knows, and whether each takes a value. `more`:
    other ways to write it."""

    usage: str
    help: str
    do: Callable[[Memory, Arguments], CommandResult]
    free: bool = True
    flags: Mapping[str, bool] = field(default_factory=dict)
    more: tuple[tuple[str, str], ...] = ()

    @property
    def forms(self) -> tuple[tuple[str, str], ...]:
        """Each way to write it, and what that does."""
        return ((self.usage, self.help), *self.more)


def run(memory: Memory, line: str) -> CommandResult:
    """Do what the line says; with `--json` the text of the result is its data."""
    head = head_of(line)
    if head is None:
        raise InputError("A command begins with a slash and a name.", remedy="/help lists them all.")
    name, rest = head
    command = COMMANDS.get(name)
    if command is None:
        raise InputError(f"There is no command /{name[:60]}.", remedy=nearest(name, COMMANDS))
    arguments = arguments_of(rest, {**command.flags, "json": False}, free=command.free)
    result = command.do(memory, arguments)
    result = replace(result, data=to_plain(result.data))
    if "json" in arguments:
        return replace(result, text=json.dumps(result.data, ensure_ascii=False, indent=2))
    return result


def is_command(line: str) -> bool:
    """Whether the line calls a command of the table: "/etc/hosts is wrong" does not."""
    head = head_of(line)
    return head is not None and head[0] in COMMANDS


def nearest(name: str, names: Iterable[str]) -> str:
    """What was meant by a name that is none, in words for an error."""
    from difflib import get_close_matches

    near = get_close_matches(name[:60], list(names), n=1, cutoff=0.5)
    return f"Did you mean /{near[0]}?" if near else "/help lists them all."


def _help(_: Memory, given: Arguments) -> CommandResult:
    name = given.text.lstrip("/").lower().replace("-", "_")
    if name and name not in COMMANDS:
        raise InputError(f"There is no command /{name[:60]}.", remedy=nearest(name, COMMANDS))
    forms = [form for known, command in COMMANDS.items() if name in ("", known) for form in command.forms]
    width = max(len(usage) for usage, _ in forms)
    lines = [f"{usage:<{width}}  {says}" for usage, says in forms]
    if not name:
        lines.append("Each takes --json.")
    return CommandResult("\n".join(lines), [{"usage": usage, "help": says} for usage, says in forms])


COMMANDS: Mapping[str, Command] = {
    "help": Command("/help [COMMAND]", "this list, or one command", _help, free=False),
    "context": Command(
        "/context [status]",
        "what is going on, and what a context costs",
        looking.context,
        free=False,
        flags={"title": True, "budget": True, "yes": False},
        more=looking.FORMS,
    ),
    "set_goal": Command(
        "/set_goal TEXT [--priority P]",
        "something to reach; P is high, medium or low",
        working.set_goal,
        flags={"priority": True, "under": True},
        more=(("/set_goal TEXT --under GOAL", "a part of another goal"),),
    ),
    "complete_goal": Command("/complete_goal GOAL", "a goal is reached", working.complete_goal),
    "add_action": Command("/add_action TEXT", "something to do", working.add_action),
    "complete": Command("/complete ITEM", "a goal is reached or an action done", working.complete),
    "drop": Command("/drop ITEM", "a goal or an action is given up", working.drop),
    "log_decision": Command(
        "/log_decision TEXT [because WHY]", "something that was decided", working.log_decision, flags={"because": True}
    ),
    "add_constraint": Command("/add_constraint TEXT", "something to respect", working.add_constraint),
    "remember": Command("/remember TEXT", "something to keep in mind", working.remember),
    "learn": Command("/learn TEXT", "a fact about you: /learn I live in Berlin", working.learn),
    "change": Command("/change ITEM TEXT", "say an item in other words", working.change),
    "remove": Command("/remove ITEM", "take an item out", working.remove),
    "undo": Command("/undo [ITEM]", "take back an item, or what was done last", working.undo),
    "state": Command("/state [--all]", "everything that is kept, with its ids", working.state, flags={"all": False}),
    "facts": Command("/facts [--history]", "what is known about people", working.facts, flags={"history": False}),
    "sessions": Command("/sessions", "the conversations that are remembered", looking.sessions, free=False),
    "new": Command("/new [TITLE]", "end this conversation and start another", looking.new),
    "end": Command("/end [OUTCOME]", "end this conversation", looking.end, free=False),
    "recall": Command("/recall WORDS", "what was said about something", looking.recall),
    "forget": Command(
        "/forget last",
        "delete your last message for good; at a terminal it asks first, unless you add --yes",
        looking.forget,
        free=False,
        flags={"yes": False},
        more=(
            ("/forget message ID", "one message"),
            ("/forget conversation NAME", "one conversation, by number or title"),
            ("/forget user --yes", "everything of yours, in all agents and projects"),
        ),
    ),
    "why": Command(
        "/why [ITEM|MESSAGE]", "how your last message was understood, or where an item is from", looking.why
    ),
}
