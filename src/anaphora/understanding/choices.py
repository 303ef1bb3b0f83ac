"""Which item of a list that was given earlier is meant: "the second one", "option B", "the latter", "both"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

from anaphora.ports import Line
from anaphora.types import Span
from anaphora.understanding.lexicon import (
    ADJECTIVES,
    AUXILIARIES,
    FINITE,
    FUNCTION_WORDS,
    PREPOSITIONS,
    SUBJECTS,
    base_verb,
)
from anaphora.understanding.lexicon import is_plural as _plural
from anaphora.understanding.text import mask

__all__ = ["Choice", "find_choices"]

_LOOK_BACK = 6  # lines; a list further back is hardly pointed into without being named
_LOOK_BACK_LOOSE = 2  # lines, for a list that nothing announces as one
_READ_LINE = 8000  # characters of an earlier line that are searched for lists
_SAID_AT_MOST = 600  # characters; a longer message is mostly pasted, and its ordinals point into itself
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
    if not lines or len(text) > 4 * _SAID_AT_MOST or not _GATE.search(text):
        return ()
    said = mask(text)
    if len(" ".join(said.split())) > _SAID_AT_MOST:
        return ()
    found: list[Choice] = []
    read: dict[int, list[_List]] = {}
    for mention in _mentions(said):
        chosen = _resolve(mention, lines, read, said)
        if chosen is not None:
            found.append(_choice(text, mention, *chosen, lines))
    return tuple(found)


# --- mentions -----------------------------------------------------------------------------------------------------


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
_NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_MIDDLE = 99
_PLACES = {word: place for place, word in enumerate(_ORDINALS)}
_PLACES |= {f"{n}{({1: 'st', 2: 'nd', 3: 'rd'}).get(n, 'th')}": n - 1 for n in range(1, 11)}
_PLACES |= {"last": -1, "penultimate": -2, "former": 0, "latter": 1, "middle": _MIDDLE}
_COUNTS = {word: n for n, word in enumerate(_NUMBERS, 1)} | {str(n): n for n in range(1, 21)}
_ORDINAL = rf"(?:(?:second|next)[- ]to[- ]last|last but one|{'|'.join(_PLACES)})"
_LABEL = rf"(?:\d{{1,2}}|[a-h]|{'|'.join(_NUMBERS)})"
# What any list can be said to be of, and what an ordinal before it hardly ever takes from a list.
_GENERIC = _set(
    "one option choice approach idea suggestion alternative proposal variant method solution way recommendation "
    "possibility item point bullet pick candidate step"
)
_NEVER = _set(
    "time times week weekend day night month year hour minute second quarter name names digit column row line lines "
    "character letter word argument parameter element value half part place person thing paragraph sentence version "
    "code answer response reply message prompt request page class glance sight try attempt run call few couple bit "
    "resort minute chance name hand step-by-step item's index occurrence cell entry field position slash login"
)
_LABELLED = "option choice number step approach method idea suggestion solution variant alternative item point plan"
_LABEL_NOUN = rf"(?:{'|'.join(_LABELLED.split())})s?"
_TAIL = r"(?P<of>\s+of\s+(?:them|those|these|the\s+(?:two|three|four|five|lot))\b)?(?P<noun>\s+[a-z][a-z'’-]*)?"
_THE = r"\b(?:the|that|those|these|your)\s+"
_GATE = re.compile(
    rf"\b(?:{_ORDINAL}|the other|both|all (?:the )?(?:{'|'.join(_NUMBERS)})|{_LABEL_NOUN} {_LABEL})\b|#\d"
    rf"|^\W*(?:ok|okay|yes|yeah)?,?\s*{_LABEL}\b",
    re.IGNORECASE,
)
_SHAPES = re.compile(
    rf"""(?P<run>{_THE}(?P<side>first|last)\s+(?P<run_count>two|three|four|five|[2-5])\b)
    | (?P<each>\b(?:both|all\s+(?:the\s+)?(?P<each_count>{"|".join(_NUMBERS)}))\b)
    | (?P<other>\bthe\s+other\b)
    | (?P<label>(?:\b(?P<label_noun>{_LABEL_NOUN})\s+\#?|(?<![\w\#&/])\#)(?P<first>{_LABEL})
        (?:\s*(?:,|and|or|&|\+)\s*\#?(?P<more>{_LABEL}))?(?![\w.:/\-]*\w))
    | (?P<place>{_THE}(?P<ordinal>{_ORDINAL})\b(?:\s*(?:,|and|or|&)\s*(?P<also>{_ORDINAL})\b)?)
    | (?P<bare>(?:(?<=[.,;:!?]\s)|^|(?<=^no\s)|(?<=^ok\s)|(?<=^yes\s))(?P<bare_ordinal>{_ORDINAL})\b)
    """.replace("(?#)", ""),
    re.IGNORECASE | re.VERBOSE,
)
_ALONE = re.compile(
    rf"\W*(?:(?:ok|okay|yes|yeah|yep|sure|so|let's do|do|go with|try|use)\W+)?(?P<it>{_LABEL})[.)!]?"
    r"(?:\W+(?:please|pls|then|it is|lol|thanks))?\W*",
    re.IGNORECASE,
)
# What the message itself speaks of in the plural is what its ordinals count: "merge two tables, keep both".
_OWN = re.compile(
    r"\b(?:every|each|all|any|two|three|four|five|several|multiple|many|\d+)\s+(?!one\b)[a-z]", re.IGNORECASE
)
_NEXT_WORD = re.compile(r"\s+([a-z][a-z'’-]*)", re.IGNORECASE)
_WORD_BEFORE = re.compile(r"([\w'’-]+)\s+$")


class _Mention(NamedTuple):
    """Words that may point into a list, and to where in it. `noun` is what they call the item, if anything."""

    span: Span
    kind: Literal["place", "run", "each", "other", "label"]
    noun: str = ""
    places: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()
    count: int = 0
    near: bool = False  # only in the line just before: the words alone say too little


def _mentions(said: str) -> Iterator[_Mention]:
    alone = _ALONE.fullmatch(said)
    if alone and alone["it"] != "a":
        yield _Mention(alone.span("it"), "label", labels=(_label(alone["it"]),), near=True)
        return
    for match in _SHAPES.finditer(said):
        mention = _mention(said, match)
        if mention is not None and (mention.kind == "label" or not _OWN.search(said, 0, mention.span[0])):
            yield mention


def _mention(said: str, match: re.Match[str]) -> _Mention | None:
    before = _WORD_BEFORE.search(said, 0, match.start())
    earlier = before[1].lower() if before else ""
    if match["label"]:
        noun = (match["label_noun"] or "").lower().rstrip("s")
        labels = tuple(_label(label) for label in (match["first"], match["more"]) if label)
        named = match["first"].isdigit() or noun not in ("", "number")
        if not named or (noun in ("", "number") and _is_noun(earlier)) or (noun == "number" and earlier == "the"):
            return None
        return _Mention(match.span(), "label", "" if noun == "number" else noun, labels=labels)
    many = bool(match["run"] or match["each"])
    tail = _tail(said, match.end(), many=many, asked=earlier in AUXILIARIES, bare=bool(match["bare"]))
    if tail is None:
        return None
    noun, end = tail
    span = (match.start(), end)
    if match["other"]:
        return _Mention(span, "other", noun) if noun in _GENERIC or not noun else None
    if match["each"]:
        count = 2 if not match["each_count"] else _COUNTS[match["each_count"].lower()]
        return _Mention(span, "each", noun, count=count) if _stands_alone(said, match, earlier, noun) else None
    if match["run"]:
        count = _COUNTS[match["run_count"].lower()]
        places = range(count) if match["side"].lower() == "first" else range(-count, 0)
        return _Mention(span, "run", noun, places=tuple(places), count=count)
    ordinals = [word.lower() for word in (match["ordinal"] or match["bare_ordinal"], match["also"]) if word]
    if not noun and any(word[0].isdigit() for word in ordinals):
        return None  # a date, as likely
    places = [_PLACES.get(word, -2) for word in ordinals]
    pair = 2 if ordinals[0] in ("former", "latter") else 0
    return _Mention(span, "place", noun, places=tuple(places), count=pair, near=bool(match["bare"]) and not noun)


def _tail(said: str, at: int, *, many: bool, asked: bool, bare: bool) -> tuple[str, int] | None:
    """What the words behind a mention call the item ("" for nothing) and where the mention ends; None where they
    show that it is no choice."""
    of = re.compile(r"\s+of\s+(?:them|those|these|the\s+(?:two|three|four|five|lot))\b", re.IGNORECASE).match(said, at)
    if of:
        return "", of.end()
    match = _NEXT_WORD.match(said, at)
    if match is None:
        rest = said[at:].lstrip()
        whole = not rest or rest[0] in ".,;:!?)-–—=/"
        return ("", at) if whole and not (bare and rest.strip(".!? ")) else None
    word = match[1].lower().replace("’", "'")
    noun = _singular(word)
    if noun in _GENERIC:
        return noun, match.end()
    if bare:
        return ("", at) if re.fullmatch(r"\s+(?:please|pls|then|lol)\W*", said[at:]) else None
    if word in _NEVER or word in SUBJECTS or word in ("of", "to", "i'm", "that") or said[match.end() :].startswith("_"):
        return None
    verb = (
        (asked and base_verb(word) == word and not _verb_follows(said, match.end()))
        or (not many and _plural(word))
        or word.endswith("ly")
    )
    if word in FUNCTION_WORDS or word in FINITE or (verb and not _noun_follows(said, match.end())):
        return "", at
    if noun in _NEVER or _noun_follows(said, match.end()) or (many and noun == word):
        return None
    return noun, match.end()


def _stands_alone(said: str, match: re.Match[str], earlier: str, noun: str) -> bool:
    """Whether "both" is the thing itself ("use both"), not a word beside it ("both X and Y", "they are both red")."""
    if match["each_count"]:
        return True
    start = not earlier or said[: match.start()].rstrip()[-1:] in ".,;:!?"
    if not (start or earlier in PREPOSITIONS or earlier in ("and", "or", "then", "have") or base_verb(earlier)):
        return False
    clause = re.split(r"[.,;:!?\n]", said[match.end() :], maxsplit=1)[0]
    return bool(noun) or not re.search(r"\b(?:and|or)\b", clause) or bool(re.match(r"\s+(?:and|or)\b", clause))


def _is_noun(word: str) -> bool:
    return bool(word) and word not in FUNCTION_WORDS and base_verb(word) is None


def _noun_follows(said: str, at: int) -> bool:
    match = _NEXT_WORD.match(said, at)
    if match is None:
        return said[at : at + 1] in ("_", "/", "-")
    word = match[1].lower()
    return not (word in FUNCTION_WORDS or word in FINITE or _plural(word) or word.endswith("ly") or base_verb(word))


def _verb_follows(said: str, at: int) -> bool:
    match = _NEXT_WORD.match(said, at)
    return match is not None and base_verb(match[1].lower()) is not None


def _label(word: str) -> str:
    low = word.lower().lstrip("#")
    return str(_COUNTS[low]) if low in _COUNTS else low


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    return word[:-1] if _plural(word) or word == "ones" else word


# --- lists --------------------------------------------------------------------------------------------------------


class _List(NamedTuple):
    """A list in a line: the places of its items, their labels (empty where it has none), how surely it is a list (3
    set out as one, 2 announced, 1 enumerated), and the words before it."""

    items: tuple[Span, ...]
    labels: tuple[str, ...]
    rank: int
    before: frozenset[str]
    noun: str = ""


class _Mark(NamedTuple):
    start: int
    end: int
    key: tuple[str, int]
    label: str
    noun: str


_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_MARK = re.compile(
    rf"""(?:(?:^(?P<indent>[ \t]*)(?:\#{{1,6}}[ ]+)?(?:[-*•][ ]+)?(?:\*\*|__)?)|(?<=[\s(]))
    (?:(?P<number>\d{{1,2}})(?P<dot>[.)])(?=\s|\*)|\((?P<paren>\d{{1,2}}|[a-h])\)|(?P<letter>[A-Ha-h])\)(?=\s)
    |(?P<noun>option|step|approach|method|idea|suggestion|solution|variant|alternative|plan|choice|strategy)[ ]
        \#?(?P<named>{_LABEL})[ ]?(?:\([^()\n]*\))?(?:\*\*)?[:.)–—-](?:\*\*)?(?=\s)
    |(?P<ordinal>{"|".join(_ORDINALS)})(?:ly)?,(?=\s))[ \t]*""",
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)
_BULLET = re.compile(r"^(?P<indent>[ \t]*)(?:[-*•–+])[ \t]+(?=\S)", re.MULTILINE)
_LINE = re.compile(r"[^\n]+")
_SENTENCE_END = re.compile(r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bSt)(?<!\be\.g)[.!?](?=\s|$)|\n")
_ITEM_WORD = re.compile(r"\w+")


def _lists(text: str) -> list[_List]:
    """The lists of a line. Those that are set out as lists hide what their items enumerate."""
    read = _FENCE.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text[:_READ_LINE])
    for line in _LINE.finditer(read):
        if not (mask(line[0]).strip() or "`" in line[0] or '"' in line[0] or _BULLET.match(line[0])):
            read = read[: line.start()] + " " * len(line[0]) + read[line.end() :]
    marked = [*_marked(read)] or [*_bulleted(read)]
    return marked or [*_enumerated(read)]


def _marked(text: str) -> Iterator[_List]:
    """Lists whose items carry numbers, letters or "First, … Second, …"."""
    runs: dict[tuple[str, int], list[_Mark]] = {}
    ended: list[list[_Mark]] = []
    for match in _MARK.finditer(text):
        indent = -1 if match["indent"] is None else len(match["indent"])
        word = match["number"] or match["paren"] or match["letter"] or match["named"] or match["ordinal"]
        label = str(_PLACES[word.lower()] + 1) if match["ordinal"] else _label(word)
        style = next(name for name in ("noun", "ordinal", "number", "paren", "letter") if match[name])
        noun = (match["noun"] or "").lower()
        key = (style + noun + ("inline" if indent < 0 else ""), max(indent, 0))
        if style in ("noun", "ordinal"):
            key = (style + noun, 0)
        run = runs.setdefault(key, [])
        if run and _order(label) != _order(run[-1].label) + 1:
            ended.append(run)
            run = runs[key] = []
        if run or _order(label) == 1:
            run.append(_Mark(match.start(), match.end(), key, label, noun))
    for run in sorted([*ended, *runs.values()], key=lambda run: run[0].start if run else 0):
        if len(run) >= 2:
            ends = [*(mark.start for mark in run[1:]), len(text)]
            items = tuple(_short(text, mark.end, end) for mark, end in zip(run, ends, strict=True))
            if all(start < end for start, end in items):
                yield _List(items, tuple(m.label for m in run), 3, _before(text, run[0].start), run[0].noun)


def _bulleted(text: str) -> Iterator[_List]:
    groups: dict[int, list[re.Match[str]]] = {}
    done: list[list[re.Match[str]]] = []
    for line in _LINE.finditer(text):
        bullet = _BULLET.match(text, line.start())
        if bullet:
            groups.setdefault(len(bullet["indent"]), []).append(bullet)
        elif line[0].strip() and not line[0].startswith((" ", "\t")):
            done += groups.values()
            groups = {}
    for group in [*done, *groups.values()]:
        if len(group) >= 2:
            items = tuple(_short(text, bullet.end(), _line_end(text, bullet.end())) for bullet in group)
            if all(start < end for start, end in items):
                yield _List(items, (), 3, _before(text, group[0].start()))


def _order(label: str) -> int:
    return int(label) if label.isdigit() else ord(label) - 96


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _before(text: str, at: int) -> frozenset[str]:
    return frozenset(_ITEM_WORD.findall(text[max(0, at - 160) : at].lower()))


_BOLD = re.compile(r"(?:\*\*|__)(?P<bold>[^*_\n]{2,80}?):?(?:\*\*|__)")
_HEAD = re.compile(r"(?P<head>(?:`[^`\n]+`|[^\s:`]+)(?:\s+[^\s:]+){0,6}?)(?::|\s+[-–—→])\s")
_CLAUSE_END = re.compile(r"[,;(—]|\s[–-]\s|\s(?=(?:that|which|because|so|but|while|where|when|if)\s)")


def _short(text: str, start: int, end: int) -> Span:
    """The place of an item's name within the item: its bold part, what stands before a colon, or its first clause."""
    end = min(end, _line_end(text, start))
    while start < end and text[start].isspace():
        start += 1
    bold = _BOLD.match(text, start, end)
    if bold:
        return bold.span("bold")
    head = _HEAD.match(text, start, end)
    if head and not text[start:end].startswith(("http", '"', "“")):
        return _trim(text, *head.span("head"))
    sentence = _SENTENCE_END.search(text, start, end)
    if sentence and sentence.start() > start:
        end = sentence.start()
    if len(text[start:end].split()) > _WORDS_AT_MOST:
        cuts = (cut.start() for cut in _CLAUSE_END.finditer(text, start, end))
        end = next((cut for cut in cuts if len(text[start:cut].split()) >= 2), end)
        words = [*re.finditer(r"\S+", text[start:end])]
        end = start + words[min(len(words), _WORDS_AT_MOST) - 1].end()
    return _trim(text, start, end)


def _trim(text: str, start: int, end: int) -> Span:
    last = re.compile(r"(?:[\s,;.:!?*]|\s(?:and|or|\())+$").search(text, start, end)
    return start, last.start() if last else end


# --- enumerations within a sentence -------------------------------------------------------------------------------

_TOKEN = re.compile(
    r"`[^`\n]+`|\"[^\"\n]+\"|“[^”\n]+”|\([^()\n]*\)|[\w@/~$€£.*]*\w(?:[\w'’./:+#%@()\-]*[\w+#%/*)])?|&|[^\s\w]"
)
_COORDINATORS = _set("and or vs versus")
_ARTICLES = _set("a an the my your our one some")
_CUES = _set("either between compare comparing options choices called named torn versus vs difference namely")
_STOPS = _set(
    "if because so when but then while instead please both all each since unless though although i you we they he she "
    "it which who whose is are was were will would can could should has have had do does did also too for"
)


_THINGS = _set("name code number article")
_BREAKS = (";", "—", "–", ":")
_NO_ITEM = AUXILIARIES | SUBJECTS | ADJECTIVES | _set("newer older more less later earlier fewer higher greater")


class _Token(NamedTuple):
    text: str
    low: str
    start: int
    end: int

    @property
    def kind(self) -> str:
        """What an item that starts with this word is: items of one list start alike."""
        first = self.text[0]
        if first in '`"“' or first in "/*." or self.text.endswith("()"):
            return "code"
        if self.low in _ARTICLES:
            return "article"
        if self.low in PREPOSITIONS:
            return "preposition"
        if first.isdigit() or first in "$€£":
            return "number"
        if first.isupper():
            return "name"
        if self.low in FUNCTION_WORDS:
            return "function"
        return "verb" if base_verb(self.low) == self.low else "word" if first.isalnum() else "mark"


_Tokens = Sequence[_Token]


def _enumerated(text: str) -> Iterator[_List]:
    start = 0
    for stop in [*_SENTENCE_END.finditer(text), None]:
        end = stop.start() if stop else len(text)
        tokens = [_Token(m[0], m[0].lower(), m.start(), m.end()) for m in _TOKEN.finditer(text, start, end)]
        if 3 <= len(tokens) <= 120:
            found = _enumeration(tokens)
            if found is not None:
                items, announced = found
                words = frozenset(token.low for token in tokens if token.start < items[0][0])
                rank = 2 if announced or (_COUNTS.keys() & words and _counted(words) == len(items)) else 1
                yield _List(tuple(_short(text, *item) for item in items), (), rank, words)
        start = stop.end() if stop else end


def _counted(words: frozenset[str]) -> int:
    return next((_COUNTS[word] for word in words if word in _COUNTS and _COUNTS[word] > 1), 0)


def _enumeration(tokens: _Tokens) -> tuple[list[Span], bool] | None:
    """The items of a sentence that enumerates something, and whether it announces that."""
    colon = next((i for i, token in enumerate(tokens) if token.text == ":"), -1)
    body = tokens[colon + 1 :]
    parts = _split(body, ";")
    if len(parts) > 2:
        heads = [_split(part, ",")[0] for part in parts]
        return [(head[0].start, head[-1].end) for head in heads], True
    parts = _split(body, ",")
    if len(parts) > 2 and all(part[0].kind == "code" for part in parts):
        return [(part[0].start, part[-1].end) for part in parts], True
    cued = bool(_CUES & {token.low for token in tokens})
    for at in _joints(body):
        items = _joined(body, at, opened=colon >= 0, cued=cued)
        if items is not None:
            return [(item[0].start, item[-1].end) for item in items], cued or colon >= 0
    return None


def _joints(tokens: _Tokens) -> list[int]:
    """Where a list may be joined, the likeliest first: ", or", then "or", then "and"."""
    words = _COORDINATORS | ({"with", "to"} if tokens and tokens[0].low == "compare" else set())
    joints = [i for i, token in enumerate(tokens) if token.low in words and 0 < i < len(tokens) - 1]
    return sorted(joints, key=lambda i: (tokens[i - 1].text != ",", tokens[i].low == "and", i))


def _split(tokens: _Tokens, mark: str) -> list[_Tokens]:
    """The stretches between marks, without the "and" before the last."""
    at = [-1, *(i for i, token in enumerate(tokens) if token.text == mark), len(tokens)]
    parts = [tokens[start + 1 : end] for start, end in pairwise(at)]
    if len(parts) > 1 and parts[-1] and parts[-1][0].low in _COORDINATORS:
        parts[-1] = parts[-1][1:]
    return [part for part in parts if part]


def _joined(tokens: _Tokens, at: int, *, opened: bool, cued: bool) -> list[_Tokens] | None:
    """The items that the word at this place joins; None where what it joins is no list of things."""
    begin = max((i + 1 for i, token in enumerate(tokens[:at]) if token.text in _BREAKS), default=0)
    end = next((i for i in range(at + 1, len(tokens)) if tokens[i].text in (",", *_BREAKS)), len(tokens))
    left = _split(tokens[begin:at], ",")
    last = _head_of(tokens[at + 1 : end])
    if not left or not last:
        return None
    items = [last]
    for number, whole in reversed([*enumerate(left)]):
        item = whole if (opened and number == 0) or _is_item(whole, number) else _tail_of(whole, items[0])
        if not item or (len(items) > 1 and len(item) < len(whole) and item[0].kind != items[0][0].kind):
            break
        items.insert(0, item)
        if len(item) < len(whole):
            break
    if len(items) < 2 or max(len(item) for item in items) > 10:
        return None
    one, other = items[-2][0], last[0]
    if len(items) == 2 and not _pair(one, other, joint=tokens[at].low, cued=cued):
        return None
    ranged = one.kind == "number" and tokens[begin:at][-2:-1] and tokens[at - 2].low in ("between", "from")
    return None if ranged else items


def _pair(one: _Token, other: _Token, *, joint: str, cued: bool) -> bool:
    """Whether two things that "and" or "or" joins can be a list: they begin alike."""
    if one.kind == other.kind:
        return (
            one.kind in _THINGS
            or (one.kind == "word" and (cued or joint != "and"))
            or (one.kind == "verb" and joint == "or")
        )
    return (joint != "and" or cued) and {one.kind, other.kind} <= {"name", "code", "article", "word"}


def _is_item(tokens: _Tokens, number: int) -> bool:
    """Whether a stretch between commas can be an item as it stands."""
    first = tokens[0]
    said = any(token.low in AUXILIARIES or token.low in SUBJECTS or token.low in FINITE for token in tokens)
    opens = number > 0 or (first.kind != "verb" and base_verb(first.low) is None)
    return opens and not said and first.kind not in ("function", "preposition", "mark") and len(tokens) <= 8


def _head_of(right: _Tokens) -> _Tokens:
    """The last item: up to where the sentence goes on."""
    if not right or right[0].low in _NO_ITEM or right[0].kind in ("function", "mark"):
        return ()
    stops = _STOPS | FINITE | (PREPOSITIONS - {"of"} if right[0].kind in ("name", "code", "number") else set())
    end = next((i for i in range(1, len(right)) if right[i].low in stops), len(right))
    return right[:end]


def _tail_of(left: _Tokens, following: _Tokens) -> _Tokens:
    """The item that ends this stretch, begun as the one that follows it begins."""
    kind = following[0].kind
    if kind in ("article", "preposition", "verb"):
        like = following[0].low if kind == "preposition" else None
        same = [i for i, token in enumerate(left) if token.kind == kind and like in (None, token.low)]
        if same:
            return left[same[0 if kind == "verb" else -1] :]
    start = len(left)
    while start > 0 and (left[start - 1].kind in _THINGS - {"article"} or left[start - 1].text == "&"):
        start -= 1
    if start == 0 and len(left) > 1 and base_verb(left[0].low):
        start = 1
    if start < len(left) and kind in _THINGS:
        return left[start:]
    ends = [i for i, t in enumerate(left) if t.low in AUXILIARIES or t.low in FINITE or base_verb(t.low)]
    if not ends:
        ends = [i for i, token in enumerate(left) if token.low in FUNCTION_WORDS - _ARTICLES]
    item = left[ends[-1] + 1 :] if ends else left
    while item and item[0].low in FUNCTION_WORDS - _ARTICLES:
        item = item[1:]
    return item


# --- which list, which item ---------------------------------------------------------------------------------------


def _resolve(
    mention: _Mention, lines: Sequence[Line], read: dict[int, list[_List]], said: str
) -> tuple[int, _List, tuple[int, ...]] | None:
    """The list that a mention points into, newest line first, and which of its items."""
    newest = len(lines) - 1
    for number in range(newest, max(-1, newest - _LOOK_BACK), -1):
        if mention.near and number < newest:
            return None
        if number not in read:
            read[number] = _lists(lines[number].text)
        asked = lines[number - 1].text if number and not lines[number].mine else ""
        lists = [found for found in read[number] if found.rank > 1 or newest - number < _LOOK_BACK_LOOSE]
        fitting = [found for found in lists if _fits(mention, found, asked)]
        best = [found for found in fitting if found.rank == max(other.rank for other in fitting)]
        named = [found for found in best if mention.noun and _speaks_of(mention.noun, found, "")]
        best = named or best
        if best and mention.count == 2 and mention.kind == "place":
            best = best[-1:]
        if len(best) == 1:
            places = _places(mention, best[0])
            if mention.kind == "other":
                places = _other(best[0], lines, number, said[: mention.span[0]])
            return (number, best[0], places) if places else None
        if best or (any(found.rank == 3 for found in lists) and mention.noun in ("", "one")):
            return None
    return None


def _fits(mention: _Mention, found: _List, asked: str) -> bool:
    size = len(found.items)
    if (mention.kind == "each" and size != mention.count) or (
        mention.count == 2 == size - 1 and mention.kind == "place"
    ):
        return False
    if mention.kind == "other" or (mention.kind == "place" and mention.count == 2):
        return size == 2 and _fits_noun(mention, found, asked)
    if mention.kind == "run" and size <= mention.count:
        return False
    if mention.kind == "label" and not found.labels and found.rank < 3:
        return False
    if mention.kind == "label" and mention.near and not found.labels:
        return False
    return _fits_noun(mention, found, asked)


def _fits_noun(mention: _Mention, found: _List, asked: str) -> bool:
    if mention.noun == "step":
        return bool(found.labels) or _speaks_of("step", found, asked)
    if found.noun and mention.noun not in ("", "one"):
        return found.noun == mention.noun or found.noun not in _GENERIC
    return mention.noun in _GENERIC or not mention.noun or _speaks_of(mention.noun, found, asked)


def _speaks_of(noun: str, found: _List, asked: str) -> bool:
    """Whether the words before a list, or those that asked for it, name what its items are."""
    words = found.before | frozenset(_ITEM_WORD.findall(asked[-400:].lower()))
    return found.noun == noun or any(_plural(word) and _singular(word) == noun for word in words)


def _places(mention: _Mention, found: _List) -> tuple[int, ...]:
    size = len(found.items)
    if mention.kind == "each":
        return tuple(range(size))
    if mention.kind == "label":
        labels = found.labels or tuple(str(n) for n in range(1, size + 1))
        wanted = [label if label in labels else _other_writing(label) for label in mention.labels]
        return tuple(labels.index(label) for label in wanted) if set(wanted) <= set(labels) else ()
    places = []
    for place in mention.places:
        if place == _MIDDLE:
            place = size // 2 if size % 2 and size > 2 else size
        places.append(place + size if place < 0 else place)
    return tuple(places) if all(0 <= place < size for place in places) else ()


def _other_writing(label: str) -> str:
    return chr(96 + int(label)) if label.isdigit() and 0 < int(label) < 27 else str(_order(label))


def _other(found: _List, lines: Sequence[Line], number: int, said: str) -> tuple[int, ...]:
    """The one of two that was not spoken of last."""
    text = lines[number].text
    words = [frozenset(_ITEM_WORD.findall(text[slice(*item)].lower())) - FUNCTION_WORDS for item in found.items]
    own = (words[0] - words[1], words[1] - words[0])
    later = [text[found.items[-1][1] :], *(line.text for line in lines[number + 1 :]), said]
    for piece in reversed(later):
        chosen = [
            mention.places for mention in _mentions(piece) if mention.kind == "place" and len(mention.places) == 1
        ]
        if chosen and piece is said:
            return tuple({0, 1} - set(_places(_Mention((0, 0), "place", places=chosen[-1]), found)))[:1]
        for sentence in reversed(re.split(r"[.!?\n]\s", piece[:_READ_LINE])):
            spoken = frozenset(_ITEM_WORD.findall(sentence.lower()))
            named = [place for place in (0, 1) if own[place] & spoken]
            if named:
                return (1 - named[0],) if len(named) == 1 else ()
    return ()


def _choice(
    text: str, mention: _Mention, number: int, found: _List, places: tuple[int, ...], lines: Sequence[Line]
) -> Choice:
    line = lines[number]
    spans = [found.items[place] for place in places]
    items = [line.text[start:end] for start, end in spans]
    wording = " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)
    size = len(found.items)
    back = len(lines) - number
    which = " and ".join(_ORDINALS[place] if place < 10 else f"{place + 1}th" for place in places)
    count = _NUMBERS[size - 1] if size <= 10 else str(size)
    where = f"{'your message' if line.mine else 'the reply'} {'just' if back == 1 else f'{back} messages'} before"
    return Choice(
        mention.span,
        text[slice(*mention.span)],
        tuple((number, span) for span in spans),
        wording,
        f"the {which} of {count} in {where}" if len(places) < size else f"all {count} in {where}",
    )
