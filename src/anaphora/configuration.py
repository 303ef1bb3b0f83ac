"""Where settings come from outside the code: the user's file, the project's file, the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from anaphora.errors import SettingsError
from anaphora.folders import config_folder, data_folder
from anaphora.settings import Layer, Resolved, Settings, resolve

__all__ = ["HERE", "PROJECT_FILE", "checked", "default_store", "load", "project_at", "root_of", "user_file"]

PROJECT_FILE = "anaphora.toml"
HERE = "here"  # the project of the folder that one works in
_PREFIX = "ANAPHORA_"
_NOT_SETTINGS = ("CONFIG", "DEBUG", "COMPLETE", "LLM_KEY")  # variables of ours that are no settings


def user_file(environ: Mapping[str, str] | None = None) -> Path:
    """The user's settings file; ANAPHORA_CONFIG names another one."""
    env = os.environ if environ is None else environ
    named = env.get(_PREFIX + "CONFIG")
    return Path(named) if named else Path(config_folder(env)) / "config.toml"


def default_store(environ: Mapping[str, str] | None = None) -> str:
    """The store that is used when none is named."""
    return str(Path(data_folder(os.environ if environ is None else environ)) / "anaphora.db")


def root_of(folder: Path) -> Path:
    """The repository that a folder lies in; outside of any, the folder itself."""
    here = folder.absolute()
    return next((above for above in (here, *here.parents) if (above / ".git").exists()), here)


def project_at(folder: Path) -> str:
    """The name of the project that a folder belongs to: readable, and no other folder's."""
    from hashlib import sha256

    root = root_of(folder)
    name = os.fsencode(root.name).decode("utf-8", "replace")  # a name need not be in UTF-8
    return f"{name or 'root'}-{sha256(os.fsencode(root)).hexdigest()[:8]}"


def load(
    overrides: Mapping[str, Any] | None = None,
    *,
    origin: str = "the call",
    environ: Mapping[str, str] | None = None,
    directory: Path | None = None,
) -> Resolved:
    """The settings from everywhere, `overrides` winning; values of None count as not given."""
    env = os.environ if environ is None else environ
    here = directory or _working_directory()
    project = None if here is None else _file_layer(here / PROJECT_FILE)
    if project is not None:
        _refuse_to_send(project)
    layers = [_file_layer(user_file(env)), project, *_environment(env)]
    given = {k: v for k, v in (overrides or {}).items() if v is not None}
    found = resolve([*(layer for layer in layers if layer), Layer(origin, given)])
    _check_store(found)
    if found.settings.project == HERE and here is not None:
        return replace(found, settings=replace(found.settings, project=project_at(here)))
    return found


def checked(settings: Settings) -> Settings:
    """The settings as they are, where each is one that may be: a dataclass takes any value."""
    values = {field.name: getattr(settings, field.name) for field in fields(settings)}
    return resolve([Layer("the settings object", values)]).settings


def _working_directory() -> Path | None:
    """None where it was deleted; there is no project file then."""
    try:
        return Path.cwd()
    except OSError:
        return None


def _check_store(found: Resolved) -> None:
    """A place that no file can have is refused here, where it is known who named it."""
    store = found.settings.store
    named = found.origins["store"] != "default"
    wrong = "it is empty" if named and not store.strip() else ""
    if "\0" in store:
        wrong = "it holds a NUL character"
    if any("\ud800" <= character <= "\udfff" for character in store):
        wrong = "it is not in UTF-8"
    if store.startswith("~"):
        try:
            Path(store).expanduser()
        except RuntimeError:
            wrong = "there is no such home directory"
    if wrong:
        raise SettingsError(
            f"Bad value {store!r} for setting 'store' in {found.origins['store']}: {wrong}.",
            remedy="Name a file, or :memory:; without this setting it is one in your data folder.",
        )


def _refuse_to_send(project: Layer) -> None:
    """A project's file comes with the project, from whoever wrote it: it must not send what is said somewhere else."""
    for key in ("store", "vectors", "llm_base_url"):
        value = project.values.get(key)
        if isinstance(value, str) and "://" in value:
            raise SettingsError(
                f"The settings file {project.origin} names a server as {key!r}, which only you may do.",
                remedy=f"Put it into your own settings file, or into the environment as {_PREFIX}{key.upper()}.",
            )


def _file_layer(path: Path) -> Layer | None:
    try:
        text = path.read_bytes().decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"The settings file {path} cannot be read: {error}.") from error
    import tomllib

    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of too many digits is no error of TOML's own
        raise SettingsError(f"The settings file {path} is not valid TOML: {error}.") from error
    if isinstance(values.get("anaphora"), dict):
        raise SettingsError(
            f"The settings file {path} has a table [anaphora].",
            remedy="Settings stand at the top level: remove the line '[anaphora]'.",
        )
    return Layer(str(path), values)


def _environment(env: Mapping[str, str]) -> list[Layer]:
    names = [n for n in env if n.startswith(_PREFIX)]
    keys = {n: n.removeprefix(_PREFIX) for n in names}
    return [
        Layer(n, {k.lower(): env[n]})
        for n, k in sorted(keys.items())
        if k not in _NOT_SETTINGS and not k.startswith(("TEST_", "COMPLETE_"))
    ]
