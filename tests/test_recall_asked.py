"""Recall by what is asked for: filters, fragments, what "it" means in a query, the session, and each reason."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import anaphora
from anaphora import InputError, Memory
from anaphora.codec import to_plain
from anaphora.testing import FrozenClock
from anaphora.types import Fragment

WITH_EMBEDDER = True
AT = datetime(2025, 11, 3, 14, 20, tzinfo=UTC)


@pytest.fixture(params=["memory", "file"])
def kept(request: pytest.FixtureRequest, clock: FrozenClock, store_path: Path) -> Iterator[Memory]:
    place = store_path if request.param == "file" else ":memory:"
    with anaphora.open(place, clock=clock, user="ann", agent="helper") as opened:
        yield opened


def found(memory: Memory, query: str, **filters: Any) -> set[str | None]:
    return {hit.message_id or hit.fragment_id for hit in memory.recall(query, **filters)}


# --- filters ------------------------------------------------------------------------------------------------------


@pytest.fixture
def filled(kept: Memory, clock: FrozenClock) -> Memory:
    kept.hear("I prefer tea in the morning, never coffee", id="wish", at=AT - timedelta(days=3))
    kept.say("Noted: tea in the morning.", id="reply", at=AT - timedelta(days=3))
    kept.new()
    kept.hear("Coffee machines are loud in the morning", id="loud", speaker="bob", at=AT - timedelta(days=2))
    kept.hear("Let's use the small coffee machine because it is quiet", id="decided", at=AT - timedelta(days=1))
    kept.finish()
    clock.advance(hours=1)
    return kept


@pytest.mark.requirement("W1")
def test_memories_are_filtered_by_time_conversation_speaker_and_kind(filled: Memory) -> None:
    query = "coffee or tea in the morning"
    first = filled.recall("tea in the morning", speaker="user")[0].conversation_id
    assert found(filled, query) == {"wish", "reply", "loud", "decided"}
    assert found(filled, query, since=AT - timedelta(days=2)) == {"loud", "decided"}
    assert found(filled, query, until=AT - timedelta(days=2)) == {"wish", "reply"}
    assert found(filled, query, speaker="bob") == {"loud"}
    assert found(filled, query, speaker="assistant") == {"reply"}
    assert found(filled, query, conversation=first) == {"wish", "reply"}
    assert found(filled, query, kind="reply") == {"reply"}
    assert found(filled, query, kind="message") == {"wish", "loud", "decided"}
    assert found(filled, query, kind="decision") == {"decided"}
    assert found(filled, query, kind="preference", speaker="ann") == {"wish"}
    assert found(filled, query, kind="fragment") == set()


def test_a_kind_that_does_not_exist_is_refused(filled: Memory) -> None:
    with pytest.raises(InputError, match="There is no kind 'poem'"):
        filled.recall("tea", kind="poem")


@pytest.mark.requirement("W1")
def test_twenty_memories_of_one_user_and_one_assistant_alone(store_path: Path, clock: FrozenClock) -> None:
    scopes = [("ann", "helper"), ("ann", "rival"), ("bob", "helper")]
    for user, agent in scopes:
        with anaphora.open(store_path, clock=clock, user=user, agent=agent) as memory:
            memory.ingest([{"text": f"{user} told {agent} about gateway number {n}"} for n in range(25)])
            memory.finish()
    for user, agent in scopes:
        with anaphora.open(store_path, clock=clock, user=user, agent=agent) as memory:
            hits = memory.recall("what about the gateway?")
            assert len(hits) == 20
            assert all(hit.text.startswith(f"{user} told {agent} ") for hit in hits)


@pytest.mark.requirement("W1")
def test_the_users_preferences_come_up_where_advice_is_asked_for(kept: Memory, clock: FrozenClock) -> None:
    kept.ingest(
        [
            *({"text": f"Ticket {n}: the new report is done"} for n in range(25)),
            {"text": "I prefer tabs over spaces in every file"},
        ]
    )
    kept.finish()
    clock.advance(days=1)
    hits = kept.recall("How should I indent the new file?", k=5)
    assert "I prefer tabs over spaces in every file" in [hit.text for hit in hits]
    assert next(hit for hit in hits if "tabs" in hit.text).why.endswith("says how it is wanted")


# --- kinds and sessions -------------------------------------------------------------------------------------------


@pytest.mark.requirement("W2")
@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("How did I feel about the gateway deployment?", "felt"),
        ("How should I plan a deployment?", "wish"),
        ("What did you recommend for the gateway deployment?", "reply"),
        ("How long did the deployment of my gateway take?", "fact"),
    ],
)
def test_the_kind_of_query_changes_what_comes_first(kept: Memory, clock: FrozenClock, query: str, first: str) -> None:
    kept.ingest(
        [
            {"text": "The deployment of the gateway took two hours", "id": "fact"},
            {"text": "I felt so stressed and worried while the gateway was deployed", "id": "felt"},
            {"text": "Always write the steps as a list when I ask about deployments", "id": "wish"},
            {"text": "I recommend a deployment of the gateway at night", "id": "reply", "role": "assistant"},
            {"text": "Lunch was nice", "id": "lunch"},
        ]
    )
    kept.finish()
    clock.advance(days=2)
    assert kept.recall(query)[0].message_id == first


@pytest.mark.requirement("W9")
def test_what_was_said_in_this_session_outranks_what_fits_as_well(kept: Memory, clock: FrozenClock) -> None:
    for n in range(5):
        kept.hear(f"The staging server for project {n} runs in Frankfurt on port {8000 + n}")
    kept.finish()
    clock.advance(hours=5)
    kept.hear("We moved staging, it runs in Dublin now")
    query = "Where does the staging server run?"
    for _ in range(2):  # before it is embedded, and after
        hit = kept.recall(query)[0]
        assert hit.text == "We moved staging, it runs in Dublin now"
        assert "in this session" in hit.why
        kept.finish()
    clock.advance(minutes=31)
    assert all("in this session" not in hit.why for hit in kept.recall(query))


def test_what_hardly_fits_does_not_outrank_an_older_answer_by_being_of_now(kept: Memory, clock: FrozenClock) -> None:
    kept.hear("Our key for the weather service may make 5,000 calls a day")
    clock.advance(days=3)
    for n in range(12):
        kept.hear(f"The service that sends invoice {n} needs another look today")
        clock.advance(minutes=1)
    kept.finish()
    assert "5,000" in kept.recall("How many calls a day may we make to the weather service?")[0].text


def test_where_all_was_said_a_moment_ago_that_decides_nothing(kept: Memory, clock: FrozenClock) -> None:
    for place in ("barn", "mill"):
        for width, thing in enumerate(("door", "roof", "wall"), 3):
            kept.hear(f"The {thing} of the {place} is {width} metres wide")
    kept.finish()
    query = "How wide did I say that the roof of the mill is?"
    at_once = [hit.text for hit in kept.recall(query)]
    clock.advance(days=3)
    assert [hit.text for hit in kept.recall(query)] == at_once


@pytest.mark.requirement("W9")
def test_another_session_has_a_moment_of_its_own(store_path: Path, clock: FrozenClock) -> None:
    with (
        anaphora.open(store_path, clock=clock, session="a") as one,
        anaphora.open(store_path, clock=clock, session="b") as other,
    ):
        one.hear("The port is 8443")
        clock.advance(minutes=1)
        other.hear("The port is 9443")
        assert one.recall("port")[0].text == "The port is 8443"
        assert other.recall("port")[0].text == "The port is 9443"


# --- references in a query ----------------------------------------------------------------------------------------


def test_what_it_means_in_a_query_is_looked_for(kept: Memory, clock: FrozenClock) -> None:
    kept.hear("The login page needs a captcha because of the bots", id="captcha", at=AT - timedelta(days=5))
    kept.new()
    kept.hear("I want to change the login page")
    hits = kept.recall("Make it safer against bots")
    assert "captcha" in [hit.message_id for hit in hits]
    assert any("“login”" in hit.why for hit in hits)
    assert len(kept._place.view.messages()) == 2  # asking is not saying


def test_a_query_long_after_the_talk_means_what_it_says(kept: Memory, clock: FrozenClock) -> None:
    kept.hear("I want to change the login page")
    clock.advance(days=1)
    assert kept.recall("Make it purple") == []


# --- fragments ----------------------------------------------------------------------------------------------------


def _put(memory: Memory, *fragments: Fragment) -> None:
    with memory._place.store.transaction(memory.scope) as tx:
        for fragment in fragments:
            tx.put("fragment", fragment.id, to_plain(fragment))


def test_fragments_are_found_like_messages(kept: Memory, clock: FrozenClock) -> None:
    kept.hear("My car broke down on the motorway near Graz", id="m1")
    kept.hear("I had soup for lunch", id="m2")
    kept.finish()
    trip = Fragment("f1", "The trip to Graz", "The tow truck took four hours.", AT, "ann", message_ids=("m1",))
    _put(kept, trip, Fragment("f2", "Lunch", "Soup, and then cake.", AT - timedelta(days=9), "ann"))
    clock.advance(days=1)
    hit = next(hit for hit in kept.recall("tow truck") if hit.fragment_id)
    assert (hit.fragment_id, hit.message_id) == ("f1", None)
    assert "“tow”" in hit.why
    assert "f1" in found(kept, "trouble with the automobile")  # by the message that it was made from
    assert found(kept, "tow truck soup cake", kind="fragment") == {"f1", "f2"}
    assert found(kept, "tow truck soup cake", kind="fragment", since=AT - timedelta(days=2)) == {"f1"}
    assert "f1" not in found(kept, "tow truck", speaker="user")


def test_what_was_said_comes_before_a_fragment_that_says_the_same(kept: Memory, clock: FrozenClock) -> None:
    """A fragment was said by nobody and follows nothing, so that neither the user's words nor neighbours rank it up."""
    said = "The tow truck took four hours"
    kept.hear(said, id="m1")
    kept.finish()
    _put(kept, *(Fragment(f"f{n}", "", f"{said}.", AT, "ann", message_ids=("m1",)) for n in (1, 2)))
    for days in (0, 1):  # while it was said a moment ago, and later
        clock.advance(days=days)
        hits = kept.recall("How long did the tow truck take?")
        assert [hit.message_id for hit in hits[:1]] == ["m1"]
        assert not any("stands before" in hit.why for hit in hits)


