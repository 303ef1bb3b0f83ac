"""What a short reply says it was done to: "Alarm set for 7:00" tells of the alarm."""

from __future__ import annotations

import re
from collections.abc import Iterable

from anaphora.understanding.given_names import is_named
from anaphora.understanding.patterns import expression

__all__ = ["reported"]

_REPORTED = expression(
    r"(?P<thing>[A-Z][a-z]+(?: [a-z][\w'’-]*){0,3}?) (?:is |are |was |were |has been |have been )?(?:now )?"
    r"(?:set|moved|added|created|booked|sent|saved|scheduled|started|changed|updated|deleted|removed|cancell?ed|renamed|"
    r"ordered|paused|stopped|resumed|turned|dimmed|snoozed|extended|placed|reserved|copied|shared|marked|closed|ended)"
    r"(?= (?:to|for|at|on|off|in|from|with|by|until|as|down|up)\b|[.,!]|$)"
)


def reported(text: str, before: Iterable[str]) -> str | None:
    """The thing, without the capital letter that it begins the reply with; None where the reply tells of nothing, or of
    what nobody called so `before`: a name."""
    found = _REPORTED.match(text)
    if found is None or is_named(found["thing"]):
        return None
    thing = f"{found['thing'][0].lower()}{found['thing'][1:]}"
    noun = rf"\b{re.escape(thing.rpartition(' ')[2])}\b"
    return thing if any(re.search(noun, said) for said in before) else None
