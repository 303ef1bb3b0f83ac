"""A thread in a few lines: what was talked about, what was answered, how much is in play."""

from __future__ import annotations

from collections.abc import Sequence

from anaphora.memory.window import is_talk
from anaphora.settings import Settings
from anaphora.types import Message

__all__ = ["cut", "thread_summary"]

_BETWEEN = ". "
_LEAST = 60  # characters in which something can be said of a reply


def thread_summary(messages: Sequence[Message], settings: Settings) -> str:
    """From the last messages; empty only when there are none. At most `summary_max_length` characters, and at least
    `summary_min_length` where so much was said."""
    if not messages:
        return ""
    recent = [m for m in messages[-settings.summary_message_limit :] if is_talk(m.text, settings)]
    topics = [cut(m.full, settings.topic_truncation) for m in recent if m.role == "user"]
    replies = [cut(m.text, settings.bot_response_preview) for m in recent if m.role == "assistant"]
    ending = f"Active conversation with {_count(topics, 'user message')} and {_count(replies, 'response')}"
    room = settings.summary_max_length - len(ending) - len(_BETWEEN)
    parts: list[str] = []
    if topics:
        parts.append(_topics(list(dict.fromkeys(topics)), room))
    for before, reply in enumerate(reversed(replies)):
        said = sum(len(part) + len(_BETWEEN) for part in parts)
        left = room - said
        if left <= _LEAST or (before and said + len(ending) >= settings.summary_min_length):
            break
        parts.append(cut(f"{'Before that' if before else 'Last response'}: {reply.rstrip('.')}", left))
    return _BETWEEN.join([*(p.rstrip(". ") for p in parts), ending])


def _topics(topics: list[str], room: int) -> str:
    """As many topics as fit, the newest first to be kept."""
    while len(topics) > 1 and len("Recent topics: " + "; ".join(topics)) > room:
        topics = topics[1:]
    return cut("Recent topics: " + "; ".join(topics), room)


def cut(text: str, length: int) -> str:
    """One line of at most so many characters, cut between words and marked where it is."""
    line = " ".join(text.split())
    if len(line) <= length:
        return line
    return line[: max(1, length - 1)].rsplit(" ", 1)[0].rstrip(" ,.;:") + "…"


def _count(items: Sequence[str], noun: str) -> str:
    return f"{len(items)} {noun}{'' if len(items) == 1 else 's'}"
