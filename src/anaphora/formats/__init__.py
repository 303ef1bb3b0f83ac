"""File formats that memories come in and go out by. Lines in, values out; whoever calls opens the files."""

from __future__ import annotations

from typing import Literal

from anaphora.errors import FormatError
from anaphora.formats import brain, jsonl, kds, quaid

__all__ = ["FormatName", "brain", "detect", "kds", "quaid"]

FormatName = Literal["kds", "brain"]


def detect(first_line: str) -> FormatName | None:
    """Which format a file is in, by the keys of its first line that is not blank; None if it is neither."""
    try:
        fields = jsonl.parse(first_line.removeprefix("\ufeff"), where="Line 1")
    except FormatError:
        return None
    if "user_message" in fields:
        return "kds"
    return "brain" if {"conversation_id", "started"} <= fields.keys() else None
