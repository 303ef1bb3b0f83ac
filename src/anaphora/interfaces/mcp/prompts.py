"""The slash commands as prompts: a client lists them as its own, and a model is told what one came to."""

from __future__ import annotations

from mcp.server.mcpserver import MCPServer
from pydantic import Field

from anaphora.engine.commands import COMMANDS, Command
from anaphora.errors import AnaphoraError
from anaphora.interfaces.mcp.memories import Memories

__all__ = ["add_prompts"]


def add_prompts(server: MCPServer[None], memories: Memories) -> None:
    for name, command in COMMANDS.items():
        _add(server, memories, name, command)


def _add(server: MCPServer[None], memories: Memories, name: str, command: Command) -> None:
    given: str = Field("", description="; ".join(usage for usage, _ in command.forms))

    def prompt(text: str = given) -> str:
        line = f"/{name} {text}".strip()
        try:
            with memories.of() as memory:
                done = memory.command(line).text
        except AnaphoraError as error:
            done = f"That did not work: {error}"
        return f"I ran {line} in my memory. What it says, as data:\n\n{done}"

    server.prompt(name=name, description=command.help)(prompt)
