"""Contexts: everything that may matter for a prompt, read from the store and cut to the budget."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime

from anaphora.assembly import Material, assemble
from anaphora.engine.compacting import recent_history
from anaphora.engine.embedding import embedder_of, model_of
from anaphora.engine.place import Place
from anaphora.engine.pointing import meant
from anaphora.engine.recalling import recall
from anaphora.engine.sessions import read_session
from anaphora.engine.states import read_state
from anaphora.engine.summarising import session_in_short
from anaphora.engine.writing import failure_of
from anaphora.memory.ranking import Weights
from anaphora.ports import TokenCounter, View
from anaphora.types import Context, Hit, Message, State, Turn
from anaphora.understanding.reading import stored_form
from anaphora.understanding.redaction import redact

__all__ = ["build_context"]

_LOOKED_AT = 200  # messages that are looked at for whether the index lags
_ON_THEIR_WAY = 20  # of them that may wait for it at any time
_BESIDE_TALK = Weights(session=0.3)  # what was said a moment ago has a place of its own in a context


class _Steps:
    """How many milliseconds each step took."""

    def __init__(self) -> None:
        self.taken: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        begun = time.perf_counter()
        yield
        self.taken[name] = round((time.perf_counter() - begun) * 1000, 3)


def build_context(
    view: View, place: Place, about: Turn | str, budget: int, counter: TokenCounter, now: datetime
) -> Context:
    """Everything that may matter for the prompt, cut to the budget."""
    text, _ = redact(about.text if isinstance(about, Turn) else about)  # a context goes to a model
    steps = _Steps()
    with steps.step("state"):
        state = read_state(view)
    with steps.step("history"):
        recent, current, speaker = _recent(view, place, text, about)
    with steps.step("summary"):
        summary = None if place.settings.summary_form == "thread" else session_in_short(place)
    with steps.step("recall"):
        search = _meaning(view, place, about, current, now)
        hits = _hits(view, place, search, state, now, without=_id(about, current))
        warnings = (*_lag(view, place), *_unwritten(view, place))
    with steps.step("assembly"):
        material = Material(text, now, state, recent, hits, search, summary, warnings, speaker)
        context = assemble(material, budget, counter, place.settings)
    return replace(context, steps=steps.taken)


def _recent(view: View, place: Place, text: str, about: Turn | str) -> tuple[list[Message], Message | None, str]:
    """The messages of the open conversation, which of them is the current one, which is not among them, and who
    says that."""
    settings = place.settings
    current = about.message_id if isinstance(about, Turn) else None
    session = read_session(view, place.session)
    recent: list[Message] = []
    if session.conversation_id is not None:
        recent = recent_history(view, session.conversation_id, last=4 * settings.conversation_history_limit + 1)
    said = next((m for m in reversed(recent) if m.id == current), None)
    if current is None and recent and recent[-1].role == "user":  # a text that was heard is not said once more
        said = recent[-1] if recent[-1].text == stored_form(text, settings)[0] else None
    speaker = said.speaker if said else settings.author or place.scope.user
    return [m for m in recent if said is None or m.id != said.id], said, speaker


def _meaning(view: View, place: Place, about: Turn | str, current: Message | None, now: datetime) -> str:
    """What is looked for: the text with what its words point to, as it was heard or would be."""
    if isinstance(about, Turn):
        return about.expanded
    return current.full if current is not None else meant(view, place, about, now)


def _id(about: Turn | str, current: Message | None) -> str | None:
    if isinstance(about, Turn):
        return about.message_id
    return None if current is None else current.id


def _unwritten(view: View, place: Place) -> tuple[str, ...]:
    failed = failure_of(view) if place.language is not None else None
    return () if failed is None else (f"{failed[1]} The summary is made without it.",)


def _hits(view: View, place: Place, search: str, state: State, now: datetime, *, without: str | None) -> list[Hit]:
    """What is recalled by the query, with the open goals in mind."""
    goals = " ".join(g.text for g in state.goals if g.open)
    most = place.settings.memory_retrieval_limit
    return recall(view, place, search, most, now, also=goals, without=without, weights=_BESIDE_TALK)


def _lag(view: View, place: Place) -> tuple[str, ...]:
    """A warning where many of the last messages cannot be found by their meaning yet; a few always are on their way."""
    embedder = embedder_of(place)
    newest = view.messages(last=1)
    if embedder is None or not newest:
        return ()
    behind = len(view.without_vector(model_of(embedder), _LOOKED_AT, after=newest[0].seq - _LOOKED_AT))
    if behind <= _ON_THEIR_WAY:
        return ()
    return (
        f"{behind} of the last messages are found by their words alone as yet; "
        "memory.finish(), or 'anaphora work', indexes them now.",
    )
