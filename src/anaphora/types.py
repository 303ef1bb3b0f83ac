"""The values that everything speaks in: frozen, comparable, free of behaviour beyond their own shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from anaphora.state import (
    Action,
    Decision,
    FileContext,
    Goal,
    GoalStatus,
    Note,
    Priority,
    State,
    Undone,
)

__all__ = [
    "OUTCOMES",
    "Action",
    "Boundary",
    "BoundaryDecision",
    "CommandResult",
    "Context",
    "Conversation",
    "Decision",
    "Entity",
    "EntityKind",
    "EntityRole",
    "Event",
    "ExportFormat",
    "Factor",
    "FileContext",
    "Forgotten",
    "Fragment",
    "Goal",
    "GoalStatus",
    "Handoff",
    "Hit",
    "Ingested",
    "Intent",
    "LeftOut",
    "Message",
    "Note",
    "Option",
    "Outcome",
    "OwnIntent",
    "Part",
    "Priority",
    "Question",
    "Redaction",
    "Reference",
    "Role",
    "Scope",
    "Signal",
    "SignalKind",
    "Span",
    "State",
    "Turn",
    "Undone",
]

Span = tuple[int, int]
Role = Literal["user", "assistant"]
BoundaryDecision = Literal["same", "new", "ask"]
EntityKind = Literal["file", "function", "technology", "person", "concept"]
EntityRole = Literal["made", "object", "subject", "oblique", "attribute", "excluded"]
SignalKind = Literal[
    "decision",
    "constraint",
    "goal",
    "action",
    "completion",
    "withdrawal",
    "closing",
    "remember",
    "error",
    "fact",
    "preference",
    "injection",
]
ExportFormat = Literal["anaphora", "kds", "brain", "quaid"]
Outcome = Literal["planned", "implemented", "tested", "completed", "abandoned", "merged"]

OUTCOMES: tuple[Outcome, ...] = ("planned", "implemented", "tested", "completed", "abandoned", "merged")


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose memory it is. Nothing crosses it."""

    user: str
    agent: str
    project: str


# --- what one message means ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entity:
    """Something that is talked about, where in the text it stands, and which part it plays there."""

    text: str
    kind: EntityKind
    span: Span
    role: EntityRole = "object"


@dataclass(frozen=True, slots=True)
class Reference:
    """Words that point back ("it", "the button", or nothing at all), and what they point to."""

    mention: str
    span: Span
    referent: str
    message_id: str | None
    confidence: float
    candidates: tuple[str, ...] = ()
    why: str = ""
    conversation_id: str | None = None


@dataclass(frozen=True, slots=True)
class Intent:
    """What the user wants, how sure that is, and where it should be handled; `why` where knowledge had a part in it."""

    name: str
    confidence: float
    route: str | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class OwnIntent:
    """An intent that a user taught by examples, and where it should be handled."""

    name: str
    examples: tuple[str, ...]
    route: str | None = None


@dataclass(frozen=True, slots=True)
class Handoff:
    """What a handler gets: the words, what they mean, what the user is in the middle of, what to do."""

    original: str
    expanded: str
    references: tuple[Reference, ...]
    doing: str
    action: str
    route: str | None


@dataclass(frozen=True, slots=True)
class Factor:
    """One piece of evidence for or against a boundary: positive speaks for a new conversation."""

    name: str
    weight: float
    says: str


@dataclass(frozen=True, slots=True)
class Boundary:
    """Does the message still belong to the open conversation?"""

    decision: BoundaryDecision
    best_guess: Literal["same", "new"]
    confidence: float
    reason: str
    factors: tuple[Factor, ...] = ()
    resumes: str | None = None


@dataclass(frozen=True, slots=True)
class Option:
    key: str
    text: str
    decision: Literal["same", "new"]
    conversation_id: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """Asked when a boundary is unsure. The message waits under the best guess meanwhile."""

    id: str
    text: str
    options: tuple[Option, ...]
    message_id: str


@dataclass(frozen=True, slots=True)
class Signal:
    """Something in a message that matters beyond it: a decision, a constraint, a closing, …; `instead_of` is what was
    said before and is corrected by it."""

    kind: SignalKind
    text: str
    because: str | None = None
    instead_of: str | None = None


@dataclass(frozen=True, slots=True)
class Redaction:
    """A secret that was taken out before anything was stored; `span` is its place in the text as heard."""

    kind: str
    span: Span


@dataclass(frozen=True, slots=True)
class Message:
    """One thing said, as it is stored: redacted, with what was understood about it."""

    id: str
    role: Role
    text: str
    at: datetime
    speaker: str
    session: str
    conversation_id: str | None = None
    seq: int = 0
    expanded: str | None = None
    intents: tuple[Intent, ...] = ()
    entities: tuple[Entity, ...] = ()
    references: tuple[Reference, ...] = ()
    context_ref: str | None = None
    signals: tuple[Signal, ...] = ()
    redactions: tuple[Redaction, ...] = ()
    boundary: Boundary | None = None
    importance: float = 0.5
    reply_to: str | None = None
    fleeting: bool = False  # stored under settings that let it go by itself; what was stored to be kept never does
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def full(self) -> str:
        """The text that stands alone: expanded where it had to be."""
        return self.text if self.expanded is None else self.expanded

    @property
    def intent(self) -> str | None:
        return self.intents[0].name if self.intents else None


