"""Anaphora: conversation memory for AI assistants.

    import anaphora

    with anaphora.open("anaphora.db") as memory:
        memory.hear("I want to add a FAB button")
        turn = memory.hear("Make it purple")
        turn.expanded                       # 'Make the FAB button purple'
        memory.context(turn, budget=2000).to_openai()

Importing this does nothing; each name is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anaphora.version import __version__

if TYPE_CHECKING:
    from anaphora.engine import Memory
    from anaphora.engine import open_memory as open
    from anaphora.errors import (
        AnaphoraError,
        BadText,
        BadTime,
        FormatError,
        IdConflict,
        InputError,
        MissingExtra,
        NotFound,
        SettingsError,
        StoreBusy,
        StoreError,
        StoreInterrupted,
        StoreNewer,
        StoreUnreadable,
        StoreUnwritable,
    )
    from anaphora.knowledge import Knowledge, Lesson, Report
    from anaphora.light import LightContext
    from anaphora.settings import Settings
    from anaphora.types import (
        Action,
        Boundary,
        CommandResult,
        Context,
        Conversation,
        Decision,
        Entity,
        Event,
        Factor,
        FileContext,
        Forgotten,
        Goal,
        Handoff,
        Hit,
        Ingested,
        Intent,
        LeftOut,
        Message,
        Note,
        Option,
        OwnIntent,
        Part,
        Question,
        Redaction,
        Reference,
        Scope,
        Signal,
        State,
        Turn,
        Undone,
    )

__all__ = [
    "Action",
    "AnaphoraError",
    "BadText",
    "BadTime",
    "Boundary",
    "CommandResult",
    "Context",
    "Conversation",
    "Decision",
    "Entity",
    "Event",
    "Factor",
    "FileContext",
    "Forgotten",
    "FormatError",
    "Goal",
    "Handoff",
    "Hit",
    "IdConflict",
    "Ingested",
    "InputError",
    "Intent",
    "Knowledge",
    "LeftOut",
    "Lesson",
    "LightContext",
    "Memory",
    "Message",
    "MissingExtra",
    "NotFound",
    "Note",
    "Option",
    "OwnIntent",
    "Part",
    "Question",
    "Redaction",
    "Reference",
    "Report",
    "Scope",
    "Settings",
    "SettingsError",
    "Signal",
    "State",
    "StoreBusy",
    "StoreError",
    "StoreInterrupted",
    "StoreNewer",
    "StoreUnreadable",
    "StoreUnwritable",
    "Turn",
    "Undone",
    "__version__",
    "open",
]

_ELSEWHERE = {"open": ("anaphora.engine", "open_memory"), "Memory": ("anaphora.engine", "Memory")}
_ROOMS = ("anaphora.types", "anaphora.errors", "anaphora.settings", "anaphora.light", "anaphora.knowledge")


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'anaphora' has no attribute {name!r}")
    from importlib import import_module

    if name in _ELSEWHERE:
        room, inside = _ELSEWHERE[name]
        value = getattr(import_module(room), inside)
    else:
        value = next(getattr(r, name) for r in map(import_module, _ROOMS) if name in r.__all__)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
