"""What speaks for and against a boundary, and for a message needing its context: numbers that learned weights weigh."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from datetime import timedelta

from anaphora.function_words import FUNCTION_WORDS
from anaphora.ports import Judgement, Line
from anaphora.understanding.once import once
from anaphora.understanding.patterns import expression
from anaphora.understanding.signals import find_signals
from anaphora.understanding.text import NAMES_CODE, has_code

__all__ = [
    "GOING_ON",
    "boundary_evidence",
    "content_of",
    "duration",
    "is_note",
    "logit",
    "need_evidence",
    "only_tells",
    "passed",
    "pointed_evidence",
    "talk_evidence",
    "told_in_passing",
    "unprompted",
    "weighed",
]

GOING_ON = expression(
    r"^\W*(?:and|also|now|then|but|or|so|ok|okay|no|yes|instead|why|still|same|again|continue|go on|try|what about|"
    r"how about|let'?s (?:use|go with|keep|stick with))\b",
    re.IGNORECASE,
)
_OF_THE_WORK = expression(  # what is done with the work at hand: "commit with a sensible message", "run the tests"
    r"\W*(?:(?:ok(?:ay)?|good|great|nice|perfect|cool|thanks|works(?: now)?|green|done|now|and|then|please|can you)"
    r"[\s,.!]+){0,4}(?:commit|push|squash|rebase|stash|amend|ship it|"
    r"(?:open|create|make) (?:an?|the) (?:pr|pull request)|"
    r"run (?:(?:all|the|our) )*(?:tests?|test suite|linters?|lint|build|mypy|benchmarks?)|"
    r"(?:re)?run (?:it|them|that))\b",
    re.IGNORECASE,
)
_TOLD = ("preference", "constraint", "fact", "remember")
_TOLD_IN_PASSING = (*_TOLD, "completion")
_TELLING = ("PLAN", "EXECUTE", "CORRECT", "TEST", "ASK", "CLOSE")
_NOTED = ("action", "completion", "decision")
_NOTE = expression(
    r"\W*(?:(?P<label>(?:todo|to-do|pending|next|done|fixed|decision)\b[^:\n]{0,12}:)|"
    r"(?P<done>(?:finished|completed|fixed|deployed|shipped|implemented|merged)\b)|using\b)",
    re.IGNORECASE,
)
_IS_SOMEWHERE = expression(  # "I am near a river", and not "I'm at a loss"
    r"\s*(?:i|we)(?:['’]m| am|['’]re| are) (?:(?:just|still|now|already|currently|right) )*"
    r"(?:in|at|near|by|inside|outside|behind|beside|close to|next to) "
    r"(?:(?:an?|the|my|our) (?!(?:loss|hurry|rush|mess|mood|bind|position|process|middle|end|point|same|dark|market|"
    r"crossroads|standstill)\b)\w+(?: \w+)?|(?-i:[A-Z])\w+)(?: (?:now|already|today|right now))?[.!]?\s*$",
    re.IGNORECASE,
)
_POINTING = expression(r"\b(?:it|its|this|that|these|those|them|they|here|there)\b", re.IGNORECASE)
_BESIDE = expression(r"\b(?:same|instead|also|again|still|above|previous|other|another|more|else)\b", re.IGNORECASE)
_DEFINITE = expression(r"\bthe\b", re.IGNORECASE)
_WORD = expression(r"\w+")
_PLAIN_WORD = expression(r"[a-z0-9_]+")
_IDENTIFIER = expression(r"\b(?:[A-Za-z]\w*_\w+|[a-z]+[A-Z]\w*|[A-Za-z_]\w+(?=\())")
_SOME = 4  # words that may make a sentence
_SENTENCE = 16  # words of a sentence that is no story
_LONG = expression(rf"(?:\W*+\w++){{{_SENTENCE + 1}}}")
_MORE = expression(r"\?|[.!:;]\s|\n")
_LATELY = 10  # lines that count as said lately
_CODE_READ = 4_000  # characters of a line that are searched for names
_SHORTEST_GAP, _LONGEST_GAP = 20.0, 900.0  # seconds between which a gap speaks louder the longer it is


def boundary_evidence(
    text: str, judged: Judgement, lines: Sequence[Line], gap: float, usual: float | None
) -> dict[str, float]:
    """`gap` is the time since the last message in seconds, `usual` what it mostly is for this user."""
    said = content_of(text)
    mine = next((content_of(line.text) for line in reversed(lines) if line.mine), frozenset[str]())
    reply = next((content_of(line.text) for line in reversed(lines) if not line.mine), frozenset[str]())
    lately = _said_lately(lines)
    waited = math.log1p(min(max(gap, _SHORTEST_GAP), _LONGEST_GAP))
    reads_new, needs = logit(judged.new), logit(judged.needs)
    known = _share(said, lately)
    return {
        "reads_new": reads_new,
        "needs": needs,
        "gap": waited,
        "rhythm": waited - math.log1p(usual) if usual is not None else 0.0,
        "of_last": _share(said, mine),
        "of_reply": _share(said, reply),
        "of_all": known,
        "strange": float(not said & lately),
        "length": math.log1p(len(_WORD.findall(text))),
        "going_on": float(bool(GOING_ON.match(text) or _OF_THE_WORK.match(text))),
        "code": float(has_code(text)),
        "opening": float(sum(line.mine for line in lines) == 1),
        "points": max((g.probability for g in judged.gaps), default=0.0),
        "new_and_known": reads_new * known,
        "needs_and_gap": judged.needs * waited,
        **{f"is_{name.lower()}": judged.intents[name] for name in _TELLING},
    }


def talk_evidence(text: str, judged: Judgement, lines: Sequence[Line]) -> dict[str, float]:
    """The same among people: whoever goes on takes up words of what was said just before."""
    said = content_of(text)
    return {
        "reads_new": logit(judged.new),
        "of_last": _share(said, content_of(lines[-1].text) if lines else frozenset()),
        "of_all": _share(said, _said_lately(lines)),
    }


def need_evidence(text: str, judged: Judgement, lines: Sequence[Line], new: float) -> dict[str, float]:
    """`new` is how likely the message begins something new. Names that were used before are looked for in what was said
    lately, in code too."""
    said, words = content_of(text), len(_WORD.findall(text))
    lately = _said_lately(lines)
    named = _identifiers(text)
    named_before = bool(named) and any(named & _identifiers(line.text) for line in lines[-_LATELY:])
    needs, code = logit(judged.needs), float(has_code(text))
    points, beside = bool(_POINTING.search(text)), bool(_BESIDE.search(text))
    going_on = bool(GOING_ON.match(text))
    # "it", "same", "also" and the like say that something came before; "he" and "both" the reader judges
    strange, plain = float(not said & lately), float(not (points or beside or going_on))
    told = float(_tells(text)) * plain
    return {
        "strange": strange,
        "plain": plain,
        "strange_and_plain": strange * plain,
        "told": told,
        "needs_of_told": needs * told,
        "needs_of_strange": needs * strange * plain,
        "needs": needs,
        "reads_new": logit(judged.new),
        "new": logit(new),
        "gap": max((gap.probability for gap in judged.gaps), default=0.0),
        "gaps": sum(gap.probability for gap in judged.gaps),
        "named_before": float(named_before),
        "known": _share(said, lately),
        "length": math.log1p(words),
        "points": float(points),
        "beside": float(beside),
        "definite": float(bool(_DEFINITE.search(text))),
        "going_on": float(going_on),
        "code": code,
        "needs_of_code": needs * code,
        "first": float(not lines),
        "answered": float(any(not line.mine for line in lines[-2:])),
        "question": float("?" in text),
        "is_plan": judged.intents["PLAN"],
        "is_ask": judged.intents["ASK"],
        "is_correct": judged.intents["CORRECT"],
    }


def _said_lately(lines: Sequence[Line]) -> frozenset[str]:
    return frozenset[str]().union(*(content_of(line.text) for line in lines[-_LATELY:]))


def _tells(text: str) -> bool:
    """Whether it tells what is so, or what is wanted from now on."""
    return any(signal.kind in _TOLD for signal in find_signals(text))


def told_in_passing(text: str) -> bool:
    """Whether all of a message is one short sentence that tells what is so, what is wanted from now on, or what is
    done; or a note."""
    if is_note(text):
        return True
    return _is_short(text) and (
        any(signal.kind in _TOLD_IN_PASSING for signal in find_signals(text)) or _IS_SOMEWHERE.match(text) is not None
    )


def is_note(text: str) -> bool:
    """Whether all of a message is a short note of one's own, with nothing in it that points back: "TODO: call Karel",
    "Fixed login redirect", "Using pnpm instead of npm"."""
    note = _NOTE.match(text)
    if note is None or not _is_short(text[note.end("label") if note["label"] else 0 :]) or _POINTING.search(text):
        return False
    return bool(note["done"]) or any(signal.kind in _NOTED for signal in find_signals(text))


def only_tells(text: str) -> bool:
    """Whether that is so, or all it does is to take something back: it counts whichever conversation it belongs to."""
    return told_in_passing(text) or (_is_short(text) and any(s.kind == "withdrawal" for s in find_signals(text)))


def _is_short(text: str) -> bool:
    return not _LONG.match(text) and not _MORE.search(text.strip())


def unprompted(text: str, evidence: Mapping[str, float]) -> bool:
    """Whether a message of some words neither points back nor speaks of anything that was talked about."""
    return bool(evidence["strange_and_plain"]) and len(_WORD.findall(text)) >= _SOME


def pointed_evidence(judged: Judgement) -> dict[str, float]:
    """How surely the message points to any word at all: dear to find out, so only asked for where the rest leaves it
    open."""
    surest = max((word.probability for gap in judged.gaps for word in gap.words), default=0.0)
    return {"pointed": surest, "pointed_in_doubt": surest * (1 - judged.needs)}


def weighed(evidence: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The probability that the evidence amounts to."""
    score = weights["bias"] + sum([weights[name] * value for name, value in evidence.items()])
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


