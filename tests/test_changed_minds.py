"""What is said later of what was said before: another choice, a deed done, a rule lifted, a fact that has changed."""

from __future__ import annotations

import pytest

import anaphora
from anaphora import Memory
from anaphora.memory.items import tasks_of
from anaphora.understanding.signals import find_signals
from tests.talk import past, standing, talked


@pytest.fixture
def memory() -> Memory:
    return anaphora.open(":memory:", user="me", agent="a", project="p")


JEST, MYSQL, REDUX = "Let's use Jest.", "We'll use MySQL for the shop.", "Let's use Redux."
INSTEAD = [  # what was decided, what is said then, what is decided, and why
    (JEST, "Use Vitest instead, it's faster.", "Use Vitest instead", "it's faster"),
    (JEST, "Scrap Jest, Vitest is enough.", "use Vitest instead of Jest", None),
    ("Let's use Kafka.", "Kafka is overkill, use NATS.", "use NATS instead of Kafka", None),
    (JEST, "Replace Jest by Vitest.", "use Vitest instead of Jest", None),
    (JEST, "Vitest instead of Jest.", "use Vitest instead of Jest", None),
    (JEST, "Drop Jest in favour of Vitest.", "use Vitest instead of Jest", None),
    ("Let's use Express.", "Let's use Fastify because it's faster.", "use Fastify", "it's faster"),
    ("Let's use Express.", "No, Fastify. It is faster.", "use Fastify instead of Express", "It is faster"),
    ("Let's use Express.", "Actually, Fastify instead - it's faster", "use Fastify instead of Express", "it's faster"),
    (
        "Let's use RS256.",
        "Actually, ES256 instead, the keys are smaller.",
        "use ES256 instead of RS256",
        "the keys are smaller",
    ),
    (MYSQL, "Switch to Postgres.", "Switch to Postgres", None),
    (MYSQL, "We're moving to Postgres.", "switch to Postgres", None),
    (MYSQL, "Use Postgres instead, it has JSONB.", "Use Postgres instead", "it has JSONB"),
    (MYSQL, "Postgres it is, not MySQL.", "use Postgres instead of MySQL", None),
    (REDUX, "Redux is overkill, let's just use context.", "use context instead of Redux", "Redux is overkill"),
]
REJECTED = ["Never mind Jest.", "Jest is out.", "Get rid of Jest.", "Jest is out, too slow."]
NOT_REJECTED = [
    "Time is out.",
    "Red instead of blue.",
    "Replace the button with a link.",
    "Get rid of the border.",
    "Never mind the typo.",
    "The new version is out.",
]
DONE = [
    ("I want to update the docs.", "The docs are updated."),
    ("I want to write the migration.", "The migration is written."),
    ("I want to rename the package.", "The package is renamed."),
    ("I want to configure nginx.", "nginx is configured."),
    ("I want to document the API.", "The API has been documented."),
    ("I want to email the client.", "I emailed the client."),
    ("I want to bump the version.", "Version bumped."),
    ("I want to update the changelog.", "Changelog updated."),
    ("I want to update the changelog.", "Changelog's updated."),
    ("I want to build the login page.", "Login page done."),
    ("Don't forget to rotate the keys.", "I rotated the keys."),
    ("Remember to water the plants.", "Forget the plants."),
    ("I want to add a CSV export.", "Never mind the CSV export."),
]
STILL_OPEN = [
    ("I want to update the docs.", "The docs are outdated."),
    ("I want to update the docs.", "The docs are not updated."),
    ("I want to update the docs.", "The footer is updated."),
    ("I want to email the client.", "The client called."),
    ("I want to add a CSV export.", "Never mind the typo."),
]
LIFTED = [
    ("Tokens must expire after 15 minutes.", "Forget the token expiry."),
    ("Always answer in English.", "You can answer in German again."),
    ("Never commit to main.", "Forget that."),
    ("We must support IE.", "We don't have to support IE."),
]
KEPT = [
    ("Never use Redis.", "Forget Redis."),
    ("Always answer in English.", "You can answer briefly again."),
    ("Never commit to main.", "Forget that, I found the bug."),
    ("We must support IE.", "We don't have to support Opera."),
]
CHANGED = [
    ("We use npm.", "We switched to pnpm last week.", "We use npm"),
    ("We use npm.", "We no longer use npm.", "We use npm"),
    ("We're on Python 3.12.", "We upgraded to Python 3.13.", "We're on Python 3.12"),
    ("I work at Zalando.", "I left Zalando.", "I work at Zalando"),
    ("I'm a backend engineer at Zalando.", "I now work at SAP.", "I'm a backend engineer at Zalando"),
    ("I prefer tabs over spaces.", "I don't like tabs anymore.", "prefers tabs over spaces"),
    ("The server runs on port 3000.", "The server runs on port 4000 now.", "The server runs on port 3000"),
]
UNCHANGED = [
    ("I work at Zalando.", "I left SAP."),
    ("I'm a backend engineer.", "I now work at SAP."),
    ("The server runs on port 3000.", "The proxy runs on port 4000 now."),
    ("I prefer tabs over spaces.", "I don't like spaces anymore."),
    ("We use npm.", "We switched to Postgres last week."),
]


