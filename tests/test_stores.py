"""Both stores pass the shipped suite, and whatever is done to both, both say the same."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from copy import copy, deepcopy
from dataclasses import FrozenInstanceError, replace
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from anaphora.codec import to_plain
from anaphora.errors import AnaphoraError
from anaphora.ports import Store, Transaction, View
from anaphora.stores import indexing, records, rows
from anaphora.stores.memory import MemoryStore
from anaphora.stores.sqlite import SqliteStore
from anaphora.testing import StoreConformance
from anaphora.testing.conformance import terms_of
from anaphora.testing.samples import MINUTE, NOON, OTHER_SCOPES, SCOPE, Stop, contents, said
from anaphora.types import Event, Intent, Message, Scope


def _sqlite(path: Path) -> SqliteStore:
    return SqliteStore(str(path), terms_of, durability="normal", busy_timeout=timedelta(seconds=10))


class TestMemoryStore(StoreConformance):
    @pytest.fixture
    def store(self) -> Iterator[Store]:
        opened = MemoryStore(terms_of)
        yield opened
        opened.close()


class TestSqliteStore(StoreConformance):
    @pytest.fixture
    def store(self, store_path: Path) -> Iterator[Store]:
        opened = _sqlite(store_path)
        yield opened
        opened.close()


# --- what is read -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "look",
    [
        repr,
        copy,
        deepcopy,
        lambda message: pickle.loads(pickle.dumps(message)),
        lambda message: replace(message, text="other"),
        lambda message: to_plain(message, lean=True),
        lambda message: message.intents,
        lambda message: message,
    ],
)
def test_a_message_that_was_read_is_a_message_like_any_other(
    look: Callable[[Message], object], store_path: Path
) -> None:
    intents = (Intent("PLAN", 0.9), Intent("TEST", 0.5, "runner"))
    with closing(_sqlite(store_path)) as store, store.transaction(SCOPE) as tx:
        added = tx.add(said("m1", metadata={"list": [1]}, intents=intents, importance=0.7))
        read = [tx.message("m1") for _ in range(2)]
    assert isinstance(read[0], Message)
    assert isinstance(read[1], Message)
    assert look(read[0]) == look(added)  # the one that was read comes first in one comparison, second in the other
    assert look(added) == look(read[1])
    assert read[0] != replace(added, importance=0.6)


@pytest.mark.parametrize("part", [{"last": 17}, {"first": 17, "after": 1}, {"last": 1}, {}])
def test_a_young_session_is_read_without_going_through_what_was_said_elsewhere(
    store_path: Path, part: dict[str, Any]
) -> None:
    """Counted in steps of SQLite's machine."""
    steps = 0

    def count() -> bool:
        nonlocal steps
        steps += 1
        return False

    taken = []
    with closing(_sqlite(store_path)) as store:
        for elsewhere in (30, 600):
            with store.transaction(SCOPE) as tx:
                for n in range(elsewhere):
                    tx.add(replace(said(f"{elsewhere}-{n}"), session="elsewhere"))
                for n in range(5):
                    tx.add(replace(said(f"{elsewhere}-young-{n}"), session=f"young-{elsewhere}"))
            steps = 0
            with store._reading() as db:
                db.set_progress_handler(count, 1)
            found = store.view(SCOPE).messages(session=f"young-{elsewhere}", **part)
            with store._reading() as db:
                db.set_progress_handler(None)
            taken.append((len(found), steps))
    assert taken[0] == taken[1]


def test_a_field_that_messages_do_not_have_is_no_field_of_one_that_was_read(store_path: Path) -> None:
    with closing(_sqlite(store_path)) as store, store.transaction(SCOPE) as tx:
        tx.add(said("m1"))
        read = tx.message("m1")
    assert not hasattr(read, "intnets")
    with pytest.raises(FrozenInstanceError):
        setattr(read, "text", "other")  # noqa: B010 - an assignment that a type checker does not see


@pytest.mark.parametrize(
    "forget",
    [
        lambda tx: tx.remove(["m1"]),
        lambda tx: tx.replace(said("m1", "blue")),
        lambda tx: tx.erase(),
    ],
    ids=["removed", "replaced", "erased"],
)
def test_nothing_is_remembered_of_a_message_that_is_gone(
    forget: Callable[[Transaction], object], monkeypatch: pytest.MonkeyPatch, store_path: Path
) -> None:
    monkeypatch.setattr(rows, "BATCH", 1)  # so that its words are counted once more to take them out of the index
    with closing(_sqlite(store_path)) as store, store.transaction(SCOPE) as tx:
        tx.add(said("m1", "red", intents=(Intent("PLAN", 0.9),)))
        assert [m.intent for m in tx.messages()] == ["PLAN"]
        forget(tx)
        assert indexing._remembered.cache_info().currsize == 0
        assert not [parts for parts in records._REMEMBERED.values() if "PLAN" in str(parts)]


def test_who_replaces_a_message_lets_the_others_be_remembered(store_path: Path) -> None:
    with closing(_sqlite(store_path)) as store, store.transaction(SCOPE) as tx:
        tx.add(said("m1", "red", intents=(Intent("PLAN", 0.9),)))
        tx.add(said("m2", "green", intents=(Intent("TEST", 0.9),)))
        tx.replace(said("m1", "red", intents=(Intent("ASK", 0.9),)))
        remembered = {intent.name for parts in records._REMEMBERED.values() for intent in parts["intents"]}
        assert {"TEST", "ASK"} <= remembered
        assert "PLAN" not in remembered
        assert [m.intent for m in tx.messages()] == ["ASK", "TEST"]


