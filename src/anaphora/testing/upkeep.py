"""The part of the store suite that is about vectors, erasing, mending and proving: mixed into `StoreConformance`."""

from __future__ import annotations

from dataclasses import replace

from anaphora.ports import Store
from anaphora.testing.samples import OTHER_SCOPES, SCOPE, STEP, contents, expect_index, said

__all__ = ["Erasing", "Vectors"]

_EAST, _NORTH, _NORTH_EAST = (1.0, 0.0), (0.0, 1.0), (0.6, 0.8)


class Vectors:
    def test_the_nearest_come_first_and_of_equals_the_newest(self, store: Store) -> None:
        with store.transaction(SCOPE) as tx:
            for n in range(1, 5):
                tx.add(said(f"m{n}", "red"))
            tx.put_vectors("model", {1: _EAST, 2: _NORTH, 3: _NORTH_EAST, 4: _EAST})
        nearest = store.view(SCOPE).nearest("model", _EAST, 3)
        assert [seq for seq, _ in nearest] == [4, 1, 3]
        assert [round(score, 2) for _, score in nearest] == [1.0, 1.0, 0.6]

    def test_vectors_of_other_models_and_scopes_are_never_near(self, store: Store) -> None:
        for scope in (SCOPE, OTHER_SCOPES[0]):
            with store.transaction(scope) as tx:
                tx.add(said("m1", "red"))
        with store.transaction(SCOPE) as tx:
            tx.put_vectors("model", {1: _EAST})
        assert store.view(SCOPE).nearest("another", _EAST, 5) == []
        assert store.view(OTHER_SCOPES[0]).nearest("model", _EAST, 5) == []
        assert store.view(SCOPE).nearest("model", (1.0, 0.0, 0.0), 5) == []

    def test_messages_without_a_vector_are_told_newest_first(self, store: Store) -> None:
        with store.transaction(SCOPE) as tx:
            for n in range(1, 5):
                tx.add(said(f"m{n}", "red"))
            tx.put_vectors("model", {2: _EAST, 99: _EAST})
        view = store.view(SCOPE)
        assert [m.id for m in view.without_vector("model", 2)] == ["m4", "m3"]
        assert [m.id for m in view.without_vector("model", 9)] == ["m4", "m3", "m1"]
        assert [seq for seq, _ in view.nearest("model", _EAST, 9)] == [2]

    def test_a_vector_goes_with_its_message_and_with_its_words(self, store: Store) -> None:
        with store.transaction(SCOPE) as tx:
            for n in range(1, 4):
                tx.add(said(f"m{n}", "red"))
            tx.put_vectors("model", {1: _EAST, 2: _EAST, 3: _EAST})
        with store.transaction(SCOPE) as tx:
            tx.remove(["m1"])
            tx.replace(said("m2", "blue"))
            tx.replace(replace(said("m3", "red"), importance=0.9))
        assert [seq for seq, _ in store.view(SCOPE).nearest("model", _EAST, 9)] == [3]

    def test_vectors_that_were_not_committed_are_not_there(self, store: Store) -> None:
        with store.transaction(SCOPE) as tx:
            tx.add(said("m1", "red"))
        try:
            with store.transaction(SCOPE) as tx:
                tx.put_vectors("model", {1: _EAST})
                raise KeyError
        except KeyError:
            assert store.view(SCOPE).nearest("model", _EAST, 9) == []


class Erasing:
    def test_an_erased_scope_is_gone_and_begins_anew(self, store: Store) -> None:
        for scope in (SCOPE, OTHER_SCOPES[0]):
            with store.transaction(scope) as tx:
                tx.add(said("m1", "red"))
                tx.put("goal", "g1", {})
                tx.emit(STEP)
                tx.put_vectors("model", {1: _EAST})
        before = contents(store.view(OTHER_SCOPES[0]))
        with store.transaction(SCOPE) as tx:
            tx.erase()
        assert store.scopes() == [OTHER_SCOPES[0]]
        assert store.view(SCOPE).messages() == []
        assert store.view(SCOPE).events() == []
        assert store.view(SCOPE).nearest("model", _EAST, 9) == []
        assert contents(store.view(OTHER_SCOPES[0])) == before
        with store.transaction(SCOPE) as tx:
            assert tx.add(said("m1", "blue")).seq == 1
        expect_index(store.view(SCOPE), gone=["red"])
        assert store.verify() == []

    def test_erasing_what_is_not_there_does_nothing(self, store: Store) -> None:
        with store.transaction(SCOPE) as tx:
            tx.erase()
        assert store.scopes() == []

    def test_a_blanked_event_keeps_its_place_and_nothing_else(self, store: Store) -> None:
        told = replace(STEP, conversation_id="c1", message_id="m1", data={"title": "red"})
        with store.transaction(SCOPE) as tx:
            for _ in range(3):
                tx.emit(told)
            tx.blank([2, 99])
        first, second, third = store.view(SCOPE).events()
        assert second == replace(told, seq=2, conversation_id=None, message_id=None, data={})
        assert (first, third) == (replace(told, seq=1), replace(told, seq=3))
        assert store.verify() == []

    def test_an_index_made_anew_is_the_same(self, store: Store) -> None:
        with store.transaction(SCOPE) as tx:
            for n in range(70):
                tx.add(said(f"m{n}", f"red word{n}"))
            tx.remove(["m3"])
        before = contents(store.view(SCOPE), ["red", "word5"])
        with store.transaction(SCOPE) as tx:
            tx.reindex()
        assert contents(store.view(SCOPE), ["red", "word5"]) == before
        assert store.verify() == []
