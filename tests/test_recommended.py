"""Who takes over what a reply recommends takes that, and neither all that he asked about nor its last word."""

from __future__ import annotations

import pytest

from anaphora import Memory
from anaphora.ports import Line
from anaphora.understanding.recommended import find_recommended
from tests.talk import later

WITH_READER = True


@pytest.mark.requirement("K5")
@pytest.mark.parametrize(
    ("asked", "reply", "taken", "named"),
    [
        ("JWT or sessions?", "JWT fits better because it is stateless", "go with that", "JWT"),
        ("JWT or sessions?", "Sessions are simpler, but JWT fits better here.", "ok, use that", "JWT"),
        ("JWT or sessions?", "JWT fits better because sessions need a store", "go with that", "JWT"),
        ("Postgres or MySQL?", "I'd recommend MySQL over Postgres.", "ok let's go with that", "MySQL"),
        ("Postgres or MySQL?", "Postgres.", "Great, let's use that then", "Postgres"),
        ("a modal or a drawer?", "A drawer makes more sense, a modal would block the page.", "use it", "a drawer"),
        ("export as PDF or HTML?", "PDF looks better, HTML is easier. I'd go with HTML.", "go with that", "HTML"),
        ("How should we cache?", "You could use Redis or Memcached. I'd go with Redis.", "go with it", "Redis"),
        ("React, Vue or Svelte?", "For a small team I'd pick Svelte.", "let's take that one", "Svelte"),
        ("Redux or plain context?", "Plain context is the better fit.", "go with your suggestion", "plain context"),
        ("Dell or the MacBook Air?", "The MacBook Air is best for travel.", "ok I'll take that", "the MacBook Air"),
    ],
)
def test_what_a_reply_recommends_is_what_is_taken(asked: str, reply: str, taken: str, named: str) -> None:
    (found,) = find_recommended(taken, [Line(asked, mine=True), Line(reply, mine=False)])
    assert found.wording == named
    assert taken[slice(*found.span)] == found.mention


def test_what_was_left_open_a_moment_ago_is_settled_by_the_last_reply() -> None:
    lines = [
        Line("the import is slow", mine=True),
        Line("You could stream it with csv.reader, or use polars.", mine=False),
        Line("which one is faster?", mine=True),
        Line("polars, about five times.", mine=False),
    ]
    assert [one.wording for one in find_recommended("ok go with that", lines)] == ["polars"]


@pytest.mark.parametrize(
    ("asked", "reply", "taken"),
    [
        ("Postgres or MySQL?", "It depends. Postgres is better for JSON, MySQL is better for reads.", "go with that"),
        ("tabs or spaces?", "Don't use tabs.", "use that"),
        ("JWT or sessions?", "JWT fits better", "what is that?"),
        ("JWT or sessions?", "JWT fits better", "use that to sign the tokens"),
        ("Write a parser", "Here it is.", "use that"),
    ],
)
def test_where_nothing_is_clearly_recommended_nothing_is_taken(asked: str, reply: str, taken: str) -> None:
    assert find_recommended(taken, [Line(asked, mine=True), Line(reply, mine=False)]) == ()


@pytest.mark.parametrize(
    ("asked", "reply", "decided"),
    [
        ("JWT or sessions?", "JWT fits better because it is stateless", ["go with JWT"]),
        (
            "Should we use Postgres or MySQL?",
            "I'd recommend Postgres, it has better JSON support.",
            ["go with Postgres"],
        ),
        ("JWT or sessions?", "Both are fine, it depends on your users.", []),
    ],
)
def test_it_is_decided_for_what_was_recommended(memory: Memory, asked: str, reply: str, decided: list[str]) -> None:
    memory.hear(asked, at=later(0))
    memory.say(reply, at=later(1))
    memory.hear("go with that", at=later(2))
    assert [decision.text for decision in memory.state.decisions] == decided
