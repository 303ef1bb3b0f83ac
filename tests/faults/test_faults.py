"""What the faults harness shows, in a small size: writers side by side, killed writers, syncs, a full disk, room taken.

A folder that may not be written, a truncated or foreign file, a wrong schema and a lock that is held are in
tests/test_store_files.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from anaphora.stores.compact import squeezed, unsqueezed
from tests.faults import full_disk, killed_writers, many_writers, missed, size, syncs


@pytest.mark.requirement("Q9")
def test_four_processes_lose_and_double_nothing(store_path: Path) -> None:
    assert missed(many_writers.run(str(store_path), processes=4, messages=40, updates=10)) == []


def test_a_killed_writer_loses_nothing_that_it_acknowledged_and_its_retry_doubles_nothing(store_path: Path) -> None:
    assert missed(killed_writers.run(str(store_path), kills=5)) == []


def test_each_message_is_synced_once_before_it_is_acknowledged_and_a_batch_once_in_all(tmp_path: Path) -> None:
    assert missed(syncs.run(tmp_path, messages=20)) == []


def test_a_full_disk_is_named_and_what_was_acknowledged_is_safe(tmp_path: Path) -> None:
    assert missed(full_disk.run(tmp_path)) == []


def test_a_message_with_all_that_was_understood_of_it_and_a_vector_stays_small(tmp_path: Path) -> None:
    assert missed(size.run(tmp_path, messages=300, most=800_000)) == []


def test_what_was_understood_shrinks_to_a_third_and_comes_back_as_it_was() -> None:
    entity = '{"text":"naïve 👍","kind":"concept","span":[12,18],"role":"subject"}'
    text = (
        f'{{"intents":[{{"name":"EXECUTE","confidence":0.47}}],"entities":[{",".join([entity] * 8)}],"importance":0.7}}'
    )
    assert unsqueezed(squeezed(text)) == text
    assert len(squeezed(text)) < len(text) / 3
    assert squeezed('{"importance":0.7}') == '{"importance":0.7}'
