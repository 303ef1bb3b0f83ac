"""What is taken over reads as a part of the sentence that it is put into, or stands in brackets where it belongs."""

from __future__ import annotations

import re

import pytest

from anaphora.ports import Gap, Judgement, Line, Pointed
from anaphora.understanding.learned import ABOUT, FILLING
from anaphora.understanding.phrases import as_order
from anaphora.understanding.rewriting import filled, written_out

_INTENTS = dict.fromkeys(("PLAN", "EXECUTE", "CORRECT", "TEST", "ASK", "RESUME", "CLOSE"), 0.1)


def _meant(text: str, mention: str, earlier: str, pointed: str, link: str = "") -> str:
    """The text with what a reader points to in it in the place of the mention, or at its end."""
    start = text.index(mention) if mention else len(text.rstrip("?.!"))
    first = earlier.index(pointed)
    words = tuple(Pointed(0, (first + m.start(), first + m.end()), 0.9) for m in re.finditer(r"[\w.-]+", pointed))
    gap = Gap((start, start + len(mention)), 0.95, link, words)
    judged = Judgement(new=0.1, needs=0.95, intents=_INTENTS, gaps=(gap,), entities=())
    return written_out(text, filled(text, judged, [Line(earlier, mine=False)], FILLING, ABOUT))


@pytest.mark.parametrize(
    ("said", "order"),
    [
        ("Wrap it in a query", "wrap it in a query"),
        ("Changing the band", "change the band"),
        ("lazy-load images", "lazy-load images"),
        ("re-renders if the state lives in App", None),
        ("Revert adds a new commit", None),
        ("Test has failed", None),
        ("the reverse proxy", None),
        ("", None),
    ],
)
def test_what_is_done_is_told_as_an_order(said: str, order: str | None) -> None:
    assert as_order(said) == order


@pytest.mark.parametrize(
    ("earlier", "pointed", "meant"),
    [
        ("Changing the band costs nothing.", "Changing the band", "how do I change the band?"),
        ("Put a reverse proxy in front.", "reverse proxy", "how do I do that?"),  # that is no deed
        ("The page re-renders often.", "re-renders often", "how do I do that?"),
        ("Revert adds a new commit.", "Revert adds a new commit", "how do I do that?"),
    ],
)
def test_only_what_is_done_takes_the_place_of_do_that(earlier: str, pointed: str, meant: str) -> None:
    assert _meant("how do I do that?", "do that", earlier, pointed) == meant


@pytest.mark.parametrize(
    ("text", "mention", "earlier", "pointed", "link", "meant"),
    [
        ("which one?", "one", "Put a reverse proxy there.", "reverse proxy", "", "which reverse proxy?"),
        ("which one?", "one", "Take a tent or a cabin.", "tent or a cabin", "", "which of the tent or a cabin?"),
        ("what kind?", "", "Then a plain cake.", "plain cake", "of", "what kind of plain cake?"),
        ("what size?", "", "Then a plain cake.", "plain cake", "of", "what size of the plain cake?"),
        ("in the same style", "", "Here is a short poem.", "short poem", "of", "in the same style as the short poem"),
        ("in a new style", "", "Here is a short poem.", "short poem", "of", "in a new style of the short poem"),
        (
            "rename that",
            "that",
            "Downcast the columns.",
            "Downcast the columns",
            "",
            "rename that (Downcast the columns)",
        ),
        ("why not attrs?", "", "Use a dataclass.", "dataclass", "in", "why not attrs (the dataclass)?"),
        (
            "same there",
            "same there",
            "The staging server has one.",
            "staging server",
            "",
            "same there (the staging server)",
        ),
        ("something shorter", "something", "Here is a poem.", "poem", "", "something shorter (the poem)"),
    ],
)
def test_it_reads_as_a_part_of_the_sentence(
    text: str, mention: str, earlier: str, pointed: str, link: str, meant: str
) -> None:
    assert _meant(text, mention, earlier, pointed, link) == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("now add comments", "now add comments"),
        ("rename the button", "rename the button"),
        ("nice colours", "nice colours (the posts table is in SQLite)"),  # no order
        ("and for users", "and for users (the posts table is in SQLite)"),
    ],
)
def test_no_sentence_stands_beside_an_order_with_an_object_of_its_own(text: str, meant: str) -> None:
    assert _meant(text, "", "Done, the posts table is in SQLite.", "the posts table is in SQLite") == meant


@pytest.mark.parametrize(
    ("text", "mention", "earlier", "pointed", "meant"),
    [
        ("how long does it take?", "it", "Rice or naan on the side.", "Rice or naan", "how long does it take?"),
        ("freeze it", "it", "You can make soup ahead.", "ahead", "freeze it"),
        ("freeze it", "it", "You can make soup.", "soup", "freeze soup"),
        ("what else?", "", "Take 300 g and two cans.", "g and two cans", "what else (300 g and two cans)?"),
        ("what else?", "", "Take 300 cans.", "cans", "what else (cans)?"),
    ],
)
def test_it_is_one_thing_and_a_measure_has_its_number(
    text: str, mention: str, earlier: str, pointed: str, meant: str
) -> None:
    assert _meant(text, mention, earlier, pointed) == meant


@pytest.mark.parametrize(
    ("text", "mention", "pointed", "meant"),
    [
        ("the curry sounds good", "", "a stew, or a salad", "the curry sounds good"),
        ("how hot is the curry?", "the curry", "A curry, a stew, or a salad", "how hot is the curry?"),
        ("which is best?", "", "A curry, a stew, or a salad", "which is best (the curry, a stew, or a salad)?"),
    ],
)
def test_where_one_of_several_is_named_the_others_are_not_meant(
    text: str, mention: str, pointed: str, meant: str
) -> None:
    assert _meant(text, mention, "A curry, a stew, or a salad.", pointed) == meant


def test_a_verb_that_someone_is_told_points_to_nothing() -> None:
    assert _meant("apply", "apply", "The value is 128Mi.", "128Mi") == "apply (128Mi)"


def test_what_stands_in_brackets_is_not_put_behind_a_word_of_praise() -> None:
    words = (Pointed(0, (8, 12), 0.9),)
    gap = Gap((7, 7), 0.95, "", words)
    judged = Judgement(new=0.1, needs=0.95, intents=_INTENTS, gaps=(gap,), entities=())
    found = filled("perfect. and rain?", judged, [Line("Bring a tent.", mine=False)], FILLING, ABOUT)
    assert written_out("perfect. and rain?", found) == "perfect. and rain (the tent)?"
