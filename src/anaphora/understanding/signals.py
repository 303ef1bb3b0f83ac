"""What in a message matters beyond it: decisions, constraints, goals, closings, errors, facts about the speaker.

The speaker's own statements are read, clause by clause: what is asked, supposed, reported, quoted or code is not said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from anaphora.function_words import word_set
from anaphora.types import Signal
from anaphora.understanding.beside import added
from anaphora.understanding.clauses import (
    CONDITION,
    OWN_AGAIN,
    QUESTION,
    REASON,
    REPORTED,
    REQUEST,
    SAID_BY,
    TAG,
    Clause,
    after_lead,
    clauses,
    own_sentences,
    tidied,
)
from anaphora.understanding.failures import find_error
from anaphora.understanding.injections import find_injections
from anaphora.understanding.kinds import kind_in
from anaphora.understanding.lexicon import TECHNOLOGIES
from anaphora.understanding.likings import PREFERENCES
from anaphora.understanding.once import once
from anaphora.understanding.passing import PASSING, for_a_while, parted, while_in
from anaphora.understanding.patterns import any_case, expression, may_hold, needles_of
from anaphora.understanding.sentence_shapes import (
    BACK_TO,
    CLOSING,
    COMMAND,
    DISMISSED,
    FILLER,
    FOR_WHAT,
    INSTEAD_OF,
    LED_BY,
    NOTE,
    PRAISED,
    PURPOSE,
    REMEMBER,
    SWAPPED,
    SWAPPED_IF_ALIKE,
    TAKES_IT,
    WHY_FIRST,
    WHY_NEXT,
)
from anaphora.understanding.signal_shapes import shapes_for
from anaphora.understanding.taking_back import in_place_of, joined, taken_back
from anaphora.understanding.text import straight
from anaphora.understanding.unruled import is_no_decision, is_no_rule
from anaphora.understanding.withdrawals import withdrawn_in

__all__ = ["find_signals", "is_closing"]

_SPOKEN = 500  # characters below which "note that" is said to the reader and not part of a pasted text
_PRONOUNS = (
    (expression(r"\bI(?:['’]m| am)\b"), "they are"),
    (expression(r"\bI was\b"), "they were"),
    (expression(r"\bI(?=['’])"), "they"),
    (expression(r"\bI\b"), "they"),
    (expression(r"\bmyself\b", re.IGNORECASE), "themselves"),
    (expression(r"\bmy\b", re.IGNORECASE), "their"),
    (expression(r"\bmine\b", re.IGNORECASE), "theirs"),
    (expression(r"\bme\b", re.IGNORECASE), "them"),
)
_SPLITS = {
    "decision": expression(f"{REASON.pattern}|{PURPOSE}", re.IGNORECASE),
    "constraint": REASON,
    "preference": REASON,
}
_ANNOUNCES = expression(r"\b(?:following|these|two|three|four|five|\d+)\b", re.IGNORECASE)
_TRAILING_IF = expression(r"\s(?:if|unless|in case|provided)\b(?! possible| needed| necessary)", re.IGNORECASE)


_BESIDE = any_case(r"using\b")  # how something is done, where what is done stands beside it
_IT_IS = any_case(r"(?:it|they)(?:'s|'re| is| are| has| have| runs?| gives| supports?| scales?) (?!not\b|only\b)\S")
_FOR_EVER = any_case(r"\b(?:every|each|always|never|whenever|when|if|all|any|from now on|in future|only|not)\b")
_NO_DEEDS = word_set(
    "use be keep have the a an my our your this that avoid prefer stay look think consider stick "
    "remain act respond answer reply follow include"
)
_BECAUSE = ("because", "since")
_BUT_PARTLY = any_case(r"but (?:only|just|not)\b", needles="but ")
_ASKING, _REMINDING = needles_of(REQUEST), needles_of(REMEMBER, NOTE)
_LIKED_BY = "iwmIWM"  # what tells of a liking begins with "I", "we" or "my"
_MOVES = any_case(
    r"(?:i(?:'m| am)(?: \w+ly)? (?:moving|relocating)|we(?:'re| are)(?: \w+ly)? (?:moving|relocating)|"
    r"we(?:'ve| have)? (?:(?:just|recently|finally) )*(?:moved|relocated))(?: back)? to (?P<x>(?-i:[A-Z]).+)",
    needles="moving|relocating|moved|relocated",
)
_DONE_TO_IT = any_case(
    r"[a-z]+(?: (?:up|out|off|on|in|down|away|back|to|with|at))? (?:it|this|that|them|these|those)"
    r"(?: (?:out|up|off|on|again|now|too))?"
)
_SERVICES = word_set(  # that a team works with, and goes to from another
    "notion jira linear slack trello asana confluence zoom teams discord figma shopify wordpress salesforce hubspot "
    "stripe cloudflare monday basecamp clickup airtable dropbox gmail outlook bitbucket"
)
_USED = any_case(r"\S+ v?\d|\S+\.(?:io|com|js|dev)\b|.+ (?:for|instead|as) ")  # and not lived in
_GAPS = expression(r"\s\s\s+")  # long blanks say nothing, and are slow to look for words in


@once
def find_signals(text: str) -> tuple[Signal, ...]:
    """Every signal: what is said, in its order, then the error the message shows, then what looks like an injection."""
    text = _GAPS.sub(lambda gap: "\n\n" if "\n" in gap[0] else "  ", text)
    if is_closing(text):
        return (Signal("closing", text.strip()),)
    injections = find_injections(text)
    error = find_error(text)
    shown = text.find(error[:40]) if error else -1
    found: list[Signal] = []
    sentences = joined(own_sentences(text))
    for said, seen in _before_injection(sentences) if injections else sentences:
        why = WHY_NEXT.fullmatch(seen)
        if why and found and found[-1].kind == "decision" and not found[-1].because:
            found[-1] = replace(found[-1], because=tidied(said[why.start("x") :]) or None)
            continue
        signals = _signals_of(said, seen, alone=len(sentences) == 1, spoken=len(text) < _SPOKEN)
        # what comes after an error is mostly its output: "must be of the same size" is no wish of the speaker
        output = 0 <= shown <= text.find(said)
        found.extend(s for s in signals if s.kind != "constraint" or not output)
    if error:
        found.append(Signal("error", error))
    return tuple(dict.fromkeys([*found, *injections]))


def is_closing(text: str) -> bool:
    """Whether the whole message says good-bye or that the work is done."""
    return len(text) < 200 and CLOSING.fullmatch(straight(text.strip())) is not None


# --- from clauses to signals --------------------------------------------------------------------------------------


def _before_injection(sentences: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """What follows an order to the model belongs to it; where the order begins cannot be told, nothing is believed."""
    safe = list(takewhile(lambda pair: not find_injections(pair[0]), sentences))
    return safe if len(safe) < len(sentences) else []


def _signals_of(said: str, seen: str, *, alone: bool, spoken: bool) -> list[Signal]:
    asked = seen.rstrip(" \"')*").endswith("?")
    if asked and (tag := TAG.search(seen)):
        said, seen, asked = said[: tag.start()], seen[: tag.start()], False
    if may_hold(seen, _ASKING) and (request := REQUEST.match(seen, after_lead(seen))):
        said, seen, asked = said[request.end() :], seen[request.end() :], False
    if not asked and (decided := _decided_instead(said, seen, spoken=spoken)):
        return decided
    found: list[Signal] = []
    if not asked and (told := _to_remember(said, seen, spoken=spoken)):
        note, place = told
        found.append(Signal("action" if _is_deed(seen, note, place) else "remember", note))
        said, seen = said[place:], seen[place:]
    parts = [] if SAID_BY.search(seen) else list(clauses(said, seen))
    supposed, last, until = False, "", ""
    for clause in _own(parts):
        beside = len(parts) > 1 and _BESIDE.match(clause.seen)
        if (asked and clause is parts[-1]) or beside or QUESTION.match(clause.seen):
            supposed, last, until = False, "", ""
        elif CONDITION.match(clause.seen):
            until = while_in(clause.seen)
            supposed, last = not until, ""
        elif _of_what_was_decided(clause, found):
            found[-1] = replace(found[-1], because=tidied(clause.said) or None)
        elif found and found[-1].kind == "completion" and _BUT_PARTLY.match(f"{clause.joined} {clause.seen}"):
            found.pop()
        else:
            time = until or while_in(clause.joined) or while_in(last)
            signal = _read(clause, last, supposed=supposed, alone=alone)
            if signal is not None and not _is_open(signal, until, time):
                found.append(for_a_while(added(_with_purpose(signal, last), clause, last), clause, time))
            supposed, last, until = False, clause.said, ""
    return found


def _of_what_was_decided(clause: Clause, found: Sequence[Signal]) -> bool:
    """Whether a clause says why something was just decided, or praises it: "use Vitest instead, it's faster"."""
    if not found or found[-1].kind != "decision" or found[-1].because:
        return False
    return clause.joined.lower() in _BECAUSE or (not clause.joined and _IT_IS.match(clause.seen) is not None)


def _own(parts: Sequence[Clause]) -> Iterator[Clause]:
    """The clauses that are said and not reported: what follows a report belongs to it, but for "but let's …"."""
    reported = False
    for clause in parts:
        reported = reported or REPORTED.match(clause.seen) is not None
        reported = reported and OWN_AGAIN.match(f"{clause.joined} {clause.seen}") is None
        if not reported:
            yield clause


def _is_open(signal: Signal, until: str, time: str) -> bool:
    """Whether nothing follows from it yet: what is allowed for a while is still forbidden, and what is wanted until
    something happens may not be wanted."""
    return bool(time and signal.kind == "withdrawal") or bool(until and signal.kind not in PASSING)


def _decided_instead(said: str, seen: str, *, spoken: bool) -> list[Signal]:
    """ "Scrap Redux, let's use Zustand" and "don't use Redux, use Zustand" are one decision each."""
    back = taken_back(seen)
    if back is None:
        return []
    named, place = back
    found = _signals_of(said[place:], seen[place:], alone=True, spoken=spoken)
    return [in_place_of(found[0], named), *found[1:]] if found and found[0].kind == "decision" else []


def _to_remember(said: str, seen: str, *, spoken: bool) -> tuple[str, int] | None:
    """What is to be kept in mind, to the end of the sentence, and where it begins; documents are full of notes."""
    if not may_hold(seen, _REMINDING):
        return None
    start = after_lead(seen)
    match = REMEMBER.match(seen, start) or (NOTE.match(seen, start) if spoken else None)
    note = tidied(said[match.start("x") :]) if match else ""
    return (note, match.start("x")) if match and _is_something(note) else None


def _is_deed(seen: str, note: str, place: int) -> bool:
    """Whether it is a thing to do once ("don't forget to rotate the keys") and nothing to go by ever after."""
    first = note.split(maxsplit=1)[0].lower()
    once_only = _FOR_EVER.search(note) is None and _is_told_of(note)
    return once_only and seen[:place].lower().endswith(" to ") and first.isalpha() and first not in _NO_DEEDS


def _reason_before(clause: Clause, last: str) -> str | None:
    """“Keys rotate, so let's …” and “since keys rotate, let's …” give the reason first."""
    last = tidied(last)
    first = WHY_FIRST.fullmatch(last)
    if first:
        return first["x"]
    return last or None if re.search(r"\bso$", clause.joined, re.IGNORECASE) else None


def _read(clause: Clause, last: str, *, supposed: bool, alone: bool) -> Signal | None:
    """The one thing that a clause says; what only may come to be still limits what is done, and no more. `last` is the
    clause before it, where that was said of the same."""
    back = None if supposed else withdrawn_in(clause.seen)
    if back is not None and back.says == "named":
        return Signal("withdrawal", tidied(clause.said))
    if not supposed and clause.seen[:1] in "iI" and (over := INSTEAD_OF.fullmatch(clause.seen)) and over["rest"]:
        at = over.start("rest") + 1
        rest = _read(Clause(clause.said[at:], clause.seen[at:], clause.joined), last, supposed=False, alone=alone)
        return in_place_of(rest, over["o"]) if rest is not None and rest.kind == "decision" else rest
    if not supposed and (liking := _preference(clause)):
        return liking
    if not supposed and (town := _MOVES.fullmatch(clause.seen)) and _is_town(town["x"]):
        return Signal("fact", tidied(clause.said))
    if not supposed and (decided := _decided_of(clause, last)):
        return decided
    for kind, pattern, before, _ in shapes_for(clause.seen):
        if supposed and kind != "constraint":
            continue
        match = pattern.match(clause.seen)
        if match is None or _is_none(kind, clause.seen):
            continue
        span = match.span("x" if match["x"] else "y")
        said, reason = _split(kind, clause.said[slice(*span)], clause.seen[slice(*span)])
        if kind == "decision" and (why := REASON.match(clause.seen, match.end())):
            reason = tidied(clause.said[why.end() :]) or None
        if _is_told(kind, before, said):
            return Signal(kind, before + said, reason or (_reason_before(clause, last) if kind == "decision" else None))
    if alone and not supposed and (ordered := _commanded(clause)):
        return ordered
    return Signal("withdrawal", tidied(clause.said)) if back is not None else None


def _commanded(clause: Clause) -> Signal | None:
    """ "Use Postgres" and nothing beside it decides for Postgres."""
    if COMMAND.fullmatch(clause.seen) is None or is_no_decision(clause.seen):
        return None
    said, reason = _split("decision", clause.said, clause.seen)
    return Signal("decision", said, reason)


def _is_none(kind: str, seen: str) -> bool:
    """Whether a clause says nothing of this kind for all its wording."""
    return is_no_rule(seen) if kind == "constraint" else kind == "decision" and _TRAILING_IF.search(seen) is not None


def _decided_of(clause: Clause, last: str) -> Signal | None:
    """ "For the demo use SQLite" decides for SQLite for the demo, "Vue is better, let's switch to it" for Vue, as does
    "back to Vue", and "Vitest instead of Jest" for the one in the place of the other."""
    if swapped := _swapped(clause):
        return swapped
    if clause.seen[:4].lower() == "for " and (found := FOR_WHAT.fullmatch(clause.seen)):
        taken, purpose = clause.said[slice(*found.span("x"))], clause.said[slice(*found.span("z"))]
        return Signal("decision", f"{tidied(taken)} for {purpose}")
    if (back := BACK_TO.fullmatch(clause.seen)) and kind_in(back["x"]) not in (None, "colour", "drink"):
        return Signal("decision", f"switch back to {clause.said[slice(*back.span('x'))]}")
    praised = PRAISED.fullmatch(last.strip()) if last and (taken_it := TAKES_IT.fullmatch(clause.seen)) else None
    return Signal("decision", f"{taken_it['v']} {praised['x']}", tidied(last)) if praised and taken_it else None


def _swapped(clause: Clause) -> Signal | None:
    """ "Drop Jest in favour of Vitest", "Postgres it is, not MySQL"."""
    found = next((f for pattern in SWAPPED if (f := pattern.fullmatch(clause.seen))), None)
    alike = () if found else (f for pattern in SWAPPED_IF_ALIKE if (f := pattern.fullmatch(clause.seen)))
    found = found or next((f for f in alike if _of_one_sort(f["n"], f["o"])), None)
    if found is None:
        return None
    new, old = (clause.said[slice(*found.span(name))] for name in "no")
    return Signal("decision", f"use {tidied(new)} instead of {tidied(old)}")


def _of_one_sort(one: str, other: str) -> bool:
    """Whether both are tools of one sort; of colours and drinks there are many."""
    kind = kind_in(one)
    return kind not in (None, "colour", "drink") and kind == kind_in(other)


def _with_purpose(signal: Signal, last: str) -> Signal:
    """ "For the API, let's use FastAPI" and "in production, …" say before it what something is decided for."""
    if signal.kind != "decision" or not last:
        return signal
    if (over := INSTEAD_OF.fullmatch(last.strip())) and not over["rest"]:
        return in_place_of(signal, over["o"])
    if against := DISMISSED.fullmatch(last.strip()):
        return replace(in_place_of(signal, against["x"]), because=signal.because or tidied(last))
    led = LED_BY.fullmatch(last.strip())
    return signal if led is None else replace(signal, text=f"{signal.text} {led['z'][:1].lower()}{led['z'][1:]}")


def _is_town(name: str) -> bool:
    """Whether people move to it and do not use it, as far as is known."""
    words = name.lower().split()
    used = any(word in TECHNOLOGIES or word in _SERVICES for word in words) or _USED.match(f"{name} ") is not None
    return kind_in(name) is None and not used


def _preference(clause: Clause) -> Signal | None:
    """A liking as it is said of somebody: the verb and its polarity stay, the person turns into the third."""
    first = clause.seen[:1]
    for pattern, says in PREFERENCES if first in _LIKED_BY or not first.isascii() else ():
        match = pattern.match(clause.seen)
        if match is None:
            continue
        named = match.groupdict()
        said, reason = _split("preference", clause.said[slice(*match.span("x"))], match["x"])
        if not _is_something(said):
            return None
        verb = (named.get("v") or "").lower()
        words = (named.get("a") or "", says, verb if says else _third_person(verb), _of_them(said))
        return Signal("preference", " ".join(" ".join(words).split()), reason and _of_them(reason))
    return None


def _split(kind: str, said: str, seen: str) -> tuple[str, str | None]:
    """The clause, and the reason that it gives."""
    breaks = _SPLITS.get(kind)
    match = breaks.search(seen) if breaks else None
    if match and ":" in match[0] and _ANNOUNCES.search(seen, 0, match.start()):
        match = None
    if match is None or not tidied(said[: match.start()]):
        return tidied(said), None
    return tidied(said[: match.start()]), tidied(said[match.end() :]) or None


def _is_something(said: str) -> bool:
    return any(c.isalnum() for c in said) and FILLER.fullmatch(said) is None


def _is_told(kind: str, before: str, said: str) -> bool:
    """Whether it is worth keeping as what it is worded like; `before` is what it needs to stand alone."""
    if not _is_something(parted(said).said) or (kind == "decision" and is_no_decision(before + said)):
        return False
    return kind not in ("goal", "action") or _is_told_of(said)


def _is_told_of(task: str) -> bool:
    """Whether it says what is to be done with what: of "print it" nothing is left to come back to."""
    return " " in task and _DONE_TO_IT.fullmatch(task) is None


def _third_person(verb: str) -> str:
    if verb in ("have", "do", "go"):
        return {"have": "has", "do": "does", "go": "goes"}[verb]
    if verb.endswith(("s", "sh", "ch", "x", "z")):
        return verb + "es"
    return verb[:-1] + "ies" if verb.endswith("y") and verb[-2:-1] not in "aeiou" else verb and verb + "s"


def _of_them(said: str) -> str:
    for pattern, instead in _PRONOUNS:
        said = pattern.sub(instead, said)
    return said
