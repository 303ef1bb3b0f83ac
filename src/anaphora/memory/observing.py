"""What a message teaches: only what was sure, said by the user, or borne out by what happened next."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from anaphora.memory.knowledge import Observation
from anaphora.types import Message, Reference
from anaphora.understanding.evidence import content_of
from anaphora.understanding.intents import INTENTS
from anaphora.understanding.patterns import expression
from anaphora.understanding.redaction import holds_secret
from anaphora.understanding.templates import is_anonymous, openings_of, templates_of

__all__ = ["GAPS", "SIMILARITY", "Seen", "files_changed", "lessons_of", "lessons_of_answer"]

GAPS = {"4 hours": timedelta(hours=4), "1 hour": timedelta(hours=1), "15 minutes": timedelta(minutes=15)}
SIMILARITY = 0.3

_SURE = 0.75  # an intent less sure teaches nothing
_SURE_OF_ANOTHER = 0.9  # what was read so surely is not overruled by an apology, nor learned
_BOTH = 0.9  # two intents that are together so sure were both wanted
_SECOND = 0.3
_SURELY_MEANT = 0.8  # a reference less sure teaches nothing
_FARTHEST = 10  # messages
_LATELY = 5
_FILES = 10  # files of a conversation that one is changed together with
_LONGEST_NAME = 80
_JOINT = " + "
# An assistant that apologises was told that it was wrong.
_APOLOGY = expression(
    r"\W*(?:oh,? |ah,? |yes,? )?(?:i (?:sincerely |do )?apologi[sz]e|(?:my |sincere )*apologies|(?:i'?m |i am )?"
    r"(?:so )?sorry\b|you(?:'re|’re| are) (?:absolutely |quite |completely )?(?:right|correct)|my (?:mistake|bad)\b|"
    r"thank(?:s| you) for (?:pointing|catching|the correction|clarifying))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Seen:
    """A message of a user among those around it: `earlier` are the session's before it, the last one last; `reply`
    and `after` are the assistant's and the user's next, where there are any yet."""

    message: Message
    earlier: Sequence[Message] = ()
    reply: Message | None = None
    after: Message | None = None

    @property
    def before(self) -> Message | None:
        """The user's message before, where it belongs to the same conversation."""
        mine = next((m for m in reversed(self.earlier) if m.role == "user"), None)
        return mine if mine is not None and mine.conversation_id == self.message.conversation_id else None


def lessons_of(seen: Seen) -> Iterator[Observation]:
    """All that a message teaches when it is heard."""
    message, before = seen.message, seen.before
    meant = _meant(message, seen.reply)
    context = _points_back(message)
    if meant:
        meaning = "+".join(meant)
        for template in templates_of(message.text):
            yield Observation("template", template, meaning, context is True)
        yield from _sequence(before, meant)
        if before is not None and context is not None:
            yield Observation("need", meant[0], "context" if context else "alone")
    if seen.after is None or "CORRECT" not in _meant(seen.after, None):
        yield from _references(seen)
    yield from _announced(message)
    if message.boundary is not None and not seen.earlier:
        looks_back = message.boundary.resumes or any(r.conversation_id for r in message.references)
        yield Observation("implicit", "new_session_started", "same" if looks_back else "new")


def lessons_of_answer(seen: Seen) -> Iterator[Observation]:
    """What the user's answer to a question about a boundary teaches: the only one who knows has said so."""
    message = seen.message
    if message.boundary is None or not seen.earlier:
        return
    meaning = message.boundary.best_guess
    for opening in openings_of(message.text):
        yield Observation("marker", opening, meaning)
    passed = message.at - seen.earlier[-1].at
    gap = next((name for name, edge in GAPS.items() if passed > edge), None)
    if gap is not None:
        yield Observation("implicit", f"time_gap_exceeds {gap}", meaning)
    said = content_of(message.text)
    lately = set[str]().union(*(content_of(m.text) for m in seen.earlier[-_LATELY:]))
    if said and len(said & lately) < SIMILARITY * len(said):
        yield Observation("implicit", f"entity_similarity_below {SIMILARITY}", meaning)


def files_changed(path: str, others: Sequence[str], people: Collection[str]) -> Iterator[Observation]:
    """A file was changed where others had been: each pair by their names alone, without folders. A file named after
    someone, or with a secret in its name, teaches nothing."""
    name = _name(path)
    for other in dict.fromkeys(others[-_FILES:]):
        pair = sorted((name, _name(other)))
        if pair[0] != pair[1] and all(_is_nobodys(one, people) for one in pair):
            yield Observation("files", _JOINT.join(pair), _way(path, other))


# --- intents ------------------------------------------------------------------------------------------------------


