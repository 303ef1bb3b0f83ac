"""The wordings by which a liking is known, and how it is said of somebody; `x` is what is liked or not."""

from __future__ import annotations

import re

from anaphora.understanding.patterns import any_case
from anaphora.understanding.shapes import MILD

__all__ = ["PREFERENCES"]

_LIKED = (
    r"(?!(?:it|that|this|these|those|your|you|them|his|her|how|when|what|where|the (?:idea|way|answer|result|"
    r"first|second|last|other|one\b|[\w-]+ ones?\b|"
    r"new|look|sound|approach|design|version|current|changes?)|to (?:know|see|add|have|ask|hear|get|be|make|"
    r"understand|use (?:this|it))|(?:all|both) of)\b)"
)
PREFERENCES: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        any_case(
            rf"(?:i|we) {MILD}(?:don't|do not) {MILD}(?:like|enjoy|love) (?P<x>{_LIKED}.{{2,}}?) any ?more\b.*",
            needles="any more|anymore",
        ),
        "no longer likes",
    ),
    (
        any_case(rf"(?:i|we) no longer (?:like|enjoy|love) (?P<x>{_LIKED}.{{2,}})", needles="no longer"),
        "no longer likes",
    ),
    (
        any_case(
            rf"(?:i|we) {MILD}(?:don't|do not) {MILD}(?:like|enjoy|love) (?P<x>{_LIKED}.{{2,}})", needles="don't|do not"
        ),
        "dislikes",
    ),
    (
        any_case(
            r"(?:i|we) (?:don't|do not) (?!(?:want|need) (?:an?|any|more|all|"
            r"another|much|anything)\b)(?P<v>eat|drink|use|smoke|drive|want|work|trust|need) (?P<x>(?!it\b|"
            r"this|that|to\b|you|them).{2,})",
            needles="don't|do not",
        ),
        "doesn't ",
    ),
    (any_case(rf"(?:i|we) (?:can't|cannot|can not) stand (?P<x>{_LIKED}.{{2,}})", needles="stand"), "can't stand"),
    (
        any_case(
            r"i (?:can't|cannot|can not) (?P<v>drive|eat|drink) (?P<x>(?!it\b|this|that|to\b|you|them).{2,})",
            needles="can't|cannot|can not",
        ),
        "can't",
    ),
    (
        any_case(rf"i(?:'m| am) not (?:really )?a (?:big |huge )?fan of (?P<x>{_LIKED}.{{2,}})", needles="fan of"),
        "is not a fan of",
    ),
    (
        any_case(rf"i(?:'m| am) (?:really )?a (?:big |huge )?fan of (?P<x>{_LIKED}.{{2,}})", needles="fan of"),
        "is a fan of",
    ),
    (
        any_case(r"(?:i|we)(?:'d| would) (?:much |far )?rather (?P<x>(?!not (?:say|know))\w.{2,})", needles="rather"),
        "would rather",
    ),
    (
        any_case(
            rf"(?:i|we)(?:'d| would) (?:much |strongly )?prefer (?P<x>{_LIKED}(?!to (?:know|see)).{{2,}})",
            needles="prefer",
        ),
        "would prefer",
    ),
    (
        any_case(
            rf"i {MILD}(?P<a>always|never|usually|normally|typically|rarely|mostly|often) (?P<v>(?!was|"
            r"were|had|got|did|thought|knew|forget|get|see|wanted|seem|end|run into|wonder|said|say|\w+ed\b|"
            rf"wanna|heard|start|finish|wake|leave|saw|found|understood)[a-z]+) (?P<x>{_LIKED}.{{2,}})",
            needles="always|never|usually|normally|typically|rarely|mostly|often",
        ),
        "",
    ),
    (any_case(rf"(?:i|we) {MILD}tend to (?P<x>(?!get|forget|see|be\b).{{2,}})", needles="tend to"), "tends to"),
    (
        any_case(
            rf"(?:i|we) {MILD}(?P<v>prefer|like|love|enjoy|adore|hate|dislike|detest|loathe|favou?r|"
            rf"avoid) (?P<x>{_LIKED}.{{2,}})",
            needles="prefer|like|love|enjoy|adore|hate|detest|loathe|favor|favour|avoid",
        ),
        "",
    ),
    (
        any_case(
            r"my (?:personal |all-time )?(?P<x>(?:favou?rite|preferred|least favou?rite) [\w ]{1,40}? (?:is|"
            r"are) .{2,}|preference is .{2,})",
            needles="favorite|favourite|preferred|preference",
        ),
        "",
    ),
)
