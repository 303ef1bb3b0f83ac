"""What words alone leave no doubt about: an item of a list, the answer to a question, a question asked anew."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from anaphora.ports import Judgement, Line
from anaphora.settings import Settings
from anaphora.types import Message, Reference, Span
from anaphora.understanding.advised import Advice, find_advised
from anaphora.understanding.choices import Choice, find_choices, fitted
from anaphora.understanding.correcting import corrected
from anaphora.understanding.details import with_detail
from anaphora.understanding.expletives import stand_for_nothing
from anaphora.understanding.lexicon import base_verb
from anaphora.understanding.offers import Offer, find_offer
from anaphora.understanding.parallels import Parallel, asks_alike, find_parallel, may_be_part
from anaphora.understanding.patterns import any_case
from anaphora.understanding.phrases import within_sentence
from anaphora.understanding.recommended import find_recommended
from anaphora.understanding.replaced import Instead, instead_of
from anaphora.understanding.slots import slots_in
from anaphora.understanding.wording import aside, aside_in, content_in, without_brackets

__all__ = ["Resolved", "asking", "plainly"]

_UNDO = any_case(
    r"\W*(?:(?:please|pls|no|nope|ok|okay|actually|wait|hm+|can you|could you)[\s,.!]+)*"
    r"(?P<verb>undo|revert|roll back|take back|reverse)(?: (?P<it>it|that|this|the last (?:one|change|step|edit)))?"
    r"(?:[\s,]+(?:please|pls|again|then))?\W*"
)
_ORDERED = 120  # characters of what is undone, and of the order to do that
_CHOSEN = 0.9  # how sure an item of a list is, an answer, or the question that is asked anew


@dataclass(frozen=True, slots=True)
class Resolved:
    """The references found, the sentence that stands alone, and the main thing pointed to."""

    references: tuple[Reference, ...]
    expanded: str
    context_ref: str | None


def plainly(
    text: str,
    judged: Judgement,
    lines: Sequence[Line],
    recent: Sequence[Message],
    settings: Settings,
    here: set[int],
    *,
    among_people: bool,
) -> Resolved | None:
    """What the words of the message and of those before it say by themselves; None where a reader is needed. `recent`
    are the messages that the lines are the texts of, `here` the numbers of those of the open conversation."""
    chosen = find_choices(text, lines) or find_recommended(text, lines)
    shut = stand_for_nothing(text) if chosen else ()
    chosen = tuple(one for one in chosen if not any(a <= one.span[0] and one.span[1] <= b for a, b in shut))
    if chosen:
        return _chosen(text, chosen, lines, recent)
    if among_people:
        return None
    undone = _undone(text, lines, recent)
    if undone is not None:
        return undone
    correction = _corrected(text, lines, recent)
    if correction is not None:
        return correction
    completed = _completed(text, lines, recent)
    if completed is not None:
        return completed
    offer = find_offer(text, lines)
    if offer is not None:
        return _answered(text, offer, recent)
    advice = find_advised(text, lines)
    if advice is not None:
        return _taken_up(text, advice, recent)
    other = instead_of(text, lines)
    if other is not None:
        return _set_against(text, other, recent)
    if not may_be_part(text):
        return None
    pointing = judged.needs >= settings.need_threshold
    asked = [*map(_as_meant, asking(lines, here), recent)]
    anew = find_parallel(text, asked, pointing=pointing)
    if anew is not None:
        return _said_anew(text, anew, asked, recent)
    return Resolved((), text, None) if asks_alike(text, asked) else None


def _as_meant(line: Line, message: Message) -> Line:
    """The line as its speaker was told that it was meant, without what was put in brackets."""
    if not line.mine or message.expanded is None:
        return line
    return Line(without_brackets(message.full, message.text), line.mine, line.request, line.whole)


def _put_behind(message: Message) -> re.Match[str] | None:
    put = None if message.expanded is None else aside_in(message.full)
    return None if put is None or aside_in(message.text) else put


def asking(lines: Sequence[Line], here: set[int]) -> list[Line]:
    """The lines, of which only these ask for something."""
    return [
        line if number in here or line.request is None else Line(line.text, line.mine, whole=line.whole)
        for number, line in enumerate(lines)
    ]


def _chosen(text: str, choices: Sequence[Choice], lines: Sequence[Line], recent: Sequence[Message]) -> Resolved:
    """Items of a list that was given, put where the message points to them."""
    references = []
    for choice in reversed(choices):
        line, _ = choice.referents[0]
        names = tuple(lines[number].text[a:b] for number, (a, b) in choice.referents)
        (start, end), wording = fitted(text, choice.span, names)
        text = text[:start] + wording + text[end:]
        found = Reference(choice.mention, choice.span, choice.wording, recent[line].id, _CHOSEN, names, choice.why)
        references.append(found)
    return Resolved(tuple(reversed(references)), text, choices[0].wording)


def _said_anew(text: str, anew: Parallel, lines: Sequence[Line], recent: Sequence[Message]) -> Resolved:
    """The question before, with what the message says in its place."""
    start, end = anew.span
    asked, place = lines[anew.line].text, (len(text), len(text))
    stood = f"in the place of {asked[start:end]!r}" if end > start else "added to it"
    why = f"asks anew what was asked before, {stood}"
    found = Reference("", place, asked.strip(), recent[anew.line].id, _CHOSEN, (asked.strip(),), why)
    put = _put_behind(recent[anew.line]) if start == end else None
    whole = anew.text.rstrip(" ?.!")
    return Resolved((found,), whole + put[0] + anew.text[len(whole) :] if put else anew.text, asked.strip())


def _undone(text: str, lines: Sequence[Line], recent: Sequence[Message]) -> Resolved | None:
    """What is to be undone is what was ordered last, in brackets behind the order."""
    order = _UNDO.fullmatch(text) if len(text) <= _ORDERED else None
    last = next((n for n in range(len(lines))[::-1] if lines[n].mine), None) if order else None
    if order is None or last is None or _UNDO.fullmatch(recent[last].text) or len(lines[last].text) > _ORDERED:
        return None
    done = aside(within_sentence(lines[last].text, verbs=True))
    if not any(map(str.isalnum, done)):
        return None
    start, at = order.span("it") if order["it"] else (order.end("verb"), order.end("verb"))
    return _told(text, (start, at), done, recent[last], "what you asked for just before")


def _corrected(text: str, lines: Sequence[Line], recent: Sequence[Message]) -> Resolved | None:
    """What a short correction makes of what was said, in brackets behind it: "actually, 9090 (use port 9090)"."""
    mine = [message for line, message in zip(lines, recent, strict=True) if line.mine]
    said = corrected(text, recent, mine[-1].speaker) if mine else None
    if said is None:
        return None
    unsaid = {word for word in content_in(said.text) - content_in(text) if base_verb(word) != word}
    source = next((m for m in reversed(mine) if any(s.text == said.instead_of for s in m.signals)), None)
    source = source or next((m for m in reversed(recent) if said.instead_of in slots_in(m.text)), None)
    if not unsaid or source is None:
        return None
    meant = aside(within_sentence(said.text, verbs=base_verb(said.text.split()[0].lower()) is not None))
    at = len(text.rstrip(" .!"))
    return _told(text, (at, at), meant, source, "says once more, with another value, what you said before")


def _completed(text: str, lines: Sequence[Line], recent: Sequence[Message]) -> Resolved | None:
    """The request just before, with the detail that the reply to it asked for."""
    if len(lines) < 2 or lines[-1].mine or not lines[-2].mine:
        return None
    whole = with_detail(text, _as_meant(lines[-2], recent[-2]).text, lines[-1].text)
    if whole is None:
        return None
    asked, place = lines[-2].text.strip(), (len(text), len(text))
    why = "completes what you asked for just before"
    return Resolved((Reference("", place, asked, recent[-2].id, _CHOSEN, (asked,), why),), whole, asked)


def _answered(text: str, offer: Offer, recent: Sequence[Message]) -> Resolved:
    """What was asked, in brackets behind the answer to it."""
    return _told(text, (offer.at, offer.at), offer.wording, recent[-1], "answers what was asked just before")


def _taken_up(text: str, advice: Advice, recent: Sequence[Message]) -> Resolved:
    """What the reply told to do in the place of "do that", or in brackets behind what is said of it."""
    start, end = advice.span
    why = f"what the reply {'just' if advice.line == len(recent) - 1 else '3 messages'} before told to do"
    put = f"{text[:start]}{advice.wording}{text[end:]}" if start < end else None
    return _told(text, advice.span, advice.wording, recent[advice.line], why, put)


def _set_against(text: str, other: Instead, recent: Sequence[Message]) -> Resolved:
    """What is not to be, behind "instead"."""
    at = other.at
    put = f"{text[:at]} of {other.wording}{text[at:]}" if other.thing else None
    return _told(text, (at, at), other.wording, recent[-1], "what the reply told", put)


def _told(text: str, span: Span, meant: str, source: Message, why: str, put: str | None = None) -> Resolved:
    """The message with what is meant in brackets behind the words that stand for it, or `put` as it reads there."""
    start, end = span
    found = Reference(text[start:end], span, meant, source.id, _CHOSEN, (meant,), why)
    return Resolved((found,), put or f"{text[:end]} ({meant}){text[end:]}", meant)
