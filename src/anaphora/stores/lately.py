"""Messages that were read lately, so that a search in the same scope need not read them all again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence

from anaphora.types import Message

__all__ = ["Lately", "ReadMessages"]

ReadMessages = Callable[[Sequence[int]], Sequence[Message]]
"""Reads messages of a scope by their sequence numbers; those that are not there are left out."""

_MOST, _CHARS = 8192, 4_000_000  # messages, and characters of them, that are held at most


class Lately:
    """What it holds is what is stored: it lets go of everything when another connection has written, which its store
    tells by `change`, and is told by its store when this one has changed a message. One thread is in here at a time."""

    def __init__(self) -> None:
        self._change = 0
        self._held: OrderedDict[int, OrderedDict[int, Message]] = OrderedDict()  # by scope and sequence number
        self._gaps: set[tuple[int, int]] = set()  # scopes and numbers of which no message was there
        self._count = self._chars = 0

    def __len__(self) -> int:
        return self._count

    def messages(self, scope: int, seqs: Iterable[int], change: int, read: ReadMessages) -> list[Message]:
        """The messages with these sequence numbers, by rising number; `read` reads those that are not held. Nobody may
        change what they get."""
        if change != self._change:
            self.let_go()
            self._change = change
        wanted = sorted(set(seqs))
        held: Mapping[int, Message] = self._held.get(scope) or {}
        found = [message for message in map(held.get, wanted) if message is not None]
        if len(found) == len(wanted):
            return found
        unknown = [seq for seq in wanted if seq not in held and (scope, seq) not in self._gaps]
        if not unknown:
            return found
        new = {message.seq: message for message in read(unknown)}
        self._note_gaps(scope, [seq for seq in unknown if seq not in new])
        known = {message.seq: message for message in found} | new
        if new:
            self._hold(scope, new)
        return [known[seq] for seq in wanted if seq in known]

    def written(self) -> None:
        """This connection has written: what was not there may be there now."""
        self._gaps.clear()

    def let_go(self) -> None:
        """Hold nothing any more."""
        self._gaps.clear()
        self._held.clear()
        self._count = self._chars = 0

    def _note_gaps(self, scope: int, seqs: Sequence[int]) -> None:
        """The newest message has none behind it, which every search would ask for again."""
        if len(self._gaps) + len(seqs) > _MOST:
            self._gaps.clear()
        self._gaps.update([(scope, seq) for seq in seqs[:_MOST]])

    def _hold(self, scope: int, messages: Mapping[int, Message]) -> None:
        """These too, in the place of those that were read first, of the scope that was."""
        self._held.setdefault(scope, OrderedDict()).update(messages)
        self._count += len(messages)
        self._chars += sum(map(_chars_of, messages.values()))
        while self._count > _MOST or self._chars > _CHARS:
            first = next(iter(self._held))
            _, message = self._held[first].popitem(last=False)
            self._chars -= _chars_of(message)
            self._count -= 1
            if not self._held[first]:
                del self._held[first]


def _chars_of(message: Message) -> int:
    return len(message.text) + len(message.expanded or "")
