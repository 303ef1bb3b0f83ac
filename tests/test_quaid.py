"""The folder .quaid/context: written and read field for field, opened by Polars, gone on with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars
import pytest

import anaphora
from anaphora import FormatError, InputError, Memory
from anaphora.testing import FrozenClock
from tests.commands import error, own_store, run
from tests.talk import everything, later

SESSION = "conv-2025-11-09-001"
HOT: dict[str, Any] = {
    "conversation_id": SESSION,
    "session_started": "2025-11-09T04:30:00Z",
    "active_goals": [
        {
            "goal": "Implement JWT authentication",
            "status": "in-progress",
            "priority": "high",
            "created": "2025-11-09T04:30:00Z",
        }
    ],
    "current_file_context": {
        "files": ["auth/jwt.py", "auth/validators.py"],
        "last_edited": "auth/jwt.py",
        "current_function": "validate_jwt_token",
    },
    "pending_actions": ["Test token refresh flow", "Update documentation"],
    "key_decisions": [
        {
            "decision": "Use RS256 instead of HS256",
            "rationale": "Better security for distributed systems",
            "timestamp": "2025-11-09T04:45:00Z",
        }
    ],
    "important_constraints": ["Token TTL must be 1 hour", "Must support refresh tokens"],
}
HISTORY = [
    {"msg_id": "msg-001", "timestamp": "2025-11-09T04:30:15Z", "agent": "user", "content": "Let's implement JWT auth"},
    {"msg_id": "msg-002", "timestamp": "2025-11-09T04:30:30Z", "agent": "quaid", "content": "I'll help with that."},
    {"msg_id": "msg-003", "timestamp": "2025-11-09T04:31:00Z", "agent": "user", "content": "Use RS256"},
]
SUMMARY = f"""# Session Summary ({SESSION})

## Objective
Implementing JWT authentication system with refresh tokens

## Progress
- ✅ Decided on RS256 algorithm
- 🔄 Currently working on token validation
- ⏳ Pending: token refresh flow

## Key Decisions
1. RS256 over HS256 (security in distributed systems)
2. 1-hour token TTL with refresh tokens

