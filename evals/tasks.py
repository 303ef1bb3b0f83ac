"""The tasks: the engine runs over labelled data as a user would run it, and what it did becomes figures and misses."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Literal, Protocol, Self, TypeVar

from anaphora.knowledge import Knowledge
from anaphora.models.tokens import token_counter
from anaphora.ports import Clock
from anaphora.types import Context, EntityKind, Hit, Turn
from evals import data, metrics

__all__ = ["TASKS", "Measured", "MemoryLike", "Miss", "OpenMemory", "Replay", "Result", "Task", "ingest", "run"]

Row = TypeVar("Row")

START = datetime(2025, 1, 1, 9, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
DEPTHS = (5, 10, 20)
CONTEXT_BUDGET = 2000
GOLD_TOKENS = 1200  # more do not fit into such a context together with all else

# Labels with no kind of ours (a value, a version, a code block, …) are left out of the figure by kind.
KIND_OF_LABEL: Mapping[str, EntityKind] = {
    "File_Name": "file",
    "Function_Name": "function",
    "Library_Function": "function",
    "Application": "technology",
    "Device": "technology",
    "File_Type": "technology",
    "Language": "technology",
    "Library": "technology",
    "Operating_System": "technology",
    "User_Name": "person",
    "Algorithm": "concept",
    "Class_Name": "concept",
    "Data_Structure": "concept",
    "Data_Type": "concept",
    "Library_Class": "concept",
    "User_Interface_Element": "concept",
}


class MemoryLike(Protocol):
    """What the tasks need of a memory."""

    def hear(self, text: str, /, *, at: datetime, speaker: str | None = None) -> Turn: ...
    def say(self, text: str, /, *, at: datetime) -> object: ...
    def answer(self, text: str, /) -> object: ...
    def ingest(self, messages: Iterable[Mapping[str, Any]], /) -> object: ...
    def finish(self) -> object: ...
    def recall(self, query: str, /, *, k: int) -> Sequence[Hit]: ...
    def context(self, about: str, budget: int, /) -> Context: ...
    def consolidate(self) -> object: ...
    def learn(self, knowledge: Knowledge, /) -> object: ...
    @property
    def knowledge(self) -> Knowledge: ...
    def close(self) -> None: ...


class OpenMemory(Protocol):
    """Opens a memory on a store, by default a fresh one in memory; the stream that is replayed sets the clock. `row`
    is the row of the data that will be heard, `session` the chat that hears it."""

    def __call__(
        self, clock: Clock, *, store: str = ":memory:", user: str = "me", row: str = "", session: str = "main"
    ) -> MemoryLike: ...


@dataclass(frozen=True, slots=True)
class Miss:
    """One row that the engine got wrong."""

    metric: str
    id: str
    said: str
    wanted: str
    got: str


@dataclass(frozen=True, slots=True)
class Measured:
    figures: Mapping[str, float]
    misses: tuple[Miss, ...]


@dataclass(frozen=True, slots=True)
class Task(Generic[Row]):
    """A file of the data folder and what is measured on it. `sample` rows are taken unless all are asked for."""

    file: str
    read: Callable[[Path], Sequence[Row]]
    measure: Callable[[Iterable[Row], OpenMemory], Measured]
    sample: int | None = None
    on_request: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """What a task measured, on how many of the file's rows."""

    measured: Measured
    rows: int
    taken: int


def run(
    task: Task[Row],
    folder: Path,
    open_memory: OpenMemory,
    *,
    limit: int | None = None,
    full: bool = False,
    watch: Callable[[Sequence[Row]], Iterable[Row]] = iter,
) -> Result:
    """Run one task. `limit` takes fewer rows; `watch` sees the rows go by."""
    rows = task.read(folder / task.file)
    taken = _spread(rows, limit or (None if full else task.sample))
    return Result(task.measure(watch(taken), open_memory), len(rows), len(taken))


