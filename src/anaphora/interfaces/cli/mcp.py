"""The memory as an MCP server, on the command line."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Annotated

import typer

from anaphora.errors import MissingExtra
from anaphora.interfaces.cli.options import resolved
from anaphora.interfaces.cli.output import write_line

__all__ = ["commands"]

commands = typer.Typer()
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@commands.command(
    rich_help_panel="Assistants",
    epilog="Example, in a client's settings: command = anaphora, args = [--project, web, mcp]",
)
def mcp(
    ctx: typer.Context,
    http: Annotated[
        bool, typer.Option("--http", help="Serve many clients over streamable HTTP instead of one over stdio.")
    ] = False,
    host: Annotated[str, typer.Option("--host", help="Where to listen; only this machine can reach the default.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; 0 is any free one.")] = 8321,
) -> None:
    """Serve the memory to assistants that speak the Model Context Protocol."""
    if find_spec("mcp") is None:
        raise MissingExtra("The MCP server needs the mcp package.", remedy="Run: pip install 'anaphora[mcp]'.")
    from anaphora.interfaces.mcp import server

    settings = resolved(ctx).settings
    if not http:
        server.serve_stdio(settings)
        return
    if host not in _LOOPBACK:
        write_line(f"Anyone who reaches {host} can read this memory: there is no password.", err=True)
    server.serve_http(settings, host, port, lambda url: write_line(f"Serving at {url}; stop with Ctrl-C.", err=True))
