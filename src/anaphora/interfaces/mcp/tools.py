"""The tools, each a few lines over the memory. Their docstrings tell a model when to use them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

import anyio.to_thread
from mcp.server.mcpserver import Context
from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult
from pydantic import BaseModel, Field, create_model

from anaphora.codec import parse_time
from anaphora.engine import Memory
from anaphora.errors import InputError, NotFound
from anaphora.interfaces.mcp import shapes
from anaphora.interfaces.mcp.memories import Memories
from anaphora.types import Message, Outcome, Priority, Question, Turn

__all__ = ["Tools"]

T = TypeVar("T")

_ASKING = "which"
_MODERN = "2026-07-28"  # from this version on, a question is part of the answer to a call
_MOST = 50

SessionName = Annotated[str, Field(description="Name of this chat, where one client has several.")]
ConversationName = Annotated[str | int, Field(description="Number, title or id of a conversation.")]
StateChange = Literal["show", "goal", "complete", "decide", "constrain", "plan", "remove"]
SessionStep = Literal["list", "show", "new", "end", "restore", "archive"]


class Tools:
    def __init__(self, memories: Memories) -> None:
        self._memories = memories

    async def hear(
        self,
        message: Annotated[str, Field(description="The user's message, exactly as typed.")],
        ctx: Context,
        id: Annotated[str, Field(description="Your id of the message: twice is once.")] = "",
        session: SessionName = "",
    ) -> shapes.Heard | InputRequiredResult:
        """Use first for every message of the user. Stores it and says what it means on its own, what each “it” or
        “that” refers to, what the user wants, and whether the topic is the same."""
        question = ctx.request_state
        if question is not None:
            return shapes.heard(await self._settled(ctx, session, question))
        turn = await self._with(session, lambda memory: memory.hear(message, id=id or None))
        if turn.question is None or not _can_ask(ctx):
            return shapes.heard(turn)
        form = _form(turn.question)
        if (ctx.protocol_version or "") >= _MODERN:
            from mcp.server.elicitation import render_elicitation_schema

            params = ElicitRequestFormParams(
                message=turn.question.text, requested_schema=render_elicitation_schema(form)
            )
            return InputRequiredResult(
                input_requests={_ASKING: ElicitRequest(params=params)}, request_state=turn.question.id
            )
        asked = await ctx.elicit(turn.question.text, form)
        if asked.action != "accept":
            return shapes.heard(turn)
        chosen, waiting = asked.data.model_dump()["choice"], turn.question
        return shapes.heard(await self._with(session, lambda memory: memory.answer(chosen, waiting)))

    async def _settled(self, ctx: Context, session: str, question: str) -> Turn:
        """The message that waited, after its question was answered; where it was not, as the best guess has it."""
        given = (ctx.input_responses or {}).get(_ASKING)
        choice = given.content.get("choice") if isinstance(given, ElicitResult) and given.content else None

        def settle(memory: Memory) -> Turn:
            waiting = memory.question
            if waiting is None or waiting.id != question:
                raise NotFound("That question is not open any more.", remedy="Call `hear` with the message again.")
            if isinstance(choice, str):
                return memory.answer(choice, waiting)
            message = memory.message(waiting.message_id)
            assert message is not None
            return memory.hear(message.text, id=message.id)

        return await self._with(session, settle)

    async def _with(self, session: str, work: Callable[[Memory], T]) -> T:
        def run() -> T:
            with self._memories.of(session) as memory:
                return work(memory)

        return await anyio.to_thread.run_sync(run)

    def say(
        self,
        reply: Annotated[str, Field(description="What you answered the user.")],
        reply_to: Annotated[str, Field(description="message_id that `hear` gave.")] = "",
        session: SessionName = "",
    ) -> shapes.Stored:
        """Use after each of your replies, so that later messages can refer to what you said."""
        with self._memories.of(session) as memory:
            return shapes.Stored(message_id=memory.say(reply, reply_to=reply_to or None).id)

    def recall(
        self,
        query: Annotated[str, Field(description="What to look for, in plain words; times such as “last week” count.")],
        k: Annotated[int, Field(ge=1, le=_MOST)] = 8,
        since: Annotated[str, Field(description="Only from this ISO time on.")] = "",
        until: Annotated[str, Field(description="Only before this ISO time.")] = "",
        speaker: Annotated[str, Field(description="“user”, “assistant” or a person's name.")] = "",
    ) -> shapes.Found:
        """Use when the user asks about, or you need, something that was said, decided or done before. Gives verbatim
        memories, best first, each with its time and the reason it was found."""
        begin, end = (parse_time(one) if one else None for one in (since, until))
        with self._memories.of() as memory:
            hits = memory.recall(query, k, since=begin, until=end, speaker=speaker or None)
        return shapes.Found(memories=[shapes.memo(hit) for hit in hits])

    def context(
        self,
        about: Annotated[str, Field(description="The user's message, or what you are about to do.")],
        budget: Annotated[int, Field(ge=100, le=1_000_000, description="Tokens that it may take.")] = 2000,
        session: SessionName = "",
    ) -> shapes.Answer:
        """Use at the start of a task or after your own context was cut: goals, decisions, constraints, recent talk and
        the memories that matter, within a token budget."""
        with self._memories.of(session) as memory:
            return shapes.answer(memory.context(about, budget))

    def remember(
        self, text: Annotated[str, Field(description="One fact, preference or note, as a whole sentence.")]
    ) -> shapes.WorkingState:
        """Use when the user says “remember that …” or states something worth keeping for good."""
        with self._memories.of() as memory:
            return shapes.state_of(memory.update(lambda work: work.remember(text)))

    def state(
        self,
        change: StateChange = "show",
        text: Annotated[str, Field(description="What it is, in words; to complete or remove: its id.")] = "",
        because: Annotated[str, Field(description="The reason of a decision.")] = "",
        priority: Priority = "medium",
    ) -> shapes.WorkingState:
        """Use to see or change what is being worked on: goals, decisions with reasons, constraints, next steps. Record
        a decision as soon as it is made, complete a goal when it is reached."""
        with self._memories.of() as memory:
            if change == "show":
                return shapes.state_of(memory.state)
            if not text:
                raise InputError(f"{change!r} needs a text.", remedy="Give `text`.")
            said = text
            match change:
                case "goal":
                    changed = memory.update(lambda work: work.add_goal(said, priority=priority))
                case "complete":
                    changed = memory.update(lambda work: work.complete_goal(said))
                case "decide":
                    changed = memory.update(lambda work: work.decide(said, because=because or None))
                case "constrain":
                    changed = memory.update(lambda work: work.constrain(said))
                case "plan":
                    changed = memory.update(lambda work: work.plan(said))
                case "remove":
                    changed = memory.update(lambda work: work.remove(said))
            return shapes.state_of(changed)

    def sessions(
        self,
        step: SessionStep = "list",
        name: ConversationName = "",
        outcome: Annotated[Outcome | None, Field(description="How it ended.")] = None,
        session: SessionName = "",
    ) -> shapes.Sessions:
        """Use to list earlier conversations, show or go on with one, begin or end one, or archive the open one."""
        with self._memories.of(session) as memory:
            match step:
                case "list":
                    return shapes.Sessions(
                        sessions=[shapes.conversation_of(one) for one in memory.conversations()], summary=memory.summary
                    )
                case "show":
                    shown = memory.conversation(_needed(name, step))
                    talk = "\n".join(f"{_said_by(m)}: {m.text}" for m in shown.messages)
                    return shapes.Sessions(sessions=[shapes.conversation_of(shown)], summary=talk)
                case "new":
                    done = memory.new(str(name) or None)
                case "end":
                    done = memory.end(outcome)
                case "restore":
                    done = memory.restore(_needed(name, step))
                case "archive":
                    kept = memory.archive(str(name) or None)
                    done = memory.conversation(kept.conversation_id or "")
            return shapes.Sessions(sessions=[shapes.conversation_of(done)], summary=memory.summary)

    def light(
        self,
        request: Annotated[
            dict[str, Any],
            Field(
                description="{action: store|retrieve|clear}; store also takes last_intent, last_task_id, "
                "pending_fields, last_user_message."
            ),
        ],
        session: SessionName = "",
    ) -> dict[str, Any]:
        """Use only for a follow-up inside one running task: stores, retrieves or clears four fields as they are."""
        with self._memories.of(session) as memory:
            return memory.light.handle(request)

    def forget(
        self,
        message: Annotated[str, Field(description="Id of a message.")] = "",
        conversation: ConversationName = "",
    ) -> dict[str, Any]:
        """Use only when the user asks to forget or delete something. It is gone for good, from every index; `notes`
        name backups that still hold it."""
        with self._memories.of() as memory:
            gone = memory.forget(message=message or None, conversation=str(conversation) or None)
            return {"messages": gone.messages, "notes": list(gone.notes)}

    def why(
        self,
        message_id: Annotated[str, Field(description="Default: the last message.")] = "",
        session: SessionName = "",
    ) -> shapes.Why:
        """Use when the user asks why something was understood, taken for a new topic, or resolved as it was."""
        with self._memories.of(session) as memory:
            found = memory.message(message_id) if message_id else _last(memory)
            if found is None:
                raise NotFound("There is no such message.", remedy="Call `recall` to find its id.")
            return shapes.why(found)

    def stats(self) -> dict[str, Any]:
        """Use to see how much is remembered and where."""
        with self._memories.of() as memory:
            state, talks = memory.state, memory.conversations()
            return {
                "user": memory.scope.user,
                "agent": memory.scope.agent,
                "project": memory.scope.project,
                "recent_conversations": len(talks),
                "messages_in_them": sum(one.message_count for one in talks),
                "open_goals": sum(goal.open for goal in state.goals),
                "decisions": len(state.decisions),
                "facts": len(state.facts),
            }


def _last(memory: Memory) -> Message | None:
    current = memory.current()
    messages = memory.conversation(current.id).messages if current else ()
    return next((m for m in reversed(messages) if m.role == "user"), None)


def _said_by(message: Message) -> str:
    return message.speaker if message.role == "user" else "assistant"


def _needed(name: str | int, step: str) -> str:
    if not name:
        raise InputError(f"{step!r} needs a name.", remedy="Give the number, title or id of a conversation.")
    return str(name)


def _can_ask(ctx: Context) -> bool:
    able = ctx.client_capabilities
    return able is not None and able.elicitation is not None


def _form(question: Question) -> type[BaseModel]:
    keys = tuple(option.key for option in question.options)
    listed = "; ".join(f"{option.key}: {option.text}" for option in question.options)
    return create_model("Choice", choice=(Literal[keys], Field(description=listed)))  # type: ignore[arg-type]