def _spread(rows: Sequence[Row], count: int | None) -> Sequence[Row]:
    """So many rows, evenly over the file: the same ones every time, and no part of it left out."""
    if count is None or count >= len(rows):
        return rows
    return [rows[index * len(rows) // count] for index in range(count)]


class Replay:
    """A memory and the clock of the stream that it hears."""

    def __init__(
        self, open_memory: OpenMemory, row: str, *, store: str = ":memory:", user: str = "me", session: str = "main"
    ) -> None:
        self.now = START - MINUTE
        self.memory = open_memory(lambda: self.now, store=store, user=user, row=row, session=session)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.memory.close()

    def hear(self, text: str, *, at: datetime | None = None, speaker: str | None = None) -> Turn:
        """With no time given a minute passes."""
        self.now = at or self.now + MINUTE
        return self.memory.hear(text, at=self.now, speaker=speaker)

    def say(self, text: str) -> None:
        self.memory.say(text, at=self.now)

    def settle(self, turn: Turn, decision: Literal["same", "new"]) -> None:
        """Answer the question, if one was asked, so that the next message is not taken for its answer."""
        options = turn.question.options if turn.question else ()
        key = next((option.key for option in options if option.decision == decision), None)
        if key is not None:
            self.memory.answer(key)

    def let_stand(self, turn: Turn) -> None:
        self.settle(turn, turn.boundary.best_guess)


def _known(figures: Mapping[str, float | None]) -> dict[str, float]:
    return {name: figure for name, figure in figures.items() if figure is not None}


# --- real prompts: boundaries, intents, references ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Heard:
    prompt: data.Prompt
    turn: Turn
    first: bool
    past: str

    @property
    def changed(self) -> bool:
        return self.turn.expanded != self.turn.text

    @property
    def boundary(self) -> metrics.BoundaryRow:
        found = self.turn.boundary
        return metrics.BoundaryRow(self.prompt.boundary, found.decision, found.best_guess)

    @property
    def intent(self) -> metrics.IntentRow:
        return metrics.IntentRow(self.prompt.intent, self.prompt.also, self.turn.intent.name)

    @property
    def resolution(self) -> metrics.ResolutionRow:
        labels = self.prompt
        return metrics.ResolutionRow(labels.text, labels.referents, labels.expanded, self.turn.expanded, self.past)


def measure_streams(streams: Iterable[data.Stream], open_memory: OpenMemory) -> Measured:
    """Each stream once, as its user would go through it. The first turn of a stream has no boundary to score."""
    heard = [one for stream in streams for one in _replay(stream, open_memory)]
    return Measured(_known(_stream_figures(heard)), tuple(miss for one in heard for miss in _prompt_misses(one)))


def _stream_figures(heard: Sequence[_Heard]) -> dict[str, float | None]:
    boundaries = [one.boundary for one in heard if not one.first]
    changes = [(one.prompt.needs_context, one.changed) for one in heard]
    figures: dict[str, float | None] = {
        "boundary_f1_forced": metrics.forced_boundary_f1(boundaries),
        "boundary_f1_asked": metrics.asked_boundary_f1(boundaries),
        "boundary_asks": metrics.ask_share(boundaries),
        "intent_accuracy": metrics.intent_accuracy(one.intent for one in heard),
        "intent_macro_f1": metrics.intent_macro_f1([one.intent for one in heard]),
        "needs_context_f1": metrics.f1(changes),
        "left_alone": metrics.left_alone(changes),
        "resolution": metrics.resolution(one.resolution for one in heard if one.prompt.needs_context),
        "redacted_per_1000": 1000 * (metrics.mean(bool(one.turn.redactions) for one in heard) or 0.0),
    }
    for kind in REFERENCE_KINDS:
        of_kind = [one for one in heard if one.prompt.needs_context and kind in _kinds(one.prompt.mentions)]
        figures[f"resolution/{kind}"] = metrics.resolution(one.resolution for one in of_kind)
    return figures


# --- learning -----------------------------------------------------------------------------------------------------

LEARNED = ("intent_accuracy", "intent_macro_f1", "needs_context_f1", "resolution", "boundary_f1_forced")


def measure_learning(streams: Iterable[data.Stream], open_memory: OpenMemory) -> Measured:
    """Each half of the streams heard twice: knowing nothing, and knowing what consolidating the other half taught."""
    rows = list(streams)
    halves = rows[0::2], rows[1::2]
    before: list[_Heard] = []
    after: list[_Heard] = []
    for taught, asked in (halves, halves[::-1]):
        knowledge = _learned_from(taught, open_memory)
        for stream in asked:
            before += _replay(stream, open_memory)
            after += _replay(stream, open_memory, knowledge=knowledge)
    plain, knowing = _stream_figures(before), _stream_figures(after)
    figures = {f"{name}/{when}": of[name] for name in LEARNED for when, of in (("before", plain), ("after", knowing))}
    return Measured(_known(figures), tuple(miss for one in after for miss in _prompt_misses(one)))


def _learned_from(streams: Sequence[data.Stream], open_memory: OpenMemory) -> Knowledge:
    """What one scope learns in which each stream is a chat of its own."""
    if not streams:
        return Knowledge()
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder) / "learning.db")
        for stream in streams:
            for _ in _replay(stream, open_memory, store=store, session=stream.id):
                pass
        with Replay(open_memory, streams[0].id, store=store) as replay:
            replay.memory.consolidate()
            return replay.memory.knowledge


