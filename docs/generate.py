"""Write the pages that the program itself can tell: the command line and the presets.

python -m docs.generate            writes them
python -m docs.generate --check    exits with 1 if one of them would change
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from typer.main import get_command

from anaphora.interfaces.cli.app import app
from anaphora.interfaces.cli.config import value_text
from anaphora.settings import PRESETS, PresetName, Settings, describe

__all__ = ["main", "pages"]

_FOLDER = Path(__file__).parent
_NOTE = "<!-- Written by `make docs`. Do not edit. -->"
_PURPOSES: dict[PresetName, str] = {
    "assistant": "The default, and the best of all the others: nothing that was said is lost, evidence for a boundary "
    "is weighed together, and a context takes what fits its budget.",
    "kds": "The message window of a router: the last ten messages of the open conversation, for two hours, without "
    "replies and without code. Enough to know what “it” is and which handler should get the message.",
    "light": "The four-field context: the last intent, the last task, the fields that are still missing and the last "
    "message. Nothing outlasts the session.",
    "brain": "A queue of conversations with fixed boundary bands: the last twenty, whole, and a question whenever no "
    "band decides. What leaves the queue is deleted.",
    "quaid": "Working state and a tiered context: goals, decisions and constraints first, then the recent messages "
    "that matter, then the summary, within 8,000 tokens of which a fixed part stays free.",
    "whisper": "Semantic layers in a chat bot's prompt: a narrative of a few short memories, the last messages in "
    "full, a thread summary; roles take turns by dropping what comes twice.",
}


def main(arguments: list[str]) -> int:
    """Write the pages, or with --check only say which are out of date."""
    stale = [name for name, text in pages().items() if _read(_FOLDER / name) != text]
    if "--check" in arguments:
        for name in stale:
            sys.stderr.write(f"docs/{name} is out of date: run 'make docs'.\n")
        return 1 if stale else 0
    for name in stale:
        (_FOLDER / name).write_text(pages()[name], encoding="utf-8", newline="\n")
    return 0


def pages() -> dict[str, str]:
    """Each generated page by its file name."""
    found = {"cli.md": _cli(), "presets.md": _presets()}
    return {name: re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n" for name, lines in found.items()}


def _read(path: Path) -> str | None:
    return path.read_text("utf-8") if path.exists() else None


def _row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _table(*head: str) -> Iterator[str]:
    yield _row(*head)
    yield _row(*("---" for _ in head))


# --- the command line ---------------------------------------------------------------------------------------------


def _cli() -> Iterator[str]:
    yield from (_NOTE, "", "# The command line", "")
    root: Any = get_command(app)
    context = root.context_class(root, info_name="anaphora")
    yield from _command(root, context)
    yield "Exit codes: 0 it worked; 1 it could not be done; 2 what was asked is wrong; 70 a bug; 130 interrupted."
    for command, inner in _tree(root, context):
        yield from ("", f"## {inner.command_path}", "")
        yield from _command(command, inner)


def _tree(group: Any, context: Any) -> Iterator[tuple[Any, Any]]:
    """Every command below a group, with its context, in the order of the help."""
    for name, command in group.commands.items():
        inner = command.context_class(command, info_name=name, parent=context)
        yield command, inner
        if hasattr(command, "commands"):
            yield from _tree(command, inner)


def _command(command: Any, context: Any) -> Iterator[str]:
    yield from (_sentence(command.help), "", "```", _usage(command, context), "```", "")
    rows = [record for param in command.get_params(context) if (record := param.get_help_record(context))]
    told = [(name, _sentence(text)) for name, text in rows if name != "--help"]
    if told:
        yield from _table("option", "meaning")
        yield from (_row(f"`{name}`", text) for name, text in told)
        yield ""
    if command.epilog:
        example = re.fullmatch(r"Example: (.*)", command.epilog, re.DOTALL)
        yield f"Example: `{example[1]}`" if example else _sentence(command.epilog)
        yield ""


def _usage(command: Any, context: Any) -> str:
    return " ".join([context.command_path, *command.collect_usage_pieces(context)])


def _sentence(text: str | None) -> str:
    return re.sub(r"\s+", " ", text or "").strip()


# --- the presets --------------------------------------------------------------------------------------------------


def _presets() -> Iterator[str]:
    yield from (_NOTE, "", "# Presets and settings", "")
    yield "A preset is a set of defaults. Name one with `--preset`, with `ANAPHORA_PRESET`, in a settings file, or in"
    yield '`anaphora.open(preset="brain")`; any setting given besides wins over it. `anaphora config` shows the values'
    yield "in force and where each came from."
    for preset, purpose in _PURPOSES.items():
        yield from ("", f"## {preset}", "", purpose, "")
        yield from _differences(preset)
    yield from ("", "## Every setting", "", "In bold: what differs from the default, which is preset `assistant`.", "")
    yield from _table("setting", "meaning", "allowed", *_PURPOSES)
    for about in describe():
        values = [_value(preset, about.key) for preset in _PURPOSES]
        shown = [f"**{v}**" if v != values[0] and about.key != "preset" else v for v in values]
        yield _row(f"`{about.key}`", about.doc, about.allowed.removeprefix("Allowed: "), *shown)


def _differences(preset: PresetName) -> Iterator[str]:
    different = [about for about in describe() if _value(preset, about.key) != _value("assistant", about.key)]
    different = [about for about in different if about.key != "preset"]
    if not different:
        yield "Every setting has its default."
        return
    yield from _table("setting", "value", "default", "meaning")
    for about in different:
        yield _row(f"`{about.key}`", _value(preset, about.key), _value("assistant", about.key), about.doc)


def _value(preset: PresetName, key: str) -> str:
    return value_text(getattr(replace(Settings(), preset=preset, **PRESETS[preset]), key))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
