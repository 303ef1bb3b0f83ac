"""What still holds: ordinary messages take nothing back, whatever words of a correction or a withdrawal they share."""

from __future__ import annotations

import pytest

import anaphora
from anaphora import Memory
from anaphora.memory.items import items_of
from anaphora.testing import FrozenClock
from tests.talk import past, standing, talked

ORDINARY = {
    "Use port 8080": (
        "the tests use 9090",
        "port 9090 is taken",
        "my neighbour uses port 9090",
        "is port 9090 free?",
        "the proxy listens on port 9090",
        "use port 9090 for the proxy",
        "use port 9090 in the tests",
        "also use port 9090",
        "use port 9090 too",
        "use port 9090 as well",
        "no, not yet",
        "actually, it works",
        "actually, let me think",
        "no, wait 10 minutes",
        "sorry, I was away for 20 minutes",
        "sorry, 5 minutes",
        "actually, there are 3 bugs",
        "wait, 9090 people signed up?",
        "no, I have 2 questions",
        "I mean the 2 servers",
        "make it 3 pages",
        "it should be 30 lines",
        "what if we used port 9090?",
        "Bob said we should use port 9090",
        "maybe port 9090",
        "if 8080 is taken, use port 9090",
        "use port 9090 if 8080 is taken",
        "just for today use port 9090",
        "in staging, use port 9090",
    ),
    "Use port 8080 for the API": ("use port 9090 for the metrics",),
    "Let's use Postgres": (
        "let's use Redis for caching",
        "we also use MySQL at work",
        "let's use MySQL for the analytics",
        "should we use MySQL?",
        "I used MySQL before",
        "MySQL is slower",
        "no, MySQL is what they use",
        "explain the difference between Postgres and MySQL",
        "drop the users table",
        "drop the postgres container",
        "forget the last error",
        "never mind the warning",
        "scratch that itch",
        "I forgot the password",
        "ignore the Postgres warning",
        "remove the Postgres tests",
        "let's not use an ORM",
        "don't use Postgres functions in the tests",
        "stop Postgres",
        "restart Postgres",
        "undo the last migration",
        "revert the commit",
        "cancel the build",
        "take back the laptop",
        "I changed my mind about lunch",
        "I changed my password",
        "let's use it",
        "let's use the second one",
        "let's go with a pool of 10",
        "use version 16",
        "instead of a screenshot, send me the log",
        "write a query instead",
        "we won't use Postgres extensions",
        "Postgres, not Oracle, is what I know",
    ),
    "Let's use React": (
        "let's use Tailwind",
        "use TypeScript",
        "let's use Vue for the admin page",
        "the old site uses Vue",
        "we're moving the Vue code over",
        "how would that look in Vue?",
        "show me the same in Vue",
    ),
    "Let's use Python": (
        "write the script in Bash",
        "translate it to Go",
        "I prefer Go for small tools",
    ),
    "Never commit to main": (
        "you can commit now",
        "commit to dev",
        "you may commit to the main menu branch now",
        "did you commit to main?",
        "you can commit to main after review",
        "you can commit to main when I say so",
        "you can commit to main with my approval",
        "you may push to main now",
        "you may commit to maintenance now",
        "forget the main function",
        "forget about main.py",
        "the rule about dev no longer applies",
        "ignore the lint rule",
        "disable the eslint rule",
        "remove the firewall rule",
        "delete the rule that blocks port 80",
        "what was the rule about main?",
        "why do we have the rule about main?",
        "remind me of the rule about main",
        "is committing to main fine?",
        "committing to main is fine for hotfixes",
        "it's fine to commit to main in emergencies",
        "you may commit to main in an emergency",
        "nobody may commit to main",
        "Ana can commit to main",
        "only Ana may commit to main",
        "Ana may commit to main now",
    ),
    "Don't use emojis": (
        "emojis are fine in commit messages",
        "emojis are fun",
        "are emojis allowed?",
        "users may use emojis",
        "users can use emojis now",
        "you can use icons now",
        "the emoji picker is done",
        "always use icons",
    ),
    "Always write tests": (
        "you don't have to write tests for scripts",
        "no need to write tests for this",
        "no need to write tests for it now",
        "write no tests for the demo",
        "you don't need to run the tests now",
        "the tests are no longer needed on Windows",
        "tests are optional for scripts",
        "never write tests for getters",
    ),
    "Always answer in French": (
        "translate this to German",
        "answer this one in German",
        "answer in English this time",
        "how do you say that in German?",
        "always write the comments in English",
        "the code comments must be in English",
    ),
    "The deadline is Friday": (
        "the deadline for the bonus is Monday",
        "the deadline was extended once already",
        "set a reminder for Monday",
        "no, the demo is on Monday",
        "sorry, I am out on Monday",
        "actually, Monday is a holiday",
        "the meeting is on Monday",
        "the deadline for the slides is Monday",
        "the review deadline is Monday",
        "is the deadline Monday?",
        "the deadline was Monday last year",
        "they missed the deadline on Monday",
        "can we move the deadline to Monday?",
        "ask them to move the deadline to Monday",
        "the deadline may move to Monday",
        "I'm on holiday until Monday",
        "we have until 5pm for lunch",
        "the deadline might be moved to Monday",
        "if the deadline moved to Monday we could add it",
        "the deadline is close",
        "the deadline is in the calendar",
        "the old deadline was Wednesday",
        "Bob's deadline is Monday",
        "forget the deadlock",
    ),
    "The budget is 500 euros": (
        "the flight costs 300 euros",
        "we spent 200 euros of the budget",
        "the budget for food is 100 euros",
        "the budget was 400 euros last year",
    ),
    "Keep it under 200 lines": (
        "the file has 300 lines",
        "keep the tests under 300 lines",
        "keep lines under 100 characters",
        "it is 250 lines now",
    ),
    "My manager is Ana": (
        "Omar is a manager too",
        "Bob's manager is Omar",
        "my old manager was Omar",
        "is Omar my manager?",
        "my manager's manager is Omar",
        "no, Omar did that",
    ),
    "I live in Paris": (
        "I was in Lyon last week",
        "my sister lives in Lyon",
        "I used to live in Lyon",
        "I work in Lyon",
        "I'm flying to Lyon",
    ),
    "I prefer tabs over spaces": (
        "remove the spaces at the end",
        "two spaces after a period",
        "Bob prefers spaces",
        "use spaces in YAML files",
    ),
    "I prefer dark mode": (
        "add a light mode",
        "the light mode is broken",
    ),
    "My name is Ann": ("my dog's name is Rex",),
    "I use vim": (
        "my colleague uses helix",
        "I used helix before",
    ),
    "I want to build a dashboard": (
        "the login page is finished",
        "the dashboard is almost finished",
        "the dashboard mockup is finished",
        "is the dashboard finished?",
        "the dashboard of my car is finished",
        "I finished lunch",
        "when the dashboard is finished, deploy it",
        "the old dashboard is done",
        "Bob finished his dashboard",
        "tests for the dashboard are done",
        "the dashboard tests are done",
        "fixed the dashboard",
    ),
    "I want to fix the login bug": (
        "the login page works",
        "the login bug is reported",
        "tested the login bug",
        "I fixed the logout bug",
    ),
    "I want to write the docs": (
        "the docs are wrong",
        "I read the docs",
        "the API docs are done",
    ),
    "use a slider, not a dropdown": (
        "add a dropdown for the country",
        "the dropdown on the other page works",
        "use a dropdown for the language",
    ),
    "Let's use blue for the header": (
        "make the footer green",
        "use green for the footer",
        "the green one is nice",
        "make it bold",
        "no, the footer",
    ),
    "Use 4 workers": (
        "use 2 databases",
        "start 2 workers in staging",
        "2 workers crashed",
    ),
    "The API must return JSON": (
        "the export must return XML",
        "the API must return errors as text",
        "can the API return XML?",
    ),
    "It must run on Linux": (
        "it must run on Windows",
        "it must run on macOS too",
    ),
    "Always use semicolons": ("never use semicolons in Python",),
    "Never use eval": ("always use strict mode",),
    "Never log tokens": (
        "you may log errors",
        "you can log token counts now",
    ),
    "No external dependencies": (
        "you can use the standard library",
        "external links are fine",
        "dev dependencies are fine now",
    ),
    "Let's use Redis": (
        "scratch the last test",
        "drop it in the config folder",
        "drop me a line",
        "forget it, I found the bug",
        "I take it Redis is fast?",
        "take it back to the loading screen",
        "go back to the login page",
        "not Redis, the other service crashed",
        "Redis is not running",
        "don't restart Redis",
        "never restart Redis by hand",
        "we don't use Redis in the tests",
        "Redis isn't used in the tests",
        "replace the Redis URL with an env variable",
        "switch from the blocking to the async client",
        "replace the icon with a text",
        "change the Redis port to 6380",
        "let's use the Redis client from npm",
        "let's use a different Redis client",
        "instead of Redis docs I read the source",
    ),
    "Let's use npm": (
        "yarn fails on my machine",
        "run yarn install in the other repo",
        "does pnpm work as well?",
        "install poetry for the Python part",
        "use uv for the Python part",
        "use pip in the backend",
    ),
    "Let's use Django": (
        "the other team uses Flask",
        "compare it with Flask",
        "write a Flask example",
    ),
    "Let's use GraphQL": (
        "the REST endpoint is broken",
        "keep the REST endpoint for now",
        "keep REST for the mobile app",
        "add a REST endpoint too",
    ),
    "I prefer short answers": (
        "give me a long answer this time",
        "write a long essay about cats",
    ),
    "I prefer coffee": (
        "my wife prefers tea",
        "I'd like a tea now",
    ),
    "My favourite colour is blue": (
        "paint the wall green",
        "my second favourite colour is green",
        "her favourite colour is green",
    ),
    "I'm allergic to nuts": ("my son is allergic to milk",),
    "I'm vegetarian": ("my guests are vegan",),
    "I work at Acme": (
        "my wife works at Globex",
        "I worked at Globex before",
        "we compete with Globex",
    ),
    "My dog is called Rex": (
        "my cat is called Tom",
        "the neighbour's dog is called Tom",
    ),
    "My email is a@b.de": ("my work email is c@d.de",),
    "My birthday is on May 3": ("my wife's birthday is on June 4",),
    "Never delete user data": (
        "delete the temp files",
        "you may delete test data",
        "you can delete the user avatar",
        "users can delete their data",
        "deleting user data is a crime",
        "how do I delete user data?",
    ),
    "Never push on Fridays": (
        "it's Friday, can I push?",
        "pushing on Mondays is fine",
        "you can push now",
        "always push to a branch",
    ),
    "Always add type hints": (
        "you don't have to add comments any more",
        "no need to explain type hints any more",
        "type hints are optional in Python",
        "are type hints still required?",
        "never add type stubs",
        "never add type hints to tests",
    ),
    "Always use UTC": ("show the local time in the footer",),
    "Always use metric units": (
        "how many miles is that?",
        "convert it to miles",
    ),
    "The page must load within 2 seconds": (
        "the report must load within 10 seconds",
        "the page took 5 seconds",
    ),
    "The function must return a list": ("the other function must return a dict",),
    "Max 5 files": ("max 10 lines per function",),
    "We have until Friday": (
        "I have until noon to call her",
        "the shop is open until Monday",
        "we have until 5pm to book the table",
    ),
    "I want to write a blog post": (
        "the blog is live",
        "I wrote an email",
        "I read a blog post",
        "the intro of the blog post is done",
        "wrote the title of the blog post",
    ),
    "I want to add dark mode": (
        "dark mode works in the other app",
        "is dark mode done?",
        "dark mode is ready to be tested",
        "dark mode is done when the tests pass",
        "I tested dark mode",
    ),
    "I want to deploy the app": (
        "the app is built",
        "deployed the database",
        "the deploy failed",
        "the app is not deployed yet",
    ),
}


