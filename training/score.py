"""What the reader's judgements of held-back rows are worth: `python -m training.score DIR [--data DIR]`."""

from __future__ import annotations

import argparse
import gzip
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from anaphora.ports import Gap, Judgement, Line, Pointed
from anaphora.types import Span
from anaphora.understanding.learned import ABOUT, FILLING
from anaphora.understanding.requests import request_in
from anaphora.understanding.rewriting import filled, written_out
from evals import metrics
from training.examples import REWRITES, Example, examples


def read(folder: Path, found: list[Example]) -> Iterator[tuple[Example, Judgement]]:
    by_id = {(e.source, e.id): e for e in found}
    for path in sorted(folder.glob("judged-*.json.gz")):
        with gzip.open(path, "rt") as lines:
            for line in lines:
                row = json.loads(line)
                example = by_id.get((row["source"], row["id"]))
                if example is not None:
                    yield example, judgement_of(row["judgement"])


def judgement_of(raw: dict[str, Any]) -> Judgement:
    gaps = tuple(
        Gap(
            tuple(g["span"]),
            g["probability"],
            g["link"],
            _pointed(g["words"]),
        )
        for g in raw["gaps"]
    )
    entities = tuple((tuple(span), kind, p) for span, kind, p in raw["entities"])
    return Judgement(raw["new"], raw["needs"], raw["intents"], gaps, entities)


def _pointed(words: Sequence[tuple[int, Span, float]]) -> tuple[Pointed, ...]:
    return tuple(Pointed(line, (start, end), probability) for line, (start, end), probability in words)


def lines_of(example: Example) -> list[Line]:
    """What came before, as a reader sees it."""
    return [Line(one.text, one.mine, request_in(one.text) if one.mine else None, one.whole) for one in example.context]


def rewritten(example: Example, judged: Judgement, threshold: float) -> str:
    if judged.needs < threshold:
        return example.message
    return written_out(example.message, filled(example.message, judged, lines_of(example), FILLING, ABOUT))


def figures(rows: list[tuple[Example, Judgement]], threshold: float) -> dict[str, float | None]:
    source = rows[0][0].source
    found: dict[str, float | None] = {}
    scored = [(e, j) for e, j in rows if e.boundary is not None]
    if scored:
        found["boundary"] = max((metrics.f1((bool(e.boundary), j.new >= t) for e, j in scored) or 0) for t in (0.5,))
        found["boundary best"] = max(
            (metrics.f1((bool(e.boundary), j.new >= t / 20) for e, j in scored) or 0) for t in range(2, 19)
        )
    if rows[0][0].needs is not None:
        texts = [(e, j, rewritten(e, j, threshold)) for e, j in rows]
        found["needs"] = metrics.f1((bool(e.needs), j.needs >= threshold) for e, j in rows)
        found["changed"] = metrics.f1((bool(e.needs), t != e.message) for e, _, t in texts)
        found["left alone"] = metrics.mean(t == e.message for e, _, t in texts if not e.needs)
        rewrites = [metrics.RewriteRow(e.message, e.expanded or e.message, t, bool(e.needs)) for e, _, t in texts]
        found["added"] = metrics.added_word_f1(rewrites)
        found["exact"] = metrics.exact_share(rewrites)
        if rows[0][0].referents or source not in REWRITES:
            found["resolution"] = metrics.resolution(
                metrics.ResolutionRow(e.message, e.referents, e.expanded, t, " ".join(line.text for line in e.context))
                for e, _, t in texts
                if e.needs
            )
    if any(e.intents for e, _ in rows):
        intents = [
            metrics.IntentRow(e.intents[0], e.intents[1:], max(j.intents, key=lambda n: j.intents[n]))
            for e, j in rows
            if e.intents
        ]
        found["intent"] = metrics.intent_accuracy(intents)
        found["macro"] = metrics.intent_macro_f1(intents)
    if rows[0][0].entities is not None:
        found["spans"] = metrics.set_f1(
            ({s for s, _ in e.entities or ()}, {s for s, _, _ in j.entities}) for e, j in rows
        )
        found["kinds"] = metrics.set_f1((set(e.entities or ()), {(s, k) for s, k, _ in j.entities}) for e, j in rows)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--written", type=Path, default=Path(__file__).parent / "conversations")
    parser.add_argument("--needs", type=float, default=0.5)
    parser.add_argument("--errors", type=int, default=0)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    by_source: dict[str, list[tuple[Example, Judgement]]] = defaultdict(list)
    for example, judged in read(options.folder, examples(options.data, options.written)):
        by_source[example.source].append((example, judged))
    for source, rows in sorted(by_source.items()):
        if options.only and source not in options.only.split(","):
            continue
        told = figures(rows, options.needs)
        print(
            f"{source:13}{len(rows):5}", *(f"{name} {value:.3f}" for name, value in told.items() if value is not None)
        )
        shown = 0
        for example, judged in rows:
            if shown >= options.errors:
                break
            if example.needs or judged.needs >= options.needs:
                text = rewritten(example, judged, options.needs)
                print(
                    f"   {judged.needs:.2f} {example.message[:150]!r} -> {text[:220]!r}"
                    f" | {example.expanded[:220]!r} {example.referents}"
                )
                shown += 1


if __name__ == "__main__":
    main()