# --- reasons ------------------------------------------------------------------------------------------------------


def test_every_hit_says_why(kept: Memory, clock: FrozenClock) -> None:
    kept.ingest(
        [
            {"text": "Which port does the gateway use?", "speaker": "Bob"},
            {"text": "8443.", "speaker": "Ann"},
            {"text": "Always tell me the port when I ask about a server", "speaker": "Ann"},
            {"text": "I was so happy when it worked", "speaker": "Bob"},
        ]
    )
    kept.finish()
    clock.advance(hours=2)
    queries = ("gateway port", "What did Bob ask about the gateway?", "How should I open a port?", "How did Bob feel?")
    for query in queries:
        hits = kept.recall(query)
        assert hits
        assert all(hit.why for hit in hits)
    answer = next(hit for hit in kept.recall("gateway port") if hit.text == "8443.")
    assert "follows a question that fits" in answer.why


# --- what people write in haste, and what is true of a hit ---------------------------------------------------------


@pytest.fixture
def friends(kept: Memory, clock: FrozenClock) -> Memory:
    talk = (
        ("boat", "Ines", "I sold the old sailing boat to a man from Bergen", 20),
        ("roof", "Otto", "Our roof leaks again, right above the sailing trophies", 20),
        ("choir", "Ines", "Last Tuesday the choir sang in the cathedral and I had the solo", 10),
        ("bread", "Otto", "My bread never rises, whatever flour I buy for it", 5),
    )
    kept.ingest(
        [{"id": id, "text": text, "speaker": who, "at": AT - timedelta(days=days)} for id, who, text, days in talk]
    )
    kept.finish()
    return kept


