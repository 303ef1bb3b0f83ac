"""Fits the small weights that decide, from what the reader said of rows it had not learned from:

    python -m training.fit JUDGED-DIR --data DIR [--write]

Boundaries are fitted on real chats alone; what fills a gap on everything. The figures are cross-validated
over the same groups as the reader. `--write` makes `understanding/learned.py`.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

import numpy as np

from anaphora.ports import Judgement, Line
from anaphora.settings import Settings
from anaphora.understanding.at_length import are_weighed
from anaphora.understanding.evidence import (
    boundary_evidence,
    need_evidence,
    pointed_evidence,
    talk_evidence,
    weighed,
)
from anaphora.understanding.likely_words import about_evidence
from anaphora.understanding.reading import IN_DOUBT
from anaphora.understanding.rewriting import candidates, filled, written_out
from evals import metrics
from training.examples import BARE, REWRITES, Example, examples, fold_of
from training.score import lines_of, read
from training.sizes import FOLDS

REAL = ("devchat", "codechat")
LIKE = ("likedev", "likecode")  # written after them; no reader that judged one has seen the real stream it is after
NEEDED = Settings().need_threshold
# how much a row of these counts beside a real one
LIKE_REAL = 0.1  # of boundaries
OTHERS = {"gecor": 0.03, "cast": 0.03, "canard": 0.03, **dict.fromkeys(LIKE, 0.03)}
WRITTEN, AFTER_BARE = 0.02, 0.6
FILLING_OF = {**dict.fromkeys(REAL, 8.0), **dict.fromkeys(LIKE, 4.0)}
# what a word of these counts for what is meant: a memory mostly sees earlier messages as they were said
ABOUT_OF = {
    **{name + bare: weight for name in REAL for bare, weight in (("", 4.0), (BARE, 20.0))},
    **{name + bare: weight for name in LIKE for bare, weight in (("", 1.0), (BARE, 3.0))},
}
ABOUT_WRITTEN = 0.3
# The reader that ships has learned from more than those that left out a part: what it points to surely counts more.
SURER, AS_UNSURE = 0.4, 2.8
NEW_FROM = 0.44  # in both chats F1 is best below a half: few messages begin something, and a missed one costs more
TALK = "tiage_dev"  # people who talk with each other, whom no reader has learned from
TALK_FROM = 0.3
NO_TIME = 60.0  # seconds, where the data has no times: as if someone typed along
LEARNED = Path(__file__).parents[1] / "src" / "anaphora" / "understanding" / "learned.py"
Row = tuple[Example, Judgement, list[Line]]


def logistic(
    rows: Sequence[dict[str, float]], right: Sequence[float], weight: Sequence[float], l2: float
) -> dict[str, float]:
    """Newton's method on standardised evidence; the weights are for the evidence as it is."""
    names = list(rows[0])
    x = np.array([[row[name] for name in names] for row in rows])
    mean, spread = x.mean(0), x.std(0) + 1e-9
    z = np.c_[(x - mean) / spread, np.ones(len(x))]
    y, w = np.array(right, float), np.array(weight, float)
    beta = np.zeros(z.shape[1])
    penalty = np.r_[np.full(len(names), l2), 1e-9]
    for _ in range(30):
        p = 1 / (1 + np.exp(-np.clip(z @ beta, -30, 30)))
        gradient = z.T @ (w * (p - y)) + penalty * beta
        hessian = (z * (w * p * (1 - p))[:, None]).T @ z + np.diag(penalty)
        step = np.linalg.solve(hessian, gradient)
        beta -= step
        if np.abs(step).max() < 1e-6:
            break
    plain = beta[:-1] / spread
    return {"bias": float(beta[-1] - plain @ mean), **dict(zip(names, plain.tolist(), strict=True))}


