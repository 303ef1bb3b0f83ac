"""Slash commands: read as they were typed, done the same from the library, the command line and the chat."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anaphora
from anaphora import InputError, Memory, NotFound
from anaphora.engine.commands import COMMANDS, is_command
from anaphora.engine.commands.parsing import arguments_of, head_of
from anaphora.memory.items import items_of
from anaphora.memory.working import Work
from anaphora.testing import FrozenClock
from tests.commands import error, own_store, run
from tests.talk import later

# --- as it was typed ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "head"),
    [
        ("/help", ("help", "")),
        ("  /Set-Goal  Write tests ", ("set_goal", "Write tests")),
        ("/remember two\nlines", ("remember", "two\nlines")),
        ("/etc/hosts is wrong", None),
        ("//comment", None),
        ("/ help", None),
        ("set_goal x", None),
        ("/1", None),
    ],
)
def test_a_command_begins_with_a_slash_and_a_name(line: str, head: tuple[str, str] | None) -> None:
    assert head_of(line) == head


@pytest.mark.parametrize(
    ("rest", "text", "words", "flags"),
    [
        ("Use RS256", "Use RS256", ("Use", "RS256"), {}),
        ("don't  touch it", "don't  touch it", ("don't", "touch", "it"), {}),
        ('"one thing" two', '"one thing" two', ("one thing", "two"), {}),
        ('"just one thing"', "just one thing", ("just one thing",), {}),
        ("'single quotes'", "single quotes", ("single quotes",), {}),
        (r'"a \"quoted\" word"', 'a "quoted" word', ('a "quoted" word',), {}),
        ('5" screens are "small', '5" screens are "small', ('5"', "screens", "are", '"small'), {}),
        ('--title="JWT work" rest', "rest", ("rest",), {"title": "JWT work"}),
        ("--title JWT rest", "rest", ("rest",), {"title": "JWT"}),
        ("a --title 'two words' b", "a b", ("a", "b"), {"title": "two words"}),
        ("a --json b", "a b", ("a", "b"), {"json": ""}),
        ("push with --force", "push with --force", ("push", "with", "--force"), {}),
        ('"--json stays" text', '"--json stays" text', ("--json stays", "text"), {}),
        ("-- --json is a word", "--json is a word", ("--json", "is", "a", "word"), {}),
        ("", "", (), {}),
    ],
)
def test_quotes_hold_together_and_free_text_stays_as_it_is(
    rest: str, text: str, words: tuple[str, ...], flags: dict[str, str]
) -> None:
    found = arguments_of(rest, {"title": True, "json": False}, free=True)
    assert (found.text, found.words, dict(found.flags)) == (text, words, flags)


@pytest.mark.parametrize(
    ("rest", "says"),
    [
        ("--titel x", "Unknown flag --titel. Known: --title, --json."),
        ("--title", "--title needs a value"),
        ("--title=", "--title needs a value"),
        ("--title --json", "--title needs a value"),
        ("--json=yes", "--json takes no value"),
    ],
)
def test_a_flag_that_cannot_be_read_is_named(rest: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        arguments_of(rest, {"title": True, "json": False}, free=False)


@given(st.text(max_size=60))
def test_any_text_can_be_read_and_nothing_of_it_is_lost(rest: str) -> None:
    found = arguments_of(rest.strip(), {}, free=True)
    assert len(found.words) == len(found.quoted)
    if "--" not in rest and not any(found.quoted):
        assert found.text == rest.strip()


# --- done ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def talked(any_memory: Memory) -> Memory:
    any_memory.hear("I want to add a FAB button", at=later(0), id="m1")
    any_memory.hear("Make it purple", at=later(1), id="m2")
    return any_memory


def said(memory: Memory, line: str) -> str:
    return memory.command(line).text


@pytest.mark.requirement("Q13")
def test_the_reference_commands_do_what_they_say(any_memory: Memory) -> None:
    assert "goal goal-1  ⏳ Implement JWT authentication system" in said(
        any_memory, "/set_goal Implement JWT authentication system"
    )
    assert "because better for distributed systems" in said(
        any_memory, "/log_decision Use RS256 because better for distributed systems"
    )
    assert "con-3" in said(any_memory, "/add_constraint Token TTL must be exactly 1 hour")
    assert "note-4" in said(any_memory, "/remember The demo isn't on Friday")
    assert "Completed goal-1" in said(any_memory, "/complete_goal Implement JWT authentication")
    state = any_memory.state
    assert [(d.text, d.because) for d in state.decisions] == [("Use RS256", "better for distributed systems")]
    assert [n.text for n in state.constraints] == ["Token TTL must be exactly 1 hour"]
    assert [n.text for n in state.notes] == ["The demo isn't on Friday"]
    assert [g.status for g in state.goals] == ["complete"]


@pytest.mark.parametrize(
    "line",
    [
        '/log_decision "Use RS256" "keys rotate"',
        "/log_decision Use RS256 because keys rotate",
        "/log_decision Use RS256, because keys rotate",
        '/log_decision Use RS256 --because "keys rotate"',
    ],
)
def test_a_decision_gives_its_reason_in_any_of_these_ways(memory: Memory, line: str) -> None:
    memory.command(line)
    assert [(d.text, d.because) for d in memory.state.decisions] == [("Use RS256", "keys rotate")]


@pytest.mark.requirement("Q1")
def test_every_kind_of_item_can_be_worked_on_by_slash_commands(any_memory: Memory) -> None:
    for line in (
        "/set_goal Login --priority high",
        '/set_goal "Write tests" --under Login',
        "/add_action Ask Eve",
        "/log_decision Use tabs",
        "/add_constraint Stay small",
        "/remember Friday",
        "/learn I live in Paris",
    ):
        any_memory.command(line)
    state = any_memory.state
    assert [(g.text, g.priority, g.parent) for g in state.goals] == [
        ("Login", "high", None),
        ("Write tests", "medium", "goal-1"),
    ]
    assert "It takes the place of dec-4 “Use tabs”." in said(any_memory, "/log_decision Use spaces")
    assert "It takes the place of fact-7 “I live in Paris”." in said(any_memory, "/learn I moved to Berlin")
    assert "Completed act-3" in said(any_memory, "/complete Ask Eve")
    assert "Changed con-5  Stay very small" in said(any_memory, "/change con-5 Stay very small")
    assert "Removed 1 note: “Friday”" in said(any_memory, "/remove Friday")
    assert said(any_memory, "/undo fact-9") == "Took back “I moved to Berlin”.\n“I live in Paris” stands again."
    assert said(any_memory, "/remember Friday") == "Kept as note note-10  Friday."
    assert said(any_memory, "/remember friday") == "That is there already."
    listed = said(any_memory, "/state")
    assert "dec-8  Use spaces" in listed
    assert "dec-4" not in listed
    assert "dec-4  Use tabs (superseded by dec-8)" in said(any_memory, "/state --all")
    assert said(any_memory, "/facts") == "fact-7  I live in Paris"


def test_undo_takes_back_what_was_done_last_whether_said_or_typed(talked: Memory) -> None:
    talked.update(lambda work: work.constrain("Stay small"), at=later(2))
    assert said(talked, "/undo") == "Took back “Stay small”."
    assert said(talked, "/undo") == "Took back “add a FAB button”."
    with pytest.raises(NotFound, match="could be undone"):
        talked.command("/undo")


@pytest.mark.parametrize(
    "change",
    [
        lambda work: work.complete("Ship it"),
        lambda work: work.remove("Monday"),
        lambda work: work.change("Monday", text="Tuesday"),
    ],
    ids=["completed", "removed", "changed"],
)
def test_undo_takes_back_nothing_older_than_what_was_changed_by_hand(
    talked: Memory, change: Callable[[Work], object]
) -> None:
    with talked.update(at=later(2)) as work:
        work.add_goal("Ship it")
        work.remember("Monday")
    talked.update(change, at=later(3))
    before = talked.state
    with pytest.raises(NotFound, match="cannot be undone"):
        talked.command("/undo")
    assert talked.state == before
    talked.update(lambda work: work.constrain("Stay small"), at=later(4))
    assert said(talked, "/undo") == "Took back “Stay small”."


@pytest.mark.requirement("Q13")
def test_the_context_is_told_summed_up_restored_and_cleared(talked: Memory) -> None:
    status = talked.command("/context status")
    assert status.text.startswith("#1 FAB Button, 2 messages.\n\n# Current Context\n\n## Active Goals")
    assert f"of {talked.settings.budget:,} tokens" in status.text
    assert (status.data["conversation"]["title"], status.data["tokens"]["state"] > 0) == ("FAB Button", True)
    assert said(talked, "/context") == status.text
    assert "FAB button" in said(talked, "/context summary")
    assert said(talked, "/context show 400") == talked.context("Make it purple", 400).text
    talked.hear("Actually, let's work on dark mode first", at=later(3))
    assert "✓ Restored session: #1 FAB Button" in said(talked, "/context restore 1")
    restored = talked.current()
    assert restored is not None
    assert restored.title == "FAB Button"
    cleared = talked.command("/context clear")
    assert "Deleted 2 messages of #1 FAB Button and 1 item gathered from them." in cleared.text
    assert (cleared.data["messages"], cleared.data["items"]) == (2, 1)
    assert [c.title for c in talked.conversations()] == ["Dark Mode"]
    assert said(talked, "/context clear") == "There was nothing to clear."


@pytest.mark.requirement("Q13")
def test_a_conversation_is_archived_under_a_title_of_its_own(talked: Memory) -> None:
    done = talked.command('/context archive --title="The button"')
    assert done.text == f"Archived “The button” as {done.data['id']}, from 2 messages."
    assert [f.title for f in talked.fragments()] == ["The button"]
    current = talked.current()
    assert current is not None


def test_clearing_leaves_what_was_set_by_hand(talked: Memory) -> None:
    talked.command("/add_constraint Stay small")
    assert said(talked, "/context clear").endswith("1 item set by hand or said elsewhere stays.")
    assert [i.text for i in items_of(talked.state)] == ["Stay small"]


def test_forgetting_says_what_and_how_much(talked: Memory) -> None:
    assert said(talked, "/forget last") == "Forgot 1 message: “Make it purple”."
    assert said(talked, "/forget message m1") == "Forgot 1 message: m1."
    talked.hear("I want to add dark mode", at=later(5))
    assert said(talked, "/forget conversation 1") == "Forgot 1 message: #1 Dark Mode."
    with pytest.raises(InputError, match="--yes"):
        talked.command("/forget user")
    assert talked.command("/forget user --yes").data["scopes"] == 1


@pytest.mark.requirement("Q13")
def test_why_explains_the_last_message_and_any_item(talked: Memory) -> None:
    last = said(talked, "/why")
    assert last.startswith("“Make it purple”\nmeans “Make the FAB button purple”\ngoes on with “FAB Button”")
    assert "“it” is FAB button" in last
    assert "wants " in last
    assert said(talked, "/why m1").startswith("“I want to add a FAB button”\nbegins “FAB Button”")
    item = talked.command("/why goal-1")
    assert item.text.startswith("goal-1 is a goal: add a FAB button\ngathered from “I want to add a FAB button” (m1)")
    assert item.data["message"]["id"] == "m1"
    talked.hear("The FAB button is done", at=later(2), id="m3")
    assert "completed by “The FAB button is done” (m3)" in said(talked, "/why goal-1")
    talked.command("/log_decision Use SQLite")
    talked.command("/log_decision Use Postgres")
    assert "superseded by dec-3 “Use Postgres”" in said(talked, "/why Use SQLite")
    assert "took the place of dec-2 “Use SQLite”" in said(talked, "/why dec-3")
    talked.command("/learn I live in Paris")
    talked.command("/learn I moved to Berlin")
    assert "replaced by fact-5 “I moved to Berlin”" in said(talked, "/why fact-4")
    assert "set by hand" in said(talked, "/why fact-4")


def test_conversations_are_listed_begun_and_ended(talked: Memory) -> None:
    assert said(talked, "/new Login") == "Started #2 Login."
    assert said(talked, "/end tested") == "Ended #2 Login as tested."
    listed = said(talked, "/sessions").splitlines()
    assert [line.split("  ")[0] for line in listed] == ["#1 FAB Button", "#2 Login"]
    assert "I want to add a FAB button" in said(talked, "/recall FAB button")


def test_what_is_recalled_is_what_was_said_and_beside_it_what_it_was_taken_to_mean(talked: Memory) -> None:
    lines = said(talked, "/recall purple").splitlines()
    first = next(number for number, line in enumerate(lines) if line.endswith("me] Make it purple"))
    assert lines[first + 1] == "    meaning: Make the FAB button purple"


def test_a_summary_is_recalled_as_one_and_not_as_what_somebody_said(talked: Memory) -> None:
    made = talked.archive()
    assert made.author == "me"
    hits = talked.recall("what became of the FAB button?")
    assert {hit.speaker for hit in hits if hit.fragment_id} == {"summary"}
    assert {hit.speaker for hit in hits if hit.message_id} == {"me"}
    assert f"summary] {made.title}" in said(talked, "/recall FAB button")
    told = [part.text for part in talked.context("what became of the FAB button?").parts if part.message_id == made.id]
    assert [", summary]" in line for line in told] == [True]


@pytest.mark.parametrize("line", ["/state", "/facts", "/sessions", "/context", "/why", "/help", "/recall button"])
def test_json_stands_beside_every_answer(talked: Memory, line: str) -> None:
    assert json.loads(said(talked, f"{line} --json")) == talked.command(line).data


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("/set_gaol x", "Did you mean /set_goal?"),
        ("/xyzzy", "/help lists them all"),
        ("no slash", "begins with a slash"),
        ("/set_goal", "What is the goal? Type, say, /set_goal Write the tests."),
        ("/set_goal X --priority urgent", "Use one of: high, medium, low"),
        ("/set_goal X --under Nothing", "no goal 'Nothing'"),
        ("/complete_goal Nothing", "no goal 'Nothing'"),
        ("/complete", "What is done?"),
        ("/remember", "What should be remembered?"),
        ("/log_decision", "What was decided?"),
        ("/add_constraint  ", "What must be respected?"),
        ("/change goal-1", "Which item, and what should it say?"),
        ("/context nothing", "Use one of: status, show, summary, clear, restore, archive"),
        ("/context restore", "Which conversation?"),
        ("/context show many", "A budget is a number of tokens"),
        ("/context clear all", "takes nothing more"),
        ("/context clear --title=X", "takes no --title"),
        ("/context archive everything", "takes nothing more"),
        ("/sessions --all", "Unknown flag --all"),
        ("/forget", "What should be forgotten?"),
        ("/forget message nothing", "no message 'nothing'"),
        ("/why nothing", "no item or message 'nothing'"),
        ("/why", "Say something first"),
        ("/recall", "What should be recalled?"),
        ("/help nothing", "There is no command /nothing"),
        ("/remember a\0b", "NUL"),
    ],
)
def test_what_cannot_be_done_is_said_with_what_to_do_and_changes_nothing(memory: Memory, line: str, says: str) -> None:
    with pytest.raises(InputError) as failed:
        memory.command(line)
    assert says in str(failed.value)
    assert items_of(memory.state) == []


@pytest.mark.parametrize("line", ["/{}", "/context {}", "/context show {}", "/complete {}", "/why {}", "/help {}"])
def test_an_error_stays_short_whatever_was_typed(memory: Memory, line: str) -> None:
    memory.command("/set_goal " + "x" * 3000)
    with pytest.raises(InputError) as failed:
        memory.command(line.format("9x" * 2000))
    assert len(str(failed.value)) < 400


def test_no_secret_gets_in_through_a_command(memory: Memory) -> None:
    key = "sk-ant-" + "a1" * 20
    assert key not in said(memory, f"/remember the key is {key}")
    assert key not in str(memory.state)


def test_only_lines_that_call_a_command_of_the_table_are_commands() -> None:
    assert is_command("/set_goal x")
    assert not is_command("/usr is full")
    assert not is_command("/etc/hosts is wrong")


def test_help_lists_every_command(memory: Memory) -> None:
    told = said(memory, "/help")
    assert [name for name in COMMANDS if f"/{name}" not in told] == []
    assert said(memory, "/help set-goal").startswith("/set_goal TEXT")


# --- on the command line ------------------------------------------------------------------------------------------


@pytest.fixture
def _own_store(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_store(store_path, monkeypatch)


@pytest.fixture
def stored(store_path: Path, clock: FrozenClock, _own_store: None) -> Iterator[Memory]:
    with anaphora.open(store_path, clock=clock) as opened:
        yield opened


@pytest.mark.requirement("Q13")
def test_a_slash_command_is_done_from_the_shell(stored: Memory) -> None:
    assert run("command", "/set_goal Write the tests").stdout == "Kept as goal goal-1  ⏳ Write the tests.\n"
    data = json.loads(run("command", "/state", "--json").stdout)
    assert data == json.loads(run("command", "/state --json").stdout)
    assert [g["text"] for g in data["goals"]] == ["Write the tests"]
    assert run("command", "-", stdin="/remember Friday\n").stdout == "Kept as note note-2  Friday.\n"
    assert "Did you mean /set_goal?" in error("command", "/setgoal x")
    assert len(items_of(stored.state)) == 2


@pytest.mark.requirement("Q1")
def test_the_state_is_worked_on_from_the_shell(stored: Memory) -> None:
    run("state", "add", "goal", "Login", "--priority", "high")
    run("state", "add", "goal", "Write tests", "--under", "Login")
    run("state", "add", "action", 'Ask "Eve"')
    run("state", "add", "decision", "Use RS256", "--because", "keys rotate")
    run("state", "add", "constraint", "--", "--no-flags")
    run("state", "add", "note", "-", stdin="Friday\n")
    run("state", "add", "fact", "I live in Paris")
    assert [i.text for i in items_of(stored.state)] == [
        "Login",
        "Write tests",
        'Ask "Eve"',
        "Use RS256",
        "--no-flags",
        "Friday",
        "I live in Paris",
    ]
    run("state", "change", "write tests", "--status", "in-progress", "--text", "Write more tests", "--under", "")
    assert [(g.text, g.status, g.parent) for g in stored.state.goals][1] == ("Write more tests", "in-progress", None)
    run("state", "change", "dec-4", "--because", "keys can be rotated")
    assert stored.state.decisions[0].because == "keys can be rotated"
    run("state", "complete", "login")
    run("state", "remove", "Friday")
    assert "goal-1" not in run("state").stdout
    assert "goal-1  ✅ Login (high)" in run("state", "--all").stdout
    assert json.loads(run("state", "--json").stdout)["notes"] == []
    assert run("undo", "con-5").stdout == "Took back “--no-flags”.\n"
    assert "cannot be undone" in error("undo")
    run("state", "add", "note", "Monday")
    assert json.loads(run("undo", "--json").stdout)["removed"] == ["Monday"]
    assert json.loads(run("undo", "I live in Paris", "--json").stdout)["removed"] == ["I live in Paris"]


def test_what_does_not_belong_together_is_refused(stored: Memory) -> None:
    for args, says in (
        (("state", "add", "note", "X", "--priority", "high"), "belongs to a goal"),
        (("state", "add", "goal", "X", "--because", "Y"), "belongs to a decision"),
        (("state", "change", "goal-1"), "Say what to change"),
    ):
        assert says in run(*args, code=2).stderr.replace("\n", " ")
    assert "no item 'nothing'" in error("state", "remove", "nothing")
    assert "no item 'nothing'" in error("state", "change", "nothing", "--text", "X")
    assert items_of(stored.state) == []


@pytest.mark.requirement("W12")
def test_facts_are_listed_with_their_history(stored: Memory) -> None:
    assert "Nothing is known yet" in run("facts").stdout
    run("facts", "add", "I live in Paris")
    assert "It takes the place of fact-1" in run("facts", "add", "I moved to Berlin").stdout
    now, past = run("facts").stdout, run("facts", "--history").stdout
    assert ("Berlin" in now, "Paris" in now, "Paris" in past) == (True, False, True)
    listed = json.loads(run("facts", "--history", "--json").stdout)
    assert [(f["text"], f["replaced_by"]) for f in listed] == [
        ("I live in Paris", "fact-2"),
        ("I moved to Berlin", None),
    ]
    run("facts", "remove", "fact-2")
    assert [f["text"] for f in json.loads(run("facts", "--json").stdout)] == ["I live in Paris"]
    run("state", "add", "note", "Friday")
    assert "no fact 'note-3'" in error("facts", "remove", "note-3")


def test_a_file_is_touched_from_the_shell(stored: Memory) -> None:
    assert run("touch", "a.py", "--function", "run", "--edited").stdout == "Working on a.py, in run.\n"
    assert json.loads(run("touch", "b.py", "--json").stdout)["files"] == ["a.py", "b.py"]
    assert stored.state.files.last_edited == "a.py"
