"""What Anaphora asks of the world: a store, a clock, a token counter. Anything that fits these can be plugged in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

from anaphora.types import EntityKind, Event, Message, Scope, Span

__all__ = [
    "Clock",
    "Corpus",
    "Document",
    "Embedder",
    "Found",
    "Gap",
    "Judgement",
    "LanguageModel",
    "Line",
    "Near",
    "Pointed",
    "Posting",
    "Reader",
    "Store",
    "TermsOf",
    "TokenCounter",
    "Transaction",
    "View",
]


class Clock(Protocol):
    def __call__(self) -> datetime:
        """Now, as an aware datetime."""


@runtime_checkable
class TokenCounter(Protocol):
    @property
    def name(self) -> str: ...

    def count(self, text: str) -> int:
        """How many tokens the text takes."""


TermsOf = Callable[[str], Mapping[str, int]]
"""The index terms of a text, each with how often it occurs. A store is given one, so that all stores rank alike."""


@dataclass(frozen=True, slots=True)
class Document:
    """A record that changes: a conversation, a session, the working state, an intent. `version` counts its changes
    from 1."""

    kind: str
    id: str
    version: int
    body: Mapping[str, Any]


Posting = tuple[int, int, int]
"""A message that holds a term: its sequence number, how often, and how many terms it has in all."""


class Corpus(NamedTuple):
    """How many messages a scope holds, and how many terms they have together."""

    messages: int
    terms: int


class Found(NamedTuple):
    """What a search by words rests on, all of one moment."""

    corpus: Corpus
    postings: Mapping[str, Sequence[Posting]]


class Near(NamedTuple):
    """A message near in meaning: its sequence number, which piece of it comes nearest, and the inner product."""

    seq: int
    piece: int
    score: float


class View(Protocol):
    """Reading, within one scope. Lists are in the order of arrival."""

    def message(self, id: str) -> Message | None: ...

    def messages(
        self,
        *,
        conversation: str | None = None,
        session: str | None = None,
        seqs: Iterable[int] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        after: int | None = None,
        first: int | None = None,
        last: int | None = None,
    ) -> list[Message]:
        """The messages that fit every filter given; `first` keeps the oldest so many, `last` the newest. `until` is
        exclusive, `after` a sequence number."""

    def document(self, kind: str, id: str) -> Document | None: ...

    def documents(self, kind: str) -> list[Document]:
        """All documents of a kind, in the order in which they were first put."""

    def events(self, since: int = 0, limit: int | None = None, *, conversation: str | None = None) -> list[Event]:
        """The events after sequence number `since`, of all conversations or of one."""

    def find(self, terms: Iterable[str]) -> Found:
        """For each term the messages that hold it, those added a moment ago included, and the scope's statistics."""

    def nearest(self, model: str, vector: Sequence[float], k: int, among: Iterable[int] | None = None) -> list[Near]:
        """The `k` messages whose vectors of this model are most alike, each by its best piece, best first; of equals
        the newest. `among` looks at these sequence numbers alone."""

    def without_vector(self, model: str, limit: int, after: int = 0) -> list[Message]:
        """Messages that have no vector of this model yet, newest first; those with a sequence number above `after`."""

    def has_vectors(self, model: str) -> bool:
        """Whether any message has a vector of this model."""


class Transaction(View, Protocol):
    """Reading and writing, within one scope, all or nothing, with no other writer of the scope in between."""

    def add(self, message: Message) -> Message:
        """Append a message; it comes back with its sequence number. Its id must be new in the scope."""

    def replace(self, message: Message) -> None:
        """Change what is known about a stored message; id and sequence number stay."""

    def remove(self, ids: Iterable[str]) -> int:
        """Delete messages for good, out of the index too; how many there were."""

    def put(self, kind: str, id: str, body: Mapping[str, Any]) -> int:
        """Write a document; its new version."""

    def drop(self, kind: str, id: str) -> bool:
        """Delete a document for good; whether it was there."""

    def emit(self, event: Event) -> Event:
        """Append an event; it comes back with its sequence number."""

    def blank(self, seqs: Iterable[int]) -> None:
        """Take conversation, message and data out of events; what happened and when stays, in its order."""

    def put_vectors(self, model: str, vectors: Mapping[int, Sequence[Sequence[float]]]) -> None:
        """By sequence number the vectors of all pieces of a message, in order, in place of those it had. They are of
        unit length, kept to half precision, and go with their message."""

    def reindex(self) -> None:
        """Make the word index anew from the messages."""

    def erase(self) -> None:
        """Delete everything of the scope for good."""


