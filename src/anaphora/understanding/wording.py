"""How what is taken over from an earlier message is worded: in the place of what stands for it where it reads as a
thing, and else in brackets behind the sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from anaphora.function_words import FUNCTION_WORDS, word_set
from anaphora.ports import Gap, Line
from anaphora.types import Span
from anaphora.understanding.lexicon import KIND_NOUNS, base_verb
from anaphora.understanding.once import once
from anaphora.understanding.patterns import any_case, expression
from anaphora.understanding.phrases import (
    as_order,
    is_clause,
    is_order,
    is_phrase,
    noun_phrase,
    one_of_them,
    otherwise,
    thing_told,
    within_sentence,
    without_what_it_does,
)
from anaphora.understanding.reports import reported
from anaphora.understanding.sentence_shapes import PRAISES
from anaphora.understanding.text import mask
from anaphora.understanding.whole import SENTENCE_END

__all__ = [
    "ASIDE",
    "DEFINES",
    "DOING",
    "Stretch",
    "aside",
    "aside_in",
    "content_in",
    "in_few_words",
    "sentence_end",
    "spliced",
    "tells_what_it_is",
    "without_brackets",
    "worded",
]

ASIDE = expression(r"(?<!\s)\s+\([^()]*\)(?=[^\w(]*$)")  # brackets behind a sentence
_PUT_IN = expression(r"\s+\([^()]*\)")
DEFINES = expression(r"\b(def|class|function)\s+(?!(?:called|named)\b)([A-Za-z_]\w{2,})")
DOING = any_case(  # "does that" asks, and does nothing
    r"\b(?:do|doing|done) (?:it|this|that|so|the same(?: thing)?)\b", needles="do |doing |done ", dear=True
)
_ARTICLES = frozenset(["a", "an", "the"])
_OPENERS = _ARTICLES | {"my", "our", "your", "his", "her", "their", "its", "this", "that", "these", "those", "some"}
_POSSESSIVE = frozenset(["his", "her", "hers", "its", "their", "theirs", "whose"])
_OWNED = expression(r"\A(?:the|my|our|his|her|their|your) ")
_LEADS = frozenset(["", "now", "and", "then", "also", "me", "write", "make", "add", "create", "need", "want"])
_ONES = frozenset(["one", "ones"])
_GOING = frozenset(["get", "go", "going", "come", "drive", "fly", "walk", "travel", "move", "return", "went", "got"])
_AND_DOES = expression(r"\w+['’](re|ve|ll|d)", re.IGNORECASE)
_DONE_BY = {"re": " are", "ve": " have", "ll": " will", "d": " would"}
_AND_IS = expression(r"\w+(['’]s)|thats", re.ASCII | re.IGNORECASE)  # "it's"
# "its slow", "I think its a bug"; not "its name is wrong", nor "change its name"
_ITS_SO = any_case(r"\s+(?!own\b)(?:(?P<small>[\w'’]+)|\d)")
_BEFORE_CLAUSE = any_case(
    r"(?:^|[.,;:!?\n(-]|\b(?:and|but|so|or|because|cause|cuz|since|if|when|that|think|says?|said|guess|know|hope|means?|now|"
    r"sure|ok|okay|yes|yeah|no|hm+|still|then))\s*$"
)
_HAS_VERB = any_case(
    r"\b(?:is|are|was|were|isn['’]?t|aren['’]?t|wasn['’]?t|has|have|had|does|doesn['’]?t|do|did|didn['’]?t|will|won['’]?t|"
    r"can|can['’]?t|cannot|should|shouldn['’]?t|must|needs?|looks?|seems?|got|gets?|keeps?|shows?)\b"
)
_OF_CODE = expression(r"\S*\w[_.(/\[=]\S")
_BRACKETED = expression(r"\s+\(([^()`]*)\)$")
_QUOTE, _BACKTICK = expression('"'), expression("`")
_SINGLE_QUOTE = expression(r"(?<!\w)'|'(?!\w)")
_HANG = FUNCTION_WORDS - {"it", "them"}
_HANGING = expression(r"[\s,;:-]+([\w'’]+)$")
_JOINED = expression(r"\b(?:and|or|of|with|for|to|in|on|at|by|from)\b|,", re.IGNORECASE)
_SENTENCE = expression(r"(?<=[^\s.?!])[.?!]+(?=\s|$)|\n|$")
_PAIRS = {")": "(", "]": "[", "}": "{"}
_BRACKET = expression(r"[()\[\]{}]")
_SEVERAL = expression(r"\b(?:and|or)\b|,|s$", re.IGNORECASE)
_SAME_AS = expression(r"\bsame [\w-]+\s*$", re.IGNORECASE)
_KIND_OF = expression(r"\b(?:kind|sort|type|brand|flavou?r)s?\s*$", re.IGNORECASE)
_WHY_NOT = expression(r"\W*(?:(?:and|but|so|ok|okay|hm+)[\s,]+)*why not\b", re.IGNORECASE)
_FEW = 6  # words with a meaning of their own that a thing is told with, in the place of a word
_TOLD_OF_IT = any_case(r",? (?:that|which|who|where|because|so that|in order to)\b", needles="that|wh|because|order to")
_WORD_AT_MOST = 40  # characters
_KIND_BEFORE = expression(r"\b(?:a|an|the) ([a-z][a-z-]+)$")
_ARTICLE_BEFORE = expression(r"\b(?:an?|the)(?: (?!(?:that|which|of|for|to|in|on|with|and|or)\b)[A-Za-z][\w-]*){1,3}$")
_NAMED_THING = expression(r"[A-Z]\w+ (?!(?:that|which|of|for|to|in|on|with|and|or|is|has)\b)[a-z]")  # "Flask app"
_MOVED = expression(  # "to" belongs to what was done, and not to the thing
    r"\b(?:mov(?:e|ed|ing)|convert(?:ed|ing)?|renam(?:e|ed|ing)|split(?:ting)?|turn(?:ed|ing)?|port(?:ed|ing)?|"
    r"migrat(?:e|ed|ing)|switch(?:ed|ing)?|translat(?:e|ed|ing)|upgrad(?:e|ed|ing)|chang(?:e|ed|ing)|cop(?:y|ied))"
    r"(?P<owner>(?: the| an?| my| our)?)$",
    re.IGNORECASE,
)
_TO_PLACE = expression(r" (?:to|into|onto|from) (?=[\w`\"])")
_ENCLOSED = expression(r"`[^`]*`|\"[^\"]*\"")
_HOW = expression(r"(?:\b(?P<which>an?|the|my|our|some|any|another) )?[\w-]+ \Z", re.IGNORECASE)
_THINGS = frozenset(["it", "its", "it's", "it’s", "it'll", "it'd"])
_DONE_WITH_THINGS = word_set("call run use test import invoke execute install disable enable remove delete open")
_IN_PLACE = 0.68  # how likely something is left out in a place, and this is it, for a sentence to be changed there


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words of an earlier message, and how sure it is that they are meant."""

    line: int
    span: Span
    text: str
    score: float


