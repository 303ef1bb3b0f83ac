"""A bare follow-up says a part anew: "and a string?" after "how do I reverse a list?" asks about a string."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple

from anaphora.function_words import AUXILIARIES, DETERMINERS, FUNCTION_WORDS, PREPOSITIONS, SUBJECTS, word_set
from anaphora.ports import Line
from anaphora.types import Span
from anaphora.understanding.lexicon import FINITE, VERBS, base_verb, is_plural
from anaphora.understanding.ordinals import COUNTS
from anaphora.understanding.passing import parted
from anaphora.understanding.patterns import expression
from anaphora.understanding.phrases import is_quality
from anaphora.understanding.times import at_another_time, before_time, is_time, times_in

__all__ = ["Parallel", "asks_alike", "find_parallel", "may_be_part"]

_LEAD = expression(r"(?:(?:and|or|but|ok|okay|now|so|what about|how about)[\s,]+)*", re.IGNORECASE)
_NO = expression(r"^(?:(?:no|nope|actually|wait|sorry)[\s,]+)+", re.IGNORECASE)
_SAME = expression(
    r"(?:(?:do|make|apply|and|now|please)\s+)*(?:(?:the\s+)?same(?:\s+thing)?|likewise)\s+(?=(?:for|to|with|in|on|at|by)\s)",
    re.IGNORECASE,
)
_TAIL = expression(r"(?:[\s,]+(?:too|also|instead|please|pls|then|as well|actually))*[\s?.!]*$", re.IGNORECASE)
_TELLS = expression(
    r"(?:it|he|she|they|you|there|here|this|that|the|my|our|your|an?"
    r"|(?:i|we)(?!(?:['’]d| would)? (?:want|need|like)))\b",
    re.IGNORECASE,
)
_ASKS = expression(r"\?|^\s*(?:and|or|what about|how about)\b", re.IGNORECASE)  # a bare word may be an order
_REPLIED = expression(
    r"\A(?:(?:no|nope|ok|okay|yes|yeah|great|good|thanks|cool|nice|perfect)[,.!]+\s+)+", re.IGNORECASE
)
_WORD = expression(r"[\w'’.+#/-]*\w[+#]?")
_SENTENCE = expression(r"[.?!](?=\s)|\n|[;`]|:(?!\d)")
_IDENTIFIER = expression(r"\w[_.(]\w|[a-z][A-Z]")
_NUMBER = expression(r"\d[\d.,]*")
_ONLY = expression(r"(?:but\s+)?(?:only|just)\s+", re.IGNORECASE)
_QUALITY = r"(?P<how>(?:(?:a bit|a little|a lot|much|even|way|slightly|more|less|very|really) ){0,2})(?P<last>[a-z-]+)"
_BARE_QUALITY = expression(
    rf"(?:(?:and|also|but|now|actually|no|or|then|make (?:it|them))[\s,]+)*(?P<quality>{_QUALITY})"
    r"(?:[\s,]+(?:too|also|instead|please|pls|then|as well|now))*[\s?.!]*",
    re.IGNORECASE,
)
_MADE = expression(
    r"(?:(?:please|now|then|and|can you|could you|ok|okay)[\s,]+)*(?:make|turn|paint|colou?r|keep)\s+"
    rf"(?:the|my|our|your|its|their|this|that|all|both|every|each)\s(?:[\w'’#.-]+\s){{1,6}}?(?P<quality>{_QUALITY})[\s?.!]*",
    re.IGNORECASE,
)
_OPENING = word_set("a an the my our your")
_BEFORE_OWNER = DETERMINERS - {"that", "which", "what"}  # which begin a clause as well
# how something is done, and not in what: "in reverse" after "in Python" says nothing of the language
_MANNERS = word_set(
    "reverse order parallel place general detail short full bulk batches memory line lines advance depth theory "
    "practice descending ascending total pairs"
)
_LANGUAGES = word_set(
    "python java javascript js typescript ts c c++ c# go golang rust ruby php swift kotlin scala r perl lua haskell "
    "elixir erlang clojure bash powershell sql julia dart zig matlab fortran cobol assembly english german french "
    "spanish italian portuguese dutch swedish danish norwegian finnish polish czech slovak hungarian russian ukrainian "
    "turkish greek arabic hebrew hindi chinese japanese korean latin"
)
_IN_OTHER_WORDS = expression(r"(?:in\s+(?P<language>[\w+#]+)|as\s+an?\s.+)", re.IGNORECASE)
_ORDER = r"(?:(?:ok|okay|now|then|and|please|can you|could you|great|thanks|good)[\s,.!]+)*"
_ON_WHAT_IS_THERE = expression(  # which nothing else is done like
    rf"{_ORDER}(?:(?:re)?run|test|check|execute|try|undo|revert|commit|push|save|deploy)"
    r"(?: (?:it|this|that|them|again|(?:all |the |all the )?(?:tests?|code|script|change|changes)))*(?: again| now)?"
    r"(?: please)?[\s.!?]*",
    re.IGNORECASE,
)
_WHAT_IS_THERE = r"(?:it|them|this|that|the [^.?!\n]{1,80})"
_ON_ITS_FORM = expression(
    rf"{_ORDER}(?:add (?:an? |some |the )?(?:docstrings?|type hints?|type annotations|comments?|error handling|logging|"
    rf"(?:unit )?tests?)(?: (?:to|for) {_WHAT_IS_THERE})?|make {_WHAT_IS_THERE} (?:\w+ )?\w+|"
    rf"(?:shorten|simplify) {_WHAT_IS_THERE})(?: please)?[\s.!?]*",
    re.IGNORECASE,
)
_POLITELY = expression(r"(?:(?:and|ok|okay|so|then|now)[\s,]+)*(?:can|could|would|will) (?:you|we)\b", re.IGNORECASE)
_LATELY = 4  # of what was asked
_LEAST_PATTERN = 3  # words of what can be done the same way
_ALIKE = 4  # words that two questions of one form begin with
_NO_POINT = word_set("it its this that these those they them their he she him her one ones same other there")
_STATES = word_set("rhyme blink spin glow pop bounce fade shake scroll float flow shine")
_MOST_WORDS, _MOST_ASKED = 5, 25
_LONGEST_PART, _LONGEST_ASKED = 80, 250  # characters
_PLACED = word_set("for by over in on at with from to as into near without using under via between during after before")
_ONCE = word_set("by over from into near under between during after before")  # what is said of a thing but once
_SO_MANY = COUNTS.keys() | word_set("eleven twelve fifteen twenty thirty forty fifty")
_PEOPLE = word_set("people persons adults kids children guests students beginners friends")
_OF_PLACES = ("of", "in", "from", "for")
_TIMES = word_set(
    "january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays "
    "sundays today yesterday tomorrow"
)
_ROOMS = word_set(
    "kitchen bedroom bathroom hallway room lounge garage garden basement attic nursery porch patio balcony terrace "
    "pantry"
)
_UNITS = word_set("second minute hour day night morning evening week weekend month year time moment way")
_NO_PART = SUBJECTS | AUXILIARIES | FINITE
_NO_PART |= word_set(
    "this that these those it them him her who whom whose which what when where why how one ones same other others "
    "else another more less most least yes no not nope ok okay thanks sure something anything nothing everything"
)


class Parallel(NamedTuple):
    """The earlier question with the new words in it, the line that it stood in, and what the new words stand for; an
    empty place where they are added."""

    text: str
    line: int
    span: Span


def may_be_part(text: str) -> bool:
    """Whether a message is short enough to take the place of a part of another."""
    return len(text) <= _LONGEST_PART


def find_parallel(text: str, lines: Sequence[Line], *, pointing: bool = True) -> Parallel | None:
    """What a bare follow-up asks, where it plainly takes the place of a part of what its speaker asked last, or adds
    one ("with numpy"). What is to be done the same way may have been asked a little earlier: "commit" is no pattern.
    Where the message may stand alone and is not `pointing` back, only words that can mean nothing else are read so."""
    said = text.strip()
    asks = [n for n, line in enumerate(lines) if line.mine and _asks(line)] if may_be_part(text) else []
    asks = _works(said, asks, lines)
    for number in asks[: -_LATELY - 1 : -1] if _SAME.match(said) else asks[-1:]:
        asked = lines[number].text.strip()
        placed = _said_anew(said, asked, pointing=pointing) if len(asked) <= _LONGEST_ASKED else None
        if placed is not None:
            (start, end), new = placed
            shift = len(lines[number].text) - len(lines[number].text.lstrip())
            whole = _REPLIED.sub("", f"{asked[:start].rstrip()} {new}{asked[end:]}".strip())
            return Parallel(whole, number, (start + shift, end + shift))
    return None


def _works(said: str, asks: list[int], lines: Sequence[Line]) -> list[int]:
    """What was asked, without the last small orders on what is there ("run the tests", "add a docstring"), where it is
    the thing itself that is wanted in another language or form, or of another name."""
    part = _part(said) or ""
    words = part.split()
    other = _IN_OTHER_WORDS.fullmatch(part)
    in_words = other is not None and (other["language"] is None or other["language"].lower() in _LANGUAGES)
    if not in_words and not (_SAME.match(said) and words and _kind(words[1:] or words) == "identifier"):
        return asks
    small = (_ON_WHAT_IS_THERE, _ON_ITS_FORM) if in_words else (_ON_WHAT_IS_THERE,)
    kept = len(asks)
    while kept and any(order.fullmatch(lines[asks[kept - 1]].text.strip()) for order in small):
        kept -= 1
    return asks[:kept] if kept and len(asks) - kept < _LATELY else asks


def asks_alike(text: str, lines: Sequence[Line]) -> bool:
    """Whether the message is a whole question or order of the form of one before, of something else: "what is the
    capital of Mongolia?" after the same about Kazakhstan."""
    said = _WORD.findall(text.lower()) if may_be_part(text) else []
    if not _ALIKE < len(said) <= _MOST_ASKED or not _NO_POINT.isdisjoint(said):
        return False
    for line in [line for line in lines if line.mine and line.request is not None][-_LATELY:]:
        asked = _WORD.findall(line.text[:_LONGEST_ASKED].lower())
        same = next((n for n, (one, other) in enumerate(zip(said, asked, strict=False)) if one != other), 0)
        told = [word for word in said[:same] if word not in FUNCTION_WORDS]
        other = (said[same], asked[same]) if same >= _ALIKE else ()
        if told and other and all(word in _OPENING or word not in FUNCTION_WORDS for word in other):
            return True
    return False


