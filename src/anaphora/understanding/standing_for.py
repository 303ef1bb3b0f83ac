"""What a word that points can stand for: "she" for someone named, "it" for a thing, and both for what the message names
itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from anaphora.function_words import FUNCTION_WORDS, word_set
from anaphora.ports import Judgement, Line
from anaphora.understanding.lexicon import MAKING, base_verb, is_plural
from anaphora.understanding.ordinals import COUNTS
from anaphora.understanding.patterns import expression
from anaphora.understanding.phrases import is_quality
from anaphora.understanding.wording import Stretch

__all__ = [
    "SOMEONE",
    "done_to",
    "is_for_a_device",
    "is_no_single_thing",
    "is_no_thing",
    "names_its_file",
    "names_its_own",
    "of_kind",
    "the_text",
    "to_be_made",
]

SOMEONE = expression(r"he|she|him|her", re.IGNORECASE)
_IT = expression(r"it|its|they|them|their", re.IGNORECASE)
_THING = expression(
    r"\A([A-Za-z]+) (?:(?:up|out|down|in|on|off) )?(?:(?:an?|the|some) |(?=(?:my|our|your|his|her|their) ))"
    r"(?P<named>.+?)(?: (?:at|from|in|into|on|to|by|last) .+)?\Z",
    re.DOTALL,
)
_THAT = expression(r"this|that|these|those", re.IGNORECASE)
_CODE_NAME = expression(r"\A([A-Za-z]+) (?P<named>(?:[\w.-]*[_./]\w[\w./-]*|[A-Z_]{3,}|[a-z]+[A-Z]\w*|[\w.]+\(\)))\Z")
_LED = r"(?:(?:please|now|then|and|ok|can|could|would|you|we|let['’]?s|i|want|need|to)\s+)*"
_OWN = expression(
    rf"(?:^|[.!?;:,]\s+){_LED}(\w+)\s+(?!(?:it|them|this|that|these|those)\b)\w"
    r"[^.?!;]*\b(?:and|then)\s+(?:\w+\s+){1,2}\Z",
    re.IGNORECASE,
)
_OF_FILE = expression(
    rf"\W*{_LED}(?:add|create|write|make|generate|delete|remove|drop|open|update|format|read|show)\s+(?:me\s+)?"
    r"(?:(?:an?|the|our|my)\s+)?(?:[\w-]+/)*\.?[\w-]+(?:\.[\w-]+)*\.[a-z]\w{0,5}(?:\s+file)?\W*",
    re.IGNORECASE,
)
_MAKES_IT = expression(
    r"\W*(?:(?:ok|okay|yes|please|pls|then|so|now|and|great|good|can you|could you|let's)[\s,]+)*"
    r"(?:create|build|write|generate|draft|implement) (?:it|that|one)(?:[\s,]+(?:please|pls|then|now|for me))*\W*",
    re.IGNORECASE,
)
_SOME_THING = expression(r"\b[Aa]n? (?P<thing>[a-z][\w-]*(?: [a-z][\w-]*)?)\b")
_OF_DEVICE = expression(
    rf"\W*{_LED}(?:(?:turn|switch|set|put|dim|raise|lower|mute|unmute) (?:(?:up|down|on|off) )?the "
    r"(?P<device>volume|sound|lights?|heating|thermostat|subtitles?|tv|television|brightness|"
    r"air ?con(?:ditioning)?|wi-?fi|bluetooth|speakers?)"
    r"(?: (?:up|down|on|off|higher|lower|back|to \w+(?: (?:percent|degrees))?))*|skip this (?:song|track|one)|"
    r"(?:skip|next|play the next) (?:song|track))(?: (?:a (?:bit|little)|please|now|again))*\W*",
    re.IGNORECASE,
)
_LATELY = 6  # lines
_QUANTITY = expression(
    r"[~$€£]?[\d.,]+ ?(?:[kmc]?g|[mc]?l|[kcm]?m|px|ms|s|h|min|[kKMGT]i?B|%|°C?|euros?|dollars?|degrees|metres|years?)"
)
_OF_NUMBER = expression(r"\d[,.]\Z")  # and more digits behind it
_ORDER = expression(  # "change hated to loved", and not "change log", nor "order confirmation for Tom"
    r"(?i:change|rename|turn|convert|replace|switch|swap) (?!(?:an?|the|my|our|your|his|her|their)\b)\S+ (?:\S+ ){0,2}?"
    r"(?:to|into|with|for)\b|(?i:text|tell|ask|remind|invite|message) [A-Z]\w+ (?:that|to|about|for|again|if|whether)\b"
)
_ONE_WORD = expression(r"[a-z]+")
_WORD_BEFORE = expression(r"([\w'’-]+)\s+\Z")
_ADDED = expression(
    rf"\W*{_LED}(?:add|include|mention|insert|put in|append)\s+(?:(?:an?|one|some|another|the)\s+)?(?:\w+\s+)?"
    r"(?:sentence|line|paragraph|section|note|part|bit|joke|quote|bullet|point|verse|closing|greeting|intro|conclusion)s?\b",
    re.IGNORECASE,
)
_MAKES = expression(r"\b(?:write|draft|compose|prepare|create|make|generate|build)\b", re.IGNORECASE)
_WROTE = expression(
    r"(?:write|draft|compose|prepare|create|make)\s+(?:me\s+|us\s+)?(?:an?|the|my|some)\s+"
    r"(?P<text>(?:[\w'’-]+ ){0,3}?(?:e-?mail|letter|invitation|essay|speech|poem|story|message|article|report|summary|"
    r"resume|cv|text|note|review|post|toast|song|haiku|readme|announcement|proposal|description)\b[^.?!,;:\n]{0,60})",
    re.IGNORECASE,
)
_VERB_BEFORE = expression(r"([A-Za-z]+) \Z")
_ANY_DEED = word_set("do have be use make get go say see know think mean need want let put take give keep")
_DONE = expression(
    r"\b(?P<verb>[A-Za-z]+(?:ed|ing)|moved|wrote|split|built|sent|ran|set) "
    r"(?:(?:off|on|up|down|out) )?"
    r"(?P<thing>(?:(?:the|an?|my|your|our|its|all|both) )?(?:[\w-]+ ){0,2}?(?:`[^`\n]+`(?: [a-z]+)?|[\w-]+))"
    r"(?=[.,;:!?\n]|$| (?:and|or|to|into|from|in|on|with|for|since|because|so|by|at|as|of|when|which|that)\b)",
)
_AND_MORE = expression(
    r"(?:, (?:(?:the|an?|my|our) )?[`\w.\-/]+)*,? and "
    r"(?:(?:the|an?|my|our) )?(?![a-z]+ed (?:the|an?|my|our|`))[`\w.\-/]*[`\w]"
)
_READ_REPLY = 600  # characters
_SINGLE = expression(r"it|its|it['’]s", re.IGNORECASE)
_ADVERBS = word_set("ahead apart together forward backwards outside inside upstairs early late soon online offline")
_NEAR = 200  # characters before "it", and of an order to make it


def names_its_own(text: str, judged: Judgement) -> bool:
    """Whether the message itself names what its "it" is: "add a login form and test it"."""
    gap = max(judged.gaps, key=lambda g: g.probability, default=None)
    if gap is None or not _IT.fullmatch(text, *gap.span):
        return False
    own = _OWN.search(text, max(0, gap.span[0] - _NEAR), gap.span[0])
    return own is not None and base_verb(own[1].lower()) == own[1].lower()


def is_for_a_device(text: str, lines: Sequence[Line]) -> bool:
    """Whether a message orders something of a thing that everybody has one of, and that nobody spoke of just before:
    "turn the volume up", "set the lights to warm"."""
    order = _OF_DEVICE.fullmatch(text) if len(text) <= _NEAR else None
    if order is None:
        return False
    device = (order["device"] or "song").lower().rstrip("s")
    return not any(device in line.text.lower() for line in lines[-_LATELY:] if line.mine)


def names_its_file(text: str) -> bool:
    """Whether a message orders something of a file that it names, and of nothing else: "add a CONTRIBUTING.md"."""
    return len(text) <= _NEAR and _OF_FILE.fullmatch(text) is not None


def of_kind(mention: str, one: Stretch) -> Stretch:
    """Of what is pointed to the part that the mention can stand for: "it" is a thing and not what was done with it."""
    kind = _THING if _IT.fullmatch(mention) else None
    part = kind.search(one.text) if kind else None
    if kind is None and _THAT.fullmatch(mention):  # what was made, but "this" may be what was done with it
        made = _THING.search(one.text)
        part = made if made is not None and made[1].lower() in MAKING else None
    if part is None and (kind is _THING or _THAT.fullmatch(mention)):
        part = _CODE_NAME.search(one.text)
    if part is None or not _is_done(part[1]):
        return one
    start, end = part.span("named")
    return replace(one, span=(one.span[0] + start, one.span[0] + end), text=part["named"])


def the_text(mention: str, one: Stretch, lines: Sequence[Line]) -> Stretch:
    """What is written at all, where a part was added to it: "make it shorter" after "add a line about parking" means
    the invitation that was asked for before."""
    added = _ADDED.match(lines[one.line].text) if _SINGLE.fullmatch(mention) and lines[one.line].mine else None
    if added is None or one.span[0] > _NEAR:
        return one
    for number in range(one.line - 1, -1, -1):
        made = _MAKES.search(lines[number].text[:_NEAR]) if lines[number].mine else None
        wrote = _WROTE.match(lines[number].text, made.start()) if made else None
        if wrote is not None:
            return replace(one, line=number, span=wrote.span("text"), text=wrote["text"])
        if made is not None:  # something else was written since then
            return one
    return one


def done_to(text: str, at: int, lines: Sequence[Line], *, several: bool = False) -> Stretch | None:
    """To what the last reply says that the deed before a place was done: "remove it" after "I refactored the service
    and removed the `retry` helper" means that helper."""
    verb = _VERB_BEFORE.search(text, max(0, at - _NEAR), at)
    base = base_verb(verb[1].lower()) if verb else None
    if base is None or base in _ANY_DEED or not lines or lines[-1].mine:
        return None
    said = lines[-1].text[:_READ_REPLY]
    done = [
        one for one in _DONE.finditer(said) if base_verb(one["verb"].lower()) == base and one["verb"].lower() != base
    ]
    if len(done) != 1:
        return None
    start, end = done[0].span("thing")
    more = _AND_MORE.match(said, end) if several else None
    end = more.end() if more else end
    if several and not (more or is_plural(said[start:end].rpartition(" ")[2].lower())):
        return None
    return Stretch(len(lines) - 1, (start, end), said[start:end], 1.0)


