"""Requests over stdio that cannot be read: the SDK drops them, and a client would wait for an answer for ever."""

from __future__ import annotations

import json
from contextvars import Context
from types import TracebackType
from typing import Self

from anyio import EndOfStream
from mcp.shared._stream_protocols import ReadStream, WriteStream  # which the SDK names nowhere else
from mcp.shared.message import SessionMessage
from mcp_types import PARSE_ERROR, ErrorData, JSONRPCError
from pydantic import ValidationError

__all__ = ["Answering"]

_REMEDY = "Write a character as itself, or as both of its halves (\\ud83d\\ude00)."


class Answering:
    """A stream of messages without those that cannot be read; each of them that is a request is answered with an
    error."""

    def __init__(self, messages: ReadStream[SessionMessage | Exception], answers: WriteStream[SessionMessage]) -> None:
        self._messages = messages
        self._answers = answers

    @property
    def last_context(self) -> Context | None:
        return getattr(self._messages, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        while True:
            message = await self._messages.receive()
            answer = _answer(message) if isinstance(message, ValidationError) else None
            if answer is None:
                return message
            await self._answers.send(SessionMessage(answer))

    async def aclose(self) -> None:
        await self._messages.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


def _answer(wrong: ValidationError) -> JSONRPCError | None:
    """None where it is not known to be a request, or which."""
    first = wrong.errors()[0]
    line = first["input"]
    if first["type"] != "json_invalid" or not isinstance(line, str):
        return None
    try:
        request = json.loads(line)  # which takes halves of characters for characters
    except (ValueError, RecursionError):
        return None
    id = request.get("id") if isinstance(request, dict) and "method" in request else None
    if not isinstance(id, str | int) or isinstance(id, bool):
        return None
    told = f"The request cannot be read. {first['msg']}. {_REMEDY}"
    return JSONRPCError(jsonrpc="2.0", id=id, error=ErrorData(code=PARSE_ERROR, message=told))
