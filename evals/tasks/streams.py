"""Real prompts: boundaries, intents, references."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from anaphora.knowledge import Knowledge
from anaphora.types import Turn
from evals import data, metrics
from evals.tasks.replaying import START, OpenMemory, Replay
from evals.tasks.running import Measured, Miss, known

__all__ = ["Heard", "hear_stream", "measure_streams", "prompt_misses", "stream_figures"]


@dataclass(frozen=True, slots=True)
class Heard:
    """A prompt with its labels, what the memory made of it, and what had been said before."""

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
    heard = [one for stream in streams for one in hear_stream(stream, open_memory)]
    return Measured(known(stream_figures(heard)), tuple(miss for one in heard for miss in prompt_misses(one)))


def stream_figures(heard: Sequence[Heard]) -> dict[str, float | None]:
    """Every figure of what was heard; None where nothing was there to be measured."""
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


def hear_stream(
    stream: data.Stream,
    open_memory: OpenMemory,
    *,
    store: str = ":memory:",
    session: str = "main",
    knowledge: Knowledge | None = None,
) -> Iterator[Heard]:
    """The prompts of a stream one by one, each question answered as the labels say before the next is heard."""
    past = ""
    with Replay(open_memory, stream.id, store=store, session=session) as replay:
        if knowledge is not None:
            replay.memory.learn(knowledge)
        for index, prompt in enumerate(stream.prompts):
            at = None if prompt.seconds is None else START + timedelta(seconds=prompt.seconds)
            turn = replay.hear(prompt.text, at=at)
            yield Heard(prompt, turn, index == 0, past)
            # "either" is the same task in another guise: its user would say that it goes on.
            replay.settle(turn, "new" if prompt.boundary == "yes" else "same")
            if prompt.reply:
                replay.say(prompt.reply)
            past += f"\n{prompt.text}\n{prompt.reply}"


def prompt_misses(heard: Heard) -> Iterator[Miss]:
    """What was got wrong of one prompt."""
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
