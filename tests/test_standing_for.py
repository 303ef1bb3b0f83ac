"""What a word that points can stand for, and what it cannot."""

from __future__ import annotations

import pytest

import anaphora
from anaphora.ports import Line
from anaphora.understanding.standing_for import done_to, is_no_thing, of_kind, the_text, to_be_made
from anaphora.understanding.wording import Stretch


def _stretch(line: Line, words: str) -> Stretch:
    start = line.text.index(words)
    return Stretch(0, (start, start + len(words)), words, 0.9)


@pytest.mark.parametrize(
    ("said", "words", "nothing"),
    [
        ("can you make the notes editable?", "editable", True),
        ("two pass, one fails", "pass", True),
        ("translate the poem", "translate", True),
        ("run", "run", False),  # all that was said
        ("the build is slow", "build", False),
        ("a pass for the train", "pass", False),
    ],
)
def test_a_quality_or_a_deed_is_no_thing(said: str, words: str, *, nothing: bool) -> None:
    line = Line(said, mine=True)
    assert is_no_thing(_stretch(line, words), [line]) is nothing


@pytest.mark.parametrize(
    ("mention", "said", "thing"),
    [
        ("that", "Raise MAX_CONTENT_LENGTH", "MAX_CONTENT_LENGTH"),
        ("it", "reload nginx.conf", "nginx.conf"),
        ("that", "Raise the limit", "Raise the limit"),  # what is to be done, as likely
        ("it", "bought a pan", "pan"),
    ],
)
def test_of_what_is_said_the_part_that_a_word_stands_for(mention: str, said: str, thing: str) -> None:
    assert of_kind(mention, Stretch(0, (0, len(said)), said, 0.9)).text == thing


@pytest.mark.parametrize(
    ("asked", "reply", "order", "thing"),
    [
        ("is an index useful here?", "Yes, on orders.customer_id.", "create it", "index"),
        ("how do I test that?", "Write a test that logs in as another user.", "ok, write it please", "test"),
        ("should I add a retry policy?", "Yes.", "then implement it", "retry policy"),
    ],
)
def test_what_is_to_be_made_is_what_was_not_there_yet(asked: str, reply: str, order: str, thing: str) -> None:
    found = to_be_made(order, [Line(asked, mine=True), Line(reply, mine=False)])
    assert found is not None
    assert found.text == thing


@pytest.mark.parametrize("order", ["delete it", "create it in red with a border", "what is it?", "create a view"])
def test_other_orders_mean_what_is_there(order: str) -> None:
    assert to_be_made(order, [Line("is an index useful here?", mine=True), Line("Yes.", mine=False)]) is None


@pytest.mark.requirement("K5")
@pytest.mark.parametrize(
    ("talk", "said", "meant"),
    [
        (("is an index useful for this query?", "> Yes, on orders.customer_id."), "create it", "create the index"),
        (("I visited Hiroshima", "> Nice."), "is it worth it?", "is Hiroshima worth it?"),
        (
            ("Write a short poem about autumn", "> Leaves fall."),
            "undo that",
            "undo that (write a short poem about autumn)",
        ),
    ],
)
def test_in_short_talk(talk: tuple[str, ...], said: str, meant: str) -> None:
    with anaphora.open(":memory:", reader="bundled") as memory:
        for text in talk:
            (memory.say(text[2:]) if text.startswith("> ") else memory.hear(text))
        assert memory.hear(said).expanded == meant


@pytest.mark.parametrize(
    ("reply", "asks", "thing"),
    [
        (
            "I refactored it. I also removed the `retry` helper.",
            "why did you remove it?",
            "the `retry` helper",
        ),
        ("I renamed `get` to `fetch` and moved `parse` to `utils.py`.", "why did you move it?", "`parse`"),
        ("I blocked public access and enabled versioning.", "why did you enable it?", "versioning"),
        ("I moved the form and moved the table.", "why did you move it?", None),  # either of them
        ("I added a test.", "run it", None),
        ("I made the form.", "why did you make it?", None),  # too common a word
    ],
)
def test_what_was_done_tells_to_what_it_was_done(reply: str, asks: str, thing: str | None) -> None:
    found = done_to(asks, asks.index("it", 5) if "it" in asks[5:] else asks.index("it"), [Line(reply, mine=False)])
    assert (None if found is None else found.text) == thing


@pytest.mark.parametrize(
    ("wrote", "added", "mention", "text"),
    [
        (
            "Write an invitation to my birthday party",
            "add a line about parking",
            "it",
            "invitation to my birthday party",
        ),
        ("please draft an e-mail to Jo", "now include a short note about the rent", "it", "e-mail to Jo"),
        ("Write an invitation to my party", "add a line about parking", "them", "parking"),
        ("Write an invitation to my party", "tell me about parking", "it", "parking"),
        ("What is a firm handshake?", "add a line about parking", "it", "parking"),
    ],
)
def test_what_is_written_stays_the_thing_when_a_part_is_added(wrote: str, added: str, mention: str, text: str) -> None:
    lines = [Line(wrote, mine=True), Line("Done.", mine=False), Line(added, mine=True)]
    start = added.rindex(added.split()[-1])
    one = Stretch(2, (start, len(added)), added[start:], 0.9)
    found = the_text(mention, one, lines).text
    assert found == (text if text != "parking" else added[start:])