REFERENCE_KINDS = ("it", "that", "the X", "ellipsis", "other")


def _kinds(mentions: Iterable[str]) -> set[str]:
    """How a message points back: by a pronoun, a demonstrative, a definite description, by nothing, or otherwise."""
    found = set()
    for mention in mentions:
        low = mention.lower().split()
        if not low:
            found.add("ellipsis")
        elif low[0] in _PRONOUNS and len(low) == 1:
            found.add("it")
        elif low[0] in _DEMONSTRATIVES:
            found.add("that")
        elif low[0] in ("the", "your", "my", "our"):
            found.add("the X")
        else:
            found.add("other")
    return found


_PRONOUNS = frozenset(["it", "its", "they", "them", "their", "he", "she", "him", "her", "his"])
_DEMONSTRATIVES = frozenset(["this", "that", "these", "those", "same", "above"])


def _replay(
    stream: data.Stream,
    open_memory: OpenMemory,
    *,
    store: str = ":memory:",
    session: str = "main",
    knowledge: Knowledge | None = None,
) -> Iterator[_Heard]:
    past = ""
    with Replay(open_memory, stream.id, store=store, session=session) as replay:
        if knowledge is not None:
            replay.memory.learn(knowledge)
        for index, prompt in enumerate(stream.prompts):
            at = None if prompt.seconds is None else START + timedelta(seconds=prompt.seconds)
            turn = replay.hear(prompt.text, at=at)
            yield _Heard(prompt, turn, index == 0, past)
            # "either" is the same task in another guise: its user would say that it goes on.
            replay.settle(turn, "new" if prompt.boundary == "yes" else "same")
            if prompt.reply:
                replay.say(prompt.reply)
            past += f"\n{prompt.text}\n{prompt.reply}"


def _prompt_misses(heard: _Heard) -> Iterator[Miss]:
    prompt, turn = heard.prompt, heard.turn
    forced = metrics.forced(turn.boundary.decision, turn.boundary.best_guess)
    gold = {"yes": "new", "no": "same", "either": forced}[prompt.boundary]
    if not heard.first and forced != gold:
        got = f"{forced}: {turn.boundary.reason}"
        yield Miss("boundary_f1_forced", prompt.id, prompt.text, gold, got)
    if turn.intent.name not in (prompt.intent, *prompt.also):
        wanted = " or ".join((prompt.intent, *prompt.also))
        yield Miss("intent_accuracy", prompt.id, prompt.text, wanted, turn.intent.name)
    if heard.changed != prompt.needs_context:
        yield Miss("needs_context_f1", prompt.id, prompt.text, prompt.expanded or "left alone", turn.expanded)
    elif prompt.needs_context and metrics.resolved(heard.resolution) is False:
        yield Miss("resolution", prompt.id, prompt.text, prompt.expanded, turn.expanded)


