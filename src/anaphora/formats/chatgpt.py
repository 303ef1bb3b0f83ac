"""Exports of ChatGPT: conversations.json, an array of conversations, each a tree of messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from anaphora.formats.transcripts import Record, Said, Skipped, instant

__all__ = ["records", "started"]

_READ = ("text", "multimodal_text")


def started(conversation: Mapping[str, Any]) -> datetime | None:
    return instant(conversation.get("create_time"))


def records(conversation: Mapping[str, Any]) -> Iterator[Record]:
    """The branch that was open last, from its beginning; what was asked again and left is not part of it."""
    session = conversation.get("conversation_id") or conversation.get("id")
    mapping = conversation.get("mapping")
    if not isinstance(session, str) or not isinstance(mapping, dict):
        yield Skipped("conversation without messages")
        return
    for node in _branch(mapping, conversation.get("current_node")):
        message = node.get("message")
        if isinstance(message, dict):
            yield _message(message, f"chatgpt-{session}")


def _branch(mapping: Mapping[str, Any], leaf: object) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = []
    seen: set[str] = set()
    here = leaf if isinstance(leaf, str) and leaf in mapping else _last_leaf(mapping)
    while isinstance(here, str) and here in mapping and here not in seen:
        seen.add(here)
        node = mapping[here]
        if not isinstance(node, dict):
            break
        found.append(node)
        here = node.get("parent")
    return found[::-1]


def _last_leaf(mapping: Mapping[str, Any]) -> str | None:
    leaves = [id for id, node in mapping.items() if isinstance(node, dict) and not node.get("children")]
    return leaves[-1] if leaves else None


def _message(message: Mapping[str, Any], session: str) -> Record:
    author, content, id = message.get("author"), message.get("content"), message.get("id")
    role = author.get("role") if isinstance(author, dict) else None
    hidden = (message.get("metadata") or {}).get("is_visually_hidden_from_conversation")
    if role not in ("user", "assistant") or hidden or message.get("recipient", "all") != "all":
        return Skipped(f"message of {role}" if role not in ("user", "assistant") else "hidden message")
    if not isinstance(content, dict) or content.get("content_type") not in _READ or not isinstance(id, str):
        kind = content.get("content_type") if isinstance(content, dict) else None
        return Skipped(f"content of kind {kind}")
    parts = content.get("parts")
    text = "\n\n".join(p for p in parts if isinstance(p, str) and p.strip()) if isinstance(parts, list) else ""
    if not text.strip():
        return Skipped("nothing said")
    return Said(session, f"chatgpt-{id}", role, text, instant(message.get("create_time")))
