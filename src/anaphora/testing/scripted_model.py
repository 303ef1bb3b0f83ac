"""A language model that says what it was told to say, on this machine alone: for tests of programs that use one.

with ScriptedModel("## Objective\\nShip it", Failure(500), SILENCE) as model:
    memory = anaphora.open(…, llm_base_url=model.base_url, llm_model="scripted")
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

__all__ = ["SILENCE", "Failure", "ScriptedModel"]


@dataclass(frozen=True, slots=True)
class Failure:
    """An answer that is none: a status, and a body of any form."""

    status: int = 500
    body: bytes = b"{}"


SILENCE = Failure(0)  # no answer at all, until the server is closed


class ScriptedModel:
    """Answers one request after the other as scripted, then with the last answer again. `requests` are the bodies that
    came in, `keys` the keys that they came with."""

    def __init__(self, *script: str | Failure) -> None:
        self.requests: list[Mapping[str, Any]] = []
        self.keys: list[str] = []
        self._script = list(script) or ["Nothing."]
        self._closed = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closed.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _answer(self, body: Mapping[str, Any], key: str) -> str | Failure:
        self.requests.append(body)
        self.keys.append(key)
        return self._script.pop(0) if len(self._script) > 1 else self._script[0]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                said = model._answer(body, self.headers.get("Authorization", "").removeprefix("Bearer "))
                if said is SILENCE:
                    model._closed.wait(30)
                    self.close_connection = True
                    return
                found = said if isinstance(said, Failure) else Failure(200, _completion(said))
                known = self.path == "/v1/chat/completions"
                self.send_response(found.status if known else 404)
                self.send_header("Content-Length", str(len(found.body)))
                self.end_headers()
                self.wfile.write(found.body)

            def log_message(self, format: str, *args: Any) -> None:
                """Says nothing."""

        return Handler


def _completion(text: str) -> bytes:
    message = {"role": "assistant", "content": text}
    return json.dumps({"object": "chat.completion", "choices": [{"index": 0, "message": message}]}).encode()
