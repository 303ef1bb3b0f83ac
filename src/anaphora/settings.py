"""One frozen settings object, the presets named after the systems it learned from, and where each value came from.

A value is looked for in this order, the later winning: the default, the preset, the user's settings file, the
project's settings file, the environment (ANAPHORA_<KEY>), the code.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import timedelta
from typing import Any, Literal, get_args, get_origin, get_type_hints

from anaphora.errors import SettingsError

__all__ = [
    "PRESETS",
    "Description",
    "Layer",
    "PresetName",
    "Resolved",
    "Settings",
    "describe",
    "read_duration",
    "resolve",
]

PresetName = Literal["assistant", "kds", "light", "brain", "quaid", "whisper"]

_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def _key(default: Any, doc: str, *, low: float | None = None, high: float | None = None) -> Any:
    return field(default=default, metadata={"doc": doc, "low": low, "high": high})


@dataclass(frozen=True, slots=True)
class Settings:
    """Every number, limit and switch. Change one with `dataclasses.replace` or through `resolve`."""

    preset: PresetName = _key("assistant", "the set of defaults to start from")

    # where and whose
    store: str = _key("", "path of the store, or :memory:; by default in the user's data folder")
    user: str = _key("me", "who owns the memory")
    agent: str = _key("assistant", "which assistant it belongs to")
    project: str = _key("default", "which project it belongs to; here: the repository of the working directory")
    author: str = _key("", "who speaks and signs changes, where several share one memory; empty: the user")
    session: str = _key("main", "which running chat this is")
    durability: Literal["full", "normal"] = _key(
        "full", "full: acknowledged means on disk; normal: a power cut may lose the last messages"
    )
    busy_timeout: timedelta = _key(
        timedelta(seconds=10), "how long to wait for another process that writes", low=0, high=3600
    )
    background: bool = _key(
        True, "work that can wait is done by a thread; otherwise only when asked for: anaphora work, memory.finish()"
    )
    vectors: str = _key(
        "store",
        "where the vectors are: store: in the store; qdrant:URL or qdrant:FOLDER: in Qdrant, by the extra qdrant",
    )
    vector_memory: int = _key(256, "megabytes of vectors that a process holds to search them quickly", low=1)
    vector_codes_above: int = _key(
        100_000, "vectors of one scope above which a search goes by binary codes first, then by the best of them", low=1
    )
    max_message_chars: int = _key(2_000_000, "a longer message is refused", low=1)

    # the window and the queue
    window: int = _key(10, "recent messages that references and boundaries look at", low=1, high=1000)
    queue: int = _key(20, "conversations in short-term memory", low=1, high=1000)
    expire_after: timedelta | None = _key(None, "messages older than this are deleted", low=0)
    retention: Literal["keep", "window", "queue", "session"] = _key(
        "keep",
        "what stays: keep: everything; window: the last messages; queue: the conversations in the queue; "
        "session: nothing once the session ends",
    )
    keep_sessions: timedelta | None = _key(
        None, "conversations that were not used for longer are removed, if they were stored under this setting", low=0
    )
    abandon_after: timedelta = _key(
        7 * _DAY, "a conversation that was left open is ended after this, where the queue is too long", low=0
    )
    keep_replies: bool = _key(True, "store what the assistant said")
    keep_state: bool = _key(True, "gather goals, decisions, constraints and facts from what is said")
    keep_code: bool = _key(True, "store code blocks; otherwise a one-line description of each")

    # boundaries
    boundary_method: Literal["weighted", "bands"] = _key(
        "weighted", "weighted: all evidence together; bands: the fixed order and thresholds of preset brain"
    )
    ask_below: float = _key(0.65, "a boundary less sure than this is asked about", low=0.5, high=1)
    overlap_messages: int = _key(5, "messages that a new one is compared with", low=1, high=1000)
    overlap_same: float = _key(0.7, "entity overlap above this means the same conversation", low=0, high=1)
    overlap_new: float = _key(0.3, "entity overlap below this, with a gap, means a new one", low=0, high=1)
    gap_same: timedelta = _key(15 * _MINUTE, "a shorter gap hardly speaks for a new conversation", low=0)
    gap_maybe: timedelta = _key(_HOUR, "a longer gap and little overlap mean a new conversation", low=0)
    gap_new: timedelta = _key(4 * _HOUR, "a longer gap alone speaks for a new conversation", low=0)
    gap_completed: timedelta = _key(30 * _MINUTE, "after this a completed conversation is not gone on with", low=0)

    # references
    reader: Literal["bundled", "none"] = _key(
        "bundled", "bundled: the small network in the package reads each message; none: words and rules alone"
    )
    need_threshold: float = _key(
        0.58, "a message less likely than this to need its context is left as it is", low=0, high=1
    )
    reference_threshold: float = _key(0.5, "a reference less sure than this is left alone", low=0, high=1)

    # learned knowledge
    learning: bool = _key(True, "learn from conversations, without anyone's words, what messages mean here")
    consolidate_events: int = _key(50, "so many events that can teach something, and they are learned from", low=1)
    consolidate_after: timedelta = _key(_DAY, "so long since the last time, and what came since is learned from", low=0)
    learning_start: float = _key(0.60, "how sure a lesson is that was seen once", low=0, high=1)
    learning_step: float = _key(0.05, "how much surer each further time makes it", low=0, high=1)
    learning_most: float = _key(0.99, "how sure a lesson can get", low=0, high=1)
    prune_below: int = _key(3, "a lesson that was seen less often is not gone by, and let go after a while", low=1)
    prune_unless: float = _key(0.80, "unless it is at least so sure", low=0, high=1)
    prune_grace: int = _key(10, "consolidations that a rare lesson is given to be seen again", low=1)
    knowledge_size: int = _key(
        190_000, "bytes that all lessons may take as a file; the weakest go", low=1000, high=10_000_000
    )

    # recall and context
    embedder: Literal["bundled", "none"] = _key(
        "bundled", "bundled: messages are found by meaning too, with the network in the package; none: by words alone"
    )
    memory_retrieval_limit: int = _key(20, "memories that recall returns", low=1, high=1000)
    memory_narrative_limit: int = _key(20, "memories of those that go into a context", low=0, high=1000)
    memory_preview: int = _key(0, "characters of a memory in a context; 0 means as many as fit", low=0)
    user_message_preview: int = _key(
        100, "characters of a message in the narrative of preset whisper, where its reply stands beside it", low=0
    )
    bot_reply_preview: int = _key(100, "characters of the reply there", low=0)
    narrative: Literal["lines", "bracketed"] = _key(
        "lines", "how memories stand in a context: a line each, or preset whisper's bracketed form"
    )
    conversation_history_limit: int = _key(20, "recent messages in a context", low=0, high=10_000)
    history_tokens: int | None = _key(None, "tokens that the recent messages may take; none: what fits", low=1)
    cut_history: bool = _key(
        True, "a long recent message is cut to what the query is about; otherwise it stands in full or not at all"
    )
    importance_threshold: float = _key(0.0, "recent messages less important than this are left out", low=0, high=1)
    recent_memory_window: timedelta = _key(2 * _HOUR, "memories younger than this count as recent", low=0)
    session_window: timedelta = _key(30 * _MINUTE, "what was said in this time outranks older memories", low=0)
    summary_message_limit: int = _key(10, "messages that the thread summary is made from", low=1, high=1000)
    summary_min_length: int = _key(400, "characters of the thread summary at least, where so much was said", low=0)
    summary_max_length: int = _key(600, "characters of the thread summary at most", low=80)
    topic_truncation: int = _key(80, "characters of a topic in the thread summary", low=10)
    bot_response_preview: int = _key(300, "characters of a reply in the thread summary", low=10)
    summary_form: Literal["structured", "thread"] = _key(
        "structured", "structured: objective, progress, decisions, context; thread: preset whisper's few lines"
    )
    summary_every: int = _key(15, "messages after which a session's summary is renewed", low=1, high=1000)
    summary_tokens: int = _key(600, "tokens that a session's summary may take", low=80)
    summary_items: int = _key(20, "goals, decisions and constraints that a summary makes room for", low=1, high=200)
    compaction: bool = _key(True, "long conversations are summarised, clustered and archived, and nothing of them lost")
    compact_summary_at: int = _key(20, "messages after which a long conversation's summary is renewed", low=1)
    compact_clusters_at: int = _key(50, "messages after which similar ones are put together", low=2)
    compact_archive_at: int = _key(100, "messages after which a conversation is archived and starts afresh", low=2)
    compact_window: float = _key(0.8, "share of the budget at which a conversation is compacted at once", low=0, high=1)
    compact_keep: int = _key(10, "last messages of a conversation that compaction leaves as they are", low=1)
    archive: Literal["worth", "hand"] = _key(
        "worth", "worth: an ended conversation that was worth it becomes a fragment; hand: only when told to"
    )
    archive_messages: int = _key(6, "a shorter conversation is not archived by itself", low=1)
    archive_worth: int = _key(3, "points that make a conversation worth a fragment; see docs/sessions.md", low=1)
    cluster_above: int = _key(3, "more similar messages than this become one summary", low=1)
    budget: int = _key(8000, "tokens of a context, the room kept free included", low=1)
    reserve_system: int = _key(500, "of a budget of 8,000, tokens kept free for the system prompt", low=0, high=8000)
    reserve_query: int = _key(2100, "of a budget of 8,000, tokens kept for the query and the answer", low=0, high=8000)
    share_state: int | None = _key(
        800,
        "of a budget of 8,000, tokens up to which the working state holds what was gathered by itself; "
        "none: always all of it",
        low=0,
        high=8000,
    )
    share_history: int = _key(
        1400, "of a budget of 8,000, tokens that the recent messages can count on", low=0, high=8000
    )
    share_summary: int = _key(600, "of a budget of 8,000, tokens that a summary can count on", low=0, high=8000)
    layout: Literal["stable", "quaid", "whisper"] = _key(
        "stable",
        "the order of a context: stable: what changes least comes first, so that prompt caches hit; or as in the "
        "presets quaid and whisper",
    )
    tokenizer: Literal["o200k", "cl100k"] = _key("o200k", "whose tokens are counted")
    decisions_shown: int = _key(3, "decisions that a context shows", low=0)
    files_shown: int = _key(8, "files that a context shows", low=0)
    command_prefix: str = _key("!", "messages that start with this are commands and stay out of a context")
    same_role: Literal["merge", "drop"] = _key(
        "merge", "two messages of one role in a row: merge them, or drop the later one as preset whisper does"
    )
    style: str = _key("", "how the assistant should speak; stands in every context")
    timezone: str = _key("UTC", "zone of the date and time in a context, by its IANA name")

    # assistants
    hooks: bool = _key(True, "hear what is said to assistants through their hooks")
    brief_chars: int = _key(9000, "characters that a hook adds to a prompt at most", low=200, high=10_000)
    brief_memories: int = _key(5, "memories that a hook adds to a prompt at most", low=0, high=100)
    daemon: bool = _key(True, "hooks ask a daemon, and start it; looked for in the environment alone")
    daemon_idle: timedelta = _key(30 * _MINUTE, "the daemon ends itself when unused for this long", low=1)

    # a language model, where one is wanted
    llm_base_url: str = _key("", "base URL of a language model that writes summaries; empty: nothing is ever sent")
    llm_model: str = _key("", "its name there; its key comes from the environment alone: ANAPHORA_LLM_KEY")
    llm_timeout: timedelta = _key(timedelta(seconds=30), "how long to wait for it", low=0.05, high=600)

    # light context
    light_storage: Literal["memory", "file"] = _key("memory", "where the light context lives")
    light_timeout: timedelta = _key(30 * _MINUTE, "an unused light context is cleared after this", low=0)

    @property
    def fleeting(self) -> bool:
        """Whether what is stored under these settings may be removed again by themselves."""
        return self.retention != "keep" or self.expire_after is not None or self.keep_sessions is not None


PRESETS: Mapping[PresetName, Mapping[str, Any]] = {
    "assistant": {},
    "kds": {
        "window": 10,
        "expire_after": 2 * _HOUR,
        "retention": "window",
        "keep_replies": False,
        "keep_code": False,
        "archive": "hand",
        "compaction": False,
        "keep_state": False,
        "conversation_history_limit": 10,
    },
    "light": {
        "window": 1,
        "queue": 1,
        "retention": "session",
        "archive": "hand",
        "compaction": False,
        "learning": False,
        "keep_state": False,
        "conversation_history_limit": 1,
    },
    "brain": {
        "queue": 20,
        "window": 20,
        "retention": "queue",
        "keep_replies": False,
        "keep_code": False,
        "archive": "hand",
        "compaction": False,
        "keep_state": False,
        "boundary_method": "bands",
        "ask_below": 0.70,
        "consolidate_events": 50,
        "consolidate_after": 24 * _HOUR,
        "learning_start": 0.60,
        "learning_step": 0.05,
        "learning_most": 0.99,
        "prune_below": 3,
        "prune_unless": 0.80,
    },
    "quaid": {
        "window": 20,
        "conversation_history_limit": 20,
        "history_tokens": 3000,
        "importance_threshold": 0.5,
        "budget": 8000,
        "reserve_system": 500,
        "reserve_query": 2100,
        "share_state": None,
        "share_history": 2500,
        "share_summary": 600,
        "cut_history": False,
        "layout": "quaid",
        "decisions_shown": 3,
        "summary_every": 15,
        "summary_tokens": 600,
        "compaction": True,
        "compact_summary_at": 20,
        "compact_clusters_at": 50,
        "compact_archive_at": 100,
        "compact_window": 0.8,
        "compact_keep": 10,
        "cluster_above": 3,
    },
    "whisper": {
        "memory_retrieval_limit": 20,
        "memory_narrative_limit": 6,
        "memory_preview": 120,
        "user_message_preview": 100,
        "bot_reply_preview": 100,
        "narrative": "bracketed",
        "conversation_history_limit": 15,
        "summary_message_limit": 10,
        "recent_memory_window": 2 * _HOUR,
        "session_window": 30 * _MINUTE,
        "summary_form": "thread",
        "summary_min_length": 400,
        "summary_max_length": 600,
        "topic_truncation": 80,
        "bot_response_preview": 300,
        "same_role": "drop",
        "share_history": 5400,
        "cut_history": False,
        "layout": "whisper",
    },
}


@dataclass(frozen=True, slots=True)
class Layer:
    """Values from one place, with the name of the place."""

    origin: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Resolved:
    """Settings, and for each key where its value came from."""

    settings: Settings
    origins: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Description:
    """What a key means and what it takes."""

    key: str
    doc: str
    allowed: str
    default: Any


_HINTS = get_type_hints(Settings)
_FIELDS = {f.name: f for f in fields(Settings)}


def describe() -> list[Description]:
    """Every key, in order."""
    return [Description(name, f.metadata["doc"], _allowed(name), f.default) for name, f in _FIELDS.items()]


def resolve(layers: list[Layer]) -> Resolved:
    """Put the layers over the defaults and the preset they name; the last layer wins."""
    cleaned = [
        Layer(layer.origin, {k: _parse(k, v, layer.origin) for k, v in layer.values.items()}) for layer in layers
    ]
    preset: PresetName = "assistant"
    for layer in cleaned:
        preset = layer.values.get("preset", preset)
    values: dict[str, Any] = {}
    origins = dict.fromkeys(_FIELDS, "default")
    for layer in [Layer(f"preset {preset}", PRESETS[preset]), *cleaned]:
        values.update(layer.values)
        origins.update(dict.fromkeys(layer.values, layer.origin))
    return Resolved(replace(Settings(), **values), origins)


# --- reading one value --------------------------------------------------------------------------------------------

_DURATION = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(s|sec|m|min|h|d|w)?\s*$", re.IGNORECASE)
_SECONDS = {"s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600, "d": 86400, "w": 604800, "": 1}
_NONE = ("", "none", "off", "never")
_TRUE, _FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


def _parse(key: str, value: Any, origin: str) -> Any:
    """The value as the key's type, or an error that names the key, the value and what is allowed."""
    if key == "llm_key":
        raise SettingsError(
            f"A key stands in {origin}.", remedy="Set ANAPHORA_LLM_KEY in the environment; a key is kept in no file."
        )
    if key not in _FIELDS:
        from difflib import get_close_matches

        near = get_close_matches(key, _FIELDS, n=1)
        hint = f"Did you mean {near[0]!r}?" if near else "'anaphora config' lists every setting."
        raise SettingsError(f"Unknown setting {key!r} in {origin}.", remedy=hint)
    try:
        parsed = _convert(_HINTS[key], value)
        _check_range(key, parsed)
    except (ValueError, TypeError) as error:
        raise SettingsError(
            f"Bad value {value!r} for setting {key!r} in {origin}.", remedy=_allowed(key) + "."
        ) from error
    return parsed


