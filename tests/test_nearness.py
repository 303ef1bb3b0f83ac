"""Vectors that a process holds: always what is stored, whoever changed it; bounded; right, however they are kept."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import timedelta
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anaphora
from anaphora.ports import Near, Transaction
from anaphora.stores import nearness
from anaphora.stores.nearness import Held, nearest_of
from anaphora.stores.sqlite import SqliteStore
from anaphora.stores.vectors import VectorLimits, packed
from anaphora.testing.conformance import terms_of
from anaphora.testing.samples import OTHER_SCOPES, SCOPE, Stop, add, said
from anaphora.types import Scope

EAST, NORTH = (1.0, 0.0), (0.0, 1.0)


@contextmanager
def _opened(path: Path, limits: VectorLimits | None = None) -> Iterator[SqliteStore]:
    store = SqliteStore(
        str(path), terms_of, durability="normal", busy_timeout=timedelta(seconds=10), limits=limits or VectorLimits()
    )
    with closing(store):
        yield store


def _put(store: SqliteStore, vectors: Mapping[int, Sequence[Sequence[float]]], scope: Scope = SCOPE) -> None:
    with store.transaction(scope) as tx:
        tx.put_vectors("toy", vectors)


def _near(store: SqliteStore, scope: Scope = SCOPE) -> list[int]:
    return [near.seq for near in store.view(scope).nearest("toy", EAST, 50)]


def _held(store: SqliteStore) -> Mapping[tuple[int, str, int], Held]:
    assert store._nearness is not None
    return store._nearness._held


# --- what others do is seen ---------------------------------------------------------------------------------------


def _embed(tx: Transaction) -> None:
    tx.put_vectors("toy", {3: [EAST]})


def _embed_again(tx: Transaction) -> None:
    tx.put_vectors("toy", {1: [NORTH, NORTH]})


def _remove(tx: Transaction) -> None:
    tx.remove(["m1"])


def _reword(tx: Transaction) -> None:
    tx.replace(said("m1", "other words"))


def _erase(tx: Transaction) -> None:
    tx.erase()


@pytest.mark.parametrize(
    ("change", "left"),
    [(_embed, [3, 2, 1]), (_embed_again, [2, 1]), (_remove, [2]), (_reword, [2]), (_erase, [])],
)
def test_what_another_one_commits_is_seen_at_once(
    change: Callable[[Transaction], None], left: list[int], store_path: Path
) -> None:
    with _opened(store_path) as mine, _opened(store_path) as other:
        add(mine, *(said(f"m{n}") for n in (1, 2, 3)))
        _put(mine, {1: [EAST], 2: [EAST]})
        assert _near(mine) == _near(other) == [2, 1]
        with other.transaction(SCOPE) as tx:
            change(tx)
            assert _near(mine) == [2, 1]  # not before it is committed
        assert _near(mine) == _near(other) == left


@pytest.mark.parametrize("change", [_embed, _embed_again, _remove, _reword, _erase])
def test_what_was_taken_back_was_never_there(change: Callable[[Transaction], None], store_path: Path) -> None:
    with _opened(store_path) as store:
        add(store, *(said(f"m{n}") for n in (1, 2, 3)))
        _put(store, {1: [EAST], 2: [EAST]})
        for look in (False, True):
            with suppress(Stop), store.transaction(SCOPE) as tx:
                change(tx)
                if look:
                    tx.nearest("toy", EAST, 9)
                raise Stop
            assert _near(store) == [2, 1]
        _put(store, {3: [EAST]})  # the next change has the number of the one that was taken back
        assert _near(store) == [3, 2, 1]


FORGET = """
import sys, anaphora
with anaphora.open(sys.argv[1], reader="none", background=False) as memory:
    memory.forget(message=sys.argv[2])
