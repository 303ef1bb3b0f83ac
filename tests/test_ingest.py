"""Many messages at once: the same as one by one, in whole batches, while others may write."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import anaphora
from anaphora import Memory
from anaphora.engine.rehearsing import Moved, Rehearsal, Unrehearsed
from anaphora.errors import IdConflict
from anaphora.memory.terms import terms_of
from anaphora.models.reader import bundled_reader
from anaphora.ports import Judgement, Line, View
from anaphora.stores.memory import MemoryStore
from anaphora.testing import FrozenClock
from anaphora.types import Event, Message, Scope

START = datetime(2025, 11, 3, 9, tzinfo=UTC)
FOREVER = timedelta(days=10_000)
SAID = (
    ("user", 0, "I want to add a FAB button to the search page"),
    ("assistant", 0, "Done: there is a round button in the lower right corner now, drawn by `FabButton.tsx`."),
    ("user", 1, "Make it purple"),
    ("assistant", 1, "It is purple now. Shall I add a shadow?"),
    ("user", 2, "yes, and remember that our brand colour is #6a0dad"),
    ("assistant", 2, "Added, and noted."),
    ("user", 45, "let's use RS256 for the tokens because keys rotate"),
    ("assistant", 45, "Good choice. I changed `validate_token` in auth/jwt.py."),
    ("user", 46, "it crashes with KeyError: 'kid'"),
    ("user", 50, "thanks, that works"),
    ("user", 60 * 30, "Actually, let's work on dark mode first"),
    ("user", 60 * 30 + 1, "Use toggle switch, not button"),
    ("user", 60 * 30 + 2, "Put it in the header"),
    ("user", 60 * 33, "what about the footer?"),
    ("user", 60 * 33 + 1, "go on"),
    ("user", 60 * 34, "back to the FAB button: make it larger"),
    ("user", 60 * 34 + 1, "my api key is sk-ant-REDACTED-a1b2c3d4e5f6a7b8c9"),
)


def messages(rounds: int = 1) -> list[dict[str, Any]]:
    return [
        {"id": f"{n}-{i}", "role": role, "at": START + timedelta(days=7 * n, minutes=minute), "text": text}
        for n in range(rounds)
        for i, (role, minute, text) in enumerate(SAID)
    ]


def one_by_one(memory: Memory, many: Sequence[dict[str, Any]]) -> None:
    for one in many:
        (memory.hear if one["role"] == "user" else memory.say)(one["text"], at=one["at"], id=one["id"])


def all_of(memory: Memory) -> tuple[object, ...]:
    """Everything that is stored; how often a document was written on the way to what it holds is not compared, and a
    question has a name of its own each time."""

    def told(event: Event) -> Event:
        return replace(event, data={k: v for k, v in event.data.items() if k not in ("version", "question")})

    view = memory._place.view
    questions = [replace(c, messages=()) for c in memory.conversations()]
    return list(view.messages()), [told(e) for e in view.events()], questions, replace(memory.state, version=0)


# --- the same as one by one ---------------------------------------------------------------------------------------


def test_a_batch_is_heard_as_its_messages_one_by_one_would_be(
    any_memory: Memory, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("anaphora.engine.ingesting._BATCH", 23)
    with anaphora.open(":memory:", clock=clock, reader=any_memory.settings.reader) as other:
        one_by_one(other, messages(4))
        any_memory.ingest(messages(4))
        assert all_of(any_memory) == all_of(other)


@pytest.mark.parametrize("preset", ["kds", "brain", "quaid", "whisper", "light"])
def test_so_it_is_in_every_preset(preset: Any, clock: FrozenClock) -> None:
    with (
        anaphora.open(":memory:", clock=clock, preset=preset, expire_after=FOREVER) as many,
        anaphora.open(":memory:", clock=clock, preset=preset, expire_after=FOREVER) as single,
    ):
        one_by_one(single, messages(2))
        many.ingest(messages(2))
        assert all_of(many) == all_of(single)


def test_so_it_is_with_the_reader(clock: FrozenClock) -> None:
    with (
        anaphora.open(":memory:", clock=clock, reader=bundled_reader()) as many,
        anaphora.open(":memory:", clock=clock, reader=bundled_reader()) as single,
    ):
        one_by_one(single, messages())
        many.ingest(messages())
        assert all_of(many) == all_of(single)
        assert any(m.expanded for m in many._place.view.messages())


def test_a_batch_can_be_heard_by_rules_alone(clock: FrozenClock) -> None:
    def never() -> None:
        raise AssertionError("the reader was asked")

    with anaphora.open(":memory:", clock=clock, reader=Waiting(never)) as memory:
        assert memory.ingest(messages(), by_rules=True).heard == 13
        assert memory._place.view.messages()[2].expanded == "Make the FAB button purple"


def test_what_is_there_already_is_counted_and_not_read_again(memory: Memory) -> None:
    first = memory.ingest(messages()[:5])
    again = memory.ingest(messages())
    assert (first.heard, first.said, first.known) == (3, 2, 0)
    assert (again.heard, again.said, again.known) == (10, 2, 5)
    twice = [messages()[-1], messages()[-1]]
    assert memory.ingest(twice).known == 2


def test_a_known_id_with_another_text_takes_the_batch_back(memory: Memory) -> None:
    memory.ingest(messages()[:3])
    before = all_of(memory)
    with pytest.raises(IdConflict):
        memory.ingest([*messages()[3:6], {**messages()[0], "text": "something else"}])
    assert all_of(memory) == before


# --- while others write -------------------------------------------------------------------------------------------


class Waiting:
    """A reader that does something else while it reads."""

    def __init__(self, meanwhile: Callable[[], object]) -> None:
        self._meanwhile = meanwhile

    def judge(self, text: str, lines: Sequence[Line], /, *, talk: bool) -> Judgement:
        self._meanwhile()
        return bundled_reader().judge(text, lines, talk=talk)

    def prepare(self, *_: str) -> object:
        return None

    def forget(self) -> None: ...


def test_others_can_write_while_a_batch_is_read(store_path: Path, clock: FrozenClock) -> None:
    with anaphora.open(store_path, user="other", clock=clock, busy_timeout=timedelta(milliseconds=50)) as other:
        reader = Waiting(lambda: other.hear("something of my own"))
        with anaphora.open(store_path, clock=clock, reader=reader) as memory:
            memory.ingest(messages()[:12])
            assert len(memory._place.view.messages()) == 12
        assert len(other._place.view.messages()) == sum(role == "user" for role, _, _ in SAID[:12])


def test_what_another_says_in_the_same_session_meanwhile_is_taken_into_account(
    store_path: Path, clock: FrozenClock
) -> None:
    once = threading.Event()
    with anaphora.open(store_path, clock=clock) as other:

        def meanwhile() -> None:
            if not once.is_set():
                once.set()
                other.hear("I want a settings dialog", at=START, id="theirs")

        with anaphora.open(store_path, clock=clock, reader=Waiting(meanwhile)) as memory:
            memory.ingest([{"text": "Make it wider", "at": START + timedelta(minutes=1), "id": "mine"}])
        said = other._place.view.messages()
        assert [m.id for m in said] == ["theirs", "mine"]
        assert said[0].conversation_id == said[1].conversation_id
        assert other.verify() == []


def test_what_is_learned_meanwhile_does_not_make_a_batch_be_heard_again(store_path: Path, clock: FrozenClock) -> None:
    judged: list[int] = []
    with anaphora.open(store_path, clock=clock) as other:
        other.hear("Make the button wider", at=START)

        def meanwhile() -> None:
            judged.append(len(judged))
            other.consolidate()

        with anaphora.open(store_path, clock=clock, session="mine", reader=Waiting(meanwhile)) as memory:
            memory.ingest(messages()[:12])
            assert len(judged) == sum(role == "user" for role, _, _ in SAID[:12])
            assert other.verify() == []


def test_where_others_never_rest_a_batch_takes_its_turn(store_path: Path, clock: FrozenClock) -> None:
    with anaphora.open(store_path, clock=clock, busy_timeout=timedelta(milliseconds=20)) as other:
        tries: list[int] = []

        def meanwhile() -> None:
            tries.append(len(tries))
            if len(tries) <= 3:
                other.hear(f"note {len(tries)}", at=START)

        with anaphora.open(store_path, clock=clock, reader=Waiting(meanwhile)) as memory:
            memory.ingest([{"text": "Make it wider", "at": START + timedelta(minutes=1)}])
        assert len(tries) == 4
        assert len(other._place.view.messages()) == 4


def test_an_interrupt_leaves_whole_batches_and_the_rest_can_follow(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("anaphora.engine.ingesting._BATCH", 5)

    def until_interrupted() -> Any:
        yield from messages()[:12]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory.ingest(until_interrupted())
    assert len(memory._place.view.messages()) == 10
    done = memory.ingest(messages()[:14])
    assert done.known == 10
    assert [m.id for m in memory._place.view.messages()] == [m["id"] for m in messages()[:14]]
    assert memory.verify() == []


# --- rehearsing ---------------------------------------------------------------------------------------------------

SCOPE = Scope("u", "a", "p")


@pytest.fixture
def store() -> MemoryStore:
    found = MemoryStore(terms_of)
    with found.transaction(SCOPE) as tx:
        tx.put("note", "old", {"text": "old"})
        tx.put("note", "older", {"text": "older"})
    return found


def notes(view: View) -> list[tuple[str, int, Any]]:
    return [(d.id, d.version, d.body["text"]) for d in view.documents("note")]


def test_a_rehearsal_sees_what_it_wrote_and_stores_nothing_until_it_is_performed(store: MemoryStore) -> None:
    rehearsal = Rehearsal(store.view(SCOPE))
    rehearsal.put("note", "new", {"text": "first"})
    rehearsal.put("note", "new", {"text": "second"})
    rehearsal.put("note", "old", {"text": "changed"})
    assert rehearsal.drop("note", "older")
    assert not rehearsal.drop("note", "never")
    rehearsal.put("note", "older", {"text": "back"})
    rehearsal.emit(Event("noted", START, "main"))
    seen = [("old", 2, "changed"), ("new", 1, "second"), ("older", 1, "back")]
    assert notes(rehearsal) == seen
    assert notes(store.view(SCOPE)) == [("old", 1, "old"), ("older", 1, "older")]
    with store.transaction(SCOPE) as tx:
        rehearsal.perform(tx)
    assert notes(store.view(SCOPE)) == seen
    assert [e.kind for e in store.view(SCOPE).events()] == ["noted"]


@pytest.mark.parametrize("look", [lambda r: r.document("note", "old"), lambda r: r.documents("note")])
def test_a_rehearsal_is_not_performed_when_what_it_read_has_changed(
    store: MemoryStore, look: Callable[[Rehearsal], object]
) -> None:
    rehearsal = Rehearsal(store.view(SCOPE))
    look(rehearsal)
    rehearsal.put("note", "mine", {"text": "mine"})
    with store.transaction(SCOPE) as tx:
        tx.put("note", "old", {"text": "theirs"})
    with pytest.raises(Moved), store.transaction(SCOPE) as tx:
        rehearsal.perform(tx)
    assert notes(store.view(SCOPE)) == [("old", 2, "theirs"), ("older", 1, "older")]


def test_what_is_laid_aside_may_change_while_it_is_read_and_is_not_written(store: MemoryStore) -> None:
    rehearsal = Rehearsal(store.view(SCOPE), aside=("note",))
    assert rehearsal.document("note", "old") is not None
    rehearsal.put("other", "mine", {"text": "mine"})
    with store.transaction(SCOPE) as tx:
        tx.put("note", "old", {"text": "theirs"})
    with store.transaction(SCOPE) as tx:
        rehearsal.perform(tx)
    assert notes(store.view(SCOPE)) == [("old", 2, "theirs"), ("older", 1, "older")]
    with pytest.raises(Unrehearsed):
        rehearsal.put("note", "old", {"text": "mine"})


def test_a_message_that_another_stored_meanwhile_is_noticed(store: MemoryStore) -> None:
    rehearsal = Rehearsal(store.view(SCOPE))
    assert rehearsal.message("m") is None
    with store.transaction(SCOPE) as tx:
        tx.add(Message("m", "user", "theirs", START, "u", "main"))
    assert rehearsal.message("m") is None
    rehearsal.add(Message("m", "user", "mine", START, "u", "main"))
    with pytest.raises(Moved), store.transaction(SCOPE) as tx:
        rehearsal.perform(tx)
    assert [m.text for m in store.view(SCOPE).messages()] == ["theirs"]


def test_what_deletes_for_good_is_not_rehearsed(store: MemoryStore) -> None:
    rehearsal = Rehearsal(store.view(SCOPE))
    assert rehearsal.remove([]) == 0
    with pytest.raises(Unrehearsed):
        rehearsal.remove(["m"])
    with pytest.raises(Unrehearsed):
        rehearsal.erase()
    with pytest.raises(Unrehearsed):
        rehearsal.messages(since=START)
