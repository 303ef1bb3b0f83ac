"""Summaries by a language model, where one is configured: off the message's path, and done without where it fails."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from anaphora.codec import from_plain, parse_time, time_text, to_plain
from anaphora.engine import conversations
from anaphora.engine.place import Place
from anaphora.engine.sessions import read_session
from anaphora.engine.traces import FAILURE, WRITTEN
from anaphora.errors import ServiceUnavailable
from anaphora.memory.digest import Digest
from anaphora.memory.written import SYSTEM, Written, asked, tidy, told
from anaphora.ports import LanguageModel, Transaction, View
from anaphora.types import Conversation, Message

__all__ = ["failure_of", "write", "written_summary"]

_MOST = 60  # messages that are sent at once; of more the newest
_AGAIN = timedelta(minutes=10)  # after a failure


def write(place: Place) -> bool:
    """The job: have the open conversation summarised, if it is due; never more than one call at a time."""
    model, view = place.language, place.view
    if model is None:
        return False
    found = conversations.read_conversation(view, read_session(view, place.session).conversation_id)
    if found is None or not _due(place, view, found):
        return False
    before = _written(view, found.id)
    since = before.upto if before else 0
    messages = view.messages(conversation=found.id, after=since)[-_MOST:]
    if messages:
        _ask(place, model, found, before, messages)
    return False


def written_summary(place: Place, conversation: Conversation, digest: Digest) -> str | None:
    """What the model wrote last, with what it does not tell; None where there is none, or it is too old."""
    if place.language is None:
        return None
    found = _written(place.view, conversation.id)
    if found is None or conversation.message_count - found.messages > 2 * place.settings.summary_every:
        return None
    limit = place.settings.summary_tokens
    return told(found, digest, place.counter().count, limit)


def failure_of(view: View) -> tuple[datetime, str] | None:
    """When and how the last call failed; None where it did not."""
    document = view.document(*FAILURE)
    return None if document is None else (parse_time(document.body["at"]), str(document.body["said"]))


def _due(place: Place, view: View, conversation: Conversation) -> bool:
    every = place.settings.summary_every
    before = _written(view, conversation.id)
    if conversation.message_count // every <= (before.messages if before else 0) // every:
        return False
    failed = failure_of(view)
    return failed is None or place.clock() - failed[0] >= _AGAIN


def _ask(
    place: Place, model: LanguageModel, conversation: Conversation, before: Written | None, messages: list[Message]
) -> None:
    """The call is made outside of any transaction; its answer counts if what it tells of is still there."""
    from anaphora.engine.summarising import still_there

    try:
        answer = model.complete(SYSTEM, asked(before.text if before else "", messages))
        text = tidy(answer, place.counter().count, place.settings.summary_tokens)
        if not text:
            raise ServiceUnavailable(f"The language model {model.name!r} gave an empty answer.")
    except ServiceUnavailable as error:
        failure: dict[str, Any] = {"at": time_text(place.clock()), "said": error.args[0]}
        place.change(lambda tx: tx.put(*FAILURE, failure))
        return
    last = messages[-1].seq
    made = Written(conversation.id, text, model.name, conversation.message_count, last, place.clock())

    def keep(tx: Transaction) -> None:
        tx.drop(*FAILURE)
        stored = tx.document(WRITTEN, conversation.id)
        same = (stored is None) == (before is None) and (before is None or _written(tx, conversation.id) == before)
        if same and still_there(tx, messages):
            tx.put(WRITTEN, conversation.id, to_plain(made, lean=True))

    place.change(keep)


def _written(view: View, id: str) -> Written | None:
    document = view.document(WRITTEN, id)
    return None if document is None else from_plain(Written, document.body)
