"""What people tell of themselves, and the secrets that they let slip: nobody who says "make it faster" means those."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from anaphora.function_words import word_set
from anaphora.ports import Line
from anaphora.types import Span
from anaphora.understanding.clauses import Clause, after_lead, clauses, own_sentences
from anaphora.understanding.lexicon import base_verb
from anaphora.understanding.likings import PREFERENCES
from anaphora.understanding.once import once
from anaphora.understanding.patterns import any_case, expression
from anaphora.understanding.signal_shapes import shapes_for

__all__ = ["hidden_in", "tells_only_of_oneself", "without_asides", "works_on_it"]

_MARK = expression(r"\[redacted: [^\]\n]{1,60}\]")
_SENTENCE_END = expression(r"[.!?\n]|$")
_GREETING = any_case(
    r"\b(?:(?:nice|good|great|pleased|lovely) to meet you|hello|hi|hey|welcome|thanks|thank you|"
    r"good (?:morning|evening)),? (?-i:[A-Z][\w'’-]+)"
)
_PERSON = (
    r"(?:wife|husband|spouse|partner|fianc[eé]e?|girlfriend|boyfriend|son|daughter|kids?|child(?:ren)?|mother|mom|mum|"
    r"father|dad|parents|brother|sister|siblings?|grand\w+|aunt|uncle|cousin|roommate|boss|manager|colleague)"
)
_PERSONAL = any_case(
    r"(?:my (?:\w+ )?name\b|(?:people |everyone |just |you can )?call me\b|i go by\b|this is [A-Z]|"
    r"i(?:'m| am) (?!on\b|using\b|running\b)|i(?:'ve| have) been\b|i(?:'ve| have)? (?:\w+ )?(?:live|work|study|teach|"
    r"grew up|was born|come|reside|moved|relocated|joined|speak|graduated|studied|majored|retired|belong|volunteer|"
    rf"start|finish|wake|get up|leave|go|got)\b|my (?:\w+ )?{_PERSON}\b)"
)
_DEFINITE = any_case(r"(?:the|my|our)\b")
_POINTS = any_case(r"\b(?:it|its|this|that|these|those|there|here|them|they|one|ones|same|so)\b")
_NAME = expression(r"\b[A-Z][\w'’-]+")
_ON_IT = any_case(
    r"\W*(?:(?:ok|okay|now|then|so|and|but|also|please|pls|just|can|could|would|will|you|we|let's|lets|i|want|need|to|"
    r"try|should)\W+)*(?P<verb>\w+)\s+(?:it|this|that|them)\b"
)
# what can be done with a town, a name or a dish as well as with a piece of work
_NO_WORK = word_set(
    "ask avoid call choose compare describe discuss do draw explain find give help keep let list name need pass prefer "
    "recall remember remind search share show start stop suggest summarize support talk translate try use wait"
)


def works_on_it(text: str) -> bool:
    """Whether a message orders something to be done to what it only points to: "make it faster", "rename that"."""
    found = _ON_IT.match(text.replace("’", "'"))
    verb = found["verb"].lower() if found else ""
    return base_verb(verb) == verb and verb not in _NO_WORK and bool(verb)


@once
def tells_only_of_oneself(text: str) -> bool:
    """Whether all that a message says is told of the speaker, and nothing in it points to what was said before."""
    leads = ((said, seen, after_lead(seen)) for said, seen in own_sentences(text))
    told = [clause for said, seen, lead in leads for clause in clauses(said[lead:], seen[lead:])]
    return bool(told) and not _POINTS.search(text) and all(_is_fact(one) or _is_liking(one) for one in told)


def without_asides(lines: Sequence[Line], text: str) -> Sequence[Line]:
    """The lines with blanks in the place of what a message that points back cannot mean, secrets among them."""
    hidden = hidden_in([(line.text, line.mine) for line in lines], order=works_on_it(text))
    if not any(hidden):
        return lines
    return [replace(line, text=_blanked(line.text, spans)) for line, spans in zip(lines, hidden, strict=True)]


def hidden_in(said: Sequence[tuple[str, bool]], *, order: bool) -> list[tuple[Span, ...]]:
    """The places of texts, each with whether it is the speaker's, that nothing later can point to: secrets, and for an
    `order` also what is told around them and of the speaker himself, what is replied to that, and who is greeted."""
    if not order:
        return [tuple(_marks(text)) for text, _ in said]
    found: list[tuple[Span, ...]] = []
    names: set[str] = set()
    before = ""
    for text, mine in said:
        if not mine and tells_only_of_oneself(before):
            found.append(((0, len(text)),))
            continue
        told = () if not mine else _told_in(text)
        names.update(name[0] for start, end in told for name in _NAME.finditer(text, start + 1, end))
        again = (name.span() for name in _NAME.finditer(text) if not mine and name[0] in names)
        greeted = (one.span() for one in _GREETING.finditer(text))
        found.append((*(_sentence(text, mark) for mark in _marks(text)), *told, *again, *greeted))
        before = text if mine else before
    return found


def _marks(text: str) -> list[Span]:
    return [mark.span() for mark in _MARK.finditer(text)] if "[redacted: " in text else []


def _sentence(text: str, within: Span) -> Span:
    start = max(text.rfind(end, 0, within[0]) for end in ".!?\n") + 1
    found = _SENTENCE_END.search(text, within[1])
    return start, found.start() if found else len(text)


@once
def _told_in(text: str) -> tuple[Span, ...]:
    return tuple(_places(text))


def _places(text: str) -> Iterator[Span]:
    end = 0
    for sentence in own_sentences(text):
        for clause in clauses(*sentence):
            words = clause.said.strip()
            start = text.find(words, end)
            start, words = (start, words) if start >= 0 else (text.find(words[2:], end), words[2:])  # "I" was put in
            if start >= 0:
                end = start + len(words)
                if _is_told(clause):
                    yield start, end


def _is_told(clause: Clause) -> bool:
    """A fact about the speaker or someone near, or a liking of something in general; things of theirs are no such."""
    return _is_liking(clause) or (bool(_PERSONAL.match(clause.seen)) and _is_fact(clause))


def _is_liking(clause: Clause) -> bool:
    likings = (pattern.match(clause.seen) for pattern, _ in PREFERENCES)
    return any(liked and not _DEFINITE.match(liked["x"]) for liked in likings)


def _is_fact(clause: Clause) -> bool:
    return any(shape.pattern.match(clause.seen) for shape in shapes_for(clause.seen) if shape.kind == "fact")


def _blanked(text: str, spans: Sequence[Span]) -> str:
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text
