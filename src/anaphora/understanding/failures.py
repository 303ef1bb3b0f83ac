"""The error that a message shows or tells of: a traceback, a compiler's line, a failing test, "it crashes"."""

from __future__ import annotations

import re

from anaphora.understanding.patterns import any_case, expression
from anaphora.understanding.text import READ_AT_MOST, mask, straight

__all__ = ["find_error"]

_END = 2400  # characters of the end of a long message, where a traceback says what it is about


_NAMED = r"(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Warning|Fault)\b"
_ERROR_LINE = expression(
    r"^(?:[\s>|*`]{0,40}(?:E\s{1,12}assert\s+\S|(?:\w+-)?make(?:\[\d+\])?: \*\*\* \S)|"
    r"(?:[\s>|*`]|E(?=\s))*+(?:Uncaught |Unhandled |Exception in thread \S+ |Caused by: |"
    rf"[\w./\\-]+:\d+(?::\d+)?:? )?(?:{_NAMED}(?=:|\s*$|\s\(|\sTraceback)"
    r"|(?:fatal |compile |syntax |runtime |build )?(?:[Ee]rror|ERROR|FATAL|[Ff]atal|[Pp]anic|[Ww]arning|"
    r"WARN(?:ING)?)(?:\[?\w*\d+\]?| \w*\d+)?:(?=\s*\S)"
    r"|Error in .{1,80}:|npm ERR!|FAILED\b|Segmentation fault|thread '\S+' panicked|undefined reference|error TS\d+))",
)
_ERROR_SAID = expression(
    r"\b(?=\w)(?:Traceback \(most recent call last\)"  # most places are no beginning of a word, and ruled out by that
    r"|(?i:(?:gets?|got|getting|hits?|sees?|seeing|throws|threw|throwing|gives?|gave|giving|with|says|shows|"
    rf"this|same|following|raises|raised|produces|returns)\b)[^.?!\n]{{0,40}}?(?<![\w.]){_NAMED}"
    r"|(?i:(?:get|got|gets|getting|gives?|gave|giving|throws?|threw|see|seeing|shows?|hit|same|following|"
    r"this) (?:me )?(?:(?:an?|this|the|the same|the following|another|some|a new|still|"
    r"these) )*(?:\w+ )?(?:errors?|exception|warnings?)\b(?! (?:handling|code path|page)))"
    r"|(?i:(?<!no )(?<!0 )(?:errors?|exception|warning)(?: message| code)?(?: is| was| says)?:\s*\S)"
    r"|(?i:(?:exit(?:ed)?(?: with)?(?: an?)?(?: non-?zero)? (?:code|status)|exit code|returned)(?: is| of|"
    r":)? -?[1-9]\d{0,2}\b)"
    r"|(?i:(?<!if )(?<!when )(?:tests?|test suite|build|ci|pipeline|job|deploy(?:ment)?|import|"
    r"install(?:ation)?|migration|compilation|request|upload|script|app|server|program|code|it|that|this|"
    r"\w+\(\))(?: \w+)?(?: still| now| just| also| always| keeps?| is| are| has| have)* (?:fail(?:s|ed|ing)?|"
    r"crash(?:es|ed|ing)?|segfault(?:s|ed)?|broke)\b)"
    r"|(?i:(?<!if )(?<!when )(?:tests?|build|ci|pipeline|main|master) (?:is|are|went|turned|goes)(?: \w+)? "
    r"(?:red|broken)\b)"
    r"|(?i:[1-9]\d* (?:tests? |specs? )?(?:failed|failures?|failing)(?=\s*[,.;:)]|\s*$| in | \S*\d)|"
    r"(?:failing|broken) (?:tests?|build|pipeline)\b)"
    r"|(?i:(?:get|gets|getting|got|with|returned) (?:an? |the )?(?:HTTP(?: status)?|status(?: code)?)? ?[45]\d\d\b|"
    r"segmentation fault|segfault|core dumped|stack ?trace:|command not found\b|permission denied\b))"
    r"|(?i:non-?zero exit (?:code|status))",
)
_NO_ERROR = any_case(
    r"\b(?:no|without|zero|0|any|avoid|prevent|handle|handling|catch|catching|raise|raising|throw an?|if|when|"
    r"whenever|in case|should|would|could|might|may|"
    r"what happens|how (?:do|can|should|to)|custom|never|doesn't|does not|don't|didn't|not|must|standard|est\.|"
    r"std\.|used to|(?:tell me|explain|describe|know|wonder|understand|find out|document) (?:why|how|what|when|"
    r"whether))\b[^.!?\n]{0,60}$"
)
_SUPPOSED = any_case(r"\b(?:could|might|may|would|should|will|can|must|to|never|not)\b")
_ORDERED = any_case(r"(?:show|throw|give|raise|display|print|return)\b")
_TO_WRITE = any_case(r"\b(?:write|add|create|make|build|implement|need|want|give)(?: me)? an? (?:\w+ ){0,3}$")
_SUCH = any_case(r"\w (?:that|which) ")
_OVER_NOW = any_case(r"[^.!?\n]{0,60}\b(?:(?:pass(?:es)?|works?|is (?:green|fixed)) (?:now|again)|not any ?more)\b")
_BEFORE_ORDER = any_case(r"(?:^|[.!?:;]\s)[\s\-*•]*(?:(?:please|then|and|also|now|just)[\s,]+)*$")
_ERROR_CUES = (
    "err",
    "excep",
    "warn",
    "fail",
    "crash",
    "exit",
    "fault",
    "trace",
    "denied",
    "not found",
    "broke",
    "dumped",
    "returned",
    " red",
)
_LINE_CUES = ("err", "warn", "fault", "excep", "fatal", "panic", "fail", "undefined ref", "e ", "***")
_ERROR_CODE = expression(r"[45](?<!\w[45])\d\d\b")


def find_error(text: str) -> str:
    """The line that says most about what went wrong: of a traceback the last, which names the error."""
    read = text if len(text) <= READ_AT_MOST + _END else f"{text[:READ_AT_MOST]}\n{text[-_END:]}"
    lines = read.splitlines()
    small = read.lower()
    shown = [line for line in lines if _ERROR_LINE.match(line)] if any(cue in small for cue in _LINE_CUES) else []
    if shown:
        return _line(shown[-1] if "Traceback (most recent" in read else shown[0])
    if not _may_tell_error(small):
        return ""
    for line, masked in zip(lines, mask(read).splitlines(), strict=False):
        # a line of code tells what would be done about an error, not that there was one
        readable = _may_tell_error(line.lower()) and (masked.strip() or "Traceback" in line)
        said = straight(line)
        told = _ERROR_SAID.finditer(said) if readable else ()
        if any(_tells_error(said, match) for match in told):
            return _line(line)
    return ""


def _tells_error(said: str, match: re.Match[str]) -> bool:
    """Whether it went wrong, and is neither supposed, asked for nor denied: "it could crash", "show an error"."""
    before = said[: match.start()]
    ordered = _ORDERED.match(match[0]) and _BEFORE_ORDER.search(before)
    to_write = _SUCH.search(match[0]) and _TO_WRITE.search(before)
    if to_write or _OVER_NOW.match(said, match.end()):
        return False
    return not (ordered or _SUPPOSED.search(match[0]) or _NO_ERROR.search(before))


def _line(line: str) -> str:
    return " ".join(line.split())[:200]


def _may_tell_error(small: str) -> bool:
    """Most texts and lines, in small letters, do not: they need not be read closely."""
    return any(cue in small for cue in _ERROR_CUES) or _ERROR_CODE.search(small) is not None
