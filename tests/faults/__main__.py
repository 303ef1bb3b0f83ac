"""Run the faults and print one table: `python -m tests.faults [NAME…] [--full] [--store PLACE]`.

PLACE is a path or a URL of a store; what concerns the files of SQLite alone then runs only where it is named. The exit
status is 1 if a bar is missed. What could not be tried is said so, loudly.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.faults import (
    Finding,
    full_disk,
    hooks,
    killed_compaction,
    killed_writers,
    many_writers,
    shared_state,
    size,
    syncs,
)

Fault = Callable[[Path, str | None, bool], list[Finding]]


def _many(folder: Path, place: str | None, full: bool) -> list[Finding]:
    messages, updates = (2000, 500) if full else (100, 25)
    return many_writers.run(place or str(folder / "many.db"), processes=4, messages=messages, updates=updates)


def _shared(folder: Path, place: str | None, full: bool) -> list[Finding]:
    return shared_state.run(place or str(folder / "shared.db"), processes=4, threads=8, updates=50 if full else 5)


def _killed(folder: Path, place: str | None, full: bool) -> list[Finding]:
    return killed_writers.run(place or str(folder / "killed.db"), kills=50 if full else 5)


def _compaction(folder: Path, place: str | None, full: bool) -> list[Finding]:
    return killed_compaction.run(place or str(folder / "compacted.db"), kills=100 if full else 5)


def _syncs(folder: Path, place: str | None, full: bool) -> list[Finding]:
    return syncs.run(folder, messages=40) + syncs.run_traced(folder, messages=40)


def _full_disk(folder: Path, place: str | None, full: bool) -> list[Finding]:
    return full_disk.run(folder) + full_disk.run_mounted(folder)


def _size(folder: Path, place: str | None, full: bool) -> list[Finding]:
    return size.run(folder, messages=6000 if full else 300, most=12_000_000 if full else 800_000)


def _hooks(folder: Path, place: str | None, full: bool) -> list[Finding]:
    return hooks.run(folder, prompts=1000 if full else 40)


ANY_STORE: dict[str, Fault] = {"many": _many, "shared": _shared, "killed": _killed, "compaction": _compaction}
ALL = ANY_STORE | {"syncs": _syncs, "disk": _full_disk, "size": _size, "hooks": _hooks}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"some of: {', '.join(ALL)} (default: all)")
    parser.add_argument("--full", action="store_true", help="the full size; some minutes")
    parser.add_argument("--store", metavar="PLACE", help="a path or a URL (default: a new SQLite file)")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in ALL]
    if unknown:
        parser.error(f"unknown fault {unknown[0]!r}; choose from {', '.join(ALL)}")
    findings: list[Finding] = []
    for name in options.names or (ANY_STORE if options.store else ALL):
        begun = time.perf_counter()
        with TemporaryDirectory() as folder:
            findings += ALL[name](Path(folder), options.store, options.full)
        sys.stderr.write(f"{name}: {time.perf_counter() - begun:.0f} s\n")
    _show(findings)
    return int(any(finding.met is False for finding in findings))


def _show(findings: list[Finding]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("what", "measured", "bar", "met")
    for finding in findings:
        met = {True: "yes", False: "NO", None: "NOT TRIED"}[finding.met]
        table.add_row(finding.what, finding.measured, finding.bar, met)
    Console().print(table)


if __name__ == "__main__":
    sys.exit(main())
