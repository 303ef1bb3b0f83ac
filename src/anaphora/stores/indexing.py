"""What the stores have in common about their word index: which text is indexed, and how postings are packed.

Packed postings are one byte that says how long each number is, and the postings by rising sequence number.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from functools import lru_cache

from anaphora.errors import StoreUnreadable
from anaphora.ports import Posting, TermsOf
from anaphora.types import Message

__all__ = [
    "Counted",
    "counted",
    "forget_counted",
    "indexed",
    "indexed_text",
    "merged",
    "pack",
    "packed_by_term",
    "unpack",
]

Counted = tuple[Mapping[str, int], int]
"""The terms of a text, each with how often it occurs, and how many they are in all."""

RUN = 128  # postings in a row of the index before the next one is begun: with a batch more it still fits on its page
_REMEMBERED, _REMEMBERED_CHARS = 512, 4000
_FORMS = (struct.Struct("<IBB"), struct.Struct("<III"))  # sequence number, times, length
_HEADS = (b"\0", b"\1")
_SHORT = 255  # terms of a message whose posting takes the first form: no term occurs more often than there are terms


def indexed_text(message: Message) -> str:
    """A message is found by its own words and by what they were found to mean."""
    return indexed(message.text, message.expanded)


def indexed(text: str, expanded: str | None) -> str:
    return text if expanded is None else f"{text}\n{expanded}"


def counted(terms_of: TermsOf, text: str) -> Counted:
    """A message is counted when it is added, when a search comes
    before it is indexed, and when it is indexed: short texts that were counted lately are remembered."""
    return _counted(terms_of, text) if len(text) > _REMEMBERED_CHARS else _remembered(terms_of, text)


def forget_counted() -> None:
    """Remember none of the texts that were counted."""
    _remembered.cache_clear()


def _counted(terms_of: TermsOf, text: str) -> Counted:
    counts = terms_of(text)
    return counts, sum(counts.values())


_remembered = lru_cache(_REMEMBERED)(_counted)


def pack(postings: Sequence[Posting]) -> bytes:
    """As short as the longest message allows."""
    kind = int(any(length > _SHORT for _, _, length in postings))
    return _HEADS[kind] + b"".join([_FORMS[kind].pack(*p) for p in postings])


def unpack(blob: bytes) -> list[Posting]:
    try:
        return list(_FORMS[blob[0]].iter_unpack(memoryview(blob)[1:]))
    except (IndexError, struct.error) as error:
        raise StoreUnreadable("The word index is damaged.", remedy="Run: anaphora rebuild.") from error


def packed_by_term(messages: Mapping[int, Counted]) -> dict[str, bytes]:
    """For each term of messages its packed postings; the messages come by rising sequence number."""
    kind = int(any(length > _SHORT for _, length in messages.values()))
    head, form = _HEADS[kind], _FORMS[kind]
    found: dict[str, list[bytes]] = {}
    for seq, (counts, length) in messages.items():
        once = form.pack(seq, 1, length)
        for term, times in counts.items():
            found.setdefault(term, [head]).append(once if times == 1 else form.pack(seq, times, length))
    return {term: b"".join(parts) for term, parts in found.items()}


def merged(new: bytes, run: tuple[int, bytes] | None) -> list[tuple[int, bytes]]:
    """The run of postings that new ones fall in with them added, or new runs after a full one; each with where it
    begins."""
    if run is not None:
        first, blob = run
        held, last = _extent(blob)
        if last > _first(new):
            return [(first, pack(sorted({*unpack(blob), *unpack(new)})))]
        if held < RUN:
            return [(first, _joined(bytes(blob), new))]
    size = _FORMS[new[0]].size
    parts = [new[:1] + new[at : at + RUN * size] for at in range(1, len(new), RUN * size)]
    return [(_first(part), part) for part in parts]


def _joined(blob: bytes, later: bytes) -> bytes:
    return blob + later[1:] if blob[0] == later[0] else pack([*unpack(blob), *unpack(later)])


def _first(blob: bytes) -> int:
    found: int = _FORMS[blob[0]].unpack_from(blob, 1)[0]
    return found


def _extent(blob: bytes) -> tuple[int, int]:
    """How many postings are packed, and the sequence number of the last one."""
    try:
        form = _FORMS[blob[0]]
        return (len(blob) - 1) // form.size, form.unpack_from(blob, len(blob) - form.size)[0]
    except (IndexError, struct.error) as error:
        raise StoreUnreadable("The word index is damaged.", remedy="Run: anaphora rebuild.") from error
