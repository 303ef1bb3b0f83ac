"""What a task is, what it gives, and how it is run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from evals.tasks.replaying import OpenMemory

__all__ = ["Measured", "Miss", "Result", "Task", "known", "run"]

Row = TypeVar("Row")


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


def known(figures: Mapping[str, float | None]) -> dict[str, float]:
    """The figures that there is something to say about."""
    return {name: figure for name, figure in figures.items() if figure is not None}