"""


def test_a_message_that_another_process_forgets_is_never_near_again(store_path: Path) -> None:
    with anaphora.open(store_path, reader="none", background=False) as memory, _opened(store_path) as store:
        ids = [memory.hear(f"Paint wall {n}").message_id for n in range(3)]
        _put(store, {1: [EAST], 2: [EAST], 3: [EAST]}, memory.scope)
        assert _near(store, memory.scope) == [3, 2, 1]
        subprocess.run([sys.executable, "-c", FORGET, str(store_path), ids[1]], check=True)
        assert _near(store, memory.scope) == [3, 1]


def test_forgetting_leaves_no_vector_in_memory(store_path: Path) -> None:
    with _opened(store_path) as store:
        add(store, said("m1"), said("m2"))
        _put(store, {1: [EAST], 2: [EAST]})
        assert _near(store) == [2, 1]
        with store.transaction(SCOPE) as tx:
            tx.remove(["m1"])
        store.scrub()
        assert _held(store) == {}
        assert _near(store) == [2]


def test_only_what_changed_is_read_anew(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    put = Held.put

    def counted(held: Held, rows: Sequence[nearness.VectorRow]) -> None:
        read.append(len(rows))
        put(held, rows)

    monkeypatch.setattr(Held, "put", counted)
    with _opened(store_path) as store:
        add(store, *(said(f"m{n}") for n in range(1, 2001)))
        _put(store, {n: [EAST] for n in range(1, 2000)})
        assert len(store.view(SCOPE).nearest("toy", EAST, 3000)) == 1999
        del read[:]
        assert len(store.view(SCOPE).nearest("toy", EAST, 3000)) == 1999
        assert read == []
        _put(store, {2000: [NORTH]})
        assert len(store.view(SCOPE).nearest("toy", EAST, 3000)) == 2000
        assert sum(read) <= 256


# --- bounds -------------------------------------------------------------------------------------------------------


def test_the_scopes_that_were_not_used_for_longest_are_let_go_first(store_path: Path) -> None:
    scopes = [SCOPE, *OTHER_SCOPES[:2]]
    with _opened(store_path, VectorLimits(held_bytes=4000)) as store:  # two of three
        for scope in scopes:
            add(store, said("m1"), said("m2"), scope=scope)
            _put(store, {1: [EAST], 2: [EAST]}, scope)
        for scope in (scopes[0], scopes[1], scopes[0], scopes[2], scopes[0]):
            assert _near(store, scope) == [2, 1]
            assert sum(held.size for held in _held(store).values()) <= 4000
        numbers = [store.scope_number(scope, make=False) for scope in scopes]
        assert [key[0] for key in _held(store)] == [numbers[2], numbers[0]]


def test_a_scope_larger_than_the_bound_is_searched_all_the_same(store_path: Path) -> None:
    with _opened(store_path, VectorLimits(held_bytes=1)) as store:
        add(store, said("m1"))
        _put(store, {1: [EAST]})
        assert _near(store) == _near(store) == [1]


# --- right, however they are kept ---------------------------------------------------------------------------------

_numbers = st.sampled_from([-1.0, -0.5, 0.0, 0.25, 1.0])
_three = st.tuples(_numbers, _numbers, _numbers)
_messages = st.dictionaries(st.integers(1, 400), st.lists(_three, min_size=1, max_size=3), max_size=40)


def _by_hand(vectors: Mapping[int, Sequence[Sequence[float]]], query: Sequence[float], k: int) -> list[Near]:
    best = []
    for seq, pieces in vectors.items():
        scores = [sum(a * b for a, b in zip(piece, query, strict=True)) for piece in pieces]
        best.append(Near(seq, scores.index(max(scores)), max(scores)))
    return sorted(best, key=lambda near: (-near.score, -near.seq))[:k]


def _rows(vectors: Mapping[int, Sequence[Sequence[float]]]) -> list[nearness.VectorRow]:
    return [(seq, n, packed(piece)) for seq, pieces in vectors.items() for n, piece in enumerate(pieces)]


@given(_messages, _three, st.integers(0, 50), st.sets(st.integers(1, 400)) | st.none())
def test_the_nearest_are_those_that_a_look_at_each_would_find(
    vectors: dict[int, list[tuple[float, float, float]]], query: Sequence[float], k: int, among: set[int] | None
) -> None:
    held = Held(3)
    held.put(_rows(vectors))
    wanted = {seq: pieces for seq, pieces in vectors.items() if among is None or seq in among}
    assert held.nearest(query, k, among) == _by_hand(wanted, query, k)


@given(_messages, st.lists(st.tuples(st.integers(1, 400), st.integers(0, 200)), max_size=4), _messages, st.booleans())
def test_what_is_dropped_is_gone_and_the_rest_stays(
    vectors: dict[int, list[tuple[float, float, float]]],
    ranges: list[tuple[int, int]],
    later: dict[int, list[tuple[float, float, float]]],
    coded: bool,
) -> None:
    held = Held(3)
    held.put(_rows(vectors))
    if coded:
        held.code()
    for first, more in ranges:
        held.drop(first, first + more)
        vectors = {seq: pieces for seq, pieces in vectors.items() if not first <= seq <= first + more}
    held.put(_rows({seq + 1000: pieces for seq, pieces in later.items()}))
    vectors = vectors | {seq + 1000: pieces for seq, pieces in later.items()}
    assert len(held) == sum(map(len, vectors.values()))
    if coded:
        assert held.likely((*EAST, 0.0), 9) == sorted(vectors)
    else:
        assert held.nearest((1.0, 0.5, 0.25), 99) == _by_hand(vectors, (1.0, 0.5, 0.25), 99)


@pytest.mark.parametrize("width", [1, 7, 64, 384, 385])
def test_equal_vectors_get_equal_scores_wherever_they_stand(width: int) -> None:
    numbers = np.random.default_rng(width)
    twin, query = numbers.standard_normal((2, width))
    for size in (1, 2, 3, 50, 257):
        rows = numbers.standard_normal((size, width))
        rows[:: max(1, size // 7)] = twin
        found = nearest_of([(n, 0, packed(row)) for n, row in enumerate(rows)], query.tolist(), size)
        alike = {near.score for near in found if (rows[near.seq] == twin).all()}
        alone = nearest_of([(1, 0, packed(twin.tolist()))], query.tolist(), 1)
        assert alike == {alone[0].score}


def test_many_pieces_of_one_message_hide_no_other_message() -> None:
    rows = [(1, n, packed(EAST)) for n in range(500)] + [(seq, 0, packed((0.6, 0.8))) for seq in range(2, 8)]
    assert [near.seq for near in nearest_of(rows, EAST, 4)] == [1, 7, 6, 5]


def test_large_scopes_are_searched_by_codes_and_the_best_of_them_exactly(store_path: Path) -> None:
    numbers = np.random.default_rng(3)
    topics = np.repeat(numbers.standard_normal((300, 64)), 10, axis=0)
    vectors = topics + 0.5 * numbers.standard_normal((3000, 64))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    found = []
    for limits in (VectorLimits(), VectorLimits(codes_above=1000)):
        with _opened(store_path, limits) as store:
            if not store.scopes():
                add(store, *(said(f"m{n}", "x") for n in range(1, 3001)))
                _put(store, {n: [row.tolist()] for n, row in enumerate(vectors, 1)})
            view, queries = store.view(SCOPE), vectors[:400:10].tolist()
            found.append([view.nearest("toy", query, 10) for query in queries])
            assert [held.coded for held in _held(store).values()] == [limits.codes_above == 1000]
            found.append([view.nearest("toy", query, 3, among=range(1, 60)) for query in queries])
    exact, exact_among, coded, coded_among = found
    assert coded == exact  # with the same scores, to the last bit
    assert coded_among == exact_among
    assert all(near.seq < 60 for hits in coded_among for near in hits)


def test_a_scope_that_is_coded_follows_every_change(store_path: Path) -> None:
    numbered = count(1)
    with _opened(store_path, VectorLimits(codes_above=5)) as store:
        for _ in range(40):
            [added] = add(store, said(f"m{next(numbered)}"))
            _put(store, {added.seq: [NORTH, EAST]})
            assert store.view(SCOPE).nearest("toy", EAST, 1) == [(added.seq, 1, 1.0)]
        with store.transaction(SCOPE) as tx:
            tx.remove([f"m{n}" for n in range(11, 41)])
        assert _near(store) == list(range(10, 0, -1))
