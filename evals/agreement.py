"""How far two who label agree: `python -m evals.agreement --data DIR`.

54 streams of the labelled chats were labelled a second time, after the same guide and without sight of the labels. Of
each message `labelled_again.jsonl` holds whether it was held to need its context, and the words that were put in."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from evals import data, metrics
from evals.__main__ import DATA

__all__ = ["Agreement", "agreement", "main"]

AGAIN = Path(__file__).parent / "labelled_again.jsonl"


class Agreement(NamedTuple):
    """The second labels by the metrics of the first; `of_labels` is what those reach themselves."""

    messages: int
    needs: float | None
    left_alone: float | None
    resolution: float | None
    of_labels: float | None


def agreement(folder: Path, name: str, again: Path = AGAIN) -> Agreement:
    """Of the chats of one file in the data folder."""
    rows = [json.loads(line) for line in again.read_text("utf-8").splitlines()]
    second = {row["id"]: row for row in rows if row["set"] == name}
    both = [(*one, second[one[0].id]) for one in _with_past(folder / f"{name}.jsonl") if one[0].id in second]
    needs = [(prompt.needs_context, bool(row["needs_context"])) for prompt, _, row in both]
    needing = [one for one in both if one[0].needs_context]
    return Agreement(
        len(both),
        metrics.f1(needs),
        metrics.left_alone(needs),
        metrics.resolution(
            _row(prompt, f"{prompt.text} {' '.join(row['adds'])}", past) for prompt, past, row in needing
        ),
        metrics.resolution(_row(prompt, prompt.expanded, past) for prompt, past, _ in needing),
    )


def _with_past(path: Path) -> Iterator[tuple[data.Prompt, str]]:
    for stream in data.read_streams(path):
        past = ""
        for prompt in stream.prompts:
            yield prompt, past
            past += f"\n{prompt.text}\n{prompt.reply}"


def _row(prompt: data.Prompt, predicted: str, past: str) -> metrics.ResolutionRow:
    return metrics.ResolutionRow(prompt.text, prompt.referents, prompt.expanded, predicted, past)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="the data folder")
    options = parser.parse_args()
    for name in ("devchat", "codechat"):
        if not (options.data / f"{name}.jsonl").is_file():
            parser.error(f"{name}.jsonl is not in {options.data}; name the data folder with --data.")
        found = agreement(options.data, name)._asdict()
        print(
            name,
            *(f"{key} {value}" if isinstance(value, int) else f"{key} {value:.3f}" for key, value in found.items()),
        )


if __name__ == "__main__":
    main()
