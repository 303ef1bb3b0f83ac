"""Stretches of a text that are torn nowhere: within one sentence, and no half of a name, of code or of a quotation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from anaphora.function_words import FUNCTION_WORDS
from anaphora.types import Span
from anaphora.understanding.ordinals import COUNTS
from anaphora.understanding.patterns import expression

__all__ = ["SENTENCE_END", "one_sentence", "untorn", "with_subject"]

SENTENCE_END = expression(  # begins with the mark, which is quick to look for
    r"[.?!](?<=[^\s.?!].)(?<!\be\.g.)(?<!\bi\.e.)(?<!\bvs.)(?<!\betc.)(?<!\bDr.)(?<!\bM[rs].)(?<!\bMrs.)"
    r"[.?!]{0,8}(?=\s)"
)
_BREAK = expression(  # items, code
    r"\n[ \t]*(?=[-*•–+#`>|]|\d+[.)])|\n[ \t]*\n\s*(?=[^\sa-z])|\n[ \t]{2,}"
)
_NAME = expression(r"[@~]?\w+(?:['’]\w+|[./:@+-]{1,3}\w+)*")
_OPENED = expression(r"[\w+#-]*\n\s*")
_WITHIN_NAME = expression(r"[\w'’./:@+~-]{2}")
_ENCLOSED = expression(r"`[^`\n]+`|\"[^\"\n]+\"|“[^”\n]{1,1000}”")
_NEXT = expression(r" ([a-z]+)\b")
_COUNT_BEFORE = expression(r"(?<![\w.,])\d[\d.,]* ?\Z")
_NUMBERED_DOES = expression(
    r"(?P<name>\bi?[A-Z][\w-]*(?: [\w-]+){0,3}? \d+[A-Za-z]{0,2}) "
    r"(?:(?:costs|weighs|has|is|was|needs|runs|comes|takes|supports|lasts|measures)\b"
    r"|[a-z]+s(?=\s+(?:about |only |around )?[~$€£]?\d))"
)
_PARTICLE = expression(r" (?:d[aeiou]|del|della|van|von|der|den|bin|al) (?:[a-z]{1,3} )?[A-Z][\w'’-]+")
_LAST_NAME = expression(r"(?:^|\W)[A-Z][\w'’-]*\Z")
_QUOTES = expression(  # "this sentence: …"
    r"\b(?:sentence|message|text|paragraph|e-?mail|line|phrase|tweet|caption|headline|title|comment|review|quote|note|post|"
    r"reply|letter|photo|picture|image|question|slogan)s?(?P<mark>:\s*[\"“])",
    re.IGNORECASE,
)
_UNIT = expression(r"(?:[kmc]?g|[mc]?l|[kcm]?m|px|ms|s|h|min|[kKMGT]i?B|%|euros?|dollars?|degrees)(?!\w)")
_ONE = expression(r"\w+")
_LETTER = expression(r"\w")
_BRACKETS = {")": "(", "]": "[", "}": "{"}
_FAR = 60  # characters that are looked at on each side, and what is enclosed may be long
_BRACKET = expression(r"[()\[\]{}]")
_READ = 1000  # characters of a line on each side that are searched for what is enclosed
_TELLS_WHICH = expression(r"(?<=\w)\s+(?:that|which|who) [a-z]+s?\Z")
_GOES_ON = expression(
    r" (?:in|on|up|to|as|with|by|from|into|for|out|off|down|at|after|before|when|the|an?)\b[^.,;:!?\n()]*"
)
_REST = 7  # words
_DOES = expression(r"[a-z]{2,}s (?:the|an?|no|my|your|our|its|their|it|them|all|each|every)\b")
_STARTS = expression(r"[.?!;:,]\s+|\n\s*")
_FEW_BEFORE = 4  # words
_MOST = 0.6
_FEW = 2  # words
_MOST_OF_CODE = 0.4
_HEAD = 0.1  # how surely the next word is pointed to, to belong to the name before it


def untorn(text: str, span: Span, likely: Mapping[Span, float]) -> Span:
    """The stretch as it can stand elsewhere: of items or lines of code the one that is pointed to most, with names and
    what is enclosed in marks whole. `likely` says how much each word is pointed to."""
    start, end = _most_pointed(text, _behind_fence(text, *span), likely, _BREAK)
    start, end = _whole_names(text, start, end)
    end = _with_counted(text, start, end)
    if (rest := _PARTICLE.match(text, end)) is not None and _LAST_NAME.search(text, start, end):  # "Leonardo da Vinci"
        end = rest.end()
    start = _with_count(text, start)
    end = _with_head(text, start, end, likely)
    end = _whole_relative(text, start, end)
    start, end = _whole_enclosures(text, start, end)
    start, end = _paired(text, start, end)
    start, end = _trimmed(text, start, end)
    start, end = _whole_code(text, start, _without_what_it_does(text, start, end))
    return (start, end) if _LETTER.search(text, start, end) else span


def _behind_fence(text: str, start: int, end: int) -> Span:
    """Without the mark that opens a piece of code and says in which language it is."""
    opened = _OPENED.match(text, start) if text.endswith("```", max(0, start - 3), start) else None
    return (opened.end(), end) if opened is not None and opened.end() < end else (start, end)


def one_sentence(text: str, span: Span, likely: Mapping[Span, float]) -> Span:
    """Of several sentences the one that most of what is pointed to stands in, if there is one, and nothing of a long
    quotation that it only begins."""
    found = _most_pointed(text, span, likely, SENTENCE_END)
    if _pointed(found, likely) < _MOST * _pointed(span, likely):
        return span
    found = _without_long(text, *found)
    return span if found == span else untorn(text, found, likely)


def with_subject(text: str, span: Span, _: Mapping[Span, float]) -> Span:
    """A stretch that begins with what someone does, from the start of the sentence on, if that is near: "sees the
    button" is "only the author sees the button"."""
    start, end = span
    if _DOES.match(text, start) is None:
        return span
    begins = max((end.end() for end in _STARTS.finditer(text, max(0, start - _FAR), start)), default=0)
    before = text[begins:start].split()
    subject = before[-1].lower() if before else "the"
    near = len(before) <= _FEW_BEFORE and begins > start - _FAR
    return (begins, end) if near and subject not in FUNCTION_WORDS else span


