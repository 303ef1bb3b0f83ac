"""Does a message still belong to the open conversation? Evidence weighed together, or fixed bands."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Literal

from anaphora.ports import Judgement, Line
from anaphora.settings import Settings
from anaphora.types import Boundary, Conversation, Entity, Factor, Message, Option
from anaphora.understanding.announcing import announced
from anaphora.understanding.bands import MARKERS, decide_by_bands
from anaphora.understanding.evidence import (
    GOING_ON,
    boundary_evidence,
    content_of,
    only_tells,
    passed,
    talk_evidence,
    told_in_passing,
)
from anaphora.understanding.learned import BOUNDARY, TALK, USUAL
from anaphora.understanding.links import named, surely_named, touched_on
from anaphora.understanding.mentions import find_mentions
from anaphora.understanding.patterns import any_case, expression
from anaphora.understanding.resuming import goes_back, goes_on
from anaphora.understanding.returning import returns
from anaphora.understanding.signals import find_signals, is_closing
from anaphora.understanding.text import has_code, mask, straight, words
from anaphora.understanding.withdrawals import drops_thing, takes_back

__all__ = ["Past", "Reading", "decide", "options_for", "settled"]

_ITEM = r"(?:decision|choice|rule|constraint|restriction|requirement|ban|limit)"  # who forgets one goes on without it
_MARKERS: tuple[tuple[str, str, float], ...] = (
    (
        "new topic",
        r"^\W*new topic\b|\bnew topic\s*[:–—]|\b(?:start|begin|open|have) a new topic\b",
        0.99,
    ),
    ("actually", r"\bactually,? let'?s\b", 0.98),
    ("switching |s switch to", r"\bswitching (?:to|over)\b|\blet'?s switch to\b", 0.97),
    (
        "another|a different|unrelated",
        r"\b(?:on|for) (?:another|a different|an unrelated) (?:note|topic|task|thing)\b|\bunrelated(?:ly)?[,:]",
        0.97,
    ),
    ("forget ", rf"\bforget (?:that(?! {_ITEM}\b)|about (?:that|it|this))\b", 0.95),
    (
        "something ",
        r"\b(?:let'?s|i want to|can we) (?:start|work on|do|talk about) something (?:else|new|different)\b",
        0.97,
    ),
    (
        "work on|talk about|move on to",
        r"\blet'?s (?:work on|talk about|move on to) .{2,60}\b(?:first|instead|now)\W*$",
        0.92,
    ),
)
_EXPLICIT = tuple((any_case(p, needles=needles, dear=True), c) for needles, p, c in _MARKERS)
_NEW_WORK = expression(
    r"^\W*(?:i (?:want|need|would like) (?:to|you to|a|an)|i'd like (?:to|you to)|"
    r"let'?s (?:add|build|create|implement|write)|"
    r"(?:please |can you |could you )?(?:write|create|build|implement|generate|design|develop|define)\b)",
    re.IGNORECASE,
)
# output of what failed, with nothing asked of it: who pastes it goes on
_SAYS = (
    r"(?:(?:(?:now|but|and|still|hm+|ugh|oh|ok),? )*(?:i (?:now |still |just )?(?:get|got|see|am getting)|"
    r"it (?:now |still |just )?(?:says?|gives?(?: me)?|throws?|shows?|prints?|fails? with)|"
    r"[\w./-]{1,30} (?:now |still )?(?:says?|fails?(?: with)?|prints?|complains?|throws?|gives?|reports?))"
    r"\s?(?:(?:this|an?|the|the following|that|some) )?"
    r"(?:\w+ )?(?:errors?|exception|warning|message)?(?: now| again| here)?\s*:?\s+|"
    r"[\w./-]{1,30}(?:\[\d+\])?:\s+)"
)
_FAILED = expression(
    rf"\A\W{{0,10}}(?i:{_SAYS})?(?:npm ERR!|CONFLICT \(|Traceback \(most|(?:fatal|error|panic|ERROR|FATAL|Error):|"
    r"error\[\w+\]:|(?:error|ERROR) \w*\d+(?: \(\w+\))?:|[EF]/\w+: |FAIL(?:ED)?\b(?! \w+ (?:is|was|are|the|a)\b)|"
    r"thread '[^'\n]{1,60}' panicked|Error response from\b|[EWF]\d{2,4}\b|\*\*\* \S|"
    r"(?:\w+\.){0,6}\w+(?:Error|Exception)\b\s*:|Segmentation fault|Exception in thread|Uncaught \w+|"
    r"(?:(?:ba|z)?sh: )?\S{1,80}: command not found)[^?]*\Z"
)
_DOES_NEXT = expression(r"\W*next(?: up)?\s*:\s*\w", re.IGNORECASE)  # said of what is begun now
_ASIDE = expression(r"^\W*(?:by the way|btw|on another note|one more thing|unrelated)\b", re.IGNORECASE)
# verbs that fit every topic
_ANYTHING = frozenset(["make", "add", "use", "put", "change", "do", "give", "write", "create", "go", "let", "work"])
_BIAS = -0.3
_SHORT = 8  # words
_QUICKEST = -2.0  # how much a quick follow-up can speak for the same conversation
_WORTH_ASKING = 20.0  # seconds after which a question does not interrupt a quick exchange
_ENOUGH_GAPS = 3
_ANNOUNCED = 0.95
_TAKEN_BACK = -4.0
_TAKEN_UP = -6.0
_SHOWN = -4.0  # an error that is shown while something is worked on is of that
_IN_PASSING = -3.0  # what is told in the middle of something belongs to it
_HOURS_READ = 1.4  # hours weigh more where words that point back are read well
_TORN = 0.6  # how sure it is where time and words contradict each other
_TOLD_FROM = 0.3  # a factor that weighs less is not worth a word
_RECENT = 10  # messages whose words count as said lately


@dataclass(frozen=True, slots=True)
class Past:
    """What came before a message: the open conversation with its recent messages, and the queue of the others.
    `recent` are the last messages of the session, whichever conversation they went into."""

    conversation: Conversation | None = None
    window: Sequence[Message] = ()
    queue: Sequence[Conversation] = ()
    recent: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader made of the message, and the lines it looked at; `talk` where several people talk."""

    judged: Judgement
    lines: tuple[Line, ...]
    talk: bool = False