def worded(
    text: str, gap: Gap, chosen: Stretch, further: Stretch | None, lines: Sequence[Line], *, long: bool
) -> tuple[Gap, str]:
    """Where the words go, and what is written there. What nothing in the message stands for is put in brackets, and
    so is, among `long` lines, what is no thing but half a sentence, or is not surely left out just there."""
    if text[slice(*gap.span)].lower() == "the":  # it stays, and what it stands for goes behind it
        gap = replace(gap, span=(gap.span[1], gap.span[1]), link="")
    if _WHY_NOT.match(text):  # what it is set against stands behind it
        gap = replace(gap, link="")
    mention = text[gap.span[0] : gap.span[1]]
    named = _named(chosen, lines)
    if mention and not DOING.match(mention):
        named = without_what_it_does(named) if _is_thing(text, gap, mention) else named
        named = noun_phrase(named, named=named != chosen.text)
        kind = mention.rpartition(" ")[2].lower()
        if kind in KIND_NOUNS and kind not in content_in(named) and is_phrase(named):
            named = f"the {kind} {named.removeprefix('the ')}"  # "that function" is the function flatten_tree
    named = as_order(named) or named if DOING.match(mention) else named
    named = _whole(thing_told(named)) if long else named
    before = _last_word(text[: gap.span[0]])
    how = _HOW.search(text, max(0, gap.span[0] - _WORD_AT_MOST), gap.span[0]) if mention.lower() in _ONES else None
    if how is not None and (how["which"] or base_verb(before) != before):  # "the register one", and not "close one"
        named = otherwise(before, named)
    named = one_of_them(named) if mention.lower() == "one" and before in _OPENERS else named
    beside = before in _OPENERS and not mention  # "the bash script"
    sure = mention or not long or gap.probability * chosen.score >= _IN_PLACE
    aloud = (bool(mention or gap.link) or beside) and sure and not (beside and _JOINED.search(named))
    if not DOING.match(mention) and not (
        aloud and (is_phrase(named) or (mention and not long and not _is_broken(named)))
    ):
        end, lead = _room_for_aside(text, gap.span[1])
        both = [aside(named), *([aside(_named(further, lines))] if further is not None and long else [])]
        return replace(gap, span=(end, end), link=""), f"{lead}({'; '.join(both)})"
    named = in_few_words(named)
    if before in _OPENERS or (mention.lower() in _ONES and before != "which"):  # "a shorter one"
        named = _OWNED.sub("", named) if before in _OPENERS else named.removeprefix("the ")
        if mention.lower() == "one" and before in _LEADS and is_phrase(named):  # "now one about winter"
            named = f"{'an' if named[:1].lower() in 'aeiou' else 'a'} {named}"
    if further is not None:
        named = f"{named} ({aside(_named(further, lines))})"
    return gap, _put(text, gap, mention, named)


