"""What the words of a message leave no doubt about, whatever a reader makes of it."""

from __future__ import annotations

import pytest

from anaphora.settings import Settings
from anaphora.understanding.intents import find_intents

NOBODY = dict.fromkeys(("PLAN", "EXECUTE", "CORRECT", "TEST", "ASK", "RESUME", "CLOSE"), 0.0)


def _names(text: str, judged: dict[str, float], *, terse: bool = False, asked: bool = False) -> list[str]:
    found = find_intents(text, boundary="same", settings=Settings(), judged=NOBODY | judged, terse=terse, asked=asked)
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


@pytest.mark.parametrize(
    "text",
    [
        *(
            "pytest -q",
            "run mypy",
            "bundle exec rspec spec/services",
            "go vet ./... and golangci-lint please",
            "rubocop",
        ),
        *("npm run lint", "ok, now cargo clippy", "./gradlew test", "python -m pytest tests/test_api.py::test_login"),
        *("Write a pytest for both cases.", "can you add some unit tests for the parser", "now write more tests"),
        *("generate a junit test for OrderService", "add a regression test that fails on an empty list"),
    ],
)
def test_who_wants_tests_written_or_a_checker_run_wants_to_test(text: str) -> None:
    assert _names(text, {"EXECUTE": 0.7, "PLAN": 0.25, "TEST": 0.05})[0] == "TEST"
    assert "EXECUTE" not in _names(text, {"EXECUTE": 0.7, "PLAN": 0.25, "TEST": 0.05})


@pytest.mark.parametrize(
    "text",
    [
        *("npx eslint packages/server --fix", "pytest or unittest?", "pytest is too slow", "eslint + prettier please"),
        *("add a test user to the seed script", "write a pytest fixture for the database", "create a test server"),
        *("mypy says that the argument is missing", "write the contest rules", "add the latest release to the page"),
    ],
)
def test_to_name_a_checker_or_a_test_is_not_to_want_one(text: str) -> None:
    assert _names(text, {"EXECUTE": 0.7, "PLAN": 0.25, "TEST": 0.05})[0] == "EXECUTE"


_CODE = "def mean(values):\n    return sum(values) / len(values)"


@pytest.mark.parametrize(
    "text",
    [
        *(f"Is this correct?\n{_CODE}", f"check this code\n{_CODE}", f"debug: {_CODE}", f"{_CODE}\nwhat's wrong here?"),
        *(f"are there any mistakes in my function?\n\n{_CODE}", f"```\n{_CODE}\n```\ncan you double-check it"),
    ],
)
def test_who_hands_over_code_to_be_checked_wants_to_test(text: str) -> None:
    assert _names(text, {"ASK": 0.7, "PLAN": 0.25, "TEST": 0.05})[0] == "TEST"


@pytest.mark.parametrize(
    "text",
    [
        *("is this correct?", "what's wrong with eating late?", f"what is this called?\n{_CODE}"),
        *(f"{_CODE}\nZeroDivisionError: division by zero, what's wrong", f"explain the right way to write\n{_CODE}"),
    ],
)
def test_to_ask_about_code_or_to_show_an_error_is_not_to_have_it_checked(text: str) -> None:
    assert _names(text, {"ASK": 0.7, "PLAN": 0.25, "TEST": 0.05})[0] == "ASK"


@pytest.mark.parametrize(
    "text", ["no, keep both and shorten the second", "hmm no, undo that", "No keep the museum", "nope. the other file"]
)
def test_who_says_no_corrects_unless_it_is_an_answer(text: str) -> None:
    assert _names(text, {"EXECUTE": 0.7, "CORRECT": 0.2})[0] == "CORRECT"
    assert _names(text, {"EXECUTE": 0.7, "CORRECT": 0.2}, asked=True)[0] == "EXECUTE"
    assert _names(text, {"EXECUTE": 0.98, "CORRECT": 0.01})[0] == "EXECUTE"


@pytest.mark.parametrize(
    "text", ["no problem, go on", "no idea", "no thanks", "no numbers below 3", "oh no. turn it on", "no, why?", "No."]
)
def test_not_every_no_corrects(text: str) -> None:
    assert _names(text, {"EXECUTE": 0.7, "CORRECT": 0.2})[0] == "EXECUTE"


@pytest.mark.parametrize(
    "text",
    [
        *("does it log anything?", "has the build finished?", "is the cookie secure?", "is it thread safe?"),
        *("does the form validate emails?", "so does that handle empty lists?"),
    ],
)
def test_who_asks_what_is_so_tests_nothing(text: str) -> None:
    assert _names(text, {"TEST": 0.7, "ASK": 0.25})[0] == "ASK"


@pytest.mark.parametrize(
    "text",
    [
        *("does it work?", "is this correct?", "are the tests passing?", "did the tests pass?", "is it fixed now"),
        *(f"does it handle empty lists?\n{_CODE}", "check that it logs, is it secure?", "can you verify the cookie?"),
    ],
)
def test_who_asks_whether_it_holds_up_tests_it(text: str) -> None:
    assert _names(text, {"TEST": 0.7, "ASK": 0.25})[0] == "TEST"
