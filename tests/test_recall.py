"""Recall: what is found by which words, at once, within one scope alone, in the same order on every store."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anaphora
from anaphora import Hit, InputError, Memory
from anaphora.memory.terms import stem, terms_of, words_for
from anaphora.memory.words import Words, bm25
from anaphora.ports import Corpus, Found, Posting
from anaphora.testing import FrozenClock

AT = datetime(2025, 11, 3, 14, 20, tzinfo=UTC)


@pytest.fixture(params=["memory", "file"])
def kept(request: pytest.FixtureRequest, clock: FrozenClock, store_path: Path) -> Iterator[Memory]:
    """A memory on each store."""
    place = store_path if request.param == "file" else ":memory:"
    with anaphora.open(place, clock=clock, user="ann", agent="helper") as opened:
        yield opened


def texts(hits: list[Hit]) -> list[str]:
    return [h.text for h in hits]


# --- words --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "family",
    [
        "button buttons",
        "validate validates validated validating validation validator",
        "create creates created creating creation creator",
        "query queries queried querying",
        "cookie cookies",
        "string strings",
        "setting settings set sets",
        "embed embeds embedding embeddings embedded",
        "add adds adding added",
        "try tries tried trying",
        "apply applies applied applying",
        "run runs running",
        "cache caches cached caching",
        "class classes",
        "box boxes",
        "speed speeds",
        "deploy deployed deploying deployment deployments",
        "implement implements implementing implementation",
        "document documents documentation",
        "configure configured configuration",
        "update updates updated updating",
        "repeat repeated repeating",
        "format formats formatted formatting",
        "user users user's",
        "api apis",
        "call calls called calling",
        "pass passes passed passing",
        "quick quickly",
        "need needs needed",
    ],
)
def test_the_forms_of_a_word_meet_in_one_term(family: str) -> None:
    assert len({stem(word) for word in family.split()}) == 1


@pytest.mark.parametrize(
    "words", ["form format", "state station", "app apply", "string str", "file fill", "need seed", "user use", "c c++"]
)
def test_words_that_only_look_alike_stay_apart(words: str) -> None:
    assert len({stem(word) for word in words.split()}) == 2


@pytest.mark.parametrize(
    ("text", "found_by"),
    [
        ("validate_jwt_token", {"valid", "jwt", "token"}),
        ("validateJwtToken()", {"validatejwttoken", "valid", "jwt", "token"}),
        ("HTTPServer", {"httpserver", "http", "server"}),
        ("auth/jwt.py", {"auth", "jwt", "py"}),
        ("It's the user’s tokens, isn't it?", {"user", "token", "isn't"}),
        ("Das ist größer als ÄRGER", {"das", "ist", "größer", "als", "ärger"}),
        ("Cafe\u0301", {"café"}),
        ("我们使用RS256算法", {"我们", "们使", "使用", "rs256", "算法"}),
        ("猫", {"猫"}),
        ("what is it", set()),
        ("x" * 65, set()),
        ("🙂 --- ___", set()),
    ],
)
def test_a_text_is_found_by_its_words_in_lower_case_stemmed_and_split(text: str, found_by: set[str]) -> None:
    assert terms_of(text).keys() == found_by


@given(st.text(max_size=80))
def test_every_term_stands_for_a_word_of_the_text(text: str) -> None:
    words = words_for(terms_of(text).keys(), text)
    assert words.keys() == terms_of(text).keys()
    assert all(stem(word) == term for term, word in words.items())


def test_of_several_words_that_a_term_stands_for_the_first_is_told() -> None:
    text = "The databases,\nand validateJwtToken: storing stories of a Story\u2019s data"
    terms = ("databas", "jwt", "stori", "data", "stor", "nowhere")
    assert words_for(terms, text) == {
        "databas": "databases",
        "jwt": "jwt",
        "stori": "stories",
        "data": "data",
        "stor": "storing",
    }


def test_rare_words_and_short_messages_weigh_more() -> None:
    corpus = Corpus(messages=10, terms=100)
    rare, common = {"rare": [(1, 1, 10)]}, {"common": [(n, 1, 10) for n in range(1, 9)], "none": []}
    scores = [bm25(postings, corpus)[1] for postings in (rare, common, rare | common)]
    assert scores[0] > scores[1] > 0
    assert scores[2] == pytest.approx(scores[0] + scores[1])
    assert bm25(rare | common, corpus, {"common": 0.5})[1] == pytest.approx(scores[0] + scores[1] / 2)
    lengths = bm25({"word": [(1, 1, 5), (2, 1, 50), (3, 3, 5)]}, corpus)
    assert lengths[3] > lengths[1] > lengths[2]
    assert bm25({}, Corpus(0, 0)) == {}


@pytest.mark.parametrize("seed", range(8))
def test_common_words_change_nothing_about_the_best_by_being_left_for_last(seed: int) -> None:
    chance = random.Random(seed)
    shares = {f"w{n}": share for n, share in enumerate((0.002, 0.01, 0.1, 0.3, 0.6, 0.95, 0.99)[seed % 4 :])}
    lengths = {seq: chance.randrange(5, 60) for seq in range(1, 3001)}
    postings = {
        term: [(seq, chance.choice((1, 1, 1, 2, 5)), n) for seq, n in lengths.items() if chance.random() < share]
        for term, share in shares.items()
    }
    found = Found(Corpus(3000, sum(lengths.values())), postings)
    weights = {term: chance.choice((1.0, 1.0, 0.25)) for term in postings}
    for among in (None, frozenset(chance.sample(range(1, 3001), 900))):
        every = {s: n for s, n in bm25(postings, found.corpus, weights).items() if among is None or s in among}
        words = Words(found, weights, 100, among)
        assert [every[seq] for seq in words.best] == pytest.approx(sorted(every.values(), reverse=True)[:100])
        some = chance.sample(sorted(among or lengths), 50)
        assert words.of(some) == pytest.approx({seq: every[seq] for seq in some if seq in every})


class _Counted(list[Posting]):
    """Postings that know how often all of them were gone through."""

    times = 0

    def __iter__(self) -> Iterator[Posting]:
        self.times += 1
        return super().__iter__()


def test_a_word_that_everybody_says_is_looked_up_rather_than_gone_through() -> None:
    rare, common = _Counted((n, 1, 10) for n in range(1, 151)), _Counted((n, 1, 10) for n in range(1, 5001))
    words = Words(Found(Corpus(5000, 50_000), {"rare": rare, "common": common}), {"rare": 1.0, "common": 1.0}, 100)
    assert (len(words.best), rare.times, common.times) == (100, 1, 0)
    assert words.of([1, 4000]).keys() == {1, 4000}


# --- finding ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "query"),
    [
        ("I renamed validate_jwt_token yesterday", "jwt validation"),
        ("The function validateJwtToken is slow", "jwt token validator"),
        ("We chose RS256 for signing", "which algorithm did we choose for signing?"),
        ("All buttons are purple", "button"),
        ("Deploy it on Friday", "when is the deployment?"),
        ("Das Café öffnet um acht", "cafe\u0301"),
        ("Ünïcödé wörks", "ÜNÏCÖDÉ"),
        ("see auth/jwt.py", "jwt.py"),
        ("我们决定使用RS256算法", "使用什么算法"),
    ],
)
def test_a_message_is_found_by_the_words_of_a_question(kept: Memory, said: str, query: str) -> None:
    kept.hear("Something else entirely")
    kept.hear(said)
    kept.say("Understood, noted and done.")
    assert texts(kept.recall(query))[:1] == [said]


def test_a_message_is_found_by_what_it_was_understood_to_mean(kept: Memory) -> None:
    kept.hear("I want to add a FAB button")
    turn = kept.hear("Make it purple")
    assert "FAB button" in turn.expanded
    (first, second) = kept.recall("FAB button colour purple")
    assert (first.text, first.expanded) == ("Make it purple", turn.expanded)
    assert second.text == "I want to add a FAB button"


@pytest.mark.parametrize("query", ["what was there?", "quantum entanglement", "???"])
def test_a_question_that_nothing_fits_finds_nothing(kept: Memory, query: str) -> None:
    kept.hear("I want to add a FAB button")
    assert kept.recall(query) == []


def test_each_hit_says_by_which_words_and_where_it_was_found(kept: Memory, clock: FrozenClock) -> None:
    turn = kept.hear("The gateway validates every JWT token", id="m1", speaker="bob")
    (hit,) = kept.recall("token validation at the gateway")
    assert set(hit.why.removeprefix("it says ").removesuffix(", in this session").split(", ")) == {
        "“gateway”",
        "“validates”",
        "“token”",
    }
    assert hit.why.endswith(", in this session")
    assert (hit.message_id, hit.speaker, hit.role, hit.at) == ("m1", "bob", "user", AT)
    assert hit.conversation_id == turn.conversation.id
    assert hit.score > 0
    clock.advance(minutes=31)
    (later,) = kept.recall("token validation at the gateway")
    assert "in this session" not in later.why


def test_what_was_said_in_this_session_outranks_older_memories(kept: Memory, clock: FrozenClock) -> None:
    kept.hear("The port is 8443", id="old")
    clock.advance(hours=3)
    kept.hear("The port is 9443", id="new")
    assert [h.message_id for h in kept.recall("port")] == ["new", "old"]
    assert [h.message_id for h in kept.recall("port", at=AT)] == ["new", "old"]


def test_the_best_come_first_and_no_more_than_asked_for(kept: Memory) -> None:
    kept.ingest([{"text": f"Note {n} about the gateway" + " port" * (n % 5)} for n in range(40)])
    hits = kept.recall("gateway port")
    assert len(hits) == 20
    assert [h.score for h in hits] == sorted((h.score for h in hits), reverse=True)
    assert kept.recall("gateway port", k=3) == hits[:3]
    assert len(kept.recall("gateway port", k=1000)) == 40
    with pytest.raises(InputError, match="at least 1, not 0"):
        kept.recall("gateway", k=0)


def test_replies_are_found_too(kept: Memory) -> None:
    kept.hear("Which port?")
    kept.say("The gateway listens on 8443")
    (hit,) = kept.recall("gateway")
    assert (hit.role, hit.speaker) == ("assistant", "helper")


def test_filters_narrow_the_search(kept: Memory, clock: FrozenClock) -> None:
    for n, speaker in enumerate(["ann", "bob", "Ann", "bob"]):
        kept.hear(f"Gateway note {n}", speaker=speaker, at=AT + timedelta(hours=n))
    kept.say("Gateway note 4", at=AT + timedelta(hours=4))
    clock.advance(hours=5)

    def found(**filters: object) -> set[str]:
        return {h.text[-1] for h in kept.recall("gateway note", **filters)}  # type: ignore[arg-type]

    assert found() == {"0", "1", "2", "3", "4"}
    assert found(since=AT + timedelta(hours=2)) == {"2", "3", "4"}
    assert found(until=AT + timedelta(hours=2)) == {"0", "1"}
    assert found(since=AT + timedelta(hours=1), until=AT + timedelta(hours=3)) == {"1", "2"}
    assert found(speaker="ann") == {"0", "2"}
    assert found(speaker="BOB") == {"1", "3"}
    assert found(speaker="user") == {"0", "1", "2", "3"}
    assert found(speaker="assistant") == found(speaker="helper") == {"4"}
    assert found(speaker="eve") == set()
    with pytest.raises(anaphora.BadTime, match="has no zone"):
        kept.recall("gateway", since=datetime(2025, 11, 3))


def test_filters_look_beyond_the_best_by_words(kept: Memory) -> None:
    kept.ingest([{"text": "gateway gateway gateway", "speaker": "bob"} for _ in range(30)])
    kept.hear("A long story in which the gateway plays a part, among much else", speaker="ann")
    assert [h.speaker for h in kept.recall("gateway", k=1, speaker="ann")] == ["ann"]


# --- at once ------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("W8")
def test_what_was_said_a_millisecond_ago_is_found_and_in_the_context(kept: Memory, clock: FrozenClock) -> None:
    """Through enough messages that some are in the index, some are not, and some have just gone into it."""
    for n in range(140):
        clock.advance(milliseconds=1)
        kept.hear(f"Ticket number{n} is about topic{n}")
        assert texts(kept.recall(f"topic{n}")) == [f"Ticket number{n} is about topic{n}"]
        if n % 9 == 0 or 60 < n < 70:
            clock.advance(milliseconds=1)
            assert f"Ticket number{n} is about topic{n}" in kept.context("What was that ticket?").text
    assert texts(kept.recall("topic3")) == ["Ticket number3 is about topic3"]


def test_what_was_said_in_another_session_is_found_at_once(store_path: Path, clock: FrozenClock) -> None:
    with (
        anaphora.open(store_path, clock=clock, session="a") as first,
        anaphora.open(store_path, clock=clock, session="b") as second,
    ):
        assert second.recall("gateway") == []
        first.hear("The gateway is down")
        assert texts(second.recall("gateway")) == ["The gateway is down"]
        assert "The gateway is down" in second.context("What about the gateway?").text


def test_what_was_cleared_is_not_found(kept: Memory) -> None:
    kept.hear("The gateway is down")
    kept.clear()
    assert kept.recall("gateway") == []


# --- within one scope ---------------------------------------------------------------------------------------------

words = st.sampled_from(["gateway", "token", "button", "cache", "purple", "deploy", "it", "the", "naïve"])
lines = st.lists(words, min_size=1, max_size=8).map(" ".join)


@pytest.mark.parametrize("other", [{"user": "bob"}, {"agent": "rival"}, {"project": "secret"}])
def test_nothing_crosses_a_scope(store_path: Path, clock: FrozenClock, other: dict[str, str]) -> None:
    with (
        anaphora.open(store_path, clock=clock, **other) as theirs,  # type: ignore[arg-type]
        anaphora.open(store_path, clock=clock) as mine,
    ):
        theirs.hear("The gateway password lies in the safe")
        assert mine.recall("gateway") == []
        assert "safe" not in mine.context("Where is the gateway password?").text
        assert texts(theirs.recall("gateway")) == ["The gateway password lies in the safe"]


@settings(max_examples=15)
@given(st.lists(lines, min_size=1, max_size=12), st.lists(lines, max_size=30), lines)
def test_what_others_say_changes_neither_my_hits_nor_their_scores(
    tmp_path_factory: pytest.TempPathFactory, mine: list[str], theirs: list[str], query: str
) -> None:
    folder = tmp_path_factory.mktemp("scopes")
    found = []
    for name, crowd in (("alone.db", []), ("shared.db", theirs)):
        clock = FrozenClock(AT)
        with (
            anaphora.open(folder / name, clock=clock, user="ann", durability="normal") as memory,
            anaphora.open(folder / name, clock=clock, user="bob", durability="normal") as other,
        ):
            other.ingest([{"text": t} for t in crowd[::2]])
            memory.ingest([{"text": t, "id": f"m{n}"} for n, t in enumerate(mine)])
            other.ingest([{"text": t} for t in crowd[1::2]])
            found.append(memory.recall(query))
    assert found[0] == found[1]


@settings(max_examples=15)
@given(st.lists(lines, min_size=1, max_size=90), lines, st.integers(1, 30))
def test_every_store_finds_the_same_in_the_same_order(
    tmp_path_factory: pytest.TempPathFactory, said: list[str], query: str, k: int
) -> None:
    with ExitStack() as stack:
        clock = FrozenClock(AT)
        path = tmp_path_factory.mktemp("stores") / "anaphora.db"
        opened = [
            stack.enter_context(anaphora.open(place, clock=clock, durability="normal")) for place in (path, ":memory:")
        ]
        for memory in opened:
            memory.ingest([{"text": t, "id": f"m{n}"} for n, t in enumerate(said)])
        in_file, in_memory = (memory.recall(query, k=k) for memory in opened)
    assert in_file == in_memory
    assert len(in_file) <= k
