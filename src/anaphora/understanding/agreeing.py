"""Which of several things a word that points can agree with: "she" is no man, "it" never two things at once, and of
"Tom's bike" Tom is "he"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from anaphora.function_words import AUXILIARIES, FUNCTION_WORDS, PREPOSITIONS, word_set
from anaphora.ports import Gap, Line
from anaphora.types import Span
from anaphora.understanding.given_names import ALSO_WORDS, HERS, HIS, is_named
from anaphora.understanding.lexicon import base_verb, is_plural
from anaphora.understanding.lists import find_lists
from anaphora.understanding.patterns import any_case, expression
from anaphora.understanding.phrases import is_clause
from anaphora.understanding.wording import Stretch

__all__ = ["agrees_surely", "all_agreeing", "every_one", "named_instead"]

_SHE = word_set(
    "wife girlfriend fiancée daughter mother mom mum mama sister grandmother grandma granny aunt niece woman girl lady "
    "mrs ms miss madam queen princess actress waitress hostess bride godmother stepmother mother-in-law "
    "sister-in-law daughter-in-law"
)
_HE = word_set(
    "husband boyfriend fiancé son father dad papa brother grandfather grandpa uncle nephew man boy guy mr sir king "
    "prince actor waiter groom godfather stepfather father-in-law brother-in-law son-in-law"
)
_PEOPLE = (
    _SHE
    | _HE
    | word_set(
        "friend colleague coworker boss manager neighbour neighbor teacher doctor dentist cousin partner child kid "
        "baby parent roommate landlord professor student customer client"
    )
)
_KIN = "|".join(sorted(_PEOPLE, key=len, reverse=True))
_WORD_OF_NAME = r"(?!(?:Mrs?|Ms|Miss|Dr|Hi|Hey|Hello|Dear|Thanks)\b)(?:[A-Z]\. ?){0,2}[A-Z][\w'’-]*[a-z]"
_NAME = rf"{_WORD_OF_NAME}(?: (?:(?:d[aeiou]|del|della|van|von|der|den|la|le|bin|al) )*{_WORD_OF_NAME})*"
_SINGULAR = expression(r"it|its|he|him|his|she|her|hers", re.IGNORECASE)
_PLURAL = expression(r"they|them|their|these|those", re.IGNORECASE)
_ONE_THING = expression(r"(?:(?:an?|the|my|our) )?[a-z]+")
_ASKS_WHICH = expression(r"\bwhich(?: ones?)?(?: of)?\s*\Z", re.IGNORECASE)
_SET_OUT = 3  # the rank of a list that is set out as one
_SOMEONE = expression(r"he|him|his|she|her|hers", re.IGNORECASE)
_JOINT = expression(
    r",? (?:and|or|vs\.?|versus) (?=(?:an?|the|my|our|your|his|her|their|some) \w|[A-Z`])|, (?=(?:the )?[A-Z`])"
)
_DETERMINED = expression(r"(?:an?|the|my|our|your|his|her|their|some) \w")
_OWNED = expression(
    r"(?P<named>(?:(?:my|our|his|her|their|the) )?(?:[\w-]+ )*?[\w-]+)['’]s? [a-z][\w-]*(?: [a-z][\w-]*)*"
)
_OF_SOMEONE = expression(rf"(?:his|her|their|an?) (?:new |old |best )?(?:{_KIN}),? (?=[A-Z])")
_WORD = expression(r"[\w'’-]+")
_SOMEONE_NAMED = expression(
    rf"\b(?:(?:Mrs|Ms|Miss|Mr)\.? {_NAME}"
    rf"|(?i:my|our|his|her|their|an?|the) (?:\w+ ){{0,2}}?(?:{_KIN})\b(?:,? {_NAME})?"
    rf"|(?:(?:{_KIN}) )?{_NAME}|\A(?:{_KIN})\b(?! (?:in|of)\b|-))"
)
_RELATION = any_case(
    r"\W*(?:and |so |ok )?who(?:['’]s| is| was| are| were| did| does| has)\b"
    rf"(?=.*\b(?:{_KIN}|married|marry|of|succeed\w*|dat(?:e|ing)|found\w*|wrote|directed|invented|played|plays)\b).*",
    needles="who",
    dear=True,
)
_ANSWER = expression(
    r"(?:(?:His|Her|Their|Its|The|He|She|It|They)\b[^.!?\n]{0,60}?\b(?:is|was|are|were|to|by|with) )?"
    rf"(?P<name>{_NAME})"
)
_STARTS = frozenset(word.capitalize() for word in FUNCTION_WORDS) - {"My", "Our", "His", "Her", "Their", "The", "A"}
_ALSO_NAMES = word_set("will grant chase chuck drew pat sue wade rich")  # verbs that are names as well
_LATELY = 4  # lines
_CLEARLY = 1.25  # how much more one of two is pointed to than the other
_READ = 400  # characters of a line


def all_agreeing(
    mention: str, found: Iterable[Stretch], likely: Mapping[int, Mapping[Span, float]]
) -> Iterable[Stretch]:
    """Of stretches, the likeliest first, the parts that the mention agrees with; where the likeliest does not, the
    others are the likelier for it."""
    if _PLURAL.fullmatch(mention):
        return _several_first(list(found))
    if not _SINGULAR.fullmatch(mention):
        return found
    before = list(found)
    agree = [one for stretch in before if (one := _agreeing(mention, stretch, likely)) is not None]
    if not agree or agree[0].score == before[0].score:
        return agree
    total = sum(one.score for one in agree)
    shares: dict[str, float] = {}
    for one in agree:
        shares[one.text] = shares.get(one.text, 0.0) + one.score / total
    return [replace(one, score=round(shares[one.text], 4)) for one in agree]


def _several_first(found: Sequence[Stretch]) -> list[Stretch]:
    """Several things before one that surely is no more than one: "water" is never "them"."""
    single = [one for one in found if _ONE_THING.fullmatch(one.text) and not is_plural(one.text.rpartition(" ")[2])]
    several = [one for one in found if one not in single]
    return [*several, *single] if several and found[0] in single and _is_several(several[0].text) else list(found)


def _is_several(words: str) -> bool:
    last = [word[0] for word in _WORD.finditer(words)][-1:]
    return bool(last) and is_plural(last[0].lower()) and not is_clause(words)


def every_one(text: str, gap: Gap, found: Stretch, lines: Sequence[Line]) -> Stretch:
    """Where it is asked which of several, all that the choice was between: "which one is better" after "A or B"."""
    if not _ASKS_WHICH.search(text, 0, gap.span[1]):
        return found
    for number in range(len(lines) - 1, max(-1, len(lines) - 1 - _LATELY), -1):
        for listing in find_lists(lines[number].text) if lines[number].mine else ():
            items = [lines[number].text[slice(*item)] for item in listing.items]
            if (
                len(items) > 1
                and listing.rank < _SET_OUT
                and any(one in found.text or found.text in one for one in items)
            ):
                span = listing.items[0][0], listing.items[-1][1]
                return Stretch(number, span, lines[number].text[slice(*span)], found.score)
    return found


def _agreeing(mention: str, one: Stretch, likely: Mapping[int, Mapping[Span, float]]) -> Stretch | None:
    """The part of a stretch that the mention agrees with; None where there is none."""
    if _SOMEONE.fullmatch(mention):
        return _someone(mention, _owner(one), likely)
    parts = _parts(one)
    if len(parts) == 1:
        return one
    pointed = sorted(parts, key=lambda part: -_pointed(part, likely))
    first, second = (_pointed(part, likely) for part in pointed[:2])
    return pointed[0] if first > _CLEARLY * second else None


def agrees_surely(mention: str, named: str) -> bool:
    """Whether the words are about someone whom the mention can mean, as they say themselves."""
    return bool(_SOMEONE.fullmatch(mention) and _sexes(named)) and not _differ(mention, named)


def named_instead(mention: str, found: Stretch | None, lines: Sequence[Line]) -> Stretch | None:
    """Who is meant where a question asked for someone by someone else, and the reply named them; or, where nobody that
    agrees was found, the last one who was named so."""
    if not _SOMEONE.fullmatch(mention):
        return found
    answer = _answer(lines) if found is None or found.line >= len(lines) - 2 else None
    if answer is not None and not _differ(mention, answer.text) and (found is None or _is_of_question(found, lines)):
        return answer
    return found if found is not None else _named_so(mention, lines)


def _owner(one: Stretch) -> Stretch:
    """Of "my grandmother's birthday" my grandmother, who is meant by "she"."""
    owned = _OWNED.fullmatch(one.text)
    last = owned["named"].split()[-1] if owned else ""
    if owned is None or not (last.lower() in _PEOPLE or last.istitle()):
        return one
    return _part(one, 0, owned.end("named"))


def _someone(mention: str, one: Stretch, likely: Mapping[int, Mapping[Span, float]]) -> Stretch | None:
    """The one of those who are named in a stretch whom the mention means; the stretch itself where it names nobody."""
    persons = _persons(one)
    if len(persons) == 1 and _is_told_with(one, persons[0]):
        persons = [one]
    fitting = [person for person in persons if not _differ(mention, person.text)]
    surely = [person for person in fitting if _sexes(person.text)]
    if not fitting:
        return None if _differ(mention, one.text) else one
    return max(surely or fitting, key=lambda person: _pointed(person, likely))


def _is_told_with(one: Stretch, person: Stretch) -> bool:
    """Whether all of a stretch tells who that is: "host Leander", and not "a gift for Leander"."""
    before = {word[0].lower() for word in _WORD.finditer(one.text[: person.span[0] - one.span[0]])}
    return person.span[1] == one.span[1] and not before & (PREPOSITIONS | AUXILIARIES) and not is_clause(one.text)


def _persons(one: Stretch) -> list[Stretch]:
    """Those whom a stretch names, without whose they are: of "her husband Ben" Ben."""
    found = []
    for person in _SOMEONE_NAMED.finditer(one.text):
        start, end = person.span()
        owner = _OF_SOMEONE.match(one.text, start, end)
        start = owner.end() if owner else start
        while (first := _WORD.match(one.text, start, end)) and _is_no_name(first[0]):  # though it begins one
            start = first.end() + 1
        if start < end:
            found.append(_part(one, start, end))
    return found


def _is_no_name(word: str) -> bool:
    """Whether a word with a capital is there for its own sake, or tells what was done: "Sent to Tom", "Call ended"."""
    low = word.lower()
    return word in _STARTS or (base_verb(low) is not None and low not in _ALSO_NAMES and not is_named(word))


def _parts(one: Stretch) -> list[Stretch]:
    """The things that a stretch joins. "Sense and Sensibility" is one, where no article says otherwise."""
    if is_clause(one.text):
        return [one]
    parts, start = [], 0
    for joint in _JOINT.finditer(one.text):
        if "and" not in joint[0] or _DETERMINED.match(one.text, joint.end()):
            parts.append((start, joint.start()))
            start = joint.end()
    parts.append((start, len(one.text)))
    return [_part(one, a, b) for a, b in parts if a < b]


def _part(one: Stretch, start: int, end: int) -> Stretch:
    return replace(one, span=(one.span[0] + start, one.span[0] + end), text=one.text[start:end])


def _sexes(text: str) -> frozenset[str]:
    """What the words that are about someone say of them, "she" or "he"; of "my aunt's son" the last."""
    words = [word[0].lower() for word in _WORD.finditer(text)]
    names = [word[0].lower() for word in _WORD.finditer(text) if word[0].lower() not in ALSO_WORDS or word[0].istitle()]
    said = [("she" if word in _SHE else "he") for word in words if word in _SHE or word in _HE]
    named = [("she" if word in HERS else "he") for word in names if word in HERS or word in HIS]
    return frozenset(said[-1:] or named[:1])


def _differ(mention: str, text: str) -> bool:
    """Whether the words are about someone whom the mention cannot mean."""
    if not _SOMEONE.fullmatch(mention):
        return False
    said = _sexes(text)
    return bool(said) and ("she" if mention.lower() in ("she", "her", "hers") else "he") not in said


def _pointed(one: Stretch, likely: Mapping[int, Mapping[Span, float]]) -> float:
    chances = [p for (a, b), p in likely.get(one.line, {}).items() if one.span[0] <= a and b <= one.span[1]]
    return max(chances, default=0.0)


def _answer(lines: Sequence[Line]) -> Stretch | None:
    """Whom the last reply names, if it was asked who someone is to someone else."""
    if len(lines) < 2 or lines[-1].mine or not lines[-2].mine or not _RELATION.fullmatch(lines[-2].text[:_READ]):
        return None
    found = _ANSWER.match(lines[-1].text[:_READ])
    if found is None or found["name"] in lines[-2].text or found["name"].lower() in FUNCTION_WORDS:
        return None
    return Stretch(len(lines) - 1, found.span("name"), found["name"], 1.0)


def _is_of_question(one: Stretch, lines: Sequence[Line]) -> bool:
    return one.line == len(lines) - 2 or one.text in lines[-2].text


def _named_so(mention: str, lines: Sequence[Line]) -> Stretch | None:
    """The one named last who agrees with the mention."""
    for number in range(len(lines) - 1, max(-1, len(lines) - 1 - _LATELY), -1):
        text = lines[number].text[:_READ]
        for someone in reversed(_persons(Stretch(number, (0, len(text)), text, 1.0))):
            if _sexes(someone.text) and not _differ(mention, someone.text) and not is_plural(someone.text.lower()):
                return someone
    return None