@pytest.mark.requirement("Q1")
@pytest.mark.usefixtures("any_reading")
@pytest.mark.parametrize("first", ORDINARY)
def test_an_ordinary_message_takes_nothing_back(first: str, clock: FrozenClock) -> None:
    for number, then in enumerate(ORDINARY[first]):
        with anaphora.open(":memory:", clock=clock) as memory:
            talked(memory, *([first, then] if number % 2 else [first, "> Okay.", then]))
            (told, *_) = (item for item in items_of(memory.state) if item.message_id == "m0")
            assert told.open, then


@pytest.mark.parametrize(
    "said",
    [
        ["Let's use Redis", "> Done. The cache runs on Redis.", "thanks, what is Kafka?"],
        ["Let's use Redis", "> Should I add Memcached?", "no"],
        ["Let's use Redis", "> Should I add Memcached?", "no, thanks"],
        ["Let's use Redis", "> Should I drop the old cache?", "yes, drop it"],
        ["Let's use Redis", "> Should I remove Memcached?", "yes, remove it"],
        ["Let's use Redis", "> Anything else?", "no, that's all"],
        ["Let's use Redis", "> Which port should it use?", "6380"],
        ["Let's use Redis", "> Which port should it use?", "use 6380"],
        ["Let's use Redis", "> The test failed.", "forget that test"],
        ["Keep it under 200 lines", "> Done, 180 lines.", "now add 30 lines of tests"],
        ["Keep it under 200 lines", "> Done, 180 lines.", "at least 3 tests please"],
    ],
)
def test_what_answers_a_reply_takes_nothing_back(any_reading: Memory, said: list[str]) -> None:
    talked(any_reading, *said)
    assert past(any_reading) == []
    assert standing(any_reading)


