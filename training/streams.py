"""Conversations written for training, in a form that people can read and write.

A file holds streams. A stream is what one person typed, in order, perhaps with the replies:

    # stream-name
    T: 0
    U: write a function that reverses a list
    R: def reverse_list(items): return items[::-1]
    B: yes
    I: PLAN
    T: 41
    U: make it work for strings
    B: no
    I: EXECUTE +CORRECT
    M: it => the reverse_list function
    X: make the reverse_list function work for strings

`T` (seconds since the stream began) and `R` (the reply) may be left out. `B` says whether the
message starts another piece of work (yes, no, either), `I` what is wanted, with other readings
behind a plus, or `-` where nothing is: something is only told. `M` (one or more, the mention empty
for an ellipsis) and `X` (the message rewritten so that it stands alone) are there only where the
message needs what came before. A line that starts with no field goes on with the field above it.

    python -m training.streams FILE…        # checks files and counts what they hold
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

BOUNDARIES = ("yes", "no", "either")
INTENTS = ("PLAN", "EXECUTE", "CORRECT", "TEST", "ASK", "RESUME", "CLOSE")
TOLD = "-"  # in place of an intent
FIELD = re.compile(r"([TURBIMX]):(?: |$)")
WORD = re.compile(r"\w+")


@dataclass
class Turn:
    """One message of a stream, its reply and what a careful reader says of it."""

    user: str
    seconds: float | None = None
    reply: str = ""
    boundary: str = ""
    intent: str = ""
    also: list[str] = field(default_factory=list)
    references: list[tuple[str, str]] = field(default_factory=list)
    expanded: str = ""

    @property
    def needs_context(self) -> bool:
        return bool(self.expanded)


@dataclass
class Stream:
    name: str
    turns: list[Turn] = field(default_factory=list)


def read_streams(path: Path) -> list[Stream]:
    """Every stream of a file; what cannot be read is a ValueError that names the line."""
    streams: list[Stream] = []
    for number, key, text in _fields(path):
        where = f"{path.name}:{number}"
        if key == "#":
            streams.append(Stream(text))
            continue
        if not streams:
            raise ValueError(f"{where}: a field before the first stream")
        _take(streams[-1], key, text, where)
    return streams


def _fields(path: Path) -> Iterator[tuple[int, str, str]]:
    """(line number, field, text), continued lines joined."""
    current: tuple[int, str, list[str]] | None = None
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        named = FIELD.match(line)
        header = line.startswith("# ") and (current is None or current[1] in "#BIMX")
        if not named and not header:
            if current is not None and current[1] in "URX":
                current[2].append(line)
            elif line.strip():
                raise ValueError(f"{path.name}:{number}: not a field: {line[:60]}")
            continue
        if current is not None:
            yield current[0], current[1], "\n".join(current[2]).strip()
        current = (number, named[1], [line[named.end() :]]) if named else (number, "#", [line[2:]])
    if current is not None:
        yield current[0], current[1], "\n".join(current[2]).strip()


def _take(stream: Stream, key: str, text: str, where: str) -> None:
    if key == "T":
        stream.turns.append(Turn("", seconds=float(text)))
        return
    if key == "U" and not (stream.turns and not stream.turns[-1].user):
        stream.turns.append(Turn(""))
    if not stream.turns:
        raise ValueError(f"{where}: {key} before any message")
    turn = stream.turns[-1]
    if key == "U":
        turn.user = text
    elif key == "R":
        turn.reply = text
    elif key == "B":
        turn.boundary = text
    elif key == "I":
        turn.intent, *also = text.split()
        turn.also = [name.lstrip("+") for name in also]
    elif key == "M":
        mention, arrow, referent = text.partition("=>")
        if not arrow:
            raise ValueError(f"{where}: M needs 'mention => referent'")
        turn.references.append((mention.strip(), referent.strip()))
    elif key == "X":
        turn.expanded = text


def problems(streams: list[Stream]) -> Iterator[str]:
    """What a careful writer would want to be told."""
    for stream in streams:
        earlier = ""
        clock = -1.0
        for number, turn in enumerate(stream.turns, 1):
            where = f"{stream.name} turn {number} ({turn.user[:40]!r})"
            yield from (f"{where}: {fault}" for fault in _faults(turn, number, earlier))
            if turn.seconds is not None:
                if turn.seconds < clock:
                    yield f"{where}: time runs backwards"
                clock = turn.seconds
            earlier += f"\n{turn.user}\n{turn.reply}"


def _faults(turn: Turn, number: int, earlier: str) -> Iterator[str]:
    if not turn.user:
        yield "no message"
    if turn.boundary not in BOUNDARIES:
        yield f"boundary is {turn.boundary!r}"
    if number == 1 and turn.boundary != "yes":
        yield "the first message of a stream starts a conversation"
    for name in (turn.intent, *turn.also):
        if name not in (*INTENTS, TOLD):
            yield f"intent {name!r}"
    if bool(turn.references) != bool(turn.expanded):
        yield "M and X go together"
    for mention, _ in turn.references:
        if mention and mention.lower() not in turn.user.lower():
            yield f"mention {mention!r} is not in the message"
    if turn.expanded:
        added = {word.lower() for word in WORD.findall(turn.expanded)}
        added -= {word.lower() for word in WORD.findall(turn.user)}
        missing = [word for word in sorted(added) if len(word) > 3 and word not in earlier.lower()]
        if not added:
            yield "X adds no word"
        if len(missing) > max(1, len(added) // 2):
            yield f"X adds words that were never said: {', '.join(missing)}"


def main(paths: list[str]) -> int:
    found = 0
    for name in paths:
        streams = read_streams(Path(name))
        for problem in problems(streams):
            found += 1
            print(f"{name}: {problem}")
        turns = [turn for stream in streams for turn in stream.turns]
        later = [turn for stream in streams for turn in stream.turns[1:]]
        intents = Counter(turn.intent for turn in turns)
        print(
            f"{name}: {len(streams)} streams, {len(turns)} messages,"
            f" new {sum(turn.boundary == 'yes' for turn in later)}/{len(later)},"
            f" needs context {sum(turn.needs_context for turn in later)}/{len(later)},"
            f" intents {dict(intents.most_common())}"
        )
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
