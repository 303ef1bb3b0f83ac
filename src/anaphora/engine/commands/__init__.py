"""Slash commands: `/set_goal …` and the like, the same in the chat, on the command line and in assistants."""

from __future__ import annotations

from anaphora.engine.commands.parsing import head_of
from anaphora.engine.commands.table import COMMANDS, Command, is_command, nearest, run

__all__ = ["COMMANDS", "Command", "head_of", "is_command", "nearest", "run"]
