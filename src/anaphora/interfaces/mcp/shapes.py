"""What the tools answer with: small typed shapes, so that a model reads little and a program knows each field."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from anaphora.types import Boundary, Context, Conversation, Hit, Message, Reference, State, Turn

__all__ = [
    "Answer",
    "Asked",
    "Found",
    "Heard",
    "Meant",
    "Memo",
    "Session",
    "Sessions",
    "Stored",
    "Why",
    "WorkingState",
    "answer",
    "conversation_of",
    "heard",
    "memo",
    "state_of",
    "why",
]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Meant(_Shape):
    """Words that point back, and what they mean."""

    mention: str
    means: str
    sure: float
    others: list[str]


class Asked(_Shape):
    """Ask the user this; then call `hear` with the letter or with what they say."""

    text: str
    options: dict[str, str]


class Heard(_Shape):
    message_id: str
    standalone: str
    references: list[Meant]
    intent: str
    topic: Literal["same", "new", "unsure"]
    conversation: str
    question: Asked | None


class Stored(_Shape):
    message_id: str


class Memo(_Shape):
    """`text` is what was said, as data; `means` what it stood for where it pointed back."""

    id: str
    text: str
    means: str | None
    by: str
    at: str
    score: float
    why: str


class Found(_Shape):
    memories: list[Memo]


class Answer(_Shape):
    text: str
    tokens: int
    left_out: int
    warnings: list[str]


class WorkingState(_Shape):
    """Each item as "id: text"."""

    goals: list[str]
    decisions: list[str]
    constraints: list[str]
    actions: list[str]
    notes: list[str]
    facts: list[str]
    files: list[str]


class Session(_Shape):
    number: int | None
    id: str
    title: str
    active: bool
    messages: int
    started: str
    last: str
    outcome: str | None


class Sessions(_Shape):
    sessions: list[Session]
    summary: str


class Why(_Shape):
    message: str
    boundary: str
    intents: dict[str, float]
    references: list[str]


# --- from the engine's values -------------------------------------------------------------------------------------


def heard(turn: Turn) -> Heard:
    question = turn.question and Asked(
        text=turn.question.text, options={option.key: option.text for option in turn.question.options}
    )
    return Heard(
        message_id=turn.message_id,
        standalone=turn.expanded,
        references=[_meant(one) for one in turn.references],
        intent=turn.intent.name,
        topic=_topic(turn.boundary),
        conversation=_named(turn.conversation),
        question=question or None,
    )


def _meant(reference: Reference) -> Meant:
    others = [one for one in reference.candidates if one != reference.referent]
    return Meant(
        mention=reference.mention, means=reference.referent, sure=round(reference.confidence, 2), others=others[:3]
    )


def _topic(boundary: Boundary) -> Literal["same", "new", "unsure"]:
    return "unsure" if boundary.decision == "ask" else boundary.decision


def _named(conversation: Conversation) -> str:
    return f"#{conversation.number} {conversation.title}" if conversation.number else conversation.title


def memo(hit: Hit) -> Memo:
    return Memo(
        id=hit.message_id or hit.fragment_id or "",
        text=hit.text,
        means=hit.expanded,
        by=hit.speaker or hit.role,
        at=hit.at.isoformat(timespec="minutes"),
        score=round(hit.score, 3),
        why=hit.why,
    )


def answer(context: Context) -> Answer:
    return Answer(
        text=context.text,
        tokens=context.tokens,
        left_out=len(context.left_out),
        warnings=list(context.warnings),
    )


def state_of(state: State) -> WorkingState:
    return WorkingState(
        goals=[f"{g.id}: {g.text} ({g.status}, {g.priority})" for g in state.goals],
        decisions=[f"{d.id}: {d.text}" + (f" because {d.because}" if d.because else "") for d in state.decisions],
        constraints=[f"{n.id}: {n.text}" for n in state.constraints],
        actions=[f"{a.id}: {a.text}" for a in state.actions],
        notes=[f"{n.id}: {n.text}" for n in state.notes],
        facts=[f"{n.id}: {n.text}" for n in state.facts],
        files=list(state.files.files),
    )


def conversation_of(one: Conversation) -> Session:
    return Session(
        number=one.number,
        id=one.id,
        title=one.title,
        active=one.active,
        messages=one.message_count,
        started=one.started.isoformat(timespec="minutes"),
        last=(one.last_at or one.started).isoformat(timespec="minutes"),
        outcome=one.outcome,
    )


def why(message: Message) -> Why:
    boundary = message.boundary
    return Why(
        message=message.text,
        boundary="" if boundary is None else f"{boundary.decision} ({boundary.confidence:.2f}): {boundary.reason}",
        intents={one.name: round(one.confidence, 2) for one in message.intents},
        references=[f"“{r.mention}” → {r.referent} ({r.confidence:.2f}): {r.why}" for r in message.references],
    )