def _most_pointed(text: str, span: Span, likely: Mapping[Span, float], end_of_one: re.Pattern[str]) -> Span:
    start, end = span
    cuts = [match.span() for match in end_of_one.finditer(text, start, end)]
    starts, ends = [start, *(cut[1] for cut in cuts)], [*(cut[0] for cut in cuts), end]
    pieces = [(a, b) for a, b in zip(starts, ends, strict=True) if _LETTER.search(text, a, b)]
    return max(pieces, key=lambda piece: (_pointed(piece, likely), piece[1] - piece[0]), default=span)


def _pointed(piece: Span, likely: Mapping[Span, float]) -> float:
    return sum(chance for (a, b), chance in likely.items() if piece[0] <= a and b <= piece[1])


def _whole_names(text: str, start: int, end: int) -> Span:
    if not any(at and _WITHIN_NAME.match(text, at - 1) for at in (start, end)):
        return start, end
    around = text[max(0, start - _FAR) : end + _FAR]
    shift = max(0, start - _FAR)
    for name in _NAME.finditer(around):
        a, b = name.start() + shift, name.end() + shift
        if b - a <= _FAR:
            start, end = (a if a < start < b else start), (b if a < end < b else end)
    return start, end


def _with_counted(text: str, start: int, end: int) -> int:
    """Where a stretch ends that a number ends: behind what it counts."""
    last = text[start:end].rpartition(" ")[2].lower()
    counted = _NEXT.match(text, end) if last in COUNTS or last.isdecimal() else None
    return counted.end() if counted and counted[1] not in FUNCTION_WORDS else end


def _without_what_it_does(text: str, start: int, end: int) -> int:
    """Where a name ends that a number is part of, and that something is said of: "the Pixel 8" of "the Pixel 8 costs
    549 euros"; and where a request ends before the text that it quotes."""
    does = next((one for one in _NUMBERED_DOES.finditer(text, start, end + _FAR) if one.end() >= end), None)
    if does is not None and does.end() == end:
        return does.end("name")
    quotes = _QUOTES.search(text, start, end)
    return quotes.start("mark") if quotes is not None else end


def _with_count(text: str, start: int) -> int:
    """Where a stretch begins that a unit of measure begins: at the number before it, "300 g"."""
    count = _COUNT_BEFORE.search(text, max(0, start - _FAR), start) if _UNIT.match(text, start) else None
    return count.start() if count else start


