"""Entities: the technical things that sentences name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from anaphora.types import EntityKind
from evals import data, metrics
from evals.tasks.replaying import OpenMemory, Replay
from evals.tasks.running import Measured, Miss, known

__all__ = ["KIND_OF_LABEL", "measure_entities"]

# Labels with no kind of ours (a value, a version, a code block, …) are left out of the figure by kind.
KIND_OF_LABEL: Mapping[str, EntityKind] = {
    "File_Name": "file",
    "Function_Name": "function",
    "Library_Function": "function",
    "Application": "technology",
    "Device": "technology",
    "File_Type": "technology",
    "Language": "technology",
    "Library": "technology",
    "Operating_System": "technology",
    "User_Name": "person",
    "Algorithm": "concept",
    "Class_Name": "concept",
    "Data_Structure": "concept",
    "Data_Type": "concept",
    "Library_Class": "concept",
    "User_Interface_Element": "concept",
}


def measure_entities(sentences: Iterable[data.Sentence], open_memory: OpenMemory) -> Measured:
    """Spans of tokens, regardless of label, and with labels mapped to our kinds."""
    heard = [(sentence, _entities(sentence, open_memory)) for sentence in sentences]
    spans = [({(s.start, s.end) for s in one.spans}, {found[:2] for found in got}) for one, got in heard]
    figures = {"span_f1": metrics.set_f1(spans), "kind_f1": metrics.set_f1(_by_kind(one, got) for one, got in heard)}
    misses = (
        Miss("span_f1", one.id, " ".join(one.tokens), _quoted(one, gold), _quoted(one, got))
        for (one, _), (gold, got) in zip(heard, spans, strict=True)
        if gold != got
    )
    return Measured(known(figures), tuple(misses))


_Found = tuple[int, int, EntityKind]


def _entities(sentence: data.Sentence, open_memory: OpenMemory) -> set[_Found]:
    with Replay(open_memory, sentence.id) as replay:
        turn = replay.hear(" ".join(sentence.tokens))
    token_at = [index for index, token in enumerate(sentence.tokens) for _ in f"{token} "]
    return {(token_at[one.span[0]], token_at[one.span[1] - 1] + 1, one.kind) for one in turn.entities}


def _by_kind(sentence: data.Sentence, got: set[_Found]) -> tuple[set[_Found], set[_Found]]:
    gold = {(s.start, s.end, KIND_OF_LABEL[s.label]) for s in sentence.spans if s.label in KIND_OF_LABEL}
    kindless = {(s.start, s.end) for s in sentence.spans if s.label not in KIND_OF_LABEL}
    return gold, {found for found in got if found[:2] not in kindless}


def _quoted(sentence: data.Sentence, spans: Iterable[tuple[int, int]]) -> str:
    return " | ".join(" ".join(sentence.tokens[start:end]) for start, end in sorted(spans)) or "nothing"
