"""What the mentions of a message point to, and the message as a sentence that stands alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from anaphora.knowledge import Lesson
from anaphora.ports import Gap, Judgement, Line, Pointed
from anaphora.settings import Settings
from anaphora.types import Conversation, Entity, EntityKind, Message, Reference, Span
from anaphora.understanding.definites import find_definites
from anaphora.understanding.entities import head
from anaphora.understanding.evidence import content_of, is_note
from anaphora.understanding.experience import Experience
from anaphora.understanding.expletives import stand_for_nothing
from anaphora.understanding.learned import ABOUT, FILLING
from anaphora.understanding.lexicon import ATTACHED_BY, GENERIC_HEADS, KIND_NOUNS, TECHNOLOGIES, WIDGETS, is_plural
from anaphora.understanding.links import NUMBERED, names_talk, other_conversations
from anaphora.understanding.mentions import Mention, find_mentions
from anaphora.understanding.oneself import hidden_in, tells_only_of_oneself, without_asides, works_on_it
from anaphora.understanding.patterns import any_case, expression
from anaphora.understanding.plainly import Resolved, asking, plainly
from anaphora.understanding.reports import reported
from anaphora.understanding.rewriting import Filled, filled, written_out
from anaphora.understanding.sentence_shapes import ACKNOWLEDGES
from anaphora.understanding.signals import is_closing
from anaphora.understanding.standing_for import SOMEONE, is_for_a_device, names_its_file
from anaphora.understanding.text import mask
from anaphora.understanding.titles import noun_of, thing_of
from anaphora.understanding.tongues import is_foreign
from anaphora.understanding.wording import in_few_words, tells_what_it_is

__all__ = ["Resolved", "are_terse", "names_another", "resolve", "resolve_read"]

_WEIGHT = {"made": 1.0, "object": 0.9, "subject": 0.7, "oblique": 0.6, "attribute": 0.05}
_DECAY = 0.7  # of a mention's weight, each message further back
_POINTED = 0.5  # a thing pointed to: less than one named, so that a wrong guess does not feed itself
_WHOLE = 0.9  # the thing that a clipped command is about ("add a border"): more than the part it names
_REPLY = 0.35  # what a reply names weighs less than what the user named
_CLIPPED = 0.25  # a clipped command needs its context at least so likely
_BARELY, _LEFT_OUT = 0.1, 0.5  # or so likely, where a place is seen in which something is left out
_OFFERED, _WORTH_OFFERING = 3, 0.1  # candidates, and how likely each of them but the first is at least
_SURE = 0.75
_NAMED_SO = 0.88  # how sure it is that "the kitten" is the only kitten that was named
_OF_SOMEONE, _OF_ANYTHING = 0.57, 0.5  # how far the reader is trusted where people talk: what "she" means, or "that"
_NAME = expression(r"(?:[A-Z]\w+[ -]?){1,3}")
_ARTICLE = any_case(r"(?:the|a|an|my|our|your)\s")
_MARKED, _CAPITALS = expression(r"[._()/@]"), expression(r"[A-Z][a-z0-9]+(?:[A-Z]\w*)+")
_FIRST_WORD = expression(r"\W*(\w+)")
_RUNS = any_case(
    r"\s*(?:git|npm|npx|yarn|pnpm|docker|kubectl|cargo|pip3?|nvm|brew|systemctl|terraform)"
    r"(?: (?!(?:it|that|this|them|one)\b)[\w./:@=~^-]+){1,6}\s*",
    needles="git|np|yarn|docker|kube|cargo|pip|nvm|brew|system|terra",
)
_RUNS_ALL = any_case(  # what there is one of in a repository; whoever commits or pushes may say what
    r"\W*(?:(?:ok(?:ay)?|now|then|and|please|can you|great|good)[\s,.!]+)*(?:re)?run "
    r"(?:(?:all|the|our|whole|full|entire|unit|integration) )*(?:tests?|test suite|suite|linters?|formatter)"
    r"(?: (?:again|once more|now|please|too))*\W*",
    needles="run ",
)
_EXCLAIMS = any_case(
    r"\W*(?:(?:ouch|wow|whoa|oops|ha(?:ha)+|lol|omg|yay|damn|hooray|phew|ugh|yikes|woo+hoo+|oh (?:no|dear|my))\b\W*)+"
)
_ANSWER = any_case(r"\W*(?:yes|yep|yeah|yup|no|nope|nah|sure|\?+)\W*")
_REPORTS = any_case(  # a reply that tells what was done, and offers nothing
    r"\W*(?:done|ok(?:ay)?|added|renamed|moved|removed|fixed|updated|created|set up|(?:i|i['’]ve|i have|we)"
    r"(?: (?:also|now|just))? (?:[a-z]{2,}ed|made|wrote|built|ran|put|set))\b"
    r"(?!.*\b(?:i can|i could|we could|want me)\b).*",
)
_LAST_WORDS = 300  # characters of a reply in which a question may stand
_MOST_OF = 0.6
_LATELY, _TERSE = 6, 60  # so many lines, of so few characters in the mean, are short lines


@dataclass(slots=True)
class _Candidate:
    """Something talked about earlier, and how present it still is; its `key` is the name in small letters."""

    key: str
    name: str
    kind: EntityKind
    message_id: str | None
    salience: float = 0.0
    last_seen: int = 0


def resolve(
    text: str,
    entities: Sequence[Entity],
    window: Sequence[Message],
    queue: Sequence[Conversation],
    at: datetime,
    settings: Settings,
    experience: Experience | None = None,
) -> Resolved:
    """Resolve against the recent messages first, and other conversations where the text names one. `entities` are
    those of the text; `experience` says how far words that point back mostly look."""
    own = {e.text.lower() for e in entities}
    mentions = find_mentions(text)
    candidates = _candidates(window, order=works_on_it(text)) if mentions else []
    references = [*other_conversations(text, queue, at)]
    linked = next((r for r in references if r.conversation_id), None)
    if linked is not None:
        candidates = candidates or _from_conversation(linked, queue)
    for mention in mentions:
        if not any(r.span[0] < mention.span[1] and mention.span[0] < r.span[1] for r in references):
            rule = experience.lookback(mention.text) if experience is not None else None
            found = _referent(mention, candidates, own, settings.reference_threshold, rule)
            references += [found] if found else []
    references.sort(key=lambda r: r.span)
    main = max((r for r in references if r.referent), key=lambda r: (r.mention != "", r.confidence), default=None)
    return Resolved(tuple(references), _expand(text, references), main.referent if main else None)


def names_another(text: str, queue: Sequence[Conversation], at: datetime) -> bool:
    """Whether the text names another conversation, by its number or its time."""
    return bool(other_conversations(text, queue, at))


def resolve_read(
    text: str,
    judged: Judgement,
    lines: Sequence[Line],
    recent: Sequence[Message],
    by_rules: Callable[[], Resolved],
    settings: Settings,
    conversation: str | None = None,
    *,
    among_people: bool = False,
) -> Resolved:
    """The same, with what a reader points to; `recent` are the messages that the lines are the texts of. What the
    open `conversation` holds is meant before what came earlier. People who talk with each other leave much unsaid that
    no words of theirs stand for: of what they may mean only someone surely named is put in, the rest is offered.

    Among short lines the rules are asked too: where they mean the same thing they word it better, and a clipped
    command ("add a border") that the reader is not sure about is theirs."""
    left_out = judged.needs >= _BARELY and any(g.probability >= _LEFT_OUT for g in judged.gaps)
    if (judged.needs < _CLIPPED and not left_out) or is_foreign(text):
        return Resolved((), text, None) if among_people else _named_before(text, lines, recent)
    here = {n for n, message in enumerate(recent) if message.conversation_id == conversation}
    plain = None if is_note(text) else plainly(text, judged, lines, recent, settings, here, among_people=among_people)
    if plain is not None:
        return plain
    if _says_all(text, lines) or _stands_for_nothing(text, judged):
        return Resolved((), text, None)
    if among_people:
        return _meant_among_people(text, judged, lines, recent, settings)
    ruled = by_rules() if are_terse(lines) else Resolved((), text, None)
    if judged.needs < settings.need_threshold:
        clipped = ruled.references and not any(r.mention for r in ruled.references)
        return ruled if clipped else _named_before(text, lines, recent)
    if ruled.references and all(_tells_kind(r.mention) for r in ruled.references):
        return ruled
    if tells_only_of_oneself(text) or is_note(text):
        return Resolved((), text, None)
    prose = mask(text)
    judged, said = judged.pointed(), without_asides(lines, text)
    if said is not lines:
        judged, lines = _spoken(judged, said), said
    found = filled(text, _pointing(judged, here), asking(lines, here), FILLING, ABOUT)
    if not found and len(here) < len(lines):
        found = filled(text, judged, lines, FILLING, ABOUT)
    found = [one for one in found if _in_prose(prose, one)] or _about(text, judged, lines, here)
    named = _named_before(text, lines, recent)
    if named.references and not any(text[slice(*one.gap.span)] for one in found):
        return named  # nothing points but "the kitten", and that is known
    sure = [one for one in found if _confidence(judged, one) >= settings.reference_threshold]
    if _agree(ruled, sure):
        return ruled
    return _put_in(text, found, recent, settings, partial(_confidence, judged))


def _says_all(text: str, lines: Sequence[Line]) -> bool:
    """Whether nothing is left out in a few words: they close, praise, run a command, or answer what nobody asked."""
    if is_closing(text) or ACKNOWLEDGES.fullmatch(text) or names_its_file(text) or _RUNS.fullmatch(text):
        return True
    if is_for_a_device(text, lines) or _RUNS_ALL.fullmatch(text) or _EXCLAIMS.fullmatch(text):
        return True
    reports = bool(lines) and not lines[-1].mine and _REPORTS.match(lines[-1].text) is not None
    return reports and "?" not in lines[-1].text[-_LAST_WORDS:] and _ANSWER.fullmatch(text) is not None


def _stands_for_nothing(text: str, judged: Judgement) -> bool:
    """Whether all that seems to point back in a message is an "it" that stands for nothing: "what time is it?" """
    idle = stand_for_nothing(text)
    likely = [gap.span for gap in judged.gaps if gap.probability >= _LEFT_OUT]
    return bool(idle) and all(any(a <= start and end <= b for a, b in idle) for start, end in likely)


def _tells_kind(mention: str) -> bool:
    """Whether words tell of which kind a thing is that no other words are needed for: "the file", "that function"."""
    return KIND_NOUNS.get(mention.rpartition(" ")[2].lower()) in ("file", "function")


def _named_before(text: str, lines: Sequence[Line], recent: Sequence[Message]) -> Resolved:
    """Among short lines "the kitten" with the words of its own that it came up with, where it has such."""
    references = []
    for span, line, place in reversed(find_definites(text, lines) if are_terse(lines) else ()):
        name = lines[line].text[slice(*place)]
        why = "named so when it came up"
        references.append(Reference(text[slice(*span)], span, name, recent[line].id, _NAMED_SO, (name,), why))
        text = text[: span[0]] + name + text[span[1] :]
    references.reverse()
    return Resolved(tuple(references), text, references[0].referent if references else None)


def _meant_among_people(
    text: str, judged: Judgement, lines: Sequence[Line], recent: Sequence[Message], settings: Settings
) -> Resolved:
    if judged.needs < settings.need_threshold:
        return Resolved((), text, None)
    judged = judged.pointed()
    prose = mask(text)
    found = [one for one in filled(text, judged, lines, FILLING, ABOUT) if prose[slice(*one.gap.span)].strip()]

    def confidence(one: Filled) -> float:
        someone = SOMEONE.fullmatch(text[slice(*one.gap.span)]) and _NAME.fullmatch(one.stretches[0].text)
        return round(_confidence(judged, one) * (_OF_SOMEONE if someone else _OF_ANYTHING), 2)

    return _put_in(text, found, recent, settings, confidence)


def _put_in(
    text: str,
    found: Sequence[Filled],
    recent: Sequence[Message],
    settings: Settings,
    confidence: Callable[[Filled], float],
) -> Resolved:
    """What is sure enough stands in the text, and all of it is told."""
    known = [(one, confidence(one)) for one in found]
    sure = [(one, how) for one, how in known if how >= settings.reference_threshold]
    references = tuple(_pointed(text, one, how, recent, settings) for one, how in known)
    main, _ = max(sure, key=lambda pair: pair[1], default=(None, 0.0))
    expanded = written_out(text, [one for one, _ in sure])
    return Resolved(references, expanded, main.stretches[0].text if main else None)


def are_terse(lines: Sequence[Line]) -> bool:
    """Whether the last lines are short, as commands to someone who is looking at the same thing are."""
    lately = lines[-_LATELY:]
    return sum(len(line.text) for line in lately) < _TERSE * len(lately)


def _pointing(judged: Judgement, here: set[int]) -> Judgement:
    """The judgement with what it points to in these lines alone."""
    return _keeping(judged, lambda word: word.line in here)


def _spoken(judged: Judgement, lines: Sequence[Line]) -> Judgement:
    """The judgement without what it points to in blanks."""
    return _keeping(judged, lambda word: bool(lines[word.line].text[slice(*word.span)].strip()))


def _keeping(judged: Judgement, kept: Callable[[Pointed], bool]) -> Judgement:
    if all(kept(word) for gap in judged.gaps for word in gap.words):
        return judged
    gaps = (replace(gap, words=tuple(word for word in gap.words if kept(word))) for gap in judged.gaps)
    return replace(judged, gaps=tuple(gaps))


def _about(text: str, judged: Judgement, lines: Sequence[Line], here: set[int]) -> list[Filled]:
    """What the message is about, in brackets behind it, where nothing in it points to what it needs."""
    end = len(text.rstrip())
    words = tuple(word for gap in judged.gaps for word in gap.words if word.line in here)
    whole = replace(judged, gaps=(Gap((end, end), judged.needs, "", words),))
    found = filled(text, whole, asking(lines, here), FILLING, ABOUT)
    return [one if one.wording.lstrip().startswith("(") else replace(one, wording=f"({one.wording})") for one in found]


def _in_prose(prose: str, one: Filled) -> bool:
    """Whether words that point back stand outside of code and quotes; what is left out has no such place."""
    start, end = one.gap.span
    return start == end or bool(prose[start:end].strip())


def _agree(by_rules: Resolved, found: Sequence[Filled]) -> bool:
    """Whether the rules name what the reader points to first, or most of it."""
    pointed = [content_of(one.stretches[0].text) for one in found]
    named = [content_of(r.referent) for r in by_rules.references]
    return (
        bool(named)
        and len(named) == len(pointed)
        and all(any(n <= p and len(n) >= _MOST_OF * len(p) for p in pointed) for n in named)
    )


def _confidence(judged: Judgement, one: Filled) -> float:
    """How sure it is that the message needs something here, and that this is it."""
    return round(min(0.98, (0.35 + 0.65 * judged.needs) * (0.45 + 0.55 * one.stretches[0].score)), 2)


def _pointed(text: str, one: Filled, confidence: float, recent: Sequence[Message], settings: Settings) -> Reference:
    best = one.stretches[0]
    back = len(recent) - best.line
    said = recent[best.line]
    speaker = "you" if said.speaker == "me" else said.speaker
    who = "the reply" if said.role == "assistant" else f"what {speaker} said"
    where = "just before" if back == 1 else f"{back} messages back"
    why = f"{best.text!r} is in {who} {where}"
    if confidence < settings.reference_threshold:
        why = f"not sure enough to put in: {why}"
    # where it is sure there is nothing to choose from, and nothing to keep
    worth = [s.text for s in one.stretches if s is best or s.score >= _WORTH_OFFERING]
    names = tuple(dict.fromkeys(worth))[: _OFFERED if confidence < _SURE else 1]
    start, end = one.gap.span
    return Reference(text[start:end], (start, end), best.text, said.id, confidence, names, why)


# --- candidates ---------------------------------------------------------------------------------------------------


def _candidates(window: Sequence[Message], *, order: bool) -> list[_Candidate]:
    """What the recent messages talk about, the most present first; an `order` means nobody and no secret."""
    found: dict[str, _Candidate] = {}
    window = window[:]  # one that is read from the store when it is looked at is quicker to go through so
    users = [m for m in window if m.role == "user"]
    steps = {m.id: i for i, m in enumerate(reversed(users))}
    step = 0
    hidden = hidden_in([(m.text, m.role == "user") for m in window], order=order)
    for message, places in zip(reversed(window), reversed(hidden), strict=True):
        step = steps.get(message.id, step)
        scale = _DECAY**step * (1.0 if message.role == "user" else _REPLY)
        asked = (user.text for user in users) if message.role == "assistant" else ()
        for name, kind, weight in _named_in(message, places, asked):
            key = name.lower()
            item = found.get(key)
            if item is None:
                item = found[key] = _Candidate(key, name, kind, message.id, last_seen=step)
            item.salience += weight * scale
    _name_what_realises(users, found)
    return sorted(found.values(), key=lambda c: -c.salience)


def _named_in(message: Message, hidden: Sequence[Span], asked: Iterable[str]) -> list[tuple[str, EntityKind, float]]:
    """What a message names, in words or by pointing to it; "the button" that points to the FAB button names that. What
    stands in `hidden` places is not named."""
    pointing = [r for r in message.references if not NUMBERED.fullmatch(r.mention)]
    named: Sequence[Entity] = message.entities
    if hidden or pointing:
        named = [e for e in named if not _is_covered(e.span, hidden, pointing)]
    done_to = reported(message.text, asked)
    found = [(_name(e, done_to), e.kind, _WEIGHT[e.role]) for e in named if e.role != "excluded"]
    found += [(r.referent, "concept", _POINTED if r.mention else _WHOLE) for r in pointing]
    return found


def _name(entity: Entity, done_to: str | None) -> str:
    """What it is called within a sentence: of "Alarm set for 7:00" the alarm."""
    if done_to is None or entity.span[0] or not entity.text.lower().startswith(done_to):
        return entity.text
    return done_to


def _is_covered(span: Span, hidden: Sequence[Span], pointing: Sequence[Reference]) -> bool:
    start, end = span
    return any(a < end and start < b for a, b in hidden) or any(
        r.span[0] <= start and end <= r.span[1] for r in pointing
    )


def _name_what_realises(users: Sequence[Message], found: dict[str, _Candidate]) -> None:
    """ "Use toggle switch" said about dark mode makes the dark mode toggle: one thing, named by both."""
    for step, message in enumerate(reversed(users)):
        unsaid = next((r for r in message.references if not r.mention), None)
        if unsaid is None or not re.match(r"\s*(?:use|try)\b", message.text, re.IGNORECASE):
            continue
        thing = next((e.text for e in message.entities if e.role in ("made", "object")), "")
        part, whole = found.get(thing.lower()), found.get(unsaid.referent.lower())
        if part is not None and whole is not None:
            name = f"{whole.name} {_short_name(part.name)}"
            salience = part.salience + whole.salience
            named = _Candidate(name.lower(), name, "concept", message.id, last_seen=step)
            found.setdefault(named.key, named).salience += salience


def _short_name(name: str) -> str:
    parts = name.split()
    if len(parts) > 1 and parts[-1].lower() in GENERIC_HEADS and parts[-2].lower() in WIDGETS:
        return " ".join(parts[:-1])
    return name


def _from_conversation(link: Reference, queue: Sequence[Conversation]) -> list[_Candidate]:
    conversation = next(c for c in queue if c.id == link.conversation_id)
    return [
        _Candidate(name.lower(), name, "concept", None, 1.0 - 0.1 * i, i)
        for i, name in enumerate(conversation.entities_discussed[:5])
    ]


# --- referents ----------------------------------------------------------------------------------------------------


def _referent(
    mention: Mention, candidates: list[_Candidate], own: set[str], threshold: float, rule: Lesson | None
) -> Reference | None:
    """The best candidate for a mention, or None where the message does not need one. What lies farther back than such
    words look, by the `rule` that was learned, is only meant where nothing nearer is."""
    fitting = [c for c in candidates if c.key not in own and _agrees(mention, c)]
    if mention.kind in ("definite", "demonstrative") and fitting:
        fitting = _by_noun(mention, fitting)
    near = [c for c in fitting if c.last_seen < rule.lookback] if rule is not None else []
    narrowed = 0 < len(near) < len(fitting)
    fitting = near if narrowed else fitting
    if not fitting or (mention.kind == "attribute" and mention.noun.lower() in {c.key for c in candidates}):
        return None
    best = fitting[0]
    rest = fitting[1].salience if len(fitting) > 1 else 0.0
    confidence = round(min(0.98, 0.5 + 0.45 * (best.salience - rest) / best.salience + 0.05 * (best.last_seen == 0)), 2)
    if confidence < threshold:
        return None
    names = tuple(c.name for c in fitting[:4])
    where = "the last message" if best.last_seen == 0 else f"{best.last_seen + 1} messages back"
    why = f"{best.name!r} is what was talked about most, last in {where}"
    if narrowed and rule is not None:
        why += f"; learned: “{rule.pattern}” looks {rule.lookback} back ({rule.confidence:.2f})"
    return Reference(mention.text, mention.span, best.name, best.message_id, confidence, names, why)


def _agrees(mention: Mention, candidate: _Candidate) -> bool:
    if candidate.salience < 0.1:
        return False
    if mention.kind == "plural":
        return is_plural(head(candidate.name)) or " and " in candidate.name
    return mention.kind != "pronoun" or candidate.kind != "person"


def _by_noun(mention: Mention, fitting: list[_Candidate]) -> list[_Candidate]:
    """Those that the mention's noun can stand for: "the button" for the FAB button, "that file" for a file."""
    noun = head(mention.noun)
    wanted = set(mention.noun.lower().split())
    named = [c for c in fitting if noun in c.key and wanted < set(c.key.split()) and head(c.key) == noun]
    if named:
        return named
    kind = KIND_NOUNS.get(noun) if len(wanted) == 1 else None
    return [c for c in fitting if c.kind == kind] if kind in ("file", "function") else []


