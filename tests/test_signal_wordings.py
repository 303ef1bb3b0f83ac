"""What people decide, demand, tell and wish in other words than the plainest, and what only sounds like it."""

from __future__ import annotations

import pytest

import anaphora
from anaphora.understanding.failures import find_error
from anaphora.understanding.signals import find_signals
from tests.talk import past, standing, talked

SAID = {
    "decision": [
        ("Let's cache the results in redis because it is slow", "cache the results in redis"),
        ("Let's put the settings in a YAML file", "put the settings in a YAML file"),
        ("Let's do the migration on Sunday", "do the migration on Sunday"),
        ("We'll deploy to Fly.io", "deploy to Fly.io"),
        ("We will store dates in UTC", "store dates in UTC"),
        ("Instead of Redis let's use Memcached", "use Memcached instead of Redis"),
        ("Instead of Redis, let's use Memcached", "use Memcached instead of Redis"),
        ("I'll take the second option", "take the second option"),
        ("Drop support for Python 3.9", "drop support for Python 3.9"),
        ("Stop supporting Internet Explorer", "stop supporting Internet Explorer"),
    ],
    "constraint": [
        ("All functions must have docstrings", "All functions must have docstrings"),
        ("Every endpoint requires auth", "Every endpoint requires auth"),
        ("Each table should have a primary key", "Each table should have a primary key"),
        ("We're not allowed to use GPL code", "We're not allowed to use GPL code"),
        ("Make sure no personal data leaves the server", "no personal data leaves the server"),
        ("Make sure the worker never blocks", "the worker never blocks"),
        ("The parser shouldn't mutate its input", "The parser shouldn't mutate its input"),
        ("Stay under 50 euros", "Stay under 50 euros"),
        ("No passwords in logs", "No passwords in logs"),
    ],
    "fact": [
        ("Our backend is in Go", "Our backend is in Go"),
        ("Our mobile app is written in Kotlin", "Our mobile app is written in Kotlin"),
        ("The server runs Debian 12", "The server runs Debian 12"),
        ("I use a Mac", "I use a Mac"),
        ("I'm 34", "I'm 34"),
        ("I study physics at ETH", "I study physics at ETH"),
        ("I teach biology at the grammar school", "I teach biology at the grammar school"),
        ("We moved to Berlin", "We moved to Berlin"),
        ("My sister moved to Bergen", "My sister moved to Bergen"),
        ("I turned 35 today", "I turned 35 today"),
        ("We got divorced", "We got divorced"),
        ("Mia and I broke up", "Mia and I broke up"),
        ("We have a daughter, Mila, who just turned six", "We have a daughter, Mila, who just turned six"),
        ("Emil can't eat fish, he's allergic", "Emil can't eat fish"),
        ("Emil is allergic to fish", "Emil is allergic to fish"),
    ],
    "preference": [
        ("Answer briefly", "Answer briefly"),
        ("Please keep your answers short", "keep your answers short"),
        ("Explain things simply to me", "Explain things simply to me"),
        ("Reply in German", "Reply in German"),
    ],
    "goal": [
        ("Help me plan a wedding", "plan a wedding"),
    ],
}

# Each is near to one of the above, and says nothing that holds beyond itself.
NOT_SAID = """
Let's see in the logs what happened
Let's put it there
Let's do it
Let's run the tests
We'll see on Monday
We will have a look at the code
Instead of the table it shows an error
Instead of crying
I'll take a look
I'll take the dog out
Drop the table users
All I have is a list
Every time I must restart it
All you need is love
Each of them works
No one must know, he said
The function requires two arguments
We're not sure
Make sure it works
Make sure you have pip installed
It shouldn't fail
That shouldn't happen
The test shouldn't fail
Stay tuned
Stay with me
No errors in the logs
No changes in the code
No idea in the code
Our backend is in trouble
The server runs out of memory
The server runs slowly
I use a loop
I use a laptop stand
I'm 100% sure
I'm 34 lines in
I study the docs
I teach myself
We moved to Kubernetes
We moved to Notion
We moved to Stripe for payments
We moved to the next step
I turned 3 lines into one
I turned it off
My function turned red
My sister function moved to utils
We have a child process
We have a cat command
Emil can't log in
It can't eat more memory
Answer the question
Answer briefly what a monad is
Explain generics briefly
Keep the answers in a list
Reply in a moment
I'm trying to parse a CSV file
I'm trying to understand this
I'm trying to run this code
Help me
Help me with this
Help me design the function
Write a function that must return a list
Create a class which must have two methods
I want to print it
I want to try it out
I need to fix this
""".strip().splitlines()

CARRIED = ("action", "completion", "withdrawal", "error")  # of which this page says nothing


@pytest.mark.parametrize(
    ("kind", "text", "kept"), [(kind, text, kept) for kind, said in SAID.items() for text, kept in said]
)
def test_it_is_known_in_other_words_too(kind: str, text: str, kept: str) -> None:
    assert [(signal.kind, signal.text.lower()) for signal in find_signals(text)] == [(kind, kept.lower())]


@pytest.mark.parametrize("text", NOT_SAID)
def test_what_only_sounds_like_it_is_not_kept(text: str) -> None:
    assert [signal for signal in find_signals(text) if signal.kind not in CARRIED] == []


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("My boss is Marta", "My boss is Paul since Monday"),
        ("My favorite color is blue", "My favourite colour is green these days"),
        ("I use VS Code", "I switched to Neovim"),
        ("I live in Oslo", "We moved to Berlin"),
        ("My sister lives in Oslo", "My sister moved to Bergen"),
        ("I'm 34", "I turned 35 today"),
        ("I'm married", "We got divorced"),
        ("My girlfriend is Mia", "Mia and I broke up"),
        ("My girlfriend is Mia", "I broke up with Mia last week"),
        ("My girlfriend is called Mia", "My girlfriend and I broke up"),
    ],
)
def test_a_newer_fact_in_other_words_leaves_the_older_one_past(memory: anaphora.Memory, older: str, newer: str) -> None:
    talked(memory, older, newer)
    assert len(standing(memory)) == len(past(memory)) == 1
    assert past(memory)[0].lower().endswith(older.lower().removeprefix("my favorite"))


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("My sister is called Mia", "Mia and I broke up"),
        ("My girlfriend is Ida", "Mia and I broke up"),
        ("I live in Oslo", "My sister moved to Bergen"),
        ("I live in Oslo", "We moved to Notion"),
        ("I teach biology at the grammar school", "I teach physics at the university"),
        ("I use VS Code", "I switched to zsh"),
    ],
)
def test_a_fact_of_something_else_leaves_it_standing(memory: anaphora.Memory, older: str, newer: str) -> None:
    talked(memory, older, newer)
    assert older in standing(memory)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("test_sum failed\n>       assert add(1, 2) == 4\nE       assert 3 == 4", "E assert 3 == 4"),
        ("E  assert 3 == 4", "E assert 3 == 4"),
        ("make: *** No rule to make target 'x'", "make: *** No rule to make target 'x'"),
        ("gcc -c a.c\nmake[1]: *** [all] Error 2", "make[1]: *** [all] Error 2"),
        ("assert add(1, 2) == 3", ""),
        ("E = mc2, we assert", ""),
        ("make the button *** bold ***", ""),
        ("use make: it is simple", ""),
    ],
)
def test_the_line_of_a_failed_assertion_or_of_make_is_an_error(text: str, error: str) -> None:
    assert find_error(text) == error
