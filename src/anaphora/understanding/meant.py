"""What a message decides, demands and tells in the light of what was said before it: "the second one" is what stood
second, "no, 9090" another port, "cards then" the answer to what was asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from anaphora.ports import Line
from anaphora.types import Message, Reference, Signal
from anaphora.understanding.choices import find_choices, is_choice
from anaphora.understanding.correcting import corrected, only_a_value, rather
from anaphora.understanding.entities import find_phrases
from anaphora.understanding.evidence import content_of
from anaphora.understanding.lexicon import MAKING, base_verb
from anaphora.understanding.mentions import told
from anaphora.understanding.patterns import any_case, expression
from anaphora.understanding.phrases import within_sentence
from anaphora.understanding.recommended import left_open, offers, taking_in
from anaphora.understanding.signals import find_signals
from anaphora.understanding.taking_back import after_all, decided_before, in_place_of, rethought, says_instead
from anaphora.understanding.withdrawals import drops_thing, pointed_out, takes_back

__all__ = ["find_meant"]

_SHORT = 160  # characters of an answer
_SURELY_MEANT = 0.8  # what was meant less surely is taken as it was said
_OPTION = expression(r"\s--?[A-Za-z]")  # of a command: it is run, and neither pushed nor finished
_RUNS = any_case(
    r"\b(?:r[ua]n|running|execut\w+|tr(?:y|ied)|typ(?:e|ed)|enter(?:ed)?|us(?:e|ed|ing)|call(?:ed)?|add(?:ed)?)\b"
)
_IT = ("it", "it's", "it’s", "its")
_POINTS = "\ufffc"  # stands for the words that point
_NO_THING = any_case(
    r"\b(?:i['’]m|we['’]re|am|are|get|getting|was) on \ufffc$|\b(?:note|mind|remember)(?: that)? \ufffc$"
)
_GOES_ON = any_case(r"\s*(?:[.!,]|$)|['’]?s?\s+(?:is|was|are|were|will|should|must|needs?)\b")
_NEW_CLAUSE = any_case(r"[,:–—]|\s-\s|\b(?:because|since|as|so|but|and)\b")
_PRAISED = any_case(
    r"(?:i|we)(?: \w+)? (?:like|love|enjoy|hate|prefer) (?:it|this|that|them)\b|(?:please )?make sure (?:that )?(?:it|"
    r"this)\b"
)
_IN_BRACKETS = expression(r"\s?\([^()]*\)")
_FORGET_THAT = any_case(
    r"(?:(?:actually|no|wait|sorry|ok|okay)[,.!]* )*(?:please )?(?:forget|ignore|disregard) that[.! ]*"
)
_NO_NEED = any_case(
    r"(?:we|you|it|they) (?:do|does)(?:n't|n’t| not) (?:really |actually )?(?:have|"
    r"need) to (?P<x>[^.?!\n]{3,80}?)[.! ]*"
)
_NEVER_MIND = any_case(r"(?:(?:actually|no|wait|sorry|ok|okay)[,.!]* )*never ?mind (?P<x>the \S+(?: \S+){0,3}?)[.! ]*")
_DID = (
    any_case(
        r"(?:(?:i|we)(?:'ve| have|’ve)? (?:just |now |finally |already )?)?(?P<verb>[a-z]+) "
        r"(?P<thing>[^.?!\n]{3,80})[.!]?"
    ),
    any_case(
        r"(?P<thing>(?:[^\s.?!,]|\.(?=\w))+(?: (?:[^\s.?!,]|\.(?=\w))+){0,6}?)"
        r"(?:['’]s| is| are| was| were| got| has been| have been)?(?: now| finally| already| all| both)* "
        r"(?P<verb>[a-z]+)(?: now| already| finally| today| yesterday| again| as well)*[.!]?"
    ),
)


def find_meant(
    text: str, expanded: str, references: Sequence[Reference], recent: Sequence[Message], speaker: str
) -> tuple[Signal, ...]:
    """The signals of a message. `recent` are the last messages before it, the newest last."""
    mine = [m for m in recent if m.role == "user" and m.speaker == speaker]
    found = find_signals(text)
    older = decided_before(text, mine) if any(says_instead(signal) for signal in found) else ""
    if older:
        return tuple(in_place_of(s, older) if says_instead(s) else s for s in found)
    again = None if found else after_all(text, mine)
    if again is not None:
        return (again,)
    if all(signal.kind == "error" or only_a_value(signal) for signal in found):
        taken = _taken(text, found, recent, speaker) or corrected(text, recent, speaker)
        if taken is not None:
            return (taken, *(signal for signal in found if signal.kind == "error"))
    done = None if found else _done(text, mine) or _waved_off(text, mine)
    if done is not None:
        return (done,)
    # what was left unsaid is guessed, and a decision is what was said
    said = _surely_said(text, expanded, references)
    meant = tuple(rethought(signal, text, mine) for signal in found)
    if said != text and meant == found and not any(takes_back(signal) for signal in found):
        meant = _in_full(text, said, found)
    decided = any(signal.kind == "decision" for signal in meant)
    chosen = _chosen(text, found, _lines(recent, speaker)) if decided else {}
    return tuple(rethought(pointed_out(_named(signal, chosen), mine), text, mine) for signal in meant)


def _surely_said(text: str, expanded: str, references: Sequence[Reference]) -> str:
    """The message in words that tell something elsewhere, where it is sure what they are: what is kept of a guess that
    was wrong misleads for long. What was added in brackets says more closely which one is meant, and is no part of what
    was said."""
    runs = _RUNS.search(text) is not None
    if any(r.confidence < _SURELY_MEANT or (_OPTION.search(r.referent) and not runs) for r in references):
        return text
    if any(_stands_for_itself(text, r) for r in references):
        return text
    full = told(text, expanded, references)
    return full if full == text else _IN_BRACKETS.sub(lambda added: added[0] if added[0] in text else "", full)


def _stands_for_itself(text: str, reference: Reference) -> bool:
    """Whether "it" stands for what its own sentence names before it: "use Vitest instead, it's faster"; or is no thing
    at all: "I'm on it", "note that this is a draft"."""
    start, end = reference.span
    if _NO_THING.search(text[:start] + _POINTS) and _GOES_ON.match(text, end):
        return True
    if reference.mention.lower() not in _IT:
        return False
    begins = max(text.rfind(mark, 0, start) for mark in ".!?;\n") + 1
    apart = _NEW_CLAUSE.search(text, begins, start) is not None
    named = (p for p in find_phrases(text) if begins <= p.span[0] and p.span[1] <= start)
    return any(p.role in ("object", "made") or (apart and p.role == "subject") for p in named)


def _in_full(text: str, said: str, found: tuple[Signal, ...]) -> tuple[Signal, ...]:
    """The signals of a message that is written out; the error that it shows is told in its own words."""
    shown = [signal for signal in found if signal.kind == "error"]
    kinds = {signal.kind for signal in found}  # "I want to print it" tells of no goal, whatever is printed
    only_said = ["goal"]
    if _PRAISED.match(text):  # "I like it!" is no taste, and "make sure it works" no rule for all that comes
        only_said += ["preference", "constraint"]
    told_of = [s for s in find_signals(said) if s.kind != "error" and (s.kind not in only_said or s.kind in kinds)]
    full = [s for s in told_of if s in found or not drops_thing(s)]
    return (*full, *shown) or found


def _done(text: str, mine: Sequence[Message]) -> Signal | None:
    """That a deed is done which was to be done: "Added rate limiting to the API" after "TODO: add rate limiting to the
    API". Of a deed that nobody spoke of it tells nothing that is still open."""
    if len(text) > _SHORT:
        return None
    tasks = [s.text for m in mine for s in m.signals if s.kind in ("action", "goal")]
    for did in (pattern.fullmatch(text.strip()) for pattern in _DID):
        thing = content_of(did["thing"]) if did else None
        asked = (content_of(task) for task in tasks if did and _is_past(did["verb"].lower(), _deed_of(task)))
        if thing and any(thing <= task for task in asked):
            return Signal("completion", text.strip())
    return None


