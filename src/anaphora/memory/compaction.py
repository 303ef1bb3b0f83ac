"""How a long conversation is made short: what may be put together, what it is told as, and what is worth keeping.

Nothing here takes a message away: a cluster stands in a context in place of the messages that it cites, and an
archived stretch is told by its fragment and the summary. The messages stay where they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from anaphora.memory.digest import Digest
from anaphora.memory.summary import cut
from anaphora.settings import Settings
from anaphora.types import Conversation, Message, Role
from anaphora.understanding.evidence import content_of

__all__ = [
    "ALIKE_MEANING",
    "Cluster",
    "Compaction",
    "cluster_of",
    "folded",
    "group_similar",
    "may_join",
    "tags_of",
    "word_likeness",
    "worth",
]

ALIKE_WORDS = 0.6  # share of their words that two messages have in common
ALIKE_MEANING = 0.8  # cosine of their vectors
_BINDS = ("decision", "constraint", "goal", "remember")
_QUOTED = 160  # characters of the message that speaks for its cluster
_APART = 8  # words in which the others differ
_TAGS = 5


@dataclass(frozen=True, slots=True)
class Cluster:
    """Similar messages as one: what they say, and which they are. `seq` is where the last of them stands."""

    text: str
    message_ids: tuple[str, ...]
    role: Role
    speaker: str
    at: datetime
    seq: int
    importance: float


@dataclass(frozen=True, slots=True)
class Compaction:
    """How far a conversation has been compacted: for each step the sequence number that it reached, how many messages
    it has dealt with, and how many the conversation had by then. `counted` and `tokens` measure what is not archived
    yet, `judged` is how many messages it had when its worth was last judged, `whole` the fragment of all of it."""

    conversation_id: str
    clustered: int = 0
    clustered_count: int = 0
    clustered_at: int = 0
    archived: int = 0
    archived_count: int = 0
    archived_at: int = 0
    counted: int = 0
    tokens: int = 0
    parts: int = 0
    judged: int = 0
    whole: str = ""
    clusters: tuple[Cluster, ...] = ()

    def without(self, gone: set[str]) -> Compaction:
        """Clusters that cite one of these messages are let go; they may be made anew."""
        return replace(self, clusters=tuple(c for c in self.clusters if not gone & set(c.message_ids)))


# --- clusters -----------------------------------------------------------------------------------------------------


def may_join(message: Message) -> bool:
    """Whether a message may stand behind a cluster: what binds is told in its own words."""
    return not any(s.kind in _BINDS for s in message.signals)


def word_likeness(messages: Sequence[Message]) -> Callable[[int, int], bool]:
    """Whether two of the messages have most of their words in common."""
    words = [content_of(m.text) for m in messages]

    def alike(i: int, j: int) -> bool:
        one, two = words[i], words[j]
        return bool(one and two) and len(one & two) >= ALIKE_WORDS * (len(one) * len(two)) ** 0.5

    return alike


def group_similar(
    messages: Sequence[Message], alike: Callable[[int, int], bool], *, above: int
) -> list[tuple[Message, ...]]:
    """Groups of more than `above` messages that are like their first one and said by the same speaker, in order."""
    groups: list[tuple[Message, ...]] = []
    taken: set[int] = {n for n, m in enumerate(messages) if not may_join(m)}
    for first, message in enumerate(messages):
        if first in taken:
            continue
        voice = (message.role, message.speaker)
        near = [
            n
            for n in range(first, len(messages))
            if n not in taken and (messages[n].role, messages[n].speaker) == voice and (n == first or alike(first, n))
        ]
        if len(near) > above:
            groups.append(tuple(messages[n] for n in near))
            taken.update(near)
    return groups


def cluster_of(messages: Sequence[Message]) -> Cluster:
    """What the messages say together: the longest of them, and the words in which the others differ."""
    spoken = max(messages, key=lambda m: (len(content_of(m.text)), -m.seq))
    known = content_of(spoken.text)
    apart: dict[str, str] = {}
    for message in messages:
        for word in message.text.split():
            bare = word.strip(".,;:!?()[]{}\"'")
            if content_of(bare) - known:
                apart.setdefault(bare.lower(), bare)
    others = f"; the others differ in: {', '.join([*apart.values()][:_APART])}" if apart else ""
    last = messages[-1]
    return Cluster(
        text=f"({len(messages)} similar messages) {cut(spoken.text, _QUOTED)}{others}",
        message_ids=tuple(m.id for m in messages),
        role=last.role,
        speaker=last.speaker,
        at=last.at,
        seq=last.seq,
        importance=max(m.importance for m in messages),
    )


def folded(messages: Sequence[Message], compaction: Compaction) -> list[Message]:
    """Recent messages as a context shows them: those that were archived left out, each cluster in place of its
    messages, where the last of them stood."""
    behind = {id for cluster in compaction.clusters for id in cluster.message_ids}
    first = messages[0].seq if messages else 0
    stand_ins = [_stand_in(c, compaction) for c in compaction.clusters if c.seq >= max(first, compaction.archived + 1)]
    kept = [m for m in messages if m.seq > compaction.archived and m.id not in behind]
    return sorted([*kept, *stand_ins], key=lambda m: m.seq)


def _stand_in(cluster: Cluster, compaction: Compaction) -> Message:
    return Message(
        id=f"cluster-{cluster.seq}",
        role=cluster.role,
        text=cluster.text,
        at=cluster.at,
        speaker=cluster.speaker,
        session="",
        conversation_id=compaction.conversation_id,
        seq=cluster.seq,
        importance=cluster.importance,
        metadata={"cites": list(cluster.message_ids)},
    )


# --- what is worth keeping ----------------------------------------------------------------------------------------

_POINTS: Mapping[str, int] = {"decision": 2, "constraint": 2, "remember": 2, "done": 1, "goal": 1}
_DONE_WELL = ("implemented", "tested", "completed", "merged")


def worth(digest: Digest, conversation: Conversation, settings: Settings) -> str | None:
    """Why an ended conversation is worth a fragment of its own; None where it is not.

    Two points for each decision, constraint and thing to remember, one for each goal and each thing done, one for
    files that were changed and one for an outcome that came about."""
    if digest.messages < settings.archive_messages:
        return None
    counts = {kind: len(digest.of(kind)) for kind in ("decision", "constraint", "remember", "goal", "done")}
    score = sum(_POINTS[kind] * n for kind, n in counts.items())
    reasons = [f"{n} {kind}{'' if n == 1 else 's'}" for kind, n in counts.items() if n and kind != "done"]
    if conversation.files_modified:
        score += 1
        reasons.append("files changed")
    if conversation.outcome in _DONE_WELL:
        score += 1
        reasons.append(conversation.outcome)
    return ", ".join(reasons) if score >= settings.archive_worth else None


def tags_of(digest: Digest, conversation: Conversation) -> tuple[str, ...]:
    """By hand, or what was talked about most."""
    often = sorted(digest.names, key=lambda name: -digest.names[name])
    return conversation.tags or tuple(dict.fromkeys(name.lower() for name in often[:_TAGS]))
