"""Words taken over from earlier messages as a noun phrase: what stands for "it" has no verb of its own."""

from __future__ import annotations

import re
from collections.abc import Container

from anaphora.function_words import AUXILIARIES, DETERMINERS, FUNCTION_WORDS, PREPOSITIONS, SUBJECTS, word_set
from anaphora.types import Span
from anaphora.understanding.lexicon import (
    ADJECTIVES,
    FINITE,
    GENERIC_HEADS,
    KIND_NOUNS,
    OF_WORK,
    WIDGETS,
    base_verb,
    is_plural,
)
from anaphora.understanding.ordinals import COUNTS
from anaphora.understanding.patterns import expression

__all__ = [
    "as_order",
    "definite_at",
    "gerund",
    "is_clause",
    "is_compared",
    "is_order",
    "is_phrase",
    "is_quality",
    "noun_phrase",
    "one_of_them",
    "otherwise",
    "thing_told",
    "within_sentence",
    "without_what_it_does",
]

_TELLING = expression(
    r"(?:(?:i|we|they|he|she|you)(?:['’](?:m|ve|d|re|ll))?\s+(?:\w+\s+){1,4}?"
    r"|(?:there|here|this|that|it)(?:['’]s|\s+(?:is|are|was|were))\s+)(?=(?:an?|the|my|our|two|three|some)\s+\w)",
    re.IGNORECASE,
)
_ARTICLE = expression(r"\A(?:an?|the)\s+", re.IGNORECASE)
_WORD = expression(r"[\w'’]+")
_TRAILING = expression(r"\s+(?:around|with|by|from|to|into|onto|near|under|over|for|of|in|on|at)$")
_DOING = expression(r"([a-z]+)(?=\s+(?:an?|the|my|our|all|each|every)\b)", re.IGNORECASE)
_RELATIVE = expression(r"\b(?:that|which|who|whose|where|when|how|what|why|if)\b", re.IGNORECASE)
_DEFINITE = expression(r"\b(?:the|this|that|these|those)\s+([\w-]+)(?:[ ]+([\w-]+))?", re.IGNORECASE)

_BROKEN = expression(r"\n|[.?!;:,](?:\s|$)|[=<>{}]")
_WHICH = expression(r"\b(?:that|which|who|whose)\b", re.IGNORECASE)
_CODE_DOES = expression(
    r"(?P<thing>`[^`]+`(?:(?:,| and|, and) `[^`]+`)*) "
    r"(?!(?:in|on|of|for|from|to|with|at|into|by|and|or|as|that|which)\b)[a-z]+(?= \S)"
)
_THAN = expression(r"(?P<thing>\S.*?) (?:\w{2,}er|more \w+|less \w+) than\b")
_AND_DID = expression(
    r"(?P<thing>\S.*?),? and (?:then |also |now )?"
    r"(?:[a-z]{2,}ed|made|wrote|ran|built|took|put|set up|began) "
    r"(?=(?:an?|the|my|our|your|its|all|some|from|to|into) |[`\"A-Z])"
)
_COUNTED = DETERMINERS | COUNTS.keys()
_COMPARED = word_set("more less most least better best worse worst")
_TELL_WHICH = DETERMINERS | word_set(
    "other another first second third last next same only right wrong new old previous current original"
)
_OF_WORK = OF_WORK | WIDGETS | GENERIC_HEADS | KIND_NOUNS.keys() | word_set("layout theme test form menu table column")
_OF_CODE = expression(r"[`_/]|\w\.\w")
_BEFORE_A = word_set("half twice quite such what many double")
_NO_NOUN = SUBJECTS | AUXILIARIES | PREPOSITIONS
_NO_NOUN |= word_set("what how why when where who if so here there not yes no and but or because me")
_NO_NOUN |= word_set("tell come know think say see look wait mean")


