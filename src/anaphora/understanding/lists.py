"""Lists in a text: set out with numbers, letters or bullets, or enumerated within a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from anaphora.function_words import AUXILIARIES, FUNCTION_WORDS, PREPOSITIONS, SUBJECTS, word_set
from anaphora.types import Span
from anaphora.understanding import lexicon
from anaphora.understanding.lexicon import base_verb
from anaphora.understanding.once import once
from anaphora.understanding.ordinals import COUNTS, LABEL, ORDINALS, label_number
from anaphora.understanding.patterns import expression
from anaphora.understanding.text import Word, mask

__all__ = ["ITEM_WORD", "READ_LINE", "Listing", "find_lists"]

READ_LINE = 3000  # characters of a line that are searched for lists
_READ_ITEM = 400  # characters of an item
_WORDS_AT_MOST = 12  # of an item, where it is put into a message


class Listing(NamedTuple):
    """A list in a line: the places of its items, whether they have numbers or letters, how surely it is a list (3
    set out as one, 2 announced, 1 enumerated), the words before it, and what its labels call an item."""

    items: tuple[Span, ...]
    labels: bool
    rank: int
    before: frozenset[str]
    noun: str = ""


_FENCE = expression(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_MARK = expression(
    rf"""(?imx)(?:(?:^(?P<indent>[ \t]*)(?:\#{{1,6}}[ ]+)?(?:[-*•][ ]+)?(?:\*\*|__)?)|(?<=[\s(]))
    (?:(?P<number>\d{{1,2}})[.)](?=\s|\*)|\((?P<paren>\d{{1,2}}|[a-h])\)|(?P<letter>[A-Ha-h])\)(?=\s)
    |(?P<noun>option|step|approach|method|idea|suggestion|solution|variant|alternative|plan|choice|strategy)[ ]
        \#?(?P<named>{LABEL})[ ]?(?:\([^()\n]*\))?(?:\*\*)?[:.)–—-](?:\*\*)?(?=\s)
    |(?P<ordinal>{"|".join(ORDINALS)})(?:ly)?,(?=\s))[ \t]*"""
)
_BULLET = expression(r"(?m)^(?P<indent>[ \t]*)(?P<bullet>[-*•–+])[ \t]+(?=\S)")
_SPOKEN = expression(r"[`\"]|^\s*[-*•–+] ")  # a line that is no code, whatever it looks like
_PROSE = expression(r"\n(?![-*•–+] )\S")
_LINE = expression(r"[^\n]+")
_SENTENCE_END = expression(  # begins with the mark, which is quick to look for
    r"[.!?](?<!\bDr.)(?<!\bMr.)(?<!\bMs.)(?<!\bMrs.)(?<!\bSt.)(?<!\be\.g.)(?=\s|$)|\n"
)
_BOLD = expression(r"(?:\*\*|__)(?P<bold>[^*_\n]{2,80}?):?(?:\*\*|__)")
_DOES = expression(r"(?P<code>`[^`\n]+`)\s+(?P<does>[a-z]+s)\b")  # "`load` reads the file"
_HEAD = expression(r"(?P<head>(?:`[^`\n]+`|[^\s:`]+)(?:\s+[^\s:]+){0,6}?)(?::|\s+[-–—→])\s")
_CLAUSE_END = expression(r"[,;(—]|\s[–-]\s|\s(?=(?:that|which|because|so|but|while|where|when|if)\s)")
_LOOSE_END = expression(r"(?:[\s,;.:!?*]|\s(?:and|or|\())+$")
ITEM_WORD = expression(r"\w+")
_RUN = expression(r"\S+")


@once
def find_lists(text: str) -> tuple[Listing, ...]:
    """The lists of a line. Those that are set out as lists hide what their items enumerate."""
    read = _FENCE.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text[:READ_LINE])
    read = _LINE.sub(lambda m: m[0] if _SPOKEN.search(m[0]) or mask(m[0]).strip() else " " * len(m[0]), read)
    return tuple(_set_out(read, labelled=True)) or tuple(_set_out(read, labelled=False)) or tuple(_enumerated(read))


def _set_out(text: str, *, labelled: bool) -> Iterator[Listing]:
    """Lists whose items carry numbers, letters or "First, … Second, …"; or else those with bullets."""
    runs: dict[tuple[str, int], list[tuple[int, re.Match[str]]]] = {}
    ended = []
    for match in (_MARK if labelled else _BULLET).finditer(text):
        marks = match.groupdict()
        style = next(name for name, mark in marks.items() if mark and name != "indent")
        aside = -1 if marks["indent"] is None else len(marks["indent"])
        sort = style + (marks.get("noun") or "").lower()
        key = (sort, 0 if style in ("noun", "ordinal") else aside)
        if aside < 0:  # behind a mark that stands at the start of its line
            begun = (one for one, run in runs.items() if run and one[0] == sort)
            key = next((one for one in begun if "\n" not in text[runs[one][-1][1].end() : match.start()]), key)
        run = runs.setdefault(key, [])
        order = label_number(marks["named"] or marks[style]) if labelled else run[-1][0] + 1 if run else 1
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
            before = frozenset(ITEM_WORD.findall(text[max(0, start - 160) : start].lower()))
            yield Listing(items, labelled, 3, before, (run[0][1].groupdict().get("noun") or "").lower())


def _short(text: str, start: int, end: int) -> Span:
    """The place of an item's name within the item: its bold part, what stands before a colon, or its first clause."""
    item = text[start : min(end, start + _READ_ITEM)].partition("\n")[0]
    start, end = start + len(item) - len(item.lstrip()), start + len(item)
    if bold := _BOLD.match(text, start, end):
        return bold.span("bold")
    if (code := _DOES.match(text, start, end)) and base_verb(code["does"]) not in (None, code["does"]):
        return code.span("code")
    if (head := _HEAD.match(text, start, end)) and not text.startswith(("http", '"', "“"), start):
        end = head.end("head")
    elif (sentence := _SENTENCE_END.search(text, start, end)) and sentence.start() > start:
        end = sentence.start()
    if len(text[start:end].split()) > _WORDS_AT_MOST:
        cuts = (cut.start() for cut in _CLAUSE_END.finditer(text, start, end))
        end = next((cut for cut in cuts if len(text[start:cut].split()) > 1), end)
        end = [*_RUN.finditer(text, start, end)][:_WORDS_AT_MOST][-1].end()
    loose = _LOOSE_END.search(text, start, end)
    return start, loose.start() if loose else end


_TOKEN = expression(
    r"`[^`\n]+`|\"[^\"\n]+\"|“[^”\n]{1,200}”|\([^()\n]*\)|\d{1,3}(?:,\d{3})+"
    r"|[@/~$€£.*]{0,3}\w(?:[\w'’./:+#%@()\-]*[\w+#%/*)])?|&|[^\s\w]"
)
_Tokens = Sequence[Word]
_JOINTS = word_set("and or vs versus")
_ARTICLES = word_set("a an the my your our one some")
_THINGS = word_set("name code number article")
_CUES = word_set("either between compare comparing options choices called named torn versus vs namely")
_GOING_ON = "if because so when but then while instead please both all each since unless though which who also for"
_STOPS = AUXILIARIES | SUBJECTS - {"one"} | lexicon.FINITE | word_set(f"{_GOING_ON} cheaper better faster easier")
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


def _enumerated(text: str) -> Iterator[Listing]:
    start = 0
    for end, following in [*(stop.span() for stop in _SENTENCE_END.finditer(text)), (len(text), len(text))]:
        tokens = [Word(m[0], m[0].lower(), m.start(), m.end()) for m in _TOKEN.finditer(text, start, end)]
        items, announced = _enumeration(tokens) if 3 <= len(tokens) <= 120 else ([], False)
        if items:
            words = frozenset(token.low for token in tokens if token.start < items[0][0].start)
            counts = {COUNTS[word] for word in words & COUNTS.keys()} - {1}
            spans = tuple(_short(text, item[0].start, item[-1].end) for item in items)
            if len(items) in counts or len(items) > 2 or not counts or announced > bool(counts):
                yield Listing(spans, False, 2 if announced or len(items) in counts else 1, words)
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
    # "White wine or beer?" is all that is said
    alone = tokens[at].low == "or" and begin == 0 and end == len(tokens) and not any(t.low in _STOPS for t in tokens)
    alike = alike or (alone and len(items) == 2 and kinds[0] != "function")
    torn = any(token.text.count("(") != token.text.count(")") for item in items for token in item)
    if all(kind == "code" for kind in kinds):  # "`a` for reading and `b` for writing"
        items = [item[:1] if len(item) > 1 and item[1].low in PREPOSITIONS else item for item in items]
    counted = all(len(item) == 1 and item[0].text.isdigit() for item in items)  # "1 and 3" are of another list
    return items if alike and not (ranged or torn or counted) else []


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
    used = [i for i, t in enumerate(left[:-1]) if _kind(t) == "code" and left[i + 1].low in PREPOSITIONS]
    if kind == "code" and used:
        return left[used[-1] :]
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