def _convert(hint: Any, value: Any) -> Any:
    options = get_args(hint)
    if get_origin(hint) is Literal:
        if value not in options:
            raise ValueError(value)
        return value
    if type(None) in options:
        if value is None or (isinstance(value, str) and value.strip().lower() in _NONE):
            return None
        return _convert(next(o for o in options if o is not type(None)), value)
    return _CONVERTERS[hint](value)


def _to_bool(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().lower() in _TRUE + _FALSE:
        return value.strip().lower() in _TRUE
    raise ValueError(value)


def _to_int(value: Any) -> int:
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
        raise ValueError(value)
    return int(value)


def _to_float(value: Any) -> float:
    if isinstance(value, bool):
        raise ValueError(value)
    number = float(value)
    if number != number:
        raise ValueError(value)
    return number


def _to_str(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(value)
    return value


def _to_duration(value: Any) -> timedelta:
    if isinstance(value, timedelta):
        return value
    match = _DURATION.match(value if isinstance(value, str) else str(_to_float(value)))
    if match is None:
        raise ValueError(value)
    try:
        return timedelta(seconds=float(match[1]) * _SECONDS[(match[2] or "").lower()])
    except OverflowError as error:
        raise ValueError(value) from error


_CONVERTERS = {bool: _to_bool, int: _to_int, float: _to_float, str: _to_str, timedelta: _to_duration}


def read_duration(text: str) -> timedelta:
    """A duration such as 90s, 15m, 2h, 1d or 12w."""
    try:
        return _to_duration(text)
    except (ValueError, TypeError) as error:
        raise SettingsError(f"{text!r} is no duration.", remedy="Write it like 90s, 15m, 2h, 1d or 12w.") from error


def _check_range(key: str, value: Any) -> None:
    if key == "timezone":
        from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

        try:
            ZoneInfo(value)
        except (ZoneInfoNotFoundError, OSError) as error:
            raise ValueError(value) from error
    number = value.total_seconds() if isinstance(value, timedelta) else value
    if isinstance(number, int | float) and not isinstance(number, bool):
        low, high = _FIELDS[key].metadata["low"], _FIELDS[key].metadata["high"]
        if (low is not None and number < low) or (high is not None and number > high):
            raise ValueError(value)


def _allowed(key: str) -> str:
    hint, meta = _HINTS[key], _FIELDS[key].metadata
    options = get_args(hint)
    if get_origin(hint) is Literal:
        return "Allowed: " + ", ".join(map(str, options))
    optional = type(None) in options
    base: type = next(o for o in options if o is not type(None)) if optional else hint
    names: Mapping[type, str] = {
        bool: "true or false",
        int: "a whole number",
        float: "a number",
        str: "an IANA zone such as Europe/Berlin" if key == "timezone" else "a text",
        timedelta: "a duration such as 90s, 15m, 2h or 1d",
    }
    text = "Allowed: " + names[base]
    low, high = meta["low"], meta["high"]
    if base is timedelta:
        text += f", at most {high:g}s" if high is not None else ""
    elif low is not None or high is not None:
        text += f" from {low:g}" if low is not None else ""
        text += f" to {high:g}" if high is not None else " up"
    return text + (", or none" if optional else "")
