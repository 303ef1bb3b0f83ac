"""The command line. `main` is the entry point of the command `anaphora`."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Run the command that the arguments of this process name."""
    from anaphora.interfaces.cli.app import app

    app(prog_name="anaphora")
