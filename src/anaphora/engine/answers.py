"""Understanding the answer to a question: a letter, a number, or the user's own words."""

from __future__ import annotations

import re

from anaphora.types import Option, Question

__all__ = ["chosen", "is_bare_choice"]

_SAME = re.compile(
    r"(?:yes|yep|yeah|same|continue|go on|keep going|carry on|the (?:first|former)(?: one)?|still (?:the )?same|"
    r"(?:the )?same (?:one|thing|topic|conversation))",
    re.IGNORECASE,
)
_NEW = re.compile(
    r"(?:no|nope|new|something (?:new|else|different)|(?:a )?new (?:one|topic|thing|conversation)|"
    r"start (?:fresh|over|new)|the (?:second|latter)(?: one)?|different|neither)",
    re.IGNORECASE,
)
_FILLER = re.compile(r"^(?:option|it'?s|i mean(?:t)?|let'?s|please|ok(?:ay)?|well)[\s,:]+", re.IGNORECASE)
_SMALL = frozenset(["go", "on", "with", "the", "a", "an", "to", "something", "and", "of", "what", "we", "had"])


def chosen(text: str, question: Question) -> Option | None:
    """The option that was meant, or None where the text is no answer but something else to say."""
    plain = _FILLER.sub("", text.strip().strip("\"'().!:").strip())
    for number, option in enumerate(question.options, 1):
        if plain.lower() in (option.key.lower(), str(number), option.text.lower()):
            return option
    for pattern, decision in ((_SAME, "same"), (_NEW, "new")):
        if pattern.fullmatch(plain):
            return next(o for o in question.options if o.decision == decision)
    return _by_words(plain, question)


def is_bare_choice(text: str) -> bool:
    """Whether the text can only be meant as the letter or number of an option."""
    return re.fullmatch(r"\W*[A-Za-z0-9]\W*", text) is not None


def _by_words(plain: str, question: Question) -> Option | None:
    """A paraphrase: every word that carries meaning is one of the option's."""
    said = set(re.findall(r"[\w#./-]+", plain.lower())) - _SMALL
    if not said or len(said) > 6:
        return None
    fitting = [o for o in question.options if said <= set(re.findall(r"[\w#./-]+", o.text.lower())) - _SMALL]
    return fitting[0] if len(fitting) == 1 else None
