"""What was learned, in and out: as a knowledge-graph.yaml, and as part of the export of a whole memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from anaphora.codec import from_plain
from anaphora.engine import lessons
from anaphora.engine.consolidating import take_in
from anaphora.engine.files import reading, write_private
from anaphora.engine.place import Place
from anaphora.errors import FormatError, InputError
from anaphora.formats import knowledge as graph
from anaphora.knowledge import Knowledge, Report
from anaphora.memory.knowledge import anonymised, joined
from anaphora.ports import Transaction, View
from anaphora.types import Message

__all__ = ["exported", "read_graph", "take_exported", "write_graph"]


def write_graph(place: Place, path: Path) -> int:
    """The knowledge of the scope as a file that only its owner can read; how many lessons it holds."""
    known = lessons.read_knowledge(place.view)
    write_private(path, (section.removesuffix("\n") for section in graph.write(known)))
    return len(known.lessons)


def read_graph(place: Place, path: Path) -> Report:
    """Take in the lessons of a file, beside those that are here."""
    try:
        with reading(path) as file:
            known = graph.read(file.read())
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise FormatError(f"{path} is not UTF-8 text.") from error
    return take_in(place, known.lessons)


@dataclass(frozen=True, slots=True)
class _Exported:
    """The lessons and, by message id and by the ledger's name of a conversation, the keys of what each taught."""

    knowledge: Knowledge = field(default_factory=Knowledge)
    messages: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    conversations: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def exported(view: View, messages: Sequence[Message]) -> object:
    """What an export of the whole memory holds of it."""
    taught = lessons.read_ledger(view)
    by_message = {m.id: taught[source] for m in messages if (source := lessons.of_message(m)) in taught}
    rest = {source: keys for source, keys in taught.items() if source[0] == "c"}
    return _Exported(lessons.read_knowledge(view), by_message, rest)


def take_exported(tx: Transaction, place: Place, data: Any) -> None:
    """The other way round, once its messages are there: where nothing was learned here, it is as it was there."""
    there = _Exported() if data is None else from_plain(_Exported, data)
    clean = tuple(lesson for lesson in map(anonymised, there.knowledge.lessons) if lesson is not None)
    here = lessons.read_knowledge(tx)
    if here.consolidations or here.lessons:
        known = joined(here, clean, place.settings)[0]
    else:
        known = replace(there.knowledge, lessons=clean)
    if known != here:
        lessons.write_knowledge(tx, known, lessons.mark_of(tx).event)
    found = {lessons.of_message(m): keys for id, keys in there.messages.items() if (m := tx.message(id))}
    lessons.restore_ledger(tx, found | dict(there.conversations))
