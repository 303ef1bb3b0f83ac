"""The one pass: redact, boundary, references, intent, signals, importance; each a named step over one draft."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

from anaphora.errors import MissingExtra
from anaphora.ports import Judgement, Line, Reader
from anaphora.settings import Settings
from anaphora.types import Boundary, Entity, Intent, Message, Redaction, Reference, Signal
from anaphora.understanding.boundaries import Past, Reading, decide
from anaphora.understanding.entities import find_entities, with_read
from anaphora.understanding.evidence import need_evidence, pointed_evidence, unprompted, weighed
from anaphora.understanding.experience import Experience
from anaphora.understanding.importance import importance_of
from anaphora.understanding.intents import find_intents, in_place
from anaphora.understanding.learned import NEED, NEED_POINTED
from anaphora.understanding.meant import find_meant
from anaphora.understanding.mentions import find_mentions
from anaphora.understanding.own_intents import Taught, ranked
from anaphora.understanding.redaction import redact
from anaphora.understanding.references import Resolved, are_terse, names_another, resolve, resolve_read
from anaphora.understanding.requests import request_in
from anaphora.understanding.resuming import goes_back
from anaphora.understanding.standing_for import names_its_own
from anaphora.understanding.text import describe_code, refers_to_code
from anaphora.understanding.wording import without_brackets

__all__ = ["IN_DOUBT", "STEPS", "Draft", "Step", "points_nowhere", "read", "stored_form"]


@dataclass(slots=True)
class Draft:
    """A message on its way through the pass, with what it is read against; each step fills in what it finds."""

    heard: str
    at: datetime
    past: Past
    settings: Settings
    speaker: str = ""
    reader: Reader | None = None
    taught: Taught | None = None
    experience: Experience | None = None
    reading: Reading | None = None
    text: str = ""
    redactions: tuple[Redaction, ...] = ()
    topics: tuple[Entity, ...] = ()  # what the rules find named
    entities: tuple[Entity, ...] = ()
    boundary: Boundary = field(default_factory=lambda: Boundary("new", "new", 1.0, ""))
    references: tuple[Reference, ...] = ()
    expanded: str = ""
    context_ref: str | None = None
    intents: tuple[Intent, ...] = ()
    signals: tuple[Signal, ...] = ()
    importance: float = 0.5

    @property
    def window(self) -> Sequence[Message]:
        """What references may look at: the open conversation, or nothing once a new one begins."""
        return self.past.window if self.boundary.best_guess == "same" else ()


_SURELY_MEANT = 0.86  # what was meant less surely is read again as it was said
_SURELY_NEW = 0.95  # what surely begins something new does not look back

_UNPROMPTED = 0.2  # taken from how likely a message needs its context where nothing in it speaks of that
IN_DOUBT = 0.1  # from here on it is looked at what a message points to, before it is said that it needs it

Step = Callable[[Draft], None]


def read(
    heard: str,
    at: datetime,
    past: Past,
    settings: Settings,
    decided: Boundary | None = None,
    *,
    speaker: str = "",
    reader: Reader | None = None,
    taught: Taught | None = None,
    experience: Experience | None = None,
) -> Draft:
    """Everything the message means. `decided` is a boundary that needs no deciding: an answer, or an import. With no
    `reader` words and rules alone decide. `taught` are the intents of the user's own, `experience` is what was learned
    from earlier conversations."""
    draft = Draft(heard, at, past, settings, speaker, reader, taught, experience)
    for name, step in STEPS:
        if name == "boundary" and decided is not None:
            draft.boundary = decided
        else:
            step(draft)
    return draft


def stored_form(text: str, settings: Settings) -> tuple[str, tuple[Redaction, ...]]:
    """The text as it may be stored: without secrets and, where the settings say so, without code."""
    clean, redactions = redact(text)
    return (clean if settings.keep_code else describe_code(clean)), redactions


def _redact(draft: Draft) -> None:
    draft.text, draft.redactions = stored_form(draft.heard, draft.settings)
    draft.topics = draft.entities = find_entities(draft.text)


def _judge(draft: Draft) -> None:
    """What the reader makes of it, in the light of the last messages of the session: theirs, and their own."""
    if draft.reader is None:
        return
    lines = tuple(_line(message, draft.speaker) for message in draft.past.recent)
    talk = any(m.role == "user" and m.speaker != draft.speaker for m in draft.past.recent)
    try:
        judged = draft.reader.judge(draft.text, lines, talk=talk)
    except MissingExtra:  # words and rules do without it; `anaphora doctor` tells what is missing
        return
    draft.entities = with_read(draft.text, draft.topics, judged.entities)
    draft.reading = Reading(judged, lines, talk)


def _line(message: Message, speaker: str) -> Line:
    """A message as it was meant, where that is sure; a guess that was wrong must not feed the next one, and what was
    put beside it in brackets nobody said."""
    if message.role == "assistant" and message.expanded is None:  # a reply says what it says
        return Line(message.text, mine=False)
    mine = message.role == "user" and message.speaker == speaker
    sure = all(reference.confidence >= _SURELY_MEANT for reference in message.references)
    text = without_brackets(message.full, message.text) if sure else message.text
    whole = message.expanded is None and not message.references
    return Line(text, mine, request_in(text) if mine else None, whole)


def _boundary(draft: Draft) -> None:
    learned = draft.experience.marker(draft.text) if draft.experience else None
    draft.boundary = decide(draft.text, draft.entities, draft.past, draft.at, draft.settings, draft.reading, learned)


def _references(draft: Draft) -> None:
    past, settings = draft.past, draft.settings

    def by_rules() -> Resolved:
        return resolve(draft.text, draft.topics, draft.window, past.queue, draft.at, settings, draft.experience)

    if draft.reading is None or names_another(draft.text, past.queue, draft.at):
        found = by_rules()
    elif _begins(draft) or goes_back(draft.text) or names_its_own(draft.text, draft.reading.judged):
        found = Resolved((), draft.text, None)
    else:
        try:
            found = _read_references(draft, draft.reading, by_rules)
        except MissingExtra:  # the part of the reader that points
            found = by_rules()
    draft.references, draft.expanded = found.references, found.expanded
    draft.context_ref = _gone_on_with(found.context_ref, past)


def points_nowhere(draft: Draft) -> bool:
    """Whether fixed bands say that something new begins with words that point back ("Make it purple", after six hours):
    what they mean only the user knows."""
    boundary = draft.boundary
    return (
        draft.settings.boundary_method == "bands"
        and draft.past.conversation is not None
        and (boundary.decision, boundary.resumes) == ("new", None)
        and not any(factor.name == "marker" for factor in boundary.factors)
        and any(mention.kind == "pronoun" for mention in find_mentions(draft.text))
    )


def _gone_on_with(ref: str | None, past: Past) -> str | None:
    """The thing that is referred back to: a part that is told with it ("pulse animation to the FAB button") is about
    what the message before was about."""
    if ref is None or " " not in ref or past.conversation is None:
        return ref
    mine = (m for m in reversed(past.recent) if m.role == "user" and m.conversation_id == past.conversation.id)
    before = next((message.context_ref for message in mine), None)
    return before if before and ref.lower().endswith(f" {before.lower()}") else ref


def _begins(draft: Draft) -> bool:
    """Whether nothing that came before can be meant: something new surely begins, or was opened for this message."""
    opened = draft.past.conversation is not None and draft.past.conversation.message_count == 0
    return opened or (draft.boundary.best_guess == "new" and draft.boundary.confidence >= _SURELY_NEW)


def _read_references(draft: Draft, reading: Reading, by_rules: Callable[[], Resolved]) -> Resolved:
    past, settings = draft.past, draft.settings
    same = draft.boundary.best_guess == "same"
    read = _needing(draft, reading)
    judged, why = draft.experience.judged(read) if draft.experience is not None and same else (read, "")
    open_one = past.conversation.id if past.conversation and same else None
    among_people = reading.talk and not any(m.role == "assistant" for m in past.recent)
    found = resolve_read(
        draft.text, judged, reading.lines, past.recent, by_rules, settings, open_one, among_people=among_people
    )
    if why and (judged.needs >= settings.need_threshold) != (read.needs >= settings.need_threshold):
        return replace(found, references=tuple(replace(r, why=f"{r.why}; {why}") for r in found.references))
    return found


def _needing(draft: Draft, reading: Reading) -> Judgement:
    """The judgement, with how likely the message needs its context in the light of all that speaks for it. Between
    people, and where little is said at a time, the reader knows best."""
    if reading.talk or are_terse(reading.lines):
        return reading.judged
    boundary, judged = draft.boundary, reading.judged
    new = boundary.confidence if boundary.best_guess == "new" else 1 - boundary.confidence
    evidence = need_evidence(draft.text, judged, reading.lines, new)
    needs = weighed(evidence, NEED)
    if needs >= IN_DOUBT:
        judged = judged.pointed()
        needs = weighed(evidence | pointed_evidence(judged), NEED_POINTED)
    return replace(judged, needs=max(0.0, needs - _UNPROMPTED) if unprompted(draft.text, evidence) else needs)


def _intents(draft: Draft) -> None:
    guess: Literal["same", "new"] = draft.boundary.best_guess
    judged = draft.reading.judged.intents if draft.reading else None
    lines = draft.reading.lines if draft.reading else ()
    found = find_intents(
        draft.expanded,
        boundary=guess,
        settings=draft.settings,
        judged=judged,
        terse=draft.reading is not None and are_terse(lines),
        asked=bool(lines) and not lines[-1].mine and lines[-1].text.rstrip().endswith("?"),
        said=draft.text,
    )
    if draft.experience is not None:
        found = in_place(draft.experience.intents(draft.text, found, _wanted_before(draft)), guess, draft.settings)
    draft.intents = ranked(found, _own(draft))


def _wanted_before(draft: Draft) -> str | None:
    """What the user's last message in the conversation wanted; a reader has looked at that itself."""
    if draft.reading is not None:
        return None
    return next((m.intent for m in reversed(draft.window) if m.role == "user"), "start")


def _own(draft: Draft) -> tuple[Intent, ...]:
    if draft.taught is None:
        return ()
    try:
        return draft.taught.intents_in(draft.expanded, draft.text)
    except MissingExtra:  # the built-in ones do without it
        return ()


def _signals(draft: Draft) -> None:
    lately = draft.past.recent or draft.past.window[:]  # where nobody reads, only the open conversation is looked at
    draft.signals = find_meant(draft.text, draft.expanded, draft.references, lately, draft.speaker)


def _importance(draft: Draft) -> None:
    draft.importance = importance_of("user", draft.signals, code=refers_to_code(draft.heard))


STEPS: tuple[tuple[str, Step], ...] = (
    ("redact", _redact),
    ("judge", _judge),
    ("boundary", _boundary),
    ("references", _references),
    ("intents", _intents),
    ("signals", _signals),
    ("importance", _importance),
)
