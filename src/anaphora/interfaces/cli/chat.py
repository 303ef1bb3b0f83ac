"""A conversation in the terminal: each line is heard, and under it stands how it was understood."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from anaphora.errors import AnaphoraError, InputError
from anaphora.interfaces.cli.deleting import agreed
from anaphora.interfaces.cli.options import open_memory
from anaphora.interfaces.cli.output import one_line
from anaphora.understanding.text import says_nothing

if TYPE_CHECKING:
    from rich.console import Console

    from anaphora.engine import Memory
    from anaphora.types import Turn

__all__ = ["Chat", "commands"]

commands = typer.Typer()

_PROMPT = "› "
_LONGEST_BUDGET = 15  # digits


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
        import readline  # gives input() its line editing; the history lives in memory alone

        readline.parse_and_bind("set enable-bracketed-paste on")  # what is pasted is one message, however many lines
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
        if not says_nothing(text):
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
        example.remark("What would go to a model with that last message (/context show):")
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


class Chat:
    """One running conversation: what was said last, and what is shown of it."""

    def __init__(self, memory: Memory) -> None:
        from anaphora.engine import commands
        from anaphora.interfaces.cli import render

        self._memory = memory
        self._commands = commands
        self._render = render
        self._screen: Console = render.console()
        self._last: Turn | None = None
        self._zone = memory.settings.timezone

    def take(self, line: str, *, echo: bool = False) -> bool:
        """One line that was typed: a command, or something said. False when it was to leave."""
        if says_nothing(line):
            return True
        if line.strip().lower() in ("exit", "quit"):
            return False
        head = self._commands.head_of(line)
        if head is None:
            self.hear(line, echo=echo)
            return True
        name, rest = head
        if name in ("quit", "exit"):
            return False
        known = [*self._commands.COMMANDS, *VIEWS, "quit"]
        if name not in known:
            raise InputError(f"There is no command /{name}.", remedy=self._commands.nearest(name, known))
        if echo:
            self._echo(line)
        view = VIEWS.get(name)
        if view is None or not view.do(self, rest):
            self._do(line, name)
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

    def _do(self, line: str, name: str) -> None:
        if not agreed(self._memory, line):
            self.remark("  Nothing was deleted.")
            return
        self._screen.print(self._render.plain(self._memory.command(line).text))
        self._last = None if name in _MOVING else self._last

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

    # what is shown in more than words; False where words will do

    def say(self, text: str, *, at: datetime | None = None, echo: bool = False) -> None:
        if not text:
            raise InputError("A reply needs words.", remedy="Type /say and the reply.")
        self._memory.say(text, at=at)
        kept = "kept" if self._memory.settings.keep_replies else "not kept"
        self.remark(f"‹ {text}\n" if echo else f"  The reply is {kept}.")

    def _say(self, rest: str) -> bool:
        self.say(rest)
        return True

    def context(self, rest: str) -> bool:
        from anaphora.interfaces.cli.bar import context_view

        words = rest.lower().split()
        budget = words[1:] if words[:1] == ["show"] else words
        if not words or len(budget) > 1 or not all(word.isdecimal() for word in budget):
            return False
        if len("".join(budget)) > _LONGEST_BUDGET:
            raise InputError(
                f"A budget is a number of tokens, not {one_line(budget[0], 40)!r}.",
                remedy="Type, say, /context show 2000.",
            )
        last = self._memory.last_heard()
        if self._last is None and last is None:
            raise InputError("There is nothing to make a context for yet.", remedy="Say something first.")
        about = self._last if self._last is not None else last.text if last is not None else ""
        found = self._memory.context(about, int(budget[0]) if budget else None)
        self._screen.print(context_view(found, self._screen))
        return True

    def show(self, _: str) -> bool:
        from anaphora.interfaces.cli.overview import overview
        from anaphora.interfaces.glance import gathered

        self._screen.print(overview(gathered(self._memory), self._screen))
        return True

    def sessions(self, rest: str) -> bool:
        if rest:
            return False
        found = self._memory.conversations()
        self._screen.print(self._render.conversations_view(found, self._zone, self._memory.session))
        return True

    def why(self, rest: str) -> bool:
        if rest or self._last is None:
            return False
        self._screen.print(self._render.why_view(self._last))
        return True

    def recall(self, rest: str) -> bool:
        if not rest or "--json" in rest:
            return False
        self._screen.print(self._render.hits_view(self._memory.recall(rest, 5), self._zone))
        return True

    def help(self, rest: str) -> bool:
        if rest:
            return False
        own = [(view.usage, [view.help]) for view in VIEWS.values() if view.usage]
        rows = [(usage, [says]) for command in self._commands.COMMANDS.values() for usage, says in command.forms]
        self._screen.print(self._render.sections_view([*rows, *own, ("/quit", ["leave; so do Ctrl-C and Ctrl-D"])]))
        return True


class _View(NamedTuple):
    """A command that the terminal shows in a way of its own; `usage` where no one else has it."""

    do: Callable[[Chat, str], bool]
    usage: str = ""
    help: str = ""


VIEWS = {
    "help": _View(Chat.help),
    "context": _View(Chat.context),
    "why": _View(Chat.why),
    "recall": _View(Chat.recall),
    "sessions": _View(Chat.sessions),
    "show": _View(Chat.show, "/show", "everything at a glance: goals, decisions, facts, tokens, conversations"),
    "say": _View(Chat._say, "/say TEXT", "a reply of the assistant"),
}
_MOVING = ("context", "new", "end", "forget")  # after these the last message may be of another conversation, or gone
