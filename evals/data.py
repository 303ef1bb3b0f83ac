"""The labelled data: JSON lines read into frozen values, in the formats that the data folder's README describes."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TypeVar

from anaphora.errors import FormatError

__all__ = [
    "WHERE",
    "Chat",
    "ChatMessage",
    "Dialogue",
    "LabelledSpan",
    "Line",
    "Prompt",
    "Query",
    "Rewrite",
    "Sentence",
    "Stream",
    "dialogue_of",
    "fold_of",
    "read_chats",
    "read_dialogues",
    "read_rewrites",
    "read_sentences",
    "read_streams",
]

Row = TypeVar("Row")

WHERE = "The labelled conversations are not part of this repository: name their folder with --data DIR."


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt of a real user. `boundary` "either" is scored neither way; `also` are intents that are right too."""

    id: str
    seconds: float | None
    text: str
    reply: str
    boundary: Literal["yes", "no", "either"]
    intent: str
    also: tuple[str, ...]
    needs_context: bool
    mentions: tuple[str, ...]
    referents: tuple[str, ...]
    expanded: str


@dataclass(frozen=True, slots=True)
class Stream:
    """The prompts of one user, in order of time."""

    id: str
    prompts: tuple[Prompt, ...]


@dataclass(frozen=True, slots=True)
class Line:
    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A message, what came before it, and how a person wrote it out so that it stands alone."""

    id: str
    history: tuple[Line, ...]
    text: str
    rewrite: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Dialogue:
    """Turns of two people; `starts` are the indices at which a topic begins, 0 always among them."""

    id: str
    turns: tuple[str, ...]
    starts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """`at` is None where the data gives no time, or one in words that we cannot read."""

    id: str
    role: Literal["user", "assistant"]
    text: str
    at: datetime | None
    speaker: str | None


@dataclass(frozen=True, slots=True)
class Query:
    """A question about a chat; `gold` are the ids of the messages that hold the answer."""

    id: str
    category: str
    text: str
    gold: tuple[str, ...]
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Chat:
    id: str
    messages: tuple[ChatMessage, ...]
    queries: tuple[Query, ...]


@dataclass(frozen=True, slots=True)
class LabelledSpan:
    """Tokens `start` up to, not including, `end`."""

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class Sentence:
    id: str
    tokens: tuple[str, ...]
    spans: tuple[LabelledSpan, ...]


def fold_of(group: str, folds: int) -> int:
    """Which part of the data a stream or a dialogue belongs to; the same for training and for measuring."""
    return int(hashlib.sha256(group.encode()).hexdigest(), 16) % folds


def dialogue_of(id: str) -> str:
    """The dialogue that a rewritten message is from."""
    return re.sub(r"-\d+(-\w+)?$", "", id)


def read_streams(path: Path) -> list[Stream]:
    return _read(path, lambda row, _: Stream(row["id"], tuple(_prompt(turn) for turn in row["turns"])))


def read_rewrites(path: Path) -> list[Rewrite]:
    def one(row: Mapping[str, Any], _: int) -> Rewrite:
        history = tuple(Line(_role(line), line["text"]) for line in row["history"])
        return Rewrite(row["id"], history, row["text"], row["rewrite"], bool(row["changed"]))

    return _read(path, one)


def read_dialogues(path: Path) -> list[Dialogue]:
    return _read(path, lambda row, _: Dialogue(row["id"], tuple(row["turns"]), tuple(row["starts"])))


def read_chats(path: Path) -> list[Chat]:
    def one(row: Mapping[str, Any], _: int) -> Chat:
        messages = tuple(
            ChatMessage(m["id"], _role(m), m["text"], _time(m.get("time")), m.get("speaker")) for m in row["messages"]
        )
        queries = tuple(_query(q) for q in row["questions"])
        return Chat(row["id"], messages, queries)

    return _read(path, one)


def read_sentences(path: Path) -> list[Sentence]:
    def one(row: Mapping[str, Any], number: int) -> Sentence:
        spans = tuple(LabelledSpan(start, end, label) for start, end, label in row["spans"])
        return Sentence(f"line {number}", tuple(row["tokens"]), spans)

    return _read(path, one)


def _read(path: Path, one: Callable[[Mapping[str, Any], int], Row]) -> list[Row]:
    rows = []
    # Not splitlines(): a text may hold the other separators that it splits at.
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            rows.append(one(json.loads(line), number))
        except (KeyError, TypeError, ValueError) as error:
            what = f"no {error}" if isinstance(error, KeyError) else str(error)
            raise FormatError(
                f"{path}, line {number} cannot be read: {what}.",
                remedy="Compare it with the formats in the data folder's README.",
            ) from error
    return rows


def _prompt(turn: Mapping[str, Any]) -> Prompt:
    boundary = turn["boundary"]
    if boundary not in ("yes", "no", "either"):
        raise ValueError(f"boundary is {boundary!r}, not yes, no or either")
    return Prompt(
        id=turn["id"],
        seconds=turn["seconds"],
        text=turn["user"],
        reply=turn["reply"],
        boundary=boundary,
        intent=turn["intent"],
        also=tuple(turn["also"]),
        needs_context=bool(turn["needs_context"]),
        mentions=tuple(ref["mention"] for ref in turn["refs"]),
        referents=tuple(ref["referent"] for ref in turn["refs"]),
        expanded=turn["expanded"],
    )


def _query(row: Mapping[str, Any]) -> Query:
    return Query(row["id"], row["category"], row["question"], tuple(row["gold"]), str(row.get("answer", "")))


def _role(row: Mapping[str, Any]) -> Literal["user", "assistant"]:
    role = row["role"]
    if role == "user":
        return "user"
    if role == "assistant":
        return "assistant"
    raise ValueError(f"role is {role!r}, not user or assistant")


def _time(text: str | None) -> datetime | None:
    if not text:
        return None
    for read in (datetime.fromisoformat, lambda said: datetime.strptime(said, "%B-%d-%Y")):
        try:
            at = read(text)
        except ValueError:
            continue
        return at if at.tzinfo else at.replace(tzinfo=UTC)
    return None
