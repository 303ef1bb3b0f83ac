"""What the stores have in common about their word index: which text is indexed, and how postings are packed."""

from __future__ import annotations

import struct
from collections.abc import Iterable

from anaphora.ports import Posting
from anaphora.types import Message

__all__ = ["indexed_text", "pack", "unpack"]

_POSTING = struct.Struct("<III")  # sequence number, times, length


def indexed_text(message: Message) -> str:
    """A message is found by its own words and by what they were found to mean."""
    return message.text if message.expanded is None else f"{message.text}\n{message.expanded}"


def pack(postings: Iterable[Posting]) -> bytes:
    return b"".join(_POSTING.pack(*p) for p in postings)


def unpack(blob: bytes) -> list[Posting]:
    return [Posting(*fields) for fields in _POSTING.iter_unpack(blob)]
