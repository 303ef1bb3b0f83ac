"""The part of the store suite that is about vectors, erasing, mending and proving: mixed into `StoreConformance`."""

from __future__ import annotations

from dataclasses import replace

from anaphora.ports import Store
from anaphora.testing.samples import OTHER_SCOPES, SCOPE, STEP, Expect, Stop, add, contents, expect_index, said

__all__ = ["Erasing", "Vectors"]

_EAST, _NORTH, _NORTH_EAST = (1.0, 0.0), (0.0, 1.0), (0.6, 0.8)


class Vectors:
    def test_the_nearest_come_first_and_of_equals_the_newest(self, store: Store) -> None:
        with store.transaction(SCOPE) as tx:
            for n in range(1, 5):
                tx.add(said(f"m{n}", "red"))
            tx.put_vectors("model", {1: [_EAST], 2: [_NORTH], 3: [_NORTH_EAST], 4: [_EAST]})
        nearest = store.view(SCOPE).nearest("model", _EAST, 3)
        assert [near.seq for near in nearest] == [4, 1, 3]
        assert [round(near.score, 2) for near in nearest] == [1.0, 1.0, 0.6]

    def test_vectors_of_other_models_and_scopes_are_never_near(self, store: Store) -> None:
        for scope in (SCOPE, OTHER_SCOPES[0]):
            with store.transaction(scope) as tx:
                tx.add(said("m1", "red"))
        with store.transaction(SCOPE) as tx:
            tx.put_vectors("model", {1: [_EAST]})
        assert store.view(SCOPE).nearest("another", _EAST, 5) == []
        assert store.view(OTHER_SCOPES[0]).nearest("model", _EAST, 5) == []
        assert store.view(SCOPE).nearest("model", (1.0, 0.0, 0.0), 5) == []

    def test_messages_without_a_vector_are_told_newest_first(self, store: Store) -> None:
        with store.transaction(SCOPE) as tx:
            for n in range(1, 5):
                tx.add(said(f"m{n}", "red"))
            tx.put_vectors("model", {2: [_EAST], 99: [_EAST]})
        view = store.view(SCOPE)
        assert [m.id for m in view.without_vector("model", 2)] == ["m4", "m3"]
        assert [m.id for m in view.without_vector("model", 9)] == ["m4", "m3", "m1"]
        assert [m.id for m in view.without_vector("model", 9, after=2)] == ["m4", "m3"]
        assert view.without_vector("model", 9, after=4) == []
        assert view.has_vectors("model")
        assert not view.has_vectors("another")
        assert not store.view(OTHER_SCOPES[0]).has_vectors("model")
        assert [near.seq for near in view.nearest("model", _EAST, 9)] == [2]

    def test_a_vector_goes_with_its_message_and_with_its_words(self, store: Store) -> None:
        with store.transaction(SCOPE) as tx:
            for n in range(1, 4):
                tx.add(said(f"m{n}", "red"))
            tx.put_vectors("model", {1: [_EAST], 2: [_EAST], 3: [_EAST]})
        with store.transaction(SCOPE) as tx:
            tx.remove(["m1"])
            tx.replace(said("m2", "blue"))
            tx.replace(replace(said("m3", "red"), importance=0.9))
        assert [near.seq for near in store.view(SCOPE).nearest("model", _EAST, 9)] == [3]

    def test_vectors_that_were_not_committed_are_not_there(self, store: Store) -> None:
        with store.transaction(SCOPE) as tx:
            tx.add(said("m1", "red"))
        for pieces in ([_EAST], [_NORTH, _NORTH], []):
            with Expect(Stop), store.transaction(SCOPE) as tx:
                tx.put_vectors("model", {1: pieces})
                assert [near.piece for near in tx.nearest("model", _EAST, 9)] == [0] * bool(pieces)
                raise Stop
            assert store.view(SCOPE).nearest("model", _EAST, 9) == []
            assert [m.id for m in store.view(SCOPE).without_vector("model", 9)] == ["m1"]

    def test_a_message_counts_by_its_best_piece(self, store: Store) -> None:
        add(store, *(said(f"m{n}") for n in range(1, 4)))
        with store.transaction(SCOPE) as tx:
            tx.put_vectors("model", {1: [_NORTH, _NORTH_EAST, _EAST, _EAST], 2: [_NORTH_EAST, _NORTH], 3: [_EAST]})
        view = store.view(SCOPE)
        assert [(seq, piece, round(score, 2)) for seq, piece, score in view.nearest("model", _EAST, 9)] == [
            (3, 0, 1.0),
            (1, 2, 1.0),
            (2, 0, 0.6),
        ]
        assert [(near.seq, near.piece) for near in view.nearest("model", _NORTH, 2)] == [(2, 1), (1, 0)]

    def test_new_pieces_take_the_place_of_all_that_were_there(self, store: Store) -> None:
        add(store, said("m1"), said("m2"))
        for pieces in ([_EAST], [_NORTH, _NORTH, _EAST], [_NORTH, _EAST], [_EAST]):
            with store.transaction(SCOPE) as tx:
                tx.put_vectors("model", {1: pieces})
            [near] = store.view(SCOPE).nearest("model", _EAST, 9)
            assert (near.seq, near.piece) == (1, len(pieces) - 1)
        with store.transaction(SCOPE) as tx:
            tx.put_vectors("model", {1: []})
        assert store.view(SCOPE).nearest("model", _EAST, 9) == []
        assert [m.id for m in store.view(SCOPE).without_vector("model", 9)] == ["m2", "m1"]

    def test_the_nearest_may_be_looked_for_among_some_alone(self, store: Store) -> None:
        add(store, *(said(f"m{n}") for n in range(1, 7)))
        with store.transaction(SCOPE) as tx:
            tx.put_vectors("model", {n: [_NORTH, (_EAST, _NORTH_EAST)[n % 2]] for n in range(1, 6)})
        view = store.view(SCOPE)
        assert [near.seq for near in view.nearest("model", _EAST, 9, among=iter([1, 2, 5, 6, 99, 2]))] == [2, 5, 1]
        assert [near.seq for near in view.nearest("model", _EAST, 2, among=range(1, 6))] == [4, 2]
        assert view.nearest("model", _EAST, 9, among=[]) == view.nearest("model", _EAST, 9, among=[6]) == []

    def test_what_is_near_is_always_what_is_stored_now(self, store: Store) -> None:
        """Each change is asked about before and after, so that nothing kept in between can go unnoticed."""
        far = 600  # messages: vectors that are held together in blocks are in several of them
        add(store, *(said(f"m{n}") for n in range(1, far + 1)))
        view = store.view(SCOPE)
        expected: dict[int, int] = {}

        def check() -> None:
            assert {near.seq: near.piece for near in view.nearest("model", _EAST, far)} == expected

        for n in (1, 255, 256, 257, 511, far, 2):
            with store.transaction(SCOPE) as tx:
                tx.put_vectors("model", {n: [_NORTH] * (n % 3) + [_EAST]})
            expected[n] = n % 3
            check()
        with store.transaction(SCOPE) as tx:
            tx.remove(["m256", "m2"])
            del expected[256], expected[2]
            assert {near.seq for near in tx.nearest("model", _EAST, far)} == set(expected)
            tx.replace(said("m511", "blue"))
            tx.put_vectors("model", {1: [_EAST, _NORTH]})
            tx.put_vectors("other", {1: [_NORTH]})
        del expected[511]
        expected[1] = 0
        check()
        with Expect(Stop), store.transaction(SCOPE) as tx:
            tx.remove(["m1"])
            tx.put_vectors("model", {3: [_EAST]})
            assert {near.seq for near in tx.nearest("model", _EAST, far)} == {3, 255, 257, far}
            raise Stop
        check()
        with store.transaction(SCOPE) as tx:
            tx.put_vectors("model", {4: [_EAST]})
        expected[4] = 0
        check()


class Erasing:
    def test_an_erased_scope_is_gone_and_begins_anew(self, store: Store) -> None:
        for scope in (SCOPE, OTHER_SCOPES[0]):
            with store.transaction(scope) as tx:
                tx.add(said("m1", "red"))
                tx.put("goal", "g1", {})
                tx.emit(STEP)
                tx.put_vectors("model", {1: [_EAST]})
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

    def test_where_nothing_is_erased_nobody_is_told_so(self, store: Store) -> None:
        for number in range(3):
            with store.transaction(SCOPE) as tx:
                tx.add(said(f"m{number}", "red"))
                tx.put("goal", "g1", {"number": number})
            assert store.erased_elsewhere(SCOPE) is False
