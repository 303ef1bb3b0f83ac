"""A message as words with their places; code and quotations blanked out, so that only what is said is read."""

from __future__ import annotations

import re
from typing import NamedTuple

from anaphora.understanding.once import once
from anaphora.understanding.patterns import expression

__all__ = [
    "NAMES_CODE",
    "READ_AT_MOST",
    "WORD",
    "Word",
    "code_lines",
    "describe_code",
    "has_code",
    "mask",
    "refers_to_code",
    "says_nothing",
    "straight",
    "words",
]

READ_AT_MOST = 4000  # characters of a message that are read closely; the rest is kept and found, not interpreted

WORD = expression(r"@?[A-Za-z0-9_](?:[\w'’./:+#\-]*[\w+#])?(?:\(\))?|[^\s\w]", re.UNICODE)
# in every name of code; quick to rule out in prose
NAMES_CODE = expression(r"[_(A-Z](?:(?<![A-Z])|(?<=[a-z0-9][A-Z]))")
# Anything but blanks, control characters, and what Unicode has that is not seen (or, like the Braille blank, is empty).
_SEEN = expression(
    r"[^\s\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    r"\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_FENCE = expression(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_INLINE = expression(r"`[^`\n]+`")
_QUOTED = expression(r'"[^"\n]{1,200}"|“[^”\n]{1,200}”|(?<!\w)\'[^\'\n]{1,80}\'(?!\w)')
_CODE_LINE = expression(
    r"""(?:
        (?:def|class|import|return|async\ def|public|private|protected|static)\s+\S.*[=({:;]
        | (?:var|let|const|function|fn|func|package)\s+\S.*[=({:;]
        | from\s+\S+\s+import\b | import\s+[\w.]+\s*$ | \#include | @\w+(?:\(.*\))?\s*$
        | (?:for|if|while|elif|else|try|except|with|switch|case)\b.*[:{]\s*$
        | assert\s+\S+.*(?:==|\(|\[) | return\b | print\s*\(
        | [\w.\[\]"']+\s*(?:[+\-*/%|&]?=)\s*\S.* | [\w.]+\(.*\)\s*;?\s*$ | .*[;{}]\s*$ | </?\w+.*>\s*$ | >>>\s
        | Traceback\b | File\s+" | \w*(?:Error|Exception):\s | SELECT\b.*\bFROM\b
        | \d+(?:[,\s]+\d+){3,}\s*$ | [\[({].*[\])}],?\s*$
    )""",
    re.VERBOSE,
)


class Word(NamedTuple):
    text: str
    low: str
    start: int
    end: int

    @property
    def is_mark(self) -> bool:
        return not (self.text[0].isalnum() or self.text[0] in "_@")


def says_nothing(text: str) -> bool:
    """Whether nobody who reads the text would see anything."""
    return _SEEN.search(text) is None


def mask(text: str) -> str:
    """The text with code and quotations replaced by blanks, letter for letter, so that places stay the same."""
    return _mask(text[:READ_AT_MOST])


@once
def _mask(read: str) -> str:
    for pattern in (_FENCE, _INLINE) if "`" in read or "~~~" in read else ():
        read = pattern.sub(lambda m: _blank(m[0]), read)
    if '"' in read or "'" in read or "“" in read:
        read = _QUOTED.sub(lambda m: _blank(m[0]), read)
    return "".join([_blank(line) if _is_quoted(line) else line for line in read.splitlines(keepends=True)])


def code_lines(text: str, mark: str) -> str:
    """The text with `mark` for each line of code."""
    return "\n".join(mark if _is_code(line) else line for line in text.splitlines())


def _is_quoted(line: str) -> bool:
    return line.startswith("> ") or _is_code(line)


def _is_code(line: str) -> bool:
    """Without the blanks around it, which would be tried at every place."""
    return bool(_CODE_LINE.match(line.strip()))


def straight(text: str) -> str:
    """With plain apostrophes, so that a pattern knows "let’s" as well; every word keeps its place."""
    return text.replace("’", "'")


@once
def words(masked: str) -> tuple[Word, ...]:
    spans = [match.span() for match in WORD.finditer(masked)]
    if not masked.isascii():
        return tuple([Word(masked[a:b], straight(masked[a:b].lower()), a, b) for a, b in spans])
    small = masked.lower()
    return tuple([Word(masked[a:b], small[a:b], a, b) for a, b in spans])


def has_code(text: str) -> bool:
    return _has_code(text[:READ_AT_MOST])


def refers_to_code(text: str) -> bool:
    """Whether code stands in it, in lines of its own or between the words."""
    return has_code(text) or ("`" in text and _INLINE.search(text[:READ_AT_MOST]) is not None)


@once
def _has_code(read: str) -> bool:
    return bool(_FENCE.search(read)) or any(_is_code(line) for line in read.splitlines())


def describe_code(text: str) -> str:
    """The text with each code block replaced by one line that says what was there."""

    def line(match: re.Match[str]) -> str:
        inside = match[0].strip("`~\n ")
        first, _, rest = inside.partition("\n")
        language = first if rest and re.fullmatch(r"[\w+#.-]{1,20}", first) else ""
        count = (rest if language else inside).strip("\n").count("\n") + 1
        return f"[{language + ' ' if language else ''}code, {count} line{'s' if count != 1 else ''}]"

    return _FENCE.sub(line, text)


def _blank(text: str) -> str:
    return "\n".join(" " * len(line) for line in text.split("\n"))
