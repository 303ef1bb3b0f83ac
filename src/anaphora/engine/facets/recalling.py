"""Getting back: memories, contexts, what happened."""

from __future__ import annotations

from datetime import datetime

from anaphora.engine import briefing, conversations, recalling, summarising
from anaphora.engine.checks import checked_count, checked_key, checked_text, checked_time
from anaphora.engine.facets.base import Base
from anaphora.engine.pointing import meant
from anaphora.errors import InputError
from anaphora.types import Context, Event, Hit, Turn

__all__ = ["Recalling"]

_LAST = 2**63 - 1  # the largest number that a store can have


class Recalling(Base):
    """Recall, contexts, summaries, events."""

    @property
    def summary(self) -> str:
        """The session in short: objective, progress, decisions, critical context (or, by the setting summary_form, the
        thread in a few lines); empty only where nothing was said in its open conversation."""
        self._fresh(None)
        return summarising.session_in_short(self._place)

    def summary_of(self, name: str) -> str:
        """Any conversation in short, by id, number or title."""
        self._fresh(None)
        return summarising.summary_of(self._place, conversations.find(self._place.view, name))

    def recall(
        self,
        query: str,
        k: int | None = None,
        *,
        at: datetime | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        speaker: str | None = None,
        conversation: str | None = None,
        kind: str | None = None,
    ) -> list[Hit]:
        """The memories that fit a query, best first, each with the reasons; of those that the filters let through.
        `speaker` is a name, "user" or "assistant"; `kind` is "message", "reply", "fragment", or what a message holds:
        "decision", "preference" and so on."""
        now = self._fresh(at)
        limit = self.settings.memory_retrieval_limit if k is None else checked_count("k", k)
        begin = None if since is None else checked_time(since, now, "since")
        end = None if until is None else checked_time(until, now, "until")
        text = checked_text(query, self.settings.max_message_chars, "query", empty="Write what to look for.")
        speaker = None if speaker is None else checked_key("speaker", speaker)
        if kind is not None and kind not in recalling.KINDS:
            raise InputError(f"There is no kind {kind!r}.", remedy=f"Use one of: {', '.join(recalling.KINDS)}.")
        view = self._place.view
        chosen = None if conversation is None else conversations.find(view, conversation).id
        filters = recalling.Filters(begin, end, speaker, chosen, kind)
        return recalling.recall(view, self._place, meant(view, self._place, text, now), limit, now, filters=filters)

    def context(self, about: Turn | str, budget: int | None = None, *, at: datetime | None = None) -> Context:
        """The context for a prompt: never more tokens than the budget, with a reason for each part."""
        from anaphora.engine import contexts  # here: a hook builds none, and must be quick

        if not isinstance(about, Turn | str):
            raise InputError(
                f"A context is for a turn or a text, not {type(about).__name__}.", remedy="Give what hear() returned."
            )
        now = self._fresh(at if at is not None or isinstance(about, str) else about.at)
        tokens = self.settings.budget if budget is None else checked_count("A budget", budget, " token")
        if isinstance(about, str):
            checked_text(about, self.settings.max_message_chars, "prompt", empty="Write what the context is for.")
        return contexts.build_context(self._place.view, self._place, about, tokens, self._counter(), now)

    def brief(self, about: Turn | None = None, *, at: datetime | None = None) -> str:
        """What to tell an assistant that holds the running talk itself: what a message means, what of the working
        state is new to it, what is remembered from elsewhere; without a message, what a session should begin with.
        Nothing is told twice; empty where there is nothing worth saying."""
        if not isinstance(about, Turn | None):
            raise InputError(
                f"A briefing is for a turn, not {type(about).__name__}.", remedy="Give what hear() returned."
            )
        now = self._fresh(at if at is not None or about is None else about.at)
        with self._lock:
            return briefing.brief(self._place, about, now)

    def compacted(self) -> None:
        """The assistant loses sight of what was said in this session: the next briefing brings it back."""
        with self._lock:
            self._place.change(lambda tx: briefing.compacted(tx, self._place))

    def events(self, since: int | None = None, limit: int | None = None) -> list[Event]:
        """What happened, in order; `since` is the sequence number of the last event that is known."""
        after = 0 if since is None else checked_count("`since`, the number of an event,", since, least=0)
        most = None if limit is None else checked_count("`limit`", limit, least=0)
        return self._place.view.events(min(after, _LAST), None if most is None else min(most, _LAST))
