"""What knowledge may never become: telling, large, or slow; and what a killed process may not do to it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anaphora
from anaphora import Memory
from anaphora.testing import FrozenClock
from anaphora.understanding.templates import is_anonymous, normal, templates_of
from tests.talk import later

KB = 1000
FRAMES = (
    "make it {}",
    "ask {} about the login page and then test it",
    "{} said that the function returns 3 instead of 4",
    "please add {} to the list of users, my name is {}",
    "use the key {} in config/{}.py",
    "I want to add a page for {}",
    "why does `{}` fail with “{}”?",
    "{}",
)
NAMES = ("Waltraud", "Okonkwo", "Bartholomäus", "xanthippe", "Mr. Featherstonehaugh", "O'Driscoll-Nakamura")
SECRETS = ("sk-proj-4f9Zk2Lq8RtY7uWmXc3VbN1a", "hunter2horse", "AKIAIOSFODNN7EXAMPLE", "4111 1111 1111 1111")
words = st.text("abcdefghijklmnopqrstuvwxyzäöüß", min_size=7, max_size=14).map(lambda word: f"zq{word}")


def shown(memory: Memory) -> str:
    """Everything that was learned, wherever it is kept."""
    memory.export_knowledge("graph.yaml")
    kept = [d.body for kind in ("knowledge", "lesson") for d in memory._place.view.documents(kind)]
    return Path("graph.yaml").read_text("utf-8") + json.dumps(kept, ensure_ascii=False)


@pytest.mark.requirement("B12")
@given(frame=st.sampled_from(FRAMES), word=words | words.map(str.title) | words.map(str.upper))
def test_no_template_holds_a_word_that_not_everyone_uses(frame: str, word: str) -> None:
    for template in templates_of(frame.format(word, word)):
        assert is_anonymous(template)
        assert word.lower() not in template.lower()
        assert normal(template) == template


@pytest.mark.requirement("B12")
@given(text=st.text(max_size=300))
def test_whatever_is_said_its_templates_are_made_of_the_vocabulary_alone(text: str) -> None:
    assert all(is_anonymous(template) for template in templates_of(text))


@pytest.mark.requirement("B12")
@pytest.mark.parametrize("planted", [*NAMES, *SECRETS])
def test_planted_names_and_secrets_are_found_nowhere_in_what_was_learned(planted: str, clock: FrozenClock) -> None:
    with anaphora.open(":memory:", clock=clock, user="waltraud", author="okonkwo") as memory:
        for n in range(4):
            for k, frame in enumerate(FRAMES):
                text = frame.format(planted, planted)
                memory.hear(text, at=later(20 * n + k), speaker="Xanthippe")
                memory.log(text, intent="PLAN", at=later(20 * n + k))
            for path in (f"/Users/waltraud/{planted}/a.py", "b/okonkwo_notes.md", "src/WaltraudView.ts", "src/c.py"):
                memory.touch(path.replace(" ", "_"), edited=True, at=later(20 * n + 15))
        memory.consolidate()
        held = shown(memory).lower()
        assert memory.knowledge.of("files") != ()
        for name in (planted, "waltraud", "okonkwo", "xanthippe"):
            assert name.lower() not in held


@pytest.mark.requirement("B12")
def test_no_raw_message_is_kept(memory: Memory) -> None:
    said = "Please rename the quarterly zebra ledger to something that Waltraud can find in the archive folder"
    for n in range(3):
        memory.hear(said, at=later(n))
    memory.consolidate()
    held = shown(memory).lower()
    assert not any(word in held for word in ("zebra", "quarterly", "ledger", "waltraud", "archive"))


@pytest.mark.requirement("B13")
def test_knowledge_stops_growing_however_much_is_said(clock: FrozenClock) -> None:
    openers = ("make", "write", "test", "fix", "remove", "rename", "sort", "add", "check", "print", "explain", "move")
    things = ("it", "this", "that", "the list", "a function", "the file", "every key", "one column", "my code")
    ways = ("again", "now", "first", "in one line", "without the loop", "for all rows", "with tests", "as a class")
    texts = [f"{o} {t} {w}" for o in openers for t in things for w in ways]
    with anaphora.open(":memory:", clock=clock, knowledge_size=20 * KB, learning=True) as memory:
        memory.ingest({"text": text, "at": later(n)} for n, text in enumerate(texts))
        for n in range(40):
            memory.touch(f"src/module_{n}.py", edited=True, at=later(5000))
        memory.consolidate()
        memory.export_knowledge("graph.yaml")
        full = Path("graph.yaml").stat().st_size
        assert 5 * KB < full < 25 * KB  # a little over an eighth of the default, and of its 200 KB
        memory.ingest({"text": text, "at": later(6000 + n)} for n, text in enumerate(reversed(texts)))
        memory.consolidate()
        memory.export_knowledge("graph.yaml")
        assert Path("graph.yaml").stat().st_size < 25 * KB
        for n in range(8):  # and still something new can be learned
            memory.hear("Rename the zebra", at=later(9000 + n))
        memory.consolidate()
        assert "rename the {entity}" in {one.pattern for one in memory.knowledge.templates}


@pytest.mark.requirement("B13")
def test_twenty_conversations_and_the_knowledge_export_to_less_than_300_kb(clock: FrozenClock) -> None:
    with anaphora.open(":memory:", clock=clock, preset="brain") as memory:
        for conversation in range(21):
            memory.new(f"Topic {conversation}", at=later(100 * conversation))
            for n in range(15):
                said = f"please change part {n} of page {conversation} so that " + "the search box stands above it " * 5
                memory.hear(said[:200], at=later(100 * conversation + n))
        memory.consolidate()
        memory.export("history.jsonl", "brain")
        memory.export_knowledge("graph.yaml")
        assert len(memory.conversations()) == 20
        assert sum(Path(name).stat().st_size for name in ("history.jsonl", "graph.yaml")) < 300 * KB


@pytest.mark.requirement("B13")
def test_knowledge_belongs_to_its_scope(store_path: Path) -> None:
    with (
        anaphora.open(store_path, user="ada", project="web") as web,
        anaphora.open(store_path, user="ada", project="app") as app,
    ):
        for n in range(3):
            web.hear("Make it purple", at=later(n))
        web.consolidate()
        assert web.knowledge.lessons != ()
        assert app.knowledge.lessons == ()


KILLED = """
import os, sys, anaphora
memory = anaphora.open(sys.argv[1], background=False)
for n in range(30):
    memory.hear(("Make it purple", "Test it", "I want to add a FAB button")[n % 3])
    print(n, flush=True)
    memory.consolidate()