# --- expansion ----------------------------------------------------------------------------------------------------


def _expand(text: str, references: Sequence[Reference]) -> str:
    """The text with each mention replaced by what it points to, and nothing else changed."""
    for reference in sorted(references, key=lambda r: -r.span[0]):
        start, end = reference.span
        text = text[:start] + _wording(text, reference) + text[end:]
    return text


def _wording(text: str, reference: Reference) -> str:
    start, end = reference.span
    low = reference.mention.lower()
    if NUMBERED.fullmatch(reference.mention) or (reference.conversation_id and names_talk(reference.mention)):
        known = reference.referent.lower() in low
        return reference.mention if known else f"{reference.mention} ({reference.referent})"
    named = _with_article(reference.referent)
    if not reference.mention:
        return _unsaid_wording(text, reference)
    if low == "its" and tells_what_it_is(text, reference.span):
        return f"{_cased(named, text, start)} is"
    if low in ("its", "their"):
        return _cased(named + ("'" if named.endswith("s") else "'s"), text, start)
    if low.startswith("the ") and reference.referent.lower() != low[4:] and not _same_noun(low, reference.referent):
        return f"{text[start:end]} of {named}"
    return _cased(named, text, start)


def _unsaid_wording(text: str, reference: Reference) -> str:
    lead = _FIRST_WORD.match(mask(text))
    preposition = ATTACHED_BY.get(lead[1].lower()) if lead else None
    if preposition is None:
        return f"{_with_article(reference.referent)} "
    named = reference.referent if preposition == "for" else _with_article(reference.referent)
    return f" {preposition} {named}"


def _same_noun(mention: str, referent: str) -> bool:
    return head(mention) in (head(referent), noun_of(referent)) or head(mention) in KIND_NOUNS


def _with_article(name: str) -> str:
    name = in_few_words(name)
    if _ARTICLE.match(name):
        return name
    bare = _MARKED.search(thing_of(name)) or _CAPITALS.fullmatch(name)
    return name if bare or name.lower() in TECHNOLOGIES else f"the {name}"


def _cased(named: str, text: str, start: int) -> str:
    begins = not text[:start].strip() or text[:start].rstrip()[-1] in ".!?"
    return named[0].upper() + named[1:] if begins and named.startswith("the ") else named