# --- rewrites -----------------------------------------------------------------------------------------------------


def measure_rewrites(rows: Iterable[data.Rewrite], open_memory: OpenMemory) -> Measured:
    """Each row in a memory of its own: the history, then the message."""
    heard = [(row, _rewrite(row, open_memory)) for row in rows]
    scored = [metrics.RewriteRow(row.text, row.rewrite, turn.expanded, row.changed) for row, turn in heard]
    changes = [(row.changed, turn.expanded != turn.text) for row, turn in heard]
    figures = {
        "added_word_f1": metrics.added_word_f1(scored),
        "exact": metrics.exact_share(scored),
        "exact_of_changed": metrics.exact_share(row for row in scored if row.changed),
        "left_alone": metrics.left_alone(changes),
        "needs_context_f1": metrics.f1(changes),
    }
    misses = (
        Miss("exact", row.id, row.text, row.rewrite, turn.expanded)
        for row, turn in heard
        if not metrics.same_text(row.rewrite, turn.expanded)
    )
    return Measured(_known(figures), tuple(misses))


def measure_titled_rewrites(rows: Iterable[data.Rewrite], open_memory: OpenMemory) -> Measured:
    """Rows whose history opens with the title of what is talked about: it is heard as if the user had named it."""
    return measure_rewrites((_with_title_heard(row) for row in rows), open_memory)


def _with_title_heard(row: data.Rewrite) -> data.Rewrite:
    title, talk = row.history[:1], row.history[1:]
    history = (*(data.Line("user", line.text) for line in title), *talk)
    return data.Rewrite(row.id, history, row.text, row.rewrite, row.changed)


def _rewrite(row: data.Rewrite, open_memory: OpenMemory) -> Turn:
    with Replay(open_memory, row.id) as replay:
        for line in row.history:
            if line.role == "user":
                replay.let_stand(replay.hear(line.text))
            else:
                replay.say(line.text)
        return replay.hear(row.text)


# --- segments -----------------------------------------------------------------------------------------------------


def measure_segments(dialogues: Iterable[data.Dialogue], open_memory: OpenMemory) -> Measured:
    """Each turn decided from those before it. Questions stay without an answer: the best guess stands."""
    heard = [(dialogue, _segments(dialogue, open_memory)) for dialogue in dialogues]
    rows = [metrics.SegmentRow(len(one.turns), frozenset(one.starts), starts) for one, starts in heard]
    figures = {
        "pk": metrics.mean(value for row in rows if (value := metrics.pk(row)) is not None),
        "window_diff": metrics.mean(value for row in rows if (value := metrics.window_diff(row)) is not None),
        "f1": metrics.starts_f1(rows),
    }
    misses = (
        Miss("f1", f"{one.id}, turn {index}", one.turns[index], _new_or_same(index in one.starts), _new_or_same(new))
        for one, starts in heard
        for index in range(1, len(one.turns))
        if (new := index in starts) != (index in one.starts)
    )
    return Measured(_known(figures), tuple(misses))


def _segments(dialogue: data.Dialogue, open_memory: OpenMemory) -> frozenset[int]:
    starts = {0}
    with Replay(open_memory, dialogue.id) as replay:
        for index, text in enumerate(dialogue.turns):
            turn = replay.hear(text, speaker=("Ann", "Ben")[index % 2])
            if metrics.forced(turn.boundary.decision, turn.boundary.best_guess) == "new":
                starts.add(index)
            replay.let_stand(turn)
    return frozenset(starts)


def _new_or_same(new: bool) -> str:
    return "new" if new else "same"


# --- entities -----------------------------------------------------------------------------------------------------