# --- the same on both ---------------------------------------------------------------------------------------------

VOCABULARY = ("red", "green", "blue", "Äpfel", "👍x")
TERMS = [*terms_of(" ".join(VOCABULARY)), "never"]

_ids = st.sampled_from([f"m{n}" for n in range(24)])
_texts = st.lists(st.sampled_from(VOCABULARY), max_size=4).map(" ".join)
_times = st.integers(-3, 3).map(lambda n: NOON + n * MINUTE)
_plain = st.dictionaries(st.text("ab", max_size=1), st.none() | st.integers() | st.text(max_size=3), max_size=2)
_conversations = st.sampled_from([None, "c1", "c2"])
_sessions = st.sampled_from(["main", "side"])
_messages = st.builds(
    said,
    _ids,
    _texts,
    at=_times,
    session=_sessions,
    conversation_id=_conversations,
    expanded=st.none() | _texts,
    metadata=_plain,
)
_names = st.sampled_from(["a", "b", "c"])
_kinds = st.sampled_from(["goal", "note"])
_operations = st.one_of(
    st.tuples(st.just("add"), _messages),
    st.tuples(st.just("add"), _messages),  # twice as often as the rest, so that the stores fill
    st.tuples(st.just("replace"), _messages),
    st.tuples(st.just("remove"), st.lists(_ids, max_size=3)),
    st.tuples(st.just("put"), _kinds, _names, _plain),
    st.tuples(st.just("drop"), _kinds, _names),
    st.tuples(st.just("emit"), st.builds(Event, _names, _times, _sessions, message_id=st.none() | _ids, data=_plain)),
)


def _outcome(tx: Transaction, operation: tuple[Any, ...]) -> object:
    """What an operation returns, or the kind of error that it ends in."""
    name, *arguments = operation
    try:
        return getattr(tx, name)(*arguments)
    except AnaphoraError as error:
        return type(error)


class Twins(RuleBasedStateMachine):
    """A store in memory and one on disk, to which the same is done."""

    most: ClassVar[int] = 0

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.path = Path(self.folder.name) / "anaphora.db"
        self.memory, self.sqlite = MemoryStore(terms_of), _sqlite(self.path)

    def teardown(self) -> None:
        self.sqlite.close()
        self.folder.cleanup()

    def views(self, scope: Scope) -> tuple[View, View]:
        return self.memory.view(scope), self.sqlite.view(scope)

    @rule(
        scope=st.sampled_from([SCOPE, OTHER_SCOPES[0]]),
        operations=st.lists(_operations, min_size=1, max_size=8),
        commit=st.sampled_from([True, True, True, False]),
    )
    def work(self, scope: Scope, operations: list[tuple[Any, ...]], commit: bool) -> None:
        with suppress(Stop), self.memory.transaction(scope) as one, self.sqlite.transaction(scope) as two:
            for operation in operations:
                assert _outcome(one, operation) == _outcome(two, operation)
            assert contents(one, TERMS) == contents(two, TERMS)
            if not commit:
                raise Stop

    @rule(start=st.integers(0, 1000), texts=st.lists(_texts, min_size=1, max_size=6))
    def talk(self, start: int, texts: list[str]) -> None:
        """A stretch of messages with ids of their own, so that the index has batches to write."""
        new: list[Message] = [said(f"t{start + n}", text) for n, text in enumerate(texts)]
        with self.memory.transaction(SCOPE) as one, self.sqlite.transaction(SCOPE) as two:
            assert [_outcome(one, ("add", m)) for m in new] == [_outcome(two, ("add", m)) for m in new]

    @rule()
    def reopen(self) -> None:
        self.sqlite.close()
        self.sqlite = _sqlite(self.path)

    @rule(
        filters=st.fixed_dictionaries(
            {},
            optional={
                "conversation": _conversations,
                "session": _sessions,
                "seqs": st.lists(st.integers(0, 40), max_size=10),
                "since": _times,
                "until": _times,
                "last": st.integers(0, 10),
            },
        ),
        since=st.integers(0, 10),
        limit=st.none() | st.integers(0, 5),
        terms=st.lists(st.sampled_from(TERMS), max_size=3),
    )
    def read(self, filters: dict[str, Any], since: int, limit: int | None, terms: list[str]) -> None:
        one, two = self.views(SCOPE)
        assert one.messages(**filters) == two.messages(**filters)
        assert one.events(since, limit) == two.events(since, limit)
        assert one.find(terms).postings == two.find(terms).postings

    @invariant()
    def both_say_the_same(self) -> None:
        for scope in (SCOPE, OTHER_SCOPES[0]):
            one, two = self.views(scope)
            assert contents(one, TERMS) == contents(two, TERMS)
            assert [one.message(m.id) for m in two.messages()] == two.messages()
            assert [one.document(d.kind, d.id) for d in two.documents("goal")] == two.documents("goal")
            Twins.most = max(Twins.most, one.find(()).corpus.messages)


def test_both_stores_answer_alike_whatever_is_done_to_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "BATCH", 3)
    monkeypatch.setattr(indexing, "RUN", 2)
    run_state_machine_as_test(Twins, settings=settings(max_examples=50, stateful_step_count=25))
    assert Twins.most > 3 * rows.BATCH, "the index never came past its borders"
