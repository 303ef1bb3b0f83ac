"""knowledge-graph.yaml, the command, and the export of a whole memory: what was learned comes out and back in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

import anaphora
from anaphora import FormatError, Knowledge, Memory, NotFound, Report
from tests.commands import error, run
from tests.talk import later

SEED = """
conversation_patterns:
  - pattern: "make it {color}"
    context_required: ["previous_entity"]
    intent: "EXECUTE"
    confidence: 0.95
    learned_from: 15
  - pattern: "add {feature} and test it"
    multi_intent: ["PLAN", "TEST"]
    confidence: 0.88
    learned_from: 8
entity_resolution:
  pronouns:
    "it":
      - type: "most_recent_noun"
        lookback: 2
        confidence: 0.90
    "that":
      - type: "most_recent_feature"
        lookback: 3
        confidence: 0.85
  demonstratives:
    "the {entity}":
      - type: "specific_from_context"
        must_exist_in: "last_5_messages"
        confidence: 0.92
file_relationships:
  co_modified:
    - files: ["HostControlPanel.razor", "HostControlPanelContent.razor"]
      frequency: 23
      pattern: "component_parent_child"
    - files: ["AssetProcessingService.cs", "UnifiedHtmlTransformService.cs"]
      frequency: 18
      pattern: "service_dependency"
conversation_boundaries:
  explicit_markers:
    - "actually, let's work on"
    - "forget that, I want to"
    - "new topic:"
    - "switching to"
  implicit_markers:
    - new_session_started: true
    - entity_similarity_below: 0.3
    - time_gap_exceeds: "4 hours"