def _said_anew(said: str, asked: str, *, pointing: bool) -> tuple[Span, str] | None:
    """The place in what was asked that the words take, and what of them stands there."""
    words = list(_WORD.finditer(asked))
    if len(words) > _MOST_ASKED or _SENTENCE.search(asked.rstrip(" ?.!")):
        return None
    quality = _quality(said, asked)
    if quality is not None:
        return quality
    same = _SAME.match(said) is not None
    part = _part(said) if pointing or same else None
    placed = None if part is None else _placed(part, asked, words, same=same)
    if placed is None:
        return None
    (start, end), new = placed = _beside_quality(placed, asked)
    if _kind([new]) == "word" and start < end and not same and not _ASKS.search(said):
        return None
    if _kind(new.split()) == "the thing" and start < end and not (same or _ASKS.search(said)):
        return None
    return None if new.lower() == asked[start:end].strip().lower() else placed  # chosen from what the question offered


def _quality(said: str, asked: str) -> tuple[Span, str] | None:
    """ "bigger" and "and blue" after "make the slider vertical": the same thing is made something else."""
    new, made = _BARE_QUALITY.fullmatch(said), _MADE.fullmatch(asked)
    if new is None or made is None:
        return None
    last = made["last"].lower()
    so = is_quality(last) or last in _STATES or base_verb(last) == last  # "make the poem rhyme"
    if not so or not (new["how"] or is_quality(new["last"])):
        return None
    return made.span("quality"), new["quality"]


