"""Whatever way a secret comes in, it is in no file of the store, nor in what comes out of it again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import pytest

import anaphora
from anaphora import InputError, Memory, Message
from anaphora.testing import FrozenClock
from tests.secrets import GIVEN, MARKER, SHAPED
from tests.talk import START, later, stored_bytes

SAID = f"I want to add a FAB button, the key is {MARKER}."
WEAK = "Zq7" + "hunter2secret"  # a password: nothing but the words around it give it away
MARKERS = (MARKER, WEAK)
Format = Literal["anaphora", "kds", "brain"]
FORMATS: tuple[Format, ...] = ("anaphora", "kds", "brain")


def update(change: Callable[[Any], object]) -> Callable[[Memory], object]:
    return lambda memory: memory.update(change)


def work_in_a_block(memory: Memory) -> None:
    with memory.update() as work:
        work.add_goal(SAID)
        work.touch(f"keys/{MARKER}.py", function=f"f_{MARKER}", edited=True)


# Each is stored, without the secret.
REDACTED: dict[str, Callable[[Memory], object]] = {
    "hear": lambda m: m.hear(SAID),
    "hear, with a password": lambda m: m.hear(f"Add a login, my password is {WEAK}"),
    "hear, in code": lambda m: m.hear(f"Fix this:\n```python\nDB_PASSWORD = '{WEAK}'\n```"),
    "metadata of what is heard": lambda m: m.hear("Make it purple", metadata={"a": [{"b": SAID}], MARKER: 1}),
    "metadata under a telling key": lambda m: m.hear("Make it purple", metadata={"login": {"password": WEAK}}),
    "say": lambda m: m.say(SAID),
    "metadata of what is said": lambda m: m.say("It is purple.", metadata={"headers": {"x-api-key": MARKER}}),
    "log": lambda m: m.log(SAID, intent="PLAN"),
    "the intent of a log": lambda m: m.log("Make it purple", intent=MARKER),
    "what a log refers to": lambda m: m.log("Make it purple", intent="PLAN", context_ref=f"the {MARKER} button"),
    "ingest": lambda m: m.ingest([{"text": SAID}, {"text": SAID, "role": "assistant", "metadata": {"x": MARKER}}]),
    "ingest, a message": lambda m: m.ingest([Message("m-1", "user", SAID, START, "ann", "main", metadata={"x": SAID})]),
    "the title of a conversation": lambda m: m.new(SAID),
    "a file": lambda m: m.touch(f"keys/{MARKER}.py", edited=True),
    "a function": lambda m: m.touch("auth/jwt.py", function=f"f_{MARKER}"),
    "a goal": update(lambda work: work.add_goal(SAID)),
    "a decision": update(lambda work: work.decide(SAID, because=SAID)),
    "a constraint": update(lambda work: work.constrain(SAID)),
    "a note": update(lambda work: work.remember(SAID)),
    "an action": update(lambda work: work.plan(SAID)),
    "a fact": update(lambda work: work.learn(SAID, speaker="ann")),
    "a file in an update": update(lambda work: work.touch(f"keys/{MARKER}.py", function=MARKER, edited=True)),
    "a block of updates": work_in_a_block,
}  # fmt: skip

# A name must stay what it is, so these are refused.
REFUSED: dict[str, Callable[[Memory], object]] = {
    "the id of what is heard": lambda m: m.hear("Make it purple", id=MARKER),
    "who speaks": lambda m: m.hear("Make it purple", speaker=MARKER),
    "the id of what is said": lambda m: m.say("It is purple.", id=MARKER),
    "what a reply replies to": lambda m: m.say("It is purple.", reply_to=MARKER),
    "what an ingested reply replies to": lambda m: m.ingest(
        [Message("m-1", "assistant", "It is purple.", START, "helper", "main", reply_to=MARKER)]
    ),
    "the conversation of a log": lambda m: m.log("Make it purple", intent="PLAN", session_id=MARKER),
    "who signs an update": lambda m: m.update(lambda work: work.plan("Write tests"), author=MARKER),
    "whose fact it is": update(lambda work: work.learn("likes purple", speaker=MARKER)),
}


@pytest.fixture
def on_disk(store_path: Path, clock: FrozenClock) -> Iterator[Memory]:
    with anaphora.open(store_path, user="ann", agent="helper", clock=clock) as memory:
        yield memory


def left_behind(memory: Memory, store: Path) -> list[str]:
    """Where a marker is still to be found. What the store keeps in a packed form is plain in the exports."""
    places: dict[str, bytes] = {}
    for form in FORMATS:
        path = store.parent / f"out.{form}"
        memory.export(path, form)
        places[f"the export in {form}"] = path.read_bytes()
    memory.export(store.parent / "out.user", whole_user=True)
    places["the export of the user"] = (store.parent / "out.user").read_bytes()
    places["the context"] = memory.context("What about the button?", 4000).text.encode()
    places["the events"] = repr(memory.events()).encode()
    places["the store"] = stored_bytes(store)
    memory.close()
    places["the store when it is closed"] = stored_bytes(store)
    return [place for place, found in places.items() if any(marker.encode() in found for marker in MARKERS)]


@pytest.mark.parametrize("way", REDACTED)
def test_a_secret_that_comes_in_with_a_text_is_not_stored(on_disk: Memory, store_path: Path, way: str) -> None:
    on_disk.hear("I want to add a login button")
    REDACTED[way](on_disk)
    on_disk.hear("Make it purple and go on")
    assert left_behind(on_disk, store_path) == []


@pytest.mark.parametrize("way", REFUSED)
def test_a_name_that_looks_like_a_secret_is_refused_and_not_shown(on_disk: Memory, store_path: Path, way: str) -> None:
    on_disk.hear("I want to add a login button")
    with pytest.raises(InputError, match="looks like a secret") as caught:
        REFUSED[way](on_disk)
    assert MARKER not in str(caught.value)
    assert left_behind(on_disk, store_path) == []


@pytest.mark.parametrize("name", ["user", "agent", "project", "session", "author"])
def test_no_memory_is_opened_under_a_secret(store_path: Path, name: str) -> None:
    names: dict[str, Any] = {name: MARKER}
    with pytest.raises(InputError, match=f"The {name} looks like a secret"):
        anaphora.open(store_path, **names)
    assert not store_path.exists()


@pytest.mark.requirement("K10")
def test_no_kind_of_secret_reaches_the_disk(on_disk: Memory, store_path: Path) -> None:
    secrets = [*SHAPED.values(), *(secret for text, secret in GIVEN.items() if len(secret) > 8)]
    for minute, text in enumerate([*(f"Please use {secret} here" for secret in SHAPED.values()), *GIVEN]):
        on_disk.hear(text, at=later(minute))
    on_disk.export(store_path.parent / "out")
    on_disk.close()
    found = stored_bytes(store_path) + (store_path.parent / "out").read_bytes()
    assert [secret for secret in secrets if secret.encode() in found] == []


# --- imports ------------------------------------------------------------------------------------------------------


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The place of every text in plain data."""
    if isinstance(value, str):
        yield path
    elif isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(item, (*path, key))


