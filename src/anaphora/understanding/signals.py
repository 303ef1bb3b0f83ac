"""What in a message matters beyond it: decisions, constraints, goals, closings, errors, facts about the speaker.

The speaker's own statements are read, clause by clause: what is asked, supposed, reported, quoted or code is not said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from anaphora.types import Signal
from anaphora.understanding import signal_shapes as shapes
from anaphora.understanding.injections import find_injections
from anaphora.understanding.text import READ_AT_MOST, mask

__all__ = ["find_signals", "is_closing"]

_HIDDEN = "\ufffc"  # stands for each character of a quotation or of code within a sentence
_LONG = 2400  # characters of prose from which a message is taken to hold a pasted text between the speaker's own words
_SPOKEN = 500  # characters below which "note that" is said to the reader and not part of a pasted text
_KEPT = 240  # characters of a clause that are kept
_PRONOUNS = (
    (re.compile(r"\bI(?:['’]m| am)\b"), "they are"),
    (re.compile(r"\bI was\b"), "they were"),
    (re.compile(r"\bI(?=['’])"), "they"),
    (re.compile(r"\bI\b"), "they"),
    (re.compile(r"\bmyself\b", re.IGNORECASE), "themselves"),
    (re.compile(r"\bmy\b", re.IGNORECASE), "their"),
    (re.compile(r"\bmine\b", re.IGNORECASE), "theirs"),
    (re.compile(r"\bme\b", re.IGNORECASE), "them"),
)
_SPLITS = {
    "decision": re.compile(f"{shapes.REASON.pattern}|{shapes.PURPOSE}", re.IGNORECASE),
    "constraint": shapes.REASON,
    "preference": shapes.REASON,
}
_ANNOUNCES = re.compile(r"\b(?:following|these|two|three|four|five|\d+)\b", re.IGNORECASE)
_TRAILING_IF = re.compile(r"\s(?:if|unless|in case|provided)\b(?! possible| needed| necessary)", re.IGNORECASE)


class _Clause(NamedTuple):
    """A clause as it was said, the same with quotations and code hidden, and the words that join it to the last."""

    said: str
    seen: str
    joined: str


def find_signals(text: str) -> tuple[Signal, ...]:
    """Every signal: what is said, in its order, then the error the message shows, then what looks like an injection."""
    if is_closing(text):
        return (Signal("closing", text.strip()),)
    injections = find_injections(text)
    error = _error_in(text)
    shown = text.find(error[:40]) if error else len(text)
    found: list[Signal] = []
    sentences = _own_sentences(text)
    spoken = len(text) < _SPOKEN
    for said, seen in sentences:
        if injections and find_injections(said):
            continue
        signals = _signals_of(said, seen, alone=len(sentences) == 1, spoken=spoken)
        # what comes after an error is mostly its output: "must be of the same size" is no wish of the speaker
        found.extend(s for s in signals if s.kind != "constraint" or text.find(said) < shown)
    if error:
        found.append(Signal("error", error))
    return tuple(dict.fromkeys([*found, *injections]))


def is_closing(text: str) -> bool:
    """Whether the whole message says good-bye or that the work is done."""
    return len(text) < 200 and shapes.CLOSING.fullmatch(text.strip().replace("’", "'")) is not None


# --- from a message to clauses ------------------------------------------------------------------------------------


def _own_sentences(text: str) -> list[tuple[str, str]]:
    """Sentences as said and as seen; of a long message those at its two ends, where people speak for themselves."""
    ends = [text] if len(text) <= READ_AT_MOST else [text[: READ_AT_MOST // 2], _from(text, len(text) - _LONG)]
    sentences = [pair for end in ends for pair in _sentences(end)]
    if sum(len(said) for said, _ in sentences) <= _LONG:
        return sentences
    first = _within(sentences, _LONG // 2)
    last = _within(sentences[first:][::-1], _LONG // 2)
    return sentences[:first] + sentences[max(first, len(sentences) - last) :]


def _from(text: str, place: int) -> str:
    """The rest of the text from a place; a code block that is open there stays one."""
    return ("```\n" if text.count("```", 0, place) % 2 else "") + text[place:]


def _within(sentences: list[tuple[str, str]], limit: int) -> int:
    total = 0
    for count, (said, _) in enumerate(sentences):
        total += len(said)
        if total > limit:
            return count
    return len(sentences)


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    lines = zip(text.splitlines(), mask(text).splitlines(), strict=False)
    for line, masked in lines:
        if not masked.strip() or shapes.TRANSCRIPT.match(line):
            continue
        seen = "".join(m if m != " " or o.isspace() else _HIDDEN for m, o in zip(masked, line, strict=False))
        seen = seen.replace("’", "'")
        for start, end in _pieces(seen, shapes.SENTENCE_BREAK):
            if seen[start:end].strip(f" {_HIDDEN}"):
                yield line[start:end], seen[start:end]


def _pieces(text: str, breaks: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    places = [0, *(place for found in breaks.finditer(text) for place in found.span()), len(text)]
    return ((start, end) for start, end in zip(places[::2], places[1::2], strict=True) if end > start)


def _clauses(said: str, seen: str) -> Iterator[_Clause]:
    """The clauses of a sentence, without the words that lead in; a reason keeps what is added to it by "and"."""
    pieces = list(_pieces(seen, shapes.CLAUSE_BREAK))
    merged: list[tuple[int, int]] = []
    for start, end in pieces:
        between = seen[merged[-1][1] : start].strip(" ,").lower() if merged else ""
        if merged and between == "and" and shapes.REASON.search(seen, *merged[-1]):
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    for before, (start, end) in pairwise([(0, 0), *merged]):
        lead = shapes.LEAD.match(seen[start:end])
        start += lead.end() if lead else 0
        subject = "I " if before[1] and shapes.SHARED_SUBJECT.match(seen, start) and seen[before[0]] in "Ii" else ""
        joined = seen[before[1] : start].strip(" ,").lower()
        yield _Clause(subject + said[start:end], subject + seen[start:end], joined)


# --- from clauses to signals --------------------------------------------------------------------------------------


def _signals_of(said: str, seen: str, *, alone: bool, spoken: bool) -> list[Signal]:
    asked = seen.rstrip(" \"')*").endswith("?")
    if asked and (tag := shapes.TAG.search(seen)):
        said, seen, asked = said[: tag.start()], seen[: tag.start()], False
    found: list[Signal] = []
    if not asked and (told := _to_remember(said, seen, spoken=spoken)):
        note, place = told
        found.append(Signal("remember", note))
        said, seen = said[place:], seen[place:]
    clauses = list(_clauses(said, seen))
    supposed, last = False, ""
    for number, clause in enumerate(clauses):
        if shapes.REPORTED.match(clause.seen):
            break
        if (asked and number == len(clauses) - 1) or shapes.QUESTION.match(clause.seen):
            supposed, last = False, ""
        elif shapes.CONDITION.match(clause.seen):
            supposed, last = True, ""
        else:
            why = _reason_before(clause, last)
            signal = _read(clause, why, supposed=supposed, alone=alone)
            found.extend([signal] if signal else [])
            supposed, last = False, _clean(clause.said)
    return found


def _to_remember(said: str, seen: str, *, spoken: bool) -> tuple[str, int] | None:
    """What is to be kept in mind, to the end of the sentence, and where it begins; documents are full of notes."""
    lead = shapes.LEAD.match(seen)
    start = lead.end() if lead else 0
    match = shapes.REMEMBER.match(seen, start) or (shapes.NOTE.match(seen, start) if spoken else None)
    note = _clean(said[match.start("x") :]) if match else ""
    return (note, match.start("x")) if match and _is_something(note) else None


def _reason_before(clause: _Clause, last: str) -> str | None:
    """“Keys rotate, so let's …” and “since keys rotate, let's …” give the reason first."""
    first = shapes.WHY_FIRST.fullmatch(last)
    if first:
        return first["x"]
    return last or None if re.search(r"\bso$", clause.joined) else None


def _read(clause: _Clause, why: str | None, *, supposed: bool, alone: bool) -> Signal | None:
    """The one thing that a clause says; what only may come to be still limits what is done, and no more."""
    if not supposed and (liking := _preference(clause)):
        return liking
    for kind, pattern, before in shapes.SHAPES:
        if supposed and kind != "constraint":
            continue
        match = pattern.match(clause.seen)
        if match is None or (kind == "decision" and _TRAILING_IF.search(clause.seen)):
            continue
        span = match.span("x" if match["x"] else "y")
        said, reason = _split(kind, clause.said[slice(*span)], clause.seen[slice(*span)])
        if _is_something(said):
            return Signal(kind, before + said, reason or (why if kind == "decision" else None))
    if alone and not supposed and shapes.COMMAND.fullmatch(clause.seen):
        said, reason = _split("decision", clause.said, clause.seen)
        return Signal("decision", said, reason)
    return None


def _preference(clause: _Clause) -> Signal | None:
    """A liking as it is said of somebody: the verb and its polarity stay, the person turns into the third."""
    for pattern, says in shapes.PREFERENCES:
        match = pattern.match(clause.seen)
        if match is None:
            continue
        named = match.groupdict()
        said, reason = _split("preference", clause.said[slice(*match.span("x"))], match["x"])
        if not _is_something(said):
            return None
        verb = (named.get("v") or "").lower()
        words = (named.get("a") or "", says, verb if says else _third_person(verb), _of_them(said))
        return Signal("preference", " ".join(" ".join(words).split()), reason and _of_them(reason))
    return None


def _split(kind: str, said: str, seen: str) -> tuple[str, str | None]:
    """The clause, and the reason that it gives."""
    breaks = _SPLITS.get(kind)
    match = breaks.search(seen) if breaks else None
    if match and ":" in match[0] and _ANNOUNCES.search(seen, 0, match.start()):
        match = None
    if match is None or not _clean(said[: match.start()]):
        return _clean(said), None
    return _clean(said[: match.start()]), _clean(said[match.end() :]) or None


def _clean(said: str) -> str:
    """Without what trails off and within bounds; brackets that were opened are closed or go."""
    words = " ".join(said.split())
    if len(words) > _KEPT:
        words = words[:_KEPT].rsplit(" ", 1)[0]
    tail = shapes.TAIL.search(words)
    cut = words[: tail.start()] if tail else words
    for opening, closing in ("()", "[]", '""', "''", "**"):
        if (
            tail
            and cut.count(opening) > (cut.count(closing) if opening != closing else 0)
            and words[len(cut) :].startswith(closing)
        ):
            if opening != closing or cut.count(opening) % 2:
                cut += closing
    return cut


def _is_something(said: str) -> bool:
    return any(c.isalnum() for c in said) and shapes.FILLER.fullmatch(said) is None


def _third_person(verb: str) -> str:
    if verb in ("have", "do", "go"):
        return {"have": "has", "do": "does", "go": "goes"}[verb]
    if verb.endswith(("s", "sh", "ch", "x", "z")):
        return verb + "es"
    return verb[:-1] + "ies" if verb.endswith("y") and verb[-2:-1] not in "aeiou" else verb and verb + "s"


def _of_them(said: str) -> str:
    for pattern, instead in _PRONOUNS:
        said = pattern.sub(instead, said)
    return said


# --- errors -------------------------------------------------------------------------------------------------------


def _error_in(text: str) -> str:
    """The line that says most about what went wrong: of a traceback the last, which names the error."""
    read = text if len(text) <= READ_AT_MOST + _LONG else f"{text[:READ_AT_MOST]}\n{text[-_LONG:]}"
    lines = read.splitlines()
    shown = [line for line in lines if shapes.ERROR_LINE.match(line)]
    if shown:
        return _line(shown[-1] if "Traceback (most recent" in read else shown[0])
    for line, masked in zip(lines, mask(read).splitlines(), strict=False):
        # a line of code tells what would be done about an error, not that there was one
        told = shapes.ERROR_SAID.finditer(line) if masked.strip() or "Traceback" in line else ()
        if any(not shapes.NO_ERROR.search(line[: match.start()]) for match in told):
            return _line(line)
    return ""


def _line(line: str) -> str:
    return " ".join(line.split())[:200]
