"""What the words of a message leave no doubt about, whatever a reader makes of it."""

from __future__ import annotations

import pytest

from anaphora.settings import Settings
from anaphora.understanding.intents import find_intents

NOBODY = dict.fromkeys(("PLAN", "EXECUTE", "CORRECT", "TEST", "ASK", "RESUME", "CLOSE"), 0.0)


def _names(text: str, judged: dict[str, float], *, terse: bool = False) -> list[str]:
    found = find_intents(text, boundary="same", settings=Settings(), judged=NOBODY | judged, terse=terse)
    return [intent.name for intent in found]


@pytest.mark.parametrize("text", ["add a spinner", "please add another tab", "Let's build a badge"])
def test_a_short_command_to_add_what_is_not_there_yet_plans_it(text: str) -> None:
    assert _names(text, {"EXECUTE": 0.6, "PLAN": 0.4}, terse=True)[0] == "PLAN"
    assert _names(text, {"EXECUTE": 0.6, "PLAN": 0.4})[0] == "EXECUTE"
    assert _names(text, {"EXECUTE": 0.9, "PLAN": 0.1}, terse=True) == ["EXECUTE"]


@pytest.mark.parametrize("text", ["make the spinner blue", "add it to the header", "add the badge back"])
def test_a_change_to_what_is_there_is_none(text: str) -> None:
    assert _names(text, {"EXECUTE": 0.6, "PLAN": 0.4}, terse=True)[0] == "EXECUTE"


def test_who_wants_something_done_and_tested_wants_both_in_this_order() -> None:
    assert _names("add a spinner and test it", {"PLAN": 0.1, "TEST": 0.85}) == ["PLAN", "TEST"]
    assert _names("rename the flag, then check it", {"EXECUTE": 0.85, "TEST": 0.1}) == ["EXECUTE", "TEST"]
    assert _names("test it and check it twice", {"PLAN": 0.1, "TEST": 0.85}) == ["TEST"]
    assert _names("why is it slow and test is not?", {"ASK": 0.9, "TEST": 0.05}) == ["ASK"]
