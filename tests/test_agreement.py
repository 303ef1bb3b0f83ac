"""How far two who label agree, on a stream of three prompts worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals.agreement import AGAIN, agreement

PROMPT: dict[str, object] = {"seconds": None, "reply": "", "boundary": "no", "intent": "EXECUTE", "also": []}
TURNS = [
    {"user": "Add a save button", "needs_context": False, "refs": [], "expanded": ""},
    {
        "user": "make it purple",
        "needs_context": True,
        "refs": [{"mention": "it", "referent": "the save button"}],
        "expanded": "make the save button purple",
    },
    {
        "user": "now bigger",
        "needs_context": True,
        "refs": [{"mention": "", "referent": "the save button"}],
        "expanded": "now make the save button bigger",
    },
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    stream = {"id": "p1", "turns": [{"id": f"p1-{n:02d}", **PROMPT, **turn} for n, turn in enumerate(TURNS)]}
    (tmp_path / "devchat.jsonl").write_text(json.dumps(stream) + "\n", "utf-8")
    return tmp_path


def labels(folder: Path, *adds: list[str]) -> Path:
    path = folder / "again.jsonl"
    rows = [{"set": "devchat", "id": f"p1-{n:02d}", "needs_context": bool(a), "adds": a} for n, a in enumerate(adds)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_labels_that_mean_the_same_agree(folder: Path) -> None:
    found = agreement(folder, "devchat", labels(folder, [], ["save", "button"], ["save", "button", "make"]))
    assert found == (3, 1.0, 1.0, 1.0, 1.0)


def test_another_name_for_it_and_a_missed_need_do_not(folder: Path) -> None:
    found = agreement(folder, "devchat", labels(folder, ["page"], ["store", "control"], []))
    assert (found.left_alone, found.resolution, found.of_labels) == (0.0, 0.0, 1.0)
    assert found.needs == 0.5


def test_only_what_was_labelled_again_counts(folder: Path) -> None:
    assert agreement(folder, "devchat", labels(folder, [], ["save", "button"])).messages == 2


def test_the_second_labels_are_of_each_message_once() -> None:
    rows = [json.loads(line) for line in AGAIN.read_text("utf-8").splitlines()]
    assert len({(row["set"], row["id"]) for row in rows}) == len(rows) == 490
    assert all(bool(row["adds"]) <= row["needs_context"] for row in rows)
