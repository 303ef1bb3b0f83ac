"""A message as what its speaker says in it: sentences and their clauses, without pasted, quoted and leading words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from anaphora.types import Span
from anaphora.understanding.pasted import own_lengths
from anaphora.understanding.patterns import any_case, expression
from anaphora.understanding.text import READ_AT_MOST, mask

__all__ = [
    "CONDITION",
    "FOR_NOW",
    "OWN_AGAIN",
    "QUESTION",
    "REASON",
    "REPORTED",
    "REQUEST",
    "SAID_BY",
    "TAG",
    "Clause",
    "after_lead",
    "clauses",
    "own_sentences",
    "tidied",
]

_HIDDEN = "\ufffc"  # stands for each character of a quotation or of code within a sentence
_LONG = 2400  # characters of prose from which a message is taken to hold a pasted text between the speaker's own words
_KEPT = 240  # characters of a clause that are kept


_SENTENCE_END = any_case(  # the break is what comes after it, or a semicolon and what comes after that
    r"[.!?…;](?:(?<!;)(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\betc\.)(?P<after>\s+|$)|(?<=;)\s+)"
)
_SUBJECT = (
    r"(?:i|i'm|i've|i'd|i'll|we|we're|we've|we'd|we'll|let's|lets|it|it's|that|that's|this|they|he|she|you|please|"
    r"can|could|how|what|why|which|where|is|are|do|does|should|would|my|our|the|there|remember|remind|don't|never|"
    r"always|no|must|budget|deadline)\b"
)
_CLAUSE_BREAK = any_case(
    r"(?=[,\s])(?=,|\s+(?:but|and|so|how|what|can|could)\s)"  # what most places are ruled out by
    rf"(?:,\s*(?:(?:and|so|then|but|or|because|since|now)\s+)*(?={_SUBJECT})"
    r"|,?\s+but\s+"
    r"|,?\s+and\s+(?:then\s+)?(?!i (?:(?:have|just|recently) )*(?:broke up|split up|separated|are|were)\b)"  # a pair
    r"(?=(?:i|i'm|i've|i'll|we|we're|we've|we'll|let's|my|can you|could you|please|"
    r"never|always|"
    r"don't|live|work|study|prefer|love|hate|dislike|want to|need to|would like)\s)"
    r"|,\s*(?:and\s+)?(?=(?:switched|moved) (?:over )?to\s)"
    r"|,?\s+so\s+(?!(?:i|we) (?:can|could|don't|won't)\b)(?=(?:i|i'm|we|we're|we'll|let's|can you|could you|"
    r"please)\b)"
    r"|,?\s+so\s+(?=(?:give|write|make|help|tell|show|explain|fix|provide)\b)"
    r"|\s+(?=(?:how|what) (?:do|can|should|would|could) (?:i|we)\b|(?:can|could) you\b))"
)
_UNIT = r"(?:hours?|days?|weeks?|months?|sprints?|release|afternoon|morning|evening|weekend)"
FOR_NOW = (  # words that say that something is so only for a while
    r"(?:(?:just |only |at least )?for (?:right )?(?:now|today|tonight|the moment|the time being|the meantime|a while|"
    rf"a bit|(?:this|the next|the coming|the rest of the)(?: \w+)? {_UNIT}|an? (?:few )?{_UNIT})|"
    r"temporarily|meanwhile|in the meantime|just this (?:time|once)|as a stop-?gap)"
)
_UNTIL_DAY = (
    r"(?:(?:until|till|til) (?:(?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|noon|"
    r"next (?:week|month|sprint)|(?:the )?end of (?:the |next |this )?\w+|the (?:weekend|release|launch|demo)|"
    r"then|further notice|\d\S*))"
)
_OPENERS = (
    r"(?:ok(?:ay)?|k|so|well|al?right|all right|yes|yeah|yep|yup|sure|hmm+|oh|ah|thanks(?: a lot)?|thank you|"
    r"hi|hello|hey|"
    r"hey there|and|but|then|also|plus|actually|anyways?|btw|by the way|fyi|finally|in fact|honestly|basically|"
    r"i think(?: that)?|i guess|i believe|we think|please|pls|just so you know|as i said|got it|in that case|"
    r"on second thoughts?|therefore|hence|thus|additionally|"
    r"in addition(?! to)|on top of that|of course|if possible|currently|at the moment|right now|"
    r"as you know|like i said|to be clear|in the end|for context|"
    r"(?:as of|starting) (?:now|today)|"
    rf"{FOR_NOW}|{_UNTIL_DAY})"
)
_OPENERS_CUT_OFF = (
    r"(?:right|great|perfect|cool|nice|awesome|excellent|now|first(?:ly)?|second(?:ly)?|lastly|sounds good|"
    r"good|fine|guys|"
    r"everyone|team|update|important|ps|p\.s|agreed|understood|makes sense|sorry|today|again|overall|"
    r"after some thought|"
    r"no|nope|nah|wait|no wait|hold on|"
    r"for the record|if that's (?:ok|okay|fine)(?: with you)?|if you don't mind|(?:for|in) this project)"
)
_LEAD = any_case(
    r"\s*(?:[-*•–—+]\s+|\d{1,2}[.)]\s+|[\"'(]+)?"
    rf"(?:{_OPENERS}(?:\s*[,.:!…–—]+\s*|\s+-\s+|\s+)|{_OPENERS_CUT_OFF}(?:\s*[,:!…–—]+\s*|\s+-\s+))*"
)
_TRAILING = (
    r"(?:[\s,;:.!?…\-–—*]|\b(?:please|pls|thanks|thank you|thx|ok|okay|then|i think|i guess|right|though|"
    r"lol|haha|btw|and|but|so|or|for|of|to|from|the|too|as well|for me|obviously|honestly|anyway|guys|"
    r"if possible)\b|[:;]-?[)(DP])"
)
_TAIL = any_case(rf"{_TRAILING}+$")
_TAIL_ENDS = any_case(rf"{_TRAILING}$")
_LONGEST_TRAILING = len("if possible")
REQUEST = any_case(
    r"(?:can|could|will|would) you (?:please |also )*(?=remind me to|remember|keep in mind|make a note)",
    needles="remind me to|remember|keep in mind|make a note",
)
TAG = any_case(r",?\s+(?:ok|okay|right|alright|yes|deal|agreed|fine|correct)\s*\?+$")
QUESTION = any_case(
    r"(?:should|shall|could|can|would|will|do(?! not\b)|does|did|is|are|was|were|has|have(?! to\b)|may|might|"
    r"what|how|"
    r"why|which|who|whose|where|when (?:do|does|is|are|should|will|can)|am i|any|wanna|remember when)\b(?!')"
)
CONDITION = any_case(
    r"(?:(?:and|or|but|even|only)\s+)*(?:if|suppose|supposing|assuming|assume|imagine|pretend|let's (?:say|"
    r"assume|pretend|"
    r"imagine|suppose)|say (?:we|i)\b|what if|unless|in case|provided|as if|i wish|whether|maybe|perhaps|possibly|"
    r"hypothetically|for example|for instance|e\.g|when|whenever|once|after(?! (?:some|much|a lot of|"
    r"long) (?:thought|thinking|discussion|research))|before|"
    r"until(?! (?:now|recently|today|yesterday|last)\b)|while|as soon as)\b"
)
REPORTED = any_case(
    r"according to\b|(?:the|these|those|some|many|most|our|their|my)(?: \w+)? \w+s (?:say|tell|claim|suggest|"
    r"recommend|"
    r"think)\b|people (?:say|think)\b|(?:.{0,40}\b)?(?!(?:i|we|nobody)\b)[\w\ufffc]+(?:\s+(?:has|have|had|also|just|"
    r"always|then))?\s+"
    r"(?:said|says|saying|told|tells|claims?|claimed|thinks?|suggest(?:s|ed)|recommend(?:s|ed)|"
    r"argue[sd]|wrote|"
    r"writes|asked|asks|proposed|insist(?:s|ed)|mention(?:s|ed)|advise[sd]|believe[sd]|reads|states|stated)\b",
    needles="according to|say|tell|claim|suggest|recommend|think|said|told|argue|wrote|writes|asked|asks|proposed|"
    "insist|mention|advise|believe|reads|state",
    dear=True,
)
OWN_AGAIN = any_case(r"(?:but|so) (?:let's|lets|let us|i'll|i want|i'd)\b", needles="but|so")
SAID_BY = any_case(
    r",\s+(?!(?:i|we)\b)[\w\ufffc]+(?: \w+)? (?:said|says|told (?:me|us)|wrote|claims|claimed)[.!]*\s*$",
    needles="said|says|told|wrote|claim",
    dear=True,
)
_TRANSCRIPT = expression(
    r"\s*(?:>|\||(?!PS|NB|OK)(?:[A-Z]{1,3}|Human|Assistant|User|Bot|AI|System|Customer|Agent|Interviewer|"
    r"Speaker \d):\s)"
)
_SHARED_SUBJECT = any_case(
    r"(?:(?:switched|moved) (?:over )?to|live|work|study|prefer|love|hate|dislike|want to|need to|would like)\s"
)

REASON = any_case(
    r"[\s,;:(]+(?:because(?: of)?|cause|cuz|due to|given that|thanks to|seeing (?:that|as)|the reason being|reason:|"
    r"since(?! (?:\d|v\d|yesterday|last|then|monday|the (?:start|beginning)))|"
    r"as(?= (?:it|it's|they|they're|we|we're|i|i'm|that|this|the|there)\b))\s+"
)


class Clause(NamedTuple):
    """A clause as it was said, the same with quotations and code hidden, and the words that join it to the last."""

    said: str
    seen: str
    joined: str


def own_sentences(text: str) -> list[tuple[str, str]]:
    """Sentences as said and as seen; of a long message those at its two ends, where people speak for themselves."""
    ends = [text] if len(text) <= READ_AT_MOST else [text[: READ_AT_MOST // 2], _from(text, len(text) - _LONG)]
    sentences = [pair for end in ends for pair in _sentences(end)]
    if sum(len(said) for said, _ in sentences) <= _LONG:
        return sentences
    first = _within(sentences, _LONG // 2)
    last = _within(sentences[first:][::-1], _LONG // 2)
    return sentences[:first] + sentences[max(first, len(sentences) - last) :]


def _from(text: str, place: int) -> str:
    """The rest of the text from a place; a code block that is open there stays one."""
    return ("```\n" if text.count("```", 0, place) % 2 else "") + text[place:]


def _within(sentences: list[tuple[str, str]], limit: int) -> int:
    total = 0
    for count, (said, _) in enumerate(sentences):
        total += len(said)
        if total > limit:
            return count
    return len(sentences)


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    lines = [
        (line, _seen(line, masked)) for line, masked in zip(text.splitlines(), mask(text).splitlines(), strict=False)
    ]
    for (whole, all_seen), length in zip(lines, own_lengths([seen for _, seen in lines]), strict=True):
        line, seen = whole[:length], all_seen[:length]
        if not seen.strip(f" {_HIDDEN}") or _TRANSCRIPT.match(line):
            continue
        ends = (found.span("after" if found["after"] is not None else 0) for found in _SENTENCE_END.finditer(seen))
        for start, end in _between(ends, len(seen)):
            if seen[start:end].strip(f" {_HIDDEN}"):
                yield line[start:end], seen[start:end]


def _seen(line: str, masked: str) -> str:
    """The line with a mark for each character that is hidden in it, and plain apostrophes."""
    if masked != line:
        line = "".join([m if m != " " or o.isspace() else _HIDDEN for m, o in zip(masked, line, strict=False)])
    return line.replace("’", "'")


def _between(breaks: Iterable[Span], length: int) -> list[Span]:
    """What lies between the breaks of a text."""
    places = [0, *(place for span in breaks for place in span), length]
    return [(start, end) for start, end in zip(places[::2], places[1::2], strict=True) if end > start]


def clauses(said: str, seen: str) -> Iterator[Clause]:
    """The clauses of a sentence, without the words that lead in; a reason keeps what is added to it by "and"."""
    merged: list[Span] = []
    for start, end in _between((found.span() for found in _CLAUSE_BREAK.finditer(seen)), len(seen)):
        between = seen[merged[-1][1] : start].strip(" ,").lower() if merged else ""
        if merged and between == "and" and REASON.search(seen, *merged[-1]):
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    for before, (start, end) in pairwise([(0, 0), *merged]):
        start += after_lead(seen[start:end])
        subject = "I " if before[1] and _SHARED_SUBJECT.match(seen, start) and seen[before[0]] in "Ii" else ""
        joined = seen[before[1] : start].strip(" ,")
        yield Clause(subject + said[start:end], subject + seen[start:end], joined)


def after_lead(seen: str) -> int:
    """Where a sentence begins to say something."""
    lead = _LEAD.match(seen)
    return lead.end() if lead else 0


def tidied(said: str) -> str:
    """The words of a clause without what trails off, within bounds, no bracket left open."""
    text = " ".join(said.replace("**", "").split())
    if len(text) > _KEPT:
        text = text[:_KEPT].rsplit(" ", 1)[0]
    if _TAIL_ENDS.search(text, max(0, len(text) - _LONGEST_TRAILING)) and (tail := _TAIL.search(text)):
        text = text[: tail.start()]
    for opening, closing in ("()", "[]"):
        if text.count(closing) > text.count(opening):
            text = text.rstrip(f"{closing} ")
        elif text.count(opening) > text.count(closing):
            text = text[: text.rindex(opening)]
    return text.strip()
