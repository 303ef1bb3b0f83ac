"""Whatever is said or imported, an export that is imported elsewhere is exported again byte for byte."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anaphora
from anaphora import Ingested, Memory
from anaphora.testing import FrozenClock
from tests.talk import says_something

AT = datetime(2025, 11, 3, 14, 20, tzinfo=UTC)
KEY = "sk-ant-" + "a1" * 20
Format = Literal["kds", "brain"]

characters = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
texts = st.text(characters, min_size=1, max_size=40).filter(says_something) | st.sampled_from(
    [
        "I want to add a FAB button",
        "Make it purple",
        "Actually, let's work on dark mode first",
        "Thanks, that's all!",
        "My password is: hunter2!x",
        f"use {KEY} for now",
        "```python\nprint(1)\n```",
        "Line one\nline two\u2028line three\x85end",
        "Let's use RS256 because it scales",
    ]
)
streams = st.lists(
    st.tuples(texts, st.sampled_from(["hear", "hear", "hear", "say"]), st.integers(0, 3 * 3600)), max_size=10
)


def again_and_again(folder: Path, form: Format, fill: Callable[[Memory], object], **values: Any) -> list[bytes]:
    """What three memories export, each having imported what the one before it did."""
    found: list[bytes] = []
    for n in range(3):
        with anaphora.open(":memory:", clock=FrozenClock(AT), **values) as memory:
            if n == 0:
                fill(memory)
            else:
                memory.import_file(folder / "out", form)
            memory.export(folder / "out", form)
            found.append((folder / "out").read_bytes())
    return found


@pytest.mark.parametrize("form", ["kds", "brain"])
@pytest.mark.parametrize("preset", ["assistant", "brain"])
@settings(max_examples=40)
@given(stream=streams)
def test_every_stream_of_messages_comes_back_byte_for_byte(
    tmp_path_factory: pytest.TempPathFactory, form: Format, preset: str, stream: list[tuple[str, str, int]]
) -> None:
    def fill(memory: Memory) -> None:
        at = AT
        for text, how, pause in stream:
            at += timedelta(seconds=pause, microseconds=pause)
            (memory.hear if how == "hear" else memory.say)(text, at=at)

    first, second, third = again_and_again(tmp_path_factory.mktemp("round"), form, fill, preset=preset)
    assert first == second == third
    assert KEY.encode() not in first


names = st.none() | st.sampled_from(["a", "b", "fab-button-20251103", "", "Ünïcode / slash"])
moments = st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC))
plain_texts = st.text(characters, min_size=1, max_size=30).filter(says_something)
intents = st.none() | st.sampled_from(["PLAN", "EXECUTE"])
mentioned = st.none() | st.sampled_from(["FAB button", "ü"])


def log_line(at: datetime, text: str, intent: str | None, name: str | None, ref: str | None) -> str:
    fields = {
        "timestamp": at.isoformat().replace("+00:00", "Z"),
        "user_message": text,
        "intent": intent,
        "session_id": name,
    }
    return json.dumps(
        fields if ref is None else fields | {"context_ref": ref, "mood": [1, None]},
        ensure_ascii=False,
        separators=(",", ":"),
    )


logs = st.lists(st.builds(log_line, moments, plain_texts, intents, names, mentioned), max_size=12)


@settings(max_examples=60)
@given(logs)
def test_every_log_of_others_comes_back_byte_for_byte(
    tmp_path_factory: pytest.TempPathFactory, said: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("log")
    log = "".join(f"{line}\n" for line in said).encode()
    (folder / "log.jsonl").write_bytes(log)

    def fill(memory: Memory) -> None:
        assert memory.import_file(folder / "log.jsonl", "kds") == Ingested(heard=len(said))
        assert memory.import_file(folder / "log.jsonl", "kds") == Ingested(known=len(said))

    assert set(again_and_again(folder, "kds", fill)) == {log}
