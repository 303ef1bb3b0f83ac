"""The tasks: the engine runs over labelled data as a user would run it, and what it did becomes figures and misses."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evals import data
from evals.tasks.contexts import measure_contexts
from evals.tasks.entities import KIND_OF_LABEL, measure_entities
from evals.tasks.learning import measure_learning
from evals.tasks.recall import DEPTHS, LATER, ingest, measure_recall, measure_shared_recall
from evals.tasks.replaying import START, MemoryLike, OpenMemory, Replay
from evals.tasks.rewrites import measure_rewrites, measure_titled_rewrites
from evals.tasks.running import Measured, Miss, Result, Task, run
from evals.tasks.segments import measure_segments
from evals.tasks.streams import measure_streams

__all__ = [
    "DEPTHS",
    "KIND_OF_LABEL",
    "LATER",
    "START",
    "TASKS",
    "Measured",
    "MemoryLike",
    "Miss",
    "OpenMemory",
    "Replay",
    "Result",
    "Task",
    "ingest",
    "run",
]

PEOPLE = Path(__file__).parents[1] / "people.jsonl"  # two friends each, over months; written for this, learned by none
# days with an assistant, at work and at home; written for this after the guide of the labelled chats, learned by none
EVERYDAY = Path(__file__).parents[1] / "everyday.jsonl"
# requests to an assistant on a phone or at home, with what each says by itself; written for this, learned by none
ERRANDS = Path(__file__).parents[1] / "errands.jsonl"

TASKS: Mapping[str, Task[Any]] = {
    "devchat": Task("devchat.jsonl", data.read_streams, measure_streams),
    "codechat": Task("codechat.jsonl", data.read_streams, measure_streams),
    "everyday": Task(str(EVERYDAY), data.read_streams, measure_streams),
    "errands": Task(str(ERRANDS), data.read_rewrites, measure_rewrites),
    "gecor": Task("rewrites/gecor.jsonl", data.read_rewrites, measure_rewrites, sample=400),
    "cast": Task("rewrites/cast.jsonl", data.read_rewrites, measure_rewrites, sample=400),
    "canard": Task("rewrites/canard.jsonl", data.read_rewrites, measure_titled_rewrites, sample=400),
    "tiage": Task("segments/tiage_dev.jsonl", data.read_dialogues, measure_segments),
    "entities": Task("entities/stackoverflow_dev.jsonl", data.read_sentences, measure_entities, sample=600),
    "learning": Task("devchat.jsonl", data.read_streams, measure_learning),
    "learning_codechat": Task("codechat.jsonl", data.read_streams, measure_learning, on_request=True),
    "recall": Task("recall/beam_100K.jsonl", data.read_chats, measure_recall),
    "people": Task(str(PEOPLE), data.read_chats, measure_recall),
    "contexts": Task("recall/beam_100K.jsonl", data.read_chats, measure_contexts),
    "recall_shared": Task("recall/beam_100K.jsonl", data.read_chats, measure_shared_recall, on_request=True),
}
