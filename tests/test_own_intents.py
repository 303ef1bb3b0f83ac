"""Intents of one's own: taught by examples, known again in other words, kept with the scope, routed like the rest."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anaphora
from anaphora.engine import intents, upkeep
from anaphora.errors import InputError, MissingExtra, NotFound
from anaphora.models import sessions
from anaphora.models.embedder import bundled_embedder
from anaphora.models.sessions import WIDTH
from anaphora.types import Intent, OwnIntent
from anaphora.understanding.own_intents import parts_of, prototypes_of, ranked
from tests.own_intents import ORDINARY, TAUGHT, UNSEEN
from tests.talk import BOTH_STORES, START, everything, later, stored_bytes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from anaphora import Memory, Turn
    from anaphora.testing import FrozenClock

WITH_READER = True

DEPLOY = (
    "deploy the app to staging",
    "ship the latest build to production",
    "roll out the new version to all servers",
    "push this release live",
    "can you deploy the backend now",
)
TICKET = (
    "open a ticket for the login bug",
    "file an issue about the slow search",
    "create a ticket for this crash",
    "raise a ticket for the memory leak",
)


class Counting:
    """The bundled embedder, counting what it is asked."""

    name = "counting"
    width = WIDTH

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        self.asked += texts
        return bundled_embedder().embed(texts)


class Missing:
    """An embedder whose runtime is not installed."""

    name = "missing"
    width = WIDTH

    def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        raise MissingExtra(f"{len(texts)} texts need onnxruntime.", remedy="Run: pip install onnxruntime.")


@pytest.fixture(autouse=True)
def _nothing_learned() -> Iterator[None]:
    intents.unlearn()
    yield
    intents.unlearn()


def names(turn: Turn) -> list[str]:
    return [intent.name for intent in turn.intents]


# --- beside the seven ---------------------------------------------------------------------------------------------


@pytest.mark.requirement("K7")
@pytest.mark.parametrize(
    ("text", "intent", "route"),
    [
        ("Now build a login form", "PLAN", "work-planner.md"),
        ("Make it purple", "EXECUTE", "code-executor.md"),
        ("That's wrong, it should be purple", "CORRECT", "error-corrector.md"),
        ("Write unit tests for it", "TEST", "test-generator.md"),
        ("What is a decorator?", "ASK", "knowledge-retriever.md"),
        ("Let's go back to where we were with the FAB button", "RESUME", "session-resumer.md"),
        ("Thanks, that's all for today", "CLOSE", None),
    ],
)
def test_seven_are_built_in_and_preset_kds_has_their_routes(text: str, intent: str, route: str | None) -> None:
    with anaphora.open(":memory:", preset="kds") as memory:
        memory.hear("I want to add a FAB button")
        turn = memory.hear(text)
        assert (turn.intent.name, turn.handoff.route) == (intent, route)


@pytest.mark.requirement("K7")
def test_one_message_may_want_several_of_them(memory: Memory) -> None:
    assert set(names(memory.hear("Add an export button and test it"))) == {"PLAN", "TEST"}


# --- known again --------------------------------------------------------------------------------------------------


@pytest.mark.requirement("K7")
def test_what_was_taught_is_known_in_other_words_and_seldom_where_it_is_not_meant(memory: Memory) -> None:
    for name, examples in TAUGHT.items():
        memory.define_intent(name, examples)

    def heard(text: str) -> Turn:
        memory.new()
        return memory.hear(text)

    turns = [(name, heard(text)) for name, texts in UNSEEN.items() for text in texts]
    known = sum(name in names(turn) for name, turn in turns) / len(turns)
    first = sum(name == turn.intent.name for name, turn in turns) / len(turns)
    alarms = sum(any(name in TAUGHT for name in names(heard(text))) for text in ORDINARY) / len(ORDINARY)
    figures = f"known {known:.3f}, first {first:.3f}, false alarms {alarms:.3f}"
    assert known >= 0.85, figures
    assert first >= 0.80, figures
    assert alarms <= 0.05, figures


@pytest.mark.requirement("K7")
def test_its_route_goes_into_the_intent_and_the_hand_off(memory: Memory) -> None:
    memory.define_intent("Deploy", DEPLOY, route="deployer.md")
    turn = memory.hear("please deploy our backend to production")
    assert turn.intent.name == "Deploy"
    assert turn.intent.route == turn.handoff.route == "deployer.md"
    assert turn.handoff.action == "deploy: please deploy our backend to production"
    assert turn.intent.confidence > 0.9
    assert len(turn.intents) > 1  # the built-in ones are still there


@pytest.mark.requirement("K7")
def test_several_of_one_message_are_all_found(memory: Memory) -> None:
    memory.define_intent("deploy", DEPLOY)
    memory.define_intent("ticket", TICKET)
    turn = memory.hear("The header looks right now. Deploy it to staging and open a ticket for the upload bug.")
    assert {"deploy", "ticket"} <= set(names(turn))
    assert [i.confidence for i in turn.intents] == sorted((i.confidence for i in turn.intents), reverse=True)


@pytest.mark.requirement("K7")
def test_what_nothing_fits_is_unknown() -> None:
    for text, taught in (("purple", ["unknown"]), ("release live", ["deploy"])):
        with anaphora.open(":memory:", reader="none") as memory:
            assert names(memory.hear(text)) == ["unknown"]
        with anaphora.open(":memory:", reader="none") as memory:
            memory.define_intent("deploy", DEPLOY)
            assert names(memory.hear(text)) == taught


FEW = ("ship it to prod", "deploy the app", "roll out the build")


@pytest.mark.parametrize(
    "text",
    [
        *("get this live on production", "push it to production please", "release the new version to prod"),
        *("can you deploy to staging?", "ship it", "roll it out to everyone", "deploy", "let's deploy the app now"),
        *("I want to deploy the app", "don't forget to deploy the app"),
    ],
)
def test_few_examples_are_known_again_in_other_words(memory: Memory, text: str) -> None:
    memory.define_intent("deploy", FEW)
    assert "deploy" in names(memory.hear(text))


@pytest.mark.parametrize(
    "text",
    [
        *("don't deploy yet", "undo the deploy", "roll back the build", "let's not deploy today", "stop the deploy"),
        *("is the app deployed?", "has the app been deployed?", "who deployed yesterday?"),
        *("the deploy failed", "we deployed the app yesterday", "the deploy script fails with exit 1"),
        *("delete the app", "write a deployment guide", "test the app", "close the app", "fix the deploy"),
    ],
)
def test_its_contrary_a_question_a_report_and_other_work_on_the_same_are_not_it(memory: Memory, text: str) -> None:
    memory.define_intent("deploy", FEW)
    assert "deploy" not in names(memory.hear(text))


def test_who_teaches_a_question_or_a_refusal_is_understood_so(memory: Memory) -> None:
    memory.define_intent("status", ["is the app deployed?", "has the build finished?", "are we live yet?"])
    memory.define_intent("halt", ["don't deploy yet", "stop the deployment", "cancel the rollout"])
    assert "status" in names(memory.hear("is the app live?"))
    assert "halt" in names(memory.hear("please don't deploy the app now"))


def test_what_an_expansion_adds_does_not_want_it_alone(clock: FrozenClock) -> None:
    for text, wanted in (("undo that", False), ("why did it fail?", False), ("do it again", True)):
        with anaphora.open(":memory:", clock=clock) as memory:
            memory.define_intent("deploy", FEW)
            memory.hear("deploy the app", at=START)
            turn = memory.hear(text, at=later(1))
            assert ("deploy" in names(turn)) is wanted, turn.expanded


def test_confidence_tells_the_near_from_the_very_near(memory: Memory) -> None:
    memory.define_intent("deploy", FEW)
    sure = [next(i.confidence for i in memory.hear(t).intents if i.name == "deploy") for t in ("push it live", FEW[1])]
    assert sure[0] < sure[1] - 0.03


def test_three_examples_are_enough_and_a_message_that_repeats_one_is_sure(memory: Memory) -> None:
    memory.define_intent("human", ["let me talk to a human", "connect me to an agent", "I want a real person"])
    assert memory.hear("I want a real person").intent == Intent("human", 0.99)


def test_a_long_example_said_again_is_known(memory: Memory) -> None:
    long = "the nightly import of the warehouse data stopped half way and " + "the tables of the branch offices, " * 12
    memory.define_intent("import", [long, "rerun the nightly import", "import the warehouse data again"])
    assert "import" in names(memory.hear(long))


def test_it_is_found_in_what_the_message_means(clock: FrozenClock) -> None:
    with anaphora.open(":memory:", clock=clock, reader="none") as memory:
        memory.define_intent("button", ["paint the FAB button", "give the FAB button a colour", "recolour the button"])
        memory.hear("I want to add a FAB button", at=START)
        turn = memory.hear("Make it purple", at=later(1))
        assert turn.expanded == "Make the FAB button purple"
        assert "button" in names(turn)


def test_a_message_that_is_moved_by_an_answer_is_read_with_them_too(clock: FrozenClock) -> None:
    with anaphora.open(":memory:", clock=clock, reader="none", ask_below=1) as memory:
        memory.define_intent("deploy", DEPLOY)
        memory.hear("I want to add a FAB button", at=START)
        asked = memory.hear("deploy it to production", at=later(hours=6))
        assert asked.question is not None
        for option in asked.question.options:
            if option.decision != asked.boundary.best_guess:
                assert "deploy" in names(memory.answer(option.key, at=later(hours=6, minutes=1)))


def test_messages_that_are_ingested_have_them_as_well(memory: Memory) -> None:
    memory.define_intent("deploy", DEPLOY)
    memory.ingest([{"text": "deploy the frontend to production", "id": "one"}, {"text": "Done.", "role": "assistant"}])
    message = memory.message("one")
    assert message is not None
    assert "deploy" in [intent.name for intent in message.intents]


# --- the matching -------------------------------------------------------------------------------------------------


@given(st.text(min_size=1), st.text(min_size=1), st.integers(0, 5000))
def test_what_is_compared_is_bounded_and_never_nothing(expanded: str, said: str, longest: int) -> None:
    parts = parts_of(expanded * 300, said, longest)
    assert 1 <= len(parts) <= 6
    assert sum(map(len, parts)) <= 4 * 120 + 2 * 600


def test_confidence_grows_with_nearness() -> None:
    import numpy as np

    rows = np.eye(6, dtype=np.float32)[:3] * 0.6 + 0.35
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    taught = prototypes_of(OwnIntent("x", ("a", "b", "c")), rows)
    away = np.eye(6, dtype=np.float32)[5]
    found = [taught.confidence(share * rows[0] + (1 - share) * away) or 0.0 for share in np.linspace(0, 1, 21)]
    assert found == sorted(found)
    assert found[-1] > 0.9
    assert 0.28 <= taught.threshold <= 0.44


def test_they_are_ranked_with_the_built_in_ones_which_keep_their_order() -> None:
    plan, test = Intent("PLAN", 0.6), Intent("TEST", 0.7)  # in the order in which they were said
    own, other = Intent("deploy", 0.7), Intent("ticket", 0.5)
    assert ranked([plan, test], [own, other]) == (own, plan, test, other)
    assert ranked([plan], []) == (plan,)
    assert ranked([Intent("unknown", 0.0)], [other]) == (other,)
    assert ranked([Intent("unknown", 0.0)], []) == (Intent("unknown", 0.0),)


# --- defining -----------------------------------------------------------------------------------------------------


def test_they_are_listed_as_given_replaced_whatever_the_case_and_dropped(memory: Memory) -> None:
    memory.define_intent("Deploy", DEPLOY)
    memory.define_intent("ticket", TICKET, "tracker")
    assert memory.intents == (OwnIntent("Deploy", DEPLOY), OwnIntent("ticket", TICKET, "tracker"))
    again = memory.define_intent("DEPLOY", [*DEPLOY[:3], f" {DEPLOY[0].upper()} "], "ops")
    assert again == OwnIntent("DEPLOY", DEPLOY[:3], "ops")
    assert [intent.name for intent in memory.intents] == ["DEPLOY", "ticket"]
    memory.drop_intent("deploy")
    assert [intent.name for intent in memory.intents] == ["ticket"]
    assert "deploy" not in names(memory.hear("deploy the app to production"))
    with pytest.raises(NotFound, match="no intent 'deploy' of your own"):
        memory.drop_intent("deploy")
    with pytest.raises(NotFound, match="built in"):
        memory.drop_intent("PLAN")
    told = [e.kind for e in memory.events() if e.kind.startswith("intent")]
    assert told == ["intent.defined"] * 3 + ["intent.dropped"]


WRONG: dict[str, tuple[Any, Any, Any, str]] = {
    "no name": ("", DEPLOY, None, "must be a text"),
    "a name that is no text": (3, DEPLOY, None, "must be a text"),
    "a long name": ("x" * 41, DEPLOY, None, "1 to 40 letters"),
    "a name of two words": ("two words", DEPLOY, None, "1 to 40 letters"),
    "a name with a line break": ("deploy\n", DEPLOY, None, "1 to 40 letters"),
    "a built-in name": ("plan", DEPLOY, None, "built in"),
    "unknown": ("Unknown", DEPLOY, None, "built in"),
    "two examples": ("deploy", DEPLOY[:2], None, "3 to 20 different examples"),
    "the same example three times": ("deploy", ["ship it", "Ship it", "ship  it "], None, "has 1"),
    "too many": ("deploy", [f"deploy number {i}" for i in range(21)], None, "has 21"),
    "an empty example": ("deploy", [*DEPLOY, " "], None, "example 6 must be a text that is not empty"),
    "a long example": ("deploy", [*DEPLOY, "x" * 2001], None, "at most 2,000"),
    "an example that is no text": ("deploy", [*DEPLOY, None], None, "example 6"),
    "half a character": ("deploy", [*DEPLOY, "\ud800"], None, "example 6"),
    "one text": ("deploy", "deploy the app", None, "several texts.*not str"),
    "nothing to go through": ("deploy", 7, None, "several texts.*not int"),
    "an empty route": ("deploy", DEPLOY, "", "route"),
    "a secret for a name": ("sk-abcdefghijklmnopqrstuvwxyz123456", DEPLOY, None, "looks like a secret"),
    "a secret for a route": ("deploy", DEPLOY, "sk-abcdefghijklmnopqrstuvwxyz123456", "looks like a secret"),
}


@pytest.mark.parametrize(("name", "examples", "route", "told"), WRONG.values(), ids=WRONG.keys())
def test_what_cannot_be_taught_is_refused_and_changes_nothing(
    memory: Memory, name: Any, examples: Any, route: Any, told: str
) -> None:
    memory.define_intent("deploy", TICKET)
    before = everything(memory)
    with pytest.raises(InputError, match=told):
        memory.define_intent(name, examples, route)
    assert everything(memory) == before


def test_there_is_an_end_to_how_many_there_may_be(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intents, "_INTENTS", 2)
    memory.define_intent("deploy", DEPLOY)
    memory.define_intent("ticket", TICKET)
    with pytest.raises(InputError, match="2 intents already"):
        memory.define_intent("third", DEPLOY)
    memory.define_intent("deploy", DEPLOY[:4])  # one that is there is no further one


def test_secrets_in_examples_are_not_stored(store_path: Path) -> None:
    key = "sk-abcdefghijklmnopqrstuvwxyz123456"
    with anaphora.open(store_path) as memory:
        taught = memory.define_intent("key", [f"use {key} from now on", "change the api key", "here is a new key"])
        assert taught.examples[0] == "use [redacted: openai key] from now on"
    assert key.encode() not in stored_bytes(store_path)


# --- the embedder -------------------------------------------------------------------------------------------------


def test_no_embedder_is_asked_where_nothing_was_taught_and_examples_are_learned_once() -> None:
    embedder = Counting()
    with anaphora.open(":memory:", embedder=embedder) as memory:
        memory.hear("deploy the app to production")
        assert embedder.asked == []
        memory.define_intent("deploy", DEPLOY)
        memory.hear("deploy the api")
        memory.hear("ship it")
        assert [text for text in embedder.asked if text in DEPLOY] == list(DEPLOY)
        memory.forget(message=memory.hear("deploy it all").message_id)
        memory.hear("deploy it again")
        assert [text for text in embedder.asked if text in DEPLOY] == list(DEPLOY) * 2


def test_what_is_learned_is_bounded(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intents, "_LEARNED_AT_MOST", 2)
    for number in range(5):
        memory.define_intent(f"deploy{number}", DEPLOY)
    assert len(intents._KEPT) <= 2
    assert len([n for n in names(memory.hear("deploy the app to production")) if n.startswith("deploy")]) == 5


def test_others_may_write_while_a_message_is_embedded(store_path: Path) -> None:
    class Slow(Counting):
        def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
            other.define_intent("ticket", TICKET)
            return super().embed(texts)

    with (
        anaphora.open(store_path, session="other", busy_timeout=0.2) as other,
        anaphora.open(store_path, embedder=Slow()) as memory,
    ):
        memory.define_intent("deploy", DEPLOY)
        assert "deploy" in names(memory.hear("deploy the frontend to production"))


def test_without_its_runtime_nothing_is_taught_and_hearing_goes_on(store_path: Path) -> None:
    with anaphora.open(store_path) as memory:
        memory.define_intent("deploy", DEPLOY)
    with anaphora.open(store_path, embedder=Missing()) as memory:
        with pytest.raises(MissingExtra, match="pip install onnxruntime"):
            memory.define_intent("ticket", TICKET)
        assert [intent.name for intent in memory.intents] == ["deploy"]
        turn = memory.hear("deploy the frontend to production")
        assert "deploy" not in names(turn)
        assert turn.intent.name != "unknown"


def test_the_bundled_one_names_what_to_install(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> None:
        raise MissingExtra("The models need onnxruntime.", remedy="Run: pip install onnxruntime.")

    bundled_embedder.cache_clear()
    monkeypatch.setattr(sessions, "_session", none)
    with pytest.raises(MissingExtra, match="pip install onnxruntime"):
        memory.define_intent("deploy", DEPLOY)
    bundled_embedder.cache_clear()
    assert memory.intents == ()


# --- kept with the scope ------------------------------------------------------------------------------------------


def test_all_sessions_of_a_scope_share_them_and_no_other_scope_sees_them(store_path: Path) -> None:
    with (
        anaphora.open(store_path, session="one") as one,
        anaphora.open(store_path, session="two") as two,
        anaphora.open(store_path, project="elsewhere") as elsewhere,
    ):
        one.define_intent("deploy", DEPLOY)
        assert "deploy" in names(two.hear("deploy the frontend to production"))
        assert "deploy" not in names(elsewhere.hear("deploy the frontend to production"))
        two.drop_intent("deploy")
        assert one.intents == ()
    with anaphora.open(store_path) as again:
        again.define_intent("deploy", DEPLOY)
    with anaphora.open(store_path) as after:
        assert after.intents == (OwnIntent("deploy", DEPLOY),)
        assert after.verify() == []


@pytest.mark.parametrize("target", BOTH_STORES)
def test_an_export_carries_them_and_those_that_are_here_stay(target: str, tmp_path: Path) -> None:
    file = tmp_path / "export.json"
    with anaphora.open("source.db") as memory:
        memory.define_intent("deploy", DEPLOY, "ops")
        memory.define_intent("ticket", TICKET)
        memory.export(file)
    with anaphora.open(target) as memory:
        memory.define_intent("TICKET", TICKET[:3])
        memory.import_file(file)
        memory.import_file(file)
        assert memory.intents == (OwnIntent("TICKET", TICKET[:3]), OwnIntent("deploy", DEPLOY, "ops"))
        assert memory.hear("deploy the app to production").intent.route == "ops"


def test_an_export_from_before_there_were_any_is_taken_and_a_bad_one_is_refused_whole(
    memory: Memory, tmp_path: Path
) -> None:
    memory.hear("I want to add a FAB button")
    plain = everything(memory) | {"exported": "2025-11-03T14:20:00Z"}
    file = tmp_path / "export.json"
    del plain["intents"]
    file.write_text(json.dumps(plain), "utf-8")
    with anaphora.open(":memory:") as other:
        assert other.import_file(file).heard == 1
    wrong: tuple[object, ...] = (
        [{"name": "PLAN", "examples": list(DEPLOY)}],
        [{"name": "x", "examples": ["one"]}],
        [{}],
        None,
        "x",
    )
    for bad in wrong:
        file.write_text(json.dumps({**plain, "intents": bad}), "utf-8")
        with anaphora.open(":memory:") as other:
            with pytest.raises(InputError):
                other.import_file(file)
            assert other.conversations() == []


def test_backup_and_migration_carry_them(store_path: Path, tmp_path: Path) -> None:
    with anaphora.open(store_path) as memory:
        memory.define_intent("deploy", DEPLOY)
    copy, moved = tmp_path / "copy.db", tmp_path / "moved.db"
    settings = anaphora.Settings()
    with (
        upkeep.opened(settings, str(store_path)) as source,
        upkeep.opened(settings, str(moved), there=False) as target,
    ):
        upkeep.backup(source, copy)
        upkeep.migrate(source, target)
    for path in (copy, moved):
        with anaphora.open(path) as memory:
            assert memory.intents == (OwnIntent("deploy", DEPLOY),)


def test_forgetting_the_user_forgets_them_for_good(store_path: Path) -> None:
    with anaphora.open(store_path) as memory:
        memory.define_intent("deploy", DEPLOY)
        memory.forget(user=True)
        assert memory.intents == ()
        assert intents._KEPT == {}
        assert "deploy" not in names(memory.hear("deploy the frontend to production"))
    with anaphora.open(store_path) as memory:
        memory.forget(user=True)
    assert DEPLOY[0].encode() not in stored_bytes(store_path)