def decide(
    text: str,
    entities: Sequence[Entity],
    past: Past,
    at: datetime,
    settings: Settings,
    reading: Reading | None = None,
    learned: Factor | None = None,
) -> Boundary:
    """Same, new or ask, with what spoke for and against it. `learned` is what earlier answers say about its words."""
    if past.conversation is None:
        return Boundary("new", "new", 1.0, "It is the first message here.")
    text = straight(text)
    resumed = _resumed(text, past)
    if resumed is not None:
        same = resumed.id == past.conversation.id
        guess: Literal["same", "new"] = "same" if same else "new"
        return Boundary(guess, guess, 0.95, f"It goes back to {resumed.title!r}.", resumes=None if same else resumed.id)
    bands = settings.boundary_method == "bands"
    marker = _marker(text, MARKERS) if bands else _marker(text, _EXPLICIT) or _announced(text)
    if marker is not None:
        words_said, confidence = marker
        factor = Factor("marker", 6.0, f"{words_said!r} announces something else")
        return Boundary("new", "new", confidence, f"{_sentence(factor.says)}.", (factor,))
    if past.conversation.message_count == 0:
        return Boundary("same", "same", 1.0, f"{past.conversation.title!r} was just opened for it.")
    gap = at - (past.conversation.last_at or past.conversation.started)
    if bands:
        ended = past.conversation.ended is not None
        return decide_by_bands(_overlap(entities, past.window[-settings.overlap_messages :]), gap, ended, settings)
    if goes_back(text) or goes_on(text):
        factor = Factor("resuming", _TAKEN_UP, "it goes on where the work was left")
        return Boundary("same", "same", 0.95, f"{_sentence(factor.says)}.", (factor,))
    if reading is not None:
        return _read(text, past, gap, settings, reading, learned)
    return _weighted(text, entities, past, gap, settings, learned)


def settled(decision: Literal["same", "new"], *, asked: bool, resumes: str | None = None) -> Boundary:
    """A boundary that someone decided: the user by an answer, or the next message by going on."""
    reason = "You said so." if asked else "It was not answered, so the best guess stands."
    return Boundary(decision, decision, 1.0 if asked else 0.5, reason, resumes=resumes)