def to_be_made(text: str, lines: Sequence[Line]) -> Stretch | None:
    """What an order to make "it" means: the thing that came up last as one that is not there yet, "an index" in "is an
    index useful here?"."""
    order = _MAKES_IT.fullmatch(text) if len(text) <= _NEAR else None
    number = max((n for n, line in enumerate(lines) if line.mine), default=None) if order else None
    if number is None:
        return None
    for at in range(len(lines) - 1, number - 1, -1):
        for one in reversed([*_SOME_THING.finditer(lines[at].text[:_NEAR])]):
            first, _, second = one["thing"].partition(" ")
            thing = first if second in FUNCTION_WORDS or is_quality(second) else one["thing"]
            if first not in FUNCTION_WORDS and not is_quality(thing):
                return Stretch(at, (one.start("thing"), one.start("thing") + len(thing)), thing, 1.0)
    return None


def is_no_thing(one: Stretch, lines: Sequence[Line]) -> bool:
    """Whether what is pointed to is a single word that says how something is ("editable"), or what is done: "pass" in
    "two pass, one fails", "translate" in an order that begins with it; or a mere quantity, "30 km"."""
    line = lines[one.line]
    if _QUANTITY.fullmatch(one.text) or _OF_NUMBER.match(line.text, max(0, one.span[0] - 2), one.span[0]):
        return True
    if line.mine and not line.text[: one.span[0]].strip() and _ORDER.match(one.text):
        return True
    if _ONE_WORD.fullmatch(one.text) is None:
        return False
    before = _WORD_BEFORE.search(line.text, 0, one.span[0])
    led = before[1].lower() if before else ""
    verb = base_verb(one.text) == one.text
    ordered = verb and line.mine and not line.text[: one.span[0]].strip() and " " in line.text.strip()
    return is_quality(one.text) or ordered or (verb and (led in COUNTS or is_plural(led)))


def is_no_single_thing(mention: str, one: Stretch) -> bool:
    """Whether "it" cannot stand for the words: they leave a choice open ("rice or naan"), or tell only how or when
    ("ahead")."""
    if not _SINGLE.fullmatch(mention):
        return False
    words = one.text.lower().split()
    return "or" in words or (len(words) == 1 and words[0] in _ADVERBS)


def _is_done(word: str) -> bool:
    """Whether a word before an article says what is done: any in the middle of a sentence, at its start only a verb."""
    return base_verb(word.lower()) is not None if word[0].isupper() else word not in FUNCTION_WORDS
