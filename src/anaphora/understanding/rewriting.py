"""A message written out: what a reader points to, taken over from earlier messages as words that read well."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import islice
from operator import mul

from anaphora.function_words import DETERMINERS, FUNCTION_WORDS, word_set
from anaphora.ports import Gap, Judgement, Line
from anaphora.types import Span
from anaphora.understanding.about import About, about
from anaphora.understanding.agreeing import agrees_surely, all_agreeing, every_one, named_instead
from anaphora.understanding.at_length import are_clipped, are_long, is_work, wordiness
from anaphora.understanding.by_name import by_name
from anaphora.understanding.expletives import stand_for_nothing
from anaphora.understanding.gaps import DEMONSTRATIVES, merged, narrowed, not_twice, of_noun, stays, with_noun
from anaphora.understanding.lexicon import base_verb
from anaphora.understanding.lists import READ_LINE, find_lists
from anaphora.understanding.once import when_forgotten
from anaphora.understanding.patterns import any_case, expression
from anaphora.understanding.phrases import as_order, is_clause
from anaphora.understanding.pointing import WORD, best_stretches, is_word, said_between
from anaphora.understanding.recommended import accepts
from anaphora.understanding.replaced import given_up, in_its_place
from anaphora.understanding.standing_for import done_to, is_no_single_thing, is_no_thing, of_kind, the_text, to_be_made
from anaphora.understanding.whole import one_sentence, untorn, with_subject
from anaphora.understanding.wording import DOING, Stretch, content_in, sentence_end, spliced, worded

__all__ = ["Filled", "Stretch", "candidates", "filled", "ranked", "written_out"]

_BEFORE_THINGS = DETERMINERS | {"which", "what"}
_ARTICLES = word_set("a an the my our your")
_UNITS = word_set("second minute hour day night week month year time moment")
_COUNTED = expression(r"both|all (?:two|three|four|five)", re.IGNORECASE)
_SEVERAL = expression(r"\b(?:and|or)\b|,")
_PLURALS = word_set("them those these")
_POINTS = word_set("it that this them those these")
_EITHER = any_case(r"(\w+) or (?:(?:a|an|the)\s+)?(\w+)", needles=" or ", dear=True)
_LONGEST_STRETCH = 240  # characters that are taken over
_GAP = 0.5  # a gap that is likelier than this is filled
_SURE_GAP = 0.9  # a word that points back so surely takes the likeliest thing
_CUTS = (0.42, 0.25, 0.12, 0.06)  # how likely a word must be to speak for taking it over: from few words to many
_TRUST = 2.0  # how much more that is trusted than anything else
_FURTHER = 0.6  # how surely a second stretch must be pointed to, in words
_REQUESTS = 8  # lines whose request may be meant
_LIKELY = 0.02  # a filling less likely than this is none
_OFFERED = 4  # of what may fill a gap
_ADDED = 8  # words with a meaning of their own that may be added; a further gap beyond that is left as it is
_MIXED = tuple(  # short lines are pointed into exactly; among long ones, what was asked for is the better guess
    (name, f"{name}_wordy")
    for name in (
        *("first", "surely", "sum", "count", "mean", "identifier"),
        *("mine", "request", "last_request", "stood_request"),
    )
)
_MIXED_ASKING = tuple((name, f"{name}_asking") for name in ("first", "surely", "count"))
_FIRST = expression(r"\w+")
_OWN_OBJECT = expression(
    r"\W*(?:(?:and|now|then|also|please|ok|okay|next)[\s,]+)*(?:add|create|write|make|build|draw|set|rename|delete|remove)"
    r" (?:an? |the |some |another )?(?!(?:it|them|this|that|these|those|one|ones|more|same|both|all|to|up)\b)"
    r"[\w-]+(?: [\w-]+)?\W*$",
    re.IGNORECASE,
)
_IDENTIFIER = expression(r"[_()]|[a-z][A-Z]")
_BARE = 3  # words
_IS_CODE = expression(
    r"(?:import|from \w+ import|def|class|return|print|assert|for \w+ in|#|>>>|[\w.]+ ?=|[\w.]+\()", re.ASCII
)
_TOLD_BESIDE = 0.15  # how likely a word is that is told beside what stands in the place of another
_TOLD_BESIDE_NAME = 0.5  # the same beside a name, which says most of it
_UNSURE, _TOLD_UNSURE = 0.75, 0.3  # the same among short lines, where that is less likely than this


@dataclass(frozen=True, slots=True)
class Filled:
    """A gap of the message and what may fill it, the likeliest first; `wording` is what stands there instead."""

    gap: Gap
    stretches: tuple[Stretch, ...]
    wording: str


def filled(
    text: str,
    judged: Judgement,
    lines: Sequence[Line],
    filling: Mapping[str, float],
    meant: Mapping[str, float],
) -> list[Filled]:
    """The gaps of a message that needs its context, each with what fills it; in the order of the text. Where work is
    talked about in long lines, one place is filled, with what the message is about."""
    taken: list[Filled] = []
    idle: list[Filled] = []  # what says something only beside the rest
    shut = stand_for_nothing(text)
    doing = [match.span() for match in DOING.finditer(text)]
    said = content_in(text)
    long = are_long(lines)
    work = long and is_work(lines)
    of_work = cache(lambda: about(text, judged, lines, meant))  # the same for each gap
    for gap in sorted(merged(text, judged.gaps), key=lambda g: -g.probability):
        if taken and (work or gap.probability < _GAP):
            break
        if stays(text, gap):
            end = sentence_end(text, gap.span[1])
            gap = replace(gap, span=(end, end), link="")
        around = (gap.span[0] - 2, gap.span[1] + 2)
        if any(_touch(around, span) for span in (*shut, *(other.gap.span for other in taken))):
            continue
        known = said.union(*(content_in(one.stretches[0].text) for one in taken))
        likely = _likely(gap)
        likeliest = of_work().stretches() if work else ranked(text, judged, gap, lines, filling, long=long)
        likeliest = [s for s in likeliest if s.score >= _LIKELY]
        whole = (_cut(s, untorn, lines, likely) for s in likeliest if len(s.text) <= _LONGEST_STRETCH)
        fitting = (s for s in whole if len(s.text) <= _LONGEST_STRETCH and content_in(s.text) - known)
        gap = narrowed(text, gap)
        if _COUNTED.fullmatch(text[slice(*gap.span)]):  # "both" and "all three" are never one thing
            fitting = (s for s in fitting if _SEVERAL.search(s.text))
        done = next((span for span in doing if _touch(around, span)), None)
        if done is not None:  # what is done is said by a verb, and in the place of the whole
            fitting = (s for s in fitting if _is_deed(s, lines))
            gap = replace(gap, span=done)
        found = _standing_for(text, gap, fitting, lines, likely)
        if found and (_chooses(text, found[0].text) or _is_the_rest(said, found[0], lines)):
            continue
        if found and not (taken and len((known | content_in(found[0].text)) - said) > _ADDED):
            further = None
            if not work:
                wordy = long or all(line.mine for line in lines)  # in short talk a second guess is noise
                further = _further(gap, lines, found[0], known | content_in(found[0].text)) if wordy else None
            found[0] = with_noun(text, gap, found[0], lines)
            gap = of_noun(text, gap, found[0])
            if any(_touch(gap.span, other.gap.span) for other in taken):
                continue
            short = [_cut(found[0], one_sentence, lines, likely), *found[1:]]
            put = _put(text, gap, short, found, further, lines, long=long)
            put = _told_of_work(text, put, of_work()) if work else _with_others(text, put, taken, of_work, lines)
            again = not long and any(_is_aside(one) and _is_aside(put) for one in taken)
            if not again and not _is_like(text, put) and (long or not _is_beside(text, put)):
                (idle if _says_nothing(put) else taken).append(put)
    beside = [one for one in idle if taken and long and not work and _is_aside(one)]
    return sorted([*taken, *beside], key=lambda one: one.gap.span)


def _standing_for(
    text: str,
    gap: Gap,
    fitting: Iterable[Stretch],
    lines: Sequence[Line],
    likely: Mapping[int, Mapping[Span, float]],
) -> list[Stretch]:
    """What the words of the gap can stand for, of what fits: things as they are now, and nothing that is given up."""
    mention = text[slice(*gap.span)]
    fitting = (s for s in fitting if not (mention and is_no_thing(s, lines)))
    if not mention or mention.lower() in DEMONSTRATIVES:
        fitting = (_cut(s, with_subject, lines, likely) for s in fitting)
    of_its_kind = (the_text(mention, of_kind(mention, s), lines) for s in fitting)
    agree = all_agreeing(mention, of_its_kind, likely)
    found = [in_its_place(s, lines) for s in islice(agree, _OFFERED)]
    found = [s for s in found if not given_up(s, text) and not is_no_single_thing(mention, s)]
    found[:1] = [every_one(text, gap, one, lines) for one in found[:1]]
    someone = named_instead(mention, found[0] if found else None, lines)
    found = [someone, *(s for s in found if s is not someone)] if someone else found
    done = None
    if mention.lower() in _POINTS:
        done = done_to(text, gap.span[0], lines, several=mention.lower() in _PLURALS)
    if done is not None:
        return [done, *found]
    new = to_be_made(text, lines) if mention else None
    return found if new is None or (found and content_in(new.text) <= content_in(found[0].text)) else [new, *found]


def _put(
    text: str,
    gap: Gap,
    short: Sequence[Stretch],
    found: Sequence[Stretch],
    further: Stretch | None,
    lines: Sequence[Line],
    *,
    long: bool,
) -> Filled:
    """The gap with the `short` form of what was found in it; in brackets there is room for all of it."""
    gap, long = not_twice(text, gap), long or _is_bare(text)
    place, wording = worded(text, gap, short[0], further, lines, long=long)
    if short[0] == found[0] or not wording.lstrip().startswith("("):
        return Filled(place, tuple(short), wording)
    place, wording = worded(text, gap, found[0], further, lines, long=long)
    return Filled(place, tuple(found), wording)


def _told_of_work(text: str, put: Filled, meant: About) -> Filled:
    """What is told of work is told in its likeliest words, and by its name if it has one."""
    named = None if _is_aside(put) else meant.named()
    if named is not None and (wording := by_name(text[slice(*put.gap.span)], put.wording, named.text)) is not None:
        named = replace(named, score=max(named.score, put.stretches[0].score))
        return replace(put, stretches=(named, *put.stretches), wording=meant.told(wording, _TOLD_BESIDE_NAME))
    return replace(put, wording=meant.told(put.wording, _TOLD_BESIDE))


def _with_others(
    text: str, put: Filled, taken: Sequence[Filled], meant: Callable[[], About], lines: Sequence[Line]
) -> Filled:
    """Beside a thing that is not surely meant stand the other likely words, unless they stand elsewhere already, or so
    little is said at a time that hardly anything else can be meant."""
    known = agrees_surely(text[slice(*put.gap.span)], put.stretches[0].text)
    if _is_aside(put) or known or put.stretches[0].score >= _UNSURE or are_clipped(lines):
        return put
    elsewhere = " ".join(one.wording for one in taken)
    return replace(put, wording=meant().told(put.wording, _TOLD_UNSURE, elsewhere))


def _is_deed(one: Stretch, lines: Sequence[Line]) -> bool:
    """Whether words tell what is done; "reverse" in "a reverse proxy" tells of a thing."""
    before = lines[one.line].text[: one.span[0]].split()
    return as_order(one.text) is not None and not (before and before[-1].lower() in _BEFORE_THINGS)


def _says_nothing(put: Filled) -> bool:
    """Whether what is added beside the words of a message is a bare verb or a measure of time: "(remove)", "of day"."""
    words = [word.lower() for word in re.findall(r"\w+", put.wording)]
    telling = [word for word in words if word not in FUNCTION_WORDS]
    if put.gap.span[0] < put.gap.span[1] or len(telling) > 1:
        return False
    verb = not _ARTICLES.intersection(words) and all(base_verb(word) == word for word in telling)
    return verb or all(word.rstrip("s") in _UNITS for word in telling)


def _is_aside(put: Filled) -> bool:
    return put.wording.lstrip().startswith("(")


def _is_like(text: str, put: Filled) -> bool:
    """Whether what would stand beside an order is another one of its kind: "open a.css" after "open b.css"."""
    order, other = (_FIRST.match(words) for words in (text, put.wording.lstrip(" (")))
    if not put.wording.startswith("(") or order is None or other is None:
        return False
    return order[0].lower() == other[0].lower() and base_verb(order[0].lower()) is not None


def _is_beside(text: str, put: Filled) -> bool:
    """Whether what would stand beside an order that has an object of its own, and points to nothing, is a sentence or
    another order: "now add comments (the posts table is in SQLite)"."""
    if put.gap.span[0] < put.gap.span[1] or not put.wording.startswith("(") or not _OWN_OBJECT.match(text):
        return False
    other = put.wording.strip("() ")
    first = _FIRST.match(other)
    order = first is not None and base_verb(first[0].lower()) == first[0].lower() and " " in other
    return order or is_clause(other)


def _chooses(text: str, offered: str) -> bool:
    """Whether a message takes one of the two that a stretch leaves open: "Go then" after "Python or Go", or "go with
    that"."""
    pairs = [*_EITHER.finditer(offered)]
    if not pairs:
        return False
    said = {word.lower() for word in re.findall(r"\w+", text)}
    return accepts(text) is not None or any(word.lower() in said for pair in pairs for word in pair.groups())