def options_for(past: Past, text: str, waits_in: str | None) -> tuple[Option, ...]:
    """What an unsure boundary is asked with: another conversation too, where the text names something of one that it
    does not wait in."""
    title = past.conversation.title if past.conversation else "what we had"
    both = (Option("A", f"go on with {title}", "same"), Option("B", "something new", "new"))
    other = touched_on(text, [one for one in past.queue if one.id != waits_in], past.conversation)
    if other is None or other.title == title:
        return both
    return (*both, Option("C", f"go on with {other.title}", "new", other.id))


# --- all evidence together ----------------------------------------------------------------------------------------


def _weighted(
    text: str, entities: Sequence[Entity], past: Past, gap: timedelta, settings: Settings, learned: Factor | None
) -> Boundary:
    factors = [f for f in (*_factors(text, entities, past, gap, settings), *([learned] if learned else ())) if f.weight]
    score = _BIAS + sum(f.weight for f in factors)
    return _concluded(score, factors, settings, worth_asking=gap >= settings.gap_same and not only_tells(text))


def _concluded(score: float, factors: Sequence[Factor], settings: Settings, *, worth_asking: bool) -> Boundary:
    """From log-odds to a decision, and the factors that decided in words."""
    new = 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))
    guess: Literal["same", "new"] = "new" if new >= 0.5 else "same"
    confidence = round(min(0.99, max(new, 1 - new)), 2)  # evidence never makes certain
    telling = sorted((f for f in factors if (f.weight > 0) == (guess == "new")), key=lambda f: -abs(f.weight))
    against = sorted((f for f in factors if f not in telling and abs(f.weight) > 0.8), key=lambda f: -abs(f.weight))
    reason = "; ".join(f.says for f in telling[:2]) or "nothing speaks for a change"
    reason += f" (though {against[0].says})" if against else ""
    decision = "ask" if confidence < settings.ask_below and worth_asking else guess
    return Boundary(decision, guess, confidence, f"{_sentence(reason)}.", tuple(factors))


# --- what a reader makes of it ------------------------------------------------------------------------------------

_GROUPS: dict[str, tuple[str, ...]] = {
    "gap": ("gap", "rhythm", "needs_and_gap"),
    "overlap": ("of_last", "of_reply", "of_all", "strange", "new_and_known"),
    "reading": ("reads_new", "needs", "points", "is_plan", "is_execute", "is_correct", "is_test", "is_ask", "is_close"),
    "form": ("length", "going_on", "code", "opening"),
}


def _read(
    text: str, past: Past, gap: timedelta, settings: Settings, reading: Reading, learned: Factor | None
) -> Boundary:
    """Learned weights over the reader's judgement, the time, the words and the form; each group told as one factor,
    as what it adds to the usual message."""
    seconds = gap.total_seconds()
    if reading.talk:
        return _talked(text, past, gap, settings, reading)
    evidence = boundary_evidence(text, reading.judged, reading.lines, seconds, _usual_gap(past.recent))
    score = BOUNDARY["bias"] + sum(BOUNDARY[name] * USUAL[name] for name in evidence)
    factors = []
    for name, parts in _GROUPS.items():
        weight = round(sum(BOUNDARY[part] * (evidence[part] - USUAL[part]) for part in parts), 2)
        weight += _HOURS_READ * _hours(gap, settings) if name == "gap" else 0.0
        factors.append(Factor(name, weight, _told(name, weight, text, gap, reading)))
    factors += [_state_factor(past), _back_factor(text)]
    factors += [learned] if learned else []
    if is_closing(text):
        factors.append(Factor("closing", -3.5, "it closes what was open"))
    if gap < settings.gap_maybe and _FAILED.match(text):
        factors.append(Factor("failure", _SHOWN, "it shows what went wrong"))
    if gap < settings.gap_same and told_in_passing(text) and not _DOES_NEXT.match(text):
        factors.append(Factor("told", _IN_PASSING, "it tells something in passing"))
    score += sum(f.weight for f in factors)
    factors = [f for f in factors if abs(f.weight) >= _TOLD_FROM]
    worth_asking = seconds >= _WORTH_ASKING and not only_tells(text)
    found = _concluded(score, factors, settings, worth_asking=worth_asking)
    torn = (
        worth_asking
        and found.best_guess == "new"
        and reading.judged.needs >= settings.need_threshold
        and gap >= settings.gap_maybe
    )
    if torn and found.decision != "ask":
        # the clock says that it is over, the words that it is not: only the user knows
        return replace(found, decision="ask", confidence=min(found.confidence, _TORN))
    return found


