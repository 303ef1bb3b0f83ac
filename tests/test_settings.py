"""Settings: which place wins, what each preset says, and what is said about a key or a value that does not fit."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import FrozenInstanceError, fields
from datetime import timedelta
from pathlib import Path
from typing import Any, get_args

import pytest

import anaphora
from anaphora.configuration import PROJECT_FILE, load, user_file
from anaphora.errors import SettingsError
from anaphora.folders import data_folder
from anaphora.settings import PRESETS, Layer, PresetName, Resolved, Settings, describe, resolve

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


def one(key: str, value: Any) -> Any:
    """What a key becomes when it is given a value."""
    return getattr(resolve([Layer("here", {key: value})]).settings, key)


def preset(name: PresetName) -> Settings:
    return resolve([Layer("here", {"preset": name})]).settings


# --- who wins -----------------------------------------------------------------------------------------------------


def places(tmp_path: Path, *, without: int) -> tuple[Resolved, list[str]]:
    """Settings from all places but the last `without`, each giving `window` another value; and their names."""
    own, project = tmp_path / "own.toml", tmp_path / PROJECT_FILE
    given: list[tuple[str, int]] = [
        (str(own), 32),
        (str(project), 33),
        ("ANAPHORA_WINDOW", 34),
        ("the call", 35),
    ]
    kept = dict(given[: len(given) - without])
    for path in (own, project):
        path.unlink(missing_ok=True)
        if str(path) in kept:
            path.write_text(f"window = {kept[str(path)]}\n", "utf-8")
    environ = {"ANAPHORA_CONFIG": str(own), "ANAPHORA_PRESET": "quaid"}
    if "ANAPHORA_WINDOW" in kept:
        environ["ANAPHORA_WINDOW"] = str(kept["ANAPHORA_WINDOW"])
    overrides = {"window": kept.get("the call"), "user": None}
    return load(overrides, environ=environ, directory=tmp_path), [*kept]


@pytest.mark.parametrize("without", range(5))
def test_the_later_place_wins_and_is_named(tmp_path: Path, without: int) -> None:
    found, names = places(tmp_path, without=without)
    assert found.origins["window"] == (names[-1] if names else "preset quaid")
    assert found.settings.window == (35 - without if names else 20)
    assert found.origins["history_tokens"] == "preset quaid"
    assert found.origins["preset"] == "ANAPHORA_PRESET"
    assert found.origins["user"] == found.origins["queue"] == "default"
    assert found.settings.user == "me"


def test_every_key_has_an_origin(tmp_path: Path) -> None:
    found = load(environ={}, directory=tmp_path)
    assert set(found.origins) == {f.name for f in fields(Settings)}
    assert set(found.origins.values()) == {"default"}
    assert found.settings == Settings()


def test_only_the_preset_that_wins_gives_its_values(tmp_path: Path) -> None:
    (tmp_path / PROJECT_FILE).write_text('preset = "kds"\n', "utf-8")
    found = load({"preset": "whisper"}, environ={}, directory=tmp_path)
    assert (found.settings.preset, found.settings.expire_after) == ("whisper", None)
    assert found.origins["preset"] == "the call"


def test_a_file_overrules_a_preset_that_the_code_names(tmp_path: Path) -> None:
    (tmp_path / PROJECT_FILE).write_text("window = 7\n", "utf-8")
    found = load({"preset": "kds"}, environ={}, directory=tmp_path)
    assert (found.settings.window, found.settings.retention) == (7, "window")


def test_the_users_file_lies_in_the_users_configuration_folder(tmp_path: Path) -> None:
    path = user_file({})
    assert path.is_relative_to(tmp_path / "home")
    path.parent.mkdir(parents=True)
    path.write_text('user = "ann"\n', "utf-8")
    found = load(environ={}, directory=tmp_path)
    assert (found.settings.user, found.origins["user"]) == ("ann", str(path))


def test_a_variable_names_another_users_file(tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    assert user_file({"ANAPHORA_CONFIG": str(other)}) == other
    assert user_file({"ANAPHORA_CONFIG": ""}) == user_file({})


def test_variables_that_are_no_settings_are_passed_over(tmp_path: Path) -> None:
    environ = {"ANAPHORA_DEBUG": "1", "ANAPHORA_TEST_PATIENCE": "9", "WINDOW": "3", "HOME": "x"}
    assert load(environ=environ, directory=tmp_path).settings == Settings()


def test_a_memory_is_opened_with_what_all_places_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / PROJECT_FILE).write_text('agent = "helper"\nwindow = 3\n', "utf-8")
    monkeypatch.setenv("ANAPHORA_WINDOW", "4")
    with anaphora.open(":memory:", user="ann", queue=5) as memory:
        assert (memory.settings.window, memory.settings.queue) == (4, 5)
        assert memory.scope == anaphora.Scope("ann", "helper", "default")


def test_a_whole_settings_object_leaves_no_room_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANAPHORA_WINDOW", "4")
    with anaphora.open(":memory:", settings=Settings(window=6), user="ann") as memory:
        assert (memory.settings.window, memory.scope.user) == (6, "ann")
    with pytest.raises(anaphora.InputError, match="not both"):
        anaphora.open(":memory:", settings=Settings(), window=5)


# --- the presets --------------------------------------------------------------------------------------------------

NUMBERS: Mapping[PresetName, Mapping[str, Any]] = {
    "assistant": {"window": 10, "queue": 20, "retention": "keep", "keep_replies": True, "keep_code": True},
    "kds": {
        "window": 10,
        "expire_after": 2 * HOUR,
        "retention": "window",
        "keep_replies": False,
        "keep_code": False,
    },
    "light": {"window": 1, "retention": "session", "light_storage": "memory", "light_timeout": 30 * MINUTE},
    "brain": {
        "queue": 20,
        "boundary_method": "bands",
        "ask_below": 0.70,
        "gap_same": 15 * MINUTE,
        "gap_maybe": HOUR,
        "gap_new": 4 * HOUR,
        "overlap_new": 0.3,
        "overlap_same": 0.7,
        "overlap_messages": 5,
        "expire_after": None,
        "retention": "queue",
        "keep_replies": False,
        "keep_code": False,
    },
    "quaid": {
        "conversation_history_limit": 20,
        "history_tokens": 3000,
        "importance_threshold": 0.5,
        "budget": 8000,
        "reserve_system": 500,
        "reserve_query": 2100,
        "decisions_shown": 3,
    },
    "whisper": {
        "memory_retrieval_limit": 20,
        "memory_narrative_limit": 6,
        "memory_preview": 120,
        "narrative": "bracketed",
        "conversation_history_limit": 15,
        "summary_message_limit": 10,
        "recent_memory_window": 2 * HOUR,
        "session_window": 30 * MINUTE,
        "summary_max_length": 600,
        "topic_truncation": 80,
        "bot_response_preview": 300,
        "same_role": "drop",
        "command_prefix": "!",
    },
}


@pytest.mark.parametrize("name", NUMBERS)
def test_a_preset_gives_exactly_its_numbers(name: PresetName) -> None:
    settings = preset(name)
    assert {key: getattr(settings, key) for key in NUMBERS[name]} == NUMBERS[name]
    assert settings.preset == name


def test_there_is_a_preset_for_every_name() -> None:
    assert set(PRESETS) == set(get_args(PresetName)) == set(NUMBERS)


@pytest.mark.parametrize("name", PRESETS)
def test_what_a_preset_says_would_pass_for_a_value_of_a_user(name: PresetName) -> None:
    assert resolve([Layer("here", {"preset": name, **PRESETS[name]})]).settings == preset(name)


# --- values -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("90s", 90),
        ("90 sec", 90),
        ("15m", 900),
        ("15 MIN", 900),
        ("2h", 7200),
        (" 1d ", 86400),
        ("1w", 604800),
        ("1.5h", 5400),
        (90, 90),
        ("90", 90),
        (0.5, 0.5),
        ("0", 0),
        (timedelta(minutes=3), 180),
    ],
)
def test_a_duration_is_understood_as_people_write_it(value: Any, seconds: float) -> None:
    assert one("gap_same", value) == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("key", "value", "becomes"),
    [
        ("keep_replies", "Yes", True),
        ("keep_replies", "on", True),
        ("keep_replies", "1", True),
        ("keep_replies", "off", False),
        ("keep_replies", "FALSE", False),
        ("keep_replies", False, False),
        ("window", "12", 12),
        ("window", 12.0, 12),
        ("ask_below", "0.75", 0.75),
        ("ask_below", 1, 1.0),
        ("expire_after", "never", None),
        ("expire_after", "", None),
        ("expire_after", "2h", 2 * HOUR),
        ("history_tokens", "none", None),
        ("history_tokens", None, None),
        ("history_tokens", "500", 500),
        ("durability", "normal", "normal"),
        ("timezone", "Europe/Berlin", "Europe/Berlin"),
        ("style", "", ""),
    ],
)
def test_a_value_becomes_what_its_key_takes(key: str, value: Any, becomes: Any) -> None:
    found = one(key, value)
    assert (found, type(found)) == (becomes, type(becomes))


@pytest.mark.parametrize(
    ("key", "value", "allowed"),
    [
        ("keep_replies", "maybe", "true or false"),
        ("keep_replies", 1, "true or false"),
        ("window", "ten", "a whole number from 1 to 1000"),
        ("window", 1.5, "a whole number from 1 to 1000"),
        ("window", True, "a whole number from 1 to 1000"),
        ("window", 0, "a whole number from 1 to 1000"),
        ("window", 1001, "a whole number from 1 to 1000"),
        ("window", [1], "a whole number from 1 to 1000"),
        ("window", None, "a whole number from 1 to 1000"),
        ("window", float("inf"), "a whole number from 1 to 1000"),
        ("budget", "", "a whole number from 1 up"),
        ("budget", -5, "a whole number from 1 up"),
        ("ask_below", "nan", "a number from 0.5 to 1"),
        ("ask_below", float("nan"), "a number from 0.5 to 1"),
        ("ask_below", float("inf"), "a number from 0.5 to 1"),
        ("ask_below", 0.49, "a number from 0.5 to 1"),
        ("ask_below", True, "a number from 0.5 to 1"),
        ("gap_same", "soon", "a duration such as 90s, 15m, 2h or 1d"),
        ("gap_same", "5 y", "a duration such as 90s, 15m, 2h or 1d"),
        ("gap_same", "-5m", "a duration such as 90s, 15m, 2h or 1d"),
        ("gap_same", -1, "a duration such as 90s, 15m, 2h or 1d"),
        ("gap_same", timedelta(-1), "a duration such as 90s, 15m, 2h or 1d"),
        ("gap_same", float("nan"), "a duration such as 90s, 15m, 2h or 1d"),
        ("gap_same", "9" * 20 + "w", "a duration such as 90s, 15m, 2h or 1d"),
        ("gap_same", {}, "a duration such as 90s, 15m, 2h or 1d"),
        ("busy_timeout", "2h", "a duration such as 90s, 15m, 2h or 1d, at most 3600s"),
        ("expire_after", "soon", "a duration such as 90s, 15m, 2h or 1d, or none"),
        ("history_tokens", 0, "a whole number from 1 up, or none"),
        ("durability", "fast", "full, normal"),
        ("durability", ["full"], "full, normal"),
        ("preset", "best", "assistant, kds, light, brain, quaid, whisper"),
        ("timezone", "Mars/Olympus", "an IANA zone such as Europe/Berlin"),
        ("timezone", "", "an IANA zone such as Europe/Berlin"),
        ("timezone", "../../etc/passwd", "an IANA zone such as Europe/Berlin"),
        ("timezone", "Europe", "an IANA zone such as Europe/Berlin"),
        ("timezone", 1, "an IANA zone such as Europe/Berlin"),
        ("user", 7, "a text"),
    ],
)
def test_a_bad_value_is_named_with_its_key_its_place_and_what_is_allowed(key: str, value: Any, allowed: str) -> None:
    with pytest.raises(SettingsError) as caught:
        one(key, value)
    assert str(caught.value) == f"Bad value {value!r} for setting {key!r} in here. Allowed: {allowed}."


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("windows", "Did you mean 'window'?"),
        ("expireafter", "Did you mean 'expire_after'?"),
        ("colour", "'anaphora config' lists every setting."),
    ],
)
def test_an_unknown_key_is_named_with_its_place_and_the_nearest_one(key: str, hint: str) -> None:
    with pytest.raises(SettingsError) as caught:
        resolve([Layer("here.toml", {key: 1})])
    assert str(caught.value) == f"Unknown setting {key!r} in here.toml. {hint}"


def test_a_bad_variable_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"Unknown setting 'windo' in ANAPHORA_WINDO.*'window'"):
        load(environ={"ANAPHORA_WINDO": "3"}, directory=tmp_path)
    with pytest.raises(SettingsError, match="Bad value 'x' for setting 'window' in ANAPHORA_WINDOW"):
        load(environ={"ANAPHORA_WINDOW": "x"}, directory=tmp_path)


# --- files that cannot be read --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"window = ", "is not valid TOML: Invalid value"),
        (b"window = 1\nwindow = 2\n", "is not valid TOML"),
        (b"user = '\xff'", "cannot be read"),
        (b"[memory]\nwindow = 1\n", "Unknown setting 'memory' in"),
        (b"[window]\nsize = 1\n", "Bad value {'size': 1} for setting 'window' in"),
        (b"gap_same = 07:32:00\n", "Bad value datetime.time.* for setting 'gap_same' in"),
    ],
)
def test_a_broken_file_is_named_and_nothing_of_it_is_used(tmp_path: Path, content: bytes, says: str) -> None:
    (tmp_path / PROJECT_FILE).write_bytes(content)
    with pytest.raises(SettingsError, match=says) as caught:
        load(environ={}, directory=tmp_path)
    assert str(tmp_path / PROJECT_FILE) in str(caught.value)


def test_a_folder_in_the_place_of_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / PROJECT_FILE).mkdir()
    with pytest.raises(SettingsError, match=f"{PROJECT_FILE} cannot be read"):
        load(environ={}, directory=tmp_path)


def test_a_file_in_the_place_of_a_folder_is_no_settings_file(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    assert load(environ={"ANAPHORA_CONFIG": str(file / "config.toml")}, directory=tmp_path).settings == Settings()


# --- the object itself --------------------------------------------------------------------------------------------


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Settings().window = 5  # type: ignore[misc]


def test_every_setting_is_described() -> None:
    described = {d.key: d for d in describe()}
    assert [*described] == [f.name for f in fields(Settings)]
    assert all(d.doc and d.allowed.startswith("Allowed: ") for d in described.values())
    assert {k: d.default for k, d in described.items()} == {k: getattr(Settings(), k) for k in described}


@pytest.mark.parametrize("key", [f.name for f in fields(Settings)])
def test_every_default_is_a_value_that_its_key_takes(key: str) -> None:
    assert one(key, getattr(Settings(), key)) == getattr(Settings(), key)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("store", "postgresql://elsewhere.example/db"),
        ("vectors", "qdrant:http://elsewhere.example:6333"),
        ("llm_base_url", "http://elsewhere.example/v1"),
    ],
)
def test_a_projects_file_cannot_send_what_is_said_to_a_server(
    key: str, value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "anaphora.toml").write_text(f'{key} = "{value}"\n')
    with pytest.raises(SettingsError, match="only you may do"):
        load()
    (tmp_path / "anaphora.toml").unlink()
    monkeypatch.setenv(f"ANAPHORA_{key.upper()}", value)
    assert getattr(load().settings, key) == value


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system names these folders")
def test_a_relative_folder_of_the_system_is_passed_over() -> None:
    assert data_folder({"HOME": "/users/ann", "XDG_DATA_HOME": "rel"}) == "/users/ann/.local/share/anaphora"
    assert data_folder({"HOME": "/users/ann", "XDG_DATA_HOME": "/data"}) == "/data/anaphora"


def test_a_store_whose_name_is_not_in_utf_8_is_refused_where_it_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"ANAPHORA_STORE: it is not in UTF-8"):
        load(environ={"ANAPHORA_STORE": "\udcff.db"}, directory=tmp_path)
