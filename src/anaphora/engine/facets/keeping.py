"""The log, files, forgetting: what is kept, and what is not."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from anaphora.engine import ageing, forgetting, retention
from anaphora.engine.checks import checked_file, checked_flag, checked_key, checked_label, checked_name, checked_text
from anaphora.engine.facets.base import Base
from anaphora.errors import InputError
from anaphora.types import ExportFormat, Forgotten, Ingested, Message

__all__ = ["Keeping"]


class Keeping(Base):
    """Load, log, clear, forget, export, import, verify."""

    def load(self) -> list[dict[str, Any]]:
        """The window: the last messages of the open conversation, as plain records."""
        from anaphora.engine import transfer  # here: a hook needs no files, and must be quick

        self._fresh(None)
        return transfer.load(self._place.view, self._place)

    def log(
        self,
        message: str,
        *,
        intent: str,
        session_id: str | None = None,
        context_ref: str | None = None,
        at: datetime | None = None,
    ) -> Message:
        """Write a message to the log as it is told, without understanding it. `session_id` names its conversation."""
        from anaphora.engine import transfer

        text = checked_text(message, self.settings.max_message_chars)
        intent = checked_label("intent", intent)
        session_id = None if session_id is None else checked_name("session id", session_id)
        context_ref = None if context_ref is None else checked_label("context reference", context_ref)
        now = self._fresh(at)
        self._expire_when_idle()
        with self._lock:
            return self._place.change(
                lambda tx: transfer.log(tx, self._place, text, intent, session_id, context_ref, now)
            )

    def clear(self) -> int:
        """Delete the open conversation with all its messages, for good; how many messages that were."""
        now = self._fresh(None)
        with self._lock:
            self._follower.clear()
            return self._place.change(lambda tx: retention.clear(tx, self._place, now))

    def forget(self, *, message: str | None = None, conversation: str | None = None, user: bool = False) -> Forgotten:
        """Forget one message, one conversation, or everything of this user in all agents and projects: out of the
        rows, the index, the vectors, what was gathered from them, free pages and logs. `notes` name what may still
        hold it, such as backups."""
        checked_flag("user", user, "forget(user=True) forgets the user that this memory was opened for.")
        if (message is not None) + (conversation is not None) + user != 1:
            raise InputError("Say what to forget: a message, a conversation, or the user.")
        message = None if message is None else checked_key("id of a message", message)
        now = self._place.clock()
        place = self._place
        with self._lock:
            self._follower.clear()
            scopes, count = 0, 0
            if message is not None:
                count = place.change(lambda tx: forgetting.forget_message(tx, place, message, now))
            elif conversation is not None:
                count = place.change(lambda tx: forgetting.forget_conversation(tx, place, conversation, now))
            else:
                scopes, count = forgetting.forget_user(place)
            forgetting.let_go_of_texts(place)
            return Forgotten(count, scopes, tuple(place.store.scrub()))

    def prune(self, older_than: timedelta) -> Forgotten:
        """Forget every conversation that was not used for so long, for good."""
        if not isinstance(older_than, timedelta) or older_than < timedelta(0):
            raise InputError(f"An age is a timedelta that is not negative, not {older_than!r}.")
        place = self._place
        with self._lock:
            self._follower.clear()
            count, messages = ageing.prune(place, older_than, place.clock())
            forgetting.let_go_of_texts(place)
            return Forgotten(messages, 0, tuple(place.store.scrub()) if count else ())

    def export(self, path: str | Path, format: ExportFormat = "anaphora", *, whole_user: bool = False) -> int:
        """Write everything of this scope, or of this user in all agents and projects, to a file (in the format quaid to
        a folder); how many messages it holds."""
        from anaphora.engine import folders, transfer

        file = checked_file("path", path)
        now = self._fresh(None)
        if checked_flag("whole_user", whole_user):
            return transfer.export_user(self._place, file, format, now)
        if format == "quaid":
            return folders.export_folder(self._place, file)
        return transfer.export(self._place, file, format, now)

    def verify(self) -> list[str]:
        """What is wrong with this scope in the store, in words; empty if it is whole."""
        return self._place.store.verify(self.scope)

    def import_file(self, path: str | Path, format: ExportFormat | None = None) -> Ingested:
        """Take in a file, or a folder .quaid/context, that was exported; all of it, or nothing if it is damaged. Twice
        is once."""
        from anaphora.engine import folders, transfer

        file = checked_file("path", path)
        with self._lock:
            if format in (None, "quaid") and folders.is_folder(file):
                return folders.import_folder(self._place, file, self._place.clock())
            return transfer.import_file(self._place, file, format, self._place.clock())
