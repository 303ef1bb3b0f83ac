"""A bare answer is told with what it answers: the question that the reply just before ended with."""

from __future__ import annotations

import pytest

import anaphora
from anaphora.ports import Line
from anaphora.understanding.offers import find_offer


def _answered(reply: str, said: str) -> str | None:
    offer = find_offer(said, [Line("Make a plan", mine=True), Line(reply, mine=False)])
    return None if offer is None else f"{said[: offer.at]} ({offer.wording}){said[offer.at :]}"


@pytest.mark.parametrize(
    ("reply", "said", "meant"),
    [
        ("Shall I run the migration?", "yes", "yes (run the migration)"),
        ("I can do that. Should I also add a test?", "sure, thanks!", "sure, thanks (add a test)!"),
        ("Ready. Do you want me to deploy to staging first?", "go ahead", "go ahead (deploy to staging)"),
        ("Would you like a summary?", "no thanks", "no thanks (a summary)"),
        ("Do you want a first index on email?", "Yes please.", "Yes please (a first index on email)."),
        ("The tests pass. Commit now?", "not yet", "not yet (commit)"),
        ("That is done. A slogan too?", "yes, three", "yes (a slogan), three"),
        ("Is the server running?", "yes", "yes (is the server running?)"),
        ("If you like, shall I rename the column as well?", "ok", "ok (rename the column)"),
        ("Do you use a timer?", "oh yes, in Clock", "oh yes (do you use a timer?), in Clock"),
        ("Shall I drop it?", "hmm, no", "hmm, no (drop the plan)"),
    ],
)
def test_an_answer_is_told_with_what_was_asked(reply: str, said: str, meant: str) -> None:
    assert _answered(reply, said) == meant


@pytest.mark.parametrize(
    ("reply", "offered"),
    [
        ("Alembic keeps a history. Shall I set it up?", "set Alembic up"),
        ("Created 0001_users.py. Should I run it?", "run 0001_users.py"),
        ("Added to the migration. Run it now?", "run the migration"),
        ("There are a lamp and a vase. Shall I wrap it?", "wrap it"),  # either could be meant
        ("Glad to hear. Shall I format them for a card?", "format them for a card"),
        ("Alembic keeps a history. Shall I print them?", "print them"),  # that is one
    ],
)
def test_it_in_a_question_is_what_the_reply_named_before(reply: str, offered: str) -> None:
    assert _answered(reply, "yes") == f"yes ({offered})"


@pytest.mark.parametrize(
    ("reply", "said", "meant"),
    [
        ("Nice. Which city do you prefer?", "porto", "porto (which city do you prefer?)"),
        ("How many people?", "4", "4 (how many people?)"),
        ("Do you want tabs or cards?", "cards", "cards (do you want tabs or cards?)"),
        ("Should I add three retries with backoff?", "two", "two (add two retries with backoff)"),
        ("Good. Three arguments next?", "just two", "just two (two arguments)"),
        ("Shall I keep 7 backups?", "no, 14 please", "no, 14 (keep 14 backups) please"),
        ("To whom should it go?", "Ana and Piet", "Ana and Piet (to whom should it go?)"),
    ],
)
def test_a_few_words_that_name_what_was_asked_for(reply: str, said: str, meant: str) -> None:
    assert _answered(reply, said) == meant


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("It is done.", "yes"),  # nothing was asked
        ("Shall I use SQL or Alembic?", "yes"),  # that answers no such question
        ("Can I help you with anything else?", "no, thanks"),
        ("Is there anything else?", "no"),
        ("Shall I run it? It takes an hour.", "yes"),  # it does not end with the question
        ("Which city?", "book the train to Porto"),  # an order of its own
        ("Which city?", "what do you think?"),
        ("Shall I run it?", "yes, but make it fast"),
        ("Shall I run it?", "I would rather see what the first table looks like"),
        ("Do you want tabs or cards?", "a slider"),  # neither of them
        ("Shall I add 3 retries every 2 seconds?", "4"),  # of which?
        ("Shall I add retries?", "two"),
    ],
)
def test_what_is_no_bare_answer_is_left_to_the_reader(reply: str, said: str) -> None:
    assert _answered(reply, said) is None


def test_only_what_the_assistant_asked_just_before_is_answered() -> None:
    assert find_offer("yes", []) is None
    assert find_offer("yes", [Line("Shall I run it?", mine=True)]) is None


@pytest.mark.requirement("K5")
def test_yes_and_no_are_heard_with_what_they_answer() -> None:
    with anaphora.open(":memory:", reader="bundled") as memory:
        memory.hear("Should I write the migration in SQL or with Alembic?")
        memory.say("Alembic keeps a history. Shall I set it up?")
        yes = memory.hear("yes")
        memory.say("Done. Created 0001_users.py. Should I run it?")
        no = memory.hear("no")
    assert yes.expanded == "yes (set Alembic up)"
    assert no.expanded == "no (run 0001_users.py)"
    assert "answers what was asked" in no.references[0].why


@pytest.mark.parametrize("word", ["do it ", "yes please ", "please do ", "no thanks ", "go ahead "])
def test_a_row_of_polite_words_is_no_answer_and_is_told_at_once(word: str) -> None:
    assert _answered("Should I run the migration?", f"yes {word * (140 // len(word))}x") is None
