"""Words that point into a list find the item they mean, and words that only look like it are left alone."""

from __future__ import annotations

import pytest

from anaphora.ports import Line
from anaphora.understanding.choices import find_choices, fitted
from tests.followups_form import said

NAMES = ">1. Bean There\n2. Grounds Control\n3. The Daily Drip"
STORES = ">You have a few options:\n\n1. **Redis**: fast, in memory\n2. **Postgres**: already there\n3. **S3** - cheap"
BULLETS = ">Ideas:\n- Walk the old harbour\n- Take the tram to Sintra\n- Eat at the market"
CITIES = ">You could fly to Lisbon, Porto or Faro."
PAIR = "compare Vim and Emacs"
STEPS = ">1. Book an appointment\n2. Get a biometric photo\n3. Pay the fee"
LETTERS = ">A) rent a van\nB) hire movers\nC) ask friends"
INLINE = ">You could 1) cache the query, 2) add an index on created_at, or 3) move it to a worker."
FILES = ">These have none: `a.py`, `b.py`, `c.py`, `d.py`."

Case = tuple[tuple[str, ...], str, tuple[tuple[str, str], ...]]

ORDINAL: tuple[Case, ...] = (
    ((NAMES,), "I like the second one", (("the second one", "Grounds Control"),)),
    ((NAMES,), "The Third is nice", (("The Third", "The Daily Drip"),)),
    ((NAMES,), "who would like the 1st option?", (("the 1st option", "Bean There"),)),
    ((NAMES,), "shorten the last one", (("the last one", "The Daily Drip"),)),
    ((NAMES,), "shorten the second to last", (("the second to last", "Grounds Control"),)),
    ((NAMES,), "the middle one please", (("the middle one", "Grounds Control"),)),
    ((NAMES,), "second one, but in French", (("second one", "Grounds Control"),)),
    ((NAMES,), "third please", (("third", "The Daily Drip"),)),
    ((NAMES,), "the first of those is taken", (("the first of those", "Bean There"),)),
    ((NAMES,), "the first and third ones are taken", (("the first and third ones", "Bean There and The Daily Drip"),)),
    ((STORES,), "why is the third option cheap?", (("the third option", "S3"),)),
    ((STORES,), "does the first one lose data?", (("the first one", "Redis"),)),
    ((BULLETS,), "how long does the second idea take?", (("the second idea", "Take the tram to Sintra"),)),
    ((CITIES,), "is the last one warm in May?", (("the last one", "Faro"),)),
    ((CITIES,), "hotels in the first", (("the first", "Lisbon"),)),
    ((FILES,), "fix the fourth one", (("the fourth one", "`d.py`"),)),
    (
        ("Name three films by Kurosawa", ">Ran, Ikiru and Dodes'ka-den."),
        "plot of the second film",
        (("the second film", "Ikiru"),),
    ),
    (
        (">There are two candidates: Nadia Rahman and Joel Petit.",),
        "call the second candidate",
        (("the second candidate", "Joel Petit"),),
    ),
    (
        (NAMES, "are they taken?", ">I can't look that up."),
        "I'd keep the second one",
        (("the second one", "Grounds Control"),),
    ),
    (
        (">First, preheat the oven. Second, whisk the eggs.",),
        "how long is the second step?",
        (("the second step", "whisk the eggs"),),
    ),
    (
        (">Try oats with berries, or a chickpea omelette with tomatoes.",),
        "recipe for the second one",
        (("the second one", "a chickpea omelette with tomatoes"),),
    ),
    (
        (">Three: Hotel Lark, 4 stars; The Beacon, 2 stars; and Margate, 5 stars.",),
        "book the second one",
        (("the second one", "The Beacon"),),
    ),
)
LABEL: tuple[Case, ...] = (
    ((NAMES,), "more like number 2", (("number 2", "Grounds Control"),)),
    ((NAMES,), "take #3", (("#3", "The Daily Drip"),)),
    ((NAMES,), "numbers 1 and 3 are taken", (("numbers 1 and 3", "Bean There and The Daily Drip"),)),
    ((NAMES,), "2", (("2", "Grounds Control"),)),
    ((LETTERS,), "let's go with option B", (("option B", "hire movers"),)),
    ((LETTERS,), "B please", (("B", "hire movers"),)),
    ((LETTERS,), "what does option 3 cost?", (("option 3", "ask friends"),)),
    ((">Option A: a view. Option B: a summary table.",), "option b then", (("option b", "a summary table"),)),
    ((STEPS,), "where can I do step two on a sunday?", (("step two", "Get a biometric photo"),)),
    ((INLINE,), "do number 2", (("number 2", "add an index on created_at"),)),
    ((">We could (a) wait, (b) retry twice.",), "option a", (("option a", "wait"),)),
    ((">### Step 1: Install\ntext\n### Step 2: Configure\ntext",), "step 2 fails", (("step 2", "Configure"),)),
)
SEVERAL: tuple[Case, ...] = (
    ((NAMES,), "drop the first two", (("the first two", "Bean There and Grounds Control"),)),
    ((NAMES,), "drop the last two options", (("the last two options", "Grounds Control and The Daily Drip"),)),
    ((NAMES,), "translate all three", (("all three", "Bean There, Grounds Control and The Daily Drip"),)),
    ((PAIR,), "can I use both?", (("both", "Vim and Emacs"),)),
    ((PAIR,), "install both of them", (("both of them", "Vim and Emacs"),)),
    ((FILES,), "delete the first three", (("the first three", "`a.py`, `b.py` and `c.py`"),)),
)
PAIRS: tuple[Case, ...] = (
    ((PAIR, ">They differ in modes."), "does the latter have modes?", (("the latter", "Emacs"),)),
    ((PAIR,), "is the former harder?", (("the former", "Vim"),)),
    (("is gp2 or gp3 cheaper?",), "what does the latter cost?", (("the latter", "gp3"),)),
    (("I'm torn between Lisbon and Porto for May",), "is the former crowded?", (("the former", "Lisbon"),)),
    (("compare quicksort with heapsort",), "memory of the second?", (("the second", "heapsort"),)),
    (("I have two cats, Miso and Tofu. Miso sleeps.",), "the other one scratches", (("the other one", "Tofu"),)),
    ((PAIR, ">Vim starts faster."), "and the other one?", (("the other one", "Emacs"),)),
    ((PAIR,), "the first is fine, remove the other one", (("the first", "Vim"), ("the other one", "Emacs"))),
)
NONE: tuple[tuple[tuple[str, ...], str], ...] = (
    ((NAMES,), "the first time I saw it"),
    ((NAMES,), "at first I liked it"),
    ((NAMES,), "what did we do last week?"),
    ((NAMES,), "drop the last column"),
    ((NAMES,), "remove the first digit"),
    ((NAMES,), "show the last 100 rows"),
    ((NAMES,), "first, install the package"),
    ((NAMES,), "the second argument is wrong"),
    ((NAMES,), "ask for the last name"),
    ((NAMES,), "wait one second"),
    ((NAMES,), "300 km per second"),
    ((NAMES,), "go back to conversation #2"),
    ((NAMES,), "fix issue #2"),
    ((NAMES,), "add a second one"),
    ((NAMES,), "the fourth one"),
    ((NAMES,), "number 9"),
    ((NAMES,), "option D"),
    ((NAMES,), "does the 2nd suit you?"),
    ((NAMES,), "the first of May works"),
    ((NAMES,), "the second film is better"),
    ((NAMES,), "your first answer doesn't work"),
    ((NAMES,), "print `the second one`"),
    ((NAMES,), 'he said "the second one"'),
    ((NAMES,), "they are both red"),
    ((NAMES,), "both of them"),
    ((NAMES,), "the former"),
    ((NAMES,), "the other one"),
    ((NAMES,), "merge two tables and keep the first"),
    ((NAMES,), "I want the number 2 in the title"),
    ((PAIR,), "support both Linux and Windows"),
    ((PAIR,), "the other one"),
    ((PAIR, ">Vim and Emacs differ."), "the other one"),
    ((PAIR,), "the former president spoke"),
    ((">Hello there.",), "the second one"),
    ((">The ride takes between 20 and 30 minutes.",), "the second one"),
    ((">It needs Python 3.4 or newer.",), "the second works"),
    ((">Pros:\n- fast\n- small\n\nCons:\n- young\n- odd",), "the second one"),
    ((">```\n1. one\n2. two\n```",), "the second one"),
    ((), "the second one"),
    ((NAMES,), "the second one " + "and so on " * 300),
)