def _is_thing(text: str, gap: Gap, mention: str) -> bool:
    """Whether a thing is pointed to, and not what happens: "call this", but not "prevent that"."""
    low = mention.lower()
    return low in _THINGS or (low in ("this", "that") and _last_word(text[: gap.span[0]]) in _DONE_WITH_THINGS)


def in_few_words(named: str) -> str:
    """A thing without what is told of it, where that would make the sentence hard to read."""
    told = _TOLD_OF_IT.search(named) if len(content_in(named)) > _FEW else None
    return named[: told.start()] if told is not None and content_in(named[: told.start()]) else named


def _room_for_aside(text: str, at: int) -> tuple[int, str]:
    """Where words in brackets can stand, and what goes before them: behind the sentence, or below pasted code. Words of
    praise need none."""
    end = sentence_end(text, at)
    rest = text[end:].lstrip(" .!?")
    if rest and "\n" not in text:
        begun = max((stop.end() for stop in _SENTENCE.finditer(text, 0, end) if stop[0]), default=0)
        if PRAISES.fullmatch(text, begun, end):
            return _room_for_aside(text, len(text) - len(rest))
    line = mask(text)[text.rfind("\n", 0, end) + 1 : end].strip()
    if "\n" in text.strip() and (not line or line[0] in "#/"):
        return len(text.rstrip()), "\n"
    return end, ""


def aside_in(text: str) -> re.Match[str] | None:
    """The brackets behind a sentence; none are opened after them."""
    opened = text.rfind("(")
    return ASIDE.match(text, len(text[:opened].rstrip())) if opened > 0 else None


def without_brackets(expanded: str, said: str) -> str:
    """A message as it was written out, without the brackets that were put into it."""
    if "(" not in expanded:
        return expanded
    return _PUT_IN.sub(lambda found: found[0] if found[0].strip() in said else "", expanded)


def aside(words: str) -> str:
    """Words as they can stand in brackets: on one line, no brackets of their own at the end, nothing opened that is not
    closed, no word left hanging."""
    words = within_sentence(" ".join(SENTENCE_END.sub(";", words).split()).strip(" ,;:-"))
    words = _BRACKETED.sub(r"; \1", words)
    for quote in (_QUOTE, _BACKTICK, _SINGLE_QUOTE):
        words = words if len(quote.findall(words)) % 2 == 0 else quote.sub("", words)
    return _whole(" ".join(_closed(thing_told(words)).split()))


