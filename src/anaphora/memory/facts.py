"""Facts about people: what each is about, so that a newer one takes the place of an older one on the same topic.

A fact whose topic cannot be told stands beside all others: losing one is worse than keeping two."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from anaphora.memory import fact_shapes as shapes
from anaphora.types import Decision, Note
from anaphora.understanding.beside import is_one_more
from anaphora.understanding.kinds import kind_in
from anaphora.understanding.once import when_forgotten
from anaphora.understanding.passing import parted
from anaphora.understanding.patterns import any_case, expression

__all__ = ["Topic", "changes_facts", "left_for", "replaces", "settle", "topic_of", "with_fact"]

_READ = 300  # characters of a fact that are looked at
_SWITCHED = any_case(r"(?:switch|migrate|move)(?: over| back)? (?=to |from )")
_WORKS_THERE = expression(r"\s(?:at|for)\s(?P<x>[A-Z][\w&.-]*(?: [A-Z][\w&.-]*)*)[.! ]*$")
_NAME_OF = "my {k}'s name"  # "my manager is German" gives none


@dataclass(frozen=True, slots=True)
class Topic:
    """What a fact is about (`key`), what it says of it (`value`), and how: as something that has ended, that has
    changed, or that is so only for a while (`passing`). `kind` is the sort of thing that the value is, `over` what it
    is preferred to, or what was left for it."""

    key: str
    value: str = ""
    ended: bool = False
    changed: bool = False
    kind: str | None = None
    over: str = ""
    passing: bool = False


def replaces(newer: str, older: str) -> bool:
    """Whether the newer fact, of the same speaker, leaves the older one past."""
    new, old = topic_of(newer), topic_of(older)
    if new is None or old is None:
        return False
    if new.passing and not old.passing:
        return False
    if is_one_more(newer):
        return (new.key, new.value) == (old.key, old.value) and not new.ended
    if new.key == "lives" and new.over and old.key == new.key:  # "moved from Word to Docs" is no other town
        return new.over == old.value
    if new.key == "parted":
        return old.key in shapes.PARTNERS and (not new.value or new.value == old.value)
    if new.key == "works at" and old.key == "works as" and (place := _WORKS_THERE.search(older)):
        return (_value(place["x"]) == new.value) if new.ended else (_value(place["x"]) != new.value)
    if new.key == old.key:
        return not new.ended or not new.value or new.value == old.value
    if new.ended and new.key.startswith("taste:") and old.key.startswith("prefers:"):
        return bool(new.value) and new.value == old.value
    if new.key.startswith("prefers:") and old.key.startswith("prefers:"):
        return bool(new.value and new.value == old.over) or bool(old.value and old.value == new.over)
    in_use = new.key.startswith("uses:") and old.key.startswith(("uses:", "my "))
    left = bool(new.over) and new.over == old.value
    return in_use and new.changed and (left or (new.kind is not None and new.kind == old.kind))


def with_fact(facts: Sequence[Note], fact: Note) -> tuple[Note, ...]:
    """The facts and one more, the newest on its topic standing; the others are past by it, or it is past by them."""
    rivals = [f for f in facts if fact.open and f.open and f.speaker == fact.speaker]
    newer = next((f for f in rivals if f.at > fact.at and replaces(f.text, fact.text)), None)
    if newer is not None:
        return (*facts, replace(fact, until=newer.at, replaced_by=newer.id))
    older = {f.id for f in rivals if replaces(fact.text, f.text)}
    return (*(replace(f, until=fact.at, replaced_by=fact.id) if f.id in older else f for f in facts), fact)


def changes_facts(decision: str) -> bool:
    """Whether a decision may leave a fact past."""
    return _SWITCHED.match(decision) is not None


def left_for(facts: Sequence[Note], decision: Decision) -> tuple[Note, ...]:
    """The facts of which those are past that a decision changes: "switch to pnpm" after "we use npm"."""
    changed = _SWITCHED.match(decision.text)
    if changed is None:
        return tuple(facts)
    told = f"switched {decision.text[changed.end() :]}"
    return tuple(
        replace(f, until=decision.at, replaced_by=decision.id)
        if f.open and f.at <= decision.at and f.speaker == decision.author and replaces(told, f.text)
        else f
        for f in facts
    )


def settle(facts: Sequence[Note]) -> tuple[Note, ...]:
    """The facts with the newest on each topic standing."""
    settled: tuple[Note, ...] = ()
    for fact in facts:
        settled = with_fact(settled, fact)
    return settled


# --- topics -------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def topic_of(text: str) -> Topic | None:
    """What a fact is about; None where that cannot be told. In the first person or the third: "I live in Rome" and
    "lives in Rome" are about the same."""
    said, time = parted(shapes.REASON.sub("", " ".join(text[:_READ].replace("’", "'").split())).rstrip(".! "))
    ended, changed = bool(shapes.ENDED.search(said)), bool(shapes.CHANGED.search(said))
    if name := shapes.I_AM.fullmatch(said):
        return None if name[1].lower() in shapes.PEOPLES else Topic("name", _value(name[1]))
    plain = " ".join(shapes.ADVERBS.sub(" ", _as_told(said)).split())
    tool = _by_use(plain)
    topic = tool if tool and tool.kind else _by_rule(plain) or tool or _by_taste(plain) or _by_possession(plain)
    passing = bool(time) and topic is not None and topic.key != "age"  # who turns 35 today stays so
    return None if topic is None else replace(topic, ended=ended, changed=changed, passing=passing)


when_forgotten(topic_of.cache_clear)


def _as_told(said: str) -> str:
    """Without who it is said of; "I'm" and "I am" are "am"."""
    said = re.sub(r"^(?:I|i|we|We)(?:'m|'re| am| are)\s+", "am ", said)
    return shapes.SUBJECT.sub("", said, count=1) if shapes.SUBJECT.match(said) else said


def _by_rule(plain: str) -> Topic | None:
    for key, pattern in (*shapes.OF_KIN, *shapes.RULES):
        if match := pattern.fullmatch(plain):
            found = {name: text for name, text in match.groupdict().items() if text}
            if key == _NAME_OF and found.get("x", "").lower() in shapes.PEOPLES:
                continue
            value = _value(found.get("x") or found.get("y") or "")
            kin = " ".join(map(_singular, found.get("k", "").lower().split()))
            over = _value(found.get("old", ""))
            return Topic(key.format(x=value, k=kin, v=found.get("v", "").lower()), value, over=over)
    return None


def _by_use(plain: str) -> Topic | None:
    """A tool by its name without its version, and where it is used; of one sort of tool people may use several."""
    match = shapes.USES.fullmatch(plain)
    if match is None:
        return None
    named, where = _split(match["x"])
    named = shapes.VERSION.sub("", named)
    over = _value(shapes.VERSION.sub("", match["old"] or ""))
    key = f"uses:{_in_place(_value(named), where)}"
    return Topic(key, _value(named), kind=_in_place(kind_in(named), where), over=over)


def _by_taste(plain: str) -> Topic | None:
    if match := shapes.FAVOURITE.fullmatch(plain):
        return Topic(match["k"].lower().replace("favorite", "favourite").replace("color", "colour"), _value(match["x"]))
    if match := shapes.PREFERS.fullmatch(plain):
        return _preferred(match["x"])
    if match := shapes.TASTE.fullmatch(plain):
        liked = _value(match["x"])
        return Topic(f"taste:{liked}", liked)
    if match := shapes.HABIT.fullmatch(plain):
        done = _value(match["x"])
        return Topic(f"habit:{_singular(match['v'].lower())}:{done}", done)
    return None


def _preferred(said: str) -> Topic:
    """One answer to one question: of two sorts of indentation, of short and long answers, one is preferred."""
    over = shapes.AGAINST.search(said)
    chosen, where = _split(said[: over.start()] if over else said)
    second, other_where = _split(over["over"]) if over else ("", "")
    where = where or other_where
    value = _value(chosen)
    kind = kind_in(chosen) or (kind_in(second) if second else None)
    asked = kind or (_value_words(chosen)[-1] if _value_words(chosen) else value)
    return Topic(f"prefers:{_in_place(asked, where)}", value, kind=_in_place(kind, where), over=_value(second))


def _by_possession(plain: str) -> Topic | None:
    match = shapes.MINE.fullmatch(plain)
    if match is None:
        return None
    value = match["x"] or match["y"]
    return Topic(f"my {(match['k'] or match['j']).lower()}", _value(value), kind=_in_place(kind_in(value), ""))


def _split(said: str) -> tuple[str, str]:
    """A thing, and where or when that is so."""
    found = shapes.QUALIFIED.search(said)
    return (said[: found.start()], _value(found["q"])) if found else (said, "")


def _in_place(kind: str | None, where: str) -> str | None:
    return f"{kind} {where}".rstrip() if kind else None


def _value(text: str) -> str:
    return " ".join(_value_words(text))


def _value_words(text: str) -> list[str]:
    """The words that tell, in one form: no article, no plural, no capitals."""
    text = shapes.ARTICLE.sub("", text.strip(" ,.;:!"))
    return [_singular(w) for w in re.findall(r"[\w@.+#/-]+", text.lower()) if w not in shapes.SMALL]


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
