"""What other programs wrote down is taken in as if it had been heard: each session in its order, at its own times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from anaphora.engine import conversations
from anaphora.engine.checks import checked_name, checked_path, checked_text
from anaphora.engine.place import Place
from anaphora.engine.sessions import read_session
from anaphora.engine.states import change_state
from anaphora.errors import InputError
from anaphora.formats.transcripts import Record, Said, Skipped, Touched
from anaphora.memory.working import Work
from anaphora.ports import Transaction, View
from anaphora.types import Event, Ingested, State

__all__ = ["Imported", "Run", "close", "counted", "is_live", "runs", "touch_files", "unknown"]

_RUN = 200  # messages that are taken in together


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did. `live` counts the sessions left alone because they were heard while they ran; `skipped`
    names the records that hold nothing to remember, and how many of each there were."""

    sessions: int = 0
    heard: int = 0
    said: int = 0
    known: int = 0
    files: int = 0
    live: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict)

    def with_run(self, done: Ingested, files: int) -> Imported:
        return replace(
            self,
            heard=self.heard + done.heard,
            said=self.said + done.said,
            known=self.known + done.known,
            files=self.files + files,
        )


@dataclass(slots=True)
class Run:
    """Messages of one session in a row, and the files that were touched after each (by its id)."""

    session: str
    begins: bool  # the first of its session
    messages: list[dict[str, Any]] = field(default_factory=list)
    touched: list[tuple[str, Touched]] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)


def runs(records: Iterable[Record], most: int, speaker: str | None = None) -> Iterator[Run]:
    """The records as runs; a message without a time has that of the one before it. One that cannot be stored, or has
    more than `most` characters, is passed by: the others are not to blame for it."""
    run: Run | None = None
    at: datetime | None = None
    last = ""
    idle: Counter[str] = Counter()  # skipped before anything was said
    for record in (_admitted(record, most) for record in records):
        if isinstance(record, Skipped):
            (idle if run is None else run.skipped)[record.kind] += 1
            continue
        if run is None or record.session != run.session or len(run.messages) >= _RUN:
            if run is not None:
                yield run
            begins = run is None or run.session != record.session
            at, last = (None, "") if begins else (at, last)
            run = Run(record.session, begins, skipped=idle)
            idle = Counter()
        at = record.at or at
        if isinstance(record, Said):
            last = record.id
            run.messages.append(_message(record, at, speaker))
        else:
            run.touched.append((last, replace(record, at=at)))
    if run is not None:
        yield run
    elif idle:
        yield Run("", begins=False, skipped=idle)


def counted(records: Iterable[Record], most: int) -> Imported:
    """What an import would find, with nothing taken in."""
    done, sessions = Imported(), set()
    skipped: Counter[str] = Counter()
    for run in runs(records, most):
        heard = sum(message["role"] == "user" for message in run.messages)
        files = len({one.path for _, one in run.touched})
        done = done.with_run(Ingested(heard, len(run.messages) - heard), files)
        sessions.add(run.session)
        skipped.update(run.skipped)
    return replace(done, sessions=len(sessions - {""}), skipped=dict(skipped))


def _admitted(record: Record, most: int) -> Record:
    """The record as it can be stored; one that cannot be says why it is passed by."""
    if isinstance(record, Skipped):
        return record
    if not isinstance(record, Said | Touched):
        raise InputError(f"A record to take in is a Said, a Touched or a Skipped, not {type(record).__name__}.")
    try:
        checked_name("session", record.session)
        if isinstance(record, Touched):
            return replace(record, path=checked_path(record.path))
        checked_name("id", record.id)
        record = replace(record, text=_storable(record.text))
        if len(record.text) > most:
            return Skipped("message that is too long")
        checked_text(record.text, most)
    except InputError:
        return Skipped("record that cannot be stored")
    return record


def _message(said: Said, at: datetime | None, speaker: str | None) -> dict[str, Any]:
    message: dict[str, Any] = {"id": said.id, "role": said.role, "text": said.text, "at": at}
    return message | {"speaker": speaker} if speaker is not None and said.role == "user" else message


def _storable(text: str) -> str:
    """What no store can hold is left out: a NUL, or half of a character."""
    return text.replace("\0", "").encode("utf-8", "ignore").decode("utf-8")


def is_live(view: View, run: Run) -> bool:
    """Whether the session was heard while it ran: taken in again under other ids, all of it would be there twice."""
    # in this order: another process that takes it in meanwhile begins with its first message
    if not run.messages or not view.messages(session=run.session, last=1):
        return False
    return view.message(run.messages[0]["id"]) is None


def unknown(view: View, run: Run) -> list[dict[str, Any]]:
    """The messages of a run that are not stored yet; what is stored under its id stays as it was taken in."""
    by_id = {message["id"]: message for message in run.messages}
    return [message for id, message in by_id.items() if view.message(id) is None]


def touch_files(tx: Transaction, place: Place, touched: Sequence[tuple[str, Touched]]) -> int:
    """Note the files in the state, and in the conversation that each was edited in; how many files there are."""
    now = place.clock()
    work = Work(State(), author=place.author, at=now)
    edited: dict[str, dict[str, None]] = {}
    for after, one in touched:
        work.touch(one.path, edited=one.edited)
        message = tx.message(after) if one.edited and after else None
        if message is not None and message.conversation_id is not None:
            edited.setdefault(message.conversation_id, {})[one.path] = None
    change_state(tx, place, work.operations, now, place.author)
    for id, paths in edited.items():
        conversation = conversations.read_conversation(tx, id)
        if conversation is not None:
            files = tuple(dict.fromkeys((*conversation.files_modified, *paths)))
            conversations.write_conversation(tx, replace(conversation, files_modified=files))
    for path, was_edited, at in {(one.path, one.edited): (one.path, one.edited, one.at) for _, one in touched}.values():
        data = {"path": path, "function": None, "edited": was_edited}
        tx.emit(Event("file.touched", at or now, place.session, author=place.author, data=data))
    return len({one.path for _, one in touched})


def close(tx: Transaction, place: Place) -> None:
    """End what is open in a session, at the time of its last message."""
    open_one = conversations.read_conversation(tx, read_session(tx, place.session).conversation_id)
    if open_one is not None and open_one.ended is None:
        conversations.end(tx, open_one, open_one.last_at or open_one.started, place.session, None)
