"""What a client can read without a tool: the current context, the working state, the conversations."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from mcp.server.mcpserver import MCPServer

from anaphora.codec import to_plain
from anaphora.interfaces.mcp.memories import Memories

__all__ = ["add_resources"]

Guard = Callable[[Callable[..., str]], Callable[..., str]]


def add_resources(server: MCPServer, memories: Memories, guarded: Guard) -> None:
    def context() -> str:
        with memories.of() as memory:
            return memory.context("What are we doing?").text

    def state() -> str:
        with memories.of() as memory:
            return _json(memory.state)

    def sessions() -> str:
        with memories.of() as memory:
            return _json(memory.conversations())

    def session(name: str) -> str:
        with memories.of() as memory:
            return _json(memory.conversation(name))

    for uri, read, kind, about in (
        ("anaphora://context", context, "text/markdown", "What a prompt would get now."),
        ("anaphora://state", state, "application/json", "Goals, decisions, constraints, files, facts."),
        ("anaphora://sessions", sessions, "application/json", "The conversations in the queue, oldest first."),
        ("anaphora://sessions/{name}", session, "application/json", "One conversation, by number, title or id."),
    ):
        server.resource(uri, description=about, mime_type=kind)(guarded(read))


def _json(value: Any) -> str:
    return json.dumps(to_plain(value), ensure_ascii=False, indent=2)