def listwise(
    rows: Sequence[dict[str, float]], worth: Sequence[float], lists: Sequence[int], weight: Sequence[float], l2: float
) -> dict[str, float]:
    """Weights under which, within each list, what is worth most comes first: the softmax of the scores against the
    worth. Found by Newton's method."""
    names = list(rows[0])
    x = np.array([[row[name] for name in names] for row in rows])
    mean, spread = x.mean(0), x.std(0) + 1e-9
    z, lists_, w = (x - mean) / spread, np.array(lists), np.array(weight)
    order = np.argsort(lists_, kind="stable")
    z, w, q = z[order], w[order], np.array(worth)[order] ** 5
    starts = np.r_[0, np.flatnonzero(np.diff(lists_[order])) + 1]
    sizes = np.diff(np.r_[starts, len(z)])
    spread_over = np.repeat(np.arange(len(starts)), sizes)
    q = q / np.maximum(np.add.reduceat(q, starts), 1e-9)[spread_over]
    live = np.add.reduceat(q, starts)[spread_over] > 0.5
    w = w * live
    beta = np.zeros(len(names))
    for _ in range(25):
        scores = z @ beta
        e = np.exp(scores - np.maximum.reduceat(scores, starts)[spread_over])
        p = e / np.add.reduceat(e, starts)[spread_over]
        gradient = z.T @ (w * (p - q)) + l2 * beta
        centred = z - np.add.reduceat(z * p[:, None], starts)[spread_over]
        hessian = (centred * (w * p)[:, None]).T @ centred + l2 * np.eye(len(names))
        step = np.linalg.solve(hessian, gradient)
        beta -= step
        if np.abs(step).max() < 1e-6:
            break
    return {"bias": 0.0, **dict(zip(names, (beta / spread).tolist(), strict=True))}


def usual_gaps(rows: Sequence[Example]) -> dict[str, float | None]:
    """For each message the median of the gaps before it in its stream, where there are three."""
    gaps: dict[str, list[float]] = defaultdict(list)
    usual: dict[str, float | None] = {}
    for example in sorted(rows, key=lambda e: (_stream_of(e), int(e.id.rsplit("-", 1)[1]))):
        before = gaps[_stream_of(example)]
        usual[example.id] = median(before) if len(before) >= 3 else None
        if example.context:
            before.append(NO_TIME if example.seconds is None else example.seconds)
    return usual


def _stream_of(example: Example) -> str:
    return example.id.rsplit("-", 1)[0]


def boundary_rows(rows: Sequence[Row]) -> tuple[list[dict[str, float]], list[bool], list[int]]:
    usual = usual_gaps([example for example, _, _ in rows])
    kept = [(e, j, lines) for e, j, lines in rows if e.boundary is not None]
    evidence = [
        boundary_evidence(e.message, j, lines, NO_TIME if e.seconds is None else e.seconds, usual[e.id])
        for e, j, lines in kept
    ]
    return evidence, [bool(e.boundary) for e, _, _ in kept], [fold_of(e.group, FOLDS) for e, _, _ in kept]


def crossed(
    evidence: Sequence[dict[str, float]],
    right: Sequence[bool],
    folds: Sequence[int],
    weight: Sequence[float],
    l2: float,
) -> list[float]:
    found = [0.0] * len(evidence)
    for fold in range(FOLDS):
        inside = [i for i, f in enumerate(folds) if f != fold]
        weights = logistic([evidence[i] for i in inside], [right[i] for i in inside], [weight[i] for i in inside], l2)
        for i, f in enumerate(folds):
            if f == fold:
                found[i] = weighed(evidence[i], weights)
    return found


