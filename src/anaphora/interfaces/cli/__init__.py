"""The command line. `main` is the entry point of the command `anaphora`."""

from __future__ import annotations

import sys

__all__ = ["main"]

_INTERRUPTED = 130
_HOSTS = ("claude-code", "codex", "cursor", "copilot")


def main() -> None:
    """Run the command that the arguments of this process name."""
    match sys.argv[1:]:
        case ["hook", host, *event] if host in _HOSTS and len(event) < 2 and not sys.stdin.isatty():
            from anaphora.interfaces.hooks.entry import run  # before anything else is imported: an assistant waits

            run(host, event[0] if event else None)
    try:
        from anaphora.interfaces.cli.app import app

        app(prog_name="anaphora")
    except KeyboardInterrupt:  # before the command itself could take notice
        sys.exit(_INTERRUPTED)
