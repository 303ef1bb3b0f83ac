"""What a wording of a signal is made of: a pattern, what it keeps, and what rules it out at a glance."""

from __future__ import annotations

import re
from typing import NamedTuple

from anaphora.types import SignalKind
from anaphora.understanding.patterns import any_case

__all__ = ["BE", "MILD", "Shape", "shape"]


class Shape(NamedTuple):
    """A wording of one kind of signal; `before` puts back what the clause needs to stand alone. `begins` are the small
    letters that a clause of it may begin with, none where that may be any."""

    kind: SignalKind
    pattern: re.Pattern[str]
    before: str = ""
    begins: str = ""


def shape(kind: SignalKind, begins: str, needles: str, pattern: str, before: str = "") -> Shape:
    """Of the needles one stands in every match (see `expression`), and every match begins with one of the letters; the
    tests prove both."""
    return Shape(kind, any_case(pattern, needles=needles, dear=not begins), before, begins)


MILD = (
    r"(?:(?:really|just|also|additionally|only|mostly|strongly|much|generally|kinda|actually|still|now|finally|already|"
    r"simply|temporarily|for now|do)\s+)*"
)
BE = r"(?:'m|'re| am| are)"
