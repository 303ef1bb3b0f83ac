"""Short corrections: "no, 9090" after "use port 8080" says the same once more with another value.

A correction is taken only where what it says fits into what was said just before: a number for a number, a day for a
day, one database for another. Whatever else "no" may mean is left alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from anaphora.function_words import FUNCTION_WORDS
from anaphora.types import Message, Signal, SignalKind, Span
from anaphora.understanding.kinds import kind_in
from anaphora.understanding.lexicon import ADJECTIVES, base_verb
from anaphora.understanding.lists import READ_LINE
from anaphora.understanding.ordinals import COUNTS, NUMBERS
from anaphora.understanding.patterns import any_case, expression
from anaphora.understanding.slots import only_slot, slots_in
from anaphora.understanding.values import find_values

__all__ = ["can_name", "corrected", "only_a_value", "rather"]

_SHORT = 80  # characters of a correction
_KINDS: tuple[SignalKind, ...] = ("decision", "constraint", "preference", "fact", "remember")

_WORD = r"[\w.+#/%€$£:'-]+"
_NOT = (
    r"(?:no|nope|nah|actually|wait|hold on|sorry|scratch that|scrap that|strike that|correction|typo|oops|my bad|nvm|"
    r"never ?mind|"
    r"rather|on second thoughts?|i mean|i meant|(?:i |i've )?changed my mind)"
)
_SO = r"(?:oh|ok|okay|well|um|uh|hmm+|and|but|so|please|then|i think)"
_LEAD = rf"(?:{_SO}[,.!]* )*{_NOT}(?:[,.:;!…–—]+ ?| -+ | )(?:(?:{_NOT}|{_SO})[,.:;!…–—]* )*"
_MAKE = (
    r"(?:(?:let's |lets |please |can we |could you )?(?:make|change|set|switch|bump|raise|lower|put) (?:it|that|this)"
    r"(?: up| down| back)?(?: to| at)?|(?:it|that|this) (?:should|must|has to|needs to) be|should be|"
    r"(?:let's |we'll |i'll |better )?(?:say|do|go with|use|switch to)) "
)
_X = rf"(?P<x>(?:(?:the|an?) )?{_WORD}(?: {_WORD}){{0,3}}?)"
_OVER = rf",? (?:and )?(?:not|instead of|rather than) (?:the |an? )?(?P<over>{_WORD}(?: {_WORD}){{0,2}}?)"
_BETTER = r",? (?:instead|(?:is|would be|seems|works|fits) (?:much |probably )?better)"
_AFTER = rf"(?P<better>{_BETTER})?(?:,? (?:please|then|after all|thanks|now|from now on))*[.! ]*"
_SAID = (
    any_case(rf"{_LEAD}(?:{_MAKE}|(?:it's|it is|that's) )?{_X}(?:{_OVER})?{_AFTER}"),
    any_case(rf"(?:{_SO}[,.!]* )*{_MAKE}{_X}(?:{_OVER})?{_AFTER}"),
    any_case(rf"(?:{_SO}[,.!]* )*{_X}(?:{_OVER}|(?={_BETTER})){_AFTER}"),
    any_case(rf"(?:{_SO}[,.!]* )*{_X},? (?:sorry|actually|rather)(?P<better>)[.! ]*"),
    any_case(rf"(?:{_LEAD})?not (?P<over>{_WORD})(?:,| but) {_X}{_AFTER}"),
)
_ITS_NAME = r"(?:the |our |my )?(?P<n>(?!(?:it|that|this)\b)[\w-]+(?: [\w-]+){0,2}?)"
_NAMED = (
    any_case(
        rf"(?:{_LEAD}|(?:{_SO}[,.!]* )*)(?:let's |lets |please |we should )?(?:change|set|switch|move|raise|lower|bump|"
        rf"increase|reduce) {_ITS_NAME}(?: up| down| back)? (?:to|at) {_X}(?:{_OVER})?{_AFTER}"
    ),
    any_case(
        rf"(?:{_LEAD}|(?:{_SO}[,.!]* )*){_ITS_NAME} (?:should be|must be|has to be|needs to be|is now|will be) "
        rf"{_X}(?:{_OVER})?{_AFTER}"
    ),
)
_ONLY_VALUE = any_case(r"(?:use|go with|switch to|take|keep) (?P<x>\S+(?: \S+)?)")
_QUESTION = expression(r"(?:\A|(?<=[?.!]))[^?.!]*\?")
_WHICH = any_case(r"\b(?:which|what|how (?:many|much|long|often)|where|when|who)\b")
_EITHER = any_case(r"\bor\b")
_TAKES = any_case(
    r"(?P<verb>(?:also )?"
    r"(?:use|go (?:with|for)|stick (?:with|to)|switch (?:over |back )?to|take|pick|choose|adopt|keep|call it|"
    r"name it)\s+)"
    r"(?P<thing>(?:the |an? )?\S+(?: \S+){0,3}?)(?:,? (?:instead of|rather than|over|not) .+?)?"
    r"(?P<rest> (?:for|as|in|on|at|when|during|to) .+)?"
)
_AGAINST = any_case(
    r"(?P<a>.*?)(?P<b>(?:(?:the|an?) )?[^\s,]+)(?P<by>,? (?:over|rather than|instead of|to|not) )"
    r"(?P<c>(?:(?:the|an?) )?\S+)"
)
_ANOTHER_NAME = expression(r"(?<=[a-z,;] )[A-Z][\w'+#.-]*")
_LAST_NAME = expression(
    r"(?:\b(?:is|are|in|at|for|to|called|named|from|me)|'s) (?P<x>[A-Z][\w'-]+(?: [A-Z][\w'-]+){0,2})$"
)
_NAME = expression(r"[A-Z][\w'+#.-]*(?: [A-Z][\w'+#.-]*){0,2}")
_ARTICLE = any_case(r"^(?:(?:in|to|with|on|at|by|until) )?(?:(?:the|an?) )?")
_SAYS_NOTHING = any_case(
    r"\W*(?:ok(?:ay)?|thanks|thank you|thx|hmm+|great|cool|nice|good|wait|no|no wait|well|um|uh)\W*"
)
_FILLERS = 2  # messages that say nothing, over which a correction looks back


_WHY_AFTER = any_case(  # "ES256 instead, the keys are smaller"
    r"(?P<said>.{3,60}?)(?:\s*[,;.]\s*|\s+[-–—]\s*|\s+)(?:(?:because|since|as)\s+(?P<x>.{3,80})|"
    r"(?<=[,;.–—-] )(?P<y>(?:it|they|that)(?:'s|'re| is| are| has| have| \w+s)\b.{2,80}|"
    r"the (?:\w+ ){1,3}(?:is|are|has|have)\b.{2,80}))"
)


def corrected(text: str, recent: Sequence[Message], speaker: str) -> Signal | None:
    """What a short correction says, in the words of what it corrects: the one thing in the last message of the speaker
    that it fits into, or what it names. `recent` are the last messages, the newest last."""
    said = " ".join(text.replace("’", "'").split())
    if len(said) > 2 * _SHORT or "?" in said:
        return None
    new = _corrected(said, recent, speaker)
    why = _WHY_AFTER.fullmatch(said) if new is None else None
    if why is None:
        return new
    new = _corrected(why["said"].rstrip(" ,;.-–—"), recent, speaker)
    return replace(new, because=(why["x"] or why["y"]).rstrip(".! ")) if new is not None else None


def _corrected(said: str, recent: Sequence[Message], speaker: str) -> Signal | None:
    last = _last_of(recent, speaker)
    if last is None or len(said) > _SHORT:
        return None
    if named := _named(said, [m for m in recent if m.role == "user" and m.speaker == speaker]):
        return named
    for found in (pattern.fullmatch(said) for pattern in _SAID):
        if found is not None:
            told = (s for s in recent[last].signals if s.kind in _KINDS)
            replies = recent[last + 1 :]
            fits = [new for s in told if (new := _said_again(s, found)) and not _answers(replies, s.text, found["x"])]
            if len(fits) == 1:
                return fits[0]
            if not fits and (other := _set_to(found, recent, last, speaker)):
                return other
    return None


def _set_to(found: re.Match[str], recent: Sequence[Message], last: int, speaker: str) -> Signal | None:
    """ "Make it 9090" of the port that was told of just before, where nothing was decided or demanded of it."""
    is_number = find_values(found["x"]) or found["x"].lower() in NUMBERS[1:]
    named = only_slot(recent, speaker) if is_number else None
    if named is None or named[0] < last or _answers(recent[named[0] + 1 :], named[1], found["x"]):
        return None
    new = _said_again(Signal("decision", named[1]), found)
    return new if new is not None and slots_in(new.text) else None


def only_a_value(signal: Signal) -> bool:
    """Whether a decision says nothing but a number: "use 9090" is for a port that was spoken of."""
    said = signal.text.removesuffix(" instead").removesuffix(" after all")
    found = _ONLY_VALUE.fullmatch(said) if signal.kind == "decision" else None
    return found is not None and [v.span for v in find_values(found["x"])] == [(0, len(found["x"]))]


def _named(said: str, mine: Sequence[Message]) -> Signal | None:
    """ "Change the port to 9090" corrects what was last said of the port."""
    for found in (pattern.fullmatch(said) for pattern in _NAMED):
        for message in reversed(mine) if found is not None else ():
            told = [s for s in message.signals if s.kind in _KINDS and found and _speaks_of(s.text, found["n"])]
            fits = [new for s in told if found and (new := _said_again(s, found))]
            if told:
                return fits[0] if len(fits) == 1 else None
    return None


def _speaks_of(text: str, name: str) -> bool:
    return f" {name.lower()} " in f" {' '.join(text.lower().replace(',', ' ').split())} "


def rather(x: str, others: Sequence[str], recent: Sequence[Message], speaker: str) -> Signal | None:
    """What was decided just before, now for `x`, where it was for one of the others that were to choose from."""
    last = _last_of(recent, speaker)
    for told in recent[last].signals if last is not None else ():
        taken = _TAKES.fullmatch(told.text) if told.kind == "decision" else None
        if taken and taken["thing"].lower() in (other.lower() for other in others):
            text = f"{taken['verb']}{x} instead of {taken['thing']}{taken['rest'] or ''}"
            return Signal("decision", text, instead_of=told.text)
    return None


def _last_of(recent: Sequence[Message], speaker: str) -> int | None:
    """The place of the last message of a speaker that says something."""
    mine = [n for n, m in enumerate(recent) if m.role == "user" and m.speaker == speaker][: -_FILLERS - 2 : -1]
    return next((n for n in mine if len(recent[n].text) > _SHORT or not _SAYS_NOTHING.fullmatch(recent[n].text)), None)


def _answers(replies: Sequence[Message], told: str, new: str) -> bool:
    """Whether the message may mean a reply in between rather than what was told before it: one that asks for something,
    or that names a thing or a value of its own and not the one that was told."""
    words = [w for w in told.split() if w.lower() not in FUNCTION_WORDS and not base_verb(w.lower())]
    values = [told[slice(*value.span)] for value in find_values(told)]
    for reply in (reply.text[:READ_LINE] for reply in replies):
        if any(not any(word in asked for word in values or words) for asked in _asked_in(reply)):
            return True
        if any(word in reply for word in values or words):
            continue
        if values and find_values(reply):
            return True
        if not values and not _is_alike(told, new) and _ANOTHER_NAME.search(reply):
            return True
    return False


def _asked_in(reply: str) -> Iterator[str]:
    """The questions of a reply that leave something open: those for one of several things whole, any other from the
    word on that asks."""
    for question in _QUESTION.finditer(reply):
        which = _WHICH.search(question[0])
        if _EITHER.search(question[0]):
            yield question[0]
        elif which is not None:
            yield question[0][which.start() :]


def _is_alike(told: str, new: str) -> bool:
    """Whether both name things of one sort."""
    kinds = {kind_in(word) for word in told.split()} & {kind_in(word) for word in new.split()}
    return bool(kinds - {None})


def _said_again(told: Signal, found: re.Match[str]) -> Signal | None:
    """The signal with what the correction says in the place where that fits."""
    x, over = _ARTICLE.sub("", found["x"]).rstrip(".:,"), found.groupdict().get("over") or ""
    x = str(COUNTS[x.lower()]) if x.lower() in NUMBERS[1:] else x
    if over and over.lower() not in told.text.lower():
        return None
    values = find_values(x)
    new = _with_value(told.text, x, over) if values else _with_name(told, x, over, better=bool(over or found["better"]))
    if new is None or new.lower() == told.text.lower():
        return None
    return replace(told, text=new, because=None, instead_of=told.text)


# --- numbers and dates --------------------------------------------------------------------------------------------

_DIGITS = expression(r"[€$£]?\d+(?:[.,]\d+)*")


def _with_value(text: str, x: str, over: str) -> str | None:
    """The text with another number or date, where it has one of that sort; "300 lines" fits only before lines."""
    values = find_values(x)
    if len(values) != 1:
        return None
    (start, end), sort = values[0]
    said = x[start:end]
    places = [value.span for value in find_values(text) if value.sort == sort]
    places = [place for place in places if _stands_in(text, place, x[:start], x[end:])]
    if over:
        places = [place for place in places if over.lower() in text[slice(*place)].lower()]
    if len(places) != 1:
        return None
    old = text[slice(*places[0])]
    if sort == "number":
        digits, unit = _DIGITS.match(old), _DIGITS.sub("", said)
        if digits is not None and not unit:  # the unit of before is meant
            return text[: places[0][0]] + said + old[digits.end() :] + text[places[0][1] :]
        if unit and not _DIGITS.sub("", old):
            return None
    return text[: places[0][0]] + said + text[places[0][1] :]


def _stands_in(text: str, place: Span, before: str, after: str) -> bool:
    """Whether the words around a value are those around the place that it would take."""
    ahead, behind = text[: place[0]].rstrip().lower(), text[place[1] :].lstrip().lower()
    return ahead.endswith(before.strip().lower()) and behind.startswith(after.strip().lower())


# --- names --------------------------------------------------------------------------------------------------------


def _with_name(told: Signal, x: str, over: str, *, better: bool) -> str | None:
    """The text with another name in it: the other one of two, another thing of the same sort, or, where that is clear
    from how it is said, any other thing."""
    kind = kind_in(x)
    if not can_name(x):
        return None
    swapped = _AGAINST.fullmatch(told.text)
    if swapped and _ARTICLE.sub("", swapped["c"]).lower() == x.lower():
        return f"{swapped['a']}{swapped['c']}{swapped['by']}{swapped['b']}"
    taken = _TAKES.fullmatch(told.text) if told.kind == "decision" else None
    if taken:
        thing = taken["thing"]
        alike = kind is not None and kind_in(thing) == kind
        apart = kind is not None and kind_in(thing) is not None and not alike  # "no, Postgres" is not said of Django
        clear = alike or better or (_NAME.fullmatch(x) and not apart)
        if not clear or x.lower() == thing.lower() or (over and over.lower() not in thing.lower()):
            return None
        return f"{taken['verb']}{x} instead of {thing}{taken['rest'] or ''}"
    if over and told.text.lower().count(over.lower()) == 1:
        place = told.text.lower().index(over.lower())
        return f"{told.text[:place]}{x}{told.text[place + len(over) :]}"
    if kind is not None and (same := _of_kind(told.text, kind)):
        return told.text.replace(same, x)
    if told.kind == "fact" and _NAME.fullmatch(x) and (named := _LAST_NAME.search(told.text)):
        return f"{told.text[: named.start('x')]}{x}"
    return None


def can_name(x: str) -> bool:
    """Whether words can name a thing: "no, thanks", "no, go on" and "shorter is better" name none."""
    words = x.lower().split()
    if not words or any(word in FUNCTION_WORDS for word in words):
        return False
    return kind_in(x) is not None or (base_verb(words[0]) is None and not any(word in ADJECTIVES for word in words))


def _of_kind(text: str, kind: str) -> str:
    """The one word, or pair of words, of a text that names a thing of this sort; "" where there is none, or more."""
    words = text.split()
    pairs = [" ".join(pair) for pair in pairwise(words)]
    for named in (words, pairs):
        found = [name for name in named if kind_in(name) == kind]
        if found:
            return found[0] if len(found) == 1 else ""
    return ""
