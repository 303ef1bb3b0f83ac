"""Consolidating: what happened since the last time becomes lessons, piece by piece, each piece whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from anaphora.engine import conversations
from anaphora.engine.lessons import (
    SPOKEN,
    let_go,
    mark_of,
    observe,
    of_conversation,
    of_message,
    read_knowledge,
    surroundings,
    waiting_for,
    write_knowledge,
    write_ledger,
)
from anaphora.engine.place import Place
from anaphora.engine.states import read_state
from anaphora.knowledge import Knowledge, Lesson, Report
from anaphora.memory.knowledge import Observation, anonymised, consolidated, joined
from anaphora.memory.observing import files_changed
from anaphora.ports import Transaction, View
from anaphora.types import Event

__all__ = ["consolidate", "consolidate_piece", "purge", "take_in"]

_TEACHING = frozenset((*SPOKEN, "file.touched"))
_PIECE = 400  # events of one transaction


def consolidate_piece(place: Place) -> bool:
    """The job: one piece, if enough has happened or enough time has passed; whether there is more."""
    if not place.settings.learning or not _is_due(place.view, place):
        return False
    _, more = place.change(lambda tx: _piece(tx, place, place.clock()))
    return more and _is_due(place.view, place)


def consolidate(place: Place, *, afresh: bool = False) -> Report:
    """By hand: all there is, however little; `afresh` from the beginning of what is stored."""
    if afresh:
        place.change(lambda tx: write_knowledge(tx, Knowledge(), 0))
    done, more = Report(), True
    while more:
        report, more = place.change(lambda tx: _piece(tx, place, place.clock()))
        done += report
    return done


def take_in(place: Place, lessons: Iterable[Lesson]) -> Report:
    """Lessons from elsewhere. They came from no message here, so that forgetting one leaves them."""
    clean = [lesson for lesson in map(anonymised, lessons) if lesson is not None]

    def add(tx: Transaction) -> Report:
        known, report = joined(read_knowledge(tx), clean, place.settings)
        write_knowledge(tx, known, mark_of(tx).event)
        return report

    return place.change(add)


def purge(place: Place, now: datetime) -> int:
    """Let go of all lessons, for good: what was learned from is not learned from again. How many there were."""

    def remove(tx: Transaction) -> int:
        known = read_knowledge(tx)
        last = max((e.seq for e in tx.events(mark_of(tx).event)), default=mark_of(tx).event)
        for kind in ("knowledge", "lesson"):
            for document in tx.documents(kind):
                tx.drop(kind, document.id)
        write_knowledge(tx, Knowledge((), 0, now), last)
        data = {"lessons": len(known.lessons)}
        tx.emit(Event("knowledge.purged", now, place.session, author=place.author, data=data))
        return len(known.lessons)

    found = place.change(remove)
    let_go()
    return found


def _is_due(view: View, place: Place) -> bool:
    settings = place.settings
    mark = mark_of(view)
    late = mark.at is None or place.clock() - mark.at >= settings.consolidate_after
    if not late and not view.events(mark.event + settings.consolidate_events - 1, 1):
        return False  # after most messages: events are numbered without gaps
    room = max(_PIECE, 8 * settings.consolidate_events)
    events = view.events(mark.event, room)
    teaching = [event for event in events if event.kind in _TEACHING]
    if len(teaching) >= settings.consolidate_events or len(events) >= room:
        return True
    return bool(teaching) and place.clock() - (mark.at or teaching[0].at) >= settings.consolidate_after


def _piece(tx: Transaction, place: Place, now: datetime) -> tuple[Report, bool]:
    """The next events and the mark move on in one transaction, so that each teaches once whatever happens."""
    mark = mark_of(tx)
    events = tx.events(mark.event, _PIECE)
    if not events:
        return Report(), False
    taught, waited = _taught(tx, place, events), waiting_for(tx, events)
    seen = [one for some in (*taught.values(), *waited.values()) for one in some]
    if not any(event.kind in _TEACHING for event in events):
        knowledge, report = read_knowledge(tx), Report()
    else:
        knowledge, report = consolidated(read_knowledge(tx), seen, place.settings, now)
        write_ledger(tx, taught)
    end, more = events[-1].seq, len(events) == _PIECE
    if report != Report():
        data = {"added": report.added, "reinforced": report.reinforced, "pruned": report.pruned}
        emitted = tx.emit(Event("knowledge.consolidated", now, place.session, data=data))
        end = end if more else emitted.seq
    write_knowledge(tx, replace(knowledge, last=now), end)
    return report, more


def _taught(tx: Transaction, place: Place, events: Sequence[Event]) -> dict[str, list[Observation]]:
    """What these events teach, by the message or the conversation that it is learned from."""
    spoken = {e.message_id: m for e in events if e.kind in SPOKEN and e.message_id and (m := tx.message(e.message_id))}
    around = surroundings(tx, spoken.values())
    people = _people(tx, place, [m.speaker for m in spoken.values()])
    found: dict[str, list[Observation]] = {}
    for event in events:
        message = spoken.get(event.message_id or "")
        if event.kind == "file.touched" and event.conversation_id is not None:
            files = _files(tx, event, {*people, event.author or ""})
            found.setdefault(of_conversation(event.conversation_id), []).extend(files)
        elif event.kind in SPOKEN and message is not None and message.role == "user":
            found.setdefault(of_message(message), []).extend(observe(event, message, around))
    return found


def _files(tx: Transaction, event: Event, people: set[str]) -> list[Observation]:
    """The file with those that were changed before it in the same conversation."""
    conversation = conversations.read_conversation(tx, event.conversation_id)
    path = event.data.get("path")
    if conversation is None or not event.data.get("first") or path not in conversation.files_modified:
        return []
    before = conversation.files_modified[: conversation.files_modified.index(path)]
    return list(files_changed(path, before, people))


def _people(view: View, place: Place, speakers: Sequence[str]) -> set[str]:
    named = read_state(view).entities.get("people", ())
    return {place.scope.user, place.author, *speakers, *(part for name in named for part in name.split())}
