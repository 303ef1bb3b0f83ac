"""What a message talks about: files, functions, technologies, people, and the noun phrases in between."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import NamedTuple

from anaphora.function_words import (
    AUXILIARIES,
    DETERMINERS,
    FUNCTION_WORDS,
    NEGATIONS,
    PREPOSITIONS,
    SUBJECTS,
    word_set,
)
from anaphora.types import Entity, EntityKind, EntityRole, Span
from anaphora.understanding.lexicon import ADJECTIVES, FINITE, MAKING, TECHNOLOGIES, base_verb
from anaphora.understanding.named import is_everyday, is_no_function, known_files, known_tools, people
from anaphora.understanding.once import once
from anaphora.understanding.patterns import any_case, expression
from anaphora.understanding.text import NAMES_CODE, READ_AT_MOST, WORD, Word, mask, words

__all__ = ["REDACTED", "Phrase", "find_entities", "find_phrases", "head", "with_read"]

_FILE = expression(
    r"(?<![\w@/.-])(?:[\w.-]+/)*[\w-]+\.(?:py|js|jsx|ts|tsx|cs|cshtml|razor|css|scss|html?|json|jsonl|ya?ml|toml|md|rs|"
    r"go|java|kt|swift|rb|php|c|cc|cpp|h|hpp|sql|sh|ps1|txt|csv|xml|ini|cfg|ipynb|vue|svelte|lock|env|log|pdf|"
    r"png|svg)\b"
)
_FUNCTION = expression(r"\b[A-Za-z_]\w*\(\)|\b[a-z]\w*_\w+\b|\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+\b|\b[a-z]+[A-Z]\w*\b")
_PERSON = expression(r"(?<![\w.])@[A-Za-z][\w-]*")
_PLAIN_KINDS = ("file", "function", "person")  # told by their shape
_TITLES = word_set("dr mr mrs ms prof")
_ASKED_FOR = ("made",)  # roles of what a message asks for: named as it was said
_ASKED_ABOUT = ("made", "object")  # and of what one asks about that wants to have it explained
_ASKS_ABOUT = any_case(
    r"\W*(?:(?:please|can you|could you|would you|now|then|ok|okay)[\s,]+)*"
    r"(?:explain|describe|define|compare|summari[sz]e|outline)\b"
)
_STAND_ALONE = SUBJECTS | {"this", "that", "these", "those"}  # of the determiners
_LONGEST = 4  # words of a phrase
_NOUNS_IN_LY = word_set("ally anomaly assembly belly butterfly family fly italy jelly july monopoly reply supply")
_AFTER_DONE = DETERMINERS | {"me", "us", "him", "her", "them", "you"}  # after what someone did: "Nora showed us"
_SHORTEST_DONE = 5  # characters of a word that ends in "ed"
_WORD = expression(r"\w+")
_AROUND_NAMES = " \t\r\n\"'`“”‘’,;:!?)]}=>&|^"
_BARE_NUMBERS = expression(
    r"(?:[^\w.]*\d{1,3}(?![\w.]))+[^\w.]*"
)  # longer ones are years, ports and ids, versions have dots
_ENDS_NAMES = '\r\n"`“”'
_AFTER_NAMES = " \t\"`'‘’,;:.!?([{=<&|^)]}"
_QUOTES = "\"'`"
_BRACKETS = {")": "(", "]": "[", "}": "{"}
_OF_REST = any_case(r"[- ](?:api|apis|endpoints?|services?|client|interface|controller|routes?|calls?|requests?)\b")
REDACTED = expression(r"\[redacted: [^\]]*\]")
# A conversation by its number, a time.
_AROUND = any_case(
    r"\b(?:(?:conversation|chat|thread) #?|session #)\d+"
    r"|\b(?:last|next|this|past|every) (?:week|weekend|month|year|night|morning|afternoon|evening|time|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b",
    needles="conversation|chat|thread|session #|week|month|year|night|morning|afternoon|evening| time|day",
    dear=True,
)


class Phrase(NamedTuple):
    """A noun phrase: what it is, where, and which part it plays in its sentence."""

    text: str
    span: Span
    role: EntityRole


@once
def find_entities(text: str) -> tuple[Entity, ...]:
    """Everything named in the text, in order, each once."""
    phrases = find_phrases(text)
    named = [Entity(e.text, e.kind, e.span, _played(e, phrases)) for e in _named(text[:READ_AT_MOST])]
    # a file or function is the thing itself; a technology or a person may be one word of what is longer
    taken = [e.span for e in named if e.kind not in ("technology", "person")]
    people_named = [e.span for e in named if e.kind == "person"]
    around = _around(text)
    alone = {e.span for e in named}
    concepts = [
        Entity(p.text, "concept", p.span, p.role)
        for p in phrases
        if p.span not in alone
        and not any(start < p.span[1] and p.span[0] < end for start, end in taken)
        and not _within(p.span, around)
        and not _within(p.span, people_named)
    ]
    seen: dict[str, Entity] = {}
    for entity in sorted([*named, *concepts], key=lambda e: e.span):
        seen.setdefault(entity.text.lower(), entity)
    return tuple(seen.values())


def with_read(
    text: str, found: tuple[Entity, ...], read: Sequence[tuple[Span, EntityKind, float]]
) -> tuple[Entity, ...]:
    """What a reader names; of what the rules found, that which it did not see, and what the message asks for."""
    asked_for = _ASKED_ABOUT if _ASKS_ABOUT.match(text) else _ASKED_FOR
    tools = frozenset(known_tools(text[:READ_AT_MOST]))
    sure = [e for e in found if e.role in asked_for or e.kind in _PLAIN_KINDS or e.span in tools]
    around = _around(text)
    read = [(_trimmed(text, (_unbroken(text, a), b)), kind, chance) for (a, b), kind, chance in read]
    named = [
        Entity(text[a:b], _kind(text[a:b], kind), (a, b), _role_of((a, b), found))
        for (a, b), kind, _ in read
        if not any(e.span[0] < b and a < e.span[1] for e in sure)
        and _tells(text, (a, b))
        and not is_everyday(text, (a, b))
        and not _within((a, b), around)
    ]
    kept = [
        entity
        for entity in found
        if entity.kind == "technology" and not any(a < entity.span[1] and entity.span[0] < b for (a, b), _, _ in read)
    ]
    seen: dict[str, Entity] = {}
    for entity in sorted({*named, *kept, *sure}, key=lambda e: e.span):
        seen.setdefault(entity.text.lower(), entity)
    return tuple(seen.values())


def _kind(said: str, read: EntityKind) -> EntityKind:
    """What the reader says; but what is known by its name to be a technology is one."""
    return "technology" if said.lower() in TECHNOLOGIES and said != "rest" else read


def _unbroken(text: str, start: int) -> int:
    """Where the word begins that a name would break off behind a hyphen: "remember-me", not "-me"."""
    while text[start : start + 1] in ("-", "‑") and start and text[start - 1].isalnum():
        start = next((at + 1 for at in range(start - 1, -1, -1) if not text[at].isalnum()), 0)
    return start


def _trimmed(text: str, span: Span) -> Span:
    """The part of a stretch that can be one name: within its line, no further than a quotation that ends or begins in
    it, without the quotes and marks around it."""
    start, end = span
    while start < end and text[start] in _AROUND_NAMES and not _stands_apart(text, start, start + 1):
        start += 1
    cutting = (mark for mark in _ENDS_NAMES if mark not in '"`' or text.count(mark, start, end) % 2)
    end = min((at for at in (text.find(mark, start, end) for mark in cutting) if at >= 0), default=end)
    while start < end and (shorter := _without_last(text, start, end)) < end:
        end = shorter
    return start, end


def _without_last(text: str, start: int, end: int) -> int:
    """Where it ends without a mark at its end, or a bracket that is never closed."""
    if text[end - 1] in _AFTER_NAMES and not _closes(text, start, end) and not _stands_apart(text, end - 1, end - 2):
        return end - 1
    left_open = (o for c, o in _BRACKETS.items() if text.count(o, start, end) > text.count(c, start, end))
    return min((text.rindex(opening, start, end) for opening in left_open), default=end)


def _stands_apart(text: str, quote: int, beside: int) -> bool:
    """Whether a quote is one of a whole quotation that is named, and no mark around a name."""
    return text[quote] in _QUOTES and text[beside : beside + 1] == " "


def _closes(text: str, start: int, end: int) -> bool:
    """Whether the last character closes a bracket that is part of the name: "sum()", "items[0]"."""
    opening = _BRACKETS.get(text[end - 1])
    return opening is not None and text.count(opening, start, end) >= text.count(text[end - 1], start, end)


def _tells(text: str, span: Span) -> bool:
    """Whether a stretch names anything: some word in it has a meaning of its own, it is no bare number, and no mark of
    a redaction."""
    said = _WORD.findall(text[slice(*span)].lower())
    if _BARE_NUMBERS.fullmatch(text, *span):
        return False
    removed = any(mark.start() < span[1] and span[0] < mark.end() for mark in REDACTED.finditer(text))
    return not removed and not (FUNCTION_WORDS | _TITLES).issuperset(said)


def _around(text: str) -> list[Span]:
    """The places that say where and when something was said, and not what."""
    return [found.span() for found in _AROUND.finditer(text[:READ_AT_MOST])]


def _within(span: Span, places: Iterable[Span]) -> bool:
    """Whether it is part of one of them: "week" in "last week", and not in "a last week filter"."""
    return any(start <= span[0] and span[1] <= end for start, end in places)


def _role_of(span: Span, found: tuple[Entity, ...]) -> EntityRole:
    return next((e.role for e in found if e.span[0] < span[1] and span[0] < e.span[1]), "object")


def _played(entity: Entity, phrases: Sequence[Phrase]) -> EntityRole:
    """The part that it plays; who said or was told something is not what was spoken of."""
    role = _role_at(entity.span, phrases)
    return "oblique" if entity.kind == "person" and role in ("subject", "object", "made") else role


def _role_at(span: Span, phrases: Sequence[Phrase]) -> EntityRole:
    return next((p.role for p in phrases if p.span[0] <= span[0] and span[1] <= p.span[1]), "object")


def _named(text: str) -> list[Entity]:
    """Entities that their form or a list gives away, in prose and in code."""
    found: list[Entity] = []
    taken = bytearray(len(text))

    def take(kind: EntityKind, spans: Iterable[Span]) -> None:
        for start, end in spans:
            if not any(taken[start:end]):
                found.append(Entity(text[start:end], kind, (start, end)))
                taken[start:end] = b"\1" * (end - start)

    take("technology", known_tools(text))
    take("file", known_files(text))
    if "." in text:
        take("file", (match.span() for match in _FILE.finditer(text)))
    if "@" in text:
        take("person", (match.span() for match in _PERSON.finditer(text)))
    take("person", people(text))
    take("technology", _technologies(text))
    if NAMES_CODE.search(text):
        spans = (match.span() for match in _FUNCTION.finditer(text))
        take("function", (span for span in spans if not is_no_function(text, span)))
    return found


def _technologies(text: str) -> list[Span]:
    if text.isascii() and mask(text) != text:  # of which no other words are wanted but those outside of code
        found = [match.span() for match in WORD.finditer(text.lower()) if match[0] in TECHNOLOGIES]
    else:
        found = [(word.start, word.end) for word in words(text) if word.low in TECHNOLOGIES]
    return [span for span in found if not _is_remainder(text, span) and not is_everyday(text, span)]


def _is_remainder(text: str, span: Span) -> bool:
    """Whether it is "the rest", what is left over, and not REST."""
    return text[slice(*span)] == "rest" and _OF_REST.match(text, span[1]) is None


def find_phrases(text: str) -> tuple[Phrase, ...]:
    """The noun phrases outside of code and quotations, in order."""
    return _phrases(mask(text))


@once
def _phrases(masked: str) -> tuple[Phrase, ...]:
    return tuple(_Chunker(masked).run())


def head(phrase: str) -> str:
    """The word that says what kind of thing a phrase names: its last."""
    return phrase.split()[-1].lower() if phrase.split() else ""


class _Chunker:
    """Runs of content words between function words and verbs, each with the part it plays."""

    def __init__(self, masked: str) -> None:
        self._masked = masked
        self._words = words(masked)
        self._found: list[Phrase] = []
        self._run: list[Word] = []
        self._clause()

    def _clause(self) -> None:
        self._verb: str | None = None
        self._preposition: str | None = None
        self._determiner: str | None = None
        self._excluded = False
        self._had_object = False
        self._someone = False  # "I", "we" and the like stand just before
        self._verb_may_follow = True

    def run(self) -> list[Phrase]:
        for word, following in zip_longest(self._words, self._words[1:]):
            low = word.low
            if len(low) == 1 and word.is_mark:
                self._mark(word)
            elif self._is_verb(low) or (low.endswith("ed") and self._was_done(low, following)):
                self._flush()
                self._verb, self._preposition, self._determiner = base_verb(low) or low, None, None
                self._had_object = self._verb_may_follow = False
            elif low in FUNCTION_WORDS or (low.endswith("ly") and low not in _NOUNS_IN_LY):
                self._flush()
                self._function_word(low)
                self._someone = low in SUBJECTS
            else:
                self._run.append(word)
                self._verb_may_follow = False
        self._flush()
        return self._found

    def _is_verb(self, low: str) -> bool:
        if self._run:
            return low in FINITE
        if self._determiner not in (None, "that"):
            return False
        verb = base_verb(low)
        if verb is None:
            return False
        if self._determiner is not None:
            return low != verb  # a relative clause: "a function that returns …"
        if self._preposition not in (None, "to"):
            return False
        return self._verb_may_follow or (low != verb and low.endswith(("ing", "ed")))

    def _was_done(self, low: str, following: Word | None) -> bool:
        """Whether a word says what someone did, though it is no verb that we know: "I picked", "Nora recommended a"."""
        if len(low) < _SHORTEST_DONE or self._determiner or self._preposition:
            return False
        if not self._run:
            return self._someone
        before = self._run[-1].text
        return len(self._run) == 1 and before[:1].isupper() and following is not None and following.low in _AFTER_DONE

    def _mark(self, word: Word) -> None:
        self._flush()
        if word.text in ".!?;:\n":
            self._clause()
        elif word.text == ",":
            self._verb_may_follow, self._determiner, self._preposition = True, None, None

    def _function_word(self, low: str) -> None:
        if low in NEGATIONS or low == "instead":
            self._excluded = True
        if low in PREPOSITIONS:
            self._preposition, self._determiner = low, None
            self._verb_may_follow = low == "to"
        elif low in DETERMINERS:
            self._determiner = low
            self._had_object |= low in _STAND_ALONE
        elif low in ("me", "us") and self._verb in ("help", "let"):  # "help me plan a party"
            self._verb_may_follow = True
        elif low in SUBJECTS:
            self._had_object = self._verb is not None
            self._verb_may_follow = self._verb is None
        elif low in ("and", "or", "but", "then"):
            self._verb_may_follow = True
            self._determiner = self._preposition = None
            self._excluded = False
            self._had_object &= not self._goes_on_with_things(low)
        elif low in AUXILIARIES or low in ("please", "want", "just", "also", "now", "first", "not", "going"):
            self._verb_may_follow = True

    def _goes_on_with_things(self, joined_by: str) -> bool:
        """Whether what follows is one more of the things just named: "explain refresh tokens and key rotation"."""
        return joined_by in ("and", "or") and bool(self._found) and self._found[-1].role in ("made", "object")

    def _flush(self) -> None:
        if not self._run:
            return
        run, self._run = self._run[-_LONGEST:], []
        while run and run[0].low.isdigit():
            run = run[1:]
        # an adjective after its noun says what becomes of it: "make the button | bigger"
        cut = next(
            (i for i in range(1, len(run)) if run[i].low in ADJECTIVES and run[i - 1].low not in ADJECTIVES), None
        )
        for part in (run,) if cut is None else (run[:cut], run[cut:]):
            if part:
                self._take(part)

    def _take(self, run: list[Word]) -> None:
        span = (run[0].start, run[-1].end)
        text = " ".join(self._masked[span[0] : span[1]].split())
        self._found.append(Phrase(text, span, self._role(run)))
        self._had_object = self._had_object or self._verb is not None
        self._determiner = self._preposition = None

    def _role(self, run: list[Word]) -> EntityRole:
        if self._excluded:
            return "excluded"
        if all(w.low in ADJECTIVES for w in run) and self._determiner is None:
            return "attribute"
        if self._preposition is not None:
            return "made" if self._preposition == "on" and self._verb == "work" else "oblique"
        if self._verb is None:
            return "subject"
        if self._had_object and self._determiner is None:
            return "attribute"
        return "made" if self._verb in MAKING and self._determiner not in ("the", "this", "that") else "object"
