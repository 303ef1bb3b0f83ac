"""Which item of a list that was given earlier is meant: "the second one", "option B", "the latter", "both"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from anaphora.function_words import AUXILIARIES, DETERMINERS, FUNCTION_WORDS, PREPOSITIONS, SUBJECTS, word_set
from anaphora.ports import Line
from anaphora.types import Span
from anaphora.understanding import lexicon
from anaphora.understanding.lexicon import base_verb, is_plural
from anaphora.understanding.lists import ITEM_WORD, READ_LINE, Listing, find_lists
from anaphora.understanding.ordinals import (
    COUNT,
    COUNTS,
    LABEL,
    MIDDLE,
    NUMBERS,
    ORDINAL,
    ORDINALS,
    PLACES,
    label_number,
)
from anaphora.understanding.patterns import any_case, expression
from anaphora.understanding.phrases import gerund, is_clause, within_sentence
from anaphora.understanding.text import mask

__all__ = ["Choice", "find_choices", "fitted", "is_choice"]

_LOOK_BACK = 6  # lines; a list further back is hardly pointed into without being named
_LOOK_BACK_LOOSE = 2  # lines, for a list that nothing announces as one, and for "both"
_LOOK_BACK_TOLD, _TOLD_LEAST = (
    4,
    3,
)  # lines, for such a list of so many items in a reply, where "the first one" is meant
_ALL_AT_MOST, _ALL_WORDS = 5, 5  # items, and words of each, that are named where all of a list are meant
_SAID_AT_MOST = 600  # characters; a longer message is mostly pasted, and its ordinals point into itself


@dataclass(frozen=True, slots=True)
class Choice:
    """Words that point into a list, the items they point to (line number, place), and what to put in their place."""

    span: Span
    mention: str
    referents: tuple[tuple[int, Span], ...]
    wording: str
    why: str


def is_choice(mention: str) -> bool:
    """Whether words do nothing but point into a list: "the second one", "option B", "both"."""
    return _ONLY_POINTS.fullmatch(mention) is not None


def find_choices(text: str, lines: Sequence[Line]) -> tuple[Choice, ...]:
    """The words of a message that point into lists of the lines before it (the oldest first), in order."""
    if not lines or len(text) > 3 * _SAID_AT_MOST or not _GATE.search(text):
        return ()
    said = mask(text)
    if len(" ".join(said.split())) > _SAID_AT_MOST:
        return ()
    found = ((mention, _resolve(mention, lines, said)) for mention in _mentions(said))
    return tuple(_choice(text, mention, chosen, lines) for mention, chosen in found if chosen)


# --- mentions -----------------------------------------------------------------------------------------------------

# What any list can be said to be of, and what an ordinal before it hardly ever takes from a list.
_GENERIC = word_set(
    "one option choice approach idea suggestion alternative proposal variant method solution way recommendation "
    "possibility item point bullet pick candidate step"
)
_NEVER = word_set(
    "time week weekend day night month year hour minute second quarter name digit column row line character letter "
    "word argument parameter element value half part place person thing paragraph sentence version code answer "
    "response reply message prompt request page class glance sight try attempt run call few couple bit resort chance "
    "hand index occurrence cell entry field position slash login list"
)
_TAKING = word_set("take like love pick want hate book buy")
_LABEL_NOUN = "(?:option|choice|number|step|approach|method|idea|suggestion|solution|variant|alternative|item|point)s?"
_THE = r"\b(?:the|that|those|these|your)\s+"
_PICKING = (  # what is done with an item that is named by its number alone
    r"(?:(?:ok|okay|yes|yeah|and|now|then|also|please|pls|let['’]?s|can you|could you)\W+)*"
    r"(?:do|use|try|go with|take|pick|choose|prefer|i like|expand(?: on)?|elaborate on|explain|skip|drop|remove|delete|"
    r"keep|swap|merge|combine|start with|begin with|fix|implement|apply|rewrite|shorten|show me|what about|how about|"
    r"(?:tell me )?more (?:on|about))\s+"
)
_GATE = expression(
    rf"(?i)\b(?=\w)(?:{ORDINAL}|the other|which (?:ones? )?of|both|all (?:the )?(?:{COUNT})|{_LABEL_NOUN} {LABEL})\b"
    r"|\#\d"
    rf"|^\W*(?:(?:ok|okay|yes|yeah)\W+)?{LABEL}\b|^\W*{_PICKING}{LABEL}\b"
)
_SHAPES = expression(
    rf"""(?ix)(?<!\w)(?:  # no word begins within another: most places need not be tried
    (?P<run>{_THE}(?P<side>first|last)\s+(?P<run_count>two|three|four|five|[2-5])\b)
    | (?P<each>\b(?:both|all\s+(?:the\s+)?(?P<each_count>{COUNT}))\b)
    | (?P<other>\bthe\s+other\b)
    | (?P<label>(?:\b(?P<label_noun>{_LABEL_NOUN})\s+\#?|(?<![\w\#&/])\#)(?P<first>{LABEL})
        (?:\s*(?:,|and|or|&|\+)\s*\#?(?P<more>{LABEL}))?(?![\w.:/\-]*\w))
    | {_THE}(?P<ordinal>{ORDINAL})\b(?:\s*(?:,|and|or|&)\s*(?P<also>{ORDINAL})\b)?
    | (?:(?<=[.,;:!?]\s)|^|(?<=^no\s)|(?<=^ok\s)|(?<=^yes\s))(?P<bare>{ORDINAL})
        (?=\s+(?:{"|".join(_GENERIC)})\b|\W*(?:please|pls|then|lol)?\W*$))"""
)
_ALONE = expression(
    rf"(?i)\W*(?:(?:ok|okay|yes|yeah|do|use|try|go with)\W+)?(?P<it>{LABEL})[.)!]?(?:\W+(?:please|pls|then|it is))?\W*"
)
_PICKED = expression(
    rf"(?i)\W*{_PICKING}(?P<them>\#?[1-9]\d?(?:\s*(?:,|and|or|&|\+)\s*(?:and\s+)?\#?[1-9]\d?){{0,5}})"
    r"(?:\W+(?:please|pls|then|first|too))?\W*"
)
_NUMBER = expression(r"\d+")
_WHICH_OF = any_case(r"\bwhich\s+(?:ones?\s+)?of\s+(these|those|them)\b(?=\s+([\w'’]+)|)", needles="which", dear=True)
# What the message itself speaks of in the plural is what its ordinals count: "merge two tables, keep both".
_OWN = expression(r"(?i)\b(?:every|each|all|any|two|three|four|five|several|multiple|many|\d+)\s+(?!one\b)[a-z]")
_OF = expression(r"(?i)\s+of\s+(?:them|those|these|the\s+(?:two|three|four|five|lot))\b")
_NEXT_WORD = expression(r"(?i)\s+([a-z][a-z'’-]*)")
_INDEFINITE = expression(r"^an? (?=[a-z])")
_DO = expression(r"(?i)\bdo(ing)?\s+$")
_WORD_BEFORE = expression(r"([\w'’-]+)\s+$")


_ONLY_POINTS = expression(
    rf"(?i)(?:{_THE})?(?:{ORDINAL}|other)(?: (?:{'|'.join(_GENERIC)}))?|both(?: of (?:them|those|these))?|"
    rf"(?:the )?(?:{_LABEL_NOUN} )?\#?{LABEL}|all (?:the )?(?:{COUNT})(?: of (?:them|those|these))?"
)


class _Mention(NamedTuple):
    """Words that may point into a list, and to where in it. `noun` is what they call the item, if anything."""

    span: Span
    kind: Literal["place", "run", "each", "all", "other", "label"]
    noun: str = ""
    places: tuple[int, ...] = ()
    size: int = 0  # of the list, where the words say it
    near: bool = False  # only in the line just before: the words alone say too little
    picked: bool = False  # by bare numbers, which only a list that has such can be meant by


def _mentions(said: str) -> Iterator[_Mention]:
    alone, picked = _ALONE.fullmatch(said), _PICKED.fullmatch(said)
    if picked:
        places = tuple(int(number) - 1 for number in _NUMBER.findall(picked["them"]))
        yield _Mention(picked.span("them"), "label", places=places, picked=True)
        return
    if alone and alone["it"] != "a":
        yield _Mention(alone.span("it"), "label", places=(label_number(alone["it"]) - 1,), near=True)
    for match in _WHICH_OF.finditer(said):
        if not match[2] or match[2].lower() in FUNCTION_WORDS or match[2].lower() in lexicon.FINITE:
            yield _Mention(match.span(1), "all", near=True)
    for match in _SHAPES.finditer(said):
        earlier = "".join(_WORD_BEFORE.findall(said[: match.start()].lower()))
        if mention := _labelled(match, earlier) if match["label"] else _placed(said, match, earlier):
            yield mention


def _labelled(match: re.Match[str], earlier: str) -> _Mention | None:
    noun = (match["label_noun"] or "").lower().rstrip("s").replace("number", "")
    foreign = earlier and earlier not in FUNCTION_WORDS | _TAKING and not base_verb(earlier)  # "issue #2"
    if not noun and (foreign or (match["label_noun"] and earlier == "the") or match["first"].lower() in "abcdefgh"):
        return None
    places = tuple(label_number(label) - 1 for label in (match["first"], match["more"]) if label)
    return _Mention(match.span(), "label", noun, places)


def _placed(said: str, match: re.Match[str], earlier: str) -> _Mention | None:
    tail = _tail(said, match.end(), many=bool(match["run"] or match["each"]), asked=earlier in AUXILIARIES)
    if tail is None or _OWN.search(said, 0, match.start()):
        return None
    noun, span = tail[0], (match.start(), tail[1])
    if match["other"]:
        return _Mention(span, "other", noun, size=2) if noun in _GENERIC or not noun else None
    if match["each"]:
        size = COUNTS[(match["each_count"] or "two").lower()]
        alone = (match["each_count"] and size > 1) or _stands_alone(said, match, earlier, noun)
        return _Mention(span, "each", noun, tuple(range(size)), size) if alone else None
    if match["run"]:
        count = COUNTS[match["run_count"].lower()]
        places = tuple(range(count) if match["side"].lower() == "first" else range(-count, 0))
        return _Mention(span, "run", noun, places)
    ordinals = [word.lower() for word in (match["ordinal"] or match["bare"], match["also"]) if word]
    if not noun and ordinals[0][0].isdigit():
        return None  # a date, as likely
    size = 2 if ordinals[0] in ("former", "latter") else 0
    return _Mention(span, "place", noun, tuple(PLACES.get(word, -2) for word in ordinals), size, bool(match["bare"]))


def _tail(said: str, at: int, *, many: bool, asked: bool) -> tuple[str, int] | None:
    """What the words behind a mention call the item ("" for nothing) and where the mention ends; None where they
    show that it is no choice."""
    if of := _OF.match(said, at):
        return "", of.end()
    match = _NEXT_WORD.match(said, at)
    if match is None:
        return ("", at) if said[at:].lstrip()[:1] in ".,;:!?)-–—=/" else None
    word = match[1].lower().replace("’", "'")
    noun = _singular(word)
    if noun in _GENERIC:
        return noun, match.end()
    pair = said[:at].lower().endswith(("former", "latter"))
    if pair and word == "to":
        return "", at
    if noun in _NEVER or word in SUBJECTS or word in ("of", "to", "i'm", "that"):
        return None
    further = _NEXT_WORD.match(said, match.end())
    then = further[1].lower() if further else "then"
    compound = not (then in FUNCTION_WORDS or then.endswith(("ly", "s")) or base_verb(then))
    verb = asked and (pair or (base_verb(word) == word and not base_verb(then)))
    verb = verb or (not compound and ((not many and is_plural(word)) or word.endswith("ly")))
    if verb or word in FUNCTION_WORDS or word in lexicon.FINITE or word in ("pls", "lol"):
        return "", at
    unfit = compound or said.startswith(("_", "/"), match.end()) or (many and noun == word)
    return None if unfit else (noun, match.end())


def _stands_alone(said: str, match: re.Match[str], earlier: str, noun: str) -> bool:
    """Whether "both" is the thing itself ("use both"), not a word beside it ("both X and Y", "they are both red")."""
    start = not earlier or earlier in PREPOSITIONS | {"and", "or", "then", "have"} or base_verb(earlier) is not None
    clause = re.split(r"[.,;:!?\n]", said[match.end() :], maxsplit=1)[0]
    return start and (bool(noun) or not re.search(r"(?<!^) (?:and|or)\b", clause))


def _singular(word: str) -> str:
    if word.endswith(("ies", "ches", "shes", "xes", "sses")) and len(word) > 4:
        return f"{word[:-3]}y" if word.endswith("ies") else word[:-2]
    return word[:-1] if is_plural(word) or word == "ones" else word


# --- which list, which item ---------------------------------------------------------------------------------------

_Lines = Sequence[Line]
_Chosen = tuple[int, Listing, list[int]]


def _resolve(mention: _Mention, lines: _Lines, said: str) -> _Chosen | None:
    """The list that a mention points into, newest line first, and which of its items."""
    newest = len(lines) - 1
    reach = 1 if mention.near else _LOOK_BACK_LOOSE if mention.kind == "each" else _LOOK_BACK
    for number in range(newest, max(-1, newest - reach), -1):
        asked = lines[number - 1].text[-400:] if number and not lines[number].mine else ""
        unseen = number < newest and lines[number].mine and lines[number + 1].mine  # the reply to it
        least = 3 if unseen else 1 if newest - number < _LOOK_BACK_LOOSE else 2
        lists = [found for found in find_lists(lines[number].text[:READ_LINE]) if found.rank >= least]
        if not lists and newest - number < _LOOK_BACK_TOLD and mention.noun == "one" and not lines[number].mine:
            lists = [found for found in find_lists(lines[number].text[:READ_LINE]) if len(found.items) >= _TOLD_LEAST]
        fitting = [found for found in lists if _fits(mention, found, asked)]
        best = [found for found in fitting if found.rank == max(other.rank for other in fitting)]
        best = [found for found in best if _speaks_of(mention.noun, found, "")] or best
        if len(best) == 1:
            size = len(best[0].items)
            middle = size // 2 if size % 2 and size > 2 else size
            places = [middle if place == MIDDLE else place + size * (place < 0) for place in mention.places]
            if mention.kind == "all":
                places = _all(best[0], lines[number].text)
            elif mention.kind == "other":
                places = _other(best[0], lines, number, said[: mention.span[0]])
            return (number, best[0], places) if places and all(0 <= place < size for place in places) else None
        if best or (mention.noun in ("", "one") and any(found.rank == 3 for found in lists)):
            break
    return None


def _all(found: Listing, text: str) -> list[int]:
    """All places of a list that is announced as one, where its items are few and short enough to be named together."""
    short = all(len(text[slice(*item)].split()) <= _ALL_WORDS for item in found.items)
    return [*range(len(found.items))] if found.rank > 1 and len(found.items) <= _ALL_AT_MOST and short else []


def _fits(mention: _Mention, found: Listing, asked: str) -> bool:
    size, noun = len(found.items), mention.noun
    if (mention.size and size != mention.size) or (mention.kind == "run" and size <= len(mention.places)):
        return False
    if mention.kind == "label" and not found.labels and (found.rank < 3 or mention.near or mention.picked):
        return False
    if found.noun in _GENERIC and noun not in ("", "one"):
        return found.noun == noun
    return not noun or (noun in _GENERIC and (noun != "step" or found.labels)) or _speaks_of(noun, found, asked)


def _speaks_of(noun: str, found: Listing, asked: str) -> bool:
    """Whether the words before a list, or those that asked for it, name what its items are."""
    words = {word for word in found.before | {*ITEM_WORD.findall(asked.lower())} if is_plural(word)}
    return bool(noun) and (found.noun == noun or noun in map(_singular, words))


def _other(found: Listing, lines: _Lines, number: int, said: str) -> list[int]:
    """The one of two that was not spoken of last."""
    if chosen := [mention.places[0] for mention in _mentions(said) if mention.kind == "place"]:
        return [1] if chosen[-1] == 0 else [0]
    text = lines[number].text
    words = [{*ITEM_WORD.findall(text[slice(*item)].lower())} - FUNCTION_WORDS for item in found.items]
    for piece in [said, *(line.text for line in lines[:number:-1]), text[found.items[-1][1] :]]:
        for sentence in reversed(re.split(r"[.!?\n]\s", piece[:READ_LINE])):
            spoken = {*ITEM_WORD.findall(sentence.lower())}
            if named := [place for place in (0, 1) if (words[place] - words[1 - place]) & spoken]:
                return [1 - named[0]] if len(named) == 1 else []
    return []


def _choice(text: str, mention: _Mention, chosen: _Chosen, lines: _Lines) -> Choice:
    number, found, places = chosen
    referents = tuple((number, found.items[place]) for place in places)
    items = [lines[number].text[slice(*span)] for _, span in referents]
    size, back = len(found.items), len(lines) - number
    which = "the " + " and ".join(ORDINALS[place] if place < 10 else f"{place + 1}th" for place in places)
    where = f"{'your message' if lines[number].mine else 'the reply'} {'just' if back == 1 else f'{back} messages'}"
    why = f"{which if len(places) < size else 'all'} of {NUMBERS[size - 1] if size <= 10 else size} in {where} before"
    return Choice(mention.span, text[slice(*mention.span)], referents, _listed(items), why)


def fitted(text: str, span: Span, items: Sequence[str]) -> tuple[Span, str]:
    """The items as they read where a message points to them, and the place they take: an item begins a sentence only
    where the mention does, something to do takes the place of "do the first", and behind a preposition it is doing."""
    start, end = span
    before = text[:start].rstrip()
    if not before or before[-1] in ".!?\n":
        return span, _listed(items)
    items = [_INDEFINITE.sub("the ", _as_told(item)) for item in items]
    doing = _DO.search(text, 0, start)
    to_do = all(_is_to_do(item) for item in items)
    governed = "".join(_WORD_BEFORE.findall(text[:start])).lower() in PREPOSITIONS
    if to_do and (governed or (doing and doing[1])):
        items = [gerund(item) for item in items]
    return (doing.start() if to_do and doing else start, end), _listed(items)


def _as_told(item: str) -> str:
    """An item within a sentence; one that is a sentence itself, or no thing, stands there in quotes."""
    if _is_to_do(item.lower()):
        return within_sentence(item, verbs=True)
    first = item.partition(" ")[0].lower()
    quoted = " " in item and item[:1].isupper() and (is_clause(item) or first in PREPOSITIONS or first == "no")
    return f'"{item}"' if quoted else within_sentence(item)


def _is_to_do(item: str) -> bool:
    """Whether an item tells what to do: "merge two lists", and not "test suite"."""
    first, _, rest = item.partition(" ")
    then = rest.partition(" ")[0].lower()
    return base_verb(first) == first and (then in DETERMINERS or then in COUNTS or then in PREPOSITIONS)


def _listed(items: Sequence[str]) -> str:
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)
