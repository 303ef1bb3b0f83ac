"""The slash commands as skills: files that tell an assistant to call the command line."""

from __future__ import annotations

import json
from collections.abc import Mapping

__all__ = ["texts"]

_COMMANDS: Mapping[str, tuple[str, str, str]] = {
    "set_goal": ("/set_goal ", "<goal>", "Set a goal in Anaphora's working state."),
    "complete_goal": ("/complete_goal ", "<goal or its id>", "Mark a goal of Anaphora's working state as done."),
    "remember": ("/remember ", "<what to remember>", "Have Anaphora remember something for good."),
    "log_decision": ("/log_decision ", "<decision> [because reason]", "Log a decision with its reason in Anaphora."),
    "add_constraint": ("/add_constraint ", "<constraint>", "Add a constraint to Anaphora's working state."),
    "anaphora": ("/", "<command, such as: context status>", "Any command of Anaphora's memory; help lists them."),
}

_TEXT = """---
name: {name}
description: {says}
argument-hint: {hint}
disable-model-invocation: true
---

Run the command below in a shell, exactly once, with this one line on its standard input (in a here-document with a
quoted end mark, so that the shell changes nothing in it), and show what it prints. Do nothing else.

Line:

    {line}$ARGUMENTS

Command:

    {command} command -

<!-- Written by `anaphora install`; `anaphora uninstall` takes it away. -->
"""


def texts(command: str) -> Mapping[str, str]:
    """Each skill's file by its name."""
    return {
        name: _TEXT.format(name=name, says=json.dumps(says), hint=json.dumps(hint), line=line, command=command)
        for name, (line, hint, says) in _COMMANDS.items()
    }
