"""What a reply told to do is told with what takes it up: "do that", "how?", "didn't help"."""

from __future__ import annotations

import pytest

import anaphora
from anaphora.ports import Line
from anaphora.understanding.advised import find_advised


def _meant(reply: str, said: str) -> str | None:
    advice = find_advised(said, [Line("the page is broken on mobile", mine=True), Line(reply, mine=False)])
    if advice is None:
        return None
    start, end = advice.span
    wording = advice.wording if start < end else f" ({advice.wording})"
    return said[:start] + wording + said[end:]


@pytest.mark.parametrize(
    ("reply", "said", "meant"),
    [
        ("Wrap it in a media query.", "ok do it", "ok wrap it in a media query"),
        ("Wrap it in a media query.", "let's do that then", "let's wrap it in a media query then"),
        ("Then book the slot.", "how early do I need to do that?", "how early do I need to book the slot?"),
        ("It is in App. Move it into Clock.", "hmm how would I do that?", "hmm how would I move it into Clock?"),
        ("You could lower the limit.", "please do so", "please lower the limit"),
        ("Drop the index.", "no, don't do that!", "no, don't drop the index!"),
        ("Ask your admin to add you.", "how do I do that?", "how do I do that (ask your admin to add you)?"),
    ],
)
def test_do_that_is_what_the_reply_told_to_do(reply: str, said: str, meant: str) -> None:
    assert _meant(reply, said) == meant


@pytest.mark.parametrize(
    "said",
    [
        *("didn't help", "that didn't work either", "I tried that but it didn't help", "no luck", "still the same"),
        *("hmm, no change", "not better", "ok I did that, didn't fix it", "I did", "already tried that", "did that"),
    ],
)
def test_what_was_tried_is_what_the_reply_told_to_do(said: str) -> None:
    assert _meant("Add an index on orders.user_id.", f"{said}.") == f"{said} (add an index on orders.user_id)."


@pytest.mark.parametrize("said", ["how", "and how exactly", "why", "where", "on what", "hm, how so"])
def test_a_bare_question_asks_about_what_the_reply_told_to_do(said: str) -> None:
    assert _meant("Now reload nginx.", f"{said}?") == f"{said} (reload nginx)?"


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("Set to 5 MB.", "didn't help"),  # tells what was done
        ("Revert adds a new commit, reset rewrites history.", "ok do that"),
        ("Test coverage is low.", "how?"),
        ("It curdles when it boils.", "why?"),
        ("File, Options, Trust Center.", "where?"),
        ("Done.", "I did"),
        ("Run it. Then check the log.", "how?"),  # which of them?
        ("Add a node. Shall I?", "do it"),  # answers the question
        ("It is lighter. Add it off the heat.", "why?"),  # why is it lighter, or why off the heat?
        ("Add an index.", "does MySQL do that?"),
        ("Add an index.", "can I do it the day before?"),
        ("Add an index.", "how do I list the tables?"),
        ("Add an index.", "the test didn't work"),
        ("Add an index.", "I did the dishes"),
        ("Add an index.", "it doesn't work"),  # as likely what the talk is about
    ],
)
def test_what_takes_up_nothing_is_left_to_the_reader(reply: str, said: str) -> None:
    assert _meant(reply, said) is None


def test_only_the_reply_just_before_is_taken_up() -> None:
    assert find_advised("do it", [Line("Wrap it in a media query.", mine=True)]) is None
    assert find_advised("do it", []) is None


@pytest.mark.parametrize(
    ("asked", "since", "said", "meant"),
    [
        ("why?", "It rewrites nothing.", "ok do that", "use git revert HEAD"),
        ("what's the difference?", "Revert adds a new commit.", "I did that already", "use git revert HEAD"),
        ("why?", "It rewrites nothing.", "how?", None),  # asks about what was told since
        ("why (use it)?", "It is safe.", "ok do that", "use git revert HEAD"),
        ("why?", "Run the tests.", "ok do that", "run the tests"),
        ("I like the other one", "It rewrites nothing.", "ok do that", None),
        ("what is on the other branch of the repository now?", "Three commits.", "ok do that", None),
    ],
)
def test_what_was_only_asked_about_is_still_to_be_done(asked: str, since: str, said: str, meant: str | None) -> None:
    told = [Line("I pushed it", mine=True), Line("Then use git revert HEAD instead.", mine=False)]
    advice = find_advised(said, [*told, Line(asked, mine=True), Line(since, mine=False)])
    assert (None if advice is None else advice.wording) == meant


def test_what_a_message_is_taken_to_mean_says_what_was_told() -> None:
    with anaphora.open(":memory:", reader="bundled") as memory:
        memory.hear("my query on the orders table is slow")
        memory.say("Add an index on orders.user_id.")
        heard = memory.hear("didn't help")
    assert heard.expanded == "didn't help (add an index on orders.user_id)"
    assert heard.references[0].why == "what the reply just before told to do"
