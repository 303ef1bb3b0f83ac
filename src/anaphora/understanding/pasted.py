"""Where the words of others begin in a message: a mail that is to be reviewed, a text to translate, a chat, a log.

What is pasted says nothing for the speaker: a decision in it is not decided here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from anaphora.function_words import word_set
from anaphora.understanding.patterns import any_case, expression

__all__ = ["own_lengths"]

_TEXT = (
    r"(?:grammar|spelling|wording|typos?|tone|sentences?|paragraphs?|texts?|e-?mails?|mails?|letter|messages?|draft|"
    r"abstract|essay|article|post|tweet|transcript|logs?|output|readme|bio|caption|poem|lyrics|speech|paper|chat|"
    r"thread|error|warning|exception|traceback|stack ?trace)"
)
_ON_TEXTS = r"(?:translate|proof-?read|re-?phrase|paraphrase|reword|summari[sz]e|transcribe)"
_ON_ANYTHING = (
    r"(?:rewrite|review|check|fix|correct|improve|edit|shorten|polish|explain|analy[sz]e|answer|look at|read)"
)
_THIS_TEXT = (
    rf"(?:(?:this|these|the following|that|my|his|her|their) (?:[\w'-]+ ){{0,3}}?{_TEXT}|"
    rf"(?:the |an? )?(?:[\w'-]+ ){{0,2}}?{_TEXT} below|(?:the )?(?:grammar|spelling|wording|typos?|tone))\b"
)
_WORK = rf"(?:{_ON_TEXTS} [^:\n]{{2,80}}|{_ON_ANYTHING} (?:[^:\n]{{0,30}}\b)?{_THIS_TEXT}[^:\n]{{0,60}})"
_REPLY = r"(?:reply|respond|write back) to [\w ]{2,30}"
_SHOWN = rf"(?:here(?:'s| is| are)|this is|below is)(?: [\w']+){{0,4}}? {_TEXT}\b[^:\n]{{0,40}}"
_BEGINNING = r"\b(?=[abcefhilprstw])"  # of each of them: most words are ruled out by it
_UP_TO_COLON = any_case(rf"{_BEGINNING}(?:{_WORK}|{_REPLY}|{_SHOWN}):(?:\s+|$)")
_LINE = any_case(rf"{_BEGINNING}(?:{_WORK}|{_SHOWN})$")
_ENDS = any_case(rf"\b(?:this|these|following|below|{_TEXT})(?: for me| please| below| i got)*\W*$")
_TOLD = any_case(
    r"(?<![\w'])(?!(?:i|we)\b)[\w\ufffc]+(?: (?:just|also|then|once|always))? (?:said|says|told (?:me|us|them)|wrote|"
    r"writes|"
    r"posted|commented|replied|asked)(?: (?:in|on|to) [\w ]{2,30})?:(?:\s+|$)",
    needles="said|says|told|wrote|writes|posted|commented|replied|asked",
    dear=True,
)
_LOGGED = expression(
    r"\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|"
    r"\[?(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL|TRACE|CRITICAL)\b)"
)
_CHATTED = any_case(
    r"\s*(?:\[[\d:. apm]{4,20}\]\s*|\d{1,2}:\d\d(?: ?[ap]m)?\s+)?[<@]?(?P<who>[a-z][\w-]{1,19})>?"
    r"(?: ?\(\d[^)\n]{0,20}\))?:\s+(?P<speech>(?:i|i'm|i'll|we|we'll|we're|let's|lets|you|yes|yeah|yep|no|nope|ok|"
    r"okay|sure|hi|hey|"
    r"hello|thanks|can|could|should|what|why|how|but|and|so|that|it|it's|maybe|please|good|great|hmm+)\b)?"
)
_LABELS = word_set(
    "goal goals decision decisions todo note notes deadline budget rule rules constraint constraints requirement "
    "requirements plan question answer step option idea problem issue context background update status summary next "
    "then also first second third finally name title subject reason because result expected actual example warning "
    "monday tuesday wednesday thursday friday saturday sunday"
)
_UNREAD = " \ufffc"  # in a line that is all code
_ENOUGH = 2  # lines of which each begins with who says it

Until = Literal["", "paragraph", "end"]


def own_lengths(lines: Sequence[str]) -> Sequence[int]:
    """How many characters of each line are the speaker's own. `lines` are seen without quotations and code."""
    if len(lines) == 1 and ":" not in lines[0]:
        return [len(lines[0])]
    return list(
        _own(lines, {n for n, line in enumerate(lines) if len(lines) > 1 and _LOGGED.match(line)} | _chat(lines))
    )


def _own(lines: Sequence[str], others: set[int]) -> Iterator[int]:
    until: Until = ""
    last = max((n for n, line in enumerate(lines) if line.strip()), default=0)
    for n, line in enumerate(lines):
        if until == "paragraph" and not line.strip():
            until = ""
        if until or n in others:
            yield 0
            continue
        length, until = _own_part(line, lines[n + 1] if n < last else None)
        yield length


def _own_part(line: str, following: str | None) -> tuple[int, Until]:
    """How much of a line is the speaker's own, and how far what is not goes on. `following` is the next line, None
    where nothing follows."""
    if not line.strip(_UNREAD):
        return len(line), ""
    if ":" in line:
        if shown := _UP_TO_COLON.search(line):
            return shown.end(), "end"
        if told := _TOLD.search(line):
            return told.end(), "paragraph"
    if following is not None and _LINE.search(line) and (not following.strip() or _ENDS.search(line)):
        return len(line), "end"
    return len(line), ""


def _chat(lines: Sequence[str]) -> set[int]:
    """The lines of a talk among people, each of whom is named before what they say."""
    if len(lines) < _ENOUGH:
        return set()
    found = {n: match for n, line in enumerate(lines) if ":" in line and (match := _CHATTED.match(line))}
    said = {n: match for n, match in found.items() if match["who"].lower() not in _LABELS}
    return set(said) if sum(match["speech"] is not None for match in said.values()) >= _ENOUGH else set()
