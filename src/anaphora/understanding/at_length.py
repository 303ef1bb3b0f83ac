"""How much is said at a time: in clipped talk things are named once and pointed to exactly, in long lines they grow."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from anaphora.ports import Line
from anaphora.understanding.patterns import expression

__all__ = ["are_clipped", "are_long", "are_weighed", "is_work", "wordiness"]

# "a_b", "f()", "aB" and the like; each begins with what prose seldom has, so that a search is quick
_OF_CODE = expression(
    r"_(?<=[A-Za-z]_)[A-Za-z]|\((?<=\w\()\w*\)|[A-Z](?<=[a-z][A-Z])|```|=|;$",
    re.MULTILINE,
)
_LATELY = 6  # lines
_WORDY = 0.6  # where lines are shorter than this, only what is pointed to is taken over, and as it is
_WORDY_ALONE, _WORDY_AT_WORK = 0.1, -0.3  # the same where nobody answers, and where work is talked about
_CLIPPED = -0.4  # where they are shorter than this, a few words are said at a time


def is_work(lines: Sequence[Line]) -> bool:
    """Whether something is being made: there is code, or one prompt after the other that nobody answers here."""
    return all(line.mine for line in lines) or any(_OF_CODE.search(line.text) for line in lines[-_LATELY:])


def wordiness(lines: Sequence[Line]) -> float:
    """Of the last lines: above zero where they have more than a dozen words or so in the mean."""
    lately = lines[-_LATELY:]
    return math.log1p(sum(len(line.text) for line in lately) / (5 * max(1, len(lately)))) - 2.5


def are_weighed(lines: Sequence[Line]) -> bool:
    """Whether work is talked about in long lines, so that words are weighed one by one."""
    return are_long(lines) and is_work(lines)


def are_long(lines: Sequence[Line]) -> bool:
    """Whether so much is said at a time that what is meant is hardly ever one thing that was named once."""
    much = wordiness(lines)
    if all(line.mine for line in lines):
        return much >= _WORDY_ALONE
    return much >= _WORDY or (much >= _WORDY_AT_WORK and is_work(lines))


def are_clipped(lines: Sequence[Line]) -> bool:
    """Whether so little is said at a time, as to a voice assistant, that hardly more than one thing can be meant."""
    return wordiness(lines) < _CLIPPED