def _is_the_rest(said: frozenset[str], one: Stretch, lines: Sequence[Line]) -> bool:
    """Whether a stretch is of a list of which the message names one item: "the curry sounds good" after "A curry, a
    stew, or a salad." means nothing else of it."""
    text = lines[one.line].text
    if lines[one.line].mine or said.isdisjoint(content_in(text[:READ_LINE])):
        return False
    for listing in find_lists(text):
        within = listing.items[0][0] <= one.span[0] and one.span[1] <= listing.items[-1][1]
        items = [content_in(text[slice(*item)]) for item in listing.items] if within else []
        named = [place for place, item in enumerate(items) if item and item <= said]
        if len(named) == 1 and not _touch(one.span, listing.items[named[0]]):
            return True
        if len(named) == 1 and len([item for item in listing.items if _touch(one.span, item)]) > 1:
            return True
    return False


def _is_bare(text: str) -> bool:
    """Whether it is a word or two that no sentence can be made of by putting more between them."""
    said = [word[0].lower() for word in WORD.finditer(text) if is_word(word[0])]
    return len(said) <= _BARE and not (said and base_verb(said[0]))


def _asks(line: Line) -> bool:
    """Whether a line of the speaker's asks for something, and is no code that was pasted."""
    return line.mine and line.request is not None and not _IS_CODE.match(line.text, line.request[0])


