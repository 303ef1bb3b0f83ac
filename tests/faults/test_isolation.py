"""Nothing of one scope ever comes back in another: a property of every reading method, on both stores."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anaphora import Memory, Settings
from anaphora.engine.place import Place
from anaphora.memory.terms import terms_of
from anaphora.memory.words import bm25
from anaphora.models.tokens import token_counter
from anaphora.ports import Store, View
from anaphora.stores import open_store
from anaphora.testing import FrozenClock
from anaphora.testing.samples import NOON, said
from anaphora.types import Event, Scope
from tests.talk import BOTH_STORES

# Names that differ in one part alone, in case alone, or not at all once they are strung together.
_names = st.sampled_from(["ann", "Ann", "an", "n", "ann ", "web", "annweb", "%", "a'b"])
_scopes = st.builds(Scope, _names, _names, _names)
_words = st.lists(st.sampled_from(["red", "blue", "button", "it", "header", "paint", "again"]), min_size=1, max_size=6)
_said = st.lists(st.tuples(st.booleans(), _words.map(" ".join)), min_size=2, max_size=8)
MODEL = "m"


@contextmanager
def _opened(place: str) -> Iterator[Store]:
    with TemporaryDirectory() as folder:
        path = place if place == ":memory:" else str(Path(folder) / place)
        store = open_store(path, terms_of=terms_of, durability="normal", busy_timeout=timedelta(seconds=10))
        try:
            yield store
        finally:
            store.close()


def _mark(mine: bool) -> str:
    """A word that one scope says, and the other never."""
    return "xylophone" if mine else "zeppelin"


# --- the store ----------------------------------------------------------------------------------------------------


def _write(store: Store, scope: Scope, number: int, text: str) -> None:
    with store.transaction(scope) as tx:
        added = tx.add(said(f"m{number}", text, conversation_id="c1"))
        tx.put("note", f"n{number}", {"text": text})
        tx.put("note", "shared", {"text": text})
        tx.emit(Event("heard", NOON, "main", conversation_id="c1", message_id=f"m{number}", data={"text": text}))
        tx.put_vectors(MODEL, {added.seq: [[1.0, 0.0]]} if number % 2 else {})


def _everything(view: View, query: str) -> dict[str, Any]:
    """What each reading method gives, but for order numbers that are a scope's own."""
    terms = [*terms_of(query), *terms_of("xylophone zeppelin red button")]
    found = view.find(terms)
    return {
        "message": [view.message(f"m{n}") for n in range(8)],
        "messages": view.messages(),
        "messages of a conversation": view.messages(conversation="c1", last=20),
        "messages of a session": view.messages(session="main"),
        "messages by number": view.messages(seqs=range(50)),
        "messages in time": view.messages(since=NOON, until=NOON + timedelta(days=1)),
        "document": [view.document("note", id) for id in ("shared", "n0", "n1")],
        "documents": view.documents("note"),
        "events": view.events(),
        "find": ({term: list(postings) for term, postings in found.postings.items()}, found.corpus),
        "scores": bm25(found.postings, found.corpus),
        "nearest": view.nearest(MODEL, [1.0, 0.0], 50),
        "without_vector": view.without_vector(MODEL, 50),
    }


@pytest.mark.parametrize("place", BOTH_STORES)
@settings(max_examples=25)
@given(pair=st.lists(_scopes, min_size=2, max_size=2, unique=True), talk=_said, query=_words.map(" ".join))
def test_a_view_is_the_same_as_if_no_other_scope_were_there(
    place: str, pair: list[Scope], talk: list[tuple[bool, str]], query: str
) -> None:
    with _opened(place) as shared, _opened(place) as alone:
        for number, (mine, text) in enumerate(talk):
            _write(shared, pair[0 if mine else 1], number, f"{text} {_mark(mine)}")
            if mine:
                _write(alone, pair[0], number, f"{text} {_mark(mine)}")
        seen = _everything(shared.view(pair[0]), query)
        assert seen == _everything(alone.view(pair[0]), query)
        messages = [seen[name] for name in seen if name not in ("find", "scores")]
        assert _mark(False) not in str(messages)


# --- the memory ---------------------------------------------------------------------------------------------------


def _memory(store: Store, scope: Scope, clock: FrozenClock) -> Memory:
    chosen = Settings(user=scope.user, agent=scope.agent, project=scope.project, background=False)
    place = Place(store, scope, "main", scope.user, chosen, clock)
    return Memory(place, lambda: token_counter("o200k"))


def _recalled(memory: Memory, query: str, clock: FrozenClock) -> dict[str, Any]:
    return {
        "recall": memory.recall(query, at=clock()),
        "recall of the mark": memory.recall("xylophone zeppelin", at=clock()),
        "context": replace(memory.context(query, budget=4000, at=clock()), steps={}),  # how long it took aside
        "conversations": memory.conversations(),
        "conversation": [memory.conversation(c.id) for c in memory.conversations()],
        "events": memory.events(),
        "state": memory.state,
        "summary": memory.summary,
        "question": memory.question,
        "window": memory.load(),
    }


@pytest.mark.parametrize("place", BOTH_STORES)
@settings(max_examples=10)
@given(pair=st.lists(_scopes, min_size=2, max_size=2, unique=True), talk=_said, query=_words.map(" ".join))
def test_a_memory_is_the_same_as_if_no_other_scope_were_there(
    place: str, pair: list[Scope], talk: list[tuple[bool, str]], query: str
) -> None:
    clock = FrozenClock()
    with _opened(place) as shared, _opened(place) as alone:
        mine, theirs, single = (
            _memory(store, scope, clock) for store, scope in ((shared, pair[0]), (shared, pair[1]), (alone, pair[0]))
        )
        for number, (ours, text) in enumerate(talk):
            clock.advance(minutes=1)
            for memory in (mine, single) if ours else (theirs,):
                memory.hear(f"{text} {_mark(ours)}", id=f"m{number}")
                with memory.update() as work:
                    work.decide(f"{text} {_mark(ours)}")
        for memory in (theirs, mine, single):  # what can wait, the vectors among it
            memory.finish()
        seen = _recalled(mine, query, clock)
        assert seen == _recalled(single, query, clock)
        assert _mark(False) not in str(seen).replace("xylophone zeppelin", "")
