"""The command `anaphora`: its options, its commands in the order of its help, and the edge where errors end."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from anaphora.errors import AnaphoraError, BadText, InputError, SettingsError
from anaphora.interfaces.cli import (
    chat,
    config,
    daemon,
    files,
    forget,
    hook,
    importing,
    install,
    intents,
    knowledge,
    log,
    mcp,
    sessions,
    show,
    state,
    talk,
    upkeep,
)
from anaphora.interfaces.cli.hints import hinted
from anaphora.interfaces.cli.options import Given
from anaphora.interfaces.cli.output import lose, one_line, tolerate, write_line
from anaphora.settings import PresetName
from anaphora.version import __version__

__all__ = ["app"]

_BAD_INPUT, _FAILED, _BUG = 2, 1, 70


class _Edge(TyperGroup):
    """Where errors end: one line on stderr and an exit code; usage errors stay Typer's own."""

    def main(self, *args: Any, **extra: Any) -> Any:
        tolerate(sys.stdout, sys.stderr)
        if os.environ.get("NO_COLOR"):
            from typer import rich_utils

            rich_utils.COLOR_SYSTEM = None  # Rich alone would still print bold and dim
        with _streams():
            return super().main(*args, **extra)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        for number, arg in enumerate(args, 1):
            try:
                arg.encode("utf-8")
            except UnicodeEncodeError:
                wrong = BadText(
                    f"Argument {number} ({one_line(arg, 40)}) is not text in the terminal's encoding.",
                    remedy="Write it in UTF-8, or pass it on stdin with -.",
                )
                raise _ended(wrong, _BAD_INPUT, debug=False) from None
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        debug = bool(ctx.params.get("debug"))
        try:
            done = super().invoke(ctx)
            sys.stdout.flush()  # a reader that went away is noticed here, where it can be left quietly
            return done
        except (InputError, SettingsError) as error:
            raise _ended(error, _BAD_INPUT, debug=debug) from error
        except AnaphoraError as error:
            raise _ended(error, _FAILED, debug=debug) from error
        except typer.TyperException as error:
            hinted(error, [name for param in self.get_params(ctx) for name in param.opts])
            raise
        except (typer.Exit, typer.Abort, BrokenPipeError, EOFError):
            raise
        except Exception as error:  # the outermost edge of the process
            if isinstance(error, OSError) and error.filename is None:
                raise  # of a stream, not of a file: what is to be shown cannot go out
            told = (
                f"This is a bug in Anaphora: {type(error).__name__}: {error}. Run it again with --debug to see where."
            )
            raise _ended(error, _BUG, debug=debug, told=told) from error


@contextmanager
def _streams() -> Iterator[None]:
    """See that there is a stderr, and say so where what goes to stdout cannot go out."""
    with ExitStack() as opened:
        if sys.stderr is None:
            sys.stderr = opened.enter_context(Path(os.devnull).open("w", encoding="utf-8"))
        if sys.stdout is None:
            write_line("Error: stdout is closed, so nothing can be shown. Nothing was done.", err=True)
            raise SystemExit(_FAILED)
        try:
            try:
                yield
            finally:
                sys.stdout.flush()
        except BrokenPipeError:
            lose(sys.stdout)
            raise SystemExit(_FAILED) from None
        except OSError as error:
            lose(sys.stdout)
            write_line(f"Error: stdout cannot be written: {error.strerror or error}.", err=True)
            raise SystemExit(_FAILED) from None


def _ended(error: Exception, code: int, *, debug: bool, told: str | None = None) -> typer.Exit:
    """The error told to the user; what is left to raise is the exit code."""
    if debug:
        traceback.print_exception(error)
    else:
        write_line(f"Error: {told or error}", err=True)
    return typer.Exit(code)


app = typer.Typer(
    name="anaphora",
    cls=_Edge,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="--store to --preset are settings too, in anaphora.toml or as ANAPHORA_STORE and so on.",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        write_line(f"anaphora {__version__}")
        raise typer.Exit


@app.callback()
def anaphora(
    ctx: typer.Context,
    store: Annotated[
        str | None,
        typer.Option(
            metavar="PATH", help="Where the memory lives, or :memory:.", show_default="the user's data folder"
        ),
    ] = None,
    user: Annotated[str | None, typer.Option(metavar="NAME", help="Who owns the memory.", show_default="me")] = None,
    agent: Annotated[
        str | None, typer.Option(metavar="NAME", help="Which assistant it belongs to.", show_default="assistant")
    ] = None,
    project: Annotated[
        str | None, typer.Option(metavar="NAME", help="Which project it belongs to.", show_default="default")
    ] = None,
    session: Annotated[
        str | None, typer.Option(metavar="NAME", help="Which running chat this is.", show_default="main")
    ] = None,
    preset: Annotated[
        PresetName | None,
        typer.Option(
            metavar="NAME",
            help="The defaults to start from: assistant, kds, light, brain, quaid or whisper.",
            show_default="assistant",
        ),
    ] = None,
    debug: Annotated[  # noqa: ARG001 - the edge reads it from the context
        bool, typer.Option("--debug", envvar="ANAPHORA_DEBUG", help="Show where an error came from.")
    ] = False,
    version: Annotated[  # noqa: ARG001 - its callback has printed it by now
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version and leave.")
    ] = False,
) -> None:
    """Conversation memory for AI assistants: what “it” means, what matters, and the context that fits."""
    ctx.obj = Given(store, user, agent, project, session, preset)


for part in (chat.commands, talk.commands):
    app.add_typer(part)
app.add_typer(show.commands)
app.add_typer(state.commands, name="state", rich_help_panel="Work")
app.add_typer(state.facts_commands, name="facts", rich_help_panel="Work")
app.add_typer(state.command_commands)
app.add_typer(sessions.commands, name="sessions", rich_help_panel="Look back")
for part in (sessions.summary_command, sessions.events_command, log.commands):
    app.add_typer(part)
app.add_typer(forget.commands, name="forget", rich_help_panel="By hand")
app.add_typer(knowledge.commands, name="knowledge", rich_help_panel="Look back")
app.add_typer(knowledge.consolidate_command)
app.add_typer(install.commands)
app.add_typer(hook.commands)
app.add_typer(daemon.commands, name="daemon", rich_help_panel="Assistants")
for part in (importing.commands, files.commands, upkeep.commands, mcp.commands):
    app.add_typer(part)
app.add_typer(intents.commands, name="intents", rich_help_panel="Settings")
app.add_typer(config.commands)
