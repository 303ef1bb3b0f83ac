"""Sessions whose decisions, open goals and constraints are known, between talk that holds none: for summaries."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["BY_HAND", "TALK", "Planted", "Session", "sessions"]


@dataclass(frozen=True, slots=True)
class Planted:
    """What is said, and the words of it that a summary must hold."""

    said: str
    holds: str


@dataclass(frozen=True, slots=True)
class Session:
    """Messages in order, those that begin with ">" being replies, and what of them a summary must tell."""

    name: str
    messages: tuple[str, ...]
    planted: tuple[Planted, ...]


_DECISIONS = (
    ("Let's use RS256 because keys rotate", "RS256"),
    ("We decided to go with Postgres for storage", "Postgres for storage"),
    ("Let's not use jQuery", "jQuery"),
    ("We'll go with option B for the rollout", "option B for the rollout"),
    ("Let's keep the sessions in Redis since lookups are fast there", "the sessions in Redis"),
    ("I decided to drop support for Python 3.9", "drop support for Python 3.9"),
    ("We settled on GraphQL for the mobile app", "GraphQL for the mobile app"),
    ("Let's ship the importer behind a feature flag", "the importer behind a feature flag"),
    ("We agreed to use tabs in the Makefile", "tabs in the Makefile"),
    ("Let's go with Celery for the nightly jobs", "Celery for the nightly jobs"),
    ("We'll use Terraform for the staging cluster", "Terraform for the staging cluster"),
    ("Let's store amounts in cents because floats round", "amounts in cents"),
    ("I've decided to write the parser by hand", "write the parser by hand"),
    ("We chose Vue for the dashboard", "Vue for the dashboard"),
)
_GOALS = (
    ("I want to add a FAB button to the start page", "FAB button to the start page"),
    ("We need to implement JWT authentication with refresh tokens", "JWT authentication with refresh tokens"),
    ("My goal is to ship the beta by Friday", "ship the beta by Friday"),
    ("I need to fix the flaky login test", "fix the flaky login test"),
    ("I want to migrate the billing tables to the new cluster", "migrate the billing tables"),
    ("We need to cut the start-up time in half", "cut the start-up time in half"),
    ("I'd like to document the public API of the exporter", "document the public API of the exporter"),
    ("I want to replace the cron jobs with a queue", "replace the cron jobs with a queue"),
    ("We need to support right-to-left languages", "right-to-left languages"),
    ("I need to write a runbook for the on-call team", "a runbook for the on-call team"),
    ("I want to plan a week in Lisbon with my sister", "a week in Lisbon"),
    ("I need to find a birthday present for Tom", "a birthday present for Tom"),
)
_CONSTRAINTS = (
    ("The token TTL must be exactly 1 hour", "token TTL must be exactly 1 hour"),
    ("Never store passwords in plain text", "passwords in plain text"),
    ("Don't touch the legacy module", "the legacy module"),
    ("Everything has to run offline", "run offline"),
    ("Responses must arrive within 200 ms", "within 200 ms"),
    ("The hotel must not cost more than 120 euros a night", "more than 120 euros a night"),
    ("No file may be longer than 500 lines", "longer than 500 lines"),
    ("The export must stay readable by the old version", "readable by the old version"),
    ("We can't use GPL libraries", "GPL libraries"),
    ("All dates must be in UTC", "dates must be in UTC"),
    ("The page has to work without JavaScript", "work without JavaScript"),
    ("Never log the customer's address", "the customer's address"),
)
PLANTED = tuple(Planted(*pair) for pair in (*_DECISIONS, *_GOALS, *_CONSTRAINTS))

TALK = (
    "What does this error mean?",
    "How does the garbage collector decide when to run?",
    "Show me the second file again",
    "Why is the list empty here?",
    "Could you explain the difference between a process and a thread?",
    "That looks better",
    "Hm, it is still red",
    "What is the weather like in October there?",
    "Which of these is faster?",
    "Thanks, and how is it called in French?",
    "Can you give me an example with numbers?",
    "The second test fails with a timeout",
    "Is there a way to see the old value?",
    "Who wrote this function?",
    "Interesting. And on Windows?",
    "Run the tests again please",
    "What would you recommend?",
    "Where is that configured?",
)
_REPLIES = ("Here is how it works.", "It depends on the size of the input.", "Yes, that is possible.", "See the log.")


def _session(name: str, *turns: str | Planted) -> Session:
    texts = tuple(turn.said if isinstance(turn, Planted) else turn for turn in turns)
    return Session(name, texts, tuple(turn for turn in turns if isinstance(turn, Planted)))


BY_HAND = (
    _session(
        "tokens",
        Planted("Let's implement JWT auth for the admin area", "JWT auth for the admin area"),
        ">I can help with that. Which algorithm?",
        Planted("Use RS256", "RS256"),
        ">Fine. And how long should a token live?",
        Planted("A token must not live longer than an hour", "live longer than an hour"),
        "What about refresh tokens?",
        ">They are usually kept for two weeks.",
        Planted("OK, let's do refresh tokens for two weeks", "refresh tokens for two weeks"),
        "Show me validate_token in auth/jwt.py",
        Planted("Next I need to write the rotation script", "write the rotation script"),
    ),
    _session(
        "journey",
        "Hi!",
        ">Hello, what can I do for you?",
        Planted("I want to visit my aunt in Porto in May", "visit my aunt in Porto in May"),
        Planted("We can't fly, my son gets sick", "fly"),
        "How long does the train take from Paris?",
        ">About 20 hours with two changes.",
        Planted("Let's take the night train via Irun", "the night train via Irun"),
        "Which side has the view?",
    ),
    _session(
        "report",
        "The numbers of the report look wrong",
        ">Which ones?",
        "Revenue of March is counted twice in report.py",
        Planted("We need to fix the double counting before Monday", "fix the double counting before Monday"),
        Planted("Don't change the schema, finance reads it directly", "change the schema"),
        ">Then a DISTINCT in the query would do.",
        Planted("Good, we'll go with DISTINCT for now", "DISTINCT"),
        "Does it get slower?",
        ">A little, by some 5 %.",
    ),
    _session(
        "dark mode",
        Planted("I want to add dark mode to the settings page", "dark mode to the settings page"),
        "Where do the colours live?",
        ">In theme.css.",
        Planted("Let's use CSS variables because they can be switched at runtime", "CSS variables"),
        Planted("It must follow the system's preference by default", "follow the system's preference"),
        "Put the toggle in the header",
        "Make it purple",
        ">Done: it is purple now.",
    ),
)


def sessions(talk: Sequence[str] = TALK, *, number: int = 24, longest: int = 500) -> list[Session]:
    """So many sessions, the same every time: from a dozen messages to the longest, with up to 20 things to tell."""
    made = list(BY_HAND[:number])
    for n in range(number - len(made)):
        chance = random.Random(n)
        length = max(12, longest * (n + 1) // max(1, number - len(BY_HAND)))
        planted = chance.sample(PLANTED, min(len(PLANTED), 3 + n % 18))
        places = set(chance.sample(range(length), len(planted)))
        waiting = iter(planted)
        messages = []
        for place in range(length):
            if place in places:
                messages.append(next(waiting).said)
            elif place % 2:
                messages.append(">" + chance.choice(_REPLIES))
            else:
                messages.append(chance.choice(talk))
        made.append(Session(f"{length} messages", tuple(messages), tuple(planted)))
    return made