def _talked(text: str, past: Past, gap: timedelta, settings: Settings, reading: Reading) -> Boundary:
    """Among people the reader decides, with the words that are taken up, and time: they pass from one topic to the next
    without a request."""
    evidence = talk_evidence(text, reading.judged, reading.lines)
    weight = round(TALK["bias"] + TALK["reads_new"] * evidence["reads_new"], 2)
    says = "it turns to something else" if weight > 0 else "it stays with what was said"
    shared = round(sum(TALK[name] * evidence[name] for name in ("of_last", "of_all")), 2)
    taken_up = Factor("overlap", shared, _told("overlap", shared, text, gap, reading))
    hours = Factor("gap", 2 * _hours(gap, settings), passed(gap, long=True))
    factors = [f for f in (Factor("reading", weight, says), taken_up, hours, _state_factor(past)) if f.weight]
    return _concluded(sum(f.weight for f in factors), factors, settings, worth_asking=False)


def _hours(gap: timedelta, settings: Settings) -> float:
    return 0.5 * (gap >= settings.gap_maybe) + 0.5 * (gap >= settings.gap_new)


def _usual_gap(recent: Sequence[Message]) -> float | None:
    """What mostly lies between two messages of the user, where there are enough of them to tell."""
    times = [m.at for m in recent if m.role == "user"]
    gaps = [(later - earlier).total_seconds() for earlier, later in pairwise(times)]
    return max(0.0, _median(gaps)) if len(gaps) >= _ENOUGH_GAPS else None


def _median(values: Sequence[float]) -> float:
    """As `statistics` has it, which takes a hook five milliseconds to load."""
    ordered, half = sorted(values), len(values) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def _told(name: str, weight: float, text: str, gap: timedelta, reading: Reading) -> str:
    if name == "gap":
        return passed(gap, long=weight > 0)
    if name == "overlap":
        lately = frozenset[str]().union(*(content_of(line.text) for line in reading.lines[-_RECENT:]))
        shared = sorted(content_of(text) & lately)
        if weight > 0 or not shared:
            return "it shares few words with what was said" if shared else "it shares no words with what was said"
        return f"{_listed(shared)} came up before"
    if name == "reading":
        return "it reads like something of its own" if weight > 0 else "it reads like going on"
    if GOING_ON.match(text):
        return "it begins like a continuation"
    return "it has the form of a new request" if weight > 0 else "it has the form of a follow-up"


def _factors(text: str, entities: Sequence[Entity], past: Past, gap: timedelta, settings: Settings) -> list[Factor]:
    passed = _gap_factor(gap, settings)
    return [
        passed,
        _overlap_factor(text, entities, past),
        _reference_factor(text, max(0.0, passed.weight), long_ago=gap >= settings.gap_same),
        _form_factor(text, entities),
        _state_factor(past),
        _back_factor(text),
    ]


def _gap_factor(gap: timedelta, settings: Settings) -> Factor:
    """Grows with the logarithm of the gap up to a quarter of an hour; from then on hours count, not minutes."""
    seconds = max(0.0, min(gap, settings.gap_same).total_seconds())
    weight = max(_QUICKEST, math.log1p(seconds) - math.log1p(60))
    weight += _hours(gap, settings)
    return Factor("gap", round(weight, 2), passed(gap, long=weight > 0))


def _overlap_factor(text: str, entities: Sequence[Entity], past: Past) -> Factor:
    """Words in common with the last thing the user said weigh more than those with all that was said lately; a thing
    that the conversation is about, named in full, weighs most."""
    known = {name.lower() for name in past.conversation.entities_discussed} if past.conversation else set()
    named = next((e.text for e in entities if " " in e.text and e.text.lower() in known), None)
    said = content_of(text) - _ANYTHING
    last = next((m for m in reversed(past.window) if m.role == "user"), None)
    recent = frozenset[str]().union(*(content_of(m.full) for m in past.window[-_RECENT:]))
    shared = said & recent
    of_last = len(said & content_of(last.full)) / len(said) if said and last else 0.0
    of_all = len(shared) / len(said) if said else 0.0
    weight = round(-2.8 * of_last - 1.8 * of_all - (2.0 if named else 0.0), 2)
    if named:
        return Factor("overlap", weight, f"{named!r} is what this is about")
    if not shared:
        return Factor("overlap", 0.0, "it shares no words with what was said")
    return Factor("overlap", weight, f"{_listed(sorted(shared))} came up before")


