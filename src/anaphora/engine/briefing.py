"""Briefing an assistant: reading what it should be told, and keeping in mind what it was told already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from anaphora.codec import from_plain, to_plain
from anaphora.engine import conversations
from anaphora.engine.place import Place
from anaphora.engine.recalling import recall
from anaphora.engine.sessions import read_session
from anaphora.engine.states import read_state
from anaphora.memory import briefing
from anaphora.memory.briefing import Section
from anaphora.memory.items import without
from anaphora.memory.rendering import render
from anaphora.memory.summary import cut, thread_summary
from anaphora.ports import Transaction, View
from anaphora.types import Conversation, Hit, Message, State, Turn

__all__ = ["brief", "compacted"]

_KIND = "briefing"
_KEPT = 500  # marks of lines that a session was told; a line told long before may be told again
_FILES = "Current Files"
_LAST = 3  # conversations that a new session is told of
_TALK = 10  # messages that come back after a compaction


@dataclass(frozen=True, slots=True)
class _Told:
    """What a session was told. Up to `dropped`, a sequence number, the assistant no longer holds what was said; if
    `recap` is set it is still to be told what that was."""

    lines: tuple[str, ...] = ()
    memories: tuple[int, ...] = ()
    dropped: int = 0
    recap: bool = False


def brief(place: Place, about: Turn | None, now: datetime) -> str:
    """What should be said now and was not said before; what is said is noted."""
    view = place.view
    told = _read(view, place.session)
    hits = [] if about is None else _memories(view, place, about, told, now)
    sections = [*_meaning(view, place, about), *_state(view, place, about, told)]
    if told.recap:
        sections += _recap(view, place)
    elif about is None:
        sections += _lately(view, place)
    sections.append(Section("Remembered from earlier", tuple(briefing.remembered(hit for hit, _ in hits))))
    text, said = briefing.fitted(sections, place.settings.brief_chars)
    lines = [mark for mark in map(briefing.mark_of, _state_lines(view, place)) if mark not in told.lines]
    shown = [m.seq for hit, m in hits if briefing.remembered([hit])[0] in said]
    if lines or shown or told.recap:
        place.change(lambda tx: _note(tx, place.session, lines, shown, recapped=told.recap))
    return text


def _note(tx: Transaction, session: str, lines: Sequence[str], memories: Sequence[int], *, recapped: bool) -> None:
    told = _read(tx, session)
    new = replace(
        told,
        lines=(*told.lines, *lines)[-_KEPT:],
        memories=(*told.memories, *memories)[-_KEPT:],
        recap=told.recap and not recapped,
    )
    _write(tx, session, new)


def compacted(tx: Transaction, place: Place) -> None:
    """The assistant has lost, or is about to lose, sight of what was said: it may be told all of it again."""
    last = tx.messages(session=place.session, last=1)
    if last:
        _write(tx, place.session, _Told(dropped=last[0].seq, recap=True))


def _read(view: View, session: str) -> _Told:
    document = view.document(_KIND, session)
    return _Told() if document is None else from_plain(_Told, document.body)


def _write(tx: Transaction, session: str, told: _Told) -> None:
    tx.put(_KIND, session, to_plain(told, lean=True))


# --- the parts ----------------------------------------------------------------------------------------------------


def _meaning(view: View, place: Place, turn: Turn | None) -> list[Section]:
    if turn is None:
        return []
    message = view.message(turn.message_id)
    went_before = len(view.messages(session=place.session, last=2)) > 1
    lines = briefing.meaning_lines(turn, None if message is None else message.expanded)
    return [Section("", (*lines, *briefing.boundary_lines(turn, went_before=went_before)))]


def _state(view: View, place: Place, turn: Turn | None, told: _Told) -> list[Section]:
    """What is worked on, as far as this session was not told it; what it says itself, and does, it knows."""
    state = read_state(view)
    if turn is not None:
        state = without({turn.message_id})(state)
    sections = []
    for title, items in _rendered(state, place):
        lines = tuple(line for line in items if briefing.mark_of(line) not in told.lines)
        if lines and (turn is None or title != _FILES):
            sections.append(Section(title, lines))
    return sections


def _state_lines(view: View, place: Place) -> list[str]:
    return [line for _, lines in _rendered(read_state(view), place) for line in lines]


def _rendered(state: State, place: Place) -> list[tuple[str, list[str]]]:
    return [(title, [f"- {item}" for item in items]) for title, items in render(state, place.settings)]


def _recap(view: View, place: Place) -> list[Section]:
    """What was said before the assistant lost sight of it."""
    open_id = read_session(view, place.session).conversation_id
    talk = view.messages(conversation=open_id, last=_TALK) if open_id else []
    summary = thread_summary(talk, place.settings)
    return [
        Section("The conversation so far", (summary,) if summary else ()),
        Section("Its last messages", tuple(briefing.talk_lines(talk))),
    ]


def _lately(view: View, place: Place) -> list[Section]:
    """What other sessions talked about last."""
    others = [c for c in conversations.queue_of(view) if c.session != place.session and c.message_count]
    return [Section("Earlier conversations", tuple(_title_line(c) for c in reversed(others[-_LAST:])))]


def _title_line(conversation: Conversation) -> str:
    when = conversation.last_at or conversation.started
    outcome = f", {conversation.outcome}" if conversation.outcome else ""
    return f"- [{when:%Y-%m-%d %H:%M}{outcome}] {cut(conversation.title, 120)}"


def _memories(view: View, place: Place, turn: Turn, told: _Told, now: datetime) -> list[tuple[Hit, Message]]:
    """What was said elsewhere, or before the assistant lost sight of it, that has to do with the message."""
    most = place.settings.brief_memories
    if not most:
        return []
    found = recall(view, place, turn.expanded, place.settings.memory_retrieval_limit, now, without=turn.message_id)
    chosen: list[tuple[Hit, Message]] = []
    for hit in found:
        message = view.message(hit.message_id) if hit.message_id else None
        if message is None or message.seq in told.memories or not briefing.matters(turn.expanded, hit):
            continue
        if message.session != place.session or message.seq <= told.dropped:
            chosen.append((hit, message))
    return chosen[:most]
