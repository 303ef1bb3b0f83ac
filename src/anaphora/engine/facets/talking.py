"""Talking: what is said goes in, and what it means comes back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from anaphora.engine import forgetting, hearing, ingesting, intents
from anaphora.engine.beside import beside
from anaphora.engine.checks import (
    checked_each,
    checked_flag,
    checked_id_or_none,
    checked_key,
    checked_name,
    checked_text,
)
from anaphora.engine.facets.base import Base
from anaphora.types import Ingested, Message, OwnIntent, Question, Turn

if TYPE_CHECKING:
    from anaphora.engine.importing import Imported, Run
    from anaphora.formats.transcripts import Record

__all__ = ["Talking"]


class Talking(Base):
    """Hear, say, answer, ingest; intents of one's own."""

    def hear(
        self,
        text: str,
        *,
        at: datetime | None = None,
        speaker: str | None = None,
        id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Turn:
        """Take in what a user said. The same id and text twice is one message."""
        said = ingesting.checked_said(self._place, "user", text, at, speaker, id, metadata)
        with self._lock:
            forgetting.catch_up(self._place)
            turn, new = hearing.hear(self._place, said)
            if new:
                self._follow(turn)
            return turn

    def say(
        self,
        text: str,
        *,
        at: datetime | None = None,
        id: str | None = None,
        reply_to: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Message:
        """Take in what the assistant replied."""
        said = ingesting.checked_said(self._place, "assistant", text, at, None, id, metadata)
        said = replace(said, reply_to=checked_id_or_none(reply_to))
        with self._lock:
            forgetting.catch_up(self._place)
            message = hearing.say(self._place, said)
        self._later.wake()
        return message

    def answer(self, text: str, question: Question | str | None = None, *, at: datetime | None = None) -> Turn:
        """Answer the open question by letter, number or in words; a text that is no answer is heard as a message."""
        checked_text(text, self.settings.max_message_chars, "answer", empty="Give a letter, a number, or words.")
        id = question.id if isinstance(question, Question) else question
        if id is not None:
            checked_key("question", id)
        with self._lock:
            now = self._fresh(at)
            turn = self._place.change(lambda tx: hearing.answer_in(tx, self._place, text, id, now))
            if turn is None:
                return self.hear(text, at=now)
            self._follow(turn)
            return turn

    def ingest(
        self,
        messages: Iterable[Message | Mapping[str, Any]],
        *,
        session: str | None = None,
        by_rules: bool = False,
    ) -> Ingested:
        """Many at once, each through the same pass: mappings with text and, if known, role, at, speaker, id. They are
        stored in whole batches, and what has an id can be given again. `session` is another one than that of this
        memory; `by_rules` leaves the reader out, which is several times as fast and understands less."""
        place = self._place if session is None else self._place.within(checked_name("session", session))
        place = replace(place, reader=None) if checked_flag("by_rules", by_rules) else place
        messages = checked_each("messages", messages, "messages")
        done = Ingested()
        with beside(place) as second:
            for batch in ingesting.batches(place, messages):
                self._expire_when_idle()
                with self._later.held():
                    with self._lock:
                        forgetting.catch_up(self._place)
                        done = ingesting.take(place, batch, done, second)
                    second.help(meanwhile=self._later.piece)
                    second.store()
                self._later.wake()
            second.finish()
        return done

    def take_in(self, records: Iterable[Record], *, speaker: str | None = None) -> Imported:
        """What another program wrote down, as if it had been heard: each session under its own name, at its own times.
        What is known is not taken in twice, so that an import that was broken off can be run again."""
        from anaphora.engine import importing  # here: a hook takes nothing in, and must be quick

        done, open_one, live = importing.Imported(), "", ""
        skipped: Counter[str] = Counter()
        speaker = None if speaker is None else checked_name("speaker", speaker)
        for run in importing.runs(
            checked_each("records", records, "records"), self.settings.max_message_chars, speaker
        ):
            skipped.update(run.skipped)
            if run.begins:
                self._close_imported(open_one)
                open_one = ""
                if importing.is_live(self._place.view, run):
                    live, done = run.session, replace(done, live=done.live + 1)
            if not run.session or run.session == live:
                continue
            fresh = importing.unknown(self._place.view, run)
            found = self.ingest(fresh, session=run.session)
            found = replace(found, known=found.known + len(run.messages) - len(fresh))
            new = found.known < len(run.messages)  # else another process took in the rest meanwhile
            done = done.with_run(found, self._touch_imported(run) if new else 0)
            if new and not open_one:
                open_one, done = run.session, replace(done, sessions=done.sessions + 1)
        self._close_imported(open_one)
        return replace(done, skipped=dict(skipped))

    def _touch_imported(self, run: Run) -> int:
        from anaphora.engine import importing

        place = self._place.within(run.session)
        with self._lock:
            return place.change(lambda tx: importing.touch_files(tx, place, run.touched)) if run.touched else 0

    def _close_imported(self, session: str) -> None:
        """Nobody goes on with a session that was read from a file: what is open in it ends when it was last spoken."""
        from anaphora.engine import importing

        if session:
            place = self._place.within(session)
            with self._lock:
                place.change(lambda tx: importing.close(tx, place))

    # intents of one's own

    def define_intent(self, name: str, examples: Iterable[str], route: str | None = None) -> OwnIntent:
        """Teach an intent by 3 to 20 examples of what people say when they want it; again, and it is taught anew."""
        intent = intents.checked_intent(name, examples, route)
        with self._lock:
            return intents.define(self._place, intent, self._place.clock())

    @property
    def intents(self) -> tuple[OwnIntent, ...]:
        """The intents that were taught in this scope; the seven that are built in are not among them."""
        return intents.own_intents(self._place.view)

    def drop_intent(self, name: str) -> None:
        """Let go of an intent that was taught."""
        with self._lock:
            intents.drop(self._place, checked_key("name of an intent", name), self._place.clock())