def print_boundaries(l2: float, sources: Sequence[str], chances: Sequence[float], right: Sequence[bool]) -> None:
    for name in REAL:
        mine = [i for i, source in enumerate(sources) if source == name]
        f1 = metrics.f1((right[i], chances[i] >= NEW_FROM) for i in mine)
        unsure = sorted(mine, key=lambda i: abs(chances[i] - NEW_FROM))[: len(mine) * 12 // 100]
        asked = metrics.f1((right[i], right[i] if i in unsure else chances[i] >= NEW_FROM) for i in mine)
        edge = abs(chances[unsure[-1]] - NEW_FROM)
        print(f"boundary l2={l2} {name}: forced {f1:.3f}, asked {asked:.3f} with 12 % asks (within {edge:.2f})")


def talk_weights(rows: Sequence[Row]) -> dict[str, float]:
    """Where people turn to something else."""
    kept = [(e, talk_evidence(e.message, j, lines)) for e, j, lines in rows if e.boundary is not None]
    right, evidence = [bool(e.boundary) for e, _ in kept], [one for _, one in kept]
    ones, folds = [1.0] * len(kept), [fold_of(e.group, FOLDS) for e, _ in kept]
    crossed_ = crossed(evidence, right, folds, ones, 4.0)
    for at in (0.2, 0.25, 0.3, 0.35, 0.4):
        f1 = metrics.f1(zip(right, (p >= at for p in crossed_), strict=True))
        print(f"boundary {TALK} from {at}: {f1:.3f}")
    weights = logistic(evidence, right, ones, 4.0)
    weights["bias"] -= float(np.log(TALK_FROM / (1 - TALK_FROM)))
    return weights


class Need(NamedTuple):
    """One message, and what speaks for its needing what was said before."""

    source: str
    fold: int
    evidence: dict[str, float]
    pointed: dict[str, float]
    needs: bool
    read: float  # how likely the reader alone finds it

    @property
    def weight(self) -> float:
        """Real chats count; the rest keeps the weights from forgetting how others talk."""
        name = self.source.removesuffix(BARE)
        full = 1.0 if name in REAL else OTHERS.get(name, WRITTEN)
        return full * (1.0 if name == self.source else AFTER_BARE)


def need_rows(by_source: Mapping[str, Sequence[Row]], boundary: Sequence[Mapping[str, float]]) -> list[Need]:
    """`boundary` are the weights of each fold."""
    usual = usual_gaps([example for name in (*REAL, *LIKE) for example, _, _ in by_source[name]])
    found = []
    for source, rows in by_source.items():
        for example, judged, lines in rows:
            if example.needs is None:
                continue
            fold = fold_of(example.group, FOLDS)
            gap = NO_TIME if example.seconds is None else example.seconds
            rhythm = usual.get(example.id) if source in (*REAL, *LIKE) else None
            new = weighed(boundary_evidence(example.message, judged, lines, gap, rhythm), boundary[fold])
            evidence = need_evidence(example.message, judged, lines, new if lines else 0.99)
            pointed = evidence | pointed_evidence(judged)
            found.append(Need(source, fold, evidence, pointed, bool(example.needs), judged.needs))
    return found


def need_weights(rows: Sequence[Need], fold: int | None = None) -> tuple[dict[str, float], dict[str, float]]:
    """For what is known at once, and for where the message was also found to point."""
    kept = [row for row in rows if row.fold != fold]
    right, weight = [float(row.needs) for row in kept], [row.weight for row in kept]
    return (
        logistic([row.evidence for row in kept], right, weight, 4.0),
        logistic([row.pointed for row in kept], right, weight, 4.0),
    )


def print_needs(rows: Sequence[Need]) -> None:
    by_fold = [need_weights(rows, fold) for fold in range(FOLDS)]

    def likely(row: Need) -> float:
        first, pointed = by_fold[row.fold]
        at_once = weighed(row.evidence, first)
        return at_once if at_once < IN_DOUBT else weighed(row.pointed, pointed)

    for source in sorted({row.source for row in rows}):
        mine = [row for row in rows if row.source == source]
        pairs = [(row.needs, likely(row) >= NEEDED) for row in mine]
        read = metrics.f1((row.needs, row.read >= NEEDED) for row in mine)
        alone = metrics.left_alone(pairs)
        if read is not None and alone is not None:
            print(f"needs {source}: {metrics.f1(pairs):.3f}, by the reader alone {read:.3f}; left alone {alone:.3f}")


def wanted_words(example: Example) -> tuple[frozenset[str], float, float]:
    """The words that a filling should add, how many of them are enough, and how many words are too many."""
    wanted = example.left_out()
    if example.source.removesuffix(BARE) in REWRITES:
        return wanted, 0.75, 1.6 * len(wanted) + 1
    return wanted, 0.6, max(6, 2 * len(metrics.added_words(example.message, example.expanded)))


def filling_rows(rows: Sequence[Row]) -> tuple[list[dict[str, float]], list[float], list[int], list[float], list[int]]:
    evidence: list[dict[str, float]] = []
    right: list[float] = []
    folds: list[int] = []
    weight: list[float] = []
    lists: list[int] = []
    for number, (example, judged, lines) in enumerate(rows):
        wanted, enough, most = wanted_words(example)
        if not (example.needs and judged.gaps and lines and wanted) or are_weighed(lines):
            continue
        gap = max(judged.gaps, key=lambda g: g.probability)
        if example.edits and len(example.edits) > 1:
            edit = min(example.edits, key=lambda e: abs(e.span[0] - gap.span[0]))
            if abs(edit.span[0] - gap.span[0]) > 3:
                continue
            meant = " ".join(example.context[line].text[a:b] for line, (a, b) in edit.sources)
            wanted = metrics.content_words(meant) - metrics.content_words(example.message)
            if not wanted:
                continue
        for (line, (start, end)), one in candidates(example.message, judged, gap, lines).items():
            added = metrics.content_words(lines[line].text[start:end]) - metrics.content_words(example.message)
            evidence.append(one)
            f1 = 2 * len(wanted & added) / (len(wanted) + len(added))
            passed = len(wanted & added) >= enough * len(wanted) and len(added) <= most
            right.append(f1 if example.source.removesuffix(BARE) in REWRITES else 0.5 * f1 + 0.5 * passed)
            folds.append(fold_of(example.group, FOLDS))
            weight.append(FILLING_OF.get(example.source.removesuffix(BARE), 1.0))
            lists.append(number)
    return evidence, right, folds, weight, lists


def about_rows(rows: Sequence[Row]) -> tuple[list[dict[str, float]], list[float], list[float], list[int]]:
    """The words of the context of each message that needs it, and whether they belong to what it points to."""
    evidence: list[dict[str, float]] = []
    right: list[float] = []
    weight: list[float] = []
    folds: list[int] = []
    for example, judged, lines in rows:
        if not (example.needs and example.referents and lines and are_weighed(lines)):
            continue
        wanted = metrics.content_words(" ".join(example.referents))
        for word, one in about_evidence(example.message, judged, lines).items():
            evidence.append(one)
            right.append(float(word in wanted))
            weight.append(ABOUT_OF.get(example.source, ABOUT_WRITTEN))
            folds.append(fold_of(example.group, FOLDS))
    return evidence, right, weight, folds


def told(rows: Sequence[Row], changed: Callable[[Example, Judgement, list[Line]], str]) -> dict[str, float | None]:
    texts = [(e, changed(e, j, lines)) for e, j, lines in rows]
    rewrites = [metrics.RewriteRow(e.message, e.expanded or e.message, t, bool(e.needs)) for e, t in texts]
    found = {
        "needs": metrics.f1((bool(e.needs), t != e.message) for e, t in texts),
        "left alone": metrics.mean(t == e.message for e, t in texts if not e.needs),
        "added": metrics.added_word_f1(rewrites),
        "exact": metrics.exact_share(rewrites),
    }
    if texts[0][0].source.removesuffix(BARE) not in REWRITES:
        found["resolution"] = metrics.resolution(
            metrics.ResolutionRow(e.message, e.referents, e.expanded, t, " ".join(line.text for line in e.context))
            for e, t in texts
            if e.needs
        )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--written", type=Path, default=Path(__file__).parent / "conversations")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    by_source: dict[str, list[Row]] = defaultdict(list)
    for example, judged in read(options.folder, examples(options.data, options.written)):
        by_source[example.source].append((example, judged, lines_of(example)))
    boundary_of = [row for name in (*REAL, *LIKE) for row in by_source[name]]

    evidence, right, folds = boundary_rows(boundary_of)
    sources = [e.source for e, _, _ in boundary_of if e.boundary is not None]
    counts = [1.0 if source in REAL else LIKE_REAL for source in sources]
    for l2 in (1.0, 4.0, 10.0):
        print_boundaries(l2, sources, crossed(evidence, right, folds, counts, l2), right)
    boundary = logistic(evidence, right, counts, 4.0)
    boundary["bias"] -= float(np.log(NEW_FROM / (1 - NEW_FROM)))
    usual = {
        name: float(np.mean([one[name] for one, source in zip(evidence, sources, strict=True) if source in REAL]))
        for name in evidence[0]
    }
    others = [[i for i, f in enumerate(folds) if f != fold] for fold in range(FOLDS)]
    each = [
        logistic([evidence[i] for i in inside], [right[i] for i in inside], [counts[i] for i in inside], 4.0)
        for inside in others
    ]
    talk = talk_weights(by_source[TALK])
    needs = need_rows(by_source, each)
    print_needs(needs)
    need, need_pointed = need_weights(needs)

    every = [
        row
        for name, rows in by_source.items()
        for row in rows
        if not name.endswith(BARE) and rows[0][0].needs is not None
    ]
    f_evidence, f_right, f_folds, f_weight, f_lists = filling_rows(every)
    print(f"{len(f_right)} fillings, {sum(f_right)} right")
    by_fold = []
    for fold in range(FOLDS):
        inside = [i for i, f in enumerate(f_folds) if f != fold]
        by_fold.append(
            listwise(
                [f_evidence[i] for i in inside],
                [f_right[i] for i in inside],
                [f_lists[i] for i in inside],
                [f_weight[i] for i in inside],
                2.0,
            )
        )
    a_evidence, a_right, a_weight, a_folds = about_rows([row for rows in by_source.values() for row in rows])
    about_by_fold = []
    for fold in range(FOLDS):
        inside = [i for i, f in enumerate(a_folds) if f != fold]
        about_by_fold.append(
            logistic([a_evidence[i] for i in inside], [a_right[i] for i in inside], [a_weight[i] for i in inside], 4.0)
        )
    for name, rows in sorted(by_source.items()):
        if rows[0][0].needs is None:
            continue

        def changed(e: Example, j: Judgement, lines: list[Line]) -> str:
            if j.needs < NEEDED:
                return e.message
            fold = fold_of(e.group, FOLDS)
            return written_out(e.message, filled(e.message, j, lines, by_fold[fold], about_by_fold[fold]))

        print(name, *(f"{k} {v:.3f}" for k, v in told(rows, changed).items() if v is not None))
    fill = listwise(f_evidence, f_right, f_lists, f_weight, 2.0)
    meant = logistic(a_evidence, a_right, a_weight, 4.0)
    meant["surely"] += SURER
    meant["bias"] += SURER * AS_UNSURE
    if options.write:
        write(
            {
                **{"BOUNDARY": boundary, "USUAL": usual, "TALK": talk, "NEED": need, "NEED_POINTED": need_pointed},
                **{"FILLING": fill, "ABOUT": meant},
            }
        )


def write(learned: Mapping[str, Mapping[str, float]]) -> None:
    names = ", ".join(f'"{name}"' for name in sorted(learned))
    parts = ['"""Learned weights. Made by `python -m training.fit`; not to be edited by hand."""\n']
    parts.append("from __future__ import annotations\n")
    parts.append(f"from collections.abc import Mapping\n\n__all__ = [{names}]\n")
    for name, weights in learned.items():
        lines = "".join(f'    "{key}": {value:.4f},\n' for key, value in weights.items())
        parts.append(f"{name}: Mapping[str, float] = {{\n{lines}}}\n")
    LEARNED.write_text("\n".join(parts), "utf-8")


if __name__ == "__main__":
    main()
