"""Which item of a list that was given earlier is meant: "the second one", "option B", "the latter", "both"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

from anaphora.ports import Line
from anaphora.types import Span
from anaphora.understanding import lexicon
from anaphora.understanding.lexicon import AUXILIARIES, FUNCTION_WORDS, PREPOSITIONS, SUBJECTS, base_verb, is_plural
from anaphora.understanding.text import Word, mask

__all__ = ["Choice", "find_choices"]

_LOOK_BACK = 6  # lines; a list further back is hardly pointed into without being named
_LOOK_BACK_LOOSE = 2  # lines, for a list that nothing announces as one, and for "both"
_READ_LINE = 3000  # characters of an earlier line that are searched for lists
_SAID_AT_MOST = 600  # characters; a longer message is mostly pasted, and its ordinals point into itself
_READ_ITEM = 400  # characters of an item
_WORDS_AT_MOST = 12  # of an item, where it is put into a message


@dataclass(frozen=True, slots=True)
class Choice:
    """Words that point into a list, the items they point to (line number, place), and what to put in their place."""

    span: Span
    mention: str
    referents: tuple[tuple[int, Span], ...]
    wording: str
    why: str


def find_choices(text: str, lines: Sequence[Line]) -> tuple[Choice, ...]:
    """The words of a message that point into lists of the lines before it (the oldest first), in order."""
    if not lines or len(text) > 3 * _SAID_AT_MOST or not _GATE.search(text):
        return ()
    said = mask(text)
    if len(" ".join(said.split())) > _SAID_AT_MOST:
        return ()
    read: dict[int, list[_List]] = {}
    found = ((mention, _resolve(mention, lines, read, said)) for mention in _mentions(said))
    return tuple(_choice(text, mention, chosen, lines) for mention, chosen in found if chosen)


# --- mentions -----------------------------------------------------------------------------------------------------


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
_NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_MIDDLE = 99
_SHORT = ["1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th", "10th"]
_PLACES = {word: place for words in (_ORDINALS, _SHORT) for place, word in enumerate(words)}
_PLACES |= {"last": -1, "penultimate": -2, "former": 0, "latter": 1, "middle": _MIDDLE}
_COUNTS = {word: n for n, word in enumerate(_NUMBERS, 1)} | {str(n): n for n in range(1, 100)}
_ORDINAL = rf"(?:(?:second|next)[- ]to[- ]last|last but one|{'|'.join(_PLACES)})"
_COUNT = "|".join(_NUMBERS)
_LABEL = rf"(?:\d{{1,2}}|[a-h]|{_COUNT})"
# What any list can be said to be of, and what an ordinal before it hardly ever takes from a list.
_GENERIC = _set(
    "one option choice approach idea suggestion alternative proposal variant method solution way recommendation "
    "possibility item point bullet pick candidate step"
)
_NEVER = _set(
    "time week weekend day night month year hour minute second quarter name digit column row line character letter "
    "word argument parameter element value half part place person thing paragraph sentence version code answer "
    "response reply message prompt request page class glance sight try attempt run call few couple bit resort chance "
    "hand index occurrence cell entry field position slash login list"
)
_TAKING = _set("take like love pick want hate book buy")
_LABEL_NOUN = "(?:option|choice|number|step|approach|method|idea|suggestion|solution|variant|alternative|item|point)s?"
_THE = r"\b(?:the|that|those|these|your)\s+"
_GATE = re.compile(
    rf"(?i)\b(?:{_ORDINAL}|the other|both|all (?:the )?(?:{_COUNT})|{_LABEL_NOUN} {_LABEL})\b|\#\d"
    rf"|^\W*(?:(?:ok|okay|yes|yeah|do|use|try|go with)\W+)?{_LABEL}\b"
)
_SHAPES = re.compile(
    rf"""(?ix)(?P<run>{_THE}(?P<side>first|last)\s+(?P<run_count>two|three|four|five|[2-5])\b)
    | (?P<each>\b(?:both|all\s+(?:the\s+)?(?P<each_count>{_COUNT}))\b)
    | (?P<other>\bthe\s+other\b)
    | (?P<label>(?:\b(?P<label_noun>{_LABEL_NOUN})\s+\#?|(?<![\w\#&/])\#)(?P<first>{_LABEL})
        (?:\s*(?:,|and|or|&|\+)\s*\#?(?P<more>{_LABEL}))?(?![\w.:/\-]*\w))
    | {_THE}(?P<ordinal>{_ORDINAL})\b(?:\s*(?:,|and|or|&)\s*(?P<also>{_ORDINAL})\b)?
    | (?:(?<=[.,;:!?]\s)|^|(?<=^no\s)|(?<=^ok\s)|(?<=^yes\s))(?P<bare>{_ORDINAL})
        (?=\s+(?:{"|".join(_GENERIC)})\b|\W*(?:please|pls|then|lol)?\W*$)"""
)
_ALONE = re.compile(
    rf"(?i)\W*(?:(?:ok|okay|yes|yeah|do|use|try|go with)\W+)?(?P<it>{_LABEL})[.)!]?(?:\W+(?:please|pls|then|it is))?\W*"
)
# What the message itself speaks of in the plural is what its ordinals count: "merge two tables, keep both".
_OWN = re.compile(r"(?i)\b(?:every|each|all|any|two|three|four|five|several|multiple|many|\d+)\s+(?!one\b)[a-z]")
_OF = re.compile(r"(?i)\s+of\s+(?:them|those|these|the\s+(?:two|three|four|five|lot))\b")
_NEXT_WORD = re.compile(r"(?i)\s+([a-z][a-z'’-]*)")
_WORD_BEFORE = re.compile(r"([\w'’-]+)\s+$")


class _Mention(NamedTuple):
    """Words that may point into a list, and to where in it. `noun` is what they call the item, if anything."""

    span: Span
    kind: Literal["place", "run", "each", "other", "label"]
    noun: str = ""
    places: tuple[int, ...] = ()
    size: int = 0  # of the list, where the words say it
    near: bool = False  # only in the line just before: the words alone say too little


def _mentions(said: str) -> Iterator[_Mention]:
    alone = _ALONE.fullmatch(said)
    if alone and alone["it"] != "a":
        yield _Mention(alone.span("it"), "label", places=(_label(alone["it"]) - 1,), near=True)
    for match in _SHAPES.finditer(said):
        earlier = "".join(_WORD_BEFORE.findall(said[: match.start()].lower()))
        if mention := _labelled(match, earlier) if match["label"] else _placed(said, match, earlier):
            yield mention


def _labelled(match: re.Match[str], earlier: str) -> _Mention | None:
    noun = (match["label_noun"] or "").lower().rstrip("s").replace("number", "")
    foreign = earlier and earlier not in FUNCTION_WORDS | _TAKING and not base_verb(earlier)  # "issue #2"
    if not noun and (foreign or (match["label_noun"] and earlier == "the") or match["first"].lower() in "abcdefgh"):
        return None
    return _Mention(match.span(), "label", noun, tuple(_label(m) - 1 for m in (match["first"], match["more"]) if m))


def _placed(said: str, match: re.Match[str], earlier: str) -> _Mention | None:
    tail = _tail(said, match.end(), many=bool(match["run"] or match["each"]), asked=earlier in AUXILIARIES)
    if tail is None or _OWN.search(said, 0, match.start()):
        return None
    noun, span = tail[0], (match.start(), tail[1])
    if match["other"]:
        return _Mention(span, "other", noun, size=2) if noun in _GENERIC or not noun else None
    if match["each"]:
        size = _COUNTS[(match["each_count"] or "two").lower()]
        alone = (match["each_count"] and size > 1) or _stands_alone(said, match, earlier, noun)
        return _Mention(span, "each", noun, tuple(range(size)), size) if alone else None
    if match["run"]:
        count = _COUNTS[match["run_count"].lower()]
        places = tuple(range(count) if match["side"].lower() == "first" else range(-count, 0))
        return _Mention(span, "run", noun, places)
    ordinals = [word.lower() for word in (match["ordinal"] or match["bare"], match["also"]) if word]
    if not noun and ordinals[0][0].isdigit():
        return None  # a date, as likely
    size = 2 if ordinals[0] in ("former", "latter") else 0
    return _Mention(span, "place", noun, tuple(_PLACES.get(word, -2) for word in ordinals), size, bool(match["bare"]))


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
    if noun in _NEVER or word in SUBJECTS or word in ("of", "to", "i'm", "that"):
        return None
    further = _NEXT_WORD.match(said, match.end())
    then = further[1].lower() if further else "then"
    compound = not (then in FUNCTION_WORDS or then.endswith(("ly", "s")) or base_verb(then))
    pair = said[:at].lower().endswith(("former", "latter"))
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


def _label(word: str) -> int:
    """The number that a label stands for: 2, two, second and B are the second."""
    return _COUNTS.get(word.lower()) or _PLACES.get(word.lower(), ord(word[0].lower()) - 97) + 1


def _singular(word: str) -> str:
    if word.endswith(("ies", "ches", "shes", "xes", "sses")) and len(word) > 4:
        return f"{word[:-3]}y" if word.endswith("ies") else word[:-2]
    return word[:-1] if is_plural(word) or word == "ones" else word


# --- lists, set out as such or within a sentence ---------------------------------------------------------------------


class _List(NamedTuple):
    """A list in a line: the places of its items, whether they have numbers or letters, how surely it is a list (3
    set out as one, 2 announced, 1 enumerated), the words before it, and what its labels call an item."""

    items: tuple[Span, ...]
    labels: bool
    rank: int
    before: frozenset[str]
    noun: str = ""


_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_MARK = re.compile(
    rf"""(?imx)(?:(?:^(?P<indent>[ \t]*)(?:\#{{1,6}}[ ]+)?(?:[-*•][ ]+)?(?:\*\*|__)?)|(?<=[\s(]))
    (?:(?P<number>\d{{1,2}})[.)](?=\s|\*)|\((?P<paren>\d{{1,2}}|[a-h])\)|(?P<letter>[A-Ha-h])\)(?=\s)
    |(?P<noun>option|step|approach|method|idea|suggestion|solution|variant|alternative|plan|choice|strategy)[ ]
        \#?(?P<named>{_LABEL})[ ]?(?:\([^()\n]*\))?(?:\*\*)?[:.)–—-](?:\*\*)?(?=\s)
    |(?P<ordinal>{"|".join(_ORDINALS)})(?:ly)?,(?=\s))[ \t]*"""
)
_BULLET = re.compile(r"(?m)^(?P<indent>[ \t]*)(?P<bullet>[-*•–+])[ \t]+(?=\S)")
_SPOKEN = re.compile(r"[`\"]|^\s*[-*•–+] ")  # a line that is no code, whatever it looks like
_PROSE = re.compile(r"\n(?![-*•–+] )\S")
_LINE = re.compile(r"[^\n]+")
_SENTENCE_END = re.compile(r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bSt)(?<!\be\.g)[.!?](?=\s|$)|\n")
_BOLD = re.compile(r"(?:\*\*|__)(?P<bold>[^*_\n]{2,80}?):?(?:\*\*|__)")
_HEAD = re.compile(r"(?P<head>(?:`[^`\n]+`|[^\s:`]+)(?:\s+[^\s:]+){0,6}?)(?::|\s+[-–—→])\s")
_CLAUSE_END = re.compile(r"[,;(—]|\s[–-]\s|\s(?=(?:that|which|because|so|but|while|where|when|if)\s)")
_LOOSE_END = re.compile(r"(?:[\s,;.:!?*]|\s(?:and|or|\())+$")
_ITEM_WORD = re.compile(r"\w+")


def _lists(text: str) -> list[_List]:
    """The lists of a line. Those that are set out as lists hide what their items enumerate."""
    read = _FENCE.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text[:_READ_LINE])
    read = _LINE.sub(lambda m: m[0] if _SPOKEN.search(m[0]) or mask(m[0]).strip() else " " * len(m[0]), read)
    return [*_set_out(read, labelled=True)] or [*_set_out(read, labelled=False)] or [*_enumerated(read)]


def _set_out(text: str, *, labelled: bool) -> Iterator[_List]:
    """Lists whose items carry numbers, letters or "First, … Second, …"; or else those with bullets."""
    runs: dict[tuple[str, int], list[tuple[int, re.Match[str]]]] = {}
    ended = []
    for match in (_MARK if labelled else _BULLET).finditer(text):
        marks = match.groupdict()
        style = next(name for name, mark in marks.items() if mark and name != "indent")
        aside = -1 if marks["indent"] is None else len(marks["indent"])
        key = (style + (marks.get("noun") or "").lower(), 0 if style in ("noun", "ordinal") else aside)
        run = runs.setdefault(key, [])
        order = _label(marks["named"] or marks[style]) if labelled else run[-1][0] + 1 if run else 1
        torn = not labelled and run and _PROSE.search(text, run[-1][1].end(), match.start())
        if run and (torn or order != run[-1][0] + 1):
            ended.append(run)
            run = runs[key] = []
        if run or order == 1 or not labelled:
            run.append((order, match))
    for run in (run for run in [*ended, *runs.values()] if len(run) > 1):
        ends = [*(match.start() for _, match in run[1:]), len(text)]
        items = tuple(_short(text, match.end(), end) for (_, match), end in zip(run, ends, strict=True))
        if all(start < end for start, end in items):
            start = run[0][1].start()
            before = frozenset(_ITEM_WORD.findall(text[max(0, start - 160) : start].lower()))
            yield _List(items, labelled, 3, before, (run[0][1].groupdict().get("noun") or "").lower())


def _short(text: str, start: int, end: int) -> Span:
    """The place of an item's name within the item: its bold part, what stands before a colon, or its first clause."""
    item = text[start : min(end, start + _READ_ITEM)].partition("\n")[0]
    start, end = start + len(item) - len(item.lstrip()), start + len(item)
    if bold := _BOLD.match(text, start, end):
        return bold.span("bold")
    if (head := _HEAD.match(text, start, end)) and not text.startswith(("http", '"', "“"), start):
        end = head.end("head")
    elif (sentence := _SENTENCE_END.search(text, start, end)) and sentence.start() > start:
        end = sentence.start()
    if len(text[start:end].split()) > _WORDS_AT_MOST:
        cuts = (cut.start() for cut in _CLAUSE_END.finditer(text, start, end))
        end = next((cut for cut in cuts if len(text[start:cut].split()) > 1), end)
        end = [*re.compile(r"\S+").finditer(text, start, end)][:_WORDS_AT_MOST][-1].end()
    loose = _LOOSE_END.search(text, start, end)
    return start, loose.start() if loose else end


_TOKEN = re.compile(
    r"`[^`\n]+`|\"[^\"\n]+\"|“[^”\n]+”|\([^()\n]*\)|\d{1,3}(?:,\d{3})+"
    r"|[@/~$€£.*]{0,3}\w(?:[\w'’./:+#%@()\-]*[\w+#%/*)])?|&|[^\s\w]"
)
_Tokens = Sequence[Word]
_JOINTS = _set("and or vs versus")
_ARTICLES = _set("a an the my your our one some")
_THINGS = _set("name code number article")
_CUES = _set("either between compare comparing options choices called named torn versus vs namely")
_GOING_ON = "if because so when but then while instead please both all each since unless though which who also for"
_STOPS = AUXILIARIES | SUBJECTS - {"one"} | lexicon.FINITE | _set(f"{_GOING_ON} cheaper better faster easier")
_NO_ITEM = _STOPS | lexicon.ADJECTIVES | {"more", "less", "later", "newer", "older", "came", "sold", "asked"}


def _kind(token: Word) -> str:
    """What an item that starts with this word is: items of one list start alike."""
    first = token.text[0]
    if first in '`"“/*.' or token.text.endswith("()"):
        return "code"
    if first.isdigit() or first in "$€£":
        return "number"
    if token.low in FUNCTION_WORDS or token.low in _ARTICLES:
        return "article" if token.low in _ARTICLES else "preposition" if token.low in PREPOSITIONS else "function"
    if first.isupper():
        return "name"
    return "verb" if base_verb(token.low) == token.low else "word" if first.isalnum() else "mark"


def _enumerated(text: str) -> Iterator[_List]:
    start = 0
    for end, following in [*(stop.span() for stop in _SENTENCE_END.finditer(text)), (len(text), len(text))]:
        tokens = [Word(m[0], m[0].lower(), m.start(), m.end()) for m in _TOKEN.finditer(text, start, end)]
        items, announced = _enumeration(tokens) if 3 <= len(tokens) <= 120 else ([], False)
        if items:
            words = frozenset(token.low for token in tokens if token.start < items[0][0].start)
            counts = {_COUNTS[word] for word in words & _COUNTS.keys()} - {1}
            spans = tuple(_short(text, item[0].start, item[-1].end) for item in items)
            if len(items) in counts or len(items) > 2 or not counts or announced > bool(counts):
                yield _List(spans, False, 2 if announced or len(items) in counts else 1, words)
        start = following


def _enumeration(tokens: _Tokens) -> tuple[list[_Tokens], bool]:
    """The items of a sentence that enumerates something (none if it does not), and whether it announces that."""
    colon = next((i for i, token in enumerate(tokens) if token.text == ":"), -1)
    body = tokens[colon + 1 :]
    clauses, parts = _split(body, ";"), _split(body, ",")
    if any(token.text == ":" for token in body):
        return [], False
    if len(clauses) > 2:
        return [_split(clause, ",")[0] for clause in clauses], colon >= 0
    plain = colon >= 0 and not _JOINTS & {t.low for t in body} and all(_is_item(part, 1) for part in parts)
    if len(parts) > 2 and (plain or all(_kind(part[0]) == "code" for part in parts)):
        return parts, True
    cued = bool(_CUES & {token.low for token in tokens})
    words = _JOINTS | ({"with", "to"} if body and body[0].low == "compare" else set())
    joints = [i for i, token in enumerate(body) if token.low in words and 0 < i < len(body) - 1]
    for at in sorted(joints, key=lambda i: (body[i - 1].text != ",", body[i].low == "and", i)):
        items = _joined(body, at, opened=colon >= 0, cued=cued)
        if items:
            return items, cued or colon >= 0
    return [], False


def _split(tokens: _Tokens, mark: str) -> list[_Tokens]:
    """The stretches between marks, without the "and" before the last."""
    at = [-1, *(i for i, token in enumerate(tokens) if token.text == mark), len(tokens)]
    parts = [tokens[start + 1 : end] for start, end in pairwise(at)]
    if len(parts) > 1 and parts[-1] and parts[-1][0].low in _JOINTS:
        parts[-1] = parts[-1][1:]
    return [part for part in parts if part]


def _joined(tokens: _Tokens, at: int, *, opened: bool, cued: bool) -> list[_Tokens]:
    """The items that the word at this place joins; none where what it joins is no list of things."""
    begin = max((i + 1 for i in range(at) if tokens[i].text in ";—–:"), default=0)
    end = next((i for i in range(at + 1, len(tokens)) if tokens[i].text in ",;—–:"), len(tokens))
    left = _split(tokens[begin:at], ",")
    last = _head_of(tokens[at + 1 : end], named=_kind(tokens[at - 1]) in ("name", "code", "number"))
    items = [last] if left and last else []
    for number, whole in reversed([*enumerate(left if items else [])]):
        item = whole if (opened and number == 0) or _is_item(whole, number) else _tail_of(whole, items[0])
        cut = len(item) < len(whole)
        if not item or (len(items) > 1 and cut and _kind(item[0]) not in ("name", _kind(items[0][0]))):
            break
        items.insert(0, item)
        if cut:
            break
    if len(items) < 2 or max(len(item) for item in items) > 10:
        return []
    kinds = [_kind(item[0]) for item in items]
    comma, either = tokens[at - 1].text == ",", tokens[at].low != "and" or cued
    if len(items) > 2:
        alike = not {"preposition", "function"} & {*kinds}
    elif kinds[0] == kinds[1]:
        far = kinds[0] in ("name", "code") and {token.low for token in items[0]} & PREPOSITIONS - {"of"}
        alike = (kinds[0] in _THINGS and not comma and not far) or (either and kinds[0] != "function")
    else:
        alike = either and {*kinds} <= {"name", "code", "article", "word" if comma or cued else ""}
    ranged = any(t.low == "between" for t in tokens[:at]) and all("number" in map(_kind, item) for item in items)
    torn = any(token.text.count("(") != token.text.count(")") for item in items for token in item)
    return items if alike and not (ranged or torn) else []


def _is_item(tokens: _Tokens, number: int) -> bool:
    """Whether a stretch between commas can be an item as it stands."""
    if any(token.low in _STOPS for token in tokens) or tokens[0].low in _NO_ITEM or len(tokens) > 8:
        return False
    return _kind(tokens[0]) in _THINGS | {"word", "verb"} and (number > 0 or base_verb(tokens[0].low) is None)


def _head_of(right: _Tokens, *, named: bool) -> _Tokens:
    """The last item: up to where the sentence goes on."""
    if not right or right[0].low in _NO_ITEM or _kind(right[0]) in ("function", "mark"):
        return ()
    stops = _STOPS | (PREPOSITIONS - {"of"} if _kind(right[0]) in ("name", "code", "number") else set())
    plain = ("word", "verb") if named and _kind(right[0]) == "name" else ()
    return right[: next((i for i, t in enumerate(right) if i and (t.low in stops or _kind(t) in plain)), len(right))]


def _tail_of(left: _Tokens, following: _Tokens) -> _Tokens:
    """The item that ends this stretch, begun as the one that follows it begins."""
    kind, low = _kind(following[0]), following[0].low
    starts = [i + 1 for i, token in enumerate(left) if token.low in ("between", "either")]
    if not starts and kind in ("article", "preposition", "verb"):
        alike = {low} if kind == "preposition" else {token.low for token in left}
        starts = [i for i, token in enumerate(left) if _kind(token) == kind and token.low in alike]
    if not starts and len(left) > 1 and base_verb(left[0].low) == left[0].low and _kind(left[1]) == kind:
        starts = [1]
    if starts:
        return left[starts[0 if kind == "verb" else -1] :]
    start = len(left)
    while start > 0 and (_kind(left[start - 1]) in ("name", "code", "number") or left[start - 1].text == "&"):
        start -= 1
    start += start == 0 and len(left) > 1 and base_verb(left[0].low) is not None
    if start < len(left) and kind in _THINGS:
        return left[start:]
    ends = [i for i, t in enumerate(left) if t.low in _STOPS or base_verb(t.low)]
    ends = ends or [i for i, token in enumerate(left) if token.low in FUNCTION_WORDS - _ARTICLES]
    item = left[ends[-1] + 1 :] if ends else left
    return item[next((i for i, t in enumerate(item) if _kind(t) not in ("function", "preposition")), len(item)) :]


# --- which list, which item ---------------------------------------------------------------------------------------

_Lines = Sequence[Line]
_Chosen = tuple[int, _List, list[int]]


def _resolve(mention: _Mention, lines: _Lines, read: dict[int, list[_List]], said: str) -> _Chosen | None:
    """The list that a mention points into, newest line first, and which of its items."""
    newest = len(lines) - 1
    reach = 1 if mention.near else _LOOK_BACK_LOOSE if mention.kind == "each" else _LOOK_BACK
    for number in range(newest, max(-1, newest - reach), -1):
        if number not in read:
            read[number] = _lists(lines[number].text)
        asked = lines[number - 1].text[-400:] if number and not lines[number].mine else ""
        unseen = number < newest and lines[number].mine and lines[number + 1].mine  # the reply to it
        least = 3 if unseen else 1 if newest - number < _LOOK_BACK_LOOSE else 2
        lists = [found for found in read[number] if found.rank >= least]
        fitting = [found for found in lists if _fits(mention, found, asked)]
        best = [found for found in fitting if found.rank == max(other.rank for other in fitting)]
        best = [found for found in best if _speaks_of(mention.noun, found, "")] or best
        if len(best) == 1:
            size = len(best[0].items)
            middle = size // 2 if size % 2 and size > 2 else size
            places = [middle if place == _MIDDLE else place + size * (place < 0) for place in mention.places]
            if mention.kind == "other":
                places = _other(best[0], lines, number, said[: mention.span[0]])
            return (number, best[0], places) if places and all(0 <= place < size for place in places) else None
        if best or (mention.noun in ("", "one") and any(found.rank == 3 for found in lists)):
            break
    return None


def _fits(mention: _Mention, found: _List, asked: str) -> bool:
    size, noun = len(found.items), mention.noun
    if (mention.size and size != mention.size) or (mention.kind == "run" and size <= len(mention.places)):
        return False
    if mention.kind == "label" and not found.labels and (found.rank < 3 or mention.near):
        return False
    if found.noun in _GENERIC and noun not in ("", "one"):
        return found.noun == noun
    return not noun or (noun in _GENERIC and (noun != "step" or found.labels)) or _speaks_of(noun, found, asked)


def _speaks_of(noun: str, found: _List, asked: str) -> bool:
    """Whether the words before a list, or those that asked for it, name what its items are."""
    words = {word for word in found.before | {*_ITEM_WORD.findall(asked.lower())} if is_plural(word)}
    return bool(noun) and (found.noun == noun or noun in map(_singular, words))


def _other(found: _List, lines: _Lines, number: int, said: str) -> list[int]:
    """The one of two that was not spoken of last."""
    if chosen := [mention.places[0] for mention in _mentions(said) if mention.kind == "place"]:
        return [1] if chosen[-1] == 0 else [0]
    text = lines[number].text
    words = [{*_ITEM_WORD.findall(text[slice(*item)].lower())} - FUNCTION_WORDS for item in found.items]
    for piece in [said, *(line.text for line in lines[:number:-1]), text[found.items[-1][1] :]]:
        for sentence in reversed(re.split(r"[.!?\n]\s", piece[:_READ_LINE])):
            spoken = {*_ITEM_WORD.findall(sentence.lower())}
            if named := [place for place in (0, 1) if (words[place] - words[1 - place]) & spoken]:
                return [1 - named[0]] if len(named) == 1 else []
    return []


def _choice(text: str, mention: _Mention, chosen: _Chosen, lines: _Lines) -> Choice:
    number, found, places = chosen
    referents = tuple((number, found.items[place]) for place in places)
    items = [lines[number].text[slice(*span)] for _, span in referents]
    wording = " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)
    size, back = len(found.items), len(lines) - number
    which = "the " + " and ".join(_ORDINALS[place] if place < 10 else f"{place + 1}th" for place in places)
    where = f"{'your message' if lines[number].mine else 'the reply'} {'just' if back == 1 else f'{back} messages'}"
    why = f"{which if len(places) < size else 'all'} of {_NUMBERS[size - 1] if size <= 10 else size} in {where} before"
    return Choice(mention.span, text[slice(*mention.span)], referents, wording, why)