def ranked(
    text: str, judged: Judgement, gap: Gap, lines: Sequence[Line], weights: Mapping[str, float], *, long: bool
) -> list[Stretch]:
    """What may fill a gap, the likeliest first; the score is its probability. Where the lines are not `long`, what is
    surely pointed to comes first, or nothing."""
    places = candidates(text, judged, gap, lines)
    in_order = [weights[name] for one in islice(places.values(), 1) for name in one]
    scores = {place: sum(map(mul, in_order, one.values())) for place, one in places.items()}
    if not long and not any(one["surely"] for one in places.values()):
        return []
    for place, one in places.items():
        if not long and one["surely"]:
            scores[place] = max(scores.values()) + _TRUST
    best = max(scores.values(), default=0.0)
    shares = {place: math.exp(score - best) for place, score in scores.items()}
    total = sum(shares.values())
    found = [
        Stretch(line, (start, end), lines[line].text[start:end], round(share / total, 4))
        for (line, (start, end)), share in shares.items()
    ]
    return sorted(found, key=lambda s: (-s.score, -s.line, s.span))


def written_out(text: str, fillings: Sequence[Filled]) -> str:
    """The text with each gap filled, and nothing else changed; what stands in brackets at one place shares them."""
    put: dict[Span, str] = {}
    for one in sorted(fillings, key=lambda f: f.gap.span):
        there = put.get(one.gap.span, "")
        shared = there.startswith("(") and one.wording.startswith("(")
        put[one.gap.span] = f"{there[:-1]}; {one.wording[1:]}" if shared else one.wording
    for start, end in sorted(put, reverse=True):
        text = spliced(text, start, end, put[start, end])
    return text


