"""What comes in as a message: each checked before it is understood, many at once in batches of one commit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import uuid4

from anaphora.engine import hearing
from anaphora.engine.beside import Beside
from anaphora.engine.checks import checked_id_or_none, checked_metadata, checked_name, checked_text, checked_time
from anaphora.engine.hearing import Said
from anaphora.engine.lessons import KNOWLEDGE
from anaphora.engine.place import Place
from anaphora.engine.rehearsing import Moved, Rehearsal, Unrehearsed
from anaphora.errors import InputError
from anaphora.ports import Transaction
from anaphora.types import Ingested, Message, Role

__all__ = ["batches", "checked_said", "take"]

_BATCH = 200  # messages that share one commit
_REHEARSALS = 3  # before a batch that others get in the way of takes its turn and keeps it

Batch = list[tuple[Role, Said]]


def checked_said(
    place: Place,
    role: Role,
    text: str,
    at: datetime | None,
    speaker: str | None,
    id: str | None,
    metadata: Mapping[str, Any] | None,
) -> Said:
    default = (place.settings.author or place.scope.user) if role == "user" else place.scope.agent
    return Said(
        text=checked_text(text, place.settings.max_message_chars),
        at=checked_time(at, place.clock()),
        speaker=default if speaker is None else checked_name("speaker", speaker),
        id=f"m-{uuid4().hex}" if id is None else checked_name("id", id),
        metadata=checked_metadata(metadata),
        fresh=id is None,
    )


def batches(place: Place, messages: Iterable[Message | Mapping[str, Any]]) -> Iterator[Batch]:
    """The messages, checked; one that is wrong says which it is, and what is stored by then."""
    taken = 0
    batch: Batch = []
    for message in messages:
        try:
            batch.append(_incoming(place, message))
        except InputError as error:
            remedy = f"The {taken} messages before its batch are stored; those after are not."
            raise type(error)(f"Message {taken + len(batch) + 1}: {error}", remedy=remedy) from error
        if len(batch) == _BATCH:
            yield batch
            taken, batch = taken + len(batch), []
    if batch:
        yield batch


def take(place: Place, batch: Batch, done: Ingested, second: Beside) -> Ingested:
    """Hear a batch, all or nothing, and count it in. It is thought through first, while others may write; only where
    they keep changing what it rests on, or something must be deleted, it is heard inside of the transaction."""
    fresh = [said.id for _, said in batch if said.fresh]
    for _ in range(_REHEARSALS):
        rehearsal = Rehearsal(place.view, aside=(KNOWLEDGE,), absent=fresh)  # knowledge grows meanwhile, off the path
        try:
            counted = _heard(rehearsal, place, batch, done, second)
            place.change(rehearsal.perform)
            return counted
        except Unrehearsed:
            break
        except Moved:
            continue
    return place.change(lambda tx: _heard(tx, place, batch, done, second))


def _heard(tx: Transaction, place: Place, batch: Batch, done: Ingested, second: Beside) -> Ingested:
    """Each message through the same pass."""
    known = {said.id for _, said in batch if tx.message(said.id) is not None}
    second.read([said.text for _, said in batch if said.id not in known])
    count: Counter[str] = Counter()
    for role, said in batch:
        message = (hearing.hear_in if role == "user" else hearing.say_in)(tx, place, said)
        if said.id in known:
            count["known"] += 1
        else:
            count[role] += 1
            second.heard(message)
        known.add(said.id)
    heard, replied = done.heard + count["user"], done.said + count["assistant"]
    return replace(done, heard=heard, said=replied, known=done.known + count["known"])


def _incoming(place: Place, message: Message | Mapping[str, Any]) -> tuple[Role, Said]:
    if isinstance(message, Message):
        m = message
        said = checked_said(place, m.role, m.text, m.at, m.speaker, m.id, m.metadata)
        return m.role, replace(said, reply_to=checked_id_or_none(m.reply_to))
    if not isinstance(message, Mapping) or "text" not in message:
        raise InputError("A message to ingest is a Message or a mapping with a text.")
    unknown = set(message) - {"text", "role", "at", "speaker", "id", "metadata"}
    role = message.get("role", "user")
    if unknown or role not in ("user", "assistant"):
        wrong = f"has unknown keys {sorted(map(str, unknown))}" if unknown else f"has the unknown role {role!r}"
        raise InputError(f"A message to ingest {wrong}.", remedy="Keys: text, role, at, speaker, id, metadata.")
    keys = ("at", "speaker", "id", "metadata")
    return role, checked_said(place, role, message["text"], *(message.get(k) for k in keys))
