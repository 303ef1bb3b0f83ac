"""People who talk with each other are left as they speak: what they may mean is offered, and hardly ever put in."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

import anaphora
from anaphora.types import Turn

WITH_READER = True
AT = datetime(2025, 6, 2, 18, tzinfo=UTC)
TALK = (
    ("Ines", "We finally picked up the keys for the allotment, it is at the far end by the railway bridge."),
    ("Tom", "At last! You have been on that waiting list since before I changed jobs."),
    ("Ines", "Four years. There is a shed with half a roof and a plum tree nobody has cut since the nineties."),
    ("Tom", "My uncle Walter prunes trees for the council, he could have a look at it for you."),
)


def after_talk(said: str) -> Turn:
    with anaphora.open(":memory:", background=False, embedder="none") as memory:
        at = AT
        for speaker, text in TALK:
            memory.hear(text, at=at, speaker=speaker)
            at += timedelta(minutes=2)
        return memory.hear(said, at=at, speaker="Ines")


@pytest.mark.parametrize(
    "said",
    [
        "That would be lovely.",
        "Honestly, I could cry, I had given up on it.",
        "And you? How is the new place?",
        "Don't. I've already had the nightmare about the roof.",
        "No idea. We only saw it from the gate.",
        "How's it going with the running?",
        "It was raining the whole morning, of course.",
        "They want ninety a year, which is nothing.",
        "Good. Me neither.",
        "I've got something less nice to tell, though.",
    ],
)
def test_what_people_say_to_each_other_stays_as_it_was_said(said: str) -> None:
    assert after_talk(said).expanded == said


def test_what_may_be_meant_is_offered_and_said_to_be_unsure() -> None:
    turn = after_talk("Could it still bear fruit?")
    assert turn.expanded == "Could it still bear fruit?"
    (reference,) = turn.references
    assert reference.mention == "it"
    assert reference.candidates
    assert reference.why.startswith("not sure enough to put in: ")


def test_somebody_who_was_surely_named_is_put_in() -> None:
    with anaphora.open(":memory:", background=False, embedder="none") as memory:
        memory.hear("Have you heard from Odette?", at=AT, speaker="Ines")
        memory.hear("Odette rang yesterday, she has the job in Leeds.", at=AT + timedelta(minutes=1), speaker="Tom")
        turn = memory.hear("When does she start?", at=AT + timedelta(minutes=2), speaker="Ines")
    assert turn.expanded == "When does Odette start?"


def test_with_an_assistant_among_them_a_request_is_written_out() -> None:
    with anaphora.open(":memory:", background=False, embedder="none") as memory:
        memory.hear("Add a search box above the invoice table", at=AT, speaker="Ines")
        memory.say("Added a search box in `InvoiceTable.tsx`.", at=AT + timedelta(seconds=20))
        turn = memory.hear("make it wider", at=AT + timedelta(seconds=60), speaker="Tom")
    assert "search box" in turn.expanded


def test_whoever_takes_up_words_goes_on_with_the_topic() -> None:
    went_on = after_talk("Your uncle Walter prunes trees for the council? I never knew.").boundary
    turned = after_talk("Guess who I met at the dentist yesterday.").boundary
    (taken_up,) = [factor for factor in went_on.factors if factor.name == "overlap"]
    assert went_on.best_guess == "same"
    assert taken_up.weight < 0
    assert "'council'" in taken_up.says
    assert not [factor for factor in turned.factors if factor.name == "overlap"]
    assert turned.best_guess == "new"
