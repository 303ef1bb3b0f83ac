"""What is said is kept as a clean clause, of the right kind; what is asked, supposed, reported or quoted is not."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.memory.gathering import operations_from
from anaphora.memory.working import apply
from anaphora.types import Role, Signal, SignalKind, State
from anaphora.understanding.importance import importance_of
from anaphora.understanding.signals import find_signals, is_closing

Expected = tuple[str, str] | tuple[str, str, str]

DECISIONS: list[tuple[str, Expected]] = [
    ("Let's use RS256 because keys can rotate", ("decision", "use RS256", "keys can rotate")),
    ("we decided on Postgres since it has JSON columns", ("decision", "go with Postgres", "it has JSON columns")),
    (
        "going with FastAPI over Flask: async is built in",
        ("decision", "go with FastAPI over Flask", "async is built in"),
    ),
    ("ok, option B then", ("decision", "go with option B")),
    ("Option B it is", ("decision", "go with Option B")),
    ("Postgres it is then.", ("decision", "go with Postgres")),
    ("Ok so let's go with `RS256` then, thanks!", ("decision", "go with `RS256`")),
    ("I think we should use a queue so that requests don't block", ("decision", "use a queue", "requests don't block")),
    ("We'll stick with pytest", ("decision", "stick with pytest")),
    ("We've decided to drop Python 3.8 support", ("decision", "drop Python 3.8 support")),
    ("We decided not to support Windows", ("decision", "don't support Windows")),
    ("We decided against MongoDB", ("decision", "decided against MongoDB")),
    ("let's not use Redis", ("decision", "don't use Redis")),
    ("Decision: monorepo, not many repos", ("decision", "monorepo, not many repos")),
    ("The decision is to ship without the editor", ("decision", "ship without the editor")),
    ("I chose the blue theme as it is calmer", ("decision", "go with the blue theme", "it is calmer")),
    ("We settled on weekly releases due to the audit", ("decision", "go with weekly releases", "the audit")),
    ("We agreed on REST, please write it down", ("decision", "go with REST")),
    ("I'm going to use SQLite - no server to run", ("decision", "use SQLite", "no server to run")),
    ("Since keys rotate, let's use RS256", ("decision", "use RS256", "keys rotate")),
    ("The old API is slow, so let's switch to gRPC", ("decision", "switch to gRPC", "The old API is slow")),
    ("Let's use Redis. Because it is fast.", ("decision", "use Redis", "it is fast")),
    ("Let's use X because it's fast and we know it", ("decision", "use X", "it's fast and we know it")),
    ("let's use Postgres, ok?", ("decision", "use Postgres")),
    ("Use RS256", ("decision", "Use RS256")),
    ("No, use Vitest instead of Jest", ("decision", "use Vitest instead of Jest")),
    ("Instead of Jest, use Vitest", ("decision", "use Vitest instead of Jest")),
    ("forget Jest, let's use Vitest because it is fast", ("decision", "use Vitest instead of Jest", "it is fast")),
    ("not Jest, use Vitest", ("decision", "use Vitest instead of Jest")),
    ("never mind Node.js, let's go with Deno", ("decision", "go with Deno instead of Node.js")),
    ("Scrap that. Let's use Vitest.", ("decision", "use Vitest instead")),
    ("let’s use “blue-green” deploys", ("decision", "use “blue-green” deploys")),
    ("After some thought, I've decided to use Kafka because order matters", ("decision", "use Kafka", "order matters")),
    (
        "Let us adopt trunk-based work so we can release daily",
        ("decision", "adopt trunk-based work", "we can release daily"),
    ),
    ("the second option please", ("decision", "go with the second option")),
]
CONSTRAINTS: list[tuple[str, Expected]] = [
    ("it must run on 3.9", ("constraint", "it must run on 3.9")),
    ("must run on 3.9", ("constraint", "must run on 3.9")),
    ("no external libraries", ("constraint", "no external libraries")),
    ("Don't use more than 3 colors, use blue", ("constraint", "Don't use more than 3 colors, use blue")),
    ("Don't use the old API, use the new one", ("constraint", "Don't use the old API, use the new one")),
    ("never log tokens", ("constraint", "never log tokens")),
    ("max 200 ms", ("constraint", "max 200 ms")),
    ("The tokens must expire after one hour", ("constraint", "The tokens must expire after one hour")),
    ("Token TTL must be exactly 1 hour", ("constraint", "Token TTL must be exactly 1 hour")),
    ("Always use type hints please", ("constraint", "Always use type hints")),
    ("Don't touch the public API!", ("constraint", "Don't touch the public API")),
    ("Do not use recursion", ("constraint", "Do not use recursion")),
    ("The response should stay under 200 ms", ("constraint", "The response should stay under 200 ms")),
    ("at most 3 retries", ("constraint", "at most 3 retries")),
    ("The budget is 500 euros", ("constraint", "The budget is 500 euros")),
    ("Our deadline is Friday", ("constraint", "Our deadline is Friday")),
    ("It has to work offline", ("constraint", "It has to work offline")),
    ("We never deploy on Fridays", ("constraint", "We never deploy on Fridays")),
    ("Write it without using numpy", ("constraint", "without using numpy")),
    ("Passwords are not allowed in the logs", ("constraint", "Passwords are not allowed in the logs")),
    ("Only use the standard library", ("constraint", "Only use the standard library")),
    ("If the token is expired, it must return 401", ("constraint", "it must return 401")),
    ("Files must be UTF-8 because of the importer", ("constraint", "Files must be UTF-8", "the importer")),
    ("avoid global state", ("constraint", "avoid global state")),
]
GOALS: list[tuple[str, Expected]] = [
    ("I want to ship the beta by Friday", ("goal", "ship the beta by Friday")),
    ("the goal is to cut costs by 20%", ("goal", "cut costs by 20%")),
    ("we need to migrate the users table", ("goal", "migrate the users table")),
    ("I'd like to add a login page", ("goal", "add a login page")),
    ("Hi, I would like to learn Rust this year", ("goal", "learn Rust this year")),
    ("Our main goal is that nobody waits", ("goal", "nobody waits")),
    ("I want to sort a list, how do I do that?", ("goal", "sort a list")),
    ("I'm planning to run a marathon in May", ("goal", "run a marathon in May")),
    ("We're building a budget tracker", ("goal", "building a budget tracker")),
    ("Let's implement JWT auth", ("goal", "implement JWT auth")),
    ("Goal: ship 1.0", ("goal", "ship 1.0")),
    ("I need a login page", ("goal", "a login page")),
    ("we need an export to CSV", ("goal", "an export to CSV")),
    ("we also need a search bar", ("goal", "a search bar")),
    ("we're going to need a search box", ("goal", "a search box")),
    ("we'll need a landing page for the launch", ("goal", "a landing page for the launch")),
    ("the app needs a settings page", ("goal", "a settings page")),
    ("we need a way to reset passwords", ("goal", "a way to reset passwords")),
    ("i need a packing list for lisbon", ("goal", "a packing list for lisbon")),
    ("need a hotel with a pool", ("goal", "a hotel with a pool")),
    ("I want a login page", ("goal", "a login page")),
    ("we have to write docs", ("action", "write docs")),
    ("for the demo use sqlite", ("decision", "use sqlite for the demo")),
    ("for tests, let's use pytest", ("decision", "use pytest for tests")),
    ("Vue is better, let's switch to it", ("decision", "switch to Vue", "Vue is better")),
    ("let's call it Atlas", ("decision", "call it Atlas")),
    ("until then no new features", ("constraint", "no new features until then")),
    ("5 slides max", ("constraint", "5 slides max")),
    ("planning a trip to portugal", ("goal", "planning a trip to portugal")),
    ("goal is a monthly report", ("goal", "a monthly report")),
    ("also todo update the imprint", ("action", "update the imprint")),
    ("let's not rent bikes", ("decision", "don't rent bikes")),
    ("no museums please", ("constraint", "no museums")),
    ("budget 3000 euro", ("constraint", "budget 3000 euro")),
    ("we should launch by dec 1", ("constraint", "we should launch by dec 1")),
    ("i can't drive stick", ("preference", "can't drive stick")),
    ("booked the flights!", ("completion", "booked the flights")),
    ("renewed the passports yesterday", ("completion", "renewed the passports yesterday")),
    ("the hotel is booked", ("completion", "the hotel is booked")),
]
ACTIONS: list[tuple[str, Expected]] = [
    ("I still need to write the docs", ("action", "write the docs")),
    ("todo: update the changelog", ("action", "update the changelog")),
    ("TODO write more tests", ("action", "write more tests")),
    ("remind me to call Eve", ("action", "call Eve")),
    ("Can you remind me to renew the certificate", ("action", "renew the certificate")),
    ("Could you remind me to renew the certificate?", ("action", "renew the certificate")),
    ("I need to call the bank tomorrow", ("action", "call the bank tomorrow")),
    ("next step is to add tests", ("action", "add tests")),
    ("Next: deploy to staging", ("action", "deploy to staging")),
    ("later we should add caching", ("action", "add caching")),
    ("we can polish the icons later", ("action", "polish the icons")),
    ("I have to submit the report by Monday", ("action", "submit the report by Monday")),
    ("- [ ] rotate the keys", ("action", "rotate the keys")),
    ("The migration is still pending", ("action", "The migration is still pending")),
]
COMPLETIONS: list[tuple[str, Expected]] = [
    ("done with the login page", ("completion", "done with the login page")),
    ("tests pass now", ("completion", "tests pass now")),
    ("that works, merged", ("completion", "that works, merged")),
    ("The login page is done", ("completion", "The login page is done")),
    ("I've fixed the parser", ("completion", "I've fixed the parser")),
    ("ok, everything works now", ("completion", "everything works now")),
    ("the pipeline is green", ("completion", "the pipeline is green")),
    ("We just shipped 2.0", ("completion", "We just shipped 2.0")),
    ("the dashboard is ready", ("completion", "the dashboard is ready")),
]
NOTES: list[tuple[str, Expected]] = [
    ("remember that the demo is on Friday", ("remember", "the demo is on Friday")),
    ("Please remember: the staging server is down on Sundays", ("remember", "the staging server is down on Sundays")),
    ("Keep in mind that Eve is away, so ask Bob", ("remember", "Eve is away, so ask Bob")),
    ("Don't forget to rotate the keys", ("action", "rotate the keys")),
    ("Can you remember that Eve is away?", ("remember", "Eve is away")),
    ("note that the table is huge", ("remember", "the table is huge")),
]
FACTS: list[tuple[str, Expected]] = [
    ("My name is Ann", ("fact", "My name is Ann")),
    ("Hi, I'm Ann", ("fact", "I'm Ann")),
    ("hello, my name is Ann Lee, can you help me?", ("fact", "my name is Ann Lee")),
    ("Call me Bob", ("fact", "Call me Bob")),
    ("I'm a nurse", ("fact", "I'm a nurse")),
    ("I work at Siemens as a data engineer", ("fact", "I work at Siemens as a data engineer")),
    ("I live in Oslo", ("fact", "I live in Oslo")),
    ("By the way, I'm from Lisbon", ("fact", "I'm from Lisbon")),
    ("My sister is called Eve", ("fact", "My sister is called Eve")),
    ("I have two kids", ("fact", "I have two kids")),
    ("I'm allergic to peanuts", ("fact", "I'm allergic to peanuts")),
    ("I'm using Django 4.2 on Ubuntu", ("fact", "I'm using Django 4.2 on Ubuntu")),
    ("We use Postgres 15 in production", ("fact", "We use Postgres 15 in production")),
    ("I'm on Python 3.11", ("fact", "I'm on Python 3.11")),
    ("My birthday is May 4", ("fact", "My birthday is May 4")),
    ("I usually start work at 9", ("fact", "I usually start work at 9")),
    ("My editor is vim", ("fact", "My editor is vim")),
    ("I'm new to Rust", ("fact", "I'm new to Rust")),
]
PREFERENCES: list[tuple[str, Expected]] = [
    ("I prefer tabs to spaces", ("preference", "prefers tabs to spaces")),
    ("I dislike cilantro", ("preference", "dislikes cilantro")),
    ("I don't like cilantro", ("preference", "dislikes cilantro")),
    ("I hate meetings because they drag on", ("preference", "hates meetings", "they drag on")),
    ("I really love hiking", ("preference", "loves hiking")),
    ("I always use vim", ("preference", "always uses vim")),
    ("I never eat meat", ("preference", "never eats meat")),
    ("I don't eat meat", ("preference", "doesn't eat meat")),
    ("I'd rather use tabs", ("preference", "would rather use tabs")),
    ("I'm not a fan of ORMs", ("preference", "is not a fan of ORMs")),
    ("I can't stand dark mode", ("preference", "can't stand dark mode")),
    ("My favourite editor is Helix", ("preference", "favourite editor is Helix")),
    ("I prefer my coffee black", ("preference", "prefers their coffee black")),
    ("I usually try new tools first", ("preference", "usually tries new tools first")),
]
ERRORS: list[tuple[str, Expected]] = [
    ("TypeError: unsupported operand", ("error", "TypeError: unsupported operand")),
    (
        "Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'x'",
        ("error", "KeyError: 'x'"),
    ),
    ("error: cannot find symbol", ("error", "error: cannot find symbol")),
    ("The tests failed again", ("error", "The tests failed again")),
    ("the process exited with code 137", ("error", "the process exited with code 137")),
    ("I get a NullPointerException here", ("error", "I get a NullPointerException here")),
    ("npm ERR! missing script: build", ("error", "npm ERR! missing script: build")),
    ("warning: unused variable", ("error", "warning: unused variable")),
    ("FAILED tests/test_a.py::test_b", ("error", "FAILED tests/test_a.py::test_b")),
    ("still giving me the same error", ("error", "still giving me the same error")),
]
SILENT = """
should we use Redis?
Should we use Redis or Postgres
what if we used Redis
if we used Redis, we would need a server
If I were a nurse, I would know
Let's say we use Redis, what changes?
Imagine I'm a pirate
Suppose we decided on Postgres
maybe we should use Redis
He said we should use Redis
My boss says we decided on Oracle
According to the docs, we must call init first
The docs say you must call init first
"let's use Redis" is what he wrote
`let's use Redis`
> we decided on Mongo
We haven't decided on a database
We have not decided yet
I'm not a developer
I don't live in Berlin
I don't want to use Redis
let's see
let's go on
Let's take a look at the code
let's keep going
I will keep that in mind
I'll keep the long list of open points in mind
let's use it
I want to know how it works
I want to understand this
I need to ask you something
I want you to write a test
what is the goal?
planning a trip is hard
goal is null in the debugger
todo list is too long
let's not forget the bikes
let's not worry about it
let's not get ahead of ourselves
no thanks please
no, please
I can't eat this
I sent the request twice
I wrote the following code
moving to a new flat on march 1
the page is great, let's keep it
for each item use a dict
for example use Redis
I want a beer
I have to go now
we have to wait
let's call it again
I need help
I need to go
we need to talk
I need that file
I need the login page
I need coffee
I need a break
I need a hand with the form
I need an answer about the export
I need a page number
I need a way out
I need a table for two
we need a quick test of the button
do we need a login page?
if we need a login page, tell me
you need a login page
she said we need a login page
how do I remember the password?
Do you remember the FAB button?
I remember that it was blue
remember when we added the login?
must be a bug
it must have been the cache
it always returns 500 rows
It is not done yet
The login page isn't done
Once you are finished, tell me
when the import is done, start the export
I like it
I like your answer
I like the idea
I'd like a coffee
I'm a bit confused
I'm sorry
I'm working at it
I use this function to sort
no problem
no idea
never mind the colour
No funciona la prueba
todo está bien
Ich heiße Ann und wohne in Berlin
Je préfère le café
Make it purple
Add error handling to the parser
How do I raise a ValueError?
Catch the exception if the import fails
there are no errors
0 failed, 12 passed
Estimate  Std. Error  t value
what happens when the login fails?
Going with Redis is a mistake
my code is slow
It is what it is
We must have lost the file
I always get this wrong
We could use Redis
We might go with Postgres
They decided to use Redis
Tom wants to use Redis
1. 2. 3.
...
""".strip().splitlines()
SEVERAL: list[tuple[str, list[Expected]]] = [
    ("I'm a nurse and live in Oslo", [("fact", "I'm a nurse"), ("fact", "I live in Oslo")]),
    (
        "Let's use RS256 because keys can rotate. It must run on 3.9, and I still need to write the docs.",
        [
            ("decision", "use RS256", "keys can rotate"),
            ("constraint", "It must run on 3.9"),
            ("action", "write the docs"),
        ],
    ),
    (
        "Remember that I prefer tabs to spaces",
        [("remember", "I prefer tabs to spaces"), ("preference", "prefers tabs to spaces")],
    ),
    (
        "I want to deploy today but I get this error:\nOSError: disk full",
        [("goal", "deploy today"), ("error", "OSError: disk full")],
    ),
    (
        "I no longer use vim, switched to helix",
        [("fact", "I no longer use vim"), ("fact", "I switched to helix")],
    ),
    ("- no new dependencies\n- max 5 files", [("constraint", "no new dependencies"), ("constraint", "max 5 files")]),
    (
        "We decided on Postgres. Should we use an ORM? I prefer plain SQL.",
        [("decision", "go with Postgres"), ("preference", "prefers plain SQL")],
    ),
]
WITHDRAWALS: list[tuple[str, Expected]] = [
    ("ok, you may commit to main now", ("withdrawal", "you may commit to main now")),
    ("Committing to main is fine from now on!", ("withdrawal", "Committing to main is fine from now on")),
    ("please forget the rule about main", ("withdrawal", "forget the rule about main")),
    ("you don't have to add tests any more", ("withdrawal", "you don't have to add tests any more")),
    ("forget that decision", ("withdrawal", "forget that decision")),
    ("drop Redis", ("withdrawal", "drop Redis")),
]
FAMILIES = [
    *WITHDRAWALS,
    *DECISIONS,
    *CONSTRAINTS,
    *GOALS,
    *ACTIONS,
    *COMPLETIONS,
    *NOTES,
    *FACTS,
    *PREFERENCES,
    *ERRORS,
]


def found(message: str) -> list[tuple[str, ...]]:
    return [(s.kind, s.text, s.because) if s.because else (s.kind, s.text) for s in find_signals(message)]


@pytest.mark.requirement("Q12")
@pytest.mark.parametrize(("message", "expected"), FAMILIES)
def test_a_signal_is_found_as_a_clean_clause_with_its_reason(message: str, expected: Expected) -> None:
    assert found(message) == [expected]


@pytest.mark.parametrize("message", SILENT)
def test_what_is_not_stated_gives_no_signal(message: str) -> None:
    assert found(message) == []


@pytest.mark.parametrize(("message", "expected"), SEVERAL)
def test_a_message_may_hold_several_signals(message: str, expected: list[Expected]) -> None:
    assert found(message) == expected


def test_code_says_nothing_and_what_stands_around_it_does() -> None:
    message = "Let's use this parser:\n```python\n# we decided on Mongo\nmust = never(1)\n```\nIt must run offline."
    assert found(message) == [("decision", "use this parser"), ("constraint", "It must run offline")]


def test_a_pasted_document_speaks_for_nobody_but_its_two_ends_do() -> None:
    pasted = "The applicant must sign every page of the long form. " * 80
    message = f"I want to rent a flat. {pasted} I prefer a ground floor."
    kinds = found(message)
    assert kinds[0] == ("goal", "rent a flat")
    assert kinds[-1] == ("preference", "prefers a ground floor")


@pytest.mark.parametrize(
    "message",
    ["thanks", "ok, thanks a lot!", "we're done here", "That's all for today, thank you", "let's call it a day", "bye"],
)
def test_a_farewell_closes(message: str) -> None:
    assert is_closing(message)
    assert found(message) == [("closing", message)]


@pytest.mark.parametrize(
    "message", ["thanks, now add a test", "is that all?", "done with the login page", "close the file"]
)
def test_going_on_does_not_close(message: str) -> None:
    assert not is_closing(message)


@given(st.text(max_size=300))
def test_any_text_gives_signals_that_say_something(text: str) -> None:
    for signal in find_signals(text):
        assert signal.text.strip()
        assert len(signal.text) <= 300


@pytest.mark.parametrize("unit", ["must ", "I want to ", "a, and i ", "((", "we decided ", "no ", "(", "x "])
def test_of_an_endless_message_no_more_is_read_than_of_a_long_one(unit: str) -> None:
    assert len(find_signals(unit * 50_000)) <= len(find_signals(unit * 2_000)) + 1


# --- importance ---------------------------------------------------------------------------------------------------

WEIGHTS: list[tuple[Role, tuple[SignalKind, ...], bool, float]] = [
    ("user", (), False, 0.7),
    ("user", ("decision",), False, 0.9),
    ("user", (), True, 0.8),
    ("user", ("remember",), False, 1.0),
    ("user", ("error",), False, 0.85),
    ("user", ("error",), True, 0.95),
    ("user", ("decision", "remember", "error"), True, 1.0),
    ("assistant", (), False, 0.4),
    ("assistant", ("decision",), False, 0.6),
    ("assistant", (), True, 0.5),
    ("assistant", ("remember",), False, 0.7),
    ("assistant", ("error",), False, 0.55),
    ("assistant", ("decision", "remember"), False, 0.8),
    ("user", ("decision", "decision"), False, 0.9),
    ("user", ("goal",), False, 0.8),
    ("user", ("constraint", "fact", "preference", "action", "completion", "closing", "injection"), False, 0.7),
    ("user", ("withdrawal",), False, 0.7),
]


@pytest.mark.requirement("Q4")
@pytest.mark.parametrize(("role", "kinds", "code", "expected"), WEIGHTS)
def test_importance_is_the_base_of_the_role_and_each_boost_once(
    role: Role, kinds: tuple[SignalKind, ...], code: bool, expected: float
) -> None:
    signals = [Signal(kind, f"{kind} {n}") for n, kind in enumerate(kinds)]
    assert importance_of(role, signals, code=code) == expected


@pytest.mark.parametrize(("message", "expected"), [("Use RS256", 0.9), ("Make it purple", 0.7)])
def test_a_message_weighs_what_it_holds(message: str, expected: float) -> None:
    assert importance_of("user", find_signals(message), code=False) == expected


# --- the working state --------------------------------------------------------------------------------------------


def _state_after(*signals: Signal) -> State:
    at = datetime(2025, 11, 3, tzinfo=UTC)
    return apply(State(), operations_from(signals, (), author="ann", speaker="ann", at=at, message_id="m1"))


def test_the_reason_of_a_preference_is_kept_with_it() -> None:
    (fact,) = _state_after(*find_signals("I hate meetings because they drag on")).facts
    assert fact.text == "hates meetings because they drag on"


def test_every_kind_of_signal_is_taken_over_or_left_aside() -> None:
    for kind in get_args(SignalKind):
        kept = _state_after(Signal(kind, "something")) != State()
        assert kept == (kind not in ("completion", "withdrawal", "closing", "error", "injection"))
