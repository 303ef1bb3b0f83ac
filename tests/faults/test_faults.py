"""What the faults harness shows, in a small size: writers side by side, killed writers, syncs, a full disk, room taken.

A folder that may not be written, a truncated or foreign file, a wrong schema and a lock that is held are in
tests/test_store_files.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.stores.compact import as_bytes, as_text, restored, shortened, squeezed, unsqueezed
from tests.faults import (
    full_disk,
    hooks,
    killed_compaction,
    killed_writers,
    many_writers,
    missed,
    shared_state,
    size,
    syncs,
)


@pytest.mark.requirement("Q9")
def test_four_processes_lose_and_double_nothing(store_path: Path) -> None:
    assert missed(many_writers.run(str(store_path), processes=4, messages=40, updates=10)) == []


@pytest.mark.requirement("Q9")
def test_eight_threads_of_four_processes_lose_no_update_of_one_state(store_path: Path) -> None:
    assert missed(shared_state.run(str(store_path), processes=4, threads=8, updates=3)) == []


def test_a_killed_writer_loses_nothing_that_it_acknowledged_and_its_retry_doubles_nothing(store_path: Path) -> None:
    assert missed(killed_writers.run(str(store_path), kills=5)) == []


@pytest.mark.requirement("Q7")
def test_compaction_that_is_killed_leaves_the_old_state_or_the_new_one(store_path: Path) -> None:
    assert missed(killed_compaction.run(str(store_path), kills=4)) == []


def test_each_message_is_synced_once_before_it_is_acknowledged_and_a_batch_once_in_all(tmp_path: Path) -> None:
    assert missed(syncs.run(tmp_path, messages=20)) == []


def test_a_full_disk_is_named_and_what_was_acknowledged_is_safe(tmp_path: Path) -> None:
    assert missed(full_disk.run(tmp_path)) == []


def test_assistants_lose_and_double_nothing_and_no_hook_fails_whatever_happens(tmp_path: Path) -> None:
    assert missed(hooks.run(tmp_path, prompts=40)) == []


def test_a_message_with_all_that_was_understood_of_it_and_a_vector_stays_small(tmp_path: Path) -> None:
    assert missed(size.run(tmp_path, messages=300, most=800_000)) == []


def test_what_was_understood_shrinks_to_a_third_and_comes_back_as_it_was() -> None:
    entity = '{"text":"naïve 👍","kind":"concept","span":[12,18],"role":"subject"}'
    text = (
        f'{{"intents":[{{"name":"EXECUTE","confidence":0.47}}],"entities":[{",".join([entity] * 8)}],"importance":0.7}}'
    )
    assert unsqueezed(squeezed(text)) == text
    assert len(squeezed(text)) < len(text) / 3
    assert squeezed('{"importance":0.7}') == b'{"importance":0.7}'


@given(st.text(max_size=300))
def test_what_was_squeezed_is_the_same_in_letters(text: str) -> None:
    data = squeezed(f'{{"text":"{text}"}}')
    assert as_bytes(as_text(data)) == data


_said = st.text(st.sampled_from("ab \1,0é👍"), max_size=30)


@given(_said, _said, _said, _said)
def test_what_a_message_was_written_out_to_comes_back_from_what_it_adds(
    begin: str, end: str, put_in: str, taken_out: str
) -> None:
    text, expanded = begin + taken_out + end, begin + put_in + end
    kept = shortened(expanded, text)
    assert restored(kept, text) == expanded
    assert len(kept) <= max(len(expanded), len(put_in)) + 8


def test_only_what_is_put_into_a_message_is_stored_of_what_it_was_written_out_to() -> None:
    text = "Make it purple, and put the menu on the left"
    assert len(shortened(text.replace("it", "the FAB button"), text)) < 24
