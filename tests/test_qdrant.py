"""Vectors in Qdrant: the same behaviour behind the same port, in its client's local mode."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from importlib import util
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

import anaphora
from anaphora.engine import doctor
from anaphora.errors import MissingExtra, SettingsError, StoreError
from anaphora.memory import terms
from anaphora.ports import Store, Transaction, View
from anaphora.settings import Settings
from anaphora.stores import open_store
from anaphora.stores.memory import MemoryStore
from anaphora.stores.qdrant import QdrantIndex, QdrantStore, _Scoped
from anaphora.testing import StoreConformance
from anaphora.testing.conformance import terms_of
from anaphora.testing.samples import OTHER_SCOPES, SCOPE, Expect, Stop, add, said

EAST, NORTH = (1.0, 0.0), (0.0, 1.0)


class TestQdrantOverMemory(StoreConformance):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        opened = QdrantStore(MemoryStore(terms_of), QdrantIndex(str(tmp_path / "qdrant")))
        yield opened
        opened.close()


def _opened(place: str, folder: Path) -> Store:
    return open_store(
        place,
        terms_of=terms.terms_of,
        durability="normal",
        busy_timeout=timedelta(seconds=10),
        vectors=f"qdrant:{folder}",
    )


@pytest.fixture
def store(store_path: Path, tmp_path: Path) -> Iterator[Store]:
    opened = _opened(str(store_path), tmp_path / "qdrant")
    yield opened
    opened.close()


def _points(store: Any) -> list[dict[str, Any]]:
    """All that Qdrant holds."""
    client = store._index._client
    found = []
    for collection in client.get_collections().collections:
        found += client.scroll(collection.name, limit=1000, with_payload=True)[0]
    return [point.payload for point in found]


def test_qdrant_holds_numbers_and_whose_they_are_and_nothing_that_was_said(store: Store) -> None:
    add(store, said("m1", "red"))
    with store.transaction(SCOPE) as tx:
        tx.put_vectors("model", {1: [EAST, NORTH]})
    whose = {"user": SCOPE.user, "project": SCOPE.project, "seq": 1}
    assert sorted(_points(store), key=lambda point: point["piece"]) == [{**whose, "piece": 0}, {**whose, "piece": 1}]


def test_whatever_is_asked_about_a_model_is_answered_for_qdrant() -> None:
    asked = {**vars(View), **vars(Transaction)}
    about = {name for name, part in asked.items() if callable(part) and "model" in signature(part).parameters}
    assert {"nearest", "put_vectors", "has_vectors", "without_vector"} <= about
    assert about <= vars(_Scoped).keys()


def test_a_memory_recalls_by_meaning_through_qdrant(tmp_path: Path) -> None:
    place = f"qdrant:{tmp_path / 'qdrant'}"
    with anaphora.open(tmp_path / "anaphora.db", vectors=place, reader="none", embedder="bundled") as memory:
        for text in ("We deploy every Friday at noon", "My dog is called Rex", "The logo should be green"):
            memory.hear(text)
        memory.finish()
        assert {point["seq"] for point in _points(memory._place.store)} == {1, 2, 3}
        assert memory.recall("what is the name of my pet?")[0].text == "My dog is called Rex"


def test_each_agent_has_a_collection_of_its_own(store: Store) -> None:
    for scope in (SCOPE, *OTHER_SCOPES):
        add(store, said("m1"), scope=scope)
        with store.transaction(scope) as tx:
            tx.put_vectors("model", {1: [EAST]})
    collections = store._index._client.get_collections().collections  # type: ignore[attr-defined]
    assert len(collections) == len({scope.agent for scope in (SCOPE, *OTHER_SCOPES)})


def test_forgetting_deletes_in_qdrant_too(tmp_path: Path) -> None:
    with anaphora.open(
        tmp_path / "anaphora.db", vectors=f"qdrant:{tmp_path / 'qdrant'}", reader="none", background=False
    ) as memory:
        first, second = (memory.hear(text).message_id for text in ("Paint the wall red", "Paint the door blue"))
        store = memory._place.store
        with store.transaction(memory.scope) as tx:
            tx.put_vectors("model", {1: [EAST], 2: [NORTH]})
        assert [near.seq for near in store.view(memory.scope).nearest("model", EAST, 9)] == [1, 2]
        notes = memory.forget(message=first).notes
        assert [point["seq"] for point in _points(store)] == [2]
        assert any("Qdrant" in note for note in notes)
        memory.forget(user=True)
        assert _points(store) == []
        assert second is not None


def test_a_transaction_that_fails_changes_nothing_there(store: Store) -> None:
    add(store, said("m1"), said("m2"))
    with store.transaction(SCOPE) as tx:
        tx.put_vectors("model", {1: [EAST], 2: [EAST]})
    before = _points(store)
    with suppress(Stop), store.transaction(SCOPE) as tx:
        tx.remove(["m1"])
        tx.put_vectors("model", {2: [NORTH]})
        assert [near.seq for near in tx.nearest("model", NORTH, 9)] == [2]
        raise Stop
    assert _points(store) == before
    assert [near.seq for near in store.view(SCOPE).nearest("model", EAST, 9)] == [2, 1]


def test_where_qdrant_fails_nothing_is_forgotten_and_what_it_lost_is_embedded_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(store, said("m1"), said("m2"))
    with store.transaction(SCOPE) as tx:
        tx.put_vectors("model", {1: [EAST], 2: [EAST]})

    def fail(*_: object) -> None:
        raise StoreError("Qdrant is gone.")

    with monkeypatch.context() as broken:
        broken.setattr(QdrantIndex, "put", fail)
        with Expect(StoreError), store.transaction(SCOPE) as tx:
            tx.remove(["m1"])  # is deleted there before the next one fails
            tx.put_vectors("model", {2: [NORTH]})
    view = store.view(SCOPE)
    assert [m.id for m in view.messages()] == ["m1", "m2"]
    assert [m.id for m in view.without_vector("model", 9)] == ["m2", "m1"]


def test_another_qdrant_begins_empty_and_the_store_itself_too(store_path: Path, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        store = _opened(str(store_path), tmp_path / folder)
        if folder == "one":
            add(store, said("m1"))
        assert [m.id for m in store.view(SCOPE).without_vector("model", 9)] == ["m1"]
        with store.transaction(SCOPE) as tx:
            tx.put_vectors("model", {1: [EAST]})
        assert store.view(SCOPE).without_vector("model", 9) == []
        assert store.verify() == []
        store.close()
    plain = open_store(
        str(store_path), terms_of=terms.terms_of, durability="normal", busy_timeout=timedelta(seconds=10)
    )
    assert [m.id for m in plain.view(SCOPE).without_vector("model", 9)] == ["m1"]
    assert plain.view(SCOPE).nearest("model", EAST, 9) == []
    plain.close()


OPEN = """
import sys
from pathlib import Path
from tests.test_qdrant import SCOPE, EAST, _opened
_opened(":memory:", Path(sys.argv[1])).view(SCOPE).nearest("model", EAST, 1)
"""


def test_a_folder_that_another_process_uses_is_named(store: Store, tmp_path: Path) -> None:
    store.view(SCOPE).nearest("model", EAST, 1)
    root = Path(__file__).parent.parent
    run = subprocess.run(
        [sys.executable, "-c", OPEN, str(tmp_path / "qdrant")], cwd=root, capture_output=True, text=True
    )
    assert "StoreBusy" in run.stderr
    assert "Run a Qdrant server for several processes, and name its URL." in run.stderr


def test_a_server_that_is_not_there_is_named_with_what_to_do() -> None:
    store = open_store(
        ":memory:",
        terms_of=terms_of,
        durability="full",
        busy_timeout=timedelta(seconds=1),
        vectors="qdrant:http://localhost:1",
    )
    with pytest.raises(StoreError, match=r"Qdrant at http://localhost:1 could not do it.*Check that it runs"):
        store.view(SCOPE).nearest("model", EAST, 1)
    store.close()


@pytest.mark.parametrize("value", ["qdrant", "qdrant:", "chroma:http://localhost", ""])
def test_a_place_that_is_none_is_refused(value: str) -> None:
    with pytest.raises(SettingsError, match="qdrant:URL"):
        anaphora.open(":memory:", vectors=value)


def test_without_the_extra_the_command_that_installs_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    find = util.find_spec
    monkeypatch.setattr("anaphora.stores.find_spec", lambda name: None if name == "qdrant_client" else find(name))
    with pytest.raises(MissingExtra, match=r"pip install 'anaphora\[qdrant\]'"):
        anaphora.open(":memory:", vectors="qdrant:http://localhost:6333")


def test_the_doctor_says_whether_qdrant_answers(tmp_path: Path) -> None:
    def examined(vectors: str) -> doctor.Finding:
        settings = Settings(store=":memory:", reader="none", vectors=vectors)
        [found] = [f for f in doctor.examine(lambda: settings, None, datetime.now(UTC)) if f.check == "vectors"]
        return found

    assert examined(f"qdrant:{tmp_path / 'qdrant'}") == doctor.Finding("vectors", "ok", "qdrant answers")
    gone = examined("qdrant:http://localhost:1")
    assert (gone.grade, "localhost:1" in gone.says, gone.remedy is not None) == ("wrong", True, True)
