"""Where the system keeps such things for its users. Nothing is imported here, since hooks start with it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

__all__ = ["config_folder", "data_folder", "state_folder"]


def config_folder(env: Mapping[str, str]) -> str:
    """Settings that a person writes."""
    return _ours(env, "XDG_CONFIG_HOME", ".config")


def data_folder(env: Mapping[str, str]) -> str:
    """What must not be lost."""
    return _ours(env, "XDG_DATA_HOME", os.path.join(".local", "share"))


def state_folder(env: Mapping[str, str]) -> str:
    """Logs and the like: what may be lost without harm."""
    return _ours(env, "XDG_STATE_HOME", os.path.join(".local", "state"))


def _ours(env: Mapping[str, str], variable: str, usual: str) -> str:
    home = env.get("HOME") or os.path.expanduser("~")
    if sys.platform == "win32":
        base = env.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    elif sys.platform == "darwin":
        base = os.path.join(home, "Library", "Application Support")
    else:
        named = env.get(variable, "")  # a relative one means nothing, says the specification
        base = named if os.path.isabs(named) else os.path.join(home, usual)
    return os.path.join(base, "anaphora")