def _beside_quality(placed: tuple[Span, str], asked: str) -> tuple[Span, str]:
    """How a thing is made is no part of it: "the footer" takes the place of "the header" in "make the header blue"."""
    (start, end), new = placed
    made = _MADE.fullmatch(asked)
    if made is None or not start < made.start("quality") < end or not is_quality(made["last"]):
        return placed
    return (start, len(asked[: made.start("quality")].rstrip())), new


def _asks(line: Line) -> bool:
    """Whether it asks or orders, rather than telling something, and nothing stands in brackets behind it."""
    text = line.text.strip()
    if line.request is None or text.endswith((")", ")?")):
        return False
    return text.endswith("?") or _TELLS.match(text) is None


def _part(text: str) -> str | None:
    """The few words that say something anew; None where the message is more than that, or points."""
    lead = _SAME.match(text.strip()) or _LEAD.match(text.strip())
    part = _TAIL.sub("", text.strip()[lead.end() if lead else 0 :])
    time = _NO.sub("", part)
    if is_time(time):
        return time
    said = [word[0].lower() for word in _WORD.finditer(part)]
    if not said or len(said) > _MOST_WORDS or "\n" in part or re.search(r"[,;:?!()=`\"*<>]|\s[/+-]", part):
        return None
    if any(word in _NO_PART for word in said) or (said[0] in VERBS and len(said) > 1):
        return None
    return None if _orders_for_now(part) else part


