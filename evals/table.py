"""The figures side by side: floor, last committed, new, change; and the file that holds the committed ones."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from anaphora.errors import FormatError
from evals.tasks import Miss, Result

__all__ = [
    "FLOORS",
    "RESULTS",
    "Committed",
    "figures_table",
    "first_of_each",
    "miss_lines",
    "read_results",
    "report",
    "write_results",
]

RESULTS = Path(__file__).with_name("results.json")
DIGITS = 4

# What simple methods reach by the same definitions (the data folder's README): less is no progress.
FLOORS: Mapping[str, Mapping[str, float]] = {
    "devchat": {"boundary_f1_forced": 0.79, "intent_accuracy": 0.88, "needs_context_f1": 0.38},
    "codechat": {"boundary_f1_forced": 0.53, "intent_accuracy": 0.86},
    "gecor": {"added_word_f1": 0.66},
    "cast": {"added_word_f1": 0.28},
    "canard": {"added_word_f1": 0.46},
    "tiage": {"f1": 0.20},
    "recall": {"recall@10": 0.415},
    "recall_shared": {"recall@10": 0.415},
    "contexts": {"kept_later": 0.25},
}
LESS_IS_BETTER = frozenset({"pk", "window_diff", "boundary_asks", "redacted_per_1000", "tokens_at_most"})
LONGEST_TEXT = 300


@dataclass(frozen=True, slots=True)
class Committed:
    """The figures of an earlier run, and on how many rows each task took them."""

    figures: Mapping[str, Mapping[str, float]]
    taken: Mapping[str, int]


def report(results: Mapping[str, Result]) -> dict[str, Any]:
    """The figures, rounded, and the rows they were taken on: what is committed and what `--json` prints."""
    return {
        "figures": {
            task: {name: round(figure, DIGITS) for name, figure in result.measured.figures.items()}
            for task, result in results.items()
        },
        "rows": {task: {"in_file": result.rows, "taken": result.taken} for task, result in results.items()},
    }


def read_results(path: Path) -> Committed:
    """The committed figures; none where nothing was committed yet."""
    held = _held(path)
    return Committed(held["figures"], {task: rows["taken"] for task, rows in held["rows"].items()})


def write_results(path: Path, results: Mapping[str, Result]) -> None:
    """Replace the figures of the tasks that ran; those of the others stay."""
    held, new = _held(path), report(results)
    merged = {part: held[part] | new[part] for part in ("figures", "rows")}
    path.write_text(json.dumps(merged, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def _held(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {"figures": {}, "rows": {}}
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
        return {"figures": dict(held["figures"]), "rows": dict(held["rows"])}
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError(
            f"{path} does not hold the figures of an earlier run.", remedy="Delete it, and run again with --write."
        ) from error


def figures_table(results: Mapping[str, Result], committed: Committed) -> Table:
    table = Table("task, rows", "metric", pad_edge=False)
    for heading in ("floor", "last", "new", "change"):
        table.add_column(heading, justify="right")
    for task, result in results.items():
        shown = [(name, figure) for name, figure in result.measured.figures.items() if _shown(name)]
        for index, (name, figure) in enumerate(shown):
            floor, last = FLOORS.get(task, {}).get(name), committed.figures.get(task, {}).get(name)
            # A figure on other rows says nothing about a change of the engine.
            like = last if committed.taken.get(task) == result.taken else None
            table.add_row(
                _label(task, result, index),
                name.removeprefix("recall") if "/" in name else name,
                _number(floor),
                _number(last),
                Text(_number(figure), style="red" if floor is not None and figure < floor else ""),
                _change(name, figure, like),
                end_section=index == len(shown) - 1,
            )
    return table


def _shown(metric: str) -> bool:
    """By category recall is shown at one depth; all of them are in the JSON."""
    return not metric.startswith("recall@") or "/" not in metric or metric.startswith("recall@10/")


def _label(task: str, result: Result, index: int) -> str:
    rows = f"{result.taken:,}" if result.taken == result.rows else f"{result.taken:,} of {result.rows:,}"
    return (task, rows)[index] if index < 2 else ""


def _number(figure: float | None) -> str:
    return "" if figure is None else f"{figure:.3f}"


def _change(metric: str, figure: float, last: float | None) -> Text:
    if last is None:
        return Text("")
    change = round(figure, DIGITS) - last
    if abs(change) < 0.0005:
        return Text("=")
    better = (change < 0) == (metric in LESS_IS_BETTER)
    return Text(f"{change:+.3f}", style="green" if better else "red")


def first_of_each(misses: Iterable[Miss], most: int) -> list[Miss]:
    """The first so many misses of each metric."""
    seen: Counter[str] = Counter()
    kept = []
    for miss in misses:
        seen[miss.metric] += 1
        if seen[miss.metric] <= most:
            kept.append(miss)
    return kept


def miss_lines(task: str, misses: Iterable[Miss]) -> list[str]:
    """Misses for people to read, a few lines each."""
    lines = []
    for miss in misses:
        lines.append(f"{task} · {miss.metric} · {miss.id}")
        lines += [f"  {name:<6} {_cut(text)}" for name, text in _parts(miss)]
    return lines


def _parts(miss: Miss) -> tuple[tuple[str, str], ...]:
    return ("said", miss.said), ("wanted", miss.wanted), ("got", miss.got)


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_TEXT else line[: LONGEST_TEXT - 1] + "…"
