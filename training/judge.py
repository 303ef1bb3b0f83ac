"""What readers say of conversations that were written after they had learned:

    python -m training.judge READERS --data DIR --written FOLDER --out judged-NAME.json.gz

READERS/0 to 3 are exported readers, as for `python -m evals --readers`; each stream is judged by the one that would
have left it out. The file goes beside those that `training.train` writes, for `training.fit`.
"""

from __future__ import annotations

import argparse
import gzip
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from anaphora.models.reader import BundledReader
from training.examples import Example, examples, fold_of
from training.score import lines_of
from training.sizes import FOLDS


def judged(example: Example, reader: BundledReader) -> dict[str, Any]:
    found = reader.judge(example.message, lines_of(example), talk=example.talk).pointed()
    told = {
        **{"new": found.new, "needs": found.needs, "intents": found.intents, "entities": found.entities},
        "gaps": [asdict(gap) for gap in found.gaps],
    }
    return {"source": example.source, "id": example.id, "judgement": told}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("readers", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--written", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    readers = [BundledReader(options.readers / str(fold)) for fold in range(FOLDS)]
    written = {path.name.split("-")[0] for path in options.written.glob("*.txt")}
    with gzip.open(options.out, "wt") as file:
        for example in examples(options.data, options.written):
            if example.source in written:
                file.write(json.dumps(judged(example, readers[fold_of(example.group, FOLDS)])) + "\n")


if __name__ == "__main__":
    main()