def _orders_for_now(part: str) -> bool:
    """Whether it is an order of its own, for a while: "for now use port 9090"."""
    plain, time = parted(part)
    first = _WORD.match(plain)
    return bool(time) and first is not None and first[0].lower() in VERBS


def _placed(part: str, asked: str, words: Sequence[re.Match[str]], *, same: bool) -> tuple[Span, str] | None:
    """Where the part belongs, and what of it. Where the `same` is to be done for it, it must stand for something. A
    time takes the place of the one that was said, or of none."""
    rest, time = before_time(part)
    if time and not rest and times_in(time, asked):
        return at_another_time(time, asked)
    anew = at_another_time(time, asked) if time and _led_by(rest, _PLACED) else None
    place = _placed_by_kind(rest, asked, words, same=same) if anew is not None else None
    both = _both(anew, place, asked) if anew is not None and place is not None else None
    return both or _placed_by_kind(part, asked, words, same=same)


def _placed_by_kind(part: str, asked: str, words: Sequence[re.Match[str]], *, same: bool) -> tuple[Span, str] | None:
    """The same, by what sort of words they are and what leads them in."""
    end = len(asked.rstrip(" ?.!"))
    only = _ONLY.match(part)
    if only is not None:
        to = _WORD.match(part, only.end())
        fits = to is not None and to[0].lower() in _PLACED and not (asked.endswith("?") and not _POLITELY.match(asked))
        return ((end, end), part) if fits else None
    said = [word[0] for word in _WORD.finditer(part)]
    if not said:
        return None
    first = said[0].lower()
    if first in _PLACED and len(said) > 1:
        there = [*_after(first, words)]
        alike = [span for span in there if _are_alike(_told(asked, span), said[1:])]
        if not (same or alike) and len(there) == 1 and first in _ONCE:
            alike = there
        if not (same or there) and _kind(said[1:]) == "name":  # "in Barcelona" for "of Madrid"
            places = [span for name in _OF_PLACES for span in _after(name, words)]
            alike = [span for span in places if _kind(_told(asked, span)) == "name"]
            alike = alike if len(alike) == 1 else []
        if alike:
            return (_before(alike[-1][0], words), alike[-1][1]), part
        if not same:
            return (end, end), part
        said, part = said[1:], part.split(maxsplit=1)[1]
        return _instead(said, part, first, asked, words)
    if first.endswith("ly") and len(said) == 1 and first not in FUNCTION_WORDS and base_verb(first) is None:
        return (end, end), part
    if first in PREPOSITIONS:
        return None
    place = _alike(_kind(said), asked, words) or _owner(said, asked, words)
    return None if place is None else (place, part)


def _led_by(said: str, words: Container[str]) -> bool:
    """Whether one thing is said, and one of these words leads it in."""
    first, _, rest = said.lower().partition(" ")
    return first in words and bool(rest) and not any(word in ("and", "or") for word in rest.split())


def _both(one: tuple[Span, str], other: tuple[Span, str], asked: str) -> tuple[Span, str] | None:
    """Two parts said anew, in one stretch."""
    ((start, end), new), ((start2, end2), new2) = sorted([one, other])
    if end > start2:
        return None
    return (start, end2), " ".join(f"{new} {asked[end:start2]} {new2}".split())


