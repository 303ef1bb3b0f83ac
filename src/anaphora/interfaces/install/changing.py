"""Changing an assistant's files: all or none, each with a backup, and back to what they were, to the byte."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from anaphora.errors import FormatError, StoreUnwritable
from anaphora.folders import state_folder
from anaphora.interfaces.install.editing import added, removed
from anaphora.interfaces.install.plans import Plan, Target

__all__ = ["Change", "Standing", "apply", "diff_of", "installing", "standing", "uninstalling"]

Standing = Literal["installed", "outdated", "partly", "not installed"]


@dataclass(frozen=True, slots=True)
class Change:
    """A file before and after; None where there is none. `ours` is one that is all our own."""

    file: Path
    before: str | None
    after: str | None
    ours: bool = False

    @property
    def what(self) -> str:
        if self.before == self.after:
            return "unchanged"
        return "created" if self.before is None else "deleted" if self.after is None else "changed"


def installing(plan: Plan) -> list[Change]:
    """What installing would do; an error where a file cannot be understood, and then nothing was done."""
    return [_change(target) for target in plan.targets]


def uninstalling(plan: Plan, env: Mapping[str, str]) -> list[Change]:
    """What uninstalling would do: a file that nobody touched since becomes what it was before."""
    notes = _read_notes(env)
    changes = []
    for target in plan.targets:
        text, file = _read(target.file), target.file.resolve()
        note = notes.get(str(file))
        if text is None:
            changes.append(Change(file, None, None))
        elif target.kind == "ours":
            changes.append(Change(file, text, removed(target, text), ours=True))
        elif note is not None and note["after"] == _hash(text) and (note["backup"] is None or _kept(note)):
            changes.append(Change(file, text, None if note["backup"] is None else _read(Path(note["backup"]))))
        else:
            changes.append(Change(file, text, removed(target, text)))
    return changes


def standing(plan: Plan) -> Standing:
    """How far a plan is carried out."""
    states = {_standing(target) for target in plan.targets}
    if len(states) == 1:
        return states.pop()
    return "outdated" if "not installed" not in states else "partly"


def apply(changes: Sequence[Change], env: Mapping[str, str]) -> None:
    """Do all of it, or none; what each file was before is kept."""
    done: list[Change] = []
    notes = _read_notes(env)
    try:
        for change in changes:
            if change.before != change.after:
                if not change.ours:
                    _note(notes, change, env)
                _write(change.file, change.before, change.after)
                done.append(change)
        if done:
            _write_notes(env, notes)
    except OSError as error:
        for change in reversed(done):
            _write(change.file, change.after, change.before)
        raise StoreUnwritable(
            f"{error.filename or 'A file'} could not be written: {error.strerror or error}. Nothing was changed.",
            remedy="See that you may write there, then run it again.",
        ) from error


def diff_of(change: Change) -> Iterator[str]:
    """The lines that go and come."""
    before, after = ((text or "").splitlines() for text in (change.before, change.after))
    old, new = ("/dev/null" if text is None else str(change.file) for text in (change.before, change.after))
    return unified_diff(before, after, old, new, lineterm="")


# --- files --------------------------------------------------------------------------------------------------------


def _change(target: Target) -> Change:
    file = target.file.resolve()  # a link, as people who keep their settings elsewhere have, stays one
    text = _read(file)
    if text is None or text.count("\r\n") != text.count("\n") or "\r" not in text:
        return Change(file, text, added(target, text), ours=target.kind == "ours")
    return Change(file, text, added(target, text.replace("\r\n", "\n")).replace("\n", "\r\n"))


def _read(file: Path) -> str | None:
    try:
        return file.read_bytes().decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"{file} cannot be read: {error}. It was left as it is.") from error


def _write(file: Path, before: str | None, after: str | None) -> None:
    if _read(file) != before:
        raise OSError(0, "someone else changed it just now", str(file))
    if after is None:
        file.unlink()
        for folder in file.parents:
            if any(folder.iterdir()) or not _is_made_for_it(folder):
                break
            folder.rmdir()
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    try:
        fresh.write_bytes(after.encode("utf-8"))
        fresh.chmod(file.stat().st_mode & 0o777 if before is not None else 0o600)
        fresh.replace(file)
    finally:
        fresh.unlink(missing_ok=True)


def _is_made_for_it(folder: Path) -> bool:
    """Folders that assistants, or we, make to put such files in."""
    own = {".claude", ".codex", ".cursor", ".copilot", ".agents", ".github"}
    return folder.name in own | {"skills", "hooks"} or folder.parent.name == "skills"


def _standing(target: Target) -> Standing:
    text = _read(target.file)
    if text is None:
        return "not installed"
    if added(target, text) == text:
        return "installed"
    return "not installed" if removed(target, text) == text else "outdated"


# --- what was before ----------------------------------------------------------------------------------------------


def _notes_file(env: Mapping[str, str]) -> Path:
    return Path(state_folder(env)) / "installs.json"


def _read_notes(env: Mapping[str, str]) -> dict[str, Any]:
    try:
        notes = json.loads(_notes_file(env).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return notes if isinstance(notes, dict) else {}


def _write_notes(env: Mapping[str, str], notes: Mapping[str, Any]) -> None:
    file = _notes_file(env)
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    fresh.write_text(json.dumps(notes, indent=2), "utf-8")
    fresh.replace(file)


def _note(notes: dict[str, Any], change: Change, env: Mapping[str, str]) -> None:
    """Keep what the file was before it had anything of ours in it, so that it can be put back to the byte."""
    name = str(change.file)
    earlier = notes.pop(name, None)
    backup = None if change.before is None else _backed_up(change.file, change.before, env)
    if change.after is None or (earlier is None and backup is not None and "anaphora" in (change.before or "")):
        return  # it goes, or had something of ours of which nobody knows how it came there
    if earlier is not None and earlier["after"] == _hash(change.before or ""):
        backup = earlier["backup"]
    elif earlier is not None:
        return
    notes[name] = {"backup": backup, "after": _hash(change.after)}


def _backed_up(file: Path, text: str, env: Mapping[str, str]) -> str:
    folder = Path(state_folder(env)) / "backups"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    copy = folder / f"{file.name}.{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}.{_hash(str(file) + text)[:8]}"
    copy.write_bytes(text.encode("utf-8"))
    copy.chmod(0o600)
    return str(copy)


def _kept(note: Mapping[str, Any]) -> bool:
    return Path(note["backup"]).is_file()


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()
