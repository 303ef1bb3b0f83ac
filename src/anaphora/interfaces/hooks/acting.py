"""What an event of an assistant does to a memory, and what the assistant is told."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anaphora.configuration import default_store, load, project_at, root_of
from anaphora.interfaces.hooks import hosts
from anaphora.interfaces.hooks.hosts import Compacting, Ended, Heard, Prompt, Reply, Started, Touched

if TYPE_CHECKING:
    from anaphora.engine import Memory
    from anaphora.settings import Settings

__all__ = ["Asked", "act", "understood"]


@dataclass(frozen=True, slots=True)
class Asked:
    """An event, and which memory it belongs to. All assistants that work in one repository share one memory; each run
    of one is a session of it, and its changes are signed by the host."""

    heard: Heard
    settings: Settings
    root: Path

    @property
    def author(self) -> str:
        return self.heard.host


def understood(request: Mapping[str, Any]) -> Asked | None:
    """What a hook asks for; None where it is of no concern."""
    event = json.loads(request["said"])
    if not isinstance(event, dict):
        return None
    env: Mapping[str, str] = request["environ"]
    heard = hosts.read(request["host"], event, request["event"], Path(request["folder"]))
    if heard is None:
        return None
    root = root_of(Path(env.get("CLAUDE_PROJECT_DIR") or heard.folder))
    found = load({"session": heard.session}, origin=heard.host, environ=env, directory=root)
    settings = found.settings
    if not settings.hooks:
        return None
    if found.origins["project"] == "default":
        settings = replace(settings, project=project_at(root))
    store = _placed(settings.store, request["folder"]) if settings.store else default_store(env)
    return Asked(heard, replace(settings, store=store), root)


def _placed(store: str, folder: str) -> str:
    """A file is named from where the hook runs: whoever acts for it runs elsewhere."""
    return store if store == ":memory:" or "://" in store else str(Path(folder, Path(store).expanduser()))


def act(memory: Memory, asked: Asked) -> str:
    """Take the event in; what comes back goes to the assistant as it is, and is mostly empty."""
    heard = asked.heard
    return hosts.answer(heard.host, heard.event, _told(memory, asked))


def _told(memory: Memory, asked: Asked) -> str:
    match asked.heard.happening:
        case Prompt(text, id):
            return memory.brief(memory.hear(text, id=id))
        case Reply(text, id):
            memory.say(text, id=id)
        case Touched(files, edited):
            for file in files:
                memory.touch(_within(file, asked), edited=edited)
        case Started(source):
            if source == "compact":
                memory.compacted()
            return memory.brief()
        case Compacting():
            memory.compacted()
        case Ended():
            conversation = memory.current()
            if conversation is not None and conversation.active:
                memory.end()
    return ""


def _within(file: str, asked: Asked) -> str:
    """The file as it is called in its repository."""
    path = asked.heard.folder / file
    return path.relative_to(asked.root).as_posix() if path.is_relative_to(asked.root) else path.as_posix()
