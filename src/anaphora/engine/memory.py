"""Memory: the one object that a program talks to. Each side checks what comes in and hands it to its room."""

from __future__ import annotations

from anaphora.engine.checks import checked_key
from anaphora.engine.facets.conversing import Conversing
from anaphora.engine.facets.keeping import Keeping
from anaphora.engine.facets.learning import Learning
from anaphora.engine.facets.recalling import Recalling
from anaphora.engine.facets.talking import Talking
from anaphora.engine.facets.working import Working
from anaphora.types import CommandResult

__all__ = ["Memory"]


class Memory(Talking, Working, Recalling, Conversing, Keeping, Learning):
    """The memory of one scope, in one session. Synchronous, thread-safe, a context manager."""

    def command(self, text: str) -> CommandResult:
        """Do a slash command, such as `/set_goal Write the tests`; `/help` lists them."""
        from anaphora.engine.commands import run  # here, since few memories are commanded

        return run(self, checked_key("command", text))
