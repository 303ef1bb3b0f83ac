"""Which decision takes the place of which: "let's use Postgres" after "let's use SQLite", where both clearly answer the
same question. Two decisions that may stand side by side do."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from anaphora.function_words import FUNCTION_WORDS
from anaphora.memory.terms import stem
from anaphora.types import Decision, Note, State
from anaphora.understanding.beside import is_beside, without_also
from anaphora.understanding.kinds import kind_in
from anaphora.understanding.once import when_forgotten
from anaphora.understanding.passing import parted
from anaphora.understanding.patterns import any_case
from anaphora.understanding.taking_back import AFTER_ALL
from anaphora.understanding.values import same_but_for_values

__all__ = ["LOOSE", "chosen_in", "said_again", "supersedes", "with_decision"]

_READ = 300  # characters of a decision that are looked at
LOOSE = ("colour", "drink")  # sorts of which there are many in one project: clear only for one purpose
_STORES = {"database", "cache"}  # for one purpose the one or the other


_NOT = any_case(r"(?:don't|do not|never|not|stop|drop|remove|decided against|no longer|avoid)\s+(?:us(?:e|ing)\s+)?")
_TAKE = any_case(
    r"(?:(?:now|rather|just|only|we'll|let's)\s+)*(?:use|using|go(?:ing)? (?:with|for)|stick (?:with|to)|"
    r"switch (?:over |back )?to|move (?:over |back )?to|migrate to|choose|pick|keep|adopt|stay (?:with|on)|settle on|"
    r"standardi[sz]e on|rely on|opt for|deploy (?:to|on|with)|host on|write it in)\s+"
)
_REPLACE = any_case(
    r"replace (?P<old>.+?) (?:with|by) (?P<new>.+)|(?:switch|move|migrate) from (?P<from>.+?) to (?P<to>.+)"
)
_INSTEAD = any_case(r",?\s+(?:instead of|rather than|in place of|over|not|and not)\s+(?P<old>.+)$")
_CHANGES = any_case(r"(?:switch|move|migrate) (?:over |back )?to\b|.+?,?\s+instead(?=[.! ]*$)")
_LEFT_OUT = any_case(r",?\s+instead$")  # of what is not said
_PURPOSE = any_case(r"\s+(?:for|as|in|on|at|when|during|to)\s+(?P<z>.+)$")
_SETTING = any_case(
    r"(?:(?:set|keep|put|limit|raise|lower|change|increase|reduce|rename|cap) )?(?:the |our )?(?P<s>[\w .-]{2,60}?)"
    r"(?: is| will be| should be| must be| stays| to| at|:| =) (?P<v>(?:\D{0,12})\d[\w.,% ]*)"
)
_SEVERAL = any_case(r"\band\b|,|\bor\b|\bplus\b|&")


@dataclass(frozen=True, slots=True)
class _Choice:
    """What was chosen or refused, what for, what it is chosen over; or a value for something (`setting`)."""

    thing: frozenset[str]
    purpose: frozenset[str]
    kind: str | None = None
    refused: bool = False
    over: frozenset[str] = frozenset()
    over_kind: str | None = None
    setting: frozenset[str] = frozenset()
    beside: bool = False  # said as one more
    again: bool = False  # said "after all"
    said: str = ""  # without for how long
    passing: bool = False


def with_decision(state: State, newest: Decision | Note) -> State:
    """The state with those decisions marked that a new one takes the place of; so does a constraint that forbids what
    was decided, and a decision for what a constraint forbids."""
    if isinstance(newest, Note) and not _read(newest.text).refused:
        return state
    left = _the_only_rival(state, newest)
    earlier = tuple(
        replace(d, superseded_by=newest.id)
        if d.id in left or (d.id != newest.id and d.open and d.at <= newest.at and supersedes(newest.text, d.text))
        else d
        for d in state.decisions
    )
    banned = tuple(
        replace(c, until=newest.at, replaced_by=newest.id)
        if isinstance(newest, Decision) and c.open and c.at <= newest.at and _was_banned(newest.text, c.text)
        else c
        for c in state.constraints
    )
    return replace(state, decisions=earlier, constraints=banned)


def _the_only_rival(state: State, newest: Decision | Note) -> set[str]:
    """ "Switch to Postgres" leaves the only database there is, whatever that was for."""
    if not isinstance(newest, Decision) or _CHANGES.match(newest.text) is None:
        return set()
    new = _read(newest.text)
    earlier = ((d, _read(d.text)) for d in state.decisions if d.id != newest.id and d.open and d.at <= newest.at)
    rivals = [
        d.id
        for d, choice in earlier
        if choice.kind == new.kind is not None
        and not (choice.refused or choice.passing)
        and choice.thing != new.thing  # "back to Postgres" leaves what came between
    ]
    clear = not (new.purpose or new.refused or new.beside or new.passing or new.over or new.kind in LOOSE)
    return set(rivals) if clear and len(rivals) == 1 else set()


def said_again(state: State, decision: Decision) -> State:
    """The state in which a decision that stands is said once more: what was decided for a while since then is over."""
    known = next((d for d in state.decisions if d.open and d.text.lower() == decision.text.lower()), None)
    if known is None or _read(known.text).passing:
        return state
    by = decision.message_id or known.id
    over = tuple(
        replace(d, superseded_by=by)
        if d.open and d.at <= decision.at and _read(d.text).passing and supersedes(known.text, d.text)
        else d
        for d in state.decisions
    )
    return replace(state, decisions=over)


def _was_banned(decision: str, constraint: str) -> bool:
    """Whether a decision is for the very thing, and for the same purpose, that a constraint forbids."""
    new, old = _read(decision), _read(constraint)
    same = bool(new.thing) and (new.thing, new.purpose) == (old.thing, old.purpose)
    return same and old.refused and not new.refused and (old.passing or not new.passing)


def supersedes(newer: str, older: str) -> bool:
    """Whether the newer decision clearly answers the question that the older one answered."""
    new, old = _read(newer), _read(older)
    if new.passing != old.passing and (new.passing or _is_same(new, old)):
        return old.passing  # what holds for good takes the place of the same for a while
    if new.thing and not new.refused and not new.beside and same_but_for_values(new.said, old.said):
        return True
    if new.setting or old.setting:
        return bool(new.setting) and new.setting == old.setting
    same_purpose = new.purpose == old.purpose
    if new.over and new.over == old.thing and not old.refused:
        return same_purpose or not new.purpose or not old.purpose
    back = new.thing and new.thing == old.over  # to what it had replaced
    if back and not (new.refused or new.beside or old.refused):
        return same_purpose or not new.purpose or not old.purpose
    if new.thing and new.thing == old.thing and new.refused != old.refused:
        return same_purpose or not new.purpose or not old.purpose
    same_thing = new.thing <= old.thing or old.thing <= new.thing  # "a Redis client" is no other cache than Redis
    if new.beside or new.refused or old.refused or same_thing or not same_purpose:
        return False
    if new.purpose and ({new.kind, old.kind} <= _STORES or (new.again and new.kind == old.kind)):
        return True
    if new.over_kind == new.kind and new.over.isdisjoint(old.thing):  # in the place of another of its sort
        return False
    return new.kind is not None and new.kind == old.kind and (bool(new.purpose) or new.kind not in LOOSE)


def _is_same(new: _Choice, old: _Choice) -> bool:
    """Whether both decide the same, for however long."""
    mine, other = (new.thing, new.purpose, new.refused), (old.thing, old.purpose, old.refused)
    return new.said.lower() == old.said.lower() or (bool(new.thing) and mine == other)


def chosen_in(decision: str) -> frozenset[str]:
    """The words, in one form, of what a decision is for; none where it is against something."""
    read = _read(decision)
    return frozenset() if read.refused else read.thing


@lru_cache(maxsize=4096)
def _read(text: str) -> _Choice:
    plain, time = parted(" ".join(text[:_READ].replace("’", "'").split()).rstrip(".! "))
    said = AFTER_ALL.sub("", plain)
    choice = _choice(without_also(said))
    return replace(choice, said=said, passing=bool(time), beside=is_beside(text), again=said != plain)


when_forgotten(_read.cache_clear)


def _choice(said: str) -> _Choice:
    if setting := _SETTING.fullmatch(said):
        return _Choice(frozenset(), frozenset(), setting=_words(setting["s"]))
    refused = _NOT.match(said)
    said = said[refused.end() :] if refused else said
    over = ""
    if swapped := _REPLACE.fullmatch(said):
        over, said = swapped["old"] or swapped["from"], swapped["new"] or swapped["to"]
    taken = _TAKE.match(said)
    said = said[taken.end() :] if taken else said
    if not (taken or over or refused):
        return _Choice(frozenset(), frozenset())
    said = _LEFT_OUT.sub("", said)
    if instead := _INSTEAD.search(said):
        over, said = instead["old"], said[: instead.start()]
    over, purpose_there = _parted(over)
    said, purpose = _parted(said)
    kind = None if _SEVERAL.search(said) else kind_in(said)
    return _Choice(_words(said), _words(purpose or purpose_there), kind, bool(refused), _words(over), kind_in(over))


def _parted(said: str) -> tuple[str, str]:
    """A thing, and what it is for."""
    found = _PURPOSE.search(said)
    return (said[: found.start()], found["z"]) if found else (said, "")


def _words(said: str) -> frozenset[str]:
    return frozenset(stem(w) for w in re.findall(r"[\w.+#/-]+", said.lower()) if w not in FUNCTION_WORDS)
