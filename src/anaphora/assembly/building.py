"""Sharing a budget out among the tiers: each has a share, and what one does not need goes to the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from anaphora.assembly.cutting import Focus, beginning
from anaphora.assembly.material import JOIN, NO_ROOM, OF, Material
from anaphora.assembly.memories import FENCE, Remembered, remember
from anaphora.assembly.shortening import first_lines, steadied, unrepeated, unsaid
from anaphora.assembly.state import Shown, show_state
from anaphora.assembly.talk import HEADING, Said, Talk, Turns, line_of, recent_talk, take_turns, told_first
from anaphora.memory.periods import local_time
from anaphora.memory.summary import cut, thread_summary
from anaphora.memory.window import is_talk
from anaphora.ports import TokenCounter
from anaphora.settings import Settings
from anaphora.types import Context, Hit, LeftOut, Message, Part

__all__ = ["assemble"]

_ORDERS = {  # how the tiers stand; the current message always comes last
    "stable": ("style", "state", "facts", "memory", "summary", "time", "history"),
    "quaid": ("state", "facts", "style", "history", "summary", "memory", "time"),
    "whisper": ("time", "state", "facts", "memory", "summary", "style", "history"),
}
_DROPPED = ("state", "facts", "time", "style", "summary")  # the last of these is the first to go
_TURNS = "not in the messages, whose roles must take turns"
_SAID = "all of it is said elsewhere in the context"
_SHOWN = 80  # characters of what is left out
_STALE = 2  # how much less a talk can count on that is not going on any more
_STATE = 160  # tokens of the working state that any budget has room for


def assemble(material: Material, budget: int, counter: TokenCounter, settings: Settings) -> Context:
    """The best context that fits; what did not fit is said."""
    return _Assembly(material, budget, counter, settings).build()


@dataclass(frozen=True, slots=True)
class _Chosen:
    """What each tier shows."""

    state: Shown
    others: Sequence[Part]
    summary: Part | None
    talk: Talk
    memories: Remembered

    @property
    def system(self) -> list[Part]:
        """All but the talk."""
        summary = [self.summary] if self.summary else []
        return [*self.state.parts, *self.others, *summary, *(part for part, _ in self.memories.parts)]

    @property
    def is_short(self) -> bool:
        return bool(self.memories.short or self.talk.short or self.state.left_out or self.summary is None)


class _Assembly:
    def __init__(self, material: Material, budget: int, counter: TokenCounter, settings: Settings) -> None:
        self._material = material
        self._budget = budget
        self._settings = settings
        self._count = cache(counter.count)
        self._counter = counter.name
        self._focus = Focus(material.search or material.query)
        self._left_out: list[LeftOut] = []
        self._warnings = list(material.warnings)
        self._reserve = budget * settings.reserve_system // OF
        self._answer = budget * settings.reserve_query // OF
        self._room = 0

    def build(self) -> Context:
        query = self._query()
        self._room = self._room_beside(query)
        shown = self._state()
        system = [*self._offer(self._time()), *self._offer(self._style())]
        talk = self._talk(self._history_room())
        summary = self._summary(talk, shown, max(self._share(self._settings.share_summary), self._room // 8))
        self._room -= summary.tokens if summary else 0
        memories = self._memories(talk, shown, self._room)
        made = _Chosen(shown, system, summary, talk, memories)
        if made.is_short:
            made = self._once_more(made, query)
        self._say_what_is_missing(made)
        return self._within_budget(made, query)

    def _room_beside(self, query: Part) -> int:
        return self._budget - self._reserve - max(self._answer, query.tokens)

    def _share(self, of: int) -> int:
        return self._budget * of // OF

    # the tiers

    def _query(self) -> Part:
        text, tokens = self._material.query, self._count(self._material.query)
        most = max(1, self._budget - self._reserve)
        if tokens > most:
            self._warnings.append(f"The message itself has {tokens} tokens; it was cut to fit the budget.")
            text = beginning(text, most, self._count)
        return Part("query", text, self._count(text), "the current message")

    def _time(self) -> Part:
        now = local_time(self._material.now, self._settings.timezone)
        clock = f"{now.strftime('%I').lstrip('0')}:{now.strftime('%M %p %Z')}"
        return self._part("time", f"CURRENT DATE & TIME: {now.strftime('%B')} {now.day}, {now.year}, {clock}", "now")

    def _style(self) -> Part | None:
        style = self._settings.style
        return self._part("style", f"Communication style: {style}", "how the assistant should speak") if style else None

    def _state(self) -> Shown:
        share = None
        if self._settings.share_state is not None:
            others = self._wanted(self._material.hits) + self._share(self._settings.share_summary)
            recent = self._material.recent[-self._settings.conversation_history_limit :]
            others += sum(_rough(m.text) for m in recent)
            share = max(self._share(self._settings.share_state), _STATE, self._room - others)
        shown = self._shown(self._room, share)
        self._room -= shown.tokens
        return shown

    def _shown(self, room: int, share: int | None) -> Shown:
        return show_state(self._material.state, max(0, room), share, self._count, self._focus, self._settings)

    def _more_state(self, state: Shown, room: int) -> Shown:
        """What was gathered, with what the others did not need of `room`, which is all that there is."""
        more = self._shown(room, state.tokens + self._room)
        if more.tokens <= state.tokens:
            return state
        self._room -= more.tokens - state.tokens
        return more

    def _summary(self, talk: Talk, state: Shown, most: int) -> Part | None:
        """The summary that was made before, without what stands elsewhere; or else the thread so far."""
        if self._material.summary is None:
            text = thread_summary(self._material.recent, self._settings)
            found = f"Recent thread: {text}" if text else ""
        else:
            found = first_lines(self._unsaid(talk, state), most, self._count)
        part = self._part("summary", found, "the thread so far, in short") if found else None
        return part if part is not None and part.tokens <= self._room else None

    def _said(self, talk: Talk, state: Shown) -> list[str]:
        return [self._material.query, *(p.text for p in state.parts), *(s.text for s in talk.kept if not s.part.cut)]

    def _unsaid(self, talk: Talk, state: Shown) -> str:
        """What the summary alone says."""
        told = unsaid(self._material.summary or "", self._said(talk, state))
        return steadied(told) if self._settings.layout == "stable" else told

    def _history_room(self) -> int:
        """Its share; more where the others need less."""
        settings = self._settings
        others = self._wanted(self._material.hits) + self._share(settings.share_summary)
        share = self._share(settings.share_history) // (1 if self._is_fresh() else _STALE)
        room = max(share, self._room - others)
        if settings.history_tokens is not None:
            room = min(room, settings.history_tokens)
        return min(room, self._room) - self._heading()

    def _is_fresh(self) -> bool:
        """Whether the talk is still going on, rather than one of another day."""
        recent = self._material.recent
        return not recent or self._material.now - recent[-1].at <= self._settings.session_window

    def _wanted(self, hits: Sequence[Hit]) -> int:
        """What the memories would take, about."""
        limit = self._settings.memory_preview
        texts = [min(len(h.full), limit or len(h.full)) for h in hits[: self._settings.memory_narrative_limit]]
        return sum(20 + length // 4 for length in texts)

    def _talk(self, room: int) -> Talk:
        talk = self._chosen([m for m in self._material.recent if is_talk(m.text, self._settings)], max(0, room))
        self._room -= talk.tokens + (self._heading() if talk.kept else 0)
        return talk

    def _heading(self) -> int:
        """What the talk takes beside what was said: what stands above it, and who says the current message."""
        return self._count(HEADING) + self._count(line_of(self._material.speaker, "")) + 2 * JOIN

    def _memories(self, talk: Talk, state: Shown, room: int) -> Remembered:
        """What was recalled and does not stand in the history already."""
        shown = {said.message.id for said in talk.kept}
        hits = [h for h in self._material.hits if h.message_id not in shown and is_talk(h.text, self._settings)]
        found = self._remembered(hits, room)
        parts = [part for part, _ in found.parts]
        repeated: dict[str, str] = {}  # what is left of fragments that tell again what stands beside them
        for hit in hits:
            if hit.fragment_id is not None and any(hit.fragment_id == part.message_id for part in parts):
                others = [part.text for part in parts if part.message_id != hit.fragment_id]
                left = unrepeated(hit.text, [*others, *self._said(talk, state)])
                repeated |= {hit.fragment_id: left} if len(left) < len(hit.text) else {}
        if not repeated:
            return found
        gone = tuple((h, _SAID) for h in hits if repeated.get(h.fragment_id or "") == "")
        hits = [replace(h, text=repeated.get(h.fragment_id or "", h.text)) for h in hits]
        found = self._remembered([h for h in hits if h.text], room)
        return replace(found, left_out=(*found.left_out, *gone))

    def _remembered(self, hits: Sequence[Hit], room: int) -> Remembered:
        return remember(hits, self._material.now, room, self._count, self._focus, self._settings)

    def _once_more(self, made: _Chosen, query: Part) -> _Chosen:
        """With the room that is left over once all had their turn, the most needed first."""
        whole = self._room_beside(query)
        self._room = self._free(made, query)
        if made.memories.short:
            memories = self._memories(made.talk, made.state, made.memories.tokens + self._room)
            self._room -= memories.tokens - made.memories.tokens
            made = replace(made, memories=memories)
        if made.talk.short:
            made = replace(made, talk=self._more_talk(made.talk, made.memories))
        if made.state.left_out:
            made = replace(made, state=self._more_state(made.state, whole))
        if made.summary is None:
            made = replace(made, summary=self._summary(made.talk, made.state, self._room - JOIN))
        return made

    def _more_talk(self, talk: Talk, memories: Remembered) -> Talk:
        """The history, with what the others did not need."""
        heading = 0 if talk.kept else self._heading()
        room = talk.tokens + self._room - heading
        if self._settings.history_tokens is not None:
            room = min(room, self._settings.history_tokens)
        recent = [m for m in self._material.recent if is_talk(m.text, self._settings) and m.id not in memories.shown]
        more = self._chosen(recent, max(0, room))
        if more.tokens <= talk.tokens:
            return talk
        self._room -= more.tokens - talk.tokens + heading
        return more

    def _free(self, made: _Chosen, query: Part) -> int:
        """What is really left of the room: joined texts mostly count less than their parts."""
        return max(0, self._limit(query) - self._size(self._render(made.system, made.talk.kept, query)))

    def _chosen(self, recent: Sequence[Message], room: int) -> Talk:
        why = "said a moment ago" if self._is_fresh() else "the end of the open conversation"
        return recent_talk(recent, room, self._count, self._focus, self._settings, why)

    # room

    def _offer(self, part: Part | None) -> list[Part]:
        """The part, if there is one and room for it."""
        if part is None:
            return []
        if part.tokens > self._room:
            self._leave_out(part)
            return []
        self._room -= part.tokens
        return [part]

    def _leave_out(self, part: Part) -> None:
        self._left_out.append(
            LeftOut(part.tier, _glimpse(part.text), part.tokens, NO_ROOM, part.message_id, part.score)
        )
        if part.tier == "state":
            self._warnings.append("The working state did not fit the budget.")

    def _say_what_is_missing(self, made: _Chosen) -> None:
        """Each once: a message that was also recalled is told of by its place in the history."""
        self._left_out += made.state.left_out
        self._warnings += [made.state.warning] if made.state.warning else []
        if made.summary is None:
            self._say_why_no_summary(made.talk, made.state)
        dropped = {m.id for m, _ in made.talk.dropped}
        for hit, why in made.memories.left_out:
            if hit.message_id not in dropped:
                self._left_out.append(
                    LeftOut("memory", _glimpse(hit.text), _rough(hit.text), why, hit.message_id, hit.score)
                )
        for message, why in made.talk.dropped:
            if message.id not in made.memories.shown:
                self._left_out.append(_gone(message, why))

    def _say_why_no_summary(self, talk: Talk, state: Shown) -> None:
        known = self._material.summary
        told = thread_summary(self._material.recent, self._settings) if known is None else known.strip()
        if told:
            text = told if known is None else self._unsaid(talk, state)
            why = NO_ROOM if text else _SAID
            self._left_out.append(LeftOut("summary", _glimpse(text or told), _rough(text or told), why))
        elif any(is_talk(m.text, self._settings) for m in self._material.recent):
            self._warnings.append("The summary is empty although there are messages.")

    def _limit(self, query: Part) -> int:
        return self._budget - self._reserve - max(0, self._answer - query.tokens)

    def _size(self, context: Context) -> int:
        """Of whichever is longer, the text or the sum of the messages."""
        return max(context.tokens, sum(self._count(m["content"]) for m in context.messages))

    def _within_budget(self, made: _Chosen, query: Part) -> Context:
        """Joined texts can count a little more than their parts: drop the least needed until it fits."""
        limit, kept, memories = self._limit(query), list(made.talk.kept), dict(made.memories.parts)
        system = [part for part in made.system if part not in memories]
        while True:
            context = self._render([*system, *memories], kept, query)
            if self._size(context) <= limit or not (system or memories or kept):
                parts = tuple(replace(p, tokens=self._count(p.text)) for p in context.parts)
                return replace(context, parts=parts, warnings=(*context.warnings, *self._over(context)))
            if memories:
                gone = min(memories, key=lambda p: memories[p])
                del memories[gone]
                if [p.text for p in memories] == [FENCE]:
                    memories.clear()
            elif kept:
                gone = kept.pop(0).part
            else:
                gone = max(reversed(system), key=lambda p: _DROPPED.index(p.tier))
                system.remove(gone)
            self._leave_out(gone)

    def _over(self, context: Context) -> list[str]:
        """What to say where not even the least fits, as the counter counts."""
        size = self._size(context)
        if size <= self._budget:
            return []
        return [
            f"The context has {size} tokens and is over its budget of {self._budget}: the counter {self._counter!r} "
            "counts more than that for the least that can be said."
        ]

    def _render(self, system: Sequence[Part], kept: Sequence[Said], query: Part) -> Context:
        order = _ORDERS[self._settings.layout]
        parts = sorted([*system, *(said.part for said in kept)], key=lambda p: order.index(p.tier))
        preamble = _joined([p for p in parts if p.tier != "history"])
        turns = take_turns(kept, query.text, merge=self._settings.same_role == "merge")
        messages, silent = self._messages(preamble, turns, self._limit(query))
        asked = line_of(self._material.speaker, "") + query.text if kept else query.text
        text = _joined([*parts, Part("query", asked, 0, "")])
        left_out = (*self._left_out, *(_gone(said.message, _TURNS) for said in silent))
        return Context(
            text, messages, self._count(text), self._budget, (*parts, query), left_out, tuple(self._warnings)
        )

    def _messages(
        self, preamble: str, turns: Turns, limit: int
    ) -> tuple[tuple[Mapping[str, str], ...], Sequence[Said]]:
        """With what the assistant said first at the end of the system text, where it fits; and who is silent."""
        told = "\n\n".join([*([preamble] if preamble else []), told_first(turns.opening)]) if turns.opening else ""
        if told and self._count(told) + sum(self._count(m["content"]) for m in turns.messages) <= limit:
            return ({"role": "system", "content": told}, *turns.messages), turns.silent
        head: list[Mapping[str, str]] = [{"role": "system", "content": preamble}] if preamble else []
        return (*head, *turns.messages), (*turns.opening, *turns.silent)

    def _part(self, tier: str, text: str, why: str) -> Part:
        return Part(tier, text, self._count(text) + JOIN, why)


def _joined(parts: Sequence[Part]) -> str:
    """One text: a memory under the other, a blank line between all else, a heading above the talk."""
    blocks: list[str] = []
    before = ""
    for part in parts:
        under = part.tier == before == "memory" and part.text.startswith("- ")
        gap = "\n" if under else "\n\n"
        heading = f"{HEADING}\n\n" if part.tier == "history" != before else ""
        blocks.append((gap if blocks else "") + heading + part.text)
        before = part.tier
    return "".join(blocks)


def _gone(message: Message, why: str) -> LeftOut:
    return LeftOut("history", _glimpse(message.text), _rough(message.text), why, message.id)


def _glimpse(text: str) -> str:
    return cut(text[: 4 * _SHOWN], _SHOWN)


def _rough(text: str) -> int:
    """About how many tokens: nobody pays for what is left out."""
    return len(text) // 4 + 1
