"""The MCP server: one set of tests over all its ways in: within the process, over stdio, over HTTP."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp_types import ElicitRequestParams, ElicitResult, TextContent

import anaphora
from anaphora.interfaces.mcp.memories import Memories
from anaphora.interfaces.mcp.server import server
from anaphora.models.tokens import token_counter
from anaphora.settings import Settings
from anaphora.testing import FrozenClock

Connect = Callable[..., AbstractAsyncContextManager[Client]]
TOOLS = ["hear", "say", "recall", "context", "remember", "state", "sessions", "light", "forget", "why", "stats"]


@pytest.fixture(params=["within", "stdio", "http"])
def connect(request: pytest.FixtureRequest, store_path: Path) -> Iterator[Connect]:
    """Opens a client on a store of its own, over each transport."""
    command = [sys.executable, "-m", "anaphora", "--store", str(store_path), "mcp"]
    if request.param == "within":
        memories = Memories(Settings(store=str(store_path), background=False, reader="none"))

        @asynccontextmanager
        async def within(**options: Any) -> AsyncIterator[Client]:
            async with Client(server(memories), **options) as client:
                yield client

        yield within
        memories.close()
    elif request.param == "stdio":

        @asynccontextmanager
        async def over_stdio(**options: Any) -> AsyncIterator[Client]:
            import os

            started = StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ))
            async with Client(started, **options) as client:
                yield client

        yield over_stdio
    else:
        with subprocess.Popen([*command, "--http", "--port", "0"], stderr=subprocess.PIPE, text=True) as running:
            assert running.stderr is not None
            line = running.stderr.readline()
            assert line.startswith("Serving at http://127.0.0.1:"), line
            url = line.split()[2].rstrip(";")

            @asynccontextmanager
            async def over_http(**options: Any) -> AsyncIterator[Client]:
                async with Client(url, **options) as client:
                    yield client

            yield over_http
            running.terminate()


pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


def run(work: Callable[[], Awaitable[None]]) -> None:
    anyio.run(work)


async def call(client: Client, tool: str, **given: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, given)
    assert not result.is_error, result.content
    content: dict[str, Any] | None = result.structured_content
    assert content is not None
    return content


async def refused(client: Client, tool: str, **given: Any) -> str:
    result = await client.call_tool(tool, given)
    assert result.is_error
    assert isinstance(result.content[0], TextContent)
    return result.content[0].text


def test_a_message_is_heard_and_what_it_points_to_comes_back(connect: Connect) -> None:
    async def talk() -> None:
        async with connect() as client:
            await call(client, "hear", message="I want to add a FAB button")
            heard = await call(client, "hear", message="Make it purple", id="m2")
            assert heard["standalone"] == "Make the FAB button purple"
            assert [(r["mention"], r["means"]) for r in heard["references"]] == [("it", "FAB button")]
            assert heard["topic"] == "same"
            assert await call(client, "hear", message="Make it purple", id="m2") == heard
            stored = await call(client, "say", reply="Done, it is purple.", reply_to=heard["message_id"])
            found = await call(client, "recall", query="purple button", speaker="assistant")
            assert [one["id"] for one in found["memories"]] == [stored["message_id"]]
            assert found["memories"][0]["why"]
            given = await call(client, "context", about="what about the button?", budget=900)
            assert "FAB button" in given["text"]
            assert given["tokens"] <= 900
            explained = await call(client, "why", message_id="m2")
            assert explained["boundary"].startswith("same")
            assert "FAB button" in explained["references"][0]

    run(talk)


def test_the_working_state_is_seen_and_changed(connect: Connect) -> None:
    async def talk() -> None:
        async with connect() as client:
            await call(client, "state", change="goal", text="Ship the login page", priority="high")
            await call(client, "state", change="decide", text="Use RS256", because="keys rotate")
            await call(client, "state", change="constrain", text="No new dependencies")
            await call(client, "remember", text="The staging server is called otter")
            state = await call(client, "state", change="complete", text="Ship the login page")
            assert state["goals"] == ["goal-1: Ship the login page (complete, high)"]
            assert state["decisions"] == ["dec-2: Use RS256 because keys rotate"]
            assert state["constraints"] == ["con-3: No new dependencies"]
            state = await call(client, "state", change="remove", text="con-3")
            assert state["constraints"] == []
            assert state["notes"] == ["note-4: The staging server is called otter"]

    run(talk)


def test_what_cannot_be_done_is_a_result_that_says_what_to_do(connect: Connect) -> None:
    async def talk() -> None:
        async with connect() as client:
            assert "no goal 'fly'" in await refused(client, "state", change="complete", text="fly")
            assert "Give `text`" in await refused(client, "state", change="decide")
            misnamed = await refused(client, "state", action="add", kind="goal", text="ship it")
            assert misnamed.startswith("state takes no 'action', but change, ")
            assert (await call(client, "state"))["goals"] == []
            assert "anaphora sessions list" in await refused(client, "sessions", step="restore", name="99")
            assert "Say what to forget" in await refused(client, "forget")
            assert "recall" in await refused(client, "why", message_id="nobody")
            assert "message" in await refused(client, "hear")
            assert "ISO 8601" in await refused(client, "recall", query="x", since="last tuesday")

    run(talk)


@pytest.mark.requirement("L2")
def test_the_light_context_answers_in_its_own_shapes(connect: Connect) -> None:
    async def talk() -> None:
        async with connect() as client:
            fields = {
                "last_intent": "update_task",
                "last_task_id": 7,
                "pending_fields": ["due_date"],
                "last_user_message": "update it",
            }
            kept = {**fields, "last_task_id": "7"}
            stored = await call(client, "light", request={"action": "store", **fields})
            assert stored == {"success": True, "stored_context": kept}
            assert await call(client, "light", request={"action": "retrieve"}) == {"success": True, "context": kept}
            missing = await call(client, "light", request={"action": "store", "last_intent": "x"})
            assert missing["success"] is False
            assert "pending_fields" in missing["error"]
            await call(client, "light", request={"action": "clear"})
            assert await call(client, "light", request={"action": "retrieve"}) == {"success": True, "context": None}

    run(talk)


def test_conversations_are_listed_begun_ended_and_gone_on_with(connect: Connect) -> None:
    async def talk() -> None:
        async with connect() as client:
            await call(client, "hear", message="I want to add a FAB button")
            await call(client, "sessions", step="end", outcome="planned")
            await call(client, "sessions", step="new", name="Dark mode")
            listed = await call(client, "sessions")
            assert [(s["number"], s["title"], s["active"]) for s in listed["sessions"]] == [
                (1, "FAB Button", False),
                (2, "Dark mode", True),
            ]
            back = await call(client, "sessions", step="restore", name=1)
            assert back["sessions"][0]["title"] == "FAB Button"
            kept = await call(client, "sessions", step="archive")
            assert kept["sessions"][0]["title"] == "FAB Button"
            shown = await call(client, "sessions", step="show", name="1")
            assert "I want to add a FAB button" in shown["summary"]
            resource = await client.read_resource("anaphora://sessions/1")
            assert json.loads(resource.contents[0].text)["title"] == "FAB Button"  # type: ignore[union-attr]
            listed_too = await client.read_resource("anaphora://sessions")
            assert len(json.loads(listed_too.contents[0].text)) == 2  # type: ignore[union-attr]

    run(talk)


def test_what_is_forgotten_is_gone(connect: Connect) -> None:
    async def talk() -> None:
        async with connect() as client:
            heard = await call(client, "hear", message="The launch code is kiwi")
            gone = await call(client, "forget", message=heard["message_id"])
            assert gone["messages"] == 1
            assert (await call(client, "recall", query="launch code kiwi"))["memories"] == []

    run(talk)


def test_chats_of_one_client_are_kept_apart_by_name_and_remembered_together(connect: Connect) -> None:
    async def talk() -> None:
        async with connect() as client:
            await call(client, "hear", message="I want to add a FAB button", session="one")
            other = await call(client, "hear", message="Make it purple", session="two")
            assert other["standalone"] == "Make it purple"
            same = await call(client, "hear", message="Make it purple", session="one")
            assert same["standalone"] == "Make the FAB button purple"
            assert len((await call(client, "recall", query="purple"))["memories"]) == 2

    run(talk)


def test_clients_at_once_lose_nothing(connect: Connect) -> None:
    async def talk() -> None:
        async def many(name: str) -> None:
            async with connect() as client:
                for number in range(5):
                    await call(client, "hear", message=f"note {number} of {name}", id=f"{name}-{number}", session=name)

        async with anyio.create_task_group() as group:
            for name in ("ann", "bob", "cem"):
                group.start_soon(many, name)
        async with connect() as client:
            for name in ("ann", "bob", "cem"):
                for number in range(5):
                    assert (await call(client, "why", message_id=f"{name}-{number}"))["message"].endswith(name)

    run(talk)


def test_every_tool_says_when_to_use_it_and_what_it_may_do() -> None:
    async def talk() -> None:
        async with Client(server(Memories(Settings(store=":memory:")))) as client:
            tools = (await client.list_tools()).tools
            assert [tool.name for tool in tools] == TOOLS
            for tool in tools:
                assert tool.description
                assert tool.description.startswith("Use ")
                assert tool.annotations is not None
                assert tool.annotations.read_only_hint is not None
                assert tool.output_schema is not None
            destructive = {t.name for t in tools if t.annotations and t.annotations.destructive_hint}
            assert destructive == {"forget"}
            listed = json.dumps([tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools])
            assert token_counter("o200k").count(listed) <= 4000

    run(talk)


@pytest.mark.requirement("Q13")
def test_the_slash_commands_are_prompts(connect: Connect) -> None:
    async def talk() -> None:
        async with connect() as client:
            names = {prompt.name for prompt in (await client.list_prompts()).prompts}
            assert {"set_goal", "complete_goal", "remember", "log_decision", "sessions", "forget", "why"} <= names
            done = await client.get_prompt("set_goal", {"text": "Ship the login page --priority high"})
            assert isinstance(done.messages[0].content, TextContent)
            assert "Ship the login page" in done.messages[0].content.text
            wrong = await client.get_prompt("complete_goal", {"text": "fly"})
            assert isinstance(wrong.messages[0].content, TextContent)
            assert "did not work" in wrong.messages[0].content.text
            assert (await call(client, "state"))["goals"] == ["goal-1: Ship the login page (pending, high)"]

    run(talk)


# --- questions ----------------------------------------------------------------------------------------------------


def _unsure(clock: FrozenClock) -> Memories:
    """A memory in which the next message is asked about, whatever it says."""

    def opening(settings: Settings) -> anaphora.Memory:
        from anaphora.engine import open_memory

        return open_memory(settings=settings, clock=clock)

    return Memories(Settings(store=":memory:", background=False, reader="none", ask_below=1.0), opening)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize(("action", "topic"), [("accept", "new"), ("decline", "unsure")])
def test_a_client_that_can_ask_the_user_is_asked(clock: FrozenClock, mode: str, action: Any, topic: str) -> None:
    asked: list[str] = []

    async def ask(_: Any, params: ElicitRequestParams) -> ElicitResult:
        asked.append(params.message)
        return ElicitResult(action=action, content={"choice": "B"} if action == "accept" else None)

    async def talk() -> None:
        async with Client(server(_unsure(clock)), elicitation_callback=ask, mode=mode) as client:  # type: ignore[arg-type]
            await call(client, "hear", message="I want to add a FAB button")
            clock.advance(minutes=50)
            heard = await call(client, "hear", message="The invoice needs a second page")
            assert len(asked) == 1
            assert "go on with" in asked[0]
            assert heard["topic"] == topic

    run(talk)


def test_a_client_that_cannot_ask_gets_the_question_and_answers_by_hearing(clock: FrozenClock) -> None:
    async def talk() -> None:
        async with Client(server(_unsure(clock))) as client:
            await call(client, "hear", message="I want to add a FAB button")
            clock.advance(minutes=50)
            heard = await call(client, "hear", message="The invoice needs a second page")
            assert heard["topic"] == "unsure"
            assert set(heard["question"]["options"]) >= {"A", "B"}
            settled = await call(client, "hear", message="B")
            assert settled["message_id"] == heard["message_id"]
            assert settled["question"] is None

    run(talk)


def test_a_request_over_stdio_that_cannot_be_read_is_answered_with_an_error(store_path: Path) -> None:
    def calling(id: int, message: str) -> str:
        params = {"name": "hear", "arguments": {"message": message}}
        return json.dumps({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})

    opening = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    lines = [
        calling(1, "half a smile \ud83d"),
        json.dumps({"jsonrpc": "2.0", "id": 2, "method": "initialize", "params": opening}),
        json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        "no JSON at all",
        json.dumps({"jsonrpc": "2.0", "id": 9, "result": {"text": "\ude00"}}),  # no request
        calling(3, "the other half \ude00"),
        calling(4, "a whole smile \N{GRINNING FACE}"),
    ]
    command = [sys.executable, "-m", "anaphora", "--store", str(store_path), "mcp"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write("\n".join(lines) + "\n")
        running.stdin.flush()
        answers = {answer["id"]: answer for answer in (json.loads(running.stdout.readline()) for _ in range(4))}
        running.stdin.close()
        assert running.stdout.read() == ""
    assert {id: answer["error"]["code"] for id, answer in answers.items() if "error" in answer} == {
        1: -32700,
        3: -32700,
    }
    assert "both of its halves" in answers[1]["error"]["message"]
    assert answers[4]["result"]["structuredContent"]["standalone"] == "a whole smile \N{GRINNING FACE}"
