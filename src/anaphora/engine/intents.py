"""The intents of the user's own: defined, kept with the scope for all its sessions, and made ready for hearing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from anaphora.codec import to_plain
from anaphora.engine.checks import checked_each, checked_example, checked_name
from anaphora.engine.documents import value_of
from anaphora.engine.place import Place
from anaphora.errors import InputError, MissingExtra, NotFound
from anaphora.ports import Embedder, Transaction, View
from anaphora.types import Event, OwnIntent
from anaphora.understanding.intents import INTENTS
from anaphora.understanding.own_intents import Prototypes, Taught, prototypes_of
from anaphora.understanding.patterns import expression

__all__ = ["checked_intent", "define", "drop", "own_intents", "taught", "unlearn", "write_intent"]

_KIND = "intent"
_FEWEST, _MOST = 3, 20  # examples of an intent
_INTENTS = 100  # of a scope: each message is compared with all of them
_LEARNED_AT_MOST = 500  # intents of all scopes that a process keeps at hand
_NAME = expression(r"[\w-]{1,40}")
_TAKEN = {name.lower() for name in (*INTENTS, "unknown")}


def define(place: Place, intent: OwnIntent, now: datetime) -> OwnIntent:
    """Teach an intent, in place of one that has the name already."""
    _learned(place.embedder(), [intent])  # before anything is stored: it may be that nothing can be learned here

    def write(tx: Transaction) -> None:
        write_intent(tx, intent)
        tx.emit(Event("intent.defined", now, place.session, author=place.author, data={"intent": intent.name}))

    place.change(write)
    return intent


def drop(place: Place, name: str, now: datetime) -> None:
    """An intent is known no more; messages that had it keep it."""

    def remove(tx: Transaction) -> None:
        if not tx.drop(_KIND, name.lower()):
            remedy = "It is built in." if name.lower() in _TAKEN else "'anaphora intents' lists them."
            raise NotFound(f"There is no intent {name!r} of your own.", remedy=remedy)
        tx.emit(Event("intent.dropped", now, place.session, author=place.author, data={"intent": name}))

    place.change(remove)


def own_intents(view: View) -> tuple[OwnIntent, ...]:
    """Those that the scope has, in the order in which they were first defined."""
    return tuple(value_of(OwnIntent, document) for document in view.documents(_KIND))


def write_intent(tx: Transaction, intent: OwnIntent) -> None:
    here = {document.id for document in tx.documents(_KIND)}
    if intent.name.lower() not in here and len(here) >= _INTENTS:
        raise InputError(f"There are {_INTENTS} intents already.", remedy="Remove one first.")
    tx.put(_KIND, intent.name.lower(), to_plain(intent, lean=True))


def checked_intent(name: str, examples: Iterable[str], route: str | None) -> OwnIntent:
    """The intent as it may be stored: a name of its own, and enough examples, without the secrets in them."""
    checked_name("name of an intent", name)
    if not _NAME.fullmatch(name):
        raise InputError(
            f"{name!r} is no name for an intent.", remedy="Use 1 to 40 letters, digits, _ and -, such as 'deploy'."
        )
    if name.lower() in _TAKEN:
        raise InputError(f"The intent {name!r} is built in.", remedy="Choose another name.")
    texts = checked_each("examples", examples, "texts")
    found = [checked_example(f"example {number}", example) for number, example in enumerate(texts, 1)]
    alike: dict[str, str] = {}
    for example in found:
        alike.setdefault(" ".join(example.lower().split()), example)
    distinct = tuple(alike.values())
    if not _FEWEST <= len(distinct) <= _MOST:
        raise InputError(
            f"An intent needs {_FEWEST} to {_MOST} different examples, and {name!r} has {len(distinct)}.",
            remedy="Give what people say when they want it, each in other words.",
        )
    return OwnIntent(name, distinct, None if route is None else checked_name("route", route))


# --- made ready for hearing ---------------------------------------------------------------------------------------


_KEPT: dict[tuple[str, OwnIntent], Prototypes] = {}
"""What was learned, by embedder and intent, so that it is learned once a process."""


def taught(view: View, place: Place) -> Taught | None:
    """The scope's own intents for the pass; None where it has none, and then no embedder is asked for. Where the
    embedder is not installed the built-in intents do without them."""
    intents = own_intents(view)
    if not intents:
        return None
    try:
        embedder = place.embedder()
        return Taught(embedder, _learned(embedder, intents))
    except MissingExtra:
        return None


def unlearn() -> None:
    """Keep nothing of what was learned; it is learned again from what is stored."""
    _KEPT.clear()


def _learned(embedder: Embedder, intents: Sequence[OwnIntent]) -> tuple[Prototypes, ...]:
    return tuple(_learn(embedder, intent) for intent in intents)


def _learn(embedder: Embedder, intent: OwnIntent) -> Prototypes:
    known = _KEPT.get((embedder.name, intent))
    if known is None:
        known = prototypes_of(intent, embedder.embed(intent.examples))
        if len(_KEPT) >= _LEARNED_AT_MOST:
            _KEPT.clear()
        _KEPT[embedder.name, intent] = known
    return known
