"""What sounds like a rule and is none: a guess ("Redis must be down"), what happens or happened ("it never rains
here"), what nobody has to do ("we don't have to support IE"), and what only seems to be said by the speaker."""

from __future__ import annotations

from anaphora.function_words import word_set
from anaphora.understanding.lexicon import FINITE, TECHNOLOGIES, base_verb
from anaphora.understanding.patterns import any_case, expression

__all__ = ["is_no_decision", "is_no_rule"]

_QUITE = r"(?:(?:just|really|still|all|completely|totally|pretty|very|so|already|somehow|simply|kind of|long) )*"
_AT_FAULT = (  # what nobody demands of anything
    r"(?:down|broken|stale|tired|wrong|missing|corrupt(?:ed)?|outdated|buggy|flaky|dead|stuck|slow|full|"
    r"out of (?:date|sync|memory|space|order)|unavailable|unreachable|misconfigured|mistaken|kidding|joking|crazy|"
    r"insane|nuts|confused|lost|hungry|busy|sick|asleep|exhausted|bored|hacked|compromised|faulty|defective|damaged|"
    r"overloaded|crash(?:ed|ing)|failing|leaking|hanging|haunted|proud|happy|excited|annoyed|frustrated|thirsty|"
    r"something|somewhere|someone|nothing)(?=[.,;:!?)…]|\s*$|\s+(?:again|at|on|in|about|because|since|for|with|when|if|"
    r"today|now|over|by|somewhere|here|there|and|or|then|already|after|from|so|like|else|wrong|twice|as|I)\b)"
)
_FAULT = (
    r"(?:bugs?|regression|mistake|typo|glitch|race(?: condition)?|leak|coincidence|misunderstanding|joke|problem|issue|"
    r"conflict|deadlock|mix-?up|caching|cache|network|config\w*|permissions?)\b"
)
_DAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|noon|midnight|lunch ?time|(?:nearly|almost|about) \S+)\b"
_HELD_FOR_ALL = r"\b(?:every|each|all|before|between|after|per|at (?:the (?:end|top|start)|least|most)|exactly|only)\b"
_GUESS = any_case(
    rf"(?:[^,\n]{{0,80}} )?must (?:be {_QUITE}{_AT_FAULT}(?! (?:or|and) )|"
    r"be [^,\n]{1,60} (?:then|already|by now|somehow|again)[.! ]*$|(?:mean|come from|stem from|originate)\b)|"
    rf"there must be (?:an?|some|something|another|more) (?!.*{_HELD_FOR_ALL})|"
    rf"(?:it|this|that) must be (?:(?:an? )?(?:\w+ )?{_FAULT}|{_DAY}|(?:my|your|his|her|our|their) |"
    rf"the (?!same|first|last|only|default|latest)|(?:because|due|about|from)\b|an? (?:new|old|strange|weird) )|"
    r"you must be (?!(?:able|logged|signed|at least|over|under|in|on)\b)(?:an? |the |new\b|\w+ing\b)|"
    r"(?:someone|somebody|something) must be\b",
    needles="must",
)
_NO_DUTY = any_case(
    r"(?!(?:don't|do not|dont|never|avoid|always|no|only|make sure|under no)\b)"
    r"(?:[^,\n]{0,60} )?(?:(?:do|does|did|will|wo|need)(?:n't| not) (?:really |actually |necessarily |even |"
    r"always )?(?:(?:have|need) )?to\b|needn't\b|need not\b|never (?:has|have|had|needs?) to\b|"
    r"(?:isn't|aren't|is not|are not|not) (?:really |strictly )?(?:required|mandatory|necessary|obligatory)\b)",
    needles="n't|not|never",
)
_OFTEN = any_case(
    r"(?:(?P<who>it|this|that|he|she|they|we|i) )?(?:has |have |had |'s |'ve )?(?:never|always) "
    r"(?P<w>[a-z]+)\b(?! to\b)",
    needles="never|always",
)
_PAST = word_set(
    "heard seen been had thought knew known got gotten did done went gone made saw said found felt met took taken came "
    "wrote written understood gave given told was were built bought brought forgot forgotten worn broke ran noticed"
)
_ED_NOW = word_set("need embed feed speed seed exceed proceed succeed breed bleed shed wed bed heed weed shred")
_ALSO_THINGS = word_set(
    "tests comments logs mocks loops prints changes names files links tags types spaces tabs points"
)
_HAPPENS = word_set(
    "rains happens starts ends stays comes goes feels makes means hurts lasts helps snows freezes dies ships compiles "
    "arrives expires responds matters leads loses wins knows thinks does lets gets"
)
_SAYS = "say|claim|tell|recommend|suggest|think|read|heard|learned|told"
_THEY_SAY = any_case(
    r"(?:they|people|folks|experts|many|some|everyone|everybody|purists) (?:(?:always|often|usually|also) )?"
    r"(?:says?|claims?|tells? (?:you|us|me)|recommends?|suggests?|thinks?)\b|"
    r"(?:i|we)(?:'ve| have)? (?:(?:once|often|always) )?(?:read|heard|learned|was told|were told)\b",
    needles=_SAYS,
)
_LOGGED = expression(
    r"\W{0,3}(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d|\[(?i:error|warn(?:ing)?|info|debug|fatal|trace)\]|"
    r"(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL|TRACE)[: ])"
)
_RIDES = (
    r"(?:train|bus|car|bike|bicycle|subway|metro|tram|plane|elevator|stairs|gym|shower|ferry|taxi|cab)"
    r"(?=[.! ]*$| (?:today|tomorrow|tonight|now|home|instead|again|there|next|this)\b| to (?:work|the|(?-i:[A-Z])))"
)
_EVERYDAY = any_case(
    r"(?:go|stay|stick) with (?:the flow\b|(?:you|him|her|them|us|me)\b(?! code)|(?:my|our|his|her|their) "
    r"(?:\w+ )?(?:family|parents|friends?|colleagues?|kids?|children|wife|husband|partner|girlfriend|boyfriend|mother|"
    r"father|mom|mum|dad|brothers?|sisters?|cousins?|aunt|uncle|grandparents|neighbou?rs?|boss|team ?mates?|dogs?|"
    r"gut)\b|"
    r"(?-i:[a-z])\w+ly$|(?-i:(?P<name>[A-Z][a-z]+)(?: and [A-Z][a-z]+)? to (?:the |a |my |our |[A-Z])))|"
    rf"use (?:the |a |my |our )(?:{_RIDES}|(?:bath|rest|wash|cloak)room\b|toilet\b|loo\b|time to )|"
    r"(?:use|take) (?:this|that|the|my|our) (?:opportunity|occasion|chance|moment)\b|"
    r"use (?:of|cases?|is|was|has)\b(?!-)|don't (?:decide|choose|commit to \w+) (?:anything )?(?:yet|now|today)\b",
    needles="with |use |take |don't ",
)


def is_no_rule(seen: str) -> bool:
    """Whether a clause that is worded like a rule demands nothing."""
    if _GUESS.match(seen) or _NO_DUTY.match(seen) or _THEY_SAY.match(seen) or _LOGGED.match(seen):
        return True
    often = _OFTEN.match(seen)
    return often is not None and _tells_how_it_is(often["w"].lower(), someone=often["who"] is not None)


def _tells_how_it_is(word: str, *, someone: bool) -> bool:
    """Whether what stands after "never" or "always" tells what was or is: "never heard", "it never rains"; an order is
    "never use", and of "never tests" it is not clear what it is."""
    if word in _PAST or (word.endswith("ed") and word not in _ED_NOW):
        return True
    if not word.endswith("s") or word.endswith("ss"):
        return False
    return someone or word in _HAPPENS or word in FINITE or (base_verb(word) is not None and word not in _ALSO_THINGS)


def is_no_decision(decision: str) -> bool:
    """Whether what is worded like a decision chooses nothing: who somebody goes somewhere with, what they ride."""
    found = _EVERYDAY.match(decision)
    return found is not None and (found["name"] is None or found["name"].lower() not in TECHNOLOGIES)
