"""Importing what Claude Code, Codex, ChatGPT and Claude wrote down."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import anaphora
from anaphora.configuration import project_at
from anaphora.engine import importing, transcripts
from anaphora.formats.transcripts import Source, elements
from anaphora.ports import View
from tests.commands import error, run
from tests.transcripts import CHATGPT, CLAUDE, CLAUDE_CODE, CODEX, big_claude_code, write_lines


def out(*args: str) -> str:
    return run(*args).stdout


def read(*args: str) -> Any:
    return json.loads(out(*args, "--json"))


def _write(source: Source, folder: Path) -> Path:
    match source:
        case "claude-code":
            return write_lines(folder / "0a6afc57.jsonl", CLAUDE_CODE)
        case "codex":
            return write_lines(folder / "rollout-2025-11-03-019a2d7a.jsonl", CODEX)
        case "chatgpt":
            path = folder / "conversations.json"
            path.write_text(json.dumps(CHATGPT, indent=1))
            return path
        case "claude":
            path = folder / "conversations.json"
            path.write_text(json.dumps(CLAUDE))
            return path


def _talk(path: Path, **scope: Any) -> list[tuple[str, str]]:
    """Everything that is remembered, as (role, text), in the order of its time."""
    with anaphora.open(path, **scope) as memory:
        messages = [m for c in memory.conversations() for m in memory.conversation(c.id).messages]
    return [(m.role, m.text) for m in sorted(messages, key=lambda m: (m.at, m.seq))]


SAID: dict[Source, list[tuple[str, str]]] = {
    "claude-code": [
        ("user", "I want to add a FAB button"),
        ("assistant", "I will look at the page first."),
        ("assistant", "The FAB button is in fab.tsx now."),
        ("user", "Make it purple"),
    ],
    "codex": [
        ("user", "I want to add a FAB button"),
        ("assistant", "The FAB button is in src/fab.tsx."),
        ("user", "Make it purple"),
    ],
    "chatgpt": [
        ("user", "How long do lentils cook?"),
        ("assistant", "Twenty minutes."),
        ("user", "And chickpeas?"),
        ("user", "I want to add a FAB button"),
        ("user", "Make it purple"),
    ],
    "claude": [("user", "How long do lentils cook?"), ("assistant", "Twenty minutes.")],
}


@pytest.mark.requirement("G5")
@pytest.mark.parametrize("source", transcripts.SOURCES)
def test_what_was_said_is_taken_in_at_its_time_and_twice_is_once(
    source: Source, tmp_path: Path, store_path: Path
) -> None:
    file = _write(source, tmp_path)
    command = ("--store", str(store_path), "--project", "web", "import", source, str(file))
    done = read(*command)["projects"]["web"]
    assert done["heard"] + done["said"] == len(SAID[source])
    assert _talk(store_path, project="web") == SAID[source]
    again = read(*command)["projects"]["web"]
    assert (again["heard"] + again["said"], again["known"]) == (0, len(SAID[source]))
    with anaphora.open(store_path, project="web") as memory:
        assert memory.conversations()[0].started.year == 2025
        assert not any(c.active for c in memory.conversations())
        assert memory.verify() == []


@pytest.mark.requirement("G5")
def test_references_and_files_come_out_as_if_it_had_been_there(tmp_path: Path, store_path: Path) -> None:
    file = _write("claude-code", tmp_path)
    out("--store", str(store_path), "--project", "web", "import", "claude-code", str(file))
    with anaphora.open(store_path, project="web") as memory:
        message = memory.message("claude-code-u9")
        assert message is not None
        assert message.expanded == "Make the FAB button purple"
        assert memory.conversations()[-1].files_modified == ("/srv/web/fab.tsx",)
        assert memory.state.files.last_edited == "/srv/web/fab.tsx"
        assert "/srv/web/page.tsx" in memory.state.files.files


def test_records_that_hold_nothing_to_remember_are_counted_by_their_kind(tmp_path: Path) -> None:
    file = _write("claude-code", tmp_path)
    done = read("import", "claude-code", str(file), "--dry-run")["projects"][""]
    assert (done["heard"], done["said"], done["sessions"]) == (2, 2, 1)
    assert done["skipped"]["something-new"] == 1
    assert done["skipped"]["talk between agents"] == 1
    assert done["skipped"]["summary"] == 1
    with anaphora.open() as memory:
        assert memory.conversations() == []


def test_a_transcript_goes_to_the_project_that_it_was_made_in(tmp_path: Path, store_path: Path) -> None:
    file = _write("codex", tmp_path)
    done = read("--store", str(store_path), "import", "codex", str(file))
    project = project_at(Path("/srv/web"))
    assert list(done["projects"]) == [project]
    assert _talk(store_path, project=project) == SAID["codex"]


@pytest.mark.parametrize(
    ("source", "folder"), [("claude-code", ".claude/projects/-web"), ("codex", ".codex/sessions/2025")]
)
def test_an_assistants_own_folder_is_found_and_asked_about(source: Source, folder: str, store_path: Path) -> None:
    place = Path(os.environ["HOME"]) / folder
    place.mkdir(parents=True)
    _write(source, place)
    write_lines(place / "agent-1.jsonl", [{**CLAUDE_CODE[4], "uuid": "other"}])
    base = ("--store", str(store_path), "--project", "web", "import", source)
    assert "--yes" in error(*base)
    assert _talk(store_path, project="web") == []
    assert read(*base, "--yes")["files"] == 1
    assert _talk(store_path, project="web") == SAID[source]


def test_an_archive_is_read_as_it_was_downloaded(tmp_path: Path, store_path: Path) -> None:
    archive = tmp_path / "export.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("chat.html", "<html>")
        packed.writestr("conversations-000.json", json.dumps(CHATGPT[:1]))
        packed.writestr("conversations-001.json", json.dumps(CHATGPT[1:]))
    out("--store", str(store_path), "import", "chatgpt", str(archive))
    assert _talk(store_path) == SAID["chatgpt"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("[]", "holds no conversation"),
        ("{not json", "holds no conversation"),
        ('[{"mapping": 3}]', "holds no conversation"),
        ("", ""),
    ],
)
def test_a_file_that_is_something_else_says_so(content: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(content)
    if says:
        assert says in error("import", "chatgpt", str(path))
    else:
        assert "0 new messages" in out("import", "chatgpt", str(path))


@pytest.mark.parametrize("source", ["claude-code", "codex"])
@pytest.mark.parametrize(
    "content",
    ["{}", "# Notes\n\nuse Redis\n", '{"type": "user", "text": "use Redis"}\n', '{"payload": {}}', "[1]\n", "\0\xff"],
)
def test_a_file_that_holds_no_session_is_refused_and_nothing_is_written(
    source: Source, content: str, tmp_path: Path, store_path: Path
) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_bytes(content.encode("latin-1"))
    good = _write(source, tmp_path)
    told = error("--store", str(store_path), "import", source, str(good), str(path))
    assert f"notes.jsonl holds no session of {source}." in told
    assert not store_path.exists()
    out("--store", str(store_path), "--project", "web", "import", source, str(tmp_path))  # in a folder it is passed by
    assert _talk(store_path, project="web") == SAID[source]


def test_what_cannot_be_stored_keeps_nothing_else_from_being_taken_in(tmp_path: Path, store_path: Path) -> None:
    good = CLAUDE_CODE[4]
    odd: list[dict[str, Any]] = [
        {**good, "uuid": "long", "message": {"role": "user", "content": "word " * 500_000}},
        {**good, "uuid": "x" * 400},
        {**good, "uuid": "nul", "sessionId": "a\0b"},
        {**good, "uuid": "cut", "message": {"role": "user", "content": "\0\ud800"}},
    ]
    file = write_lines(tmp_path / "odd.jsonl", [*odd, *CLAUDE_CODE])
    told = out("--store", str(store_path), "--project", "web", "import", "claude-code", str(file))
    assert "3 record that cannot be stored" in told
    assert "1 message that is too long" in told
    assert _talk(store_path, project="web") == SAID["claude-code"]


@pytest.mark.parametrize("folder", ["\0", "\ud800", "/" + "x" * 5000])
def test_a_folder_that_cannot_be_is_no_project(folder: str, tmp_path: Path) -> None:
    file = write_lines(tmp_path / "odd.jsonl", [{**CLAUDE_CODE[4], "cwd": folder}])
    assert "1 new message in 1 session" in out("import", "claude-code", str(file))


@pytest.mark.parametrize("source", transcripts.SOURCES)
def test_a_file_that_may_not_be_read_is_named(source: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = _write(source, tmp_path)

    def refused(path: Path, *_: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", refused)
    monkeypatch.setattr(zipfile, "is_zipfile", lambda _: False)
    with pytest.raises(anaphora.InputError, match=f"{file.name} cannot be read: Permission denied"):
        list(transcripts.records(source, transcripts.Transcript(file, 9, transcripts._LONG_AGO), lambda _: None))
    if source in ("claude-code", "codex"):
        with pytest.raises(anaphora.InputError, match=f"{file.name} cannot be read: Permission denied"):
            transcripts.found(source, [file])


def test_a_damaged_archive_is_named(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", json.dumps(CHATGPT * 50))
    data = bytearray(path.read_bytes())
    data[60:90] = b"\xff" * 30
    path.write_bytes(data)
    assert "export.zip is a damaged archive" in error("import", "chatgpt", str(path))


def test_what_one_assistant_wrote_is_no_session_of_the_other(tmp_path: Path) -> None:
    assert "no session of codex" in error("import", "codex", str(_write("claude-code", tmp_path)))
    assert "no session of claude-code" in error("import", "claude-code", str(_write("codex", tmp_path)))


def test_a_session_in_which_nothing_was_said_is_taken_in(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "rollout-1.jsonl", CODEX[:1])
    assert "0 new messages in 0 sessions" in out("import", "codex", str(file))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("claude-code", "nowhere.jsonl"), "There is no file nowhere.jsonl"),
        (("claude-code",), "There is no folder"),
        (("chatgpt",), "No file of chatgpt was given"),
        (("notes.json", "--quick"), "go with a source"),
    ],
)
def test_what_cannot_be_read_is_said_with_what_to_do(arguments: Sequence[str], says: str) -> None:
    assert says in error("import", *arguments)


def test_damaged_lines_are_skipped_and_the_rest_is_taken_in(tmp_path: Path, store_path: Path) -> None:
    file = _write("claude-code", tmp_path)
    text = file.read_text().splitlines(keepends=True)
    file.write_bytes("".join([*text[:3], '{"type": "user", "mess\n', "\n", "[1]\n", *text[3:]]).encode() + b'{"half')
    done = read("--store", str(store_path), "--project", "web", "import", "claude-code", str(file))
    assert done["projects"]["web"]["skipped"]["unreadable line"] == 3
    assert _talk(store_path, project="web") == SAID["claude-code"]


def test_a_session_that_was_heard_while_it_ran_is_left_alone(tmp_path: Path, store_path: Path) -> None:
    file = _write("claude-code", tmp_path)
    with anaphora.open(store_path, project="web", session="0a6afc57") as memory:
        memory.hear("I want to add a FAB button")
    done = read("--store", str(store_path), "--project", "web", "import", "claude-code", str(file))
    assert done["projects"]["web"]["live"] == 1
    assert len(_talk(store_path, project="web")) == 1


def test_an_import_that_is_killed_goes_on_where_it_was(tmp_path: Path, store_path: Path) -> None:
    files = big_claude_code(tmp_path, 3.0, sessions=3)
    command = [sys.executable, "-m", "anaphora", "--store", str(store_path), "--project", "web", "import"]
    command += ["claude-code", *map(str, files), "--quick"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        while running.poll() is None and not _some_are_there(store_path):
            pass
        running.send_signal(signal.SIGKILL)
    found = read(
        "--store", str(store_path), "--project", "web", "import", "claude-code", *map(str, files), "--dry-run", "--json"
    )
    expected = found["projects"][""]["heard"] + found["projects"][""]["said"]
    done = json.loads(subprocess.run([*command, "--json"], check=True, capture_output=True, text=True).stdout)
    one = done["projects"]["web"]
    assert one["known"] > 0
    assert one["known"] + one["heard"] + one["said"] == expected
    with anaphora.open(store_path, project="web") as memory:
        assert sum(c.message_count for c in memory.conversations()) <= expected
        assert memory.verify() == []


def test_two_imports_of_the_same_at_once_count_each_message_once(
    tmp_path: Path, store_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = (
        "--store",
        str(store_path),
        "--project",
        "web",
        "import",
        "claude-code",
        str(_write("claude-code", tmp_path)),
    )
    others: list[Any] = []

    def then_another_takes_them_in(view: View, run: importing.Run) -> list[dict[str, Any]]:
        found = unknown(view, run)
        monkeypatch.setattr(importing, "unknown", unknown)
        others.append(read(*command)["projects"]["web"])
        return found

    unknown = importing.unknown
    monkeypatch.setattr(importing, "unknown", then_another_takes_them_in)
    mine = read(*command)["projects"]["web"]
    assert others[0]["heard"] + others[0]["said"] == len(_talk(store_path, project="web")) == 4
    assert (mine["sessions"], mine["heard"], mine["said"], mine["known"]) == (0, 0, 0, 4)


def test_imports_by_several_processes_add_up_to_what_is_stored(tmp_path: Path, store_path: Path) -> None:
    files = big_claude_code(tmp_path, 0.6, sessions=3)
    command = [sys.executable, "-m", "anaphora", "--store", str(store_path), "--project", "web", "import"]
    command += ["claude-code", *map(str, files), "--quick", "--json"]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    done = [json.loads(one.communicate()[0])["projects"]["web"] for one in running]
    with anaphora.open(store_path, project="web") as memory:
        stored = len(memory._place.view.messages())
        assert memory.verify() == []
    assert sum(one["heard"] + one["said"] for one in done) == stored > 0
    assert {one["heard"] + one["said"] + one["known"] for one in done} == {stored}
    assert [one["live"] for one in done] == [0, 0]


def _some_are_there(path: Path) -> bool:
    if not path.exists():
        return False
    try:
        with anaphora.open(path, project="web") as memory:
            return memory.message("claude-code-0-0-u") is not None
    except anaphora.AnaphoraError:
        return False


@pytest.mark.parametrize(
    "whole",
    [
        [{"a": [{"b": 1}]}, {"c": 'x{["\\'}],
        {"account": {"x": [{"y": 1}]}, "conversations": [{"u": [1, {"z": 2}]}, {"v": "é"}]},
        [],
        [1, "two", [3]],
    ],
)
@pytest.mark.parametrize("dump", [json.dumps, lambda value: json.dumps(value, indent=2, ensure_ascii=False)])
def test_the_objects_of_an_array_are_found_without_reading_it_whole(whole: Any, dump: Callable[[Any], str]) -> None:
    data = dump(whole).encode()
    items = whole["conversations"] if isinstance(whole, dict) else [one for one in whole if isinstance(one, dict)]
    assert [json.loads(data[begin:end]) for begin, end in elements(data)] == items
