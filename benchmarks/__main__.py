"""Run every benchmark and print one table: `python -m benchmarks [NAME…] [--json]`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable

from benchmarks import hearing, light, startup

Row = tuple[str, str, str]
ALL: dict[str, Callable[[], list[Row]]] = {"startup": startup.run, "hearing": hearing.run, "light": light.run}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"some of: {', '.join(ALL)} (default: all)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args()
    unknown = [n for n in options.names if n not in ALL]
    if unknown:
        parser.error(f"unknown benchmark {unknown[0]!r}; choose from {', '.join(ALL)}")
    rows = [(name, *row) for name in options.names or ALL for row in ALL[name]()]
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
