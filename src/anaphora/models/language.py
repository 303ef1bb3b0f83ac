"""The optional language model: one small client for any endpoint that speaks OpenAI's chat completions."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import time
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from anaphora.errors import ServiceUnavailable, SettingsError

__all__ = ["ChatModel"]

_LARGEST = 2 * 2**20  # bytes of an answer
_PIECE = 65536


class ChatModel:
    """A model behind a base URL such as http://localhost:11434/v1. It calls nobody before `complete`; the key goes
    into the request and nowhere else."""

    def __init__(self, base_url: str, model: str, *, key: str = "", timeout: timedelta) -> None:
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname or not model:
            raise SettingsError(
                f"A language model needs a URL and a name, not {base_url!r} and {model!r}.",
                remedy="Set llm_base_url, such as http://localhost:11434/v1, and llm_model.",
            )
        self._parts = parts
        self._path = f"{parts.path.rstrip('/') or '/v1'}/chat/completions"
        self._model = model
        self._key = key
        self._timeout = timeout.total_seconds()

    @property
    def name(self) -> str:
        return self._model

    def __repr__(self) -> str:
        return f"ChatModel({self._model!r} at {self._parts.hostname})"

    def complete(self, system: str, text: str, /) -> str:
        """What the model answers; ServiceUnavailable where it does not, in time and in form."""
        body = {
            "model": self._model,
            "temperature": 0,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": text}],
        }
        try:
            status, answer = self._post(json.dumps(body).encode())
        except (OSError, http.client.HTTPException, ssl.SSLError) as error:
            told = "no answer in time" if isinstance(error, TimeoutError | socket.timeout) else type(error).__name__
            raise self._failed(told) from error
        if status != http.HTTPStatus.OK:
            raise self._failed(f"status {status}")
        return self._content(answer)

    def _post(self, body: bytes) -> tuple[int, bytes]:
        kind = http.client.HTTPSConnection if self._parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(self._parts.hostname or "", self._parts.port, timeout=self._timeout)
        deadline = time.monotonic() + self._timeout
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        try:
            connection.request("POST", self._path, body, headers)
            response = connection.getresponse()
            answer = b""
            while piece := response.read(_PIECE):
                answer += piece
                if len(answer) > _LARGEST or time.monotonic() > deadline:
                    raise TimeoutError
            return response.status, answer
        finally:
            connection.close()

    def _content(self, answer: bytes) -> str:
        try:
            record: Any = json.loads(answer)
            content = record["choices"][0]["message"]["content"]
        except (ValueError, KeyError, IndexError, TypeError, RecursionError) as error:
            raise self._failed("an answer in another form") from error
        if not isinstance(content, str) or not content.strip():
            raise self._failed("an empty answer")
        return content

    def _failed(self, why: str) -> ServiceUnavailable:
        """The words name neither the key nor anything that was sent."""
        return ServiceUnavailable(
            f"The language model {self._model!r} at {self._parts.hostname} gave {why}.",
            remedy="Check llm_base_url, llm_model and ANAPHORA_LLM_KEY; summaries are made without it meanwhile.",
        )