def _whole(words: str) -> str:
    """Without what is left hanging at the end."""
    while _may_hang(words) and (last := _HANGING.search(words)) and last[1].lower() in _HANG:
        words = words[: last.start()]
    return words.rstrip(" ,;:.?!-")


def _may_hang(words: str) -> bool:
    """Whether the last word need be looked at: it tells nothing by itself, or a mark stands before it."""
    last = words.rsplit(None, 1)[-1:]
    return bool(last) and (last[0].lower() in FUNCTION_WORDS or any(mark in last[0] for mark in ",;:-"))


def sentence_end(text: str, at: int) -> int:
    """Where the sentence ends that a place lies in; a line is one too. What is quoted or code has no such end."""
    found = _SENTENCE.search(mask(text), at)
    end = found.start() if found else len(text)
    return len(text[:end].rstrip()) if end > at else end


def spliced(text: str, start: int, end: int, wording: str) -> str:
    before, after = text[:start], text[end:]
    if wording.startswith("\n"):  # on a line of its own
        return f"{before}{wording}{after}"
    if start == end:
        closing = re.match(r"\s*[?.!,;:]", after)
        if not after.strip() or closing:
            cut = len(before.rstrip(" \t\n\r?.!,;:")) if not after.strip() else len(before)
            before, after = before[:cut], before[cut:] + after
        gap_before = "" if not before or before[-1].isspace() else " "
        gap_after = "" if not after or after[0].isspace() or after[0] in "?.!,;:)" else " "
        return f"{before}{gap_before}{wording}{gap_after}{after}"
    return f"{before}{wording}{after}"


@once
def content_in(text: str) -> frozenset[str]:
    """The words with a meaning of their own."""
    return frozenset([low for word in re.findall(r"\w+", text) if (low := word.lower()) not in FUNCTION_WORDS])


def _put(text: str, gap: Gap, mention: str, named: str) -> str:
    low = mention.lower()
    if low in _ONES and _last_word(text[: gap.span[0]]) == "which":
        return f"of {named}" if _SEVERAL.search(named) else _OWNED.sub("", named)
    after = re.match(r"\s+([\w'’]+)", text[gap.span[1] :])
    # "her book", not "ask her"
    it_is = low == "its" and tells_what_it_is(text, gap.span)
    owns = not it_is and low in _POSSESSIVE and after is not None and after[1].lower() not in FUNCTION_WORDS
    if owns or (not low and gap.link == "'s"):
        return _possessive(named)
    named = re.sub(r"(?<=\w)['’]s$", "", named)
    named = within_sentence(named)
    if it_is or _AND_IS.fullmatch(low):
        named += " is"
    elif (does := _AND_DOES.fullmatch(low)) is not None:
        named += _DONE_BY[does[1]]
    placed = gap.link or ("in" if low in ("there", "here") else "")
    if placed and placed != "'s" and (not mention or low in ("there", "here", "then")):
        going = low == "there" and _last_word(text[: gap.span[0]]) in _GOING
        link = "as" if placed == "of" and _SAME_AS.search(text[: gap.span[0]]) else placed
        named = _OWNED.sub("", named) if link == "of" and _KIND_OF.search(text[: gap.span[0]]) else named
        return f"{'to' if going else link} {named}"
    begins = _begins(text, gap.span[0]) and mention[:1].isupper()
    if begins and named[:1].islower() and " " in named and not _OF_CODE.match(named):
        return named[0].upper() + named[1:]
    return named


def tells_what_it_is(text: str, span: Span) -> bool:
    """Whether "its" is "it's" without its mark: "its slow", "says its a virus"; "its name" belongs to it."""
    after = _ITS_SO.match(text, span[1])
    if after is None:
        return False
    if after["small"] is None or after["small"][0].isdigit() or after["small"].lower() in FUNCTION_WORDS:
        return True
    clause = re.split(r"[.,;:!?\n]", text[span[1] :], maxsplit=1)[0]
    return _BEFORE_CLAUSE.search(text[: span[0]]) is not None and _HAS_VERB.search(clause) is None