def _waved_off(text: str, mine: Sequence[Message]) -> Signal | None:
    """ "Forget that" of what was said just before, "we don't have to support IE" of what was demanded, and "never mind
    the CSV export" of what was to be done."""
    if _FORGET_THAT.fullmatch(text.strip()):
        meant = Signal("withdrawal", "scrap that")
        told = pointed_out(meant, mine)
        return told if told != meant else None
    if (spared := _NO_NEED.fullmatch(text.strip())) and (deed := content_of(spared["x"])):
        rules = (s.text for m in mine for s in m.signals if s.kind == "constraint")
        lifted = any(deed <= content_of(rule) for rule in rules)
        return Signal("withdrawal", f"no need to {spared['x'].rstrip('.! ')} any more") if lifted else None
    waved = _NEVER_MIND.fullmatch(text.strip()) if len(text) <= _SHORT else None
    thing = content_of(waved["x"]) if waved else None
    tasks = (s.text for m in mine for s in m.signals if s.kind in ("action", "goal"))
    if waved is None or not thing or not any(thing <= content_of(task) for task in tasks):
        return None
    return Signal("withdrawal", f"forget about {waved['x'].rstrip('.! ')}")


def _deed_of(task: str) -> str:
    words = task.lower().split()
    return next((word for word in words if word not in ("also", "still", "to", "really")), "")