def _lines(before: tuple[str, ...]) -> list[Line]:
    return [Line(text, role == "user") for role, text in said(*before)]


@pytest.mark.requirement("K5")
@pytest.mark.parametrize(("before", "message", "wanted"), [*ORDINAL, *LABEL, *SEVERAL, *PAIRS])
def test_a_mention_finds_its_items(before: tuple[str, ...], message: str, wanted: tuple[tuple[str, str], ...]) -> None:
    assert tuple((found.mention, found.wording) for found in find_choices(message, _lines(before))) == wanted


@pytest.mark.parametrize(("before", "message"), NONE)
def test_what_points_into_no_list_is_left_alone(before: tuple[str, ...], message: str) -> None:
    assert find_choices(message, _lines(before)) == ()


@pytest.mark.parametrize(("before", "message", "wanted"), [*ORDINAL, *LABEL, *SEVERAL, *PAIRS])
def test_places_hold_the_words_they_are_said_to_hold(
    before: tuple[str, ...], message: str, wanted: tuple[tuple[str, str], ...]
) -> None:
    lines = _lines(before)
    for found in find_choices(message, lines):
        assert message[slice(*found.span)] == found.mention
        assert all(lines[number].text[slice(*place)] in found.wording for number, place in found.referents)


def test_the_reason_says_which_of_how_many_and_where() -> None:
    (found,) = find_choices("I like the second one", _lines((NAMES,)))
    assert found.why == "the second of three in the reply just before"
    (found,) = find_choices("does the latter have modes?", _lines((PAIR, ">They differ.")))
    assert found.why == "the second of two in your message 2 messages before"


