"""Memory, and the one place that opens it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from anaphora.configuration import checked, default_store, load
from anaphora.engine.checks import checked_name
from anaphora.engine.memory import Memory
from anaphora.engine.place import Place
from anaphora.errors import InputError
from anaphora.memory.terms import terms_of
from anaphora.models.tokens import Remembering, token_counter
from anaphora.ports import Clock, Embedder, LanguageModel, Reader, TokenCounter
from anaphora.settings import PresetName, Settings
from anaphora.stores import open_store
from anaphora.stores.vectors import VectorLimits
from anaphora.types import Scope

__all__ = ["Memory", "open_memory"]


def open_memory(
    store: str | Path | None = None,
    *,
    user: str | None = None,
    agent: str | None = None,
    project: str | None = None,
    session: str | None = None,
    author: str | None = None,
    preset: PresetName | None = None,
    settings: Settings | None = None,
    clock: Clock | None = None,
    counter: TokenCounter | None = None,
    reader: Reader | Literal["bundled", "none"] | None = None,
    embedder: Embedder | Literal["bundled", "none"] | None = None,
    language: LanguageModel | None = None,
    **values: Any,
) -> Memory:
    """Open a memory. `store` is a path, a URL or ":memory:"; `values` are settings, `reader` and `embedder` those
    settings or ones of your own. Whatever is not given comes from the settings files and the environment, unless a
    whole `settings` object is given."""
    if isinstance(reader, str):
        values, reader = {**values, "reader": reader}, None
    if isinstance(embedder, str):
        values, embedder = {**values, "embedder": embedder}, None
    if settings is not None and (preset is not None or values):
        raise InputError("Give either a settings object or single settings, not both.")
    _check_parts(settings, clock, counter, reader, embedder, language)
    given: dict[str, Any] = {"user": user, "agent": agent, "project": project, "session": session}
    given["store"] = None if store is None else _named(store)
    if settings is None:
        settings = load({**given, "preset": preset, **values}).settings
    else:
        settings = checked(replace(settings, **{k: v for k, v in given.items() if v is not None}))
    scope = Scope(*(checked_name(name, getattr(settings, name)) for name in ("user", "agent", "project")))
    checked_name("session", settings.session)
    signed = checked_name("author", author if author is not None else settings.author or settings.user)
    opened = open_store(
        settings.store or default_store(),
        terms_of=terms_of,
        durability=settings.durability,
        busy_timeout=settings.busy_timeout,
        limits=VectorLimits(settings.vector_memory * 1_000_000, settings.vector_codes_above),
        vectors=settings.vectors,
    )
    place = Place(
        opened,
        scope,
        settings.session,
        signed,
        settings,
        clock or (lambda: datetime.now(UTC)),
        _reader(settings) if reader is None else reader,
        embeds=embedder is not None or settings.embedder != "none",
    )
    place = replace(place, language=language or _language(settings))
    if embedder is not None:
        place = replace(place, embedder=lambda: embedder)
    own = None if counter is None else Remembering(counter)
    count: Callable[[], TokenCounter] = (lambda: own) if own else (lambda: token_counter(settings.tokenizer))
    return Memory(place, count)


def _check_parts(
    settings: object, clock: object, counter: object, reader: object, embedder: object, language: object
) -> None:
    """What a caller brings along can do what it will be asked for."""
    if not isinstance(settings, Settings | None):
        raise InputError(f"`settings` must be a Settings, not {type(settings).__name__}.")
    if clock is not None and not callable(clock):
        raise InputError(f"`clock` must be a function that returns the time, not {type(clock).__name__}.")
    parts = (("counter", counter, "count"), ("reader", reader, "judge"), ("embedder", embedder, "embed"))
    for argument, part, method in (*parts, ("language", language, "complete")):
        if isinstance(part, type):
            raise InputError(
                f"`{argument}` must be an object with a method {method}(), not the class {part.__name__}.",
                remedy=f"Give one of its objects, such as {part.__name__}().",
            )
        if part is not None and (isinstance(part, str) or not callable(getattr(part, method, None))):
            raise InputError(f"`{argument}` must have a method {method}(), and so cannot be {type(part).__name__}.")


def _named(store: str | Path) -> str:
    """A store as it was named; nothing else is taken for the name of a file."""
    name = os.fspath(store) if isinstance(store, str | os.PathLike) else store
    if not isinstance(name, str):
        raise InputError(f"`store` must be a path, a URL or ':memory:', not {type(store).__name__}.")
    return name


def _reader(settings: Settings) -> Reader | None:
    """The reader that ships with the package; where its runtime is not installed, words and rules do without it."""
    if settings.reader == "none" or find_spec("onnxruntime") is None:
        return None
    from anaphora.models.reader import bundled_reader

    return bundled_reader()


def _language(settings: Settings) -> LanguageModel | None:
    """The language model that the settings name; its key comes from the environment and stays in the process."""
    if not settings.llm_base_url:
        return None
    from anaphora.models.language import ChatModel

    key = os.environ.get("ANAPHORA_LLM_KEY", "")
    return ChatModel(settings.llm_base_url, settings.llm_model, key=key, timeout=settings.llm_timeout)
