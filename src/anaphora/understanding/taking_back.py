"""Decisions that take another back: "scrap Redux, let's use Zustand" decides for the one instead of the other, and so
does "Zustand after all" where Redux was decided for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from anaphora.types import Message, Signal
from anaphora.understanding.beside import is_beside
from anaphora.understanding.clauses import after_lead, own_sentences
from anaphora.understanding.correcting import can_name
from anaphora.understanding.kinds import kind_in
from anaphora.understanding.patterns import any_case, expression, may_hold, needles_of
from anaphora.understanding.sentence_shapes import FILLER

__all__ = [
    "AFTER_ALL",
    "after_all",
    "decided_before",
    "in_place_of",
    "joined",
    "rethought",
    "says_instead",
    "taken_back",
]

_REACH = 3  # messages of the user in which "scrap that" looks for a decision
_SHORT = 100  # characters; a sentence that takes something back says little else
_NAME = r"(?P<x>(?!(?:more|less|fewer|any|too|up to|only|just|so)\b)(?:[^,;.:!?\n]|\.(?=\w)){1,60}?)"
_TAKE = r"(?:use|go (?:with|for)|stick (?:with|to)|switch (?:over |back )?to|take|pick|choose|adopt|keep)"
_TAKEN_BACK = any_case(
    r"(?:(?:scrap|scratch|strike|forget(?: about)?|ditch|abandon|stop using|(?:don't|do not|dont) use|drop|discard|"
    rf"never ?mind|instead of|not) {_NAME}|"
    r"(?:i(?:'ve| have)? )?changed my mind(?: (?:about|on) (?P<y>[^,;.:!?\n]{1,60}))?)"
    r"(?:\s*[,;:.!–—]+|\s+-+|\s+and)\s+(?:(?:and|but|so|then|no|actually|rather|just|please|instead),?\s+)*"
    rf"(?=(?:let's|lets|let us|we'll|we will|we should|i'll)\s|{_TAKE}\s)",
    needles="instead of|scrap|scratch|strike|forget|ditch|abandon|stop using|n't use|not |dont use|drop|discard|mind",
)
_TAKING_BACK = needles_of(_TAKEN_BACK)
_SAYS_INSTEAD = any_case(r"\W*(?:[\w'][\w' ]{0,19},\s*)*(?:let's|lets|let us|we'll|we should|i'll)\b.*\binstead\W*")
_INSTEAD = any_case(r",?\s+instead$")
_OVER = any_case(r"\b(?:instead of|rather than|in place of|over)\b")
AFTER_ALL = any_case(r",?\s+after all(?=$|\s+for (?:the|our|my|this)\b)")  # not "after all tests pass"
_ONLY_NAMED = any_case(
    r"(?:(?:oh|ok|okay|well|hmm+|no|nope|wait|sorry|actually|so|then|and)[,.!…]* )*"
    r"(?P<x>[\w.+#/-]+(?: [\w.+#/-]+){0,2}),? after all[.! ]*",
    needles="after all",
)
_ON_SECOND_THOUGHT = any_case(
    r"\W{0,5}(?:\w+[,.!…]{0,3} ){0,2}on second thoughts?\b", needles="second thought", dear=True
)
_NAMED = expression(r"(?:(?:the|an?) )?[A-Z0-9][\w'+#.-]*(?: [A-Z0-9][\w'+#.-]*){0,2}")
_ARTICLE = any_case(r"(?:the|an?) ")
_FOR = any_case(r"\s(?:for|as)\s+(?P<z>.+)$")
_REFUSED = any_case(r"(?:don't|decided against|drop)\b")
_THING = any_case(
    rf"(?:(?:also )?{_TAKE}\s+)?(?P<x>.+?)(?:,?\s+(?:for|as|in|on|at|when|during|to|instead|rather than|over|not)\b.*)?"
)
_MEANT = any_case(r"(?:the |that |this |all |whole |of )*(?:idea|plan|decision|choice|thing|one|last one|it|that|this)")


def taken_back(seen: str) -> tuple[str, int] | None:
    """What a sentence takes back before it decides for something else, "" where it only points to it, and where the
    rest of the sentence begins."""
    found = _TAKEN_BACK.match(seen, after_lead(seen)) if may_hold(seen, _TAKING_BACK) else None
    if found is None:
        return None
    named = (found["x"] or found["y"] or "").strip()
    return ("" if FILLER.fullmatch(named) or _MEANT.fullmatch(named) else named), found.end()


def joined(sentences: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The sentences, of which one that takes something back is told together with the decision that follows it."""
    found: list[tuple[str, str]] = []
    for said, seen in sentences:
        last = found[-1] if found else ("", "")
        if 0 < len(last[1]) < _SHORT:
            both = f"{last[0]} {said}", f"{last[1]} {seen}"
            back = taken_back(both[1])
            if back is not None and back[1] > len(last[1]):
                found[-1] = both
                continue
        found.append((said, seen))
    return found


