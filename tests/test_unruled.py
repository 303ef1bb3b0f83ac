"""What sounds like a rule, a decision, an error, a fact or a deed done, and is none; and what nearly is the same and
is one."""

from __future__ import annotations

import pytest

from anaphora.understanding.signals import find_signals

NOTHING = [
    *("Redis must be down.", "The cable must be broken.", "The cache must be stale then.", "You must be tired."),
    *("There must be a race condition.", "There must be a better way.", "It must be Tuesday already."),
    *("This must be a regression.", "Someone must be logged in twice.", "The queue must be full."),
    *("Never heard of it.", "Never seen that before.", "Never tried Svelte.", "Never thought of that!"),
    *("It never works on Mondays.", "It never rains here.", "Never works for me.", "Always fails on CI."),
    *("We don't have to support IE.", "The id doesn't need to be unique.", "Logging is not required."),
    *("They say you should never trust user input.", "I read that you should never use var."),
    *("2026-03-02 10:00:01 WARN Token must be refreshed before 10:05", "[warn] Never call setState in render"),
    *("I'm going with my family to Spain.", "I'm going with Tom to the meetup.", "We're going with the flow."),
    *("I'll use the bathroom.", "I'll use the train.", "We'll stay with my parents.", "I chose poorly."),
    *("Let's use this opportunity to say thanks.", "Let's use the time to talk.", "Let's not decide yet."),
    *("Use of Redis is common.", "Use cases are listed below.", "Use case: export as PDF."),
    *("Tell me why the build fails.", "Explain why it crashes on iOS.", "It could crash if the list is empty."),
    *("Write a test that fails when the list is empty.", "Show an error message when the upload fails."),
    "The test that failed yesterday passes now.",
    *("I don't need a list, just the total.", "I don't want a table here.", "I like the blue one better."),
    *("We don't need a queue.", "My name is not in the list.", "I live for this stuff."),
    *("I got married to that idea.", "The migration is complete garbage.", "The upload is done via XHR."),
]
SAID = [
    ("The header must be sticky.", "constraint", "The header must be sticky"),
    ("Ids must be positive.", "constraint", "Ids must be positive"),
    ("The server must be running.", "constraint", "The server must be running"),
    ("It must be accessible.", "constraint", "It must be accessible"),
    ("There must be a test for every endpoint.", "constraint", "There must be a test for every endpoint"),
    ("There must be no console output.", "constraint", "There must be no console output"),
    ("Images must be full width.", "constraint", "Images must be full width"),
    ("Don't add packages that are not required.", "constraint", "Don't add packages that are not required"),
    ("Let's go with Fastly.", "decision", "go with Fastly"),
    ("Never exceed 10 MB.", "constraint", "Never exceed 10 MB"),
    ("Never embed secrets.", "constraint", "Never embed secrets"),
    ("Never use eval.", "constraint", "Never use eval"),
    ("Always pass the logger.", "constraint", "Always pass the logger"),
    ("Error messages must be translated.", "constraint", "Error messages must be translated"),
    ("All endpoints need authentication.", "constraint", "All endpoints need authentication"),
    ("Passwords may not be stored in plain text.", "constraint", "Passwords may not be stored in plain text"),
    ("Only admins can delete users.", "constraint", "Only admins can delete users"),
    ("Max upload size is 10 MB.", "constraint", "Max upload size is 10 MB"),
    ("From now on no emojis.", "constraint", "From now on no emojis"),
    ("Requests are limited to 100 per minute.", "constraint", "Requests are limited to 100 per minute"),
    ("We're going with Postgres.", "decision", "go with Postgres"),
    ("I'll use the Postgres image.", "decision", "use the Postgres image"),
    ("We'll stay with Postgres.", "decision", "stay with Postgres"),
    ("I chose Vue.", "decision", "go with Vue"),
    ("Let's not do the CSV export.", "decision", "don't do the CSV export"),
    ("The build fails.", "error", "The build fails."),
    ("The build is red again.", "error", "The build is red again."),
    ("I get an error when I upload.", "error", "I get an error when I upload."),
    ("I don't want meat.", "preference", "doesn't want meat"),
    ("I like the sea.", "preference", "likes the sea"),
    ("My name is Lena.", "fact", "My name is Lena"),
    ("I live in Rome.", "fact", "I live in Rome"),
    ("The migration is complete.", "completion", "The migration is complete"),
    ("The upload is done.", "completion", "The upload is done"),
]
NOT_RULES = [
    *("It may not be stored on that disk.", "All tests need fixing.", "Only you can do that."),
    *("Something must be wrong with it.", "The cache must be full again."),
    *("I'm limited to 2 hours.", "Max looked at it.", "Every child needs love."),
]


@pytest.mark.parametrize("text", NOTHING)
def test_what_only_sounds_like_something_to_keep_is_not_kept(text: str) -> None:
    assert find_signals(text) == ()


@pytest.mark.parametrize(("text", "kind", "said"), SAID)
def test_what_is_said_in_nearly_the_same_words_is_kept(text: str, kind: str, said: str) -> None:
    assert [(signal.kind, signal.text) for signal in find_signals(text)] == [(kind, said)]


@pytest.mark.parametrize("text", NOT_RULES)
def test_what_is_no_rule_in_the_words_of_one_is_none(text: str) -> None:
    assert not [signal for signal in find_signals(text) if signal.kind == "constraint"]
