"""Conversations as people name them: by what they were called, what was talked about in them, or which one it was."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import chain, islice

from anaphora.function_words import word_set
from anaphora.types import Conversation, Message, Reference, Span
from anaphora.understanding.entities import head
from anaphora.understanding.evidence import content_of
from anaphora.understanding.mentions import Mention, find_mentions
from anaphora.understanding.ordinals import ORDINALS
from anaphora.understanding.patterns import any_case, expression
from anaphora.understanding.text import READ_AT_MOST
from anaphora.understanding.titles import noun_of

__all__ = ["NUMBERED", "named", "names_talk", "other_conversations", "placed", "surely_named", "touched_on"]

_TALK = r"(?:conversation|session|chat|thread|discussion)"
_ARTICLE = r"\b(?:the|our|my|that)\b"
_BEFORE = expression(rf"{_ARTICLE}\s+((?:(?!{_ARTICLE})[^\n.,;!?]){{2,60}}?)\s+{_TALK}\b", re.IGNORECASE)
_AFTER = expression(
    rf"\b{_TALK}s?\s+(?:about|on|called|named|titled)\s+(?:the\s+|our\s+|my\s+)?[“\"']?([^\n.,;!?“”\"]{{2,60}}?)[”\"']?"
    r"(?=\s*(?:[.,;!?\n]|$))",
    re.IGNORECASE,
)
_WE = r"we (?:talked about|discussed|did|worked on|were (?:doing|at)|started with|began with|had)"
_COUNTED = expression(
    rf"\b(?:the|our) (?:very )?({'|'.join(ORDINALS)}) (?:{_TALK}|(?:thing|topic|subject|task) (?:that )?{_WE})\b",
    re.IGNORECASE,
)
_BEFORE_ANOTHER = expression(
    rf"\b(?:what|whatever|the (?:thing|topic|one)(?: that)?) {_WE} before (?:the |our |my )?([^\n.,;!?]{{2,60}}?)"
    r"(?=\s*(?:[.,;!?\n]|$))",
    re.IGNORECASE,
)
_OF_TALK = any_case(
    rf"\b{_TALK}\b|\b{_WE}\b",
    needles="conversation|session|chat|thread|discussion|talked|discussed|did|worked|were|started|began|had",
    dear=True,
)
# "the podcast that Nora told me about": who speaks so does not say all that was said of it
_TOLD_OF = any_case(
    r"\b(?P<words>the (?P<thing>(?:[\w'’-]+ )?(?!(?:that|which)\b)[\w'’-]+)) (?:that |which )?(?:i|we|(?-i:[A-Z]\w+)) "
    r"(?:told|recommended|mentioned|suggested|talked|discussed|compared|picked|chose|planned|wanted|described)\b",
    needles="told|recommended|mentioned|suggested|talked|discussed|compared|picked|chose|planned|wanted|described",
    dear=True,
)
_TAKEN_UP = expression(
    r"\b(?:back to|return(?:ing)? to|resume|continue(?: with)?|go(?:ing)? on with|pick up|"
    r"(?:leave|left|leaving) off (?:with|on)|stopped (?:with|on|at)) "
    r"(?P<words>(?:the|our|my) (?P<thing>[\w'’-]+(?: [\w'’-]+)?))(?=\s*(?:[.,;:!?]|$))",
    re.IGNORECASE,
    needles="back to|return|resume|continue|on with|pick up|off |stopped",
    dear=True,
)
NUMBERED = any_case(
    r"\b(?:conversation|session|chat)\s{0,5}#?\s{0,5}(\d{1,3})\b", needles="conversation|session|chat", dear=True
)
_LEADING_TO = expression(rf"^(?:the|our|my|that) |[.!?,]|\b{_TALK}\b")
_NUMBER = expression(r"#\d{1,3}")
_WHEN = expression(
    r"\b(?:from|of|in|since)?\s*(yesterday|last week|last month|this morning|earlier today|the other day)\b",
    re.IGNORECASE,
)
_AGES = {
    "yesterday": (timedelta(hours=6), timedelta(hours=48)),
    "last week": (timedelta(days=2), timedelta(days=14)),
    "last month": (timedelta(days=14), timedelta(days=62)),
    "this morning": (timedelta(0), timedelta(hours=14)),
    "earlier today": (timedelta(0), timedelta(hours=20)),
    "the other day": (timedelta(days=1), timedelta(days=14)),
}
_TOPIC = any_case(
    rf"(?:the|our|that) (?:very )?(?P<which>{'|'.join(ORDINALS)}|previous|last|earlier|other|original) "
    rf"(?:topic|subject|{_TALK})(?: (?:we had|from before|before|again))?",
    needles="topic|subject|conversation|session|chat|thread|discussion",
)
_CODE_NAME = expression(
    r"\b(?:def|class|function|fn|func|const|struct|interface|type)\s+([A-Za-z_]\w*)|`([A-Za-z_]\w*)(?:\(\))?`"
)
_OF_CODE = word_set("function class method script code one thing module program helper query")
_POINTING = frozenset(["last", "previous", "first", "other", "same", "new", "current", "whole", "next", "entire"])
_ANYTHING = word_set("page app thing new make work user time file get good day test code way need want name list text")
_TELLING = 3  # letters of a word that may name a conversation
_IN_TITLE = 2.0  # a word of a title counts for so many of what was talked about


def _taken_up(text: str, queue: Sequence[Conversation]) -> Iterator[tuple[str, Span, str, Conversation]]:
    """ "back to the marathon", "where did we leave off with the proposal": the words for the thing, their place, its
    full name, and the newest conversation that it was named in."""
    tried: set[str] = set()
    for match in _TAKEN_UP.finditer(text):
        if match["thing"].lower() not in tried:
            tried.add(match["thing"].lower())
            yield from _in_full(match, queue)


def _told_of(text: str, queue: Sequence[Conversation]) -> Iterator[tuple[str, Span, str, Conversation]]:
    """The same of "the podcast that Nora told me about"."""
    match = _TOLD_OF.search(text)
    if match is not None:
        yield from _in_full(match, queue)


def _in_full(match: re.Match[str], queue: Sequence[Conversation]) -> Iterator[tuple[str, Span, str, Conversation]]:
    noun, said = head(match["thing"]), match["thing"].lower()
    for conversation in reversed(queue) if len(noun) > 1 else ():
        longer = (name for name in conversation.entities_discussed if len(name) > len(said) and noun in name.lower())
        names = [name for name in longer if noun_of(name) == noun]
        if names:
            yield match["words"], match.span("words"), names[0], conversation
            return


def names_talk(text: str) -> bool:
    """Whether the words speak of something that was talked about."""
    return _OF_TALK.search(text) is not None


def named(
    words: str, queue: Sequence[Conversation], current: str | None = None, recent: Sequence[Message] = ()
) -> Conversation | None:
    """The conversation that the words name: by what it was about, by its place among the others, or by what code is
    called in its messages, of which `recent` are the last."""
    return (
        placed(words, queue)
        or _by_turn(words, queue, current)
        or _best_match(words, queue, current, spare=0)
        or _by_code(words, queue, current, recent)
        or _best_match(words, queue, current)
    )


def placed(words: str, queue: Sequence[Conversation]) -> Conversation | None:
    """The conversation that the words count out: "#2", "conversation 2", "our first chat"."""
    words = f"conversation {words}" if _NUMBER.fullmatch(words) else words
    return next((one for _, _, one in _by_place(words, queue)), None)


def surely_named(words: str, queue: Sequence[Conversation]) -> Conversation | None:
    """The newest conversation whose title has all the words, and that has no more than one word besides."""
    said = _LEADING_TO.sub("", words.lower()).split()
    for conversation in reversed(queue) if content_of(words) - _OF_CODE else ():
        title = conversation.title.lower().split()
        if set(said) <= set(title) and len(content_of(conversation.title)) <= len(said) + 1:
            return conversation
    return None


def touched_on(text: str, queue: Sequence[Conversation], current: Conversation | None) -> Conversation | None:
    """Another conversation than the open one that the text names something of which the open one knows nothing; of
    several the one that it names most of, then the newest."""
    known = _known_in(current) if current is not None else frozenset()
    said = {word for word in content_of(text[:READ_AT_MOST]) if len(word) >= _TELLING} - known - _ANYTHING - _POINTING
    best, most = None, 0.0
    for conversation in reversed(queue) if said else ():
        if current is not None and conversation.id == current.id:
            continue
        title = said & content_of(conversation.title)
        weight = _IN_TITLE * len(title) + len((said & _known_in(conversation)) - title)
        if weight > most:
            best, most = conversation, weight
    return best


def _known_in(conversation: Conversation) -> frozenset[str]:
    return content_of(" ".join((conversation.title, *conversation.entities_discussed)))


def _by_turn(words: str, queue: Sequence[Conversation], current: str | None) -> Conversation | None:
    """ "the first topic", "the previous topic": not the one that is open."""
    match = _TOPIC.fullmatch(words.strip())
    which = match["which"].lower() if match else ""
    if which in ORDINALS or which == "original":
        place = ORDINALS.index(which) if which in ORDINALS else 0
        return queue[place] if place < len(queue) else None
    others = [one for one in queue if one.id != current] if which else []
    return max(others, key=lambda one: one.last_at or one.started, default=None)


def _by_code(
    words: str, queue: Sequence[Conversation], current: str | None, recent: Sequence[Message]
) -> Conversation | None:
    """The conversation in which something in code is called so, another than `current` where there is one."""
    wanted = {w for w in content_of(words) if w not in _POINTING | _OF_CODE}
    if len(wanted) != 1:
        return None
    found = [
        message.conversation_id
        for message in reversed(recent)
        if any(
            wanted == content_of(name) for names in _CODE_NAME.findall(message.text[:READ_AT_MOST]) for name in names
        )
    ]
    first = next((id for id in found if id != current), next(iter(found), None))
    return next((one for one in queue if one.id == first), None)


def _best_match(
    words: str, queue: Sequence[Conversation], current: str | None = None, *, spare: int = 1
) -> Conversation | None:
    """The conversation that the words name, by its title and by what was talked about or changed in it; of equals one
    that is not `current`, then the newest. All the words but `spare` must fit."""
    wanted = {w for w in content_of(words) if w not in _POINTING}
    best, best_rank = None, (0.0, False, 0)
    for number, conversation in enumerate(queue):
        title = content_of(conversation.title)
        first_title = conversation.id.replace("-", " ")  # which an id is made of, and stays when it is renamed
        about = content_of(" ".join((*conversation.entities_discussed, *conversation.files_modified, first_title)))
        found = wanted & (title | about)
        if not wanted or len(found) < max(1, len(wanted) - spare):
            continue
        weight = _IN_TITLE * len(found & title) + len(found - title)
        rank = (weight, conversation.id != current, number + 1)
        if rank > best_rank:
            best, best_rank = conversation, rank
    return best


def _named_by_title(text: str, queue: Sequence[Conversation]) -> Iterator[tuple[str, Span, Conversation]]:
    """ "like in the dark mode conversation", "the chat about the FAB button", "our first chat": the words, their place,
    and which it is."""
    yield from _by_place(text, queue)
    for pattern in (_BEFORE, _AFTER):
        for match in pattern.finditer(text):
            found = _best_match(match[1], queue)
            if found is not None:
                yield match[0], match.span(), found


def _by_place(text: str, queue: Sequence[Conversation]) -> Iterator[tuple[str, Span, Conversation]]:
    """ "our first chat", "the first thing we talked about", "what we did before the tax return", "conversation #2"."""
    for match in NUMBERED.finditer(text):
        yield from ((match[0], match.span(), one) for one in queue if one.number == int(match[1]))
    for match in _COUNTED.finditer(text):
        place = ORDINALS.index(match[1].lower())
        if place < len(queue):
            yield match[0], match.span(), queue[place]
    for match in _BEFORE_ANOTHER.finditer(text):
        other = _best_match(match[1], queue)
        if other is not None and queue[0] is not other:
            yield match[0], match.span(), queue[queue.index(other) - 1]


def other_conversations(text: str, queue: Sequence[Conversation], at: datetime) -> list[Reference]:
    """ "conversation #2", "the button from last week": another conversation, named by number or time."""
    found = []
    text = text[:READ_AT_MOST]
    for match in NUMBERED.finditer(text):
        one = next((c for c in queue if c.number == int(match[1])), None)
        if one is not None:
            found.append(_link(match[0], match.span(), one.title, one, f"conversation {one.number} in the queue"))
    if not found and names_talk(text):
        found = [
            _link(words, span, one.title, one, f"conversation {one.number} in the queue, by what it is about")
            for words, span, one in islice(_named_by_title(text, queue), 1)
        ]
    if not found:
        full = islice(chain(_taken_up(text, queue), _told_of(text, queue)), 1)
        found = [_link(words, span, name, one, f"talked about in {one.title!r}") for words, span, name, one in full]
    low = text.lower()
    when = _WHEN.search(text) if any(time in low for time in _AGES) else None
    if when is not None:
        least, most = _AGES[when[1].lower()]
        timely = [c for c in queue if least <= at - (c.last_at or c.started) <= most]
        for mention in find_mentions(text):
            one_and_name = _discussed(mention, timely)
            if one_and_name is not None and mention.span[1] <= when.start() + 1:
                one, name = one_and_name
                found.append(
                    _link(mention.text, mention.span, name, one, f"discussed {when[1].lower()} in {one.title!r}")
                )
                break
    return found


def _link(mention: str, span: Span, referent: str, conversation: Conversation, why: str) -> Reference:
    return Reference(mention, span, referent, None, 0.9, (referent,), why, conversation.id)


def _discussed(mention: Mention, conversations: Sequence[Conversation]) -> tuple[Conversation, str] | None:
    if mention.kind not in ("definite", "demonstrative"):
        return None
    for conversation in reversed(conversations):
        for name in conversation.entities_discussed:
            if noun_of(name) == head(mention.noun):
                return conversation, name
    return None
