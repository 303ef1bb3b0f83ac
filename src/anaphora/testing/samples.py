"""What the store suite works with: sample values, what it reads and writes, what it expects of an index."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from anaphora.ports import Corpus, Posting, Store, View
from anaphora.types import Boundary, Entity, Event, Factor, Intent, Message, Redaction, Reference, Scope, Signal


def terms_of(text: str) -> Mapping[str, int]:
    """Every word in lower case: what the store under test must index by."""
    return Counter(re.findall(r"\w+", text.lower()))


SCOPE = Scope("alice", "helper", "web")
# Each differs from SCOPE in one part, or reads the same when the parts are strung together.
OTHER_SCOPES = (
    Scope("bob", "helper", "web"),
    Scope("alice", "reviewer", "web"),
    Scope("alice", "helper", "api"),
    Scope("Alice", "helper", "web"),
    Scope("alice", "helperweb", ""),
)
NOON = datetime(2025, 11, 3, 12, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
WORDS = ("red", "green", "blue", "button", "purple")
TEXTS = (
    "line one\nline two\r\n\ttabbed, trailing space ",
    "naïve café, ﬁne ﬀ, e\u0301 is not é",
    "👩‍👩‍👧‍👦 🏳️‍🌈 🇪🇺 𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
    "\u202eright to left\u202c \u200fשלום\u200e مرحبا",
    "zero\u200bwidth \ufeff and \u2028 separators \u0001\u001b[31m",
    "'; DROP TABLE messages; -- \" % _ \\ \\u0000 {} []",
    "  ",
)

TRICKY = "naïve 👩‍👩‍👧‍👦 \u202eשלום"
EVERYTHING = Message(
    id=f"m/{TRICKY}",
    role="assistant",
    text="Make it purple",
    at=NOON.replace(microsecond=123_457),
    speaker=f"Zoë {TRICKY}",
    session=f"main {TRICKY}",
    conversation_id="c1",
    seq=99,
    expanded="Make the button purple",
    intents=(Intent("modify", 0.9, "design"), Intent("ask", 0.1)),
    entities=(Entity("button", "concept", (5, 7), "made"), Entity("app.py", "file", (0, 4))),
    references=(Reference("it", (5, 7), "the button", "m0", 0.83, ("the button", "the page"), "nearest", "c0"),),
    context_ref="m0",
    signals=(Signal("decision", "purple", "it is calm"), Signal("closing", "done")),
    redactions=(Redaction("api-key", (3, 9)),),
    boundary=Boundary("ask", "new", 0.61, "a gap", (Factor("gap", 1.5, "4 h"), Factor("overlap", -0.25, "none")), "c0"),
    importance=0.1 + 0.2,
    reply_to="m0",
    fleeting=True,
    metadata={"source": TRICKY, "nested": {"none": None, "list": [1, 2.5, True, "x", []]}, "big": 2**53},
)
STEP = Event(
    kind="boundary",
    at=NOON.replace(microsecond=1),
    session=f"main {TRICKY}",
    seq=99,
    conversation_id="c1",
    message_id="m1",
    author="alice",
    data={"why": TRICKY, "nested": {"none": None, "list": [1, 2.5, False]}},
)


class Stop(Exception):
    """Raised on purpose, to end a transaction."""


def said(id: str, text: str = "Make the button red", **changes: Any) -> Message:
    return replace(Message(id, "user", text, NOON, "alice", "main"), **changes)


def add(store: Store, *messages: Message, scope: Scope = SCOPE) -> list[Message]:
    with store.transaction(scope) as tx:
        return [tx.add(message) for message in messages]


def contents(view: View, words: Iterable[str] = WORDS) -> dict[str, Any]:
    """All that can be read, as one value."""
    return {
        "messages": view.messages(),
        "numbered": view.messages(seqs=range(1, 200)),
        "documents": [*view.documents("goal"), *view.documents("note")],
        "events": view.events(),
        "postings": {term: list(found) for term, found in view.find(words).postings.items()},
        "corpus": view.find(()).corpus,
    }


def write_everything(store: Store, scope: Scope = SCOPE) -> None:
    with store.transaction(scope) as tx:
        tx.add(said("m1", "a red button"))
        tx.add(said("m2", "a blue button"))
        tx.put("goal", "g1", {"text": "Write tests"})
        tx.emit(Event("started", NOON, "main"))


class Expect:
    """The block must raise this error."""

    def __init__(self, error: type[BaseException]) -> None:
        self._error = error

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        assert kind is not None, f"{self._error.__name__} was not raised"
        return issubclass(kind, self._error)


def expect_index(view: View, gone: Iterable[str] = ()) -> None:
    """The index says what the messages say: of `text` and, where there is one, of `expanded` too."""
    stored = view.messages()
    counts = {m.seq: terms_of(m.text if m.expanded is None else f"{m.text}\n{m.expanded}") for m in stored}
    expected: dict[str, list[Posting]] = {term: [] for term in gone}
    for seq, terms in counts.items():
        for term, times in terms.items():
            expected.setdefault(term, []).append((seq, times, sum(terms.values())))
    assert {term: list(found) for term, found in view.find(iter(expected)).postings.items()} == expected
    assert view.find(()).corpus == Corpus(len(stored), sum(sum(terms.values()) for terms in counts.values()))


def talk(n: int) -> str:
    """A text with a word that all have, one that all but the first have, words that many have, and one of its own."""
    return f"button {WORDS[n % 3]} {WORDS[n % 3]} {WORDS[n % 5]} n{n}{' later' if n > 9 else ''}"


def defaulted(value: Message | Event) -> list[str]:
    """The fields that a sample leaves as they are by default: a round trip would not notice their loss."""
    return [
        f.name
        for f in fields(value)
        if getattr(value, f.name) == (f.default_factory() if f.default_factory is not MISSING else f.default)
    ]
