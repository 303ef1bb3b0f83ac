"""Vectors of many messages are made while they are taken in: the same ones, each once, and never in their way."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import anaphora
from anaphora import Memory
from anaphora.engine.beside import Beside
from anaphora.engine.embedding import Vectors, model_of
from anaphora.engine.later import Later
from anaphora.engine.lessons import KNOWLEDGE
from anaphora.engine.traces import SUMMARY
from anaphora.errors import MissingExtra, StoreError
from anaphora.models.embedder import BundledEmbedder, bundled_embedder
from anaphora.models.reader import bundled_reader
from anaphora.models.sessions import WIDTH
from anaphora.ports import Judgement, Line, Near
from anaphora.stores.memory import MemoryStore
from anaphora.testing import FrozenClock
from tests.test_ingest import START, all_of, messages, one_by_one

WITH_READER = WITH_EMBEDDER = True

MODEL = model_of(bundled_embedder())


class Watched:
    """The bundled embedder, with what it was asked for and by which threads."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.texts: Counter[str] = Counter()
        self.threads: set[str] = set()
        for_real = BundledEmbedder.embed

        def embed(embedder: BundledEmbedder, texts: Sequence[str]) -> NDArray[np.float32]:
            self.texts.update(texts)
            self.threads.add(threading.current_thread().name)
            return for_real(embedder, texts)

        monkeypatch.setattr(BundledEmbedder, "embed", embed)


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Watched:
    return Watched(monkeypatch)