@pytest.mark.parametrize(("before", "said", "text", "because"), INSTEAD)
def test_another_choice_takes_the_place_of_the_first_with_its_reason(
    memory: Memory, before: str, said: str, text: str, because: str | None
) -> None:
    talked(memory, before, said)
    assert [(d.text, d.because) for d in memory.state.decisions if d.open] == [(text, because)]


@pytest.mark.parametrize("said", REJECTED)
def test_what_is_turned_down_is_decided_no_longer(memory: Memory, said: str) -> None:
    talked(memory, JEST, said)
    assert standing(memory) == []


@pytest.mark.parametrize("said", NOT_REJECTED)
def test_nothing_is_turned_down_in_other_words(said: str) -> None:
    assert find_signals(said) == ()


def test_of_two_databases_it_is_not_clear_which_one_is_left(memory: Memory) -> None:
    talked(memory, MYSQL, "Let's use SQLite for the tests.", "Switch to Postgres.")
    assert past(memory) == []


@pytest.mark.parametrize(("task", "said"), DONE)
def test_what_was_to_be_done_is_closed_by_its_own_verb(memory: Memory, task: str, said: str) -> None:
    talked(memory, task, said)
    assert [t.open for t in tasks_of(memory.state)] == [False]


@pytest.mark.parametrize(("task", "said"), STILL_OPEN)
def test_what_is_said_of_something_else_closes_nothing(memory: Memory, task: str, said: str) -> None:
    talked(memory, task, said)
    assert [t.open for t in tasks_of(memory.state)] == [True]


@pytest.mark.parametrize(("rule", "said"), LIFTED)
def test_a_rule_is_lifted_in_the_words_of_the_thing(memory: Memory, rule: str, said: str) -> None:
    talked(memory, rule, said)
    assert [c.open for c in memory.state.constraints] == [False]


@pytest.mark.parametrize(("rule", "said"), KEPT)
def test_a_rule_stands_where_it_is_not_clear_that_it_is_meant(memory: Memory, rule: str, said: str) -> None:
    talked(memory, rule, said)
    assert [c.open for c in memory.state.constraints] == [True]


@pytest.mark.parametrize(("before", "said", "gone"), CHANGED)
def test_a_fact_that_has_changed_is_past(memory: Memory, before: str, said: str, gone: str) -> None:
    talked(memory, before, said)
    assert past(memory) == [gone]


@pytest.mark.parametrize(("before", "said"), UNCHANGED)
def test_a_fact_stands_where_another_has_changed(memory: Memory, before: str, said: str) -> None:
    talked(memory, before, said)
    assert past(memory) == []


@pytest.mark.parametrize("said", ["I like it!", "I'm on it.", "We love it."])
def test_what_is_said_of_the_moment_tells_nothing_of_anybody(memory: Memory, said: str) -> None:
    talked(memory, "Let's write the tests.", said)
    assert standing(memory) == []


def test_a_note_keeps_the_words_that_point_to_what_is_shown(memory: Memory) -> None:
    talked(memory, "Let's write the tests.", "Note that this is a draft.")
    assert [note.text for note in memory.state.notes] == ["this is a draft"]
