"""Whether what is heard answers the open question, by what was said since and by the other conversations."""

from __future__ import annotations

from datetime import datetime

from anaphora.engine.answers import Answer, Since, chosen, is_bare_choice, named_elsewhere, passes_on, with_more
from anaphora.engine.conversations import queue_of
from anaphora.engine.sessions import Session
from anaphora.ports import Line, View
from anaphora.settings import Settings
from anaphora.types import Message, Option, Question
from anaphora.understanding.choices import find_choices
from anaphora.understanding.offers import find_offer
from anaphora.understanding.reading import Draft

__all__ = ["answer_of", "settling"]


def answer_of(view: View, text: str, at: datetime, session: Session, draft: Draft, settings: Settings) -> Answer | None:
    """What the text answers to the open question; None where it is a message, as which `draft` reads it."""
    question = session.question
    if question is None:
        return None
    offered = [option.conversation_id for option in question.options]
    if draft.boundary.resumes not in (None, session.before, *offered):
        return None  # "resume the second conversation" is no "B"
    last = (draft.past.recent or draft.past.window)[-1:]
    since: Since = "nothing"
    if last and last[0].role == "assistant" and not passes_on(last[0].text, question):
        if not is_bare_choice(text) and _answers_a_reply(text, last[0]):
            return None
        since = "reply long ago" if at - last[0].at >= settings.gap_same else "reply"
    option = settling(view, text, session, question, since)
    return Answer(option) if option else with_more(text, question)


def settling(view: View, text: str, session: Session, question: Question, since: Since = "nothing") -> Option | None:
    """The option that the text takes, or another conversation that it names as the one where the message belongs."""
    message = view.message(question.message_id)
    if message is not None and since != "reply long ago":
        elsewhere = named_elsewhere(text, question, queue_of(view), session.before, message.conversation_id)
        if elsewhere is not None:
            return elsewhere
    return chosen(text, question, since)


def _answers_a_reply(text: str, reply: Message) -> bool:
    """Whether a text answers what the assistant asked or listed just before, after the memory had asked."""
    lines = [Line(reply.text, mine=False)]
    return bool(find_choices(text, lines)) or find_offer(text, lines) is not None