# --- what may fill a gap ------------------------------------------------------------------------------------------


def candidates(
    text: str, judged: Judgement, gap: Gap, lines: Sequence[Line]
) -> dict[tuple[int, Span], dict[str, float]]:
    """Stretches of earlier messages, each with what speaks for it: where words point to, and what was asked for."""
    likely = _likely(gap)
    places: dict[tuple[int, Span], bool] = {}
    plain: dict[tuple[int, Span], float] = {}
    said_there = {number: said_between(lines[number].text, words) for number, words in likely.items()}
    for cut in _CUTS:
        found_at = {
            (number, span): score for number, said in said_there.items() for score, span in best_stretches(said, cut)
        }
        places |= dict.fromkeys(found_at, False)
        if cut == _CUTS[0] or (cut == _CUTS[1] and not plain and _surely_points(gap)):
            plain = found_at
    first = max(plain, key=lambda place: (plain[place], place), default=None)
    for number in range(max(0, len(lines) - _REQUESTS), len(lines)):
        request = lines[number].request
        if request is not None and _asks(lines[number]):
            places[number, request] = True
    said = content_in(text)
    last = max((n for n, line in enumerate(lines) if line.mine), default=-1)
    stood = max((n for n, line in enumerate(lines) if line.mine and line.whole), default=-1)
    total = sum(word.probability for word in gap.words)
    wordy = wordiness(lines)
    asking = judged.intents["ASK"]
    found = {}
    for (number, span), asked in places.items():
        chosen = (number, span) == first
        evidence = {
            **_evidence(lines, (number, span), likely.get(number, {}), said, total),
            "request": float(asked),
            "last_request": float(asked and number == last),
            "last": float(number == last),
            "stood": float(number == stood),
            "stood_request": float(asked and number == stood),
            "whole": float(lines[number].whole and lines[number].mine),
            "unsaid_request": float(asked and gap.span[0] == gap.span[1]),
            "first": float(chosen),
            "surely": plain[number, span] if chosen else 0.0,
        }
        for name, mixed in _MIXED:
            evidence[mixed] = evidence[name] * wordy
        evidence["wordy"] = wordy  # the same for all that may fill a gap
        for name, mixed in _MIXED_ASKING:
            evidence[mixed] = evidence[name] * asking
        found[number, span] = evidence
    return found