@dataclass(frozen=True, slots=True)
class Conversation:
    """A stretch of talk about one thing. `number` is its place in the queue, the oldest being 1."""

    id: str
    title: str
    started: datetime
    session: str
    ended: datetime | None = None
    message_count: int = 0
    entities_discussed: tuple[str, ...] = ()
    files_modified: tuple[str, ...] = ()
    outcome: Outcome | None = None
    links: tuple[str, ...] = ()
    last_at: datetime | None = None
    intents_seen: tuple[str, ...] = ()
    titled: bool = False
    authors: tuple[str, ...] = ()  # who spoke in it
    tags: tuple[str, ...] = ()
    number: int | None = None
    messages: tuple[Message, ...] = ()

    @property
    def active(self) -> bool:
        return self.ended is None

    @property
    def status(self) -> str:
        """Active, or what came of it."""
        return "active" if self.ended is None else self.outcome or "ended"

    @property
    def primary_files(self) -> tuple[str, ...]:
        """The files that were worked on."""
        return self.files_modified


@dataclass(frozen=True, slots=True)
class Turn:
    """Everything `hear` found out about one message. `text` is as it was heard, `stored` as it is kept: without secrets
    and, by preset, without code. The places of entities and references are places in `stored`, those of redactions in
    `text`."""

    text: str
    expanded: str
    references: tuple[Reference, ...]
    intent: Intent
    intents: tuple[Intent, ...]
    handoff: Handoff
    boundary: Boundary
    question: Question | None
    entities: tuple[Entity, ...]
    importance: float
    signals: tuple[Signal, ...]
    redactions: tuple[Redaction, ...]
    conversation: Conversation
    message_id: str
    at: datetime
    stored: str = ""


# --- what happens --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What a slash command came to: in words for a person, and as plain data for a program."""

    text: str
    data: Any = None


@dataclass(frozen=True, slots=True)
class Event:
    """One step of the lifecycle, in the order it happened within the scope."""

    kind: str
    at: datetime
    session: str
    seq: int = 0
    conversation_id: str | None = None
    message_id: str | None = None
    author: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fragment:
    """A long-term memory made from a conversation: what it came to, in a text that stands alone, and the messages
    that it was made from."""

    id: str
    title: str
    text: str
    at: datetime
    author: str
    conversation_id: str | None = None
    message_ids: tuple[str, ...] = ()
    importance: float = 0.5
    tags: tuple[str, ...] = ()
    part: int = 0  # which stretch of a long conversation; 0 where it is about all of it
    why: str = ""  # why it was made


# --- what comes back ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that was recalled, and why. `text` is what was said, to the letter, `expanded` what it was taken to
    mean; a fragment, which nobody said, has the speaker "summary". `span` is the place in `full` of what fits best in a
    long one; `alike` how close it is in meaning, where that is known; `past` that something took its place since."""

    text: str
    score: float
    why: str
    at: datetime
    message_id: str | None = None
    fragment_id: str | None = None
    role: Role = "user"
    speaker: str = ""
    conversation_id: str | None = None
    expanded: str | None = None
    span: Span | None = None
    alike: float | None = None
    past: bool = False

    @property
    def full(self) -> str:
        """The text that stands alone: expanded where it had to be."""
        return self.text if self.expanded is None else self.expanded


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of a context: which tier and message it came from, what it costs, why it is there, how well it fits
    the query, whether it was cut."""

    tier: str
    text: str
    tokens: int
    why: str
    message_id: str | None = None
    score: float | None = None
    cut: bool = False


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What a context had no room for: its beginning, and about how many tokens all of it would have taken."""

    tier: str
    text: str
    tokens: int
    why: str
    message_id: str | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """The context for one prompt, within its budget. A part's tokens are those of its text alone; `between` are those
    of what joins them. `steps` are the milliseconds that each step of its making took."""

    text: str
    messages: tuple[Mapping[str, str], ...]
    tokens: int
    budget: int
    parts: tuple[Part, ...]
    left_out: tuple[LeftOut, ...] = ()
    warnings: tuple[str, ...] = ()
    steps: Mapping[str, float] = field(default_factory=dict, compare=False)

    @property
    def between(self) -> int:
        """The tokens of line breaks, of the heading above the talk and of the name of who asks."""
        return self.tokens - sum(part.tokens for part in self.parts)

    def to_openai(self) -> list[dict[str, str]]:
        """The list that OpenAI-compatible chat endpoints take as `messages`."""
        return [dict(message) for message in self.messages]

    def to_anthropic(self) -> dict[str, Any]:
        """The keyword arguments `system` (where there is something to say) and `messages` of Anthropic's Messages
        API."""
        system = "\n\n".join(m["content"] for m in self.messages if m["role"] == "system")
        talk = [dict(m) for m in self.messages if m["role"] != "system"]
        return {"system": system, "messages": talk} if system else {"messages": talk}


@dataclass(frozen=True, slots=True)
class Ingested:
    """What `ingest` or an import did: messages taken in, and those that were there already."""

    heard: int = 0
    said: int = 0
    known: int = 0


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What `forget` removed, and what may still hold it."""

    messages: int
    scopes: int = 0
    notes: tuple[str, ...] = ()