def test_a_long_item_is_cut_at_its_first_clause() -> None:
    item = "Move the nightly job to a separate queue, because the workers are busy then and nobody waits for its result"
    (found,) = find_choices("do the first one", _lines((f">1. {item}\n2. Wait",)))
    assert found.wording == "Move the nightly job to a separate queue"


def test_a_list_more_than_six_lines_back_is_out_of_reach() -> None:
    between = ("ok", ">Fine.") * 3
    assert find_choices("the second one", _lines((NAMES, *between[:5])))
    assert find_choices("the second one", _lines((NAMES, *between))) == ()


@pytest.mark.parametrize(
    ("message", "mention", "item", "meant"),
    [
        ("how do I open the first one?", "the first one", "The settings page", "how do I open the settings page?"),
        ("where is the first one?", "the first one", "The Blue Lagoon", "where is The Blue Lagoon?"),
        ("The first one is slow.", "The first one", "The settings page", "The settings page is slow."),
        ("please do the second", "the second", "Rename the branch", "please rename the branch"),
        ("what about doing the second?", "the second", "Rename the branch", "what about renaming the branch?"),
        (
            "a hint for the last",
            "the last",
            "Split each line at its tabs",
            "a hint for splitting each line at its tabs",
        ),
        ("run the third", "the third", "Test suite of the parser", "run Test suite of the parser"),
        ("use the latter", "the latter", "`zip`", "use `zip`"),
        ("expand on the first", "the first", "Trust replaces it", 'expand on "Trust replaces it"'),
        ("make the first easier", "the first", "Under the oldest tree", 'make "Under the oldest tree" easier'),
        ("and the last?", "the last", "No entiendo", 'and "No entiendo"?'),
    ],
)
def test_an_item_reads_as_a_part_of_the_sentence_it_is_put_in(
    message: str, mention: str, item: str, meant: str
) -> None:
    at = message.index(mention)
    (start, end), wording = fitted(message, (at, at + len(mention)), (item,))
    assert message[:start] + wording + message[end:] == meant


@pytest.mark.parametrize("message", ["use the latter to sort them", "I want the latter to run first"])
def test_the_latter_is_one_of_two_whatever_follows_it(message: str) -> None:
    (found,) = find_choices(message, _lines(("is heapq or bisect faster?", ">It depends on the data.")))
    assert found.wording == "bisect"


@pytest.mark.parametrize(
    ("before", "message", "named"),
    [
        (">1. Bean There\n2. Grounds Control", "which of these is shorter?", "Bean There and Grounds Control"),
        (">- `parse` reads the file\n- `emit` prints a tree", "which one of those is slow?", "`parse` and `emit`"),
        (">Three: Hotel Lark, 4 stars; The Beacon, 2 stars; and Margate, 5 stars.", "which of them have a garden?",
         "Hotel Lark, The Beacon and Margate"),
    ],
)  # fmt: skip
def test_which_of_these_names_all_of_a_short_list(before: str, message: str, named: str) -> None:
    (found,) = find_choices(message, _lines((before,)))
    assert found.wording == named
    assert found.mention in ("these", "those", "them")


@pytest.mark.parametrize(
    ("before", "message"),
    [
        (">1. Bean There\n2. Grounds Control", "which of these names is shorter?"),
        (
            ">1. Buy a ticket at the machine in the hall\n2. Wait for the train that leaves at nine",
            "which of these is new?",
        ),
        (">a\n- one\n- two\n- three\n- four\n- five\n- six", "which of them is best?"),
        (">I have no list.", "which of these is best?"),
    ],
)
def test_which_of_these_is_left_alone_where_a_list_is_long_or_named(before: str, message: str) -> None:
    assert find_choices(message, _lines((before,))) == ()


@pytest.mark.parametrize(
    ("before", "message", "named"),
    [
        ((CITIES, "how old is Lisbon?", ">About 3,000 years."), "and the second one?", "Porto"),
        ((CITIES, "when was the bridge built?", ">In 1966."), "I'll take the first one then", "Lisbon"),
        ((CITIES, "is Faro warm?", ">Yes."), "what does the last one cost?", "Faro"),
    ],
)
def test_a_list_in_a_sentence_is_found_behind_another_question(
    before: tuple[str, ...], message: str, named: str
) -> None:
    assert [choice.wording for choice in find_choices(message, _lines(before))] == [named]


@pytest.mark.parametrize(
    ("before", "message"),
    [
        (("how old is Lisbon?", ">Very old."), "and the second one?"),
        (("when was it built?", ">In 1966."), "I'll take the first one then"),
        ((">Fly to Lisbon or Porto.", "how old is Lisbon?", ">Very old."), "and the second one?"),
        ((CITIES, "a", ">b", "c", ">d"), "and the second one?"),
    ],
)
def test_where_there_is_no_list_near_nothing_is_chosen(before: tuple[str, ...], message: str) -> None:
    assert find_choices(message, _lines(before)) == ()
