"""Which constraint takes the place of which ("the deadline moved to Monday"), and which no longer holds ("you may
commit to main now"). Where that is not clear, it stands: a constraint that is wrongly closed is soon broken."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache

from anaphora.function_words import FUNCTION_WORDS
from anaphora.memory.deciding import LOOSE, chosen_in
from anaphora.memory.terms import stem
from anaphora.types import Decision, Note, State
from anaphora.understanding.beside import is_beside, without_also
from anaphora.understanding.kinds import kind_in
from anaphora.understanding.once import when_forgotten
from anaphora.understanding.passing import parted
from anaphora.understanding.patterns import any_case
from anaphora.understanding.values import find_values, same_but_for_values
from anaphora.understanding.withdrawals import Withdrawal, withdrawn_in

__all__ = ["replaces_rule", "with_constraint", "without_withdrawn"]

_READ = 300  # characters of a constraint that are looked at
_REASON = any_case(r"\s+because\s.*")
_SETTING = any_case(
    r"(?:(?:we|they|i|you|he|she)(?:'ve| have| had)? (?:\w+ly )?(?:moved|pushed|postponed|extended|shifted|changed|"
    r"raised|increased|lowered|cut|reduced) )?"
    r"(?:the |our |my )?(?:new |hard |final |current )*(?P<n>deadline|budget|limit|due date|time limit|memory limit|"
    r"cut-?off)(?: for (?P<z>[\w ]{2,30}?))?(?: back| forward| out)?"
    r"(?::| is| was| has| got| had| will| moved| changed| went| to| until| shifted| extended|'s|"
    r"(?= [€$£]?\d))(?!\w).+"
)
_UNTIL = any_case(r"(?:we|you|i)(?:'ve| have)?(?: now)?(?: got)?(?: now)? (?:until|till) .+?(?: (?:for|to) (?P<z>.+))?")
_CHANGED = any_case(
    r"\b(?:new|now|moved|went|pushed|postponed|extended|shifted|changed|raised|increased|lowered|cut|reduced|"
    r"got until)\b"
)
_BOUNDED = any_case(  # "never use port 80" and "never use port 443" are two
    r"\b(?:max(?:imum)?|min(?:imum)?|at most|at least|than|under|below|above|within|up to|exceed\w*|over|every|per|is|"
    r"are|stays?|takes?|expires?|lasts?|until|by|due)\b"
)
_ME = r"(?:(?:please|you|we|it|they|i|everyone|nobody) )?"
_FORBIDS = (
    any_case(
        rf"{_ME}(?:must|should|may|shall|can)(?:n't| not| never)(?: ever)? (?P<x>.+)|"
        rf"{_ME}(?:can't|cannot|mustn't|never|don't ever|don't|do not|dont|"
        r"are not allowed to|are never allowed to) (?P<y>.+)"
    ),
    any_case(r"(?P<x>.+?) (?:must|should|may|shall|can)(?:n't| not| never)(?: ever)? be (?P<y>\w+ed\b.*)"),
    any_case(r"(?:avoid|without|under no circumstances|(?:absolutely |strictly )?no) (?P<x>.+)"),
    any_case(r"(?P<x>.+?) (?:is|are) (?:forbidden|not allowed|prohibited|off[- ]limits|not permitted|banned)"),
)
_DEMANDS = (
    any_case(r"from now on,? (?P<x>.+)|(?P<y>.+?),? from now on"),
    any_case(rf"{_ME}(?:always|must(?: always)?|have to|has to|need to|needs to) (?P<x>.+)"),
    any_case(r"(?P<x>.+?) (?:is|are) (?:required|mandatory)"),
    any_case(r"(?P<x>.+?) (?:must|has to|have to|needs? to) be (?P<y>.+)"),
)
_LIGHT = frozenset(["us", "use", "using", "add", "put", "includ", "ever", "direct", "directli"])
_OF_MANY = frozenset(
    stem(word) for word in ("run", "work", "support", "handle", "accept", "offer")
)  # one thing and the other
_ROOT = 4  # letters by which "expiry" is known for "expire"
_SORTS = frozenset(["branch", "file", "folder", "directori", "librari", "packag", "rul"])  # "main" is the main branch


@dataclass(frozen=True, slots=True)
class _Rule:
    """What a constraint forbids or demands (`deed`, with the `sorts` of things that its words name), or what it sets a
    bound to (`setting`), for what."""

    deed: frozenset[str] = frozenset()
    sorts: Mapping[str, str] = field(default_factory=dict)
    forbids: bool = False
    setting: str = ""
    purpose: frozenset[str] = frozenset()
    changed: bool = False
    passing: bool = False  # so only for a while


def with_constraint(state: State, newest: Note) -> State:
    """The state with those constraints past that a new one takes the place of."""
    rivals = [c for c in state.constraints if c.id != newest.id and c.open and c.at <= newest.at]
    gone = {c.id for c in rivals if replaces_rule(newest.text, c.text)} or _the_only_one(newest, rivals)
    return _closed(state, gone, newest.at, newest.id) if gone else state


def replaces_rule(newer: str, older: str) -> bool:
    """Whether the newer constraint says another thing of the same, or the opposite."""
    new, old = _read(newer), _read(older)
    if new.setting or old.setting:  # "the budget is tight" says no other
        return new.setting == old.setting and new.purpose == old.purpose and bool(find_values(newer))
    if new.passing and not old.passing:
        return False
    if new.deed and new.deed == old.deed:
        return new.forbids != old.forbids
    if is_beside(newer):
        return False
    if not new.forbids and not old.forbids and _differ_in_sort(new, old):
        return True
    return bool(_BOUNDED.search(newer)) and same_but_for_values(parted(newer).said, parted(older).said)


def _differ_in_sort(new: _Rule, old: _Rule) -> bool:
    """Whether both demand the same but for one thing of a sort: to answer in French, to answer in German."""
    mine, other = new.deed - old.deed, old.deed - new.deed
    if len(mine) != 1 or len(other) != 1 or new.deed & _OF_MANY:
        return False
    sort = new.sorts.get(*mine)
    return sort is not None and sort == old.sorts.get(*other) and (bool(new.deed & old.deed) or sort not in LOOSE)


def without_withdrawn(state: State, said: str, at: datetime, message_id: str | None) -> State:
    """The state without what a message takes back: closed by it, and still there."""
    found = withdrawn_in(said)
    if found is None:
        return state
    gone = _withdrawn(state, found, at)
    return _closed(state, {item.id for item in gone}, at, message_id or at.isoformat()) if gone else state


def _the_only_one(newest: Note, rivals: Sequence[Note]) -> set[str]:
    """ "The deadline moved to Monday" speaks of the only deadline there is, whatever it is for."""
    new = _read(newest.text)
    alike = [c for c in rivals if new.setting and _read(c.text).setting == new.setting]
    clear = new.changed and not new.purpose and bool(find_values(newest.text))
    return {alike[0].id} if clear and len(alike) == 1 else set()


def _withdrawn(state: State, found: Withdrawal, at: datetime) -> list[Note | Decision]:
    constraints = [c for c in state.constraints if c.open and c.at <= at]
    decisions = [d for d in state.decisions if d.open and d.at <= at]
    words = _words(found.words)
    if found.of == "task":
        return []
    if found.exactly:
        same = found.words.lower()
        of_sort: Sequence[Note | Decision] = decisions if found.of == "decision" else constraints
        return [i for i in of_sort if i.text.lower() == same or i.text.lower().startswith(f"{same} because ")]
    if not words:
        return []
    if found.says != "named":
        return [c for c in constraints if _is_lifted(_read(c.text), found, words)]
    if found.of == "thing":
        return [d for d in decisions if words == chosen_in(d.text)] or _demanded(words, constraints)
    if found.of == "setting":
        alike: list[Note | Decision] = [c for c in constraints if _words(_read(c.text).setting) == words]
    else:
        items: list[Note | Decision] = [
            *(constraints if found.of in ("constraint", "any") else ()),
            *(decisions if found.of in ("decision", "any") else ()),
        ]
        alike = [i for i in items if words <= _words(i.text)]
    return alike if len(alike) == 1 else []


def _is_lifted(rule: _Rule, found: Withdrawal, words: frozenset[str]) -> bool:
    """Whether what is allowed was forbidden, or another was demanded of its sort: "you can answer in German"."""
    allowed = found.says == "allowed"
    if rule.forbids == allowed and _is_deed(words, rule.deed):
        return True
    return allowed and not rule.forbids and _differ_in_sort(_Rule(words, _sorts(found.words)), rule)


def _demanded(words: frozenset[str], constraints: Sequence[Note]) -> list[Note | Decision]:
    """ "The token expiry" is the only rule about when tokens expire; what forbids a thing is not forgotten with it."""
    alike: list[Note | Decision] = [c for c in constraints if len(words) > 1 and _is_about(words, c.text)]
    return alike if len(alike) == 1 else []


def _is_about(words: frozenset[str], rule: str) -> bool:
    if _read(rule).forbids:
        return False
    said = _words(rule)
    return all(any(w == s or (len(w) > _ROOT < len(s) and w[:_ROOT] == s[:_ROOT]) for s in said) for w in words)


def _is_deed(said: frozenset[str], deed: frozenset[str]) -> bool:
    """Whether both are the same deed on the same thing, but for what sort of thing it is called."""
    return bool(deed) and said - _SORTS == deed - _SORTS and bool(said - _SORTS)


def _closed(state: State, gone: set[str], at: datetime, by: str) -> State:
    return replace(
        state,
        constraints=tuple(replace(c, until=at, replaced_by=by) if c.id in gone else c for c in state.constraints),
        decisions=tuple(replace(d, superseded_by=by) if d.id in gone else d for d in state.decisions),
    )


@lru_cache(maxsize=4096)
def _read(text: str) -> _Rule:
    said = without_also(_REASON.sub("", " ".join(text[:_READ].replace("’", "'").split())).rstrip(".! "))
    changed = _CHANGED.search(said) is not None
    if setting := _SETTING.fullmatch(said):
        return _Rule(setting=setting["n"].lower(), purpose=_words(setting["z"] or ""), changed=changed)
    if until := _UNTIL.fullmatch(said):
        return _Rule(setting="deadline", purpose=_words(until["z"] or ""), changed=changed)
    said, time = parted(said)
    for forbids, patterns in ((True, _FORBIDS), (False, _DEMANDS)):
        for pattern in patterns:
            if found := pattern.fullmatch(said):
                deed = " ".join(part for part in found.groups() if part)
                return _Rule(_words(deed), _sorts(deed), forbids, passing=bool(time))
    return _Rule(passing=bool(time))


when_forgotten(_read.cache_clear)


def _sorts(said: str) -> dict[str, str]:
    found = ((word, kind_in(word)) for word in re.findall(r"[\w.+#/-]+", said.lower()))
    return {stem(word): kind for word, kind in found if kind}


def _words(said: str) -> frozenset[str]:
    words = (stem(w.strip(".-/")) for w in re.findall(r"[\w.+#/-]+", said.lower()) if w not in FUNCTION_WORDS)
    return frozenset(word for word in words if word) - _LIGHT
