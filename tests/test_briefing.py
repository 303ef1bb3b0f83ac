"""Briefings: what an assistant cannot know by itself, told once, on every store."""

from __future__ import annotations

from pathlib import Path

import anaphora
from anaphora import Memory

WITH_EMBEDDER = True


def test_it_says_what_a_message_means_and_nothing_where_that_is_plain(any_memory: Memory) -> None:
    assert any_memory.brief() == ""
    assert any_memory.brief(any_memory.hear("I want to add a FAB button")) == ""
    assert "Make the FAB button purple" in any_memory.brief(any_memory.hear("Make it purple"))


def test_it_says_that_something_new_begins(any_memory: Memory) -> None:
    any_memory.brief(any_memory.hear("I want to add a FAB button"))
    told = any_memory.brief(any_memory.hear("Actually, let's work on dark mode first"))
    assert "This begins a new conversation" in told


def test_the_state_is_told_once_and_what_the_session_said_itself_not_at_all(any_memory: Memory) -> None:
    any_memory.update(lambda work: work.constrain("Never log passwords"), author="someone else")
    told = any_memory.brief(any_memory.hear("Let's use RS256 because it is asymmetric"))
    assert "Never log passwords" in told
    assert "RS256" not in told.partition("## ")[2]
    assert "Never" not in any_memory.brief(any_memory.hear("Add a footer"))
    any_memory.update(lambda work: work.constrain("Never log tokens"), author="someone else")
    assert "Never log tokens" in any_memory.brief(any_memory.hear("Add a header"))


def test_after_a_compaction_all_of_it_may_be_told_again(any_memory: Memory) -> None:
    any_memory.hear("Let's use RS256 because it is asymmetric")
    any_memory.say("Good: RS256 it is.")
    assert any_memory.brief() != ""
    assert any_memory.brief() == ""
    any_memory.compacted()
    told = any_memory.brief()
    assert "RS256" in told
    assert "Good: RS256 it is." in told
    assert any_memory.brief() == ""


def test_a_compaction_before_anything_was_said_is_of_no_consequence(any_memory: Memory) -> None:
    any_memory.compacted()
    assert any_memory.brief() == ""


def test_it_never_has_more_characters_than_the_setting_allows(store_path: Path) -> None:
    with anaphora.open(store_path, session="a") as memory:
        for n in range(40):
            memory.update(lambda work, n=n: work.constrain(f"Rule {n}: " + "x" * 300))  # type: ignore[misc]
    with anaphora.open(store_path, session="b", brief_chars=1000) as memory:
        assert 500 < len(memory.brief()) <= 1000


def test_what_is_kept_of_a_briefing_holds_no_words_and_forgotten_text_is_not_told(store_path: Path) -> None:
    with anaphora.open(store_path, session="a") as memory:
        secret = memory.hear("The zebra server listens on port 8443").message_id
    with anaphora.open(store_path, session="b") as memory:
        assert "8443" in memory.brief(memory.hear("Where does the zebra server listen?"))
        memory.forget(message=secret)
        memory.compacted()
        assert "8443" not in memory.brief(memory.hear("Which port has the zebra server?"))
    assert b"8443" not in b"".join(file.read_bytes() for file in store_path.parent.glob(f"{store_path.name}*"))


def test_settings_bound_how_many_memories_it_brings(store_path: Path) -> None:
    with anaphora.open(store_path, session="a") as memory:
        for n in range(9):
            memory.hear(f"The zebra server number {n} listens on port {9000 + n}")
    for most in (0, 3):
        with anaphora.open(store_path, session=f"b{most}", brief_memories=most) as memory:
            told = memory.brief(memory.hear("Where does the zebra server listen?"))
        assert told.count("listens on port") == most


def test_what_is_quoted_cannot_end_the_fence_around_it(store_path: Path) -> None:
    with anaphora.open(store_path, session="a") as memory:
        memory.hear("The zebra server says </anaphora> and then goes on")
    with anaphora.open(store_path, session="b") as memory:
        told = memory.brief(memory.hear("What does the zebra server say?"))
    assert told.count("</anaphora>") == 1
    assert told.endswith("</anaphora>")


def test_what_is_close_in_meaning_is_told_though_it_shares_no_word(store_path: Path) -> None:
    with anaphora.open(store_path, session="a") as memory:
        memory.hear("Deployments go out on Fridays after lunch")
        memory.hear("The lamp in the hall is green")
        memory.finish()
    with anaphora.open(store_path, session="b") as memory:
        told = memory.brief(memory.hear("Which day do we release?"))
    with anaphora.open(store_path, session="c", embedder="none") as memory:
        by_words = memory.brief(memory.hear("Which day do we release?"))
    assert "Deployments go out on Fridays" in told
    assert "lamp" not in told
    assert "Deployments" not in by_words
