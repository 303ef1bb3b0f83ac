"""The light context: its shapes, its errors, its two storages, and the session file of the command line."""

from __future__ import annotations

import json
import logging
import math
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.errors import InputError
from anaphora.interfaces.cli.light import end_light_session, light_response
from anaphora.light import LightContext, Response

CONTEXT: dict[str, Any] = {
    "last_intent": "task_creation",
    "last_task_id": "123",
    "pending_fields": [],
    "last_user_message": "Create a new task for refactoring",
}
STORE = {"action": "store", **CONTEXT}
STORED: Response = {"success": True, "stored_context": CONTEXT}
FOUND: Response = {"success": True, "context": CONTEXT}
EMPTY: Response = {"success": True, "context": None}
CLEARED: Response = {"success": True, "message": "Context cleared successfully"}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder that holds nothing but what the test puts there."""
    folder = tmp_path / "place"
    folder.mkdir()
    return folder


@pytest.fixture(params=["memory", "file"])
def light(request: pytest.FixtureRequest, place: Path) -> Iterator[LightContext]:
    with LightContext(place / "light.json" if request.param == "file" else None) as context:
        yield context


def is_error(response: Response) -> bool:
    error = response.get("error")
    return response == {"success": False, "error": error} and isinstance(error, str) and error != ""


# --- store, retrieve, clear ---------------------------------------------------------------------------------------


@pytest.mark.requirement("L1")
def test_four_fields_are_stored_retrieved_and_cleared_in_exactly_these_shapes(light: LightContext) -> None:
    assert light.store("task_creation", "123", [], "Create a new task for refactoring") == STORED
    assert light.retrieve() == FOUND
    assert light.clear() == CLEARED
    assert light.retrieve() == EMPTY


def test_a_parsed_request_and_raw_json_are_answered_alike(light: LightContext) -> None:
    retrieve, clear = {"action": "retrieve"}, {"action": "clear"}
    steps: list[tuple[object, Response]] = [(STORE, STORED), (retrieve, FOUND), (clear, CLEARED), (retrieve, EMPTY)]
    for request, response in steps:
        assert light.handle(request) == response
    for request, response in steps:
        assert light.handle_json(json.dumps(request)) == json.dumps(response)


@pytest.mark.requirement("L1")
@pytest.mark.parametrize(
    ("given_id", "kept"),
    [("T-7", "T-7"), ("", ""), (123, "123"), (0, "0"), (-4, "-4"), (1.5, "1.5"), (10**30, str(10**30)), (None, None)],
)
def test_a_task_id_is_kept_as_a_string_or_as_null(light: LightContext, given_id: Any, kept: str | None) -> None:
    assert light.store("task_update", given_id, ["due"], "update it")["stored_context"]["last_task_id"] == kept
    assert light.retrieve()["context"]["last_task_id"] == kept


def test_a_context_of_empty_texts_is_a_stored_context(light: LightContext) -> None:
    light.store("", None, [], "")
    assert [*light.retrieve()["context"].values()] == ["", None, [], ""]


def test_storing_again_replaces_all_four_fields(light: LightContext) -> None:
    light.store("task_update", "9", ["title", "due"], "update it")
    light.handle(STORE)
    assert light.retrieve() == FOUND


@pytest.mark.requirement("L4")
def test_retrieving_from_an_empty_store_is_a_success_with_no_context(light: LightContext) -> None:
    assert light.retrieve() == EMPTY
    assert light.handle_json('{"action": "retrieve"}') == '{"success": true, "context": null}'


def test_fields_that_come_with_retrieve_or_clear_are_not_stored(light: LightContext) -> None:
    assert light.handle({**STORE, "action": "retrieve"}) == EMPTY
    assert light.handle({**STORE, "action": "clear"}) == CLEARED
    assert light.retrieve() == EMPTY


def test_no_response_and_no_argument_is_a_door_to_what_is_stored(light: LightContext) -> None:
    pending = ["due"]
    stored = light.store("task_update", "9", pending, "update it")
    pending.append("title")
    stored["stored_context"]["pending_fields"].append("title")
    found = light.retrieve()
    found["context"]["pending_fields"].clear()
    found["context"]["last_intent"] = "changed"
    assert [*light.retrieve()["context"].values()] == ["task_update", "9", ["due"], "update it"]


@pytest.mark.requirement("L1")
@given(
    last_intent=st.text(),
    last_task_id=st.none() | st.text() | st.integers() | st.floats(allow_nan=False, allow_infinity=False),
    pending_fields=st.lists(st.text()),
    last_user_message=st.text(),
)
def test_whatever_is_stored_comes_back_word_for_word(
    last_intent: str, last_task_id: str | int | float | None, pending_fields: list[str], last_user_message: str
) -> None:
    expected = {
        "last_intent": last_intent,
        "last_task_id": None if last_task_id is None else str(last_task_id),
        "pending_fields": pending_fields,
        "last_user_message": last_user_message,
    }
    with tempfile.TemporaryDirectory() as folder:
        for light in (LightContext(), LightContext(Path(folder) / "light.json")):
            stored = light.store(last_intent, last_task_id, pending_fields, last_user_message)
            assert stored == {"success": True, "stored_context": expected}
            assert light.retrieve() == {"success": True, "context": expected}
            assert json.loads(light.handle_json('{"action": "retrieve"}')) == light.retrieve()


def test_half_a_character_survives_and_the_answer_is_ascii(light: LightContext) -> None:
    request = json.dumps({**STORE, "last_user_message": "naïve \ud83d"})
    assert light.handle_json(request).isascii()
    assert light.retrieve()["context"]["last_user_message"] == "naïve \ud83d"


# --- what cannot be taken -----------------------------------------------------------------------------------------

ACTIONS = "Must be 'store', 'retrieve', or 'clear'"
OBJECT = "Must be an object with an 'action'"
MISSING = "Missing required fields for 'store'"
TASK_ID = "last_task_id must be a string, a number or null"
PENDING = "pending_fields must be an array of strings"
ONLY = "Only last_intent, last_task_id, pending_fields, last_user_message can be stored"


def without(*names: str) -> dict[str, Any]:
    return {key: value for key, value in STORE.items() if key not in names}


BAD_REQUESTS: list[tuple[object, str]] = [
    ({"action": "update"}, "Invalid action: 'update'. Must be 'store', 'retrieve', or 'clear'"),
    ({**STORE, "action": "update"}, f"Invalid action: 'update'. {ACTIONS}"),
    ({"action": "Store"}, f"Invalid action: 'Store'. {ACTIONS}"),
    ({"action": ""}, f"Invalid action: ''. {ACTIONS}"),
    ({"action": None}, f"Invalid action: null. {ACTIONS}"),
    ({"action": ["store"]}, f"Invalid action: an array. {ACTIONS}"),
    ({}, f"Missing action. {ACTIONS}"),
    (CONTEXT, f"Missing action. {ACTIONS}"),
    (None, f"Invalid request: null. {OBJECT}"),
    ("store", f"Invalid request: a string. {OBJECT}"),
    ([STORE], f"Invalid request: an array. {OBJECT}"),
    (7, f"Invalid request: a number. {OBJECT}"),
    ({"action": "store"}, f"{MISSING}: last_intent, last_task_id, pending_fields, last_user_message"),
    (without("last_intent"), f"{MISSING}: last_intent"),
    (without("last_task_id"), f"{MISSING}: last_task_id"),
    (without("pending_fields"), f"{MISSING}: pending_fields"),
    (without("last_intent", "last_user_message"), f"{MISSING}: last_intent, last_user_message"),
    ({**STORE, "last_intent": None}, "Wrong values: last_intent must be a string, not null"),
    ({**STORE, "last_user_message": 5}, "Wrong values: last_user_message must be a string, not a number"),
    ({**STORE, "last_task_id": True}, f"Wrong values: {TASK_ID}, not a boolean"),
    ({**STORE, "last_task_id": {}}, f"Wrong values: {TASK_ID}, not an object"),
    ({**STORE, "pending_fields": None}, f"Wrong values: {PENDING}, not null"),
    ({**STORE, "pending_fields": "due"}, f"Wrong values: {PENDING}, not a string"),
    ({**STORE, "pending_fields": ["due", 3]}, f"Wrong values: {PENDING}, not one that holds a number"),
    ({**STORE, "mood": "good", "note": 1}, f"Unknown fields: 'mood', 'note'. {ONLY}"),
    ({"action": "retrieve", "mood": "good"}, f"Unknown fields: 'mood'. {ONLY}"),
    ({"action": "clear", "mood": "good"}, f"Unknown fields: 'mood'. {ONLY}"),
    (
        {"action": "store", "last_intent": 1, "last_task_id": [], "pending_fields": [], "mood": "good"},
        f"{MISSING}: last_user_message. Wrong values: last_intent must be a string, not a number; "
        f"{TASK_ID}, not an array. Unknown fields: 'mood'. {ONLY}",
    ),
]


@pytest.mark.requirement("L3")
@pytest.mark.parametrize(("bad", "error"), BAD_REQUESTS, ids=range(len(BAD_REQUESTS)))
def test_a_bad_request_says_what_is_wrong_and_changes_nothing(light: LightContext, bad: object, error: str) -> None:
    refused = {"success": False, "error": error}
    assert light.handle(bad) == refused
    assert light.retrieve() == EMPTY
    light.handle(STORE)
    assert light.handle(bad) == refused
    assert json.loads(light.handle_json(json.dumps(bad))) == refused
    assert light.retrieve() == FOUND


@pytest.mark.requirement("L3")
@pytest.mark.parametrize(
    "text",
    [
        *[
            "",
            "store",
            '{"action": "clear"',
            '{"action": "clear"} done',
            json.dumps({**STORE, "last_task_id": math.nan}),
        ],
        pytest.param("[" * 100_000, id="nested without end"),
        pytest.param('{"action": "store", "last_task_id": ' + "9" * 5_000 + "}", id="too many digits"),
    ],
)
def test_what_is_not_json_is_answered_with_an_error_and_changes_nothing(light: LightContext, text: str) -> None:
    light.handle(STORE)
    response = json.loads(light.handle_json(text))
    assert is_error(response)
    assert response["error"].startswith("Invalid JSON: ")
    assert light.retrieve() == FOUND


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, pytest.param(10**5_000, id="too many digits")])
def test_a_number_that_cannot_be_written_down_is_refused(light: LightContext, number: float) -> None:
    response = light.store("task_update", number, [], "update it")
    expected = "Wrong values: last_task_id must be a finite number of a sensible length"
    assert response == {"success": False, "error": expected}
    assert light.retrieve() == EMPTY


def test_keys_and_values_that_json_does_not_know_are_named_by_their_type(light: LightContext) -> None:
    strange: dict[object, object] = {"pending_fields": ("due",), 5: "five"}
    response = light.handle(dict(STORE) | strange)
    expected = f"Wrong values: {PENDING}, not a tuple. Unknown fields: a number. {ONLY}"
    assert response == {"success": False, "error": expected}


# --- storage ------------------------------------------------------------------------------------------------------


def test_the_file_is_readable_by_its_owner_alone_and_nothing_lies_beside_it(place: Path) -> None:
    path = place / "light.json"
    light = LightContext(path)
    assert list(place.iterdir()) == []
    light.handle(STORE)
    path.chmod(0o644)
    light.handle(STORE)
    assert list(place.iterdir()) == [path]
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_two_contexts_on_one_file_see_each_others_changes(place: Path) -> None:
    one, other = LightContext(place / "light.json"), LightContext(place / "light.json")
    one.handle(STORE)
    assert other.retrieve() == FOUND
    other.store("task_update", None, [], "update it")
    assert one.retrieve()["context"]["last_intent"] == "task_update"
    other.clear()
    assert one.retrieve() == EMPTY


@pytest.mark.requirement("L5")
@pytest.mark.parametrize(
    "name", ["plain/light.json", "folder", "missing/light.json", "nul\0.json", pytest.param("x" * 300, id="long")]
)
def test_a_place_that_cannot_be_written_to_is_answered_with_an_error(place: Path, name: str) -> None:
    (place / "plain").write_text("a file, where a folder should be")
    (place / "folder").mkdir()
    light = LightContext(place / name)
    response = light.handle(STORE)
    assert is_error(response)
    assert "could not be written" in response["error"]
    assert sorted(entry.name for entry in place.iterdir()) == ["folder", "plain"]


@pytest.mark.requirement("L5")
@pytest.mark.parametrize("name", ["plain/light.json", "folder", "nul\0.json"])
def test_a_place_that_cannot_be_read_or_cleared_is_answered_with_an_error(place: Path, name: str) -> None:
    (place / "plain").write_text("a file, where a folder should be")
    (place / "folder").mkdir()
    light = LightContext(place / name)
    assert "could not be read" in light.retrieve()["error"]
    assert "could not be removed" in light.clear()["error"]
    assert is_error(light.close())


@pytest.mark.requirement("L5")
@pytest.mark.parametrize(
    "content",
    [
        *[b"", b"{", b"\xff\xfe", b"null", b"[]", b"{}"],
        pytest.param(b"[" * 100_000, id="nested without end"),
        pytest.param(json.dumps({**CONTEXT, "last_intent": 1}).encode(), id="a wrong type"),
        pytest.param(json.dumps(STORE).encode(), id="a field too many"),
    ],
)
def test_a_damaged_file_is_answered_with_an_error_until_it_is_cleared_or_replaced(place: Path, content: bytes) -> None:
    path = place / "light.json"
    light = LightContext(path)
    path.write_bytes(content)
    response = light.retrieve()
    assert is_error(response)
    assert "is damaged" in response["error"]
    assert light.clear() == CLEARED
    assert light.retrieve() == EMPTY
    path.write_bytes(content)
    assert light.handle(STORE) == STORED
    assert light.retrieve() == FOUND


@pytest.mark.requirement("L6")
def test_many_threads_share_one_context_without_an_error_or_a_mixture(light: LightContext) -> None:
    def work(thread: int) -> bool:
        whole = True
        for number in range(100):
            mark = f"{thread}-{number}"
            whole &= light.store(mark, mark, [mark, mark], mark)["success"]
            intent, task_id, pending, message = light.retrieve()["context"].values()
            whole &= {task_id, *pending, message} == {intent}
        return whole

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(8))) == [True] * 8


@pytest.mark.requirement("L6")
def test_a_context_in_memory_touches_no_file(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    light = LightContext()
    light.handle(STORE)
    assert light.retrieve() == FOUND
    assert LightContext().retrieve() == EMPTY
    assert list(place.iterdir()) == []


@pytest.mark.requirement("L6")
def test_nothing_stays_when_the_session_ends(place: Path) -> None:
    with LightContext(place / "light.json") as light:
        light.handle(STORE)
    assert list(place.iterdir()) == []
    assert is_error(light.handle(STORE))
    assert is_error(light.retrieve())
    assert is_error(light.clear())
    assert list(place.iterdir()) == []
    assert light.close() == CLEARED


def test_a_store_that_the_end_of_the_session_overtakes_leaves_nothing(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    light, urandom = LightContext(place / "light.json"), os.urandom

    def close_while_storing(size: int) -> bytes:
        light.close()
        return urandom(size)

    monkeypatch.setattr(os, "urandom", close_while_storing)
    assert is_error(light.handle(STORE))
    assert list(place.iterdir()) == []


def test_a_closed_context_gives_nothing_away(light: LightContext) -> None:
    light.handle(STORE)
    assert light.close() == CLEARED
    assert is_error(light.retrieve())


@pytest.mark.requirement("L6")
def test_nothing_is_printed_or_logged(
    place: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.NOTSET)
    for light in (LightContext(), LightContext(place / "light.json"), LightContext(place / "no" / "light.json")):
        for request in (STORE, {"action": "retrieve"}, {"action": "clear"}, {"action": "update"}, None):
            light.handle(request)
        light.handle_json("{")
        light.close()
    assert capfd.readouterr() == ("", "")
    assert caplog.records == []


# --- on the command line ------------------------------------------------------------------------------------------

RETRIEVE = '{"action": "retrieve"}'


@pytest.fixture
def temporary(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


def ask(text: str, session: str | None, timeout: timedelta = timedelta(minutes=30)) -> Response:
    response = json.loads(light_response(text, session, timeout))
    assert isinstance(response, dict)
    return response


def files_below(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def only_file(folder: Path, aged: timedelta) -> Path:
    (file,) = files_below(folder)
    then = file.stat().st_mtime - aged.total_seconds()
    os.utime(file, (then, then))
    return file


@pytest.mark.parametrize(
    "session",
    ["main", "", "../../etc/passwd", "näme\n", "a" * 5_000, "\udcff", None],
    ids=["plain", "empty", "a path", "other letters", "long", "no text", "the calling process"],
)
def test_a_session_finds_again_what_it_stored_until_it_ends(temporary: Path, session: str | None) -> None:
    assert ask(RETRIEVE, session) == EMPTY
    assert light_response(json.dumps(STORE), session) == json.dumps(STORED)
    assert ask(RETRIEVE, session) == FOUND
    (file,) = files_below(temporary)
    if os.name == "posix":
        assert file.parent == temporary / f"anaphora-light-{os.getuid()}"
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    end_light_session(session)
    assert files_below(temporary) == []
    assert ask(RETRIEVE, session) == EMPTY


def test_sessions_do_not_see_each_other(temporary: Path) -> None:
    ask(json.dumps(STORE), "one")
    assert ask(RETRIEVE, "other") == EMPTY
    assert ask(RETRIEVE, None) == EMPTY
    end_light_session("other")
    assert ask(RETRIEVE, "one") == FOUND


def test_bad_requests_are_answered_in_the_same_shapes(temporary: Path) -> None:
    assert ask('{"action": "update"}', "main") == {"success": False, "error": f"Invalid action: 'update'. {ACTIONS}"}
    assert is_error(ask("{", "main"))


def test_a_context_older_than_the_timeout_is_gone(temporary: Path) -> None:
    ask(json.dumps(STORE), "main")
    only_file(temporary, aged=timedelta(hours=1))
    assert ask(RETRIEVE, "main", timedelta(hours=2)) == FOUND
    assert ask(RETRIEVE, "main") == EMPTY
    assert files_below(temporary) == []


def test_what_other_sessions_left_behind_is_removed_after_a_day(temporary: Path) -> None:
    ask(json.dumps(STORE), "left behind")
    file = only_file(temporary, aged=timedelta(hours=1))
    ask(RETRIEVE, "main")
    assert files_below(temporary) == [file]
    only_file(temporary, aged=timedelta(days=2))
    ask(RETRIEVE, "main")
    assert files_below(temporary) == []


@pytest.mark.skipif(os.name != "posix", reason="owners, modes and links as POSIX has them")
@pytest.mark.parametrize("trap", ["link", "file", "open to all", "of another user"])
def test_a_folder_that_is_not_the_users_own_is_refused(
    temporary: Path, monkeypatch: pytest.MonkeyPatch, trap: str
) -> None:
    folder = temporary / f"anaphora-light-{os.getuid()}"
    elsewhere = temporary / "elsewhere"
    match trap:
        case "link":
            elsewhere.mkdir()
            folder.symlink_to(elsewhere)
        case "file":
            folder.touch()
        case "open to all":
            folder.mkdir()
            folder.chmod(0o777)
        case _:
            stranger = os.getuid() + 1
            (temporary / f"anaphora-light-{stranger}").mkdir(mode=0o700)
            monkeypatch.setattr(os, "getuid", lambda: stranger)
    before = files_below(temporary)
    assert is_error(ask(json.dumps(STORE), "main"))
    end_light_session("main")
    assert files_below(temporary) == before


def test_a_temporary_folder_that_is_not_there_is_answered_with_an_error(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(place / "missing"))
    assert is_error(ask(json.dumps(STORE), "main"))


def test_commands_of_one_process_share_a_session_and_another_process_has_its_own(place: Path) -> None:
    command = (
        "import sys; from anaphora.interfaces.cli.light import light_response; print(light_response(sys.argv[1], None))"
    )
    shell = (
        "import subprocess, sys\n"
        "for request in sys.argv[2:]: subprocess.run([sys.executable, '-c', sys.argv[1], request], check=True)"
    )

    def answers(*requests: str) -> list[Response]:
        done = subprocess.run(
            [sys.executable, "-c", shell, command, *requests],
            env={**os.environ, "TMPDIR": str(place), "TEMP": str(place)},
            capture_output=True,
            text=True,
            check=True,
        )
        return [json.loads(line) for line in done.stdout.splitlines()]

    assert answers(json.dumps(STORE), RETRIEVE) == [STORED, FOUND]
    assert answers(RETRIEVE) == [EMPTY]


def test_a_process_id_that_is_used_again_does_not_bring_back_an_old_context(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Path.read_bytes

    def started(at: int) -> None:
        line = f"4242 (a) 1 (sh) S {' '.join(map(str, range(1, 19)))} {at} 0 0\n".encode()
        monkeypatch.setattr(Path, "read_bytes", lambda path: line if path.match("4242/stat") else read(path))

    monkeypatch.setattr(os, "getppid", lambda: 4242)
    started(at=1_000)
    ask(json.dumps(STORE), None)
    assert ask(RETRIEVE, None) == FOUND
    started(at=2_000)
    assert ask(RETRIEVE, None) == EMPTY
    started(at=1_000)
    assert ask(RETRIEVE, None) == FOUND


def test_a_path_may_be_a_text_and_nothing_else_is_taken_for_one(tmp_path: Path) -> None:
    with LightContext(str(tmp_path / "light.json")) as light:
        assert light.store("PLAN", None, [], "Make it purple")["success"]
    wrong: Any = 5
    with pytest.raises(InputError, match="`path` must be the path of a file, not int"):
        LightContext(wrong)
    assert json.loads(LightContext().handle_json(wrong))["success"] is False
