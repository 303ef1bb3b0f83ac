"""What the stores have in common about their word index: which text is indexed, and how postings are packed."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from anaphora.errors import StoreUnreadable
from anaphora.ports import Posting
from anaphora.types import Message

__all__ = ["extended", "extent", "indexed", "indexed_text", "pack", "unpack"]

_FORMS = (struct.Struct("<IBB"), struct.Struct("<III"))  # sequence number, times, length


def indexed_text(message: Message) -> str:
    """A message is found by its own words and by what they were found to mean."""
    return indexed(message.text, message.expanded)


def indexed(text: str, expanded: str | None) -> str:
    return text if expanded is None else f"{text}\n{expanded}"


def pack(postings: Sequence[Posting]) -> bytes:
    """As short as the longest message allows; the first byte says which."""
    kind = 0 if all(p.length < 256 for p in postings) else 1  # no term occurs more often than there are terms
    form = _FORMS[kind]
    return bytes([kind]) + b"".join([form.pack(*p) for p in postings])


def unpack(blob: bytes) -> list[Posting]:
    try:
        return list(map(Posting._make, _FORMS[blob[0]].iter_unpack(memoryview(blob)[1:])))
    except (IndexError, struct.error) as error:
        raise StoreUnreadable("The word index is damaged.", remedy="Run: anaphora rebuild.") from error


def extended(blob: bytes, postings: Sequence[Posting]) -> bytes:
    """Packed postings with later ones after them; what is packed is mostly left as it is."""
    more = pack(postings)
    return bytes(blob) + more[1:] if more[0] == blob[0] else pack([*unpack(blob), *postings])


def extent(blob: bytes) -> tuple[int, int]:
    """How many postings are packed, and the sequence number of the last one."""
    form = _FORMS[blob[0]]
    return (len(blob) - 1) // form.size, form.unpack_from(blob, len(blob) - form.size)[0]