def planted(record: Any, path: tuple[Any, ...], text: str) -> str:
    """The record as JSON, with the text in that place."""
    copy = json.loads(json.dumps(record))
    at = copy
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = text
    return json.dumps(copy)


def talked_about(clock: FrozenClock, path: Path) -> None:
    """An export that has something in every field."""
    with anaphora.open(":memory:", user="ann", agent="helper", clock=clock) as memory:
        turn = memory.hear("I want to add a FAB button, we decided to use CSS because it is quick", at=later(0))
        memory.say(
            "Done.", at=later(1), reply_to=turn.message_id, metadata={"model": "small", "tags": ["a", {"b": "c"}]}
        )
        memory.hear("Make it purple, my password is Zq7abcdefg1", at=later(2), metadata={"source": "editor"})
        memory.log("Make it round", intent="EXECUTE", context_ref="FAB button")
        memory.touch("auth/jwt.py", function="validate", edited=True)
        with memory.update() as work:
            work.add_goal("Write tests")
            work.add_goal("Write more tests", parent="Write tests")
            work.decide("Use RS256", because="it is safe")
            work.constrain("TTL 1 h")
            work.remember("the demo is on Friday")
            work.plan("Deploy")
            work.learn("likes purple", speaker="bob")
        memory.end("planned")
        memory.new("Dark mode")
        memory.export(path)


KDS = {
    "timestamp": "2025-11-03T14:23:45Z",
    "user_message": "I want to add a FAB button",
    "intent": "PLAN",
    "session_id": "fab-button-20251103",
    "context_ref": "FAB button",
    "editor": {"name": "vi", "open": ["a.py"]},
}
BRAIN = {
    "conversation_id": "conv-004",
    "title": "FAB button",
    "started": "2025-11-03T14:20:00Z",
    "ended": None,
    "active": True,
    "messages": [
        {
            "id": "msg-001",
            "timestamp": "2025-11-03T14:23:45Z",
            "user": "I want to add a FAB button",
            "intent": "PLAN",
            "entities": ["FAB button"],
            "context_ref": "the design",
            "mood": ["good", {"today": "yes"}],
        }
    ],
    "entities_discussed": ["FAB button"],
    "files_modified": ["HostControlPanel.razor"],
    "references": ["conv-001"],
    "outcome": "planned",
}


@pytest.mark.parametrize("form", FORMATS)
def test_a_secret_in_any_field_of_a_file_is_not_stored(tmp_path: Path, clock: FrozenClock, form: Format) -> None:
    talked_about(clock, tmp_path / "export")
    record = {"anaphora": json.loads((tmp_path / "export").read_text("utf-8")), "kds": KDS, "brain": BRAIN}[form]
    kept = 0
    for number, path in enumerate(leaves(record)):
        store = tmp_path / str(number) / "anaphora.db"
        store.parent.mkdir()
        (tmp_path / "in").write_text(planted(record, path, MARKER), "utf-8")
        with anaphora.open(store, user="ann", agent="helper", clock=clock) as memory:
            try:
                memory.import_file(tmp_path / "in", form)
                kept += 1
            except InputError:
                assert memory.conversations() == []
            assert left_behind(memory, store) == [], path
    assert kept >= 5


def test_a_secret_of_a_message_is_not_stored_where_it_stands_alone(tmp_path: Path, clock: FrozenClock) -> None:
    said, alone = f"Add a login, my password is {WEAK}", f"the {WEAK} thing"
    brain = json.loads(json.dumps(BRAIN))
    brain.update(title=alone, files_modified=[alone])
    brain["messages"][0].update(user=said, entities=[alone], context_ref=alone)
    talked_about(clock, tmp_path / "export")
    ours = json.loads((tmp_path / "export").read_text("utf-8"))
    ours["messages"][0].update(text=said, expanded=said)
    ours["messages"][0]["signals"][0]["text"] = alone
    ours["conversations"][0]["title"] = alone
    ours["state"]["notes"][0]["text"] = alone
    for form, record in {"brain": brain, "anaphora": ours}.items():
        store = tmp_path / form / "anaphora.db"
        store.parent.mkdir()
        (tmp_path / "in").write_text(json.dumps(record), "utf-8")
        with anaphora.open(store, user="ann", agent="helper", clock=clock) as memory:
            assert memory.import_file(tmp_path / "in").heard > 0
            assert left_behind(memory, store) == []
