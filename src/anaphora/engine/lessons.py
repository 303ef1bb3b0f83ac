"""Where lessons are kept: the knowledge of a scope, how far it has got, and who taught what.

Three documents hold it: a small mark that every message looks at, the lessons, and what messages that left before
their turn would have taught. Beside them a ledger says by keys, not by words, what each message taught, so that
forgetting can take it back."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from operator import attrgetter
from typing import Any

from anaphora.codec import from_plain, to_plain
from anaphora.engine.documents import value_of
from anaphora.knowledge import Knowledge, Lesson
from anaphora.memory.knowledge import Observation, without
from anaphora.memory.observing import Seen, lessons_of, lessons_of_answer
from anaphora.ports import Transaction, View
from anaphora.settings import Settings
from anaphora.types import Event, Message
from anaphora.understanding.experience import Experience
from anaphora.understanding.patterns import expression

__all__ = [
    "KNOWLEDGE",
    "SPOKEN",
    "Mark",
    "experience",
    "let_go",
    "mark_of",
    "observe",
    "observe_leaving",
    "of_conversation",
    "of_message",
    "read_knowledge",
    "read_ledger",
    "rename",
    "restore_ledger",
    "surroundings",
    "unlearn",
    "waiting_for",
    "write_knowledge",
    "write_ledger",
]

KNOWLEDGE, _LEDGER = "knowledge", "lesson"
_MARK, _LESSONS, _WAITING = "mark", "lessons", "waiting"
_BLOCK = 256  # messages on a page of the ledger
_BEFORE, _AFTER = 30, 6  # messages around one that it is seen among
_AT_HAND = 32  # experiences that a process keeps ready

_SOURCE = expression(r"m\d{1,18}|c[0-9a-f]{16}")  # a message by its number, a conversation by a digest of its id

SPOKEN = ("message.heard", "message.logged", "message.taken", "question.answered")


@dataclass(frozen=True, slots=True)
class Mark:
    """The last event that was learned from, when, and which lessons came of it."""

    event: int = 0
    at: datetime | None = None
    consolidations: int = 0
    digest: str = ""


def mark_of(view: View) -> Mark:
    document = view.document(KNOWLEDGE, _MARK)
    return Mark() if document is None else value_of(Mark, document)


def read_knowledge(view: View) -> Knowledge:
    mark = mark_of(view)
    return Knowledge(_lessons(view), mark.consolidations, mark.at)


def write_knowledge(tx: Transaction, knowledge: Knowledge, event: int) -> None:
    """The knowledge and how far it has got, together."""
    body = {"lessons": to_plain(knowledge.lessons, lean=True)}
    text = json.dumps(body, sort_keys=True, ensure_ascii=False)
    digest = blake2b(text.encode(), digest_size=16).hexdigest() if knowledge.lessons else ""
    old = mark_of(tx)
    if digest != old.digest:
        tx.put(KNOWLEDGE, _LESSONS, body)
    tx.put(KNOWLEDGE, _MARK, to_plain(Mark(event, knowledge.last, knowledge.consolidations, digest), lean=True))


def _lessons(view: View) -> tuple[Lesson, ...]:
    document = view.document(KNOWLEDGE, _LESSONS)
    return () if document is None else tuple(from_plain(Lesson, one) for one in document.body["lessons"])


# --- ready for hearing --------------------------------------------------------------------------------------------

_READY: dict[tuple[str, int, float], Experience] = {}
"""By what they were made from, so that they are made once a process and never out of date."""


def experience(view: View, settings: Settings) -> Experience | None:
    """What was learned, for the pass; None where nothing was."""
    if not settings.learning:
        return None
    digest = mark_of(view).digest
    if not digest:
        return None
    key = (digest, settings.prune_below, settings.prune_unless)
    ready = _READY.get(key)
    if ready is None:
        if len(_READY) >= _AT_HAND:
            _READY.clear()
        ready = _READY[key] = Experience.of(_lessons(view), settings)
    return ready


def let_go() -> None:
    """Keep nothing at hand; it is made again from what is stored."""
    _READY.clear()


# --- what an event teaches ----------------------------------------------------------------------------------------


Surroundings = Mapping[str, Sequence[Message]]  # by session


def surroundings(view: View, messages: Iterable[Message]) -> Surroundings:
    """The messages, and those around them in the order of arrival, by their sessions."""
    around = {seq for m in messages for seq in range(max(1, m.seq - _BEFORE), m.seq + _AFTER + 1)}
    found: dict[str, list[Message]] = {}
    for message in view.messages(seqs=sorted(around)) if around else ():
        found.setdefault(message.session, []).append(message)
    return found


def observe(event: Event, message: Message, around: Surroundings) -> list[Observation]:
    """What one event about a message teaches."""
    seen = _seen(message, around.get(message.session, ()))
    if event.kind == "question.answered":
        return list(lessons_of_answer(seen)) if event.data.get("answer") is not None else []
    return list(lessons_of(seen))


def _seen(message: Message, around: Sequence[Message]) -> Seen:
    earlier = around[: bisect_left(around, message.seq, key=attrgetter("seq"))]
    later = around[bisect_right(around, message.seq, key=attrgetter("seq")) :]
    after = next((m for m in later if m.role == "user"), None)
    replies = (m for m in later if m.role == "assistant" and (after is None or m.seq < after.seq))
    return Seen(message, earlier, next(replies, None), after)


def observe_leaving(tx: Transaction, messages: Iterable[Message], settings: Settings) -> None:
    """Messages are about to be deleted by themselves: what they teach is kept until its turn."""
    leaving = {m.id: m for m in messages if m.role == "user"}
    if not leaving or not settings.learning:
        return
    pending = [e for e in tx.events(mark_of(tx).event) if e.kind in SPOKEN and e.message_id in leaving]
    if not pending:
        return
    around = surroundings(tx, leaving.values())
    waiting = dict(_waiting(tx))
    for event in pending:
        found = observe(event, leaving[event.message_id or ""], around)
        if found and str(event.seq) not in waiting:
            waiting[str(event.seq)] = to_plain(found, lean=True)
    tx.put(KNOWLEDGE, _WAITING, waiting)


def waiting_for(tx: Transaction, events: Iterable[Event]) -> dict[int, list[Observation]]:
    """What the messages of these events would have taught, had they stayed; it is taken out."""
    waiting = dict(_waiting(tx))
    found = {e.seq: waiting.pop(str(e.seq)) for e in events if str(e.seq) in waiting}
    if found:
        tx.put(KNOWLEDGE, _WAITING, waiting)
    return {seq: [from_plain(Observation, one) for one in some] for seq, some in found.items()}


def _waiting(view: View) -> Mapping[str, Any]:
    document = view.document(KNOWLEDGE, _WAITING)
    return {} if document is None else document.body


# --- the ledger ---------------------------------------------------------------------------------------------------


def write_ledger(tx: Transaction, taught: Mapping[str, Sequence[Observation]]) -> None:
    """For each source, a message or a conversation, the keys of what it taught, beside what it had taught before."""
    pages: dict[str, dict[str, list[str]]] = {}
    for source, seen in taught.items():
        if seen:
            page = pages.setdefault(_page(source), {})
            page[source] = [one.key for one in seen]
    for name, entries in pages.items():
        document = tx.document(_LEDGER, name)
        body = dict(document.body) if document is not None else {}
        tx.put(_LEDGER, name, body | {source: [*body.get(source, ()), *keys] for source, keys in entries.items()})


def read_ledger(view: View) -> dict[str, tuple[str, ...]]:
    """By source the keys of all that it taught."""
    pages = (document.body for document in view.documents(_LEDGER))
    return {source: tuple(keys) for page in pages for source, keys in page.items()}


def restore_ledger(tx: Transaction, taught: Mapping[str, Sequence[str]]) -> None:
    """Entries of sources that have none here."""
    pages: dict[str, dict[str, list[str]]] = {}
    for source, keys in taught.items():
        if _SOURCE.fullmatch(source):
            pages.setdefault(_page(source), {})[source] = list(keys)
    for name, entries in pages.items():
        document = tx.document(_LEDGER, name)
        tx.put(_LEDGER, name, entries | (dict(document.body) if document is not None else {}))


def unlearn(tx: Transaction, sources: Iterable[str], settings: Settings) -> None:
    """Take back what these taught."""
    gone: Counter[str] = Counter()
    pages: dict[str, set[str]] = {}
    for source in sources:
        pages.setdefault(_page(source), set()).add(source)
    for page, some in pages.items():
        document = tx.document(_LEDGER, page)
        if document is None or not some & document.body.keys():
            continue
        left = {source: keys for source, keys in document.body.items() if source not in some}
        gone.update(key for source in some for key in document.body.get(source, ()))
        if left:
            tx.put(_LEDGER, page, left)
        else:
            tx.drop(_LEDGER, page)
    if gone:
        mark = mark_of(tx)
        write_knowledge(tx, without(read_knowledge(tx), gone, settings), mark.event)
    let_go()


def rename(tx: Transaction, old: str, new: str) -> None:
    """A conversation has another id now."""
    was, now = of_conversation(old), of_conversation(new)
    document = tx.document(_LEDGER, was)
    if document is not None:
        tx.drop(_LEDGER, was)
        tx.put(_LEDGER, now, {now: document.body.get(was, [])})


def of_message(message: Message) -> str:
    """The name of a message in the ledger."""
    return f"m{message.seq}"


def of_conversation(id: str) -> str:
    """The name of a conversation in the ledger, without the words of its title."""
    return "c" + blake2b(id.encode(), digest_size=8).hexdigest()


def _page(source: str) -> str:
    """Messages share a page with their neighbours; a conversation has one of its own."""
    return f"p{int(source[1:]) // _BLOCK}" if source[0] == "m" else source