"""


@pytest.mark.requirement("B9")
def test_a_process_that_is_killed_while_it_consolidates_teaches_each_message_once(store_path: Path) -> None:
    for stop in (2, 9, 17):
        child = subprocess.Popen(
            [sys.executable, "-c", KILLED, str(store_path)], stdout=subprocess.PIPE, text=True, env=os.environ.copy()
        )
        assert child.stdout is not None
        for line in child.stdout:
            if int(line) == stop:
                child.send_signal(signal.SIGKILL)
                break
        child.wait()
        child.stdout.close()
    with anaphora.open(store_path) as memory:
        assert memory.verify() == []
        memory.consolidate()
        grown = memory.knowledge
        memory.consolidate(afresh=True)
        counted = {(one.kind, one.pattern): dict(one.counts) for one in memory.knowledge.lessons}
        for one in grown.lessons:
            if one.kind == "template":
                assert counted[one.kind, one.pattern] == one.counts


def test_two_memories_that_consolidate_at_once_count_nothing_twice(store_path: Path) -> None:
    with anaphora.open(store_path) as one, anaphora.open(store_path, session="other") as two:
        for n in range(4):
            one.hear("Make it purple", at=later(n))
        one.consolidate()
        two.consolidate()
        [found] = [lesson for lesson in two.knowledge.templates if lesson.pattern == "make it {color}"]
        assert found.observations == 4
