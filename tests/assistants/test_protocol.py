"""The MCP server before the protocol's own tools: its conformance suite, and the inspector."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.assistants.programs import protocol_tool

BASELINE = Path(__file__).with_name("conformance.yaml")
CALLS: Mapping[str, Mapping[str, Any]] = {
    "hear": {"message": "I want to add a FAB button"},
    "say": {"reply": "Where should it be?"},
    "recall": {"query": "button"},
    "context": {"about": "the button"},
    "remember": {"text": "The staging server is called otter"},
    "state": {"change": "goal", "text": "Ship it"},
    "sessions": {"step": "list"},
    "light": {"request": '{"action": "retrieve"}'},
    "forget": {"conversation": "1"},
    "why": {},
    "stats": {},
}


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "anaphora", "--store", str(tmp_path / "store.db"), "mcp", "--http", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        yield running.stderr.readline().split()[2].rstrip(";")
        running.terminate()


def _run(tool: str, *args: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command, path = protocol_tool(tool)
    env = {**os.environ, "PATH": f"{path}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run([*command, *args], capture_output=True, text=True, env=env, cwd=folder, timeout=300)


def test_the_conformance_suite_fails_on_nothing_that_is_not_explained(url: str, tmp_path: Path) -> None:
    done = _run("conformance", "server", "--url", url, "--expected-failures", str(BASELINE), folder=tmp_path)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
    assert "server-initialize" in done.stdout


def test_the_inspector_lists_and_calls_every_tool(url: str, tmp_path: Path) -> None:
    server = ("--cli", url, "--transport", "http")
    listed = _run("mcp-inspector", *server, "--method", "tools/list", folder=tmp_path)
    assert [tool["name"] for tool in json.loads(listed.stdout)["tools"]] == list(CALLS)
    for tool, arguments in sorted(CALLS.items(), key=lambda call: call[0] == "forget"):  # that one last
        given = [f"{name}={value}" for name, value in arguments.items()]
        args = [part for one in given for part in ("--tool-arg", one)]
        called = _run("mcp-inspector", *server, "--method", "tools/call", "--tool-name", tool, *args, folder=tmp_path)
        assert called.returncode == 0, called.stderr
        assert not json.loads(called.stdout).get("isError"), called.stdout
