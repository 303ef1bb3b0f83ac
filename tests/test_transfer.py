"""Out to a file and in again: nothing is lost, nothing doubles, a bad file changes nothing, secrets stay out."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import pytest

import anaphora
from anaphora import BadText, FormatError, IdConflict, Ingested, InputError, Memory, State, StoreUnwritable
from anaphora.testing import FrozenClock

AT = datetime(2025, 11, 3, 14, 20, tzinfo=UTC)
Format = Literal["anaphora", "kds", "brain"]
FORMATS: tuple[Format, ...] = ("anaphora", "kds", "brain")
KEY = "sk-ant-" + "a1" * 20

Opened = Callable[..., Memory]


@pytest.fixture(params=["memory", "file"])
def fresh(request: pytest.FixtureRequest, clock: FrozenClock, tmp_path: Path) -> Iterator[Opened]:
    """Opens empty memories on each store."""
    opened: list[Memory] = []

    def make(**values: Any) -> Memory:
        place = tmp_path / f"{len(opened)}.db" if request.param == "file" else ":memory:"
        opened.append(anaphora.open(place, **{"clock": clock, "user": "ann", "agent": "helper", **values}))
        return opened[-1]

    yield make
    for memory in opened:
        memory.close()


def talk(memory: Memory) -> None:
    """Two conversations, replies, a decision, a file."""
    memory.hear("I want to add a FAB button", at=AT, id="m1")
    memory.say("Where should it go?", at=AT + timedelta(seconds=20), id="m2", reply_to="m1")
    memory.hear("Put it in the corner", at=AT + timedelta(seconds=40), id="m3", metadata={"mood": "ok"})
    memory.touch("app/fab.py", edited=True)
    memory.end("implemented", at=AT + timedelta(minutes=2))
    memory.new("Dark mode", at=AT + timedelta(minutes=3))
    memory.hear("Let's use CSS variables because they cascade 🌒", at=AT + timedelta(minutes=4), id="m4")


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def everything(memory: Memory, path: Path) -> dict[str, Any]:
    """An export without what differs by design: when it was made, and what happened on the way."""
    memory.export(path)
    record: dict[str, Any] = json.loads(path.read_text("utf-8"))
    del record["exported"], record["events"], record["scope"]
    for message in record["messages"]:
        del message["seq"]
    return record


# --- round trips --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMATS)
def test_what_was_exported_comes_back(fresh: Opened, tmp_path: Path, form: Format) -> None:
    source, target = fresh(), fresh()
    talk(source)
    assert source.export(tmp_path / "one", form) == (4 if form == "anaphora" else 3)
    done = target.import_file(tmp_path / "one")
    assert done == Ingested(heard=3, said=1 if form == "anaphora" else 0)
    target.export(tmp_path / "two", form)
    if form != "anaphora":
        assert (tmp_path / "two").read_bytes() == (tmp_path / "one").read_bytes()
    else:
        assert everything(target, tmp_path / "there") == everything(source, tmp_path / "here")
    assert {h.text for h in target.recall("fab corner")} >= {"I want to add a FAB button", "Put it in the corner"}


@pytest.mark.parametrize("form", FORMATS)
def test_importing_twice_doubles_nothing(fresh: Opened, tmp_path: Path, form: Format) -> None:
    source, target = fresh(), fresh()
    talk(source)
    source.export(tmp_path / "out", form)
    first = target.import_file(tmp_path / "out")
    before = everything(target, tmp_path / "before")
    again = target.import_file(tmp_path / "out")
    assert again == Ingested(known=first.heard + first.said)
    assert everything(target, tmp_path / "after") == before


@pytest.mark.parametrize("form", FORMATS)
def test_importing_ones_own_export_doubles_nothing(fresh: Opened, tmp_path: Path, form: Format) -> None:
    memory = fresh()
    talk(memory)
    before = everything(memory, tmp_path / "before")
    memory.export(tmp_path / "out", form)
    assert memory.import_file(tmp_path / "out") == Ingested(known=4 if form == "anaphora" else 3)
    assert everything(memory, tmp_path / "after") == before


@pytest.mark.parametrize("form", ["kds", "brain"])
def test_only_what_is_new_in_a_file_is_taken(fresh: Opened, tmp_path: Path, form: Format) -> None:
    source, target = fresh(), fresh()
    talk(source)
    source.export(tmp_path / "one", form)
    target.import_file(tmp_path / "one")
    source.hear("Make the toggle smaller", at=AT + timedelta(minutes=5))
    source.export(tmp_path / "two", form)
    assert target.import_file(tmp_path / "two") == Ingested(heard=1, known=3)
    assert target.conversations()[-1].message_count == 2
    target.export(tmp_path / "three", form)
    assert lines_of(tmp_path / "three") == lines_of(tmp_path / "two")


def test_two_messages_that_are_alike_stay_two(fresh: Opened, tmp_path: Path) -> None:
    memory, other = fresh(), fresh()
    for id in ("m1", "m2"):
        memory.hear("Again!", at=AT, id=id)
    memory.export(tmp_path / "log", "kds")
    assert other.import_file(tmp_path / "log") == Ingested(heard=2)
    assert other.import_file(tmp_path / "log") == Ingested(known=2)
    assert memory.import_file(tmp_path / "log") == Ingested(known=2)
    line = (tmp_path / "log").read_text("utf-8").splitlines()[0]
    (tmp_path / "log").write_text(f"{line}\n" * 3, "utf-8")
    assert memory.import_file(tmp_path / "log") == Ingested(heard=1, known=2)


@pytest.mark.parametrize("form", FORMATS)
def test_an_empty_memory_makes_an_empty_file_that_can_be_read(fresh: Opened, tmp_path: Path, form: Format) -> None:
    assert fresh().export(tmp_path / "out", form) == 0
    target = fresh()
    assert target.import_file(tmp_path / "out") == Ingested()
    assert (target.conversations(), target.state, target.events()) == ([], State(), [])


# --- files of others ----------------------------------------------------------------------------------------------

LOG = [
    '{"timestamp":"2025-11-03T14:23:45Z","user_message":"I want to add a FAB button","intent":"PLAN",'
    '"session_id":"fab-button-20251103"}',
    '{"timestamp":"2025-11-03T14:24:12Z","user_message":"Make it purple","intent":"EXECUTE",'
    '"session_id":"fab-button-20251103","context_ref":"FAB button"}',
    '{"timestamp":"2025-11-03T14:26:30Z","user_message":"Let us do dark mode","intent":"PLAN","session_id":"dark"}',
]
HISTORY = (
    '{"conversation_id":"conv-004","title":"FAB button","started":"2025-11-03T14:20:00Z","ended":null,'
    '"message_count":2,"active":true,"messages":['
    '{"id":"msg-001","timestamp":"2025-11-03T14:23:45Z","user":"I want to add a FAB button","intent":"PLAN",'
    '"entities":["FAB button"]},'
    '{"id":"msg-002","timestamp":"2025-11-03T14:24:12Z","user":"Make it purple","intent":"EXECUTE",'
    '"entities":["purple"],"context_ref":"FAB button"}],'
    '"entities_discussed":["FAB button","purple"],"files_modified":["HostControlPanel.razor"],"outcome":"planned"}'
)


def written(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def test_a_log_is_gone_on_with_where_it_stopped(fresh: Opened, tmp_path: Path) -> None:
    memory = fresh()
    memory.import_file(written(tmp_path / "log", *LOG[:2]))
    turn = memory.hear("Make it bigger", at=datetime(2025, 11, 3, 14, 25, tzinfo=UTC))
    assert turn.conversation.id == "fab-button-20251103"
    assert turn.conversation.message_count == 3
    assert turn.expanded == "Make the FAB button bigger"


def test_a_log_that_went_on_to_another_conversation_has_ended_the_first(fresh: Opened, tmp_path: Path) -> None:
    memory = fresh()
    memory.import_file(written(tmp_path / "log", *LOG))
    first, second = memory.conversations()
    assert (first.id, first.active, first.ended) == ("fab-button-20251103", False, first.last_at)
    assert (second.id, second.active, second.message_count) == ("dark", True, 1)
    assert memory.current() == second


def test_an_import_does_not_disturb_the_running_conversation(fresh: Opened, tmp_path: Path) -> None:
    memory = fresh()
    running = memory.hear("How do I sort a list?").conversation
    memory.import_file(written(tmp_path / "log", *LOG))
    assert [c.id for c in memory.conversations() if c.active] == [running.id]
    assert memory.current() is not None
    assert memory.hear("And a dictionary?").conversation.id == running.id


def test_a_long_log_fills_the_queue_and_no_more(fresh: Opened, tmp_path: Path) -> None:
    lines = [LOG[2].replace("dark mode", f"topic {n}").replace('"dark"', f'"c{n}"') for n in range(50)]
    memory = fresh()
    memory.import_file(written(tmp_path / "log", *lines))
    assert [c.id for c in memory.conversations()] == [f"c{n}" for n in range(30, 50)]
    assert memory.conversation("c3").messages[0].text == "Let us do topic 3"
    memory.export(tmp_path / "again", "kds")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "log").read_bytes()


def test_a_history_is_taken_as_it_stands_and_gone_on_with(fresh: Opened, tmp_path: Path) -> None:
    memory = fresh()
    assert memory.import_file(written(tmp_path / "history", HISTORY)) == Ingested(heard=2)
    memory.export(tmp_path / "again", "brain")
    assert (tmp_path / "again").read_text("utf-8") == HISTORY + "\n"
    assert [m.id for m in memory.conversation("conv-004").messages] == ["conv-004/msg-001", "conv-004/msg-002"]
    turn = memory.hear("Make it bigger", at=datetime(2025, 11, 3, 14, 25, tzinfo=UTC))
    assert turn.conversation.id == "conv-004"


def test_a_history_that_has_grown_adds_to_its_conversation(fresh: Opened, tmp_path: Path) -> None:
    memory = fresh()
    memory.import_file(written(tmp_path / "history", HISTORY))
    grown = json.loads(HISTORY)
    grown["messages"].append({"id": "msg-003", "timestamp": "2025-11-03T14:26:00Z", "user": "Round its corners"})
    done = memory.import_file(written(tmp_path / "grown", json.dumps(grown)))
    assert done == Ingested(heard=1, known=2)
    conversation = memory.conversation("conv-004")
    assert (conversation.message_count, conversation.title, conversation.outcome) == (3, "FAB button", "planned")
    assert conversation.messages[-1].text == "Round its corners"


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([*LOG[:2], "broken"], "Line 3 is no JSON"),
        ([*LOG[:2], '{"timestamp":"2025-11-03T14:23:45Z"}'], "Line 3: field 'user_message' is missing"),
        ([LOG[0], LOG[1].replace("Make it purple", "  ")], "is empty"),
        ([HISTORY, HISTORY], "as in a line before"),
        ([HISTORY, HISTORY.replace("conv-004", "c").replace("Make it purple", "")], "'c/msg-002' is empty"),
        (["{", ' "format": "anaphora"', "}"], "has version None"),
        (['{"format":"anaphora","version":2}'], "has version 2; this Anaphora reads 1"),
        (['{"format":"anaphora","version":1}'], "no export of Anaphora: 'past_conversations'"),
        (["{", '"format": "other"}'], "no export of Anaphora"),
        (["{", ' "format": "anaphora-user"', "}"], "to be read; it cannot be imported"),
        (['{"format":"anaphora","version":1,'], "is no JSON"),
        (['{"role":"user","content":"hi"}'], "in no format that Anaphora knows"),
        (["# Notes"], "in no format that Anaphora knows"),
    ],
)
def test_a_bad_line_imports_nothing_at_all(fresh: Opened, tmp_path: Path, lines: list[str], says: str) -> None:
    memory = fresh()
    memory.hear("Hello", id="m1")
    before = everything(memory, tmp_path / "before")
    events = memory.events()
    with pytest.raises(FormatError, match=says):
        memory.import_file(written(tmp_path / "bad", *lines))
    assert everything(memory, tmp_path / "after") == before
    assert memory.events() == events
    assert memory.recall("FAB button") == []


def exported(memory: Memory, path: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    """An export that someone has been at."""
    memory.export(path)
    record = json.loads(path.read_text("utf-8"))
    change(record)
    path.write_text(json.dumps(record), "utf-8")
    return path


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda r: r["messages"][0].update(role="system"), "This is no Message: 'system' is none of"),
        (lambda r: r["messages"][0].update(text=None), "None is no str"),
        (lambda r: r["messages"][0].update(text=" "), "The message 'm1' is empty"),
        (lambda r: r["messages"][0].update(text="half \ud800"), "field 'messages' holds a NUL or half"),
        (lambda r: r["messages"][0].update(metadata={"a": "\0"}), "field 'messages' holds a NUL or half"),
        (lambda r: r["state"].update(goals=[{"id": 1}]), "This is no State"),
        (lambda r: r.update(conversations={"a": 1}), "This is no Conversation"),
        (lambda r: r.update(conversations=None), "This is no export of Anaphora"),
        (lambda r: r.pop("state"), "This is no export of Anaphora: 'state'"),
    ],
)
def test_an_export_that_was_damaged_is_refused_whole(
    fresh: Opened, tmp_path: Path, change: Callable[[dict[str, Any]], object], says: str
) -> None:
    source, target = fresh(), fresh()
    talk(source)
    with pytest.raises(FormatError, match=says):
        target.import_file(exported(source, tmp_path / "out", change))
    assert (target.conversations(), target.state, target.events()) == ([], State(), [])


def test_an_id_that_is_taken_by_another_text_is_an_error(fresh: Opened, tmp_path: Path) -> None:
    source, target = fresh(), fresh()
    talk(source)
    source.export(tmp_path / "out")
    target.hear("Something else", id="m3")
    with pytest.raises(IdConflict, match="'m3' is taken"):
        target.import_file(tmp_path / "out")
    assert [c.message_count for c in target.conversations()] == [1]


def test_a_message_that_is_too_long_is_refused(fresh: Opened, tmp_path: Path) -> None:
    memory = fresh(max_message_chars=20)
    with pytest.raises(BadText, match="has 26 characters, more than 20"):
        memory.import_file(written(tmp_path / "log", *LOG))
    assert memory.conversations() == []


# --- everything ---------------------------------------------------------------------------------------------------


def test_an_export_is_known_in_any_layout(fresh: Opened, tmp_path: Path) -> None:
    source = fresh()
    talk(source)
    source.export(tmp_path / "out")
    compact = json.dumps(json.loads((tmp_path / "out").read_text("utf-8")), separators=(",", ":"))
    for name, text in (("compact", compact), ("marked", "\ufeff" + compact), ("spaced", "\n\n " + compact)):
        (tmp_path / name).write_text(text, "utf-8")
        assert fresh().import_file(tmp_path / name) == Ingested(heard=3, said=1)


def test_an_export_holds_everything_of_the_scope_and_nothing_of_others(store_path: Path, clock: FrozenClock) -> None:
    with (
        anaphora.open(store_path, clock=clock, user="ann") as mine,
        anaphora.open(store_path, clock=clock, user="bob") as theirs,
    ):
        talk(mine)
        theirs.hear("A secret of Bob's")
        mine.export(store_path.with_name("out"))
    record = json.loads(store_path.with_name("out").read_text("utf-8"))
    assert record["scope"] == {"user": "ann", "agent": "assistant", "project": "default"}
    assert [m["id"] for m in record["messages"]] == ["m1", "m2", "m3", "m4"]
    assert record["state"]["decisions"][0]["because"] == "they cascade 🌒"
    assert {e["kind"] for e in record["events"]} >= {"conversation.started", "message.heard", "file.touched"}
    assert "Bob" not in json.dumps(record)


def test_conversations_that_had_left_the_queue_come_along(fresh: Opened, tmp_path: Path) -> None:
    source, target = fresh(queue=2), fresh(queue=2)
    for n in range(5):
        source.new(f"Talk {n}")
        source.hear(f"Topic number {n}")
    source.export(tmp_path / "out")
    target.import_file(tmp_path / "out")
    assert everything(target, tmp_path / "there") == everything(source, tmp_path / "here")
    assert [c.title for c in target.conversations()] == ["Talk 3", "Talk 4"]
    assert target.conversation("Talk 0").messages[0].text == "Topic number 0"
    assert target.hear("Go on").conversation.title == "Talk 4"


def test_a_state_that_is_there_already_is_added_to(fresh: Opened, tmp_path: Path) -> None:
    source, target = fresh(), fresh()
    talk(source)
    target.update(lambda work: work.add_goal("Release"))
    mine = target.state.goals
    source.export(tmp_path / "out")
    for _ in range(2):
        target.import_file(tmp_path / "out")
        assert target.state.goals == (*mine, *(replace(g, id="goal-3") for g in source.state.goals))
        assert [d.text for d in target.state.decisions] == [d.text for d in source.state.decisions]
        assert target.state.files == source.state.files


@pytest.mark.requirement("K10")
@pytest.mark.parametrize("preset", ["kds", "brain"])
def test_a_memory_that_keeps_no_replies_and_no_code_takes_none(fresh: Opened, tmp_path: Path, preset: str) -> None:
    source, target = fresh(), fresh(preset=preset)
    source.hear("Fix this:\n```python\nprint(SENTINEL)\n```", at=AT)
    source.say("Done: `SENTINEL` is gone.", at=AT)
    source.export(tmp_path / "out")
    assert target.import_file(tmp_path / "out") == Ingested(heard=1)
    target.export(tmp_path / "again")
    record = json.loads((tmp_path / "again").read_text("utf-8"))
    assert [m["text"] for m in record["messages"]] == ["Fix this:\n[python code, 1 line]"]
    assert "SENTINEL" not in json.dumps(record["messages"])


# --- secrets ------------------------------------------------------------------------------------------------------


def test_secrets_in_a_file_are_redacted_before_they_are_stored(fresh: Opened, tmp_path: Path) -> None:
    log = [line.replace("FAB button", KEY) for line in LOG]
    history = HISTORY.replace("FAB button", KEY)
    source = fresh()
    talk(source)

    def leak(record: dict[str, Any]) -> None:
        record["messages"][0].update(text=f"use {KEY}", expanded=f"please use {KEY}")

    for path in (
        written(tmp_path / "log", *log),
        written(tmp_path / "history", history),
        exported(source, tmp_path / "out", leak),
    ):
        memory = fresh()
        assert KEY in path.read_text("utf-8")
        memory.import_file(path)
        memory.export(tmp_path / "again")
        kept = (tmp_path / "again").read_text("utf-8")
        assert KEY not in kept
        assert "[redacted: anthropic key]" in kept
        assert any(m.redactions for c in memory.conversations() for m in memory.conversation(c.id).messages)


# --- files --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMATS)
def test_an_export_can_be_read_by_its_owner_alone(memory: Memory, tmp_path: Path, form: Format) -> None:
    talk(memory)
    path = tmp_path / "out"
    path.write_text("an older file for everyone", "utf-8")
    path.chmod(0o644)
    memory.export(path, form)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [p.name for p in tmp_path.iterdir()].count("out") == 1
    assert not [p for p in tmp_path.iterdir() if p.name.endswith(".tmp")]


def test_a_place_that_cannot_be_written_is_named(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    places = ["missing/out", "file/out", ".", "home", "x" * 300, f"{'y' * 300}/out"]
    for place in places:
        with pytest.raises(StoreUnwritable, match="cannot be written") as caught:
            memory.export(tmp_path / place)
        assert str(tmp_path / place) in str(caught.value)
    with pytest.raises(InputError, match="path of a file"):
        memory.export("")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "home"]


def test_an_export_that_fails_leaves_the_older_file_and_nothing_else(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("older", "utf-8")
    for id in ("m1", f"{memory.hear('Hi', id='m0').conversation.id}/m1"):
        memory.hear("Hello there", id=id)
    with pytest.raises(FormatError, match="the same id"):
        memory.export(tmp_path / "out", "brain")
    assert (tmp_path / "out").read_text("utf-8") == "older"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["home", "out"]


@pytest.mark.parametrize("name", ["anaphora.db", "anaphora.db-wal", "other.db", "link"])
@pytest.mark.parametrize("form", [*FORMATS, "knowledge"])
def test_no_export_takes_the_place_of_a_store(tmp_path: Path, name: str, form: Any) -> None:
    with anaphora.open(tmp_path / "other.db") as other:
        other.hear("Mine too")
    (tmp_path / "link").symlink_to("anaphora.db")
    with anaphora.open(tmp_path / "anaphora.db") as memory:
        talk(memory)
        target = tmp_path / name
        before = target.read_bytes()
        with pytest.raises(InputError, match=rf"{name} is a database, and was left as it is. Name another file"):
            memory.export_knowledge(target) if form == "knowledge" else memory.export(target, form)
        assert target.read_bytes() == before
        assert memory.verify() == []


def test_a_file_that_cannot_be_read_is_named(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="missing cannot be read: No such file"):
        memory.import_file(tmp_path / "missing")
    with pytest.raises(InputError, match="a folder without sessions"):
        memory.import_file(tmp_path)
    (tmp_path / "latin").write_bytes(LOG[0].encode() + b"\xff\n")
    with pytest.raises(FormatError, match="UTF-8"):
        memory.import_file(tmp_path / "latin")
    assert memory.conversations() == []


def test_a_format_that_nobody_knows_is_named(memory: Memory, tmp_path: Path) -> None:
    path = written(tmp_path / "log", *LOG)
    with pytest.raises(InputError, match=r"Unknown format 'xml'. Use one of: anaphora, kds, brain"):
        memory.export(tmp_path / "out", "xml")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="Unknown format 'xml'"):
        memory.import_file(path, "xml")  # type: ignore[arg-type]
    assert not (tmp_path / "out").exists()


def test_a_file_in_another_format_than_was_said_is_refused(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="Line 1: field 'conversation_id' is missing"):
        memory.import_file(written(tmp_path / "log", *LOG), "brain")
    with pytest.raises(FormatError, match="Line 1: field 'timestamp' is missing"):
        memory.import_file(written(tmp_path / "history", HISTORY), "kds")


def test_an_import_is_told_as_an_event(memory: Memory, tmp_path: Path) -> None:
    memory.import_file(written(tmp_path / "log", *LOG))
    assert [e.data for e in memory.events() if e.kind == "messages.imported"] == [{"heard": 3, "said": 0}]
    before = len(memory.events())
    memory.import_file(tmp_path / "log")
    assert len(memory.events()) == before
