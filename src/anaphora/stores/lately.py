"""Messages that were read lately, so that a search in the same scope need not read them all again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from anaphora.types import Message

__all__ = ["Lately", "ReadMessages"]

ReadMessages = Callable[[Sequence[int]], Sequence[Message]]
"""Reads messages of a scope by their sequence numbers; those that are not there are left out."""

_MOST, _CHARS = 2048, 4_000_000  # messages, and characters of them, that are held at most


class Lately:
    """What it holds is what is stored: it lets go of everything when another connection has written, which its store
    tells by `change`, and is told by its store when this one has changed a message. One thread is in here at a time."""

    def __init__(self) -> None:
        self._change = 0
        self._held: dict[tuple[int, int], Message] = {}
        self._chars = 0

    def messages(self, scope: int, seqs: Iterable[int], change: int, read: ReadMessages) -> list[Message]:
        """The messages with these sequence numbers, by rising number; `read` reads those that are not held. Nobody may
        change what they get."""
        if change != self._change:
            self.let_go()
            self._change = change
        wanted = sorted(set(seqs))
        found = {seq: held for seq in wanted if (held := self._held.get((scope, seq))) is not None}
        if len(found) < len(wanted):
            new = {message.seq: message for message in read([seq for seq in wanted if seq not in found])}
            self._hold(scope, new.values())
            found |= new
        return [found[seq] for seq in wanted if seq in found]

    def let_go(self) -> None:
        """Hold nothing any more."""
        self._held.clear()
        self._chars = 0

    def _hold(self, scope: int, messages: Iterable[Message]) -> None:
        for message in messages:
            self._held[scope, message.seq] = message
            self._chars += _chars_of(message)
        while len(self._held) > _MOST or self._chars > _CHARS:
            self._chars -= _chars_of(self._held.pop(next(iter(self._held))))


def _chars_of(message: Message) -> int:
    return len(message.text) + len(message.expanded or "")
