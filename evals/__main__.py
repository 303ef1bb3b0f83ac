"""`python -m evals`: run the tasks over the data folder and print their figures beside the last committed ones."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

import anaphora
from anaphora.errors import FormatError, MissingExtra
from anaphora.models.reader import BundledReader
from anaphora.ports import Clock
from evals import ablation, data, table, tasks

__all__ = ["main"]

DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data"
BAD_USE = 2


FOLDS = 4
LEARNED = ("devchat", "codechat", "gecor", "cast", "canard")  # what the reader that ships has learned from


def fresh_memory(
    clock: Clock,
    *,
    store: str = ":memory:",
    user: str = "me",
    row: str = "",  # noqa: ARG001 - every row is read by the same reader
    session: str = "main",
) -> tasks.MemoryLike:
    return anaphora.open(store, user=user, clock=clock, session=session, background=False)


class Crossed:
    """Opens each row with a reader that did not learn from it: `FOLDER/0` left out the rows of fold 0, and so on; for
    what is held back in any case, the one that ships."""

    def __init__(self, folder: Path) -> None:
        self._readers = [BundledReader(folder / str(fold)) for fold in range(FOLDS)]

    def of(self, task: str) -> tasks.OpenMemory:
        file = {"learning": "devchat", "learning_codechat": "codechat"}.get(task, task)
        if file not in LEARNED:
            return fresh_memory

        def open_crossed(
            clock: Clock, *, store: str = ":memory:", user: str = "me", row: str = "", session: str = "main"
        ) -> tasks.MemoryLike:
            group = f"{file}-{row}" if file in ("devchat", "codechat") else data.dialogue_of(row)
            reader = self._readers[data.fold_of(group, FOLDS)]
            return anaphora.open(store, user=user, clock=clock, reader=reader, session=session, background=False)

        return open_crossed


def main(
    argv: Sequence[str] | None = None,
    *,
    open_memory: tasks.OpenMemory = fresh_memory,
    results: Path = table.RESULTS,
) -> int:
    """Run from a command line; the exit code. 2 means that nothing was run, and standard error says why."""
    options = _parser().parse_args(argv)
    names = _names(options.only, full=options.full)
    complaint = _complaint(options, names)
    if complaint:
        print(complaint, file=sys.stderr)
        return BAD_USE
    if options.ablate:
        return _ablate(options, open_memory)
    try:
        committed = table.read_results(results)
        found = _run(names, options, open_memory)
    except FormatError as error:
        print(error, file=sys.stderr)
        return BAD_USE
    _print(found, committed, options)
    if options.write:
        table.write_results(results, found)
    return 0


def _ablate(options: argparse.Namespace, open_memory: tasks.OpenMemory) -> int:
    console = Console(stderr=True)
    chats = data.read_chats(options.data / tasks.TASKS[options.ablate].file)[: options.limit or None]
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        found = ablation.ablate(progress.track(chats, description=options.ablate), open_memory)
    if options.json:
        print(json.dumps(found, indent=2))
    else:
        Console().print(ablation.table(found))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evals", description=__doc__)
    parser.add_argument(
        "--data", type=Path, default=DATA, metavar="DIR", help="the data folder, by default ../shared/data"
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument(
        "--readers",
        type=Path,
        metavar="DIR",
        help="cross-validate: folders 0 to 3 with readers that each left out a quarter (see training/README.md); "
        f"the reader that ships has learned from {', '.join(LEARNED)}",
    )
    parser.add_argument("--errors", type=_count, default=0, metavar="N", help="show N misses of each metric")
    parser.add_argument("--only", default="", metavar="TASK,…", help=f"of {', '.join(tasks.TASKS)}")
    parser.add_argument("--limit", type=_count, default=0, metavar="N", help="take N rows of each file")
    parser.add_argument("--full", action="store_true", help="all rows, and the tasks that otherwise run by name alone")
    parser.add_argument(
        "--ablate",
        choices=["recall", "people"],
        help="what each piece of evidence is worth: the same with one left out",
    )
    parser.add_argument("--write", action="store_true", help="make these the committed figures (evals/results.json)")
    return parser


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of rows")
    return int(text)


def _names(only: str, *, full: bool) -> list[str]:
    if only:
        return [name.strip() for name in only.split(",")]
    return [name for name, task in tasks.TASKS.items() if full or not task.on_request]


def _complaint(options: argparse.Namespace, names: Sequence[str]) -> str | None:
    """Why nothing can be run, in one line."""
    unknown = [name for name in names if name not in tasks.TASKS]
    if unknown:
        return f"No task is called {', '.join(unknown)}. There are {', '.join(tasks.TASKS)}."
    if options.write and options.limit:
        return "Figures of a limited run are not committed. Leave out --limit or --write."
    if options.readers and (broken := _broken(options.readers)):
        return f"The reader in {broken} cannot be run, and rules alone would be measured. Export it again."
    if not options.data.is_dir():
        return f"No data folder at {options.data}. {data.WHERE}"
    if not any((options.data / tasks.TASKS[name].file).is_file() for name in names):
        files = ", ".join(dict.fromkeys(tasks.TASKS[name].file for name in names))
        return f"The data folder {options.data} holds none of {files}. {data.WHERE}"
    return None


def _broken(folder: Path) -> Path | None:
    for fold in range(FOLDS):
        try:
            BundledReader(folder / str(fold)).judge("Is it there?", (), talk=False)
        except MissingExtra:
            return folder / str(fold)
    return None


def _run(names: Sequence[str], options: argparse.Namespace, open_memory: tasks.OpenMemory) -> dict[str, tasks.Result]:
    found: dict[str, tasks.Result] = {}
    console = Console(stderr=True)
    crossed = Crossed(options.readers) if options.readers else None
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        for name in names:
            task = tasks.TASKS[name]
            if not (options.data / task.file).is_file():
                console.print(f"Left out {name}: {options.data} holds no {task.file}.", soft_wrap=True, markup=False)
                continue

            def watch(rows: Sequence[Any], name: str = name) -> Iterable[Any]:
                return progress.track(rows, description=name)

            opened = crossed.of(name) if crossed else open_memory
            found[name] = tasks.run(
                task, options.data, opened, limit=options.limit or None, full=options.full, watch=watch
            )
    return found


def _print(found: dict[str, tasks.Result], committed: table.Committed, options: argparse.Namespace) -> None:
    if options.json:
        report = table.report(found)
        if options.errors:
            report["errors"] = {
                name: [asdict(miss) for miss in table.first_of_each(result.measured.misses, options.errors)]
                for name, result in found.items()
            }
        print(json.dumps(report, indent=2, sort_keys=True, ensure_ascii=False))
        return
    console = Console()
    console.print(table.figures_table(found, committed))
    for name, result in found.items():
        for line in table.miss_lines(name, table.first_of_each(result.measured.misses, options.errors)):
            console.print(line, markup=False, highlight=False, soft_wrap=True)


if __name__ == "__main__":
    sys.exit(main())