def _are_alike(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether the words can stand for each other behind the same preposition."""
    kinds = {_kind(one), _kind(other)}
    alike = len(kinds) == 1 or kinds == {"word", "words"}
    return alike and _tells_how(one) == _tells_how(other) and _tells_how_many(one) == _tells_how_many(other)


def _tells_how_many(said: Sequence[str]) -> bool:
    """Whether it is for so many, which no thing is: "for two people"."""
    return said[0].lower() in _SO_MANY or said[-1].lower() in _PEOPLE


def _tells_how(said: Sequence[str]) -> bool:
    return said[-1].lower() in _MANNERS


def _instead(
    said: Sequence[str], part: str, by: str, asked: str, words: Sequence[re.Match[str]]
) -> tuple[Span, str] | None:
    """Where the same is to be done for another thing: in the place of the one thing of its kind, of the word that tells
    whose it was ("the users endpoint"), or of what it was done for; or else behind what was asked."""
    place = _alike(_kind(said), asked, words) or _owner(said, asked, words)
    if place is not None:
        return place, part
    if len(words) < _LEAST_PATTERN:
        return None
    there = [span for name in ("to", "for", "in", "on", "from") for span in _after(name, words)]
    end = len(asked.rstrip(" ?.!"))
    last = max(there, default=None)
    torn = last is not None and _kind(said) == _kind(_told(asked, last)) == "identifier"  # "rename x to y" has two
    if last is not None and last[1] == end and not torn:
        return last, part
    return (end, end), f"{by} {part}"


def _owner(said: Sequence[str], asked: str, words: Sequence[re.Match[str]]) -> Span | None:
    """The one word that tells whose a thing is, where another of its kind is said: "users" in "the users endpoint"."""
    if len(said) != 1 or not is_plural(said[0].lower()):
        return None
    found = [
        word.span()
        for before, word, after in zip(words, words[1:], words[2:], strict=False)
        if is_plural(word[0].lower())
        and before[0].lower() in _BEFORE_OWNER
        and asked[word.end()] == " "
        and after[0].lower() not in PREPOSITIONS | _NO_PART
    ]
    return found[0] if len(found) == 1 else None


def _alike(kind: str, asked: str, words: Sequence[re.Match[str]]) -> Span | None:
    """The one place of the question that such words can stand in."""
    found = (span for span in _phrases(asked, words) if _kind(_told(asked, span)) == kind)
    alike = [span for span in found if kind != "the thing" or _told(asked, span)[1].lower() not in _UNITS]
    return alike[0] if len(alike) == 1 else _last_word(kind, words)


def _last_word(kind: str, words: Sequence[re.Match[str]]) -> Span | None:
    """A plain word takes the place of the one that the question ends with: "the boiling point of ethanol"."""
    if kind != "word" or len(words) < 3 or words[-2][0].lower() not in PREPOSITIONS or _kind([words[-1][0]]) != "word":
        return None
    return words[-1].span()


def _kind(said: Sequence[str]) -> str:
    """What sort of words they are; those of one sort can stand for each other."""
    low = [word.lower() for word in said]
    if all(word in _TIMES for word in low):
        return "time"
    if all(_NUMBER.fullmatch(word) for word in said):
        return "number"
    if len(said) == 1 and _IDENTIFIER.search(said[0]):
        return "identifier"
    if low[0] in ("a", "an"):
        return "a thing"
    if low[-1] in _ROOMS and low[0] in _OPENING and len(low) > 1:
        return "room"
    if low[0] in _OPENING:
        return "the thing"
    if len(said) == 1 and len(said[0]) > 1 and said[0].isupper():
        return "short name"
    if all(word[:1].isupper() for word in said) and low[0].partition("'")[0] not in SUBJECTS:
        return "name"
    return "word" if len(said) == 1 and said[0].isalpha() and said[0].islower() else "words"


def _told(asked: str, span: Span) -> list[str]:
    return [word[0] for word in _WORD.finditer(asked, *span)]


def _phrases(asked: str, words: Sequence[re.Match[str]]) -> Iterator[Span]:
    """Numbers, times, names and things with an article, each as long as it goes; the first word is no name."""
    at = 1
    while at < len(words):
        low, kind = words[at][0].lower(), _kind([words[at][0]])
        if low in _OPENING:
            named = words[at + 1 : at + 2] and words[at + 1][0].lower() in PREPOSITIONS  # "the for loop"
            end = min(at + 3, len(words)) if named else _until(at + 1, words, asked)
            if end > at + 1:
                yield words[at].start(), words[end - 1].end()
            at += 1
        elif kind in ("time", "number", "name", "short name", "identifier"):
            end = at + 1
            while end < len(words) and _kind([words[end][0]]) == kind and asked[words[end - 1].end()] == " ":
                end += 1
            yield words[at].start(), words[end - 1].end()
            at = end
        else:
            at += 1


def _after(preposition: str, words: Sequence[re.Match[str]]) -> Iterator[Span]:
    for at, word in enumerate(words[:-1]):
        if word[0].lower() == preposition:
            end = _until(at + 1, words, word.string)
            if end > at + 1:
                yield words[at + 1].start(), words[end - 1].end()


def _before(start: int, words: Sequence[re.Match[str]]) -> int:
    """Where the preposition before a place stands."""
    return next(word.start() for word in reversed(words) if word.start() < start)


def _until(at: int, words: Sequence[re.Match[str]], asked: str) -> int:
    """The number of the word that a phrase ends before."""
    end = at
    while end < len(words) and (end == at or asked[words[end - 1].end() : words[end].start()] == " "):
        if words[end][0].lower() in PREPOSITIONS | _NO_PART | {"and", "or", "that"}:
            break
        end += 1
    return end