def _surely_points(gap: Gap) -> bool:
    """Whether a word stands there that surely points back, so that the likeliest thing is taken for it."""
    return gap.span[0] < gap.span[1] and gap.probability >= _SURE_GAP


def _likely(gap: Gap) -> dict[int, dict[Span, float]]:
    """How likely each word of each line is meant."""
    likely: dict[int, dict[Span, float]] = {}
    for word in gap.words:
        likely.setdefault(word.line, {})[word.span] = word.probability
    return likely


def _cut(
    one: Stretch,
    cutting: Callable[[str, Span, Mapping[Span, float]], Span],
    lines: Sequence[Line],
    likely: Mapping[int, Mapping[Span, float]],
) -> Stretch:
    text = lines[one.line].text
    start, end = cutting(text, one.span, likely.get(one.line, {}))
    return one if (start, end) == one.span else replace(one, span=(start, end), text=text[start:end])


def _further(gap: Gap, lines: Sequence[Line], chosen: Stretch, known: frozenset[str]) -> Stretch | None:
    """A second stretch that belongs to the same gap: surely pointed to, and with nothing in it that is known."""
    likely = _likely(gap)
    found = [
        _cut(Stretch(number, span, lines[number].text[span[0] : span[1]], score), untorn, lines, likely)
        for number, words in likely.items()
        for score, span in best_stretches(said_between(lines[number].text, words), _CUTS[0])
        if score >= _FURTHER
        and span[1] - span[0] <= _LONGEST_STRETCH
        and not (number == chosen.line and _touch(span, chosen.span))
        and not base_verb(lines[number].text[span[0] : span[1]].split()[0].lower())
    ]
    return max((s for s in found if not content_in(s.text) & known), key=lambda s: (s.score, s.line), default=None)


def _evidence(
    lines: Sequence[Line],
    place: tuple[int, Span],
    likely: Mapping[Span, float],
    said: frozenset[str],
    total: float,
) -> dict[str, float]:
    number, (start, end) = place
    line = lines[number]
    words, content, identifier = _taken_apart(line.text, start, end)
    new = [one for one in content if one[0] not in said]
    points = [likely.get(place, 0.0) for _, place in new] or [0.0]
    count = len({word for word, _ in new})
    back = len(lines) - 1 - number
    inside = sum([likely.get(place, 0.0) for _, place in words])
    of_line = sum(likely.values())
    return {
        "sum": sum(points),
        "mean": sum(points) / len(points),
        "most": max(points),
        "least": min(points),
        "count": math.log1p(count),
        "one_word": float(count <= 1),
        "many_words": float(count > 8),
        "length": len(words) / 10,
        "back": min(back, 10) / 4,
        "log_back": math.log1p(back),
        "newest": float(back == 0),
        "mine": float(line.mine),
        "identifier": identifier,
        "of_line": of_line / (total + 1e-6),
        "missed": (of_line - inside) / (total + 1e-6),
        "said": (len(content) - len(new)) / max(1, len(content)),
    }


_Said = tuple[str, Span]  # a word in lower case, and its place


@lru_cache(256)
def _taken_apart(text: str, start: int, end: int) -> tuple[list[_Said], list[_Said], float]:
    """The words of a stretch, those with a meaning of their own, and whether it looks like a name in code. What was
    asked for may be meant by every gap of a message and by every message after it, so it is taken apart once."""
    words = [(m[0].lower(), m.span()) for m in WORD.finditer(text, start, end) if is_word(m[0])]
    content = [one for one in words if one[0] not in FUNCTION_WORDS]
    return words, content, float(_IDENTIFIER.search(text[start:end]) is not None)


when_forgotten(_taken_apart.cache_clear)


def _touch(one: Span, other: Span) -> bool:
    return (
        one == other
        or (one[0] < other[1] and other[0] < one[1])
        or (other[0] == other[1] and one[0] < other[0] < one[1])
    )