@pytest.mark.parametrize("query", ["What did Ines sell?", "what did ines sell", "WHAT DID INES SELL?"])
def test_a_name_counts_however_it_is_written(friends: Memory, query: str) -> None:
    hits = friends.recall(query)
    assert hits[0].message_id == "boat"
    assert "said by Ines" in hits[0].why


def test_a_slip_in_a_word_does_not_hide_what_was_said(friends: Memory) -> None:
    hits = friends.recall("Who sings in the cathedarl?")
    assert hits[0].message_id == "choir"
    assert "“cathedral”" in hits[0].why


def test_a_day_that_is_asked_for_finds_what_was_told_of_it_later(friends: Memory) -> None:
    told = AT - timedelta(days=10)  # a Friday
    hit = friends.recall(f"What did Ines do on {told - timedelta(days=3):%d %B %Y}?")[0]
    assert hit.message_id == "choir"
    assert "tells of the time asked for" in hit.why


def test_whom_and_when_alone_finds_what_that_person_said_then(friends: Memory) -> None:
    hits = friends.recall("What did Otto say last week?")
    assert hits[0].message_id == "bread"
    assert "from the time asked for (last week)" in hits[0].why


def test_a_reason_tells_what_is_said_from_what_is_meant(kept: Memory) -> None:
    kept.hear("I want to add a FAB button")
    kept.hear("Make it purple", id="it")
    reasons = {hit.message_id: hit.why for hit in kept.recall("purple button")}
    assert "it says “purple”, it means “button”" in reasons["it"]


def test_what_stands_far_down_in_a_message_is_said_and_not_only_meant(kept: Memory) -> None:
    kept.hear("I want to add a FAB button")
    turn = kept.hear("Make it purple. " + "Paint dries slowly in the rain. " * 30 + "The walrus agrees.", id="it")
    assert turn.expanded != turn.text
    reasons = {hit.message_id: hit.why for hit in kept.recall("walrus")}
    assert "it says “walrus”" in reasons["it"]


def test_every_hit_has_a_reason_that_is_true_of_it(friends: Memory) -> None:
    for hit in friends.recall("Which instrument does anyone play?"):
        assert hit.why
        assert "from the same talk" not in hit.why


def test_a_short_turn_after_a_reply_that_fits_is_a_memory(kept: Memory, clock: FrozenClock) -> None:
    kept.hear("I need a tool to draw charts for the yearly report", at=AT - timedelta(days=2))
    kept.say("Gnuplot draws charts for a yearly report from plain files", at=AT - timedelta(days=2))
    kept.hear("OK, that then.", id="chosen", at=AT - timedelta(days=2))
    kept.finish()
    reasons = {hit.message_id: hit.why for hit in kept.recall("Which tool draws the charts of the yearly report?")}
    assert "follows a reply that fits" in reasons["chosen"]


def test_a_short_question_comes_behind_what_tells(kept: Memory) -> None:
    talk = (("asks", "How was the fish market?"), ("tells", "The fish market was closed"))
    kept.ingest([{"id": id, "text": text, "at": AT - timedelta(days=n + 1)} for n, (id, text) in enumerate(talk)])
    kept.finish()
    assert [hit.message_id for hit in kept.recall("the fish market")] == ["tells", "asks"]
