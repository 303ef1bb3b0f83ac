"""Changes of mind: "Buttondown after all" and "on second thought, Postgres" take the place of what was decided, where
it is clear which decision that is."""

from __future__ import annotations

import pytest

from anaphora import Memory
from tests.talk import past, standing, talked


@pytest.fixture
def memory(any_reading: Memory) -> Memory:
    return any_reading


CHIMP = "Let's use Mailchimp because everyone knows it"
INSTEAD = "use Mailchimp instead of Buttondown"


@pytest.mark.requirement("Q1")
@pytest.mark.parametrize(
    ("said", "stands"),
    [
        ([CHIMP, "Use Buttondown after all"], "Use Buttondown instead of Mailchimp"),
        ([CHIMP, "> Okay.", "let's go with Buttondown after all"], "go with Buttondown instead of Mailchimp"),
        ([CHIMP, "> Okay.", "Buttondown after all"], "go with Buttondown instead of Mailchimp"),
        ([CHIMP, "hmm, Buttondown after all."], "go with Buttondown instead of Mailchimp"),
        ([CHIMP, "We'll go with Buttondown, after all."], "go with Buttondown instead of Mailchimp"),
        ([CHIMP, "Add a footer", "> Done.", "Buttondown after all"], "go with Buttondown instead of Mailchimp"),
        ([CHIMP, "let's go with Buttondown after all, it's cheaper"], "go with Buttondown instead of Mailchimp"),
        ([CHIMP, "switch to Buttondown after all"], "switch to Buttondown instead of Mailchimp"),
        ([CHIMP, "on second thought, Buttondown"], "use Buttondown instead of Mailchimp"),
        ([CHIMP, "On second thoughts, let's use Buttondown"], "use Buttondown instead of Mailchimp"),
        (["Let's use MySQL", "on second thought, Postgres"], "use Postgres instead of MySQL"),
        (["Let's use MySQL", "> Okay.", "Postgres after all"], "go with Postgres instead of MySQL"),
        (["let's use mailchimp", "use buttondown after all"], "use buttondown instead of mailchimp"),
        (["let's use a slider", "let's use a dropdown after all"], "use a dropdown instead of a slider"),
        (["Use port 8080", "use 9090 after all"], "Use port 9090"),
    ],
)
def test_what_is_chosen_after_all_takes_the_place_of_what_was_decided(
    memory: Memory, said: list[str], stands: str
) -> None:
    talked(memory, *said)
    assert standing(memory) == [stands]
    assert len(past(memory)) == 1


def test_the_older_one_stays_with_its_reason_and_the_new_one_has_its_own(memory: Memory) -> None:
    talked(memory, CHIMP, "Use Buttondown after all because the price is fair")
    older, newer = memory.state.decisions
    assert (older.because, older.superseded_by) == ("everyone knows it", newer.id)
    assert (newer.text, newer.because) == ("Use Buttondown instead of Mailchimp", "the price is fair")
    assert memory.undo().restored == ("use Mailchimp",)


@pytest.mark.parametrize("then", ["Use Buttondown after all", "Buttondown after all", "let's use Buttondown"])
def test_who_goes_back_to_what_was_replaced_is_left_with_it(memory: Memory, then: str) -> None:
    talked(memory, "Use Buttondown for the newsletter", "Hmm, let's use Mailchimp instead", "> Okay.", then)
    assert past(memory) == ["Use Buttondown for the newsletter", INSTEAD]


def test_of_what_was_decided_long_ago_the_same_purpose_tells_which_is_meant(memory: Memory) -> None:
    with memory.update() as work:
        work.decide("use Mailchimp for the newsletter", because="everyone knows it")
        work.decide("use Sentry for the errors")
    memory.hear("Use Buttondown for the newsletter after all")
    assert past(memory) == ["use Mailchimp for the newsletter"]


def test_what_it_is_for_tells_which_of_two_is_meant(memory: Memory) -> None:
    talked(memory, "Use Mailchimp for the newsletter", "Use Sentry for the errors")
    memory.hear("Let's use Buttondown for the newsletter after all")
    assert past(memory) == ["Use Mailchimp for the newsletter"]


@pytest.mark.requirement("Q1")
@pytest.mark.parametrize(
    "then",
    [
        "after all tests pass, deploy",
        "after all, it is only a demo",
        "After all we use what everyone uses",
        "use Redis after all tests pass",
        "let's use Redis after all jobs are moved",
        "should we use Buttondown after all?",
        "Buttondown after all?",
        "if it is slow we use Buttondown after all",
        "maybe use Buttondown after all",
        "Bob says use Buttondown after all",
        "> use Buttondown after all",
        "Mailchimp after all",
        "stick with Mailchimp after all",
        "let's also use Buttondown after all",
        "Use Postgres after all",
        "Postgres after all",
        "it works after all",
        "sunny after all",
        "good idea after all",
        "they came after all",
        "we need it after all",
        "a long week after all",
        "42 after all",
        "on second thought, thanks",
        "on second thought, why?",
        "on second thought, let's eat first",
        "the second thought was better",
    ],
)
def test_what_only_sounds_like_it_takes_the_place_of_nothing(memory: Memory, then: str) -> None:
    talked(memory, CHIMP, then)
    assert past(memory) == []
    assert standing(memory)[:1] == ["use Mailchimp"]


@pytest.mark.parametrize(
    "said",
    [
        ["Let's use Trello", "Let's use Mailchimp", "Use Buttondown after all"],
        ["Let's use feature flags", "Add a footer", "Use Buttondown after all"],
        ["Use Trello for the tasks", "Use Buttondown for the newsletter after all"],
        ["Let's use Vercel", "Use Buttondown after all"],
    ],
)
def test_where_it_is_not_clear_which_is_meant_all_stand(memory: Memory, said: list[str]) -> None:
    talked(memory, *said)
    assert past(memory) == []