def in_place_of(decision: Signal, named: str) -> Signal:
    """The decision, with what it takes the place of; "" where that is still to be told."""
    if _OVER.search(decision.text) or _REFUSED.match(decision.text):
        return decision
    alone = AFTER_ALL.sub("", _INSTEAD.sub("", decision.text))
    return replace(decision, text=f"{alone} instead of {named}" if named else f"{alone} instead")


def says_instead(signal: Signal) -> bool:
    """Whether it decides for something instead of what was said before."""
    return signal.kind == "decision" and _INSTEAD.search(signal.text) is not None


def decided_before(text: str, earlier: Sequence[Message]) -> str:
    """What "instead" stands against: the thing that the user decided for lately where the text takes that back, or just
    before it and in no other words; "" where that is not clear. `earlier` are the messages of the user."""
    if any(taken_back(seen) for _, seen in joined(own_sentences(text))):
        lately = [m for m in reversed(earlier[-_REACH:]) if _decisions(m)]
    else:
        said = _SAYS_INSTEAD.fullmatch(text.replace("’", "'"))
        lately = [m for m in earlier[-1:] if said and len(_decisions(m)) == 1 and len(own_sentences(m.text)) == 1]
    return _thing(_decisions(lately[0])[-1].text) if lately else ""


def after_all(text: str, earlier: Sequence[Message]) -> Signal | None:
    """What "Buttondown after all" decides for, where something was decided that it can take the place of."""
    found = _ONLY_NAMED.fullmatch(text.strip()) if len(text) <= _SHORT else None
    if found is None or not can_name(found["x"]) or not (_NAMED.fullmatch(found["x"]) or kind_in(found["x"])):
        return None
    said = Signal("decision", f"go with {found['x']} after all")
    meant = rethought(said, text, earlier)
    replaced = any(_is_against(d.text, found["x"]) for m in earlier for d in _decisions(m))
    return meant if meant.instead_of or replaced else None


def rethought(signal: Signal, text: str, earlier: Sequence[Message]) -> Signal:
    """A decision that comes "after all" or "on second thought", with the only one that was made lately and that it can
    take the place of. `text` is the message, `earlier` are those of the user before it."""
    if signal.kind != "decision" or not (AFTER_ALL.search(signal.text) or _ON_SECOND_THOUGHT.match(text)):
        return signal
    if _OVER.search(signal.text) or _REFUSED.match(signal.text) or is_beside(signal.text):
        return signal
    alone = AFTER_ALL.sub("", signal.text)
    told = [d for m in earlier[-_REACH:] for d in _decisions(m)]
    standing = [d for n, d in enumerate(told) if not any(_is_against(e.text, _thing(d.text)) for e in told[n + 1 :])]
    if any(_thing(d.text).lower() == _thing(alone).lower() for d in standing):
        return replace(signal, text=alone)
    just = earlier[-1].signals if earlier and len(own_sentences(earlier[-1].text)) == 1 else ()
    rivals = [d for d in standing if _may_replace(alone, d.text, named=d not in just)]
    if len(rivals) != 1:
        return signal
    return replace(in_place_of(signal, _thing(rivals[0].text)), instead_of=rivals[0].text)


def _is_against(decision: str, thing: str) -> bool:
    over = _OVER.search(decision)
    return over is not None and f" {thing.lower()} " in f" {decision[over.end() :].lower()} "


def _may_replace(newer: str, older: str, *, named: bool) -> bool:
    """Whether both are for things of one sort, and for no two purposes; things of no known sort are told by names,
    unless the one was decided for just before."""
    new, old = _thing(newer), _thing(older)
    kind, what, before = kind_in(new), _FOR.search(newer), _FOR.search(older)
    if kind != kind_in(old) or (what and before and what["z"].lower() != before["z"].lower()):
        return False
    if kind is None and not (can_name(_ARTICLE.sub("", new)) and new[-1:].isalpha()):
        return False
    return kind is not None or not named or bool(_NAMED.fullmatch(new) and _NAMED.fullmatch(old))


def _decisions(message: Message) -> list[Signal]:
    return [s for s in message.signals if s.kind == "decision" and not _REFUSED.match(s.text)]


def _thing(decision: str) -> str:
    found = _THING.fullmatch(decision)
    return found["x"] if found else decision
