"""A conversation in the terminal: each line is heard, and under it stands how it was understood."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from anaphora.errors import AnaphoraError, InputError
from anaphora.interfaces.cli.options import open_memory
from anaphora.interfaces.cli.output import one_line

if TYPE_CHECKING:
    from rich.console import Console

    from anaphora.engine import Memory
    from anaphora.types import Turn

__all__ = ["Chat", "commands"]

commands = typer.Typer()

_PROMPT = "› "
_LONGEST_BUDGET = 15  # digits
_COMMAND = re.compile(r"/(\w+)(?:\s+(.*))?", re.DOTALL)


@commands.command(rich_help_panel="Talk", epilog="Example: printf 'Add a button\\nMake it red\\n' | anaphora chat")
def chat(ctx: typer.Context) -> None:
    """Talk in the terminal and see how each line is understood; with nothing on stdin, watch an example."""
    if sys.stdin is not None and sys.stdin.isatty():
        with open_memory(ctx) as memory:
            _converse(Chat(memory))
        return
    lines = _piped()
    first = next(lines, None)
    if first is None:
        _play()
        return
    with open_memory(ctx) as memory:
        piped = Chat(memory)
        while first is not None and piped.take(first, echo=True):
            first = next(lines, None)


def _converse(live: Chat) -> None:
    """Read and answer until the user leaves; Ctrl-C and Ctrl-D are ways to leave, not failures."""
    with suppress(ImportError):  # a system without it has plain line input
        import readline  # noqa: F401 - gives input() its line editing; the history lives in memory alone
    sys.stdin.reconfigure(errors="surrogateescape")  # type: ignore[union-attr]
    try:
        live.greet()
        while True:
            try:
                if not live.take(input(_PROMPT)):
                    return
            except AnaphoraError as error:
                live.complain(error)
    except (EOFError, KeyboardInterrupt):
        live.leave()


def _piped() -> Iterator[str]:
    """The lines of stdin that say something, as they come."""
    for line in sys.stdin.buffer if sys.stdin is not None else ():
        text = line.decode("utf-8", "surrogateescape").rstrip("\r\n")
        if text.strip():
            yield text


def _play() -> None:
    """The built-in conversation, in a store in memory that nobody else sees."""
    from anaphora.engine import open_memory
    from anaphora.interfaces.cli.script import BEGIN, SCRIPT
    from anaphora.settings import Settings

    at = BEGIN
    with open_memory(settings=Settings(store=":memory:")) as memory:
        example = Chat(memory)
        example.remark("Nobody is typing, so here is an example; it lives in memory and is gone afterwards.\n")
        for line in SCRIPT:
            at += line.after
            if line.after >= timedelta(hours=1):
                example.pause(line.after)
            if line.role == "user":
                example.hear(line.text, at=at, echo=True)
            else:
                example.say(line.text, at=at, echo=True)
        example.remark("What would go to a model with that last message (/context):")
        example.context("1000")
        example.remark(f"\nTo chat for real, run: {_called()} chat")


def _called() -> str:
    """What to type for this command: its name where the shell finds it, else as it was called this time."""
    import shlex
    import shutil

    if shutil.which("anaphora"):
        return "anaphora"
    a_script = Path(sys.argv[0]).stem == "anaphora"
    return shlex.join([sys.argv[0]] if a_script else [sys.orig_argv[0], "-m", "anaphora"])


class _Command(NamedTuple):
    usage: str
    help: str
    do: Callable[[Chat, str], None]


class Chat:
    """One running conversation: what was said last, and what is shown of it."""

    def __init__(self, memory: Memory) -> None:
        from anaphora.interfaces.cli import render

        self._memory = memory
        self._render = render
        self._screen: Console = render.console()
        self._last: Turn | None = None
        self._zone = memory.settings.timezone

    def take(self, line: str, *, echo: bool = False) -> bool:
        """One line that was typed: a command, or something said. False when it was to leave."""
        if not line.strip():
            return True
        if line.strip().lower() in ("exit", "quit"):
            return False
        command = _COMMAND.fullmatch(line.strip())
        if command is None:
            self.hear(line, echo=echo)
            return True
        name, rest = command[1].lower(), (command[2] or "").strip()
        if name in ("quit", "exit"):
            return False
        found = COMMANDS.get(name)
        if found is None:
            raise InputError(f"There is no command /{name}.", remedy=_nearest(name))
        if echo:
            self._echo(line)
        found.do(self, rest)
        self._screen.print()
        return True

    def hear(self, text: str, *, at: datetime | None = None, echo: bool = False) -> None:
        """Something said by the user, and how it was understood."""
        if echo:
            self._echo(text)
        turn = self._memory.hear(text, at=at)
        before = self._last if self._last is not None and self._last.message_id == turn.message_id else None
        if turn.text != text or before is not None:
            self._screen.print(self._render.settled_line(turn))
        self._screen.print(self._render.turn_view(self._memory, turn, before))
        self._screen.print()
        self._last = turn

    # around the talk

    def greet(self) -> None:
        """Which memory this is, and how to get on."""
        scope, count = self._memory.scope, len(self._memory.conversations())
        from anaphora.engine.upkeep import name_of

        store = one_line(name_of(self._memory.settings.store))
        names = f"user {scope.user} · agent {scope.agent} · project {scope.project} · session {self._memory.session}"
        self._screen.print(self._render.plain(f"Anaphora · {store}", "bold"))
        self.remark(one_line(names))
        remembered = f"{count} conversation{'' if count == 1 else 's'} remembered."
        self.remark(f"{remembered} Just talk; /help lists the commands, Ctrl-D leaves.\n")

    def leave(self) -> None:
        self._screen.print()

    def complain(self, error: AnaphoraError) -> None:
        """An error that does not end the chat."""
        self._screen.print(self._render.error_line(str(error)))
        self._screen.print()

    def remark(self, text: str) -> None:
        self._screen.print(self._render.note(text))

    def pause(self, gap: timedelta) -> None:
        """Time that goes by in the example."""
        hours = int(gap.total_seconds() // 3600)
        passed = f"{hours // 24} days" if hours >= 48 else f"{hours} hours"
        self.remark(f"── {passed} later ──\n")

    def _echo(self, text: str) -> None:
        self._screen.print(self._render.plain(_PROMPT + text, "bold"))

    # commands

    def say(self, text: str, *, at: datetime | None = None, echo: bool = False) -> None:
        if not text:
            raise InputError("A reply needs words.", remedy="Type /say and the reply.")
        self._memory.say(text, at=at)
        kept = "kept" if self._memory.settings.keep_replies else "not kept"
        self.remark(f"‹ {text}\n" if echo else f"  The reply is {kept}.")

    def context(self, rest: str) -> None:
        from anaphora.interfaces.cli.bar import context_view

        if rest and not (rest.isdecimal() and len(rest) <= _LONGEST_BUDGET):
            raise InputError(
                f"A budget is a number of tokens, not {one_line(rest, 40)!r}.", remedy="Type, say, /context 2000."
            )
        if self._last is None:
            raise InputError("There is nothing to make a context for yet.", remedy="Say something first.")
        found = self._memory.context(self._last, int(rest) if rest else None)
        self._screen.print(context_view(found, self._screen))

    def sessions(self, _: str) -> None:
        found = self._memory.conversations()
        self._screen.print(self._render.conversations_view(found, self._zone, self._memory.session))

    def new(self, rest: str) -> None:
        made = self._memory.new(rest or None)
        self._last = None
        self.remark(f"  Started #{made.number} {one_line(made.title)}.")

    def end(self, rest: str) -> None:
        ended = self._memory.end(rest or None)  # type: ignore[arg-type]  # the memory refuses an unknown outcome
        self.remark(f"  Ended #{ended.number} {one_line(ended.title)} as {ended.outcome}.")

    def why(self, _: str) -> None:
        if self._last is None:
            raise InputError("There is nothing to explain yet.", remedy="Say something first.")
        self._screen.print(self._render.why_view(self._last))

    def recall(self, rest: str) -> None:
        if not rest:
            raise InputError("What should be recalled?", remedy="Type /recall and a few words.")
        self._screen.print(self._render.hits_view(self._memory.recall(rest, 5), self._zone))

    def state(self, _: str) -> None:
        from anaphora.memory.rendering import render

        self._screen.print(self._render.sections_view(render(self._memory.state, self._memory.settings)))

    def help(self, _: str) -> None:
        rows = [(command.usage, [command.help]) for command in COMMANDS.values()]
        self._screen.print(self._render.sections_view([*rows, ("/quit", ["leave; so do Ctrl-C and Ctrl-D"])]))


COMMANDS = {
    "help": _Command("/help", "this list", Chat.help),
    "context": _Command("/context [TOKENS]", "what would go to a model with your last message", Chat.context),
    "why": _Command("/why", "the reasons for how your last message was understood", Chat.why),
    "state": _Command("/state", "goals, decisions, constraints and facts that were picked up", Chat.state),
    "recall": _Command("/recall WORDS", "what was said about something", Chat.recall),
    "say": _Command("/say TEXT", "a reply of the assistant", lambda chat, rest: chat.say(rest)),
    "sessions": _Command("/sessions", "the conversations that are remembered", Chat.sessions),
    "new": _Command("/new [TITLE]", "end this conversation and start another", Chat.new),
    "end": _Command("/end [OUTCOME]", "end this conversation", Chat.end),
}


def _nearest(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, [*COMMANDS, "quit"], n=1, cutoff=0.5)
    return f"Did you mean /{near[0]}?" if near else "/help lists them all."
