"""What is told as a state counts: what is live or works was built. What is not wholly so closes nothing."""

from __future__ import annotations

import pytest

from anaphora import Memory
from anaphora.memory.completing import completed
from anaphora.memory.items import tasks_of
from anaphora.types import Goal
from anaphora.understanding.signals import find_signals
from tests.talk import START, talked


@pytest.fixture
def memory(any_reading: Memory) -> Memory:
    return any_reading


FORM = "I want to build the signup form"
EXPORT = "I want to add an export to CSV"
LOGIN = "TODO: build the login"
BOARD = "I want to build a dashboard"
LOOP = "TODO: add a retry loop"


@pytest.mark.requirement("Q1")
@pytest.mark.parametrize(
    ("task", "said"),
    [
        (FORM, "The signup form is live"),
        (FORM, "the signup form's live now!"),
        (FORM, "ok, the signup form is finally live"),
        (FORM, "The signup form went live today"),
        (FORM, "the signup form is live but slow"),
        (FORM, "The signup form is live at https://example.org/join"),
        (FORM, "the signup form is in production"),
        (FORM, "The form is live"),
        ("TODO: signup form", "the signup form is live"),
        ("We need a signup form", "the signup form is on prod now"),
        (EXPORT, "the export works now"),
        (EXPORT, "The export works"),
        (EXPORT, "the export to CSV finally works, thanks"),
        (EXPORT, "the export is working as expected"),
        (LOGIN, "login is working"),
        (LOGIN, "login works again"),
        ("TODO: fix the login", "the login works like a charm"),
        (BOARD, "the dashboard is up and running"),
        ("TODO: deploy the dashboard", "the dashboard is up and running in production"),
        ("I want to make the tests pass", "tests are green now"),
        ("TODO: fix the tests", "tests are passing now"),
        ("TODO: fix the tests", "all tests are green"),
        ("TODO: run the migration", "the migration is in production"),
        ("TODO: migrate to Postgres", "the migration to Postgres is live"),
        ("I want to add dark mode", "dark mode is in"),
        ("I want to add dark mode", "Dark mode is now in main."),
        (LOOP, "the PR for the retry loop is merged"),
        (LOOP, "I merged the PR for the retry loop"),
        (LOOP, "The retry loop PR is merged into main"),
        ("TODO: merge the PR for the retry loop", "the PR for the retry loop is merged"),
    ],
)
def test_what_is_told_as_a_state_is_done(memory: Memory, task: str, said: str) -> None:
    talked(memory, task, "> Okay.", said)
    assert [t.closed_by for t in tasks_of(memory.state)] == ["m2"]


@pytest.mark.requirement("Q1")
@pytest.mark.parametrize(
    ("task", "said"),
    [
        # asked, supposed, wished, still to come
        (FORM, "is the signup form live?"),
        (FORM, "The signup form is live, right now, or not?"),
        (FORM, "the signup form will be live on Friday"),
        (FORM, "the signup form is live on Friday"),
        (FORM, "once the signup form is live, tell Bob"),
        (FORM, "when the signup form is live we can celebrate"),
        (FORM, "the signup form goes live soon"),
        (LOGIN, "if login works, deploy it"),
        (LOGIN, "the login should work now"),
        (LOGIN, "should the login work now?"),
        (LOGIN, "make sure the login works"),
        (LOGIN, "I want the login to work again"),
        (LOGIN, "I hope the login works now"),
        (LOGIN, "can you check that the login works now"),
        (LOGIN, "hopefully the login works now"),
        # not, or not wholly
        (FORM, "the signup form isn't live yet"),
        (FORM, "the signup form is not live"),
        (FORM, "the signup form is no longer live"),
        (FORM, "the signup form is almost live"),
        (FORM, "the signup form is live on staging"),
        (FORM, "the signup form is live for 10% of the users"),
        (FORM, "the signup form is live but only for admins"),
        (FORM, "half of the signup form is live"),
        (EXPORT, "the export almost works"),
        (EXPORT, "the export works only on Safari"),
        (EXPORT, "the export works on my machine"),
        (EXPORT, "the export doesn't work now"),
        (EXPORT, "the export never works again"),
        (EXPORT, "the export sort of works now"),
        (EXPORT, "the export works now except for umlauts"),
        (EXPORT, "the export works sometimes"),
        (EXPORT, "the export works by writing a file"),
        (EXPORT, "how the export works is a secret"),
        (BOARD, "the dashboard is nearly up and running"),
        ("I want to add dark mode", "dark mode is in progress"),
        ("I want to add dark mode", "dark mode is in the backlog"),
        (LOOP, "the PR for the retry loop is open"),
        (LOOP, "the PR for the retry loop is not merged"),
        (LOOP, "the PR for the retry loop is merged into staging"),
        (LOOP, "the first PR for the retry loop is merged"),
        ("TODO: test the signup form", "the PR for the signup form is merged"),
        # another thing, another deed
        (FORM, "the old form is live"),
        (FORM, "the old signup form is live"),
        (FORM, "the contact form is live"),
        (FORM, "the signup page is live"),
        (FORM, "the signup form tests are live"),
        ("TODO: test the signup form", "the signup form is live"),
        ("TODO: remove the signup form", "the signup form is live"),
        ("TODO: explain the login", "the login works now"),
        ("I want to write unit tests", "the unit tests are green"),
        ("TODO: fix the login bug", "the login bug is in production"),
        ("TODO: ask Eve", "Eve works now"),
        # said by others, or pasted
        (FORM, "Bob said the signup form is live"),
        (FORM, "> The signup form is live\nwhat does he mean"),
        (FORM, "```\nThe signup form is live\n```\nfrom the log"),
        (FORM, "the banner says “The signup form is live”"),
        (FORM, "[12:01:07] INFO signup form is live"),
    ],
)
def test_what_is_not_wholly_so_closes_nothing(memory: Memory, task: str, said: str) -> None:
    talked(memory, task)
    memory.hear(said, id="m1")
    assert [t.open for t in tasks_of(memory.state)][:1] == [True]


def test_what_is_live_was_built_and_deployed(memory: Memory) -> None:
    talked(memory, FORM, "TODO: deploy the signup form", "TODO: test the signup form", "The signup form is live")
    assert [t.text for t in tasks_of(memory.state) if t.open] == ["test the signup form"]


def test_of_two_things_that_fit_neither_is_live(memory: Memory) -> None:
    talked(memory, "I want to build a form for guests", "I want to build a form for admins", "the form is live")
    assert all(t.open for t in tasks_of(memory.state))


def test_who_takes_it_back_has_it_open_again(memory: Memory) -> None:
    talked(memory, FORM, "The signup form is live")
    assert memory.undo().restored == ("build the signup form",)


@pytest.mark.parametrize(
    "piece",
    ["now ", "works now ", "the export is in production ", "is live at a.b/", " the works", "works now on prod "],
)
def test_long_repeated_words_are_read_in_no_time(piece: str) -> None:
    goal = Goal("goal-1", "build the signup form", "pending", "medium", START, "me")
    for times in (5, 20, 4000):
        text = f"the form {piece * times}!?"
        find_signals(text)
        assert completed(text[:-1], [goal]) == []
