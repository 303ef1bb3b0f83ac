"""The example sentences and dialogues of the five descriptions that Anaphora grew from, under the preset of each.

Those that other tests hold already are not repeated here:
- the FAB button and dark mode step by step under the default preset, expiry after two hours, resuming what was left:
  test_hearing.py
- the four messages with their entities and the order of what was discussed, "the button from last week", numbers that
  move up when the queue is full, "done", "thanks", "that's all": test_conversations.py
- answers by letter and in words, and a pronoun after hours, under the default preset: test_questions.py
- the files as they are printed: test_formats.py and test_transfer.py; the thread summary: test_summary.py;
  the light context's JSON: test_light.py; decisions, goals and constraints by hand: test_state.py
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import pytest

import anaphora
from anaphora import Memory, Turn
from anaphora.settings import PresetName
from anaphora.testing import FrozenClock

WITH_READER = True

FAB = "I want to add a FAB button"
PULSE = "Add a pulse animation"
PURPLE = "Make it purple"
DARK = "I want to add dark mode"
TOGGLE = "Use toggle switch, not button"
HEADER = "Put it in the header"
SWITCH = "Actually, let's work on dark mode first"
TASK = "Create a new task for refactoring"
SURVIVAL = ("walk me through survival steps", ">Got it. Let's start with the fundamentals...")


def example(id: str, *values: Any) -> Any:
    """One row of a table."""
    return pytest.param(*values, id=id)


@contextmanager
def opened(preset: PresetName, *before: str) -> Iterator[tuple[Memory, FrozenClock]]:
    """A memory in which this was said, half a minute apart: ">" by the assistant, "#" in a new conversation."""
    clock = FrozenClock()
    with anaphora.open(":memory:", preset=preset, user="ann", clock=clock) as memory:
        for line in before:
            if line.startswith(">"):
                memory.say(line[1:])
            else:
                if line.startswith("#"):
                    memory.new()
                memory.hear(line.removeprefix("#"))
            clock.advance(seconds=30)
        yield memory, clock


def heard(preset: PresetName, text: str, *before: str, minutes: float = 0) -> Turn:
    with opened(preset, *before) as (memory, clock):
        clock.advance(minutes=minutes)
        return memory.hear(text)


# --- what a message refers to -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "before", "text", "expanded"),
    [
        example("kds expands make it purple", "kds", [FAB], PURPLE, "Make the FAB button purple"),
        example("kds expands use toggle switch", "kds", [DARK], TOGGLE, "Use toggle switch for dark mode, not button"),
        example("kds expands the header", "kds", [DARK, TOGGLE], HEADER, "Put the dark mode toggle in the header"),
        example("kds expands header", "kds", [DARK, TOGGLE], "Put it in header", "Put the dark mode toggle in header"),
        example("kds expands tests for that", "kds", [FAB], "Add tests for that", "Add tests for the FAB button"),
        example("kds expands the color", "kds", [FAB], "Change the color", "Change the color of the FAB button"),
        example("kds leaves a full sentence", "kds", [FAB], "Make the FAB button purple", "Make the FAB button purple"),
        example("kds leaves a switch", "kds", [FAB], SWITCH, SWITCH),
        example("brain expands make it purple", "brain", [FAB], PURPLE, "Make the FAB button purple"),
        example("brain expands tests for that", "brain", [FAB], "Add tests for that", "Add tests for the FAB button"),
        example("whisper leaves the river", "whisper", [*SURVIVAL], "I am near a river", "I am near a river"),
    ],
)
def test_the_expansion_is_the_one_shown(preset: PresetName, before: list[str], text: str, expanded: str) -> None:
    assert heard(preset, text, *before).expanded == expanded


@pytest.mark.parametrize(
    ("preset", "before", "text", "holds", "lacks"),
    [
        example("the button", "kds", [FAB, HEADER], "Move the button to the left", "fab button", "header"),
        example("the file", "kds", ["Open site.css", "Open _Layout.cshtml"], "Rename the file", "_layout", "site.css"),
        example("this", "kds", [FAB], "Make this bigger", "fab button", "this"),
        example("these", "kds", ["I want to add two FAB buttons"], "Make these purple", "fab buttons", "make add"),
        example("add that", "light", [TASK], "add that", "task", "that"),
        example("update it", "light", [TASK], "update it", "task", "it"),
        example("the task", "light", [TASK], "close the task", "refactoring", "it"),
    ],
)
def test_the_pattern_points_to_what_was_said(
    preset: PresetName, before: list[str], text: str, holds: str, lacks: str
) -> None:
    expanded = heard(preset, text, *before).expanded.lower()
    assert f" {holds}" in f" {expanded}"
    assert f" {lacks} " not in f" {expanded} "


@pytest.mark.parametrize(
    ("before", "text", "ref"),
    [
        example("kds logs the button for purple", [FAB], PURPLE, "FAB button"),
        example("kds logs the button for pulse", [FAB, PURPLE], PULSE, "FAB button"),
        example("kds logs the button for test it", [FAB, PURPLE, PULSE], "Test it", "FAB button"),
        example("kds logs dark mode", [DARK], TOGGLE, "dark mode"),
        example("kds logs the toggle", [DARK, TOGGLE], HEADER, "dark mode toggle"),
        example("kds logs nothing for the first", [], FAB, None),
    ],
)
def test_the_log_names_what_is_referred_to(before: list[str], text: str, ref: str | None) -> None:
    with opened("kds", *before) as (memory, _):
        memory.hear(text)
        assert memory.load()[-1].get("context_ref") == ref


LOGGED = [
    {
        "timestamp": "2025-11-03T14:23:45Z",
        "user_message": FAB,
        "intent": "PLAN",
        "session_id": "fab-button-20251103",
    },
    {
        "timestamp": "2025-11-03T14:24:12Z",
        "user_message": PURPLE,
        "intent": "EXECUTE",
        "session_id": "fab-button-20251103",
        "context_ref": "FAB button",
    },
    {
        "timestamp": "2025-11-03T14:25:01Z",
        "user_message": PULSE,
        "intent": "PLAN",
        "session_id": "fab-button-20251103",
        "context_ref": "FAB button",
    },
]


@pytest.mark.parametrize("lines", [example(f"{n} of the three lines", n) for n in (1, 2, 3)])
def test_the_log_reads_as_printed(lines: int) -> None:
    with opened("kds") as (memory, _):
        for line in LOGGED[:lines]:
            memory.hear(line["user_message"], at=datetime.fromisoformat(line["timestamp"]))
        assert memory.load() == LOGGED[:lines]


@pytest.mark.parametrize(
    "text",
    [
        example("like in conversation #2", "Make it purple like in conversation #2"),
        example("remember from conversation #2", "Remember the FAB button from conversation #2?"),
    ],
)
def test_a_conversation_is_found_by_its_number(text: str) -> None:
    with opened("brain", "Let's implement session 215", f"#{FAB}", PULSE, f"#{DARK}") as (memory, _):
        turn = memory.hear(text)
        second = memory.conversation("#2")
        assert second.title.startswith("FAB Button")
        assert "conversation #2 (FAB Button" in turn.expanded
        assert memory.conversation("#3").links == (second.id,)


@pytest.mark.parametrize(
    "part",
    [
        example("handoff original", "original"),
        example("handoff expanded", "expanded"),
        example("handoff doing", "doing"),
        example("handoff action", "action"),
        example("handoff route", "route"),
    ],
)
def test_the_executor_receives_what_is_shown(part: str) -> None:
    handoff = heard("kds", PURPLE, FAB).handoff
    if part in ("doing", "action"):
        assert "fab button" in getattr(handoff, part).lower()
        assert part == "doing" or "purple" in handoff.action
    else:
        shown = {"original": PURPLE, "expanded": "Make the FAB button purple", "route": "code-executor.md"}
        assert getattr(handoff, part) == shown[part]


# --- intents ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "before", "text", "intents"),
    [
        example("FAB is PLAN", "kds", [], FAB, {"PLAN"}),
        example("purple is EXECUTE", "kds", [FAB], PURPLE, {"EXECUTE"}),
        example("pulse is PLAN", "kds", [FAB, PURPLE], PULSE, {"PLAN"}),
        example("test it is TEST", "kds", [FAB, PURPLE, PULSE], "Test it", {"TEST"}),
        example("dark mode is PLAN", "kds", [], DARK, {"PLAN"}),
        example("toggle is CORRECT", "kds", [DARK], TOGGLE, {"CORRECT"}),
        example("header is EXECUTE", "kds", [DARK, TOGGLE], HEADER, {"EXECUTE"}),
        example("the switch is PLAN", "kds", [FAB], SWITCH, {"PLAN"}),
        example("make it red is EXECUTE", "brain", [FAB], "make it red", {"EXECUTE"}),
        example("make it dark green is EXECUTE", "brain", [FAB], "make it dark green", {"EXECUTE"}),
        example("a new task is PLAN", "light", [], TASK, {"PLAN"}),
    ],
)
def test_the_first_intent_is_the_one_shown(preset: PresetName, before: list[str], text: str, intents: set[str]) -> None:
    assert {heard(preset, text, *before).intent.name} == intents


@pytest.mark.parametrize("feature", [example(f"add {f} and test it", f) for f in ("dark mode", "a FAB button")])
def test_a_feature_to_add_and_test_has_two_intents(feature: str) -> None:
    assert {"PLAN", "TEST"} <= {i.name for i in heard("brain", f"add {feature} and test it").intents}


@pytest.mark.parametrize(
    ("before", "text", "route"),
    [
        example("planner", [], FAB, "work-planner.md"),
        example("planner for dark mode", [], DARK, "work-planner.md"),
        example("executor", [FAB], PURPLE, "code-executor.md"),
    ],
)
def test_the_intent_goes_where_it_is_shown_to_go(before: list[str], text: str, route: str) -> None:
    assert heard("kds", text, *before).intent.route == route


# --- boundaries ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        example("marker actually", "Actually, let's work on dark mode instead", 0.98),
        example("marker forget that", "Forget that, I want to add dark mode", 0.95),
        example("marker new topic", "New topic: dark mode", 0.99),
        example("marker switching to", "Switching to dark mode", 0.97),
    ],
)
def test_an_explicit_marker_starts_afresh(text: str, confidence: float) -> None:
    turn = heard("brain", text, FAB, PULSE)
    assert (turn.boundary.decision, turn.boundary.confidence) == ("new", confidence)
    assert turn.conversation.number == 2
    assert (turn.expanded, turn.references) == (text, ())


@pytest.mark.parametrize(
    ("preset", "before", "text", "decision", "confidence", "minutes"),
    [
        example("six hours", "brain", [FAB], PURPLE, "new", 0.90, 360),
        example(
            "another topic after a while",
            "brain",
            ["Fix the Playwright test"],
            "Add user authentication",
            "new",
            0.80,
            90,
        ),
        example("no overlap", "brain", [FAB, PULSE, HEADER], PURPLE, "ask", None, 1),
        example("kds switch", "kds", [FAB], SWITCH, "new", None, 1),
        example("kds do dark mode", "kds", [FAB], "Actually, let's do dark mode", "new", None, 1),
        example("kds purple", "kds", [FAB], PURPLE, "same", None, 1),
        example("kds toggle", "kds", [DARK], TOGGLE, "same", None, 1),
        example("near a river", "whisper", [*SURVIVAL], "I am near a river", "same", None, 1),
        example(
            "what about shelter", "whisper", [*SURVIVAL, "I am near a river"], "what about shelter", "same", None, 1
        ),
    ],
)
def test_the_boundary_is_where_it_is_shown(
    preset: PresetName, before: list[str], text: str, decision: str, confidence: float | None, minutes: float
) -> None:
    boundary = heard(preset, text, *before, minutes=minutes).boundary
    assert boundary.decision == decision
    assert confidence is None or boundary.confidence == confidence


@pytest.mark.parametrize(
    ("minutes", "decision", "confidence"),
    [example("completed, later", 31, "new", 0.75), example("completed, at once", 5, "ask", 0.60)],
)
def test_a_completed_conversation_is_gone_on_with_only_at_once(
    minutes: float, decision: str, confidence: float
) -> None:
    with opened("brain", FAB) as (memory, clock):
        memory.end("completed")
        clock.advance(minutes=minutes)
        boundary = memory.hear("Add tests for it").boundary
        assert (boundary.decision, boundary.confidence) == (decision, confidence)


@pytest.mark.parametrize("minutes", [example("asks at once", 1), example("asks after six hours", 360)])
def test_it_asks_what_should_be_purple_and_offers_the_button(minutes: float) -> None:
    question = heard("brain", PURPLE, FAB, PULSE, minutes=minutes).question
    assert question is not None
    assert [option.key for option in question.options] == ["A", "B"]
    assert "fab button" in question.options[0].text.lower()


@pytest.mark.parametrize("reply", [example("reply A", "A"), example("reply in words", "the FAB button")])
def test_the_answer_goes_on_with_the_button(reply: str) -> None:
    with opened("brain", FAB) as (memory, _):
        assert memory.hear(PURPLE).boundary.decision == "ask"
        turn = memory.hear(reply)
        assert (turn.text, turn.expanded) == (PURPLE, "Make the FAB button purple")
        assert turn.conversation.number == 1


def test_a_switch_has_a_session_of_its_own_and_a_clear_window() -> None:
    with opened("kds", FAB) as (memory, _):
        turn = memory.hear(SWITCH)
        assert turn.conversation.id == "dark-mode-20251103"
        assert [entry["user_message"] for entry in memory.load()] == [SWITCH]


# --- entities, titles, signals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "names"),
    [
        example(
            "files",
            "Look at auth/jwt.py, auth/validators.py and config/settings.py",
            "file",
            {"auth/jwt.py", "auth/validators.py", "config/settings.py"},
        ),
        example("current file", "Working on token validation in auth/jwt.py", "file", {"auth/jwt.py"}),
        example(
            "functions",
            "Rename validate_jwt_token, generate_token and refresh_token",
            "function",
            {"validate_jwt_token", "generate_token", "refresh_token"},
        ),
        example("technologies", "We use PyJWT, Redis and RS256", "technology", {"PyJWT", "Redis", "RS256"}),
        example("people", "Ask @john and @sarah for a review", "person", {"@john", "@sarah"}),
        example(
            "concepts",
            "Explain refresh tokens and public key infrastructure",
            "concept",
            {"refresh tokens", "public key infrastructure"},
        ),
    ],
)
def test_entities_are_tracked_by_kind(text: str, kind: str, names: set[str]) -> None:
    assert names <= {entity.text for entity in heard("quaid", text).entities if entity.kind == kind}


@pytest.mark.parametrize(
    ("preset", "text", "title"),
    [
        example("title FAB Button", "brain", FAB, "fab button"),
        example("title Dark Mode", "brain", DARK, "dark mode"),
        example("title User Auth", "brain", "Add user authentication", "user auth"),
        example("title Playwright Test", "brain", "Fix the Playwright test", "playwright test"),
        example("title JWT auth", "quaid", "Let's implement JWT auth", "jwt auth"),
        example("title JWT Authentication", "quaid", "Implement JWT authentication system", "jwt authentication"),
        example("title Redis connection", "quaid", "Fix Redis connection", "redis connection"),
    ],
)
def test_a_conversation_is_named_after_what_it_is_about(preset: PresetName, text: str, title: str) -> None:
    assert title in heard(preset, text).conversation.title.lower()


@pytest.mark.parametrize(
    ("preset", "text", "kind"),
    [
        example("decision RS256", "quaid", "Use RS256 because better for distributed systems", "decision"),
        example("decision instead", "quaid", "Using RS256 instead of HS256", "decision"),
        example("decision bare", "quaid", "Use RS256", "decision"),
        example("decision Redis", "quaid", "Use Redis for public key storage", "decision"),
        example("decision decided", "quaid", "Decided on RS256 algorithm", "decision"),
        example("constraint exactly", "quaid", "Token TTL must be exactly 1 hour", "constraint"),
        example("constraint TTL", "quaid", "Token TTL must be 1 hour", "constraint"),
        example("constraint support", "quaid", "Must support refresh tokens", "constraint"),
        example("goal JWT", "quaid", "Let's implement JWT auth", "goal"),
        example("goal FAB", "assistant", FAB, "goal"),
        example("action next", "quaid", "Next: test token refresh + update docs", "action"),
        example("action pending", "quaid", "Pending: token refresh flow", "action"),
        example("completion", "quaid", "Implemented token generation", "completion"),
        example("remember", "quaid", "Remember this: public keys are in Redis", "remember"),
        example("fact name", "whisper", "My name is MarkAnthony", "fact"),
    ],
)
def test_what_matters_beyond_the_message_is_noticed(preset: PresetName, text: str, kind: str) -> None:
    assert kind in [signal.kind for signal in heard(preset, text).signals]


@pytest.mark.parametrize(
    "goal",
    [
        example("goal system", "Implement JWT authentication system"),
        example("goal bug", "Fix token expiration bug"),
    ],
)
def test_a_goal_is_set_with_the_command_that_is_shown(goal: str) -> None:
    with opened("quaid") as (memory, _):
        memory.command(f"/set_goal {goal}")
        assert [(found.text, found.status) for found in memory.state.goals] == [(goal, "pending")]


@pytest.mark.parametrize(
    ("text", "because"),
    [
        example("rationale", "Use RS256 because better for distributed systems", "better for distributed systems"),
        example("rationale let's", "Let's use RS256 because keys are public", "keys are public"),
    ],
)
def test_a_decision_keeps_its_rationale(text: str, because: str) -> None:
    assert because in [signal.because for signal in heard("quaid", text).signals if signal.kind == "decision"]


@pytest.mark.parametrize(
    ("text", "importance"),
    [
        example("importance of a goal", "Let's implement JWT auth", 0.8),
        example("importance of a decision", "Use RS256", 0.9),
        example("importance of code", "Why does `validate_jwt_token(x)` return None?", 0.8),
        example("importance of remember this", "Remember this: the keys are public", 1.0),
        example("importance of an error", "I get an error: connection refused", 0.85),
    ],
)
def test_a_message_is_as_important_as_shown(text: str, importance: float) -> None:
    assert heard("quaid", text).importance == pytest.approx(importance)


def test_a_reply_is_less_important_than_what_it_answers() -> None:
    with opened("quaid", "Let's implement JWT auth") as (memory, _):
        reply = memory.say("I'll help with that...")
        assert 0.4 <= reply.importance <= 0.6
