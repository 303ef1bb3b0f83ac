"""Contexts: everything that may matter for a prompt, read from the store and cut to the budget."""

from __future__ import annotations

from datetime import datetime

from anaphora.assembly import Material, assemble
from anaphora.engine.place import Place, read_state
from anaphora.engine.recalling import recall
from anaphora.engine.sessions import read_session
from anaphora.ports import TokenCounter, View
from anaphora.types import Context, Message, Turn
from anaphora.understanding.reading import stored_form
from anaphora.understanding.redaction import redact

__all__ = ["build_context"]


def build_context(
    view: View, place: Place, about: Turn | str, budget: int, counter: TokenCounter, now: datetime
) -> Context:
    """Everything that may matter for the prompt, cut to the budget."""
    settings = place.settings
    text, _ = redact(about.text if isinstance(about, Turn) else about)  # a context goes to a model
    search = about.expanded if isinstance(about, Turn) else about
    current = about.message_id if isinstance(about, Turn) else None
    session = read_session(view, place.session)
    recent: list[Message] = []
    if session.conversation_id is not None:
        recent = view.messages(conversation=session.conversation_id, last=4 * settings.conversation_history_limit + 1)
    if current is None and recent and recent[-1].role == "user":  # a text that was heard is not said once more
        current = recent[-1].id if recent[-1].text == stored_form(text, settings)[0] else None
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