def _meant(message: Message, reply: Message | None) -> tuple[str, ...]:
    """The intents that were surely meant, none that was only guessed or that knowledge itself had a part in."""
    first, *rest = message.intents or (None,)
    if first is None:
        return ()
    if reply is not None and _APOLOGY.match(reply.text[:80]) and first.name != "CORRECT":
        return () if first.confidence >= _SURE_OF_ANOTHER else ("CORRECT",)
    if first.why or first.name == "unknown" or not is_anonymous(first.name.lower().replace("-", " ").replace("_", " ")):
        return ()
    second = rest[0] if rest and rest[0] is not None else None
    if second is not None and second.confidence >= _SECOND and first.confidence + second.confidence >= _BOTH:
        both = sorted((first.name, second.name), key=_in_order)
        return tuple(both) if not second.why and is_anonymous(second.name.lower()) else ()
    return (first.name,) if first.confidence >= _SURE else ()


def _in_order(name: str) -> tuple[int, str]:
    """As work goes: what is planned comes before what is tested."""
    return (INTENTS.index(name) if name in INTENTS else len(INTENTS)), name


def _sequence(before: Message | None, meant: tuple[str, ...]) -> Iterator[Observation]:
    earlier = _meant(before, None) if before is not None else ("start",)
    if earlier:
        yield Observation("sequence", earlier[0], meant[0])


# --- what points back ---------------------------------------------------------------------------------------------


def _points_back(message: Message) -> bool | None:
    """Whether it needed what was said before; None where that is not sure."""
    if message.expanded is not None:
        return True
    return False if not message.references else None


def _references(seen: Seen) -> Iterator[Observation]:
    for reference in seen.message.references:
        words = _mention(reference)
        if words is None or reference.confidence < _SURELY_MEANT or reference.message_id is None:
            continue
        since = _since(seen.earlier, reference.message_id)
        if since is not None:
            distance = 1 + sum(m.role == "user" for m in since)
            yield Observation("reference", words, str(min(distance, _FARTHEST)))


def _since(earlier: Sequence[Message], id: str) -> Sequence[Message] | None:
    """The messages after the one with this id; None where it is not among them."""
    place = next((n for n, m in enumerate(earlier) if m.id == id), None)
    return None if place is None else earlier[place + 1 :]


def _mention(reference: Reference) -> str | None:
    """The words that point back, without what they name."""
    said = reference.mention.lower().split()
    if not said:
        return "(unsaid)"
    if len(said) == 1:
        return said[0] if is_anonymous(said[0]) else None
    return f"{said[0]} {{entity}}" if said[0] in ("the", "that", "this", "these", "those") else None


def _announced(message: Message) -> Iterator[Observation]:
    """First words that announced something else, by a marker that everyone knows."""
    factors = message.boundary.factors if message.boundary is not None else ()
    if any(factor.name == "marker" for factor in factors):
        opening = next(iter(openings_of(message.text)), None)
        if opening is not None:
            yield Observation("marker", opening, "new")


# --- files --------------------------------------------------------------------------------------------------------

_TEST = expression(r"^(?:test[_.-])?(.+?)(?:[_.-](?:tests?|spec)|Tests?|Spec)?$", re.IGNORECASE)
_SERVICE = expression(r"(?:service|repository|client|provider)$", re.IGNORECASE)
_STYLES, _PAGES = {"css", "scss", "sass", "less"}, {"html", "htm", "jsx", "tsx", "vue", "razor", "cshtml", "svelte"}
_HEADERS = {"h", "hpp", "hh"}
_DOCS = {"md", "rst", "txt", "adoc"}
_CONFIGURED = {"toml", "yaml", "yml", "json", "ini", "cfg", "lock", "env"}


def _way(path: str, other: str) -> str:
    """In which way two files belong together, by their names."""
    (stem, kind), (stem2, kind2) = _split(path), _split(other)
    kinds = {kind, kind2}
    if _tested(stem) == _tested(stem2) and stem != stem2:
        return "source_and_test"
    if stem == stem2:
        return "header_and_source" if kinds & _HEADERS else "page_and_style" if kinds & _STYLES else "same_name"
    if kinds & _STYLES and kinds & _PAGES:
        return "page_and_style"
    if kind == kind2 and min(len(stem), len(stem2)) > 3 and (stem.startswith(stem2) or stem2.startswith(stem)):
        return "component_parent_child"
    if _SERVICE.search(stem) and _SERVICE.search(stem2):
        return "service_dependency"
    for group, way in ((_DOCS, "code_and_documentation"), (_CONFIGURED, "code_and_configuration")):
        if len(kinds & group) == 1 and len(kinds) == 2:
            return way
    return "same_folder" if _folder(path) == _folder(other) else "changed_together"


def _split(path: str) -> tuple[str, str]:
    stem, _, kind = _name(path).rpartition(".")
    return (stem, kind.lower()) if stem else (kind, "")


def _tested(stem: str) -> str:
    match = _TEST.match(stem)
    return (match[1] if match else stem).lower()


def _name(path: str) -> str:
    return path.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]


def _folder(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[0]


def _is_nobodys(name: str, people: Collection[str]) -> bool:
    low = name.lower()
    return (
        0 < len(name) <= _LONGEST_NAME
        and _JOINT not in name
        and name.isprintable()
        and not holds_secret(name)
        and not any(len(person) > 1 and person.lower() in low for person in people)
    )
