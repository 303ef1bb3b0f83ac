"""The evaluation: its metrics on rows worked out by hand, its runner on a small data folder and a scripted memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import pytest

import anaphora
from anaphora import Memory
from anaphora.knowledge import Knowledge
from anaphora.ports import Clock
from anaphora.types import Boundary, Context, Conversation, Entity, Handoff, Hit, Intent, Option, Part, Question, Turn
from evals import ablation, data, metrics, table, tasks
from evals.__main__ import main
from evals.metrics import BoundaryRow, IntentRow, ResolutionRow, RewriteRow, SegmentRow


def test_content_words_are_lower_case_and_without_stop_words() -> None:
    assert metrics.content_words("Don't move the FAB_button to v2!") == {"move", "fab_button", "v2"}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("What is  it?", "what is it", True), ("Stop it. ", "stop it!", True), ("a, b", "a b", False)],
)
def test_texts_are_the_same_but_for_case_space_and_final_punctuation(one: str, other: str, same: bool) -> None:
    assert metrics.same_text(one, other) is same


def purple(
    predicted: str, past: str = "Add a save button", referent: str = "round save button", gold: str = "save button"
) -> ResolutionRow:
    return ResolutionRow("make it purple", (referent, "purple"), f"make the {gold} purple", predicted, past)


BOUNDARIES = [BoundaryRow("yes", "new", "new"), BoundaryRow("yes", "ask", "same"), BoundaryRow("no", "ask", "new")]
BOUNDARIES += [BoundaryRow("no", "same", "same"), BoundaryRow("no", "new", "new"), BoundaryRow("either", "ask", "new")]
ACCEPTED = [IntentRow("ASK", (), "ASK"), IntentRow("ASK", ("PLAN",), "PLAN"), IntentRow("ASK", (), "PLAN")]
# ASK: 4 found, 1 missed, 4 made up: 8/13; PLAN: 5 found, 1 made up: 10/11; CLOSE: too few
CLASSES = [IntentRow("ASK", (), "ASK")] * 4 + [IntentRow("ASK", ("PLAN",), "PLAN")]
CLASSES += [IntentRow("PLAN", (), "PLAN")] * 5 + [IntentRow("CLOSE", (), "ASK")] * 4
# cancer found; lung made up; throat and north missed; the unchanged row is not counted
REWRITES = [
    RewriteRow("is it big", "is throat cancer big", "is lung cancer big", changed=True),
    RewriteRow("and there", "and in the north", "and there", changed=True),
    RewriteRow("fine", "fine", "fine restaurant", changed=False),
    RewriteRow("fine", "fine", "Fine.", changed=False),
]
# Windows of two turns, (0,2) … (5,7): the gold start lies in (2,4) and (3,5).
LATE = SegmentRow(8, gold=frozenset({0, 4}), predicted=frozenset({0, 5}))
DOUBLE = SegmentRow(8, gold=frozenset({0, 4}), predicted=frozenset({0, 4, 5}))
LONE = SegmentRow(1, gold=frozenset({0}), predicted=frozenset({0}))


@pytest.mark.parametrize(
    ("figure", "by_hand"),
    [
        # two found, one missed, one made up
        (metrics.f1([(True, True), (True, True), (True, False), (False, True), (False, False)]), 4 / 6),
        (metrics.f1([(False, False)]), None),
        (metrics.mean([]), None),
        # a question counts as the best guess: one found, one missed, two made up
        (metrics.forced_boundary_f1(BOUNDARIES), 2 / 5),
        # a question takes the gold answer: two found, one made up
        (metrics.asked_boundary_f1(BOUNDARIES), 4 / 5),
        (metrics.ask_share(BOUNDARIES), 2 / 5),
        (metrics.intent_accuracy(ACCEPTED), 2 / 3),
        (metrics.intent_macro_f1(CLASSES), (8 / 13 + 10 / 11) / 2),
        (metrics.left_alone([(False, False), (False, True), (True, True)]), 1 / 2),
        (metrics.resolution([purple("the save button"), purple("it"), purple("the save button", past="")]), 1 / 2),
        (metrics.added_word_f1(REWRITES), 2 / 5),
        (metrics.exact_share(REWRITES), 1 / 4),
        # the predicted start lies in (3,5) and (4,6)
        (metrics.pk(LATE), 2 / 6),
        (metrics.window_diff(LATE), 2 / 6),
        # the predicted starts: one in (2,4), two in (3,5), one in (4,6)
        (metrics.pk(DOUBLE), 1 / 6),
        (metrics.window_diff(DOUBLE), 2 / 6),
        (metrics.pk(LONE), None),
        # the first turn is not scored: two found, one missed, two made up
        (metrics.starts_f1([LATE, DOUBLE, LATE._replace(predicted=frozenset({0, 4}))]), 4 / 7),
        # half of save, button, purple and wide is enough
        (
            metrics.mean(metrics.holds(text, "the save button: purple, wide") for text in ("save button", "purple")),
            1 / 2,
        ),
        (metrics.recall_at(2, ["a", "b"], ["x", "a", "b"]), 1 / 2),
        (metrics.recall_at(5, ["a", "b"], ["x", "a", "b", None]), 1),
    ],
)
def test_a_metric_gives_the_figure_worked_out_by_hand(figure: float | None, by_hand: float | None) -> None:
    assert figure == (by_hand if by_hand is None else pytest.approx(by_hand))


@pytest.mark.parametrize(
    ("row", "right"),
    [
        (purple("make the save button purple"), True),
        (purple("make the button purple"), False),
        (purple("make it purple"), False),
        (purple("make the save button one two three four purple"), True),
        (purple("make the save button one two three four five purple"), False),
        (purple("make the save button one two three four five purple", gold="big round save button"), True),
        (purple("make the save button purple", past="hello"), None),
        (purple("make it purple", past="purple", referent="purple"), None),
    ],
)
def test_a_reference_is_resolved_when_most_of_it_is_added_and_little_else(row: ResolutionRow, right: object) -> None:
    assert metrics.resolved(row) is right


# --- a memory that does what a test says --------------------------------------------------------------------------


@dataclass(frozen=True)
class Scripted:
    """What the memory makes of one text."""

    expanded: str | None = None
    intent: str = "ASK"
    decision: Literal["same", "new", "ask"] = "same"
    best_guess: Literal["same", "new"] | None = None
    entities: tuple[Entity, ...] = ()


@dataclass(frozen=True)
class Call:
    memory: int
    did: str
    text: str
    at: datetime
    speaker: str | None = None


@dataclass
class Scene:
    """Opens scripted memories and keeps a record of what was done with all of them."""

    script: Mapping[str, Scripted] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    stores: list[tuple[str, str]] = field(default_factory=list)
    sessions: list[str] = field(default_factory=list)
    memories: list[ScriptedMemory] = field(default_factory=list)
    closed: int = 0

    def open(
        self,
        clock: Clock,
        *,
        store: str = ":memory:",
        user: str = "me",
        row: str = "",  # noqa: ARG002
        session: str = "main",
    ) -> ScriptedMemory:
        self.stores.append((store, user))
        self.sessions.append(session)
        self.memories.append(ScriptedMemory(self, len(self.stores), clock))
        return self.memories[-1]

    def did(self, what: str) -> list[str]:
        return [call.text for call in self.calls if call.did == what]


class ScriptedMemory:
    def __init__(self, scene: Scene, number: int, clock: Clock) -> None:
        self.scene, self.number, self.clock = scene, number, clock
        self.held: list[Mapping[str, Any]] = []

    def hear(self, text: str, /, *, at: datetime, speaker: str | None = None) -> Turn:
        self._note("hear", text, at, speaker)
        return turn_of(text, at, self.scene.script.get(text, Scripted()))

    def say(self, text: str, /, *, at: datetime) -> None:
        self._note("say", text, at)

    def answer(self, text: str, /) -> None:
        self._note("answer", text, self.clock())

    def ingest(self, messages: Iterable[Mapping[str, Any]], /) -> None:
        self.held += messages

    def recall(self, query: str, /, *, k: int) -> Sequence[Hit]:
        self._note("recall", query, self.clock())
        words = set(query.lower().split())
        fit = [one for one in self.held if words & set(one["text"].lower().split())]
        return [Hit(one["text"], 1.0, "words", one["at"], message_id=one["id"]) for one in fit][:k]

    def context(self, about: str, budget: int, /) -> Context:
        """All that fits its words, cut to the budget in letters."""
        self._note("context", about, self.clock())
        hits = self.recall(about, k=20)
        parts = tuple(Part("memory", hit.text[:budget], 1, "words", hit.message_id) for hit in hits[:1])
        return Context("", (), len(parts), budget, (*parts, Part("query", about, 1, "asked")))

    def consolidate(self) -> None:
        self._note("consolidate", "", self.clock())

    @property
    def knowledge(self) -> Knowledge:
        return Knowledge(consolidations=1)

    def learn(self, knowledge: Knowledge, /) -> None:
        self._note("learn", str(knowledge.consolidations), self.clock())

    def finish(self) -> None: ...

    def close(self) -> None:
        self.scene.closed += 1

    def _note(self, did: str, text: str, at: datetime, speaker: str | None = None) -> None:
        self.scene.calls.append(Call(self.number, did, text, at, speaker))


def turn_of(text: str, at: datetime, made: Scripted) -> Turn:
    expanded = text if made.expanded is None else made.expanded
    guess = made.best_guess or ("new" if made.decision == "new" else "same")
    intent = Intent(made.intent, 1.0)
    options = (Option("A", "go on", "same"), Option("B", "something new", "new"))
    question = Question("q", "which?", options, "m") if made.decision == "ask" else None
    handoff = Handoff(text, expanded, (), "", "", None)
    boundary = Boundary(made.decision, guess, 0.9, "as scripted")
    talk = Conversation("c", "talk", at, "main")
    return Turn(
        text, expanded, (), intent, (intent,), handoff, boundary, question, made.entities, 0.5, (), (), talk, "m", at
    )


# --- a small data folder ------------------------------------------------------------------------------------------

PLAIN = {"reply": "", "boundary": "no", "intent": "ASK", "also": [], "needs_context": False, "refs": [], "expanded": ""}


def prompt(number: int, user: str, **labels: Any) -> dict[str, Any]:
    return {**PLAIN, "id": f"p-{number}", "seconds": 90.0 * number, "user": user, **labels}


PURPLE = "Make the save button purple"
STREAM = {
    "id": "p",
    "turns": [
        prompt(0, "Add a save button", boundary="yes", intent="PLAN", reply="Here is the button."),
        prompt(
            1,
            "Make it purple",
            needs_context=True,
            refs=[{"mention": "it", "referent": "the save button"}],
            expanded=PURPLE,
        ),
        prompt(2, "Hash a password", boundary="yes", also=["PLAN"]),
        prompt(3, "Sort a list", boundary="either"),
    ],
}
STREAM_SCRIPT = {
    "Make it purple": Scripted(expanded=PURPLE),
    "Hash a password": Scripted(decision="ask", best_guess="same", intent="PLAN"),
    "Sort a list": Scripted(decision="ask", best_guess="new", expanded="Sort a list of passwords"),
}
WITHOUT_TIMES = {"id": "c", "turns": [prompt(i, f"prompt {i}", seconds=None, boundary="no") for i in range(3)]}
ALONE = "What is lung cancer?"
TALK = [{"role": "assistant", "text": "Throat cancer / Signs"}, {"role": "user", "text": "Is it bad?"}]
REWRITTEN = [
    {"id": "r-1", "history": TALK, "text": "And it?", "rewrite": "And throat cancer?", "changed": True},
    {"id": "r-2", "history": [], "text": ALONE, "rewrite": ALONE, "changed": False},
]


def chat(name: str, texts: Sequence[str], queries: Sequence[tuple[str, list[str]]]) -> dict[str, Any]:
    messages = [
        {"id": str(i), "role": ("user", "assistant")[i % 2], "text": text, "time": "March-15-2024", "session": "s"}
        for i, text in enumerate(texts)
    ]
    questions = [
        {"id": str(i), "category": f"kind{i}", "question": question, "answer": "", "gold": gold}
        for i, (question, gold) in enumerate(queries)
    ]
    return {"id": name, "messages": messages, "questions": questions}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "data"
    chats = [
        chat("one", ["red door", "blue door", "green lamp"], [("door", ["0", "2"]), ("nothing", []), ("lamp", ["2"])]),
        chat("two", ["a red cup"], [("red", ["0"])]),
    ]
    lines: dict[str, list[dict[str, Any]]] = {
        "devchat.jsonl": [STREAM],
        "codechat.jsonl": [WITHOUT_TIMES],
        "rewrites/gecor.jsonl": REWRITTEN,
        "rewrites/canard.jsonl": REWRITTEN,
        "segments/tiage_dev.jsonl": [{"id": "t", "turns": ["hi", "hello", "cars", "dogs"], "starts": [0, 2]}],
        "recall/beam_100K.jsonl": chats,
        "entities/stackoverflow_dev.jsonl": [
            {"tokens": ["Use", "Ruby", "on", "Rails", "v4"], "spans": [[1, 4, "Library"], [4, 5, "Version"]]}
        ],
    }
    for name, rows in lines.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return root


Measure = Callable[[str, Scene], Mapping[str, float]]


@pytest.fixture
def measure(folder: Path) -> Measure:
    def one(name: str, scene: Scene) -> Mapping[str, float]:
        figures = tasks.run(tasks.TASKS[name], folder, scene.open).measured.figures
        assert scene.closed == len(scene.memories)
        return figures

    return one


def test_a_stream_of_prompts_gives_all_its_figures_in_one_replay(measure: Measure) -> None:
    scene = Scene(STREAM_SCRIPT)
    # No intent has five rows, so there is no macro-F1.
    assert measure("devchat", scene) == pytest.approx(
        {
            "boundary_f1_forced": 0.0,
            "boundary_f1_asked": 1.0,
            "boundary_asks": 0.5,
            "intent_accuracy": 0.75,
            "needs_context_f1": 2 / 3,
            "left_alone": 2 / 3,
            "resolution": 1.0,
            "resolution/it": 1.0,
            "redacted_per_1000": 0.0,
        }
    )
    assert len(scene.memories) == 1


def test_questions_get_the_gold_answer_and_the_clock_goes_with_the_prompts(measure: Measure) -> None:
    scene = Scene(STREAM_SCRIPT)
    measure("devchat", scene)
    assert [((call.at - tasks.START).seconds, call.did, call.text) for call in scene.calls] == [
        (0, "hear", "Add a save button"),
        (0, "say", "Here is the button."),
        (90, "hear", "Make it purple"),
        (180, "hear", "Hash a password"),
        (180, "answer", "B"),
        (270, "hear", "Sort a list"),
        (270, "answer", "A"),
    ]


def test_prompts_without_times_come_a_minute_apart(measure: Measure) -> None:
    scene = Scene()
    measure("codechat", scene)
    assert [call.at for call in scene.calls] == [tasks.START + timedelta(minutes=i) for i in range(3)]


def test_each_rewrite_is_made_in_a_memory_of_its_own(measure: Measure) -> None:
    scene = Scene({"And it?": Scripted(expanded="And the throat?")})
    # cancer missed, throat found; the other row is left as it is
    assert measure("gecor", scene) == pytest.approx(
        {"added_word_f1": 2 / 3, "exact": 0.5, "exact_of_changed": 0.0, "left_alone": 1.0, "needs_context_f1": 1.0}
    )
    assert [(call.memory, call.did, call.text) for call in scene.calls] == [
        (1, "say", "Throat cancer / Signs"),
        (1, "hear", "Is it bad?"),
        (1, "hear", "And it?"),
        (2, "hear", "What is lung cancer?"),
    ]


def test_the_title_before_a_canard_history_is_heard(measure: Measure) -> None:
    scene = Scene()
    measure("canard", scene)
    assert scene.did("hear") == ["Throat cancer / Signs", "Is it bad?", "And it?", "What is lung cancer?"]


def test_dialogues_are_split_by_the_best_guess_with_speakers_in_turn(measure: Measure) -> None:
    scene = Scene({"cars": Scripted(decision="ask", best_guess="new"), "dogs": Scripted(decision="new")})
    # windows of one turn: of three the last is wrong
    assert measure("tiage", scene) == pytest.approx({"pk": 1 / 3, "window_diff": 1 / 3, "f1": 2 / 3})
    assert [call.speaker for call in scene.calls if call.did == "hear"] == ["Ann", "Ben", "Ann", "Ben"]
    assert scene.did("answer") == ["B"]


def test_entities_are_compared_as_tokens_and_by_kind(measure: Measure) -> None:
    text = "Use Ruby on Rails v4"
    whole, part = Entity("Ruby on Rails", "technology", (4, 17)), Entity("Rails v", "concept", (12, 19))
    # By kind the version is not asked for, and the span that is wrong stays wrong.
    assert measure("entities", Scene({text: Scripted(entities=(whole, part))})) == pytest.approx(
        {"span_f1": 2 / 4, "kind_f1": 2 / 3}
    )


def test_recall_is_measured_in_all_and_by_category(measure: Measure) -> None:
    scene = Scene()
    figures = measure("recall", scene)
    # one: "door" finds 0 and 1 of 0 and 2, "lamp" finds 2; two: "red" finds 0
    assert figures["recall@5"] == figures["recall@20"] == pytest.approx((0.5 + 1 + 1) / 3)
    assert figures["recall@10/kind0"] == pytest.approx((0.5 + 1) / 2)
    assert "recall@10/kind1" not in figures
    assert scene.stores == [(":memory:", "me")] * 2


@pytest.mark.requirement("B10")
def test_each_half_is_heard_knowing_nothing_and_knowing_what_the_other_half_taught(
    tmp_path: Path,
) -> None:
    scene = Scene(STREAM_SCRIPT)
    prompts = [
        {"id": f"{n}", "seconds": 0.0, "user": text, "reply": "", "boundary": "no", "intent": "PLAN", "also": []}
        | {"needs_context": False, "refs": [], "expanded": ""}
        for n, text in enumerate(("one", "two"))
    ]
    rows = [{"id": name, "turns": prompts} for name in ("a", "b", "c")]
    (tmp_path / "devchat.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    figures = tasks.run(tasks.TASKS["learning"], tmp_path, scene.open).measured.figures
    assert scene.did("consolidate") == ["", ""]
    assert scene.did("learn") == ["1", "1", "1"]
    assert scene.did("hear") == ["one", "two"] * (3 + 2 * 3)
    assert {"a", "b", "c"} <= set(scene.sessions)
    assert {"intent_accuracy/before", "intent_accuracy/after"} <= figures.keys()


def test_with_nothing_left_out_an_ablation_measures_what_the_task_does(tmp_path: Path) -> None:
    texts = ["The red kettle stands in the cellar", *["Go on"] * 39, *[f"Kettle {n}" for n in range(25)]]
    path = tmp_path / "chats.jsonl"
    path.write_text(json.dumps(chat("long", texts, [("where is the red kettle?", ["0"])])) + "\n")

    def open_memory(clock: Clock, **_: Any) -> Memory:
        return anaphora.open(":memory:", clock=clock, reader="none", embedder="none", background=False)

    found = ablation.ablate(data.read_chats(path), open_memory)
    task = replace(tasks.TASKS["recall"], file=path.name)
    assert found["all"]["recall@5"] == tasks.run(task, tmp_path, open_memory).measured.figures["recall@5"] == 1
    assert found.keys() == ablation.VARIANTS.keys()


def test_shared_recall_keeps_all_chats_in_one_store_under_their_own_users(measure: Measure) -> None:
    scene = Scene()
    assert measure("recall_shared", scene)["recall@10"] == pytest.approx(2.5 / 3)
    (first, user), (second, other) = scene.stores
    assert (first == second, user, other) == (True, "one", "two")


def test_messages_of_one_day_keep_their_order_and_come_before_the_questions(measure: Measure) -> None:
    scene = Scene()
    measure("recall", scene)
    times = [one["at"] for one in scene.memories[0].held]
    assert times == sorted(set(times))
    assert times[0].date().isoformat() == "2024-03-15"
    asked = sorted({call.at for call in scene.calls if call.memory == 1})
    assert asked == [times[-1], times[-1] + timedelta(days=1)], "at once, and a day later"


def test_contexts_are_asked_for_what_was_recalled_and_fits(measure: Measure) -> None:
    scene = Scene()
    # "door" is not recalled whole; "lamp" and "red" are, and stand in their contexts at both times
    assert measure("contexts", scene) == {"kept_at_once": 1.0, "kept_later": 1.0, "tokens_at_most": 1.0}
    assert scene.did("context") == ["lamp", "lamp", "red", "red"]


def test_a_sample_is_spread_over_the_file_and_always_the_same() -> None:
    task = tasks.Task("", lambda _: range(10), lambda rows, _: tasks.Measured({"sum": sum(rows)}, ()), sample=4)
    result = tasks.run(task, Path(), Scene().open)
    assert (result.rows, result.taken, result.measured.figures["sum"]) == (10, 4, 0 + 2 + 5 + 7)
    assert tasks.run(task, Path(), Scene().open, full=True).taken == 10
    assert tasks.run(task, Path(), Scene().open, full=True, limit=2).taken == 2


@dataclass(frozen=True)
class Command:
    folder: Path
    results: Path
    capture: pytest.CaptureFixture[str]

    def __call__(self, *words: str, script: Mapping[str, Scripted] = STREAM_SCRIPT) -> tuple[int, str, str]:
        argv = words if "--data" in words else ("--data", str(self.folder), *words)
        code = main(argv, open_memory=Scene(script).open, results=self.results)
        out, err = self.capture.readouterr()
        return code, out, err


@pytest.fixture
def command(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(folder, tmp_path / "results.json", capsys)


def test_a_missing_data_folder_is_named_in_one_line(command: Command) -> None:
    missing = str(command.folder / "elsewhere")
    code, out, err = command("--data", missing)
    assert (code, out, err) == (2, "", f"No data folder at {missing}. {data.WHERE}\n")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--only", "devchat,nonsense"), "No task is called nonsense."),
        (("--limit", "3", "--write"), "Leave out --limit or --write."),
        (("--only", "cast"), "holds none of rewrites/cast.jsonl"),
    ],
)
def test_what_cannot_be_run_is_said_in_one_line(command: Command, words: tuple[str, ...], complaint: str) -> None:
    code, out, err = command(*words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert complaint in err


@pytest.mark.parametrize(
    ("file", "text", "complaint"),
    [
        ("data/devchat.jsonl", '\n{"id": "p"}\n', "devchat.jsonl, line 2 cannot be read: no 'turns'."),
        ("results.json", "[]", "Delete it, and run again with --write."),
    ],
)
def test_a_file_that_cannot_be_read_is_named(command: Command, file: str, text: str, complaint: str) -> None:
    (command.folder.parent / file).write_text(text, encoding="utf-8")
    code, out, err = command("--only", "devchat")
    assert (code, out, complaint in err) == (2, "", True)


def test_a_file_that_is_not_there_is_left_out_and_said_so(command: Command) -> None:
    code, out, err = command()
    assert (code, "Left out cast" in err, "recall_shared" in out) == (0, True, False)
    assert all(name in out for name in ("devchat", "codechat", "gecor", "canard", "tiage", "entities", "recall"))


def test_json_holds_rounded_figures_and_row_counts(command: Command) -> None:
    _, out, _ = command("--only", "devchat,gecor", "--limit", "1", "--json")
    report = json.loads(out)
    assert report["figures"]["devchat"]["left_alone"] == 0.6667
    assert report["rows"] == {"devchat": {"in_file": 1, "taken": 1}, "gecor": {"in_file": 2, "taken": 1}}


def test_figures_are_written_only_on_request_and_other_tasks_keep_theirs(command: Command) -> None:
    command("--only", "devchat")
    assert not command.results.exists()
    command("--only", "devchat", "--write")
    command("--only", "tiage", "--write")
    held = json.loads(command.results.read_text(encoding="utf-8"))
    assert sorted(held["figures"]) == sorted(held["rows"]) == ["devchat", "tiage"]
    assert command.results.read_text(encoding="utf-8") == json.dumps(held, indent=2, sort_keys=True) + "\n"


def row_of(out: str, metric: str) -> list[str]:
    line = next(line for line in out.splitlines() if f" {metric} " in line)
    return [cell.strip() for cell in line.strip("│").split("│")]


def test_the_table_shows_floor_last_figure_new_figure_and_change(command: Command) -> None:
    command("--only", "devchat", "--write")
    _, out, _ = command("--only", "devchat", script={**STREAM_SCRIPT, "Sort a list": Scripted()})
    assert row_of(out, "needs_context_f1")[1:] == ["needs_context_f1", "0.380", "0.667", "1.000", "+0.333"]
    assert row_of(out, "resolution")[2:] == ["", "1.000", "1.000", "="]


def test_figures_on_other_rows_are_no_change(command: Command) -> None:
    command("--only", "gecor", "--write")
    _, out, _ = command("--only", "gecor", "--limit", "1")
    assert row_of(out, "exact") == ["1 of 2", "exact", "", "0.500", "0.000", ""]


def test_errors_show_so_many_misses_of_each_metric(command: Command) -> None:
    _, out, _ = command("--only", "devchat", "--errors", "1", script={})
    misses = [line for line in out.splitlines() if line.startswith("devchat · ")]
    assert misses == [
        "devchat · intent_accuracy · p-0",
        "devchat · needs_context_f1 · p-1",
        "devchat · boundary_f1_forced · p-2",
    ]
    assert f"  wanted {PURPLE}" in out


def test_every_floor_belongs_to_a_figure_that_is_measured(measure: Measure) -> None:
    for task, floors in table.FLOORS.items():
        alike = {"codechat": "devchat", "cast": "gecor"}  # files of one format
        measured = measure(alike.get(task, task), Scene(STREAM_SCRIPT))
        assert set(floors) <= set(measured)


# --- the committed figures ----------------------------------------------------------------------------------------


COMMITTED = table.read_results(table.RESULTS).figures


@pytest.mark.parametrize("task", [task for task in table.FLOORS if task in COMMITTED])
def test_what_is_committed_stands_above_what_simple_methods_reach(task: str) -> None:
    floors = table.FLOORS[task]
    assert {name: COMMITTED[task][name] for name in floors if COMMITTED[task][name] < floors[name]} == {}


@pytest.mark.requirement("B10")
@pytest.mark.parametrize("task", ["learning", "learning_codechat"])
def test_by_what_is_committed_learning_helps_and_never_costs_half_a_point(task: str) -> None:
    reached = COMMITTED[task]
    names = ("intent_accuracy", "needs_context_f1")
    gained = {name: reached[f"{name}/after"] - reached[f"{name}/before"] for name in names}
    assert min(gained.values()) >= -0.005
    assert sum(gained.values()) > 0


def test_readers_that_cannot_be_run_are_told_before_anything_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They would be done without, and rules alone be measured."""
    assert main(["--only", "devchat", "--readers", str(tmp_path)]) == 2
    assert f"The reader in {tmp_path / '0'} cannot be run" in capsys.readouterr().err
