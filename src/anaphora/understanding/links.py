"""Conversations as people name them: by what they were called, what was talked about in them, or which one it was."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from anaphora.types import Conversation, Span
from anaphora.understanding.entities import head
from anaphora.understanding.evidence import content_of
from anaphora.understanding.ordinals import ORDINALS
from anaphora.understanding.patterns import expression

__all__ = ["best_match", "named_by_title", "taken_up"]

_TALK = r"(?:conversation|session|chat|thread|discussion)"
_ARTICLE = r"\b(?:the|our|my|that)\b"
_BEFORE = expression(rf"{_ARTICLE}\s+((?:(?!{_ARTICLE})[^\n.,;!?]){{2,60}}?)\s+{_TALK}\b", re.IGNORECASE)
_AFTER = expression(
    rf"\b{_TALK}s?\s+(?:about|on|called|named|titled)\s+(?:the\s+|our\s+|my\s+)?[“\"']?([^\n.,;!?“”\"]{{2,60}}?)[”\"']?"
    r"(?=\s*(?:[.,;!?\n]|$))",
    re.IGNORECASE,
)
_COUNTED = expression(rf"\b(?:the|our) (?:very )?({'|'.join(ORDINALS)}) {_TALK}\b", re.IGNORECASE)
_TAKEN_UP = expression(
    r"\b(?:back to|return(?:ing)? to|resume|continue(?: with)?|go(?:ing)? on with|pick up|"
    r"(?:leave|left|leaving) off (?:with|on)|stopped (?:with|on|at)) "
    r"(?P<words>(?:the|our|my) (?P<thing>[\w'’-]+(?: [\w'’-]+)?))(?=\s*(?:[.,;:!?]|$))",
    re.IGNORECASE,
    needles="back to|return|resume|continue|on with|pick up|off |stopped",
    dear=True,
)
_POINTING = frozenset(["last", "previous", "first", "other", "same", "new", "current", "whole", "next", "entire"])
_IN_TITLE = 2.0  # a word of a title counts for so many of what was talked about


def taken_up(text: str, queue: Sequence[Conversation]) -> Iterator[tuple[str, Span, str, Conversation]]:
    """ "back to the marathon", "where did we leave off with the proposal": the words for the thing, their place, its
    full name, and the newest conversation that it was named in."""
    for match in _TAKEN_UP.finditer(text):
        noun = head(match["thing"])
        for conversation in reversed(queue):
            names = [
                n for n in conversation.entities_discussed if head(n) == noun and n.lower() != match["thing"].lower()
            ]
            if names:
                yield match["words"], match.span("words"), names[0], conversation
                return


def best_match(words: str, queue: Sequence[Conversation], current: str | None = None) -> Conversation | None:
    """The conversation that the words name, by its title and by what was talked about or changed in it; of equals one
    that is not `current`, then the newest. All the words but one must fit."""
    wanted = {w for w in content_of(words) if w not in _POINTING}
    best, best_rank = None, (0.0, False, 0)
    for number, conversation in enumerate(queue):
        title = content_of(conversation.title)
        first_title = conversation.id.replace("-", " ")  # which an id is made of, and stays when it is renamed
        about = content_of(" ".join((*conversation.entities_discussed, *conversation.files_modified, first_title)))
        found = wanted & (title | about)
        if not wanted or len(found) < max(1, len(wanted) - 1):
            continue
        weight = _IN_TITLE * len(found & title) + len(found - title)
        rank = (weight, conversation.id != current, number + 1)
        if rank > best_rank:
            best, best_rank = conversation, rank
    return best


def named_by_title(text: str, queue: Sequence[Conversation]) -> Iterator[tuple[str, Span, Conversation]]:
    """ "like in the dark mode conversation", "the chat about the FAB button", "our first chat": the words, their place,
    and which it is."""
    for match in _COUNTED.finditer(text):
        place = ORDINALS.index(match[1].lower())
        if place < len(queue):
            yield match[0], match.span(), queue[place]
    for pattern in (_BEFORE, _AFTER):
        for match in pattern.finditer(text):
            found = best_match(match[1], queue)
            if found is not None:
                yield match[0], match.span(), found
