"""Somebody's desk: a home, a repository, the assistants, and Anaphora installed into them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import anaphora
from anaphora import Memory
from anaphora.configuration import default_store, project_at
from anaphora.interfaces.daemon import wire
from tests.assistants import programs
from tests.assistants.model_server import ModelServer
from tests.daemons import end

__all__ = ["Desk", "Ran"]

Ran = subprocess.CompletedProcess[str]


class Desk:
    def __init__(self, folder: Path, model: ModelServer) -> None:
        self.home = folder / "desk"
        self.project = folder / "web"
        self._model = model
        self.env = {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "ANTHROPIC_BASE_URL": model.url,
            "ANTHROPIC_API_KEY": "sk-ant-none",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "MODEL_KEY": "none",
        }

    def __enter__(self) -> Self:
        self.home.mkdir()
        self.project.mkdir()
        subprocess.run(["git", "init", "--quiet", str(self.project)], check=True)
        self._configure_codex()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        end(self.env)

    # anaphora

    def anaphora(self, *arguments: str) -> Ran:
        command = [sys.executable, "-P", "-m", "anaphora", *arguments]
        return self._run(command, check=True)

    def memory(self, **extra: Any) -> Memory:
        """What was remembered of this repository."""
        return anaphora.open(default_store(self.env), project=project_at(self.project), **extra)

    def ask_daemon(self, what: str) -> dict[str, Any] | None:
        found = wire.ask(wire.socket_path(self.env), {"ask": what}, 10)
        return found if isinstance(found, dict) else None

    # the assistants

    def claude(self, *arguments: str) -> Ran:
        """One run of Claude Code that answers one prompt."""
        return self._run([str(programs.claude()), "-p", *arguments])

    def claude_command(self, *arguments: str) -> Ran:
        return self._run([str(programs.claude()), *arguments])

    def codex(self, *arguments: str) -> Ran:
        """One run of Codex that answers one prompt; its hooks must be trusted."""
        return self._run([str(programs.codex()), "exec", *arguments])

    def trust_codex_hooks(self) -> list[str]:
        """Look at the hooks and trust them, over the interface that Codex's own screen uses; their states then."""
        with _AppServer(self) as server:
            listed = server.call("hooks/list", {"cwds": [str(self.project)]})["data"][0]["hooks"]
            trusted = {hook["key"]: {"trusted_hash": hook["currentHash"], "enabled": True} for hook in listed}
            edit = {"keyPath": "hooks.state", "value": trusted, "mergeStrategy": "upsert"}
            server.call("config/batchWrite", {"edits": [edit], "reloadUserConfig": True})
            listed = server.call("hooks/list", {"cwds": [str(self.project)]})["data"][0]["hooks"]
        return [hook["trustStatus"] for hook in listed]

    def _configure_codex(self) -> None:
        folder = self.home / ".codex"
        folder.mkdir()
        provider = (
            f'name = "scripted"\nbase_url = "{self._model.url}/v1"\nwire_api = "responses"\nenv_key = "MODEL_KEY"\n'
        )
        (folder / "config.toml").write_text(
            'model = "gpt-5"\nmodel_provider = "scripted"\n\n'
            f"[model_providers.scripted]\n{provider}\n"
            f'[projects."{self.project}"]\ntrust_level = "trusted"\n'
        )

    def _run(self, command: list[str], *, check: bool = False) -> Ran:
        return subprocess.run(
            command,
            cwd=self.project,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=check,
        )


class _AppServer:
    """Codex's own server, spoken to line by line."""

    def __init__(self, desk: Desk) -> None:
        command = [str(programs.codex()), "app-server"]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, cwd=desk.project, env=desk.env, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
        )
        self._asked = 0
        self._alarm = threading.Timer(60, self._process.kill)

    def __enter__(self) -> Self:
        self._alarm.start()
        self.call("initialize", {"clientInfo": {"name": "tests", "version": "1", "title": None}})
        self._send({"method": "initialized"})
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._alarm.cancel()
        self._process.kill()
        self._process.communicate()

    def call(self, method: str, parameters: Mapping[str, Any]) -> Any:
        self._asked += 1
        self._send({"id": self._asked, "method": method, "params": parameters})
        assert self._process.stdout is not None
        for line in self._process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self._asked and "method" not in answer:
                assert "result" in answer, answer
                return answer["result"]
        raise AssertionError(f"Codex did not answer {method}")

    def _send(self, value: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(value) + "\n")
        self._process.stdin.flush()