@pytest.fixture(autouse=True)
def _nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread for what can wait never wakes up: what is done is done by the ingest, or when it is asked for."""
    monkeypatch.setattr("anaphora.engine.later.Later.wake", lambda _: None)


def without_vector(memory: Memory) -> list[str]:
    return [m.id for m in memory._place.view.without_vector(MODEL, 1000)]


def nearest(memory: Memory) -> list[list[Near]]:
    """How near each message is to some texts: two memories that agree in this hold the same vectors."""
    asked = bundled_embedder().embed(["the purple button", "tokens and keys", "dark mode"])
    return [memory._place.view.nearest(MODEL, one.tolist(), 1000) for one in asked]


@pytest.mark.parametrize("store", ["store_path", "postgres_url"])
def test_a_memory_that_took_in_many_at_once_is_the_same_as_one_that_heard_them_one_by_one(
    store: str, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setattr("anaphora.engine.ingesting._BATCH", 23)
    where = request.getfixturevalue(store)
    with (
        anaphora.open(where, clock=clock, background=True) as many,
        anaphora.open(where, clock=clock, project="another") as single,
    ):
        many.ingest(messages(4))
        assert without_vector(many) == []
        one_by_one(single, messages(4))
        many.finish()
        single.finish()
        assert all_of(many) == all_of(single)
        assert nearest(many) == nearest(single)
        assert len(nearest(many)[0]) == len(many._place.view.messages())
        assert many.verify() == []


def test_summaries_and_lessons_are_made_while_vectors_are(
    clock: FrozenClock, monkeypatch: pytest.MonkeyPatch, watched: Watched
) -> None:
    """What `finish` would do of them is done, and the same."""
    nothing_else = threading.Event()
    make_some, piece = Vectors.make_some, Later.piece

    def after_everything_else(vectors: Vectors) -> bool:
        return nothing_else.wait(60) and make_some(vectors)

    def until_there_is_no_more(later: Later) -> bool:
        more = piece(later)
        if not more:
            nothing_else.set()
        return more

    monkeypatch.setattr(Vectors, "make_some", after_everything_else)
    monkeypatch.setattr(Later, "piece", until_there_is_no_more)
    many = [{**message, "text": f"{message['text']}, as in {message['id']}"} for message in messages(4)]
    with (
        anaphora.open(":memory:", clock=clock, background=True) as at_once,
        anaphora.open(":memory:", clock=clock, background=True) as afterwards,
    ):
        at_once.ingest(many)
        assert kinds_of(at_once) == {SUMMARY, KNOWLEDGE}
        assert without_vector(at_once) == []
        assert set(watched.texts.values()) == {1}
        monkeypatch.setattr(Later, "piece", lambda _: False)
        afterwards.ingest(many)
        assert kinds_of(afterwards) == set()
        at_once.finish()
        afterwards.finish()
        assert all_of(at_once) == all_of(afterwards)
        assert nearest(at_once) == nearest(afterwards)


def kinds_of(memory: Memory) -> set[str]:
    return {kind for kind in (SUMMARY, KNOWLEDGE) if memory._place.view.documents(kind)}


def test_each_text_is_embedded_once_whoever_does_it(clock: FrozenClock, watched: Watched) -> None:
    with anaphora.open(":memory:", clock=clock, background=True) as memory:
        memory.ingest(messages())
        memory.finish()
        assert set(watched.texts.values()) == {1}
        assert watched.threads <= {"MainThread", "anaphora-beside"}
        assert not any(t.name == "anaphora-beside" for t in threading.enumerate())


def test_a_batch_that_is_heard_again_is_not_embedded_again(
    store_path: Path, clock: FrozenClock, watched: Watched
) -> None:
    with anaphora.open(store_path, clock=clock, reader="none", embedder="none") as other:

        class Disturbed:
            heard = 0

            def judge(self, text: str, lines: Sequence[Line], /, *, talk: bool) -> Judgement:
                self.heard += 1
                if self.heard == 12:
                    other.hear("Something else", at=START)
                return bundled_reader().judge(text, lines, talk=talk)

            def prepare(self, *_: str) -> object:
                return None

            def forget(self) -> None: ...

        reader = Disturbed()
        with anaphora.open(store_path, clock=clock, background=True, reader=reader) as memory:
            memory.ingest(messages())
            assert reader.heard > len([m for m in messages() if m["role"] == "user"])
            assert set(watched.texts.values()) == {1}
            memory.finish()
            assert without_vector(memory) == []


@pytest.mark.parametrize(
    ("how", "values", "count"),
    [
        ("nothing happens by itself", {"background": False}, 17),
        ("no meaning is wanted", {"background": True, "embedder": "none"}, 17),
        ("no reader reads", {"background": True, "reader": "none"}, 17),
        ("they are few", {"background": True}, 5),
    ],
)
def test_nothing_is_embedded_by_an_ingest_where(
    how: str, values: dict[str, Any], count: int, clock: FrozenClock, watched: Watched
) -> None:
    with anaphora.open(":memory:", clock=clock, **values) as memory:
        memory.ingest(messages()[:count])
        assert not watched.texts, how


def test_by_rules_alone_nothing_is_embedded_either(clock: FrozenClock, watched: Watched) -> None:
    with anaphora.open(":memory:", clock=clock, background=True) as memory:
        memory.ingest(messages(), by_rules=True)
        assert not watched.texts


def test_an_embedder_of_ones_own_is_not_waited_for(clock: FrozenClock) -> None:
    class Slow:
        name, width = "slow", WIDTH

        def embed(self, _: Sequence[str], /) -> NDArray[np.float32]:
            raise AssertionError("it was waited for")

    with anaphora.open(":memory:", clock=clock, background=True, embedder=Slow()) as memory:
        assert memory.ingest(messages()).heard == 13


def test_without_its_runtime_messages_come_in_all_the_same(clock: FrozenClock, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> None:
        raise MissingExtra("The models need onnxruntime.", remedy="Run: pip install onnxruntime.")

    monkeypatch.setattr(BundledEmbedder, "embed", missing)
    monkeypatch.setattr("anaphora.models.reader.BundledReader.prepare", missing)
    with anaphora.open(":memory:", clock=clock, background=True) as memory:
        memory.ingest(messages())
        assert len(memory._place.view.messages()) == len(without_vector(memory)) == 16
        memory.finish()


def test_where_there_is_no_room_for_a_vector_messages_come_in_all_the_same(
    clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(*_: object) -> None:
        raise MemoryError

    with anaphora.open(":memory:", clock=clock, background=True) as memory:
        with monkeypatch.context() as patched:
            patched.setattr(BundledEmbedder, "embed", no_room)
            assert memory.ingest(messages()).heard == 13
        assert len(memory._place.view.messages()) == len(without_vector(memory)) == 16
        memory.finish()
        assert without_vector(memory) == []


def test_a_piece_that_several_messages_share_is_kept_until_all_are_stored(clock: FrozenClock, watched: Watched) -> None:
    quoted = "The gateway answered with an error after the third try. " * 12
    many = [{"text": f"{quoted} Note {n // 2}.", "at": START + timedelta(minutes=n)} for n in range(24)]
    with anaphora.open(":memory:", clock=clock, background=True) as memory:
        memory.ingest(many)
        assert without_vector(memory) == []
    assert set(watched.texts.values()) == {1}


def test_a_store_that_does_not_take_the_vectors_keeps_the_messages(
    clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise StoreError("The disk is full.")

    with anaphora.open(":memory:", clock=clock, background=True) as memory:
        with monkeypatch.context() as patched:
            patched.setattr("anaphora.stores.memory._Transaction.put_vectors", full)
            assert memory.ingest(messages()).heard == 13
        assert len(without_vector(memory)) == 16
        memory.finish()
        assert without_vector(memory) == []


def test_what_is_forgotten_before_its_vector_is_stored_has_none(
    clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    with anaphora.open(":memory:", clock=clock, background=True) as memory:
        store = Beside.store

        def forgotten_first(others: Beside) -> None:
            if memory._place.view.message("0-11"):
                memory.forget(message="0-11")
            store(others)

        monkeypatch.setattr(Beside, "store", forgotten_first)
        memory.ingest(messages())
        anew = without_vector(memory)  # they spoke of it, and are worded anew
        assert anew
        assert "0-11" not in anew
        assert len(nearest(memory)[0]) == 15 - len(anew)
        memory.finish()
        assert len(nearest(memory)[0]) == 15


def test_after_an_error_in_a_batch_nobody_is_left_at_work(clock: FrozenClock) -> None:
    class Failing:
        def judge(self, text: str, lines: Sequence[Line], /, *, talk: bool) -> Judgement:
            if "RS256" in text:
                raise KeyboardInterrupt
            return bundled_reader().judge(text, lines, talk=talk)

        def prepare(self, *texts: str) -> None:
            bundled_reader().prepare(*texts)

        def forget(self) -> None: ...

    with anaphora.open(":memory:", clock=clock, background=True, reader=Failing()) as memory:
        with pytest.raises(KeyboardInterrupt):
            memory.ingest(messages())
        assert memory._place.view.messages() == []
        assert not any(t.name == "anaphora-beside" for t in threading.enumerate())


def test_long_messages_have_a_vector_for_each_piece(clock: FrozenClock) -> None:
    long = [
        {"text": f"Paragraph {i} says {i} times that number. " * 40, "at": START + timedelta(minutes=i)}
        for i in range(16)
    ]
    with (
        anaphora.open(":memory:", clock=clock, background=True) as many,
        anaphora.open(":memory:", clock=clock, background=False) as later,
    ):
        many.ingest(long)
        later.ingest(long)
        later.finish()
        assert isinstance(many._place.store, MemoryStore)
        assert nearest(many) == nearest(later)
        assert without_vector(many) == []
