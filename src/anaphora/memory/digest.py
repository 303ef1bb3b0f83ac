"""What a conversation came to, kept up message by message: its goals, decisions, constraints, what is done and next.

A digest carries its own running state, so that one more message costs the same however long the conversation is. It
is made of the speakers' own words, and the same messages always make the same digest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

from anaphora.memory.summary import cut
from anaphora.memory.window import is_talk
from anaphora.settings import Settings
from anaphora.types import Message, Signal
from anaphora.understanding.mentions import told
from anaphora.understanding.patterns import expression
from anaphora.understanding.signals import find_signals
from anaphora.understanding.text import has_code

__all__ = ["LONGEST", "Digest", "Point", "PointKind", "digested", "fold", "fold_sitting", "signals_of", "with_sitting"]

PointKind = Literal["goal", "decision", "constraint", "action", "done", "remember", "error", "said"]

_MUST: tuple[PointKind, ...] = ("goal", "decision", "constraint")
_KEPT: Mapping[PointKind, int] = {
    "goal": 60,
    "decision": 60,
    "constraint": 60,
    "action": 10,
    "done": 12,
    "remember": 10,
    "error": 2,
    "said": 30,
}
_KIND_OF: Mapping[str, PointKind] = {
    "goal": "goal",
    "decision": "decision",
    "constraint": "constraint",
    "action": "action",
    "completion": "done",
    "remember": "remember",
    "error": "error",
}
_BY_REPLIES: tuple[PointKind, ...] = ("done",)  # what a reply proposes is nobody's decision yet
LONGEST = 240  # characters of a point
_NAMES, _FILES = 30, 12
_LAID_DOWN = expression(
    r"^\W*(?:let['’]?s|we)\b|\b(?:may|shall|should) (?:not|only|never|always|be|stay|have)\b", re.IGNORECASE
)
_MATTERS = 0.15  # how much more a statement weighs that lays something down
_A_REQUEST = 3  # words that say what is wanted; "Hi there" does not


@dataclass(frozen=True, slots=True)
class Point:
    """One thing to keep of a conversation, in the words of the message that it came from."""

    kind: PointKind
    text: str
    because: str | None = None
    message_id: str | None = None
    importance: float = 0.5
    number: int = 0  # which message of the conversation said it

    @property
    def must(self) -> bool:
        """Whether no summary may leave it out for want of a better reason than its budget."""
        return self.kind in _MUST


@dataclass(frozen=True, slots=True)
class Digest:
    """The running state of a summary. `upto` is the sequence number of the last message in it, `more` counts what was
    said of goals, decisions and constraints beyond what is kept."""

    conversation_id: str
    upto: int = 0
    messages: int = 0
    replies: int = 0
    commands: int = 0  # that came between them, and say nothing
    objective: str = ""
    clear: bool = False  # whether the objective was said as such, and not only guessed from the first words
    points: tuple[Point, ...] = ()
    more: int = 0
    names: Mapping[str, int] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    last: str = ""
    at: datetime | None = None
    told: bool = False  # begun from a summary that someone else wrote, of messages that are not here

    def of(self, *kinds: str) -> list[Point]:
        return [p for p in self.points if p.kind in kinds]


def digested(conversation_id: str, messages: Iterable[Message], settings: Settings) -> Digest:
    """The digest of these messages alone."""
    return fold(Digest(conversation_id), messages, settings)


def fold(digest: Digest, messages: Iterable[Message], settings: Settings) -> Digest:
    """The digest with more messages in it; commands are passed over."""
    for message in messages:
        if is_talk(message.text, settings):
            digest = _folded(digest, message)
        else:
            digest = replace(digest, upto=message.seq, at=message.at, commands=digest.commands + 1)
    return digest


def fold_sitting(digest: Digest, messages: Sequence[Message], settings: Settings) -> Digest:
    """The same over whatever conversations a session has; after so long a gap it begins anew, so that what was said
    before the last one need not be looked at."""
    times = [digest.at, *(message.at for message in messages)]
    for first in range(len(messages) - 1, -1, -1):
        before = times[first]
        if before is not None and messages[first].at - before > settings.gap_new:
            return fold(Digest(digest.conversation_id), messages[first:], settings)
    return fold(digest, messages, settings)


def with_sitting(digest: Digest, sitting: Digest) -> Digest:
    """The digest of a conversation with what was said elsewhere in its session and may still hold."""
    known = {(p.kind, p.text.lower()) for p in digest.points}
    elsewhere = [p for p in sitting.points if p.kind != "error" and (p.kind, p.text.lower()) not in known]
    if not elsewhere:
        return digest
    earlier = tuple(replace(p, number=0) for p in elsewhere)  # of equals the conversation's own come first
    return replace(digest, points=(*earlier, *digest.points), more=max(digest.more, sitting.more))


def _folded(digest: Digest, message: Message) -> Digest:
    heard = message.role == "user"
    signals = signals_of(message)
    digest = replace(
        digest,
        upto=message.seq,
        at=message.at,
        messages=digest.messages + 1,
        replies=digest.replies + (not heard),
    )
    if any(s.kind == "injection" for s in signals):  # an order to the model is no business of the conversation
        return digest
    digest = replace(digest, names=_named(digest.names, message), files=_files(digest.files, message))
    points = [_point(s, message, digest.messages) for s in signals if s.kind in _KIND_OF]
    digest = _with(digest, [p for p in points if heard or p.kind in _BY_REPLIES])
    if not heard:
        return digest
    words = cut(told(message.text, message.full, message.references), LONGEST)
    if not points:
        weight = _weight_of(message.text, message.importance)
        digest = _with(digest, [Point("said", words, None, message.id, weight, digest.messages)])
    return _with_objective(replace(digest, last=words), words, points)


def signals_of(message: Message) -> tuple[Signal, ...]:
    """As they were found when the message was heard; looked for here where it was stored in another way."""
    return message.signals if message.boundary is not None else find_signals(message.full)


def _weight_of(text: str, importance: float) -> float:
    """How much an unmarked statement may matter later: what is laid down more than what is asked."""
    laid_down = _LAID_DOWN.search(text) and not text.rstrip().endswith("?") and not has_code(text)
    return round(importance + (_MATTERS if laid_down else 0.0), 3)


def _point(signal: Signal, message: Message, number: int) -> Point:
    because = cut(signal.because, LONGEST) if signal.because else None
    return Point(
        _KIND_OF[signal.kind], cut(signal.text, LONGEST), because, message.id, round(message.importance, 3), number
    )


def _with(digest: Digest, points: Iterable[Point]) -> Digest:
    """With the points, each once and by its newest words; of each kind the most important are kept."""
    for point in points:
        words = point.text.lower()
        others = [p for p in digest.points if p.kind != point.kind or p.text.lower() != words]
        alike = [p for p in (*others, point) if p.kind == point.kind]
        if len(alike) > _KEPT[point.kind]:
            weakest = min(alike, key=lambda p: (p.importance, p.number))
            digest = replace(digest, more=digest.more + point.must)
            others = [p for p in others if p is not weakest]
            if weakest is point:
                digest = replace(digest, points=tuple(others))
                continue
        digest = replace(digest, points=(*others, point))
    return digest


def _with_objective(digest: Digest, words: str, points: Iterable[Point]) -> Digest:
    """The first goal that was said; until there is one, the first words that say something."""
    goal = next((p.text for p in points if p.kind == "goal"), None)
    if goal is not None and not digest.clear:
        return replace(digest, objective=goal, clear=True)
    vague = len(digest.objective.split()) < _A_REQUEST
    if not digest.objective or (vague and len(words.split()) >= _A_REQUEST):
        return replace(digest, objective=words)
    return digest


def _named(names: Mapping[str, int], message: Message) -> dict[str, int]:
    """How often each thing was named; of many the rarest go, of those the oldest."""
    counted = dict(names)
    for entity in message.entities:
        if entity.kind != "file" and entity.role not in ("attribute", "excluded"):
            name = cut(entity.text, 60)
            counted[name] = counted.pop(name, 0) + 1
    if len(counted) > _NAMES:
        kept = sorted(counted, key=lambda name: -counted[name])[:_NAMES]  # stable: of equals the older come first
        newest = list(counted)[-_NAMES // 3 :]
        counted = {name: n for name, n in counted.items() if name in kept[: _NAMES - len(newest)] or name in newest}
    return counted


def _files(files: tuple[str, ...], message: Message) -> tuple[str, ...]:
    named = [cut(e.text, 120) for e in message.entities if e.kind == "file" and e.role != "excluded"]
    kept = [f for f in files if f not in named]
    return tuple(dict.fromkeys((*kept, *named)))[-_FILES:]
