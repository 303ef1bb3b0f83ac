"""Long conversations: put together, archived, gone on with; nothing that was said is lost by it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import anaphora
from anaphora import Memory, NotFound
from anaphora.engine import archiving
from anaphora.memory.compaction import worth
from anaphora.memory.digest import digested
from anaphora.settings import Settings
from anaphora.testing import FrozenClock
from anaphora.types import Conversation, Message, Signal
from tests.counting import counted
from tests.talk import START, everything, later, stored_bytes


def paint(memory: Memory, count: int, first: int = 0) -> None:
    """A long conversation about one thing."""
    for n in range(first, first + count):
        memory.hear(f"Paint wall {n} of the house in shade {n % 7}", at=later(n / 10), id=f"m{n}")


def shown(memory: Memory) -> str:
    return memory.context("what now?", at=later(60)).text


# --- the steps ----------------------------------------------------------------------------------------------------


@pytest.mark.requirement("Q7")
def test_at_fifty_messages_similar_ones_become_one_summary_that_cites_them(any_memory: Memory) -> None:
    paint(any_memory, 49)
    any_memory.finish()
    assert any_memory.compaction("1").clusters == ()
    paint(any_memory, 1, first=49)
    any_memory.finish()
    [cluster] = any_memory.compaction("1").clusters
    assert cluster.message_ids == tuple(f"m{n}" for n in range(40))  # all but the last ten
    assert cluster.text.startswith("(40 similar messages) Paint wall")
    assert cluster.text in shown(any_memory)
    assert "Paint wall 39 of" not in shown(any_memory).partition("## Recent Conversation")[2]
    assert "Paint wall 45 of" in shown(any_memory)
    assert [any_memory.message(id) is not None for id in cluster.message_ids] == [True] * 40


@pytest.mark.requirement("Q7")
def test_what_binds_is_never_put_behind_a_cluster(memory: Memory) -> None:
    for n in range(60):
        memory.hear(f"Never paint wall {n} of the house" if n % 9 == 4 else f"Paint wall {n} of the house", id=f"m{n}")
    memory.finish()
    behind = {id for cluster in memory.compaction("1").clusters for id in cluster.message_ids}
    assert behind
    assert not behind & {f"m{n}" for n in range(60) if n % 9 == 4}


@pytest.mark.requirement("Q7")
def test_three_similar_messages_are_too_few(memory: Memory) -> None:
    memory.new("Everything")
    for n in range(50):
        memory.hear("Thanks, and again the same please" if n in (3, 9, 20) else f"alpha{n} beta{n} gamma{n} delta{n}")
    memory.finish()
    assert all(len(c.message_ids) > 3 for c in memory.compaction("1").clusters)


@pytest.mark.requirement("Q7")
def test_at_a_hundred_messages_the_session_is_archived_and_goes_on_from_its_summary(any_memory: Memory) -> None:
    any_memory.hear("Never paint the door of the house", at=later(0))
    paint(any_memory, 99)
    any_memory.finish()
    [fragment] = any_memory.fragments()
    assert (fragment.part, len(fragment.message_ids), fragment.why) == (1, 90, "it grew long")
    assert "Never paint the door" in fragment.text
    assert any_memory.compaction("1").clusters == ()
    history = shown(any_memory).partition("## Recent Conversation")[2]
    assert "Paint wall 88 of" not in history
    assert "Paint wall 89 of" in history  # the last ten stay as they are
    assert "Never paint the door" in any_memory.summary
    assert [c.message_count for c in any_memory.conversations()] == [100]
    archived = [e for e in any_memory.events() if e.kind == "conversation.archived"]
    assert [e.data["messages"] for e in archived] == [90]
    paint(any_memory, 100, first=99)
    any_memory.finish()
    assert [(f.part, len(f.message_ids)) for f in any_memory.fragments()] == [(1, 90), (2, 100)]


@pytest.mark.requirement("Q7")
def test_a_window_that_is_nearly_full_is_compacted_at_once(clock: FrozenClock) -> None:
    with anaphora.open(":memory:", clock=clock, budget=1000) as memory:
        memory.hear("Let's use RS256 because keys rotate", at=later(0))
        for n in range(6):
            memory.say(f"Step {n}: " + "and so it goes on " * 15, at=later(n))
        memory.finish()
        assert memory.fragments() == []  # 7 messages, some 400 tokens
        for n in range(6, 13):
            memory.say(f"Step {n}: " + "and so it goes on " * 15, at=later(n))
        memory.finish()
        [fragment] = memory.fragments()
        assert fragment.why == "the window was nearly full"
        kept = {m.id for m in memory.conversation("1").messages} - set(fragment.message_ids)
        assert len(kept) == 4  # the last turns
        assert [d.text for d in memory.state.decisions] == ["use RS256"]
        context = memory.context("which algorithm?", at=later(20))
        assert "Step 12" in context.text
        assert "RS256" in context.text
        assert context.tokens <= 1000


@pytest.mark.requirement("Q7")
def test_a_message_that_a_question_waits_about_is_left_where_it_is(clock: FrozenClock) -> None:
    with anaphora.open(":memory:", clock=clock, ask_below=1.0, compact_keep=1) as memory:
        paint(memory, 60)
        waiting = memory.hear("Is it done?", at=later(30)).question
        assert waiting is not None
        for n in range(60):
            memory.say(f"Wall {n} is painted", at=later(31))
        memory.finish()
        behind = {id for f in memory.fragments() for id in f.message_ids}
        assert waiting.message_id not in behind
        assert memory.question == waiting


@pytest.mark.requirement("Q7")
def test_decisions_and_entities_of_messages_that_were_only_logged_move_to_the_state(memory: Memory) -> None:
    for n in range(100):
        said = "Let's use RS256 because keys rotate" if n == 5 else f"Paint wall {n} in auth/jwt.py"
        memory.log(said, intent="PLAN", session_id="conv-1", at=later(n / 10))
    memory.finish()
    assert [(d.text, d.because) for d in memory.state.decisions] == [("use RS256", "keys rotate")]
    assert "auth/jwt.py" in memory.state.entities["files"]


def test_what_was_taken_out_of_the_state_by_hand_does_not_come_back(memory: Memory) -> None:
    memory.hear("Let's use RS256 because keys rotate", at=later(0))
    [decision] = memory.state.decisions
    memory.update(lambda work: work.remove(decision.id))
    paint(memory, 100)
    memory.finish()
    assert memory.fragments()
    assert memory.state.decisions == ()


def test_compacting_twice_changes_nothing(any_memory: Memory) -> None:
    paint(any_memory, 120)
    any_memory.finish()
    before = everything(any_memory)
    any_memory.finish()
    assert everything(any_memory) == before
    assert any_memory.verify() == []


@pytest.mark.requirement("Q7")
def test_nothing_is_lost_by_it(any_memory: Memory) -> None:
    paint(any_memory, 130)
    any_memory.finish()
    for n in (0, 17, 44, 89, 101, 129):
        assert any_memory.recall(f"wall {n} of the house", k=3, at=later(60))[0].message_id == f"m{n}"
    assert len(any_memory.conversation("1").messages) == 130


def test_it_can_be_switched_off(clock: FrozenClock) -> None:
    with anaphora.open(":memory:", clock=clock, compaction=False) as memory:
        paint(memory, 110)
        memory.finish()
        assert memory.fragments() == []
        assert memory.compaction("1").clusters == ()


def test_a_long_import_is_compacted_in_pieces(memory: Memory) -> None:
    texts = [f"Paint wall {n} of the house in shade {n % 7}" for n in range(450)]
    memory.ingest([{"text": t, "at": later(n / 10), "id": f"m{n}"} for n, t in enumerate(texts)])
    memory.finish()
    behind = [id for f in memory.fragments() for id in f.message_ids]
    assert behind == [f"m{n}" for n in range(len(behind))]
    assert len(behind) >= 400
    assert len(behind) == len(set(behind))


# --- fragments ----------------------------------------------------------------------------------------------------


@pytest.mark.requirement("Q8")
def test_a_session_is_archived_by_hand(any_memory: Memory) -> None:
    with pytest.raises(NotFound, match="nothing to archive"):
        any_memory.archive()
    any_memory.hear("I want to add a FAB button", at=later(0), id="a")
    made = any_memory.archive("The button", at=later(1))
    assert (made.title, made.message_ids, made.why) == ("The button", ("a",), "by hand")
    assert "add a FAB button" in made.text
    any_memory.hear("It must be purple", at=later(2), id="b")
    again = any_memory.archive(at=later(3))
    assert again.id == made.id
    assert again.message_ids == ("a", "b")
    assert any_memory.fragments() == [again] == [any_memory.fragment(made.id)] == [any_memory.fragment(again.title)]
    assert any_memory.current() is not None


@pytest.mark.requirement("Q8")
def test_a_session_that_was_worth_it_is_archived_when_it_has_ended(any_memory: Memory) -> None:
    any_memory.hear("I want to add a FAB button", at=later(0))
    any_memory.hear("It must be purple", at=later(1))
    for n in range(4):
        any_memory.hear(f"Make it number {n}", at=later(2 + n))
    any_memory.finish()
    assert any_memory.fragments() == []
    any_memory.end("completed", at=later(8))
    any_memory.finish()
    [fragment] = any_memory.fragments()
    assert fragment.why == "1 constraint, 1 goal, completed"
    assert len(fragment.message_ids) == 6


def test_archiving_a_session_does_not_read_the_fragments_of_others(store_path: Path, clock: FrozenClock) -> None:
    with anaphora.open(store_path, clock=clock, queue=2) as opened:
        memory, reads = counted(opened)
        taken = []
        for number in range(12):
            memory.new(at=later(60 * number))
            memory.hear("I want to add a FAB button", at=later(60 * number + 1))
            for n in range(5):
                memory.hear(f"It must be purple in view {n}", at=later(60 * number + 2 + n))
            memory.end("completed", at=later(60 * number + 8))
            reads.clear()
            archiving.judge(memory._place)
            taken.append(reads["document"])
            assert len(memory.fragments()) == number + 1
        assert taken[-1] == taken[2]


def test_chatter_is_not_archived(memory: Memory) -> None:
    for n in range(12):
        memory.hear(f"What is the weather like today in town {n}?", at=later(n / 10))
    memory.end(at=later(5))
    memory.finish()
    assert memory.fragments() == []


WORTH = [
    ([], None, (), None),
    (["goal", "goal"], None, (), None),
    (["goal", "goal", "goal"], None, (), "3 goals"),
    (["decision"], None, (), None),
    (["decision", "goal"], None, (), "1 decision, 1 goal"),
    (["constraint"], None, ("a.py",), "1 constraint, files changed"),
    (["decision"], "tested", (), "1 decision, tested"),
    (["decision"], "abandoned", (), None),
    (["remember", "remember"], None, (), "2 remembers"),
]


@pytest.mark.requirement("Q8")
@pytest.mark.parametrize(("kinds", "outcome", "files", "why"), WORTH)
def test_the_criteria_are_those_that_are_written_down(
    kinds: list[str], outcome: str | None, files: tuple[str, ...], why: str | None
) -> None:
    said = [
        Message(f"m{n}", "user", f"text {n}", START, "x", "main", signals=(Signal(kind, f"text {n}"),))  # type: ignore[arg-type]
        for n, kind in enumerate(kinds)
    ]
    said += [Message(f"x{n}", "user", f"Hm, what about town {n}?", START, "x", "main") for n in range(6)]
    marked = [replace(m, boundary=anaphora.Boundary("same", "same", 1.0, "")) for m in said]
    conversation = Conversation("c", "T", START, "main", files_modified=files, outcome=outcome)  # type: ignore[arg-type]
    assert worth(digested("c", marked, Settings()), conversation, Settings()) == why


# --- forgetting ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", [{"message": "secret"}, {"conversation": "1"}, {"user": True}])
def test_forgetting_reaches_clusters_fragments_and_events(
    what: dict[str, str | bool], store_path: Path, clock: FrozenClock
) -> None:
    with anaphora.open(store_path, clock=clock) as memory:
        memory.hear("I want a zebrafish tank for the house", at=later(0), id="secret")
        paint(memory, 120)
        for n in range(20):
            memory.hear(f"Paint the zebrafish number {n}" if n == 3 else f"Paint wall {n}", at=later(13), id=f"s{n}")
        memory.archive("All about the zebrafish", at=later(14))
        memory.finish()
        memory.forget(message="s3")
        memory.forget(**what)  # type: ignore[arg-type]
        memory.finish()
        assert b"zebrafish" not in stored_bytes(store_path).lower()
        assert memory.verify() == []
        if "message" in what:
            assert len(memory.fragments()) == 2
            assert "Paint wall" in memory.fragments()[0].text


def test_the_only_message_of_a_conversation_takes_its_title_out_of_the_events(
    store_path: Path, clock: FrozenClock
) -> None:
    with anaphora.open(store_path, clock=clock) as memory:
        memory.hear("I want to add a zebrafish tank", at=later(0), id="secret")
        memory.hear("Actually, let's work on dark mode first", at=later(1))
        memory.forget(message="secret")
        assert b"zebrafish" not in stored_bytes(store_path).lower()


def test_an_open_question_does_not_keep_the_words_of_what_was_forgotten(store_path: Path, clock: FrozenClock) -> None:
    with anaphora.open(store_path, clock=clock, ask_below=1.0) as memory:
        memory.hear("I want to add a zebrafish tank", at=later(0), id="secret")
        turn = memory.hear("Is it done?", at=later(30))
        assert turn.question is not None
        assert "Zebrafish" in turn.question.options[0].text
        memory.forget(message="secret")
        assert b"zebrafish" not in stored_bytes(store_path).lower()
        assert memory.question is not None
        assert memory.question.options[0].text == "go on with what we had"
        assert memory.answer("A").boundary.decision == "same"
