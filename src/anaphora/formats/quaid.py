"""The folder `.quaid/context/`: a folder a session with its working state, last messages, summary and metadata.

    sessions/<session>/hot_context.json  recent_history.jsonl  summary.md  metadata.json
    active_session.txt  sessions.jsonl

Texts in, values out, and back; whoever calls opens the files.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypeVar
from urllib.parse import quote

from anaphora.codec import time_text, to_plain
from anaphora.errors import FormatError
from anaphora.formats import jsonl
from anaphora.types import (
    OUTCOMES,
    Action,
    Conversation,
    Decision,
    FileContext,
    Goal,
    GoalStatus,
    Message,
    Note,
    Priority,
    State,
)

__all__ = ["ACTIVE", "INDEX", "SESSIONS", "Saved", "folder_of", "read_session", "write"]

ACTIVE, INDEX, SESSIONS = "active_session.txt", "sessions.jsonl", "sessions"
_HOT, _HISTORY, _SUMMARY, _METADATA = "hot_context.json", "recent_history.jsonl", "summary.md", "metadata.json"
_LONGEST = 150  # characters of a folder's name
_STATUSES: tuple[GoalStatus, ...] = ("pending", "in-progress", "complete")
_PRIORITIES: tuple[Priority, ...] = ("high", "medium", "low")
_TAGS = 5

T = TypeVar("T", bound=str)


@dataclass(frozen=True, slots=True)
class Saved:
    """A session as such a folder holds it: the conversation with its last messages, its part of the state, its
    summary. `count` is how many messages it has had, which may be more than are here."""

    conversation: Conversation
    state: State
    summary: str
    count: int


def folder_of(session: str) -> str:
    """A name for the folder of a session, whatever its id is made of."""
    name = quote(session, safe=" ").replace(".", "%2E") if session.strip(".") == "" else quote(session, safe=" ")
    if len(name) <= _LONGEST:
        return name
    return f"{name[:_LONGEST]}-{sha256(session.encode()).hexdigest()[:12]}"


# --- writing ------------------------------------------------------------------------------------------------------


def write(
    saved: Sequence[Saved], active: str | None, *, user: str, kept: Iterable[str] = ()
) -> Iterator[tuple[str, list[str]]]:
    """Each file with its lines, the index and the active session last. `kept` are lines of an index that is there
    already; those of other sessions stay in it."""
    for one in saved:
        place = f"{SESSIONS}/{folder_of(one.conversation.id)}"
        yield f"{place}/{_HOT}", [_pretty(_hot_context(one, user))]
        yield f"{place}/{_HISTORY}", [_line(_message(m, one, user)) for m in one.conversation.messages]
        yield f"{place}/{_SUMMARY}", [one.summary]
        yield f"{place}/{_METADATA}", [_pretty(_metadata(one, user))]
    ids = {one.conversation.id for one in saved}
    others = [line.rstrip("\n") for line in kept if line.strip() and _id_in(line) not in ids]
    yield INDEX, [*others, *(_line(_metadata(one, user)) for one in saved)]
    if active is not None:
        yield ACTIVE, [active]


def _id_in(line: str) -> Any:
    try:
        return json.loads(line).get("session_id")
    except (ValueError, AttributeError):
        return None


def _hot_context(saved: Saved, user: str) -> dict[str, Any]:
    goals = [g for g in saved.state.goals if g.status in _STATUSES]  # those of the format: a dropped one is not active
    state, names = saved.state, {g.id: g.text for g in goals}
    hot: dict[str, Any] = {
        "conversation_id": saved.conversation.id,
        "session_started": time_text(saved.conversation.started),
        "active_goals": [
            {
                "goal": g.text,
                "status": g.status,
                "priority": g.priority,
                "created": time_text(g.created),
                **({"parent_goal": names[g.parent]} if g.parent in names else {}),
                **_signed(g.author, user),
            }
            for g in goals
        ],
        "current_file_context": {
            "files": list(state.files.files),
            "last_edited": state.files.last_edited,
            "current_function": state.files.current_function,
        },
        "pending_actions": [a.text for a in state.actions if a.open],
        "key_decisions": [
            {
                "decision": d.text,
                "rationale": d.because or "",
                "timestamp": time_text(d.at),
                **_signed(d.author, user),
            }
            for d in state.decisions
            if d.open
        ],
        "important_constraints": [n.text for n in state.constraints if n.open],
        "key_entities": {kind: list(names) for kind, names in state.entities.items()},
    }
    notes = [n.text for n in state.notes if n.open]
    return hot | {"remember": notes} if notes else hot


def _signed(author: str, user: str) -> dict[str, str]:
    return {} if author == user else {"agent": author}


def _message(message: Message, saved: Saved, user: str) -> dict[str, Any]:
    return {
        "msg_id": message.id.removeprefix(f"{saved.conversation.id}/") or message.id,
        "timestamp": time_text(message.at),
        "agent": _agent(message, user),
        "content": message.text,
        "importance": round(message.importance, 3),
    }


def _agent(message: Message, user: str) -> str:
    """The user is "user", the assistant goes by its name, other people by theirs with an @."""
    if message.role == "assistant":
        return message.speaker if message.speaker != "user" else "assistant"
    return "user" if message.speaker == user else f"@{message.speaker}"


def _metadata(saved: Saved, user: str) -> dict[str, Any]:
    found = saved.conversation
    tags = found.tags or tuple(dict.fromkeys(name.lower() for name in found.entities_discussed[:_TAGS]))
    agents = found.authors or tuple(dict.fromkeys(m.speaker for m in found.messages))
    return {
        "session_id": found.id,
        "started": time_text(found.started),
        "last_activity": time_text(found.last_at or found.started),
        "message_count": saved.count,
        "title": found.title,
        "status": found.status,
        "agents": ["user" if name == user else name for name in agents],
        "primary_files": list(found.files_modified),
        "tags": list(tags),
    }


def _line(fields: Mapping[str, Any]) -> str:
    return jsonl.compact(fields, subject="The session")


def _pretty(fields: Mapping[str, Any]) -> str:
    return json.dumps(to_plain(fields), ensure_ascii=False, indent=2)


# --- reading ------------------------------------------------------------------------------------------------------


def read_session(texts: Mapping[str, str], *, where: str, session: str, user: str) -> Saved:
    """The session of a folder, by the texts of its files; one that is not there is as if it were empty, but for the
    metadata or the working state, of which one must say which session it is."""
    hot = _record(texts.get(_HOT), f"{where}/{_HOT}")
    meta = _record(texts.get(_METADATA), f"{where}/{_METADATA}")
    id = (meta.text_or_none("session_id") or hot.text_or_none("conversation_id") or "").strip()
    if not id:
        raise FormatError(f"{where} says nowhere which session it is.", remedy=f"Add a {_METADATA} with a session_id.")
    lines = texts.get(_HISTORY, "").split("\n")
    messages = tuple(_read_message(r, id, session, user) for r in _records(lines, f"{where}/{_HISTORY}"))
    _unlike(messages, f"{where}/{_HISTORY}")
    started = (
        meta.time_or_none("started") or hot.time_or_none("session_started") or (messages[0].at if messages else None)
    )
    if started is None:
        raise FormatError(f"{where} says nowhere when the session started.")
    last_at = meta.time_or_none("last_activity") or (messages[-1].at if messages else started)
    status = meta.text_or_none("status") or "active"
    conversation = Conversation(
        id=id,
        title=meta.text_or_none("title") or id,
        started=started,
        session=session,
        ended=None if status == "active" else last_at,
        message_count=len(messages),
        files_modified=meta.texts("primary_files"),
        outcome=next((outcome for outcome in OUTCOMES if outcome == status), None),
        last_at=last_at,
        titled=True,
        authors=tuple(user if name == "user" else name for name in meta.texts("agents")),
        tags=meta.texts("tags"),
        messages=messages,
    )
    count = meta.count_or_none("message_count") or 0
    return Saved(conversation, _read_state(hot, conversation, user), texts.get(_SUMMARY, ""), max(count, len(messages)))


def _record(text: str | None, where: str) -> jsonl.Record:
    return jsonl.Record(where, {} if text is None or not text.strip() else jsonl.parse(text, where=where))


def _records(lines: Iterable[str], where: str) -> Iterator[jsonl.Record]:
    for record in jsonl.records(lines):
        yield jsonl.Record(f"{where}, {record.where.lower()}", record.fields)


def _unlike(messages: Sequence[Message], where: str) -> None:
    if len({m.id for m in messages}) < len(messages):
        raise FormatError(f"{where} has two messages with the same msg_id.")


def _read_message(record: jsonl.Record, conversation: str, session: str, user: str) -> Message:
    agent = record.text("agent")
    person = agent == "user" or agent.startswith("@")
    importance = record.fields.get("importance", 0.5)
    if not isinstance(importance, int | float) or isinstance(importance, bool) or not 0 <= importance <= 1:
        raise record.error("importance", "must be a number from 0 to 1.")
    return Message(
        id=f"{conversation}/{record.text('msg_id')}",
        role="user" if person else "assistant",
        text=record.text("content"),
        at=record.time("timestamp"),
        speaker=user if agent == "user" else agent.removeprefix("@") or user,
        session=session,
        conversation_id=conversation,
        importance=float(importance),
    )


def _read_state(hot: jsonl.Record, conversation: Conversation, user: str) -> State:
    at = conversation.last_at or conversation.started
    goals = tuple(_read_goals(hot, conversation, user))
    decisions = tuple(
        Decision(
            f"dec-{n}",
            _told(r, "decision"),
            r.text_or_none("rationale") or None,
            r.time_or_none("timestamp") or at,
            r.text_or_none("agent") or user,
        )
        for n, r in enumerate(_items(hot, "key_decisions"), len(goals) + 1)
    )
    made = len(goals) + len(decisions)

    def notes(key: str, prefix: str) -> tuple[Note, ...]:
        nonlocal made
        found = [text for text in hot.texts(key) if text.strip()]
        made += len(found)
        return tuple(Note(f"{prefix}-{made - n}", text, at, user) for n, text in enumerate(found))

    constraints, remembered = notes("important_constraints", "con"), notes("remember", "note")
    actions = tuple(
        Action(f"act-{made + n}", text, at, user)
        for n, text in enumerate(hot.texts("pending_actions"), 1)
        if text.strip()
    )
    files = jsonl.Record(hot.where, _object(hot, "current_file_context"))
    entities = jsonl.Record(hot.where, _object(hot, "key_entities"))
    return State(
        goals=goals,
        actions=actions,
        decisions=decisions,
        constraints=constraints,
        notes=remembered,
        files=FileContext(
            files.texts("files"), files.text_or_none("last_edited"), files.text_or_none("current_function")
        ),
        entities={kind: entities.texts(kind) for kind in entities.fields},
        made=made + len(actions),
    )


def _read_goals(hot: jsonl.Record, conversation: Conversation, user: str) -> Iterator[Goal]:
    records = list(_items(hot, "active_goals"))
    ids = {_told(r, "goal").lower(): f"goal-{n}" for n, r in enumerate(records, 1)}
    for n, record in enumerate(records, 1):
        parent = record.text_or_none("parent_goal")
        yield Goal(
            id=f"goal-{n}",
            text=_told(record, "goal"),
            status=_one_of(record, "status", _STATUSES, "pending"),
            priority=_one_of(record, "priority", _PRIORITIES, "medium"),
            created=record.time_or_none("created") or conversation.started,
            author=record.text_or_none("agent") or user,
            parent=None if parent is None else ids.get(parent.lower()),
        )


def _told(record: jsonl.Record, key: str) -> str:
    """Goals and decisions are told by their own name or, as the program itself writes them, as a description."""
    return record.text_or_none(key) or record.text("description")


def _items(hot: jsonl.Record, key: str) -> Iterator[jsonl.Record]:
    for n, item in enumerate(hot.items(key) or (), 1):
        if not isinstance(item, dict):
            raise hot.error(key, f"must hold objects alone; number {n} is none.")
        yield jsonl.Record(f"{hot.where}, {key} {n}", item)


def _object(hot: jsonl.Record, key: str) -> dict[str, Any]:
    value = hot.fields.get(key)
    if value is not None and not isinstance(value, dict):
        raise hot.error(key, "must be an object.")
    return value or {}


def _one_of(record: jsonl.Record, key: str, allowed: Sequence[T], default: T) -> T:
    text = record.text_or_none(key)
    if text is None:
        return default
    for choice in allowed:
        if text == choice:
            return choice
    raise record.error(key, f"is {text!r}.", remedy=f"Allowed: {', '.join(allowed)}.")