def is_phrase(words: str) -> bool:
    """Whether words can stand in a sentence as one thing: no clause of its own, no order, no code, nothing cut off."""
    said = [word[0].lower().replace("’", "'") for word in _WORD.finditer(words)]
    if not said or _BROKEN.search(words.strip()) or words.count("(") != words.count(")") or words.count("`") % 2:
        return False
    first, second, last = said[0], said[1] if len(said) > 1 else "", said[-1]
    if first in _NO_NOUN or last in DETERMINERS or last in PREPOSITIONS:
        return False
    if is_order(words) or (base_verb(first) and second and second not in PREPOSITIONS):
        return False
    return bool(_head(words)) and not is_clause(words)


def is_order(words: str) -> bool:
    """Whether they tell someone what to do with a thing: "set up a database", "rename the file"."""
    said = [word[0].lower() for word in _WORD.finditer(words)][:3]
    if not said or base_verb(said[0]) is not None:
        things = said[1:2] and said[0].endswith("s") and base_verb(said[0]) != said[0] and said[1] in PREPOSITIONS
        return not things and any(word in DETERMINERS for word in said[1:])  # "tests for the parser" are things
    # an article stands second only behind what is done, "downcast the columns"
    return said[1:2] in (["a"], ["an"], ["the"]) and said[0].isalpha() and said[0] not in FUNCTION_WORDS | _BEFORE_A


def is_clause(words: str) -> bool:
    """Whether they say something of a thing, rather than which one it is."""
    return any(word in AUXILIARIES or word in FINITE or word in SUBJECTS for word in _head(words))


def _head(words: str) -> list[str]:
    until = _WHICH.search(words)
    return [word[0].lower() for word in _WORD.finditer(words, 0, until.start() if until else len(words))]


def noun_phrase(words: str, *, named: bool) -> str:
    """The thing that the words tell of: of "I built a Streamlit app that counts bikes" the Streamlit app that counts
    bikes, of "the backup script fails" the backup script. `named` where an article stands before the words."""
    words = _without_quality(words)
    if _TELLING.match(words) is not None:
        words, named = thing_told(words), True
    if not named:
        return _as_noun(words)
    head, _, rest = words.partition(": ")
    words = _TRAILING.sub("", head if _until_verb(rest) != rest else words)
    return words if _RELATIVE.search(words) else _until_verb(words)


def without_what_it_does(words: str) -> str:
    """Of "`fetch` now retries three times" fetch, of "rspack faster than vite" rspack, and of "the coverage report and
    added a plugin" the coverage report."""
    for does in (_CODE_DOES, _THAN, _AND_DID):
        found = does.match(words)
        words = found["thing"] if found is not None else words
    return words


def is_quality(word: str) -> bool:
    """Whether a word says how a thing is: "blue", "bigger", "editable"."""
    low = word.lower()
    return low in ADJECTIVES or (len(low) > 5 and low.endswith(("able", "ible", "ous", "ful", "ish", "less")))


def _without_quality(words: str) -> str:
    """Without how the thing is made behind it: of "the slider blue" the slider, but "dark blue"."""
    said = words.split()
    if len(said) > 1 and is_quality(said[-1]) and said[-2].isalpha() and said[-2].lower() not in FUNCTION_WORDS:
        return words if is_quality(said[-2]) else words[: words.rstrip().rindex(said[-1])].rstrip()
    return words


def otherwise(how: str, words: str) -> str:
    """The thing without how it was, where `how` says how it is to be: "the button" of "the login button", where the
    register one is meant; a bigger one stays a login button, and is only no small one."""
    if how.lower() in FUNCTION_WORDS | _TELL_WHICH or is_clause(words) or _OF_CODE.search(words):
        return words
    said = [*_WORD.finditer(words)]
    begins = next((n for n, word in enumerate(said) if word[0].lower() not in DETERMINERS), len(said))
    ends = next((n for n, word in enumerate(said) if n > begins and word[0].lower() in PREPOSITIONS), len(said))
    thing = begins
    # of a coffee machine it is the coffee, and a black one stays one
    of_work = ends > 0 and said[ends - 1][0].lower() in _OF_WORK and not (is_compared(how) or is_quality(how))
    while thing < ends - 1 and (of_work or is_quality(said[thing][0])):
        thing += 1
    if not begins < thing < len(said):
        return words
    return f"{words[: said[begins].start()]}{words[said[thing].start() :]}"


