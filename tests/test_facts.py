"""Facts about people: the newest on a topic stands, the older one is past and still there, what may stand beside each
other does."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

import anaphora
from anaphora import Memory
from anaphora.memory.facts import settle, topic_of
from anaphora.testing import FrozenClock
from anaphora.types import Note
from tests.talk import later

AT = datetime(2025, 11, 3, 14, 20, tzinfo=UTC)

# said first, said later
REPLACED = [
    ("I live in Paris", "I moved to Berlin"),
    ("I live in Paris", "I've moved to Berlin"),
    ("I live in Paris", "I now live in Berlin"),
    ("I'm based in Oslo", "I live in Bergen"),
    ("I live in Paris", "I no longer live in Paris"),
    ("I live in Paris", "I don't live in Paris any more"),
    ("I moved to Berlin", "I moved back to Paris"),
    ("My name is Ann", "My name is Anna"),
    ("Hi, I'm Ann", "my name is Anna"),
    ("Call me Bob", "Call me Rob"),
    ("I work at Google", "I work for Siemens now"),
    ("I work at Google", "I joined Siemens"),
    ("I work at Google", "I got a new job at Siemens"),
    ("I work at Google", "I quit my job at Google"),
    ("I work as a nurse", "I'm a data engineer"),
    ("I'm a nurse", "I work as a teacher"),
    ("I'm 30 years old", "I'm 31 years old"),
    ("I'm vegan", "I'm vegetarian"),
    ("I'm vegan", "I'm not vegan any more"),
    ("I'm married", "I got divorced"),
    ("I prefer tabs", "I prefer spaces"),
    ("I prefer tabs to spaces", "I prefer spaces"),
    ("I prefer tabs", "I'd rather use spaces"),
    ("I prefer short answers", "I prefer detailed answers"),
    ("I prefer dark mode", "I prefer light mode"),
    ("I prefer Postgres for this project", "I prefer MySQL for this project"),
    ("I prefer Mondays to Fridays", "I prefer Fridays to Mondays"),
    ("I prefer tea to coffee", "I prefer coffee"),
    ("I like Python", "I don't like Python any more"),
    ("I like Python", "I no longer like Python"),
    ("I like coffee", "I hate coffee"),
    ("I'm a fan of ORMs", "I'm not a fan of ORMs"),
    ("I never eat meat", "I always eat meat"),
    ("I don't eat meat", "I usually eat meat"),
    ("My favourite editor is vim", "My favorite editor is Helix"),
    ("My editor is vim", "My editor is Helix"),
    ("My editor is vim", "I'm using Helix now"),
    ("I use vim", "I'm using Helix now"),
    ("I'm on Python 3.11", "I'm on Python 3.12"),
    ("We use Postgres 15 in production", "We use Postgres 16 in production"),
    ("I use Docker", "I don't use Docker anymore"),
    ("My sister is called Eve", "My sister's name is Ada"),
    ("My sister lives in Rome", "My sister lives in Milan"),
    ("My dog is 5", "My dog is 6"),
    ("I have two kids", "I have three kids"),
    ("I have a dog", "I have two dogs"),
    ("My birthday is May 4", "My birthday is May 5"),
    ("My email is ann@example.org", "My email is anna@example.org"),
    ("I usually start work at 9", "I usually start work at 10"),
    ("My time zone is CET", "My time zone is PST"),
    ("My pronouns are she/her", "I use they/them pronouns"),
    ("I'm new to Rust", "I'm not new to Rust any more"),
    ("My manager is Ana", "my new manager is Omar"),
    ("My manager is Ana", "Omar is my manager now"),
    ("My manager is Ana", "Omar became my manager"),
    ("My manager is Ana", "my manager is now Omar"),
    ("My manager is called Ana", "I have a new manager, Omar"),
    ("My new manager is Omar", "my manager is Eve Adams"),
    ("My manager is Ana", "Ana is no longer my manager"),
    ("My manager is Ana", "Ana isn't my manager any more"),
    ("My dentist is Bob", "my new dentist is Eve"),
    ("My email is ann@example.org", "My new email is anna@example.org"),
    ("I work at Google", "My new company is Siemens"),
    ("My editor is vim", "My new editor is Helix"),
    ("I live in Paris", "I moved from Paris to Lyon"),
    ("I use vim", "I've just switched to Helix"),
    ("I use Firefox", "I switched from Firefox to Chrome"),
    ("I use Firefox", "I moved over from Firefox to Chrome"),
]
BOTH_STAND = [
    ("I like coffee", "I like tea"),
    ("My manager is Ana", "my manager is German"),
    ("My manager is Ana", "my old manager is Bob"),
    ("My manager is Ana", "Bob isn't my manager any more"),
    ("My manager is Ana", "my new dentist is Bob"),
    ("My sister is Eve", "my sister is Ada"),
    ("My colleague is Bob", "my new colleague is Eve"),
    ("I live in Paris", "I moved from Word to Docs"),
    ("I use vim", "I switched to Ubuntu"),
    ("I use Firefox", "I switched from Safari to Chrome"),
    ("I prefer tabs", "I prefer Postgres for this project"),
    ("I prefer Postgres for this project", "I prefer MySQL for the tests"),
    ("I prefer tea in the morning", "I prefer coffee at work"),
    ("I live in Paris", "I'm from Lisbon"),
    ("I live in Paris", "I grew up in Rome"),
    ("I live in Paris", "My sister lives in Rome"),
    ("I live in Paris", "I no longer work at Google"),
    ("I work at Siemens", "I no longer work at Google"),
    ("I work in finance", "I work in Berlin"),
    ("My name is Ann", "Call me Annie"),
    ("My name is Ann", "I'm German"),
    ("My name is Ann", "My sister is called Eve"),
    ("My sister is called Eve", "My brother is called Tom"),
    ("My older brother is called Tom", "My younger brother is called Sam"),
    ("I use vim", "I use Python"),
    ("I use Python", "I use Rust"),
    ("I use vim", "I use Emacs"),
    ("I'm on Python 3.11", "I'm on Ubuntu"),
    ("I'm a nurse", "I'm a mother"),
    ("I was born in Rome", "I was born in 1990"),
    ("I have two kids", "I have a dog"),
    ("I like Python", "I don't like Java any more"),
    ("I speak French", "I speak German"),
    ("I'm allergic to peanuts", "I'm allergic to cats"),
    ("I never eat meat", "I never eat fish"),
    ("I usually start work at 9", "I usually have lunch at noon"),
    ("I hate meetings", "I hate Mondays"),
    ("My favourite editor is vim", "My favourite colour is green"),
    ("My team is small and based in Berlin", "My team is Platform"),
    ("I moved to Helix", "I live in Paris"),
]


def known(memory: Memory, *, history: bool = False) -> list[str]:
    return [fact.text for fact in memory.facts(history=history)]


@pytest.mark.requirement("W12")
@pytest.mark.parametrize(("first", "then"), REPLACED)
def test_a_newer_fact_leaves_the_older_one_past_and_still_there(memory: Memory, first: str, then: str) -> None:
    memory.hear(first, id="m1", at=later(0))
    memory.hear(then, id="m2", at=later(1))
    old, new = memory.facts(history=True)
    assert (old.message_id, old.until, old.replaced_by) == ("m1", later(1), new.id)
    assert (new.message_id, new.until) == ("m2", None)
    assert [f.id for f in memory.facts()] == [new.id]
    said = memory.context("what do you know about me?", at=later(2)).text
    about = said.partition("## About the User")[2].partition("\n\n")[0]
    assert new.text in about
    assert f"- {old.text}\n" not in f"{about}\n"


@pytest.mark.requirement("W12")
@pytest.mark.parametrize(("first", "then"), BOTH_STAND)
def test_facts_on_different_topics_stand_beside_each_other(memory: Memory, first: str, then: str) -> None:
    memory.hear(first, at=later(0))
    memory.hear(then, at=later(1))
    assert [fact.until for fact in memory.facts(history=True)] == [None, None]


@pytest.mark.requirement("W12")
def test_each_fact_says_whose_it_is_and_which_message_it_came_from(any_memory: Memory) -> None:
    any_memory.hear("I live in Paris", id="m1", speaker="ann")
    any_memory.hear("I live in Rome", id="m2", speaker="bob")
    assert [(f.speaker, f.text, f.message_id, f.until) for f in any_memory.facts()] == [
        ("ann", "I live in Paris", "m1", None),
        ("bob", "I live in Rome", "m2", None),
    ]
    assert [f.text for f in any_memory.facts(speaker="bob")] == ["I live in Rome"]


def test_what_was_true_before_can_be_true_again(memory: Memory) -> None:
    for minute, said in enumerate(["I live in Paris", "I moved to Berlin", "I live in Paris"]):
        memory.hear(said, at=later(minute))
    assert known(memory) == ["I live in Paris"]
    assert known(memory, history=True) == ["I live in Paris", "I moved to Berlin", "I live in Paris"]


def test_a_fact_that_comes_in_late_does_not_push_out_a_newer_one(memory: Memory) -> None:
    memory.hear("I moved to Berlin", at=later(10))
    memory.hear("I live in Paris", at=later(1))
    berlin, paris = memory.facts(history=True)
    assert (berlin.until, paris.until, paris.replaced_by) == (None, later(10), berlin.id)


def test_what_was_to_be_remembered_goes_with_the_fact_that_it_says(memory: Memory) -> None:
    memory.hear("Remember that I prefer tabs to spaces", at=later(0))
    memory.hear("Remember that the demo is on Friday", at=later(1))
    memory.hear("I prefer spaces", at=later(2))
    assert known(memory) == ["prefers spaces"]
    assert [n.text for n in memory.state.notes if n.open] == ["the demo is on Friday"]


def test_taking_back_a_fact_lets_the_one_before_it_stand_again(any_memory: Memory) -> None:
    any_memory.hear("I live in Paris", at=later(0))
    any_memory.hear("I moved to Berlin", at=later(1))
    undone = any_memory.undo()
    assert (undone.removed, undone.restored) == (("I moved to Berlin",), ("I live in Paris",))
    assert known(any_memory, history=True) == ["I live in Paris"]


def test_forgetting_the_message_of_a_newer_fact_lets_the_one_before_it_stand_again(any_memory: Memory) -> None:
    any_memory.hear("I live in Paris", at=later(0), id="m1")
    any_memory.hear("I moved to Berlin", at=later(1), id="m2")
    any_memory.forget(message="m2")
    assert [(f.text, f.until, f.replaced_by) for f in any_memory.facts(history=True)] == [
        ("I live in Paris", None, None)
    ]


def test_facts_can_be_added_and_removed_by_hand(any_memory: Memory) -> None:
    any_memory.update(lambda work: work.learn("lives in Paris", speaker="ann"), at=later(0))
    any_memory.update(lambda work: work.learn("lives in Berlin", speaker="ann"), at=later(1))
    assert known(any_memory) == ["lives in Berlin"]
    any_memory.update(lambda work: work.remove("lives in Berlin"))
    assert known(any_memory) == ["lives in Paris"]


def test_history_survives_export_and_import_and_the_newest_still_stands(clock: FrozenClock) -> None:
    with anaphora.open(":memory:", clock=clock) as there:
        there.hear("I live in Paris", at=later(0))
        there.hear("I moved to Berlin", at=later(5))
        there.export("facts.json")
    with anaphora.open(":memory:", clock=clock) as here:
        here.hear("I live in Rome", at=later(2))
        here.import_file(Path("facts.json"))
        assert known(here) == ["I moved to Berlin"]
        assert sorted(known(here, history=True)) == ["I live in Paris", "I live in Rome", "I moved to Berlin"]


@pytest.mark.parametrize(
    ("said", "key"),
    [
        ("My name is Ann", "name"),
        ("name is Ann", "name"),
        ("lives in Rome", "lives"),
        ("They live in Rome", "lives"),
        ("works at Siemens", "works at"),
        ("my sister's name is Eve", "my sister's name"),
        ("prefers tabs", "prefers:indentation"),
        ("likes coffee", "taste:coffee"),
        ("My favourite editor is Helix", "favourite editor"),
        ("hates meetings because they drag on", "taste:meeting"),
    ],
)
def test_a_topic_has_a_name_in_either_person(said: str, key: str) -> None:
    topic = topic_of(said)
    assert topic is not None
    assert topic.key == key


@pytest.mark.parametrize("said", ["I'm German", "I'm a mother", "tends to oversleep", "…", "x" * 5000])
def test_what_has_no_clear_topic_has_none(said: str) -> None:
    assert topic_of(said) is None


def test_of_many_facts_on_one_topic_one_stands_and_each_other_names_its_successor() -> None:
    facts = [Note(f"fact-{n}", f"I live in Town{n}", later(n), "ann", speaker="ann") for n in range(5)]
    settled = settle(facts)
    assert [f.replaced_by for f in settled] == ["fact-1", "fact-2", "fact-3", "fact-4", None]
    assert settle(settled) == settled