def _is_past(said: str, deed: str) -> bool:
    """Whether a word says that a deed is done: "rotated", "written", "done" of whatever is made."""
    if said in ("done", "finished", "complete", "completed"):
        return base_verb(deed) in MAKING
    if said == deed or len(deed) < 2:
        return False
    regular = said in (f"{deed}ed", f"{deed}d", f"{deed}{deed[-1]}ed", f"{deed[:-1]}ied")
    return regular or (base_verb(said) == deed and not said.endswith(("s", "ing")))


def _chosen(text: str, found: Sequence[Signal], lines: Sequence[Line]) -> dict[str, str]:
    """The words that point into a list, in small letters, and what stands there; "B please, it is simple" is "B"."""
    decided = (s.text.removeprefix("go with ") for s in found if s.kind == "decision")
    choices = find_choices(text, lines) or [c for said in decided for c in find_choices(said, lines) if is_choice(said)]
    return {c.mention.lower(): c.wording for c in choices if is_choice(c.mention)}


def _named(signal: Signal, chosen: Mapping[str, str]) -> Signal:
    """A decision by the name of what was chosen, not by where it stood in a list."""
    if signal.kind != "decision":
        return signal
    for mention, name in chosen.items():
        before, found, after = signal.text.lower().partition(mention)
        if found:
            rest = signal.text[len(signal.text) - len(after) :] if after else ""
            signal = replace(signal, text=_decided(signal.text[: len(before)], name) + rest)
    return signal


def _decided(before: str, chosen: str) -> str:
    """What was chosen as it is decided for: something to do is done, anything else is gone with."""
    first, _, rest = chosen.partition(" ")
    if (
        base_verb(first.lower()) == first.lower()
        and " " in rest
        and before.lower() in ("go with ", "use ", "take ", "do ")
    ):
        return within_sentence(chosen, verbs=True)
    return before + chosen


def _lines(recent: Sequence[Message], speaker: str) -> list[Line]:
    return [Line(m.text, mine=m.role == "user" and m.speaker == speaker) for m in recent]


def _taken(text: str, found: Sequence[Signal], recent: Sequence[Message], speaker: str) -> Signal | None:
    """What a short answer takes of what was left open."""
    taking = taking_in(text) if recent and len(text) <= _SHORT else None
    if taking is None:
        return None
    lines = _lines(recent, speaker)
    pointed = _chosen(text, found, lines).get(taking.named.lower())
    if pointed and (taking.marked or offers(lines[-1].text)):
        return Signal("decision", _decided("go with ", pointed), taking.because)
    names = left_open(taking, lines)
    if not names:
        return None
    decided = rather(taking.named, names, recent, speaker) or Signal("decision", f"go with {taking.named}")
    return replace(decided, because=taking.because)