def one_of_them(words: str) -> str:
    """The thing that one of several is: "test" of "4 tests"."""
    said = words.split()
    while said and said[0].lower() in _COUNTED:
        said = said[1:]
    if len(said) == len(words.split()) or not said or not is_plural(said[-1].lower()):
        return words
    last = said[-1]
    return " ".join([*said[:-1], f"{last[:-3]}y" if last.endswith("ies") else last.removesuffix("s")])


def is_compared(said: str) -> bool:
    """Whether a word says that a thing is so more than another: "bigger", and not "register"."""
    word = said.lower()
    stem = next((word[: -len(end)] for end in ("est", "er") if word.endswith(end)), "")
    stems = (stem, f"{stem}e", stem[:-1], f"{stem[:-1]}y")
    return word in _COMPARED or (stem != "" and (is_quality(word) or any(map(is_quality, stems))))


def thing_told(words: str) -> str:
    """Of "here is a dataframe" the dataframe; of "a function that adds" the function that does."""
    told = _TELLING.match(words)
    return _ARTICLE.sub("the ", words[told.end() if told is not None else 0 :], count=1)


def within_sentence(words: str, *, verbs: bool = False) -> str:
    """The words without the capital letter that they began a sentence with, where they are told as `verbs` or begin
    with a word that is no name: "the form", but "The Daily Drip"."""
    first, _, rest = words.partition(" ")
    plain = verbs or (first.lower() in FUNCTION_WORDS and first != "I" and rest[:1].islower())
    return f"{first.lower()} {rest}" if rest and first.istitle() and plain else words


def definite_at(text: str, span: Span, known: Container[str]) -> Span | None:
    """The definite phrase ("the app", "that old script") that a place of the text lies in or touches, if its noun, in
    the singular, is one that is known."""
    for match in _DEFINITE.finditer(text):
        if match.start() <= span[1] and span[0] <= match.end(1) + 1:
            for number in (1, 2):
                noun = match[number]
                if noun and noun.lower().rstrip("s") in known:
                    return match.start(), match.end(number)
    return None


def _as_noun(words: str) -> str:
    """ "bloom the gelatine in cold water" is blooming it."""
    doing = _DOING.match(words)
    verb = doing[1].lower() if doing else ""
    return gerund(words) if verb and base_verb(verb) == verb else words


def as_order(words: str) -> str | None:
    """What is done, as one is told to do it: "wrap it", and of "Changing the band" change the band. None where words
    begin with no such verb, or say what someone does: "revert adds a commit"."""
    first, blank, rest = words.partition(" ")
    prefix, hyphen, last = first.lower().rpartition("-")
    verb = base_verb(last)
    if verb is None or not (last == verb or last.endswith("ing")):
        return None
    second, third = (*(word[0].lower() for word in _WORD.finditer(rest)), "", "")[:2]
    does = second.endswith("s") and base_verb(second) not in (None, second) and third in DETERMINERS
    if last == verb and (does or second in AUXILIARIES or second in FINITE):
        return None
    return f"{prefix}{hyphen}{verb}{blank}{rest}"


def gerund(words: str) -> str:
    """Words that begin with a verb, as doing that."""
    first, blank, rest = words.partition(" ")
    verb = first.lower()
    if re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", verb):
        verb += verb[-1]
    elif verb.endswith("e") and not verb.endswith(("ee", "ye", "oe")):
        verb = verb[:-1]
    return f"{verb}ing{blank}{rest}"


def _until_verb(words: str) -> str:
    """The words before the first one that says something of them; all where there is none, or nothing before it."""
    named = False
    for word in _WORD.finditer(words):
        said = word[0].lower().replace("’", "'")
        if named and (said in FINITE or said in AUXILIARIES):
            return words[: word.start()].rstrip()
        named = named or said not in FUNCTION_WORDS
    return words
