"""Messages that a process read lately: always what is stored, whoever changed it, and never too many of them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

import anaphora
from anaphora.ports import Transaction
from anaphora.stores import lately
from anaphora.stores.records import Row
from anaphora.stores.sqlite import SqliteStore
from anaphora.testing.conformance import terms_of
from anaphora.testing.samples import OTHER_SCOPES, SCOPE, Stop, add, said


def _opened(path: Path) -> SqliteStore:
    return SqliteStore(str(path), terms_of, durability="normal", busy_timeout=timedelta(seconds=10))


@pytest.fixture
def store(store_path: Path) -> Iterator[SqliteStore]:
    with closing(_opened(store_path)) as opened:
        add(opened, *(said(f"m{n}", f"Paint door {n}") for n in range(1, 4)))
        assert _texts(opened) == ["Paint door 1", "Paint door 2", "Paint door 3"]
        yield opened


def _texts(store: SqliteStore) -> list[str]:
    return [message.text for message in store.view(SCOPE).messages(seqs=[3, 1, 2, 2, 99])]


def _replace(tx: Transaction) -> None:
    tx.replace(said("m2", "Paint window 2"))


def _remove(tx: Transaction) -> None:
    tx.remove(["m2"])


def _erase(tx: Transaction) -> None:
    tx.erase()


CHANGES: list[tuple[Callable[[Transaction], None], list[str]]] = [
    (_replace, ["Paint door 1", "Paint window 2", "Paint door 3"]),
    (_remove, ["Paint door 1", "Paint door 3"]),
    (_erase, []),
]


@pytest.mark.parametrize("by_another", [False, True])
@pytest.mark.parametrize(("change", "left"), CHANGES)
def test_what_was_read_is_read_again_once_it_has_changed(
    store: SqliteStore, change: Callable[[Transaction], None], left: list[str], by_another: bool
) -> None:
    with ExitStack() as stack:
        writer = stack.enter_context(closing(_opened(store.path))) if by_another else store
        with writer.transaction(SCOPE) as tx:
            change(tx)
        assert _texts(store) == left


@pytest.mark.parametrize(("change", "left"), CHANGES)
def test_what_is_taken_back_was_never_read(
    store: SqliteStore, change: Callable[[Transaction], None], left: list[str]
) -> None:
    with suppress(Stop), store.transaction(SCOPE) as tx:
        change(tx)
        assert [m.text for m in tx.messages(seqs=[1, 2, 3])] == left
        raise Stop
    assert _texts(store) == ["Paint door 1", "Paint door 2", "Paint door 3"]


def test_a_number_means_another_message_in_another_scope(store: SqliteStore) -> None:
    add(store, said("m1", "Mow the lawn"), scope=OTHER_SCOPES[0])
    assert [m.text for m in store.view(OTHER_SCOPES[0]).messages(seqs=[1, 2])] == ["Mow the lawn"]
    assert _texts(store)[0] == "Paint door 1"


def test_what_is_new_is_read_beside_what_was(store: SqliteStore) -> None:
    add(store, said("m4", "Paint door 4"))
    assert [m.text[-1] for m in store.view(SCOPE).messages(seqs=range(10))] == ["1", "2", "3", "4"]


@pytest.mark.parametrize("by_another", [False, True])
def test_what_was_not_there_is_found_once_it_is(store: SqliteStore, by_another: bool) -> None:
    def numbered() -> list[str]:
        return [message.text[-1] for message in store.view(SCOPE).messages(seqs=range(3, 9))]

    assert numbered() == numbered() == ["3"]
    with ExitStack() as stack:
        add(stack.enter_context(closing(_opened(store.path))) if by_another else store, said("m4", "Paint door 4"))
    assert numbered() == numbered() == ["3", "4"]
    with suppress(Stop), store.transaction(SCOPE) as tx:
        tx.add(said("m5", "Paint door 5"))
        raise Stop
    assert numbered() == ["3", "4"]
    add(store, said("m5", "Paint door 5"))
    assert numbered() == ["3", "4", "5"]


def test_what_is_known_not_to_be_there_is_not_asked_for_again(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    select = store.select

    def counted(sql: str, values: Sequence[object]) -> list[Row]:
        asked.append(sql)
        return select(sql, values)

    monkeypatch.setattr(store, "select", counted)
    for _ in range(2):
        assert len(store.view(SCOPE).messages(seqs=range(9))) == 3
    assert len([sql for sql in asked if "FROM messages" in sql]) == 1


def test_no_more_is_held_than_there_is_room_for(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lately, "_CHARS", 30)  # two of them
    with store.transaction(SCOPE) as tx:
        tx.replace(replace(said("m1", "Paint door 1"), expanded=None))
    for _ in range(3):
        assert _texts(store) == ["Paint door 1", "Paint door 2", "Paint door 3"]
        assert len(store._lately) == 2


def test_what_another_process_forgets_is_recalled_no_more(store_path: Path) -> None:
    with anaphora.open(store_path, user="u", embedder="none") as memory:
        memory.hear("The gate code is 4711", id="m1")
        memory.hear("The gate is green", id="m2")
        assert [hit.message_id for hit in memory.recall("gate code")] == ["m1", "m2"]
        forget = "import anaphora, sys; anaphora.open(sys.argv[1], user='u').forget(message='m1')"
        subprocess.run([sys.executable, "-c", forget, str(store_path)], check=True)
        assert [hit.message_id for hit in memory.recall("gate code")] == ["m2"]
