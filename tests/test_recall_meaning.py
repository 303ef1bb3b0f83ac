"""Recall by meaning: messages are embedded off their path, found before and after, by what the query asks for."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4
from zlib import crc32

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from typer.testing import CliRunner

import anaphora
from anaphora import Hit, Memory
from anaphora.engine import embedding
from anaphora.engine.embedding import model_of
from anaphora.errors import MissingExtra
from anaphora.interfaces.cli.app import app
from anaphora.memory.terms import terms_of
from anaphora.models.embedder import bundled_embedder
from anaphora.ports import Embedder
from anaphora.testing import FrozenClock

WITH_EMBEDDER = True
AT = datetime(2025, 11, 3, 14, 20, tzinfo=UTC)
FRIENDS = Path(__file__).parent / "fixtures" / "two_friends.jsonl"
MODEL = model_of(bundled_embedder())


class Toy:
    """An embedder that tells texts apart by their words; quick, and the same on every machine."""

    name = "toy"
    width = 16

    def __init__(self) -> None:
        self.embedded: list[str] = []

    def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        self.embedded += texts
        rows = np.full((len(texts), self.width), 0.1, np.float32)
        for row, text in zip(rows, texts, strict=True):
            for term in terms_of(text):
                row[crc32(term.encode()) % self.width] += 1.0
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


@pytest.fixture(params=["memory", "file"])
def kept(request: pytest.FixtureRequest, clock: FrozenClock, store_path: Path) -> Iterator[Memory]:
    place = store_path if request.param == "file" else ":memory:"
    with anaphora.open(place, clock=clock, user="ann", agent="helper") as opened:
        yield opened


def texts(hits: Sequence[Hit]) -> list[str]:
    return [hit.text for hit in hits]


def left(memory: Memory, model: str = MODEL) -> int:
    return len(memory._place.view.without_vector(model, 10_000))


# --- meaning ------------------------------------------------------------------------------------------------------


def test_a_message_is_found_by_its_meaning_once_it_is_embedded(kept: Memory) -> None:
    kept.ingest([{"text": t} for t in ("My car broke down on the motorway", "I had soup for lunch", "The cat sleeps")])
    query = "trouble with the automobile"
    assert kept.recall(query) == []
    kept.finish()
    hit = kept.recall(query)[0]
    assert hit.text == "My car broke down on the motorway"
    assert "close in meaning (0." in hit.why
    assert kept.recall("quantum chromodynamics of gluons") == []


def test_what_is_not_embedded_yet_is_found_by_its_words_beside_what_is(kept: Memory, clock: FrozenClock) -> None:
    kept.ingest([{"text": f"Note {n}: the gateway listens on port {8000 + n}"} for n in range(40)])
    kept.finish()
    clock.advance(hours=2)
    kept.hear("The gateway listens on port 9999 since this morning")
    hits = kept.recall("which port does the gateway listen on?", k=5)
    assert "The gateway listens on port 9999 since this morning" in texts(hits)
    assert left(kept) == 1


def test_of_a_long_message_the_hit_says_which_piece_fits(kept: Memory) -> None:
    filler = [
        f"Paragraph {n} is about budgets, invoices and the yearly report of the finance team.\n" for n in range(30)
    ]
    answer = "Our dog Biscuit is afraid of thunder and hides under the sofa.\n"
    kept.hear("".join([*filler[:20], answer, *filler[20:]]), id="long")
    kept.finish()
    hit = kept.recall("What is the dog scared of?")[0]
    assert hit.message_id == "long"
    assert hit.span is not None
    assert answer.strip() in hit.full[slice(*hit.span)]
    assert hit.span[1] - hit.span[0] < len(hit.full) / 3


def test_a_text_of_any_length_can_be_embedded() -> None:
    embedder = bundled_embedder()
    rows = embedder.embed(["好" * 3000, "+ - * / " * 400, "", "yes"])
    assert rows.shape == (4, embedder.width)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-3)


def test_a_short_message_is_one_piece(kept: Memory) -> None:
    kept.hear("The gateway listens on 8443")
    kept.finish()
    assert kept.recall("gateway")[0].span is None


# --- embedding ----------------------------------------------------------------------------------------------------


def test_embedding_goes_on_where_it_stopped_and_does_nothing_twice(store_path: Path, clock: FrozenClock) -> None:
    toy = Toy()
    with anaphora.open(store_path, clock=clock, embedder=toy) as memory:
        memory.ingest([{"text": f"Note number{n}"} for n in range(150)])
        memory._later._jobs["embed"](memory._place)
        done = len(toy.embedded)
        assert 0 < done < 150
    with anaphora.open(store_path, clock=clock, embedder=toy) as memory:
        assert left(memory, model_of(toy)) == 150 - done
        memory.finish()
        memory.finish()
        assert left(memory, model_of(toy)) == 0
        assert sorted(toy.embedded) == sorted(f"Note number{n}" for n in range(150))
        memory.hear("Note number150")
        memory.finish()
        assert len(toy.embedded) == 151


def test_what_a_message_was_found_to_mean_is_embedded(clock: FrozenClock) -> None:
    toy = Toy()
    with anaphora.open(":memory:", clock=clock, embedder=toy) as memory:
        memory.hear("I want to add a FAB button")
        turn = memory.hear("Make it purple")
        memory.finish()
        assert turn.expanded == "Make the FAB button purple"
        assert sorted(toy.embedded) == ["I want to add a FAB button", turn.expanded]


def test_what_is_forgotten_while_it_is_embedded_leaves_no_vector(clock: FrozenClock) -> None:
    class Slow(Toy):
        def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
            if "The safe word is rosebud" in texts:
                memory.forget(message="secret")
            return super().embed(texts)

    slow = Slow()
    with anaphora.open(":memory:", clock=clock, embedder=slow) as memory:
        memory.hear("The gateway is down", id="kept")
        memory.hear("The safe word is rosebud", id="secret")
        memory.finish()
        assert [near.seq for near in memory._place.view.nearest(model_of(slow), [1.0] * 16, 10)] == [1]
        assert "rosebud" not in str(memory.recall("safe word rosebud"))


@pytest.mark.parametrize("broken", ["absent", "damaged"])
def test_without_the_runtime_words_do_alone(clock: FrozenClock, broken: str) -> None:
    class Broken(Toy):
        def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:  # noqa: ARG002
            raise MissingExtra("The model is damaged.", remedy="Install anaphora again.")

    def missing() -> Embedder:
        raise MissingExtra("The models need onnxruntime.", remedy="pip install onnxruntime")

    with anaphora.open(":memory:", clock=clock, embedder=Broken()) as memory:
        if broken == "absent":
            object.__setattr__(memory._place, "embedder", missing)
        memory.hear("The gateway is down")
        memory.finish()
        assert texts(memory.recall("gateway")) == ["The gateway is down"]


def test_with_no_embedder_nothing_is_embedded(clock: FrozenClock) -> None:
    with anaphora.open(":memory:", clock=clock, embedder="none") as memory:
        memory.hear("My car broke down")
        memory.finish()
        assert left(memory) == 1
        assert memory.recall("automobile trouble") == []
        assert texts(memory.recall("car")) == ["My car broke down"]


def test_a_background_thread_embeds_by_itself(store_path: Path) -> None:
    with anaphora.open(store_path, embedder=Toy(), background=True) as memory:
        memory.hear("The gateway is down")
    with anaphora.open(store_path, embedder=Toy()) as memory:  # closing waits for what is half done
        memory.finish()
        assert left(memory, "toy/500") == 0


# --- the same everywhere ------------------------------------------------------------------------------------------

_words = st.sampled_from(["gateway", "token", "button", "cache", "purple", "deploy", "it", "the", "why?", "Ann"])
_lines = st.lists(_words, min_size=1, max_size=8).map(" ".join)
_said = st.lists(st.tuples(_lines, st.sampled_from(["user", "assistant"])), min_size=1, max_size=40)


def _fill(memory: Memory, said: Sequence[tuple[str, str]]) -> None:
    memory.ingest([{"text": t, "role": role, "id": f"m{n}"} for n, (t, role) in enumerate(said)])
    memory.finish()


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])  # a user each, one database
@given(said=_said, query=_lines, k=st.integers(1, 30))
def test_every_store_ranks_alike(
    tmp_path_factory: pytest.TempPathFactory, postgres_url: str, said: list[tuple[str, str]], query: str, k: int
) -> None:
    found = []
    for place in (str(tmp_path_factory.mktemp("stores") / "anaphora.db"), ":memory:", postgres_url):
        with anaphora.open(place, clock=FrozenClock(AT), user=uuid4().hex, embedder=Toy()) as memory:
            _fill(memory, said)
            found.append([(h.message_id, h.score, h.why) for h in memory.recall(query, k=k)])
    assert found[0] == found[1] == found[2]
    assert len(found[0]) <= k


@settings(max_examples=10)
@given(mine=_said, theirs=_said, query=_lines)
def test_what_others_say_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, mine: list[tuple[str, str]], theirs: list[tuple[str, str]], query: str
) -> None:
    folder = tmp_path_factory.mktemp("scopes")
    found = []
    for name, crowd in (("alone.db", False), ("shared.db", True)):
        with (
            anaphora.open(folder / name, clock=FrozenClock(AT), user="ann", embedder=Toy()) as memory,
            anaphora.open(folder / name, clock=FrozenClock(AT), user="bob", embedder=Toy()) as other,
        ):
            if crowd:
                _fill(other, theirs)
            _fill(memory, mine)
            found.append(memory.recall(query))
    assert found[0] == found[1]


# --- people -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def friends() -> Iterator[tuple[Memory, list[dict[str, object]]]]:
    """Two friends over ten months: short turns, names, answers that say nothing without their question."""
    row = json.loads(FRIENDS.read_text("utf-8"))
    clock = FrozenClock(datetime(2024, 1, 8, 9, tzinfo=UTC))
    with anaphora.open(
        ":memory:", clock=clock, reader="none", embedder="bundled", background=False, settings=None
    ) as memory:
        memory.ingest(
            [
                {"text": m["text"], "id": m["id"], "speaker": m["speaker"], "at": datetime.fromisoformat(m["time"])}
                for m in row["messages"]
            ]
        )
        memory.finish()
        yield memory, row["questions"]


def test_the_turn_that_answers_is_among_the_first_ten(friends: tuple[Memory, list[dict[str, object]]]) -> None:
    memory, questions = friends
    found = []
    for question in questions:
        gold = question["gold"]
        assert isinstance(gold, list)
        hits = {hit.message_id for hit in memory.recall(str(question["question"]), k=10)}
        found.append(len(hits & set(gold)) / len(gold))
    assert sum(found) / len(found) >= 0.88


def test_whom_a_question_names_is_heard_first(friends: tuple[Memory, list[dict[str, object]]]) -> None:
    memory, _ = friends
    hits = memory.recall("Which language is Tomas learning?", k=5)
    assert hits[0].text.startswith("I've given up the audiobooks")
    assert "said by Tomas" in hits[0].why


def tell(memory: Memory, said: Sequence[tuple[str, str]]) -> None:
    """By whom, and what."""
    memory.ingest({"text": text, "speaker": speaker} for speaker, text in said)
    memory.finish()


def test_what_a_question_asks_of_someone_is_looked_for_in_that_persons_words(kept: Memory) -> None:
    said = [
        ("bo", "It says Bo on the door now, and Bo on the van: the children painted it"),
        ("bo", "Up on the tiles from six in the morning, I earn my money with chimneys and gutters"),
        ("ida", "Happy birthday dear Bo! Bo is forty, who would believe it"),
    ]
    tell(kept, said)
    (first, *_) = kept.recall("What is Bo's trade, what does Bo live on?")
    assert (first.speaker, first.text) == said[1]
    assert "said by bo" in first.why


@pytest.mark.parametrize(
    "query", ["What is Bo's trade, what does Bo live on?", 'What does "Bo" live on, what is "Bo" by trade?']
)
def test_whoever_is_named_is_known_after_any_other_talk(kept: Memory, query: str) -> None:
    said = [
        ("bo", "It says Bo on the door now, and Bo on the van: the children painted it"),
        ("bo", "Up on the tiles from six in the morning, I earn my money with chimneys and gutters"),
        ("ida", "Happy birthday dear Bo! Bo is forty, who would believe it"),
        *(("ann", f"Ticket {n} is about the colour of button {n}") for n in range(40)),
    ]
    tell(kept, said)
    hits = kept.recall(query)
    assert (hits[0].speaker, hits[0].text) == said[1]
    assert all(hit.score >= 0 for hit in hits)


def test_people_who_talk_lend_their_fit_to_answers_and_not_to_news_of_their_own(kept: Memory) -> None:
    said = [
        ("ida", "The marathon in Bergen was the hardest race of my life"),
        ("bo", "I went for a run today"),
        ("ida", "I am off to bed"),
        ("bo", "I run long distances"),
        ("ida", "Which race was the hardest for you, the marathon?"),
        ("bo", "The one with the hills"),
    ]
    tell(kept, said)
    found = texts(kept.recall("the hardest race, a marathon"))
    assert found.index("The one with the hills") < found.index("I run long distances")
    assert found.index("I run long distances") < found.index("I went for a run today")


def test_chatter_that_is_near_to_everything_comes_behind_what_says_something(kept: Memory) -> None:
    said = [
        ("bo", "I'd pay to see that race!"),
        ("ida", "It rained all day"),
        ("bo", "On Sunday I was eleventh in the race, of four hundred who ran up the hill and down to the harbour"),
    ]
    tell(kept, said)
    assert texts(kept.recall("How did Bo do in the race?"))[0] == said[2][1]
    assert texts(kept.recall("paying to see the race"))[0] == said[0][1], "nobody is named: nothing is taken away"


def test_an_answer_is_found_by_its_question(friends: tuple[Memory, list[dict[str, object]]]) -> None:
    memory, _ = friends
    hit = next(h for h in memory.recall("What breed is Nadia's dog?") if h.text.startswith("A greyhound"))
    assert hit.speaker == "Nadia"


def test_a_time_that_the_question_names_counts(friends: tuple[Memory, list[dict[str, object]]]) -> None:
    memory, _ = friends
    hits = memory.recall("What did they talk about in July 2023?", k=8)
    assert {hit.at.month for hit in hits} == {7}
    assert all("from the time asked for (july 2023)" in hit.why for hit in hits)


# --- what the query asks for --------------------------------------------------------------------------------------


def test_yesterday_is_yesterday(kept: Memory, clock: FrozenClock) -> None:
    for days in (9, 1, 0):
        kept.hear(f"We talked about the roadmap, {days} days back", at=AT - timedelta(days=days))
    kept.finish()
    hit = kept.recall("what did we say about the roadmap yesterday?", at=AT + timedelta(hours=2))[0]
    assert hit.text.endswith("1 days back")
    assert "from the time asked for (yesterday)" in hit.why


def test_what_is_said_again_comes_once_before_everything_else(kept: Memory, clock: FrozenClock) -> None:
    kept.ingest([{"text": "Ping the gateway"} for _ in range(10)] + [{"text": "The gateway has a health check"}])
    clock.advance(hours=3)
    hits = kept.recall("gateway")
    assert texts(hits)[:2] in (
        ["Ping the gateway", "The gateway has a health check"],
        ["The gateway has a health check", "Ping the gateway"],
    )
    assert len(hits) == 11
    assert [h.score for h in hits] == sorted((h.score for h in hits), reverse=True)


def test_what_is_worked_on_draws_memories_into_a_context(kept: Memory, clock: FrozenClock) -> None:
    kept.hear("The cat likes the invoice folder")
    kept.hear("Penguins live in the south")
    kept.finish()
    kept.new()
    clock.advance(days=1)
    with kept.update() as work:
        work.add_goal("Find out where penguins live")
    assert "Penguins live in the south" in kept.context("How is the weather?").text


def test_open_goals_are_embedded_once_and_forgotten_with_the_rest(clock: FrozenClock) -> None:
    toy = Toy()
    with anaphora.open(":memory:", clock=clock, embedder=toy) as memory:
        memory.hear("Penguins live in the south", id="m1")
        memory.finish()
        with memory.update() as work:
            work.add_goal("Find out where penguins live")
        for query in ("bird food", "ice"):
            memory.context(query)
        assert toy.embedded[1:] == ["bird food", "Find out where penguins live", "ice"]
        memory.forget(message="m1")
        assert embedding._KEPT == {}


def test_the_command_line_does_what_can_wait(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANAPHORA_STORE", str(store_path))
    for words in (("hear", "My car broke down on the motorway"), ("work", "--json")):
        result = CliRunner().invoke(app, words, prog_name="anaphora")
        assert result.exit_code == 0, result.output
    assert "embed" in json.loads(result.stdout)["done"]
    with anaphora.open(store_path) as memory:
        assert left(memory) == 0
