"""Does a message still belong to the open conversation? Evidence weighed together, or preset brain's fixed bands."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from anaphora.settings import Settings
from anaphora.types import Boundary, Conversation, Entity, Factor, Message, Option
from anaphora.understanding.entities import head
from anaphora.understanding.lexicon import FUNCTION_WORDS, base_verb
from anaphora.understanding.mentions import find_mentions
from anaphora.understanding.signals import is_closing
from anaphora.understanding.text import has_code, mask, words

__all__ = ["Past", "decide", "options_for", "settled"]

_MARKERS: tuple[tuple[str, float], ...] = (
    (r"\bnew topic\b", 0.99),
    (r"\bactually,? let'?s\b", 0.98),
    (r"\bswitching (?:to|over)\b|\blet'?s switch to\b", 0.97),
    (r"\b(?:on|for) (?:another|a different|an unrelated) (?:note|topic|task|thing)\b|\bunrelated(?:ly)?[,:]", 0.97),
    (r"\bforget (?:that|about (?:that|it|this))\b", 0.95),
    (r"\b(?:let'?s|i want to|can we) (?:start|work on|do|talk about) something (?:else|new|different)\b", 0.97),
    (r"^\W*(?:next|another|new) (?:task|question|problem|topic)\b", 0.95),
    (r"\blet'?s (?:work on|talk about|move on to) .{2,60}\b(?:first|instead|now)\W*$", 0.92),
)
_EXPLICIT = tuple((re.compile(p, re.IGNORECASE), c) for p, c in _MARKERS)
_RESUME = re.compile(
    r"\b(?:back to|return to|resume|continue with|go on with|pick up)\b(?: the| our| my)?\s*(.+)", re.IGNORECASE
)
_NEW_WORK = re.compile(
    r"^\W*(?:i (?:want|need|would like) (?:to|you to|a|an)|i'd like (?:to|you to)|"
    r"let'?s (?:add|build|create|implement|write)|"
    r"(?:please |can you |could you )?(?:write|create|build|implement|generate|design|develop|define)\b)",
    re.IGNORECASE,
)
_GOING_ON = re.compile(
    r"^\W*(?:and|also|now|then|but|or|so|ok|okay|no|yes|instead|why|still|same|again|continue|go on|try|what about|"
    r"how about)\b",
    re.IGNORECASE,
)
_BIAS = -0.9


@dataclass(frozen=True, slots=True)
class Past:
    """What came before a message: the open conversation with its recent messages, and the queue of the others."""

    conversation: Conversation | None = None
    window: tuple[Message, ...] = ()
    queue: tuple[Conversation, ...] = ()


def decide(text: str, entities: Sequence[Entity], past: Past, at: datetime, settings: Settings) -> Boundary:
    """Same, new or ask, with what spoke for and against it."""
    if past.conversation is None:
        return Boundary("new", "new", 1.0, "It is the first message here.")
    resumed = _resumed(text, past)
    if resumed is not None:
        same = resumed.id == past.conversation.id
        guess: Literal["same", "new"] = "same" if same else "new"
        return Boundary(guess, guess, 0.95, f"It goes back to {resumed.title!r}.", resumes=None if same else resumed.id)
    marker = _marker(text)
    if marker is not None:
        words_said, confidence = marker
        factor = Factor("marker", 6.0, f"{words_said!r} announces something else")
        return Boundary("new", "new", confidence, f"{_sentence(factor.says)}.", (factor,))
    gap = at - (past.conversation.last_at or past.conversation.started)
    if settings.boundary_method == "bands":
        return _bands(entities, past, gap, settings)
    return _weighted(text, entities, past, gap, settings)


def settled(decision: Literal["same", "new"], *, asked: bool, resumes: str | None = None) -> Boundary:
    """A boundary that someone decided: the user by an answer, or the next message by going on."""
    reason = "You said so." if asked else "It was not answered, so the best guess stands."
    return Boundary(decision, decision, 1.0 if asked else 0.5, reason, resumes=resumes)


def options_for(past: Past) -> tuple[Option, ...]:
    """What an unsure boundary is asked with."""
    title = past.conversation.title if past.conversation else "what we had"
    return (Option("A", f"go on with {title}", "same"), Option("B", "something new", "new"))


# --- all evidence together ----------------------------------------------------------------------------------------


def _weighted(text: str, entities: Sequence[Entity], past: Past, gap: timedelta, settings: Settings) -> Boundary:
    factors = [f for f in _factors(text, entities, past, gap, settings) if f.weight]
    score = _BIAS + sum(f.weight for f in factors)
    new = 1 / (1 + math.exp(-score))
    guess: Literal["same", "new"] = "new" if new >= 0.5 else "same"
    confidence = round(max(new, 1 - new), 2)
    telling = sorted((f for f in factors if (f.weight > 0) == (guess == "new")), key=lambda f: -abs(f.weight))
    against = [f for f in factors if (f.weight > 0) != (guess == "new") and abs(f.weight) > 0.8]
    reason = "; ".join(f.says for f in telling[:2]) or "nothing speaks for a change"
    reason += f" (though {against[0].says})" if against else ""
    unsure = confidence < settings.ask_below and gap >= settings.gap_same
    decision = "ask" if unsure else guess
    return Boundary(decision, guess, confidence, f"{_sentence(reason)}.", tuple(factors))


def _factors(text: str, entities: Sequence[Entity], past: Past, gap: timedelta, settings: Settings) -> list[Factor]:
    overlap = _word_overlap(text, past, settings)
    return [
        _gap_factor(gap, settings),
        Factor("overlap", round(1.1 - 4.0 * min(overlap, 0.6), 2), _overlap_says(overlap)),
        _entity_factor(entities, past, settings),
        _dependence(text),
        _form(text),
        _state_factor(past, gap, settings),
    ]


def _gap_factor(gap: timedelta, settings: Settings) -> Factor:
    says = f"{_duration(gap)} have passed"
    if gap < settings.gap_same:
        return Factor("gap", -0.3, f"only {_duration(gap)} have passed")
    if gap < settings.gap_maybe:
        return Factor("gap", 0.5, says)
    return Factor("gap", 1.2 if gap < settings.gap_new else 2.6, says)


def _entity_factor(entities: Sequence[Entity], past: Past, settings: Settings) -> Factor:
    shared = _shared_entities(entities, past, settings)
    if shared:
        return Factor("entities", -1.4, f"it speaks of {shared[0]!r} again")
    named = [e for e in entities if e.role not in ("attribute", "excluded")]
    return Factor(
        "entities", 0.4 if named else -0.3, f"{named[0].text!r} is new here" if named else "it names nothing new"
    )


def _dependence(text: str) -> Factor:
    mentions = [m for m in find_mentions(text) if m.kind not in ("definite", "ellipsis")]
    if mentions:
        word = mentions[0].text or "what is left unsaid"
        return Factor("reference", -2.2, f"{word!r} points back")
    if _GOING_ON.match(text):
        return Factor("reference", -1.2, "it begins like a continuation")
    return Factor("reference", 0.0, "")


def _form(text: str) -> Factor:
    if is_closing(text):
        return Factor("form", -3.0, "it closes what was open")
    said = [w for w in words(mask(text)) if not w.is_mark]
    if _NEW_WORK.match(text):
        return Factor("form", 1.0 if len(said) < 8 else 1.8, "it asks for a new piece of work")
    if not said and has_code(text):
        return Factor("form", -0.8, "it is code or an error alone")
    if len(said) <= 5 and base_verb(said[0].low if said else "") is not None:
        return Factor("form", -0.8, "it is a short command")
    return Factor("form", -0.5 if len(said) < 6 else 0.3, "it is short" if len(said) < 6 else "it says much of its own")


def _state_factor(past: Past, gap: timedelta, settings: Settings) -> Factor:
    if past.conversation is not None and past.conversation.ended is not None:
        return Factor("state", 1.2 if gap < settings.gap_completed else 2.4, "the last conversation was ended")
    return Factor("state", 0.0, "")


# --- preset brain -------------------------------------------------------------------------------------------------


def _bands(entities: Sequence[Entity], past: Past, gap: timedelta, settings: Settings) -> Boundary:
    """The fixed order: time, overlap, state, and a question when none of them decides."""
    named = {e.text.lower() for e in entities}
    before = {e.text.lower() for m in past.window[-settings.overlap_messages :] for e in m.entities}
    overlap = len(named & before) / len(named) if named else 0.0
    ended = past.conversation is not None and past.conversation.ended is not None
    factors = (
        Factor("gap", round(gap / settings.gap_new, 2), f"{_duration(gap)} have passed"),
        Factor("entities", round(overlap, 2), f"{overlap:.0%} of its entities were just discussed"),
        Factor("state", float(ended), "the session is completed" if ended else "the session is active"),
    )

    def boundary(guess: Literal["same", "new"], confidence: float, reason: str) -> Boundary:
        decision = "ask" if confidence < settings.ask_below else guess
        return Boundary(decision, guess, confidence, reason, factors)

    if gap > settings.gap_new:
        return boundary("new", 0.90, f"More than {_duration(settings.gap_new)} have passed.")
    if overlap > settings.overlap_same:
        return boundary("same", 0.85, "It speaks of the same things.")
    if overlap < settings.overlap_new and gap > settings.gap_maybe:
        return boundary("new", 0.80, "It speaks of other things, after a while.")
    if ended and gap > settings.gap_completed:
        return boundary("new", 0.75, "The last conversation was completed a while ago.")
    if settings.overlap_new < overlap < settings.overlap_same:
        return boundary("same", 0.50, "It speaks of some of the same things.")
    return boundary("same", 0.60, "Nothing speaks strongly for a new conversation.")


# --- pieces -------------------------------------------------------------------------------------------------------


def _marker(text: str) -> tuple[str, float] | None:
    prose = mask(text)
    for pattern, confidence in _EXPLICIT:
        match = pattern.search(prose)
        if match is not None:
            return match[0].strip(), confidence
    return None


def _resumed(text: str, past: Past) -> Conversation | None:
    """The conversation that "back to the FAB button" names."""
    match = _RESUME.search(mask(text))
    if match is None:
        return None
    wanted = {w.low for w in words(match[1]) if w.low not in FUNCTION_WORDS and not w.is_mark}
    for conversation in reversed(past.queue):
        names = {w for name in (conversation.title, *conversation.entities_discussed) for w in name.lower().split()}
        if wanted and len(wanted & names) >= max(1, len(wanted) - 1):
            return conversation
    return None


def _content(text: str) -> set[str]:
    return {w.low.rstrip("s") for w in words(mask(text)) if not w.is_mark and w.low not in FUNCTION_WORDS}


def _word_overlap(text: str, past: Past, settings: Settings) -> float:
    said = _content(text)
    before = set[str]().union(*(_content(m.full) for m in past.window[-settings.overlap_messages :]))
    return len(said & before) / len(said) if said else 0.0


def _shared_entities(entities: Sequence[Entity], past: Past, settings: Settings) -> list[str]:
    before = {e.text.lower() for m in past.window[-settings.overlap_messages :] for e in m.entities}
    heads = {head(name) for name in before}
    return [e.text for e in entities if e.text.lower() in before or (e.role != "attribute" and head(e.text) in heads)]


def _overlap_says(overlap: float) -> str:
    return "it uses the same words" if overlap > 0.275 else "it shares few words with what was said"


def _duration(gap: timedelta) -> str:
    minutes = max(0, int(gap.total_seconds() // 60))
    for size, unit in ((1440, "day"), (60, "hour"), (1, "minute")):
        if minutes >= size:
            count = minutes // size
            return f"{count} {unit}{'s' if count != 1 else ''}"
    return "seconds"


def _sentence(says: str) -> str:
    return says[0].upper() + says[1:]
