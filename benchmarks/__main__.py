"""Run the benchmarks and print one table: `python -m benchmarks [NAME…] [--json]`. Without a name, the quick ones."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from functools import partial

from benchmarks import (
    context,
    growth,
    hearing,
    hooks,
    importing,
    ingest,
    learning,
    light,
    peers,
    recall,
    rivals,
    startup,
    store,
)

Row = tuple[str, str, str]
QUICK: dict[str, Callable[[], list[Row]]] = {
    "startup": startup.run,
    "hearing": hearing.run,
    "learning": learning.run,
    "hooks": hooks.run,
    "light": light.run,
    "store": store.run,
    "context": context.run,
}
ALL = QUICK | {  # these take minutes, and run only when named
    "ingest": ingest.run,
    "importing": importing.run,
    "recall": recall.run,
    "growth": growth.run,
    "peers": peers.run,
    "rivals": rivals.run,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"some of: {', '.join(ALL)} (default: {', '.join(QUICK)})"
    )
    parser.add_argument("--megabytes", type=int, metavar="N", help="for importing: one size alone")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args()
    unknown = [n for n in options.names if n not in ALL]
    if unknown:
        parser.error(f"unknown benchmark {unknown[0]!r}; choose from {', '.join(ALL)}")
    works = ALL | ({"importing": partial(importing.run, (options.megabytes,))} if options.megabytes else {})
    try:
        rows = [(name, *row) for name in options.names or QUICK for row in works[name]()]
    except peers.NotInstalled as error:
        sys.stderr.write(f"{error}\n")
        return 2
    if options.json:
        print(json.dumps([dict(zip(("benchmark", "what", "measured", "bar"), row, strict=True)) for row in rows]))
        return 0
    from rich.console import Console
    from rich.table import Table

    table = Table("benchmark", "what", "measured", "bar")
    for row in rows:
        table.add_row(*row)
    Console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
