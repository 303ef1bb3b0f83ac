"""What the user wants: the seven intents, several in one message, read from the expanded text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from anaphora.settings import Settings
from anaphora.types import Handoff, Intent, Reference
from anaphora.understanding.lexicon import base_verb
from anaphora.understanding.patterns import any_case, expression
from anaphora.understanding.resuming import goes_on, greets, takes_up
from anaphora.understanding.returning import conditional
from anaphora.understanding.sentence_shapes import ACKNOWLEDGES, SOLVED
from anaphora.understanding.signals import is_closing
from anaphora.understanding.text import has_code, mask, straight, words

__all__ = ["INTENTS", "find_intents", "hand_off", "in_place"]

INTENTS = ("PLAN", "EXECUTE", "CORRECT", "TEST", "ASK", "RESUME", "CLOSE")

_KNOWN = 0.3  # below this a reader does not know what is wanted
_ALSO, _ALSO_OF_BEST = 0.2, 0.3  # what another intent must reach to apply too
_HINTED = 0.05  # what a reader must see of an intent that is said in so many words
_TAKEN_UP = 3.0  # how much more than any other sign it weighs that earlier work is taken up
_GREETED = 0.9
_MOST, _FIRST = 0.5, 0.55  # what two intents that are both said must reach, and the share of the first
_POLITE = r"^\W{0,20}(?:(?:please|now|then|and|also|just|ok(?:ay)?|can you|could you)\b[ ,]+)*"
_RULES: tuple[tuple[str, float, re.Pattern[str]], ...] = tuple(
    (name, weight, any_case(pattern, needles=needles, dear=bool(needles)))
    for name, weight, needles, pattern in (
        ("RESUME", 3.0, "back to|resume|return to", r"\b(?:back to|resume|return to (?:the|our))\b"),
        (
            "RESUME",
            1.5,
            "what did|what were|what was",
            r"\bwhat (?:did|were|was) (?:we|i) (?:\w+ )?(?:do|doing|say|saying|decide|work|talk)",
        ),
        ("TEST", 2.5, "", _POLITE + r"(?:test|verify|check)\b"),
        ("TEST", 2.5, "test|verify|check", r"\b(?:and|then) (?:test|verify|check)\b"),
        (
            "TEST",
            1.8,
            "test",
            r"\b(?:unit |some |more |write |add |run )(?:the )?tests?(?: cases?)?\b|\btest cases?\b",
        ),
        ("CORRECT", 2.5, "", r"^\W*(?:no\b|wrong|that'?s (?:not|wrong)|this is (?:not|wrong)|not what|actually no)"),
        (
            "CORRECT",
            2.1,
            "not |instead of |rather than |doesn|does not",
            r"\b(?:not|instead of|rather than) (?:a |an |the )?\w+\W*$|\bdoes(?:n'?t| not) work\b",
        ),
        ("CORRECT", 1.9, "should", r"\bshould(?:n'?t| not)? (?:be|return|have|give|print|output)\b"),
        ("CORRECT", 1.9, "still ", r"\bstill (?:not|fails?|wrong|get)\b"),
        (
            "CORRECT",
            2.0,
            "error|exception|traceback|assert",
            r"\b\w*(?:Error|Exception)\b:|\bTraceback\b|\bassert\w* (?:fail|error)",
        ),
        ("CORRECT", 2.0, "i get |i got |i am getting ", r"\bi (?:get|got|am getting) "),
        (
            "ASK",
            1.6,
            "",
            r"^\W*(?:so |and |but |ok |hey |hi )*(?:what|why|how|when|where|which|who|explain|tell me|hello)\b",
        ),
        ("ASK", 1.6, "", r"^\W*(?:so |and |but |ok )*(?:is|are|does|do|did|can|could|would|should)\b"),
        ("ASK", 1.2, "?", r"\?\s*$"),
        ("ASK", 1.2, "", r"^\W*(?:hi|hey|hello|good (?:morning|evening|afternoon))\b.{0,20}$"),
        (
            "PLAN",
            2.2,
            "i'd like|i want|i need|i would like",
            r"\bi(?:'d like| want| need| would like) (?:to|you to|a|an)\b",
        ),
        ("PLAN", 2.2, "let's |lets ", r"\blet'?s (?:add|build|create|implement|work on|make|start)\b"),
        ("PLAN", 1.7, "", _POLITE + r"(?:add|create|build|write|implement|design|plan|generate|develop)\b"),
        ("PLAN", 1.7, "", _POLITE + r"(?:make (?:a|an|me)|give me|define|complete)\b"),
        ("EXECUTE", 2.0, "", _POLITE + r"make (?:it|this|that|the|them)\b"),
        ("EXECUTE", 2.0, "", _POLITE + r"(?:put|use|change|move|set|rename|remove|delete|replace|update|convert)\b"),
        ("EXECUTE", 2.0, "", _POLITE + r"(?:turn|increase|decrease|reduce|go on|continue|do|run|apply|fix|refactor)\b"),
        ("EXECUTE", 2.0, "", _POLITE + r"(?:rewrite|sort|extract|return|print|show)\b"),
    )
)
_ADDS = expression(
    _POLITE + r"(?:i want to |let'?s )?(?:add|create|build|implement) (?:an?|another|some)\b", re.IGNORECASE
)
_AND_TEST = expression(_POLITE + r"(?!test|verify|check)\w.{2,80}\b(?:and|then) (?:test|verify|check) ", re.IGNORECASE)
_NO_TESTS = r"(?! (?:data|fixtures?|users?|accounts?|servers?|systems?|pages?|sites?|plans?)\b)"
_TESTS = rf"(?:(?:py|g|rs|unit[ -]?)?tests?|junit)\b{_NO_TESTS}"
_SOME = r"(?: me)?(?: an?| the| some| more| two| three| a few)?(?: (?!and\b|then\b)\w+){0,2} "
_WANTS_TESTS = any_case(_POLITE + rf"(?:write|add|generate|create){_SOME}{_TESTS}", needles="test|junit")
_RUNNER = r"(?:bundle exec |npx |poetry run |uv run |python3? -m |\./)?"
_CHECKER = (
    r"(?:pytest|tox|nox|mypy|pyright|flake8|pylint|ruff check|rspec|rubocop|eslint|jest|vitest|tsc|phpunit|phpstan|"
    r"ctest|shellcheck|golangci-lint|cargo (?:test|clippy|check|nextest)|go (?:test|vet)|(?:dotnet|swift|mix) test|"
    r"(?:npm|yarn|pnpm|bun) (?:run )?(?:test|lint|typecheck)|(?:mvn|gradle|gradlew) (?:test|check|verify)|"
    r"make (?:test|check|lint))"
)
_ARGUMENT = r"[-./:=@\w*\[\]]+"
_CHECKS = any_case(
    _POLITE
    + rf"(?:run |rerun )?{_RUNNER}{_CHECKER}(?![\w+])(?: (?!for\b|to\b|is\b|says?\b|or\b|--fix\b){_ARGUMENT}){{0,5}}"
    + rf"(?:(?: and |, | && ){_RUNNER}{_CHECKER}(?: {_ARGUMENT}){{0,3}})?(?: please| again| now)?[.! ]*$"
)
_ITS_CODE = r"(?:this|that|these|it|my|the|your|the following)"
_ON_CODE = any_case(  # said of code that stands in the message
    _POLITE
    + rf"(?:debug\b|(?:double[- ]?check|check|verify|validate|review|test)(?: if| whether| that)? {_ITS_CODE}\b)|"
    rf"\b(?:is|are) {_ITS_CODE}(?: \w+)?(?: \w+)? (?:correct|right|ok|okay|valid|working)\b|"
    r"\b(?:any|a|the) (?:bugs?|errors?|mistakes?|problems?|issues?) (?:in|with) |"
    r"\bwhat(?:['’]?s| is| did i do) wrong\b",
    needles="check|debug|verify|validate|review|test|correct|right|ok|valid|working|bug|error|mistake|problem|issue|wrong",
    dear=True,
)
_FAILED = expression(r"\b\w*(?:Error|Exception)\b|\bTraceback\b")
_SAYS_NO = any_case(
    r"^\W{0,20}(?:(?:hm+|ah|um+|well)\b\W+)?(?:no|nope|nah)\b"
    r"(?:[,.!;:]|(?= (?:keep|drop|undo|use|make|put|leave|change|revert|remove|not|the|it|that|this|i)\b))"
    r"\s*(?!thank|thx|problem|idea|need|worries|that'?s (?:all|it)|that is (?:all|it))\w"
)
# asks what is so, and not whether it holds up
_ASKS_IF = any_case(
    r"\W{0,20}(?:(?:so|and|but|ok(?:ay)?|well|now|hey|hm+)[\s,]+)*(?:does|do|did|is|are|was|were|has|have|had)"
    r"(?:n['’]t)? (?:it|that|this|these|those|they|the|our|my|there|we)\b"
    r"(?![^?]*\b(?:work(?:s|ing)?|pass(?:es|ed|ing)?|tests?|tested|correct(?:ly)?|right|valid|ok(?:ay)?|fine|bugs?|"
    r"errors?|mistakes?|broken|fixed|covered|coverage|fail(?:s|ed|ing)?|issues?|problems?|wrong|good|enough)\b)"
    r"[^?\n]{3,80}\?\W*",
    needles="?",
)
_KDS_ROUTES: Mapping[str, str] = {
    "PLAN": "work-planner.md",
    "EXECUTE": "code-executor.md",
    "CORRECT": "error-corrector.md",
    "TEST": "test-generator.md",
    "ASK": "knowledge-retriever.md",
    "RESUME": "session-resumer.md",
}
_ACTIONS = {
    "PLAN": "plan",
    "EXECUTE": "do",
    "CORRECT": "correct",
    "TEST": "test",
    "ASK": "answer",
    "RESUME": "resume",
    "CLOSE": "close",
}


def find_intents(
    expanded: str,
    *,
    boundary: Literal["same", "new"],
    settings: Settings,
    judged: Mapping[str, float] | None = None,
    terse: bool = False,
    asked: bool = False,
    said: str | None = None,
) -> tuple[Intent, ...]:
    """All intents that apply, the strongest first; "unknown" when none does. `judged` is what a reader found, `terse`
    where short commands are given, `asked` where this may answer a question; `said` is the message before it was
    expanded, where that differs."""
    said = expanded if said is None else said
    if is_closing(expanded):
        return (_intent("CLOSE", 0.97, settings),)
    if greets(said):
        return (_intent("ASK", _GREETED, settings),)
    if judged is not None:
        placed = _in_place(judged, boundary)
        taken_up = "RESUME" if takes_up(said) else "EXECUTE" if goes_on(said) else ""
        if taken_up:
            return _judged(_put_first(placed, taken_up), settings)
        return _judged(_as_said(placed, expanded, terse=terse, asked=asked), settings)
    scores = dict.fromkeys(INTENTS, 0.0)
    expanded = straight(expanded)
    prose = mask(expanded).strip()  # what is blanked out around it would be tried at every place
    for name, weight, pattern in _RULES:
        found = pattern.search(expanded if name == "CORRECT" else prose)
        if found is not None and not (name == "RESUME" and conditional(prose, found.end())):
            scores[name] = max(scores[name], weight)
    if takes_up(said):
        scores["RESUME"] = _TAKEN_UP
    if not any(scores.values()):
        _fall_back(scores, expanded, prose, boundary)
    if boundary == "new" and scores["EXECUTE"] and not scores["PLAN"]:
        scores["PLAN"] = 1.0  # there is nothing yet to go on with
    total = sum(scores.values())
    if total == 0:
        return (_intent("unknown", 0.0, settings),)
    best = max(scores.values())
    ranked = sorted((n for n in INTENTS if scores[n] >= max(0.6 * best, 0.5)), key=lambda n: -scores[n])
    if "ASK" in ranked and ranked[0] != "ASK":
        ranked.remove("ASK")  # "can you …?" asks for the other thing
    ranked = _order_said(ranked, prose) if len(ranked) > 1 else ranked
    strength = min(1.0, best / 2.0)  # a weak sign stays a weak sign when it is the only one
    return tuple(_intent(n, round((0.35 + 0.6 * scores[n] / total) * strength, 2), settings) for n in ranked)


def _in_place(probabilities: Mapping[str, float], boundary: Literal["same", "new"]) -> Mapping[str, float]:
    """At the start of something new there is nothing yet to go on with: what is to be done is new work."""
    if boundary == "same":
        return probabilities
    return {**probabilities, "PLAN": probabilities["PLAN"] + probabilities["EXECUTE"], "EXECUTE": 0.0}


def in_place(found: tuple[Intent, ...], boundary: Literal["same", "new"], settings: Settings) -> tuple[Intent, ...]:
    """The same of intents that knowledge had a part in, each with its own route."""
    if boundary == "new" and found[0].name == "EXECUTE" and found[0].why:
        begun = Intent("PLAN", found[0].confidence, why=f"{found[0].why}, and here it begins something new")
        found = (begun, *(intent for intent in found[1:] if intent.name != "PLAN"))
    return tuple(replace(_intent(i.name, i.confidence, settings), why=i.why) if i.why else i for i in found)


def _as_said(probabilities: Mapping[str, float], text: str, *, terse: bool, asked: bool) -> Mapping[str, float]:
    """What the words leave no doubt about: a short command to add a thing that is not there yet plans it, who asks for
    something "and test it" wants both, in this order, and who finds that something makes sense corrects nothing. Who
    wants a test written, a checker run or code looked over that stands in the message wants to test; who says no,
    unless to a question, corrects, and who says that it works is done."""
    if _WANTS_TESTS.search(text) or _CHECKS.search(text) or _hands_over_code(text):
        return _put_first(probabilities, "TEST")
    if not asked and probabilities["CORRECT"] >= _HINTED and "?" not in text and _SAYS_NO.search(text):
        return _put_first(probabilities, "CORRECT")
    if not asked and SOLVED.fullmatch(straight(text)):
        return _put_first(probabilities, "CLOSE")
    if probabilities["TEST"] == max(probabilities.values()) and _ASKS_IF.fullmatch(text) and not has_code(text):
        return _put_first(probabilities, "ASK")
    new, old = probabilities["PLAN"], probabilities["EXECUTE"]
    if probabilities["CORRECT"] > probabilities["CLOSE"] and ACKNOWLEDGES.fullmatch(text):
        probabilities = {**probabilities, "CORRECT": probabilities["CLOSE"], "CLOSE": probabilities["CORRECT"]}
    if terse and _ADDS.match(text) and _ALSO <= new < old:
        probabilities = {**probabilities, "PLAN": old, "EXECUTE": new}
    if _AND_TEST.search(text) and probabilities["TEST"] >= _HINTED:
        work = max("PLAN", "EXECUTE", key=probabilities.__getitem__)
        both = probabilities["TEST"] + probabilities[work]
        if both > _MOST:
            probabilities = {**probabilities, work: _FIRST * both, "TEST": (1 - _FIRST) * both}
    return probabilities


def _hands_over_code(text: str) -> bool:
    """Whether code stands in the message that is to be checked: "Is this correct?" and a function below it, but no
    error that it gave."""
    return _ON_CODE.search(mask(text).strip()) is not None and has_code(text) and _FAILED.search(text) is None


def _put_first(probabilities: Mapping[str, float], name: str) -> Mapping[str, float]:
    """This one in the place of the likeliest, and that in its place."""
    best = max(probabilities, key=probabilities.__getitem__)
    return {**probabilities, best: probabilities[name], name: probabilities[best]}


def _judged(probabilities: Mapping[str, float], settings: Settings) -> tuple[Intent, ...]:
    ranked = sorted(probabilities, key=lambda name: -probabilities[name])
    best = probabilities[ranked[0]]
    if best < _KNOWN:
        return (_intent("unknown", 0.0, settings),)
    applying = [name for name in ranked if probabilities[name] >= max(_ALSO, _ALSO_OF_BEST * best)]
    return tuple(_intent(name, round(min(0.99, probabilities[name]), 2), settings) for name in applying)


def hand_off(text: str, expanded: str, references: tuple[Reference, ...], intent: Intent, doing: str | None) -> Handoff:
    """What the intent's handler gets."""
    about = f"The user is working on {doing}." if doing else "The user has just begun."
    action = f"{_ACTIONS.get(intent.name, intent.name.lower())}: {expanded}"
    return Handoff(text, expanded, references, about, action, intent.route)


def _fall_back(scores: dict[str, float], text: str, prose: str, boundary: Literal["same", "new"]) -> None:
    said = [w for w in words(prose) if not w.is_mark]
    starts_with_verb = bool(said) and base_verb(said[0].low) is not None
    if not said and has_code(text):
        scores["TEST"] = 1.0
    elif starts_with_verb or (said and boundary == "same"):
        scores["EXECUTE" if boundary == "same" else "PLAN"] = 1.0
    elif said and len(said) > 5:
        scores["PLAN"] = 0.8


def _order_said(ranked: list[str], prose: str) -> list[str]:
    """Two intents of one message stand in the order in which they were said, where both are sure."""
    if ranked[:2] in (["TEST", "PLAN"], ["TEST", "EXECUTE"]) and re.search(
        r"\b(?:and|then) (?:test|verify|check)\b", prose
    ):
        return [ranked[1], ranked[0], *ranked[2:]]
    return ranked


def _intent(name: str, confidence: float, settings: Settings) -> Intent:
    return Intent(name, confidence, _KDS_ROUTES.get(name) if settings.preset == "kds" else None)
