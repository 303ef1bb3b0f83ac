"""A model that says what it is told to, behind the interfaces of Anthropic and of OpenAI, on loopback alone."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

__all__ = ["Edit", "ModelServer", "Request"]


@dataclass(frozen=True, slots=True)
class Edit:
    """The model asks for a file to be written, and says `then` once it is."""

    file: str
    text: str
    then: str


@dataclass(frozen=True, slots=True)
class Request:
    """What an assistant asked of its model."""

    path: str
    body: Mapping[str, Any]

    @property
    def text(self) -> str:
        """Everything that the model gets to read, apart from its tools."""
        read = [
            self.body.get("system"),
            self.body.get("instructions"),
            self.body.get("messages"),
            self.body.get("input"),
        ]
        return "\n".join(_texts(read))

    @property
    def notes(self) -> list[str]:
        """What Anaphora told the model: each text of its own that a hook added."""
        return re.findall(r"<anaphora>.*?</anaphora>", self.text, re.DOTALL)

    @property
    def is_turn(self) -> bool:
        """A turn of the talk, not one of the small questions that assistants ask beside it."""
        return bool(self.body.get("tools"))


@dataclass
class ModelServer:
    """`reply` decides what is said to a request; all requests are kept in their order."""

    reply: Callable[[Request], str | Edit] = lambda _: "Done."
    tokens: int = 12  # that each answer is said to have cost
    requests: list[Request] = field(default_factory=list)

    def __enter__(self) -> Self:
        outer = self

        class Answering(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: object) -> None: ...

            def do_HEAD(self) -> None:
                self._send(b"", "text/plain")

            def do_GET(self) -> None:
                self._send(b'{"data": [], "models": []}', "application/json")

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers.get("content-length") or 0))
                request = Request(self.path.partition("?")[0], json.loads(raw or b"{}"))
                if request.path.endswith(("/messages", "/responses")):
                    outer.requests.append(request)
                data, kind = outer.answered(request)
                self._send(data, kind)

            def _send(self, data: bytes, kind: str) -> None:
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def turns(self) -> list[Request]:
        return [request for request in self.requests if request.is_turn]

    def answered(self, request: Request) -> tuple[bytes, str]:
        if request.path.endswith("/count_tokens"):
            return b'{"input_tokens": 10}', "application/json"
        if not request.path.endswith(("/messages", "/responses")):
            return b"{}", "application/json"
        said = self.reply(request)
        anthropic = request.path.endswith("/messages")
        events = [*(_anthropic if anthropic else _openai)(request, said, self.tokens)]
        if request.body.get("stream"):
            lines = (f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
            return "".join(lines).encode(), "text/event-stream"
        return json.dumps(_whole(request, said, self.tokens)).encode(), "application/json"


# --- the two interfaces -------------------------------------------------------------------------------------------


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, Mapping):
        for key in ("text", "content", "output"):
            yield from _texts(value.get(key))


def _has_result(request: Request) -> bool:
    """Whether the tool that was asked for has answered in this turn."""
    last = json.dumps((request.body.get("messages") or request.body.get("input") or [])[-2:])
    return '"tool_result"' in last or "_call_output" in last


def _whole(request: Request, said: str | Edit, tokens: int) -> dict[str, Any]:
    text = said.then if isinstance(said, Edit) else said
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": request.body.get("model", ""),
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": tokens, "output_tokens": 2},
    }


def _anthropic(request: Request, said: str | Edit, tokens: int) -> Iterator[dict[str, Any]]:
    block: dict[str, Any]
    delta: dict[str, Any]
    if isinstance(said, Edit) and not _has_result(request):
        block = {"type": "tool_use", "id": "toolu_1", "name": "Write", "input": {}}
        given = json.dumps({"file_path": said.file, "content": said.text})
        delta, stop = {"type": "input_json_delta", "partial_json": given}, "tool_use"
    else:
        text = said.then if isinstance(said, Edit) else said
        block, delta, stop = {"type": "text", "text": ""}, {"type": "text_delta", "text": text}, "end_turn"
    begun = {**_whole(request, said, tokens), "content": [], "stop_reason": None}
    yield {"type": "message_start", "message": begun}
    yield {"type": "content_block_start", "index": 0, "content_block": block}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    ending = {"stop_reason": stop, "stop_sequence": None}
    yield {"type": "message_delta", "delta": ending, "usage": {"output_tokens": 2}}
    yield {"type": "message_stop"}


def _openai(request: Request, said: str | Edit, tokens: int) -> Iterator[dict[str, Any]]:
    item: dict[str, Any]
    if isinstance(said, Edit) and not _has_result(request):
        lines = "".join(f"+{line}\n" for line in said.text.splitlines())
        patch = f"*** Begin Patch\n*** Add File: {said.file}\n{lines}*** End Patch\n"
        given = json.dumps({"cmd": f"apply_patch <<'EOF'\n{patch}EOF"})
        item = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "exec_command", "arguments": given}
    else:
        text = said.then if isinstance(said, Edit) else said
        content = [{"type": "output_text", "text": text, "annotations": []}]
        item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": content}
    model = request.body.get("model")
    response: dict[str, Any] = {"id": "resp_1", "object": "response", "created_at": 1, "model": model, "output": []}
    usage = {
        "input_tokens": tokens,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 2,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": tokens + 2,
    }
    yield {"type": "response.created", "response": {**response, "status": "in_progress"}}
    yield {"type": "response.output_item.added", "output_index": 0, "item": item}
    yield {"type": "response.output_item.done", "output_index": 0, "item": item}
    yield {
        "type": "response.completed",
        "response": {**response, "status": "completed", "output": [item], "usage": usage},
    }
