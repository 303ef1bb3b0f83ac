"""What no longer holds: "you may commit to main now", "no need to add tests any more", "forget the rule about main".

A clause is read into what it allows, what it no longer asks for, or what it names. Which item of the state that is can
only be told where the state is known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from anaphora.types import Message, Signal
from anaphora.understanding.patterns import any_case, may_hold, needles_of

__all__ = ["NOT_FOR_GOOD", "Withdrawal", "drops_thing", "pointed_out", "takes_back", "withdrawn_in"]

Says = Literal["allowed", "not needed", "named"]
Sort = Literal["decision", "constraint", "setting", "task", "thing", "any"]

_LONGEST = 300  # characters of a clause that does nothing else
_REACH = 3  # messages of the user in which "that decision" looks for one
_RULE = r"(?:rule|constraint|restriction|requirement|ban|policy|prohibition|limit|limitation)"
_CHOICE = r"(?:decision|choice)"
_TASK = r"(?:goal|action|idea|plan)"
_SETTING = r"(?:deadline|due date|time limit|budget|cut-?off)"
_AWAY = (
    r"(?:(?:you|we) can |let's |lets )?(?:forget(?: about)?|drop|scrap|ignore|disregard|discard|cancel|remove|lift|"
    r"revoke|undo|revert|withdraw|abandon|take back|never ?mind|get rid of)"
)
_THE = r"(?:the|that|this|my|our)"
_WHAT = r"(?:about|on|against|for|of|regarding|concerning|to|with|that says)"
_AGAIN = r"(?:,? (?:now|again|from now on|after all|any ?more|any longer|going forward|these days))"
_FINE = r"(?:fine|ok|okay|allowed|permitted|alright|all right|acceptable)"
_ALLOWS = " fine| ok| allowed| permitted| alright| all right| acceptable"
_NAMES = (
    "rule|constraint|restriction|requirement|ban|policy|prohibition|limit|decision|choice|deadline|due date|budget|"
    "cutoff|cut-off"
)
_DEED = (
    r"(?P<x>(?!(?:only|never|not|always|also|see|find|tell|help|need|want|"
    r"(?:use|do|try|ignore) (?:this|that|it|these|the)|"
    r"now|again)\b)\w.{2,80}?)"
)
_THING = r"(?:the )?(?!(?:it|that|this|them)\b)[\w.+#/-]{2,40}(?: [\w.+#/-]+){0,2}?"
_NAME = r"(?!(?:the|this|that|it|he|she|they|my|our|your|time|all|any|these|those|some|\w+ing)\b)[a-z][a-z.+#-]{1,30}"
NOT_FOR_GOOD = any_case(
    r"\b(?:yet|first|before|"
    r"once|later|this time|today|tonight|tomorrow|for now|temporarily|soon|maybe|perhaps|if|when|unless|until|"
    r"except|but|only)\b"
)
_FOR_THIS = any_case(r"\b(?:for|in|on|with|at) (?:it|this|that|these|those|them|here|there)\b")
_END = rf"{_AGAIN}*[.! ]*"
_SAID: tuple[tuple[Says, re.Pattern[str]], ...] = (
    (
        "named",
        any_case(
            rf"{_AWAY} {_THE} (?:last )?(?P<n>{_RULE}|{_CHOICE}|{_SETTING})(?: {_WHAT} (?P<x>.{{2,80}}?))?{_END}",
            needles=_NAMES,
        ),
    ),
    ("named", any_case(rf"{_AWAY} {_THE} no[- ](?P<x>[\w-]{{2,40}}) (?P<n>{_RULE}){_END}", needles=_NAMES)),
    ("named", any_case(rf"{_AWAY} what (?:i|we) said about (?P<x>.{{2,80}}?){_END}", needles="said about")),
    (
        "named",
        any_case(
            rf"(?:i(?:'ve| have)? )?changed my mind (?:about|on) (?:using )?(?P<thing>{_THING}){_END}",
            needles="changed my mind",
        ),
    ),
    (
        "named",
        any_case(
            rf"(?:scrap|scratch|strike) that{_END}|(?:i )?take (?:that|it) back{_END}",
            needles="scrap that|scratch that|strike that|that back|it back",
        ),
    ),
    (
        "named",
        any_case(
            rf"{_THE} (?:no[- ](?P<y>[\w-]{{2,40}}) )?(?P<n>{_RULE}|{_CHOICE}|{_SETTING})"
            rf"(?: {_WHAT} (?P<x>.{{2,80}}?))?"
            r"(?: no longer (?:applies|holds|counts|stands|exists|matters)| (?:doesn't|does not) (?:apply|hold|count|"
            r"stand|matter) any ?more|(?:'s| is| was| has been)(?: now)? (?:off|gone|lifted|dropped|cancell?ed|revoked|"
            rf"void|obsolete|no longer (?:valid|in force|in place))){_END}",
            needles=_NAMES,
        ),
    ),
    (
        "not needed",
        any_case(
            r"(?:you|we|they|i|it) (?:no longer (?:have|need)s? to|(?:don't|do not|doesn't|need not|needn't)"
            rf"(?: have to| need to)?(?= .*\b(?:any ?more|any longer|from now on|after all)\b)) {_DEED}{_END}",
            needles="no longer|any more|anymore|any longer|from now on|after all",
        ),
    ),
    ("not needed", any_case(rf"(?:there(?:'s| is) )?no (?:more )?need to {_DEED}{_AGAIN}{_END}", needles="need to")),
    (
        "not needed",
        any_case(
            r"(?P<x>\w.{2,80}?) (?:is|are) (?:no longer (?:required|mandatory|needed|necessary)|optional"
            rf"{_AGAIN}){_END}",
            needles="no longer|optional",
            dear=True,
        ),
    ),
    (
        "allowed",
        any_case(
            rf"(?:you|everyone|people)(?: may| can|(?:'re| are)(?: now)? (?:allowed|free|welcome) to)"
            rf"(?: now| again)* {_DEED}{_END}",
            needles="you may|you can|everyone may|everyone can|people may|people can|allowed|free|welcome",
        ),
    ),
    ("allowed", any_case(rf"we(?: may| can)(?: now| again)* {_DEED}{_AGAIN}{_END}", needles="we may|we can")),
    ("allowed", any_case(rf"(?P<x>\w+ing (?:\w.{{0,80}}? )?)is {_FINE}{_END}", needles=_ALLOWS)),
    ("allowed", any_case(rf"it(?:'s| is)(?: now)? {_FINE}(?: now| again)? to {_DEED}{_END}", needles=_ALLOWS)),
    ("allowed", any_case(rf"feel free to {_DEED}{_END}", needles="feel free")),
    (
        "allowed",
        any_case(
            rf"(?P<x>\w.{{2,80}}?) (?:is|are)(?: now| again)*(?: {_FINE}{_AGAIN}| allowed| permitted|"
            rf" no longer (?:forbidden|prohibited|banned|off[- ]limits|disallowed)){_END}",
            needles=f"{_ALLOWS}| no longer",
            dear=True,
        ),
    ),
)
_MAY_TAKE_BACK = needles_of(*(pattern for _, pattern in _SAID))
_EXACTLY = any_case(r"forget the (?P<n>decision|constraint|goal|action) “(?P<x>.+)”", needles="forget the")
_GIVE_UP = r"(?:scrap|ditch|abandon|skip|cancel|shelve|leave out|forget(?: about)?)"
_WISH = r"(?P<thing>(?:to )?(?:the |our |that |this |an? |any )\S+(?: \S+){0,4}?|to \S+(?: \S+){1,6}?)"
_WHY = rf"{_AGAIN}*(?:,? (?:because|since|nobody|no one) .+)?[.! ]*"
_GIVEN_UP = (  # what is no longer wanted
    any_case(rf"{_GIVE_UP} {_THE} (?:last )?(?P<n>{_TASK})(?: {_WHAT} (?P<x>.{{2,80}}?))?{_WHY}"),
    any_case(rf"drop {_THE} (?:last )?(?P<n>{_TASK})(?: {_WHAT} (?P<x>.{{2,80}}?))?{_WHY}"),
    any_case(
        rf"(?:(?:let's |lets |we can |we'll |we should |please |just )*{_GIVE_UP}|drop(?! .*\b(?:tables?|columns?|"
        rf"index|schema|database|rows?)\b)|never ?mind about) (?P<thing>{_THING}){_WHY}"
    ),
    any_case(rf"never ?mind (?P<thing>(?-i:(?=[A-Z])){_NAME}){_WHY}"),
    any_case(rf"(?:(?:let's |lets |we can |we'll |we should |please |just )*get rid of) (?P<thing>{_NAME}){_WHY}"),
    any_case(rf"(?P<thing>{_NAME}) is(?: now)? out(?:, (?:it|too)\b.+)?{_WHY}"),
    any_case(rf"(?:we|i) no longer (?:need|want|plan|intend) {_WISH}{_WHY}"),
    any_case(
        r"(?:we|i) (?:don't|do not|won't|will not)(?: really| actually)? (?:need|want|plan)"
        rf"(?= .*\b(?:any ?more|any longer|after all)\b) {_WISH}{_AGAIN}{_WHY}"
    ),
    any_case(
        r"we(?: won't| will not| are not going to|'re not going to) (?:do|build|make|add|write|need|have) "
        rf"(?P<thing>{_THING}){_WHY}|we(?:'re| are) not (?:doing|building|making|adding|writing) "
        rf"(?P<thing2>{_THING}){_AGAIN}{_WHY}"
    ),
    any_case(rf"no (?P<thing>{_THING}) after all{_WHY}"),
    any_case(
        rf"(?P<thing>{_THING}) (?:is|are|'s)(?: now)? (?:off the table|cancell?ed|dropped|not happening|"
        rf"no longer (?:planned|wanted|happening)|not (?:needed|wanted|required){_AGAIN}){_WHY}",
        needles="off the table|cancel|dropped|not happening|no longer|not needed|not wanted|not required",
        dear=True,
    ),
)
_MAY_GIVE_UP = (  # one of these is always there
    *(
        "scrap",
        "ditch",
        "abandon",
        "skip",
        "cancel",
        "get rid of",
        " out",
        "shelve",
        "leave out",
        "forget",
        "drop",
        "mind",
        "no longer",
        "n't",
    ),
    *("not ", "off the table", "after all"),
)
_SORTS: tuple[tuple[Sort, re.Pattern[str]], ...] = (
    ("decision", any_case(_CHOICE)),
    ("constraint", any_case(_RULE)),
    ("setting", any_case(_SETTING)),
    ("task", any_case(_TASK)),
)


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """What is allowed or no longer needed, or what is named as taken back, of which sort of item: a "thing" is what was
    decided for. `words` are empty where it is only pointed to, and all of its words where that is said `exactly`."""

    says: Says
    words: str
    of: Sort = "constraint"
    exactly: bool = False


def withdrawn_in(seen: str) -> Withdrawal | None:
    """What a clause takes back, if that is all it says."""
    if len(seen) > _LONGEST:
        return None
    seen = " ".join(seen.split())
    if found := _EXACTLY.fullmatch(seen):
        return Withdrawal("named", found["x"], _sort_of(found["n"]), exactly=True)
    for says, pattern in _SAID if may_hold(seen, _MAY_TAKE_BACK) else ():
        if found := pattern.fullmatch(seen):
            named = found.groupdict()
            if thing := named.get("thing"):
                return Withdrawal(says, thing, "thing")
            sort = _sort_of(named.get("n") or "") if says == "named" else "constraint"
            words = named.get("x") or named.get("y") or (named["n"] if sort == "setting" else "")
            narrow = says != "named" and (NOT_FOR_GOOD.search(seen) or _FOR_THIS.search(words or ""))
            return None if narrow else Withdrawal(says, words or "", sort)
    return _given_up(seen)


def _given_up(seen: str) -> Withdrawal | None:
    """What is no longer wanted or used, by its name."""
    small = seen.lower()
    if not any(word in small for word in _MAY_GIVE_UP):
        return None
    for pattern in _GIVEN_UP:
        if found := pattern.fullmatch(seen):
            if NOT_FOR_GOOD.search(seen):
                return None
            named = found.groupdict()
            if thing := named.get("thing") or named.get("thing2"):
                return Withdrawal("named", thing.removeprefix("to "), "thing")
            return Withdrawal("named", named.get("x") or "", "task")
    return None


def takes_back(signal: Signal) -> bool:
    """Whether a signal names a decision or a rule as taken back, rather than a thing or what may be done."""
    found = withdrawn_in(signal.text) if signal.kind == "withdrawal" else None
    return found is not None and found.says == "named" and found.of != "thing"


def drops_thing(signal: Signal) -> bool:
    """Whether a signal takes back whatever was decided for a thing: "drop Redis"."""
    found = withdrawn_in(signal.text) if signal.kind == "withdrawal" else None
    return found is not None and found.of == "thing"


def _sort_of(noun: str) -> Sort:
    return next((sort for sort, pattern in _SORTS if pattern.fullmatch(noun)), "any")


def pointed_out(signal: Signal, earlier: Sequence[Message]) -> Signal:
    """ "Forget that decision" with the decision that the user told of lately, where it is clear which; "scratch that"
    with what was decided or demanded just before. `earlier` are the messages of the user."""
    found = withdrawn_in(signal.text) if signal.kind == "withdrawal" else None
    if found is None or found.says != "named" or found.words:
        return signal
    tasks = ("goal", "action") if found.of in ("task", "any") else ()
    kinds = (*(("decision", "constraint") if found.of == "any" else (found.of,)), *tasks)
    for message in reversed(earlier[-1 if found.of == "any" else -_REACH :]):
        said = [s for s in message.signals if s.kind in kinds]
        if said:
            exact = f"forget the {said[0].kind} “{said[0].text}”"
            return replace(signal, text=exact) if len(said) == 1 else signal
    return signal
