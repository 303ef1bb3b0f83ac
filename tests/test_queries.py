"""What a query asks for: its kind, whose words, which time; and how a text is cut into pieces."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.memory.asking import as_told, asked_for, assistant_in, named_in, tellers_in
from anaphora.memory.passages import LONGEST, MOST, pieces_of
from anaphora.memory.periods import periods_in
from anaphora.memory.terms import is_slip, stem, terms_of

NOW = datetime(2025, 11, 3, 14, 20, tzinfo=UTC)  # a Monday


# --- kinds --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("What did we decide about the login?", "recall"),
        ("Do you remember my sister's name?", "recall"),
        ("Summarize what we discussed last week", "recall"),
        ("Which port did I choose?", "recall"),
        ("How did she feel about the move?", "emotional"),
        ("I'm so worried about the exam", "emotional"),
        ("What makes him happy?", "emotional"),
        ("What is the port of the gateway?", "question"),
        ("Where does Pavel live now?", "question"),
        ("The gateway port?", "question"),
        ("Make the button purple", "general"),
        ("gateway port", "general"),
        ("", "general"),
    ],
)
def test_a_query_is_of_one_of_four_kinds(query: str, kind: str) -> None:
    assert asked_for(query).kind == kind


@pytest.mark.parametrize(
    ("query", "role"),
    [
        ("What did you recommend for caching?", "assistant"),
        ("What was your advice about the essay?", "assistant"),
        ("Which library had you suggested to me?", "assistant"),
        ("Which library did I choose?", "user"),
        ("When does my first sprint end?", "user"),
        ("Can you help me with my essay?", "user"),
        ("When did Caroline go to Rome?", None),
        ("port of the gateway", None),
        ("What do you recommend for caching?", None),
    ],
)
def test_a_query_tells_whose_words_would_answer_it(query: str, role: str | None) -> None:
    assert asked_for(query).role == role


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("What kind of dog did Nadia adopt?", "What kind of dog did I adopt?"),
        ("What is Nadia's dog called?", "What is my dog called?"),
        ("Why did Nadia sell her car?", "Why did I sell my car?"),
        ("What did Nadia give Tomás for his birthday?", "What did I give you for my birthday?"),
        ("What did Tomás tell me about my roof?", "What did I tell you about your roof?"),
        ("Who taught Nadia to swim before she moved?", "Who taught I to swim before I moved?"),
        ("Where did Nadiaville get its name?", "Where did Nadiaville get its name?"),
        ("What does nadia think of it?", "What does I think of it?"),
        ("why did NADIA sell her car", "why did I sell my car"),
        ("what is nadias dog called", "what is my dog called"),
        ("Which port does the gateway use, I forgot?", "Which port does the gateway use, I forgot?"),
    ],
)
def test_a_query_that_names_a_speaker_is_put_in_that_persons_words(query: str, told: str) -> None:
    assert as_told(query, named_in(query, ["nadia", "Tomás", "ann", ""])) == told


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("Will the tests run before May?", ()),
        ("Mark the invoice as paid", ()),
        ("User authentication: which library?", ()),
        ("Did Will mark the invoice?", ("Will",)),
        ("What did May say in May?", ("May",)),
        ("What did Ann Lee cook?", ("Ann Lee",)),
        ("What did Ann and Ann Lee cook?", ("Ann", "Ann Lee")),
        ("Where is the Ann-Kathrin folder?", ()),
        ("What kind of dog did “Ann” adopt?", ("Ann",)),
    ],
)
def test_a_word_that_is_written_large_is_not_always_a_name(query: str, names: tuple[str, ...]) -> None:
    assert named_in(query, ["will", "may", "Mark", "user", "Ann", "Ann Lee"]) == names


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("what did tom say about rose", ("tom",)),
        ("what did tom give Rose", ("tom", "Rose")),
        ("which helper parses the dates", ()),
        ("what did Helper recommend", ("Helper",)),
        ("tomato soup", ()),
        ("the rose garden in may", ()),
        ("toms bike", ("tom",)),
        ("how many roses", ()),
        ("Where does İpek live?", ("İpek",)),
        ("what did c++ (bot) write", ("c++ (bot)",)),
    ],
)
def test_a_name_is_known_in_small_letters_unless_it_is_a_word(query: str, names: tuple[str, ...]) -> None:
    assert named_in(query, ["Tom", "Rose", "May", "helper", "İpek", "C++ (bot)"], large=["helper"]) == names


@pytest.mark.parametrize(
    ("query", "tellers"),
    [
        ("What did Tom tell Rose?", ("Tom",)),
        ("What did Tom really say to Rose?", ("Tom",)),
        ("What did Tom and Rose say?", ("Tom", "Rose")),
        ("What did Tom give Rose?", ()),
        ("What did I tell Tom?", ()),
        ("What did we say to Tom about it?", ()),
        ("Where did Tom move?", ("Tom",)),
    ],
)
def test_whose_words_are_asked_for_is_whoever_tells(query: str, tellers: tuple[str, ...]) -> None:
    assert tellers_in(query, named_in(query, ["Tom", "Rose"])) == tellers


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("what did helper recommend?", "helper"),
        ("what does the assistant recommend?", "the assistant"),
        ("What was the assistant's advice?", "the assistant"),
        ("show me what helper said", "helper"),
        ("which helper parses the dates", None),
        ("what did the helper return?", None),
        ("what did the helper say in its docstring?", None),
        ("How does the assistant work?", None),
        ("helper functions and what they say", None),
    ],
)
def test_the_assistant_is_named_where_it_is_one_who_says_something(query: str, words: str | None) -> None:
    assert assistant_in(query, "helper") == words


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("How many eggs do we need?", ["eggs", "need"]),
        ("how long is the ferry", ["ferry"]),
        ("Which editor do I use now?", ["editor", "use"]),
        ("The long way round", ["long", "way", "round"]),
        ("how much?", []),
    ],
)
def test_words_that_no_answer_need_say_are_not_looked_for(query: str, words: list[str]) -> None:
    assert [*terms_of(asked_for(query).words)] == [*map(stem, words)]


@pytest.mark.parametrize(
    ("typed", "word", "slip"),
    [
        ("guitra", "guitar", True),
        ("guitr", "guitar", True),
        ("guittar", "guitar", True),
        ("guiter", "guitar", True),
        ("guita", "guitar", True),
        ("guitar", "guitar", False),
        ("tuigar", "guitar", False),
        ("quitar", "guitar", False),
        ("gutars", "guitar", False),
        ("", "a", False),
    ],
)
def test_a_slip_is_one_letter_or_two_that_are_swapped(typed: str, word: str, slip: bool) -> None:
    assert is_slip(typed, word) is slip
    assert is_slip(word, typed) is slip


def test_what_is_called_i_is_not_whoever_asks() -> None:
    assert as_told("Which I/O library does Bo use?", ("Bo",)) == "Which I/O library does I use?"


def test_a_name_that_ends_in_s_owns_with_a_bare_apostrophe() -> None:
    assert as_told("Where is James’ boat, and James's oar?", ("James",)) == "Where is my boat, and my oar?"


@pytest.mark.parametrize(
    ("query", "about"),
    [
        ("Can you please tell me which port we use?", "which port we use"),
        ("Could you give me a brief summary of my essay so far?", "my essay so far"),
        ("Can you list the order in which I brought up different parts of my trip across our chats?", "my trip"),
        ("Do you remember the name of the cat?", "the name of the cat"),
        ("gateway port", "gateway port"),
        ("Please remind me", "Please remind me"),
    ],
)
def test_the_words_that_only_ask_are_not_looked_for(query: str, about: str) -> None:
    assert asked_for(query).about == about


@pytest.mark.parametrize(
    ("query", "advice"),
    [
        ("How should I format my references?", True),
        ("Can you help me plan the holiday?", True),
        ("What are some good ways to save money?", True),
        ("How did I format my references?", False),
        ("What have you suggested?", False),
        ("When does the sprint end?", False),
    ],
)
def test_who_asks_for_advice_is_asked_what_they_always_want(query: str, advice: bool) -> None:
    asked = asked_for(query)
    assert asked.advice == advice
    assert ("always" in asked.cues) == advice


# --- times --------------------------------------------------------------------------------------------------------


def _day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("query", "start", "end"),
    [
        ("what did I say yesterday?", "2025-11-02", "2025-11-03"),
        ("the day before yesterday", "2025-11-01", "2025-11-02"),
        ("what did we do today", "2025-11-03", "2025-11-04"),
        ("what happened last week?", "2025-10-27", "2025-11-03"),
        ("this week", "2025-11-03", "2025-11-10"),
        ("last month's plan", "2025-10-01", "2025-11-01"),
        ("last year", "2024-01-01", "2025-01-01"),
        ("the last 3 days", "2025-10-31", "2025-11-04"),
        ("in the past two weeks", "2025-10-20", "2025-11-04"),
        ("three days ago", "2025-10-31", "2025-11-01"),
        ("two weeks ago", "2025-10-17", "2025-10-24"),
        ("on Friday", "2025-10-31", "2025-11-01"),
        ("last Monday", "2025-10-27", "2025-10-28"),
        ("last weekend", "2025-11-01", "2025-11-03"),
        ("in May 2023", "2023-05-01", "2023-06-01"),
        ("on 8 May 2023", "2023-05-08", "2023-05-09"),
        ("on the 8th of May, 2023", "2023-05-08", "2023-05-09"),
        ("May 8th, 2023", "2023-05-08", "2023-05-09"),
        ("on 2023-05-08", "2023-05-08", "2023-05-09"),
        ("in December 2023", "2023-12-01", "2024-01-01"),
        ("in 2024", "2024-01-01", "2025-01-01"),
        ("in the summer of 2023", "2023-06-01", "2023-09-01"),
        ("in winter 2023", "2023-12-01", "2024-03-01"),
        ("between 3 and 9 June 2024", "2024-06-03", "2024-06-10"),
        ("June 3-9, 2024", "2024-06-03", "2024-06-10"),
        ("from March 3 to March 9, 2024", "2024-03-03", "2024-03-10"),
        ("between May 2024 and July 2024", "2024-05-01", "2024-08-01"),
        ("from Monday to Wednesday", "2025-10-27", "2025-10-30"),
        ("in the last few days", "2025-10-31", "2025-11-04"),
        ("the last couple of weeks", "2025-10-20", "2025-11-04"),
        ("in the past month", "2025-10-03", "2025-11-04"),
        ("a fortnight ago", "2025-10-17", "2025-10-24"),
        ("last fortnight", "2025-10-20", "2025-11-03"),
        ("the week before last", "2025-10-20", "2025-10-27"),
        ("over the weekend", "2025-11-01", "2025-11-03"),
        ("the weekend before last", "2025-10-25", "2025-10-27"),
        ("last March", "2025-03-01", "2025-04-01"),
        ("last November", "2024-11-01", "2024-12-01"),
        ("what did we do this May?", "2025-05-01", "2025-06-01"),
        ("last summer", "2025-06-01", "2025-09-01"),
        ("last autumn", "2024-09-01", "2024-12-01"),
        ("this autumn", "2025-09-01", "2025-12-01"),
        ("on 15.06.2025", "2025-06-15", "2025-06-16"),
        ("on 15/06/2025", "2025-06-15", "2025-06-16"),
        ("on 6/15/2025", "2025-06-15", "2025-06-16"),
        ("mid-April 2025", "2025-04-10", "2025-04-22"),
        ("in early March 2025", "2025-03-01", "2025-03-13"),
        ("at the end of April 2025", "2025-04-19", "2025-05-01"),
        ("late last year", "2024-08-08", "2025-01-01"),
        ("early 2024", "2024-01-01", "2024-05-26"),
        ("the first week of April 2025", "2025-04-01", "2025-04-08"),
        ("the last week of April 2025", "2025-04-24", "2025-05-01"),
        ("the week of April 9, 2025", "2025-04-07", "2025-04-14"),
        ("the week beginning 9 April 2025", "2025-04-09", "2025-04-16"),
        ("on the first of May 2025", "2025-05-01", "2025-05-02"),
        ("in Sept 2024", "2024-09-01", "2024-10-01"),
        ("in 2025-05", "2025-05-01", "2025-06-01"),
        ("March 3, 2025 - March 5, 2025", "2025-03-03", "2025-03-06"),
        ("from Friday through Sunday", "2025-10-31", "2025-11-03"),
        ("what did we do on the 8th?", "2025-10-08", "2025-10-09"),
        ("on the 2nd", "2025-11-02", "2025-11-03"),
        ("from the 1st to the 2nd", "2025-11-01", "2025-11-03"),
        ("this Friday", "2025-11-07", "2025-11-08"),
        ("this past Friday", "2025-10-31", "2025-11-01"),
        ("two Fridays ago", "2025-10-24", "2025-10-25"),
        ("thirteen days ago", "2025-10-21", "2025-10-22"),
        ("twenty days ago", "2025-10-14", "2025-10-15"),
        ("twenty-one days ago", "2025-10-13", "2025-10-14"),
        ("three days before yesterday", "2025-10-30", "2025-10-31"),
        ("half a year ago", "2025-03-05", "2025-07-04"),
        ("a year and a half ago", "2024-01-05", "2024-09-02"),
    ],
)
def test_a_time_is_read_as_the_stretch_that_it_names(query: str, start: str, end: str) -> None:
    (period,) = periods_in(query, NOW)
    assert (period.start, period.end) == (_day(start), _day(end))


@pytest.mark.parametrize(
    ("query", "inside", "outside"),
    [
        ("since Monday", "2025-10-28", "2025-10-26"),
        ("since May 2024", "2025-01-01", "2024-04-30"),
        ("after 3 June 2024", "2024-06-04", "2024-06-03"),
        ("before June 2024", "2024-05-31", "2024-06-01"),
        ("until 3 June 2024", "2024-06-03", "2024-06-04"),
    ],
)
def test_a_time_may_be_open_at_one_end(query: str, inside: str, outside: str) -> None:
    (period,) = periods_in(query, NOW)
    assert _day(inside) in period
    assert _day(outside) not in period


@pytest.mark.parametrize(
    ("query", "start", "end"),
    [
        ("yesterday morning", "2025-11-02T04:00", "2025-11-02T12:00"),
        ("yesterday in the afternoon", "2025-11-02T12:00", "2025-11-02T18:00"),
        ("last Friday evening", "2025-10-31T17:00", "2025-11-01T00:00"),
        ("what did we do Friday night?", "2025-10-31T18:00", "2025-11-01T06:00"),
        ("the morning of 8 May 2023", "2023-05-08T04:00", "2023-05-08T12:00"),
        ("this morning", "2025-11-03T04:00", "2025-11-03T12:00"),
        ("last night", "2025-11-02T18:00", "2025-11-03T06:00"),
        ("an hour ago", "2025-11-03T12:50", "2025-11-03T13:51"),
        ("30 minutes ago", "2025-11-03T13:40", "2025-11-03T14:01"),
        ("half an hour ago", "2025-11-03T13:20", "2025-11-03T14:21"),
        ("two and a half hours ago", "2025-11-03T11:12:30", "2025-11-03T12:28:30"),
        ("in the last 24 hours", "2025-11-02T14:20", "2025-11-03T14:21"),
        ("in the past hour", "2025-11-03T13:20", "2025-11-03T14:21"),
    ],
)
def test_a_part_of_a_day_is_that_part(query: str, start: str, end: str) -> None:
    (period,) = periods_in(query, NOW)
    assert (period.start, period.end) == (_day(start), _day(end))


@pytest.mark.parametrize(
    ("query", "asked_on", "start", "end"),
    [
        ("from Monday to Wednesday", "2026-05-13", "2026-05-11", "2026-05-14"),  # a Wednesday
        ("between Monday and Wednesday", "2026-05-12", "2026-05-04", "2026-05-07"),
        ("from Friday to Tuesday", "2026-05-13", "2026-05-08", "2026-05-13"),
        ("from Tuesday through Thursday", "2026-05-13", "2026-05-05", "2026-05-08"),
    ],
)
def test_days_of_a_week_are_the_last_ones_in_their_order(query: str, asked_on: str, start: str, end: str) -> None:
    (period,) = periods_in(query, _day(asked_on) + timedelta(hours=15))
    assert (period.start, period.end) == (_day(start), _day(end))


@pytest.mark.parametrize("query", ["during May", "at the end of May", "mid-May", "in the spring"])
def test_a_month_and_its_end_and_middle_hold_the_twentieth(query: str) -> None:
    assert any(_day("2025-05-20") in period for period in periods_in(query, NOW))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("We sailed on Saturday", True),
        ("Yesterday we sailed", False),
        ("We sailed two days ago", True),
        ("We sailed last week", True),
        ("We sail a lot", False),
        ("We sailed last summer", False),
    ],
)
def test_what_is_told_a_little_later_tells_of_its_day(text: str, told: bool) -> None:
    (saturday,) = periods_in("on 1 November 2025", NOW)
    assert saturday.is_told_by(text, NOW) is told
    assert not saturday.is_told_by(text, NOW + timedelta(days=60))
    assert not saturday.is_told_by(text, NOW - timedelta(days=10))


def test_a_month_without_a_year_means_that_of_every_year_so_far() -> None:
    periods = periods_in("what did we plan in May?", NOW)
    assert all(any(_day(f"{year}-05-20") in p for p in periods) for year in (2023, 2024, 2025))
    assert not any(_day("2026-05-20") in p for p in periods)
    assert not any(_day("2025-06-01") in p for p in periods)
    assert not any(_day("2025-12-20") in p for p in periods_in("in December", NOW))


@pytest.mark.parametrize(
    "query",
    [
        "you may march there",
        "this may help",
        "on 5/6/2025",
        "the past days",
        "what can I march to?",
        "February 30",
        "the secondary index",
        "version 2024",
        "port 8443",
        "on 31 June 2024",
        "0 days",
        "on the 8th floor",
        "in the 2nd attempt",
        "every Friday evening",
        "the first of two tests",
        "you may first check the second week",
        "half of the hours",
        "ticket 2024-10-x",
        "the end of the line",
        "early in the morning",
        "twenty tests",
        "",
    ],
)
def test_what_only_looks_like_a_time_is_none(query: str) -> None:
    assert periods_in(query, NOW) == ()


def test_days_begin_at_midnight_of_the_zone_that_is_asked_from() -> None:
    there = NOW.astimezone(ZoneInfo("Asia/Tokyo"))
    (period,) = periods_in("yesterday", there)
    assert period.start == datetime(2025, 11, 2, tzinfo=ZoneInfo("Asia/Tokyo"))
    assert period.end - period.start == timedelta(days=1)


@given(st.text(max_size=60), st.datetimes(timezones=st.just(UTC)))
def test_no_query_and_no_time_is_too_strange_to_read(query: str, now: datetime) -> None:
    asked_for(query)
    for text in (query, f"{query} two years ago last year in may 3 days ago", f"999 {query} years ago"):
        assert all(p.start < p.end for p in periods_in(text, now))


# --- pieces -------------------------------------------------------------------------------------------------------

_prose = st.lists(
    st.sampled_from(["Yes.", "It rains!", "Why?\n", "x" * 700, "word " * 90, "好。", "a\n\nb"]), max_size=40
)


@given(_prose.map(" ".join))
def test_pieces_cover_the_beginning_in_order_and_never_grow_too_long(text: str) -> None:
    pieces = pieces_of(text)
    assert 1 <= len(pieces) <= MOST
    assert pieces == tuple(sorted(pieces))
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(pieces))
    assert all(end - start <= LONGEST for start, end in pieces) or not text.strip()
    if len(text) <= LONGEST * MOST and len(pieces) < MOST:
        between = [text[a:b] for (_, a), (b, _) in itertools.pairwise(pieces)]
        edges = [text[: pieces[0][0]], *between, text[pieces[-1][1] :]]
        assert text.strip() == "" or all(not edge.strip() for edge in edges)


def test_a_piece_ends_with_a_sentence() -> None:
    text = " ".join(f"Sentence number {n} says something of its own." for n in range(30))
    assert all(text[start:end].endswith(".") for start, end in pieces_of(text))
    assert pieces_of("One thing.") == ((0, 10),)