"""


def taught(memory: Memory) -> Memory:
    for n in range(3):
        for text in ("I want to add a FAB button", "Make it purple", "Actually, let's work on dark mode first"):
            memory.hear(text, at=later(10 * n))
    memory.touch("src/a.py", edited=True, at=later(40))
    memory.touch("src/test_a.py", edited=True, at=later(40))
    memory.consolidate()
    return memory


def written(memory: Memory, name: str = "graph.yaml") -> dict[str, Any]:
    memory.export_knowledge(name)
    found: dict[str, Any] = yaml.safe_load(Path(name).read_text("utf-8"))
    return found


def _sorted(graph: dict[str, Any]) -> dict[str, Any]:
    """The surest come first in ours: the order within a list says nothing else."""
    patterns = sorted(graph["conversation_patterns"], key=lambda one: str(one["pattern"]))
    files = sorted(graph["file_relationships"]["co_modified"], key=lambda one: str(one["files"]))
    boundaries = {name: sorted(some, key=str) for name, some in graph["conversation_boundaries"].items()}
    return {
        **{name: graph[name] for name in ("entity_resolution",)},
        "conversation_patterns": patterns,
        "co_modified": files,
        "conversation_boundaries": boundaries,
    }


@pytest.mark.requirement("B11")
def test_the_file_of_the_seed_comes_in_and_goes_out_field_for_field(any_memory: Memory) -> None:
    Path("seed.yaml").write_text(SEED, "utf-8")
    assert any_memory.import_knowledge("seed.yaml") == Report(added=14)
    assert _sorted(written(any_memory)) == _sorted(yaml.safe_load(SEED))
    assert any_memory.import_knowledge("seed.yaml") == Report()
    assert any_memory.hear("Let me think. Switching to the footer", at=later(0)).boundary.best_guess == "new"


@pytest.mark.requirement("B11")
def test_what_was_learned_here_goes_to_another_scope_as_it_is(any_memory: Memory, store_path: Path) -> None:
    taught(any_memory).export_knowledge("graph.yaml")
    assert Path("graph.yaml").stat().st_mode & 0o077 == 0
    with anaphora.open(store_path, user="bob") as bob:
        bob.import_knowledge("graph.yaml")
        assert _without_age(bob.knowledge) == _without_age(any_memory.knowledge)


def _without_age(knowledge: Knowledge) -> set[str]:
    shown = (
        (one.kind, one.pattern, sorted(one.counts.items()), one.confidence, one.context) for one in knowledge.lessons
    )
    return set(map(str, shown))


def test_patterns_from_elsewhere_lose_what_is_particular(memory: Memory) -> None:
    Path("graph.yaml").write_text("conversation_patterns: [{pattern: ask Waltraud about it, intent: ASK}]")
    memory.import_knowledge("graph.yaml")
    assert [one.pattern for one in memory.knowledge.templates] == ["ask {entity} about it"]


@pytest.mark.parametrize(
    "text",
    [
        "[1, 2]",
        "a: [",
        "",
        "{}",
        "goals: []",
        "conversation_patterns: 3",
        "conversation_patterns: [{pattern: 3, intent: PLAN}]",
        "conversation_patterns: [{pattern: make it, intent: PLAN, confidence: 3}]",
        "conversation_patterns: [{pattern: make it, intent: PLAN, learned_from: -1}]",
        "conversation_patterns: [{pattern: make it}]",
        "entity_resolution: {pronouns: {it: 3}}",
        "file_relationships: {co_modified: [{files: [a.py]}]}",
        "observations: {reference: {it: {counts: {x: 1}}}}",
        "observations: {template: {make it: {counts: {}}}}",
        "[" * 5000,
        "!!python/object/apply:os.system ['true']",
    ],
)
def test_a_damaged_file_is_refused_and_changes_nothing(memory: Memory, text: str) -> None:
    known = taught(memory).knowledge
    Path("graph.yaml").write_text(text, "utf-8")
    with pytest.raises(FormatError):
        memory.import_knowledge("graph.yaml")
    assert memory.knowledge == known


@pytest.mark.requirement("G7")
def test_the_export_of_a_memory_holds_what_it_learned_and_forgetting_still_reaches_it_elsewhere(
    any_memory: Memory, store_path: Path
) -> None:
    any_memory.hear("Remove the last change", at=later(0), id="alone")
    taught(any_memory).export("all.json")
    assert "make it {color}" in Path("all.json").read_text("utf-8")
    with anaphora.open(store_path, user="bob") as bob:
        bob.import_file("all.json")
        assert bob.knowledge.lessons == any_memory.knowledge.lessons
        bob.import_file("all.json")
        assert bob.knowledge.lessons == any_memory.knowledge.lessons
        bob.forget(message="alone")
        assert "remove the last change" not in {one.pattern for one in bob.knowledge.templates}
        for conversation in bob.conversations():
            bob.forget(conversation=conversation.id)
        assert bob.knowledge.lessons == ()
        assert bob.verify() == []


def test_an_export_without_knowledge_is_taken_in_as_before(any_memory: Memory, store_path: Path) -> None:
    taught(any_memory).export("all.json")
    data = json.loads(Path("all.json").read_text("utf-8"))
    del data["knowledge"]
    Path("all.json").write_text(json.dumps(data), "utf-8")
    with anaphora.open(store_path, user="bob") as bob:
        assert bob.import_file("all.json").heard == 9
        assert bob.knowledge == Knowledge()


# --- the command --------------------------------------------------------------------------------------------------


@pytest.mark.requirement("B8")
def test_the_command_shows_learns_exports_imports_and_purges(store_path: Path) -> None:
    store = ("--store", str(store_path))
    told = " ".join(run(*store, "knowledge").stdout.split())
    assert (
        "Nothing learned yet. It comes by itself after 50 messages or a day; to learn now: anaphora consolidate" in told
    )
    for n in range(3):
        run(*store, "hear", "Make it purple", "--at", f"2025-11-03T14:{20 + n}:00Z")
    assert "added" in run(*store, "consolidate").stdout
    shown = run(*store, "knowledge").stdout
    assert "make it {color}" in shown
    assert "EXECUTE" in shown
    lessons = json.loads(run(*store, "knowledge", "--json").stdout)["lessons"]
    assert run(*store, "knowledge", "export", "graph.yaml").stdout == f"Wrote {len(lessons)} lessons to graph.yaml.\n"
    assert yaml.safe_load(run(*store, "knowledge", "export", "-").stdout)["conversation_patterns"]
    assert "Add --yes" in error(*store, "knowledge", "purge")
    assert run(*store, "knowledge", "purge", "--yes").stdout == f"Let go of {len(lessons)} lessons.\n"
    again = json.loads(run(*store, "knowledge", "import", "graph.yaml", "--json").stdout)
    assert again == {"added": len(lessons), "reinforced": 0, "pruned": 0}
    assert "nothing.yaml cannot be read" in error(*store, "knowledge", "import", "nothing.yaml")
    assert "stdin: This is no knowledge graph" in error(*store, "knowledge", "import", "-", stdin="{}")


def test_what_was_exported_before_anything_was_learned_is_taken_in(memory: Memory) -> None:
    memory.export_knowledge("graph.yaml")
    assert memory.import_knowledge("graph.yaml") == Report()


def test_nothing_is_said_to_be_forgotten_that_was_not_there(memory: Memory) -> None:
    with pytest.raises(NotFound):
        taught(memory).forget(message="nothing")
    assert memory.knowledge.lessons != ()
