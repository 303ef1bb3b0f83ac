"""What in a message matters beyond it: decisions, constraints, goals, closings, errors, facts about the speaker."""

from __future__ import annotations

import re

from anaphora.types import Signal, SignalKind
from anaphora.understanding.text import mask

__all__ = ["find_signals", "is_closing"]


def _re(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_BECAUSE = re.compile(r"\b(?:because|since|as it|so that|in order to|due to)\b[ ,]*(.+)$", re.IGNORECASE)
_PATTERNS: tuple[tuple[SignalKind, re.Pattern[str]], ...] = (
    ("remember", _re(r"\b(?:remember|don'?t forget|keep in mind|note)(?: that| this)?\b[:, ]+(?P<x>.{3,})")),
    (
        "decision",
        _re(
            r"\b(?:let'?s|we(?:'ll| will| should)?|i(?:'ll| will)?) "
            r"(?P<x>(?:use|go with|stick with|switch to|choose|pick|keep) .+)"
            r"|\b(?:we|i)(?:'ve| have|'re| are)? (?:decided (?:on|to)|chose|settled on|going with) (?P<y>.+)"
            r"|\bdecision: (?P<z>.+)"
        ),
    ),
    (
        "constraint",
        _re(r"^(?P<x>(?!.*\?\s*$).*\b(?:must(?: not|n'?t)?|never|always|has to|have to|at most|at least)\b.+)"),
    ),
    ("completion", _re(r"^(?P<x>.*\b(?:is|are|'s) (?:done|finished|completed?|implemented|fixed|working now)\b.*)")),
    (
        "goal",
        _re(
            r"\b(?:i|we) (?:want|need|would like|plan|'d like) to (?P<x>(?!know|ask|see\b|understand).{3,})"
            r"|\b(?:my|our|the) goal is (?:to )?(?P<y>.{3,})"
        ),
    ),
    ("action", _re(r"\b(?:todo|next step|still (?:have|need) to|later we (?:should|need to))[:, ]+(?P<x>.{3,})")),
    ("preference", _re(r"\bi (?:prefer|like|love|hate|dislike|always use|usually use)\s+(?P<x>.{2,})")),
    (
        "fact",
        _re(r"\b(?P<x>my name is .{2,}|i(?:'m| am) (?:an?|from|based in) .{2,}|i (?:work|live) (?:at|in|for) .{2,})"),
    ),
)
_ERROR = re.compile(
    r"\bTraceback\b|\b\w*(?:Error|Exception)\b[:\s]|\berror:|\bwarning:|\bfail(?:s|ed|ing)\b|\bcrash(?:es|ed)?\b"
)
_CLOSING = _re(
    r"(?:(?:ok|okay|great|perfect|cool|nice|awesome|alright)[,. ]*)*"
    r"(?:i'?m done|(?:we'?re |all )?done|thanks?(?: you)?(?: (?:a lot|so much|very much|again))?|thx|ty|"
    r"that'?s (?:all|it)(?: for (?:now|today))?|bye|goodbye|see you(?: later)?|good night|never ?mind)"
    r"(?:[,. ]*(?:thanks?(?: you)?|bye|that'?s all|for now|then|everyone))*[.! ]*"
)
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?!\s|$)[^.!?\n]*)*[.!?]?")


def find_signals(text: str) -> tuple[Signal, ...]:
    """Every signal, in the order of the sentences."""
    found: list[Signal] = []
    if is_closing(text):
        return (Signal("closing", text.strip()),)
    for sentence in _SENTENCE.findall(mask(text)):
        found.extend(_signals_of(" ".join(sentence.split())))
    if _ERROR.search(text):
        line = next((ln.strip() for ln in text.splitlines() if _ERROR.search(ln)), "")
        found.append(Signal("error", line[:200]))
    return tuple(dict.fromkeys(found))


def is_closing(text: str) -> bool:
    """Whether the whole message says good-bye or that the work is done."""
    return _CLOSING.fullmatch(text.strip()) is not None


def _signals_of(sentence: str) -> list[Signal]:
    found: list[Signal] = []
    for kind, pattern in _PATTERNS:
        match = pattern.search(sentence)
        if match is None or (kind in ("decision", "goal") and sentence.rstrip().endswith("?")):
            continue
        said = next(v for v in match.groupdict().values() if v)
        reason = _BECAUSE.search(said) if kind == "decision" else None
        said = said if reason is None else said[: reason.start()]
        found.append(Signal(kind, said.strip(" ,.!"), reason[1].strip(" ,.!") if reason else None))
    return found