def _with_head(text: str, start: int, end: int, likely: Mapping[Span, float]) -> int:
    """Where one word says of which kind the next one is, and that is pointed to as well, though less surely: behind it.
    "Flask" in "the Flask app" is the app, and "dark" in "dark mode" the mode."""
    after = _NEXT.match(text, end)
    if after is not None and after[1] in ("one", "ones"):
        return after.end()
    if after is None or after[1] in FUNCTION_WORDS or _ONE.fullmatch(text, start, end) is None:
        return end
    return after.end() if likely.get(after.span(1), 0.0) >= _HEAD else end


def _whole_relative(text: str, start: int, end: int) -> int:
    """Where a clause that tells which thing is meant goes on behind its verb: behind all of it, if that is not far, or
    else before it. "The test that logs" is the test that logs in as another user."""
    goes_on = _GOES_ON.match(text, end)
    which = _TELLS_WHICH.search(text, start, end) if goes_on else None
    if goes_on is None or which is None:
        return end
    return goes_on.end() if len(goes_on[0].split()) <= _REST else which.start()


def _whole_enclosures(text: str, start: int, end: int) -> Span:
    for a, b in _enclosures(text, start, end):
        if b - a <= _FAR:
            start, end = (a if a < start < b else start), (b if a < end < b else end)
    return start, end


def _whole_code(text: str, start: int, end: int) -> Span:
    """Of a piece of code all, where only marks are missing ("/var/log", "--no-cache") or most of a command is there."""
    first, last = text.rfind("`", max(0, start - _FAR), start), text.find("`", end, end + _FAR)
    code = text[first + 1 : last] if 0 <= first < last else ""
    if not code or "\n" in code or "`" in code or "`" in text[start:end] or text.count("`", 0, first) % 2:
        return start, end
    rest = text[first + 1 : start] + text[end:last]
    if not _LETTER.search(rest):
        return first + 1, last
    told = len(text[start:end].split())
    return (first, last + 1) if " " in code and told > 1 and told >= _MOST_OF_CODE * len(code.split()) else (start, end)


def _without_long(text: str, start: int, end: int) -> Span:
    for a, b in _enclosures(text, start, end):
        if b - a > _FAR:
            start, end = (min(b, end) if a < start < b else start), (max(a, start) if a < end < b else end)
    return start, end


def _enclosures(text: str, start: int, end: int) -> Iterator[Span]:
    """What is enclosed in marks around the ends of a stretch; what lies within one enclosure as a whole needs none."""
    first, last = text.rfind("\n", max(0, start - _READ), start) + 1, text.find("\n", end, end + _READ)
    first, last = max(first, start - _READ, 0), last if last >= 0 else min(end + _READ, len(text))
    for part in _ENCLOSED.finditer(text, first, last):
        if not (part.start() < start and end < part.end()):
            yield part.span()


def _paired(text: str, start: int, end: int) -> Span:
    """With the other half of each bracket, or without the bracket and what it parts off."""
    if not _BRACKET.search(text, start, end):
        return start, end
    opened: list[int] = []
    for at in range(start, end):
        if text[at] in _BRACKETS.values():
            opened.append(at)
        elif text[at] in _BRACKETS:
            if not opened:
                rest = _LETTER.search(text, at + 1, end)
                return _paired(text, at + 1, end) if rest else (start, at)
            opened.pop()
    if not opened:
        return start, end
    closed = _closing(text, end, [text[at] for at in opened])
    if closed:
        return start, closed
    return (start, opened[0]) if len(text[opened[0] : end].split()) <= _FEW else (start, end)


def _closing(text: str, at: int, opened: list[str]) -> int | None:
    """Where the last of the brackets that are open is closed, not far on the same line."""
    waiting = list(opened)
    for place in range(at, min(len(text), at + _FAR)):
        one = text[place]
        if one == "\n":
            return None
        if one in _BRACKETS.values():
            waiting.append(one)
        elif one in _BRACKETS:
            if waiting[-1] != _BRACKETS[one]:
                return None
            waiting.pop()
            if not waiting:
                return place + 1
    return None


def _trimmed(text: str, start: int, end: int) -> Span:
    """Without blanks and loose marks at its ends."""
    said = text[start:end]
    loose = re.match(r"[\s,;:.?!*•)\]}-]*", said)
    start += loose.end() if loose else 0
    return start, start + len(text[start:end].rstrip(" \t\n,;:*•([{-"))