def measure_entities(sentences: Iterable[data.Sentence], open_memory: OpenMemory) -> Measured:
    """Spans of tokens, regardless of label, and with labels mapped to our kinds."""
    heard = [(sentence, _entities(sentence, open_memory)) for sentence in sentences]
    spans = [({(s.start, s.end) for s in one.spans}, {found[:2] for found in got}) for one, got in heard]
    figures = {"span_f1": metrics.set_f1(spans), "kind_f1": metrics.set_f1(_by_kind(one, got) for one, got in heard)}
    misses = (
        Miss("span_f1", one.id, " ".join(one.tokens), _quoted(one, gold), _quoted(one, got))
        for (one, _), (gold, got) in zip(heard, spans, strict=True)
        if gold != got
    )
    return Measured(_known(figures), tuple(misses))


_Found = tuple[int, int, EntityKind]


def _entities(sentence: data.Sentence, open_memory: OpenMemory) -> set[_Found]:
    with Replay(open_memory, sentence.id) as replay:
        turn = replay.hear(" ".join(sentence.tokens))
    token_at = [index for index, token in enumerate(sentence.tokens) for _ in f"{token} "]
    return {(token_at[one.span[0]], token_at[one.span[1] - 1] + 1, one.kind) for one in turn.entities}


def _by_kind(sentence: data.Sentence, got: set[_Found]) -> tuple[set[_Found], set[_Found]]:
    gold = {(s.start, s.end, KIND_OF_LABEL[s.label]) for s in sentence.spans if s.label in KIND_OF_LABEL}
    kindless = {(s.start, s.end) for s in sentence.spans if s.label not in KIND_OF_LABEL}
    return gold, {found for found in got if found[:2] not in kindless}


def _quoted(sentence: data.Sentence, spans: Iterable[tuple[int, int]]) -> str:
    return " | ".join(" ".join(sentence.tokens[start:end]) for start, end in sorted(spans)) or "nothing"


# --- recall -------------------------------------------------------------------------------------------------------


def measure_recall(chats: Iterable[data.Chat], open_memory: OpenMemory) -> Measured:
    """The store of one chat holds that chat alone."""
    asked: list[_Asked] = []
    for chat in chats:
        with Replay(open_memory, chat.id) as replay:
            ingest(chat, replay)
            asked += _ask(chat, replay)
    return _recall_figures(asked)


def measure_shared_recall(chats: Iterable[data.Chat], open_memory: OpenMemory) -> Measured:
    """All chats in one store, each under a user of its own; asked once the last one is in."""
    asked: list[_Asked] = []
    with tempfile.TemporaryDirectory() as folder, ExitStack() as opened:
        store = str(Path(folder) / "shared.db")
        replays = []
        for chat in chats:
            replay = opened.enter_context(Replay(open_memory, chat.id, store=store, user=chat.id))
            ingest(chat, replay)
            replays.append((chat, replay))
        for chat, replay in replays:
            asked += _ask(chat, replay)
    return _recall_figures(asked)


@dataclass(frozen=True, slots=True)
class _Asked:
    id: str
    query: data.Query
    hits: tuple[str | None, ...]


def ingest(chat: data.Chat, replay: Replay) -> None:
    """All messages of a chat, at their times."""

    def messages() -> Iterator[dict[str, Any]]:
        for message in chat.messages:
            # Times are days at best: messages of one day follow each other by the minute.
            replay.now = max(message.at or replay.now, replay.now) + MINUTE
            row = {"role": message.role, "text": message.text, "at": replay.now, "id": message.id}
            yield row if message.speaker is None else {**row, "speaker": message.speaker}

    first = next((message.at for message in chat.messages if message.at is not None), None)
    replay.now = first or replay.now
    replay.memory.ingest(messages())
    replay.memory.finish()


def _ask(chat: data.Chat, replay: Replay) -> Iterator[_Asked]:
    replay.now += timedelta(days=1)
    for query in chat.queries:
        if query.gold:
            hits = replay.memory.recall(query.text, k=max(DEPTHS))
            yield _Asked(f"{chat.id} {query.id}", query, tuple(hit.message_id for hit in hits))


