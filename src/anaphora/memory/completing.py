"""What a completion completes: "done with the login page" closes the goal "add a login page", where that is clear.

Clear means that both speak of the same deed and of the same thing, and that only one task fits. Everything else is left
open: a goal that is wrongly closed is lost from sight, one that is still open can be closed by hand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from anaphora.function_words import FUNCTION_WORDS, PREPOSITIONS
from anaphora.memory.terms import stem
from anaphora.types import Action, Goal
from anaphora.understanding.completion_wordings import AS_IT_SHOULD
from anaphora.understanding.patterns import any_case

__all__ = ["ANY", "Task", "completed", "fitting", "started"]

Task = Goal | Action


_VERBS: Mapping[str, str] = {
    "make": "add build create implement make write develop design draw introduce prepare produce generate code provide "
    "include set get have do start begin work built wrote written made drew drawn setup craft",
    "fix": "fix solve resolve repair debug correct mend",
    "ship": "deploy ship release publish launch",
    "merge": "merge",
    "push": "push",
    "close": "close",
    "test": "test verify check validate",
    "change": "update upgrade change adjust edit modify",
    "rework": "refactor restructure clean simplify rewrite rewrote rewritten",
    "move": "migrate port move switch",
    "remove": "remove delete drop",
    "rename": "rename",
    "document": "document describe",
    "review": "review",
    "run": "run execute apply",
}
_DEEDS = {stem(word): deed for deed, words in _VERBS.items() for word in words.split()}
_NOUNS = {  # what a deed is called when it is spoken of as a thing
    stem(noun): deed
    for noun, deed in {
        "deployment": "ship",
        "release": "ship",
        "launch": "ship",
        "migration": "move",
        "refactoring": "rework",
        "refactor": "rework",
        "cleanup": "rework",
        "upgrade": "change",
        "update": "change",
        "removal": "remove",
        "testing": "test",
        "review": "review",
        "merge": "merge",
        "fix": "fix",
    }.items()
}
_DONE, ANY = "done", "any"  # whatever is done to it
_PASSES, _WORKS, _RUNS, _LIVE, _IN, _PULLED = "passes", "works", "runs", "live", "in", "pulled"
_MEANT: Mapping[str, frozenset[str]] = {  # which tasks are done when something is "done", when it "works"
    _DONE: frozenset(["make", "fix", "change", "run"]),
    _PASSES: frozenset(["fix"]),  # whoever writes tests may have written one that passes
    _WORKS: frozenset(["fix", "make"]),
    _RUNS: frozenset(["fix", "make", "ship"]),
    _LIVE: frozenset(["make", "ship", "run"]),
    _IN: frozenset(["make", "merge"]),
    _PULLED: frozenset(["make", "fix", "change", "rework", "rename", "remove"]),
    ANY: frozenset([_DONE, *_VERBS]),
}
_ONE_AND_ALL = frozenset([_WORKS, _RUNS, _LIVE])  # what is live was built and deployed
_NAMED_BY_DEED = frozenset([_DONE, ANY, _LIVE, _IN])  # "the migration is in production"
_ERRANDS: Mapping[str, str] = {
    "booked": "book",
    "reserved": "reserve",
    "renewed": "renew",
    "ordered": "order",
    "bought": "buy",
    "paid": "pay",
    "sent": "send",
    "packed": "pack",
    "submitted": "submit",
    "signed": "sign",
    "scheduled": "schedule",
    "registered": "register",
}
_HAD = frozenset(["booked", "reserved", "ordered", "bought"])
_I = r"(?:(?:i|we)(?:'m| am|'re| are|'ve| have)? )?(?:\w+ly |all |just |now |already )*"
_NOW = r"(?:now |all |both |finally |again |already )*"
_IS = rf"(?P<x>.+?)(?:'s| is| are) {_NOW}"
_SAID = (
    (
        _DONE,
        any_case(rf"{_I}(?:done|finished|completed?|ready|through)(?: with|:) (?P<x>.+)"),
    ),
    (_DONE, any_case(rf"{_I}(?:finished|completed) (?P<x>.+)")),
    ("", any_case(rf"{_I}(?P<v>\w+ed|built|wrote|sent|bought|paid)(?: for)? (?P<x>.+)")),
    (_PASSES, any_case(rf"(?P<x>.+?) {_NOW}(?:pass(?:es|ed)?|succeed(?:s|ed)?)\b.*")),
    (_PASSES, any_case(rf"{_IS}(?:passing|green)\b.*")),
    (_WORKS, any_case(rf"(?P<x>.+?) {_NOW}works?{AS_IT_SHOULD}")),
    (_WORKS, any_case(rf"{_IS}working{AS_IT_SHOULD}")),
    (_RUNS, any_case(rf"{_IS}up and running{AS_IT_SHOULD}")),
    (_LIVE, any_case(rf"{_IS}(?:live|(?:in|on) prod(?:uction)?){AS_IT_SHOULD}")),
    (_LIVE, any_case(rf"(?P<x>.+?) went live{AS_IT_SHOULD}")),
    (_IN, any_case(rf"{_IS}in(?: main| master)?{AS_IT_SHOULD}")),
    (
        "",
        any_case(
            rf"(?P<x>.+?)(?:'s| is| are| was| were| got| has been| have been) {_NOW}"
            r"(?P<v>done|finished|completed?|ready|implemented|fixed|merged|deployed|shipped|released|resolved|"
            rf"solved|{'|'.join(_ERRANDS)})\b.*"
        ),
    ),
    (
        "",
        any_case(
            rf"(?P<x>\S+?(?: \S+?){{0,7}}?)(?:'s| is| are| was| were| got| has been| have been)? {_NOW}"
            r"(?P<v>done|finished|complete|\w+ed|written|rewritten|built|drawn|made|sent|paid|bought|set up)"
            r"(?: now| already| finally| today| yesterday| again| as well)*"
        ),
    ),
)
_UNSURE = any_case(
    r"\b(?:almost|nearly|half(?:way)?|partly|partially|mostly|most of|some of|part of|parts of|not|isn't|aren't|wasn't|"
    r"haven't|hasn't|doesn't|don't|didn't|never|no longer|yet|except|apart from|will|would|should|could|might|may|soon|"
    r"tomorrow|until|if|when|once|draft|sort of|kind of|kinda|only (?:on|in|for|with|at|by|locally)|"
    r"into (?:staging|an?|my|another)|\d+ ?%|without|hardly|barely|wrong)(?!\w)|\?"
)
_PULLS = r"(?:pr|pull request|mr|merge request)(?: #?\d+)?"
_PULL = any_case(rf"(?:(?:the|my|our) )?(?:{_PULLS} (?:for|with) (?P<x>.+)|(?P<y>.+) {_PULLS})")
_TAIL = any_case(r"\s*(?:,|;| so | but | because | since | thanks to | yesterday| today| now$| finally$| already$).*$")
_BOTH = any_case(r"\s*(?:,|\band|&)\s+(?=(?:an?|the|our|some)\s)")  # two things, each said for itself
_AND = any_case(r"\s+and\s+|\s*,\s+(?:and\s+)?|\s+&\s+")
_TO_DO = any_case(
    r"(?:be able to|to|still|also|working on|work on|start(?:ing)? (?:with|on)|get started (?:with|on))\s+"
)
_RUNNING = frozenset(stem(w) for w in ("pass", "work", "green", "run", "succeed"))
_BUSY_WITH = any_case(r"(?:currently )?(?:working on|building|developing|creating|migrating|designing)\s+(?P<x>.+)")
_RELATIVE = frozenset(["that", "which", "who", "where", "so"])
_LONGEST = 300  # characters of what says that something is done
_ARTICLES = ("a", "an")
_EMPTY = frozenset(["it", "that", "this", "everything", "all"])


@dataclass(frozen=True, slots=True)
class _Deed:
    """What is done (`deed`) to what: the words of the thing itself, and all words with what is added to it."""

    deed: str
    core: frozenset[str]
    words: frozenset[str]
    last: str = ""  # word of the thing itself, which says what it is: "dashboard" of a sales dashboard


def completed(said: str, tasks: Sequence[Task]) -> list[Task]:
    """The open goals and actions that a completion, in the words of its message, clearly closes."""
    if len(said) > _LONGEST or _UNSURE.search(said):
        return []
    for deed, pattern in _SAID:
        if match := pattern.fullmatch(_TAIL.sub("", " ".join(said.replace("’", "'").split()).rstrip(".! "))):
            verb = (match.groupdict().get("v") or "").lower()
            return [t for part in _AND.split(match["x"]) for t in _done(deed, verb, part, tasks)]
    return []


def _done(deed: str, verb: str, thing: str, tasks: Sequence[Task]) -> list[Task]:
    """The tasks that are done when this was done to this thing; what is booked or bought is had."""
    if deed := deed or _deed_said(verb):
        pulled = _PULL.fullmatch(thing) if deed == "merge" else None
        return fitting(deed, thing, tasks) or (fitting(_PULLED, pulled["x"] or pulled["y"], tasks) if pulled else [])
    same = fitting(_DONE, f"{_ERRANDS.get(verb, verb)} {thing}", tasks)
    return same or (fitting(_DONE, thing, tasks) if verb in _HAD else [])


def started(said: str, goals: Sequence[Goal]) -> Goal | None:
    """The open goal that somebody says to be working on, if it is clear which."""
    busy = _BUSY_WITH.fullmatch(" ".join(said.split()))
    found = fitting(_DONE, busy["x"], goals) if busy else []
    return found[0] if len(found) == 1 and isinstance(found[0], Goal) else None


def _deed_said(verb: str) -> str:
    low = verb.lower()
    if low in ("done", "finished", "complete", "completed", "ready"):
        return _DONE
    return _DEEDS.get(stem(low), "")


def fitting(deed: str, thing: str, tasks: Sequence[Task]) -> list[Task]:
    """The tasks that are this deed on this thing; none where two different ones are."""
    said = _read_thing(deed, thing)
    if not said.words or said.words <= _EMPTY:
        return []
    open_ones = [(t, _read_task(t.text)) for t in tasks if t.open]
    for one in (said, _as_noun(said)):
        found = [(t, task) for t, task in open_ones if one is not None and _is_same(one, task)]
        exact = [(t, task) for t, task in found if one is not None and task.words == one.words] or found
        if exact:
            deeds = {(deed if deed in _ONE_AND_ALL else task.deed, task.words) for _, task in exact}
            return [t for t, _ in exact] if len(deeds) == 1 else []
    return _by_last_word(said, open_ones)


def _by_last_word(said: _Deed, open_ones: Sequence[tuple[Task, _Deed]]) -> list[Task]:
    """ "The dashboard" is the sales dashboard, where no other task speaks of one."""
    speaking = [(t, task) for t, task in open_ones if said.words & task.words]
    if len(said.words) != 1 or len(speaking) != 1:
        return []
    task, deed = speaking[0]
    meant = said.deed == deed.deed or deed.deed in _MEANT.get(said.deed, ())
    return [task] if meant and said.words == {deed.last} else []


def _is_same(said: _Deed, task: _Deed) -> bool:
    if said.deed in _MEANT and task.deed == _DONE and said.words == task.words:  # "TODO: signup form": the thing alone
        return True
    if not (said.deed == task.deed or task.deed in _MEANT.get(said.deed, ())):
        return False
    if not said.words:  # "the migration is done": the deed alone
        return said.deed == task.deed
    return bool(task.core) and task.core <= said.words <= task.words


def _read_thing(deed: str, thing: str) -> _Deed:
    """What is said to be done; "testing the form" is a deed of its own."""
    first, _, rest = thing.strip().partition(" ")
    inner = _DEEDS.get(stem(first.lower())) if first.lower().endswith("ing") else None
    if inner and rest and deed in (_DONE, ANY):
        return _Deed(inner, *_words(rest))
    named = _read_task(thing) if deed in (_DONE, ANY) and _DEEDS.get(first.lower()) else None
    if named is not None and named.words and first.lower() not in _NOUNS:
        return named
    return _Deed(deed, *_words(thing))


def _as_noun(said: _Deed) -> _Deed | None:
    """ "The migration to Postgres" is the deed of migrating to it."""
    deeds = said.core & _NOUNS.keys()
    if said.deed not in _NAMED_BY_DEED or len(deeds) != 1:
        return None
    return _Deed(_NOUNS[next(iter(deeds))], said.core - deeds, said.words - deeds)


def _read_task(text: str) -> _Deed:
    plain = " ".join(text.replace("’", "'").split()).rstrip(".! ")
    while lead := _TO_DO.match(plain):
        plain = plain[lead.end() :]
    first, _, rest = plain.partition(" ")
    deed = "make" if first.lower() in _ARTICLES else _DEEDS.get(stem(first.lower()))  # a thing that is not there yet
    if deed is None or not rest:
        return _Deed(_DONE if deed is None else deed, *_words(plain))
    core, words, last = _words(rest)
    if deed == "make" and words & _RUNNING:  # "make the tests pass", "get the build green"
        deed, core, words = "fix", core - _RUNNING, words - _RUNNING
    return _Deed(deed, core, words, last)


def _words(thing: str) -> tuple[frozenset[str], frozenset[str], str]:
    """The words that say what it is, up to the first preposition, all of them, and the last that says what it is where
    it is one thing."""
    core: list[str] = []
    rest: list[str] = []
    for one in _BOTH.split(thing.lower()):
        told, further = _told(one)
        core, rest = core + told, rest + further
    named = frozenset(core) - _EMPTY or frozenset(core)
    alone = bool(core) and len(_AND.split(thing)) == 1
    return named, named | frozenset(rest), core[-1] if alone else ""


def _told(thing: str) -> tuple[list[str], list[str]]:
    """The words that say what one thing is, and those that are added to it."""
    core: list[str] = []
    rest: list[str] = []
    into = core
    for word in re.findall(r"[\w.+#/-]+", thing):
        word = word.strip(".-/")
        if core and (word in PREPOSITIONS or word in _RELATIVE):
            into = rest
        elif word and (word not in FUNCTION_WORDS or word in _EMPTY) and word not in ("new", "failing", "broken"):
            into.append(stem(word))
    return core, rest
