"""The memory as an MCP server: thin tools over the one `Memory`, for any client that speaks the protocol."""
