"""The recent messages that go into a context: not too many, not too unimportant, within their tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from anaphora.settings import Settings
from anaphora.types import Message

__all__ = ["Chosen", "choose_recent", "is_talk", "talk_of"]


class Chosen(NamedTuple):
    kept: list[Message]
    dropped: list[tuple[Message, str]]


def talk_of(messages: Sequence[Message], users: int) -> tuple[Message, ...]:
    """The newest messages with at most so many of the user's, and the replies between them."""
    heard = [i for i, m in enumerate(messages) if m.role == "user"]
    return tuple(messages[heard[-users] :] if len(heard) > users else messages)


def is_talk(text: str, settings: Settings) -> bool:
    """Whether a message is meant for the assistant, and no command to the program around it; a blank before it makes
    no difference."""
    return not (settings.command_prefix and text.lstrip().startswith(settings.command_prefix))


def choose_recent(
    messages: Sequence[Message], size: Callable[[Message], int], *, most: int, tokens: int, importance: float
) -> Chosen:
    """At most `most` messages in `tokens`; the least important goes first, of equals the oldest, and comes back where
    what went after it left room for it. Only those that come into question are measured."""
    kept = [m for m in messages if m.importance >= importance]
    dropped = [(m, "less important than the threshold") for m in messages if m.importance < importance]
    older, kept = kept[: max(0, len(kept) - most)], kept[max(0, len(kept) - most) :]
    dropped += [(m, f"older than the last {most} messages") for m in older]
    sizes = {m.id: size(m) for m in kept}
    total = sum(sizes.values())
    gone: list[Message] = []
    for message in sorted(kept, key=lambda m: (m.importance, m.seq)):
        if total <= tokens:
            break
        gone.append(message)
        total -= sizes[message.id]
    for message in reversed(gone[:]):
        if total + sizes[message.id] <= tokens:
            gone.remove(message)
            total += sizes[message.id]
    left = {m.id for m in gone}
    return Chosen([m for m in kept if m.id not in left], dropped + [(m, "no room in the budget") for m in gone])
