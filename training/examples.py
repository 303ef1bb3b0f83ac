"""Labelled examples for the reader: a message, what came before it, and what a careful person says of it.

Every source keeps its groups (a stream, a dialogue, an article): folds are cut between groups, never through one.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from anaphora.models.judging import INTENTS, KINDS, LINKS
from evals import metrics
from evals.data import dialogue_of, fold_of
from evals.tasks import KIND_OF_LABEL
from training.streams import TOLD, Turn, read_streams

__all__ = ["BARE", "INTENTS", "KINDS", "LINKS", "REWRITES", "Edit", "Example", "Line", "examples", "fold_of"]

Span = tuple[int, int]
WORD = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")
BARE = "/bare"
AFTER = " after "
REWRITES = ("gecor", "cast", "canard")
WINDOW = 16  # lines of context kept; how many are read is the reader's affair
LONGEST = 14  # words of one stretch that is taken over
_BEGINS = 8  # characters by which it is seen that a text begins as before


@dataclass(frozen=True)
class Line:
    """One earlier message; `mine` where the one who speaks now said it, `whole` where it stood alone."""

    text: str
    mine: bool
    whole: bool = True


@dataclass(frozen=True)
class Edit:
    """Where the message is written out (an empty span is an insertion before it), and with what of the context."""

    span: Span
    sources: tuple[tuple[int, Span], ...]  # (line of the context, characters in it)
    link: str = ""


@dataclass
class Example:
    source: str
    group: str
    context: tuple[Line, ...]
    message: str
    seconds: float | None = None  # since the message before
    boundary: bool | None = None
    talk: bool = False  # two people, not a person and an assistant
    needs: bool | None = None
    intents: tuple[str, ...] = ()
    edits: tuple[Edit, ...] | None = None
    entities: tuple[tuple[Span, str], ...] | None = None
    id: str = ""
    referents: tuple[str, ...] = ()
    expanded: str = ""

    def left_out(self) -> frozenset[str]:
        """The words of what is meant that the message itself does not say."""
        if not self.needs:
            return frozenset()
        meant = " ".join(self.referents) if self.source.removesuffix(BARE) not in REWRITES else self.expanded
        return metrics.added_words(self.message, meant)


def examples(data: Path, written: Path) -> list[Example]:
    """Everything there is to learn from: the labelled data, and the conversations written for it."""
    found = [
        *_streams("devchat", data / "devchat.jsonl"),
        *_streams("codechat", data / "codechat.jsonl"),
        *_rewrites("gecor", data / "rewrites" / "gecor.jsonl"),
        *_rewrites("cast", data / "rewrites" / "cast.jsonl"),
        *_rewrites("canard", data / "rewrites" / "canard.jsonl"),
        *_segments("tiage", data / "segments" / "tiage_train.jsonl"),
        *_segments("tiage_dev", data / "segments" / "tiage_dev.jsonl"),
        *_entities("entities", data / "entities" / "stackoverflow_train.jsonl"),
        *_entities("entities_dev", data / "entities" / "stackoverflow_dev.jsonl"),
    ]
    for path in sorted(written.glob("*.txt")):
        found += _written(path)
    return found


# --- sources ------------------------------------------------------------------------------------------------------


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines)


def _streams(source: str, path: Path) -> Iterator[Example]:
    for row in _rows(path):
        turns = [
            Turn(
                turn["user"],
                turn["seconds"],
                turn["reply"],
                turn["boundary"],
                turn["intent"],
                turn["also"],
                [(ref["mention"], ref["referent"]) for ref in turn["refs"]],
                turn["expanded"] if turn["needs_context"] else "",
            )
            for turn in row["turns"]
        ]
        yield from _of_stream(source, f"{source}-{row['id']}", turns, talk=False)


def _written(path: Path) -> Iterator[Example]:
    source = path.name.split("-")[0]
    for stream in read_streams(path):
        talk = source == "talk" and stream.turns[0].seconds is None
        yield from _of_stream(source, stream.name, stream.turns, talk=talk)


def _of_stream(source: str, stream: str, turns: Sequence[Turn], *, talk: bool) -> Iterator[Example]:
    """Each message twice: after what was said written out, as the engine remembers it, and after the bare words."""
    full: list[Line] = []
    bare: list[Line] = []
    before: float | None = None
    group = stream.partition(AFTER)[2] or stream  # what was written after a real stream stays on its side of every cut
    for number, turn in enumerate(turns):
        gap = None if turn.seconds is None or before is None else turn.seconds - before
        before = turn.seconds
        for past, name in ((full, source), (bare, source + BARE)):
            if past is bare and [line.text for line in past[-WINDOW:]] == [line.text for line in full[-WINDOW:]]:
                continue
            yield Example(
                name,
                group,
                tuple(past[-WINDOW:]),
                turn.user,
                gap,
                None if number == 0 or turn.boundary == "either" else turn.boundary == "yes",
                talk,
                needs=turn.needs_context,
                intents=_wanted(turn),
                edits=_edits(turn.user, turn.expanded or turn.user, past, turn.references),
                id=f"{stream}-{number}",
                referents=tuple(referent for _, referent in turn.references),
                expanded=turn.expanded,
            )
        whole = turn.expanded if turn.expanded and "[code]" not in turn.expanded else turn.user
        full.append(Line(whole, mine=True, whole=not turn.needs_context))
        bare.append(Line(turn.user, mine=True, whole=not turn.needs_context))
        if turn.reply:
            full.append(Line(turn.reply, mine=False))
            bare.append(Line(turn.reply, mine=False))


def _wanted(turn: Turn) -> tuple[str, ...]:
    """Nothing where something is only told: there is no intent to learn."""
    return () if turn.intent == TOLD else tuple(name for name in (turn.intent, *turn.also) if name != TOLD)


def _rewrites(source: str, path: Path) -> Iterator[Example]:
    rows = list(_rows(path))
    whole = {(dialogue_of(row["id"]), row["text"]): (row["rewrite"], not row["changed"]) for row in rows}
    for row in rows:
        group = dialogue_of(row["id"])
        bare = [Line(line["text"], mine=line["role"] == "user") for line in row["history"]]
        full = [
            Line(text, line.mine, alone)
            for line in bare
            for text, alone in [whole.get((group, line.text), (line.text, True))]
        ]
        for past, name in ((full, source), (bare, source + BARE)):
            if past is bare and [line.text for line in bare] == [line.text for line in full]:
                continue
            kept = past[-WINDOW:] if source != "canard" else [*past[:1], *past[1:][-WINDOW + 1 :]]
            if source == "canard":
                kept = [Line(kept[0].text, mine=True), *kept[1:]]  # the title, heard as if the user had named it
            yield Example(
                name,
                group,
                tuple(kept),
                row["text"],
                needs=row["changed"],
                edits=_edits(row["text"], row["rewrite"], kept, ()),
                id=row["id"],
                expanded=row["rewrite"],
            )


def _segments(source: str, path: Path) -> Iterator[Example]:
    for row in _rows(path):
        for index, text in enumerate(row["turns"]):
            past = tuple(Line(said, mine=(index - place) % 2 == 0) for place, said in enumerate(row["turns"][:index]))
            if index:
                yield Example(
                    source,
                    row["id"],
                    past[-WINDOW:],
                    text,
                    boundary=index in row["starts"],
                    talk=True,
                    id=f"{row['id']}-{index}",
                )


def _entities(source: str, path: Path) -> Iterator[Example]:
    for number, row in enumerate(_rows(path)):
        places, at = [], 0
        for token in row["tokens"]:
            places.append((at, at + len(token)))
            at += len(token) + 1
        spans = tuple(
            ((places[start][0], places[end - 1][1]), KIND_OF_LABEL.get(label, "other"))
            for start, end, label in row["spans"]
        )
        yield Example(source, f"{source}-{number // 20}", (), " ".join(row["tokens"]), entities=spans, id=str(number))


# --- edits --------------------------------------------------------------------------------------------------------


@dataclass
class _Words:
    text: str
    words: list[str] = field(init=False)
    spans: list[Span] = field(init=False)

    def __post_init__(self) -> None:
        found = list(WORD.finditer(self.text))
        self.words = [match[0].lower() for match in found]
        self.spans = [match.span() for match in found]


def _edits(
    text: str, rewritten: str, past: Sequence[Line], pairs: Sequence[tuple[str, str]]
) -> tuple[Edit, ...] | None:
    """How the message becomes the rewritten one by words of the context; None where that cannot be told."""
    if text == rewritten:
        return ()
    context = [_Words(line.text[:6000]) for line in past[-WINDOW:]]
    said, wanted = _Words(text), _Words(rewritten)
    if len(text) > 2000 or "[code]" in rewritten:  # what was pasted is left out of it
        return tuple(_from_pairs(text, rewritten, said, context, pairs)) or None
    found = []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, said.words, wanted.words, autojunk=False).get_opcodes():
        if tag in ("equal", "delete"):
            continue
        core = wanted.words[c:d]
        mention = text[said.spans[a][0] : said.spans[b - 1][1]].lower() if b > a else ""
        for named, referent in pairs:
            if b > a and named and (named.lower() in mention or mention in named.lower()):
                core = core + [w for w in _Words(referent).words if w not in core]
        sources = _sources(core, set(said.words), context)
        if sources:
            start = said.spans[a][0] if a < len(said.spans) else len(text)
            end = said.spans[b - 1][1] if b > a else start
            found.append(Edit((start, end), sources, _link(wanted.words[c:d])))
    if not found and pairs:
        found = list(_from_pairs(text, rewritten, said, context, pairs))
    return tuple(found) or None


def _from_pairs(
    text: str, rewritten: str, said: _Words, context: Sequence[_Words], pairs: Sequence[tuple[str, str]]
) -> Iterator[Edit]:
    unsaid = len(text) if rewritten[:_BEGINS].lower() == text[:_BEGINS].lower() else 0
    for mention, referent in pairs:
        at = text.lower().find(mention.lower()) if mention else unsaid
        sources = _sources(_Words(referent).words, set(said.words), context)
        if at >= 0 and sources:
            yield Edit((at, at + len(mention)), sources)


def _link(added: Sequence[str]) -> str:
    if added and added[0] in LINKS:
        return added[0]
    return "'s" if added and added[-1].endswith(("'s", "’s", "s'")) else ""


def _stem(word: str) -> str:
    return word[:-2] if word.endswith(("'s", "’s")) else word.rstrip("s") if len(word) > 3 else word


def _sources(core: Sequence[str], said: set[str], context: Sequence[_Words]) -> tuple[tuple[int, Span], ...]:
    """The stretches of the context that hold the words, the fewest and latest that do."""
    wanted = {_stem(w) for w in core if w not in metrics.STOP_WORDS and re.search(r"\w", w)}
    wanted -= {_stem(w) for w in said}
    every = {_stem(w) for w in core}
    taken: list[tuple[int, Span]] = []
    left = set(wanted)
    for _ in range(3):
        best = max(
            (
                (score, number, span)
                for number, line in enumerate(context)
                for score, span in _stretches(line, left, every)
            ),
            default=None,
        )
        if best is None or best[0] < (0.9 if not taken else 1.4):
            break
        _, number, (a, b) = best
        line = context[number]
        taken.append((number, (line.spans[a][0], line.spans[b - 1][1])))
        left -= {_stem(w) for w in line.words[a:b]}
        if not left:
            break
    return tuple(taken)


def _stretches(line: _Words, left: set[str], every: set[str]) -> Iterator[tuple[float, Span]]:
    """Candidate stretches, with how well they serve: words wanted, less words that nobody asked for."""
    stems = [_stem(w) for w in line.words]
    hits = [i for i, stem in enumerate(stems) if stem in left]
    for a in hits:
        for b in hits:
            if not a <= b < a + LONGEST:
                continue
            inside = stems[a : b + 1]
            right = len(left & set(inside))
            strange = sum(s not in every and s not in metrics.STOP_WORDS for s in inside)
            start, end = a, b + 1
            while (
                start > 0
                and start > a - 2
                and stems[start - 1] in every
                and line.words[start - 1] in ("the", "a", "an", "my", "our")
            ):
                start -= 1
            yield right - 0.45 * strange - 0.02 * (end - start), (start, end)
