"""One running chat: its open conversation, and the question that waits for an answer."""

from __future__ import annotations

from dataclasses import dataclass, replace

from anaphora.engine.documents import made_of, put_value, value_of
from anaphora.ports import Transaction, View
from anaphora.types import Question

__all__ = ["Session", "read_session", "write_session"]

_KIND = "session"


@dataclass(frozen=True, slots=True)
class Session:
    """`before` is the conversation that was open when the waiting message came; `answer_id`, `answer_text` and
    `answered` are the last answer's id and words and the message that it was about, so that an answer sent twice is
    one answer."""

    name: str
    conversation_id: str | None = None
    question: Question | None = None
    before: str | None = None
    answer_id: str | None = None
    answer_text: str | None = None
    answered: str | None = None
    version: int = 0

    def without_question(self) -> Session:
        return replace(self, question=None, before=None)


def read_session(view: View, name: str) -> Session:
    document = view.document(_KIND, name)
    if document is None:
        return Session(name)
    return made_of(
        document, read_session, lambda: replace(value_of(Session, document), name=name, version=document.version)
    )


def write_session(tx: Transaction, session: Session) -> None:
    put_value(tx, _KIND, session.name, replace(session, version=0))