def _reference_factor(text: str, waited: float, *, long_ago: bool) -> Factor:
    """What points back holds a conversation together, the more so where much time has passed: it waits for an answer
    to "what do you mean?"."""
    mentions = {m.kind: m for m in reversed(find_mentions(text))}
    if "attribute" in mentions:
        return Factor("reference", -3.6 - waited, f"{mentions['attribute'].text!r} belongs to something")
    for kind in ("followup", "ellipsis"):
        if kind in mentions:
            # after a while a short command may as well open something of its own
            return Factor("reference", -0.8 if long_ago else -3.1, "it leaves out what it is about")
    if GOING_ON.match(text):
        return Factor("reference", -3.1, "it begins like a continuation")
    for kind in ("pronoun", "plural", "possessive", "demonstrative"):
        if kind in mentions:
            weight = -2.0 if len(text.split()) <= _SHORT else -0.8  # a short message hangs on its pronoun
            return Factor("reference", round(weight - 0.6 * waited, 2), f"{mentions[kind].text!r} points back")
    return Factor("reference", -0.4 if "definite" in mentions else 0.0, "it speaks of something known")


def _form_factor(text: str, entities: Sequence[Entity]) -> Factor:
    if is_closing(text):
        return Factor("form", -3.5, "it closes what was open")
    said = sum(not w.is_mark for w in words(mask(text)))
    weight = 0.15 * math.log1p(said) + 0.37 * math.log1p(len(entities)) - (0.7 if has_code(text) else 0.0)
    named = next((e.text for e in entities if e.role not in ("attribute", "excluded")), None)
    if _ASIDE.match(text):
        return Factor("form", round(weight + 1.5, 2), "it is announced as something beside")
    if _NEW_WORK.match(text):
        return Factor("form", round(weight + 0.85, 2), "it asks for a new piece of work")
    if weight < 0:
        return Factor("form", round(weight, 2), "it is mostly code")
    return Factor("form", round(weight, 2), f"it names {named!r}" if named else "it says something of its own")


def _back_factor(text: str) -> Factor:
    """Who takes back what was said before goes on with it."""
    said = find_signals(text) if only_tells(text) else ()
    named = any(map(takes_back, said)) or (bool(said) and all(map(drops_thing, said)))
    return Factor("withdrawal", _TAKEN_BACK if named else 0.0, "it takes back what was said")


def _state_factor(past: Past) -> Factor:
    if past.conversation is not None and past.conversation.ended is not None:
        return Factor("state", 2.4, "the last conversation was ended")
    return Factor("state", 0.0, "")


# --- pieces -------------------------------------------------------------------------------------------------------


def _marker(text: str, markers: Iterable[tuple[re.Pattern[str], float]]) -> tuple[str, float] | None:
    prose = mask(text).strip()
    for pattern, confidence in markers:
        match = pattern.search(prose)
        if match is not None:
            return match[0].strip(), confidence
    return None


def _announced(text: str) -> tuple[str, float] | None:
    said = announced(mask(text).strip())
    return (said, _ANNOUNCED) if said else None


def _resumed(text: str, past: Past) -> Conversation | None:
    """The conversation that "back to the FAB button" names."""
    open_one = past.conversation
    for thing, sure in returns(mask(text).strip() or text):  # "return to #2" reads like code
        if sure:
            found = named(thing, past.queue, open_one.id if open_one else None, past.recent)
        else:
            known = content_of(" ".join((open_one.title, *open_one.entities_discussed))) if open_one else frozenset()
            found = None if content_of(thing) <= known else surely_named(thing, past.queue)
        if found is not None:
            return found
    return None


def _overlap(entities: Sequence[Entity], window: Sequence[Message]) -> float:
    """The share of a message's entities that came up in the messages before it."""
    named = {e.text.lower() for e in entities}
    before = {e.text.lower() for m in window for e in m.entities}
    return len(named & before) / len(named) if named else 0.0


def _listed(names: Sequence[str]) -> str:
    return " and ".join(f"{n!r}" for n in names[:2]) + (" and more" if len(names) > 2 else "")


def _sentence(says: str) -> str:
    return says[0].upper() + says[1:]
