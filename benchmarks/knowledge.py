"""`python -m benchmarks.knowledge [MESSAGES]`: what is known after very much was said, and what knowing it costs.

The messages go through `ingest` by rules, half of them replies, and are consolidated as they come. Every other one is
of those that someone says again and again; of the rest the words are drawn from those that templates may hold, a few
often and most rarely, so that there is always something new to learn. Then two memories hear the same by turns, one of
them knowing what was learned.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anaphora
from anaphora.function_words import PREPOSITIONS
from anaphora.understanding.lexicon import COLORS, KIND_NOUNS, VERBS
from benchmarks.learning import TEXTS, with_and_without

__all__ = ["main"]

_START = datetime(2026, 1, 1, 9, tzinfo=UTC)
_BATCH = 1000
_MOST_BYTES, _SLOWER = 200_000, 1.2
_ASKING = ("please", "can you", "could you", "now", "then", "also", "I want to", "let's", "why does it", "how do I")
_OBJECTS = ("it", "this", "that", "them", "the first one", "the other one", "all of them", "every one", "the same")


def main(messages: int) -> int:
    with TemporaryDirectory() as folder:
        sizes, known = _learned(Path(folder), messages)
        texts = [text for text, _ in zip(_texts(2), range(150), strict=False)]
        costs = {reader: with_and_without(Path(folder), known, reader, texts) for reader in ("none", "bundled")}
    size = sizes[-1]
    print(f"knowledge after {messages:,} messages: {size:,} bytes, {len(known.lessons):,} lessons")
    for reader, (clock, processor) in costs.items():
        read = "by rules alone" if reader == "none" else "with the reader"
        print(f"hear with it, against none, {read}: {clock:.2f}× by the clock, {processor:.2f}× in processor time")
    return int(size > _MOST_BYTES or any(processor > _SLOWER for _, processor in costs.values()))


def _learned(folder: Path, messages: int) -> tuple[list[int], anaphora.Knowledge]:
    """The size of the knowledge as a file after each tenth, and the knowledge."""
    sizes, begun = [], time.perf_counter()
    exported = folder / "knowledge-graph.yaml"
    with anaphora.open(folder / "much.db", reader="none", background=False, durability="normal") as memory:
        said = _messages(1)
        for done in range(_BATCH, messages + _BATCH, _BATCH):
            memory.ingest([next(said) for _ in range(_BATCH)], by_rules=True)
            memory.touch(f"src/module_{done % 97_000 // _BATCH}.py", edited=True)
            memory.consolidate()
            if done % max(_BATCH, messages // 10) == 0:
                exported.unlink(missing_ok=True)
                memory.export_knowledge(exported)
                sizes.append(exported.stat().st_size)
                taken = time.perf_counter() - begun
                print(f"{done:>8,} messages, knowledge {sizes[-1] / 1000:6.1f} KB, {taken:.0f} s", flush=True)
        return sizes, memory.knowledge


def _messages(seed: int) -> Iterator[dict[str, Any]]:
    chance, at = random.Random(seed), _START
    for number, text in enumerate(_texts(seed)):
        at += timedelta(seconds=chance.choice((20, 40, 90, 400, 9000)))
        reply = number // 2 % 2 == 1
        yield {"text": f"Done: {text}" if reply else text, "role": "assistant" if reply else "user", "at": at}


def _texts(seed: int) -> Iterator[str]:
    chance = random.Random(seed)
    verbs, nouns, places, colors = (sorted(words) for words in (VERBS, KIND_NOUNS, PREPOSITIONS, COLORS))
    for words in (verbs, nouns, places):
        chance.shuffle(words)
    while True:
        verb, noun, place = (_drawn(chance, words) for words in (verbs, nouns, places))
        thing = chance.choice((*_OBJECTS, f"the {noun}", f"a {_drawn(chance, nouns)}", chance.choice(colors)))
        ends = (f"{place} the {noun}", f"{place} {_drawn(chance, nouns)} {chance.randint(1, 99)}", "again", "?", "")
        begins = chance.choice((*_ASKING, "", "", "", ""))
        yield chance.choice(TEXTS)
        yield " ".join(f"{begins} {verb} {thing} {chance.choice(ends)}".split())


def _drawn(chance: random.Random, words: Sequence[str]) -> str:
    """The first of them often, the others ever more rarely, as words are used."""
    return words[int(len(words) ** chance.random()) - 1]


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000))