# --- what is said as one more --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "said",
    [
        "let's also use Postgres",
        "also, let's use Postgres",
        "Also use Postgres",
        "let's use Postgres too",
        "let's use Postgres, too.",
        "we'll use Postgres as well",
        "in addition, let's use Postgres",
        "and we should also use Postgres because we need JSON",
    ],
)
def test_what_is_decided_as_one_more_takes_the_place_of_nothing(any_reading: Memory, said: str) -> None:
    talked(any_reading, "Let's use MySQL", "> Okay.", said)
    assert standing(any_reading) == ["use MySQL", "also use Postgres"]


@pytest.mark.parametrize(
    ("said", "stands"),
    [
        ("no, SQLite", ["use MySQL", "also use SQLite instead of Postgres"]),
        ("let's use SQLite instead of Postgres", ["use MySQL", "use SQLite instead of Postgres"]),
        ("drop Postgres", ["use MySQL"]),
        ("let's not use Postgres", ["use MySQL", "don't use Postgres"]),
        ("forget that decision", ["use MySQL"]),
    ],
)
def test_what_was_decided_as_one_more_can_be_changed_like_any_other(
    any_reading: Memory, said: str, stands: list[str]
) -> None:
    talked(any_reading, "Let's use MySQL", "let's also use Postgres", said)
    assert standing(any_reading) == stands
    assert past(any_reading) == ["also use Postgres"]


@pytest.mark.parametrize(
    "said",
    [
        "let's use Postgres because it also knows JSON",
        "let's use Postgres which also knows JSON",
        "let's use Postgres. It also knows JSON.",
        "It also crashes, let's use Postgres",
        "MySQL is too slow, let's use Postgres",
        "let's use Postgres instead of the MySQL database",
    ],
)
def test_also_may_be_said_of_something_else(any_reading: Memory, said: str) -> None:
    talked(any_reading, "Let's use MySQL", said)
    assert past(any_reading) == ["use MySQL"]


def test_of_a_fact_that_is_said_as_one_more_the_other_stands(any_reading: Memory) -> None:
    talked(any_reading, "my manager is Ana", "my manager is also Omar")
    assert standing(any_reading) == ["my manager is Ana", "my manager is also Omar"]
