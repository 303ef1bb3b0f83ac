"""Slash commands about conversations: the context, the sessions, what was said, and forgetting it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, cast

from anaphora.engine.commands.parsing import Arguments
from anaphora.engine.explaining import explain
from anaphora.errors import InputError, NotFound
from anaphora.memory.items import items_of
from anaphora.memory.rendering import markdown
from anaphora.memory.summary import cut
from anaphora.types import CommandResult, Context, Conversation, Forgotten, Hit, Outcome

if TYPE_CHECKING:
    from anaphora.engine.memory import Memory

__all__ = ["FORMS", "context", "end", "forget", "new", "recall", "sessions", "tokens_by_tier", "why"]

FORMS = (
    ("/context show [TOKENS]", "what a model would get with your last message"),
    ("/context summary", "this conversation in short"),
    ("/context clear [--yes]", "delete this conversation for good; at a terminal it asks first"),
    ("/context restore NAME", "go on with an earlier conversation"),
    ("/context archive [--title TITLE]", "keep what this conversation came to in long-term memory"),
)
_LONGEST_BUDGET = 15  # digits
_RECALLED = 5
_TOLD = 40  # characters of what was typed in an error


def context(memory: Memory, given: Arguments) -> CommandResult:
    name, *rest = given.words or ("status",)
    if name.isdecimal():
        name, rest = "show", [name, *rest]
    do = _OF_CONTEXT.get(name.lower())
    if do is None:
        raise InputError(f"There is no /context {cut(name, _TOLD)}.", remedy=f"Use one of: {', '.join(_OF_CONTEXT)}.")
    for flag, use in (("title", ("archive",)), ("budget", ("status", "show")), ("yes", ("clear",))):
        if flag in given and name.lower() not in use:
            raise InputError(f"/context {name} takes no --{flag}.", remedy=f"Leave out --{flag}.")
    return do(memory, Arguments(" ".join(rest), tuple(rest), flags=given.flags))


def _status(memory: Memory, given: Arguments) -> CommandResult:
    open_one, state = memory.current(), memory.state
    built = _built(memory, given)
    tokens = tokens_by_tier(built)
    head = f"{_title(open_one)}, {_messages(open_one.message_count)}" if open_one else "No conversation is open"
    costs = ", ".join(f"{tier} {count:,}" for tier, count in tokens.items())
    lines = [f"{head}.", "", markdown(state, memory.settings).rstrip(), ""]
    lines.append(f"A context takes {built.tokens:,} of {built.budget:,} tokens{f': {costs}' if costs else ''}.")
    data = {"conversation": open_one, "state": state, "budget": built.budget, "tokens": tokens}
    return CommandResult("\n".join(lines), data)


def _show(memory: Memory, given: Arguments) -> CommandResult:
    built = _built(memory, given)
    return CommandResult(built.text, built)


def _summary(memory: Memory, given: Arguments) -> CommandResult:
    _nothing_more(given, "/context summary")
    said = memory.summary
    return CommandResult(said or "Nothing was said yet.", {"summary": said})


def _clear(memory: Memory, given: Arguments) -> CommandResult:
    """The open conversation for good, as `clear` does; what was set by hand stays."""
    _nothing_more(given, "/context clear")
    open_one, before = memory.current(), len(items_of(memory.state))
    count = memory.clear()
    left = len(items_of(memory.state))
    if open_one is None:
        return CommandResult("There was nothing to clear.", {"messages": 0, "items": 0})
    text = f"Deleted {_messages(count)} of {_title(open_one)} and {_items(before - left)} gathered from them."
    kept = f" {_items(left)} set by hand or said elsewhere {'stays' if left == 1 else 'stay'}." if left else ""
    return CommandResult(text + kept, {"messages": count, "items": before - left, "kept": left})


def _restore(memory: Memory, given: Arguments) -> CommandResult:
    if not given.text:
        raise InputError("Which conversation?", remedy="Type, say, /context restore 2; /sessions lists them.")
    restored = memory.restore(given.text)
    state = memory.state
    goals = [g.text for g in state.goals if g.open]
    steps = [a.text for a in state.actions if a.open]
    lines = [f"✓ Restored session: {_title(restored)}, {_messages(restored.message_count)}"]
    lines += [f"Active goals: {len(goals)}" + (f" ({'; '.join(goals[-3:])})" if goals else "")]
    lines += [f"Next steps: {'; '.join(steps[-3:])}"] if steps else []
    lines += [memory.summary] if memory.summary else []
    return CommandResult("\n".join(lines), restored)


def _archive(memory: Memory, given: Arguments) -> CommandResult:
    _nothing_more(given, '/context archive --title="A title"')
    made = memory.archive(given.flags.get("title"))
    return CommandResult(f"Archived “{made.title}” as {made.id}, from {_messages(len(made.message_ids))}.", made)


_OF_CONTEXT: Mapping[str, Callable[[Memory, Arguments], CommandResult]] = {
    "status": _status,
    "show": _show,
    "summary": _summary,
    "clear": _clear,
    "restore": _restore,
    "archive": _archive,
}


def _built(memory: Memory, given: Arguments) -> Context:
    """The context for the last thing that was said; for nothing in particular where nothing was."""
    budget = given.flags.get("budget") or given.text
    if budget and not (budget.isdecimal() and len(budget) <= _LONGEST_BUDGET):
        told = cut(budget, _TOLD)
        raise InputError(f"A budget is a number of tokens, not {told!r}.", remedy="Type, say, /context show 2000.")
    last = memory.last_heard()
    return memory.context(last.text if last else "Where were we?", int(budget) if budget else None)


def tokens_by_tier(context: Context) -> dict[str, int]:
    """What each tier costs, in the order in which they stand, and what joins them."""
    tokens: dict[str, int] = {}
    for part in context.parts:
        tokens[part.tier] = tokens.get(part.tier, 0) + part.tokens
    return tokens | ({"between": context.between} if context.between > 0 else {})


# --- conversations ------------------------------------------------------------------------------------------------


def sessions(memory: Memory, given: Arguments) -> CommandResult:
    _nothing_more(given, "/sessions")
    found = memory.conversations()
    lines = [
        f"{_title(c)}  {_messages(c.message_count)}, {'active' if c.active else c.outcome or 'ended'}, "
        f"{c.last_at or c.started:%Y-%m-%d %H:%M}"
        for c in found
    ]
    return CommandResult("\n".join(lines) or "No conversations yet.", found)


def new(memory: Memory, given: Arguments) -> CommandResult:
    made = memory.new(given.text or None)
    return CommandResult(f"Started {_title(made)}.", made)


def end(memory: Memory, given: Arguments) -> CommandResult:
    ended = memory.end(cast(Outcome, given.text) if given.text else None)
    return CommandResult(f"Ended {_title(ended)} as {ended.outcome}.", ended)


def recall(memory: Memory, given: Arguments) -> CommandResult:
    if not given.text:
        raise InputError("What should be recalled?", remedy="Type /recall and a few words.")
    hits = memory.recall(given.text, _RECALLED)
    return CommandResult("\n".join(map(_recalled, hits)) or "Nothing found.", hits)


def _recalled(hit: Hit) -> str:
    meaning = "" if hit.expanded is None else f"\n    meaning: {hit.expanded}"
    return f"[{hit.at:%Y-%m-%d %H:%M}, {hit.speaker or hit.role}] {hit.text}{meaning}\n    {hit.why}"


def forget(memory: Memory, given: Arguments) -> CommandResult:
    what, *rest = given.words or ("",)
    name = " ".join(rest)
    match what.lower():
        case "last":
            last = memory.last_heard()
            if last is None:
                raise NotFound("There is no message to forget.")
            return _forgotten(memory.forget(message=last.id), f"“{last.text}”")
        case "message" if name:
            return _forgotten(memory.forget(message=name), name)
        case "conversation" if name:
            found = memory.conversation(name)
            return _forgotten(memory.forget(conversation=found.id), _title(found))
        case "user" if not name:
            if "yes" not in given:
                raise InputError(
                    "That deletes everything, in all agents and projects.", remedy="Type /forget user --yes."
                )
            return _forgotten(memory.forget(user=True), memory.scope.user)
    raise InputError(
        "What should be forgotten?", remedy="Type /forget last, message ID, conversation NAME or user --yes."
    )


def _forgotten(done: Forgotten, what: str) -> CommandResult:
    notes = "".join(f"\nNote: {note}" for note in done.notes)
    return CommandResult(f"Forgot {_messages(done.messages)}: {what}.{notes}", done)


def why(memory: Memory, given: Arguments) -> CommandResult:
    return explain(memory, given.text or None)


def _nothing_more(given: Arguments, usage: str) -> None:
    if given.text:
        told = cut(given.text, _TOLD)
        raise InputError(f"{usage} takes nothing more, and {told!r} was given.", remedy=f"Type {usage} alone.")


def _title(conversation: Conversation) -> str:
    return f"#{conversation.number} {conversation.title}" if conversation.number is not None else conversation.title


def _messages(count: int) -> str:
    return f"{count:,} message{'' if count == 1 else 's'}"


def _items(count: int) -> str:
    return f"{count:,} item{'' if count == 1 else 's'}"