def _recall_figures(asked: Sequence[_Asked]) -> Measured:
    def recall(k: int, category: str | None = None) -> float | None:
        return metrics.mean(
            metrics.recall_at(k, one.query.gold, one.hits) for one in asked if category in (None, one.query.category)
        )

    figures = {f"recall@{k}": recall(k) for k in DEPTHS}
    for category in sorted({one.query.category for one in asked}):
        figures |= {f"recall@{k}/{category}": recall(k, category) for k in DEPTHS}
    misses = (
        Miss("recall@10", one.id, one.query.text, " ".join(one.query.gold), " ".join(str(hit) for hit in one.hits[:10]))
        for one in asked
        if not metrics.recall_at(10, one.query.gold, one.hits)
    )
    return Measured(_known(figures), tuple(misses))


# --- contexts -----------------------------------------------------------------------------------------------------


def measure_contexts(chats: Iterable[data.Chat], open_memory: OpenMemory) -> Measured:
    """Of the messages that hold the answer, the share that stands in a context of 2,000 tokens, over the questions
    whose messages are all recalled and would fit; asked while the talk is going on, and a day later."""
    given: list[_Given] = []
    for chat in chats:
        with Replay(open_memory, chat.id) as replay:
            ingest(chat, replay)
            for when, pause in (("at_once", MINUTE), ("later", timedelta(days=1))):
                replay.now += pause
                given += _contexts(chat, replay, when)
    shares = {
        when: metrics.mean(1 - len(one.lost) / len(one.query.gold) for one in given if one.when == when)
        for when in ("at_once", "later")
    }
    figures = {f"kept_{when}": share for when, share in shares.items()}
    figures["tokens_at_most"] = max((float(one.tokens) for one in given), default=None)
    misses = (
        Miss(f"kept_{one.when}", one.id, one.query.text, " ".join(one.query.gold), f"without {' '.join(one.lost)}")
        for one in given
        if one.lost
    )
    return Measured(_known(figures), tuple(misses))


@dataclass(frozen=True, slots=True)
class _Given:
    """A context that was given for a question, and the messages with its answer that it does not hold."""

    id: str
    query: data.Query
    when: str
    lost: tuple[str, ...]
    tokens: int


def _contexts(chat: data.Chat, replay: Replay, when: str) -> Iterator[_Given]:
    count = token_counter("o200k").count
    said = {message.id: message.text for message in chat.messages}
    for query in chat.queries:
        if not query.gold or sum(count(said[id]) for id in query.gold) > GOLD_TOKENS:
            continue
        hits = {hit.message_id for hit in replay.memory.recall(query.text, k=max(DEPTHS))}
        if hits.issuperset(query.gold):
            context = replay.memory.context(query.text, CONTEXT_BUDGET)
            shown = [part.text for part in context.parts if part.tier != "query"]
            lost = tuple(id for id in query.gold if not any(metrics.holds(text, said[id]) for text in shown))
            yield _Given(f"{chat.id} {query.id}", query, when, lost, context.tokens)


TASKS: Mapping[str, Task[Any]] = {
    "devchat": Task("devchat.jsonl", data.read_streams, measure_streams),
    "codechat": Task("codechat.jsonl", data.read_streams, measure_streams),
    "gecor": Task("rewrites/gecor.jsonl", data.read_rewrites, measure_rewrites, sample=400),
    "cast": Task("rewrites/cast.jsonl", data.read_rewrites, measure_rewrites, sample=400),
    "canard": Task("rewrites/canard.jsonl", data.read_rewrites, measure_titled_rewrites, sample=400),
    "tiage": Task("segments/tiage_dev.jsonl", data.read_dialogues, measure_segments),
    "entities": Task("entities/stackoverflow_dev.jsonl", data.read_sentences, measure_entities, sample=600),
    "learning": Task("devchat.jsonl", data.read_streams, measure_learning),
    "learning_codechat": Task("codechat.jsonl", data.read_streams, measure_learning, on_request=True),
    "recall": Task("recall/beam_100K.jsonl", data.read_chats, measure_recall),
    "contexts": Task("recall/beam_100K.jsonl", data.read_chats, measure_contexts),
    "recall_shared": Task("recall/beam_100K.jsonl", data.read_chats, measure_shared_recall, on_request=True),
}