## Critical Context
- Working files: auth/jwt.py, auth/validators.py
- Next: test token refresh + update docs
"""
METADATA: dict[str, Any] = {
    "session_id": SESSION,
    "started": "2025-11-09T04:30:00Z",
    "last_activity": "2025-11-09T06:15:23Z",
    "message_count": 45,
    "title": "JWT Authentication Implementation",
    "status": "active",
    "agents": ["user", "quaid"],
    "primary_files": ["auth/jwt.py", "auth/validators.py"],
    "tags": ["authentication", "jwt", "implementation"],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder as someone else's program left it."""
    context = tmp_path / "elsewhere" / ".quaid" / "context"
    session = context / "sessions" / SESSION
    session.mkdir(parents=True)
    (session / "hot_context.json").write_text(json.dumps(HOT, indent=2), "utf-8")
    lines = [json.dumps({**line, "importance": 0.8}) for line in HISTORY]
    (session / "recent_history.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    (session / "summary.md").write_text(SUMMARY, "utf-8")
    (session / "metadata.json").write_text(json.dumps(METADATA, indent=2), "utf-8")
    (context / "active_session.txt").write_text(SESSION + "\n", "utf-8")
    (context / "sessions.jsonl").write_text(json.dumps(METADATA) + "\n", "utf-8")
    return context


def read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


@pytest.mark.requirement("Q11")
@pytest.mark.parametrize("part", ["", "..", "../.."])
def test_a_session_that_was_opened_from_a_folder_goes_on(any_memory: Memory, folder: Path, part: str) -> None:
    done = any_memory.import_file((folder / part).resolve())
    assert (done.heard, done.said) == (2, 1)
    found = any_memory.current()
    assert found is not None
    assert (found.id, found.title, found.tags) == (SESSION, METADATA["title"], tuple(METADATA["tags"]))
    state = any_memory.state
    assert [(g.text, g.status, g.priority) for g in state.goals] == [
        ("Implement JWT authentication", "in-progress", "high")
    ]
    assert [(d.text, d.because) for d in state.decisions] == [
        ("Use RS256 instead of HS256", "Better security for distributed systems")
    ]
    assert [n.text for n in state.constraints] == HOT["important_constraints"]
    assert [a.text for a in state.actions] == HOT["pending_actions"]
    assert state.files.current_function == "validate_jwt_token"
    assert "1-hour token TTL with refresh tokens" in any_memory.summary  # of messages that are not here
    turn = any_memory.hear("Test it", at=later(days=6, hours=14))
    assert turn.conversation.id == SESSION
    assert "1-hour token TTL with refresh tokens" in any_memory.summary
    context = any_memory.context(turn).text
    assert "Use RS256" in context
    assert "Implement JWT authentication" in context
    before = everything(any_memory)
    assert any_memory.import_file(folder).known == 3  # twice is once
    assert everything(any_memory) == before


@pytest.mark.requirement("Q11")
def test_what_is_written_has_the_files_and_fields_of_the_format(any_memory: Memory) -> None:
    any_memory.hear("I want to implement JWT authentication", at=later(0))
    any_memory.say("Which algorithm?", at=later(1))
    any_memory.hear("Let's use RS256 for it because keys rotate", at=later(2))
    any_memory.hear("The token TTL of the JWT authentication must be 1 hour", at=later(3))
    any_memory.touch("auth/jwt.py", function="validate", edited=True, at=later(3))
    any_memory.update(lambda work: work.remember("the key is in the vault"))
    assert any_memory.export("out", format="quaid") == 4
    context = Path("out") / ".quaid" / "context"
    [id] = [c.id for c in any_memory.conversations()]
    session = context / "sessions" / id
    assert sorted(p.name for p in session.iterdir()) == [
        "hot_context.json",
        "metadata.json",
        "recent_history.jsonl",
        "summary.md",
    ]
    hot = read(session / "hot_context.json")
    assert hot.keys() - {"key_entities", "remember"} == HOT.keys()
    assert hot["active_goals"][0].keys() == HOT["active_goals"][0].keys()
    assert hot["key_decisions"][0].keys() == HOT["key_decisions"][0].keys()
    assert hot["current_file_context"] == {
        "files": ["auth/jwt.py"],
        "last_edited": "auth/jwt.py",
        "current_function": "validate",
    }
    metadata = read(session / "metadata.json")
    assert metadata.keys() == METADATA.keys()
    assert (metadata["session_id"], metadata["status"], metadata["message_count"]) == (id, "active", 4)
    assert metadata["agents"] == ["user", "assistant"]
    assert json.loads((context / "sessions.jsonl").read_text("utf-8")) == metadata
    assert (context / "active_session.txt").read_text("utf-8").strip() == id
    assert "## Objective" in (session / "summary.md").read_text("utf-8")
    assert session.stat().st_mode & 0o077 == 0
    assert (session / "hot_context.json").stat().st_mode & 0o077 == 0


@pytest.mark.requirement("Q11")
def test_polars_opens_the_lines_as_they_are(any_memory: Memory) -> None:
    for n in range(25):
        any_memory.hear(f"Paint wall {n} “blue”\nand green", at=later(n))
    any_memory.export("out", format="quaid")
    [path] = Path("out").rglob("recent_history.jsonl")
    frame = polars.read_ndjson(path)
    assert frame.columns == ["msg_id", "timestamp", "agent", "content", "importance"]
    assert frame.height == 20  # the last twenty
    assert frame.filter(polars.col("importance") >= 0.5).height == 20
    assert frame["content"][-1] == "Paint wall 24 “blue”\nand green"
    [index] = Path("out").rglob("sessions.jsonl")
    assert polars.read_ndjson(index)["message_count"].to_list() == [25]


@pytest.mark.requirement("Q11")
def test_there_and_back_everything_of_it_is_the_same(any_memory: Memory, clock: FrozenClock) -> None:
    any_memory.hear("I want to implement JWT authentication", at=later(0))
    any_memory.say("Which algorithm?", at=later(1))
    any_memory.hear("Let's use RS256 because keys rotate", at=later(2))
    any_memory.hear("What do you think?", at=later(3), speaker="Bob")
    any_memory.tag("1", "auth")
    any_memory.export("out", format="quaid")
    with anaphora.open(":memory:", clock=clock) as other:
        other.import_file("out")
        assert [(m.role, m.speaker, m.text, m.at) for m in other.conversation("1").messages] == [
            (m.role, m.speaker, m.text, m.at) for m in any_memory.conversation("1").messages
        ]
        assert [(g.text, g.status) for g in other.state.goals] == [(g.text, g.status) for g in any_memory.state.goals]
        assert [(d.text, d.because) for d in other.state.decisions] == [("use RS256", "keys rotate")]
        assert other.conversations()[0].tags == ("auth",)
        assert "use RS256 (keys rotate)" in other.summary
        other.export("again", format="quaid")
    first, second = (sorted(p for p in Path(d).rglob("*") if p.is_file()) for d in ("out", "again"))
    assert [p.relative_to("out") for p in first] == [p.relative_to("again") for p in second]
    for one, two in zip(first, second, strict=True):
        if one.name in ("recent_history.jsonl", "active_session.txt"):
            assert one.read_text("utf-8") == two.read_text("utf-8")


def test_sessions_of_others_stay_in_the_folder(any_memory: Memory, folder: Path) -> None:
    any_memory.hear("I want to add a FAB button", at=later(0))
    any_memory.export(folder, format="quaid")
    index = [json.loads(line)["session_id"] for line in (folder / "sessions.jsonl").read_text("utf-8").splitlines()]
    assert index == [SESSION, any_memory.conversations()[0].id]
    assert read(folder / "sessions" / SESSION / "metadata.json") == METADATA


@pytest.mark.parametrize("id", ["..", ".", "a/b", "a\\b", "ü" * 120, "x" * 250, "con:1"])
def test_any_id_has_a_folder_inside(any_memory: Memory, id: str) -> None:
    any_memory.log("Paint the wall", intent="PLAN", session_id=id, at=later(0))
    any_memory.export("out", format="quaid")
    [made] = (Path("out") / ".quaid" / "context" / "sessions").iterdir()
    assert read(made / "metadata.json")["session_id"] == id


DAMAGE = [
    ("metadata.json", "{", "is no JSON"),
    ("metadata.json", '{"session_id": 4}', "session_id"),
    ("hot_context.json", '{"conversation_id": "x", "active_goals": ["text"]}', "active_goals"),
    ("hot_context.json", '{"conversation_id": "x", "active_goals": [{"goal": "a", "status": "odd"}]}', "status"),
    ("recent_history.jsonl", '{"msg_id": "a"}', "agent"),
    ("recent_history.jsonl", '{"msg_id": "a", "timestamp": "now", "agent": "user", "content": "x"}', "timestamp"),
]


@pytest.mark.requirement("Q11")
@pytest.mark.parametrize(("name", "text", "told"), DAMAGE)
def test_a_damaged_folder_is_named_and_nothing_is_taken_in(
    any_memory: Memory, folder: Path, name: str, text: str, told: str
) -> None:
    (folder / "sessions" / SESSION / name).write_text(text, "utf-8")
    with pytest.raises(FormatError, match=told):
        any_memory.import_file(folder)
    assert any_memory.conversations() == []


def test_secrets_are_taken_out_on_the_way_in(any_memory: Memory, folder: Path) -> None:
    key = "sk-proj-" + "a1B2" * 12
    hot = {**HOT, "important_constraints": [f"Use the key {key}"]}
    (folder / "sessions" / SESSION / "hot_context.json").write_text(json.dumps(hot), "utf-8")
    (folder / "sessions" / SESSION / "summary.md").write_text(SUMMARY + f"- Constraint: Use the key {key}\n", "utf-8")
    any_memory.import_file(folder)
    assert key not in json.dumps(everything(any_memory))
    assert key not in any_memory.summary


def test_the_commands(folder: Path, store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_store(store_path, monkeypatch)
    assert "3 new, 0 known" in run("import", str(folder)).stdout
    assert "Wrote 3 messages" in run("export", "--format", "quaid", "out").stdout
    assert "a folder, which stdout cannot be" in error("export", "--format", "quaid", "-")
    assert "without sessions" in error("import", ".")
    Path("file.json").write_text("{}", "utf-8")
    assert "a folder, not a file" in error("import", "--format", "quaid", "file.json")


def test_a_folder_that_is_none_is_refused(any_memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="without sessions"):
        any_memory.import_file(tmp_path)