def _named(stretch: Stretch, lines: Sequence[Line]) -> str:
    """What was "a red button" when it was first named is "the red button" from then on."""
    before = lines[stretch.line].text[: stretch.span[0]].rstrip()
    made = re.search(r"\b(def|function|class)$", before)
    if made is not None and DEFINES.search(lines[stretch.line].text, max(0, stretch.span[0] - 12), stretch.span[1]):
        return f"the {stretch.text} {'class' if made[1] == 'class' else 'function'}"
    defined = DEFINES.match(stretch.text)
    if defined is not None and defined[1] != "function":
        return f"the {defined[2]} {'class' if defined[1] == 'class' else 'function'}"
    replied = not before and not lines[stretch.line].mine
    done_to = reported(lines[stretch.line].text, (line.text for line in lines if line.mine)) if replied else None
    if done_to is not None and stretch.text.lower().startswith(done_to):
        return f"the {done_to}"
    first = stretch.text.partition(" ")[0]
    kind = _KIND_BEFORE.search(before[-2 * _WORD_AT_MOST :]) if first.islower() and first not in _OPENERS else None
    if kind is not None and kind[1] not in FUNCTION_WORDS and not is_clause(stretch.text):
        return f"the {kind[1]} {stretch.text}"  # of "a sql query" the query
    moved = _MOVED.search(before[-2 * _WORD_AT_MOST :])
    to = _to_place(stretch, lines) if moved is not None else None
    if moved is not None and to is not None:
        cut = replace(stretch, span=(stretch.span[0], stretch.span[0] + to.start()), text=stretch.text[: to.start()])
        return _named(cut, lines) if moved["owner"] else cut.text
    word = _last_word(before)
    if word in _ARTICLES or word in ("this", "these", "those"):  # not "that", which may tell of what stands before it
        return f"the {stretch.text}"
    thing = (first.islower() and first not in _OPENERS) or _NAMED_THING.match(stretch.text)
    if thing and _ARTICLE_BEFORE.search(before[-2 * _WORD_AT_MOST :]) and is_phrase(stretch.text):
        return f"the {stretch.text}"  # of "a git pre-commit hook" the hook
    owned = ("my", "our") if lines[stretch.line].mine else ("his", "her", "their")
    return f"{word} {stretch.text}" if word in owned else stretch.text


def _to_place(stretch: Stretch, lines: Sequence[Line]) -> re.Match[str] | None:
    """Where a stretch goes on with where the thing was moved; what is enclosed in marks is of its name."""
    if _TO_PLACE.match(lines[stretch.line].text, stretch.span[1]):
        return None
    enclosed = [one.span() for one in _ENCLOSED.finditer(stretch.text)]
    found = [to for to in _TO_PLACE.finditer(stretch.text) if not any(a < to.start() < b for a, b in enclosed)]
    open_quote = stretch.text.count('"') % 2 or stretch.text.count("`") % 2
    return found[-1] if found and not open_quote else None


def _closed(words: str) -> str:
    """Without brackets that have no other half."""
    opened: list[int] = []
    lost: set[int] = set()
    for bracket in _BRACKET.finditer(words):
        at, one = bracket.start(), bracket[0]
        if one not in _PAIRS:
            opened.append(at)
        elif opened and words[opened[-1]] == _PAIRS[one]:
            opened.pop()
        else:
            lost.add(at)
    lost.update(opened)
    return "".join(" " if at in lost else one for at, one in enumerate(words)).strip() if lost else words


def _last_word(before: str) -> str:
    """The word that a text ends with; only its end is looked at."""
    last = re.search(r"[\w'’]+$", before[-_WORD_AT_MOST:].rstrip())
    return last[0].lower() if last else ""


def _is_broken(words: str) -> bool:
    """Whether no sentence can hold the words: they are one themselves, or more, or lack the other half of a mark."""
    return (
        is_clause(words)
        or is_order(words)
        or bool(SENTENCE_END.search(words))
        or words.count("(") != words.count(")")
        or words.count("`") % 2 > 0
    )


def _possessive(named: str) -> str:
    return named if named.endswith(("'s", "’s")) else named + ("'" if named.endswith("s") else "'s")


def _begins(text: str, at: int) -> bool:
    return not text[:at].strip() or text[:at].rstrip()[-1] in ".!?"
