"""An event taken in by the hook's own process, without the networks: by words and rules alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from anaphora.engine import open_memory
from anaphora.interfaces.hooks.acting import act, understood

__all__ = ["take"]


def take(request: Mapping[str, Any], *, busy: float) -> str:
    """What the assistant should be told. A store that another process writes is waited for so many seconds."""
    asked = understood(request)
    if asked is None:
        return ""
    wait = min(asked.settings.busy_timeout, timedelta(seconds=busy))
    settings = replace(asked.settings, reader="none", embedder="none", background=False, busy_timeout=wait)
    with open_memory(settings=settings, author=asked.author) as memory:
        return act(memory, asked)
