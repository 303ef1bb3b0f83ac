"""The assistants themselves: `python -m tests.assistants.programs` installs them, in versions that are known to work.

Claude Code comes inside a package for Python, Codex from npm. Where one cannot be had this fails, loudly."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

__all__ = ["claude", "codex", "main", "protocol_tool"]

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".assistants"
CLAUDE_PACKAGE = "claude-agent-sdk==0.2.182"  # Claude Code 2.1
CODEX_PACKAGE = "@openai/codex@0.166.0"
# The tools of the Model Context Protocol itself, and the Node that they need.
PROTOCOL_PACKAGES = (
    "node@22.23.3",
    "@modelcontextprotocol/inspector@2.12.0",
    "@modelcontextprotocol/conformance@0.1.16",
)


def claude() -> Path:
    return FOLDER / "claude" / "claude_agent_sdk" / "_bundled" / "claude"


def codex() -> Path:
    return FOLDER / "codex" / "node_modules" / ".bin" / "codex"


def protocol_tool(name: str) -> tuple[list[str], Path]:
    """How a tool of the protocol is called, and the folder that its Node lies in."""
    modules = FOLDER / "protocol" / "node_modules"
    return [str(modules / ".bin" / name)], modules / "node" / "bin"


def main() -> int:
    npm = shutil.which("npm")
    if npm is None:
        return _failed("npm is not there. Install Node.js 20 or newer.")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--upgrade"]
    node = [npm, "install", "--silent", "--no-fund", "--no-audit", "--prefix"]
    wanted = {
        "claude": [*pip, "--target", str(FOLDER / "claude"), CLAUDE_PACKAGE],
        "codex": [*node, str(FOLDER / "codex"), CODEX_PACKAGE],
        "protocol": [*node, str(FOLDER / "protocol"), *PROTOCOL_PACKAGES],
    }
    for name, command in wanted.items():
        mark = FOLDER / f"{name}.installed"
        if mark.is_file() and mark.read_text() == command[-1]:
            continue
        sys.stderr.write(f"Installing {command[-1]} into {FOLDER.name}/ (once) ...\n")
        shutil.rmtree(FOLDER / name, ignore_errors=True)
        (FOLDER / name).mkdir(parents=True)
        if subprocess.run(command).returncode:
            return _failed(f"{command[-1]} could not be installed.")
        mark.write_text(command[-1])
    return max(_answers([str(claude()), "--version"]), _answers([str(codex()), "--version"]))


def _answers(command: Sequence[str]) -> int:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    except (OSError, subprocess.TimeoutExpired) as error:
        return _failed(f"{command[0]} does not run: {error}")
    if done.returncode:
        return _failed(f"{command[0]} does not run: {done.stderr.strip()}")
    sys.stderr.write(f"{done.stdout.strip()}\n")
    return 0


def _failed(why: str) -> int:
    sys.stderr.write(f"The assistants cannot be tested: {why}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