class Store(Protocol):
    """Where memories live. The scope is part of every access and cannot be left out."""

    def view(self, scope: Scope) -> View: ...

    def transaction(self, scope: Scope) -> AbstractContextManager[Transaction]:
        """Commits when the block ends, takes everything back when it raises. Raises StoreInterrupted where it was
        taken back through no fault of the block, which may then be run again."""

    def scopes(self) -> list[Scope]:
        """Every scope that holds something, in order of their making. For upkeep: nothing else crosses scopes."""

    def verify(self, scope: Scope | None = None) -> list[str]:
        """What is wrong with the store, in words; empty if it is whole."""

    def erased_elsewhere(self, scope: Scope) -> bool:
        """Whether another process erased something of the scope since this was last asked: what is kept of its texts,
        to be quick, is to go then."""

    def scrub(self) -> list[str]:
        """See that what was deleted is gone from free pages and logs too; what still may hold it, in words."""

    def close(self) -> None: ...


# --- reading ------------------------------------------------------------------------------------------------------


class Pointed(NamedTuple):
    """A word of an earlier message, and how likely it belongs into the new one."""

    line: int
    span: Span
    probability: float


@dataclass(frozen=True, slots=True)
class Gap:
    """A place of a message that stands for something said earlier: words that point back, or (an empty span) nothing.

    `link` is the word that would tie the missing piece to the rest ("of", "in", …)."""

    span: Span
    probability: float
    link: str
    words: tuple[Pointed, ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a reader makes of a message after those before it. Probabilities, all of them, and no decision."""

    new: float
    needs: float
    intents: Mapping[str, float]
    gaps: tuple[Gap, ...]
    entities: tuple[tuple[Span, EntityKind, float], ...]
    pointing: Callable[[], tuple[Gap, ...]] | None = field(default=None, compare=False, repr=False)

    def pointed(self) -> Judgement:
        """With the words that each gap points to. To find them may take as long as all the rest, so a reader leaves it
        until someone asks."""
        return self if self.pointing is None else replace(self, gaps=self.pointing(), pointing=None)


@dataclass(frozen=True, slots=True)
class Line:
    """An earlier message as a reader sees it; `mine` where the one who speaks now said it. `request` is the place of
    what it asks for, `whole` says that it stood alone as it was said."""

    text: str
    mine: bool
    request: Span | None = None
    whole: bool = True


class Reader(Protocol):
    """Judges a message by those before it, the oldest first. May be called from many threads."""

    def judge(self, text: str, lines: Sequence[Line], /, *, talk: bool) -> Judgement:
        """`talk` says that several people talk, rather than one with an assistant."""

    def prepare(self, *texts: str) -> object:
        """Get ready for messages that others will be read after; it need not do anything."""

    def forget(self) -> None:
        """Keep nothing of what was read."""


class Embedder(Protocol):
    """Texts as directions in a space: the closer in meaning, the closer in direction. May be called from many
    threads."""

    @property
    def name(self) -> str: ...

    @property
    def width(self) -> int: ...

    def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """One row of length 1 for each text."""


class LanguageModel(Protocol):
    """Writes texts, where the user has configured one. Nothing is ever sent to one that was not."""

    @property
    def name(self) -> str: ...

    def complete(self, system: str, text: str, /) -> str:
        """The answer; raises ServiceUnavailable where there is none, in time and in form."""
