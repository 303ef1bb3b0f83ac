"""Recall and context: reading the store for what fits a query."""

from __future__ import annotations

from datetime import datetime

from anaphora.assembly import Material, assemble
from anaphora.engine.place import Place, read_state
from anaphora.engine.sessions import read_session
from anaphora.memory.ranking import bm25, query_terms, stem
from anaphora.ports import TokenCounter, View
from anaphora.types import Context, Hit, Message, Turn

__all__ = ["build_context", "recall"]

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
    scores = bm25(view.postings(query_terms(query)), view.corpus())
    best = sorted(scores, key=lambda seq: (-sum(scores[seq].values()), -seq))
    narrowed = since is not None or until is not None or speaker is not None
    looked_at = best if narrowed else best[: _LOOKED_AT * k]
    messages = [
        m
        for m in view.messages(seqs=looked_at, since=since, until=until)
        if m.id != without and (speaker is None or m.speaker.lower() == speaker.lower() or m.role == speaker)
    ]
    hits = [_hit(m, scores[m.seq], place, now) for m in messages]
    return sorted(hits, key=lambda h: (-h.score, -h.at.timestamp(), h.message_id or ""))[:k]


def _hit(message: Message, terms: dict[str, float], place: Place, now: datetime) -> Hit:
    in_session = message.session == place.session and now - message.at <= place.settings.session_window
    score = sum(terms.values()) * (1 + _IMPORTANT * (message.importance - 0.5) + (_RECENT if in_session else 0.0))
    words = ", ".join(_as_said(t, message) for t in sorted(terms, key=lambda t: -terms[t])[:4])
    why = f"it says {words}" + (", in this session" if in_session else "")
    return Hit(
        text=message.text,
        score=round(score, 4),
        why=why,
        at=message.at,
        message_id=message.id,
        role=message.role,
        speaker=message.speaker,
        conversation_id=message.conversation_id,
        expanded=message.expanded,
    )


def _as_said(term: str, message: Message) -> str:
    """The word of the message that a stemmed term stands for."""
    for word in message.full.replace("_", " ").split():
        plain = word.strip(".,;:!?()[]{}\"'`").lower()
        if plain and stem(plain) == term:
            return f"“{plain}”"
    return f"“{term}”"


def build_context(
    view: View, place: Place, about: Turn | str, budget: int, counter: TokenCounter, now: datetime
) -> Context:
    """Everything that may matter for the prompt, cut to the budget."""
    settings = place.settings
    text = about.text if isinstance(about, Turn) else about
    search = about.expanded if isinstance(about, Turn) else about
    current = about.message_id if isinstance(about, Turn) else None
    session = read_session(view, place.session)
    recent: list[Message] = []
    if session.conversation_id is not None:
        recent = view.messages(conversation=session.conversation_id, last=4 * settings.conversation_history_limit + 1)
    if current is None and recent and recent[-1].role == "user" and recent[-1].text == text:
        current = recent[-1].id
    recent = [m for m in recent if m.id != current]
    state = read_state(view)
    goals = " ".join(g.text for g in state.goals if g.status != "complete")
    limit = settings.memory_retrieval_limit
    hits = recall(view, place, search, limit, now, without=current)
    if goals and len(hits) < limit:
        known = {h.message_id for h in hits}
        more = recall(view, place, goals, limit, now, without=current)
        hits += [h for h in more if h.message_id not in known][: limit - len(hits)]
    return assemble(Material(text, now, state, recent, hits), budget, counter, settings)
