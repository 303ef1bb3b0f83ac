"""What a message asks for, without the asking: of "can you write a function that adds two lists" the function."""

from __future__ import annotations

import re

from anaphora.function_words import FUNCTION_WORDS
from anaphora.types import Span
from anaphora.understanding.once import once
from anaphora.understanding.patterns import expression

__all__ = ["request_in"]

_WORD = expression(r"\w+(?:['’]\w+)*|[^\w\s]")
_PASTED = expression(r"```|\n\s*\n|\n(?=\s{4}|def |class |import |#|Traceback)")
_ASKING = expression(
    r"^\W*"
    r"(?:(?:ok(?:ay)?|so|now|hi|hello|hey|and|also|then|please|pls|plz|kindly|great|thanks|thank you|alright|yes|no|"
    r"well|but)[\s,.:!]+)*"
    r"(?:(?:can|could|would|will) (?:you|u|we|i)(?: please)? |i(?:'d| would)? (?:want|need|like)(?: you)?(?: to)? |"
    r"i(?: am|'m) (?:trying|going) to |help me(?: to)? |let'?s |please )*"
    r"(?:how (?:do|can|could|would|should|to)(?: (?:i|you|we|one))? |what(?:'s| is| are| does)(?: the)? |"
    r"(?:write|create|make|give|show|generate|build|implement|provide|tell|explain|get|suggest|develop|design|add|do|"
    r"find|list)(?: (?:me|us|to me))? )?",
    re.IGNORECASE,
)
_LONGEST = 9  # words with a meaning of their own
_SHORTEST_BEFORE_PASTE = 8  # characters that make a request before something pasted


@once
def request_in(text: str) -> Span | None:
    """Where it stands in the text; None if nothing is left of it."""
    pasted = _PASTED.search(text)
    end = pasted.start() if pasted and pasted.start() > _SHORTEST_BEFORE_PASTE else len(text)
    asking = _ASKING.match(text, 0, end)
    start = asking.end() if asking else 0
    last, count = start, 0
    for word in _WORD.finditer(text, start, end):
        said = word[0]
        if said in ".?!;" and count >= 2 and (word.end() == len(text) or text[word.end()].isspace()):
            break
        if said[0].isalnum() or said[0] == "_":
            count += said.lower() not in FUNCTION_WORDS
            if count > _LONGEST:
                break
            last = word.end()
    return (start, last) if count and last > start else None