@once
def content_of(text: str) -> frozenset[str]:
    """The words that carry a topic, without their plural."""
    said = _PLAIN_WORD.findall(text.lower())
    return frozenset([word.rstrip("s") for word in said if len(word) > 1 and word not in FUNCTION_WORDS])


@once
def _identifiers(text: str) -> frozenset[str]:
    read = text[:_CODE_READ]
    return frozenset(_IDENTIFIER.findall(read) if NAMES_CODE.search(read) else ())


def logit(probability: float) -> float:
    return math.log((probability + 1e-4) / (1 - probability + 1e-4))


def passed(gap: timedelta, *, long: bool) -> str:
    """How long ago the last message was, in words; `long` where that speaks for something new."""
    says = f"{duration(gap)} have passed"
    says = (
        says.replace("1 minute have", "a minute has")
        .replace("1 hour have", "an hour has")
        .replace("1 day have", "a day has")
    )
    return says if long else f"only {says}"


def duration(gap: timedelta) -> str:
    """A stretch of time in its largest unit."""
    minutes = max(0, int(gap.total_seconds() // 60))
    for size, unit in ((1440, "day"), (60, "hour"), (1, "minute")):
        if minutes >= size:
            count = minutes // size
            return f"{count} {unit}{'s' if count != 1 else ''}"
    return "seconds"


def _share(said: frozenset[str], known: frozenset[str]) -> float:
    return len(said & known) / max(1, len(said))
