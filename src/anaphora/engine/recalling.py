"""Recall: reading the store for what fits a query."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from anaphora.engine.place import Place
from anaphora.memory.ranking import bm25, terms_of, words_by_term
from anaphora.ports import View
from anaphora.types import Hit, Message

__all__ = ["recall"]

_RECENT = 0.25  # how much more a message of the running session counts
_IMPORTANT = 0.2
_LOOKED_AT = 3  # times as many as asked for, the best by words, of which the final order is made


def recall(
    view: View,
    place: Place,
    query: str,
    k: int,
    now: datetime,
    *,
    since: datetime | None = None,
    until: datetime | None = None,
    speaker: str | None = None,
    without: str | None = None,
) -> list[Hit]:
    """The messages whose words fit the query best, each with the words that it was found by."""
    by_words = view.find(terms_of(query))
    scores = bm25(by_words.postings, by_words.corpus)
    best = sorted(scores, key=lambda seq: (-sum(scores[seq].values()), -seq))
    narrowed = since is not None or until is not None or speaker is not None
    looked_at = best if narrowed else best[: _LOOKED_AT * k]
    found = [
        (_score(m, scores[m.seq], place, now), m)
        for m in view.messages(seqs=looked_at, since=since, until=until)
        if m.id != without and (speaker is None or m.speaker.lower() == speaker.lower() or m.role == speaker)
    ]
    found.sort(key=lambda hit: (-hit[0], -hit[1].at.timestamp(), -hit[1].seq))
    return [_hit(m, score, scores[m.seq], place, now) for score, m in found[:k]]


def _in_session(message: Message, place: Place, now: datetime) -> bool:
    return message.session == place.session and now - message.at <= place.settings.session_window


def _score(message: Message, terms: Mapping[str, float], place: Place, now: datetime) -> float:
    recent = _RECENT if _in_session(message, place, now) else 0.0
    return round(sum(terms.values()) * (1 + _IMPORTANT * (message.importance - 0.5) + recent), 4)


def _hit(message: Message, score: float, terms: Mapping[str, float], place: Place, now: datetime) -> Hit:
    said = words_by_term(f"{message.text}\n{message.full}")
    words = ", ".join(f"“{said.get(t, t)}”" for t in sorted(terms, key=lambda t: -terms[t])[:4])
    return Hit(
        text=message.text,
        score=score,
        why=f"it says {words}" + (", in this session" if _in_session(message, place, now) else ""),
        at=message.at,
        message_id=message.id,
        role=message.role,
        speaker=message.speaker,
        conversation_id=message.conversation_id,
        expanded=message.expanded,
    )
